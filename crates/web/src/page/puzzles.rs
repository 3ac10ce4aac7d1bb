//! Puzzles: one at a time, one a day, and sheets of them to print.

use std::fmt::Write;
use std::sync::Arc;
use std::time::Duration;

use greenwave_game::{AnyMove, Diagram, Game, Luck, Mark, Variant};
use greenwave_picture::{MovePlace, Picture, Ring, Scheme, Tag, Tone, escaped, lamp, place};
use greenwave_play::{EmptyBoards, Puzzle, PuzzleOptions, Puzzles, counter_kinds, sheet_task};
use greenwave_values::{Instant, since_1970};
use greenwave_words::Language;

use crate::api;
use crate::calendar::{date, days_until};
use crate::explorer::{Client, Explorer};
use crate::page::contents::Page;
use crate::page::reader::Reader;
use crate::page::{frame, nearest, titles, variety, ways};
use crate::params::{Params, encoded};
use crate::problem::Problem;
use crate::question::Question;
use crate::routes::RouteAnswer;

/// The games whose puzzles are those of the day, in turn: Traffic Lights in its sizes and colours.
const OF_THE_DAY: [&str; 3] = ["classic-3x3", "semaforo", "classic-3x4"];

/// The level of the puzzle of the day from Thursday, on which 1970 began, to Wednesday: the week begins easy, and no
/// day is for experts.
const HARDNESS: [u8; 7] = [2, 3, 3, 3, 2, 2, 2];

/// The level of a sheet for which none is chosen.
const FIRST_LEVEL: u8 = 1;

/// The highest level.
pub(super) const HARDEST: u8 = 5;

const DAY: u64 = 24 * 60 * 60;

/// How long a question for the puzzle of a day waits on a busy machine, and how often it looks for room.
const DAILY_WAIT: Duration = Duration::from_secs(4);
const DAILY_PAUSE: Duration = Duration::from_millis(200);

/// Days whose puzzles stand beside a puzzle.
const DAYS: u64 = 7;

/// Days since the beginning of 1970.
fn today() -> u64 {
    since_1970().as_secs() / DAY
}

/// The game of the puzzle of a day, of today where no day is named.
pub(super) fn game_of_the_day(day: Option<u64>) -> &'static str {
    let day = day.unwrap_or_else(today);
    OF_THE_DAY[(day % OF_THE_DAY.len() as u64) as usize]
}

/// Leads to the puzzle of the day that the address names, else of today: the game and how hard it is go round with
/// the date, unless the address names a level.
pub(super) async fn of_the_day(
    explorer: &Arc<Explorer>,
    reader: &Reader,
    params: &Params,
    client: Client,
) -> Result<RouteAnswer, Problem> {
    let asked = reader.day.as_deref().and_then(days_until);
    let day = asked.unwrap_or_else(today);
    let question = Question::read(explorer, game_of_the_day(asked), &Params::default())?;
    let level = api::puzzle_options(params)?.level;
    let hardest = level.unwrap_or(HARDNESS[(day % 7) as usize]);
    for level in (1..=hardest).rev() {
        let options = PuzzleOptions {
            count: variety::among(&question.variant),
            seed: day,
            level: Some(level),
            theme: None,
        };
        let found = sought_patiently(explorer, &question, options, client).await?;
        let turn = day / OF_THE_DAY.len() as u64;
        if let Some(puzzle) = variety::by_turns(&found, turn) {
            let reader = Reader {
                day: Some(date(day)),
                ..reader.clone()
            };
            return Ok(set(explorer, &reader, &question, puzzle));
        }
    }
    Err(api::no_puzzle(&question, &PuzzleOptions::default(), false))
}

