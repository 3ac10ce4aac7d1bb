//! `greenwave`: solves the Traffic Lights family of board games and answers questions about any
//! position.

mod args;
mod commands;
mod files;
mod holdings;
mod library;
mod output;
mod progress;
mod session;

use std::process::ExitCode;

use clap::Parser;

use crate::args::Cli;
use crate::session::{Session, Verdict};

fn main() -> ExitCode {
    let cli = Cli::parse();
    let outcome =
        Session::new(&cli.global).and_then(|session| commands::run(&session, cli.command));
    match outcome {
        Ok(Verdict::Done) => ExitCode::SUCCESS,
        Ok(Verdict::No) => ExitCode::from(1),
        Ok(Verdict::SomeFailed) => ExitCode::from(2),
        Err(error) if closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) if interrupted(&error) => {
            anstream::eprintln!("greenwave: {error:#}");
            ExitCode::from(130)
        }
        Err(error) => {
            let style = anstyle::AnsiColor::Red.on_default().bold();
            anstream::eprintln!("{style}error:{style:#} {error:#}");
            ExitCode::from(2)
        }
    }
}

fn closed_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        cause
            .downcast_ref::<std::io::Error>()
            .is_some_and(|error| error.kind() == std::io::ErrorKind::BrokenPipe)
    })
}

fn interrupted(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        matches!(
            cause.downcast_ref::<greenwave_solver::SolveError>(),
            Some(greenwave_solver::SolveError::Interrupted)
        ) || matches!(
            cause.downcast_ref::<greenwave_judge::JudgeError>(),
            Some(
                greenwave_judge::JudgeError::Interrupted
                    | greenwave_judge::JudgeError::Solve(greenwave_solver::SolveError::Interrupted)
            )
        )
    })
}
