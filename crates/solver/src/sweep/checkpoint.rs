//! Checkpoints: what has been swept so far, in a file, so that a solve can go on later.
//!
//! ```text
//! magic 89 47 57 43 0d 0a 1a 0a (\x89 G W C …)   u32 version
//! rules hash (32 bytes)   metric (1)   skipped blocks (1)   leaves (1)   u32 bytes of a block
//! u32 squares, then the board's square of each of the sweep's   BLAKE3 hash of the watched indices
//! u32 wave   u64 losses
//! u32 count, then u64 index, i32 code            first positions
//! u32 count, then u64                            how often each code occurs
//! u32 plies + 1 or 0, u64 index                  longest distance
//! u64                                            values that do not fit
//! u64 count, then u64 number, u32 count, u32 length, bytes    leaves
//! u64 count, then bytes                          blocks of the wave
//! BLAKE3 hash of all before (32 bytes)
//! ```
//!
//! All numbers are little-endian. The file is written beside, synced and renamed, so that whatever
//! happens an earlier one stays.

use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use greenwave_game::{Game, Metric};
use greenwave_table::{DiskStorage, Leaf, LockGuard, Storage, TableError};
use greenwave_values::Progress;

use super::frame::Skip;
use super::plan::Plan;
use crate::SolveError;
use crate::timer::Timer;

const MAGIC: [u8; 8] = *b"\x89GWC\r\n\x1a\n";
const VERSION: u32 = 2;
const HASH_LEN: u64 = 32;

/// Time between checkpoints, unless the solve is interrupted.
pub(super) const EVERY: Duration = Duration::from_secs(60);

/// Everything about a sweep but its blocks, when a wave is complete.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct State {
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

/// The checkpoint file of a solve, and when it is to be written.
pub(super) struct Checkpoints {
    path: PathBuf,
    key: Vec<u8>,
    timer: Timer,
    lock: Option<Box<dyn LockGuard>>,
}

/// Removes a checkpoint whose solve is done. If it stays, the next solve goes on from it and ends with
/// the same values.
pub fn discard_checkpoint(path: &Path) {
    let _ = fs::remove_file(path);
}

impl Checkpoints {
    /// For a plan with blocks of `block_bytes`. Keeps other solves of the same away from the start.
    ///
    /// # Errors
    /// When another solve is at work there, or the folder of a table cannot be written.
    pub(super) fn new(
        plan: &Plan<'_>,
        path: &Path,
        block_bytes: usize,
        every: Duration,
    ) -> Result<Checkpoints, SolveError> {
        let mut key = MAGIC.to_vec();
        key.extend(VERSION.to_le_bytes());
        key.extend(plan.game.rules().hash.0);
        let metric = Metric::ALL.iter().position(|metric| *metric == plan.metric);
        key.push(metric.unwrap_or_default() as u8);
        key.push(u8::from(plan.frame.skip == Skip::Decided));
        key.push(u8::from(plan.options.leaves));
        key.extend((block_bytes as u32).to_le_bytes());
        let squares = plan.frame.squares();
        key.extend((squares as u32).to_le_bytes());
        key.extend((0..squares).map(|square| plan.frame.order.cell(square)));
        let mut watched = blake3::Hasher::new();
        for index in &plan.watched {
            watched.update(&index.to_le_bytes());
        }
        key.extend(watched.finalize().as_bytes());
        let mut checkpoints = Checkpoints {
            path: path.to_owned(),
            key,
            timer: Timer::new(every),
            lock: None,
        };
        match checkpoints.take_lock() {
            // A solve without a table can do without the folder: it is the first checkpoint, if it
            // comes to one, that cannot be written.
            Err(SolveError::CheckpointIo { .. }) if !plan.options.leaves => {}
            taken => taken?,
        }
        Ok(checkpoints)
    }

