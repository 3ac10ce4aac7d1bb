//! Questions that a position answers: those of its board, and those of its memory.

use super::{MemoryGame, MemoryMove, MemoryPosition, Passing};
use crate::squares::{Features, Squares};
use crate::{Cell, Part, Shape};

impl Squares for MemoryGame {
    fn features(&self) -> Features {
        // After a pass or a swap the board does not tell how many plies were played.
        let only_raises = self.memory().pass == Passing::Never && !self.memory().swap;
        Features {
            plies: only_raises,
            ..self.base().features()
        }
    }

    fn mapped_board(&self) -> Option<&Shape> {
        self.base().mapped_board()
    }

    fn square_names(&self) -> Vec<String> {
        self.base().square_names()
    }

    fn level(&self, position: &MemoryPosition, square: usize) -> u8 {
        position.code.level(Cell(square as u8))
    }

    fn count(&self, position: &MemoryPosition, level: u8) -> u32 {
        position.code.count(level)
    }

    fn level_sum(&self, position: &MemoryPosition) -> Option<u32> {
        Some(position.code.level_sum())
    }

    fn plies(&self, position: &MemoryPosition) -> Option<u32> {
        let raises = self.raises_so_far(position.code);
        self.features().plies.then_some(raises)
    }

    fn is_same(&self, a: &MemoryPosition, b: &MemoryPosition) -> bool {
        a == b
    }

    fn raise(&self, position: &MemoryPosition, mv: MemoryMove) -> Option<(usize, u8)> {
        match mv {
            MemoryMove::Raise(cell) => Some((cell.index(), position.code.level(cell) + 1)),
            MemoryMove::Pass | MemoryMove::Swap => None,
        }
    }

    fn has_line(&self, position: &MemoryPosition) -> bool {
        self.base().has_line(position.code)
    }

    fn completed_lines(&self, position: &MemoryPosition) -> Vec<Vec<usize>> {
        let all = || self.base().completed_lines(&position.code);
        let Some(goals) = self
            .goals
            .as_ref()
            .filter(|_| self.memory.win_lines.is_none())
        else {
            return all();
        };
        // Those of whoever moved last count before those of the opponent.
        let mut opponent = self.turn(position);
        if self.is_mid_turn(position.code) {
            opponent = opponent.other();
        }
        let of = |part: Part| goals[part as usize].completed_lines(&position.code);
        let own = of(opponent.other());
        if own.is_empty() { of(opponent) } else { own }
    }

    fn picture(&self, text: &str) -> Result<Vec<Option<char>>, String> {
        self.base().picture(text)
    }

    fn other_move(&self, text: &str) -> Option<String> {
        let known = [
            (self.memory().pass != Passing::Never, "pass"),
            (self.memory().swap, "swap"),
        ];
        let named = |(there, name): &(bool, &str)| *there && name.eq_ignore_ascii_case(text);
        let found = known.into_iter().find(named);
        found.map(|(_, name)| name.to_string())
    }

    fn other_moves(&self) -> &'static str {
        match (self.memory().pass != Passing::Never, self.memory().swap) {
            (true, true) => ", 'pass' or 'swap'",
            (true, false) => " or 'pass'",
            (false, true) => " or 'swap'",
            (false, false) => "",
        }
    }

    fn stage(&self, position: &MemoryPosition) -> u32 {
        let passed = match self.memory().pass {
            Passing::Never => 0,
            Passing::Free => u32::from(position.passed),
            Passing::Once => 2 - position.passes.iter().sum::<u8>() as u32,
        };
        16 * position.code.level_sum() + 4 * passed + u32::from(!position.swap)
    }
}
