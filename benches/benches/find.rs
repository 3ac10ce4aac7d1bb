//! All positions of the board of 3x4 that an expression describes, counted. The throughput is the
//! number of positions a second: all legal, unfinished ones.

#![allow(missing_docs)]

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use greenwave_game::{Metric, Variant};
use greenwave_judge::{Among, Selection, expr::BoundExpression, expr::KnownValues, find};
use greenwave_solver::solve;
use greenwave_values::Silent;

/// Line-free positions of the board of 3x4.
const UNFINISHED: u64 = 9_038_683;

fn searches(c: &mut Criterion) {
    let variant = Variant::parse("classic-3x4").expect("a name of the catalogue");
    let Variant::Board(game) = &variant else {
        unreachable!("a board")
    };
    let values = solve(&variant, Metric::Value, u64::MAX, &Silent).expect("it fits");
    let known = KnownValues::new(game, &[&values], None);
    let mut group = c.benchmark_group("find");
    group
        .sample_size(10)
        .throughput(Throughput::Elements(UNFINISHED));
    for (text, expected) in [
        ("moves > 0", UNFINISHED),
        ("value = loss", 562_168),
        ("b2 = yellow and count(red) = 3", 626_893),
        ("losing_at_once = moves", 10_007),
    ] {
        let bound = BoundExpression::new(game, text).expect("an expression");
        group.bench_function(format!("classic-3x4/{text}"), |b| {
            b.iter(|| {
                let wanted = Selection {
                    count_only: true,
                    ..Selection::default()
                };
                let found = find(&known, &bound, Among::Legal, wanted, &Silent, &mut |_| {
                    Ok(())
                });
                assert_eq!(found.expect("nothing is written"), expected);
            });
        });
    }
    group.finish();
}

criterion_group!(benches, searches);
criterion_main!(benches);
