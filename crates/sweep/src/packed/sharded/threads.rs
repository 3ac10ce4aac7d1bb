//! Ranks as threads of one process.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

use super::exchange::Exchange;
use crate::SolveError;
use crate::error::ExchangeError;

#[derive(Default)]
struct ThreadMessages {
    // By sender and receiver.
    messages: BTreeMap<(usize, usize), VecDeque<Vec<u8>>>,
    sum: Vec<u64>,
    arrived: usize,
    // Sums that are complete, and the last of them.
    sums: u64,
    last: Vec<u64>,
    ended: bool,
}

#[derive(Default)]
struct MessageBoard {
    state: Mutex<ThreadMessages>,
    changed: Condvar,
}

impl MessageBoard {
    fn locked(&self) -> MutexGuard<'_, ThreadMessages> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    // Waits until something is there, or a rank has ended.
    fn wait<T>(
        &self,
        mut found: impl FnMut(&mut ThreadMessages) -> Option<T>,
    ) -> Result<T, ExchangeError> {
        let mut state = self.locked();
        loop {
            if let Some(found) = found(&mut state) {
                return Ok(found);
            }
            if state.ended {
                return Err(ExchangeError::Ended);
            }
            state = self
                .changed
                .wait(state)
                .unwrap_or_else(PoisonError::into_inner);
        }
    }
}

/// A rank that is a thread.
pub(super) struct Rank<'a> {
    shared: &'a MessageBoard,
    rank: usize,
    ranks: usize,
    done: bool,
}

impl Drop for Rank<'_> {
    // Also where a rank panics, so that the others stop waiting.
    fn drop(&mut self) {
        if !self.done {
            self.shared.locked().ended = true;
            self.shared.changed.notify_all();
        }
    }
}

impl Exchange for Rank<'_> {
    fn rank(&self) -> usize {
        self.rank
    }

    fn ranks(&self) -> usize {
        self.ranks
    }

    fn swap(
        &self,
        sends: &[(usize, &[u8])],
        receives: &mut [(usize, &mut [u8])],
    ) -> Result<(), ExchangeError> {
        for (to, bytes) in sends {
            let message = bytes.to_vec();
            let mut state = self.shared.locked();
            let queue = state.messages.entry((self.rank, *to)).or_default();
            queue.push_back(message);
            self.shared.changed.notify_all();
        }
        for (from, buffer) in receives {
            let way = (*from, self.rank);
            let message = self
                .shared
                .wait(|state| state.messages.get_mut(&way)?.pop_front())?;
            buffer.copy_from_slice(&message);
        }
        Ok(())
    }

    fn sum(&self, numbers: &mut [u64]) -> Result<(), ExchangeError> {
        let before = {
            let mut state = self.shared.locked();
            if state.arrived == 0 {
                state.sum = vec![0; numbers.len()];
            }
            for (sum, number) in state.sum.iter_mut().zip(&*numbers) {
                *sum = sum.wrapping_add(*number);
            }
            state.arrived += 1;
            let before = state.sums;
            if state.arrived == self.ranks {
                state.last = std::mem::take(&mut state.sum);
                state.arrived = 0;
                state.sums += 1;
                self.shared.changed.notify_all();
            }
            before
        };
        // The next sum is complete only after everyone has taken this one.
        self.shared
            .wait(|state| (state.sums > before).then(|| numbers.copy_from_slice(&state.last)))
    }
}

/// Does some work on ranks that are threads of this process, and gives what they found, by rank.
///
/// # Errors
/// The first one of a rank. The others end, too.
///
/// # Panics
/// When a rank does.
pub fn on_threads<T: Send>(
    ranks: usize,
    work: impl Fn(&dyn Exchange) -> Result<T, SolveError> + Sync,
) -> Result<Vec<T>, SolveError> {
    on_ranks(ranks, |rank| {
        let result = work(&rank);
        (rank, result)
    })
}

/// The same for work that gives its rank back.
pub(super) fn on_ranks<T: Send>(
    ranks: usize,
    work: impl for<'a> Fn(Rank<'a>) -> (Rank<'a>, Result<T, SolveError>) + Sync,
) -> Result<Vec<T>, SolveError> {
    let shared = MessageBoard::default();
    let results: Vec<thread::Result<Result<T, SolveError>>> = thread::scope(|scope| {
        let (shared, work) = (&shared, &work);
        let threads: Vec<_> = (0..ranks)
            .map(|rank| {
                scope.spawn(move || {
                    let (mut rank, result) = work(Rank {
                        shared,
                        rank,
                        ranks,
                        done: false,
                    });
                    rank.done = result.is_ok();
                    result
                })
            })
            .collect();
        threads
            .into_iter()
            .map(thread::ScopedJoinHandle::join)
            .collect()
    });
    let (mut found, mut errors) = (Vec::new(), Vec::new());
    for result in results {
        match result {
            Ok(Ok(result)) => found.push(result),
            Ok(Err(error)) => errors.push(error),
            Err(panic) => std::panic::resume_unwind(panic),
        }
    }
    // The error itself, rather than the rank that noticed it.
    let noticed = |error: &SolveError| matches!(error, SolveError::Exchange(_));
    errors.sort_by_key(noticed);
    match errors.into_iter().next() {
        Some(error) => Err(error),
        None => Ok(found),
    }
}
