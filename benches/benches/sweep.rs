//! The sweep's kernels on whole boards, beside a careful loop with one byte per position.
//!
//! Rates are nominal: indexable positions per second, whether or not a block had to be computed.
//! `every block` computes all of them.

#![allow(missing_docs)]

use std::time::Duration;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use greenwave_game::{BoardGame, Dense, Game, LEAF_BITS, LeafMask, Metric, Packing, Variant};
use greenwave_solver::sweep::{self, Kernel, Options, Plan, Skip};
use greenwave_table::{Figures, Outcome};
use greenwave_values::Silent;

/// What the start must come to.
#[derive(Clone, Copy)]
enum Start {
    Value(Outcome),
    Distance(u32),
    Nimber(u32),
    Points(i32),
}

impl Start {
    fn check(self, found: &Figures) {
        match self {
            Start::Value(value) => assert_eq!(found.value, Some(value)),
            Start::Distance(plies) => assert_eq!(found.distance, Some(plies)),
            Start::Nimber(nimber) => assert_eq!(found.nimber, Some(nimber)),
            Start::Points(points) => assert_eq!(found.points, Some(points)),
        }
    }
}

fn board(name: &str) -> BoardGame {
    match Variant::parse(name) {
        Ok(Variant::Board(game)) => game,
        other => unreachable!("{name}: {other:?}"),
    }
}

/// Win or loss with care but without tricks: one byte a position, one thread, finished positions
/// known beforehand from masks, children looked at until one is lost.
fn one_byte_loop(game: &BoardGame) -> bool {
    let squares = game.rules().cells;
    let total = 1_u64 << (2 * squares);
    let mut lost = vec![0_u8; total as usize];
    let mut mask = LeafMask::default();
    for leaf in (0..total.div_ceil(1 << LEAF_BITS)).rev() {
        game.leaf_mask(Packing::Unfinished, leaf, &mut mask);
        let first = leaf << LEAF_BITS;
        for index in (first..(first + (1 << LEAF_BITS)).min(total)).rev() {
            let finished = !mask.contains((index - first) as u32);
            let wins = || {
                (0..squares).any(|square| {
                    let bit = 1 << (2 * square);
                    index >> (2 * square) & 3 != 3 && lost[(index + bit) as usize] == 1
                })
            };
            lost[index as usize] = u8::from(finished || !wins());
        }
    }
    lost[0] == 1
}

fn baseline(c: &mut Criterion) {
    let mut group = c.benchmark_group("one byte loop");
    group
        .sample_size(10)
        .measurement_time(Duration::from_secs(3));
    let game = board("classic-3x4");
    group.throughput(Throughput::Elements(1 << 24));
    group.bench_function("classic-3x4/value", |b| {
        b.iter(|| assert!(one_byte_loop(&game)));
    });
    group.finish();
}

fn kernels(c: &mut Criterion) {
    let mut group = c.benchmark_group("sweep");
    group
        .sample_size(10)
        .measurement_time(Duration::from_secs(3));
    let cases = [
        ("classic-3x4", Start::Value(Outcome::Loss)),
        ("classic-3x4", Start::Distance(26)),
        ("classic-3x4", Start::Nimber(0)),
        ("points-3x4", Start::Points(-1)),
        ("classic-4x4", Start::Value(Outcome::Loss)),
        ("classic-4x4", Start::Distance(36)),
    ];
    for (name, start) in cases {
        let game = board(name);
        group.throughput(Throughput::Elements(game.indexable() as u64));
        for kernel in Kernel::ALL
            .into_iter()
            .filter(|kernel| kernel.is_supported())
        {
            for skip in [Skip::Decided, Skip::Nothing] {
                let (metric, every) = match start {
                    Start::Value(_) => (Metric::Value, true),
                    Start::Distance(_) => (Metric::Distance, false),
                    Start::Nimber(_) => (Metric::Nimber, false),
                    Start::Points(_) => (Metric::Points, false),
                };
                if skip == Skip::Nothing && !every {
                    continue;
                }
                let blocks = if skip == Skip::Nothing {
                    ", every block"
                } else {
                    ""
                };
                let options = Options {
                    kernel,
                    skip,
                    ..Options::default()
                };
                let Some(plan) = Plan::new(&game, metric, options) else {
                    unreachable!("boards are swept")
                };
                group.bench_function(
                    BenchmarkId::new(format!("{name}/{metric}{blocks}"), kernel),
                    |b| {
                        b.iter(|| {
                            let solved = sweep::solve(&plan, &Silent).expect("it fits");
                            start.check(&solved.summary.start);
                        });
                    },
                );
            }
        }
    }
    group.finish();
}

criterion_group!(benches, baseline, kernels);
criterion_main!(benches);
