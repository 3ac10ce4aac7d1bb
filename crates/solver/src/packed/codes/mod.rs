//! A byte for each position of a block: distances.
//!
//! A byte is what the opponent thinks of the position, who moves into it: `d` where it is won in d
//! plies, 255 − d where it is lost in d plies. So the best move leads to the largest byte, and 0, which
//! finished and won, stands for no move at all. 255 − byte is the
//! [code](greenwave_values::distance_code) of tables.
//!
//! The positions of a group are kept in four *rows*, and so are the bits that tell which of them are
//! undecided:
//!
//! ```text
//! row  = sum of the levels of squares 0 to 3, modulo 4
//! lane = level of 0 + 4 · level of 1 + 16 · level of 2
//! ```
//!
//! Then every raise leads from a row to the next one, no two positions of a row depend on each other,
//! and rows are settled as a whole, for level sums from 12 down to 0: a row is settled again each time
//! its remainder comes round, and what was right stays right, because it follows from rows that were
//! right. A symmetry keeps sums, so it permutes the lanes of each row.

#[cfg(target_arch = "x86_64")]
pub(super) mod avx512;

use super::blocks::{Block, FIRST_CAN_RISE, SECOND_CAN_RISE};
use super::kernel::{Child, Settled, Work, each};
use super::layout::GROUP;
use super::tables::{BLOCKS, Ranks, Tables};

/// 64 positions.
pub(super) type Row = [u8; 64];

/// Bytes of the positions of a block, by group, row and lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(64))]
pub(super) struct Codes<const G: usize>(pub(super) [[Row; 4]; G]);

/// Blocks of the family at work; empty where nobody asks for distances.
#[derive(Clone, Debug, Default)]
pub(super) struct CodeWork<const G: usize> {
    /// The best that raises of far squares lead to; one block more that nobody reads.
    pub(super) found: Vec<Codes<G>>,
    /// What the blocks came to; empty between families, and always at [`BLOCKS`].
    pub(super) settled: Vec<Codes<G>>,
}

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
const FOURTH_CAN_RISE: [u64; 4] = [!LANES[1], !LANES[2], !LANES[3], !LANES[0]];

/// The largest level sum of a group.
const MOST: usize = 3 * GROUP;

/// Where a position of a block is: group, row and lane.
pub(super) const fn place(position: usize) -> (usize, usize, usize) {
    let (inside, lane) = (position % 256, position % 64);
    let sum = (lane & 3) + (lane >> 2 & 3) + (lane >> 4) + inside / 64;
    (position / 256, sum % 4, lane)
}

/// The bits of a block in rows.
pub(super) fn in_rows<const G: usize>(block: &Block<G>) -> Block<G> {
    let mut rows = Block::EMPTY;
    for (words, rows) in block.0.iter().zip(&mut rows.0) {
        for (row, bits) in rows.iter_mut().enumerate() {
            for (level, word) in words.iter().enumerate() {
                *bits |= word & LANES[(row + 4 - level) % 4];
            }
        }
    }
    rows
}

impl<const G: usize> CodeWork<G> {
    pub(super) fn new() -> CodeWork<G> {
        CodeWork {
            found: vec![Codes::EMPTY; BLOCKS + 1],
            settled: vec![Codes::EMPTY; BLOCKS + 1],
        }
    }
}

impl<const G: usize> Codes<G> {
    pub(super) const EMPTY: Codes<G> = Codes::all(0);

    /// The same byte everywhere.
    pub(super) const fn all(byte: u8) -> Codes<G> {
        Codes([[[byte; 64]; 4]; G])
    }

    /// Takes the better byte of each position.
    #[inline(always)]
    fn join(&mut self, other: &Codes<G>) {
        let others = other.0.as_flattened().as_flattened();
        for (byte, other) in self
            .0
            .as_flattened_mut()
            .as_flattened_mut()
            .iter_mut()
            .zip(others)
        {
            *byte = (*byte).max(*other);
        }
    }

    /// The undecided positions, from the best of what raises outside the block lead to.
    #[inline(always)]
    fn settled(&self, open: &Block<G>) -> Codes<G> {
        let mut codes = Codes::EMPTY;
        for group in (0..G).rev() {
            let mut best = self.0[group];
            if let Some(higher) = codes.0.get(group + 1) {
                for (row, higher) in best.iter_mut().zip(higher) {
                    for (byte, higher) in row.iter_mut().zip(higher) {
                        *byte = (*byte).max(*higher);
                    }
                }
            }
            let masks: [Row; 4] = std::array::from_fn(|row| spread(open.0[group][row]));
            let mut above = [0; 64 + 16];
            let mut rows = [[0; 64]; 4];
            for sum in (0..=MOST).rev() {
                let row = sum % 4;
                above[..64].copy_from_slice(&rows[(row + 1) % 4]);
                for (lane, byte) in rows[row].iter_mut().enumerate() {
                    // Above the row are lanes of zeros, where square 2 cannot be raised.
                    let mut most = best[row][lane];
                    most = most.max(above[lane + 1] & CAN_RISE[0][lane]);
                    most = most.max(above[lane + 4] & CAN_RISE[1][lane]);
                    most = most.max(above[lane + 16]);
                    most = most.max(above[lane] & CAN_RISE[2 + row][lane]);
                    let from: u8 = if most > 127 { 0 } else { 254 };
                    *byte = from.wrapping_sub(most) & masks[row][lane];
                }
            }
            codes.0[group] = rows;
        }
        codes
    }
}

