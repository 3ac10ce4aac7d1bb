//! A game that is pasted: the field for it, and the part of it that can be played.

use std::fmt::Write;
use std::sync::Arc;

use greenwave_game::{AnyMove, AnyPosition, Filling, Game, Message, Variant};
use greenwave_picture::{Picture, Scheme, escaped};
use greenwave_play::{Dice, RecordText};
use greenwave_tablebase::{Course, Error, Place, read_moves};
use hyper::StatusCode;

use crate::board_words::row_titles;
use crate::explorer::Explorer;
use crate::messages;
use crate::page::address::GamePage;
use crate::page::contents::Page;
use crate::page::frame;
use crate::page::notices::in_words;
use crate::page::reader::Reader;
use crate::page::stages::AT_MISTAKE;
use crate::page::unplayed::UnplayedMove;
use crate::params::{CODED, Params, SENT, encoded};
use crate::problem::Problem;
use crate::question::{Question, budget, example_moves};
use crate::routes::RouteAnswer;

/// Most characters of what is wrong that a page quotes.
pub(super) const SHOWN: usize = 200;
/// Plies of a game that is shown as an example, unless it ends before.
const EXAMPLE: usize = 40;
/// The share of its moves at which a player looks at what the other one can do.
const CAREFUL: f64 = 0.95;

/// The form into which a record of a game is pasted, with the text that was pasted before.
pub(super) fn form(explorer: &Explorer, reader: &Reader, path: &str, text: &str) -> String {
    let words = reader.language;
    let name = path.trim_start_matches('/');
    let variant = explorer.variant_for(name, reader.lights).ok();
    let too_long = variant.as_ref().map_or_else(String::new, |variant| {
        in_words(words, &long(variant), |said| said.into())
    });
    let example = variant.map_or_else(String::new, |variant| example_moves(&variant, " "));
    let fillings = [("moves", &*example), ("n", &SENT.to_string())];
    let rows = if text.is_empty() { 4 } else { 2 };
    let label = if text.is_empty() {
        words.filled("paste-note", &fillings)
    } else {
        words.text("paste-mend").into()
    };
    // The language comes before a text that may be too long, so that the refusal has it.
    format!(
        "<form action=\"{}\" method=\"get\" data-longest=\"{CODED}\">{}<label for=\"record\">{}</label>\
         <textarea id=\"record\" name=\"record\" rows=\"{rows}\" required spellcheck=\"false\">{}</textarea>\
         <p class=\"problem\" hidden{too_long}</p><button>{}</button></form>",
        escaped(&format!(
            "{}{}",
            explorer.base,
            encoded(&format!("{path}/record"))
        )),
        reader.hidden_fields(),
        escaped(&label),
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
        return Ok(empty(explorer, reader, question));
    };
    // Of several games, the first.
    let saved = RecordText::read_all(&text).into_iter().next();
    let saved = saved.unwrap_or_default();
    // The record of another game leads there.
    let named = saved.variant.as_deref();
    let name = named
        .filter(|name| explorer.variant(name).is_ok())
        .unwrap_or(&question.name);
    let asked = explorer.variant_for(name, reader.lights)?;
    let variant = saved.variant(&asked, None).map_err(Problem::from)?;
    let moves = read_moves(&saved.moves).join(",");
    let variant = playable(variant, &saved, &moves);
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
    let own_lights = explorer.variant(name)?.rules().lights;
    let reader = Reader {
        lights: variant
            .rules()
            .lights
            .filter(|lights| own_lights != Some(*lights)),
        ..reader.clone()
    };
    Ok(RouteAnswer::moved(reader.address(
        explorer,
        &format!("/{name}"),
        &own,
    )))
}

/// The variant in the order of the lights in which a record that names none can be played, its own first.
fn playable(variant: Variant, saved: &RecordText, moves: &str) -> Variant {
    let place = saved.start.as_deref().map_or_else(Place::start, Place::at);
    let is_playable = |variant: &Variant| {
        let begun = Course::read(&Arc::new(variant.clone()), &place);
        begun.and_then(|begun| begun.then(moves)).is_ok()
    };
    let order = variant.rules().lights.filter(|_| saved.lights.is_none());
    let Some(order) = order.filter(|_| !is_playable(&variant)) else {
        return variant;
    };
    match variant.clone().with_lights(order.other()) {
        Ok(other) if is_playable(&other) => other,
        Ok(_) | Err(_) => variant,
    }
}

