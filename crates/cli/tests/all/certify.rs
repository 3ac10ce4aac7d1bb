//! `certify`, and the checker that follows what it writes.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::common::{greenwave, python, refused, root, run, with_file};
use crate::transcript::Transcript;
use serde_json::Value;
use tempfile::tempdir;

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
        &["certify", "strip"],
        &["no certificate for strip", "repeat"],
    );
    refused(&["certify", "points-3x3:end=play-on"], &["points"]);
    for name in ["ampel-4-2-1", "ampel", "bag-classic-3x3", "bag-slider"] {
        refused(
            &["certify", name],
            &[
                &format!("no certificate for {name}: "),
                "one reply to every move",
                "games without chance",
                "fixed boards",
            ],
        );
    }
}

/// Runs the checker; `None` where there is no Python.
fn checked(args: &[&str]) -> Option<(i32, String)> {
    let mut command = python();
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

/// The exit code of the checker for each text as a certificate of its own, and what it says, in one run.
fn verdicts(texts: &[String]) -> Vec<(i32, String)> {
    const EACH: &str = "
import runpy, sys
program, sys.stderr = sys.argv[1], sys.stdout
for path in sys.argv[2:]:
    sys.argv = [program, path]
    try:
        runpy.run_path(program, run_name='__main__')
    except SystemExit as end:
        print('exit', end.code)
";
    let dir = tempdir().unwrap();
    let write = |(number, text): (usize, &String)| {
        let path = dir.path().join(format!("{number}.txt"));
        std::fs::write(&path, text).unwrap();
        path
    };
    let paths: Vec<_> = texts.iter().enumerate().map(write).collect();
    let output = python()
        .args(["-c", EACH])
        .arg(root().join("solutions/check_certificate.py"))
        .args(&paths)
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    let mut said = std::str::from_utf8(&output.stdout).unwrap();
    let verdict = |path: &PathBuf| {
        let (before, after) = said.split_once("exit ").unwrap();
        let (code, rest) = after.split_once('\n').unwrap();
        said = rest;
        let told = before.replace(path.to_str().unwrap(), "DIR/certificate.txt");
        (code.parse().unwrap(), told)
    };
    paths.iter().map(verdict).collect()
}

#[test]
fn the_checker_accepts_certificates_and_refuses_damaged_ones() {
    let dir = tempdir().unwrap();
    let certificate = |variant: &str| {
        let answer = greenwave(dir.path(), &["certify", variant, "--json", "-q"]).json();
        answer["file"].as_str().unwrap().to_string()
    };
    let mut shown = Transcript::new("checker");
    shown.hide(dir.path());
    let (mut variants, mut files) = (Vec::new(), Vec::new());
    for variant in [
        "classic-3x3",
        "classic-3x3:play=misere",
        "classic-3x3:supply=cap5",
        "classic-3x3:play=misere,supply=pool7,stalemate=loss",
        "classic-2x4",
        "signal-2x3",
        "points-3x3",
        "points-3x3:supply=cap5,four=once",
        "noughts-3x4",
        "noughts-3x4:play=misere",
        "points-3x3:score=win",
    ] {
        variants.push(variant);
        files.push(certificate(variant));
    }
    // One run for all of them, with a line for each.
    let paths: Vec<&str> = files.iter().map(String::as_str).collect();
    let Some((code, said)) = checked(&paths) else {
        eprintln!("left out: python3 is not there");
        return;
    };
    assert_eq!((code, said.lines().count()), (0, variants.len()), "{said}");
    for (variant, line) in variants.iter().zip(said.lines()) {
        shown.told(&format!("of {variant}"), &format!("{line}\n"));
    }
    let text = std::fs::read_to_string(certificate("classic-3x3")).unwrap();
    let entries = text
        .lines()
        .skip_while(|line| !line.starts_with("positions"))
        .skip(1);
    // Without any one reply, or with another move in its place, it does not win.
    let entries: Vec<&str> = entries.collect();
    let shorter = tempdir().unwrap();
    let without = |(number, entry): (usize, &&str)| {
        let text = text
            .replace(&format!("{entry}\n"), "")
            .replace("positions 16", "positions 15");
        let path = shorter.path().join(format!("{number}.txt"));
        std::fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_string()
    };
    let paths: Vec<String> = entries.iter().enumerate().map(without).collect();
    let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
    let (code, said) = checked(&paths).unwrap();
    assert_eq!((code, said.lines().count()), (1, entries.len()), "{said}");
    for ((entry, path), line) in entries.iter().zip(paths).zip(said.lines()) {
        let line = line.replace(path, "DIR/certificate.txt");
        assert!(line.starts_with("DIR/certificate.txt: WRONG: "), "{line}");
        shown.told(&format!("without {entry}"), &format!("{line}\n"));
    }
    let damaged = [
        text.replace("positions 16", "positions 17"),
        text.replace("pattern 222\n", ""),
        text.replace("greenwave certificate 1", "greenwave certificate 2"),
        text.replace(".../.Y./... b2G", ".../.Y./.. b2G"),
        text.replace(".../.Y./... b2G", ".../.Y./... z9G"),
        text.replace(".../.Y./... b2G", ".../.Y./..- b2G"),
        text[..text.len() / 2].to_string(),
        String::new(),
    ];
    for (code, said) in verdicts(&damaged) {
        assert_eq!(code, 2, "{said}");
        shown.told("damaged", &said);
    }
    // Each line of the rules has to be there.
    let rules = text.lines().skip(3).take_while(|line| !line.is_empty());
    let rules: Vec<&str> = rules.collect();
    let without = |rule: &&str| text.replacen(&format!("{rule}\n"), "", 1);
    let texts: Vec<String> = rules.iter().map(without).collect();
    for (rule, (code, said)) in rules.iter().zip(verdicts(&texts)) {
        assert_eq!(code, 2, "without {rule}: {said}");
    }
    // A name stands for rules, with its options.
    let named = |name: &str| text.replace("variant classic-3x3", &format!("variant {name}"));
    let names = [
        "classic-3x3:supply=pool6",
        "classic-3x3:supply=cap5",
        "classic-3x3:play=misere",
        "classic-3x3:stalemate=loss",
        "classic-3x4",
        "signal-3x3",
        "points-3x3:score=win",
        "slider",
        "classic-3x3:repeat=ban",
        "classic-3x3:supply=none",
    ];
    for (name, (code, said)) in names.iter().zip(verdicts(&names.map(named))) {
        assert_eq!(code, 2, "{name}: {said}");
        shown.told(&format!("named {name}"), &said);
    }
    let others = [
        text.replace(".../.Y./... b2G", ".../.Y./... a1R"),
        text.replace("winner first", "winner second"),
        named("mine.toml"),
    ];
    assert_eq!(
        verdicts(&others)
            .iter()
            .map(|(code, _)| *code)
            .collect::<Vec<_>>(),
        [1, 1, 0]
    );
    let (code, said) = checked(&["--help"]).unwrap();
    assert_eq!(code, 0, "{said}");
    assert!(
        said.contains("Usage: check_certificate.py FILE..."),
        "{said}"
    );
    let (code, said) = checked(&["there-is-no-such-file"]).unwrap();
    assert_eq!(code, 2, "{said}");
    shown.told("no file", &said);
    shown.settle();
    let program = std::fs::read_to_string(root().join("solutions/check_certificate.py")).unwrap();
    assert!(program.lines().count() < 190);
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
fn a_drawn_game_has_a_certificate_of_each_player() {
    let dir = tempdir().unwrap();
    let answer = greenwave(dir.path(), &["certify", "noughts-3x3", "--json", "-q"]).json();
    assert_eq!(
        (&answer["winner"], &answer["file"]),
        (&Value::Null, &Value::Null)
    );
    let files: Vec<&str> = answer["files"]
        .as_array()
        .unwrap()
        .iter()
        .map(|file| file.as_str().unwrap())
        .collect();
    for (file, player) in files.iter().zip(["first", "second"]) {
        let text = std::fs::read_to_string(file).unwrap();
        let head =
            format!("greenwave certificate 1\nvariant noughts-3x3\nplayer {player}\nresult draw\n");
        assert!(text.starts_with(&head), "{text}");
        if let Some((code, said)) = checked(&[file]) {
            assert_eq!(code, 0, "{said}");
            assert!(
                said.contains(&format!("the {player} player never loses noughts-3x3")),
                "{said}"
            );
        }
        // The other player's replies, or a claim to win, are refused, and so is a lost reply.
        let entry = text.lines().last().unwrap();
        let count = text
            .lines()
            .find(|line| line.starts_with("positions "))
            .unwrap();
        let number: usize = count["positions ".len()..].parse().unwrap();
        let shorter = text
            .replace(&format!("{entry}\n"), "")
            .replace(count, &format!("positions {}", number - 1));
        let other = if player == "first" { "second" } else { "first" };
        let wrong = [
            shorter,
            text.replace(&format!("player {player}\n"), &format!("player {other}\n")),
            text.replace(
                &format!("player {player}\nresult draw\n"),
                &format!("winner {player}\n"),
            ),
        ];
        for (code, said) in verdicts(&wrong) {
            assert_eq!(code, 1, "{said}");
        }
    }
    assert_eq!(files.len(), 2);
}

#[test]
fn the_checker_refuses_boards_of_impossible_size() {
    let text =
        std::fs::read_to_string(root().join("solutions/classic-3x3/certificate.txt")).unwrap();
    let sizes = [
        "classic-10000x10000",
        "classic-1x100000000",
        "noughts-99999999999x99999999999",
        "classic-0x3",
    ];
    let texts = sizes.map(|name| text.replace("variant classic-3x3", &format!("variant {name}")));
    for (code, said) in verdicts(&texts) {
        assert_eq!(code, 2, "{said}");
        assert!(
            said.contains("1 to 64 squares") && !said.contains("Traceback"),
            "{said}"
        );
    }
    // The rules of a rule file may stand for any board, but not for one of that size.
    let rows = vec!["#".repeat(1000); 1000].join("/");
    let wide = text
        .replace("###/###/###", &rows)
        .replace("classic-3x3", "mine.toml");
    let (code, said) = verdicts(&[wide]).remove(0);
    assert_eq!(code, 2, "{said}");
    assert!(said.contains("1 to 64 squares"), "{said}");
}

#[test]
#[cfg_attr(
    not(feature = "slow-tests"),
    ignore = "some minutes, five gigabytes of memory"
)]
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
    let published = [
        "classic-3x3/certificate",
        "classic-3x4/certificate",
        "signal-3x3/certificate",
        "green-3x3/certificate",
        "noughts-3x4/certificate",
        "noughts-3x3/certificate-first",
        "noughts-3x3/certificate-second",
    ]
    .map(|file| root().join("solutions").join(format!("{file}.txt")));
    let paths: Vec<&str> = published
        .iter()
        .map(|path| path.to_str().unwrap())
        .collect();
    if let Some((code, said)) = checked(&paths) {
        assert_eq!((code, said.lines().count()), (0, 7), "{said}");
    }
}

