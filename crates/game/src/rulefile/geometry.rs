//! How a rule file says which lines a board has, how high its squares go and how the game begins.

use crate::board::Opening;
use crate::geometry::{Directions, Geometry, Grid, Outline, Wrap};
use crate::keyed::{Keys, TextValue};
use crate::notation::{board_and_fields, parse_board, rows, widths};
use crate::{BoardGame, Cell, Lights, Message, Shape, Squares, messages};

/// The keys of `[board]` that say what is a line.
pub(super) const KEYS: [&str; 5] = ["directions", "wrap", "shapes", "shapes-turn", "grid"];

/// Reads them; `None` where one is wrong.
pub(super) fn read(keys: &mut Keys) -> Option<Geometry> {
    let directions = read_directions(keys);
    let wrap = match keys.word("wrap", &["none", "files", "ranks", "both"]) {
        "files" => (true, false),
        "ranks" => (false, true),
        "both" => (true, true),
        _ => (false, false),
    };
    let turn = keys.flag("shapes-turn");
    let shapes = read_shapes(keys, turn == Some(false));
    if turn.is_some() && !keys.has("shapes") {
        keys.fault(
            "shapes-turn",
            "there are no shapes; name some with 'shapes' or leave this out",
        );
    }
    let grid = match keys.word("grid", &["square", "hex"]) {
        "hex" => Grid::Hex,
        _ => Grid::Square,
    };
    Some(Geometry {
        grid,
        wrap: Wrap {
            files: wrap.0,
            ranks: wrap.1,
        },
        directions: directions?,
        shapes: shapes?,
        shapes_as_drawn: turn == Some(false),
    })
}

fn read_directions(keys: &mut Keys) -> Option<Directions> {
    if !keys.has("directions") {
        keys.value("directions"); // known, though not given
        return Some(Directions::default());
    }
    let mut directions = Directions {
        rank: false,
        file: false,
        diagonal: false,
    };
    let mut fine = true;
    for TextValue { value: name, byte } in keys.texts("directions", &["rank", "file"])? {
        let direction = match name {
            "rank" => &mut directions.rank,
            "file" => &mut directions.file,
            "diagonal" => &mut directions.diagonal,
            _ => {
                let problem = format!("found '{name}', expected 'rank', 'file' or 'diagonal'");
                keys.fault_at(byte, "directions", problem);
                fine = false;
                continue;
            }
        };
        if std::mem::replace(direction, true) {
            let problem = format!("'{name}' stands twice; name it once");
            keys.fault_at(byte, "directions", problem);
            fine = false;
        }
    }
    fine.then_some(directions)
}

fn read_shapes(keys: &mut Keys, as_drawn: bool) -> Option<Vec<Outline>> {
    if !keys.has("shapes") {
        keys.value("shapes"); // known, though not given
        return Some(Vec::new());
    }
    let mut shapes: Vec<Outline> = Vec::new();
    let mut texts: Vec<&str> = Vec::new();
    let mut fine = true;
    for TextValue { value: text, byte } in keys.texts("shapes", &["##/##"])? {
        let problem = match Outline::parse(text) {
            Ok(shape) => {
                let turned = shape.turned();
                let twin = shapes
                    .iter()
                    .position(|known| *known == shape || !as_drawn && turned.contains(known));
                match twin.map(|twin| (texts[twin], shapes[twin] == shape)) {
                    None => {
                        shapes.push(shape);
                        texts.push(text);
                        continue;
                    }
                    Some((_, true)) => format!("'{text}' stands twice; name it once"),
                    Some((twin, false)) => format!(
                        "'{text}' is a turn or mirror image of '{twin}'; name one of them, or say shapes-turn = false"
                    ),
                }
            }
            Err(problem) => problem,
        };
        keys.fault_at(byte, "shapes", problem);
        fine = false;
    }
    fine.then_some(shapes)
}

/// Gives a board its lines.
pub(super) fn with_lines(keys: &Keys, shape: Shape, geometry: Geometry) -> Shape {
    let wrap = geometry.wrap;
    let full = usize::from(shape.ranks()) * usize::from(shape.files()) == shape.cells();
    if wrap.joins() && !full {
        keys.fault("wrap", messages::rules_joined(shape.outline().to_string()));
    }
    shape.with_geometry(geometry)
}

