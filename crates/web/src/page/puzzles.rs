//! Puzzles: one at a time, one a day, and sheets of them to print.

use std::fmt::Write;
use std::sync::Arc;

use greenwave_game::{Game, Luck, with_game};
use greenwave_picture::{Picture, Scheme, escaped};
use greenwave_play::{Puzzle, PuzzleOptions};
use greenwave_values::since_1970;
use greenwave_words::Language;

use crate::api;
use crate::explorer::{Client, Explorer};
use crate::page::{Reader, frame};
use crate::params::Params;
use crate::problem::Problem;
use crate::question::Question;
use crate::routes::{Answered, Kind};

/// The games whose puzzles are those of the day, in turn.
const OF_THE_DAY: [&str; 6] = [
    "classic-3x3",
    "semaforo",
    "signal-3x3",
    "green-3x3",
    "classic-3x3:play=misere",
    "noughts-3x4",
];

const DAY: u64 = 24 * 60 * 60;

/// Days since the beginning of 1970.
fn today() -> u64 {
    since_1970().as_secs() / DAY
}

/// Leads to the puzzle of the day: the game and how hard it is go round with the date.
pub(super) async fn of_the_day(
    explorer: &Arc<Explorer>,
    reader: &Reader,
    client: Client,
) -> Result<Answered, Problem> {
    let day = today();
    let name = OF_THE_DAY[(day % OF_THE_DAY.len() as u64) as usize];
    let question = Question::read(explorer, name, &Params::default())?;
    let hardest = (day % 5) as u8 + 1;
    for level in (1..=hardest).rev() {
        let options = PuzzleOptions {
            count: 1,
            seed: day,
            level: Some(level),
        };
        let found = api::sought(explorer, &question, options, client).await?;
        if let Some(puzzle) = found.first() {
            return Ok(set(explorer, reader, &question, puzzle));
        }
    }
    Err(api::no_puzzle(&question, None, false))
}

/// Leads to a puzzle, to another one each time unless a seed is given.
pub(super) async fn one(
    explorer: &Arc<Explorer>,
    reader: &Reader,
    question: &Question,
    params: &Params,
    client: Client,
) -> Result<Answered, Problem> {
    let options = PuzzleOptions {
        count: 1,
        ..api::puzzle_options(params)?
    };
    if question.variant.rules().properties.luck == Luck::Draws {
        return Err(api::no_puzzle(question, options.level, false));
    }
    if params.get("seed").is_none_or(str::is_empty) {
        // Who has to ask again asks for the same one.
        let seed = (since_1970().as_nanos() % 1_000_000).to_string();
        let level = options.level.map(|level| level.to_string());
        let mut own = vec![("seed", seed.as_str())];
        own.extend(level.as_deref().map(|level| ("level", level)));
        let path = format!("/{}/puzzle", question.name);
        return Ok(Answered {
            kind: Kind::Moved,
            body: reader.address(explorer, &path, &own),
            signature: None,
        });
    }
    let found = api::sought(explorer, question, options, client).await?;
    match found.first() {
        Some(puzzle) => Ok(set(explorer, reader, question, puzzle)),
        None => Err(api::no_puzzle(question, options.level, found.are_all)),
    }
}

/// Leads to the page on which a puzzle is played.
fn set(explorer: &Explorer, reader: &Reader, question: &Question, puzzle: &Puzzle) -> Answered {
    let player = Reader {
        play: Some(true),
        hints: false,
        seed: None,
        puzzle: Some(puzzle.level),
        ..reader.clone()
    };
    let path = format!("/{}", question.name);
    Answered {
        kind: Kind::Moved,
        body: player.address(explorer, &path, &[("position", &puzzle.position)]),
        signature: None,
    }
}

/// A sheet to print: diagrams, and the solutions on a page of their own.
pub(super) async fn sheet(
    explorer: &Arc<Explorer>,
    reader: &Reader,
    question: &Question,
    params: &Params,
    client: Client,
) -> Result<Answered, Problem> {
    let mut options = api::puzzle_options(params)?;
    if params.get("count").is_none() {
        options.count = 6;
    }
    let found = api::sought(explorer, question, options, client).await?;
    if found.is_empty() {
        return Err(api::no_puzzle(question, options.level, found.are_all));
    }
    let words = reader.language;
    let name = escaped(&words.named_game(&question.name));
    let title = format!("{name}: {}", words.text("puzzles"));
    let mut body = format!(
        "<main id=\"main\" tabindex=\"-1\" class=\"sheet\"><h1>{}</h1><p>{}</p><p class=\"tools\">",
        escaped(&title),
        words.text("sheet-task")
    );
    let path = format!("/{}/sheet", question.name);
    let count = options.count.to_string();
    let level = options.level.map(|level| level.to_string());
    let next = (options.seed + 1).to_string();
    let mut own = vec![("count", count.as_str()), ("seed", next.as_str())];
    own.extend(level.as_deref().map(|level| ("level", level)));
    let _ = write!(
        body,
        "<a href=\"{}\">{}</a> <a href=\"{}\">{name}</a></p><div class=\"diagrams\">",
        escaped(&reader.address(explorer, &path, &own)),
        words.text("sheet-next"),
        escaped(&reader.address(explorer, &format!("/{}", question.name), &[]))
    );
    for (number, puzzle) in found.iter().enumerate() {
        let _ = write!(
            body,
            "<figure>{}<figcaption>{}. {} <small>{}</small></figcaption></figure>",
            picture(words, question, puzzle, number + 1),
            number + 1,
            escaped(&task(words, puzzle)),
            escaped(&words.with("puzzle-level", puzzle.level))
        );
    }
    let _ = write!(
        body,
        "</div><section class=\"solutions\"><h2>{}</h2><ol>",
        words.text("solutions")
    );
    for puzzle in found.iter() {
        let _ = write!(body, "<li>{}</li>", escaped(&puzzle.solution.join(" ")));
    }
    body.push_str("</ol></section></main>");
    let seed = options.seed.to_string();
    own[1] = ("seed", &seed);
    Ok(Answered {
        kind: Kind::Page,
        body: frame::page(explorer, reader, &title, Some((&path, &own)), &body),
        signature: None,
    })
}

fn picture(words: Language, question: &Question, puzzle: &Puzzle, number: usize) -> String {
    let diagram = with_game!(&*question.variant, game => {
        let position = game.parse_position(&puzzle.position);
        game.diagram(&position.unwrap_or_else(|_| game.start()))
    });
    let title = number.to_string();
    let mut picture = Picture::new(&diagram, &title);
    picture.scheme = Scheme::Page;
    picture.notes = words.sentences(&diagram.notes);
    picture.description = &puzzle.position;
    picture.svg()
}

/// What is to be done.
fn task(words: Language, puzzle: &Puzzle) -> String {
    match (puzzle.goal, puzzle.distance) {
        ("draw", _) => words.text("task-draw").into(),
        (_, Some(plies)) => words.with("task-win", words.plies(plies)),
        (_, None) => words.text("task-ahead").into(),
    }
}
