//! Limits that the system sets on a process: stack, memory, threads, size of files. A case that
//! does not fit is an error with exit code 2, never the end by a signal.
#![cfg(unix)]

use std::path::Path;
use std::process::{Command, Output};

use crate::common::{refused, run, with_file};
use tempfile::tempdir;

/// Runs the program where the shell has set a limit first.
fn limited(dir: &Path, limit: &str, args: &[&str]) -> Output {
    Command::new("sh")
        .args(["-c", &format!("{limit}; exec \"$@\""), "sh"])
        .arg(env!("CARGO_BIN_EXE_greenwave"))
        .env("GREENWAVE_DIR", dir)
        .env_remove("GREENWAVE_MEMORY")
        .env_remove("RUST_BACKTRACE")
        .args(args)
        .args(["--quiet", "--progress", "none"])
        .output()
        .unwrap()
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn a_small_stack_is_no_limit() {
    let dir = tempdir().unwrap();
    for bytes in ["1", "4096", "300000"] {
        let limit = format!("export RUST_MIN_STACK={bytes}");
        for args in [
            &["solve", "classic-2x3", "--force"][..],
            &["query", "ampel-4-2-1"],
            &["query", "classic-4x5", "--budget", "20000"],
            &["solve", "bag-classic-1x3", "--no-table"],
            &["find", "classic-2x3", "ply = 1"],
        ] {
            let output = limited(dir.path(), &limit, args);
            assert_eq!(
                output.status.code(),
                Some(0),
                "{bytes} {args:?}: {output:?}"
            );
        }
    }
}

#[test]
fn threads_that_the_system_refuses_are_an_error() {
    let dir = tempdir().unwrap();
    // Each takes its stack out of what the process may have in all.
    let args = ["solve", "classic-3x3", "--threads", "400"];
    let output = limited(dir.path(), "ulimit -v 400000", &args);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert_eq!(
        said(&output),
        "error: could not start 400 threads; give fewer with --threads: Resource temporarily \
         unavailable (os error 11)\n"
    );
    assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 0);
}

#[test]
fn a_file_that_may_not_grow_is_an_error() {
    let dir = tempdir().unwrap();
    let output = limited(dir.path(), "ulimit -f 8", &["solve", "classic-3x3"]);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert_eq!(
        said(&output),
        format!(
            "error: {}: cannot write: File too large (os error 27); make room or name another folder with \
             --dir, and give the same command again\n",
            dir.path().join("classic-3x3/distance.gwt").display()
        )
    );
    assert!(!dir.path().join("classic-3x3").exists());
}

#[test]
#[cfg(target_os = "linux")]
fn memory_that_the_machine_refuses_is_an_error() {
    let dir = tempdir().unwrap();
    let (mut done, mut refused) = (0, 0);
    let (step, budget) = if cfg!(feature = "slow-tests") {
        (30_000, "300000")
    } else {
        (150_000, "10000")
    };
    for kibibytes in (50_000..=200_000).step_by(step) {
        let limit = format!("ulimit -v {kibibytes}");
        for args in [
            &["stats", "classic-3x4"][..],
            &["solve", "points-2x4", "--no-table"],
            &["query", "classic-4x6", "--budget", budget],
            &["solve", "ampel-4-2-1", "--no-table"],
        ] {
            let args = [args, &["--threads", "1"]].concat();
            let output = limited(dir.path(), &limit, &args);
            match output.status.code() {
                Some(0) => done += 1,
                Some(2) => refused += 1,
                _ => panic!("{kibibytes} {args:?}: {output:?}"),
            }
            let words = said(&output);
            let told = ["memory", "start a thread", "could not start"];
            let told = told.iter().any(|told| words.contains(told));
            assert!(
                output.status.success() || told,
                "{kibibytes} {args:?}: {words}"
            );
        }
    }
    assert!(done > 0 && refused > 0, "{done}, {refused}");
}

