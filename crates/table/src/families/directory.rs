//! The directory of a table of families: its waves, and where their frames lie.
//!
//! ```text
//! u32       number of waves
//! of each   u32 level sum, u32 number of frames; falling sums
//! entries   of each frame, wave after wave, 24 bytes:
//!             u64 key of its first family
//!             u32 length of the stored bytes, bit 31 set when they are not compressed
//!             u32 CRC-32 of the stored bytes
//!             u32 number of packed positions
//!             u32 number of families
//! ```
//! Frames follow each other without gaps, so offsets are sums of lengths.

use super::frame::{EncodedFamilies, MOST_FAMILIES};
use super::signature::level_sum;
use crate::error::TableError;
use crate::layout::Layout;
use crate::leaf::payload_len;

const ENTRY_LEN: usize = 24;
const WAVE_LEN: usize = 8;
const RAW: u32 = 1 << 31;

/// Where a frame lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FamilyFrame {
    /// Offset in the file, in bytes.
    pub(crate) offset: u64,
    /// Packed positions of all frames before.
    pub(crate) before: u64,
    /// Key of the first family.
    pub(crate) first: u64,
    /// Length in the file, in bytes.
    pub(crate) len: u32,
    /// Stored without compression?
    pub(crate) raw: bool,
    /// CRC-32 of the stored bytes.
    pub(crate) crc: u32,
    /// Number of packed positions.
    pub(crate) packed: u32,
    /// Number of families.
    pub(crate) families: u32,
}

impl FamilyFrame {
    /// Most plain bytes of the frame; stored are no more.
    pub(crate) fn most_plain(&self, layout: &Layout) -> u64 {
        // Key and count take ten bytes each at most, and each family but its last byte is filled.
        payload_len(self.packed, layout.value_bits) + 21 * u64::from(self.families)
    }
}

/// The directory being written: waves and frames are added in order.
#[derive(Clone, Debug, Default)]
pub(crate) struct FamilyDirectoryBuilder {
    waves: WaveFrameCounts,
    entries: Vec<u8>,
}

impl FamilyDirectoryBuilder {
    /// The level sum of the last wave, if there is any.
    pub(crate) fn last_sum(&self) -> Option<u32> {
        self.waves.last().map(|(sum, _)| *sum)
    }

    /// Adds the next frame.
    pub(crate) fn push(&mut self, sum: u32, frame: &EncodedFamilies) {
        match self.waves.last_mut().filter(|(last, _)| *last == sum) {
            Some((_, frames)) => *frames += 1,
            None => self.waves.push((sum, 1)),
        }
        // 256 families of 2¹⁸ bits at most, so bit 31 is free.
        let len = frame.bytes.len() as u32 | if frame.raw { RAW } else { 0 };
        self.entries.extend_from_slice(&frame.first.to_le_bytes());
        for number in [len, frame.crc, frame.packed, frame.families] {
            self.entries.extend_from_slice(&number.to_le_bytes());
        }
    }

    /// The bytes of the directory.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        let mut bytes = (self.waves.len() as u32).to_le_bytes().to_vec();
        for (sum, frames) in &self.waves {
            bytes.extend_from_slice(&sum.to_le_bytes());
            bytes.extend_from_slice(&frames.to_le_bytes());
        }
        bytes.extend_from_slice(&self.entries);
        bytes
    }

    /// A directory that was left unfinished; `None` where the bytes are none.
    pub(crate) fn resume(bytes: &[u8]) -> Option<FamilyDirectoryBuilder> {
        let (waves, entries) = split(bytes)?;
        let frames: u64 = waves.iter().map(|(_, frames)| u64::from(*frames)).sum();
        (entries.len() as u64 == frames * ENTRY_LEN as u64).then(|| FamilyDirectoryBuilder {
            waves,
            entries: entries.to_vec(),
        })
    }
}

fn number(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
}

// Sum and frames of each wave.
type WaveFrameCounts = Vec<(u32, u32)>;

// The waves, and the entries.
fn split(bytes: &[u8]) -> Option<(WaveFrameCounts, &[u8])> {
    let (count, rest) = bytes.split_first_chunk::<4>()?;
    let length = (u32::from_le_bytes(*count) as usize).checked_mul(WAVE_LEN)?;
    let (waves, entries) = rest.split_at_checked(length)?;
    let waves = waves.chunks_exact(WAVE_LEN);
    let waves = waves.map(|wave| (number(wave, 0), number(wave, 4)));
    Some((waves.collect(), entries))
}

/// A directory read from a file and checked.
#[derive(Debug)]
pub(crate) struct FamilyDirectory {
    // The level sum of each wave, and the number of its first frame, rising.
    waves: Vec<(u32, usize)>,
    entries: Vec<FamilyFrame>,
}

