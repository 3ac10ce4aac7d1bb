//! What a forward search finds out about one position, whichever search suits the game.

use greenwave_game::{Game, Progress as Advance};
use greenwave_values::Progress;

use crate::proof::Prover;
use crate::{Budget, Found, Search, Searched, SolveError};

/// The result of a forward search.
#[derive(Clone, Debug)]
pub struct Outlook<P, M> {
    /// What is proven of the position and its moves.
    pub found: Found<P, M>,
    /// Where the position is proven won or lost: best play to the end, each move with the position
    /// after it; empty where it is not proven or the search does not keep lines.
    pub line: Vec<(M, P)>,
}

/// Searches a position forward, with at most so many bytes to remember positions: with proofs of
/// growing length where play can repeat, else by minimax.
///
/// # Errors
/// For games with chance.
pub fn look_ahead<G: Game>(
    game: &G,
    position: &G::Position,
    budget: Budget,
    memory: u64,
    progress: &dyn Progress,
) -> Result<Outlook<G::Position, G::Move>, SolveError> {
    if game.rules().properties.progress != Advance::Repeats {
        let found = Search::new(game, memory)?.search(position, budget, progress);
        return Ok(Outlook {
            found,
            line: Vec::new(),
        });
    }
    let prover = Prover::new(game, memory)?;
    let found = prover.search(position, budget, progress);
    let line = match found.root {
        Searched::Proven(figures) => prover.line(position, &figures, progress),
        Searched::Undecided { .. } => Vec::new(),
    };
    Ok(Outlook { found, line })
}
