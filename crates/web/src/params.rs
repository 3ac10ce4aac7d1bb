//! What a request asks for: the path cut at slashes, and the parameters after the question mark.

use greenwave_game::Lights;
use greenwave_game::keyed::nearest;

use crate::calendar::days_until;
use crate::messages;
use crate::problem::Problem;

/// Longest address that is read, in bytes.
pub(crate) const LONGEST: usize = 8 << 10;

/// Letters of a text that can be sent in an address: coded, those of English and their signs take up to three bytes
/// each, and headers have the rest.
pub(crate) const SENT: usize = 2000;

/// Bytes of a text, coded, that can be sent.
pub(crate) const CODED: usize = 3 * SENT;

/// A parameter, percent signs decoded.
#[derive(Clone, Debug)]
struct Param {
    name: String,
    /// A plus sign is one.
    plain: String,
    /// A plus sign is a blank, and one that was encoded a plus sign, as forms write them.
    of_form: String,
}

/// Parameters by name, in the order in which they stand.
#[derive(Clone, Debug, Default)]
pub(crate) struct Params(Vec<Param>);

impl Params {
    /// Reads what stands after the question mark.
    pub(crate) fn read(query: &str) -> Result<Params, Problem> {
        let mut params = Params::default();
        for pair in query.split('&').filter(|pair| !pair.is_empty()) {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            let mut name = decoded(name)?;
            // As it was called before.
            if name == "colours" {
                name = "lights".into();
            }
            if params.get(&name).is_some() {
                return Err(Problem::input(messages::parameter_twice(name)));
            }
            params.0.push(Param {
                name,
                plain: decoded(value)?,
                of_form: decoded(&value.replace('+', "%20"))?,
            });
        }
        Ok(params)
    }

    /// Those parameters that can be read, where others cannot: an error has the language of its
    /// page.
    pub(crate) fn readable(query: &str) -> Params {
        let pairs = query.split('&').filter_map(|pair| Params::read(pair).ok());
        Params(pairs.flat_map(|pair| pair.0).collect())
    }

    /// What was typed, which errors quote in parts.
    pub(crate) fn typed(&self) -> impl Iterator<Item = &str> {
        self.0
            .iter()
            .flat_map(|param| [&*param.name, &*param.plain, &*param.of_form])
    }

    fn find(&self, name: &str) -> Option<&Param> {
        self.0.iter().find(|param| param.name == name)
    }

