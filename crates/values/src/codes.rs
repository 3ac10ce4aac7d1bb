//! Values as small integers, and what a finished game is worth.
//!
//! ```text
//! metric     code
//! value      0 win, 1 loss, 2 draw
//! distance   a code of plies, of eight bits where positions are numbered by index
//! points     the points, two's complement
//! nimber     the Grundy value
//! ```
//!
//! The codes of plies are those of [`PlyCode`].

use greenwave_game::{Ending, Figures, Metric, Odds, Outcome, Plies, Rules};

/// Value and distance as one number of a few bits, ordered from the worst result for the player to
/// move to the best. With eight bits:
///
/// ```text
/// 0 ..= 127     lost in that many plies (0: finished and lost)
/// 128           drawn
/// 129 ..= 255   won in 255 − code plies (255: finished and won)
/// ```
///
/// [`distance_code`] is the code of eight bits, [`wide_code`] that of sixteen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlyCode {
    bits: u32,
}

impl PlyCode {
    /// The code in a byte, of kernels and of values that are numbered by index.
    pub const BYTE: PlyCode = PlyCode { bits: 8 };
    /// The code in sixteen bits, of lists.
    pub const WORD: PlyCode = PlyCode { bits: 16 };

    /// Code of a drawn position.
    #[must_use]
    pub const fn draw(self) -> u32 {
        1 << (self.bits - 1)
    }

    /// Code of a finished game that the player to move has won, the greatest.
    #[must_use]
    pub const fn won(self) -> u32 {
        (1 << self.bits) - 1
    }

    /// Largest distance in plies that the code can hold, won or lost.
    #[must_use]
    pub const fn max_plies(self) -> u32 {
        self.draw() - 2
    }

    /// The code of a value and a distance, which counts for wins and losses; `None` where the
    /// distance exceeds [`PlyCode::max_plies`].
    #[must_use]
    pub fn encode(self, outcome: Outcome, distance: Plies) -> Option<u32> {
        let fits = distance.0 <= self.max_plies();
        match outcome {
            Outcome::Draw => Some(self.draw()),
            Outcome::Loss => fits.then_some(distance.0),
            Outcome::Win => fits.then(|| self.won() - distance.0),
        }
    }

    /// Value and distance that a code stands for.
    #[must_use]
    pub const fn decode(self, code: u32) -> (Outcome, Option<Plies>) {
        if code < self.draw() {
            (Outcome::Loss, Some(Plies(code)))
        } else if code == self.draw() {
            (Outcome::Draw, None)
        } else {
            (Outcome::Win, Some(Plies(self.won() - code)))
        }
    }

    /// The code of a position, given the smallest code among its children (of the opponent, who
    /// moves there): negation and one more ply.
    #[must_use]
    pub const fn from_worst_child(self, least: u32) -> u32 {
        if least < self.draw() {
            self.won() - 1 - least
        } else if least == self.draw() {
            least
        } else {
            self.won() + 1 - least
        }
    }

    /// The meaning of a code of a metric.
    #[must_use]
    pub fn figures(self, metric: Metric, code: i32) -> Figures {
        match metric {
            Metric::Value => Figures {
                value: [Outcome::Win, Outcome::Loss, Outcome::Draw]
                    .get(code as usize)
                    .copied(),
                ..Figures::default()
            },
            Metric::Distance => match u32::try_from(code) {
                Ok(code) if code <= self.won() => {
                    let (outcome, distance) = self.decode(code);
                    Figures::of(Some(outcome), distance, None)
                }
                _ => Figures::default(),
            },
            Metric::Points => Figures::of(Some(Outcome::of_points(code)), None, Some(code)),
            Metric::Nimber => Figures {
                nimber: u32::try_from(code).ok(),
                ..Figures::default()
            },
            Metric::Odds => Figures::default(),
        }
    }
}

/// The [`PlyCode`] of a byte.
pub mod distance_code {
    use super::{Outcome, Plies, PlyCode};

    /// Code of a drawn position.
    pub const DRAW: u8 = PlyCode::BYTE.draw() as u8;
    /// Code of a finished game that the player to move has lost.
    pub const LOST: u8 = 0;
    /// Code of a finished game that the player to move has won.
    pub const WON: u8 = PlyCode::BYTE.won() as u8;
    /// Largest distance in plies that the byte can hold.
    pub const MAX_PLIES: u32 = PlyCode::BYTE.max_plies();

    /// [`PlyCode::from_worst_child`].
    #[must_use]
    pub fn from_worst_child(least: u8) -> u8 {
        PlyCode::BYTE.from_worst_child(least.into()) as u8
    }

    /// [`PlyCode::decode`].
    #[must_use]
    pub fn decode(code: u8) -> (Outcome, Option<Plies>) {
        PlyCode::BYTE.decode(code.into())
    }
}

/// The [`PlyCode`] of sixteen bits, for games whose distances do not fit into a byte.
pub mod wide_code {
    use super::{Outcome, Plies, PlyCode};

