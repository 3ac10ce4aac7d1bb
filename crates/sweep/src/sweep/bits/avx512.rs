//! The kernel with 512-bit registers: a row is one of them.

#![allow(unsafe_code)]

use std::arch::x86_64::*;

use super::super::Kernel;
use super::super::family::BlockFamily;
use super::super::layout::{BitBlock, BitRow};
use super::lanes::{BYTES, BitLanes, BitSweep, FIRST_CAN_RISE, SECOND_CAN_RISE, sweep_with};

/// A row in a register. Only made inside [`enter`], so the CPU has the instructions that the
/// methods use.
#[derive(Clone, Copy)]
struct Zmm(__m512i);

/// Sweeps a family.
///
/// # Panics
/// When the CPU lacks the instructions.
pub(super) fn sweep(bits: &BitSweep, family: &BlockFamily<'_, BYTES>, out: &mut [BitBlock]) -> u64 {
    assert!(
        Kernel::Avx512.is_supported(),
        "chosen without asking the CPU"
    );
    // SAFETY: the CPU has every feature that `enter` is compiled for.
    unsafe { enter(bits, family, out) }
}

#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vpopcntdq,popcnt,bmi1,bmi2")]
fn enter(bits: &BitSweep, family: &BlockFamily<'_, BYTES>, out: &mut [BitBlock]) -> u64 {
    sweep_with::<Zmm>(bits, family, out)
}

// Truth tables of three-input functions: bit 4a + 2b + c of the constant.
const OR3: i32 = 0xFE;
const A_OR_B_AND_C: i32 = 0xF8;
const A_OR_NEITHER_B_NOR_C: i32 = 0xF1;

// SAFETY of every block below: a `Zmm` exists only inside `enter`, which runs only after
// `Kernel::is_supported` has found the features. Loads and stores are unaligned and go through
// references to arrays of exactly 64 bytes.
impl BitLanes for Zmm {
    #[inline(always)]
    fn zero() -> Zmm {
        // SAFETY: see above.
        Zmm(unsafe { _mm512_setzero_si512() })
    }

    #[inline(always)]
    fn load(row: &BitRow) -> Zmm {
        // SAFETY: see above.
        Zmm(unsafe { _mm512_loadu_si512(row.as_ptr().cast()) })
    }

    #[inline(always)]
    fn store(self, row: &mut BitRow) {
        // SAFETY: see above.
        unsafe { _mm512_storeu_si512(row.as_mut_ptr().cast(), self.0) }
    }

    #[inline(always)]
    fn or(self, other: Zmm) -> Zmm {
        // SAFETY: see above.
        Zmm(unsafe { _mm512_or_si512(self.0, other.0) })
    }

    #[inline(always)]
    fn settle(lost: Zmm, found: Zmm, can_rise: Zmm, next: Zmm, upper: Zmm) -> Zmm {
        // SAFETY: see above.
        unsafe {
            let first = _mm512_srli_epi64::<1>(next.0);
            let second = _mm512_srli_epi64::<4>(next.0);
            let third_in_word = _mm512_srli_epi64::<16>(next.0);
            // Lane j takes lane j + 1, except in the last of each four.
            let third = _mm512_maskz_permutex_epi64::<0b11_11_10_01>(0b0111_0111, next.0);
            // Lanes 0 to 3 take lanes 4 to 7, lanes 4 to 7 the lower ones of the row above.
            let fourth = _mm512_alignr_epi64::<4>(upper.0, next.0);
            let mut children =
                _mm512_ternarylogic_epi64::<A_OR_B_AND_C>(found.0, next.0, can_rise.0);
            let mask = _mm512_set1_epi64(FIRST_CAN_RISE as i64);
            children = _mm512_ternarylogic_epi64::<A_OR_B_AND_C>(children, first, mask);
            let mask = _mm512_set1_epi64(SECOND_CAN_RISE as i64);
            children = _mm512_ternarylogic_epi64::<A_OR_B_AND_C>(children, second, mask);
            let others = _mm512_ternarylogic_epi64::<OR3>(third_in_word, third, fourth);
            Zmm(_mm512_ternarylogic_epi64::<A_OR_NEITHER_B_NOR_C>(
                lost.0, children, others,
            ))
        }
    }

    #[inline(always)]
    fn prefetch(block: &BitBlock) {
        for row in block.as_chunks::<64>().0 {
            // SAFETY: see above; a prefetch reads nothing.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(row.as_ptr().cast()) }
        }
    }

    #[inline(always)]
    fn count_beyond(rows: &[Zmm; 8], marks: &[Zmm; 8]) -> u64 {
        // SAFETY: see above.
        unsafe {
            let mut sum = _mm512_setzero_si512();
            for (row, marks) in rows.iter().zip(marks) {
                let beyond = _mm512_andnot_si512(marks.0, row.0);
                sum = _mm512_add_epi64(sum, _mm512_popcnt_epi64(beyond));
            }
            _mm512_reduce_add_epi64(sum) as u64
        }
    }
}
