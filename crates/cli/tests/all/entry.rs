//! The way in: the first screen, help pages with their examples, words that are no command, manual
//! pages, completion.

use std::process::Command;

use crate::common::{greenwave, refused, run, with_file};
use crate::readme::checkout;
use crate::transcript::Transcript;

#[test]
fn the_bare_program_says_what_it_is_and_what_to_try() {
    let mut first = Transcript::new("first-screen");
    let shown = first.run(tempfile::tempdir().unwrap().path(), &[]).ok();
    first.settle();
    let tried = shown
        .stdout
        .lines()
        .filter(|line| line.starts_with("  greenwave "));
    assert_eq!(tried.count(), 4, "{shown:?}");
    assert!(shown.stdout.lines().all(|line| line.chars().count() <= 80));
}

/// The commands that `help` lists.
fn commands() -> Vec<String> {
    let help = run(&["help"]).ok().stdout;
    let list = help.split("Commands:").nth(1).unwrap();
    let list = list.split("\n\n").next().unwrap();
    let first = |line: &str| line.split_whitespace().next().map(String::from);
    let indented = list
        .lines()
        .filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    indented.filter_map(first).collect()
}

#[test]
fn every_help_page_begins_with_examples_that_work() {
    // These go on until somebody stops them.
    const ENDLESS: [&str; 2] = ["serve", "play"];
    let home = checkout();
    let game = "patterns = ['111', '222']\nboard.size = '2x3'\n";
    std::fs::write(home.path().join("my-game.toml"), game).unwrap();
    let commands = commands();
    assert!(commands.len() > 18, "{commands:?}");
    for command in &commands {
        let run = |args: &[&str]| crate::common::greenwave(home.path(), args).ok().stdout;
        let help = run(&[command, "--help"]);
        assert_eq!(help, run(&["help", command]), "{command}");
        let (about, examples) = help
            .split_once("Examples:\n")
            .unwrap_or_else(|| panic!("{help}"));
        assert!(about.lines().count() <= 4, "{command}: {about}");
        let (examples, _) = examples.split_once("\n\n").unwrap();
        let examples: Vec<&str> = examples
            .lines()
            .filter(|line| line.starts_with("  ") && !line.starts_with("   "))
            .collect();
        assert!((2..=3).contains(&examples.len()), "{command}: {examples:?}");
        if ENDLESS.contains(&command.as_str()) {
            continue;
        }
        for example in examples {
            let program = std::path::Path::new(env!("CARGO_BIN_EXE_greenwave"));
            let mut path = program.parent().unwrap().as_os_str().to_owned();
            path.push(":");
            path.push(std::env::var_os("PATH").unwrap_or_default());
            let mut shell = Command::new("sh");
            shell.args(["-c", example]).env("PATH", path);
            crate::pages::isolate(&mut shell, home.path());
            let output = shell.stdin(std::process::Stdio::null()).output().unwrap();
            let complaint = String::from_utf8_lossy(&output.stderr).into_owned();
            assert!(output.status.success(), "{example}: {complaint}");
        }
    }
}

#[test]
fn help_names_fields_and_prints_pages_of_the_guide() {
    // The global options show settings of this run.
    let find = run(&["find", "--help"]).ok().stdout;
    let (of_find, global) = find.split_once("Global options:").unwrap();
    let (_, explained) = global.split_once("\nExpressions:").unwrap();
    let mut shown = Transcript::new("help-find");
    shown.told("options", of_find);
    shown.told("expressions", explained);
    shown.settle();
    for (topic, word) in [
        ("games", "points-3x4:end=play-on"),
        ("positions", "slide-N"),
        ("expressions", "losing_at_once"),
        ("rule-files", "without-lines"),
        ("claims", "up-to-symmetry"),
        ("json", "positions_per_second"),
        ("trouble", "Plies or moves?"),
    ] {
        let page = run(&["help", topic]).ok().stdout;
        assert!(page.contains(word), "{topic}: {page}");
        assert!(!page.contains("]("), "{topic}: {page}");
    }
}

