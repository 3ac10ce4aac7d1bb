//! The positions of a block in rows of 64, with a byte for each.

use crate::packed::blocks::Block;
use crate::packed::layout::LOW;

/// 64 positions.
pub(in crate::packed) type CodeRow = [u8; 64];

/// Bytes of the positions of a block, by row and lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(64))]
pub(in crate::packed) struct CodeBlock(pub(in crate::packed) [CodeRow; 4]);

/// Lanes by the sum of their three levels, modulo 4.
const LANES: [u64; 4] = {
    let mut lanes = [0; 4];
    let mut lane = 0;
    while lane < 64 {
        lanes[((lane & 3) + (lane >> 2 & 3) + (lane >> 4)) % 4] |= 1 << lane;
        lane += 1;
    }
    lanes
};

/// For each row, the lanes in which square 3 can be raised: where its level is 3, the others sum up to
/// one more than the row.
pub(super) const FOURTH_CAN_RISE: [u64; 4] = [!LANES[1], !LANES[2], !LANES[3], !LANES[0]];

/// The largest level sum of a block.
pub(super) const MOST: usize = 3 * LOW;

/// Where a position of a block is: row and lane.
pub(in crate::packed) const fn place(position: usize) -> (usize, usize) {
    let lane = position % 64;
    let sum = (lane & 3) + (lane >> 2 & 3) + (lane >> 4) + position / 64;
    (sum % 4, lane)
}

/// The bits of a block in rows.
pub(in crate::packed) fn in_rows(block: &Block) -> Block {
    let mut rows = Block::EMPTY;
    for (row, bits) in rows.0.iter_mut().enumerate() {
        for (level, word) in block.0.iter().enumerate() {
            *bits |= word & LANES[(row + 4 - level) % 4];
        }
    }
    rows
}

#[inline(always)]
pub(super) fn join<const P: usize>(a: u8, b: u8) -> u8 {
    if P == 1 { a.max(b) } else { a | b }
}

impl CodeBlock {
    pub(in crate::packed) const EMPTY: CodeBlock = CodeBlock::all(0);

    /// The same byte everywhere.
    pub(in crate::packed) const fn all(byte: u8) -> CodeBlock {
        CodeBlock([[byte; 64]; 4])
    }

    #[inline(always)]
    pub(super) fn join<const P: usize>(&mut self, other: &CodeBlock) {
        for (row, other) in self.0.iter_mut().zip(&other.0) {
            for (byte, other) in row.iter_mut().zip(other) {
                *byte = join::<P>(*byte, *other);
            }
        }
    }
}

// A byte for each bit, with all bits of it set or none.
pub(super) fn spread(bits: u64) -> CodeRow {
    std::array::from_fn(|lane| 0_u8.wrapping_sub((bits >> lane & 1) as u8))
}
