//! What every engine does: it says what a solve will take, and does it.
//!
//! A game names its engine ([`Solvable`]), and an engine says here which games it solves. So the engine
//! of a game is known when the program is compiled, a kind of game without one does not compile, and
//! no other place asks what kind a game is.

use greenwave_game::{Dense, Figures, Metric, Solvable};
use greenwave_values::{Progress, Values};

use crate::lookahead::{self, Lookahead};
use crate::{Cost, SearchBudget, SolveError, Task, TaskResult};

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
    /// metric, in their order. `None` where the engine has no such sweep.
    fn plan_cone<'a>(
        game: &'a G,
        positions: &[G::Position],
        metric: Metric,
        memory: u64,
    ) -> Option<PreparedSolve<'a, Vec<Figures>>> {
        let _ = (game, positions, metric, memory);
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

type SolveRun<'a, T> = dyn FnOnce(&dyn Progress) -> Result<T, SolveError> + Send + 'a;

/// A solve that an engine has planned: what it will take, and the solve itself.
#[must_use]
pub struct PreparedSolve<'a, T> {
    cost: Cost,
    memory: u64,
    work: Box<SolveRun<'a, T>>,
}

impl<'a, T> PreparedSolve<'a, T> {
    /// Work of some cost that may use this many bytes of memory.
    pub(crate) fn new(
        cost: Cost,
        memory: u64,
        work: impl FnOnce(&dyn Progress) -> Result<T, SolveError> + Send + 'a,
    ) -> PreparedSolve<'a, T> {
        PreparedSolve {
            cost,
            memory,
            work: Box::new(work),
        }
    }

    /// What it will take.
    #[must_use]
    pub fn cost(&self) -> &Cost {
        &self.cost
    }

    /// Checks the memory against what may be used.
    ///
    /// # Errors
    /// When the solve needs more.
    pub fn fits(&self) -> Result<(), SolveError> {
        self.cost.fits(self.memory)
    }

    /// Solves on the current rayon pool.
    ///
    /// # Errors
    /// When the solve needs more memory than may be used, when something cannot be read or written, and
    /// when [`Progress::cancelled`] says so.
    pub fn run(self, progress: &dyn Progress) -> Result<T, SolveError> {
        self.fits()?;
        (self.work)(progress)
    }
}

impl<T> std::fmt::Debug for PreparedSolve<'_, T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Planned")
            .field("cost", &self.cost)
            .field("memory", &self.memory)
            .finish_non_exhaustive()
    }
}
