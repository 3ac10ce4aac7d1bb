//! Counters: which squares can be raised, and which boards the supply allows.

use super::{BoardGame, Supply};
use crate::{Cell, Code, Colours, Fault, MAX_LEVEL};

impl BoardGame {
    /// Whether the supply allows a raise of a square; the square must be below its highest level.
    fn supply_allows(&self, code: Code, cell: Cell) -> bool {
        let to = code.level(cell) + 1;
        match self.board.supply {
            Supply::Unlimited => true,
            Supply::Cap(limit) => code.count(to) < limit,
            Supply::Pool(limit) => code.count_from(to) < limit,
        }
    }

    /// Whether a board breaks no supply limit and no level limit.
    #[must_use]
    pub fn is_legal(&self, code: Code) -> bool {
        let over = |level| self.over_supply(code, level).is_some();
        (self.board.levels == MAX_LEVEL
            || (self.board.levels + 1..=MAX_LEVEL).all(|level| code.count(level) == 0))
            && (self.board.supply == Supply::Unlimited || !(1..=self.board.levels).any(over))
    }

    fn over_supply(&self, code: Code, level: u8) -> Option<(u32, u32)> {
        let (used, limit) = match self.board.supply {
            Supply::Unlimited => return None,
            Supply::Cap(limit) => (code.count(level), limit),
            Supply::Pool(limit) => (code.count_from(level), limit),
        };
        (used > limit).then_some((used, limit))
    }

    /// The squares that can be raised, lines left aside.
    pub(super) fn raisable(&self, code: Code) -> impl Iterator<Item = Cell> {
        (0..self.board.shape.cells() as u8)
            .map(Cell)
            .filter(move |cell| self.can_raise(code, *cell))
    }

    /// Why a square cannot be raised, to a level if one is given; `None` if it can. Lines are left
    /// aside.
    pub(crate) fn raise_problem(
        &self,
        code: Code,
        cell: Cell,
        level: Option<u8>,
        colours: Colours,
    ) -> Option<String> {
        let next = code.level(cell) + 1;
        if next > self.board.levels {
            return Some("that square shows its last light".into());
        }
        if !self.supply_allows(code, cell) {
            return Some("the supply has no such counter left".into());
        }
        level.filter(|level| *level != next).map(|_| {
            let next = colours.letter(next);
            format!("the next light of that square is '{next}'")
        })
    }

    /// Everything by which a board breaks a supply limit.
    pub(crate) fn supply_faults(&self, code: Code, colours: Colours) -> Vec<Fault> {
        (1..=self.board.levels)
            .filter_map(|level| self.over_supply(code, level).map(|over| (level, over)))
            .map(|(level, (used, limit))| Fault {
                place: "counters".into(),
                problem: match self.board.supply {
                    Supply::Pool(_) => format!(
                        "{used} squares at '{}' or above, expected at most {limit}: the supply is a pool",
                        colours.letter(level)
                    ),
                    Supply::Unlimited | Supply::Cap(_) => format!(
                        "{used} of '{}', expected at most {limit}: the supply is capped",
                        colours.letter(level)
                    ),
                },
            })
            .collect()
    }

    /// Whether a square can be raised, lines left aside.
    pub(crate) fn can_raise(&self, code: Code, cell: Cell) -> bool {
        code.level(cell) < self.board.levels && self.supply_allows(code, cell)
    }
}
