//! The kernel for CPUs with 512-bit registers that compress and expand bytes. Bits are moved word by
//! word, and all else is done in registers too.
//!
//! A register holds two blocks. Several are worked on side by side, since each step waits for the one
//! before.
//!
//! The code uses only loops on arrays of registers: a library function like `map` is compiled for
//! every CPU, and then each instruction is a call.

#![allow(unsafe_code)]

use std::arch::x86_64::*;

use super::avx2::{self, Bmi2};
use super::blocks::{Block, FIRST_CAN_RISE, SECOND_CAN_RISE};
use super::codes::avx512 as codes;
use super::grain::{ByteMeaning, Grain, room};
use super::kernel::{PackedKernel, Routine};
use super::layout::MIDDLE;
use super::list::SetBits;
use super::sparse;
use super::tables::{Ranks, Tables, blocks, middles, numbers};
use super::turn::BlockSymmetry;
use super::work::{ChildFamily, FamilyBlocks, FamilyResult, UndecidedCounts};
use crate::sweep::Kernel as Instructions;

mod streams;

use streams::{StreamCursor, WordWriter};

/// Only named inside [`enter`], so the CPU has the instructions that the methods use.
pub(super) struct Avx512;

/// Whether this CPU can run it.
pub(super) fn is_supported() -> bool {
    Instructions::Avx512.is_supported()
        && is_x86_feature_detected!("avx512vbmi")
        && is_x86_feature_detected!("avx512vbmi2")
        && is_x86_feature_detected!("gfni")
}

/// Does a task.
///
/// # Panics
/// When the CPU lacks the instructions.
pub(super) fn run<const G: usize, T: Routine<G>>(task: T) -> T::Output {
    assert!(is_supported(), "chosen without asking the CPU");
    // SAFETY: the CPU has every feature that `enter` is compiled for.
    unsafe { enter(task) }
}

#[target_feature(
    enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vpopcntdq,avx512vbmi,avx512vbmi2,gfni,avx2,popcnt,bmi1,bmi2"
)]
fn enter<const G: usize, T: Routine<G>>(task: T) -> T::Output {
    const { assert!(G == 1 || G == 4) };
    task.run::<Avx512>()
}

// Truth tables of three-input functions: bit 4a + 2b + c of the constant.
const OR3: i32 = 0xFE;
const A_OR_B_AND_C: i32 = 0xF8;
const A_OR_B_XOR_C: i32 = 0xF6;

/// How streams are read and written.
const BYTE: u8 = 0;
const BIT: u8 = 1;
const SPARSE: u8 = 2;

/// Steps after which blocks are first looked at, an even number: few stand still before.
const UNCHECKED: usize = 2;

/// One byte of each row of the unit matrix.
const UNIT: i64 = i64::from_le_bytes([1, 2, 4, 8, 16, 32, 64, 128]);

// SAFETY of every block below: `Avx512` is only used inside `enter`, which is entered only after
// `is_supported` has found the features. Loads and stores are unaligned. Blocks are read and
// written through pointers to `blocks() + 1` of them, which is asserted, at ranks, which are less
// than `blocks()`, or at `blocks()`. With the sparse grain they go to `numbers()` of them, at any
// number below. Streams are read and written through slices of at least `room` bytes, which is
// asserted. No stream is longer than 32 bytes for each of the blocks, or with the sparse grain than
// its entries and these. At most 64 bytes are read or written at a time.
impl<const G: usize> PackedKernel<G> for Avx512 {
    type Bits = Bmi2;

    #[inline(always)]
    fn least(images: &[u64; 8], raises: &[u64; 8]) -> (u64, usize) {
        // SAFETY: see above.
        unsafe {
            let images = _mm512_loadu_si512(images.as_ptr().cast());
            let raises = _mm512_loadu_si512(raises.as_ptr().cast());
            let raised = _mm512_add_epi64(images, raises);
            let halves = _mm512_shuffle_i64x2::<0b01_00_11_10>(raised, raised);
            let least = _mm512_min_epu64(raised, halves);
            let quarters = _mm512_shuffle_i64x2::<0b10_11_00_01>(least, least);
            let least = _mm512_min_epu64(least, quarters);
            let others = _mm512_permutex_epi64::<0b10_11_00_01>(least);
            let least = _mm512_min_epu64(least, others);
            let equal = _mm512_cmpeq_epi64_mask(raised, least);
            let first = _mm_cvtsi128_si64(_mm512_castsi512_si128(least));
            (first as u64, equal.trailing_zeros() as usize)
        }
    }

