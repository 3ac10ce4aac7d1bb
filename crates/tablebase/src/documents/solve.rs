//! Values on disk.

use std::path::{Path, PathBuf};

use greenwave_game::{Metric, Variant};
use greenwave_solver::sweep::Kernel;
use greenwave_solver::{Cost, PreparedSolve, Product, ScratchUse, Task, TaskResult};
use greenwave_table::{Summary, Table};
use greenwave_values::Unit;
use serde::Serialize;

use super::{ByValue, MoveFigures, SCHEMA, StartFigures};
use crate::files::{
    DiskUse, TidyFolders, bytes_below, check_writable, discard_attempts, expect_room, free_bytes,
    table_path,
};
use crate::machine::{peak_memory, reset_peak_memory};
use crate::memory::Purpose;
use crate::{Error, Tablebase};

/// How a variant is solved.
#[derive(Clone, Debug)]
pub struct SolveOptions {
    /// Whether a table is written.
    pub table: bool,
    /// Whether it is solved again where a table is there.
    pub force: bool,
    /// Instructions for engines that have a choice.
    pub kernel: Kernel,
    /// A folder for the waves of a solve that outgrows the memory.
    pub scratch: Option<PathBuf>,
    /// Whether only the cost is wanted: within seconds, from a sample where a count takes longer.
    pub estimate: bool,
}

impl Default for SolveOptions {
    fn default() -> SolveOptions {
        SolveOptions {
            table: true,
            force: false,
            kernel: Kernel::best(),
            scratch: None,
            estimate: false,
        }
    }
}

/// What a solve will take.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct SolveCost {
    /// Version of the document.
    pub schema: u32,
    /// The variant.
    pub variant: String,
    /// The metric.
    pub metric: &'static str,
    /// Positions that the solution stands for.
    pub positions: u128,
    /// Peak memory.
    pub memory_bytes: u128,
    /// Table and checkpoints, at most.
    pub disk_bytes: u128,
    /// The table, at most.
    pub table_bytes: u128,
    /// Checkpoints, beside the table, at most.
    pub checkpoint_bytes: u128,
    /// Time, roughly.
    pub seconds: f64,
    /// Memory that may be used.
    pub memory_allowed_bytes: u64,
    /// Whether the solve fits it.
    pub fits: bool,
    /// Whether memory and disk come from a sample, where a count takes longer than an estimate may.
    pub sampled: bool,
}

/// What came of a solve.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schemas", schemars(rename = "Solved"))]
pub struct SolveReport {
    /// Version of the document.
    pub schema: u32,
    /// The variant.
    pub variant: String,
    /// The order of its lights, `ryg` or `gyr`; `None` where it has none.
    pub lights: Option<&'static str>,
    /// The metric.
    pub metric: &'static str,
    /// Positions that the solution stands for.
    pub positions: u128,
    /// Seconds of the solve alone; null where a table was there.
    pub seconds: Option<f64>,
    /// Positions a second.
    pub positions_per_second: Option<f64>,
    /// Most memory that the process had.
    pub peak_memory_bytes: Option<u64>,
    /// Length of the table.
    pub table_bytes: Option<u64>,
    /// Signature of the values.
    pub signature: Option<String>,
    /// The figures of the start.
    #[serde(flatten)]
    pub start: StartFigures,
    /// Legal, unfinished positions by value.
    pub by_value: Option<ByValue>,
    /// The moves of the start, best first.
    pub openings: Vec<MoveFigures>,
    /// The instructions used.
    pub kernel: Option<&'static str>,
    /// Threads.
    pub threads: usize,
    /// The table.
    pub file: Option<String>,
}

/// A planned solve: its cost is known, and it is possible.
#[derive(Debug)]
#[must_use]
pub struct PlannedSolve<'v> {
    tablebase: Tablebase,
    variant: &'v Variant,
    metric: Metric,
    options: SolveOptions,
    table: PathBuf,
    scratch: Option<PathBuf>,
    planned: PreparedSolve<'v, TaskResult>,
}

