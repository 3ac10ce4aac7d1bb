//! Values as small integers, one for every index.

use crate::{Figures, Metric, Outcome, Outcomes, Plies, Rules, distance_code};

/// How the codes of a metric are to be read.
///
/// | metric | code |
/// | --- | --- |
/// | value | 0 win, 1 loss, 2 draw |
/// | distance | [`distance_code`] |
/// | points | the points, two's complement |
/// | nimber | the Grundy value |
#[must_use]
pub fn decode(metric: Metric, code: i32) -> Figures {
    match metric {
        Metric::Value => {
            let value = [Outcome::Win, Outcome::Loss, Outcome::Draw]
                .get(code as usize)
                .copied();
            Figures {
                value,
                ..Figures::default()
            }
        }
        Metric::Distance => match u8::try_from(code) {
            Ok(code) => distance_code::figures(code),
            Err(_) => Figures::default(),
        },
        Metric::Points => Figures {
            value: Some(Outcome::of_points(code)),
            points: Some(code),
            ..Figures::default()
        },
        Metric::Nimber => Figures {
            nimber: u32::try_from(code).ok(),
            ..Figures::default()
        },
        Metric::Odds => Figures::default(),
    }
}

/// Code of the value metric.
#[must_use]
pub fn value_code(outcome: Outcome) -> u8 {
    match outcome {
        Outcome::Win => 0,
        Outcome::Loss => 1,
        Outcome::Draw => 2,
    }
}

/// The figures of a metric for a finished game.
#[must_use]
pub fn ended_figures(rules: &Rules, metric: Metric, ending: &crate::Ending) -> Figures {
    match metric {
        Metric::Value => Figures {
            value: Some(ending.outcome),
            ..Figures::default()
        },
        Metric::Distance => distance_code::figures(distance_code::of_ending(ending)),
        Metric::Points => decode(metric, ending.points),
        Metric::Nimber => Figures {
            nimber: Some(0),
            ..Figures::default()
        },
        Metric::Odds => {
            let chance = |outcome| f64::from(u8::from(ending.outcome == outcome));
            let scored = rules.properties.outcomes == Outcomes::Points;
            let (win, loss) = (chance(Outcome::Win), chance(Outcome::Loss));
            let expectation = if scored {
                f64::from(ending.points)
            } else {
                win - loss
            };
            let odds = crate::Odds {
                win,
                draw: chance(Outcome::Draw),
                loss,
                expectation,
            };
            Figures {
                odds: Some(odds),
                ..Figures::default()
            }
        }
    }
}

/// The figures of a metric for a position with a winning move at hand.
#[must_use]
pub fn won_at_once_figures(metric: Metric) -> Figures {
    Figures {
        value: Some(Outcome::Win),
        distance: (metric == Metric::Distance).then_some(Plies(1)),
        ..Figures::default()
    }
}

/// The codes of all indices.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Codes {
    /// One byte each, unsigned.
    Bytes(Vec<u8>),
    /// Two bytes each, two's complement.
    Words(Vec<i16>),
}

/// The values of a whole dense game in one metric; indices that are no legal position have an
/// arbitrary code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DenseValues {
    metric: Metric,
    codes: Codes,
}

impl DenseValues {
    /// Values in a metric, by index.
    #[must_use]
    pub fn new(metric: Metric, codes: Codes) -> DenseValues {
        DenseValues { metric, codes }
    }

    /// The metric.
    #[must_use]
    pub fn metric(&self) -> Metric {
        self.metric
    }

    /// Number of indices.
    #[must_use]
    pub fn len(&self) -> u64 {
        match &self.codes {
            Codes::Bytes(codes) => codes.len() as u64,
            Codes::Words(codes) => codes.len() as u64,
        }
    }

    /// Whether there is no index at all.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The code of an index.
    ///
    /// # Panics
    /// When the index is out of range.
    #[must_use]
    pub fn code(&self, index: u64) -> i32 {
        match &self.codes {
            Codes::Bytes(codes) => i32::from(codes[index as usize]),
            Codes::Words(codes) => i32::from(codes[index as usize]),
        }
    }

    /// The figures of an index, for the player to move.
    #[must_use]
    pub fn figures(&self, index: u64) -> Figures {
        decode(self.metric, self.code(index))
    }
}
