//! Every command on games that remember more than the board.

use crate::common::{Run, greenwave, python, refused, root, with_file};
use serde_json::Value;
use tempfile::tempdir;

/// The examples that remember something, and a position of each.
const EXAMPLES: [(&str, &str); 7] = [
    ("pie", ".../.R./...,swap"),
    ("not-again", "..../.R..,last=b1"),
    ("pass", "..../....,passes=1:0"),
    ("two-a-turn", ".../.R./..."),
    ("own-lights", ".../.R./..."),
    ("own-goals", ".../.RG/RR."),
    ("two-lines", "..../RRR.,lines=0:1"),
];

fn example(name: &str) -> String {
    let path = root().join("docs/examples").join(format!("{name}.toml"));
    path.to_str().unwrap().into()
}

#[test]
fn every_command_knows_what_a_game_remembers() {
    for (name, position) in EXAMPLES {
        let dir = tempdir().unwrap();
        let file = example(name);
        let said = |args: &[&str]| greenwave(dir.path(), args).ok().stdout;
        for language in ["en", "pt", "es", "de"] {
            let rules = said(&["rules", &file, "--lang", language]);
            assert!(!rules.contains("memory") && !rules.contains('{'), "{rules}");
        }
        said(&["solve", &file, "-q"]);
        let answer = greenwave(dir.path(), &["query", &file, position, "--json", "-q"]).json();
        assert_eq!(answer["source"]["kind"], "table", "{name}");
        assert_eq!(answer["position"], position, "{name}");
        assert_eq!(answer["variant"], *file, "it is called by the path");
        // A search knows nothing of tables and agrees.
        let other = tempdir().unwrap();
        let fresh = greenwave(other.path(), &["query", &file, position, "--json", "-q"]).json();
        for key in ["value", "distance", "moves", "best"] {
            assert_eq!(answer[key], fresh[key], "{name}: {key}");
        }
        said(&["query", &file, position, "--why", "-q"]);
        let line = greenwave(dir.path(), &["line", &file, position, "--json", "-q"]).json();
        assert!(
            line["plies"]
                .as_array()
                .is_some_and(|moves| !moves.is_empty()),
            "{line}"
        );
        said(&["stats", &file, "-q"]);
        said(&["find", &file, "value = loss", "--count", "-q"]);
        said(&["perft", &file, "--depth", "3"]);
        said(&["draw", &file, position]);
        said(&["compare", &file, "classic-3x3", "-q"]);
        said(&["puzzle", &file, "-q"]);
        let claim = format!("{file} some: value = win");
        said(&["check", &claim, "-q"]);
        said(&["verify", &file, "-q"]);
    }
}

#[test]
fn moves_other_than_raises_are_played() {
    let dir = tempdir().unwrap();
    for (name, moves, position) in [
        ("pie", "b2R,swap", ".../.R./..."),
        ("pass", "pass,pass", "..../....,passes=0:0"),
        ("pass", "pass,a1R", "..../R...,passes=0:1"),
    ] {
        let file = example(name);
        let args = ["query", &file, "--moves", moves, "--json", "-q"];
        assert_eq!(greenwave(dir.path(), &args).json()["position"], position);
    }
    refused(
        &["query", &example("pie"), "--moves", "swap"],
        &["only the second ply of the game may be a swap", "a1R"],
    );
    refused(
        &["query", &example("not-again"), "..../....,swap"],
        &["',swap'", "',last=a1'", "..../R...,last=a1"],
    );
}

/// The output of a program for certificates, and its exit code.
fn checked(program: &str, files: &[String]) -> (i32, String) {
    let output = python()
        .arg(root().join("solutions").join(program))
        .args(files)
        .output()
        .unwrap();
    let said = [output.stdout, output.stderr].concat();
    let said = String::from_utf8(said).unwrap();
    (output.status.code().unwrap(), said)
}

