//! The solution of a board by a sweep.

use std::collections::HashMap;

use greenwave_game::{Colours, Dense, Game, Metric, Packing, codes};
use greenwave_table::{Leaf, Longest, Summary};

use super::bits::{self, Bits};
use super::bytes::{Bytes, Distance, Nimber};
use super::family::Sweeper;
use super::index::Index;
use super::layout::{LOW, POSITIONS};
use super::leaves::{Harvest, Solved};
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
/// When memory cannot be had, when the work is cancelled, and when a Grundy value is larger than
/// the sweep can hold.
pub fn solve(plan: &Plan<'_>, progress: &dyn Progress) -> Result<Solution, SolveError> {
    let (frame, kernel) = (&plan.frame, plan.options.kernel);
    let run = Run {
        plan,
        progress,
        index: Index::new(frame),
    };
    match plan.metric {
        Metric::Distance => {
            let bytes = Bytes::<Distance>::distance(frame, kernel);
            run.counted::<{ POSITIONS }, _>(&bytes)
        }
        Metric::Nimber => {
            let bytes = Bytes::<Nimber>::nimber(frame, kernel);
            run.counted::<{ 2 * POSITIONS }, _>(&bytes)
        }
        _ => run.bits(),
    }
}

struct Run<'a> {
    plan: &'a Plan<'a>,
    progress: &'a dyn Progress,
    index: Index,
}

impl Run<'_> {
    fn begin(&self) {
        let stage = format!(
            "sweeping {} for {}",
            self.plan.game.rules().name,
            self.plan.metric
        );
        self.progress
            .begin(&stage, self.index.blocks() << (2 * LOW), Unit::Positions);
    }

    fn undecided(&self) -> bool {
        self.plan.game.packing(self.plan.metric) == Packing::Undecided
    }

    // Positions that are not packed, though unfinished, are won at once.
    fn unfinished(&self) -> u64 {
        u64::try_from(self.plan.frame.unfinished_positions()).unwrap_or(u64::MAX)
    }

    // Win or loss: the sweep counts the losses.
    fn bits(&self) -> Result<Solution, SolveError> {
        let frame = &self.plan.frame;
        let bits = Bits::new(frame, self.plan.options.kernel);
        let wanted = self.plan.options.leaves;
        let mut harvest = wanted.then(|| Harvest::new(frame, self.undecided(), true));
        let mut losses = 0;
        let mut first = First::default();
        self.begin();
        waves::sweep::<{ bits::BYTES }, _>(
            frame,
            &self.index,
            &bits,
            self.progress,
            |swept, found| {
                losses += found;
                first.take(swept, &bits);
                if let Some(harvest) = &mut harvest {
                    harvest.take(swept, &bits, false);
                }
                Ok(())
            },
        )?;
        let counts = [(0, self.unfinished() - losses), (1, losses)];
        let leaves = harvest.and_then(|mut harvest| harvest.leaves());
        Ok(self.solution(&first, &counts, None, leaves))
    }

    // Values of which there are many: every packed position is looked at.
    fn counted<const N: usize, S>(&self, bytes: &S) -> Result<Solution, SolveError>
    where
        S: Sweeper<N> + Solved<N>,
    {
        let (plan, frame) = (self.plan, &self.plan.frame);
        let mut harvest = Harvest::new(frame, self.undecided(), plan.options.leaves);
        let mut first = First::default();
        self.begin();
        waves::sweep::<N, _>(frame, &self.index, bytes, self.progress, |swept, _| {
            first.take(swept, bytes);
            harvest.take(swept, bytes, plan.metric == Metric::Distance);
            Ok(())
        })?;
        if harvest.counts.misfits > 0 {
            return Err(SolveError::Misfits {
                variant: plan.game.rules().name.clone(),
                metric: plan.metric,
                count: harvest.counts.misfits,
            });
        }
        let mut counts = harvest.counts.codes();
        let mut longest = harvest.counts.longest;
        if self.undecided() {
            let packed: u64 = counts.iter().map(|(_, count)| count).sum();
            let won_at_once = self.unfinished() - packed;
            let code = codes::won_at_once_code(plan.metric);
            for (_, count) in counts.iter_mut().filter(|(other, _)| *other == code) {
                *count += won_at_once;
            }
            if packed == 0 && won_at_once > 0 {
                // Where every unfinished position is won at once, the first is the start.
                longest = Some((1, 0));
            }
        }
        let leaves = harvest.leaves();
        let longest = longest.filter(|_| plan.metric == Metric::Distance);
        Ok(self.solution(&first, &counts, longest, leaves))
    }

    fn solution(
        &self,
        first: &First,
        counts: &[(i32, u64)],
        longest: Option<(u32, u64)>,
        leaves: Option<Vec<(u64, Leaf)>>,
    ) -> Solution {
        let (game, metric) = (self.plan.game, self.plan.metric);
        let mut summary = summary_of(game, metric, counts, |position| {
            match first.codes.get(&position.0) {
                Some(code) => codes::decode(metric, *code),
                // Not swept, though unfinished.
                None => codes::decode(metric, codes::won_at_once_code(metric)),
            }
        });
        summary.longest = longest.and_then(|(plies, index)| {
            let entry = summary
                .histogram
                .iter()
                .find(|entry| entry.key == i64::from(plies))?;
            Some(Longest {
                distance: plies,
                outcome: entry.outcome?,
                example: game.position_text(&game.at(index)?, Colours::Ryg),
            })
        });
        Solution {
            summary,
            leaves,
            blocks: self.index.blocks(),
        }
    }
}

// Codes of the start and of the positions after one move, by index.
#[derive(Default)]
struct First {
    codes: HashMap<u64, i32>,
}

impl First {
    fn take<const N: usize>(&mut self, swept: &Swept<'_, N>, solved: &impl Solved<N>) {
        let squares = swept.frame.squares();
        for position in std::iter::once(0).chain((0..squares).map(|square| 1 << (2 * square))) {
            let inside = swept.frame.order.inward(position);
            let code = swept
                .find(inside)
                .and_then(|(block, place)| solved.code(block, place));
            if let Some(code) = code {
                self.codes.insert(position, code);
            }
        }
    }
}
