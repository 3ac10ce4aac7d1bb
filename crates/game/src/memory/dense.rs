//! The index of positions: the board as a number whose digits are the squares, each from its level at
//! the start to its highest, and below it what is remembered.

use super::{MemoryGame, MemoryPosition};
use crate::squares::Squares;
use crate::{Dense, Solvable, Tier, engines};

impl Solvable for MemoryGame {
    type Engine = engines::Backward;
}

impl Dense for MemoryGame {
    fn indexable(&self) -> u128 {
        self.boards
            .count()
            .saturating_mul(self.states.count().into())
    }

    fn index(&self, position: &MemoryPosition) -> u64 {
        let board = self.boards.number(position.code);
        board
            .wrapping_mul(self.states.count())
            .wrapping_add(self.states.number(position))
    }

    fn at(&self, index: u64) -> Option<MemoryPosition> {
        self.at_unchecked(index).filter(|position| {
            self.base().is_legal(position.code) && self.misfits(position).is_empty()
        })
    }

    fn at_unchecked(&self, index: u64) -> Option<MemoryPosition> {
        let states = self.states.count();
        let code = self.boards.board(index / states, 0);
        Some(self.states.position(code, index % states))
    }

    fn tier(&self, position: &MemoryPosition) -> Tier {
        // A swap leaves the board as it is, and in scored games it takes points over: it rises, too.
        Tier(self.stage(position))
    }

    fn block_len(&self) -> Option<u64> {
        Some(self.boards.block().1 * self.states.count())
    }

    fn wave(&self, block: u64) -> u32 {
        let (inside, _) = self.boards.block();
        self.boards.board(block, inside).level_sum()
    }
}
