//! The sweep of what a position can become: its time, predicted and measured, on random undecided positions
//! with fixed seeds.
//!
//! `cargo bench -p greenwave-benches --bench cone -- [VARIANT PLIES [METRIC [COUNT]]]`; without arguments 40
//! positions of 10 variants. Each answer is checked against the positions that it leads to. The table at the
//! end is that of `docs/algorithms.md`.

#![allow(missing_docs)]

use std::fmt::Write as _;
use std::time::Instant;

use greenwave_game::{BoardGame, Code, Figures, Game, Metric, Outcome};
use greenwave_sweep::cone::{ConeOptions, plan};
use greenwave_tablebase::{peak_memory, reset_peak_memory};
use greenwave_testkit::{SeededNumbers, calm_position};
use greenwave_values::Silent;

/// Boards, plies before the positions, and how many positions.
const CALIBRATION: [(&str, Metric, u32, u64); 13] = [
    ("classic-4x4", Metric::Value, 4, 3),
    ("classic-4x5", Metric::Value, 6, 3),
    ("classic-4x5", Metric::Distance, 6, 3),
    ("points-4x5", Metric::Points, 10, 2),
    ("green-4x5", Metric::Value, 10, 2),
    ("classic-5x5", Metric::Value, 12, 4),
    ("classic-5x5", Metric::Value, 16, 4),
    ("classic-5x5", Metric::Distance, 20, 3),
    ("signal-5x5", Metric::Value, 6, 4),
    ("classic-4x6", Metric::Value, 12, 4),
    ("classic-3x8", Metric::Value, 14, 4),
    ("classic-4x7", Metric::Value, 20, 2),
    ("classic-5x6", Metric::Value, 22, 2),
];

/// What was predicted and measured, in processor seconds.
struct Row {
    // The cells of its row before the figures.
    what: String,
    predicted: f64,
    measured: f64,
}

impl Row {
    fn ratio(&self) -> f64 {
        self.measured / self.predicted
    }
}

/// A position after so many random plies in which nothing is decided at once.
fn position(game: &BoardGame, plies: u32, seed: u64) -> Code {
    let mut seeded = SeededNumbers::new(seed);
    let found = (0..100_000).find_map(|_| calm_position(game, plies.into(), &mut seeded));
    found.unwrap_or_else(|| panic!("no game of {plies} plies stays undecided"))
}

/// Of all threads, where the system tells.
fn cpu_seconds() -> f64 {
    let threads = std::fs::read_dir("/proc/self/task").into_iter().flatten();
    let told = threads.filter_map(|thread| {
        let told = std::fs::read_to_string(thread.ok()?.path().join("schedstat")).ok()?;
        told.split_whitespace().next()?.parse::<f64>().ok()
    });
    told.sum::<f64>() * 1e-9
}

fn median(mut numbers: Vec<f64>) -> f64 {
    numbers.sort_by(f64::total_cmp);
    numbers[numbers.len() / 2]
}

fn is_right(position: &Figures, children: &[Figures], metric: Metric) -> bool {
    match metric {
        Metric::Value => {
            let wins = children
                .iter()
                .any(|child| child.value == Some(Outcome::Loss));
            position.value == Some(if wins { Outcome::Win } else { Outcome::Loss })
        }
        Metric::Distance => {
            let plies = |child: &&Figures| child.distance.map(|plies| plies.0 + 1);
            let lost = children
                .iter()
                .filter(|child| child.value == Some(Outcome::Loss));
            let expected = match position.value {
                Some(Outcome::Win) => lost.filter_map(|child| plies(&child)).min(),
                _ => children.iter().filter_map(|child| plies(&child)).max(),
            };
            position.distance.map(|plies| plies.0) == expected
        }
        Metric::Nimber => children.iter().all(|child| child.nimber != position.nimber),
        Metric::Points | Metric::Odds => position.points.is_some(),
    }
}

