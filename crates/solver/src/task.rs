//! A solve from the plan to the table.

use std::path::PathBuf;

use greenwave_game::{Metric, Variant, with_game};
use greenwave_table::{Hash32, Summary};
use greenwave_values::{Progress, TableReport, Values};

use crate::engine::{Engine, Solve};
use crate::{Cost, PreparedSolve, SolveError};
use greenwave_sweep::checkpoint::Checkpoint;
use greenwave_sweep::sweep::Kernel;

/// What is wanted besides counts and openings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Product {
    /// Nothing.
    Counts,
    /// The signature of the values.
    Signature,
    /// A table at this path.
    Table(PathBuf),
}

/// A variant and metric to be solved, and how.
#[derive(Clone, Debug)]
pub struct Task<'a> {
    /// The variant.
    pub variant: &'a Variant,
    /// The metric.
    pub metric: Metric,
    /// Instructions for engines that have a choice.
    pub kernel: Kernel,
    /// Bytes of memory that may be used.
    pub memory: u64,
    /// What is wanted besides counts and openings.
    pub wanted: Product,
    /// Where engines that can be resumed keep their checkpoint.
    pub checkpoint: Option<PathBuf>,
    /// Where engines that can do with less memory than their waves take put these.
    pub scratch: Option<PathBuf>,
    /// Whether the plan is for an estimate: within seconds, from a sample where a count takes longer.
    pub quick: bool,
}

/// What came of a task.
#[derive(Clone, Debug)]
pub struct TaskResult {
    /// Counts and openings.
    pub summary: Summary,
    /// Positions that the solution stands for: all indices, or where positions are listed those that
    /// play reaches.
    pub positions: u128,
    /// Signature, where one was wanted or a table was written.
    pub signature: Option<Hash32>,
    /// The table, if one was written.
    pub table: Option<TableReport>,
    /// The instructions used, or `plain`.
    pub kernel: &'static str,
    /// Seconds of the solve alone, without signature or file.
    pub seconds: f64,
}

impl<'a> Task<'a> {
    /// Asks the engine of the variant what the task will take; it can be run afterwards.
    ///
    /// # Errors
    /// When the metric does not exist for the variant, or no engine solves it.
    pub fn plan(self) -> Result<PreparedSolve<'a, TaskResult>, SolveError> {
        expect_metric(self.variant, self.metric)?;
        with_game!(self.variant, game => planned(game, self))
    }

    /// The disk that the task really takes of that which values, their table and checkpoints would.
    pub(crate) fn on_disk(&self, mut cost: Cost) -> Cost {
        if self.checkpoint.is_none() {
            cost.checkpoint_bytes = 0;
        }
        if matches!(self.wanted, Product::Table(_)) {
            return cost.with_table();
        }
        cost.table_bytes = 0;
        cost
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

/// The error of a task whose checkpoint may go on.
pub(crate) fn ended(checkpoint: &Option<Checkpoint>, error: SolveError) -> SolveError {
    match checkpoint {
        Some(checkpoint) => checkpoint.ended(error),
        None => error,
    }
}
