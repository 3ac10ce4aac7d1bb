//! One file per command.

mod batch;
mod bench;
mod book;
mod certify;
mod check;
mod cite;
mod compare;
mod compare_report;
mod design;
mod design_report;
mod draw;
mod drill;
mod find;
mod help;
mod info;
mod line;
mod manual;
mod pasted;
mod perft;
mod play;
mod puzzle;
mod query;
mod question;
mod review;
mod rules;
mod season;
#[cfg(feature = "serve")]
mod serve;
mod sheet;
mod simulate;
mod solve;
mod stats;
mod strategy;
mod sum;
#[cfg(test)]
mod tests;
mod variants;
mod verify;

use anyhow::Result;

use crate::args::Command;
use crate::report::CommandReport;
use crate::session::Session;

/// Runs a command.
pub(crate) fn run(session: &Session, command: Command) -> Result<CommandReport> {
    if session.json
        && let Some(printed) = printed_instead(&command)
    {
        session.remark(&format!(
            "--json: the command prints {printed}, and no document; leave it out"
        ));
    }
    if session.language_typed && !speaks(&command) {
        session.remark("--lang: the command speaks English alone; leave it out");
    }
    let unchanged = session.lights().and_then(|_| unchanged_by_lights(&command));
    let report = report_of(session, command)?;
    if let Some(printed) = unchanged {
        session.remark(&format!(
            "--lights: the command prints {printed}, the same in every order; leave it out"
        ));
    }
    Ok(report)
}

fn report_of(session: &Session, command: Command) -> Result<CommandReport> {
    let verdict = match command {
        Command::Variants => return variants::run(session),
        Command::Rules(args) => return rules::run(session, &args.variant),
        Command::Info(args) => return info::run(session, &args.table),
        Command::Solve(args) => solve::run(session, &args),
        Command::Query(args) => return query::run(session, &args),
        Command::Line(args) => return line::run(session, &args),
        Command::Stats(args) => return stats::run(session, &args),
        Command::Find(args) => find::run(session, &args),
        Command::Check(args) => check::run(session, &args),
        Command::Certify(args) => return certify::run(session, &args),
        Command::Compare(args) => compare::run(session, &args),
        Command::Design(args) => design::run(session, &args),
        Command::Verify(args) => verify::run(session, &args),
        Command::Perft(args) => return perft::run(session, &args),
        Command::Strategy(args) => strategy::run(session, &args),
        Command::Sum(args) => sum::run(session, &args),
        Command::Simulate(args) => return simulate::run(session, &args),
        Command::Bench(args) => return bench::run(session, &args),
        Command::Draw(args) => draw::run(session, &args),
        #[cfg(feature = "serve")]
        Command::Serve(args) => serve::run(session, &args),
        Command::Play(args) => play::command::run(session, &args),
        Command::Review(args) => return review::run(session, &args),
        Command::Book(args) => book::run(session, &args),
        Command::Puzzle(args) => puzzle::run(session, &args),
        Command::Sheet(args) => sheet::run(session, &args),
        Command::Cite(args) => return cite::run(session, &args),
        Command::Completions(args) => manual::completions(args.shell),
        Command::Help(args) => help::run(args.topic.as_deref()),
        Command::Man(args) => manual::pages(args.out_dir.as_deref()),
    };
    verdict.map(CommandReport::from)
}

/// Whether a command has texts in the language of `--lang`.
fn speaks(command: &Command) -> bool {
    #[cfg(feature = "serve")]
    if matches!(command, Command::Serve(_)) {
        // It says itself what the option does there.
        return true;
    }
    matches!(
        command,
        Command::Rules(_)
            | Command::Query(_)
            | Command::Draw(_)
            | Command::Strategy(_)
            | Command::Play(_)
            | Command::Review(_)
            | Command::Book(_)
            | Command::Puzzle(_)
            | Command::Sheet(_)
    )
}

/// What a command prints that is the same in every order of the lights.
fn unchanged_by_lights(command: &Command) -> Option<&'static str> {
    if matches!(command, Command::Info(_)) {
        Some("the content of a table")
    } else if matches!(command, Command::Bench(_) | Command::Simulate(_)) {
        Some("figures")
    } else if matches!(command, Command::Variants) {
        Some("names and figures")
    } else if matches!(command, Command::Cite(_)) {
        Some("a citation")
    } else {
        printed_instead(command).filter(|_| !matches!(command, Command::Draw(_)))
    }
}

/// What a command prints that has no documents.
fn printed_instead(command: &Command) -> Option<&'static str> {
    if matches!(command, Command::Draw(_)) {
        Some("a picture")
    } else if matches!(command, Command::Completions(_)) {
        Some("a script")
    } else {
        matches!(command, Command::Help(_) | Command::Man(_)).then_some("a page")
    }
}
