//! Pages for people: complete without a script, every move a link.

mod board;
mod chart;
mod claims;
mod compare;
mod figures;
mod frame;
mod game;
mod home;
mod more;
mod moves;
mod position;
mod puzzles;
mod stats;
mod sums;
mod tables;
mod tools;

use std::net::IpAddr;
use std::sync::Arc;

use greenwave_game::Colours;
use greenwave_picture::escaped;
use greenwave_play::{HINTS, Level};

use crate::explorer::Explorer;
use crate::params::{Params, encoded};
use crate::problem::Problem;
use crate::question::Question;
use crate::routes::{Answered, Kind};
use crate::text::Language;

/// Who reads, and how: what every link of a page carries on.
#[derive(Clone, Debug, Default)]
pub(crate) struct Reader {
    pub(crate) language: Language,
    /// Whether the language was asked for in the address.
    language_asked: bool,
    pub(crate) hints: bool,
    pub(crate) edit: bool,
    pub(crate) embed: bool,
    pub(crate) colours: Option<Colours>,
    /// Where the solver plays for the other side: whether the reader is the player who begins.
    pub(crate) play: Option<bool>,
    /// Whether two people play and the judge watches.
    pub(crate) watch: bool,
    /// How well the program plays.
    pub(crate) level: Level,
    /// What the program's choices and the draws follow from.
    pub(crate) seed: Option<u64>,
    /// Where a puzzle is played: how hard it is, 0 for any.
    pub(crate) puzzle: Option<u8>,
    /// The step of a hint that is asked for; links do not carry it on.
    pub(crate) hint: usize,
    /// Whether nothing was proven about the program's last move; links do not carry it on.
    pub(crate) opinion: bool,
    /// The square whose moves are to be chosen from.
    pub(crate) from: Option<String>,
    /// Scheme and host of addresses that are given away.
    pub(crate) origin: String,
    /// Why the page shows less than it was asked for.
    pub(crate) notice: Option<String>,
}

impl Reader {
    pub(crate) fn new(params: &Params, accepted: Option<&str>) -> Reader {
        Reader {
            language: Language::chosen(params.get("lang"), accepted),
            language_asked: params.get("lang").is_some(),
            hints: params.get("hints").is_none_or(|hints| hints != "0"),
            edit: params.is_on("edit"),
            embed: params.is_on("embed"),
            colours: match params.get("colours") {
                Some("ryg") => Some(Colours::Ryg),
                Some("gyr") => Some(Colours::Gyr),
                _ => None,
            },
            play: match params.get("play") {
                Some("first") => Some(true),
                Some("second") => Some(false),
                _ => None,
            },
            watch: params.get("play") == Some("both"),
            level: params
                .get("level")
                .and_then(|level| level.parse().ok())
                .unwrap_or_default(),
            seed: params.get("seed").and_then(|seed| seed.parse().ok()),
            puzzle: params.get("puzzle").and_then(|level| level.parse().ok()),
            hint: params
                .get("hint")
                .and_then(|step| step.parse().ok())
                .unwrap_or(0)
                .min(HINTS),
            opinion: params.is_on("opinion"),
            from: params.text("from"),
            origin: String::new(),
            notice: None,
        }
    }

    /// The address of a page of this reader: a path, and parameters by name.
    pub(crate) fn address(&self, explorer: &Explorer, path: &str, own: &[(&str, &str)]) -> String {
        let colours = self.colours.map(|colours| match colours {
            Colours::Ryg => "ryg",
            Colours::Gyr => "gyr",
        });
        let seed = self.seed.map(|seed| seed.to_string());
        let puzzle = self.puzzle.map(|level| level.to_string());
        let kept = [
            ("colours", colours),
            ("lang", self.language_asked.then(|| self.language.code())),
            ("hints", (!self.hints).then_some("0")),
            ("edit", self.edit.then_some("1")),
            ("embed", self.embed.then_some("1")),
            (
                "play",
                match self.play {
                    Some(true) => Some("first"),
                    Some(false) => Some("second"),
                    None => self.watch.then_some("both"),
                },
            ),
            (
                "level",
                (self.level != Level::Perfect).then(|| self.level.name()),
            ),
            ("seed", seed.as_deref()),
            ("puzzle", puzzle.as_deref()),
        ];
        let kept = kept
            .iter()
            .filter_map(|(name, value)| Some((*name, (*value)?)));
        let mut address = format!("{}{}", explorer.base, encoded(path));
        let mut mark = '?';
        for (name, value) in own.iter().copied().chain(kept) {
            address.push(mark);
            address.push_str(name);
            address.push('=');
            address.push_str(&encoded(value));
            mark = '&';
        }
        address
    }
}

