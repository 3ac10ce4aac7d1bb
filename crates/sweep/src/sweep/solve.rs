//! The solution of a board by a sweep.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use greenwave_game::{Code, Dense, Figures, Game, LEAF_BITS, LeafMask, Metric, Packing};
use greenwave_table::{Leaf, LongestPlay, Summary};
use greenwave_values::{Progress, Unit, codes, stored_outcome, summary_of};
use rayon::prelude::*;

use super::bits::{self, BitSweep};
use super::bytes::{Bytes, Distance, Nimber, PointSweep, Results};
use super::checkpoint::{self, SweepRecord};
use super::family::Sweeper;
use super::index::Index;
use super::layout::{LOW, POSITIONS};
use super::leaves::{BlockValues, Harvest};
use super::plan::Plan;
use super::waves::{self, SweptWave, WaveObserver};
use crate::SolveError;
use crate::checkpoint::{Checkpoint, EVERY, PartReader};

/// What a sweep found.
#[derive(Clone, Debug, PartialEq)]
pub struct SweepSolution {
    /// Counts over the legal, unfinished positions, and the openings.
    pub summary: Summary,
    /// Leaf numbers and packed values, in the order of the index, of all leaves that have any;
    /// `None` unless asked for.
    pub leaves: Option<Vec<(u64, Leaf)>>,
    /// Blocks of 4,096 positions that were computed.
    pub blocks: u64,
    /// Watched positions by index, with their figures for the player to move.
    pub watched: Vec<(u64, Figures)>,
}

/// Sweeps a board.
///
/// # Errors
/// When memory cannot be had, when the work is cancelled, and when a Grundy value is larger than
/// the sweep can hold.
pub fn solve(plan: &Plan<'_>, progress: &dyn Progress) -> Result<SweepSolution, SolveError> {
    solve_resumably(plan, None, progress)
}

/// Sweeps a board, with checkpoints in a folder: at most one each half minute, and one when the
/// work is cancelled. If one of the former cannot be written, `progress` gets the error, and the
/// sweep tries again later. A checkpoint that is there already is where the sweep goes on. A
/// finished sweep removes the folder. With leaves, a long sweep stores one of everything, so that
/// nothing is lost until the table is written; then
/// [`discard_checkpoint`](crate::discard_checkpoint) removes it.
///
/// # Errors
/// As [`solve`]; besides, when the checkpoint is damaged or of other rules, and when another solve is
/// at work on it. A solve that was cancelled ends with [`SolveError::Paused`], or with the reason why
/// there is no checkpoint.
pub fn solve_resumably(
    plan: &Plan<'_>,
    checkpoint: Option<&Path>,
    progress: &dyn Progress,
) -> Result<SweepSolution, SolveError> {
    solve_with(plan, checkpoint, EVERY, progress)
}

/// [`solve_resumably`] with another time between checkpoints.
pub(super) fn solve_with(
    plan: &Plan<'_>,
    checkpoint: Option<&Path>,
    every: Duration,
    progress: &dyn Progress,
) -> Result<SweepSolution, SolveError> {
    let (solution, checkpoint) = solve_keeping(plan, checkpoint, every, progress)?;
    if let Some(checkpoint) = checkpoint
        && !(plan.options.leaves && checkpoint.is_worth_keeping())
    {
        checkpoint.finish();
    }
    Ok(solution)
}

/// Sweeps a board and returns the checkpoint, still locked, for whoever has something to do with the
/// solution first.
pub fn solve_keeping(
    plan: &Plan<'_>,
    checkpoint: Option<&Path>,
    every: Duration,
    progress: &dyn Progress,
) -> Result<(SweepSolution, Option<Checkpoint>), SolveError> {
    let (geometry, kernel) = (&plan.geometry, plan.options.kernel);
    let run = SweepRun {
        plan,
        progress,
        index: Index::new(geometry)?,
        checkpoint: checkpoint.map(|path| (path, every)),
    };
    match plan.metric {
        Metric::Distance => {
            let bytes = Bytes::<Distance>::plies(plan.game, geometry, kernel);
            run.counted::<{ POSITIONS }, _>(&bytes)
        }
        Metric::Nimber => {
            let bytes = Bytes::<Nimber>::nimber(geometry, kernel);
            run.counted::<{ 2 * POSITIONS }, _>(&bytes)
        }
        Metric::Points => {
            let points = PointSweep::new(plan.game, geometry, kernel);
            run.counted::<{ POSITIONS }, _>(&points)
        }
        Metric::Value if plan.has_draws() => {
            let bytes = Bytes::<Results>::plies(plan.game, geometry, kernel);
            run.counted::<{ POSITIONS }, _>(&bytes)
        }
        Metric::Value | Metric::Odds => run.bits(),
    }
}

