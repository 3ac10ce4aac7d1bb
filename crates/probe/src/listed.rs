//! Tables and solutions that list their positions.

use greenwave_game::{Dense, Ending, Figures, Metric, Outcome, Plies, orbit_size};
use greenwave_values::{DenseValues, Listed, listed::decode};
use rayon::prelude::*;

use crate::Reachable;
use crate::verify::settled;

// Positions that a task works on.
const TASK: usize = 1 << 12;

/// Counts the positions of a list, not up to symmetry.
#[must_use]
pub fn reachable_listed<G: Dense>(game: &G, metric: Metric, listed: &Listed) -> Reachable {
    (listed.indices(), listed.codes())
        .into_par_iter()
        .with_min_len(TASK)
        .filter_map(|(index, code)| {
            let position = game.at(*index)?;
            let orbit = orbit_size(game, &position);
            let mut counts = Reachable::default();
            let count = match (game.ending(&position), decode(metric, *code).value) {
                (Some(_), _) => &mut counts.terminal,
                (None, Some(Outcome::Win)) => &mut counts.win,
                (None, Some(Outcome::Loss)) => &mut counts.loss,
                (None, Some(Outcome::Draw) | None) => &mut counts.draw,
            };
            *count = orbit;
            Some(counts)
        })
        .reduce(Reachable::default, Reachable::plus)
}

/// What is wrong with a list: how many entries, and the first in words. `advance` is told how many
/// entries are done.
///
/// An entry is right if its index is that of a position, all children are in the list, and its value
/// follows from theirs. Where distances are stored this settles every value: by induction over the
/// true distance each won and lost position must have its own, and nothing else is left for draws.
pub(crate) fn mismatches<G: Dense>(
    game: &G,
    values: &DenseValues,
    listed: &Listed,
    advance: &(dyn Fn(u64) + Sync),
) -> (u64, Option<String>) {
    let metric = values.metric();
    let wrong = listed
        .indices()
        .par_chunks(TASK)
        .map(|indices| {
            let mut moves = Vec::new();
            let mut wrong = (0, None);
            for index in indices {
                if let Some(problem) = problem(game, values, *index, &mut moves) {
                    wrong.0 += 1;
                    wrong.1 = wrong.1.or(Some(problem));
                }
            }
            advance(indices.len() as u64);
            wrong
        })
        .reduce(|| (0, None), |a, b| (a.0 + b.0, a.1.or(b.1)));
    let start = values.figures(game.index(&game.start()));
    if start.value.is_none() {
        return (
            wrong.0 + 1,
            wrong
                .1
                .or(Some("the start of the game is not listed".into())),
        );
    }
    if metric == Metric::Value && wrong.0 == 0 {
        return unfounded(game, listed);
    }
    wrong
}

fn problem<G: Dense>(
    game: &G,
    values: &DenseValues,
    index: u64,
    moves: &mut Vec<G::Move>,
) -> Option<String> {
    let Some(position) = game.at(index) else {
        return Some(format!("index {index} is that of no position"));
    };
    let text = || game.position_text(&position, greenwave_game::Colours::Ryg);
    let figures = values.figures(index);
    let right = match game.ending(&position) {
        Some(ending) => ended(values.metric(), &ending),
        None => {
            let right = settled(game, &position, values, moves);
            let listed = |mv: &G::Move| {
                let child = game.play(&position, *mv).to;
                values.figures(game.index(&child)).value.is_some()
            };
            if !moves.iter().all(listed) {
                return Some(format!("a child of {} is not listed", text()));
            }
            right
        }
    };
    (figures != right).then(|| format!("position {} has a wrong {}", text(), values.metric()))
}

fn ended(metric: Metric, ending: &Ending) -> Figures {
    Figures {
        value: Some(ending.outcome),
        distance: (metric == Metric::Distance && ending.outcome != Outcome::Draw)
            .then_some(Plies(0)),
        ..Figures::default()
    }
}

// Values alone could support each other in a circle: every win and loss must also be forced from
// finished games. Whatever is forced is marked, pass by pass, until a pass marks nothing.
fn unfounded<G: Dense>(game: &G, listed: &Listed) -> (u64, Option<String>) {
    let outcome = |code: u16| decode(Metric::Value, code).value;
    let mut forced: Vec<bool> = vec![false; listed.indices().len()];
    let is_forced = |forced: &[bool], index: u64| {
        listed
            .indices()
            .binary_search(&index)
            .ok()
            .filter(|place| forced[*place])
    };
    loop {
        let marked: Vec<usize> = (0..forced.len())
            .into_par_iter()
            .with_min_len(TASK)
            .filter(|place| {
                let value = outcome(listed.codes()[*place]);
                if forced[*place] || value == Some(Outcome::Draw) {
                    return false;
                }
                let Some(position) = game.at(listed.indices()[*place]) else {
                    return false;
                };
                let mut moves = Vec::new();
                game.moves(&position, &mut moves);
                // Good for the mover of this position, or bad, and forced.
                let child = |mv: &G::Move, wanted: Outcome| {
                    let edge = game.play(&position, *mv);
                    let below = is_forced(&forced, game.index(&edge.to))
                        .and_then(|place| outcome(listed.codes()[place]));
                    let mine = if edge.keeps_turn {
                        below
                    } else {
                        below.map(Outcome::negated)
                    };
                    mine == Some(wanted)
                };
                game.ending(&position).is_some()
                    || match value {
                        Some(Outcome::Win) => moves.iter().any(|mv| child(mv, Outcome::Win)),
                        _ => moves.iter().all(|mv| child(mv, Outcome::Loss)),
                    }
            })
            .collect();
        if marked.is_empty() {
            break;
        }
        marked.into_iter().for_each(|place| forced[place] = true);
    }
    let left =
        |place: &usize| !forced[*place] && outcome(listed.codes()[*place]) != Some(Outcome::Draw);
    let first = (0..forced.len())
        .find(left)
        .and_then(|place| game.at(listed.indices()[place]));
    let count = (0..forced.len()).filter(left).count() as u64;
    let text = |position| game.position_text(&position, greenwave_game::Colours::Ryg);
    (
        count,
        first.map(|position| format!("the value of position {} is not forced", text(position))),
    )
}
