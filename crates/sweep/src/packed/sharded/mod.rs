//! The packed sweep on several ranks: threads, processes or machines, each with families of its own.
//!
//! ```
//! use greenwave_game::{BoardGame, Metric};
//! use greenwave_sweep::sharded::{ShardedTask, on_threads};
//! use greenwave_values::Silent;
//!
//! let game = BoardGame::named("classic-3x3")?;
//! let found = on_threads(3, |exchange| {
//!     ShardedTask::new(&game, Metric::Value).plan(exchange)?.run(exchange, &Silent)
//! })?;
//! assert!(found.iter().all(|rank| rank.summary == found[0].summary));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! All ranks make the same waves at the same time. Each lists its own families, settles them, and sends
//! each stream once to each rank that has parents in need of it; which these are follows from the far
//! code alone. That is done in batches: while families of one are settled, the streams for the next are on
//! their way, and those that were used are forgotten. Nothing else is exchanged but sums.

mod batches;
mod exchange;
mod forecast;
mod kept;
mod rank;
mod run;
mod shards;
#[cfg(not(target_family = "wasm"))]
mod simulated;
mod streams;
mod table;
mod task;
mod threads;

#[cfg(test)]
mod tests;

use std::sync::Mutex;

use greenwave_game::{BoardGame, Dense, Game, Metric};
use greenwave_table::Summary;
use greenwave_values::{Progress, TableReport, Unit, families_layout};

pub use crate::error::ExchangeError;
pub use exchange::Exchange;
pub use forecast::{Forecast, Park, WaveForecast};
#[cfg(not(target_family = "wasm"))]
pub use simulated::{RankSimulation, on_simulated};
pub use task::{RankWork, ShardedTask};
pub use threads::on_threads;

use super::codes::first::BlockStart;
use super::grain::Grain;
use super::plan::{COUNTING, PackedPlan, TABLE_WORK};
use super::scratch::PLACE_BITS;
use super::solve::summarise;
use super::table::has_families;
use super::tables::Tables;
use super::waves::PackedSweep;
use crate::SolveError;
use exchange::{broadcast, gather};
use forecast::Sizes;
use rank::RankRun;
use shards::Shards;

/// Whether ranks make the table of a board in a metric together: a table of families, of which one of each
/// symmetric orbit is stored. Those of smaller boards are written by one machine.
#[must_use]
pub fn make_table(game: &BoardGame, metric: Metric) -> bool {
    has_families(game, metric)
}

impl<'a> ShardedTask<'a> {
    /// Plans the work, the same way on all ranks.
    ///
    /// # Errors
    /// When no sweep treats the board, or a table of it is none of families, when ranks were given
    /// different tasks, and when one has too little memory.
    pub fn plan(self, exchange: &dyn Exchange) -> Result<ShardedPlan<'a>, SolveError> {
        let ranks = exchange.ranks();
        let not_shared = || SolveError::NotShared {
            variant: self.game.rules().title().to_string(),
        };
        let unweighed = PackedPlan::unweighed(self.game, self.metric, self.kernel);
        self.agree(exchange)?;
        let with_table = self.table.is_some();
        let shared = |_: &PackedPlan<'_>| match self.metric {
            Metric::Value | Metric::Distance => {
                !with_table || families_layout(self.game, self.metric).is_some()
            }
            Metric::Points | Metric::Nimber | Metric::Odds => false,
        };
        let mut plan = unweighed.filter(shared).ok_or_else(not_shared)?;
        plan.with_table = with_table;
        // As sent, and as received.
        let work = if with_table { 2 * TABLE_WORK } else { 0 };
        let own = [
            self.memory,
            u64::from(plan.loops.keeps(Grain::Byte)),
            self.threads as u64,
        ];
        let all = gather(exchange, &own)?;
        let least = |number: usize| all.iter().map(|own| own[number]).min().unwrap_or_default();
        let park = Park {
            ranks,
            threads: least(2) as usize,
            memory: least(0).saturating_sub(work as u64),
            disk: None,
            network: f64::INFINITY,
            delay: 0.0,
        };
        let grains = Grain::of_known_length(self.metric);
        // One rank looks at the families, for all.
        let mut numbers = Vec::new();
        if exchange.rank() == 0 {
            let memory = COUNTING.min(self.memory.into());
            let sizes = self.pool(0)?.install(|| Sizes::of(&plan, ranks, memory));
            numbers = sizes.map(|sizes| sizes.numbers()).unwrap_or_default();
        }
        let numbers = broadcast(exchange, &numbers)?;
        let sizes = Sizes::read(&plan, &numbers).ok_or_else(not_shared)?;
        let forecasts = Forecast::of_grains(&plan, plan.loops.instructions(), &sizes, &park);
        let fits = |(grain, forecast): &&(Grain, Forecast)| {
            (*grain != Grain::Byte || least(1) == 1)
                && forecast.memory_bytes <= u128::from(park.memory)
        };
        let found = grains.iter().copied().zip(forecasts).collect::<Vec<_>>();
        let Some((grain, forecast)) = found.iter().find(fits).or(found.last()) else {
            return Err(not_shared());
        };
        if let Some(rank) = all
            .iter()
            .position(|own| u128::from(own[0]) < forecast.memory_bytes + work)
        {
            return Err(SolveError::Rank {
                rank,
                problem: format!(
                    "may use {} of memory, {} for {} on {ranks} ranks needs {} on each; give more with \
                     --memory, or start more ranks",
                    crate::bytes_down(all[rank][0].into()),
                    self.metric,
                    self.game.rules().title(),
                    crate::bytes_up(forecast.memory_bytes + work),
                ),
            });
        }
        plan.grain = *grain;
        plan.chunk_bits = forecast.chunk_bits;
        Ok(ShardedPlan {
            plan,
            forecast: forecast.clone(),
            task: self,
        })
    }

    // The threads of this rank.
    fn pool(&self, rank: usize) -> Result<rayon::ThreadPool, SolveError> {
        rayon::ThreadPoolBuilder::new()
            .num_threads(self.threads)
            .build()
            .map_err(|error| SolveError::Rank {
                rank,
                problem: format!("cannot start its threads ({error}); give fewer with --threads"),
            })
    }

    // Refuses to work with ranks that were told something else.
    fn agree(&self, exchange: &dyn Exchange) -> Result<(), SolveError> {
        let number = |text: &str| {
            let hash = greenwave_table::Hash32::of(text.as_bytes());
            u64::from_le_bytes(hash.0.as_chunks::<8>().0[0])
        };
        let own = [
            number(env!("CARGO_PKG_VERSION")),
            number(&self.game.rules().hash.to_string()),
            number(self.metric.name()),
            u64::from(self.scratch.is_some()),
            u64::from(self.table.is_some()),
        ];
        let problems = [
            "runs another version of the program than rank 0; install the same on all machines",
            "was given other rules than rank 0; give all ranks the same variant",
            "was given another metric than rank 0; give all ranks the same",
            "was not given --scratch as rank 0 was; give it to all ranks or to none",
            "was not given --no-table as rank 0 was; give it to all ranks or to none",
        ];
        let all = gather(exchange, &own)?;
        for (rank, other) in all.iter().enumerate() {
            for ((number, first), problem) in other.iter().zip(&all[0]).zip(problems) {
                if number != first {
                    return Err(SolveError::Rank {
                        rank,
                        problem: problem.into(),
                    });
                }
            }
        }
        Ok(())
    }
}

