//! The byte kernel in plain arrays: the safe twin of the others, and the one for other machines.

use super::super::layout::BitRow;
use super::lanes::ByteLanes;

/// 64 bytes.
#[derive(Clone, Copy)]
pub(super) struct Bytes64(BitRow);

impl Bytes64 {
    #[inline(always)]
    fn zip(self, other: Bytes64, combine: impl Fn(u8, u8) -> u8) -> Bytes64 {
        Bytes64(std::array::from_fn(|byte| {
            combine(self.0[byte], other.0[byte])
        }))
    }
}

impl ByteLanes for Bytes64 {
    #[inline(always)]
    fn zero() -> Bytes64 {
        Bytes64([0; 64])
    }

    #[inline(always)]
    fn splat(byte: u8) -> Bytes64 {
        Bytes64([byte; 64])
    }

    #[inline(always)]
    fn load(row: &BitRow) -> Bytes64 {
        Bytes64(*row)
    }

    #[inline(always)]
    fn store(self, row: &mut BitRow) {
        *row = self.0;
    }

    #[inline(always)]
    fn from_mask(mask: u64) -> Bytes64 {
        let bytes = mask.to_le_bytes();
        Bytes64(std::array::from_fn(|byte| {
            let bit = 1 << (byte % 8);
            if bytes[byte / 8] & bit == bit {
                u8::MAX
            } else {
                0
            }
        }))
    }

    #[inline(always)]
    fn or(self, other: Bytes64) -> Bytes64 {
        self.zip(other, |a, b| a | b)
    }

    #[inline(always)]
    fn and(self, other: Bytes64) -> Bytes64 {
        self.zip(other, |a, b| a & b)
    }

    #[inline(always)]
    fn and_not(self, there: Bytes64) -> Bytes64 {
        self.zip(there, |a, b| a & !b)
    }

    #[inline(always)]
    fn max(self, other: Bytes64) -> Bytes64 {
        self.zip(other, u8::max)
    }

    #[inline(always)]
    fn plus(self, other: Bytes64) -> Bytes64 {
        self.zip(other, u8::wrapping_add)
    }

    #[inline(always)]
    fn shifted(self, by: Bytes64) -> Bytes64 {
        self.zip(by, |byte, by| byte.saturating_add_signed(by as i8))
    }

    #[inline(always)]
    fn minus(self, other: Bytes64) -> Bytes64 {
        self.zip(other, u8::wrapping_sub)
    }

    #[inline(always)]
    fn equal(self, other: Bytes64) -> Bytes64 {
        self.zip(other, |a, b| if a == b { u8::MAX } else { 0 })
    }

    #[inline(always)]
    fn choose(self, high: Bytes64, low: Bytes64) -> Bytes64 {
        let above = Bytes64(self.0.map(|byte| (byte as i8 >> 7) as u8));
        high.and(above).or(low.and_not(above))
    }

    #[inline(always)]
    fn raised(self) -> [Bytes64; 3] {
        let mut along = [[0; 64]; 3];
        // One byte down in each four, four in each sixteen, sixteen in all; zeros follow.
        for (to, from) in along[0]
            .as_chunks_mut::<4>()
            .0
            .iter_mut()
            .zip(self.0.as_chunks::<4>().0)
        {
            *to = (u32::from_le_bytes(*from) >> 8).to_le_bytes();
        }
        for (to, from) in along[1]
            .as_chunks_mut::<16>()
            .0
            .iter_mut()
            .zip(self.0.as_chunks::<16>().0)
        {
            *to = (u128::from_le_bytes(*from) >> 32).to_le_bytes();
        }
        along[2][..48].copy_from_slice(&self.0[16..]);
        along.map(Bytes64)
    }

    #[inline(always)]
    fn prefetch(_: &BitRow) {}
}
