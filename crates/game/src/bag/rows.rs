//! The parts of the rows of a bag game: its boards, and the states of hands and market that a board
//! can have.

use super::{BagBase, BagGame, BagPosition, BagSlides, BagSupply};
use crate::{Code, HandStates, RowSpace};

impl<B: BagBase> BagGame<B> {
    /// The parts that make up the rows of the game.
    #[must_use]
    pub fn row_space(&self) -> RowSpace {
        let base = self.base();
        RowSpace {
            cells: self.cells(),
            levels: base.levels(),
            symmetries: base.code_symmetries(),
            slides: match self.bag().slides {
                BagSlides::Never => Vec::new(),
                BagSlides::AnyTurn | BagSlides::Stuck => base.slides(),
            },
            targets: base.code_targets(),
            flags: self.flags(),
            parts: self.parts(),
            states: self.hand_states(),
        }
    }

    /// The states of hands and market that a board can have.
    pub(super) fn hand_states(&self) -> HandStates {
        let limit = match self.bag().counters {
            BagSupply::Each(number) => Some(number),
            BagSupply::Infinite => None,
        };
        let strip_moves = self.base().has_strip() && self.bag().slides != BagSlides::Never;
        HandStates::new(self.cells() as u32, limit, strip_moves)
    }

    /// Number of squares.
    #[must_use]
    pub fn cells(&self) -> usize {
        self.base().rules().cells as usize
    }

    /// Numbers that a state of a row takes: expectation and win probability, and the loss
    /// probability where it does not follow from those because points count.
    #[must_use]
    pub fn parts(&self) -> usize {
        if self.base().scores() { 3 } else { 2 }
    }

    /// States of the flag that a board has: two where strip moves can be barred.
    #[must_use]
    pub fn flags(&self) -> usize {
        (self.base().indexable() >> (2 * self.cells())) as usize
    }

    /// The board of an indexed position and whether its strip is barred.
    #[must_use]
    pub fn board_of(&self, position: &BagPosition<B::Position>) -> (Code, usize) {
        let index = self.base().index(&position.base);
        let code = index & ((1 << (2 * self.cells())) - 1);
        (Code(code), (index >> (2 * self.cells())) as usize)
    }
}
