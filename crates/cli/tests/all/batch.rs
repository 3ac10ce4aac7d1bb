//! `query VARIANT -`: many positions, one a line.

use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};

use serde_json::Value;
use tempfile::tempdir;

use crate::common::{Run, greenwave, json_lines};
use crate::transcript::Transcript;

#[test]
fn whatever_is_wrong_with_a_line_the_rest_is_answered() {
    let dir = tempdir().unwrap();
    let long = "R".repeat(70_000);
    let input = format!(
        ".../.../...\nb2R\n{long}\n  R../.Y./..G \r\nclassic-3x3\nb2R,b2Y\n--json\n\nRRR/.../..."
    );
    for threads in ["1", "2"] {
        let args = ["query", "classic-3x3", "-", "--json", "-j", threads];
        let run = Run::with_input(dir.path(), &args, input.as_bytes());
        assert_eq!(run.code, 2, "{}", run.stderr);
        assert_eq!(run.stderr, "");
        let documents = json_lines(&run);
        let bad: Vec<(u64, &str, &str)> = documents
            .iter()
            .filter_map(|document| {
                let text = |key: &str| document[key].as_str().unwrap();
                Some((document["line"].as_u64()?, text("input"), text("error")))
            })
            .collect();
        let lines: Vec<u64> = bad.iter().map(|(line, ..)| *line).collect();
        assert_eq!(lines, [2, 3, 5, 6, 7], "{bad:?}");
        let mut shown = Transcript::new("batch-errors");
        for (line, _, error) in &bad {
            shown.told(&format!("line {line}"), error);
        }
        shown.settle();
        assert!(bad.iter().all(|(_, input, _)| input.chars().count() <= 201));
        let values: Vec<&str> = documents
            .iter()
            .filter_map(|document| document["value"].as_str())
            .collect();
        assert_eq!(values, ["win", "win", "loss"]);
    }
    let args = ["query", "classic-3x3", "-", "--json", "--fail-fast"];
    let run = Run::with_input(dir.path(), &args, input.as_bytes());
    assert_eq!((run.code, json_lines(&run).len()), (2, 2));
    // For people the errors are on stderr.
    let run = Run::with_input(dir.path(), &["query", "classic-3x3", "-"], b"b2R\n...\n");
    assert_eq!((run.code, run.stdout.as_str()), (2, ""));
    let mut shown = Transcript::new("batch-errors-for-people");
    shown.add("query classic-3x3 -", &run);
    shown.settle();
}

#[test]
fn boards_that_are_pasted_as_rows_are_read() {
    let dir = tempdir().unwrap();
    let input = "..\n.R\n\n0 0\r\n1 2\r\n[[0,0],[1,2]]\n../..\n..\n\n[[0,0],\n [0,1]]\n";
    let run = Run::with_input(
        dir.path(),
        &["query", "classic-2x2", "-", "--json"],
        input.as_bytes(),
    );
    assert_eq!(run.code, 2, "{}", run.stderr);
    let documents = json_lines(&run);
    let positions: Vec<&str> = documents
        .iter()
        .filter_map(|document| document["position"].as_str())
        .collect();
    assert_eq!(positions, ["../.R", "../RY", "../RY", "../..", "../.R"]);
    let bad: Vec<&Value> = documents
        .iter()
        .map(|document| &document["line"])
        .filter(|line| !line.is_null())
        .collect();
    assert_eq!(bad, [8]);
}

#[test]
fn a_wrong_line_is_told_before_any_solve() {
    let dir = tempdir().unwrap();
    let args = ["query", "slider", "-", "--progress", "log"];
    for (input, told) in [("hello\n", "line 1"), (".........\n.........\n", "line 2")] {
        let run = Run::with_input(dir.path(), &args, input.as_bytes());
        assert_eq!((run.code, run.stdout.as_str()), (2, ""));
        assert!(run.stderr.contains(told), "{}", run.stderr);
        assert!(!run.stderr.contains("solving"), "{}", run.stderr);
    }
    // For people also a wrong line behind a right one.
    let args = ["query", "classic-2x3", "-", "--progress", "log"];
    let run = Run::with_input(dir.path(), &args, b".../...\nhello\n");
    let first = run.stderr.lines().next().unwrap_or_default();
    assert!(first.starts_with("error: line 2"), "{}", run.stderr);
    assert_eq!(run.code, 2);
    assert!(run.stdout.contains("Position  .../..."), "{}", run.stdout);
}