/// Runs that take nearly what they are allowed or are refused, with the limit in MiB; quick ones first.
#[cfg(target_os = "linux")]
const WITHIN: &[(u64, &[&str])] = &[
    (16, &["query", "classic-3x3"]),
    (16, &["stats", "classic-2x5"]),
    (32, &["line", "classic-3x4"]),
    (32, &["solve", "classic-3x4", "--force"]),
    (32, &["sum", "classic-3x4", "classic-3x3"]),
    (
        32,
        &["simulate", "classic-3x4", "--games", "10", "--seed", "1"],
    ),
    (32, &["find", "classic-3x4", "b1 = red", "--count"]),
    (
        16,
        &["find", "classic-3x4", "ply < 12", "--sample", "1000000"],
    ),
    (
        16,
        &[
            "find",
            "classic-3x4",
            "ply < 12",
            "--limit",
            "1000000",
            "--csv",
        ],
    ),
    (
        16,
        &[
            "find",
            "classic-3x4",
            "ply > 0",
            "--limit",
            "300000",
            "--up-to-symmetry",
        ],
    ),
    (
        16,
        &[
            "find",
            "classic-5x5",
            "ply > 0",
            "--sample",
            "200000",
            "--json",
        ],
    ),
    (32, &["bench", "classic-3x4"]),
    (32, &["certify", "classic-3x3"]),
    (32, &["strategy", "classic-3x3"]),
    (24, &["strategy", "classic-3x4", "--budget", "1s"]),
    (20, &["book", "classic-3x3", "--depth", "9", "--json"]),
    (32, &["sheet", "classic-3x3", "--count", "1000"]),
    (
        32,
        &["puzzle", "classic-3x3", "--count", "1000", "--html", "-"],
    ),
    (32, &["perft", "classic-3x3", "--depth", "4"]),
    (32, &["draw", "classic-3x3", "--values"]),
    (32, &["query", "ampel-5-2-2"]),
    (32, &["stats", "ampel-5-2-2"]),
    (24, &["query", "classic-4x5", "--budget", "100000"]),
    (24, &["query", "bag-classic-3x3", "--budget", "20000"]),
    (24, &["check", "classic-3x3 none: value = draw"]),
];

/// Those of a second and more.
#[cfg(target_os = "linux")]
const WITHIN_LONG: &[(u64, &[&str])] = &[
    (32, &["check"]),
    (64, &["check"]),
    (32, &["stats", "classic-3x4"]),
    (64, &["stats", "classic-3x4"]),
    (32, &["stats", "points-3x4"]),
    (64, &["stats", "points-3x4"]),
    (64, &["find", "points-3x4", "points = 1", "--count"]),
    (64, &["line", "points-3x4"]),
    (48, &["puzzle", "classic-3x4"]),
    (64, &["puzzle", "points-3x4"]),
    (32, &["compare", "classic-3x3", "classic-3x4"]),
    (64, &["compare", "classic-3x4", "points-3x4"]),
    (64, &["solve", "noughts-4x4", "--force"]),
    (64, &["solve", "points-3x4", "--force"]),
    (16, &["verify", "points-3x4"]),
    (32, &["verify", "points-3x4"]),
    (64, &["verify", "points-3x4"]),
    (64, &["solve", "classic-3x4:supply=cap7", "--force"]),
    (64, &["verify", "classic-3x4:supply=cap7"]),
    (64, &["query", "bag-classic-3x3"]),
    (200, &["solve", "bag-classic-3x3", "--no-table"]),
    (16, &["query", "strip"]),
    (128, &["query", "slider"]),
    (96, &["solve", "strip", "--no-table"]),
    (160, &["solve", "strip:repeat=ban", "--no-table"]),
    (216, &["solve", "slider", "--no-table"]),
    (200, &["stats", "strip"]),
    (400, &["stats", "slider"]),
    (64, &["stats", "noughts-4x4"]),
    (400, &["solve", "ampel-5-3-3"]),
    (48, &["verify", "ampel-5-3-3"]),
    (84, &["verify", "ampel-5-3-3"]),
    (216, &["solve", "slider"]),
    (64, &["verify", "slider"]),
    (73, &["verify", "slider"]),
    (64, &["strategy", "classic-3x4", "--budget", "2s"]),
    (32, &["certify", "classic-3x4"]),
    (64, &["certify", "green-3x4"]),
    (128, &["certify", "green-3x4"]),
    (32, &["draw", "classic-3x4", "--values"]),
    (64, &["review", "points-3x4", "--moves", "a1,a1"]),
];

