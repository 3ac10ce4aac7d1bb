//! Puzzles of the level nearest to one that has none.

use std::sync::Arc;

use greenwave_game::{Filling, Message};
use greenwave_play::{Puzzle, PuzzleOptions};

use crate::api;
use crate::explorer::{Client, Explorer};
use crate::messages;
use crate::page::reader::Reader;
use crate::page::titles;
use crate::problem::Problem;
use crate::question::Question;

/// Puzzles of any level among which the nearest level is looked for.
const NEARBY: usize = 40;

/// The puzzle whose level is nearest to one that has none; `None` where a game has no puzzle, or none is wanted of a
/// level.
pub(super) async fn puzzle(
    explorer: &Arc<Explorer>,
    question: &Question,
    options: PuzzleOptions,
    client: Client,
) -> Result<Option<Puzzle>, Problem> {
    let of_any = PuzzleOptions {
        count: NEARBY,
        level: None,
        ..options
    };
    let Some(level) = options.level else {
        return Ok(None);
    };
    let found = api::sought(explorer, question, of_any, client.again()).await?;
    let nearest = found.iter().min_by_key(|near| near.level.abs_diff(level));
    Ok(nearest.cloned())
}

/// The problem that no puzzle of a level is there, with the nearest level that has some.
pub(super) async fn none_of_kind(
    explorer: &Arc<Explorer>,
    reader: &Reader,
    question: &Question,
    options: PuzzleOptions,
    client: Client,
) -> Problem {
    let near = match options.theme {
        None => puzzle(explorer, question, options, client).await,
        Some(_) => Ok(None),
    };
    match (near, options.level) {
        (Ok(Some(near)), Some(level)) => {
            let name = titles::title(explorer, reader.language, &question.name);
            Problem::not_found(messages::puzzle_near(name, level, near.level)).into_answer()
        }
        // On a busy machine nobody knows yet, and the page loads again.
        (Err(problem), _) if problem.retry_after().is_some() => problem,
        // Every position was visited.
        (Ok(None), _) if options.theme.is_none() => {
            let of_any = PuzzleOptions {
                level: None,
                ..options
            };
            api::no_puzzle(question, &of_any, true).into_answer()
        }
        (Ok(_) | Err(_), _) => api::no_puzzle(question, &options, true).into_answer(),
    }
}

/// The level that the message of a problem offers instead of one that has no puzzles.
pub(super) fn offered_level(message: &Message) -> Option<&str> {
    match message.filling("near")? {
        Filling::Text(level) if message.key() == Some("puzzle_near") => Some(level),
        Filling::Text(_) | Filling::Count(_) | Filling::Message(_) | Filling::List(_) => None,
    }
}
