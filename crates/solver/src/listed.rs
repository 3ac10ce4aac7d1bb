//! Summaries and tables of listed positions.

use greenwave_game::listed::{decode, orbit_size};
use greenwave_game::{Colours, Dense, Figures, Listed, Metric};
use greenwave_table::{self as table, IndexScheme, LEAF_LEN, Layout, Leaf, ValueKind};
use rayon::prelude::*;

use crate::SolveError;
use crate::summary::{plain_outcome, summary_with};

// Codes have sixteen bits.
const CODES: usize = 1 << 16;
// Positions that a task counts.
const TASK: usize = 1 << 14;

/// Counts of listed positions, those that are not finished and not up to symmetry, and openings.
pub(crate) fn summarise<G: Dense>(
    game: &G,
    metric: Metric,
    listed: &Listed,
    figures_of: impl Fn(&G::Position) -> Figures,
) -> table::Summary {
    let counts = count(game, listed);
    let longest = (metric == Metric::Distance)
        .then(|| longest(game, listed, &counts))
        .flatten();
    table::Summary {
        longest,
        ..summary_with(game, metric, histogram(metric, &counts), figures_of)
    }
}

/// Unfinished positions by code, not up to symmetry.
fn count<G: Dense>(game: &G, listed: &Listed) -> Vec<(u16, u64)> {
    let counts = (listed.indices(), listed.codes())
        .into_par_iter()
        .with_min_len(TASK)
        .fold(
            || vec![0_u64; CODES],
            |mut counts, (index, code)| {
                if let Some(position) = game.at(*index)
                    && game.ending(&position).is_none()
                {
                    counts[usize::from(*code)] += orbit_size(game, &position);
                }
                counts
            },
        )
        .reduce(
            || vec![0; CODES],
            |mut sum, counts| {
                sum.iter_mut()
                    .zip(counts)
                    .for_each(|(sum, count)| *sum += count);
                sum
            },
        );
    let seen = |(code, count): (usize, u64)| (count > 0).then_some((code as u16, count));
    counts.into_iter().enumerate().filter_map(seen).collect()
}

/// Number of positions that a list stands for, not up to symmetry.
pub(crate) fn positions<G: Dense>(game: &G, listed: &Listed) -> u64 {
    let orbit = |index: &u64| {
        game.at(*index)
            .map_or(0, |position| orbit_size(game, &position))
    };
    listed
        .indices()
        .par_iter()
        .with_min_len(TASK)
        .map(orbit)
        .sum()
}

/// The counts as a histogram, in no particular order.
fn histogram(metric: Metric, counts: &[(u16, u64)]) -> Vec<table::HistogramEntry> {
    let entry = |(code, count): &(u16, u64)| {
        let figures = decode(metric, *code);
        table::HistogramEntry {
            outcome: figures.value.map(plain_outcome),
            key: figures.distance.map_or(0, |plies| plies.0.into()),
            count: *count,
        }
    };
    counts.iter().map(entry).collect()
}

/// The first position, in index order, among the unfinished ones furthest from their end.
fn longest<G: Dense>(game: &G, listed: &Listed, counts: &[(u16, u64)]) -> Option<table::Longest> {
    let (plies, code) = counts
        .iter()
        .filter_map(|(code, _)| Some((decode(Metric::Distance, *code).distance?, *code)))
        .max()?;
    let positions = (listed.indices(), listed.codes()).into_par_iter();
    let example = positions
        .filter(|(_, other)| **other == code)
        .filter_map(|(index, _)| game.at(*index))
        .find_first(|position| game.ending(position).is_none())?;
    Some(table::Longest {
        distance: plies.0,
        outcome: plain_outcome(decode(Metric::Distance, code).value?),
        example: game.position_text(&example, Colours::Ryg),
    })
}

/// How a table of listed positions is cut: one value of 64 bits for each, its index above its code.
pub(crate) fn layout(metric: Metric, listed: &Listed) -> Result<Layout, SolveError> {
    let positions = listed.indices().len() as u64;
    Ok(Layout::new(
        metric.name(),
        64,
        ValueKind::Unsigned,
        positions,
    )?)
}

/// A leaf of such a table.
pub(crate) fn pack_leaf(listed: &Listed, leaf: u64) -> Leaf {
    let first = (leaf * LEAF_LEN) as usize;
    let last = listed.indices().len().min(first + LEAF_LEN as usize);
    let values = listed.indices()[first..last]
        .iter()
        .zip(&listed.codes()[first..last]);
    Leaf::pack(
        64,
        values.map(|(index, code)| IndexScheme::entry(*index, *code)),
    )
}
