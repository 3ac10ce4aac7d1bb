//! Values spread backwards from finished games, one ply a round.

use std::sync::atomic::{AtomicU16, Ordering};

use greenwave_game::{Dense, Outcome, Plies};
use greenwave_values::parallel::try_map_chunks;
use greenwave_values::{Progress, Unit, room, wide_code};

use super::graph::PredecessorLists;
use super::resumed::{Round, save_list};
use crate::SolveError;
use greenwave_sweep::checkpoint::Checkpoint;

// Positions that a task works on.
const TASK: usize = 1 << 12;

/// The distance codes of the positions with some indices. Resumes from a round.
pub(super) fn codes<G: Dense>(
    game: &G,
    indices: &[u64],
    mut graph: PredecessorLists,
    round: Option<Round>,
    mut checkpoint: Option<&mut Checkpoint>,
    progress: &dyn Progress,
) -> Result<Vec<u16>, SolveError> {
    progress.begin(
        "spreading values backwards",
        indices.len() as u64,
        Unit::Positions,
    );
    let (mut distance, codes, mut frontier) = match round {
        Some(round) => {
            graph.children = round.children;
            (round.distance, round.codes, round.frontier)
        }
        None => {
            // Drawn until decided otherwise.
            let drawn = indices.iter().map(|_| AtomicU16::new(wide_code::DRAW));
            let codes: Vec<AtomicU16> = room::collected(drawn)?;
            let finished = finished(game, indices, &codes)?;
            (0, codes, finished)
        }
    };
    while !frontier.is_empty() {
        // In the middle of a round there is nothing that could be kept.
        if progress.cancelled() {
            if let Some(checkpoint) = &mut checkpoint {
                save(checkpoint, indices, &graph, distance, &codes, &frontier)?;
            }
            return Err(SolveError::Interrupted);
        }
        if let Some(checkpoint) = &mut checkpoint
            && checkpoint.due()
        {
            let written = save(checkpoint, indices, &graph, distance, &codes, &frontier);
            checkpoint.tried(written, progress);
        }
        progress.advance(frontier.len() as u64);
        distance += 1;
        if distance > wide_code::MAX_PLIES {
            return Err(SolveError::TooLong {
                variant: game.rules().title().to_string(),
            });
        }
        let won = wide_code::encode(Outcome::Win, Plies(distance));
        let lost = wide_code::encode(Outcome::Loss, Plies(distance));
        let decided = try_map_chunks(&frontier, TASK, |_, places| {
            let mut decided = Vec::new();
            for place in places {
                let code = codes[*place as usize].load(Ordering::Relaxed);
                let outcome = wide_code::decode(code).0;
                for (parent, keeps_turn) in graph.parents(*place as usize) {
                    let good = (outcome == Outcome::Win) == keeps_turn;
                    // Several children may win for the parent in one round: the first to say so
                    // does.
                    let settled = if good {
                        codes[parent]
                            .compare_exchange(
                                wide_code::DRAW,
                                won,
                                Ordering::Relaxed,
                                Ordering::Relaxed,
                            )
                            .is_ok()
                    } else {
                        let last = graph.children[parent].fetch_sub(1, Ordering::Relaxed) == 1;
                        if last {
                            codes[parent].store(lost, Ordering::Relaxed);
                        }
                        last
                    };
                    if settled {
                        room::push(&mut decided, parent as u32)?;
                    }
                }
            }
            Ok::<_, SolveError>(decided)
        })?;
        frontier = room::joined(decided)?;
    }
    if let Some(checkpoint) = checkpoint {
        checkpoint.keep_finished(|checkpoint| {
            save(checkpoint, indices, &graph, distance, &codes, &frontier)
        });
    }
    Ok(room::collected(
        codes.into_iter().map(AtomicU16::into_inner),
    )?)
}

// Gives finished positions their codes; the places of those that somebody has won.
fn finished<G: Dense>(
    game: &G,
    indices: &[u64],
    codes: &[AtomicU16],
) -> Result<Vec<u32>, SolveError> {
    let finished = try_map_chunks(indices, TASK, |task, indices| {
        let places = (task * TASK..).zip(indices);
        room::gathered(places.filter_map(|(place, index)| {
            let ending = game.ending(&game.at_unchecked(*index)?)?;
            let code = wide_code::encode(ending.outcome, Plies(0));
            codes[place].store(code, Ordering::Relaxed);
            (ending.outcome != Outcome::Draw).then_some(place as u32)
        }))
    })?;
    Ok(room::joined(finished)?)
}

// Keeps what is known after a round.
fn save(
    checkpoint: &mut Checkpoint,
    indices: &[u64],
    graph: &PredecessorLists,
    distance: u32,
    codes: &[AtomicU16],
    frontier: &[u32],
) -> Result<(), SolveError> {
    save_list(checkpoint, indices)?;
    let name = |kind: &str| format!("{kind}-{distance}");
    if checkpoint.lists(&name("codes")) {
        return Ok(());
    }
    let mut parts = Vec::new();
    for (kind, shorts) in [("codes", codes), ("children", &graph.children)] {
        let mut file = checkpoint.write(&name(kind))?;
        file.put_all(
            shorts
                .iter()
                .map(|short| short.load(Ordering::Relaxed).to_le_bytes()),
        )?;
        parts.push((name(kind), file.finish()?));
    }
    let mut file = checkpoint.write(&name("frontier"))?;
    file.put_all(frontier.iter().map(|place| place.to_le_bytes()))?;
    parts.push((name("frontier"), file.finish()?));
    checkpoint.commit(&[("round", &[distance.into()])], &parts)
}
