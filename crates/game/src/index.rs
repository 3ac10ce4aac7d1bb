//! Dense indices: every position as a number, and which positions a table has to store.

use std::any::Any;

use crate::{Ending, Game, Luck, Metric, Numbering};

/// A leaf is 2^16 consecutive indices: the unit in which tables pack and hash values.
pub const LEAF_BITS: u32 = 16;

/// 64-bit words of a [`LeafMask`].
pub const LEAF_WORDS: usize = 1 << (LEAF_BITS - 6);

/// Indices of listed positions are below two to this power, so that a table can keep an index and a
/// code in 64 bits.
pub const LISTED_BITS: u32 = 48;

/// Group of positions that are solved together; moves never lead to a lower tier.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Tier(pub u32);

/// Why a position needs no entry in a table: its value follows from the rules at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Implication {
    /// The index is no legal position.
    Illegal,
    /// The game is over.
    Ended(Ending),
    /// The player to move completes a line at once and wins: value win, distance one ply.
    WonAtOnce,
}

/// Which positions a table stores.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Packing {
    /// All that are legal and not finished.
    Unfinished,
    /// Of those, the ones without a winning move at hand.
    Undecided,
}

/// One bit per index of a leaf: bit `i % 64` of word `i / 64` for the leaf's index `i`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeafMask(pub Box<[u64; LEAF_WORDS]>);

impl Default for LeafMask {
    fn default() -> LeafMask {
        LeafMask(Box::new([0; LEAF_WORDS]))
    }
}

impl LeafMask {
    /// Number of set bits.
    #[must_use]
    pub fn count(&self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    /// Whether the bit of a place is set.
    #[must_use]
    pub fn contains(&self, place: u32) -> bool {
        self.0[(place / 64) as usize] >> (place % 64) & 1 == 1
    }

    /// Sets the bit of a place.
    pub fn insert(&mut self, place: u32) {
        self.0[(place / 64) as usize] |= 1 << (place % 64);
    }

    /// The places of set bits, lowest first.
    pub fn places(&self) -> impl Iterator<Item = u32> {
        self.0.iter().enumerate().flat_map(|(word, bits)| {
            let mut bits = *bits;
            std::iter::from_fn(move || {
                let place = (bits != 0).then(|| word as u32 * 64 + bits.trailing_zeros());
                bits &= bits.wrapping_sub(1);
                place
            })
        })
    }
}

/// A game whose positions are numbered, without great gaps unless they are listed
/// ([`Numbering::Listed`]).
///
/// Indexable ⊇ legal ⊇ reachable: an index may be no legal position (it breaks a supply limit), and
/// play need not be able to reach a legal one.
pub trait Dense: Game {
    /// Whether chance takes part. It is the same for all games of a type, so what is for games without
    /// chance is not compiled for the others.
    const LUCK: Luck = Luck::None;

    /// Number of indices.
    fn indexable(&self) -> u128;

    /// Number of positions that a solution deals with, not up to symmetry: all indices, or where
    /// positions are listed those that play reaches, or rather more.
    fn expected_positions(&self) -> u128 {
        self.indexable()
    }

    /// Whether a position has an index. Games with chance leave out the positions before the first
    /// turn and inside a turn: their values follow from those at the start of turns.
    fn has_index(&self, position: &Self::Position) -> bool {
        let _ = position;
        true
    }

    /// The index of a position. Positions that symmetries make of each other may share an index.
    fn index(&self, position: &Self::Position) -> u64;

    /// The position of an index below [`Dense::indexable`]; `None` if it is not legal.
    fn at(&self, index: u64) -> Option<Self::Position>;

    /// The position of an index that some position is known to have: [`Dense::at`] without its checks.
    /// Of another index it may give a position that cannot be.
    fn at_unchecked(&self, index: u64) -> Option<Self::Position> {
        self.at(index)
    }

    /// The tier of a position. Moves never lead to a lower tier, and to a higher one where
    /// [`Advance::Rises`](crate::Advance::Rises) is declared.
    fn tier(&self, position: &Self::Position) -> Tier;

    /// The game with its own type, for what is worked out on games of this type alone; `None` where
    /// there is no such thing.
    fn as_any(&self) -> Option<&dyn Any> {
        None
    }

    /// How the values of the game are numbered.
    fn numbering(&self) -> Numbering {
        Numbering::Dense
    }

    /// Whether values are those of the positions that play reaches and of no others.
    fn holds_reachable_only(&self) -> bool {
        matches!(self.numbering(), Numbering::Listed)
    }

    /// Which positions a table of a metric stores, where they are numbered by index.
    /// [`Packing::Undecided`] only where completing a
    /// line always wins and nothing forbids it.
    fn packing(&self, metric: Metric) -> Packing {
        let _ = metric;
        Packing::Unfinished
    }

    /// Whether the player to move can complete a line; only asked where [`Packing::Undecided`] is
    /// used.
    fn wins_at_once(&self, position: &Self::Position) -> bool {
        let _ = position;
        false
    }

    /// Where every move leads to a higher index: how many consecutive indices make a block. A move stays
    /// in its block or leads to a block of a higher wave, so blocks of one wave are independent of each
    /// other. `None` where moves may lead to lower indices, too.
    fn block_len(&self) -> Option<u64> {
        None
    }

    /// The wave of a block; only asked where there are blocks.
    fn wave(&self, block: u64) -> u32 {
        let _ = block;
        0
    }

    /// Why an index is not packed, or `None` if it is.
    fn implied(&self, packing: Packing, index: u64) -> Option<Implication> {
        let Some(position) = self.at(index) else {
            return Some(Implication::Illegal);
        };
        if let Some(ending) = self.ending(&position) {
            return Some(Implication::Ended(ending));
        }
        (packing == Packing::Undecided && self.wins_at_once(&position))
            .then_some(Implication::WonAtOnce)
    }

    /// The packed positions of a leaf: exactly those that are not [`Dense::implied`].
    fn leaf_mask(&self, packing: Packing, leaf: u64, mask: &mut LeafMask) {
        mask.0.fill(0);
        let first = leaf << LEAF_BITS;
        let places = (self.indexable() - u128::from(first)).min(1 << LEAF_BITS) as u32;
        for place in 0..places {
            if self.implied(packing, first + u64::from(place)).is_none() {
                mask.insert(place);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_those_inserted() {
        let mut mask = LeafMask::default();
        let places = [0, 1, 63, 64, 127, 128, 65_535];
        places.into_iter().for_each(|place| mask.insert(place));
        assert_eq!(mask.places().collect::<Vec<_>>(), places);
        assert!(places.into_iter().all(|place| mask.contains(place)));
        assert!(!mask.contains(2));
        assert_eq!(mask.count(), 7);
    }
}
