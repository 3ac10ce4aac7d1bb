//! All positions for which an expression holds, and of large boards some that are drawn at random.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};

use greenwave_game::{LISTED_BITS, Squares, fixed_board};
use greenwave_probe::Dice;
use greenwave_values::parallel::{threads, try_map_parts};
use greenwave_values::{OrbitPlace, Orbits, Progress, Unit};

use crate::expr::{BoundExpression, KnownValues, MoveLists};
use crate::scan::{BATCH, Scan};
use crate::{Among, JudgeError};

/// Which matches are wanted.
#[derive(Clone, Copy, Debug, Default)]
pub struct Selection {
    /// At most this many, the first in order.
    pub limit: Option<u64>,
    /// This many at random.
    pub sample: Option<u64>,
    /// The seed of the random choice.
    pub seed: u64,
    /// None, only their number.
    pub count_only: bool,
    /// One of each orbit that has any: the first in order that matches.
    pub up_to_symmetry: bool,
}

/// Hands every wanted match to `emit` and returns the number of all matches. Matches come in the
/// order of their indices. Where positions are listed, an orbit has one index. The listed position
/// comes first, then its images in the order of the symmetries.
///
/// # Errors
/// When the work is cancelled, when it is not known which positions there are, and what `emit` fails
/// with.
pub fn find<G: Squares>(
    known: &KnownValues<'_, G>,
    bound: &BoundExpression,
    among: Among,
    wanted: Selection,
    progress: &dyn Progress,
    emit: &mut dyn FnMut(&G::Position) -> Result<(), JudgeError>,
) -> Result<u64, JudgeError> {
    let search = MatchSearch {
        known,
        bound,
        scan: known.scan(among, Orbits::All)?,
        wanted,
        progress,
    };
    let limit = wanted.limit.unwrap_or(u64::MAX);
    let (all, cut) = match wanted.sample {
        _ if wanted.count_only => return search.count(0, u64::BITS).map(|[all, ..]| all),
        Some(0) => return search.count(0, u64::BITS).map(|[all, ..]| all),
        Some(size) => {
            let (all, cut) = search.sampled(size)?;
            (Some(all), cut)
        }
        None => (None, u64::MAX),
    };
    let shown = search.emit(cut, limit, all.is_none(), emit)?;
    Ok(all.unwrap_or(shown))
}

/// A search for the matches of an expression. Samples are chosen by numbers that follow from the places
/// of matches and the seed, in several passes, so that no pass keeps more than some of them.
struct MatchSearch<'s, 'a, G: Squares> {
    known: &'s KnownValues<'a, G>,
    bound: &'s BoundExpression,
    scan: Scan<'a, G>,
    wanted: Selection,
    progress: &'s dyn Progress,
}

// Bits of a number by which a pass tells matches apart, and numbers that are put in order at once.
const BUCKET_BITS: u32 = 12;
const BUCKETS: usize = 1 << BUCKET_BITS;
const SORTED: u64 = 1 << 16;
// Bytes of matches that the threads hold before they are handed on.
const HELD: u64 = 4 << 20;

impl<G: Squares> MatchSearch<'_, '_, G> {
    /// Visits all matches: `note` gets each with its number, and `take` gets the notes of the
    /// parts, in order, until it returns false. The note about one match takes `bytes` bytes.
    fn pass<T: Send>(
        &self,
        bytes: usize,
        begin: impl Fn() -> T + Sync,
        note: impl Fn(&mut T, u64, G::Position) + Sync,
        take: impl FnMut(T) -> Result<bool, JudgeError>,
    ) -> Result<(), JudgeError> {
        let (_, size) = self.scan.walk().parts();
        let part = size.saturating_mul(bytes as u64).max(1);
        let mut take = take;
        self.scan.run_in(
            (HELD / part).max(2 * threads() as u64).min(BATCH),
            &format!("looking through {}", self.known.game().rules().title()),
            self.progress,
            || (begin(), MoveLists::default()),
            |(noted, scratch), positions| {
                for (place, position) in positions {
                    let at = (place, &position);
                    let up_to_symmetry = self.wanted.up_to_symmetry;
                    if self
                        .scan
                        .keeps(self.known, self.bound, at, up_to_symmetry, scratch)
                    {
                        note(noted, scattered(place, self.wanted.seed), position);
                    }
                }
            },
            |(noted, _)| take(noted),
        )
    }

