//! Where tables are kept: on disk, in memory, or (for tests) somewhere that fails.

use std::collections::HashMap;
use std::fmt::Debug;
use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};

use crate::regular::{create_file, open_file, open_lock, reopen_file};

/// A place for files. Paths are only names to it.
pub trait Storage: Debug + Send + Sync {
    /// Creates an empty file, and the folders above it; a file of that name is replaced.
    ///
    /// # Errors
    /// Whatever the system answers; so for all functions here.
    fn create(&self, path: &Path) -> io::Result<Box<dyn StoredFile>>;

    /// Opens a file that is there for writing, and cuts it to a length in bytes.
    ///
    /// # Errors
    /// `UnexpectedEof` when it is shorter.
    fn reopen(&self, path: &Path, len: u64) -> io::Result<Box<dyn StoredFile>>;

    /// Opens a file for reading.
    ///
    /// # Errors
    /// `NotFound` when there is none.
    fn open(&self, path: &Path) -> io::Result<Box<dyn StoredFile>>;

    /// Gives a file another name, replacing the file that has it, in one step.
    ///
    /// # Errors
    /// When the file does not exist or the system refuses.
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()>;

    /// Removes a file.
    ///
    /// # Errors
    /// When the file does not exist or the system refuses.
    fn remove(&self, path: &Path) -> io::Result<()>;

    /// Makes renames in a file's folder survive a power cut.
    ///
    /// # Errors
    /// Whatever the system answers.
    fn sync_folder_of(&self, path: &Path) -> io::Result<()>;

    /// Takes the lock file `path`, and keeps it until the returned guard is dropped.
    ///
    /// # Errors
    /// `WouldBlock` when somebody else has it.
    fn lock(&self, path: &Path) -> io::Result<Box<dyn LockGuard>>;
}

/// An open file.
pub trait StoredFile: Debug + Send + Sync {
    /// Length in bytes.
    ///
    /// # Errors
    /// Whatever the system answers.
    fn size(&self) -> io::Result<u64>;

    /// Fills `buffer` from `offset` on.
    ///
    /// # Errors
    /// `UnexpectedEof` when the file ends before.
    fn read_exact_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<()>;

    /// Writes all bytes from `offset` on.
    ///
    /// # Errors
    /// Whatever the system answers.
    fn write_all_at(&self, bytes: &[u8], offset: u64) -> io::Result<()>;

    /// Makes what was written survive a power cut.
    ///
    /// # Errors
    /// Whatever the system answers.
    fn sync(&self) -> io::Result<()>;
}

/// A lock that lasts as long as this lives.
pub trait LockGuard: Debug + Send + Sync {
    /// Whether the lock file is still there: without it others do not see the lock.
    fn holds(&self) -> bool;
}

/// The file system.
#[derive(Clone, Copy, Debug, Default)]
pub struct DiskStorage;

fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    }
}

impl Storage for DiskStorage {
    fn create(&self, path: &Path) -> io::Result<Box<dyn StoredFile>> {
        fs::create_dir_all(folder_of(path))?;
        Ok(Box::new(create_file(path)?))
    }