    #[inline(always)]
    fn undecided(
        tables: &Tables<G>,
        open: &Block,
        quiet: Ranks<G>,
        list: &mut SetBits,
    ) -> UndecidedCounts {
        assert!(
            tables.mixed.len() > blocks::<G>(),
            "less than there are blocks"
        );
        list.fill(quiet);
        let mixed = tables.mixed.as_ptr();
        // SAFETY: see above; entries beyond the list are less than `blocks()`, too.
        unsafe {
            let open = spread(open);
            let mut positions = _mm512_setzero_si512();
            let (mut bytes, mut halves) = (0_u32, 0_u32);
            for place in (0..list.count).step_by(2) {
                let [mut both] = load::<1>(mixed, &list.some::<2>(place));
                both = _mm512_and_si512(both, open);
                // Beside the last of an odd number is what counts for nothing.
                if place.wrapping_add(1) == list.count {
                    both = _mm512_maskz_mov_epi64(0b0000_1111, both);
                }
                positions = _mm512_add_epi64(positions, _mm512_popcnt_epi64(both));
                let some = _mm512_test_epi8_mask(both, both);
                bytes = bytes.wrapping_add(some.count_ones());
                let first = u32::from(some as u32 != 0);
                halves = halves.wrapping_add(first.wrapping_add(u32::from(some >> 32 != 0)));
            }
            UndecidedCounts {
                positions: _mm512_reduce_add_epi64(positions) as u64,
                bytes: bytes.into(),
                blocks: halves.into(),
            }
        }
    }

    #[inline(always)]
    fn prefetch(stream: &[u8], lines: usize) {
        avx2::prefetch(stream, lines);
    }

    #[inline(always)]
    fn begin(grain: Grain, work: &mut FamilyBlocks<G>) {
        let FamilyBlocks {
            quiet,
            found,
            own: list,
            ..
        } = work;
        list.fill(*quiet);
        if let Grain::Code(_) = grain {
            return;
        }
        assert!(found.len() > blocks::<G>(), "less room than a family takes");
        let found = found.as_mut_ptr();
        for place in (0..list.count).step_by(R) {
            // SAFETY: see above; entries beyond the list are less than `blocks()`, too.
            unsafe { store::<N>(&[_mm512_setzero_si512(); N], found, &list.some::<R>(place)) };
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
            Grain::Sparse => add_grain::<G, SPARSE>(tables, work, child),
            Grain::Byte => add_grain::<G, BYTE>(tables, work, child),
            Grain::Bit => add_grain::<G, BIT>(tables, work, child),
            Grain::Code(ByteMeaning::Distance | ByteMeaning::Points) => {
                codes::add::<G, 1>(tables, work, child)
            }
            Grain::Code(ByteMeaning::Nimber) => codes::add::<G, 2>(tables, work, child),
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
            Grain::Sparse => settle_units::<G, SPARSE>(tables, work, out),
            Grain::Byte => settle_units::<G, BYTE>(tables, work, out),
            Grain::Bit => settle_units::<G, BIT>(tables, work, out),
            Grain::Code(ByteMeaning::Distance) => codes::settle::<G, 1, false>(tables, work, out),
            Grain::Code(ByteMeaning::Nimber) => codes::settle::<G, 2, false>(tables, work, out),
            Grain::Code(ByteMeaning::Points) => codes::settle::<G, 1, true>(tables, work, out),
        }
    }
}

/// Two blocks turned back, by as many transpositions; −1 leaves them alone.
#[inline(always)]
unsafe fn turned<const T: i32>(both: __m512i, shuffles: &[__m512i; 3]) -> __m512i {
    // SAFETY: see above.
    unsafe {
        let unit = _mm512_set1_epi64(UNIT);
        let mut both = both;
        if T >= 0 {
            both = _mm512_permutexvar_epi8(shuffles[0], both);
        }
        if T >= 1 {
            both = _mm512_gf2p8affine_epi64_epi8::<0>(unit, both);
            both = _mm512_permutexvar_epi8(shuffles[1], both);
        }
        if T >= 2 {
            both = _mm512_gf2p8affine_epi64_epi8::<0>(unit, both);
            both = _mm512_permutexvar_epi8(shuffles[2], both);
        }
        both
    }
}

