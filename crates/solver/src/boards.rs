//! The engine of boards: the packed sweep where boards have many squares and nothing but counts is
//! wanted, else the sweep, else position by position.

use std::path::Path;

use greenwave_game::{BoardGame, Code, Dense, Figures, Metric, engines};
use greenwave_sweep::sweep::{self, Options, Plan};
use greenwave_sweep::{checkpoint, cone, packed};
use greenwave_values::{Instant, Progress, Values, leaves_signature, write_leaves};

use crate::engine::Engine;
use crate::filling::{self, MemoryEngine};
use crate::task::ended;
use crate::{Cost, PreparedSolve, Product, SolveError, Task, TaskResult, plain};

/// Indexable positions from which on the packed sweep is the better one: 15 squares.
const PACKED: u128 = 1 << 30;

/// Codes of all indices that no memory holds, in bytes.
const BEYOND: u128 = 1 << 38;

type Plainly = engines::Backward;

impl Engine<BoardGame> for engines::Sweep {
    fn plan<'a>(
        game: &'a BoardGame,
        task: Task<'a>,
    ) -> Result<PreparedSolve<'a, TaskResult>, SolveError> {
        let memory = task.memory;
        let with_table = matches!(task.wanted, Product::Table(_));
        let packed = match task.wanted {
            Product::Counts => game.indexable() >= PACKED,
            Product::Table(_) => packed::has_families(game, task.metric),
            Product::Signature => false,
        };
        let limits = packed::SweepLimits {
            memory,
            scratch: task.scratch.is_some(),
            with_table,
            quick: task.quick,
        };
        if packed
            && let Some(plan) = packed::PackedPlan::new(game, task.metric, task.kernel, limits)
        {
            let cost = plan.cost(task.checkpoint.is_some());
            let run = move |progress: &dyn Progress| packed_sweep(&plan, &task, progress);
            return Ok(PreparedSolve::new(cost, memory, run));
        }
        let options = Options {
            kernel: task.kernel,
            leaves: task.wanted != Product::Counts,
            memory,
            ..Options::default()
        };
        let Some(plan) = Plan::new(game, task.metric, options) else {
            return filling::plan::<Plainly, _>(game, task);
        };
        let cost = task.on_disk(Cost {
            memory_bytes: plan.memory_bytes(),
            table_bytes: plan.packed_bytes(),
            checkpoint_bytes: plan.checkpoint_bytes(),
            seconds: plan.seconds(),
            ..Cost::of(game, task.metric)
        });
        let run = move |progress: &dyn Progress| match swept(&plan, &task, progress) {
            Err(SolveError::Misfits { .. }) => {
                plain::cost(game, task.metric).fits(memory)?;
                filling::done::<Plainly, _>(game, &task, progress)
            }
            done => done,
        };
        Ok(PreparedSolve::new(cost, memory, run))
    }

    fn plan_values(
        game: &BoardGame,
        metric: Metric,
        memory: u64,
    ) -> Result<PreparedSolve<'_, Values>, SolveError> {
        let codes = plain::cost(game, metric);
        // Far beyond the memory, and planning would take longer than the answer is worth, and more of it
        // than is left to those who only want to know.
        if codes.table_bytes >= BEYOND || codes.table_bytes / 8 > memory.into() {
            return filling::plan_values::<Plainly, _>(game, metric, memory);
        }
        let options = Options {
            leaves: true,
            memory,
            ..Options::default()
        };
        let Some(plan) = Plan::new(game, metric, options) else {
            return filling::plan_values::<Plainly, _>(game, metric, memory);
        };
        let cost = Cost {
            memory_bytes: codes.table_bytes + plan.memory_bytes(),
            // Solved, and then spread over the whole index.
            seconds: plan.seconds() + codes.seconds / 20.0,
            ..codes.clone()
        };
        let run = move |progress: &dyn Progress| match sweep::solve_densely(&plan, progress) {
            Err(SolveError::Misfits { .. }) => {
                codes.fits(memory)?;
                <Plainly as MemoryEngine<_>>::values(game, metric, memory, None, progress)
            }
            values => Ok(values?.into()),
        };
        Ok(PreparedSolve::new(cost, memory, run))
    }

    fn plan_cone<'a>(
        game: &'a BoardGame,
        positions: &[Code],
        metric: Metric,
        memory: u64,
        scratch: Option<&Path>,
    ) -> Option<PreparedSolve<'a, Vec<Figures>>> {
        let way = cone::ConeOptions {
            memory,
            scratch: scratch.map(Path::to_owned),
            ..cone::ConeOptions::default()
        };
        cone::plan(game, positions, metric, way)
    }
}

fn packed_sweep(
    plan: &packed::PackedPlan<'_>,
    task: &Task<'_>,
    progress: &dyn Progress,
) -> Result<TaskResult, SolveError> {
    let start = Instant::now();
    let keep = packed::SweepFiles {
        checkpoint: task.checkpoint.as_deref(),
        scratch: task.scratch.as_deref(),
        every: checkpoint::EVERY,
        table: match &task.wanted {
            Product::Table(path) => Some(path),
            Product::Counts | Product::Signature => None,
        },
    };
    let solution = packed::solve(plan, keep, progress)?;
    Ok(TaskResult {
        summary: solution.summary,
        positions: plan.positions(),
        signature: solution.table.as_ref().map(|report| report.signature),
        table: solution.table,
        kernel: task.kernel.name(),
        seconds: start.elapsed().as_secs_f64(),
    })
}

fn swept(
    plan: &Plan<'_>,
    task: &Task<'_>,
    progress: &dyn Progress,
) -> Result<TaskResult, SolveError> {
    let start = Instant::now();
    let path = task.checkpoint.as_deref();
    let (solution, checkpoint) = sweep::solve_keeping(plan, path, checkpoint::EVERY, progress)?;
    let seconds = start.elapsed().as_secs_f64();
    let (game, metric) = (plan.game(), task.metric);
    let leaves = solution.leaves.unwrap_or_default();
    let (signature, table) = match &task.wanted {
        Product::Counts => (None, None),
        Product::Signature => (Some(leaves_signature(game, metric, &leaves)?), None),
        Product::Table(path) => {
            let summary = &solution.summary;
            let report = write_leaves(game, metric, &leaves, summary, path, progress)
                .map_err(|error| ended(&checkpoint, error.into()))?;
            (Some(report.signature), Some(report))
        }
    };
    if let Some(checkpoint) = checkpoint {
        checkpoint.finish();
    }
    Ok(TaskResult {
        summary: solution.summary,
        positions: game.indexable(),
        signature,
        table,
        kernel: task.kernel.name(),
        seconds,
    })
}
