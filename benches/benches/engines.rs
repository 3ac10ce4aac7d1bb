//! The two sweeps of boards beside one another: time and peak memory of the sweep, to counts and to the values
//! of all positions, and of the packed sweep to counts.
//!
//! `cargo bench -p greenwave-benches --bench engines`. The counts of both are compared. The table is that of
//! `docs/architecture.md`.

#![allow(missing_docs)]

use std::time::Instant;

use greenwave_game::{BoardGame, Metric};
use greenwave_sweep::again::{self, SweepOptions};
use greenwave_sweep::sweep::{self, Options, Plan};
use greenwave_table::Summary;
use greenwave_tablebase::{peak_memory, reset_peak_memory};
use greenwave_values::Silent;

const CASES: [(&str, Metric); 11] = [
    ("classic-3x5", Metric::Value),
    ("classic-3x5", Metric::Distance),
    ("classic-3x5", Metric::Nimber),
    ("points-3x5", Metric::Points),
    ("classic-4x4", Metric::Value),
    ("classic-4x4", Metric::Distance),
    ("classic-4x4", Metric::Nimber),
    ("points-4x4", Metric::Points),
    ("classic-4x4:supply=cap6", Metric::Value),
    ("classic-4x4:supply=pool12", Metric::Value),
    ("points-4x4:end=play-on", Metric::Points),
];

/// What a solve found, and the cell of its row.
fn timed(solve: impl FnOnce() -> Option<Summary>) -> (Option<Summary>, String) {
    reset_peak_memory();
    let start = Instant::now();
    let found = solve();
    let seconds = start.elapsed().as_secs_f64();
    let peak = peak_memory().unwrap_or_default() >> 20;
    let cell = match found {
        Some(_) => format!("{seconds:.2} s, {peak} MiB"),
        None => "not treated".into(),
    };
    (found, cell)
}

fn swept(game: &BoardGame, metric: Metric, leaves: bool) -> Option<Summary> {
    let options = Options {
        leaves,
        ..Options::default()
    };
    let plan = Plan::new(game, metric, options)?;
    Some(sweep::solve(&plan, &Silent).expect("it fits").summary)
}

fn packed(game: &BoardGame, metric: Metric) -> Option<Summary> {
    let planned = again::plan(game, metric, SweepOptions::default())?;
    Some(planned.run(&Silent).expect("it fits").summary)
}

fn main() {
    println!("| game | metric | sweep, counts | sweep, all values | packed sweep, counts |");
    println!("| --- | --- | --- | --- | --- |");
    for (name, metric) in CASES {
        let game = BoardGame::named(name).expect("a name of a board");
        let (counts, counted) = timed(|| swept(&game, metric, false));
        let (_, valued) = timed(|| swept(&game, metric, true));
        let (others, packed) = timed(|| packed(&game, metric));
        if let (Some(counts), Some(others)) = (counts, others) {
            assert_eq!(counts.start, others.start, "{name}");
            assert_eq!(counts.by_value, others.by_value, "{name}");
        }
        println!("| `{name}` | {metric} | {counted} | {valued} | {packed} |");
    }
}
