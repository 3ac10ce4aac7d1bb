//! The ranks of a family, for kernels that go through them several at a time.

#![allow(unsafe_code)]

/// Ranks at most: of a family with five middle squares.
const MOST: usize = 1024;

/// Places beyond the end that the code may read: it writes streams from sixteen at a time.
const BEYOND: usize = 16;

/// Places in a list.
pub(super) const PLACES: usize = MOST + BEYOND;

/// The set bits in order.
#[derive(Clone, Debug)]
pub(super) struct SetBits {
    // Those up to the count. Beyond it stands what was left there by families before, or beside ranks that
    // were written together: numbers less than those of blocks, perhaps of no block.
    pub(super) ranks: [u16; PLACES],
    pub(super) count: usize,
}

impl SetBits {
    pub(super) fn new() -> SetBits {
        SetBits {
            ranks: [0; PLACES],
            count: 0,
        }
    }

    #[inline(always)]
    pub(super) fn as_slice(&self) -> &[u16] {
        &self.ranks[..self.count]
    }

    // The rank at a place; that of no block beyond the end.
    #[inline(always)]
    pub(super) fn rank(&self, place: usize, none: usize) -> usize {
        if place < self.count {
            // SAFETY: there are at most `MOST` ranks.
            usize::from(unsafe { *self.ranks.get_unchecked(place) })
        } else {
            none
        }
    }

    // As many ranks from a place on as have the same sum, and how many these are.
    #[inline(always)]
    pub(super) fn of_equal_sum<const R: usize>(
        &self,
        place: usize,
        sums: &[u8],
        none: usize,
    ) -> ([usize; R], usize) {
        let mut ranks = [none; R];
        ranks[0] = self.rank(place, none);
        let sum = sums[ranks[0]];
        let mut taken = 1;
        while taken < R {
            let rank = self.rank(place + taken, none);
            if rank == none || sums[rank] != sum {
                break;
            }
            ranks[taken] = rank;
            taken += 1;
        }
        (ranks, taken)
    }

    // The ranks from a place on, and what stands beyond the end.
    //
    // SAFETY: the place is at most two beyond the end of the list, and there are this many places.
    #[inline(always)]
    pub(super) unsafe fn some<const R: usize>(&self, place: usize) -> [usize; R] {
        let mut ranks = [0; R];
        for (number, rank) in ranks.iter_mut().enumerate() {
            debug_assert!(place + number < self.ranks.len());
            // SAFETY: so there are as many places, see above.
            *rank = usize::from(unsafe { *self.ranks.get_unchecked(place + number) });
        }
        ranks
    }
}
