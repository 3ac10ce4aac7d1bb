//! Reading keys and values out of TOML: every fault is collected with its place and key, so that a
//! file with several mistakes is reported once.

mod broken;
mod places;

pub use places::line_and_column;

use std::cell::{Cell, RefCell};

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::{Fault, Filling, Message, is_unseen, messages};
use places::TextLines;

/// Faults found so far in a text.
#[derive(Debug)]
pub struct Faults<'t> {
    text: &'t str,
    places: TextLines,
    found: RefCell<Vec<(usize, Fault)>>,
    /// Faults further on than those that are kept.
    more: Cell<usize>,
}

/// Most faults of a file that are listed; later ones are only counted.
const TOLD: usize = 100;

/// The first faults of a list, and how many more there are.
#[must_use]
pub fn first_faults(faults: Vec<Fault>) -> Vec<Fault> {
    first_of(faults, 0)
}

fn first_of(mut faults: Vec<Fault>, more: usize) -> Vec<Fault> {
    let more = more + faults.len().saturating_sub(TOLD);
    if more > 0 {
        faults.truncate(TOLD);
        let problem = format!("{more} more faults; mend these first");
        faults.push(Fault::new("further on", problem));
    }
    faults
}

impl<'t> Faults<'t> {
    /// No fault in a text so far.
    #[must_use]
    pub fn new(text: &'t str) -> Faults<'t> {
        Faults {
            text,
            places: TextLines::new(text),
            found: RefCell::default(),
            more: Cell::default(),
        }
    }

    /// Notes a fault of a key at a byte of the text.
    pub fn add(&self, byte: usize, key: &str, problem: impl Into<Message>) {
        let fault = Fault {
            key: Some(key.into()).filter(|_| !key.is_empty()),
            ..Fault::new(self.place(byte, key), problem.into())
        };
        let mut found = self.found.borrow_mut();
        found.push((byte, fault));
        // As many as are told are enough of a file with a fault in every line.
        if found.len() > 2 * TOLD {
            found.sort_by_key(|(byte, _)| *byte);
            self.more.set(self.more.get() + found.len() - TOLD);
            found.truncate(TOLD);
        }
    }

    /// A byte of the text and the key there, in words.
    fn place(&self, byte: usize, key: &str) -> Message {
        let (line, column) = self.places.of(self.text, byte);
        if key.is_empty() {
            messages::file_place(line, column)
        } else {
            messages::file_key(line, column, key)
        }
    }

    /// The faults in the order of the text, the first of them where they are many.
    #[must_use]
    pub fn into_list(self) -> Vec<Fault> {
        let mut found = self.found.into_inner();
        found.sort_by_key(|(byte, _)| *byte);
        let found = found.into_iter().map(|(_, fault)| fault);
        first_of(found.collect(), self.more.get())
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.found.borrow().is_empty()
    }

    /// Parses the whole text; `None` with a fault when it is not TOML.
    #[must_use]
    pub fn parse(&self) -> Option<Spanned<DeTable<'t>>> {
        DeTable::parse(self.text)
            .map_err(|error| {
                let span = error.span().unwrap_or_default();
                let (byte, marked) = (span.start, self.text.get(span));
                let problem: Message = match marked {
                    Some(key) if error.message().starts_with("duplicate key") => {
                        messages::file_key_twice(key)
                    }
                    _ => broken::unended(self.text, byte)
                        .or_else(|| broken::without_quotes(self.text, byte))
                        .unwrap_or_else(|| {
                            let problem = error.message().trim().replace('\n', ", ");
                            let rest = self.text.get(byte..).unwrap_or_default();
                            match rest.chars().next().filter(|letter| is_unseen(*letter)) {
                                Some(unseen) => {
                                    format!("found '{}': {problem}", unseen.escape_unicode()).into()
                                }
                                None => problem.into(),
                            }
                        }),
                };
                self.add(byte, "", messages::file_not_toml(problem));
            })
            .ok()
    }
}

