//! Values as small integers, one for every index.

use greenwave_game::{Ending, Figures, Metric, Outcome};

use crate::{Listed, distance_code, listed};

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

/// Code of a finished game in a metric.
///
/// # Panics
/// For odds, which are no integers.
#[must_use]
pub fn ended_code(metric: Metric, ending: &Ending) -> i32 {
    match metric {
        Metric::Value => value_code(ending.outcome).into(),
        Metric::Distance => distance_code::of_ending(ending).into(),
        Metric::Points => ending.points,
        Metric::Nimber => 0,
        Metric::Odds => unreachable!("odds have no integer codes"),
    }
}

/// Code of a position with a winning move at hand in a metric that packs
/// [`Packing::Undecided`](greenwave_game::Packing::Undecided) positions.
#[must_use]
pub fn won_at_once_code(metric: Metric) -> i32 {
    match metric {
        Metric::Distance => distance_code::from_worst_child(distance_code::LOST).into(),
        _ => value_code(Outcome::Win).into(),
    }
}

/// The codes of all indices.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Codes {
    /// One byte each, unsigned.
    Bytes(Vec<u8>),
    /// Two bytes each, two's complement.
    Words(Vec<i16>),
    /// Those of the positions that play reaches, which are listed.
    Listed(Listed),
}

/// The values of a whole game in one metric. Unless positions are listed, indices that are no legal
/// position have an arbitrary code.
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

    /// Number of codes.
    #[must_use]
    pub fn len(&self) -> u64 {
        match &self.codes {
            Codes::Bytes(codes) => codes.len() as u64,
            Codes::Words(codes) => codes.len() as u64,
            Codes::Listed(listed) => listed.indices().len() as u64,
        }
    }

    /// Whether there is no index at all.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The listed positions, where positions are listed.
    #[must_use]
    pub fn listed(&self) -> Option<&Listed> {
        match &self.codes {
            Codes::Listed(listed) => Some(listed),
            Codes::Bytes(_) | Codes::Words(_) => None,
        }
    }

    /// The code of an index.
    ///
    /// # Panics
    /// When the index is out of range or not listed.
    #[must_use]
    pub fn code(&self, index: u64) -> i32 {
        match &self.codes {
            Codes::Bytes(codes) => i32::from(codes[index as usize]),
            Codes::Words(codes) => i32::from(codes[index as usize]),
            Codes::Listed(listed) => match listed.code(index) {
                Some(code) => i32::from(code),
                None => panic!("index {index} is not listed"),
            },
        }
    }

    /// The figures of an index, for the player to move; none where positions are listed and this one
    /// is not.
    #[must_use]
    pub fn figures(&self, index: u64) -> Figures {
        if let Codes::Listed(listed) = &self.codes {
            let code = listed.code(index);
            return code.map_or_else(Figures::default, |code| listed::decode(self.metric, code));
        }
        decode(self.metric, self.code(index))
    }
}
