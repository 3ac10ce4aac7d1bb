//! Why a question is not answered.

use std::error::Error as StdError;
use std::fmt::Write;

use greenwave_game::{Filling, Message, PerftError, SetupError, VariantError};
use greenwave_solver::{SolveError, beyond_measure, bytes, bytes_down, bytes_up};
use greenwave_table::{TableError, TablesFolder};
use greenwave_values::ValuesError;

use crate::memory::{WayOut, can_be_given, solving};
use crate::{FaultKind, messages};

/// Why a question is not answered. The text of each is whole: it says what was found, what was
/// expected and the way out, causes included.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// No such variant, or a rule file that describes no game.
    #[error(transparent)]
    Variant(#[from] VariantError),
    /// A text that cannot be a position.
    #[error(transparent)]
    Setup(#[from] SetupError),
    /// A move of a list that cannot be played.
    #[error("{}", illegal(*.number, .text, .played, .problem))]
    Move {
        /// Which move of the list, counted from 1.
        number: usize,
        /// The move as it was given.
        text: String,
        /// The moves played before it.
        played: Vec<String>,
        /// What is wrong with it, and what was legal.
        problem: Message,
    },
    /// Move sequences that cannot be counted.
    #[error(transparent)]
    Perft(#[from] PerftError),
    /// A solve that did not happen.
    #[error("{}", with_causes(.0))]
    Solve(SolveError),
    /// A table that cannot be read or written, is damaged or of other rules.
    #[error("{}", with_causes(.0))]
    Table(TableError),
    /// A table that does not fit its game.
    #[error("{}", with_causes(.0))]
    Values(ValuesError),
    /// More memory than is allowed.
    #[error("{}", too_much(.what, *.needed, *.allowed, *.aside, .way_out))]
    Memory {
        /// What needs it.
        what: Filling,
        /// Bytes needed.
        needed: u128,
        /// Bytes allowed.
        allowed: u64,
        /// Bytes of them that are set aside for other things than answers.
        aside: u64,
        /// Another way out.
        way_out: WayOut,
    },
    /// More memory than is free just now, because other questions are being worked on.
    #[error(
        "{what} needs {} of memory, of {} allowed {} are in use just now; ask again later",
        bytes(*.needed), bytes(u128::from(*.allowed)), bytes(*.used)
    )]
    Busy {
        /// What needs it.
        what: Filling,
        /// Bytes needed.
        needed: u128,
        /// Bytes in use.
        used: u128,
        /// Bytes allowed.
        allowed: u64,
    },
    /// A question that the game or the tables do not allow, with the way out.
    #[error("{0}")]
    Refused(Message),
    /// Something that is not there, with the way out.
    #[error("{0}")]
    NotFound(Message),
    /// The system refused something.
    #[error("{what}: {cause}")]
    Io {
        /// What was tried, and the way out.
        what: String,
        /// What the system answered.
        cause: std::io::Error,
    },
    /// One of several things that were asked about.
    #[error("{what}: {error}")]
    Within {
        /// Which one.
        what: Filling,
        /// What is wrong with it.
        error: Box<Error>,
    },
}

/// The kind of an error, for exit codes and answers over a network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorKind {
    /// The question cannot be answered as it was put.
    Input,
    /// The named thing does not exist.
    NotFound,
    /// More memory than allowed or free.
    Memory,
    /// A table is damaged, or of other rules than its place says.
    Damaged,
    /// The work was stopped from outside.
    Interrupted,
    /// The system refused or failed.
    System,
}

impl Error {
    /// The error of cancelled work.
    #[must_use]
    pub fn interrupted() -> Error {
        SolveError::Interrupted.into()
    }

    /// The error as somebody reads it who does not run the commands of this machine.
    #[must_use]
    pub fn seen_from_afar(self) -> Error {
        match self {
            Error::Table(error) => Error::Table(error.in_folder(TablesFolder::Remote)),
            Error::Values(error) => Error::Values(error.in_folder(TablesFolder::Remote)),
            Error::Within { what, error } => Error::Within {
                what,
                error: Box::new(error.seen_from_afar()),
            },
            Error::Variant(_)
            | Error::Setup(_)
            | Error::Move { .. }
            | Error::Perft(_)
            | Error::Solve(_)
            | Error::Memory { .. }
            | Error::Busy { .. }
            | Error::Refused(_)
            | Error::NotFound(_)
            | Error::Io { .. } => self,
        }
    }

