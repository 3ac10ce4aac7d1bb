//! The text while a game is played: the reply of the program, hints, the judge, puzzles.

use std::fmt::Write;

use greenwave_game::Outcome;
use greenwave_picture::escaped;
use greenwave_play::{HINTS, Level, RecordText};

use crate::explorer::Explorer;
use crate::messages;
use crate::page::Reader;
use crate::page::position::Page;
use crate::params::Params;
use crate::problem::Problem;
use crate::question::Question;
use crate::routes::{AnswerKind, RouteAnswer};

impl Page<'_> {
    /// The text about the last move and the next one.
    pub(super) fn said(&self) -> String {
        let words = self.reader.language;
        let view = self.view;
        let mut said: Vec<String> = Vec::new();
        if let Some(coming) = self.coming {
            said.push(escaped(&words.with("being-solved", coming.pending.seconds)));
        }
        let at_end = view.at == view.plies.len();
        let last = view.plies.last().filter(|_| at_end);
        if let (Some(first), Some(ply)) = (self.reader.play, last)
            && ply.by_first != first
            && !ply.is_draw
        {
            let mut text = words.with("program-played", &ply.text);
            if self.reader.opinion {
                text.push_str(&format!(" {}", words.text("opinion")));
            }
            said.push(escaped(&text));
        }
        if self.reader.puzzle.is_some() && at_end {
            said.push(self.of_puzzle());
        }
        if let Some(hint) = self.hint {
            said.push(escaped(&hint.said(words)));
        }
        let mut html = String::new();
        for text in said {
            let _ = write!(html, "<p class=\"said\">{text}</p>");
        }
        html + &self.after_game() + &self.progress()
    }

    /// What the script fills in: how many puzzles were solved on this device.
    fn progress(&self) -> String {
        if self.reader.puzzle.is_none() {
            return String::new();
        }
        let words = self.reader.language;
        let state = match (self.missed, &self.view.ending) {
            (true, _) => "missed",
            (false, Some(_)) => "solved",
            (false, None) => "open",
        };
        format!(
            "<p class=\"progress\" data-puzzle=\"{state}\" data-key=\"{} {}\" data-text=\"{}\" hidden>\
             <span></span> <button type=\"button\" data-reset>{}</button></p>",
            escaped(&self.question.name),
            escaped(self.view.start.as_deref().unwrap_or_default()),
            escaped(words.text("puzzle-progress")),
            words.text("puzzle-reset")
        )
    }

    /// How a finished game came out, where it turned against the reader, and the ways on.
    fn after_game(&self) -> String {
        let words = self.reader.language;
        let (reader, view) = (self.reader, self.view);
        let played = reader.play.is_some() || reader.watch;
        let over = view.ending.is_some() || (reader.resigned && reader.play.is_some());
        if !played || !over || reader.puzzle.is_some() || view.at != view.plies.len() {
            return String::new();
        }
        let start = view.start.as_deref();
        let mut links: Vec<(String, &str, &str)> = Vec::new();
        let mut told = Vec::new();
        if let Some(first) = reader.play {
            told.push(self.outcome(first));
            let mut plies = view.plies.iter().enumerate();
            let turned =
                plies.rfind(|(number, ply)| ply.by_first == first && self.is_mistake(*number));
            match turned {
                Some((number, ply)) => {
                    let before = self.played(number);
                    links.push(("again".into(), "again-here", ""));
                    links[0].0 = self.game(start, &before, &[]);
                    let had = self.points.get(number).copied().flatten();
                    let key = match had.map(|had| if first { had.value } else { -had.value }) {
                        Some(had) if had > 0.0 => "was-ahead",
                        Some(0.0) => "was-level",
                        Some(_) | None => "turned-at",
                    };
                    told.push(
                        words.filled(key, &[("mv", &ply.text), ("n", &(number + 1).to_string())]),
                    );
                }
                None if self.marks.is_empty() => {}
                None => told.push(words.text("no-mistake").into()),
            }
        }
        links.push((self.game(start, &[], &[]), "same-game", ""));
        let stronger = match reader.level {
            Level::Easy => Some(Level::Medium),
            Level::Medium => Some(Level::Strong),
            Level::Strong => Some(Level::Perfect),
            Level::Perfect => None,
        };
        if let (Some(level), Some(_)) = (stronger, reader.play) {
            let stronger = Reader {
                level,
                ..reader.clone()
            };
            links.push((
                self.read_by(&stronger).game(start, &[], &[]),
                "stronger",
                "",
            ));
        }
        let own: Vec<(&str, &str)> = start.iter().map(|text| ("position", *text)).collect();
        let other = format!("{}/play", self.path);
        let other = self.plain().address(self.explorer, &other, &own);
        links.push((other, "other-level", ""));
        if !self.explorer.in_folder {
            links.push(("#link".into(), "share-game", " data-opens=\"share\""));
        }
        let mut html = String::from("<div class=\"ending\">");
        if !told.is_empty() {
            let _ = write!(html, "<p><strong>{}</strong></p>", escaped(&told.join(" ")));
        }
        html.push_str("<p class=\"actions\">");
        for (number, (address, key, opens)) in links.into_iter().enumerate() {
            let first = if number == 0 { " class=\"first\"" } else { "" };
            let _ = write!(
                html,
                "<a data-tool=\"{key}\"{first}{opens} href=\"{}\">{}</a> ",
                escaped(&address),
                words.text(key)
            );
        }
        html + "</p></div>"
    }

    /// How the game came out for the reader.
    fn outcome(&self, first: bool) -> String {
        let words = self.reader.language;
        let view = self.view;
        let plies = words.plies(view.plies.len() as u32);
        let Some(ending) = &view.ending else {
            return words.with("after-resigned", plies);
        };
        let mover = view.passed[view.at].first_to_move == first;
        let key = match (ending.outcome, mover) {
            (Outcome::Draw, _) => "after-drawn",
            (Outcome::Win, true) | (Outcome::Loss, false) => "after-won",
            (Outcome::Win, false) | (Outcome::Loss, true) => "after-lost",
        };
        words.with(key, plies)
    }

    /// The links that a reader who is to move has in a game: to take the last move back, and to give up.
    pub(super) fn in_game(&self) -> Vec<(&'static str, String, &'static str)> {
        let words = self.reader.language;
        let view = self.view;
        let mut links = Vec::new();
        let open = view.ending.is_none() && !self.reader.resigned && self.reader.puzzle.is_none();
        if view.at != view.plies.len() || !open {
            return links;
        }
        let mut plies = view.plies.iter();
        let mine = plies.rposition(|ply| {
            !ply.is_draw && self.reader.play.is_none_or(|first| ply.by_first == first)
        });
        if let Some(ply) = mine.filter(|_| self.reader.watch || self.reader.play.is_some()) {
            let before = self.played(ply);
            let address = self.game(view.start.as_deref(), &before, &[]);
            links.push(("take-back", address, words.text("take-back")));
        }
        if self.readers_turn() && !view.plies.is_empty() {
            let moves = self.played(view.at);
            let address = self.game(view.start.as_deref(), &moves, &[("resign", "1")]);
            links.push(("resign", address, words.text("resign")));
        }
        links
    }

    fn of_puzzle(&self) -> String {
        let words = self.reader.language;
        if self.missed {
            let before = self.view.plies.len().saturating_sub(1);
            let moves = self.played(before);
            let again = self.game(self.view.start.as_deref(), &moves, &[]);
            // The reply that shows it.
            let told = self.refuted.and_then(|why| {
                let fact = why.facts.first()?;
                Some(fact.said(words, &why.mv.mv))
            });
            return format!(
                "<strong>{}</strong> {} <a data-tool=\"again\" href=\"{}\">{}</a>",
                words.text("puzzle-missed"),
                escaped(&told.unwrap_or_default()),
                escaped(&again),
                words.text("puzzle-again")
            );
        }
        let begun = !self.view.plies.is_empty();
        let key = match (&self.view.ending, begun) {
            (Some(_), _) => "puzzle-solved",
            (None, true) => "puzzle-right",
            (None, false) => "puzzle-task",
        };
        let next = if self.view.ending.is_some() {
            let level = self.reader.puzzle.filter(|level| *level > 0);
            let level = level.map(|level| level.to_string());
            let own: Vec<(&str, &str)> = level.iter().map(|one| ("level", one.as_str())).collect();
            let alike = Reader {
                theme: self.reader.theme,
                ..self.plain()
            };
            let address = alike.address(self.explorer, &format!("{}/puzzle", self.path), &own);
            format!(
                " <a data-tool=\"next\" href=\"{}\">{}</a>",
                escaped(&address),
                words.text("puzzle-next")
            )
        } else {
            String::new()
        };
        format!("{}{next}", escaped(words.text(key)))
    }

    /// The reader outside of any game.
    pub(super) fn plain(&self) -> Reader {
        self.reader.plain()
    }

    /// The link to the next step of a hint, where the reader is to move and values are hidden.
    pub(super) fn hint_link(&self) -> Option<(&'static str, String, &'static str)> {
        let next = self.reader.hint + 1;
        if self.reader.hints || !self.readers_turn() || next > HINTS {
            return None;
        }
        let key = ["hint-1", "hint-2", "hint-3"][self.reader.hint];
        let view = self.view;
        let step = next.to_string();
        let moves = self.played(view.at);
        let address = self.game(view.start.as_deref(), &moves, &[("hint", &step)]);
        Some(("hint", address, self.reader.language.text(key)))
    }
}

