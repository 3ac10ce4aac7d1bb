//! A game that is pasted: the field for it, and what is shown where it cannot be read to its end.

use std::fmt::Write;
use std::sync::Arc;

use greenwave_game::{Message, Variant};
use greenwave_picture::{Picture, Scheme, escaped};
use greenwave_play::RecordText;
use greenwave_tablebase::{Budget, Course, Place, read_moves};
use hyper::StatusCode;

use crate::board_words::row_titles;
use crate::explorer::Explorer;
use crate::messages;
use crate::page::address::GamePage;
use crate::page::notices::in_words;
use crate::page::reader::Reader;
use crate::page::stages::AT_MISTAKE;
use crate::page::tiles::HERO;
use crate::page::{frame, titles};
use crate::params::{Params, encoded};
use crate::problem::Problem;
use crate::question::{Question, example_moves};
use crate::routes::RouteAnswer;
use crate::view::View;

/// Words around the one that cannot be read that are shown: before it, and after it.
const AROUND: (usize, usize) = (12, 4);
/// Most characters of all of them, and of a text that is put into the field again.
pub(super) const SHOWN: usize = 200;
/// Letters of a text that can be sent whatever they are: coded they take up to three bytes of an address, and headers
/// have the rest.
const SENT: usize = 2000;
/// A whole game of the first page with a mistake, for those who have none at hand.
const EXAMPLE: &str = "b2R,b2Y,b2G,b1R,b3R,a2R,c2R,b3Y,b3G,a2Y,a1R,c1R";
/// Bytes of a text, coded, that can be sent.
const CODED: usize = 3 * SENT;

/// The form into which a record of a game is pasted, with the text that was pasted before.
pub(super) fn form(explorer: &Explorer, reader: &Reader, path: &str, text: &str) -> String {
    let words = reader.language;
    let variant = explorer.variant(path.trim_start_matches('/')).ok();
    let too_long = variant.as_ref().map_or_else(String::new, |variant| {
        in_words(words, &long(variant), |said| said.into())
    });
    let example = variant.map_or_else(String::new, |variant| example_moves(&variant, " "));
    let fillings = [("moves", &*example), ("n", &SENT.to_string())];
    // The language comes before a text that may be too long, so that the refusal has it.
    format!(
        "<form action=\"{}\" method=\"get\" data-record=\"{CODED}\">{}<label for=\"record\">{}</label>\
         <textarea id=\"record\" name=\"record\" rows=\"4\" required spellcheck=\"false\">{}</textarea>\
         <p class=\"problem\" hidden{too_long}</p><button>{}</button></form>",
        escaped(&format!(
            "{}{}",
            explorer.base,
            encoded(&format!("{path}/record"))
        )),
        reader.hidden_fields(),
        escaped(&words.filled("paste-note", &fillings)),
        escaped(text),
        words.text("show")
    )
}

/// That a text is too long, and what to do.
fn long(variant: &Variant) -> Message {
    messages::record_long(SENT, example_moves(variant, " "))
}

/// The same where a text that was pasted made the request too long to be read.
pub(super) fn too_long(explorer: &Explorer, path: &str, problem: &Problem) -> Option<Message> {
    let Some((name, GamePage::Record)) = GamePage::of(path) else {
        return None;
    };
    let variant = explorer.variant(name).ok();
    let is_long = problem.status == StatusCode::PAYLOAD_TOO_LARGE;
    Some(long(&*variant.filter(|_| is_long)?))
}

/// Leads to the game of a record that was pasted, in any form that a review reads; without a text, the field
/// for it.
pub(super) fn page(
    explorer: &Explorer,
    reader: &Reader,
    question: &Question,
    params: &Params,
) -> Result<RouteAnswer, Problem> {
    let Some(text) = params.text("record") else {
        return Ok(empty(explorer, reader, &question.name));
    };
    // Of several games, the first.
    let saved = RecordText::read_all(&text).into_iter().next();
    let saved = saved.unwrap_or_default();
    // The record of another game leads there.
    let named = saved.variant.as_deref();
    let name = named
        .filter(|name| explorer.variant(name).is_ok())
        .unwrap_or(&question.name);
    let asked = explorer.variant(name)?;
    let variant = saved.variant(&asked, None).map_err(Problem::from)?;
    let moves = read_moves(&saved.moves).join(",");
    if moves.is_empty() && saved.start.is_none() {
        let example = example_moves(&variant, " ");
        return Err(Problem::wrong("record", messages::record_none(example)));
    }
    let mut own = Vec::new();
    own.extend(saved.start.as_deref().map(|start| ("position", start)));
    if !moves.is_empty() {
        own.push(("moves", moves.as_str()));
        own.push(("ply", AT_MISTAKE));
    }
    let reader = Reader {
        lights: variant
            .rules()
            .lights
            .filter(|lights| asked.rules().lights != Some(*lights)),
        ..reader.clone()
    };
    Ok(RouteAnswer::moved(reader.address(
        explorer,
        &format!("/{name}"),
        &own,
    )))
}

/// The field alone.
fn empty(explorer: &Explorer, reader: &Reader, name: &str) -> RouteAnswer {
    let title = reader.language.text("paste");
    let path = format!("/{name}");
    let example = if name == HERO.0 {
        let own = [("moves", EXAMPLE), ("ply", AT_MISTAKE)];
        format!(
            "<p><a href=\"{}\">{}</a></p>",
            escaped(&reader.plain().address(explorer, &path, &own)),
            reader.language.text("paste-example")
        )
    } else {
        String::new()
    };
    let body = format!(
        "<main id=\"main\" tabindex=\"-1\" class=\"way\"><h1>{title}</h1><div class=\"paste\">{}{example}</div></main>",
        form(explorer, reader, &path, "")
    );
    let here = format!("{path}/record");
    frame::answer(explorer, reader, title, Some((&here, &[])), &body)
}