// A byte for each bit, with all bits of it set or none.
fn spread(bits: u64) -> Row {
    std::array::from_fn(|lane| 0_u8.wrapping_sub((bits >> lane & 1) as u8))
}

/// Lanes in which squares 0 and 1 can be raised, and square 3 for each row.
static CAN_RISE: [Row; 6] = {
    let bits = [
        FIRST_CAN_RISE,
        SECOND_CAN_RISE,
        FOURTH_CAN_RISE[0],
        FOURTH_CAN_RISE[1],
        FOURTH_CAN_RISE[2],
        FOURTH_CAN_RISE[3],
    ];
    let mut rows = [[0; 64]; 6];
    let mut number = 0;
    while number < 6 {
        let mut lane = 0;
        while lane < 64 {
            if bits[number] >> lane & 1 == 1 {
                rows[number][lane] = u8::MAX;
            }
            lane += 1;
        }
        number += 1;
    }
    rows
};

/// Reads a block from a stream, whose undecided positions are `open`, and moves on in the stream.
#[inline(always)]
pub(super) fn read<const G: usize>(stream: &mut &[u8], open: &Block<G>) -> Codes<G> {
    let mut codes = Codes::EMPTY;
    for (bits, row) in open.0.as_flattened().iter().zip(codes.0.as_flattened_mut()) {
        let (here, rest) = stream.split_at(bits.count_ones() as usize);
        let mut left = *bits;
        for byte in here {
            row[left.trailing_zeros() as usize % 64] = *byte;
            left &= left.wrapping_sub(1);
        }
        *stream = rest;
    }
    codes
}

/// What [`Kernel::add`](super::kernel::Kernel::add) does, on every machine.
#[inline(always)]
pub(super) fn add<const G: usize>(tables: &Tables<G>, work: &mut Work<G>, child: &Child<'_, G>) {
    let turn = &tables.turns[child.symmetry];
    let origins = &tables.origins[child.symmetry];
    let mut stream = child.stream;
    each(child.quiet, |rank| {
        let open = child.open.and(&tables.mixed[rank]);
        let mut codes = read(&mut stream, &open);
        if !turn.identity {
            for rows in &mut codes.0 {
                for (row, from) in rows.iter_mut().zip(&turn.rows) {
                    let image = *row;
                    for (byte, from) in row.iter_mut().zip(from) {
                        *byte = image[usize::from(*from) % 64];
                    }
                }
            }
        }
        work.codes.found[usize::from(origins[rank])].join(&codes);
    });
}

/// What [`Kernel::settle`](super::kernel::Kernel::settle) does, on every machine.
#[inline(always)]
pub(super) fn settle<const G: usize>(
    tables: &Tables<G>,
    work: &mut Work<G>,
    open: &Block<G>,
    quiet: Ranks,
    out: &mut [u8],
) -> Settled {
    let CodeWork { found, settled } = &mut work.codes;
    let mut made = Settled::default();
    each(quiet, |rank| {
        let open = open.and(&tables.mixed[rank]);
        let mut best = found[rank];
        for raised in tables.raised[rank] {
            best.join(&settled[usize::from(raised)]);
        }
        let codes = best.settled(&open);
        settled[rank] = codes;
        for (bits, row) in open.0.as_flattened().iter().zip(codes.0.as_flattened()) {
            let mut left = *bits;
            while left != 0 {
                let byte = row[left.trailing_zeros() as usize];
                left &= left - 1;
                out[made.bytes] = byte;
                made.bytes += 1;
                made.lost += u64::from(byte > 127);
                made.longest = made.longest.max(byte.min(!byte));
            }
        }
    });
    each(quiet, |rank| settled[rank] = Codes::EMPTY);
    made.undecided = made.bytes as u64;
    made
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_follow_from_all_raises() {
        let mut random = 5_u64;
        let mut next = || {
            random = random.wrapping_mul(0xd129_0d3d_2d2b_c9a5).wrapping_add(11);
            random ^ random >> 29
        };
        for _ in 0..5 {
            let (mut open, mut best) = (Block::<4>::EMPTY, Codes::<4>::EMPTY);
            for word in open.0.as_flattened_mut() {
                *word = next();
            }
            for byte in best.0.as_flattened_mut().as_flattened_mut() {
                *byte = [0, 1, 2, 3, 250, 251][next() as usize % 6];
            }
            let codes = best.settled(&in_rows(&open));
            let at = |codes: &Codes<4>, position: usize| {
                let (group, row, lane) = place(position);
                codes.0[group][row][lane]
            };
            for position in 0..1024 {
                let raises = (0..5).filter(|square| position >> (2 * square) & 3 < 3);
                let most = raises
                    .map(|square| at(&codes, position + (1 << (2 * square))))
                    .chain([at(&best, position)])
                    .max()
                    .unwrap();
                let step = if most > 127 { 256 } else { 254 } - u32::from(most);
                let expected = if open.bit(position) { step as u8 } else { 0 };
                assert_eq!(at(&codes, position), expected, "{position}");
            }
        }
    }
}
