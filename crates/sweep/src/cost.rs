//! What a solve will take, before it starts.

use greenwave_game::{Dense, Metric};

use crate::SolveError;

/// What a solve does with a folder for waves that outgrow the memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScratchUse {
    /// Nothing: it has no use for one.
    None,
    /// It would fit less memory if there were one with room for this many bytes.
    Missing(u128),
    /// It puts at most this many bytes there.
    Taken(u128),
}

/// Memory, disk and time of a solve.
#[derive(Clone, Debug)]
pub struct Cost {
    /// The variant, under the name that people see.
    pub variant: String,
    /// The metric.
    pub metric: Metric,
    /// Indexable positions; where positions are listed, those that play reaches, or rather more.
    pub positions: u128,
    /// Peak memory in bytes.
    pub memory_bytes: u128,
    /// Table size in bytes, at most; 0 where none is wanted.
    pub table_bytes: u128,
    /// Bytes that checkpoints take on disk, or the waves of a solve that outgrows the memory, at most;
    /// 0 where there are none.
    pub checkpoint_bytes: u128,
    /// What the solve does with a folder for waves that outgrow the memory.
    pub scratch: ScratchUse,
    /// Seconds on the threads of the current rayon pool, roughly.
    pub seconds: f64,
    /// Whether memory and disk come from a sample, where a count takes longer than an estimate may.
    pub sampled: bool,
}

impl Cost {
    /// The cost of a solve without any work: the positions of a game, and no more.
    pub fn of<G: Dense>(game: &G, metric: Metric) -> Cost {
        Cost {
            variant: game.rules().title().to_string(),
            metric,
            positions: game.indexable(),
            memory_bytes: 0,
            table_bytes: 0,
            checkpoint_bytes: 0,
            scratch: ScratchUse::None,
            seconds: 0.0,
            sampled: false,
        }
    }

    /// Bytes of disk, at most.
    #[must_use]
    pub fn disk_bytes(&self) -> u128 {
        self.table_bytes.saturating_add(self.checkpoint_bytes)
    }

    /// Checks the memory against a limit in bytes.
    ///
    /// # Errors
    /// When the solve needs more.
    pub fn fits(&self, memory: u64) -> Result<(), SolveError> {
        let allowance = MemoryAllowance {
            variant: &self.variant,
            metric: self.metric,
            allowed: memory,
        };
        allowance.check(self.memory_bytes)
    }

    /// The bytes of a table around its values, at most, added to those of the values: preamble,
    /// metadata with rules and openings, and for each leaf its count and an entry in the directory.
    pub fn with_table(mut self) -> Cost {
        const METADATA: u128 = 32 << 10;
        const LEAF: u128 = 20;
        let around = METADATA + LEAF * (self.positions >> greenwave_table::LEAF_BITS);
        self.table_bytes = self.table_bytes.saturating_add(around);
        self
    }
}

/// The memory that a solve may use.
#[derive(Clone, Copy, Debug)]
pub struct MemoryAllowance<'a> {
    /// The variant, under the name that people see.
    pub variant: &'a str,
    /// The metric.
    pub metric: Metric,
    /// Bytes.
    pub allowed: u64,
}

impl MemoryAllowance<'_> {
    /// Checks that bytes of memory are allowed.
    ///
    /// # Errors
    /// When they are not.
    pub fn check(self, needed: impl Into<u128>) -> Result<(), SolveError> {
        let needed = needed.into();
        if needed <= u128::from(self.allowed) {
            return Ok(());
        }
        Err(self.exceeded(needed))
    }

    /// The error of a solve that needs this many bytes, which are more.
    #[must_use]
    pub fn exceeded(self, needed: u128) -> SolveError {
        SolveError::Memory {
            variant: self.variant.into(),
            metric: self.metric,
            needed,
            allowed: self.allowed,
        }
    }
}
