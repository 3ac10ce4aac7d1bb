//! Checkpoints of all engines: what has been worked out so far, in a folder, so that the same command
//! continues where a solve was stopped, however it was.
//!
//! ```text
//! METRIC.checkpoint.lock    held by the solve that is at work
//! METRIC.checkpoint/
//!   state                   text: whose checkpoint it is, numbers, length and hash of every part, a
//!                           seal of all this, and a hash of the text itself
//!   NAME, NAME-NNN          parts, as the engine likes
//! ```
//!
//! There is one moment at which a checkpoint comes into being, when `state` takes its name, after
//! everything that it lists is on disk, and one at which it ends, when `state` is removed. A part
//! that no state lists is left over from a solve that was killed, and the next one removes it. So
//! does whoever finds a folder without a state.
//!
//! A checkpoint is valid whenever it was written, so no engine needs to report its progress when it
//! is killed.

mod part;
mod timer;

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use greenwave_table::{
    DiskStorage, Hash32, LockGuard, Storage, TableError, create_file, open_file,
};

pub use part::{PartDigest, PartReader, PartWriter};
use timer::Timer;

use greenwave_values::Progress;

use crate::SolveError;

const MAGIC: &str = "greenwave checkpoint 2";

/// Longest state in bytes; those of large boards have some kilobytes.
const MOST_STATE: u64 = 1 << 24;

/// Time between checkpoints, unless the solve is interrupted.
pub const EVERY: Duration = Duration::from_secs(30);

/// What a checkpoint says besides its parts: numbers by name.
pub type Numbers = BTreeMap<String, Vec<u64>>;

/// The checkpoint of a solve, which keeps other solves of the same away from the start.
#[derive(Debug)]
pub struct Checkpoint {
    path: PathBuf,
    // Whose it is: engine, metric, rules and whatever else has to be the same.
    owner: String,
    // Parts that all later states list.
    lasting: BTreeMap<String, PartDigest>,
    // Parts of the last state.
    listed: BTreeMap<String, PartDigest>,
    // A part for a later state than the next one.
    beside: Option<String>,
    has_state: bool,
    lock: Option<Box<dyn LockGuard>>,
    timer: Timer,
}

impl Checkpoint {
    /// Takes the lock of a checkpoint, and removes what a killed solve left without a state.
    ///
    /// `owner` is one line. A folder that cannot be made is an error at once where the solve needs it
    /// (for a table), else when there is something to be kept.
    ///
    /// # Errors
    /// When another solve is at work there; where `needed`, when the folder cannot be made.
    pub fn open(
        path: &Path,
        owner: String,
        needed: bool,
        every: Duration,
    ) -> Result<Checkpoint, SolveError> {
        let mut checkpoint = Checkpoint {
            path: path.to_owned(),
            owner,
            lasting: BTreeMap::new(),
            listed: BTreeMap::new(),
            beside: None,
            has_state: false,
            lock: None,
            timer: Timer::new(every),
        };
        match checkpoint.take_lock() {
            Err(SolveError::CheckpointIo { .. }) if !needed => {}
            taken => taken?,
        }
        Ok(checkpoint)
    }

