//! The kernel for CPUs with 256-bit registers, and with instructions to gather and scatter bits.
//!
//! A register holds a block. Bits move word by word, in general registers, to and from memory. Some
//! blocks are written before the first of them is loaded as a whole, since a load of data that was
//! just stored in pieces is slow.
//!
//! The code uses only loops on arrays of registers: a library function like `map` is compiled for
//! every CPU, and then each instruction is a call.

#![allow(unsafe_code)]

use std::arch::x86_64::*;
use std::mem::MaybeUninit;

use super::blocks::{Block, FIRST_CAN_RISE, SECOND_CAN_RISE};
use super::grain::{Grain, room};
use super::kernel::{Mover, PackedKernel, Routine, WordLoops};
use super::list::SetBits;
use super::tables::{Tables, blocks, middles};
use super::turn::{BlockSymmetry, Exchanges};
use super::work::{ChildFamily, FamilyBlocks, FamilyResult};
use crate::sweep::Kernel as Instructions;

mod streams;

use streams::{BitReader, BitWriter, are_few};

/// Moves bits in one instruction. Only named inside [`enter`] and where wider instructions have been
/// found, so the CPU has it.
pub(super) struct Bmi2;

// SAFETY of both blocks: see `Bmi2`.
impl Mover for Bmi2 {
    #[inline(always)]
    fn extract(word: u64, mask: u64) -> u64 {
        // SAFETY: see above.
        unsafe { _pext_u64(word, mask) }
    }

    #[inline(always)]
    fn deposit(word: u64, mask: u64) -> u64 {
        // SAFETY: see above.
        unsafe { _pdep_u64(word, mask) }
    }
}

/// Only named inside [`enter`], so the CPU has the instructions that the methods use.
pub(super) struct Avx2;

/// Does a task.
///
/// # Panics
/// When the CPU lacks the instructions.
pub(super) fn run<const G: usize, T: Routine<G>>(task: T) -> T::Output {
    assert!(
        Instructions::Avx2.is_supported(),
        "chosen without asking the CPU"
    );
    // SAFETY: the CPU has every feature that `enter` is compiled for.
    unsafe { enter(task) }
}

#[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
fn enter<const G: usize, T: Routine<G>>(task: T) -> T::Output {
    const { assert!(G == 1 || G == 4) };
    task.run::<Avx2>()
}

/// Asks for the first lines of a stream to be brought near.
#[inline(always)]
pub(super) fn prefetch(stream: &[u8], lines: usize) {
    let first = stream.as_ptr();
    for line in 0..lines {
        // SAFETY: a prefetch reads nothing, and every x86-64 CPU has it.
        unsafe { _mm_prefetch::<_MM_HINT_T1>(first.wrapping_add(line << 6).cast()) }
    }
}

// SAFETY of every block below: `Avx2` is only used inside `enter`, which runs only after
// `is_supported` has found the features. Loads and stores are unaligned. Blocks are read and
// written through pointers to `blocks() + 1` of them, which is asserted, at ranks, which are less
// than `blocks()`, or at `blocks()`. Streams are read and written through slices of at least `room`
// bytes, which is asserted. No stream is longer than 32 bytes for each of the blocks, and at most 9
// bytes are read or written at a time.
impl<const G: usize> PackedKernel<G> for Avx2 {
    type Bits = Bmi2;

    #[inline(always)]
    fn prefetch(stream: &[u8], lines: usize) {
        prefetch(stream, lines);
    }

    #[inline(always)]
    fn begin(grain: Grain, work: &mut FamilyBlocks<G>) {
        match grain {
            Grain::Sparse | Grain::Byte | Grain::Code(_) => WordLoops::<Bmi2>::begin(grain, work),
            Grain::Bit => {
                work.own.fill_by_words(work.quiet);
                for rank in work.own.as_slice() {
                    work.found[usize::from(*rank)] = Block::EMPTY;
                }
            }
        }
    }

