//! What Greenwave says to people, in four languages: the rules of a variant and what stands beside a board
//! ([`Language::sentence`]), the phrases that pages and commands share ([`Language::text`]), and error messages
//! ([`Language::message`]).
//!
//! ```
//! use greenwave_game::Variant;
//! use greenwave_words::Language;
//!
//! let variant = Variant::parse("noughts-3x3")?;
//! let rules = Language::Portuguese.rules(&variant);
//! assert_eq!(rules[0], "O tabuleiro tem 9 casas, 3 filas e 3 colunas.");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![forbid(unsafe_code)]

mod claims;
mod figures;
mod language;
mod messages;
mod sentences;

pub use figures::signed;
pub use language::{Language, UnknownLanguage};

/// Lines of the form `key = text`; a line that begins with `#` is a remark.
fn read(source: &'static str) -> impl Iterator<Item = (&'static str, &'static str)> {
    source
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .filter_map(|line| line.split_once('='))
        .map(|(key, text)| (key.trim(), text.trim()))
}

/// A text with each place `{name}` filled; `None` where one cannot be.
fn filled(text: &str, filling: impl Fn(&str) -> Option<String>) -> Option<String> {
    let mut said = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, (place, after))) = rest
        .split_once('{')
        .and_then(|(before, after)| Some((before, after.split_once('}')?)))
    {
        said.push_str(before);
        said.push_str(&filling(place)?);
        rest = after;
    }
    Some(said + rest)
}
