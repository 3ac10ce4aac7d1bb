//! The check of a table against the rules: every stored value is worked out again from its
//! children's, by the same order of moves in which answers are given.
//!
//! That settles everything, also where positions can repeat, if ends of play stand behind the wins
//! and losses:
//!
//! - *Wins and losses.* The win of a position follows from one move, its loss from all of them. Under
//!   the distance metric the positions that they lead to are nearer to the end by a ply, so that
//!   going down from ply to ply leads to finished positions, which the rules decide. Other metrics
//!   have no plies; where play always ends that does not matter, and where positions can repeat
//!   [`unfounded`] looks for the ends.
//! - *Draws.* A drawn position has a move to a drawn one and none to a position lost for the
//!   opponent. So a player who always moves from drawn positions to drawn ones is safe for ever: the
//!   opponent, who gets a drawn position, can only answer with another one or with one that is won
//!   for that player. Both players can play so, hence neither can force a win. In scored games the
//!   same holds for any number of points: who follows the values gets at least so many, by an end
//!   where they are positive and by an end or endless play where they are not.

use greenwave_game::{Dense, Figures, LEAF_BITS, LeafMask, Metric, Outcome, Packing, Progress};
use greenwave_values::{DenseValues, TableValues, ValueSource, ValuesError, load};
use rayon::prelude::*;

use crate::founded::unfounded;
use crate::{listed, rank, reachable_listed};

/// What a verification came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verified {
    /// Frames read.
    pub blocks: u64,
    /// Positions whose stored value was worked out again.
    pub positions: u64,
    /// Those whose value is wrong, and figures of the metadata that disagree with the values.
    pub mismatches: u64,
    /// The first mismatch in index order, in words.
    pub first: Option<String>,
}

/// Reads a whole table, its checksums included, and works out every value again.
///
/// Needs memory for one code per index: a byte, or two for points. `advance` is told after each
/// leaf how many indices are done.
///
/// # Errors
/// When the table cannot be read or is damaged.
pub fn verify<G: Dense>(
    table: &TableValues<'_, G>,
    game: &G,
    advance: &(dyn Fn(u64) + Sync),
) -> Result<Verified, ValuesError> {
    let read = table.table().check()?;
    let values = load(table, game)?;
    let metric = table.metric();
    if let Some(positions) = values.listed() {
        let (mut mismatches, mut first) = listed::mismatches(game, &values, positions, advance);
        let counts = reachable_listed(game, metric, positions);
        let counts = [counts.win, counts.loss, counts.draw];
        let start = table.figures(&game.start())?;
        if let Some(problem) = metadata_problem(table, &start, counts) {
            mismatches += 1;
            first = first.or(Some(problem));
        }
        return Ok(Verified {
            blocks: read.frames,
            positions: values.len(),
            mismatches,
            first,
        });
    }
    let leaves = table.table().layout().leaves();
    let packing = game.packing(metric);
    let wrong = (0..leaves)
        .into_par_iter()
        .map(|leaf| {
            let mut found: (u64, u64, Option<u64>) = (0, 0, None);
            let end = ((leaf + 1) << LEAF_BITS).min(values.len());
            let mut moves = Vec::new();
            for index in leaf << LEAF_BITS..end {
                if game.implied(packing, index).is_some() {
                    continue;
                }
                let Some(position) = game.at(index) else {
                    continue;
                };
                found.0 += 1;
                if values.figures(index) != settled(game, &position, &values, &mut moves) {
                    found.1 += 1;
                    found.2 = found.2.or(Some(index));
                }
            }
            advance(end - (leaf << LEAF_BITS));
            found
        })
        .reduce(
            || (0, 0, None),
            |a, b| (a.0 + b.0, a.1 + b.1, a.2.into_iter().chain(b.2).min()),
        );
    let (positions, mut mismatches, mut first) = wrong;
    let plies = metric == Metric::Distance;
    if mismatches == 0 && game.rules().properties.progress == Progress::Repeats && !plies {
        let unfounded = unfounded(game, &values);
        mismatches = unfounded.len() as u64;
        first = unfounded.first().copied();
    }
    conclude(
        table,
        game,
        read.frames,
        (positions, mismatches, first),
        count(game, &values),
    )
}

