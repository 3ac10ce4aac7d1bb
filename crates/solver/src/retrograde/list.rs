//! All positions that play reaches, by breadth-first search with sorted lists of indices.

use greenwave_game::Dense;
use greenwave_values::parallel::try_map_chunks;
use greenwave_values::{Progress, Unit, room};
use rayon::slice::ParallelSliceMut;

use super::resumed::ListingProgress;
use crate::SolveError;
use greenwave_sweep::MemoryAllowance;
use greenwave_sweep::checkpoint::Checkpoint;

// Positions of a frontier that are expanded before their children are merged: it bounds the memory
// for children that turn out to be known.
const BATCH: usize = 1 << 20;
// Positions that a task expands.
const TASK: usize = 1 << 10;

/// The canonical indices of all positions that play reaches, rising. Resumes from a checkpoint.
pub(super) fn reachable<G: Dense>(
    game: &G,
    kept: ListingProgress,
    budget: MemoryAllowance<'_>,
    mut checkpoint: Option<&mut Checkpoint>,
    progress: &dyn Progress,
) -> Result<Vec<u64>, SolveError> {
    progress.begin(
        &format!("listing the positions of {}", game.rules().title()),
        (game.expected_positions() / game.symmetries() as u128) as u64,
        Unit::Positions,
    );
    let (mut known, mut frontier) = match kept {
        ListingProgress::Part { known, open } => (known, open),
        ListingProgress::Nothing | ListingProgress::Listed { .. } => {
            let start = vec![game.index(&game.start())];
            (start.clone(), start)
        }
    };
    progress.advance((known.len() - frontier.len().min(known.len())) as u64);
    while !frontier.is_empty() {
        let mut next = Vec::new();
        for (number, batch) in frontier.chunks(BATCH).enumerate() {
            let open = [&frontier[number * BATCH..], &next];
            if let Some(checkpoint) = &mut checkpoint
                && checkpoint.due()
            {
                let written = save(checkpoint, &known, open);
                checkpoint.tried(written, progress);
            }
            let expanded = try_map_chunks(batch, TASK, |_, indices| {
                expand(game, indices, &known, progress)
            });
            let mut found = match (expanded, &mut checkpoint) {
                (Err(SolveError::Interrupted), Some(checkpoint)) => {
                    save(checkpoint, &known, open)?;
                    return Err(SolveError::Interrupted);
                }
                (expanded, _) => room::joined(expanded?)?,
            };
            found.par_sort_unstable();
            found.dedup();
            merge(&mut known, &found)?;
            budget.check(8 * (2 * known.len() + next.len() + 2 * found.len()) as u64)?;
            room::reserve(&mut next, found.len())?;
            next.append(&mut found);
        }
        frontier = next;
    }
    Ok(known)
}

// Keeps the positions known so far and those whose children are not.
fn save(checkpoint: &mut Checkpoint, known: &[u64], open: [&[u64]; 2]) -> Result<(), SolveError> {
    let step = known.len();
    let [known_name, open_name] = ["known", "open"].map(|name| format!("{name}-{step}"));
    if checkpoint.lists(&known_name) {
        return Ok(());
    }
    let mut file = checkpoint.write(&known_name)?;
    file.put_all(known.iter().map(|index| index.to_le_bytes()))?;
    let known = file.finish()?;
    let mut file = checkpoint.write(&open_name)?;
    file.put_all(open.into_iter().flatten().map(|index| index.to_le_bytes()))?;
    let open = file.finish()?;
    let parts = [(known_name, known), (open_name, open)];
    checkpoint.commit(&[("step", &[step as u64])], &parts)
}

// The children of some positions that are not known yet, each once.
fn expand<G: Dense>(
    game: &G,
    indices: &[u64],
    known: &[u64],
    progress: &dyn Progress,
) -> Result<Vec<u64>, SolveError> {
    if progress.cancelled() {
        return Err(SolveError::Interrupted);
    }
    let (mut moves, mut here, mut found) = (Vec::new(), Vec::new(), Vec::new());
    for position in indices.iter().filter_map(|index| game.at_unchecked(*index)) {
        children(game, &position, &mut moves, &mut here);
        for child in &here {
            room::push(&mut found, child >> 1)?;
        }
    }
    found.sort_unstable();
    found.dedup();
    // Both lists rise, so each search can begin where the one before ended.
    let mut from = 0;
    found.retain(|index| {
        from += known[from..].partition_point(|other| other < index);
        known.get(from) != Some(index)
    });
    progress.advance(indices.len() as u64);
    Ok(found)
}

/// The indices of a position's children, each once, and whether the mover stays on turn there:
/// `index << 1 | keeps_turn`, rising.
pub(super) fn children<G: Dense>(
    game: &G,
    position: &G::Position,
    moves: &mut Vec<G::Move>,
    out: &mut Vec<u64>,
) {
    game.moves(position, moves);
    out.clear();
    out.extend(moves.iter().map(|mv| {
        let edge = game.play(position, *mv);
        game.index(&edge.to) << 1 | u64::from(edge.keeps_turn)
    }));
    out.sort_unstable();
    out.dedup();
}

// Adds to a rising list another one without common indices. The merge runs backwards inside the longer
// list, so that no third list is needed.
fn merge(known: &mut Vec<u64>, found: &[u64]) -> Result<(), SolveError> {
    let mut left = known.len();
    room::reserve(known, found.len())?;
    known.resize(left + found.len(), 0);
    let mut to = known.len();
    for index in found.iter().rev() {
        while left > 0 && known[left - 1] > *index {
            known[to - 1] = known[left - 1];
            to -= 1;
            left -= 1;
        }
        known[to - 1] = *index;
        to -= 1;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::merge;

    #[test]
    fn merging_keeps_order() {
        let merged = |mut known: Vec<u64>, found: &[u64]| {
            merge(&mut known, found).unwrap();
            known
        };
        assert_eq!(
            merged(vec![2, 5, 9], &[1, 3, 4, 10]),
            [1, 2, 3, 4, 5, 9, 10]
        );
        assert_eq!(merged(vec![], &[1, 3]), [1, 3]);
        assert_eq!(merged(vec![7], &[]), [7]);
    }
}