/// Sweeps one position; also gives the seconds on the clock and of the processor, those of the plan included.
fn sweep(name: &str, game: &BoardGame, metric: Metric, plies: u32, seed: u64) -> (Row, f64, f64) {
    let position = position(game, plies, seed);
    let mut moves = Vec::new();
    game.moves(&position, &mut moves);
    let mut asked = vec![position];
    asked.extend(moves.iter().map(|mv| game.play(&position, *mv).to));
    let (wall, cpu) = (Instant::now(), cpu_seconds());
    reset_peak_memory();
    let planned = plan(game, &asked, metric, ConeOptions::default()).expect("treated");
    let planning = cpu_seconds() - cpu;
    let cost = planned.cost().clone();
    let found = planned.run(&Silent).expect("it fits");
    let (wall, cpu) = (wall.elapsed().as_secs_f64(), cpu_seconds() - cpu);
    assert!(is_right(&found[0], &found[1..], metric), "{name} {seed}");
    let peak = peak_memory().map_or(f64::NAN, |bytes| bytes as f64);
    let row = Row {
        what: format!(
            "{name} | {metric} | {plies} | {}",
            powers_of_ten(cost.positions as f64)
        ),
        predicted: cost.seconds * rayon::current_num_threads() as f64,
        measured: cpu - planning,
    };
    println!(
        "{name:12} {metric:8} {plies:3} {:.1e} {:9.3} {:9.3} {:5.2} {:9.3} {:9.3} {:8.1} {:8.1}  {}",
        cost.positions as f64,
        row.predicted,
        row.measured,
        row.ratio(),
        wall,
        planning,
        cost.memory_bytes as f64 / f64::from(1 << 20),
        peak / f64::from(1 << 20),
        game.position_text(&position),
    );
    (row, wall, cpu)
}

/// A large number as people write it, such as 1.5 × 10¹³.
fn powers_of_ten(number: f64) -> String {
    let text = format!("{number:.1e}");
    let (digits, power) = text.split_once('e').unwrap_or((&text, "0"));
    let power = power.chars().map(|digit| match digit.to_digit(10) {
        Some(digit) => ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'][digit as usize],
        None => digit,
    });
    format!("{digits} × 10{}", power.collect::<String>())
}

/// Two significant digits, but no more than three decimals.
fn short(seconds: f64) -> String {
    match seconds {
        10.0.. => format!("{seconds:.0}"),
        1.0.. => format!("{seconds:.1}"),
        0.1.. => format!("{seconds:.2}"),
        _ => format!("{seconds:.3}"),
    }
}

fn table(rows: &[Row]) -> String {
    let mut text = String::from(
        "| variant | metric | plies | box | predicted | measured | ratio |\n| --- | --- | --- | --- | --- | --- | --- |\n",
    );
    for row in rows {
        let (predicted, measured) = (short(row.predicted), short(row.measured));
        let _ = writeln!(
            text,
            "| {} | {predicted} s | {measured} s | {:.2} |",
            row.what,
            row.ratio()
        );
    }
    text
}

/// How far predictions are off: the least and the greatest ratio, and how many are within a factor of two.
fn verdict(rows: &[Row]) -> String {
    let within = rows
        .iter()
        .filter(|row| (0.5..=2.0).contains(&row.ratio()))
        .count();
    let least = rows.iter().map(Row::ratio).fold(f64::INFINITY, f64::min);
    let most = rows.iter().map(Row::ratio).fold(0.0, f64::max);
    let all = rows.len();
    format!(
        "{within} of {all} are within a factor of two; measured / predicted is {least:.2} to {most:.2}"
    )
}

fn main() {
    let given: Vec<String> = std::env::args()
        .skip(1)
        .filter(|word| !word.starts_with("--"))
        .collect();
    let number = |text: Option<&String>| text.and_then(|text| text.parse::<u64>().ok());
    let rows: Vec<(String, Metric, u32, u64)> = match given.as_slice() {
        [name, rest @ ..] => {
            let plies = number(rest.first()).unwrap_or(12) as u32;
            let metric = rest
                .get(1)
                .and_then(|text| text.parse().ok())
                .unwrap_or(Metric::Value);
            let count = number(rest.get(2)).unwrap_or(10).max(1);
            vec![(name.clone(), metric, plies, count)]
        }
        [] => CALIBRATION
            .iter()
            .map(|(name, metric, plies, count)| ((*name).to_string(), *metric, *plies, *count))
            .collect(),
    };
    println!(
        "variant      metric   ply     box predicted  measured ratio     clock  planning      MiB measured  position"
    );
    let mut swept = Vec::new();
    for (name, metric, plies, count) in rows {
        let game = BoardGame::named(&name).expect("a board");
        let (mut walls, mut cpus) = (Vec::new(), Vec::new());
        for seed in 0..count {
            let (row, wall, cpu) = sweep(&name, &game, metric, plies, seed);
            swept.push(row);
            walls.push(wall);
            cpus.push(cpu);
        }
        println!(
            "{name} {metric} after {plies}: median {:.3} s, {:.3} s of the processor",
            median(walls),
            median(cpus)
        );
    }
    println!("{}", verdict(&swept));
    print!("{}", table(&swept));
}
