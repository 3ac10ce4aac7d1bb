//! Backward induction over an ascending index, one code per position: plain, and quick enough for
//! boards of a dozen squares.
//!
//! Every move leads to a higher index, and from a block of indices only into itself or into blocks
//! of higher waves. So waves are taken from the highest down, the blocks of a wave in parallel, and
//! the indices of a block from the highest down: whenever a position is looked at, all its children
//! have their values.

use std::sync::atomic::{AtomicI16, AtomicU8, Ordering};

use greenwave_game::{Dense, Metric};
use greenwave_values::{Codes, DenseValues, Progress, Unit, codes::ended_code};
use rayon::prelude::*;

use crate::SolveError;
use crate::lanes::{DistanceLane, Lane, NimberLane, PointsLane, ValueLane};

/// Indexable positions that one thread settles in a second, roughly, on a machine of 2020 or later.
pub(crate) const POSITIONS_PER_SECOND: f64 = 1.2e7;

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
    let codes = match metric {
        Metric::Value => Codes::Bytes(sweep::<G, ValueLane, AtomicU8>(game, progress)?),
        Metric::Distance => Codes::Bytes(sweep::<G, DistanceLane, AtomicU8>(game, progress)?),
        Metric::Nimber => Codes::Bytes(sweep::<G, NimberLane, AtomicU8>(game, progress)?),
        Metric::Points => Codes::Words(sweep::<G, PointsLane, AtomicI16>(game, progress)?),
        Metric::Odds => unreachable!("boards without a bag have no odds"),
    };
    Ok(DenseValues::new(metric, codes))
}

/// A cell of the array that all threads share. Blocks of one wave touch different cells, and waves
/// follow each other, so no ordering beyond that of the waves is needed.
trait Slot: Default + Send + Sync {
    type Plain;
    fn read(&self) -> i32;
    fn write(&self, code: i32);
    fn plain(self) -> Self::Plain;
}

macro_rules! slot {
    ($atomic:ty, $plain:ty) => {
        impl Slot for $atomic {
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
        }
    };
}

slot!(AtomicU8, u8);
slot!(AtomicI16, i16);

fn sweep<G: Dense, L: Lane, S: Slot>(
    game: &G,
    progress: &dyn Progress,
) -> Result<Vec<S::Plain>, SolveError> {
    let Some(block_len) = game.block_len() else {
        return Err(SolveError::NoEngine {
            variant: game.rules().name.clone(),
        });
    };
    let total = game.indexable() as u64;
    let needed = total.saturating_mul(size_of::<S>() as u64);
    let mut slots: Vec<S> = Vec::new();
    slots
        .try_reserve_exact(total as usize)
        .map_err(|_| SolveError::Allocation { needed })?;
    slots.resize_with(total as usize, S::default);

    progress.begin(
        &format!("solving {} for {}", game.rules().name, L::METRIC),
        total,
        Unit::Positions,
    );
    let mut blocks: Vec<u64> = (0..total / block_len).collect();
    blocks.sort_by_key(|block| std::cmp::Reverse(game.wave(*block)));
    for wave in blocks.chunk_by(|a, b| game.wave(*a) == game.wave(*b)) {
        wave.par_iter().try_for_each(|block| {
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
        })?;
    }
    Ok(slots.into_iter().map(Slot::plain).collect())
}

/// The code of a position from the codes of its children.
pub(crate) fn settle<G: Dense, L: Lane>(
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
        L::child(&mut gathered, code_of(game.index(&edge.to)), edge.gain);
    }
    L::finish(gathered)
}
