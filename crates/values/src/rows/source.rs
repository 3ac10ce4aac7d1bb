//! Odds as a source of figures, also of the positions inside a turn that neither memory nor table
//! holds.

use std::collections::HashMap;

use greenwave_game::{Dense, Figures, Game, Odds, TIE, all_odds_by_draws, odds_by_draws};

use super::odds::{OddsByIndex, figures};
use crate::{ValueSource, ValuesError};

/// Odds as a source of figures, for any position of the game.
pub struct OddsSource<'a, G: Game> {
    game: &'a G,
    odds: &'a dyn OddsByIndex,
    // Odds of positions without an index that need not be worked out when they are requested.
    draft: HashMap<G::Position, Odds>,
}

impl<'a, G: Dense> OddsSource<'a, G> {
    /// Odds of a game.
    #[must_use]
    pub fn new(game: &'a G, odds: &'a dyn OddsByIndex) -> OddsSource<'a, G> {
        OddsSource {
            game,
            odds,
            draft: HashMap::new(),
        }
    }

    /// The same with the whole draft worked out at once and kept, some two thousand positions: for
    /// whoever asks about the draft more than once. The figures are the same to the last bit.
    ///
    /// # Errors
    /// When the odds of the empty board are not held or cannot be read.
    pub fn with_draft(
        game: &'a G,
        odds: &'a dyn OddsByIndex,
    ) -> Result<OddsSource<'a, G>, ValuesError> {
        let mut source = OddsSource::new(game, odds);
        source.draft =
            all_odds_by_draws(game, &game.start(), &mut |position| source.held(position))?;
        Ok(source)
    }

    // The odds of a finished or indexed position.
    fn held(&self, position: &G::Position) -> Result<Odds, ValuesError> {
        if let Some(ending) = self.game.ending(position) {
            return Ok(Odds::of_ending(&ending));
        }
        let odds = self.odds.odds(self.game.index(position))?;
        odds.ok_or_else(|| ValuesError::NotHeld {
            variant: self.game.rules().title().to_string(),
            position: self.game.position_text(position),
        })
    }
}

impl<G: Dense> ValueSource<G::Position> for OddsSource<'_, G> {
    type Error = ValuesError;

    fn figures(&self, position: &G::Position) -> Result<Figures, ValuesError> {
        if let Some(odds) = self.odds.start().filter(|_| *position == self.game.start()) {
            return Ok(figures(odds, TIE));
        }
        let odds = match self.draft.get(position) {
            Some(odds) => *odds,
            None => odds_by_draws(self.game, position, &mut |position| self.held(position))?,
        };
        // Rounding keeps the sign of a stored expectation; averages of rounded ones can lose it.
        let stored = self.game.has_index(position);
        Ok(figures(odds, if stored { TIE } else { self.odds.tie() }))
    }

    fn tie(&self) -> f64 {
        self.odds.tie()
    }
}
