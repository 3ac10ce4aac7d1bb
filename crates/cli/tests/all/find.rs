//! `find`, as a user runs it.

use std::io::{BufRead, BufReader, Read};
use std::process::{Command, Stdio};

use crate::common::{json_lines, refused, root, run, with_file};

#[test]
fn found_positions_come_with_the_fields_that_were_named() {
    let run = run(&[
        "find",
        "classic-3x3",
        "value = loss and distance = 20 and b2 = empty and count(red) = 1",
        "--up-to-symmetry",
        "--json",
    ]);
    assert_eq!(run.code, 0);
    let lines = json_lines(&run);
    assert_eq!(lines.len(), 3);
    for (line, position) in lines.iter().zip([".../.../R..", ".../.../.R."]) {
        let expected = serde_json::json!({
            "schema": 2, "variant": "classic-3x3", "lights": "ryg", "position": position,
            "value": "loss", "distance": 20, "b2": ".", "count(red)": 1,
        });
        assert_eq!(*line, expected);
    }
    assert_eq!(lines[2], serde_json::json!({ "schema": 2, "count": 2 }));
}

#[test]
fn found_positions_can_be_limited_sampled_and_counted() {
    let find = |more: &[&str]| {
        let args = [&["find", "classic-3x3", "nimber = 6", "-q"], more].concat();
        run(&args).ok().stdout
    };
    let all = find(&[]);
    // The order of the lights and the number stand below.
    let total = all.lines().count() - 2;
    let lights = "Lights in order: R red, Y yellow, G green; . is an empty square.";
    assert_eq!(all.lines().rev().nth(1), Some(lights));
    assert_eq!(all.lines().last().unwrap(), format!("{total} positions"));
    assert_eq!(find(&["--count"]), format!("{total} positions\n"));
    let some = find(&["--limit", "3"]);
    let first: Vec<&str> = all.lines().take(3).collect();
    assert_eq!(some.lines().take(3).collect::<Vec<_>>(), first);
    assert_eq!(
        some.lines().last().unwrap(),
        format!("{total} positions (3 shown)")
    );
    let sample = find(&["--sample", "4", "--seed", "7", "-j", "1"]);
    assert_eq!(sample, find(&["--sample", "4", "--seed", "7", "-j", "2"]));
    assert_ne!(sample, find(&["--sample", "4", "--seed", "8"]));
    let listed: Vec<&str> = all.lines().collect();
    assert!(sample.lines().take(4).all(|line| listed.contains(&line)));
}

#[test]
fn nothing_found_is_an_honest_no() {
    let none = run(&["find", "classic-3x3", "value = draw"]);
    assert_eq!((none.code, none.stdout.as_str()), (1, "0 positions\n"));
    let none = run(&["find", "classic-3x3", "value = draw", "--json"]);
    assert_eq!(
        (none.code, none.stdout.as_str()),
        (1, "{\"schema\":2,\"count\":0}\n")
    );
}

#[test]
fn find_answers_on_strips_points_and_rule_files() {
    let count = |variant: &str, text: &str| {
        let found = run(&["find", variant, text, "--count", "--json", "-q"]).ok();
        found.json()["count"].as_u64().unwrap()
    };
    let small =
        "patterns = ['11']\n[board]\nsize = '2x2'\nline-length = 2\n[strip]\nrepeat = 'ban'\n";
    let (_dir, strip) = with_file("small-strip.toml", small);
    assert_eq!(count(&strip, "level_sum = 0"), 2);
    assert_eq!(
        count(
            &strip,
            "level_sum = 0 and barred and strip_moves = 0 and moves = 6"
        ),
        1
    );
    assert_eq!(
        count(
            &strip,
            "level_sum = 0 and not barred and strip_moves = 7 and moves = 13"
        ),
        1
    );
    assert_eq!(count("points-3x3", "ply = 0"), 1);
    let notakto = root().join("docs/examples/notakto.toml");
    let notakto = notakto.to_str().unwrap();
    assert_eq!(
        count(notakto, "ply = 0 and value = win and winning_moves = 1"),
        1
    );
    assert_eq!(count(notakto, "ply = 1 and b2 = red and value = loss"), 1);
    assert_eq!(count(notakto, "ply = 1 and value = win"), 8);
}

#[test]
fn expressions_that_do_not_fit_are_refused_with_their_place() {
    let refuse = |variant: &str, text: &str, words: &[&str]| {
        refused(&["find", variant, text], words);
    };
    refuse(
        "classic-3x3",
        "value = los",
        &["line 1, column 9", "did you mean 'loss'", "\n          ^"],
    );
    refuse(
        "classic-3x3",
        "moves >",
        &["line 1, column 8", "found the end, expected a number"],
    );
    refuse(
        "classic-3x3",
        "moves = 2\nand x9",
        &["line 2, column 5", "unknown name 'x9'"],
    );
    refuse(
        "classic-3x3",
        "points > 0",
        &["no metric 'points'", "its metrics: value, distance, nimber"],
    );
    refuse(
        "points-3x3",
        "distance > 0",
        &["no metric 'distance'", "points"],
    );
    refuse(
        "ampel",
        "k11 = green and red_captured = 2",
        &["ampel", "more than 1 EiB of memory", "--memory"],
    );
    refuse("ampel-4-2-1", "ply = 3", &["no lights on squares"]);
    refuse("bag-classic-3x3", "value = win", &["'expectation'"]);
    refuse("bag-classic-3x3", "reachable", &["luck"]);
    refused(
        &[
            "find",
            "bag-classic-3x3",
            "expectation > 0",
            "--memory",
            "64M",
        ],
        &["bag-classic-3x3 for odds", "--memory"],
    );
    refuse("classic-3x3:size=9", "value = win", &["size"]);
    refused(
        &["find", "classic-4x4", "value = loss", "--memory", "64M"],
        &["classic-4x4", "--memory"],
    );
}

