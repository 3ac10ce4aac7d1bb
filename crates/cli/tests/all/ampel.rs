//! Ampel from the command line: solved, verified, counted, asked, searched.

use greenwave_game::{Dense, Game, Metric, Variant};
use greenwave_solver::solve;
use greenwave_values::{ListedValues, Silent, summarise, wide_code, write_table};

use crate::common::greenwave;
use crate::transcript::Transcript;
use tempfile::tempdir;

const START: &str = "4 2 1 r s 0 0 ./../.../....";
const REAL: &str =
    "11 20 5 r 1 2 2 ./../.../.yg./r..../....../......./......../........./........../...........";

#[test]
fn a_small_board_is_solved_verified_counted_and_played() {
    let dir = tempdir().unwrap();
    let solved = greenwave(dir.path(), &["solve", "ampel-4-2-1", "--json"]).json();
    assert_eq!(solved["metric"], "distance");
    assert_eq!(solved["positions"], 11_048);
    assert_eq!(
        (&solved["value"], &solved["distance"]),
        (&"win".into(), &18.into())
    );
    let again = greenwave(dir.path(), &["solve", "ampel-4-2-1", "--json"]).json();
    assert_eq!(again["positions"], 11_048, "from the header");
    assert_eq!(again["signature"], solved["signature"]);

    let verified = greenwave(dir.path(), &["verify", "ampel-4-2-1", "--json"]).json();
    assert_eq!(
        (&verified["ok"], &verified["mismatches"]),
        (&true.into(), &0.into())
    );

    let stats = greenwave(dir.path(), &["stats", "ampel-4-2-1", "--json"]).json();
    assert_eq!(stats["indexable"], 11_048);
    assert_eq!(stats["nonterminal"], 10_633);
    let counts = serde_json::json!({"win": 5_272, "loss": 4_779, "draw": 582, "terminal": 415});
    assert_eq!(stats["reachable"], counts);
    assert_eq!(stats["longest"]["distance"], 18);

    let query = greenwave(dir.path(), &["query", "ampel-4-2-1", "--json"]).json();
    assert_eq!(query["source"]["kind"], "table");
    assert_eq!(
        (&query["position"], &query["best"][0]),
        (&START.into(), &"+c2".into())
    );
    let line = greenwave(dir.path(), &["line", "ampel-4-2-1", "--json"]).json();
    let plies = line["plies"].as_array().unwrap();
    assert_eq!(plies.len(), 18);
    assert_eq!(
        plies[17]["to"].as_str().unwrap().split(' ').nth(4),
        Some("x")
    );
}

#[test]
fn without_a_table_the_same_answer_is_solved() {
    let dir = tempdir().unwrap();
    let query = greenwave(dir.path(), &["query", "ampel-4-2-1", "--json"]).json();
    assert_eq!(query["source"]["kind"], "solved");
    assert_eq!(
        (&query["value"], &query["distance"]),
        (&"win".into(), &18.into())
    );
}

// A yellow on the edge is never set up, so the table lacks the position; the search finds the win.
#[test]
fn positions_that_play_does_not_reach_are_searched() {
    let dir = tempdir().unwrap();
    greenwave(dir.path(), &["solve", "ampel-4-2-1"]).ok();
    let text = "4 2 1 r 1 0 0 ./../g../yr..";
    let query = greenwave(
        dir.path(),
        &["query", "ampel-4-2-1", text, "--json", "--budget", "2000"],
    );
    let query = query.json();
    assert_eq!(query["source"]["kind"], "searched");
    assert_eq!(query["position"], text);
    let over = "4 2 1 g x 0 1 r/../.../....";
    let query = greenwave(dir.path(), &["query", "ampel-4-2-1", over, "--json"]).json();
    assert_eq!(
        (&query["terminal"], &query["value"]),
        (&true.into(), &"win".into())
    );
    assert_eq!(query["distance"], 0);
}

#[test]
fn the_real_board_is_searched_within_a_budget() {
    let dir = tempdir().unwrap();
    let won = greenwave(
        dir.path(),
        &["query", "ampel", REAL, "--json", "--budget", "1"],
    )
    .json();
    assert_eq!(
        (&won["value"], &won["distance"]),
        (&"win".into(), &1.into())
    );
    assert_eq!(won["line"], serde_json::json!(["e1-d1"]));
    assert_eq!(won["estimate"], serde_json::Value::Null);
    let open = greenwave(dir.path(), &["query", "ampel", "--json", "--budget", "500"]).json();
    assert_eq!(open["value"], "unknown");
    assert_eq!(open["estimate"]["proven"], false);
    assert_eq!(open["moves"].as_array().unwrap().len(), 36);
    assert_eq!(open["source"]["kind"], "searched");
    let mut shown = Transcript::new("ampel-too-large");
    for command in ["solve", "stats", "line"] {
        let run = shown.run(dir.path(), &[command, "ampel", "--memory", "1G"]);
        assert_eq!(run.code, 2, "{command}: {run:?}");
    }
    shown.settle();
}

