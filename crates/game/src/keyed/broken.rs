//! The fault of a text that is not TOML, in words for people who do not know TOML.

use super::places::line_and_column;
use crate::{Filling, Message, messages};

/// Quotes that word processors write.
const CURLY: [char; 7] = ['“', '”', '„', '‘', '’', '«', '»'];

/// A list, table or text that has no end, in a text whose parser stops at a byte.
pub(super) fn unended(text: &str, byte: usize) -> Option<Message> {
    let line_start = text.get(..byte)?.rfind('\n').map_or(0, |end| end + 1);
    let line = text[line_start..].lines().next().unwrap_or("");
    let at_end = text[byte..].trim().is_empty();
    let until = if at_end { byte } else { line_start };
    let begins = |byte: usize| line_and_column(text, byte).0;
    if let Open::Text(start) = open_at(text, byte) {
        return Some(messages::file_text_open(begins(start)));
    }
    let Open::Brackets(open) = open_at(text, until) else {
        return None;
    };
    match open.last()? {
        (start, '[') if at_end || is_header(line) || is_key(line) => {
            Some(messages::file_list_open(begins(*start)))
        }
        (start, '{') if at_end || is_header(line) => {
            Some(messages::file_table_open(begins(*start), '}'))
        }
        _ => None,
    }
}

/// What is open at a byte.
enum Open {
    /// The first text in quotes that its line does not end, by its first byte.
    Text(usize),
    /// Lists and tables, the innermost last, by their first bytes.
    Brackets(Vec<(usize, char)>),
}

fn open_at(text: &str, until: usize) -> Open {
    let mut open: Vec<(usize, char)> = Vec::new();
    let mut at = 0;
    let mut line_begins = true;
    while let Some(letter) = text[at..].chars().next().filter(|_| at < until) {
        let rest = &text[at..];
        let line = || rest.lines().next().map_or(1, |line| line.len().max(1));
        let mut width = letter.len_utf8();
        match letter {
            '[' if line_begins && open.is_empty() => width = line(),
            '#' => width = line(),
            '[' | '{' => open.push((at, letter)),
            ']' | '}' => {
                open.pop();
            }
            '"' | '\'' => match text_width(rest, letter) {
                Some(found) => width = found,
                None => return Open::Text(at),
            },
            _ => {}
        }
        line_begins = letter == '\n' || line_begins && letter.is_whitespace();
        at += width;
    }
    Open::Brackets(open)
}

/// The bytes of the text in quotes with which something begins, quotes included.
fn text_width(rest: &str, quote: char) -> Option<usize> {
    let three = quote.to_string().repeat(3);
    if let Some(within) = rest.strip_prefix(&three) {
        return within.find(&three).map(|end| end + 6);
    }
    let mut escaped = false;
    for (at, letter) in rest.char_indices().skip(1) {
        match letter {
            '\n' => return None,
            _ if escaped => escaped = false,
            '\\' if quote == '"' => escaped = true,
            _ if letter == quote => return Some(at + 1),
            _ => {}
        }
    }
    None
}

/// Whether a line is the head of a table.
fn is_header(line: &str) -> bool {
    let name = line.trim().strip_prefix('[');
    let name = name.and_then(|line| line.split_once(']'));
    name.is_some_and(|(name, _)| is_name(name.trim_start_matches('[')))
}

/// Whether a line gives a key its value.
fn is_key(line: &str) -> bool {
    line.split_once('=').is_some_and(|(key, _)| is_name(key))
}

fn is_name(name: &str) -> bool {
    let name = name.trim();
    let letters = |letter: char| letter.is_alphanumeric() || "-_. ".contains(letter);
    name.starts_with(|letter: char| letter.is_alphabetic() || letter == '_')
        && name.chars().all(letters)
}

