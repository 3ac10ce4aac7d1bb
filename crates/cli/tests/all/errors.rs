//! Wrong input gives one clear error on stderr, exit code 2, and leaves nothing behind.

use crate::common::{Run, greenwave, refused, run};
use crate::transcript::Transcript;
use tempfile::tempdir;

#[test]
fn absurd_limits() {
    refused(&["solve", "classic-3x3", "--threads", "0"], &["1 to 1024"]);
    refused(&["solve", "classic-3x3", "--threads", "-3"], &["threads"]);
    refused(
        &["solve", "classic-3x3", "--threads", "100000"],
        &["1 to 1024"],
    );
    refused(
        &["solve", "classic-3x3", "--memory", "lots"],
        &["lots", "8G"],
    );
    refused(
        &["solve", "classic-3x3", "--memory", "9999T"],
        &["the machine has"],
    );
    refused(
        &["solve", "classic-3x3", "--memory", "1K"],
        &["at least 16M"],
    );
    refused(
        &["solve", "classic-4x5"],
        &["classic-4x5", "needs", "--memory"],
    );
    refused(
        &["line", "classic-5x6"],
        &["needs", "'greenwave query classic-5x6'"],
    );
    refused(
        &["query", "classic-3x3", "--budget", "soon"],
        &["soon", "10s"],
    );
}

#[test]
fn memory_that_no_machine_has() {
    for size in [
        "",
        "8 bananas",
        "G",
        "-5G",
        "NaN",
        "inf",
        "1e999G",
        "0x10G",
        "8GG",
    ] {
        refused(
            &["solve", "classic-3x3", "--memory", size],
            &["--memory", "8G, 512M"],
        );
    }
    refused(
        &["solve", "classic-3x3", "--memory", "0"],
        &["at least 16M"],
    );
    refused(
        &["solve", "classic-3x3", "--memory", "99999999999999999999T"],
        &["the machine has"],
    );
}

#[test]
fn boards_too_large_for_any_plan() {
    let slow = cfg!(feature = "slow-tests");
    let at_once = ["classic-2x15", "green-4x8:supply=cap9"];
    // Their waves are counted, which takes seconds.
    let planned = ["classic-4x8", "points-5x6"];
    for variant in at_once.into_iter().chain(planned) {
        if slow || at_once.contains(&variant) {
            refused(&["solve", variant], &[variant, "needs", "--memory"]);
            refused(&["solve", variant, "--no-table"], &[variant, "needs"]);
        }
        refused(&["stats", variant], &[variant, "needs"]);
    }
    let waves = ["solve", "points-3x6", "--no-table", "--memory", "64M"];
    refused(&waves, &["points-3x6", "needs"]);
    // Nothing is solved when one of several does not fit.
    let large = if slow {
        "classic-5x5"
    } else {
        "green-4x8:supply=cap9"
    };
    refused(&["bench", large, "--metric", "value"], &["needs"]);
    refused(&["solve", "classic-3x3", large], &[large]);
}

#[test]
fn kernels_are_those_that_the_version_names() {
    let dir = tempdir().unwrap();
    let version = greenwave(dir.path(), &["--version"]).ok().stdout;
    let names = [("neon", "NEON"), ("avx2", "AVX2"), ("avx512", "AVX-512")];
    for (kernel, name) in names.into_iter().chain([("portable", "CPU")]) {
        let named = version.contains(name);
        let solve = ["solve", "classic-3x3", "--no-table", "--kernel", kernel];
        let run = greenwave(dir.path(), &solve);
        if named {
            assert_eq!(run.code, 0, "{version}: {run:?}");
        } else {
            assert_eq!(run.code, 2, "{version}: {run:?}");
            assert!(
                run.stderr.contains("this CPU cannot run") && run.stderr.contains("--kernel auto"),
                "{}",
                run.stderr
            );
        }
    }
}

#[test]
fn a_folder_that_cannot_be_written() {
    let dir = tempdir().unwrap();
    let file = dir.path().join("file");
    std::fs::write(&file, "in the way").unwrap();
    let run = greenwave(&file, &["solve", "classic-3x3"]);
    assert_eq!(run.code, 2);
    let wanted = "which is a file, expected a folder";
    assert!(run.stderr.contains(wanted), "{}", run.stderr);
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "in the way");
}

