//! What is published about the starts of games.

use greenwave_game::{Figures, Outcome, Variant};
use greenwave_picture::escaped;
use greenwave_tablebase::{AtlasBoard, PublishedResult};
use greenwave_words::Language;

use crate::page::figures;

/// What is known about the start of a game.
pub(super) struct Start {
    pub(super) figures: Figures,
    /// Whether an expectation is one of points.
    pub(super) scores: bool,
}

impl Start {
    /// What is published about the start of a game.
    pub(super) fn of(variant: &Variant) -> Option<Start> {
        let rules = variant.rules();
        let figures = match PublishedResult::of(rules) {
            Some(row) => row.start,
            None => AtlasBoard::of(rules)?.start(),
        };
        Some(Start {
            figures,
            scores: rules.properties.scores,
        })
    }

    /// Whom the game favours: `first`, `second` or `draw`.
    pub(super) fn favours(&self) -> Option<&'static str> {
        let sign = match (self.figures.odds, self.figures.points) {
            (Some(odds), _) => odds.expectation,
            (None, Some(points)) => f64::from(points),
            (None, None) => match self.figures.value? {
                Outcome::Win => 1.0,
                Outcome::Draw => 0.0,
                Outcome::Loss => -1.0,
            },
        };
        Some(if sign > 0.0 {
            "first"
        } else if sign < 0.0 {
            "second"
        } else {
            "draw"
        })
    }

    /// The points by which the first player wins, and the same without a sign in words; `None` where points do not
    /// decide.
    fn points(&self, words: Language) -> Option<(f64, String)> {
        if let Some(odds) = self.figures.odds {
            let share = odds.expectation;
            let points = words.decimals(&format!("{:.2}", share.abs()));
            return self
                .scores
                .then(|| (share, words.with("points-average", points)));
        }
        let points = self.figures.points?;
        let ahead = words.counted(i64::from(points).abs(), "point", "points");
        Some((f64::from(points), ahead))
    }

    /// What the start comes to, by the names of the players, in few words.
    pub(super) fn outcome(&self, words: Language) -> Option<String> {
        match self.points(words) {
            Some((0.0, _)) => Some(words.text("start-draw").into()),
            Some((by_first, points)) => {
                let key = if by_first > 0.0 {
                    "start-points-first"
                } else {
                    "start-points-second"
                };
                Some(words.with(key, points))
            }
            None => figures::outcome_for(words, &self.figures, self.scores, true),
        }
    }

    /// The same as a sentence; `None` where nothing is known.
    pub(super) fn sentence(&self, words: Language) -> Option<String> {
        let outcome = self.outcome(words)?;
        Some(words.with("if-best", outcome))
    }

    /// The same, or that nothing is known.
    pub(super) fn in_words(&self, words: Language) -> String {
        self.sentence(words)
            .unwrap_or_else(|| words.text("start-unknown").into())
    }
}

/// Whom a game favours, as a badge.
pub(super) fn winner(words: Language, variant: &Variant) -> String {
    let Some(start) = Start::of(variant) else {
        let unknown = escaped(words.text("start-unknown"));
        return format!("<span class=\"tag\">{unknown}</span>");
    };
    let class = match start.favours() {
        Some("first") => "win",
        Some("second") => "loss",
        Some(_) | None => "draw",
    };
    let outcome = start.outcome(words);
    format!(
        "<span class=\"tag {class}\">{}</span>",
        escaped(&outcome.unwrap_or_else(|| words.text("start-unknown").into()))
    )
}