#[test]
fn found_positions_of_ampel_are_those_that_stats_counts() {
    let name = "ampel-4-2-1";
    let stats = run(&["stats", name, "--json", "-q"]).json();
    let count = |text: &str| {
        let found = run(&["find", name, text, "--count", "--json", "-q"]).ok();
        found.json()["count"].as_u64().unwrap()
    };
    assert_eq!(stats["nonterminal"], count("reachable"));
    for value in ["win", "loss", "draw"] {
        assert_eq!(stats["by_value"][value], count(&format!("value = {value}")));
    }
    for entry in stats["by_distance"].as_array().unwrap() {
        let value = entry["value"].as_str().unwrap();
        let text = match entry["distance"].as_u64() {
            Some(plies) => format!("value = {value} and distance = {plies}"),
            None => format!("value = {value}"),
        };
        assert_eq!(entry["count"], count(&text), "{text}");
    }
    let line = "4 2 1 r s 0 0 ./../.../....";
    let found = run(&["find", name, "step = 0 and c2 = empty", "--json", "-q"]);
    let expected = serde_json::json!({
        "schema": 2, "variant": name, "lights": null, "position": line, "step": 0, "c2": "."
    });
    assert_eq!(json_lines(&found)[0], expected);
}

#[test]
fn found_positions_of_a_bag_game_are_those_that_stats_counts() {
    let name = "bag-classic-1x3";
    let stats = run(&["stats", name, "--json", "-q"]).json();
    let count = |text: &str| {
        let found = run(&["find", name, text, "--count", "--json", "-q"]);
        found.json()["count"].as_u64().unwrap()
    };
    assert_eq!(stats["nonterminal"], count("moves > 0"));
    for (value, text) in [
        ("win", "expectation > 0"),
        ("draw", "expectation = 0"),
        ("loss", "expectation < 0"),
    ] {
        assert_eq!(stats["by_value"][value], count(text), "{text}");
    }
    let found = run(&[
        "find",
        name,
        "hand(red) = 3 and market(green) = 2",
        "--limit",
        "1",
        "-q",
    ]);
    let text = found.ok().stdout;
    assert!(
        text.starts_with("...;RRR;RRR;GG  hand(red) 3  market(green) 2\n"),
        "{text}"
    );
}

#[test]
fn a_closed_pipe_ends_a_search_quietly() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_greenwave"))
        .args(["find", "classic-3x3", "moves > 0", "-q"])
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    assert_ne!(output.status.code(), Some(2));
}

#[test]
fn bag_games_are_asked_inside_a_turn_and_about_the_strip() {
    let pair = "title = 'pair'\npatterns = ['11']\n[board]\nsize = '1x2'\nline-length = 2\n[bag]\n";
    let (_dir, pair) = with_file("pair.toml", pair);
    let game = if cfg!(feature = "slow-tests") {
        "bag-classic-1x3"
    } else {
        &pair
    };
    let inside = run(&[
        "find",
        game,
        "after(a1R+G, symmetries = 1)",
        "--count",
        "-q",
    ]);
    assert_eq!(inside.code, 0, "{inside:?}");
    // A missed turn is no move of the strip.
    let text = "title = 'small'\npatterns = ['11']\n[board]\nsize = '2x2'\nline-length = 2\n\
                [strip]\nturn = 'no'\nrepeat = 'ban'\n[bag]\ncounters = 5\nslide = 'stuck'\n";
    let (_dir, path) = with_file("small.toml", text);
    let missed = run(&[
        "find",
        &path,
        "barred and legal(miss) and strip_moves > 0",
        "--count",
        "-q",
    ]);
    assert_eq!((missed.code, missed.stdout.as_str()), (1, "0 positions\n"));
    let few = "level_sum < 3 and strip_moves > 0";
    let slid = run(&["find", &path, few, "--count", "-q"]);
    assert_eq!(slid.code, 0, "{slid:?}");
}

#[test]
#[cfg(unix)]
fn positions_of_a_large_board_are_looked_through_until_ctrl_c() {
    // Their number is one more than the type of progress can hold.
    refused(
        &["find", "classic-4x8", "ply = 99"],
        &["too many to look at", "--sample"],
    );
    // Each thread is at work until then.
    let threads = if cfg!(feature = "slow-tests") {
        "2"
    } else {
        "1"
    };
    // A job of a script ignores Ctrl-C, and what it starts does so, too.
    let mut find = Command::new("env")
        .arg("--default-signal=INT")
        .arg(env!("CARGO_BIN_EXE_greenwave"))
        .args(["find", "classic-3x7", "ply = 99", "-j", threads])
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // At work, as soon as it tells how far it is.
    let mut told = BufReader::new(find.stderr.take().unwrap());
    let mut said = String::new();
    told.read_line(&mut said).unwrap();
    let interrupted = Command::new("kill")
        .args(["-INT", &find.id().to_string()])
        .status();
    assert!(interrupted.unwrap().success());
    told.read_to_string(&mut said).unwrap();
    assert_eq!(find.wait().unwrap().code(), Some(130), "{said}");
    assert!(said.contains("interrupted"), "{said}");
}
