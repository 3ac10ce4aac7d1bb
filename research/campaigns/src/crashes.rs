//! Faults of files: death before each file call of a solve, refusals, full disks, reads and writes
//! that do half. Every engine meets them in three situations: an empty folder, a table that is
//! solved again, a checkpoint. After each the table that was there is untouched, one that is there
//! is right, and the same command ends as if nothing had happened and leaves the table alone.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use greenwave_testkit::SeededNumbers;
use greenwave_testkit::program::{FileFault, Limit, Program, ProgramRun};

use crate::{Extent, Report};

/// How much quicker the clock runs: every checkpoint is due at once.
const QUICKLY: u32 = 100_000;

/// A small solve of one of the engines.
#[derive(Clone, Copy, Debug)]
struct Job {
    engine: &'static str,
    // A name, or the text of a rule file.
    game: &'static str,
    args: &'static [&'static str],
    // Without the folder; none where no table is wanted.
    table: Option<&'static str>,
}

const STRIP: &str = "patterns = ['33', '13']\n[board]\nsize = '2x2'\nline-length = 2\n[strip]\n";

const JOBS: &[Job] = &[
    Job {
        engine: "sweep, bits",
        game: "classic-3x3",
        args: &["--metric", "value"],
        table: Some("value.gwt"),
    },
    Job {
        engine: "sweep, bytes",
        game: "classic-3x3",
        args: &[],
        table: Some("distance.gwt"),
    },
    Job {
        engine: "sweep, counts alone",
        game: "classic-3x3",
        args: &["--no-table"],
        table: None,
    },
    Job {
        engine: "sweep, points",
        game: "points-2x4",
        args: &[],
        table: Some("points.gwt"),
    },
    Job {
        engine: "sweep, limited supply",
        game: "classic-2x3:supply=cap3",
        args: &[],
        table: Some("distance.gwt"),
    },
    Job {
        engine: "plain",
        game: "noughts-3x3",
        args: &[],
        table: Some("distance.gwt"),
    },
    Job {
        engine: "loopy",
        game: STRIP,
        args: &[],
        table: Some("distance.gwt"),
    },
    Job {
        engine: "retrograde",
        game: "ampel-4-2-1",
        args: &[],
        table: Some("distance.gwt"),
    },
    Job {
        engine: "chance",
        game: "bag-classic-1x3",
        args: &[],
        table: Some("odds.gwt"),
    },
    Job {
        engine: "packed",
        game: "signal-3x6",
        args: &["--metric", "value", "--no-table"],
        table: None,
    },
];

// Waves that outgrow the memory, and go to a folder: half a second or so.
const WAVES: &[Job] = &[Job {
    engine: "packed, waves on disk",
    game: "signal-4x5",
    args: &[
        "--metric",
        "distance",
        "--no-table",
        "--memory",
        "64M",
        "--scratch",
        "waves",
    ],
    table: None,
}];

const QUESTIONS: &[&[&str]] = &[
    &["query"],
    &["line"],
    &["stats"],
    &["find", "ply = 1"],
    &["verify"],
];

/// What is there when the solve begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Before {
    Nothing,
    Table,
    Checkpoint,
}

/// A job, what it comes to when nobody disturbs it, and the folders to begin from.
pub(super) struct CrashCase {
    job: Job,
    variant: String,
    folder: PathBuf,
    table: Option<Vec<u8>>,
    said: String,
    // Situations, each with the folder that it is copied from and the number of file calls.
    situations: Vec<(Before, PathBuf, u64)>,
}

impl CrashCase {
    /// The engine.
    pub(super) fn engine(&self) -> &'static str {
        self.job.engine
    }

    /// Puts a checkpoint into a folder, and names its files.
    pub(super) fn checkpoint_in(&self, place: &Path) -> std::io::Result<Vec<PathBuf>> {
        let mut situations = self.situations.iter();
        if let Some((_, from, _)) = situations.find(|(before, ..)| *before == Before::Checkpoint) {
            copy(from, place)?;
        }
        let in_checkpoint = |path: &PathBuf| {
            let folder = path.parent().and_then(Path::extension);
            folder.is_some_and(|ending| ending == "checkpoint")
        };
        let files = files(place).into_iter().filter(in_checkpoint);
        Ok(files.map(|path| place.join(path)).collect())
    }

    /// Solves in a folder.
    pub(super) fn solve(&self, program: &Program, folder: &Path, limit: Limit) -> ProgramRun {
        solve(program, self, folder, &[], limit)
    }

    /// Whether a run said what the undisturbed one did.
    pub(super) fn is_right(&self, ran: &ProgramRun) -> bool {
        told(&ran.stdout) == self.said
    }
}

