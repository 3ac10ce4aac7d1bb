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

/// Terminals that know no more than lines, or do not say what they know, get no colours, and narrow ones
/// short lines.
#[test]
fn colours_and_lines_fit_the_terminal() {
    let dir = tempfile::tempdir().unwrap();
    let shown = |term: Option<&str>, args: &[&str], columns: u16| {
        let terminal = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
        grantpt(&terminal).unwrap();
        unlockpt(&terminal).unwrap();
        let size = Winsize {
            ws_row: 30,
            ws_col: columns,
            ws_xpixel: 0,
            ws_ypixel: 0,
        };
        let name = ptsname(&terminal, Vec::new()).unwrap();
        let mut options = File::options();
        let end = options.read(true).write(true).open(name.to_str().unwrap());
        let end = end.unwrap();
        tcsetwinsize(&terminal, size).unwrap();
        let mut query = Command::new(env!("CARGO_BIN_EXE_greenwave"));
        query
            .args(args)
            .env("LC_ALL", "C")
            .env("GREENWAVE_DIR", dir.path())
            .env_remove("NO_COLOR")
            .env_remove("CLICOLOR_FORCE")
            .env_remove("TERM")
            .stdout(end.try_clone().unwrap())
            .stderr(end);
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
        child.wait().unwrap();
        assert!(!shown.is_empty(), "{args:?}");
        String::from_utf8_lossy(&shown).into_owned()
    };
    // A result, a page of help, and an error about the usage.
    for args in [
        &["query", "classic-2x2"][..],
        &["query", "--help"],
        &["query", "classic-2x2", "--nosuch"],
    ] {
        let coloured = |term| shown(term, args, 80).contains('\x1b');
        assert!(coloured(Some("xterm")), "{args:?}");
        for term in [None, Some(""), Some("dumb"), Some("DUMB"), Some("unknown")] {
            assert!(!coloured(term), "{args:?}: {term:?}");
        }
    }
    // Sentences are cut for a narrow terminal.
    for args in [&["cite"][..], &["variants"]] {
        let text = shown(Some("xterm"), args, 50);
        let sentences = text.lines().filter(|line| !line.contains("  "));
        for line in sentences {
            assert!(line.trim_end().chars().count() <= 50, "{line}");
        }
    }
    // And so is all that stands below a board.
    for lang in ["en", "de", "es", "pt"] {
        for (game, columns) in [
            ("classic-2x2", 60),
            ("noughts-3x3", 60),
            ("classic-2x2", 45),
        ] {
            let text = shown(Some("dumb"), &["query", game, "--lang", lang], columns);
            for line in text.lines().map(str::trim_end) {
                let is_short = line.chars().count() <= columns.into();
                assert!(is_short, "{game} {lang}, {columns}: {line}");
            }
        }
    }
}