/// A game as far as it can be read.
struct GoodStart {
    question: Question,
    /// How many words of the text it has.
    words: usize,
}

/// The part of some moves before the first that cannot be made; `None` where all can.
fn good_start(explorer: &Explorer, name: &str, params: &Params, text: &str) -> Option<GoodStart> {
    let variant = explorer.variant_in(name, params).ok()?;
    let starts = params.either("position");
    let (position, begun) = match starts {
        None => (None, Course::read(&variant, &Place::start()).ok()?),
        Some(readings) => readings.into_iter().find_map(|text| {
            let course = Course::read(&variant, &Place::at(&text)).ok()?;
            Some((Some(text), course))
        })?,
    };
    let words = read_moves(text);
    // Every start of a good start is one, too.
    let (mut good, mut bad) = (0, words.len());
    if begun.then(&words.join(",")).is_ok() {
        return None;
    }
    while good + 1 < bad {
        let middle = good.midpoint(bad);
        if begun.then(&words[..middle].join(",")).is_ok() {
            good = middle;
        } else {
            bad = middle;
        }
    }
    let moves = (good > 0).then(|| words[..good].join(","));
    let course = match &moves {
        Some(moves) => begun.then(moves).ok()?,
        None => begun,
    };
    Some(GoodStart {
        question: Question {
            name: name.into(),
            variant,
            position,
            moves,
            course: Arc::new(course),
            budget: Budget::Time(explorer.settings.budget),
        },
        words: good,
    })
}

/// The field with the text that cannot be read, and where moves are why: the board before the first that
/// cannot be made, and that one marked. `None` where the page is not that of a record.
pub(super) fn mended(
    explorer: &Explorer,
    reader: &Reader,
    path: &str,
    params: &Params,
    told: &str,
) -> Option<String> {
    let words = reader.language;
    let (name, is_record) = match GamePage::of(path) {
        Some((name, GamePage::Record)) => (name, true),
        Some(_) => return None,
        None => (path, false),
    };
    explorer.variant(name).ok()?;
    let root = format!("/{name}");
    let again = |text: String| {
        // A part of a text would be taken for all of it.
        if text.chars().count() > SHOWN {
            String::new()
        } else {
            text
        }
    };
    if is_record {
        let text = again(params.text("record").unwrap_or_default());
        return Some(format!(
            "<p class=\"problem\" role=\"alert\"{told}</p><div class=\"paste\">{}</div>",
            form(explorer, reader, &root, &text)
        ));
    }
    let readings = params.either("moves")?;
    let found = readings
        .iter()
        .map(|text| Some((text, good_start(explorer, name, params, text)?)))
        .collect::<Option<Vec<_>>>()?;
    let (text, start) = found.into_iter().max_by_key(|(_, start)| start.words)?;
    let view = View::new(&start.question, None, false).ok()?;
    let reader = &Reader {
        lights: params.lights().ok().flatten(),
        ..reader.clone()
    };
    let titles = row_titles(words);
    let mut picture = Picture::new(&view.diagram, words.text("board"));
    picture.row_titles = &titles;
    picture.scheme = Scheme::Page;
    picture.framed = view.last.into_iter().collect();
    picture.description = view.position.as_deref().unwrap_or_default();
    picture.notes = words.sentences(&view.diagram.notes);
    let mut own: Vec<(&str, &str)> = Vec::new();
    let asked = &start.question;
    let given = [("position", &asked.position), ("moves", &asked.moves)];
    own.extend(
        given
            .iter()
            .filter_map(|(name, text)| Some((*name, text.as_deref()?))),
    );
    if own.iter().any(|(_, text)| text.chars().count() > SHOWN) {
        // The way to the board is the position alone.
        own = view
            .position
            .iter()
            .map(|text| ("position", &**text))
            .collect();
    }
    // The text is read as the game was.
    let mut head = String::new();
    if let Some(lights) = reader.lights {
        let _ = writeln!(head, "# lights {lights}");
    }
    if let Some(position) = &asked.position {
        let _ = writeln!(head, "# start {position}");
    }
    let all = read_moves(text);
    let mut from = start.words.saturating_sub(AROUND.0);
    let mut to = all.len().min(start.words + 1 + AROUND.1);
    let is_long = |from: usize, to: usize| all[from..to].join(" ").chars().count() > SHOWN;
    while from < start.words && is_long(from, to) {
        from += 1;
    }
    while to > start.words + 1 && is_long(from, to) {
        to -= 1;
    }
    let mut marked = String::from(if from > 0 { "\u{2026} " } else { "" });
    for (number, word) in all[from..to].iter().enumerate() {
        let word = escaped(&greenwave_game::told(word, []));
        let _ = if from + number == start.words {
            write!(marked, "<mark>{word}</mark> ")
        } else {
            write!(marked, "{word} ")
        };
    }
    if to < all.len() {
        marked.push('\u{2026}');
    }
    Some(format!(
        "<div class=\"mending\"><section class=\"board\">{}<p class=\"actions\"><a href=\"{}\">{}</a></p></section>\
         <div><p class=\"problem\" role=\"alert\"{told}</p><p class=\"marked\">{marked}</p>{}<div class=\"paste\">{}\
         </div></div></div>",
        picture.svg(),
        escaped(&reader.address(explorer, &root, &own)),
        words.text("open-board"),
        titles::lights_note(words, &start.question.variant),
        form(explorer, reader, &root, &again(head + &all.join(" ")))
    ))
}
