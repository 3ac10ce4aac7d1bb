//! The byte kernel with the 128-bit registers of aarch64: a row is four of them.

#![allow(unsafe_code)]

use std::arch::aarch64::*;

use super::super::layout::BitRow;
use super::lanes::ByteLanes;

// Every aarch64 CPU has the instructions. Loads and stores may be unaligned and stay inside references to arrays.
macro_rules! simd {
    ($expression:expr) => {
        // SAFETY: see above.
        unsafe { $expression }
    };
}

/// A row in four registers of sixteen bytes.
#[derive(Clone, Copy)]
pub(super) struct Quad([uint8x16_t; 4]);

/// The same for all four registers.
macro_rules! quarters {
    ($number:ident, $expression:expr) => {{
        let quarter = |$number: usize| simd!($expression);
        Quad([quarter(0), quarter(1), quarter(2), quarter(3)])
    }};
}

impl ByteLanes for Quad {
    #[inline(always)]
    fn zero() -> Quad {
        Quad::splat(0)
    }

    #[inline(always)]
    fn splat(byte: u8) -> Quad {
        Quad([simd!(vdupq_n_u8(byte)); 4])
    }

    #[inline(always)]
    fn load(row: &BitRow) -> Quad {
        let parts = row.as_chunks::<16>().0;
        quarters!(number, vld1q_u8(parts[number].as_ptr()))
    }

    #[inline(always)]
    fn store(self, row: &mut BitRow) {
        for (part, register) in row.as_chunks_mut::<16>().0.iter_mut().zip(self.0) {
            simd!(vst1q_u8(part.as_mut_ptr(), register));
        }
    }

    #[inline(always)]
    fn from_mask(mask: u64) -> Quad {
        // Byte i of a half looks at bit i of its byte of the mask.
        let bits = simd!(vreinterpretq_u8_u64(vdupq_n_u64(0x8040_2010_0804_0201)));
        let bytes = mask.to_le_bytes();
        quarters!(number, {
            let low = vdup_n_u8(bytes[2 * number]);
            let high = vdup_n_u8(bytes[2 * number + 1]);
            vtstq_u8(vcombine_u8(low, high), bits)
        })
    }

    #[inline(always)]
    fn or(self, other: Quad) -> Quad {
        quarters!(number, vorrq_u8(self.0[number], other.0[number]))
    }

    #[inline(always)]
    fn and(self, other: Quad) -> Quad {
        quarters!(number, vandq_u8(self.0[number], other.0[number]))
    }

    #[inline(always)]
    fn and_not(self, there: Quad) -> Quad {
        quarters!(number, vbicq_u8(self.0[number], there.0[number]))
    }

    #[inline(always)]
    fn max(self, other: Quad) -> Quad {
        quarters!(number, vmaxq_u8(self.0[number], other.0[number]))
    }

    #[inline(always)]
    fn plus(self, other: Quad) -> Quad {
        quarters!(number, vaddq_u8(self.0[number], other.0[number]))
    }

    #[inline(always)]
    fn shifted(self, by: Quad) -> Quad {
        quarters!(
            number,
            vsqaddq_u8(self.0[number], vreinterpretq_s8_u8(by.0[number]))
        )
    }

    #[inline(always)]
    fn minus(self, other: Quad) -> Quad {
        quarters!(number, vsubq_u8(self.0[number], other.0[number]))
    }

    #[inline(always)]
    fn equal(self, other: Quad) -> Quad {
        quarters!(number, vceqq_u8(self.0[number], other.0[number]))
    }

    #[inline(always)]
    fn choose(self, high: Quad, low: Quad) -> Quad {
        quarters!(number, {
            let above = vcltzq_s8(vreinterpretq_s8_u8(self.0[number]));
            vbslq_u8(above, high.0[number], low.0[number])
        })
    }

    #[inline(always)]
    fn raised(self) -> [Quad; 3] {
        let none = simd!(vdupq_n_u8(0));
        let first = quarters!(number, {
            let fours = vreinterpretq_u32_u8(self.0[number]);
            vreinterpretq_u8_u32(vshrq_n_u32::<8>(fours))
        });
        let second = quarters!(number, vextq_u8::<4>(self.0[number], none));
        let third = Quad([self.0[1], self.0[2], self.0[3], none]);
        [first, second, third]
    }

    #[inline(always)]
    fn prefetch(_: &BitRow) {}
}

#[cfg(test)]
mod tests {
    use super::super::portable::Bytes64;
    use super::*;

    fn outcome<L: ByteLanes>(rows: &[BitRow; 3], mask: u64) -> [BitRow; 15] {
        let [one, two, three] = rows.each_ref().map(|row| L::load(row));
        let [first, second, third] = one.raised();
        [
            one.or(two),
            one.and(two),
            one.and_not(two),
            one.max(two),
            one.plus(two),
            one.minus(two),
            one.shifted(two),
            one.equal(three),
            one.choose(two, three),
            first,
            second,
            third,
            L::from_mask(mask),
            L::splat(mask as u8),
            L::zero(),
        ]
        .map(|made| {
            let mut row = [0xAA; 64];
            made.store(&mut row);
            row
        })
    }

    #[test]
    fn registers_make_what_arrays_make() {
        let mut random = 5_u64;
        let mut rows = [[0; 64]; 3];
        for _ in 0..200 {
            for byte in rows.as_flattened_mut() {
                random = random.wrapping_mul(0xd129_0d3d_2d2b_c9a5).wrapping_add(11);
                *byte = (random >> 33) as u8;
            }
            // Some bytes are equal.
            let [one, _, three] = &mut rows;
            three[..16].copy_from_slice(&one[..16]);
            let (found, expected) = (
                outcome::<Quad>(&rows, random),
                outcome::<Bytes64>(&rows, random),
            );
            for (number, (found, expected)) in found.iter().zip(&expected).enumerate() {
                assert_eq!(found, expected, "operation {number}");
            }
        }
    }
}
