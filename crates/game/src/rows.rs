//! Values in rows: one for each board, with the states of hands and market that the board can have.

use crate::{Code, Counters, Permutation};

/// Hands of three for both players and a market of two: 10 · 10 · 6.
pub const HAND_STATES: u64 = 600;

/// The number, below [`HAND_STATES`], of two full hands and a full market.
#[must_use]
pub fn hand_state(own: Counters, other: Counters, market: Counters) -> u64 {
    (own.rank() * 60 + other.rank() * 6 + market.rank()) as u64
}

/// Own hand, other hand and market of a number below [`HAND_STATES`].
#[must_use]
pub fn of_hand_state(state: u64) -> (Counters, Counters, Counters) {
    let pick = |size: u8, rank: u64| Counters::all(size).nth(rank as usize).unwrap_or_default();
    (
        pick(3, state / 60),
        pick(3, state / 6 % 10),
        pick(2, state % 6),
    )
}

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
    limit: Option<u32>,
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
            let legal = self.limit.is_none_or(|limit| {
                (0..3).all(|colour| {
                    on_board[colour] + u32::from(self.outside[state][colour]) <= limit
                })
            });
            let (own, other) = self.levels[state];
            legal && (self.strip_moves || (own | other) & fitting != 0)
        })
    }

    /// The test for boards with a number of squares, and perhaps only so many counters of each colour.
    /// Where a strip moves, play goes on without a counter that fits.
    pub(crate) fn new(cells: u32, limit: Option<u32>, strip_moves: bool) -> HandStates {
        let states = (0..HAND_STATES).map(of_hand_state);
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
            cells,
            limit,
            strip_moves,
            outside,
            levels,
        }
    }
}
