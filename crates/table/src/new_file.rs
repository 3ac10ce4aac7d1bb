//! The file of a table that is being written: beside, then synced and renamed.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

use crate::error::TableError;
use crate::header::{PREAMBLE_LEN, Preamble};
use crate::storage::{DiskStorage, LockGuard, Storage, StoredFile};

/// Bytes gathered before they are written.
const BUFFER_LEN: usize = 1 << 20;

/// The file. Dropped unfinished it goes again, unless it is [kept](NewFile::keep).
#[derive(Debug)]
pub(crate) struct NewFile {
    path: PathBuf,
    buffer: Vec<u8>,
    /// Bytes already in the file.
    written: u64,
    file: Option<Box<dyn StoredFile>>,
    // Dropped in this order: the temporary file goes before the lock.
    part: PartFile,
    _lock: Box<dyn LockGuard>,
}

/// Removes the temporary file unless it has been renamed.
#[derive(Debug)]
struct PartFile {
    storage: Box<dyn Storage>,
    path: PathBuf,
    there: bool,
}

impl Drop for PartFile {
    fn drop(&mut self) {
        if self.there {
            // A failure leaves a file that the next writer overwrites.
            let _ = self.storage.remove(&self.path);
        }
    }
}

/// Removes what a killed writer of a table left beside it; leaves everything alone where a writer is
/// at work.
pub fn discard_unfinished(path: &Path) {
    let (Ok(part), Ok(lock)) = (beside(path, ".part"), beside(path, ".lock")) else {
        return;
    };
    let there = |path: &Path| std::fs::symlink_metadata(path).is_ok();
    if (there(&part) || there(&lock))
        && let Ok(_lock) = DiskStorage.lock(&lock)
    {
        // If the file cannot be removed, the next writer replaces it.
        let _ = DiskStorage.remove(&part);
    }
}

fn beside(path: &Path, ending: &str) -> Result<PathBuf, TableError> {
    let mut name: OsString = path.file_name().ok_or(TableError::NoFileName)?.to_owned();
    name.push(ending);
    Ok(path.with_file_name(name))
}

impl NewFile {
    /// Starts a file, or where it is known how many bytes another writer left goes on after them.
    pub(crate) fn create(
        storage: impl Storage + 'static,
        path: &Path,
        left: Option<u64>,
    ) -> Result<NewFile, TableError> {
        let in_file = |error: TableError| error.in_file(path, None);
        let part_path = beside(path, ".part").map_err(in_file)?;
        let lock_path = beside(path, ".lock").map_err(in_file)?;
        let lock = storage.lock(&lock_path).map_err(|error| {
            in_file(if error.kind() == io::ErrorKind::WouldBlock {
                TableError::Locked { lock: lock_path }
            } else {
                TableError::io("take the lock file beside it")(error)
            })
        })?;
        // A path that cannot take the finished table is refused now, before the work starts.
        if let Err(error) = storage.open(path)
            && matches!(
                error.kind(),
                io::ErrorKind::IsADirectory | io::ErrorKind::InvalidInput
            )
        {
            return Err(in_file(TableError::io("replace")(error)));
        }
        let file = match left {
            Some(bytes) => storage.reopen(&part_path, bytes).map_err(|error| {
                in_file(TableError::io("go on with the temporary file beside it")(
                    error,
                ))
            })?,
            None => storage.create(&part_path).map_err(|error| {
                in_file(TableError::io("create the temporary file beside it")(error))
            })?,
        };
        Ok(NewFile {
            path: path.to_owned(),
            // Where the preamble will be: zeros until everything else is there.
            buffer: vec![0; if left.is_some() { 0 } else { PREAMBLE_LEN }],
            written: left.unwrap_or(0),
            file: Some(file),
            part: PartFile {
                storage: Box::new(storage),
                path: part_path,
                there: true,
            },
            _lock: lock,
        })
    }

    /// Length of the file so far, in bytes.
    fn len(&self) -> u64 {
        self.written + self.buffer.len() as u64
    }

    /// Appends bytes.
    pub(crate) fn put(&mut self, bytes: &[u8]) -> Result<(), TableError> {
        self.buffer.extend_from_slice(bytes);
        if self.buffer.len() >= BUFFER_LEN {
            self.flush()?;
        }
        Ok(())
    }

    fn flush(&mut self) -> Result<(), TableError> {
        if let Some(file) = &self.file {
            file.write_all_at(&self.buffer, self.written)
                .map_err(|error| self.in_file(TableError::io("write")(error)))?;
        }
        self.written += self.buffer.len() as u64;
        self.buffer.clear();
        Ok(())
    }

    /// Makes what was put survive a power cut; gives the length of the file.
    pub(crate) fn sync(&mut self) -> Result<u64, TableError> {
        self.flush()?;
        if let Some(file) = &self.file {
            file.sync()
                .map_err(|error| self.in_file(TableError::io("write")(error)))?;
        }
        Ok(self.written)
    }

    /// Leaves the unfinished file to another writer.
    pub(crate) fn keep(mut self) {
        self.part.there = false;
    }

    /// Writes directory, metadata and preamble, syncs, and gives the file its name and its length.
    pub(crate) fn finish(
        mut self,
        version: u32,
        directory: &[u8],
        metadata: &[u8],
    ) -> Result<u64, TableError> {
        let directory_at = self.len();
        let metadata_at = directory_at + directory.len() as u64;
        let preamble = Preamble {
            version,
            file_len: metadata_at + metadata.len() as u64,
            directory_at,
            directory_len: directory.len() as u64,
            metadata_at,
            metadata_len: metadata.len() as u64,
            directory_crc: crc32fast::hash(directory),
            metadata_crc: crc32fast::hash(metadata),
        };
        self.put(directory)?;
        self.put(metadata)?;
        self.flush()?;
        if let Some(file) = self.file.take() {
            file.sync()
                .and_then(|()| file.write_all_at(&preamble.encode(), 0))
                .and_then(|()| file.sync())
                .map_err(|error| self.in_file(TableError::io("write")(error)))?;
        } // closed here: some systems do not rename open files
        self.part
            .storage
            .rename(&self.part.path, &self.path)
            .map_err(|error| {
                self.in_file(TableError::io("give the temporary file its name")(error))
            })?;
        self.part.there = false;
        self.part
            .storage
            .sync_folder_of(&self.path)
            .map_err(|error| self.in_file(TableError::io("sync the folder")(error)))?;
        Ok(preamble.file_len)
    }

    /// An error of this file.
    pub(crate) fn in_file(&self, error: TableError) -> TableError {
        error.in_file(&self.path, None)
    }
}
