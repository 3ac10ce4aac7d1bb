//! The part of two waves on disk that is in memory at a time, computed before the sweep.

use greenwave_values::ValuesError;

use super::bins::{BATCH_TASKS, ENTRY, batched, bins_above, chunk_bytes, lowest_naming};
use crate::packed::families::{FAMILY_BYTES, Families, TASK, Weight};
use crate::packed::grain::{Grain, room};
use crate::packed::tables::Tables;
use crate::sweep::store::HUGE;

/// Families that one task settles, the quickest choice first: the fewer, the less is at work.
const TASKS: [usize; 5] = [TASK, TASK / 2, TASK / 4, TASK / 8, TASK / 16];

/// Bytes of what is known of a bin, of the wave and of the one above, and of which batches want it.
const BIN_BYTES: u64 = 512;

/// Bytes of a page, and of what is known of a bin that was read.
const PAGE: u64 = 4096 + 256;

/// A piece has one in this number of the bytes of two waves, or more.
const PIECES: u64 = 128;

/// Bytes of the smallest pieces of waves of more than as much.
const LEAST_PIECE: u64 = 1 << 20;

/// Bytes from which on a piece is complete, where the largest two waves have so many.
pub(in crate::packed) fn piece_bytes(waves: u64) -> u64 {
    (waves / PIECES).max(LEAST_PIECE)
}

/// How much of a wave is at work at a time, and what that takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::packed) struct WorkingSet {
    /// Families that one task settles.
    pub(in crate::packed) task: usize,
    /// Bytes of memory at most.
    pub(in crate::packed) bytes: u64,
    /// Bytes of disk at most.
    pub(in crate::packed) disk: u64,
}

/// Bytes of the buffer that a bin of this many bytes is read into: few sizes, so that it is of use for
/// others.
pub(super) fn buffer_bytes(bytes: usize) -> usize {
    let step = (bytes.next_power_of_two() >> 4).max(4096);
    bytes.next_multiple_of(step)
}

// Bytes of such a buffer that are resident; bytes after the bin are read only where all are, in
// large pages.
fn touched(bytes: u64, room: u64) -> u64 {
    let buffer = buffer_bytes((bytes + room) as usize) as u64;
    if buffer < HUGE as u64 {
        return buffer.min(bytes + bytes / 16 + PAGE);
    }
    buffer
}

// A piece of a wave: the names of its first and last bin, and bytes on disk.
struct PieceRange {
    first: u64,
    last: u64,
    bytes: u64,
}

// The quickest that takes no more than some bytes, or else the smallest, of memory and disk by task.
fn quickest(bytes: [(u64, u64); TASKS.len()], allowed: u64) -> WorkingSet {
    let working = TASKS.into_iter().zip(bytes);
    let mut working = working.map(|(task, (bytes, disk))| WorkingSet { task, bytes, disk });
    let smallest = working.clone().next_back();
    let found = working.find(|working| working.bytes <= allowed);
    found.or(smallest).unwrap_or(WorkingSet {
        task: TASK,
        bytes: u64::MAX,
        disk: u64::MAX,
    })
}

/// The waves of a sweep, as far as they tell what is at work of them.
pub(in crate::packed) struct WaveOutline<'a, const G: usize> {
    pub(in crate::packed) tables: &'a Tables<G>,
    pub(in crate::packed) families: &'a Families<'a, G>,
    pub(in crate::packed) grain: Grain,
    /// The lower one of the two largest waves.
    pub(in crate::packed) peak: usize,
    /// A count of other waves than these visits one of this number of prefixes.
    pub(in crate::packed) parts: usize,
    /// Whether these two are not counted whole either.
    pub(in crate::packed) sampled: bool,
    /// See [`piece_bytes`].
    pub(in crate::packed) piece: u64,
}

