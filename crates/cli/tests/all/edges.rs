//! Promises that hold in every command: records stay, commands read texts as people write them, and
//! errors are documents where documents are requested.

use std::fs;

use serde_json::Value;
use tempfile::tempdir;

use crate::common::{Run, greenwave, refused, run, with_file};

#[test]
fn two_games_under_one_name_are_told_apart() {
    let dir = tempdir().unwrap();
    let at = |name: &str| dir.path().join(name).display().to_string();
    fs::create_dir_all(dir.path().join("other")).unwrap();
    let rules = |size: &str| format!("patterns = ['111', '222']\n[board]\nsize = '{size}'\n");
    let (one, other) = (at("gap.toml"), at("other/gap.toml"));
    fs::write(&one, rules("1x3")).unwrap();
    fs::write(&other, rules("1x4")).unwrap();
    let games = [(&one, "..."), (&other, "....")];
    for (command, more) in [
        ("query", &[][..]),
        ("line", &[]),
        ("stats", &[]),
        ("rules", &[]),
        ("perft", &["--depth", "1"]),
        ("find", &["ply = 1"]),
        ("review", &["--moves", "a1R"]),
        ("book", &["--depth", "1"]),
        ("simulate", &["--games", "1", "--seed", "1"]),
    ] {
        for (path, _) in games {
            let args = [&[command, path], more, &["--json"]].concat();
            let first = &run(&args).list()[0];
            assert_eq!(&first["variant"], path, "{args:?}");
        }
    }
    for (path, _) in games {
        refused(&["query", path, "zz"], &[path]);
        refused(&["find", path, "nonsense = 1"], &["nonsense"]);
    }
    // Several in one run, and their tables in one folder.
    let compared = run(&["compare", &one, &other, "--json"]).json();
    assert_eq!(compared["a"]["variant"], *one);
    assert_eq!(compared["b"]["variant"], *other);
    let folder = dir.path().join("tables");
    let mut folders = Vec::new();
    for _ in 0..2 {
        let Run { code, stderr, .. } = greenwave(&folder, &["solve", &one, &other]);
        assert_eq!(code, 0, "{stderr}");
        let found = fs::read_dir(&folder).unwrap();
        folders = found
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        folders.sort();
        assert_eq!(folders.len(), 2, "{folders:?}");
    }
    assert_eq!(folders[0], "gap");
    assert!(folders[1].starts_with("gap-") && folders[1].len() == "gap-".len() + 8);
    for (path, start) in games {
        let answer = greenwave(&folder, &["query", path, "--json"]).json();
        assert_eq!(answer["source"]["kind"], "table");
        assert_eq!(answer["position"], start);
        assert_eq!(greenwave(&folder, &["verify", path]).code, 0);
    }
    // Neither certificate takes the place of the other, also where there is no table.
    let certificates = dir.path().join("certificates");
    let certified = games.map(|(path, _)| {
        let files = greenwave(&certificates, &["certify", path, "--json"]).json()["files"].clone();
        serde_json::from_value::<Vec<String>>(files).unwrap()
    });
    let all: std::collections::HashSet<&String> = certified.iter().flatten().collect();
    assert_eq!(all.len(), certified.iter().flatten().count(), "{all:?}");
    assert!(all.iter().all(|file| fs::exists(file).unwrap()));
    let broken = at("other/broken.toml");
    fs::write(&broken, "patterns = 1").unwrap();
    let spaced = at("other/my game.toml");
    fs::write(&spaced, rules("1x3")).unwrap();
    for (file, problem) in [(&broken, " describes no game"), (&spaced, ": ")] {
        for command in ["rules", "query", "solve"] {
            refused(&[command, file], &[&format!("rule file '{file}'{problem}")]);
        }
    }
    refused(&["design", &spaced], &[&format!("rule file '{spaced}': ")]);
    // A record is of the rules by which it was played.
    let record = at("game.txt");
    let Run { code, stderr, .. } = run(&["play", &one, "--as", "none", "--record", &record]);
    assert_eq!(code, 0, "{stderr}");
    let written = fs::read_to_string(&record).unwrap();
    assert!(
        written.starts_with(&format!("# variant {one}\n# rules ")),
        "{written}"
    );
    refused(
        &["review", &other, "--moves", &record],
        &["the record is of other rules"],
    );
    let reviewed = run(&["review", &other, &record]);
    assert!(
        reviewed
            .stderr
            .contains("game 1: the record is of other rules"),
        "{reviewed:?}"
    );
    assert_eq!(reviewed.stdout, "", "no table of no games");
    // The same rules by another path are the same game.
    fs::write(&other, rules("1x3")).unwrap();
    assert_eq!(run(&["review", &other, "--moves", &record]).code, 0);
}

