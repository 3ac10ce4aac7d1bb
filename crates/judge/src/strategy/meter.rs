//! How much of its budget a search has spent.

use greenwave_solver::SearchBudget;
use greenwave_values::{Instant, Progress};

use crate::JudgeError;

/// Why a search ends early.
pub(super) enum Stop {
    Spent,
    Failed(JudgeError),
}

/// Counts positions, and stops a search whose budget is spent.
pub(super) struct Meter<'a> {
    budget: SearchBudget,
    progress: &'a dyn Progress,
    nodes: u64,
}

impl<'a> Meter<'a> {
    pub(super) fn new(budget: SearchBudget, progress: &'a dyn Progress) -> Meter<'a> {
        Meter {
            budget,
            progress,
            nodes: 0,
        }
    }

    /// Positions so far.
    pub(super) fn counted(&self) -> u64 {
        self.nodes
    }

    // The number of steps between two checks of the clock.
    const STEP: u64 = 1 << 8;

    /// Counts a position.
    ///
    /// # Errors
    /// When the budget is spent, and when the work is cancelled.
    pub(super) fn count(&mut self) -> Result<(), Stop> {
        self.nodes += 1;
        if self.budget.nodes.is_some_and(|most| self.nodes > most) {
            return Err(Stop::Spent);
        }
        if self.nodes.is_multiple_of(Self::STEP) {
            if self.progress.cancelled() {
                return Err(Stop::Failed(JudgeError::Interrupted));
            }
            if is_over(&self.budget) {
                return Err(Stop::Spent);
            }
        }
        Ok(())
    }
}

/// Whether the time of a budget is over.
pub(super) fn is_over(budget: &SearchBudget) -> bool {
    budget.deadline.is_some_and(|end| Instant::now() >= end)
}
