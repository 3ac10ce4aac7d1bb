//! How results look: JSON for programs, words and pictures for people.

pub(crate) mod board;
mod carried;
pub(crate) mod csv;
mod file;
pub(crate) mod page;
#[cfg(unix)]
pub(crate) mod pipe;
pub(crate) mod sheet;
pub(crate) mod words;

use std::ffi::OsStr;
use std::io::{IsTerminal, Write};
use std::sync::OnceLock;

use anstream::ColorChoice;
use anstyle::Style;
use anyhow::{Context, Result};
pub(crate) use carried::{carried, carried_command, quoted_command, suggest_for, typed};
use clap::ValueEnum;
pub(crate) use file::{
    PAGE, PageAndPicture, expect_folder, expect_folder_of, expect_kind, expect_place, is_standard,
    tell_written, write_file, write_whole,
};
use greenwave_game::{plural, seen, short_quotes};
pub(crate) use greenwave_solver::{beyond_measure, bytes, bytes_down, bytes_up, grouped};
pub(crate) use greenwave_table::shell_word as word;
use greenwave_tablebase::{FaultKind, Refusal};
use serde::Serialize;
use unicode_width::UnicodeWidthStr;

/// Whether colours are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Color {
    Auto,
    Always,
    Never,
}

/// A number of things: `1 block`, `1,024 blocks`.
pub(crate) fn counted(number: u64, one: &str, many: &str) -> String {
    format!("{} {}", grouped(number), plural(number, one, many))
}

/// Prints one JSON document on a line of its own.
pub(crate) fn print_json(document: &impl Serialize) -> Result<()> {
    print_line(&serde_json::to_string(document)?)
}

/// Prints a line as it is.
pub(crate) fn print_line(line: &str) -> Result<()> {
    let mut out = std::io::stdout().lock();
    writeln!(out, "{line}")
        .and_then(|()| out.flush())
        .context("cannot write to stdout")
}

/// Prints text for people; colour codes are dropped where they are not wanted.
pub(crate) fn print(text: &str) -> Result<()> {
    print_all(&plain_unless_coloured(text.to_string()))
}

/// Prints text as it is.
pub(crate) fn print_all(text: &str) -> Result<()> {
    print_bytes(text.as_bytes())
}

/// Prints the bytes of texts.
pub(crate) fn print_bytes(text: &[u8]) -> Result<()> {
    let mut out = std::io::stdout().lock();
    out.write_all(text)
        .and_then(|()| out.flush())
        .context("cannot write to stdout")
}

/// Whether colours are wanted on stdout.
fn coloured() -> bool {
    // Asking is a system call, and a batch has a hundred thousand answers a second.
    static COLOURED: OnceLock<bool> = OnceLock::new();
    let asked = || anstream::AutoStream::choice(&std::io::stdout()) != ColorChoice::Never;
    *COLOURED.get_or_init(asked)
}

/// A style where colours are wanted: codes that are not written need not be taken out again.
pub(crate) fn wanted(style: Style) -> Style {
    if coloured() { style } else { Style::new() }
}

/// Text for people without colour codes where they are not wanted, and without the blanks at the end
/// of a line that would have had a colour.
pub(crate) fn plain_unless_coloured(text: String) -> String {
    if coloured() {
        return text;
    }
    let has_codes = text.contains('\x1b');
    let mut plain = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        if has_codes {
            plain.extend(anstream::adapter::strip_str(line))
        } else {
            plain.push_str(line)
        }
        if plain.ends_with('\n') {
            plain.pop();
            plain.truncate(plain.trim_end_matches(' ').len());
            plain.push('\n');
        }
    }
    plain
}

/// The text of an error as it is shown: quotes of what was typed are short, and everything is seen.
pub(crate) fn shortened(text: &str) -> String {
    seen(&short_quotes(text, typed().iter().map(String::as_str)))
}

