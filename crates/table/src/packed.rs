//! Which indices of a leaf have a packed value.

use crate::layout::LEAF_LEN;

/// Words of 64 bits for the indices of a leaf.
const WORDS: usize = (LEAF_LEN / 64) as usize;

/// The packed indices of a leaf, and how many of them are below each word: ranks take one word.
#[derive(Debug)]
pub struct PackedIndices {
    words: Box<[u64; WORDS]>,
    below: Box<[u16; WORDS]>,
    count: u32,
}

impl PackedIndices {
    /// Bytes in memory, but for the few of the type itself.
    pub(crate) const BYTES: usize = WORDS * (size_of::<u64>() + size_of::<u16>());

    /// Bit `i % 64` of word `i / 64` says whether index `i` of the leaf is packed.
    #[must_use]
    pub fn new(words: Box<[u64; WORDS]>) -> PackedIndices {
        let mut below = Box::new([0; WORDS]);
        let mut count = 0;
        for (slot, word) in below.iter_mut().zip(words.iter()) {
            // Below the last word are at most 65,472.
            *slot = count as u16;
            count += word.count_ones();
        }
        PackedIndices {
            words,
            below,
            count,
        }
    }

    /// Number of packed indices.
    #[must_use]
    pub fn count(&self) -> u32 {
        self.count
    }

    /// Number of packed indices below an index of the leaf: the rank of its value.
    ///
    /// # Panics
    /// When the index is not below [`LEAF_LEN`](crate::LEAF_LEN).
    #[must_use]
    pub fn rank(&self, index: u32) -> u32 {
        let word = (index / 64) as usize;
        let lower = self.words[word] & ((1 << (index % 64)) - 1);
        u32::from(self.below[word]) + lower.count_ones()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_are_counts_of_lower_indices() {
        let mut words = Box::new([0; WORDS]);
        let mut state = 7_u64;
        for word in words.iter_mut() {
            state = state.wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29);
            *word = state & state.rotate_left(31);
        }
        for words in [words, Box::new([!0; WORDS]), Box::new([0; WORDS])] {
            let packed = PackedIndices::new(words.clone());
            let mut below = 0;
            for index in 0..LEAF_LEN as u32 {
                assert_eq!(packed.rank(index), below, "index {index}");
                below += (words[(index / 64) as usize] >> (index % 64) & 1) as u32;
            }
            assert_eq!(packed.count(), below);
        }
    }
}
