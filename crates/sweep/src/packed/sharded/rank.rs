//! A rank at work: its plan, the others, and its threads.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use super::exchange::Exchange;
use super::shards::Shards;
use crate::packed::plan::PackedPlan;
use crate::packed::pool::locked;

/// A rank at work.
pub(super) struct RankRun<'a> {
    pub(super) plan: &'a PackedPlan<'a>,
    pub(super) exchange: &'a dyn Exchange,
    pub(super) shards: &'a Shards,
    pub(super) threads: &'a rayon::ThreadPool,
}

impl RankRun<'_> {
    /// Has the threads do something, and says how long it took.
    pub(super) fn work<T: Send>(&self, work: impl FnOnce() -> T + Send) -> (T, Duration) {
        let (done, time, ()) = self.work_beside(work, || ());
        (done, time)
    }

    /// Has the threads do something while this one does something else.
    pub(super) fn work_beside<T: Send, U>(
        &self,
        work: impl FnOnce() -> T + Send,
        meanwhile: impl FnOnce() -> U,
    ) -> (T, Duration, U) {
        let (since, timer) = (self.exchange.now(), self.exchange.timer());
        let done = Mutex::new(None);
        let other = self.threads.in_place_scope(|scope| {
            scope.spawn(|_| {
                let begun = timer();
                let result = work();
                *locked(&done) = Some((result, timer().saturating_sub(begun)));
            });
            meanwhile()
        });
        let done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
        let Some((done, time)) = done else {
            unreachable!("the scope ends after what was spawned in it");
        };
        self.exchange.worked(since, time);
        (done, time, other)
    }
}