/// The same of a text with colours, which stay.
pub(crate) fn shortened_in_colour(text: &str) -> String {
    let text = short_quotes(text, typed().iter().map(String::as_str));
    let mut parts = text.split("\u{1b}[");
    let mut out = seen(parts.next().unwrap_or(""));
    for part in parts {
        let is_number = |letter: char| letter.is_ascii_digit() || letter == ';';
        let rest = part.trim_start_matches(is_number);
        match rest.strip_prefix('m') {
            Some(after) => {
                out.push_str("\u{1b}[");
                out.push_str(&part[..part.len() - after.len()]);
                out.push_str(&seen(after));
            }
            None => out.push_str(&seen(&format!("\u{1b}[{part}"))),
        }
    }
    out
}

/// Whether the terminal knows more than lines: colours, and a cursor that can be moved.
pub(crate) fn has_cursor() -> bool {
    cfg!(not(unix)) || std::env::var_os("TERM").is_some_and(|term| names_a_cursor(&term))
}

/// Whether a terminal of this name knows more than lines; it may say that it does not, or nothing.
fn names_a_cursor(term: &OsStr) -> bool {
    const LINES: [&str; 3] = ["", "dumb", "unknown"];
    !LINES.iter().any(|name| term.eq_ignore_ascii_case(name))
}

/// Decides where colours are wanted, for texts, errors and pages of help alike.
pub(crate) fn choose_colours(asked: Color) {
    let choice = match asked {
        // An empty TERM says no more than none does.
        Color::Auto if !has_cursor() && std::env::var_os("CLICOLOR_FORCE").is_none() => {
            ColorChoice::Never
        }
        Color::Auto => ColorChoice::Auto,
        Color::Always => ColorChoice::Always,
        Color::Never => ColorChoice::Never,
    };
    choice.write_global();
    match asked {
        Color::Auto => {}
        Color::Always => ratatui::crossterm::style::force_color_output(true),
        Color::Never => ratatui::crossterm::style::force_color_output(false),
    }
}

/// Columns that texts are cut for at least.
const LEAST: usize = 20;

/// The columns of the terminal, where the text goes to one.
fn columns_of(is_terminal: bool) -> Option<usize> {
    let size = is_terminal.then(|| ratatui::crossterm::terminal::size().ok());
    size.flatten().map(|(columns, _)| usize::from(columns))
}

/// A line on stderr; where nobody can read it, it is dropped. On a terminal it is cut at words.
pub(crate) fn complain(text: &str) {
    /// Columns that are read with ease, however wide the terminal is.
    const MOST: usize = 120;
    let width = columns_of(std::io::stderr().is_terminal());
    let width = width.map(|columns| columns.clamp(LEAST, MOST));
    let text = carried(text);
    let text = match width {
        Some(width) => cut_at_words(&text, width),
        None => text,
    };
    let _ = writeln!(anstream::stderr().lock(), "{text}");
}

/// A text whose lines are cut at blanks where they would be wider; words that are wider stay whole.
fn cut_at_words(text: &str, most: usize) -> String {
    let mut lines = Vec::new();
    for line in text.split('\n') {
        let indent = line.len() - line.trim_start().len();
        let mut cut = String::new();
        let mut width = 0;
        for (place, word) in line.split(' ').enumerate() {
            let length = anstream::adapter::strip_str(word).to_string().width();
            if place > 0 {
                if width + 1 + length > most && width > indent {
                    cut.push('\n');
                    cut.push_str(&" ".repeat(indent));
                    width = indent;
                } else {
                    cut.push(' ');
                    width += 1;
                }
            }
            cut.push_str(word);
            width += length;
        }
        lines.push(cut);
    }
    lines.join("\n")
}

/// Whether an error says that nobody reads the output any more.
pub(crate) fn closed_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        cause
            .downcast_ref::<std::io::Error>()
            .is_some_and(|error| error.kind() == std::io::ErrorKind::BrokenPipe)
    })
}

