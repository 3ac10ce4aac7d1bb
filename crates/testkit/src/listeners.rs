//! Listeners that want work to stop.

use std::sync::atomic::{AtomicU64, Ordering};

use greenwave_values::{Progress, Unit};

/// Counts what is done, and wants the work to stop when this much is.
#[derive(Debug)]
pub struct StopCounter {
    done: AtomicU64,
    enough: u64,
}

impl StopCounter {
    /// Never wants it to stop.
    #[must_use]
    pub fn all() -> StopCounter {
        StopCounter::until(u64::MAX)
    }

    /// Wants it to stop when this much is done.
    #[must_use]
    pub fn until(enough: u64) -> StopCounter {
        StopCounter {
            done: AtomicU64::new(0),
            enough,
        }
    }

    /// How much is done.
    #[must_use]
    pub fn done(&self) -> u64 {
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
#[derive(Debug)]
pub struct Stops(AtomicU64);

impl Stops {
    /// At this question, counted from 0.
    #[must_use]
    pub fn after(questions: u64) -> Stops {
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
