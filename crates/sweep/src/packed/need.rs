//! The memory and disk that a packed sweep needs with some grain.

use super::families::FAMILY_BYTES;
use super::grain::{Grain, room};
use super::pairs::{WavePair, saturated};
use super::scratch::{WorkingSet, piece_bytes};
use crate::sweep::store::HUGE;

/// Bytes of tables, lists of prefixes and buffers of threads.
pub(super) const FIXED_BYTES: u128 = 24 << 20;

/// Bytes of the code and place of a family in memory, and of the code once more while it is listed.
pub(super) const LISTED_BYTES: u128 = 28;

/// Chunks for each thread from which on they are as large as large pages at least.
const CHUNKS: u64 = 16;

/// The needs of a sweep with some grain.
#[derive(Clone, Copy)]
pub(super) struct Need {
    pub(super) memory: u128,
    /// Bytes of the two largest waves, of what is on disk of two at a time, about, and what is in memory
    /// while they are made there.
    pub(super) waves: u128,
    pub(super) on_disk: u128,
    pub(super) working: Option<WorkingSet>,
    pub(super) held: u64,
    pub(super) chunk_bits: u32,
    pub(super) blocks: f64,
}

impl Need {
    /// With waves in memory, of which these two are the largest together, families as they have `fold` times
    /// 256 blocks, and this many blocks in all.
    pub(super) fn in_memory(two: &WavePair, grain: Grain, fold: usize, blocks: f64) -> Need {
        let threads = rayon::current_num_threads() as u64;
        let held = two.held_by(3 * threads);
        let least = room(grain, fold).ilog2() + 2;
        let chunk_bits = (two.held / (64 * threads.max(2))).max(1).ilog2();
        // Each thread may lose some of them.
        let in_large_pages = two.held / (CHUNKS * threads) >= HUGE as u64;
        let fewest = if in_large_pages { HUGE.ilog2() } else { 18 };
        let chunk_bits = chunk_bits.clamp(fewest, 24).max(least);
        // The last of all threads may have a task beyond.
        let chunks = chunks(two.held_by(4 * threads), room(grain, fold), chunk_bits);
        let streams = u128::from(chunks) << chunk_bits;
        Need {
            memory: streams + LISTED_BYTES * u128::from(two.families) + FIXED_BYTES,
            waves: u128::from(two.bytes + FAMILY_BYTES * two.families),
            on_disk: on_disk(two),
            working: None,
            held,
            chunk_bits,
            blocks,
        }
    }
}

// Chunks of this many bits for some bytes of streams. Each may lose the room of one at its end; one more for
// each thread and wave.
pub(super) fn chunks(held: u64, room: usize, bits: u32) -> u64 {
    let whole = (1_u64 << bits).saturating_sub(room as u64).max(1);
    held.div_ceil(whole)
        .saturating_add(2 * rayon::current_num_threads() as u64)
}

// Bytes of two waves on disk at a time, with pieces that are not complete or still there.
pub(super) fn on_disk(two: &WavePair) -> u128 {
    let waves = u128::from(two.bytes) + u128::from(FAMILY_BYTES * two.families);
    let held = waves * u128::from(two.held) / u128::from(two.bytes.max(1));
    let pieces = 4 * u128::from(piece_bytes(saturated(waves)));
    waves.min(held + pieces)
}