/// The jobs that can resume from a checkpoint, each prepared when it is first asked for.
pub(super) struct Checkpoints<'a> {
    program: &'a Program,
    folder: PathBuf,
    known: Vec<Option<CrashCase>>,
}

impl<'a> Checkpoints<'a> {
    /// None yet; they will be in a folder.
    pub(super) fn in_folder(program: &'a Program, folder: PathBuf) -> Checkpoints<'a> {
        let known = JOBS.iter().map(|_| None).collect();
        Checkpoints {
            program,
            folder,
            known,
        }
    }

    /// One of them that is drawn; `None` where no job has a checkpoint.
    ///
    /// # Panics
    /// When an undisturbed solve fails.
    pub(super) fn drawn(&mut self, seeded: &mut SeededNumbers) -> Option<&CrashCase> {
        let first = seeded.below(JOBS.len() as u64) as usize;
        let turned = (first..first + JOBS.len()).map(|number| number % JOBS.len());
        let number = turned.into_iter().find(|number| {
            let job = JOBS[*number];
            let known = self.known[*number].get_or_insert_with(|| {
                prepare(
                    self.program,
                    job,
                    &self.folder.join(format!("job-{number}")),
                )
                .unwrap_or_else(|error| panic!("{}: {error}", job.engine))
            });
            let mut situations = known.situations.iter();
            situations.any(|(before, ..)| *before == Before::Checkpoint)
        })?;
        self.known[number].as_ref()
    }
}

/// Runs the campaign in random order; all points come to some thousands, and `cases` or the time may
/// end it before.
///
/// # Panics
/// When there is no temporary folder, or an undisturbed solve fails.
#[must_use]
pub fn run(program: &Program, extent: Extent) -> Report {
    run_on(program, extent, JOBS)
}

/// The same with a solve whose waves go to disk.
///
/// # Panics
/// As [`run`].
#[must_use]
pub fn run_waves(program: &Program, extent: Extent) -> Report {
    run_on(program, extent, WAVES)
}

fn run_on(program: &Program, extent: Extent, jobs: &[Job]) -> Report {
    let folder = tempfile::tempdir().unwrap_or_else(|error| panic!("{error}"));
    let mut report = Report::default();
    let mut known = Vec::new();
    let mut points = Vec::new();
    for (number, job) in jobs.iter().enumerate() {
        let prepared = prepare(program, *job, &folder.path().join(format!("job-{number}")));
        let prepared = prepared.unwrap_or_else(|error| panic!("{}: {error}", job.engine));
        for (situation, (.., calls)) in prepared.situations.iter().enumerate() {
            for fault in FileFault::ALL {
                points.extend((1..=*calls).map(|call| (number, Some(situation), fault, call)));
            }
        }
        if job.table.is_some() {
            for (question, args) in QUESTIONS.iter().enumerate() {
                // All of them read a few dozen times.
                let calls = 40.min(asked(program, &prepared, args, Limit::default()).calls);
                for fault in [FileFault::Refused, FileFault::Half] {
                    points.extend(
                        (1..=calls)
                            .map(|call| (number, None, fault, call + 1000 * question as u64)),
                    );
                }
            }
        }
        known.push(prepared);
    }
    report.add("points in all", points.len() as u64);
    // Fisher and Yates first. Then each engine and situation comes in its turn, since a solve with
    // a lot of file calls would leave no room for the others. Then comes each kind of fault, and
    // one of the questions, in a fixed order, because the number of file calls depends on how quick
    // the machine is, and the draws depend on that number.
    let mut seeded = extent.seeded(0);
    for last in (1..points.len()).rev() {
        points.swap(last, seeded.below(last as u64 + 1) as usize);
    }
    let mut groups = HashMap::new();
    points.sort_by_cached_key(|&(job, situation, fault, _)| {
        let next = 1 + groups.len() as u64;
        let (group, drawn) = groups.entry((job, situation, fault)).or_insert((next, 0));
        *drawn += 1;
        (*drawn, extent.seeded(*group).below(1 << 32))
    });
    let mut drawn = HashMap::new();
    points.sort_by_cached_key(|&(_, situation, fault, _)| {
        let kind = situation.map(|_| fault);
        let of_its_kind: &mut u64 = drawn.entry(kind).or_default();
        *of_its_kind += 1;
        let turn = FileFault::ALL.iter().position(|fault| kind == Some(*fault));
        (*of_its_kind, turn.unwrap_or(FileFault::ALL.len()))
    });
    let place = folder.path().join("place");
    for case in extent.cases() {
        let Some((job, situation, fault, call)) = points.get(case as usize).copied() else {
            break;
        };
        let known = &known[job];
        let engine = known.job.engine;
        match situation {
            Some(situation) => {
                let (before, from, _) = &known.situations[situation];
                let case = format!("{engine}, {before:?} there, {fault:?} at call {call}");
                report.case(&case, |report| {
                    spoil(program, known, *before, from, &place, (fault, call), report)
                });
            }
            None => {
                let args = QUESTIONS[(call / 1000) as usize];
                let case = format!("{engine}, {args:?}, {fault:?} at call {}", call % 1000);
                report.case(&case, |report| {
                    question(program, known, args, (fault, call % 1000), report)
                });
            }
        }
    }
    report
}

fn solve(
    program: &Program,
    known: &CrashCase,
    folder: &Path,
    more: &[&str],
    limit: Limit,
) -> ProgramRun {
    let mut args = vec!["solve", &known.variant, "--json"];
    args.extend(known.job.args);
    args.extend(more);
    program.run_with(folder, &args, "", limit)
}

fn prepare(program: &Program, job: Job, folder: &Path) -> Result<CrashCase, String> {
    let failed = |error: std::io::Error| error.to_string();
    fs::create_dir_all(folder).map_err(failed)?;
    let is_file = job.game.contains('\n');
    let variant = if is_file {
        let path = folder.join("game.toml");
        fs::write(&path, job.game).map_err(failed)?;
        path.display().to_string()
    } else {
        job.game.to_string()
    };
    let slug = if is_file {
        "game".to_string()
    } else {
        job.game.replace(':', "_").replace('=', "-")
    };
    let mut known = CrashCase {
        job,
        variant,
        folder: PathBuf::from(slug),
        table: None,
        said: String::new(),
        situations: Vec::new(),
    };
    let [nothing, table, checkpoint, work] =
        ["nothing", "table", "checkpoint", "work"].map(|name| folder.join(name));
    fs::create_dir_all(&nothing).map_err(failed)?;
    fs::create_dir_all(&table).map_err(failed)?;
    let quick = Limit {
        clock: QUICKLY,
        ..Limit::default()
    };
    let ran = solve(program, &known, &table, &[], quick);
    if ran.code != Some(0) {
        return Err(format!("{ran:?}"));
    }
    known.said = told(&ran.stdout);
    if let Some(name) = job.table {
        let bytes = fs::read(table.join(&known.folder).join(name)).map_err(failed)?;
        known.table = Some(bytes);
    }
    known
        .situations
        .push((Before::Nothing, nothing.clone(), ran.calls));
    if job.table.is_some() {
        copy(&table, &work).map_err(failed)?;
        let again = solve(program, &known, &work, &["--force"], quick);
        known.situations.push((Before::Table, table, again.calls));
    }
    // Killed on the way, where there is something to continue from: in large steps first.
    let step = ran.calls.div_ceil(16).max(1);
    let mut calls: Vec<u64> = (1..=ran.calls).rev().collect();
    calls.sort_by_key(|call| !call.is_multiple_of(step));
    for call in calls {
        copy(&nothing, &work).map_err(failed)?;
        let limit = Limit {
            fault: Some((FileFault::Kill, call)),
            ..quick
        };
        let _killed = solve(program, &known, &work, &[], limit);
        let there = find(&work, "state");
        let no_table = job
            .table
            .is_none_or(|name| !work.join(&known.folder).join(name).exists());
        if there && no_table {
            copy(&work, &checkpoint).map_err(failed)?;
            let resumed = solve(program, &known, &work, &[], quick);
            known
                .situations
                .push((Before::Checkpoint, checkpoint, resumed.calls));
            break;
        }
    }
    Ok(known)
}

// What is the same however a solve went: the document without times and places.
fn told(document: &str) -> String {
    let part = |name: &str| {
        let at = document.find(&format!("\"{name}\":"))?;
        let rest = &document[at..];
        let end = rest.find(['}', ',']).unwrap_or(rest.len());
        Some(rest[..end].to_string())
    };
    let by_value = document.find("\"by_value\"").map_or("", |at| {
        let rest = &document[at..];
        &rest[..rest.find('}').unwrap_or(rest.len())]
    });
    let parts = ["signature", "value", "distance", "points"].map(part);
    format!("{parts:?} {by_value}")
}

fn spoil(
    program: &Program,
    known: &CrashCase,
    before: Before,
    from: &Path,
    place: &Path,
    fault: (FileFault, u64),
    report: &mut Report,
) -> Result<(), String> {
    copy(from, place).map_err(|error| error.to_string())?;
    let more: &[&str] = if before == Before::Table {
        &["--force"]
    } else {
        &[]
    };
    let limit = Limit {
        fault: Some(fault),
        clock: QUICKLY,
        ..Limit::default()
    };
    let ran = solve(program, known, place, more, limit);
    report.count(&format!("points of {}", known.job.engine));
    report.count(match fault.0 {
        FileFault::Kill => "points with a kill",
        FileFault::Refused => "points with a call refused",
        FileFault::Full => "points with a disk that is full",
        FileFault::NoRoom => "points with a call without room",
        FileFault::Half => "points with half a read or write",
    });
    if ran.signal == Some(9) && fault.0 == FileFault::Kill && !ran.hung {
        report.count("killed");
    } else {
        ran.is_orderly()?;
        report.count(if ran.code == Some(0) {
            "faults got over"
        } else {
            "faults told with exit 2"
        });
        if ran.code == Some(0) && told(&ran.stdout) != known.said {
            return Err(format!("answers otherwise: {ran:?}"));
        }
    }
    let is_right = |after: &str| match (&known.table, known.job.table) {
        (Some(expected), Some(name)) => {
            let found = fs::read(place.join(&known.folder).join(name)).ok();
            match found {
                Some(found) if found == *expected => Ok(true),
                Some(_) => Err(format!("{after}: the table has other bytes; {ran:?}")),
                None if before == Before::Table => {
                    Err(format!("{after}: the table is lost; {ran:?}"))
                }
                None => Ok(false),
            }
        }
        _ => Ok(false),
    };
    let there = is_right("after the fault")?;
    if ran.code == Some(0) && known.table.is_some() && !there {
        return Err(format!("solved without a table; {ran:?}"));
    }
    let next = solve(program, known, place, &[], Limit::default());
    if next.code != Some(0) {
        return Err(format!("the next run fails: {next:?}, after {ran:?}"));
    }
    if told(&next.stdout) != known.said {
        return Err(format!("the next run answers otherwise: {next:?}"));
    }
    is_right("after the next run")?;
    let left = files(place);
    let expected: Vec<PathBuf> = known
        .job
        .table
        .iter()
        .map(|name| known.folder.join(name))
        .collect();
    if left != expected {
        return Err(format!("left behind after the next run: {left:?}; {ran:?}"));
    }
    Ok(())
}

fn asked(program: &Program, known: &CrashCase, args: &[&str], limit: Limit) -> ProgramRun {
    let (_, folder, _) = known
        .situations
        .iter()
        .find(|(before, ..)| *before == Before::Table)
        .unwrap_or(&known.situations[0]);
    let mut all = vec![args[0], &known.variant, "-q"];
    all.extend(&args[1..]);
    program.run_with(folder, &all, "", limit)
}

fn question(
    program: &Program,
    known: &CrashCase,
    args: &[&str],
    fault: (FileFault, u64),
    report: &mut Report,
) -> Result<(), String> {
    let ran = asked(
        program,
        known,
        args,
        Limit {
            fault: Some(fault),
            ..Limit::default()
        },
    );
    report.count("points of questions");
    ran.is_orderly()?;
    let undisturbed = asked(program, known, args, Limit::default());
    if ran.code == Some(2) {
        // Not every game has every question.
        report.count("questions refused");
        return Ok(());
    }
    if ran.stdout != undisturbed.stdout {
        return Err(format!("answers otherwise: {ran:?}"));
    }
    report.count("questions answered");
    Ok(())
}

// The files below a folder, by their paths in it.
fn files(folder: &Path) -> Vec<PathBuf> {
    fn walk(folder: &Path, root: &Path, found: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                walk(&path, root, found)
            } else {
                found.extend(path.strip_prefix(root).map(Path::to_owned))
            }
        }
    }
    let mut found = Vec::new();
    walk(folder, folder, &mut found);
    found.sort();
    found
}

fn find(folder: &Path, name: &str) -> bool {
    files(folder).iter().any(|path| path.ends_with(name))
}

// Copies a folder to a place where nothing stays of what was there.
fn copy(from: &Path, to: &Path) -> std::io::Result<()> {
    if to.exists() {
        fs::remove_dir_all(to)?;
    }
    fs::create_dir_all(to)?;
    for path in files(from) {
        let target = to.join(&path);
        if let Some(folder) = target.parent() {
            fs::create_dir_all(folder)?;
        }
        fs::copy(from.join(&path), target)?;
    }
    Ok(())
}
