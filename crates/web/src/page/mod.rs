//! Pages for people: complete without a script, every move a link.

mod about;
mod address;
mod board;
mod chance;
mod chart;
mod claims;
mod compare;
mod contents;
mod design;
mod editing;
mod ended;
mod figures;
mod find;
mod found;
mod frame;
mod game;
mod graph;
mod home;
mod key;
mod learn;
mod lesson;
mod line;
mod mini;
mod more;
mod moves;
mod nearest;
mod notices;
mod options;
mod position;
mod problem;
mod puzzles;
mod reader;
mod record;
mod review;
mod scan;
mod settled;
mod sheet;
mod solution;
mod stages;
mod start;
mod stats;
#[cfg(not(target_family = "wasm"))]
mod summary;
mod sums;
mod tables;
mod tiles;
mod titles;
mod told;
mod tools;
mod tree;
mod unplayed;
mod variety;
mod verdict;
mod ways;
mod why;
mod written;

#[cfg(not(target_family = "wasm"))]
pub(crate) use address::{game_of, is_general, stays};
pub(crate) use problem::of_problem;
pub(crate) use reader::Reader;
#[cfg(not(target_family = "wasm"))]
pub(crate) use summary::{PositionSummary, said_of};
#[cfg(not(target_family = "wasm"))]
pub(crate) use tiles::lit;

use std::sync::Arc;

use greenwave_words::Language;

use crate::explorer::{Client, Explorer};
use crate::messages;
use crate::params::{Params, encoded};
use crate::problem::Problem;
use crate::question::Question;
use crate::routes::{AnswerKind, PageRequest, RouteAnswer};
use address::{GamePage, GeneralPage, PageAddress, path_meant};

/// Where the explorer without a server is, if the server has it, and the commands with which it does.
const OFFLINE: &str = "offline";
const ADDS_SOLVER: &str = "greenwave serve --offline";

/// The page of a path.
pub(crate) async fn answer(
    explorer: &Arc<Explorer>,
    path: &str,
    params: &Params,
    asked: &PageRequest<'_>,
    mut reader: Reader,
    client: Client,
) -> Result<RouteAnswer, Problem> {
    reader.origin = asked.origin.to_string();
    reader.at_server = client.address.is_loopback();
    let name = path.trim_start_matches('/');
    // A rule file may stand in a folder of any name.
    let file = name.find(".toml").map(|end| &name[..end + ".toml".len()]);
    let is_of_file = file.is_some_and(|file| explorer.file(file).is_some());
    // Other sites have their languages in the path.
    let (first, below) = name.split_once('/').unwrap_or((name, ""));
    let language = Language::ALL.into_iter().find(|one| one.code() == first);
    if let Some(language) = language.filter(|_| !reader.language_asked && !is_of_file) {
        let between = if asked.query.is_empty() { "" } else { "&" };
        let query = format!("{}{between}lang={}", asked.query, language.code());
        return Ok(moved(explorer, below, &query));
    }
    if let Some(meant) = path_meant(name).filter(|_| !is_of_file) {
        return Ok(moved(explorer, &meant, asked.query));
    }
    if name.split('/').next() == Some(OFFLINE) && explorer.settings.offline.is_none() {
        return Err(Problem::not_found(messages::offline_none(ADDS_SOLVER)));
    }
    if name == OFFLINE {
        return Ok(moved(explorer, &format!("{OFFLINE}/index.html"), ""));
    }
    let page = PageAddress::of(name, is_of_file);
    if let Some(own) = page.parameters() {
        Reader::only(params, own)?;
    }
    let read = |name: &str| {
        if name.contains('/') && !is_of_file {
            let problem = messages::nothing_there(path, "/classic-3x3");
            return Err(Problem::not_found(problem));
        }
        Question::read(explorer, name, params)
    };
    // A game has many names that are read, and one that is written.
    let renamed = |question: &Question| {
        let proper = question.variant.rules().title();
        let below = name.strip_prefix(&*question.name)?;
        let address = RouteAnswer {
            kind: AnswerKind::Renamed,
            ..moved(explorer, &format!("{proper}{below}"), asked.query)
        };
        (question.name != proper).then_some(address)
    };
    match page {
        PageAddress::General(page) => {
            let mut answered = general(explorer, page, params, &reader, client).await?;
            if page.stays() && answered.kind == AnswerKind::Page {
                answered.kind = AnswerKind::FinalPage;
            }
            Ok(answered)
        }
        PageAddress::Claim(id) => claims::one(explorer, &reader, id, params, client).await,
        PageAddress::Game(name, page) => {
            let question = read(name)?;
            if let Some(renamed) = renamed(&question) {
                return Ok(renamed);
            }
            of_game(explorer, page, question, params, &reader, client).await
        }
        PageAddress::Position(name) => {
            let question = match read(name) {
                Err(problem) if !reader.embed => {
                    let (question, unplayed) =
                        record::legal_part(explorer, name, params).ok_or(problem)?;
                    reader = reader.looking_back(unplayed);
                    question
                }
                read => read?,
            };
            if let Some(renamed) = renamed(&question) {
                return Ok(renamed);
            }
            stages::of_position(explorer, path, question, params, reader, client).await
        }
    }
}

