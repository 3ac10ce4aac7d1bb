//! Why nothing is served.

/// Why nothing is served.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ServeError {
    /// The address cannot be listened on.
    #[error("cannot listen on {address}: {cause}{}", way_out(.cause))]
    Listen {
        /// The address.
        address: String,
        /// The answer of the system.
        cause: std::io::Error,
    },
    /// The access log cannot be written.
    #[error("cannot write the access log '{file}': {cause}; name a file that can be written")]
    Log {
        /// The file.
        file: String,
        /// The answer of the system.
        cause: std::io::Error,
    },
    /// The folder for readers without a network is none.
    #[error(
        "cannot read '{file}': {cause}; --offline takes the folder that 'just site' writes, target/explorer"
    )]
    Offline {
        /// The file that is missed.
        file: String,
        /// What the system answered.
        cause: std::io::Error,
    },
    /// The path of the base URL begins as paths of the server do.
    #[error(
        "cannot serve below '{base}': the server has '/{first}' of its own; let the path of --base-url begin \
         with another word, such as /greenwave"
    )]
    Base {
        /// The base URL.
        base: String,
        /// The first part of its path.
        first: String,
    },
    /// The system gives no threads.
    #[error("cannot start: {0}")]
    Start(std::io::Error),
}

fn way_out(cause: &std::io::Error) -> &'static str {
    use std::io::ErrorKind::{AddrInUse, AddrNotAvailable, PermissionDenied};
    const WAYS_OUT: [(std::io::ErrorKind, &str); 3] = [
        (
            AddrInUse,
            "; something else uses this port: name another with --port, or 0 for any that is free",
        ),
        (PermissionDenied, "; name a port from 1024 up with --port"),
        (
            AddrNotAvailable,
            "; name an address of this machine with --host",
        ),
    ];
    let known = WAYS_OUT.iter().find(|(kind, _)| *kind == cause.kind());
    // Most others come of a name that is no host's.
    known.map_or(
        "; name an address of this machine with --host, such as 127.0.0.1",
        |known| known.1,
    )
}
