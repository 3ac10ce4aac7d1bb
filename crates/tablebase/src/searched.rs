//! Values that a forward search proves, as a source: for whoever looks at many positions of a variant that
//! nothing else settles.

use greenwave_game::{Figures, Game};
use greenwave_solver::{Search, SearchBudget};
use greenwave_values::{Silent, ValueSource};

use crate::memory::Reservation;
use crate::{Error, Tablebase};

/// Proves what it can about each requested position; the figures of others are empty. The knowledge
/// from one question serves the next ones.
pub struct SearchedValues<'g, G: Game> {
    search: Search<'g, G>,
    nodes: u64,
    _reserved: Reservation,
}

impl Tablebase {
    /// Values by a search that looks at this many positions for each, and remembers them in this many bytes,
    /// or in what is free.
    ///
    /// # Errors
    /// For games with chance.
    pub fn searched_values<'g, G: Game>(
        &self,
        game: &'g G,
        nodes: u64,
        memory: u64,
    ) -> Result<SearchedValues<'g, G>, Error> {
        let (reserved, bytes) = self.reserve_for_search(memory);
        Ok(SearchedValues {
            search: Search::new(game, bytes)?,
            nodes,
            _reserved: reserved,
        })
    }
}

impl<G: Game> ValueSource<G::Position> for SearchedValues<'_, G> {
    type Error = Error;

    fn figures(&self, position: &G::Position) -> Result<Figures, Error> {
        let budget = SearchBudget {
            nodes: Some(self.nodes),
            deadline: None,
        };
        Ok(self.search.search(position, budget, &Silent).root.figures())
    }
}