    fn reopen(&self, path: &Path, len: u64) -> io::Result<Box<dyn StoredFile>> {
        let file = reopen_file(path)?;
        if file.metadata()?.len() < len {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        file.set_len(len)?;
        Ok(Box::new(file))
    }

    fn open(&self, path: &Path) -> io::Result<Box<dyn StoredFile>> {
        Ok(Box::new(open_file(path)?))
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        fs::rename(from, to)
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        fs::remove_file(path)
    }

    fn sync_folder_of(&self, path: &Path) -> io::Result<()> {
        // Only Unix lets a folder be opened as a file; elsewhere renames are journalled anyway.
        if cfg!(unix) {
            File::open(folder_of(path))?.sync_all()?;
        }
        Ok(())
    }

    fn lock(&self, path: &Path) -> io::Result<Box<dyn LockGuard>> {
        fs::create_dir_all(folder_of(path))?;
        loop {
            let file = open_lock(path)?;
            match file.try_lock() {
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => return Err(io::ErrorKind::WouldBlock.into()),
                Err(TryLockError::Error(error)) => return Err(error),
            }
            // The previous holder may have removed the file between our two steps: then our lock is on
            // a file without a name, and a third writer could lock a new one.
            if still_named(&file, path)? {
                return Ok(Box::new(DiskLock {
                    file,
                    path: path.to_owned(),
                }));
            }
        }
    }
}

#[cfg(unix)]
fn still_named(file: &File, path: &Path) -> io::Result<bool> {
    use std::os::unix::fs::MetadataExt;
    let ours = file.metadata()?;
    match fs::metadata(path) {
        Ok(named) => Ok((named.dev(), named.ino()) == (ours.dev(), ours.ino())),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

#[cfg(not(unix))]
fn still_named(_: &File, _: &Path) -> io::Result<bool> {
    Ok(true) // nobody can remove it there while it is open, see `open_lock`
}

#[derive(Debug)]
struct DiskLock {
    file: File,
    path: PathBuf,
}

impl LockGuard for DiskLock {
    fn holds(&self) -> bool {
        still_named(&self.file, &self.path).unwrap_or(false)
    }
}

impl Drop for DiskLock {
    fn drop(&mut self) {
        // Nothing can be done about a failure: an unlocked file left behind does no harm. A file that
        // took the place of ours is somebody else's lock. Windows removes ours by itself.
        if cfg!(unix) && self.holds() {
            let _ = fs::remove_file(&self.path);
        }
        let _ = self.file.unlock();
    }
}

impl StoredFile for File {
    fn size(&self) -> io::Result<u64> {
        Ok(self.metadata()?.len())
    }

    #[cfg(unix)]
    fn read_exact_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<()> {
        std::os::unix::fs::FileExt::read_exact_at(self, buffer, offset)
    }

    #[cfg(unix)]
    fn write_all_at(&self, bytes: &[u8], offset: u64) -> io::Result<()> {
        std::os::unix::fs::FileExt::write_all_at(self, bytes, offset)
    }

    #[cfg(windows)]
    fn read_exact_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<()> {
        let mut done = 0;
        while done < buffer.len() {
            let at = offset + done as u64;
            match std::os::windows::fs::FileExt::seek_read(self, &mut buffer[done..], at)? {
                0 => return Err(io::ErrorKind::UnexpectedEof.into()),
                more => done += more,
            }
        }
        Ok(())
    }

    #[cfg(windows)]
    fn write_all_at(&self, bytes: &[u8], offset: u64) -> io::Result<()> {
        let mut done = 0;
        while done < bytes.len() {
            let at = offset + done as u64;
            match std::os::windows::fs::FileExt::seek_write(self, &bytes[done..], at)? {
                0 => return Err(io::ErrorKind::WriteZero.into()),
                more => done += more,
            }
        }
        Ok(())
    }

    // There are no files in WebAssembly.
    #[cfg(not(any(unix, windows)))]
    fn read_exact_at(&self, _: &mut [u8], _: u64) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }

    #[cfg(not(any(unix, windows)))]
    fn write_all_at(&self, _: &[u8], _: u64) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }

    fn sync(&self) -> io::Result<()> {
        self.sync_all()
    }
}

/// A file in memory; clones share its bytes.
#[derive(Clone, Debug, Default)]
pub struct MemoryFile(Arc<RwLock<Vec<u8>>>);

impl MemoryFile {
    /// A file of these bytes.
    #[must_use]
    pub fn new(bytes: Vec<u8>) -> MemoryFile {
        MemoryFile(Arc::new(RwLock::new(bytes)))
    }

    /// A copy of the bytes.
    #[must_use]
    pub fn to_vec(&self) -> Vec<u8> {
        self.0
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }
}

impl StoredFile for MemoryFile {
    fn size(&self) -> io::Result<u64> {
        Ok(self.0.read().unwrap_or_else(PoisonError::into_inner).len() as u64)
    }

    fn read_exact_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<()> {
        let bytes = self.0.read().unwrap_or_else(PoisonError::into_inner);
        let start = usize::try_from(offset).unwrap_or(usize::MAX);
        let found = bytes
            .get(start..)
            .and_then(|rest| rest.get(..buffer.len()))
            .ok_or(io::ErrorKind::UnexpectedEof)?;
        buffer.copy_from_slice(found);
        Ok(())
    }