/// A value with its place in the text.
#[derive(Clone, Copy, Debug)]
pub struct TextValue<T> {
    /// The value.
    pub value: T,
    /// First byte in the text.
    pub byte: usize,
}

/// The keys of one table. A key that was read counts as known; [`Keys::finish`] reports the rest.
pub struct Keys<'a, 't> {
    table: &'a DeTable<'t>,
    faults: &'a Faults<'t>,
    path: String,
    byte: usize,
    known: Vec<&'static str>,
    wishes: Wishes<'a>,
}

/// More to say of an unknown key, by the path of its table and its name.
pub type Wishes<'a> = &'a dyn Fn(&str, &str) -> Option<String>;

impl<'a, 't> Keys<'a, 't> {
    /// The keys of a whole file.
    #[must_use]
    pub fn of_file(table: &'a DeTable<'t>, faults: &'a Faults<'t>) -> Keys<'a, 't> {
        Keys {
            table,
            faults,
            path: String::new(),
            byte: 0,
            known: Vec::new(),
            wishes: &|_, _| None,
        }
    }

    /// The same keys, with more to say of unknown ones, also in the tables among them.
    #[must_use]
    pub fn with_wishes(mut self, wishes: Wishes<'a>) -> Keys<'a, 't> {
        self.wishes = wishes;
        self
    }

    /// Where the table begins.
    #[must_use]
    pub fn byte(&self) -> usize {
        self.byte
    }

    /// The key with the tables that it is in: `board.size`.
    #[must_use]
    pub fn full(&self, key: &str) -> String {
        if self.path.is_empty() {
            key.into()
        } else {
            format!("{}.{key}", self.path)
        }
    }

    /// Notes a fault of a key, at its value or the table.
    pub fn fault(&self, key: &str, problem: impl Into<Message>) {
        self.fault_at(self.byte_of(key), key, problem);
    }

    /// Notes a fault of a key at a place of its own.
    pub fn fault_at(&self, byte: usize, key: &str, problem: impl Into<Message>) {
        self.faults.add(byte, &self.full(key), problem);
    }

    fn byte_of(&self, key: &str) -> usize {
        self.table
            .get(key)
            .map_or(self.byte, |value| value.span().start)
    }

    /// Where each key that is given stands, in words, for faults that are found later; by the name of
    /// the key, and by the empty name the table itself.
    #[must_use]
    pub fn places(&self) -> Vec<(String, String)> {
        let given = self.table.iter().map(|(key, _)| key.get_ref().to_string());
        let place = |key: String| {
            let place = self.faults.place(self.byte_of(&key), &self.full(&key));
            (key, place.to_string())
        };
        let table = self.faults.place(self.byte, &self.path).to_string();
        let table = (String::new(), table);
        given.map(place).chain([table]).collect()
    }

    /// Whether a key is given, known or not.
    #[must_use]
    pub fn has(&self, key: &str) -> bool {
        self.table.contains_key(key)
    }

    /// The raw value of a key.
    pub fn value(&mut self, key: &'static str) -> Option<&'a Spanned<DeValue<'t>>> {
        if !self.known.contains(&key) {
            self.known.push(key);
        }
        self.table.get(key)
    }

    /// Whether no fault of the whole text has been noted.
    #[must_use]
    pub fn is_fine(&self) -> bool {
        self.faults.is_empty()
    }

    fn wrong_type(&self, key: &str, found: &Spanned<DeValue<'t>>, expected: impl Into<Message>) {
        let kind = messages::key_type(found.get_ref().type_str());
        let problem = messages::key_other(kind, expected.into());
        self.fault_at(found.span().start, key, problem);
    }

    /// A text.
    pub fn text(&mut self, key: &'static str) -> Option<TextValue<&'a str>> {
        self.text_or(key, messages::key_text())
    }

    /// A text, with words for what is expected there.
    pub fn text_or(
        &mut self,
        key: &'static str,
        expected: impl Into<Message>,
    ) -> Option<TextValue<&'a str>> {
        let value = self.value(key)?;
        let byte = value.span().start;
        match value.get_ref().as_str() {
            Some(text) => Some(TextValue { value: text, byte }),
            None => {
                self.wrong_type(key, value, expected);
                None
            }
        }
    }

