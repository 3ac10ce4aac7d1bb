//! The parts of the rows of a bag game: its boards, and the states of hands and market that a board
//! can have.

use super::{BagBase, BagGame, BagPosition, BagSlides, BagSupply, Counters, HAND_STATES};
use crate::{Code, Permutation};

/// What lists the rows of a game: one for each unfinished board up to symmetry, with the states of
/// hands and market for each flag.
#[derive(Clone, Debug)]
pub struct RowSpace {
    /// Squares of a board.
    pub cells: usize,
    /// The highest level of a square.
    pub levels: u8,
    /// The symmetries of boards, the identity first.
    pub symmetries: Vec<Permutation>,
    /// What the moves of the strip do to a board, in listing order with the strip at the east; empty
    /// where it never moves.
    pub slides: Vec<Permutation>,
    /// Masks and values of the completed lines.
    pub targets: Vec<(u64, u64)>,
    /// States of the flag that a board has: two where strip moves can be barred.
    pub flags: usize,
    /// Numbers that a state of a row takes: expectation and win probability, and the loss
    /// probability where it does not follow from those because points count.
    pub parts: usize,
    /// Which states a board can have.
    pub states: HandStates,
}

impl RowSpace {
    /// Board, flag and state of an index.
    #[must_use]
    pub fn split(&self, index: u64) -> (Code, u64, u64) {
        let (board, state) = (index / HAND_STATES, index % HAND_STATES);
        let code = Code(board & ((1 << (2 * self.cells)) - 1));
        (code, board >> (2 * self.cells), state)
    }

    /// The index of a state of a board.
    #[must_use]
    pub fn join(&self, code: Code, flag: u64, state: u64) -> u64 {
        (code.0 | flag << (2 * self.cells)) * HAND_STATES + state
    }
}

/// The test for packing a state of a board: legal under the supply and not finished.
#[derive(Clone, Debug)]
pub struct HandStates {
    cells: u32,
    counters: BagSupply,
    strip_moves: bool,
    // Counters of each state by level; own and other hand as sets of levels.
    outside: Vec<[u8; 3]>,
    levels: Vec<(u8, u8)>,
}

/// Which states of a board are packed: one flag a state.
pub type PackedStates = [bool; HAND_STATES as usize];

impl HandStates {
    /// The packed states of a board without a line.
    #[must_use]
    pub fn states(&self, code: Code) -> PackedStates {
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

    pub(super) fn new<B: BagBase>(game: &BagGame<B>) -> HandStates {
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
        HandStates {
            cells: game.cells() as u32,
            counters: game.bag().counters,
            strip_moves: game.base().has_strip() && game.bag().slides != BagSlides::Never,
            outside,
            levels,
        }
    }
}

impl<B: BagBase> BagGame<B> {
    /// The parts that make up the rows of the game.
    #[must_use]
    pub fn row_space(&self) -> RowSpace {
        let base = self.base();
        RowSpace {
            cells: self.cells(),
            levels: base.levels(),
            symmetries: base.code_symmetries(),
            slides: match self.bag().slides {
                BagSlides::Never => Vec::new(),
                BagSlides::AnyTurn | BagSlides::Stuck => base.slides(),
            },
            targets: base.code_targets(),
            flags: self.flags(),
            parts: self.parts(),
            states: HandStates::new(self),
        }
    }

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
