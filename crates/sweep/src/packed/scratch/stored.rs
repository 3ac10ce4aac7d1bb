//! Bins on disk, in pieces.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::PathBuf;

use greenwave_table::{Hash32, open_file};

use super::bins::ENTRY;
use super::working::buffer_bytes;
use crate::SolveError;
use crate::checkpoint::{Checkpoint, PartWriter, damaged};
use crate::packed::families::FAMILY_BYTES;
use crate::packed::grain::{Grain, room};
use crate::packed::waves::WaveStreams;
use crate::sweep::store::Store;

/// A bin on disk.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bin {
    pub(super) name: u64,
    pub(super) families: u64,
    pub(super) bytes: u64,
    /// The number of its piece, and where it begins there.
    pub(super) piece: usize,
    pub(super) offset: u64,
    pub(super) hash: Hash32,
}

/// A wave on disk, or those of its bins that are there.
#[derive(Debug, Default)]
pub(in crate::packed) struct StoredWave {
    pub(in crate::packed) sum: usize,
    // By name.
    pub(super) bins: Vec<Bin>,
    folder: PathBuf,
}

/// The part with the bins of a piece.
pub(super) fn piece_name(sum: usize, piece: usize) -> String {
    format!("wave-{sum:03}-{piece:04}")
}

/// The part with the list of them.
pub(super) fn list_name(sum: usize, piece: usize) -> String {
    format!("bins-{sum:03}-{piece:04}")
}

/// Writes the list of the bins of a piece.
pub(super) fn write_list(list: &mut PartWriter, bins: &[Bin]) -> Result<(), SolveError> {
    for bin in bins {
        for number in [bin.name, bin.families, bin.bytes] {
            list.put(&number.to_le_bytes())?;
        }
        list.put(&bin.hash.0)?;
    }
    Ok(())
}

// A piece from which bins are read.
type OpenBin = Option<(usize, PathBuf, File)>;

impl StoredWave {
    /// A wave of which there is no bin.
    pub(super) fn new(checkpoint: &Checkpoint, sum: usize) -> StoredWave {
        StoredWave {
            sum,
            bins: Vec::new(),
            folder: checkpoint.path().to_owned(),
        }
    }

    /// The bins of a wave in the pieces that the state of a checkpoint lists.
    ///
    /// # Errors
    /// When a list is not what was written, or has other bins than its piece.
    pub(in crate::packed) fn open(
        checkpoint: &Checkpoint,
        sum: usize,
    ) -> Result<StoredWave, SolveError> {
        let mut stored = StoredWave::new(checkpoint, sum);
        let first = list_name(sum, 0);
        let prefix = first.trim_end_matches('0');
        let pieces = checkpoint.parts().keys();
        let pieces = pieces.filter_map(|name| name.strip_prefix(prefix)?.parse().ok());
        let mut pieces: Vec<usize> = pieces.collect();
        pieces.sort_unstable();
        for piece in pieces {
            let list = checkpoint.read(&list_name(sum, piece))?;
            let count = list.bytes() as usize / ENTRY;
            let mut offset = 0_u64;
            let bins = list.numbers::<ENTRY, Bin>(count, |entry| {
                let number = |at: usize| {
                    let mut bytes = [0; 8];
                    bytes.copy_from_slice(&entry[at..at + 8]);
                    u64::from_le_bytes(bytes)
                };
                let mut hash = Hash32::default();
                hash.0.copy_from_slice(&entry[24..]);
                let bin = Bin {
                    name: number(0),
                    families: number(8),
                    bytes: number(16),
                    piece,
                    offset,
                    hash,
                };
                offset = offset.saturating_add(bin.bytes);
                bin
            })?;
            let name = piece_name(sum, piece);
            let written = checkpoint.parts().get(&name).map(|part| part.bytes());
            if written != Some(offset) {
                let path = stored.folder.join(name);
                return Err(damaged(&path, "does not have the bins that are listed"));
            }
            stored.bins.extend(bins);
        }
        Ok(stored)
    }

