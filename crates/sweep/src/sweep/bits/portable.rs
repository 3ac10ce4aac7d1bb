//! The kernel in plain words: the safe twin of the others, and the one for other machines.

use super::super::layout::{BitBlock, BitRow};
use super::lanes::{BitLanes, FIRST_CAN_RISE, SECOND_CAN_RISE};

/// Eight words.
#[derive(Clone, Copy)]
pub(super) struct EightWords([u64; 8]);

impl EightWords {
    #[inline(always)]
    fn from_lanes(word: impl Fn(usize) -> u64) -> EightWords {
        EightWords(std::array::from_fn(word))
    }
}

impl BitLanes for EightWords {
    #[inline(always)]
    fn zero() -> EightWords {
        EightWords([0; 8])
    }

    #[inline(always)]
    fn load(row: &BitRow) -> EightWords {
        let (words, _) = row.as_chunks::<8>();
        EightWords::from_lanes(|lane| u64::from_le_bytes(words[lane]))
    }

    #[inline(always)]
    fn store(self, row: &mut BitRow) {
        let (words, _) = row.as_chunks_mut::<8>();
        for (bytes, word) in words.iter_mut().zip(self.0) {
            *bytes = word.to_le_bytes();
        }
    }

    #[inline(always)]
    fn or(self, other: EightWords) -> EightWords {
        EightWords::from_lanes(|lane| self.0[lane] | other.0[lane])
    }

    #[inline(always)]
    fn settle(
        lost: EightWords,
        found: EightWords,
        can_rise: EightWords,
        next: EightWords,
        upper: EightWords,
    ) -> EightWords {
        EightWords::from_lanes(|lane| {
            let word = next.0[lane];
            let inside = (word >> 1 & FIRST_CAN_RISE) | (word >> 4 & SECOND_CAN_RISE) | word >> 16;
            let third = if lane % 4 < 3 { next.0[lane + 1] } else { 0 };
            let fourth = if lane < 4 {
                next.0[lane + 4]
            } else {
                upper.0[lane - 4]
            };
            let fifth = word & can_rise.0[lane];
            lost.0[lane] | !(found.0[lane] | inside | third | fourth | fifth)
        })
    }

    #[inline(always)]
    fn prefetch(_: &BitBlock) {}

    #[inline(always)]
    fn count_beyond(rows: &[EightWords; 8], marks: &[EightWords; 8]) -> u64 {
        rows.iter()
            .zip(marks)
            .flat_map(|(row, marks)| row.0.iter().zip(marks.0))
            .map(|(word, marks)| u64::from((word & !marks).count_ones()))
            .sum()
    }
}