#[test]
fn options_that_a_command_leaves_aside_are_told() {
    for (args, said) in [
        (
            &["draw", "classic-2x2", "--json"][..],
            "--json: the command prints a picture",
        ),
        (
            &["completions", "bash", "--json"],
            "--json: the command prints a script",
        ),
        (&["man", "--json"], "--json: the command prints a page"),
        (&["cite", "--bibtex", "--json"], "--bibtex: the document"),
        (
            &["bench", "ampel-4-1-1", "--kernel", "portable"],
            "--kernel: nothing was solved by these instructions",
        ),
    ] {
        let dir = tempdir().unwrap();
        let told = greenwave(dir.path(), args).ok().stderr;
        assert!(told.contains(said), "{args:?}: {told}");
    }
    refused(
        &["play", "classic-2x2", "--as", "both", "--level", "easy"],
        &["--level: the program plays no side with --as both"],
    );
}

#[test]
fn settings_that_cannot_be_read_are_refused_but_on_pages_about_them() {
    let ended = |args: &[&str], variable: (&str, &str)| {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_greenwave"));
        command.args(args).env(variable.0, variable.1);
        command.output().unwrap().status.code()
    };
    let unreadable = [
        ("GREENWAVE_LIGHTS", "x"),
        ("GREENWAVE_MEMORY", "x"),
        ("GREENWAVE_DIR", "/dev/null"),
        ("GREENWAVE_DIR", "/dev/null/tables"),
        ("GREENWAVE_THREADS", "0"),
        ("GREENWAVE_PROGRESS", "x"),
    ];
    for variable in unreadable {
        for args in [
            &[][..],
            &["help", "json"],
            &["man"],
            &["completions", "bash"],
        ] {
            assert_eq!(ended(args, variable), Some(0), "{args:?}: {variable:?}");
        }
        for args in [&["variants"][..], &["rules", "classic-2x2"], &["cite"]] {
            assert_eq!(ended(args, variable), Some(2), "{args:?}: {variable:?}");
        }
    }
}

#[test]
fn usage_lines_do_not_depend_on_the_environment() {
    let usage = |variables: &[(&str, &str)], args: &[&str]| {
        let output = std::process::Command::new(env!("CARGO_BIN_EXE_greenwave"))
            .args(args)
            .env_remove("GREENWAVE_DIR")
            .env_remove("GREENWAVE_THREADS")
            .env_remove("GREENWAVE_PROGRESS")
            .env_remove("GREENWAVE_MEMORY")
            .env_remove("GREENWAVE_LIGHTS")
            .envs(variables.iter().copied())
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(2), "{args:?}: {output:?}");
        String::from_utf8(output.stderr).unwrap()
    };
    let set = [
        ("GREENWAVE_DIR", "somewhere"),
        ("GREENWAVE_THREADS", "2"),
        ("GREENWAVE_PROGRESS", "none"),
        ("GREENWAVE_LIGHTS", "ryg"),
    ];
    for args in [
        &["find", "classic-2x2", "ply = 1", "--csv", "--json"][..],
        &["verify", "classic-2x2", "--seed", "3"],
        &["query"],
        &["query", "classic-2x2", "--jsn"],
        &["solve", "--kernel", "none", "classic-2x2"],
        &["nonsense"],
    ] {
        assert_eq!(usage(&[], args), usage(&set, args), "{args:?}");
    }
    // The error names the variable that holds the wrong value.
    let blamed = usage(&[("GREENWAVE_THREADS", "many")], &["query", "classic-2x2"]);
    assert!(blamed.contains("GREENWAVE_THREADS"), "{blamed}");
}

