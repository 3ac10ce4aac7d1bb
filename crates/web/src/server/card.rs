//! Cards of positions, `/VARIANT/card.png`: made when they are requested, then kept.

use std::sync::Arc;
use std::time::Duration;

use greenwave_picture::{CARD, Card, Picture, PngError, png, png_bytes};
use greenwave_tablebase::Tablebase;
use greenwave_words::Language;
use hyper::body::Bytes;
use hyper::header::{self, HeaderValue};
use hyper::{Response, StatusCode};

use super::body::ResponseBody;
use crate::board_words::row_titles;
use crate::explorer::{Client, Demand, Explorer};
use crate::page::{self, PositionSummary, Reader};
use crate::params::{Params, decoded};
use crate::problem::Problem;
use crate::question::Question;
use crate::view::View;

/// Time for a card, unless one question may take longer. The preview of a link asks only once, and does not wait for
/// long.
const TIME: Duration = Duration::from_secs(8);
/// The part of it until the card of the position has to be there; the rest is for the plain one.
const OWN: f64 = 0.75;
/// The part of it for finding the value.
const SEARCH: Duration = Duration::from_secs(1);

/// The name of the variant whose card is at a path.
pub(super) fn variant_of(path: &str) -> Option<&str> {
    let name = path.strip_prefix('/')?.strip_suffix("/card.png")?;
    (!name.is_empty() && !name.contains('/')).then_some(name)
}

/// A card, and whether it is the plain one in place of one that is not ready.
pub(super) struct PositionCard {
    png: Bytes,
    is_plain: bool,
}

/// The card of the position that the parameters name. Where it is not ready in time, the client gets the plain card of
/// the game.
pub(super) async fn card(
    explorer: &Arc<Explorer>,
    name: &str,
    query: &str,
    languages: Option<&str>,
    client: Client,
) -> Result<PositionCard, Problem> {
    let name = decoded(name)?;
    let params = Params::read(query)?;
    // A position of a puzzle or of its solution has the card of the position.
    Reader::only(&params, &["position", "moves", "ply", "solution"])?;
    let reader = Reader::read("", &params, languages)?;
    let question = Question::read(explorer, &name, &params)?;
    let at = params.number("ply", 100_000)?.map(|ply| ply as usize);
    let known = explorer.settings.tablebase.is_at_hand(&question.variant);
    let lights = question.variant.rules().lights_name().unwrap_or_default();
    let key = format!(
        "{name} {lights} {} {:?} {:?} {at:?} {known} {} {:?} {:?}",
        reader.hints,
        reader.puzzle,
        reader.play,
        reader.language.code(),
        question.position,
        question.moves
    );
    let kept = || {
        let png = (*explorer.cards.get(&key)?).clone();
        Some(PositionCard {
            png,
            is_plain: false,
        })
    };
    if let Some(known) = kept() {
        return Ok(known);
    }
    let time = TIME.max(explorer.settings.budget);
    let client = client.within(time, time);
    let time = time.mul_f64(OWN);
    let own = client.within(time / 2, time);
    let until = own.waits_until(time);
    let turn = explorer.turn(&format!("card {key}"), client, until).await;
    if let Some(known) = kept() {
        return Ok(known);
    }
    let Ok(Some(_turn)) = turn else {
        return plain(explorer, question, reader, client).await;
    };
    let (asked, seen) = (question.clone().hurried(SEARCH), reader.clone());
    let demand = Demand::Job { time };
    let made = explorer
        .work(own, demand, move |explorer, tablebase| {
            let view = View::new(&asked, at)?;
            let said = page::said_of(explorer, tablebase, &asked, &seen, &view)?;
            drawn(tablebase, &asked, &view, said, seen.language)
        })
        .await;
    match made {
        Ok(png) => Ok(PositionCard {
            png: (*explorer.cards.keep(&key, png)).clone(),
            is_plain: false,
        }),
        Err(problem) if problem.retry_after().is_some() => {
            plain(explorer, question, reader, client).await
        }
        Err(problem) => Err(problem),
    }
}

/// The card of the start of a game without its value. On a machine that is too busy for any job it is drawn at once: there
/// are few of them, and all are kept.
async fn plain(
    explorer: &Arc<Explorer>,
    question: Question,
    mut reader: Reader,
    client: Client,
) -> Result<PositionCard, Problem> {
    reader.hints = false;
    reader.puzzle = None;
    let lights = question.variant.rules().lights_name().unwrap_or_default();
    let key = format!(
        "{} {lights} {} plain",
        question.name,
        reader.language.code()
    );
    let of = |png: Arc<Bytes>| PositionCard {
        png: (*png).clone(),
        is_plain: true,
    };
    if let Some(known) = explorer.cards.get(&key) {
        return Ok(of(known));
    }
    let time = TIME.max(explorer.settings.budget);
    let demand = Demand::PlainCard { time };
    let draw = move |explorer: &Explorer, tablebase: &Tablebase| {
        // Another one had it drawn meanwhile.
        if let Some(known) = explorer.cards.get(&key) {
            return Ok(known);
        }
        let start = Question::of_game(explorer, &question.name, reader.lights)?;
        let view = View::new(&start, None)?;
        let said = page::said_of(explorer, tablebase, &start, &reader, &view)?;
        let png = drawn(tablebase, &start, &view, said, reader.language)?;
        Ok(explorer.cards.keep(&key, png))
    };
    let made = match explorer.work(client, demand, draw.clone()).await {
        Err(problem) if problem.retry_after().is_some() => {
            let client = client.again();
            explorer.work(client, Demand::Nothing, draw).await
        }
        made => made,
    };
    made.map(of)
}

/// The picture of a card.
fn drawn(
    tablebase: &Tablebase,
    question: &Question,
    view: &View,
    said: PositionSummary,
    words: Language,
) -> Result<Bytes, Problem> {
    let titles = row_titles(words);
    // Without a value an empty board says little of a game.
    let lit = said
        .of_game
        .then(|| page::lit(&question.name, &question.variant));
    let lit = lit.flatten();
    let mut board = Picture::new(lit.as_ref().unwrap_or(&view.diagram), "");
    board.row_titles = &titles;
    board.framed = view.last.into_iter().collect();
    if lit.is_none() {
        board.tags = said.suggested;
    }
    if let (Some(_), Some(over)) = (view.ending, &view.passed[view.at].at) {
        board.won = question.variant.completed_lines(over);
    }
    let card = Card {
        board,
        game: &said.game,
        turn: said.turn,
        sentence: &said.verdict,
        level: said.level,
    };
    let svg = card.svg();
    let needed = png_bytes(&svg, CARD.0).map_err(|error| not_drawn(&error))?;
    let _room = tablebase.reserve(needed.into(), "drawing a card", "")?;
    let drawn = png(&svg, CARD.0).map_err(|error| not_drawn(&error))?;
    Ok(Bytes::from(drawn))
}

fn not_drawn(error: &PngError) -> Problem {
    Problem::new(StatusCode::INTERNAL_SERVER_ERROR, error.to_string())
}

/// A card as it is sent.
pub(super) fn response(card: PositionCard) -> Response<ResponseBody> {
    let mut response = Response::new(ResponseBody::text(card.png));
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("image/png"));
    // A value that is unknown today may be known tomorrow.
    let lasts = if card.is_plain {
        "public, max-age=10"
    } else {
        "public, max-age=86400"
    };
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(lasts));
    headers.insert(header::VARY, HeaderValue::from_static("Accept-Language"));
    response
}
