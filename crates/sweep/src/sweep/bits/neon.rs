//! The kernel with the 128-bit registers of aarch64: a row is four of them.

#![allow(unsafe_code)]

use std::arch::aarch64::*;

use super::super::layout::{BitBlock, BitRow};
use super::lanes::{BitLanes, FIRST_CAN_RISE, SECOND_CAN_RISE};

// Every aarch64 CPU has the instructions. Loads and stores may be unaligned and stay inside references to arrays.
macro_rules! simd {
    ($expression:expr) => {
        // SAFETY: see above.
        unsafe { $expression }
    };
}

/// A row in four registers, two lanes each.
#[derive(Clone, Copy)]
pub(super) struct Quad([uint64x2_t; 4]);

impl BitLanes for Quad {
    #[inline(always)]
    fn zero() -> Quad {
        Quad([simd!(vdupq_n_u64(0)); 4])
    }

    #[inline(always)]
    fn load(row: &BitRow) -> Quad {
        let parts = row.as_chunks::<16>().0;
        let load = |number: usize| simd!(vreinterpretq_u64_u8(vld1q_u8(parts[number].as_ptr())));
        Quad([load(0), load(1), load(2), load(3)])
    }

    #[inline(always)]
    fn store(self, row: &mut BitRow) {
        for (part, register) in row.as_chunks_mut::<16>().0.iter_mut().zip(self.0) {
            simd!(vst1q_u8(part.as_mut_ptr(), vreinterpretq_u8_u64(register)));
        }
    }

    #[inline(always)]
    fn or(self, other: Quad) -> Quad {
        let or = |number: usize| simd!(vorrq_u64(self.0[number], other.0[number]));
        Quad([or(0), or(1), or(2), or(3)])
    }

    #[inline(always)]
    fn settle(lost: Quad, found: Quad, can_rise: Quad, next: Quad, upper: Quad) -> Quad {
        simd!({
            let none = vdupq_n_u64(0);
            // Lane j takes lane j + 1, except in the last of each four.
            let third = [
                vextq_u64::<1>(next.0[0], next.0[1]),
                vextq_u64::<1>(next.0[1], none),
                vextq_u64::<1>(next.0[2], next.0[3]),
                vextq_u64::<1>(next.0[3], none),
            ];
            // Lanes 0 to 3 take lanes 4 to 7, lanes 4 to 7 the lower ones of the row above.
            let fourth = [next.0[2], next.0[3], upper.0[0], upper.0[1]];
            let settle = |number: usize| {
                let word = next.0[number];
                let first = vandq_u64(vshrq_n_u64::<1>(word), vdupq_n_u64(FIRST_CAN_RISE));
                let second = vandq_u64(vshrq_n_u64::<4>(word), vdupq_n_u64(SECOND_CAN_RISE));
                let third_in_word = vshrq_n_u64::<16>(word);
                let fifth = vandq_u64(word, can_rise.0[number]);
                let inside = vorrq_u64(vorrq_u64(first, second), vorrq_u64(third_in_word, fifth));
                let outside = vorrq_u64(third[number], fourth[number]);
                let children = vorrq_u64(vorrq_u64(found.0[number], inside), outside);
                // The value is lost | !children.
                let children = vreinterpretq_u32_u64(children);
                let settled = vornq_u32(vreinterpretq_u32_u64(lost.0[number]), children);
                vreinterpretq_u64_u32(settled)
            };
            Quad([settle(0), settle(1), settle(2), settle(3)])
        })
    }

    #[inline(always)]
    fn prefetch(_: &BitBlock) {}

    #[inline(always)]
    fn count_beyond(rows: &[Quad; 8], marks: &[Quad; 8]) -> u64 {
        simd!({
            let mut count = 0;
            // A byte of a sum holds sixteen counts of up to eight, but not thirty-two.
            for (rows, marks) in rows.chunks_exact(4).zip(marks.chunks_exact(4)) {
                let mut sum = vdupq_n_u8(0);
                for (row, marks) in rows.iter().zip(marks) {
                    for (row, marks) in row.0.into_iter().zip(marks.0) {
                        let row = vreinterpretq_u8_u64(row);
                        let beyond = vbicq_u8(row, vreinterpretq_u8_u64(marks));
                        sum = vaddq_u8(sum, vcntq_u8(beyond));
                    }
                }
                count += u64::from(vaddlvq_u8(sum));
            }
            count
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::portable::EightWords;
    use super::*;

    // What a step makes of some rows, and how many positions it counts beyond the marks.
    fn outcome<L: BitLanes>(rows: &[BitRow; 8]) -> ([BitRow; 2], u64) {
        let loaded: [L; 8] = std::array::from_fn(|number| L::load(&rows[number]));
        let [lost, found, can_rise, next, upper, ..] = loaded;
        let mut made = [[0; 64]; 2];
        L::settle(lost, found, can_rise, next, upper).store(&mut made[0]);
        lost.or(next).store(&mut made[1]);
        let mut turned = loaded;
        turned.rotate_left(1);
        (made, L::count_beyond(&loaded, &turned))
    }

    #[test]
    fn registers_make_what_words_make() {
        let mut random = 3_u64;
        let mut rows = [[0; 64]; 8];
        for _ in 0..200 {
            for byte in rows.as_flattened_mut() {
                random = random.wrapping_mul(0xd129_0d3d_2d2b_c9a5).wrapping_add(11);
                *byte = (random >> 33) as u8;
            }
            assert_eq!(outcome::<Quad>(&rows), outcome::<EightWords>(&rows));
        }
        // The largest count.
        let (full, none) = ([0xFF; 64], [0; 64]);
        let count = |rows: BitRow, marks: BitRow| {
            Quad::count_beyond(&[Quad::load(&rows); 8], &[Quad::load(&marks); 8])
        };
        assert_eq!([count(full, none), count(full, full)], [4096, 0]);
        let mut stored = full;
        Quad::zero().store(&mut stored);
        assert_eq!(stored, none);
    }
}
