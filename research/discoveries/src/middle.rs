//! Whether a player who copies outside the middle of a rank can have a list of replies for the middle.

use anyhow::{Result, anyhow};
use greenwave_game::{BoardGame, Cell, Code};
use serde::{Deserialize, Serialize};

/// What trying every content of a middle came to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Middle {
    /// Contents of the middle, with the two alike squares at each side of it, that have no line and no
    /// threat.
    pub quiet: u64,
    /// Those of them from which the second player can always answer so that it stays so.
    pub kept: u64,
    /// Whether the empty board is among these.
    pub wins: bool,
}

/// Tries every content of a middle of some squares. The two squares at each side of it always show
/// the same lights in mirror image. The opponent copies moves on them, and answers moves in the
/// middle in the middle, unless a line can be completed. Lines that reach further hold at most
/// those two squares, so copying takes care of them.
///
/// # Errors
/// When there is no such family.
pub fn middle(family: &str, squares: u32) -> Result<Middle> {
    let cells = squares + 4;
    let game = BoardGame::named(&format!("{family}-1x{cells}"))
        .map_err(|error| anyhow!("{family}: {error}"))?;
    let inner = |cell: u32| (2..cells - 2).contains(&cell);
    // Contents are numbered by the left half of the sides and the middle: the first squares.
    let numbered = cells - 2;
    let full = |content: u64| {
        let level = |cell: u32| content >> (2 * cell) & 3;
        Code(content | level(1) << (2 * (cells - 2)) | level(0) << (2 * (cells - 1)))
    };
    let size = 1_u64 << (2 * numbered);
    let mut kept = vec![false; size as usize];
    let mut quiet = 0;
    for content in (0..size).rev() {
        let code = full(content);
        if game.has_line(code) || game.has_threat(code) {
            continue;
        }
        quiet += 1;
        let open = |code: Code, cell: u32| code.level(Cell(cell as u8)) < 3;
        let raised = |content: u64, cell: u32| content + (1 << (2 * cell));
        kept[content as usize] = (0..cells).filter(|cell| open(code, *cell)).all(|cell| {
            let after = code.raised(Cell(cell as u8));
            if game.has_threat(after) {
                return true; // the player wins at once
            }
            if !inner(cell) {
                let copied = cell.min(cells - 1 - cell);
                return kept[raised(content, copied) as usize];
            }
            let after = raised(content, cell);
            (2..cells - 2)
                .filter(|reply| after >> (2 * reply) & 3 < 3)
                .any(|reply| kept[raised(after, reply) as usize])
        });
    }
    Ok(Middle {
        quiet,
        kept: kept.iter().filter(|kept| **kept).count() as u64,
        wins: kept.first().copied().unwrap_or_default(),
    })
}