#[test]
fn a_table_of_another_variant_is_refused() {
    let dir = tempdir().unwrap();
    greenwave(dir.path(), &["solve", "classic-3x3", "signal-3x3"]).ok();
    let table = |variant: &str| dir.path().join(variant).join("distance.gwt");
    std::fs::copy(table("signal-3x3"), table("classic-3x3")).unwrap();
    // The way out is the variant that was requested, not the one in the file.
    let mut shown = Transcript::new("table-of-another-variant");
    for command in ["query", "solve", "verify", "stats"] {
        assert_eq!(shown.run(dir.path(), &[command, "classic-3x3"]).code, 2);
    }
    shown.settle();
    greenwave(dir.path(), &["solve", "classic-3x3", "--force"]).ok();
    greenwave(dir.path(), &["verify", "classic-3x3"]).ok();
}

#[test]
fn a_table_of_another_metric_is_refused() {
    let dir = tempdir().unwrap();
    let solve = ["solve", "classic-3x3", "--metric", "value"];
    greenwave(dir.path(), &solve).ok();
    let folder = dir.path().join("classic-3x3");
    std::fs::copy(folder.join("value.gwt"), folder.join("distance.gwt")).unwrap();
    let mut shown = Transcript::new("table-of-another-metric");
    for command in ["query", "solve", "verify", "stats"] {
        assert_eq!(shown.run(dir.path(), &[command, "classic-3x3"]).code, 2);
    }
    shown.settle();
    greenwave(dir.path(), &["solve", "classic-3x3", "--force"]).ok();
    greenwave(dir.path(), &["verify", "classic-3x3"]).ok();
}

#[test]
fn a_file_that_is_no_table_is_left_alone() {
    let dir = tempdir().unwrap();
    let notes = dir.path().join("notes.txt");
    let empty = dir.path().join("empty");
    std::fs::write(&notes, "root:x:0:0:root:/root:/bin/sh\n").unwrap();
    std::fs::write(&empty, "").unwrap();
    let mut shown = Transcript::new("no-table");
    for command in ["info", "verify"] {
        for file in [&notes, &empty] {
            let run = shown.run(dir.path(), &[command, file.to_str().unwrap()]);
            assert_eq!(run.code, 2, "{command}: {run:?}");
        }
    }
    // Where a table belongs, the command that makes it is named.
    let table = dir.path().join("classic-3x3/distance.gwt");
    std::fs::create_dir(table.parent().unwrap()).unwrap();
    std::fs::rename(&notes, &table).unwrap();
    for args in [["query", "classic-3x3"], ["info", table.to_str().unwrap()]] {
        assert_eq!(shown.run(dir.path(), &args).code, 2, "{args:?}");
    }
    shown.settle();
}

#[test]
fn a_truncated_table_says_which_command_mends_it() {
    let dir = tempdir().unwrap();
    let name = "classic-3x3:supply=cap4";
    // A table stores the command that solved it, so its length depends on the command.
    let solve = ["solve", name, "classic-3x3", "--kernel", "portable"];
    greenwave(dir.path(), &solve).ok();
    let cut = |slug: &str| {
        let path = dir.path().join(slug).join("distance.gwt");
        let bytes = std::fs::read(&path).unwrap();
        std::fs::write(&path, &bytes[..bytes.len() / 2]).unwrap();
        path
    };
    let (plain, capped) = (cut("classic-3x3"), cut("classic-3x3_supply-cap4"));
    let elsewhere = dir.path().join("old.gwt");
    std::fs::copy(&plain, &elsewhere).unwrap();
    let cases = [
        ["query", name],
        ["query", "classic-3x3"],
        ["info", plain.to_str().unwrap()],
        ["verify", plain.to_str().unwrap()],
        ["info", capped.to_str().unwrap()],
        ["info", elsewhere.to_str().unwrap()],
        ["verify", elsewhere.to_str().unwrap()],
    ];
    let mut shown = Transcript::new("truncated-table");
    for args in cases {
        assert_eq!(shown.run(dir.path(), &args).code, 2, "{args:?}");
    }
    shown.settle();
}

/// Bytes that are no text are a fault of their file, and a zero byte is told as one.
#[test]
fn records_that_are_no_text_are_faults_of_files() {
    let dir = tempdir().unwrap();
    let file = dir.path().join("games.txt");
    let name = file.to_str().unwrap();
    for (bytes, expected) in [
        (&b"b2R\xff\n"[..], "no text in UTF-8"),
        (b"b2R\0\n", "found a zero byte"),
    ] {
        std::fs::write(&file, bytes).unwrap();
        for args in [
            &["review", name][..],
            &["puzzle", "classic-2x3", "--from", name],
        ] {
            let args = [args, &["--json"]].concat();
            refused(&args, &[expected, "\"kind\":\"file\""]);
        }
    }
}

