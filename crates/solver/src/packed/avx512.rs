//! The kernel for CPUs with 512-bit registers that compress and expand bytes.
//!
//! A register holds two groups: half a block of 1,024 positions, or two blocks of 256.

#![allow(unsafe_code)]

use std::arch::x86_64::*;

use super::avx2::Bmi2;
use super::blocks::{Block, FIRST_CAN_RISE, SECOND_CAN_RISE};
use super::engine::Task;
use super::kernel::{Child, Grain, Kernel, Mover, Settled, Words, Work, room};
use super::tables::{BLOCKS, Ranks, Tables};
use super::turn::Turn;
use crate::sweep::Kernel as Instructions;

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
pub(super) fn run<const G: usize, T: Task<G>>(task: T) -> T::Output {
    assert!(is_supported(), "chosen without asking the CPU");
    // SAFETY: the CPU has every feature that `enter` is compiled for.
    unsafe { enter(task) }
}

#[target_feature(
    enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vpopcntdq,avx512vbmi,avx512vbmi2,gfni,avx2,popcnt,bmi1,bmi2"
)]
fn enter<const G: usize, T: Task<G>>(task: T) -> T::Output {
    const { assert!(G == 1 || G == 4) };
    task.run::<Avx512>()
}

// Truth tables of three-input functions: bit 4a + 2b + c of the constant.
const OR3: i32 = 0xFE;
const A_OR_B_AND_C: i32 = 0xF8;

/// One byte of each row of the unit matrix.
const UNIT: i64 = i64::from_le_bytes([1, 2, 4, 8, 16, 32, 64, 128]);

// SAFETY of every block below: `Avx512` is only used inside `enter`, which is entered only after
// `is_supported` has found the features. Loads and stores are unaligned. Blocks are read and
// written through pointers into vectors that have `BLOCKS + 1` of them, at ranks, which are less
// than 256, or at `BLOCKS`. Streams are read and written through slices of at least `room` bytes,
// which is asserted: no stream is longer than 32 bytes for each of the 256 G groups, and 64 bytes
// are read or written at a time.
impl<const G: usize> Kernel<G> for Avx512 {
    #[inline(always)]
    fn extract(word: u64, mask: u64) -> u64 {
        Bmi2::extract(word, mask)
    }

    #[inline(always)]
    fn prefetch(stream: &[u8]) {
        let first = stream.as_ptr();
        for line in 0..8 {
            // SAFETY: see above; a prefetch reads nothing.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(first.wrapping_add(64 * line).cast()) }
        }
    }

    #[inline(always)]
    fn add(tables: &Tables<G>, grain: Grain, work: &mut Work<G>, child: &Child<'_, G>) {
        if grain == Grain::Bit {
            return Words::<Bmi2>::add(tables, grain, work, child);
        }
        let turn = &tables.turns[child.symmetry];
        match turn.transpositions {
            // A symmetry that leaves the low squares alone may still move the middle ones.
            _ if child.symmetry == 0 => add_bytes::<G, -1>(tables, work, child, turn),
            0 => add_bytes::<G, 0>(tables, work, child, turn),
            1 => add_bytes::<G, 1>(tables, work, child, turn),
            _ => add_bytes::<G, 2>(tables, work, child, turn),
        }
    }

    #[inline(always)]
    fn settle(
        tables: &Tables<G>,
        grain: Grain,
        work: &mut Work<G>,
        open: &Block<G>,
        quiet: Ranks,
        out: &mut [u8],
    ) -> Settled {
        if grain == Grain::Bit {
            return Words::<Bmi2>::settle(tables, grain, work, open, quiet, out);
        }
        if G == 1 {
            settle_pairs(tables, work, open, quiet, out)
        } else {
            settle_blocks(tables, work, open, quiet, out)
        }
    }
}

// The set bits as a list, and one more entry that is `rank 0`, for who reads in pairs.
#[inline(always)]
fn list(ranks: Ranks, list: &mut [u8; BLOCKS + 64]) -> usize {
    // SAFETY: see above; 64 bytes are written at places up to 256.
    unsafe {
        let steps = _mm512_loadu_si512(NUMBERS.as_ptr().cast());
        let mut count = 0;
        for (number, word) in ranks.iter().enumerate() {
            let all = _mm512_add_epi8(steps, _mm512_set1_epi8((64 * number) as i8));
            let packed = _mm512_maskz_compress_epi8(*word, all);
            _mm512_storeu_si512(list.as_mut_ptr().add(count).cast(), packed);
            count += word.count_ones() as usize;
        }
        count
    }
}

const NUMBERS: [u8; 64] = {
    let mut numbers = [0; 64];
    let mut number = 0;
    while number < 64 {
        numbers[number] = number as u8;
        number += 1;
    }
    numbers
};