    #[inline(always)]
    fn add(
        tables: &Tables<G>,
        grain: Grain,
        work: &mut FamilyBlocks<G>,
        child: &ChildFamily<'_, G>,
    ) {
        match grain {
            Grain::Bit => add_bits(tables, work, child),
            Grain::Sparse | Grain::Byte | Grain::Code(_) => {
                WordLoops::<Bmi2>::add(tables, grain, work, child)
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
        match grain {
            Grain::Bit => settle_bits(tables, work, out),
            Grain::Sparse | Grain::Byte | Grain::Code(_) => {
                WordLoops::<Bmi2>::settle(tables, grain, work, out)
            }
        }
    }
}

/// Blocks that are written word by word before they are taken up.
const WAITING: usize = 64;

/// At cache lines, so that no block lies on two.
#[repr(C, align(64))]
struct AlignedBlocks([MaybeUninit<[u64; 4]>; WAITING]);

#[inline(always)]
fn add_bits<const G: usize>(
    tables: &Tables<G>,
    work: &mut FamilyBlocks<G>,
    child: &ChildFamily<'_, G>,
) {
    let turn = &tables.turns[child.symmetry];
    match (are_few(&child.open), turn.identity) {
        (true, true) => add_turned::<G, true, false>(tables, work, child, turn),
        (true, false) => add_turned::<G, true, true>(tables, work, child, turn),
        (false, true) => add_turned::<G, false, false>(tables, work, child, turn),
        (false, false) => add_turned::<G, false, true>(tables, work, child, turn),
    }
}

// `FEW` as `are_few` found; turned back if `T`.
#[inline(always)]
fn add_turned<const G: usize, const FEW: bool, const T: bool>(
    tables: &Tables<G>,
    work: &mut FamilyBlocks<G>,
    child: &ChildFamily<'_, G>,
    turn: &BlockSymmetry,
) {
    assert!(
        child.stream.len() >= room(Grain::Bit, G),
        "less room than a stream may take"
    );
    let origins = &tables.origins[child.symmetry];
    let mixed = &tables.mixed;
    let FamilyBlocks { found, list, .. } = work;
    list.fill_by_words(child.quiet);
    let mut waiting = AlignedBlocks([MaybeUninit::uninit(); WAITING]);
    let mut scattering = BitReader {
        first: child.stream.as_ptr(),
        bit: 0,
    };
    for ranks in list.as_slice().chunks(WAITING) {
        for (rank, block) in ranks.iter().zip(&mut waiting.0) {
            let open = child.open.and(&mixed[usize::from(*rank)]);
            // SAFETY: see above.
            block.write(unsafe { scattering.block::<FEW>(&open) });
        }
        for (rank, block) in ranks.iter().zip(&waiting.0) {
            let found = &mut found[usize::from(origins[usize::from(*rank)])];
            // SAFETY: see above; as many blocks were written.
            unsafe {
                let mut lost = load(block.assume_init_ref());
                if T {
                    lost = turned(lost, &turn.exchanges);
                }
                lost = _mm256_or_si256(load(&found.0), lost);
                store(&mut found.0, lost);
            }
        }
    }
}

#[inline(always)]
unsafe fn load(block: &[u64; 4]) -> __m256i {
    // SAFETY: see above.
    unsafe { _mm256_loadu_si256(block.as_ptr().cast()) }
}

#[inline(always)]
unsafe fn store(block: &mut [u64; 4], register: __m256i) {
    // SAFETY: see above.
    unsafe { _mm256_storeu_si256(block.as_mut_ptr().cast(), register) }
}

// A block turned back.
#[inline(always)]
unsafe fn turned(block: __m256i, by: &Exchanges) -> __m256i {
    // SAFETY: see above.
    unsafe {
        let mut block = block;
        if let Some(bytes) = &by.first {
            block = shuffled(block, bytes);
        }
        for swap in &by.swaps {
            let distance = _mm_cvtsi32_si128(swap.distance as i32);
            let mask = _mm256_set1_epi64x(swap.mask as i64);
            let moved = _mm256_xor_si256(block, _mm256_srl_epi64(block, distance));
            let moved = _mm256_and_si256(moved, mask);
            let both = _mm256_xor_si256(moved, _mm256_sll_epi64(moved, distance));
            block = _mm256_xor_si256(block, both);
        }
        if let Some(bytes) = &by.last {
            block = shuffled(block, bytes);
        }
        block
    }
}

// The bytes of a block from where they come from.
#[inline(always)]
unsafe fn shuffled(block: __m256i, from: &[u8; 32]) -> __m256i {
    // SAFETY: see above.
    unsafe {
        let from = _mm256_loadu_si256(from.as_ptr().cast());
        // Bytes of the same half, and of the other one: the top bit makes a byte 0.
        let halves = _mm256_set_epi64x(0x1010_1010_1010_1010, 0x1010_1010_1010_1010, 0, 0);
        let crossing = _mm256_slli_epi16::<3>(_mm256_xor_si256(from, halves));
        let staying = _mm256_xor_si256(crossing, _mm256_set1_epi8(-128));
        let place = _mm256_and_si256(from, _mm256_set1_epi8(15));
        let top = _mm256_set1_epi8(-128);
        let same = _mm256_or_si256(place, _mm256_and_si256(crossing, top));
        let other = _mm256_or_si256(place, _mm256_and_si256(staying, top));
        let swapped = _mm256_permute2x128_si256::<1>(block, block);
        _mm256_or_si256(
            _mm256_shuffle_epi8(block, same),
            _mm256_shuffle_epi8(swapped, other),
        )
    }
}

/// Blocks that are settled side by side.
const R: usize = 4;

// Blocks of some ranks side by side.
#[inline(always)]
unsafe fn some(blocks: *const Block, ranks: &[usize; R]) -> [__m256i; R] {
    // SAFETY: see above.
    unsafe {
        let mut registers = [_mm256_setzero_si256(); R];
        for (register, rank) in registers.iter_mut().zip(ranks) {
            *register = load(&(*blocks.add(*rank)).0);
        }
        registers
    }
}

/// The positions of a block from which a raise of one of the four squares leads into the set.
#[inline(always)]
unsafe fn lowered(lost: __m256i) -> __m256i {
    // SAFETY: see above.
    unsafe {
        let can_rise = _mm256_set1_epi64x(FIRST_CAN_RISE as i64);
        let first = _mm256_and_si256(_mm256_srli_epi64::<1>(lost), can_rise);
        let can_rise = _mm256_set1_epi64x(SECOND_CAN_RISE as i64);
        let second = _mm256_and_si256(_mm256_srli_epi64::<4>(lost), can_rise);
        let third = _mm256_srli_epi64::<16>(lost);
        // Each word takes the next one, the last of them none.
        let upper = _mm256_permute2x128_si256::<0x81>(lost, lost);
        let fourth = _mm256_alignr_epi8::<8>(upper, lost);
        let two = _mm256_or_si256(first, second);
        _mm256_or_si256(_mm256_or_si256(two, third), fourth)
    }
}

// Those of `left` from which no raise inside the block leads to a lost position.
#[inline(always)]
unsafe fn step(left: &[__m256i; R], lost: &[__m256i; R]) -> [__m256i; R] {
    // SAFETY: see above.
    unsafe {
        let mut still = *left;
        for (still, lost) in still.iter_mut().zip(lost) {
            *still = _mm256_andnot_si256(lowered(*lost), *still);
        }
        still
    }
}

// `R` blocks of equal sum at a time: they do not depend on each other.
#[inline(always)]
fn settle_bits<const G: usize>(
    tables: &Tables<G>,
    work: &mut FamilyBlocks<G>,
    out: &mut [u8],
) -> FamilyResult {
    let none = blocks::<G>();
    let FamilyBlocks {
        open,
        found,
        lost: all_lost,
        own: list,
        ..
    } = work;
    assert!(
        out.len() >= room(Grain::Bit, G)
            && tables.mixed.len() > none
            && found.len() > none
            && all_lost.len() > none,
        "less room than a stream or its family may take"
    );
    let (mixed, found, lost) = (tables.mixed.as_ptr(), found.as_ptr(), all_lost.as_mut_ptr());
    // SAFETY: see above.
    unsafe {
        let all = load(&open.0);
        let mut place = 0;
        while place < list.count {
            let (ranks, taken) = list.of_equal_sum::<R>(place, &tables.sums, none);
            place += taken;
            let mut won = some(found, &ranks);
            for square in 0..middles::<G>() {
                let mut raised = [none; R];
                for (raised, rank) in raised.iter_mut().zip(&ranks) {
                    *raised = usize::from(tables.raised[*rank][square]);
                }
                let raised = some(lost, &raised);
                for (won, raised) in won.iter_mut().zip(raised) {
                    *won = _mm256_or_si256(*won, raised);
                }
            }
            let mut left = some(mixed, &ranks);
            for (left, won) in left.iter_mut().zip(won) {
                *left = _mm256_andnot_si256(won, _mm256_and_si256(*left, all));
            }
            let mut now = left;
            loop {
                let once = step(&left, &now);
                now = step(&left, &once);
                let mut moved = _mm256_setzero_si256();
                for (once, twice) in once.into_iter().zip(now) {
                    moved = _mm256_or_si256(moved, _mm256_xor_si256(once, twice));
                }
                if _mm256_testz_si256(moved, moved) == 1 {
                    break;
                }
            }
            for (now, rank) in now.into_iter().zip(ranks) {
                store(&mut (*lost.add(rank)).0, now);
            }
        }
        let settled = if are_few(open) {
            gathered::<true>(&tables.mixed, all_lost, open, list, out)
        } else {
            gathered::<false>(&tables.mixed, all_lost, open, list, out)
        };
        for rank in list.as_slice() {
            all_lost[usize::from(*rank)] = Block::EMPTY;
        }
        settled
    }
}

// Writes what was settled.
#[inline(always)]
unsafe fn gathered<const FEW: bool>(
    mixed: &[Block],
    lost: &[Block],
    open: &Block,
    list: &SetBits,
    out: &mut [u8],
) -> FamilyResult {
    let mut gathering = BitWriter::new(out);
    for rank in list.as_slice() {
        let rank = usize::from(*rank);
        let open = open.and(&mixed[rank]);
        // SAFETY: see above.
        unsafe { gathering.push::<FEW>(&open, &lost[rank]) };
    }
    // SAFETY: see above.
    unsafe { gathering.finish() }
}
