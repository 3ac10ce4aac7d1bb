//! Boards of lights, swept backwards many positions at a time, and what every solve has: a cost, a
//! checkpoint, an error.
//!
//! ```
//! use greenwave_game::{BoardGame, Metric};
//! use greenwave_sweep::sweep::{Options, Plan, solve};
//! use greenwave_values::Silent;
//!
//! let game = BoardGame::named("classic-3x3")?;
//! let plan = Plan::new(&game, Metric::Distance, Options::default()).ok_or("no sweep of this board")?;
//! let solution = solve(&plan, &Silent)?;
//! let start = solution.summary.start;
//! assert_eq!(start.distance, Some(17), "the first player wins in 17 plies");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The module [`sweep`] keeps a value for each position. The module [`packed`] keeps values of undecided
//! positions only, for larger boards. It does so in memory, on disk, [from some positions](cone) on, [by
//! several machines](sharded), and [in other ways](again) to confirm a result.

mod amounts;
pub mod checkpoint;
mod cost;
mod error;
pub mod packed;
mod prepared;
pub mod sweep;

pub use amounts::{beyond_measure, bytes, bytes_down, bytes_up};
pub use checkpoint::discard_checkpoint;
pub use cost::{Cost, MemoryAllowance, ScratchUse};
pub use error::SolveError;
pub use greenwave_game::grouped;
pub use packed::{again, cone, counted, sharded};
pub use prepared::PreparedSolve;
