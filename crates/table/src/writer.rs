//! Writing a table: beside, then synced and renamed.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

use crate::directory::DirectoryBuilder;
use crate::error::TableError;
use crate::frame::EncodedFrame;
use crate::hash::{Hash32, SignatureBuilder};
use crate::header::{PREAMBLE_LEN, Preamble};
use crate::layout::Layout;
use crate::meta::Meta;
use crate::storage::{DiskStorage, LockGuard, Storage, StoredFile};

/// Bytes gathered before they are written.
const BUFFER_LEN: usize = 1 << 20;

/// What became of a table that was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Finished {
    /// Signature over all values.
    pub signature: Hash32,
    /// Length of the file in bytes.
    pub bytes: u64,
}

/// A table being written.
///
/// The bytes go to `<name>.part` beside the table, which takes the table's name only when all of it is
/// on disk; a table that was there before stays readable until then. Dropping the writer unfinished
/// removes the temporary file. Another writer of the same table is kept out by `<name>.lock`.
#[derive(Debug)]
pub struct TableWriter {
    path: PathBuf,
    layout: Layout,
    rules_hash: Hash32,
    directory: DirectoryBuilder,
    signature: SignatureBuilder,
    packed: u64,
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
        // What cannot be removed is replaced by the next writer.
        let _ = DiskStorage.remove(&part);
    }
}

fn beside(path: &Path, ending: &str) -> Result<PathBuf, TableError> {
    let mut name: OsString = path.file_name().ok_or(TableError::NoFileName)?.to_owned();
    name.push(ending);
    Ok(path.with_file_name(name))
}

impl TableWriter {
    /// Starts a table on disk; missing folders are made.
    ///
    /// # Errors
    /// [`TableError::Locked`] when another writer is at the same table; [`TableError::BadLayout`];
    /// [`TableError::Io`] when the folder cannot be written.
    pub fn create(
        path: impl AsRef<Path>,
        layout: Layout,
        rules_hash: Hash32,
    ) -> Result<TableWriter, TableError> {
        TableWriter::create_in(DiskStorage, path, layout, rules_hash)
    }

    /// Starts a table in some storage.
    ///
    /// # Errors
    /// As [`TableWriter::create`].
    pub fn create_in(
        storage: impl Storage + 'static,
        path: impl AsRef<Path>,
        layout: Layout,
        rules_hash: Hash32,
    ) -> Result<TableWriter, TableError> {
        let path = path.as_ref();
        let in_file = |error: TableError| error.in_file(path, None);
        layout.check().map_err(in_file)?;
        let part_path = beside(path, ".part").map_err(in_file)?;
        let lock_path = beside(path, ".lock").map_err(in_file)?;
        let lock = storage.lock(&lock_path).map_err(|error| {
            in_file(if error.kind() == io::ErrorKind::WouldBlock {
                TableError::Locked { lock: lock_path }
            } else {
                TableError::io("take the lock file beside it")(error)
            })
        })?;
        // What could not take the table's name in the end is refused before there is one.
        if let Err(error) = storage.open(path)
            && matches!(
                error.kind(),
                io::ErrorKind::IsADirectory | io::ErrorKind::InvalidInput
            )
        {
            return Err(in_file(TableError::io("replace")(error)));
        }
        let file = storage.create(&part_path).map_err(|error| {
            in_file(TableError::io("create the temporary file beside it")(error))
        })?;
        let signature = SignatureBuilder::new(&layout, &rules_hash);
        Ok(TableWriter {
            path: path.to_owned(),
            layout,
            rules_hash,
            directory: DirectoryBuilder::default(),
            signature,
            packed: 0,
            // Where the preamble will be: zeros until everything else is there.
            buffer: vec![0; PREAMBLE_LEN],
            written: 0,
            file: Some(file),
            part: PartFile {
                storage: Box::new(storage),
                path: part_path,
                there: true,
            },
            _lock: lock,
        })
    }

    /// The layout of the table.
    #[must_use]
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// Number of the frame that comes next.
    #[must_use]
    pub fn next_frame(&self) -> u64 {
        self.directory.frames()
    }

    /// Appends the next frame; every frame must come, in order.
    ///
    /// # Errors
    /// [`TableError::FrameOrder`] for any other frame; [`TableError::Io`].
    pub fn append(&mut self, frame: EncodedFrame) -> Result<(), TableError> {
        let next = self.directory.frames();
        if frame.frame_no != next || next >= self.layout.frames() {
            return Err(self.out_of_order(frame.frame_no));
        }
        self.directory.push(&frame);
        self.packed += u64::from(frame.packed);
        for (leaf_no, hash) in &frame.hashes {
            self.signature.push(*leaf_no, hash);
        }
        self.put(&frame.bytes)
    }

    /// Writes directory, metadata and preamble, syncs, and gives the file its name. Of `meta` those
    /// fields are filled in here that layout, rules hash and frames determine.
    ///
    /// # Errors
    /// [`TableError::FrameOrder`] when frames are missing; [`TableError::MetadataTooLong`];
    /// [`TableError::Io`]. Then no file has appeared, and one that was there before is untouched
    /// (only if syncing the folder fails is the new file in place, though not yet safe from a power
    /// cut).
    pub fn finish(mut self, meta: Meta) -> Result<Finished, TableError> {
        if self.directory.frames() != self.layout.frames() {
            return Err(self.out_of_order(self.directory.frames()));
        }
        let signature = self.signature.finish();
        let meta = Meta {
            rules_hash: self.rules_hash,
            metric: self.layout.metric.clone(),
            indexable: self.layout.indexable,
            packed: self.packed,
            value_bits: self.layout.value_bits,
            kind: self.layout.kind,
            frame_bits: self.layout.frame_bits,
            signature,
            ..meta
        };
        let metadata = meta.encode().map_err(|error| self.in_file(error))?;
        let directory = std::mem::take(&mut self.directory).finish();
        let directory_at = self.len();
        let metadata_at = directory_at + directory.len() as u64;
        let preamble = Preamble {
            file_len: metadata_at + metadata.len() as u64,
            directory_at,
            directory_len: directory.len() as u64,
            metadata_at,
            metadata_len: metadata.len() as u64,
            directory_crc: crc32fast::hash(&directory),
            metadata_crc: crc32fast::hash(&metadata),
        };
        self.put(&directory)?;
        self.put(&metadata)?;
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
        Ok(Finished {
            signature,
            bytes: preamble.file_len,
        })
    }

    /// Length of the file so far, in bytes.
    fn len(&self) -> u64 {
        self.written + self.buffer.len() as u64
    }

    fn put(&mut self, bytes: &[u8]) -> Result<(), TableError> {
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

    fn in_file(&self, error: TableError) -> TableError {
        error.in_file(&self.path, None)
    }

    fn out_of_order(&self, found: u64) -> TableError {
        self.in_file(TableError::FrameOrder {
            found,
            expected: self.directory.frames(),
            frames: self.layout.frames(),
        })
    }
}