    /// Counts the matches whose numbers, from `low` on, differ from it in the lowest `bits` bits
    /// only: all, and those of each bucket.
    fn count(&self, low: u64, bits: u32) -> Result<[u64; 1 + BUCKETS], JudgeError> {
        let shift = bits.saturating_sub(BUCKET_BITS);
        let buckets = if self.wanted.count_only {
            1
        } else {
            1 + BUCKETS
        };
        let mut counts = [0; 1 + BUCKETS];
        self.pass(
            0,
            || vec![0_u32; buckets],
            |counts, number, _| {
                let place = number.wrapping_sub(low);
                if bits == u64::BITS || place >> bits == 0 {
                    counts[0] += 1;
                    if let Some(count) = counts.get_mut(1 + (place >> shift) as usize) {
                        *count += 1;
                    }
                }
            },
            |part| {
                for (count, more) in counts.iter_mut().zip(part) {
                    *count += u64::from(more);
                }
                Ok(true)
            },
        )?;
        Ok(counts)
    }

    /// The number of all matches, and the largest of the `size` least numbers that matches have.
    fn sampled(&self, size: u64) -> Result<(u64, u64), JudgeError> {
        let counts = self.count(0, u64::BITS)?;
        let all = counts[0];
        if all <= size {
            return Ok((all, u64::MAX));
        }
        // The wanted number is the one of this rank, from `low` on.
        let (mut low, mut bits, mut rank, mut counts) = (0_u64, u64::BITS, size, counts);
        loop {
            bits = bits.saturating_sub(BUCKET_BITS);
            let mut within = 0;
            for (bucket, count) in (0_u64..).zip(&counts[1..]) {
                if rank <= *count {
                    low += bucket << bits;
                    within = *count;
                    break;
                }
                rank -= count;
            }
            let end = low | ((1_u64 << bits) - 1);
            if rank == within {
                return Ok((all, end));
            }
            if within <= SORTED {
                let mut numbers = self.numbers(low, end)?;
                numbers.sort_unstable();
                let found = numbers.get((rank as usize).saturating_sub(1));
                return Ok((all, found.copied().unwrap_or(end)));
            }
            counts = self.count(low, bits)?;
        }
    }

    /// The numbers of the matches between two.
    fn numbers(&self, low: u64, end: u64) -> Result<Vec<u64>, JudgeError> {
        let mut all = Vec::new();
        self.pass(
            0,
            Vec::new,
            |numbers, number, _| {
                if (low..=end).contains(&number) {
                    numbers.push(number);
                }
            },
            |numbers| {
                all.extend(numbers);
                Ok(true)
            },
        )?;
        Ok(all)
    }

    /// Hands on matches with numbers up to `cut`, `limit` of them or fewer, and returns the number
    /// of matches met: all of them with `to_the_end`.
    fn emit(
        &self,
        cut: u64,
        limit: u64,
        to_the_end: bool,
        emit: &mut dyn FnMut(&G::Position) -> Result<(), JudgeError>,
    ) -> Result<u64, JudgeError> {
        let (mut found, mut left) = (0, limit);
        // Where nothing more is shown, matches are counted alone.
        let showing = AtomicBool::new(left > 0);
        self.pass(
            size_of::<G::Position>(),
            || (0_u64, Vec::new()),
            |(count, matches), number, position| {
                if number <= cut {
                    *count += 1;
                    if showing.load(Ordering::Relaxed) {
                        matches.push(position);
                    }
                }
            },
            |(count, matches)| {
                found += count;
                for position in matches
                    .iter()
                    .take(usize::try_from(left).unwrap_or(usize::MAX))
                {
                    left -= 1;
                    emit(position)?;
                }
                showing.store(left > 0, Ordering::Relaxed);
                Ok(left > 0 || to_the_end)
            },
        )?;
        Ok(found)
    }
}

