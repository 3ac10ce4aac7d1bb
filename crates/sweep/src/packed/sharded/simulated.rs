//! Ranks on machines that are not there: threads of this process, with clocks of their own.
//!
//! The clock of a rank goes on by the processor time of its threads, and by what messages take on links
//! of some delay and rate. So a few cores can show how many ranks would get on, only more slowly.

use std::cell::Cell;
use std::time::Duration;

use super::exchange::Exchange;
use super::threads::{Rank, on_ranks};
use crate::SolveError;
use crate::error::ExchangeError;

/// The links between simulated ranks, and how quick these are.
#[derive(Clone, Debug, PartialEq)]
pub struct RankSimulation {
    /// Seconds that a message takes besides its bytes.
    pub delay: f64,
    /// Bits a second that each rank can send while it receives as many.
    pub network: f64,
    /// How quick ranks are beside this machine, one after another, and over again; none are all 1.
    pub speeds: Vec<f64>,
}

struct SimulatedRank<'r, 's> {
    rank: Rank<'r>,
    simulation: &'s RankSimulation,
    speed: f64,
    // Seconds of this rank; processor time of this thread when they were right.
    clock: Cell<f64>,
    worked: Cell<f64>,
    // When the link is free to send.
    link: Cell<f64>,
}

impl SimulatedRank<'_, '_> {
    // Takes note of what this thread has done since the clock was right.
    fn tick(&self) {
        let worked = thread_time();
        let passed = (worked - self.worked.get()) / self.speed;
        self.clock.set(self.clock.get() + passed);
        self.worked.set(worked);
    }

    // Time for moving the bytes between threads is no work of the rank.
    fn forget(&self) {
        self.worked.set(thread_time());
    }

    fn wait(&self, time: f64) {
        self.clock.set(self.clock.get().max(time));
    }
}

impl Exchange for SimulatedRank<'_, '_> {
    fn rank(&self) -> usize {
        self.rank.rank()
    }

    fn ranks(&self) -> usize {
        self.rank.ranks()
    }

    fn swap(
        &self,
        sends: &[(usize, &[u8])],
        receives: &mut [(usize, &mut [u8])],
    ) -> Result<(), ExchangeError> {
        self.tick();
        for (to, bytes) in sends {
            let took = bytes.len() as f64 * 8.0 / self.simulation.network;
            let sent = self.link.get().max(self.clock.get()) + took;
            self.link.set(sent);
            let arrives = (sent + self.simulation.delay).to_le_bytes();
            self.rank
                .swap(&[(*to, &[bytes, &arrives[..]].concat())], &mut [])?;
        }
        for (from, buffer) in receives {
            let mut message = vec![0; buffer.len() + 8];
            self.rank.swap(&[], &mut [(*from, &mut message)])?;
            let (bytes, arrives) = message.split_at(buffer.len());
            buffer.copy_from_slice(bytes);
            if let Ok(arrives) = arrives.try_into() {
                self.wait(f64::from_le_bytes(arrives));
            }
        }
        // A buffer is free when it is sent.
        self.wait(self.link.get());
        self.forget();
        Ok(())
    }

    fn sum(&self, numbers: &mut [u64]) -> Result<(), ExchangeError> {
        self.tick();
        let (ranks, rank) = (self.ranks(), self.rank());
        let mut all = numbers.to_vec();
        all.resize(numbers.len() + ranks, 0);
        all[numbers.len() + rank] = self.clock.get().to_bits();
        self.rank.sum(&mut all)?;
        let (sums, clocks) = all.split_at(numbers.len());
        numbers.copy_from_slice(sums);
        let last = clocks.iter().map(|clock| f64::from_bits(*clock));
        // There and back over a tree of ranks.
        let steps = 2 * ranks.next_power_of_two().ilog2();
        self.wait(last.fold(0.0, f64::max) + f64::from(steps) * self.simulation.delay);
        self.forget();
        Ok(())
    }

    fn now(&self) -> Duration {
        self.tick();
        Duration::from_secs_f64(self.clock.get())
    }

    fn timer(&self) -> fn() -> Duration {
        || Duration::from_secs_f64(thread_time())
    }

    fn worked(&self, since: Duration, time: Duration) {
        self.tick();
        self.wait(since.as_secs_f64() + time.as_secs_f64() / self.speed);
    }
}

// Processor time of the thread that asks, in seconds.
fn thread_time() -> f64 {
    #[cfg(unix)]
    {
        let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
        time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
    }
    #[cfg(not(unix))]
    super::exchange::since_start().as_secs_f64()
}

/// Does some work on simulated ranks of one thread each, and gives what they found, by rank. The time
/// that they tell of is that of their clocks.
///
/// # Errors
/// The first one of a rank. The others end, too.
///
/// # Panics
/// When a rank does.
pub fn on_simulated<T: Send>(
    ranks: usize,
    simulation: &RankSimulation,
    work: impl Fn(&dyn Exchange) -> Result<T, SolveError> + Sync,
) -> Result<Vec<T>, SolveError> {
    on_ranks(ranks, |rank| {
        let speeds = &simulation.speeds;
        let speed = match speeds.len() {
            0 => 1.0,
            many => speeds[rank.rank() % many],
        };
        let simulated = SimulatedRank {
            rank,
            simulation,
            speed,
            clock: Cell::new(0.0),
            worked: Cell::new(thread_time()),
            link: Cell::new(0.0),
        };
        let result = work(&simulated);
        (simulated.rank, result)
    })
}