    /// Opens the file, if there is one, and reads all but the blocks.
    ///
    /// # Errors
    /// When the file is damaged or of another solve.
    pub(super) fn open(&mut self) -> Result<Option<(State, Blocks)>, SolveError> {
        let file = match File::open(&self.path) {
            Ok(file) => file,
            Err(error)
                if matches!(
                    error.kind(),
                    io::ErrorKind::NotFound | io::ErrorKind::NotADirectory
                ) =>
            {
                return Ok(None);
            }
            Err(error) => return Err(self.io("read", error)),
        };
        self.take_lock()?;
        let mut file = BufReader::with_capacity(1 << 20, file);
        let length = self.check(&mut file)?;
        let mut blocks = Blocks {
            file: file.take(length),
            path: self.path.clone(),
        };
        let mut key = vec![0; self.key.len()];
        let read = blocks.file.read_exact(&mut key).and_then(|()| {
            if key == self.key {
                read_state(&mut blocks.file).map(Some)
            } else {
                Ok(None)
            }
        });
        match read {
            Ok(Some(state)) => Ok(Some((state, blocks))),
            Ok(None) => Err(self.refuse("is of other rules, or of another version of the program")),
            Err(_) => Err(self.refuse("does not hold what its checksum promises")),
        }
    }

    /// Whether it is time for a checkpoint.
    pub(super) fn due(&self) -> bool {
        self.timer.due()
    }

    /// Takes note of a checkpoint that was due: one that could not be written becomes a warning, and
    /// the solve goes on.
    pub(super) fn tried(&mut self, written: Result<(), SolveError>, progress: &dyn Progress) {
        let there_is_one = self.path.exists();
        self.timer.tried(written, there_is_one, progress);
    }

    /// Writes a checkpoint.
    ///
    /// # Errors
    /// When the file cannot be written; an earlier one is untouched.
    pub(super) fn write<const N: usize>(
        &mut self,
        state: &State,
        blocks: &[[u8; N]],
    ) -> Result<(), SolveError> {
        self.take_lock()?;
        let part = self.part();
        let written = write_file(&part, &self.key, state, blocks)
            .and_then(|()| fs::rename(&part, &self.path))
            .and_then(|()| DiskStorage.sync_folder_of(&self.path));
        written.map_err(|error| {
            let _ = fs::remove_file(&part);
            self.io("write", error)
        })
    }

    /// Whether a solve that is done is worth keeping until its table is written: one that took long,
    /// or went on from a file.
    pub(super) fn worth_keeping(&self) -> bool {
        self.timer.is_long() || self.path.exists()
    }

    /// Removes the file of a solve that is done.
    pub(super) fn finish(self) {
        discard_checkpoint(&self.path);
    }

    /// The error of a solve that was stopped and can go on.
    pub(super) fn paused(&self) -> SolveError {
        SolveError::Paused {
            file: self.path.clone(),
        }
    }

    // What is being written.
    fn part(&self) -> PathBuf {
        self.path.with_extension("checkpoint.part")
    }

    // Takes the lock, unless it is held. With its folder a lock is gone, and both are made anew.
    fn take_lock(&mut self) -> Result<(), SolveError> {
        self.lock.take_if(|lock| !lock.holds());
        if self.lock.is_none() {
            let lock = self.path.with_extension("checkpoint.lock");
            self.lock = Some(
                DiskStorage
                    .lock(&lock)
                    .map_err(|error| match error.kind() {
                        io::ErrorKind::WouldBlock => SolveError::Table(TableError::Locked { lock }),
                        _ => self.io("lock", error),
                    })?,
            );
            // Left by a solve that was killed while it wrote.
            let _ = fs::remove_file(self.part());
        }
        Ok(())
    }

    // Compares the hash at the end with the bytes before; returns their number, with the file at
    // its start.
    fn check(&self, file: &mut BufReader<File>) -> Result<u64, SolveError> {
        let mut check = || -> io::Result<Option<u64>> {
            let length = file.get_ref().metadata()?.len();
            let Some(length) = length.checked_sub(HASH_LEN) else {
                return Ok(None);
            };
            let mut hasher = blake3::Hasher::new();
            io::copy(&mut file.by_ref().take(length), &mut hasher)?;
            let mut hash = [0; HASH_LEN as usize];
            file.read_exact(&mut hash)?;
            file.rewind()?;
            Ok((hasher.finalize() == hash).then_some(length))
        };
        match check() {
            Ok(Some(length)) => Ok(length),
            Ok(None) => Err(self.refuse("is damaged: its checksum is wrong")),
            Err(error) => Err(self.io("read", error)),
        }
    }

