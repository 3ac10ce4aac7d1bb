//! A rule file as a tree of keys, and the text of such a tree.

use std::fmt::Write;

use toml::de::{DeTable, DeValue};

/// The keys of a table, in the order of the text.
pub(crate) type KeyTable = Vec<(String, KeyValue)>;

/// What stands behind a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum KeyValue {
    Text(String),
    /// A number, `true`, `false`, or a date: what is written without quotes.
    Plain(String),
    List(Vec<KeyValue>),
    Table(KeyTable),
}

/// Tables that a file writes under a heading; all others stand in braces.
const HEADED: [&str; 3] = ["board", "strip", "bag"];

impl KeyValue {
    pub(crate) fn of(value: &DeValue<'_>) -> KeyValue {
        match value {
            DeValue::String(text) => KeyValue::Text(text.to_string()),
            DeValue::Integer(number) => {
                let digits = number.as_str();
                let decimal = i64::from_str_radix(digits, number.radix());
                KeyValue::Plain(decimal.map_or_else(|_| digits.into(), |number| number.to_string()))
            }
            DeValue::Float(number) => KeyValue::Plain(number.as_str().into()),
            DeValue::Boolean(flag) => KeyValue::Plain(flag.to_string()),
            DeValue::Datetime(date) => KeyValue::Plain(date.to_string()),
            DeValue::Array(items) => KeyValue::List(
                items
                    .iter()
                    .map(|item| KeyValue::of(item.get_ref()))
                    .collect(),
            ),
            DeValue::Table(table) => KeyValue::Table(table_of(table)),
        }
    }

    /// As it was typed on a command line: a value of TOML, and whatever is none is a text.
    pub(crate) fn typed(text: &str) -> KeyValue {
        let line = format!("value = {text}");
        let read = DeTable::parse(&line).ok();
        let only = read.as_ref().filter(|table| table.get_ref().len() == 1);
        match only.and_then(|table| table.get_ref().get("value")) {
            Some(value) => KeyValue::of(value.get_ref()),
            None => KeyValue::Text(text.into()),
        }
    }

    /// As it stands in a file.
    pub(crate) fn written(&self) -> String {
        match self {
            KeyValue::Text(text) => quoted(text),
            KeyValue::Plain(text) => text.clone(),
            KeyValue::List(items) => {
                let items: Vec<String> = items.iter().map(KeyValue::written).collect();
                format!("[{}]", items.join(", "))
            }
            KeyValue::Table(table) if table.is_empty() => "{}".into(),
            KeyValue::Table(table) => {
                let keys = table
                    .iter()
                    .map(|(key, value)| format!("{} = {}", name(key), value.written()));
                format!("{{ {} }}", keys.collect::<Vec<_>>().join(", "))
            }
        }
    }

    /// As it is shown in tables: a text without its quotes.
    pub(crate) fn shown(&self) -> String {
        match self {
            KeyValue::Text(text) => text.clone(),
            KeyValue::Plain(_) | KeyValue::List(_) | KeyValue::Table(_) => self.written(),
        }
    }
}

/// A table in the order of its text.
pub(crate) fn table_of(table: &DeTable<'_>) -> KeyTable {
    let mut keys: Vec<_> = table.iter().collect();
    keys.sort_by_key(|(key, _)| key.span().start);
    let pairs = keys.into_iter();
    pairs
        .map(|(key, value)| (key.get_ref().to_string(), KeyValue::of(value.get_ref())))
        .collect()
}

/// Sets a key, given with the tables that it is in, or takes it out; `Err` with the name of what is in
/// its way and no table.
pub(crate) fn set(
    table: &mut KeyTable,
    path: &str,
    value: Option<&KeyValue>,
) -> Result<(), String> {
    let Some((head, rest)) = path.split_once('.') else {
        match (table.iter().position(|(key, _)| key == path), value) {
            (Some(place), Some(value)) => table[place].1 = value.clone(),
            (Some(place), None) => {
                table.remove(place);
            }
            (None, Some(value)) => table.push((path.into(), value.clone())),
            (None, None) => {}
        }
        return Ok(());
    };
    let place = match table.iter().position(|(key, _)| key == head) {
        Some(place) => place,
        None if value.is_none() => return Ok(()),
        None => {
            table.push((head.into(), KeyValue::Table(KeyTable::new())));
            table.len() - 1
        }
    };
    match &mut table[place].1 {
        KeyValue::Table(inner) => set(inner, rest, value),
        KeyValue::Text(_) | KeyValue::Plain(_) | KeyValue::List(_) => Err(head.into()),
    }
}

