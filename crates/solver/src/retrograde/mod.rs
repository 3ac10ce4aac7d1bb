//! Retrograde analysis: exact values where positions can repeat and a player may make several plies
//! running.
//!
//! 1. `list`: every position that play reaches, one for each orbit, as sorted indices.
//! 2. `graph`: for each of them the positions that lead to it.
//! 3. `propagate`: values spread backwards from finished games, one ply further each round, so that
//!    the round is the distance. A position is won as soon as one of its children is good for the
//!    player who moves, and lost when the last of its children has turned out bad. A position that
//!    no round reaches is a draw by endless play.
//!
//! Rounds see only what earlier rounds decided, so results do not depend on the order of threads.

mod graph;
mod list;
mod propagate;
mod resumed;

use greenwave_game::{Dense, LISTED_BITS, Metric};
use greenwave_values::{ListedValues, Progress};

use crate::{Cost, SolveError};
use greenwave_sweep::MemoryAllowance;
use greenwave_sweep::checkpoint::Checkpoint;
use resumed::{ListingProgress, save_list};

/// Positions that one thread settles in a second, roughly, on a machine of 2020 or later; not up to
/// symmetry, in a game with six symmetries, of those that it is expected to reach.
const POSITIONS_PER_SECOND: f64 = 8e5;

/// Bytes of memory for each position up to symmetry, at most: its index, its code, its open children,
/// where its parents begin, and nine of them. Measured were 36 (Ampel, side 5) to 52 (side 7).
const BYTES_PER_POSITION: u64 = 55;

/// Bytes of checkpoints on disk for each position up to symmetry, at most: its index, and that again
/// while its children are not listed, twice while one checkpoint is written beside another.
const CHECKPOINT_BYTES: u64 = 32;

/// What a solve will take, if play reaches as many positions as the game expects.
pub(crate) fn cost<G: Dense>(game: &G, metric: Metric) -> Cost {
    let positions = game.expected_positions();
    let listed = positions / game.symmetries() as u128;
    let rate = POSITIONS_PER_SECOND * rayon::current_num_threads() as f64;
    Cost {
        positions,
        memory_bytes: listed
            .saturating_mul(BYTES_PER_POSITION.into())
            .saturating_add(16 << 20),
        table_bytes: listed.saturating_mul(8),
        checkpoint_bytes: listed.saturating_mul(CHECKPOINT_BYTES.into()),
        seconds: positions as f64 / rate,
        ..Cost::of(game, metric)
    }
}

/// Solves a game by listing all positions that play reaches, in at most this many bytes of memory.
///
/// # Errors
/// When the game has too many positions for a list or for the memory, when a distance does not fit,
/// and when the work is cancelled.
pub fn solve<G: Dense>(
    game: &G,
    metric: Metric,
    memory: u64,
    progress: &dyn Progress,
) -> Result<ListedValues, SolveError> {
    solve_resumably(game, metric, memory, None, progress)
}

/// Like [`solve`], but it resumes from a checkpoint and leaves one where there is something to
/// store. That is the list so far while positions are listed, the whole list while they are linked,
/// and then the codes after a round.
pub(crate) fn solve_resumably<G: Dense>(
    game: &G,
    metric: Metric,
    memory: u64,
    mut checkpoint: Option<&mut Checkpoint>,
    progress: &dyn Progress,
) -> Result<ListedValues, SolveError> {
    let budget = MemoryAllowance {
        metric,
        allowed: memory,
        variant: game.rules().title(),
    };
    if game.indexable() >> LISTED_BITS != 0 {
        let expected = game.expected_positions() / game.symmetries() as u128;
        return Err(budget.exceeded(expected.saturating_mul(BYTES_PER_POSITION.into())));
    }
    let kept = match &mut checkpoint {
        Some(checkpoint) => ListingProgress::read(game, checkpoint, budget, progress)?,
        None => ListingProgress::Nothing,
    };
    let resumed = !matches!(kept, ListingProgress::Nothing);
    let (indices, round) = match kept {
        ListingProgress::Listed { indices, round } => (indices, round),
        kept @ (ListingProgress::Nothing | ListingProgress::Part { .. }) => {
            let checkpoint = checkpoint.as_deref_mut();
            let indices = list::reachable(game, kept, budget, checkpoint, progress)?;
            (indices, None)
        }
    };
    if let Some(checkpoint) = &mut checkpoint
        && checkpoint.due()
    {
        let written = save_list(checkpoint, &indices);
        checkpoint.tried(written, progress);
    }
    let lacking = || match &checkpoint {
        Some(checkpoint) if resumed => {
            checkpoint.refuse("is damaged: its list lacks a position that play reaches")
        }
        Some(_) | None => unreachable!("every position that play reaches is listed"),
    };
    let graph = graph::PredecessorLists::new(game, &indices, &lacking, budget, progress);
    let spread = graph.and_then(|graph| {
        let checkpoint = checkpoint.as_deref_mut();
        propagate::codes(game, &indices, graph, round, checkpoint, progress)
    });
    let codes = match (spread, &mut checkpoint) {
        (Err(SolveError::Interrupted), Some(checkpoint)) => {
            save_list(checkpoint, &indices)?;
            return Err(SolveError::Interrupted);
        }
        (spread, _) => spread?,
    };
    let distances = ListedValues::new(Metric::Distance, indices, codes);
    Ok(if metric == Metric::Value {
        distances.into_values()
    } else {
        distances
    })
}

#[cfg(test)]
mod tests;