/// The field alone, and a game for those who have none at hand.
fn empty(explorer: &Explorer, reader: &Reader, question: &Question) -> RouteAnswer {
    let words = reader.language;
    let title = words.text("paste");
    let path = format!("/{}", question.name);
    let body = format!(
        "<main id=\"main\" tabindex=\"-1\" class=\"way\"><h1>{title}</h1><div class=\"with-figure\">\
         <div class=\"paste\">{}</div>{}</div></main>",
        form(explorer, reader, &path, ""),
        example(explorer, &reader.plain(), question)
    );
    let here = format!("{path}/record");
    frame::answer(explorer, reader, title, Some((&here, &[])), &body)
}

/// The end of a game between beginners, which leads to that game and its mistakes.
fn example(explorer: &Explorer, reader: &Reader, question: &Question) -> String {
    let (words, variant) = (reader.language, &question.variant);
    let (moves, end) = beginners(variant);
    let diagram = variant.diagram(&end);
    let titles = row_titles(words);
    let mut picture = Picture::new(&diagram, words.text("board"));
    picture.row_titles = &titles;
    picture.scheme = Scheme::Page;
    picture.won = variant.completed_lines(&end);
    let own = [("moves", &*moves.join(",")), ("ply", AT_MISTAKE)];
    format!(
        "<a class=\"figure\" href=\"{}\">{}<span>{}</span></a>",
        escaped(&reader.address(explorer, &format!("/{}", question.name), &own)),
        picture.svg(),
        words.text("paste-example")
    )
}

/// A game of two players who see a win when it is there and mostly what lets the other one win, and else move by lot.
fn beginners(variant: &Variant) -> (Vec<String>, AnyPosition) {
    let mut dice = Dice::new(0, 0);
    let (mut moves, mut replies, mut draws) = (Vec::new(), Vec::new(), Vec::new());
    let (mut at, mut played) = (variant.start(), Vec::new());
    while played.len() < EXAMPLE && variant.ending(&at).is_none() {
        variant.draws(&at, &mut draws);
        variant.moves(&at, &mut moves);
        let drawn = dice.weighted(draws.iter().map(|(_, weight)| *weight));
        if let Some((to, _)) = drawn.map(|place| draws[place]) {
            played.push(format!("[{}]", variant.draw_text(&to)));
            at = to;
            continue;
        }
        let wins = |mv: &&AnyMove| variant.is_win(&variant.play(&at, **mv));
        if let Some(won) = moves.iter().find(wins).copied() {
            moves = vec![won];
        } else if dice.fraction() < CAREFUL {
            let is_safe = |mv: &AnyMove| variant.is_safe(&variant.play(&at, *mv).to, &mut replies);
            let safe: Vec<AnyMove> = moves.iter().copied().filter(is_safe).collect();
            moves = if safe.is_empty() { moves } else { safe };
        }
        let Some(mv) = dice.one_of(&moves) else {
            break;
        };
        played.push(variant.move_text(&at, *mv));
        at = variant.play(&at, *mv).to;
    }
    (played, at)
}

/// A game up to the first move that cannot be made; `None` where all can or none, and where anything else is wrong.
pub(super) fn legal_part(
    explorer: &Explorer,
    name: &str,
    params: &Params,
) -> Option<(Question, UnplayedMove)> {
    let variant = explorer.variant_in(name, params).ok()?;
    let budget = budget(params.get("budget"), explorer.settings.budget).ok()?;
    let (position, begun) = match params.either("position") {
        None => (None, Course::read(&variant, &Place::start()).ok()?),
        Some(readings) => readings.into_iter().find_map(|text| {
            let course = Course::read(&variant, &Place::at(&text)).ok()?;
            Some((Some(text), course))
        })?,
    };
    let readings = params.either("moves")?.into_iter();
    let cut = readings.map(|given| Some((first_unplayed(&begun, &given)?, given)));
    let cut = cut.collect::<Option<Vec<_>>>()?;
    let ((played, error), given) = cut.into_iter().max_by_key(|((played, _), _)| *played)?;
    if played == 0 {
        return None;
    }
    let words = read_moves(&given);
    let moves = words[..played].join(",");
    let course = begun.then(&moves).ok()?;
    let message = if let Error::Move { problem, .. } = error {
        problem
    } else {
        error.message()
    };
    // The board shows which moves are legal.
    let why = match message.filling("problem") {
        Some(Filling::Message(problem)) => problem.clone(),
        Some(Filling::Text(_) | Filling::Count(_) | Filling::List(_)) | None => message,
    };
    let text = words.get(played)?.to_string();
    let rest: usize = words[played..]
        .iter()
        .map(|word| word.chars().count())
        .sum();
    let unplayed = UnplayedMove {
        number: played + 1,
        text,
        why,
        given: (rest <= SHOWN && given.chars().count() <= SENT).then_some(given),
    };
    let question = Question {
        name: name.trim().into(),
        variant,
        position,
        moves: Some(moves),
        course: Arc::new(course),
        budget,
    };
    Some((question, unplayed))
}