/// Two groups turned back, by as many transpositions; −1 leaves them alone.
#[inline(always)]
unsafe fn turned<const T: i32>(groups: __m512i, shuffles: &[__m512i; 3]) -> __m512i {
    // SAFETY: see above.
    unsafe {
        let unit = _mm512_set1_epi64(UNIT);
        let mut groups = groups;
        if T >= 0 {
            groups = _mm512_permutexvar_epi8(shuffles[0], groups);
        }
        if T >= 1 {
            groups = _mm512_gf2p8affine_epi64_epi8::<0>(unit, groups);
            groups = _mm512_permutexvar_epi8(shuffles[1], groups);
        }
        if T >= 2 {
            groups = _mm512_gf2p8affine_epi64_epi8::<0>(unit, groups);
            groups = _mm512_permutexvar_epi8(shuffles[2], groups);
        }
        groups
    }
}

#[inline(always)]
fn add_bytes<const G: usize, const T: i32>(
    tables: &Tables<G>,
    work: &mut Work<G>,
    child: &Child<'_, G>,
    turn: &Turn,
) {
    assert!(
        child.stream.len() >= room(G),
        "less room than a stream may take"
    );
    assert!(work.found.len() > BLOCKS && tables.mixed.len() > BLOCKS);
    let origins = &tables.origins[child.symmetry];
    let mut ranks = [0; BLOCKS + 64];
    let count = list(child.quiet, &mut ranks);
    let mixed = tables.mixed.as_ptr();
    let found = work.found.as_mut_ptr();
    let mut next = child.stream.as_ptr();
    // SAFETY: see above.
    unsafe {
        let shuffles = [
            _mm512_loadu_si512(turn.shuffles[0].as_ptr().cast()),
            _mm512_loadu_si512(turn.shuffles[1].as_ptr().cast()),
            _mm512_loadu_si512(turn.shuffles[2].as_ptr().cast()),
        ];
        if G == 1 {
            let open = _mm512_broadcast_i64x4(_mm256_loadu_si256((&raw const child.open).cast()));
            let mut place = 0;
            while place < count {
                let first = usize::from(*ranks.get_unchecked(place));
                let pair = place + 1 < count;
                let second = if pair {
                    usize::from(*ranks.get_unchecked(place + 1))
                } else {
                    BLOCKS
                };
                place += 2;
                let masks = _mm512_inserti64x4::<1>(
                    _mm512_castsi256_si512(_mm256_loadu_si256(mixed.add(first).cast())),
                    _mm256_loadu_si256(mixed.add(second).cast()),
                );
                let masks = _mm512_and_si512(masks, open);
                let bytes = _mm512_test_epi8_mask(masks, masks);
                let packed = _mm512_loadu_si512(next.cast());
                next = next.add(bytes.count_ones() as usize);
                let lost = turned::<T>(_mm512_maskz_expand_epi8(bytes, packed), &shuffles);
                let (to, also) = if T < 0 {
                    (first, second)
                } else {
                    let also = if pair {
                        usize::from(*origins.get_unchecked(second & 255))
                    } else {
                        BLOCKS
                    };
                    (usize::from(*origins.get_unchecked(first)), also)
                };
                let (to, also): (*mut __m256i, *mut __m256i) =
                    (found.add(to).cast(), found.add(also).cast());
                let low = _mm512_castsi512_si256(lost);
                _mm256_storeu_si256(to, _mm256_or_si256(_mm256_loadu_si256(to), low));
                let high = _mm512_extracti64x4_epi64::<1>(lost);
                _mm256_storeu_si256(also, _mm256_or_si256(_mm256_loadu_si256(also), high));
            }
        } else {
            let open: *const __m512i = (&raw const child.open).cast();
            let open = [_mm512_loadu_si512(open), _mm512_loadu_si512(open.add(1))];
            for place in 0..count {
                let rank = usize::from(*ranks.get_unchecked(place));
                let to = if T < 0 {
                    rank
                } else {
                    usize::from(*origins.get_unchecked(rank))
                };
                let mixed: *const __m512i = mixed.add(rank).cast();
                let found: *mut __m512i = found.add(to).cast();
                for (half, open) in open.iter().enumerate() {
                    let masks = _mm512_and_si512(_mm512_loadu_si512(mixed.add(half)), *open);
                    let bytes = _mm512_test_epi8_mask(masks, masks);
                    let packed = _mm512_loadu_si512(next.cast());
                    next = next.add(bytes.count_ones() as usize);
                    let lost = turned::<T>(_mm512_maskz_expand_epi8(bytes, packed), &shuffles);
                    let found = found.add(half);
                    _mm512_storeu_si512(found, _mm512_or_si512(_mm512_loadu_si512(found), lost));
                }
            }
        }
    }
}

