//! `compare`, as a user runs it.

use crate::common::{greenwave, refused, run, with_file};
use crate::transcript::Transcript;
use serde_json::Value;
use tempfile::tempdir;

#[test]
fn comparisons_are_right_where_they_can_be_done_by_hand() {
    // Two squares, one light: the second mark completes the line.
    let rules = |play: &str| {
        format!(
            "patterns = ['11']\nplay = '{play}'\n[board]\nsize = '1x2'\nline-length = 2\nlevels = 1\n"
        )
    };
    let (_a, normal) = with_file("pair.toml", &rules("normal"));
    let (_b, misere) = with_file("riap.toml", &rules("misere"));
    let both = run(&["compare", &normal, &misere, "--json", "-q"]).json();
    let (a, b) = (&both["a"], &both["b"]);
    assert_eq!(
        (&a["winner"], &b["winner"]),
        (&"second".into(), &"first".into())
    );
    for (side, at_start, later) in [(a, 0.0, 1.0), (b, 1.0, 0.0)] {
        assert_eq!(side["distance"], 2);
        assert_eq!(side["positions"], 3);
        assert_eq!(side["only_moves"], 0);
        assert_eq!(side["opening_mistakes"], 0);
        assert_eq!(side["longest_game"], 2);
        assert_eq!(side["draws"], 0);
        assert_eq!(side["openings"].as_array().unwrap().len(), 2);
        let shares: Vec<f64> = side["by_ply"]
            .as_array()
            .unwrap()
            .iter()
            .map(|ply| ply["won_share"].as_f64().unwrap())
            .collect();
        assert_eq!(shares, [at_start, later]);
    }
    assert_eq!(keys(a), keys(b));
    let changed = both["changed_openings"].as_array().unwrap();
    assert_eq!(changed.len(), 2);
    assert_eq!(changed[0]["move"], "a1R");
    assert_eq!(
        (&changed[0]["a"]["value"], &changed[0]["b"]["value"]),
        (&"loss".into(), &"win".into())
    );
}

/// The keys of one side of a comparison.
fn keys(side: &Value) -> Vec<&String> {
    side.as_object().unwrap().keys().collect()
}

#[test]
fn comparisons_fit_a_terminal() {
    for (a, b) in [
        ("classic-2x4", "classic-2x4:supply=cap4"),
        (
            "green-3x3:play=misere,supply=pool6,stalemate=loss",
            "points-3x3",
        ),
        ("signal-2x3", "classic-1x7"),
    ] {
        let text = run(&["compare", a, b, "-q"]).ok().stdout;
        assert!(text.starts_with(&format!("A  {a}\nB  {b}\n")), "{text}");
        for line in text.lines() {
            assert!(line.chars().count() <= 80, "{a} {b}: {line}");
            assert_eq!(line, line.trim_end(), "{a} {b}");
        }
    }
    let long = "classic-1x3:play=misere,supply=pool40,stalemate=loss";
    let text = run(&["compare", long, "ampel-4-2-1", "-q"]).ok().stdout;
    assert!(text.starts_with(&format!("A  {long}\nB  ampel-4-2-1\n\n")));
    refused(&["compare", "classic-3x3", "nonsense"], &["nonsense"]);
    refused(
        &["compare", "classic-3x3", "ampel-11-20-5", "--memory", "64M"],
        &["ampel for distance", "--memory"],
    );
}

#[test]
fn figures_that_are_sampled_have_errors_and_the_others_none() {
    let names = ["noughts-3x3", "bag-classic-1x3"];
    let all = run(&["compare", names[0], names[1], "ampel-4-2-1", "--json", "-q"]).json();
    let [noughts, bag, ampel] = [0, 1, 2].map(|number| all["variants"][number].clone());
    // Nine marks are a longest game of noughts: one was seen, and there is no room for more.
    assert_eq!(noughts["longest_game"], 9);
    assert_eq!(ampel["longest_game"], Value::Null);
    assert_eq!(bag["longest_game"], Value::Null);
    assert!(bag["longest_seen"].as_u64().unwrap() >= 9, "{bag}");
    for key in ["branching", "decided_positions", "decision_density"] {
        assert!(bag[key].is_f64() && noughts[key].is_f64(), "{key}");
        let error = format!("{key}_error");
        assert!(bag[&error].is_f64(), "{key}");
        assert_eq!(noughts[&error], Value::Null, "{key}");
    }
    for key in ["random_advantage", "careful_advantage", "length"] {
        assert!(bag[key]["error"].as_f64().unwrap() > 0.0, "{key}");
    }
    let mut shown = Transcript::new("compare-sampled");
    let small = ["classic-1x3", "classic-1x4"];
    let four = ["compare", names[0], names[1], small[0], small[1], "-q"];
    let text = shown.run(tempdir().unwrap().path(), &four).ok().stdout;
    shown.settle();
    assert!(
        text.lines().all(|line| line.chars().count() <= 80),
        "{text}"
    );
}

