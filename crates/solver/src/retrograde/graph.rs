//! Which positions lead to which.

use std::sync::atomic::{AtomicU16, AtomicU32, AtomicU64, Ordering};

use greenwave_game::Dense;
use rayon::prelude::*;

use super::{Budget, children};
use crate::{Progress, SolveError, Unit};

// Positions that a task expands.
const TASK: usize = 1 << 12;

/// For each position, by its place in the list of indices, the positions that lead to it.
///
/// ```text
/// starts   s0 s1 s2 … sn        parents of position i: edges[s_i .. s_i+1]
/// edges    parent << 1 | keeps_turn
/// ```
pub(super) struct Graph {
    starts: Vec<AtomicU64>,
    edges: Vec<AtomicU32>,
    /// Children of each position, symmetric ones counted once.
    pub(super) children: Vec<AtomicU16>,
}

impl Graph {
    /// The graph of the positions with some indices, which hold all their children.
    ///
    /// Children are generated twice, first to count the parents of each position and then to write
    /// them down: that takes less memory than to keep them.
    pub(super) fn new<G: Dense>(
        game: &G,
        indices: &[u64],
        budget: Budget<'_>,
        progress: &dyn Progress,
    ) -> Result<Graph, SolveError> {
        // An edge keeps its parent in 31 bits.
        const MOST: u64 = 1 << 31;
        let positions = indices.len() as u64;
        if positions > MOST {
            return Err(SolveError::NoEngine {
                variant: game.rules().name.clone(),
            });
        }
        budget.check(20 * positions)?;
        let starts: Vec<AtomicU64> = (0..=indices.len()).map(|_| AtomicU64::new(0)).collect();
        let count: Vec<AtomicU16> = indices.iter().map(|_| AtomicU16::new(0)).collect();
        let finder = Finder::new(indices);
        progress.begin("counting moves", positions, Unit::Positions);
        for_each_edge(game, indices, &finder, progress, |parent, child, _| {
            starts[child].fetch_add(1, Ordering::Relaxed);
            count[parent].fetch_add(1, Ordering::Relaxed);
        })?;
        // From numbers of parents to the ends of their lists; filling moves the ends to the starts.
        let mut total = 0;
        for start in &starts {
            total += start.load(Ordering::Relaxed);
            start.store(total, Ordering::Relaxed);
        }
        budget.check(20 * positions + 4 * total)?;
        let edges: Vec<AtomicU32> = (0..total).map(|_| AtomicU32::new(0)).collect();
        progress.begin("linking positions", positions, Unit::Positions);
        for_each_edge(
            game,
            indices,
            &finder,
            progress,
            |parent, child, keeps_turn| {
                let slot = starts[child].fetch_sub(1, Ordering::Relaxed) - 1;
                edges[slot as usize].store(
                    (parent as u32) << 1 | u32::from(keeps_turn),
                    Ordering::Relaxed,
                );
            },
        )?;
        Ok(Graph {
            starts,
            edges,
            children: count,
        })
    }

    /// The positions that lead to one, and whether its player is also theirs.
    pub(super) fn parents(&self, child: usize) -> impl Iterator<Item = (usize, bool)> {
        let start = |place: usize| self.starts[place].load(Ordering::Relaxed) as usize;
        self.edges[start(child)..start(child + 1)]
            .iter()
            .map(|edge| {
                let edge = edge.load(Ordering::Relaxed);
                ((edge >> 1) as usize, edge & 1 == 1)
            })
    }
}

fn for_each_edge<G: Dense>(
    game: &G,
    indices: &[u64],
    finder: &Finder<'_>,
    progress: &dyn Progress,
    visit: impl Fn(usize, usize, bool) + Sync,
) -> Result<(), SolveError> {
    indices
        .par_chunks(TASK)
        .enumerate()
        .try_for_each(|(task, chunk)| {
            if progress.cancelled() {
                return Err(SolveError::Interrupted);
            }
            let (mut moves, mut here) = (Vec::new(), Vec::new());
            for (place, index) in (task * TASK..).zip(chunk) {
                if let Some(position) = game.at_listed(*index) {
                    children(game, &position, &mut moves, &mut here);
                    for child in &here {
                        visit(place, finder.place(child >> 1), child & 1 == 1);
                    }
                }
            }
            progress.advance(chunk.len() as u64);
            Ok(())
        })
}

/// Finds indices in a long sorted list: a table of the places where the upper bits change narrows the
/// search down to a few neighbours.
struct Finder<'a> {
    indices: &'a [u64],
    shift: u32,
    places: Vec<u32>,
}

impl<'a> Finder<'a> {
    fn new(indices: &'a [u64]) -> Finder<'a> {
        let last = indices.last().copied().unwrap_or(0);
        let wanted = (indices.len() as u64 / 4).max(1);
        let shift = (last / wanted).max(1).ilog2();
        let mut places = Vec::with_capacity((last >> shift) as usize + 2);
        for (place, index) in indices.iter().enumerate() {
            while places.len() as u64 <= index >> shift {
                places.push(place as u32);
            }
        }
        places.push(indices.len() as u32);
        Finder {
            indices,
            shift,
            places,
        }
    }

    /// The place of a index that is in the list.
    fn place(&self, index: u64) -> usize {
        let bucket = (index >> self.shift) as usize;
        let (from, to) = (
            self.places[bucket] as usize,
            self.places[bucket + 1] as usize,
        );
        from + self.indices[from..to].partition_point(|other| *other < index)
    }
}

#[cfg(test)]
mod tests {
    use super::Finder;

    #[test]
    fn every_index_is_found() {
        for step in [1, 3, 1000] {
            let indices: Vec<u64> = (0..5000_u64)
                .map(|n| 7 + n * step + n * n % 97 * u64::from(step > 97))
                .collect();
            let finder = Finder::new(&indices);
            for (place, index) in indices.iter().enumerate() {
                assert_eq!(finder.place(*index), place);
            }
        }
    }
}
