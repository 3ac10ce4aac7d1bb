//! One recurrence, four kinds of value: how the value of a position follows from its children's.

use greenwave_game::{Metric, Outcome};
use greenwave_values::{codes::value_code, distance_code};

/// How values of one metric are combined. Codes are those of [`greenwave_values::codes`].
pub(crate) trait Recurrence: Sync {
    /// What is gathered from the children.
    type Gathered;

    /// The metric.
    const METRIC: Metric;

    /// No child seen yet.
    fn begin() -> Self::Gathered;

    /// One child: its code, for the opponent who moves there, and the points gained on the way.
    fn child(gathered: &mut Self::Gathered, code: i32, gain: i32);

    /// The code of the position.
    fn finish(gathered: Self::Gathered) -> i32;

    /// Whether a position can have a code, far from what the codes of others are worked out from it have no room for.
    fn can_be(code: i32) -> bool;

    /// A code as the other player sees it: that of a child in which the same player moves again.
    fn turned(code: i32) -> i32;
}

pub(crate) struct ValueRecurrence;

impl Recurrence for ValueRecurrence {
    type Gathered = Outcome;
    const METRIC: Metric = Metric::Value;

    fn begin() -> Outcome {
        Outcome::Loss
    }

    fn child(best: &mut Outcome, code: i32, _gain: i32) {
        let reply = match code {
            0 => Outcome::Loss,
            1 => Outcome::Win,
            _ => Outcome::Draw,
        };
        *best = reply.max(*best);
    }

    fn finish(best: Outcome) -> i32 {
        value_code(best).into()
    }

    fn can_be(code: i32) -> bool {
        (0..3).contains(&code)
    }

    fn turned(code: i32) -> i32 {
        match code {
            0 => 1,
            1 => 0,
            draw => draw,
        }
    }
}

pub(crate) struct DistanceRecurrence;

impl Recurrence for DistanceRecurrence {
    type Gathered = u8;
    const METRIC: Metric = Metric::Distance;

    fn begin() -> u8 {
        u8::MAX
    }

    fn child(least: &mut u8, code: i32, _gain: i32) {
        *least = (code as u8).min(*least);
    }

    fn finish(least: u8) -> i32 {
        distance_code::from_worst_child(least).into()
    }

    fn can_be(_code: i32) -> bool {
        true
    }

    fn turned(code: i32) -> i32 {
        match code {
            128 => 128,
            decided => 255 - decided,
        }
    }
}

pub(crate) struct PointsRecurrence;

impl Recurrence for PointsRecurrence {
    type Gathered = i32;
    const METRIC: Metric = Metric::Points;

    fn begin() -> i32 {
        i32::MIN
    }

    fn child(best: &mut i32, code: i32, gain: i32) {
        *best = (gain - code).max(*best);
    }

    fn finish(best: i32) -> i32 {
        best
    }

    fn can_be(code: i32) -> bool {
        code.abs() < i32::from(i16::MAX) / 2
    }

    fn turned(code: i32) -> i32 {
        -code
    }
}

pub(crate) struct NimberRecurrence;

impl Recurrence for NimberRecurrence {
    // Bit g is set when a child has Grundy value g; a position has at most 32 moves.
    type Gathered = u64;
    const METRIC: Metric = Metric::Nimber;

    fn begin() -> u64 {
        0
    }

    fn child(seen: &mut u64, code: i32, _gain: i32) {
        *seen |= 1 << code;
    }

    fn finish(seen: u64) -> i32 {
        seen.trailing_ones() as i32
    }

    fn can_be(code: i32) -> bool {
        (0..64).contains(&code)
    }

    fn turned(code: i32) -> i32 {
        code
    }
}
