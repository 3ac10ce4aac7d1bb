//! A solve from the plan to the table.

use std::path::Path;
use std::time::Instant;

use greenwave_game::{BagBase, BagGame, Dense, Metric, Variant, with_game};
use greenwave_table::{Hash32, Summary};
use greenwave_values::{
    DenseValues, Progress, TableReport, leaves_signature, positions, signature, summarise,
    write_leaves, write_table,
};

use crate::chance;
use crate::packed;
use crate::sweep::{self, Kernel, Options, Plan};
use crate::{Estimate, SolveError, estimate, solve, solve_plainly};

/// Indexable positions from which on the packed sweep is the better one: 18 squares.
const PACKED: u128 = 1 << 36;

/// What is wanted besides counts and openings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted<'a> {
    /// Nothing.
    Counts,
    /// The signature of the values.
    Signature,
    /// A table at this path.
    Table(&'a Path),
}

/// A variant and metric to be solved, and how.
#[derive(Clone, Copy, Debug)]
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
    pub wanted: Wanted<'a>,
    /// Where engines that can be resumed keep their checkpoint.
    pub checkpoint: Option<&'a Path>,
}

/// What came of a task.
#[derive(Clone, Debug)]
pub struct Done {
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
    /// What the task will take.
    ///
    /// # Errors
    /// When the metric does not exist for the variant, or no engine solves it.
    pub fn estimate(&self) -> Result<Estimate, SolveError> {
        if let Some(plan) = self.packed()? {
            return Ok(self.estimate_packed(&plan));
        }
        self.estimate_by(self.plan()?.as_ref())
    }

