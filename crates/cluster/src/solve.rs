//! `solve`: a board on all ranks together.

use std::path::PathBuf;

use anyhow::{Result, bail};
use greenwave_game::Variant;
use greenwave_sweep::SolveError;
use greenwave_sweep::sharded::{
    self, Exchange, RankSimulation, RankWork, ShardedResult, ShardedTask,
};
use greenwave_sweep::{bytes, grouped};
use greenwave_tablebase::{
    Settings, SolveOptions, SolveReport, Tablebase, TidyFolders, expect_folder, machine_memory,
    peak_memory, read_variant, table_path, usual_dir,
};
use greenwave_values::{Progress, Silent};

use crate::args::SolveArgs;
use crate::ending::{Completion, print};
use crate::progress::LineProgress;

/// Memory of a rank where the machine does not tell how much it has.
const UNKNOWN: u64 = 4 << 30;

/// The task, the same on all ranks.
pub(crate) struct RankJob<'a> {
    args: &'a SolveArgs,
    variant: Variant,
    memory: u64,
    threads: usize,
    // Where the table belongs, on the first rank, if one is written.
    tablebase: Option<Tablebase>,
    // Where complete waves are kept, if they are.
    scratch: Option<PathBuf>,
    // The folders on the way there, on the first rank: what is empty at the end goes again.
    _folders: Option<TidyFolders>,
}

