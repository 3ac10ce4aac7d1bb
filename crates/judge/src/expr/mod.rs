//! The language of `find` and of claims: an expression over what is known of a position.
//!
//! `docs/reference/expressions.md` has the grammar and the fields. An expression is parsed, bound to a game
//! (names become fields, squares and constants, kinds are checked) and then evaluated position by
//! position.

mod bind;
mod eval;
mod extent;
mod field;
mod parse;
mod tree;

pub use bind::{BoundExpression, FieldsError, NamedTerm, Output};
pub use eval::{KnownValues, MoveLists};
pub use field::{Field, fields_of};
pub use tree::{CallArgument, Node, Operator, SyntaxTree};

use greenwave_game::Message;
use greenwave_game::keyed::line_and_column;

use crate::messages;

/// What a part of an expression comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueType {
    /// True or false.
    Truth,
    /// A number.
    Number,
    /// Win, draw or loss.
    Outcome,
    /// The level of a square, 0 to 3: a number or a colour.
    Level,
}

impl ValueType {
    fn message(self) -> Message {
        match self {
            ValueType::Truth => messages::wanted_truth(),
            ValueType::Number => messages::wanted_number(),
            ValueType::Outcome => messages::wanted_value(),
            ValueType::Level => messages::wanted_level(),
        }
    }
}

/// What is wrong with an expression, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", located(*.line, *.column, .problem, .text, .pointer))]
pub struct ExpressionError {
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// What was found and what was expected.
    pub problem: Message,
    // The line at fault, and a mark below the character.
    text: String,
    pointer: String,
}

impl ExpressionError {
    pub(crate) fn new(text: &str, byte: usize, problem: impl Into<Message>) -> ExpressionError {
        let (line, column) = line_and_column(text, byte);
        let row = text.split('\n').nth(line - 1).unwrap_or("");
        let (row, before) = window(&row.replace('\t', " "), column - 1);
        ExpressionError {
            line,
            column,
            problem: problem.into().rewritten(&with_short_words),
            text: row,
            pointer: format!("{}^", " ".repeat(before)),
        }
    }

    /// What it says.
    #[must_use]
    pub fn message(&self) -> Message {
        let ExpressionError { line, column, .. } = *self;
        located(line, column, &self.problem, &self.text, &self.pointer)
    }
}

fn located(line: usize, column: usize, problem: &Message, text: &str, pointer: &str) -> Message {
    let shown = format!("\n  {text}\n  {pointer}");
    messages::expression(line, column, problem.clone(), shown)
}

// Most characters shown of the faulty line, and of a word in an error message.
const SHOWN: usize = 80;
const WORD: usize = 100;

/// The part of a line around a character, and the number of characters before that part.
fn window(row: &str, place: usize) -> (String, usize) {
    let length = row.chars().count();
    if length <= SHOWN {
        return (row.to_string(), place);
    }
    let begin = place.saturating_sub(SHOWN / 2).min(length - SHOWN);
    let shown: String = row.chars().skip(begin).take(SHOWN).collect();
    let before = if begin > 0 { "…" } else { "" };
    let after = if begin + SHOWN < length { "…" } else { "" };
    let from_begin = place - begin + before.chars().count();
    (format!("{before}{shown}{after}"), from_begin)
}

/// A text in which words that are typed at length are cut.
fn with_short_words(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut length = 0;
    for letter in text.chars() {
        length = if letter.is_whitespace() || letter == '\'' {
            0
        } else {
            length + 1
        };
        match length {
            0..=WORD => out.push(letter),
            length if length == WORD + 1 => out.push('…'),
            _ => {}
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_show_what_stands_around_them() {
        let long = format!("{} @ {}", "q".repeat(300), "z".repeat(300));
        let error = ExpressionError::new(&long, 301, "found '@'");
        let shown = error.to_string();
        let lines: Vec<&str> = shown.lines().collect();
        let at = lines[2].chars().position(|letter| letter == '^');
        assert_eq!(lines[1].chars().nth(at.unwrap()), Some('@'), "{shown}");
        assert!(lines[1].chars().count() <= SHOWN + 4, "{shown}");
        let word = ExpressionError::new(&long, 0, format!("unknown name '{}'", "q".repeat(300)));
        assert!(word.to_string().matches('q').count() <= 200, "{word}");
        let short = ExpressionError::new("ply = x", 6, "unknown name 'x'");
        assert!(
            short
                .to_string()
                .ends_with("unknown name 'x'\n  ply = x\n        ^")
        );
    }
}
