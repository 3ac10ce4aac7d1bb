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
//! odds.checkpoint/   see the module `checkpoint`; the state tells level and counts
//!   level-NNN        f32 little-endian: the packed numbers of the level's rows, row by row
//!   entries-NNN      f64 little-endian: the entries of the level
//! ```

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use greenwave_game::{BagBase, BagGame, Code, Dense, Game, Metric};
use greenwave_table::{
    EncodedFrame, Hash32, IndexScheme, Layout, Leaf, Meta, SignatureBuilder, Summary, TableWriter,
    encode_frame, leaf_hash,
};
use greenwave_values::rows::{Packer, Row, Rows, layout};
use greenwave_values::{OddsValues, Progress, TableReport, Unit};
use rayon::prelude::*;

use super::hands::{Hands, STATES};
use super::kernel::{Entries, Triple, Values};
use super::store::{Counter, Keeper};
use super::sweep::{Resume, Sink, Sweep};
use crate::checkpoint::{Checkpoint, EVERY, PartWriter, Record};
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
    stream_with(game, wanted, checkpoint, memory, EVERY, progress)
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
    let rows = Arc::new(Rows::new(game.row_space()));
    let sweep = Sweep::new(game, &rows);
    let mut counter = Counter::new(&rows, game.flags());
    // The empty board, whose odds give the value of the start.
    let start = rows.number(Code::EMPTY).into_iter().collect();
    let mut keeper = Keeper::new(
        OddsValues::new(Arc::clone(&rows)),
        game.flags(),
        Some(start),
    );
    let layout = layout(&rows)?;
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
            let packs = table.is_some();
            let owner = format!(
                "boards odds {} of rules {}",
                if packs { "with levels" } else { "counts alone" },
                game.rules().hash
            );
            let checkpoint = Checkpoint::open(folder, owner, packs, every)?;
            Some(Disk::new(game, &rows, checkpoint, packs, progress))
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
    let checkpoint = disk.map(|disk| disk.checkpoint);
    if let Err(error) = run {
        return Err(match checkpoint {
            Some(checkpoint) => checkpoint.ended(error),
            None => error,
        });
    }
    let seconds = begun.elapsed().as_secs_f64();
    let summary = counter.summary(super::start_odds(game, &keeper.finish()));
    let table = match (table, &checkpoint) {
        (Some(path), Some(checkpoint)) => {
            let put = assemble(game, &rows, &layout, &summary, checkpoint, path, progress);
            Some(put.map_err(|error| checkpoint.ended(error))?)
        }
        _ => None,
    };
    if let Some(checkpoint) = checkpoint {
        checkpoint.finish();
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

    fn interrupted(&mut self, level: usize, entries: &[Entries]) -> Result<(), SolveError> {
        match &mut self.disk {
            Some(disk) if level < disk.rows.levels() => {
                disk.level = None;
                disk.save(level, entries)
            }
            _ => Ok(()),
        }
    }
}

// The parts of a row's states as they are stored.
fn part(values: &Values, part: usize) -> &[f64; STATES] {
    [&values.expectation, &values.win, &values.loss][part]
}

/// Works out the signature while values come by.
struct Signer<'a> {
    rows: &'a Rows,
    flags: usize,
    parts: usize,
    packer: Option<Packer<LeafSigner>>,
    done: std::sync::mpsc::Receiver<(u64, Leaf)>,
    builder: SignatureBuilder,
}

type LeafSigner = Box<dyn FnMut(u64, Leaf) -> Result<(), SolveError>>;