#[cfg(target_os = "linux")]
fn expect_within(runs: &[(u64, &[&str])]) {
    use greenwave_testkit::program::Program;
    let program = Program::at(env!("CARGO_BIN_EXE_greenwave")).unwrap_or_else(|e| panic!("{e}"));
    let dir = tempdir().unwrap();
    let mut over = Vec::new();
    for (limit, args) in runs {
        let memory = format!("{limit}M");
        let ran = program.run(
            dir.path(),
            &[args, &["--memory", memory.as_str()][..]].concat(),
        );
        let peak = ran.peak >> 20;
        println!(
            "{:?} peak {peak:>4} of {limit:>4} MiB: {}",
            ran.code,
            args.join(" ")
        );
        let orderly = ran.is_orderly();
        if let Err(problem) = orderly.and_then(|()| ran.keeps_within(limit << 20)) {
            over.push(format!("{} --memory {memory}: {problem}", args.join(" ")));
        }
        assert!(ran.peak > 0, "{args:?}: its peak is not known");
    }
    assert!(over.is_empty(), "{}", over.join("\n"));
}

#[test]
#[cfg(target_os = "linux")]
fn commands_keep_to_their_memory() {
    expect_within(WITHIN);
}

// Counting the blocks and positions of a board takes memory, too, before anything is solved.
#[test]
#[cfg(target_os = "linux")]
fn plans_keep_to_their_memory() {
    let dir = tempdir().unwrap();
    let rules = |name: &str, size: &str| {
        let file = dir.path().join(name);
        let text = format!(
            "patterns = ['1111', '2222', '3333']\n[board]\nsize = '{size}'\nline-length = 4\n"
        );
        std::fs::write(&file, text).unwrap();
        file.to_str().unwrap().to_string()
    };
    let (four, five) = (rules("four.toml", "4x4"), rules("five.toml", "4x5"));
    expect_within(&[
        (32, &["solve", &four, "--estimate"]),
        (32, &["query", &four, "--budget", "100"]),
        (32, &["stats", &four]),
        (32, &["solve", &five, "--estimate"]),
        (32, &["solve", "classic-5x5", "--estimate"]),
    ]);
}

// A picture of few pixels is drawn, and one of more than the memory takes is refused before.
#[test]
#[cfg(all(target_os = "linux", feature = "png"))]
fn pictures_keep_to_their_memory() {
    let drawn = ["draw", "classic-2x2", "-o", "drawn.png", "--width"];
    let [small, large] = ["700", "8000"].map(|width| [&drawn[..], &[width]].concat());
    expect_within(&[(16, &small), (16, &large)]);
    for (memory, width, code) in [("16M", "1400", 0), ("16M", "1500", 2), ("480M", "8000", 2)] {
        let dir = tempdir().unwrap();
        let file = dir.path().join("drawn.png");
        let args = [
            "--memory",
            memory,
            "draw",
            "classic-2x2",
            "--width",
            width,
            "-o",
        ];
        let args = [&args[..], &[file.to_str().unwrap()]].concat();
        let output = limited(dir.path(), "true", &args);
        assert_eq!(output.status.code(), Some(code), "{args:?}: {output:?}");
        assert_eq!(file.exists(), code == 0);
        let told = said(&output);
        let way_out = ["drawing a picture with", "or a smaller --width"];
        assert!(
            code == 0 || way_out.iter().all(|part| told.contains(part)),
            "{told}"
        );
    }
}

