//! From a sweep to a table on disk, level by level, with checkpoints.
//!
//! While the sweep runs, each level's packed numbers go to a file of their own in a folder beside the
//! table. From time to time the entries that the next level needs are written as well; the file
//! `state` then says how far things are, and a later run goes on from there. When all levels are
//! there they are put together to the table and the folder is removed. A solve without a table keeps
//! no levels. What only a checkpoint needs can fail to be written, and the solve goes on; a level
//! that the table needs cannot.
//!
//! ```text
//! odds.checkpoint/
//!   state          text: rules hash, next level, counts, length and hash of every file
//!   level-NNN      f32 little-endian: the packed numbers of the level's rows, row by row
//!   entries-NNN    f64 little-endian: the entries of the level
//! ```

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use greenwave_game::{BagBase, BagGame, BagRows, Code, Dense, Game, Metric, Row};
use greenwave_table::{
    EncodedFrame, Hash32, IndexScheme, Layout, Leaf, Meta, SignatureBuilder, Summary, TableWriter,
    ValueKind, encode_frame, leaf_hash,
};
use greenwave_values::{OddsValues, Progress, TableReport, Unit};
use rayon::prelude::*;

use super::folder::{Folder, HashedFile};
use super::hands::{Hands, STATES};
use super::kernel::{Entries, Values};
use super::store::{Counter, Keeper, Packer};
use super::sweep::{Resume, Sink, Sweep};
use crate::timer::Timer;
use crate::{SolveError, Wanted};

/// What came of a solve.
#[derive(Clone, Debug)]
pub struct Streamed {
    /// Counts, and the odds of the start in double precision.
    pub summary: Summary,
    /// Signature of the values, where one was wanted or a table was written.
    pub signature: Option<Hash32>,
    /// The table, if one was written.
    pub table: Option<TableReport>,
    /// Seconds of the sweep alone, without the table; less where a checkpoint was resumed.
    pub seconds: f64,
}

/// Time between two checkpoints.
const CHECKPOINT: Duration = Duration::from_secs(30);

/// Solves a bag game and keeps of the values what is wanted; holds two levels of entries in memory.
/// A table needs a folder for its checkpoint; where none is named it is beside the table.
///
/// # Errors
/// When memory is too small, a file that the table needs cannot be written or read, and when the work
/// is cancelled ([`SolveError::Paused`] where a checkpoint was left). A checkpoint that cannot be
/// written is told to `progress` and tried again half a minute later.
pub fn stream<B: BagBase>(
    game: &BagGame<B>,
    wanted: Wanted<'_>,
    checkpoint: Option<&Path>,
    memory: u64,
    progress: &dyn Progress,
) -> Result<Streamed, SolveError> {
    stream_with(game, wanted, checkpoint, memory, CHECKPOINT, progress)
}

