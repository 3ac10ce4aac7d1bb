//! Random numbers for the unit tests of this crate, the same ones every time.

use crate::{Cell, Code};

/// A linear congruential generator: Knuth's multiplier for 64 bits.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    /// A number below `limit`, which is above 0.
    pub(crate) fn below(&mut self, limit: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (self.0 >> 33) % limit
    }

    /// This many squares, each with a level from 0 to 3; level 0 has `bare` more chances than the others.
    pub(crate) fn board(&mut self, squares: usize, bare: u64) -> Code {
        (0..squares as u8)
            .map(Cell)
            .fold(Code::EMPTY, |code, cell| {
                code.with(cell, self.below(4 + bare).saturating_sub(bare) as u8)
            })
    }
}
