//! One bit a position: set when the position is lost for the player to move.
//!
//! `lost = finished and lost, or no child is lost`. A block of 4,096 positions is eight rows of 512
//! (see [`layout`](super::layout)). First the children above the block are gathered: whole rows of
//! other blocks, or-ed together. Then nineteen steps settle the block itself, from level sum 18
//! down to 0; each step settles one row with high bit 1 in square 4 and one with 0, all in
//! registers.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(all(target_arch = "aarch64", target_endian = "little"))]
mod neon;
mod pext;
mod portable;

use super::Kernel;
use super::family::{BlockFamily, FamilyEntries, Sweeper};
use super::geometry::{SweepGeometry, TerminalValue};
use super::layout::{
    BitBlock, BitRow, BitRows, FIFTH_CAN_RISE, POSITIONS, WORDS, bit, in_order, place,
};
use super::leaves::{BlockValues, LeafBuilder};
use super::masks::{BlockMarks, Contributions};

/// Bytes of a block.
pub(super) const BYTES: usize = POSITIONS / 8;

/// The sweep of one bit a position.
pub(super) struct BitSweep {
    kernel: Kernel,
    marks: Contributions<BlockMarks>,
    // The bytes of a block that a line finishes as a whole.
    finished: u8,
}

impl BitSweep {
    pub(super) fn new(geometry: &SweepGeometry, kernel: Kernel) -> BitSweep {
        BitSweep {
            kernel,
            marks: BlockMarks::tables(geometry, place),
            finished: if geometry.goal == TerminalValue::Complete {
                u8::MAX
            } else {
                0
            },
        }
    }
}

impl BlockValues<BYTES> for BitSweep {
    fn code(&self, block: &BitBlock, position: usize) -> Option<i32> {
        Some(i32::from(bit(block, position)))
    }

    fn visit(
        &self,
        block: &BitBlock,
        packed: &[u64; WORDS],
        leaf: Option<&mut LeafBuilder>,
        _seen: impl FnMut(usize, Option<i32>),
    ) {
        // Counted by the sweep itself.
        if let Some(leaf) = leaf {
            pext::gather_all(&in_order(block), packed, &mut |bits, mask| {
                leaf.push_bits(bits, mask.count_ones());
            });
        }
    }
}

impl Sweeper<BYTES> for BitSweep {
    fn sweep(&self, family: &BlockFamily<'_, BYTES>, out: &mut [BitBlock]) -> u64 {
        match self.kernel {
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx512 => avx512::sweep(self, family, out),
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx2 => avx2::sweep(self, family, out),
            #[cfg(all(target_arch = "aarch64", target_endian = "little"))]
            Kernel::Neon => sweep_with::<neon::Quad>(self, family, out),
            _ => sweep_with::<portable::EightWords>(self, family, out),
        }
    }
}

/// 512 positions in a machine's registers.
trait BitLanes: Copy {
    fn zero() -> Self;
    fn load(row: &BitRow) -> Self;
    fn store(self, row: &mut BitRow);
    fn or(self, other: Self) -> Self;
    /// Gives `marks` where a position is lost in any case; elsewhere lost if neither `found` nor a
    /// child inside the block is lost. The row `next` has the children with the same high bit in
    /// square 4, `upper` those with a higher bit. The mask `can_rise` is for square 5.
    fn settle(lost: Self, found: Self, can_rise: Self, next: Self, upper: Self) -> Self;
    /// Asks for a block to be brought near, because it will be read soon.
    fn prefetch(block: &BitBlock);
    /// Positions that are set in `rows` and not in `marks`.
    fn count_beyond(rows: &[Self; 8], marks: &[Self; 8]) -> u64;
}

#[inline(always)]
fn row(block: &BitBlock, number: usize) -> &BitRow {
    &block.as_chunks::<64>().0[number]
}

#[inline(always)]
fn rows<L: BitLanes>(block: &BitBlock) -> [L; 8] {
    [
        L::load(row(block, 0)),
        L::load(row(block, 1)),
        L::load(row(block, 2)),
        L::load(row(block, 3)),
        L::load(row(block, 4)),
        L::load(row(block, 5)),
        L::load(row(block, 6)),
        L::load(row(block, 7)),
    ]
}

