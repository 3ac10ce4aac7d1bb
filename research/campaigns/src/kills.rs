//! Solves that take long, killed at random moments and started again, until they are done: the signature
//! is that of a solve that nobody disturbed.

use std::fs;
use std::path::Path;

use greenwave_testkit::program::{Limit, Program};

use crate::{Extent, Report};

/// How many times as fast the clock runs, so that a checkpoint comes every half second.
const CLOCK: u32 = 60;

/// At a low priority beside other work a long solve takes many times as long as alone.
const PATIENT: Limit = Limit {
    patience: 8,
    fault: None,
    clock: 0,
    killed_after: 0,
    refused: 0,
    least: 0,
};

/// A solve, and the time between its kills in milliseconds.
#[derive(Clone, Copy, Debug)]
pub struct Victim {
    /// The arguments after `solve`.
    pub args: &'static [&'static str],
    /// At most this many milliseconds from start to kill.
    pub most: u64,
}

/// Solves of many seconds on one thread, by each engine that takes so long, the longest first.
pub const LONG: &[Victim] = &[
    Victim {
        args: &["ampel-5-3-3"],
        most: 8_000,
    },
    Victim {
        args: &["bag-classic-3x3"],
        most: 8_000,
    },
    Victim {
        args: &["slider"],
        most: 6_000,
    },
    Victim {
        args: &["noughts-4x4"],
        most: 8_000,
    },
    Victim {
        args: &["classic-4x4", "--kernel", "portable"],
        most: 8_000,
    },
];

/// Solves of a second or so.
pub const SHORT: &[Victim] = &[
    Victim {
        args: &["classic-3x4", "--kernel", "portable"],
        most: 200,
    },
    Victim {
        args: &["bag-classic-2x3"],
        most: 300,
    },
];

/// Runs the campaign over the long solves.
#[must_use]
pub fn run(program: &Program, extent: Extent) -> Report {
    run_on(program, extent, LONG)
}

/// Runs the campaign over some solves in turn; a case is a kill.
///
/// # Panics
/// When there is no temporary folder.
#[must_use]
pub fn run_on(program: &Program, extent: Extent, victims: &[Victim]) -> Report {
    let mut report = Report::default();
    let mut cases = extent.cases().peekable();
    let mut number = 0;
    while cases.peek().is_some() {
        let victim = victims[number % victims.len()];
        number += 1;
        let folder = tempfile::tempdir().unwrap_or_else(|error| panic!("{error}"));
        let name = victim.args.join(" ");
        report.case(
            &format!("{name}, seed {}, solve {number}", extent.seed),
            |report| killed(program, victim, folder.path(), &extent, &mut cases, report),
        );
    }
    report
}

fn killed(
    program: &Program,
    victim: Victim,
    folder: &Path,
    extent: &Extent,
    cases: &mut impl Iterator<Item = u64>,
    report: &mut Report,
) -> Result<(), String> {
    let mut args = vec!["solve"];
    args.extend(victim.args);
    args.push("--json");
    let undisturbed = tempfile::tempdir().map_err(|error| error.to_string())?;
    let expected = program.run_with(undisturbed.path(), &args, "", PATIENT);
    expected.is_orderly()?;
    let signature = signature(&expected.stdout).ok_or_else(|| format!("{expected:?}"))?;
    let mut least = 0;
    for case in cases {
        let mut seeded = extent.seeded(case);
        let ran = program.run_with(
            folder,
            &args,
            "",
            Limit {
                clock: CLOCK,
                // Later and later, so that what cannot resume from a checkpoint comes to an end as well.
                killed_after: 20 + least + seeded.below(victim.most),
                ..Limit::default()
            },
        );
        if ran.code.is_some() {
            ran.is_orderly()?;
            if ran.code != Some(0) {
                return Err(format!("{ran:?}"));
            }
            report.count("kills that came too late");
            return done(&ran.stdout, &signature, folder, report);
        }
        report.count("kills");
        report.count(&format!("kills of {}", victim.args[0]));
        if folder_has_state(folder) {
            report.count("kills with a checkpoint");
        }
        least += victim.most / 20;
    }
    let last = program.run_with(folder, &args, "", PATIENT);
    last.is_orderly()?;
    done(&last.stdout, &signature, folder, report)
}

fn done(document: &str, expected: &str, folder: &Path, report: &mut Report) -> Result<(), String> {
    report.count("solves that came to an end");
    if signature(document).as_deref() != Some(expected) {
        return Err(format!(
            "found {document}, expected the signature {expected}"
        ));
    }
    let left: Vec<_> = fs::read_dir(folder)
        .into_iter()
        .flatten()
        .flatten()
        .flat_map(|entry| fs::read_dir(entry.path()))
        .flatten()
        .flatten()
        .map(|entry| entry.file_name())
        .collect();
    match left.len() {
        1 => Ok(()),
        _ => Err(format!("left behind: {left:?}")),
    }
}

fn signature(document: &str) -> Option<String> {
    let (_, rest) = document.split_once("\"signature\":\"")?;
    Some(rest.split_once('"')?.0.to_string())
}

fn folder_has_state(folder: &Path) -> bool {
    let tables = fs::read_dir(folder).into_iter().flatten().flatten();
    let entries = tables
        .flat_map(|entry| fs::read_dir(entry.path()))
        .flatten();
    entries
        .flatten()
        .any(|entry| entry.path().join("state").exists())
}
