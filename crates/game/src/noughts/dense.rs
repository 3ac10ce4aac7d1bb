//! The index of positions: the board as a number in base 3, a1 the lowest digit, 0 for an empty
//! square, 1 for X, 2 for O.

use super::{LineMeaning, NoughtsGame, NoughtsPosition};
use crate::{Dense, Metric, Packing, Solvable, Tier, engines};

/// Number of squares that share one table.
const GROUP: usize = 8;
/// Contents that they can have.
const CONTENTS: u64 = 3_u64.pow(GROUP as u32);
/// Squares that choose the place inside a block.
const BLOCK: u32 = 10;

/// Tables between marks and digits, for eight squares at a time.
#[derive(Clone, Debug)]
pub(super) struct Powers {
    groups: usize,
    // By marks of one sign: the number with a digit 1 for each.
    numbers: Vec<u16>,
    // By number: the squares with a 1 and those with a 2.
    marks: Vec<(u8, u8)>,
}

impl Powers {
    pub(super) fn new(cells: usize) -> Powers {
        let number = |marks: usize| {
            (0..GROUP).fold(0, |number, cell| {
                number + (marks >> cell & 1) as u16 * 3_u16.pow(cell as u32)
            })
        };
        let digit = |number: u64, cell: usize| number / 3_u64.pow(cell as u32) % 3;
        let marks = (0..CONTENTS).map(|number| {
            (0..GROUP).fold((0, 0), |(x, o), cell| match digit(number, cell) {
                1 => (x | 1 << cell, o),
                2 => (x, o | 1 << cell),
                _ => (x, o),
            })
        });
        Powers {
            groups: cells.div_ceil(GROUP),
            numbers: (0..1 << GROUP).map(number).collect(),
            marks: marks.collect(),
        }
    }

    fn index(&self, position: &NoughtsPosition) -> u64 {
        (0..self.groups).rev().fold(0, |index, group| {
            let of =
                |marks: u32| u64::from(self.numbers[(marks >> (GROUP * group) & 0xff) as usize]);
            index * CONTENTS + of(position.x) + 2 * of(position.o)
        })
    }

    fn position(&self, mut index: u64) -> NoughtsPosition {
        let mut position = NoughtsPosition::default();
        for group in 0..self.groups {
            let (x, o) = self.marks[(index % CONTENTS) as usize];
            position.x |= u32::from(x) << (GROUP * group);
            position.o |= u32::from(o) << (GROUP * group);
            index /= CONTENTS;
        }
        position
    }
}

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
