//! Hashes of rules and of leaves.

use std::fmt;
use std::str::FromStr;

use crate::error::TableError;
use crate::leaf::Leaf;

/// A 256-bit blake3 hash, shown and parsed as 64 hexadecimal digits (lower case when shown).
#[derive(
    Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, bincode::Encode, bincode::Decode,
)]
pub struct Hash32(pub [u8; 32]);

impl Hash32 {
    /// blake3 of some bytes, for instance of a canonical rules text.
    #[must_use]
    pub fn of(bytes: &[u8]) -> Hash32 {
        Hash32(*blake3::hash(bytes).as_bytes())
    }
}

impl fmt::Display for Hash32 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Hash32 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Hash32({self})")
    }
}

impl FromStr for Hash32 {
    type Err = TableError;

    fn from_str(text: &str) -> Result<Hash32, TableError> {
        let bad = || TableError::BadHashText {
            found: text.to_owned(),
        };
        if text.len() != 64 || !text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return Err(bad());
        }
        let mut hash = [0; 32];
        for (byte, at) in hash.iter_mut().zip((0..64).step_by(2)) {
            *byte = u8::from_str_radix(&text[at..at + 2], 16).map_err(|_| bad())?;
        }
        Ok(Hash32(hash))
    }
}

/// Hash of one leaf: blake3 over the leaf's number (`u64`), its count (`u32`), both little-endian,
/// and its payload. Leaves can be hashed in any order and in parallel.
#[must_use]
pub fn leaf_hash(leaf_no: u64, leaf: &Leaf) -> Hash32 {
    hash_of_leaf(leaf_no, leaf.count, &leaf.payload)
}

/// [`leaf_hash`] of a leaf whose payload lies in some larger buffer.
pub(crate) fn hash_of_leaf(leaf_no: u64, count: u32, payload: &[u8]) -> Hash32 {
    let mut hasher = blake3::Hasher::new();
    hasher.update(&leaf_no.to_le_bytes());
    hasher.update(&count.to_le_bytes());
    hasher.update(payload);
    Hash32(*hasher.finalize().as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_and_hash_are_inverse() {
        let hash = Hash32::of(b"some rules");
        assert_eq!(hash.to_string().parse::<Hash32>().unwrap(), hash);
        assert_eq!(
            hash.to_string().to_uppercase().parse::<Hash32>().unwrap(),
            hash
        );
        for bad in ["", "12", &"g".repeat(64), &"é".repeat(32), &"0".repeat(65)] {
            assert!(bad.parse::<Hash32>().is_err(), "{bad}");
        }
    }
}