/// An error as a document on stderr.
pub(crate) fn refuse(error: &str, fault: FaultKind) {
    let error = carried(error);
    if let Ok(document) = serde_json::to_string(&Refusal::new(&error, fault)) {
        let _ = writeln!(std::io::stderr().lock(), "{document}");
    }
}

/// A large number in few characters: `1.3 million`.
pub(crate) fn rounded(number: f64) -> String {
    let (number, word) = match number {
        n if n < 1e6 => return grouped(n.round()),
        // A number that rounds to a thousand takes the next word.
        n if n < 999.95e6 => (n / 1e6, "million"),
        n if n < 999.95e9 => (n / 1e9, "billion"),
        n => (n / 1e12, "trillion"),
    };
    format!("{number:.1} {word}")
}

/// A number in full as long as anybody can read it, else its order of magnitude.
pub(crate) fn readable(number: u128) -> String {
    const LEGIBLE: u128 = 10_u128.pow(18);
    match number {
        0..LEGIBLE => grouped(number),
        _ => format!("about 10^{}", (number as f64).log10().round()),
    }
}

/// A time in seconds, with as many digits as help.
pub(crate) fn seconds(seconds: f64) -> String {
    match seconds {
        s if s < 0.0005 => format!("{:.0} µs", s * 1e6),
        s if s < 1.0 => format!("{:.0} ms", s * 1e3),
        s if s < 120.0 => format!("{s:.1} s"),
        s if s < 7200.0 => format!("{:.0} min", s / 60.0),
        s if s < 172_800.0 => format!("{:.0} h", s / 3600.0),
        s if s < 86_400e6 => format!("{} days", grouped((s / 86_400.0).round())),
        _ => "a million days or more".into(),
    }
}

/// Columns of a terminal that a text takes.
fn shown_width(text: &str) -> usize {
    if text.is_ascii() {
        text.len()
    } else {
        text.width()
    }
}

/// Columns of text, padded, two spaces apart, with the given indent; `right` lists the columns
/// whose text stands to the right. A column in which nothing stands takes no room.
pub(crate) fn columns<T: AsRef<str>>(rows: &[Vec<T>], indent: usize, right: &[usize]) -> String {
    let mut widths = vec![0; rows.iter().map(Vec::len).max().unwrap_or(0)];
    for row in rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = shown_width(cell.as_ref()).max(*width);
        }
    }
    let blanks = |text: &mut String, count: usize| (0..count).for_each(|_| text.push(' '));
    let line = indent + widths.iter().map(|width| width + 2).sum::<usize>();
    let mut text = String::with_capacity(rows.len() * line);
    for row in rows {
        blanks(&mut text, indent);
        let cells = row.iter().zip(&widths).enumerate();
        for (number, (cell, width)) in cells.filter(|(_, (_, width))| **width > 0) {
            let cell = cell.as_ref();
            let missing = width - shown_width(cell);
            let (before, after) = if right.contains(&number) {
                (missing, 0)
            } else {
                (0, missing)
            };
            blanks(&mut text, before);
            text.push_str(cell);
            blanks(&mut text, after + 2);
        }
        text.truncate(text.trim_end_matches(' ').len());
        text.push('\n');
    }
    text
}

/// Columns that texts are cut for, unless the terminal has fewer.
const WIDTH: usize = 80;

/// Columns that results are cut for.
pub(crate) fn width() -> usize {
    static COLUMNS: OnceLock<usize> = OnceLock::new();
    *COLUMNS.get_or_init(|| {
        let columns = columns_of(std::io::stdout().is_terminal());
        columns.map_or(WIDTH, |columns| columns.clamp(LEAST, WIDTH))
    })
}

/// Text in lines of at most [`width`] columns, cut at blanks: the first begins with `head`, the others are
/// indented. A word that is longer than a line stands alone.
pub(crate) fn wrapped(head: &str, indent: usize, text: &str) -> String {
    wrapped_within(width(), head, indent, text)
}

