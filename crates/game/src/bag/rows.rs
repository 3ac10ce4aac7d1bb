//! The rows of a bag game: one for each unfinished board up to symmetry, in the order in which they
//! are solved and stored.
//!
//! Boards with the highest level sum come first, since every play leads to a higher one. Inside a
//! level, boards that strip moves lead to from each other stand side by side. A row holds *planes*
//! of [`HAND_STATES`] values each; of a plane those states are *packed* that are legal under the
//! supply and not finished.

use super::{BagBase, BagGame, BagPosition, BagSlides, BagSupply, Counters, HAND_STATES};
use crate::{Cell, Code, MAX_LEVEL, Permutation};

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
pub struct BagRows {
    symmetries: Vec<Permutation>,
    slides: Vec<Permutation>,
    // By level sum.
    levels: Vec<Vec<Row>>,
    // By level sum: number of the level's first row.
    first: Vec<u64>,
    rows: u64,
    packing: Packing,
}

// What decides whether a state is packed.
#[derive(Clone, Debug)]
pub(super) struct Packing {
    cells: u32,
    counters: BagSupply,
    strip_moves: bool,
    // Counters of each state by level; own and other hand as sets of levels.
    outside: Vec<[u8; 3]>,
    levels: Vec<(u8, u8)>,
}

/// Which states of a board are packed: one flag a state.
pub type PackedStates = [bool; HAND_STATES as usize];

impl BagRows {
    /// Lists the boards of a game. Takes time and memory in proportion to the number of unfinished
    /// boards: a fraction of a second for twelve squares.
    #[must_use]
    pub fn new<B: BagBase>(game: &BagGame<B>) -> BagRows {
        let base = game.base();
        let cells = game.cells();
        let symmetries = base.code_symmetries();
        let slides = match game.bag().slides {
            BagSlides::Never => Vec::new(),
            BagSlides::AnyTurn | BagSlides::Stuck => base.slides(),
        };
        let mut targets: Vec<Vec<(u64, u64)>> = vec![Vec::new(); cells];
        for (mask, value) in base.code_targets() {
            let last = (63 - mask.leading_zeros()) as usize / 2;
            targets[last].push((mask, value));
        }
        let mut found = BagRows {
            symmetries,
            slides,
            levels: vec![Vec::new(); cells * usize::from(MAX_LEVEL) + 1],
            first: Vec::new(),
            rows: 0,
            packing: Packing::new(game),
        };
        found.fill(&targets, base.levels(), 0, Code::EMPTY);
        found.first = vec![0; found.levels.len()];
        for level in (0..found.levels.len()).rev() {
            found.levels[level].sort_unstable();
            found.first[level] = found.rows;
            found.rows += found.levels[level].len() as u64;
        }
        found
    }

    // All boards without a line, square by square.
    fn fill(&mut self, targets: &[Vec<(u64, u64)>], highest: u8, cell: usize, code: Code) {
        if cell == targets.len() {
            if self.canonical(code) == code {
                let row = Row {
                    group: self.group(code),
                    code,
                };
                self.levels[code.level_sum() as usize].push(row);
            }
            return;
        }
        for level in 0..=highest {
            let next = code.with(Cell(cell as u8), level);
            let line = targets[cell]
                .iter()
                .any(|(mask, value)| next.0 & mask == *value);
            if !line {
                self.fill(targets, highest, cell + 1, next);
            }
        }
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
        let images = self.symmetries[1..]
            .iter()
            .map(|symmetry| symmetry.apply(code));
        images.fold(code, Ord::min)
    }

    /// Number of different symmetric images of a board.
    #[must_use]
    pub fn images(&self, code: Code) -> u64 {
        let mut images: Vec<Code> = self.symmetries.iter().map(|map| map.apply(code)).collect();
        images.sort_unstable();
        images.dedup();
        images.len() as u64
    }

    /// What the moves of the strip do to a board, in listing order with the strip at the east; empty
    /// where it never moves.
    #[must_use]
    pub fn slides(&self) -> &[Permutation] {
        &self.slides
    }

    fn group(&self, code: Code) -> u64 {
        let moved = self
            .slides
            .iter()
            .map(|slide| self.canonical(slide.apply(code)));
        moved.fold(self.canonical(code), Ord::min).0
    }

    /// Place of a board's row inside its level; `None` for a finished board.
    #[must_use]
    pub fn place(&self, code: Code) -> Option<usize> {
        let code = self.canonical(code);
        let row = Row {
            group: if self.slides.is_empty() {
                code.0
            } else {
                self.group(code)
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
        self.packing.states(code)
    }
}

impl Packing {
    /// As [`BagRows::packed`], for a board without a line.
    pub(super) fn states(&self, code: Code) -> PackedStates {
        let on_board = [1, 2, 3].map(|level| code.count(level));
        let squares = [
            self.cells - on_board.iter().sum::<u32>(),
            on_board[0],
            on_board[1],
        ];
        let fitting = (0..3).fold(0, |set, colour| {
            set | u8::from(squares[colour] > 0) << colour
        });
        std::array::from_fn(|state| {
            let legal = match self.counters {
                BagSupply::Infinite => true,
                BagSupply::Each(number) => (0..3).all(|colour| {
                    on_board[colour] + u32::from(self.outside[state][colour]) <= number
                }),
            };
            let (own, other) = self.levels[state];
            legal && (self.strip_moves || (own | other) & fitting != 0)
        })
    }

    pub(super) fn new<B: BagBase>(game: &BagGame<B>) -> Packing {
        let states = (0..HAND_STATES).map(super::of_hand_state);
        let set = |hand: Counters| hand.levels().fold(0, |set, level| set | 1 << (level - 1));
        let (outside, levels) = states
            .map(|(own, other, market)| {
                let count = |level| own.count(level) + other.count(level) + market.count(level);
                (
                    [1, 2, 3].map(|level| count(level) as u8),
                    (set(own), set(other)),
                )
            })
            .unzip();
        Packing {
            cells: game.cells() as u32,
            counters: game.bag().counters,
            strip_moves: game.base().has_strip() && game.bag().slides != BagSlides::Never,
            outside,
            levels,
        }
    }
}

impl<B: BagBase> BagGame<B> {
    /// Number of squares.
    #[must_use]
    pub fn cells(&self) -> usize {
        self.base().rules().cells as usize
    }

    /// Numbers that a state of a row takes: expectation and win probability, and the loss
    /// probability where it does not follow from those because points count.
    #[must_use]
    pub fn parts(&self) -> usize {
        if self.base().scores() { 3 } else { 2 }
    }

    /// States of the flag that a board has: two where strip moves can be barred.
    #[must_use]
    pub fn flags(&self) -> usize {
        (self.base().indexable() >> (2 * self.cells())) as usize
    }

    /// The board of an indexed position and whether its strip is barred.
    #[must_use]
    pub fn board_of(&self, position: &BagPosition<B::Position>) -> (Code, usize) {
        let index = self.base().index(&position.base);
        let code = index & ((1 << (2 * self.cells())) - 1);
        (Code(code), (index >> (2 * self.cells())) as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Dense, Game, Variant};

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
            let rows = BagRows::new(&game);
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
            let rows = BagRows::new(&game);
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
        let rows = BagRows::new(game);
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
        with_game!(&variant, game => assert_eq!(game.rules().cells, 12));
    }
}
