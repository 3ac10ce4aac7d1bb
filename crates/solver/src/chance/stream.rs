//! From a sweep to a table on disk, level by level, with checkpoints.
//!
//! While the sweep runs, each level's packed numbers go to a file of their own in a folder beside the
//! table. From time to time the entries that the next level needs are written as well; the file
//! `state` then says how far things are, and a later run goes on from there. When all levels are
//! there they are put together to the table and the folder is removed.
//!
//! ```text
//! odds.gwt.work/
//!   state          text: rules hash, next level, counts, length and hash of every file
//!   level-NNN      f32 little-endian: the packed numbers of the level's rows, row by row
//!   entries-NNN    f64 little-endian: the entries of the level
//! ```

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use greenwave_game::{BagBase, BagGame, BagRows, Code, Game, Metric, OddsValues, Row};
use greenwave_table::{
    EncodedFrame, Hash32, Layout, Leaf, SignatureBuilder, Summary, TableWriter, ValueKind,
    encode_frame, leaf_hash,
};
use rayon::prelude::*;

use super::folder::{Folder, HashedFile};
use super::hands::{Hands, STATES};
use super::kernel::{Entries, Values};
use super::store::{Counter, Keeper, Packer, Tee};
use super::sweep::{Resume, Sink, Sweep};
use crate::{Progress, SolveError, TableReport, Unit};

/// What came of a solve.
#[derive(Clone, Debug)]
pub struct Streamed {
    /// Counts, and the odds of the start in double precision.
    pub summary: Summary,
    /// Signature of the values.
    pub signature: Hash32,
    /// Size of the table in bytes; `None` where none was written.
    pub bytes: Option<u64>,
    /// Seconds of the sweep alone, without the table; less where a checkpoint was resumed.
    pub seconds: f64,
}

/// Time between two checkpoints.
const CHECKPOINT: Duration = Duration::from_secs(30);

/// Solves a bag game, to a table if a path is given; holds two levels of entries in memory.
///
/// # Errors
/// When memory is too small, a file cannot be written or read, and when the work is cancelled
/// ([`SolveError::Paused`] where a checkpoint was left).
pub fn stream<B: BagBase>(
    game: &BagGame<B>,
    path: Option<&Path>,
    memory: u64,
    progress: &dyn Progress,
) -> Result<Streamed, SolveError> {
    stream_with(game, path, memory, CHECKPOINT, progress)
}

/// [`stream`] with another time between checkpoints.
pub(crate) fn stream_with<B: BagBase>(
    game: &BagGame<B>,
    path: Option<&Path>,
    memory: u64,
    checkpoint: Duration,
    progress: &dyn Progress,
) -> Result<Streamed, SolveError> {
    super::estimate(game).fits(memory)?;
    let begun = Instant::now();
    let rows = Arc::new(BagRows::new(game));
    let counter = Counter::new(&rows, game.flags());
    // The empty board, whose odds give the value of the start.
    let wanted = rows.number(Code::EMPTY).into_iter().collect();
    let values = OddsValues::new(game, Arc::clone(&rows));
    let keeper = Keeper::new(values, game.flags(), Some(wanted));
    let sweep = Sweep::new(game, &rows);
    let layout = layout(game, &rows)?;
    let Some(path) = path else {
        let (mut counter, mut keeper) = (counter, keeper);
        let mut signer = Signer::new(game, &rows, &layout);
        let mut both = Tee(&mut counter, &mut keeper);
        sweep.run(Resume::from_the_top(&rows), &mut Tee(&mut both, &mut signer), progress)?;
        let seconds = begun.elapsed().as_secs_f64();
        let summary = counter.summary(super::start_odds(game, &keeper.finish()));
        return Ok(Streamed { summary, signature: signer.finish()?, bytes: None, seconds });
    };
    let folder = Folder::open(path, game.rules().hash.to_string())?;
    let mut disk = Disk { parts: game.parts(), rows: &rows, counter, keeper, folder, every: checkpoint, last: Instant::now(), level: None };
    let resume = disk.resume(sweep.variants())?;
    match sweep.run(resume, &mut disk, progress) {
        Err(SolveError::Interrupted) if disk.folder.has_state() => {
            return Err(SolveError::Paused { file: disk.folder.path.clone() });
        }
        Err(error) => {
            if !disk.folder.has_state() {
                disk.folder.remove()?;
            }
            return Err(error);
        }
        Ok(()) => {}
    }
    let seconds = begun.elapsed().as_secs_f64();
    let Disk { counter, keeper, folder, .. } = disk;
    let summary = counter.summary(super::start_odds(game, &keeper.finish()));
    let report = assemble(game, &rows, &layout, &summary, &folder, path, progress)?;
    folder.remove()?;
    Ok(Streamed { summary, signature: report.signature, bytes: Some(report.bytes), seconds })
}

