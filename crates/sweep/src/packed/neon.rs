//! The kernel with the 128-bit registers of aarch64.
//!
//! Two registers hold a block. A stream of bytes is loaded and stored eight positions of a byte at
//! a time. The instruction that looks bytes up in a register moves them, by a table for each set of
//! bytes. No instruction moves bits, and none helps with a byte a position. So the loops over words
//! handle streams of these grains, and the compiler turns them into instructions for these
//! registers.

#![allow(unsafe_code)]

use std::arch::aarch64::*;

use super::blocks::{Block, FIRST_CAN_RISE, SECOND_CAN_RISE};
use super::grain::Grain;
use super::kernel::{PackedKernel, Portable, WordLoops};
use super::list::SetBits;
use super::sparse::{ENTRY, HEAD};
use super::tables::{Tables, blocks, each, middles, numbers};
use super::turn::{BlockSymmetry, Exchanges};
use super::work::{ChildFamily, FamilyBlocks, FamilyResult};

// Every aarch64 CPU has the instructions. Loads and stores may be unaligned and stay inside references to arrays.
macro_rules! simd {
    ($expression:expr) => {
        // SAFETY: see above.
        unsafe { $expression }
    };
}

/// Only named on aarch64.
pub(super) struct Neon;

impl<const G: usize> PackedKernel<G> for Neon {
    type Bits = Portable;

    #[inline(always)]
    fn prefetch(_stream: &[u8], _lines: usize) {}

    #[inline(always)]
    fn add(
        tables: &Tables<G>,
        grain: Grain,
        work: &mut FamilyBlocks<G>,
        child: &ChildFamily<'_, G>,
    ) {
        match grain {
            Grain::Sparse => add_sparse(tables, work, child),
            Grain::Byte => add_bytes(tables, work, child),
            Grain::Bit | Grain::Code(_) => {
                WordLoops::<Portable>::add(tables, grain, work, child);
            }
        }
    }

    #[inline(always)]
    fn settle(
        tables: &Tables<G>,
        grain: Grain,
        work: &mut FamilyBlocks<G>,
        out: &mut [u8],
    ) -> FamilyResult {
        let write = match grain {
            Grain::Sparse => write_sparse::<G>,
            Grain::Byte => write_bytes::<G>,
            Grain::Bit | Grain::Code(_) => {
                return WordLoops::<Portable>::settle(tables, grain, work, out);
            }
        };
        settle_blocks(tables, work);
        let settled = write(tables, work, out);
        for rank in work.own.as_slice() {
            work.lost[usize::from(*rank)] = Block::EMPTY;
        }
        settled
    }
}

/// The lookups that move eight bytes to the set bits of a number, and back to the front.
const MOVES: [[[u8; 8]; 256]; 2] = {
    // A place beyond the register makes a byte 0.
    let mut moves = [[[u8::MAX; 8]; 256]; 2];
    let mut mask = 0;
    while mask < 256 {
        let (mut bit, mut place) = (0, 0);
        while bit < 8 {
            if mask >> bit & 1 == 1 {
                moves[0][mask][bit] = place;
                moves[1][mask][place as usize] = bit as u8;
                place += 1;
            }
            bit += 1;
        }
        mask += 1;
    }
    moves
};
static SPREAD: [[u8; 8]; 256] = MOVES[0];
static JOIN: [[u8; 8]; 256] = MOVES[1];

#[inline(always)]
fn looked_up(bytes: u64, places: &[u8; 8]) -> u64 {
    simd!({
        let places = vcreate_u8(u64::from_le_bytes(*places));
        let moved = vtbl1_u8(vcreate_u8(bytes), places);
        vget_lane_u64::<0>(vreinterpret_u64_u8(moved))
    })
}

