//! The solution of a board by a sweep.

use std::collections::HashMap;

use greenwave_game::{Dense, Game, Packing, codes};
use greenwave_table::{Leaf, Summary};

use super::bits::{self, Bits};
use super::index::Index;
use super::leaves::{Leaves, Solved};
use super::plan::Plan;
use super::waves::{self, Swept};
use crate::summary::summary_of;
use crate::{Progress, SolveError, Unit};

/// What a sweep found.
#[derive(Clone, Debug, PartialEq)]
pub struct Solution {
    /// Counts over the legal, unfinished positions, and the openings.
    pub summary: Summary,
    /// Leaf numbers and packed values, in the order of the index, of all leaves that have any;
    /// `None` unless asked for.
    pub leaves: Option<Vec<(u64, Leaf)>>,
    /// Blocks of 4,096 positions that were computed.
    pub blocks: u64,
}

/// Sweeps a board.
///
/// # Errors
/// When memory cannot be had, and when the work is cancelled.
pub fn solve(plan: &Plan<'_>, progress: &dyn Progress) -> Result<Solution, SolveError> {
    let (game, frame) = (plan.game, &plan.frame);
    let index = Index::new(frame);
    progress.begin(
        &format!("sweeping {} for {}", game.rules().name, plan.metric),
        index.blocks() << (2 * super::layout::LOW),
        Unit::Positions,
    );
    let mut losses = 0;
    let bits = Bits::new(frame, plan.options.kernel);
    let mut found = Found::new(plan);
    waves::sweep::<{ bits::BYTES }, _>(frame, &index, &bits, progress, |swept, tally| {
        losses += tally;
        found.take(plan, swept, &bits);
        Ok(())
    })?;
    let wins = u64::try_from(frame.unfinished_positions()).unwrap_or(u64::MAX) - losses;
    Ok(found.solution(plan, &index, &[(0, wins), (1, losses)]))
}

// What is kept of the waves as they pass.
struct Found {
    // Codes of the start and of the positions after one move, by index.
    first: HashMap<u64, i32>,
    leaves: Option<Leaves>,
}

impl Found {
    fn new(plan: &Plan<'_>) -> Found {
        let undecided = plan.game.packing(plan.metric) == Packing::Undecided;
        Found {
            first: HashMap::new(),
            leaves: plan
                .options
                .leaves
                .then(|| Leaves::new(&plan.frame, undecided)),
        }
    }

    fn take<const N: usize>(
        &mut self,
        plan: &Plan<'_>,
        swept: &Swept<'_, N>,
        solved: &impl Solved<N>,
    ) {
        let squares = plan.frame.squares();
        for position in std::iter::once(0).chain((0..squares).map(|square| 1 << (2 * square))) {
            let inside = plan.frame.order.inward(position);
            if let Some((block, place)) = swept.find(inside) {
                self.first.insert(position, solved.code(block, place));
            }
        }
        if let Some(leaves) = &mut self.leaves {
            leaves.take(swept, solved);
        }
    }

    fn solution(self, plan: &Plan<'_>, index: &Index, counts: &[(i32, u64)]) -> Solution {
        let (game, metric) = (plan.game, plan.metric);
        let summary = summary_of(game, metric, counts, |position| {
            match self.first.get(&position.0) {
                Some(code) => codes::decode(metric, *code),
                // Not swept, though unfinished: won at once.
                None => codes::decode(metric, codes::won_at_once_code(metric)),
            }
        });
        Solution {
            summary,
            leaves: self.leaves.map(Leaves::finish),
            blocks: index.blocks(),
        }
    }
}
