//! The board of the form: every square and every gap is a link that changes it.

use std::fmt::Write;

use greenwave_game::file_name;
use greenwave_picture::escaped;

use super::form::Form;
use crate::own_rules::choices::{BoardSpot, DIRECTIONS, Design, LIGHTS};

/// Width of a square with its gap, and of what is seen of it.
const SQUARE: usize = 48;
const TILE: usize = 44;
/// Height of a row of hexagons, which reach into each other.
const HEXAGON_ROW: usize = 42;
/// Room beside the board for the names of ranks and files.
const NAMES: usize = 20;
/// Width of a light in a row of lights.
const LIGHT: usize = 18;

/// The letter of a light, and the end of its class.
fn letter_of(level: u8) -> Option<(char, char)> {
    match level {
        1 => Some(('R', 'r')),
        2 => Some(('Y', 'y')),
        3 => Some(('G', 'g')),
        _ => None,
    }
}

/// A light, as pictures of positions have it.
fn light(level: u8, x: usize, y: usize, radius: usize) -> String {
    letter_of(level).map_or_else(String::new, |(letter, class)| {
        format!(
            "<circle class=\"{class}\" cx=\"{x}\" cy=\"{y}\" r=\"{radius}\"/><text class=\"letter-{class}\" \
             x=\"{x}\" y=\"{}\" font-size=\"{radius}\" text-anchor=\"middle\">{letter}</text>",
            y + radius * 3 / 8
        )
    })
}

/// Lamps side by side: seen and not read.
pub(super) fn row_of_lights(levels: &[u8]) -> String {
    let width = levels.len() * LIGHT;
    let mut html = format!(
        "<svg class=\"gw lights\" viewBox=\"0 0 {width} {LIGHT}\" width=\"{width}\" height=\"{LIGHT}\" \
         aria-hidden=\"true\">"
    );
    for (place, level) in levels.iter().enumerate() {
        html.push_str(&light(*level, place * LIGHT + LIGHT / 2, LIGHT / 2, 8));
    }
    html + "</svg>"
}

/// The first and the last square of what is long enough for a line in a direction, each a row from the top and
/// a file. Edges that are joined are not followed.
fn runs(design: &Design, letter: char) -> Vec<((usize, usize), (usize, usize))> {
    let steps: &[(isize, isize)] = match (letter, design.hex) {
        ('r', _) => &[(0, 1)],
        ('f', _) => &[(1, 0)],
        // Of hexagons, which have six neighbours, one direction is left.
        (_, true) => &[(1, 1)],
        (_, false) => &[(1, 1), (1, -1)],
    };
    let beside = |(row, file): (usize, usize), (down, east): (isize, isize)| {
        let to = (
            row.checked_add_signed(down)?,
            file.checked_add_signed(east)?,
        );
        let spot = design.board.get(to.0)?.get(to.1)?;
        spot.there.then_some(to)
    };
    let mut found = Vec::new();
    for step in steps {
        let back = (-step.0, -step.1);
        for (row, spots) in design.board.iter().enumerate() {
            for (file, spot) in spots.iter().enumerate() {
                if !spot.there || beside((row, file), back).is_some() {
                    continue;
                }
                let (mut last, mut length) = ((row, file), 1);
                while let Some(next) = beside(last, *step) {
                    (last, length) = (next, length + 1);
                }
                if length >= design.length.max(2) {
                    found.push(((row, file), last));
                }
            }
        }
    }
    found
}

