//! Why a question is not answered.

use greenwave_game::{Message, MoveError, SetupError, VariantError};
use greenwave_solver::SolveError;
use greenwave_tablebase::{ErrorKind, FaultKind, fault_of_solve};
use greenwave_values::ValuesError;

use crate::expr::ExpressionError;

/// Why a question is not answered.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum JudgeError {
    /// The expression does not parse or does not fit the game.
    #[error(transparent)]
    Expression(#[from] ExpressionError),
    /// No such variant.
    #[error(transparent)]
    Variant(#[from] VariantError),
    /// A text that is no position.
    #[error(transparent)]
    Setup(#[from] SetupError),
    /// A text that is no move.
    #[error(transparent)]
    Move(#[from] MoveError),
    /// The values cannot be had.
    #[error(transparent)]
    Solve(SolveError),
    /// The values cannot be had, as the tablebase says.
    #[error(transparent)]
    Values(greenwave_tablebase::Error),
    /// The values cannot be read or numbered.
    #[error(transparent)]
    Numbered(ValuesError),
    /// Something that the game or the question does not allow, with the way out.
    #[error("{0}")]
    Refused(Message),
    /// A claims file that says no claims, with all its faults.
    #[error("claims file '{file}':\n  {}", .faults.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n  "))]
    Claims {
        /// The file.
        file: String,
        /// Every fault in the order of the text.
        faults: Vec<greenwave_game::Fault>,
    },
    /// Results could not be handed on.
    #[error("cannot write the results")]
    Output(#[from] std::io::Error),
    /// Stopped from outside.
    #[error("interrupted; nothing was written, the same command starts again")]
    Interrupted,
}

impl JudgeError {
    /// Something that the game or the question does not allow.
    pub fn refused(message: impl Into<Message>) -> JudgeError {
        JudgeError::Refused(message.into())
    }

    /// What it says.
    #[must_use]
    pub fn message(&self) -> Message {
        match self {
            JudgeError::Expression(error) => error.message(),
            JudgeError::Variant(error) => error.message(),
            JudgeError::Setup(error) => error.message(),
            JudgeError::Values(error) => error.message(),
            JudgeError::Refused(message) => message.clone(),
            JudgeError::Move(_)
            | JudgeError::Solve(_)
            | JudgeError::Numbered(_)
            | JudgeError::Claims { .. }
            | JudgeError::Output(_)
            | JudgeError::Interrupted => self.to_string().into(),
        }
    }

    /// The kind of fault, as documents name it.
    #[must_use]
    pub fn fault(&self) -> FaultKind {
        match self {
            JudgeError::Values(error) => error.fault(),
            JudgeError::Solve(error) => fault_of_solve(error),
            JudgeError::Expression(_)
            | JudgeError::Setup(_)
            | JudgeError::Move(_)
            | JudgeError::Claims { .. } => FaultKind::Text,
            JudgeError::Variant(_) | JudgeError::Refused(_) => FaultKind::Usage,
            JudgeError::Numbered(_) | JudgeError::Output(_) => FaultKind::File,
            JudgeError::Interrupted => FaultKind::Interrupted,
        }
    }

    /// Whether there is too little memory: allowed, free, or left in the machine.
    #[must_use]
    pub fn is_of_memory(&self) -> bool {
        match self {
            JudgeError::Values(error) => error.kind() == ErrorKind::Memory,
            JudgeError::Solve(error) => {
                matches!(
                    error,
                    SolveError::Memory { .. } | SolveError::Allocation { .. }
                )
            }
            JudgeError::Expression(_)
            | JudgeError::Variant(_)
            | JudgeError::Setup(_)
            | JudgeError::Move(_)
            | JudgeError::Numbered(_)
            | JudgeError::Refused(_)
            | JudgeError::Claims { .. }
            | JudgeError::Output(_)
            | JudgeError::Interrupted => false,
        }
    }
}

impl From<ValuesError> for JudgeError {
    fn from(error: ValuesError) -> JudgeError {
        if matches!(error, ValuesError::Interrupted) {
            JudgeError::Interrupted
        } else {
            JudgeError::Numbered(error)
        }
    }
}

impl From<SolveError> for JudgeError {
    fn from(error: SolveError) -> JudgeError {
        if matches!(error, SolveError::Interrupted) {
            JudgeError::Interrupted
        } else {
            JudgeError::Solve(error)
        }
    }
}

impl From<greenwave_tablebase::Error> for JudgeError {
    fn from(error: greenwave_tablebase::Error) -> JudgeError {
        use greenwave_tablebase::Error;
        if let Error::Variant(error) = error {
            JudgeError::Variant(error)
        } else if let Error::Setup(error) = error {
            JudgeError::Setup(error)
        } else if let Error::Solve(error) = error {
            JudgeError::from(error)
        } else {
            JudgeError::Values(error)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_stopped_is_interrupted_whatever_was_at_work() {
        let stopped = [
            JudgeError::from(ValuesError::Interrupted),
            JudgeError::from(SolveError::Interrupted),
            JudgeError::from(greenwave_tablebase::Error::from(ValuesError::Interrupted)),
        ];
        for error in stopped {
            assert!(matches!(error, JudgeError::Interrupted), "{error:?}");
        }
    }
}
