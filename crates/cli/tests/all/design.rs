//! `design`: families of rules, as a user searches them.

use std::path::Path;

use crate::common::{Run, greenwave, json_lines, with_file};
use crate::transcript::Transcript;
use serde_json::Value;
use tempfile::tempdir;

const ROW: &str = "title = 'A row'\npatterns = ['111', '222']\nboard.size = '1x4'\n";

/// Searches a family in a folder of its own.
fn design(text: &str, args: &[&str]) -> Run {
    let (dir, file) = with_file("row.toml", text);
    greenwave(
        dir.path(),
        &[&["design", &*file, "--games", "60"], args].concat(),
    )
}

fn refused(run: &Run, words: &[&str]) {
    assert_eq!(run.code, 2, "{run:?}");
    assert!(run.stdout.is_empty(), "{run:?}");
    for word in words {
        assert!(run.stderr.contains(word), "no '{word}' in {}", run.stderr);
    }
}

#[test]
fn a_family_is_a_table_a_document_a_page_and_rows() {
    let mut shown = Transcript::new("design");
    let (dir, file) = with_file("row.toml", ROW);
    let vary = [
        "design",
        &*file,
        "--games",
        "60",
        "--vary",
        "play=normal,misere,odd",
    ];
    let vary = [&vary[..], &["--vary", "board.levels=0;2", "-q"]].concat();
    shown.hide(Path::new(&file).parent().unwrap());
    shown.run(dir.path(), &vary).ok();
    shown.settle();

    let found = greenwave(dir.path(), &[&vary[..], &["--json"]].concat()).ok();
    let documents = json_lines(&found);
    assert_eq!(documents.len(), 6);
    let (measured, refused): (Vec<&Value>, Vec<&Value>) = documents
        .iter()
        .partition(|document| document["error"].is_null());
    assert_eq!(
        (measured.len(), refused.len()),
        (2, 4),
        "a board has one level at least"
    );
    let fields = [
        "rules", "words", "value", "distance", "measures", "rank", "pareto", "variant", "lights",
        "schema", "settings", "winner", "points",
    ];
    let measures = [
        "winning_openings",
        "balance_weak",
        "balance_medium",
        "balance_strong",
        "balance_pie",
        "drama",
        "only_moves",
        "length",
        "length_spread",
        "draws",
        "puzzles",
        "strategy_words",
    ];
    for document in &measured {
        for field in fields {
            assert!(document.get(field).is_some(), "{field} in {document}");
        }
        for measure in measures {
            assert!(
                document["measures"].get(measure).is_some(),
                "{measure} in {document}"
            );
        }
        // The rule file is one, and what it says is what was measured.
        let (other, file) = with_file("again.toml", document["rules"].as_str().unwrap());
        let query = greenwave(other.path(), &["query", &file, "--json", "-q"])
            .ok()
            .json();
        assert_eq!(query["value"], document["value"]);
        assert_eq!(query["distance"], document["distance"]);
        let winning = query["moves"].as_array().unwrap();
        let wins = winning.iter().filter(|mv| mv["value"] == "win").count();
        let share = wins as f64 / winning.len() as f64;
        let told = document["measures"]["winning_openings"].as_f64().unwrap();
        assert!((share - told).abs() < 1e-4, "{document}");
    }
    assert!(refused.iter().any(|document| {
        let error = document["error"].as_str().unwrap();
        error.contains("key 'play': found 'odd'")
    }));
    assert!(refused.iter().all(|document| document["rules"].is_string()));

    let rows = greenwave(dir.path(), &[&vary[..], &["--csv"]].concat())
        .ok()
        .stdout;
    assert!(
        rows.starts_with("rank,pareto,name,play,board.levels,winner,value,distance"),
        "{rows}"
    );
    let page = dir.path().join("page.html");
    let page_name = page.to_str().unwrap();
    greenwave(dir.path(), &[&vary[..], &["--html", page_name]].concat()).ok();
    let page = std::fs::read_to_string(page).unwrap();
    assert!(
        page.contains("<h2>Not measured</h2>") && page.contains("row-3"),
        "{page}"
    );
}

