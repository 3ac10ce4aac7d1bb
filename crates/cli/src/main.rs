//! `greenwave`: solves the Traffic Lights family of board games and answers questions about any
//! position. This is the program; everything that it does can be had from its libraries.
//!
//! Where to begin, and a program to copy:
//!
//! - The best move, and the value of every move:
//!   [`Tablebase::query`](greenwave_tablebase::Tablebase::query), `examples/best_move.rs`.
//!
//! - A game of your own, or a changed rule: [`RuleFile`](greenwave_game::RuleFile) and
//!   [`Variant::parse`](greenwave_game::Variant::parse), `examples/change_a_rule.rs`.
//!
//! - A game played, reviewed, or made into puzzles: [`Record`](greenwave_play::Record),
//!   [`review`](greenwave_play::review()) and [`puzzles`](greenwave_play::puzzles),
//!   `examples/where_it_was_lost.rs`.
//!
//! - Positions counted and found, claims settled: [`Finding`](greenwave_judge::documents::Finding) and
//!   [`claims`](greenwave_judge::claims), `examples/how_many.rs`.
//!
//! - A whole game solved, its table kept and read: [`Task`](greenwave_solver::Task) and
//!   [`Table`](greenwave_table::Table), `crates/solver/examples/solve.rs`.
//!
//! `greenwave_tablebase` is the crate to depend on for the first of these. Answers are documents: the
//! types in [`greenwave_tablebase`], [`greenwave_judge::documents`] and [`greenwave_play`] are what
//! `--json` prints, what the server sends and what the Python package returns, and `schemas/` describes
//! them. `docs/architecture.md` says what each crate may know.

#![forbid(unsafe_code)]

#[cfg(feature = "serve")]
mod allocator;
mod args;
mod commands;
mod complete;
mod entry;
mod lines;
mod output;
mod progress;
mod report;
mod session;
mod signals;

use std::process::ExitCode;

use greenwave_tablebase::FaultKind;

use crate::session::{CommandVerdict, Session};

/// The default memory of `serve`, in bytes.
#[cfg(feature = "serve")]
const SERVED: u64 = 1 << 30;

/// Bytes of stack for the command, however small that of the process is.
const STACK: usize = 16 << 20;

fn main() -> ExitCode {
    signals::expect_limits();
    let command = std::thread::Builder::new()
        .name("command".into())
        .stack_size(STACK)
        .spawn(run);
    match command.map(std::thread::JoinHandle::join) {
        Ok(Ok(code)) => code,
        Ok(Err(panic)) => std::panic::resume_unwind(panic),
        Err(error) => {
            output::complain(&format!("error: cannot start a thread: {error}"));
            ExitCode::from(2)
        }
    }
}

fn run() -> ExitCode {
    complete::answer_the_shell(args::command);
    output::choose_colours(output::Color::Auto);
    #[cfg_attr(not(feature = "serve"), expect(unused_mut))]
    let mut cli = args::parse();
    #[cfg(feature = "serve")]
    if let Some(args::Command::Serve(_)) = cli.command {
        allocator::give_back();
        // A server runs long, so it takes less than a command that ends.
        let half = greenwave_tablebase::machine_memory().map_or(u64::MAX, |all| all / 2);
        cli.global.memory.get_or_insert(half.min(SERVED));
    }
    let json = cli.global.json;
    let uses_settings = cli.uses_settings();
    let outcome = match cli.command {
        Some(command) => Session::new(&cli.global, uses_settings).and_then(|session| {
            let done = commands::run(&session, command)?;
            if let Some(report) = &done.report {
                session.print(&**report)?;
            }
            Ok(done.verdict)
        }),
        None => output::print(entry::WELCOME).map(|()| CommandVerdict::Done),
    };
    match outcome {
        Ok(CommandVerdict::Done) => ExitCode::SUCCESS,
        Ok(CommandVerdict::No) => ExitCode::from(1),
        Ok(CommandVerdict::SomeFailed) => ExitCode::from(2),
        Ok(CommandVerdict::Interrupted) => ExitCode::from(130),
        Err(error) if output::closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            let is_over = interrupted(&error);
            let text = output::shortened(&format!("{error:#}"));
            let style = anstyle::AnsiColor::Red.on_default().bold();
            match (json, is_over) {
                (true, _) => output::refuse(&text, fault_of(&error)),
                (false, true) => output::complain(&format!("greenwave: {text}")),
                (false, false) => output::complain(&format!("{style}error:{style:#} {text}")),
            }
            ExitCode::from(if is_over { 130 } else { 2 })
        }
    }
}

/// The kind of fault of an error.
fn fault_of(error: &anyhow::Error) -> FaultKind {
    if interrupted(error) {
        return FaultKind::Interrupted;
    }
    let known = error.chain().find_map(|cause| {
        if let Some(error) = cause.downcast_ref::<greenwave_tablebase::Error>() {
            return Some(error.fault());
        }
        if let Some(error) = cause.downcast_ref::<greenwave_judge::JudgeError>() {
            return Some(error.fault());
        }
        if let Some(error) = cause.downcast_ref::<greenwave_solver::SolveError>() {
            return Some(greenwave_tablebase::fault_of_solve(error));
        }
        let is_file = cause.is::<greenwave_table::TableError>()
            || cause.is::<greenwave_tablebase::NoText>()
            || cause.is::<std::io::Error>();
        if is_file {
            return Some(FaultKind::File);
        }
        let is_text = cause.is::<greenwave_game::SetupError>()
            || cause.is::<greenwave_game::MoveError>()
            || cause.is::<greenwave_judge::expr::FieldsError>();
        is_text.then_some(FaultKind::Text)
    });
    known.unwrap_or(FaultKind::Usage)
}

fn interrupted(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        matches!(
            cause
                .downcast_ref::<greenwave_tablebase::Error>()
                .map(greenwave_tablebase::Error::kind),
            Some(greenwave_tablebase::ErrorKind::Interrupted)
        ) || matches!(
            cause.downcast_ref::<greenwave_solver::SolveError>(),
            Some(
                greenwave_solver::SolveError::Interrupted
                    | greenwave_solver::SolveError::Paused { .. }
            )
        ) || matches!(
            cause.downcast_ref::<greenwave_judge::JudgeError>(),
            Some(greenwave_judge::JudgeError::Interrupted)
        )
    })
}
