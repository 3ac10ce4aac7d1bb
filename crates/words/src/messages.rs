//! Error messages in other languages. The program writes them in English; here one is matched with the English
//! texts, and what stands in their places is kept or said in the language in turn.

use std::cell::Cell;
use std::collections::HashMap;
use std::sync::LazyLock;

use crate::{Language, read};

/// How the text in a place is carried over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PlaceForm {
    /// `{name}`: as it is, such as a move.
    Kept,
    /// `{?name}`: as it is where it is no message.
    Perhaps,
    /// `{!name}`: a message itself.
    Translated,
}

/// A part of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum MessagePart<'t> {
    Said(&'t str),
    Place(&'t str, PlaceForm),
}

/// A message in English.
struct MessagePattern {
    key: &'static str,
    parts: Vec<MessagePart<'static>>,
    /// Bytes outside of places.
    said: usize,
}

type MessageTable = HashMap<&'static str, Vec<MessagePart<'static>>>;

const SOURCES: [&str; 4] = [
    include_str!("../texts/en/errors.txt"),
    include_str!("../texts/pt/errors.txt"),
    include_str!("../texts/es/errors.txt"),
    include_str!("../texts/de/errors.txt"),
];

/// Longest message that the search for a translation accepts, in bytes.
const LONGEST: usize = 8_000;
/// Most places at which a message is cut on trial, so that none takes long.
const TRIALS: u32 = 50_000;
/// Words by which a text outside of quotes is known for a sentence that has no translation.
const ENGLISH: [&str; 8] = [
    "the", "of", "are", "and", "expected", "found", "with", "which",
];

static TABLES: LazyLock<[MessageTable; 4]> =
    LazyLock::new(|| SOURCES.map(|source| lines(source).collect()));

/// The English messages, those with the most words first: they say more of what a message is.
static PATTERNS: LazyLock<Vec<MessagePattern>> = LazyLock::new(|| {
    let mut patterns: Vec<MessagePattern> = lines(SOURCES[Language::English as usize])
        .map(|(key, parts)| MessagePattern {
            key,
            said: parts.iter().map(|part| part.said()).sum(),
            parts,
        })
        .collect();
    patterns.sort_by_key(|pattern| std::cmp::Reverse(pattern.said));
    patterns
});

fn lines(source: &'static str) -> impl Iterator<Item = (&'static str, Vec<MessagePart<'static>>)> {
    read(source).map(|(key, text)| (key, parts(text)))
}

fn parts(mut text: &'static str) -> Vec<MessagePart<'static>> {
    let mut parts = Vec::new();
    while let Some((before, (inside, after))) = text
        .split_once('{')
        .and_then(|(before, after)| Some((before, after.split_once('}')?)))
    {
        if !before.is_empty() {
            parts.push(MessagePart::Said(before));
        }
        let carried = match inside.as_bytes().first() {
            Some(b'?') => PlaceForm::Perhaps,
            Some(b'!') => PlaceForm::Translated,
            _ => PlaceForm::Kept,
        };
        parts.push(MessagePart::Place(
            inside.trim_start_matches(['?', '!']),
            carried,
        ));
        text = after;
    }
    if !text.is_empty() {
        parts.push(MessagePart::Said(text));
    }
    parts
}

impl MessagePart<'_> {
    fn said(&self) -> usize {
        match self {
            MessagePart::Said(text) => text.len(),
            MessagePart::Place(..) => 0,
        }
    }
}

/// A message being read.
struct MessageReader {
    language: Language,
    trials: Cell<u32>,
}

type Fillings<'m> = Vec<(&'static str, PlaceForm, &'m str)>;

impl MessageReader {
    /// A message, or several with `; ` between them.
    fn message(&self, message: &str) -> Option<String> {
        self.one(message).or_else(|| {
            message.match_indices("; ").find_map(|(at, between)| {
                let first = self.one(&message[..at])?;
                let rest = self.message(&message[at + between.len()..])?;
                Some(first + between + &rest)
            })
        })
    }

    fn one(&self, message: &str) -> Option<String> {
        PATTERNS.iter().find_map(|pattern| {
            self.filled(pattern, &pattern.parts, message, false, &mut Vec::new())
        })
    }

    /// The message in the language, if the parts that are left match what is left of it.
    fn filled<'m>(
        &self,
        pattern: &MessagePattern,
        left: &[MessagePart<'static>],
        message: &'m str,
        quoted: bool,
        fillings: &mut Fillings<'m>,
    ) -> Option<String> {
        match left.split_first() {
            None if message.is_empty() => self.said(pattern.key, fillings),
            None => None,
            Some((MessagePart::Said(text), rest)) => {
                let message = message.strip_prefix(text)?;
                self.filled(pattern, rest, message, text.ends_with('\''), fillings)
            }
            Some((MessagePart::Place(name, carried), rest)) => {
                let ends: Box<dyn Iterator<Item = usize>> = match rest.first() {
                    Some(MessagePart::Said(text)) => {
                        Box::new(message.match_indices(text).map(|(at, _)| at))
                    }
                    Some(MessagePart::Place(..)) | None => Box::new(std::iter::once(message.len())),
                };
                for end in ends {
                    self.trials.set(self.trials.get().checked_sub(1)?);
                    let inside = &message[..end];
                    let fits = match carried {
                        PlaceForm::Kept if quoted => !inside.contains('\''),
                        PlaceForm::Kept => is_kept(inside),
                        PlaceForm::Perhaps | PlaceForm::Translated => !inside.is_empty(),
                    };
                    if !fits {
                        continue;
                    }
                    fillings.push((
                        name,
                        if quoted { PlaceForm::Kept } else { *carried },
                        inside,
                    ));
                    let found = self.filled(pattern, rest, &message[end..], false, fillings);
                    fillings.pop();
                    if found.is_some() {
                        return found;
                    }
                }
                None
            }
        }
    }

    fn said(&self, key: &str, fillings: &Fillings<'_>) -> Option<String> {
        let mut said = HashMap::new();
        for (name, carried, inside) in fillings {
            let filling = match carried {
                PlaceForm::Translated => self.message(inside)?,
                PlaceForm::Perhaps => match self.message(inside) {
                    Some(said) => said,
                    None => is_kept(inside).then(|| (*inside).to_string())?,
                },
                PlaceForm::Kept => (*inside).to_string(),
            };
            said.insert(*name, filling);
        }
        let mut text = String::new();
        for part in TABLES[self.language as usize].get(key)? {
            match part {
                MessagePart::Said(words) => text.push_str(words),
                MessagePart::Place(name, _) => text.push_str(said.get(name)?),
            }
        }
        Some(text)
    }
}

/// Whether a text can be carried over as it is: it is there, and no part of a sentence.
fn is_kept(text: &str) -> bool {
    if text.contains("; ") || text.contains(": ") {
        return false;
    }
    let mut words = text.split(|letter: char| !letter.is_ascii_alphabetic());
    !text.is_empty() && !words.any(|word| ENGLISH.contains(&word))
}

impl Language {
    /// An error message in this language; `None` where there is no text for it, so that a page shows it in
    /// English. Lines after the first, such as an expression and a pointer into it, stay as they are.
    #[must_use]
    pub fn message(self, english: &str) -> Option<String> {
        if self == Language::English {
            return Some(english.to_string());
        }
        let reading = MessageReader {
            language: self,
            trials: Cell::new(TRIALS),
        };
        let (first, more) = match english.find('\n') {
            Some(end) => english.split_at(end),
            None => (english, ""),
        };
        let said = (first.len() <= LONGEST).then(|| reading.message(first))?;
        said.map(|said| said + more)
    }
}

/// The texts of all messages in a language.
#[cfg(test)]
pub(crate) fn texts(language: Language) -> impl Iterator<Item = &'static str> {
    read(SOURCES[language as usize]).map(|(_, text)| text)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::time::Instant;

    use super::*;

    #[test]
    fn every_language_has_every_message_with_its_places() {
        let english = &TABLES[Language::English as usize];
        let lines = read(SOURCES[Language::English as usize]).count();
        assert_eq!(english.len(), lines, "a key is there twice");
        let places = |parts: &[MessagePart<'static>]| -> BTreeSet<String> {
            let places = parts.iter().filter(|part| part.said() == 0);
            places.map(|place| format!("{place:?}")).collect()
        };
        for language in Language::ALL {
            let table = &TABLES[language as usize];
            let keys = |table: &MessageTable| table.keys().copied().collect::<BTreeSet<_>>();
            assert_eq!(keys(table), keys(english), "{language:?}");
            for (key, parts) in table {
                assert_eq!(places(parts), places(&english[key]), "{language:?} {key}");
            }
        }
    }

    #[test]
    fn messages_are_said_in_the_language_or_not_at_all() {
        let german = |message: &str| Language::German.message(message);
        assert_eq!(
            german("move 2, 'b2R': the next light of that square is 'Y'; legal on b2: b2Y; played before it: b2R"),
            Some(
                "Zug 2, „b2R“: das nächste Licht dieses Feldes ist „Y“; erlaubt auf b2: b2Y; zuvor gespielt: b2R"
                    .into()
            )
        );
        assert_eq!(
            german(
                "'x' cannot be a position of classic-3x3: rows: found 1, expected 3 with '/' between them; \
                 row 1 (rank 3): found 1 square, expected 3; expected for example .../.../R.."
            ),
            Some(
                "„x“ kann keine Stellung von classic-3x3 sein: Reihen: 1 gefunden, erwartet werden 3 mit „/“ \
                 dazwischen; Zeile 1 (Reihe 3): 1 Feld gefunden, erwartet werden 3; richtig wäre zum Beispiel \
                 .../.../R.."
                    .into()
            )
        );
        assert_eq!(german("the moon is made of cheese"), None);
        assert_eq!(german("ply: the moon is made of cheese"), None);
        assert_eq!(german("move 1, 'a1': found what nobody expected"), None);
        assert_eq!(
            Language::English.message("the moon is made of cheese"),
            Some("the moon is made of cheese".into())
        );
    }

    #[test]
    fn a_long_message_takes_no_longer_than_a_moment() {
        let hostile =
            "row 1: move 1, 'x': found the end; legal moves: ".repeat(150) + "is the moon";
        let begun = Instant::now();
        assert_eq!(Language::Spanish.message(&hostile), None);
        assert!(begun.elapsed().as_secs() < 5);
    }
}
