//! All positions for which an expression holds.

use std::collections::BinaryHeap;

use greenwave_probe::Reached;
use greenwave_solver::Progress;

use crate::expr::{Bound, Known, Spare};
use crate::scan::{Among, Scan};
use crate::{JudgeError, Squares};

/// Which matches are wanted.
#[derive(Clone, Copy, Debug, Default)]
pub struct Wanted {
    /// At most so many, the first in index order.
    pub limit: Option<u64>,
    /// So many at random.
    pub sample: Option<u64>,
    /// What the random choice follows from.
    pub seed: u64,
    /// None, only their number.
    pub count_only: bool,
    /// One of each orbit: the one with the least index.
    pub up_to_symmetry: bool,
}

/// Whether no image of a position under a symmetry has a lower index.
pub(crate) fn is_least<G: Squares>(game: &G, position: &G::Position) -> bool {
    let index = game.index(position);
    (1..game.symmetries()).all(|symmetry| game.index(&game.image(position, symmetry)) >= index)
}

/// Hands every wanted match to `emit` in index order and returns the number of all matches.
///
/// # Errors
/// When the work is cancelled, and what `emit` fails with.
pub fn find<G: Squares>(
    known: &Known<'_, G>,
    bound: &Bound,
    among: Among,
    reached: Option<&Reached>,
    wanted: Wanted,
    progress: &dyn Progress,
    emit: &mut dyn FnMut(&G::Position) -> Result<(), JudgeError>,
) -> Result<u64, JudgeError> {
    let game = known.game();
    let scan = Scan {
        game,
        among,
        reached,
    };
    let mut count = 0_u64;
    let mut left = match (wanted.count_only, wanted.sample) {
        (true, _) | (_, Some(_)) => 0,
        _ => wanted.limit.unwrap_or(u64::MAX),
    };
    let keep_all = left > 0 || (wanted.sample.is_some() && !wanted.count_only);
    let mut sample: BinaryHeap<(u64, u64)> = BinaryHeap::new();
    scan.run(
        &format!("looking through {}", game.rules().name),
        progress,
        || (0_u64, Vec::new(), Spare::default()),
        |(count, matches, spare), positions| {
            for (index, position) in positions {
                if known.holds(bound, &position, among == Among::Legal, spare)
                    && (!wanted.up_to_symmetry || is_least(game, &position))
                {
                    *count += 1;
                    if keep_all {
                        matches.push((index, position));
                    }
                }
            }
        },
        |(found, matches, _)| {
            count += found;
            for (index, position) in matches {
                if let Some(size) = wanted.sample {
                    sample.push((scattered(index, wanted.seed), index));
                    if sample.len() as u64 > size {
                        sample.pop();
                    }
                } else if left > 0 {
                    left -= 1;
                    emit(&position)?;
                }
            }
            Ok(true)
        },
    )?;
    let mut chosen: Vec<u64> = sample.into_iter().map(|(_, index)| index).collect();
    chosen.sort_unstable();
    for index in chosen
        .into_iter()
        .take(wanted.limit.map_or(usize::MAX, |limit| limit as usize))
    {
        if let Some(position) = game.at(index) {
            emit(&position)?;
        }
    }
    Ok(count)
}

/// A number that follows from an index and a seed without visible order (the finaliser of
/// splitmix64).
fn scattered(index: u64, seed: u64) -> u64 {
    let mut bits = index.wrapping_add(seed.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    bits = (bits ^ bits >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ bits >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ bits >> 31
}