    /// The error of a file that this solve cannot go on from.
    pub(super) fn refuse(&self, problem: &str) -> SolveError {
        SolveError::Checkpoint {
            file: self.path.clone(),
            problem: problem.into(),
        }
    }

    fn io(&self, doing: &'static str, source: io::Error) -> SolveError {
        SolveError::CheckpointIo {
            file: self.path.clone(),
            doing,
            source,
        }
    }
}

/// The blocks in a checkpoint that has been opened.
pub(super) struct Blocks {
    file: io::Take<BufReader<File>>,
    path: PathBuf,
}

impl Blocks {
    /// Reads them.
    ///
    /// # Errors
    /// When there are more or fewer.
    pub(super) fn read<const N: usize>(mut self, blocks: &mut [[u8; N]]) -> Result<(), SolveError> {
        let mut read = || -> io::Result<bool> {
            let count = read_u64(&mut self.file)?;
            self.file.read_exact(blocks.as_flattened_mut())?;
            Ok(count == blocks.len() as u64 && self.file.limit() == 0)
        };
        match read() {
            Ok(true) => Ok(()),
            _ => Err(SolveError::Checkpoint {
                file: self.path,
                problem: "does not have the blocks of this board".into(),
            }),
        }
    }
}

/// Hashes what is written through it.
struct Sealed {
    file: BufWriter<File>,
    hasher: blake3::Hasher,
}

impl Write for Sealed {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write_all(bytes)?;
        self.hasher.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

fn write_file<const N: usize>(
    path: &Path,
    key: &[u8],
    state: &State,
    blocks: &[[u8; N]],
) -> io::Result<()> {
    let mut out = Sealed {
        file: BufWriter::with_capacity(1 << 20, File::create(path)?),
        hasher: blake3::Hasher::new(),
    };
    out.write_all(key)?;
    write_state(&mut out, state)?;
    out.write_all(&(blocks.len() as u64).to_le_bytes())?;
    out.write_all(blocks.as_flattened())?;
    let hash = out.hasher.finalize();
    out.file.write_all(hash.as_bytes())?;
    out.file.into_inner()?.sync_all()
}

fn write_state(out: &mut impl Write, state: &State) -> io::Result<()> {
    out.write_all(&(state.wave as u32).to_le_bytes())?;
    out.write_all(&state.losses.to_le_bytes())?;
    out.write_all(&(state.first.len() as u32).to_le_bytes())?;
    for (index, code) in &state.first {
        out.write_all(&index.to_le_bytes())?;
        out.write_all(&code.to_le_bytes())?;
    }
    out.write_all(&(state.counts.len() as u32).to_le_bytes())?;
    for count in &state.counts {
        out.write_all(&count.to_le_bytes())?;
    }
    let (plies, index) = state
        .longest
        .map_or((0, 0), |(plies, index)| (plies + 1, index));
    out.write_all(&plies.to_le_bytes())?;
    out.write_all(&index.to_le_bytes())?;
    out.write_all(&state.misfits.to_le_bytes())?;
    out.write_all(&(state.leaves.len() as u64).to_le_bytes())?;
    for (number, leaf) in &state.leaves {
        out.write_all(&number.to_le_bytes())?;
        out.write_all(&leaf.count.to_le_bytes())?;
        out.write_all(&(leaf.payload.len() as u32).to_le_bytes())?;
        out.write_all(&leaf.payload)?;
    }
    Ok(())
}

fn read_u32(file: &mut impl Read) -> io::Result<u32> {
    let mut bytes = [0; 4];
    file.read_exact(&mut bytes)?;
    Ok(u32::from_le_bytes(bytes))
}

fn read_u64(file: &mut impl Read) -> io::Result<u64> {
    let mut bytes = [0; 8];
    file.read_exact(&mut bytes)?;
    Ok(u64::from_le_bytes(bytes))
}

// The checksum has been found right, so lengths are those that were written.
fn read_state(file: &mut impl Read) -> io::Result<State> {
    let mut state = State {
        wave: read_u32(file)? as usize,
        losses: read_u64(file)?,
        ..State::default()
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
        let mut payload = vec![0; read_u32(file)? as usize];
        file.read_exact(&mut payload)?;
        state.leaves.push((number, Leaf { count, payload }));
    }
    Ok(state)
}
