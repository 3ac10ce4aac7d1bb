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

use std::sync::atomic::AtomicU16;

use greenwave_game::{Dense, LISTED_BITS, Metric};
use greenwave_values::parallel::try_map_chunks;
use greenwave_values::{ListedValues, Progress, wide_code};

use crate::{Cost, SolveError};
use greenwave_sweep::MemoryAllowance;
use greenwave_sweep::checkpoint::Checkpoint;

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

/// The content of a checkpoint.
enum ListingProgress {
    Nothing,
    /// The positions listed so far, rising, and those of them whose children are not listed yet.
    Part {
        known: Vec<u64>,
        open: Vec<u64>,
    },
    /// All positions, and where values were spread already the last round.
    Listed {
        indices: Vec<u64>,
        round: Option<Round>,
    },
}

/// Values after this many plies: codes, open children, and the places decided in that round.
struct Round {
    distance: u32,
    codes: Vec<AtomicU16>,
    children: Vec<AtomicU16>,
    frontier: Vec<u32>,
}

impl ListingProgress {
    fn read<G: Dense>(
        game: &G,
        checkpoint: &mut Checkpoint,
        budget: MemoryAllowance<'_>,
        progress: &dyn Progress,
    ) -> Result<ListingProgress, SolveError> {
        let Some(numbers) = checkpoint.resume(progress)? else {
            return Ok(ListingProgress::Nothing);
        };
        let number = |name: &str| numbers.get(name).and_then(|number| number.first()).copied();
        let longs = |checkpoint: &Checkpoint, name: &str| {
            let file = checkpoint.read(name)?;
            let count = file.bytes() / 8;
            budget.check(file.bytes())?;
            file.numbers(count as usize, u64::from_le_bytes)
        };
        let listed = |checkpoint: &Checkpoint, name: &str| {
            let indices = longs(checkpoint, name)?;
            let rises = indices.is_sorted_by(|index, next| index < next);
            let start = game.index(&game.start());
            if !rises || indices.binary_search(&start).is_err() {
                return Err(
                    checkpoint.refuse("is damaged: its list does not rise, or lacks the start")
                );
            }
            let is_one = |index: &u64| {
                let position = game.at(*index);
                position.is_some_and(|position| game.index(&position) == *index)
            };
            let checked = try_map_chunks(&indices, CHECKED, |_, chunk| {
                chunk.iter().all(is_one).then_some(()).ok_or(())
            });
            match checked {
                Ok(_) => Ok(indices),
                Err(()) => Err(checkpoint.refuse("is damaged: its list has what is no position")),
            }
        };
        if let Some(step) = number("step") {
            let known = listed(checkpoint, &format!("known-{step}"))?;
            let open = longs(checkpoint, &format!("open-{step}"))?;
            if open.is_empty() || open.iter().any(|index| known.binary_search(index).is_err()) {
                return Err(checkpoint.refuse(BEGINS_NOWHERE));
            }
            return Ok(ListingProgress::Part { known, open });
        }
        let indices = listed(checkpoint, LIST)?;
        let _ = checkpoint.keep_listed(LIST);
        let Some(distance) = number("round") else {
            return Ok(ListingProgress::Listed {
                indices,
                round: None,
            });
        };
        let positions = indices.len();
        let shorts = |name: &str| {
            let file = checkpoint.read(&format!("{name}-{distance}"))?;
            file.numbers(positions, |bytes| AtomicU16::new(u16::from_le_bytes(bytes)))
        };
        let file = checkpoint.read(&format!("frontier-{distance}"))?;
        let count = file.bytes() / 4;
        let frontier = file.numbers(count as usize, u32::from_le_bytes)?;
        // None where all is settled and the table alone is to be written.
        if frontier.iter().any(|place| *place as usize >= positions) {
            return Err(checkpoint.refuse(BEGINS_NOWHERE));
        }
        let plies = u32::try_from(distance).ok();
        let Some(distance) = plies.filter(|plies| *plies <= wide_code::MAX_PLIES) else {
            return Err(checkpoint.refuse(&format!("is damaged: no play takes {distance} plies")));
        };
        let round = Round {
            distance,
            codes: shorts("codes")?,
            children: shorts("children")?,
            frontier,
        };
        Ok(ListingProgress::Listed {
            indices,
            round: Some(round),
        })
    }
}

const BEGINS_NOWHERE: &str = "is damaged: it leads from a position that is not in its list";

// Positions of a list that a task looks at.
const CHECKED: usize = 1 << 12;

// The part with all positions.
const LIST: &str = "list";

// Keeps the list of all positions, unless that was done.
fn save_list(checkpoint: &mut Checkpoint, indices: &[u64]) -> Result<(), SolveError> {
    if checkpoint.lists(LIST) {
        return Ok(());
    }
    let mut file = checkpoint.write(LIST)?;
    file.put_all(indices.iter().map(|index| index.to_le_bytes()))?;
    let record = file.finish()?;
    checkpoint.keep(LIST, record);
    checkpoint.commit(&[], &[])
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