#[test]
fn the_table_of_a_file_and_of_options_is_the_same_for_the_same_seed() {
    let vary = format!("{ROW}[vary]\nplay = ['normal', 'misere']\nboard.levels = [2, 3]\n");
    let of_file = design(&vary, &["--json", "-q", "--seed", "3", "-j", "1"]).ok();
    let options = ["--vary", "play=normal,misere", "--vary", "board.levels=2,3"];
    let of_options = design(
        ROW,
        &[&options[..], &["--json", "-q", "--seed", "3", "-j", "2"]].concat(),
    );
    assert_eq!(of_file.stdout, of_options.ok().stdout);
    let other = design(&vary, &["--json", "-q", "--seed", "4"]).ok();
    assert_ne!(of_file.stdout, other.stdout);
    // The order follows from what is wanted.
    let longest = design(&vary, &["--json", "-q", "--rank", "length"]).ok();
    let lengths: Vec<f64> = json_lines(&longest)
        .iter()
        .map(|document| document["measures"]["length"].as_f64().unwrap())
        .collect();
    assert!(
        lengths.windows(2).all(|pair| pair[0] >= pair[1] - 0.01),
        "{lengths:?}"
    );
}

/// The program names the file that holds the measures, and does not measure again.
#[test]
fn what_was_measured_is_kept_and_used_again() {
    let (dir, file) = with_file("row.toml", ROW);
    let args = [
        "design",
        &*file,
        "--games",
        "60",
        "--vary",
        "play=normal,misere",
        "--json",
    ];
    let first = greenwave(dir.path(), &args).ok();
    let named = first.stderr.split('\'').nth(1).unwrap().to_string();
    assert!(named.ends_with(".jsonl"), "{}", first.stderr);
    let kept = std::fs::read_to_string(&named).unwrap();
    assert_eq!(kept.lines().count(), 3, "{kept}");
    // Made-up measures show that they come from there.
    let lines: Vec<String> = kept
        .lines()
        .map(|line| line.replace("\"drama\":", "\"drama\":77.5,\"was\":"))
        .collect();
    std::fs::write(&named, format!("{}\n", lines[..2].join("\n"))).unwrap();
    let again = json_lines(&greenwave(dir.path(), &args).ok());
    let made_up = again
        .iter()
        .filter(|document| document["measures"]["drama"] == 77.5);
    assert_eq!(made_up.count(), 1, "the other is measured anew");
    // Another seed is another search.
    let other = greenwave(dir.path(), &[&args[..], &["--seed", "9", "-q"]].concat()).ok();
    assert!(!other.stdout.contains("77.5"));
    std::fs::remove_file(&named).unwrap();
    assert_eq!(greenwave(dir.path(), &args).ok().stdout, first.stdout);
}

#[test]
fn bad_input_is_one_error_with_a_way_out() {
    // The user has not seen the file in which a key is set, so the key is named without a line.
    let faults = design(ROW, &["--vary", "board.levels=9"]);
    assert!(!faults.stderr.contains("line "), "{}", faults.stderr);
    refused(&faults, &["key 'board.levels'"]);
    refused(&design(ROW, &["--vary", "play"]), &["--vary", "KEY=A,B"]);
    let unknown = design(ROW, &["--vary", "plai=normal,misere"]);
    refused(
        &unknown,
        &["2 combinations were refused", "did you mean 'play'"],
    );
    for (wrong, right) in [
        ("levels=2,3", "say --vary board.levels=2,3"),
        ("board.play=normal,misere", "say --vary play=normal,misere"),
    ] {
        refused(&design(ROW, &["--vary", wrong]), &["--vary", right]);
    }
    let wish = design(ROW, &["--vary", "players=3,4"]);
    refused(&wish, &["two players"]);
    let range = design(ROW, &["--vary", "board.levels=7,8"]);
    refused(&range, &["found 7, expected a whole number from 1 to 3"]);
    let many: Vec<String> = ('a'..='f')
        .map(|key| format!("{key}=0,1,2,3,4,5,6,7,8,9"))
        .collect();
    let many: Vec<&str> = many.iter().flat_map(|vary| ["--vary", vary]).collect();
    refused(
        &design(ROW, &many),
        &["1,000,000 combinations", "at most 100,000"],
    );
    refused(
        &design(&format!("{ROW}[vary]\nplay = []\n"), &[]),
        &["vary.play", "no value"],
    );
    let vary = ["--vary", "play=normal,misere"];
    refused(
        &design(ROW, &[&vary[..], &["--rank", "fun"]].concat()),
        &["--rank", "'fun'", "drama"],
    );
    refused(
        &design(ROW, &[&vary[..], &["--budget", "100"]].concat()),
        &["--budget", "a time"],
    );
    let (dir, file) = with_file("row.toml", ROW);
    let none = ["design", &*file, "--vary", "play=normal", "--games", "0"];
    refused(&greenwave(dir.path(), &none), &["--games", "from 1"]);
    refused(&design("a = = 1", &vary), &["line 1", "not TOML"]);
    let dir = tempdir().unwrap();
    let nowhere = greenwave(
        dir.path(),
        &["design", "nowhere.toml", "--vary", "play=normal"],
    );
    refused(&nowhere, &["nowhere.toml", "name a file that is there"]);
    let both = design(ROW, &[&vary[..], &["--html", "-", "--csv"]].concat());
    refused(&both, &["--html", "standard output"]);
    let error = design(ROW, &[&vary[..], &["--rank", "fun", "--json"]].concat());
    let document: Value = serde_json::from_str(error.stderr.trim()).unwrap();
    assert_eq!(document["kind"], "usage");
}

