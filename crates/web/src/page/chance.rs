//! A position before a draw of chance: what the game comes to, as far as that is known.

use greenwave_game::{Figures, Odds};
use greenwave_picture::escaped;
use greenwave_tablebase::Answer;

use crate::page::contents::Page;
use crate::page::figures;
use crate::page::notices::{moves_follow, wait};

impl Page<'_> {
    /// The odds of the player who moves after chance has drawn.
    fn odds_before_draw(&self) -> Option<Odds> {
        let choices = self.view.choices.iter();
        let all: u32 = choices.clone().map(|choice| choice.weight).sum();
        let mut mean = Odds {
            win: 0.0,
            draw: 0.0,
            loss: 0.0,
            expectation: 0.0,
        };
        for (number, choice) in choices.enumerate() {
            let odds = self.draws.get(number)?.as_ref()?.odds?;
            let share = f64::from(choice.weight) / f64::from(all.max(1));
            mean.win += share * odds.win;
            mean.draw += share * odds.draw;
            mean.loss += share * odds.loss;
            mean.expectation += share * odds.expectation;
        }
        self.view.chance.then_some(mean)
    }

    /// What the game comes to before chance draws, as far as it is told and known.
    pub(super) fn before_draw(&self) -> Option<String> {
        let is_told = self.reader.hints || self.reader.notice.is_some();
        if !self.view.chance || !is_told {
            return None;
        }
        let words = self.reader.language;
        let scores = self.question.variant.rules().properties.scores;
        let known = self.odds_before_draw().zip(self.first_moves());
        let known = known.map(|(odds, first)| {
            let of_first = if first { odds } else { odds.turned() };
            let said = figures::outlook(words, &of_first, scores);
            words.with("if-best", said)
        });
        known
            .or_else(|| Some(self.published_start()?.in_words(words)))
            .or_else(|| {
                self.is_open_draw()
                    .then(|| words.text("chance-open").into())
            })
    }

    /// Whether a draw comes after which nothing is known, and nothing more will be.
    pub(super) fn is_open_draw(&self) -> bool {
        let is_told = self.reader.hints || self.reader.notice.is_some();
        let is_open = self.view.chance && is_told && !self.follows();
        is_open && self.odds_before_draw().is_none() && self.published_start().is_none()
    }

    /// Whether a value stands anywhere on the page, or will.
    pub(super) fn shows_values(&self) -> bool {
        if self.view.chance {
            return !self.is_open_draw();
        }
        let is_known = |answer: &Answer| {
            let moves = answer.moves.iter();
            let mut figures = moves.map(|mv| mv.figures());
            figures::is_known(&answer.figures()) || figures.any(|one| figures::is_known(&one))
        };
        let waits = self.follows() || self.published_start().is_some();
        waits || self.answer.is_none_or(is_known)
    }

    /// What is still being worked out, and how long that takes; `None` where the position and its moves have values.
    pub(super) fn awaited(&self, seconds: u32) -> Option<String> {
        let words = self.reader.language;
        let is_known = |figures: Option<Figures>| figures.as_ref().is_some_and(figures::is_known);
        let (result, moves) = if self.view.chance {
            let is_told = self.before_draw().is_some() && !self.is_open_draw();
            (is_told, !self.draws.is_empty())
        } else {
            let answer = self.answer;
            let mut all = answer.iter().flat_map(|answer| &answer.moves);
            let figures = answer.map(|answer| answer.figures());
            (
                is_known(figures),
                all.all(|mv| is_known(Some(mv.figures()))),
            )
        };
        match (result, moves) {
            (true, true) => None,
            (true, false) => Some(moves_follow(words, seconds)),
            (false, _) => Some(wait(words, seconds)),
        }
    }

    /// How many games are won, drawn and lost from here, as a bar and in words.
    pub(super) fn shares(&self) -> String {
        let words = self.reader.language;
        let answered = self.answer.filter(|answer| !answer.terminal);
        let (odds, mover) = match answered.and_then(|answer| answer.odds) {
            Some(odds) => (odds, None),
            None => match self.odds_before_draw() {
                Some(odds) => (odds, self.first_moves()),
                None => return String::new(),
            },
        };
        let said = escaped(&figures::shares(words, &odds, mover));
        format!(
            "<p class=\"of-shares\">{} {said}</p>",
            figures::shares_bar(&odds, None)
        )
    }
}
