//! What goes wrong, as Python exceptions with the command's own sentences.

use std::error::Error as StdError;

use greenwave_judge::JudgeError;
use greenwave_judge::expr::FieldsError;
use greenwave_tablebase::{Error, ErrorKind};
use pyo3::exceptions::{PyKeyboardInterrupt, PyValueError};
use pyo3::prelude::*;

/// Why a question is not answered.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The work was stopped.
    Interrupted(String),
    /// The command would exit with 2 and this text.
    Refused(String),
}

impl Failure {
    /// A sentence.
    pub(crate) fn refused(text: impl Into<String>) -> Failure {
        Failure::Refused(text.into())
    }
}

/// An error and what caused it, as the command prints it.
pub(crate) fn sentence(error: &dyn StdError) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        text.push_str(": ");
        text.push_str(&error.to_string());
        cause = error.source();
    }
    text
}

impl From<Error> for Failure {
    fn from(error: Error) -> Failure {
        match error.kind() {
            ErrorKind::Interrupted => Failure::Interrupted(sentence(&error)),
            _ => Failure::Refused(sentence(&error)),
        }
    }
}

impl From<JudgeError> for Failure {
    fn from(error: JudgeError) -> Failure {
        match error {
            JudgeError::Values(error) => error.into(),
            JudgeError::Interrupted => Failure::Interrupted(sentence(&error)),
            _ => Failure::Refused(sentence(&error)),
        }
    }
}

impl From<FieldsError> for Failure {
    fn from(error: FieldsError) -> Failure {
        Failure::Refused(sentence(&error))
    }
}

impl From<Failure> for PyErr {
    fn from(failure: Failure) -> PyErr {
        match failure {
            Failure::Interrupted(text) => PyKeyboardInterrupt::new_err(text),
            Failure::Refused(text) => PyValueError::new_err(text),
        }
    }
}
