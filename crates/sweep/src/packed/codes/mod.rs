//! A byte for each position of a block: distances, Grundy values, or points.
//!
//! Of a distance it is what the opponent thinks of the position, who moves into it: `d` where it is
//! won in d plies, 255 − d where it is lost in d plies. So the best move leads to the largest byte,
//! and 0, which finished and won, stands for no move at all. 255 − byte is the
//! [code](greenwave_values::distance_code) of tables. A Grundy value is a byte in streams. Where
//! values are joined, it is one bit of sixteen, in two *planes* of bytes: the lowest clear bit of
//! the union is the value of the parent. Points are kept as 128 less them, so as 128 and what the
//! opponent gets who moves into the position: the largest byte is the best, and 0 stands for no
//! move at all.
//!
//! The positions of a block are kept in four *rows*, and so are the bits that tell which of them are
//! undecided:
//!
//! ```text
//! row  = sum of the levels of squares 0 to 3, modulo 4
//! lane = level of 0 + 4 · level of 1 + 16 · level of 2
//! ```
//!
//! Then every raise leads from a row to the next one, and no two positions of a row depend on each
//! other. Rows are settled as a whole, for level sums from 12 down to 0. A row is settled again
//! each time its remainder comes round. Correct values stay correct, because they follow from rows
//! that were correct. A symmetry keeps sums, so it permutes the lanes of each row.

#[cfg(target_arch = "x86_64")]
pub(super) mod avx512;
pub(super) mod first;
pub(super) mod rows;
pub(super) mod scores;
pub(super) mod work;

use super::blocks::{Block, FIRST_CAN_RISE, SECOND_CAN_RISE};
use super::grain::{NO_NIMBER, NO_POINTS};
use super::tables::{Tables, each};
use super::work::{ChildFamily, FamilyBlocks, FamilyResult};
use rows::{CodeBlock, CodeRow, FOURTH_CAN_RISE, MOST, join, spread};
use work::CodeWork;

/// The undecided positions by plane, from what raises outside the block lead to; `SCORED` for points.
#[inline(always)]
fn settled<const P: usize, const SCORED: bool>(
    best: &[CodeBlock; P],
    open: &Block,
) -> [CodeBlock; P] {
    let masks: [CodeRow; 4] = std::array::from_fn(|row| spread(open.0[row]));
    let mut above = [[0; 64 + 16]; P];
    let mut rows = [[[0; 64]; 4]; P];
    for sum in (0..=MOST).rev() {
        let row = sum % 4;
        let mut joined = [[0; 64]; P];
        for plane in 0..P {
            let above = &mut above[plane];
            above[..64].copy_from_slice(&rows[plane][(row + 1) % 4]);
            let best = &best[plane].0[row];
            for (lane, byte) in joined[plane].iter_mut().enumerate() {
                // Above the row are lanes of zeros, where square 2 cannot be raised.
                let first = above[lane + 1] & CAN_RISE[0][lane];
                let second = above[lane + 4] & CAN_RISE[1][lane];
                let fourth = above[lane] & CAN_RISE[2 + row][lane];
                let two = join::<P>(first, second);
                let three = join::<P>(above[lane + 16], fourth);
                *byte = join::<P>(best[lane], join::<P>(two, three));
            }
        }
        for lane in 0..64 {
            let mask = masks[row][lane];
            if P == 1 {
                let most = joined[0][lane];
                let from: u8 = if SCORED || most > 127 { 0 } else { 254 };
                rows[0][row][lane] = from.wrapping_sub(most) & mask;
            } else {
                // The lowest clear bit of s is !s & (s + 1); of the high byte only if the low one
                // is full.
                let (low, high) = (joined[0][lane], joined[P - 1][lane]);
                rows[0][row][lane] = !low & low.wrapping_add(1) & mask;
                let mask = if low == u8::MAX { mask } else { 0 };
                rows[P - 1][row][lane] = !high & high.wrapping_add(1) & mask;
            }
        }
    }
    rows.map(CodeBlock)
}

// The byte of a position in a stream, and back.
#[inline(always)]
fn packed<const P: usize>(planes: [u8; P]) -> u8 {
    if P == 1 {
        return planes[0];
    }
    match (planes[0], planes[P - 1]) {
        (0, 0) => NO_NIMBER,
        (0, high) => 8 + high.trailing_zeros() as u8,
        (low, _) => low.trailing_zeros() as u8,
    }
}

#[inline(always)]
fn unpacked<const P: usize>(byte: u8) -> [u8; P] {
    let mut planes = [byte; P];
    if P == 2 {
        let bits = 1_u16.checked_shl(byte.into()).unwrap_or_default();
        planes.copy_from_slice(&bits.to_le_bytes());
    }
    planes
}

