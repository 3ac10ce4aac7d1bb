//! What tests of claims found, in the words of the page.

use greenwave_game::{Figures, Filling, Game, Message, Outcome, Plies, Turn};
use greenwave_judge::claims::Test;
use greenwave_words::Language;

use super::variant_of;
use crate::explorer::Explorer;
use crate::page::written::place_in_words;
use crate::page::{figures, titles};

/// What tests found, in a sentence; values at the start and after one move without the codes of positions.
pub(super) fn evidence(
    explorer: &Explorer,
    words: Language,
    tests: &[Test],
    found: &Message,
) -> Option<String> {
    if let Some(Filling::List(list)) = found.filling("list") {
        let said = list.iter().map(|one| evidence(explorer, words, tests, one));
        return Some(said.collect::<Option<Vec<_>>>()?.join("; "));
    }
    // Games have the names that people know.
    let named = found.rewritten(&|text: &str| {
        // In English the whole text is rewritten, which begins with the name.
        let known = tests.iter().find_map(|test| {
            let rest = text.strip_prefix(&*test.variant)?;
            let ends = rest.is_empty() || rest.starts_with([' ', ':']) && rest.contains(' ');
            ends.then(|| titles::title(explorer, words, &test.variant) + rest)
        });
        known.unwrap_or_else(|| text.to_string())
    });
    figures_in_place(explorer, words, tests, found)
        .or_else(|| described(words, &named))
        .or_else(|| words.message(&named))
}

/// How many positions are as a claim describes them, or against it, without the expression that describes them.
fn described(words: Language, found: &Message) -> Option<String> {
    found.filling("expression")?;
    let key = match found.key() {
        Some("many_do_not_satisfy" | "many_satisfy_but_not") => "claim-against",
        Some("one_orbit_satisfies" | "many_orbits_satisfy") => "claim-orbits",
        Some(_) | None => "claim-positions",
    };
    let places = ["name", "n", "all", "kind"];
    let texts = places.map(|place| found.filling(place).and_then(|text| words.filling(text)));
    let mut fillings = Vec::with_capacity(places.len());
    for (place, text) in places.iter().zip(&texts) {
        fillings.push((*place, text.as_deref()?));
    }
    Some(words.filled(key, &fillings))
}

/// The expressions by which tests described positions.
pub(super) fn expressions(found: &Message) -> Vec<&str> {
    let mut texts = Vec::new();
    for place in ["list", "expression", "other"] {
        match found.filling(place) {
            Some(Filling::List(list)) => texts.extend(list.iter().flat_map(expressions)),
            Some(Filling::Text(text)) if found.filling("expression").is_some() => texts.push(text),
            Some(Filling::Text(_) | Filling::Count(_) | Filling::Message(_)) | None => {}
        }
    }
    texts
}

/// The figures of a position at the start or after one move.
fn figures_in_place(
    explorer: &Explorer,
    words: Language,
    tests: &[Test],
    found: &Message,
) -> Option<String> {
    if found.key() != Some("figures_at") {
        return None;
    }
    let [name, position] = ["name", "position"].map(|place| {
        let filling = found.filling(place)?;
        words.filling(filling)
    });
    let (name, position) = (name?, position?);
    let test = tests.iter().find(|test| test.variant == name)?;
    let variant = variant_of(explorer, test)?;
    let at = variant.parse_position(&position).ok()?;
    let alternates = variant.rules().properties.turn == Turn::Alternates;
    let first_to_move = at == variant.start();
    // Whoever makes a step of several is to move again.
    let mover = (first_to_move || alternates).then_some(first_to_move);
    let figures = result_in_words(words, found.filling("found")?, mover);
    let fillings = [
        ("game", titles::title(explorer, words, &name)),
        ("place", place_in_words(words, &variant, &at)?),
        ("found", figures?),
    ];
    let fillings = fillings.each_ref().map(|(key, text)| (*key, text.as_str()));
    Some(words.filled("figures-in-place", &fillings))
}

/// What was found in a position in words: who wins, where it is known whether the first player is to move.
fn result_in_words(
    words: Language,
    found: &Filling,
    first_to_move: Option<bool>,
) -> Option<String> {
    let Filling::Message(message) = found else {
        return words.filling(found);
    };
    let part = |place| message.filling(place);
    match (message.key(), first_to_move) {
        (Some("two_figures"), _) => {
            let parts = ["first", "second"].map(part);
            let [first, second] = parts.map(|part| result_in_words(words, part?, first_to_move));
            Some(format!("{}, {}", first?, second?))
        }
        (Some("for_mover"), Some(first)) => {
            let figures = figures_said(part("found")?)?;
            let scores = figures.points.is_some();
            let outcome = figures::outcome_for(words, &figures, scores, first)?;
            Some(words.with("if-best", outcome))
        }
        (_, _) => words.message(message),
    }
}

/// The figures that a phrase names; `None` where it names none.
fn figures_said(phrase: &Filling) -> Option<Figures> {
    let Filling::Message(phrase) = phrase else {
        return None;
    };
    let number = || match phrase.filling("n")? {
        Filling::Count(count) => i32::try_from(*count).ok(),
        Filling::Text(text) => text.parse().ok(),
        Filling::Message(_) | Filling::List(_) => None,
    };
    const OUTCOMES: [Outcome; 3] = [Outcome::Win, Outcome::Draw, Outcome::Loss];
    let outcome = |message: &Message| {
        OUTCOMES
            .into_iter()
            .find(|one| message.key() == Some(one.name()))
    };
    if let Some(Filling::Message(value)) = phrase.filling("value") {
        let plies = u32::try_from(number()?).ok()?;
        return Some(Figures::of(Some(outcome(value)?), Some(Plies(plies)), None));
    }
    match phrase.key()? {
        "one_point" | "many_points" => Some(Figures::of(None, None, Some(number()?))),
        _ => Some(Figures::of(Some(outcome(phrase)?), None, None)),
    }
}
