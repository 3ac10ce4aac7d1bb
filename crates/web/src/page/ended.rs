//! The text after a game: how it came out, what turned it, and the ways on.

use std::fmt::Write;

use greenwave_game::{Luck, Outcome, Turn};
use greenwave_picture::escaped;
use greenwave_play::{FormerValue, Level};
use greenwave_tablebase::Value;

use crate::page::contents::Page;
use crate::page::reader::Reader;
use crate::view::Ply;

impl Page<'_> {
    /// The key of what the last mistake of the reader did to the game.
    fn turned(&self, number: usize, won: bool) -> &'static str {
        let judged = self.mark_of(number);
        match judged.map(|judged| (judged.lost, judged.expectation)) {
            Some((Some(FormerValue::Value(Value::Win)), _)) if won => "let-go",
            Some((Some(FormerValue::Value(Value::Win)), _)) => "was-ahead",
            Some((Some(FormerValue::Value(Value::Draw)), _)) => "was-level",
            Some((Some(FormerValue::Expectation(had)), Some(kept)))
                if had > 0.0 && kept <= 0.0 && !won =>
            {
                "was-favoured"
            }
            // Less of what is counted is not yet a lost game.
            Some(_) | None => "last-mistake",
        }
    }

    /// Above the board, where a finished game turned against the reader, and the ways on.
    pub(super) fn after_game(&self, share: &str) -> String {
        if !self.is_over() {
            return String::new();
        }
        let words = self.reader.language;
        let (reader, view) = (self.reader, self.view);
        let start = view.start.as_deref();
        let won = self.result() == Some(Outcome::Win);
        let mut links: Vec<(String, &str)> = Vec::new();
        let mut told = None;
        // A won position that is given up was lost by nothing else.
        let thrown_away = view.ending.is_none()
            && self
                .answer
                .is_some_and(|answer| answer.value == Value::Win && answer.odds.is_none());
        if thrown_away && reader.play.is_some() {
            let played = self.played(view.at);
            links.push((self.game(start, &played, &[]), "play-on"));
        } else if let Some(first) = reader.play {
            let mut plies = view.plies.iter().enumerate();
            let turned =
                plies.rfind(|(number, ply)| ply.by_first == first && self.is_mistake(*number));
            match turned {
                Some((number, ply)) => {
                    let before = self.played(number);
                    links.push((self.game(start, &before, &[]), "again-here"));
                    let key = self.turned(number, won);
                    let number = self.number_of(number);
                    let fillings = [("mv", &*self.named_move(&ply.text)), ("n", &number)];
                    told = Some(words.filled(key, &fillings));
                }
                None if self.marks.is_empty() => {}
                None => {
                    let longer = self.longer(first).map(|(before, said)| {
                        let before = self.played(before);
                        links.push((self.game(start, &before, &[]), "again-here"));
                        said
                    });
                    let is_lost = self.result() == Some(Outcome::Loss);
                    let is_known = self.points.iter().all(Option::is_some);
                    let key = match self.question.variant.rules().properties.luck {
                        Luck::None if is_lost && is_known => "lost-all-along",
                        Luck::Draws if is_lost && is_known => "lost-by-luck",
                        Luck::None | Luck::Draws => "no-mistake",
                    };
                    told = Some(longer.unwrap_or_else(|| words.text(key).into()));
                }
            }
        }
        let mut all = 0..view.plies.len();
        if let Some(last) = all.rfind(|ply| reader.watch && self.is_mistake(*ply)) {
            links.push((self.game(start, &self.played(last), &[]), "again-here"));
        }
        links.push((self.game(start, &[], &[]), "same-game"));
        let again = |level: Level, hints: bool| {
            let other = Reader {
                level,
                hints,
                ..reader.clone()
            };
            self.read_by(&other).game(start, &[], &[])
        };
        let at_level = |level: Level| again(level, reader.hints);
        let (easier, stronger) = match reader.level {
            Level::Easy => (None, Some(Level::Medium)),
            Level::Medium => (Some(Level::Easy), Some(Level::Strong)),
            Level::Strong => (Some(Level::Medium), Some(Level::Perfect)),
            Level::Perfect => (Some(Level::Strong), None),
        };
        // Who lost or gave up may want less.
        let is_lost = self.result().is_none_or(|result| result == Outcome::Loss);
        let wants_less = is_lost && reader.play.is_some();
        match easier.filter(|_| wants_less) {
            Some(level) => links.push((at_level(level), "easier")),
            None if wants_less && !reader.hints => {
                // What was won is played on first.
                let place = usize::from(thrown_away);
                links.insert(place, (again(reader.level, true), "again-hints"));
            }
            None => {}
        }
        if let (Some(level), Some(_)) = (stronger.filter(|_| !wants_less), reader.play) {
            // Who won wants more.
            let place = if won { 0 } else { links.len() };
            links.insert(place, (at_level(level), "stronger"));
        } else {
            let own: Vec<(&str, &str)> = start.iter().map(|text| ("position", *text)).collect();
            let other = format!("{}/play", self.path);
            let other = self.plain().address(self.explorer, &other, &own);
            links.push((other, "other-level"));
        }
        let mut html = String::from("<div class=\"ended\" tabindex=\"-1\" data-result>");
        if let Some(told) = told {
            let _ = write!(html, "<p class=\"summary\">{}</p>", escaped(&told));
        }
        html.push_str("<div class=\"actions\">");
        for (number, (address, key)) in links.into_iter().enumerate() {
            let first = if number == 0 { " class=\"first\"" } else { "" };
            let _ = write!(
                html,
                "<a data-tool=\"{key}\"{first} href=\"{}\">{}</a> ",
                escaped(&address),
                words.text(key)
            );
        }
        format!("{html}{share}</div></div>")
    }

    /// How the game came out for the reader, and after how many moves of theirs.
    pub(super) fn outcome(&self) -> Option<String> {
        let key = match self.result()? {
            Outcome::Draw => "after-drawn",
            Outcome::Win => "after-won",
            Outcome::Loss => "after-lost",
        };
        let words = self.reader.language;
        let made = self.view.plies.iter().take(self.view.at);
        let own = |ply: &&Ply| !ply.is_draw && self.reader.play == Some(ply.by_first);
        let own = made.filter(own).count() as i64;
        let properties = &self.question.variant.rules().properties;
        // A turn has several steps, or chance draws between the moves.
        let has_steps = properties.turn == Turn::Runs && properties.luck == Luck::None;
        let plies = self.view.plies_made(self.view.at);
        let length = if has_steps {
            words.counted(plies as i64, "own-step", "own-steps")
        } else if own > 0 {
            words.counted(own, "own-move", "own-moves")
        } else {
            words.plies(plies as u32)
        };
        // Of a game that begins where it ends, nobody has made a ply.
        (plies > 0).then(|| words.with(key, length))
    }

    /// The move with which a reader who was lost would have held out longest, compared with the one made: after how
    /// many plies, and in a sentence.
    fn longer(&self, first: bool) -> Option<(usize, String)> {
        let words = self.reader.language;
        if self.result() != Some(Outcome::Loss) {
            return None;
        }
        let plies = self.view.plies.iter().zip(self.marks).enumerate();
        let mine = plies.filter(|(_, (ply, _))| ply.by_first == first);
        let judged =
            mine.filter_map(|(number, (ply, judged))| Some((number, ply, judged.as_ref()?)));
        let (number, made, most) = judged.max_by_key(|(_, _, judged)| judged.longer)?;
        let longer = words.length(most.longer.filter(|plies| *plies > 0)?);
        let fillings = [
            ("mv", self.named_move(most.best.as_deref()?)),
            ("made", self.named_move(&made.text)),
            ("ply", self.number_of(number)),
            ("n", longer),
        ];
        let fillings = fillings.each_ref().map(|(key, text)| (*key, text.as_str()));
        Some((number, words.filled("longer-was", &fillings)))
    }
}
