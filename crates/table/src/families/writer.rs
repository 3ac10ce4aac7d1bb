//! Writing a table of families, wave by wave; what was begun can be gone on with.

use std::path::Path;

use super::directory::DirectoryBuilder;
use super::frame::EncodedFamilies;
use super::signature::{WaveHash, families_signature};
use crate::error::TableError;
use crate::hash::Hash32;
use crate::header::FAMILIES_VERSION;
use crate::layout::Layout;
use crate::meta::{IndexScheme, Meta};
use crate::new_file::NewFile;
use crate::storage::{DiskStorage, Storage};
use crate::writer::Finished;

/// A table of families being written; see [`TableWriter`](crate::TableWriter) for what becomes of the
/// file.
#[derive(Debug)]
pub struct FamilyWriter {
    layout: Layout,
    rules_hash: Hash32,
    directory: DirectoryBuilder,
    waves: Vec<Hash32>,
    packed: u64,
    file: NewFile,
}

/// What was written of a table that is not finished, to go on with it: complete waves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unfinished {
    bytes: u64,
    packed: u64,
    waves: Vec<Hash32>,
    directory: Vec<u8>,
}

impl Unfinished {
    /// As bytes: length of the file, packed positions, number of waves (`u64` each, little-endian),
    /// their hashes, the directory so far.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let numbers = [self.bytes, self.packed, self.waves.len() as u64];
        let mut bytes: Vec<u8> = numbers.iter().flat_map(|n| n.to_le_bytes()).collect();
        bytes.extend(self.waves.iter().flat_map(|hash| hash.0));
        bytes.extend_from_slice(&self.directory);
        bytes
    }

    /// What [`Unfinished::to_bytes`] gave; `None` where the bytes are none of its.
    #[must_use]
    pub fn from_bytes(bytes: &[u8]) -> Option<Unfinished> {
        let (numbers, rest) = bytes.split_at_checked(24)?;
        let (numbers, _) = numbers.as_chunks::<8>();
        let [bytes, packed, waves] = numbers else {
            return None;
        };
        let waves = usize::try_from(u64::from_le_bytes(*waves)).ok()?;
        let (hashes, directory) = rest.split_at_checked(waves.checked_mul(32)?)?;
        DirectoryBuilder::resume(directory)?;
        Some(Unfinished {
            bytes: u64::from_le_bytes(*bytes),
            packed: u64::from_le_bytes(*packed),
            waves: hashes
                .as_chunks::<32>()
                .0
                .iter()
                .map(|hash| Hash32(*hash))
                .collect(),
            directory: directory.to_vec(),
        })
    }
}

impl FamilyWriter {
    /// Starts a table on disk, or goes on with an unfinished one; missing folders are made.
    ///
    /// # Errors
    /// [`TableError::Locked`] when another writer is at the same table; [`TableError::BadLayout`];
    /// [`TableError::Io`] when the folder cannot be written, or what is unfinished is not there.
    pub fn create(
        path: impl AsRef<Path>,
        layout: Layout,
        rules_hash: Hash32,
        unfinished: Option<Unfinished>,
    ) -> Result<FamilyWriter, TableError> {
        FamilyWriter::create_in(DiskStorage, path, layout, rules_hash, unfinished)
    }

    /// Starts a table in some storage, or goes on with one.
    ///
    /// # Errors
    /// As [`FamilyWriter::create`].
    pub fn create_in(
        storage: impl Storage + 'static,
        path: impl AsRef<Path>,
        layout: Layout,
        rules_hash: Hash32,
        unfinished: Option<Unfinished>,
    ) -> Result<FamilyWriter, TableError> {
        let path = path.as_ref();
        let left = unfinished.as_ref().map(|left| left.bytes);
        let file = NewFile::create(storage, path, left)?;
        let directory = unfinished.as_ref();
        let directory = directory.and_then(|left| DirectoryBuilder::resume(&left.directory));
        let (packed, waves) = unfinished.map_or((0, Vec::new()), |left| (left.packed, left.waves));
        Ok(FamilyWriter {
            layout,
            rules_hash,
            directory: directory.unwrap_or_default(),
            waves,
            packed,
            file,
        })
    }

    /// The layout of the table.
    #[must_use]
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// Appends frames of the next wave, whose level sum is less than that of the last one.
    ///
    /// # Errors
    /// [`TableError::Io`].
    ///
    /// # Panics
    /// When the wave is not the next one.
    pub fn append(
        &mut self,
        sum: u32,
        frames: impl IntoIterator<Item = EncodedFamilies>,
        hash: &mut WaveHash,
    ) -> Result<(), TableError> {
        for frame in frames {
            let last = self.directory.last_sum();
            assert!(
                last.is_none_or(|last| sum <= last),
                "wave {sum} after {last:?}"
            );
            self.directory.push(sum, &frame);
            self.packed += u64::from(frame.packed);
            frame.hashes.iter().for_each(|one| hash.push(one));
            self.file.put(&frame.bytes)?;
        }
        Ok(())
    }

    /// Ends a wave of which all frames are appended; one without any is left out.
    pub fn end_wave(&mut self, sum: u32, hash: &WaveHash) {
        if self.directory.last_sum() == Some(sum) {
            self.waves.push(hash.finish());
        }
    }

    /// Makes the complete waves survive a power cut; with what is given the table can be gone on with.
    ///
    /// # Errors
    /// [`TableError::Io`].
    pub fn unfinished(&mut self) -> Result<Unfinished, TableError> {
        Ok(Unfinished {
            bytes: self.file.sync()?,
            packed: self.packed,
            waves: self.waves.clone(),
            directory: self.directory.bytes(),
        })
    }

    /// Leaves the unfinished file to another writer.
    pub fn keep(self) {
        self.file.keep();
    }

    /// Writes directory, metadata and preamble, syncs, and gives the file its name. Of `meta`, whose
    /// index scheme says how families are made, those fields are filled in here that layout, rules hash
    /// and frames determine.
    ///
    /// # Errors
    /// As [`TableWriter::finish`](crate::TableWriter::finish).
    pub fn finish(self, meta: Meta) -> Result<Finished, TableError> {
        let (squares, near) = match &meta.index_scheme {
            IndexScheme::Families { squares, near, .. } => (&squares[..], *near),
            IndexScheme::Dense | IndexScheme::Listed { .. } | IndexScheme::Rows { .. } => {
                (&[][..], 0)
            }
        };
        let signature =
            families_signature(&self.layout, &self.rules_hash, squares, near, &self.waves);
        let meta = Meta {
            rules_hash: self.rules_hash,
            metric: self.layout.metric.clone(),
            indexable: self.layout.indexable,
            packed: self.packed,
            value_bits: self.layout.value_bits,
            kind: self.layout.kind,
            frame_bits: 0,
            signature,
            ..meta
        };
        let metadata = meta.encode().map_err(|error| self.file.in_file(error))?;
        let directory = self.directory.bytes();
        let bytes = self.file.finish(FAMILIES_VERSION, &directory, &metadata)?;
        Ok(Finished { signature, bytes })
    }
}
