//! Games against the program line by line, their reviews, puzzles and citations.

use serde_json::Value;

use crate::common::{Run, greenwave, json_lines, refused, run};
use crate::transcript::Transcript;

/// A game of the program against itself.
fn by_itself(variant: &str, level: &str, seed: &str) -> Vec<Value> {
    let played = run(&[
        "play", variant, "--as", "none", "--level", level, "--seed", seed, "--json",
    ]);
    json_lines(&played.ok())
}

#[test]
fn perfect_play_wins_in_as_many_plies_as_proven() {
    let lines = by_itself("classic-3x3", "perfect", "1");
    assert_eq!(lines.len(), 18, "17 plies and the result");
    let first = &lines[0];
    assert_eq!(
        (&first["ply"], &first["by"]),
        (&1.into(), &"machine".into())
    );
    assert_eq!(first["move"], "b2R");
    assert_eq!(first["position"], ".../.R./...");
    assert_eq!(
        (&first["value"], &first["distance"]),
        (&"loss".into(), &16.into())
    );
    assert_eq!(lines[17]["result"], "first");
    assert_eq!(
        lines,
        by_itself("classic-3x3", "perfect", "1"),
        "the seed decides"
    );
}

#[test]
fn every_family_can_be_played_to_the_end() {
    for variant in [
        "signal-3x3",
        "green-3x3",
        "points-3x3",
        "points-2x3:end=play-on",
        "classic-3x3:play=misere",
        "classic-3x3:supply=cap4",
        "bag-classic-2x3",
        "ampel-4-2-1",
        "noughts-3x3",
    ] {
        for level in ["perfect", "easy"] {
            let lines = by_itself(variant, level, "7");
            let (last, plies) = lines.split_last().unwrap();
            assert!(
                ["first", "second", "draw"].contains(&last["result"].as_str().unwrap()),
                "{variant}: {last}"
            );
            assert_eq!(last["plies"], plies.len());
            for (number, ply) in plies.iter().enumerate() {
                assert_eq!(ply["ply"], number + 1, "{variant}");
            }
        }
    }
    let drawn = by_itself("noughts-3x3", "perfect", "3");
    assert_eq!(drawn.last().unwrap()["result"], "draw");
}

#[test]
fn a_game_that_is_over_is_reviewed_taken_back_and_followed_by_another() {
    let dir = tempfile::tempdir().unwrap();
    let play = ["play", "classic-2x3", "--as", "both", "--seed", "1"];
    let typed = b"a1R\nb1R\nc1R\nx\nr\nu\nc1R\nn\nb2R\nquit\n";
    let played = Run::with_input(dir.path(), &play, typed).ok();
    let reviewed = run(&["review", "classic-2x3", "--moves", "a1R,b1R,c1R"]).ok();
    assert!(played.stdout.contains(&reviewed.stdout), "{played:?}");
    assert_eq!(played.stdout.matches("The game is over: ").count(), 2);
    assert!(played.stdout.contains("A new game, seed 2."), "{played:?}");
    assert_eq!(played.stderr.matches("n begins another").count(), 1);
    assert!(played.stdout.ends_with("You stopped the game.\n"));
    // A record is of one game.
    let file = dir.path().join("game.txt").display().to_string();
    let play = [&play[..], &["--record", &file]].concat();
    let refused = Run::with_input(dir.path(), &play, typed).ok();
    assert!(refused.stderr.contains("being recorded"), "{refused:?}");
    // For programs the result is the end.
    let play = [&play[..6], &["--json"]].concat();
    let lines = json_lines(&Run::with_input(dir.path(), &play, typed).ok());
    assert_eq!(lines.last().unwrap()["result"], "first");
}

#[test]
#[cfg_attr(not(feature = "slow-tests"), ignore = "some seconds")]
fn what_nobody_has_proven_is_played_as_an_opinion() {
    let played = Run::with_input(
        tempfile::tempdir().unwrap().path(),
        &[
            "play", "ampel", "--as", "second", "--seed", "1", "--json", "-j", "1",
        ],
        b"quit\n",
    );
    let lines = json_lines(&played.ok());
    assert_eq!(lines[0]["by"], "machine");
    assert_eq!(lines[0]["opinion"], true);
    assert_eq!(lines.last().unwrap()["result"], "quit");
}

#[test]
#[cfg_attr(not(feature = "slow-tests"), ignore = "some seconds")]
fn what_a_query_solves_is_known_in_play() {
    let dir = tempfile::tempdir().unwrap();
    let args = ["play", "slider", "--seed", "1", "--json", "-j", "1"];
    let played = Run::with_input(dir.path(), &args, b"values\nhint\na1\nquit\n").ok();
    let lines = json_lines(&played);
    let values = lines[0]["values"].as_array().unwrap();
    assert!(
        values.iter().all(|mv| mv["value"] != "unknown"),
        "{}",
        lines[0]
    );
    assert!(!lines[1]["hint"].as_str().unwrap().contains("not proven"));
    assert_eq!(lines[3]["by"], "machine");
    assert_eq!(lines[3]["opinion"], false, "{}", lines[3]);
}

