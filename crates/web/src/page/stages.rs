//! The page of a position as its search proceeds: at once, and better after each longer search.

use std::sync::Arc;
use std::time::Duration;

use greenwave_tablebase::AtlasBoard;

use crate::explorer::{Client, Demand, Explorer};
use crate::page::position;
use crate::page::reader::{Reader, STAGES};
use crate::params::{Params, encoded};
use crate::problem::Problem;
use crate::question::{Interim, Question, hurried_there};
use crate::routes::RouteAnswer;

/// In place of a number of plies: those before the first mistake.
pub(super) const AT_MISTAKE: &str = "mistake";

/// The page of a position.
pub(super) async fn of_position(
    explorer: &Arc<Explorer>,
    path: &str,
    question: Question,
    params: &Params,
    mut reader: Reader,
    client: Client,
) -> Result<RouteAnswer, Problem> {
    let at_mistake = params.get("ply") == Some(AT_MISTAKE);
    // Of a game that stops early the end is shown.
    reader.at_mistake = at_mistake && reader.unplayed.is_none();
    reader.looks_back |= params.get("ply").is_some();
    let at = if at_mistake {
        None
    } else {
        params.number("ply", 100_000)?.map(|ply| ply as usize)
    };
    let asks = !reader.held
        && (reader.hints
            || reader.play.is_some()
            || reader.watch
            || reader.hint > 0
            || reader.at_mistake);
    let Interim { question, coming } = if asks {
        hurried_there(explorer, question, client).await
    } else {
        Interim {
            question,
            coming: None,
        }
    };
    let question = match staged(explorer, &question, &mut reader, asks) {
        Some(most) => {
            let query = params.with("stage", &reader.stage.to_string());
            reader.further = Some(format!("{}{}?{query}", explorer.base, encoded(path)));
            question.hurried(most)
        }
        None => question,
    };
    let demand = if asks {
        question.demand(&explorer.settings.tablebase)
    } else {
        Demand::Nothing
    };
    let (shown, seen, solving) = (question.clone(), reader.clone(), coming.clone());
    let answered = explorer
        .work(client, demand, move |explorer, tablebase| {
            let shown = shown.begun(client);
            position::page(explorer, tablebase, &shown, at, &seen, solving.as_ref())
        })
        .await;
    match answered {
        // The board and its moves can be shown whatever else is being computed; the rest when there is room for it.
        Err(problem)
            if (demand != Demand::Nothing || problem.is_too_long())
                && problem.retry_after().is_some() =>
        {
            // What is published takes no room: the start and the positions after one move.
            let is_published =
                question.course.plies() <= 1 && AtlasBoard::of(question.variant.rules()).is_some();
            let question = question.hurried(Duration::ZERO);
            let plain = Reader {
                hints: reader.hints && is_published,
                play: None,
                solution: false,
                hint: 0,
                again: problem.retry_after(),
                notice: Some(problem.message),
                ..reader
            };
            let bare = Reader {
                hints: false,
                ..plain.clone()
            };
            let is_bare = !plain.hints;
            let shown = |reader: Reader| {
                let (question, coming) = (question.clone(), coming.clone());
                explorer.work(
                    client.again(),
                    Demand::Nothing,
                    move |explorer, tablebase| {
                        position::page(explorer, tablebase, &question, at, &reader, coming.as_ref())
                    },
                )
            };
            match shown(plain).await {
                // On a busy machine there may be no time for more than the board.
                Err(problem) if !is_bare && problem.retry_after().is_some() => shown(bare).await,
                answered => answered,
            }
        }
        answered => answered,
    }
}

/// The time for the search of a page that is to be there at once and to show more soon; `None` for all the
/// time there is. Names the address at which it does.
fn staged(
    explorer: &Explorer,
    question: &Question,
    reader: &mut Reader,
    searches: bool,
) -> Option<Duration> {
    let at_hand = question.demand(&explorer.settings.tablebase) == Demand::Nothing;
    let replies = reader.play.is_some() || reader.hint > 0;
    if !searches || at_hand || replies || explorer.in_folder {
        return None;
    }
    let most = *STAGES.get(reader.stage)?;
    if question.time(explorer) <= most {
        return None;
    }
    reader.stage += 1;
    reader.again = Some(1);
    Some(most)
}
