//! Promises that hold in every command: records stay, commands read texts as people write them, and
//! errors are documents where documents are requested.

use std::collections::HashSet;
use std::fs;

use serde_json::Value;
use tempfile::tempdir;

use crate::common::{Run, greenwave, refused, run, with_file};

#[test]
fn no_record_takes_the_place_of_a_file() {
    let dir = tempdir().unwrap();
    let at = |name: &str| dir.path().join(name).display().to_string();
    let (record, rules) = (at("game.txt"), at("own.toml"));
    let text = "title = 'Own'\npatterns = ['111', '222']\n[board]\nsize = '2x3'\n";
    fs::write(&record, "# variant classic-2x3\nb2R\n").unwrap();
    fs::write(&rules, text).unwrap();
    for (variant, file) in [("classic-2x3", &record), (&*rules, &rules)] {
        let before = fs::read_to_string(file).unwrap();
        let play = ["play", variant, "--as", "none", "--record", file];
        refused(&play, &["would be lost", "name a"]);
        assert_eq!(&fs::read_to_string(file).unwrap(), &before);
    }
    // An empty file has nothing to lose.
    let empty = at("empty.txt");
    fs::write(&empty, "").unwrap();
    for file in [&empty, &at("new.txt")] {
        let Run { code, stderr, .. } =
            run(&["play", "classic-2x3", "--as", "none", "--record", file]);
        assert_eq!(code, 0, "{stderr}");
        assert!(fs::read_to_string(file).unwrap().starts_with("# variant"));
    }
}

/// Every option that names a file, given a file that its command reads, or that another option names.
#[test]
fn no_output_takes_the_place_of_an_input_or_of_another_output() {
    let dir = tempdir().unwrap();
    let at = |name: &str| dir.path().join(name).display().to_string();
    let (own, record, new) = (at("own.toml"), at("game.txt"), at("new.html"));
    let rules = "patterns = ['111', '222']\n[board]\nsize = '2x3'\n";
    fs::write(&own, rules).unwrap();
    fs::write(&record, "# variant classic-2x3\nb2R\n").unwrap();
    let around = dir.path().join("../").join(dir.path().file_name().unwrap());
    let same = around.join("own.toml").display().to_string();
    let mut tried = 0;
    for (command, option) in options_that_name_a_file() {
        if option == "--from" {
            continue;
        }
        let with_supply = format!("{own}:supply=cap4");
        let inputs: &[&[&str]] = match &*command {
            "review" => &[&[&own, &record], &[&record]],
            "design" | "serve" => &[&[&own]],
            "compare" => &[&["classic-2x3", &own]],
            _ => &[&[&own], &[&with_supply]],
        };
        for inputs in inputs {
            for output in [inputs.last().copied().unwrap_or_default(), &same] {
                let output = output.trim_end_matches(":supply=cap4");
                if output == same && !inputs.iter().any(|input| input.starts_with(&*own)) {
                    continue;
                }
                let args = [&[&*command], *inputs, &[&*option, output]].concat();
                refused(&args, &["would be lost; name another file"]);
                tried += 1;
            }
        }
    }
    for (command, options) in [
        ("book", ["--svg", "--html"]),
        ("puzzle", ["--svg", "--html"]),
        ("sheet", ["--svg", "--html"]),
        ("review", ["--practice", "--html"]),
    ] {
        let variant = if command == "review" { &record } else { &own };
        let args = [command, variant, options[0], &new, options[1], &new];
        refused(&args, &["one of them would be lost"]);
    }
    assert!(tried > 15, "{tried}");
    assert_eq!(fs::read_to_string(&own).unwrap(), rules);
    assert!(fs::read_to_string(&record).unwrap().contains("b2R"));
    assert!(!std::path::Path::new(&new).exists());
    let nowhere = ["book", &own, "--svg", "/dev/null", "--html", "/dev/null"];
    assert_eq!(run(&nowhere).code, 0);
}

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

