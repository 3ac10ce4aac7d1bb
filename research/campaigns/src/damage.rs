//! Damaged and forged files. Tables: bytes changed, cut off or put in, with and without checksums
//! that agree. Also whole tables by a forger who knows the format, with false values or a false
//! summary and everything else correct. Each is refused or read, and one that `verify` calls right
//! holds the true values and says nothing untrue. Checkpoints: damaged ones are refused with the
//! way out, or the solve ends with the right values.

use std::fs;
use std::path::Path;

use greenwave_game::{Dense, Metric, RuleFile, Variant, with_game};
use greenwave_probe::{VerifyResult, answer, verify, verify_odds};
use greenwave_solver::{Product, Task, sweep::Kernel};
use greenwave_table::{Hash32, HistogramEntry, Leaf, LongestPlay, Meta, Odds, Outcome, Table};
use greenwave_testkit::program::{Limit, Program};
use greenwave_testkit::{SeededNumbers, forge_state, promises};
use greenwave_values::{OddsTable, Silent, TableValues, Values};

use crate::{Extent, Report, crashes};

/// The memory that the runs are allowed.
const MEMORY: u64 = 64 << 20;

const STRIP: &str = "patterns = ['33', '13']\n[board]\nsize = '2x2'\nline-length = 2\n[strip]\n";

/// A small table that is right, and what is in it.
struct Sound {
    variant: Variant,
    bytes: Vec<u8>,
    meta: Meta,
    values: Values,
}

/// Runs the campaign: most tables within this process, every eighth through the program, and one
/// checkpoint for forty tables.
///
/// # Panics
/// When a sound table cannot be made.
#[must_use]
pub fn run(program: &Program, extent: Extent) -> Report {
    let folder = tempfile::tempdir().unwrap_or_else(|error| panic!("{error}"));
    let specimens = specimens(folder.path()).unwrap_or_else(|error| panic!("{error}"));
    let mut report = Report::default();
    let mut checkpoints =
        crashes::Checkpoints::in_folder(program, folder.path().join("checkpoints"));
    for case in extent.cases() {
        let mut seeded = extent.seeded(case);
        let name = |what: &str| format!("case {case} of seed {}: {what}", extent.seed);
        if case % 40 == 39
            && let Some(known) = checkpoints.drawn(&mut seeded)
        {
            let place = folder.path().join("place");
            let what = name(&format!("a checkpoint of {}", known.engine()));
            report.case(&what, |report| {
                damaged_checkpoint(program, known, &place, &mut seeded, report)
            });
            continue;
        }
        let specimen = &specimens[seeded.below(specimens.len() as u64) as usize];
        let (how, bytes) = changed(specimen, &mut seeded);
        let rules = specimen.variant.rules();
        let what = name(&format!("{how} of {} {}", rules.name, specimen.meta.metric));
        report.count(&format!("tables with {how}"));
        report.case(&what, |report| {
            let said = with_game!(&specimen.variant, game => settle(game, specimen, &bytes))?;
            report.count(said);
            if case % 8 == 0 {
                through(
                    program,
                    specimen,
                    &bytes,
                    folder.path(),
                    &mut seeded,
                    report,
                )?;
            }
            Ok(())
        });
    }
    report
}

fn specimens(folder: &Path) -> Result<Vec<Sound>, String> {
    let strip = RuleFile::parse("small-strip.toml", STRIP).map_err(|error| error.to_string())?;
    let mut made = vec![specimen(strip.variant, Metric::Distance, folder)?];
    for (name, metric) in [
        ("classic-1x4", Metric::Distance),
        ("classic-1x4", Metric::Value),
        ("signal-1x4", Metric::Nimber),
        ("green-1x5:supply=cap2", Metric::Value),
        ("points-1x5:end=play-on", Metric::Points),
        ("noughts-2x3", Metric::Distance),
        ("ampel-4-1-1", Metric::Distance),
        ("bag-classic-1x3", Metric::Odds),
    ] {
        let variant = Variant::parse(name).map_err(|error| error.to_string())?;
        made.push(specimen(variant, metric, folder)?);
    }
    Ok(made)
}

fn specimen(variant: Variant, metric: Metric, folder: &Path) -> Result<Sound, String> {
    let path = folder.join("specimen.gwt");
    let task = Task {
        variant: &variant,
        metric,
        kernel: Kernel::best(),
        memory: 1 << 30,
        wanted: Product::Table(path.clone()),
        checkpoint: None,
        scratch: None,
        quick: false,
    };
    let done = task.plan().and_then(|planned| planned.run(&Silent));
    done.map_err(|error| error.to_string())?;
    let bytes = fs::read(&path).map_err(|error| error.to_string())?;
    let table = Table::from_bytes(bytes.clone()).map_err(|error| error.to_string())?;
    let values = with_game!(&variant, game => {
        TableValues::new(game, &table).and_then(|table| table.load())
    });
    Ok(Sound {
        meta: table.meta().clone(),
        values: values.map_err(|error| error.to_string())?,
        variant,
        bytes,
    })
}