#[test]
fn games_and_boards_are_read_as_people_write_them() {
    let query = |args: &[&str]| -> Value {
        run(&[&["query", "classic-3x4", "--json"], args].concat()).json()
    };
    for moves in [
        "1. b2R b2Y 2. c2G",
        "1.b2R 1...b2Y 2.c2R",
        "b2R; b2Y; c2 1-0",
        "1. b2R 1. ... b2Y 2. c2R *",
        "1: b2R | b2Y 2: c2",
        "b2V b2A c2V",
        "b2R - b2Y - c2R 1/2-1/2",
    ] {
        let moves = moves.replace("c2G", "c2R");
        let found = query(&["--moves", &moves]);
        assert_eq!(found["position"], "..../.YR./....", "{moves}");
    }
    for board in [
        "0000\n0120\n0000",
        "0 0 0 0\r\n0 1 2 0\r\n0 0 0 0\r\n",
        "0000 0120 0000",
        "[[0,0,0,0],[0,1,2,0],[0,0,0,0]]",
        "((0,0,0,0),(0,1,2,0),(0,0,0,0))",
        "0000;0120;0000",
        "_ _ _ _\n_ R Y _\n_ _ _ _",
        "   3   .   .   .   .\n   2   .   R   Y   .\n   1   .   .   .   .\n       a   b   c   d\n",
    ] {
        assert_eq!(query(&[board])["position"], "..../.RY./....", "{board:?}");
    }
    // Verde and vermelho have one letter, which is read where it can mean one of both.
    let position = |args: &[&str]| {
        let args = [&["query", "semaforo", "--json"], args].concat();
        run(&args).json()["position"].as_str().unwrap().to_string()
    };
    assert_eq!(position(&["--moves", "b2V,b2A,b2V"]), "..../.R../....");
    assert_eq!(position(&[".VAR/..../...."]), ".GYR/..../....");
    refused(
        &["query", "semaforo", ".VA./..../...."],
        &["verde or vermelho", "write G for green and R for red"],
    );
    refused(
        &["query", "semaforo", "--moves", "b2A"],
        &["turns green next, written 'G'"],
    );
}

#[test]
fn what_line_and_review_print_is_read_again() {
    let dir = tempdir().unwrap();
    let file = dir.path().join("printed.txt").display().to_string();
    let reviewed = |moves: &str| {
        let Run {
            code,
            stdout,
            stderr,
        } = run(&["review", "classic-3x3", "--moves", moves, "--json"]);
        assert_eq!(code, 0, "{stderr}");
        let document: Value = serde_json::from_str(&stdout).unwrap();
        document["plies"].as_array().unwrap().clone()
    };
    let game = "b2R b2Y a1R b2G c3R";
    let printed = run(&["review", "classic-3x3", "--moves", game]).stdout;
    fs::write(&file, format!("\u{feff}{}", printed.replace('\n', "\r\n"))).unwrap();
    assert_eq!(reviewed(&file), reviewed(game));
    let line = run(&["line", "classic-3x3", "--moves", "b2R"]).stdout;
    fs::write(&file, line).unwrap();
    assert_eq!(reviewed(&file).len(), 16);
}

#[test]
fn errors_are_documents_where_documents_are_asked_for() {
    for (args, kind) in [
        (&["query", "classic-9x", "--json"][..], "usage"),
        (&["query", "classic-3x3", "hello", "--json"], "text"),
        (&["query", "classic-3x3", "--moves", "zz", "--json"], "text"),
        (&["query", "--json"], "usage"),
        (&["query", "classic-3x3", "--jsn", "--json"], "usage"),
        (&["nonsense", "--json"], "usage"),
        (&["find", "classic-3x3", "ply = = 1", "--json"], "text"),
        (&["info", "no-such-file.gwt", "--json"], "file"),
        (
            &["solve", "classic-5x6", "--memory", "64M", "--json"],
            "limit",
        ),
    ] {
        let Run {
            code,
            stdout,
            stderr,
        } = run(args);
        assert_eq!((code, &*stdout), (2, ""), "{args:?}: {stderr}");
        let lines: Vec<&str> = stderr.lines().collect();
        assert_eq!(lines.len(), 1, "{args:?}: {stderr}");
        let document: Value = serde_json::from_str(lines[0]).unwrap();
        assert_eq!(document["kind"], kind, "{args:?}: {stderr}");
        assert!(document["schema"].is_u64() && document["error"].is_string());
        assert!(document.get("hint").is_some(), "{stderr}");
    }
}

