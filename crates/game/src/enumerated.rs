//! Games whose reachable positions are listed one by one, because an index of all would have great
//! gaps.

use crate::{Figures, Game, Metric, Outcome, Plies, codes};

/// Keys are below two to this power.
pub const KEY_BITS: u32 = 48;

/// A game whose positions have numbers, its *keys*, most of which play never reaches.
pub trait Enumerated: Game {
    /// All keys are below this; `None` where the game has more positions than [`KEY_BITS`] can
    /// number, and then no position has a key.
    fn keys(&self) -> Option<u64>;

    /// Number of positions that play reaches, not up to symmetry: an estimate, rather too large.
    fn expected_positions(&self) -> u128;

    /// The key of a position.
    ///
    /// # Panics
    /// When the game has no keys.
    fn key(&self, position: &Self::Position) -> u64;

    /// The position with a key; `None` when there is none.
    fn at_key(&self, key: u64) -> Option<Self::Position>;
}

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
    use crate::Ending;

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

/// The values of all positions of a game that play reaches, one for each set of symmetric ones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EnumeratedValues {
    metric: Metric,
    keys: Vec<u64>,
    codes: Vec<u16>,
}

impl EnumeratedValues {
    /// Values in a metric: the keys of canonical positions in rising order, and for each its code,
    /// a [`wide_code`] for distances, [`codes::value_code`] for values.
    ///
    /// # Panics
    /// When there are not as many codes as keys, or the metric is another one.
    #[must_use]
    pub fn new(metric: Metric, keys: Vec<u64>, codes: Vec<u16>) -> EnumeratedValues {
        assert_eq!(keys.len(), codes.len());
        assert!(
            matches!(metric, Metric::Value | Metric::Distance),
            "{metric}"
        );
        debug_assert!(keys.is_sorted_by(|a, b| a < b));
        EnumeratedValues {
            metric,
            keys,
            codes,
        }
    }

    /// The metric.
    #[must_use]
    pub fn metric(&self) -> Metric {
        self.metric
    }

    /// The keys of canonical positions, rising.
    #[must_use]
    pub fn keys(&self) -> &[u64] {
        &self.keys
    }

    /// The codes, one for each key.
    #[must_use]
    pub fn codes(&self) -> &[u16] {
        &self.codes
    }

    /// Number of positions, up to symmetry.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.keys.len() as u64
    }

    /// Whether there is no position at all.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    /// The same values in another metric.
    #[must_use]
    pub fn in_metric(self, metric: Metric) -> EnumeratedValues {
        if metric == self.metric {
            return self;
        }
        let convert = |code: &u16| match self.figures_of(*code).value {
            Some(outcome) => u16::from(codes::value_code(outcome)),
            None => u16::MAX,
        };
        let codes = self.codes.iter().map(convert).collect();
        EnumeratedValues::new(metric, self.keys, codes)
    }

    /// What a code means.
    #[must_use]
    pub fn figures_of(&self, code: u16) -> Figures {
        decode(self.metric, code)
    }

    /// The figures of a position, for the player to move; `None` when play does not reach it.
    #[must_use]
    pub fn figures<G: Enumerated>(&self, game: &G, position: &G::Position) -> Option<Figures> {
        let key = game.key(&game.canonical(position));
        let place = self.keys.binary_search(&key).ok()?;
        Some(self.figures_of(self.codes[place]))
    }
}

/// What a code of a metric means.
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
