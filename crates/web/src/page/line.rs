//! How play goes on, as a line of moves: each is a link, and where players make several plies running, the line says whose
//! it is.

use greenwave_game::{AnyPosition, Game, Turn};
use greenwave_picture::escaped;

use crate::page::contents::Page;
use crate::view::is_forced_pass;

/// Most moves of a line that are all shown, and how many of the first and of the last are shown of a longer one.
const LINE_OPEN: usize = 10;
const LINE_HEAD: usize = 6;
const LINE_TAIL: usize = 2;

/// A move of a line of play that a page tells.
pub(super) struct LineStep {
    /// Its place among all plies of the line, from 0.
    pub(super) ply: usize,
    by_first: bool,
}

impl Page<'_> {
    /// The moves of a line of play after some plies of the game, but for passes to which there is no other move, and the
    /// position after it.
    pub(super) fn line_steps(
        &self,
        plies: usize,
        moves: &[&str],
    ) -> (Vec<LineStep>, Option<AnyPosition>) {
        let variant = &self.question.variant;
        let begins = self.view.passed.get(plies);
        let mut at = begins.and_then(|passed| passed.at);
        let mut by_first = begins.is_none_or(|passed| passed.first_to_move);
        let mut steps = Vec::new();
        for (ply, mv) in moves.iter().enumerate() {
            let is_chosen = at.is_none_or(|at| !is_forced_pass(variant, &at, mv));
            // The move that the line is about is told.
            if is_chosen || ply == 0 {
                steps.push(LineStep { ply, by_first });
            }
            let made = at.and_then(|at| Some(variant.play(&at, variant.parse_move(&at, mv).ok()?)));
            by_first ^= made.as_ref().is_none_or(|made| !made.keeps_turn);
            at = made.map(|made| made.to);
        }
        (steps, at)
    }

    /// How play continues after some plies of the game, each move with its mark a link to the position after it. Of a
    /// long line the first moves and the last, and the whole of it folded.
    pub(super) fn linked<'m>(
        &self,
        plies: usize,
        moves: impl Iterator<Item = (&'m str, &'m str)>,
    ) -> String {
        let words = self.reader.language;
        let variant = &self.question.variant;
        let (moves, marks): (Vec<&str>, Vec<&str>) = moves.unzip();
        let (steps, end) = self.line_steps(plies, &moves);
        let runs = variant.rules().properties.turn == Turn::Runs;
        let mut chips = Vec::new();
        for (number, step) in steps.iter().enumerate() {
            // The passes that a move forces are made with it.
            let until = steps.get(number + 1).map_or(moves.len(), |next| next.ply);
            let mut played = self.played(plies);
            played.extend(&moves[..until]);
            let address = escaped(&self.game(self.view.start.as_deref(), &played, &[]));
            let text = self.written_short(moves[step.ply]) + marks[step.ply];
            let text = if runs {
                self.of_side(step.by_first) + &text
            } else {
                text
            };
            chips.push((address, text, step.ply + 1));
        }
        let chip = |(address, text, _): &(String, String, usize)| {
            format!("<a href=\"{address}\">{text}</a> ")
        };
        let whole: String = chips.iter().map(chip).collect();
        let goes_on = end.is_some_and(|at| variant.ending(&at).is_none());
        let more = if goes_on { "<span>\u{2026}</span>" } else { "" };
        let whole = format!("<p class=\"line\">{whole}{more}</p>");
        let sides = self.sides_note(runs && !chips.is_empty(), steps.len() < moves.len());
        if chips.len() <= LINE_OPEN {
            return whole + &sides;
        }
        let (head, tail) = (&chips[..LINE_HEAD], &chips[chips.len() - LINE_TAIL..]);
        let head: String = head.iter().map(chip).collect();
        let numbered = |(address, text, number): &(String, String, usize)| {
            format!("<a href=\"{address}\"><small>{number}</small>&nbsp;{text}</a> ")
        };
        let tail: String = tail.iter().map(numbered).collect();
        let length = words.length(moves.len() as u32);
        format!(
            "<p class=\"line\">{head}<span>\u{2026}</span> {tail}{more}</p><details class=\"whole\"><summary>{}</summary>{whole}\
             </details>{sides}",
            escaped(&words.with("line-whole", length))
        )
    }

    /// The sign of the player who makes a move of a line.
    fn of_side(&self, by_first: bool) -> String {
        let (class, key) = if self.is_first(by_first) {
            ("mover", "side-first")
        } else {
            ("mover other", "side-second")
        };
        format!(
            "<i class=\"{class}\"></i><span class=\"unseen\">{}: </span>",
            self.reader.language.text(key)
        )
    }

    /// Below a line, what its signs mean, and that passes are left out.
    fn sides_note(&self, has_sides: bool, has_passes: bool) -> String {
        let words = self.reader.language;
        let mut parts = Vec::new();
        if has_sides {
            for (class, key) in [("mover", "side-first"), ("mover other", "side-second")] {
                parts.push(format!(
                    "<span><i class=\"{class}\"></i>{}</span>",
                    words.text(key)
                ));
            }
        }
        if has_passes {
            parts.push(format!("<span>{}</span>", words.text("line-passes")));
        }
        if parts.is_empty() {
            return String::new();
        }
        format!("<p class=\"note of-line\">{}</p>", parts.join(" "))
    }
}
