//! Tables as users meet them: the same bytes whatever the threads, damage found, nothing silent.

use greenwave_game::Variant;
use greenwave_table::{Hash32, Layout, Leaf, Summary, TableWriter, ValueKind, encode_frame};

use std::path::Path;

use crate::common::{greenwave, json_lines, root};
use crate::transcript::Transcript;
use tempfile::tempdir;

/// A small generator of places (SplitMix64), so that failures can be repeated.
struct Seed(u64);

impl Seed {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ bits >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ bits >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^ bits >> 31
    }
}

#[test]
fn any_number_of_threads_writes_the_same_bytes() {
    let write = |threads: &str| {
        let dir = tempdir().unwrap();
        greenwave(
            dir.path(),
            &["solve", "classic-3x4", "points-3x4", "--threads", threads],
        )
        .ok();
        let read = |file: &str| std::fs::read(dir.path().join(file)).unwrap();
        (
            read("classic-3x4/distance.gwt"),
            read("points-3x4/points.gwt"),
        )
    };
    assert!(write("1") == write("2"));
    assert!(write("1") == write("7"));
}

#[test]
fn a_flipped_bit_anywhere_is_found() {
    let dir = tempdir().unwrap();
    greenwave(dir.path(), &["solve", "classic-3x3"]).ok();
    let path = dir.path().join("classic-3x3/distance.gwt");
    let good = std::fs::read(&path).unwrap();
    let mut seed = Seed(2014);
    for _ in 0..60 {
        let bit = seed.next() % (good.len() as u64 * 8);
        let mut bad = good.clone();
        bad[(bit / 8) as usize] ^= 1 << (bit % 8);
        std::fs::write(&path, &bad).unwrap();
        let run = greenwave(dir.path(), &["verify", "classic-3x3"]);
        assert_eq!(run.code, 2, "bit {bit}: {run:?}");
        assert!(
            run.stderr.contains("distance.gwt"),
            "bit {bit}: {}",
            run.stderr
        );
        // A query answers rightly from blocks that are whole, or says that one is damaged.
        let run = greenwave(dir.path(), &["query", "classic-3x3", "--json"]);
        if run.code == 0 {
            assert_eq!(run.json()["distance"], 17, "bit {bit}");
        } else {
            assert_eq!(run.code, 2, "bit {bit}: {run:?}");
            assert!(
                run.stderr.contains("distance.gwt"),
                "bit {bit}: {}",
                run.stderr
            );
        }
    }
}

#[test]
fn a_truncated_table_is_refused() {
    let dir = tempdir().unwrap();
    greenwave(dir.path(), &["solve", "classic-3x3"]).ok();
    let path = dir.path().join("classic-3x3/distance.gwt");
    let good = std::fs::read(&path).unwrap();
    for length in (0..good.len()).step_by(997).chain([1, 8, good.len() - 1]) {
        std::fs::write(&path, &good[..length]).unwrap();
        for command in ["query", "verify", "solve", "stats"] {
            let run = greenwave(dir.path(), &[command, "classic-3x3"]);
            assert_eq!(run.code, 2, "{length} bytes, {command}: {run:?}");
            assert!(run.stderr.contains("distance.gwt"), "{}", run.stderr);
        }
    }
}

#[test]
fn solving_again_reports_the_table() {
    let dir = tempdir().unwrap();
    let first = greenwave(dir.path(), &["solve", "signal-3x3", "--json"]).json();
    let again = greenwave(dir.path(), &["solve", "signal-3x3", "--json"]).json();
    for field in [
        "signature",
        "table_bytes",
        "value",
        "distance",
        "by_value",
        "openings",
        "positions",
    ] {
        assert_eq!(first[field], again[field], "{field}");
    }
    assert!(again["seconds"].is_null() && first["seconds"].is_number());
    let without = greenwave(dir.path(), &["solve", "green-3x3", "--no-table", "--json"]).json();
    assert!(without["signature"].is_null() && without["table_bytes"].is_null());
    assert!(!dir.path().join("green-3x3").exists());
}

