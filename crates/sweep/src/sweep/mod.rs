//! The sweep: fixed boards at the machine's limit.
//!
//! A square has exactly four levels, so two bits a square are at once a board and a gap-free index,
//! and every move leads to a higher index. The sweep walks the index downwards in *blocks* of 4,096
//! positions (see `layout`), many positions at a time: 512 in a 512-bit register for win or loss,
//! 64 for values of a byte. Blocks whose higher squares already decide every position are never
//! computed nor stored (see `geometry`); of the others, two *waves* are in memory at a time (see
//! `waves`). The kernels know squares and patterns, never ranks and files, so they serve any
//! board.

mod bits;
mod bytes;
mod checkpoint;
mod dense;
mod family;
pub(crate) mod frontier;
mod geometry;
mod index;
pub(crate) mod kernel;
mod layout;
mod leaves;
mod limits;
mod masks;
pub(crate) mod pattern;
mod plan;
mod solve;
pub(crate) mod store;
mod waves;

pub(crate) use bytes::points_fit;
pub use dense::solve_densely;
pub use geometry::Skip;
pub use kernel::Kernel;
pub use plan::{Options, Plan, SquareOrder};
pub use solve::{SweepSolution, solve, solve_keeping, solve_resumably};

#[cfg(test)]
mod tests;
