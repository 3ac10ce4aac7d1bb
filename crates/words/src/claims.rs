//! The built-in claims in other languages; their English texts stand in the crate `judge`.

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::{Language, read};

static TABLES: LazyLock<[HashMap<&'static str, &'static str>; 4]> =
    LazyLock::new(|| Language::ALL.map(|language| language.claims().collect()));

impl Language {
    /// The built-in claims by their numbers, and why some cannot be checked, by the number with `-reason`,
    /// where they were read, where that is more than titles, with `-source`, and in what sense they are settled,
    /// with `-note`; empty in English.
    pub fn claims(self) -> impl Iterator<Item = (&'static str, &'static str)> {
        read(match self {
            Language::English => "",
            Language::Portuguese => include_str!("../texts/pt/claims.txt"),
            Language::Spanish => include_str!("../texts/es/claims.txt"),
            Language::German => include_str!("../texts/de/claims.txt"),
        })
    }

    /// One of them; `None` in English, and of claims that are not built in.
    #[must_use]
    pub fn claim(self, key: &str) -> Option<&'static str> {
        TABLES[self as usize].get(key).copied()
    }
}