impl<const G: usize> WaveOutline<'_, G> {
    /// The quickest work that takes no more than some bytes, or else the smallest.
    ///
    /// # Errors
    /// When the machine does not give the memory.
    pub(in crate::packed) fn working(&self, allowed: u64) -> Result<WorkingSet, ValuesError> {
        if self.sampled {
            return Ok(quickest(self.about()?, allowed));
        }
        let digit = lowest_naming(&self.tables.layout);
        // Memory and disk, by task.
        let most = |parts: usize, sums: &[usize]| {
            let mut most = [(0, 0); TASKS.len()];
            let mut above = Vec::new();
            for sum in sums {
                let here = self.families.bins(*sum, digit, parts)?;
                for (most, task) in most.iter_mut().zip(TASKS) {
                    let piece = self.piece / parts as u64;
                    most.0 = self.at_work(&here, &above, task).max(most.0);
                    most.1 = self.on_disk(&here, &above, task, piece).max(most.1);
                }
                above = here;
            }
            Ok::<_, ValuesError>(most)
        };
        let all: Vec<usize> = (0..=self.families.most()).rev().collect();
        let two = [self.peak + 1, self.peak];
        let mut bytes = most(1, if self.parts == 1 { &all } else { &two })?;
        if self.parts > 1 {
            // How much more than the largest waves others have at work, a part of them tells.
            let (some, of_two) = (most(self.parts, &all)?, most(self.parts, &two)?);
            let grown = |bytes: u64, some: u64, of_two: u64| {
                let grown = u128::from(bytes) * u128::from(some) / u128::from(of_two.max(1));
                u64::try_from(grown).unwrap_or(u64::MAX).max(bytes)
            };
            for (bytes, (some, of_two)) in bytes.iter_mut().zip(some.into_iter().zip(of_two)) {
                bytes.0 = grown(bytes.0, some.0, of_two.0);
                bytes.1 = grown(bytes.1, some.1, of_two.1);
            }
        }
        Ok(quickest(bytes, allowed))
    }

    // Memory and disk by task, from one in `parts` of the prefixes of the largest two waves. Bins are taken
    // to have families of the mean size, and to need one other for each square that can be raised.
    fn about(&self) -> Result<[(u64, u64); TASKS.len()], ValuesError> {
        let digit = lowest_naming(&self.tables.layout);
        let bins = |sum| self.families.bins(sum, digit, self.parts);
        let (here, above) = (bins(self.peak)?, bins(self.peak + 1)?);
        let parts = self.parts as u64;
        let families = here.iter().map(|(_, bin)| bin.families).sum::<u64>().max(1);
        let bytes: u64 = here.iter().map(|(_, bin)| bin.bytes(self.grain)).sum();
        let read = 3 * (self.tables.steps.len() - digit) as u64;
        Ok(TASKS.map(|task| {
            let batch = (BATCH_TASKS * task) as u64;
            let streams = batch * bytes / families;
            let own = 5 * streams + (3 * FAMILY_BYTES + 16) * batch;
            let needs = streams + (FAMILY_BYTES + 16) * batch;
            let chunks = (rayon::current_num_threads() + 2) * chunk_bytes(self.grain, G, task);
            let lists = 16 * parts * families + BIN_BYTES * parts * here.len() as u64;
            let disk = parts * self.on_disk(&here, &above, task, self.piece / parts);
            (
                own + read * (needs + needs / 16) + chunks as u64 + lists,
                disk,
            )
        }))
    }

    // Bytes on disk of a wave with such bins, and of the one above, which gives way to it.
    pub(super) fn on_disk(
        &self,
        here: &[(u64, Weight)],
        above: &[(u64, Weight)],
        task: usize,
        piece: u64,
    ) -> u64 {
        let (here, mut above) = (
            self.pieces(here, task, piece),
            self.pieces(above, task, piece),
        );
        let mut on_disk: u64 = above.iter().map(|piece| piece.bytes).sum();
        let mut most = on_disk;
        above.reverse();
        // The checkpoint of a piece comes when the next one is written, at the latest.
        for piece in here {
            on_disk += piece.bytes;
            most = most.max(on_disk);
            while let Some(gone) = above.pop_if(|gone| gone.last < piece.first) {
                on_disk -= gone.bytes;
            }
        }
        most
    }

    // The pieces that bins are written in.
    fn pieces(&self, bins: &[(u64, Weight)], task: usize, piece: u64) -> Vec<PieceRange> {
        let mut pieces: Vec<PieceRange> = Vec::new();
        let sizes = bins.iter().map(|(_, bin)| bin.families as usize);
        for batch in batched(sizes, BATCH_TASKS * task) {
            let bins = &bins[batch];
            let bytes = bins
                .iter()
                .map(|(_, bin)| bin.bytes(self.grain) + FAMILY_BYTES * bin.families + ENTRY as u64);
            let batch = PieceRange {
                first: bins.first().map_or(0, |(name, _)| *name),
                last: bins.last().map_or(0, |(name, _)| *name),
                bytes: bytes.sum(),
            };
            match pieces.last_mut() {
                Some(open) if open.bytes < piece => {
                    open.last = batch.last;
                    open.bytes += batch.bytes;
                }
                _ => pieces.push(batch),
            }
        }
        pieces
    }

    // Bytes at work of a wave with such bins, by name.
    fn at_work(&self, here: &[(u64, Weight)], above: &[(u64, Weight)], task: usize) -> u64 {
        let (grain, room) = (self.grain, room(self.grain, G) as u64);
        let digit = lowest_naming(&self.tables.layout);
        let find = |name: u64| above.binary_search_by_key(&name, |(name, _)| *name).ok();
        let sizes = here.iter().map(|(_, bin)| bin.families as usize);
        let (mut own, mut read, mut before) = (0, 0, 0);
        for bins in batched(sizes, BATCH_TASKS * task) {
            let bins = &here[bins];
            let streams: u64 = bins.iter().map(|(_, bin)| bin.bytes(grain)).sum();
            let families: u64 = bins.iter().map(|(_, bin)| bin.families).sum();
            // As they are made, in chunks half of which may be left; and as they are written: one
            // batch that is gathered, one that waits and one that is at work.
            own = own.max(2 * streams + 3 * (streams + FAMILY_BYTES * families) + 16 * families);
            let mut needs: Vec<usize> = bins
                .iter()
                .flat_map(|(name, _)| bins_above(self.tables, digit, *name, find))
                .flatten()
                .collect();
            needs.sort_unstable();
            needs.dedup();
            let needs = needs.into_iter().map(|number| above[number].1).map(|bin| {
                touched(bin.bytes(grain) + FAMILY_BYTES * bin.families, room) + 16 * bin.families
            });
            let needs = needs.sum();
            // The needs of the batch at work, those of the next one, and buffers of those before.
            read = read.max(before + 2 * needs);
            before = needs;
        }
        let families: u64 = here.iter().map(|(_, bin)| bin.families).sum();
        let chunks = (rayon::current_num_threads() + 2) * chunk_bytes(grain, G, task);
        own + read + chunks as u64 + 16 * families + BIN_BYTES * here.len() as u64
    }
}
