//! `play` on a terminal that goes away.
#![cfg(unix)]

use std::fs::File;
use std::os::fd::OwnedFd;
use std::process::Command;
use std::time::{Duration, Instant};

use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};

#[test]
fn play_ends_when_its_terminal_is_gone() {
    let terminal: OwnedFd =
        openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC).unwrap();
    grantpt(&terminal).unwrap();
    unlockpt(&terminal).unwrap();
    let size = Winsize {
        ws_row: 30,
        ws_col: 100,
        ws_xpixel: 0,
        ws_ypixel: 0,
    };
    let name = ptsname(&terminal, Vec::new()).unwrap();
    let end = || {
        let mut options = File::options();
        let end = options.read(true).write(true).open(name.to_str().unwrap());
        end.unwrap()
    };
    tcsetwinsize(&terminal, size).unwrap();
    let dir = tempfile::tempdir().unwrap();
    let mut play = Command::new(env!("CARGO_BIN_EXE_greenwave"))
        .args(["play", "classic-2x2"])
        .env("GREENWAVE_DIR", dir.path())
        .env("LC_ALL", "C")
        .env("TERM", "xterm")
        .stdin(end())
        .stdout(end())
        .stderr(end())
        .spawn()
        .unwrap();
    let mut shown = Vec::new();
    while !String::from_utf8_lossy(&shown).contains("classic-2x2") {
        let mut piece = [0; 1024];
        let count = rustix::io::read(&terminal, &mut piece).unwrap();
        shown.extend_from_slice(&piece[..count]);
    }
    // The rest of the first picture.
    std::thread::sleep(Duration::from_millis(500));
    drop(terminal);
    let begun = Instant::now();
    let ended = loop {
        if let Some(ended) = play.try_wait().unwrap() {
            break ended;
        }
        if begun.elapsed() > Duration::from_secs(300) {
            play.kill().unwrap();
            panic!("play goes on without a terminal");
        }
        std::thread::sleep(Duration::from_millis(20));
    };
    assert!(!ended.success());
}

/// Terminals that know no more than lines, or do not say what they know, get no colours.
#[test]
fn colours_are_for_terminals_that_know_them() {
    let dir = tempfile::tempdir().unwrap();
    let coloured = |term: Option<&str>| {
        let terminal = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
        grantpt(&terminal).unwrap();
        unlockpt(&terminal).unwrap();
        let name = ptsname(&terminal, Vec::new()).unwrap();
        let mut options = File::options();
        let end = options.read(true).write(true).open(name.to_str().unwrap());
        let mut query = Command::new(env!("CARGO_BIN_EXE_greenwave"));
        query
            .args(["query", "classic-2x2"])
            .env("GREENWAVE_DIR", dir.path())
            .env_remove("NO_COLOR")
            .env_remove("CLICOLOR_FORCE")
            .env_remove("TERM")
            .stdout(end.unwrap());
        if let Some(term) = term {
            query.env("TERM", term);
        }
        let mut child = query.spawn().unwrap();
        drop(query);
        let mut shown = Vec::new();
        let mut piece = [0; 1024];
        // Linux ends the text of a terminal that nobody has open any more with an error.
        while let Ok(count @ 1..) = rustix::io::read(&terminal, &mut piece) {
            shown.extend_from_slice(&piece[..count]);
        }
        assert!(child.wait().unwrap().success());
        assert!(String::from_utf8_lossy(&shown).contains("classic-2x2"));
        shown.contains(&0x1b)
    };
    assert!(coloured(Some("xterm")));
    for term in [None, Some(""), Some("dumb")] {
        assert!(!coloured(term), "{term:?}");
    }
}
