//! The signature of a whole table.

use crate::hash::Hash32;
use crate::layout::Layout;

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

    /// Adds the [`leaf_hash`](crate::leaf_hash) of the next non-empty leaf. Empty leaves are not added.
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
    use crate::hash::leaf_hash;
    use crate::layout::ValueKind;
    use crate::leaf::Leaf;

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
