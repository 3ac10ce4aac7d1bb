//! The byte kernel with 256-bit registers: a row is two of them.

#![allow(unsafe_code)]

use std::arch::x86_64::*;

use super::super::Kernel;
use super::super::family::BlockFamily;
use super::super::layout::BitRow;
use super::lanes::{ByteLanes, FamilyPass};

/// A row in two registers: bytes 0 to 31 and 32 to 63. Only made inside [`enter`], so the CPU has
/// the instructions that the methods use.
#[derive(Clone, Copy)]
struct Ymm(__m256i, __m256i);

/// Sweeps a family.
///
/// # Panics
/// When the CPU lacks the instructions.
pub(super) fn sweep<W: FamilyPass<N>, const N: usize>(
    work: &W,
    family: &BlockFamily<'_, N>,
    out: &mut [[u8; N]],
) {
    assert!(Kernel::Avx2.is_supported(), "chosen without asking the CPU");
    // SAFETY: the CPU has every feature that `enter` is compiled for.
    unsafe { enter(work, family, out) }
}

#[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
fn enter<W: FamilyPass<N>, const N: usize>(
    work: &W,
    family: &BlockFamily<'_, N>,
    out: &mut [[u8; N]],
) {
    work.run::<Ymm>(family, out);
}

// SAFETY of every block below: a `Ymm` exists only inside `enter`, which runs only after
// `Kernel::is_supported` has found the features. Loads and stores are unaligned and stay inside
// references to arrays of exactly 64 bytes. A prefetch reads nothing.
macro_rules! simd {
    ($expression:expr) => {
        // SAFETY: see above.
        unsafe { $expression }
    };
}

/// The same for both halves.
macro_rules! halves {
    ($a:expr, $b:expr, $instruction:ident) => {
        simd!(Ymm($instruction($a.0, $b.0), $instruction($a.1, $b.1)))
    };
}

/// All bits set in the bytes of a half whose bit is set.
#[inline(always)]
fn half_from_mask(mask: u32) -> __m256i {
    simd!({
        let all = _mm256_set1_epi32(mask as i32);
        // Byte i of the half looks at byte i / 8 of the mask, there at bit i % 8.
        let spread = _mm256_setr_epi64x(
            0,
            0x0101_0101_0101_0101,
            0x0202_0202_0202_0202,
            0x0303_0303_0303_0303,
        );
        let bits = _mm256_set1_epi64x(0x8040_2010_0804_0201_u64 as i64);
        let seen = _mm256_and_si256(_mm256_shuffle_epi8(all, spread), bits);
        _mm256_cmpeq_epi8(seen, bits)
    })
}

impl ByteLanes for Ymm {
    #[inline(always)]
    fn zero() -> Ymm {
        simd!(Ymm(_mm256_setzero_si256(), _mm256_setzero_si256()))
    }

    #[inline(always)]
    fn splat(byte: u8) -> Ymm {
        simd!(Ymm(
            _mm256_set1_epi8(byte as i8),
            _mm256_set1_epi8(byte as i8)
        ))
    }

    #[inline(always)]
    fn load(row: &BitRow) -> Ymm {
        let halves = row.as_ptr().cast::<__m256i>();
        simd!(Ymm(
            _mm256_loadu_si256(halves),
            _mm256_loadu_si256(halves.add(1))
        ))
    }

    #[inline(always)]
    fn store(self, row: &mut BitRow) {
        let halves = row.as_mut_ptr().cast::<__m256i>();
        simd!({
            _mm256_storeu_si256(halves, self.0);
            _mm256_storeu_si256(halves.add(1), self.1);
        });
    }

    #[inline(always)]
    fn from_mask(mask: u64) -> Ymm {
        Ymm(
            half_from_mask(mask as u32),
            half_from_mask((mask >> 32) as u32),
        )
    }

    #[inline(always)]
    fn or(self, other: Ymm) -> Ymm {
        halves!(self, other, _mm256_or_si256)
    }

    #[inline(always)]
    fn and(self, other: Ymm) -> Ymm {
        halves!(self, other, _mm256_and_si256)
    }

    #[inline(always)]
    fn and_not(self, there: Ymm) -> Ymm {
        halves!(there, self, _mm256_andnot_si256)
    }

    #[inline(always)]
    fn max(self, other: Ymm) -> Ymm {
        halves!(self, other, _mm256_max_epu8)
    }

    #[inline(always)]
    fn plus(self, other: Ymm) -> Ymm {
        halves!(self, other, _mm256_add_epi8)
    }

    #[inline(always)]
    fn shifted(self, by: Ymm) -> Ymm {
        let middle = Ymm::splat(1 << 7);
        let signed = halves!(self, middle, _mm256_xor_si256);
        let sum = halves!(signed, by, _mm256_adds_epi8);
        halves!(sum, middle, _mm256_xor_si256)
    }

    #[inline(always)]
    fn minus(self, other: Ymm) -> Ymm {
        halves!(self, other, _mm256_sub_epi8)
    }

    #[inline(always)]
    fn equal(self, other: Ymm) -> Ymm {
        halves!(self, other, _mm256_cmpeq_epi8)
    }

    #[inline(always)]
    fn choose(self, high: Ymm, low: Ymm) -> Ymm {
        simd!(Ymm(
            _mm256_blendv_epi8(low.0, high.0, self.0),
            _mm256_blendv_epi8(low.1, high.1, self.1),
        ))
    }

    #[inline(always)]
    fn raised(self) -> [Ymm; 3] {
        simd!([
            Ymm(
                _mm256_srli_epi32::<8>(self.0),
                _mm256_srli_epi32::<8>(self.1)
            ),
            Ymm(
                _mm256_bsrli_epi128::<4>(self.0),
                _mm256_bsrli_epi128::<4>(self.1)
            ),
            // Sixteen bytes down: the middle of both halves, then the end of the upper one.
            Ymm(
                _mm256_permute2x128_si256::<0x21>(self.0, self.1),
                _mm256_permute2x128_si256::<0x81>(self.1, self.1),
            ),
        ])
    }

    #[inline(always)]
    fn prefetch(row: &BitRow) {
        simd!(_mm_prefetch::<_MM_HINT_T0>(row.as_ptr().cast()));
    }
}