impl FamilyDirectory {
    /// Reads a directory. `frames_start..frames_end` are the bytes of the file that hold frames.
    pub(crate) fn parse(
        bytes: &[u8],
        packed: u64,
        frames_start: u64,
        frames_end: u64,
    ) -> Result<FamilyDirectory, TableError> {
        let wrong = |found: String, expected: String| {
            TableError::inconsistent("the directory", found, expected)
        };
        let (waves, listed) = split(bytes)
            .ok_or_else(|| wrong(format!("{} bytes", bytes.len()), "waves and frames".into()))?;
        let frames: u64 = waves.iter().map(|(_, frames)| u64::from(*frames)).sum();
        if listed.len() as u64 != frames * ENTRY_LEN as u64 {
            let found = format!("{} bytes of entries", listed.len());
            return Err(wrong(
                found,
                format!("{frames} entries of {ENTRY_LEN} bytes"),
            ));
        }
        if !waves.is_sorted_by(|a, b| a.0 > b.0) || waves.iter().any(|(_, frames)| *frames == 0) {
            let found = "waves out of order or without frames".into();
            return Err(wrong(found, "falling level sums, each with frames".into()));
        }
        let mut first = 0;
        let mut starts = Vec::with_capacity(waves.len());
        for (sum, frames) in waves {
            starts.push((sum, first));
            first += frames as usize;
        }
        let mut directory = FamilyDirectory {
            waves: starts,
            entries: Vec::with_capacity(first),
        };
        let (mut offset, mut total, mut wave) = (frames_start, 0_u64, 0);
        for (place, entry) in listed.chunks_exact(ENTRY_LEN).enumerate() {
            let mut key = [0; 8];
            key.copy_from_slice(&entry[..8]);
            let entry = FamilyFrame {
                offset,
                before: total,
                first: u64::from_le_bytes(key),
                len: number(entry, 8) & !RAW,
                raw: number(entry, 8) & RAW != 0,
                crc: number(entry, 12),
                packed: number(entry, 16),
                families: number(entry, 20),
            };
            if entry.len == 0
                || !(1..=MOST_FAMILIES as u32).contains(&entry.families)
                || entry.packed < entry.families
            {
                let found = format!(
                    "{} values of {} families in {} bytes in frame {place}",
                    entry.packed, entry.families, entry.len
                );
                let expected = format!("1 to {MOST_FAMILIES} families with values");
                return Err(wrong(found, expected));
            }
            let next = directory.waves.get(wave + 1);
            wave += usize::from(next.is_some_and(|(_, first)| *first == place));
            let (sum, begins) = directory.waves[wave];
            let rises = directory
                .entries
                .last()
                .is_none_or(|last| last.first < entry.first);
            if level_sum(entry.first) != sum || !(rises || place == begins) {
                let found = format!("family {} at the begin of frame {place}", entry.first);
                return Err(wrong(found, format!("rising ones of level sum {sum}")));
            }
            offset += u64::from(entry.len);
            total += u64::from(entry.packed);
            directory.entries.push(entry);
        }
        if offset != frames_end {
            let found = format!("frames up to byte {offset}");
            return Err(wrong(found, frames_end.to_string()));
        }
        if total != packed {
            return Err(wrong(format!("{total} values"), packed.to_string()));
        }
        Ok(directory)
    }

    // Level sum and first frame of the wave that a frame is of.
    fn wave_of(&self, frame: usize) -> (u32, usize) {
        let next = self.waves.partition_point(|(_, first)| *first <= frame);
        next.checked_sub(1).map_or((0, 0), |wave| self.waves[wave])
    }

    /// The frames, each with its level sum.
    pub(crate) fn frames(&self) -> impl Iterator<Item = (u64, u32, &FamilyFrame)> {
        let numbered = self.entries.iter().enumerate();
        numbered.map(|(number, entry)| (number as u64, self.wave_of(number).0, entry))
    }

    /// Number of frames.
    pub(crate) fn len(&self) -> u64 {
        self.entries.len() as u64
    }

    /// A frame, and its level sum.
    pub(crate) fn entry(&self, frame: u64) -> Option<(u32, &FamilyFrame)> {
        let place = usize::try_from(frame).ok()?;
        Some((self.wave_of(place).0, self.entries.get(place)?))
    }

    /// The frame that has the packed position with a rank in the whole table.
    pub(crate) fn frame_at(&self, rank: u64) -> Option<u64> {
        let after = self.entries.partition_point(|entry| entry.before <= rank);
        Some(after.checked_sub(1)? as u64)
    }

    /// The frame that has a family if any has.
    pub(crate) fn frame_of(&self, key: u64) -> Option<u64> {
        let sum = level_sum(key);
        let wave = self
            .waves
            .binary_search_by(|(other, _)| sum.cmp(other))
            .ok()?;
        let begin = self.waves[wave].1;
        let end = self
            .waves
            .get(wave + 1)
            .map_or(self.entries.len(), |(_, first)| *first);
        let after = self.entries[begin..end].partition_point(|entry| entry.first <= key);
        Some((begin + after.checked_sub(1)?) as u64)
    }
}