// A table that is not the specimen's any more, and what was done to it.
fn changed(specimen: &Sound, seeded: &mut SeededNumbers) -> (&'static str, Vec<u8>) {
    let kind = seeded.below(5);
    if kind < 2 {
        let mut bytes = specimen.bytes.clone();
        damage(&mut bytes, seeded);
        if kind == 0 {
            return ("damaged bytes", bytes);
        }
        promises::reseal(&mut bytes);
        return ("damaged bytes and right checksums", bytes);
    }
    let forged = |change_values: bool, seeded: &mut SeededNumbers| {
        promises::forged(&specimen.bytes, |meta, leaves| {
            if change_values {
                forge_values(leaves, seeded)
            } else {
                forge_summary(meta, seeded)
            }
        })
    };
    let (how, bytes) = match kind {
        2 => ("forged values", forged(true, seeded)),
        _ => ("a forged summary", forged(false, seeded)),
    };
    (how, bytes.unwrap_or_default())
}

// A few bytes changed, some cut off, some put in.
fn damage(bytes: &mut Vec<u8>, seeded: &mut SeededNumbers) {
    if bytes.is_empty() {
        return;
    }
    for _ in 0..1 + seeded.below(4) {
        let at = seeded.below(bytes.len() as u64) as usize;
        // Numbers at the limits, single bits, anything.
        bytes[at] = match seeded.below(4) {
            0 => 0,
            1 => 0xff,
            2 => bytes[at] ^ 1 << seeded.below(8),
            _ => seeded.bits() as u8,
        };
    }
    if seeded.below(5) == 0 {
        let at = seeded.below(bytes.len() as u64) as usize;
        let piece: Vec<u8> = (0..1 + seeded.below(20))
            .map(|_| seeded.bits() as u8)
            .collect();
        bytes.splice(at..at, piece);
    }
    if seeded.below(5) == 0 {
        bytes.truncate(seeded.below(bytes.len() as u64 + 1) as usize);
    }
}

fn forge_values(leaves: &mut [Leaf], seeded: &mut SeededNumbers) {
    let whole: Vec<usize> = (0..leaves.len())
        .filter(|leaf| !leaves[*leaf].payload.is_empty())
        .collect();
    if whole.is_empty() {
        return;
    }
    for _ in 0..1 + seeded.below(3) {
        let leaf = &mut leaves[seeded.pick(&whole)];
        let at = seeded.below(leaf.payload.len() as u64) as usize;
        leaf.payload[at] ^= 1 << seeded.below(8);
    }
}

// One thing that some command shows.
fn forge_summary(meta: &mut Meta, seeded: &mut SeededNumbers) {
    let summary = &mut meta.summary;
    let other = |outcome: Option<Outcome>| match outcome {
        Some(Outcome::Win) => Some(Outcome::Draw),
        Some(Outcome::Draw) => Some(Outcome::Loss),
        Some(Outcome::Loss) => Some(Outcome::Win),
        None => Some(Outcome::Win),
    };
    let first = seeded.below(1 + summary.histogram.len() as u64) as usize;
    let entry = summary.histogram.get_mut(first);
    match (seeded.below(14), entry) {
        (0, Some(entry)) => entry.key = entry.key.wrapping_add(1 + seeded.below(5) as i64),
        (1, Some(entry)) => entry.outcome = other(entry.outcome),
        // The sum stays.
        (2, Some(entry)) if entry.count > 1 => {
            entry.count -= 1;
            if let Some(next) = summary.histogram.get_mut(first + 1) {
                next.count += 1;
            }
        }
        (3, _) => summary.histogram.push(HistogramEntry {
            outcome: Some(Outcome::Win),
            key: 1000,
            count: 0,
        }),
        (4, _) => summary.histogram.reverse(),
        (5, _) => {
            summary.longest = match summary.longest.take() {
                None => Some(LongestPlay {
                    distance: 3,
                    outcome: Outcome::Loss,
                    example: "...".into(),
                }),
                Some(longest) => match seeded.below(4) {
                    0 => None,
                    1 => Some(LongestPlay {
                        distance: longest.distance + 1,
                        ..longest
                    }),
                    2 => Some(LongestPlay {
                        outcome: other(Some(longest.outcome)).unwrap_or(Outcome::Win),
                        ..longest
                    }),
                    _ => Some(LongestPlay {
                        example: ["", "R...", "\u{1b}[31m", "zzz"][seeded.below(4) as usize].into(),
                        ..longest
                    }),
                },
            };
        }
        (6, _) if !summary.openings.is_empty() => {
            let at = seeded.below(summary.openings.len() as u64) as usize;
            let opening = &mut summary.openings[at];
            match seeded.below(5) {
                0 => opening.mv = "b9R".into(),
                1 => opening.to = None,
                2 => opening.to = Some("...".into()),
                3 => opening.ends = !opening.ends,
                _ => opening.figures.value = other(opening.figures.value),
            }
        }
        (7, _) => summary.openings.reverse(),
        (8, _) => drop(summary.openings.pop()),
        (9, _) => summary.start.value = other(summary.start.value),
        (10, _) => summary.start.nimber = Some(summary.start.nimber.map_or(1, |old| old + 1)),
        (11, _) => meta.nonterminal = meta.nonterminal.wrapping_add(1),
        (12, _) => meta.variant = "classic-3x3".into(),
        _ => {
            if let Some(counts) = &mut summary.by_value {
                counts.win = counts.win.wrapping_add(1);
            }
        }
    }
}

