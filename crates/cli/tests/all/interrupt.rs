//! Solves that are stopped at any moment, by Ctrl-C or without warning, and solves without room: the
//! same command goes on and ends with the same values, and nothing half-written is taken for a table.
#![cfg(unix)]

use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use crate::common::greenwave;
use serde_json::Value;
use tempfile::{TempDir, tempdir};

/// A board that takes the plainest instructions on one thread about a second.
const BOARD: &str = "classic-1x13";
const SLOWLY: [&str; 6] = [
    "--threads",
    "1",
    "--kernel",
    "portable",
    "--json",
    "--quiet",
];

/// The result of a solve without an interruption, and its time.
struct Undisturbed {
    table: Value,
    bytes: Vec<u8>,
    counts: Value,
    seconds: f64,
}

fn undisturbed() -> &'static Undisturbed {
    static ONCE: OnceLock<Undisturbed> = OnceLock::new();
    ONCE.get_or_init(|| {
        let dir = tempdir().unwrap();
        let table = greenwave(dir.path(), &["solve", BOARD, "--json"]).json();
        let start = Instant::now();
        let output = start_solve(dir.path(), &["--no-table"])
            .wait_with_output()
            .unwrap();
        let seconds = start.elapsed().as_secs_f64();
        Undisturbed {
            table,
            bytes: table_of(dir.path()),
            counts: document(&output),
            seconds,
        }
    })
}

/// The table in a folder of tables.
fn table_of(dir: &Path) -> Vec<u8> {
    std::fs::read(dir.join(BOARD).join("distance.gwt")).unwrap()
}

/// The program, which stops at Ctrl-C: the jobs of a script ignore it, and what these start does so, too.
fn program() -> Command {
    let mut program = Command::new("env");
    program.args(["--default-signal=INT", env!("CARGO_BIN_EXE_greenwave")]);
    program
}

