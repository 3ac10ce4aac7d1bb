use tempfile::{TempDir, tempdir};

use super::*;

const OWNER: &str = "tests value of rules 0123";

struct Place {
    folder: TempDir,
    path: PathBuf,
}

impl Place {
    fn new() -> Place {
        let folder = tempdir().unwrap();
        let path = folder.path().join("deep/value.checkpoint");
        Place { folder, path }
    }

    fn open(&self) -> Checkpoint {
        Checkpoint::open(&self.path, OWNER.into(), true, EVERY).unwrap()
    }

    fn names(&self) -> Vec<String> {
        let mut names: Vec<String> = files(&self.path).map(|(name, _)| name).collect();
        names.sort();
        names
    }

    /// A checkpoint with one part that lasts and one of the moment.
    fn filled(&self) {
        let mut checkpoint = self.open();
        assert!(
            checkpoint
                .resume(&greenwave_values::Silent)
                .unwrap()
                .is_none()
        );
        let lasting = part(&mut checkpoint, "level-002", &[1, 2, 3]);
        checkpoint.keep("level-002", lasting);
        let now = part(&mut checkpoint, "entries-002", &[7; 3 << 20]);
        let numbers: [(&str, &[u64]); 2] = [("level", &[2]), ("counts", &[5, 0, 9])];
        checkpoint
            .commit(&numbers, &[("entries-002".into(), now)])
            .unwrap();
        let interrupted = checkpoint.ended(SolveError::Interrupted);
        assert!(matches!(interrupted, SolveError::Paused { .. }));
    }

    fn refused(&self) -> String {
        let before = self.names();
        let error = self
            .open()
            .resume(&greenwave_values::Silent)
            .unwrap_err()
            .to_string();
        assert!(error.contains("delete it"), "{error}");
        assert_eq!(self.names(), before, "it is left as it was");
        error
    }
}

fn part(checkpoint: &mut Checkpoint, name: &str, bytes: &[u8]) -> PartDigest {
    let mut file = checkpoint.write(name).unwrap();
    file.put(bytes).unwrap();
    file.finish().unwrap()
}

#[test]
fn what_was_kept_comes_back() {
    let place = Place::new();
    place.filled();
    assert_eq!(place.names(), ["entries-002", "level-002", "state"]);
    let mut checkpoint = place.open();
    let numbers = checkpoint
        .resume(&greenwave_values::Silent)
        .unwrap()
        .unwrap();
    assert_eq!(numbers["level"], [2]);
    assert_eq!(numbers["counts"], [5, 0, 9]);
    assert!(checkpoint.keep_listed("level-002") && !checkpoint.keep_listed("level-003"));
    let file = checkpoint.read("entries-002").unwrap();
    let bytes = file.numbers(3 << 20, |[byte]: [u8; 1]| byte).unwrap();
    assert!(bytes == [7; 3 << 20]);
    // The next one takes its place, and what lasts stays.
    let next = part(&mut checkpoint, "entries-001", &[8]);
    checkpoint
        .commit(&[("level", &[1])], &[("entries-001".into(), next)])
        .unwrap();
    assert_eq!(place.names(), ["entries-001", "level-002", "state"]);
    checkpoint.finish();
    assert!(!place.path.exists());
    assert_eq!(
        fs::read_dir(place.path.parent().unwrap()).unwrap().count(),
        0
    );
}

#[test]
fn a_solve_without_a_state_leaves_nothing() {
    let place = Place::new();
    let mut checkpoint = place.open();
    let record = part(&mut checkpoint, "level-002", &[1]);
    checkpoint.keep("level-002", record);
    let unfinished = checkpoint.write("level-001").unwrap();
    drop(unfinished);
    assert_eq!(place.names(), ["level-002"]);
    drop(checkpoint);
    assert_eq!(
        fs::read_dir(place.path.parent().unwrap()).unwrap().count(),
        0
    );
}

