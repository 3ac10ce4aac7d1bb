//! The text while a game is played: the reply of the program, hints, the judge, puzzles.

use std::fmt::Write;

use greenwave_game::AnyPosition;
use greenwave_picture::escaped;
use greenwave_play::{Fact, HINTS, MoveMark, Theme, idea_of, keeps};
use greenwave_tablebase::Value;

use crate::page::contents::Page;
use crate::page::reader::Reader;
use crate::page::review::idea_of_fault;
use crate::page::written::{has_bag, light, one_of, stop};
use crate::view::{MoveChoice, Ply, forced_move, is_of_strip};

impl Page<'_> {
    /// The text about the last move and the next one.
    pub(super) fn said(&self) -> String {
        let words = self.reader.language;
        let view = self.view;
        let mut said: Vec<String> = Vec::new();
        // Whoever plays without values waits for the program alone.
        let waits = self.reader.hints || self.thinks || !self.readers_turn();
        if let Some(coming) = self.coming.filter(|_| waits) {
            said.extend(
                self.awaited(coming.pending.seconds)
                    .map(|text| escaped(&text)),
            );
        }
        let at_end = view.at == view.plies.len() && !self.reader.solution;
        let last = view
            .plies
            .iter()
            .rfind(|ply| !self.is_quiet(ply))
            .filter(|_| at_end);
        let is_shown = view.ending.is_none() || self.reader.puzzle.is_some();
        if let (Some(first), Some(ply)) = (self.reader.play, last)
            && is_shown
            && !self.reader.resigned
            && ply.by_first != first
        {
            let mut text = self.program_played(ply);
            if self.reader.opinion {
                text.push_str(&format!(" {}", words.text("opinion")));
            }
            said.push(escaped(&text));
        }
        let tried = self.reader.puzzle.is_some() && !self.reader.solution;
        let judged = tried && at_end && !self.is_solved() && !self.found;
        let judged = judged.then(|| self.of_puzzle()).flatten();
        let is_judged = judged.is_some();
        let is_back = tried && at_end && self.is_solved() && view.comes_back();
        let ended = is_back.then(|| escaped(words.text("puzzle-repeated")));
        // A puzzle has one bar: whether the move was right, then the reply.
        if let Some(first) = judged.or(ended) {
            said.insert(0, first);
            said = vec![said.join(" ")];
        }
        // A hint stands where the reader looks, in the place of what was said before it.
        let hint = self.hint.map(|hint| escaped(&self.hint_said(hint)));
        let is_hint = hint.is_some();
        if let Some(hint) = hint {
            let name = words.text("hint-short");
            said = vec![format!("<strong>{name}:</strong> {hint}")];
        }
        // Where nothing was played yet, how one plays.
        let is_own_game = self.reader.puzzle.is_none() && !self.reader.projector;
        if said.is_empty() && is_own_game && self.readers_turn() && self.put.is_none() {
            said.extend(self.how_to_play().map(|text| escaped(&text)));
        }
        // In a game the board stays where it is while nothing is said.
        let is_game = self.reader.play.is_some() && self.reader.puzzle.is_none();
        let plays = is_game && !self.is_over() && !self.is_review();
        let mut html = if plays && said.is_empty() {
            String::from("<p class=\"unsaid\"></p>")
        } else {
            String::new()
        };
        // The focus goes to what a puzzle came to.
        let begun = tried && !view.plies.is_empty();
        let (class, focus) = if is_hint {
            ("said hint", "")
        } else if self.missed {
            ("said wrong", " tabindex=\"-1\" data-result")
        } else if begun && is_judged && self.readers_turn() && self.reader.instead.is_none() {
            ("said right", "")
        } else {
            ("said", "")
        };
        for text in said {
            let _ = write!(html, "<p class=\"{class}\"{focus}>{text}</p>");
        }
        html
    }

    /// The program's move in a sentence.
    fn program_played(&self, ply: &Ply) -> String {
        let words = self.reader.language;
        if ply.is_forced {
            words.text("program-passed").into()
        } else {
            words.with("program-played", self.named_move(&ply.text))
        }
    }

    /// What is still to be done for a move: below the board, which stays where it is.
    pub(super) fn said_below(&self) -> String {
        self.to_take().map_or_else(String::new, |text| {
            format!("<p class=\"said\">{}</p>", escaped(&text))
        })
    }

    /// Why the move of the last hint is the best, beside the board. Letters before a class are too large for it.
    pub(super) fn hint_reason(&self) -> String {
        let told = self.hint.and(self.key_said());
        let told = told.filter(|_| !self.reader.projector);
        told.map_or_else(String::new, |fact| {
            format!("<p class=\"why\">{}</p>", escaped(&fact))
        })
    }

    /// How a puzzle came out, beside the board, and how many were solved.
    pub(super) fn came_out(&self) -> String {
        let told = if self.reader.solution {
            self.solution_line()
        } else if self.found || self.is_solved() && self.view.at == self.view.plies.len() {
            self.lesson()
        } else {
            self.miss_explained()
        };
        if self.is_just_solved() {
            return told;
        }
        told + &self.progress()
    }

    /// Whether the last move of a puzzle is shown, after which the next one comes.
    fn is_just_solved(&self) -> bool {
        let is_here = self.view.at == self.view.plies.len() && !self.reader.solution;
        self.is_solved() && is_here && !self.found && self.reader.instead.is_none()
    }

    /// Why a move misses a puzzle, and the way through the play that refutes it.
    fn miss_explained(&self) -> String {
        let Some(why) = self.refuted else {
            return String::new();
        };
        // The line above the board says one fact, and a better move would give the solution away.
        let said = why.shown();
        let is_left_out = |fact: &Fact| said == Some(fact) || matches!(fact, Fact::Better { .. });
        let mut rest = why.clone();
        rest.facts.retain(|fact| !is_left_out(fact));
        // Without more to say, it says that once more beside its moves.
        if rest.told().next().is_none() {
            rest.facts.extend(said.cloned());
        }
        let plain = self.plain();
        let page = self.read_by(&plain);
        let before = self.view.plies.len() - 1;
        let title = self
            .reader
            .language
            .with("why-fails", self.named_move(&why.mv.mv));
        format!(
            "<div class=\"ending\"><h2>{}</h2>{}<p>{}</p></div>",
            escaped(&title),
            page.told_facts(before, &rest, idea_of_fault(&rest.facts))
                + &page.played_on(before, &why.mv.mv, &why.line()),
            page.played_out(before, why)
        )
    }

    /// Below the heading of a solved puzzle, and of a better move that was found, the ways on.
    pub(super) fn after_puzzle(&self) -> String {
        let words = self.reader.language;
        let mut links = Vec::new();
        if let Some(review) = self.review.filter(|_| self.found) {
            let next = review.next.clone();
            links.extend(next.map(|next| ("next", next, "next-mistake")));
            links.push(("game", review.back.clone(), "back-to-game"));
        } else if self.is_just_solved() {
            links.push(("next", self.next_puzzle(), "puzzle-next"));
        }
        if links.is_empty() {
            return String::new();
        }
        let mut html =
            String::from("<div class=\"ended\" tabindex=\"-1\" data-result><p class=\"actions\">");
        for (number, (tool, address, key)) in links.iter().enumerate() {
            let first = if number == 0 { " class=\"first\"" } else { "" };
            let _ = write!(
                html,
                "<a data-tool=\"{tool}\"{first} href=\"{}\">{}</a> ",
                escaped(address),
                words.text(key)
            );
        }
        html.push_str("</p>");
        if self.is_just_solved() {
            html.push_str(&self.progress());
        }
        html + "</div>"
    }

    /// Whether the page shows the end of a game.
    pub(super) fn is_over(&self) -> bool {
        let plays = self.reader.play.is_some() || self.reader.watch;
        let is_resigned = self.reader.resigned && self.reader.play.is_some();
        plays
            && (self.view.ending.is_some() || is_resigned)
            && self.reader.puzzle.is_none()
            && !self.reader.projector
            && self.view.at == self.view.plies.len()
    }

    /// The text for somebody who does not see the page: the moves that were made, why one misses a puzzle, a
    /// hint, the reasons of a move. None where the heading says enough.
    pub(super) fn spoken(&self) -> Option<String> {
        let words = self.reader.language;
        let view = self.view;
        if self.awaits_reply() {
            return Some(String::new());
        }
        if let Some(why) = self.asked_why() {
            let facts = why.told().map(|fact| self.fact_said(fact, &why.mv.mv));
            let facts: Vec<String> = facts.collect();
            return (!facts.is_empty()).then(|| facts.join(" "));
        }
        let mut said = Vec::new();
        let at_end = view.at == view.plies.len();
        if let Some(text) = self.to_take() {
            return Some(text);
        }
        if let Some(hint) = self.hint_told() {
            said.push(hint);
        } else if self.missed {
            said.push(words.text("puzzle-missed").into());
            said.extend(self.refutation_said());
        } else if let Some(first) = self.reader.play.filter(|_| at_end && !self.reader.resigned) {
            let is_mine = |ply: &Ply| !self.is_quiet(ply) && ply.by_first == first;
            let mine = view.plies.iter().rposition(is_mine);
            for ply in &view.plies[mine.unwrap_or(0)..] {
                let key = match (is_mine(ply), self.is_quiet(ply)) {
                    (true, _) => "you-played",
                    (false, false) => "program-played",
                    (false, true) => continue,
                };
                said.push(words.with(key, self.named_move(&ply.text)));
            }
        }
        (!said.is_empty()).then(|| said.join(" "))
    }

    /// What is still to be done for a move whose counter is on its square.
    fn to_take(&self) -> Option<String> {
        self.put?;
        self.takes_said(self.reader.from.as_deref()?)
    }

    /// How the next move is made: which counters may be taken, or what is pressed for a first move. A turn of steps
    /// says it by itself.
    fn how_to_play(&self) -> Option<String> {
        let words = self.reader.language;
        let of_strip = |choice: &MoveChoice| is_of_strip(&choice.text);
        let key = if self.view.choices.iter().any(of_strip) {
            "how-strip"
        } else {
            "how-square"
        };
        let begins = self.view.plies.is_empty() && !self.is_triangle();
        let pressed = begins.then(|| words.text(key).to_string());
        // What is forced is said above the board.
        let is_forced = self.view.choices.len() == 1;
        self.takes_said("").filter(|_| !is_forced).or(pressed)
    }

    /// Which counters of the market finish a move that is begun.
    fn takes_said(&self, begun: &str) -> Option<String> {
        let words = self.reader.language;
        let choices = self.view.choices.iter();
        let choices = choices.filter(|_| has_bag(&self.question.variant));
        let letters = choices.filter_map(|choice| {
            let taken = choice.text.strip_prefix(begun)?.strip_prefix('+')?;
            light(words, taken.chars().next()?)
        });
        let letters: Vec<String> = letters.map(String::from).collect();
        Some(words.with("take-now", one_of(words, &letters)?))
    }

    /// The reply that shows why a move misses a puzzle.
    fn refutation_said(&self) -> Option<String> {
        let why = self.refuted?;
        let fact = why.shown()?;
        Some(self.fact_said(fact, &why.mv.mv))
    }

    /// The first reason of the best move of a hint or puzzle.
    pub(super) fn key_said(&self) -> Option<String> {
        let why = self.key?;
        let said = self.fact_said(why.told().next()?, &why.mv.mv);
        Some(match idea_of(&why.facts) {
            Some(idea) => format!("{}. {said}", self.reader.language.text(idea)),
            None => said,
        })
    }

    /// What was asked for as a hint; of the last one with the reason, for which letters before a class are too large.
    fn hint_told(&self) -> Option<String> {
        let mut said = self.hint_said(self.hint?);
        if let Some(fact) = self.key_said().filter(|_| !self.reader.projector) {
            said = format!("{said}{} {fact}", stop(&said));
        }
        Some(said)
    }

    /// The mistake that was made here, of which the reader is to find the better one.
    pub(super) fn worse_move(&self) -> Option<&str> {
        let goal = self.goal.filter(|_| self.readers_turn())?;
        let asked = self.reader.instead.as_deref()?;
        let made = goal.moves.iter().find(|mv| mv.mv == asked)?;
        (keeps(goal, made) == Some(false)).then_some(asked)
    }

    /// What that mistake lost.
    fn instead(&self) -> Option<String> {
        let words = self.reader.language;
        let asked = self.worse_move()?;
        let goal = self.goal?;
        let key = match (goal.value, goal.points) {
            (Value::Win, None) => "lost-win",
            (Value::Draw, None) => "lost-draw",
            (Value::Win | Value::Draw | Value::Loss | Value::Unknown, _) => "lost-points",
        };
        let side = if self.reader.instead_by? {
            "better-first"
        } else {
            "better-second"
        };
        let made = self.named_move(asked);
        Some(words.filled(side, &[("mv", &made), ("lost", words.text(key))]))
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
        // A pass that was made by itself is none to take back.
        let is_choice = |at: Option<AnyPosition>| {
            at.is_some_and(|at| forced_move(&self.question.variant, &at).is_none())
        };
        let mut plies = view.plies.iter().zip(&view.passed);
        let mine = plies.rposition(|(ply, passed)| {
            let is_own = self.reader.play.is_none_or(|first| ply.by_first == first);
            is_own && is_choice(passed.at)
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

    /// What a puzzle asks, and whether the last move was right; nothing where the heading says it.
    fn of_puzzle(&self) -> Option<String> {
        let words = self.reader.language;
        if self.missed {
            return Some(format!(
                "<strong>{}</strong> {}",
                words.text("puzzle-missed"),
                escaped(&self.refutation_said().unwrap_or_default()),
            ));
        }
        let begun = !self.view.plies.is_empty();
        if self.reader.instead.is_some() {
            return self.instead().map(|said| escaped(&said));
        }
        let key = match (&self.view.ending, begun) {
            (Some(_), _) => "puzzle-missed",
            (None, true) => self.praise()?,
            (None, false) => "puzzle-task",
        };
        Some(words.text(key).into())
    }

    /// How good the reader's last move was that kept the result; `None` as long as that is not known.
    fn praise(&self) -> Option<&'static str> {
        let own = |ply: &Ply| self.reader.play == Some(ply.by_first) && !ply.is_forced;
        let judged = self.mark_of(self.view.plies.iter().rposition(own)?)?;
        Some(match judged.slower {
            Some(1..) => "puzzle-later",
            Some(0) | None => "puzzle-right",
        })
    }

    /// In a puzzle that was missed, the address at which the reader tries again.
    pub(super) fn again(&self) -> Option<String> {
        let over = self.view.ending.is_some() && self.reader.puzzle.is_some();
        if self.reader.solution {
            return None;
        }
        let before = match (self.missed, over && !self.is_solved()) {
            (true, _) => self.view.plies.len().saturating_sub(1),
            // Before the reader's last move.
            (false, true) => {
                let plies = &self.view.plies;
                let own = |ply: &Ply| ply.by_first == plies[0].by_first;
                plies.iter().rposition(own).unwrap_or(0)
            }
            (false, false) => return None,
        };
        let trying = self.reader.trying_again();
        let page = self.read_by(&trying);
        Some(page.game(self.view.start.as_deref(), &self.played(before), &[]))
    }

    /// What a solved puzzle shows: its theme, why its first move was right, and the line that was played.
    fn lesson(&self) -> String {
        let words = self.reader.language;
        let Some(key) = self.key else {
            return String::new();
        };
        let theme = self.reader.theme.map(|theme| {
            let note = match theme {
                Theme::Fork => "theme-fork-note",
                Theme::Parity => "theme-parity-note",
                Theme::OnlyMoves => "theme-only-moves-note",
                Theme::Strip => "theme-strip-note",
            };
            format!(
                "<p><strong>{}</strong> {}</p>",
                escaped(&words.with("theme-is", words.text(theme.key()))),
                escaped(words.text(note))
            )
        });
        // A better move need not be the only one.
        let is_puzzle = self.reader.puzzle.is_some_and(|level| level > 0);
        let alone = is_puzzle.then(|| format!("<p>{}</p>", escaped(words.text("theme-none-note"))));
        let only = self.only_mark();
        let marked = self.view.plies.iter().enumerate().map(|(number, ply)| {
            let mark = if self.is_only(number) {
                only.as_str()
            } else {
                ""
            };
            (ply.text.as_str(), mark)
        });
        let line = if self.found {
            String::new()
        } else {
            let line = self.linked(0, marked);
            format!("<h2>{}</h2>{line}", words.text("puzzle-line"))
        };
        format!(
            "<div class=\"ending\">{}<h2>{}</h2>{}{}{line}</div>",
            theme.or(alone).unwrap_or_default(),
            words.text("why-ask"),
            self.explained(0, key, 0),
            self.refutations(key),
        )
    }

    /// Whether a ply was the one move that kept the result.
    pub(super) fn is_only(&self, ply: usize) -> bool {
        let judged = self.marks.get(ply).and_then(Option::as_ref);
        judged.is_some_and(|judged| judged.mark == MoveMark::Only)
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
        let key = ["hint-short", "hint-2", "hint-3"][next - 1];
        let view = self.view;
        let step = next.to_string();
        let moves = self.played(view.at);
        let address = self.game(view.start.as_deref(), &moves, &[("hint", &step)]);
        Some(("hint", address, self.reader.language.text(key)))
    }
}
