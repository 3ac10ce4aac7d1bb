//! Tables of boards that are too large to be cut into leaves by index.

use std::path::Path;

use greenwave_table::{FamilyWriter, Hash32, Leaf, Table, encode_families};
use tempfile::{TempDir, tempdir};

use crate::common::{Run, greenwave};
use crate::transcript::Transcript;

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
    // The same values as ever: those of a table that is kept.
    let kept = "b43b4721659e1b5bcfbd26ec0ffc6a6d020afa3e2756e202e63a0be6c5eb7b2d";
    assert_eq!(answer["source"]["signature"], kept);
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
}

#[test]
fn a_sample_is_drawn_from_the_positions_of_a_large_board() {
    let (dir, file) = solved();
    let ask = |args: &[&str]| -> Run { greenwave(dir.path(), args) };
    let mut shown = Transcript::new("too-many-to-be-gone-through");
    let all = shown.run(dir.path(), &["find", &file, "value = loss"]);
    assert_eq!(all.code, 2, "{all:?}");
    shown.settle();
    let drawn = |more: &[&str]| {
        let mut args = vec!["find", &file, "value = loss and moves > 5", "--seed", "3"];
        args.extend(more);
        ask(&args)
    };
    let run = drawn(&["--sample", "6", "--json"]);
    assert_eq!(run.code, 0, "{run:?}");
    let lines: Vec<serde_json::Value> = run
        .stdout
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let (last, matches) = lines.split_last().unwrap();
    assert_eq!(
        (matches.len(), &last["matching"]),
        (6, &6.into()),
        "{run:?}"
    );
    assert!(last["count"].is_null() && last["drawn"].as_u64().unwrap() > 6);
    for found in matches {
        let position = found["position"].as_str().unwrap();
        let answer = ask(&["query", &file, position, "--json"]).json();
        assert_eq!(answer["value"], "loss", "{position}");
        assert_eq!(answer["moves"].as_array().unwrap().len(), found["moves"]);
    }
    // One thread draws the same.
    let alone = drawn(&["--sample", "6", "--json", "-j", "1"]);
    assert_eq!(alone.stdout, run.stdout);
    // 428 of 845,531 positions are lost: as many, about, of those that are drawn.
    let share = ask(&["find", &file, "value = loss", "--sample", "50", "--count"]);
    let told: Vec<u64> = share
        .stdout
        .replace(',', "")
        .split_whitespace()
        .filter_map(|word| word.parse().ok())
        .collect();
    assert_eq!(told[0], 50, "{share:?}");
    assert!((50_000..200_000).contains(&told[1]), "{share:?}");
    // The error names damaged blocks, and nothing is printed before it.
    let path = dir.path().join("thin/value.gwt");
    let mut bytes = std::fs::read(&path).unwrap();
    let directory = bytes.iter().copied().skip(24).take(8).rev();
    let directory = directory.fold(0, |number, byte| number << 8 | usize::from(byte));
    bytes[64..directory].iter_mut().for_each(|byte| *byte ^= 1);
    std::fs::write(&path, bytes).unwrap();
    let damaged = drawn(&["--sample", "6"]);
    assert_eq!(
        (damaged.code, damaged.stdout.as_str()),
        (2, ""),
        "{damaged:?}"
    );
    assert!(damaged.stderr.contains("value.gwt"), "{damaged:?}");
}

#[test]
fn claims_are_settled_from_a_table_of_families() {
    let (dir, _) = solved();
    let claims = dir.path().join("claims.toml");
    std::fs::write(
        &claims,
        "[[claim]]\nid = 1\ntext = \"thin\"\nsource = \"here\"\n[[claim.test]]\nkind = \"value\"\n\
         variant = \"thin.toml\"\nvalue = \"win\"\n[[claim.test]]\nkind = \"moves\"\n\
         variant = \"thin.toml\"\nat-once = \"none\"\n",
    )
    .unwrap();
    let claims = claims.display().to_string();
    let told = greenwave(dir.path(), &["check", &claims, "--json", "--memory", "64M"]).list();
    assert_eq!(told[0]["verdict"], "true", "{told}");
    assert!(!told[0]["signature"].is_null(), "{told}");
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