/// [`stream`] with another time between checkpoints.
pub(crate) fn stream_with<B: BagBase>(
    game: &BagGame<B>,
    wanted: Wanted<'_>,
    checkpoint: Option<&Path>,
    memory: u64,
    every: Duration,
    progress: &dyn Progress,
) -> Result<Streamed, SolveError> {
    super::estimate(game, false).fits(memory)?;
    let begun = Instant::now();
    let rows = Arc::new(BagRows::new(game));
    let sweep = Sweep::new(game, &rows);
    let mut counter = Counter::new(&rows, game.flags());
    // The empty board, whose odds give the value of the start.
    let start = rows.number(Code::EMPTY).into_iter().collect();
    let mut keeper = Keeper::new(
        OddsValues::new(game, Arc::clone(&rows)),
        game.flags(),
        Some(start),
    );
    let layout = layout(game, &rows)?;
    let table = match wanted {
        Wanted::Table(path) => Some(path),
        Wanted::Counts | Wanted::Signature => None,
    };
    let beside = table.map(|path| path.with_extension("checkpoint"));
    let folder = checkpoint.or(beside.as_deref());
    let mut signer = (wanted == Wanted::Signature).then(|| Signer::new(game, &rows, &layout));
    let mut disk = match folder {
        // The leaves that a signature is made of are not in a checkpoint.
        Some(folder) if signer.is_none() => {
            let folder = Folder::open(folder, game.rules().hash.to_string(), table.is_some())?;
            let timer = Timer::new(every);
            Some(Disk::new(
                game,
                &rows,
                folder,
                table.is_some(),
                timer,
                progress,
            ))
        }
        _ => None,
    };
    let resume = match &mut disk {
        Some(disk) => disk.resume(sweep.variants(), &mut counter)?,
        None => Resume::from_the_top(&rows),
    };
    let mut sinks = Sinks {
        counter: &mut counter,
        keeper: &mut keeper,
        signer: signer.as_mut(),
        disk: disk.as_mut(),
    };
    let run = sweep.run(resume, &mut sinks, progress);
    let folder = disk.map(|disk| disk.folder);
    if let Err(error) = run {
        return Err(match folder {
            Some(folder) if folder.has_state() => match error {
                SolveError::Interrupted => SolveError::Paused { file: folder.path },
                other => other,
            },
            Some(folder) => {
                folder.remove()?;
                error
            }
            None => error,
        });
    }
    let seconds = begun.elapsed().as_secs_f64();
    let summary = counter.summary(super::start_odds(game, &keeper.finish()));
    let table = match (table, &folder) {
        (Some(path), Some(folder)) => Some(assemble(
            game, &rows, &layout, &summary, folder, path, progress,
        )?),
        _ => None,
    };
    if let Some(folder) = folder {
        folder.remove()?;
    }
    let signature = match signer {
        Some(signer) => Some(signer.finish()?),
        None => table.as_ref().map(|report| report.signature),
    };
    Ok(Streamed {
        summary,
        signature,
        table,
        seconds,
    })
}

/// Everything that looks at values while they come by.
struct Sinks<'s, 'a> {
    counter: &'s mut Counter,
    keeper: &'s mut Keeper,
    signer: Option<&'s mut Signer<'a>>,
    disk: Option<&'s mut Disk<'a>>,
}

impl Sink for Sinks<'_, '_> {
    fn rows(&mut self, number: u64, rows: &[Row], values: &[Values]) -> Result<(), SolveError> {
        self.counter.rows(rows, values);
        self.keeper.rows(number, rows, values)?;
        if let Some(signer) = &mut self.signer {
            signer.rows(rows, values)?;
        }
        if let Some(disk) = &mut self.disk {
            disk.rows(rows, values)?;
        }
        Ok(())
    }

    fn level_done(&mut self, level: usize, entries: &[Entries]) -> Result<(), SolveError> {
        match &mut self.disk {
            Some(disk) => disk.level_done(level, entries, self.counter.counts),
            None => Ok(()),
        }
    }
}

/// The layout of a game's table: single precision numbers in the order of [`Packer`].
fn layout<B: BagBase>(game: &BagGame<B>, rows: &BagRows) -> Result<Layout, SolveError> {
    let numbers = rows.rows() * (game.flags() * game.parts() * STATES) as u64;
    Ok(Layout::new(
        Metric::Odds.name(),
        32,
        ValueKind::F32,
        numbers,
    )?)
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
        let leaves: Vec<(u64, Leaf)> = self
            .done
            .try_iter()
            .filter(|(_, leaf)| leaf.count > 0)
            .collect();
        let hashes: Vec<(u64, Hash32)> = leaves
            .par_iter()
            .map(|(number, leaf)| (*number, leaf_hash(*number, leaf)))
            .collect();
        hashes
            .iter()
            .for_each(|(number, hash)| self.builder.push(*number, hash));
    }

    fn finish(mut self) -> Result<Hash32, SolveError> {
        if let Some(packer) = self.packer.take() {
            packer.finish()?;
        }
        self.sign();
        Ok(self.builder.finish())
    }
}

impl Signer<'_> {
    fn rows(&mut self, rows: &[Row], values: &[Values]) -> Result<(), SolveError> {
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
}