    fn write_all_at(&self, bytes: &[u8], offset: u64) -> io::Result<()> {
        let mut file = self.0.write().unwrap_or_else(PoisonError::into_inner);
        let start = usize::try_from(offset).map_err(|_| io::ErrorKind::FileTooLarge)?;
        let end = start
            .checked_add(bytes.len())
            .ok_or(io::ErrorKind::FileTooLarge)?;
        if file.len() < end {
            file.resize(end, 0);
        }
        file[start..end].copy_from_slice(bytes);
        Ok(())
    }

    fn sync(&self) -> io::Result<()> {
        Ok(())
    }
}

/// Files in memory; clones share them.
#[derive(Clone, Debug, Default)]
pub struct MemoryStorage {
    files: Arc<Mutex<HashMap<PathBuf, MemoryFile>>>,
}

impl MemoryStorage {
    fn files(&self) -> MutexGuard<'_, HashMap<PathBuf, MemoryFile>> {
        self.files.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Names of all files, sorted.
    #[must_use]
    pub fn paths(&self) -> Vec<PathBuf> {
        let mut paths: Vec<PathBuf> = self.files().keys().cloned().collect();
        paths.sort();
        paths
    }

    /// A copy of a file's bytes.
    #[must_use]
    pub fn read(&self, path: &Path) -> Option<Vec<u8>> {
        self.files().get(path).map(MemoryFile::to_vec)
    }
}

impl Storage for MemoryStorage {
    fn create(&self, path: &Path) -> io::Result<Box<dyn StoredFile>> {
        let file = MemoryFile::default();
        self.files().insert(path.to_owned(), file.clone());
        Ok(Box::new(file))
    }

    fn reopen(&self, path: &Path, len: u64) -> io::Result<Box<dyn StoredFile>> {
        let file = self.files().get(path).cloned();
        let file = file.ok_or(io::ErrorKind::NotFound)?;
        {
            let mut bytes = file.0.write().unwrap_or_else(PoisonError::into_inner);
            if (bytes.len() as u64) < len {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            bytes.truncate(len as usize);
        }
        Ok(Box::new(file))
    }

    fn open(&self, path: &Path) -> io::Result<Box<dyn StoredFile>> {
        let file = self.files().get(path).cloned();
        Ok(Box::new(file.ok_or(io::ErrorKind::NotFound)?))
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        let mut files = self.files();
        let file = files.remove(from).ok_or(io::ErrorKind::NotFound)?;
        files.insert(to.to_owned(), file);
        Ok(())
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        self.files().remove(path).ok_or(io::ErrorKind::NotFound)?;
        Ok(())
    }

    fn sync_folder_of(&self, _: &Path) -> io::Result<()> {
        Ok(())
    }

    fn lock(&self, path: &Path) -> io::Result<Box<dyn LockGuard>> {
        let mut files = self.files();
        if files.contains_key(path) {
            return Err(io::ErrorKind::WouldBlock.into());
        }
        files.insert(path.to_owned(), MemoryFile::default());
        Ok(Box::new(MemoryLock {
            storage: self.clone(),
            path: path.to_owned(),
        }))
    }
}

#[derive(Debug)]
struct MemoryLock {
    storage: MemoryStorage,
    path: PathBuf,
}

impl LockGuard for MemoryLock {
    fn holds(&self) -> bool {
        self.storage.files().contains_key(&self.path)
    }
}

impl Drop for MemoryLock {
    fn drop(&mut self) {
        self.storage.files().remove(&self.path);
    }
}

/// Another storage whose n-th write or read fails, once, or that is full from some write on; for
/// tests. Creating, writing, syncing and
/// renaming count as writes, opening, measuring and reading as reads. Removing never fails.
#[derive(Clone, Debug)]
pub struct FaultyStorage<S> {
    inner: S,
    plan: Arc<FaultPlan>,
}

#[derive(Debug)]
struct FaultPlan {
    write: Countdown,
    read: Countdown,
}

#[derive(Debug)]
struct Countdown {
    done: AtomicU64,
    fails_at: u64,
    // With this from then on; without it once.
    kind: Option<io::ErrorKind>,
}

impl Countdown {
    fn new(fails_at: u64, kind: Option<io::ErrorKind>) -> Countdown {
        Countdown {
            done: AtomicU64::new(0),
            fails_at,
            kind,
        }
    }

