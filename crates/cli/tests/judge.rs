//! `find`, `check`, `certify`, `compare` and rule files, as a user runs them.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod common;

use std::path::{Path, PathBuf};
use std::process::Command;

use common::{Run, greenwave};
use serde_json::Value;
use tempfile::tempdir;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A run without tables.
fn run(args: &[&str]) -> Run {
    greenwave(tempdir().unwrap().path(), args)
}

fn lines(run: &Run) -> Vec<Value> {
    run.stdout
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// A run that must fail with exit code 2 and leave nothing behind.
fn refused(args: &[&str], words: &[&str]) {
    let dir = tempdir().unwrap();
    let run = greenwave(dir.path(), args);
    assert_eq!(
        (run.code, run.stdout.as_str()),
        (2, ""),
        "{args:?}: {run:?}"
    );
    for word in words {
        assert!(
            run.stderr.contains(word),
            "{args:?}: no '{word}' in: {}",
            run.stderr
        );
    }
    assert_eq!(
        std::fs::read_dir(dir.path()).unwrap().count(),
        0,
        "{args:?}"
    );
}

/// A folder with a rule file or a claims file in it.
fn with_file(name: &str, text: &str) -> (tempfile::TempDir, String) {
    let dir = tempdir().unwrap();
    let path = dir.path().join(name);
    std::fs::write(&path, text).unwrap();
    let path = path.display().to_string();
    (dir, path)
}

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
    let lines = lines(&run);
    assert_eq!(lines.len(), 3);
    for (line, position) in lines.iter().zip([".../.../R..", ".../.../.R."]) {
        let expected = serde_json::json!({
            "schema": 1, "position": position, "value": "loss", "distance": 20, "b2": ".",
            "count(red)": 1,
        });
        assert_eq!(*line, expected);
    }
    assert_eq!(lines[2], serde_json::json!({ "schema": 1, "count": 2 }));
}

#[test]
fn found_positions_can_be_limited_sampled_and_counted() {
    let find = |more: &[&str]| {
        let args = [&["find", "classic-3x3", "nimber = 6", "-q"], more].concat();
        run(&args).ok().stdout
    };
    let all = find(&[]);
    let total = all.lines().count() - 1;
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
    assert!(sample.lines().take(4).all(|line| all.contains(line)));
}

#[test]
fn nothing_found_is_an_honest_no() {
    let none = run(&["find", "classic-3x3", "value = draw"]);
    assert_eq!((none.code, none.stdout.as_str()), (1, "0 positions\n"));
    let none = run(&["find", "classic-3x3", "value = draw", "--json"]);
    assert_eq!(
        (none.code, none.stdout.as_str()),
        (1, "{\"count\":0,\"schema\":1}\n")
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
        &["no metric 'points'", "greenwave solve classic-3x3 --metric"],
    );
    refuse(
        "points-3x3",
        "distance > 0",
        &["no metric 'distance'", "points"],
    );
    refuse(
        "ampel-4-2-1",
        "value = win",
        &["ampel-4-2-1", "'query' and 'stats'"],
    );
    refuse("classic-3x3:size=9", "value = win", &["size"]);
    refused(
        &["find", "classic-4x4", "value = loss", "--memory", "64M"],
        &["classic-4x4", "--memory"],
    );
}

