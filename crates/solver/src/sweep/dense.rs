//! A swept board with all its values in memory.

use greenwave_game::{BoardGame, Cell, Code, Dense, Game, LEAF_BITS, LeafMask, Metric, Packing};
use greenwave_table::Leaf;
use greenwave_values::{Codes, DenseValues, Progress, codes, room};
use rayon::prelude::*;

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
    let codes = match plan.metric {
        Metric::Points => {
            let widen = |code: u64| i16::from(code as u8 as i8);
            Codes::Words(spread(plan, &leaves, 8, widen)?)
        }
        Metric::Value => {
            let bits = if plan.has_draws() { 2 } else { 1 };
            Codes::Bytes(spread(plan, &leaves, bits, |code| code as u8)?)
        }
        Metric::Distance | Metric::Odds | Metric::Nimber => {
            Codes::Bytes(spread(plan, &leaves, 8, |code| code as u8)?)
        }
    };
    Ok(DenseValues::new(plan.metric, codes))
}

// The codes of all indices from the packed ones and from what follows from the rules.
fn spread<C>(
    plan: &Plan<'_>,
    leaves: &[(u64, Leaf)],
    bits: u32,
    code: impl Fn(u64) -> C + Sync,
) -> Result<Vec<C>, SolveError>
where
    C: Copy + Default + Send + TryFrom<i32>,
{
    let game = plan.game;
    let total = game.indexable() as u64;
    let mut codes = room::filled(C::default(), total as usize)?;
    let packing = game.packing(plan.metric);
    codes
        .par_chunks_mut(1 << LEAF_BITS)
        .enumerate()
        .for_each_init(LeafMask::default, |mask, (number, codes)| {
            let number = number as u64;
            fill(plan, number, mask, codes);
            let place = leaves.binary_search_by_key(&number, |(number, _)| *number);
            let Ok(place) = place else { return };
            game.leaf_mask(packing, number, mask);
            let leaf = &leaves[place].1;
            for (rank, place) in (0..).zip(mask.places()) {
                codes[place as usize] = code(leaf.value(bits, rank));
            }
        });
    Ok(codes)
}

// The codes of the positions that are not packed.
fn fill<C>(plan: &Plan<'_>, number: u64, mask: &mut LeafMask, codes: &mut [C])
where
    C: Copy + Default + TryFrom<i32>,
{
    let (game, metric) = (plan.game, plan.metric);
    let fitted = |code: i32| match C::try_from(code) {
        Ok(code) => code,
        Err(_) => unreachable!("code {code} fits into its slot"),
    };
    if game.packing(metric) == Packing::Undecided {
        codes.fill(fitted(codes::won_at_once_code(metric)));
    }
    let ended = |place: u32| {
        let ending = game
            .at((number << LEAF_BITS) + u64::from(place))
            .and_then(|position| game.ending(&position));
        ending.map_or(C::default(), |ending| {
            fitted(codes::ended_code(metric, &ending))
        })
    };
    // Without points and draws all ends are alike.
    let alike = metric != Metric::Points && !plan.has_draws();
    let over = alike.then(|| ended_by_line(game, metric));
    game.leaf_mask(Packing::Unfinished, number, mask);
    for (place, code) in (0_u32..).zip(codes.iter_mut()) {
        if !mask.contains(place) {
            *code = over.map_or_else(|| ended(place), fitted);
        }
    }
}

// The code of the full board, which a line finishes.
fn ended_by_line(game: &BoardGame, metric: Metric) -> i32 {
    let board = game.board();
    let full = (0..board.shape.cells() as u8)
        .map(Cell)
        .fold(Code::EMPTY, |code, cell| code.with(cell, board.levels));
    game.ending(&full)
        .map_or(0, |ending| codes::ended_code(metric, &ending))
}