// Blocks of some ranks side by side, two in each register.
#[inline(always)]
unsafe fn load<const N: usize>(blocks: *const Block, ranks: &[usize]) -> [__m512i; N] {
    // SAFETY: see above.
    unsafe {
        let mut registers = [_mm512_setzero_si512(); N];
        for (number, register) in registers.iter_mut().enumerate() {
            let (one, two) = (ranks[2 * number], ranks[2 * number + 1]);
            let one = _mm256_loadu_si256(blocks.add(one).cast());
            let two = _mm256_loadu_si256(blocks.add(two).cast());
            *register = _mm512_inserti64x4::<1>(_mm512_castsi256_si512(one), two);
        }
        registers
    }
}

#[inline(always)]
unsafe fn store<const N: usize>(registers: &[__m512i; N], blocks: *mut Block, ranks: &[usize]) {
    // SAFETY: see above.
    unsafe {
        for (number, register) in registers.iter().enumerate() {
            let (one, two) = (ranks[2 * number], ranks[2 * number + 1]);
            let (low, high) = (
                _mm512_castsi512_si256(*register),
                _mm512_extracti64x4_epi64::<1>(*register),
            );
            _mm256_storeu_si256(blocks.add(one).cast(), low);
            _mm256_storeu_si256(blocks.add(two).cast(), high);
        }
    }
}

// What far squares leave undecided, for both blocks of a register.
#[inline(always)]
unsafe fn spread(open: &Block) -> __m512i {
    // SAFETY: see above.
    unsafe { _mm512_broadcast_i64x4(_mm256_loadu_si256(open.0.as_ptr().cast())) }
}

// By how the symmetry turns blocks.
#[inline(always)]
fn add_grain<const G: usize, const GRAIN: u8>(
    tables: &Tables<G>,
    work: &mut FamilyBlocks<G>,
    child: &ChildFamily<'_, G>,
) {
    let turn = &tables.turns[child.symmetry];
    match turn.transpositions {
        // A symmetry that leaves the low squares alone may still move the middle ones.
        _ if child.symmetry == 0 => add_by::<G, GRAIN, -1>(tables, work, child, turn),
        0 => add_by::<G, GRAIN, 0>(tables, work, child, turn),
        1 => add_by::<G, GRAIN, 1>(tables, work, child, turn),
        _ => add_by::<G, GRAIN, 2>(tables, work, child, turn),
    }
}

#[inline(always)]
fn add_by<const G: usize, const GRAIN: u8, const T: i32>(
    tables: &Tables<G>,
    work: &mut FamilyBlocks<G>,
    child: &ChildFamily<'_, G>,
    turn: &BlockSymmetry,
) {
    match GRAIN {
        SPARSE => add_entries::<G, T>(tables, work, child, turn),
        BIT => add_turned::<G, true, T>(tables, work, child, turn),
        _ => add_turned::<G, false, T>(tables, work, child, turn),
    }
}

// What turns blocks back.
#[inline(always)]
unsafe fn shuffles(turn: &BlockSymmetry) -> [__m512i; 3] {
    // SAFETY: see above.
    unsafe {
        [
            _mm512_loadu_si512(turn.shuffles[0].as_ptr().cast()),
            _mm512_loadu_si512(turn.shuffles[1].as_ptr().cast()),
            _mm512_loadu_si512(turn.shuffles[2].as_ptr().cast()),
        ]
    }
}

// Two blocks at a time.
#[inline(always)]
fn add_turned<const G: usize, const BITS: bool, const T: i32>(
    tables: &Tables<G>,
    work: &mut FamilyBlocks<G>,
    child: &ChildFamily<'_, G>,
    turn: &BlockSymmetry,
) {
    let FamilyBlocks { found, list, .. } = work;
    let origins = &*tables.origins[child.symmetry];
    assert!(
        child.stream.len() >= room(Grain::Byte, G)
            && tables.mixed.len() > blocks::<G>()
            && found.len() > blocks::<G>()
            && origins.len() > blocks::<G>(),
        "less room than a stream or its family may take"
    );
    list.fill(child.quiet);
    let mixed = tables.mixed.as_ptr();
    let found = found.as_mut_ptr();
    // SAFETY: see above. The code reads the stream ahead of its use by two registers beyond its end
    // or less: there may be three blocks that the list does not have.
    unsafe {
        let shuffles = shuffles(turn);
        let open = spread(&child.open);
        let mut reading = StreamCursor {
            next: child.stream.as_ptr(),
            bit: 0,
        };
        let mut ranks = list.some::<2>(0);
        let [both] = load::<1>(mixed, &ranks);
        let mut packed = reading.step::<BITS>(both, open);
        let mut place = 0;
        while place < list.count {
            place += 2;
            let ranks_ahead = list.some::<2>(place);
            let [both] = load::<1>(mixed, &ranks_ahead);
            let ahead = reading.step::<BITS>(both, open);
            if T >= 0 {
                for rank in &mut ranks {
                    *rank = usize::from(*origins.get_unchecked(*rank));
                }
            }
            // Beside the last of an odd number is what counts for nothing.
            if place > list.count {
                ranks[1] = blocks::<G>();
            }
            let [after] = load::<1>(found, &ranks);
            let (bytes, lost) = packed;
            let lost = if BITS {
                lost
            } else {
                _mm512_maskz_expand_epi8(bytes, lost)
            };
            let lost = turned::<T>(lost, &shuffles);
            store::<1>(&[_mm512_or_si512(after, lost)], found, &ranks);
            (ranks, packed) = (ranks_ahead, ahead);
        }
    }
}

