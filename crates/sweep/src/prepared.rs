//! A solve that is planned and not yet run.

use greenwave_values::Progress;

use crate::{Cost, SolveError};

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
    pub fn new(
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
        f.debug_struct("PreparedSolve")
            .field("cost", &self.cost)
            .field("memory", &self.memory)
            .finish_non_exhaustive()
    }
}
