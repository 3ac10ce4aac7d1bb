//! `solve`: values on disk.

use anyhow::Result;
use greenwave_game::{Variant, plural};
use greenwave_tablebase::{SolveCost, SolveOptions, SolveReport};
use greenwave_words::Language;

use super::question::{chosen, tell_unused};
use crate::args::SolveArgs;
use crate::output::{
    beyond_measure, bytes, bytes_down, bytes_up, counted, expect_folder, grouped, readable,
    rounded, seconds, words,
};
use crate::report::DocumentReport;
use crate::session::{CommandVerdict, Session};

pub(super) fn run(session: &Session, args: &SolveArgs) -> Result<CommandVerdict> {
    let tablebase = &session.tablebase;
    let options = SolveOptions {
        table: !args.no_table,
        force: args.force,
        kernel: args.kernel,
        scratch: args.scratch.clone(),
        estimate: args.estimate,
    };
    // Everything that can be refused is refused before the first solve.
    if let Some(folder) = &args.scratch {
        expect_folder("--scratch", folder)?;
    }
    let read = |name: &String| session.variant(name);
    let variants = args.variants.iter().map(read);
    let variants = variants.collect::<Result<Vec<Variant>>>()?;
    let mut work = Vec::new();
    for variant in &variants {
        let rules = variant.rules();
        let metrics = chosen(&args.metric, rules).unwrap_or_else(|| vec![rules.default_metric]);
        for metric in metrics {
            let planned = tablebase.plan(variant, metric, &options)?;
            if !args.estimate {
                planned.expect_room()?;
            }
            work.push((variant, planned));
        }
    }
    if args.scratch.is_some() && !work.iter().any(|(_, planned)| planned.takes_scratch()) {
        session.remark(
            "--scratch: nothing is put there, as no solve outgrows the memory; leave it out",
        );
    }
    let mut used = Vec::new();
    for (variant, planned) in work {
        if args.estimate {
            let cost = planned.cost();
            session.print(&DocumentReport::new(cost, |cost| {
                Ok(cost_picture(cost, variant))
            }))?;
            continue;
        }
        let solved = planned.run()?;
        used.extend(solved.kernel);
        let words = |solved: &SolveReport| Ok(picture(solved, variant));
        session.print(&DocumentReport::new(solved, words))?;
    }
    if !args.estimate {
        tell_unused(session, args.kernel, &used);
    }
    Ok(CommandVerdict::Done)
}

fn picture(solved: &SolveReport, variant: &Variant) -> String {
    let name = variant.rules().title();
    let start = &solved.start;
    let mut text = match start.nimber.filter(|_| start.value.is_none()) {
        Some(nimber) => format!("{name}: the start has nimber {nimber}"),
        None => format!(
            "{name}: {}",
            words::sentence(Language::English, &start.figures(), false)
        ),
    };
    text.push_str(&format!(
        "\n  {} of {} {}",
        solved.metric,
        grouped(solved.positions),
        plural(solved.positions, "position", "positions")
    ));
    match (solved.seconds, solved.positions_per_second) {
        (Some(time), Some(rate)) => {
            text.push_str(&format!(
                "\n  solved in {} ({} positions/s, {}",
                seconds(time),
                rounded(rate),
                counted(solved.threads as u64, "thread", "threads")
            ));
            let peak = solved.peak_memory_bytes;
            let peak = peak.map_or_else(|| "unknown".into(), |peak| bytes(peak.into()));
            text.push_str(&format!(", peak memory {peak})"));
        }
        _ => text.push_str("\n  already solved (solve again with --force)"),
    }
    text.push('\n');
    if let (Some(file), Some(size), Some(signature)) =
        (&solved.file, solved.table_bytes, &solved.signature)
    {
        text.push_str(&format!(
            "  {file}: {}, signature {}\n",
            bytes(size.into()),
            &signature[..16]
        ));
    }
    text
}

fn cost_picture(cost: &SolveCost, variant: &Variant) -> String {
    // What fits is rounded as what it fits into, so that both figures say so.
    let (verdict, allowed): (&str, fn(u128) -> String) = if cost.fits {
        ("fits", bytes_up)
    } else {
        ("does not fit", bytes_down)
    };
    // Beyond what anybody has, the amount is a lower bound itself.
    let disk = match bytes(cost.disk_bytes) {
        disk if beyond_measure(cost.disk_bytes) => disk,
        disk if cost.checkpoint_bytes == 0 => format!("at most {disk} (no checkpoints)"),
        disk => format!(
            "at most {disk} (table {}, checkpoints {})",
            bytes(cost.table_bytes),
            bytes(cost.checkpoint_bytes)
        ),
    };
    let about = if cost.sampled { ", from a sample" } else { "" };
    format!(
        "{} {}: {} {}\n  memory {} ({verdict} into {}{about})\n  disk {disk}, about {}\n",
        variant.rules().title(),
        cost.metric,
        readable(cost.positions),
        plural(cost.positions, "position", "positions"),
        bytes_up(cost.memory_bytes),
        allowed(cost.memory_allowed_bytes.into()),
        seconds(cost.seconds),
    )
}
