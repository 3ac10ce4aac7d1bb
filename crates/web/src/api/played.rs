//! Questions about games that are played: reviews, puzzles, the move of the program.

use std::sync::Arc;

use greenwave_game::{Luck, Message};
use greenwave_play::{
    By, Dice, Explanation, Level, PlyDocument, PuzzleOptions, Puzzles, Record, ResultDocument,
    Seat, Theme, choose, no_puzzles, puzzles, ready_puzzles, review_of,
};
use greenwave_tablebase::{QueryOptions, Tablebase};
use greenwave_words::Language;
use hyper::StatusCode;

use crate::ahead::{MOMENT, PendingWork};
use crate::answer::{RouteAnswer, json_text};
use crate::api::documents::{bettered, document, from_tables, lines, pending};
use crate::books::BookRequest;
use crate::explorer::{Client, Explorer};
use crate::messages;
use crate::params::Params;
use crate::problem::Problem;
use crate::question::{Question, example_moves, hurried, hurried_there};
use crate::worked::{Computation, Patience};

/// Most puzzles at once.
pub(crate) const PUZZLES: u64 = 24;

/// A game gone through.
pub(super) async fn review(
    explorer: &Arc<Explorer>,
    question: Question,
    client: Client,
) -> Result<RouteAnswer, Problem> {
    if question.moves.is_none() {
        let example = example_moves(&question.variant, ",");
        let problem = format!("found no moves, expected for example moves={example}");
        return Err(Problem::input(problem));
    }
    let interim = hurried(explorer, question, client, MOMENT).await;
    interim
        .answer(explorer, client, |explorer, tablebase, question, coming| {
            let plies = question.moves.as_deref().unwrap_or("").split([',', ' ']);
            let plies = plies.count();
            let question = question.parted(plies);
            let record = question.record(&mut Dice::new(0, 0));
            let queries = tablebase.queries(&question.variant, &question.options())?;
            let answered = document(&review_of(&queries, &record)?);
            let variants = [question.variant];
            Ok(match coming {
                Some(coming) => pending(answered, coming.pending),
                None => from_tables(explorer, &variants, answered),
            })
        })
        .await
}

/// Plies of a book, at most.
const BOOK: u64 = 6;

/// The player for whom a repertoire is requested, if it is one.
pub(crate) fn side(params: &Params) -> Result<Option<Seat>, Problem> {
    match params.get("for").filter(|side| !side.is_empty()) {
        None => Ok(None),
        Some("first") => Ok(Some(Seat::First)),
        Some("second") => Ok(Some(Seat::Second)),
        Some(other) => Err(Problem::wrong("for", messages::found_player(other))),
    }
}

/// The opening tree of a variant.
pub(super) async fn book(
    explorer: &Arc<Explorer>,
    question: Question,
    params: &Params,
    client: Client,
) -> Result<RouteAnswer, Problem> {
    let depth = params.number_from("depth", 0, BOOK)?.unwrap_or(4) as u32;
    let side = side(params)?;
    let variants = [question.variant.clone()];
    let request = BookRequest {
        question,
        depth,
        side,
    };
    let found = request.found(explorer, client).await?;
    if found.depth < depth {
        let name = variants[0].rules().title();
        return Err(Problem::new(
            StatusCode::PAYLOAD_TOO_LARGE,
            format!(
                "depth: found {depth}, expected at most {}: a book of {name} that is deeper takes more time or memory than \
                 there is here",
                found.depth
            ),
        ));
    }
    let mut answered = lines(&found.book.nodes);
    answered.body.push_str(&json_text(&found.book.end()));
    Ok(from_tables(explorer, &variants, answered))
}

/// Every move of a position explained.
pub(super) async fn explain(
    explorer: &Arc<Explorer>,
    question: Question,
    language: Language,
    client: Client,
) -> Result<RouteAnswer, Problem> {
    let interim = hurried_there(explorer, question, client, MOMENT).await;
    interim
        .answer(
            explorer,
            client,
            move |explorer, tablebase, question, coming| {
                let queries = tablebase.few_queries(&question.variant, &question.options())?;
                let answer = queries.answer(question.at().position())?;
                let variant = &question.variant;
                let at_hand = tablebase.is_at_hand(variant);
                let explained = document(&Explanation::of(&queries, at_hand, &answer, language)?);
                Ok(bettered(explorer, variant, explained, &answer, coming))
            },
        )
        .await
}

/// What puzzles the parameters ask for.
pub(crate) fn options(params: &Params) -> Result<PuzzleOptions, Problem> {
    let level = params.number_from("level", 1, 5)?;
    Ok(PuzzleOptions {
        count: params.number_from("count", 1, PUZZLES)?.unwrap_or(1) as usize,
        seed: params.number("seed", u64::MAX)?.unwrap_or(0),
        level: level.map(|level| level as u8),
        theme: theme(params)?,
    })
}

