//! All positions for which an expression holds.

use std::collections::BinaryHeap;

use greenwave_game::{LISTED_BITS, Squares};
use greenwave_values::{Orbits, Place, Progress};

use crate::expr::{Bound, Known, Scratch};
use crate::{Among, JudgeError};

/// Which matches are wanted.
#[derive(Clone, Copy, Debug, Default)]
pub struct Selection {
    /// At most so many, the first in order.
    pub limit: Option<u64>,
    /// So many at random.
    pub sample: Option<u64>,
    /// What the random choice follows from.
    pub seed: u64,
    /// None, only their number.
    pub count_only: bool,
    /// One of each orbit that has any: the first in order that matches.
    pub up_to_symmetry: bool,
}

/// Hands every wanted match to `emit` and returns the number of all matches. Matches come in the order
/// of their indices; where positions are listed, an orbit has one index, and its positions come in
/// the order of the symmetries that make them of the one that is listed, which is the first.
///
/// # Errors
/// When the work is cancelled, when it is not known which positions there are, and what `emit` fails
/// with.
pub fn find<G: Squares>(
    known: &Known<'_, G>,
    bound: &Bound,
    among: Among,
    wanted: Selection,
    progress: &dyn Progress,
    emit: &mut dyn FnMut(&G::Position) -> Result<(), JudgeError>,
) -> Result<u64, JudgeError> {
    let game = known.game();
    let scan = known.scan(among, Orbits::All)?;
    let mut count = 0_u64;
    let mut left = match (wanted.count_only, wanted.sample) {
        (true, _) | (_, Some(_)) => 0,
        _ => wanted.limit.unwrap_or(u64::MAX),
    };
    let keep_all = left > 0 || (wanted.sample.is_some() && !wanted.count_only);
    let mut sample: BinaryHeap<(u64, Place)> = BinaryHeap::new();
    scan.run(
        &format!("looking through {}", game.rules().title()),
        progress,
        || (0_u64, Vec::new(), Scratch::default()),
        |(count, matches, scratch), positions| {
            for (place, position) in positions {
                let at = (place, &position);
                if scan.keeps(known, bound, at, wanted.up_to_symmetry, scratch) {
                    *count += 1;
                    if keep_all {
                        matches.push((place, position));
                    }
                }
            }
        },
        |(found, matches, _)| {
            count += found;
            for (place, position) in matches {
                if let Some(size) = wanted.sample {
                    sample.push((scattered(place, wanted.seed), place));
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
    let mut chosen: Vec<Place> = sample.into_iter().map(|(_, place)| place).collect();
    chosen.sort_unstable();
    for place in chosen
        .into_iter()
        .take(wanted.limit.map_or(usize::MAX, |limit| limit as usize))
    {
        if let Some(position) = scan.walk().at(place) {
            emit(&position)?;
        }
    }
    Ok(count)
}

/// Hands every match to `work`, part by part on all threads, each part with a state of its own from
/// `begin`, and the states to `take` in the order of the indices: for who gathers millions of matches.
///
/// # Errors
/// As [`find`], and what `take` fails with.
pub fn find_in_parts<G: Squares, T: Send>(
    known: &Known<'_, G>,
    bound: &Bound,
    progress: &dyn Progress,
    begin: impl Fn() -> T + Sync,
    work: impl Fn(&mut T, &G::Position, &mut Scratch<G::Move>) + Sync,
    mut take: impl FnMut(T) -> Result<(), JudgeError>,
) -> Result<(), JudgeError> {
    let scan = known.scan(Among::Legal, Orbits::All)?;
    scan.run(
        &format!("looking through {}", known.game().rules().title()),
        progress,
        || (begin(), Scratch::default()),
        |(state, scratch), positions| {
            for (place, position) in positions {
                if scan.keeps(known, bound, (place, &position), false, scratch) {
                    work(state, &position, scratch);
                }
            }
        },
        |(state, _)| take(state).map(|()| true),
    )
}

/// A number that follows from a place and a seed without visible order (the finaliser of
/// splitmix64).
fn scattered(place: Place, seed: u64) -> u64 {
    // Indices of lists leave the upper bits free, and elsewhere the symmetry is 0.
    let number = place.index | u64::from(place.symmetry) << LISTED_BITS;
    let mut bits = number.wrapping_add(seed.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    bits = (bits ^ bits >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ bits >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ bits >> 31
}
