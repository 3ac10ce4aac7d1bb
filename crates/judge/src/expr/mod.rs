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

pub use bind::{Bound, FieldsError, Named, Output};
pub use eval::{Known, Scratch};
pub use field::Field;
pub use tree::{Argument, Node, Operator, Tree};

use greenwave_game::keyed::line_and_column;

/// What a part of an expression comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// True or false.
    Truth,
    /// A number.
    Number,
    /// Win, draw or loss.
    Outcome,
    /// The level of a square, 0 to 3: a number or a colour.
    Level,
}

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Kind::Truth => "true or false",
            Kind::Number => "a number",
            Kind::Outcome => "win, draw or loss",
            Kind::Level => "a colour or level",
        }
    }
}

/// What is wrong with an expression, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expression, line {line}, column {column}: {problem}\n  {text}\n  {pointer}")]
pub struct ExpressionError {
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// What was found and what was expected.
    pub problem: String,
    // The line at fault, and a mark below the character.
    text: String,
    pointer: String,
}

impl ExpressionError {
    pub(crate) fn new(text: &str, byte: usize, problem: impl Into<String>) -> ExpressionError {
        let (line, column) = line_and_column(text, byte);
        let row = text
            .split('\n')
            .nth(line - 1)
            .unwrap_or("")
            .replace('\t', " ");
        ExpressionError {
            line,
            column,
            problem: problem.into(),
            text: row,
            pointer: format!("{}^", " ".repeat(column - 1)),
        }
    }
}