impl<'a> Signer<'a> {
    fn new<B: BagBase>(game: &BagGame<B>, rows: &'a Rows, layout: &Layout) -> Signer<'a> {
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
    rows: &'a Rows,
    checkpoint: Checkpoint,
    // Whether the packed numbers are kept for a table.
    packs: bool,
    progress: &'a dyn Progress,
    level: Option<PartWriter>,
    // When the last level was done.
    counts: [u64; 3],
}

fn level_name(level: usize) -> String {
    format!("level-{level:03}")
}

fn entries_name(level: usize) -> String {
    format!("entries-{level:03}")
}

impl<'a> Disk<'a> {
    fn new<B: BagBase>(
        game: &BagGame<B>,
        rows: &'a Rows,
        checkpoint: Checkpoint,
        packs: bool,
        progress: &'a dyn Progress,
    ) -> Disk<'a> {
        Disk {
            parts: game.parts(),
            rows,
            checkpoint,
            packs,
            progress,
            level: None,
            counts: [0; 3],
        }
    }

    /// What a checkpoint left to do; sets the counts so far.
    fn resume(&mut self, variants: usize, counter: &mut Counter) -> Result<Resume, SolveError> {
        let Some(numbers) = self.checkpoint.resume(self.progress)? else {
            return Ok(Resume::from_the_top(self.rows));
        };
        let level = numbers.get("level").and_then(|level| level.first());
        let counts = numbers
            .get("counts")
            .and_then(|counts| counts.first_chunk());
        let (Some(level), Some(counts)) = (level, counts) else {
            return Err(self.checkpoint.refuse("says of no level that it is done"));
        };
        let level = usize::try_from(*level).unwrap_or(usize::MAX);
        let mut needed = level..self.rows.levels();
        let mut lacks = |level| self.packs && !self.checkpoint.keep_listed(&level_name(level));
        if needed.is_empty() || needed.any(&mut lacks) {
            return Err(self.checkpoint.refuse("is damaged: it lacks levels"));
        }
        (counter.counts, self.counts) = (*counts, *counts);
        let count = self.rows.level(level).len() * variants;
        Ok(Resume {
            next_level: level,
            entries: self.read_entries(level, count)?,
        })
    }

    fn read_entries(&self, level: usize, count: usize) -> Result<Vec<Entries>, SolveError> {
        let mut file = self.checkpoint.read(&entries_name(level))?;
        let needed = (count * size_of::<Entries>()) as u64;
        if file.bytes() != needed {
            return Err(file.damaged("found entries of another number of boards"));
        }
        let mut list = Vec::new();
        list.try_reserve_exact(count)
            .map_err(|_| SolveError::Allocation { needed })?;
        for _ in 0..count {
            let mut entry = Triple::ZERO;
            for numbers in [&mut entry.expectation, &mut entry.win, &mut entry.loss] {
                for number in numbers.iter_mut() {
                    *number = f64::from_le_bytes(file.take()?);
                }
            }
            list.push(entry);
        }
        file.finish()?;
        Ok(list)
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
                    .insert(self.checkpoint.write(&level_name(level))?)
            }
        };
        bytes.iter().try_for_each(|bytes| file.put(bytes))
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
        self.counts = counts;
        if self.packs {
            let file = match self.level.take() {
                Some(file) => file,
                None => self.checkpoint.write(&level_name(level))?,
            };
            self.checkpoint.keep(&level_name(level), file.finish()?);
        }
        // The levels below 1 are a board each: quicker solved than read.
        let last = level == 1 && self.packs && self.checkpoint.is_worth_keeping();
        if last || (level > 1 && self.checkpoint.due()) {
            let written = self.save(level, entries);
            self.checkpoint.tried(written, self.progress);
        }
        Ok(())
    }

    // Makes a checkpoint of a level that is done.
    fn save(&mut self, level: usize, entries: &[Entries]) -> Result<(), SolveError> {
        let name = entries_name(level);
        if self.checkpoint.lists(&name) {
            return Ok(());
        }
        let record = self.write_entries(&name, entries)?;
        let numbers: [(&str, &[u64]); 2] = [("level", &[level as u64]), ("counts", &self.counts)];
        self.checkpoint.commit(&numbers, &[(name, record)])
    }

    fn write_entries(&mut self, name: &str, entries: &[Entries]) -> Result<Record, SolveError> {
        let mut file = self.checkpoint.write(name)?;
        for entry in entries {
            for numbers in [&entry.expectation, &entry.win, &entry.loss] {
                file.put_all(numbers.iter().map(|number| number.to_le_bytes()))?;
            }
        }
        file.finish()
    }
}

// Puts the levels together to a table.
fn assemble<B: BagBase>(
    game: &BagGame<B>,
    rows: &Rows,
    layout: &Layout,
    summary: &Summary,
    checkpoint: &Checkpoint,
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
        let mut file = checkpoint.read(&level_name(level))?;
        for (number, row) in rows.level(level).iter().enumerate() {
            if number.is_multiple_of(1024) && progress.cancelled() {
                return Err(SolveError::Interrupted);
            }
            let packed = rows.packed(row.code);
            for _ in 0..planes {
                packer.plane(&packed, |_| file.take().map(f32::from_le_bytes))?;
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
            assert_eq!(std::fs::read_dir(&checkpoint).unwrap().count(), 1);
            std::fs::remove_dir_all(&checkpoint).unwrap();
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
                &folder.join("odds.checkpoint.lock"),
            );
            let error = run(&game, wanted, &checkpoint, None).unwrap_err();
            assert!(matches!(error, SolveError::Table(_)), "{error}");
            drop(lock);
            run(&game, wanted, &checkpoint, None).unwrap();
        }
        std::fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn a_checkpoint_of_other_rules_is_refused() {
        let (game, other) = (bag("bag-classic-2x3"), bag("bag-classic-2x3:choice=3"));
        let folder = fresh("foreign");
        let (table, checkpoint) = (folder.join("odds.gwt"), folder.join("odds.checkpoint"));
        let wanted = Wanted::Table(&table);
        run(&game, wanted, &checkpoint, Some(6)).unwrap_err();
        for (game, wanted) in [(&other, wanted), (&game, Wanted::Counts)] {
            let error = run(game, wanted, &checkpoint, None).unwrap_err();
            let error = error.to_string();
            assert!(error.contains("is of other rules"), "{error}");
            assert!(error.contains("delete it"), "{error}");
        }
        run(&game, wanted, &checkpoint, None).unwrap();
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
