//! Questions that a position answers.

use super::{LineMeaning, NoughtsGame, NoughtsPosition};
use crate::notation::widths;
use crate::squares::{Features, Squares, letters, shown};
use crate::{Cell, Message, Shape, messages};

impl Squares for NoughtsGame {
    fn features(&self) -> Features {
        Features {
            lines: true,
            plies: true,
            ..Features::default()
        }
    }

    fn contents(&self) -> &'static [&'static str] {
        &["empty", "x", "o"]
    }

    fn content_kind(&self) -> Message {
        messages::a_mark()
    }

    fn level_named(&self, word: &str) -> Option<u8> {
        let known = |name: &&str| name.eq_ignore_ascii_case(word);
        let place = self.contents().iter().position(known)?;
        Some(place as u8)
    }

    fn level_lettered(&self, letter: char) -> Option<u8> {
        let place = ".XO".find(letter.to_ascii_uppercase())?;
        Some(place as u8)
    }

    fn letters(&self) -> &'static str {
        ". X O"
    }

    fn sign(&self, level: u8) -> Option<&'static str> {
        [".", "X", "O"].get(usize::from(level)).copied()
    }

    fn mapped_board(&self) -> Option<&Shape> {
        Some(&self.shape)
    }

    fn square_names(&self) -> Vec<String> {
        let cells = (0..self.cells()).map(Cell);
        cells.map(|cell| self.shape.cell_name(cell)).collect()
    }

    fn level(&self, position: &NoughtsPosition, square: usize) -> u8 {
        position.level(square as u8)
    }

    fn count(&self, position: &NoughtsPosition, level: u8) -> u32 {
        match level {
            1 => position.x.count_ones(),
            2 => position.o.count_ones(),
            _ => 0,
        }
    }

    fn level_sum(&self, _: &NoughtsPosition) -> Option<u32> {
        None
    }

    fn plies(&self, position: &NoughtsPosition) -> Option<u32> {
        Some(position.taken().count_ones())
    }

    fn raise(&self, position: &NoughtsPosition, mv: Cell) -> Option<(usize, u8)> {
        let sign = if position.x_moves() { 1 } else { 2 };
        Some((mv.index(), sign))
    }

    fn has_line(&self, position: &NoughtsPosition) -> bool {
        NoughtsGame::has_line(self, position.theirs())
    }

    fn completed_lines(&self, position: &NoughtsPosition) -> Vec<Vec<usize>> {
        NoughtsGame::completed_lines(self, position.theirs())
            .map(|line| (0..32).filter(|square| line >> square & 1 == 1).collect())
            .collect()
    }

    fn open_lines(&self, position: &NoughtsPosition) -> Option<[usize; 2]> {
        let open = |marks: u32| self.lines.iter().filter(|line| *line & marks == 0).count();
        let wins = self.play == LineMeaning::Normal;
        wins.then(|| [open(position.theirs()), open(position.own())])
    }

    fn is_same(&self, a: &NoughtsPosition, b: &NoughtsPosition) -> bool {
        a == b
    }

    fn picture(&self, text: &str) -> Result<Vec<Option<char>>, String> {
        let rows = letters(text, widths(&self.shape));
        let (ranks, files) = (self.shape.ranks().into(), self.shape.files().into());
        if rows.len() != ranks || rows.iter().any(|row| row.len() != files) {
            return Err(format!(
                "expected {ranks} rows of {files} squares with / between"
            ));
        }
        Ok(shown(rows.into_iter().rev().flatten()))
    }
}
