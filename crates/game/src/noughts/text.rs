//! Positions and moves as text: rows from the top rank down, `.XO`, `/` between.

use super::{NoughtsGame, NoughtsPosition};
use crate::notation::{halves, squares_in_row, unpasted, widths};
use crate::squares::letters;
use crate::{Cell, Fault, Game, Message, MoveError, SetupError, Shape, messages};

impl NoughtsGame {
    pub(super) fn written(&self, position: &NoughtsPosition) -> String {
        let shape = &self.shape;
        let row = |rank: u8| -> String {
            let cells = (0..shape.files()).filter_map(|file| shape.at(file, rank));
            cells.map(|cell| position.sign(cell.0)).collect()
        };
        let rows: Vec<String> = (0..shape.ranks()).rev().map(row).collect();
        rows.join("/")
    }
}

impl NoughtsGame {
    pub(super) fn read_position(&self, text: &str) -> Result<NoughtsPosition, SetupError> {
        let (position, mut faults) = marks(&self.shape, text.trim());
        if faults.is_empty() {
            faults = self.impossible(&position);
        }
        if faults.is_empty() {
            return Ok(position);
        }
        Err(SetupError {
            text: text.into(),
            variant: self.rules().title().to_string(),
            faults,
            example: self.written(&NoughtsPosition::default().with(0)),
        })
    }
}

// The marks, and what is no mark or in no place.
fn marks(shape: &Shape, text: &str) -> (NoughtsPosition, Vec<Fault>) {
    let (ranks, files) = (usize::from(shape.ranks()), usize::from(shape.files()));
    let mut faults = Vec::new();
    let mut position = NoughtsPosition::default();
    let text = unpasted(text);
    let rows = letters(&text, widths(shape));
    if rows.len() != ranks {
        let problem = messages::found_rows(rows.len(), ranks);
        faults.push(Fault::new(messages::place_rows(), problem));
    }
    for (number, row) in rows.iter().enumerate().take(ranks) {
        let rank = ranks - 1 - number;
        if row.len() != files {
            let place = messages::place_rank(number + 1, rank + 1);
            faults.push(Fault::new(place, squares_in_row(row.len(), files)));
        }
        for (file, letter) in row.iter().enumerate().take(files) {
            let Some(cell) = shape.at(file as u8, rank as u8) else {
                continue;
            };
            match letter.to_ascii_uppercase() {
                '.' => {}
                'X' => position.x |= 1 << cell.0,
                'O' => position.o |= 1 << cell.0,
                _ => faults.push(Fault::new(
                    messages::place_character(number + 1, rank + 1, file + 1),
                    messages::found_mark(*letter),
                )),
            }
        }
    }
    (position, faults)
}

impl NoughtsGame {
    // Finds faults that no game can lead to.
    fn impossible(&self, position: &NoughtsPosition) -> Vec<Fault> {
        let mut faults = Vec::new();
        let (x, o) = (position.x.count_ones(), position.o.count_ones());
        if x != o && x != o + 1 {
            let problem = messages::marks_count(x, o);
            faults.push(Fault::new(messages::place_marks(), problem));
        }
        match (self.has_line(position.x), self.has_line(position.o)) {
            (true, true) => faults.push(Fault::new(
                messages::place_lines(),
                messages::lines_of_both(),
            )),
            (true, false) if x == o => faults.push(early("X", "O")),
            (false, true) if x == o + 1 => faults.push(early("O", "X")),
            _ => {}
        }
        faults
    }
}

fn is_mark(text: &str) -> bool {
    ["X", "O"]
        .iter()
        .any(|mark| text.eq_ignore_ascii_case(mark))
}

fn early(winner: &str, other: &str) -> Fault {
    let problem = messages::line_of_one(winner, other);
    Fault::new(messages::place_lines(), problem)
}

impl NoughtsGame {
    pub(super) fn read_move(
        &self,
        position: &NoughtsPosition,
        text: &str,
    ) -> Result<Cell, MoveError> {
        let mut legal = Vec::new();
        self.moves(position, &mut legal);
        let refuse = |problem: Message| MoveError::among(self, position, &legal, text, problem);
        let text = text.trim();
        // The mark may be written, too: `b2X`, `X b2`.
        let marked = |(head, tail)| {
            let (square, mark) = if is_mark(head) {
                (tail, head)
            } else if is_mark(tail) {
                (head, tail)
            } else {
                return None;
            };
            Some((self.shape.cell_named(square)?, Some(mark)))
        };
        let cell = self.shape.cell_named(text).map(|cell| (cell, None));
        let Some((cell, mark)) = cell.or_else(|| halves(text).find_map(marked)) else {
            return Err(refuse(messages::move_square("b2")).unreadable());
        };
        if legal.is_empty() {
            return Err(refuse("the game is over".into()));
        }
        let mover = if position.x.count_ones() == position.o.count_ones() {
            "X"
        } else {
            "O"
        };
        if mark.is_some_and(|mark| !mark.eq_ignore_ascii_case(mover)) {
            return Err(refuse(format!("{mover} is to move").into()));
        }
        match position.sign(cell.0) {
            '.' => Ok(cell),
            sign => Err(refuse(messages::move_taken(sign))),
        }
    }
}
