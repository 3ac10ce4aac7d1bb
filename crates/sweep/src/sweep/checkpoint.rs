//! The checkpoint of a sweep: a part `wave-NNN` for the last complete wave.
//!
//! ```text
//! u32 wave   u64 losses
//! u32 count, then u64 index, i32 code            first positions
//! u32 count, then u64                            how often each code occurs
//! u32 plies + 1 or 0, u64 index                  longest distance
//! u64                                            values that do not fit
//! u64 count, then u64 number, u32 count, u32 length, bytes    leaves
//! u64 count, then bytes                          blocks of the wave
//! ```
//!
//! All numbers are little-endian.

use std::path::Path;
use std::time::Duration;

use greenwave_game::Game;
use greenwave_table::Leaf;
use greenwave_values::Progress;

use super::geometry::Skip;
use super::plan::Plan;
use crate::SolveError;
use crate::checkpoint::{Checkpoint, PartReader, PartWriter};

/// Everything about a sweep but its blocks, when a wave is complete.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct SweepRecord {
    /// The sum of outer levels of the last complete wave.
    pub(super) wave: usize,
    pub(super) losses: u64,
    /// Codes of the start and the positions after one move, by index.
    pub(super) first: Vec<(u64, i32)>,
    pub(super) counts: Vec<u64>,
    pub(super) longest: Option<(u32, u64)>,
    pub(super) misfits: u64,
    pub(super) leaves: Vec<(u64, Leaf)>,
}

/// The checkpoint of a plan with blocks of this many bytes. Keeps other solves of the same away from
/// the start.
///
/// # Errors
/// When another solve is at work there, or the folder of a table cannot be written.
pub(super) fn open(
    plan: &Plan<'_>,
    path: &Path,
    block_bytes: usize,
    every: Duration,
) -> Result<Checkpoint, SolveError> {
    let squares = plan.geometry.squares();
    let mut key = blake3::Hasher::new();
    key.update(&(block_bytes as u64).to_le_bytes());
    key.update(&[
        u8::from(plan.geometry.skip == Skip::Decided),
        u8::from(plan.options.leaves),
    ]);
    key.update(&(squares as u64).to_le_bytes());
    for square in 0..squares {
        key.update(&[plan.geometry.order.cell(square)]);
    }
    for index in &plan.watched {
        key.update(&index.to_le_bytes());
    }
    let owner = format!(
        "waves {} {} of rules {}",
        plan.metric,
        &key.finalize().to_hex()[..16],
        plan.game.rules().hash
    );
    Checkpoint::open(path, owner, plan.options.leaves, every)
}

/// All but the blocks of the checkpoint that is there, and what is left to read of it.
///
/// # Errors
/// When it is damaged or of another solve.
pub(super) fn resume(
    checkpoint: &mut Checkpoint,
    progress: &dyn Progress,
) -> Result<Option<(SweepRecord, PartReader)>, SolveError> {
    let Some(numbers) = checkpoint.resume(progress)? else {
        return Ok(None);
    };
    let Some(wave) = numbers.get("wave").and_then(|wave| wave.first()) else {
        return Err(checkpoint.refuse("says of no wave that it is complete"));
    };
    let mut file = checkpoint.read(&name(*wave))?;
    let state = read_state(&mut file)?;
    Ok(Some((state, file)))
}

/// Reads the blocks, the last of what is to be read.
///
/// # Errors
/// When there are more or fewer.
pub(super) fn read_blocks<const N: usize>(
    mut file: PartReader,
    blocks: &mut [[u8; N]],
) -> Result<(), SolveError> {
    if read_u64(&mut file)? != blocks.len() as u64 {
        return Err(file.damaged("does not have the blocks of this board"));
    }
    file.fill(blocks.as_flattened_mut())?;
    file.finish()
}

/// Makes a checkpoint of a wave.
///
/// # Errors
/// When it cannot be written; an earlier one is untouched.
pub(super) fn save<const N: usize>(
    checkpoint: &mut Checkpoint,
    state: &SweepRecord,
    blocks: &[[u8; N]],
) -> Result<(), SolveError> {
    let wave = state.wave as u64;
    let name = name(wave);
    if checkpoint.lists(&name) {
        return Ok(());
    }
    let mut file = checkpoint.write(&name)?;
    write_state(&mut file, state)?;
    file.put(&(blocks.len() as u64).to_le_bytes())?;
    file.put(blocks.as_flattened())?;
    let record = file.finish()?;
    checkpoint.commit(&[("wave", &[wave])], &[(name, record)])
}

fn name(wave: u64) -> String {
    format!("wave-{wave:03}")
}

fn write_state(out: &mut PartWriter, state: &SweepRecord) -> Result<(), SolveError> {
    out.put(&(state.wave as u32).to_le_bytes())?;
    out.put(&state.losses.to_le_bytes())?;
    out.put(&(state.first.len() as u32).to_le_bytes())?;
    for (index, code) in &state.first {
        out.put(&index.to_le_bytes())?;
        out.put(&code.to_le_bytes())?;
    }
    out.put(&(state.counts.len() as u32).to_le_bytes())?;
    out.put_all(state.counts.iter().map(|count| count.to_le_bytes()))?;
    let (plies, index) = state
        .longest
        .map_or((0, 0), |(plies, index)| (plies + 1, index));
    out.put(&plies.to_le_bytes())?;
    out.put(&index.to_le_bytes())?;
    out.put(&state.misfits.to_le_bytes())?;
    out.put(&(state.leaves.len() as u64).to_le_bytes())?;
    for (number, leaf) in &state.leaves {
        out.put(&number.to_le_bytes())?;
        out.put(&leaf.count.to_le_bytes())?;
        out.put(&(leaf.payload.len() as u32).to_le_bytes())?;
        out.put(&leaf.payload)?;
    }
    Ok(())
}

fn read_u32(file: &mut PartReader) -> Result<u32, SolveError> {
    file.take().map(u32::from_le_bytes)
}

fn read_u64(file: &mut PartReader) -> Result<u64, SolveError> {
    file.take().map(u64::from_le_bytes)
}

// The hash is checked only when all has been read, so no length is believed beyond what there is.
fn read_state(file: &mut PartReader) -> Result<SweepRecord, SolveError> {
    let most = file.bytes();
    let mut state = SweepRecord {
        wave: read_u32(file)? as usize,
        losses: read_u64(file)?,
        ..SweepRecord::default()
    };
    for _ in 0..read_u32(file)? {
        state.first.push((read_u64(file)?, read_u32(file)? as i32));
    }
    for _ in 0..read_u32(file)? {
        state.counts.push(read_u64(file)?);
    }
    let (plies, index) = (read_u32(file)?, read_u64(file)?);
    state.longest = plies.checked_sub(1).map(|plies| (plies, index));
    state.misfits = read_u64(file)?;
    for _ in 0..read_u64(file)? {
        let (number, count) = (read_u64(file)?, read_u32(file)?);
        let len = read_u32(file)?;
        if u64::from(len) > most {
            return Err(file.damaged("found a leaf longer than all"));
        }
        let mut payload = vec![0; len as usize];
        file.fill(&mut payload)?;
        state.leaves.push((number, Leaf { count, payload }));
    }
    Ok(state)
}
