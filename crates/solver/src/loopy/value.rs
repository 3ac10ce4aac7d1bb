//! Values of positions where play can continue for ever.

use greenwave_game::{Ending, Metric, Outcome};
use greenwave_values::{codes::value_code, distance_code};

/// A distance beyond what the codes of a table can hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct LongPlay;

/// Worth of a position to the player to move, of which the greatest is best.
///
/// Four things must hold. A move never adds to the strength. The worth of a move that hands the
/// turn over falls as the worth of the position that it leads to rises, and one that keeps the turn
/// rises with it. A value that is better than [`PositionWorth::ENDLESS`] for one player is worse for the
/// other. Of the values on one side of it, the stronger are the further away. Nothing is weaker
/// than [`PositionWorth::ENDLESS`].
pub trait PositionWorth: Copy + Ord + Send + Sync {
    /// How much is at stake, the same for both players: a near end more than a far one, many points
    /// more than few.
    type Strength: Copy + Ord + Send;

    /// Endless play.
    const ENDLESS: Self;

    /// The worth of a move to the player who makes it, from that of the position that it leads to.
    fn of_move(self, keeps_turn: bool) -> Self;

    /// How much is at stake.
    fn strength(self) -> Self::Strength;
}

/// A value that the engine keeps for every index, in two bytes.
pub(super) trait StoredWorth: PositionWorth {
    /// The value of a finished game.
    fn ended(ending: &Ending) -> Self;

    /// The value of a position with a winning move at hand, where the rules alone find such
    /// positions.
    fn won_at_once() -> Self;

    /// The worth of a move that scores points at once.
    fn with_gain(self, gain: i32) -> Self;

    /// Two bytes, never `i16::MIN`.
    fn pack(self) -> i16;

    /// What [`StoredWorth::pack`] packed.
    fn unpack(packed: i16) -> Self;

    /// Whether two bytes can be what [`StoredWorth::pack`] packed, far from where a ply or points leave them.
    fn can_be(packed: i16) -> bool;

    /// Whether play goes on for ever here: a draw that does not come from an end without a winner.
    fn is_endless(self) -> bool;

    /// The code of a metric.
    fn code(self, metric: Metric) -> Result<i32, LongPlay>;
}

/// Win, draw or loss with the plies to the end.
///
/// ```text
/// DECIDED − d    won in d plies           1   drawn by endless play
/// d − DECIDED    lost in d plies          0   drawn by an end without a winner
/// ```
///
/// Where both kinds of draw are to be had, play is called endless: it need not come to an end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct DistanceValue(i16);

impl DistanceValue {
    const DECIDED: i16 = 32_000;
    const DRAWN: DistanceValue = DistanceValue(0);

    fn plies(self) -> u32 {
        u32::from((DistanceValue::DECIDED - self.0.abs()).unsigned_abs())
    }

    fn outcome(self) -> Outcome {
        match self.0 {
            ..0 => Outcome::Loss,
            0 | 1 => Outcome::Draw,
            _ => Outcome::Win,
        }
    }
}

impl PositionWorth for DistanceValue {
    type Strength = i16;

    const ENDLESS: DistanceValue = DistanceValue(1);

    fn of_move(self, keeps_turn: bool) -> DistanceValue {
        if self.outcome() == Outcome::Draw {
            return self;
        }
        let later = self.0 - self.0.signum();
        assert!(
            later.abs() > 1,
            "no play of the family is that many plies long"
        );
        DistanceValue(if keeps_turn { later } else { -later })
    }

    fn strength(self) -> i16 {
        if self.outcome() == Outcome::Draw {
            0
        } else {
            self.0.abs()
        }
    }
}

impl StoredWorth for DistanceValue {
    fn ended(ending: &Ending) -> DistanceValue {
        match ending.outcome {
            Outcome::Loss => DistanceValue(-DistanceValue::DECIDED),
            Outcome::Draw => DistanceValue::DRAWN,
            Outcome::Win => DistanceValue(DistanceValue::DECIDED),
        }
    }

    fn won_at_once() -> DistanceValue {
        DistanceValue(-DistanceValue::DECIDED).of_move(false)
    }

    fn with_gain(self, _gain: i32) -> DistanceValue {
        self
    }

    fn pack(self) -> i16 {
        self.0
    }

    fn unpack(packed: i16) -> DistanceValue {
        DistanceValue(packed)
    }

    fn can_be(packed: i16) -> bool {
        let half = DistanceValue::DECIDED / 2;
        matches!(packed, 0 | 1)
            || (half..=DistanceValue::DECIDED).contains(&packed.saturating_abs())
    }

