//! Boards of one game after the other, by what their first move tells: who wins, in how many plies, and
//! what the empty board is worth in sums.

use anyhow::{Result, anyhow};
use greenwave_game::{Metric, Variant};
use greenwave_solver::{Product, Task, sweep::Kernel};
use greenwave_table::{Figures, Outcome, Summary};
use greenwave_values::Silent;
use serde::{Deserialize, Serialize};

/// Bytes of memory that a solve of the survey may take.
const MEMORY: u64 = 4 << 30;

/// What is known of a board of the survey.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Surveyed {
    /// `first`, `second` or `draw`.
    pub winner: String,
    /// First moves that win.
    pub winning: u64,
    /// First moves that lose.
    pub losing: u64,
    /// Unfinished positions won and lost for the player to move.
    pub won: u64,
    /// See `won`.
    pub lost: u64,
    /// Plies of best play, if a line decides and the solve fits into 4 GiB.
    pub plies: Option<u64>,
    /// Nimbers, if the game has them and the solve fits into 4 GiB.
    pub nimbers: Option<Worth>,
    /// Solves that do not fit, each with the bytes of memory that it needs.
    pub left_out: Vec<(String, u64)>,
}

/// Nimbers of a board.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Worth {
    /// That of the empty board.
    pub start: u32,
    /// Those of the first moves, square by square.
    pub openings: Vec<u32>,
    /// The largest of any unfinished position.
    pub largest: u32,
    /// Whether every nimber below the largest is that of some unfinished position.
    pub all_below: bool,
}

/// Solves a board for all that fits into the memory.
///
/// # Errors
/// When the name is none, and when not even the winner fits.
pub fn survey(name: &str) -> Result<Surveyed> {
    let variant = Variant::parse(name)?;
    let mut left_out = Vec::new();
    let mut solve = |metric: Metric| -> Result<Option<Summary>> {
        let task = Task {
            variant: &variant,
            metric,
            kernel: Kernel::best(),
            memory: MEMORY,
            wanted: Product::Counts,
            checkpoint: None,
            scratch: None,
        };
        let planned = task.plan()?;
        if planned.fits().is_err() {
            left_out.push((
                metric.name().to_string(),
                planned.cost().memory_bytes as u64,
            ));
            return Ok(None);
        }
        Ok(Some(planned.run(&Silent)?.summary))
    };
    let summary = match solve(Metric::Distance)? {
        Some(summary) => summary,
        None => solve(Metric::Value)?
            .ok_or_else(|| anyhow!("{name} does not fit into {MEMORY} bytes"))?,
    };
    let sums = !name.starts_with("noughts") && !name.contains(":play=misere");
    let nimbers = if sums {
        solve(Metric::Nimber)?.map(worth)
    } else {
        None
    };
    let openings = |wanted: Outcome| {
        let openings = summary.openings.iter();
        let such = openings.filter(|opening| opening.figures.value == Some(wanted));
        such.count() as u64
    };
    let by_value = summary.by_value.unwrap_or_default();
    Ok(Surveyed {
        winner: match summary.start.value {
            Some(Outcome::Win) => "first",
            Some(Outcome::Loss) => "second",
            Some(Outcome::Draw) | None => "draw",
        }
        .into(),
        winning: openings(Outcome::Win),
        losing: openings(Outcome::Loss),
        won: by_value.win,
        lost: by_value.loss,
        plies: summary.start.distance.map(u64::from),
        nimbers,
        left_out,
    })
}

fn worth(summary: Summary) -> Worth {
    let mut met: Vec<u32> = summary
        .histogram
        .iter()
        .filter(|entry| entry.count > 0)
        .map(|entry| entry.key as u32)
        .collect();
    met.sort_unstable();
    met.dedup();
    let nimber = |figures: &Figures| figures.nimber.unwrap_or_default();
    Worth {
        start: nimber(&summary.start),
        openings: summary
            .openings
            .iter()
            .map(|opening| nimber(&opening.figures))
            .collect(),
        largest: met.last().copied().unwrap_or_default(),
        all_below: met.iter().zip(0..).all(|(nimber, at)| *nimber == at),
    }
}
