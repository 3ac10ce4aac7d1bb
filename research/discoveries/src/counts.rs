//! Counts of small boards' positions, one by one.

use anyhow::Result;
use greenwave_game::{Cell, Code, Dense, Game, Metric, Outcome, Variant};
use greenwave_judge::longest_game;
use greenwave_solver::solve;
use greenwave_values::Silent;
use serde::{Deserialize, Serialize};

use crate::board_of;

/// Positions of a board: each, and up to symmetry.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    /// Unfinished positions won for the player to move.
    pub won: [u64; 2],
    /// Those that are lost.
    pub lost: [u64; 2],
    /// Unfinished positions in which no raise completes a line.
    pub undecided: [u64; 2],
    /// Finished positions that play can reach; unfinished ones all can be.
    pub finished: [u64; 2],
    /// Plies of the longest game.
    pub longest_game: u32,
}

/// Goes through the positions of a board with three equal lights in a line.
///
/// # Errors
/// When the name is no such board, and when memory is short.
pub fn counts(name: &str) -> Result<Counts> {
    let variant = Variant::parse(name)?;
    let game = board_of(&variant)?;
    let values = solve(&variant, Metric::Value, u64::MAX, &Silent)?;
    let cells = || (0..game.board().shape.cells() as u8).map(Cell);
    let mut counts = Counts {
        longest_game: longest_game(game, &Silent)?.plies,
        ..Counts::default()
    };
    for code in (0..game.indexable() as u64).map(Code) {
        let own = [1, u64::from(game.canonical(&code) == code)];
        let count = |which: &mut [u64; 2]| {
            which[0] += own[0];
            which[1] += own[1];
        };
        if game.has_line(code) {
            // The last raise completed every line, and none stood before it.
            let last = |cell: Cell| {
                let level = code.level(cell);
                level > 0 && !game.has_line(code.with(cell, level - 1))
            };
            if cells().any(last) {
                count(&mut counts.finished);
            }
            continue;
        }
        if !game.has_threat(code) {
            count(&mut counts.undecided);
        }
        match values.figures(code.0).value {
            Some(Outcome::Win) => count(&mut counts.won),
            _ => count(&mut counts.lost),
        }
    }
    Ok(counts)
}
