//! The program `greenwave-cluster`: large boards on several machines.

mod args;
mod plan;
mod progress;
mod solve;
#[cfg(feature = "mpi")]
mod world;

use std::process::ExitCode;

use anyhow::Result;
use clap::error::ErrorKind;

/// How a command ends that has no error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
    Done,
    /// The honest answer is no.
    No,
}

fn main() -> ExitCode {
    #[cfg(feature = "mpi")]
    return world::run();
    #[cfg(not(feature = "mpi"))]
    ended(alone(), true)
}

// The whole program in one process.
#[cfg(not(feature = "mpi"))]
fn alone() -> Result<Verdict> {
    let args = <args::Args as clap::Parser>::try_parse()?;
    match &args.command {
        args::Command::Plan(plan) => plan::run(plan),
        args::Command::Solve(solve) => solve::on_threads(solve),
    }
}

// Tells of an error where that is this process's part.
fn ended(result: Result<Verdict>, tells: bool) -> ExitCode {
    match result {
        Ok(Verdict::Done) => ExitCode::SUCCESS,
        Ok(Verdict::No) => ExitCode::from(1),
        Err(error) => match error.downcast_ref::<clap::Error>() {
            Some(error) => {
                let shown = matches!(
                    error.kind(),
                    ErrorKind::DisplayHelp | ErrorKind::DisplayVersion
                );
                if tells {
                    // A closed pipe has nobody to be told.
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

// Prints a line of results; a closed pipe ends quietly.
fn print(text: &str) -> Result<()> {
    use std::io::{ErrorKind::BrokenPipe, Write};
    match writeln!(std::io::stdout().lock(), "{}", text.trim_end()) {
        Err(error) if error.kind() != BrokenPipe => Err(error.into()),
        _ => Ok(()),
    }
}
