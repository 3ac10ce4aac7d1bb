//! Writing a table: beside, then synced and renamed.

use std::path::Path;

use crate::directory::DirectoryBuilder;
use crate::error::TableError;
use crate::frame::EncodedFrame;
use crate::hash::Hash32;
use crate::header::FORMAT_VERSION;
use crate::layout::Layout;
use crate::meta::Meta;
use crate::new_file::NewFile;
use crate::signature::SignatureBuilder;
use crate::storage::{DiskStorage, Storage};

/// What became of a table that was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FinishedTable {
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
    layout: Layout,
    rules_hash: Hash32,
    directory: DirectoryBuilder,
    signature: SignatureBuilder,
    packed: u64,
    file: NewFile,
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
        layout.check().map_err(|error| error.in_file(path, None))?;
        let file = NewFile::create(storage, path, None)?;
        let signature = SignatureBuilder::new(&layout, &rules_hash);
        Ok(TableWriter {
            layout,
            rules_hash,
            directory: DirectoryBuilder::default(),
            signature,
            packed: 0,
            file,
        })
    }

    /// The layout of the table.
    #[must_use]
    pub fn layout(&self) -> &Layout {
        &self.layout
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
        self.file.put(&frame.bytes)
    }

    /// Writes directory, metadata and preamble, syncs, and gives the file its name. Of `meta` those
    /// fields are filled in here that layout, rules hash and frames determine.
    ///
    /// # Errors
    /// [`TableError::FrameOrder`] when frames are missing; [`TableError::MetadataTooLong`];
    /// [`TableError::Io`]. Then no file has appeared, and one that was there before is untouched
    /// (only if syncing the folder fails is the new file in place, though not yet safe from a power
    /// cut).
    pub fn finish(self, meta: Meta) -> Result<FinishedTable, TableError> {
        if self.directory.frames() != self.layout.frames() {
            return Err(self.out_of_order(self.directory.frames()));
        }
        let signature = self.signature.finish();
        let meta = meta.filled(&self.layout, self.rules_hash, self.packed, signature);
        let metadata = meta.encode().map_err(|error| self.file.in_file(error))?;
        let directory = self.directory.finish();
        let bytes = self.file.finish(FORMAT_VERSION, &directory, &metadata)?;
        Ok(FinishedTable { signature, bytes })
    }

    fn out_of_order(&self, found: u64) -> TableError {
        self.file.in_file(TableError::FrameOrder {
            found,
            expected: self.directory.frames(),
            frames: self.layout.frames(),
        })
    }
}
