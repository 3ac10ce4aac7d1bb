//! How a command ends, and what it prints.

use std::process::ExitCode;

use anyhow::Result;
use clap::error::ErrorKind;
use greenwave_sweep::SolveError;
use greenwave_tablebase::{Error, FaultKind, Refusal, fault_of_solve};

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
                let text = error.render().to_string();
                let text = text.trim().trim_start_matches("error: ");
                if tells && (shown || !refused(text, FaultKind::Usage)) {
                    // Nobody reads the error after the pipe is closed.
                    let _ = error.print();
                }
                ExitCode::from(if shown { 0 } else { 2 })
            }
            None => {
                let (text, fault) = (format!("{error:#}"), fault(&error));
                if tells && !refused(&text, fault) {
                    eprintln!("error: {text}");
                }
                ExitCode::from(if fault == FaultKind::Interrupted {
                    130
                } else {
                    2
                })
            }
        },
    }
}

/// Prints an error as a document where documents are requested.
fn refused(error: &str, fault: FaultKind) -> bool {
    let mut typed = std::env::args_os().take_while(|typed| typed != "--");
    let document = serde_json::to_string(&Refusal::new(error, fault));
    let document = document
        .ok()
        .filter(|_| typed.any(|typed| typed == "--json"));
    if let Some(document) = &document {
        eprintln!("{document}");
    }
    document.is_some()
}

fn fault(error: &anyhow::Error) -> FaultKind {
    let of = |cause: &(dyn std::error::Error + 'static)| {
        let own = cause.downcast_ref::<Error>().map(Error::fault);
        own.or_else(|| cause.downcast_ref::<SolveError>().map(fault_of_solve))
    };
    error.chain().find_map(of).unwrap_or(FaultKind::Usage)
}

/// Prints a line of results; a closed pipe ends quietly.
pub(crate) fn print(text: &str) -> Result<()> {
    use std::io::{ErrorKind::BrokenPipe, Write};
    match writeln!(std::io::stdout().lock(), "{}", text.trim_end()) {
        Err(error) if error.kind() != BrokenPipe => Err(error.into()),
        _ => Ok(()),
    }
}
