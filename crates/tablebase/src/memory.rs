//! The memory that may be used: one limit, of which everything that allocates in earnest reserves its part.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use greenwave_game::{Filling, Message, Metric};
use greenwave_solver::{Cost, ScratchUse, bytes, bytes_up};
use greenwave_table::{FrameRoom, Table};

use crate::machine::{NO_MACHINE, machine_memory};
use crate::{Error, messages};

/// A limit in bytes, and how much of it is reserved.
#[derive(Debug)]
pub(crate) struct Memory {
    limit: AtomicU64,
    // Bytes that were taken away from the limit.
    aside: AtomicU64,
    reserved: AtomicU64,
    // Searches between which it is divided.
    searches: AtomicU64,
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
    pub(crate) what: Filling,
    /// Another way out than more memory.
    pub(crate) way_out: WayOut,
}

/// A way out of too little memory, other than more of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WayOut {
    /// None.
    None,
    /// A solve to a table by this command.
    Table(String),
    /// A smaller board, or questions about single positions by this command.
    Positions(String),
    /// A smaller board.
    Smaller,
    /// Others, the end of a sentence in English that asks for more: `, or take a smaller one`.
    Other(String),
}

impl WayOut {
    /// More memory, of which bytes are set aside, or this.
    pub(crate) fn or_more(&self, aside: u64) -> Message {
        let aside: Filling = match aside {
            0 => "".into(),
            _ => messages::set_aside(bytes(aside.into())).into(),
        };
        match self {
            WayOut::None => messages::memory_more(aside),
            WayOut::Table(command) => messages::memory_table(aside, command),
            WayOut::Positions(command) => messages::memory_positions(aside, command),
            WayOut::Smaller => messages::memory_smaller(aside),
            WayOut::Other(other) => format!("{}{other}", messages::memory_more(aside)).into(),
        }
    }

    /// This alone, where the machine has not enough memory.
    pub(crate) fn alone(&self) -> Message {
        match self {
            WayOut::None => messages::no_memory(),
            WayOut::Table(command) => messages::no_memory_table(command),
            WayOut::Positions(command) => messages::no_memory_positions(command),
            WayOut::Smaller => messages::no_memory_smaller(),
            WayOut::Other(other) => {
                let other = other.trim_start_matches(", ").trim_start_matches("or ");
                format!("{}: {other}", messages::no_memory()).into()
            }
        }
    }
}

/// Solving metrics of a game, as a purpose names it.
pub(crate) fn solving(name: &str, metrics: &[Metric]) -> Message {
    let named = metrics.iter().map(|metric| match metric {
        Metric::Value => messages::metric_value(),
        Metric::Distance => messages::metric_distance(),
        Metric::Points => messages::metric_points(),
        Metric::Odds => messages::metric_odds(),
        Metric::Nimber => messages::metric_nimber(),
    });
    messages::solving(name, named.collect::<Vec<Message>>())
}

impl Purpose {
    /// A solve to a table or for its counts, which would cost something else with its waves on disk.
    pub(crate) fn solving_or_on_disk(cost: &Cost, on_disk: &Cost, allowed: u64) -> Purpose {
        let ScratchUse::Taken(waves) = on_disk.scratch else {
            // The work on waves on disk takes as much memory as the waves.
            return Purpose {
                way_out: WayOut::Smaller,
                ..Purpose::solving(cost)
            };
        };
        let memory = on_disk.memory_bytes.checked_next_multiple_of(1 << 20);
        let memory = memory.unwrap_or(u128::MAX);
        let way_out = if on_disk.memory_bytes <= u128::from(allowed) {
            on_disk_or_smaller(waves, "")
        } else if can_be_given(memory) {
            on_disk_or_smaller(
                waves,
                &format!(" and give at least --memory {}M", memory >> 20),
            )
        } else {
            ", spread its waves over machines with greenwave-cluster, or take a smaller board"
                .into()
        };
        Purpose {
            way_out: WayOut::Other(way_out),
            ..Purpose::solving(cost)
        }
    }

    /// A solve to a table or for its counts.
    pub(crate) fn solving(cost: &Cost) -> Purpose {
        Purpose {
            what: solving(&cost.variant, &[cost.metric]).into(),
            way_out: match cost.scratch {
                ScratchUse::None | ScratchUse::Taken(_) => WayOut::Smaller,
                ScratchUse::Missing(waves) => WayOut::Other(on_disk_or_smaller(waves, "")),
            },
        }
    }

