//! The tablebase: a folder of tables, memory and threads.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use greenwave_game::{Message, Metric, Rules};
use greenwave_solver::Cost;
use greenwave_table::Table;
use greenwave_values::{Progress, Silent};

use crate::machine::machine_memory;
use crate::memory::{Memory, Purpose, Reservation, WayOut};
use crate::solution::Cache;
use crate::{Error, table_path};

/// Bytes that may be used where nothing is known about the machine.
const UNKNOWN_MACHINE: u64 = 8 << 30;

/// What a tablebase works with.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    /// Bytes of memory that may be used; half of the machine's if not given.
    pub memory: Option<u64>,
    /// Threads to use; all cores if not given.
    pub threads: Option<usize>,
}

/// A folder of tables, and what may be used to find values that they lack. Copies share their tables,
/// solutions, memory and threads.
#[derive(Clone)]
pub struct Tablebase {
    shared: Arc<TablebaseCore>,
    pool: Arc<rayon::ThreadPool>,
    progress: Arc<dyn Progress + Send + Sync>,
    commands: fn(&str) -> String,
    costs: fn(&Cost),
    scratch: Option<Arc<Path>>,
}

struct TablebaseCore {
    dir: PathBuf,
    memory: Arc<Memory>,
    cache: Cache,
}

impl std::fmt::Debug for Tablebase {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Tablebase")
            .field("dir", &self.shared.dir)
            .field("memory", &self.memory())
            .field("threads", &self.threads())
            .finish_non_exhaustive()
    }
}

impl Tablebase {
    /// The tables of a folder, which need not exist: a metric without a table is solved or
    /// searched. Uses half of the machine's memory and all its cores.
    ///
    /// # Errors
    /// When threads cannot be started.
    pub fn open(dir: impl AsRef<Path>) -> Result<Tablebase, Error> {
        Tablebase::with_settings(dir, &Settings::default())
    }

    /// The tables of a folder, with settings.
    ///
    /// # Errors
    /// When threads cannot be started.
    pub fn with_settings(dir: impl AsRef<Path>, settings: &Settings) -> Result<Tablebase, Error> {
        let cores = || std::thread::available_parallelism().map_or(1, Into::into);
        let threads = settings.threads.unwrap_or_else(cores);
        let pool = started(threads)?;
        let memory = settings
            .memory
            .unwrap_or_else(|| machine_memory().unwrap_or(UNKNOWN_MACHINE) / 2);
        let memory = Memory::new(memory);
        Ok(Tablebase {
            shared: Arc::new(TablebaseCore {
                dir: dir.as_ref().to_owned(),
                cache: Cache::within(&memory),
                memory,
            }),
            pool,
            progress: Arc::new(Silent),
            commands: str::to_string,
            costs: |_| (),
            scratch: None,
        })
    }

    /// The same tablebase for work that a listener hears of and can stop.
    #[must_use]
    pub fn watched_by(&self, progress: Arc<dyn Progress + Send + Sync>) -> Tablebase {
        Tablebase {
            progress,
            ..self.clone()
        }
    }

    /// The same tablebase, whose answers complete the commands that they name: with the folder and the
    /// files that a person typed.
    #[must_use]
    pub fn naming_commands(&self, commands: fn(&str) -> String) -> Tablebase {
        Tablebase {
            commands,
            ..self.clone()
        }
    }

    /// The same tablebase, which tells what a solve in memory takes, or a sweep that no budget ends, before it begins:
    /// nobody has asked for it by name.
    #[must_use]
    pub fn telling_costs(&self, costs: fn(&Cost)) -> Tablebase {
        Tablebase {
            costs,
            ..self.clone()
        }
    }

    /// Tells what work takes that begins now.
    pub(crate) fn tell_cost(&self, cost: &Cost) {
        (self.costs)(cost);
    }

    /// The same tablebase, whose sweeps of what positions can become put waves that outgrow the memory into a
    /// folder. One that is stopped leaves them there, and the same question goes on with them.
    #[must_use]
    pub fn with_scratch(&self, folder: &Path) -> Tablebase {
        Tablebase {
            scratch: Some(folder.into()),
            ..self.clone()
        }
    }

    /// The folder for waves that outgrow the memory.
    pub(crate) fn scratch(&self) -> Option<&Path> {
        self.scratch.as_deref()
    }

    /// A command as a person can give it.
    pub(crate) fn command(&self, command: &str) -> String {
        (self.commands)(command)
    }

    /// The same tablebase with threads of its own, for work for which others are not to wait.
    ///
    /// # Errors
    /// When threads cannot be started.
    pub fn with_threads(&self, threads: usize) -> Result<Tablebase, Error> {
        Ok(Tablebase {
            pool: started(threads)?,
            ..self.clone()
        })
    }

    /// The folder of its tables.
    #[must_use]
    pub fn dir(&self) -> &Path {
        &self.shared.dir
    }

    /// Bytes that may be used.
    #[must_use]
    pub fn memory(&self) -> u64 {
        self.shared.memory.limit()
    }

    /// Sets bytes aside for whoever answers many at once: this much less may be used from now on.
    pub fn set_aside(&self, bytes: u64) {
        self.shared.memory.lessen(bytes);
    }

