//! `bench`: how fast variants are solved on this machine.

use anyhow::Result;
use greenwave_game::{Metric, Variant};
use greenwave_solver::{PreparedSolve, Product, Task, TaskResult};
use greenwave_tablebase::{Error, SCHEMA, peak_memory, reset_peak_memory};
use serde::Serialize;

use super::question::{chosen, tell_unused};
use crate::args::BenchArgs;
use crate::output::{bytes, columns, rounded, seconds};
use crate::report::{CommandReport, ListReport};
use crate::session::Session;

/// Solved where no variant is named.
const DEFAULT: [&str; 5] = [
    "classic-3x3",
    "classic-3x4",
    "points-3x4",
    "slider",
    "strip",
];

/// Metrics that take longer are left out unless they are named.
const PATIENCE: f64 = 60.0;

/// How long a solve took.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct BenchJson {
    /// Version of the document.
    schema: u32,
    /// The variant.
    variant: String,
    /// The name that people see.
    #[serde(skip)]
    title: String,
    /// The metric.
    metric: &'static str,
    /// The instructions used.
    kernel: &'static str,
    /// Threads.
    threads: usize,
    /// Positions that the solution stands for.
    positions: u128,
    /// Seconds of the solve alone.
    seconds: f64,
    /// Positions a second.
    positions_per_second: f64,
    /// Most memory that the process had.
    peak_memory_bytes: Option<u64>,
    /// Signature of the values.
    signature: String,
}

pub(super) fn run(session: &Session, args: &BenchArgs) -> Result<CommandReport> {
    let names: Vec<&str> = if args.variants.is_empty() {
        DEFAULT.to_vec()
    } else {
        args.variants.iter().map(String::as_str).collect()
    };
    let read = |name| session.variant(name);
    let variants = names.into_iter().map(read);
    let variants = variants.collect::<Result<Vec<Variant>>>()?;
    let mut work = Vec::new();
    for variant in &variants {
        let rules = variant.rules();
        let named = chosen(&args.metric, rules);
        let metrics = named.as_ref().unwrap_or(&rules.metrics);
        let mut solves = Vec::new();
        let mut left_out = Vec::new();
        let mut least_too_large = None;
        let mut takes_long = false;
        for metric in metrics {
            let solve = Solves::plan(session, args, variant, *metric)?;
            let fits = solve.signed.fits().map_err(Error::from);
            match (fits, &named) {
                (fits, Some(_)) => fits?,
                (Err(too_large), None) => {
                    left_out.push(too_large.to_string());
                    let bytes = solve.signed.cost().memory_bytes;
                    if least_too_large
                        .as_ref()
                        .is_none_or(|(least, _)| bytes < *least)
                    {
                        least_too_large = Some((bytes, too_large));
                    }
                    continue;
                }
                (Ok(()), None) => {
                    let cost = solve.signed.cost();
                    if cost.seconds > PATIENCE {
                        takes_long = true;
                        left_out.push(format!(
                            "{} {metric} takes about {}; name it with --metric to wait for it",
                            cost.variant,
                            seconds(cost.seconds)
                        ));
                        continue;
                    }
                }
            }
            solves.push(solve);
        }
        if solves.is_empty() {
            // What takes too long can be waited for; else the smallest says what is lacking.
            if let Some((_, too_large)) = least_too_large.filter(|_| !takes_long) {
                return Err(too_large.within("nothing to time").into());
            }
            anyhow::bail!("nothing to time: {}", left_out.join("; "));
        }
        if !args.variants.is_empty() {
            for reason in left_out {
                session.remark(&format!("left out: {reason}"));
            }
        }
        work.extend(solves);
    }
    let mut list = Vec::new();
    for solves in work {
        list.push(session.tablebase.on_threads(|| solves.run(session))?);
    }
    let used: Vec<&str> = list.iter().map(|bench| bench.kernel).collect();
    tell_unused(session, args.kernel, &used);
    Ok(CommandReport::with(ListReport::new(list, picture)))
}

