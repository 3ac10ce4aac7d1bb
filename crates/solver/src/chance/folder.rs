//! The working folder of a long solve: files with lengths and hashes, and the state that lists them.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{BufReader, BufWriter, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};

use greenwave_table::{DiskStorage, Hash32, LockGuard, Storage, TableError};

use super::kernel::{Entries, Triple};
use crate::SolveError;

const MAGIC: &str = "greenwave bag sweep 1";
// Bytes that are hashed at a time.
const CHUNK: usize = 1 << 20;

/// Length in bytes and hash of a file: each chunk hashed together with the hash before it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Record {
    pub(crate) bytes: u64,
    pub(crate) hash: Hash32,
}

impl Record {
    fn add(&mut self, chunk: &mut Vec<u8>) {
        self.bytes += chunk.len() as u64;
        chunk.extend_from_slice(&self.hash.0);
        self.hash = Hash32::of(chunk);
        chunk.clear();
    }
}

/// What a checkpoint says.
#[derive(Clone, Copy, Debug)]
pub(crate) struct State {
    /// The last complete level, whose entries are there.
    pub(crate) level: usize,
    entries: Record,
    /// Won, lost and drawn positions so far.
    pub(crate) counts: [u64; 3],
}

/// The folder, locked against other programs.
#[derive(Debug)]
pub(crate) struct Folder {
    pub(crate) path: PathBuf,
    rules: String,
    /// The levels that are complete.
    pub(crate) files: BTreeMap<usize, Record>,
    // The level whose entries are in the last state.
    kept: Option<usize>,
    lock: Option<Box<dyn LockGuard>>,
}

impl Folder {
    /// The folder at a path, made and locked. One that cannot be made, and is not `needed` before the
    /// first checkpoint, is tried again then.
    pub(crate) fn open(path: &Path, rules: String, needed: bool) -> Result<Folder, SolveError> {
        let mut folder = Folder {
            path: path.to_owned(),
            rules,
            files: BTreeMap::new(),
            kept: None,
            lock: None,
        };
        match folder.make() {
            Err(SolveError::CheckpointIo { .. }) if !needed && !folder.has_state() => {}
            made => made?,
        }
        Ok(folder)
    }

    // Makes and locks the folder, unless it is there. One that is gone is made anew as long as nothing
    // of the solve was in it.
    fn make(&mut self) -> Result<(), SolveError> {
        let path = &self.path;
        // A lock that is lost stays, so that whoever has the folder now is never written over.
        let lost = self.lock.as_ref().is_some_and(|lock| !lock.holds());
        if lost && !self.files.is_empty() {
            return Err(refused(path, "find", ErrorKind::NotFound.into()));
        }
        self.lock.take_if(|lock| !lock.holds());
        if self.lock.is_some() {
            return Ok(());
        }
        fs::create_dir_all(path).map_err(|error| refused(path, "make", error))?;
        let lock = DiskStorage.lock(&path.join("lock"));
        self.lock = Some(lock.map_err(|error| match error.kind() {
            ErrorKind::WouldBlock => SolveError::Table(TableError::Locked {
                lock: path.join("lock"),
            }),
            _ => refused(path, "lock", error),
        })?);
        Ok(())
    }

    pub(crate) fn level(&self, level: usize) -> PathBuf {
        self.path.join(format!("level-{level:03}"))
    }

    fn entries(&self, level: usize) -> PathBuf {
        self.path.join(format!("entries-{level:03}"))
    }

    /// The error of a state that lacks levels.
    pub(crate) fn incomplete(&self) -> SolveError {
        damaged(&self.state(), "found fewer levels than expected")
    }

    fn state(&self) -> PathBuf {
        self.path.join("state")
    }

    // The state while it is written.
    fn new_state(&self) -> PathBuf {
        self.path.join("state.new")
    }

    pub(crate) fn has_state(&self) -> bool {
        self.state().exists()
    }

    /// Writes the entries of a level, then the state, then removes older entries.
    ///
    /// # Errors
    /// When something cannot be written; an earlier checkpoint is untouched, and nothing
    /// half-written stays.
    pub(crate) fn checkpoint(
        &mut self,
        level: usize,
        entries: &[Entries],
        counts: [u64; 3],
    ) -> Result<(), SolveError> {
        self.make()?;
        self.write_state(level, entries, counts).inspect_err(|_| {
            let _ = fs::remove_file(self.entries(level));
            let _ = fs::remove_file(self.new_state());
        })?;
        if let Some(older) = self.kept.replace(level).filter(|older| *older != level) {
            // What cannot be removed is only in the way.
            let _ = fs::remove_file(self.entries(older));
        }
        Ok(())
    }

