//! From values in memory to a table on disk, whichever way they are numbered.

use std::borrow::Cow;
use std::path::Path;

use greenwave_game::Dense;
use greenwave_table::{Hash32, Summary};

use crate::leaves::{TableReport, signed, written};
use crate::numbering::Values;
use crate::{Progress, ValuesError};

/// Writes the table of a solution; the file appears under its name only when it is complete.
///
/// # Errors
/// When the file cannot be written or another program is writing it, and when the work is
/// cancelled.
pub fn write_table<G: Dense>(
    game: &G,
    values: &Values,
    summary: &Summary,
    path: &Path,
    progress: &dyn Progress,
) -> Result<TableReport, ValuesError> {
    let numbered = values.numbered::<G>();
    let layout = numbered.layout(game)?;
    let scheme = numbered.scheme(game);
    written(
        game.rules(),
        &layout,
        scheme,
        summary,
        path,
        progress,
        &|leaf| numbered.encode(game, &layout, leaf),
    )
}

/// The signature of a solution, the same as that of its table.
///
/// # Errors
/// When the index is too large for a table.
pub fn signature<G: Dense>(game: &G, values: &Values) -> Result<Hash32, ValuesError> {
    let numbered = values.numbered::<G>();
    let layout = numbered.layout(game)?;
    let leaf = |number: usize| Cow::Owned(numbered.encode(game, &layout, number as u64));
    let numbers = (0..layout.leaves()).collect();
    Ok(signed(game.rules(), &layout, numbers, &leaf))
}
