//! The sweep of what a position can become: what it takes, predicted and measured, on random undecided
//! positions with fixed seeds.
//!
//! `cargo bench -p greenwave-benches --bench cone -- [VARIANT PLIES [METRIC [COUNT]]]`; without arguments 40
//! positions of 8 boards. Each answer is checked against the positions that it leads to.

#![allow(missing_docs)]

use std::time::Instant;

use greenwave_game::{BoardGame, Code, Figures, Game, Metric, Outcome};
use greenwave_solver::cone::{Way, plan};
use greenwave_values::Silent;

/// Boards, plies before the positions, and how many positions.
const CALIBRATION: [(&str, Metric, u32, u64); 12] = [
    ("classic-4x4", Metric::Value, 4, 4),
    ("classic-4x5", Metric::Value, 6, 3),
    ("classic-4x5", Metric::Distance, 6, 3),
    ("classic-5x5", Metric::Value, 12, 4),
    ("classic-5x5", Metric::Value, 16, 4),
    ("classic-5x5", Metric::Distance, 20, 4),
    ("classic-4x6", Metric::Value, 12, 4),
    ("classic-3x8", Metric::Value, 14, 4),
    ("signal-5x5", Metric::Value, 6, 4),
    ("classic-4x7", Metric::Value, 20, 2),
    ("classic-5x6", Metric::Value, 22, 2),
    ("points-4x5", Metric::Points, 10, 2),
];

struct Random(u64);

impl Random {
    fn below(&mut self, most: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(0xd129_0d3d_2d2b_c9a5)
            .wrapping_add(0x632b_e5ab);
        (self.0 >> 33) as usize % most
    }
}

/// A position after some random plies in which nothing is decided at once.
fn position(game: &BoardGame, plies: u32, seed: u64) -> Code {
    let mut random = Random(seed);
    random.below(1);
    loop {
        let mut position = game.start();
        for _ in 0..plies {
            let mut moves = Vec::new();
            game.moves(&position, &mut moves);
            let children = moves.iter().map(|mv| game.play(&position, *mv).to);
            let calm = children.filter(|to| game.ending(to).is_none() && !game.has_threat(*to));
            let calm: Vec<Code> = calm.collect();
            if calm.is_empty() {
                break;
            }
            position = calm[random.below(calm.len())];
        }
        if position.level_sum() == plies {
            return position;
        }
    }
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

fn peak_bytes() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmHWM"));
    let kib = line.and_then(|line| line.split_whitespace().nth(1)?.parse::<f64>().ok());
    kib.unwrap_or(f64::NAN) * 1024.0
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

/// Sweeps one position; seconds on the clock and of the processor.
fn sweep(name: &str, game: &BoardGame, metric: Metric, plies: u32, seed: u64) -> (f64, f64) {
    let position = position(game, plies, seed);
    let mut moves = Vec::new();
    game.moves(&position, &mut moves);
    let mut asked = vec![position];
    asked.extend(moves.iter().map(|mv| game.play(&position, *mv).to));
    let (wall, cpu) = (Instant::now(), cpu_seconds());
    // A new peak from here on.
    let _ = std::fs::write("/proc/self/clear_refs", "5");
    let planned = plan(game, &asked, metric, Way::default()).expect("treated");
    let planning = cpu_seconds() - cpu;
    let cost = planned.cost().clone();
    let found = planned.run(&Silent).expect("it fits");
    let (wall, cpu) = (wall.elapsed().as_secs_f64(), cpu_seconds() - cpu);
    let swept = cpu - planning;
    assert!(is_right(&found[0], &found[1..], metric), "{name} {seed}");
    let threads = rayon::current_num_threads() as f64;
    let peak = peak_bytes();
    println!(
        "{name:12} {metric:8} {plies:3} {:.1e} {:9.3} {:9.3} {:5.2} {:9.3} {:9.3} {:8.1} {:8.1}  {}",
        cost.positions as f64,
        cost.seconds * threads,
        swept,
        swept / (cost.seconds * threads),
        wall,
        planning,
        cost.memory_bytes as f64 / f64::from(1 << 20),
        peak / f64::from(1 << 20),
        game.position_text(&position),
    );
    (wall, cpu)
}

fn median(mut numbers: Vec<f64>) -> f64 {
    numbers.sort_by(f64::total_cmp);
    numbers[numbers.len() / 2]
}

fn main() {
    let given: Vec<String> = std::env::args()
        .skip(1)
        .filter(|word| !word.starts_with("--"))
        .collect();
    let number = |text: Option<&String>| text.and_then(|text| text.parse::<u64>().ok());
    println!(
        "variant      metric   ply     box predicted  measured ratio     clock  planning      MiB measured  position"
    );
    let rows: Vec<(String, Metric, u32, u64)> = match given.as_slice() {
        [name, rest @ ..] => {
            let plies = number(rest.first()).unwrap_or(12) as u32;
            let metric = rest
                .get(1)
                .and_then(|text| text.parse().ok())
                .unwrap_or(Metric::Value);
            let count = number(rest.get(2)).unwrap_or(10);
            vec![(name.clone(), metric, plies, count)]
        }
        [] => CALIBRATION
            .iter()
            .map(|(name, metric, plies, count)| ((*name).to_string(), *metric, *plies, *count))
            .collect(),
    };
    for (name, metric, plies, count) in rows {
        let game = BoardGame::named(&name).expect("a board");
        let taken = (0..count).map(|seed| sweep(&name, &game, metric, plies, seed));
        let (walls, cpus): (Vec<f64>, Vec<f64>) = taken.unzip();
        println!(
            "{name} {metric} after {plies}: median {:.3} s, {:.3} s of the processor",
            median(walls),
            median(cpus)
        );
    }
}
