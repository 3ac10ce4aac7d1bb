//! Values of a list of positions, for games whose indices have great gaps.

use greenwave_game::{Figures, Metric, Outcome, Plies};

use crate::codes;

/// Value and distance in 16 bits, ordered from the worst result for the player to move to the best,
/// for games whose distances do not fit into the byte of [`distance_code`](crate::distance_code).
///
/// ```text
/// 0 ..= 32767       lost in that many plies (0: finished and lost)
/// 32768             drawn
/// 32769 ..= 65535   won in 65535 − code plies (65535: finished and won)
/// ```
pub mod wide_code {
    use super::{Outcome, Plies};
    use greenwave_game::Ending;

    /// Code of a drawn position.
    pub const DRAW: u16 = 1 << 15;
    /// Largest distance in plies that the code can hold, won or lost.
    pub const MAX_PLIES: u32 = (1 << 15) - 2;

    /// The code of a value and a distance; the distance counts for wins and losses.
    ///
    /// # Panics
    /// When the distance exceeds [`MAX_PLIES`].
    #[must_use]
    pub fn encode(outcome: Outcome, distance: Plies) -> u16 {
        assert!(distance.0 <= MAX_PLIES, "{distance} are too many");
        let plies = distance.0 as u16;
        match outcome {
            Outcome::Loss => plies,
            Outcome::Draw => DRAW,
            Outcome::Win => u16::MAX - plies,
        }
    }

    /// The code of a finished game.
    #[must_use]
    pub fn of_ending(ending: &Ending) -> u16 {
        encode(ending.outcome, Plies(0))
    }

    /// Value and distance that a code stands for.
    #[must_use]
    pub fn decode(code: u16) -> (Outcome, Option<Plies>) {
        match code {
            0..DRAW => (Outcome::Loss, Some(Plies(u32::from(code)))),
            DRAW => (Outcome::Draw, None),
            _ => (Outcome::Win, Some(Plies(u32::from(u16::MAX - code)))),
        }
    }
}

/// Indices of positions and their codes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    indices: Vec<u64>,
    codes: Vec<u16>,
}

impl Listed {
    /// Indices in rising order, and a code for each.
    ///
    /// # Panics
    /// When there are not as many codes as indices.
    #[must_use]
    pub fn new(indices: Vec<u64>, codes: Vec<u16>) -> Listed {
        assert_eq!(indices.len(), codes.len());
        debug_assert!(indices.is_sorted_by(|a, b| a < b));
        Listed { indices, codes }
    }

    /// The indices, rising.
    #[must_use]
    pub fn indices(&self) -> &[u64] {
        &self.indices
    }

    /// The codes, in the order of the indices.
    #[must_use]
    pub fn codes(&self) -> &[u16] {
        &self.codes
    }

    /// The code of an index; `None` when it is not in the list.
    #[must_use]
    pub fn code(&self, index: u64) -> Option<u16> {
        let place = self.indices.binary_search(&index).ok()?;
        Some(self.codes[place])
    }

    /// The same list with codes of values instead of distances.
    #[must_use]
    pub fn into_values(mut self) -> Listed {
        for code in &mut self.codes {
            *code = codes::value_code(wide_code::decode(*code).0).into();
        }
        self
    }
}

/// What a code of a listed position means: in distances a [`wide_code`], else as everywhere.
#[must_use]
pub fn decode(metric: Metric, code: u16) -> Figures {
    if metric != Metric::Distance {
        return codes::decode(metric, code.into());
    }
    let (outcome, distance) = wide_code::decode(code);
    Figures {
        value: Some(outcome),
        distance,
        ..Figures::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_round_trip_and_are_ordered() {
        let mut last = None;
        for code in 0..=u16::MAX {
            let (outcome, distance) = wide_code::decode(code);
            if distance.is_some_and(|plies| plies.0 > wide_code::MAX_PLIES) {
                continue;
            }
            assert_eq!(
                wide_code::encode(outcome, distance.unwrap_or_default()),
                code
            );
            // Short wins before long ones, draws, then losses, long ones first.
            let plies = distance.map_or(0, |plies| i64::from(plies.0));
            let order = (
                outcome,
                if outcome == Outcome::Win {
                    -plies
                } else {
                    plies
                },
            );
            assert!(last < Some(order), "code {code}");
            last = Some(order);
        }
    }
}
