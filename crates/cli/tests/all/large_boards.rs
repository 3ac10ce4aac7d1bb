//! Tables of boards that are too large to be cut into leaves by index.

use std::path::Path;

use greenwave_table::{FamilyWriter, Hash32, Leaf, Table, encode_families};
use tempfile::{TempDir, tempdir};

use crate::common::{Run, greenwave};

// 4²⁴ positions, of which red alone leaves few undecided.
const THIN: &str = "patterns = [\"111\"]\n[board]\nsize = \"4x6\"\nlevels = 1\n";

fn solved() -> (TempDir, String) {
    let dir = tempdir().unwrap();
    let file = dir.path().join("thin.toml");
    std::fs::write(&file, THIN).unwrap();
    let file = file.display().to_string();
    greenwave(dir.path(), &["solve", &file, "--metric", "value"]).ok();
    (dir, file)
}

// The values of a table, one of them changed.
fn changed(path: &Path) {
    let table = Table::open(path).unwrap();
    let meta = table.meta().clone();
    let (layout, rules) = (table.layout().clone(), Hash32(meta.rules_hash.0));
    let mut writer = FamilyWriter::create(path, layout.clone(), rules, None).unwrap();
    for frame in 0..table.frames() {
        let sum = table.wave_of(frame).unwrap();
        let mut families: Vec<_> = table
            .families(frame)
            .unwrap()
            .into_iter()
            .map(|(key, view)| {
                let (count, payload) = (view.count(), view.payload().to_vec());
                (key, Leaf { count, payload })
            })
            .collect();
        if frame == 0 {
            families[0].1.payload[0] ^= 1;
        }
        let frame = encode_families(&layout, &families);
        writer.append(sum, &frame).unwrap();
    }
    writer.finish(meta).unwrap();
}

#[test]
fn every_command_answers_from_a_table_of_families() {
    let (dir, file) = solved();
    let ask = |args: &[&str]| -> Run { greenwave(dir.path(), args) };
    let answer = ask(&["query", &file, "--json"]).json();
    assert_eq!(answer["source"]["kind"], "table");
    // A search of its own says the same of the start and of each move.
    let elsewhere = tempdir().unwrap();
    let searched = greenwave(elsewhere.path(), &["query", &file, "--json"]).json();
    assert_ne!(searched["source"]["kind"], "table");
    let values = |answer: &serde_json::Value| {
        let moves = answer["moves"].as_array().unwrap();
        let mut values: Vec<(String, String)> = moves
            .iter()
            .map(|mv| (mv["move"].to_string(), mv["value"].to_string()))
            .collect();
        values.sort();
        (answer["value"].clone(), values)
    };
    assert_eq!(values(&answer), values(&searched));
    let line = ask(&["line", &file, "--json"]).json();
    assert!(!line["plies"].as_array().unwrap().is_empty());
    let stats = ask(&["stats", &file, "--json"]).json();
    assert_eq!(stats["by_value"]["win"], 845_103);
    assert_eq!(stats["by_value"]["loss"], 428);
    let whole = ask(&["verify", &file, "--json"]).json();
    assert_eq!(
        (&whole["ok"], &whole["positions"]),
        (&true.into(), &351.into())
    );
    let some = ask(&["verify", &file, "--sample", "20", "--seed", "1", "--json"]).json();
    assert_eq!(
        (&some["ok"], &some["positions"]),
        (&true.into(), &20.into())
    );
    let refused = ask(&["find", &file, "value = loss"]);
    assert_eq!(refused.code, 2, "{refused:?}");
}

#[test]
fn a_wrong_value_and_a_flipped_bit_are_found() {
    let (dir, file) = solved();
    let path = dir.path().join("thin/value.gwt");
    let good = std::fs::read(&path).unwrap();
    for place in (0..good.len()).step_by(97) {
        let mut bad = good.clone();
        bad[place] ^= 4;
        std::fs::write(&path, &bad).unwrap();
        let run = greenwave(dir.path(), &["verify", &file]);
        assert_eq!(run.code, 2, "byte {place}: {run:?}");
        assert!(run.stderr.contains("value.gwt"), "byte {place}: {run:?}");
    }
    std::fs::write(&path, &good).unwrap();
    changed(&path);
    let run = greenwave(dir.path(), &["verify", &file, "--json"]);
    assert_eq!(run.code, 1, "{run:?}");
    let found: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
    assert!(found["mismatches"].as_u64().unwrap() > 0, "{found}");
}
