//! The engines that solve games, by name. A game names its own here. The solver describes what an
//! engine does, so rules know engines by name only.

use crate::Dense;

/// A game that names the engine which solves it. A kind of game that names none does not compile where
/// variants are solved.
pub trait Solvable: Dense {
    /// The engine: one of [`engines`](self).
    type Engine;
}

/// The default choice: the one of [`Backward`], [`Loopy`] and [`Retrograde`] that suits the
/// declarations of the game.
#[derive(Debug)]
pub enum ByProperties {}

/// Boards whose squares are numbered by their levels: many positions at a time, those that matter only.
#[derive(Debug)]
pub enum Sweep {}

/// Every index after all higher ones, position by position.
#[derive(Debug)]
pub enum Backward {}

/// Tier after tier from the highest down, where moves may stay in their tier and positions repeat.
#[derive(Debug)]
pub enum Loopy {}

/// A list of what play reaches, and values that spread from the ends backwards.
#[derive(Debug)]
pub enum Retrograde {}

/// Board after board, the best of moves and the average of draws: games with chance.
#[derive(Debug)]
pub enum Expectimax {}
