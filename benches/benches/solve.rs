//! Whole solves in memory, beside a plain loop with one byte per position as the measure.

#![allow(missing_docs)]

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use greenwave_game::{BoardGame, Dense, Game, Metric, Outcome, Variant};
use greenwave_solver::{Product, Task, solve, sweep::Kernel};
use greenwave_values::{Silent, distance_code};

/// Backward induction as one would first write it: one byte per position, one thread, the largest
/// index first. The measure that engines are compared with.
fn plain_loop(game: &BoardGame, squares: u32) -> Vec<u8> {
    let targets: Vec<(u64, u64)> = game.targets().collect();
    let mut codes = vec![0_u8; 1 << (2 * squares)];
    for index in (0..codes.len()).rev() {
        if targets
            .iter()
            .any(|(mask, value)| index as u64 & mask == *value)
        {
            codes[index] = distance_code::LOST;
            continue;
        }
        let mut least = u8::MAX;
        for square in 0..squares {
            if index >> (2 * square) & 3 != 3 {
                least = least.min(codes[index + (1 << (2 * square))]);
            }
        }
        codes[index] = distance_code::from_worst_child(least);
    }
    codes
}

fn solves(c: &mut Criterion) {
    let mut group = c.benchmark_group("solve");
    group.sample_size(10);
    for (name, squares, plies) in [("classic-3x3", 9_u32, 17), ("classic-3x4", 12, 26)] {
        let variant = Variant::parse(name).expect("a name of the catalogue");
        group.throughput(Throughput::Elements(1 << (2 * squares)));
        let Variant::Board(game) = &variant else {
            unreachable!("a board")
        };
        group.bench_function(format!("{name}/plain loop"), |b| {
            b.iter(|| {
                let (_, distance) = distance_code::decode(plain_loop(game, squares)[0]);
                assert_eq!(distance.map(|plies| plies.0), Some(plies));
            });
        });
        for metric in [Metric::Value, Metric::Distance, Metric::Nimber] {
            group.bench_function(format!("{name}/{metric}"), |b| {
                b.iter(|| {
                    let values = solve(&variant, metric, u64::MAX, &Silent).expect("it fits");
                    let start = values.figures(0);
                    match metric {
                        Metric::Distance => {
                            assert_eq!(start.distance.map(|plies| plies.0), Some(plies));
                        }
                        Metric::Nimber => {
                            assert_eq!(start.nimber == Some(0), plies % 2 == 0);
                        }
                        Metric::Value | Metric::Points | Metric::Odds => assert_eq!(
                            start.value.map(|value| value.name() == "loss"),
                            Some(plies % 2 == 0)
                        ),
                    }
                });
            });
        }
    }
    group.finish();
}

/// Games of listed positions: every position that play reaches, found and valued.
fn listed(c: &mut Criterion) {
    let mut group = c.benchmark_group("solve");
    group.sample_size(10);
    for (name, positions, plies) in [
        ("ampel-4-3-1", 31_586, Some(24)),
        ("ampel-5-2-2", 258_260, None),
        ("ampel-5-3-3", 22_444_306, None),
    ] {
        let variant = Variant::parse(name).expect("a name of the catalogue");
        let Variant::Ampel(game) = &variant else {
            unreachable!("Ampel")
        };
        group.throughput(Throughput::Elements(positions));
        group.bench_function(format!("{name}/distance"), |b| {
            b.iter(|| {
                let values = solve(&variant, Metric::Distance, u64::MAX, &Silent).expect("it fits");
                let start = values.figures(game.index(&game.start()));
                assert_eq!(start.distance.map(|plies| plies.0), plies);
            });
        });
    }
    group.finish();
}

// Games with moves that stay in their tier.
fn strips(c: &mut Criterion) {
    let mut group = c.benchmark_group("solve");
    group.sample_size(10);
    for (name, metric, value, points, plies) in [
        ("slider", Metric::Points, Outcome::Win, Some(1), None),
        (
            "slider:score=win",
            Metric::Distance,
            Outcome::Win,
            None,
            Some(49),
        ),
        ("strip", Metric::Value, Outcome::Draw, None, None),
        ("strip", Metric::Distance, Outcome::Draw, None, None),
        (
            "strip:repeat=ban",
            Metric::Distance,
            Outcome::Win,
            None,
            Some(55),
        ),
    ] {
        let variant = Variant::parse(name).expect("a name of the catalogue");
        let indexable = variant.indexable() as u64;
        group.throughput(Throughput::Elements(indexable));
        group.bench_function(format!("{name}/{metric}"), |b| {
            b.iter(|| {
                let values = solve(&variant, metric, u64::MAX, &Silent).expect("it fits");
                let start = values.figures(0);
                assert_eq!((start.value, start.points), (Some(value), points));
                assert_eq!(start.distance.map(|plies| plies.0), plies);
            });
        });
    }
    group.finish();
}

// Games with chance: states of all boards, to counts.
fn bags(c: &mut Criterion) {
    let mut group = c.benchmark_group("solve");
    group.sample_size(10);
    for (name, expectation) in [
        ("bag-classic-2x3", 0.296_979),
        ("bag-classic-3x3", -0.113_847),
    ] {
        let variant = Variant::parse(name).expect("a name of the catalogue");
        let indexable = variant.indexable() as u64;
        group.throughput(Throughput::Elements(indexable));
        let task = Task {
            variant: &variant,
            metric: Metric::Odds,
            kernel: Kernel::best(),
            memory: u64::MAX,
            wanted: Product::Counts,
            checkpoint: None,
            scratch: None,
            quick: false,
        };
        group.bench_function(format!("{name}/odds"), |b| {
            b.iter(|| {
                let planned = task.clone().plan().expect("an engine");
                let start = planned.run(&Silent).expect("it fits").summary.start;
                let odds = start.odds.expect("odds");
                assert!((odds.expectation - expectation).abs() < 1e-6);
            });
        });
    }
    group.finish();
}

criterion_group!(benches, solves, strips, bags, listed);
criterion_main!(benches);