#[test]
fn a_bad_line_of_a_batch_does_not_stop_it() {
    let dir = tempdir().unwrap();
    let input = b".../.../...\nR../x../...\n\n.R./.../...\n\xff\xfe\n";
    let run = Run::with_input(dir.path(), &["query", "classic-3x3", "-", "--json"], input);
    assert_eq!(run.code, 2);
    let lines: Vec<serde_json::Value> = run
        .stdout
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(lines.len(), 4);
    assert_eq!(lines[1]["line"], 2);
    assert_eq!(lines[1]["input"], "R../x../...");
    let mut shown = Transcript::new("bad-lines");
    for line in [1, 3] {
        shown.told("error", lines[line]["error"].as_str().unwrap());
    }
    shown.settle();
    assert_eq!(lines[2]["value"], "loss");
    assert_eq!(lines[3]["line"], 5);
    let run = Run::with_input(
        dir.path(),
        &["query", "classic-3x3", "-", "--json", "--fail-fast"],
        input,
    );
    assert_eq!((run.code, run.stdout.lines().count()), (2, 2));
}

#[test]
fn a_finished_position_is_answered_however_large_the_board() {
    let dir = tempdir().unwrap();
    let cases = [
        (
            "classic-5x5",
            "GGG../...../...../...../.....",
            "loss",
            "distance",
            0,
        ),
        (
            "classic-5x5:play=misere",
            "GGG../...../...../...../.....",
            "win",
            "distance",
            0,
        ),
        (
            "points-5x5",
            "YYY../...../...../...../.....",
            "loss",
            "points",
            -5,
        ),
    ];
    for (variant, position, value, figure, expected) in cases {
        let answer = greenwave(dir.path(), &["query", variant, position, "--json"]).json();
        assert_eq!(answer["terminal"], true, "{variant}");
        assert_eq!(answer["value"], value, "{variant}");
        assert_eq!(answer[figure], expected, "{variant}");
    }
}

#[test]
fn an_empty_environment_variable_is_no_setting() {
    let dir = tempdir().unwrap();
    let output = assert_cmd::Command::new(env!("CARGO_BIN_EXE_greenwave"))
        .env("GREENWAVE_DIR", dir.path())
        .env("GREENWAVE_THREADS", "")
        .env("GREENWAVE_MEMORY", "")
        .env("GREENWAVE_COLOURS", "")
        .args(["query", "classic-3x3"])
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
}

#[test]
fn a_bad_environment_variable_is_named() {
    let dir = tempdir().unwrap();
    let mut shown = Transcript::new("settings");
    for (variable, value) in [
        ("GREENWAVE_THREADS", "abc"),
        ("GREENWAVE_MEMORY", "lots"),
        ("GREENWAVE_LIGHTS", "xyz"),
    ] {
        let run = |args: &[&str]| {
            let output = assert_cmd::Command::new(env!("CARGO_BIN_EXE_greenwave"))
                .env("GREENWAVE_DIR", dir.path())
                .env(variable, value)
                .args(args)
                .output()
                .unwrap();
            assert_eq!(output.status.code(), Some(2), "{output:?}");
            String::from_utf8(output.stderr).unwrap()
        };
        shown.told(variable, &run(&["query", "classic-3x3"]));
        let option = variable.trim_start_matches("GREENWAVE_").to_lowercase();
        let typed = run(&["query", "classic-3x3", &format!("--{option}"), value]);
        shown.told(&format!("--{option}"), &typed);
        // Where the option is typed, nobody asks what the variable says.
        let right = match option.as_str() {
            "threads" => "2",
            "memory" => "1G",
            _ => "ryg",
        };
        for args in [
            ["query", "classic-3x3", &format!("--{option}"), right],
            [&format!("--{option}"), right, "query", "classic-3x3"],
        ] {
            let run = assert_cmd::Command::new(env!("CARGO_BIN_EXE_greenwave"))
                .env("GREENWAVE_DIR", dir.path())
                .env(variable, value)
                .args(args)
                .output();
            assert!(run.unwrap().status.success(), "{variable} {args:?}");
        }
    }
    shown.settle();
}