/// What is timed: a solve for the counts, without the leaves that a signature takes, and another one for
/// the signature.
struct Solves<'v> {
    variant: &'v Variant,
    metric: Metric,
    counts: Task<'v>,
    signed: PreparedSolve<'v, TaskResult>,
}

impl<'v> Solves<'v> {
    fn plan(
        session: &Session,
        args: &BenchArgs,
        variant: &'v Variant,
        metric: Metric,
    ) -> Result<Solves<'v>> {
        let task = |wanted| Task {
            variant,
            metric,
            kernel: args.kernel,
            memory: session.tablebase.memory(),
            wanted,
            checkpoint: None,
            scratch: None,
            quick: false,
        };
        let signed = task(Product::Signature);
        Ok(Solves {
            variant,
            metric,
            counts: task(Product::Counts),
            signed: session.tablebase.on_threads(|| signed.plan())?,
        })
    }

    fn run(self, session: &Session) -> Result<BenchJson> {
        let progress = session.tablebase.progress();
        let counts = self.counts.plan()?;
        reset_peak_memory();
        let timed = counts.run(progress)?;
        let peak = peak_memory();
        let signed = self.signed.run(progress)?;
        let variant = self.variant.rules().title();
        anyhow::ensure!(
            timed.summary == signed.summary,
            "two solves of {variant} for {} differ; please report this",
            self.metric
        );
        let positions = timed.positions;
        Ok(BenchJson {
            schema: SCHEMA,
            variant: self.variant.rules().title().to_string(),
            title: self.variant.rules().title().into(),
            metric: self.metric.name(),
            kernel: timed.kernel,
            threads: session.tablebase.threads(),
            positions,
            seconds: timed.seconds,
            positions_per_second: positions as f64 / timed.seconds.max(1e-9),
            peak_memory_bytes: peak,
            signature: signed
                .signature
                .map(|signature| signature.to_string())
                .unwrap_or_default(),
        })
    }
}

/// One line a solve under the name of its variant, at most 80 columns wide.
fn picture(list: &[BenchJson]) -> String {
    let header = [
        "metric",
        "kernel",
        "time",
        "positions/s",
        "memory",
        "signature",
    ];
    let mut rows = vec![header.map(String::from).to_vec()];
    for bench in list {
        rows.push(vec![
            bench.metric.into(),
            bench.kernel.into(),
            seconds(bench.seconds),
            rounded(bench.positions_per_second),
            bench
                .peak_memory_bytes
                .map_or_else(String::new, |peak| bytes(peak.into())),
            bench.signature.chars().take(8).collect(),
        ]);
    }
    let lines = columns(&rows, 2, &[2, 3, 4]);
    let mut lines = lines.lines();
    let mut text = format!("{}\n", lines.next().unwrap_or_default());
    let mut variant = "";
    for (bench, line) in list.iter().zip(lines) {
        if bench.variant != variant {
            variant = &bench.variant;
            text.push_str(&format!("{}\n", bench.title));
        }
        text.push_str(&format!("{line}\n"));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_widest_line_fits_a_terminal() {
        let name = "classic-3x4:play=misere,supply=pool99,stalemate=pass";
        let bench = BenchJson {
            schema: SCHEMA,
            variant: name.into(),
            title: name.into(),
            metric: "distance",
            kernel: "portable",
            threads: 1024,
            positions: 1 << 64,
            seconds: 999.0,
            positions_per_second: 999.9e9,
            peak_memory_bytes: Some(1023 << 30),
            signature: "0123456789abcdef".into(),
        };
        let text = picture(&[bench]);
        assert!(
            text.contains("999.9 billion") && text.contains("1023.0 GiB"),
            "{text}"
        );
        for line in text.lines() {
            assert!(line.chars().count() <= 80, "{line}");
        }
    }
}