impl<'a> RankJob<'a> {
    /// Reads what was requested. This many ranks share the machine; the first of all writes the table.
    pub(crate) fn new(args: &'a SolveArgs, here: usize, first: bool) -> Result<RankJob<'a>> {
        if args.simulate.is_some() && !args.no_table {
            bail!("a simulated park writes no table; say so with --no-table");
        }
        if let Some(folder) = &args.scratch {
            expect_folder("--scratch", folder)?;
        }
        let variant = read_variant(&args.variant)?;
        if variant.fixed_board().is_none() {
            return Err(not_shared(&variant).into());
        }
        let memory = machine_memory().map_or(UNKNOWN, |bytes| bytes / 2);
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        let scratch = args
            .scratch
            .as_deref()
            .map(|folder| table_path(folder, variant.rules(), args.metric).with_extension("ranks"));
        let mut job = RankJob {
            args,
            variant,
            memory: args.memory.unwrap_or(memory / here as u64),
            threads: match args.simulate {
                Some(_) => 1,
                None => args.threads.map_or((threads / here).max(1), usize::from),
            },
            tablebase: None,
            _folders: scratch.as_deref().filter(|_| first).map(TidyFolders::of),
            scratch,
        };
        if first && !args.no_table {
            let settings = Settings {
                memory: Some(job.memory),
                threads: Some(job.threads),
            };
            let tablebase = Tablebase::with_settings(job.dir(), &settings)?;
            let planned = tablebase.plan(&job.variant, args.metric, &job.options())?;
            if job.makes_table() {
                planned.expect_room_for_table()?
            } else {
                planned.expect_room()?
            }
            job.tablebase = Some(tablebase);
        }
        Ok(job)
    }

    /// Whether the ranks make a table together.
    fn makes_table(&self) -> bool {
        let board = self.variant.fixed_board();
        let together = board.is_some_and(|board| sharded::make_table(board, self.args.metric));
        together && !self.args.no_table
    }

    fn dir(&self) -> PathBuf {
        self.args.dir.clone().unwrap_or_else(usual_dir)
    }

    fn table_path(&self) -> PathBuf {
        table_path(&self.dir(), self.variant.rules(), self.args.metric)
    }

    fn options(&self) -> SolveOptions {
        SolveOptions {
            table: !self.args.no_table,
            force: self.args.force,
            kernel: self.args.kernel,
            scratch: None,
            estimate: false,
        }
    }

    /// The result for a table that exists already and is not to be rebuilt.
    pub(crate) fn solved_already(&self) -> Result<Option<SolveReport>> {
        let Some(tablebase) = &self.tablebase else {
            return Ok(None);
        };
        Ok(tablebase.solved_already(&self.variant, self.args.metric, &self.options())?)
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
        let task = ShardedTask {
            kernel: args.kernel,
            memory: self.memory,
            threads: self.threads,
            scratch: self.scratch.clone(),
            table: self.makes_table().then(|| self.table_path()),
            ..ShardedTask::new(game, args.metric)
        };
        task.plan(exchange)
    }

    /// Where a rank tells of its progress.
    pub(crate) fn progress(&self, rank: usize) -> Box<dyn Progress> {
        if rank == 0 {
            Box::new(LineProgress::new(self.args.quiet))
        } else {
            Box::new(Silent)
        }
    }

    /// Prints what a table says that is there.
    pub(crate) fn print_header(&self, solved: &SolveReport) -> Result<()> {
        if self.args.json {
            return print(&serde_json::to_string(solved)?);
        }
        let mut text = start_of(solved);
        text.push_str("  already solved (solve again with --force)\n");
        text.push_str(&table_of(solved));
        print(&text)
    }

    /// Writes the table where one machine does that, and prints what the ranks found.
    pub(crate) fn finish(&self, found: &ShardedResult, ranks: usize) -> Result<()> {
        let mut document = self.document(found, ranks);
        if let Some(report) = &found.table {
            document.table_bytes = Some(report.bytes);
            document.signature = Some(report.signature.to_string());
            document.file = Some(self.table_path().display().to_string());
        } else if let Some(tablebase) = &self.tablebase {
            let solved = tablebase.solve(&self.variant, self.args.metric, &self.options())?;
            let figures =
                |solved: &SolveReport| (solved.start, solved.by_value, solved.openings.clone());
            if figures(&solved) != figures(&document) {
                bail!(
                    "{}: the ranks and the table of one machine contradict each other; 'greenwave verify' \
                     checks the table",
                    document.variant
                );
            }
            document.table_bytes = solved.table_bytes;
            document.signature = solved.signature;
            document.file = solved.file;
        }
        self.print(&document, found, ranks)
    }

    fn document(&self, found: &ShardedResult, ranks: usize) -> SolveReport {
        let mut document = SolveReport::of(
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
        document
    }

    fn print(&self, document: &SolveReport, found: &ShardedResult, ranks: usize) -> Result<()> {
        if self.args.json {
            return print(&serde_json::to_string(document)?);
        }
        let mut text = start_of(document);
        text.push_str(&format!(
            "  {} in {:.1} s by {ranks} ranks of {} threads, {} at most on rank 0\n",
            match self.args.simulate {
                Some(_) => "would be solved",
                None => "solved",
            },
            found.seconds,
            self.threads,
            bytes(document.peak_memory_bytes.unwrap_or_default().into()),
        ));
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
        text.push_str(&table_of(document));
        print(&text)
    }
}

// Who wins, and of how many positions that was found.
fn start_of(solved: &SolveReport) -> String {
    let start = &solved.start;
    let value = (start.value).map_or("unknown".into(), |value| value.to_string());
    let plies = (start.distance).map_or(String::new(), |plies| format!(" in {plies} plies"));
    format!(
        "{}: {value}{plies} for the player to move\n  {} of {} positions\n",
        solved.variant,
        solved.metric,
        grouped(solved.positions)
    )
}

// The table, if there is one.
fn table_of(solved: &SolveReport) -> String {
    match (&solved.file, solved.table_bytes, &solved.signature) {
        (Some(file), Some(size), Some(signature)) => format!(
            "  {file}: {}, signature {}\n",
            bytes(size.into()),
            &signature[..16]
        ),
        _ => String::new(),
    }
}

fn not_shared(variant: &Variant) -> SolveError {
    SolveError::NotShared {
        variant: variant.rules().name.clone(),
    }
}

/// Solves with ranks that are threads of this process.
pub(crate) fn on_threads(args: &SolveArgs) -> Result<Completion> {
    let ranks = args.ranks.map_or(1, usize::from);
    let job = RankJob::new(args, ranks, true)?;
    if let Some(solved) = job.solved_already()? {
        job.print_header(&solved)?;
        return Ok(Completion::Done);
    }
    let work = |exchange: &dyn Exchange| {
        let progress = job.progress(exchange.rank());
        job.plan(exchange)?.run(exchange, &*progress)
    };
    let found = match args.simulate {
        Some(network) => {
            if args.speeds.len() > ranks {
                bail!(
                    "--speeds: found {} of {ranks} ranks; give at most one for each",
                    args.speeds.len()
                );
            }
            let simulation = RankSimulation {
                delay: args.delay * 1e-6,
                network: network * 1e9,
                speeds: args.speeds.clone(),
            };
            sharded::on_simulated(ranks, &simulation, work)
        }
        None => sharded::on_threads(ranks, work),
    }?;
    if let Some(found) = found.first() {
        job.finish(found, ranks)?;
    }
    Ok(Completion::Done)
}
