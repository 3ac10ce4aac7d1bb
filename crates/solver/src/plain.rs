//! Backward induction over an ascending index, one code per position: plain, and quick enough for
//! boards of a dozen squares.
//!
//! Every move leads to a higher index, and from a block of indices only into itself or into blocks
//! of higher waves. So waves are taken from the highest down, the blocks of a wave in parallel, and
//! the indices of a block from the highest down. At each position, all its children have their
//! values.

use std::sync::atomic::{AtomicI16, AtomicU8, Ordering};

use greenwave_game::{Dense, Metric};
use greenwave_values::parallel::try_map_parts;
use greenwave_values::{Codes, DenseValues, Progress, Unit, codes::ended_code, room};

use crate::recurrence::{
    DistanceRecurrence, NimberRecurrence, PointsRecurrence, Recurrence, ValueRecurrence,
};
use crate::{Cost, SolveError};
use greenwave_sweep::checkpoint::{Checkpoint, PartReader, PartWriter};
use rayon::prelude::*;

/// Indexable positions that one thread settles in a second, roughly, on a machine of 2020 or later.
const POSITIONS_PER_SECOND: f64 = 1.2e7;

/// What solving a game position by position will take.
pub(crate) fn cost<G: Dense>(game: &G, metric: Metric) -> Cost {
    let positions = game.indexable();
    let width = if metric == Metric::Points { 2 } else { 1 };
    let rate = POSITIONS_PER_SECOND * rayon::current_num_threads() as f64;
    Cost {
        memory_bytes: positions.saturating_mul(width).saturating_add(16 << 20),
        table_bytes: positions.saturating_mul(width),
        checkpoint_bytes: positions.saturating_mul(2 * width),
        seconds: positions as f64 / rate,
        ..Cost::of(game, metric)
    }
}

/// Solves a game with an ascending index.
///
/// # Errors
/// When moves may lead to lower indices, when memory cannot be had, and when the work is cancelled.
///
/// # Panics
/// When the game has no such metric.
pub fn solve<G: Dense>(
    game: &G,
    metric: Metric,
    progress: &dyn Progress,
) -> Result<DenseValues, SolveError> {
    solve_resumably(game, metric, None, progress)
}

/// [`solve`], going on from a checkpoint and leaving one where there is something to keep.
pub(crate) fn solve_resumably<G: Dense>(
    game: &G,
    metric: Metric,
    checkpoint: Option<&mut Checkpoint>,
    progress: &dyn Progress,
) -> Result<DenseValues, SolveError> {
    let run = BackwardRun {
        game,
        checkpoint,
        progress,
    };
    let codes = match metric {
        Metric::Value => Codes::Bytes(run.sweep::<ValueRecurrence, AtomicU8>()?),
        Metric::Distance => Codes::Bytes(run.sweep::<DistanceRecurrence, AtomicU8>()?),
        Metric::Nimber => Codes::Bytes(run.sweep::<NimberRecurrence, AtomicU8>()?),
        Metric::Points => Codes::Words(run.sweep::<PointsRecurrence, AtomicI16>()?),
        Metric::Odds => unreachable!("boards without a bag have no odds"),
    };
    Ok(DenseValues::new(metric, codes))
}

/// A cell of the array that all threads share. Blocks of one wave touch different cells, and waves
/// follow each other, so no ordering beyond that of the waves is needed.
trait SharedCell: Default + Send + Sync {
    type Plain;
    fn read(&self) -> i32;
    fn write(&self, code: i32);
    fn plain(self) -> Self::Plain;
    // Kept in a checkpoint, and read from it.
    fn keep(&self, file: &mut PartWriter) -> Result<(), SolveError>;
    fn fetch(file: &mut PartReader) -> Result<Self, SolveError>;
}

macro_rules! slot {
    ($atomic:ty, $plain:ty) => {
        impl SharedCell for $atomic {
            type Plain = $plain;

            fn read(&self) -> i32 {
                self.load(Ordering::Relaxed).into()
            }

            fn write(&self, code: i32) {
                let code = <$plain>::try_from(code);
                self.store(code.expect("codes fit into their slots"), Ordering::Relaxed);
            }

            fn plain(self) -> $plain {
                self.into_inner()
            }

            fn keep(&self, file: &mut PartWriter) -> Result<(), SolveError> {
                file.put(&self.load(Ordering::Relaxed).to_le_bytes())
            }

            fn fetch(file: &mut PartReader) -> Result<Self, SolveError> {
                Ok(Self::new(<$plain>::from_le_bytes(file.take()?)))
            }
        }
    };
}

slot!(AtomicU8, u8);
slot!(AtomicI16, i16);

struct BackwardRun<'a, G> {
    game: &'a G,
    checkpoint: Option<&'a mut Checkpoint>,
    progress: &'a dyn Progress,
}