/// The page of a path.
pub(crate) async fn answer(
    explorer: &Arc<Explorer>,
    path: &str,
    params: &Params,
    origin: &str,
    mut reader: Reader,
    client: IpAddr,
) -> Result<Answered, Problem> {
    reader.origin = origin.to_string();
    let name = path.trim_start_matches('/');
    if name.is_empty() {
        return Ok(home::page(explorer, &reader));
    }
    if name == "go" {
        return home::go(explorer, &reader, params);
    }
    match name {
        "puzzle" => return puzzles::of_the_day(explorer, &reader, client).await,
        "compare" => return compare::page(explorer, &reader, params, client).await,
        "sum" => return sums::page(explorer, &reader, params, client).await,
        "claims" => return claims::list(explorer, &reader),
        "tables" => return Ok(tables::page(explorer, &reader)),
        _ => {}
    }
    if let Some(id) = name.strip_prefix("claims/") {
        return claims::one(explorer, &reader, id, client).await;
    }
    let (name, part) = match name.rsplit_once('/') {
        Some((name, part @ ("stats" | "puzzle" | "sheet"))) => (name, part),
        _ => (name, ""),
    };
    if name.contains('/') {
        return Err(Problem::not_found(format!(
            "nothing is at '{path}'; pages are at /VARIANT, such as /classic-3x3"
        )));
    }
    let question = Question::read(explorer, name, params)?;
    match part {
        "stats" => {
            explorer
                .ready(std::slice::from_ref(&question.variant))
                .await?;
            let computes = question.computes(&explorer.settings.tablebase);
            return explorer
                .work(client, computes, move |explorer, tablebase| {
                    stats::page(explorer, tablebase, &question, &reader)
                })
                .await;
        }
        "puzzle" => return puzzles::one(explorer, &reader, &question, params, client).await,
        "sheet" => return puzzles::sheet(explorer, &reader, &question, params, client).await,
        _ => {}
    }
    let at = params.number("ply", 100_000)?.map(|ply| ply as usize);
    let asks = reader.hints || reader.play.is_some() || reader.watch || reader.hint > 0;
    let coming = match asks {
        true => explorer.soon(std::slice::from_ref(&question.variant)).await,
        false => None,
    };
    let question = match &coming {
        Some(coming) => question.hurried(coming.patience),
        None => question,
    };
    let computes = question.computes(&explorer.settings.tablebase) && asks;
    let (shown, seen, solving) = (question.clone(), reader.clone(), coming.clone());
    let answered = explorer
        .work(client, computes, move |explorer, tablebase| {
            position::page(explorer, tablebase, &shown, at, &seen, solving.as_ref())
        })
        .await;
    match answered {
        // The board and its moves can be shown whatever else is being computed.
        Err(problem) if computes && problem.retry_after().is_some() => {
            let plain = Reader {
                hints: false,
                play: None,
                hint: 0,
                notice: Some(problem.message),
                ..reader
            };
            explorer
                .work(client, false, move |explorer, tablebase| {
                    position::page(explorer, tablebase, &question, at, &plain, coming.as_ref())
                })
                .await
        }
        answered => answered,
    }
}

/// The page that says why there is none.
pub(crate) fn of_problem(
    explorer: &Explorer,
    path: &str,
    reader: &Reader,
    problem: &Problem,
) -> Answered {
    let words = reader.language;
    let mut body = format!(
        "<main id=\"main\"><h1>{}</h1><p class=\"problem\" role=\"alert\">{}</p><ul class=\"ways\">",
        words.text("error-title"),
        escaped(&problem.message)
    );
    let name = path.trim_matches('/');
    if explorer.variant(name).is_ok() {
        body.push_str(&format!(
            "<li><a href=\"{}\">{}</a></li>",
            escaped(&reader.address(explorer, &format!("/{name}"), &[])),
            escaped(&words.with("error-start", name))
        ));
    }
    body.push_str(&format!(
        "<li><a href=\"{}\">{}</a></li></ul>{}</main>",
        escaped(&reader.address(explorer, "/", &[])),
        words.text("home"),
        home::form(explorer, reader)
    ));
    Answered {
        kind: Kind::Page,
        body: frame::page(explorer, reader, words.text("error-title"), None, &body),
        signature: None,
    }
}