/// What to say of a value without quotes, or with those of a word processor, that stands at a byte.
pub(super) fn without_quotes(text: &str, byte: usize) -> Option<Message> {
    // Numbers and dates are read up to the letter that does not fit.
    let of_value = |letter: char| letter.is_alphanumeric() || "./-_:+".contains(letter);
    let byte = text.get(..byte)?.trim_end_matches(of_value).len();
    let (before, rest) = text.split_at(byte);
    let before = before.trim_end_matches([' ', '\t']);
    let head = before.strip_suffix('=');
    if head.is_none() && !before.trim_end().ends_with(['[', ',']) {
        return None;
    }
    // The key of the value; a list has none of its own.
    let key = head.and_then(|head| head.rsplit(['\n', '{', ',']).next());
    let key = key.map(str::trim).filter(|key| is_name(key));
    let alone = head.is_some_and(|head| {
        let line = head.rsplit('\n').next().unwrap_or(head);
        is_name(line)
    });
    let line = rest.lines().next().unwrap_or("").trim_end();
    let curly = line.starts_with(CURLY);
    let found = if curly {
        let inner = line.trim_start_matches(CURLY);
        let start = line.len() - inner.len();
        let end = inner.find(CURLY);
        let quote = |end: usize| inner[end..].chars().next().map_or(0, char::len_utf8);
        &line[..end.map_or(line.len(), |end| start + end + quote(end))]
    } else if alone {
        line.split_once(" #").map_or(line, |(value, _)| value)
    } else {
        line.split([',', ']', '}']).next().unwrap_or(line)
    };
    let found = found.trim_end();
    let value = found.trim_matches(|letter| letter == '"' || CURLY.contains(&letter));
    let outline = |value: &str| value.chars().all(|letter| "#-/".contains(letter));
    if found.is_empty() || found.starts_with('#') && !outline(found) {
        return key.map(messages::file_no_value);
    }
    // Numbers have faults of their own.
    let number = value
        .chars()
        .all(|letter| letter.is_ascii_digit() || letter == '_');
    if number && !curly || found.starts_with(['=', '"', '\'']) || value.contains(['=', '"', '\'']) {
        return None;
    }
    let quoted = match key {
        Some(key) => format!("{key} = \"{value}\""),
        None => format!("\"{value}\""),
    };
    let word = value.to_lowercase();
    let is_flag = ["true", "false"].contains(&&*word);
    let small = is_flag.then(|| messages::file_small(word));
    Some(if curly {
        messages::file_straight(found, small.map_or_else(|| quoted.into(), Filling::from))
    } else {
        let written = small.unwrap_or_else(|| messages::file_in_quotes(quoted));
        messages::file_quotes(found, written)
    })
}

#[cfg(test)]
mod tests {
    use crate::keyed::Faults;

    fn told(text: &str) -> String {
        let faults = Faults::new(text);
        assert!(faults.parse().is_none(), "{text}");
        faults.into_list()[0].to_string()
    }

    #[test]
    fn values_without_quotes_are_shown_in_quotes() {
        for (text, written) in [
            ("turns = 1-2-2", "turns = \"1-2-2\""),
            ("board.size = 3x3 # small", "board.size = \"3x3\""),
            ("board = { size = 3x3, levels = 1 }", "size = \"3x3\""),
            ("start = .../.R./...", "start = \".../.R./...\""),
            ("start = 1../...", "start = \"1../...\""),
            ("top = 333-313", "top = \"333-313\""),
            ("outline = ##/#-", "outline = \"##/#-\""),
            ("title = My game", "title = \"My game\""),
            ("squares = [a1, b1]", "write the value in quotes, \"a1\""),
            ("swap = True", "write true in small letters"),
            (
                "size = “3x3”",
                "expected straight quotes; write size = \"3x3\"",
            ),
            (
                "patterns = [“111”, “222”]",
                "found “111”, expected straight quotes; write \"111\"",
            ),
            (
                "play = # later",
                "the key play has no value; write one behind '='",
            ),
            ("play =", "the key play has no value; write one behind '='"),
        ] {
            let problem = told(&format!("a = 1\n{text}\nz = 2\n"));
            assert!(problem.starts_with("line 2, "), "{problem}");
            assert!(problem.ends_with(written), "{problem}");
        }
    }

    #[test]
    fn the_beginning_of_a_list_without_end_is_told() {
        for (text, expected) in [
            (
                "a = 1\np = ['x'\nb = 2\n",
                "line 3, column 1: this is not TOML: the list that begins in line 2 has no end; close it with ']'",
            ),
            (
                "p = [\n  'x', # ]\n  'y'\n\n[board]\nb = 2\n",
                "the list that begins in line 1 has no end",
            ),
            (
                "p = ['x',\n[board]\nb = 2\n",
                "the list that begins in line 1 has no end",
            ),
            (
                "[t]\np = ['x', 'y'\n",
                "the list that begins in line 2 has no end",
            ),
            (
                "p = { a = ['x'], b = 1\n[board]\nb = 2\n",
                "the table that begins in line 1 has no end; close it with '}'",
            ),
            (
                "a = 'x\nb = 1\n",
                "the text that begins in line 1 has no end; close it with a quote",
            ),
            (
                "a = 1\np = ['x]\nb = 2\n",
                "the text that begins in line 2 has no end; close it with a quote",
            ),
        ] {
            let problem = told(text);
            assert!(problem.contains(expected), "{problem}");
        }
    }
}
