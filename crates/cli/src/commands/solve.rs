//! `solve`: values on disk.

use anyhow::Result;
use greenwave_game::{Metric, Variant};
use greenwave_tablebase::{SolveEstimate, SolveOptions, Solved};

use super::chosen;
use crate::args::SolveArgs;
use crate::output::{bytes, grouped, readable, rounded, seconds, words};
use crate::session::{Session, Verdict};

pub(super) fn run(session: &Session, args: &SolveArgs) -> Result<Verdict> {
    let tablebase = &session.tablebase;
    let options = SolveOptions {
        table: !args.no_table,
        force: args.force,
        kernel: args.kernel,
    };
    // Everything that can be refused is refused before the first solve.
    let mut work: Vec<(Variant, Metric)> = Vec::new();
    for name in &args.variants {
        let (variant, _) = session.variant(name)?;
        let rules = variant.rules();
        let metrics = chosen(&args.metric, rules).unwrap_or_else(|| vec![rules.default_metric]);
        for metric in metrics {
            match args.estimate {
                true => drop(tablebase.estimate(&variant, metric, &options)?),
                false => tablebase.expect_solvable(&variant, metric, &options)?,
            }
            work.push((variant.clone(), metric));
        }
    }
    for (variant, metric) in &work {
        if args.estimate {
            let estimate = tablebase.estimate(variant, *metric, &options)?;
            session.report(&estimate, || Ok(estimate_picture(&estimate)))?;
            continue;
        }
        let solved = tablebase.solve(variant, *metric, &options)?;
        session.report(&solved, || Ok(picture(&solved, variant)))?;
    }
    Ok(Verdict::Done)
}

fn picture(solved: &Solved, variant: &Variant) -> String {
    let name = variant.rules().title();
    let mut text = match solved.nimber.filter(|_| solved.value.is_none()) {
        Some(nimber) => format!("{name}: the start has nimber {nimber}"),
        None => format!("{name}: {}", words::sentence(&solved.start(), false)),
    };
    text.push_str(&format!(
        "\n  {} of {} positions",
        solved.metric,
        grouped(solved.positions)
    ));
    match (solved.seconds, solved.positions_per_second) {
        (Some(time), Some(rate)) => {
            text.push_str(&format!(
                "\n  solved in {} ({} positions/s, {} threads",
                seconds(time),
                rounded(rate),
                solved.threads
            ));
            if let Some(peak) = solved.peak_memory_bytes {
                text.push_str(&format!(", {} at most", bytes(peak.into())));
            }
            text.push(')');
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

fn estimate_picture(plan: &SolveEstimate) -> String {
    let verdict = if plan.fits { "fits" } else { "does not fit" };
    // Beyond what anybody has, the amount is a lower bound itself.
    let disk = match bytes(plan.disk_bytes) {
        disk if disk.starts_with("more") => disk,
        disk if plan.checkpoint_bytes == 0 => format!("at most {disk} (no checkpoints)"),
        disk => format!(
            "at most {disk} (table {}, checkpoints {})",
            bytes(plan.table_bytes),
            bytes(plan.checkpoint_bytes)
        ),
    };
    format!(
        "{} {}: {} positions\n  memory {} ({verdict} into {})\n  disk {disk}, about {}\n",
        plan.variant,
        plan.metric,
        readable(plan.positions),
        bytes(plan.memory_bytes),
        bytes(plan.memory_allowed_bytes.into()),
        seconds(plan.seconds),
    )
}
