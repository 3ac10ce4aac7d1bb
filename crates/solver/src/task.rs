//! A solve from the plan to the table.

use std::path::Path;
use std::time::Instant;

use greenwave_game::{BagBase, BagGame, Dense, Metric, Variant, with_game};
use greenwave_table::{Hash32, Summary};
use greenwave_values::{
    Progress, TableReport, Values, leaves_signature, signature, summarise, write_leaves,
    write_table,
};

use crate::chance;
use crate::checkpoint::{self, Checkpoint};
use crate::packed;
use crate::sweep::{self, Kernel, Options, Plan};
use crate::{Estimate, SolveError, estimate, solve_plainly, solve_resumably};

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
        let suits = |game: &&greenwave_game::BoardGame| {
            self.metric == Metric::Value
                && self.wanted == Wanted::Counts
                && game.indexable() >= PACKED
        };
        let board = self.variant.as_board().filter(suits);
        Ok(board.and_then(|game| packed::Plan::new(game, self.kernel, self.memory)))
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
        if tabled {
            estimate.table_bytes = estimate.table_bytes.saturating_add(around(&estimate));
        } else {
            estimate.table_bytes = 0;
        }
        // The files from which the table of a bag game is made are there in any case.
        let bag = matches!(self.variant, Variant::Bag(_) | Variant::BagStrip(_));
        if self.checkpoint.is_none() && !(bag && tabled) {
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
        if let Variant::Bag(game) = self.variant {
            return self.chance(game, progress);
        }
        if let Variant::BagStrip(game) = self.variant {
            return self.chance(game, progress);
        }
        match (plan, self.variant) {
            (Some(plan), Variant::Board(game)) => match self.sweep(&plan, progress) {
                Err(SolveError::Misfits { .. }) => self.in_memory(progress, |checkpoint| {
                    solve_plainly(game, self.metric, self.memory, checkpoint, progress)
                }),
                done => done,
            },
            _ => self.in_memory(progress, |checkpoint| {
                solve_resumably(self.variant, self.metric, self.memory, checkpoint, progress)
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
        let board = self.variant.as_board();
        Ok(board.and_then(|game| Plan::new(game, self.metric, options)))
    }

    fn sweep(&self, plan: &Plan<'_>, progress: &dyn Progress) -> Result<Done, SolveError> {
        let start = Instant::now();
        let (solution, checkpoint) =
            sweep::solve_keeping(plan, self.checkpoint, checkpoint::EVERY, progress)?;
        let seconds = start.elapsed().as_secs_f64();
        let (game, metric) = (plan.game(), self.metric);
        let leaves = solution.leaves.unwrap_or_default();
        let (signature, table) = match self.wanted {
            Wanted::Counts => (None, None),
            Wanted::Signature => (Some(leaves_signature(game, metric, &leaves)?), None),
            Wanted::Table(path) => {
                let summary = &solution.summary;
                let report = write_leaves(game, metric, &leaves, summary, path, progress)
                    .map_err(|error| ended(&checkpoint, error.into()))?;
                (Some(report.signature), Some(report))
            }
        };
        if let Some(checkpoint) = checkpoint {
            checkpoint.finish();
        }
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
        solve: impl FnOnce(Option<&mut Checkpoint>) -> Result<Values, SolveError>,
    ) -> Result<Done, SolveError> {
        let start = Instant::now();
        let rules = self.variant.rules();
        let owner = format!("values {} of rules {}", self.metric, rules.hash);
        let tabled = matches!(self.wanted, Wanted::Table(_));
        let open = |path| Checkpoint::open(path, owner, tabled, checkpoint::EVERY);
        let mut checkpoint = self.checkpoint.map(open).transpose()?;
        let values = match solve(checkpoint.as_mut()) {
            Ok(values) => values,
            Err(error) => return Err(ended(&checkpoint, error)),
        };
        let seconds = start.elapsed().as_secs_f64();
        with_game!(self.variant, game => {
            let summary = summarise(game, &values);
            let (signature, table) = match self.wanted {
                Wanted::Counts => (None, None),
                Wanted::Signature => (Some(signature(game, &values)?), None),
                Wanted::Table(path) => {
                    let report = write_table(game, &values, &summary, path, progress)
                        .map_err(|error| ended(&checkpoint, error.into()))?;
                    (Some(report.signature), Some(report))
                }
            };
            if let Some(checkpoint) = checkpoint.take() {
                checkpoint.finish();
            }
            let positions = values.numbered().positions(game);
            Ok(Done { summary, positions, signature, table, kernel: "plain", seconds })
        })
    }
}

// Bytes of a table around its values, at most: preamble, metadata with rules and openings, and for
// each leaf its count and an entry in the directory.
fn around(estimate: &Estimate) -> u128 {
    const METADATA: u128 = 32 << 10;
    const LEAF: u128 = 20;
    METADATA + LEAF * (estimate.positions >> greenwave_table::LEAF_BITS)
}

// The error of a task whose checkpoint may go on.
fn ended(checkpoint: &Option<Checkpoint>, error: SolveError) -> SolveError {
    match checkpoint {
        Some(checkpoint) => checkpoint.ended(error),
        None => error,
    }
}