    /// The numbers of the state that is there; `None` where there is none. Removes what is not of it.
    ///
    /// # Errors
    /// When the state is damaged, of another solve, or lists a part that is not there as it was
    /// written. Then everything stays as it is.
    pub fn resume(&mut self, progress: &dyn Progress) -> Result<Option<Numbers>, SolveError> {
        let Some(text) = self.read_state()? else {
            self.remove_parts();
            return Ok(None);
        };
        let damaged = |problem: &str| damaged(&self.path.join("state"), problem);
        let Some((body, sum)) = text.rsplit_once("sum ") else {
            return Err(if text.starts_with(MAGIC) {
                damaged("found text that is no state of a solve")
            } else {
                self.foreign()
            });
        };
        if !body.starts_with(MAGIC) {
            return Err(self.foreign());
        }
        if sum != format!("{}\n", Hash32::of(body.as_bytes())) {
            return Err(damaged("found a wrong checksum"));
        }
        let mut lines = body.lines();
        if lines.next() != Some(MAGIC) || lines.next() != Some(&self.owner_line()) {
            return Err(self.foreign());
        }
        let sealed = body.rsplit_once("seal ");
        let sealed = sealed.filter(|(text, seal)| *seal == format!("{}\n", seal_of(text)));
        let Some((sealed, _)) = sealed else {
            return Err(damaged(
                "found no seal of these numbers; somebody changed them, or an earlier version of \
                 the program wrote them",
            ));
        };
        let Some((numbers, parts)) = parse(sealed.lines().skip(2)) else {
            return Err(damaged("found text that is no state of a solve"));
        };
        for (name, record) in &parts {
            let path = self.path.join(name);
            let found = fs::symlink_metadata(&path).map_err(|error| {
                if error.kind() == io::ErrorKind::NotFound {
                    self::damaged(&path, "is not there")
                } else {
                    part::refused(&path, "read", error)
                }
            })?;
            part::expect_length(&path, found.len(), *record)?;
        }
        self.listed = parts;
        self.has_state = true;
        self.remove_parts();
        progress.resumes(&self.path.display().to_string());
        Ok(Some(numbers))
    }

    /// Its folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whether the state that is there lists a part.
    pub fn lists(&self, name: &str) -> bool {
        self.has_state && self.listed.contains_key(name)
    }

    /// Begins a part; one of that name is replaced, unless it is listed.
    pub fn write(&mut self, name: &str) -> Result<PartWriter, SolveError> {
        self.timer.begins();
        self.ready()?;
        debug_assert!(!self.listed.contains_key(name), "{name} is in use");
        PartWriter::create(self.path.join(name))
    }

    /// The same for a part that stays there, unlisted, until the next one of these begins, whichever
    /// states come meanwhile.
    pub fn write_beside(&mut self, name: &str) -> Result<PartWriter, SolveError> {
        let part = self.write(name)?;
        self.beside = Some(name.into());
        Ok(part)
    }

    /// Opens a part that a state lists, or that lasts.
    pub fn read(&self, name: &str) -> Result<PartReader, SolveError> {
        let record = self.lasting.get(name).or_else(|| self.listed.get(name));
        let record = record
            .ok_or_else(|| damaged(&self.path.join("state"), &format!("lists no part '{name}'")))?;
        PartReader::open(self.path.join(name), *record)
    }

    /// Makes the folder, so that others who work on the same solve can write parts into it, and says
    /// which one it is.
    pub fn folder(&mut self) -> Result<&Path, SolveError> {
        self.timer.begins();
        self.ready()?;
        Ok(&self.path)
    }

    /// The parts of the state that is there.
    pub fn parts(&self) -> &BTreeMap<String, PartDigest> {
        &self.listed
    }

    /// Lists a part in all later states.
    pub fn keep(&mut self, name: &str, record: PartDigest) {
        self.lasting.insert(name.into(), record);
    }

    /// Lists a part of the state that is there in all later ones as well; `false` where there is no
    /// such part.
    #[must_use]
    pub fn keep_listed(&mut self, name: &str) -> bool {
        let record = self.listed.get(name).copied();
        record.is_some_and(|record| {
            self.keep(name, record);
            true
        })
    }

    /// Makes a state of some numbers, the parts that last and some of this moment; then everything else
    /// goes.
    ///
    /// # Errors
    /// When it cannot be written. An earlier state is untouched, and of the parts that were for this
    /// one nothing stays.
    pub fn commit(
        &mut self,
        numbers: &[(&str, &[u64])],
        parts: &[(String, PartDigest)],
    ) -> Result<(), SolveError> {
        self.timer.begins();
        let new = self.path.join("state.new");
        let state = self.path.join("state");
        let written = self.ready().and_then(|()| {
            self.write_state(&new, numbers, parts)
                .map_err(|error| self.io("write", error))
        });
        if let Err(error) = written {
            self.remove_parts();
            return Err(error);
        }
        // From here on it is the state, if perhaps not after a power cut: then the parts of the one
        // before are still wanted.
        self.listed.extend(self.lasting.clone());
        self.listed.extend(parts.iter().cloned());
        self.has_state = true;
        DiskStorage
            .sync_folder_of(&state)
            .and_then(|()| DiskStorage.sync_folder_of(&self.path))
            .map_err(|error| self.io("write", error))?;
        let now = |name: &String| parts.iter().any(|(part, _)| part == name);
        let lasting = &self.lasting;
        self.listed
            .retain(|name, _| now(name) || lasting.contains_key(name));
        self.remove_parts();
        Ok(())
    }

