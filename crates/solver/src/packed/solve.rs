//! The solution of a board by a packed sweep.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use greenwave_game::{Code, Figures, Game, Metric, Outcome};
use greenwave_table::Summary;
use greenwave_values::{Progress, Unit, codes, summary_of};

use super::layout::GROUP;
use super::plan::Plan;
use super::tables::Tables;
use super::waves::{Sweep, TIERS, Totals};
use crate::SolveError;

/// What a packed sweep found.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Solution {
    /// Counts over the unfinished positions, and the openings.
    pub(crate) summary: Summary,
    /// Totals by wave, from the highest down.
    pub(crate) waves: Vec<Totals>,
    /// Lost positions by level sum, if they were to be counted.
    pub(crate) tiers: Option<Vec<u64>>,
    /// Watched positions by index, and whether they are lost; those that the rules decide are not
    /// among them.
    pub(crate) watched: BTreeMap<u64, bool>,
}

// A position whose value is asked for, and where it is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Wanted {
    sum: usize,
    far: u64,
    position: u64,
    rank: usize,
    low: usize,
}

/// Sweeps a board.
pub(crate) fn solve(plan: &Plan<'_>, progress: &dyn Progress) -> Result<Solution, SolveError> {
    if plan.layout.low.len() == GROUP {
        solve_with::<1>(plan, progress)
    } else {
        solve_with::<4>(plan, progress)
    }
}

fn solve_with<const G: usize>(
    plan: &Plan<'_>,
    progress: &dyn Progress,
) -> Result<Solution, SolveError> {
    let game = plan.game;
    let tables = Tables::<G>::new(&plan.patterns, plan.layout.clone());
    let sweep = Sweep {
        tables: &tables,
        engine: plan.engine,
        grain: plan.grain,
        tiers: plan.tiers.then(|| Mutex::new(vec![0; TIERS])),
        chunk_bits: plan.chunk_bits,
        progress,
    };
    let squares = game.board().shape.cells();
    let counted = "the plan has looked at the frontier";
    let undecided = plan.patterns.undecided().expect(counted);
    progress.begin(
        &format!("sweeping {} for {}", game.rules().name, Metric::Value),
        u64::try_from(undecided).unwrap_or(u64::MAX),
        Unit::Positions,
    );
    let mut wanted: Vec<Wanted> = std::iter::once(0)
        .chain((0..squares).map(|square| 1 << (2 * square)))
        .chain(plan.watched.iter().copied())
        .map(|position| {
            let (far, mid, low) = tables.split(position);
            Wanted {
                sum: Code(far).level_sum() as usize,
                far,
                position,
                rank: usize::from(tables.ranks[mid]),
                low,
            }
        })
        .collect();
    // From the highest wave down, positions of a family together.
    wanted.sort_unstable();
    wanted.dedup();
    let mut found = BTreeMap::new();
    let mut waves = Vec::new();
    sweep.run(|wave, totals| {
        waves.push(totals);
        let here = wanted.partition_point(|wanted| wanted.sum < wave.sum);
        for positions in wanted.split_off(here).chunk_by(|a, b| a.far == b.far) {
            let Some(blocks) = sweep.blocks(wave, positions[0].far) else {
                continue;
            };
            for wanted in positions {
                let [open, lost] = &blocks[wanted.rank];
                if open.bit(wanted.low) {
                    found.insert(wanted.position, lost.bit(wanted.low));
                }
            }
        }
        Ok(())
    })?;
    let lost: u64 = waves.iter().map(|wave| wave.lost).sum();
    let packed: u128 = waves.iter().map(|wave| u128::from(wave.undecided)).sum();
    // Counted in another way altogether: no family is missing, none is there twice.
    assert_eq!(packed, undecided, "undecided positions swept and counted");
    let unfinished = plan.patterns.line_free(game).expect(counted);
    let unfinished = u64::try_from(unfinished).unwrap_or(u64::MAX);
    let counts = [(0, unfinished - lost), (1, lost)];
    let figures = |position: &Code| -> Figures {
        let outcome = match found.get(&position.0) {
            Some(true) => Outcome::Loss,
            Some(false) => Outcome::Win,
            // Decided by the rules, though unfinished.
            None => Outcome::Win,
        };
        codes::decode(Metric::Value, codes::value_code(outcome).into())
    };
    let summary = summary_of(game, Metric::Value, &counts, figures);
    Ok(Solution {
        summary,
        waves,
        tiers: sweep
            .tiers
            .map(|tiers| tiers.into_inner().unwrap_or_else(PoisonError::into_inner)),
        watched: found,
    })
}
