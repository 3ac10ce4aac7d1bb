//! Lines that a rule file takes off its board.

use crate::keyed::{Keys, TextValue};
use crate::{Cell, Shape};

/// Takes the lines named by their ends, such as `a1-c1`, off a board.
pub(super) fn without(
    keys: &Keys,
    shape: Shape,
    length: Option<u8>,
    names: &[TextValue<&str>],
) -> Option<Shape> {
    let length = length?;
    let lines = shape.lines(length);
    let mut removed: Vec<usize> = Vec::new();
    let mut fine = true;
    for TextValue { value: name, byte } in names {
        let ends = name
            .split_once('-')
            .and_then(|(from, to)| Some((shape.cell_named(from)?, shape.cell_named(to)?)));
        let joins = |line: &[Cell], (from, to): (Cell, Cell)| {
            let (first, last) = (line.first().copied(), line.last().copied());
            (first, last) == (Some(from), Some(to)) || (first, last) == (Some(to), Some(from))
        };
        let found = ends.and_then(|ends| lines.iter().position(|line| joins(&line.cells, ends)));
        let problem = match found {
            Some(line) if !removed.contains(&line) => {
                removed.push(line);
                continue;
            }
            Some(_) => format!("'{name}' stands twice; name it once"),
            None => {
                let example = lines.first().map(|line| shape.line_name(&line.cells));
                format!(
                    "found '{name}', expected the two ends of a line of {length} squares{}",
                    example.map_or(String::new(), |name| format!(", such as '{name}'"))
                )
            }
        };
        keys.fault("without-lines", Some(*byte), problem);
        fine = false;
    }
    let removed: Vec<Vec<Cell>> = removed
        .into_iter()
        .map(|line| lines[line].cells.clone())
        .collect();
    fine.then(|| shape.without_lines(&removed))
}
