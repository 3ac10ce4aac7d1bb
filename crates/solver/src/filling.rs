//! Engines that fill the memory with all values, whatever is wanted of them, and the games that they
//! solve.

use greenwave_game::{Advance, Dense, Luck, Metric, Numbering, Turn, engines};
use greenwave_values::{Instant, Progress, Values, signature, summarise, write_table};

use crate::engine::Engine;
use crate::task::ended;
use crate::{Cost, PreparedSolve, Product, SolveError, Task, TaskResult, loopy, plain, retrograde};
use greenwave_sweep::checkpoint::{self, Checkpoint};

/// An engine that fills the memory.
pub(crate) trait MemoryEngine<G: Dense> {
    /// What all values in a metric take, with the bytes of their table and of checkpoints.
    fn cost(game: &G, metric: Metric) -> Result<Cost, SolveError>;

    /// All values, going on from a checkpoint and leaving one where there is something to keep.
    fn values(
        game: &G,
        metric: Metric,
        memory: u64,
        checkpoint: Option<&mut Checkpoint>,
        progress: &dyn Progress,
    ) -> Result<Values, SolveError>;
}

impl<G: Dense> MemoryEngine<G> for engines::Backward {
    fn cost(game: &G, metric: Metric) -> Result<Cost, SolveError> {
        if has_metric(game, metric) {
            Ok(plain::cost(game, metric))
        } else {
            Err(no_engine(game))
        }
    }

    fn values(
        game: &G,
        metric: Metric,
        _: u64,
        checkpoint: Option<&mut Checkpoint>,
        progress: &dyn Progress,
    ) -> Result<Values, SolveError> {
        Ok(plain::solve_resumably(game, metric, checkpoint, progress)?.into())
    }
}

impl<G: Dense> MemoryEngine<G> for engines::Loopy {
    fn cost(game: &G, metric: Metric) -> Result<Cost, SolveError> {
        Ok(loopy::cost(game, metric))
    }

    fn values(
        game: &G,
        metric: Metric,
        _: u64,
        checkpoint: Option<&mut Checkpoint>,
        progress: &dyn Progress,
    ) -> Result<Values, SolveError> {
        let solution = loopy::solve_resumably(game, metric, checkpoint, progress)?;
        Ok(solution.values.into())
    }
}

impl<G: Dense> MemoryEngine<G> for engines::Retrograde {
    fn cost(game: &G, metric: Metric) -> Result<Cost, SolveError> {
        Ok(retrograde::cost(game, metric))
    }

    fn values(
        game: &G,
        metric: Metric,
        memory: u64,
        checkpoint: Option<&mut Checkpoint>,
        progress: &dyn Progress,
    ) -> Result<Values, SolveError> {
        Ok(retrograde::solve_resumably(game, metric, memory, checkpoint, progress)?.into())
    }
}

/// Whether positions have values of a metric: nimbers are for games in which the turn passes with every ply.
fn has_metric<G: Dense>(game: &G, metric: Metric) -> bool {
    metric != Metric::Nimber || game.rules().properties.turn == Turn::Alternates
}

fn no_engine<G: Dense>(game: &G) -> SolveError {
    SolveError::NoEngine {
        variant: game.rules().title().to_string(),
    }
}

/// What a game declares, as far as it picks an engine.
#[derive(Debug, PartialEq)]
enum EngineKind {
    Backward,
    Loopy,
    Retrograde,
}

fn treated<G: Dense>(game: &G, metric: Metric) -> Result<EngineKind, SolveError> {
    let rules = game.rules();
    let rises = rules.properties.advance == Advance::Rises;
    let settled = matches!(metric, Metric::Value | Metric::Distance | Metric::Points);
    match (rules.properties.luck, game.numbering()) {
        (Luck::None, Numbering::Dense)
            if rises && has_metric(game, metric) && game.block_len().is_some() =>
        {
            Ok(EngineKind::Backward)
        }
        (Luck::None, Numbering::Dense) if settled => Ok(EngineKind::Loopy),
        (Luck::None, Numbering::Listed) => Ok(EngineKind::Retrograde),
        _ => Err(no_engine(game)),
    }
}