// Once a solve listens to signals, whatever comes after it has to ask for them.
#[test]
#[cfg(unix)]
fn the_choice_of_replies_is_told_and_stops_at_ctrl_c() {
    let dir = tempdir().unwrap();
    // The jobs of a script ignore Ctrl-C, and what these start does so, too.
    let mut child = Command::new("env")
        .args(["--default-signal=INT", env!("CARGO_BIN_EXE_greenwave")])
        .args(["certify", "classic-3x4", "--threads", "1"])
        .args(["--progress", "json", "--dir"])
        .arg(dir.path())
        .env_remove("GREENWAVE_MEMORY")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let stderr = BufReader::new(child.stderr.take().unwrap());
    let mut told = stderr.lines().map(Result::unwrap);
    let begun = told.any(|line| line.contains("choosing replies for classic-3x4"));
    let sent = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status();
    let rest: Vec<String> = told.collect();
    let status = child.wait().unwrap();
    assert!(begun && sent.unwrap().success(), "{status}");
    assert_eq!(status.code(), Some(130), "{rest:?}");
    for said in ["\"stopped\"", "nothing was written"] {
        assert!(rest.iter().any(|line| line.contains(said)), "{rest:?}");
    }
    assert!(!dir.path().join("classic-3x4/certificate.txt").exists());
}

