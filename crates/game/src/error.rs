//! Everything that can be wrong with a name or a text. Messages say what was found, what was
//! expected and the way out.

use std::fmt;

use crate::{Filling, Lights, Message, messages};

/// One fault of a position text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Where: `row 2 (rank 2), character 3`.
    pub place: Filling,
    /// What was found there and what was expected.
    pub problem: Message,
    /// The key of a rule file that it is about, where it is about one.
    pub key: Option<String>,
}

impl Fault {
    /// A fault at a place.
    pub fn new(place: impl Into<Filling>, problem: impl Into<Message>) -> Fault {
        Fault {
            place: place.into(),
            problem: problem.into(),
            key: None,
        }
    }

    /// What it says.
    #[must_use]
    pub fn message(&self) -> Message {
        messages::labelled(self.place.clone(), self.problem.clone())
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.message().fmt(f)
    }
}

/// A text that cannot be a position, with all its faults.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SetupError {
    /// The text.
    pub text: String,
    /// The variant.
    pub variant: String,
    /// Every fault.
    pub faults: Vec<Fault>,
    /// A position text that would do.
    pub example: String,
}

impl SetupError {
    /// What it says.
    #[must_use]
    pub fn message(&self) -> Message {
        let faults: Vec<Message> = self.faults.iter().map(Fault::message).collect();
        messages::position(&self.text, &self.variant, faults, &self.example)
    }
}

impl std::error::Error for SetupError {}

impl fmt::Display for SetupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.message().fmt(f)
    }
}

/// A text that is no legal move of a position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{text}' is no legal move here: {problem}; legal moves: {}", .legal.join(" "))]
pub struct MoveError {
    /// The text.
    pub text: String,
    /// What is wrong with it.
    pub problem: Message,
    /// The legal moves of the position.
    pub legal: Vec<String>,
    /// Whether the text is written as moves of the game are, so that it may be legal elsewhere.
    pub readable: bool,
}

impl MoveError {
    /// The error of a text that is not written as a move is.
    pub(crate) fn unreadable(self) -> MoveError {
        MoveError {
            readable: false,
            ..self
        }
    }
}

/// A variant name that names no variant.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum VariantError {
    /// No such variant.
    Unknown {
        /// The name given.
        found: String,
        /// The nearest names, best first; none when nothing is near.
        nearest: Vec<String>,
    },
    /// A board that is too large, too small or badly written.
    Size {
        /// The name given.
        found: String,
        /// What is wrong with the size.
        problem: Message,
        /// The family.
        family: &'static str,
    },
    /// A name with numbers that are badly written or out of range.
    Numbers {
        /// The name given.
        found: String,
        /// What is wrong with which number.
        problem: Message,
        /// How such names are written, and the ranges.
        expected: Message,
    },
    /// An option without `=`, or nothing after `:`.
    Syntax {
        /// The variant without options.
        name: String,
        /// The option text.
        found: String,
        /// The keys that the family has.
        allowed: Vec<String>,
    },
    /// A key that the family lacks.
    Key {
        /// The variant without options.
        name: String,
        /// The key given.
        found: String,
        /// The keys that the family has.
        allowed: Vec<String>,
    },
    /// A key given twice.
    Twice {
        /// The variant without options.
        name: String,
        /// The key.
        key: String,
    },
    /// A value that the key lacks.
    Value {
        /// The variant without options.
        name: String,
        /// The key.
        key: String,
        /// The value given.
        found: String,
        /// The allowed values, default first.
        allowed: Filling,
    },
    /// A game of another kind than the one that was wanted.
    Kind {
        /// The variant.
        name: String,
        /// What it is.
        found: &'static str,
        /// What was expected.
        expected: &'static str,
    },
    /// An order of the lights for a game that has none of these lights.
    NoLights {
        /// The variant.
        name: String,
        /// The order that was wanted.
        found: Lights,
    },
    /// Options that contradict each other.
    Conflict {
        /// The variant with options.
        name: String,
        /// Which options contradict each other, and the way out.
        problem: Message,
    },
    /// A rule file that describes no game, with all its faults.
    File {
        /// The name of the file.
        file: String,
        /// Every fault, in the order of the text.
        faults: Vec<Fault>,
    },
    /// A rule file whose name will not do.
    FileName {
        /// The name of the file.
        file: String,
        /// What is wrong with it, and the way out.
        problem: String,
    },
}

impl VariantError {
    /// What it says.
    #[must_use]
    pub fn message(&self) -> Message {
        match self {
            VariantError::Unknown { found, nearest } if nearest.is_empty() => {
                messages::variant_unknown(found)
            }
            VariantError::Unknown { found, nearest } => {
                messages::variant_near(found, nearest.join(", "))
            }
            VariantError::Size {
                found,
                problem,
                family,
            } => messages::variant_size(found, problem.clone(), *family),
            VariantError::Numbers {
                found,
                problem,
                expected,
            } => messages::variant_numbers(found, problem.clone(), expected.clone()),
            VariantError::Syntax {
                name,
                found,
                allowed,
            } => messages::variant_option(name, found, allowed.join(", ")),
            VariantError::Key {
                name,
                found,
                allowed,
            } => messages::variant_key(name, found, allowed.join(", ")),
            VariantError::Twice { name, key } => messages::variant_twice(name, key),
            VariantError::Value {
                name,
                key,
                found,
                allowed,
            } => messages::variant_value(name, found, key, allowed.clone()),
            VariantError::Kind {
                name,
                found,
                expected,
            } => {
                let kinds = format!(
                    "variant '{name}' is {found}, expected {expected}; read it with Variant::parse"
                );
                kinds.into()
            }
            VariantError::NoLights { name, found } => messages::lights_none(name, *found),
            VariantError::Conflict { name, problem } => {
                messages::variant_problem(name, problem.clone())
            }
            VariantError::File { file, faults } => {
                let faults: Vec<String> = faults.iter().map(Fault::to_string).collect();
                let faults = faults.join("\n  ");
                format!("rule file '{file}' describes no game:\n  {faults}").into()
            }
            VariantError::FileName { file, problem } => {
                format!("rule file '{file}': {problem}").into()
            }
        }
    }
}

impl std::error::Error for VariantError {}

impl fmt::Display for VariantError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.message().fmt(f)
    }
}
