//! Retrograde analysis: exact values where positions can repeat and a player may make several plies
//! running.
//!
//! 1. `list`: every position that play reaches, one for each orbit, as sorted indices.
//! 2. `graph`: for each of them the positions that lead to it.
//! 3. `propagate`: values spread backwards from finished games, one ply further each round, so that
//!    the round is the distance. A position is won as soon as one of its children is good for the
//!    player who moves, and lost when the last of its children has turned out bad. What no round
//!    reaches is a draw by endless play.
//!
//! Rounds see only what earlier rounds decided, so results do not depend on the order of threads.

mod graph;
mod list;
mod propagate;

use greenwave_game::{Dense, LISTED_BITS, Metric};
use greenwave_values::{Codes, DenseValues, Listed, Progress};

use crate::SolveError;

/// Positions that one thread settles in a second, roughly, on a machine of 2020 or later; not up to
/// symmetry, in a game with six symmetries, of those that it is expected to reach.
pub(crate) const POSITIONS_PER_SECOND: f64 = 8e5;

/// Bytes of memory for each position up to symmetry, at most: its index, its code, its open children,
/// where its parents begin, and nine of them. Measured were 36 (Ampel, side 5) to 52 (side 7).
pub(crate) const BYTES_PER_POSITION: u64 = 55;

/// Solves a game by listing all positions that play reaches, in at most so many bytes of memory.
///
/// # Errors
/// When the game has too many positions for a list or for the memory, when a distance does not fit,
/// and when the work is cancelled.
pub fn solve<G: Dense>(
    game: &G,
    metric: Metric,
    memory: u64,
    progress: &dyn Progress,
) -> Result<DenseValues, SolveError> {
    let budget = Budget {
        metric,
        allowed: memory,
        variant: &game.rules().name,
    };
    if game.indexable() >> LISTED_BITS != 0 {
        let expected = game.expected_positions() / game.symmetries() as u128;
        return Err(budget.exceeded(expected.saturating_mul(BYTES_PER_POSITION.into())));
    }
    let indices = list::reachable(game, budget, progress)?;
    let graph = graph::Graph::new(game, &indices, budget, progress)?;
    let codes = propagate::codes(game, &indices, &graph, progress)?;
    let listed = Listed::new(indices, codes);
    let listed = if metric == Metric::Value {
        listed.into_values()
    } else {
        listed
    };
    Ok(DenseValues::new(metric, Codes::Listed(listed)))
}

/// The memory that a solve may use.
#[derive(Clone, Copy)]
struct Budget<'a> {
    variant: &'a str,
    metric: Metric,
    allowed: u64,
}

impl Budget<'_> {
    fn check(self, needed: u64) -> Result<(), SolveError> {
        if needed <= self.allowed {
            return Ok(());
        }
        Err(self.exceeded(needed.into()))
    }

    fn exceeded(self, needed: u128) -> SolveError {
        SolveError::Memory {
            variant: self.variant.into(),
            metric: self.metric,
            needed,
            allowed: self.allowed,
        }
    }
}

/// The indices of a position's children, each once, and whether the mover stays on turn there:
/// `index << 1 | keeps_turn`, rising.
fn children<G: Dense>(
    game: &G,
    position: &G::Position,
    moves: &mut Vec<G::Move>,
    out: &mut Vec<u64>,
) {
    game.moves(position, moves);
    out.clear();
    out.extend(moves.iter().map(|mv| {
        let edge = game.play(position, *mv);
        game.index(&edge.to) << 1 | u64::from(edge.keeps_turn)
    }));
    out.sort_unstable();
    out.dedup();
}

#[cfg(test)]
mod tests;