/// Lanes in which squares 0 and 1 can be raised, and square 3 for each row.
static CAN_RISE: [CodeRow; 6] = {
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
pub(super) fn read(stream: &mut &[u8], open: &Block) -> CodeBlock {
    let [codes] = read_planes::<1>(stream, open);
    codes
}

#[inline(always)]
fn read_planes<const P: usize>(stream: &mut &[u8], open: &Block) -> [CodeBlock; P] {
    let mut codes = [CodeBlock::EMPTY; P];
    for (row, bits) in open.0.iter().enumerate() {
        let (here, rest) = stream.split_at(bits.count_ones() as usize);
        let mut left = *bits;
        for byte in here {
            let lane = left.trailing_zeros() as usize % 64;
            for (codes, byte) in codes.iter_mut().zip(unpacked::<P>(*byte)) {
                codes.0[row][lane] = byte;
            }
            left &= left.wrapping_sub(1);
        }
        *stream = rest;
    }
    codes
}

/// What [`PackedKernel::add`](super::kernel::PackedKernel::add) does, on every machine, with `P` planes.
#[inline(always)]
pub(super) fn add<const G: usize, const P: usize>(
    tables: &Tables<G>,
    work: &mut FamilyBlocks<G>,
    child: &ChildFamily<'_, G>,
) {
    let turn = &tables.turns[child.symmetry];
    let origins = &tables.origins[child.symmetry];
    let mut stream = child.stream;
    each(child.quiet, |rank| {
        let open = child.open.and(&tables.mixed[rank]);
        let to = P * usize::from(origins[rank]);
        let planes = read_planes::<P>(&mut stream, &open);
        for (mut codes, found) in planes.into_iter().zip(&mut work.codes.found[to..]) {
            if !turn.identity {
                for (row, from) in codes.0.iter_mut().zip(&turn.rows) {
                    let image = *row;
                    for (byte, from) in row.iter_mut().zip(from) {
                        *byte = image[usize::from(*from) % 64];
                    }
                }
            }
            found.join::<P>(&codes);
        }
    });
}

/// What [`PackedKernel::settle`](super::kernel::PackedKernel::settle) does, on every machine, with `P` planes; `SCORED`
/// for points.
#[inline(always)]
pub(super) fn settle<const G: usize, const P: usize, const SCORED: bool>(
    tables: &Tables<G>,
    work: &mut FamilyBlocks<G>,
    out: &mut [u8],
) -> FamilyResult {
    let (quiet, family) = (work.quiet, work.open);
    let CodeWork {
        found,
        settled: done,
        ..
    } = &mut work.codes;
    let mut made = FamilyResult::default();
    each(quiet, |rank| {
        let open = family.and(&tables.mixed[rank]);
        let mut best = [CodeBlock::EMPTY; P];
        for (plane, best) in best.iter_mut().enumerate() {
            *best = found[P * rank + plane];
            for raised in tables.raised[rank] {
                best.join::<P>(&done[P * usize::from(raised) + plane]);
            }
        }
        let codes = settled::<P, SCORED>(&best, &open);
        done[P * rank..][..P].copy_from_slice(&codes);
        for (row, bits) in open.0.iter().enumerate() {
            let mut left = *bits;
            while left != 0 {
                let lane = left.trailing_zeros() as usize;
                left &= left - 1;
                let mut planes = [0; P];
                for (byte, codes) in planes.iter_mut().zip(&codes) {
                    *byte = codes.0[row][lane];
                }
                let byte = packed::<P>(planes);
                out[made.bytes] = byte;
                made.bytes += 1;
                if SCORED {
                    made.lost += u64::from(byte > NO_POINTS);
                } else if P == 1 {
                    made.lost += u64::from(byte > 127);
                    made.longest = made.longest.max(byte.min(!byte));
                } else {
                    made.lost += u64::from(byte == 0);
                }
            }
        }
    });
    each(quiet, |rank| done[P * rank..][..P].fill(CodeBlock::EMPTY));
    made.undecided = made.bytes as u64;
    made
}

#[cfg(test)]
mod tests {
    use super::rows::{in_rows, place};
    use super::*;

    // Numbers that follow from a seed.
    fn numbers(mut random: u64) -> impl FnMut() -> u64 {
        move || {
            random = random.wrapping_mul(0xd129_0d3d_2d2b_c9a5).wrapping_add(11);
            random ^ random >> 29
        }
    }

    #[test]
    fn distances_follow_from_all_raises() {
        let mut next = numbers(5);
        for _ in 0..20 {
            let (mut open, mut best) = (Block::EMPTY, CodeBlock::EMPTY);
            for word in &mut open.0 {
                *word = next();
            }
            for byte in best.0.as_flattened_mut() {
                *byte = [0, 1, 2, 3, 250, 251][next() as usize % 6];
            }
            let [codes] = settled::<1, false>(&[best], &in_rows(&open));
            let at = |codes: &CodeBlock, position: usize| {
                let (row, lane) = place(position);
                codes.0[row][lane]
            };
            for position in 0..256 {
                let raises = (0..4).filter(|square| position >> (2 * square) & 3 < 3);
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

    #[test]
    fn nimbers_are_the_least_that_no_raise_leads_to() {
        let mut next = numbers(9);
        let (mut open, mut best) = (Block::EMPTY, [CodeBlock::EMPTY; 2]);
        for word in &mut open.0 {
            *word = next();
        }
        for plane in &mut best {
            for byte in plane.0.as_flattened_mut() {
                *byte = (next() | next()) as u8;
            }
        }
        let codes = settled::<2, false>(&best, &in_rows(&open));
        let at = |codes: &[CodeBlock; 2], position: usize| {
            let (row, lane) = place(position);
            u16::from_le_bytes([0, 1].map(|plane| codes[plane].0[row][lane]))
        };
        for position in 0..256 {
            let raises = (0..4).filter(|square| position >> (2 * square) & 3 < 3);
            let reached = raises
                .map(|square| at(&codes, position + (1 << (2 * square))))
                .fold(at(&best, position), |all, one| all | one);
            let free = 1_u16
                .checked_shl(reached.trailing_ones())
                .unwrap_or_default();
            let expected = if open.bit(position) { free } else { 0 };
            assert_eq!(at(&codes, position), expected, "{position}");
        }
        for nimber in 0..16 {
            assert_eq!(packed(unpacked::<2>(nimber)), nimber);
        }
        assert_eq!(unpacked::<2>(NO_NIMBER), [0, 0]);
    }
}
