//! Solves of variants, each by the engine that its game names.

use greenwave_game::{Metric, Variant, with_game};
use greenwave_values::{Progress, Values};

use crate::engine::{Engine, Solve};
use crate::{PreparedSolve, SolveError, Task, TaskResult};

impl<'a> Task<'a> {
    /// Asks the engine of the variant what the task will take; it can be run afterwards.
    ///
    /// # Errors
    /// When the metric does not exist for the variant, or no engine solves it.
    pub fn plan(self) -> Result<PreparedSolve<'a, TaskResult>, SolveError> {
        expect_metric(self.variant, self.metric)?;
        with_game!(self.variant, game => planned(game, self))
    }
}

fn planned<'a, G: Solve>(
    game: &'a G,
    task: Task<'a>,
) -> Result<PreparedSolve<'a, TaskResult>, SolveError> {
    G::Engine::plan(game, task)
}

/// Plans the solve of a variant in one metric with the values of all positions in memory, within
/// this number of bytes.
///
/// # Errors
/// When the metric does not exist for the variant, or no engine solves it.
pub fn plan_values(
    variant: &Variant,
    metric: Metric,
    memory: u64,
) -> Result<PreparedSolve<'_, Values>, SolveError> {
    fn planned<G: Solve>(
        game: &G,
        metric: Metric,
        memory: u64,
    ) -> Result<PreparedSolve<'_, Values>, SolveError> {
        G::Engine::plan_values(game, metric, memory)
    }
    expect_metric(variant, metric)?;
    with_game!(variant, game => planned(game, metric, memory))
}

/// Solves a variant in one metric, in memory, on the current rayon pool: [`plan_values`], and then
/// [`PreparedSolve::run`].
///
/// # Errors
/// When the metric does not exist for the variant, when the solution needs more memory than
/// allowed, and when [`Progress::cancelled`] says so.
pub fn solve(
    variant: &Variant,
    metric: Metric,
    memory: u64,
    progress: &dyn Progress,
) -> Result<Values, SolveError> {
    plan_values(variant, metric, memory)?.run(progress)
}

fn expect_metric(variant: &Variant, metric: Metric) -> Result<(), SolveError> {
    let rules = variant.rules();
    if rules.metrics.contains(&metric) {
        return Ok(());
    }
    Err(SolveError::Metric {
        variant: rules.title().to_string(),
        metric,
        allowed: rules.metrics.clone(),
    })
}