fn start_solve(dir: &Path, more: &[&str]) -> Child {
    program()
        .env("GREENWAVE_DIR", dir)
        .env_remove("GREENWAVE_MEMORY")
        .args(["solve", BOARD])
        .args(SLOWLY)
        .args(more)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

fn document(output: &Output) -> Value {
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    serde_json::from_slice(&output.stdout).unwrap()
}

fn signal(child: &Child, name: &str) {
    let pid = child.id().to_string();
    let sent = Command::new("kill")
        .args([&format!("-{name}"), &pid])
        .status();
    assert!(sent.unwrap().success());
}

fn said(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// A solve that stands still with its lock in its hands. One that was quicker is started again, in an empty folder.
fn held(start: impl Fn() -> Child, lock: &Path) -> Child {
    for _ in 0..100 {
        let mut child = start();
        let begun = Instant::now();
        while !lock.exists() && child.try_wait().unwrap().is_none() {
            assert!(begun.elapsed() < Duration::from_secs(300), "no {lock:?}");
            std::thread::sleep(Duration::from_millis(2));
        }
        if child.try_wait().unwrap().is_none() {
            signal(&child, "STOP");
            while !stands_still(&mut child) {
                std::thread::sleep(Duration::from_millis(2));
            }
            if lock.exists() {
                return child;
            }
            signal(&child, "CONT");
        }
        let ended = child.wait_with_output().unwrap();
        assert_eq!(ended.status.code(), Some(0), "{}", said(&ended));
        std::fs::remove_dir_all(lock.parent().unwrap()).unwrap_or_default();
    }
    panic!("no solve was held at {lock:?}");
}

/// Whether a process stands still after a signal, or has ended.
fn stands_still(child: &mut Child) -> bool {
    let states = Command::new("ps")
        .args(["-o", "state=", "-p", &child.id().to_string()])
        .output()
        .unwrap();
    let state = String::from_utf8(states.stdout).unwrap();
    state.trim().starts_with(['T', 'Z']) || child.try_wait().unwrap().is_some()
}

/// Files in the board's folder.
fn files(dir: &Path) -> Vec<String> {
    let Ok(folder) = std::fs::read_dir(dir.join(BOARD)) else {
        return Vec::new();
    };
    let mut names: Vec<String> = folder
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

/// A signal that came too early or too late for what a test wants to see.
enum Missed {
    Early,
    Late,
}

/// Tries one pause after the other, between those that were too short and those that were too long,
/// until something is caught at work. How fast it works changes with what else the machine has to do.
fn catch<T>(first: f64, mut attempt: impl FnMut(Duration) -> Result<T, Missed>) -> T {
    let (mut early, mut late, mut pause) = (0.0, f64::INFINITY, first);
    for _ in 0..60 {
        match attempt(Duration::from_secs_f64(pause)) {
            Ok(caught) => return caught,
            Err(Missed::Early) => early = pause,
            Err(Missed::Late) => late = pause,
        }
        if late < 1.05 * early {
            (early, late) = (0.7 * late, 1.3 * early);
        }
        pause = f64::min((early + late) / 2.0, 1.5 * pause);
    }
    panic!("never caught at work, last after {pause} s");
}

/// A solve stopped by Ctrl-C while it has something to keep: its exit code is 130, it says how to go
/// on, and a checkpoint is there.
fn interrupt(dir: &Path, more: &[&str]) -> PathBuf {
    interrupt_after(undisturbed().seconds / 3.0, dir, more)
}

/// The same, tried after this time first.
fn interrupt_after(seconds: f64, dir: &Path, more: &[&str]) -> PathBuf {
    let name = if more.contains(&"--no-table") {
        "distance.counts.checkpoint"
    } else {
        "distance.checkpoint"
    };
    let path = dir.join(BOARD).join(name);
    let output = catch(seconds, |pause| {
        let child = start_solve(dir, more);
        std::thread::sleep(pause);
        signal(&child, "INT");
        let output = child.wait_with_output().unwrap();
        let said = said(&output);
        match (output.status.code(), output.status.signal()) {
            (Some(130), _) if said.contains("checkpoint") => Ok(output),
            // Before the first wave was done, or while the table was written.
            (Some(130), _) => {
                assert!(said.contains("the same command starts again"), "{said}");
                Err(if pause.as_secs_f64() < undisturbed().seconds / 2.0 {
                    Missed::Early
                } else {
                    Missed::Late
                })
            }
            (Some(0), _) => {
                std::fs::remove_dir_all(dir.join(BOARD)).unwrap_or_default();
                Err(Missed::Late)
            }
            (None, Some(2)) => Err(Missed::Early),
            _ => panic!("{output:?}"),
        }
    });
    let document: serde_json::Value = serde_json::from_str(&said(&output)).unwrap();
    let expected = format!(
        "interrupted; the same command resumes from the checkpoint '{}'",
        path.display()
    );
    assert_eq!(document["error"], expected);
    assert_eq!(document["kind"], "interrupted");
    assert_eq!(files(dir), [name]);
    assert_eq!(output.stdout, b"");
    let estimate = estimate(dir, more);
    let most = estimate["checkpoint_bytes"].as_u64().unwrap();
    assert!(size_of(&path) <= most, "{estimate}");
    path
}

/// Bytes of all parts of a checkpoint.
fn size_of(checkpoint: &Path) -> u64 {
    let parts = std::fs::read_dir(checkpoint).unwrap();
    let size = |part: std::io::Result<std::fs::DirEntry>| part.unwrap().metadata().unwrap().len();
    parts.map(size).sum()
}

/// Copies a checkpoint, or puts it in the place of another.
fn copy(from: &Path, to: &Path) {
    let _ = std::fs::remove_dir_all(to);
    std::fs::create_dir_all(to).unwrap();
    for part in std::fs::read_dir(from).unwrap() {
        let part = part.unwrap();
        std::fs::copy(part.path(), to.join(part.file_name())).unwrap();
    }
}

/// The parts of a checkpoint by name.
fn parts(checkpoint: &Path) -> Vec<(String, Vec<u8>)> {
    let read = |part: std::io::Result<std::fs::DirEntry>| {
        let part = part.unwrap();
        let name = part.file_name().into_string().unwrap();
        (name, std::fs::read(part.path()).unwrap())
    };
    let mut parts: Vec<_> = std::fs::read_dir(checkpoint).unwrap().map(read).collect();
    parts.sort();
    parts
}

fn estimate(dir: &Path, more: &[&str]) -> Value {
    let estimate = ["solve", BOARD, "--estimate", "--json"];
    greenwave(dir, &[&estimate[..], more].concat()).json()
}

#[test]
fn estimates_count_table_and_checkpoints() {
    let dir = tempdir().unwrap();
    let number = |estimate: &Value, field: &str| estimate[field].as_u64().unwrap();
    for (more, tabled) in [(&[][..], true), (&["--no-table"][..], false)] {
        let estimate = estimate(dir.path(), more);
        let (table, checkpoints) = (
            number(&estimate, "table_bytes"),
            number(&estimate, "checkpoint_bytes"),
        );
        assert_eq!(table > 0, tabled, "{estimate}");
        assert!(checkpoints > 0, "{estimate}");
        assert_eq!(number(&estimate, "disk_bytes"), table + checkpoints);
    }
    assert!(undisturbed().bytes.len() as u64 <= number(&estimate(dir.path(), &[]), "table_bytes"));
    let said = |name: &str| {
        greenwave(dir.path(), &["solve", name, "--estimate"])
            .ok()
            .stdout
    };
    assert!(said(BOARD).contains(" (table "), "{}", said(BOARD));
    assert!(said(BOARD).contains(", checkpoints "), "{}", said(BOARD));
    assert!(
        said("strip").contains(", checkpoints "),
        "{}",
        said("strip")
    );
}

/// The files of a checkpoint, by name.
type Files = Vec<(String, Vec<u8>)>;

/// A folder with the checkpoint of an interrupted solve, the same one for all.
fn interrupted() -> (TempDir, PathBuf) {
    static ONCE: OnceLock<(PathBuf, Files)> = OnceLock::new();
    let (place, kept) = ONCE.get_or_init(|| {
        let dir = tempdir().unwrap();
        let checkpoint = interrupt(dir.path(), &[]);
        let place = checkpoint.strip_prefix(dir.path()).unwrap().to_path_buf();
        (place, parts(&checkpoint))
    });
    let dir = tempdir().unwrap();
    let checkpoint = dir.path().join(place);
    std::fs::create_dir_all(&checkpoint).unwrap();
    for (name, bytes) in kept {
        std::fs::write(checkpoint.join(name), bytes).unwrap();
    }
    (dir, checkpoint)
}

/// The same command once more ends as one that nobody disturbs.
fn ends_well(dir: &Path) {
    let document = document(&start_solve(dir, &[]).wait_with_output().unwrap());
    for field in [
        "signature",
        "by_value",
        "openings",
        "value",
        "distance",
        "positions",
    ] {
        assert_eq!(document[field], undisturbed().table[field], "{field}");
    }
    assert_eq!(files(dir), ["distance.gwt"]);
    assert!(table_of(dir) == undisturbed().bytes);
}

#[test]
fn ctrl_c_leaves_a_checkpoint_and_the_same_command_goes_on() {
    let (dir, _) = interrupted();
    // Once more on the way.
    interrupt(dir.path(), &[]);
    ends_well(dir.path());
}

#[test]
fn ctrl_c_without_a_table() {
    let dir = tempdir().unwrap();
    interrupt(dir.path(), &["--no-table"]);
    let output = start_solve(dir.path(), &["--no-table"])
        .wait_with_output()
        .unwrap();
    let document = document(&output);
    assert!(document["signature"].is_null());
    for field in ["by_value", "openings", "value", "distance", "positions"] {
        assert_eq!(document[field], undisturbed().counts[field], "{field}");
        assert_eq!(document[field], undisturbed().table[field], "{field}");
    }
    assert!(!dir.path().join(BOARD).exists());
}

#[test]
fn a_kill_at_any_moment_harms_nothing() {
    // Half of them on the way from a checkpoint.
    let mut moments = 0x5eed_u64;
    for attempt in 0..4 {
        let dir = if attempt % 2 == 0 {
            tempdir().unwrap()
        } else {
            interrupted().0
        };
        moments = moments
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        let share = (moments >> 40) as f64 / (1 << 24) as f64;
        let mut child = start_solve(dir.path(), &[]);
        std::thread::sleep(Duration::from_secs_f64(1.2 * share * undisturbed().seconds));
        child.kill().unwrap();
        child.wait().unwrap();
        if files(dir.path()).iter().any(|name| name == "distance.gwt") {
            // A table is there only when it is whole.
            assert!(table_of(dir.path()) == undisturbed().bytes);
        }
        let document = document(&start_solve(dir.path(), &[]).wait_with_output().unwrap());
        for field in ["signature", "by_value", "openings"] {
            assert_eq!(
                document[field],
                undisturbed().table[field],
                "attempt {attempt}, {field}"
            );
        }
    }
}

#[test]
fn the_lock_of_a_killed_solve_stops_nobody() {
    let dir = tempdir().unwrap();
    let lock = dir.path().join(BOARD).join("distance.checkpoint.lock");
    let mut child = held(|| start_solve(dir.path(), &[]), &lock);
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(lock.exists(), "killed with the lock in its hands");
    ends_well(dir.path());
}

#[test]
fn a_second_writer_is_told_to_wait() {
    for (more, lock, expected, left) in [
        (
            &[][..],
            "distance.checkpoint.lock",
            &undisturbed().table,
            &["distance.gwt"][..],
        ),
        (
            &["--no-table"][..],
            "distance.counts.checkpoint.lock",
            &undisturbed().counts,
            &[][..],
        ),
    ] {
        let dir = tempdir().unwrap();
        let path = dir.path().join(BOARD).join(lock);
        let first = held(|| start_solve(dir.path(), more), &path);
        let second = start_solve(dir.path(), more).wait_with_output().unwrap();
        signal(&first, "CONT");
        let (first, said) = (first.wait_with_output().unwrap(), said(&second));
        assert_eq!(second.status.code(), Some(2), "{said}");
        for words in ["another process", "wait until", lock] {
            assert!(said.contains(words), "no '{words}' in {said}");
        }
        assert_eq!(second.stdout, b"");
        let first = document(&first);
        for field in ["signature", "by_value"] {
            assert_eq!(first[field], expected[field], "{field}");
        }
        assert_eq!(files(dir.path()), left);
    }
}

#[test]
fn a_solve_without_a_table_needs_no_folder() {
    let dir = tempdir().unwrap();
    for game in ["classic-3x3", "bag-classic-1x3"] {
        let folder = dir.path().join("new/tables");
        let run = greenwave(&folder, &["solve", game, "--no-table"]).ok();
        assert_eq!(run.stderr, "");
        let left = std::fs::read_dir(dir.path()).unwrap().count();
        assert_eq!(left, 0, "folders that it made go again");
    }
}

#[test]
fn a_damaged_or_foreign_checkpoint_is_refused_and_kept() {
    let (dir, checkpoint) = interrupted();
    let good = dir.path().join("good");
    copy(&checkpoint, &good);
    let refused = |args: &[&str], path: &Path, word: &str| {
        let before = parts(path);
        let run = greenwave(dir.path(), &[args, &["--json"]].concat());
        assert_eq!((run.code, run.stdout.as_str()), (2, ""), "{run:?}");
        let file = format!("the checkpoint '{}'", path.display());
        let way_out = "delete it to solve from the beginning";
        for word in [&file, word, way_out, "\"kind\":\"file\""] {
            assert!(run.stderr.contains(word), "no '{word}' in {}", run.stderr);
        }
        assert!(parts(path) == before, "it is left as it was");
        assert!(!path.with_extension("gwt").exists());
    };
    let solve = ["solve", BOARD];
    for (name, bytes) in parts(&good) {
        let last = bytes.len() - 1;
        for place in [0, 9, 44, last / 3, last / 2, last] {
            copy(&good, &checkpoint);
            let mut bad = bytes.clone();
            bad[place] ^= 1 << (place % 7);
            std::fs::write(checkpoint.join(&name), &bad).unwrap();
            let word = if name == "state" && place < 22 {
                "of another version"
            } else {
                "is damaged"
            };
            refused(&solve, &checkpoint, word);
        }
        for length in [30, last / 2, last] {
            copy(&good, &checkpoint);
            std::fs::write(checkpoint.join(&name), &bytes[..length]).unwrap();
            refused(&solve, &checkpoint, "is damaged");
        }
    }
    // Whole, but of another solve.
    let at = |path: &str| dir.path().join(path);
    let misere = ["solve", "classic-1x13:play=misere"];
    let value = ["solve", BOARD, "--metric", "value"];
    let counts = ["solve", BOARD, "--no-table"];
    for (args, other) in [
        (&misere[..], "classic-1x13_play-misere/distance.checkpoint"),
        (&value, "classic-1x13/value.checkpoint"),
        (&counts, "classic-1x13/distance.counts.checkpoint"),
    ] {
        copy(&good, &at(other));
        refused(args, &at(other), "is of other rules");
        std::fs::remove_dir_all(at(other)).unwrap();
    }
    // The right one still serves.
    copy(&good, &checkpoint);
    std::fs::remove_dir_all(&good).unwrap();
    ends_well(dir.path());
}

#[test]
fn every_family_refuses_a_second_solve_and_goes_on_after_ctrl_c() {
    // With seconds in which some work is done, and not all of it.
    let mut games = vec![("strip", "distance", 0.4), ("ampel-5-3-2", "distance", 0.7)];
    // The engine of the other strip, and more to do.
    if cfg!(feature = "slow-tests") {
        games.push(("ampel-5-3-3", "distance", 1.5));
        games.push(("slider", "points", 1.5));
    }
    for (game, metric, seconds) in games {
        let dir = tempdir().unwrap();
        let start = || {
            let mut command = program();
            command.env("GREENWAVE_DIR", dir.path());
            command.env_remove("GREENWAVE_MEMORY");
            command.args(["solve", game, "--quiet", "--threads", "1"]);
            command.stdin(Stdio::null());
            command.stdout(Stdio::piped()).stderr(Stdio::piped());
            command.spawn().unwrap()
        };
        let lock = format!("{game}/{metric}.checkpoint.lock");
        let first = held(start, &dir.path().join(&lock));
        let second = start().wait_with_output().unwrap();
        signal(&first, "CONT");
        assert_eq!(second.status.code(), Some(2), "{second:?}");
        assert!(said(&second).contains(&lock), "{}", said(&second));
        let checkpoint = dir.path().join(format!("{game}/{metric}.checkpoint"));
        let mut running = Some(first);
        let output = catch(seconds, |pause| {
            let child = running.take().unwrap_or_else(start);
            std::thread::sleep(pause);
            signal(&child, "TERM");
            let output = child.wait_with_output().unwrap();
            match output.status.code() {
                Some(130) if said(&output).contains("resumes from the checkpoint") => Ok(output),
                Some(130) => Err(Missed::Early),
                Some(0) => {
                    std::fs::remove_dir_all(dir.path().join(game)).unwrap();
                    Err(Missed::Late)
                }
                _ => panic!("{game}: {output:?}"),
            }
        });
        assert_eq!(output.status.code(), Some(130), "{game}: {output:?}");
        assert!(checkpoint.join("state").exists());
        let estimate = greenwave(dir.path(), &["solve", game, "--estimate", "--json"]).json();
        assert!(size_of(&checkpoint) <= estimate["checkpoint_bytes"].as_u64().unwrap());
        std::fs::remove_dir_all(&checkpoint).unwrap();
    }
}

/// Runs the program where no file can grow beyond a size, in kibibytes: writing fails in the middle
/// as on a full disk.
fn cramped(dir: &Path, kibibytes: u32, args: &[&str]) -> Child {
    // POSIX counts in blocks of 512 bytes; bash that is not run as sh counts in kibibytes.
    let script = format!("trap '' XFSZ; ulimit -f {}; exec \"$@\"", 2 * kibibytes);
    Command::new("sh")
        .args(["-c", &script, "sh", "env", "--default-signal=INT"])
        .arg(env!("CARGO_BIN_EXE_greenwave"))
        .env("GREENWAVE_DIR", dir)
        .env("GREENWAVE_THREADS", "1")
        .env_remove("GREENWAVE_MEMORY")
        .args(args)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

#[test]
fn a_table_without_room_harms_no_other() {
    let dir = tempdir().unwrap();
    let solve = ["solve", "classic-3x3", "classic-3x4"];
    // The smaller table takes 24 KiB, the larger 608.
    let output = cramped(dir.path(), 200, &solve).wait_with_output().unwrap();
    let said = said(&output);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    let table = dir.path().join("classic-3x4/distance.gwt");
    assert!(
        said.starts_with(&format!("error: {}: cannot write: ", table.display())),
        "{said}"
    );
    assert!(
        said.ends_with(
            "; make room or name another folder with --dir, and give the same command again\n"
        ),
        "{said}"
    );
    assert!(String::from_utf8_lossy(&output.stdout).starts_with("classic-3x3: "));
    assert!(!table.parent().unwrap().exists(), "nothing half-written");
    greenwave(dir.path(), &["verify", "classic-3x3"]).ok();
    // An earlier table of the same name stays as it was.
    greenwave(dir.path(), &["solve", "classic-3x4"]).ok();
    let before = std::fs::read(&table).unwrap();
    let again = ["solve", "classic-3x4", "--force"];
    let output = cramped(dir.path(), 200, &again).wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert!(std::fs::read(&table).unwrap() == before);
    let folder = table.parent().unwrap();
    assert_eq!(std::fs::read_dir(folder).unwrap().count(), 1);
    // With room the same command does it.
    greenwave(dir.path(), &again).ok();
    assert!(std::fs::read(&table).unwrap() == before);
}

#[test]
fn a_checkpoint_without_room_leaves_the_earlier_one() {
    let dir = tempdir().unwrap();
    // Early, so that most of the work is still to do.
    let checkpoint = interrupt_after(undisturbed().seconds / 10.0, dir.path(), &[]);
    let before = parts(&checkpoint);
    let kept = dir.path().join("kept");
    copy(&checkpoint, &kept);
    // Checkpoints of the first waves alone have room; the table takes 2,462 KiB.
    let args = [&["solve", BOARD][..], &SLOWLY].concat();
    let said = catch(undisturbed().seconds / 4.0, |pause| {
        copy(&kept, &checkpoint);
        let child = cramped(dir.path(), 200, &args);
        std::thread::sleep(pause);
        signal(&child, "INT");
        let output = child.wait_with_output().unwrap();
        let said = said(&output);
        match (output.status.code(), output.status.signal()) {
            (Some(2), _) if said.contains("cannot write the checkpoint") => Ok(said),
            // As late as the table, for which there is no room either.
            (Some(2), _) => Err(Missed::Late),
            (Some(130), _) | (None, Some(2)) => Err(Missed::Early),
            _ => panic!("{output:?}"),
        }
    });
    for words in [
        "make room or name another folder with --dir",
        "the same command resumes",
    ] {
        assert!(said.contains(words), "no '{words}' in {said}");
    }
    assert!(parts(&checkpoint) == before);
    std::fs::remove_dir_all(&kept).unwrap();
    ends_well(dir.path());
}

#[test]
fn a_search_that_is_stopped_shows_what_it_found_and_says_so() {
    let dir = tempdir().unwrap();
    let picture = dir.path().join("ampel.svg");
    let picture = picture.to_str().unwrap();
    let moves = ["--moves", "c3,c3,c3,b2", "--budget", "10m", "--json"];
    for args in [
        &["query", "points-5x5", "--budget", "10m", "--json"][..],
        &[&["review", "points-5x5"][..], &moves].concat(),
        &[&["review", "classic-5x6"][..], &moves].concat(),
        &["draw", "points-5x5", "--values", "-o", picture],
    ] {
        catch(0.3, |pause| {
            let child = program()
                .env("GREENWAVE_DIR", dir.path())
                .args(args)
                .stdin(Stdio::null())
                .stdout(Stdio::piped())
                .stderr(Stdio::piped())
                .spawn()
                .unwrap();
            std::thread::sleep(pause);
            signal(&child, "INT");
            let output = child.wait_with_output().unwrap();
            match (output.status.code(), output.status.signal()) {
                (Some(130), _) => {
                    let said = said(&output);
                    assert!(said.contains("found until then"), "{args:?}: {said}");
                    let shown = args[0] == "draw" || !output.stdout.is_empty();
                    assert!(shown, "{args:?}: {output:?}");
                    Ok(())
                }
                (None, Some(2)) => Err(Missed::Early),
                (Some(0), _) => Err(Missed::Late),
                _ => panic!("{args:?}: {output:?}"),
            }
        });
    }
    assert!(Path::new(picture).exists());
}