    fn write_state(
        &self,
        new: &Path,
        numbers: &[(&str, &[u64])],
        parts: &[(String, PartDigest)],
    ) -> io::Result<()> {
        let mut text = format!("{MAGIC}\n{}\n", self.owner_line());
        for (name, numbers) in numbers {
            let numbers: Vec<String> = numbers.iter().map(u64::to_string).collect();
            text.push_str(&format!("{name} {}\n", numbers.join(" ")));
        }
        let lasting = self.lasting.iter().map(|(name, record)| (name, *record));
        let now = parts.iter().map(|(name, record)| (name, *record));
        for (name, PartDigest { bytes, hash }) in lasting.chain(now) {
            text.push_str(&format!("part {name} {bytes} {hash}\n"));
        }
        text.push_str(&format!("seal {}\n", seal_of(&text)));
        let sum = Hash32::of(text.as_bytes());
        text.push_str(&format!("sum {sum}\n"));
        // The names of the parts first.
        DiskStorage.sync_folder_of(new)?;
        let mut file = create_file(new)?;
        file.write_all(text.as_bytes())?;
        file.sync_all()?;
        fs::rename(new, self.path.join("state"))
    }

    /// Whether it is time for a checkpoint.
    pub fn due(&self) -> bool {
        self.due_for(0)
    }

    /// Whether it is time for a checkpoint of this many bytes.
    pub fn due_for(&self, bytes: u64) -> bool {
        self.timer.due(bytes)
    }

    /// Takes note of a checkpoint that was due: one that could not be written becomes a warning, and
    /// the solve goes on.
    pub fn tried(&mut self, written: Result<(), SolveError>, progress: &dyn Progress) {
        let there_is_one = self.has_state && self.path.join("state").exists();
        self.timer.tried(written, there_is_one, progress);
    }

    /// Whether a finished solve is worth keeping until its table is written: one that took long, or
    /// resumed from a checkpoint.
    pub fn is_worth_keeping(&self) -> bool {
        self.timer.is_long() || self.has_state
    }

    /// What follows a step of a solve: a checkpoint, where the step was interrupted or where one is due.
    /// `save` makes it, and is told whether the step is complete.
    ///
    /// # Errors
    /// That of the step, or why an interrupted one left no checkpoint.
    pub fn after_step<T>(
        &mut self,
        step: Result<T, SolveError>,
        progress: &dyn Progress,
        save: impl FnOnce(&mut Checkpoint, bool) -> Result<(), SolveError>,
    ) -> Result<T, SolveError> {
        match &step {
            Err(SolveError::Interrupted) => save(self, false)?,
            Ok(_) if self.due() => {
                let written = save(self, true);
                self.tried(written, progress);
            }
            Ok(_) | Err(_) => {}
        }
        step
    }

    /// Makes the checkpoint of a finished solve that is worth keeping until its table is written. Without
    /// room for this there may be room for that.
    pub fn keep_finished(&mut self, save: impl FnOnce(&mut Checkpoint) -> Result<(), SolveError>) {
        if self.is_worth_keeping() {
            let _ = save(self);
        }
    }

    /// The error of a solve that ends with one: where it was interrupted and there is a checkpoint,
    /// it can go on.
    pub fn ended(&self, error: SolveError) -> SolveError {
        if self.has_state && matches!(error, SolveError::Interrupted) {
            return SolveError::Paused {
                file: self.path.clone(),
            };
        }
        error
    }

