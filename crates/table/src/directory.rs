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
use crate::frame::{EncodedFrame, most_plain};
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
            let plain = most_plain(layout, frame_no, entry.packed);
            if u64::from(entry.len) > plain {
                let found = format!("{} bytes for frame {frame_no}", entry.len);
                return wrong(found, format!("at most {plain}"));
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::ValueKind;

    /// Eleven frames of one leaf each; the last has 100 indices.
    fn layout() -> Layout {
        Layout::new("distance", 8, ValueKind::Unsigned, 10 * 65_536 + 100)
            .unwrap()
            .with_frame_bits(16)
            .unwrap()
    }

    fn bytes(bitmap: &[u8], entries: &[[u32; 3]]) -> Vec<u8> {
        let numbers = entries.as_flattened().iter();
        let numbers = numbers.flat_map(|number| number.to_le_bytes());
        bitmap.iter().copied().chain(numbers).collect()
    }

    fn parse(bytes: &[u8], packed: u64, end: u64) -> Result<Directory, String> {
        let directory = Directory::parse(bytes, &layout(), packed, 64, end);
        directory.map_err(|error| error.to_string())
    }

    #[test]
    fn stored_frames_are_found_and_others_are_not() {
        let bytes = bytes(
            &[0b1000_0010, 0b100],
            &[[5, 1, 50], [6 | RAW, 2, 60], [7, 3, 70]],
        );
        let directory = parse(&bytes, 180, 82).unwrap();
        let entry = |offset, len, raw, crc, packed| Entry {
            offset,
            len,
            raw,
            crc,
            packed,
        };
        let expected = [
            (1, entry(64, 5, false, 1, 50)),
            (7, entry(69, 6, true, 2, 60)),
            (10, entry(75, 7, false, 3, 70)),
        ];
        let stored = directory.stored().map(|(number, entry)| (number, *entry));
        assert_eq!(stored.collect::<Vec<_>>(), expected);
        for frame_no in 0..200 {
            let found = directory.entry(frame_no).copied();
            let listed = expected.iter().find(|(number, _)| *number == frame_no);
            assert_eq!(found, listed.map(|(_, entry)| *entry), "frame {frame_no}");
        }
        assert!(directory.entry(u64::MAX).is_none());
    }

    #[test]
    fn contradictions_are_named() {
        type Case = (&'static [u8], &'static [[u32; 3]], u64, u64, &'static str);
        let cases: [Case; 10] = [
            (&[0], &[], 0, 64, "found 1 bytes, expected 2 or more"),
            (
                &[0, 0b1000],
                &[[1, 0, 1]],
                1,
                65,
                "found a frame beyond the last, expected 11 frames",
            ),
            (
                &[1, 0],
                &[],
                0,
                64,
                "found 0 bytes of entries, expected 1 entries of 12 bytes",
            ),
            (
                &[0, 0],
                &[[1, 0, 1]],
                1,
                65,
                "found 12 bytes of entries, expected 0 entries of 12 bytes",
            ),
            (
                &[1, 0],
                &[[1, 0, 1]],
                1,
                66,
                "found frames up to byte 65, expected 66",
            ),
            (
                &[1, 0],
                &[[RAW - 1, 0, 1]],
                1,
                65,
                "found frames up to byte 2147483711, expected 65",
            ),
            (
                &[1, 0],
                &[[1, 0, 0]],
                0,
                65,
                "found 0 values in frame 0, expected 1 to 65536",
            ),
            (
                &[1, 0],
                &[[1, 0, 65_537]],
                65_537,
                65,
                "found 65537 values in frame 0, expected 1 to 65536",
            ),
            (
                &[0, 0b100],
                &[[1, 0, 101]],
                101,
                65,
                "found 101 values in frame 10, expected 1 to 100",
            ),
            (&[1, 0], &[[1, 0, 5]], 6, 65, "found 5 values, expected 6"),
        ];
        for (bitmap, entries, packed, end, expected) in cases {
            let found = parse(&bytes(bitmap, entries), packed, end).unwrap_err();
            assert_eq!(found, format!("the directory is damaged: {expected}"));
        }
    }
}