#[test]
fn claims_are_settled_with_evidence() {
    let settled = run(&["check", "1", "6", "7", "36", "--json", "-q"]).json();
    let list = settled.as_array().unwrap();
    let verdicts: Vec<&str> = list
        .iter()
        .map(|c| c["verdict"].as_str().unwrap())
        .collect();
    assert_eq!(verdicts, ["true", "false", "not checkable", "true"]);
    for claim in list {
        assert_eq!(claim["schema"], 1);
        for key in [
            "claim",
            "source",
            "evidence",
            "witness",
            "positions_examined",
            "signature",
        ] {
            assert!(claim.get(key).is_some(), "{key} in {claim}");
        }
    }
    assert_eq!(list[0]["claim"], 1);
    assert!(
        list[0]["evidence"]
            .as_str()
            .unwrap()
            .contains("win in 17 plies")
    );
    assert_eq!(list[0]["signature"].as_str().unwrap().len(), 64);
    assert_eq!(list[1]["witness"], "..../..../....");
    let text = run(&["check", "6", "36", "-q"]).ok().stdout;
    assert!(
        text.contains("   6  false: The first player can always win"),
        "{text}"
    );
    assert!(
        text.ends_with("2 claims: 1 true, 1 false, 0 unknown, 0 not checkable.\n"),
        "{text}"
    );
    assert!(
        text.lines().all(|line| line.chars().count() <= 80),
        "{text}"
    );
}

#[test]
fn a_false_claim_is_a_no_only_where_truth_is_expected() {
    assert_eq!(run(&["check", "6", "-q"]).code, 0);
    assert_eq!(run(&["check", "6", "-q", "--expect-true"]).code, 1);
    assert_eq!(run(&["check", "1", "7", "-q", "--expect-true"]).code, 0);
}

#[test]
fn the_page_of_claims_says_what_the_program_says() {
    let page = std::fs::read_to_string(root().join("docs/claims.md")).unwrap();
    let ids = [
        "1", "2", "3", "4", "22", "23", "31", "32", "36", "43", "46", "51", "54", "58",
    ];
    let args = [&["check", "--markdown", "-q"], &ids[..]].concat();
    let printed = run(&args).ok().stdout;
    let rows: Vec<&str> = printed
        .lines()
        .filter(|line| line.starts_with("| "))
        .collect();
    assert_eq!(rows.len(), 2 + ids.len());
    for row in rows {
        assert!(
            page.contains(row),
            "remake docs/claims.md with 'just claims': {row}"
        );
    }
}

#[test]
#[ignore = "about a minute"]
fn the_whole_page_of_claims_is_made_by_the_program() {
    let page = std::fs::read_to_string(root().join("docs/claims.md")).unwrap();
    assert_eq!(run(&["check", "--markdown", "-q"]).ok().stdout, page);
}

#[test]
fn claims_of_a_user_may_be_about_a_rule_file_beside_them() {
    let claims = r#"
        [[claim]]
        id = "centre"
        text = "Notakto 3x3 is won by the centre only"
        source = "Plambeck and Whitehead, 2013"
        [[claim.test]]
        kind = "moves"
        variant = "notakto.toml"
        winning = ["b2R"]
        [[claim]]
        id = 2
        text = "every won start of two plies has one winning move"
        [[claim.test]]
        kind = "every"
        variant = "notakto.toml"
        where = "ply = 2 and value = win"
        holds = "winning_moves = 1"
        [[claim]]
        id = 3
        text = "too large for the memory"
        [[claim.test]]
        kind = "value"
        variant = "classic-4x4"
        value = "loss"
    "#;
    let (dir, path) = with_file("mine.toml", claims);
    let notakto = root().join("docs/examples/notakto.toml");
    std::fs::copy(notakto, dir.path().join("notakto.toml")).unwrap();
    let settled = run(&["check", &path, "--json", "-q", "--memory", "64M"]).json();
    let verdict = |number: usize| settled[number]["verdict"].as_str().unwrap();
    assert_eq!(
        (verdict(0), settled[0]["claim"].as_str()),
        ("true", Some("centre"))
    );
    assert_eq!(verdict(1), "false");
    let line = settled[1]["witness"].as_str().unwrap();
    assert_eq!(
        line.split(' ').count(),
        2,
        "the shortest line of play: {line}"
    );
    assert_eq!(verdict(2), "unknown");
    assert!(
        settled[2]["evidence"]
            .as_str()
            .unwrap()
            .contains("--memory")
    );
    assert_eq!(
        run(&["check", &path, "-q", "--memory", "64M", "--expect-true"]).code,
        1
    );
}