// Refused, found out, or right in everything that is shown.
fn settle<G: Dense>(game: &G, specimen: &Sound, bytes: &[u8]) -> Result<&'static str, String> {
    let Ok(table) = Table::from_bytes(bytes.to_vec()) else {
        return Ok("tables refused");
    };
    let Ok(source) = TableValues::new(game, &table) else {
        return Ok("tables refused");
    };
    // Answered or refused.
    let _ = answer(game, &game.start(), &source);
    let Ok(verified) = verified(game, specimen, &source, bytes) else {
        return Ok("tables refused");
    };
    if verified.mismatches > 0 {
        return Ok("tables found out by verify");
    }
    let meta = table.meta();
    let chance = matches!(specimen.values, Values::Rows(_));
    let mut like = meta.clone();
    // These say nothing about the game, nor does the name of a file of rules. Odds are right within their
    // rounding.
    like.program = specimen.meta.program.clone();
    like.frame_bits = specimen.meta.frame_bits;
    let names = [&meta.variant, &specimen.meta.variant];
    if names.into_iter().all(|name| RuleFile::stem(name).is_some()) {
        like.variant = specimen.meta.variant.clone();
    }
    if chance {
        like.signature = specimen.meta.signature;
        let (found, right) = (like.summary.start.odds, specimen.meta.summary.start.odds);
        if found
            .zip(right)
            .is_some_and(|(found, right)| nearly(&found, &right))
        {
            like.summary.start.odds = right;
        }
    }
    if like != specimen.meta {
        return Err(format!("verified, but it says {like:?}"));
    }
    if !chance {
        let loaded = source.load().map_err(|error| error.to_string())?;
        if loaded != specimen.values {
            return Err("verified, but with other values".into());
        }
    }
    Ok("tables that are right")
}

fn nearly(found: &Odds, right: &Odds) -> bool {
    let parts = |odds: &Odds| [odds.win, odds.draw, odds.loss, odds.expectation];
    let apart = parts(found).into_iter().zip(parts(right));
    apart
        .into_iter()
        .all(|(found, right)| (found - right).abs() < 1e-6)
}

fn verified<G: Dense>(
    game: &G,
    specimen: &Sound,
    source: &TableValues<'_, G>,
    bytes: &[u8],
) -> Result<VerifyResult, String> {
    let Some(bag) = specimen.variant.as_bag() else {
        return verify(source, game, &|_| ()).map_err(|error| error.to_string());
    };
    let table = Table::from_bytes(bytes.to_vec()).map_err(|error| error.to_string())?;
    let odds = OddsTable::new(bag, table).map_err(|error| error.to_string())?;
    verify_odds(&odds, bag, &|_| ()).map_err(|error| error.to_string())
}

// What the program makes of it.
fn through(
    program: &Program,
    specimen: &Sound,
    bytes: &[u8],
    folder: &Path,
    seeded: &mut SeededNumbers,
    report: &mut Report,
) -> Result<(), String> {
    let rules = specimen.variant.rules();
    let name = match rules.name.as_str() {
        "small-strip.toml" => {
            let _ = fs::write(folder.join("small-strip.toml"), STRIP);
            "small-strip.toml"
        }
        name => name,
    };
    let place = folder.join(rules.slug());
    fs::create_dir_all(&place).map_err(|error| error.to_string())?;
    let path = place.join(format!("{}.gwt", specimen.meta.metric));
    fs::write(&path, bytes).map_err(|error| error.to_string())?;
    let file = path.display().to_string();
    let command = seeded.below(10);
    let mut args: Vec<&str> = match command {
        0 => vec!["info", &file],
        1 | 2 => vec!["verify", name],
        3 => vec!["stats", name],
        4 => vec!["line", name],
        5 => vec!["find", name, "ply = 1"],
        6 => vec!["simulate", name, "--games", "3", "--seed", "1"],
        7 => vec!["compare", name, name],
        8 => vec!["certify", name],
        _ => vec!["query", name],
    };
    args.extend(["--memory", "64M", "--json"]);
    let ran = program.run(folder, &args);
    let there = fs::read(&path).is_ok_and(|found| found == bytes);
    fs::remove_dir_all(&place).map_err(|error| error.to_string())?;
    report.count("tables given to the program");
    report.most("KiB of memory at most", ran.peak >> 10);
    let so_asked = |found: String| format!("{args:?}: {found}");
    ran.is_orderly().map_err(so_asked)?;
    ran.keeps_within(MEMORY).map_err(so_asked)?;
    if !there {
        return Err(format!("{args:?} changed the table: {ran:?}"));
    }
    Ok(())
}

