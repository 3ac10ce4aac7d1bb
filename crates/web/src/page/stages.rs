//! The page of a position as its search proceeds: at once, and better after each longer search.

use std::sync::Arc;
use std::time::Duration;

use greenwave_game::At;
use greenwave_tablebase::{AtlasBoard, Budget, QueryOptions};

use crate::ahead::{MOMENT, QUICK, key_of};
use crate::explorer::{Client, Demand, Explorer};
use crate::page::position;
use crate::page::reader::{Reader, STAGES};
use crate::params::{Params, encoded};
use crate::problem::Problem;
use crate::question::{Interim, Question, hurried_there};
use crate::routes::RouteAnswer;

/// Longest wait of a page for work in the background, where the page shows more by and by.
const AT_ONCE: Duration = Duration::from_millis(150);
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
    // A puzzle that is set waits for its reader.
    let is_set = reader.puzzle.is_some() && question.course.plies() == 0;
    let replies = reader.play.is_some() && !is_set || reader.hint > 0;
    let Interim { question, coming } = if asks {
        // A page that shows more by and by waits for nothing.
        let most = if replies { MOMENT } else { AT_ONCE };
        hurried_there(explorer, question, client, most).await
    } else {
        Interim {
            question,
            coming: None,
        }
    };
    let tablebase = &explorer.settings.tablebase;
    let here = question.course.after(at.unwrap_or(usize::MAX));
    let mut question = question;
    let mut demand = if asks {
        question.demand(tablebase)
    } else {
        Demand::Nothing
    };
    let is_planned = coming.as_ref().is_some_and(|coming| !coming.has_begun);
    if demand != Demand::Nothing && is_planned && !replies {
        // What answers it is not known yet: the page shows what is known, and then begins.
        demand = Demand::Nothing;
        question = question.hurried(Duration::ZERO);
    } else if demand != Demand::Nothing {
        // Where the whole variant is solved in the time of a question, that is better.
        let is_alone = coming.is_some()
            || tablebase.is_settled(&here)
            || explorer.ahead.is_refused(&key_of(&question.variant));
        let stages = PageStages::of(explorer, &question, is_alone.then_some(&here), replies);
        let stage = reader.stage;
        if let Some(next) = stages.after(stage) {
            reader.stage = next;
            reader.again = Some(1);
            let query = params.with("stage", &next.to_string());
            reader.further = Some(format!("{}{}?{query}", explorer.base, encoded(path)));
        }
        match stages.time(stage) {
            // What was found before takes no more than a look.
            None => {
                demand = Demand::Nothing;
                question = question.hurried(Duration::ZERO);
            }
            Some(time) if time < question.time(explorer) => question = question.hurried(time),
            Some(_) => {}
        }
    }
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
            // Nor does what was found before.
            let is_known = is_published || tablebase.is_found(&here, &question.options());
            let plain = Reader {
                hints: reader.hints && is_known,
                play: None,
                solution: false,
                // The page that follows goes there.
                at_mistake: false,
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

/// The searches for a page that is to be there at once and to show more soon, each longer than the one before.
struct PageStages {
    times: Vec<Duration>,
    /// How many of them would find little more than is known.
    found: usize,
}

impl PageStages {
    /// Those of a question; of a position that is solved or searched alone what was found of it needs no search.
    fn of(explorer: &Explorer, question: &Question, alone: Option<&At>, waits: bool) -> PageStages {
        let all = question.time(explorer);
        let at_once = !waits && !explorer.in_folder;
        // A solve that is no work for the background is done by the first page.
        let least = match alone {
            Some(_) => Duration::ZERO,
            None => AT_ONCE + Duration::from_secs_f64(QUICK),
        };
        let stages = STAGES.map(|time| time.max(least));
        let shorter = stages.into_iter().filter(|time| at_once && *time < all);
        let times: Vec<Duration> = shorter.chain([all]).collect();
        let is_found = |time: &&Duration| {
            let options = QueryOptions::within(Some(Budget::Time(**time)));
            alone.is_some_and(|at| explorer.settings.tablebase.is_found(at, &options))
        };
        let found = times.iter().take_while(is_found).count();
        PageStages { times, found }
    }

    fn place(&self, stage: usize) -> usize {
        stage.min(self.times.len() - 1)
    }

    /// The time of a search; `None` where it would find little more.
    fn time(&self, stage: usize) -> Option<Duration> {
        let stage = self.place(stage);
        (stage >= self.found).then(|| self.times[stage])
    }

    /// The search that shows more after this one.
    fn after(&self, stage: usize) -> Option<usize> {
        let next = self.found.max(self.place(stage) + 1);
        (next < self.times.len()).then_some(next)
    }
}
