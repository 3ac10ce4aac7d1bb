//! All positions that play reaches, by breadth-first search with sorted lists of indices.

use greenwave_game::Dense;
use greenwave_values::{Progress, Unit};
use rayon::prelude::*;

use super::{Budget, children};
use crate::SolveError;

// Positions of a frontier that are expanded before their children are merged: it bounds the memory
// for children that turn out to be known.
const BATCH: usize = 1 << 20;
// Positions that a task expands.
const TASK: usize = 1 << 10;

/// The canonical indices of all positions that play reaches, rising.
pub(super) fn reachable<G: Dense>(
    game: &G,
    budget: Budget<'_>,
    progress: &dyn Progress,
) -> Result<Vec<u64>, SolveError> {
    progress.begin(
        &format!("listing the positions of {}", game.rules().name),
        (game.expected_positions() / game.symmetries() as u128) as u64,
        Unit::Positions,
    );
    let mut frontier = vec![game.index(&game.start())];
    let mut known = frontier.clone();
    while !frontier.is_empty() {
        let mut next = Vec::new();
        for batch in frontier.chunks(BATCH) {
            let mut found: Vec<u64> = batch
                .par_chunks(TASK)
                .map(|indices| expand(game, indices, &known, progress))
                .collect::<Result<Vec<_>, _>>()?
                .concat();
            found.par_sort_unstable();
            found.dedup();
            known = merged(known, &found);
            budget.check(8 * (2 * known.len() + next.len() + 2 * found.len()) as u64)?;
            next.append(&mut found);
        }
        frontier = next;
    }
    Ok(known)
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
        found.extend(here.iter().map(|child| child >> 1));
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

// Two rising lists without common indices as one. The merge runs backwards inside the longer list, so
// that no third list is needed.
fn merged(mut known: Vec<u64>, found: &[u64]) -> Vec<u64> {
    let mut left = known.len();
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
    known
}

#[cfg(test)]
mod tests {
    use super::merged;

    #[test]
    fn merging_keeps_order() {
        assert_eq!(
            merged(vec![2, 5, 9], &[1, 3, 4, 10]),
            [1, 2, 3, 4, 5, 9, 10]
        );
        assert_eq!(merged(vec![], &[1, 3]), [1, 3]);
        assert_eq!(merged(vec![7], &[]), [7]);
    }
}