#[test]
fn a_person_plays_line_by_line() {
    let dir = tempfile::tempdir().unwrap();
    let record = dir.path().join("game.txt");
    let record = record.to_str().unwrap();
    let args = [
        "play",
        "classic-3x3",
        "--seed",
        "5",
        "--json",
        "--record",
        record,
    ];
    let typed = b"b9\nb2R\nhint\nvalues\nmoves\nundo\na1\nresign\n";
    let mut shown = Transcript::new("play-line-by-line");
    let played = Run::with_input(dir.path(), &args, typed).ok();
    shown.hide(dir.path());
    shown.told("an illegal move", &played.stderr);
    let lines = json_lines(&played);
    assert_eq!(
        (&lines[0]["by"], &lines[0]["move"]),
        (&"human".into(), &"b2R".into())
    );
    assert_eq!(lines[1]["by"], "machine");
    assert!(
        lines[2]["hint"]
            .as_str()
            .unwrap()
            .starts_with("You are winning."),
        "{}",
        lines[2]
    );
    assert_eq!(
        lines[3]["values"].as_array().unwrap().len(),
        lines[4]["moves"].as_array().unwrap().len()
    );
    assert_eq!(lines[5]["undone"], 2);
    assert_eq!(lines[6]["move"], "a1R");
    assert_eq!(lines.last().unwrap()["result"], "resigned");

    let kept = std::fs::read_to_string(record).unwrap();
    assert!(
        kept.starts_with("# variant classic-3x3\n# lights ryg\n# start .../.../...\na1R\n"),
        "{kept}"
    );
    let review = greenwave(
        dir.path(),
        &["review", "classic-3x3", "--moves", record, "--json"],
    )
    .json();
    assert_eq!(review["plies"].as_array().unwrap().len(), 2);
    let other = ["review", "classic-3x4", "--moves", record];
    assert_eq!(shown.run(dir.path(), &other).code, 2);
    shown.settle();
    // The record can be resumed.
    let again = Run::with_input(
        dir.path(),
        &["play", "classic-3x3", "--moves", record, "--json"],
        b"quit\n",
    );
    assert_eq!(json_lines(&again.ok()).last().unwrap()["plies"], 2);
}

#[test]
fn words_for_people_say_who_plays_what() {
    let dir = tempfile::tempdir().unwrap();
    let args = ["play", "semaforo", "--as", "second", "--seed", "2"];
    let played = Run::with_input(dir.path(), &args, b"values\nhint\nhint\nhint\nquit\n").ok();
    // Green is the first light of a Portuguese board.
    let mut shown = Transcript::new("play-for-people");
    shown.add(&args.join(" "), &played);
    shown.settle();
}

/// Files of several games, or beside a list of moves, are for a review without --moves.
#[test]
fn a_review_by_moves_says_to_leave_them_out_for_files() {
    let dir = tempfile::tempdir().unwrap();
    let game = "# variant classic-2x3\nb2R\nb2Y\n";
    let written = |name: &str, text: &str| {
        let path = dir.path().join(name);
        std::fs::write(&path, text).unwrap();
        path.display().to_string()
    };
    let (one, two) = (
        written("one.txt", game),
        written("two.txt", &game.repeat(2)),
    );
    let beside = "leave out --moves to review files of records";
    for args in [
        &["review", "classic-2x3", "--moves", &one, &two][..],
        &["review", "classic-2x3", &one, "--moves", "b2R"],
        &["review", "classic-2x3", &one, &two, "--moves", "b2R"],
    ] {
        refused(args, &[beside]);
    }
    let advice = format!("review all with 'greenwave review classic-2x3 {two}', without --moves");
    for command in ["review", "play"] {
        let args = [command, "classic-2x3", "--moves", &two];
        refused(&args, &["found 2 games in", &advice]);
    }
    run(&["review", "classic-2x3", "--moves", &one]).ok();
    run(&["review", "classic-2x3", &two]).ok();
}

