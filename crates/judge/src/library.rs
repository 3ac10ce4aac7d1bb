//! Where the judge gets variants and values from.

use std::sync::{Arc, OnceLock};

use greenwave_game::{Metric, Variant, with_game};
use greenwave_values::{Progress, Values, signature};

use crate::JudgeError;

/// All values of a variant in a metric, with what identifies them.
#[derive(Debug)]
pub struct Held {
    /// The values.
    pub values: Values,
    signature: OnceLock<String>,
}

impl Held {
    /// Values with their signature, if it is known already.
    #[must_use]
    pub fn new(values: impl Into<Values>, signature: Option<String>) -> Held {
        Held {
            values: values.into(),
            signature: signature.map_or_else(OnceLock::new, OnceLock::from),
        }
    }

    /// The signature of the values of a variant, worked out if nobody has asked before; `None` for
    /// odds that come from no table.
    ///
    /// # Errors
    /// When the index is too large for a table.
    pub fn signature(&self, variant: &Variant) -> Result<Option<&str>, JudgeError> {
        if self.signature.get().is_none() && self.values.as_odds().is_none() {
            let found = with_game!(variant, game => signature(game, &self.values)?);
            self.signature.get_or_init(|| found.to_string());
        }
        Ok(self.signature.get().map(String::as_str))
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
