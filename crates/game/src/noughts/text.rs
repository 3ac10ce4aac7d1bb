//! Positions and moves as text: rows from the top rank down, `.XO`, `/` between.

use super::{NoughtsGame, NoughtsPosition};
use crate::notation::{unpasted, widths};
use crate::squares::letters;
use crate::words::counted;
use crate::{Cell, Fault, Game, MoveError, SetupError, Shape};

pub(super) fn written(shape: &Shape, position: &NoughtsPosition) -> String {
    let row = |rank: u8| -> String {
        let cells = (0..shape.files()).filter_map(|file| shape.at(file, rank));
        cells.map(|cell| position.sign(cell.0)).collect()
    };
    let rows: Vec<String> = (0..shape.ranks()).rev().map(row).collect();
    rows.join("/")
}

pub(super) fn read(game: &NoughtsGame, text: &str) -> Result<NoughtsPosition, SetupError> {
    let (position, mut faults) = marks(&game.shape, text.trim());
    if faults.is_empty() {
        faults = impossible(game, &position);
    }
    if faults.is_empty() {
        return Ok(position);
    }
    Err(SetupError {
        text: text.into(),
        variant: game.rules().title().to_string(),
        faults,
        example: written(&game.shape, &NoughtsPosition::default().with(0)),
    })
}

// The marks, and what is no mark or in no place.
fn marks(shape: &Shape, text: &str) -> (NoughtsPosition, Vec<Fault>) {
    let (ranks, files) = (usize::from(shape.ranks()), usize::from(shape.files()));
    let mut faults = Vec::new();
    let mut position = NoughtsPosition::default();
    let text = unpasted(text);
    let rows = letters(&text, widths(shape));
    if rows.len() != ranks {
        faults.push(Fault {
            place: "rows".into(),
            problem: format!(
                "found {}, expected {ranks} with '/' between them",
                rows.len()
            ),
        });
    }
    for (number, row) in rows.iter().enumerate().take(ranks) {
        let rank = ranks - 1 - number;
        let place = format!("row {} (rank {})", number + 1, rank + 1);
        if row.len() != files {
            faults.push(Fault {
                place: place.clone(),
                problem: format!(
                    "found {}, expected {files}",
                    counted(row.len(), "square", "squares")
                ),
            });
        }
        for (file, letter) in row.iter().enumerate().take(files) {
            let Some(cell) = shape.at(file as u8, rank as u8) else {
                continue;
            };
            match letter.to_ascii_uppercase() {
                '.' => {}
                'X' => position.x |= 1 << cell.0,
                'O' => position.o |= 1 << cell.0,
                _ => faults.push(Fault {
                    place: format!("{place}, character {}", file + 1),
                    problem: format!("found '{letter}', expected '.' 'X' or 'O'"),
                }),
            }
        }
    }
    (position, faults)
}

// Finds faults that no game can lead to.
fn impossible(game: &NoughtsGame, position: &NoughtsPosition) -> Vec<Fault> {
    let mut faults = Vec::new();
    let (x, o) = (position.x.count_ones(), position.o.count_ones());
    if x != o && x != o + 1 {
        faults.push(Fault {
            place: "marks".into(),
            problem: format!(
                "found {x} X and {o} O, expected as many of both (X to move) or one X more (O to \
                 move)"
            ),
        });
    }
    match (game.has_line(position.x), game.has_line(position.o)) {
        (true, true) => faults.push(Fault {
            place: "lines".into(),
            problem: "found lines of both players, expected at most one: the first ends the game"
                .into(),
        }),
        (true, false) if x == o => faults.push(early("X", "O")),
        (false, true) if x == o + 1 => faults.push(early("O", "X")),
        _ => {}
    }
    faults
}

fn early(winner: &str, other: &str) -> Fault {
    Fault {
        place: "lines".into(),
        problem: format!(
            "found a line of {winner}, who would be to move, expected none: it ended the game \
             before the last {other}"
        ),
    }
}

pub(super) fn read_move(
    game: &NoughtsGame,
    position: &NoughtsPosition,
    text: &str,
) -> Result<Cell, MoveError> {
    let mut legal = Vec::new();
    game.moves(position, &mut legal);
    let refuse = |problem: String| MoveError::among(game, position, &legal, text, problem);
    let Some(cell) = game.shape.cell_named(text.trim()) else {
        return Err(refuse("expected a square, such as 'b2'".into()).unreadable());
    };
    if legal.is_empty() {
        return Err(refuse("the game is over".into()));
    }
    match position.sign(cell.0) {
        '.' => Ok(cell),
        sign => Err(refuse(format!("the square has its {sign}"))),
    }
}
