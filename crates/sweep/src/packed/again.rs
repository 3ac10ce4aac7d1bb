//! A large board swept again in another way, to confirm a result.
//!
//! ```
//! use greenwave_game::{BoardGame, Metric};
//! use greenwave_sweep::again::{SweepOptions, plan};
//! use greenwave_sweep::sweep::SquareOrder;
//! use greenwave_values::Silent;
//!
//! let game = BoardGame::named("classic-3x4")?;
//! let other = SweepOptions { squares: SquareOrder::Other, ..SweepOptions::default() };
//! let whole = SweepOptions { symmetric: false, ..SweepOptions::default() };
//! let [other, whole] = [other, whole].map(|way| plan(&game, Metric::Value, way));
//! let other = other.ok_or("no other order")?.run(&Silent)?;
//! let whole = whole.ok_or("not treated")?.run(&Silent)?;
//! assert_eq!(other.lost, whole.lost, "of every level sum as many");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The packed sweep chooses its squares, its instructions and the symmetries that it uses. A result to
//! which other choices come is worth more: their families, blocks, streams and waves are others, and what
//! they share is the rules.

use std::path::{Path, PathBuf};

use greenwave_game::{BoardGame, Figures, Metric};
use greenwave_table::Summary;
use greenwave_values::{Progress, codes};

use super::layout::SquareLayout;
use super::solve::{SweepFiles, solve};
use super::{PackedPlan, SweepLimits};
use crate::sweep::{Kernel, SquareOrder};
use crate::{PreparedSolve, SolveError};

/// How a board is swept.
#[derive(Clone, Debug)]
pub struct SweepOptions {
    /// Which instructions to use.
    pub kernel: Kernel,
    /// Which squares are the inside of blocks, and which name the families.
    pub squares: SquareOrder,
    /// Whether one family of each symmetric orbit is swept, or every one.
    pub symmetric: bool,
    /// Positions whose figures are requested besides, by index.
    pub watched: Vec<u64>,
    /// Bytes of memory that may be used.
    pub memory: u64,
    /// A file for waves that outgrow the memory. A sweep continues from one that it was stopped with.
    pub scratch: Option<PathBuf>,
}

impl Default for SweepOptions {
    fn default() -> SweepOptions {
        SweepOptions {
            kernel: Kernel::best(),
            squares: SquareOrder::Best,
            symmetric: true,
            watched: Vec::new(),
            memory: u64::MAX,
            scratch: None,
        }
    }
}

/// What a sweep found.
#[derive(Clone, Debug, PartialEq)]
pub struct SweepFindings {
    /// Counts over the unfinished positions, and the openings.
    pub summary: Summary,
    /// Positions that the rules do not decide at once: those that were swept.
    pub undecided: u64,
    /// Lost ones of them by the sum of all levels, where a value is requested and waves stay in memory.
    pub lost: Option<Vec<u64>>,
    /// The figures of watched positions by index; those that the rules decide are not among them.
    pub watched: Vec<(u64, Figures)>,
}

/// Plans the sweep of a board; `None` when the packed sweep does not treat its rules, or has no other
/// squares to choose.
///
/// # Panics
/// When a watched index is beyond the board; running it does when the CPU lacks the instructions.
#[must_use]
pub fn plan(
    game: &BoardGame,
    metric: Metric,
    way: SweepOptions,
) -> Option<PreparedSolve<'_, SweepFindings>> {
    let mut plan = PackedPlan::unweighed(game, metric, way.kernel)?;
    assert!(
        way.watched
            .iter()
            .all(|index| u128::from(*index) < plan.positions()),
        "watched positions are on the board"
    );
    if !way.symmetric {
        plan.patterns.symmetries.truncate(1);
        plan.layout = SquareLayout::best(&plan.patterns)?;
    }
    if way.squares == SquareOrder::Other {
        plan.layout = SquareLayout::other(&plan.patterns, &plan.layout)?;
    }
    let mut plan = plan.weighed(SweepLimits {
        scratch: way.scratch.is_some(),
        ..SweepLimits::of(way.memory)
    })?;
    plan.watched = way.watched;
    // A sweep that continues from waves on disk has not counted those before.
    plan.tiers = metric == Metric::Value && plan.cache.is_none();
    let cost = plan.cost(false);
    Some(PreparedSolve::new(cost, way.memory, move |progress| {
        swept(&plan, way.scratch.as_deref(), progress)
    }))
}

fn swept(
    plan: &PackedPlan<'_>,
    scratch: Option<&Path>,
    progress: &dyn Progress,
) -> Result<SweepFindings, SolveError> {
    let keep = SweepFiles {
        scratch,
        ..SweepFiles::default()
    };
    let solution = solve(plan, keep, progress)?;
    let figures = |(index, code): (u64, u8)| (index, codes::decode(plan.metric, plan.number(code)));
    Ok(SweepFindings {
        summary: solution.summary,
        undecided: solution.waves.iter().map(|wave| wave.undecided).sum(),
        lost: solution.tiers,
        watched: solution.watched.into_iter().map(figures).collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use greenwave_game::Variant;
    use greenwave_values::Silent;

    #[test]
    fn all_ways_come_to_the_same() {
        let game = BoardGame::named("signal-3x4").unwrap();
        let watched: Vec<u64> = (0..1 << 24).step_by(997).collect();
        let sweep = |way: SweepOptions| {
            let watched = watched.clone();
            let planned = plan(&game, Metric::Value, SweepOptions { watched, ..way });
            planned.unwrap().run(&Silent).unwrap()
        };
        let first = sweep(SweepOptions::default());
        let lost: u64 = first.lost.as_deref().unwrap().iter().sum();
        assert_eq!(lost, first.summary.by_value.unwrap().loss);
        assert!(first.watched.len() > 100, "{}", first.watched.len());
        let kernels = Kernel::ALL
            .into_iter()
            .filter(|kernel| kernel.is_supported());
        let kernels = kernels.map(|kernel| SweepOptions {
            kernel,
            ..SweepOptions::default()
        });
        let others = [
            SweepOptions {
                squares: SquareOrder::Other,
                ..SweepOptions::default()
            },
            SweepOptions {
                symmetric: false,
                ..SweepOptions::default()
            },
        ];
        for way in kernels.chain(others) {
            let context = format!("{way:?}");
            assert_eq!(sweep(way), first, "{context}");
        }
    }

    #[test]
    fn watched_positions_have_the_figures_of_every_metric() {
        for (name, metric) in [
            ("classic-3x3", Metric::Value),
            ("classic-3x3", Metric::Distance),
            ("classic-3x3", Metric::Nimber),
            ("points-3x3", Metric::Points),
        ] {
            let game = BoardGame::named(name).unwrap();
            let variant = Variant::parse(name).unwrap();
            let values = greenwave_solver::solve(&variant, metric, u64::MAX, &Silent).unwrap();
            let way = SweepOptions {
                watched: (0..1 << 18).collect(),
                ..SweepOptions::default()
            };
            let found = plan(&game, metric, way).unwrap().run(&Silent).unwrap();
            assert_eq!(
                found.watched.len() as u64,
                found.undecided,
                "{name} {metric}"
            );
            for (index, figures) in found.watched {
                assert_eq!(figures, values.figures(index), "{name} {metric}: {index}");
            }
        }
    }
}