    /// One of some words; the first where the key is missing or wrong.
    pub fn word(&mut self, key: &'static str, allowed: &'static [&'static str]) -> &'static str {
        let Some(found) = self.text_or(key, one_of(allowed)) else {
            return allowed[0];
        };
        if let Some(word) = allowed.iter().find(|word| **word == found.value) {
            return word;
        }
        let quoted = format!("'{}'", found.value);
        self.fault(key, messages::key_other(quoted, one_of(allowed)));
        allowed[0]
    }

    /// A whole number within limits.
    pub fn number(&mut self, key: &'static str, from: i64, to: i64) -> Option<i64> {
        let value = self.value(key)?;
        let number = integer(value.get_ref());
        if number.is_none_or(|number| !(from..=to).contains(&number)) {
            let found = found_number(value.get_ref());
            let expected = messages::key_whole(from, to);
            self.fault(key, messages::key_other(found, expected));
            return None;
        }
        number
    }

    /// `true` or `false`.
    pub fn flag(&mut self, key: &'static str) -> Option<bool> {
        let value = self.value(key)?;
        let flag = value.get_ref().as_bool();
        if flag.is_none() {
            self.wrong_type(key, value, messages::key_flag());
        }
        flag
    }

    /// A list of texts, of which there is an example for those who write something else.
    pub fn texts(
        &mut self,
        key: &'static str,
        example: &[&str],
    ) -> Option<Vec<TextValue<&'a str>>> {
        let value = self.value(key)?;
        let Some(items) = value.get_ref().as_array() else {
            let expected = messages::key_texts(format!("{example:?}"));
            self.wrong_type(key, value, expected);
            return None;
        };
        let mut texts = Vec::new();
        for item in items.iter() {
            match item.get_ref().as_str() {
                Some(text) => texts.push(TextValue {
                    value: text,
                    byte: item.span().start,
                }),
                None => {
                    let expected = match example.first() {
                        Some(one) => messages::key_text_like(format!("{one:?}")),
                        None => messages::key_text(),
                    };
                    self.wrong_type(key, item, expected);
                }
            }
        }
        Some(texts)
    }

    /// A table.
    pub fn table(&mut self, key: &'static str) -> Option<Keys<'a, 't>> {
        self.table_or(key, messages::key_table(key))
    }

    /// A table, with words for what is expected there.
    pub fn table_or(
        &mut self,
        key: &'static str,
        expected: impl Into<Message>,
    ) -> Option<Keys<'a, 't>> {
        let value = self.value(key)?;
        let Some(table) = value.get_ref().as_table() else {
            self.wrong_type(key, value, expected);
            return None;
        };
        Some(Keys {
            table,
            faults: self.faults,
            path: self.full(key),
            byte: value.span().start,
            known: Vec::new(),
            wishes: self.wishes,
        })
    }

    /// A list of tables, `[[key]]`.
    pub fn tables(&mut self, key: &'static str) -> Vec<Keys<'a, 't>> {
        let Some(value) = self.value(key) else {
            return Vec::new();
        };
        let Some(items) = value.get_ref().as_array() else {
            self.wrong_type(
                key,
                value,
                format!("tables, each of which begins with [[{key}]]"),
            );
            return Vec::new();
        };
        let mut tables = Vec::new();
        for (number, item) in items.iter().enumerate() {
            match item.get_ref().as_table() {
                Some(table) => tables.push(Keys {
                    table,
                    faults: self.faults,
                    path: format!("{}[{}]", self.full(key), number + 1),
                    byte: item.span().start,
                    known: Vec::new(),
                    wishes: self.wishes,
                }),
                None => self.wrong_type(key, item, "a table"),
            }
        }
        tables
    }

    /// Reports every key that nobody asked for, and at the first of them which keys there are.
    pub fn finish(&self) {
        let unknown = self.table.iter().map(|(key, _)| key);
        let mut unknown: Vec<_> = unknown
            .filter(|key| !self.known.contains(&key.get_ref().as_ref()))
            .collect();
        unknown.sort_by_key(|key| key.span().start);
        for (number, key) in unknown.into_iter().enumerate() {
            let name: &str = key.get_ref();
            let said = (self.wishes)(&self.path, name);
            // The nearest key would mislead where more is said.
            let near = self.nearest(name).filter(|_| said.is_none());
            let here = (number == 0).then(|| self.known.join(", "));
            let problem = match (said, near, here) {
                (Some(said), _, Some(keys)) => {
                    let said = format!("unknown key; {said}; keys here: {keys}");
                    said.replace("?; ", "? ").into()
                }
                (Some(said), _, None) => format!("unknown key; {said}").into(),
                (None, Some(near), Some(keys)) => messages::key_near_here(near, keys),
                (None, Some(near), None) => messages::key_near(near),
                (None, None, Some(keys)) => messages::key_unknown_here(keys),
                (None, None, None) => messages::key_unknown(),
            };
            self.faults.add(key.span().start, &self.full(name), problem);
        }
    }

    fn nearest(&self, name: &str) -> Option<&'static str> {
        nearest(&plain(name), self.known.iter().copied())
    }
}

