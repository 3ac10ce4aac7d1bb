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

type TextTable = HashMap<&'static str, &'static str>;

static TABLES: LazyLock<[TextTable; 4]> =
    LazyLock::new(|| Language::ALL.map(|language| language.lines().collect()));

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

    /// Its files: what pages say, and what commands say.
    fn sources(self) -> [&'static str; 2] {
        macro_rules! files {
            ($code:literal) => {
                [
                    include_str!(concat!("../texts/", $code, "/faces.txt")),
                    include_str!(concat!("../texts/", $code, "/commands.txt")),
                ]
            };
        }
        match self {
            Language::English => files!("en"),
            Language::Portuguese => files!("pt"),
            Language::Spanish => files!("es"),
            Language::German => files!("de"),
        }
    }

    fn lines(self) -> impl Iterator<Item = (&'static str, &'static str)> {
        self.sources().into_iter().flat_map(read)
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
        Language::English.lines().map(|(key, _)| key)
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
        let filling = |name: &str| {
            let filling = fillings.iter().find(|(known, _)| *known == name);
            Some(filling.map_or(String::new(), |(_, filling)| (*filling).to_string()))
        };
        crate::filled(self.text(key), filling).unwrap_or_default()
    }

    /// A number of plies with its unit, as it stands after "in": `in 17 Halbzügen`.
    #[must_use]
    pub fn plies(self, plies: u32) -> String {
        self.counted(i64::from(plies), "ply", "plies")
    }

    /// The same where it stands alone: `17 Halbzüge`.
    #[must_use]
    pub fn length(self, plies: u32) -> String {
        self.counted(i64::from(plies), "ply-count", "plies-count")
    }

    /// A number with one of two words.
    #[must_use]
    pub fn counted(self, number: i64, one: &'static str, many: &'static str) -> String {
        self.with(plural(number, one, many), number)
    }
}

#[cfg(test)]
impl Language {
    /// All texts, those of games included.
    fn everything(self) -> String {
        let own = self.lines().map(|(_, text)| text);
        let sentences = crate::sentences::texts(self);
        let texts: Vec<&str> = own
            .chain(sentences)
            .chain(self.messages().map(|(_, text)| text))
            .chain(self.claims().map(|(_, text)| text))
            .collect();
        texts.join("\n")
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn every_language_has_every_text_and_no_other() {
        let keys = |language: Language| {
            let mut keys: Vec<&str> = language.lines().map(|(key, _)| key).collect();
            let all = keys.len();
            keys.sort_unstable();
            keys.dedup();
            assert_eq!(keys.len(), all, "{language:?} has a key twice");
            keys
        };
        let english = keys(Language::English);
        for language in Language::ALL {
            assert_eq!(keys(language), english, "{language:?}");
            for (key, text) in language.lines() {
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

    /// The code of all crates but this one's tests.
    fn code(folder: &Path, found: &mut String) {
        for entry in std::fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                code(&path, found);
            } else if path.extension().is_some_and(|ending| ending == "rs") {
                found.push_str(&std::fs::read_to_string(&path).expect("a text"));
            }
        }
    }

    #[test]
    fn every_text_is_said_somewhere() {
        let mut all = String::new();
        let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        for entry in std::fs::read_dir(crates).expect("the crates") {
            code(&entry.expect("a crate").path().join("src"), &mut all);
        }
        let unsaid: Vec<&str> = Language::keys()
            .filter(|key| !all.contains(&format!("\"{key}\"")))
            .collect();
        assert!(unsaid.is_empty(), "{unsaid:?}");
    }

    /// The glossary of the documentation: a row for each word, with a column for each language; words that
    /// are not to be used stand after "not".
    #[test]
    fn texts_use_the_words_of_the_glossary() {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/reference/languages.md");
        let page = std::fs::read_to_string(file).expect("the glossary");
        let rows: Vec<Vec<&str>> = page
            .lines()
            .filter_map(|line| line.strip_prefix("| ")?.strip_suffix(" |"))
            .map(|line| line.split(" | ").map(str::trim).collect())
            .filter(|row: &Vec<&str>| row.len() == 4 && !row[0].starts_with("---"))
            .collect();
        assert_eq!(rows[0], ["English", "German", "Spanish", "Portuguese"]);
        assert!(rows.len() > 20);
        let columns = [
            Language::English,
            Language::German,
            Language::Spanish,
            Language::Portuguese,
        ];
        for (column, language) in columns.into_iter().enumerate() {
            let said = language.everything().to_lowercase();
            let has = |word: &str| {
                let word = word.to_lowercase();
                let mut places = said.match_indices(&word);
                places.any(|(at, found)| {
                    let before = said[..at].chars().next_back();
                    let after = said[at + found.len()..].chars().next();
                    let is_letter = |letter: Option<char>| letter.is_some_and(char::is_alphabetic);
                    !is_letter(before) && !is_letter(after)
                })
            };
            for row in &rows[1..] {
                let (used, unused) = row[column]
                    .split_once(" (not ")
                    .unwrap_or((row[column], ""));
                for word in used.split(", ") {
                    assert!(has(word), "{language:?} never says '{word}'");
                }
                let unused = unused.trim_end_matches(')').split(", ");
                for word in unused.filter(|word| !word.is_empty()) {
                    assert!(!has(word), "{language:?} says '{word}', not '{used}'");
                }
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