    fn step(&self, what: &str) -> io::Result<()> {
        let number = self.done.fetch_add(1, Ordering::Relaxed);
        match self.kind {
            Some(kind) if number >= self.fails_at => Err(kind.into()),
            None if number == self.fails_at => {
                Err(io::Error::other(format!("{what} {number} fails")))
            }
            _ => Ok(()),
        }
    }
}

impl<S: Storage> FaultyStorage<S> {
    /// Fails at write number `write` and read number `read`, both counted from 0 (`u64::MAX`: never).
    #[must_use]
    pub fn new(inner: S, write: u64, read: u64) -> FaultyStorage<S> {
        FaultyStorage {
            inner,
            plan: Arc::new(FaultPlan {
                write: Countdown::new(write, None),
                read: Countdown::new(read, None),
            }),
        }
    }

    /// Has no room from write number `write` on, counted from 0.
    #[must_use]
    pub fn full(inner: S, write: u64) -> FaultyStorage<S> {
        FaultyStorage {
            inner,
            plan: Arc::new(FaultPlan {
                write: Countdown::new(write, Some(io::ErrorKind::StorageFull)),
                read: Countdown::new(u64::MAX, None),
            }),
        }
    }

    /// Number of writes and reads tried so far.
    #[must_use]
    pub fn counts(&self) -> (u64, u64) {
        let count = |part: &Countdown| part.done.load(Ordering::Relaxed);
        (count(&self.plan.write), count(&self.plan.read))
    }

    fn wrap(&self, file: Box<dyn StoredFile>) -> Box<dyn StoredFile> {
        Box::new(FaultyFile {
            inner: file,
            plan: Arc::clone(&self.plan),
        })
    }
}

impl<S: Storage> Storage for FaultyStorage<S> {
    fn create(&self, path: &Path) -> io::Result<Box<dyn StoredFile>> {
        self.plan.write.step("write")?;
        Ok(self.wrap(self.inner.create(path)?))
    }

    fn reopen(&self, path: &Path, len: u64) -> io::Result<Box<dyn StoredFile>> {
        self.plan.write.step("write")?;
        Ok(self.wrap(self.inner.reopen(path, len)?))
    }

    fn open(&self, path: &Path) -> io::Result<Box<dyn StoredFile>> {
        self.plan.read.step("read")?;
        Ok(self.wrap(self.inner.open(path)?))
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.plan.write.step("write")?;
        self.inner.rename(from, to)
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        self.inner.remove(path)
    }

    fn sync_folder_of(&self, path: &Path) -> io::Result<()> {
        self.plan.write.step("write")?;
        self.inner.sync_folder_of(path)
    }

    fn lock(&self, path: &Path) -> io::Result<Box<dyn LockGuard>> {
        self.inner.lock(path)
    }
}

#[derive(Debug)]
struct FaultyFile {
    inner: Box<dyn StoredFile>,
    plan: Arc<FaultPlan>,
}

impl StoredFile for FaultyFile {
    fn size(&self) -> io::Result<u64> {
        self.plan.read.step("read")?;
        self.inner.size()
    }

    fn read_exact_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<()> {
        self.plan.read.step("read")?;
        self.inner.read_exact_at(buffer, offset)
    }

    fn write_all_at(&self, bytes: &[u8], offset: u64) -> io::Result<()> {
        self.plan.write.step("write")?;
        self.inner.write_all_at(bytes, offset)
    }

    fn sync(&self) -> io::Result<()> {
        self.plan.write.step("write")?;
        self.inner.sync()
    }
}

impl Storage for Arc<dyn Storage> {
    fn create(&self, path: &Path) -> io::Result<Box<dyn StoredFile>> {
        (**self).create(path)
    }

    fn reopen(&self, path: &Path, len: u64) -> io::Result<Box<dyn StoredFile>> {
        (**self).reopen(path, len)
    }

    fn open(&self, path: &Path) -> io::Result<Box<dyn StoredFile>> {
        (**self).open(path)
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        (**self).rename(from, to)
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        (**self).remove(path)
    }

    fn sync_folder_of(&self, path: &Path) -> io::Result<()> {
        (**self).sync_folder_of(path)
    }

    fn lock(&self, path: &Path) -> io::Result<Box<dyn LockGuard>> {
        (**self).lock(path)
    }
}