#[cfg(unix)]
#[test]
fn an_argument_that_is_no_text_is_refused() {
    use std::os::unix::ffi::OsStrExt;
    let output = assert_cmd::Command::new(env!("CARGO_BIN_EXE_greenwave"))
        .env("GREENWAVE_THREADS", "8x")
        .args(["query", "classic-8x8"])
        .arg(std::ffi::OsStr::from_bytes(b"\xff"))
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    let mut shown = Transcript::new("no-text");
    shown.told("$ greenwave", &String::from_utf8_lossy(&output.stderr));
    shown.settle();
}

#[test]
fn numbers_out_of_range_name_the_range() {
    for (args, words) in [
        (
            &["perft", "classic-3x3", "--depth", "x"][..],
            "found 'x', expected a number of plies from 0 to",
        ),
        (
            &["perft", "classic-3x3", "--depth", "-1"],
            "found '-1', expected a number of plies",
        ),
        (
            &["simulate", "bag-classic-1x3", "--games", "0", "--seed", "1"],
            "found '0', expected a number of games from 1 to 1000000000",
        ),
        (
            &["query", "classic-3x3", "--budget", "-5"],
            "found '-5', expected a time such as 500ms",
        ),
        (
            &["find", "classic-3x3", "value = win", "--limit", "-5"],
            "found '-5', expected a number from 0",
        ),
    ] {
        refused(args, &[words]);
    }
}

#[test]
fn what_is_no_table_is_told_what_is() {
    refused(
        &["info", "nosuch.gwt"],
        &["give a file that `greenwave solve` wrote"],
    );
    refused(
        &["info", "/"],
        &["give a file that `greenwave solve` wrote"],
    );
    refused(&["check", "999"], &["no claim '999'", "1 to 60"]);
}

#[test]
fn an_error_that_nobody_can_read_is_still_exit_2() {
    let Ok(full) = std::fs::OpenOptions::new().write(true).open("/dev/full") else {
        return;
    };
    let status = std::process::Command::new(env!("CARGO_BIN_EXE_greenwave"))
        .args(["query", "nonsense"])
        .stderr(full)
        .status()
        .unwrap();
    assert_eq!(status.code(), Some(2));
}

#[test]
fn statistics_follow_the_order_of_the_lights() {
    let dir = tempdir().unwrap();
    let mut shown = Transcript::new("stats-in-green");
    let args = ["stats", "classic-3x3", "--colours", "gyr"];
    shown.run(dir.path(), &args).ok();
    shown.settle();
}

#[test]
fn the_largest_ampel_is_too_large_without_a_panic() {
    let name = "ampel-11-20-10";
    refused(&["solve", name], &["needs", "--memory"]);
    let way_out = ["needs", "'greenwave query ampel-11-20-10"];
    refused(&["stats", name], &way_out);
    // Each of them counts the positions for most of a second.
    if cfg!(feature = "slow-tests") {
        refused(&["line", name], &way_out);
    }
    let dir = tempdir().unwrap();
    greenwave(dir.path(), &["solve", name, "--estimate"]).ok();
}

#[test]
fn moves_are_played_and_an_illegal_one_is_named() {
    let after = run(&["query", "classic-3x3", "--moves", "b2R b2Y,a1", "--json"]);
    let typed = run(&["query", "classic-3x3", ".../.Y./R..", "--json"]);
    assert_eq!(after.json()["moves"], typed.json()["moves"]);
    let after = run(&[
        "perft", "semaforo", "--moves", "b2G", "--depth", "1", "--json",
    ]);
    assert_eq!(after.json()["position"], "..../.G../....");
    let after = run(&["line", "classic-2x3", "R../...", "--moves", "a1R", "--json"]);
    assert_eq!(after.json()["position"], "R../R..");
    refused(
        &["line", "classic-3x3", "--moves", "b2R,b2Y,b2Y"],
        &[
            "move 3, 'b2Y'",
            "legal on b2: b2G",
            "played before it: b2R b2Y",
        ],
    );
    refused(
        &["query", "bag-classic-3x3", "--moves", "+R"],
        &["move 1, '+R'", "a draw comes before it", "[RR]"],
    );
}