#[test]
fn thousands_of_lines_are_answered_in_their_order() {
    let dir = tempdir().unwrap();
    greenwave(dir.path(), &["solve", "classic-2x3"]).ok();
    let found = greenwave(
        dir.path(),
        &[
            "find",
            "classic-2x3",
            "moves > 0",
            "--csv",
            "--fields",
            "value",
        ],
    );
    let found = found.ok().stdout;
    let rows = found.lines().skip(1);
    let rows: Vec<(&str, &str)> = rows
        .map(|row| row.strip_suffix(",ryg").unwrap().split_once(',').unwrap())
        .collect();
    assert!(rows.len() > 2_000, "{}", rows.len());
    let input: String = rows
        .iter()
        .map(|(position, _)| format!("{position}\n"))
        .collect();
    let run = Run::with_input(
        dir.path(),
        &["query", "classic-2x3", "-", "--json"],
        input.as_bytes(),
    );
    assert_eq!(run.code, 0, "{}", run.stderr);
    let answers = json_lines(&run);
    let said: Vec<(&str, &str)> = answers
        .iter()
        .map(|answer| {
            let text = |key: &str| answer[key].as_str().unwrap();
            (text("position"), text("value"))
        })
        .collect();
    assert_eq!(said, rows);
    // Each as if it had been asked alone.
    for number in [0, rows.len() / 2, rows.len() - 1] {
        let alone = greenwave(
            dir.path(),
            &["query", "classic-2x3", rows[number].0, "--json"],
        );
        assert_eq!(alone.json(), answers[number]);
    }
}

#[test]
fn a_program_that_asks_line_by_line_is_answered_line_by_line() {
    let dir = tempdir().unwrap();
    let mut child = Command::new(env!("CARGO_BIN_EXE_greenwave"))
        .args(["query", "classic-2x3", "-", "--json", "--dir"])
        .arg(dir.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut questions = child.stdin.take().unwrap();
    let (tell, told) = std::sync::mpsc::channel();
    let answers = BufReader::new(child.stdout.take().unwrap());
    let reader = std::thread::spawn(move || {
        for line in answers.lines() {
            tell.send(line.unwrap()).unwrap();
        }
    });
    let mut answer = |line: &str| -> Value {
        writeln!(questions, "{line}").unwrap();
        let answer = told.recv_timeout(std::time::Duration::from_secs(300));
        serde_json::from_str(&answer.unwrap()).unwrap()
    };
    for position in [".../...", ".R./...", "RRR/..."] {
        assert_eq!(answer(position)["position"], position);
    }
    // A row that stays alone is answered, too.
    assert_eq!(answer("...")["line"], 4);
    assert_eq!(answer(".../...\n")["position"], ".../...");
    drop(questions);
    // Not every line was answered.
    assert_eq!(child.wait().unwrap().code(), Some(2));
    reader.join().unwrap();
}

#[test]
#[cfg(unix)]
fn a_program_that_waits_for_lines_hears_ctrl_c() {
    let dir = tempdir().unwrap();
    let record = dir.path().join("game.txt");
    let record = record.to_str().unwrap();
    let play = ["play", "classic-2x3", "--as", "first", "--record", record];
    for (words, line) in [
        (&["query", "classic-2x3", "-"][..], ".../..."),
        (&play, "a1R"),
    ] {
        // The jobs of a script ignore Ctrl-C, and what these start does so, too.
        let mut child = Command::new("env")
            .args(["--default-signal=INT", "timeout", "300"])
            .arg(env!("CARGO_BIN_EXE_greenwave"))
            .args(words)
            .args(["--json", "--dir"])
            .arg(dir.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut questions = child.stdin.take().unwrap();
        writeln!(questions, "{line}").unwrap();
        let mut answers = BufReader::new(child.stdout.take().unwrap()).lines();
        answers.next().unwrap().unwrap();
        let asked = Command::new("kill")
            .args(["-INT", &child.id().to_string()])
            .status();
        assert!(asked.unwrap().success());
        // The input stays open: nothing else ends the program.
        while answers.next().is_some_and(|line| line.is_ok()) {}
        let status = child.wait().unwrap();
        assert_eq!(status.code().unwrap_or(130), 130, "{words:?}: {status}");
        drop(questions);
    }
    let kept = std::fs::read_to_string(record).unwrap();
    assert!(kept.lines().any(|line| line == "a1R"), "{kept}");
}
