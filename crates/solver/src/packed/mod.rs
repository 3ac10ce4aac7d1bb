//! The packed, symmetric sweep: win or loss on boards of 10¹⁵ positions and more.
//!
//! Whether a position is *undecided* — no line stands and, where that would win, none can be
//! completed — is a product over patterns. So the undecided positions of a set of squares can be
//! looked up, and only their values are kept: as streams without gaps, one *family* of each
//! symmetric set of families, and of two *waves* at a time. See [`layout`] for the squares,
//! [`kernel`] for the streams, [`waves`] for the walk.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod blocks;
mod codes;
mod counts;
mod families;
mod kernel;
mod layout;
mod loops;
mod plan;
mod scratch;
mod seek;
pub mod sharded;
mod solve;
mod state;
mod tables;
mod turn;
mod waves;

#[cfg(test)]
mod tests;

pub(crate) use plan::PackedPlan;
pub(crate) use solve::{Keep, solve};