/// Every option that names a file, as the help of the commands has them: command and option.
fn options_that_name_a_file() -> Vec<(String, String)> {
    let overview = run(&["help"]).ok().stdout;
    let commands = overview.split("\nCommands:\n").nth(1).unwrap();
    let commands = commands.lines().take_while(|line| !line.is_empty());
    // A long description goes on below, further to the right.
    let named = commands.filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    let mut found = Vec::new();
    for command in named.map(|line| line.split_whitespace().next().unwrap()) {
        let help = run(&[command, "--help"]).ok().stdout;
        for line in help.lines() {
            let words: Vec<&str> = line.split_whitespace().collect();
            let option = words.windows(2).find(|pair| {
                pair[0].starts_with("--") && pair[1].starts_with('<') && pair[1].contains("FILE")
            });
            let is_listed = line.trim_start().starts_with('-');
            found.extend(
                option
                    .filter(|_| is_listed)
                    .map(|pair| (command.to_string(), pair[0].to_string())),
            );
        }
    }
    found
}

#[test]
fn every_option_that_names_a_file_takes_a_dash() {
    let dir = tempdir().unwrap();
    let at = |name: &str| dir.path().join(name).display().to_string();
    let (own, record) = (at("own.toml"), at("game.txt"));
    fs::write(
        &own,
        "patterns = ['111', '222']\n[board]\nsize = '2x3'\n[vary]\nplay = ['normal', 'misere']\n",
    )
    .unwrap();
    fs::write(&record, "# variant classic-2x3\na1R\nb1R\nc1R\n").unwrap();
    let page = "<!doctype html>";
    let known: &[(&str, &str, &[&str], &str)] = &[
        (
            "certify",
            "--output",
            &["classic-2x3"],
            "greenwave certificate 1",
        ),
        ("compare", "--html", &["classic-2x2", "classic-2x3"], page),
        ("design", "--html", &[&own, "--games", "10"], page),
        ("draw", "--output", &["classic-2x3"], "<svg"),
        ("play", "--record", &["classic-2x3", "--as", "none"], ""),
        ("review", "--html", &[&record], page),
        ("review", "--practice", &[&record], "{\"schema\""),
        ("book", "--html", &["classic-2x2"], page),
        ("book", "--svg", &["classic-2x2"], "<svg"),
        ("puzzle", "--from", &["classic-2x3"], ""),
        ("puzzle", "--html", &["classic-2x3"], page),
        ("puzzle", "--svg", &["classic-2x3"], "<svg"),
        ("sheet", "--html", &["classic-2x3", "--count", "1"], page),
        ("sheet", "--svg", &["classic-2x3", "--count", "1"], "<svg"),
    ];
    // The module `served` tests its server, and ends it as well.
    let elsewhere = [("serve", "--access-log")];
    let mut tried = 0;
    for (command, option) in options_that_name_a_file() {
        let this = |at: &(&str, &str)| *at == (&*command, &*option);
        if elsewhere.iter().any(this) {
            tried += 1;
            continue;
        }
        let sample = known.iter().find(|(of, named, ..)| this(&(of, named)));
        let Some((.., args, begins)) = sample else {
            panic!("{command} {option} names a file: say here how it takes '-'");
        };
        let args = [&[&*command], *args, &[&*option, "-"]].concat();
        let Run {
            code,
            stdout,
            stderr,
        } = Run::with_input(dir.path(), &args, b"R../...\n");
        assert_eq!(code, 0, "{args:?}: {stderr}");
        assert!(
            stdout.to_ascii_lowercase().starts_with(begins) && !stdout.is_empty(),
            "{args:?}: {stdout:.60}"
        );
        if option == "--record" {
            assert!(stdout.contains("\n# variant classic-2x3\n"), "{stdout}");
        }
        tried += 1;
    }
    assert_eq!(tried, known.len() + elsewhere.len(), "an option is gone");
    for args in [
        &["review", &record, "--practice", "-", "--json"][..],
        &["review", &record, "--practice", "-", "--html", "-"],
        &["sheet", "classic-2x3", "--svg", "-", "--html", "-"],
        &["book", "classic-2x2", "--csv", "--html", "-"],
    ] {
        refused(args, &["cannot share standard output"]);
    }
    assert!(!std::path::Path::new("-").exists());
    refused(
        &["puzzle", "classic-2x3", "--html", "-", "--json"],
        &["cannot share standard output"],
    );
    // A folder is none of both, and a game has a name.
    for args in [
        &["--dir", "-", "query", "classic-2x2"][..],
        &["solve", "classic-2x2", "--scratch", "-"],
        &["man", "--out-dir", "-"],
    ] {
        refused(args, &["found '-'", "expected a folder"]);
    }
    for command in ["query", "solve", "book"] {
        refused(
            &[command, "-"],
            &["found '-', standard input", "by its path"],
        );
    }
}

