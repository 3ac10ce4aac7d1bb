//! Sheets of puzzles to print: diagrams, solutions, and boards and counters to cut out.

use std::fmt::Write;
use std::sync::Arc;

use greenwave_game::{AnyMove, Diagram, Game, Mark, Variant, strip_side};
use greenwave_picture::{MovePlace, Picture, Ring, Scheme, Tag, Tone, escaped, lamp, place};
use greenwave_play::{EmptyBoards, Puzzle, PuzzleOptions, counter_kinds, levels_of, sheet_task};
use greenwave_words::Language;

use crate::api;
use crate::explorer::{Client, Explorer};
use crate::page::puzzles::stars;
use crate::page::reader::Reader;
use crate::page::written::short;
use crate::page::{frame, nearest, scan, titles, ways};
use crate::params::Params;
use crate::problem::Problem;
use crate::question::Question;
use crate::routes::RouteAnswer;

/// The level of a sheet for which none is chosen.
const FIRST_LEVEL: u8 = 1;

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
    let mut found = nearest::puzzles(explorer, question, options, client).await?;
    if found.is_empty() && chosen.is_none() {
        options.level = None;
        found = api::sought(explorer, question, options, client).await?;
    }
    let near = found.first().map(|puzzle| puzzle.level);
    let other_level = nearest::told(reader, chosen, near);
    options.level = near.filter(|_| options.level.is_some());
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
    if sorted.is_empty() {
        return Err(api::no_puzzle(question, &options, found.are_all).into_answer());
    }
    sorted.sort_by_key(|puzzle| puzzle.level);
    let is_of_one = sorted
        .iter()
        .all(|puzzle| Some(puzzle.level) == options.level);
    let of_sheet = options.level.filter(|_| is_of_one);
    let name = titles::title(explorer, words, &question.name);
    let title = format!("{name}: {}", words.text("puzzles"));
    let named = |mv: &str| short(words, &question.variant, mv);
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
        escaped(&sheet_task(words, &question.variant, &sorted, named)),
        order_of_lights(words, &question.variant)
    );
    if let Some(told) = other_level {
        let _ = write!(body, "<p class=\"note\">{}</p>", escaped(&told));
    }
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
    let levels = levels_of(&question.variant).into_iter();
    let levels: Vec<String> = levels.map(|level| level.to_string()).collect();
    let other = |key, value| {
        let mut other: Vec<(&str, &str)> = own.clone();
        other[1] = ("seed", &seed);
        other.retain(|(name, _)| *name != key);
        other.push((key, value));
        other
    };
    let levels = levels.iter().map(|level| {
        let text = words.with("puzzle-level", level);
        let stars = "\u{2605}".repeat(level.parse().unwrap_or(1));
        let html = format!("{text} <small>{stars}</small>");
        let is_chosen = own.contains(&("level", level));
        link(&other("level", level), &html, is_chosen)
    });
    let counts = ways::SHEETS.map(|count| {
        let text = escaped(&words.with("sheet-count", count)).to_string();
        link(
            &other("count", count),
            &text,
            own.contains(&("count", count)),
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
        "<div class=\"choosing-sheet\"><p class=\"tools\" role=\"group\" aria-label=\"{}\">{}</p><p class=\"tools\">{}{}\
         <button type=\"button\" class=\"scripted\" data-print hidden>{}</button></p>\
         <p class=\"tools\">{}{}</p></div><div class=\"diagrams\">",
        words.text("level"),
        levels.collect::<String>(),
        counts.concat(),
        papers.concat(),
        words.text("print"),
        link(&own, words.text("sheet-next"), false),
        link(
            &other("material", other_material),
            words.text("sheet-material"),
            has_material
        )
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
    let _ = write!(
        body,
        "</div><details class=\"show-solutions\"><summary><span class=\"shows\">{}</span><span class=\"hides\">{}</span> \
         <small>{}</small></summary></details>\
         <section class=\"solutions\"><h2>{} <small>{}{}</small></h2><ol>",
        words.text("solutions-show"),
        words.text("solutions-hide"),
        words.text("solutions-print"),
        words.text("solutions"),
        escaped(&name),
        of_sheet.map_or_else(String::new, starred)
    );
    for puzzle in &sorted {
        let moves: Vec<String> = puzzle.solution.iter().map(|mv| named(mv)).collect();
        let (first, rest) = moves.split_at(1.min(moves.len()));
        // Moves of several words are kept apart.
        let is_worded = moves.iter().any(|mv| mv.contains(' '));
        let between = if is_worded { " \u{b7} " } else { " " };
        let _ = write!(
            body,
            "<li>{}<span><strong>{}</strong>{}</span>{}</li>",
            solved(question, puzzle),
            escaped(&first.concat()),
            escaped(
                &rest
                    .iter()
                    .map(|mv| format!("{between}{mv}"))
                    .collect::<String>()
            ),
            completed(words, question, puzzle).map_or_else(String::new, |said| {
                format!("<small>{}</small>", escaped(&said))
            })
        );
    }
    own[1] = ("seed", &seed);
    let here = Reader {
        origin: String::new(),
        ..reader.clone()
    };
    let here = format!("{}{}", reader.origin, here.address(explorer, &path, &own));
    body.push_str("</ol>");
    let opens = words.text("sheet-again");
    body.push_str(&scan::code(explorer, reader, &here, 120, opens));
    body.push_str("</section>");
    if has_material {
        body.push_str(&material(words, &question.variant));
    }
    let _ = write!(
        body,
        "<p class=\"tools\"><a href=\"{}\">{}</a> <a href=\"{}\">{}</a></p></main>",
        escaped(&reader.address(explorer, &format!("/{}", question.name), &[])),
        escaped(&name),
        escaped(&reader.plain().address(explorer, "/learn", &[])),
        escaped(words.text("learn-all"))
    );
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
    let lights = lights.up_to(variant.rules().highest_level());
    let lights: Vec<String> = lights
        .map(|(letter, name)| {
            format!(
                "<span>{} {letter} {}</span>",
                lamp(letter),
                escaped(words.text(name))
            )
        })
        .collect();
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

/// Which line the last move of a solution completes; `None` where it completes none by a square.
fn completed(words: Language, question: &Question, puzzle: &Puzzle) -> Option<String> {
    let variant: &Variant = &question.variant;
    let (last, before) = puzzle.solution.split_last()?;
    let mut at = puzzle.at;
    for mv in before.iter().chain([last]) {
        at = variant.play(&at, variant.parse_move(&at, mv).ok()?).to;
    }
    let diagram = variant.diagram(&at);
    let MovePlace::Square(square) = place(&diagram, last) else {
        return None;
    };
    let mut lines = variant.completed_lines(&at);
    lines.retain(|line| line.contains(&square));
    let line = lines.first()?.iter();
    let line: Vec<&str> = line.map(|square| diagram.names[*square].as_str()).collect();
    let line = line.join("\u{2013}");
    let last = short(words, variant, last);
    Some(words.filled("sheet-completes", &[("mv", &last), ("line", &line)]))
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
    // The names beside the strip say where it lies.
    let mut notes = diagram.notes.clone();
    notes.retain(|note| strip_side(note).is_none());
    picture.notes = words.sentences(&notes);
    picture.description = &puzzle.position;
    picture.svg()
}