impl PlannedSolve<'_> {
    /// What it will take, as a document.
    #[must_use]
    pub fn cost(&self) -> SolveCost {
        let cost = self.planned.cost();
        SolveCost {
            schema: SCHEMA,
            metric: self.metric.name(),
            positions: cost.positions,
            memory_bytes: cost.memory_bytes,
            disk_bytes: cost.disk_bytes(),
            table_bytes: cost.table_bytes,
            checkpoint_bytes: cost.checkpoint_bytes,
            seconds: cost.seconds,
            memory_allowed_bytes: self.tablebase.memory(),
            fits: self.tablebase.limit().allows(cost.memory_bytes),
            sampled: cost.sampled,
            variant: self.variant.rules().title().to_string(),
        }
    }

    /// Whether it puts waves into the folder that was named for them.
    #[must_use]
    pub fn takes_scratch(&self) -> bool {
        matches!(self.planned.cost().scratch, ScratchUse::Taken(_))
    }

    /// Refuses the solve if it does not fit memory and disk, unless its table is there already.
    ///
    /// # Errors
    /// When it does not fit.
    pub fn expect_room(&self) -> Result<(), Error> {
        if !self.options.force && self.options.table && self.table.exists() {
            return Ok(());
        }
        let (cost, limit) = (self.planned.cost(), self.tablebase.limit());
        if !limit.allows(cost.memory_bytes) {
            return Err(limit.short(cost.memory_bytes, &self.purpose()?));
        }
        if let (Some(scratch), ScratchUse::Taken(needed)) = (&self.scratch, cost.scratch) {
            // An interrupted solve has some there already.
            let kept = bytes_below(scratch);
            expect_room(scratch, needed.saturating_sub(kept), &DiskUse::Waves)?;
        }
        self.expect_room_for_table()
    }

    // The advice for a solve that does not fit: leave out the table if that alone is too large.
    fn purpose(&self) -> Result<Purpose, Error> {
        let cost = self.planned.cost();
        if self.options.table {
            let options = SolveOptions {
                table: false,
                estimate: true,
                ..self.options.clone()
            };
            let planned = self.tablebase.plan(self.variant, self.metric, &options)?;
            let without = planned.planned.cost();
            if without.memory_bytes < cost.memory_bytes / 2 {
                let on_disk = self.on_disk(without, options)?;
                return Ok(Purpose::solving_to_table(cost, without, on_disk.as_ref()));
            }
        }
        if let Some(on_disk) = self.on_disk(cost, self.options.clone())? {
            let allowed = self.tablebase.memory();
            return Ok(Purpose::solving_or_on_disk(cost, &on_disk, allowed));
        }
        Ok(Purpose::solving(cost))
    }

    // The cost of a solve with its waves on disk, estimated, where that is of use and the disk has the room.
    fn on_disk(&self, cost: &Cost, options: SolveOptions) -> Result<Option<Cost>, Error> {
        let free = free_bytes(&self.table).unwrap_or(0);
        if !matches!(cost.scratch, ScratchUse::Missing(waves) if waves <= free.into()) {
            return Ok(None);
        }
        let options = SolveOptions {
            // Planned alone: nothing is written there.
            scratch: Some(self.tablebase.dir().to_owned()),
            estimate: true,
            ..options
        };
        let planned = self.tablebase.plan(self.variant, self.metric, &options)?;
        Ok(Some(planned.planned.cost().clone()))
    }

    /// Refuses the solve if the disk has no room for its table, if it writes one.
    ///
    /// # Errors
    /// When it does not fit.
    pub fn expect_room_for_table(&self) -> Result<(), Error> {
        if self.options.table {
            expect_room(
                &self.table,
                self.planned.cost().table_bytes,
                &DiskUse::Table,
            )
        } else {
            Ok(())
        }
    }

    /// Solves, and writes the table; a table that is there is reported from its header.
    ///
    /// # Errors
    /// When the solve does not fit the memory, the table cannot be written, or the work is cancelled.
    pub fn run(self) -> Result<SolveReport, Error> {
        let (tablebase, variant, metric) = (&self.tablebase, self.variant, self.metric);
        if let Some(solved) = tablebase.solved_already(variant, metric, &self.options)? {
            return Ok(solved);
        }
        // Another game of this name may have taken the folder since this was planned.
        if tablebase.table_path(variant.rules(), metric) != self.table {
            return tablebase.plan(variant, metric, &self.options)?.run();
        }
        // A folder made for a table that did not come about, or for a checkpoint that is not needed any
        // more, goes again; one with files stays.
        let _folders = TidyFolders::of(&self.table);
        let _scratch_folders = self.scratch.as_deref().map(TidyFolders::of);
        if self.options.table {
            check_writable(&self.table)?;
            discard_attempts(&self.table);
        }
        let cost = self.planned.cost();
        let _reserved = tablebase.reserve_for(cost.memory_bytes, &Purpose::solving(cost))?;
        reset_peak_memory();
        let done = tablebase.on_threads(|| self.planned.run(tablebase.progress()))?;
        let mut document = SolveReport::of(
            variant,
            metric,
            done.positions,
            &done.summary,
            tablebase.threads(),
        );
        document.seconds = Some(done.seconds);
        document.positions_per_second = Some(done.positions as f64 / done.seconds.max(1e-9));
        document.peak_memory_bytes = peak_memory();
        document.kernel = Some(done.kernel);
        if let Some(report) = done.table {
            document.table_bytes = Some(report.bytes);
            document.signature = Some(report.signature.to_string());
            document.file = Some(shown(&self.table));
        }
        Ok(document)
    }
}

