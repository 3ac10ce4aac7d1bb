//! Which bins there are, and which are settled together.

use std::ops::Range;

use crate::packed::grain::{Grain, room};
use crate::packed::layout::SquareLayout;
use crate::packed::tables::Tables;

/// Bytes of a bin in the list of them.
pub(super) const ENTRY: usize = 56;

/// Far squares whose levels name a bin, at least, where there are this many.
const NAMING: usize = 8;

/// Tasks whose families are settled between two looks at what is read and written, at least.
pub(super) const BATCH_TASKS: usize = 32;

/// The lowest of the far digits that name a bin.
pub(in crate::packed) fn lowest_naming(layout: &SquareLayout) -> usize {
    let squares = layout.far.len();
    let enough = |digit: &&usize| squares - **digit >= NAMING.min(squares.div_ceil(2));
    layout.orbits.iter().find(enough).copied().unwrap_or(0)
}

/// Bytes that a chunk needs to take a task of this many families.
pub(in crate::packed) const fn chunk_bytes(grain: Grain, fold: usize, task: usize) -> usize {
    2 * task * room(grain, fold)
}

/// By far digit, the bin above that a raise in a bin leads to; `find` knows them by name.
pub(super) fn bins_above<const G: usize>(
    tables: &Tables<G>,
    lowest: usize,
    name: u64,
    find: impl Fn(u64) -> Option<usize>,
) -> [Option<usize>; 32] {
    let mut above = [None; 32];
    let code = name << (2 * lowest);
    for (digit, above) in above.iter_mut().enumerate().take(tables.layout.far.len()) {
        if digit < lowest {
            *above = find(name);
        } else if code >> (2 * digit) & 3 < 3 {
            let images = tables.images_of(code + (1 << (2 * digit)));
            let least = images.into_iter().min().unwrap_or(code);
            *above = find(least >> (2 * lowest));
        }
    }
    above
}

/// Which bins of this many families each are settled together, so that those are at least this many.
pub(super) fn batched(bins: impl Iterator<Item = usize>, least: usize) -> Vec<Range<usize>> {
    let mut batches: Vec<Range<usize>> = Vec::new();
    let mut open = 0;
    for (number, families) in bins.enumerate() {
        match batches.last_mut() {
            Some(batch) if open < least => batch.end = number + 1,
            _ => {
                batches.push(number..number + 1);
                open = 0;
            }
        }
        open += families;
    }
    batches
}
