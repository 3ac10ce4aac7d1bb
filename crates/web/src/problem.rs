//! Why a request is not answered.

use greenwave_tablebase::{Error, ErrorKind};
use hyper::StatusCode;

/// Why a request is not answered: a status and a whole sentence.
#[derive(Clone, Debug)]
pub(crate) struct Problem {
    pub(crate) status: StatusCode,
    pub(crate) message: String,
}

impl Problem {
    pub(crate) fn new(status: StatusCode, message: impl Into<String>) -> Problem {
        Problem {
            status,
            message: message.into(),
        }
    }

    /// A question that cannot be answered as it was put.
    pub(crate) fn input(message: impl Into<String>) -> Problem {
        Problem::new(StatusCode::BAD_REQUEST, message)
    }

    /// Nothing of that name.
    pub(crate) fn not_found(message: impl Into<String>) -> Problem {
        Problem::new(StatusCode::NOT_FOUND, message)
    }

    /// Seconds after which the same request may do better.
    pub(crate) fn retry_after(&self) -> Option<u32> {
        matches!(
            self.status,
            StatusCode::SERVICE_UNAVAILABLE | StatusCode::TOO_MANY_REQUESTS
        )
        .then_some(2)
    }
}

impl From<Error> for Problem {
    fn from(error: Error) -> Problem {
        let status = match (&error, error.kind()) {
            (Error::Busy { .. }, _) | (_, ErrorKind::Interrupted) => {
                StatusCode::SERVICE_UNAVAILABLE
            }
            (_, ErrorKind::NotFound) => StatusCode::NOT_FOUND,
            (_, ErrorKind::Input | ErrorKind::Memory) => StatusCode::BAD_REQUEST,
            (_, ErrorKind::Damaged | ErrorKind::System) => StatusCode::INTERNAL_SERVER_ERROR,
        };
        Problem::new(status, error.to_string())
    }
}
