//! What is said while a game is played: the reply of the program, hints, the judge, puzzles.

use std::fmt::Write;

use greenwave_picture::escaped;
use greenwave_play::{HINTS, Hint, Mark, Standing};
use greenwave_words::Language;

use crate::page::position::Page;
use crate::page::{Reader, figures};

impl Page<'_> {
    /// What there is to say about the last move and the next one.
    pub(super) fn said(&self) -> String {
        let words = self.reader.language;
        let view = self.view;
        let mut said: Vec<String> = Vec::new();
        if let Some(coming) = self.coming {
            said.push(escaped(&words.with("being-solved", coming.seconds)));
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
        if self.reader.watch
            && at_end
            && let Some(Some(mark)) = self.marks.last()
        {
            said.push(escaped(
                &words.with(judged(*mark), last.map_or("", |ply| ply.text.as_str())),
            ));
        }
        if self.reader.puzzle.is_some() && at_end {
            said.push(self.of_puzzle());
        }
        if let (Some(first), Some(_), None, true) =
            (self.reader.play, &view.ending, self.reader.puzzle, at_end)
        {
            said.push(self.after_game(first));
        }
        if let Some(hint) = self.hint {
            said.push(escaped(&self.hint_text(hint)));
        }
        let mut html = String::new();
        for text in said {
            let _ = write!(html, "<p class=\"said\">{text}</p>");
        }
        html
    }

    /// Where a finished game turned against the reader, and the ways on.
    fn after_game(&self, first: bool) -> String {
        let words = self.reader.language;
        let start = self.view.start.as_deref();
        let mut plies = self.view.plies.iter().enumerate();
        let turned = plies.rfind(|(number, ply)| ply.by_first == first && self.is_mistake(*number));
        let mut links: Vec<(String, &str)> = Vec::new();
        let told = match turned {
            Some((number, ply)) => {
                let before = self.played(number);
                links.push((self.game(start, &before, &[]), words.text("again-here")));
                words.with("turned-at", &ply.text)
            }
            None if self.marks.is_empty() => String::new(),
            None => words.text("no-mistake").into(),
        };
        links.push((self.game(start, &[], &[]), words.text("same-game")));
        let other = format!("{}/play", self.path);
        let own: Vec<(&str, &str)> = start.iter().map(|text| ("position", *text)).collect();
        let other = self.plain().address(self.explorer, &other, &own);
        links.push((other, words.text("other-level")));
        let mut html = escaped(&told);
        for (address, text) in links {
            let _ = write!(
                html,
                " <a data-tool=\"on\" href=\"{}\">{}</a>",
                escaped(&address),
                escaped(text)
            );
        }
        html
    }

    fn of_puzzle(&self) -> String {
        let words = self.reader.language;
        if self.missed {
            let before = self.view.plies.len().saturating_sub(1);
            let moves = self.played(before);
            let again = self.game(self.view.start.as_deref(), &moves, &[]);
            return format!(
                "<strong>{}</strong> <a data-tool=\"again\" href=\"{}\">{}</a>",
                words.text("puzzle-missed"),
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
            let address =
                self.plain()
                    .address(self.explorer, &format!("{}/puzzle", self.path), &own);
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

    fn hint_text(&self, hint: &Hint) -> String {
        let words = self.reader.language;
        match hint {
            Hint::Stands(standing) => stands(words, *standing),
            Hint::Places(places) => words.with("hint-places", places.join(", ")),
            Hint::Moves { moves, opinion } => {
                let moves = moves.join(", ");
                words.with(
                    if *opinion {
                        "hint-opinion"
                    } else {
                        "hint-moves"
                    },
                    moves,
                )
            }
        }
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

/// What the judge says of a move.
fn judged(mark: Mark) -> &'static str {
    match mark {
        Mark::Best => "judge-best",
        Mark::Good => "judge-good",
        Mark::Only => "judge-only",
        Mark::Forced => "judge-forced",
        Mark::Mistake => "mistake-note",
        Mark::Unknown => "judge-unknown",
    }
}

fn stands(words: Language, standing: Standing) -> String {
    match standing {
        Standing::Expects(expectation) => words.with("expects", figures::signed_share(expectation)),
        Standing::Points(points) => words.with("comes-out", figures::points(words, points)),
        Standing::Won(1) => words.text("hint-won-one").into(),
        Standing::Won(keeping) => words.with("hint-won", keeping),
        Standing::Drawn(1) => words.text("hint-drawn-one").into(),
        Standing::Drawn(keeping) => words.with("hint-drawn", keeping),
        Standing::Lost => words.text("hint-lost").into(),
        Standing::Unknown => words.text("unknown").into(),
    }
}