#[test]
fn what_cannot_be_seen_is_written_out() {
    let Run { code, stderr, .. } = run(&["query", "classic-3x3", "\u{202e}abc\u{7}"]);
    assert_eq!(code, 2);
    assert!(
        stderr.contains(r"\u{202e}") && stderr.contains(r"\u{7}"),
        "{stderr}"
    );
    assert!(
        !stderr.contains('\u{202e}') && !stderr.contains('\u{7}'),
        "{stderr}"
    );
}

#[test]
fn settings_without_effect_are_told() {
    refused(
        &["query", "classic-2x3", "--fail-fast"],
        &["--fail-fast is for many positions", "give -"],
    );
    refused(
        &["book", "classic-2x3", "--csv", "--json"],
        &["--csv", "cannot be used with"],
    );
    refused(
        &["puzzle", "classic-2x3", "--json", "--solutions", "none"],
        &["--solutions", "leave it out"],
    );
    let dir = tempdir().unwrap();
    let file = dir.path().join("file").display().to_string();
    fs::write(&file, "x").unwrap();
    refused(
        &["--dir", &file, "query", "classic-2x2"],
        &[&file, "which is a file, expected a folder"],
    );
    refused(
        &["--dir", &format!("{file}/deep/x"), "rules", "classic-2x2"],
        &[&format!("but '{file}' is a file, expected a folder")],
    );
    let of_environment = greenwave(std::path::Path::new(&file), &["query", "classic-2x2"]);
    assert_eq!(of_environment.code, 2, "{of_environment:?}");
    for args in [
        &["serve", "--budget", "0s"][..],
        &["query", "classic-2x2", "--budget", "0s"],
    ] {
        refused(args, &["a time from a millisecond"]);
    }
    let other = "cannot be used with";
    for (args, words) in [
        (&["query", "classic-2x2", "--budget", "0"][..], "from 1"),
        (
            &["find", "classic-2x2", "ply = 1", "--seed", "4"],
            "--sample <N>",
        ),
        (
            &["find", "classic-2x2", "ply = 1", "--count", "--limit", "3"],
            other,
        ),
        (
            &[
                "find",
                "classic-2x2",
                "ply = 1",
                "--count",
                "--fields",
                "ply",
            ],
            other,
        ),
        (&["solve", "classic-2x2", "--force", "--estimate"], other),
        (&["solve", "classic-2x2", "--force", "--no-table"], other),
        (
            &["solve", "classic-2x2", "--scratch", &file],
            "expected a folder",
        ),
        (&["man", "--out-dir", &file], "expected a folder"),
        (
            &["play", "classic-2x2", "--as", "none", "--hints"],
            "--hints",
        ),
        (
            &["draw", "classic-2x2", "--width", "100"],
            "--width is of a PNG",
        ),
        (&["verify", "classic-2x2", "--seed", "3"], "--sample <N>"),
    ] {
        refused(args, &[words]);
    }
    for url in [
        "http://x:99999",
        "http://x?y",
        "http://x/#y",
        "x",
        "http://\"><script>",
    ] {
        refused(
            &["serve", "--base-url", url],
            &["--base-url", "https://example.org/greenwave"],
        );
    }
    refused(
        &["serve", "--trust-proxy", "nobody"],
        &["nobody", "10.0.0.0/8"],
    );
}

