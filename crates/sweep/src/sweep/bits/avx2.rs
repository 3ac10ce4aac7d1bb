//! The kernel with 256-bit registers: a row is two of them.

#![allow(unsafe_code)]

use std::arch::x86_64::*;

use super::super::Kernel;
use super::super::family::BlockFamily;
use super::super::layout::{BitBlock, BitRow};
use super::lanes::{BYTES, BitLanes, BitSweep, FIRST_CAN_RISE, SECOND_CAN_RISE, sweep_with};

/// A row in two registers: lanes 0 to 3 and 4 to 7. Only made inside [`enter`], so the CPU has the
/// instructions that the methods use.
#[derive(Clone, Copy)]
struct Ymm(__m256i, __m256i);

/// Sweeps a family.
///
/// # Panics
/// When the CPU lacks the instructions.
pub(super) fn sweep(bits: &BitSweep, family: &BlockFamily<'_, BYTES>, out: &mut [BitBlock]) -> u64 {
    assert!(Kernel::Avx2.is_supported(), "chosen without asking the CPU");
    // SAFETY: the CPU has every feature that `enter` is compiled for.
    unsafe { enter(bits, family, out) }
}

#[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
fn enter(bits: &BitSweep, family: &BlockFamily<'_, BYTES>, out: &mut [BitBlock]) -> u64 {
    sweep_with::<Ymm>(bits, family, out)
}

// SAFETY of every block below: a `Ymm` exists only inside `enter`, which runs only after
// `Kernel::is_supported` has found the features. Loads and stores are unaligned and stay inside
// references to arrays of exactly 64 bytes.
impl BitLanes for Ymm {
    #[inline(always)]
    fn zero() -> Ymm {
        // SAFETY: see above.
        unsafe { Ymm(_mm256_setzero_si256(), _mm256_setzero_si256()) }
    }

    #[inline(always)]
    fn load(row: &BitRow) -> Ymm {
        let halves = row.as_ptr().cast::<__m256i>();
        // SAFETY: see above.
        unsafe {
            Ymm(
                _mm256_loadu_si256(halves),
                _mm256_loadu_si256(halves.add(1)),
            )
        }
    }

    #[inline(always)]
    fn store(self, row: &mut BitRow) {
        let halves = row.as_mut_ptr().cast::<__m256i>();
        // SAFETY: see above.
        unsafe {
            _mm256_storeu_si256(halves, self.0);
            _mm256_storeu_si256(halves.add(1), self.1);
        }
    }

    #[inline(always)]
    fn or(self, other: Ymm) -> Ymm {
        // SAFETY: see above.
        unsafe {
            Ymm(
                _mm256_or_si256(self.0, other.0),
                _mm256_or_si256(self.1, other.1),
            )
        }
    }

    #[inline(always)]
    fn settle(lost: Ymm, found: Ymm, can_rise: Ymm, next: Ymm, upper: Ymm) -> Ymm {
        let low = settle_half(lost.0, found.0, can_rise.0, next.0, next.1);
        let high = settle_half(lost.1, found.1, can_rise.1, next.1, upper.0);
        Ymm(low, high)
    }

    #[inline(always)]
    fn prefetch(block: &BitBlock) {
        for row in block.as_chunks::<64>().0 {
            // SAFETY: see above; a prefetch reads nothing.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(row.as_ptr().cast()) }
        }
    }

    #[inline(always)]
    fn count_beyond(rows: &[Ymm; 8], marks: &[Ymm; 8]) -> u64 {
        let mut count = 0;
        for (row, marks) in rows.iter().zip(marks) {
            // SAFETY: see above.
            unsafe {
                for beyond in [
                    _mm256_andnot_si256(marks.0, row.0),
                    _mm256_andnot_si256(marks.1, row.1),
                ] {
                    count += u64::from((_mm256_extract_epi64::<0>(beyond) as u64).count_ones())
                        + u64::from((_mm256_extract_epi64::<1>(beyond) as u64).count_ones())
                        + u64::from((_mm256_extract_epi64::<2>(beyond) as u64).count_ones())
                        + u64::from((_mm256_extract_epi64::<3>(beyond) as u64).count_ones());
                }
            }
        }
        count
    }
}

/// Settles four lanes; `fourth` are the children along square 4.
#[inline(always)]
fn settle_half(
    lost: __m256i,
    found: __m256i,
    can_rise: __m256i,
    next: __m256i,
    fourth: __m256i,
) -> __m256i {
    // SAFETY: only called from the methods above, with registers made by them.
    unsafe {
        let first = _mm256_and_si256(
            _mm256_srli_epi64::<1>(next),
            _mm256_set1_epi64x(FIRST_CAN_RISE as i64),
        );
        let second = _mm256_and_si256(
            _mm256_srli_epi64::<4>(next),
            _mm256_set1_epi64x(SECOND_CAN_RISE as i64),
        );
        let third_in_word = _mm256_srli_epi64::<16>(next);
        let rotated = _mm256_permute4x64_epi64::<0b11_11_10_01>(next);
        let third = _mm256_blend_epi32::<0b1100_0000>(rotated, _mm256_setzero_si256());
        let fifth = _mm256_and_si256(next, can_rise);
        let children = _mm256_or_si256(
            _mm256_or_si256(
                _mm256_or_si256(found, first),
                _mm256_or_si256(second, third_in_word),
            ),
            _mm256_or_si256(_mm256_or_si256(third, fourth), fifth),
        );
        // lost | !children
        let all = _mm256_set1_epi64x(-1);
        _mm256_or_si256(lost, _mm256_xor_si256(children, all))
    }
}