/// The text of a rule file.
pub(crate) fn text(file: &KeyTable) -> String {
    let heading = |(key, value): &&(String, KeyValue)| {
        HEADED.contains(&key.as_str()) && matches!(value, KeyValue::Table(_))
    };
    let (headed, plain): (Vec<_>, Vec<_>) = file.iter().partition(heading);
    let mut text = String::new();
    for (key, value) in plain {
        let _ = writeln!(text, "{} = {}", name(key), value.written());
    }
    for (key, value) in headed {
        let _ = writeln!(text, "\n[{key}]");
        if let KeyValue::Table(table) = value {
            for (key, value) in table {
                let _ = writeln!(text, "{} = {}", name(key), value.written());
            }
        }
    }
    text
}

fn name(key: &str) -> String {
    let bare = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    if !key.is_empty() && key.chars().all(bare) {
        key.into()
    } else {
        quoted(key)
    }
}

fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for letter in text.chars() {
        match letter {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            letter if letter.is_control() => {
                let _ = write!(out, "\\u{:04X}", u32::from(letter));
            }
            letter => out.push(letter),
        }
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(text: &str) -> KeyTable {
        table_of(DeTable::parse(text).unwrap().get_ref())
    }

    #[test]
    fn what_is_written_reads_back_as_the_same_tree() {
        for text in [
            "patterns = ['111', '2\"2']\nplay = 'points'\n[board]\nsize = '3x3'\nline-length = 0x3",
            "patterns = { 111 = 1, '1 2' = 5 }\nodd = 1.5\nflag = true\nboard.top = '3\\3'\n[strip]",
            "a = \"tab\\there\"\nb = [[1], [], [{ c = 'd' }]]\nday = 1979-05-27",
        ] {
            let read = tree(text);
            let written = self::text(&read);
            let mut again = tree(&written);
            // Tables under headings come last.
            let mut before = read.clone();
            again.sort_by(|a, b| a.0.cmp(&b.0));
            before.sort_by(|a, b| a.0.cmp(&b.0));
            assert_eq!(again, before, "{written}");
        }
    }

    #[test]
    fn values_are_typed_with_or_without_quotes() {
        for (typed, written) in [
            ("files", "\"files\""),
            ("\"files\"", "\"files\""),
            ("2", "2"),
            ("1-2-2", "\"1-2-2\""),
            ("true", "true"),
            ("[\"rank\", 'file']", "[\"rank\", \"file\"]"),
            ("R../.../...", "\"R../.../...\""),
            ("1\nother = 2", "\"1\\u000Aother = 2\""),
            ("{ first = [1] }", "{ first = [1] }"),
        ] {
            assert_eq!(KeyValue::typed(typed).written(), written, "{typed}");
        }
    }

    #[test]
    fn keys_are_set_and_taken_out_inside_tables() {
        let mut file = tree("play = 'misere'\nboard.size = '3x3'");
        let one = KeyValue::Plain("1".into());
        set(&mut file, "board.levels", Some(&one)).unwrap();
        set(&mut file, "strip.turn", Some(&one)).unwrap();
        set(&mut file, "bag.choice", None).unwrap();
        set(&mut file, "play", None).unwrap();
        let expected = "\n[board]\nsize = \"3x3\"\nlevels = 1\n\n[strip]\nturn = 1\n";
        assert_eq!(text(&file), expected);
        assert_eq!(
            set(&mut file, "board.size.x", Some(&one)),
            Err("size".into())
        );
    }
}