    fn write_state(
        &self,
        level: usize,
        entries: &[Entries],
        counts: [u64; 3],
    ) -> Result<(), SolveError> {
        let mut file = HashedFile::create(self.entries(level))?;
        let mut bytes = Vec::with_capacity(size_of::<Entries>());
        for entry in entries {
            bytes.clear();
            for numbers in [&entry.expectation, &entry.win, &entry.loss] {
                numbers
                    .iter()
                    .for_each(|number| bytes.extend_from_slice(&number.to_le_bytes()));
            }
            file.write(&bytes)?;
        }
        let written = file.finish()?;
        let [win, loss, draw] = counts;
        let mut text = format!(
            "{MAGIC}\nrules {}\ncounts {win} {loss} {draw}\n",
            self.rules
        );
        let mut line = |kind: &str, level: usize, record: &Record| {
            text.push_str(&format!(
                "{kind} {level} {} {}\n",
                record.bytes, record.hash
            ));
        };
        self.files
            .iter()
            .for_each(|(level, record)| line("level", *level, record));
        line("entries", level, &written);
        let beside = self.new_state();
        let place = self.state();
        let write = || {
            let mut file = File::create(&beside)?;
            file.write_all(text.as_bytes())?;
            file.sync_all()?;
            fs::rename(&beside, &place)
        };
        write().map_err(|error| refused(&place, "write", error))
    }

    /// The state that a checkpoint left; `None` without a checkpoint.
    ///
    /// # Errors
    /// When the state is of other rules or damaged.
    pub(crate) fn read_state(&mut self) -> Result<Option<State>, SolveError> {
        let path = self.state();
        if !self.has_state() {
            return Ok(None);
        }
        let text = fs::read_to_string(&path).map_err(|error| refused(&path, "read", error))?;
        let mut lines = text.lines();
        if lines.next() != Some(MAGIC) || lines.next() != Some(&format!("rules {}", self.rules)) {
            return Err(SolveError::Checkpoint {
                file: self.path.clone(),
                problem: "is of other rules, or of another version of the program".into(),
            });
        }
        let state = self.parse(lines);
        self.kept = state.as_ref().map(|state| state.level);
        state
            .map(Some)
            .ok_or_else(|| damaged(&path, "found text that is no state of a sweep"))
    }

    fn parse<'a>(&mut self, lines: impl Iterator<Item = &'a str>) -> Option<State> {
        let (mut counts, mut entries) = (None, None);
        for line in lines {
            let words: Vec<&str> = line.split(' ').collect();
            match words[..] {
                ["counts", win, loss, draw] => {
                    counts = Some([win.parse().ok()?, loss.parse().ok()?, draw.parse().ok()?]);
                }
                [kind, level, bytes, hash] => {
                    let record = Record {
                        bytes: bytes.parse().ok()?,
                        hash: hash.parse().ok()?,
                    };
                    let level = level.parse().ok()?;
                    match kind {
                        "level" => drop(self.files.insert(level, record)),
                        "entries" => entries = Some((level, record)),
                        _ => return None,
                    }
                }
                _ => return None,
            }
        }
        let (level, entries) = entries?;
        Some(State {
            level,
            entries,
            counts: counts?,
        })
    }

    /// The entries of the checkpoint.
    pub(crate) fn read_entries(
        &self,
        state: &State,
        count: usize,
    ) -> Result<Vec<Entries>, SolveError> {
        let path = self.entries(state.level);
        let record = state.entries;
        if record.bytes != (count * size_of::<Entries>()) as u64 {
            return Err(damaged(&path, "found entries of another number of boards"));
        }
        let mut file = HashedReader::open(path, record)?;
        let mut list = Vec::new();
        list.try_reserve_exact(count)
            .map_err(|_| SolveError::Allocation {
                needed: record.bytes,
            })?;
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

    /// The packed numbers of a level.
    pub(crate) fn read_level(&self, level: usize) -> Result<HashedReader, SolveError> {
        let record = self.files.get(&level).copied().unwrap_or_default();
        HashedReader::open(self.level(level), record)
    }

    /// Removes the folder, if it was made and is still the same.
    pub(crate) fn remove(self) -> Result<(), SolveError> {
        let Folder { path, lock, .. } = self;
        let Some(lock) = lock.filter(|lock| lock.holds()) else {
            return Ok(());
        };
        let removed = fs::remove_dir_all(&path);
        drop(lock);
        removed.map_err(|error| refused(&path, "remove", error))
    }
}

