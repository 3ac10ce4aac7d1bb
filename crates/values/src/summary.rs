//! What a solution comes to: counts, histogram, longest play, openings.

use greenwave_game::{Colours, Dense, Figures, LEAF_BITS, LeafMask, Metric, Outcome, Packing};
use greenwave_table as table;
use rayon::prelude::*;

use crate::{DenseValues, codes, listed_tables as listed};

// Codes lie between −2^15 and 2^15 − 1.
const CODES: usize = 1 << 16;
const ZERO: usize = CODES / 2;

/// Counts of a solved game over its legal, unfinished positions (not up to symmetry; of listed
/// positions those that play reaches), and its openings.
pub fn summarise<G: Dense>(game: &G, values: &DenseValues) -> table::Summary {
    let metric = values.metric();
    if let Some(positions) = values.listed() {
        return listed::summarise(game, metric, positions, |position| {
            values.figures(game.index(position))
        });
    }
    let counts = count(game, values);
    let codes: Vec<(i32, u64)> = counts
        .iter()
        .enumerate()
        .map(|(slot, count)| (slot as i32 - ZERO as i32, *count))
        .collect();
    let mut summary = summary_of(game, metric, &codes, |position| {
        values.figures(game.index(position))
    });
    summary.longest = longest(game, values, &counts);
    summary
}

/// The summary, but for the longest play, from how often each code occurs among the legal,
/// unfinished positions. `figures_of` is asked for the start and what its moves lead to, where
/// unfinished.
pub fn summary_of<G: Dense>(
    game: &G,
    metric: Metric,
    codes: &[(i32, u64)],
    figures_of: impl Fn(&G::Position) -> Figures,
) -> table::Summary {
    let histogram = codes
        .iter()
        .filter(|(_, count)| *count > 0)
        .map(|(code, count)| entry(metric, *code, *count))
        .collect();
    summary_with(game, metric, histogram, figures_of)
}

/// The summary with a histogram, but for the longest play.
pub(crate) fn summary_with<G: Dense>(
    game: &G,
    metric: Metric,
    histogram: Vec<table::HistogramEntry>,
    figures_of: impl Fn(&G::Position) -> Figures,
) -> table::Summary {
    let total = |outcome| {
        let of = |entry: &&table::HistogramEntry| outcome_of(metric, entry) == Some(outcome);
        histogram.iter().filter(of).map(|entry| entry.count).sum()
    };
    let figures = |position: &G::Position| match game.ending(position) {
        Some(ending) => codes::decode(metric, codes::ended_code(metric, &ending)),
        None => figures_of(position),
    };
    table::Summary {
        start: plain_figures(&figures(&game.start())),
        by_value: Some(table::ByValue {
            win: total(table::Outcome::Win),
            loss: total(table::Outcome::Loss),
            draw: total(table::Outcome::Draw),
        }),
        longest: None,
        openings: openings(game, figures),
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

fn openings<G: Dense>(game: &G, figures: impl Fn(&G::Position) -> Figures) -> Vec<table::Opening> {
    let start = game.start();
    let mut moves = Vec::new();
    game.moves(&start, &mut moves);
    moves
        .into_iter()
        .map(|mv| {
            let edge = game.play(&start, mv);
            let below = figures(&edge.to);
            table::Opening {
                mv: game.move_text(&start, mv, Colours::Ryg),
                to: Some(game.position_text(&edge.to, Colours::Ryg)),
                figures: plain_figures(&below.after_move(edge.gain, edge.keeps_turn)),
                ends: game.ending(&edge.to).is_some(),
            }
        })
        .collect()
}

/// A result as tables keep it.
#[must_use]
pub fn plain_outcome(outcome: Outcome) -> table::Outcome {
    match outcome {
        Outcome::Win => table::Outcome::Win,
        Outcome::Loss => table::Outcome::Loss,
        Outcome::Draw => table::Outcome::Draw,
    }
}

/// Figures as tables keep them.
#[must_use]
pub fn plain_figures(figures: &Figures) -> table::Figures {
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
