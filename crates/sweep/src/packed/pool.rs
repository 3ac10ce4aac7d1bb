//! The buffers of threads, and the chunks that streams are written to.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};

use super::grain::Grain;
use super::work::FamilyBlocks;
use crate::SolveError;
use crate::sweep::store::Store;

/// What the last families tell of the next ones, as hints.
#[derive(Clone, Copy, Debug)]
pub(super) struct Near {
    /// Where a child was found last, by the far digit that was raised.
    pub(super) cursors: [usize; 32],
    /// Cache lines of a stream.
    pub(super) lines: usize,
}

/// Most cache lines of a stream that the code prefetches: a reader in order finds the others by
/// itself.
pub(super) const LINES: usize = 32;

impl Default for Near {
    fn default() -> Near {
        Near {
            cursors: [usize::MAX; 32],
            lines: 8,
        }
    }
}

pub(super) fn locked<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex
        .lock()
        .unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// What a thread works with.
pub(super) struct Worker<const G: usize> {
    pub(super) work: FamilyBlocks<G>,
    pub(super) near: Near,
    /// Where the next streams go.
    pub(super) chunk: Option<Chunk>,
}

/// A part of the streams of a wave.
pub(super) struct Chunk {
    pub(super) number: usize,
    pub(super) store: Store,
    pub(super) used: usize,
}

/// What threads work with, and the chunks of the wave at work.
pub(super) struct Pool<const G: usize> {
    workers: Mutex<Vec<Worker<G>>>,
    full: Mutex<Vec<(usize, Store)>>,
    numbers: AtomicUsize,
    supply: Mutex<ChunkSupply>,
    freed: Condvar,
}

struct ChunkSupply {
    free: Vec<Store>,
    /// Chunks that there may still be more.
    more: usize,
    /// Chunks that are there besides, for whoever is behind all others.
    beyond: usize,
    /// The first codes of the tasks at work.
    at_work: Vec<u64>,
}

/// A task at work, until it is dropped.
pub(super) struct AtWork<'p, const G: usize> {
    pool: &'p Pool<G>,
    first: u64,
}

impl<const G: usize> Drop for AtWork<'_, G> {
    fn drop(&mut self) {
        let mut supply = locked(&self.pool.supply);
        let place = supply.at_work.iter().position(|code| *code == self.first);
        if let Some(place) = place {
            supply.at_work.swap_remove(place);
        }
        self.pool.freed.notify_all();
    }
}

impl<const G: usize> Pool<G> {
    /// A pool of as many chunks as it takes.
    pub(super) fn new() -> Pool<G> {
        Pool::of(usize::MAX)
    }

    /// A pool of this many chunks, and of more only where the work could not go on without.
    pub(super) fn of(chunks: usize) -> Pool<G> {
        Pool {
            workers: Mutex::new(Vec::new()),
            full: Mutex::new(Vec::new()),
            numbers: AtomicUsize::new(0),
            supply: Mutex::new(ChunkSupply {
                free: Vec::new(),
                more: chunks,
                beyond: 0,
                at_work: Vec::new(),
            }),
            freed: Condvar::new(),
        }
    }

    /// What an idle thread worked with, or the like.
    pub(super) fn worker(&self, grain: Grain) -> Worker<G> {
        let idle = locked(&self.workers).pop();
        idle.unwrap_or_else(|| Worker {
            work: FamilyBlocks::new(grain),
            near: Near::default(),
            chunk: None,
        })
    }

    /// Takes back what a thread worked with.
    pub(super) fn put_back(&self, worker: Worker<G>) {
        locked(&self.workers).push(worker);
    }

    /// Says that a task is at work, by its first code.
    pub(super) fn begin(&self, first: u64) -> AtWork<'_, G> {
        locked(&self.supply).at_work.push(first);
        AtWork { pool: self, first }
    }

    /// An empty chunk of this many bytes for a task, by its first code, instead of one that is full. Where
    /// there are no more, a task waits for those before it; the first of all takes what it needs beyond,
    /// which stays for whoever is the first then.
    ///
    /// # Errors
    /// When the machine does not give the memory.
    pub(super) fn chunk(
        &self,
        full: Option<Chunk>,
        bytes: usize,
        first: u64,
    ) -> Result<Chunk, SolveError> {
        if let Some(full) = full {
            locked(&self.full).push((full.number, full.store));
        }
        let mut supply = locked(&self.supply);
        let free = loop {
            let hindmost = supply.at_work.iter().all(|other| *other >= first);
            if (hindmost || supply.free.len() > supply.beyond)
                && let Some(store) = supply.free.pop()
            {
                break Some(store);
            }
            if supply.more > 0 {
                supply.more -= 1;
                break None;
            }
            if hindmost {
                supply.beyond += 1;
                break None;
            }
            let waited = self.freed.wait(supply);
            supply = waited.unwrap_or_else(PoisonError::into_inner);
        };
        drop(supply);
        Ok(Chunk {
            number: self.numbers.fetch_add(1, Ordering::Relaxed),
            store: match free {
                Some(store) => store,
                None => Store::new(bytes)?,
            },
            used: 0,
        })
    }

    /// The chunks that were filled, by number.
    pub(super) fn take(&self) -> Vec<Store> {
        let mut chunks = std::mem::take(&mut *locked(&self.full));
        for worker in locked(&self.workers).iter_mut() {
            if let Some(chunk) = worker.chunk.take() {
                chunks.push((chunk.number, chunk.store));
            }
        }
        self.numbers.store(0, Ordering::Relaxed);
        chunks.sort_unstable_by_key(|(number, _)| *number);
        chunks.into_iter().map(|(_, store)| store).collect()
    }

    #[cfg(test)]
    pub(super) fn free_chunks(&self) -> usize {
        locked(&self.supply).free.len()
    }

    /// Takes chunks to be filled again.
    pub(super) fn give(&self, chunks: impl IntoIterator<Item = Store>) {
        locked(&self.supply).free.extend(chunks);
        self.freed.notify_all();
    }
}
