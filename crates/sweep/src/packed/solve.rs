//! The solution of a board by a packed sweep.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use greenwave_game::{Code, Dense, Figures, Game, Metric, Outcome};
use greenwave_table::{LongestPlay, Summary};
use greenwave_values::{Progress, TableReport, Unit, codes, summary_of};

use super::codes::first::BlockStart;
use super::families::Families;
use super::grain::{Grain, NO_NIMBER};
use super::layout::LineFreeCounts;
use super::plan::PackedPlan;
use super::pool::Pool;
use super::scratch::{self, PLACE_BITS, PieceCheckpoint, ScratchSweep, StoredWave};
use super::state::{self, CompleteWaves};
use super::table::FamilyTableWriter;
use super::tables::Tables;
use super::waves::{FamilyCodes, PackedSweep, TIERS, Totals, WaveStreams};
use crate::SolveError;
use crate::checkpoint::{Checkpoint, EVERY};

/// What a packed sweep found.
#[derive(Clone, Debug, PartialEq)]
pub struct PackedSolution {
    /// Counts over the unfinished positions, and the openings.
    pub summary: Summary,
    /// Totals by wave, from the highest down.
    pub(crate) waves: Vec<Totals>,
    /// Lost positions by level sum, if they were to be counted.
    pub(crate) tiers: Option<Vec<u64>>,
    /// Watched positions by index, and their codes; those that the rules decide are not among them.
    pub(crate) watched: BTreeMap<u64, u8>,
    /// The table, if one was written.
    pub table: Option<TableReport>,
}

// A position whose value is requested, and where it is found.
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
pub struct SweepFiles<'a> {
    /// The checkpoint of a sweep in memory.
    pub checkpoint: Option<&'a Path>,
    /// The waves of a sweep that outgrows the memory.
    pub scratch: Option<&'a Path>,
    /// Time between checkpoints of a sweep in memory.
    pub every: Duration,
    /// The table, where the plan is with one.
    pub table: Option<&'a Path>,
}

/// Sweeps a board.
///
/// # Errors
/// When it is interrupted, when another solve is at work in the folder or left files that this one
/// cannot resume from, and when waves cannot be written or read.
pub fn solve(
    plan: &PackedPlan<'_>,
    keep: SweepFiles<'_>,
    progress: &dyn Progress,
) -> Result<PackedSolution, SolveError> {
    if plan.layout.fold() == 1 {
        solve_with::<1>(plan, keep, progress)
    } else {
        solve_with::<4>(plan, keep, progress)
    }
}

fn solve_with<const G: usize>(
    plan: &PackedPlan<'_>,
    keep: SweepFiles<'_>,
    progress: &dyn Progress,
) -> Result<PackedSolution, SolveError> {
    let tables = Tables::<G>::new(&plan.patterns, plan.layout.clone(), plan.grain);
    let mut sweep = sweep_of(plan, &tables, progress);
    let counted = plan.counted()?;
    progress.begin(
        &format!("sweeping {} for {}", plan.game.rules().title(), plan.metric),
        u64::try_from(counted.undecided).unwrap_or(u64::MAX),
        Unit::Positions,
    );
    let swept = swept(plan, &mut sweep, keep)?;
    let PackedResult {
        state,
        table,
        checkpoint,
    } = swept;
    let summary = summarise(plan, &state, counted)?;
    let table = table
        .map(|table| table.finish(plan, &summary))
        .transpose()?;
    if let Some(checkpoint) = checkpoint {
        checkpoint.finish();
    }
    let CompleteWaves { waves, found, .. } = state;
    Ok(PackedSolution {
        table,
        summary,
        waves,
        tiers: sweep
            .tiers
            .map(|tiers| tiers.into_inner().unwrap_or_else(PoisonError::into_inner)),
        watched: found,
    })
}

/// Sweeps what a position can become: the codes of watched positions, which the rules do not decide.
///
/// # Errors
/// As [`solve`].
pub(super) fn values(
    plan: &PackedPlan<'_>,
    keep: SweepFiles<'_>,
    progress: &dyn Progress,
) -> Result<CodesAndTotals, SolveError> {
    if plan.layout.fold() == 1 {
        values_with::<1>(plan, keep, progress)
    } else {
        values_with::<4>(plan, keep, progress)
    }
}

/// Codes of positions in tables, by index, and what the waves came to.
pub(super) type CodesAndTotals = (BTreeMap<u64, u8>, Vec<Totals>);

