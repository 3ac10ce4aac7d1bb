//! The effect of a single line: the winner without it.

use anyhow::{Result, bail};
use greenwave_game::{Cell, RuleFile, Variant};
use serde::{Deserialize, Serialize};

use crate::board_of;
use crate::winners::{Winner, winner_of};

/// A board without a line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LineRemoval {
    /// The line by its ends, and how many lines symmetries turn it into, itself among them.
    pub line: String,
    /// See `line`.
    pub alike: u32,
    /// Who wins without it.
    pub winner: Winner,
}

/// The rule file of a board without some lines: `classic-4x5`, `signal-4x4`, `classic-3x5:play=misere`.
///
/// # Errors
/// When the name is of another family, or has other options.
pub fn rule_file(name: &str, lines: &[String]) -> Result<String> {
    let (board, play) = match name.strip_suffix(":play=misere") {
        Some(board) => (board, "play = \"misere\"\n"),
        None => (name, ""),
    };
    let (patterns, size) = match board.split_once('-') {
        Some(("classic", size)) => ("\"111\", \"222\", \"333\"", size),
        Some(("signal", size)) => ("\"111\", \"222\", \"333\", \"123\"", size),
        _ => bail!("found '{name}', expected a classic or a signal board"),
    };
    let lines: Vec<String> = lines.iter().map(|line| format!("\"{line}\"")).collect();
    Ok(format!(
        "patterns = [{patterns}]\n{play}\n[board]\nsize = \"{size}\"\nwithout-lines = [{}]\n",
        lines.join(", ")
    ))
}

/// Solves a board without each of its lines in turn, one of each kind.
///
/// # Errors
/// When the name is of another family, and when memory is short.
pub fn without_lines(name: &str, memory: u64) -> Result<Vec<LineRemoval>> {
    let whole = Variant::parse(name)?;
    let game = board_of(&whole)?;
    let shape = &game.board().shape;
    let mut kinds: Vec<(Vec<Cell>, u32)> = Vec::new();
    for line in shape.lines(game.board().line_length) {
        let mut images: Vec<Vec<Cell>> = game
            .permutations()
            .iter()
            .map(|symmetry| {
                let mut image: Vec<Cell> =
                    line.cells.iter().map(|cell| symmetry.cell(*cell)).collect();
                image.sort_unstable();
                image
            })
            .collect();
        images.sort_unstable();
        match kinds.iter_mut().find(|(first, _)| *first == images[0]) {
            Some((_, alike)) => *alike += 1,
            None => kinds.push((images[0].clone(), 1)),
        }
    }
    let solved = kinds.into_iter().map(|(cells, alike)| {
        let line = shape.line_name(&cells);
        let text = rule_file(name, std::slice::from_ref(&line))?;
        let file = RuleFile::parse("without.toml", &text)?;
        Ok(LineRemoval {
            line,
            alike,
            winner: winner_of(&file.variant, memory)?,
        })
    });
    solved.collect()
}
