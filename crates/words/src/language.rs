//! The languages, and the phrases that pages and commands share: one table each, read once.

use std::collections::HashMap;
use std::sync::LazyLock;

use greenwave_game::plural;

use crate::read;

/// A language.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Language {
    /// English, of which all others are translations.
    #[default]
    English,
    /// Portuguese.
    Portuguese,
    /// Spanish.
    Spanish,
    /// German.
    German,
}

type Table = HashMap<&'static str, &'static str>;

static TABLES: LazyLock<[Table; 4]> =
    LazyLock::new(|| Language::ALL.map(|language| read(language.source()).collect()));

/// No language has such a code.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("found '{found}', expected one of en, pt, es, de")]
pub struct UnknownLanguage {
    /// What was found.
    pub found: String,
}

impl Language {
    /// All languages, English first.
    pub const ALL: [Language; 4] = [
        Language::English,
        Language::Portuguese,
        Language::Spanish,
        Language::German,
    ];

    /// Its code in addresses and headers.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            Language::English => "en",
            Language::Portuguese => "pt",
            Language::Spanish => "es",
            Language::German => "de",
        }
    }

    fn source(self) -> &'static str {
        match self {
            Language::English => include_str!("../texts/en/faces.txt"),
            Language::Portuguese => include_str!("../texts/pt/faces.txt"),
            Language::Spanish => include_str!("../texts/es/faces.txt"),
            Language::German => include_str!("../texts/de/faces.txt"),
        }
    }

    fn of_code(code: &str) -> Option<Language> {
        let main = code
            .split(['-', '_', '.', '@'])
            .next()
            .unwrap_or(code)
            .trim();
        Language::ALL
            .into_iter()
            .find(|language| language.code().eq_ignore_ascii_case(main))
    }

    /// The language asked for: by name, else the best of an `Accept-Language` list, else English.
    #[must_use]
    pub fn chosen(asked: Option<&str>, accepted: Option<&str>) -> Language {
        if let Some(language) = asked.and_then(Language::of_code) {
            return language;
        }
        let mut best = (0.0, Language::English);
        for one in accepted.unwrap_or("").split(',').take(32) {
            let mut parts = one.split(';');
            let language = parts.next().and_then(Language::of_code);
            let weight = parts
                .find_map(|part| part.trim().strip_prefix("q="))
                .map_or(1.0, |weight| weight.trim().parse().unwrap_or(0.0));
            if let Some(language) = language.filter(|_| weight > best.0) {
                best = (weight, language);
            }
        }
        best.1
    }

    /// The language of a code such as `pt`, `pt-BR` or `pt_PT.UTF-8`.
    ///
    /// # Errors
    /// When there is no such language.
    pub fn named(code: &str) -> Result<Language, UnknownLanguage> {
        Language::of_code(code).ok_or_else(|| UnknownLanguage { found: code.into() })
    }

    /// The language that the environment asks for: that of the first of `LC_ALL`, `LC_MESSAGES` and `LANG`
    /// which is set, else English.
    #[must_use]
    pub fn of_environment(variable: impl Fn(&str) -> Option<String>) -> Language {
        let set = ["LC_ALL", "LC_MESSAGES", "LANG"]
            .iter()
            .find_map(|name| variable(name).filter(|value| !value.is_empty()));
        set.and_then(|value| Language::of_code(&value))
            .unwrap_or_default()
    }

    /// The keys of all texts but sentences of games.
    pub fn keys() -> impl Iterator<Item = &'static str> {
        read(Language::English.source()).map(|(key, _)| key)
    }

    /// The text of a key.
    #[must_use]
    pub fn text(self, key: &'static str) -> &'static str {
        let in_language = |language: Language| TABLES[language as usize].get(key).copied();
        in_language(self)
            .or_else(|| in_language(Language::English))
            .unwrap_or(key)
    }

    /// The name of a variant as people of this language know it.
    #[must_use]
    pub fn named_game(self, name: &str) -> String {
        match name.strip_prefix("semaforo") {
            Some(rest) => format!("{}{rest}", self.text("semaforo")),
            None => name.to_string(),
        }
    }

    /// The text of a key with its place `{}` filled.
    #[must_use]
    pub fn with(self, key: &'static str, filling: impl std::fmt::Display) -> String {
        self.text(key).replace("{}", &filling.to_string())
    }

    /// The text of a key with its named places, such as `{mv}`, filled.
    #[must_use]
    pub fn filled(self, key: &'static str, fillings: &[(&str, &str)]) -> String {
        let mut text = String::new();
        let mut rest = self.text(key);
        while let Some((before, after)) = rest.split_once('{') {
            text.push_str(before);
            let (name, after) = after.split_once('}').unwrap_or(("", after));
            let filling = fillings.iter().find(|(known, _)| *known == name);
            text.push_str(filling.map_or("", |(_, filling)| filling));
            rest = after;
        }
        text + rest
    }

    /// A number of plies with its unit.
    #[must_use]
    pub fn plies(self, plies: u32) -> String {
        self.counted(i64::from(plies), "ply", "plies")
    }

    /// A number with one of two words.
    #[must_use]
    pub fn counted(self, number: i64, one: &'static str, many: &'static str) -> String {
        self.with(plural(number, one, many), number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_language_has_every_text_and_no_other() {
        let keys = |language: Language| {
            let mut keys: Vec<&str> = read(language.source()).map(|(key, _)| key).collect();
            let all = keys.len();
            keys.sort_unstable();
            keys.dedup();
            assert_eq!(keys.len(), all, "{language:?} has a key twice");
            keys
        };
        let english = keys(Language::English);
        for language in Language::ALL {
            assert_eq!(keys(language), english, "{language:?}");
            for (key, text) in read(language.source()) {
                // Whether they are named or not, all are filled in every language.
                let places = |language: Language| {
                    let text = TABLES[language as usize][key];
                    let mut names: Vec<&str> = text
                        .split('{')
                        .skip(1)
                        .filter_map(|part| part.split('}').next())
                        .collect();
                    names.sort_unstable();
                    names
                };
                assert!(!text.is_empty(), "{language:?} {key}");
                assert_eq!(
                    places(language),
                    places(Language::English),
                    "{language:?} {key}"
                );
            }
        }
    }

    #[test]
    fn languages_are_chosen() {
        let chosen = Language::chosen;
        assert_eq!(chosen(Some("pt"), None), Language::Portuguese);
        assert_eq!(chosen(Some("xx"), Some("de")), Language::German);
        let list = "fr, es;q=0.5, pt-BR;q=0.8, en;q=0.1";
        assert_eq!(chosen(None, Some(list)), Language::Portuguese);
        assert_eq!(chosen(None, Some("fr")), Language::English);
        assert_eq!(chosen(None, None), Language::English);
    }

    #[test]
    fn the_environment_names_a_language() {
        let of = |pairs: &[(&str, &str)]| {
            Language::of_environment(|name| {
                let found = pairs.iter().find(|(key, _)| *key == name);
                found.map(|(_, value)| value.to_string())
            })
        };
        assert_eq!(of(&[("LANG", "pt_PT.UTF-8")]), Language::Portuguese);
        assert_eq!(
            of(&[("LANG", "de_AT@euro"), ("LC_ALL", "")]),
            Language::German
        );
        assert_eq!(
            of(&[("LANG", "de"), ("LC_ALL", "C.UTF-8")]),
            Language::English
        );
        assert_eq!(of(&[]), Language::English);
        assert_eq!(
            Language::named("xx").map_err(|error| error.to_string()),
            Err("found 'xx', expected one of en, pt, es, de".into())
        );
    }
}
