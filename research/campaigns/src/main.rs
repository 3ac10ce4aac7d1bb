//! Runs the campaigns against a program for some time, and prints what they counted. Exit code 1 when a
//! promise was broken.
//!
//! ```text
//! campaign PROGRAM [SECONDS | CASESx] [SEED] [NAME]...
//! ```
//!
//! `600` is a time for all of them, `10000x` a number of cases for each: the same seed and number are the
//! same cases, and another seed is another piece.

use std::error::Error;
use std::process::ExitCode;
use std::time::Instant;

use greenwave_campaigns::{
    Extent, Report, cones, crashes, damage, hostile, kills, memory, refusals, rules,
};
use greenwave_testkit::program::Program;

type Campaign = fn(&Program, Extent) -> Report;

/// The campaigns, with what share of the time each takes.
const CAMPAIGNS: [(&str, u64, Campaign); 9] = [
    ("rules", 4, |_, extent| rules::run(extent)),
    ("cones", 2, |_, extent| cones::run(extent)),
    ("crashes", 6, crashes::run),
    ("waves", 2, crashes::run_waves),
    ("damage", 3, damage::run),
    ("hostile", 3, hostile::run),
    ("refusals", 1, refusals::run),
    ("memory", 3, memory::run),
    ("kills", 4, kills::run),
];

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let path = args
        .next()
        .ok_or("campaign PROGRAM [SECONDS | CASESx] [SEED] [NAME]...")?;
    let path = std::fs::canonicalize(&path).map_err(|error| format!("{path}: {error}"))?;
    let far = args.next().unwrap_or_else(|| "600".into());
    let (number, are_cases) = match far.strip_suffix('x') {
        Some(cases) => (cases, true),
        None => (far.as_str(), false),
    };
    let number: u64 = number.parse().map_err(|error| format!("{far}: {error}"))?;
    let seed: u64 = args.next().map_or(Ok(1), |text| text.parse())?;
    let names: Vec<String> = args.collect();
    let chosen = |name: &str| names.is_empty() || names.iter().any(|asked| asked == name);
    let program = Program::at(path)?;
    let shares: u64 = CAMPAIGNS
        .iter()
        .filter(|(name, ..)| chosen(name))
        .map(|(_, share, _)| share)
        .sum();
    let mut sound = true;
    for (name, share, campaign) in CAMPAIGNS {
        if !chosen(name) {
            continue;
        }
        let begun = Instant::now();
        let extent = if are_cases {
            Extent::of_cases(seed, number)
        } else {
            Extent::of_seconds(seed, (number * share / shares).max(1))
        };
        let report = campaign(&program, extent);
        sound &= report.broken.is_empty();
        println!(
            "{name}, seed {seed}, {:.0} s",
            begun.elapsed().as_secs_f64()
        );
        print!("{report}");
    }
    Ok(if sound {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}
