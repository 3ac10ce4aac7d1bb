//! Why a request is not answered.

use std::time::Duration;

use greenwave_game::Message;
use greenwave_judge::JudgeError;
use greenwave_judge::expr::FieldsError;
use greenwave_tablebase::{Error, ErrorKind, FaultKind};
use greenwave_words::{Language, UnknownLanguage};
use hyper::StatusCode;

use crate::messages;
use crate::params::LONGEST;

/// How far the work is that will answer a request, or answer it better.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
pub(crate) struct WorkProgress {
    /// The share that is done, from 0 to 1.
    pub(crate) share: f64,
    /// Seconds to go, roughly.
    pub(crate) seconds: u32,
}

/// Why a request is not answered: a status and a whole sentence.
#[derive(Clone, Debug)]
pub(crate) struct Problem {
    pub(crate) status: StatusCode,
    pub(crate) message: Message,
    /// What whoever runs the server reads instead: of the server's files, with the commands that mend them.
    pub(crate) for_operator: Option<String>,
    pub(crate) fault: FaultKind,
    // Seconds after which the same request may do better, where more is known than that it may.
    later: Option<u32>,
    /// How far the work is that will answer the same request.
    pub(crate) pending: Option<WorkProgress>,
    is_too_long: bool,
    is_of_memory: bool,
    /// Whether the work was stopped, for a reason that is not known yet.
    is_interruption: bool,
}

impl Problem {
    pub(crate) fn new(status: StatusCode, message: impl Into<Message>) -> Problem {
        let fault = match status {
            StatusCode::SERVICE_UNAVAILABLE
            | StatusCode::TOO_MANY_REQUESTS
            | StatusCode::PAYLOAD_TOO_LARGE
            | StatusCode::REQUEST_TIMEOUT => FaultKind::Limit,
            _ => FaultKind::Usage,
        };
        Problem {
            status,
            message: message.into(),
            for_operator: None,
            fault,
            later: None,
            pending: None,
            is_too_long: false,
            is_of_memory: false,
            is_interruption: false,
        }
    }

    /// Something that is being worked out.
    pub(crate) fn pending(message: impl Into<Message>, pending: WorkProgress) -> Problem {
        Problem {
            pending: Some(pending),
            ..Problem::later(message, pending.seconds)
        }
    }

    /// A page that may be ready in this number of seconds.
    fn later(message: impl Into<Message>, seconds: u32) -> Problem {
        Problem {
            later: Some(seconds.max(1)),
            ..Problem::new(StatusCode::SERVICE_UNAVAILABLE, message)
        }
    }

    /// More computing than one question may take.
    pub(crate) fn too_long(budget: Duration) -> Problem {
        Problem {
            is_too_long: true,
            ..Problem::new(
                StatusCode::SERVICE_UNAVAILABLE,
                messages::too_long(format!("{budget:?}")),
            )
        }
    }

    /// Whether it takes more computing than one question may.
    pub(crate) fn is_too_long(&self) -> bool {
        self.is_too_long
    }

    /// Whether there is too little memory.
    pub(crate) fn is_of_memory(&self) -> bool {
        self.is_of_memory
    }

    /// Seconds after which what is requested should be there, where it is being worked out.
    pub(crate) fn comes_in(&self) -> Option<u32> {
        self.later
    }

    /// The same, or seconds after which a server that is busy may answer; `None` where the request takes too long.
    pub(crate) fn comes_soon(&self) -> Option<u32> {
        let soon = || self.retry_after().filter(|_| !self.is_too_long);
        self.comes_in().or_else(soon)
    }

    /// Too many files are open.
    pub(crate) fn out_of_files() -> Problem {
        Problem::later(messages::files_open(), 2)
    }

    /// A request longer than any that is read.
    pub(crate) fn too_large(bytes: u64) -> Problem {
        Problem::new(
            StatusCode::PAYLOAD_TOO_LARGE,
            messages::request_long(bytes, LONGEST),
        )
    }

    /// Cancelled work.
    fn interruption() -> Problem {
        Problem {
            is_interruption: true,
            ..Problem::new(StatusCode::SERVICE_UNAVAILABLE, "interrupted")
        }
    }

    /// Whether the work was stopped.
    pub(crate) fn is_interruption(&self) -> bool {
        self.is_interruption
    }

