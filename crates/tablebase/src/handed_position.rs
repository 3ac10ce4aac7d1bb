//! Answers of the program that are handed back where a position is asked for.

use greenwave_game::{Game, Lights, Rules, Variant};

use crate::{Error, SCHEMA};

/// The position of an answer that is handed back whole, a document or lines for people, as the game writes it;
/// `None` for a text of another kind.
///
/// # Errors
/// When a document has no position, and when the answer is of another game.
pub(crate) fn handed_back(variant: &Variant, text: &str) -> Result<Option<String>, Error> {
    if text.starts_with('{') {
        return of_document(variant.rules(), text).map(Some);
    }
    of_lines(variant, text)
}

/// The position of a document, as the game writes it.
fn of_document(rules: &Rules, text: &str) -> Result<String, Error> {
    #[derive(serde::Deserialize)]
    struct PositionDocument {
        schema: u32,
        variant: Option<String>,
        lights: Option<String>,
        position: Option<String>,
    }
    let name = rules.title();
    let refuse = |problem: String| {
        let document = format!("the document cannot be a position of {name}: {problem}");
        Err(Error::refused(document))
    };
    let handed: PositionDocument = match serde_json::from_str(text) {
        Ok(handed) => handed,
        Err(error) => {
            return refuse(format!(
                "{error}; expected a document with schema, variant, lights and position, or the \
                 position alone"
            ));
        }
    };
    if handed.schema != SCHEMA {
        return refuse(format!(
            "found schema {}, expected {SCHEMA}; documents of schema 1 have red first in every \
             variant, so ask for it anew, or give its position alone with --lights ryg",
            handed.schema
        ));
    }
    if let Some(of) = &handed.variant
        && !is_called(rules, of)
    {
        return refuse(format!("it is of {of}; ask about {of} instead"));
    }
    let Some(position) = handed.position else {
        return refuse("it has no position; give one that has".into());
    };
    if rules.lights.is_none() {
        return Ok(position);
    }
    let lights = handed.lights.as_deref();
    match lights.and_then(|lights| rules.rewritten_from(lights, &position)) {
        Some(position) => Ok(position),
        None => refuse("it does not say lights: ryg or gyr; add them".into()),
    }
}

/// The position that lines for people name in one of their own, `Position  .../.R./...`, in any language.
fn of_lines(variant: &Variant, text: &str) -> Result<Option<String>, Error> {
    let rules = variant.rules();
    let Some((title, rest)) = text.split_once('\n') else {
        return Ok(None);
    };
    let written_in = lights_told(rest).filter(|_| rules.lights.is_some());
    let position = |line: &str| {
        let (label, position) = line.trim().split_once("  ")?;
        let is_label = label.chars().count() > 1 && label.chars().all(char::is_alphabetic);
        let position = position.trim();
        let position = match written_in {
            Some(lights) => rules.rewritten_from(lights.name(), position)?,
            None => position.into(),
        };
        (is_label && variant.parse_position(&position).is_ok()).then_some(position)
    };
    let mut positions = rest.lines().filter_map(position);
    let (Some(position), None) = (positions.next(), positions.next()) else {
        return Ok(None);
    };
    let refuse = |problem: String| {
        let answer = format!(
            "the answer cannot be a position of {}: {problem}",
            rules.title()
        );
        Err(Error::refused(answer))
    };
    let name = title.split_once(": ").map(|(name, _)| name);
    match name.filter(|name| !name.contains(char::is_whitespace)) {
        Some(of) if !is_called(rules, of) => {
            refuse(format!("it is of {of}; ask about {of} instead"))
        }
        _ if rules.lights.is_some() && written_in.is_none() => refuse(
            "it does not say the order of its lights; copy that line, too, or give the position alone"
                .into(),
        ),
        _ => Ok(Some(position)),
    }
}

/// Whether a name is that of a game, whatever its letters.
fn is_called(rules: &Rules, name: &str) -> bool {
    let hash = || Variant::parse(name).map(|of| of.rules().hash);
    name == rules.title() || name == rules.name || hash() == Ok(rules.hash)
}

/// The order of the lights that an answer tells, such as `R red, Y yellow, G green`; the line may be broken.
fn lights_told(text: &str) -> Option<Lights> {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ").split(": ").skip(1).find_map(|lights| {
        let lights = lights.split(", ").take(3);
        let letters: String = lights.filter_map(|light| light.chars().next()).collect();
        let order = [Lights::Ryg, Lights::Gyr].into_iter();
        let mut order =
            order.filter(|order| letters == order.letters()[1..].iter().collect::<String>());
        order.next()
    })
}