    /// A solve to a table, which takes less without one.
    pub(crate) fn solving_to_table(cost: &Cost, without: &Cost, on_disk: Option<&Cost>) -> Purpose {
        let disk = match without.scratch {
            ScratchUse::Taken(waves) => format!(" and {} of disk", bytes_up(waves)),
            ScratchUse::None | ScratchUse::Missing(_) => String::new(),
        };
        let in_memory = can_be_given(without.memory_bytes)
            .then(|| format!("{} of memory{disk}", bytes_up(without.memory_bytes)));
        let on_disk = on_disk.filter(|on_disk| can_be_given(on_disk.memory_bytes));
        let on_disk = on_disk.and_then(|on_disk| match on_disk.scratch {
            ScratchUse::Taken(waves) => Some(format!(
                "{} and {} of disk with --scratch FOLDER",
                bytes_up(on_disk.memory_bytes),
                bytes_up(waves)
            )),
            ScratchUse::None | ScratchUse::Missing(_) => None,
        });
        let ways: Vec<String> = in_memory.into_iter().chain(on_disk).collect();
        Purpose {
            way_out: match ways.join(", or ") {
                ways if ways.is_empty() => WayOut::Smaller,
                ways => WayOut::Other(format!(
                    ", leave out the table with --no-table ({ways}), or take a smaller board"
                )),
            },
            ..Purpose::solving(cost)
        }
    }

    /// All values of a table in memory.
    pub(crate) fn reading(table: &Table) -> Purpose {
        Purpose {
            what: Message::from(format!(
                "reading all of '{}' into memory",
                table.path().display()
            ))
            .into(),
            way_out: match table.wave_of(0) {
                Some(_) => WayOut::Other(format!(
                    ", or ask about single positions, such as the start with 'greenwave query {0}', and \
                     about some drawn at random with 'greenwave find {0} \"value = win\" --sample 10'",
                    table.meta().variant
                )),
                None => WayOut::None,
            },
        }
    }

    /// The check of a table.
    pub(crate) fn verifying(table: &Table) -> Purpose {
        Purpose {
            what: Message::from(format!("verifying '{}'", table.path().display())).into(),
            way_out: WayOut::None,
        }
    }
}

/// Whether the machine has this much memory, so that `--memory` can give it.
pub(crate) fn can_be_given(bytes: u128) -> bool {
    bytes <= machine_memory().map_or(NO_MACHINE, u128::from)
}

fn on_disk_or_smaller(waves: u128, given: &str) -> String {
    format!(
        ", put its waves on disk with --scratch FOLDER (up to {}){given}, spread them over machines with \
         greenwave-cluster, or take a smaller board",
        bytes_up(waves)
    )
}

