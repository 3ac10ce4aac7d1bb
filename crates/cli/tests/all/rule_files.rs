//! Games that users describe work as the built-in ones do.

use crate::common::{greenwave, json_lines, refused, root, run, with_file};
use crate::transcript::Transcript;
use serde_json::Value;
use tempfile::tempdir;

#[test]
fn rule_files_have_the_signatures_of_the_built_in_games() {
    let games = [
        ("classic-3x3", "patterns = ['111', '222', '333']"),
        ("signal-3x3", "patterns = ['111', '222', '333', '123']"),
        ("green-3x3", "patterns = ['333']"),
        (
            "points-3x3",
            "play = 'points'\npatterns = { 111 = 1, 222 = 5, 333 = 2, 123 = 3 }",
        ),
        (
            "classic-3x3:play=misere",
            "play = 'misere'\npatterns = ['111', '222', '333']",
        ),
        (
            "classic-3x3:supply=cap5",
            "supply = 'cap5'\npatterns = ['111', '222', '333']",
        ),
        (
            "classic-3x3:supply=pool6",
            "supply = 'pool6'\npatterns = ['111', '222', '333']",
        ),
    ];
    for (name, text) in games {
        let (_dir, path) = with_file("game.toml", &format!("{text}\nboard.size = '3x3'\n"));
        same_signatures(name, &path);
    }
}

/// The command that a fault suggests names the file as it was typed, and works.
#[test]
fn a_family_in_the_place_of_a_game_is_shown_the_way_to_design() {
    let text = "patterns = ['111']\nboard = { size = '1x3', levels = 1 }\n[vary]\nplay = ['normal', 'misere']\n";
    let (dir, path) = with_file("many.toml", text);
    let told = run(&["query", &path]);
    assert_eq!(told.code, 2);
    let suggested = told
        .stderr
        .split('\'')
        .find(|part| part.starts_with("greenwave design"));
    assert_eq!(
        suggested,
        Some(&*format!("greenwave design {path}")),
        "{}",
        told.stderr
    );
    greenwave(dir.path(), &["design", &path, "--games", "10"]).ok();
}

#[test]
#[cfg_attr(not(feature = "slow-tests"), ignore = "about a minute")]
fn rule_files_of_twelve_squares_have_the_signatures_of_the_built_in_games() {
    let points = "play = 'points'\npatterns = { 111 = 1, 222 = 5, 333 = 2, 123 = 3 }\n";
    let mono = "patterns = ['111', '222', '333']\n";
    let games = [
        ("classic-3x4", format!("{mono}board.size = '3x4'")),
        ("points-3x4", format!("{points}board.size = '3x4'")),
        (
            "points-3x4:end=play-on",
            format!("{points}end = 'play-on'\nboard.size = '3x4'"),
        ),
        (
            "slider",
            format!("{points}board.size = '3x3'\n[strip]\nturn = 'no'\nrepeat = 'ban'"),
        ),
        ("strip", format!("{mono}board.size = '3x3'\n[strip]")),
    ];
    for (name, text) in games {
        let (_dir, path) = with_file("game.toml", &text);
        same_signatures(name, &path);
    }
}

fn same_signatures(name: &str, path: &str) {
    let solved = run(&[
        "solve",
        name,
        path,
        "--metric",
        "all",
        "--no-table",
        "--json",
        "-q",
    ])
    .ok();
    let lines = json_lines(&solved);
    let hash = |variant: &str| run(&["rules", variant, "--json"]).json()["rules_hash"].clone();
    assert_eq!(hash(name), hash(path), "{name}");
    let (built_in, file): (Vec<&Value>, Vec<&Value>) =
        lines.iter().partition(|line| line["variant"] == name);
    assert_eq!(built_in.len(), file.len());
    assert!(!built_in.is_empty());
    for (a, b) in built_in.iter().zip(file) {
        for key in [
            "metric", "value", "distance", "points", "by_value", "openings",
        ] {
            assert_eq!(a[key], b[key], "{name}: {key}");
        }
    }
    // Tables carry the signatures.
    let dir = tempdir().unwrap();
    let tables = greenwave(dir.path(), &["solve", name, path, "--json", "-q"]).ok();
    let signatures: Vec<Value> = tables
        .stdout
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap()["signature"].clone())
        .collect();
    assert_eq!(signatures.len(), 2);
    assert!(signatures[0].is_string());
    assert_eq!(signatures[0], signatures[1], "{name}");
}

#[test]
fn notakto_is_won_by_the_centre_only() {
    let file = root().join("docs/examples/notakto.toml");
    let answer = run(&["query", file.to_str().unwrap(), "--json", "-q"]).json();
    assert_eq!(answer["value"], "win");
    assert_eq!(answer["best"], serde_json::json!(["b2R"]));
    let moves = answer["moves"].as_array().unwrap();
    let winning: Vec<&Value> = moves.iter().filter(|mv| mv["value"] == "win").collect();
    assert_eq!((moves.len(), winning.len()), (9, 1));
    assert_eq!(winning[0]["move"], "b2R");
}