fn values_with<const G: usize>(
    plan: &PackedPlan<'_>,
    keep: SweepFiles<'_>,
    progress: &dyn Progress,
) -> Result<CodesAndTotals, SolveError> {
    let tables = Tables::<G>::new(&plan.patterns, plan.layout.clone(), plan.grain);
    let mut sweep = sweep_of(plan, &tables, progress);
    let undecided = plan.cone.map_or(0, |cone| cone.undecided);
    progress.begin(
        &format!("sweeping what the position can become, for {}", plan.metric),
        undecided,
        Unit::Positions,
    );
    let PackedResult {
        state, checkpoint, ..
    } = swept(plan, &mut sweep, keep)?;
    if let Some(checkpoint) = checkpoint {
        checkpoint.finish();
    }
    Ok((state.found, state.waves))
}

fn swept<const G: usize>(
    plan: &PackedPlan<'_>,
    sweep: &mut PackedSweep<'_, G>,
    keep: SweepFiles<'_>,
) -> Result<PackedResult, SolveError> {
    let swept = match (plan.cache, keep.scratch) {
        (Some(cache), Some(path)) => {
            on_disk(plan, sweep, cache, path, keep.table).map_err(of_scratch)?
        }
        _ => in_memory(plan, sweep, keep)?,
    };
    let beyond = swept.state.counts.bytes[usize::from(NO_NIMBER)];
    if plan.metric == Metric::Nimber && beyond > 0 {
        return Err(SolveError::Misfits {
            variant: plan.game.rules().title().to_string(),
            metric: plan.metric,
            count: beyond,
        });
    }
    Ok(swept)
}

// A sweep that is to begin.
pub(super) fn sweep_of<'a, const G: usize>(
    plan: &PackedPlan<'_>,
    tables: &'a Tables<G>,
    progress: &'a dyn Progress,
) -> PackedSweep<'a, G> {
    let (chunk_bits, chunk_bytes) = match plan.cache {
        Some(_) => (PLACE_BITS, scratch::chunk_bytes(plan.grain, G, plan.task)),
        None => (plan.chunk_bits, 1 << plan.chunk_bits),
    };
    PackedSweep {
        tables,
        loops: plan.loops,
        grain: plan.grain,
        first: BlockStart::new(plan, tables),
        counts: Mutex::default(),
        tiers: plan.tiers.then(|| Mutex::new(vec![0; TIERS])),
        chunk_bits,
        chunk_bytes,
        progress,
    }
}

// A sweep that is done but for what is made of it.
struct PackedResult {
    state: CompleteWaves,
    table: Option<FamilyTableWriter>,
    checkpoint: Option<Checkpoint>,
}

// The summary, in which unfinished positions that no family has are won at once.
//
// # Errors
// When the checkpoint of the sweep has counted something else.
pub(super) fn summarise(
    plan: &PackedPlan<'_>,
    state: &CompleteWaves,
    counted: LineFreeCounts,
) -> Result<Summary, SolveError> {
    let (game, metric) = (plan.game, plan.metric);
    let packed = state.undecided();
    if let Some(file) = &state.from {
        let by_code = state.counts.bytes.iter().sum::<u64>();
        let has_codes = matches!(plan.grain, Grain::Code(_));
        if u128::from(packed) != counted.undecided || has_codes && by_code != packed {
            return Err(SolveError::Checkpoint {
                file: file.clone(),
                problem: "is damaged: its waves have other positions than the board".into(),
            });
        }
    }
    // Counted in another way altogether: no family is missing, none is there twice.
    assert_eq!(
        u128::from(packed),
        counted.undecided,
        "undecided positions swept and counted"
    );
    let unfinished = u64::try_from(counted.unfinished).unwrap_or(u64::MAX);
    let at_once = codes::won_at_once_code(metric);
    let mut counts = vec![(at_once, unfinished - packed)];
    if let Grain::Code(law) = plan.grain {
        let bytes = (0..=u8::MAX).zip(&state.counts.bytes);
        counts.extend(bytes.map(|(byte, count)| (law.number(law.code(byte)), *count)));
        counts.sort_unstable();
        counts.dedup_by(|other, one| {
            let same = one.0 == other.0;
            one.1 += if same { other.1 } else { 0 };
            same
        });
    } else {
        let lost: u64 = state.waves.iter().map(|wave| wave.lost).sum();
        counts = vec![
            (codes::value_code(Outcome::Win).into(), unfinished - lost),
            (codes::value_code(Outcome::Loss).into(), lost),
        ];
    }
    let mut summary = summary_of(game, metric, &counts, |position: &Code| -> Figures {
        let found = state.found.get(&position.0);
        codes::decode(metric, found.map_or(at_once, |code| plan.number(*code)))
    });
    let at_once = (packed < unfinished && metric == Metric::Distance).then_some((1, 0));
    summary.longest = state.counts.longest.or(at_once).and_then(|(plies, index)| {
        let entries = &summary.histogram;
        let entry = entries.iter().find(|entry| entry.key == i64::from(plies))?;
        Some(LongestPlay {
            distance: u32::from(plies),
            outcome: entry.outcome?,
            example: game
                .rules()
                .exchanged(&game.position_text(&game.at(index)?)),
        })
    });
    Ok(summary)
}

