//! The rows of a game: one for each unfinished board up to symmetry, in the order in which they
//! are solved and stored.
//!
//! Boards with the highest level sum come first, since every play leads to a higher one. Inside a
//! level, boards that strip moves lead to from each other stand side by side. A row holds *planes*
//! of [`HAND_STATES`] values each; of a plane those states are *packed* that are legal under the
//! supply and not finished.

use greenwave_game::{Cell, Code, HAND_STATES, MAX_LEVEL, PackedStates, Permutation, RowSpace};

/// A board with the key of its group: the least board that symmetries and strip moves lead to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Row {
    /// Equal for boards that strip moves lead to from each other.
    pub group: u64,
    /// The board, the least among its symmetric images.
    pub code: Code,
}

/// All rows of a game, and the rules by which they are packed.
#[derive(Clone, Debug)]
pub struct Rows {
    space: RowSpace,
    // By level sum.
    levels: Vec<Vec<Row>>,
    // By level sum: number of the level's first row.
    first: Vec<u64>,
    rows: u64,
}

impl Rows {
    /// Lists the boards of a game. Takes time and memory in proportion to the number of unfinished
    /// boards: a fraction of a second for twelve squares.
    #[must_use]
    pub fn new(space: RowSpace) -> Rows {
        let mut levels = vec![Vec::new(); levels_of(&space)];
        each_board(&space, &mut |code| {
            let group = group(&space, code);
            levels[code.level_sum() as usize].push(Row { group, code });
        });
        let mut found = Rows {
            levels,
            first: Vec::new(),
            rows: 0,
            space,
        };
        found.first = vec![0; found.levels.len()];
        for level in (0..found.levels.len()).rev() {
            found.levels[level].sort_unstable();
            found.first[level] = found.rows;
            found.rows += found.levels[level].len() as u64;
        }
        found
    }

    /// The parts that make up the rows.
    #[must_use]
    pub fn space(&self) -> &RowSpace {
        &self.space
    }

    /// Places of a table's index: one for each number of each state, flag and row.
    #[must_use]
    pub fn places(&self) -> u64 {
        self.rows * (self.space.flags * self.space.parts) as u64 * HAND_STATES
    }

    /// Number of level sums.
    #[must_use]
    pub fn levels(&self) -> usize {
        self.levels.len()
    }

    /// The rows of a level sum, in order.
    #[must_use]
    pub fn level(&self, level: usize) -> &[Row] {
        &self.levels[level]
    }

    /// The number of the first row of a level sum.
    #[must_use]
    pub fn first_of_level(&self, level: usize) -> u64 {
        self.first[level]
    }

    /// Number of rows.
    #[must_use]
    pub fn rows(&self) -> u64 {
        self.rows
    }

    /// The board of a row.
    ///
    /// # Panics
    /// When there is no such row.
    #[must_use]
    pub fn row(&self, number: u64) -> Row {
        // Levels stand in falling order, so the first numbers fall as the level rises.
        let level = self.first.partition_point(|first| *first > number);
        let level = (level..self.levels.len())
            .find(|level| number - self.first[*level] < self.levels[*level].len() as u64);
        let level = level.expect("a row below the number of rows");
        self.levels[level][(number - self.first[level]) as usize]
    }

    /// The least among the symmetric images of a board.
    #[must_use]
    pub fn canonical(&self, code: Code) -> Code {
        canonical(&self.space, code)
    }

    /// Number of different symmetric images of a board.
    #[must_use]
    pub fn images(&self, code: Code) -> u64 {
        let mut images: Vec<Code> = self
            .space
            .symmetries
            .iter()
            .map(|map| map.apply(code))
            .collect();
        images.sort_unstable();
        images.dedup();
        images.len() as u64
    }

    /// What the moves of the strip do to a board, in listing order with the strip at the east; empty
    /// where it never moves.
    #[must_use]
    pub fn slides(&self) -> &[Permutation] {
        &self.space.slides
    }

    /// Place of a board's row inside its level; `None` for a finished board.
    #[must_use]
    pub fn place(&self, code: Code) -> Option<usize> {
        let code = self.canonical(code);
        let row = Row {
            group: if self.space.slides.is_empty() {
                code.0
            } else {
                group(&self.space, code)
            },
            code,
        };
        self.levels[code.level_sum() as usize]
            .binary_search(&row)
            .ok()
    }

    /// Number of a board's row; `None` for a finished board.
    #[must_use]
    pub fn number(&self, code: Code) -> Option<u64> {
        let place = self.place(code)?;
        Some(self.first[code.level_sum() as usize] + place as u64)
    }

    /// Which states of a board are packed: legal under the supply and not finished.
    #[must_use]
    pub fn packed(&self, code: Code) -> PackedStates {
        self.space.states.states(code)
    }
}

/// How many rows a game has, without a list of them.
#[derive(Clone, Debug)]
pub struct RowCounts {
    /// By level sum.
    pub levels: Vec<u64>,
    /// Packed states of all rows; from every 37th of more than 10,000.
    pub packed: u64,
}