impl Memory {
    pub(crate) fn new(limit: u64) -> Arc<Memory> {
        Arc::new(Memory {
            limit: limit.into(),
            aside: AtomicU64::new(0),
            reserved: AtomicU64::new(0),
            searches: AtomicU64::new(1),
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

    /// Divides the memory between this number of searches at once.
    pub(crate) fn divide(&self, searches: usize) {
        self.searches
            .store(searches.max(1) as u64, Ordering::Relaxed);
    }

    /// Bytes that one search may take.
    pub(crate) fn of_a_search(&self) -> u64 {
        self.limit() / self.searches.load(Ordering::Relaxed)
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

    /// The error of this much not being there: allowed at all, or free just now. Where one question is worked
    /// on at a time, nobody gives back later what is in use.
    pub(crate) fn short(&self, bytes: u128, purpose: &Purpose) -> Error {
        let used = self.reserved.load(Ordering::Relaxed).into();
        let is_shared = self.searches.load(Ordering::Relaxed) > 1;
        let needed = match (self.allows(bytes), is_shared) {
            (true, true) => {
                return Error::Busy {
                    what: purpose.what.clone(),
                    needed: bytes,
                    used,
                    allowed: self.limit(),
                };
            }
            (true, false) => bytes.saturating_add(used),
            (false, _) => bytes,
        };
        Error::Memory {
            what: purpose.what.clone(),
            needed,
            allowed: self.limit(),
            aside: self.aside.load(Ordering::Relaxed),
            way_out: purpose.way_out.clone(),
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
    use greenwave_game::Metric;

    use super::*;

    #[test]
    fn searches_leave_their_share_to_each_other_and_to_solves() {
        let tablebase = crate::Tablebase::with_settings(
            "no-such-folder",
            &crate::Settings {
                memory: Some(400),
                ..Default::default()
            },
        )
        .unwrap();
        let (alone, bytes) = tablebase.reserve_for_search(u64::MAX);
        assert_eq!(bytes, 400);
        drop(alone);
        tablebase.divide_memory(4);
        let shares: Vec<(Reservation, u64)> = (0..3)
            .map(|_| tablebase.reserve_for_search(u64::MAX))
            .collect();
        assert!(shares.iter().all(|(_, bytes)| *bytes == 100));
        assert!(tablebase.try_reserve(100).is_some());
    }

    /// Only what the machine has is advised, with and without a folder for waves and a table.
    #[test]
    fn no_more_memory_is_advised_than_the_machine_has() {
        let machine = u128::from(machine_memory().unwrap());
        let cost = |memory_bytes: u128, scratch: ScratchUse| Cost {
            variant: "classic-4x5".into(),
            metric: Metric::Value,
            positions: 0,
            memory_bytes,
            table_bytes: 0,
            checkpoint_bytes: 0,
            scratch,
            seconds: 0.0,
            sampled: false,
        };
        let memory = Memory::new(1 << 20);
        let told = |needed: u128, purpose: &Purpose| memory.short(needed, purpose).to_string();
        let missing = |memory: u128| cost(memory, ScratchUse::Missing(7));
        let taken = |memory: u128| cost(memory, ScratchUse::Taken(7));
        let more = "give more with --memory";
        let plain = Purpose::solving(&cost(0, ScratchUse::None));
        assert!(told(machine, &plain).contains(more));
        assert!(told(machine + 1, &plain).ends_with("no --memory is enough: take a smaller board"));
        memory.lessen(1);
        assert!(!told(machine, &plain).contains(more), "a byte is set aside");

        let large = missing(2 * machine);
        let on_disk = |memory: u128| {
            let purpose = Purpose::solving_or_on_disk(&large, &taken(memory), 1 << 20);
            told(2 * machine, &purpose)
        };
        assert!(on_disk(1 << 20).contains("--scratch FOLDER (up to 7 bytes), spread"));
        assert!(on_disk(1 << 21).contains("and give at least --memory 2M, spread"));
        let told_of_too_large = on_disk(machine + 1);
        assert!(
            told_of_too_large
                .ends_with("is enough: spread its waves over machines with greenwave-cluster, or take a smaller board"),
            "{told_of_too_large}"
        );

        // Where waves on disk take as much memory, no folder helps.
        let same = cost(1 << 20, ScratchUse::None);
        let purpose = Purpose::solving_or_on_disk(&missing(1 << 21), &same, 1 << 20);
        assert!(!told(1 << 21, &purpose).contains("--scratch"));
        let purpose = Purpose::solving_to_table(&large, &missing(1 << 20), Some(&same));
        assert!(!told(2 * machine, &purpose).contains("--scratch"));

        let to_table = |without: u128, on_disk: u128| {
            let (without, on_disk) = (missing(without), taken(on_disk));
            let purpose = Purpose::solving_to_table(&large, &without, Some(&on_disk));
            told(2 * machine, &purpose)
        };
        assert!(to_table(1 << 20, 1 << 10).contains(
            "leave out the table with --no-table (1.0 MiB of memory, or 1.0 KiB and 7 bytes of disk with"
        ));
        assert!(to_table(machine + 1, 1 << 10).contains("--no-table (1.0 KiB and 7 bytes of disk"));
        assert!(!to_table(machine + 1, machine + 1).contains("--no-table"));
    }

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
            way_out: WayOut::Other(", or take a smaller one".into()),
        };
        assert_eq!(
            memory.short(101, &purpose).to_string(),
            "solving a game needs 101 bytes of memory, but may use 100 bytes; give more with --memory, or \
             take a smaller one"
        );
        let alone = memory.short(100, &purpose).to_string();
        assert!(alone.contains("needs 110 bytes"), "{alone}");
        assert!(alone.contains("give more with --memory"), "{alone}");
        memory.divide(2);
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
