//! The bag game from the command line: solved, verified, asked, played, refused.

use crate::common::{greenwave, refused};
use crate::transcript::Transcript;
use serde_json::{Value, json};
use tempfile::tempdir;

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap()
}

#[test]
fn a_finished_game_is_said_to_be_over() {
    let dir = tempdir().unwrap();
    let lost = "RRR/.../...;RRY;YGG;RG";
    let args = ["query", "bag-classic-3x3", lost, "--json"];
    let answer = greenwave(dir.path(), &args).json();
    assert_eq!(answer["terminal"], true);
    assert_eq!(answer["odds"]["expectation"], -1.0);
}

#[test]
fn a_small_game_is_solved_verified_counted_and_asked() {
    let dir = tempdir().unwrap();
    let run = |args: &[&str]| greenwave(dir.path(), args).json();
    let solved = run(&["solve", "bag-classic-2x3", "--json"]);
    assert_eq!(solved["metric"], "odds");
    assert_eq!(solved["positions"], 2_457_600);
    assert_eq!(solved["kernel"], "boards");
    let again = run(&["solve", "bag-classic-2x3", "--json"]);
    assert_eq!(again["signature"], solved["signature"]);
    assert_eq!(again["positions"], 2_457_600, "from the header");
    assert!(!dir.path().join("bag-classic-2x3/odds.checkpoint").exists());
    let verified = run(&["verify", "bag-classic-2x3", "--json"]);
    assert_eq!(
        (&verified["ok"], &verified["mismatches"]),
        (&json!(true), &json!(0))
    );

    let start = run(&["query", "bag-classic-2x3", "--json"]);
    assert_eq!(start["position"], ".../...;;;");
    assert_eq!(
        (&start["value"], &start["moves"]),
        (&json!("win"), &json!([]))
    );
    assert_eq!(start["odds"], solved["odds"]);
    let stats = run(&["stats", "bag-classic-2x3", "--json"]);
    assert_eq!(stats["by_value"], solved["by_value"]);
    assert_eq!(stats["odds"], solved["odds"]);

    // The same from memory.
    let elsewhere = tempdir().unwrap();
    let position = ".../.R.;RRY;YGG;RG";
    let from_table = run(&["query", "bag-classic-2x3", position, "--json"]);
    let solved = greenwave(
        elsewhere.path(),
        &["query", "bag-classic-2x3", position, "--json"],
    )
    .json();
    assert_eq!(from_table["source"]["kind"], "table");
    assert_eq!(solved["source"]["kind"], "solved");
    assert_eq!(from_table["best"], solved["best"]);
    let apart = number(&from_table["odds"]["expectation"]) - number(&solved["odds"]["expectation"]);
    assert!(apart.abs() < 1e-7, "{apart:e}");
    let first = &solved["moves"][0];
    assert_eq!(first["to"], Value::Null, "a draw comes first");
    assert!(first["odds"].is_object() && first["distance"].is_null());
    assert!(number(&first["odds"]["expectation"]) - number(&solved["odds"]["expectation"]) < 1e-12);
}

#[test]
fn drafts_choices_of_three_and_ends_are_answered() {
    let dir = tempdir().unwrap();
    let query = |name: &str, position: &str| {
        greenwave(dir.path(), &["query", name, position, "--json"]).json()
    };
    let moves = |answer: &Value| -> Vec<String> {
        let moves = answer["moves"].as_array().unwrap();
        moves
            .iter()
            .map(|mv| mv["move"].as_str().unwrap().into())
            .collect()
    };
    let mut picks = moves(&query("bag-classic-1x3", "...;;R;RG"));
    picks.sort();
    assert_eq!(picks, ["+G", "+R"]);
    let over = query("bag-classic-1x3", "...;YYG;GGG;RR");
    assert_eq!(
        (&over["terminal"], &over["value"]),
        (&json!(true), &json!("draw"))
    );
    assert_eq!(over["odds"]["draw"], 1.0);
    let lost = query("bag-classic-1x3", "RRR;RYG;YYG;RG");
    assert_eq!(
        (&lost["value"], &lost["odds"]["loss"]),
        (&json!("loss"), &json!(1.0))
    );
    let win = query("bag-classic-1x3", "RR.;RYG;YYG;RG");
    assert_eq!(
        (&win["best"], &win["odds"]["win"]),
        (&json!(["c1R"]), &json!(1.0))
    );
    let missed = query("bag-classic-1x3", "...;GGG;RRY;RR");
    assert_eq!(moves(&missed), ["miss"]);
    let three = query("bag-classic-1x3:choice=3", "...;RRY;YYG;RG");
    assert_eq!(
        (&three["moves"][0]["move"], &three["moves"][0]["to"]),
        (&json!("a1R"), &Value::Null)
    );
    let take = query("bag-classic-1x3:choice=3", "R..;RY;YYG;RRG");
    assert_eq!(take["moves"].as_array().unwrap().len(), 2);
}

#[test]
fn lines_follow_the_likeliest_draws() {
    let dir = tempdir().unwrap();
    let line = greenwave(dir.path(), &["line", "bag-classic-2x3", "--json"]).json();
    assert_eq!(line["draws"], "likeliest");
    let plies = line["plies"].as_array().unwrap();
    assert!(plies.len() > 6, "six picks and a game");
    assert!(
        plies[..6]
            .iter()
            .all(|ply| ply["move"].as_str().unwrap().starts_with('+'))
    );
    assert!(
        plies
            .iter()
            .all(|ply| (0.0..=1.0).contains(&number(&ply["chance"])))
    );
    let mut shown = Transcript::new("bag-lines");
    shown.run(dir.path(), &["line", "bag-classic-2x3"]).ok();
    shown.settle();
}

#[test]
fn simulated_games_come_out_as_expected() {
    let dir = tempdir().unwrap();
    let simulate = |name: &str, seed: &str, threads: &str| {
        let args = [
            "simulate", name, "--games", "1000", "--seed", seed, "-j", threads, "--json",
        ];
        greenwave(dir.path(), &args).json()
    };
    for name in ["bag-classic-2x3", "bag-points-1x5:choice=3"] {
        let games = simulate(name, "7", "2");
        let count = |key: &str| games[key].as_u64().unwrap();
        assert_eq!(count("win") + count("draw") + count("loss"), 1000);
        let (mean, expected) = (number(&games["mean"]), number(&games["expected"]));
        let error = number(&games["standard_error"]);
        assert!(
            error > 0.0 && (mean - expected).abs() < 4.0 * error,
            "{name}: {games}"
        );
        assert_eq!(games, simulate(name, "7", "1"), "whatever the threads");
        assert_ne!(games["mean"], simulate(name, "8", "2")["mean"]);
    }
    // The games of a seed stay what they are from version to version.
    let games = simulate("bag-points-1x4:choice=3,return=after", "7", "2");
    assert_eq!(games["win"], 387);
    assert_eq!((&games["draw"], &games["loss"]), (&json!(39), &json!(574)));
    assert_eq!(games["mean"], -0.12);
    // Without luck all games are the same.
    let args = [
        "simulate",
        "classic-2x3",
        "--games",
        "10",
        "--seed",
        "1",
        "--json",
    ];
    let games = greenwave(dir.path(), &args).json();
    assert_eq!(games["mean"], games["expected"]);
    assert_eq!(games["standard_error"], 0.0);
}

#[test]
fn a_comparison_beyond_the_memory_is_refused() {
    refused(
        &[
            "compare",
            "bag-classic-1x3",
            "bag-classic-3x4",
            "--memory",
            "16M",
        ],
        &["bag-classic-1x3 for odds", "--memory"],
    );
}