/// Sends a visitor to the page at a path without its first slash, with the same parameters.
fn moved(explorer: &Explorer, path: &str, query: &str) -> RouteAnswer {
    let mark = if query.is_empty() { "" } else { "?" };
    RouteAnswer::moved(format!("{}/{}{mark}{query}", explorer.base, encoded(path)))
}

/// A page that is of no game.
async fn general(
    explorer: &Arc<Explorer>,
    page: GeneralPage,
    params: &Params,
    reader: &Reader,
    client: Client,
) -> Result<RouteAnswer, Problem> {
    match page {
        GeneralPage::Home => home::page(explorer, reader, params),
        GeneralPage::Go => options::go(explorer, reader, params),
        GeneralPage::Play => ways::play_first(explorer, reader, params),
        GeneralPage::Learn => learn::page(explorer, reader),
        GeneralPage::Lesson => lesson::page(explorer, reader, params),
        GeneralPage::DailyPuzzle => puzzles::of_the_day(explorer, reader, params),
        GeneralPage::Claims => claims::list(explorer, reader, params),
        GeneralPage::OwnClaim => claims::one(explorer, reader, "own", params, client).await,
        GeneralPage::Tables => Ok(tables::page(explorer, reader)),
        GeneralPage::Compare => compare::page(explorer, reader, params, client).await,
        GeneralPage::Sum => sums::page(explorer, reader, params, client).await,
        GeneralPage::Find => find::of_some_game(explorer, reader, params),
        GeneralPage::Design => design::page(explorer, reader, params, client).await,
        GeneralPage::Help => Ok(about::help(explorer, reader)),
        GeneralPage::Settings => Ok(about::settings(explorer, reader)),
        GeneralPage::About => Ok(about::about(explorer, reader)),
    }
}

/// A page of a game beside those of its positions.
async fn of_game(
    explorer: &Arc<Explorer>,
    page: GamePage,
    question: Question,
    params: &Params,
    reader: &Reader,
    client: Client,
) -> Result<RouteAnswer, Problem> {
    // Sends a visitor to a page of all games, which learns by this parameter which game is meant.
    let of_all_games = |path: &str, parameter: Option<&str>| {
        let own = parameter.map(|parameter| (parameter, question.name.as_str()));
        RouteAnswer::moved(reader.plain().address(explorer, path, own.as_slice()))
    };
    match page {
        GamePage::Stats => stats::page(explorer, &question, reader, params, client).await,
        GamePage::Puzzle => puzzles::one(explorer, reader, &question, params, client).await,
        GamePage::Sheet => sheet::sheet(explorer, reader, &question, params, client).await,
        GamePage::Play => Ok(ways::play(explorer, reader, &question, params)),
        GamePage::Learn => Ok(ways::learn(explorer, reader, &question).await),
        GamePage::Record => record::page(explorer, reader, &question, params),
        GamePage::Tree => tree::page(explorer, reader, question, params, client).await,
        GamePage::Find => find::page(explorer, reader, &question, params, client).await,
        GamePage::Claims => Ok(of_all_games("/claims", Some("find"))),
        GamePage::Tables => Ok(of_all_games("/tables", None)),
        GamePage::Compare => Ok(of_all_games("/compare", Some("a"))),
    }
}
