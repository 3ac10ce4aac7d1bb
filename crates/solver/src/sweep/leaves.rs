//! From swept blocks to the packed leaves of a table.

use greenwave_game::LEAF_BITS;
use greenwave_table::Leaf;
use rayon::prelude::*;

use super::frame::Frame;
use super::layout::{BitBlock, LOW, WORDS};
use super::masks::{Contributions, left_out};
use super::waves::Swept;

/// Logarithm of the blocks in a leaf.
const LEAF_BLOCK_BITS: u32 = LEAF_BITS - 2 * LOW as u32;

/// How the values in a block of `N` bytes are read.
pub(super) trait Solved<const N: usize>: Sync {
    /// The code of a position of a block, as in [`greenwave_game::codes`].
    fn code(&self, block: &[u8; N], position: usize) -> i32;

    /// Appends the codes of the positions of a block that are set in `packed`.
    fn pack(&self, block: &[u8; N], packed: &[u64; WORDS], leaf: &mut LeafBuilder);
}

/// Puts a leaf together.
#[derive(Default)]
pub(super) struct LeafBuilder {
    leaf: Leaf,
    // Bits that do not fill a byte yet.
    bits: u64,
    used: u32,
}

impl LeafBuilder {
    /// Appends those bits of a word that are set in `packed`.
    pub(super) fn push_bits(&mut self, word: u64, packed: u64) {
        let count = packed.count_ones();
        let bits = gather_bits(word, packed);
        self.leaf.count += count;
        self.bits |= bits << self.used;
        let free = 64 - self.used;
        if count < free {
            self.used += count;
            return;
        }
        self.leaf
            .payload
            .extend_from_slice(&self.bits.to_le_bytes());
        self.bits = bits.checked_shr(free).unwrap_or(0);
        self.used = count - free;
    }

    fn finish(mut self) -> Leaf {
        let bytes = self.used.div_ceil(8) as usize;
        self.leaf
            .payload
            .extend_from_slice(&self.bits.to_le_bytes()[..bytes]);
        self.leaf.payload.shrink_to_fit();
        self.leaf
    }
}

// The bits of `word` at the set bits of `mask`, moved together.
fn gather_bits(word: u64, mask: u64) -> u64 {
    // Hacker's Delight, section 7-4: each step moves the bits that have an odd number of gaps of
    // its width below them.
    let mut word = word & mask;
    let mut mask = mask;
    let mut gaps = !mask << 1;
    for step in 0..6 {
        let mut parity = gaps ^ gaps << 1;
        parity ^= parity << 2;
        parity ^= parity << 4;
        parity ^= parity << 8;
        parity ^= parity << 16;
        parity ^= parity << 32;
        let moving = parity & mask;
        mask = mask ^ moving | moving >> (1 << step);
        let moved = word & moving;
        word = word ^ moved | moved >> (1 << step);
        gaps &= !parity;
    }
    word
}

/// The leaves of a table that are not empty, as they are finished.
pub(super) struct Leaves {
    left_out: Contributions<BitBlock>,
    leaves: Vec<(u64, Leaf)>,
}

impl Leaves {
    /// For a sweep in the order of the index. `undecided`: positions with a winning move at hand
    /// are left out.
    pub(super) fn new(frame: &Frame, undecided: bool) -> Leaves {
        assert!(frame.order.is_natural(), "leaves are cut by index");
        Leaves {
            left_out: left_out(frame, undecided),
            leaves: Vec::new(),
        }
    }

    /// Takes the leaves of a finished wave.
    pub(super) fn take<const N: usize>(&mut self, swept: &Swept<'_, N>, solved: &impl Solved<N>) {
        let taken: Vec<Vec<(u64, Leaf)>> = swept
            .wave()
            .families
            .par_iter()
            .with_min_len(16)
            .map(|outer| self.leaves_of(swept, solved, u64::from(*outer)))
            .collect();
        self.leaves.extend(taken.into_iter().flatten());
    }

    /// All leaves by number.
    pub(super) fn finish(mut self) -> Vec<(u64, Leaf)> {
        self.leaves.par_sort_unstable_by_key(|(number, _)| *number);
        self.leaves
    }

    fn leaves_of<const N: usize>(
        &self,
        swept: &Swept<'_, N>,
        solved: &impl Solved<N>,
        outer: u64,
    ) -> Vec<(u64, Leaf)> {
        let common = self.left_out.family(outer);
        let middles = 1_u64 << (2 * swept.frame.middle);
        let mut leaves = Vec::new();
        let mut number = (outer * middles) >> LEAF_BLOCK_BITS;
        let mut builder = LeafBuilder::default();
        for middle in 0..middles {
            let of_block = (outer * middles + middle) >> LEAF_BLOCK_BITS;
            if of_block != number {
                leaves.push((number, std::mem::take(&mut builder).finish()));
                number = of_block;
            }
            let Some(block) = swept.block(outer, middle as u8) else {
                continue;
            };
            let out = self.left_out.add_mixed(&common, outer, middle as usize);
            let (words, _) = out.as_chunks::<8>();
            let packed: [u64; WORDS] =
                std::array::from_fn(|number| !u64::from_le_bytes(words[number]));
            solved.pack(block, &packed, &mut builder);
        }
        leaves.push((number, builder.finish()));
        leaves.retain(|(_, leaf)| leaf.count > 0);
        leaves
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_are_gathered_in_order() {
        let mut word = 0x9e37_79b9_7f4a_7c15_u64;
        for _ in 0..200 {
            word = word.wrapping_mul(0xd129_0d3d_2d2b_c9a5).rotate_left(17);
            let mask = word.wrapping_mul(0x94d0_49bb_1331_11eb) ^ word >> 7;
            let places = (0..64).filter(|bit| mask >> bit & 1 == 1);
            let expected = places
                .enumerate()
                .fold(0, |bits, (place, bit)| bits | (word >> bit & 1) << place);
            assert_eq!(gather_bits(word, mask), expected);
        }
    }

    #[test]
    fn leaves_fill_up_bit_by_bit() {
        let words = [
            (u64::MAX, u64::MAX),
            (0b1010, 0b1110),
            (7, 7),
            (u64::MAX, u64::MAX >> 1),
        ];
        let mut builder = LeafBuilder::default();
        let mut values = Vec::new();
        for (word, packed) in words {
            builder.push_bits(word, packed);
            values.extend(
                (0..64)
                    .filter(|bit| packed >> bit & 1 == 1)
                    .map(|bit| word >> bit & 1),
            );
        }
        assert_eq!(builder.finish(), Leaf::pack(1, values));
    }
}
