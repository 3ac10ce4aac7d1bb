//! Frames: runs of consecutive leaves, compressed together.
//!
//! ```text
//! more than one leaf   u32 count of each leaf | payload of each leaf, one after another
//! one leaf             payload (the count is the frame's, in the directory)
//! ```

use std::io::ErrorKind;
use std::sync::OnceLock;

use crate::compression::{DecompressionError, compressed, decompressed};
use crate::error::TableError;
use crate::hash::{Hash32, hash_of_leaf};
use crate::layout::{Layout, ValueKind};
use crate::leaf::{Leaf, payload_len};
use crate::packed::PackedIndices;

/// A frame as it goes into the file, with the hashes of its leaves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EncodedFrame {
    pub(crate) frame_no: u64,
    pub(crate) packed: u32,
    pub(crate) raw: bool,
    pub(crate) crc: u32,
    pub(crate) bytes: Vec<u8>,
    pub(crate) hashes: Vec<(u64, Hash32)>,
}

impl EncodedFrame {
    /// A frame without packed positions.
    #[must_use]
    pub fn empty(frame_no: u64) -> EncodedFrame {
        EncodedFrame {
            frame_no,
            packed: 0,
            raw: false,
            crc: 0,
            bytes: Vec::new(),
            hashes: Vec::new(),
        }
    }

    /// Number of the frame.
    #[must_use]
    pub fn frame_no(&self) -> u64 {
        self.frame_no
    }

    /// Number of packed positions.
    #[must_use]
    pub fn packed(&self) -> u32 {
        self.packed
    }

    /// Bytes that the frame takes in the file.
    #[must_use]
    pub fn stored_len(&self) -> usize {
        self.bytes.len()
    }

    /// Number and hash of each non-empty leaf, in index order, for a
    /// [`SignatureBuilder`](crate::SignatureBuilder).
    #[must_use]
    pub fn leaf_hashes(&self) -> &[(u64, Hash32)] {
        &self.hashes
    }
}

/// Encodes a frame from all its leaves, the empty ones included. Depends on nothing but its arguments,
/// so frames can be encoded in parallel.
///
/// # Panics
/// When the number of leaves is not that of [`Layout::leaves_of_frame`], a leaf has more values than
/// indices, or its payload is not as long as its count asks.
#[must_use]
pub fn encode_frame(layout: &Layout, frame_no: u64, leaves: &[Leaf]) -> EncodedFrame {
    let numbers = layout.leaves_of_frame(frame_no);
    assert_eq!(
        numbers.end - numbers.start,
        leaves.len() as u64,
        "leaves of frame {frame_no}"
    );
    let mut plain = Vec::new();
    if leaves.len() > 1 {
        plain.extend(leaves.iter().flat_map(|leaf| leaf.count.to_le_bytes()));
    }
    let mut frame = EncodedFrame::empty(frame_no);
    for (leaf_no, leaf) in numbers.zip(leaves) {
        let indices = layout.indices_of_leaf(leaf_no);
        assert!(
            u64::from(leaf.count) <= indices.end - indices.start
                && payload_len(leaf.count, layout.value_bits) == leaf.payload.len() as u64,
            "leaf {leaf_no}: {} values in {} bytes for {indices:?}",
            leaf.count,
            leaf.payload.len()
        );
        if leaf.count > 0 {
            frame.packed += leaf.count;
            plain.extend_from_slice(&leaf.payload);
            let hash = hash_of_leaf(leaf_no, leaf.count, &leaf.payload);
            frame.hashes.push((leaf_no, hash));
        }
    }
    if frame.packed == 0 {
        return frame;
    }
    (frame.raw, frame.bytes) = match compressed(&plain) {
        Some(bytes) if bytes.len() < plain.len() => (false, bytes),
        _ => (true, plain),
    };
    frame.crc = crc32fast::hash(&frame.bytes);
    frame
}

/// Most plain bytes of a frame with this many packed positions; stored are no more.
pub(crate) fn most_plain(layout: &Layout, frame_no: u64, packed: u32) -> u64 {
    let numbers = layout.leaves_of_frame(frame_no);
    let many = numbers.end - numbers.start;
    // Each leaf but the last byte of it is filled.
    head_len(many) + payload_len(packed, layout.value_bits) + many
}

// Bytes of the counts before the payload.
fn head_len(leaves: u64) -> u64 {
    if leaves > 1 { 4 * leaves } else { 0 }
}

