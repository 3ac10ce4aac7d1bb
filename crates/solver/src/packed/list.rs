//! The ranks of a family, for kernels that go through them several at a time.

#![allow(unsafe_code)]

use super::tables::BLOCKS;

/// The set bits in order.
pub(super) struct List {
    pub(super) ranks: [u8; BLOCKS + 64],
    pub(super) count: usize,
}

impl List {
    pub(super) const EMPTY: List = List {
        ranks: [0; BLOCKS + 64],
        count: 0,
    };

    #[inline(always)]
    pub(super) fn as_slice(&self) -> &[u8] {
        &self.ranks[..self.count]
    }

    // The rank at a place; `BLOCKS` beyond the end.
    #[inline(always)]
    pub(super) fn rank(&self, place: usize) -> usize {
        if place < self.count {
            // SAFETY: there are at most `BLOCKS` ranks.
            usize::from(unsafe { *self.ranks.get_unchecked(place) })
        } else {
            BLOCKS
        }
    }

    // As many ranks from a place on as have the same sum, and how many these are.
    #[inline(always)]
    pub(super) fn of_equal_sum<const R: usize>(
        &self,
        place: usize,
        sums: &[u8],
    ) -> ([usize; R], usize) {
        let mut ranks = [BLOCKS; R];
        ranks[0] = self.rank(place);
        let sum = sums[ranks[0]];
        let mut taken = 1;
        while taken < R {
            let rank = self.rank(place + taken);
            if rank == BLOCKS || sums[rank] != sum {
                break;
            }
            ranks[taken] = rank;
            taken += 1;
        }
        (ranks, taken)
    }

    // The ranks from a place on, up to the end and two beyond, where they are any.
    #[inline(always)]
    pub(super) fn some<const R: usize>(&self, place: usize) -> [usize; R] {
        let mut ranks = [0; R];
        for (number, rank) in ranks.iter_mut().enumerate() {
            // SAFETY: there are 64 more than `BLOCKS`.
            *rank = usize::from(unsafe { *self.ranks.get_unchecked(place + number) });
        }
        ranks
    }

    // The ranks from a place on.
    #[inline(always)]
    pub(super) fn ranks<const R: usize>(&self, place: usize) -> [usize; R] {
        let mut ranks = [BLOCKS; R];
        for (number, rank) in ranks.iter_mut().enumerate() {
            *rank = self.rank(place + number);
        }
        ranks
    }
}