#[test]
fn tables_of_every_metric_verify() {
    let dir = tempdir().unwrap();
    for variant in [
        "classic-3x3",
        "points-3x3",
        "green-3x3:supply=cap4",
        "classic-3x3:play=misere",
        "points-3x3:end=play-on",
    ] {
        greenwave(dir.path(), &["solve", variant, "--metric", "all"]).ok();
        let run = greenwave(dir.path(), &["verify", variant, "--json"]).ok();
        for line in run.stdout.lines() {
            let document: serde_json::Value = serde_json::from_str(line).unwrap();
            assert_eq!(document["ok"], true, "{line}");
            assert_eq!(document["mismatches"], 0, "{line}");
        }
    }
}

#[test]
fn a_sample_of_a_table_is_verified() {
    let dir = tempdir().unwrap();
    let verify = |arguments: &[&str]| greenwave(dir.path(), &[&["verify"], arguments].concat());
    for (variant, metric) in [("points-3x3", "points"), ("classic-3x3", "nimber")] {
        greenwave(dir.path(), &["solve", variant, "--metric", metric]).ok();
        let sample = ["--sample", "500", "--seed", "7", "--json"];
        let document = verify(&[&[variant], &sample[..]].concat()).json();
        assert_eq!(document["ok"], true, "{variant}");
        assert_eq!(document["positions"], 500, "{variant}");
        assert_eq!(
            (&document["sample"], &document["seed"]),
            (&500.into(), &7.into())
        );
        assert_eq!(document, verify(&[&[variant], &sample[..]].concat()).json());
        // As many as there are, or more, is all.
        let whole = verify(&[variant, "--sample", "1000000", "--json"]).json();
        assert!(whole["sample"].is_null(), "{whole}");
        assert_eq!(whole, verify(&[variant, "--json"]).json());
    }
    let mut shown = Transcript::new("verify-a-sample");
    let args = ["verify", "points-3x3", "--sample", "9"];
    shown.run(dir.path(), &args).ok();
    shown.settle();
    assert_eq!(verify(&["points-3x3", "--seed", "9"]).code, 2);
    assert_eq!(verify(&["points-3x3", "--sample", "0"]).code, 2);
}

#[test]
fn answers_from_a_table_and_from_memory_are_the_same() {
    let dir = tempdir().unwrap();
    for variant in ["classic-3x3", "points-3x3", "signal-3x3:supply=pool6"] {
        for position in [".../.R./...", "RY./.G./..R"] {
            let ask = || {
                let mut document =
                    greenwave(dir.path(), &["query", variant, position, "--json"]).json();
                document.as_object_mut().unwrap().remove("source");
                document
            };
            let solved = ask();
            greenwave(dir.path(), &["solve", variant, "--metric", "all"]).ok();
            assert_eq!(ask(), solved, "{variant} {position}");
            std::fs::remove_dir_all(dir.path()).unwrap();
            std::fs::create_dir(dir.path()).unwrap();
        }
    }
}

#[test]
fn the_command_that_a_strange_table_names_replaces_it() {
    let dir = tempdir().unwrap();
    let path = dir.path().join("classic-1x3/value.gwt");
    let variant = Variant::parse("classic-1x3").unwrap();
    // Whole by its checksums, but of fewer indices, or with fewer packed positions, than the game has.
    let mut shown = Transcript::new("strange-tables");
    for indices in [16, 64] {
        let layout = Layout::new("value", 1, ValueKind::Unsigned, indices).unwrap();
        let hash = Hash32(variant.rules().hash.0);
        let leaf = Leaf {
            count: 1,
            payload: vec![0],
        };
        let mut writer = TableWriter::create(&path, layout.clone(), hash).unwrap();
        writer.append(encode_frame(&layout, 0, &[leaf])).unwrap();
        let meta = greenwave_values::meta(variant.rules(), "value", indices, &Summary::default());
        writer.finish(meta).unwrap();
        let file = path.to_str().unwrap();
        let run = shown.run(dir.path(), &["verify", file]);
        assert_eq!(run.code, 2, "{run:?}");
        let (_, command) = run.stderr.split_once("`greenwave ").unwrap();
        let (command, _) = command.split_once('`').unwrap();
        let named = dir.path().to_str().unwrap();
        let expected = format!("--dir {named} solve classic-1x3 --metric value --force");
        assert_eq!(command, expected);
        // The folder of the file is named, whatever the one of the program is.
        let words: Vec<&str> = command.split(' ').collect();
        crate::common::run(&words).ok();
        greenwave(dir.path(), &["verify", file]).ok();
    }
    shown.settle();
}