/// The positions of two groups from which a raise of one of the four squares leads into the sets,
/// and those of a third set.
#[inline(always)]
unsafe fn lowered(lost: __m512i, others: __m512i) -> __m512i {
    // SAFETY: see above.
    unsafe {
        let first = _mm512_srli_epi64::<1>(lost);
        let second = _mm512_srli_epi64::<4>(lost);
        let third = _mm512_srli_epi64::<16>(lost);
        // Each word takes the next one of its group, the last of them none.
        let fourth = _mm512_maskz_permutex_epi64::<0b11_11_10_01>(0b0111_0111, lost);
        let mut to = _mm512_ternarylogic_epi64::<OR3>(third, fourth, others);
        let mask = _mm512_set1_epi64(FIRST_CAN_RISE as i64);
        to = _mm512_ternarylogic_epi64::<A_OR_B_AND_C>(to, first, mask);
        let mask = _mm512_set1_epi64(SECOND_CAN_RISE as i64);
        _mm512_ternarylogic_epi64::<A_OR_B_AND_C>(to, second, mask)
    }
}

#[inline(always)]
fn settle_blocks<const G: usize>(
    tables: &Tables<G>,
    work: &mut Work<G>,
    open: &Block<G>,
    quiet: Ranks,
    out: &mut [u8],
) -> Settled {
    assert!(out.len() >= room(G), "less room than a stream may take");
    assert!(work.found.len() > BLOCKS && work.lost.len() > BLOCKS);
    assert!(tables.mixed.len() > BLOCKS);
    let mut ranks = [0; BLOCKS + 64];
    let count = list(quiet, &mut ranks);
    let (mixed, found, lost) = (
        tables.mixed.as_ptr(),
        work.found.as_ptr(),
        work.lost.as_mut_ptr(),
    );
    let first = out.as_mut_ptr();
    let mut next = first;
    // SAFETY: see above.
    unsafe {
        let open: *const __m512i = (&raw const *open).cast();
        let open = [_mm512_loadu_si512(open), _mm512_loadu_si512(open.add(1))];
        let mut undecided_sum = _mm512_setzero_si512();
        let mut lost_sum = _mm512_setzero_si512();
        for place in 0..count {
            let rank = usize::from(*ranks.get_unchecked(place));
            let here: *const __m512i = mixed.add(rank).cast();
            let found: *const __m512i = found.add(rank).cast();
            let mut won = [_mm512_loadu_si512(found), _mm512_loadu_si512(found.add(1))];
            let raised = &tables.raised[rank];
            for pair in [[raised[0], raised[1]], [raised[2], raised[3]]] {
                let one: *const __m512i = lost.add(usize::from(pair[0])).cast();
                let two: *const __m512i = lost.add(usize::from(pair[1])).cast();
                for (half, won) in won.iter_mut().enumerate() {
                    *won = _mm512_ternarylogic_epi64::<OR3>(
                        *won,
                        _mm512_loadu_si512(one.add(half)),
                        _mm512_loadu_si512(two.add(half)),
                    );
                }
            }
            let masks = [
                _mm512_and_si512(_mm512_loadu_si512(here), open[0]),
                _mm512_and_si512(_mm512_loadu_si512(here.add(1)), open[1]),
            ];
            let left = [
                _mm512_andnot_si512(won[0], masks[0]),
                _mm512_andnot_si512(won[1], masks[1]),
            ];
            let mut now = left;
            loop {
                let once = step(&left, &now);
                let twice = step(&left, &once);
                let moved = _mm512_or_si512(
                    _mm512_xor_si512(once[0], twice[0]),
                    _mm512_xor_si512(once[1], twice[1]),
                );
                now = twice;
                if _mm512_test_epi64_mask(moved, moved) == 0 {
                    break;
                }
            }
            let to: *mut __m512i = lost.add(rank).cast();
            for half in 0..2 {
                _mm512_storeu_si512(to.add(half), now[half]);
                undecided_sum = _mm512_add_epi64(undecided_sum, _mm512_popcnt_epi64(masks[half]));
                lost_sum = _mm512_add_epi64(lost_sum, _mm512_popcnt_epi64(now[half]));
                let bytes = _mm512_test_epi8_mask(masks[half], masks[half]);
                _mm512_storeu_si512(next.cast(), _mm512_maskz_compress_epi8(bytes, now[half]));
                next = next.add(bytes.count_ones() as usize);
            }
        }
        for place in 0..count {
            let rank = usize::from(*ranks.get_unchecked(place));
            let to: *mut __m512i = lost.add(rank).cast();
            _mm512_storeu_si512(to, _mm512_setzero_si512());
            _mm512_storeu_si512(to.add(1), _mm512_setzero_si512());
        }
        Settled {
            bytes: next.offset_from_unsigned(first),
            undecided: _mm512_reduce_add_epi64(undecided_sum) as u64,
            lost: _mm512_reduce_add_epi64(lost_sum) as u64,
        }
    }
}