// Files of rules and claims, as long as they may be and dense with what a reader keeps.
#[test]
#[cfg(target_os = "linux")]
fn texts_keep_to_their_memory() {
    let dir = tempdir().unwrap();
    let file = |name: &str, text: String| {
        let file = dir.path().join(name);
        std::fs::write(&file, text).unwrap();
        file.to_str().unwrap().to_string()
    };
    let claim = "[[claim]]\nid=ID\ntext='x'\nnot-checkable='t'\n";
    let claims = |count: usize| -> String {
        let claims = (0..count).map(|id| claim.replace("ID", &id.to_string()));
        claims.collect()
    };
    let rules = [
        format!("a=[{}]\n", "1,".repeat(65_000)),
        format!("a=[{}]\n", "[],".repeat(43_000)),
        format!("{}a=1\n", "a.".repeat(65_000)),
        "=\n".repeat(65_000),
    ];
    let rules = (0..).zip(rules);
    let rules: Vec<String> = rules
        .map(|(number, text)| file(&format!("rules-{number}.toml"), text))
        .collect();
    let rules = rules.iter().map(|path| (16, vec!["query", path]));
    let few = file("few.toml", claims(5_000));
    let many = file("many.toml", claims(20_000));
    let empty = file("empty.toml", "[[claim]]\n".repeat(15_000));
    let claims = [(16, &few), (24, &few), (48, &many), (16, &empty)];
    let claims = claims
        .into_iter()
        .map(|(limit, path)| (limit, vec!["check", path]));
    let games = file(
        "games.txt",
        "# variant classic-2x3\nb2R\nb2Y\n".repeat(30_000),
    );
    let plies = vec!["{\"move\":\"b2R\"}"; 50_000].join(",");
    let document = file(
        "game.jsonl",
        format!("{{\"schema\":2,\"plies\":[{plies}]}}\n"),
    );
    let positions = file("positions.txt", "RR./...\n".repeat(120_000));
    let records = [
        (16, vec!["review", &*games]),
        (48, vec!["review", &*games]),
        (16, vec!["review", "classic-2x3", "--moves", &*document]),
        (16, vec!["review", "classic-2x3", &*document]),
        (16, vec!["puzzle", "classic-2x3", "--from", &*positions]),
    ];
    let runs = rules.chain(claims).chain(records);
    let runs: Vec<(u64, Vec<&str>)> = runs.collect();
    let runs: Vec<(u64, &[&str])> = runs
        .iter()
        .map(|(limit, args)| (*limit, args.as_slice()))
        .collect();
    expect_within(&runs);
    // A case that does not fit is refused with a way out, and one that fits is read.
    for (memory, code) in [("32M", 2), ("100M", 0)] {
        let output = limited(dir.path(), "true", &["check", &many, "--memory", memory]);
        assert_eq!(output.status.code(), Some(code), "{memory}: {output:?}");
        let told = said(&output);
        let way_out = [
            "reading the claims of '",
            "--memory, or cut it into several files",
        ];
        assert!(
            code == 0 || way_out.iter().all(|part| told.contains(part)),
            "{told}"
        );
    }
}

// The waves of each come to more than is allowed, and go to a folder.
#[test]
#[cfg(target_os = "linux")]
fn waves_on_disk_keep_to_their_memory() {
    expect_within(&[(
        64,
        &["solve", "signal-4x5", "--no-table", "--scratch", "waves"],
    )]);
}

#[test]
#[cfg(target_os = "linux")]
#[cfg_attr(not(feature = "slow-tests"), ignore = "some minutes")]
fn many_waves_on_disk_keep_to_their_memory() {
    let mut runs = Vec::new();
    for (variant, metric, limits) in [
        ("classic-2x9", "value", [46, 56, 72]),
        ("classic-4x5", "value", [41, 46, 80]),
        ("signal-4x5", "distance", [40, 80, 120]),
        ("classic-3x6", "distance", [64, 96, 200]),
    ] {
        for limit in limits {
            for threads in ["1", "2"] {
                let args = ["solve", variant, "--metric", metric, "--threads", threads];
                let args = [&args[..], &["--no-table", "--scratch", "waves"]].concat();
                runs.push((limit, args));
            }
        }
    }
    let runs: Vec<(u64, &[&str])> = runs
        .iter()
        .map(|(limit, args)| (*limit, args.as_slice()))
        .collect();
    expect_within(&runs);
}

