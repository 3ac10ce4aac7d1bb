//! The solution of a board by a packed sweep.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use greenwave_game::{Code, Figures, Game, Metric, Outcome};
use greenwave_table::Summary;
use greenwave_values::{Progress, Unit, codes, summary_of};

use super::families::Families;
use super::layout::GROUP;
use super::plan::PackedPlan;
use super::scratch::{self, PLACE_BITS, Scratch, Stored};
use super::state::{self, State};
use super::tables::Tables;
use super::waves::{Decided, Pool, Sweep, TIERS, Totals, Wave};
use crate::SolveError;
use crate::checkpoint::{Checkpoint, EVERY};

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
struct Address {
    sum: usize,
    far: u64,
    position: u64,
    rank: usize,
    low: usize,
}

/// Where a sweep keeps what it has done.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Keep<'a> {
    /// The checkpoint of a sweep in memory.
    pub(crate) checkpoint: Option<&'a Path>,
    /// The waves of a sweep that outgrows the memory.
    pub(crate) scratch: Option<&'a Path>,
    /// Time between checkpoints of a sweep in memory.
    pub(crate) every: Duration,
}

/// Sweeps a board.
///
/// # Errors
/// When it is interrupted, when another solve is at work in the folder or left what this one cannot go
/// on from, and when waves cannot be written or read.
pub(crate) fn solve(
    plan: &PackedPlan<'_>,
    keep: Keep<'_>,
    progress: &dyn Progress,
) -> Result<Solution, SolveError> {
    if plan.layout.low.len() == GROUP {
        solve_with::<1>(plan, keep, progress)
    } else {
        solve_with::<4>(plan, keep, progress)
    }
}

fn solve_with<const G: usize>(
    plan: &PackedPlan<'_>,
    keep: Keep<'_>,
    progress: &dyn Progress,
) -> Result<Solution, SolveError> {
    let tables = Tables::<G>::new(&plan.patterns, plan.layout.clone());
    let (chunk_bits, chunk_bytes) = match plan.cache {
        Some(_) => (PLACE_BITS, scratch::chunk_bytes(G)),
        None => (plan.chunk_bits, 1 << plan.chunk_bits),
    };
    let mut sweep = Sweep {
        tables: &tables,
        loops: plan.loops,
        grain: plan.grain,
        tiers: plan.tiers.then(|| Mutex::new(vec![0; TIERS])),
        chunk_bits,
        chunk_bytes,
        progress,
    };
    let counted = "the plan has looked at the frontier";
    let undecided = plan.patterns.undecided().expect(counted);
    progress.begin(
        &format!("sweeping {} for {}", plan.game.rules().name, Metric::Value),
        u64::try_from(undecided).unwrap_or(u64::MAX),
        Unit::Positions,
    );
    let state = match (plan.cache, keep.scratch) {
        (Some(cache), Some(path)) => on_disk(plan, &sweep, cache, path).map_err(of_scratch)?,
        _ => in_memory(plan, &mut sweep, keep)?,
    };
    let State { waves, found } = state;
    let game = plan.game;
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

// What the system refused in a scratch folder has another way out than with a checkpoint.
fn of_scratch(error: SolveError) -> SolveError {
    if let SolveError::CheckpointIo {
        file,
        doing,
        source,
    } = error
    {
        return SolveError::Scratch {
            file,
            doing,
            source,
        };
    }
    error
}

fn in_memory<const G: usize>(
    plan: &PackedPlan<'_>,
    sweep: &mut Sweep<'_, G>,
    keep: Keep<'_>,
) -> Result<State, SolveError> {
    let open = |path| Checkpoint::open(path, state::owner(plan), false, keep.every);
    let mut checkpoint = keep.checkpoint.map(open).transpose()?;
    let (mut state, mut above) = (State::default(), Wave::default());
    if let Some(checkpoint) = &mut checkpoint
        && let Some(numbers) = checkpoint.resume(sweep.progress)?
    {
        state = State::read(&numbers, checkpoint, plan)?;
        (above, sweep.chunk_bits) = state.load(&numbers, checkpoint)?;
        sweep.chunk_bytes = 1 << sweep.chunk_bits;
    }
    let (grain, bits, progress) = (sweep.grain, sweep.chunk_bits, sweep.progress);
    let mut wanted = Unfound::of(plan, sweep, &state);
    let swept = match wanted.first(&state) {
        None => Ok(()),
        Some(first) => sweep.run(first, &mut above, |wave, totals| {
            wanted.find(wave.sum, &mut state, |far| Ok(sweep.blocks(wave, far)))?;
            state.waves.push(totals);
            if let Some(checkpoint) = checkpoint.as_mut().filter(|checkpoint| checkpoint.due()) {
                let saved = state.save(checkpoint, grain, bits, wave);
                checkpoint.tried(saved, progress);
            }
            Ok(())
        }),
    };
    match (swept, checkpoint) {
        (Ok(()), checkpoint) => {
            if let Some(checkpoint) = checkpoint {
                checkpoint.finish();
            }
            Ok(state)
        }
        (Err(error), None) => Err(error),
        (Err(error), Some(mut checkpoint)) => {
            if matches!(error, SolveError::Interrupted) && !state.waves.is_empty() {
                let saved = state.save(&mut checkpoint, grain, bits, &above);
                checkpoint.tried(saved, progress);
            }
            Err(checkpoint.ended(error))
        }
    }
}

fn on_disk<const G: usize>(
    plan: &PackedPlan<'_>,
    sweep: &Sweep<'_, G>,
    cache: u64,
    path: &Path,
) -> Result<State, SolveError> {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(|source| SolveError::CheckpointIo {
            file: path.to_owned(),
            doing: "write",
            source,
        })?;
    }
    let mut checkpoint = Checkpoint::open(path, state::owner(plan), true, EVERY)?;
    let (mut state, mut above) = (State::default(), Stored::default());
    if let Some(numbers) = checkpoint.resume(sweep.progress)? {
        state = State::read(&numbers, &checkpoint, plan)?;
        above = Stored::open(&checkpoint, state.last().unwrap_or_default())?;
    }
    let mut wanted = Unfound::of(plan, sweep, &state);
    let scratch = Scratch {
        sweep,
        families: Families::new(sweep.tables, sweep.loops),
        pool: Pool::new(),
        cache,
        digit: scratch::lowest_naming(&plan.layout),
    };
    let mut swept = || -> Result<(), SolveError> {
        let Some(first) = wanted.first(&state) else {
            return Ok(());
        };
        for sum in (0..=first).rev() {
            // What is found in a wave is written with it.
            let commit = |checkpoint: &mut Checkpoint, here: &Stored, totals, parts: &_| {
                wanted.find(sum, &mut state, |far| scratch.blocks(here, far))?;
                state.waves.push(totals);
                state.commit(checkpoint, sweep.grain, sweep.chunk_bits, parts)
            };
            above = scratch.wave(sum, &above, &mut checkpoint, commit)?;
        }
        Ok(())
    };
    match swept() {
        Ok(()) => {
            checkpoint.finish();
            Ok(state)
        }
        Err(error) => Err(checkpoint.ended(error)),
    }
}

