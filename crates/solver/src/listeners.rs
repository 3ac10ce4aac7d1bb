//! Listeners for the tests of all engines.

use std::sync::atomic::{AtomicU64, Ordering};

use greenwave_values::{Progress, Unit};

/// Counts what is done, and wants the work to stop when this much is.
pub(crate) struct StopCounter {
    done: AtomicU64,
    enough: u64,
}

impl StopCounter {
    pub(crate) fn all() -> StopCounter {
        StopCounter::until(u64::MAX)
    }

    pub(crate) fn until(enough: u64) -> StopCounter {
        StopCounter {
            done: AtomicU64::new(0),
            enough,
        }
    }

    pub(crate) fn done(&self) -> u64 {
        self.done.load(Ordering::Relaxed)
    }
}

impl Progress for StopCounter {
    fn begin(&self, _stage: &str, _total: u64, _unit: Unit) {}

    fn advance(&self, amount: u64) {
        self.done.fetch_add(amount, Ordering::Relaxed);
    }

    fn cancelled(&self) -> bool {
        self.done() >= self.enough
    }
}

/// Wants the work to stop at the n-th question whether it is to.
pub(crate) struct Stops(AtomicU64);

impl Stops {
    pub(crate) fn after(questions: u64) -> Stops {
        Stops(AtomicU64::new(questions))
    }
}

impl Progress for Stops {
    fn begin(&self, _stage: &str, _total: u64, _unit: Unit) {}

    fn advance(&self, _amount: u64) {}

    fn cancelled(&self) -> bool {
        let left = self.0.load(Ordering::Relaxed);
        self.0.store(left.saturating_sub(1), Ordering::Relaxed);
        left == 0
    }
}
