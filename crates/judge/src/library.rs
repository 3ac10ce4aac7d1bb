//! Where the judge gets variants and values from.

use std::sync::{Arc, OnceLock};

use greenwave_game::{
    Dense, DenseValues, Figures, Listed, Metric, ValueSource, Variant, with_game,
};
use greenwave_probe::{OddsSource, SolvedOdds};
use greenwave_solver::{Progress, signature};

use crate::JudgeError;

/// All values of a variant in a metric.
#[derive(Debug)]
pub enum Values {
    /// Those of a game without chance.
    Codes(DenseValues),
    /// The odds of a game with chance.
    Odds(SolvedOdds),
}

impl From<DenseValues> for Values {
    fn from(values: DenseValues) -> Values {
        Values::Codes(values)
    }
}

impl From<SolvedOdds> for Values {
    fn from(odds: SolvedOdds) -> Values {
        Values::Odds(odds)
    }
}

impl Values {
    /// The metric.
    #[must_use]
    pub fn metric(&self) -> Metric {
        match self {
            Values::Codes(values) => values.metric(),
            Values::Odds(_) => Metric::Odds,
        }
    }

    /// The listed positions, where positions are listed.
    #[must_use]
    pub fn listed(&self) -> Option<&Listed> {
        match self {
            Values::Codes(values) => values.listed(),
            Values::Odds(_) => None,
        }
    }

    /// Figures of an unfinished position for the player to move, in games with chance of any
    /// position; none where they are not held.
    #[must_use]
    pub fn figures<G: Dense>(&self, game: &G, position: &G::Position) -> Figures {
        match self {
            Values::Codes(values) => values.figures(game.index(position)),
            Values::Odds(odds) => {
                let figures = OddsSource::new(game, odds).figures(position);
                figures.unwrap_or_default()
            }
        }
    }

    /// The same for an unfinished position whose index is known.
    pub(crate) fn figures_at<G: Dense>(
        &self,
        game: &G,
        index: u64,
        position: &G::Position,
    ) -> Figures {
        match self {
            Values::Codes(values) => values.figures(index),
            Values::Odds(_) => self.figures(game, position),
        }
    }
}

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
        if let (None, Values::Codes(values)) = (self.signature.get(), &self.values) {
            let found = with_game!(variant, game => signature(game, values)?);
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