// Positions that are asked for and not yet found, those of the highest waves last.
struct Unfound {
    most: usize,
    positions: Vec<Address>,
}

impl Unfound {
    fn of<const G: usize>(plan: &PackedPlan<'_>, sweep: &Sweep<'_, G>, state: &State) -> Unfound {
        let (tables, squares) = (sweep.tables, plan.game.board().shape.cells());
        let mut positions: Vec<Address> = std::iter::once(0)
            .chain((0..squares).map(|square| 1 << (2 * square)))
            .chain(plan.watched.iter().copied())
            .map(|position| {
                let (far, mid, low) = tables.split(position);
                Address {
                    sum: Code(far).level_sum() as usize,
                    far,
                    position,
                    rank: usize::from(tables.ranks[mid]),
                    low,
                }
            })
            .filter(|place| state.last().is_none_or(|last| place.sum < last))
            .collect();
        // From the highest wave down, positions of a family together.
        positions.sort_unstable();
        positions.dedup();
        Unfound {
            most: 3 * plan.layout.far.len(),
            positions,
        }
    }

    // The sum of the first wave that is to be made; `None` where all are.
    fn first(&self, state: &State) -> Option<usize> {
        state
            .last()
            .map_or(Some(self.most), |last| last.checked_sub(1))
    }

    // Finds the positions of a wave.
    fn find<const G: usize>(
        &mut self,
        sum: usize,
        state: &mut State,
        blocks: impl Fn(u64) -> Result<Option<Decided<G>>, SolveError>,
    ) -> Result<(), SolveError> {
        let here = self.positions.partition_point(|place| place.sum < sum);
        for places in self
            .positions
            .split_off(here)
            .chunk_by(|a, b| a.far == b.far)
        {
            let Some(blocks) = blocks(places[0].far)? else {
                continue;
            };
            for place in places {
                let [open, lost] = &blocks[place.rank];
                if open.bit(place.low) {
                    state.found.insert(place.position, lost.bit(place.low));
                }
            }
        }
        Ok(())
    }
}
