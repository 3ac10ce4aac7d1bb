//! How a command ends, and what it prints.

use std::process::ExitCode;

use anyhow::Result;
use clap::error::ErrorKind;

/// How a command ends that has no error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Completion {
    Done,
    /// The honest answer is no.
    No,
}

/// Tells of an error where that is this process's part.
pub(crate) fn ended(result: Result<Completion>, tells: bool) -> ExitCode {
    match result {
        Ok(Completion::Done) => ExitCode::SUCCESS,
        Ok(Completion::No) => ExitCode::from(1),
        Err(error) => match error.downcast_ref::<clap::Error>() {
            Some(error) => {
                let shown = matches!(
                    error.kind(),
                    ErrorKind::DisplayHelp | ErrorKind::DisplayVersion
                );
                if tells {
                    // Nobody reads the error after the pipe is closed.
                    let _ = error.print();
                }
                ExitCode::from(if shown { 0 } else { 2 })
            }
            None => {
                if tells {
                    eprintln!("error: {error:#}");
                }
                ExitCode::from(2)
            }
        },
    }
}

/// Prints a line of results; a closed pipe ends quietly.
pub(crate) fn print(text: &str) -> Result<()> {
    use std::io::{ErrorKind::BrokenPipe, Write};
    match writeln!(std::io::stdout().lock(), "{}", text.trim_end()) {
        Err(error) if error.kind() != BrokenPipe => Err(error.into()),
        _ => Ok(()),
    }
}