impl Tablebase {
    // Where the checkpoint of the solve of a table belongs.
    fn checkpoint_path(table: &Path, options: &SolveOptions) -> PathBuf {
        table.with_extension(if options.table {
            "checkpoint"
        } else {
            "counts.checkpoint"
        })
    }

    /// Plans a solve.
    ///
    /// # Errors
    /// When the variant does not have the metric, and when no engine solves it.
    pub fn plan<'v>(
        &self,
        variant: &'v Variant,
        metric: Metric,
        options: &SolveOptions,
    ) -> Result<PlannedSolve<'v>, Error> {
        let table = self.table_path(variant.rules(), metric);
        let checkpoint = Self::checkpoint_path(&table, options);
        let scratch = options.scratch.as_deref();
        let waves = |folder| table_path(folder, variant.rules(), metric).with_extension("waves");
        let scratch = scratch.map(waves);
        let task = Task {
            variant,
            metric,
            kernel: options.kernel,
            memory: self.memory(),
            wanted: if options.table {
                Product::Table(table.clone())
            } else {
                Product::Counts
            },
            checkpoint: Some(checkpoint),
            scratch: scratch.clone(),
            quick: options.estimate,
        };
        // Boards whose waves are counted for it take some seconds, and nothing is lost when it is stopped.
        let stage = format!("planning {} for {metric}", variant.rules().title());
        self.progress()
            .begin_unstoppable(&stage, 0, Unit::Positions);
        let planned = self.on_threads(|| task.plan());
        self.progress().end();
        Ok(PlannedSolve {
            tablebase: self.clone(),
            variant,
            metric,
            options: options.clone(),
            scratch,
            table,
            planned: planned?,
        })
    }

    /// Solves a variant in a metric and writes its table; a table that is there is reported from its
    /// header.
    ///
    /// # Errors
    /// When the variant does not have the metric, and as [`PlannedSolve::run`].
    pub fn solve(
        &self,
        variant: &Variant,
        metric: Metric,
        options: &SolveOptions,
    ) -> Result<SolveReport, Error> {
        match self.solved_already(variant, metric, options)? {
            Some(solved) => Ok(solved),
            None => self.plan(variant, metric, options)?.run(),
        }
    }

    /// The result for a table that exists already and is not to be rebuilt.
    ///
    /// # Errors
    /// When the table is damaged or of other rules.
    pub fn solved_already(
        &self,
        variant: &Variant,
        metric: Metric,
        options: &SolveOptions,
    ) -> Result<Option<SolveReport>, Error> {
        if !options.table || options.force {
            return Ok(None);
        }
        let Some(table) = self.table(variant.rules(), metric)? else {
            return Ok(None);
        };
        // What a kill left when the table was done, or of another solve of it.
        greenwave_table::discard_unfinished(table.path());
        discard_attempts(table.path());
        greenwave_solver::discard_checkpoint(&Self::checkpoint_path(table.path(), options));
        Ok(Some(self.of_header(variant, metric, &table)))
    }

    fn of_header(&self, variant: &Variant, metric: Metric, table: &Table) -> SolveReport {
        let meta = table.meta();
        let positions = meta.positions().into();
        SolveReport {
            table_bytes: Some(table.bytes()),
            signature: Some(meta.signature.to_string()),
            file: Some(shown(table.path())),
            ..SolveReport::of(variant, metric, positions, &meta.summary, self.threads())
        }
    }
}

impl SolveReport {
    /// All that the counts of a solution say, which was found on some threads.
    #[must_use]
    pub fn of(
        variant: &Variant,
        metric: Metric,
        positions: u128,
        summary: &Summary,
        threads: usize,
    ) -> SolveReport {
        SolveReport {
            schema: SCHEMA,
            variant: variant.rules().title().to_string(),
            lights: variant.rules().lights_name(),
            metric: metric.name(),
            positions,
            seconds: None,
            positions_per_second: None,
            peak_memory_bytes: None,
            table_bytes: None,
            signature: None,
            start: (&summary.start).into(),
            by_value: summary.by_value.as_ref().map(ByValue::from),
            openings: MoveFigures::openings(Some(variant.rules()), &summary.openings),
            kernel: None,
            threads,
            file: None,
        }
    }
}

fn shown(path: &Path) -> String {
    path.display().to_string()
}