#[test]
fn variants_without_tables_show_what_is_published() {
    let shown = run(&["variants"]).ok().stdout;
    let row = shown
        .lines()
        .find(|line| line.starts_with("classic-3x4 "))
        .unwrap();
    assert!(row.ends_with("loss in 26 plies +"), "{row}");
    let list = run(&["variants", "--json"]).list();
    let entry = list
        .as_array()
        .unwrap()
        .iter()
        .find(|entry| entry["variant"] == "classic-3x4");
    let entry = entry.unwrap();
    assert_eq!(entry["published"], true);
    assert_eq!(entry["distance"], 26);
    assert_eq!(entry["solved"].as_array().unwrap().len(), 0);

    let home = tempfile::tempdir().unwrap();
    greenwave(home.path(), &["solve", "classic-3x3"]).ok();
    let shown = greenwave(home.path(), &["variants"]).ok().stdout;
    let row = shown
        .lines()
        .find(|line| line.starts_with("classic-3x3 "))
        .unwrap();
    assert!(row.ends_with("win in 17 plies"), "{row}");
}

#[test]
fn manual_pages_have_all_sections() {
    let home = tempfile::tempdir().unwrap();
    let dir = home.path().join("man1");
    run(&["man", "--out-dir", &dir.display().to_string()]).ok();
    let mut pages: Vec<String> = commands();
    pages.retain(|command| command != "help");
    for command in pages {
        let page = std::fs::read_to_string(dir.join(format!("greenwave-{command}.1"))).unwrap();
        for section in [
            "NAME",
            "EXAMPLES",
            "\"EXIT STATUS\"",
            "ENVIRONMENT",
            "FILES",
            "\"SEE ALSO\"",
        ] {
            let quoted = format!("\"{section}\"");
            let there =
                page.contains(&format!(".SH {section}")) || page.contains(&format!(".SH {quoted}"));
            assert!(there, "{command} lacks {section}");
        }
    }
    let page = run(&["man"]).ok().stdout;
    assert!(
        page.contains("GREENWAVE_DIR") && page.contains("greenwave query classic"),
        "{page}"
    );
}

#[test]
fn shells_complete_variants_options_and_claims() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        assert!(
            run(&["completions", shell])
                .ok()
                .stdout
                .contains("greenwave")
        );
    }
    // As fish asks: the words so far.
    let complete = |words: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_greenwave"))
            .env("COMPLETE", "fish")
            .args(["--", "greenwave"])
            .args(words)
            .output()
            .unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    // Another program's variable of that name.
    let output = Command::new(env!("CARGO_BIN_EXE_greenwave"))
        .env("COMPLETE", "1")
        .args(["perft", "1x1", "--depth", "2"])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let mut shown = Transcript::new("completion");
    for line in [
        &["query", "classic-3x"][..],
        &["query", "classic-3x3:pl"],
        &["solve", "--metric", "di"],
        &["check", "1"],
        &["sta"],
        &["play", "3x3", "--level", "e"],
        &["strategy", "3x3", "--symmetry", "ha"],
        &["find", "3x3", "--fields", "value,winning_m"],
    ] {
        shown.told(&line.join(" "), &complete(line));
    }
    shown.settle();
}

/// The words that bash has in COMPREPLY after a command line and the words that it makes of it.
#[cfg(unix)]
fn bash_completes(line: &str, words: &[&str]) -> Option<String> {
    let script = run(&["completions", "bash"]).ok().stdout;
    let quoted: Vec<String> = words.iter().map(|word| format!("'{word}'")).collect();
    let asked = format!(
        "{script}\nCOMP_WORDBREAKS=$' \\t\\n\"\\'><=;|&(:'\nCOMP_LINE='{line}'\nCOMP_POINT=${{#COMP_LINE}}\n\
         COMP_WORDS=({})\nCOMP_CWORD={}\nCOMP_TYPE=9\n_greenwave greenwave '' ''\n\
         printf '%s ' \"${{COMPREPLY[@]}}\"",
        quoted.join(" "),
        words.len() - 1
    );
    let program = std::path::Path::new(env!("CARGO_BIN_EXE_greenwave"));
    let mut path = program.parent().unwrap().as_os_str().to_owned();
    path.push(":");
    path.push(std::env::var_os("PATH").unwrap_or_default());
    let bash = Command::new("bash")
        .args(["--norc", "-c", &asked])
        .env("PATH", path)
        .output();
    // Not every system has bash.
    let output = bash.ok()?;
    Some(String::from_utf8(output.stdout).unwrap())
}

