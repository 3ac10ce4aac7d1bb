//! Boards of one game after the other, by their first moves: the winner, the number of plies, and
//! the value of the empty board in sums.

use anyhow::Result;
use greenwave_game::{Metric, Variant};
use greenwave_solver::{Product, SolveError, Task, sweep::Kernel};
use greenwave_table::{Figures, Outcome, Summary};
use greenwave_values::Silent;
use serde::{Deserialize, Serialize};

/// Bytes of memory that a solve of the survey may take.
const MEMORY: u64 = 4 << 30;

/// Most squares of a board that is solved for the plies of best play.
const LENGTHS: u32 = 17;
/// The same for nimbers.
const NIMBERS: u32 = 16;

/// What is known of a board of the survey.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BoardSurvey {
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
    /// Plies of best play, if a line decides; of boards of up to seventeen squares.
    pub plies: Option<u64>,
    /// Nimbers, if the game has them; of boards of up to sixteen squares.
    pub nimbers: Option<Worth>,
    /// Solves that were left out on larger boards, each with the bytes of memory that it needs.
    pub left_out: Vec<(String, u64)>,
}

impl BoardSurvey {
    /// The nimber of the empty board, of games that end by a line that wins. Where the solve for
    /// nimbers was left out, it is 0 if the board is lost, and 1 if every first move leads to a
    /// lost position.
    #[must_use]
    pub fn nimber(&self) -> Option<u32> {
        match (&self.nimbers, self.winner.as_str(), self.losing) {
            (Some(worth), ..) => Some(worth.start),
            (None, "second", _) => Some(0),
            (None, "first", 0) => Some(1),
            (None, ..) => None,
        }
    }
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

/// Solves a board with this number of squares for the winner and, if it is small enough, for
/// lengths and nimbers.
///
/// # Errors
/// When the name is none, and when memory is short.
pub fn survey(name: &str, squares: u32) -> Result<BoardSurvey> {
    let variant = Variant::parse(name)?;
    let plan = |metric: Metric| {
        let task = Task {
            variant: &variant,
            metric,
            kernel: Kernel::best(),
            memory: MEMORY,
            wanted: Product::Counts,
            checkpoint: None,
            scratch: None,
            quick: false,
        };
        task.plan()
    };
    let solve = |metric: Metric| Ok::<Summary, SolveError>(plan(metric)?.run(&Silent)?.summary);
    let sums = !name.starts_with("noughts") && !name.contains(":play=misere");
    let mut left_out = Vec::new();
    let mut leave_out = |metric: Metric| -> Result<()> {
        let bytes = plan(metric)?.cost().memory_bytes as u64;
        left_out.push((metric.name().to_string(), bytes));
        Ok(())
    };
    let summary = if squares <= LENGTHS {
        solve(Metric::Distance)?
    } else {
        leave_out(Metric::Distance)?;
        solve(Metric::Value)?
    };
    let mut nimbers = None;
    if sums && squares <= NIMBERS {
        nimbers = Some(worth(&solve(Metric::Nimber)?));
    } else if sums {
        leave_out(Metric::Nimber)?;
    }
    let openings = |wanted: Outcome| {
        let openings = summary.openings.iter();
        let such = openings.filter(|opening| opening.figures.value == Some(wanted));
        such.count() as u64
    };
    let by_value = summary.by_value.unwrap_or_default();
    Ok(BoardSurvey {
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

fn worth(summary: &Summary) -> Worth {
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
