//! Patterns on a board: completed lines, lines that one raise completes, points.

use super::{BoardGame, LineScore};
use crate::{Cell, Code};

/// A pattern on particular squares: the board shows it when `code & mask == value`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Target {
    pub(super) mask: u64,
    pub(super) value: u64,
    pub(super) points: i32,
    // The same pattern one square earlier along the line, if all its lights are equal.
    pub(super) previous: Option<usize>,
}

impl Target {
    pub(super) fn shown(&self, code: Code) -> bool {
        code.0 & self.mask == self.value
    }

    pub(super) fn holds(&self, cell: Cell) -> bool {
        self.mask >> (2 * cell.0) & 3 != 0
    }
}

impl BoardGame {
    /// Every pattern on every line as (mask, value): a line is completed when
    /// `code & mask == value` for one of them.
    pub fn targets(&self) -> impl Iterator<Item = (u64, u64)> {
        self.targets
            .iter()
            .map(|target| (target.mask, target.value))
    }

    /// Whether a completed line stands on the board.
    #[must_use]
    pub fn has_line(&self, code: Code) -> bool {
        self.targets.iter().any(|target| target.shown(code))
    }

    /// Whether one raise completes a line, supply limits left aside.
    #[must_use]
    pub fn has_threat(&self, code: Code) -> bool {
        self.threats
            .iter()
            .any(|(mask, value)| code.0 & mask == *value)
    }

    /// Points of all lines that stand on the board.
    #[must_use]
    pub fn standing_points(&self, code: Code) -> i32 {
        self.points_of(
            code,
            (0..self.targets.len()).filter(|number| self.targets[*number].shown(code)),
            |_| true,
        )
    }

    /// Points of the lines through a square that has just been raised.
    #[must_use]
    pub fn completed_points(&self, code: Code, cell: Cell) -> i32 {
        let through = &self.through[4 * cell.index() + usize::from(code.level(cell))];
        let shown = through
            .iter()
            .copied()
            .filter(|number| self.targets[*number].shown(code));
        self.points_of(code, shown, |target| target.holds(cell))
    }

    /// What raising a square scores, as (mask, value, points): the sum of the points of those that
    /// the board shows after the raise, `code & mask == value`. For kernels that know patterns only.
    #[must_use]
    pub fn scoring(&self, cell: Cell) -> Vec<(u64, u64, i32)> {
        let through = || self.targets.iter().filter(|target| target.holds(cell));
        let mut scoring: Vec<(u64, u64, i32)> = through()
            .map(|target| (target.mask, target.value, target.points))
            .collect();
        if self.board.line_score == LineScore::EachRun {
            // A line that goes on with the one before it takes its own points back.
            scoring.extend(through().filter_map(|target| {
                let previous = &self.targets[target.previous?];
                previous.holds(cell).then_some((
                    target.mask | previous.mask,
                    target.value | previous.value,
                    -target.points,
                ))
            }));
        }
        scoring
    }

    // With runs scoring once, a line counts only if the one before it in its run does not.
    fn points_of(
        &self,
        code: Code,
        shown: impl Iterator<Item = usize>,
        counted: impl Fn(&Target) -> bool,
    ) -> i32 {
        let begins_run = |target: &Target| {
            target
                .previous
                .map(|previous| &self.targets[previous])
                .is_none_or(|previous| !(previous.shown(code) && counted(previous)))
        };
        shown
            .map(|number| &self.targets[number])
            .filter(|target| self.board.line_score == LineScore::EachLine || begins_run(target))
            .map(|target| target.points)
            .sum()
    }
}
