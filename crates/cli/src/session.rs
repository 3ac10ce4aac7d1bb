//! What all commands share: where tables are, how much of the machine may be used, how to print.

use std::path::PathBuf;

use anstream::ColorChoice;
use anyhow::{Context, Result, bail};
use greenwave_game::{Colours, RuleFile, Variant};

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
    pub(crate) dir: PathBuf,
    pub(crate) memory: u64,
    pub(crate) progress: Bars,
    /// No remarks on stderr.
    pub(crate) quiet: bool,
    colours: Option<ColourOrder>,
    pool: rayon::ThreadPool,
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
        let threads = match global.threads {
            Some(threads) => threads,
            None => std::thread::available_parallelism().map_or(1, Into::into),
        };
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .with_context(|| {
                format!("could not start {threads} threads; give fewer with --threads")
            })?;
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
        Ok(Session {
            json: global.json,
            dir,
            memory,
            progress: Bars::new(global.quiet),
            quiet: global.quiet,
            colours: global.colours,
            pool,
        })
    }

    /// Runs work on the session's threads.
    pub(crate) fn on_threads<T: Send>(&self, work: impl FnOnce() -> T + Send) -> T {
        self.pool.install(work)
    }

    /// Number of threads.
    pub(crate) fn threads(&self) -> usize {
        self.pool.current_num_threads()
    }

    /// Reads a variant's name or rule file, and with it the order of the lights.
    pub(crate) fn variant(&self, name: &str) -> Result<(Variant, Colours)> {
        if is_rule_file(name) {
            return Ok((
                rule_file(name)?.variant,
                self.colours.unwrap_or(ColourOrder::Ryg).into(),
            ));
        }
        let variant = Variant::parse(name)?;
        let usual = variant.rules().colours;
        Ok((variant, self.colours.map_or(usual, Colours::from)))
    }
}

/// Whether the name of a variant is that of a rule file.
pub(crate) fn is_rule_file(name: &str) -> bool {
    name.ends_with(".toml") || name.contains(".toml:")
}

/// Reads a rule file.
pub(crate) fn rule_file(path: &str) -> Result<RuleFile> {
    if let Some((file, options)) = path.rsplit_once(".toml:") {
        bail!("'{file}.toml' takes no options, found '{options}'; write them into the rule file");
    }
    let text = std::fs::read_to_string(path).with_context(|| {
        format!(
            "cannot read rule file '{path}'; name a file that is there, or a variant that \
                 'greenwave variants' lists"
        )
    })?;
    let name = std::path::Path::new(path)
        .file_name()
        .and_then(|name| name.to_str())
        .unwrap_or(path);
    Ok(RuleFile::parse(name, &text)?)
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

/// Memory of the machine, or of the control group that confines the process, in bytes.
fn machine_memory() -> Option<u64> {
    let mut system = sysinfo::System::new();
    system.refresh_memory();
    let machine = Some(system.total_memory()).filter(|bytes| *bytes > 0);
    let group = system
        .cgroup_limits()
        .map(|limits| limits.total_memory)
        .filter(|bytes| *bytes > 0);
    match (machine, group) {
        (Some(machine), Some(group)) => Some(machine.min(group)),
        (machine, group) => machine.or(group),
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