// Written by one program and followed by another, which shares nothing with it but the rules.
#[test]
fn certificates_of_rule_files_are_checked_by_themselves() {
    let dir = tempdir().unwrap();
    let made = [
        "patterns = ['111', '222']\nlast-square = 'neighbours'\nboard = { size = '2x4', levels = 2 }",
        "patterns = ['111', '222']\nlast-square = 'elsewhere'\nplay = 'misere'\nboard = { size = '2x3', levels = 2, wrap = 'files' }",
        "patterns = ['111', '222']\npass = 'free'\nboard = { size = '2x3', levels = 2 }",
        "patterns = ['11']\nswap = true\npass = 'once'\nboard = { size = '1x5', levels = 1, line-length = 2 }",
        "patterns = ['111', '222']\nmay = { first = [1], second = [1, 2] }\nstalemate = 'loss'\nboard = { size = '2x3', levels = 2 }",
        "goal = { first = ['111', '112'], second = ['222'] }\nswap = true\nboard = { size = '2x3', levels = 2 }",
        "goal = { first = ['111'], second = ['222', '122'] }\npass = 'free'\nplay = 'misere'\nboard = { size = '2x3', levels = 2 }",
        "patterns = ['11', '22']\nwin-lines = 3\nboard = { size = '2x3', levels = 2, line-length = 2 }",
        "patterns = ['111', '222']\nstart = 'R../...'\nnot-first = ['b1']\nboard = { size = '2x3', levels = 2, top = '222/212' }",
        "patterns = ['111', '222']\nboard = { size = '2x4', levels = 2, directions = ['rank'], shapes = ['##/#-'] }",
    ];
    let mut files: Vec<String> = Vec::new();
    let folders: Vec<_> = made
        .iter()
        .map(|text| with_file("made.toml", text))
        .collect();
    let paths = folders.iter().map(|(_, path)| path.clone());
    let examples = EXAMPLES.iter().filter(|(name, _)| *name != "two-a-turn");
    let examples = examples.map(|(name, _)| example(name));
    let boards = ["torus", "corners", "not-the-centre", "ring"].map(example);
    for (number, path) in paths.chain(examples).chain(boards).enumerate() {
        let folder = dir.path().join(number.to_string());
        let answer = greenwave(&folder, &["certify", &path, "--json", "-q"]).json();
        let written = answer["files"].as_array().unwrap();
        files.extend(
            written
                .iter()
                .map(|file| file.as_str().unwrap().to_string()),
        );
    }
    let (code, said) = checked("check_rule_file.py", &["--help".into()]);
    assert_eq!(code, 0, "{said}");
    assert!(said.contains("Usage: check_rule_file.py FILE..."), "{said}");
    let (code, said) = checked("check_rule_file.py", &files);
    assert_eq!(code, 0, "{said}");
    assert_eq!(said.lines().count(), files.len(), "{said}");
    // Another reply, or a rule that is not known, and it says so.
    for (number, file) in files.iter().enumerate() {
        let text = std::fs::read_to_string(file).unwrap();
        let mut lines: Vec<&str> = text.lines().collect();
        if lines
            .last()
            .is_some_and(|line| line.contains(' ') && !line.starts_with("positions"))
        {
            lines.pop();
            let last = lines
                .iter()
                .position(|line| line.starts_with("positions"))
                .unwrap();
            let count = format!("positions {}", lines.len() - last - 1);
            lines[last] = &count;
            let path = dir.path().join(format!("short-{number}.txt"));
            std::fs::write(&path, lines.join("\n") + "\n").unwrap();
            let (code, said) = checked("check_rule_file.py", &[path.to_str().unwrap().into()]);
            assert_eq!(code, 1, "{said}");
        }
    }
    let text = std::fs::read_to_string(&files[0]).unwrap();
    let path = dir.path().join("odd.txt");
    std::fs::write(
        &path,
        text.replace("last square neighbours", "last square far away"),
    )
    .unwrap();
    let (code, said) = checked("check_rule_file.py", &[path.to_str().unwrap().into()]);
    assert_eq!(code, 2, "{said}");
    assert!(
        said.contains("rules after 'stalemate' that are not known here"),
        "{said}"
    );
    refused(
        &["certify", &example("two-a-turn")],
        &[
            "two-a-turn.toml: with 'moves-a-turn' a player makes several plies running",
            "'query' shows",
        ],
    );
}

#[test]
fn play_and_review_go_on_after_a_swap_and_a_pass() {
    let dir = tempdir().unwrap();
    let moves = ["--moves", "b2R,swap,a1R,b1R"];
    let review = greenwave(
        dir.path(),
        &[
            "review",
            &example("pie"),
            moves[0],
            moves[1],
            "--json",
            "-q",
        ],
    );
    let review: Value = review.json();
    assert_eq!(
        review["plies"].as_array().map(Vec::len),
        Some(4),
        "{review}"
    );
}

// "First" is the player who made the first move, and the note about the board says whose part is to move.
#[test]
fn play_and_review_say_who_is_first_after_a_swap() {
    let text = "patterns = ['111', '222']\nswap = true\nmay = { first = [1, 2], second = [1] }\n\
                board = { size = '2x3', levels = 2 }";
    let (dir, path) = with_file("parts.toml", text);
    let who =
        "The players have swapped. The first player is still the one who made the first move.";
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let said = |moves: &str| {
        let review = greenwave(dir.path(), &["review", &path, "--moves", moves, "-q"]);
        words(&review.ok().stdout)
    };
    let swapped = said("b2R,swap,a1R");
    assert!(swapped.contains(who), "{swapped}");
    assert!(swapped.contains("3. first a1R"), "{swapped}");
    let part = "The player with the first player's part is to move.";
    assert!(swapped.contains(part), "{swapped}");
    assert!(!said("b2R,a1R").contains("swapped"));
    let args = ["play", &path, "--as", "both", "--seed", "1", "-q"];
    let played = Run::with_input(dir.path(), &args, b"b2R\nswap\nquit\n").ok();
    let played = words(&played.stdout);
    assert_eq!(played.matches(who).count(), 1, "{played}");
    let file = dir.path().join("games.txt");
    std::fs::write(&file, "b2R\nswap\na1R\n").unwrap();
    let games = ["review", &path, file.to_str().unwrap(), "-q"];
    let games = words(&greenwave(dir.path(), &games).ok().stdout);
    assert!(games.contains(who), "{games}");
}

// In a turn of two raises, whoever made the first of them is worth what the position says.
#[test]
fn second_raises_of_a_turn_are_told_as_ones_own() {
    let dir = tempdir().unwrap();
    let said = |args: &[&str]| greenwave(dir.path(), args).ok().stdout;
    let file = example("two-a-turn");
    let book = said(&["book", &file, "--depth", "2", "-q"]);
    assert!(book.contains("  b2R  loss in 3 plies"), "{book}");
    assert!(book.contains("    b2Y  win in 14 plies"), "{book}");
    let why = said(&["query", &file, ".../.R./...", "--why", "-q"]);
    assert!(
        why.contains("After a1R the same player moves again, and c3R"),
        "{why}"
    );
}

#[test]
fn a_board_too_large_says_what_it_takes() {
    let text = "patterns = ['111', '222', '333']\nlast-square = 'forbidden'\nwin-lines = 9\nboard.size = '4x5'\n";
    let (_dir, path) = with_file("large.toml", text);
    refused(&["solve", &path], &["large", "memory"]);
}
