//! Positions that were found, each as a small board with what is true of it.

use greenwave_game::{Figures, Game, Outcome, Plies};
use greenwave_judge::documents::Match;
use greenwave_judge::expr::Output;
use greenwave_picture::{Words, describe, escaped};
use greenwave_words::Language;

use crate::answers::FoundPositions;
use crate::board_words::row_titles;
use crate::explorer::Explorer;
use crate::page::reader::Reader;
use crate::page::written::place_in_words;
use crate::page::{figures, mini, titles};
use crate::question::Question;

/// The fields of descriptions, each with the key of what it says.
pub(super) const FIELD_NOTES: [(&str, &str); 28] = [
    ("value", "field-value"),
    ("distance", "field-distance"),
    ("points", "field-points"),
    ("nimber", "field-nimber"),
    ("expectation", "field-expectation"),
    ("ply", "field-ply"),
    ("level_sum", "field-level-sum"),
    ("moves", "field-moves"),
    ("winning_moves", "field-winning-moves"),
    ("drawing_moves", "field-drawing-moves"),
    ("losing_moves", "field-losing-moves"),
    ("winning_at_once", "field-winning-at-once"),
    ("losing_at_once", "field-losing-at-once"),
    ("best_moves", "field-best-moves"),
    ("only_move", "field-only-move"),
    ("line", "field-line"),
    ("finished", "field-finished"),
    ("reachable", "field-reachable"),
    ("symmetries", "field-symmetries"),
    ("strip_moves", "field-strip-moves"),
    ("winning_strip_moves", "field-winning-strip-moves"),
    ("barred", "field-barred"),
    ("step", "field-step"),
    ("red_moves", "field-red-moves"),
    ("red_captured", "field-red-captured"),
    ("green_captured", "field-green-captured"),
    ("red_hand", "field-red-hand"),
    ("green_hand", "field-green-hand"),
];

/// How many positions fit, and those that are shown.
pub(super) fn listed(
    explorer: &Explorer,
    reader: &Reader,
    question: &Question,
    found: &FoundPositions,
    is_random: bool,
) -> String {
    let (words, count) = (reader.language, &found.count);
    let said = match (count.count, count.drawn) {
        (_, Some(drawn)) => words.filled(
            "find-drawn",
            &[
                ("n", &words.grouped(drawn.matching)),
                ("all", &words.grouped(drawn.drawn)),
            ],
        ),
        (Some(0), None) => words.text("find-none").into(),
        (count, None) => {
            let key = if is_random {
                "find-count"
            } else {
                "find-orbits"
            };
            words.with(key, words.grouped(count.unwrap_or(0)))
        }
    };
    let mut html = format!(
        "<p role=\"status\">{}</p><ul class=\"found\">",
        escaped(&said)
    );
    for one in &found.matches {
        html.push_str(&row(explorer, reader, question, one));
    }
    html + "</ul>" + &titles::lights_note(words, &question.variant)
}

/// A position that fits: a link with its board, what it is worth, and the other fields that the description names.
fn row(explorer: &Explorer, reader: &Reader, question: &Question, found: &Match) -> String {
    let words = reader.language;
    let variant = &question.variant;
    let text = found.position.as_str();
    let address = reader.address(
        explorer,
        &format!("/{}", question.name),
        &[("position", text)],
    );
    let mut figures = Figures::default();
    let mut others: Vec<String> = Vec::new();
    for (name, output) in &found.fields {
        match (name.as_str(), output) {
            ("value", Output::Word(word)) => {
                let mut all = [Outcome::Win, Outcome::Draw, Outcome::Loss].into_iter();
                figures.value = all.find(|outcome| outcome.name() == *word);
            }
            ("distance", Output::Number(plies)) => {
                figures.distance = u32::try_from(*plies).ok().map(Plies);
            }
            ("points", Output::Number(points)) => figures.points = i32::try_from(*points).ok(),
            ("value" | "distance" | "points", _) => {}
            (name, output) => others.extend(in_words(words, name, output)),
        }
    }
    let (board, place) = match variant.parse_position(text) {
        Ok(at) => {
            let diagram = variant.diagram(&at);
            let board = mini::mini(&diagram.marks, |level| diagram.letter(level), "");
            // Who does not see the board hears it.
            let standing = Words::of_keys(|key| words.text(key));
            let described = describe(&diagram, &row_titles(words), &standing);
            let heard = format!("<span class=\"unseen\">{}: </span>", escaped(&described));
            (board + &heard, place_in_words(words, variant, &at))
        }
        Err(_) => (escaped(text), None),
    };
    let said = (figures != Figures::default()).then(|| figures::standing(words, &figures));
    let said = place.into_iter().chain(said).chain(others);
    let said: String = said
        .map(|said| format!("<span>{}</span>", escaped(&said)))
        .collect();
    format!(
        "<li><a class=\"tree-row\" href=\"{}\">{board}<span>{said}</span></a></li>",
        escaped(&address)
    )
}

/// What a field says of a position; `None` where it says nothing.
fn in_words(words: Language, name: &str, output: &Output) -> Option<String> {
    let (_, key) = FIELD_NOTES.iter().find(|(field, _)| *field == name)?;
    let note = words.text(key).split(';').next()?;
    let value = match output {
        Output::Nothing | Output::Truth(false) => return None,
        Output::Truth(true) => return Some(note.into()),
        Output::Number(number) => number.to_string(),
        Output::Word(word) => (*word).into(),
        Output::Light(light) => light.to_string(),
    };
    Some(format!("{note}: {value}"))
}
