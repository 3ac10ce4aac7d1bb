//! Odds of a bag game in memory.

use std::collections::HashMap;
use std::sync::Arc;

use greenwave_game::{BagBase, BagGame, BagRows, Code, HAND_STATES, Odds};

/// The odds of the states of some rows, or of all.
#[derive(Clone, Debug)]
pub struct OddsValues {
    rows: Arc<BagRows>,
    code_bits: u32,
    flags: usize,
    // By row: expectation, win and loss of every state, flag by flag.
    kept: HashMap<u64, Box<[[f64; 3]]>>,
}

impl OddsValues {
    /// No odds yet.
    #[must_use]
    pub fn new<B: BagBase>(game: &BagGame<B>, rows: Arc<BagRows>) -> OddsValues {
        OddsValues {
            rows,
            code_bits: 2 * game.cells() as u32,
            flags: game.flags(),
            kept: HashMap::new(),
        }
    }

    /// Adds a row: expectation, win and loss probability for the player to move, by the number of
    /// the state, flag by flag.
    ///
    /// # Panics
    /// When there are more or fewer states than a row has.
    pub fn insert(&mut self, row: u64, states: Box<[[f64; 3]]>) {
        assert_eq!(
            states.len(),
            self.flags * HAND_STATES as usize,
            "states of row {row}"
        );
        self.kept.insert(row, states);
    }

    /// The rows of the game.
    #[must_use]
    pub fn rows(&self) -> &Arc<BagRows> {
        &self.rows
    }

    /// The odds of an indexed, unfinished position for the player to move; `None` where its row was
    /// not kept.
    #[must_use]
    pub fn odds(&self, index: u64) -> Option<Odds> {
        let (board, state) = (index / HAND_STATES, index % HAND_STATES);
        let code = Code(board & ((1 << self.code_bits) - 1));
        let flag = board >> self.code_bits;
        let states = self.kept.get(&self.rows.number(code)?)?;
        let [expectation, win, loss] = states[(flag * HAND_STATES + state) as usize];
        Some(Odds {
            win,
            draw: 1.0 - win - loss,
            loss,
            expectation,
        })
    }
}
