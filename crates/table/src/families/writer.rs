//! Writing a table of families, wave by wave; a stopped writer can resume.

use std::path::Path;

use super::directory::FamilyDirectoryBuilder;
use super::frame::EncodedFamilies;
use super::signature::{WaveHash, families_signature};
use crate::error::TableError;
use crate::hash::Hash32;
use crate::header::FAMILIES_VERSION;
use crate::layout::Layout;
use crate::meta::{IndexScheme, Meta};
use crate::new_file::NewFile;
use crate::storage::{DiskStorage, Storage};
use crate::writer::FinishedTable;

/// A table of families being written; see [`TableWriter`](crate::TableWriter) for what becomes of the
/// file.
#[derive(Debug)]
pub struct FamilyWriter {
    layout: Layout,
    rules_hash: Hash32,
    directory: FamilyDirectoryBuilder,
    // Of the waves that are complete, and of the last one.
    waves: Vec<Hash32>,
    wave: Option<(u32, WaveHash)>,
    packed: u64,
    file: NewFile,
}

/// The finished part of a table, from which a writer resumes: complete waves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnfinishedTable {
    bytes: u64,
    packed: u64,
    waves: Vec<Hash32>,
    directory: Vec<u8>,
}

impl UnfinishedTable {
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

    /// The inverse of [`UnfinishedTable::to_bytes`]; `None` for any other bytes.
    #[must_use]
    pub fn from_bytes(bytes: &[u8]) -> Option<UnfinishedTable> {
        let (numbers, rest) = bytes.split_at_checked(24)?;
        let (numbers, _) = numbers.as_chunks::<8>();
        let [bytes, packed, waves] = numbers else {
            return None;
        };
        let waves = usize::try_from(u64::from_le_bytes(*waves)).ok()?;
        let (hashes, directory) = rest.split_at_checked(waves.checked_mul(32)?)?;
        FamilyDirectoryBuilder::resume(directory)?;
        Some(UnfinishedTable {
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
    /// Starts a table on disk, or continues with an unfinished one; missing folders are made.
    ///
    /// # Errors
    /// [`TableError::Locked`] when another writer is at the same table; [`TableError::BadLayout`];
    /// [`TableError::Io`] when the folder cannot be written, or what is unfinished is not there.
    pub fn create(
        path: impl AsRef<Path>,
        layout: Layout,
        rules_hash: Hash32,
        unfinished: Option<UnfinishedTable>,
    ) -> Result<FamilyWriter, TableError> {
        FamilyWriter::create_in(DiskStorage, path, layout, rules_hash, unfinished)
    }

    /// Starts a table in some storage, or continues with one.
    ///
    /// # Errors
    /// As [`FamilyWriter::create`].
    pub fn create_in(
        storage: impl Storage + 'static,
        path: impl AsRef<Path>,
        layout: Layout,
        rules_hash: Hash32,
        unfinished: Option<UnfinishedTable>,
    ) -> Result<FamilyWriter, TableError> {
        let path = path.as_ref();
        let left = unfinished.as_ref().map(|left| left.bytes);
        let file = NewFile::create(storage, path, left)?;
        let directory = unfinished.as_ref();
        let directory = directory.and_then(|left| FamilyDirectoryBuilder::resume(&left.directory));
        let (packed, waves) = unfinished.map_or((0, Vec::new()), |left| (left.packed, left.waves));
        Ok(FamilyWriter {
            layout,
            rules_hash,
            directory: directory.unwrap_or_default(),
            waves,
            wave: None,
            packed,
            file,
        })
    }

    /// The layout of the table.
    #[must_use]
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// Appends a frame of the last wave, or of the next one, whose level sum is less.
    ///
    /// # Errors
    /// [`TableError::Io`].
    ///
    /// # Panics
    /// When it is of a wave that has ended.
    pub fn append(&mut self, sum: u32, frame: &EncodedFamilies) -> Result<(), TableError> {
        let last = self.directory.last_sum();
        if self
            .wave
            .as_ref()
            .is_none_or(|(current, _)| *current != sum)
        {
            assert!(
                last.is_none_or(|last| sum < last),
                "wave {sum} after {last:?}"
            );
            self.end_wave();
        }
        let (_, hash) = self.wave.get_or_insert_with(|| (sum, WaveHash::new(sum)));
        frame.hashes.iter().for_each(|one| hash.push(one));
        self.directory.push(sum, frame);
        self.packed += u64::from(frame.packed);
        self.file.put(&frame.bytes)
    }

    fn end_wave(&mut self) {
        self.waves
            .extend(self.wave.take().map(|(_, hash)| hash.finish()));
    }

    /// Ends the last wave, and makes all of them survive a power cut. A writer can resume from the
    /// result.
    ///
    /// # Errors
    /// [`TableError::Io`].
    pub fn unfinished(&mut self) -> Result<UnfinishedTable, TableError> {
        self.end_wave();
        Ok(UnfinishedTable {
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
    pub fn finish(mut self, meta: Meta) -> Result<FinishedTable, TableError> {
        self.end_wave();
        let (squares, near) = match &meta.index_scheme {
            IndexScheme::Families { squares, near, .. } => (&squares[..], *near),
            IndexScheme::Dense | IndexScheme::Listed { .. } | IndexScheme::Rows { .. } => {
                (&[][..], 0)
            }
        };
        let signature =
            families_signature(&self.layout, &self.rules_hash, squares, near, &self.waves);
        let meta = meta.filled(&self.layout, self.rules_hash, self.packed, signature);
        let meta = Meta {
            frame_bits: 0,
            ..meta
        };
        let metadata = meta.encode().map_err(|error| self.file.in_file(error))?;
        let directory = self.directory.bytes();
        let bytes = self.file.finish(FAMILIES_VERSION, &directory, &metadata)?;
        Ok(FinishedTable { signature, bytes })
    }
}
