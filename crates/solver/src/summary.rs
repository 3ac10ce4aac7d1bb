//! What a solution comes to: counts, histogram, longest play, openings.

use greenwave_game::{
    Colours, Dense, DenseValues, Figures, LEAF_BITS, LeafMask, Metric, Outcome, Packing, codes,
};
use greenwave_table as table;
use rayon::prelude::*;

use crate::listed;

// Codes lie between −2^15 and 2^15 − 1.
const CODES: usize = 1 << 16;
const ZERO: usize = CODES / 2;

/// Counts of a solved game over its legal, unfinished positions (not up to symmetry; of listed
/// positions those that play reaches), and its openings.
pub fn summarise<G: Dense>(game: &G, values: &DenseValues) -> table::Summary {
    let metric = values.metric();
    let (histogram, longest) = match values.listed() {
        Some(positions) => {
            let counts = listed::count(game, positions);
            let longest = (metric == Metric::Distance)
                .then(|| listed::longest(game, positions, &counts))
                .flatten();
            (listed::histogram(metric, &counts), longest)
        }
        None => {
            let counts = count(game, values);
            (histogram(metric, &counts), longest(game, values, &counts))
        }
    };
    let total = |outcome| {
        let of = |entry: &&table::HistogramEntry| outcome_of(metric, entry) == Some(outcome);
        histogram.iter().filter(of).map(|entry| entry.count).sum()
    };
    table::Summary {
        start: plain_figures(&figures(game, values, &game.start())),
        by_value: Some(table::ByValue {
            win: total(table::Outcome::Win),
            loss: total(table::Outcome::Loss),
            draw: total(table::Outcome::Draw),
        }),
        longest,
        openings: openings(game, values),
        histogram: sorted(histogram),
    }
}

/// Number of positions that a solution stands for: all indices, or where positions are listed those
/// that play reaches, not up to symmetry.
pub fn positions<G: Dense>(game: &G, values: &DenseValues) -> u128 {
    match values.listed() {
        Some(positions) => listed::positions(game, positions).into(),
        None => game.indexable(),
    }
}

fn histogram(metric: Metric, counts: &[u64]) -> Vec<table::HistogramEntry> {
    counts
        .iter()
        .enumerate()
        .filter(|(_, count)| **count > 0)
        .map(|(slot, count)| entry(metric, slot as i32 - ZERO as i32, *count))
        .collect()
}

/// Number of legal, unfinished positions that a summary counts.
pub(crate) fn nonterminal(summary: &table::Summary) -> u64 {
    summary.histogram.iter().map(|entry| entry.count).sum()
}

fn count<G: Dense>(game: &G, values: &DenseValues) -> Vec<u64> {
    let leaves = values.len().div_ceil(1 << LEAF_BITS);
    (0..leaves)
        .into_par_iter()
        .fold(
            || (vec![0_u64; CODES], LeafMask::default()),
            |(mut counts, mut mask), leaf| {
                game.leaf_mask(Packing::Unfinished, leaf, &mut mask);
                for place in mask.places() {
                    let code = values.code((leaf << LEAF_BITS) + u64::from(place));
                    counts[(code + ZERO as i32) as usize] += 1;
                }
                (counts, mask)
            },
        )
        .map(|(counts, _)| counts)
        .reduce(
            || vec![0; CODES],
            |mut sum, counts| {
                sum.iter_mut()
                    .zip(counts)
                    .for_each(|(sum, count)| *sum += count);
                sum
            },
        )
}

// The nimber is 0 exactly where the player to move loses (Sprague and Grundy).
fn outcome_of(metric: Metric, entry: &table::HistogramEntry) -> Option<table::Outcome> {
    match (metric, entry.key) {
        (Metric::Nimber, 0) => Some(table::Outcome::Loss),
        (Metric::Nimber, _) => Some(table::Outcome::Win),
        _ => entry.outcome,
    }
}

fn entry(metric: Metric, code: i32, count: u64) -> table::HistogramEntry {
    let figures = codes::decode(metric, code);
    let key = match metric {
        Metric::Distance => figures.distance.map_or(0, |plies| i64::from(plies.0)),
        Metric::Value => 0,
        Metric::Points | Metric::Nimber | Metric::Odds => i64::from(code),
    };
    table::HistogramEntry {
        outcome: figures.value.map(plain_outcome),
        key,
        count,
    }
}

// Wins first, then draws, then losses; within each the smallest number first.
fn sorted(mut histogram: Vec<table::HistogramEntry>) -> Vec<table::HistogramEntry> {
    let rank = |outcome| match outcome {
        Some(table::Outcome::Win) => 0,
        Some(table::Outcome::Draw) => 1,
        Some(table::Outcome::Loss) => 2,
        None => 3,
    };
    histogram.sort_by_key(|entry| (rank(entry.outcome), entry.key));
    histogram
}

// The first position, in index order, among those furthest from their end.
fn longest<G: Dense>(game: &G, values: &DenseValues, counts: &[u64]) -> Option<table::Longest> {
    if values.metric() != Metric::Distance {
        return None;
    }
    let (plies, code) = counts
        .iter()
        .enumerate()
        .filter(|(_, count)| **count > 0)
        .map(|(slot, _)| slot as i32 - ZERO as i32)
        .filter_map(|code| Some((codes::decode(Metric::Distance, code).distance?, code)))
        .max()?;
    let index = (0..values.len()).into_par_iter().find_first(|index| {
        values.code(*index) == code
            && game
                .at(*index)
                .is_some_and(|position| game.ending(&position).is_none())
    })?;
    Some(table::Longest {
        distance: plies.0,
        outcome: plain_outcome(codes::decode(Metric::Distance, code).value?),
        example: game.position_text(&game.at(index)?, Colours::Ryg),
    })
}

fn openings<G: Dense>(game: &G, values: &DenseValues) -> Vec<table::Opening> {
    let start = game.start();
    let mut moves = Vec::new();
    game.moves(&start, &mut moves);
    moves
        .into_iter()
        .map(|mv| {
            let edge = game.play(&start, mv);
            let below = figures(game, values, &edge.to);
            table::Opening {
                mv: game.move_text(&start, mv, Colours::Ryg),
                to: Some(game.position_text(&edge.to, Colours::Ryg)),
                figures: plain_figures(&below.after_move(edge.gain, edge.keeps_turn)),
                ends: game.ending(&edge.to).is_some(),
            }
        })
        .collect()
}

fn figures<G: Dense>(game: &G, values: &DenseValues, position: &G::Position) -> Figures {
    match game.ending(position) {
        Some(ending) => {
            let metric = values.metric();
            codes::decode(metric, codes::ended_code(metric, &ending))
        }
        None => values.figures(game.index(position)),
    }
}

pub(crate) fn plain_outcome(outcome: Outcome) -> table::Outcome {
    match outcome {
        Outcome::Win => table::Outcome::Win,
        Outcome::Loss => table::Outcome::Loss,
        Outcome::Draw => table::Outcome::Draw,
    }
}

pub(crate) fn plain_figures(figures: &Figures) -> table::Figures {
    table::Figures {
        value: figures.value.map(plain_outcome),
        distance: figures.distance.map(|plies| plies.0),
        points: figures.points,
        nimber: figures.nimber,
        odds: figures.odds.map(|odds| table::Odds {
            win: odds.win,
            draw: odds.draw,
            loss: odds.loss,
            expectation: odds.expectation,
        }),
    }
}
