//! Who wins on boards of every size, by which first moves.

use anyhow::{Result, anyhow};
use greenwave_game::{Metric, Variant};
use greenwave_solver::{Product, Task, sweep::Kernel};
use greenwave_table as table;
use greenwave_values::Silent;
use serde::{Deserialize, Serialize};

use crate::board_of;

/// Who wins on a board.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Winner {
    /// `first`, `second` or `draw`.
    pub winner: String,
    /// The squares on which the first player can begin and win, in listing order.
    pub winning: Vec<String>,
    /// Those on which the first player can begin.
    pub squares: u32,
    /// Unfinished positions won and lost for the player to move.
    pub won: u64,
    /// See `won`.
    pub lost: u64,
    /// Signature of the table of win or loss; of boards that a table suits.
    pub signature: Option<String>,
}

/// How long best play lasts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Length {
    /// Plies from the empty board.
    pub plies: u64,
}

/// Solves a board for distance.
///
/// # Errors
/// When the name is none, when nobody wins, and when memory is short.
pub fn length(name: &str, memory: u64) -> Result<Length> {
    let variant = Variant::parse(name)?;
    let task = Task {
        variant: &variant,
        metric: Metric::Distance,
        kernel: Kernel::best(),
        memory,
        wanted: Product::Counts,
        checkpoint: None,
        scratch: None,
        quick: false,
    };
    let plies = task.plan()?.run(&Silent)?.summary.start.distance;
    let plies = plies.ok_or_else(|| anyhow!("nobody wins {name}"))?;
    Ok(Length {
        plies: plies.into(),
    })
}

/// Most squares of a board whose signature is worked out.
const SIGNED_SQUARES: usize = 16;

/// The signature of a variant's table.
pub(crate) fn signature(variant: &Variant, metric: Metric) -> Result<Option<String>> {
    let task = Task {
        variant,
        metric,
        kernel: Kernel::best(),
        memory: u64::MAX,
        wanted: Product::Signature,
        checkpoint: None,
        scratch: None,
        quick: false,
    };
    let signature = task.plan()?.run(&Silent)?.signature;
    Ok(signature.map(|signature| signature.to_string()[..32].to_string()))
}

/// Solves a board for its value.
///
/// # Errors
/// When the name is none, and when memory is short.
pub fn winner(name: &str, memory: u64) -> Result<Winner> {
    winner_of(&Variant::parse(name)?, memory)
}

pub(crate) fn winner_of(variant: &Variant, memory: u64) -> Result<Winner> {
    let game = board_of(variant)?;
    let task = Task {
        variant,
        metric: Metric::Value,
        kernel: Kernel::best(),
        memory,
        wanted: Product::Counts,
        checkpoint: None,
        scratch: None,
        quick: false,
    };
    let summary = task.plan()?.run(&Silent)?.summary;
    let by_value = summary.by_value.unwrap_or_default();
    let shape = &game.board().shape;
    let square = |opening: &table::FirstMove| {
        opening
            .mv
            .trim_end_matches(|letter: char| letter.is_ascii_uppercase())
            .to_string()
    };
    let mut winning: Vec<String> = summary
        .openings
        .iter()
        .filter(|opening| opening.figures.value == Some(table::Outcome::Win))
        .map(square)
        .collect();
    winning.sort_by_key(|name| shape.cell_named(name).map(|cell| cell.0));
    Ok(Winner {
        winner: match summary.start.value {
            Some(table::Outcome::Win) => "first",
            Some(table::Outcome::Loss) => "second",
            Some(table::Outcome::Draw) | None => "draw",
        }
        .into(),
        winning,
        squares: shape.cells() as u32,
        won: by_value.win,
        lost: by_value.loss,
        signature: if shape.cells() <= SIGNED_SQUARES {
            signature(variant, Metric::Value)?
        } else {
            None
        },
    })
}