#[cfg(unix)]
#[test]
fn bash_completes_after_the_signs_at_which_its_words_end() {
    let asked = [
        (
            "greenwave query classic-3x3:pl",
            &["greenwave", "query", "classic-3x3", ":", "pl"][..],
            "play=misere",
        ),
        (
            "greenwave query classic-3x3:play=",
            &["greenwave", "query", "classic-3x3", ":", "play", "="],
            "misere",
        ),
        (
            "  greenwave solve --metric=di",
            &["greenwave", "solve", "--metric", "=", "di"],
            "distance",
        ),
        (
            "greenwave query classic-3x3:play=misere,stalemate=l",
            &[
                "greenwave",
                "query",
                "classic-3x3",
                ":",
                "play",
                "=",
                "misere,stalemate",
                "=",
                "l",
            ],
            "loss",
        ),
        ("greenwave sta", &["greenwave", "sta"], "stats"),
        ("greenwave check ", &["greenwave", "check", ""], "1"),
    ];
    for (line, words, expected) in asked {
        let Some(found) = bash_completes(line, words) else {
            return;
        };
        assert!(
            found.split(' ').any(|word| word == expected),
            "{line}: {found}"
        );
    }
}

#[test]
fn semaforo_keeps_its_name_in_what_people_read() {
    let home = checkout();
    let sheet = home.path().join("sheet.html");
    let report = home.path().join("report.html");
    let (sheet, report) = (sheet.to_str().unwrap(), report.to_str().unwrap());
    // What goes through all positions, once in the quick tests.
    let slow: &[&[&str]] = if cfg!(feature = "slow-tests") {
        &[
            &["puzzle", "semaforo"],
            &["compare", "semaforo", "classic-2x3", "--html", report],
        ]
    } else {
        &[]
    };
    let commands: &[&[&str]] = &[
        &["solve", "semaforo", "--estimate"],
        &["query", "semaforo", "--moves", "b2"],
        &["line", "semaforo"],
        &["perft", "semaforo", "--depth", "2"],
        &["sum", "semaforo", "semaforo"],
        &["simulate", "semaforo", "--games", "2", "--seed", "1"],
        &["review", "semaforo", "--moves", "b2"],
        &["strategy", "semaforo", "--budget", "1"],
        &["draw", "semaforo"],
        &["cite", "semaforo"],
        &["cite", "semaforo", "--bibtex"],
        &["puzzle", "semaforo", "--html", sheet],
    ];
    for command in slow.iter().chain(commands) {
        let said = greenwave(home.path().join("solutions").as_path(), command).stdout;
        let said = match command.last() {
            Some(file) if file.ends_with(".html") && command[0] == "puzzle" => {
                std::fs::read_to_string(file).unwrap()
            }
            _ => said,
        };
        // Printed sheets have it as people write it.
        let named = said.contains("semaforo") || said.contains("Semáforo");
        assert!(named, "{command:?}: {said}");
        // A citation says what it is another name of, the source of values where they are.
        let named = said.lines().any(|line| {
            line.contains("classic-3x4") && !line.contains("Source") && command[0] != "cite"
        });
        assert!(!named, "{command:?}: {said}");
    }
    if !slow.is_empty() {
        let report = std::fs::read_to_string(report).unwrap();
        assert!(report.contains(">semaforo<") && !report.contains(">classic-3x4<"));
    }
    let estimate = run(&["solve", "semaforo", "--estimate", "--json"]).json();
    assert_eq!(estimate["variant"], "semaforo");
}