impl<G: Dense> BackwardRun<'_, G> {
    fn sweep<L: Recurrence, S: SharedCell>(mut self) -> Result<Vec<S::Plain>, SolveError> {
        let (game, progress) = (self.game, self.progress);
        let Some(block_len) = game.block_len() else {
            return Err(SolveError::NoEngine {
                variant: game.rules().title().to_string(),
            });
        };
        let total = game.indexable() as u64;
        let mut slots = room::collected((0..total as usize).map(|_| S::default()))?;
        let done = self.resume::<L, S>(&mut slots)?;
        progress.begin(
            &format!("solving {} for {}", game.rules().title(), L::METRIC),
            total,
            Unit::Positions,
        );
        let mut blocks =
            room::collected((0..(total / block_len) as usize).map(|block| block as u64))?;
        blocks.sort_unstable_by_key(|block| (std::cmp::Reverse(game.wave(*block)), *block));
        for wave in blocks.chunk_by(|a, b| game.wave(*a) == game.wave(*b)) {
            let number = game.wave(wave[0]).into();
            if done.is_some_and(|done| number >= done) {
                progress.advance(wave.len() as u64 * block_len);
                continue;
            }
            let settled = try_map_parts(wave.len(), |part| {
                let block = wave[part];
                if progress.cancelled() {
                    return Err(SolveError::Interrupted);
                }
                let mut moves = Vec::new();
                for index in (block * block_len..(block + 1) * block_len).rev() {
                    if let Some(position) = game.at(index) {
                        slots[index as usize].write(settle::<G, L>(
                            game,
                            &position,
                            &mut moves,
                            |child| slots[child as usize].read(),
                        ));
                    }
                }
                progress.advance(block_len);
                Ok(())
            });
            match &mut self.checkpoint {
                Some(checkpoint) => {
                    checkpoint.after_step(settled, progress, |checkpoint, done| {
                        save(checkpoint, &slots, if done { number } else { number + 1 })
                    })?
                }
                None => settled?,
            };
        }
        if let Some(checkpoint) = self.checkpoint {
            checkpoint.keep_finished(|checkpoint| save(checkpoint, &slots, 0));
        }
        // In place: both have one size.
        Ok(slots.into_iter().map(SharedCell::plain).collect())
    }

    // The last wave that a checkpoint has, with all codes so far.
    fn resume<L: Recurrence, S: SharedCell>(
        &mut self,
        slots: &mut [S],
    ) -> Result<Option<u64>, SolveError> {
        let Some(checkpoint) = &mut self.checkpoint else {
            return Ok(None);
        };
        let Some(numbers) = checkpoint.resume(self.progress)? else {
            return Ok(None);
        };
        let Some(wave) = numbers.get("wave").and_then(|wave| wave.first()) else {
            return Err(checkpoint.refuse("says of no wave that it is complete"));
        };
        let mut file = checkpoint.read(&part_name(*wave))?;
        if file.bytes() != std::mem::size_of_val(slots) as u64 {
            return Err(file.damaged("found values of another number of positions"));
        }
        for slot in slots.iter_mut() {
            *slot = S::fetch(&mut file)?;
        }
        file.finish()?;
        let game = self.game;
        let can_be = |(index, slot): (usize, &S)| {
            let code = slot.read();
            L::can_be(code) && (code == S::default().read() || game.at(index as u64).is_some())
        };
        if !slots.par_iter().enumerate().all(can_be) {
            return Err(checkpoint.refuse("is damaged: it has values that this game does not have"));
        }
        Ok(Some(*wave))
    }
}

fn part_name(wave: u64) -> String {
    format!("codes-{wave:03}")
}

// Keeps the codes of all indices, those of the waves from `wave` on being settled.
fn save<S: SharedCell>(
    checkpoint: &mut Checkpoint,
    slots: &[S],
    wave: u64,
) -> Result<(), SolveError> {
    let name = part_name(wave);
    if checkpoint.lists(&name) {
        return Ok(());
    }
    let mut file = checkpoint.write(&name)?;
    slots.iter().try_for_each(|slot| slot.keep(&mut file))?;
    let record = file.finish()?;
    checkpoint.commit(&[("wave", &[wave])], &[(name, record)])
}

/// The code of a position from the codes of its children.
pub(crate) fn settle<G: Dense, L: Recurrence>(
    game: &G,
    position: &G::Position,
    moves: &mut Vec<G::Move>,
    code_of: impl Fn(u64) -> i32,
) -> i32 {
    if let Some(ending) = game.ending(position) {
        return ended_code(L::METRIC, &ending);
    }
    let mut gathered = L::begin();
    game.moves(position, moves);
    for mv in moves.iter() {
        let edge = game.play(position, *mv);
        let code = code_of(game.index(&edge.to));
        let code = if edge.keeps_turn {
            L::turned(code)
        } else {
            code
        };
        L::child(&mut gathered, code, edge.gain);
    }
    L::finish(gathered)
}
