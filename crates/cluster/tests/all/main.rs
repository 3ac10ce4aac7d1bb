//! The integration tests of this crate: one program, one file for each subject.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod plans;
mod solves;

use assert_cmd::Command;

fn cluster(args: &[&str]) -> Command {
    let mut command = Command::cargo_bin("greenwave-cluster").unwrap();
    command
        .args(args)
        .timeout(std::time::Duration::from_secs(600));
    for name in ["GREENWAVE_MEMORY", "GREENWAVE_THREADS"] {
        command.env_remove(name);
    }
    command
}

fn document(args: &[&str]) -> serde_json::Value {
    let output = cluster(args).assert().get_output().stdout.clone();
    serde_json::from_slice(&output).unwrap()
}

// The error message of a command that exits with 2 and prints nothing on standard output.
fn refused(args: &[&str]) -> String {
    let output = cluster(args)
        .assert()
        .code(2)
        .stdout("")
        .get_output()
        .stderr
        .clone();
    String::from_utf8(output).unwrap()
}

// The end of an error about what a command was given, rather than about a board.
const HELP: &str = "\n\nFor more information, try '--help'.";

// The message about games that ranks cannot share.
fn no_sweep(variant: &str) -> String {
    format!(
        "{variant} has no sweep that ranks can share: that takes a board with unlimited supply where a \
         line ends the game, and the metric value or distance; 'greenwave solve' takes all that can be \
         solved on one machine"
    )
}
