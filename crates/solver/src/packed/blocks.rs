//! One bit for each position of a block.

use std::ops::{Deref, DerefMut};

use super::layout::GROUP;
use super::tables::BLOCKS;

/// Positions of a block: `G` groups of 256, one for each level of the fifth low square where there
/// is one. Bit `p % 64` of word `p / 64` of a group is the position whose level of low square `i` is
/// digit `i` of `p` in base four.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(32))]
pub(super) struct Block<const G: usize>(pub(super) [[u64; 4]; G]);

/// Blocks of a family and one more, at cache lines, so that a register's worth of them never lies on
/// two.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub(super) struct Blocks<const G: usize>([Block<G>; BLOCKS + 1]);

impl<const G: usize> Blocks<G> {
    /// Empty blocks.
    pub(super) fn new() -> Box<Blocks<G>> {
        Box::new(Blocks([Block::EMPTY; BLOCKS + 1]))
    }
}

impl<const G: usize> Deref for Blocks<G> {
    type Target = [Block<G>; BLOCKS + 1];

    #[inline(always)]
    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

impl<const G: usize> DerefMut for Blocks<G> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.0
    }
}

/// Words in which square 0, or square 1, is below level 3.
pub(super) const FIRST_CAN_RISE: u64 = 0x7777_7777_7777_7777;
pub(super) const SECOND_CAN_RISE: u64 = 0x0FFF_0FFF_0FFF_0FFF;

impl<const G: usize> Block<G> {
    pub(super) const EMPTY: Block<G> = Block([[0; 4]; G]);
    pub(super) const FULL: Block<G> = Block([[u64::MAX; 4]; G]);

    /// Removes the positions that show levels on low squares, two bits a square.
    pub(super) fn remove(&mut self, value: u64, mask: u64) {
        for position in 0..256 * G {
            if position as u64 & mask == value {
                self.0[position / 256][position / 64 % 4] &= !(1 << (position % 64));
            }
        }
    }

    pub(super) fn bit(&self, position: usize) -> bool {
        self.0[position / 256][position / 64 % 4] >> (position % 64) & 1 == 1
    }

    #[inline(always)]
    pub(super) fn and(mut self, other: &Block<G>) -> Block<G> {
        for (words, others) in self.0.iter_mut().zip(&other.0) {
            for (word, other) in words.iter_mut().zip(others) {
                *word &= other;
            }
        }
        self
    }

    #[inline(always)]
    pub(super) fn or(mut self, other: &Block<G>) -> Block<G> {
        for (words, others) in self.0.iter_mut().zip(&other.0) {
            for (word, other) in words.iter_mut().zip(others) {
                *word |= other;
            }
        }
        self
    }

    #[inline(always)]
    pub(super) fn without(mut self, other: &Block<G>) -> Block<G> {
        for (words, others) in self.0.iter_mut().zip(&other.0) {
            for (word, other) in words.iter_mut().zip(others) {
                *word &= !other;
            }
        }
        self
    }

    #[inline(always)]
    pub(super) fn count(&self) -> u64 {
        let words = self.0.as_flattened().iter();
        words.fold(0, |count, word| {
            count.wrapping_add(word.count_ones().into())
        })
    }

    /// The positions from which a raise of a low square leads into the set.
    #[inline(always)]
    pub(super) fn lowered(&self) -> Block<G> {
        const { assert!(GROUP == 4) };
        let mut lowered = Block::EMPTY;
        for (number, words) in self.0.iter().enumerate() {
            for (place, word) in words.iter().enumerate() {
                let mut from =
                    word >> 1 & FIRST_CAN_RISE | word >> 4 & SECOND_CAN_RISE | word >> 16;
                if place < 3 {
                    from |= words[place + 1];
                }
                if number + 1 < G {
                    from |= self.0[number + 1][place];
                }
                lowered.0[number][place] = from;
            }
        }
        lowered
    }

    /// Of the positions that no raise outside the block decides, the lost ones: those from which no
    /// raise leads to a lost one.
    #[inline(always)]
    pub(super) fn settled(&self) -> Block<G> {
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
        for _ in 0..20 {
            let mut open = Block::<4>::EMPTY;
            for word in open.0.as_flattened_mut() {
                random = random.wrapping_mul(0xd129_0d3d_2d2b_c9a5).wrapping_add(11);
                *word = random ^ random >> 29;
            }
            let lost = open.settled();
            for position in 0..1024_usize {
                let raises = (0..5).filter(|square| position >> (2 * square) & 3 < 3);
                let wins = raises
                    .map(|square| position + (1 << (2 * square)))
                    .any(|p| lost.bit(p));
                assert_eq!(lost.bit(position), open.bit(position) && !wins);
            }
        }
    }
}