#[test]
fn what_kills_left_is_removed_by_the_next_solve() {
    let place = Place::new();
    // Killed before the first state, and while a checkpoint was removed.
    for leave in [&["level-002", "state.new"][..], &["entries-002"]] {
        place.filled();
        for name in ["state", "level-002", "entries-002"] {
            if !leave.contains(&name) {
                fs::remove_file(place.path.join(name)).unwrap();
            }
        }
        for name in leave {
            fs::write(place.path.join(name), "left").unwrap();
        }
        fs::write(lock_of(&place.path), "").unwrap();
        let mut checkpoint = place.open();
        assert!(
            checkpoint
                .resume(&greenwave_values::Silent)
                .unwrap()
                .is_none()
        );
        assert!(!place.path.exists(), "{leave:?}");
        drop(checkpoint);
        assert!(!lock_of(&place.path).exists());
    }
    // Killed between one state and the next.
    place.filled();
    fs::write(place.path.join("entries-001"), "half").unwrap();
    fs::write(place.path.join("state.new"), "half").unwrap();
    assert!(
        place
            .open()
            .resume(&greenwave_values::Silent)
            .unwrap()
            .is_some()
    );
    assert_eq!(place.names(), ["entries-002", "level-002", "state"]);
    // Killed when the table was there already.
    fs::write(lock_of(&place.path), "").unwrap();
    let held = place.open();
    discard_checkpoint(&place.path);
    assert_eq!(place.names().len(), 3, "somebody is at work");
    drop(held);
    discard_checkpoint(&place.path);
    assert!(!place.path.exists() && !lock_of(&place.path).exists());
}

#[test]
fn a_second_solve_is_refused_at_once() {
    let place = Place::new();
    let _first = place.open();
    let second = Checkpoint::open(&place.path, OWNER.into(), false, EVERY).unwrap_err();
    let SolveError::Table(TableError::Locked { lock }) = second else {
        panic!("{second}");
    };
    assert_eq!(lock, lock_of(&place.path));
}

#[test]
fn damage_of_any_kind_is_refused_and_kept() {
    let place = Place::new();
    place.filled();
    let state = place.path.join("state");
    let good = fs::read(&state).unwrap();
    for at in 0..good.len() {
        let mut bad = good.clone();
        bad[at] ^= 1 << (at % 7);
        fs::write(&state, &bad).unwrap();
        place.refused();
        fs::write(&state, &good[..at]).unwrap();
        place.refused();
    }
    fs::write(&state, &good).unwrap();
    // Parts that are missing, cut, or changed.
    let entries = place.path.join("entries-002");
    let bytes = fs::read(&entries).unwrap();
    fs::remove_file(&entries).unwrap();
    assert!(place.refused().contains("is not there"));
    fs::write(&entries, &bytes[1..]).unwrap();
    assert!(place.refused().contains("found 3145727 bytes"));
    for at in [0, 1 << 20, bytes.len() - 1] {
        let mut bad = bytes.clone();
        bad[at] ^= 1;
        fs::write(&entries, &bad).unwrap();
        let mut checkpoint = place.open();
        checkpoint.resume(&greenwave_values::Silent).unwrap();
        let file = checkpoint.read("entries-002").unwrap();
        let read = file.numbers(3 << 20, |[byte]: [u8; 1]| byte);
        let error = read.unwrap_err().to_string();
        assert!(error.contains("other contents"), "{error}");
    }
}

