//! Move generation: move sequences of fixed length from the start.

#![allow(missing_docs)]

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use greenwave_game::{Game, Variant, perft, with_game};

fn sequences(c: &mut Criterion) {
    let mut group = c.benchmark_group("perft");
    for (name, depth, expected) in [
        ("classic-3x3", 5, 47_016),
        ("classic-3x4", 5, 209_712),
        ("points-3x4:end=play-on", 4, 20_724),
        ("ampel-4-3-1", 20, 321_822),
        ("ampel-5-3-3", 14, 48_312),
        ("slider", 4, 44_088),
        ("strip", 4, 128_713),
    ] {
        let variant = Variant::parse(name).expect("a name of the catalogue");
        group.throughput(Throughput::Elements(expected));
        group.bench_function(format!("{name}/{depth}"), |b| {
            b.iter(|| {
                let nodes = with_game!(&variant, game => perft(game, &game.start(), depth));
                assert_eq!(nodes, Ok(expected));
            });
        });
    }
    group.finish();
}

criterion_group!(benches, sequences);
criterion_main!(benches);