/// The puzzle of a day, which everybody asks for: on a busy machine the question waits until there is room for it.
/// After that time the page says that the puzzle is still sought, and loads again by itself.
async fn sought_patiently(
    explorer: &Arc<Explorer>,
    question: &Question,
    options: PuzzleOptions,
    client: Client,
) -> Result<Arc<Puzzles>, Problem> {
    let patience = client.until(DAILY_WAIT);
    loop {
        match api::sought(explorer, question, options, client.again()).await {
            // The page says how long work takes that has begun.
            Err(problem) if problem.retry_after().is_none() || problem.pending.is_some() => {
                return Err(problem);
            }
            Err(_) if Instant::now() < patience => tokio::time::sleep(DAILY_PAUSE).await,
            Err(problem) => return Err(problem.awaited(DAILY_WAIT)),
            Ok(found) => return Ok(found),
        }
    }
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
    // A puzzle that is drawn is one of several, so that themes take turns.
    let is_mixed = params.switch("mixed", false)? && asked.theme.is_none();
    let options = PuzzleOptions {
        count: if is_mixed {
            variety::among(&question.variant)
        } else {
            1
        },
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
    let found = api::sought(explorer, question, options, client).await?;
    let turn = if is_mixed { options.seed } else { 0 };
    match variety::by_turns(&found, turn) {
        Some(puzzle) => Ok(set(explorer, reader, question, puzzle)),
        None if found.are_all && is_mixed => {
            match nearest::puzzle(explorer, question, options, client).await? {
                Some(puzzle) => Ok(set(explorer, reader, question, &puzzle)),
                None => {
                    Err(nearest::none_of_kind(explorer, reader, question, options, client).await)
                }
            }
        }
        None if found.are_all => {
            Err(nearest::none_of_kind(explorer, reader, question, options, client).await)
        }
        None => Err(api::no_puzzle(question, &options, false)),
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
        for level in 1..=HARDEST {
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
        for day in (to + 1).saturating_sub(DAYS)..=to {
            let current = if Some(day) == shown {
                " aria-current=\"date\""
            } else {
                ""
            };
            let date = date(day);
            let said = words.with("puzzle-of", words.date(&date));
            let number = date.rsplit('-').next().unwrap_or_default().to_string();
            let of_day = Reader {
                day: Some(date),
                ..plain.clone()
            };
            let _ = write!(
                html,
                "<a href=\"{}\" title=\"{said}\" aria-label=\"{said}\"{current}>{}</a> ",
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

/// Leads to the page on which a puzzle is played.
fn set(explorer: &Explorer, reader: &Reader, question: &Question, puzzle: &Puzzle) -> RouteAnswer {
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
    RouteAnswer::moved(player.address(explorer, &path, &[("position", &puzzle.position)]))
}

/// A sheet to print: diagrams, and the solutions on a page of their own.
pub(super) async fn sheet(
    explorer: &Arc<Explorer>,
    reader: &Reader,
    question: &Question,
    params: &Params,
    client: Client,
) -> Result<RouteAnswer, Problem> {
    let mut options = api::puzzle_options(params)?;
    if params.get("count").is_none() {
        options.count = 6;
    }
    let chosen = options.level;
    // Pupils of one class get puzzles of one level.
    options.level = chosen.or(Some(FIRST_LEVEL));
    let mut found = api::sought(explorer, question, options, client).await?;
    if found.is_empty() && chosen.is_none() {
        options.level = None;
        found = api::sought(explorer, question, options, client).await?;
    }
    if found.is_empty() && found.are_all {
        return Err(nearest::none_of_kind(explorer, reader, question, options, client).await);
    }
    if found.is_empty() {
        return Err(api::no_puzzle(question, &options, false));
    }
    let words = reader.language;
    // Where a level has too few, easier ones fill the sheet. The easy ones come first.
    let mut sorted: Vec<Puzzle> = found.iter().cloned().collect();
    let easier = (1..options.level.unwrap_or(1)).rev();
    for level in easier {
        let rest = PuzzleOptions {
            count: options.count.saturating_sub(sorted.len()),
            level: Some(level),
            ..options
        };
        if rest.count > 0 {
            let found = api::sought(explorer, question, rest, client).await?;
            sorted.extend(found.iter().cloned());
        }
    }
    sorted.sort_by_key(|puzzle| puzzle.level);
    let is_of_one = sorted
        .iter()
        .all(|puzzle| Some(puzzle.level) == options.level);
    let of_sheet = options.level.filter(|_| is_of_one);
    let name = titles::title(explorer, words, &question.name);
    let title = format!("{name}: {}", words.text("puzzles"));
    let is_letter = params
        .one_of("paper", &[("letter", true), ("a4", false)])?
        .unwrap_or(false);
    let starred = |level: u8| format!(" {}", stars(words, level));
    // What all of them ask for is said once.
    let tasks = sorted.iter();
    let tasks: Vec<String> = tasks
        .map(|puzzle| puzzle.task(words, &question.variant))
        .collect();
    let of_all = tasks
        .first()
        .filter(|first| tasks.iter().all(|task| task == *first));
    let heading = format!(
        "{name}: {}",
        of_all.map_or(words.text("puzzles"), String::as_str)
    );
    let mut body = format!(
        "<main id=\"main\" tabindex=\"-1\" class=\"sheet{}\"><p class=\"pupil\"><span>{}</span><span>{}</span></p>\
         <h1>{}{}</h1><p>{}{}</p>{}",
        if is_letter { " letter" } else { "" },
        words.text("sheet-name"),
        words.text("sheet-date"),
        escaped(&heading),
        of_sheet.map_or_else(String::new, starred),
        ways::rule_line(words, &question.variant)
            .map_or_else(String::new, |line| format!("{} ", escaped(line))),
        escaped(&sheet_task(words, &question.variant, &sorted)),
        order_of_lights(words, &question.variant)
    );
    let path = format!("/{}/sheet", question.name);
    let count = options.count.to_string();
    let level = options.level.map(|level| level.to_string());
    let next = (options.seed + 1).to_string();
    let mut own = vec![("count", count.as_str()), ("seed", next.as_str())];
    own.extend(level.as_deref().map(|level| ("level", level)));
    if is_letter {
        own.push(("paper", "letter"));
    }
    let has_material = params.switch("material", false)?;
    let other_material = if has_material { "0" } else { "1" };
    if has_material {
        own.push(("material", "1"));
    }
    let link = |own: &[(&str, &str)], html: &str, is_chosen: bool| {
        let current = if is_chosen {
            " aria-current=\"true\""
        } else {
            ""
        };
        format!(
            "<a href=\"{}\"{current}>{html}</a> ",
            escaped(&reader.address(explorer, &path, own))
        )
    };
    let seed = options.seed.to_string();
    let other = |key: &'static str, value: &'static str| {
        let mut other: Vec<(&str, &str)> = own.clone();
        other[1] = ("seed", &seed);
        other.retain(|(name, _)| *name != key);
        other.push((key, value));
        other
    };
    let levels = ["1", "2", "3", "4", "5"].into_iter().zip(1..);
    let levels = levels.map(|(level, stars)| {
        let text = words.with("puzzle-level", level);
        let html = format!("{text} <small>{}</small>", "\u{2605}".repeat(stars));
        link(
            &other("level", level),
            &html,
            own.contains(&("level", level)),
        )
    });
    let papers = [("a4", "A4"), ("letter", words.text("paper-letter"))];
    let papers = papers.map(|(paper, text)| {
        let is_chosen = is_letter == (paper == "letter");
        link(&other("paper", paper), text, is_chosen)
    });
    // Each line of these holds together on a phone.
    let _ = write!(
        body,
        "<div class=\"choosing-sheet\"><p class=\"tools\" role=\"group\" aria-label=\"{}\">{}</p><p class=\"tools\">{}\
         <button type=\"button\" class=\"scripted\" data-print hidden>{}</button></p>\
         <p class=\"tools\">{}{}<a href=\"{}\">{}</a></p></div><div class=\"diagrams\">",
        words.text("level"),
        levels.collect::<String>(),
        papers.concat(),
        words.text("print"),
        link(&own, words.text("sheet-next"), false),
        link(
            &other("material", other_material),
            words.text("sheet-material"),
            has_material
        ),
        escaped(&reader.address(explorer, &format!("/{}", question.name), &[])),
        escaped(&name)
    );
    for (number, (puzzle, task)) in std::iter::zip(&sorted, &tasks).enumerate() {
        let task = if of_all.is_some() { "" } else { task };
        let level = if of_sheet.is_some() {
            String::new()
        } else {
            starred(puzzle.level)
        };
        let _ = write!(
            body,
            "<figure>{}<figcaption><span><strong>{}.</strong> {}{level}</span> <span class=\"answer-box\" \
             aria-hidden=\"true\"></span></figcaption></figure>",
            picture(words, question, puzzle, number + 1),
            number + 1,
            escaped(task)
        );
    }
    // What folds them stands before them: paper shows them, whatever the screen does.
    let solutions = words.text("solutions");
    let _ = write!(
        body,
        "</div><details class=\"show-solutions\"><summary><h2>{solutions}</h2> <small>{}</small></summary></details>\
         <section class=\"solutions\"><h2>{solutions} <small>{}{}</small></h2><ol>",
        words.text("solutions-print"),
        escaped(&name),
        of_sheet.map_or_else(String::new, starred)
    );
    for puzzle in &sorted {
        let (first, rest) = puzzle.solution.split_at(1.min(puzzle.solution.len()));
        let _ = write!(
            body,
            "<li>{}<span><strong>{}</strong> {}</span></li>",
            solved(question, puzzle),
            escaped(&first.concat()),
            escaped(&rest.join(" "))
        );
    }
    own[1] = ("seed", &seed);
    let here = Reader {
        origin: String::new(),
        ..reader.clone()
    };
    let here = format!("{}{}", reader.origin, here.address(explorer, &path, &own));
    body.push_str("</ol>");
    if !explorer.in_folder {
        let _ = write!(
            body,
            "<figure class=\"again\"><img class=\"qr\" src=\"{}/qr.svg?text={}\" alt=\"{}\" width=\"120\" \
             height=\"120\"><figcaption>{}</figcaption></figure>",
            escaped(&explorer.base),
            escaped(&encoded(&here)),
            words.text("qr"),
            escaped(words.text("sheet-again"))
        );
    }
    body.push_str("</section>");
    if has_material {
        body.push_str(&material(words, &question.variant));
    }
    body.push_str("</main>");
    Ok(frame::answer(
        explorer,
        reader,
        &title,
        Some((&path, &own)),
        &body,
    ))
}

/// The lights in their order as counters and words; empty in games without them.
fn order_of_lights(words: Language, variant: &Variant) -> String {
    let Some(lights) = variant.rules().lights else {
        return String::new();
    };
    let lights = (1..=3).map(|level: u8| {
        let name = lights.names()[usize::from(level)];
        let letter = lights.letter(level);
        format!("{} {letter} {}", lamp(letter), escaped(words.text(name)))
    });
    let lights: Vec<String> = lights.collect();
    format!(
        "<p class=\"order-of-lights\">{}</p>",
        lights.join(" \u{2192} ")
    )
}

/// Empty boards and counters, each on a page of their own.
fn material(words: Language, variant: &Variant) -> String {
    let boards = EmptyBoards::of(variant);
    let board = words.text("board");
    let figure = format!(
        "<figure>{}</figure>",
        page_picture(&boards.diagram, board).svg()
    );
    let mut html = format!(
        "<section class=\"material\"><h2>{}</h2><div class=\"boards rows-{}\">{}</div></section>\
         <section class=\"material\"><h2>{}</h2><p class=\"counters\">",
        words.text("sheet-boards"),
        boards.rows,
        figure.repeat(boards.columns * boards.rows),
        words.text("sheet-counters")
    );
    for kind in counter_kinds(variant) {
        let is_light = "RYG".contains(kind.letter);
        let counter = if is_light && !kind.is_cylinder {
            lamp(kind.letter)
        } else {
            let mark = if is_light {
                Mark::Disc {
                    colour: kind.letter,
                    cylinder: true,
                }
            } else {
                Mark::Sign(Some(kind.letter))
            };
            let alone = Diagram {
                marks: vec![(1, 0, mark)],
                ..Diagram::default()
            };
            page_picture(&alone, "").svg()
        };
        html.push_str(&counter.repeat(kind.count));
    }
    html + "</p></section>"
}

/// The board of a solution after its first move, which has a frame; a line that it completes is drawn through. The
/// moves beside it say the same.
fn solved(question: &Question, puzzle: &Puzzle) -> String {
    let variant: &Variant = &question.variant;
    let mut moves = Vec::new();
    variant.moves(&puzzle.at, &mut moves);
    let first = puzzle.solution.first();
    let is_first = |mv: &&AnyMove| Some(&variant.move_text(&puzzle.at, **mv)) == first;
    let made = moves.iter().find(is_first);
    let after = made.map_or(puzzle.at, |mv| variant.play(&puzzle.at, *mv).to);
    let diagram = variant.diagram(&after);
    let mut picture = page_picture(&diagram, "");
    if let Some(MovePlace::Square(at) | MovePlace::Step(_, at)) =
        first.map(|mv| place(&diagram, mv))
    {
        picture.tags.push(Tag {
            square: at,
            tone: Tone::Win,
            ring: Ring::Quick,
            ..Tag::default()
        });
    }
    picture.won = variant.completed_lines(&after);
    format!("<span aria-hidden=\"true\">{}</span>", picture.svg())
}

fn page_picture<'a>(diagram: &'a Diagram, title: &'a str) -> Picture<'a> {
    let mut picture = Picture::new(diagram, title);
    picture.scheme = Scheme::Page;
    picture
}

fn picture(words: Language, question: &Question, puzzle: &Puzzle, number: usize) -> String {
    let diagram = puzzle.diagram(&question.variant);
    let title = number.to_string();
    let mut picture = page_picture(&diagram, &title);
    picture.notes = words.sentences(&diagram.notes);
    picture.description = &puzzle.position;
    picture.svg()
}