#[test]
fn certificates_without_positions_are_certificates() {
    let (dir, file) = with_file(
        "two.toml",
        "patterns = ['11']\n[board]\nsize = '1x2'\nline-length = 2\nlevels = 1\n",
    );
    greenwave(dir.path(), &["certify", &file, "-q"]).ok();
    let certificate = dir.path().join("two/certificate.txt");
    let verdict = |path: &std::path::Path| checked(&[path.to_str().unwrap()]).unwrap();
    let (code, said) = verdict(&certificate);
    assert_eq!(code, 0, "{said}");
    let text = std::fs::read_to_string(&certificate).unwrap();
    assert!(text.ends_with("positions 0\n"), "{text}");
    // One that lacks its replies is still refused.
    let cut = dir.path().join("cut.txt");
    std::fs::write(&cut, text.replace("positions 0", "positions 1")).unwrap();
    assert_eq!(verdict(&cut).0, 2);
    std::fs::write(&cut, text.replace("winner second", "winner first")).unwrap();
    assert_eq!(verdict(&cut).0, 1);
}

#[test]
fn a_certificate_goes_where_it_is_wanted() {
    let dir = tempfile::tempdir().unwrap();
    let path = |name: &str| dir.path().join(name).display().to_string();
    let usual = run(&["certify", "classic-2x3", "-o", "-", "-q"])
        .ok()
        .stdout;
    assert!(
        usual.starts_with("greenwave certificate 1\nvariant classic-2x3\n"),
        "{usual}"
    );
    let file = path("win.txt");
    let told = greenwave(
        dir.path(),
        &["certify", "classic-2x3", "-o", &file, "--json"],
    )
    .json();
    assert_eq!(told["file"], file);
    assert_eq!(std::fs::read_to_string(&file).unwrap(), usual);
    // Of a drawn game each player has a file.
    let told = greenwave(
        dir.path(),
        &["certify", "noughts-2x3", "-o", &path("draw.txt"), "--json"],
    );
    let both = [path("draw-first.txt"), path("draw-second.txt")];
    assert_eq!(told.json()["files"], serde_json::json!(both));
    for file in &both {
        assert!(Path::new(file).is_file());
    }
    // On standard output they follow one another, and the checker reads both.
    let printed = run(&["certify", "noughts-2x3", "-o", "-", "-q"])
        .ok()
        .stdout;
    let written = both
        .each_ref()
        .map(|file| std::fs::read_to_string(file).unwrap());
    assert_eq!(printed, written.concat());
    let together = path("together.txt");
    std::fs::write(&together, &printed).unwrap();
    if let Some((code, said)) = checked(&[&together]) {
        assert_eq!((code, said.lines().count()), (0, 2), "{said}");
    }
    // A name that nobody typed takes no other file's place, even where the other player's is free.
    let own = "patterns = ['111']\nplay = 'misere'\n[board]\nsize = '2x2'\nlevels = 1\n";
    let rules = path("own-second.toml");
    std::fs::write(&rules, own).unwrap();
    refused(
        &["certify", &rules, "-o", &path("own.toml")],
        &["own-second.toml", "something else", "another file"],
    );
    assert_eq!(std::fs::read_to_string(&rules).unwrap(), own);
    assert!(!Path::new(&path("own-first.toml")).exists());
    refused(
        &["certify", "classic-2x3", "-o", "-", "--json"],
        &["standard output"],
    );
    // Where no checker is at hand, none is named by a path that leads nowhere; beside the tables it is.
    let told = greenwave(dir.path(), &["certify", "classic-2x3"])
        .ok()
        .stdout;
    assert!(!told.contains("python3"), "{told}");
    std::fs::write(dir.path().join("check_certificate.py"), "").unwrap();
    let told = greenwave(dir.path(), &["certify", "classic-2x3"])
        .ok()
        .stdout;
    let checker = path("check_certificate.py");
    assert!(told.contains(&format!("python3 {checker} ")), "{told}");
}

/// Two files of one name are told apart by their paths, in which there may be blanks.
#[test]
fn the_certificate_of_a_rule_file_names_its_path() {
    let dir = tempdir().unwrap();
    let folder = dir.path().join("my games");
    std::fs::create_dir(&folder).unwrap();
    let file = folder.join("gap.toml").display().to_string();
    std::fs::write(&file, "patterns = ['111', '222']\n[board]\nsize = '1x3'\n").unwrap();
    let answer = greenwave(dir.path(), &["certify", &file, "--json"]).json();
    let files: Vec<String> = serde_json::from_value(answer["files"].clone()).unwrap();
    for certificate in &files {
        let text = std::fs::read_to_string(certificate).unwrap();
        assert_eq!(text.lines().nth(1), Some(&*format!("variant {file}")));
    }
    let checker = root().join("solutions/check_rule_file.py");
    let output = python().arg(checker).args(&files).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{output:?}");
}