    /// The value of a parameter, as it is written.
    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        self.find(name).map(|param| param.plain.as_str())
    }

    /// All parameters but one, by name, as they are written.
    pub(crate) fn without<'p>(&'p self, name: &str) -> impl Iterator<Item = (&'p str, &'p str)> {
        let others = self.0.iter().filter(move |param| param.name != name);
        others.map(|param| (&*param.name, &*param.plain))
    }

    /// Those that are no longer than this: a part of a longer one would be taken for all of it.
    pub(crate) fn up_to(&self, most: usize) -> Params {
        let short = self.0.iter();
        let short = short.filter(|param| param.plain.chars().count() <= most);
        Params(short.cloned().collect())
    }

    /// All parameters as an address has them, one of them with another value.
    pub(crate) fn with(&self, name: &str, value: &str) -> String {
        let mut query = String::new();
        for (other, value) in self.without(name) {
            query.push_str(&format!("{}={}&", encoded(other), encoded(value)));
        }
        format!("{query}{name}={}", encoded(value))
    }

    /// The value of a parameter in which a plus sign means a blank, as forms write it.
    pub(crate) fn text(&self, name: &str) -> Option<String> {
        let value = self.find(name)?.of_form.trim();
        Some(value.to_string()).filter(|value| !value.is_empty())
    }

    /// The value of a parameter in which a plus sign may be one or a blank: both readings.
    pub(crate) fn either(&self, name: &str) -> Option<[String; 2]> {
        let param = self.find(name)?;
        let readings = [&param.plain, &param.of_form].map(|text| text.trim().to_string());
        (!readings[0].is_empty()).then_some(readings)
    }

    /// A number from 0 on.
    pub(crate) fn number(&self, name: &str, most: u64) -> Result<Option<u64>, Problem> {
        self.number_from(name, 0, most)
    }

    /// A number.
    pub(crate) fn number_from(
        &self,
        name: &str,
        least: u64,
        most: u64,
    ) -> Result<Option<u64>, Problem> {
        let Some(text) = self.get(name).filter(|text| !text.is_empty()) else {
            return Ok(None);
        };
        let number = text.parse().ok();
        let number = number.filter(|number| (least..=most).contains(number));
        number
            .map(Some)
            .ok_or_else(|| Problem::wrong(name, messages::found_number(text, least, most)))
    }

    /// Whether a switch is on; `usual` where it is not given.
    pub(crate) fn switch(&self, name: &str, usual: bool) -> Result<bool, Problem> {
        match self.get(name) {
            None => Ok(usual),
            Some("" | "1" | "yes" | "on" | "true") => Ok(true),
            Some("0" | "no" | "off" | "false") => Ok(false),
            Some(other) => Err(Problem::wrong(name, messages::found_switch(other))),
        }
    }

    /// A day as `2026-11-26`.
    pub(crate) fn date(&self, name: &str) -> Result<Option<String>, Problem> {
        let Some(text) = self.get(name).filter(|text| !text.is_empty()) else {
            return Ok(None);
        };
        let is_date = text.len() == 10 && days_until(text).is_some();
        if is_date {
            Ok(Some(text.into()))
        } else {
            Err(Problem::wrong(
                name,
                messages::found_day(text, "2026-11-26"),
            ))
        }
    }

    /// One of some words; `None` where nothing is given.
    pub(crate) fn one_of<T: Copy>(
        &self,
        name: &str,
        words: &[(&str, T)],
    ) -> Result<Option<T>, Problem> {
        let Some(text) = self.get(name).filter(|text| !text.is_empty()) else {
            return Ok(None);
        };
        let found = words.iter().find(|(word, _)| *word == text);
        found.map(|(_, meant)| Some(*meant)).ok_or_else(|| {
            let words: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
            Problem::wrong(name, messages::found_word(text, words.join(", ")))
        })
    }

    /// The order of the lights that is requested.
    pub(crate) fn lights(&self) -> Result<Option<Lights>, Problem> {
        self.one_of("lights", &Lights::ALL.map(|lights| (lights.name(), lights)))
    }

    /// Refuses parameters that are not among the allowed.
    pub(crate) fn only(&self, allowed: &[&str]) -> Result<(), Problem> {
        match self.other_than(allowed).next() {
            Some(name) => {
                let known = allowed.join(", ");
                Err(Problem::input(messages::parameter_unknown(name, known)))
            }
            None => Ok(()),
        }
    }

    /// The same for pages, whose addresses are passed on: others may have put marks of their own on them.
    pub(crate) fn only_on_page(&self, allowed: &[&str]) -> Result<(), Problem> {
        let of_others = |name: &&str| name.starts_with("utm_") || name.ends_with("clid");
        let Some(name) = self.other_than(allowed).find(|name| !of_others(name)) else {
            return Ok(());
        };
        // Readers follow links, and need no list of what links carry.
        Err(Problem::input(
            match nearest(name, allowed.iter().copied()) {
                Some(near) => messages::parameter_near(name, near),
                None => messages::parameter_none(name),
            },
        ))
    }

    /// The names of parameters that are not among these.
    fn other_than<'p>(&'p self, allowed: &'p [&str]) -> impl Iterator<Item = &'p str> {
        let names = self.0.iter().map(|param| param.name.as_str());
        names.filter(move |name| !allowed.contains(name))
    }
}

/// A text with its percent signs decoded.
pub(crate) fn decoded(text: &str) -> Result<String, Problem> {
    let refuse = || Problem::input(messages::address_coding(text));
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        if bytes[at] == b'%' {
            let digits = text.get(at + 1..at + 3).ok_or_else(refuse)?;
            if !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
                return Err(refuse());
            }
            out.push(u8::from_str_radix(digits, 16).map_err(|_| refuse())?);
            at += 3;
        } else {
            out.push(bytes[at]);
            at += 1;
        }
    }
    String::from_utf8(out).map_err(|_| refuse())
}

/// A text as a part of an address.
pub(crate) fn encoded(text: &str) -> String {
    use std::fmt::Write;

    let mut out = String::with_capacity(text.len());
    let stays = |byte: u8| byte.is_ascii_alphanumeric() || b"./,;:@-_~=*".contains(&byte);
    let mut rest = text;
    while let Some(at) = rest.bytes().position(|byte| !stays(byte)) {
        // Every byte before is a letter of its own, and so is the end of the one that is written here.
        let (before, after) = rest.split_at(at);
        out.push_str(before);
        let length = after.chars().next().map_or(1, char::len_utf8);
        let (letter, after) = after.split_at(length);
        for byte in letter.bytes() {
            // Writing into a string does not fail.
            let _ = write!(out, "%{byte:02X}");
        }
        rest = after;
    }
    out.push_str(rest);
    out
}

/// The one form of a path that has an answer: decoded and written as links are, with single slashes, none
/// at the end, no steps `.` or `..`, and no blanks around a part.
#[cfg_attr(
    target_family = "wasm",
    expect(dead_code, reason = "no paths come from outside")
)]
pub(crate) fn normal_path(path: &str) -> Result<String, Problem> {
    let path = decoded(path)?;
    Ok(joined(path.split('/').map(str::trim)))
}

