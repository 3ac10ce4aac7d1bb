//! What every engine does: it says what a solve will take, and does it.
//!
//! A game names its engine ([`Solvable`]), and an engine says here which games it solves. So the engine
//! of a game is known when the program is compiled, a kind of game without one does not compile, and
//! no other place asks what kind a game is.

use std::path::Path;

use greenwave_game::{Dense, Figures, Metric, Solvable};
use greenwave_values::{Progress, Values};

use crate::lookahead::{self, Lookahead};
use crate::{PreparedSolve, SearchBudget, SolveError, Task, TaskResult};

/// A game that an engine solves: the one that it names.
pub trait Solve: Solvable<Engine: Engine<Self>> + Sized {}

impl<G: Solvable<Engine: Engine<G>>> Solve for G {}

/// A way to solve games.
///
/// The plan computes the cost of a solve once and keeps it.
pub trait Engine<G: Dense> {
    /// Plans a task, whose variant is the game.
    ///
    /// # Errors
    /// When the engine does not treat what the game declares.
    fn plan<'a>(game: &'a G, task: Task<'a>) -> Result<PreparedSolve<'a, TaskResult>, SolveError>;

    /// Plans a solve that keeps the values of all positions in memory, of which this many bytes may be
    /// used.
    ///
    /// # Errors
    /// As [`Engine::plan`].
    fn plan_values(
        game: &G,
        metric: Metric,
        memory: u64,
    ) -> Result<PreparedSolve<'_, Values>, SolveError>;

    /// Plans the solve of what a question about one position needs, with the values in memory; `None`
    /// where that takes no less than all of them.
    fn plan_near<'a>(
        game: &'a G,
        position: &G::Position,
        memory: u64,
    ) -> Option<PreparedSolve<'a, Values>> {
        let _ = (game, position, memory);
        None
    }

    /// Plans the sweep of all that some positions can become, for the figures of these positions in one
    /// metric, in their order; waves that outgrow the memory go into the file `scratch`. `None` where the engine
    /// has no such sweep.
    fn plan_cone<'a>(
        game: &'a G,
        positions: &[G::Position],
        metric: Metric,
        memory: u64,
        scratch: Option<&Path>,
    ) -> Option<PreparedSolve<'a, Vec<Figures>>> {
        let _ = (game, positions, metric, memory, scratch);
        None
    }

    /// Searches a position forward, with at most this many bytes to remember positions.
    ///
    /// # Errors
    /// When the engine has no search for what the game declares.
    fn look_ahead(
        game: &G,
        position: &G::Position,
        budget: SearchBudget,
        memory: u64,
        progress: &dyn Progress,
    ) -> Result<Lookahead<G::Position, G::Move>, SolveError> {
        lookahead::without_chance(game, position, budget, memory, progress)
    }
}

/// Searches a position forward, with at most this many bytes to remember positions, as the game's engine
/// does.
///
/// # Errors
/// When the engine has no search for what the game declares.
pub fn look_ahead<G: Solve>(
    game: &G,
    position: &G::Position,
    budget: SearchBudget,
    memory: u64,
    progress: &dyn Progress,
) -> Result<Lookahead<G::Position, G::Move>, SolveError> {
    G::Engine::look_ahead(game, position, budget, memory, progress)
}