#[test]
fn a_forgotten_variant_a_missing_record_and_a_mistyped_option_are_told() {
    refused(
        &["query", "b2R"],
        &[
            "'b2R' looks like a move",
            "greenwave query classic-3x3 --moves 'b2R'",
        ],
    );
    refused(
        &["query", "R../.Y./..G"],
        &[
            "looks like a position",
            "greenwave query classic-3x3 'R../.Y./..G'",
        ],
    );
    // What is suggested keeps the order of the lights.
    refused(
        &["query", "semaforo", "b2G"],
        &["'greenwave query semaforo --moves b2G' plays it"],
    );
    refused(
        &["query", "3x3", "--colours", "gyr", "b2G"],
        &["'greenwave query classic-3x3 --moves b2G --lights gyr' plays it"],
    );
    refused(
        &["query", "semaforo", "x"],
        &["cannot be a position of semaforo"],
    );
    refused(
        &["query", "clasic-3x3"],
        &["unknown variant", "classic-3x3"],
    );
    refused(
        &["review", "3x3", "--moves", "no-such-game.txt"],
        &["there is no file 'no-such-game.txt'"],
    );
    refused(
        &["review", "no-such-game.txt"],
        &["there is no file 'no-such-game.txt'; name files of records"],
    );
    for command in ["query", "play", "stats"] {
        refused(
            &[command, "games/mine.txt"],
            &["unknown variant", "the name of a rule file ends in .toml"],
        );
    }
    #[cfg(unix)]
    refused(
        &["review", "3x3", "--moves", "/dev/zero"],
        &[
            "cannot read the record '/dev/zero'",
            "found more than 1048576 bytes",
        ],
    );
    refused(
        &["review", "3x3", "--moves", "R../.Y./..G"],
        &["this is a position, where a move was expected"],
    );
    refused(
        &["query", "3x3", "--jsn"],
        &[
            "did you mean '--json'?",
            "Usage: greenwave query [OPTIONS] <VARIANT>",
        ],
    );
}

#[test]
fn a_position_that_no_play_leads_to_is_answered_with_a_remark() {
    let remark = |args: &[&str]| run(args).ok().stderr;
    for (game, position) in [
        ("classic-3x3", "RRR/YYY/..."),
        ("classic-3x3", "GGG/GGG/GGG"),
        ("classic-4x5", "GGG../...../...../YYY.."),
        ("noughts-4x4", "XXX./OO../O.OO/XXX."),
    ] {
        let told = remark(&["query", game, position]);
        assert!(told.contains(&format!("leads to {position}")), "{told}");
    }
    assert_eq!(remark(&["query", "classic-3x3", "RRR/YYY/...", "-q"]), "");
    assert_eq!(remark(&["query", "classic-3x3", "R../.Y./..G"]), "");
    assert_eq!(remark(&["query", "noughts-3x3", "XO./.../..."]), "");
}

/// The memory that a message names is enough, and it is never said that a solve needs what it may use.
#[test]
fn memory_that_is_advised_is_enough() {
    let dir = tempdir().unwrap();
    let advised = greenwave(dir.path(), &["--memory", "16M", "solve", "classic-3x5"]);
    let (_, figure) = advised.stderr.split_once("--no-table (").unwrap();
    let (figure, _) = figure.split_once(" MiB of memory").unwrap();
    let without_table = |memory: &str| {
        let memory = format!("{memory}M");
        let solve = ["solve", "classic-3x5", "--no-table", "--memory", &memory];
        greenwave(dir.path(), &[&solve[..], &["--estimate"]].concat()).ok()
    };
    assert!(
        without_table(figure).stdout.contains("(fits into"),
        "{figure}"
    );
    let needed = figure.parse::<f64>().unwrap();
    let told = without_table(&format!("{:.1}", needed - 0.1)).stdout;
    let expected = format!(
        "memory {needed:.1} MiB (does not fit into {:.1} MiB)",
        needed - 0.1
    );
    assert!(told.contains(&expected), "{told}");
}

/// A suggested command has the memory that was typed; a solve has what it needs where that is more.
#[test]
fn suggested_commands_name_the_memory() {
    let dir = tempdir().unwrap();
    for (game, memory, expected) in [
        ("classic-2x3", "64M", "--memory 64M solve classic-2x3"),
        (
            "classic-3x5",
            "16M",
            "solve classic-3x5 --metric distance --force --memory ",
        ),
    ] {
        let folder = dir.path().join(game);
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join("distance.gwt"), "").unwrap();
        let refused = greenwave(dir.path(), &["--memory", memory, "query", game, "--json"]);
        let refusal: serde_json::Value = serde_json::from_str(refused.stderr.trim()).unwrap();
        let hint = refusal["hint"].as_str().unwrap();
        assert!(hint.contains(expected), "{hint}");
        assert_eq!(hint.matches("--memory").count(), 1, "{hint}");
        let estimate = hint.replace("--force", "--estimate");
        let args: Vec<&str> = estimate.split(' ').skip(1).collect();
        let told = greenwave(dir.path(), &args).ok().stdout;
        assert!(told.contains("(fits into"), "{hint}: {told}");
    }
}

