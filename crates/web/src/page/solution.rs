//! The solution of a puzzle, step by step: the puzzle stays what it was.

use std::fmt::Write;

use greenwave_picture::escaped;
use greenwave_tablebase::Tablebase;

use crate::explorer::Explorer;
use crate::page::contents::Page;
use crate::page::reader::Reader;
use crate::problem::Problem;
use crate::question::Question;
use crate::routes::RouteAnswer;
use crate::view::View;

/// Longest solution that is shown, in plies: a draw may go round for ever.
const LONGEST: usize = 40;

/// Leads to the solution from the position that the reader has reached, the whole line in the address. Where
/// nothing is solved, that position is opened with its values.
pub(super) fn of_position(
    explorer: &Explorer,
    tablebase: &Tablebase,
    question: &Question,
    reader: &Reader,
    view: &View,
) -> Result<RouteAnswer, Problem> {
    let mut moves: Vec<String> = view.plies.iter().map(|ply| ply.text.clone()).collect();
    let begun = moves.len().to_string();
    let start = view.start.as_deref();
    let mut own: Vec<(&str, &str)> = start.iter().map(|text| ("position", *text)).collect();
    let is_solved = tablebase.is_at_hand(&question.variant);
    let shown = if is_solved {
        let line = tablebase.line_of(&question.at())?;
        let plies = line.plies.into_iter().filter(|_| line.draws.is_none());
        moves.extend(plies.take(LONGEST).map(|ply| ply.mv));
        reader
    } else {
        &reader.plain()
    };
    let moves = moves.join(",");
    if !moves.is_empty() {
        own.push(("moves", &moves));
    }
    if is_solved {
        own.extend([("ply", begun.as_str()), ("solution", "1")]);
    }
    Ok(RouteAnswer::moved(shown.address(
        explorer,
        &format!("/{}", question.name),
        &own,
    )))
}

impl Page<'_> {
    /// The address of the solution, after the good moves that were made.
    pub(super) fn solution(&self) -> String {
        let good = self.view.plies.len() - usize::from(self.missed);
        let own = [("solution", "1")];
        self.game(self.view.start.as_deref(), &self.played(good), &own)
    }

    /// The address of the solution from the beginning.
    pub(super) fn whole_solution(&self) -> String {
        self.game(self.view.start.as_deref(), &[], &[("solution", "1")])
    }

    /// The moves of the solution, that of the position shown marked, and why the first is right.
    pub(super) fn solution_line(&self) -> String {
        let words = self.reader.language;
        let mut html = format!(
            "<div class=\"ending solved\"><p class=\"line\"><strong>{}</strong> ",
            words.text("puzzle-answer")
        );
        let only = self.only_mark();
        for (number, ply) in self.view.plies.iter().enumerate() {
            let current = if number + 1 == self.view.at {
                " aria-current=\"step\""
            } else {
                ""
            };
            let _ = write!(
                html,
                "<a data-to=\"{number}\" href=\"{}\"{current}>{}{}</a> ",
                escaped(&self.at_ply(number + 1)),
                self.written_short(&ply.text),
                if self.is_only(number) {
                    only.as_str()
                } else {
                    ""
                }
            );
        }
        html.push_str("</p>");
        if let Some(fact) = self.key_said() {
            let _ = write!(html, "<p>{}</p>", escaped(&fact));
        }
        if let Some(key) = self.key {
            html.push_str(&self.refutations(key));
        }
        html + "</div>"
    }

    /// The ways on from a solution: the puzzle again, the next one, and this position with its values.
    pub(super) fn after_solution(&self) -> Vec<(&'static str, String, &'static str)> {
        let words = self.reader.language;
        let start = self.view.start.as_deref();
        let again = self.game(start, &[], &[]);
        let explore = self.here(&self.plain());
        let mut links = vec![
            ("again", again, words.text("puzzle-again")),
            ("explore", explore, words.text("open-in-explore")),
        ];
        if self.reader.instead.is_none() {
            links.insert(0, ("next", self.next_puzzle(), words.text("puzzle-next")));
        }
        links
    }

    /// What the script fills in: how many puzzles were solved on this device.
    pub(super) fn progress(&self) -> String {
        // The search for a better move is no puzzle of the program.
        if self.reader.puzzle.is_none_or(|level| level == 0) {
            return String::new();
        }
        let words = self.reader.language;
        // The script takes a miss back, and leaves a solution.
        let state = if self.reader.solution {
            "shown"
        } else if self.missed {
            "missed"
        } else if self.is_solved() {
            "solved"
        } else {
            "open"
        };
        let hinted = if self.hint.is_some() {
            " data-hinted"
        } else {
            ""
        };
        format!(
            "<p class=\"progress\" data-puzzle=\"{state}\"{hinted} data-key=\"{} {}\" data-text=\"{}\" hidden>\
             <span></span> <button type=\"button\" data-reset>{}</button></p>",
            escaped(&self.question.name),
            escaped(self.view.start.as_deref().unwrap_or_default()),
            escaped(words.text("puzzle-progress")),
            words.text("puzzle-reset")
        )
    }

    /// The address of another puzzle of the requested theme, or else of this level.
    pub(super) fn next_puzzle(&self) -> String {
        let theme = self.reader.theme.filter(|_| self.reader.themed);
        let level = self.reader.puzzle;
        let level = level.filter(|level| *level > 0 && theme.is_none());
        let level = level.map(|level| level.to_string());
        let own: Vec<(&str, &str)> = level.iter().map(|one| ("level", one.as_str())).collect();
        let alike = Reader {
            theme,
            ..self.plain()
        };
        alike.address(self.explorer, &format!("{}/puzzle", self.path), &own)
    }
}