#[test]
fn puzzles_are_the_same_with_a_table_and_without() {
    let dir = tempdir().unwrap();
    let ask = |game: &str| {
        let args = ["--count", "40", "--seed", "4", "--json", "--quiet"];
        greenwave(dir.path(), &[&["puzzle", game][..], &args].concat()).ok()
    };
    for game in ["classic-2x3", "noughts-3x3", "points-1x4", "ampel-4-2-1"] {
        let without = ask(game);
        greenwave(dir.path(), &["solve", game]).ok();
        assert_eq!(ask(game).stdout, without.stdout, "{game}");
        assert!(without.stdout.lines().count() > 3, "{}", without.stdout);
    }
}

#[cfg(unix)]
#[test]
fn what_kills_left_goes_with_the_next_run() {
    let dir = tempdir().unwrap();
    for (game, metric) in [("bag-classic-1x3", "odds"), ("classic-3x3", "distance")] {
        greenwave(dir.path(), &["solve", game]).ok();
        let folder = dir.path().join(game);
        let table = std::fs::read(folder.join(format!("{metric}.gwt"))).unwrap();
        let leave = || {
            let checkpoint = folder.join(format!("{metric}.checkpoint"));
            std::fs::create_dir(&checkpoint).unwrap();
            // Killed while the checkpoint was removed, its state being gone.
            std::fs::write(checkpoint.join("level-001"), "left").unwrap();
            for name in ["checkpoint.lock", "gwt.lock", "gwt.part"] {
                std::fs::write(folder.join(format!("{metric}.{name}")), "").unwrap();
            }
        };
        for more in [&[][..], &["--force"]] {
            leave();
            greenwave(dir.path(), &[&["solve", game][..], more].concat()).ok();
            let left = std::fs::read_dir(&folder).unwrap().count();
            assert_eq!(left, 1, "{game} {more:?}");
            let after = std::fs::read(folder.join(format!("{metric}.gwt"))).unwrap();
            assert!(after == table, "{game} {more:?}");
        }
    }
}

#[test]
#[cfg(target_os = "linux")]
fn attempts_to_write_that_older_versions_left_go_with_the_next_run() {
    let dir = tempdir().unwrap();
    let folder = dir.path().join("classic-2x2");
    let mut gone = std::process::Command::new("true").spawn().unwrap();
    gone.wait().unwrap();
    let (gone, living) = (gone.id(), std::process::id());
    for more in [&[][..], &[], &["--force"]] {
        std::fs::create_dir_all(&folder).unwrap();
        for (name, text) in [
            (format!(".writable-{gone}"), ""),
            (format!(".writable-{living}"), ""),
            (format!(".writable-{gone}x"), ""),
            // Such a file is empty.
            (format!(".writable-0{gone}"), "notes"),
        ] {
            std::fs::write(folder.join(name), text).unwrap();
        }
        greenwave(dir.path(), &[&["solve", "classic-2x2"][..], more].concat()).ok();
        let entries = std::fs::read_dir(&folder).unwrap();
        let mut left: Vec<_> = entries
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        left.sort_unstable();
        let mut expected = vec![
            format!(".writable-{living}"),
            format!(".writable-{gone}x"),
            format!(".writable-0{gone}"),
            "distance.gwt".into(),
        ];
        expected.sort_unstable();
        assert_eq!(left, expected, "{more:?}");
    }
}