    /// A question that the game or the tables do not allow.
    pub fn refused(message: impl Into<Message>) -> Error {
        Error::Refused(message.into())
    }

    /// Something that is not there.
    pub fn not_found(message: impl Into<Message>) -> Error {
        Error::NotFound(message.into())
    }

    /// An error whose way out, if it is to ask about a position, names this command.
    pub(crate) fn with_position_command(mut self, of_position: String) -> Error {
        if let Error::Memory {
            way_out: WayOut::Positions(command),
            ..
        } = &mut self
        {
            *command = of_position;
        }
        self
    }

    /// What it says.
    #[must_use]
    pub fn message(&self) -> Message {
        match self {
            Error::Variant(error) => error.message(),
            Error::Setup(error) => error.message(),
            Error::Move {
                number,
                text,
                played,
                problem,
            } => illegal(*number, text, played, problem),
            Error::Memory {
                what,
                needed,
                allowed,
                aside,
                way_out,
            } => too_much(what, *needed, *allowed, *aside, way_out),
            Error::Refused(message) | Error::NotFound(message) => message.clone(),
            Error::Within { what, error } => Message::labelled(what.clone(), error.message()),
            Error::Perft(_)
            | Error::Solve(_)
            | Error::Table(_)
            | Error::Values(_)
            | Error::Busy { .. }
            | Error::Io { .. } => self.to_string().into(),
        }
    }

    /// The kind of an error.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        match self {
            Error::Variant(VariantError::Unknown { .. }) | Error::NotFound(_) => {
                ErrorKind::NotFound
            }
            Error::Variant(_)
            | Error::Setup(_)
            | Error::Move { .. }
            | Error::Perft(_)
            | Error::Refused(_) => ErrorKind::Input,
            Error::Memory { .. } | Error::Busy { .. } => ErrorKind::Memory,
            Error::Solve(error) => kind_of_solve(error),
            Error::Table(error) => kind_of_table(error),
            Error::Values(ValuesError::Table(error)) => kind_of_table(error),
            Error::Values(ValuesError::Allocation { .. }) => ErrorKind::Memory,
            Error::Values(_) => ErrorKind::Damaged,
            Error::Io { .. } => ErrorKind::System,
            Error::Within { error, .. } => error.kind(),
        }
    }

    /// The kind of fault, as documents name it.
    #[must_use]
    pub fn fault(&self) -> FaultKind {
        match (self, self.kind()) {
            (Error::Within { error, .. }, _) => error.fault(),
            (Error::Solve(error), _) => fault_of_solve(error),
            (Error::Setup(_) | Error::Move { .. }, _) => FaultKind::Text,
            (Error::Io { .. } | Error::Table(_), _)
            | (_, ErrorKind::Damaged | ErrorKind::System) => FaultKind::File,
            (_, ErrorKind::Memory) => FaultKind::Limit,
            (_, ErrorKind::Interrupted) => FaultKind::Interrupted,
            (_, ErrorKind::Input | ErrorKind::NotFound) => FaultKind::Usage,
        }
    }

    /// Whether as many files are open as the system allows, which passes.
    #[must_use]
    pub fn is_out_of_files(&self) -> bool {
        match self {
            Error::Io { cause, .. } => is_out_of_files(cause),
            Error::Within { error, .. } => error.is_out_of_files(),
            Error::Table(error) | Error::Values(ValuesError::Table(error)) => {
                matches!(error.inner(), TableError::Io { error, .. } if is_out_of_files(error))
            }
            Error::Variant(_)
            | Error::Setup(_)
            | Error::Move { .. }
            | Error::Perft(_)
            | Error::Solve(_)
            | Error::Values(_)
            | Error::Memory { .. }
            | Error::Busy { .. }
            | Error::Refused(_)
            | Error::NotFound(_) => false,
        }
    }

    /// The same about one of several things.
    #[must_use]
    pub fn within(self, what: impl Into<Filling>) -> Error {
        Error::Within {
            what: what.into(),
            error: Box::new(self),
        }
    }
}

