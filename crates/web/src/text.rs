//! The words of pages in every language: one table each, read once.

use std::collections::HashMap;
use std::sync::LazyLock;

use greenwave_game::plural;

use crate::problem::Problem;

/// A language.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Language {
    #[default]
    English,
    Portuguese,
    Spanish,
    German,
}

type Table = HashMap<&'static str, &'static str>;

static TABLES: LazyLock<[Table; 4]> =
    LazyLock::new(|| Language::ALL.map(|language| read(language.source()).collect()));

/// Lines of the form `key = text`; a line that begins with `#` is a remark.
pub(crate) fn read(source: &'static str) -> impl Iterator<Item = (&'static str, &'static str)> {
    source
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .filter_map(|line| line.split_once('='))
        .map(|(key, text)| (key.trim(), text.trim()))
}

impl Language {
    /// All languages, English first.
    pub(crate) const ALL: [Language; 4] = [
        Language::English,
        Language::Portuguese,
        Language::Spanish,
        Language::German,
    ];

    /// Its code in addresses and headers.
    pub(crate) fn code(self) -> &'static str {
        match self {
            Language::English => "en",
            Language::Portuguese => "pt",
            Language::Spanish => "es",
            Language::German => "de",
        }
    }

    fn source(self) -> &'static str {
        match self {
            Language::English => include_str!("texts/en.txt"),
            Language::Portuguese => include_str!("texts/pt.txt"),
            Language::Spanish => include_str!("texts/es.txt"),
            Language::German => include_str!("texts/de.txt"),
        }
    }

    fn of_code(code: &str) -> Option<Language> {
        let main = code.split(['-', '_']).next().unwrap_or(code).trim();
        Language::ALL
            .into_iter()
            .find(|language| language.code().eq_ignore_ascii_case(main))
    }

    /// The language asked for: by name, else the best of an `Accept-Language` list, else English.
    pub(crate) fn chosen(asked: Option<&str>, accepted: Option<&str>) -> Language {
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

    /// The language of a code such as `pt` or `pt-BR`.
    pub(crate) fn named(code: &str) -> Result<Language, Problem> {
        Language::of_code(code).ok_or_else(|| {
            let codes = Language::ALL.map(Language::code).join(", ");
            Problem::input(format!("lang: found '{code}', expected one of {codes}"))
        })
    }

    /// The text of a key.
    pub(crate) fn text(self, key: &'static str) -> &'static str {
        let in_language = |language: Language| TABLES[language as usize].get(key).copied();
        in_language(self)
            .or_else(|| in_language(Language::English))
            .unwrap_or(key)
    }

    /// The name of a variant as people of this language know it.
    pub(crate) fn named_game(self, name: &str) -> String {
        match name.strip_prefix("semaforo") {
            Some(rest) => format!("{}{rest}", self.text("semaforo")),
            None => name.to_string(),
        }
    }

    /// The text of a key with its place `{}` filled.
    pub(crate) fn with(self, key: &'static str, filling: impl std::fmt::Display) -> String {
        self.text(key).replace("{}", &filling.to_string())
    }

    /// A number of plies with its unit.
    pub(crate) fn plies(self, plies: u32) -> String {
        self.counted(i64::from(plies), "ply", "plies")
    }

    /// A number with one of two words.
    pub(crate) fn counted(self, number: i64, one: &'static str, many: &'static str) -> String {
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
                let places =
                    |language: Language| TABLES[language as usize][key].matches("{}").count();
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
    fn every_key_that_pages_name_is_there_and_no_other() {
        let sources = [
            include_str!("page/mod.rs"),
            include_str!("page/claims.rs"),
            include_str!("page/compare.rs"),
            include_str!("page/game.rs"),
            include_str!("page/more.rs"),
            include_str!("page/moves.rs"),
            include_str!("page/puzzles.rs"),
            include_str!("page/sums.rs"),
            include_str!("page/tables.rs"),
            include_str!("page/tools.rs"),
            include_str!("page/board.rs"),
            include_str!("page/chart.rs"),
            include_str!("page/frame.rs"),
            include_str!("page/home.rs"),
            include_str!("page/position.rs"),
            include_str!("page/figures.rs"),
            include_str!("page/stats.rs"),
            include_str!("text.rs"),
        ]
        .concat();
        for (key, _) in read(Language::English.source()) {
            let quoted = format!("\"{key}\"");
            assert!(sources.contains(&quoted), "{key} is used nowhere");
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
}
