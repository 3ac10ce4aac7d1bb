//! The dense index of bag games: base index × 600 + hands and market.
//!
//! ```text
//! index = base index · 600 + own · 60 + other · 6 + market      own, other 0…9, market 0…5
//! ```
//!
//! Only positions at the start of a turn with full hands have an index; the positions of the draft
//! and inside a turn follow from those.

use super::{BagBase, BagGame, BagPosition, Counters, Stage};
use crate::{Dense, MAX_LEVEL, Tier};

/// Hands of three for both players and a market of two: 10 · 10 · 6.
pub const HAND_STATES: u64 = 600;

/// The number, below [`HAND_STATES`], of two full hands and a full market.
#[must_use]
pub fn hand_state(own: Counters, other: Counters, market: Counters) -> u64 {
    (own.rank() * 60 + other.rank() * 6 + market.rank()) as u64
}

/// Own hand, other hand and market of a number below [`HAND_STATES`].
#[must_use]
pub fn of_hand_state(state: u64) -> (Counters, Counters, Counters) {
    let pick = |size: u8, rank: u64| Counters::all(size).nth(rank as usize).unwrap_or_default();
    (
        pick(3, state / 60),
        pick(3, state / 6 % 10),
        pick(2, state % 6),
    )
}

impl<B: BagBase> Dense for BagGame<B> {
    fn indexable(&self) -> u128 {
        self.base().indexable() * u128::from(HAND_STATES)
    }

    fn has_index(&self, position: &Self::Position) -> bool {
        position.stage == Stage::Turn && position.own.size() == 3 && position.other.size() == 3
    }

    /// # Panics
    /// For positions that [`Dense::has_index`] excludes.
    fn index(&self, position: &Self::Position) -> u64 {
        assert!(self.has_index(position), "no index: {position:?}");
        let hands = hand_state(position.own, position.other, position.market);
        self.base().index(&position.base) * HAND_STATES + hands
    }

    fn at(&self, index: u64) -> Option<Self::Position> {
        let (own, other, market) = of_hand_state(index % HAND_STATES);
        let position = BagPosition {
            base: self.base().at(index / HAND_STATES)?,
            own,
            other,
            market,
            stage: Stage::Turn,
        };
        (1..=MAX_LEVEL)
            .all(|level| self.left(&position, level).is_some())
            .then_some(position)
    }

    fn tier(&self, position: &Self::Position) -> Tier {
        self.base().tier(&position.base)
    }
}
