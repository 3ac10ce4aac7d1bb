//! The games with a movable strip from the command line: values, sides, advice, wrong input.

use std::path::Path;

use crate::common::greenwave;
use crate::transcript::Transcript;
use serde_json::{Value, json};
use tempfile::tempdir;

const CLOCKWISE: [&str; 4] = ["E", "S", "W", "N"];

fn query(dir: &Path, variant: &str, position: &str) -> Value {
    greenwave(dir, &["query", variant, position, "--json"]).json()
}

fn moves(answer: &Value) -> impl Iterator<Item = &Value> {
    answer["moves"].as_array().unwrap().iter()
}

fn text<'a>(document: &'a Value, key: &str) -> &'a str {
    document[key].as_str().unwrap()
}

#[test]
#[cfg_attr(not(feature = "slow-tests"), ignore = "solves the whole game")]
fn the_first_slide_wins_the_slider_by_a_point() {
    let dir = tempdir().unwrap();
    let solved = greenwave(dir.path(), &["solve", "slider", "--json"]).json();
    assert_eq!(solved["points"], 1);
    assert_eq!(solved["positions"], 1_u64 << 25);
    assert_eq!(
        solved["by_value"],
        json!({"win": 11_895_804, "loss": 423_386, "draw": 0})
    );

    let start = query(dir.path(), "slider", ".../.../...+...");
    assert_eq!(
        (&start["value"], &start["points"]),
        (&json!("win"), &json!(1))
    );
    assert_eq!(start["best"], json!(["slide-N", "slide-S", "slide-W"]));
    for mv in moves(&start) {
        let slide = text(mv, "move").starts_with("slide");
        assert_eq!(mv["points"], if slide { 1 } else { -1 }, "{mv}");
    }
    // Barred from sliding, the starter has the fixed board's game.
    let barred = query(dir.path(), "slider", ".../.../...+...@W,barred");
    assert_eq!(barred["points"], -1);
    assert_eq!(moves(&barred).count(), 12, "counter moves only");
    assert_eq!(
        query(dir.path(), "points-3x4", "..../..../....")["points"],
        -1
    );

    let stats = greenwave(dir.path(), &["stats", "slider", "--json"]).json();
    assert_eq!(stats["frame"], "strip at east");
    assert_eq!(stats["indexable"], 1_u64 << 25);
    assert_eq!(stats["nonterminal"], 12_319_190);
    assert_eq!(stats["endless"], 0);
    let reachable = json!({"win": 11_711_722, "loss": 417_937, "draw": 0, "terminal": 9_798_708});
    assert_eq!(stats["reachable"], reachable);

    a_side_is_no_part_of_the_value(
        dir.path(),
        "slider",
        &["R../.Y./...+..G", "RYY/..G/Y.R+.RG"],
    );
}

/// A folder with the table of the strip that is published.
fn published() -> tempfile::TempDir {
    let dir = tempdir().unwrap();
    let folder = dir.path().join("strip");
    std::fs::create_dir(&folder).unwrap();
    let table = crate::common::root().join("solutions/strip/distance.gwt");
    std::fs::copy(table, folder.join("distance.gwt")).unwrap();
    dir
}

#[test]
#[cfg_attr(not(feature = "slow-tests"), ignore = "solves the whole game")]
fn the_strip_is_solved_counted_and_verified() {
    let dir = tempdir().unwrap();
    let solved = greenwave(dir.path(), &["solve", "strip", "--json"]).json();
    assert_eq!(
        (&solved["value"], &solved["distance"]),
        (&json!("draw"), &Value::Null)
    );
    let by_value = json!({"win": 8_036_457, "loss": 1_526, "draw": 1_000_700});
    assert_eq!(solved["by_value"], by_value);
    let stats = greenwave(dir.path(), &["stats", "strip", "--json"]).json();
    assert_eq!(stats["frame"], "strip at east");
    assert_eq!(stats["endless"], 1_000_700);
    assert_eq!(stats["longest"]["distance"], 15);
    let reachable =
        json!({"win": 8_036_457, "loss": 1_526, "draw": 1_000_700, "terminal": 6_508_370});
    assert_eq!(stats["reachable"], reachable);
    assert_eq!(
        greenwave(dir.path(), &["verify", "strip", "--json"]).json()["ok"],
        true
    );
}