/// Hands every match to `work`, part by part on all threads. Each part has a state of its own from
/// `begin`, and `take` gets the states in the order of the indices. Callers that gather millions of
/// matches need this.
///
/// # Errors
/// As [`find`], and what `take` fails with.
pub fn find_in_parts<G: Squares, T: Send>(
    known: &KnownValues<'_, G>,
    bound: &BoundExpression,
    progress: &dyn Progress,
    begin: impl Fn() -> T + Sync,
    work: impl Fn(&mut T, &G::Position, &mut MoveLists<G::Move>) + Sync,
    mut take: impl FnMut(T) -> Result<(), JudgeError>,
) -> Result<(), JudgeError> {
    let scan = known.scan(Among::Legal, Orbits::All)?;
    scan.run(
        &format!("looking through {}", known.game().rules().title()),
        progress,
        || (begin(), MoveLists::default()),
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

/// The number of positions in a random sample.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SampleSize {
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

/// Whether the positions of a game are too many to visit, so that only [`find_drawn`] finds any.
pub(crate) fn has_to_draw<G: Squares>(known: &KnownValues<'_, G>) -> Result<bool, JudgeError> {
    let scan = known.positions(Among::Legal, Orbits::All)?;
    Ok(scan.walk().is_endless() && fixed_board(known.game()).is_some())
}

/// Draws legal, unfinished positions of a board, each as likely as the others, until as many as the
/// sample has match, and hands those to `emit` in the order of their indices. Gives up after 2²⁰
/// draws, or after as many as are wanted where those are more. The sample follows from the seed
/// alone.
///
/// # Errors
/// When the work is cancelled. When the game is not one on a fixed board, or hardly a position of
/// it is legal and unfinished. When a value cannot be read. When `emit` fails.
pub fn find_drawn<G: Squares>(
    known: &KnownValues<'_, G>,
    bound: &BoundExpression,
    wanted: Selection,
    progress: &dyn Progress,
    emit: &mut dyn FnMut(&G::Position) -> Result<(), JudgeError>,
) -> Result<SampleSize, JudgeError> {
    let game = known.game();
    let scan = known.positions(Among::Legal, Orbits::All)?;
    let size = wanted.sample.unwrap_or(0);
    let most = MOST_DRAWN.max(size);
    progress.begin(
        &format!("drawing positions of {}", game.rules().title()),
        most,
        Unit::Positions,
    );
    let mut found: BTreeMap<OrbitPlace, G::Position> = BTreeMap::new();
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
            let mut scratch = MoveLists::default();
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
    Ok(SampleSize {
        matching: found.len() as u64,
        drawn,
    })
}

// A legal, unfinished position of a board, each as likely as the others.
fn draw_one<G: Squares>(
    game: &G,
    dice: &mut Dice,
) -> Result<(OrbitPlace, G::Position), JudgeError> {
    let levels = fixed_board(game).map(|game| game.board().levels);
    let squares = game.rules().cells;
    let mut tries = 0..levels.map_or(0, |_| TRIES);
    let drawn = tries.find_map(|_| {
        let mut level = || dice.below(u64::from(levels.unwrap_or(0)) + 1);
        let index = (0..squares).fold(0, |index, _| index << 2 | level());
        let position = game.at(index)?;
        let place = OrbitPlace { index, symmetry: 0 };
        (game.ending(&position).is_none()).then_some((place, position))
    });
    drawn.ok_or_else(|| {
        JudgeError::refused(format!(
            "{}: of {TRIES} boards drawn at random none is a legal, unfinished position; ask about a \
             board of at most 21 squares, so that find can look at all positions",
            game.rules().title()
        ))
    })
}

/// A number that follows from a place and a seed without visible order (the finaliser of
/// splitmix64).
fn scattered(place: OrbitPlace, seed: u64) -> u64 {
    // Indices of lists leave the upper bits free, and elsewhere the symmetry is 0.
    let number = place.index | u64::from(place.symmetry) << LISTED_BITS;
    let mut bits = number.wrapping_add(seed.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    bits = (bits ^ bits >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ bits >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ bits >> 31
}
