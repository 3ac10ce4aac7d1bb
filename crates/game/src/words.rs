//! Numbers of things in words.

use std::fmt::Display;

use crate::{Message, messages};

/// The form of a word that goes with a number: `plural(1, "ply", "plies")` is `ply`. Less than
/// nothing is counted likewise: -1 ply.
#[must_use]
pub fn plural<'w>(number: impl TryInto<i128>, one: &'w str, many: &'w str) -> &'w str {
    match number.try_into() {
        Ok(1 | -1) => one,
        Ok(_) | Err(_) => many,
    }
}

/// A number of things: `1 square`, `3 squares`.
#[must_use]
pub fn counted<N: Copy + Display + TryInto<i128>>(number: N, one: &str, many: &str) -> String {
    format!("{number} {}", plural(number, one, many))
}

/// Points with their sign: `+1 point`, `0 points`, `-5 points`.
#[must_use]
pub fn counted_points(points: i32) -> Message {
    match points {
        0 => messages::many_points("0"),
        1 | -1 => messages::one_point(format!("{points:+}")),
        _ => messages::many_points(format!("{points:+}")),
    }
}

/// A number with a comma between every three digits.
#[must_use]
pub fn grouped(number: impl ToString) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Most characters of what a text quotes.
const QUOTED: usize = 200;

/// A text of an error or a remark as it is shown: with [`short_quotes`], and everything in it [`seen`].
#[must_use]
pub fn told<'t>(text: &str, typed: impl IntoIterator<Item = &'t str>) -> String {
    seen(&short_quotes(text, typed))
}

/// A text with what it quotes cut to 200 characters: words longer than that, what was `typed`, and lines
/// as only a file can hold.
#[must_use]
pub fn short_quotes<'t>(text: &str, typed: impl IntoIterator<Item = &'t str>) -> String {
    const LINE: usize = 4 * QUOTED;
    const ALL: usize = 16_000;
    let cut = |text: &str, most: usize| -> String {
        match text.char_indices().nth(most) {
            Some((end, _)) => format!("{}…", &text[..end]),
            None => text.to_string(),
        }
    };
    let mut text = text.to_string();
    for typed in typed {
        let typed = typed.trim();
        if typed.len() > QUOTED {
            text = text.replace(typed, &cut(typed, QUOTED));
        }
    }
    let word = |word: &str| cut(word, QUOTED);
    let line = |line: &str| {
        let words: Vec<String> = line.split(' ').map(word).collect();
        cut(&words.join(" "), LINE)
    };
    let lines: Vec<String> = text.split('\n').map(line).collect();
    cut(&lines.join("\n"), ALL)
}

/// A text in which characters that cannot be seen, or that change how others are seen, are written as
/// `\u{feff}`; ends of lines and tabs stay.
#[must_use]
pub fn seen(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        if is_unseen(letter) {
            out.extend(letter.escape_unicode())
        } else {
            out.push(letter)
        }
    }
    out
}

/// Whether a character cannot be seen: control characters, marks of zero width, marks of direction,
/// blanks that look like others, and what fonts have no picture for.
#[must_use]
pub fn is_unseen(letter: char) -> bool {
    match letter {
        '\n' | '\t' => false,
        '\u{ad}'
        | '\u{a0}'
        | '\u{34f}'
        | '\u{61c}'
        | '\u{115f}'..='\u{1160}'
        | '\u{17b4}'..='\u{17b5}'
        | '\u{180b}'..='\u{180f}'
        | '\u{2000}'..='\u{200f}'
        | '\u{2028}'..='\u{202f}'
        | '\u{205f}'..='\u{206f}'
        | '\u{3000}'
        | '\u{3164}'
        | '\u{fe00}'..='\u{fe0f}'
        | '\u{feff}'
        | '\u{ffa0}'
        | '\u{fff9}'..='\u{fffc}'
        | '\u{e0000}'..='\u{e0fff}' => true,
        letter => letter.is_control(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_of_a_thing_is_one() {
        assert_eq!(counted(1_u8, "ply", "plies"), "1 ply");
        assert_eq!(counted(0_usize, "ply", "plies"), "0 plies");
        assert_eq!(counted(-1, "ply", "plies"), "-1 ply");
        assert_eq!(plural(u128::MAX, "one", "many"), "many");
        assert_eq!(
            [1, 0, -2].map(|points| counted_points(points).to_string()),
            ["+1 point", "0 points", "-2 points"]
        );
    }

    #[test]
    fn long_words_are_cut_and_unseen_letters_are_written_out() {
        let long = "x".repeat(5_000);
        let cut = told(&format!("found '{long}', expected"), []);
        assert!(cut.chars().count() < 250 && cut.ends_with(" expected"));
        let typed = "a b ".repeat(2_000);
        let cut = told(&format!("found '{}', expected", typed.trim()), [&*typed]);
        assert!(cut.chars().count() < 250, "{cut}");
        let shown = told("found '\u{feff}b2\u{202e}R\r\u{7}'\n", []);
        assert_eq!(shown, "found '\\u{feff}b2\\u{202e}R\\u{d}\\u{7}'\n");
        assert_eq!(seen("Grün é 漢 🚦"), "Grün é 漢 🚦");
    }
}
