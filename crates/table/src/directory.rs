//! The directory: which frames are stored, and where.
//!
//! ```text
//! bitmap    one bit per frame, least significant first, set when the frame has packed positions;
//!           zero bits up to a whole byte
//! entries   of each such frame, in order, 12 bytes:
//!             u32 length of the stored bytes, bit 31 set when they are not compressed
//!             u32 CRC-32 of the stored bytes
//!             u32 number of packed positions
//! ```
//! Stored frames follow each other without gaps, so offsets are sums of lengths.

use crate::error::TableError;
use crate::frame::EncodedFrame;
use crate::layout::Layout;

const ENTRY_LEN: usize = 12;
const RAW: u32 = 1 << 31;

/// Where a stored frame lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    /// Offset in the file, in bytes.
    pub(crate) offset: u64,
    /// Length in the file, in bytes.
    pub(crate) len: u32,
    /// Stored without compression?
    pub(crate) raw: bool,
    /// CRC-32 of the stored bytes.
    pub(crate) crc: u32,
    /// Number of packed positions.
    pub(crate) packed: u32,
}

/// The directory being written: frames are added in order.
#[derive(Debug, Default)]
pub(crate) struct DirectoryBuilder {
    bitmap: Vec<u8>,
    entries: Vec<u8>,
    frames: u64,
}

impl DirectoryBuilder {
    /// Number of frames added.
    pub(crate) fn frames(&self) -> u64 {
        self.frames
    }

    /// Adds the next frame.
    pub(crate) fn push(&mut self, frame: &EncodedFrame) {
        let bit = self.frames % 8;
        if bit == 0 {
            self.bitmap.push(0);
        }
        self.frames += 1;
        if frame.packed == 0 {
            return;
        }
        if let Some(last) = self.bitmap.last_mut() {
            *last |= 1 << bit;
        }
        // At most 64 MiB of payload and 32 KiB of counts (see Layout), so bit 31 is free.
        let len = frame.bytes.len() as u32 | if frame.raw { RAW } else { 0 };
        for number in [len, frame.crc, frame.packed] {
            self.entries.extend_from_slice(&number.to_le_bytes());
        }
    }

    /// The bytes of the directory.
    pub(crate) fn finish(self) -> Vec<u8> {
        [self.bitmap, self.entries].concat()
    }
}

/// A directory read from a file, checked against the layout.
#[derive(Debug)]
pub(crate) struct Directory {
    words: Vec<u64>,
    /// Number of stored frames before each word.
    before: Vec<u32>,
    entries: Vec<Entry>,
}

impl Directory {
    /// Reads a directory. `frames_start..frames_end` are the bytes of the file that hold frames.
    pub(crate) fn parse(
        bytes: &[u8],
        layout: &Layout,
        packed: u64,
        frames_start: u64,
        frames_end: u64,
    ) -> Result<Directory, TableError> {
        let wrong = |found: String, expected: String| {
            Err(TableError::inconsistent("the directory", found, expected))
        };
        let frames = layout.frames();
        let bitmap_len = usize::try_from(frames.div_ceil(8)).unwrap_or(usize::MAX);
        let Some((bitmap, listed)) = bytes.split_at_checked(bitmap_len) else {
            return wrong(
                format!("{} bytes", bytes.len()),
                format!("{bitmap_len} or more"),
            );
        };
        let words: Vec<u64> = bitmap
            .chunks(8)
            .map(|chunk| {
                let mut word = [0; 8];
                word[..chunk.len()].copy_from_slice(chunk);
                u64::from_le_bytes(word)
            })
            .collect();
        let used = frames % 64;
        if used != 0 && words.last().is_some_and(|last| last >> used != 0) {
            return wrong("a frame beyond the last".into(), format!("{frames} frames"));
        }
        let mut before = Vec::with_capacity(words.len());
        let mut stored = 0u32;
        for word in &words {
            before.push(stored);
            stored = stored.saturating_add(word.count_ones());
        }
        if listed.len() as u64 != u64::from(stored) * ENTRY_LEN as u64 {
            let found = format!("{} bytes of entries", listed.len());
            return wrong(found, format!("{stored} entries of {ENTRY_LEN} bytes"));
        }
        let mut entries = Vec::with_capacity(listed.len() / ENTRY_LEN);
        let mut offset = frames_start;
        for entry in listed.chunks_exact(ENTRY_LEN) {
            let number = |at: usize| {
                u32::from_le_bytes([entry[at], entry[at + 1], entry[at + 2], entry[at + 3]])
            };
            let len = number(0) & !RAW;
            entries.push(Entry {
                offset,
                len,
                raw: number(0) & RAW != 0,
                crc: number(4),
                packed: number(8),
            });
            offset += u64::from(len);
            if offset > frames_end {
                break;
            }
        }
        if offset != frames_end {
            return wrong(
                format!("frames up to byte {offset}"),
                frames_end.to_string(),
            );
        }
        let directory = Directory {
            words,
            before,
            entries,
        };
        let mut total = 0;
        for (frame_no, entry) in directory.stored() {
            let indices = layout.indices_of_frame(frame_no);
            let most = indices.end - indices.start;
            if !(1..=most).contains(&u64::from(entry.packed)) {
                let found = format!("{} values in frame {frame_no}", entry.packed);
                return wrong(found, format!("1 to {most}"));
            }
            total += u64::from(entry.packed);
        }
        if total != packed {
            return wrong(format!("{total} values"), packed.to_string());
        }
        Ok(directory)
    }

    /// Where a frame lies; `None` when it has no packed positions (or does not exist).
    pub(crate) fn entry(&self, frame_no: u64) -> Option<&Entry> {
        let at = usize::try_from(frame_no / 64).ok()?;
        let word = *self.words.get(at)?;
        let bit = frame_no % 64;
        if word >> bit & 1 == 0 {
            return None;
        }
        let rank = self.before[at] + (word & ((1 << bit) - 1)).count_ones();
        self.entries.get(rank as usize)
    }

    /// The stored frames with their numbers, in order.
    pub(crate) fn stored(&self) -> impl Iterator<Item = (u64, &Entry)> {
        let numbers = (0u64..).zip(&self.words).flat_map(|(at, &word)| {
            (0..64)
                .filter(move |bit| word >> bit & 1 == 1)
                .map(move |bit| at * 64 + bit)
        });
        numbers.zip(&self.entries)
    }
}
