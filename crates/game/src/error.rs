//! Everything that can be wrong with a name or a text. Messages say what was found, what was
//! expected and the way out.

use std::fmt;

use crate::{Game, Lights};

/// One fault of a position text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Where, in words: `row 2 (rank 2), character 3`.
    pub place: String,
    /// What was found there and what was expected.
    pub problem: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.problem)
    }
}

/// A text that cannot be a position, with all its faults.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{text}' cannot be a position of {variant}: {}; expected for example {example}", listed(.faults))]
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

fn listed(faults: &[Fault]) -> String {
    faults
        .iter()
        .map(Fault::to_string)
        .collect::<Vec<_>>()
        .join("; ")
}

/// A text that is no legal move of a position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{text}' is no legal move here: {problem}; legal moves: {}", .legal.join(" "))]
pub struct MoveError {
    /// The text.
    pub text: String,
    /// What is wrong with it.
    pub problem: String,
    /// The legal moves of the position.
    pub legal: Vec<String>,
    /// Whether the text is written as moves of the game are, so that it may be legal elsewhere.
    pub readable: bool,
}

impl MoveError {
    /// The error of a readable text, with the moves that are legal in a position written out.
    pub(crate) fn among<G: Game>(
        game: &G,
        position: &G::Position,
        legal: &[G::Move],
        text: &str,
        problem: String,
    ) -> MoveError {
        let written = legal.iter().map(|mv| game.move_text(position, *mv));
        MoveError {
            text: text.into(),
            problem,
            legal: written.collect(),
            readable: true,
        }
    }

    /// The error of a text that is not written as a move is.
    pub(crate) fn unreadable(self) -> MoveError {
        MoveError {
            readable: false,
            ..self
        }
    }
}

fn did_you_mean(nearest: &[String]) -> String {
    match nearest {
        [] => ";".into(),
        _ => format!(": did you mean {}?", nearest.join(", ")),
    }
}

/// A variant name that names no variant.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum VariantError {
    /// No such variant.
    #[error(
        "unknown variant '{found}'{} 'greenwave variants' lists the catalogue",
        did_you_mean(nearest)
    )]
    Unknown {
        /// The name given.
        found: String,
        /// The nearest names, best first; none when nothing is near.
        nearest: Vec<String>,
    },
    /// A board that is too large, too small or badly written.
    #[error(
        "variant '{found}': {problem}; expected {family}-RxC with R ranks and C files, for example {family}-3x4"
    )]
    Size {
        /// The name given.
        found: String,
        /// What is wrong with the size.
        problem: String,
        /// The family.
        family: &'static str,
    },
    /// A name with numbers that are badly written or out of range.
    #[error("variant '{found}': {problem}; expected {expected}")]
    Numbers {
        /// The name given.
        found: String,
        /// What is wrong with which number.
        problem: String,
        /// How such names are written, and the ranges.
        expected: String,
    },
    /// An option without `=`, or nothing after `:`.
    #[error("variant '{name}': found option '{found}', expected key=value; keys of {name}: {}", .allowed.join(", "))]
    Syntax {
        /// The variant without options.
        name: String,
        /// The option text.
        found: String,
        /// The keys that the family has.
        allowed: Vec<String>,
    },
    /// A key that the family lacks.
    #[error("variant '{name}': unknown option key '{found}'; keys of {name}: {}", .allowed.join(", "))]
    Key {
        /// The variant without options.
        name: String,
        /// The key given.
        found: String,
        /// The keys that the family has.
        allowed: Vec<String>,
    },
    /// A key given twice.
    #[error("variant '{name}': option '{key}' is given twice; give it once")]
    Twice {
        /// The variant without options.
        name: String,
        /// The key.
        key: String,
    },
    /// A value that the key lacks.
    #[error("variant '{name}': unknown value '{found}' for option '{key}'; allowed: {allowed}")]
    Value {
        /// The variant without options.
        name: String,
        /// The key.
        key: String,
        /// The value given.
        found: String,
        /// The allowed values, default first.
        allowed: String,
    },
    /// A game of another kind than the one that was wanted.
    #[error("variant '{name}' is {found}, expected {expected}; read it with Variant::parse")]
    Kind {
        /// The variant.
        name: String,
        /// What it is.
        found: &'static str,
        /// What was expected.
        expected: &'static str,
    },
    /// An order of the lights for a game that has none of these lights.
    #[error("{name} has no lights whose order could be {found}; leave the order out")]
    NoLights {
        /// The variant.
        name: String,
        /// The order that was wanted.
        found: Lights,
    },
    /// Options that contradict each other.
    #[error("variant '{name}': {problem}")]
    Conflict {
        /// The variant with options.
        name: String,
        /// Which options contradict each other, and the way out.
        problem: String,
    },
    /// A rule file that describes no game, with all its faults.
    #[error("rule file '{file}' describes no game:\n  {}", .faults.iter().map(Fault::to_string).collect::<Vec<_>>().join("\n  "))]
    File {
        /// The name of the file.
        file: String,
        /// Every fault, in the order of the text.
        faults: Vec<Fault>,
    },
    /// A rule file whose name will not do.
    #[error("rule file '{file}': {problem}")]
    FileName {
        /// The name of the file.
        file: String,
        /// What is wrong with it, and the way out.
        problem: String,
    },
}
