//! Options that name a file: outputs take the place of no input, and a dash is standard input or output.

use std::fs;

use tempfile::tempdir;

use crate::common::{Run, refused, run};

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