impl<G: Dense> MemoryEngine<G> for engines::ByProperties {
    fn cost(game: &G, metric: Metric) -> Result<Cost, SolveError> {
        match treated(game, metric)? {
            EngineKind::Backward => <engines::Backward as MemoryEngine<G>>::cost(game, metric),
            EngineKind::Loopy => <engines::Loopy as MemoryEngine<G>>::cost(game, metric),
            EngineKind::Retrograde => <engines::Retrograde as MemoryEngine<G>>::cost(game, metric),
        }
    }

    fn values(
        game: &G,
        metric: Metric,
        memory: u64,
        checkpoint: Option<&mut Checkpoint>,
        progress: &dyn Progress,
    ) -> Result<Values, SolveError> {
        let values = match treated(game, metric)? {
            EngineKind::Backward => <engines::Backward as MemoryEngine<G>>::values,
            EngineKind::Loopy => <engines::Loopy as MemoryEngine<G>>::values,
            EngineKind::Retrograde => <engines::Retrograde as MemoryEngine<G>>::values,
        };
        values(game, metric, memory, checkpoint, progress)
    }
}

macro_rules! fills_memory {
    ($($engine:ident)+) => {$(
        impl<G: Dense> Engine<G> for engines::$engine {
            fn plan<'a>(game: &'a G, task: Task<'a>) -> Result<PreparedSolve<'a, TaskResult>, SolveError> {
                plan::<engines::$engine, G>(game, task)
            }

            fn plan_values(
                game: &G,
                metric: Metric,
                memory: u64,
            ) -> Result<PreparedSolve<'_, Values>, SolveError> {
                plan_values::<engines::$engine, G>(game, metric, memory)
            }
        }
    )+};
}

fills_memory! { Backward Loopy Retrograde ByProperties }

/// A task for an engine that fills the memory.
pub(crate) fn plan<'a, E: MemoryEngine<G>, G: Dense>(
    game: &'a G,
    task: Task<'a>,
) -> Result<PreparedSolve<'a, TaskResult>, SolveError> {
    let memory = task.memory;
    let cost = task.on_disk(E::cost(game, task.metric)?);
    let run = move |progress: &dyn Progress| done::<E, G>(game, &task, progress);
    Ok(PreparedSolve::new(cost, memory, run))
}

/// All values by an engine that fills the memory.
pub(crate) fn plan_values<E: MemoryEngine<G>, G: Dense>(
    game: &G,
    metric: Metric,
    memory: u64,
) -> Result<PreparedSolve<'_, Values>, SolveError> {
    let cost = E::cost(game, metric)?;
    let run = move |progress: &dyn Progress| E::values(game, metric, memory, None, progress);
    Ok(PreparedSolve::new(cost, memory, run))
}

/// Solves, and makes of the values what a task wants.
pub(crate) fn done<E: MemoryEngine<G>, G: Dense>(
    game: &G,
    task: &Task<'_>,
    progress: &dyn Progress,
) -> Result<TaskResult, SolveError> {
    let start = Instant::now();
    let owner = format!("values {} of rules {}", task.metric, game.rules().hash);
    let tabled = matches!(task.wanted, Product::Table(_));
    let open = |path| Checkpoint::open(path, owner, tabled, checkpoint::EVERY);
    let mut checkpoint = task.checkpoint.as_deref().map(open).transpose()?;
    let solved = E::values(
        game,
        task.metric,
        task.memory,
        checkpoint.as_mut(),
        progress,
    );
    let values = solved.map_err(|error| ended(&checkpoint, error))?;
    let seconds = start.elapsed().as_secs_f64();
    let summary = summarise(game, &values);
    let (signature, table) = match &task.wanted {
        Product::Counts => (None, None),
        Product::Signature => (Some(signature(game, &values)?), None),
        Product::Table(path) => {
            let report = write_table(game, &values, &summary, path, progress)
                .map_err(|error| ended(&checkpoint, error.into()))?;
            (Some(report.signature), Some(report))
        }
    };
    if let Some(checkpoint) = checkpoint {
        checkpoint.finish();
    }
    Ok(TaskResult {
        summary,
        positions: values.numbered().positions(game),
        signature,
        table,
        kernel: "plain",
        seconds,
    })
}

#[cfg(test)]
mod tests;