#[test]
fn a_bad_claims_file_reports_every_fault() {
    let text = "[[claim]]\nid = 1\ntext = 'x'\n[[claim.test]]\nkind = 'vaue'\nvariant = 'classic-3x3'\n\
                [[claim]]\nid = 1\nsource = 'y'\ncolor = 3\nnot-checkable = 'taste'\n";
    let (_dir, path) = with_file("bad.toml", text);
    refused(
        &["check", &path],
        &[
            "line 5, column 8",
            "kind",
            "'vaue'",
            "line 7",
            "text",
            "missing",
            "line 10, column 1",
            "color",
            "stands twice",
        ],
    );
    let refuse = |test: &str, words: &[&str]| {
        let text = format!("[[claim]]\nid = 9\ntext = 'x'\n[[claim.test]]\n{test}");
        let (_dir, path) = with_file("bad.toml", &text);
        refused(&["check", &path], words);
    };
    refuse(
        "kind = 'none'\nvariant = 'classic-3x3'\nwhere = 'vlue = win'",
        &["claim 9", "column 1", "'value'"],
    );
    refuse(
        "kind = 'value'\nvariant = 'classic-3x3'\nposition = 'x'",
        &["claim 9", "'x'"],
    );
    refuse(
        "kind = 'value'\nvariant = 'classic-3x3:play=wild'",
        &["claim 9", "misere"],
    );
    refuse(
        "kind = 'moves'\nvariant = 'classic-3x3'",
        &["nothing is said about the moves"],
    );
    refused(
        &["check", "99"],
        &["no claim '99'", "built-in claims: 1 2 3"],
    );
    refused(&["check", "nothing.toml"], &["nothing.toml"]);
    let (_dir, path) = with_file("empty.toml", "");
    refused(&["check", &path], &["no claim; begin one with [[claim]]"]);
    let (_dir, path) = with_file("text.toml", "claim = [\n");
    refused(&["check", &path], &["not TOML"]);
}

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
    let keys = |side: &Value| {
        side.as_object()
            .unwrap()
            .keys()
            .cloned()
            .collect::<Vec<_>>()
    };
    assert_eq!(keys(a), keys(b));
    let changed = both["changed_openings"].as_array().unwrap();
    assert_eq!(changed.len(), 2);
    assert_eq!(changed[0]["move"], "a1R");
    assert_eq!(
        (&changed[0]["a"]["value"], &changed[0]["b"]["value"]),
        (&"loss".into(), &"win".into())
    );
}

#[test]
fn comparisons_fit_a_terminal() {
    for (a, b) in [
        ("classic-3x3", "classic-3x3:supply=cap4"),
        (
            "green-3x3:play=misere,supply=pool6,stalemate=loss",
            "points-3x3",
        ),
        ("signal-3x3", "classic-2x4"),
    ] {
        let text = run(&["compare", a, b, "-q"]).ok().stdout;
        assert!(text.starts_with(&format!("A  {a}\nB  {b}\n")), "{text}");
        for line in text.lines() {
            assert!(line.chars().count() <= 80, "{a} {b}: {line}");
            assert_eq!(line, line.trim_end(), "{a} {b}");
        }
    }
    refused(
        &["compare", "classic-3x3", "ampel-4-2-1"],
        &["ampel-4-2-1", "'stats'"],
    );
    refused(&["compare", "classic-3x3", "nonsense"], &["nonsense"]);
}

