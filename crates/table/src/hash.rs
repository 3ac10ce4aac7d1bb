//! Hashes: of rules, of leaves, and the signature over a whole table.

use std::fmt;
use std::str::FromStr;

use crate::error::TableError;
use crate::layout::Layout;
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

/// Separates signatures from every other use of blake3, and one recipe from a later one.
const DOMAIN: &[u8] = b"greenwave table signature 1\n";

/// Builds the signature of a table from its leaf hashes, without any file being written.
///
/// The signature is blake3 over, in this order: the 28 bytes `greenwave table signature 1\n`; the
/// rules hash; the length of the metric's name in bytes (`u32`) and the name. Then come the value
/// width in bits (`u32`) and the hashes of all non-empty leaves in index order. Numbers are
/// little-endian. Frames and compression have no part in it.
///
/// ```
/// use greenwave_table::{Hash32, Layout, Leaf, SignatureBuilder, ValueKind, leaf_hash};
///
/// let layout = Layout::new("value", 1, ValueKind::Unsigned, 100_000)?;
/// let mut builder = SignatureBuilder::new(&layout, &Hash32::of(b"rules"));
/// builder.push(1, &leaf_hash(1, &Leaf::pack(1, [1, 0, 1]))); // leaf 0 is empty: left out
/// assert_eq!(builder.finish().to_string().len(), 64);
/// # Ok::<(), greenwave_table::TableError>(())
/// ```
#[derive(Clone, Debug)]
pub struct SignatureBuilder {
    hasher: blake3::Hasher,
    next_leaf: u64,
}

impl SignatureBuilder {
    /// Starts the signature of a table of these rules; of the layout only metric and value width count.
    #[must_use]
    pub fn new(layout: &Layout, rules_hash: &Hash32) -> SignatureBuilder {
        let mut hasher = blake3::Hasher::new();
        hasher.update(DOMAIN);
        hasher.update(&rules_hash.0);
        hasher.update(&(layout.metric.len() as u32).to_le_bytes());
        hasher.update(layout.metric.as_bytes());
        hasher.update(&layout.value_bits.to_le_bytes());
        SignatureBuilder {
            hasher,
            next_leaf: 0,
        }
    }

    /// Adds the [`leaf_hash`] of the next non-empty leaf. Empty leaves are not added.
    ///
    /// # Panics
    /// When the leaves do not come in rising order.
    pub fn push(&mut self, leaf_no: u64, hash: &Hash32) {
        assert!(
            leaf_no >= self.next_leaf,
            "leaf {leaf_no} comes too late: leaves below {} are done",
            self.next_leaf
        );
        self.next_leaf = leaf_no + 1;
        self.hasher.update(&hash.0);
    }

    /// The signature over all that was added.
    #[must_use]
    pub fn finish(&self) -> Hash32 {
        Hash32(*self.hasher.finalize().as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::ValueKind;

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

    #[test]
    fn the_signature_depends_on_everything_it_names() {
        let rules = Hash32::of(b"rules");
        let sign = |metric: &str, bits, rules: &Hash32, leaves: &[(u64, Leaf)]| {
            let layout = Layout::new(metric, bits, ValueKind::Unsigned, 1 << 20).unwrap();
            let mut builder = SignatureBuilder::new(&layout, rules);
            for (number, leaf) in leaves {
                builder.push(*number, &leaf_hash(*number, leaf));
            }
            builder.finish()
        };
        let leaves = [(0, Leaf::pack(1, [1, 0])), (3, Leaf::pack(1, [1]))];
        let moved = [(0, Leaf::pack(1, [1, 0])), (4, Leaf::pack(1, [1]))];
        let longer = [(0, Leaf::pack(1, [1, 0, 0])), (3, Leaf::pack(1, [1]))];
        let all = [
            sign("value", 1, &rules, &leaves),
            sign("nimber", 1, &rules, &leaves),
            sign("value", 2, &rules, &leaves),
            sign("value", 1, &Hash32::of(b"others"), &leaves),
            sign("value", 1, &rules, &moved),
            sign("value", 1, &rules, &longer),
            sign("value", 1, &rules, &leaves[..1]),
        ];
        for (at, one) in all.iter().enumerate() {
            assert!(!all[at + 1..].contains(one), "signature {at} repeats");
        }
    }

    #[test]
    #[should_panic(expected = "comes too late")]
    fn leaves_out_of_order_are_refused() {
        let layout = Layout::new("value", 1, ValueKind::Unsigned, 1 << 20).unwrap();
        let mut builder = SignatureBuilder::new(&layout, &Hash32::default());
        builder.push(2, &Hash32::default());
        builder.push(2, &Hash32::default());
    }
}