/// How many moves of a game can be made, and why the next cannot; `None` where all can.
fn first_unplayed(begun: &Course, moves: &str) -> Option<(usize, Error)> {
    let words = read_moves(moves);
    let mut error = begun.then(&words.join(",")).err()?;
    // Every start of a good start is one, too.
    let (mut good, mut bad) = (0, words.len());
    while good + 1 < bad {
        let middle = good.midpoint(bad);
        match begun.then(&words[..middle].join(",")) {
            Ok(_) => good = middle,
            Err(earlier) => (bad, error) = (middle, earlier),
        }
    }
    Some((good, error))
}

impl Page<'_> {
    /// Which move of the game given was not played, and why; with the game, to be corrected.
    pub(super) fn unplayed(&self) -> String {
        let words = self.reader.language;
        let Some(unplayed) = &self.reader.unplayed else {
            return String::new();
        };
        let number = unplayed.number.to_string();
        let mv = greenwave_game::told(&unplayed.text, []);
        let said = words.filled("not-played", &[("n", &number), ("mv", &mv)]);
        let why = in_words(words, &unplayed.why, |why| {
            greenwave_game::told(why, [&*unplayed.text])
        });
        let given = unplayed.given.as_deref().map(|given| {
            let text = self.given(given);
            let form = form(self.explorer, self.reader, &self.path, &text);
            format!("<div class=\"paste\">{form}</div>")
        });
        format!(
            "<div class=\"problem\"><p role=\"alert\">{} <span{why}</span>.</p>{}</div>",
            escaped(&said),
            given.unwrap_or_default()
        )
    }

    /// The field into which a record is pasted, unless one that was pasted stands there to be corrected.
    pub(super) fn paste(&self) -> String {
        let reader = self.reader;
        let unplayed = reader.unplayed.as_ref();
        let is_given = unplayed.is_some_and(|unplayed| unplayed.given.is_some());
        if reader.play.is_some() || reader.watch || is_given {
            return String::new();
        }
        format!(
            "<details class=\"paste\"><summary>{}</summary>{}</details>",
            reader.language.text("paste"),
            form(self.explorer, reader, &self.path, "")
        )
    }

    /// All moves of a game that could not be played to its end, for the address of the page.
    pub(super) fn given_moves(&self) -> Option<String> {
        let given = self.reader.unplayed.as_ref()?.given.as_ref()?;
        Some(read_moves(given).join(","))
    }

    /// The game as it was given, so that it is read as before.
    fn given(&self, moves: &str) -> String {
        let mut text = String::new();
        if let Some(lights) = self.reader.lights {
            let _ = writeln!(text, "# lights {lights}");
        }
        if let Some(position) = &self.question.position {
            let _ = writeln!(text, "# start {position}");
        }
        text + &read_moves(moves).join(" ")
    }
}

/// The field with a game that cannot be read. `None` where the page is not that of a game.
pub(super) fn mended(
    explorer: &Explorer,
    reader: &Reader,
    path: &str,
    params: &Params,
    told: &str,
) -> Option<String> {
    let (name, text, most) = match GamePage::of(path) {
        Some((name, GamePage::Record)) => (name, params.text("record").unwrap_or_default(), SENT),
        Some(_) => return None,
        None => (path, read_moves(&params.text("moves")?).join(" "), SHOWN),
    };
    explorer.variant(name).ok()?;
    // A part of a text would be taken for all of it.
    let text = if text.chars().count() > most {
        ""
    } else {
        &text
    };
    Some(format!(
        "<p class=\"problem\" role=\"alert\"{told}</p><div class=\"paste\">{}</div>",
        form(explorer, reader, &format!("/{name}"), text)
    ))
}