/// A search that is stopped says where it resumes, and then gives the table of one that was not.
#[cfg(unix)]
#[test]
fn a_search_that_is_stopped_resumes() {
    use std::process::{Command, Stdio};

    let (dir, file) = with_file("row.toml", ROW);
    let args = [
        "design",
        &*file,
        "--games",
        "5000",
        "-j",
        "1",
        "--json",
        "--vary",
        "play=normal,misere",
        "--vary",
        "board.levels=2,3",
        "--vary",
        "board.size=1x5,1x6",
        "--vary",
        "stalemate=draw,loss",
    ];
    let mut child = Command::new("env")
        .args(["--default-signal=INT", env!("CARGO_BIN_EXE_greenwave")])
        .args(args)
        .env("GREENWAVE_DIR", dir.path())
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // Until the first set of rules is kept.
    let kept = || {
        let files = std::fs::read_dir(dir.path()).unwrap().flatten();
        let mut files = files.map(|entry| entry.path());
        let file = files.find(|path| path.extension().is_some_and(|end| end == "jsonl"))?;
        Some(std::fs::read_to_string(file).unwrap().lines().count())
    };
    while kept().is_none_or(|lines| lines < 2) {
        assert!(
            child.try_wait().unwrap().is_none(),
            "ended before anything was kept"
        );
        std::thread::yield_now();
    }
    let pid = child.id().to_string();
    assert!(
        Command::new("kill")
            .args(["-INT", &pid])
            .status()
            .unwrap()
            .success()
    );
    let ended = child.wait_with_output().unwrap();
    let told = String::from_utf8(ended.stderr).unwrap();
    assert_eq!(ended.status.code(), Some(130), "{told}");
    assert!(
        told.contains(".jsonl") && told.contains("interrupted"),
        "{told}"
    );
    let resumed = greenwave(dir.path(), &args).ok();
    let elsewhere = tempdir().unwrap();
    let whole = greenwave(elsewhere.path(), &args).ok();
    assert_eq!(resumed.stdout, whole.stdout);
}

#[test]
fn one_game_is_measured_alone() {
    let found = design(ROW, &["--json", "-q"]).ok().json();
    assert_eq!(found["variant"], "row");
    assert_eq!(found["settings"], serde_json::json!({}));
    let text = design(ROW, &["-q"]).ok().stdout;
    assert!(text.contains(" row\n"), "{text}");
}

#[test]
fn the_order_of_the_lights_is_that_of_all_rules() {
    let text = format!("{ROW}start = 'R..Y'\n");
    let found = |args: &[&str]| {
        let args = [&["--json", "-q", "--vary", "play=normal,misere"], args].concat();
        json_lines(&design(&text, &args).ok())
    };
    for (red, green) in found(&[]).iter().zip(&found(&["--lights", "gyr"])) {
        assert_eq!(
            (&red["lights"], &green["lights"]),
            (&"ryg".into(), &"gyr".into())
        );
        assert_eq!(red["measures"], green["measures"], "the same game");
        // The rules that a row has written give that row again.
        let again = design(green["rules"].as_str().unwrap(), &["--json", "-q"]);
        let again = again.ok().json();
        for key in ["lights", "words", "measures", "rules"] {
            assert_eq!(again[key], green[key], "{key}");
        }
    }
    let both = ["--vary", "lights=ryg,gyr", "--lights", "gyr"];
    refused(&design(&text, &both), &["leave one of them out"]);
}
