//! All positions for which an expression holds, and of large boards some that are drawn at random.

use std::collections::{BTreeMap, BinaryHeap};

use greenwave_game::{LISTED_BITS, Squares};
use greenwave_probe::Dice;
use greenwave_values::parallel::try_map_parts;
use greenwave_values::{Orbits, Place, Progress, Unit};

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

/// How many positions were looked at where they are drawn at random.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Drawn {
    /// Different ones that match.
    pub matching: u64,
    /// Draws, up to the one with which there were enough.
    pub drawn: u64,
}

// Positions that are drawn in search of a sample, unless more are wanted: some seconds.
const MOST_DRAWN: u64 = 1 << 20;

// Draws that a task makes, and tasks of a round.
const DRAWS: u64 = 1 << 8;
const TASKS: u64 = 1 << 4;

// Boards that are made up for one unfinished position.
const TRIES: u32 = 1 << 20;

/// Whether the positions of a game are too many to be gone through, so that [`find_drawn`] alone finds
/// any.
pub(crate) fn has_to_draw<G: Squares>(known: &Known<'_, G>) -> Result<bool, JudgeError> {
    let scan = known.positions(Among::Legal, Orbits::All)?;
    Ok(scan.walk().is_endless() && known.game().fixed_board().is_some())
}

/// Draws legal, unfinished positions of a board, each as likely as the others, until as many as the sample
/// has match, and hands those to `emit` in the order of their indices. Gives up after 2²⁰ draws, or after
/// as many as are wanted where those are more. What is drawn follows from the seed alone.
///
/// # Errors
/// When the work is cancelled, when the game is not one on a fixed board or hardly a position of it is
/// legal and unfinished, when a value cannot be read, and what `emit` fails with.
pub fn find_drawn<G: Squares>(
    known: &Known<'_, G>,
    bound: &Bound,
    wanted: Selection,
    progress: &dyn Progress,
    emit: &mut dyn FnMut(&G::Position) -> Result<(), JudgeError>,
) -> Result<Drawn, JudgeError> {
    let game = known.game();
    let scan = known.positions(Among::Legal, Orbits::All)?;
    let size = wanted.sample.unwrap_or(0);
    let most = MOST_DRAWN.max(size);
    progress.begin(
        &format!("drawing positions of {}", game.rules().title()),
        most,
        Unit::Positions,
    );
    let mut found: BTreeMap<Place, G::Position> = BTreeMap::new();
    let mut drawn = 0;
    for round in 0.. {
        if found.len() as u64 >= size || drawn >= most {
            break;
        }
        let tasks = try_map_parts(TASKS as usize, |task| {
            if progress.cancelled() {
                return Err(JudgeError::Interrupted);
            }
            let mut dice = Dice::new(wanted.seed, round * TASKS + task as u64);
            let mut scratch = Scratch::default();
            let mut matches = Vec::new();
            for draw in 1..=DRAWS {
                let (place, position) = draw_one(game, &mut dice)?;
                let at = (place, &position);
                if scan.keeps(known, bound, at, wanted.up_to_symmetry, &mut scratch) {
                    matches.push((draw, place, position));
                }
            }
            progress.advance(DRAWS);
            Ok(matches)
        })?;
        known.expect_read()?;
        for (task, matches) in (0..).zip(tasks) {
            let before = (round * TASKS + task) * DRAWS;
            for (draw, place, position) in matches {
                if (found.len() as u64) < size && before + draw <= most {
                    found.insert(place, position);
                    drawn = before + draw;
                }
            }
        }
        if (found.len() as u64) < size {
            drawn = most.min((round + 1) * TASKS * DRAWS);
        }
    }
    let limit = wanted.limit.map_or(usize::MAX, |limit| limit as usize);
    if !wanted.count_only {
        found.values().take(limit).try_for_each(emit)?;
    }
    Ok(Drawn {
        matching: found.len() as u64,
        drawn,
    })
}

// A legal, unfinished position of a board, each as likely as the others.
fn draw_one<G: Squares>(game: &G, dice: &mut Dice) -> Result<(Place, G::Position), JudgeError> {
    let levels = game.fixed_board().map(|game| game.board().levels);
    let squares = game.rules().cells;
    let mut tries = 0..levels.map_or(0, |_| TRIES);
    let drawn = tries.find_map(|_| {
        let mut level = || dice.below(u64::from(levels.unwrap_or(0)) + 1);
        let index = (0..squares).fold(0, |index, _| index << 2 | level());
        let position = game.at(index)?;
        let place = Place { index, symmetry: 0 };
        (game.ending(&position).is_none()).then_some((place, position))
    });
    drawn.ok_or_else(|| {
        JudgeError::Refused(format!(
            "{}: of {TRIES} boards drawn at random none is a legal, unfinished position; ask about a \
             board of at most 21 squares, so that all positions can be looked at",
            game.rules().title()
        ))
    })
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
