//! Lines that a rule file takes off its board.

use crate::keyed::{Keys, TextValue, one_of};
use crate::{Cell, Line, Shape};

/// Takes the named lines off a board: each by its ends, such as `a1-c1`, or by all its squares where edges
/// are joined.
pub(super) fn without(
    keys: &Keys,
    shape: Shape,
    length: Option<u8>,
    names: &[TextValue<&str>],
) -> Option<Shape> {
    let length = length?;
    let lines = shape.lines(length);
    let mut removed: Vec<Vec<Cell>> = Vec::new();
    let mut fine = true;
    for TextValue { value: name, byte } in names {
        let problem = match &named(&shape, &lines, name)[..] {
            [line] if !removed.contains(line) => {
                removed.push(line.clone());
                continue;
            }
            [_] => format!("'{name}' stands twice; name it once"),
            [] => {
                let expected = if shape.geometry().wrap.joins() {
                    "all squares of a line".into()
                } else {
                    format!("the two ends of a line of {length} squares")
                };
                let example = lines.first().map(|line| shape.line_name(&line.cells));
                format!(
                    "found '{name}', expected {expected}{}",
                    example.map_or(String::new(), |name| format!(", such as '{name}'"))
                )
            }
            several => {
                let several = several.iter().map(|line| shape.line_name(line));
                let several: Vec<String> = several.collect();
                let several: Vec<&str> = several.iter().map(|name| &**name).collect();
                format!(
                    "{} lines have the ends '{name}'; name all squares of one: {}",
                    several.len(),
                    one_of(&several)
                )
            }
        };
        keys.fault_at(*byte, "without-lines", problem);
        fine = false;
    }
    fine.then(|| shape.without_lines(&removed))
}

/// The lines that a name can mean, each by its sorted squares.
fn named(shape: &Shape, lines: &[Line], name: &str) -> Vec<Vec<Cell>> {
    let squares = name.split('-').map(|square| shape.cell_named(square));
    let Some(squares) = squares.collect::<Option<Vec<Cell>>>() else {
        return Vec::new();
    };
    let sorted = |cells: &[Cell]| {
        let mut cells = cells.to_vec();
        cells.sort_unstable();
        cells
    };
    let joined = shape.geometry().wrap.joins();
    let all = sorted(&squares);
    if joined && lines.iter().any(|line| sorted(&line.cells) == all) {
        return vec![all];
    }
    let [from, to] = squares[..] else {
        return Vec::new();
    };
    let ends = |line: &&Line| {
        let ends = (line.cells.first(), line.cells.last());
        ends == (Some(&from), Some(&to)) || ends == (Some(&to), Some(&from))
    };
    let found = lines.iter().filter(ends).map(|line| sorted(&line.cells));
    if !joined {
        return found.take(1).collect();
    }
    let mut found: Vec<Vec<Cell>> = found.collect();
    found.sort_unstable();
    found.dedup();
    found
}
