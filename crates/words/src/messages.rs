//! Messages in other languages. An error or the evidence of a claim carries the keys of what it says, and the
//! files `errors.txt` and `evidence.txt` of each language have the texts; English stands beside the keys, in the
//! crates that say it.

use std::collections::HashMap;
use std::sync::LazyLock;

use greenwave_game::{Filling, Message};

use crate::{Language, read};

static TABLES: LazyLock<[HashMap<&'static str, &'static str>; 4]> =
    LazyLock::new(|| Language::ALL.map(|language| language.messages().collect()));

impl Language {
    /// The keys and the texts of its messages; those of English stand in the crates whose they are.
    pub fn messages(self) -> impl Iterator<Item = (&'static str, &'static str)> {
        macro_rules! files {
            ($code:literal) => {
                [
                    include_str!(concat!("../texts/", $code, "/errors.txt")),
                    include_str!(concat!("../texts/", $code, "/evidence.txt")),
                ]
            };
        }
        let files = match self {
            Language::English => [""; 2],
            Language::Portuguese => files!("pt"),
            Language::Spanish => files!("es"),
            Language::German => files!("de"),
        };
        files.into_iter().flat_map(read)
    }

    /// The message of an error in this language; `None` where a part of it is in English alone, so that a
    /// page shows all of it in English.
    #[must_use]
    pub fn message(self, message: &Message) -> Option<String> {
        if self == Language::English {
            return Some(message.to_string());
        }
        let text = TABLES[self as usize].get(message.key()?)?;
        crate::filled(text, |place| self.filling(message.filling(place)?))
    }

    /// The same of what fills a place of a message.
    #[must_use]
    pub fn filling(self, filling: &Filling) -> Option<String> {
        match filling {
            Filling::Text(text) if is_size(text) => Some(self.decimals(text)),
            Filling::Text(text) => Some(text.clone()),
            Filling::Count(count) => Some(self.grouped(count)),
            Filling::Message(message) => self.message(message),
            Filling::List(list) => {
                let said = list.iter().map(|message| self.message(message));
                Some(said.collect::<Option<Vec<_>>>()?.join("; "))
            }
        }
    }
}

/// Whether a text is an amount of memory, such as `1.2 GiB`.
fn is_size(text: &str) -> bool {
    let parts = text.split_once(' ');
    parts.is_some_and(|(amount, unit)| unit.ends_with("iB") && amount.parse::<f64>().is_ok())
}

#[cfg(test)]
mod tests {
    use greenwave_game::{Game, Variant};

    use super::*;

    fn german(message: &Message) -> Option<String> {
        Language::German.message(message)
    }

    #[test]
    fn messages_are_said_in_the_language_or_not_at_all() {
        let variant = Variant::parse("classic-3x3").unwrap();
        let wrong = |text: &str| {
            let error = variant.parse_position(text).unwrap_err();
            assert_eq!(error.message().english(), error.to_string());
            error.message()
        };
        assert_eq!(
            german(&wrong("x")).as_deref(),
            Some(
                "„x“ kann keine Stellung von classic-3x3 sein: Reihen: 1 gefunden, erwartet werden 3 mit „/“ \
                 dazwischen; Zeile 1 (Reihe 3): 1 Feld gefunden, erwartet werden 3; Zeile 1 (Reihe 3), \
                 Zeichen 1: „x“ gefunden, erwartet wird '.' 'R' 'Y' 'G' oder 0 bis 3; richtig wäre zum \
                 Beispiel .../.../R.."
            )
        );
        let english = Message::from("the moon is made of cheese");
        assert_eq!(german(&english), None);
        assert_eq!(german(&Message::labelled("ply", english.clone())), None);
        assert_eq!(
            Language::English.message(&english),
            Some(english.to_string())
        );
    }

    #[test]
    fn amounts_of_memory_are_written_as_the_language_writes_numbers() {
        for (text, said) in [("1.2 GiB", "1,2 GiB"), ("b2.R", "b2.R"), ("1.2", "1.2")] {
            let said = Some(said.to_string());
            assert_eq!(Language::German.filling(&Filling::Text(text.into())), said);
        }
    }

    /// The program never reads a typed text as a part of a message.
    #[test]
    fn places_are_filled_once() {
        let Err(error) = Variant::parse("{near} {name} 'b2': {problem}") else {
            unreachable!()
        };
        let said = german(&error.message()).unwrap();
        assert!(said.contains("„{near} {name} 'b2': {problem}“"), "{said}");
    }

    /// The texts of the first game crate stand here for those of all, which a test of `web` compares.
    #[test]
    fn keys_that_errors_of_games_have_are_there_once() {
        for language in [Language::Portuguese, Language::Spanish, Language::German] {
            for (key, _) in greenwave_game::MESSAGES {
                let texts = language.messages().filter(|(known, _)| known == key);
                assert_eq!(texts.count(), 1, "{language:?} {key}");
            }
        }
    }
}