/// The plain bytes of a frame and where its leaves lie in them.
#[derive(Debug, Default)]
pub(crate) struct DecodedFrame {
    pub(crate) bytes: Vec<u8>,
    /// Count, and start of the payload in `bytes`, of each leaf.
    pub(crate) leaves: Vec<(u32, usize)>,
    /// Where leaves are runs of indices, which indices of each are packed, once a reader has said so.
    pub(crate) packed: Vec<OnceLock<PackedIndices>>,
    /// Where leaves are families, their keys.
    pub(crate) keys: Vec<u64>,
}

impl DecodedFrame {
    /// Bytes that the frame takes in memory.
    pub(crate) fn size(&self) -> usize {
        let leaves = self.leaves.len() * size_of::<(u32, usize)>();
        let packed = size_of::<OnceLock<PackedIndices>>() + PackedIndices::BYTES;
        let packed = self.packed.len() * packed;
        self.bytes.len() + leaves + packed + self.keys.len() * size_of::<u64>()
    }

    /// Refuses values that should be numbers and are none.
    pub(crate) fn expect_numbers(&self, kind: ValueKind, frame_no: u64) -> Result<(), TableError> {
        let payload = &self.bytes[self.leaves.first().map_or(0, |(_, start)| *start)..];
        let finite = match kind {
            ValueKind::F32 => {
                let (numbers, _) = payload.as_chunks();
                let mut numbers = numbers.iter().map(|bytes| f32::from_le_bytes(*bytes));
                numbers.all(f32::is_finite)
            }
            ValueKind::F64 => {
                let (numbers, _) = payload.as_chunks();
                let mut numbers = numbers.iter().map(|bytes| f64::from_le_bytes(*bytes));
                numbers.all(f64::is_finite)
            }
            ValueKind::Unsigned | ValueKind::Signed => true,
        };
        if finite {
            return Ok(());
        }
        let part = format!("frame {frame_no}");
        let (found, expected) = ("a value that is not finite", "numbers");
        Err(TableError::inconsistent(part, found, expected))
    }