#[test]
fn help_names_all_fields() {
    let fields_of = |command: &str, args: &[&str]| {
        let help = run(&["help", command]).ok().stdout;
        let (_, fields) = help.split_once("Fields of --json:").unwrap();
        let fields = fields.split("Examples:").next().unwrap().to_string();
        let found = run(args).stdout;
        let first = found.lines().next().unwrap();
        let found: serde_json::Value = serde_json::from_str(first).unwrap();
        (fields, found)
    };
    let all_named = |fields: &str, object: &serde_json::Value| {
        for key in object.as_object().unwrap().keys() {
            let mut words = fields.split(|c: char| !c.is_alphanumeric() && c != '_');
            assert!(
                key == "schema" || words.any(|word| word == key),
                "no {key} in {fields}"
            );
        }
    };
    let two = ["compare", "classic-1x3", "classic-1x4", "--json"];
    let (fields, compared) = fields_of("compare", &two);
    all_named(&fields, &compared);
    all_named(&fields, &compared["a"]);
    let mut words = fields.split(|sign: char| !sign.is_alphanumeric());
    assert!(words.any(|word| word == "variants"), "{fields}");
    let (fields, strategy) = fields_of("strategy", &["strategy", "classic-1x5", "--json"]);
    all_named(&fields, &strategy);
    let (fields, claims) = fields_of("check", &["check", "--list", "--json"]);
    all_named(&fields, &claims);
}

#[test]
fn the_log_of_puzzles_counts_the_positions_and_begins_with_all_that_lines_have() {
    let log = run(&["puzzle", "classic-2x4", "--progress", "log"])
        .ok()
        .stderr;
    for stage in [
        "walking through classic-2x4",
        "looking for puzzles of classic-2x4",
    ] {
        let lines: Vec<&str> = log.lines().filter(|line| line.contains(stage)).collect();
        assert!(lines.len() >= 2, "{log}");
        assert!(
            lines[0].contains(": 0 %, rate and time left not known yet, "),
            "{log}"
        );
        let end = lines[lines.len() - 1];
        assert!(
            end.contains(": done in ") && !end.contains(" 0 positions/s"),
            "{log}"
        );
    }
}

#[test]
fn what_begins_with_a_dash_is_an_option_or_a_text() {
    let (_dir, file) = with_file(
        "gap.toml",
        "patterns = ['111', '222', '333']\nboard.outline = '-##/###'\n",
    );
    let position = "-RR/...";
    for args in [
        &["line", &file, position, "-q"][..],
        &["query", &file, position, "-q"],
        &["perft", &file, position, "--depth", "1"],
        &["perft", &file, "--depth", "1", "--", position],
    ] {
        run(args).ok();
    }
    let counted = |args: &[&str]| run(args).ok().stdout;
    assert_eq!(
        counted(&["find", "points-1x3", "-points = -1", "--count", "-q"]),
        counted(&["find", "points-1x3", "points = 1", "-q", "--count"]),
    );
    for args in [
        &["query", "classic-3x3", "--jsn"][..],
        &["find", "classic-3x3", "--jsn"],
        &["line", "classic-3x3", "--jsn"],
        &["variants", "--jsn"],
        &["--jsn", "variants"],
    ] {
        refused(args, &["unknown option '--jsn'", "did you mean '--json'?"]);
    }
    refused(
        &["line", "classic-3x3", "-RRR"],
        &["unknown option '-RRR' of 'greenwave line'"],
    );
    refused(
        &["line", &file, "-RX/..."],
        &["cannot be a position", "found 'X'"],
    );
    refused(
        &["query", "classic-3x3", "--", "--jsn"],
        &["'--jsn' cannot be a position"],
    );
    refused(
        &["find", "points-1x3", "-pionts = 1"],
        &["unknown name 'pionts'", "did you mean 'points'?"],
    );
}
