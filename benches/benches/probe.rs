//! One position looked up in an open table whose block is in memory, and in one just opened.

#![allow(missing_docs)]

use criterion::{Criterion, criterion_group, criterion_main};
use greenwave_game::{BoardGame, Game, Metric, Outcome, Variant};
use greenwave_solver::solve;
use greenwave_table::Table;
use greenwave_values::{Silent, TableValues, ValueSource, summarise, write_table};

fn probes(c: &mut Criterion) {
    let variant = Variant::parse("classic-3x4").expect("a name of the catalogue");
    let Variant::Board(game) = &variant else {
        unreachable!("a board")
    };
    let dir = tempfile::tempdir().expect("a folder");
    let path = dir.path().join("distance.gwt");
    let values = solve(&variant, Metric::Distance, u64::MAX, &Silent).expect("it fits");
    let summary = summarise(game, &values);
    write_table(game, &values, &summary, &path, &Silent).expect("it can be written");

    let mut group = c.benchmark_group("probe");
    let position = game.parse_position("..../.R../....").expect("a position");
    let table = Table::open(&path).expect("a table");
    let source = TableValues::new(game, &table).expect("its own table");
    group.bench_function("classic-3x4/cached", |b| b.iter(|| ask(&source, &position)));
    group.bench_function("classic-3x4/open and probe", |b| {
        b.iter(|| {
            let table = Table::open(&path).expect("a table");
            ask(
                &TableValues::new(game, &table).expect("its own table"),
                &position,
            );
        });
    });
    group.finish();
}

fn ask(source: &TableValues<'_, BoardGame>, position: &<BoardGame as Game>::Position) {
    let figures = source.figures(position).expect("a whole table");
    assert_eq!(figures.value, Some(Outcome::Win));
    assert_eq!(figures.distance.map(|plies| plies.0), Some(23));
}

criterion_group!(benches, probes);
criterion_main!(benches);
