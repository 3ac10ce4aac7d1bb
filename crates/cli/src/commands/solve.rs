//! `solve`: values on disk.

use std::path::PathBuf;

use anyhow::Result;
use greenwave_game::{Metric, Variant};
use greenwave_solver::{Task, Wanted};
use greenwave_table::{Summary, Table};
use serde::Serialize;

use super::chosen;
use crate::args::SolveArgs;
use crate::output::json::{ByValueJson, MoveJson, OddsJson, SCHEMA};
use crate::output::{
    bytes, from_table, grouped, print, print_json, readable, rounded, seconds, words,
};
use crate::session::{Session, Verdict, peak_memory, reset_peak_memory};

#[derive(Serialize)]
struct SolveJson {
    schema: u32,
    variant: String,
    metric: &'static str,
    positions: u128,
    seconds: Option<f64>,
    positions_per_second: Option<f64>,
    peak_memory_bytes: Option<u64>,
    table_bytes: Option<u64>,
    signature: Option<String>,
    value: Option<&'static str>,
    distance: Option<u32>,
    points: Option<i32>,
    odds: Option<OddsJson>,
    nimber: Option<u32>,
    by_value: Option<ByValueJson>,
    openings: Vec<MoveJson>,
    kernel: Option<&'static str>,
    threads: usize,
    file: Option<String>,
}

#[derive(Serialize)]
struct EstimateJson {
    schema: u32,
    variant: String,
    metric: &'static str,
    positions: u128,
    memory_bytes: u128,
    /// Table and checkpoints, at most.
    disk_bytes: u128,
    table_bytes: u128,
    /// Beside the table.
    checkpoint_bytes: u128,
    seconds: f64,
    memory_allowed_bytes: u64,
    fits: bool,
}

/// What came of one variant and metric.
struct Solved {
    positions: u128,
    seconds: Option<f64>,
    table: Option<(String, u64, String)>,
    summary: Summary,
    kernel: Option<&'static str>,
}

/// Where the table of a metric and the checkpoint of its solve belong.
struct Paths {
    table: PathBuf,
    checkpoint: PathBuf,
}

impl Paths {
    fn new(session: &Session, args: &SolveArgs, variant: &Variant, metric: Metric) -> Paths {
        let table = session.table_path(variant.rules(), metric);
        let ending = if args.no_table {
            "counts.checkpoint"
        } else {
            "checkpoint"
        };
        Paths {
            checkpoint: table.with_extension(ending),
            table,
        }
    }
}

/// The solve of a metric.
fn task<'a>(
    session: &Session,
    args: &SolveArgs,
    variant: &'a Variant,
    metric: Metric,
    paths: &'a Paths,
) -> Task<'a> {
    Task {
        variant,
        metric,
        kernel: args.kernel,
        memory: session.memory,
        wanted: if args.no_table {
            Wanted::Counts
        } else {
            Wanted::Table(&paths.table)
        },
        checkpoint: Some(&paths.checkpoint),
    }
}

pub(super) fn run(session: &Session, args: &SolveArgs) -> Result<Verdict> {
    // Everything that can be refused is refused before the first solve.
    let mut work = Vec::new();
    for name in &args.variants {
        let (variant, _) = session.variant(name)?;
        let metrics = chosen(&args.metric, variant.rules())
            .unwrap_or_else(|| vec![variant.rules().default_metric]);
        for metric in &metrics {
            let paths = Paths::new(session, args, &variant, *metric);
            let task = task(session, args, &variant, *metric, &paths);
            let plan = session.on_threads(|| task.estimate())?;
            let there = !args.force && !args.no_table && paths.table.exists();
            if !args.estimate && !there {
                plan.fits(session.memory)?;
            }
        }
        work.push((variant, metrics));
    }
    for (variant, metrics) in &work {
        for metric in metrics {
            if args.estimate {
                print_estimate(session, args, variant, *metric)?;
                continue;
            }
            let solved = one(session, args, variant, *metric)?;
            report(session, variant, *metric, &solved)?;
        }
    }
    Ok(Verdict::Done)
}

fn one(session: &Session, args: &SolveArgs, variant: &Variant, metric: Metric) -> Result<Solved> {
    let rules = variant.rules();
    if !args.force
        && !args.no_table
        && let Some(table) = session.open_table(rules, metric)?
    {
        return Ok(from_header(&table));
    }
    let paths = Paths::new(session, args, variant, metric);
    let path = &paths.table;
    // A folder made for a table that did not come about, or for a checkpoint that is not needed any
    // more, goes again; one with files stays.
    let _folders = crate::files::TidyFolders::of(path);
    if !args.no_table {
        crate::files::check_writable(path)?;
    }
    let task = task(session, args, variant, metric, &paths);
    reset_peak_memory();
    let done = session.on_threads(|| task.run(&*session.progress));
    session.progress.finish();
    let done = done?;
    Ok(Solved {
        positions: done.positions,
        seconds: Some(done.seconds),
        table: done.table.map(|report| {
            let file = path.display().to_string();
            (report.signature.to_string(), report.bytes, file)
        }),
        summary: done.summary,
        kernel: Some(done.kernel),
    })
}

