//! Grundy values of boards and of their positions.

use anyhow::Result;
use greenwave_game::{Dense, Game, Metric, Packing, Variant};
use greenwave_solver::solve;
use greenwave_values::Silent;
use serde::{Deserialize, Serialize};

use crate::board_of;
use crate::winners::signature;

/// The nimbers of a board's positions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Nimbers {
    /// That of the empty board.
    pub start: u32,
    /// Those of the first moves, square by square.
    pub openings: Vec<u32>,
    /// For each nimber that an unfinished position has: how many have it, and the first of those that
    /// took fewest plies.
    pub smallest: Vec<Smallest>,
    /// Signature of the table.
    pub signature: Option<String>,
}

/// A nimber and where it is first met.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Smallest {
    /// The nimber.
    pub nimber: u32,
    /// How many unfinished positions have it.
    pub positions: u64,
    /// Plies from the empty board.
    pub plies: u32,
    /// A position.
    pub example: String,
}

/// Works the nimbers of a board out.
///
/// # Errors
/// When the board has none, and when memory is short.
pub fn nimbers(name: &str) -> Result<Nimbers> {
    let variant = Variant::parse(name)?;
    let game = board_of(&variant)?;
    let values = solve(&variant, Metric::Nimber, u64::MAX, &Silent)?;
    let nimber = |index: u64| values.figures(index).nimber.unwrap_or_default();
    let mut found: Vec<Option<(u64, u32, greenwave_game::Code)>> = Vec::new();
    for index in 0..game.indexable() as u64 {
        let Some(code) = game.at(index) else { continue };
        if game.implied(Packing::Unfinished, index).is_some() {
            continue;
        }
        let (at, plies) = (nimber(index) as usize, code.level_sum());
        if found.len() <= at {
            found.resize(at + 1, None);
        }
        let entry = found[at].get_or_insert((0, plies, code));
        entry.0 += 1;
        if plies < entry.1 {
            (entry.1, entry.2) = (plies, code);
        }
    }
    let smallest = found.iter().enumerate().filter_map(|(nimber, found)| {
        let (positions, plies, code) = (*found)?;
        Some(Smallest {
            nimber: nimber as u32,
            positions,
            plies,
            example: game.position_text(&code),
        })
    });
    let mut moves = Vec::new();
    game.moves(&game.start(), &mut moves);
    Ok(Nimbers {
        start: nimber(0),
        openings: moves
            .iter()
            .map(|mv| nimber(game.index(&game.play(&game.start(), *mv).to)))
            .collect(),
        smallest: smallest.collect(),
        signature: signature(&variant, Metric::Nimber)?,
    })
}
