//! Cards of positions, `/VARIANT/card.png`: made when they are requested, then kept.

use std::sync::Arc;
use std::time::Duration;

use greenwave_picture::{CARD, Card, Picture, PngError, png, png_bytes};
use hyper::body::Bytes;
use hyper::header::{self, HeaderValue};
use hyper::{Response, StatusCode};

use super::body::ResponseBody;
use crate::board_words::row_titles;
use crate::explorer::{Client, Demand, Explorer};
use crate::page::{self, Reader};
use crate::params::{Params, decoded};
use crate::problem::Problem;
use crate::question::Question;
use crate::view::View;

/// The time limit of a card, within that of the server: the client waits for nothing else.
const TIME: Duration = Duration::from_secs(20);
/// The part of it for finding the value.
const SEARCH: Duration = Duration::from_secs(1);

/// The name of the variant whose card is at a path.
pub(super) fn variant_of(path: &str) -> Option<&str> {
    let name = path.strip_prefix('/')?.strip_suffix("/card.png")?;
    (!name.is_empty() && !name.contains('/')).then_some(name)
}

/// The card of the position that the parameters name.
pub(super) async fn card(
    explorer: &Arc<Explorer>,
    name: &str,
    query: &str,
    languages: Option<&str>,
    client: Client,
) -> Result<Bytes, Problem> {
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
        "{name} {lights} {} {at:?} {known} {} {:?} {:?}",
        reader.hints,
        reader.language.code(),
        question.position,
        question.moves
    );
    if let Some(known) = explorer.cards.get(&key) {
        return Ok((*known).clone());
    }
    let question = question.hurried(SEARCH);
    // The preview of a link asks only once.
    let demand = Demand::Job {
        patience: TIME / 2,
        time: TIME,
    };
    let made = explorer
        .work(client, demand, move |explorer, tablebase| {
            let view = View::new(&question, at)?;
            let said = page::said_of(explorer, tablebase, &question, &reader, &view)?;
            let titles = row_titles(reader.language);
            // An empty board says little of a game.
            let lit = view
                .is_start()
                .then(|| page::lit(&question.name, &question.variant));
            let lit = lit.flatten();
            let mut board = Picture::new(lit.as_ref().unwrap_or(&view.diagram), "");
            board.row_titles = &titles;
            board.framed = view.last.into_iter().collect();
            if lit.is_none() {
                board.tags = said.best;
            }
            if let (Some(_), Some(over)) = (view.ending, &view.passed[view.at].at) {
                board.won = question.variant.completed_lines(over);
            }
            let card = Card {
                board,
                game: &said.game,
                turn: said.turn,
                sentence: &said.verdict,
            };
            let svg = card.svg();
            let needed = png_bytes(&svg, CARD.0).map_err(|error| not_drawn(&error))?;
            let _room = tablebase.reserve(needed.into(), "drawing a card", "")?;
            let drawn = png(&svg, CARD.0).map_err(|error| not_drawn(&error))?;
            Ok(Bytes::from(drawn))
        })
        .await?;
    Ok((*explorer.cards.keep(&key, made)).clone())
}

fn not_drawn(error: &PngError) -> Problem {
    Problem::new(StatusCode::INTERNAL_SERVER_ERROR, error.to_string())
}

/// A card as it is sent.
pub(super) fn response(card: Bytes) -> Response<ResponseBody> {
    let mut response = Response::new(ResponseBody::text(card));
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("image/png"));
    // A value that is unknown today may be known tomorrow.
    headers.insert(
        header::CACHE_CONTROL,
        HeaderValue::from_static("public, max-age=86400"),
    );
    headers.insert(header::VARY, HeaderValue::from_static("Accept-Language"));
    response
}