impl RowCounts {
    /// Counts the boards of a game. Takes time as [`Rows::new`] does, and no memory.
    #[must_use]
    pub fn new(space: &RowSpace) -> RowCounts {
        const EACH: u64 = 10_000;
        const STEP: u64 = 37;
        let mut levels = vec![0; levels_of(space)];
        let (mut rows, mut of_each, mut of_sample) = (0_u64, 0, 0);
        each_board(space, &mut |code| {
            levels[code.level_sum() as usize] += 1;
            let is_sampled = rows.is_multiple_of(STEP);
            if rows < EACH || is_sampled {
                let states = space.states.states(code);
                let packed = states.iter().filter(|packed| **packed).count() as u64;
                of_each += packed;
                of_sample += if is_sampled { packed } else { 0 };
            }
            rows += 1;
        });
        RowCounts {
            levels,
            packed: if rows <= EACH {
                of_each
            } else {
                of_sample * STEP
            },
        }
    }

    /// Number of rows.
    #[must_use]
    pub fn rows(&self) -> u64 {
        self.levels.iter().sum()
    }
}

fn levels_of(space: &RowSpace) -> usize {
    space.cells * usize::from(MAX_LEVEL) + 1
}

// Every board without a line that is the least among its images.
fn each_board(space: &RowSpace, visit: &mut dyn FnMut(Code)) {
    let mut targets: Vec<Vec<(u64, u64)>> = vec![Vec::new(); space.cells];
    for (mask, value) in &space.targets {
        let last = (63 - mask.leading_zeros()) as usize / 2;
        targets[last].push((*mask, *value));
    }
    fill(space, &targets, 0, Code::EMPTY, visit);
}

// The same with the squares from one on to be filled.
fn fill(
    space: &RowSpace,
    targets: &[Vec<(u64, u64)>],
    cell: usize,
    code: Code,
    visit: &mut dyn FnMut(Code),
) {
    if cell == targets.len() {
        if canonical(space, code) == code {
            visit(code);
        }
        return;
    }
    for level in 0..=space.levels {
        let next = code.with(Cell(cell as u8), level);
        let line = targets[cell]
            .iter()
            .any(|(mask, value)| next.0 & mask == *value);
        if !line {
            fill(space, targets, cell + 1, next, visit);
        }
    }
}

fn canonical(space: &RowSpace, code: Code) -> Code {
    let images = space.symmetries[1..]
        .iter()
        .map(|symmetry| symmetry.apply(code));
    images.fold(code, Ord::min)
}

fn group(space: &RowSpace, code: Code) -> u64 {
    let moved = space
        .slides
        .iter()
        .map(|slide| canonical(space, slide.apply(code)));
    moved.fold(canonical(space, code), Ord::min).0
}

#[cfg(test)]
mod tests {
    use super::*;
    use greenwave_game::{Dense, Game, Variant};

    #[test]
    fn rows_are_the_unfinished_boards_up_to_symmetry() {
        for name in [
            "bag-classic-2x3",
            "bag-signal-1x5",
            "bag-green-2x3:counters=infinite",
        ] {
            let Variant::Bag(game) = Variant::parse(name).unwrap() else {
                unreachable!()
            };
            let rows = Rows::new(game.row_space());
            let mut unfinished = 0;
            let mut last = u64::MAX;
            for number in 0..rows.rows() {
                let row = rows.row(number);
                assert!(!game.base().has_line(row.code));
                assert_eq!(rows.number(row.code), Some(number));
                assert!(u64::from(row.code.level_sum()) <= last);
                last = row.code.level_sum().into();
                unfinished += rows.images(row.code);
            }
            let all = 0..game.base().indexable() as u64;
            let lineless = all
                .clone()
                .filter(|code| !game.base().has_line(Code(*code)));
            assert_eq!(lineless.count() as u64, unfinished, "{name}");
            for code in all.map(Code) {
                assert_eq!(rows.number(code).is_none(), game.base().has_line(code));
            }
            let counts = RowCounts::new(rows.space());
            assert_eq!(counts.rows(), rows.rows());
            let listed = (0..rows.levels()).map(|level| rows.level(level).len() as u64);
            assert_eq!(counts.levels, listed.collect::<Vec<_>>());
            let packed = (0..rows.rows()).flat_map(|number| rows.packed(rows.row(number).code));
            assert_eq!(
                counts.packed,
                packed.filter(|packed| *packed).count() as u64
            );
        }
    }

    #[test]
    fn packed_states_are_the_legal_unfinished_ones() {
        for name in [
            "bag-classic-1x3",
            "bag-classic-1x3:counters=infinite",
            "bag-green-1x4",
        ] {
            let Variant::Bag(game) = Variant::parse(name).unwrap() else {
                unreachable!()
            };
            let rows = Rows::new(game.row_space());
            for number in 0..rows.rows() {
                let code = rows.row(number).code;
                let packed = rows.packed(code);
                for state in 0..HAND_STATES {
                    let position = game.at(code.0 * HAND_STATES + state);
                    let expected =
                        position.is_some_and(|position| game.ending(&position).is_none());
                    assert_eq!(packed[state as usize], expected, "{name} {code} {state}");
                }
            }
        }
    }

    #[test]
    fn strip_moves_stay_inside_a_group() {
        let variant = Variant::parse("bag-slider").unwrap();
        let Variant::BagStrip(game) = &variant else {
            unreachable!()
        };
        let rows = Rows::new(game.row_space());
        assert!(rows.rows() > 1_000_000);
        for number in (0..rows.rows()).step_by(9973) {
            let row = rows.row(number);
            for slide in rows.slides() {
                let to = slide.apply(row.code);
                if let Some(there) = rows.number(to) {
                    assert_eq!(rows.row(there).group, row.group);
                }
            }
        }
        assert_eq!(variant.rules().cells, 12);
    }
}
