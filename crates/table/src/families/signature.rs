//! The signature of a table of families: wave by wave, so that waves can be hashed where they are made.

use crate::hash::{Hash32, hash_of_leaf};
use crate::layout::Layout;
use crate::leaf::Leaf;

const DOMAIN: &[u8] = b"greenwave table signature 2\n";

/// The sum of the levels of a key.
pub(crate) fn level_sum(key: u64) -> u32 {
    (key & 0x5555_5555_5555_5555).count_ones() + 2 * (key & 0xAAAA_AAAA_AAAA_AAAA).count_ones()
}

/// Hash of one family: blake3 over its key (`u64`), its count (`u32`), both little-endian, and its
/// payload.
pub(crate) fn family_hash(key: u64, family: &Leaf) -> Hash32 {
    hash_of_leaf(key, family.count, &family.payload)
}

/// Builds the hash of a wave: blake3 over its level sum (`u32`) and the [`family_hash`] of each of its
/// families, by rising key.
#[derive(Clone, Debug)]
pub(crate) struct WaveHash(blake3::Hasher);

impl WaveHash {
    /// Starts the wave of some level sum.
    pub(crate) fn new(sum: u32) -> WaveHash {
        let mut hasher = blake3::Hasher::new();
        hasher.update(&sum.to_le_bytes());
        WaveHash(hasher)
    }

    /// Adds the next family.
    pub(crate) fn push(&mut self, hash: &Hash32) {
        self.0.update(&hash.0);
    }

    /// The hash of all that was added.
    pub(crate) fn finish(&self) -> Hash32 {
        Hash32(*self.0.finalize().as_bytes())
    }
}

/// The signature of a table of families: blake3 over these parts, in this order. The 28 bytes
/// `greenwave table signature 2\n`; the rules hash; the length of the metric's name (`u32`) and the
/// name. The value width in bits (`u32`), the number of near squares (`u32`), the number of all
/// squares (`u32`) and these in their order (a byte each). The hashes of all waves that have
/// families, the highest first. Numbers are little-endian.
pub(crate) fn families_signature(
    layout: &Layout,
    rules_hash: &Hash32,
    squares: &[u8],
    near: u32,
    waves: &[Hash32],
) -> Hash32 {
    let mut hasher = blake3::Hasher::new();
    hasher.update(DOMAIN);
    hasher.update(&rules_hash.0);
    hasher.update(&(layout.metric.len() as u32).to_le_bytes());
    hasher.update(layout.metric.as_bytes());
    for number in [layout.value_bits, near, squares.len() as u32] {
        hasher.update(&number.to_le_bytes());
    }
    hasher.update(squares);
    for wave in waves {
        hasher.update(&wave.0);
    }
    Hash32(*hasher.finalize().as_bytes())
}
