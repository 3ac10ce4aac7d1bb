//! One bit for each position of a block.

use super::layout::LOW;

/// 256 positions: bit `p % 64` of word `p / 64` is the position whose level of low square `i` is
/// digit `i` of `p` in base four.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(32))]
pub(super) struct Block(pub(super) [u64; 4]);

/// Words in which square 0, or square 1, is below level 3.
pub(super) const FIRST_CAN_RISE: u64 = 0x7777_7777_7777_7777;
pub(super) const SECOND_CAN_RISE: u64 = 0x0FFF_0FFF_0FFF_0FFF;

impl Block {
    pub(super) const EMPTY: Block = Block([0; 4]);
    pub(super) const FULL: Block = Block([u64::MAX; 4]);

    /// Removes the positions that show levels on low squares, two bits a square.
    pub(super) fn remove(&mut self, value: u64, mask: u64) {
        for position in 0..256 {
            if position as u64 & mask == value {
                self.0[position / 64] &= !(1 << (position % 64));
            }
        }
    }

    pub(super) fn bit(&self, position: usize) -> bool {
        self.0[position / 64] >> (position % 64) & 1 == 1
    }

    #[inline(always)]
    pub(super) fn and(mut self, other: &Block) -> Block {
        for (word, other) in self.0.iter_mut().zip(&other.0) {
            *word &= other;
        }
        self
    }

    #[inline(always)]
    pub(super) fn or(mut self, other: &Block) -> Block {
        for (word, other) in self.0.iter_mut().zip(&other.0) {
            *word |= other;
        }
        self
    }

    #[inline(always)]
    pub(super) fn without(mut self, other: &Block) -> Block {
        for (word, other) in self.0.iter_mut().zip(&other.0) {
            *word &= !other;
        }
        self
    }

    /// Bytes that are not 0.
    #[inline(always)]
    pub(super) fn bytes(&self) -> u64 {
        const LOW: u64 = 0x7F7F_7F7F_7F7F_7F7F;
        self.0.iter().fold(0, |count, word| {
            // The top bit of every byte that has any.
            let any = ((word & LOW).wrapping_add(LOW) | word) & !LOW;
            count.wrapping_add(any.count_ones().into())
        })
    }

    #[inline(always)]
    pub(super) fn count(&self) -> u64 {
        self.0.iter().fold(0, |count, word| {
            count.wrapping_add(word.count_ones().into())
        })
    }

    /// The positions from which a raise of a low square leads into the set.
    #[inline(always)]
    pub(super) fn lowered(&self) -> Block {
        const { assert!(LOW == 4) };
        let mut lowered = Block::EMPTY;
        for (place, word) in self.0.iter().enumerate() {
            let mut from = word >> 1 & FIRST_CAN_RISE | word >> 4 & SECOND_CAN_RISE | word >> 16;
            if place < 3 {
                from |= self.0[place + 1];
            }
            lowered.0[place] = from;
        }
        lowered
    }

    /// Of the positions that no raise outside the block decides, the lost ones: those from which no
    /// raise leads to a lost one.
    #[inline(always)]
    pub(super) fn settled(&self) -> Block {
        // Right at the positions without raises into the set at first, one raise further each time.
        let mut lost = *self;
        loop {
            let next = self.without(&lost.lowered());
            if next == lost {
                return lost;
            }
            lost = next;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lost_positions_are_those_without_a_raise_to_one() {
        let mut random = 7_u64;
        for _ in 0..80 {
            let mut open = Block::EMPTY;
            for word in &mut open.0 {
                random = random.wrapping_mul(0xd129_0d3d_2d2b_c9a5).wrapping_add(11);
                *word = random ^ random >> 29;
            }
            let lost = open.settled();
            for position in 0..256_usize {
                let raises = (0..4).filter(|square| position >> (2 * square) & 3 < 3);
                let wins = raises
                    .map(|square| position + (1 << (2 * square)))
                    .any(|p| lost.bit(p));
                assert_eq!(lost.bit(position), open.bit(position) && !wins);
            }
        }
    }
}
