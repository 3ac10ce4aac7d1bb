//! The dense index of bag games: base index × 600 + hands and market.
//!
//! ```text
//! index = base index · 600 + own · 60 + other · 6 + market      own, other 0…9, market 0…5
//! ```
//!
//! Only positions at the start of a turn with full hands have an index; the positions of the draft
//! and inside a turn follow from those.

use super::{BagBase, BagGame, BagPosition, Stage};
use crate::{
    Dense, Game, HAND_STATES, LEAF_BITS, LeafMask, Luck, MAX_LEVEL, Numbering, Packing, Solvable,
    Tier, engines, hand_state, of_hand_state,
};

impl<B: BagBase> Solvable for BagGame<B> {
    type Engine = engines::Expectimax;
}

impl<B: BagBase> Dense for BagGame<B> {
    const LUCK: Luck = Luck::Draws;

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

    fn numbering(&self) -> Numbering {
        Numbering::Rows(Box::new(self.row_space()))
    }

    // Board by board, which is far quicker than position by position.
    fn leaf_mask(&self, _: Packing, leaf: u64, mask: &mut LeafMask) {
        mask.0.fill(0);
        let first = leaf << LEAF_BITS;
        let end = self.indexable().min(u128::from(first) + (1 << LEAF_BITS)) as u64;
        let states = self.hand_states();
        for board in first / HAND_STATES..end.div_ceil(HAND_STATES) {
            let Some(base) = self.base().at(board) else {
                continue;
            };
            if self.base().line_ending(&base).is_some() {
                continue;
            }
            let packed = states.states(self.base().code(&base));
            let from = board * HAND_STATES;
            for index in from.max(first)..(from + HAND_STATES).min(end) {
                // A strip may be unable to move, which the board does not tell.
                let unfinished = || {
                    !self.base().has_strip()
                        || self.at(index).is_some_and(|at| self.ending(&at).is_none())
                };
                if packed[(index - from) as usize] && unfinished() {
                    mask.insert((index - first) as u32);
                }
            }
        }
    }

    fn tier(&self, position: &Self::Position) -> Tier {
        self.base().tier(&position.base)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Variant;

    #[test]
    fn leaves_are_masked_as_position_by_position() {
        for name in [
            "bag-classic-1x3",
            "bag-green-1x5:counters=infinite",
            "bag-classic-2x3:counters=5",
            "bag-slider",
            "bag-slider:slide=stuck",
            "bag-slider:slide=never",
        ] {
            let variant = Variant::parse(name).unwrap();
            with_game!(&variant, game => {
                let leaves = game.indexable().div_ceil(1 << LEAF_BITS) as u64;
                let mut mask = LeafMask::default();
                for leaf in (0..leaves).step_by((leaves as usize / 12).max(1)) {
                    let first = leaf << LEAF_BITS;
                    let end = game.indexable().min(u128::from(first) + (1 << LEAF_BITS)) as u64;
                    game.leaf_mask(Packing::Unfinished, leaf, &mut mask);
                    for index in first..end {
                        let implied = game.implied(Packing::Unfinished, index);
                        let masked = mask.contains((index - first) as u32);
                        assert_eq!(masked, implied.is_none(), "{name}: {index}");
                    }
                    assert!(mask.places().all(|place| first + u64::from(place) < end));
                }
            });
        }
    }
}