fn from_header(table: &Table) -> Solved {
    let meta = table.meta();
    Solved {
        positions: meta.positions().into(),
        seconds: None,
        table: Some((
            meta.signature.to_string(),
            table.bytes(),
            table.path().display().to_string(),
        )),
        summary: meta.summary.clone(),
        kernel: None,
    }
}

fn report(session: &Session, variant: &Variant, metric: Metric, solved: &Solved) -> Result<()> {
    let Solved {
        positions,
        seconds: time,
        table,
        summary,
        kernel,
    } = solved;
    let rate = time.map(|time| *positions as f64 / time.max(1e-9));
    let start = from_table(&summary.start);
    if session.json {
        return print_json(&SolveJson {
            schema: SCHEMA,
            variant: variant.rules().name.clone(),
            metric: metric.name(),
            positions: *positions,
            seconds: *time,
            positions_per_second: rate,
            peak_memory_bytes: time.and_then(|_| peak_memory()),
            table_bytes: table.as_ref().map(|(_, bytes, _)| *bytes),
            signature: table.as_ref().map(|(signature, ..)| signature.clone()),
            value: start.value.map(|value| value.name()),
            distance: start.distance.map(|plies| plies.0),
            points: start.points,
            odds: start.odds.map(OddsJson::from),
            nimber: start.nimber,
            by_value: summary.by_value.as_ref().map(ByValueJson::from),
            openings: crate::output::best_first(&summary.openings)
                .iter()
                .map(MoveJson::opening)
                .collect(),
            kernel: *kernel,
            threads: session.threads(),
            file: table.as_ref().map(|(.., file)| file.clone()),
        });
    }
    let name = variant.rules().title();
    let mut text = match metric {
        Metric::Nimber => format!("{name}: the start has nimber {}", start.nimber.unwrap_or(0)),
        _ => format!("{name}: {}", words::sentence(&start, false)),
    };
    text.push_str(&format!(
        "\n  {metric} of {} positions",
        grouped(*positions)
    ));
    match (time, rate) {
        (Some(time), Some(rate)) => {
            text.push_str(&format!(
                "\n  solved in {} ({} positions/s, {} threads",
                seconds(*time),
                rounded(rate),
                session.threads()
            ));
            if let Some(peak) = peak_memory() {
                text.push_str(&format!(", {} at most", bytes(peak.into())));
            }
            text.push(')');
        }
        _ => text.push_str("\n  already solved (solve again with --force)"),
    }
    text.push('\n');
    if let Some((signature, size, file)) = table {
        text.push_str(&format!(
            "  {file}: {}, signature {}\n",
            bytes((*size).into()),
            &signature[..16]
        ));
    }
    print(&text)
}

fn print_estimate(
    session: &Session,
    args: &SolveArgs,
    variant: &Variant,
    metric: Metric,
) -> Result<()> {
    let paths = Paths::new(session, args, variant, metric);
    let task = task(session, args, variant, metric, &paths);
    let plan = session.on_threads(|| task.estimate())?;
    let fits = plan.fits(session.memory).is_ok();
    let disk_bytes = plan.disk_bytes();
    if session.json {
        return print_json(&EstimateJson {
            schema: SCHEMA,
            variant: plan.variant,
            metric: metric.name(),
            positions: plan.positions,
            memory_bytes: plan.memory_bytes,
            disk_bytes,
            table_bytes: plan.table_bytes,
            checkpoint_bytes: plan.checkpoint_bytes,
            seconds: plan.seconds,
            memory_allowed_bytes: session.memory,
            fits,
        });
    }
    let verdict = if fits { "fits" } else { "does not fit" };
    // Beyond what anybody has, the amount is a lower bound itself.
    let disk = match bytes(disk_bytes) {
        disk if disk.starts_with("more") => disk,
        disk if plan.checkpoint_bytes == 0 => format!("at most {disk} (no checkpoints)"),
        disk => format!(
            "at most {disk} (table {}, checkpoints {})",
            bytes(plan.table_bytes),
            bytes(plan.checkpoint_bytes)
        ),
    };
    print(&format!(
        "{} {metric}: {} positions\n  memory {} ({verdict} into {})\n  disk {disk}, about {}\n",
        plan.variant,
        readable(plan.positions),
        bytes(plan.memory_bytes),
        bytes(session.memory.into()),
        seconds(plan.seconds),
    ))
}
