//! The engines that turn rules into values.
//!
//! ```
//! use greenwave_game::{Game, Metric, Variant};
//! use greenwave_solver::solve;
//! use greenwave_values::Silent;
//!
//! let variant = Variant::parse("classic-3x3")?;
//! let values = solve(&variant, Metric::Distance, u64::MAX, &Silent)?;
//! let game = variant.fixed_board().ok_or("no fixed board")?;
//! let figures = values.figures(game.start().0);
//! assert_eq!(figures.distance.map(|plies| plies.0), Some(17), "the first player wins in 17 plies");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A game names its engine, which plans a solve before it does it ([`PreparedSolve`]). Engines are
//! independent of each other. [`sweep`] walks fixed boards backwards many positions at a time;
//! [`plain`] walks any ascending index backwards one position at a time. The engine [`loopy`]
//! treats moves that stay in their tier and positions that repeat; [`retrograde`] lists the
//! positions that play reaches. Two more look forward from one position: [`Search`] and [`proof`].
//! None prints: they report through [`Progress`](greenwave_values::Progress). A [`Task`] is a solve
//! from the plan to the table.

#![forbid(unsafe_code)]

mod boards;
pub mod chance;
mod engine;
mod filling;
mod lookahead;
pub mod loopy;
pub mod plain;
pub mod proof;
mod recurrence;
pub mod retrograde;
mod search;
mod task;
mod variants;

pub use engine::{Engine, Solve, look_ahead};
#[doc(inline)]
pub use greenwave_sweep::{
    Cost, PreparedSolve, ScratchUse, SolveError, beyond_measure, bytes, bytes_down, bytes_up,
    discard_checkpoint, grouped, sweep,
};
pub use lookahead::Lookahead;
pub use search::{Search, SearchBudget, SearchResult, SearchVerdict, SearchedMove};
pub use task::{Product, Task, TaskResult};
pub use variants::{plan_values, solve};