    // The packed sweep, where it treats the rules and is the better one: boards with many squares, of
    // which no table is wanted.
    fn packed(&self) -> Result<Option<packed::Plan<'_>>, SolveError> {
        self.check_metric()?;
        Ok(match self.variant {
            Variant::Board(game)
                if self.metric == Metric::Value
                    && self.wanted == Wanted::Counts
                    && game.indexable() >= PACKED =>
            {
                packed::Plan::new(game, self.kernel, self.memory)
            }
            _ => None,
        })
    }

    fn estimate_packed(&self, plan: &packed::Plan<'_>) -> Estimate {
        Estimate {
            variant: self.variant.rules().name.clone(),
            metric: self.metric,
            positions: plan.positions(),
            memory_bytes: plan.memory_bytes(),
            table_bytes: 0,
            checkpoint_bytes: 0,
            seconds: plan.seconds(),
        }
    }

    fn estimate_by(&self, plan: Option<&Plan<'_>>) -> Result<Estimate, SolveError> {
        let tabled = matches!(self.wanted, Wanted::Table(_));
        let mut estimate = match (plan, self.variant) {
            (Some(plan), _) => Estimate {
                variant: self.variant.rules().name.clone(),
                metric: self.metric,
                positions: plan.positions(),
                memory_bytes: plan.memory_bytes(),
                table_bytes: plan.packed_bytes(),
                checkpoint_bytes: plan.checkpoint_bytes(),
                seconds: plan.seconds(),
            },
            (None, Variant::Bag(game)) => chance::estimate(game, tabled),
            (None, Variant::BagStrip(game)) => chance::estimate(game, tabled),
            (None, _) => estimate(self.variant, self.metric)?,
        };
        if !tabled {
            estimate.table_bytes = 0;
        }
        // The files from which the table of a bag game is made are there in any case.
        if self.checkpoint.is_none() && (plan.is_some() || !tabled) {
            estimate.checkpoint_bytes = 0;
        }
        Ok(estimate)
    }

    /// Solves on the current rayon pool.
    ///
    /// # Errors
    /// When the metric does not exist for the variant, when the plan needs more memory than
    /// allowed, when the table cannot be written, and when [`Progress::cancelled`] says so.
    pub fn run(&self, progress: &dyn Progress) -> Result<Done, SolveError> {
        if let Some(plan) = self.packed()? {
            self.estimate_packed(&plan).fits(self.memory)?;
            let start = Instant::now();
            let solution = packed::solve(&plan, progress)?;
            return Ok(Done {
                summary: solution.summary,
                positions: plan.positions(),
                signature: None,
                table: None,
                kernel: self.kernel.name(),
                seconds: start.elapsed().as_secs_f64(),
            });
        }
        let plan = self.plan()?;
        self.estimate_by(plan.as_ref())?.fits(self.memory)?;
        match self.variant {
            Variant::Bag(game) => return self.chance(game, progress),
            Variant::BagStrip(game) => return self.chance(game, progress),
            _ => {}
        }
        match (plan, self.variant) {
            (Some(plan), Variant::Board(game)) => match self.sweep(&plan, progress) {
                Err(SolveError::Misfits { .. }) => self.in_memory(progress, |memory| {
                    solve_plainly(game, self.metric, memory, progress)
                }),
                done => done,
            },
            _ => self.in_memory(progress, |memory| {
                solve(self.variant, self.metric, memory, progress)
            }),
        }
    }

    fn chance<B: BagBase>(
        &self,
        game: &BagGame<B>,
        progress: &dyn Progress,
    ) -> Result<Done, SolveError> {
        let done = chance::stream(game, self.wanted, self.checkpoint, self.memory, progress)?;
        Ok(Done {
            summary: done.summary,
            positions: game.indexable(),
            signature: done.signature,
            table: done.table,
            kernel: "boards",
            seconds: done.seconds,
        })
    }

    fn check_metric(&self) -> Result<(), SolveError> {
        let rules = self.variant.rules();
        if !rules.metrics.contains(&self.metric) {
            return Err(SolveError::Metric {
                variant: rules.name.clone(),
                metric: self.metric,
                allowed: rules.metrics.clone(),
            });
        }
        Ok(())
    }

    // The sweep, where it treats the rules.
    fn plan(&self) -> Result<Option<Plan<'_>>, SolveError> {
        self.check_metric()?;
        let options = Options {
            kernel: self.kernel,
            leaves: self.wanted != Wanted::Counts,
            ..Options::default()
        };
        Ok(match self.variant {
            Variant::Board(game) => Plan::new(game, self.metric, options),
            _ => None,
        })
    }

    fn sweep(&self, plan: &Plan<'_>, progress: &dyn Progress) -> Result<Done, SolveError> {
        let start = Instant::now();
        let solution = sweep::solve_resumably(plan, self.checkpoint, progress)?;
        let seconds = start.elapsed().as_secs_f64();
        let (game, metric) = (plan.game(), self.metric);
        let leaves = solution.leaves.unwrap_or_default();
        let (signature, table) = match self.wanted {
            Wanted::Counts => (None, None),
            Wanted::Signature => (Some(leaves_signature(game, metric, &leaves)?), None),
            Wanted::Table(path) => {
                let summary = &solution.summary;
                let report = write_leaves(game, metric, &leaves, summary, path, progress)?;
                if let Some(checkpoint) = self.checkpoint {
                    sweep::discard_checkpoint(checkpoint);
                }
                (Some(report.signature), Some(report))
            }
        };
        Ok(Done {
            summary: solution.summary,
            positions: game.indexable(),
            signature,
            table,
            kernel: self.kernel.name(),
            seconds,
        })
    }

    fn in_memory(
        &self,
        progress: &dyn Progress,
        solve: impl FnOnce(u64) -> Result<DenseValues, SolveError>,
    ) -> Result<Done, SolveError> {
        let start = Instant::now();
        let values = solve(self.memory)?;
        let seconds = start.elapsed().as_secs_f64();
        with_game!(self.variant, game => {
            let summary = summarise(game, &values);
            let (signature, table) = match self.wanted {
                Wanted::Counts => (None, None),
                Wanted::Signature => (Some(signature(game, &values)?), None),
                Wanted::Table(path) => {
                    let report = write_table(game, &values, &summary, path, progress)?;
                    (Some(report.signature), Some(report))
                }
            };
            let positions = positions(game, &values);
            Ok(Done { summary, positions, signature, table, kernel: "plain", seconds })
        })
    }
}