/// Leads to the game of a record that was pasted, in any form that a review reads.
pub(super) fn pasted(
    explorer: &Explorer,
    reader: &Reader,
    question: &Question,
    params: &Params,
) -> Result<RouteAnswer, Problem> {
    let text = params
        .text("record")
        .ok_or_else(|| Problem::wrong("record", messages::record_none("b2R a1R")))?;
    let saved = RecordText::read(&text);
    // The record of another game leads there.
    let named = saved.variant.as_deref();
    let name = named
        .filter(|name| explorer.variant(name).is_ok())
        .unwrap_or(&question.name);
    let asked = explorer.variant(name)?;
    let variant = saved.variant(&asked, None).map_err(Problem::from)?;
    let written = saved.moves.replace(',', " ");
    let moves: Vec<&str> = written.split_whitespace().collect();
    let moves = moves.join(",");
    if moves.is_empty() && saved.start.is_none() {
        return Err(Problem::wrong(
            "record",
            "found no moves, expected some such as b2R a1R, or a saved game",
        ));
    }
    let mut own = Vec::new();
    own.extend(saved.start.as_deref().map(|start| ("position", start)));
    if !moves.is_empty() {
        own.push(("moves", moves.as_str()));
    }
    let reader = Reader {
        lights: variant
            .rules()
            .lights
            .filter(|lights| asked.rules().lights != Some(*lights)),
        ..reader.clone()
    };
    Ok(RouteAnswer {
        kind: AnswerKind::Moved,
        body: reader.address(explorer, &format!("/{name}"), &own),
        signature: None,
    })
}
