//! The page that says why there is none.

use std::borrow::Cow;

use greenwave_game::{Game, short_quotes};
use greenwave_picture::escaped;
use greenwave_words::Language;
use hyper::StatusCode;

use crate::explorer::Explorer;
use crate::page::address::{GamePage, GeneralPage, PageAddress, game_of};
use crate::page::notices::{in_words, near, wait};
use crate::page::reader::Reader;
use crate::page::written::place_in_words;
use crate::page::{claims, find, frame, home, puzzles, record, tiles, titles, ways};
use crate::params::{Params, decoded, encoded};
use crate::problem::Problem;
use crate::question::Question;
use crate::routes::RouteAnswer;

/// The page of a problem; `seen` is how a message is shown to its reader.
pub(crate) fn of_problem(
    explorer: &Explorer,
    path: &str,
    reader: &Reader,
    params: &Params,
    problem: &Problem,
    seen: impl Fn(&str) -> String,
) -> RouteAnswer {
    let words = reader.language;
    // Where others are served first, the page waits with its reader.
    let again = problem.comes_soon();
    let reader = &Reader {
        again,
        ..reader.clone()
    };
    let path = decoded(path).unwrap_or_default();
    let name = path.trim_matches('/');
    let page = GeneralPage::at(name);
    let is_answer = problem.status.is_success();
    let title = match again.map(|_| subject(explorer, words, name, params)) {
        Some(Some(subject)) => words.with("working-out-of", subject),
        Some(None) => words.text("working-out").into(),
        // To have found none is no fault.
        None if is_answer => subject(explorer, words, name, params).unwrap_or_default(),
        None => words.text("error-title").into(),
    };
    // What can be read is whole in links; what is wrong is quoted in part, and stands in no field.
    let is_whole = ![StatusCode::BAD_REQUEST, StatusCode::NOT_FOUND].contains(&problem.status);
    let shown = if is_whole {
        params.clone()
    } else {
        params.up_to(record::SHOWN)
    };
    let long = record::too_long(explorer, name, problem);
    let game = GamePage::of(name).map(|(game, _)| game);
    let told = match again {
        Some(seconds) => format!(">{}", escaped(&wait(words, seconds))),
        None => in_words(words, long.as_ref().unwrap_or(&problem.message), seen),
    };
    let mended = if long.is_some() {
        // A part of the text would be taken for all of it.
        record::mended(explorer, reader, name, &Params::default(), &told)
    } else if problem.status == StatusCode::BAD_REQUEST {
        record::mended(explorer, reader, name, params, &told)
    } else {
        None
    };
    let is_mended = mended.is_some();
    // A page that is still being worked out is no fault.
    let class = if again.is_some() || is_answer {
        "said"
    } else {
        "problem"
    };
    let told = mended.unwrap_or(format!("<p class=\"{class}\" role=\"alert\"{told}</p>"));
    let waiting = game.filter(|_| again.is_some());
    // An empty board would say little of what comes.
    let waiting = waiting.and_then(|game| {
        let lit =
            tiles::lit_position(game).map(|position| format!("position={}", encoded(position)));
        let begun = Params::read(&lit.unwrap_or_default()).ok()?;
        Question::read(explorer, game, &begun).ok()
    });
    let meanwhile = waiting.map_or_else(String::new, |question| {
        ways::meanwhile(explorer, reader, &question)
    });
    let mut body = format!(
        "<main id=\"main\" tabindex=\"-1\"{}><h1>{}</h1>{told}{meanwhile}<ul class=\"ways\">",
        frame::again(reader),
        escaped(&title)
    );
    if let Some(game) = game.filter(|_| !meanwhile.is_empty()) {
        body.push_str(&format!(
            "<li><a href=\"{}\">{}</a></li>",
            escaped(
                &reader
                    .plain()
                    .address(explorer, &format!("/{game}/play"), &[])
            ),
            words.text("play")
        ));
    }
    let begin = match page {
        Some(GeneralPage::Lesson) => Some(("/lesson", "lesson")),
        _ if name.starts_with("claims/") => Some(("/claims", "claims")),
        _ => None,
    };
    if let Some((address, key)) = begin {
        body.push_str(&format!(
            "<li><a href=\"{}\">{}</a></li>",
            escaped(&reader.address(explorer, address, &[])),
            words.text(key)
        ));
    }
    if GamePage::of(name).is_some() && problem.message.key() == Some("puzzle_sample") {
        body.push_str(&format!(
            "<li><a data-tool=\"next\" href=\"{}\">{}</a></li>",
            escaped(&puzzles::others(explorer, reader, name, params)),
            words.text("sheet-next")
        ));
    }
    let (name, is_find) = match GamePage::of(name) {
        Some((name, page)) => (name, matches!(page, GamePage::Find)),
        None => (name, false),
    };
    let meant = near(&problem.message).unwrap_or_else(|| vec![name]);
    let games = meant.into_iter();
    for name in games.filter(|name| explorer.variant(name).is_ok()) {
        body.push_str(&format!(
            "<li><a href=\"{}\">{}</a></li>",
            escaped(&reader.address(explorer, &format!("/{name}"), &[])),
            escaped(&words.with("error-start", titles::title(explorer, words, name)))
        ));
    }
    body.push_str(&format!(
        "<li><a href=\"{}\">{}</a></li></ul>{}</main>",
        escaped(&reader.address(explorer, "/", &[])),
        words.text("home"),
        match page {
            _ if is_mended || again.is_some() || is_answer => String::new(),
            Some(GeneralPage::OwnClaim) => claims::form_again(explorer, reader, &shown),
            None if is_find => find::form_again(explorer, reader, name, &shown),
            _ => home::form(explorer, reader),
        }
    ));
    // The same page in other languages, unless it is of no game.
    let of_game = |name| explorer.variant(name).is_ok();
    // Names are written as they are.
    let own = params.without("lang");
    let own = own.filter(|(name, _)| encoded(name) == *name);
    let own: Vec<(&str, Cow<'_, str>)> = own
        .map(|(name, value)| {
            let cut = || short_quotes(value, [value]).into();
            (name, if is_whole { value.into() } else { cut() })
        })
        .collect();
    let own: Vec<(&str, &str)> = own.iter().map(|(name, value)| (*name, &**value)).collect();
    let is_nowhere =
        problem.status == StatusCode::NOT_FOUND && short_quotes(&path, [&*path]) != *path;
    let here = (!is_nowhere && game_of(&path).is_none_or(of_game)).then_some((&*path, &*own));
    frame::answer(explorer, reader, &title, here, &body)
}

/// What a page is about that is being worked out: a game and its position, or what the page tells of games.
fn subject(explorer: &Explorer, words: Language, name: &str, params: &Params) -> Option<String> {
    match PageAddress::of(name, false) {
        PageAddress::General(page) => match page {
            GeneralPage::OwnClaim => Some(words.text("own-claim").into()),
            GeneralPage::Sum => Some(words.text("sums").into()),
            GeneralPage::Design => Some(words.text("design").into()),
            GeneralPage::Home
            | GeneralPage::Go
            | GeneralPage::Compare
            | GeneralPage::DailyPuzzle
            | GeneralPage::Play
            | GeneralPage::Learn
            | GeneralPage::Lesson
            | GeneralPage::Claims
            | GeneralPage::Tables
            | GeneralPage::Find
            | GeneralPage::Help
            | GeneralPage::Settings
            | GeneralPage::About => None,
        },
        PageAddress::Claim(id) => Some(words.with("claim-number", id)),
        PageAddress::Game(game, page) => {
            let part = match page {
                GamePage::Stats => "stats",
                GamePage::Puzzle | GamePage::Sheet => "puzzles",
                GamePage::Play => "play",
                GamePage::Learn => "learn",
                GamePage::Record => "record",
                GamePage::Tree => "tree",
                GamePage::Find => "find",
                GamePage::Claims => "claims",
                GamePage::Tables => "tables",
                GamePage::Compare => "compare",
            };
            let game = titles::title(explorer, words, game);
            Some(format!("{game} \u{b7} {}", words.text(part)))
        }
        PageAddress::Position(game) => {
            let question = Question::read(explorer, game, params).ok()?;
            let (variant, at) = (&question.variant, question.at());
            let place = place_in_words(words, variant, at.position())
                .unwrap_or_else(|| variant.position_text(at.position()));
            Some(format!("{}, {place}", titles::title(explorer, words, game)))
        }
    }
}
