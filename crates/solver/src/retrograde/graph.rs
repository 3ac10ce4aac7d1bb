//! Which positions lead to which.

use std::sync::atomic::{AtomicU16, AtomicU32, Ordering};

use greenwave_game::Dense;
use greenwave_values::parallel::try_map_chunks;
use greenwave_values::{Progress, Unit, room};

use super::list::children;
use crate::SolveError;
use greenwave_sweep::MemoryAllowance;

// Positions that a task expands.
const TASK: usize = 1 << 12;

// Positions whose lists of parents are counted from the same place.
const BLOCK: usize = 64;

/// For each position, by its place in the list of indices, the positions that lead to it.
///
/// ```text
/// bases    b0 b1 …              where the lists of each 64 positions begin, and the end of the last
/// starts   s0 s1 … s63 s64 …    parents of position i begin at edges[b_(i/64) + s_i]
/// edges    parent << 1 | keeps_turn
/// ```
pub(super) struct PredecessorLists {
    bases: Vec<u64>,
    starts: Vec<AtomicU32>,
    edges: Vec<AtomicU32>,
    /// Children of each position, symmetric ones counted once.
    pub(super) children: Vec<AtomicU16>,
}

impl PredecessorLists {
    /// The graph of the positions with some indices, which hold all their children.
    ///
    /// Children are generated twice, first to count the parents of each position and then to write
    /// them down: that takes less memory than to keep them. A child that is not among the indices is the
    /// error of `lacking`.
    pub(super) fn new<G: Dense>(
        game: &G,
        indices: &[u64],
        lacking: &(dyn Fn() -> SolveError + Sync),
        budget: MemoryAllowance<'_>,
        progress: &dyn Progress,
    ) -> Result<PredecessorLists, SolveError> {
        // An edge keeps its parent in 31 bits.
        const MOST: u64 = 1 << 31;
        let positions = indices.len() as u64;
        if positions > MOST {
            return Err(no_engine(game));
        }
        // Index, start, children, code, and what finds an index.
        budget.check(18 * positions)?;
        let starts = room::collected(indices.iter().map(|_| AtomicU32::new(0)))?;
        let count = room::collected(indices.iter().map(|_| AtomicU16::new(0)))?;
        let finder = Finder::new(indices)?;
        progress.begin("counting moves", positions, Unit::Positions);
        for_each_edge(game, &finder, lacking, progress, |parent, child, _| {
            starts[child].fetch_add(1, Ordering::Relaxed);
            count[parent].fetch_add(1, Ordering::Relaxed);
        })?;
        // From numbers of parents to the ends of their lists; filling moves the ends to the starts.
        let mut bases = room::reserved(indices.len() / BLOCK + 2)?;
        let mut total = 0;
        for block in starts.chunks(BLOCK) {
            bases.push(total);
            let mut end = 0_u32;
            for start in block {
                end = end
                    .checked_add(start.load(Ordering::Relaxed))
                    .ok_or_else(|| no_engine(game))?;
                start.store(end, Ordering::Relaxed);
            }
            total += u64::from(end);
        }
        bases.push(total);
        budget.check(18 * positions + 4 * total)?;
        let edges = room::collected((0..total as usize).map(|_| AtomicU32::new(0)))?;
        progress.begin("linking positions", positions, Unit::Positions);
        for_each_edge(
            game,
            &finder,
            lacking,
            progress,
            |parent, child, keeps_turn| {
                let slot = starts[child].fetch_sub(1, Ordering::Relaxed) - 1;
                edges[(bases[child / BLOCK] + u64::from(slot)) as usize].store(
                    (parent as u32) << 1 | u32::from(keeps_turn),
                    Ordering::Relaxed,
                );
            },
        )?;
        Ok(PredecessorLists {
            bases,
            starts,
            edges,
            children: count,
        })
    }

    /// The positions that lead to one, and whether its player is also theirs.
    pub(super) fn parents(&self, child: usize) -> impl Iterator<Item = (usize, bool)> {
        let base = self.bases[child / BLOCK] as usize;
        let start = |place: usize| base + self.starts[place].load(Ordering::Relaxed) as usize;
        let last = (child + 1).is_multiple_of(BLOCK) || child + 1 == self.starts.len();
        let end = if last {
            self.bases[child / BLOCK + 1] as usize
        } else {
            start(child + 1)
        };
        self.edges[start(child)..end].iter().map(|edge| {
            let edge = edge.load(Ordering::Relaxed);
            ((edge >> 1) as usize, edge & 1 == 1)
        })
    }
}

fn no_engine<G: Dense>(game: &G) -> SolveError {
    SolveError::NoEngine {
        variant: game.rules().title().to_string(),
    }
}

fn for_each_edge<G: Dense>(
    game: &G,
    finder: &Finder<'_>,
    lacking: &(dyn Fn() -> SolveError + Sync),
    progress: &dyn Progress,
    visit: impl Fn(usize, usize, bool) + Sync,
) -> Result<(), SolveError> {
    let done = try_map_chunks(finder.indices, TASK, |task, chunk| {
        if progress.cancelled() {
            return Err(SolveError::Interrupted);
        }
        let (mut moves, mut here) = (Vec::new(), Vec::new());
        for (place, index) in (task * TASK..).zip(chunk) {
            if let Some(position) = game.at_unchecked(*index) {
                children(game, &position, &mut moves, &mut here);
                for child in &here {
                    let child_place = finder.place(child >> 1).ok_or_else(lacking)?;
                    visit(place, child_place, child & 1 == 1);
                }
            }
        }
        progress.advance(chunk.len() as u64);
        Ok(())
    });
    done.map(drop)
}

/// Finds indices in a long sorted list: a table of the places where the upper bits change narrows the
/// search down to a few neighbours.
struct Finder<'a> {
    indices: &'a [u64],
    shift: u32,
    places: Vec<u32>,
}

impl<'a> Finder<'a> {
    fn new(indices: &'a [u64]) -> Result<Finder<'a>, SolveError> {
        let last = indices.last().copied().unwrap_or(0);
        let wanted = (indices.len() as u64 / 4).max(1);
        let shift = (last / wanted).max(1).ilog2();
        let mut places = room::reserved((last >> shift) as usize + 2)?;
        for (place, index) in indices.iter().enumerate() {
            while places.len() as u64 <= index >> shift {
                places.push(place as u32);
            }
        }
        places.push(indices.len() as u32);
        Ok(Finder {
            indices,
            shift,
            places,
        })
    }

    /// The place of an index in the list; `None` where it is not listed.
    fn place(&self, index: u64) -> Option<usize> {
        let bucket = (index >> self.shift) as usize;
        let from = *self.places.get(bucket)? as usize;
        let to = *self.places.get(bucket + 1)? as usize;
        let place = from + self.indices[from..to].partition_point(|other| *other < index);
        (self.indices.get(place) == Some(&index)).then_some(place)
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
            let finder = Finder::new(&indices).unwrap();
            let other = |index: &u64| indices.binary_search(index).is_err();
            for index in (0..20_000).filter(other).chain([u64::MAX]) {
                assert_eq!(finder.place(index), None, "{index}");
            }
            for (place, index) in indices.iter().enumerate() {
                assert_eq!(finder.place(*index), Some(place));
            }
        }
    }
}
