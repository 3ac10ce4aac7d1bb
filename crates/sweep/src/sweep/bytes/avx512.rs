//! The byte kernel with 512-bit registers: a row is one of them.

#![allow(unsafe_code)]

use std::arch::x86_64::*;

use super::super::Kernel;
use super::super::family::BlockFamily;
use super::super::layout::BitRow;
use super::lanes::{ByteLanes, FamilyPass};

/// A row in a register. Only made inside [`enter`], so the CPU has the instructions that the
/// methods use.
#[derive(Clone, Copy)]
struct Zmm(__m512i);

/// Sweeps a family.
///
/// # Panics
/// When the CPU lacks the instructions.
pub(super) fn sweep<W: FamilyPass<N>, const N: usize>(
    work: &W,
    family: &BlockFamily<'_, N>,
    out: &mut [[u8; N]],
) {
    assert!(
        Kernel::Avx512.is_supported(),
        "chosen without asking the CPU"
    );
    // SAFETY: the CPU has every feature that `enter` is compiled for.
    unsafe { enter(work, family, out) }
}

#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vpopcntdq,popcnt,bmi1,bmi2")]
fn enter<W: FamilyPass<N>, const N: usize>(
    work: &W,
    family: &BlockFamily<'_, N>,
    out: &mut [[u8; N]],
) {
    work.run::<Zmm>(family, out);
}

// SAFETY of every block below: a `Zmm` exists only inside `enter`, which runs only after
// `Kernel::is_supported` has found the features. Loads and stores are unaligned and go through
// references to arrays of exactly 64 bytes. A prefetch reads nothing.
macro_rules! simd {
    ($expression:expr) => {
        // SAFETY: see above.
        unsafe { $expression }
    };
}

impl ByteLanes for Zmm {
    #[inline(always)]
    fn zero() -> Zmm {
        Zmm(simd!(_mm512_setzero_si512()))
    }

    #[inline(always)]
    fn splat(byte: u8) -> Zmm {
        Zmm(simd!(_mm512_set1_epi8(byte as i8)))
    }

    #[inline(always)]
    fn load(row: &BitRow) -> Zmm {
        Zmm(simd!(_mm512_loadu_si512(row.as_ptr().cast())))
    }

    #[inline(always)]
    fn store(self, row: &mut BitRow) {
        simd!(_mm512_storeu_si512(row.as_mut_ptr().cast(), self.0));
    }

    #[inline(always)]
    fn from_mask(mask: u64) -> Zmm {
        Zmm(simd!(_mm512_movm_epi8(mask)))
    }

    #[inline(always)]
    fn or(self, other: Zmm) -> Zmm {
        Zmm(simd!(_mm512_or_si512(self.0, other.0)))
    }

    #[inline(always)]
    fn and(self, other: Zmm) -> Zmm {
        Zmm(simd!(_mm512_and_si512(self.0, other.0)))
    }

    #[inline(always)]
    fn and_not(self, there: Zmm) -> Zmm {
        Zmm(simd!(_mm512_andnot_si512(there.0, self.0)))
    }

    #[inline(always)]
    fn max(self, other: Zmm) -> Zmm {
        Zmm(simd!(_mm512_max_epu8(self.0, other.0)))
    }

    #[inline(always)]
    fn plus(self, other: Zmm) -> Zmm {
        Zmm(simd!(_mm512_add_epi8(self.0, other.0)))
    }

    #[inline(always)]
    fn shifted(self, by: Zmm) -> Zmm {
        simd!({
            let middle = _mm512_set1_epi8(i8::MIN);
            let signed = _mm512_xor_si512(self.0, middle);
            Zmm(_mm512_xor_si512(_mm512_adds_epi8(signed, by.0), middle))
        })
    }

    #[inline(always)]
    fn minus(self, other: Zmm) -> Zmm {
        Zmm(simd!(_mm512_sub_epi8(self.0, other.0)))
    }

    #[inline(always)]
    fn equal(self, other: Zmm) -> Zmm {
        Zmm(simd!(_mm512_movm_epi8(_mm512_cmpeq_epi8_mask(
            self.0, other.0
        ))))
    }

    #[inline(always)]
    fn choose(self, high: Zmm, low: Zmm) -> Zmm {
        Zmm(simd!(_mm512_mask_blend_epi8(
            _mm512_movepi8_mask(self.0),
            low.0,
            high.0
        )))
    }

    #[inline(always)]
    fn raised(self) -> [Zmm; 3] {
        simd!([
            Zmm(_mm512_srli_epi32::<8>(self.0)),
            Zmm(_mm512_bsrli_epi128::<4>(self.0)),
            Zmm(_mm512_alignr_epi64::<2>(_mm512_setzero_si512(), self.0)),
        ])
    }

    #[inline(always)]
    fn prefetch(row: &BitRow) {
        simd!(_mm_prefetch::<_MM_HINT_T0>(row.as_ptr().cast()));
    }
}
