//! Why a search over rules is refused or stops.

use greenwave_game::VariantError;
use greenwave_judge::JudgeError;
use greenwave_tablebase::{Error, ErrorKind, FaultKind};

/// Why a search over rules is refused or stops.
#[derive(Debug, thiserror::Error)]
pub enum DesignError {
    /// A file that is no rule file with something that varies.
    #[error(transparent)]
    Variant(#[from] VariantError),
    /// Values that cannot be had.
    #[error(transparent)]
    Tablebase(#[from] Error),
    /// Errors of a search for a strategy.
    #[error(transparent)]
    Judge(#[from] JudgeError),
    /// A search that cannot be made as it was requested, with the way out.
    #[error("{0}")]
    Refused(String),
}

impl DesignError {
    /// Whether the work was stopped from outside.
    #[must_use]
    pub fn is_interrupted(&self) -> bool {
        match self {
            DesignError::Tablebase(error) => error.kind() == ErrorKind::Interrupted,
            DesignError::Judge(error) => error.fault() == FaultKind::Interrupted,
            DesignError::Variant(_) | DesignError::Refused(_) => false,
        }
    }
}