#[test]
fn every_game_can_be_compared() {
    let both = run(&["compare", "ampel-4-2-1", "bag-classic-1x3", "--json", "-q"]).json();
    let (ampel, bag) = (&both["a"], &both["b"]);
    assert_eq!(keys(ampel), keys(bag));
    assert_eq!(
        (&ampel["winner"], &ampel["distance"]),
        (&"first".into(), &18.into())
    );
    assert_eq!(
        (&ampel["positions"], &ampel["draws"]),
        (&10_633.into(), &582.into())
    );
    assert_eq!(ampel["longest_distance"], 18);
    assert_eq!(
        (&ampel["odds"], &bag["winner"]),
        (&Value::Null, &Value::Null)
    );
    let stats = run(&["stats", "bag-classic-1x3", "--json", "-q"]).json();
    assert_eq!(bag["odds"], stats["odds"]);
    assert_eq!(
        (&bag["positions"], &bag["only_moves"]),
        (&stats["nonterminal"], &Value::Null)
    );
    assert_eq!(bag["draws"], stats["by_value"]["draw"]);
    for side in [ampel, bag] {
        assert_eq!(side["by_ply"], serde_json::json!([]));
    }
    let boards = run(&["compare", "classic-1x3", "classic-1x4", "--json", "-q"]).json();
    assert!(
        boards["a"].get("odds").is_none(),
        "only where chance takes part"
    );
    let mut shown = Transcript::new("compare-every-game");
    for (a, b) in [
        ("ampel-4-2-1", "ampel-4-2-1:own-cylinder=frozen"),
        ("bag-classic-1x3", "bag-points-1x3"),
        ("classic-1x3", "bag-classic-1x3"),
    ] {
        let args = ["compare", a, b, "-q"];
        let text = shown.run(tempdir().unwrap().path(), &args).ok().stdout;
        assert!(
            text.lines().all(|line| line.chars().count() <= 80),
            "{text}"
        );
    }
    shown.settle();
}

#[test]
fn variants_are_compared_by_the_dozen() {
    let names = [
        "classic-1x3",
        "classic-2x3",
        "points-2x3",
        "strip",
        "bag-classic-1x3",
    ];
    let few = &names[..3];
    let dir = tempfile::tempdir().unwrap();
    let page = dir.path().join("page.html");
    let page = page.to_str().unwrap();
    let args = [&["compare"], few, &["--html", page]].concat();
    let mut shown = Transcript::new("compare-three");
    shown.run(dir.path(), &[&args[..], &["-q"]].concat()).ok();
    shown.settle();
    let html = std::fs::read_to_string(page).unwrap();
    assert!(html.starts_with("<!DOCTYPE html>") && html.ends_with("</html>\n"));
    assert_eq!(html.matches("<polyline").count(), 3);
    assert!(!html.contains("http"), "nothing is loaded from elsewhere");
    let json = run(&[&["compare"], few, &["--json", "-q"]].concat()).json();
    let listed = json["variants"].as_array().unwrap();
    assert_eq!(listed.len(), 3);
    // By hand: three squares in a row, of which one line can be made. Every opening wins.
    assert_eq!(listed[0]["winning_openings"], 1.0);
    assert_eq!(
        listed[0]["random_advantage"]["error"],
        serde_json::Value::Null
    );
    let two = run(&["compare", "classic-1x3", "classic-2x3", "--json", "-q"]).json();
    assert_eq!(two["a"], listed[0]);
    assert_eq!(two["b"], listed[1]);
    // Branching is the moves of positions, on average.
    let found = run(&[
        "find",
        "classic-1x3",
        "ply >= 0",
        "--fields",
        "moves",
        "--csv",
        "-q",
    ])
    .ok();
    let moves: Vec<f64> = found
        .stdout
        .lines()
        .skip(1)
        .map(|row| row.split(',').nth(1).unwrap().parse().unwrap())
        .collect();
    let mean = moves.iter().sum::<f64>() / moves.len() as f64;
    assert!((listed[0]["branching"].as_f64().unwrap() - mean).abs() < 1e-12);
    let csv = run(&[&["compare"], few, &["--csv", "-q"]].concat())
        .ok()
        .stdout;
    let rows: Vec<Vec<&str>> = csv.lines().map(|row| row.split(',').collect()).collect();
    assert_eq!(rows.len(), 4);
    assert!(rows.iter().all(|row| row.len() == rows[0].len()));
    assert_eq!((rows[0][0], rows[1][0]), ("variant", "classic-1x3"));
    // With chance some figures are empty.
    let csv = run(&["compare", names[4], names[0], "--csv", "-q"])
        .ok()
        .stdout;
    assert!(
        csv.lines().nth(1).unwrap().starts_with("bag-classic-1x3,,"),
        "{csv}"
    );
    refused(&["compare", "classic-1x3"], &["VARIANT"]);
    refused(
        &[
            "compare",
            "classic-1x3",
            "classic-1x4",
            "--html",
            "/nowhere/page.html",
        ],
        &["cannot write '/nowhere/page.html'"],
    );
}

/// Also one of a metric that the comparison does not read.
#[test]
fn a_table_of_other_rules_is_not_skipped() {
    let dir = tempdir().unwrap();
    let name = |metric: &str| dir.path().join("classic-1x4").join(format!("{metric}.gwt"));
    for variant in ["classic-1x4", "classic-2x2"] {
        greenwave(dir.path(), &["solve", variant, "-q"]).ok();
    }
    let foreign = dir.path().join("classic-2x2/distance.gwt");
    for metric in ["value", "nimber", "distance"] {
        let damaged = &std::fs::read(&foreign).unwrap()[..40];
        for wrong in [&std::fs::read(&foreign).unwrap()[..], damaged] {
            std::fs::write(name(metric), wrong).unwrap();
            for args in [
                &["query", "classic-1x4"][..],
                &["compare", "classic-1x3", "classic-1x4"],
            ] {
                let run = greenwave(dir.path(), args);
                let told = format!("classic-1x4/{metric}.gwt");
                assert!(
                    run.code == 2 && run.stderr.contains(&told),
                    "{args:?}: {run:?}"
                );
            }
        }
        if metric != "distance" {
            std::fs::remove_file(name(metric)).unwrap();
        }
    }
}