#[test]
#[cfg(target_os = "linux")]
#[cfg_attr(not(feature = "slow-tests"), ignore = "some minutes")]
fn long_commands_keep_to_their_memory() {
    expect_within(WITHIN_LONG);
}

#[test]
#[cfg(target_os = "linux")]
fn a_table_larger_than_the_disk_is_refused_before_the_solve() {
    let dir = tempdir().unwrap();
    // A file system without any room.
    let args = ["solve", "classic-2x3", "--dir", "/proc/tables"];
    let output = limited(dir.path(), "true", &args);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert_eq!(
        said(&output),
        "error: the table may need 34.7 KiB of disk in '/proc/tables/classic-2x3', free are 0 bytes; make \
         room, name another folder with --dir, or use --no-table\n"
    );
}

#[test]
fn the_estimate_of_the_disk_is_not_exceeded_by_the_smallest_tables() {
    let dir = tempdir().unwrap();
    let text = |output: &Output| String::from_utf8_lossy(&output.stdout).into_owned();
    for name in [
        "classic-1x1",
        "classic-1x3",
        "points-1x3",
        "noughts-3x3",
        "bag-classic-1x2",
    ] {
        let estimate = limited(dir.path(), "true", &["solve", name, "--estimate", "--json"]);
        let estimate: serde_json::Value = serde_json::from_str(&text(&estimate)).unwrap();
        let solved = limited(dir.path(), "true", &["solve", name, "--json"]);
        let solved: serde_json::Value = serde_json::from_str(&text(&solved)).unwrap();
        let (most, bytes) = (&estimate["table_bytes"], &solved["table_bytes"]);
        assert!(
            bytes.as_u64().unwrap() <= most.as_u64().unwrap(),
            "{name}: {bytes} of {most}"
        );
        assert!(most.as_u64() <= estimate["disk_bytes"].as_u64(), "{name}");
    }
}

// The largest resident memory that was measured, in MiB, without what the program itself takes.
#[test]
fn estimates_of_strip_games_are_near_the_truth() {
    let dir = tempdir().unwrap();
    for (name, measured) in [("strip", 77), ("strip:repeat=ban", 127), ("slider", 188)] {
        let estimate = limited(dir.path(), "true", &["solve", name, "--estimate", "--json"]);
        let estimate: serde_json::Value = serde_json::from_slice(&estimate.stdout).unwrap();
        let mebibytes = estimate["memory_bytes"].as_u64().unwrap() >> 20;
        assert!(
            (measured..measured * 13 / 10).contains(&mebibytes),
            "{name}: {mebibytes} MiB, measured {measured}"
        );
    }
}

#[test]
fn no_home_hinders_no_command_that_needs_none() {
    let dir = tempdir().unwrap();
    let file = dir.path().join("file");
    std::fs::write(&file, "").unwrap();
    for home in [Path::new(""), &file] {
        // Relative paths in the variable are ignored.
        for args in [
            &["query", "classic-1x3"][..],
            &["stats", "classic-1x3"],
            &["variants"],
            &["solve", "classic-1x3", "--no-table"],
        ] {
            let output = Command::new(env!("CARGO_BIN_EXE_greenwave"))
                .env_remove("GREENWAVE_DIR")
                .env("XDG_DATA_HOME", "relative")
                .env("HOME", home)
                .current_dir(dir.path())
                .args(args)
                .output()
                .unwrap();
            assert_eq!(
                output.status.code(),
                Some(0),
                "{home:?} {args:?}: {output:?}"
            );
        }
    }
}

