//! What all commands share: where tables are, how much of the machine may be used, how to print.

use std::path::PathBuf;
use std::sync::Arc;

use anstream::ColorChoice;
use anyhow::{Result, bail};
use greenwave_game::{Colours, Variant};
use greenwave_tablebase::{Settings, Tablebase, machine_memory, read_variant};

use crate::args::{Color, ColourOrder, Global};
use crate::progress::Bars;

/// How a command ended, errors aside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// Done.
    Done,
    /// The honest answer is no.
    No,
    /// Some lines of a batch failed and were reported one by one.
    SomeFailed,
}

/// The settings of a run.
pub(crate) struct Session {
    pub(crate) json: bool,
    pub(crate) tablebase: Tablebase,
    pub(crate) dir: PathBuf,
    pub(crate) memory: u64,
    pub(crate) progress: Arc<Bars>,
    /// No remarks on stderr.
    pub(crate) quiet: bool,
    colours: Option<ColourOrder>,
}

impl Session {
    /// Settings from the options of the command line.
    pub(crate) fn new(global: &Global) -> Result<Session> {
        let choice = match global.color {
            Color::Auto => ColorChoice::Auto,
            Color::Always => ColorChoice::Always,
            Color::Never => ColorChoice::Never,
        };
        choice.write_global();
        let machine = machine_memory();
        let memory = match (global.memory, machine) {
            (Some(asked), Some(machine)) if asked > machine => bail!(
                "--memory: found {}, but the machine has {}; give at most that",
                crate::output::bytes(asked.into()),
                crate::output::bytes(machine.into())
            ),
            (Some(asked), _) => asked,
            (None, machine) => machine.unwrap_or(8 << 30) / 2,
        };
        let dir = match &global.dir {
            Some(dir) => dir.clone(),
            None => default_dir()?,
        };
        let settings = Settings {
            memory: Some(memory),
            threads: global.threads,
        };
        let progress = Arc::new(Bars::new(global.quiet));
        let tablebase = Tablebase::with_settings(&dir, &settings)?;
        Ok(Session {
            json: global.json,
            tablebase: tablebase.watched_by(Arc::clone(&progress) as _),
            dir,
            memory,
            progress,
            quiet: global.quiet,
            colours: global.colours,
        })
    }

    /// Runs work on the session's threads.
    pub(crate) fn on_threads<T: Send>(&self, work: impl FnOnce() -> T + Send) -> T {
        self.tablebase.on_threads(work)
    }

    /// Number of threads.
    pub(crate) fn threads(&self) -> usize {
        self.tablebase.threads()
    }

    /// Reads a variant's name or rule file, and with it the order of the lights.
    pub(crate) fn variant(&self, name: &str) -> Result<(Variant, Colours)> {
        let variant = read_variant(name)?;
        let usual = variant.rules().colours;
        Ok((variant, self.colours.map_or(usual, Colours::from)))
    }
}

fn default_dir() -> Result<PathBuf> {
    let here = PathBuf::from("solutions");
    if here.is_dir() {
        return Ok(here);
    }
    let from_env = |key: &str| {
        std::env::var_os(key)
            .filter(|value| !value.is_empty())
            .map(PathBuf::from)
    };
    let data = from_env("XDG_DATA_HOME")
        .or_else(|| from_env("LOCALAPPDATA"))
        .or_else(|| from_env("HOME").map(|home| home.join(".local").join("share")));
    match data {
        Some(data) => Ok(data.join("greenwave")),
        None => bail!("no folder for tables: name one with --dir or GREENWAVE_DIR"),
    }
}

/// Begins a new measurement of [`peak_memory`], where the system allows it.
pub(crate) fn reset_peak_memory() {
    // Linux: 5 resets the high-water mark of the process.
    let _ = std::fs::write("/proc/self/clear_refs", "5");
}

/// Most memory that the process has had so far, in bytes; `None` where the system does not tell.
pub(crate) fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes * 1024)
}
