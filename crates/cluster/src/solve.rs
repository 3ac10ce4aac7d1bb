//! `solve`: a board on all ranks together.

use anyhow::{Result, bail};
use greenwave_game::Variant;
use greenwave_solver::SolveError;
use greenwave_solver::sharded::{self, Exchange, RankWork, Sharded, ShardedTask, Simulation};
use greenwave_solver::{bytes, grouped};
use greenwave_tablebase::{Solved, machine_memory, peak_memory, read_variant, table_path};
use greenwave_values::{Progress, Silent};

use crate::args::SolveArgs;
use crate::progress::Lines;
use crate::{Verdict, print};

/// Memory of a rank where the machine does not tell how much it has.
const UNKNOWN: u64 = 4 << 30;

/// What is to be done, the same on all ranks.
pub(crate) struct Job<'a> {
    args: &'a SolveArgs,
    variant: Variant,
    memory: u64,
    threads: usize,
}

impl<'a> Job<'a> {
    /// Reads what was asked for. So many ranks share the machine.
    pub(crate) fn new(args: &'a SolveArgs, here: usize) -> Result<Job<'a>> {
        if !args.no_table {
            bail!(
                "the sweep by several ranks finds counts and openings and writes no table; say so with \
                 --no-table, or write the table of a smaller board with 'greenwave solve'"
            );
        }
        let variant = read_variant(&args.variant)?;
        if variant.fixed_board().is_none() {
            return Err(not_shared(&variant).into());
        }
        let memory = machine_memory().map_or(UNKNOWN, |bytes| bytes / 2);
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        Ok(Job {
            args,
            variant,
            memory: args.memory.unwrap_or(memory / here as u64),
            threads: match args.simulate {
                Some(_) => 1,
                None => args.threads.map_or((threads / here).max(1), usize::from),
            },
        })
    }

    /// Plans the work: the same errors, if any, on all ranks.
    pub(crate) fn plan(
        &self,
        exchange: &dyn Exchange,
    ) -> Result<sharded::ShardedPlan<'_>, SolveError> {
        let Some(game) = self.variant.fixed_board() else {
            return Err(not_shared(&self.variant));
        };
        let args = self.args;
        let scratch = args.scratch.as_deref();
        let task = ShardedTask {
            kernel: args.kernel,
            memory: self.memory,
            threads: self.threads,
            scratch: scratch.map(|folder| {
                table_path(folder, self.variant.rules(), args.metric).with_extension("ranks")
            }),
            ..ShardedTask::new(game, args.metric)
        };
        task.plan(exchange)
    }

    /// Where a rank tells of its progress.
    pub(crate) fn progress(&self, rank: usize) -> Box<dyn Progress> {
        if rank == 0 && !self.args.quiet {
            Box::new(Lines::default())
        } else {
            Box::new(Silent)
        }
    }

    /// Prints what the ranks found.
    pub(crate) fn print(&self, found: &Sharded, ranks: usize) -> Result<()> {
        let mut document = Solved::of(
            &self.variant,
            self.args.metric,
            found.positions,
            &found.summary,
            self.threads * ranks,
        );
        document.seconds = Some(found.seconds);
        document.positions_per_second = Some(found.positions as f64 / found.seconds.max(1e-9));
        document.peak_memory_bytes = peak_memory();
        document.kernel = Some(found.kernel);
        if self.args.json {
            return print(&serde_json::to_string(&document)?);
        }
        let value = document
            .value
            .map_or("unknown".into(), |value| value.to_string());
        let plies = document
            .distance
            .map_or(String::new(), |plies| format!(" in {plies} plies"));
        let mut text = format!(
            "{}: {value}{plies} for the player to move\n  {} of {} positions\n  {} in {:.1} s by {ranks} \
             ranks of {} threads, {} at most on rank 0\n",
            document.variant,
            document.metric,
            grouped(document.positions),
            match self.args.simulate {
                Some(_) => "would be solved",
                None => "solved",
            },
            found.seconds,
            self.threads,
            bytes(document.peak_memory_bytes.unwrap_or_default().into()),
        );
        let share = |of: fn(&RankWork) -> u64| {
            let all: u64 = found.ranks.iter().map(of).sum();
            let most = found.ranks.iter().map(of).max().unwrap_or_default();
            (all, most as f64 * ranks as f64 / all.max(1) as f64)
        };
        let (streams, most) = share(|rank| rank.stream_bytes);
        let (sent, _) = share(|rank| rank.sent_bytes);
        let held = found.ranks.iter().map(|rank| rank.held_bytes).max();
        let working: f64 = found.ranks.iter().map(|rank| rank.settling).sum();
        text.push_str(&format!(
            "  streams of {}, at most {most:.3} of an even share; {} held at once; {} sent; at work for {:.1} % \
             of the time\n",
            bytes(streams.into()),
            bytes(held.unwrap_or_default().into()),
            bytes(sent.into()),
            100.0 * working / ranks as f64 / found.seconds.max(1e-9),
        ));
        if let Some(counts) = &document.by_value {
            text.push_str(&format!(
                "  win {}, loss {}, draw {}\n",
                grouped(counts.win),
                grouped(counts.loss),
                grouped(counts.draw)
            ));
        }
        print(&text)
    }
}

fn not_shared(variant: &Variant) -> SolveError {
    SolveError::NotShared {
        variant: variant.rules().name.clone(),
    }
}

/// Solves with ranks that are threads of this process.
pub(crate) fn on_threads(args: &SolveArgs) -> Result<Verdict> {
    let ranks = args.ranks.map_or(1, usize::from);
    let job = Job::new(args, ranks)?;
    let work = |exchange: &dyn Exchange| {
        let progress = job.progress(exchange.rank());
        job.plan(exchange)?.run(exchange, &*progress)
    };
    let found = match args.simulate {
        Some(network) => {
            let simulation = Simulation {
                delay: args.delay * 1e-6,
                network: network * 1e9,
                speeds: args.speeds.clone(),
            };
            sharded::on_simulated(ranks, &simulation, work)
        }
        None => sharded::on_threads(ranks, work),
    }?;
    if let Some(found) = found.first() {
        job.print(found, ranks)?;
    }
    Ok(Verdict::Done)
}
