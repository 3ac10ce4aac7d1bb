//! Tables of families, on boards that are small enough to look at every position.

use std::fs;
use std::path::Path;
use std::time::Duration;

use greenwave_game::{BoardGame, Dense, Metric, Play, Shape};
use greenwave_table::Table;
use greenwave_values::{Silent, TableValues, ValueSource, Values};

use crate::checkpoint::EVERY;
use crate::packed::grain::Grain;
use crate::packed::loops::Loops;
use crate::packed::plan::PackedPlan;
use crate::packed::scratch::tests::{files, piecemeal};
use crate::packed::solve::{SweepFiles, solve};
use crate::packed::tests::{board, unusual};
use crate::sweep::Kernel;
use greenwave_solver::plain;

fn plan(game: &BoardGame) -> PackedPlan<'_> {
    PackedPlan {
        with_table: true,
        ..PackedPlan::unweighed(game, Metric::Value, Kernel::best()).unwrap()
    }
}

fn to(path: &Path) -> SweepFiles<'_> {
    SweepFiles {
        table: Some(path),
        ..SweepFiles::default()
    }
}

fn boards() -> Vec<BoardGame> {
    let bent = Shape::with_gaps(3, 4, |file, rank| rank == 0 || file < 2).unwrap();
    let square = Shape::rectangle(3, 3).unwrap();
    vec![
        board("classic-3x3"),
        board("signal-2x4"),
        board("classic-1x8"),
        board("classic-3x3:play=misere"),
        unusual(bent, 2, &[&[1, 1, 1], &[2, 2, 2]], Play::Normal),
        // One way round only, so that no mirror keeps it.
        unusual(square, 3, &[&[1, 2, 3], &[3, 3, 3]], Play::Normal),
    ]
}

#[test]
fn positions_have_their_values() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("value.gwt");
    for game in boards() {
        let expected = Values::from(plain::solve(&game, Metric::Value, &Silent).unwrap());
        let solution = solve(&plan(&game), to(&path), &Silent).unwrap();
        let table = Table::open(&path).unwrap();
        let report = solution.table.unwrap();
        assert_eq!(
            (report.bytes, report.signature),
            (table.bytes(), table.meta().signature)
        );
        assert_eq!(table.meta().summary, solution.summary);
        assert_eq!(table.check().unwrap().positions, table.meta().packed);
        let values = TableValues::new(&game, &table).unwrap();
        assert!(values.load().is_err());
        for index in (0..game.indexable() as u64).step_by(11) {
            let Some(position) = game.at(index) else {
                continue;
            };
            let known = expected.figures_of(&game, &position);
            assert_eq!(
                values.figures(&position).unwrap(),
                known,
                "{game:?} {index}"
            );
        }
    }
}

#[test]
fn kernels_grains_and_memory_leave_no_trace() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("value.gwt");
    for game in [board("classic-3x4"), board("signal-1x10")] {
        solve(&plan(&game), to(&path), &Silent).unwrap();
        let expected = fs::read(&path).unwrap();
        for kernel in Kernel::ALL
            .into_iter()
            .filter(|kernel| kernel.is_supported())
        {
            for grain in Grain::of(Metric::Value) {
                for cache in [None, Some(0)] {
                    let plan = PackedPlan {
                        loops: Loops::of(kernel),
                        grain: *grain,
                        cache,
                        piece: 1,
                        task: 1,
                        ..plan(&game)
                    };
                    let waves = folder.path().join("value.waves");
                    let keep = SweepFiles {
                        scratch: Some(&waves),
                        ..to(&path)
                    };
                    solve(&plan, keep, &Silent).unwrap();
                    let same = fs::read(&path).unwrap() == expected;
                    assert!(same, "{kernel} {grain:?} {cache:?}");
                }
            }
        }
    }
}

#[test]
fn an_interrupted_table_is_gone_on_with() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("value.gwt");
    let (left, waves) = (
        folder.path().join("value.checkpoint"),
        folder.path().join("value.waves"),
    );
    let game = board("classic-3x4");
    let expected = solve(&plan(&game), to(&path), &Silent).unwrap();
    let bytes = fs::read(&path).unwrap();
    for (cache, every) in [(None, EVERY), (None, Duration::ZERO), (Some(0), EVERY)] {
        fs::remove_file(&path).unwrap();
        let plan = PackedPlan {
            cache,
            piece: 1,
            task: 1,
            ..plan(&game)
        };
        let keep = SweepFiles {
            checkpoint: Some(&left),
            scratch: Some(&waves),
            every,
            ..to(&path)
        };
        let (found, times) = piecemeal(&plan, keep, 100_000);
        assert!(times > 1);
        assert_eq!(found, expected);
        assert!(fs::read(&path).unwrap() == bytes);
        assert_eq!(files(folder.path()), ["value.gwt"]);
    }
}

#[test]
fn a_table_that_a_checkpoint_counts_on_must_be_there() {
    use greenwave_testkit::StopCounter;

    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("value.gwt");
    let left = folder.path().join("value.checkpoint");
    let game = board("classic-3x4");
    let plan = plan(&game);
    let keep = SweepFiles {
        checkpoint: Some(&left),
        every: EVERY,
        ..to(&path)
    };
    solve(&plan, keep, &StopCounter::until(100_000)).unwrap_err();
    let part = folder.path().join("value.gwt.part");
    fs::write(&part, b"cut").unwrap();
    let error = solve(&plan, keep, &Silent).unwrap_err().to_string();
    assert!(error.contains("value.gwt"), "{error}");
    fs::remove_dir_all(&left).unwrap();
    solve(&plan, keep, &Silent).unwrap();
    assert_eq!(files(folder.path()), ["value.gwt"]);
}
