//! Limits that the system sets on a process: stack, memory, threads, size of files. What does not fit
//! is an error with exit code 2, never the end by a signal.
#![cfg(unix)]

use std::path::Path;
use std::process::{Command, Output};

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
    let said = said(&output);
    assert!(
        said.contains("could not start 400 threads; give fewer"),
        "{said}"
    );
    assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 0);
}

#[test]
fn a_file_that_may_not_grow_is_an_error() {
    let dir = tempdir().unwrap();
    let output = limited(dir.path(), "ulimit -f 8", &["solve", "classic-3x3"]);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert!(
        said(&output).contains("cannot write: File too large"),
        "{output:?}"
    );
    assert!(!dir.path().join("classic-3x3").exists());
}

#[test]
#[cfg(target_os = "linux")]
fn memory_that_the_machine_refuses_is_an_error() {
    let dir = tempdir().unwrap();
    let (mut done, mut refused) = (0, 0);
    for kibibytes in (50_000..=200_000).step_by(30_000) {
        let limit = format!("ulimit -v {kibibytes}");
        for args in [
            &["stats", "classic-3x4"][..],
            &["solve", "points-2x4", "--no-table"],
            &["query", "classic-4x6", "--budget", "300000"],
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