/// The bytes of a word that are not 0, one bit each.
#[inline(always)]
fn bytes_of(word: u64) -> usize {
    const LOW: u64 = 0x7F7F_7F7F_7F7F_7F7F;
    // The top bit of every byte that has any, and all of them moved to the top byte.
    let any = ((word & LOW).wrapping_add(LOW) | word) & !LOW;
    ((any >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56) as usize
}

/// Takes up the bytes of a word that are in a set.
#[inline(always)]
fn spread(stream: &[u8], next: &mut usize, set: usize) -> Option<u64> {
    let bytes = stream.get(*next..)?.first_chunk()?;
    *next += set.count_ones() as usize;
    Some(looked_up(u64::from_le_bytes(*bytes), &SPREAD[set]))
}

/// Writes the bytes of a word that are in a set.
#[inline(always)]
fn join(out: &mut [u8], next: &mut usize, word: u64, set: usize) {
    out[*next..][..8].copy_from_slice(&looked_up(word, &JOIN[set]).to_le_bytes());
    *next += set.count_ones() as usize;
}

#[inline(always)]
fn add_bytes<const G: usize>(
    tables: &Tables<G>,
    work: &mut FamilyBlocks<G>,
    child: &ChildFamily<'_, G>,
) {
    let turn = &tables.turns[child.symmetry];
    let origins = &tables.origins[child.symmetry];
    let mut next = 0;
    each(child.quiet, |rank| {
        let open = child.open.and(&tables.mixed[rank]);
        let mut lost = Block::EMPTY;
        for (lost, open) in lost.0.iter_mut().zip(open.0) {
            // A stream has room for what is read beyond its end.
            *lost = spread(child.stream, &mut next, bytes_of(open)).unwrap_or_default();
        }
        add(&mut work.found[usize::from(origins[rank])], &lost, turn);
    });
}

#[inline(always)]
fn add_sparse<const G: usize>(
    tables: &Tables<G>,
    work: &mut FamilyBlocks<G>,
    child: &ChildFamily<'_, G>,
) {
    let turn = &tables.turns[child.symmetry];
    let origins = &tables.origins[child.symmetry];
    let stream = child.stream;
    let count = usize::from(u16::from_le_bytes([stream[0], stream[1]]));
    let (ranks, masks) = (HEAD, HEAD + 2 * count);
    let mut next = HEAD + ENTRY * count;
    // The count and the ranks may be any, if somebody forged them: the stream ends where its bytes do.
    let entry = |place: usize| {
        let rank: &[u8; 2] = stream.get(ranks + 2 * place..)?.first_chunk()?;
        let sets: &[u8; 4] = stream.get(masks + 4 * place..)?.first_chunk()?;
        Some((usize::from(u16::from_le_bytes(*rank)), *sets))
    };
    for (rank, sets) in (0..count).map_while(entry) {
        let mut lost = Block::EMPTY;
        for (lost, set) in lost.0.iter_mut().zip(sets) {
            match spread(stream, &mut next, usize::from(set)) {
                Some(bytes) => *lost = bytes,
                None => return,
            }
        }
        let origin = origins[rank & (numbers::<G>() - 1)];
        add(&mut work.found[usize::from(origin)], &lost, turn);
    }
}

/// A block in registers.
#[derive(Clone, Copy)]
struct NeonBlock(uint64x2_t, uint64x2_t);

impl NeonBlock {
    #[inline(always)]
    fn load(Block(words): &Block) -> NeonBlock {
        simd!(NeonBlock(
            vld1q_u64(words.as_ptr()),
            vld1q_u64(words[2..].as_ptr())
        ))
    }

    #[inline(always)]
    fn store(self, Block(words): &mut Block) {
        simd!({
            vst1q_u64(words.as_mut_ptr(), self.0);
            vst1q_u64(words[2..].as_mut_ptr(), self.1);
        });
    }

    #[inline(always)]
    fn none() -> NeonBlock {
        simd!(NeonBlock(vdupq_n_u64(0), vdupq_n_u64(0)))
    }

    #[inline(always)]
    fn or(self, other: NeonBlock) -> NeonBlock {
        simd!(NeonBlock(
            vorrq_u64(self.0, other.0),
            vorrq_u64(self.1, other.1)
        ))
    }

    #[inline(always)]
    fn and(self, other: NeonBlock) -> NeonBlock {
        simd!(NeonBlock(
            vandq_u64(self.0, other.0),
            vandq_u64(self.1, other.1)
        ))
    }

    #[inline(always)]
    fn xor(self, other: NeonBlock) -> NeonBlock {
        simd!(NeonBlock(
            veorq_u64(self.0, other.0),
            veorq_u64(self.1, other.1)
        ))
    }

    #[inline(always)]
    fn without(self, other: NeonBlock) -> NeonBlock {
        simd!(NeonBlock(
            vbicq_u64(self.0, other.0),
            vbicq_u64(self.1, other.1)
        ))
    }

    /// Each word moved by some bits, up or, if negative, down.
    #[inline(always)]
    fn moved(self, by: i64) -> NeonBlock {
        simd!({
            let by = vdupq_n_s64(by);
            NeonBlock(vshlq_u64(self.0, by), vshlq_u64(self.1, by))
        })
    }

    #[inline(always)]
    fn is_empty(self) -> bool {
        simd!({
            let any = vorrq_u64(self.0, self.1);
            vgetq_lane_u64::<0>(any) | vgetq_lane_u64::<1>(any) == 0
        })
    }

    /// The bytes from where they come from.
    #[inline(always)]
    fn shuffled(self, from: &[u8; 32]) -> NeonBlock {
        simd!({
            let all = uint8x16x2_t(vreinterpretq_u8_u64(self.0), vreinterpretq_u8_u64(self.1));
            let (low, high) = (vld1q_u8(from.as_ptr()), vld1q_u8(from[16..].as_ptr()));
            NeonBlock(
                vreinterpretq_u64_u8(vqtbl2q_u8(all, low)),
                vreinterpretq_u64_u8(vqtbl2q_u8(all, high)),
            )
        })
    }

    /// Turned back from an image.
    #[inline(always)]
    fn turned(self, by: &Exchanges) -> NeonBlock {
        let mut block = self;
        if let Some(bytes) = &by.first {
            block = block.shuffled(bytes);
        }
        for swap in &by.swaps {
            let distance = i64::from(swap.distance);
            let mask = simd!(vdupq_n_u64(swap.mask));
            let lower = block.xor(block.moved(-distance)).and(NeonBlock(mask, mask));
            block = block.xor(lower).xor(lower.moved(distance));
        }
        if let Some(bytes) = &by.last {
            block = block.shuffled(bytes);
        }
        block
    }

    /// The positions from which a raise of one of the four squares leads into the set.
    #[inline(always)]
    fn lowered(self) -> NeonBlock {
        simd!({
            // Each word takes the next one, the last of them none.
            let fourth = [
                vextq_u64::<1>(self.0, self.1),
                vextq_u64::<1>(self.1, vdupq_n_u64(0)),
            ];
            let lowered = |word: uint64x2_t, fourth: uint64x2_t| {
                let first = vandq_u64(vshrq_n_u64::<1>(word), vdupq_n_u64(FIRST_CAN_RISE));
                let second = vandq_u64(vshrq_n_u64::<4>(word), vdupq_n_u64(SECOND_CAN_RISE));
                let third = vshrq_n_u64::<16>(word);
                vorrq_u64(vorrq_u64(first, second), vorrq_u64(third, fourth))
            };
            NeonBlock(lowered(self.0, fourth[0]), lowered(self.1, fourth[1]))
        })
    }
}

/// Adds what a block of a child contributes.
#[inline(always)]
fn add(found: &mut Block, lost: &Block, turn: &BlockSymmetry) {
    let mut lost = NeonBlock::load(lost);
    if !turn.identity {
        lost = lost.turned(&turn.exchanges);
    }
    NeonBlock::load(found).or(lost).store(found);
}

/// Blocks that are settled side by side.
const R: usize = 4;

// `R` blocks of equal sum at a time: they do not depend on each other.
#[inline(always)]
fn settle_blocks<const G: usize>(tables: &Tables<G>, work: &mut FamilyBlocks<G>) {
    let none = blocks::<G>();
    let all = NeonBlock::load(&work.open);
    work.own.fill_in_order(work.quiet);
    let mut place = 0;
    while place < work.own.count {
        let (ranks, taken) = work.own.of_equal_sum::<R>(place, &tables.sums, none);
        place += taken;
        let mut left = [NeonBlock::none(); R];
        for (left, rank) in left.iter_mut().zip(ranks) {
            let mut won = NeonBlock::load(&work.found[rank]);
            for square in 0..middles::<G>() {
                let raised = usize::from(tables.raised[rank][square]);
                won = won.or(NeonBlock::load(&work.lost[raised]));
            }
            *left = NeonBlock::load(&tables.mixed[rank]).and(all).without(won);
        }
        // Right at the positions without raises into the set at first, one raise further each time.
        let mut now = left;
        loop {
            let mut moved = NeonBlock::none();
            for (now, left) in now.iter_mut().zip(left) {
                let once = left.without(now.lowered());
                *now = left.without(once.lowered());
                moved = moved.or(once.xor(*now));
            }
            if moved.is_empty() {
                break;
            }
        }
        for (now, rank) in now.into_iter().zip(ranks) {
            now.store(&mut work.lost[rank]);
        }
    }
}

impl SetBits {
    // Makes it that of some ranks.
    #[inline(always)]
    fn fill_in_order<const G: usize>(&mut self, quiet: super::tables::Ranks<G>) {
        self.count = 0;
        each(quiet, |rank| {
            self.ranks[self.count] = rank as u16;
            self.count += 1;
        });
    }
}

// Counts what was settled, but for its bytes, and shows each block of it: rank, undecided, lost.
#[inline(always)]
fn visit<const G: usize>(
    tables: &Tables<G>,
    work: &FamilyBlocks<G>,
    mut block: impl FnMut(usize, &Block, &Block),
) -> FamilyResult {
    let mut settled = FamilyResult::default();
    for rank in work.own.as_slice() {
        let rank = usize::from(*rank);
        let (open, lost) = (work.open.and(&tables.mixed[rank]), &work.lost[rank]);
        settled.undecided += open.count();
        settled.lost += lost.count();
        block(rank, &open, lost);
    }
    settled
}

#[inline(always)]
fn write_bytes<const G: usize>(
    tables: &Tables<G>,
    work: &FamilyBlocks<G>,
    out: &mut [u8],
) -> FamilyResult {
    let mut bytes = 0;
    let settled = visit(tables, work, |_, open, lost| {
        for (open, lost) in open.0.iter().zip(lost.0) {
            join(out, &mut bytes, lost, bytes_of(*open));
        }
    });
    FamilyResult { bytes, ..settled }
}

#[inline(always)]
fn write_sparse<const G: usize>(
    tables: &Tables<G>,
    work: &FamilyBlocks<G>,
    out: &mut [u8],
) -> FamilyResult {
    let own = work.own.as_slice().iter();
    let there = own.filter(|rank| work.lost[usize::from(**rank)] != Block::EMPTY);
    // Of an odd number of blocks the last entry is of no block.
    let count = there.count().next_multiple_of(2);
    out[..HEAD].copy_from_slice(&(count as u16).to_le_bytes());
    let (ranks, masks) = (HEAD, HEAD + 2 * count);
    let (mut entry, mut bytes) = (0, HEAD + ENTRY * count);
    let mut put = |out: &mut [u8], rank: usize, lost: &Block| {
        let mut sets = [0; 4];
        for (set, word) in sets.iter_mut().zip(lost.0) {
            let of_word = bytes_of(word);
            *set = of_word as u8;
            join(out, &mut bytes, word, of_word);
        }
        out[ranks + 2 * entry..][..2].copy_from_slice(&(rank as u16).to_le_bytes());
        out[masks + 4 * entry..][..4].copy_from_slice(&sets);
        entry += 1;
        (entry, bytes)
    };
    let mut end = (0, bytes_before(count));
    let settled = visit(tables, work, |rank, _, lost| {
        if *lost != Block::EMPTY {
            end = put(out, rank, lost);
        }
    });
    if end.0 < count {
        end = put(out, blocks::<G>(), &Block::EMPTY);
    }
    FamilyResult {
        bytes: end.1,
        ..settled
    }
}

// Bytes of a sparse stream before those of its blocks.
fn bytes_before(count: usize) -> usize {
    HEAD + ENTRY * count
}

#[cfg(test)]
mod tests {
    use super::*;

    // Blocks that follow from a seed.
    fn blocks_of(mut random: u64) -> impl FnMut() -> Block {
        move || {
            let mut block = Block::EMPTY;
            for word in &mut block.0 {
                random = random.wrapping_mul(0xd129_0d3d_2d2b_c9a5).wrapping_add(11);
                *word = random ^ random >> 29;
            }
            block
        }
    }

    fn stored(registers: NeonBlock) -> Block {
        let mut block = Block::FULL;
        registers.store(&mut block);
        block
    }

    #[test]
    fn registers_make_what_words_make() {
        let mut next = blocks_of(3);
        // The symmetries of a square, a rotation of three and one of four.
        let turns = [
            [1, 0, 2, 3],
            [3, 2, 1, 0],
            [1, 2, 0, 3],
            [1, 2, 3, 0],
            [0, 1, 2, 3],
        ];
        for _ in 0..50 {
            let (one, two) = (next(), next());
            let (a, b) = (NeonBlock::load(&one), NeonBlock::load(&two));
            assert_eq!(stored(a.or(b)), one.or(&two));
            assert_eq!(stored(a.and(b)), one.and(&two));
            assert_eq!(stored(a.without(b)), one.without(&two));
            assert_eq!(stored(a.xor(b)), one.or(&two).without(&one.and(&two)));
            assert_eq!(stored(a.lowered()), one.lowered());
            for to in &turns {
                let turn = BlockSymmetry::new(to);
                assert_eq!(stored(a.turned(&turn.exchanges)), turn.back(&one), "{to:?}");
            }
        }
        assert!(NeonBlock::none().is_empty());
        for word in 0..4 {
            let mut block = Block::EMPTY;
            block.0[word] = 1 << 40;
            assert!(!NeonBlock::load(&block).is_empty());
        }
    }

    #[test]
    fn bytes_are_taken_from_where_they_were_written() {
        for set in 0..256_usize {
            let word = 0x8877_6655_4433_2211_u64;
            let kept = (0..8).filter(|byte| set >> byte & 1 == 1);
            let only = kept.fold(0, |kept, byte| kept | word & 0xFF << (8 * byte));
            assert_eq!(bytes_of(only), set);
            let (mut out, mut end, mut next) = ([0xAA; 16], 0, 0);
            join(&mut out, &mut end, word, set);
            assert_eq!(end, set.count_ones() as usize);
            assert_eq!(spread(&out, &mut next, set), Some(only));
            assert_eq!(next, end);
        }
        assert_eq!(spread(&[0; 7], &mut 0, 1), None);
    }
}
