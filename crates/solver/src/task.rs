//! A solve as it is ordered, and what came of it.

use std::path::PathBuf;

use greenwave_game::{Metric, Variant};
use greenwave_table::{Hash32, Summary};
use greenwave_values::TableReport;

use crate::{Cost, SolveError};
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

impl Task<'_> {
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

/// The error of a task whose checkpoint may go on.
pub(crate) fn ended(checkpoint: &Option<Checkpoint>, error: SolveError) -> SolveError {
    match checkpoint {
        Some(checkpoint) => checkpoint.ended(error),
        None => error,
    }
}
