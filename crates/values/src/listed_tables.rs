//! Summaries and tables of listed positions.

use greenwave_game::{Colours, Dense, Figures, Metric, orbit_size};
use greenwave_table::{
    self as table, IndexScheme, LEAF_BITS, LEAF_LEN, Layout, Leaf, Table, ValueKind,
};
use rayon::prelude::*;

use crate::ValuesError;
use crate::listed::{Listed, decode};
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
pub(crate) fn layout(metric: Metric, listed: &Listed) -> Result<Layout, ValuesError> {
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

/// The value at a place of a table's list; `None` beyond its end or where the frame lacks it.
fn entry(table: &Table, place: u64) -> Result<Option<(u64, u16)>, ValuesError> {
    let value = table
        .leaf(place >> LEAF_BITS)?
        .value((place % LEAF_LEN) as u32);
    Ok(value.map(IndexScheme::split))
}

/// The figures of an index in a table; none when it is not listed.
pub(crate) fn figures(table: &Table, metric: Metric, index: u64) -> Result<Figures, ValuesError> {
    // First the leaf, by the first index of each, so that few leaves are read.
    let (mut low, mut high) = (0, table.layout().leaves());
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        match entry(table, middle << LEAF_BITS)? {
            Some((first, _)) if first <= index => low = middle,
            _ => high = middle,
        }
    }
    let indices = table.layout().indices_of_leaf(low);
    let (mut low, mut high) = (indices.start, indices.end);
    while low < high {
        let middle = low + (high - low) / 2;
        match entry(table, middle)? {
            Some((found, code)) if found == index => return Ok(decode(metric, code)),
            Some((found, _)) if found < index => low = middle + 1,
            _ => high = middle,
        }
    }
    Ok(Figures::default())
}

/// All of a table's list; an error text when the indices do not rise.
pub(crate) fn read(table: &Table) -> Result<Result<Listed, String>, ValuesError> {
    let layout = table.layout();
    let leaves: Result<Vec<Vec<(u64, u16)>>, ValuesError> = (0..layout.leaves())
        .into_par_iter()
        .map(|leaf| {
            let view = table.leaf(leaf)?;
            let values = (0..view.count()).filter_map(|rank| view.value(rank));
            Ok(values.map(IndexScheme::split).collect())
        })
        .collect();
    let (indices, codes): (Vec<u64>, Vec<u16>) = leaves?.into_iter().flatten().unzip();
    if indices.len() as u64 != layout.indexable {
        let (found, expected) = (indices.len(), layout.indexable);
        return Ok(Err(format!("found {found} positions, expected {expected}")));
    }
    if let Some(place) = indices.windows(2).position(|pair| pair[0] >= pair[1]) {
        return Ok(Err(format!(
            "the indices at places {place} and {} do not rise",
            place + 1
        )));
    }
    Ok(Ok(Listed::new(indices, codes)))
}
