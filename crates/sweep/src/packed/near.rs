//! Low and middle squares for what a position can become.
//!
//! A square that was raised before wastes a part of every block, so low and middle squares are chosen anew
//! for each position: any squares without a pattern across all three kinds. Layouts are compared first as if
//! patterns were independent of each other, and the best of these by filling boards at random.

use greenwave_values::parallel::map_parts;

use crate::sweep::pattern::Pattern;

use super::layout::{LOW, MIDDLE, Patterns, SquareLayout, orbits_of, squares_of};

/// Orbits among which low and middle squares are chosen.
const CHOICE: usize = 13;

/// Layouts that are measured in detail.
pub(super) const GUESSES: usize = 12;

/// Nanoseconds of a family and of a block, roughly, to compare layouts.
const FAMILY: f32 = 500.0;
const BLOCK: f32 = 20.0;

// Squares and lines as far as they tell how many positions are undecided.
struct NearBoard {
    // By square: the logarithm of how many levels it can have.
    room: Vec<f32>,
    // Sets of squares, and minus the logarithm of how many of their positions show no pattern on them.
    lines: Vec<(u32, f32)>,
}

impl NearBoard {
    fn new(patterns: &Patterns) -> NearBoard {
        let mut levels = vec![4.0_f32; patterns.squares];
        let (single, lines): (Vec<_>, Vec<_>) = patterns
            .deciding
            .iter()
            .partition(|pattern| pattern.mask.count_ones() <= 2);
        for square in single
            .into_iter()
            .flat_map(|pattern: &Pattern| pattern.squares())
        {
            levels[square as usize] -= 1.0;
        }
        let mut shown: Vec<(u32, f32)> = lines
            .into_iter()
            .map(|pattern| {
                let squares = pattern.squares();
                let room: f32 = squares.map(|square| levels[square as usize]).product();
                (squares_of(*pattern), room.recip())
            })
            .collect();
        shown.sort_unstable_by_key(|(squares, _)| *squares);
        let lines = shown.chunk_by(|a, b| a.0 == b.0).map(|line| {
            let share: f32 = line.iter().map(|(_, share)| *share).sum();
            (line[0].0, -(1.0 - share.min(0.99_f32)).ln())
        });
        NearBoard {
            lines: lines.collect(),
            room: levels.iter().map(|levels| levels.max(1.0).ln()).collect(),
        }
    }

    // The logarithm of how many positions of some squares show no pattern.
    fn free(&self, set: u32) -> f32 {
        let room = self.room.iter().enumerate();
        let room: f32 = room
            .filter(|(square, _)| set >> square & 1 == 1)
            .map(|(_, room)| room)
            .sum();
        let lines = self.lines.iter().filter(|(line, _)| line & !set == 0);
        room - lines.map(|(_, shown)| shown).sum::<f32>()
    }

    // How many times as many positions a square makes.
    fn gain(&self, square: usize) -> f32 {
        let through = self
            .lines
            .iter()
            .filter(|(line, _)| line >> square & 1 == 1);
        // A line is shared by its squares, three as a rule.
        self.room[square] - through.map(|(_, shown)| shown).sum::<f32>() / 3.0
    }
}

/// Low and middle squares of what a position can become, and what sweeping it takes of one core, guessed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Guess {
    pub(super) nanoseconds: f32,
    low: u32,
    mid: u32,
}

impl Guess {
    /// The layout, and a better estimate of its nanoseconds.
    pub(super) fn layout(&self, patterns: &Patterns) -> (f64, SquareLayout) {
        let symmetries = &patterns.symmetries;
        let layout = SquareLayout::new(patterns, symmetries, self.low, self.mid);
        let (blocks, families) = layout.counts(patterns);
        let time = blocks * f64::from(BLOCK) + families * f64::from(FAMILY);
        (time / symmetries.len() as f64, layout)
    }
}

/// Low and middle squares under all symmetries of some patterns: a few choices, the quickest first.
pub(super) fn guesses(patterns: &Patterns) -> Vec<Guess> {
    let symmetries = &patterns.symmetries;
    let board = NearBoard::new(patterns);
    let all = u32::MAX >> (32 - patterns.squares);
    let mut orbits = orbits_of(symmetries, all);
    let gain = |orbit: &u32| {
        let squares = (0..patterns.squares).filter(|square| orbit >> square & 1 == 1);
        let gain: f32 = squares.map(|square| board.gain(square)).sum();
        gain / orbit.count_ones() as f32
    };
    orbits.sort_by(|a, b| gain(b).total_cmp(&gain(a)));
    orbits.truncate(CHOICE);
    let unions = |sizes: std::ops::RangeInclusive<u32>| -> Vec<u32> {
        let unions = (0..1_u32 << orbits.len()).map(|chosen| {
            let orbits = orbits.iter().enumerate();
            let chosen = orbits.filter(|(number, _)| chosen >> number & 1 == 1);
            chosen.fold(0, |union, (_, orbit)| union | orbit)
        });
        unions
            .filter(|union| sizes.contains(&union.count_ones()))
            .collect()
    };
    let (lows, mids) = (unions(LOW as u32..=LOW as u32), unions(0..=MIDDLE as u32));
    let lines: Vec<u32> = patterns.lines();
    let joined = |low: u32, mid: u32, far: u32| {
        let mut lines = lines.iter().chain(&patterns.runs);
        lines.any(|line| line & low != 0 && line & mid != 0 && line & far != 0)
    };
    let mids: Vec<(u32, f32)> = map_parts(mids.len(), |number| {
        (mids[number], board.free(all & !mids[number]))
    });
    let guesses = map_parts(lows.len(), |number| {
        let low = lows[number];
        let blocks = BLOCK * board.free(all & !low).exp();
        let mut best: Vec<Guess> = Vec::new();
        for (mid, without) in &mids {
            let far = all & !low & !mid;
            let worst = best.last().filter(|_| best.len() == GUESSES);
            let worst = worst.map_or(f32::INFINITY, |worst| worst.nanoseconds);
            // A low square makes at most four times as many families.
            let least = FAMILY * (without - LOW as f32 * 4_f32.ln()).exp() + blocks;
            if mid & low != 0 || far == 0 || least >= worst {
                continue;
            }
            let nanoseconds = FAMILY * board.free(far).exp() + blocks;
            if nanoseconds < worst && !joined(low, *mid, far) {
                let place = best.partition_point(|other| other.nanoseconds <= nanoseconds);
                let mid = *mid;
                best.insert(
                    place,
                    Guess {
                        nanoseconds,
                        low,
                        mid,
                    },
                );
                best.truncate(GUESSES);
            }
        }
        best
    });
    let mut guesses: Vec<Guess> = guesses.into_iter().flatten().collect();
    for guess in &mut guesses {
        guess.nanoseconds /= symmetries.len() as f32;
    }
    guesses.sort_by(|a, b| a.nanoseconds.total_cmp(&b.nanoseconds));
    guesses.truncate(GUESSES);
    guesses
}
