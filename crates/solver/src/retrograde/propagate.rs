//! Values spread backwards from finished games, one ply a round.

use std::sync::atomic::{AtomicU16, Ordering};

use greenwave_game::{Dense, Outcome, Plies};
use greenwave_values::{Progress, Unit, wide_code};
use rayon::prelude::*;

use super::graph::Graph;
use crate::SolveError;

// Positions that a task works on.
const TASK: usize = 1 << 12;

/// The distance codes of the positions with some indices.
pub(super) fn codes<G: Dense>(
    game: &G,
    indices: &[u64],
    graph: &Graph,
    progress: &dyn Progress,
) -> Result<Vec<u16>, SolveError> {
    // Drawn until decided otherwise.
    let codes: Vec<AtomicU16> = indices
        .iter()
        .map(|_| AtomicU16::new(wide_code::DRAW))
        .collect();
    progress.begin(
        "spreading values backwards",
        indices.len() as u64,
        Unit::Positions,
    );
    let mut frontier: Vec<u32> = (indices, &codes)
        .into_par_iter()
        .enumerate()
        .filter_map(|(place, (index, code))| {
            let ending = game.ending(&game.at_unchecked(*index)?)?;
            code.store(wide_code::of_ending(&ending), Ordering::Relaxed);
            (ending.outcome != Outcome::Draw).then_some(place as u32)
        })
        .collect();
    let mut distance = 0;
    while !frontier.is_empty() {
        progress.advance(frontier.len() as u64);
        distance += 1;
        if distance > wide_code::MAX_PLIES {
            return Err(SolveError::TooLong {
                variant: game.rules().name.clone(),
            });
        }
        let won = wide_code::encode(Outcome::Win, Plies(distance));
        let lost = wide_code::encode(Outcome::Loss, Plies(distance));
        let decided: Result<Vec<Vec<u32>>, SolveError> = frontier
            .par_chunks(TASK)
            .map(|places| {
                if progress.cancelled() {
                    return Err(SolveError::Interrupted);
                }
                let mut decided = Vec::new();
                for place in places {
                    let code = codes[*place as usize].load(Ordering::Relaxed);
                    let outcome = wide_code::decode(code).0;
                    for (parent, keeps_turn) in graph.parents(*place as usize) {
                        let good = (outcome == Outcome::Win) == keeps_turn;
                        // Several children may win for the parent in one round: the first to say so
                        // does.
                        let settled = if good {
                            codes[parent]
                                .compare_exchange(
                                    wide_code::DRAW,
                                    won,
                                    Ordering::Relaxed,
                                    Ordering::Relaxed,
                                )
                                .is_ok()
                        } else {
                            let last = graph.children[parent].fetch_sub(1, Ordering::Relaxed) == 1;
                            if last {
                                codes[parent].store(lost, Ordering::Relaxed);
                            }
                            last
                        };
                        if settled {
                            decided.push(parent as u32);
                        }
                    }
                }
                Ok(decided)
            })
            .collect();
        frontier = decided?.concat();
    }
    Ok(codes.into_iter().map(AtomicU16::into_inner).collect())
}
