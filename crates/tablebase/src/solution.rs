//! Values in memory, and what a tablebase keeps: open tables and solutions.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, TryLockError};
use std::time::Duration;

use greenwave_game::{Figures, Metric, Rules, Variant, with_game};
use greenwave_solver::SolveError;
use greenwave_table::{FrameCache, Table};
use greenwave_values::{OddsTable, Progress, SolvedOdds, Values, signature};

use crate::files::{self, Stamp};
use crate::found::SearchedAnswers;
use crate::memory::{Memory, OfFrames, Reservation};
use crate::recent::Recent;
use crate::{Error, Source, table_path};

/// All values of a variant in a metric, in memory, with what identifies them.
#[derive(Debug)]
pub struct Solution {
    /// The values.
    pub values: Values,
    /// Where they come from.
    pub source: Source,
    signature: OnceLock<String>,
    // Given back with the values.
    _reserved: Option<Reservation>,
}

impl Solution {
    pub(crate) fn new(
        values: impl Into<Values>,
        source: Source,
        reserved: Option<Reservation>,
    ) -> Solution {
        let known = source.signature.clone();
        Solution {
            values: values.into(),
            source,
            signature: known.map_or_else(OnceLock::new, OnceLock::from),
            _reserved: reserved,
        }
    }

    /// The signature of the values of a variant, computed at the first request; `None` for odds
    /// that come from no table.
    ///
    /// # Errors
    /// When the index is too large for a table.
    pub fn signature(&self, variant: &Variant) -> Result<Option<&str>, Error> {
        if let (None, Some(values)) = (self.signature.get(), self.codes()) {
            let found = with_game!(variant, game => signature(game, values)?);
            self.signature.get_or_init(|| found.to_string());
        }
        Ok(self.signature.get().map(String::as_str))
    }

    /// The values, in games without chance.
    pub(crate) fn codes(&self) -> Option<&Values> {
        self.odds().is_none().then_some(&self.values)
    }

    /// The odds, in games with chance.
    pub(crate) fn odds(&self) -> Option<&SolvedOdds> {
        self.values.as_odds()
    }
}

/// Bytes that all values of a variant in a metric take in memory.
pub(crate) fn values_bytes(variant: &Variant, metric: Metric) -> u128 {
    with_game!(variant, game => Values::bytes(game, metric))
}

/// Rules hash and metric.
pub(crate) type SolutionKey = ([u8; 32], Metric);

/// The key of a variant and metric.
pub(crate) fn key(rules: &Rules, metric: Metric) -> SolutionKey {
    (rules.hash.0, metric)
}

/// Positions whose swept figures are kept.
const KEPT: usize = 1 << 17;

/// Figures that sweeps have found, by the index of the position.
#[derive(Default)]
pub(crate) struct SweptFigures {
    known: Mutex<HashMap<SolutionKey, HashMap<u64, Figures>>>,
}

impl SweptFigures {
    /// What is kept of a position. Its index is needed only where a sweep of its game was done: games
    /// that no sweep treats may have none.
    pub(crate) fn figures(&self, key: SolutionKey, index: impl FnOnce() -> u64) -> Figures {
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let found = known.get(&key).and_then(|known| known.get(&index()));
        found.copied().unwrap_or_default()
    }

    /// Forgets all of them.
    pub(crate) fn clear(&self) {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.clear();
    }

    pub(crate) fn keep(&self, key: SolutionKey, found: Vec<(u64, Figures)>) {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if known.values().map(HashMap::len).sum::<usize>() > KEPT {
            known.clear();
        }
        known.entry(key).or_default().extend(found);
    }
}

/// Tables that are kept open at most.
const MOST_TABLES: usize = 64;
/// Bytes of decoded frames of all open tables that are kept at most.
const MOST_FRAMES: usize = 256 << 20;

/// What a tablebase keeps from one question to the next.
pub(crate) struct Cache {
    frames: FrameCache,
    tables: Mutex<Recent<PathBuf, OpenTable>>,
    solutions: Mutex<Recent<SolutionKey, Arc<Slot>>>,
    // Number of questions to each table.
    asked: Mutex<HashMap<SolutionKey, u64>>,
    swept: SweptFigures,
    searched: SearchedAnswers,
}

#[derive(Clone)]
struct OpenTable {
    stamp: Stamp,
    table: Arc<Table>,
    odds: Option<Arc<OddsTable>>,
}