#[test]
fn a_game_is_reviewed_move_by_move() {
    let review = run(&["review", "classic-3x3", "--moves", "b2R b2Y,a1R", "--json"]).json();
    let plies = review["plies"].as_array().unwrap();
    let marks: Vec<&str> = plies
        .iter()
        .map(|ply| ply["mark"].as_str().unwrap())
        .collect();
    assert_eq!(marks, ["best", "best", "good"], "{review}");
    assert_eq!(plies[0]["position"], ".../.R./...");
    assert_eq!(plies[0]["best"], serde_json::json!(["b2R"]));
    assert_eq!(review["start"], ".../.../...");
    assert_eq!(
        review["mistakes"],
        serde_json::json!({"first": 0, "second": 0})
    );

    let lost = ["review", "classic-3x3", "R../.Y./..G", "--moves", "a1R,a2R"];
    let review = run(&[&lost[..], &["--json"]].concat()).json();
    let plies = review["plies"].as_array().unwrap();
    assert_eq!(
        (&plies[0]["mark"], &plies[1]["mark"]),
        (&"mistake".into(), &"only".into()),
        "{review}"
    );
    assert_eq!(
        (&plies[0]["lost"], &plies[0]["value"]),
        (&"win".into(), &"loss".into())
    );
    assert_eq!(
        review["mistakes"],
        serde_json::json!({"first": 1, "second": 0})
    );
    assert_eq!(review["result"], "second");
    let mut shown = Transcript::new("review-of-a-mistake");
    shown.run(tempfile::tempdir().unwrap().path(), &lost).ok();
    shown.settle();
}

#[test]
fn an_illegal_move_of_a_game_is_named() {
    refused(
        &["review", "classic-3x3", "--moves", "b2R,b2Y,b2R"],
        &["move 3, 'b2R'", "legal on b2: b2G"],
    );
    refused(&["play", "classic-3x3", "--moves", "b2R,b2R"], &["move 2"]);
    refused(
        &[
            "play",
            "classic-3x3",
            "--record",
            "/no/such/folder/game.txt",
        ],
        &["cannot write the record"],
    );
    refused(&["puzzle", "classic-3x3", "--level", "6"], &["1 to 5"]);
}

#[test]
fn a_finished_position_ends_play_at_once() {
    let lines = json_lines(&run(&["play", "classic-3x3", "RRR/.../...", "--json"]).ok());
    assert_eq!(lines.len(), 1);
    assert_eq!(lines[0]["result"], "second");
}

#[test]
fn puzzles_of_boards_that_take_long_to_solve_are_found_in_a_sample() {
    let dir = tempfile::tempdir().unwrap();
    let ask = |game: &str, level: &str| {
        let args = [
            "puzzle", game, "--level", level, "--seed", "5", "--memory", "300M", "--json",
        ];
        greenwave(dir.path(), &args)
    };
    for (game, level) in [
        ("classic-4x4", "1"),
        ("classic-5x5", "2"),
        ("classic-4x4", "3"),
    ] {
        let found = ask(game, level).ok();
        assert_eq!(
            json_lines(&found),
            json_lines(&ask(game, level).ok()),
            "the seed decides"
        );
        let puzzle = &json_lines(&found)[0];
        assert_eq!(puzzle["level"].to_string(), level);
        let position = puzzle["position"].as_str().unwrap();
        let args = ["query", game, position, "--json", "--memory", "300M"];
        let answer = greenwave(dir.path(), &args).json();
        let moves = answer["moves"].as_array().unwrap();
        let wins = moves.iter().filter(|mv| mv["value"] == "win");
        let wins: Vec<&Value> = wins.map(|mv| &mv["move"]).collect();
        assert_eq!(wins, [&puzzle["solution"][0]], "{puzzle}");
    }
    // A board on which lines are as good as impossible.
    let none = greenwave(dir.path(), &["puzzle", "classic-2x2"]);
    assert!(
        none.stderr.contains("classic-2x2 has no position"),
        "{none:?}"
    );
}

#[test]
fn boards_that_nobody_can_solve_are_played_by_their_theorem() {
    for (name, winner) in [
        ("classic-1x31", "first"),
        // All first moves of the one are known to win, and five of the other: copying needs the centre.
        ("classic-3x9", "first"),
        ("signal-3x9", "first"),
        ("classic-2x16", "second"),
        ("signal-2x16:play=misere", "second"),
    ] {
        let lines = by_itself(name, "perfect", "3");
        let (result, plies) = lines.split_last().unwrap();
        assert_eq!(result["result"], winner, "{name}");
        assert!(plies.len() > 5, "{name}");
    }
}

#[test]
fn sheets_of_puzzles_are_whole_files() {
    let dir = tempfile::tempdir().unwrap();
    let (html, svg) = (dir.path().join("a.html"), dir.path().join("a.svg"));
    let args = [
        "puzzle",
        "classic-3x3",
        "--count",
        "5",
        "--html",
        html.to_str().unwrap(),
        "--svg",
        svg.to_str().unwrap(),
    ];
    run(&args).ok();
    let html = std::fs::read_to_string(html).unwrap();
    assert_eq!(html.matches(">Answer:<").count(), 5);
    assert!(html.ends_with("</html>\n") && html.contains(">Solutions<"));
    let svg = std::fs::read_to_string(svg).unwrap();
    assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
    // A page of puzzles, one of solutions, and what holds them.
    assert_eq!(svg.matches("<svg ").count(), 5 + 2 + 1);
    refused(
        &["puzzle", "classic-3x3", "--svg", "/no/such/folder/a.svg"],
        &["cannot write"],
    );
}

