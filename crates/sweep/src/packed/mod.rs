//! The packed, symmetric sweep: win or loss on boards of 10¹⁵ positions and more.
//!
//! Whether a position is *undecided* — no line stands and, where that would win, none can be
//! completed — is a product over patterns. So a look-up gives the undecided positions of a set of
//! squares, and only their values are stored. They are streams without gaps, one *family* of each
//! symmetric set of families, and of two *waves* at a time. See `layout` for the squares,
//! `kernel` for the streams, `waves` for the walk.

pub mod again;
#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod blocks;
mod codes;
pub mod cone;
mod counts;
mod families;
mod grain;
mod kernel;
mod layout;
// Other machines have no kernel that goes through lists.
#[cfg_attr(not(target_arch = "x86_64"), allow(dead_code))]
mod list;
mod loops;
mod memory;
mod near;
mod need;
#[cfg(all(target_arch = "aarch64", target_endian = "little"))]
mod neon;
mod pairs;
mod plan;
mod pool;
mod scratch;
mod seek;
pub mod sharded;
mod sizes;
mod solve;
mod sparse;
mod state;
mod table;
mod tables;
mod turn;
mod waves;
mod work;

#[cfg(test)]
mod tests;

use greenwave_game::{BoardGame, Dense, Metric};

pub use plan::{PackedPlan, SweepLimits};
pub use solve::{PackedSolution, SweepFiles, solve};
pub use table::has_families;

/// The positions of a board without a line, and those of them that a table of a metric stores,
/// counted square by square without visiting one. Gives `None` where the board is too wide for
/// that.
#[must_use]
pub fn counted(game: &BoardGame, metric: Metric) -> Option<(u64, u64)> {
    let patterns = layout::Patterns::new(game, game.packing(metric));
    if !patterns.are_countable() {
        return None;
    }
    let counted = patterns.counted(game, false)?;
    Some((
        counted.unfinished.try_into().ok()?,
        counted.undecided.try_into().ok()?,
    ))
}