/// No option gives the memory that a machine has not, also where several metrics do not fit.
#[test]
fn a_board_too_large_to_be_timed_is_a_limit() {
    for more in [&[][..], &["--metric", "odds"]] {
        let args = [&["bench", "bag-classic-5x5", "--json"], more].concat();
        let expected = "no --memory is enough: take a smaller board\",\"kind\":\"limit\"";
        refused(&args, &[expected]);
    }
}

/// Programs read each line of stderr as a document, remarks before an error included.
#[test]
fn remarks_before_an_error_are_documents() {
    for args in [
        &["draw", "nope"][..],
        &[
            "serve", "--host", "1.2.3.4", "--port", "0", "--lights", "gyr",
        ],
        &["help", "nope"],
        &["stats", "nope", "--lang", "de"],
    ] {
        let run = run(&[&["--json"], args].concat());
        assert_eq!(run.code, 2, "{args:?}: {run:?}");
        let lines = run.stderr.lines();
        let documents: Vec<serde_json::Value> = lines
            .map(|line| serde_json::from_str(line).unwrap_or_else(|e| panic!("{e}: {line}")))
            .collect();
        let (error, remarks) = documents.split_last().unwrap();
        assert!(error["error"].is_string(), "{args:?}: {error}");
        assert!(!remarks.is_empty(), "{args:?}");
        assert!(remarks.iter().all(|remark| remark["warning"].is_string()));
    }
}

/// A folder that is none keeps nobody from pages that need none.
#[test]
fn pages_need_no_folder() {
    let dir = tempdir().unwrap();
    let file = dir.path().join("file");
    std::fs::write(&file, "").unwrap();
    for args in [&["help", "games"][..], &["man"], &["completions", "bash"]] {
        greenwave(&file, args).ok();
    }
    for args in [&["query", "classic-2x3"], &["rules", "classic-3x3"]] {
        let refused = greenwave(&file, args);
        assert!(refused.stderr.contains("expected a folder"), "{refused:?}");
    }
}

/// An option that changes nothing is a remark, and one that cannot mean anything is refused.
#[test]
fn an_order_of_the_lights_without_effect_is_told() {
    let dir = tempdir().unwrap();
    greenwave(dir.path(), &["solve", "classic-1x3", "noughts-2x3"]).ok();
    let table = |slug: &str| format!("{}/{slug}/distance.gwt", dir.path().display());
    let (lights, none) = (table("classic-1x3"), table("noughts-2x3"));
    for args in [
        &["info", &lights, "--json"][..],
        &["variants", "--json"],
        &["bench", "classic-1x3", "--metric", "value"],
        &["cite"],
        &["help", "json"],
        &["man"],
        &["completions", "bash"],
    ] {
        let run = greenwave(dir.path(), &[args, &["--lights", "gyr"]].concat()).ok();
        assert!(
            run.stderr.contains("the same in every order; leave it out"),
            "{args:?}: {run:?}"
        );
        assert_eq!(greenwave(dir.path(), args).ok().stderr, "", "{args:?}");
    }
    let verified = greenwave(dir.path(), &["verify", "classic-1x3", "--lights", "gyr"]).ok();
    assert_eq!(
        verified.stderr, "",
        "it names a position that is wrong in this order"
    );
    for args in [
        ["info", &none],
        ["verify", &none],
        ["verify", "noughts-2x3"],
    ] {
        let run = greenwave(dir.path(), &[&args[..], &["--lights", "gyr"]].concat());
        assert_eq!(run.code, 2, "{run:?}");
        assert!(run.stderr.contains("noughts-2x3 has no lights"), "{run:?}");
    }
}

#[test]
fn a_solve_to_a_table_is_named_where_all_values_lack_memory() {
    let dir = tempdir().unwrap();
    let line = |memory| {
        let args = ["line", "bag-points-3x4", "--memory", memory];
        let run = greenwave(dir.path(), &args);
        assert_eq!(run.code, 2, "{run:?}");
        run.stderr
    };
    let table = line("8G");
    assert!(
        table.contains("solve it to a table first with 'greenwave"),
        "{table}"
    );
    let search = line("1G");
    assert!(
        search.contains("ask about a position with 'greenwave"),
        "{search}"
    );
}