#[test]
fn citations_name_rules_and_signatures_and_invent_nothing() {
    let cited = run(&["cite", "classic-3x4", "--json"]).json();
    assert!(cited["address"].is_null() && cited["doi"].is_null());
    let rules = run(&["rules", "classic-3x4", "--json"]).json();
    assert_eq!(cited["rules_hash"], rules["rules_hash"]);
    let tables = cited["tables"].as_array().unwrap();
    assert!(
        tables
            .iter()
            .any(|table| table["metric"] == "distance" && table["file"].is_null())
    );
    assert!(
        run(&["cite", "--bibtex"])
            .ok()
            .stdout
            .starts_with("@misc{greenwave,")
    );
    let program = run(&["cite"]).ok().stdout;
    assert!(!program.contains("http"), "{program}");
    let source = std::fs::read_to_string(crate::common::root().join("CITATION.cff")).unwrap();
    let released = source
        .lines()
        .find_map(|line| line.strip_prefix("date-released: "));
    let year = released.unwrap().split('-').next().unwrap();
    let version = format!("({year}): Greenwave, version {}", env!("CARGO_PKG_VERSION"));
    assert!(program.contains(&version), "{program}");
    // Games of the bag have odds that were published; of others there are only the rules.
    let cite = |variant| {
        let text = run(&["cite", variant]).ok().stdout;
        assert!(text.lines().all(|line| line.len() <= 80), "{text}");
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let bag = cite("bag-classic-3x3");
    assert!(
        bag.contains("Solution of bag-classic-3x3, rules ") && bag.contains("; odds "),
        "{bag}"
    );
    let unsolved = cite("bag-slider");
    assert!(
        unsolved.contains("Game bag-slider, rules ") && !unsolved.contains("odds"),
        "{unsolved}"
    );
}

#[cfg(unix)]
#[test]
fn a_pipe_without_a_reader_is_not_waited_for_endlessly() {
    let dir = tempfile::tempdir().unwrap();
    let pipe = dir.path().join("page");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    assert!(made.unwrap().success());
    let name = pipe.to_str().unwrap();
    for args in [
        &["draw", "classic-2x2", "--svg", "-o", name][..],
        &["book", "classic-2x2", "--depth", "1", "--html", name],
    ] {
        let run = greenwave(dir.path(), args);
        assert_eq!(run.code, 2, "{run:?}");
        let waiting = format!("waiting for the pipe '{name}'");
        assert!(run.stderr.contains(&waiting), "{run:?}");
        assert!(
            run.stderr
                .contains("nobody reads from this pipe, waited 5s"),
            "{run:?}"
        );
    }
    let from = pipe.clone();
    let reader = std::thread::spawn(move || std::fs::read_to_string(from).unwrap());
    let draw = ["draw", "classic-2x2", "--svg", "-o", name];
    greenwave(dir.path(), &draw).ok();
    assert!(reader.join().unwrap().starts_with("<svg "));
}

#[cfg(unix)]
#[test]
fn moves_are_read_from_a_pipe() {
    let dir = tempfile::tempdir().unwrap();
    let pipe = dir.path().join("game");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    assert!(made.unwrap().success());
    let other = pipe.clone();
    let writer = std::thread::spawn(move || std::fs::write(other, "b2R b2Y").unwrap());
    let pipe = pipe.to_str().unwrap();
    let run = greenwave(dir.path(), &["review", "3x3", "--moves", pipe, "--json"]).ok();
    writer.join().unwrap();
    assert!(run.stdout.contains("\"b2Y\""), "{}", run.stdout);
}

/// The command that a game ends with can be run as it stands.
#[test]
fn the_command_about_the_record_carries_folder_and_lights() {
    let dir = tempfile::tempdir().unwrap();
    let record = dir.path().join("game.txt");
    let record = record.to_str().unwrap();
    let folder = dir.path().join("my tables");
    let folder = folder.to_str().unwrap();
    let play = [
        "--dir",
        folder,
        "--lights=gyr",
        "play",
        "classic-1x3",
        "--record",
        record,
    ];
    let played = Run::with_input(dir.path(), &play, b"a1\nquit\n").ok();
    let command =
        format!("`greenwave --dir '{folder}' --lights gyr review classic-1x3 --moves {record}`");
    assert!(played.stdout.contains(&command), "{}", played.stdout);
}