    fn is_endless(self) -> bool {
        self == DistanceValue::ENDLESS
    }

    fn code(self, metric: Metric) -> Result<i32, LongPlay> {
        if metric == Metric::Value {
            return Ok(value_code(self.outcome()).into());
        }
        let plies = || {
            let plies = self.plies();
            (plies <= distance_code::MAX_PLIES)
                .then_some(plies as i32)
                .ok_or(LongPlay)
        };
        Ok(match self.outcome() {
            Outcome::Loss => plies()?,
            Outcome::Draw => distance_code::DRAW.into(),
            Outcome::Win => i32::from(u8::MAX) - plies()?,
        })
    }
}

/// Points, and whether they come from endless play: twice the points, plus one for the latter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct LoopyPoints(i16);

impl LoopyPoints {
    fn points(self) -> i16 {
        self.0 >> 1
    }
}

impl PositionWorth for LoopyPoints {
    type Strength = u16;

    const ENDLESS: LoopyPoints = LoopyPoints(1);

    fn of_move(self, keeps_turn: bool) -> LoopyPoints {
        if keeps_turn {
            self
        } else {
            LoopyPoints(-2 * self.points() + (self.0 & 1))
        }
    }

    fn strength(self) -> u16 {
        self.points().unsigned_abs()
    }
}

impl StoredWorth for LoopyPoints {
    fn ended(ending: &Ending) -> LoopyPoints {
        LoopyPoints(2 * ending.points as i16)
    }

    fn won_at_once() -> LoopyPoints {
        unreachable!("points are worked out for every unfinished position")
    }

    fn with_gain(self, gain: i32) -> LoopyPoints {
        LoopyPoints(self.0 + 2 * gain as i16)
    }

    fn pack(self) -> i16 {
        self.0
    }

    fn unpack(packed: i16) -> LoopyPoints {
        LoopyPoints(packed)
    }

    fn can_be(packed: i16) -> bool {
        packed.saturating_abs() < i16::MAX / 2
    }

    fn is_endless(self) -> bool {
        self.0 & 1 == 1
    }

    fn code(self, _metric: Metric) -> Result<i32, LongPlay> {
        Ok(self.points().into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ply_negates_and_weakens() {
        let won = DistanceValue::won_at_once();
        assert_eq!((won.outcome(), won.plies()), (Outcome::Win, 1));
        let lost = won.of_move(false);
        assert_eq!((lost.outcome(), lost.plies()), (Outcome::Loss, 2));
        let still_won = won.of_move(true);
        assert_eq!((still_won.outcome(), still_won.plies()), (Outcome::Win, 2));
        assert!(
            still_won < won
                && lost < DistanceValue::DRAWN
                && DistanceValue::DRAWN < DistanceValue::ENDLESS
        );
        assert!(lost.of_move(false).of_move(false) > lost, "later is better");
        for draw in [DistanceValue::DRAWN, DistanceValue::ENDLESS] {
            assert_eq!(draw.of_move(false), draw);
            assert_eq!(draw.strength(), 0);
        }
    }

    #[test]
    fn codes_are_those_of_tables() {
        let mut fate = DistanceValue::ended(&Ending {
            outcome: Outcome::Loss,
            points: 0,
        });
        let mut code = distance_code::LOST;
        for _ in 0..distance_code::MAX_PLIES {
            assert_eq!(fate.code(Metric::Distance), Ok(code.into()));
            fate = fate.of_move(false);
            code = distance_code::from_worst_child(code);
        }
        fate = fate.of_move(false);
        assert_eq!(fate.code(Metric::Distance), Err(LongPlay));
        assert_eq!(fate.code(Metric::Value), Ok(0), "won, however late");
        assert_eq!(DistanceValue::ENDLESS.code(Metric::Distance), Ok(128));
    }

    #[test]
    fn points_change_sign_and_keep_their_kind() {
        let three = LoopyPoints::ended(&Ending {
            outcome: Outcome::Win,
            points: 3,
        });
        assert_eq!(three.of_move(false).code(Metric::Points), Ok(-3));
        assert_eq!(three.of_move(true), three);
        assert_eq!(
            three.of_move(false).with_gain(5).code(Metric::Points),
            Ok(2)
        );
        assert_eq!(LoopyPoints::ENDLESS.of_move(false), LoopyPoints::ENDLESS);
        assert!(LoopyPoints::ENDLESS.is_endless() && !three.is_endless());
        let back = LoopyPoints::unpack(three.of_move(false).pack());
        assert_eq!(back.of_move(false), three);
    }
}