// Green, who has two of the five yellows, takes a third whatever Red does before.
#[test]
fn losses_forced_in_the_next_turn_are_found_whatever_the_budget() {
    let dir = tempdir().unwrap();
    for (phase, rows, plies) in [
        (
            "3 2 2",
            "./../r../..gr/..grg/...g.g/rg....r/.g....g./grrr...../.g...y...r/.g.g.r.r.r.",
            3,
        ),
        (
            "1 0 2",
            "r/r./.g./.r../.yrg./g..rrg/ry...r./..g.r.gr/.g.g.r..g/rr.y...grg/.rg.g.g...g",
            5,
        ),
    ] {
        let text = format!("11 20 5 r {phase} {rows}");
        let lost = greenwave(
            dir.path(),
            &["query", "ampel", &text, "--json", "--budget", "1"],
        )
        .json();
        assert_eq!(
            (&lost["value"], &lost["distance"]),
            (&"loss".into(), &plies.into()),
            "{text}"
        );
        assert_eq!(lost["line"].as_array().map(Vec::len), Some(plies), "{text}");
        assert_eq!(lost["estimate"], serde_json::Value::Null);
        for mv in lost["moves"].as_array().unwrap() {
            assert_eq!(mv["value"], "loss", "{text} {mv}");
        }
    }
}

#[test]
fn pictures_say_what_their_letters_mean() {
    let dir = tempdir().unwrap();
    let text = "4 2 1 r 3 0 0 ./../ryR/....";
    let mut transcript = Transcript::new("ampel-pictures");
    for args in [
        &["query", "ampel-4-2-1", text, "--budget", "2000"][..],
        &["line", "ampel-4-2-1"],
        &["stats", "ampel-4-2-1"],
        &["perft", "ampel-4-2-1", "--depth", "3"],
        &["query", "ampel", "--budget", "500", "--memory", "16M"],
    ] {
        let shown = transcript.run(dir.path(), args).ok().stdout;
        // A position is one word, however long.
        let wide = |line: &&str| line.chars().count() > 80 && !line.contains("./");
        assert_eq!(shown.lines().find(wide), None, "{args:?}");
    }
    transcript.settle();
}

#[test]
fn perft_counts_steps_as_plies() {
    let dir = tempdir().unwrap();
    let args = ["perft", "ampel-5-3-3", "--depth", "12", "--json"];
    assert_eq!(greenwave(dir.path(), &args).json()["nodes"], 15_192);
}

#[test]
fn verify_finds_a_wrong_value_in_a_sound_table() {
    let variant = Variant::parse("ampel-4-2-1").unwrap();
    let Variant::Ampel(game) = &variant else {
        unreachable!()
    };
    for metric in [Metric::Distance, Metric::Value] {
        let values = solve(&variant, metric, u64::MAX, &Silent).unwrap();
        let listed = values.as_listed().unwrap();
        let dir = tempdir().unwrap();
        let path = dir.path().join(format!("ampel-4-2-1/{metric}.gwt"));
        let place = listed
            .indices()
            .iter()
            .position(|index| {
                game.at(*index)
                    .is_some_and(|position| game.ending(&position).is_none())
            })
            .unwrap();
        let write = |code: Option<u16>| {
            let mut codes = listed.codes().to_vec();
            codes[place] = code.unwrap_or(codes[place]);
            let indices = listed.indices().to_vec();
            let values = ListedValues::new(metric, indices, codes).into();
            write_table(game, &values, &summarise(game, &values), &path, &Silent).unwrap();
            greenwave(dir.path(), &["verify", "ampel-4-2-1", "--json"])
        };
        assert_eq!(write(None).code, 0);
        let right = listed.codes()[place];
        let wrong = match metric {
            Metric::Distance if right == wide_code::DRAW => 7,
            Metric::Distance => wide_code::DRAW,
            Metric::Value | Metric::Points | Metric::Odds | Metric::Nimber => (right + 1) % 3,
        };
        let run = write(Some(wrong));
        assert_eq!(run.code, 1, "{metric}: {run:?}");
        assert_eq!(crate::common::json_lines(&run)[0]["ok"], false, "{metric}");
    }
}
