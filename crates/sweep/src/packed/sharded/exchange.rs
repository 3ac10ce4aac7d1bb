//! What ranks say to each other.

use std::sync::OnceLock;
use std::time::Duration;

use greenwave_values::Instant;

use crate::error::ExchangeError;

/// What ranks say to each other. Every rank makes the same calls in the same order, each from one
/// thread at a time, and no call returns before everyone that it concerns has made it, too.
pub trait Exchange {
    /// The number of this rank, from 0.
    fn rank(&self) -> usize;

    /// Number of ranks.
    fn ranks(&self) -> usize;

    /// Sends bytes to some other ranks, and fills buffers with what some other ranks send. There is at
    /// most one message from one rank to another, and both know its length.
    ///
    /// # Errors
    /// When another rank has ended.
    fn swap(
        &self,
        sends: &[(usize, &[u8])],
        receives: &mut [(usize, &mut [u8])],
    ) -> Result<(), ExchangeError>;

    /// Replaces each number by its sum over all ranks, modulo 2⁶⁴.
    ///
    /// # Errors
    /// When another rank has ended.
    fn sum(&self, numbers: &mut [u64]) -> Result<(), ExchangeError>;

    /// The time on the clock of this rank.
    fn now(&self) -> Duration {
        since_start()
    }

    /// What tells how long a thread of this rank works: differences of what it gives.
    fn timer(&self) -> fn() -> Duration {
        since_start
    }

    /// Takes note that other threads of this rank have worked so long since some time on its clock,
    /// whatever was exchanged meanwhile. Clocks that go by themselves know that.
    fn worked(&self, _since: Duration, _time: Duration) {}
}

/// Time on this machine's clock.
pub(super) fn since_start() -> Duration {
    static START: OnceLock<Instant> = OnceLock::new();
    START.get_or_init(Instant::now).elapsed()
}

/// The numbers of each rank; all give equally many.
pub(super) fn gather(
    exchange: &dyn Exchange,
    numbers: &[u64],
) -> Result<Vec<Vec<u64>>, ExchangeError> {
    if numbers.is_empty() {
        return Ok(vec![Vec::new(); exchange.ranks()]);
    }
    let mut all = vec![0; numbers.len() * exchange.ranks()];
    all[numbers.len() * exchange.rank()..][..numbers.len()].copy_from_slice(numbers);
    exchange.sum(&mut all)?;
    Ok(all.chunks(numbers.len()).map(<[u64]>::to_vec).collect())
}

/// The numbers of the first rank, for all; the others give none.
pub(super) fn broadcast(
    exchange: &dyn Exchange,
    numbers: &[u64],
) -> Result<Vec<u64>, ExchangeError> {
    let mut length = [numbers.len() as u64];
    exchange.sum(&mut length)?;
    let mut all = vec![0; length[0] as usize];
    all[..numbers.len()].copy_from_slice(numbers);
    exchange.sum(&mut all)?;
    Ok(all)
}