    /// The error of a checkpoint that this solve cannot continue from.
    pub fn refuse(&self, problem: &str) -> SolveError {
        SolveError::Checkpoint {
            file: self.path.clone(),
            problem: problem.into(),
        }
    }

    /// Removes the checkpoint of a solve that is done. A part that cannot be removed does no harm:
    /// the next solve continues from it and ends with the same values.
    pub fn finish(mut self) {
        if self.holds() {
            remove(&self.path);
        }
        self.has_state = false;
    }

    // Whether nobody else can be at work in the folder.
    fn holds(&self) -> bool {
        self.lock.as_ref().is_some_and(|lock| lock.holds())
    }

    fn owner_line(&self) -> String {
        format!("of {}", self.owner)
    }

    fn foreign(&self) -> SolveError {
        self.refuse("is of other rules, or of another version of the program")
    }

    fn io(&self, doing: &'static str, source: io::Error) -> SolveError {
        part::refused(&self.path, doing, source)
    }

    // The text of the state; none where there is neither a folder nor a state.
    fn read_state(&self) -> Result<Option<String>, SolveError> {
        let found = match fs::symlink_metadata(&self.path) {
            Ok(found) => found,
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
        if !found.is_dir() {
            return Err(self.refuse("is no folder, or of another version of the program"));
        }
        if self.lock.is_none() {
            return Err(self.refuse("cannot be locked"));
        }
        let file = match open_file(&self.path.join("state")) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(self.io("read", error)),
        };
        let mut text = String::new();
        match file.take(MOST_STATE).read_to_string(&mut text) {
            Ok(_) => Ok(Some(text)),
            Err(error) if error.kind() == io::ErrorKind::InvalidData => Err(damaged(
                &self.path.join("state"),
                "found text that is no state of a solve",
            )),
            Err(error) => Err(self.io("read", error)),
        }
    }

    // Takes the lock, unless it is held. A lock disappears with its folder, and both are made anew.
    fn take_lock(&mut self) -> Result<(), SolveError> {
        self.lock.take_if(|lock| !lock.holds());
        if self.lock.is_none() {
            let lock = lock_of(&self.path);
            let taken = DiskStorage.lock(&lock);
            self.lock = Some(taken.map_err(|error| {
                if error.kind() == io::ErrorKind::WouldBlock {
                    SolveError::Table(TableError::Locked { lock })
                } else {
                    self.io("lock", error)
                }
            })?);
        }
        Ok(())
    }

    // The lock and the folder, made anew as long as nothing of the solve was in it.
    fn ready(&mut self) -> Result<(), SolveError> {
        if !self.lasting.is_empty() && !self.holds() {
            return Err(self.io("find", io::ErrorKind::NotFound.into()));
        }
        self.take_lock()?;
        match fs::symlink_metadata(&self.path) {
            Ok(found) if found.is_dir() => Ok(()),
            Ok(_) => Err(self.refuse("is no folder, or of another version of the program")),
            Err(_) if !self.lasting.is_empty() => {
                Err(self.io("find", io::ErrorKind::NotFound.into()))
            }
            Err(_) => {
                self.listed.clear();
                self.has_state = false;
                fs::create_dir(&self.path).map_err(|error| self.io("write", error))
            }
        }
    }

    // Removes the files that neither last nor are listed. A part that cannot be removed takes room
    // and does no other harm.
    fn remove_parts(&self) {
        if !self.holds() {
            return;
        }
        for (name, path) in files(&self.path) {
            let stays = self.lasting.contains_key(&name)
                || self.beside.as_ref() == Some(&name)
                || self.has_state && (name == "state" || self.listed.contains_key(&name));
            if !stays {
                let _ = fs::remove_file(path);
            }
        }
        if !self.has_state && self.lasting.is_empty() {
            let _ = fs::remove_dir(&self.path);
        }
    }
}