// If the system refuses a write to a scratch folder, the way out is another one than with a
// checkpoint.
pub(super) fn of_scratch(error: SolveError) -> SolveError {
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
    sweep: &mut PackedSweep<'_, G>,
    keep: SweepFiles<'_>,
) -> Result<PackedResult, SolveError> {
    let open = |path| Checkpoint::open(path, state::owner(plan), false, keep.every);
    let mut checkpoint = keep.checkpoint.map(open).transpose()?;
    let (mut state, mut above) = (CompleteWaves::default(), WaveStreams::default());
    if let Some(checkpoint) = &mut checkpoint
        && let Some(numbers) = checkpoint.resume(sweep.progress)?
    {
        state = CompleteWaves::read(&numbers, checkpoint, plan)?;
        (above, sweep.chunk_bits) = state.load(&numbers, checkpoint, sweep)?;
        sweep.chunk_bytes = 1 << sweep.chunk_bits;
        sweep.go_on_from(&state.counts);
        sweep.progress.advance(state.undecided());
    }
    let written = |path| FamilyTableWriter::open(plan, path, checkpoint.as_ref(), state.last());
    let mut table = keep.table.map(written).transpose()?;
    let (grain, bits, progress) = (sweep.grain, sweep.chunk_bits, sweep.progress);
    let mut wanted = PositionRequests::of(plan, sweep, &state);
    let first = wanted.first(&state);
    let pool = Pool::of(plan.chunks_of(bits).saturating_sub(above.chunks.len()));
    let kept = checkpoint.is_some();
    let after = |wave: &WaveStreams, totals: Totals| {
        wanted.find::<G>(wave.sum, &mut state, |far| Ok(sweep.solved(wave, far)))?;
        if let Some(table) = &mut table {
            table.wave(sweep, wave.sum, std::iter::once(Ok(wave)))?;
        }
        state.waves.push(totals);
        state.counts = sweep.counted();
        let due = |checkpoint: &&mut Checkpoint| checkpoint.due_for(totals.bytes);
        if let Some(checkpoint) = checkpoint.as_mut().filter(due) {
            let saved = state.save(checkpoint, grain, bits, wave, table.as_mut());
            checkpoint.tried(saved, progress);
        }
        Ok(())
    };
    let swept = match first {
        None => Ok(()),
        Some(first) => sweep.run(first, &mut above, &pool, kept, after),
    };
    if let (Err(SolveError::Interrupted), Some(checkpoint)) = (&swept, &mut checkpoint)
        && !state.waves.is_empty()
    {
        let saved = state.save(checkpoint, grain, bits, &above, table.as_mut());
        checkpoint.tried(saved, progress);
    }
    ended(swept, state, table, checkpoint)
}

// What came of a sweep; where it goes on another time, the table so far stays.
fn ended(
    swept: Result<(), SolveError>,
    state: CompleteWaves,
    table: Option<FamilyTableWriter>,
    checkpoint: Option<Checkpoint>,
) -> Result<PackedResult, SolveError> {
    match swept {
        Ok(()) => Ok(PackedResult {
            state,
            table,
            checkpoint,
        }),
        Err(error) => {
            if let Some(table) = table {
                table.leave();
            }
            Err(match checkpoint {
                Some(checkpoint) => checkpoint.ended(error),
                None => error,
            })
        }
    }
}

