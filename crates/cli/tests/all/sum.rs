//! Several boards at once.

use crate::common::greenwave;
use crate::transcript::Transcript;
use serde_json::{Value, json};
use tempfile::tempdir;

#[test]
fn the_document_has_the_fields_of_the_contract() {
    let dir = tempdir().unwrap();
    let boards = ["classic-1x3=RY.", "classic-3x3", "classic-3x3=R../.Y./..G"];
    let document = greenwave(dir.path(), &[&["sum", "--json"], &boards[..]].concat()).json();
    let fields: Vec<&String> = document.as_object().unwrap().keys().collect();
    assert_eq!(fields.len(), 5);
    assert_eq!(document["schema"], 2);
    assert_eq!(document["nimber"], 3);
    assert_eq!(document["value"], "win");
    let source = json!({
        "kind": "solved", "file": null, "signature": null, "theorem": null, "proved_in": null, "made_by": null, "settle": null,
    });
    let board = |variant: &str, position: &str, nimber: u32| {
        json!({
            "variant": variant, "lights": "ryg", "position": position, "nimber": nimber, "terminal": false,
            "source": source,
        })
    };
    assert_eq!(
        document["boards"],
        json!([
            board("classic-1x3", "RY.", 0),
            board("classic-3x3", ".../.../...", 1),
            board("classic-3x3", "R../.Y./..G", 2),
        ])
    );
    // 0 ^ 1 ^ 2 is brought to 0 only by leaving 1 where 2 was.
    let best = |mv: &str| json!({"board": 2, "move": mv, "leaves": 1});
    assert_eq!(
        document["best"],
        json!([best("a1R"), best("a2R"), best("b3R"), best("c3R")])
    );
}

#[test]
fn every_best_move_wins_and_no_other_does() {
    let dir = tempdir().unwrap();
    let ask = |boards: &[String]| {
        let args: Vec<&str> = ["sum", "--json"]
            .into_iter()
            .chain(boards.iter().map(String::as_str))
            .collect();
        greenwave(dir.path(), &args).json()
    };
    let positions = ["...", "G../R.Y", ".Y./..."];
    let names = ["classic-1x3", "signal-2x3", "green-2x3"];
    let text = |board: usize, position: &str| format!("{}={position}", names[board]);
    let here: Vec<String> = (0..3).map(|board| text(board, positions[board])).collect();
    let document = ask(&here);
    assert_eq!(document["value"], "win", "{document}");
    let best = document["best"].as_array().unwrap();
    let mut winning = 0;
    for board in 0..3 {
        let query = ["query", names[board], positions[board], "--json"];
        for reply in greenwave(dir.path(), &query).json()["moves"]
            .as_array()
            .unwrap()
        {
            let mut after = here.clone();
            after[board] = text(board, reply["to"].as_str().unwrap());
            let wins = ask(&after)["value"] == "loss";
            let listed = best
                .iter()
                .any(|best| best["board"] == board && best["move"] == reply["move"]);
            assert_eq!(wins, listed, "board {board}, {}", reply["move"]);
            winning += usize::from(wins);
        }
    }
    assert_eq!(winning, best.len());
}

#[test]
fn lost_and_finished_sums() {
    let dir = tempdir().unwrap();
    let sum =
        |boards: &[&str]| greenwave(dir.path(), &[&["sum", "--json"], boards].concat()).json();
    // Two copies: whatever one player does on one, the other does on the other.
    let copies = sum(&["classic-2x3", "classic-2x3"]);
    assert_eq!(
        (&copies["nimber"], &copies["value"]),
        (&json!(0), &json!("loss"))
    );
    assert_eq!(
        copies["best"].as_array().unwrap().len(),
        12,
        "all lose alike"
    );
    let over = sum(&[
        "classic-3x3=GGG/.../...",
        "classic-9x3=RRR/.../.../.../.../.../.../.../...",
    ]);
    assert_eq!(
        (&over["nimber"], &over["value"]),
        (&json!(0), &json!("loss"))
    );
    assert_eq!(over["best"], json!([]));
    for board in over["boards"].as_array().unwrap() {
        assert_eq!(
            (&board["terminal"], &board["source"]),
            (&json!(true), &Value::Null)
        );
    }
    // A finished board changes nothing.
    let one = sum(&["classic-1x3=R.."]);
    let with_finished = sum(&["classic-1x3=R..", "classic-3x3=GGG/.../..."]);
    assert_eq!(one["best"], with_finished["best"]);
    assert_eq!(one["nimber"], with_finished["nimber"]);
}