/// A solution and the checkpoint of its solve.
type SweepEnd = (SweepSolution, Option<Checkpoint>);

struct SweepRun<'a> {
    plan: &'a Plan<'a>,
    progress: &'a dyn Progress,
    index: Index,
    // The file, and the time between checkpoints.
    checkpoint: Option<(&'a Path, Duration)>,
}

impl SweepRun<'_> {
    fn begin(&self) {
        let stage = format!(
            "sweeping {} for {}",
            self.plan.game.rules().title(),
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
        u64::try_from(self.plan.unfinished_positions()).unwrap_or(u64::MAX)
    }

    // Whether a position is unfinished and won at once.
    fn wins(&self, position: &Code) -> bool {
        let game = self.plan.game;
        game.ending(position).is_none() && game.wins_at_once(position)
    }

    // Win or loss: the sweep counts the losses.
    fn bits(&self) -> Result<SweepEnd, SolveError> {
        let geometry = &self.plan.geometry;
        let bits = BitSweep::new(geometry, self.plan.options.kernel);
        let wanted = self.plan.options.leaves;
        let harvest =
            wanted.then(|| Harvest::new(self.plan.game, geometry, self.undecided(), true));
        let WaveCollector {
            losses,
            first,
            harvest,
            checkpoint,
            ..
        } = self.waves::<{ bits::BYTES }, _>(&bits, harvest)?;
        let counts = [(0, self.unfinished().saturating_sub(losses)), (1, losses)];
        let leaves = harvest.and_then(|mut harvest| harvest.leaves());
        let solution = self.solution(&first, &counts, None, leaves);
        Ok((solution, checkpoint))
    }

    // For metrics with a lot of different values: it visits every packed position.
    fn counted<const N: usize, S>(&self, bytes: &S) -> Result<SweepEnd, SolveError>
    where
        S: Sweeper<N> + BlockValues<N>,
    {
        let (plan, geometry) = (self.plan, &self.plan.geometry);
        let harvest = Harvest::new(plan.game, geometry, self.undecided(), plan.options.leaves);
        let kept = self.waves::<N, _>(bytes, Some(harvest))?;
        let first = kept.first;
        let Some(mut harvest) = kept.harvest else {
            unreachable!("given to it");
        };
        if harvest.counts.misfits > 0 {
            // Nobody continues from here.
            if let Some(checkpoint) = kept.checkpoint {
                checkpoint.finish();
            }
            return Err(SolveError::Misfits {
                variant: plan.game.rules().title().to_string(),
                metric: plan.metric,
                count: harvest.counts.misfits,
            });
        }
        let mut counts = harvest.counts.codes();
        let mut longest = harvest.counts.longest();
        if self.undecided() {
            let packed: u64 = counts.iter().map(|(_, count)| count).sum();
            // A full board is finished, whether it shows a line or not.
            let full = u64::from(geometry.last.is_some());
            let won_at_once = self.unfinished() - full - packed;
            let code = codes::won_at_once_code(plan.metric);
            for (_, count) in counts.iter_mut().filter(|(other, _)| *other == code) {
                *count += won_at_once;
            }
            if won_at_once > 0 && longest.is_none_or(|(plies, ..)| plies == 1) {
                // No play is longer: the first position that is won at once is the example, by a line or
                // because the opponent cannot move.
                let mut all = 0..plan.game.indexable() as u64;
                let first = all.find(|index| plan.game.at(*index).is_some_and(|at| self.wins(&at)));
                let first = first.map(|index| (1, code, index));
                longest = first.into_iter().chain(longest).min_by_key(|found| found.2);
            }
        }
        let leaves = harvest.leaves();
        let longest = longest.filter(|_| plan.metric == Metric::Distance);
        let solution = self.solution(&first, &counts, longest, leaves);
        Ok((solution, kept.checkpoint))
    }

    // All waves, with checkpoints.
    fn waves<'s, const N: usize, S>(
        &'s self,
        solved: &'s S,
        harvest: Option<Harvest>,
    ) -> Result<WaveCollector<'s, S>, SolveError>
    where
        S: Sweeper<N> + BlockValues<N>,
    {
        let plan = self.plan;
        let checkpoint = match self.checkpoint {
            Some((path, every)) => Some(checkpoint::open(plan, path, N, every)?),
            None => None,
        };
        let mut kept = WaveCollector {
            plan,
            solved,
            progress: self.progress,
            waves: self.index.waves.len(),
            watched: plan.asked(),
            distances: plan.metric == Metric::Distance,
            losses: 0,
            first: WatchedCodes::default(),
            harvest,
            checkpoint,
            blocks: None,
        };
        self.begin();
        waves::sweep::<N, _>(
            &plan.geometry,
            &self.index,
            solved,
            self.progress,
            &mut kept,
        )?;
        Ok(kept)
    }

    fn solution(
        &self,
        first: &WatchedCodes,
        counts: &[(i32, u64)],
        longest: Option<(u32, i32, u64)>,
        leaves: Option<Vec<(u64, Leaf)>>,
    ) -> SweepSolution {
        let (game, metric) = (self.plan.game, self.plan.metric);
        let mut summary = summary_of(game, metric, counts, |position| {
            match first.codes.get(&position.0) {
                Some(code) => codes::decode(metric, *code),
                // Not swept, though unfinished.
                None => codes::decode(metric, codes::won_at_once_code(metric)),
            }
        });
        summary.longest = longest.and_then(|(plies, code, index)| {
            Some(LongestPlay {
                distance: plies,
                outcome: stored_outcome(codes::decode(metric, code).value?),
                example: game
                    .rules()
                    .exchanged(&game.position_text(&game.at(index)?)),
            })
        });
        let watched = self.plan.watched.iter().filter_map(|index| {
            let code = first.codes.get(index)?;
            Some((*index, codes::decode(metric, *code)))
        });
        SweepSolution {
            summary,
            leaves,
            blocks: self.index.blocks(),
            watched: watched.collect(),
        }
    }
}

