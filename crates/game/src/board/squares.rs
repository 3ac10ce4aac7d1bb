//! Questions that a board answers.

use super::{BoardGame, Play, Raise};
use crate::notation::widths;
use crate::squares::{Features, Squares, letters, shown};
use crate::{Cell, Code, Shape, file_name};

impl Squares for BoardGame {
    fn features(&self) -> Features {
        Features {
            levels: true,
            lines: true,
            plies: true,
            gains: self.board.play == Play::PlayOn,
            ..Features::default()
        }
    }

    fn mapped_board(&self) -> Option<&Shape> {
        Some(&self.board().shape)
    }

    fn square_names(&self) -> Vec<String> {
        let shape = &self.board().shape;
        (0..shape.cells() as u8)
            .map(|cell| shape.cell_name(Cell(cell)))
            .collect()
    }

    fn level(&self, position: &Code, square: usize) -> u8 {
        position.level(Cell(square as u8))
    }

    fn count(&self, position: &Code, level: u8) -> u32 {
        position.count(level)
    }

    fn level_sum(&self, position: &Code) -> Option<u32> {
        Some(position.level_sum())
    }

    fn plies(&self, position: &Code) -> Option<u32> {
        let start = self.board().opening.start.level_sum();
        Some(position.level_sum().saturating_sub(start))
    }

    fn is_same(&self, a: &Code, b: &Code) -> bool {
        a == b
    }

    fn raise(&self, position: &Code, Raise(cell): Raise) -> Option<(usize, u8)> {
        Some((cell.index(), position.level(cell) + 1))
    }

    fn has_line(&self, position: &Code) -> bool {
        BoardGame::has_line(self, *position)
    }

    fn completed_lines(&self, position: &Code) -> Vec<Vec<usize>> {
        let squares = self.board().shape.cells();
        let shown = self
            .targets()
            .filter(|(mask, value)| position.0 & mask == *value);
        let of = |mask: u64| (0..squares).filter(move |square| mask >> (2 * square) & 3 != 0);
        shown.map(|(mask, _)| of(mask).collect()).collect()
    }

    fn picture(&self, text: &str) -> Result<Vec<Option<char>>, String> {
        let shape = &self.board().shape;
        let rows = letters(text, widths(shape));
        let (ranks, files) = (usize::from(shape.ranks()), usize::from(shape.files()));
        if rows.len() != ranks || rows.iter().any(|row| row.len() != files) {
            return Err(format!(
                "expected {ranks} rows of {files} squares with / between"
            ));
        }
        let light = |file: u8, rank: u8| rows[ranks - 1 - usize::from(rank)][usize::from(file)];
        for (rank, file) in
            (0..shape.ranks()).flat_map(|rank| (0..shape.files()).map(move |file| (rank, file)))
        {
            let (found, name) = (
                light(file, rank),
                format!("{}{}", file_name(file), rank + 1),
            );
            match shape.at(file, rank) {
                None if !"-?".contains(found) => {
                    return Err(format!(
                        "found '{found}' at {name}, where the board has a gap; write - or ? there"
                    ));
                }
                Some(_) if found == '-' => {
                    return Err(format!(
                        "found '-' at {name}, which is a square and no gap; write ? for any light"
                    ));
                }
                _ => {}
            }
        }
        let lights = (0..shape.cells() as u8).map(|cell| {
            let (file, rank) = shape.place(Cell(cell));
            light(file, rank)
        });
        Ok(shown(lights))
    }
}