/// Documents that one command printed, as the input of those that read games and positions.
#[test]
fn documents_are_read_again() {
    let dir = tempdir().unwrap();
    let kept = |args: &[&str]| {
        let file = dir.path().join(format!("{}.jsonl", args[0]));
        fs::write(&file, run(&[args, &["--json"]].concat()).ok().stdout).unwrap();
        file.display().to_string()
    };
    let games = [
        kept(&["line", "classic-2x3", "--lights", "gyr"]),
        kept(&["review", "classic-2x3", "--moves", "b2R,b2Y,b2G"]),
        kept(&["play", "classic-2x3", "--as", "none", "--seed", "1"]),
    ];
    for file in &games {
        let review = ["review", "classic-2x3", "--moves", file];
        let moves = |run: Run| -> Vec<Value> {
            let plies = run.json()["plies"].as_array().unwrap().clone();
            plies.into_iter().map(|ply| ply["move"].clone()).collect()
        };
        let read = moves(run(&[&review[..], &["--json"]].concat()));
        assert!(read.len() > 2, "{file}: {read:?}");
        assert_eq!(run(&["review", file, "--json"]).code, 0, "{file}");
        let played = ["play", "classic-2x3", "--as", "none", "--moves", file];
        let played = Run::with_input(dir.path(), &played, b"quit\n");
        assert_eq!(played.code, 0, "{file}: {}", played.stderr);
    }
    let positions = [
        kept(&[
            "find",
            "classic-2x3",
            "ply = 2 and value = win",
            "--lights",
            "gyr",
        ]),
        kept(&["book", "classic-2x3", "--depth", "1"]),
        kept(&["puzzle", "classic-2x3", "--count", "2"]),
        kept(&["query", "classic-2x3", "RR./..."]),
    ];
    for file in &positions {
        refused(
            &["review", "classic-2x3", "--moves", file],
            &["found no move in", "b2R,b2Y"],
        );
        let input = fs::read(file).unwrap();
        let answered =
            Run::with_input(dir.path(), &["query", "classic-2x3", "-", "--json"], &input);
        assert_eq!(answered.code, 0, "{file}: {}", answered.stdout);
    }
    // Positions come in the order of the lights that `--lights` names, whatever that of the documents is.
    let drilled = |file: &str| -> Vec<Value> {
        let puzzles = run(&["puzzle", "classic-2x3", "--from", file, "--json"]).list();
        let puzzles = puzzles.as_array().unwrap().clone();
        puzzles
            .into_iter()
            .map(|puzzle| puzzle["position"].clone())
            .collect()
    };
    let before = drilled(&positions[0]);
    assert!(!before.is_empty());
    kept(&["find", "classic-2x3", "ply = 2 and value = win"]);
    assert_eq!(drilled(&positions[0]), before);
    // As editors save them.
    let marked = [&b"\xef\xbb\xbf"[..], &fs::read(&positions[0]).unwrap()].concat();
    let answered = Run::with_input(dir.path(), &["query", "classic-2x3", "-"], &marked);
    assert_eq!(answered.code, 0, "{}", answered.stderr);
    let broad = dir.path().join("broad.toml").display().to_string();
    fs::write(&broad, b"\xff\xfep\0").unwrap();
    for args in [
        &["rules", &broad][..],
        &["check", &broad],
        &["design", &broad],
        &["review", &broad],
        &["puzzle", "classic-2x3", "--from", &broad],
    ] {
        refused(
            args,
            &["no text in UTF-8", "save the file in that encoding"],
        );
    }
    for text in ["{nothing}", "1. 2. 3."] {
        let moves = ["review", "classic-2x3", "--moves", text];
        refused(&moves, &["found no move in"]);
    }
    refused(
        &[
            "certify",
            "noughts-3x3",
            "-o",
            &dir.path().display().to_string(),
        ],
        &["is a folder", "name one in it"],
    );
}

/// Each table for spreadsheets says in which order of the lights its rows are.
#[test]
fn every_csv_has_the_order_of_the_lights() {
    let (_folder, own) = with_file(
        "own.toml",
        "lights = 'gyr'\npatterns = ['111']\nboard.size = '1x3'\n[vary]\nplay = ['normal', 'misere']\n",
    );
    for args in [
        &["find", "semaforo:play=misere", "ply = 1", "--csv"][..],
        &["book", "semaforo", "--depth", "1", "--csv"],
        &[
            "compare",
            "classic-2x3",
            "classic-1x3",
            "--lights",
            "gyr",
            "--csv",
        ],
        &["design", &own, "--games", "20", "--csv"],
    ] {
        let table = run(args).ok().stdout;
        let mut rows = table.lines();
        assert!(
            rows.next().unwrap().ends_with(",lights"),
            "{args:?}: {table}"
        );
        // Texts of several lines end in the row's own.
        assert!(table.trim_end().ends_with(",gyr"), "{args:?}: {table}");
    }
}