    /// Code of a drawn position.
    pub const DRAW: u16 = PlyCode::WORD.draw() as u16;
    /// Largest distance in plies that the code can hold, won or lost.
    pub const MAX_PLIES: u32 = PlyCode::WORD.max_plies();

    /// [`PlyCode::encode`].
    ///
    /// # Panics
    /// When the distance exceeds [`MAX_PLIES`].
    #[must_use]
    pub fn encode(outcome: Outcome, distance: Plies) -> u16 {
        match PlyCode::WORD.encode(outcome, distance) {
            Some(code) => code as u16,
            None => panic!("{distance} are too many"),
        }
    }

    /// [`PlyCode::decode`].
    #[must_use]
    pub fn decode(code: u16) -> (Outcome, Option<Plies>) {
        PlyCode::WORD.decode(code.into())
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

/// The meaning of a code of a metric, in a byte where it is a distance.
#[must_use]
pub fn decode(metric: Metric, code: i32) -> Figures {
    PlyCode::BYTE.figures(metric, code)
}

/// The value of a finished game in a metric, for the player who would be to move.
#[must_use]
pub fn ended(metric: Metric, ending: &Ending) -> Figures {
    match metric {
        Metric::Odds => {
            let odds = Odds::of_ending(ending);
            Figures {
                value: Some(odds.outcome()),
                odds: Some(odds),
                ..Figures::default()
            }
        }
        Metric::Value | Metric::Distance | Metric::Points | Metric::Nimber => {
            decode(metric, ended_code(metric, ending))
        }
    }
}

/// The value of a finished game in the metrics that follow from its ending alone.
#[must_use]
pub fn ended_by_rules(rules: &Rules, ending: &Ending) -> Figures {
    let told = |metric: &&Metric| matches!(metric, Metric::Distance | Metric::Points);
    let value = ended(Metric::Value, ending);
    let metrics = rules.metrics.iter().filter(told);
    metrics.fold(value, |known, metric| known.or(ended(*metric, ending)))
}

/// The code of a finished game in a metric, in a byte where it is a distance.
///
/// # Panics
/// For odds, which are no integers.
#[must_use]
pub fn ended_code(metric: Metric, ending: &Ending) -> i32 {
    match metric {
        Metric::Value => value_code(ending.outcome).into(),
        Metric::Distance => match ending.outcome {
            Outcome::Loss => distance_code::LOST.into(),
            Outcome::Draw => distance_code::DRAW.into(),
            Outcome::Win => distance_code::WON.into(),
        },
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
        Metric::Value | Metric::Points | Metric::Odds | Metric::Nimber => {
            value_code(Outcome::Win).into()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_step_negates_and_adds_a_ply() {
        for code in [PlyCode::BYTE, PlyCode::WORD] {
            for here in 0..=code.won() {
                let (outcome, plies) = code.decode(here);
                if plies.is_some_and(|plies| plies.0 >= code.max_plies()) {
                    continue; // one ply more would pass the greatest number of plies
                }
                let (up, up_plies) = code.decode(code.from_worst_child(here));
                assert_eq!(up, outcome.negated(), "code {here}");
                let more = plies.map(|plies| Plies(plies.0 + 1));
                assert_eq!(up_plies, more, "code {here}");
            }
        }
    }

    #[test]
    fn codes_round_trip_and_are_ordered() {
        for width in [PlyCode::BYTE, PlyCode::WORD] {
            let mut last = None;
            for code in 0..=width.won() {
                let (outcome, distance) = width.decode(code);
                if distance.is_some_and(|plies| plies.0 > width.max_plies()) {
                    continue;
                }
                let again = width.encode(outcome, distance.unwrap_or_default());
                assert_eq!(again, Some(code));
                // Short wins before long ones, draws, then losses, long ones first.
                let plies = distance.map_or(0, |plies| i64::from(plies.0));
                let towards = if outcome == Outcome::Win {
                    -plies
                } else {
                    plies
                };
                let order = (outcome, towards);
                assert!(last < Some(order), "code {code}");
                last = Some(order);
            }
        }
        assert_eq!(PlyCode::BYTE.encode(Outcome::Win, Plies(127)), None);
    }

    #[test]
    fn a_finished_game_is_worth_the_same_in_every_metric() {
        for outcome in [Outcome::Win, Outcome::Draw, Outcome::Loss] {
            let points = match outcome {
                Outcome::Win => 3,
                Outcome::Draw => 0,
                Outcome::Loss => -3,
            };
            let ending = Ending { outcome, points };
            for metric in [
                Metric::Value,
                Metric::Distance,
                Metric::Points,
                Metric::Odds,
            ] {
                assert_eq!(ended(metric, &ending).value, Some(outcome), "{metric}");
            }
            let decided = (outcome != Outcome::Draw).then_some(Plies(0));
            assert_eq!(ended(Metric::Distance, &ending).distance, decided);
        }
    }
}
