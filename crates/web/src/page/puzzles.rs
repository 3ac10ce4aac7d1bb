//! Puzzles: one at a time, and one a day.

use std::fmt::Write;
use std::sync::Arc;

use greenwave_game::Luck;
use greenwave_picture::escaped;
use greenwave_play::{Puzzle, PuzzleOptions, levels_of, ready_puzzles};
use greenwave_values::since_1970;
use greenwave_words::Language;

use crate::api;
use crate::calendar::{date, days_until};
use crate::explorer::{Client, Explorer};
use crate::page::contents::Page;
use crate::page::reader::Reader;
use crate::page::{nearest, variety};
use crate::params::Params;
use crate::problem::Problem;
use crate::question::Question;
use crate::routes::RouteAnswer;

/// The games whose puzzles are those of the day, in turn: Traffic Lights in its sizes and colours.
const OF_THE_DAY: [&str; 3] = ["classic-3x3", "semaforo", "classic-3x4"];

/// The level of the puzzle of the day from Thursday, on which 1970 began, to Wednesday: the week begins easy, and no
/// day is for experts.
const HARDNESS: [u8; 7] = [2, 3, 3, 3, 2, 2, 2];

const DAY: u64 = 24 * 60 * 60;

/// Days whose puzzles stand beside a puzzle.
const DAYS: u64 = 7;

/// Days since the beginning of 1970.
fn today() -> u64 {
    since_1970().as_secs() / DAY
}

/// Leads to the puzzle of the day that the address names, else of today: the game and how hard it is go round with
/// the date, unless the address names a level. They are ready.
pub(super) fn of_the_day(
    explorer: &Explorer,
    reader: &Reader,
    params: &Params,
) -> Result<RouteAnswer, Problem> {
    let day = reader.day.as_deref().and_then(days_until);
    let day = day.unwrap_or_else(today);
    let game = OF_THE_DAY[(day % OF_THE_DAY.len() as u64) as usize];
    let question = Question::of_game(explorer, game, reader.lights)?;
    let level = api::puzzle_options(params)?.level;
    let options = PuzzleOptions {
        count: variety::AMONG,
        seed: day,
        level: level.or(Some(HARDNESS[(day % 7) as usize])),
        theme: None,
    };
    let found = ready_puzzles(&question.variant, &options).unwrap_or_default();
    let puzzle = variety::by_turns(&found, day / OF_THE_DAY.len() as u64);
    let puzzle = puzzle.ok_or_else(|| api::no_puzzle(&question, &options, found.are_all))?;
    let reader = Reader {
        day: Some(date(day)),
        ..reader.clone()
    };
    Ok(set(explorer, &reader, &question, puzzle, None))
}

/// Leads to a puzzle, to another one each time unless a seed is given.
pub(super) async fn one(
    explorer: &Arc<Explorer>,
    reader: &Reader,
    question: &Question,
    params: &Params,
    client: Client,
) -> Result<RouteAnswer, Problem> {
    let asked = api::puzzle_options(params)?;
    // A puzzle that is drawn is one of several, so that themes take turns; of one theme there may be few.
    let is_drawn = params.switch("mixed", false)? && asked.theme.is_none();
    let (search, turn) = if is_drawn {
        variety::drawn(asked.seed)
    } else {
        (asked.seed, 0)
    };
    let options = PuzzleOptions {
        count: if is_drawn {
            variety::among(&question.variant)
        } else {
            1
        },
        seed: search,
        ..asked
    };
    if question.variant.rules().properties.luck == Luck::Draws {
        return Err(api::no_puzzle(question, &options, false));
    }
    if params.get("seed").is_none_or(str::is_empty) {
        // A client that retries asks for the same one.
        let seed = (since_1970().as_nanos() % 1_000_000).to_string();
        let level = options.level.map(|level| level.to_string());
        let mut own = vec![("seed", seed.as_str()), ("mixed", "1")];
        own.extend(level.as_deref().map(|level| ("level", level)));
        let path = format!("/{}/puzzle", question.name);
        return Ok(RouteAnswer::moved(reader.address(explorer, &path, &own)));
    }
    let found = nearest::puzzles(explorer, question, options, client).await?;
    match variety::by_turns(&found, turn) {
        Some(puzzle) => Ok(set(explorer, reader, question, puzzle, options.level)),
        None => Err(api::no_puzzle(question, &options, found.are_all).into_answer()),
    }
}