/// Each line left out, twice, or with another number, with the seal as it was, without one, and with that of
/// other contents; the checksum of the text is right.
#[test]
fn no_line_is_changed_under_its_seal() {
    let place = Place::new();
    place.filled();
    let state = place.path.join("state");
    let good = fs::read_to_string(&state).unwrap();
    let (body, _) = good.rsplit_once("sum ").unwrap();
    let (sealed, seal) = body.rsplit_once("seal ").unwrap();
    let lines: Vec<&str> = sealed.lines().collect();
    let mut forged = vec![(String::from("nothing"), lines.clone().join("\n"))];
    for (number, line) in lines.iter().enumerate().skip(2) {
        let mut with = |what: &str, line: &[&str]| {
            let mut other = lines.clone();
            other.splice(number..=number, line.iter().copied());
            forged.push((format!("{what} {number}"), other.join("\n")));
        };
        with("without", &[]);
        with("twice", &[line, line]);
        with("one more", &[line, "more 7"]);
        let words: Vec<&str> = line.split(' ').collect();
        for place in 1..words.len() {
            let Ok(number) = words[place].parse::<u64>() else {
                continue;
            };
            for other in [number + 1, number.wrapping_sub(1), 0, u64::MAX] {
                let mut words = words.clone();
                let other = other.to_string();
                words[place] = &other;
                with("changed", &[&words.join(" ")]);
            }
        }
    }
    let zeros = format!("{}\n", Hash32::default());
    let mut tried = 0;
    for (what, text) in forged {
        let text = format!("{text}\n");
        let sum = format!("sum {}\n", Hash32::of(text.as_bytes()));
        for seal in [
            String::new(),
            format!("seal {seal}"),
            format!("seal {zeros}"),
            format!("seal {}\n", Hash32::of(text.as_bytes())),
            format!("seal {seal}seal {seal}"),
            sum,
        ] {
            let body = format!("{text}{seal}");
            if good.starts_with(&body) && !seal.is_empty() {
                continue;
            }
            let sum = Hash32::of(body.as_bytes());
            fs::write(&state, format!("{body}sum {sum}\n")).unwrap();
            let said = place.refused();
            assert!(said.contains("found no seal"), "{what}: {said}");
            tried += 1;
        }
    }
    assert!(tried > 100, "{tried}");
    fs::write(&state, &good).unwrap();
    let mut checkpoint = place.open();
    checkpoint.resume(&greenwave_values::Silent).unwrap();
    let error = checkpoint.read("entries-003").unwrap_err().to_string();
    assert!(
        error.contains("lists no part") && error.contains("delete it"),
        "{error}"
    );
}

#[test]
fn other_solves_and_other_versions_are_refused() {
    let place = Place::new();
    place.filled();
    let other = Checkpoint::open(&place.path, "tests value of rules 4".into(), true, EVERY);
    let error = other
        .unwrap()
        .resume(&greenwave_values::Silent)
        .unwrap_err()
        .to_string();
    assert!(error.contains("is of other rules"), "{error}");
    fs::write(place.path.join("state"), "greenwave bag sweep 1\n").unwrap();
    assert!(place.refused().contains("another version"));
    fs::remove_dir_all(&place.path).unwrap();
    fs::write(&place.path, b"\x89GWC\r\n").unwrap();
    assert!(place.refused().contains("is no folder"));
    fs::remove_file(&place.path).unwrap();
}

#[cfg(unix)]
#[test]
fn a_planted_link_is_not_followed() {
    let place = Place::new();
    let elsewhere = place.folder.path().join("elsewhere");
    fs::create_dir(&elsewhere).unwrap();
    fs::write(elsewhere.join("state"), "mine").unwrap();
    fs::create_dir(place.path.parent().unwrap()).unwrap();
    std::os::unix::fs::symlink(&elsewhere, &place.path).unwrap();
    let mut checkpoint = place.open();
    assert!(
        checkpoint.resume(&greenwave_values::Silent).is_err()
            && checkpoint.write("level-001").is_err()
    );
    drop(checkpoint);
    discard_checkpoint(&place.path);
    assert_eq!(fs::read(elsewhere.join("state")).unwrap(), b"mine");
    // Nor one in the folder.
    fs::remove_file(&place.path).unwrap();
    let mut checkpoint = place.open();
    fs::create_dir(&place.path).unwrap();
    let mine = place.folder.path().join("mine");
    fs::write(&mine, "mine").unwrap();
    for name in ["level-001", "state.new"] {
        std::os::unix::fs::symlink(&mine, place.path.join(name)).unwrap();
    }
    part(&mut checkpoint, "level-001", &[1, 2, 3]);
    checkpoint.commit(&[], &[]).unwrap();
    assert_eq!(fs::read(&mine).unwrap(), b"mine");
}