impl Drop for Checkpoint {
    fn drop(&mut self) {
        self.beside = None;
        // Without a state nobody can continue from it.
        if !self.has_state && !self.path.join("state").exists() {
            self.lasting.clear();
            self.remove_parts();
        }
    }
}

/// Begins a part in the folder of a checkpoint that another process holds, and will list it in.
pub fn write_part(folder: &Path, name: &str) -> Result<PartWriter, SolveError> {
    PartWriter::create(folder.join(name))
}

/// Opens a part in the folder of a checkpoint that another process holds.
pub fn read_part(folder: &Path, name: &str, record: PartDigest) -> Result<PartReader, SolveError> {
    PartReader::open(folder.join(name), record)
}

/// Removes what a killed solve left of its checkpoint and its lock, where the table that it was for is
/// there; leaves them alone where another solve is at work.
pub fn discard_checkpoint(path: &Path) {
    let lock = lock_of(path);
    if fs::symlink_metadata(path).is_err() && fs::symlink_metadata(&lock).is_err() {
        return;
    }
    if let Ok(_lock) = DiskStorage.lock(&lock) {
        remove(path);
    }
}

fn lock_of(path: &Path) -> PathBuf {
    let mut lock = path.as_os_str().to_owned();
    lock.push(".lock");
    lock.into()
}

// The state first: from then on there is no checkpoint.
fn remove(path: &Path) {
    if fs::symlink_metadata(path).is_ok_and(|found| !found.is_dir()) {
        return;
    }
    let state = path.join("state");
    let _ = fs::remove_file(&state);
    let _ = DiskStorage.sync_folder_of(&state);
    files(path).for_each(|(_, path)| drop(fs::remove_file(path)));
    let _ = fs::remove_dir(path);
}

// Names and paths of the files in a folder that is not a link; folders are none of ours.
fn files(path: &Path) -> impl Iterator<Item = (String, PathBuf)> {
    let ours = fs::symlink_metadata(path).is_ok_and(|found| found.is_dir());
    let entries = ours.then(|| fs::read_dir(path).ok()).flatten();
    entries.into_iter().flatten().flatten().filter_map(|entry| {
        let file = entry.file_type().is_ok_and(|found| !found.is_dir());
        let name = entry.file_name().into_string().ok()?;
        file.then(|| (name, entry.path()))
    })
}

// A hash of what a state says that is not the hash of its text: who changes a line and renews the checksum
// has not renewed this one.
fn seal_of(text: &str) -> Hash32 {
    Hash32::of(format!("sealed {text}").as_bytes())
}

type CheckpointText = (Numbers, BTreeMap<String, PartDigest>);

// Numbers and parts, each once.
fn parse<'a>(lines: impl Iterator<Item = &'a str>) -> Option<CheckpointText> {
    let (mut numbers, mut parts) = (Numbers::new(), BTreeMap::new());
    for line in lines {
        let (name, rest) = line.split_once(' ').unwrap_or((line, ""));
        let words: Vec<&str> = rest.split_whitespace().collect();
        let first = if let ("part", [name, bytes, hash]) = (name, &words[..]) {
            let plain = |letter: char| letter.is_ascii_alphanumeric() || letter == '-';
            if !name.chars().all(plain) || *name == "state" {
                return None;
            }
            let record = PartDigest {
                bytes: bytes.parse().ok()?,
                hash: hash.parse().ok()?,
            };
            parts.insert((*name).to_string(), record).is_none()
        } else {
            let words = words.iter().map(|word| word.parse().ok());
            let words = words.collect::<Option<_>>()?;
            numbers.insert(name.into(), words).is_none()
        };
        if !first {
            return None;
        }
    }
    Some((numbers, parts))
}

/// A file of the folder, which as a whole is of no use any more.
pub fn damaged(path: &Path, problem: &str) -> SolveError {
    let name = path.file_name().unwrap_or_default().display();
    SolveError::Checkpoint {
        file: path.parent().unwrap_or(path).to_owned(),
        problem: format!("is damaged: {name}: {problem}"),
    }
}

#[cfg(test)]
mod tests;
