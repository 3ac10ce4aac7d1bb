//! The patterns of a board on its lines.

use std::collections::HashSet;

use super::rules::BoardRules;
use crate::cells::LOW_BITS;
use crate::shape::{Line, is_equal};
use crate::{Cell, Code, MAX_LEVEL};

/// A pattern on particular squares: the board shows it when `code & mask == value`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Target {
    pub(super) mask: u64,
    pub(super) value: u64,
    pub(super) points: i32,
    // The same pattern one square earlier along the line, if all its lights are equal.
    pub(super) previous: Option<usize>,
    // Whether all its lights are equal.
    pub(super) of_equal: bool,
}

impl Target {
    /// The patterns of a board on its lines, each with the number of its line. Those that need a level
    /// above a square's highest are left out.
    pub(super) fn placed(board: &BoardRules, lines: &[Line]) -> Vec<(Target, usize)> {
        let mut targets: Vec<(Target, usize)> = Vec::new();
        // Along joined edges two readings, or a pattern and its mirror image, can ask for the same board.
        let mut known: HashSet<(Vec<u8>, u64, u64)> = HashSet::new();
        for pattern in &board.patterns {
            let of_equal = is_equal(&pattern.levels);
            let mirrored: Vec<u8> = pattern.levels.iter().rev().copied().collect();
            let either = pattern.levels.clone().min(mirrored);
            let mut places = vec![None; lines.len()];
            for (number, line) in lines.iter().enumerate() {
                let levels = pattern.levels.iter().cycle();
                let squares = || line.cells.iter().zip(levels.clone());
                let fits = squares().all(|(cell, level)| *level <= board.top(*cell));
                if !fits || !line.takes(&pattern.levels) {
                    continue;
                }
                let (mut mask, mut value) = (0, 0);
                for (cell, level) in squares() {
                    mask |= 3 << (2 * cell.0);
                    value |= u64::from(*level) << (2 * cell.0);
                }
                if known.insert((either.clone(), mask, value)) {
                    places[number] = Some(targets.len());
                    let target = Target {
                        mask,
                        value,
                        points: pattern.points,
                        previous: None,
                        of_equal,
                    };
                    targets.push((target, number));
                }
            }
            for (number, place) in places.iter().enumerate().filter(|_| of_equal) {
                let previous = lines[number].previous;
                let previous = previous.map(|line| lines[line].reading_of.unwrap_or(line));
                if let Some(place) = place {
                    targets[*place].0.previous = previous.and_then(|line| places[line]);
                }
            }
        }
        targets
    }

    pub(super) fn shown(&self, code: Code) -> bool {
        code.0 & self.mask == self.value
    }

    pub(super) fn holds(&self, cell: Cell) -> bool {
        self.mask >> (2 * cell.0) & 3 != 0
    }
}

/// Whether a completed line stands on a board, for all lines at once.
///
/// If a line of equal lights counts at every level, each square is compared with the next one along
/// the lines, all squares in one step. Any other pattern is tested line by line.
#[derive(Clone, Debug)]
pub(super) struct LineCheck {
    // Squares of a line.
    length: u8,
    // Lines of equal lights: bits from one square to the next, and the low bit of each first square.
    runs: Vec<(u32, u64)>,
    others: Vec<Target>,
}

impl LineCheck {
    /// Of the targets of a board, each with the number of its line.
    pub(super) fn new(
        board: &BoardRules,
        lines: &[Line],
        targets: &[(Target, usize)],
    ) -> LineCheck {
        let mut completed = LineCheck {
            length: board.line_length,
            runs: Vec::new(),
            others: Vec::new(),
        };
        // Of levels that the rules do not have nothing is a line.
        let any_level = (1..=MAX_LEVEL).all(|level| {
            let mut patterns = board.patterns.iter();
            patterns.any(|pattern| is_equal(&pattern.levels) && pattern.levels.contains(&level))
        });
        let step = |line: &Line| even_step(&line.cells).filter(|_| any_level && line.ordered);
        let steps: Vec<Option<u32>> = lines.iter().map(step).collect();
        for (line, step) in lines.iter().zip(&steps) {
            let Some(step) = *step else {
                continue;
            };
            let first = 1 << (2 * line.cells[0].0);
            match completed.runs.iter_mut().find(|(other, _)| *other == step) {
                Some((_, firsts)) => *firsts |= first,
                None => completed.runs.push((step, first)),
            }
        }
        let in_runs = |(target, line): &&(Target, usize)| target.of_equal && steps[*line].is_some();
        let left = targets.iter().filter(|target| !in_runs(target));
        completed.others.extend(left.map(|(target, _)| *target));
        completed
    }

    #[inline]
    pub(super) fn shown(&self, board: Code) -> bool {
        let Code(code) = board;
        let lit = (code | code >> 1) & LOW_BITS;
        let in_runs = self.runs.iter().any(|&(step, firsts)| {
            let differ = code ^ code >> step;
            let pairs = lit & !(differ | differ >> 1);
            let mut from_here = pairs;
            let mut whole = pairs & firsts;
            for _ in 2..self.length {
                from_here >>= step;
                whole &= from_here;
            }
            whole != 0
        });
        in_runs || self.others.iter().any(|target| target.shown(board))
    }
}

// The bits from each square of a line to the next, if they are always as many.
fn even_step(cells: &[Cell]) -> Option<u32> {
    let step = |pair: &[Cell]| pair[1].0.checked_sub(pair[0].0);
    let first = cells.windows(2).next().and_then(step)?;
    let mut pairs = cells.windows(2);
    pairs
        .all(|pair| step(pair) == Some(first))
        .then(|| 2 * u32::from(first))
}