#[inline(always)]
unsafe fn step(left: &[__m512i; 2], lost: &[__m512i; 2]) -> [__m512i; 2] {
    // SAFETY: see above.
    unsafe {
        // A raise of the fifth square leads to the next group.
        let zero = _mm512_setzero_si512();
        let beyond = _mm512_alignr_epi64::<4>(zero, lost[1]);
        let next = _mm512_alignr_epi64::<4>(lost[1], lost[0]);
        [
            _mm512_andnot_si512(lowered(lost[0], next), left[0]),
            _mm512_andnot_si512(lowered(lost[1], beyond), left[1]),
        ]
    }
}

#[inline(always)]
fn settle_pairs<const G: usize>(
    tables: &Tables<G>,
    work: &mut Work<G>,
    open: &Block<G>,
    quiet: Ranks,
    out: &mut [u8],
) -> Settled {
    assert!(out.len() >= room(G), "less room than a stream may take");
    assert!(work.found.len() > BLOCKS && work.lost.len() > BLOCKS);
    assert!(tables.mixed.len() > BLOCKS);
    let mut ranks = [0; BLOCKS + 64];
    let count = list(quiet, &mut ranks);
    let (mixed, found, lost) = (
        tables.mixed.as_ptr(),
        work.found.as_ptr(),
        work.lost.as_mut_ptr(),
    );
    let first_byte = out.as_mut_ptr();
    let mut next = first_byte;
    // SAFETY: see above.
    unsafe {
        let both = |blocks: *const Block<G>, first: usize, second: usize| {
            _mm512_inserti64x4::<1>(
                _mm512_castsi256_si512(_mm256_loadu_si256(blocks.add(first).cast())),
                _mm256_loadu_si256(blocks.add(second).cast()),
            )
        };
        let open = _mm512_broadcast_i64x4(_mm256_loadu_si256((&raw const *open).cast()));
        let mut undecided_sum = _mm512_setzero_si512();
        let mut lost_sum = _mm512_setzero_si512();
        let mut place = 0;
        while place < count {
            let first = usize::from(*ranks.get_unchecked(place));
            let after = usize::from(*ranks.get_unchecked(place + 1));
            // Two blocks of equal sum do not depend on each other.
            let pair = place + 1 < count && tables.sums[first] == tables.sums[after];
            let second = if pair { after } else { BLOCKS };
            place += if pair { 2 } else { 1 };
            let none = [BLOCKS as u16; 4];
            let up = &tables.raised[first];
            let also = if pair { &tables.raised[second] } else { &none };
            let raised =
                |digit: usize| both(lost, usize::from(up[digit]), usize::from(also[digit]));
            let mut won = both(found, first, second);
            won = _mm512_ternarylogic_epi64::<OR3>(won, raised(0), raised(1));
            won = _mm512_ternarylogic_epi64::<OR3>(won, raised(2), raised(3));
            let masks = _mm512_and_si512(both(mixed, first, second), open);
            let left = _mm512_andnot_si512(won, masks);
            let zero = _mm512_setzero_si512();
            let mut now = left;
            loop {
                let once = _mm512_andnot_si512(lowered(now, zero), left);
                let twice = _mm512_andnot_si512(lowered(once, zero), left);
                now = twice;
                if _mm512_cmpneq_epi64_mask(once, twice) == 0 {
                    break;
                }
            }
            undecided_sum = _mm512_add_epi64(undecided_sum, _mm512_popcnt_epi64(masks));
            lost_sum = _mm512_add_epi64(lost_sum, _mm512_popcnt_epi64(now));
            _mm256_storeu_si256(lost.add(first).cast(), _mm512_castsi512_si256(now));
            _mm256_storeu_si256(lost.add(second).cast(), _mm512_extracti64x4_epi64::<1>(now));
            let bytes = _mm512_test_epi8_mask(masks, masks);
            _mm512_storeu_si512(next.cast(), _mm512_maskz_compress_epi8(bytes, now));
            next = next.add(bytes.count_ones() as usize);
        }
        for place in 0..count {
            let rank = usize::from(*ranks.get_unchecked(place));
            _mm256_storeu_si256(lost.add(rank).cast(), _mm256_setzero_si256());
        }
        Settled {
            bytes: next.offset_from_unsigned(first_byte),
            undecided: _mm512_reduce_add_epi64(undecided_sum) as u64,
            lost: _mm512_reduce_add_epi64(lost_sum) as u64,
        }
    }
}
