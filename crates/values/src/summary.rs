//! What a solution comes to: counts, histogram, longest play, openings.

use greenwave_game::{Dense, Figures, Metric};
use greenwave_table as table;

use crate::codes::{PlyCode, ended};
use crate::numbered::{ValueCounts, histogram};
use crate::numbering::Values;
use crate::stored::stored_figures;
use crate::{Progress, Silent, ValuesError};

/// Counts of a solved game over its legal, unfinished positions (not up to symmetry; of listed
/// positions those that play reaches), and its openings.
pub fn summarise<G: Dense>(game: &G, values: &Values) -> table::Summary {
    summary_of_values(game, values, &Silent)
}

/// The same, stopped when asked to.
///
/// # Errors
/// When the work is cancelled.
pub fn summarise_watched<G: Dense>(
    game: &G,
    values: &Values,
    progress: &dyn Progress,
) -> Result<table::Summary, ValuesError> {
    let summary = summary_of_values(game, values, progress);
    if progress.cancelled() {
        Err(ValuesError::Interrupted)
    } else {
        Ok(summary)
    }
}

fn summary_of_values<G: Dense>(
    game: &G,
    values: &Values,
    progress: &dyn Progress,
) -> table::Summary {
    let counted = values.numbered().count(game, progress);
    summary_with(game, values.metric(), counted, |position| {
        values.figures_of(game, position)
    })
}

/// The summary without the longest play, from the count of each code among the legal, unfinished
/// positions, numbered by index. The caller's `figures_of` gives the figures of the start and of
/// the unfinished positions after its moves.
pub fn summary_of<G: Dense>(
    game: &G,
    metric: Metric,
    codes: &[(i32, u64)],
    figures_of: impl Fn(&G::Position) -> Figures,
) -> table::Summary {
    let occurring: Vec<(i32, u64)> = codes
        .iter()
        .copied()
        .filter(|(_, count)| *count > 0)
        .collect();
    let counted = ValueCounts {
        histogram: histogram(PlyCode::BYTE, metric, &occurring),
        longest: None,
    };
    summary_with(game, metric, counted, figures_of)
}

fn summary_with<G: Dense>(
    game: &G,
    metric: Metric,
    counted: ValueCounts,
    figures_of: impl Fn(&G::Position) -> Figures,
) -> table::Summary {
    let figures = |position: &G::Position| match game.ending(position) {
        Some(ending) => ended(metric, &ending),
        None => figures_of(position),
    };
    table::Summary {
        start: stored_figures(&figures(&game.start())),
        by_value: Some(by_value(metric, &counted.histogram)),
        longest: counted.longest,
        openings: openings(game, figures),
        histogram: sorted(counted.histogram),
    }
}

/// Positions by result.
#[must_use]
pub fn by_value(metric: Metric, histogram: &[table::HistogramEntry]) -> table::ResultCounts {
    let total = |outcome| {
        let of = |entry: &&table::HistogramEntry| outcome_of(metric, entry) == Some(outcome);
        histogram.iter().filter(of).map(|entry| entry.count).sum()
    };
    table::ResultCounts {
        win: total(table::Outcome::Win),
        loss: total(table::Outcome::Loss),
        draw: total(table::Outcome::Draw),
    }
}

// The nimber is 0 exactly where the player to move loses (Sprague and Grundy).
fn outcome_of(metric: Metric, entry: &table::HistogramEntry) -> Option<table::Outcome> {
    match (metric, entry.key) {
        (Metric::Nimber, 0) => Some(table::Outcome::Loss),
        (Metric::Nimber, _) => Some(table::Outcome::Win),
        _ => entry.outcome,
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

fn openings<G: Dense>(
    game: &G,
    figures: impl Fn(&G::Position) -> Figures,
) -> Vec<table::FirstMove> {
    let start = game.start();
    let mut moves = Vec::new();
    game.moves(&start, &mut moves);
    moves
        .into_iter()
        .map(|mv| {
            let edge = game.play(&start, mv);
            let below = figures(&edge.to);
            table::FirstMove {
                mv: game.rules().exchanged(&game.move_text(&start, mv)),
                to: Some(game.rules().exchanged(&game.position_text(&edge.to))),
                figures: stored_figures(&below.after_move(edge.gain, edge.keeps_turn)),
                ends: game.ending(&edge.to).is_some(),
            }
        })
        .collect()
}