    /// The bins, one after another.
    pub(in crate::packed) fn bins<const G: usize>(
        &self,
        grain: Grain,
    ) -> impl Iterator<Item = Result<WaveStreams, SolveError>> {
        let mut opened = None;
        let numbers = 0..self.bins.len();
        numbers.map(move |number| self.read::<G>(number, grain, &mut Vec::new(), &mut opened))
    }

    /// Names of the bins, and how many families each has.
    pub(super) fn named(&self) -> Vec<(u64, u64)> {
        let bins = self.bins.iter();
        bins.map(|bin| (bin.name, bin.families)).collect()
    }

    /// Families, and bytes of their streams.
    pub(super) fn totals(&self) -> (u64, u64) {
        self.bins.iter().fold((0, 0), |(families, bytes), bin| {
            let head = FAMILY_BYTES.saturating_mul(bin.families);
            let streams = bin.bytes.saturating_sub(head);
            (
                families.saturating_add(bin.families),
                bytes.saturating_add(streams),
            )
        })
    }

    /// Bytes of a bin.
    pub(super) fn bytes_of(&self, number: usize) -> u64 {
        self.bins[number].bytes
    }

    /// Pieces whose bins all have lower names than some name.
    pub(super) fn pieces_below(&self, name: u64) -> impl Iterator<Item = usize> {
        let pieces = self.bins.chunk_by(|a, b| a.piece == b.piece);
        let below = move |bins: &&[Bin]| bins.iter().all(|bin| bin.name < name);
        pieces.take_while(below).map(|bins| bins[0].piece)
    }

    /// The number of the next piece.
    pub(super) fn next_piece(&self) -> usize {
        self.bins.last().map_or(0, |bin| bin.piece + 1)
    }

    /// The bin of some name.
    pub(super) fn find(&self, name: u64) -> Option<usize> {
        self.bins.binary_search_by_key(&name, |bin| bin.name).ok()
    }

    /// Reads a bin into a buffer that is large enough, or a new one. The piece stays open for the next
    /// bin.
    pub(super) fn read<const G: usize>(
        &self,
        number: usize,
        grain: Grain,
        spare: &mut Vec<Store>,
        opened: &mut OpenBin,
    ) -> Result<WaveStreams, SolveError> {
        let bin = &self.bins[number];
        opened.take_if(|(piece, ..)| *piece != bin.piece);
        let refused = |path: &PathBuf, source| SolveError::CheckpointIo {
            file: path.clone(),
            doing: "read",
            source,
        };
        let (path, file) = match opened {
            Some((_, path, file)) => (path, file),
            None => {
                let path = self.folder.join(piece_name(self.sum, bin.piece));
                let file = open_file(&path).map_err(|source| refused(&path, source))?;
                let (_, path, file) = opened.insert((bin.piece, path, file));
                (path, file)
            }
        };
        let damaged = |problem: &str| damaged(path, problem);
        let (bytes, families) = (bin.bytes as usize, bin.families as usize);
        if bin.bytes < FAMILY_BYTES.saturating_mul(bin.families) {
            return Err(damaged("lists a bin that is too short"));
        }
        let needed = buffer_bytes(bytes + room(grain, G));
        let fits = |store: &Store| (needed..=needed + needed / 16).contains(&store.bytes().len());
        let mut store = match spare.iter().position(fits) {
            Some(place) => spare.swap_remove(place),
            None => Store::new(needed)?,
        };
        let buffer = &mut store.bytes_mut()[..bytes];
        file.seek(SeekFrom::Start(bin.offset))
            .and_then(|_| file.read_exact(buffer))
            .map_err(|source| refused(path, source))?;
        if Hash32::of(buffer) != bin.hash {
            return Err(damaged("found other contents than were written"));
        }
        let read = WaveStreams::read(self.sum, families, bytes, store)?;
        read.ok_or_else(|| damaged("lists families that are not there"))
    }
}