// Whether leaves, sorted by number, are of a table of the plan: each once, with as many values as it has positions.
fn are_leaves_of(plan: &Plan<'_>, leaves: &mut [(u64, Leaf)]) -> bool {
    let (game, bits) = (plan.game, u64::from(plan.code_bits()));
    let packing = game.packing(plan.metric);
    let many = game.indexable().div_ceil(1 << LEAF_BITS);
    leaves.par_sort_unstable_by_key(|(number, _)| *number);
    leaves.is_sorted_by(|(number, _), (next, _)| number < next)
        && leaves.par_iter().all(|(number, leaf)| {
            let mut mask = LeafMask::default();
            u128::from(*number) < many && {
                game.leaf_mask(packing, *number, &mut mask);
                leaf.count == mask.count()
                    && leaf.payload.len() as u64 == (u64::from(leaf.count) * bits).div_ceil(8)
            }
        })
}

// What is kept of the waves as they pass.
struct WaveCollector<'a, S> {
    plan: &'a Plan<'a>,
    solved: &'a S,
    progress: &'a dyn Progress,
    waves: usize,
    watched: Vec<u64>,
    distances: bool,
    losses: u64,
    first: WatchedCodes,
    harvest: Option<Harvest>,
    checkpoint: Option<Checkpoint>,
    // Those of a checkpoint that is being read.
    blocks: Option<PartReader>,
}

