//! Where the judge gets variants and values from.

use std::sync::{Arc, OnceLock};

use greenwave_game::{DenseValues, Metric, Variant, with_game};
use greenwave_solver::{Progress, signature};

use crate::JudgeError;

/// All values of a variant in a metric, with what identifies them.
#[derive(Debug)]
pub struct Held {
    /// The values.
    pub values: DenseValues,
    signature: OnceLock<String>,
}

impl Held {
    /// Values with their signature, if it is known already.
    #[must_use]
    pub fn new(values: DenseValues, signature: Option<String>) -> Held {
        Held {
            values,
            signature: signature.map_or_else(OnceLock::new, OnceLock::from),
        }
    }

    /// The signature of the values of a variant, worked out if nobody has asked before.
    ///
    /// # Errors
    /// When the index is too large for a table.
    pub fn signature(&self, variant: &Variant) -> Result<&str, JudgeError> {
        if self.signature.get().is_none() {
            let found = with_game!(variant, game => signature(game, &self.values)?);
            return Ok(self.signature.get_or_init(|| found.to_string()));
        }
        Ok(self.signature.get().map_or("", String::as_str))
    }
}

/// Whoever opens rule files, reads tables and solves.
pub trait Library: Sync {
    /// The variant with a name, or of a rule file.
    ///
    /// # Errors
    /// When there is none.
    fn variant(&self, name: &str) -> Result<Variant, JudgeError>;

    /// All values of a variant in a metric, from a table or solved in memory. Where the value is
    /// asked for, values of the default metric are as good, since they give it.
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
