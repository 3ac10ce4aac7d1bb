//! The tree of an expression as it was written, with places.

use std::ops::Range;

/// A part of an expression with its bytes in the text.
#[derive(Clone, Debug, PartialEq)]
pub struct SyntaxTree {
    /// What it is.
    pub node: Node,
    /// Its bytes.
    pub span: Range<usize>,
}

impl SyntaxTree {
    /// How many parts stand inside each other, this one included; counted without recursion.
    pub(super) fn depth(&self) -> usize {
        let (mut most, mut open) = (0, vec![(self, 1)]);
        while let Some((tree, depth)) = open.pop() {
            most = most.max(depth);
            match &tree.node {
                Node::Number(_) | Node::Name(_) => {}
                Node::Not(part) | Node::Minus(part) => open.push((part, depth + 1)),
                Node::Binary(_, left, right) => {
                    open.extend([left, right].map(|part| (&**part, depth + 1)));
                }
                Node::Call(_, arguments) => {
                    let parts = arguments.iter().filter_map(|argument| match argument {
                        CallArgument::Tree(part) => Some((part, depth + 1)),
                        CallArgument::Word(..) | CallArgument::Text(..) => None,
                    });
                    open.extend(parts);
                }
            }
        }
        most
    }
}

/// A part of an expression.
#[derive(Clone, Debug, PartialEq)]
pub enum Node {
    /// A whole number.
    Number(i64),
    /// A field, a square or a constant.
    Name(String),
    /// `name(arguments)`.
    Call(String, Vec<CallArgument>),
    /// `not E`.
    Not(Box<SyntaxTree>),
    /// `-E`.
    Minus(Box<SyntaxTree>),
    /// Two parts and the operator between them.
    Binary(Operator, Box<SyntaxTree>, Box<SyntaxTree>),
}

/// An argument of a call.
#[derive(Clone, Debug, PartialEq)]
pub enum CallArgument {
    /// A bare word: a colour or a move.
    Word(String, Range<usize>),
    /// A text in quotes.
    Text(String, Range<usize>),
    /// An expression.
    Tree(SyntaxTree),
}

/// An operator between two parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operator {
    /// `or`
    Or,
    /// `and`
    And,
    /// `=`
    Equal,
    /// `!=`
    Unequal,
    /// `<`
    Less,
    /// `<=`
    AtMost,
    /// `>`
    Greater,
    /// `>=`
    AtLeast,
    /// `+`
    Plus,
    /// `-`
    Minus,
    /// `*`
    Times,
    /// `%`
    Remainder,
}