#[inline(always)]
fn gather<L: BitLanes>(found: &mut [L; 8], block: &BitBlock) {
    let rows = rows::<L>(block);
    found[0] = found[0].or(rows[0]);
    found[1] = found[1].or(rows[1]);
    found[2] = found[2].or(rows[2]);
    found[3] = found[3].or(rows[3]);
    found[4] = found[4].or(rows[4]);
    found[5] = found[5].or(rows[5]);
    found[6] = found[6].or(rows[6]);
    found[7] = found[7].or(rows[7]);
}

#[inline(always)]
fn sweep_with<L: BitLanes>(
    bits: &BitSweep,
    family: &BlockFamily<'_, BYTES>,
    out: &mut [BitBlock],
) -> u64 {
    let common = bits.marks.family(family.outer);
    let places = FamilyEntries::new(&bits.marks.mixed, family.outer);
    let mut count = 0;
    for (number, middle) in family.swept_middles().enumerate() {
        family.prefetch(number, L::prefetch);
        let at = family.place(middle.code);
        if family.is_finished(middle.code) {
            out[at].fill(bits.finished);
            continue;
        }
        let mut lost = rows::<L>(&common.lost);
        let mut found = rows::<L>(&common.safe);
        for marks in places.entries(middle.code) {
            gather(&mut lost, &marks.lost);
            gather(&mut found, &marks.safe);
        }
        for child in family.children {
            if let Some(block) = child.block(middle.code) {
                gather(&mut found, block);
            }
        }
        for raised in middle.raised() {
            if family.is_swept(raised) {
                gather(&mut found, &out[family.place(raised)]);
            }
        }
        let settled = settle(&lost, &found);
        let block = out[at].as_chunks_mut::<64>().0;
        settled[0].store(&mut block[0]);
        settled[1].store(&mut block[1]);
        settled[2].store(&mut block[2]);
        settled[3].store(&mut block[3]);
        settled[4].store(&mut block[4]);
        settled[5].store(&mut block[5]);
        settled[6].store(&mut block[6]);
        settled[7].store(&mut block[7]);
        count += L::count_beyond(&settled, &lost);
    }
    count
}

static CAN_RISE: BitRows<8> = FIFTH_CAN_RISE;

/// Settles a block: rows 4 to 7 hold levels 2 and 3 of square 4, rows 0 to 3 its levels 0 and 1.
#[inline(always)]
fn settle<L: BitLanes>(lost: &[L; 8], found: &[L; 8]) -> [L; 8] {
    let mut now = [L::zero(); 8];
    // Written out, so that all rows stay in registers: the step for a level sum with the remainder
    // `$at` reads the rows with the remainder `$next`.
    macro_rules! high {
        ($at:literal, $next:literal) => {
            let rise = L::load(&CAN_RISE.0[4 + $at]);
            now[4 + $at] = L::settle(
                lost[4 + $at],
                found[4 + $at],
                rise,
                now[4 + $next],
                L::zero(),
            );
        };
    }
    macro_rules! low {
        ($at:literal, $next:literal) => {
            let rise = L::load(&CAN_RISE.0[$at]);
            now[$at] = L::settle(lost[$at], found[$at], rise, now[$next], now[4 + $next]);
        };
    }
    macro_rules! both {
        ($at:literal, $next:literal) => {
            high!($at, $next);
            low!($at, $next);
        };
    }
    // Level sums 18 down to 2 with the high bit, 16 down to 0 without it. A row is settled again
    // each time its remainder comes round; what was right before stays right.
    high!(2, 3);
    high!(1, 2);
    both!(0, 1);
    both!(3, 0);
    both!(2, 3);
    both!(1, 2);
    both!(0, 1);
    both!(3, 0);
    both!(2, 3);
    both!(1, 2);
    both!(0, 1);
    both!(3, 0);
    both!(2, 3);
    both!(1, 2);
    both!(0, 1);
    both!(3, 0);
    both!(2, 3);
    low!(1, 2);
    low!(0, 1);
    now
}

/// For the masks of the in-word squares: bits whose square 0 or square 1 is below level 3.
const FIRST_CAN_RISE: u64 = 0x7777_7777_7777_7777;
const SECOND_CAN_RISE: u64 = 0x0FFF_0FFF_0FFF_0FFF;
