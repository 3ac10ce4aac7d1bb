//! Why an answer cannot be given.

use greenwave_table::TableError;

/// Why an answer cannot be given.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ProbeError {
    /// The table cannot be read, is damaged or of other rules.
    #[error(transparent)]
    Table(#[from] TableError),
    /// Odds of a position that was not kept.
    #[error(
        "the odds of position {position} of {variant} are not in memory; solve {variant} to a table with 'greenwave solve {variant}'"
    )]
    NotHeld {
        /// The variant.
        variant: String,
        /// The position.
        position: String,
    },
    /// The table packs other positions than the rules say.
    #[error(
        "table '{file}': leaf {leaf} packs {found} positions where the rules of {variant} have \
         {expected}; solve again with 'greenwave solve {variant} --force', or delete the file"
    )]
    Packing {
        /// The file.
        file: String,
        /// The variant.
        variant: String,
        /// The leaf.
        leaf: u64,
        /// Packed positions in the file.
        found: u32,
        /// Packed positions by the rules.
        expected: u32,
    },
    /// A table whose metric or width does not fit the game.
    #[error(
        "table '{file}': {problem}; solve again with 'greenwave solve {variant} --force', or delete the file"
    )]
    Foreign {
        /// The file.
        file: String,
        /// The variant.
        variant: String,
        /// What does not fit.
        problem: String,
    },
}
