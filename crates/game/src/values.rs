//! Outcomes, distances, metrics and figures. Everything is from the point of view of the player to move.

use std::fmt;
use std::str::FromStr;

use crate::words::plural;

/// Result of a position under best play, for the player to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Outcome {
    /// The player to move loses.
    Loss,
    /// Neither player can force a win.
    Draw,
    /// The player to move wins.
    Win,
}

impl Outcome {
    /// The same result seen by the other player.
    #[must_use]
    pub fn negated(self) -> Outcome {
        match self {
            Outcome::Loss => Outcome::Win,
            Outcome::Draw => Outcome::Draw,
            Outcome::Win => Outcome::Loss,
        }
    }

    /// The sign of a number of points.
    #[must_use]
    pub fn of_points(points: i32) -> Outcome {
        match points.signum() {
            -1 => Outcome::Loss,
            0 => Outcome::Draw,
            _ => Outcome::Win,
        }
    }

    /// `win`, `draw` or `loss`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Outcome::Loss => "loss",
            Outcome::Draw => "draw",
            Outcome::Win => "win",
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A number of plies: one player's moves, the only unit of distance.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Plies(pub u32);

impl fmt::Display for Plies {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.0, plural(self.0, "ply", "plies"))
    }
}

/// How a finished game ended, for the player who would be to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ending {
    /// Won, drawn or lost for the player to move.
    pub outcome: Outcome,
    /// Points still to be counted for the player to move; 0 in games without points.
    pub points: i32,
}

/// What a table stores about each position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Metric {
    /// Win, draw or loss.
    Value,
    /// Plies to the end when the winner hurries and the loser delays.
    Distance,
    /// Own minus opponent's points still to come.
    Points,
    /// Probabilities of win, draw and loss, and the expectation, in games with chance.
    Odds,
    /// Grundy value: the nim-heap that the position equals as a sum component.
    Nimber,
}

impl Metric {
    /// All metrics, in the order in which they are listed and solved.
    pub const ALL: [Metric; 5] = [
        Metric::Value,
        Metric::Distance,
        Metric::Points,
        Metric::Odds,
        Metric::Nimber,
    ];

    /// The name used in options, file names and JSON.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Metric::Value => "value",
            Metric::Distance => "distance",
            Metric::Points => "points",
            Metric::Odds => "odds",
            Metric::Nimber => "nimber",
        }
    }
}

impl fmt::Display for Metric {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Metric {
    type Err = String;

    fn from_str(text: &str) -> Result<Metric, String> {
        Metric::ALL
            .into_iter()
            .find(|metric| metric.name() == text)
            .ok_or_else(|| {
                format!("unknown metric '{text}': expected value, distance, points, odds or nimber")
            })
    }
}

/// Probabilities of the three results and the expectation, for the player to move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Odds {
    /// Probability of winning, 0 to 1.
    pub win: f64,
    /// Probability of a draw, 0 to 1.
    pub draw: f64,
    /// Probability of losing, 0 to 1.
    pub loss: f64,
    /// What best play maximises: P(win) − P(loss), or expected points.
    pub expectation: f64,
}

impl Odds {
    /// The same odds seen by the other player.
    #[must_use]
    pub fn turned(self) -> Odds {
        Odds {
            win: self.loss,
            loss: self.win,
            expectation: -self.expectation,
            ..self
        }
    }
}

/// What is known about one position, for the player to move; `None` where it is not known or does
/// not apply.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Figures {
    /// Win, draw or loss.
    pub value: Option<Outcome>,
    /// Plies to the end; none for draws and in scored games.
    pub distance: Option<Plies>,
    /// Own minus opponent's points still to come.
    pub points: Option<i32>,
    /// Probabilities and expectation.
    pub odds: Option<Odds>,
    /// Grundy value.
    pub nimber: Option<u32>,
}

impl Figures {
    /// A value with distance or points, and nothing else.
    #[must_use]
    pub fn of(value: Option<Outcome>, distance: Option<Plies>, points: Option<i32>) -> Figures {
        Figures {
            value,
            distance,
            points,
            ..Figures::default()
        }
    }

    /// The value of a move for the player who makes it, if these are the figures of the position
    /// after it. The distance counts the move; the nimber stays that of the position.
    #[must_use]
    pub fn after_move(self, gain: i32, keeps_turn: bool) -> Figures {
        let points = self
            .points
            .map(|points| gain + if keeps_turn { points } else { -points });
        let turned = |outcome: Outcome| {
            if keeps_turn {
                outcome
            } else {
                outcome.negated()
            }
        };
        Figures {
            value: points.map(Outcome::of_points).or(self.value.map(turned)),
            distance: self.distance.map(|plies| Plies(plies.0 + 1)),
            points,
            odds: self
                .odds
                .map(|odds| if keeps_turn { odds } else { odds.turned() }),
            nimber: self.nimber,
        }
    }

    /// Takes from `other` whatever is not known here.
    #[must_use]
    pub fn or(self, other: Figures) -> Figures {
        Figures {
            value: self.value.or(other.value),
            distance: self.distance.or(other.distance),
            points: self.points.or(other.points),
            odds: self.odds.or(other.odds),
            nimber: self.nimber.or(other.nimber),
        }
    }
}