/// Whether the system refused to open a file because too many are open.
#[must_use]
pub fn is_out_of_files(error: &std::io::Error) -> bool {
    // ENFILE and EMFILE have the same numbers on every Unix.
    cfg!(unix) && matches!(error.raw_os_error(), Some(23 | 24))
}

/// What kind of fault keeps a solve from being done.
#[must_use]
pub fn fault_of_solve(error: &SolveError) -> FaultKind {
    match kind_of_solve(error) {
        ErrorKind::Memory => FaultKind::Limit,
        ErrorKind::Interrupted => FaultKind::Interrupted,
        ErrorKind::Damaged | ErrorKind::System => FaultKind::File,
        ErrorKind::Input | ErrorKind::NotFound => {
            if matches!(error, SolveError::Checkpoint { .. }) {
                FaultKind::File
            } else {
                FaultKind::Usage
            }
        }
    }
}

fn kind_of_solve(error: &SolveError) -> ErrorKind {
    use SolveError::{Allocation, CheckpointIo, Interrupted, Memory, Paused, Table};
    if let Table(error) = error {
        kind_of_table(error)
    } else if matches!(error, Memory { .. } | Allocation { .. }) {
        ErrorKind::Memory
    } else if matches!(error, Interrupted | Paused { .. }) {
        ErrorKind::Interrupted
    } else if matches!(error, CheckpointIo { .. }) {
        ErrorKind::System
    } else {
        ErrorKind::Input
    }
}

fn kind_of_table(error: &TableError) -> ErrorKind {
    if error.is_not_found() {
        return ErrorKind::NotFound;
    }
    if matches!(error.inner(), TableError::Io { .. }) {
        ErrorKind::System
    } else {
        ErrorKind::Damaged
    }
}

impl From<SolveError> for Error {
    fn from(error: SolveError) -> Error {
        if let SolveError::Table(error) = error {
            return Error::Table(error);
        }
        if let SolveError::Memory {
            variant,
            metric,
            needed,
            allowed,
        } = error
        {
            // The way out depends on the machine, which engines do not ask.
            return Error::Memory {
                what: solving(&variant, &[metric]).into(),
                needed,
                allowed,
                aside: 0,
                way_out: WayOut::Smaller,
            };
        }
        Error::Solve(error)
    }
}

impl From<TableError> for Error {
    fn from(error: TableError) -> Error {
        Error::Table(error)
    }
}

impl From<ValuesError> for Error {
    fn from(error: ValuesError) -> Error {
        if let ValuesError::Table(error) = error {
            return Error::Table(error);
        }
        if matches!(error, ValuesError::Interrupted) {
            Error::Solve(SolveError::Interrupted)
        } else {
            Error::Values(error)
        }
    }
}

/// A move that cannot be played, and the moves before it.
fn illegal(number: usize, text: &str, played: &[String], problem: &Message) -> Message {
    match played {
        [] => messages::move_first(number, text, problem.clone()),
        _ => messages::move_played(number, text, problem.clone(), played.join(" ")),
    }
}

/// More memory than is allowed, and the way out: more of it, if this machine has that much.
fn too_much(what: &Filling, needed: u128, allowed: u64, aside: u64, way_out: &WayOut) -> Message {
    let way_out = if can_be_given(needed.saturating_add(aside.into())) {
        way_out.or_more(aside)
    } else {
        way_out.alone()
    };
    let needed: Filling = if beyond_measure(needed) {
        messages::more_than("1 EiB").into()
    } else {
        bytes_up(needed).into()
    };
    messages::memory(what.clone(), needed, bytes_down(allowed.into()), way_out)
}

/// An error with everything that caused it.
fn with_causes(error: &dyn StdError) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        // Writing into a string does not fail.
        let _ = write!(text, ": {error}");
        cause = error.source();
    }
    text
}