fn damaged_checkpoint(
    program: &Program,
    known: &crashes::CrashCase,
    place: &Path,
    seeded: &mut SeededNumbers,
    report: &mut Report,
) -> Result<(), String> {
    let files = known
        .checkpoint_in(place)
        .map_err(|error| error.to_string())?;
    let path = &files[seeded.below(files.len() as u64) as usize];
    let mut bytes = fs::read(path).map_err(|error| error.to_string())?;
    let sealed = path.ends_with("state") && seeded.below(2) == 0;
    let before = bytes.clone();
    let one_number = sealed && seeded.below(2) == 0;
    if one_number {
        forge_number(&mut bytes, seeded);
        seal_state(&mut bytes);
        fs::write(path, &bytes).map_err(|error| error.to_string())?;
    } else if seeded.below(8) == 0 {
        fs::remove_file(path).map_err(|error| error.to_string())?;
    } else {
        damage(&mut bytes, seeded);
        if sealed {
            bytes = String::from_utf8_lossy(&bytes).into_owned().into_bytes();
        }
        fs::write(path, &bytes).map_err(|error| error.to_string())?;
        if let Some(folder) = path.parent().filter(|_| sealed) {
            forge_state(folder, |line| Some(line.into()));
        }
    }
    let ran = known.solve(program, place, Limit::default());
    report.count(match (one_number, sealed) {
        (true, _) => "checkpoints with one number forged",
        (false, true) => "checkpoints forged",
        (false, false) => "checkpoints damaged",
    });
    ran.is_orderly()?;
    match ran.code {
        Some(0) => {
            report.count("checkpoints that the solve got over");
            // Nothing distinguishes values that a forger made up from true ones.
            if (one_number || !sealed) && !known.is_right(&ran) {
                return Err(format!("answers otherwise: {ran:?}"));
            }
        }
        _ => {
            report.count("checkpoints refused");
            let way_out = ["delete it", "make room", "expected a file"];
            if bytes != before && !way_out.iter().any(|words| ran.stderr.contains(words)) {
                return Err(format!("refused without the way out: {ran:?}"));
            }
        }
    }
    Ok(())
}

// Changes one of the numbers of a state, which stand after the line that says whose it is.
fn forge_number(bytes: &mut Vec<u8>, seeded: &mut SeededNumbers) {
    let text = String::from_utf8_lossy(bytes).into_owned();
    let mut lines: Vec<Vec<String>> = text
        .lines()
        .map(|line| line.split(' ').map(String::from).collect())
        .collect();
    let is_number = |word: &String| word.parse::<u64>().is_ok();
    let places: Vec<(usize, usize)> = (2..lines.len().saturating_sub(1))
        .flat_map(|line| (1..lines[line].len()).map(move |word| (line, word)))
        .filter(|(line, word)| is_number(&lines[*line][*word]))
        .collect();
    if places.is_empty() {
        return;
    }
    let (line, word) = seeded.pick(&places);
    let number: u64 = lines[line][word].parse().unwrap_or(0);
    let forged = match seeded.below(6) {
        0 => number.wrapping_add(1),
        1 => number.wrapping_sub(1),
        2 if number > 0 => 0,
        3 => u64::MAX,
        4 => number.wrapping_mul(2).wrapping_add(1),
        _ => number ^ 1 << seeded.below(64),
    };
    lines[line][word] = forged.to_string();
    let lines: Vec<String> = lines.iter().map(|words| words.join(" ")).collect();
    *bytes = format!("{}\n", lines.join("\n")).into_bytes();
}

// Puts right the checksum at the end of a state.
fn seal_state(bytes: &mut Vec<u8>) {
    let text = String::from_utf8_lossy(bytes).into_owned();
    let body = text
        .rsplit_once("sum ")
        .map_or(text.as_str(), |(body, _)| body);
    let sum = Hash32::of(body.as_bytes());
    *bytes = format!("{body}sum {sum}\n").into_bytes();
}
