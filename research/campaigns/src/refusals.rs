//! Memory that the machine refuses: each large piece that a command asks for, once. A refusal gives
//! an error like any other, or the command gets by without the memory. Nothing is left behind, or
//! the same command then ends well.
//!
//! A piece is large from `LEAST` on. Pieces of the same size for every game are smaller than that,
//! except those of `FIXED`. There the process may end with the line of the runtime, and exit code
//! 2.

use std::fs;

use greenwave_testkit::program::{Limit, Program, ProgramRun};

use crate::{Extent, Report};

/// Bytes from which a piece of memory counts.
const LEAST: u64 = 100_000;

/// What a thread counts values in, and the draws from a bag.
const FIXED: [&str; 2] = [
    "memory allocation of 524288 bytes failed",
    "memory allocation of 116752 bytes failed",
];

/// Commands of each engine, and of what works on many positions.
const COMMANDS: &[&[&str]] = &[
    &["solve", "classic-3x3", "--metric", "value"],
    &["solve", "classic-3x3"],
    &["solve", "points-3x3"],
    &["solve", "noughts-3x3"],
    &["solve", "ampel-5-2-2", "--no-table"],
    &["solve", "bag-classic-1x3", "--no-table"],
    &["stats", "classic-2x5"],
    &["find", "classic-2x5", "reachable and ply = 3", "--count"],
    &["puzzle", "classic-2x5"],
    &["compare", "classic-2x4", "points-2x4"],
    &["compare", "classic-1x3", "bag-classic-1x3"],
    &["certify", "classic-3x3"],
    &["strategy", "classic-3x3"],
    &["book", "classic-2x5"],
    &["line", "points-2x5"],
    &["check", "classic-2x5 some: distance = 8 and only_move"],
    &["perft", "classic-3x3", "--depth", "4"],
    &["sum", "classic-2x4=..../....", "classic-2x4=R.../...."],
    &["query", "bag-classic-2x3", "--budget", "2000"],
    &["query", "ampel-5-2-2"],
];

/// Runs the campaign in random order; all pieces come to some hundreds, and `cases` or the time may end
/// it before.
///
/// # Panics
/// When there is no temporary folder, or an undisturbed command fails.
#[must_use]
pub fn run(program: &Program, extent: Extent) -> Report {
    let mut report = Report::default();
    let mut points = Vec::new();
    for args in COMMANDS {
        let asked = asked(program, args, 0).unwrap_or_else(|error| panic!("{args:?}: {error}"));
        assert_eq!(asked.code, Some(0), "{args:?}: {asked:?}");
        points.extend((1..=asked.pieces).map(|piece| (*args, piece)));
    }
    report.add("pieces in all", points.len() as u64);
    let mut seeded = extent.seeded(0);
    for last in (1..points.len()).rev() {
        points.swap(last, seeded.below(last as u64 + 1) as usize);
    }
    for case in extent.cases() {
        let Some((args, piece)) = points.get(case as usize).copied() else {
            break;
        };
        report.case(&format!("{args:?}, piece {piece} refused"), |report| {
            let ran = asked(program, args, piece)?;
            report.count("pieces refused");
            if ran.code == Some(2) && FIXED.iter().any(|line| ran.stderr.contains(line)) {
                report.count("pieces of a fixed size refused");
                return Ok(());
            }
            ran.is_orderly()?;
            match ran.code {
                Some(0) => report.count("refusals got over"),
                _ if ran.stderr.contains("memory") => report.count("refusals told with exit 2"),
                _ => return Err(format!("tells of something else: {ran:?}")),
            }
            Ok(())
        });
    }
    report
}

// Runs a command in an empty folder. Of what fails, nothing but a death by the runtime's line may leave files
// there; the same command has to end well with them, and without them it would run as it does undisturbed.
fn asked(program: &Program, args: &[&str], refused: u64) -> Result<ProgramRun, String> {
    let failed = |error: std::io::Error| error.to_string();
    let folder = tempfile::tempdir().map_err(failed)?;
    let limit = Limit {
        refused,
        least: LEAST,
        ..Limit::default()
    };
    let ran = program.run_with(folder.path(), args, "", limit);
    let files = fs::read_dir(folder.path()).map_err(failed)?.count();
    if ran.code != Some(0) && files > 0 {
        if ran.stderr.contains("error: ") {
            return Err(format!("leaves files behind: {ran:?}"));
        }
        let again = program.run(folder.path(), args);
        if again.code != Some(0) {
            return Err(format!("the next run fails: {again:?}, after {ran:?}"));
        }
    }
    Ok(ran)
}
