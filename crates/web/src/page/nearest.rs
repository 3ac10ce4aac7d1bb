//! Puzzles for pages: those that are ready, else those that a search finds, of the level nearest to the one asked for.

use std::sync::Arc;

use greenwave_play::{PuzzleOptions, Puzzles};

use crate::api;
use crate::explorer::{Client, Explorer};
use crate::page::reader::Reader;
use crate::page::ready;
use crate::problem::Problem;
use crate::question::Question;

/// Puzzles of a game; none is an answer, too.
pub(super) async fn of_level(
    explorer: &Arc<Explorer>,
    question: &Question,
    options: PuzzleOptions,
    client: Client,
) -> Result<Arc<Puzzles>, Problem> {
    match ready::puzzles(&question.variant, &options) {
        Some(ready) => Ok(Arc::new(ready)),
        None => api::sought(explorer, question, options, client).await,
    }
}

/// The same of the nearest level, easier ones first, where none of a level is found.
pub(super) async fn puzzles(
    explorer: &Arc<Explorer>,
    question: &Question,
    options: PuzzleOptions,
    client: Client,
) -> Result<Arc<Puzzles>, Problem> {
    let found = of_level(explorer, question, options, client).await?;
    let (true, Some(level), None) = (found.is_empty(), options.level, options.theme) else {
        return Ok(found);
    };
    let mut levels = ready::levels(&question.variant);
    levels.retain(|other| *other != level);
    levels.sort_by_key(|other| (other.abs_diff(level), *other));
    for other in levels {
        let options = PuzzleOptions {
            level: Some(other),
            ..options
        };
        let near = of_level(explorer, question, options, client.again()).await?;
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