/// A place for a solution, locked while it is made.
type Slot = Mutex<Option<Arc<Solution>>>;

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Cache {
    /// Nothing yet; decoded frames take their part of a memory.
    pub(crate) fn within(memory: &Arc<Memory>) -> Cache {
        Cache {
            frames: FrameCache::new(MOST_FRAMES, Box::new(OfFrames(Arc::clone(memory)))),
            tables: Mutex::default(),
            solutions: Mutex::default(),
            asked: Mutex::default(),
            swept: SweptFigures::default(),
            searched: SearchedAnswers::within(memory),
        }
    }

    /// What sweeps for single positions have found.
    pub(crate) fn swept(&self) -> &SweptFigures {
        &self.swept
    }

    /// What searches for single positions have found.
    pub(crate) fn searched(&self) -> &SearchedAnswers {
        &self.searched
    }

    /// The table of a variant and metric; `None` if there is none.
    pub(crate) fn table(
        &self,
        dir: &Path,
        rules: &Rules,
        metric: Metric,
    ) -> Result<Option<Arc<Table>>, Error> {
        let path = table_path(dir, rules, metric);
        Ok(self.open(&path, rules, metric)?.map(|open| open.table))
    }

    /// The table of odds of a variant, made ready by `ready`; `None` if there is none.
    pub(crate) fn odds_table(
        &self,
        dir: &Path,
        rules: &Rules,
        ready: impl FnOnce(Table) -> Result<OddsTable, Error>,
    ) -> Result<Option<Arc<OddsTable>>, Error> {
        let path = table_path(dir, rules, Metric::Odds);
        let Some(open) = self.open(&path, rules, Metric::Odds)? else {
            return Ok(None);
        };
        if let Some(odds) = open.odds {
            return Ok(Some(odds));
        }
        let table = files::open(&path, rules, Metric::Odds)?;
        let odds = Arc::new(ready(table.keeping_frames_in(&self.frames))?);
        let kept = OpenTable {
            odds: Some(Arc::clone(&odds)),
            ..open
        };
        locked(&self.tables).insert(path, kept);
        Ok(Some(odds))
    }

    fn open(
        &self,
        path: &PathBuf,
        rules: &Rules,
        metric: Metric,
    ) -> Result<Option<OpenTable>, Error> {
        let Some(stamp) = files::stamp(path)? else {
            return Ok(None);
        };
        // Two variants of different rules can have their tables at one place only by mistake.
        let fits = |open: &OpenTable| {
            open.stamp == stamp && open.table.meta().rules_hash.0 == rules.hash.0
        };
        if let Some(open) = locked(&self.tables).get(path).filter(|open| fits(open)) {
            return Ok(Some(open.clone()));
        }
        let opened = OpenTable {
            stamp,
            table: Arc::new(files::open(path, rules, metric)?.keeping_frames_in(&self.frames)),
            odds: None,
        };
        let mut tables = locked(&self.tables);
        tables.insert(path.clone(), opened.clone());
        while tables.len() > MOST_TABLES {
            tables.remove_oldest(|_| true);
        }
        Ok(Some(opened))
    }

    /// Adds `more` questions to the table of a key, and returns the sum.
    pub(crate) fn asked(&self, key: SolutionKey, more: u64) -> u64 {
        let mut asked = locked(&self.asked);
        let asked = asked.entry(key).or_default();
        *asked = asked.saturating_add(more);
        *asked
    }

    /// The solution of a key, if it is in memory.
    pub(crate) fn known(&self, key: &SolutionKey) -> Option<Arc<Solution>> {
        let slot = Arc::clone(locked(&self.solutions).get(key)?);
        slot.try_lock().ok()?.clone()
    }

    /// The solution of a key: the one in memory, else that which `make` makes. Of several that ask at
    /// the same time one makes it, and the others wait.
    pub(crate) fn solution(
        &self,
        key: SolutionKey,
        progress: &dyn Progress,
        make: impl FnOnce() -> Result<Solution, Error>,
    ) -> Result<Arc<Solution>, Error> {
        let slot = {
            let mut solutions = locked(&self.solutions);
            if solutions.get(&key).is_none() {
                solutions.insert(key, Arc::default());
            }
            match solutions.get(&key) {
                Some(slot) => Arc::clone(slot),
                None => Arc::default(),
            }
        };
        // The thread that makes it may wait for the very thread of the pool that asks. Such a
        // thread does not wait, but makes its own.
        if rayon::current_thread_index().is_some() && slot.try_lock().is_err() {
            return make().map(Arc::new);
        }
        let mut solution = waited_for(&slot, progress)?;
        if let Some(known) = &*solution {
            return Ok(Arc::clone(known));
        }
        let made = Arc::new(make()?);
        *solution = Some(Arc::clone(&made));
        Ok(made)
    }

    /// Lets decoded frames go, else the solution that has not been used for longest and is not in use, else such an
    /// answer of a search; whether there was anything.
    pub(crate) fn let_go(&self) -> bool {
        if self.frames.let_go() {
            return true;
        }
        let idle = |slot: &Arc<Slot>| match slot.try_lock() {
            Ok(slot) => slot
                .as_ref()
                .is_some_and(|known| Arc::strong_count(known) == 1),
            Err(_) => false,
        };
        let solution = locked(&self.solutions).remove_oldest(idle);
        solution.is_some() || self.searched.let_go()
    }
}

/// Locks a slot as soon as whoever makes its solution is done.
fn waited_for<'s>(
    slot: &'s Slot,
    progress: &dyn Progress,
) -> Result<MutexGuard<'s, Option<Arc<Solution>>>, Error> {
    loop {
        match slot.try_lock() {
            Ok(guard) => return Ok(guard),
            Err(TryLockError::Poisoned(poisoned)) => return Ok(poisoned.into_inner()),
            Err(TryLockError::WouldBlock) if progress.cancelled() => {
                return Err(SolveError::Interrupted.into());
            }
            Err(TryLockError::WouldBlock) => std::thread::sleep(Duration::from_millis(5)),
        }
    }
}