/// A file being written, synced when it is finished.
#[derive(Debug)]
pub(crate) struct HashedFile {
    path: PathBuf,
    file: BufWriter<File>,
    record: Record,
    open: Vec<u8>,
}

impl HashedFile {
    pub(crate) fn create(path: PathBuf) -> Result<HashedFile, SolveError> {
        let file = File::create(&path).map_err(|error| refused(&path, "write", error))?;
        let file = BufWriter::new(file);
        Ok(HashedFile {
            path,
            file,
            record: Record::default(),
            open: Vec::new(),
        })
    }

    pub(crate) fn write(&mut self, mut bytes: &[u8]) -> Result<(), SolveError> {
        while !bytes.is_empty() {
            let (part, rest) = bytes.split_at(bytes.len().min(CHUNK - self.open.len()));
            self.open.extend_from_slice(part);
            bytes = rest;
            if self.open.len() == CHUNK {
                self.flush()?;
            }
        }
        Ok(())
    }

    fn flush(&mut self) -> Result<(), SolveError> {
        self.file
            .write_all(&self.open)
            .map_err(|error| refused(&self.path, "write", error))?;
        self.record.add(&mut self.open);
        Ok(())
    }

    pub(crate) fn finish(mut self) -> Result<Record, SolveError> {
        if !self.open.is_empty() {
            self.flush()?;
        }
        let synced = self
            .file
            .flush()
            .and_then(|()| self.file.get_ref().sync_all());
        synced.map_err(|error| refused(&self.path, "write", error))?;
        Ok(self.record)
    }
}

/// A file being read; its length and hash are checked at the end.
#[derive(Debug)]
pub(crate) struct HashedReader {
    path: PathBuf,
    file: BufReader<File>,
    expected: Record,
    found: Record,
    open: Vec<u8>,
    at: usize,
}

impl HashedReader {
    fn open(path: PathBuf, expected: Record) -> Result<HashedReader, SolveError> {
        let file = File::open(&path).map_err(|error| refused(&path, "read", error))?;
        let len = file
            .metadata()
            .map_err(|error| refused(&path, "read", error))?
            .len();
        if len != expected.bytes {
            let problem = format!("found {len} bytes, expected {}", expected.bytes);
            return Err(damaged(&path, &problem));
        }
        let (file, found) = (BufReader::new(file), Record::default());
        Ok(HashedReader {
            path,
            file,
            expected,
            found,
            open: Vec::new(),
            at: 0,
        })
    }

    fn take<const N: usize>(&mut self) -> Result<[u8; N], SolveError> {
        if self.at == self.open.len() {
            self.refill()?;
        }
        // Chunks hold whole numbers, since their size is a multiple of eight.
        let bytes = self
            .open
            .get(self.at..self.at + N)
            .and_then(|bytes| bytes.try_into().ok());
        self.at += N;
        bytes.ok_or_else(|| damaged(&self.path, "found fewer numbers than expected"))
    }

    /// The next single precision number.
    pub(crate) fn number(&mut self) -> Result<f32, SolveError> {
        self.take().map(f32::from_le_bytes)
    }

    fn refill(&mut self) -> Result<(), SolveError> {
        if !self.open.is_empty() {
            self.found.add(&mut self.open);
        }
        self.at = 0;
        let left = (self.expected.bytes - self.found.bytes).min(CHUNK as u64) as usize;
        self.open.resize(left, 0);
        self.file
            .read_exact(&mut self.open)
            .map_err(|error| refused(&self.path, "read", error))
    }

    /// Checks that all of the file was read and that it is what was written.
    pub(crate) fn finish(mut self) -> Result<(), SolveError> {
        if self.at < self.open.len() {
            return Err(damaged(&self.path, "found more numbers than expected"));
        }
        if !self.open.is_empty() {
            self.found.add(&mut self.open);
        }
        if self.found != self.expected {
            return Err(damaged(
                &self.path,
                "found other contents than were written",
            ));
        }
        Ok(())
    }
}

fn refused(path: &Path, doing: &'static str, source: std::io::Error) -> SolveError {
    SolveError::CheckpointIo {
        file: path.to_owned(),
        doing,
        source,
    }
}

// A file of the folder, which as a whole is of no use any more.
fn damaged(path: &Path, problem: &str) -> SolveError {
    let name = path.file_name().unwrap_or_default().display();
    SolveError::Checkpoint {
        file: path.parent().unwrap_or(path).to_owned(),
        problem: format!("is damaged: {name}: {problem}"),
    }
}