#[test]
fn a_dash_is_standard_input_or_refused_and_never_ignored() {
    let dir = tempdir().unwrap();
    for command in [
        &["query", "classic-2x3"][..],
        &["line", "classic-2x3"],
        &["draw", "classic-2x3"],
        &["book", "classic-2x3", "--depth", "0"],
        &["perft", "classic-2x3", "--depth", "2"],
    ] {
        let moves = |moves: &str, input: &[u8]| {
            let args = [command, &["--moves", moves]].concat();
            let run = Run::with_input(dir.path(), &args, input);
            assert_eq!(run.code, 0, "{args:?}: {}", run.stderr);
            // Perft tells how long it took.
            let stdout = run.stdout.lines();
            stdout
                .filter(|line| !line.contains(" s"))
                .collect::<Vec<_>>()
                .join("\n")
        };
        let read = moves("-", b"\xef\xbb\xbf# variant classic-2x3\r\n1. b2R\r\n");
        assert_eq!(read, moves("b2R", b""), "{command:?}");
    }
    let two = ["query", "classic-2x3", "-", "--moves", "-"];
    assert_eq!(Run::with_input(dir.path(), &two, b"").code, 2);
    for args in [
        &["rules", "-"][..],
        &["verify", "-"],
        &["solve", "-"],
        &["cite", "-"],
    ] {
        refused(args, &["found '-', standard input, where a variant"]);
    }
    for (command, expected) in [
        ("info", "a table"),
        ("design", "a rule file"),
        ("check", "a claim"),
    ] {
        let said = format!("found '-', standard input, where {expected} was expected");
        let vary = ["--vary", "play=normal,misere"];
        let more = if command == "design" { &vary[..] } else { &[] };
        refused(&[&[command, "-"][..], more].concat(), &[&said]);
    }
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
        &["next light of that square is 'G'"],
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

#[cfg(unix)]
#[test]
fn a_record_that_is_a_pipe_is_read_or_refused() {
    let dir = tempdir().unwrap();
    let pipe = dir.path().join("pipe");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    assert!(made.unwrap().success());
    let name = pipe.display().to_string();
    let review = ["review", "classic-2x3", "--moves", &name];
    for args in [
        &review[..],
        &["review", &name],
        &["puzzle", "classic-2x3", "--from", &name],
    ] {
        refused(args, &["nobody writes into this pipe"]);
    }
    let writer = std::thread::spawn(move || fs::write(pipe, "b2R b2Y\n").unwrap());
    let Run {
        code,
        stdout,
        stderr,
    } = run(&review);
    assert_eq!(code, 0, "{stderr}");
    assert!(stdout.contains("a game of 2 plies"), "{stdout}");
    writer.join().unwrap();
}

/// The commands in the quotes of a text, as they stand.
fn quoted(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find(['\'', '`', '"']) {
        let (quote, inside) = (&rest[at..=at], &rest[at + 1..]);
        let end = inside.find(quote);
        match end.filter(|_| inside.starts_with("greenwave ")) {
            Some(end) => {
                found.push(inside[..end].to_string());
                rest = &inside[end + 1..];
            }
            None => rest = inside,
        }
    }
    found
}

/// Whether a command can be run as it stands: it is not only named, and asks for nothing to be put in.
fn is_whole(command: &str) -> bool {
    let is_name = |word: &str| {
        let word = word.trim_end_matches(".toml");
        word.len() > 1 && word.bytes().all(|byte| byte.is_ascii_uppercase())
    };
    let words: Vec<&str> = command.split(' ').collect();
    let asks_nothing = !command.contains('…') && !words.iter().any(|word| is_name(word));
    asks_nothing && (words.len() > 2 || command.ends_with(" variants"))
}

/// The commands in the quotes of a message that can be run as they stand.
fn suggested(message: &str) -> Vec<String> {
    let mut commands = quoted(message);
    commands.retain(|command| is_whole(command));
    commands
}

/// The commands that the sources of the program have in quotes within a text and that can be run, with
/// `{…}` for what is filled in.
fn in_sources() -> Vec<String> {
    let mut folders = vec![crate::common::root().join("crates")];
    let mut found = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                let is_tests = path.ends_with("tests");
                folders.extend(Some(path).filter(|_| !is_tests));
            } else if path.extension().is_some_and(|end| end == "rs") && !path.ends_with("tests.rs")
            {
                let text = fs::read_to_string(&path).unwrap();
                let text = text.split("#[cfg(test)]\nmod tests {").next().unwrap();
                let is_remark = |line: &&str| line.trim_start().starts_with("//");
                let lines: Vec<&str> = text.lines().filter(|line| !is_remark(line)).collect();
                // A text goes on in the next line.
                let text = lines.join("\n");
                let mut parts = text.split("\\\n");
                let first = parts.next().unwrap().to_string();
                let text = parts.fold(first, |text, part| text + part.trim_start());
                for string in text.split('"').skip(1).step_by(2) {
                    found.extend(suggested(string));
                }
            }
        }
    }
    found.sort();
    found.dedup();
    found
}