#[test]
fn errors_quote_two_hundred_characters_at_most() {
    let dir = tempdir().unwrap();
    let long = "x".repeat(5_000);
    for args in [
        &["query", "classic-3x3", &long][..],
        &["query", &long],
        &["find", "classic-3x3", &long],
        &["query", "classic-3x3", "--moves", &long],
        &["check", &format!("classic-3x3 none: {long}")],
    ] {
        let output = limited(dir.path(), "true", args);
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        assert!(!said(&output).contains(&long[..201]), "{}", said(&output));
    }
}

#[test]
#[cfg(target_os = "linux")]
fn help_that_nobody_can_read_is_an_error() {
    for args in [&["--help"][..], &["solve", "--help"]] {
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full");
        let run = Command::new(env!("CARGO_BIN_EXE_greenwave"))
            .args(args)
            .stdout(full.unwrap())
            .output()
            .unwrap();
        assert_eq!(run.status.code(), Some(2), "{args:?}");
    }
}

#[test]
fn long_files_are_read_in_linear_time_or_refused() {
    use std::time::{Duration, Instant};
    let rules = "patterns = ['111']\nboard.size = '3x3'\n";
    let claim = "[[claim]]\nid = 1\ntext = 'x'\nnot-checkable = 'taste'\n";
    for (name, text, said) in [
        (
            "long.toml",
            format!("{rules}#{}", "x".repeat(1 << 17)),
            "expected at most 131072",
        ),
        (
            "long-claims.toml",
            format!("{claim}#{}", "x".repeat(1 << 22)),
            "expected at most 4194304",
        ),
    ] {
        let (_dir, file) = with_file(name, &text);
        let args = match name {
            "long.toml" => ["query", &file],
            _ => ["check", &file],
        };
        refused(&args, &[said]);
    }
    // Faults, keys and claims without number, on few long lines and on many; the slow tests take claims
    // files as long as they may be.
    let part_of = |most: usize| {
        if cfg!(feature = "slow-tests") {
            most
        } else {
            most.min(1 << 20)
        }
    };
    let many = |part: &dyn Fn(usize) -> String, most: usize| {
        let mut text = String::new();
        for number in 0.. {
            let more = part(number);
            if text.len() + more.len() > part_of(most) {
                return text;
            }
            text.push_str(&more);
        }
        text
    };
    let files = [
        ("query", many(&|n| format!("k{n} = 1\n"), 1 << 17)),
        (
            "query",
            format!(
                "patterns = [{}]\nboard.size = '1x9'\n",
                many(&|n| format!("'{n}',"), 120_000)
            ),
        ),
        (
            "query",
            format!(
                "patterns = ['111']\nboard.squares = [{}]\n",
                many(&|n| format!("'a{n}',"), 120_000)
            ),
        ),
        (
            "query",
            format!(
                "patterns = ['111']\nboard.outline = '{}'\n",
                "#/".repeat(part_of(60_000))
            ),
        ),
        ("query", format!("{}= 1\n", "a.".repeat(part_of(60_000)))),
        (
            "check",
            many(
                &|n| {
                    format!(
                        "[[claim]]\nid={n}\ntext=\"x\"\n[[claim.test]]\nkind=\"value\"\nvariant=\"classic-1x3\"\nvalu=1\n"
                    )
                },
                1 << 22,
            ),
        ),
        (
            "check",
            many(
                &|n| format!("[[claim]]\nid=7\ntext=\"{n}\"\nnot-checkable=\"x\"\n"),
                1 << 22,
            ),
        ),
        (
            "check",
            format!("claim = [{}]", many(&|n| format!("{{id={n}}},"), 4_000_000)),
        ),
    ];
    for (command, text) in files {
        let (_dir, file) = with_file("many.toml", &text);
        let begun = Instant::now();
        let refused = run(&[command, &file]);
        assert_eq!(refused.code, 2, "{:.200}", refused.stderr);
        // Work that grows with the square of the entries would take days.
        assert!(begun.elapsed() < Duration::from_secs(600), "{:.60}", text);
        assert!(refused.stderr.len() < 1 << 20, "{:.60}", text);
    }
}