#[test]
fn no_colour_where_it_is_not_wanted() {
    let (coloured, plain) = ("\u{1b}[1m", "\u{1b}");
    let always = run(&["check", "1", "-q", "--color", "always"]).ok().stdout;
    assert!(always.contains(coloured), "{always:?}");
    for args in [["check", "1"], ["check", "1"]] {
        assert!(!run(&args).ok().stdout.contains(plain), "not into a pipe");
    }
    let output = Command::new(env!("CARGO_BIN_EXE_greenwave"))
        .args(["check", "1"])
        .env("NO_COLOR", "1")
        .output()
        .unwrap();
    assert!(!String::from_utf8(output.stdout).unwrap().contains(plain));
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
fn certificates_are_written_and_refused() {
    let dir = tempdir().unwrap();
    let answer = greenwave(dir.path(), &["certify", "signal-3x3", "--json", "-q"]).json();
    assert_eq!(answer["variant"], "signal-3x3");
    assert_eq!(answer["winner"], "first");
    assert_eq!(answer["positions"], 14);
    let file = answer["file"].as_str().unwrap();
    let text = std::fs::read_to_string(file).unwrap();
    assert!(text.starts_with("greenwave certificate 1\nvariant signal-3x3\nwinner first\n"));
    assert_eq!(answer["bytes"], text.len());
    assert!(text.ends_with('\n'));
    refused(
        &["certify", "classic-2x2"],
        &["no certificate for classic-2x2", "draw"],
    );
    refused(
        &["certify", "strip"],
        &["no certificate for strip", "repeat"],
    );
    refused(&["certify", "points-3x3:end=play-on"], &["points"]);
    refused(&["certify", "ampel-4-2-1"], &["ampel-4-2-1", "'query'"]);
}

/// Runs the checker; `None` where there is no Python.
fn checked(args: &[&str]) -> Option<(i32, String)> {
    let mut command = Command::new("python3");
    command
        .arg(root().join("solutions/check_certificate.py"))
        .args(args);
    let output = command.output().ok()?;
    let said = [output.stdout, output.stderr].concat();
    Some((
        output.status.code().unwrap(),
        String::from_utf8(said).unwrap(),
    ))
}

#[test]
fn the_checker_accepts_certificates_and_refuses_damaged_ones() {
    let dir = tempdir().unwrap();
    let certificate = |variant: &str| {
        let answer = greenwave(dir.path(), &["certify", variant, "--json", "-q"]).json();
        answer["file"].as_str().unwrap().to_string()
    };
    for variant in [
        "classic-3x3",
        "classic-3x3:play=misere",
        "classic-2x4",
        "points-3x3",
    ] {
        let Some((code, said)) = checked(&[&certificate(variant)]) else {
            eprintln!("left out: python3 is not there");
            return;
        };
        assert_eq!(code, 0, "{variant}: {said}");
        assert!(said.contains("player wins"), "{said}");
    }
    let text = std::fs::read_to_string(certificate("classic-3x3")).unwrap();
    let verdict = |text: &str| {
        let (_dir, path) = with_file("certificate.txt", text);
        checked(&[&path]).unwrap()
    };
    let entries = text
        .lines()
        .skip_while(|line| !line.starts_with("positions"))
        .skip(1);
    // Without any one reply, or with another move in its place, it does not win.
    for entry in entries {
        let shorter = text
            .replace(&format!("{entry}\n"), "")
            .replace("positions 16", "positions 15");
        let (code, said) = verdict(&shorter);
        assert_eq!(code, 1, "without {entry}: {said}");
        assert!(said.contains("no reply is listed"), "{said}");
    }
    let other_reply = text.replace(".../.Y./... b2G", ".../.Y./... a1R");
    assert_eq!(verdict(&other_reply).0, 1);
    assert_eq!(verdict(&text.replace("winner first", "winner second")).0, 1);
    for damaged in [
        text.replace("positions 16", "positions 17"),
        text.replace("pattern 222\n", ""),
        text.replace("greenwave certificate 1", "greenwave certificate 2"),
        text.replace(".../.Y./... b2G", ".../.Y./.. b2G"),
        text.replace(".../.Y./... b2G", ".../.Y./... z9G"),
        text[..text.len() / 2].to_string(),
        String::new(),
    ] {
        let (code, said) = verdict(&damaged);
        assert_eq!(code, 2, "{said}");
        assert!(!said.contains("Traceback"), "{said}");
    }
    let program = std::fs::read_to_string(root().join("solutions/check_certificate.py")).unwrap();
    assert!(program.lines().count() < 150);
}

/// What `certify` writes, and what it says of it.
fn certificate(variant: &str) -> (String, Value) {
    let dir = tempdir().unwrap();
    let answer = greenwave(dir.path(), &["certify", variant, "--json", "-q"]).json();
    let text = std::fs::read_to_string(answer["file"].as_str().unwrap()).unwrap();
    (text, answer)
}

/// Compares the row of the page with what `certify` says.
fn stands_on_the_page(variant: &str, answer: &Value) {
    let page = std::fs::read_to_string(root().join("docs/certificates.md")).unwrap();
    let row = page
        .lines()
        .find(|line| line.starts_with(&format!("| `{variant}` |")));
    let row = row.unwrap_or_else(|| panic!("no row of {variant}"));
    let cells: Vec<String> = row
        .split('|')
        .map(|cell| cell.trim().replace(',', ""))
        .collect();
    let number = |key: &str| answer[key].as_u64().unwrap();
    let (replies, first) = (number("positions"), number("first_reply_positions"));
    let times = first as f64 / replies as f64;
    assert!(times >= 5.0, "{variant}: only {times} times smaller");
    let digits = usize::from(times < 10.0);
    let expected = [
        answer["winner"].as_str().unwrap().to_string(),
        replies.to_string(),
        first.to_string(),
        format!("{times:.digits$}"),
        number("bytes").to_string(),
    ];
    assert_eq!(cells[2..7], expected, "docs/certificates.md, {variant}");
}

#[test]
fn published_certificates_are_those_made_now() {
    for variant in ["classic-3x3", "classic-3x4", "signal-3x3", "green-3x3"] {
        let (text, answer) = certificate(variant);
        let place = root()
            .join("solutions")
            .join(variant)
            .join("certificate.txt");
        if std::env::var_os("GREENWAVE_BLESS").is_some() {
            std::fs::write(&place, &text).unwrap();
        }
        let published = std::fs::read_to_string(place).unwrap();
        assert!(
            text == published,
            "{variant}: remake with 'just certificates-write'"
        );
        stands_on_the_page(variant, &answer);
    }
}

#[test]
#[ignore = "some minutes, five gigabytes of memory"]
fn the_certificate_of_sixteen_squares_is_the_one_made_now() {
    let (text, answer) = certificate("classic-4x4");
    let place = root().join("solutions/classic-4x4/certificate.txt.zst");
    if std::env::var_os("GREENWAVE_BLESS").is_some() {
        std::fs::write(&place, zstd::encode_all(text.as_bytes(), 19).unwrap()).unwrap();
    }
    let published = zstd::decode_all(std::fs::File::open(place).unwrap()).unwrap();
    assert!(
        text.as_bytes() == published,
        "remake with 'just certificates-write'"
    );
    stands_on_the_page("classic-4x4", &answer);
}

#[test]
fn the_checker_accepts_what_is_published() {
    let published = ["classic-3x3", "classic-3x4", "signal-3x3", "green-3x3"].map(|variant| {
        root()
            .join("solutions")
            .join(variant)
            .join("certificate.txt")
    });
    let paths: Vec<&str> = published
        .iter()
        .map(|path| path.to_str().unwrap())
        .collect();
    if let Some((code, said)) = checked(&paths) {
        assert_eq!((code, said.lines().count()), (0, 4), "{said}");
    }
}

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

#[test]
#[ignore = "about a minute"]
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
    let lines = lines(&solved);
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
        assert!(
            words.lines().all(|line| line.chars().count() <= 80),
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