/// Whether a command is one of a form, with anything in the place of `{…}`.
fn is_of_form(command: &str, form: &str) -> bool {
    let mut rest = command;
    let parts = form
        .split('{')
        .enumerate()
        .map(|(number, part)| match number {
            0 => part,
            _ => part.split_once('}').map_or(part, |(_, after)| after),
        });
    let fixed: Vec<&str> = parts.collect();
    fixed.iter().enumerate().all(|(number, part)| {
        let at = if number == 0 {
            rest.starts_with(part).then_some(0)
        } else if number + 1 == fixed.len() {
            rest.ends_with(part).then(|| rest.len() - part.len())
        } else {
            rest.find(part)
        };
        at.inspect(|at| rest = &rest[at + part.len()..]).is_some()
    })
}

#[test]
fn every_command_that_a_message_suggests_can_be_run_as_it_stands() {
    let dir = tempdir().unwrap();
    fs::create_dir_all(dir.path().join("games")).unwrap();
    let rules = "title = 'Own'\npatterns = ['111', '222']\n[board]\nsize = '2x3'\n";
    fs::write(dir.path().join("games/own.toml"), rules).unwrap();
    let shell = |command: &str| {
        let program = std::path::Path::new(env!("CARGO_BIN_EXE_greenwave"));
        let folder = program.parent().unwrap().display().to_string();
        let path = format!("{folder}:{}", std::env::var("PATH").unwrap());
        let output = std::process::Command::new("sh")
            .args(["-c", command])
            .current_dir(dir.path())
            .env("PATH", path)
            .env("GREENWAVE_DIR", dir.path().join("usual"))
            .env("GREENWAVE_PROGRESS", "none")
            .env_remove("GREENWAVE_MEMORY")
            .output()
            .unwrap();
        let said = [output.stderr, output.stdout].map(|said| String::from_utf8(said).unwrap());
        (output.status.code().unwrap(), said.concat())
    };
    let damage = |table: &str| {
        let table = dir.path().join(table);
        let mut bytes = fs::read(&table).unwrap();
        let middle = bytes.len() / 2;
        bytes[middle] ^= 0x55;
        fs::write(table, bytes).unwrap();
    };
    for dd in ["", "--dir dd"] {
        for name in ["classic-2x3", "games/own.toml"] {
            assert_eq!(shell(&format!("greenwave {dd} solve {name}")).0, 0);
        }
    }
    let usual = fs::read(dir.path().join("usual/classic-2x3/distance.gwt")).unwrap();
    damage("dd/classic-2x3/distance.gwt");
    damage("dd/own/distance.gwt");
    // With a table of another metric under its name.
    let other = dir.path().join("dd/classic-2x2");
    assert_eq!(
        shell("greenwave --dir dd solve classic-2x2 --metric value,distance").0,
        0
    );
    fs::copy(other.join("value.gwt"), other.join("distance.gwt")).unwrap();
    fs::write(dir.path().join("game.txt"), "b2R\nb2Y\n").unwrap();
    // Forms that no case below comes to: commands of pages, which tests of pages run, and what only a
    // table that somebody forged brings about.
    let elsewhere = [
        "greenwave solve {variant}",
        "greenwave solve {variant} --metric {metric} --force",
    ];
    let (mut left, fixed): (Vec<_>, Vec<_>) = in_sources()
        .into_iter()
        .partition(|form| form.contains('{'));
    assert!(fixed.len() > 2, "{fixed:?}");
    for command in fixed {
        let (code, said) = shell(&command);
        assert_eq!(code, 0, "{command}: {said}");
    }
    assert!(left.len() > 8, "{left:?}");
    left.retain(|form| !elsewhere.contains(&form.as_str()));
    let mut tried = HashSet::new();
    for command in [
        "greenwave --dir dd query classic-2x3",
        "greenwave --dir=dd query games/own.toml",
        "greenwave query classic-2x3 --dir dd",
        "greenwave --dir dd query classic-2x2",
        "greenwave --dir dd verify classic-2x4",
        "greenwave verify dd/own/distance.gwt",
        "greenwave query classic-9x",
        "greenwave query classic-3x3 b2R,b2Y",
        "greenwave --dir dd query semaforo b2R",
        "greenwave query classic-3x3 hello",
        "greenwave find classic-3x3 'nonsense = 1'",
        "greenwave find classic-3x3 'points = 1'",
        "greenwave info no-such-file.gwt",
        "greenwave info games/own.toml",
        "greenwave solve no-such-file.toml",
        "greenwave query b2R,b2Y",
        "greenwave query .../.R./...",
        "greenwave classic-3x3",
        "greenwave classic-3x3 b2R",
        "greenwave review classic-2x3",
        "greenwave review game.txt",
        "greenwave puzzle classic-2x3 --from games/own.toml",
        "greenwave stats classic-3x4 --memory 1M",
        "greenwave stats classic-5x6",
        "greenwave stats classic-5x6 --memory 64M",
        "greenwave simulate classic-5x6 --games 1 --seed 1 --memory 16M",
        "greenwave strategy classic-1x6 --budget 20000",
        "greenwave check nonsense",
        "greenwave query classic-3x3 --budgt 3s",
        "greenwave help nonsense",
        "greenwave rules nonsense",
        "greenwave sum classic-3x3=hello",
        "greenwave play classic-2x3 --as none --record played.txt",
        "greenwave query classic-5x5 --budget 10",
    ] {
        // Lines are cut at blanks.
        let (_, message) = shell(command);
        let message = message.split_whitespace().collect::<Vec<_>>().join(" ");
        for suggestion in suggested(&message) {
            // The folder that was typed stands between.
            let plain = suggestion.replace("--dir dd ", "");
            left.retain(|form| !is_of_form(&plain, form));
            // A solve of hours only says whether it can be done.
            let is_large = suggestion.contains("--scratch");
            let estimate = if is_large { " --estimate" } else { "" };
            let suggestion = format!("{suggestion}{estimate}");
            if tried.insert(suggestion.clone()) {
                let (code, again) = shell(&suggestion);
                assert!(code != 2, "{command}: {message}{suggestion}: {again}");
            }
        }
    }
    assert!(tried.len() >= 12, "{tried:?}");
    assert!(
        left.is_empty(),
        "say which command suggests these: {left:#?}"
    );
    for table in ["classic-2x3", "games/own.toml", "classic-2x2"] {
        let (code, message) = shell(&format!("greenwave --dir dd query {table}"));
        assert_eq!(code, 0, "{table}: {message}");
    }
    let now = fs::read(dir.path().join("usual/classic-2x3/distance.gwt")).unwrap();
    assert!(
        now == usual,
        "the good table of the usual folder was written over"
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
