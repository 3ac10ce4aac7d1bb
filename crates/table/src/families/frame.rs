//! Frames of families: runs of consecutive families of a wave, compressed together.
//!
//! ```text
//! for each family   its key less the one before (the first: nothing), count of its packed positions
//! then              payload of each family, one after another
//! ```
//!
//! Keys and counts are numbers of seven bits a byte, the lowest first, the top bit set on all bytes but
//! the last.

use std::io::ErrorKind;

use super::directory::FamilyFrame;
use super::signature::{family_hash, level_sum};
use crate::compression::{DecompressionError, compressed, decompressed};
use crate::error::TableError;
use crate::frame::DecodedFrame;
use crate::hash::Hash32;
use crate::layout::Layout;
use crate::leaf::{Leaf, payload_len};

/// Families of a frame, at most.
pub const MOST_FAMILIES: usize = 256;

/// A frame of families as it goes into the file, with the hashes of its families.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EncodedFamilies {
    pub(crate) first: u64,
    pub(crate) families: u32,
    pub(crate) packed: u32,
    pub(crate) raw: bool,
    pub(crate) crc: u32,
    pub(crate) bytes: Vec<u8>,
    pub(crate) hashes: Vec<Hash32>,
}

/// Encodes a frame from its families, by rising key, one [`MOST_FAMILIES`] at most. Depends on nothing but
/// its arguments, so frames can be encoded in parallel.
///
/// # Panics
/// When there are none or too many, when keys do not rise, or when a family packs nothing or has a
/// payload that is not as long as its count asks.
#[must_use]
pub fn encode_families(layout: &Layout, families: &[(u64, Leaf)]) -> EncodedFamilies {
    assert!(
        (1..=MOST_FAMILIES).contains(&families.len()),
        "{} families in a frame",
        families.len()
    );
    let mut plain = Vec::new();
    let mut packed = 0;
    let mut before = families[0].0;
    for (place, (key, family)) in families.iter().enumerate() {
        assert!(
            (place == 0 || *key > before)
                && family.count > 0
                && payload_len(family.count, layout.value_bits) == family.payload.len() as u64,
            "family {key}: {} values in {} bytes",
            family.count,
            family.payload.len()
        );
        if place > 0 {
            put(&mut plain, key - before);
        }
        put(&mut plain, family.count.into());
        packed += family.count;
        before = *key;
    }
    for (_, family) in families {
        plain.extend_from_slice(&family.payload);
    }
    let (raw, bytes) = match compressed(&plain) {
        Some(bytes) if bytes.len() < plain.len() => (false, bytes),
        _ => (true, plain),
    };
    EncodedFamilies {
        first: families[0].0,
        families: families.len() as u32,
        packed,
        raw,
        crc: crc32fast::hash(&bytes),
        bytes,
        hashes: families
            .iter()
            .map(|(key, family)| family_hash(*key, family))
            .collect(),
    }
}

fn put(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 1 << 7 {
        bytes.push(number as u8 | 1 << 7);
        number >>= 7;
    }
    bytes.push(number as u8);
}

// The number that begins some bytes, and the rest of them.
fn take(bytes: &[u8]) -> Option<(u64, &[u8])> {
    let mut number = 0;
    for (place, byte) in bytes.iter().enumerate().take(10) {
        let part = u64::from(byte & 0x7F);
        let shifted = part.checked_shl(7 * place as u32)?;
        if shifted >> (7 * place) != part {
            return None;
        }
        number |= shifted;
        if byte >> 7 == 0 {
            return Some((number, &bytes[place + 1..]));
        }
    }
    None
}

/// Decodes the stored bytes of a frame whose checksum has been found right: its families.
/// None has more than `places` positions.
pub(crate) fn decode(
    layout: &Layout,
    number: u64,
    sum: u32,
    entry: &FamilyFrame,
    places: u64,
    stored: Vec<u8>,
) -> Result<DecodedFrame, TableError> {
    let wrong = |found: String, expected: String| {
        TableError::inconsistent(format!("frame {number}"), found, expected)
    };
    let most = entry.most_plain(layout);
    let bytes = if entry.raw {
        stored
    } else {
        let expected = || format!("one zstd frame of at most {most} plain bytes");
        decompressed(&stored, most).map_err(|undone| match undone {
            DecompressionError::Found(found) => wrong(found, expected()),
            DecompressionError::Refused => TableError::io("read")(ErrorKind::OutOfMemory.into()),
        })?
    };
    let ends = || {
        wrong(
            "no further family".into(),
            format!("{} of them", entry.families),
        )
    };
    let (mut rest, mut key, mut total) = (&bytes[..], entry.first, 0);
    let (mut keys, mut counts) = (Vec::new(), Vec::new());
    for place in 0..entry.families {
        if place > 0 {
            let (step, after) = take(rest).ok_or_else(ends)?;
            let next = key.checked_add(step).filter(|next| *next > key);
            key =
                next.ok_or_else(|| wrong("keys that do not rise".into(), "rising ones".into()))?;
            rest = after;
        }
        if level_sum(key) != sum {
            let found = format!("family {key} of level sum {}", level_sum(key));
            return Err(wrong(found, sum.to_string()));
        }
        let (count, after) = take(rest).ok_or_else(ends)?;
        rest = after;
        if !(1..=places).contains(&count) {
            let found = format!("{count} values in family {key}");
            return Err(wrong(found, format!("1 to {places}")));
        }
        keys.push(key);
        counts.push(count as u32);
        total += count;
    }
    if total != u64::from(entry.packed) {
        return Err(wrong(format!("{total} values"), entry.packed.to_string()));
    }
    let mut start = bytes.len() - rest.len();
    let mut leaves = Vec::with_capacity(counts.len());
    for count in counts {
        leaves.push((count, start));
        start += payload_len(count, layout.value_bits) as usize;
    }
    if start != bytes.len() {
        return Err(wrong(format!("{} bytes", bytes.len()), start.to_string()));
    }
    Ok(DecodedFrame {
        bytes,
        leaves,
        keys,
        packed: Vec::new(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_as_they_were_put() {
        for number in [0, 1, 127, 128, 300, 1 << 42, u64::MAX] {
            let mut bytes = Vec::new();
            put(&mut bytes, number);
            bytes.push(9);
            assert_eq!(take(&bytes), Some((number, &[9][..])));
        }
        assert_eq!(take(&[0x80]), None);
        assert_eq!(take(&[0xFF; 11]), None);
    }
}
