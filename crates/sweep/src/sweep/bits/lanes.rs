//! The work of the kernels, in registers of any machine.

use super::super::Kernel;
use super::super::family::{BlockFamily, FamilyEntries};
use super::super::geometry::{SweepGeometry, TerminalValue};
use super::super::layout::{BitBlock, BitRow, BitRows, FIFTH_CAN_RISE, POSITIONS, place};
use super::super::masks::{BlockMarks, Contributions};

/// Bytes of a block.
pub(in crate::sweep) const BYTES: usize = POSITIONS / 8;

/// The sweep of one bit a position.
pub(in crate::sweep) struct BitSweep {
    pub(super) kernel: Kernel,
    marks: Contributions<BlockMarks>,
    // The bytes of a block that a line finishes as a whole.
    finished: u8,
}

impl BitSweep {
    pub(in crate::sweep) fn new(geometry: &SweepGeometry, kernel: Kernel) -> BitSweep {
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

/// 512 positions in a machine's registers.
pub(super) trait BitLanes: Copy {
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
pub(super) fn sweep_with<L: BitLanes>(
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
pub(super) const FIRST_CAN_RISE: u64 = 0x7777_7777_7777_7777;

pub(super) const SECOND_CAN_RISE: u64 = 0x0FFF_0FFF_0FFF_0FFF;
