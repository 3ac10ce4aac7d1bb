//! All values of a variant, whichever way they are numbered.

use greenwave_game::{Dense, Figures, Metric};

use crate::{DenseValues, Listed, OddsSource, SolvedOdds, ValueSource};

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
    pub fn figures_at<G: Dense>(&self, game: &G, index: u64, position: &G::Position) -> Figures {
        match self {
            Values::Codes(values) => values.figures(index),
            Values::Odds(_) => self.figures(game, position),
        }
    }
}