    /// Divides the memory between this number of questions at once. A search, which would fill all that is
    /// free, takes its share.
    pub fn divide_memory(&self, questions: usize) {
        self.shared.memory.divide(questions);
    }

    /// Number of threads.
    #[must_use]
    pub fn threads(&self) -> usize {
        self.pool.current_num_threads()
    }

    /// Who hears of progress.
    #[must_use]
    pub fn progress(&self) -> &(dyn Progress + Send + Sync) {
        &*self.progress
    }

    /// Runs work on the threads of the tablebase; then its progress is over.
    pub fn on_threads<T: Send>(&self, work: impl FnOnce() -> T + Send) -> T {
        let (mut work, mut result) = (Some(work), None);
        self.install(&mut || result = work.take().map(|work| work()));
        self.progress.end();
        result.expect("what is installed runs")
    }

    /// The one place where work is handed to the threads, whatever it is.
    fn install(&self, work: &mut (dyn FnMut() + Send)) {
        self.pool.install(work);
    }

    /// Where the table of a variant and metric belongs.
    #[must_use]
    pub fn table_path(&self, rules: &Rules, metric: Metric) -> PathBuf {
        table_path(self.dir(), rules, metric)
    }

    /// Whether the folder holds a table of any variant; none where it cannot be read.
    #[must_use]
    pub fn has_tables(&self) -> bool {
        let names = |folder: &Path| {
            let entries = std::fs::read_dir(folder).into_iter().flatten();
            entries.flatten().map(|entry| entry.path())
        };
        names(self.dir())
            .flat_map(|variant| names(&variant).collect::<Vec<_>>())
            .any(|file| file.extension().is_some_and(|end| end == "gwt"))
    }

    /// The table of a variant and metric; `None` if there is none. It stays open, and is opened again
    /// when the file has changed.
    ///
    /// # Errors
    /// When it is damaged or of other rules.
    pub fn table(&self, rules: &Rules, metric: Metric) -> Result<Option<Arc<Table>>, Error> {
        self.shared.cache.table(self.dir(), rules, metric)
    }

    pub(crate) fn cache(&self) -> &Cache {
        &self.shared.cache
    }

    pub(crate) fn limit(&self) -> &Memory {
        &self.shared.memory
    }

    /// Reserves memory for something that is not the tablebase's own: `what` needs it, `way_out` is empty or
    /// ends the sentence that asks for more.
    ///
    /// # Errors
    /// When this much is not allowed, or not free just now.
    pub fn reserve(&self, bytes: u128, what: &str, way_out: &str) -> Result<Reservation, Error> {
        let purpose = Purpose {
            what: Message::from(what).into(),
            way_out: match way_out {
                "" => WayOut::None,
                other => WayOut::Other(other.into()),
            },
        };
        self.reserve_for(bytes, &purpose)
    }

    /// Reserves memory, for which solutions that nobody uses are let go.
    pub(crate) fn reserve_for(&self, bytes: u128, purpose: &Purpose) -> Result<Reservation, Error> {
        self.try_reserve(bytes)
            .ok_or_else(|| self.shared.memory.short(bytes, purpose))
    }

    /// The same; `None` where it is not there.
    pub(crate) fn try_reserve(&self, bytes: u128) -> Option<Reservation> {
        let memory = &self.shared.memory;
        if !memory.allows(bytes) {
            return None;
        }
        loop {
            if let Some(reserved) = memory.try_reserve(bytes) {
                return Some(reserved);
            }
            if !self.shared.cache.let_go() {
                return None;
            }
        }
    }

    /// Gives back the memory of solutions, of what was read of tables and of what was found of single positions, but of
    /// those in use. They are made again when somebody asks.
    pub fn give_back(&self) {
        self.shared.cache.swept().clear();
        while self.shared.cache.let_go() {}
    }

    /// Reserves for a search what is free of its share, at most this much; also returns how much that is.
    pub fn reserve_for_search(&self, most: u64) -> (Reservation, u64) {
        let mut bytes = most.min(self.shared.memory.of_a_search());
        loop {
            if let Some(reserved) = self.shared.memory.try_reserve(bytes.into()) {
                return (reserved, bytes);
            }
            bytes = bytes.min(self.shared.memory.free());
        }
    }
}

fn started(threads: usize) -> Result<Arc<rayon::ThreadPool>, Error> {
    let pool = rayon::ThreadPoolBuilder::new();
    // Where there is one thread, it is that of whoever asks.
    #[cfg(target_family = "wasm")]
    let pool = pool.use_current_thread();
    let pool = pool
        .num_threads(threads)
        // Whatever RUST_MIN_STACK says.
        .stack_size(8 << 20)
        .build();
    let pool = pool.map_err(|cause| Error::Io {
        what: format!("could not start {threads} threads; give fewer with --threads"),
        cause: std::io::Error::other(cause),
    })?;
    Ok(Arc::new(pool))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_solved_is_given_back() {
        let tablebase = Tablebase::open("no-such-folder").unwrap();
        let free = || tablebase.shared.memory.free();
        let before = free();
        tablebase.query("classic-3x3", "R../.../...").unwrap();
        assert!(free() < before);
        tablebase.give_back();
        assert_eq!(free(), before);
    }
}