#[test]
fn the_strip_is_drawn_by_endless_play() {
    let dir = published();
    let start = query(dir.path(), "strip", ".../.../...+...@N");
    assert!(moves(&start).all(|mv| mv["value"] == "draw"));
    assert_eq!(
        moves(&start).count(),
        19,
        "twelve squares and seven moves of the strip"
    );

    let mut shown = Transcript::new("strip-advice");
    for position in [".../.../...+...", "R../.../...+...@S", ".YG/G.R/.Y.+R.G@E"] {
        shown.run(dir.path(), &["query", "strip", position]).ok();
    }

    let line = greenwave(dir.path(), &["line", "strip", ".YG/G.R/.Y.+..G", "--json"]).json();
    assert_eq!(line["plies"].as_array().unwrap().len(), 15);

    a_side_is_no_part_of_the_value(dir.path(), "strip", &["R../.Y./...+..G", ".YG/G.R/.Y.+R.G"]);
    // In a batch the other lines are answered.
    let lines = b".../.../...+...@X\nRRR/.../...+...@N\n";
    let run = crate::common::Run::with_input(dir.path(), &["query", "strip", "-", "--json"], lines);
    let printed: Vec<Value> = run
        .stdout
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!((run.code, printed.len()), (2, 2), "{run:?}");
    shown.told("error", text(&printed[0], "error"));
    shown.settle();
    assert_eq!(
        (&printed[1]["terminal"], &printed[1]["value"]),
        (&json!(true), &json!("loss"))
    );
}

// Turns the main board a quarter clockwise.
fn turned(board: &str) -> String {
    let rows: Vec<Vec<char>> = board.split('/').map(|row| row.chars().collect()).collect();
    let row = |number: usize| -> String { rows.iter().rev().map(|row| row[number]).collect() };
    [0, 1, 2].map(row).join("/")
}

// A position comes back on the side where it was typed, and so do its counter moves; slides lead to
// the other three; and the values stay when the whole picture is turned.
fn a_side_is_no_part_of_the_value(dir: &Path, variant: &str, positions: &[&str]) {
    for position in positions {
        let mut all = Vec::new();
        let (board, strip) = position.split_once('+').unwrap();
        let mut board = board.to_string();
        for side in CLOCKWISE {
            let typed = format!("{board}+{strip}@{side}");
            board = turned(&board);
            let answer = query(dir, variant, &typed);
            assert_eq!(text(&answer, "position"), typed);
            let mut figures = vec![(answer["value"].to_string(), answer["points"].to_string())];
            for mv in moves(&answer) {
                let (name, to) = (text(mv, "move"), text(mv, "to"));
                let stays = format!("@{side}");
                match name.strip_prefix("slide-") {
                    None => assert!(to.trim_end_matches(",barred").ends_with(&stays), "{mv}"),
                    Some(target) => {
                        let lies = format!("@{}", &target[..1]);
                        assert!(lies != stays && to.contains(&lies), "{mv}");
                    }
                }
                let figure = if mv["points"].is_null() {
                    &mv["distance"]
                } else {
                    &mv["points"]
                };
                figures.push((mv["value"].to_string(), figure.to_string()));
            }
            figures[1..].sort();
            all.push(figures);
        }
        assert!(
            all.iter().all(|figures| *figures == all[0]),
            "{position}: {all:?}"
        );
    }
}

#[test]
fn the_rules_of_the_strip_games_are_explained() {
    let dir = tempdir().unwrap();
    for (variant, words) in [
        ("slider", "Schieber-Spiel"),
        ("strip", "NRICH 1181, version 3"),
    ] {
        let rules = greenwave(dir.path(), &["rules", variant, "--json"]).json();
        assert!(text(&rules, "text").contains(words), "{rules}");
        assert!(!text(&rules, "source").is_empty());
        let options = rules["options"].as_array().unwrap();
        for option in options {
            let key = format!("- `{}` =", text(option, "key"));
            assert!(text(&rules, "text").contains(&key), "{variant}: no {key}");
        }
    }
}