    /// A question that cannot be answered as it was put.
    pub(crate) fn input(message: impl Into<Message>) -> Problem {
        Problem::new(StatusCode::BAD_REQUEST, message)
    }

    /// A parameter with a wrong value.
    pub(crate) fn wrong(name: &str, problem: impl Into<Message>) -> Problem {
        Problem::input(Message::labelled(name, problem.into()))
    }

    /// A text of which no sense can be made.
    pub(crate) fn text(message: impl Into<Message>) -> Problem {
        Problem {
            fault: FaultKind::Text,
            ..Problem::input(message)
        }
    }

    /// Nothing of that name.
    pub(crate) fn not_found(message: impl Into<Message>) -> Problem {
        Problem::new(StatusCode::NOT_FOUND, message)
    }

    /// The same where the answer is that there is none: nothing failed.
    pub(crate) fn into_answer(self) -> Problem {
        Problem {
            status: StatusCode::OK,
            ..self
        }
    }

    /// Seconds after which the same request may do better.
    pub(crate) fn retry_after(&self) -> Option<u32> {
        matches!(
            self.status,
            StatusCode::SERVICE_UNAVAILABLE | StatusCode::TOO_MANY_REQUESTS
        )
        .then_some(self.later.unwrap_or(2))
    }
}

impl From<Error> for Problem {
    fn from(error: Error) -> Problem {
        let status = match (&error, error.kind()) {
            (_, ErrorKind::Interrupted) => {
                return Problem::interruption();
            }
            _ if error.is_out_of_files() => return Problem::out_of_files(),
            (Error::Busy { .. }, _) => StatusCode::SERVICE_UNAVAILABLE,
            (_, ErrorKind::NotFound) => StatusCode::NOT_FOUND,
            (_, ErrorKind::Input) => StatusCode::BAD_REQUEST,
            (_, ErrorKind::Memory) => StatusCode::PAYLOAD_TOO_LARGE,
            (_, ErrorKind::Damaged | ErrorKind::System) => StatusCode::INTERNAL_SERVER_ERROR,
        };
        let fault = error.fault();
        let is_of_memory = error.kind() == ErrorKind::Memory;
        let for_operator = (fault == FaultKind::File).then(|| error.message().english().into());
        let error = error.seen_from_afar();
        Problem {
            is_of_memory,
            for_operator,
            fault,
            ..Problem::new(status, for_client(&error))
        }
    }
}

/// What an error says to a client, who cannot give the server more memory.
fn for_client(error: &Error) -> Message {
    if let Error::Within { what, error } = error {
        return Message::labelled(what.clone(), for_client(error));
    }
    let message = error.message();
    let place = |name| message.filling(name).cloned();
    match (place("what"), place("needed"), place("allowed")) {
        (Some(what), Some(needed), Some(allowed)) if message.key() == Some("memory") => {
            messages::memory_here(what, needed, allowed)
        }
        _ => message,
    }
}

impl From<UnknownLanguage> for Problem {
    fn from(error: UnknownLanguage) -> Problem {
        let codes = Language::ALL.map(Language::code).join(", ");
        Problem::wrong("lang", messages::found_word(&error.found, codes))
    }
}

impl From<FieldsError> for Problem {
    fn from(error: FieldsError) -> Problem {
        Problem::text(match &error {
            FieldsError::Expression(error) => error.message(),
            FieldsError::Field(..) => error.to_string().into(),
        })
    }
}

impl From<JudgeError> for Problem {
    fn from(error: JudgeError) -> Problem {
        if let JudgeError::Interrupted = error {
            Problem::interruption()
        } else if let JudgeError::Values(error) = error {
            error.into()
        } else if let JudgeError::Variant(error) = error {
            Error::from(error).into()
        } else if let JudgeError::Setup(error) = error {
            Error::from(error).into()
        } else if let JudgeError::Solve(error) = error {
            Error::from(error).into()
        } else if let JudgeError::Numbered(error) = error {
            Error::from(error).into()
        } else if let JudgeError::Output(_) = error {
            Problem::new(StatusCode::INTERNAL_SERVER_ERROR, error.to_string())
        } else {
            Problem {
                fault: error.fault(),
                ..Problem::input(error.message())
            }
        }
    }
}