#[test]
fn the_example_rule_files_work_everywhere() {
    let dir = tempdir().unwrap();
    let examples = root().join("docs/examples");
    let mut seen = 0;
    for file in std::fs::read_dir(examples).unwrap().map(Result::unwrap) {
        let path = file.path();
        let path = path.to_str().unwrap();
        let words = greenwave(dir.path(), &["rules", path]).ok().stdout;
        assert!(words.starts_with("# "), "{words}");
        // The text that tables are keyed by is indented, and not broken into lines.
        let said = words.lines().filter(|line| !line.starts_with("  "));
        assert!(said.clone().count() > 8, "{words}");
        assert!(
            said.into_iter().all(|line| line.chars().count() <= 80),
            "{words}"
        );
        greenwave(dir.path(), &["solve", path, "--estimate"]).ok();
        let position = greenwave(dir.path(), &["perft", path, "--depth", "2", "--json"]).json();
        assert!(position["nodes"].as_u64().unwrap() > 8, "{path}");
        seen += 1;
    }
    assert!(seen >= 4, "{seen}");
    let ring = root().join("docs/examples/ring.toml");
    let ring = ring.to_str().unwrap();
    greenwave(dir.path(), &["solve", ring, "-q"]).ok();
    let answer = greenwave(dir.path(), &["query", ring, "--json", "-q"]).json();
    assert_eq!(answer["source"]["kind"], "table");
    greenwave(dir.path(), &["find", ring, "value = loss", "--count", "-q"]).ok();
    greenwave(dir.path(), &["stats", ring, "-q"]).ok();
    greenwave(dir.path(), &["certify", ring, "-q"]).ok();
    let table = dir.path().join("ring/distance.gwt");
    greenwave(dir.path(), &["verify", table.to_str().unwrap(), "-q"]);
}

#[test]
fn a_bad_rule_file_reports_every_fault_with_its_key() {
    let text = "patterns = ['111', '444']\nplay = 'fast'\nsuply = 'cap3'\n[board]\nsize = '9x9'\nlevels = 4\n";
    let (_dir, path) = with_file("bad.toml", text);
    for command in ["solve", "query", "certify", "rules", "stats"] {
        refused(
            &[command, &path],
            &[
                "line 1, column 20, key 'patterns'",
                "line 2, column 8, key 'play'",
                "line 3, column 1, key 'suply': unknown key; did you mean 'supply'?",
                "line 5, column 8, key 'board.size'",
                "line 6, column 10, key 'board.levels'",
            ],
        );
    }
    refused(&["find", &path, "value = win"], &["key 'suply'"]);
    refused(&["compare", "classic-3x3", &path], &["key 'suply'"]);
}

/// Files with another ending are not looked for among the variants.
#[test]
fn a_rule_file_with_another_ending_is_told_its_name() {
    for (name, renamed) in [("game.txt", "game.toml"), ("classic.TOML", "classic.toml")] {
        let (_dir, path) = with_file(name, "patterns = ['111']\nboard.size = '3x3'\n");
        let renamed = path.replace(name, renamed);
        for command in ["rules", "query", "solve"] {
            refused(
                &[command, &path],
                &[
                    "the name of a rule file ends in .toml",
                    &format!("rename it to '{renamed}'"),
                ],
            );
        }
    }
    // Whether there is such a file or not.
    refused(&["rules", "Classic.Toml"], &["ends in .toml"]);
}

/// Files as people write them who have not read everything, each with the messages about it, word for word.
#[test]
fn wrong_rule_files_say_all_their_faults() {
    let dir = tempdir().unwrap();
    let mut shown = Transcript::new("wrong-rule-files");
    for (command, name, text) in [
        (
            "rules",
            "keys-elsewhere",
            "patterns = ['111']\nlevels = 1\nPLAY = 'misere'\n[Board]\nsize = '3x3'\nswap = true\n",
        ),
        (
            "rules",
            "other-names",
            "patterns = ['111']\npie = true\nno_diagonals = true\nko = true\n[board]\nsize = '3x3'\nhex = true\n\
             line-lenght = 3\n",
        ),
        (
            "rules",
            "wishes",
            "patterns = ['111']\nplayers = 3\ndice = 2\ncapture = true\n[board]\nsize = '3x3'\nlayers = 3\nlevels = 4\n",
        ),
        (
            "rules",
            "said-twice",
            "patterns = ['111', '111']\ngoal = { first = ['111'], second = ['222'] }\nnot-first = ['b2', 'b2']\n[board]\n\
             size = '3x3'\noutline = '###/###'\nshapes = ['##/#-', '#-/##', '###', '###']\n",
        ),
        (
            "rules",
            "not-together",
            "patterns = ['111']\nplay = 'misere'\npass = 'once'\nmoves-a-turn = 3\nwin-lines = 2\nstalemate = 'loss'\n\
             end = 'play-on'\n[board]\noutline = '#-#/###'\nwrap = 'both'\nshapes-turn = false\n",
        ),
        (
            "rules",
            "heights",
            "patterns = ['111']\nstart = 'RY./.../...'\nmay = { first = [1, 2, 4], second = 'all', third = [1] }\n[board]\n\
             size = '3x3'\nlevels = 2\ntop = '332/229/222'\n",
        ),
        (
            "rules",
            "kinds",
            "patterns = '111'\nplay = 1\nswap = 'yes'\nwin-lines = 'two'\nstart = 3\n[board]\nsize = 3\nlevels = '3'\n\
             shapes = '##/##'\n",
        ),
        (
            "rules",
            "strip-and-bag",
            "patterns = ['111']\nswap = true\nlast-square = 'near'\n[board]\nsize = '3x4'\ngrid = 'hex'\n[strip]\n\
             turn = 'maybe'\n",
        ),
        (
            "rules",
            "already-won",
            "patterns = ['111']\nstart = 'RRR/.../...'\n[board]\nsize = '3x3'\n",
        ),
        (
            "solve",
            "too-large",
            "patterns = ['111', '222']\npass = 'once'\nlast-square = 'forbidden'\nwin-lines = 3\n[board]\nsize = '4x5'\n",
        ),
    ] {
        let path = dir.path().join(format!("{name}.toml"));
        std::fs::write(&path, text).unwrap();
        let path = path.display().to_string();
        let run = shown.run(dir.path(), &[command, &path, "--memory", "1G"]);
        assert_eq!(run.code, 2, "{run:?}");
    }
    shown.settle();
}
