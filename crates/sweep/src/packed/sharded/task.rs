//! A board that ranks solve together, and what each of them does.

use std::path::PathBuf;
use std::time::Duration;

use greenwave_game::{BoardGame, Metric};

use super::exchange::{Exchange, gather};
use crate::SolveError;
use crate::checkpoint::EVERY;
use crate::sweep::Kernel;

/// A board that ranks solve together, for counts and openings, and for a table where that is one of families.
#[derive(Clone, Debug)]
pub struct ShardedTask<'a> {
    /// The board.
    pub game: &'a BoardGame,
    /// Value or distance.
    pub metric: Metric,
    /// The instructions of this rank; all give the same.
    pub kernel: Kernel,
    /// Bytes of memory that this rank may use.
    pub memory: u64,
    /// Threads of this rank.
    pub threads: usize,
    /// A folder for checkpoints of complete waves, the same for all ranks.
    pub scratch: Option<PathBuf>,
    /// The table, which the first rank writes; the others need not reach it.
    pub table: Option<PathBuf>,
    /// Time between checkpoints.
    pub every: Duration,
}

/// What a rank did.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RankWork {
    /// Families that it settled.
    pub families: u64,
    /// Bytes of their streams.
    pub stream_bytes: u64,
    /// Bytes that it sent to other ranks.
    pub sent_bytes: u64,
    /// Most bytes of streams that it held at once, its own and those of other ranks.
    pub held_bytes: u64,
    /// Seconds in which its threads listed and settled families and looked who needs them.
    pub settling: f64,
    /// Seconds in which they did not: it sent, received, waited for others and wrote checkpoints.
    pub exchanging: f64,
}

impl RankWork {
    /// That of each rank.
    pub(super) fn of_all(&self, exchange: &dyn Exchange) -> Result<Vec<RankWork>, SolveError> {
        let own = [
            self.families,
            self.stream_bytes,
            self.sent_bytes,
            self.held_bytes,
            self.settling.to_bits(),
            self.exchanging.to_bits(),
        ];
        let all = gather(exchange, &own)?;
        let work = |numbers: &Vec<u64>| RankWork {
            families: numbers[0],
            stream_bytes: numbers[1],
            sent_bytes: numbers[2],
            held_bytes: numbers[3],
            settling: f64::from_bits(numbers[4]),
            exchanging: f64::from_bits(numbers[5]),
        };
        Ok(all.iter().map(work).collect())
    }
}

impl<'a> ShardedTask<'a> {
    /// A task without limits and checkpoints, on one thread.
    #[must_use]
    pub fn new(game: &'a BoardGame, metric: Metric) -> ShardedTask<'a> {
        ShardedTask {
            game,
            metric,
            kernel: Kernel::best(),
            memory: u64::MAX,
            threads: 1,
            scratch: None,
            table: None,
            every: EVERY,
        }
    }
}