/// The layout of a game's table: single precision numbers in the order of [`Packer`].
fn layout<B: BagBase>(game: &BagGame<B>, rows: &BagRows) -> Result<Layout, SolveError> {
    let numbers = rows.rows() * (game.flags() * game.parts() * STATES) as u64;
    Ok(Layout::new(Metric::Odds.name(), 32, ValueKind::F32, numbers)?)
}

// The parts of a row's states as they are stored.
fn part(values: &Values, part: usize) -> &[f64; STATES] {
    [&values.expectation, &values.win, &values.loss][part]
}

/// Works out the signature while values come by.
struct Signer<'a> {
    rows: &'a BagRows,
    flags: usize,
    parts: usize,
    packer: Option<Packer<LeafSigner>>,
    done: std::sync::mpsc::Receiver<(u64, Leaf)>,
    builder: SignatureBuilder,
}

type LeafSigner = Box<dyn FnMut(u64, Leaf) -> Result<(), SolveError>>;

impl<'a> Signer<'a> {
    fn new<B: BagBase>(game: &BagGame<B>, rows: &'a BagRows, layout: &Layout) -> Signer<'a> {
        let (send, done) = std::sync::mpsc::channel();
        let finished: LeafSigner = Box::new(move |number, leaf| {
            // The receiver lives as long as the packer.
            let _ = send.send((number, leaf));
            Ok(())
        });
        Signer {
            rows,
            flags: game.flags(),
            parts: game.parts(),
            packer: Some(Packer::new(finished)),
            done,
            builder: SignatureBuilder::new(layout, &Hash32(game.rules().hash.0)),
        }
    }

    fn sign(&mut self) {
        let leaves: Vec<(u64, Leaf)> = self.done.try_iter().filter(|(_, leaf)| leaf.count > 0).collect();
        let hashes: Vec<(u64, Hash32)> =
            leaves.par_iter().map(|(number, leaf)| (*number, leaf_hash(*number, leaf))).collect();
        hashes.iter().for_each(|(number, hash)| self.builder.push(*number, hash));
    }

    fn finish(mut self) -> Result<Hash32, SolveError> {
        if let Some(packer) = self.packer.take() {
            packer.finish()?;
        }
        self.sign();
        Ok(self.builder.finish())
    }
}

impl Sink for Signer<'_> {
    fn rows(&mut self, _number: u64, rows: &[Row], values: &[Values]) -> Result<(), SolveError> {
        if let Some(packer) = &mut self.packer {
            for (row, values) in rows.iter().zip(values.chunks(self.flags)) {
                let packed = self.rows.packed(row.code);
                for values in values {
                    for number in 0..self.parts {
                        let numbers = part(values, number);
                        packer.plane(&packed, |state| Ok(numbers[Hands::place(state)] as f32))?;
                    }
                }
            }
        }
        self.sign();
        Ok(())
    }

    fn level_done(&mut self, _level: usize, _entries: &[Entries]) -> Result<(), SolveError> {
        Ok(())
    }
}

/// Writes levels and checkpoints while values come by.
struct Disk<'a> {
    parts: usize,
    rows: &'a BagRows,
    counter: Counter,
    keeper: Keeper,
    folder: Folder,
    every: Duration,
    last: Instant,
    level: Option<HashedFile>,
}

impl Disk<'_> {
    /// What a checkpoint left to do.
    fn resume(&mut self, variants: usize) -> Result<Resume, SolveError> {
        let Some((level, counts)) = self.folder.read_state()? else {
            return Ok(Resume::from_the_top(self.rows));
        };
        self.counter.counts = counts;
        let entries = self.folder.read_entries(level, self.rows.level(level).len() * variants)?;
        Ok(Resume { next_level: level, entries })
    }
}

