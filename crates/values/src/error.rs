//! Why values cannot be read or written.

use greenwave_game::{Metric, Rules, counted};
use greenwave_table::{Table, TableError, TablesFolder};

/// Why values cannot be read or written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ValuesError {
    /// The table cannot be read, is damaged or of other rules.
    #[error(transparent)]
    Table(#[from] TableError),
    /// Stopped from outside.
    #[error("interrupted; nothing was written, the same command starts again")]
    Interrupted,
    /// The machine did not give the memory that values take.
    #[error(
        "the machine could not give {needed} bytes of memory; give less to other programs, or say with \
         --memory how much this one may have"
    )]
    Allocation {
        /// Bytes asked for.
        needed: u64,
    },
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
        "table '{file}': {part} packs {} where the rules of {variant} have {expected}; {}",
        counted(*found, "position", "positions"), way_out(variant, Some(*metric), folder)
    )]
    Packing {
        /// The file.
        file: String,
        /// The variant.
        variant: String,
        /// The metric of the table.
        metric: Metric,
        /// The folder of tables that the file belongs to.
        folder: Box<TablesFolder>,
        /// The leaf or family.
        part: Box<str>,
        /// Packed positions in the file.
        found: u32,
        /// Packed positions by the rules.
        expected: u32,
    },
    /// A table whose metric or width does not fit the game.
    #[error("table '{file}': {problem}; {}", way_out(variant, *metric, folder))]
    Foreign {
        /// The file.
        file: String,
        /// The variant.
        variant: String,
        /// The metric of the table, if it is one of the variant's.
        metric: Option<Metric>,
        /// The folder of tables that the file belongs to.
        folder: Box<TablesFolder>,
        /// What does not fit.
        problem: String,
    },
}

impl ValuesError {
    /// Says which folder of tables the file belongs to: see [`TableError::in_folder`].
    #[must_use]
    pub fn in_folder(self, of_file: TablesFolder) -> ValuesError {
        if let ValuesError::Table(error) = self {
            return ValuesError::Table(error.in_folder(of_file));
        }
        let mut error = self;
        if let ValuesError::Packing { folder, .. } | ValuesError::Foreign { folder, .. } =
            &mut error
        {
            **folder = of_file;
        }
        error
    }

    pub(crate) fn foreign(table: &Table, rules: &Rules, problem: String) -> ValuesError {
        let metric = table.meta().metric.parse().ok();
        ValuesError::Foreign {
            file: table.path().display().to_string(),
            variant: rules.title().to_string(),
            metric: metric.filter(|metric| rules.metrics.contains(metric)),
            folder: table.folder().clone().into(),
            problem,
        }
    }
}

// The command that puts a sound table in the place of a file, if there is one.
fn way_out(variant: &str, metric: Option<Metric>, folder: &TablesFolder) -> String {
    match metric {
        Some(metric) => format!(
            "{}, or delete the file",
            folder.way_back(Some(variant), Some(metric.name()))
        ),
        None => "delete the file".into(),
    }
}