/// The verdict on a dense table, given the positions looked at, how many of their values are wrong and
/// the first such index, and how many unfinished positions are won, lost and drawn.
pub(crate) fn conclude<G: Dense>(
    table: &TableValues<'_, G>,
    game: &G,
    blocks: u64,
    (positions, mut mismatches, first): (u64, u64, Option<u64>),
    counts: [u64; 3],
) -> Result<Verified, ValuesError> {
    let mut first = first.and_then(|index| game.at(index)).map(|position| {
        format!(
            "position {} has a wrong {}",
            game.position_text(&position, greenwave_game::Colours::Ryg),
            table.metric()
        )
    });
    let start = table.figures(&game.start())?;
    if let Some(problem) = metadata_problem(table, &start, counts) {
        mismatches += 1;
        first = first.or(Some(problem));
    }
    Ok(Verified {
        blocks,
        positions,
        mismatches,
        first,
    })
}

// The figures of an unfinished position from those of its children.
pub(crate) fn settled<G: Dense>(
    game: &G,
    position: &G::Position,
    values: &DenseValues,
    moves: &mut Vec<G::Move>,
) -> Figures {
    game.moves(position, moves);
    let children = moves.iter().map(|mv| {
        let edge = game.play(position, *mv);
        values
            .figures(game.index(&edge.to))
            .after_move(edge.gain, edge.keeps_turn)
    });
    if values.metric() == Metric::Nimber {
        let seen = children
            .filter_map(|child| child.nimber)
            .fold(0_u128, |seen, nimber| {
                seen | 1_u128.checked_shl(nimber).unwrap_or(0)
            });
        return Figures {
            nimber: Some(seen.trailing_ones()),
            ..Figures::default()
        };
    }
    children.min_by_key(rank).unwrap_or_default()
}

// A figure of the metadata that disagrees with the start and with the unfinished positions that are
// won, lost and drawn.
fn metadata_problem<G: Dense>(
    table: &TableValues<'_, G>,
    figures: &Figures,
    counted: [u64; 3],
) -> Option<String> {
    let summary = &table.table().meta().summary;
    let stored = &summary.start;
    let value = stored.value.map(|value| match value {
        greenwave_table::Outcome::Win => Outcome::Win,
        greenwave_table::Outcome::Draw => Outcome::Draw,
        greenwave_table::Outcome::Loss => Outcome::Loss,
    });
    let same = value == figures.value
        && stored.distance == figures.distance.map(|plies| plies.0)
        && stored.points == figures.points
        && stored.nimber == figures.nimber;
    if !same {
        return Some("the value of the start in the metadata is not that of the table".into());
    }
    let Some(by_value) = summary.by_value.as_ref() else {
        return Some("the metadata has no counts".into());
    };
    let stored = [by_value.win, by_value.loss, by_value.draw];
    let total: u64 = counted.iter().sum();
    // A damaged count must not overflow the sum.
    let counts = summary
        .histogram
        .iter()
        .map(|entry| u128::from(entry.count));
    let histogram: u128 = counts.sum();
    let same = counted == stored
        && histogram == u128::from(total)
        && table.table().meta().nonterminal == total;
    (!same).then(|| "the counts in the metadata are not those of the table".into())
}

// Unfinished positions won, lost and drawn for the player to move.
fn count<G: Dense>(game: &G, values: &DenseValues) -> [u64; 3] {
    (0..leaves_of(values))
        .into_par_iter()
        .map(|leaf| {
            let mut mask = LeafMask::default();
            game.leaf_mask(Packing::Unfinished, leaf, &mut mask);
            let mut counts = [0; 3];
            for place in mask.places() {
                let figures = values.figures((leaf << LEAF_BITS) + u64::from(place));
                match (figures.value, figures.nimber) {
                    (Some(Outcome::Loss), _) | (None, Some(0)) => counts[1] += 1,
                    (Some(Outcome::Draw), _) => counts[2] += 1,
                    _ => counts[0] += 1,
                }
            }
            counts
        })
        .reduce(
            || [0_u64; 3],
            |a, b| [a[0] + b[0], a[1] + b[1], a[2] + b[2]],
        )
}

fn leaves_of(values: &DenseValues) -> u64 {
    values.len().div_ceil(1 << LEAF_BITS)
}
