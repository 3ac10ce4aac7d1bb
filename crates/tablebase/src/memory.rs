//! The memory that may be used: one limit, of which everything that allocates in earnest reserves its part.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use greenwave_solver::{Cost, ScratchUse, bytes};
use greenwave_table::{FrameRoom, Table};

use crate::Error;
use crate::sources::NO_MACHINE;

/// A limit in bytes, and how much of it is reserved.
#[derive(Debug)]
pub(crate) struct Memory {
    limit: AtomicU64,
    // Bytes that were taken away from the limit.
    aside: AtomicU64,
    reserved: AtomicU64,
}

/// Bytes that are in use; given back when it is dropped.
#[derive(Debug)]
#[must_use]
pub struct Reservation {
    memory: Arc<Memory>,
    bytes: u64,
}

/// The purpose of a memory request.
#[derive(Clone, Debug)]
pub(crate) struct Purpose {
    /// What needs it: `solving classic-5x5 in memory`.
    pub(crate) what: String,
    /// Another way out than more memory: empty, or the end of a sentence.
    pub(crate) way_out: String,
}

impl Purpose {
    /// A solve to a table or for its counts.
    pub(crate) fn solving(cost: &Cost) -> Purpose {
        Purpose {
            what: format!("solving {} for {}", cost.variant, cost.metric),
            way_out: match cost.scratch {
                ScratchUse::None | ScratchUse::Taken(_) => ", or take a smaller board".into(),
                ScratchUse::Missing(waves) => format!(
                    ", put its waves on disk with --scratch FOLDER (up to {}), spread them over \
                     machines with greenwave-cluster, or take a smaller board",
                    bytes(waves)
                ),
            },
        }
    }

    /// A solve to a table, which takes less without one.
    pub(crate) fn solving_to_table(cost: &Cost, without: &Cost) -> Purpose {
        let disk = match without.scratch {
            ScratchUse::None => String::new(),
            ScratchUse::Taken(waves) => format!(" and {} of disk", bytes(waves)),
            ScratchUse::Missing(waves) => {
                format!(", or {} of disk with --scratch FOLDER", bytes(waves))
            }
        };
        let memory = bytes(without.memory_bytes);
        Purpose {
            way_out: format!(
                ", leave out the table with --no-table ({memory} of memory{disk}), or take a smaller board"
            ),
            ..Purpose::solving(cost)
        }
    }

    /// All values of a table in memory.
    pub(crate) fn reading(table: &Table) -> Purpose {
        Purpose {
            what: format!("reading all of '{}' into memory", table.path().display()),
            way_out: match table.wave_of(0) {
                Some(_) => format!(
                    ", or ask about single positions with 'greenwave query {0} POSITION' and about \
                     some drawn at random with 'greenwave find {0} EXPRESSION --sample 10'",
                    table.meta().variant
                ),
                None => String::new(),
            },
        }
    }

    /// The check of a table.
    pub(crate) fn verifying(table: &Table) -> Purpose {
        Purpose {
            what: format!("verifying '{}'", table.path().display()),
            way_out: String::new(),
        }
    }
}

impl Memory {
    pub(crate) fn new(limit: u64) -> Arc<Memory> {
        Arc::new(Memory {
            limit: limit.into(),
            aside: AtomicU64::new(0),
            reserved: AtomicU64::new(0),
        })
    }

    pub(crate) fn limit(&self) -> u64 {
        self.limit.load(Ordering::Relaxed)
    }

