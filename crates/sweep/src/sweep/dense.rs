//! A swept board with all its values in memory.

use greenwave_game::{Dense, Game, LEAF_BITS, LeafMask, Metric};
use greenwave_table::Leaf;
use greenwave_values::parallel::try_for_each_chunk;
use greenwave_values::{Codes, DenseValues, Progress, Unit, room, unpacked_code};

use super::plan::Plan;
use super::solve::solve;
use crate::SolveError;

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
    let stage = format!("spreading the values of {}", plan.game.rules().title());
    progress.begin(&stage, plan.game.indexable() as u64, Unit::Positions);
    let unpacked = unpacked_code(plan.game, plan.metric);
    let codes = match plan.metric {
        Metric::Points => {
            let widen = |code: u64| i16::from(code as u8 as i8);
            Codes::Words(spread(plan, &leaves, (unpacked as i16, widen), progress)?)
        }
        Metric::Value | Metric::Distance | Metric::Odds | Metric::Nimber => {
            let narrow = |code: u64| code as u8;
            Codes::Bytes(spread(plan, &leaves, (unpacked as u8, narrow), progress)?)
        }
    };
    Ok(DenseValues::new(plan.metric, codes))
}

// The codes of all unfinished positions from the packed ones; the others have one in common.
fn spread<C: Copy + Send + Sync>(
    plan: &Plan<'_>,
    leaves: &[(u64, Leaf)],
    (unpacked, code): (C, impl Fn(u64) -> C + Sync),
    progress: &dyn Progress,
) -> Result<Vec<C>, SolveError> {
    let game = plan.game;
    let (packing, bits) = (game.packing(plan.metric), plan.code_bits());
    let mut codes = room::filled_watched(&unpacked, game.indexable() as usize, progress)?;
    try_for_each_chunk(&mut codes, 1 << LEAF_BITS, |number, codes| {
        if progress.cancelled() {
            return Err(SolveError::Interrupted);
        }
        let number = number as u64;
        if let Ok(place) = leaves.binary_search_by_key(&number, |(number, _)| *number) {
            let leaf = &leaves[place].1;
            let mut mask = LeafMask::default();
            game.leaf_mask(packing, number, &mut mask);
            for (rank, place) in (0..).zip(mask.places()) {
                codes[place as usize] = code(leaf.value(bits, rank));
            }
        }
        progress.advance(codes.len() as u64);
        Ok(())
    })?;
    Ok(codes)
}
