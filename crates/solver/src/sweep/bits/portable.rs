//! The kernel in plain words: the safe twin of the others, and the one for other machines.

use super::super::layout::{BitBlock, Row};
use super::{FIRST_CAN_RISE, Lanes, SECOND_CAN_RISE};

/// Eight words.
#[derive(Clone, Copy)]
pub(super) struct Words([u64; 8]);

impl Words {
    #[inline(always)]
    fn from_lanes(word: impl Fn(usize) -> u64) -> Words {
        Words(std::array::from_fn(word))
    }
}

impl Lanes for Words {
    #[inline(always)]
    fn zero() -> Words {
        Words([0; 8])
    }

    #[inline(always)]
    fn load(row: &Row) -> Words {
        let (words, _) = row.as_chunks::<8>();
        Words::from_lanes(|lane| u64::from_le_bytes(words[lane]))
    }

    #[inline(always)]
    fn store(self, row: &mut Row) {
        let (words, _) = row.as_chunks_mut::<8>();
        for (bytes, word) in words.iter_mut().zip(self.0) {
            *bytes = word.to_le_bytes();
        }
    }

    #[inline(always)]
    fn or(self, other: Words) -> Words {
        Words::from_lanes(|lane| self.0[lane] | other.0[lane])
    }

    #[inline(always)]
    fn settle(lost: Words, found: Words, can_rise: Words, next: Words, upper: Words) -> Words {
        Words::from_lanes(|lane| {
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
    fn count_beyond(rows: &[Words; 8], marks: &[Words; 8]) -> u64 {
        rows.iter()
            .zip(marks)
            .flat_map(|(row, marks)| row.0.iter().zip(marks.0))
            .map(|(word, marks)| u64::from((word & !marks).count_ones()))
            .sum()
    }
}