    /// Takes bytes away from the limit, as far as it goes.
    pub(crate) fn lessen(&self, bytes: u64) {
        let less = |limit: u64| Some(limit.saturating_sub(bytes));
        let before = self
            .limit
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, less);
        let (Ok(before) | Err(before)) = before;
        self.aside.fetch_add(before.min(bytes), Ordering::Relaxed);
    }

    /// The remark for users whose limit was reduced.
    fn told_aside(&self) -> String {
        match self.aside.load(Ordering::Relaxed) {
            0 => String::new(),
            aside => format!(
                ", of which {} are set aside here for connections and threads",
                bytes(aside.into())
            ),
        }
    }

    /// Bytes that are not reserved.
    pub(crate) fn free(&self) -> u64 {
        self.limit()
            .saturating_sub(self.reserved.load(Ordering::Relaxed))
    }

    /// Whether this much would fit if nothing else were in use.
    pub(crate) fn allows(&self, bytes: u128) -> bool {
        bytes <= u128::from(self.limit())
    }

    /// Reserves bytes if this many are free.
    pub(crate) fn try_reserve(self: &Arc<Memory>, bytes: u128) -> Option<Reservation> {
        let bytes = u64::try_from(bytes).ok()?;
        self.take(bytes).then(|| Reservation {
            memory: Arc::clone(self),
            bytes,
        })
    }

    /// Takes bytes out of those that are free; whether this many were.
    fn take(&self, bytes: u64) -> bool {
        let add = |reserved: u64| {
            let sum = reserved.checked_add(bytes)?;
            (sum <= self.limit()).then_some(sum)
        };
        self.reserved
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, add)
            .is_ok()
    }

    /// The error of this much not being there: allowed at all, or free just now.
    pub(crate) fn short(&self, bytes: u128, purpose: &Purpose) -> Error {
        if self.allows(bytes) {
            return Error::Busy {
                what: purpose.what.clone(),
                needed: bytes,
                used: self.reserved.load(Ordering::Relaxed).into(),
                allowed: self.limit(),
            };
        }
        // If no machine has this much memory, the part set aside makes no difference.
        let aside = if bytes <= NO_MACHINE {
            self.told_aside()
        } else {
            String::new()
        };
        Error::Memory {
            what: purpose.what.clone(),
            needed: bytes,
            allowed: self.limit(),
            way_out: aside + &purpose.way_out,
        }
    }
}

/// Memory for decoded frames.
#[derive(Debug)]
pub(crate) struct OfFrames(pub(crate) Arc<Memory>);

impl FrameRoom for OfFrames {
    fn claim(&self, bytes: usize) -> bool {
        self.0.take(bytes as u64)
    }

    fn give_back(&self, bytes: usize) {
        self.0.reserved.fetch_sub(bytes as u64, Ordering::Relaxed);
    }
}

impl Reservation {
    /// Gives back what is not needed beyond this many bytes.
    pub(crate) fn shrink(&mut self, bytes: u128) {
        let kept = u64::try_from(bytes).unwrap_or(u64::MAX).min(self.bytes);
        self.memory
            .reserved
            .fetch_sub(self.bytes - kept, Ordering::Relaxed);
        self.bytes = kept;
    }
}

impl Drop for Reservation {
    fn drop(&mut self) {
        self.memory
            .reserved
            .fetch_sub(self.bytes, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reserved_bytes_are_bounded_and_given_back() {
        let memory = Memory::new(100);
        let first = memory.try_reserve(60).unwrap();
        assert!(memory.try_reserve(41).is_none());
        let mut second = memory.try_reserve(40).unwrap();
        assert!(memory.try_reserve(1).is_none());
        second.shrink(10);
        assert!(memory.try_reserve(30).is_some());
        drop(first);
        assert!(memory.try_reserve(90).is_some());
        assert!(memory.try_reserve(u128::MAX).is_none());
        let purpose = Purpose {
            what: "solving a game".into(),
            way_out: ", or take a smaller one".into(),
        };
        assert_eq!(
            memory.short(101, &purpose).to_string(),
            "solving a game needs 101 bytes of memory, but may use 100 bytes; give more with --memory, or \
             take a smaller one"
        );
        assert!(
            memory
                .short(100, &purpose)
                .to_string()
                .contains("10 bytes are in use")
        );
        memory.lessen(25);
        assert_eq!(
            memory.short(101, &purpose).to_string(),
            "solving a game needs 101 bytes of memory, but may use 75 bytes; give more with --memory, of \
             which 25 bytes are set aside here for connections and threads, or take a smaller one"
        );
    }
}