// Two blocks at a time, of those that the stream has. One that somebody forged may say anything: nothing is
// read or written beyond what there is room for.
#[inline(always)]
fn add_entries<const G: usize, const T: i32>(
    tables: &Tables<G>,
    work: &mut FamilyBlocks<G>,
    child: &ChildFamily<'_, G>,
    turn: &BlockSymmetry,
) {
    let origins = &*tables.origins[child.symmetry];
    let found = &mut work.found;
    assert!(
        child.stream.len() >= room(Grain::Sparse, G)
            && found.len() == numbers::<G>()
            && origins.len() == numbers::<G>(),
        "less room than a stream or its family may take"
    );
    let found = found.as_mut_ptr();
    let number = numbers::<G>() - 1;
    // SAFETY: see above. There are no more entries than blocks, and no more than 32 bytes for each;
    // the code reads one register beyond.
    unsafe {
        let shuffles = shuffles(turn);
        let first = child.stream.as_ptr();
        let count = usize::from(first.cast::<u16>().read_unaligned()).min(blocks::<G>());
        let ranks = first.add(sparse::HEAD);
        let masks = ranks.add(2 * count);
        let mut next = ranks.add(sparse::ENTRY * count);
        let mut packed = _mm512_loadu_si512(next.cast());
        for pair in 0..count / 2 {
            let mask = masks.cast::<u64>().add(pair).read_unaligned();
            next = next.add(mask.count_ones() as usize);
            let ahead = _mm512_loadu_si512(next.cast());
            let two = ranks.cast::<u32>().add(pair).read_unaligned() as usize;
            let mut ranks = [two & number, two >> 16 & number];
            if T >= 0 {
                for rank in &mut ranks {
                    *rank = usize::from(*origins.get_unchecked(*rank));
                }
            }
            let lost = turned::<T>(_mm512_maskz_expand_epi8(mask, packed), &shuffles);
            let [after] = load::<1>(found, &ranks);
            store::<1>(&[_mm512_or_si512(after, lost)], found, &ranks);
            packed = ahead;
        }
    }
}

/// The positions of two blocks from which a raise of one of the four squares leads into the sets.
#[inline(always)]
unsafe fn lowered(lost: __m512i) -> __m512i {
    // SAFETY: see above.
    unsafe {
        let first = _mm512_srli_epi64::<1>(lost);
        let second = _mm512_srli_epi64::<4>(lost);
        let third = _mm512_srli_epi64::<16>(lost);
        // Each word takes the next one of its block, the last of them none.
        let fourth = _mm512_maskz_permutex_epi64::<0b11_11_10_01>(0b0111_0111, lost);
        let mask = _mm512_set1_epi64(FIRST_CAN_RISE as i64);
        let to = _mm512_ternarylogic_epi64::<A_OR_B_AND_C>(third, first, mask);
        let mask = _mm512_set1_epi64(SECOND_CAN_RISE as i64);
        let to = _mm512_ternarylogic_epi64::<A_OR_B_AND_C>(to, second, mask);
        _mm512_or_si512(to, fourth)
    }
}

/// Registers that are settled side by side, and the blocks in them.
const N: usize = 2;
const R: usize = 2 * N;

