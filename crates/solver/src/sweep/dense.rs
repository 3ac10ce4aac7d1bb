//! A swept board with all its values in memory.

use greenwave_game::{Codes, Dense, DenseValues, Game, LEAF_BITS, LeafMask, Packing, codes};
use rayon::prelude::*;

use super::plan::Plan;
use super::solve::solve;
use crate::{Progress, SolveError};

/// Sweeps a board and spreads the values over its index.
///
/// # Errors
/// As [`solve`].
///
/// # Panics
/// When the plan has no leaves.
pub fn solve_densely(plan: &Plan<'_>, progress: &dyn Progress) -> Result<DenseValues, SolveError> {
    assert!(plan.options.leaves, "values come from leaves");
    let solution = solve(plan, progress)?;
    let leaves = solution.leaves.unwrap_or_default();
    let (game, metric) = (plan.game, plan.metric);
    let total = game.indexable() as u64;
    let bits = if metric == greenwave_game::Metric::Value {
        1
    } else {
        8
    };
    let mut values = Vec::new();
    let refused = |_| SolveError::Allocation { needed: total };
    values.try_reserve_exact(total as usize).map_err(refused)?;
    values.resize(total as usize, 0_u8);
    let packing = game.packing(metric);
    // Every game ends by a line, and without points all ends are alike; the last position, with
    // all squares full, is one.
    let last = game
        .at(total - 1)
        .and_then(|position| game.ending(&position));
    let over = last.map_or(0, |ending| codes::ended_code(metric, &ending) as u8);
    values
        .par_chunks_mut(1 << LEAF_BITS)
        .enumerate()
        .for_each_init(LeafMask::default, |mask, (number, values)| {
            fill(plan, number as u64, mask, over, values);
            let place = leaves.binary_search_by_key(&(number as u64), |(number, _)| *number);
            let Ok(place) = place else { return };
            game.leaf_mask(packing, number as u64, mask);
            let leaf = &leaves[place].1;
            for (rank, place) in (0..).zip(mask.places()) {
                values[place as usize] = leaf.value(bits, rank) as u8;
            }
        });
    Ok(DenseValues::new(metric, Codes::Bytes(values)))
}

// The codes of the positions that are not packed.
fn fill(plan: &Plan<'_>, number: u64, mask: &mut LeafMask, over: u8, values: &mut [u8]) {
    let (game, metric) = (plan.game, plan.metric);
    if game.packing(metric) == Packing::Undecided {
        values.fill(codes::won_at_once_code(metric) as u8);
    }
    game.leaf_mask(Packing::Unfinished, number, mask);
    for (place, value) in (0_u32..).zip(values.iter_mut()) {
        if !mask.contains(place) {
            *value = over;
        }
    }
}
