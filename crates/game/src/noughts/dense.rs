//! The index of positions: the board as a number in base 3, a1 the lowest digit, 0 for an empty
//! square, 1 for X, 2 for O.

use super::rules::LineMeaning;
use super::{NoughtsGame, NoughtsPosition};
use crate::{Dense, Metric, Packing, Solvable, Tier, engines};

/// Squares that choose the place inside a block.
const BLOCK: u32 = 10;

impl NoughtsGame {
    /// Whether the counts fit, and no line belongs to the player to move.
    fn is_legal(&self, position: &NoughtsPosition) -> bool {
        let (x, o) = (position.x.count_ones(), position.o.count_ones());
        (x == o || x == o + 1) && !self.has_line(position.own())
    }
}

impl Solvable for NoughtsGame {
    type Engine = engines::Backward;
}

impl Dense for NoughtsGame {
    fn indexable(&self) -> u128 {
        3_u128.pow(self.cells().into())
    }

    fn index(&self, position: &NoughtsPosition) -> u64 {
        self.powers.index(position)
    }

    fn at(&self, index: u64) -> Option<NoughtsPosition> {
        Some(self.powers.position(index)).filter(|position| self.is_legal(position))
    }

    fn at_unchecked(&self, index: u64) -> Option<NoughtsPosition> {
        Some(self.powers.position(index))
    }

    fn tier(&self, position: &NoughtsPosition) -> Tier {
        Tier(position.taken().count_ones())
    }

    fn packing(&self, metric: Metric) -> Packing {
        let decided = matches!(metric, Metric::Value | Metric::Distance);
        if decided && self.play == LineMeaning::Normal {
            Packing::Undecided
        } else {
            Packing::Unfinished
        }
    }

    fn wins_at_once(&self, position: &NoughtsPosition) -> bool {
        let own = position.own();
        self.empty(position).any(|cell| self.completes(own, cell))
    }

    fn block_len(&self) -> Option<u64> {
        Some(3_u64.pow(BLOCK.min(self.cells().into())))
    }

    // Marks on the squares above those of a block.
    fn wave(&self, block: u64) -> u32 {
        self.powers.position(block).taken().count_ones()
    }
}
