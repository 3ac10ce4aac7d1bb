//! The engines that turn rules into values.
//!
//! ```
//! use greenwave_game::{Colours, Game, Metric, Variant};
//! use greenwave_solver::solve;
//! use greenwave_values::Silent;
//!
//! let variant = Variant::parse("classic-3x3")?;
//! let values = solve(&variant, Metric::Distance, u64::MAX, &Silent)?;
//! let Variant::Board(game) = &variant else { unreachable!() };
//! let figures = values.figures(game.start().0);
//! assert_eq!(figures.distance.map(|plies| plies.0), Some(17), "the first player wins in 17 plies");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Engines are independent of each other: [`sweep`] walks fixed boards backwards many positions at a
//! time, [`plain`] walks any ascending index backwards one position at a time, [`loopy`] treats moves
//! that stay in their tier and positions that repeat, [`retrograde`] lists what play reaches;
//! [`Search`] and [`proof`] look forward from one position. None prints: they report through
//! [`Progress`]. A [`Task`] is a solve from the plan to the table.

mod amounts;
pub mod chance;
mod checkpoint;
mod error;
mod estimate;
mod lanes;
pub mod loopy;
mod outlook;
mod packed;
pub mod plain;
pub mod proof;
pub mod retrograde;
mod search;
pub mod sweep;
mod task;

pub use amounts::{bytes, grouped};
pub use checkpoint::discard_checkpoint;
pub use error::SolveError;
pub use estimate::{Estimate, estimate};
pub use outlook::{Outlook, look_ahead};
pub use search::{Budget, Found, Reply, Search, Searched};
pub use task::{Done, Task, Wanted};

use greenwave_game::{Dense, Luck, Metric, Variant, with_game};
use greenwave_values::{Progress, Values};

use crate::checkpoint::Checkpoint;

/// Solves a variant in one metric, in memory, on the current rayon pool.
///
/// `memory` is the number of bytes that may be used.
///
/// # Errors
/// When the metric does not exist for the variant, when the solution needs more memory than
/// allowed, and when [`Progress::cancelled`] says so.
pub fn solve(
    variant: &Variant,
    metric: Metric,
    memory: u64,
    progress: &dyn Progress,
) -> Result<Values, SolveError> {
    solve_resumably(variant, metric, memory, None, progress)
}

/// [`solve`], with a checkpoint for the engines that fill the memory with all values.
pub(crate) fn solve_resumably(
    variant: &Variant,
    metric: Metric,
    memory: u64,
    checkpoint: Option<&mut Checkpoint>,
    progress: &dyn Progress,
) -> Result<Values, SolveError> {
    estimate(variant, metric)?.fits(memory)?;
    if let Some(game) = variant.as_board() {
        let options = sweep::Options {
            leaves: true,
            ..sweep::Options::default()
        };
        let swept = sweep::Plan::new(game, metric, options)
            .map(|plan| Ok(sweep::solve_densely(&plan, progress)?.into()));
        return match swept {
            None | Some(Err(SolveError::Misfits { .. })) => {
                solve_plainly(game, metric, memory, checkpoint, progress)
            }
            Some(solved) => solved,
        };
    }
    if let Some(game) = variant.as_strip() {
        return Ok(loopy::solve_resumably(game, metric, checkpoint, progress)?
            .values
            .into());
    }
    if let Some(game) = variant.as_ampel() {
        return Ok(retrograde::solve_resumably(game, metric, memory, checkpoint, progress)?.into());
    }
    if variant.rules().properties.luck == Luck::Draws {
        return Err(SolveError::NoCodes {
            variant: variant.rules().name.clone(),
        });
    }
    with_game!(variant, game => solve_plainly(game, metric, memory, checkpoint, progress))
}

/// Solves a game position by position: what no other engine treats, and boards whose values are too
/// large for the lanes of the sweep.
fn solve_plainly<G: Dense>(
    game: &G,
    metric: Metric,
    memory: u64,
    checkpoint: Option<&mut Checkpoint>,
    progress: &dyn Progress,
) -> Result<Values, SolveError> {
    estimate::plainly(game, metric).fits(memory)?;
    Ok(plain::solve_resumably(game, metric, checkpoint, progress)?.into())
}