/// The address of other puzzles than those at an address, of the same kind.
pub(super) fn others(explorer: &Explorer, reader: &Reader, path: &str, params: &Params) -> String {
    let seed = params.get("seed").and_then(|seed| seed.parse::<u64>().ok());
    let next = seed.unwrap_or(0).wrapping_add(1).to_string();
    let mut own: Vec<(&str, &str)> = ["count", "level", "theme", "paper", "material"]
        .into_iter()
        .filter_map(|name| Some((name, params.get(name)?)))
        .collect();
    own.push(("seed", &next));
    let reader = reader.plain();
    reader.address(explorer, &format!("/{path}"), &own)
}

impl Page<'_> {
    /// Beside a puzzle: others by their level, and those of the last days.
    pub(super) fn other_puzzles(&self) -> String {
        let (words, reader) = (self.reader.language, self.reader);
        let Some(own_level) = reader.puzzle.filter(|level| *level > 0) else {
            return String::new();
        };
        let plain = self.plain();
        let mut html = format!(
            "<section class=\"others-of\"><h2>{}</h2><p class=\"tools of-levels\" role=\"group\" aria-label=\"{}\">",
            words.text("sheet-next"),
            words.text("level")
        );
        let path = format!("{}/puzzle", self.path);
        for level in levels_of(&self.question.variant) {
            let current = if level == own_level {
                " aria-current=\"true\""
            } else {
                ""
            };
            let _ = write!(
                html,
                "<a href=\"{}\"{current}>{}</a> ",
                escaped(&plain.address(self.explorer, &path, &[("level", &level.to_string())])),
                stars(words, level)
            );
        }
        let _ = write!(
            html,
            "</p><h3>{}</h3><p class=\"tools days\">",
            words.text("puzzle-days")
        );
        let shown = reader.day.as_deref().and_then(days_until);
        let last = today();
        // A day long ago stands among its neighbours.
        let to = shown.filter(|day| day + DAYS <= last);
        let to = to.map_or(last, |day| day + DAYS / 2);
        let mut is_first = true;
        for day in (to + 1).saturating_sub(DAYS)..=to {
            let current = if Some(day) == shown {
                " aria-current=\"date\""
            } else {
                ""
            };
            let date = date(day);
            let said = words.with("puzzle-of", words.date(&date));
            // The month stands where one begins.
            let month = words
                .month_short(&date)
                .filter(|_| is_first || date.ends_with("-01"));
            let month = month.map_or_else(String::new, |month| {
                format!(" <small>{}</small>", escaped(&month))
            });
            is_first = false;
            let number = date.rsplit('-').next().unwrap_or_default().to_string();
            let of_day = Reader {
                day: Some(date),
                ..plain.clone()
            };
            let _ = write!(
                html,
                "<a href=\"{}\" title=\"{said}\"{current}><span class=\"unseen\">{said}</span><span aria-hidden=\"true\">{}{month}</span></a> ",
                escaped(&of_day.address(self.explorer, "/puzzle", &[])),
                number.trim_start_matches('0'),
                said = escaped(&said),
            );
        }
        html + "</p></section>"
    }
}

/// A level as stars, and in words for those who do not see them.
pub(super) fn stars(words: Language, level: u8) -> String {
    format!(
        "<span class=\"unseen\">{}</span><span class=\"stars\" aria-hidden=\"true\">{}</span>",
        escaped(&words.with("puzzle-level", level)),
        "\u{2605}".repeat(usize::from(level))
    )
}

/// Leads to the page on which a puzzle is played; of another level than the wanted one the page says so.
fn set(
    explorer: &Explorer,
    reader: &Reader,
    question: &Question,
    puzzle: &Puzzle,
    wanted: Option<u8>,
) -> RouteAnswer {
    let player = Reader {
        play: Some(true),
        hints: false,
        seed: None,
        puzzle: Some(puzzle.level),
        theme: reader.theme.or(puzzle.themes.first().copied()),
        themed: reader.theme.is_some(),
        ..reader.clone()
    };
    let path = format!("/{}", question.name);
    let wanted = wanted.filter(|wanted| *wanted != puzzle.level);
    let wanted = wanted.map(|wanted| wanted.to_string());
    let mut own = vec![("position", puzzle.position.as_str())];
    own.extend(wanted.as_deref().map(|wanted| ("wanted", wanted)));
    RouteAnswer::moved(player.address(explorer, &path, &own))
}