/// The known name that is most like another; `None` where none is like it.
pub fn nearest<'n>(name: &str, known: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    known
        .map(|known| (likeness(known, name), known))
        .filter(|(likeness, _)| *likeness > 0.8)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, known)| known)
}

/// How like two names are, from 0 to 1. In short names two letters that changed places count for more than
/// [`strsim::jaro_winkler`] makes of them: `wni` is nearly `win`.
fn likeness(known: &str, name: &str) -> f64 {
    const SHORT: usize = 3;
    let like = strsim::jaro_winkler(known, name);
    let letters = known.chars().count();
    let is_slip = name.chars().count() == letters && strsim::osa_distance(known, name) == 1;
    if letters >= SHORT && is_slip {
        like.max(1.0 - 0.5 / letters as f64)
    } else {
        like
    }
}

/// A key without capitals and underscores.
#[must_use]
pub fn plain(key: &str) -> String {
    key.to_lowercase().replace('_', "-")
}

/// A whole number out of a TOML value.
#[must_use]
pub fn integer(value: &DeValue<'_>) -> Option<i64> {
    let integer = value.as_integer()?;
    i64::from_str_radix(integer.as_str(), integer.radix()).ok()
}

/// The value in the place of a number: the number as it is written, however large, or the type.
#[must_use]
pub fn found_number(value: &DeValue<'_>) -> Filling {
    match value.as_integer() {
        Some(number) => number.to_string().into(),
        None => messages::key_type(value.type_str()).into(),
    }
}

