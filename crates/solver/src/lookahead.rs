//! What a forward search finds out about one position, whichever search suits the game.

use greenwave_game::{Advance, Game};
use greenwave_values::Progress;

use crate::proof::Prover;
use crate::{Search, SearchBudget, SearchResult, SearchVerdict, SolveError};

/// The result of a forward search.
#[derive(Clone, Debug)]
pub struct Lookahead<P, M> {
    /// What is proven of the position and its moves.
    pub found: SearchResult<P, M>,
    /// Where the position is proven won or lost: best play to the end, each move with the position
    /// after it; empty where it is not proven or the search does not keep lines.
    pub line: Vec<(M, P)>,
}

/// Games without chance: with proofs of growing length where play can repeat, else by minimax.
pub(crate) fn without_chance<G: Game>(
    game: &G,
    position: &G::Position,
    budget: SearchBudget,
    memory: u64,
    progress: &dyn Progress,
) -> Result<Lookahead<G::Position, G::Move>, SolveError> {
    if game.rules().properties.advance != Advance::Repeats {
        let found = Search::new(game, memory)?.search(position, budget, progress);
        return Ok(Lookahead {
            found,
            line: Vec::new(),
        });
    }
    let prover = Prover::new(game, memory)?;
    let found = prover.search(position, budget, progress);
    let line = match found.root {
        SearchVerdict::Proven(figures) => prover.line(position, &figures, progress),
        SearchVerdict::Undecided { .. } => Vec::new(),
    };
    Ok(Lookahead { found, line })
}