impl Sink for Disk<'_> {
    fn rows(&mut self, number: u64, rows: &[Row], values: &[Values]) -> Result<(), SolveError> {
        self.counter.rows(number, rows, values)?;
        self.keeper.rows(number, rows, values)?;
        let Some(first) = rows.first() else { return Ok(()) };
        let flags = values.len() / rows.len();
        let bytes: Vec<Vec<u8>> = rows
            .par_iter()
            .zip(values.par_chunks(flags))
            .map(|(row, values)| {
                let packed = self.rows.packed(row.code);
                let mut bytes = Vec::with_capacity(flags * self.parts * STATES * 4);
                for values in values {
                    for number in 0..self.parts {
                        let numbers = part(values, number);
                        for state in (0..STATES).filter(|state| packed[*state]) {
                            let number = numbers[Hands::place(state)] as f32;
                            bytes.extend_from_slice(&number.to_le_bytes());
                        }
                    }
                }
                bytes
            })
            .collect();
        let level = first.code.level_sum() as usize;
        if self.level.is_none() {
            self.level = Some(HashedFile::create(self.folder.level(level))?);
        }
        if let Some(file) = &mut self.level {
            for bytes in bytes {
                file.write(&bytes)?;
            }
        }
        Ok(())
    }

    fn level_done(&mut self, level: usize, entries: &[Entries]) -> Result<(), SolveError> {
        let file = match self.level.take() {
            Some(file) => file,
            None => HashedFile::create(self.folder.level(level))?,
        };
        let record = file.finish()?;
        self.folder.files.insert(level, record);
        // The levels below 1 are a board each: quicker solved than read.
        if level == 1 || (level > 1 && self.last.elapsed() >= self.every) {
            self.folder.checkpoint(level, entries, self.counter.counts)?;
            self.last = Instant::now();
        }
        Ok(())
    }
}

// Puts the levels together to a table.
fn assemble<B: BagBase>(
    game: &BagGame<B>,
    rows: &BagRows,
    layout: &Layout,
    summary: &Summary,
    folder: &Folder,
    path: &Path,
    progress: &dyn Progress,
) -> Result<TableReport, SolveError> {
    let rules = game.rules();
    let planes = game.flags() * game.parts();
    progress.begin(
        &format!("writing {} for odds", rules.name),
        rows.rows() * (game.flags() * STATES) as u64,
        Unit::Positions,
    );
    let mut writer = TableWriter::create(path, layout.clone(), Hash32(rules.hash.0))?;
    let mut frames = Frames { layout, leaves: Vec::new(), next: 0 };
    let mut packer = Packer::new(|_, leaf| frames.leaf(leaf, &mut writer));
    for level in (0..rows.levels()).rev() {
        let mut file = folder.read_level(level)?;
        for (number, row) in rows.level(level).iter().enumerate() {
            if number.is_multiple_of(1024) && progress.cancelled() {
                return Err(SolveError::Paused { file: folder.path.clone() });
            }
            let packed = rows.packed(row.code);
            for _ in 0..planes {
                packer.plane(&packed, |_| file.number())?;
            }
        }
        file.finish()?;
        progress.advance((rows.level(level).len() * game.flags() * STATES) as u64);
    }
    packer.finish()?;
    frames.flush(&mut writer)?;
    let indexable = layout.indexable;
    let finished = writer.finish(crate::meta(rules, Metric::Odds.name(), indexable, summary))?;
    Ok(TableReport { signature: finished.signature, bytes: finished.bytes })
}

/// Gathers leaves into frames and encodes many of those at once.
struct Frames<'a> {
    layout: &'a Layout,
    leaves: Vec<Leaf>,
    // The frame to which the first gathered leaf belongs.
    next: u64,
}

impl Frames<'_> {
    const TOGETHER: u64 = 32;

    fn leaf(&mut self, leaf: Leaf, writer: &mut TableWriter) -> Result<(), SolveError> {
        self.leaves.push(leaf);
        let per_frame = 1 << (self.layout.frame_bits - greenwave_table::LEAF_BITS);
        if self.leaves.len() as u64 == Frames::TOGETHER * per_frame {
            self.flush(writer)?;
        }
        Ok(())
    }

    fn flush(&mut self, writer: &mut TableWriter) -> Result<(), SolveError> {
        let per_frame = 1_usize << (self.layout.frame_bits - greenwave_table::LEAF_BITS);
        let first = self.next;
        let frames: Vec<EncodedFrame> = self
            .leaves
            .par_chunks(per_frame)
            .enumerate()
            .map(|(number, leaves)| encode_frame(self.layout, first + number as u64, leaves))
            .collect();
        self.next += frames.len() as u64;
        self.leaves.clear();
        for frame in frames {
            writer.append(frame)?;
        }
        Ok(())
    }
}
