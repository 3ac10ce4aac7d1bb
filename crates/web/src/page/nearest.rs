//! Puzzles for pages, of the level nearest to the one asked for.

use std::sync::Arc;

use greenwave_play::{PuzzleOptions, Puzzles, levels_of};

use crate::api;
use crate::explorer::{Client, Explorer};
use crate::page::reader::Reader;
use crate::problem::Problem;
use crate::question::Question;

/// Puzzles of a game, of the nearest level, easier ones first, where none of a level is found; none is an answer, too.
pub(super) async fn puzzles(
    explorer: &Arc<Explorer>,
    question: &Question,
    options: PuzzleOptions,
    client: Client,
) -> Result<Arc<Puzzles>, Problem> {
    let found = api::sought(explorer, question, options, client).await?;
    let (true, Some(level), None) = (found.is_empty(), options.level, options.theme) else {
        return Ok(found);
    };
    let mut levels = levels_of(&question.variant);
    levels.retain(|other| *other != level);
    levels.sort_by_key(|other| (other.abs_diff(level), *other));
    for other in levels {
        let options = PuzzleOptions {
            level: Some(other),
            ..options
        };
        let near = api::sought(explorer, question, options, client.again()).await?;
        if !near.is_empty() {
            return Ok(near);
        }
    }
    Ok(found)
}

/// That puzzles are of another level than was asked for; `None` where they are of that one.
pub(super) fn told(reader: &Reader, asked: Option<u8>, found: Option<u8>) -> Option<String> {
    let (asked, found) = (asked?, found?);
    let said = || {
        let (asked, found) = (asked.to_string(), found.to_string());
        let levels = [("level", &*asked), ("near", &*found)];
        reader.language.filled("puzzle-near", &levels)
    };
    (asked != found).then(said)
}
