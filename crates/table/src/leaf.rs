//! The packed values of one leaf.
//!
//! ```text
//! value_bits = 2, values 0 1 2 1 2        byte 0: 01 10 01 00   byte 1: 00 00 00 10
//!                                                  v3 v2 v1 v0           padding v4
//! ```

/// The values of a leaf's packed positions, in index order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Leaf {
    /// Number of packed positions.
    pub count: u32,
    /// Their values: value `k` at bits `k·value_bits` and up, least significant bit first, padded with
    /// zero bits to a whole byte.
    pub payload: Vec<u8>,
}

impl Leaf {
    /// Packs raw codes of `value_bits` (1, 2, 4, 8, 16, 32 or 64) each; higher bits are ignored, so
    /// that negative numbers may come sign-extended.
    #[must_use]
    pub fn pack(value_bits: u32, values: impl IntoIterator<Item = u64>) -> Leaf {
        let mut count = 0;
        let mut payload = Vec::new();
        if value_bits >= 8 {
            for value in values {
                payload.extend_from_slice(&value.to_le_bytes()[..value_bits as usize / 8]);
                count += 1;
            }
        } else {
            let per_byte = 8 / value_bits;
            let mask = (1u8 << value_bits) - 1;
            let mut byte = 0;
            for value in values {
                let slot = count % per_byte;
                byte |= (value as u8 & mask) << (slot * value_bits);
                count += 1;
                if slot + 1 == per_byte {
                    payload.push(byte);
                    byte = 0;
                }
            }
            if count % per_byte != 0 {
                payload.push(byte);
            }
        }
        Leaf { count, payload }
    }

    /// The raw code at rank `k`; `None` when the leaf has no such rank.
    #[must_use]
    #[inline]
    pub fn get(&self, value_bits: u32, k: u32) -> Option<u64> {
        if k >= self.count {
            return None;
        }
        read_value(&self.payload, value_bits, k)
    }

    /// The raw code at rank `k`.
    ///
    /// # Panics
    /// When the leaf has no rank `k`.
    #[must_use]
    #[inline]
    pub fn value(&self, value_bits: u32, k: u32) -> u64 {
        match self.get(value_bits, k) {
            Some(value) => value,
            None => panic!("rank {k} of a leaf with {} packed positions", self.count),
        }
    }
}

/// Bytes that `count` values of `value_bits` take.
pub(crate) fn payload_len(count: u32, value_bits: u32) -> u64 {
    (u64::from(count) * u64::from(value_bits)).div_ceil(8)
}

/// The raw code at rank `k` of a payload; `None` beyond its end.
#[inline]
pub(crate) fn read_value(payload: &[u8], value_bits: u32, k: u32) -> Option<u64> {
    if value_bits == 8 {
        return payload.get(k as usize).copied().map(u64::from);
    }
    let bit = u64::from(k) * u64::from(value_bits);
    let at = usize::try_from(bit / 8).ok()?;
    if value_bits < 8 {
        let byte = payload.get(at)? >> (bit % 8);
        return Some(u64::from(byte & ((1 << value_bits) - 1)));
    }
    let bytes = payload.get(at..at.checked_add(value_bits as usize / 8)?)?;
    let mut value = [0; 8];
    value[..bytes.len()].copy_from_slice(bytes);
    Some(u64::from_le_bytes(value))
}

/// Are the bits after the last value zero?
pub(crate) fn padding_is_zero(payload: &[u8], count: u32, value_bits: u32) -> bool {
    let used = (u64::from(count) * u64::from(value_bits)) % 8;
    used == 0 || payload.last().is_none_or(|last| last >> used == 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_picture_above_holds() {
        let leaf = Leaf::pack(2, [0, 1, 2, 1, 2]);
        assert_eq!((leaf.count, leaf.payload), (5, vec![0b0110_0100, 0b10]));
    }

    #[test]
    fn all_widths_read_back_what_was_packed() {
        for value_bits in [1, 2, 4, 8, 16, 32, 64] {
            let mask = u64::MAX >> (64 - value_bits);
            for count in 0..40u32 {
                let values: Vec<u64> = (0..u64::from(count))
                    .map(|k| (k + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15))
                    .collect();
                let leaf = Leaf::pack(value_bits, values.iter().copied());
                assert_eq!(leaf.count, count);
                assert_eq!(leaf.payload.len() as u64, payload_len(count, value_bits));
                assert!(padding_is_zero(&leaf.payload, count, value_bits));
                for (k, value) in (0..).zip(&values) {
                    assert_eq!(leaf.value(value_bits, k), value & mask, "{value_bits} bits");
                }
                assert_eq!(leaf.get(value_bits, count), None);
            }
        }
    }

    #[test]
    fn padding_is_seen() {
        assert!(padding_is_zero(&[0b0000_0111], 3, 1));
        assert!(!padding_is_zero(&[0b0000_1111], 3, 1));
        assert!(!padding_is_zero(&[0b1000_0000], 1, 4));
        assert!(padding_is_zero(&[0xff], 8, 1));
        assert!(padding_is_zero(&[], 0, 1));
    }
}