/// A block is what the file stores compressed by itself, whoever counts.
#[test]
fn every_command_counts_the_same_blocks() {
    let table = root().join("solutions/classic-3x4/value.gwt");
    let table = table.to_str().unwrap();
    let blocks = |args: &[&str]| {
        let document = greenwave(Path::new("."), &[args, &[table, "--json"]].concat()).json();
        document["blocks"].as_u64().unwrap()
    };
    let all = blocks(&["info"]);
    assert_eq!(blocks(&["verify"]), all);
    let of_one = blocks(&["verify", "--sample", "1"]);
    assert!((1..all).contains(&of_one), "{of_one} of {all}");
    assert!(blocks(&["verify", "--sample", "1000"]) <= all);
}

#[test]
fn a_list_goes_on_behind_a_table_that_cannot_be_read() {
    let dir = tempdir().unwrap();
    greenwave(
        dir.path(),
        &["solve", "classic-3x3", "classic-3x4", "noughts-3x3"],
    )
    .ok();
    let table = dir.path().join("classic-3x4/distance.gwt");
    std::fs::write(&table, "no table").unwrap();
    let listed = greenwave(dir.path(), &["variants"]);
    assert_eq!(listed.code, 2, "{listed:?}");
    assert!(listed.stdout.contains("\nnoughts-3x3 "), "{listed:?}");
    assert!(
        listed.stdout.contains("a table cannot be read"),
        "{listed:?}"
    );
    let path = table.display().to_string();
    assert!(listed.stderr.contains(&path), "{listed:?}");
    assert!(listed.stderr.contains("solve classic-3x4"), "{listed:?}");
    let listed = greenwave(dir.path(), &["variants", "--json"]);
    assert_eq!(listed.code, 2, "{listed:?}");
    let documents = json_lines(&listed);
    let whole = json_lines(&greenwave(Path::new("nowhere"), &["variants", "--json"]).ok());
    assert_eq!(documents.len(), whole.len());
    for document in documents {
        let is_damaged =
            ["classic-3x4", "semaforo"].contains(&document["variant"].as_str().unwrap());
        let error = document["error"].as_str();
        assert_eq!(
            error.is_some_and(|error| error.contains(&path)),
            is_damaged,
            "{document}"
        );
    }
    for line in listed.stderr.lines() {
        let refusal: serde_json::Value = serde_json::from_str(line).unwrap();
        assert_eq!(refusal["kind"], "file");
        let hint = refusal["hint"].as_str().unwrap();
        assert!(
            hint.contains("greenwave") && hint.contains("--force"),
            "{hint}"
        );
    }
}

#[test]
fn a_check_goes_on_behind_a_table_that_cannot_be_read() {
    let dir = tempdir().unwrap();
    for metric in ["value", "distance", "nimber"] {
        greenwave(dir.path(), &["solve", "classic-3x3", "--metric", metric]).ok();
    }
    let folder = dir.path().join("classic-3x3");
    let damaged = folder.join("distance.gwt");
    let mut bytes = std::fs::read(&damaged).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    // One that opens and has a damaged block, and one that does not open.
    for content in [&bytes[..], b"no table"] {
        std::fs::write(&damaged, content).unwrap();
        let checked = greenwave(dir.path(), &["verify", "classic-3x3", "--json"]);
        assert_eq!(checked.code, 2, "{checked:?}");
        let sound = json_lines(&checked);
        let sound: Vec<_> = sound.iter().map(|one| (&one["file"], &one["ok"])).collect();
        let file = |name| serde_json::Value::from(folder.join(name).display().to_string());
        let value = (&file("value.gwt"), &true.into());
        let nimber = (&file("nimber.gwt"), &true.into());
        assert!(
            sound.len() == 2 && sound.contains(&value) && sound.contains(&nimber),
            "{checked:?}"
        );
        let refusal: serde_json::Value = serde_json::from_str(checked.stderr.trim()).unwrap();
        let path = damaged.display().to_string();
        assert_eq!(refusal["kind"], "file");
        assert!(
            refusal["error"].as_str().unwrap().contains(&path),
            "{refusal}"
        );
    }
}