/// A path in one spelling, whose parts stay the same: a slash that is encoded is a letter of its part.
pub(crate) fn spelt_path(path: &str) -> Result<String, Problem> {
    let parts: Vec<String> = path.split('/').map(decoded).collect::<Result<_, _>>()?;
    Ok(joined(parts.iter().map(String::as_str)))
}

/// A path of decoded parts.
fn joined<'p>(all: impl Iterator<Item = &'p str>) -> String {
    let mut parts: Vec<String> = Vec::new();
    for part in all {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()),
            part => parts.push(encoded(part).replace('/', "%2F")),
        }
    }
    format!("/{}", parts.join("/"))
}

/// The result of the first reading of a text that is usable; where none is, the error of the
/// intended one.
pub(crate) fn usable<T, E>(meant: usize, read: impl Fn(usize) -> Result<T, E>) -> Result<T, E> {
    read(0).or_else(|error| match (read(1), meant) {
        (Err(_), 0) => Err(error),
        (of_form, _) => of_form,
    })
}

/// Which of both readings of a text was meant where neither can be used: the one with plus signs if
/// there is a blank, since a form writes every blank as a plus sign.
pub(crate) fn meant(readings: &[String; 2]) -> usize {
    usize::from(!readings[0].contains(' '))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_survive_an_address() {
        for text in [
            ".../.R./...+..Y@E",
            "4 2 1 s s 0 0 ./../.../....",
            "b2Y+G[RG]",
            "é%&=?#",
        ] {
            let encoded = encoded(text);
            assert!(encoded.is_ascii() && !encoded.contains(['+', '&', '#', '?', ' ']));
            assert_eq!(decoded(&encoded).unwrap(), text);
        }
    }

    #[test]
    fn a_raw_plus_is_kept_and_offered_as_a_blank() {
        let params = Params::read("position=.../...%2B..Y@E+x&moves=").unwrap();
        assert_eq!(params.get("position"), Some(".../...+..Y@E+x"));
        let both = params.either("position").unwrap();
        assert_eq!(both, [".../...+..Y@E+x", ".../...+..Y@E x"]);
        assert_eq!(params.either("moves"), None);
    }

    #[test]
    fn a_path_has_one_normal_form() {
        for (path, normal) in [
            ("/", "/"),
            ("", "/"),
            ("//", "/"),
            ("/classic-3x3/", "/classic-3x3"),
            ("//classic-3x3", "/classic-3x3"),
            ("/%61pi/v1//query", "/api/v1/query"),
            ("/a/./b/../c", "/a/c"),
            ("/../%2e%2e/x", "/x"),
            ("/a%2Fb%2f", "/a/b"),
            ("///example.org/x", "/example.org/x"),
            ("/%2f%2fexample.org", "/example.org"),
            (
                "/bag-classic-3x3:counters=6,choice=3",
                "/bag-classic-3x3:counters=6,choice=3",
            ),
            ("/a%5cb%00", "/a%5Cb%00"),
            ("/classic-3x3%0A", "/classic-3x3"),
            ("/%20classic-3x3%20/stats%c2%a0", "/classic-3x3/stats"),
            ("/a/%20..%20/b", "/b"),
        ] {
            let found = normal_path(path).unwrap();
            assert_eq!(found, normal, "{path}");
            assert_eq!(normal_path(&found).unwrap(), found, "{path}");
        }
        assert!(normal_path("/%zz").is_err() && normal_path("/%ff").is_err());
    }

    #[test]
    fn a_spelling_keeps_the_parts_of_a_path() {
        for (path, spelt) in [
            ("/", "/"),
            ("/Caf%c3%a9//a b/", "/Caf%C3%A9/a%20b"),
            ("/Café/%61", "/Caf%C3%A9/a"),
            ("/a%2fb/./c/../d", "/a%2Fb/d"),
        ] {
            let found = spelt_path(path).unwrap();
            assert_eq!(found, spelt, "{path}");
            assert_eq!(spelt_path(&found).unwrap(), found, "{path}");
        }
    }

    #[test]
    fn bad_addresses_are_refused() {
        for text in ["%", "%2", "%zz", "%ff", "%+1", "a%é"] {
            assert!(decoded(text).is_err(), "{text}");
        }
        assert!(Params::read("a=1&a=2").is_err());
        assert!(Params::read("limit=x").unwrap().number("limit", 9).is_err());
        assert!(
            Params::read("limit=10")
                .unwrap()
                .number("limit", 9)
                .is_err()
        );
        assert!(Params::read("x=1").unwrap().only(&["y"]).is_err());
    }
}