/// The requested theme of puzzles.
pub(crate) fn theme(params: &Params) -> Result<Option<Theme>, Problem> {
    params.one_of("theme", &Theme::ALL.map(|theme| (theme.name(), theme)))
}

/// Puzzles of a variant; none is an answer, too.
pub(crate) async fn sought(
    explorer: &Arc<Explorer>,
    question: &Question,
    options: PuzzleOptions,
    client: Client,
) -> Result<Arc<Puzzles>, Problem> {
    if let Some(ready) = ready_puzzles(&question.variant, &options) {
        return Ok(Arc::new(ready));
    }
    let variant = question.variant.clone();
    let work = Computation {
        name: format!("puzzles of {}", variant.rules().title()),
        options: format!("{options:?}"),
        of_values: variant.rules().properties.luck == Luck::None,
        patience: Patience::Part,
        variants: vec![variant.clone()],
        kept: |explorer| &explorer.puzzles,
        make: Arc::new(move |tablebase: &Tablebase| Ok(puzzles(tablebase, &variant, &options)?)),
    };
    let budget = question.time(explorer);
    explorer.worked_out(work, client, budget).await
}

/// Puzzles of a variant.
pub(super) async fn puzzle(
    explorer: &Arc<Explorer>,
    question: &Question,
    params: &Params,
    client: Client,
) -> Result<RouteAnswer, Problem> {
    let options = options(params)?;
    let found = sought(explorer, question, options, client).await?;
    let variants = [question.variant.clone()];
    // None is an answer, too, as the command exits with 1 and not with 2.
    let why = || no_puzzle(question, &options, found.are_all).message;
    let answered = RouteAnswer {
        remark: found.is_empty().then(|| why().to_string()),
        ..lines(found.iter())
    };
    Ok(from_tables(explorer, &variants, answered))
}

/// The problem that no puzzle as wanted was found; `are_all` where there is none.
pub(crate) fn no_puzzle(question: &Question, options: &PuzzleOptions, are_all: bool) -> Problem {
    let rules = question.variant.rules();
    let name = rules.title();
    let can_have = rules.properties.luck == Luck::None;
    // Of these the command says more, and names an option of its own.
    Problem::not_found(if can_have && !are_all {
        messages::puzzle_sample(name)
    } else if can_have && options.theme.is_some() {
        messages::puzzle_none_kind(name)
    } else {
        no_puzzles(rules, options.level, None, true)
    })
}

/// The level of play that the parameters ask for.
pub(crate) fn level(params: &Params) -> Result<Level, Problem> {
    match params.get("level").filter(|level| !level.is_empty()) {
        Some(text) => text
            .parse()
            .map_err(|problem: Message| Problem::wrong("level", problem)),
        None => Ok(Level::Perfect),
    }
}

/// The move of the program.
pub(super) async fn play(
    explorer: &Arc<Explorer>,
    question: Question,
    params: &Params,
    client: Client,
) -> Result<RouteAnswer, Problem> {
    let level = level(params)?;
    let seed = params.number("seed", u64::MAX)?.unwrap_or(0);
    let interim = hurried_there(explorer, question, client, MOMENT).await;
    interim
        .answer(
            explorer,
            client,
            move |explorer, tablebase, question, coming| {
                // The position before the move, and the one after it.
                moved(
                    explorer,
                    tablebase,
                    &question.parted(2),
                    (level, seed),
                    coming,
                )
            },
        )
        .await
}

fn moved(
    explorer: &Explorer,
    tablebase: &Tablebase,
    question: &Question,
    (level, seed): (Level, u64),
    coming: Option<&PendingWork>,
) -> Result<RouteAnswer, Problem> {
    let mut record = question.record(&mut Dice::new(seed, u64::MAX));
    let result = |record: &Record| {
        let end = record.end()?;
        let result = end.winner.map_or("draw", Seat::name);
        Some(ResultDocument::new(record, result, seed))
    };
    if let Some(result) = result(&record) {
        return Ok(lines([result]));
    }
    let options = QueryOptions {
        needs_move: true,
        ..question.options()
    };
    let ask = |record: &Record| tablebase.query_of(&record.here(), &options);
    let answer = ask(&record)?;
    let mut dice = Dice::new(seed, record.turns().len() as u64);
    let Some(choice) = choose(&question.variant, &answer, level, &mut dice) else {
        return Err(Problem::input("found no move to make in this position"));
    };
    record.play(&choice.mv, &mut dice)?;
    let after = ask(&record)?;
    let ply = PlyDocument::new(&record, &after, By::Machine, choice.opinion);
    let mut answered = lines([ply]);
    if let Some(result) = result(&record) {
        answered.body.push_str(&json_text(&result));
    }
    let variant = &question.variant;
    Ok(bettered(explorer, variant, answered, &answer, coming))
}
