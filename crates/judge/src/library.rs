//! Where the judge gets variants and values from.

use std::sync::Arc;

use greenwave_game::{DenseValues, Metric, Variant};
use greenwave_solver::Progress;

use crate::JudgeError;

/// All values of a variant in a metric, with what identifies them.
#[derive(Debug)]
pub struct Held {
    /// The values.
    pub values: DenseValues,
    /// Their signature.
    pub signature: String,
}

/// Whoever opens rule files, reads tables and solves.
pub trait Library: Sync {
    /// The variant with a name, or of a rule file.
    ///
    /// # Errors
    /// When there is none.
    fn variant(&self, name: &str) -> Result<Variant, JudgeError>;

    /// All values of a variant in a metric, from a table or solved in memory.
    ///
    /// # Errors
    /// When the metric does not exist, a table is damaged or of other rules, or a solve does not fit
    /// the memory.
    fn values(&self, variant: &Variant, metric: Metric) -> Result<Arc<Held>, JudgeError>;

    /// Bytes that may be used.
    fn memory(&self) -> u64;

    /// Who is told about progress.
    fn progress(&self) -> &dyn Progress;
}

/// Runs an expression with the game inside a variant, if it shows lights on squares.
#[macro_export]
macro_rules! with_squares {
    ($variant:expr, $game:ident => $body:expr) => {
        match $variant {
            greenwave_game::Variant::Board($game) => $body,
            greenwave_game::Variant::Strip($game) => $body,
            other => Err($crate::JudgeError::Refused(format!(
                "{}: this question is about boards with lights on squares; \
                 'query' and 'stats' answer questions about this game",
                other.rules().name
            ))
            .into()),
        }
    };
}
