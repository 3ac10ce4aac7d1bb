//! Why a solve does not happen.

use std::path::PathBuf;

use greenwave_game::Metric;
use greenwave_table::TableError;
use greenwave_values::{ValuesError, distance_code};

use crate::{bytes, bytes_down, bytes_up};

/// Why a variant is not solved.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SolveError {
    /// The metric has no meaning in the game.
    #[error("{variant} has no metric '{metric}'; its metrics: {}", .allowed.iter().map(|metric| metric.name()).collect::<Vec<_>>().join(", "))]
    Metric {
        /// The variant.
        variant: String,
        /// The metric asked for.
        metric: Metric,
        /// The metrics that it has.
        allowed: Vec<Metric>,
    },
    /// The plan needs more memory than is allowed.
    #[error(
        "solving {variant} for {metric} needs {} of memory, but may use {}; \
         give more with --memory, or take a smaller board",
        bytes_up(*.needed), bytes_down(u128::from(*.allowed))
    )]
    Memory {
        /// The variant.
        variant: String,
        /// The metric.
        metric: Metric,
        /// Bytes needed.
        needed: u128,
        /// Bytes allowed.
        allowed: u64,
    },
    /// The machine did not give the memory that the plan needs.
    #[error("the machine could not give {} of memory; give less to other programs, or take a smaller board", bytes(u128::from(*.needed)))]
    Allocation {
        /// Bytes asked for.
        needed: u64,
    },
    /// Values larger than the engine can hold.
    #[error(
        "{count} positions of {variant} have a {metric} larger than the sweep can hold; please report this board"
    )]
    Misfits {
        /// The variant.
        variant: String,
        /// The metric.
        metric: Metric,
        /// How many.
        count: u64,
    },
    /// No engine treats what the rules declare.
    #[error("no engine solves {variant} completely; 'query' can still search from a position")]
    NoEngine {
        /// The variant.
        variant: String,
    },
    /// The game does not keep to what it declares.
    #[error("{variant} {problem} {position}; its rules are at fault, please report this")]
    Declaration {
        /// The variant.
        variant: String,
        /// What was declared and what was found.
        problem: String,
        /// Where.
        position: String,
    },
    /// A distance that no table can hold.
    #[error(
        "{variant} has positions that are decided only after more than {} plies, the most that a \
         distance table holds; solve it for value instead",
        distance_code::MAX_PLIES
    )]
    LongPlay {
        /// The variant.
        variant: String,
    },
    /// A checkpoint that the solve cannot continue from.
    #[error(
        "the checkpoint '{}' {problem}; delete it to solve from the beginning",
        .file.display()
    )]
    Checkpoint {
        /// The file.
        file: PathBuf,
        /// What is wrong.
        problem: String,
    },
    /// The system refused something with a checkpoint.
    #[error(
        "cannot {doing} the checkpoint '{}'; make room or name another folder with --dir, and the \
         same command resumes",
        .file.display()
    )]
    CheckpointIo {
        /// The file.
        file: PathBuf,
        /// What was tried.
        doing: &'static str,
        /// What the system answered.
        source: std::io::Error,
    },
    /// The system refused something with waves on disk.
    #[error(
        "cannot {doing} the waves in '{}'; make room or name another folder with --scratch, and the \
         same command resumes",
        .file.display()
    )]
    Scratch {
        /// The file.
        file: PathBuf,
        /// What was tried.
        doing: &'static str,
        /// What the system answered.
        source: std::io::Error,
    },
    /// No sweep that several machines can share.
    #[error(
        "{variant} has no sweep that ranks can share: that takes a board with unlimited supply where a \
         line ends the game, and the metric value or distance; 'greenwave solve' takes all that can be \
         solved on one machine"
    )]
    NotShared {
        /// The variant.
        variant: String,
    },
    /// A rank that does not do as the others do.
    #[error("rank {rank} {problem}")]
    Rank {
        /// The rank.
        rank: usize,
        /// What is wrong, and the way out.
        problem: String,
    },
    /// Another rank has ended.
    #[error(transparent)]
    Exchange(#[from] ExchangeError),
    /// Stopped from outside, with a checkpoint.
    #[error(
        "interrupted; the same command resumes from the checkpoint '{}'",
        .file.display()
    )]
    Paused {
        /// The file.
        file: PathBuf,
    },
    /// Play that wins can take longer than a table can say.
    #[error(
        "in {variant} a won game can take more than {} plies, more than a table can hold; take a smaller board",
        greenwave_values::wide_code::MAX_PLIES
    )]
    TooLong {
        /// The variant.
        variant: String,
    },
    /// Stopped from outside.
    #[error("interrupted; nothing was written, the same command starts again")]
    Interrupted,
    /// The table could not be written.
    #[error(transparent)]
    Table(#[from] TableError),
    /// Values that were made cannot be written.
    #[error(transparent)]
    Values(ValuesError),
}

/// A rank that cannot be reached any more.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ExchangeError {
    /// Another rank has ended before its work was done.
    #[error("another rank ended before its work was done")]
    Ended,
    /// The transport of messages has refused one.
    #[error("cannot exchange messages between ranks: {problem}")]
    Refused {
        /// What it answered.
        problem: String,
    },
}

impl From<ValuesError> for SolveError {
    fn from(error: ValuesError) -> SolveError {
        if let ValuesError::Table(error) = error {
            return SolveError::Table(error);
        }
        if let ValuesError::Allocation { needed } = error {
            return SolveError::Allocation { needed };
        }
        if matches!(error, ValuesError::Interrupted) {
            SolveError::Interrupted
        } else {
            SolveError::Values(error)
        }
    }
}
