//! What a page tells its reader about a delay or a fault.

use greenwave_game::{Filling, Message};
use greenwave_picture::escaped;
use greenwave_words::Language;

/// The time left, roughly: an estimate in seconds changes with each look.
pub(super) fn wait(words: Language, seconds: u32) -> String {
    let keys = [
        "being-solved",
        "being-solved-minute",
        "being-solved-minutes",
    ];
    time_left(words, keys, seconds)
}

/// The same where the result is known already and the moves are not.
pub(super) fn moves_follow(words: Language, seconds: u32) -> String {
    let keys = [
        "moves-follow",
        "moves-follow-minute",
        "moves-follow-minutes",
    ];
    time_left(words, keys, seconds)
}

fn time_left(words: Language, [now, soon, later]: [&'static str; 3], seconds: u32) -> String {
    match seconds {
        0..=10 => words.text(now).into(),
        11..=60 => words.text(soon).into(),
        _ => words.with(later, seconds.div_ceil(60)),
    }
}

/// The end of a tag and what it holds: a message in a language, or in English where it has none, as the
/// reader is to see it.
pub(super) fn in_words(
    words: Language,
    message: &Message,
    seen: impl Fn(&str) -> String,
) -> String {
    if words == Language::English {
        return format!(">{}", escaped(&seen(&in_english(message))));
    }
    match words.message(message) {
        Some(said) => format!(">{}", escaped(&seen(&said))),
        None => format!(" lang=\"en\">{}", escaped(&seen(&in_english(message)))),
    }
}

/// The games that a visitor may have meant, as far as a message about another name tells.
pub(super) fn near(message: &Message) -> Option<Vec<&str>> {
    match message.filling("near")? {
        Filling::Text(near) if message.key() == Some("variant_near") => {
            Some(near.split(", ").collect())
        }
        Filling::Text(_) | Filling::Count(_) | Filling::Message(_) | Filling::List(_) => None,
    }
}

/// A message in English to a visitor of the pages, who has no command that lists the catalogue.
fn in_english(message: &Message) -> String {
    let filling = |place: &str| match message.filling(place) {
        Some(Filling::Text(text)) => text.clone(),
        Some(Filling::Count(_) | Filling::Message(_) | Filling::List(_)) | None => String::new(),
    };
    let name = filling("name");
    match message.key() {
        Some("variant_unknown") => {
            format!("There is no game '{name}'. Choose one from All games.")
        }
        Some("variant_near") => format!(
            "There is no game '{name}': did you mean {}? If not, choose one from All games.",
            filling("near")
        ),
        Some("puzzle_sample") => format!(
            "No puzzle of this kind is among the positions of {name} that were looked at; 'Other puzzles' looks on."
        ),
        Some(_) | None => message.english().into(),
    }
}
