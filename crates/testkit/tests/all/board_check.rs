//! The wave-wise check of board tables against the general one, on sound and on wrong tables.

use std::path::Path;

use greenwave_game::{BoardGame, Dense, Game, Metric, Packing, Play, RuleFile, Variant};
use greenwave_probe::{BoardCheck, VerifyResult, verify};
use greenwave_solver::solve;
use greenwave_table::Table;
use greenwave_values::{Codes, DenseValues, Silent, TableValues, Values, summarise, write_table};

const MEMORY: u64 = 1 << 30;

fn both(game: &BoardGame, path: &Path) -> (VerifyResult, VerifyResult) {
    let table = Table::open(path).unwrap();
    let values = TableValues::new(game, &table).unwrap();
    let check = BoardCheck::new(&values, game).expect("treated");
    assert!(check.memory_bytes() > 0);
    let by_waves = check.run(&|_| ()).unwrap();
    (by_waves, verify(&values, game, &|_| ()).unwrap())
}

fn hold(variant: &Variant) {
    let Variant::Board(game) = variant else {
        panic!("{variant:?} is no board");
    };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("table.gwt");
    for metric in &game.rules().metrics {
        let values = solve(variant, *metric, MEMORY, &Silent).unwrap();
        let summary = summarise(game, &values);
        write_table(game, &values, &summary, &path, &Silent).unwrap();
        let (by_waves, in_full) = both(game, &path);
        assert_eq!(by_waves, in_full, "{metric}");
        assert_eq!(by_waves.mismatches, 0, "{metric}: {by_waves:?}");
        // One wrong value, low, in the middle and high in the index.
        let packing = game.packing(*metric);
        let packed: Vec<u64> = (0..game.indexable() as u64)
            .filter(|index| game.implied(packing, *index).is_none())
            .collect();
        for number in [1, packed.len() / 2, packed.len() - 1] {
            let wrong = changed(&values, packed[number]);
            write_table(game, &wrong, &summary, &path, &Silent).unwrap();
            let (by_waves, in_full) = both(game, &path);
            assert_eq!(by_waves, in_full, "{metric}");
            assert!(by_waves.mismatches > 0, "{metric} of index {number}");
        }
    }
    let unpacked = game.packing(Metric::Value) == Packing::Undecided;
    assert_eq!(unpacked, game.board().play == Play::Normal);
}

fn changed(values: &Values, index: u64) -> Values {
    let values = values.as_dense().unwrap();
    let mut codes: Vec<u8> = (0..values.len())
        .map(|index| values.code(index) as u8)
        .collect();
    let code = &mut codes[index as usize];
    *code = if values.metric() == Metric::Value {
        1 - *code
    } else {
        *code + 1
    };
    DenseValues::new(values.metric(), Codes::Bytes(codes)).into()
}

#[test]
fn small_boards_are_checked_alike() {
    for name in [
        "classic-1x5",
        "green-3x3",
        "signal-4x2",
        "classic-2x4:play=misere",
    ] {
        hold(&Variant::parse(name).unwrap());
    }
}

#[test]
#[cfg_attr(not(feature = "slow-tests"), ignore = "some seconds")]
fn larger_boards_are_checked_alike() {
    for name in ["classic-3x3", "classic-2x5:play=misere"] {
        hold(&Variant::parse(name).unwrap());
    }
}

#[test]
fn gaps_and_few_levels_are_checked_alike() {
    for (play, levels) in [("normal", 2), ("misere", 2), ("normal", 1)] {
        let patterns = ["\"111\"", "\"222\""][..levels].join(", ");
        let text = format!(
            "title = \"Ring\"\npatterns = [{patterns}]\nplay = \"{play}\"\n\n\
             [board]\noutline = \"####/#--#/####\"\nlevels = {levels}\n"
        );
        let file = RuleFile::parse("ring.toml", &text).unwrap_or_else(|error| panic!("{error}"));
        hold(&file.variant);
    }
}