fn on_disk<const G: usize>(
    plan: &PackedPlan<'_>,
    sweep: &mut PackedSweep<'_, G>,
    cache: u64,
    path: &Path,
    table: Option<&Path>,
) -> Result<PackedResult, SolveError> {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(|source| SolveError::CheckpointIo {
            file: path.to_owned(),
            doing: "write",
            source,
        })?;
    }
    let mut checkpoint = Checkpoint::open(path, state::owner(plan), true, EVERY)?;
    let (mut state, mut above) = (CompleteWaves::default(), StoredWave::default());
    let mut begun = None;
    if let Some(numbers) = checkpoint.resume(sweep.progress)? {
        state = CompleteWaves::read(&numbers, &checkpoint, plan)?;
        above = StoredWave::open(&checkpoint, state.last().unwrap_or_default())?;
        if let Some(totals) = state.begun {
            begun = Some((StoredWave::open(&checkpoint, totals.sum)?, totals));
        }
        sweep.go_on_from(&state.counts);
        sweep.progress.advance(state.undecided());
    }
    let written = |path| FamilyTableWriter::open(plan, path, Some(&checkpoint), state.last());
    let mut table = table.map(written).transpose()?;
    let sweep = &*sweep;
    let mut wanted = PositionRequests::of(plan, sweep, &state);
    let scratch = ScratchSweep {
        sweep,
        families: Families::new(sweep.tables, sweep.loops),
        pool: Pool::new(),
        cache,
        digit: scratch::lowest_naming(&plan.layout),
        task: plan.task,
        piece: plan.piece,
    };
    if let Some(last) = state.waves.last() {
        let begun = begun.as_ref().map(|(here, totals)| (here, *totals));
        scratch.expect(&checkpoint, (&above, *last), begun)?;
    }
    let mut swept = || -> Result<(), SolveError> {
        let Some(first) = wanted.first(&state) else {
            return Ok(());
        };
        for sum in (0..=first).rev() {
            let mut commit = |checkpoint: &mut Checkpoint, committed: PieceCheckpoint<'_>| {
                let PieceCheckpoint {
                    here,
                    totals,
                    counts,
                    whole,
                    mut parts,
                } = committed;
                state.counts = counts;
                if whole {
                    // The findings of a wave are written with it.
                    wanted.find::<G>(sum, &mut state, |far| scratch.solved(here, far))?;
                    if let Some(table) = &mut table {
                        table.wave(sweep, sum, here.bins::<G>(sweep.grain))?;
                        parts.push(table.part(checkpoint, sum)?);
                    }
                    state.begun = None;
                    state.waves.push(totals);
                } else {
                    state.begun = Some(totals);
                }
                state.commit(checkpoint, sweep.grain, sweep.chunk_bits, &parts)
            };
            above = scratch.wave(sum, &above, begun.take(), &mut checkpoint, &mut commit)?;
        }
        Ok(())
    };
    let swept = swept();
    ended(swept, state, table, Some(checkpoint))
}

// Positions that are requested and not yet found, those of the highest waves last.
pub(super) struct PositionRequests {
    most: usize,
    positions: Vec<Address>,
}

impl PositionRequests {
    pub(super) fn of<const G: usize>(
        plan: &PackedPlan<'_>,
        sweep: &PackedSweep<'_, G>,
        state: &CompleteWaves,
    ) -> PositionRequests {
        let tables = sweep.tables;
        let mut positions: Vec<Address> = plan
            .asked()
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
        PositionRequests {
            most: 3 * plan.layout.far.len(),
            positions,
        }
    }

    // The sum of the first wave that is to be made; `None` where all are.
    pub(super) fn first(&self, state: &CompleteWaves) -> Option<usize> {
        state
            .last()
            .map_or(Some(self.most), |last| last.checked_sub(1))
    }

    // Finds the positions of a wave.
    pub(super) fn find<const G: usize>(
        &mut self,
        sum: usize,
        state: &mut CompleteWaves,
        solved: impl Fn(u64) -> Result<Option<FamilyCodes>, SolveError>,
    ) -> Result<(), SolveError> {
        let here = self.positions.partition_point(|place| place.sum < sum);
        for places in self
            .positions
            .split_off(here)
            .chunk_by(|a, b| a.far == b.far)
        {
            let Some(solved) = solved(places[0].far)? else {
                continue;
            };
            for place in places {
                if let Some(code) = solved[place.rank * 256 + place.low] {
                    state.found.insert(place.position, code);
                }
            }
        }
        Ok(())
    }
}