impl<const N: usize, S: BlockValues<N>> WaveObserver<N> for WaveCollector<'_, S> {
    fn resumes_at(&mut self) -> Result<Option<usize>, SolveError> {
        let Some(checkpoint) = &mut self.checkpoint else {
            return Ok(None);
        };
        let Some((mut state, blocks)) = checkpoint::resume(checkpoint, self.progress)? else {
            return Ok(None);
        };
        if state.wave >= self.waves {
            return Err(checkpoint.refuse("is of a wave that this solve does not have"));
        }
        let positions = self.plan.positions();
        let counts = state.counts.iter().copied();
        let mut counted = counts.chain([state.losses, state.misfits]);
        // Larger numbers would not go with those of the waves to come.
        if counted
            .try_fold(0_u64, u64::checked_add)
            .is_none_or(|sum| u128::from(sum) > 3 * positions)
            || u128::from(state.losses) > positions
            || state
                .longest
                .is_some_and(|(plies, index)| plies > 255 || u128::from(index) >= positions)
        {
            return Err(checkpoint.refuse("is damaged: it counts more positions than there are"));
        }
        if !are_leaves_of(self.plan, &mut state.leaves) {
            return Err(
                checkpoint.refuse("is damaged: it has leaves that this board does not have")
            );
        }
        self.losses = state.losses;
        self.first.codes.extend(state.first);
        if let Some(harvest) = &mut self.harvest {
            if !harvest.counts.set_numbers(&state.counts) {
                return Err(checkpoint.refuse("does not count what this solve counts"));
            }
            harvest.counts.set_longest(state.longest);
            harvest.counts.misfits = state.misfits;
            harvest.leaves = state.leaves;
        }
        self.blocks = Some(blocks);
        Ok(Some(state.wave))
    }

    fn fill(&mut self, blocks: &mut [[u8; N]]) -> Result<(), SolveError> {
        self.blocks
            .take()
            .map_or(Ok(()), |saved| checkpoint::read_blocks(saved, blocks))
    }

    fn after(&mut self, swept: &SweptWave<'_, N>, losses: u64) -> Result<(), SolveError> {
        self.losses += losses;
        self.first.take(swept, self.solved, &self.watched);
        if let Some(harvest) = &mut self.harvest {
            harvest.take(swept, self.solved, self.distances);
        }
        if self.checkpoint.as_ref().is_some_and(Checkpoint::due) {
            let written = self.save(swept);
            if let Some(checkpoint) = &mut self.checkpoint {
                checkpoint.tried(written, self.progress);
            }
        } else if swept.sum == 0
            && self.wanted_leaves()
            && self
                .checkpoint
                .as_ref()
                .is_some_and(Checkpoint::is_worth_keeping)
        {
            // Done but for the table; without room for this there may be room for that.
            let _ = self.save(swept);
        }
        Ok(())
    }

    fn interrupted(&mut self, swept: &SweptWave<'_, N>) -> SolveError {
        match self.save(swept) {
            Err(error) => error,
            Ok(()) => match &self.checkpoint {
                Some(checkpoint) => checkpoint.ended(SolveError::Interrupted),
                None => SolveError::Interrupted,
            },
        }
    }
}

impl<S> WaveCollector<'_, S> {
    fn wanted_leaves(&self) -> bool {
        self.harvest.as_ref().is_some_and(Harvest::wants_leaves)
    }

    fn save<const N: usize>(&mut self, swept: &SweptWave<'_, N>) -> Result<(), SolveError> {
        let Some(checkpoint) = &mut self.checkpoint else {
            return Ok(());
        };
        let mut state = SweepRecord {
            wave: swept.sum,
            losses: self.losses,
            first: self
                .first
                .codes
                .iter()
                .map(|(index, code)| (*index, *code))
                .collect(),
            ..SweepRecord::default()
        };
        if let Some(harvest) = &mut self.harvest {
            state.counts = harvest.counts.numbers();
            let longest = harvest.counts.longest();
            state.longest = longest.map(|(plies, _, index)| (plies, index));
            state.misfits = harvest.counts.misfits;
            state.leaves = std::mem::take(&mut harvest.leaves);
        }
        let written = checkpoint::save(checkpoint, &state, swept.blocks());
        if let Some(harvest) = &mut self.harvest {
            harvest.leaves = state.leaves;
        }
        written
    }
}

// Codes of the start, of the positions after one move and of the watched ones, by index.
#[derive(Default)]
struct WatchedCodes {
    codes: BTreeMap<u64, i32>,
}

impl WatchedCodes {
    fn take<const N: usize>(
        &mut self,
        swept: &SweptWave<'_, N>,
        solved: &impl BlockValues<N>,
        watched: &[u64],
    ) {
        for &position in watched {
            let inside = swept.geometry.order.inward(position);
            let code = swept
                .find(inside)
                .and_then(|(block, place)| solved.code(block, place));
            if let Some(code) = code {
                self.codes.insert(position, code);
            }
        }
    }
}
