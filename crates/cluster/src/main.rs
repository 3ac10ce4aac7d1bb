//! The program `greenwave-cluster`: large boards by several ranks.

mod args;
mod plan;
mod progress;
mod solve;

use std::process::ExitCode;

use anyhow::Result;
use clap::Parser;
use clap::error::ErrorKind;

use args::{Args, Command};

/// How a command ends that has no error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
    Done,
    /// The honest answer is no.
    No,
}

fn main() -> ExitCode {
    ended(alone())
}

fn alone() -> Result<Verdict> {
    let args = Args::try_parse()?;
    match &args.command {
        Command::Plan(plan) => plan::run(plan),
        Command::Solve(solve) => solve::on_threads(solve),
    }
}

// Tells of an error.
fn ended(result: Result<Verdict>) -> ExitCode {
    match result {
        Ok(Verdict::Done) => ExitCode::SUCCESS,
        Ok(Verdict::No) => ExitCode::from(1),
        Err(error) => match error.downcast_ref::<clap::Error>() {
            Some(error) => {
                let shown = matches!(
                    error.kind(),
                    ErrorKind::DisplayHelp | ErrorKind::DisplayVersion
                );
                // A closed pipe has nobody to be told.
                let _ = error.print();
                ExitCode::from(if shown { 0 } else { 2 })
            }
            None => {
                eprintln!("error: {error:#}");
                ExitCode::from(2)
            }
        },
    }
}

// Prints a line of results; a closed pipe ends quietly.
fn print(text: &str) -> Result<()> {
    use std::io::{ErrorKind::BrokenPipe, Write};
    match writeln!(std::io::stdout().lock(), "{}", text.trim_end()) {
        Err(error) if error.kind() != BrokenPipe => Err(error.into()),
        _ => Ok(()),
    }
}