/// `a, b or c`, each in quotes.
#[must_use]
pub fn one_of(words: &[&str]) -> Message {
    let quoted: Vec<String> = words.iter().map(|word| format!("'{word}'")).collect();
    match quoted.split_last() {
        Some((last, rest)) if !rest.is_empty() => messages::key_words(rest.join(", "), last),
        _ => quoted.join("").into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_that_is_no_text_is_told_what_may_stand_there() {
        let told = |text: &str| {
            let faults = Faults::new(text);
            if let Some(file) = faults.parse() {
                let mut keys = Keys::of_file(file.get_ref(), &faults);
                keys.word("pass", &["never", "free", "once"]);
            }
            faults.into_list()[0].to_string()
        };
        assert_eq!(
            told("pass = true"),
            "line 1, column 8, key 'pass': found a value of type boolean, expected 'never', 'free' or 'once'"
        );
        for text in ["pass = free", "swap = [1, free]"] {
            let problem = told(text);
            let expected =
                "this is not TOML: found free, expected a text in quotes, a number, true or false";
            assert!(problem.contains(expected), "{problem}");
        }
        assert!(
            !told("pass == 1").contains("found"),
            "{}",
            told("pass == 1")
        );
    }

    #[test]
    fn what_cannot_be_seen_is_written_out() {
        for (text, expected) in [
            (
                "si\u{200b}ze = 3",
                "column 3: this is not TOML: found '\\u{200b}': invalid",
            ),
            (
                "size\u{a0}= 3",
                "column 5: this is not TOML: found '\\u{a0}': ",
            ),
            (
                "\u{200b}size = 3",
                "column 1: this is not TOML: found '\\u{200b}': invalid",
            ),
        ] {
            let faults = Faults::new(text);
            assert!(faults.parse().is_none());
            let told = faults.into_list()[0].to_string();
            assert!(told.contains(expected), "{told}");
        }
        assert_eq!(nearest("wni", ["wins", "win"].into_iter()), Some("win"));
        assert_eq!(nearest("b9", ["b2"].into_iter()), None);
    }

    #[test]
    fn all_faults_come_with_place_and_key() {
        let text =
            "size = 3\nword = 'x'\nother = 1\n[deep]\nnumber = 99\nmore = 99999999999999999999\n";
        let faults = Faults::new(text);
        let file = faults.parse().unwrap();
        let mut keys = Keys::of_file(file.get_ref(), &faults);
        assert!(keys.text("size").is_none());
        assert_eq!(keys.word("word", &["a", "b"]), "a");
        let mut deep = keys.table("deep").unwrap();
        assert_eq!(deep.number("number", 1, 9), None);
        assert_eq!(deep.number("more", 1, 9), None);
        deep.finish();
        keys.finish();
        let listed: Vec<String> = faults.into_list().iter().map(Fault::to_string).collect();
        assert_eq!(
            listed,
            [
                "line 1, column 8, key 'size': found a value of type integer, expected a text in quotes",
                "line 2, column 8, key 'word': found 'x', expected 'a' or 'b'",
                "line 3, column 1, key 'other': unknown key; keys here: size, word, deep",
                "line 5, column 10, key 'deep.number': found 99, expected a whole number from 1 to 9",
                "line 6, column 8, key 'deep.more': found 99999999999999999999, expected a whole number from 1 to 9",
            ]
        );
    }

    #[test]
    fn unknown_keys_name_the_nearest_and_list_the_others_once() {
        let text = "Sice = 3\nWORD = 'x'\nzzz = 1\n";
        let faults = Faults::new(text);
        let file = faults.parse().unwrap();
        let mut keys = Keys::of_file(file.get_ref(), &faults);
        for key in ["size", "word"] {
            assert!(keys.value(key).is_none());
        }
        keys.finish();
        let listed: Vec<String> = faults.into_list().iter().map(Fault::to_string).collect();
        assert_eq!(
            listed,
            [
                "line 1, column 1, key 'Sice': unknown key; did you mean 'size'? keys here: size, word",
                "line 2, column 1, key 'WORD': unknown key; did you mean 'word'?",
                "line 3, column 1, key 'zzz': unknown key",
            ]
        );
    }

    #[test]
    fn many_faults_are_counted() {
        let text = "a = 1\n".repeat(50);
        let faults = Faults::new(&text);
        for byte in 0..250 {
            faults.add(byte, "a", "wrong");
        }
        let listed = faults.into_list();
        assert_eq!(listed.len(), TOLD + 1);
        assert_eq!(
            listed[TOLD].to_string(),
            "further on: 150 more faults; mend these first"
        );
    }

    #[test]
    fn what_is_not_toml_is_placed() {
        let faults = Faults::new("a = 1\nb = = 2\n");
        assert!(faults.parse().is_none());
        let listed = faults.into_list();
        assert!(listed[0].to_string().starts_with("line 2"), "{listed:?}");
    }
}