    /// Decodes the stored bytes of a frame whose checksum has been found right.
    pub(crate) fn decode(
        layout: &Layout,
        frame_no: u64,
        packed: u32,
        raw: bool,
        stored: Vec<u8>,
    ) -> Result<DecodedFrame, TableError> {
        let part = || format!("frame {frame_no}");
        let numbers = layout.leaves_of_frame(frame_no);
        let many = numbers.end - numbers.start;
        let head = head_len(many);
        let most = most_plain(layout, frame_no, packed);
        let bytes = if raw {
            stored
        } else {
            let expected = || format!("one zstd frame of at most {most} plain bytes");
            decompressed(&stored, most).map_err(|undone| match undone {
                DecompressionError::Found(found) => {
                    TableError::inconsistent(part(), found, expected())
                }
                DecompressionError::Refused => {
                    TableError::io("read")(ErrorKind::OutOfMemory.into())
                }
            })?
        };
        let wrong = |found: String, expected: String| {
            Err(TableError::inconsistent(part(), found, expected))
        };
        if (bytes.len() as u64) < head {
            return wrong(format!("{} bytes", bytes.len()), format!("{head} or more"));
        }
        let mut start = head;
        let mut total = 0u64;
        let mut leaves = Vec::with_capacity(many as usize);
        for (nth, leaf_no) in numbers.enumerate() {
            let count = match bytes[..head as usize].chunks_exact(4).nth(nth) {
                Some(count) => u32::from_le_bytes([count[0], count[1], count[2], count[3]]),
                None => packed,
            };
            let indices = layout.indices_of_leaf(leaf_no);
            if u64::from(count) > indices.end - indices.start {
                let expected = format!("at most {}", indices.end - indices.start);
                return wrong(format!("{count} values in leaf {leaf_no}"), expected);
            }
            leaves.push((count, start as usize));
            start += payload_len(count, layout.value_bits);
            total += u64::from(count);
        }
        if total != u64::from(packed) {
            return wrong(format!("{total} values"), packed.to_string());
        }
        if start != bytes.len() as u64 {
            return wrong(format!("{} bytes", bytes.len()), start.to_string());
        }
        Ok(DecodedFrame {
            bytes,
            packed: leaves.iter().map(|_| OnceLock::new()).collect(),
            leaves,
            keys: Vec::new(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two leaves in a frame, the second of 100 indices; one byte a value.
    fn layout() -> Layout {
        Layout::new("distance", 8, ValueKind::Unsigned, 65_636)
            .unwrap()
            .with_frame_bits(17)
            .unwrap()
    }

    fn plain(counts: [u32; 2], payload: &[u8]) -> Vec<u8> {
        let counts = counts.map(u32::to_le_bytes).concat();
        [&counts[..], payload].concat()
    }

    fn refused(packed: u32, raw: bool, stored: Vec<u8>) -> String {
        let frame = DecodedFrame::decode(&layout(), 0, packed, raw, stored);
        frame.unwrap_err().to_string()
    }

    #[test]
    fn plain_bytes_must_agree_with_their_counts() {
        let frame = DecodedFrame::decode(&layout(), 0, 3, true, plain([1, 2], &[7, 8, 9])).unwrap();
        assert_eq!(frame.leaves, [(1, 8), (2, 9)]);
        let cases = [
            (3, vec![0; 7], "found 7 bytes, expected 8 or more"),
            (3, plain([1, 1], &[7, 8]), "found 2 values, expected 3"),
            (3, plain([1, 3], &[7, 8, 9]), "found 4 values, expected 3"),
            (3, plain([1, 2], &[7, 8]), "found 10 bytes, expected 11"),
            (3, plain([1, 2], &[7; 4]), "found 12 bytes, expected 11"),
            (
                101,
                plain([0, 101], &[7; 101]),
                "found 101 values in leaf 1, expected at most 100",
            ),
            (
                3,
                plain([u32::MAX, u32::MAX], &[]),
                "found 4294967295 values in leaf 0, expected at most 65536",
            ),
        ];
        for (packed, bytes, expected) in cases {
            let found = refused(packed, true, bytes);
            assert_eq!(found, format!("frame 0 is damaged: {expected}"));
        }
    }

    #[test]
    fn a_single_leaf_has_no_counts() {
        let layout = layout().with_frame_bits(16).unwrap();
        let frame = DecodedFrame::decode(&layout, 1, 3, true, vec![7, 8, 9]).unwrap();
        assert_eq!(frame.leaves, [(3, 0)]);
        assert!(DecodedFrame::decode(&layout, 1, 3, true, vec![7, 8]).is_err());
        assert!(DecodedFrame::decode(&layout, 1, 101, true, vec![7; 101]).is_err());
    }

    // Miri cannot call the C library of zstd.
    #[test]
    #[cfg_attr(miri, ignore)]
    fn only_one_whole_zstd_frame_of_the_right_size_is_decoded() {
        let bytes = plain([40, 60], &[7; 100]);
        let good = compressed(&bytes).unwrap();
        let frame = DecodedFrame::decode(&layout(), 0, 100, false, good.clone()).unwrap();
        assert_eq!(frame.bytes, bytes);
        let one = |found: &str| {
            format!(
                "frame 0 is damaged: found {found}, expected one zstd frame of at most 110 plain bytes"
            )
        };
        let bomb = compressed(&[0; 10_000_000]).unwrap();
        assert!(bomb.len() < 2000);
        assert_eq!(refused(100, false, bomb), one("no such size"));
        assert_eq!(
            refused(100, false, b"no zstd".to_vec()),
            one("no such size")
        );
        assert_eq!(refused(100, false, Vec::new()), one("no such size"));
        let twice = [&good[..], &good].concat();
        let found = format!("more or less than a frame in {} bytes", twice.len());
        assert_eq!(refused(100, false, twice), one(&found));
        let cut = good[..good.len() - 1].to_vec();
        let found = format!("more or less than a frame in {} bytes", cut.len());
        assert_eq!(refused(100, false, cut), one(&found));
    }

    // As above.
    #[test]
    #[cfg_attr(miri, ignore)]
    fn whatever_is_not_shorter_compressed_is_stored_as_it_is() {
        let few = encode_frame(&layout(), 0, &[Leaf::pack(8, [1]), Leaf::default()]);
        assert!(few.raw);
        assert_eq!(few.bytes, plain([1, 0], &[1]));
        let many = encode_frame(&layout(), 0, &[Leaf::pack(8, [1; 900]), Leaf::default()]);
        assert!(!many.raw && many.bytes.len() < 100);
        let none = encode_frame(&layout(), 0, &[Leaf::default(), Leaf::default()]);
        assert_eq!(none, EncodedFrame::empty(0));
    }

    #[test]
    #[should_panic(expected = "leaf 1: 101 values")]
    fn a_leaf_with_too_many_values_is_our_own_mistake() {
        let leaves = [Leaf::default(), Leaf::pack(8, [0; 101])];
        let _ = encode_frame(&layout(), 0, &leaves);
    }
}