impl Form<'_> {
    /// The board as a picture: squares, or hexagons of which each rank stands half a square east of the
    /// rank below.
    pub(super) fn drawing(&self) -> String {
        let design = self.design;
        let (ranks, files) = (design.board.len(), design.board[0].len());
        let (width, height, class) = if design.hex {
            let width = files * SQUARE + (ranks - 1) * SQUARE / 2;
            (width, (ranks - 1) * HEXAGON_ROW + 56, "hexagons")
        } else {
            (files * SQUARE + NAMES, ranks * SQUARE + NAMES, "squares")
        };
        let middle = |row: usize, file: usize| {
            if design.hex {
                let east = (ranks - 1 - row) * SQUARE / 2;
                (file * SQUARE + east + SQUARE / 2, row * HEXAGON_ROW + 28)
            } else {
                let x = file * SQUARE + SQUARE / 2 + NAMES;
                (x, row * SQUARE + SQUARE / 2)
            }
        };
        let mut html = format!(
            "<svg class=\"gw editor {class}\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
             height=\"{height}\" role=\"group\" aria-label=\"{}\">",
            self.reader.language.text("design-board")
        );
        for (row, spots) in design.board.iter().enumerate() {
            for (file, spot) in spots.iter().enumerate() {
                html.push_str(&self.place(row, file, spot, middle(row, file)));
            }
        }
        for (letter, ..) in DIRECTIONS {
            let data: String = runs(design, letter)
                .iter()
                .map(|((row, file), (last_row, last_file))| {
                    let ((x, y), (to_x, to_y)) =
                        (middle(*row, *file), middle(*last_row, *last_file));
                    format!("M{x} {y}L{to_x} {to_y}")
                })
                .collect();
            if !data.is_empty() {
                let _ = write!(html, "<path class=\"along along-{letter}\" d=\"{data}\"/>");
            }
        }
        if !design.hex {
            let name = |x: usize, y: usize, text: String| {
                format!(
                    "<text class=\"label\" x=\"{x}\" y=\"{y}\" font-size=\"9\" text-anchor=\"middle\">{text}</text>"
                )
            };
            for row in 0..ranks {
                let y = row * SQUARE + SQUARE / 2 + 4;
                html.push_str(&name(NAMES / 2, y, (ranks - row).to_string()));
            }
            for file in 0..files {
                let x = file * SQUARE + SQUARE / 2 + NAMES;
                let text = file_name(file as u8).to_string();
                html.push_str(&name(x, ranks * SQUARE + NAMES - 6, text));
            }
        }
        html + "</svg>"
    }

    /// A square or a gap with its middle at a place: its light at the start, how high it goes where that is
    /// less than others, and a cross where the first move may not be.
    fn place(&self, row: usize, file: usize, spot: &BoardSpot, (x, y): (usize, usize)) -> String {
        let name = format!("{}{}", file_name(file as u8), self.design.board.len() - row);
        let label = escaped(&format!("{name} {}", self.said(spot)));
        let mut html = format!(
            "<a rel=\"nofollow\" href=\"{}\"{} aria-label=\"{label}\"><title>{label}</title>",
            escaped(&self.address(&self.design.with_square(row, file))),
            if spot.there { "" } else { " class=\"gap\"" },
        );
        if self.design.hex {
            let _ = write!(
                html,
                "<path class=\"tile\" d=\"M{x} {}l22 13v26l-22 13l-22 -13v-26z\"/>",
                y - 26
            );
        } else {
            let _ = write!(
                html,
                "<rect class=\"tile\" x=\"{}\" y=\"{}\" width=\"{TILE}\" height=\"{TILE}\" rx=\"9\"/>",
                x - TILE / 2,
                y - TILE / 2
            );
        }
        if !spot.there {
            let _ = write!(
                html,
                "<path class=\"sign\" d=\"M{} {y}h10m-5-5v10\"/>",
                x - 5
            );
        } else if spot.start > 0 {
            html.push_str(&light(spot.start, x, y, 14));
        } else {
            let _ = write!(
                html,
                "<circle class=\"lens\" cx=\"{x}\" cy=\"{y}\" r=\"10\"/>"
            );
        }
        if spot.there && spot.top < self.design.levels {
            let _ = write!(
                html,
                "<text class=\"label\" x=\"{}\" y=\"{}\" font-size=\"9\" text-anchor=\"middle\">\u{2264}{}</text>",
                x + 11,
                y + 18,
                letter_of(spot.top).map_or('0', |(letter, _)| letter)
            );
        }
        if spot.there && spot.barred {
            let _ = write!(
                html,
                "<path class=\"sign\" d=\"M{} {}l8 8m0-8l-8 8\"/>",
                x - 17,
                y - 17
            );
        }
        html + "</a>"
    }

    /// What stands at a place, in words.
    fn said(&self, spot: &BoardSpot) -> String {
        let words = self.reader.language;
        if !spot.there {
            return words.text("design-gap").into();
        }
        let light = |level: u8| {
            let known = LIGHTS.iter().find(|(known, _)| *known == level);
            words.text(known.map_or("empty", |(_, light)| *light))
        };
        let mut said = vec![light(spot.start).to_string()];
        if spot.top < self.design.levels {
            said.push(words.with("design-at-most", light(spot.top)));
        }
        if spot.barred {
            said.push(words.text("design-not-first").into());
        }
        said.join(", ")
    }
}