// `R` blocks of equal sum at a time: they do not depend on each other.
#[inline(always)]
fn settle_units<const G: usize, const GRAIN: u8>(
    tables: &Tables<G>,
    work: &mut FamilyBlocks<G>,
    out: &mut [u8],
) -> FamilyResult {
    let none = blocks::<G>();
    let FamilyBlocks {
        open,
        found,
        lost,
        own: list,
        masks: filled,
        ..
    } = work;
    let grain = if GRAIN == SPARSE {
        Grain::Sparse
    } else {
        Grain::Byte
    };
    assert!(
        out.len() >= room(grain, G)
            && tables.mixed.len() > none
            && found.len() > none
            && lost.len() > none,
        "less room than a stream or its family may take"
    );
    let (mixed, found, lost) = (tables.mixed.as_ptr(), found.as_ptr(), lost.as_mut_ptr());
    let first = out.as_mut_ptr();
    let mut next = first;
    let mut gathering = WordWriter {
        next: first,
        word: 0,
        filled: 0,
    };
    // SAFETY: see above.
    unsafe {
        let open = spread(open);
        let mut undecided_sum = _mm512_setzero_si512();
        let mut lost_sum = _mm512_setzero_si512();
        let mut place = 0;
        while place < list.count {
            let (ranks, taken) = list.of_equal_sum::<R>(place, &tables.sums, none);
            let filled = filled.as_mut_ptr().add(place);
            place += taken;
            let mut won = load::<N>(found, &ranks);
            const { assert!(MIDDLE == 5) };
            for pair in &[[0, 1], [2, 3], [4, 4]][..middles::<G>().div_ceil(2)] {
                let (mut one, mut two) = ([none; R], [none; R]);
                for (number, rank) in ranks.iter().enumerate() {
                    let raised = &tables.raised[*rank];
                    one[number] = usize::from(raised[pair[0]]);
                    two[number] = usize::from(raised[pair[1]]);
                }
                let (one, two) = (load::<N>(lost, &one), load::<N>(lost, &two));
                for (number, won) in won.iter_mut().enumerate() {
                    *won = _mm512_ternarylogic_epi64::<OR3>(*won, one[number], two[number]);
                }
            }
            let mut masks = load::<N>(mixed, &ranks);
            let mut left = masks;
            for (number, mask) in masks.iter_mut().enumerate() {
                *mask = _mm512_and_si512(*mask, open);
                left[number] = _mm512_andnot_si512(won[number], *mask);
            }
            let mut now = left;
            for _ in 0..UNCHECKED {
                now = step(&left, &now);
            }
            loop {
                let once = step(&left, &now);
                let twice = step(&left, &once);
                now = twice;
                let mut moved = _mm512_xor_si512(once[0], twice[0]);
                for number in 1..N {
                    moved = _mm512_ternarylogic_epi64::<A_OR_B_XOR_C>(
                        moved,
                        once[number],
                        twice[number],
                    );
                }
                if _mm512_test_epi64_mask(moved, moved) == 0 {
                    break;
                }
            }
            store::<N>(&now, lost, &ranks);
            // Registers of blocks that are there.
            let used = (N * taken).div_ceil(R);
            for (number, (mask, now)) in masks.into_iter().zip(now).take(used).enumerate() {
                undecided_sum = _mm512_add_epi64(undecided_sum, _mm512_popcnt_epi64(mask));
                lost_sum = _mm512_add_epi64(lost_sum, _mm512_popcnt_epi64(now));
                if GRAIN == SPARSE {
                    let bytes = _mm512_test_epi8_mask(now, now);
                    filled.cast::<u64>().add(number).write_unaligned(bytes);
                    continue;
                }
                if GRAIN == BIT {
                    gathering.push(mask, now);
                    continue;
                }
                let bytes = _mm512_test_epi8_mask(mask, mask);
                _mm512_storeu_si512(next.cast(), _mm512_maskz_compress_epi8(bytes, now));
                next = next.add(bytes.count_ones() as usize);
            }
        }
        if GRAIN == SPARSE {
            next = list.write_sparse::<G>(filled, lost, first);
        } else {
            for place in (0..list.count).step_by(R) {
                // Blocks beyond the list are empty in any case.
                let ranks = list.some::<R>(place);
                store::<N>(&[_mm512_setzero_si512(); N], lost, &ranks);
            }
        }
        if GRAIN == BIT {
            next = gathering.finish();
        }
        FamilyResult {
            bytes: next.offset_from_unsigned(first),
            undecided: _mm512_reduce_add_epi64(undecided_sum) as u64,
            lost: _mm512_reduce_add_epi64(lost_sum) as u64,
            longest: 0,
        }
    }
}

// Those of `left` from which no raise inside the block leads to a lost position.
#[inline(always)]
unsafe fn step(left: &[__m512i; N], lost: &[__m512i; N]) -> [__m512i; N] {
    // SAFETY: see above.
    unsafe {
        let mut still = *left;
        for (still, lost) in still.iter_mut().zip(lost) {
            *still = _mm512_andnot_si512(lowered(*lost), *still);
        }
        still
    }
}