/// The user wants the count, so it is the result, also for a program that reads no stderr.
#[test]
fn a_count_is_printed_in_every_form() {
    let find = ["find", "classic-2x3", "ply = 2", "--count"];
    let count = run(&[&find[..], &["--json"]].concat()).json()["count"].clone();
    for quiet in [&[][..], &["-q"]] {
        let table = run(&[&find[..], &["--csv"], quiet].concat());
        assert_eq!(table.stdout, format!("count\n{count}\n"));
        assert_eq!(table.stderr, "");
    }
    // Where all positions cannot be visited, some are drawn.
    let drawn = [
        "find",
        "classic-5x6",
        "ply > 2",
        "--count",
        "--csv",
        "--sample",
        "5",
        "-q",
    ];
    let sample = run(&drawn);
    assert!(
        sample.stdout.starts_with("matching,drawn\n5,"),
        "{sample:?}"
    );
    let none = run(&["find", "classic-2x3", "ply = 99", "--count", "--csv"]);
    assert_eq!((none.code, &*none.stdout), (1, "count\n0\n"));
}

#[test]
fn a_page_tells_of_games_that_could_not_be_read() {
    let dir = tempdir().unwrap();
    let at = |name: &str| dir.path().join(name).display().to_string();
    let (good, bad, page) = (at("good.txt"), at("bad.txt"), at("page.html"));
    fs::write(&good, "# variant classic-2x3\na1R (fine)\nb1R\n").unwrap();
    fs::write(&bad, "# variant classic-2x3\na1R\nzz\n").unwrap();
    for option in ["--html", "--practice"] {
        refused(
            &["review", &bad, option, &page],
            &["bad.txt, game 1", "no file is written"],
        );
        assert!(fs::metadata(&page).is_err());
    }
    for (language, word) in [
        ("en", "could not be read"),
        ("de", "gelesen"),
        ("pt", "lidas"),
        ("es", "leer"),
    ] {
        let review = ["review", &good, &bad, "--html", &page, "--lang", language];
        let told = run(&review);
        assert!(
            told.code == 2 && told.stderr.contains("bad.txt, game 1"),
            "{told:?}"
        );
        assert!(fs::read_to_string(&page).unwrap().contains(word));
    }
    run(&["review", &good, "--html", &page]).ok();
    assert!(
        !fs::read_to_string(&page)
            .unwrap()
            .contains("could not be read")
    );
}

#[test]
fn a_folder_for_waves_that_nothing_needs_is_told() {
    let dir = tempdir().unwrap();
    let folder = dir.path().display().to_string();
    for more in [&[][..], &["--estimate"], &["--metric", "all"]] {
        let solve = [
            &["solve", "classic-1x3", "--no-table", "--scratch", &folder][..],
            more,
        ];
        let told = run(&solve.concat()).ok().stderr;
        assert!(told.contains("--scratch: nothing is put there"), "{told}");
    }
}

#[test]
fn instructions_that_nothing_is_solved_by_are_told() {
    for (variant, is_told) in [
        ("noughts-3x3", true),
        ("bag-classic-1x2", true),
        ("classic-1x3", false),
    ] {
        let solve = ["solve", variant, "--no-table", "--kernel", "portable"];
        let told = run(&solve).ok().stderr;
        assert_eq!(told.contains("--kernel: nothing"), is_told, "{told}");
    }
}

/// Rules under which no line is possible are games.
#[test]
fn games_without_a_possible_line_are_drawn() {
    for (number, lines) in [
        "goal = { first = [], second = [] }",
        "goal = { first = [], second = ['111'] }",
        "patterns = []",
        "patterns = []\nplay = 'misere'",
        "patterns = {}\nplay = 'points'",
        "patterns = ['111']\nmay = { first = [], second = [] }",
    ]
    .iter()
    .enumerate()
    {
        for size in ["1x3", "2x3"] {
            let text = format!("{lines}\nboard.size = '{size}'\nboard.levels = 2\n");
            let (folder, file) = with_file("own.toml", &text);
            let said = |args: &[&str]| greenwave(folder.path(), args).ok();
            let rules = said(&["rules", &file]).stdout;
            assert!(!rules.contains('{'), "{rules}");
            let answer = said(&["query", &file, "--json"]).json();
            if number != 1 {
                let value = answer["value"].as_str().unwrap();
                assert!(value == "draw" && answer["points"] != 1, "{text}: {answer}");
            }
            said(&["solve", &file, "--metric", "all", "-q"]);
            let solved = said(&["query", &file, "--json"]).json();
            assert_eq!(solved["value"], answer["value"], "{text}");
            for args in [
                &["stats", &file][..],
                &["line", &file],
                &["verify", &file],
                &["draw", &file],
            ] {
                said(args);
            }
        }
    }
}
