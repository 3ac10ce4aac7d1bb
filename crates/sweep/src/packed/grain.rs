//! What a stream keeps of a block, and what its bytes mean.

use greenwave_game::Metric;

use super::sparse;

/// Bytes of a stream and of what may be read or written beyond its end, at most.
pub(super) const fn room(grain: Grain, fold: usize) -> usize {
    let block = match grain {
        Grain::Sparse => 32 + sparse::ENTRY,
        Grain::Byte | Grain::Bit => 32,
        Grain::Code(_) => 256,
    };
    256 * fold * block + 192
}

/// What a stream keeps of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Grain {
    /// Bytes in which a position is lost, and where they are.
    Sparse,
    /// Bytes in which a position is undecided.
    Byte,
    /// Undecided positions.
    Bit,
    /// Undecided positions with a byte each. All data with a bit for each position of a block, in
    /// tables too, are in rows then: see [`codes`](super::codes).
    Code(ByteMeaning),
}

impl Grain {
    /// The grains of streams for a metric, the quickest first, the smallest last.
    pub(super) fn of(metric: Metric) -> &'static [Grain] {
        match metric {
            Metric::Value => &[Grain::Sparse, Grain::Byte, Grain::Bit],
            Metric::Nimber => &[Grain::Code(ByteMeaning::Nimber)],
            Metric::Points => &[Grain::Code(ByteMeaning::Points)],
            Metric::Distance | Metric::Odds => &[Grain::Code(ByteMeaning::Distance)],
        }
    }

    /// Those of them whose streams are as long as the rules make them, whatever the values.
    pub(super) fn of_known_length(metric: Metric) -> &'static [Grain] {
        let all = Grain::of(metric);
        all.strip_prefix(&[Grain::Sparse]).unwrap_or(all)
    }
}

/// The meaning of a byte, and the number of planes of bytes in which positions are joined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ByteMeaning {
    /// A distance: one plane, of which the largest byte is the best.
    Distance,
    /// A Grundy value: in two planes one bit of sixteen, the union is what a move can reach.
    Nimber,
    /// Points: one plane, of which the largest byte is the best.
    Points,
}

/// A Grundy value beyond sixteen bits.
pub(super) const NO_NIMBER: u8 = u8::MAX;

/// A position that is worth nothing, in points.
pub(super) const NO_POINTS: u8 = 128;

impl ByteMeaning {
    pub(super) fn planes(self) -> usize {
        match self {
            ByteMeaning::Distance | ByteMeaning::Points => 1,
            ByteMeaning::Nimber => 2,
        }
    }

    /// The code that tables have for a byte.
    pub(super) fn code(self, byte: u8) -> u8 {
        match self {
            ByteMeaning::Distance => u8::MAX - byte,
            ByteMeaning::Nimber => byte,
            ByteMeaning::Points => NO_POINTS.wrapping_sub(byte),
        }
    }

    /// A code as a number.
    pub(super) fn number(self, code: u8) -> i32 {
        match self {
            ByteMeaning::Distance | ByteMeaning::Nimber => code.into(),
            ByteMeaning::Points => (code as i8).into(),
        }
    }
}