#[test]
fn tables_and_solutions_in_memory_agree() {
    let dir = tempdir().unwrap();
    let ask = || {
        greenwave(
            dir.path(),
            &["sum", "--json", "signal-3x3", "signal-3x3=R../.../..."],
        )
        .json()
    };
    let solved = ask();
    let run = greenwave(
        dir.path(),
        &["solve", "signal-3x3", "--metric", "nimber", "--json"],
    );
    let signature = run.json()["signature"].clone();
    let from_table = ask();
    for field in ["nimber", "value", "best"] {
        assert_eq!(solved[field], from_table[field], "{field}");
    }
    for board in from_table["boards"].as_array().unwrap() {
        assert_eq!(board["source"]["kind"], "table");
        assert_eq!(board["source"]["signature"], signature);
    }
    // A damaged table is named, not passed over.
    let file = dir.path().join("signal-3x3/nimber.gwt");
    std::fs::write(&file, b"no table").unwrap();
    let mut shown = Transcript::new("sum-of-a-damaged-table");
    assert_eq!(shown.run(dir.path(), &["sum", "signal-3x3"]).code, 2);
    shown.settle();
}

#[test]
fn rule_files_and_options_take_positions_too() {
    let dir = tempdir().unwrap();
    let file = dir.path().join("a=b").join("row.toml");
    std::fs::create_dir(file.parent().unwrap()).unwrap();
    std::fs::write(
        &file,
        "patterns = [\"111\"]\n[board]\nsize = \"1x4\"\nlevels = 1\n",
    )
    .unwrap();
    let with_position = format!("{}=R...", file.display());
    let document = greenwave(
        dir.path(),
        &[
            "sum",
            "--json",
            &with_position,
            "classic-1x3:play=normal=R..",
        ],
    )
    .json();
    assert_eq!(document["boards"][0]["position"], "R...");
    // Its moves leave RR.. of nimber 2, R.R. of nimber 2 and R..R of nimber 0.
    assert_eq!(document["boards"][0]["nimber"], 1);
    assert_eq!(document["boards"][1]["variant"], "classic-1x3");
    assert_eq!(document["boards"][1]["position"], "R..");
}

#[test]
fn the_order_of_the_lights_is_that_of_each_board() {
    let dir = tempdir().unwrap();
    let boards = ["semaforo=GGR./..../....", "classic-1x3=R.."];
    let run = greenwave(dir.path(), &[&["sum"], &boards[..]].concat()).ok();
    let at = |text: &str| {
        run.stdout
            .find(text)
            .unwrap_or_else(|| panic!("{text}: {}", run.stdout))
    };
    assert!(at("GGR./..../....") < at("R..  "));
    assert!(
        at("Board 2:\n    Lights in order: R red") < at("Board 1:\n    Lights in order: G green")
    );
    // In JSON, too, each board has its own.
    let document = greenwave(dir.path(), &[&["sum", "--json"], &boards[..]].concat()).json();
    assert_eq!(document["boards"][0]["position"], "GGR./..../....");
    let mut shown = Transcript::new("sum-in-green");
    let args = [&["sum", "--colours", "gyr"], &boards[1..]].concat();
    shown.run(dir.path(), &args).ok();
    shown.settle();
}

/// The boards of the tests of sums where the last move loses, played by the rules alone.
#[test]
fn where_the_last_move_loses_boards_end_as_play_does() {
    let dir = tempdir().unwrap();
    let ask = |boards: &[&str]| {
        greenwave(
            dir.path(),
            &[&["sum", "--misere", "--json"], boards].concat(),
        )
        .json()
    };
    // One move is left on each: of one board it loses, of two the second one loses.
    let alone = ask(&["classic-1x3=GYG"]);
    assert_eq!(
        (&alone["value"], &alone["misere"]),
        (&json!("loss"), &json!(true))
    );
    assert_eq!(ask(&["classic-1x3=GYG", "classic-1x3=GYG"])["value"], "win");
    let over = ask(&["classic-1x3=RRR"]);
    assert_eq!((&over["value"], &over["best"]), (&json!("win"), &json!([])));
    // Every best move leaves a sum that is lost, and no other move does.
    let boards = ["classic-1x4=RR..", "classic-1x3=YYR", "signal-1x3"];
    let sum = ask(&boards);
    assert_eq!(sum["value"], "win");
    assert!(sum["quotient"]["classes"].as_u64() > Some(2));
    let best = sum["best"].as_array().unwrap();
    let mut seen = 0;
    for (at, board) in boards.iter().enumerate() {
        let (variant, position) = board.split_once('=').unwrap_or((board, "..."));
        let query = greenwave(dir.path(), &["query", variant, position, "--json"]).json();
        for mv in query["moves"].as_array().unwrap() {
            let after = format!("{variant}={}", mv["to"].as_str().unwrap());
            let mut others = boards.to_vec();
            others[at] = &after;
            let wins = ask(&others)["value"] == "loss";
            let listed = json!({"board": at, "move": mv["move"]});
            assert_eq!(best.contains(&listed), wins, "{listed}");
            seen += 1;
        }
    }
    assert!(seen > 8, "{seen}");
}

#[test]
fn a_sum_that_is_too_large_is_refused() {
    let dir = tempdir().unwrap();
    let refused = greenwave(dir.path(), &["sum", "--misere", "classic-4x4"]);
    assert_eq!(refused.code, 2);
    assert!(
        refused.stderr.contains("nearer to their end"),
        "{}",
        refused.stderr
    );
}