/// A text whose lines hold names that are not cut, such as those of files: cut at words where it goes to a
/// terminal that is narrower.
pub(crate) fn fitted(text: String) -> String {
    match columns_of(std::io::stdout().is_terminal()) {
        Some(columns) => cut_at_words(&text, columns.max(LEAST)),
        None => text,
    }
}

fn wrapped_within(most: usize, head: &str, indent: usize, text: &str) -> String {
    let pad = " ".repeat(indent);
    let mut lines = String::new();
    let mut line = head.to_string();
    let mut width = head.chars().count();
    let mut first = true;
    for word in text.split_whitespace() {
        let length = word.chars().count();
        if !first && width + 1 + length > most {
            lines.push_str(line.trim_end());
            lines.push('\n');
            line.clone_from(&pad);
            width = indent;
            first = true;
        }
        if !first {
            line.push(' ');
            width += 1;
        }
        line.push_str(word);
        width += length;
        first = false;
    }
    lines.push_str(line.trim_end());
    lines.push('\n');
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_for_people() {
        assert_eq!(grouped(7), "7");
        assert_eq!(grouped(180_400), "180,400");
        assert_eq!(grouped(16_777_216_u64), "16,777,216");
        assert_eq!(rounded(450_000.4), "450,000");
        assert_eq!(rounded(1_340_000.0), "1.3 million");
        assert_eq!(rounded(6.4e9), "6.4 billion");
        assert_eq!(readable(29_278_876), "29,278,876");
        assert_eq!(readable(42 * 10_u128.pow(36)), "about 10^38");
        assert_eq!(seconds(0.25), "250 ms");
        assert_eq!(seconds(3.0), "3.0 s");
        assert_eq!(seconds(86_400e4), "10,000 days");
        assert_eq!(seconds(1e30), "a million days or more");
    }

    #[test]
    fn lines_are_cut_at_blanks() {
        let text = "word ".repeat(30);
        let wrapped = |head: &str, indent, text: &str| wrapped_within(WIDTH, head, indent, text);
        let lines = wrapped("  head: ", 4, &text);
        assert!(lines.starts_with("  head: word word"), "{lines}");
        assert_eq!(lines.lines().count(), 3);
        assert!(lines.lines().all(|line| line.len() <= 80), "{lines}");
        assert!(
            lines
                .lines()
                .skip(1)
                .all(|line| line.starts_with("    word"))
        );
        let long = "x".repeat(99);
        assert_eq!(
            wrapped("", 2, &format!("a {long} b")),
            format!("a\n  {long}\n  b\n")
        );
        assert_eq!(wrapped("head", 2, ""), "head\n");
        let narrow = wrapped_within(40, "", 0, &text);
        assert!(narrow.lines().all(|line| line.len() <= 40), "{narrow}");
        assert_eq!(narrow.lines().count(), 4);
    }

    #[test]
    fn remarks_are_cut_at_words() {
        let text = format!(
            "error: {}\n  {}",
            "word ".repeat(40).trim_end(),
            "x".repeat(130)
        );
        let cut = cut_at_words(&text, 120);
        let lines: Vec<&str> = cut.lines().collect();
        assert_eq!(lines.len(), 3, "{cut}");
        assert!(lines[..2].iter().all(|line| line.len() <= 120), "{cut}");
        assert!(lines[1].starts_with("word ") && lines[2].trim_start().len() == 130);
        assert_eq!(cut.split_whitespace().count(), 42);
    }

    #[test]
    fn terminals_say_that_they_know_lines_alone() {
        for (term, has) in [
            ("xterm", true),
            ("", false),
            ("DUMB", false),
            ("unknown", false),
        ] {
            assert_eq!(names_a_cursor(OsStr::new(term)), has, "{term}");
        }
    }

    #[test]
    fn columns_line_up() {
        let rows = [["a", "1"], ["bbb", "22"]].map(|row| row.map(String::from).to_vec());
        assert_eq!(columns(&rows, 2, &[1]), "  a     1\n  bbb  22\n");
    }
}
