//! Positions and moves of games with a memory.

use crate::{Cell, Code};

/// A board and what is remembered beside it. Parts that the rules do not ask for have their lowest
/// value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MemoryPosition {
    /// The board.
    pub code: Code,
    /// Whether the player to move may swap.
    pub swap: bool,
    /// The square that was raised in the ply before.
    pub last: Option<Cell>,
    /// Number of players who have passed in a row, where any player may.
    pub passed: u8,
    /// How often the player to move and the other may still pass, where each may once.
    pub passes: [u8; 2],
    /// Whether the second player is to move, where nothing else tells it.
    pub second: bool,
    /// Lines of the player to move and of the other, counted as far as they win.
    pub lines: [u8; 2],
}

/// A move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MemoryMove {
    /// Raises a square by one level.
    Raise(Cell),
    /// Leaves the board as it is.
    Pass,
    /// Takes over the part of the other player.
    Swap,
}