/// Writes levels and checkpoints while values come by.
struct Disk<'a> {
    parts: usize,
    rows: &'a BagRows,
    folder: Folder,
    // Whether the packed numbers are kept for a table.
    packs: bool,
    timer: Timer,
    progress: &'a dyn Progress,
    level: Option<HashedFile>,
}

impl<'a> Disk<'a> {
    fn new<B: BagBase>(
        game: &BagGame<B>,
        rows: &'a BagRows,
        folder: Folder,
        packs: bool,
        timer: Timer,
        progress: &'a dyn Progress,
    ) -> Disk<'a> {
        Disk {
            parts: game.parts(),
            rows,
            folder,
            packs,
            timer,
            progress,
            level: None,
        }
    }

    /// What a checkpoint left to do; sets the counts so far.
    fn resume(&mut self, variants: usize, counter: &mut Counter) -> Result<Resume, SolveError> {
        let Some(state) = self.folder.read_state()? else {
            return Ok(Resume::from_the_top(self.rows));
        };
        let mut needed = state.level..self.rows.levels();
        let lacks = |level| self.packs && !self.folder.files.contains_key(&level);
        if needed.is_empty() || needed.any(lacks) {
            return Err(self.folder.incomplete());
        }
        counter.counts = state.counts;
        let count = self.rows.level(state.level).len() * variants;
        let entries = self.folder.read_entries(&state, count)?;
        Ok(Resume {
            next_level: state.level,
            entries,
        })
    }

    fn rows(&mut self, rows: &[Row], values: &[Values]) -> Result<(), SolveError> {
        let Some(first) = rows.first().filter(|_| self.packs) else {
            return Ok(());
        };
        let flags = values.len() / rows.len();
        let bytes: Vec<Vec<u8>> = rows
            .par_iter()
            .zip(values.par_chunks(flags))
            .map(|(row, values)| self.packed_bytes(*row, values))
            .collect();
        let file = match &mut self.level {
            Some(file) => file,
            None => {
                let level = first.code.level_sum() as usize;
                self.level
                    .insert(HashedFile::create(self.folder.level(level))?)
            }
        };
        bytes.iter().try_for_each(|bytes| file.write(bytes))
    }

    // The packed numbers of a row, plane by plane.
    fn packed_bytes(&self, row: Row, values: &[Values]) -> Vec<u8> {
        let packed = self.rows.packed(row.code);
        let mut bytes = Vec::with_capacity(values.len() * self.parts * STATES * 4);
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
    }

    fn level_done(
        &mut self,
        level: usize,
        entries: &[Entries],
        counts: [u64; 3],
    ) -> Result<(), SolveError> {
        if self.packs {
            let file = match self.level.take() {
                Some(file) => file,
                None => HashedFile::create(self.folder.level(level))?,
            };
            self.folder.files.insert(level, file.finish()?);
        }
        // The levels below 1 are a board each: quicker solved than read.
        let last = level == 1 && self.packs;
        if last || (level > 1 && self.timer.due()) {
            let written = self.folder.checkpoint(level, entries, counts);
            let there_is_one = self.folder.has_state();
            self.timer.tried(written, there_is_one, self.progress);
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
    let mut frames = Frames {
        layout,
        leaves: Vec::new(),
        next: 0,
    };
    let mut packer = Packer::new(|_, leaf| frames.leaf(leaf, &mut writer));
    for level in (0..rows.levels()).rev() {
        let mut file = folder.read_level(level)?;
        for (number, row) in rows.level(level).iter().enumerate() {
            if number.is_multiple_of(1024) && progress.cancelled() {
                return Err(SolveError::Paused {
                    file: folder.path.clone(),
                });
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
    let finished = writer.finish(Meta {
        index_scheme: IndexScheme::Rows {
            positions: game.indexable() as u64,
        },
        ..greenwave_values::meta(rules, Metric::Odds.name(), indexable, summary)
    })?;
    Ok(TableReport {
        signature: finished.signature,
        bytes: finished.bytes,
    })
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

#[cfg(test)]
mod tests {
    use std::path::PathBuf;
    use std::sync::Mutex;
    use std::sync::atomic::{AtomicU32, Ordering};

    use greenwave_game::{BoardGame, Variant};

    use super::*;
    use greenwave_values::Silent;

    /// Wants the work to stop at the n-th question.
    struct Stops(AtomicU32);

    impl Progress for Stops {
        fn begin(&self, _stage: &str, _total: u64, _unit: Unit) {}

        fn advance(&self, _amount: u64) {}

        fn cancelled(&self) -> bool {
            let left = self.0.load(Ordering::Relaxed);
            self.0.store(left.saturating_sub(1), Ordering::Relaxed);
            left == 0
        }
    }

    fn bag(name: &str) -> BagGame<BoardGame> {
        let Variant::Bag(game) = Variant::parse(name).unwrap() else {
            unreachable!()
        };
        game
    }

    fn run(
        game: &BagGame<BoardGame>,
        wanted: Wanted<'_>,
        folder: &Path,
        stops: Option<u32>,
    ) -> Result<Streamed, SolveError> {
        let stops = stops.map(|after| Stops(AtomicU32::new(after)));
        let progress: &dyn Progress = match &stops {
            Some(stops) => stops,
            None => &Silent,
        };
        let every = Duration::ZERO;
        stream_with(game, wanted, Some(folder), u64::MAX, every, progress)
    }

    // A folder of its own for each test, empty at first.
    fn fresh(name: &str) -> PathBuf {
        let path = std::env::temp_dir().join(format!("greenwave-{}-{name}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).unwrap();
        path
    }

    #[test]
    fn a_sweep_that_is_stopped_again_and_again_ends_the_same() {
        for name in ["bag-classic-2x3", "bag-points-1x4:choice=3,return=after"] {
            let game = bag(name);
            let folder = fresh("stopped");
            let (table, checkpoint) = (folder.join("odds.gwt"), folder.join("odds.checkpoint"));
            let straight = run(&game, Wanted::Table(&table), &checkpoint, None).unwrap();
            let bytes = std::fs::read(&table).unwrap();
            std::fs::remove_file(&table).unwrap();
            for wanted in [Wanted::Table(&table), Wanted::Counts] {
                let mut stopped: u32 = 0;
                let done = loop {
                    match run(&game, wanted, &checkpoint, Some(3 + 4 * stopped)) {
                        Ok(done) => break done,
                        Err(SolveError::Paused { file }) => assert_eq!(file, checkpoint),
                        Err(other) => panic!("{name}: {other}"),
                    }
                    stopped += 1;
                };
                assert!(stopped > 1, "{name}: {stopped}");
                assert_eq!(done.summary, straight.summary, "{name}");
                assert!(!checkpoint.exists());
            }
            assert_eq!(std::fs::read(&table).unwrap(), bytes, "{name}");
            std::fs::remove_dir_all(&folder).unwrap();
        }
    }

    /// Removes a folder when so many levels are done, and remembers what it is warned of.
    struct Meddler<'a> {
        removes: Option<&'a Path>,
        left: AtomicU32,
        warnings: Mutex<Vec<String>>,
        // What must not be there when a warning comes.
        half_written: &'a Path,
    }

    impl Progress for Meddler<'_> {
        fn begin(&self, _: &str, _: u64, _: Unit) {}

        fn advance(&self, _: u64) {
            if let Some(folder) = self.removes
                && self.left.fetch_sub(1, Ordering::Relaxed) == 1
            {
                std::fs::remove_dir_all(folder).unwrap();
            }
        }

        fn warn(&self, warning: &str) {
            for entry in std::fs::read_dir(self.half_written).into_iter().flatten() {
                let name = entry.unwrap().file_name().into_string().unwrap();
                assert!(!name.starts_with("entries"), "{name}");
            }
            self.warnings.lock().unwrap().push(warning.into());
        }
    }

    #[test]
    fn a_sweep_goes_on_without_the_checkpoints_that_cannot_be_written() {
        let game = bag("bag-classic-2x3");
        let folder = fresh("unwritten");
        let (table, checkpoint) = (folder.join("odds.gwt"), folder.join("odds.checkpoint"));
        let straight = run(&game, Wanted::Table(&table), &checkpoint, None).unwrap();
        let solve = |wanted, removes| {
            let meddler = Meddler {
                removes,
                left: AtomicU32::new(4),
                warnings: Mutex::default(),
                half_written: &checkpoint,
            };
            let every = Duration::ZERO;
            let done = stream_with(&game, wanted, Some(&checkpoint), u64::MAX, every, &meddler);
            (done, meddler.warnings.into_inner().unwrap())
        };
        for wanted in [Wanted::Counts, Wanted::Table(&table)] {
            // A folder stands where the state is to be written.
            std::fs::create_dir_all(checkpoint.join("state.new")).unwrap();
            let (done, warnings) = solve(wanted, None);
            assert_eq!(done.unwrap().summary, straight.summary);
            assert_eq!(warnings.len(), 1, "{warnings:?}");
            assert!(warnings[0].contains("lose all work so far"), "{warnings:?}");
            assert!(!checkpoint.exists());
        }
        // A folder that goes is made anew where nothing but checkpoints was in it.
        let (done, warnings) = solve(Wanted::Counts, Some(&checkpoint));
        assert_eq!(done.unwrap().summary, straight.summary);
        assert_eq!((warnings.len(), checkpoint.exists()), (0, false));
        std::fs::remove_file(&table).unwrap();
        let (done, _) = solve(Wanted::Table(&table), Some(&checkpoint));
        let error = done.unwrap_err();
        assert!(matches!(error, SolveError::CheckpointIo { .. }), "{error}");
        assert!(!checkpoint.exists() && !table.exists());
        std::fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn two_solves_of_the_same_keep_apart_from_the_start() {
        let game = bag("bag-classic-1x3");
        let folder = fresh("apart");
        let (table, checkpoint) = (folder.join("odds.gwt"), folder.join("odds.checkpoint"));
        for wanted in [Wanted::Counts, Wanted::Table(&table)] {
            let lock = greenwave_table::Storage::lock(
                &greenwave_table::DiskStorage,
                &checkpoint.join("lock"),
            );
            let error = run(&game, wanted, &checkpoint, None).unwrap_err();
            assert!(matches!(error, SolveError::Table(_)), "{error}");
            drop(lock);
            run(&game, wanted, &checkpoint, None).unwrap();
        }
        std::fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn damaged_and_foreign_checkpoints_are_refused() {
        let game = bag("bag-classic-2x3");
        let folder = fresh("damaged");
        let (table, checkpoint) = (folder.join("odds.gwt"), folder.join("odds.checkpoint"));
        let wanted = Wanted::Table(&table);
        run(&game, wanted, &checkpoint, Some(6)).unwrap_err();
        let state = std::fs::read_to_string(checkpoint.join("state")).unwrap();
        let refused = |part: &str| {
            let error = run(&game, wanted, &checkpoint, None)
                .unwrap_err()
                .to_string();
            assert!(
                error.contains(part) && error.contains("delete it"),
                "{error}"
            );
        };
        let foreign = state.replace("rules ", "rules 0");
        std::fs::write(checkpoint.join("state"), foreign).unwrap();
        refused("is of other rules");
        std::fs::write(checkpoint.join("state"), state.replace("counts", "count")).unwrap();
        refused("no state of a sweep");
        std::fs::write(checkpoint.join("state"), &state).unwrap();
        let entries = std::fs::read_dir(&checkpoint)
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .find(|path| path.to_string_lossy().contains("entries"))
            .unwrap();
        let mut bytes = std::fs::read(&entries).unwrap();
        bytes[17] ^= 1;
        std::fs::write(&entries, &bytes).unwrap();
        refused("other contents than were written");
        bytes.pop();
        std::fs::write(&entries, &bytes).unwrap();
        refused("is damaged");
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
