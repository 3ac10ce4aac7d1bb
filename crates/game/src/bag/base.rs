//! The functions that the bag needs of the game under it.

use crate::{
    BoardGame, Code, Dense, Ending, Game, Permutation, Raise, Sentence, StripGame, StripMove,
    StripPosition, board, strip,
};

/// A game on which the bag can be laid: lights on a board, perhaps with a strip.
pub trait BagBase: Dense + Clone {
    /// The lights.
    fn code(&self, position: &Self::Position) -> Code;

    /// The rules in words, but for how many counters there are and what happens where none fits.
    fn moves_and_lines(&self) -> Vec<Sentence>;

    /// Level, 0 to 2, of the square that a move raises; `None` for a strip move.
    fn raised_level(&self, position: &Self::Position, mv: Self::Move) -> Option<u8>;

    /// The position after a turn in which nothing was moved.
    fn cleared(&self, position: &Self::Position) -> Self::Position;

    /// How a completed line ended the game.
    fn line_ending(&self, position: &Self::Position) -> Option<Ending>;

    /// Whether there is a strip.
    fn has_strip(&self) -> bool;

    /// Points of a completed line count, not only that it was completed.
    fn scores(&self) -> bool;

    /// How a completed line on a board ended the game.
    fn code_ending(&self, code: Code) -> Option<Ending>;

    /// Every pattern on every line as (mask, value), as [`BoardGame::targets`] gives them.
    fn code_targets(&self) -> Vec<(u64, u64)>;

    /// Highest level of a square.
    fn levels(&self) -> u8;

    /// What the moves of the strip do to the squares of [`BagBase::code`]; with the identity and
    /// [`BagBase::code_symmetries`] they generate no more than their pairwise products.
    fn slides(&self) -> Vec<Permutation>;

    /// The symmetries that keep values, as permutations of the squares of [`BagBase::code`], the
    /// identity first.
    fn code_symmetries(&self) -> Vec<Permutation>;
}

impl BagBase for BoardGame {
    fn moves_and_lines(&self) -> Vec<Sentence> {
        board::words::moves_and_lines(self.board(), self.rules())
    }

    fn code(&self, position: &Code) -> Code {
        *position
    }

    fn raised_level(&self, position: &Code, Raise(cell): Raise) -> Option<u8> {
        Some(position.level(cell))
    }

    fn cleared(&self, position: &Code) -> Code {
        *position
    }

    fn line_ending(&self, position: &Code) -> Option<Ending> {
        self.ending_by_line(*position)
    }

    fn has_strip(&self) -> bool {
        false
    }

    fn code_ending(&self, code: Code) -> Option<Ending> {
        self.ending_by_line(code)
    }

    fn code_targets(&self) -> Vec<(u64, u64)> {
        self.targets().collect()
    }

    fn levels(&self) -> u8 {
        self.board().levels
    }

    fn slides(&self) -> Vec<Permutation> {
        Vec::new()
    }

    fn scores(&self) -> bool {
        self.board().play.scores()
    }

    fn code_symmetries(&self) -> Vec<Permutation> {
        self.permutations().to_vec()
    }
}

impl BagBase for StripGame {
    fn moves_and_lines(&self) -> Vec<Sentence> {
        strip::words::strip_moves_and_lines(self.strip(), self.rules())
    }

    fn code(&self, position: &StripPosition) -> Code {
        position.code
    }

    fn raised_level(&self, position: &StripPosition, mv: StripMove) -> Option<u8> {
        match mv {
            StripMove::Raise(_) => {
                let added = self.play(position, mv).to.code.0 - position.code.0;
                Some((position.code.0 >> added.trailing_zeros() & 3) as u8)
            }
            StripMove::Slide { .. } | StripMove::Turn => None,
        }
    }

    fn cleared(&self, position: &StripPosition) -> StripPosition {
        StripPosition {
            barred: false,
            ..*position
        }
    }

    fn line_ending(&self, position: &StripPosition) -> Option<Ending> {
        self.board().ending_by_line(position.code)
    }

    fn has_strip(&self) -> bool {
        true
    }

    fn code_ending(&self, code: Code) -> Option<Ending> {
        self.board().ending_by_line(code)
    }

    fn code_targets(&self) -> Vec<(u64, u64)> {
        self.board().targets().collect()
    }

    fn levels(&self) -> u8 {
        self.strip().main.levels
    }

    fn slides(&self) -> Vec<Permutation> {
        // To the north, the south and the west.
        [3, 1, 2]
            .into_iter()
            .map(|quarters| self.geometry().slide(quarters, false).clone())
            .collect()
    }

    fn scores(&self) -> bool {
        self.strip().main.play.scores()
    }

    fn code_symmetries(&self) -> Vec<Permutation> {
        let mirror = self.geometry().mirror();
        let identity = mirror.cells().iter().map(|cell| mirror.cell(*cell));
        vec![Permutation::new(identity.collect()), mirror.clone()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Variant;

    #[test]
    fn raised_levels_are_seen_on_every_side() {
        let Variant::Strip(slider) = Variant::parse("slider").unwrap() else {
            unreachable!()
        };
        for side in ["E", "S", "W", "N"] {
            let text = format!("R.Y/...+..Y@{side}").replace("R.Y/...", "R.Y/.../G..");
            let position = slider.parse_position(&text).unwrap();
            let level = |mv| {
                let mv = slider.parse_move(&position, mv).unwrap();
                slider.raised_level(&position, mv)
            };
            assert_eq!(level("a3"), Some(1));
            assert_eq!(level("c3"), Some(2));
            assert_eq!(level("b2"), Some(0));
            assert_eq!(level("s3"), Some(2));
        }
    }

    #[test]
    fn the_first_symmetry_is_the_identity() {
        let Variant::Strip(slider) = Variant::parse("slider").unwrap() else {
            unreachable!()
        };
        let symmetries = slider.code_symmetries();
        assert_eq!(symmetries.len(), 2);
        assert_eq!(symmetries[0].apply(Code(0x12_3456)), Code(0x12_3456));
    }
}
