//! Patterns on a board: completed lines, lines that one raise completes, points.

use super::targets::Target;
use super::{BoardGame, LineScore};
use crate::{Cell, Code};

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
        self.completed.shown(code)
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
            // A line that continues with the one before it takes its own points back.
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
        let goes_on = |number: usize| {
            self.targets[number].previous.filter(|previous| {
                let previous = &self.targets[*previous];
                previous.shown(code) && counted(previous)
            })
        };
        // A run round joined edges has no beginning: there it is the line with the lowest number.
        let begins_run = |number: usize| {
            let (mut least, mut at) = (number, number);
            while let Some(previous) = goes_on(at) {
                if previous == number {
                    return least == number;
                }
                (least, at) = (least.min(previous), previous);
            }
            at == number
        };
        let each_line = self.board.line_score == LineScore::EachLine;
        shown
            .filter(|number| each_line || begins_run(*number))
            .map(|number| self.targets[number].points)
            .sum()
    }
}

#[cfg(test)]
mod tests {
    use crate::random::Random;
    use crate::{Game, RuleFile, Variant};

    // All lines at once against one after the other.
    #[test]
    fn a_completed_line_is_seen_on_any_board() {
        let written = [
            "patterns = ['111', '222', '333', '123']\nboard.outline = '###/#-#/###'",
            "patterns = ['111', '222', '333']\nboard.squares = ['a1', 'b1', 'c2', 'c3', 'b3', 'c1']",
            "patterns = ['111', '222', '123']\nboard.size = '3x4'",
            "patterns = ['111']\nboard = { size = '3x3', levels = 1 }",
            "patterns = ['11', '22']\nboard = { size = '2x2', line-length = 2, levels = 2 }",
            "patterns = ['1111', '2222', '3333', '1232']\nboard = { size = '2x5', line-length = 4 }",
            "patterns = ['2']\nboard = { size = '1x2', line-length = 1 }",
        ];
        let written = written.map(|text| RuleFile::parse("lines.toml", text).unwrap().variant);
        let named = [
            "classic-3x3",
            "signal-4x4",
            "classic-2x6",
            "green-4x2",
            "points-4x8",
        ];
        let named = named.map(|name| Variant::parse(name).unwrap());
        let mut random = Random(1);
        for variant in written.into_iter().chain(named) {
            let game = variant.as_board().unwrap();
            let mut seen = [0; 2];
            for _ in 0..1000 {
                let code = random.board(game.board.shape.cells(), 1);
                let mut targets = game.targets();
                let expected = targets.any(|(mask, value)| code.0 & mask == value);
                assert_eq!(
                    game.has_line(code),
                    expected,
                    "{}: {code}",
                    game.rules().canonical
                );
                seen[usize::from(expected)] += 1;
            }
            assert!(
                seen.iter().all(|count| *count > 0),
                "{}: {seen:?}",
                game.rules().canonical
            );
        }
    }
}