/// The highest level of each square; `None` where all go as high as `levels`, or one is wrong.
pub(super) fn read_tops(keys: &mut Keys, shape: Option<&Shape>, levels: u8) -> Option<Vec<u8>> {
    let TextValue { value: text, .. } = keys.text("top")?;
    let shape = shape?;
    let mut problems = Vec::new();
    let rows = rows(text, widths(shape));
    let (ranks, files) = (usize::from(shape.ranks()), usize::from(shape.files()));
    if rows.len() != ranks || rows.iter().any(|row| row.chars().count() != files) {
        problems.push(format!(
            "found '{text}', expected {ranks} rows of {files} digits with '/' between them"
        ));
    }
    let mut tops = vec![levels; shape.cells()];
    let mut wrong: Vec<(char, String)> = Vec::new();
    for (row, number) in rows.iter().zip((0..ranks).rev()) {
        for (file, letter) in row.chars().enumerate().take(files) {
            let cell = shape.at(file as u8, number as u8);
            let digit = letter.to_digit(10).filter(|digit| *digit <= levels.into());
            match (cell, digit) {
                (Some(cell), Some(digit)) => tops[cell.index()] = digit as u8,
                (None, _) if letter == '-' => {}
                (Some(cell), None) => wrong.push((letter, shape.cell_name(cell))),
                (None, _) => problems.push(format!(
                    "rank {}: found '{letter}', expected '-': the board has a gap here",
                    number + 1
                )),
            }
        }
    }
    wrong.sort_by_key(|(letter, _)| *letter);
    for letter in wrong.chunk_by(|one, other| one.0 == other.0) {
        let squares: Vec<&str> = letter.iter().map(|(_, square)| &**square).collect();
        problems.push(format!(
            "found '{}' at {}, expected a digit from 0 to {levels}: board.levels is {levels}",
            letter[0].0,
            squares.join(" ")
        ));
    }
    let fits = problems.is_empty();
    for problem in problems {
        keys.fault("top", problem);
    }
    let uniform = tops.iter().all(|top| *top == levels);
    (fits && !uniform).then_some(tops)
}

/// The order of the lights in which the file writes boards, and the game its positions.
pub(super) fn read_lights(keys: &mut Keys) -> Lights {
    Lights::named(keys.word("lights", &["ryg", "gyr"])).unwrap_or_default()
}

/// The correct parts of the opening, in an order of the lights.
pub(super) fn read_opening(
    keys: &mut Keys,
    shape: Option<&Shape>,
    levels: Option<u8>,
    lights: Lights,
) -> Opening {
    let start = keys.text("start");
    let squares: Vec<String> = match shape {
        Some(shape) => (0..shape.cells() as u8)
            .take(2)
            .map(|cell| shape.cell_name(Cell(cell)))
            .collect(),
        None => vec!["a1".into(), "b1".into()],
    };
    let example: Vec<&str> = squares.iter().map(|name| &**name).collect();
    let names = keys.texts("not-first", &example);
    let mut opening = Opening::default();
    let Some(shape) = shape else {
        return opening;
    };
    if let (Some(start), Some(levels)) = (start, levels) {
        let (board, fields) = board_and_fields(start.value);
        if !fields.is_empty() {
            let problem = format!(
                "found ',{}', expected the board alone: nothing has been played yet",
                fields.join(",")
            );
            keys.fault_at(start.byte, "start", problem);
        }
        match parse_board(shape, levels, board.trim(), lights) {
            Ok(code) => opening.start = code,
            Err(faults) => {
                for fault in faults {
                    keys.fault_at(start.byte, "start", fault.to_string());
                }
            }
        }
    }
    for TextValue { value: name, byte } in names.unwrap_or_default() {
        let problem = match shape.cell_named(name) {
            Some(cell) if !opening.barred.contains(&cell) => {
                opening.barred.push(cell);
                continue;
            }
            Some(_) => format!("'{name}' stands twice; name it once"),
            None => format!(
                "found '{name}', expected a square of the board, such as '{}'",
                shape.cell_name(Cell(0))
            ),
        };
        keys.fault_at(byte, "not-first", problem);
    }
    opening.barred.sort_unstable();
    opening
}

/// Everything by which a game, which ends by a line or not, cannot begin in its start position.
pub(super) fn start_problems(game: &BoardGame, ends_by_line: bool) -> Vec<Message> {
    let board = game.board();
    let start = board.opening.start;
    let name = |cell| board.shape.cell_name(cell);
    let high = |cell: &Cell| start.level(*cell) > board.top(*cell);
    let high = (0..board.shape.cells() as u8).map(Cell).filter(high);
    let high = high.map(|cell| messages::rules_high(name(cell)));
    let mut problems: Vec<Message> = high.collect();
    let lines = game.completed_lines(&start).into_iter();
    for line in lines.filter(|_| ends_by_line) {
        let squares = line.iter().map(|square| name(Cell(*square as u8)));
        problems.push(messages::rules_completed(
            squares.collect::<Vec<_>>().join("-"),
        ));
    }
    let over = game.supply_faults(start).into_iter();
    let said = |fault| format!("{fault}; lower some squares, or say a larger supply");
    problems.extend(over.map(|fault| said(fault).into()));
    problems
}