/// A task that is planned.
#[derive(Clone, Debug)]
#[must_use]
pub struct ShardedPlan<'a> {
    plan: PackedPlan<'a>,
    forecast: Forecast,
    task: ShardedTask<'a>,
}

/// What came of a task, the same on all ranks but for the time, the instructions and its own work.
#[derive(Clone, Debug)]
pub struct ShardedResult {
    /// Counts and openings.
    pub summary: Summary,
    /// Indexable positions.
    pub positions: u128,
    /// Seconds.
    pub seconds: f64,
    /// The instructions used.
    pub kernel: &'static str,
    /// What this rank did.
    pub work: RankWork,
    /// What each rank did.
    pub ranks: Vec<RankWork>,
    /// Bytes of the streams of all waves and ranks.
    pub stream_bytes: u64,
    /// The table, on the first rank.
    pub table: Option<TableReport>,
}

impl ShardedPlan<'_> {
    /// What it will take.
    #[must_use]
    pub fn forecast(&self) -> &Forecast {
        &self.forecast
    }

    /// Does the work. The progress is that of this rank.
    ///
    /// # Errors
    /// When another rank has ended, when it is interrupted, and when checkpoints cannot be written,
    /// read or resumed from.
    pub fn run(
        &self,
        exchange: &dyn Exchange,
        progress: &dyn Progress,
    ) -> Result<ShardedResult, SolveError> {
        if self.plan.layout.fold() == 1 {
            self.run_with::<1>(exchange, progress)
        } else {
            self.run_with::<4>(exchange, progress)
        }
    }

    fn run_with<const G: usize>(
        &self,
        exchange: &dyn Exchange,
        progress: &dyn Progress,
    ) -> Result<ShardedResult, SolveError> {
        let (start, plan) = (exchange.now(), &self.plan);
        let threads = self.task.pool(exchange.rank())?;
        let tables = Tables::<G>::new(&plan.patterns, plan.layout.clone(), plan.grain);
        let shards = Shards::new(&plan.layout, exchange.ranks());
        let mut sweep = PackedSweep {
            tables: &tables,
            loops: plan.loops,
            grain: plan.grain,
            first: BlockStart::new(plan, &tables),
            counts: Mutex::default(),
            tiers: None,
            chunk_bits: PLACE_BITS,
            chunk_bytes: 1 << plan.chunk_bits,
            progress,
        };
        let counted = plan.counted()?;
        progress.begin(
            &format!("sweeping {} for {}", plan.game.rules().title(), plan.metric),
            u64::try_from(counted.undecided / exchange.ranks() as u128).unwrap_or(u64::MAX),
            Unit::Positions,
        );
        let most = self.forecast.most_families();
        if exchange.rank() == 0 && exchange.ranks() as u128 > most {
            progress.warn(&format!(
                "the largest wave of {} has {most} families, so that some of {} ranks have nothing to do",
                plan.game.rules().title(),
                exchange.ranks()
            ));
        }
        let mut work = RankWork::default();
        let run = RankRun {
            plan,
            exchange,
            shards: &shards,
            threads: &threads,
        };
        let (state, table, kept) = run.waves(&mut sweep, &self.task, &mut work, progress)?;
        let summary = summarise(plan, &state, counted)?;
        let finished = table.map(|table| table.finish(plan, &summary));
        let table = finished.transpose()?.flatten();
        if let Some(kept) = kept {
            kept.finish();
        }
        Ok(ShardedResult {
            summary,
            table,
            positions: plan.game.indexable(),
            seconds: exchange.now().saturating_sub(start).as_secs_f64(),
            kernel: self.task.kernel.name(),
            work,
            ranks: work.of_all(exchange)?,
            stream_bytes: state.waves.iter().map(|wave| wave.bytes).sum(),
        })
    }
}
