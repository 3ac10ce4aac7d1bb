//! Questions that a board with a strip answers.

use super::{Side, StripGame, StripMove, StripPosition};
use crate::notation::widths;
use crate::squares::{Features, OwnField, OwnKind, Spot, Squares, letters, shown};
use crate::{Cell, Dense, Shape};

const fn own(name: &'static str, kind: OwnKind) -> OwnField {
    let of = "strip";
    OwnField { name, kind, of }
}

impl Squares for StripGame {
    const FIELDS: &'static [OwnField] = &[
        own("strip_moves", OwnKind::Moves),
        own("winning_strip_moves", OwnKind::WinningMoves),
        own("barred", OwnKind::Truth),
    ];

    fn features(&self) -> Features {
        Features {
            levels: true,
            lines: true,
            strip: true,
            ..Features::default()
        }
    }

    fn mapped_board(&self) -> Option<&Shape> {
        Some(&self.strip().main.shape)
    }

    fn square_names(&self) -> Vec<String> {
        let main = &self.strip().main.shape;
        let board = (0..main.cells() as u8).map(|cell| main.cell_name(Cell(cell)));
        let strip = (1..=main.ranks()).map(|number| format!("s{number}"));
        board.chain(strip).collect()
    }

    fn coordinates(&self) -> Vec<(String, Spot)> {
        let first = self.strip().main.shape.cells();
        let at_side = |side| {
            let names = self.geometry().strip_coordinates(side).into_iter();
            names.enumerate().map(move |(number, name)| {
                let (square, side) = (first + number, Some(side));
                (name, Spot { square, side })
            })
        };
        Side::CLOCKWISE.into_iter().flat_map(at_side).collect()
    }

    fn is_there(&self, position: &StripPosition, spot: Spot) -> bool {
        spot.side.is_none_or(|side| side == position.side)
    }

    fn level(&self, position: &StripPosition, square: usize) -> u8 {
        let squares = self.geometry().squares(position.side);
        position.code.level(squares[square])
    }

    fn count(&self, position: &StripPosition, level: u8) -> u32 {
        position.code.count(level)
    }

    fn level_sum(&self, position: &StripPosition) -> Option<u32> {
        Some(position.code.level_sum())
    }

    fn is_strip_move(&self, mv: StripMove) -> bool {
        !matches!(mv, StripMove::Raise(_))
    }

    fn raise(&self, position: &StripPosition, mv: StripMove) -> Option<(usize, u8)> {
        let StripMove::Raise(listed) = mv else {
            return None;
        };
        let square = self.geometry().squares(position.side)[listed.index()];
        Some((listed.index(), position.code.level(square) + 1))
    }

    fn has_line(&self, position: &StripPosition) -> bool {
        self.board().has_line(position.code)
    }

    // Codes have the strip at the east.
    fn completed_lines(&self, position: &StripPosition) -> Vec<Vec<usize>> {
        let squares = self.geometry().squares(position.side);
        let listed = |square: &usize| squares.iter().position(|cell| cell.index() == *square);
        let lines = self.board().completed_lines(&position.code);
        let line = |line: &Vec<usize>| line.iter().filter_map(listed).collect();
        lines.iter().map(line).collect()
    }

    fn other_move(&self, text: &str) -> Option<String> {
        let known = ["turn", "slide-n", "slide-e", "slide-s", "slide-w"];
        let lower = text.to_ascii_lowercase();
        let turned = |slide: &str| known[1..].contains(&slide);
        let is_known =
            known.contains(&lower.as_str()) || lower.strip_suffix('t').is_some_and(turned);
        is_known.then_some(lower)
    }

    fn other_moves(&self) -> &'static str {
        ", or a strip move such as slide-N"
    }

    fn field(&self, position: &StripPosition, _: usize) -> Option<u32> {
        Some(position.barred.into())
    }

    fn is_in_field(&self, mv: StripMove, _: usize) -> bool {
        self.is_strip_move(mv)
    }

    fn stage(&self, position: &StripPosition) -> u32 {
        2 * self.tier(position).0 + u32::from(position.barred)
    }

    fn picture(&self, text: &str) -> Result<Vec<Option<char>>, String> {
        let ranks = usize::from(self.strip().main.shape.ranks());
        let expected = || {
            format!(
                "expected {ranks} rows of {ranks} squares with / between, + and {ranks} squares of the strip"
            )
        };
        let (main, strip) = text.split_once('+').ok_or_else(expected)?;
        let rows = letters(main, widths(&self.strip().main.shape));
        let strip: Vec<char> = strip.chars().collect();
        if rows.len() != ranks || rows.iter().chain([&strip]).any(|row| row.len() != ranks) {
            return Err(expected());
        }
        Ok(shown(rows.into_iter().rev().chain([strip]).flatten()))
    }
}
