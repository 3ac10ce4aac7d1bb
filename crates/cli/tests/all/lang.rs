//! The languages of the terminal, class sets, drills, reviews of many games.

use std::path::Path;

use greenwave_words::Language;
use serde_json::Value;
use tempfile::tempdir;

use crate::common::{Run, greenwave, refused, run, slider_solved};

/// The arguments of each command that has languages; the game is small, so that a solve takes no
/// time.
const ASKED: [&[&str]; 16] = [
    &["rules", "noughts-3x3"],
    &["query", "classic-2x3", "--why"],
    &["query", "classic-2x3", "RRR/..."],
    &["query", "points-2x3", "RR./Y..", "--why"],
    &["query", "noughts-3x3", "X../.O./..."],
    &["query", "bag-classic-1x3", ".R.;RRY;YGG;RG"],
    &["query", "ampel-4-2-1"],
    &["book", "classic-2x3", "--depth", "2"],
    &[
        "book",
        "classic-2x3",
        "--depth",
        "2",
        "--for",
        "first",
        "--html",
        "-",
    ],
    &["draw", "slider", "--values"],
    &["puzzle", "classic-3x3", "--count", "2"],
    &["sheet", "classic-3x3", "--count", "1"],
    &["strategy", "classic-3x3"],
    &["strategy", "classic-2x2:play=misere"],
    &["review", "classic-3x3", "R../.Y./..G", "--moves", "a1R,a2R"],
    &["play", "classic-2x3", "--as", "none", "--seed", "1"],
];

/// English texts of some length without places, whose translation is another.
fn only_english(language: Language) -> Vec<&'static str> {
    Language::keys()
        .map(|key| (Language::English.text(key), language.text(key)))
        .filter(|(english, other)| {
            english.len() > 14 && !english.contains('{') && !other.contains(english)
        })
        .map(|(english, _)| english)
        .collect()
}

#[test]
fn every_command_speaks_the_language_and_no_english() {
    for language in Language::ALL {
        let english = match language {
            Language::English => Vec::new(),
            Language::German | Language::Spanish | Language::Portuguese => only_english(language),
        };
        let mut said = std::collections::HashSet::new();
        for asked in ASKED {
            let args = [asked, &["--lang", language.code()]].concat();
            let Run { code, stdout, .. } = if asked.contains(&"slider") {
                greenwave(slider_solved(), &args)
            } else {
                run(&args)
            };
            assert!(code < 2, "{asked:?} {language:?}");
            // A claim is a file, and files are in English.
            let (shown, _) = stdout.split_once("[[claim]]").unwrap_or((&stdout, ""));
            for text in &english {
                assert!(
                    !shown.contains(text),
                    "{asked:?} in {language:?} says '{text}':\n{stdout}"
                );
            }
            assert!(!stdout.contains("{}"), "{asked:?}: {stdout}");
            assert!(said.insert(stdout), "{asked:?}");
        }
    }
}

#[test]
fn numbers_have_the_decimal_sign_of_the_language() {
    let at = ["bag-classic-1x3", ".R.;RRY;YGG;RG"];
    let asked = |command: &[&str], options: &[&str]| {
        let args = [&command[..1], &at, &command[1..], options].concat();
        run(&args).ok().stdout
    };
    let commands: [&[&str]; 2] = [&["query"], &["draw", "--values"]];
    for command in commands {
        let english = asked(command, &[]);
        let numbers = decimals(&english, '.');
        assert!(!numbers.is_empty(), "{english}");
        for language in ["de", "es", "pt"] {
            let said = asked(command, &["--lang", language]);
            assert_eq!(decimals(&said, ','), numbers, "{command:?} {language}");
        }
    }
    // Documents keep the point.
    let german = asked(&["query"], &["--json", "--lang", "de"]);
    assert_eq!(german, asked(&["query"], &["--json"]));
}

/// The numbers outside of tags with a sign before them and a decimal sign within, that sign left out.
fn decimals(text: &str, sign: char) -> Vec<String> {
    let text = text.split('<').map(|part| part.rsplit('>').next().unwrap());
    let text = text.collect::<Vec<&str>>().join(" ");
    let numbers = text.split(|letter: char| !letter.is_ascii_digit() && !"+-.,".contains(letter));
    numbers
        .filter(|number| number.starts_with(['+', '-']) && number.contains(sign))
        .map(|number| number.trim_end_matches(['.', ',']).replace(sign, ""))
        .collect()
}

#[test]
fn the_environment_chooses_the_language_and_the_option_beats_it() {
    let dir = tempdir().unwrap();
    let asked = |variables: &[(&str, &str)], args: &[&str]| {
        let mut command = assert_cmd::Command::new(env!("CARGO_BIN_EXE_greenwave"));
        command.env("GREENWAVE_DIR", dir.path());
        for name in ["LC_ALL", "LC_MESSAGES", "LANG"] {
            command.env_remove(name);
        }
        command.envs(variables.iter().copied());
        let output = command.args(args).output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    let query = ["query", "classic-1x3", "RY."];
    for (variables, said) in [
        (
            &[("LANG", "de_AT.UTF-8")][..],
            "wer am Zug ist, verliert in 6 Halbzügen",
        ),
        (
            &[("LANG", "de_DE"), ("LC_MESSAGES", "es_ES.UTF-8")],
            "quien juega pierde en 6 medias jugadas",
        ),
        (
            &[("LANG", "de_DE"), ("LC_ALL", "pt_BR")],
            "quem joga perde em 6 meias-jogadas",
        ),
        (
            &[("LANG", "fr_FR.UTF-8")],
            "the player to move loses in 6 plies",
        ),
        (&[], "the player to move loses in 6 plies"),
    ] {
        let answer = asked(variables, &query);
        assert!(answer.contains(said), "{variables:?}: {answer}");
    }
    let beaten = asked(
        &[("LANG", "de_DE")],
        &[&query[..], &["--lang", "es"]].concat(),
    );
    assert!(beaten.contains("quien juega pierde"), "{beaten}");
    // Documents keep their fields.
    let document = asked(
        &[("LANG", "de_DE")],
        &[&query[..], &["--why", "--json"]].concat(),
    );
    let document: Value = serde_json::from_str(&document).unwrap();
    assert_eq!(document["value"], "loss");
    let sentence = document["moves"][0]["sentences"][0].as_str().unwrap();
    assert!(
        sentence.contains("Antwort") || sentence.contains("Nach"),
        "{sentence}"
    );
    refused(
        &["query", "classic-1x3", "--lang", "fr"],
        &["found 'fr', expected one of en, pt, es, de"],
    );
}

#[test]
fn where_no_move_has_a_reason_none_is_announced() {
    for (args, has_reasons) in [
        (&["query", "classic-2x3", "RRR/..."][..], false),
        (&["query", "bag-classic-1x3"], false),
        (&["query", "classic-2x3", "RR./..."], true),
    ] {
        let said = run(&[args, &["--why", "-q"]].concat()).ok().stdout;
        assert_eq!(said.contains("Why:"), has_reasons, "{said}");
        let end = said.trim_end().lines().last().unwrap();
        assert!(!end.ends_with(':'), "{said}");
    }
}

#[test]
fn reviews_are_read_again_in_every_language() {
    let dir = tempdir().unwrap();
    let moves = "b2G,b2Y,a1G";
    let args = ["review", "semaforo", "--moves", moves];
    let plies = |args: &[&str]| {
        let review = run(&[args, &["--json"]].concat()).json();
        review["plies"].as_array().unwrap().clone()
    };
    let expected = plies(&args);
    for language in Language::ALL {
        let printed = run(&[&args[..], &["--lang", language.code()]].concat()).ok();
        let file = dir.path().join(language.code());
        std::fs::write(&file, printed.stdout).unwrap();
        let again = plies(&["review", "semaforo", "--moves", file.to_str().unwrap()]);
        assert_eq!(again, expected, "{language:?}");
    }
}

/// How often a text stands in another.
fn count(text: &str, part: &str) -> usize {
    text.matches(part).count()
}

#[test]
fn class_sets_have_all_their_pages() {
    let dir = tempdir().unwrap();
    let (html, svg) = (dir.path().join("a.html"), dir.path().join("a.svg"));
    let files = [html.to_str().unwrap(), svg.to_str().unwrap()];
    let set = ["sheet", "classic-3x3", "--count", "2", "--paper", "letter"];
    let set = [&set[..], &["--html", files[0], "--svg", files[1]]].concat();
    run(&set).ok();
    let page = std::fs::read_to_string(&html).unwrap();
    assert!(page.starts_with("<!DOCTYPE html>") && page.ends_with("</html>\n"));
    assert!(
        page.contains("@page { size: letter; margin: 0; }"),
        "{page:.900}"
    );
    for heading in [
        ">classic-3x3: Rules<",
        ">Level 1: win in 1 to 3 plies<",
        ">Level 2: win in 5 to 7 plies<",
        ">Name:<",
        ">Date:<",
        ">Boards<",
        ">Counters to cut out<",
        ">Solutions<",
    ] {
        assert!(page.contains(heading), "no {heading}");
    }
    // Two puzzles of each level, numbered through, and the same number of solutions.
    let levels = (1..=5)
        .filter(|level| page.contains(&format!(">Level {level}: ")))
        .count();
    assert!(levels >= 3, "{levels}");
    assert_eq!(count(&page, ">Answer:<"), 2 * levels);
    let last = format!(">{}. ", 2 * levels);
    let (puzzles, solutions) = page.split_once(">Solutions<").unwrap();
    assert!(
        puzzles.contains(&last) && solutions.contains(&last),
        "no {last}"
    );
    // Eight counters of each light.
    assert_eq!(count(&page, "stroke-dasharray=\"1.2 0.8\""), 24);
    let picture = std::fs::read_to_string(&svg).unwrap();
    assert!(picture.starts_with("<svg ") && picture.ends_with("</svg>\n"));
    assert_eq!(
        count(&picture, "role=\"group\""),
        count(&page, "role=\"group\"")
    );
    // The same seed gives the same sheet; without solutions a page is missing.
    let again = run(&["sheet", "classic-3x3", "--count", "2", "--paper", "letter"])
        .ok()
        .stdout;
    assert_eq!(again, page);
    let bare = [
        "sheet",
        "classic-3x3",
        "--level",
        "1",
        "--solutions",
        "none",
        "--svg",
        "-",
    ];
    let bare = run(&bare).ok().stdout;
    assert!(!bare.contains(">Solutions<") && !bare.contains(">Level 2"));
    let puzzles = run(&[
        "sheet",
        "classic-3x3",
        "--level",
        "2",
        "--count",
        "3",
        "--json",
    ])
    .ok();
    let same = [
        "puzzle",
        "classic-3x3",
        "--level",
        "2",
        "--count",
        "3",
        "--json",
    ];
    assert_eq!(puzzles.stdout, run(&same).ok().stdout);
    refused(
        &["sheet", "classic-3x3", "--paper", "a5"],
        &["a5", "letter"],
    );
    refused(
        &["sheet", "classic-3x3", "--html", "-", "--json"],
        &["cannot share standard output"],
    );
}

#[test]
fn class_sets_of_games_without_puzzles_have_the_rest() {
    let made = run(&["sheet", "bag-classic-2x3:counters=infinite", "--lang", "es"]).ok();
    assert!(
        made.stderr.contains("rules, boards and counters alone"),
        "{}",
        made.stderr
    );
    assert!(made.stdout.contains(">Fichas para recortar<"));
    assert!(!made.stdout.contains(">Soluciones<"));
}

/// The answers and the score of a drill.
fn drill(args: &[&str], input: &str) -> (Vec<Value>, Value) {
    let dir = tempdir().unwrap();
    let args = [&["puzzle", "classic-3x3", "--play", "--json"], args].concat();
    let Run {
        code,
        stdout,
        stderr,
    } = Run::with_input(dir.path(), &args, input.as_bytes());
    assert_eq!(code, 0, "{stderr}");
    let mut lines: Vec<Value> = stdout
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let score = lines.pop().unwrap();
    (lines, score)
}

/// Documents of puzzles.
fn puzzles(args: &[&str]) -> Vec<Value> {
    let printed = run(&[&["puzzle", "classic-3x3", "--json"], args].concat())
        .ok()
        .stdout;
    printed
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

#[test]
fn drills_bring_wrong_answers_back_and_end_with_a_score() {
    let asked = puzzles(&["--level", "1", "--count", "3"]);
    let right: Vec<&str> = asked
        .iter()
        .map(|one| one["solution"][0].as_str().unwrap())
        .collect();
    // A square that is no solution of the first.
    let moves = run(&[
        "query",
        "classic-3x3",
        asked[0]["position"].as_str().unwrap(),
        "--json",
    ]);
    let moves = moves.json();
    let wrong = moves["moves"].as_array().unwrap().last().unwrap()["move"]
        .as_str()
        .unwrap();
    let wrong = wrong.to_string();
    let input = format!("{wrong}\n\nz9\n{}\n{}\n{}\n", right[1], right[2], right[0]);
    let (answers, score) = drill(&["--level", "1", "--count", "3"], &input);
    let given: Vec<(bool, u64, &Value)> = answers
        .iter()
        .map(|one| {
            (
                one["right"] == true,
                one["tries"].as_u64().unwrap(),
                &one["position"],
            )
        })
        .collect();
    let at = |number: usize| &asked[number]["position"];
    assert_eq!(
        given,
        [
            (false, 1, at(0)),
            (true, 1, at(1)),
            (true, 1, at(2)),
            (true, 2, at(0))
        ]
    );
    assert_eq!(
        (score["asked"].as_u64(), score["right"].as_u64()),
        (Some(3), Some(2))
    );
    assert_eq!(score["open"], Value::Array(Vec::new()));
    // The end of the input ends it with what there is.
    let (answers, score) = drill(&["--level", "1", "--count", "3"], &format!("{wrong}\n"));
    assert_eq!(answers.len(), 1);
    assert_eq!(
        (score["asked"].as_u64(), score["right"].as_u64()),
        (Some(2), Some(0))
    );
    assert_eq!(score["open"].as_array().unwrap().len(), 2);
}

#[test]
fn levels_of_a_drill_rise_after_two_right_answers() {
    let first = puzzles(&["--level", "1", "--count", "6"]);
    let second = puzzles(&["--level", "2", "--count", "6"]);
    let solution = |one: &Value| one["solution"][0].as_str().unwrap().to_string();
    let lines = [&first[0], &first[1], &second[0], &second[1]]
        .map(solution)
        .join("\n");
    let (answers, score) = drill(&["--count", "6"], &(lines + "\nquit\n"));
    let levels: Vec<u64> = answers
        .iter()
        .map(|one| one["level"].as_u64().unwrap())
        .collect();
    assert_eq!(levels, [1, 1, 2, 2]);
    assert!(
        answers.iter().all(|one| one["right"] == true),
        "{answers:?}"
    );
    assert_eq!(score["levels"][2]["level"], 3);
    let told = Run::with_input(
        tempdir().unwrap().path(),
        &[
            "puzzle",
            "classic-3x3",
            "--play",
            "--level",
            "1",
            "--lang",
            "de",
        ],
        b"hint\nsolution\nmoves\n",
    );
    for part in [
        "1 von 10, Stufe 1: Gewinn in",
        "Tipp: Du stehst auf Gewinn.",
        "Lösung: ",
        "Noch nicht gelöst:",
    ] {
        assert!(told.stdout.contains(part), "no {part}: {}", told.stdout);
    }
    refused(
        &["puzzle", "classic-3x3", "--play", "--html", "a.html"],
        &["give one of them"],
    );
    let none = run(&["puzzle", "bag-classic-2x3", "--play"]);
    assert_eq!(none.code, 1, "{none:?}");
}

#[test]
fn solutions_stand_where_they_are_wanted() {
    let args = ["puzzle", "classic-3x3", "--count", "2"];
    let with = |more: &[&str]| run(&[&args[..], more].concat()).ok().stdout;
    assert_eq!(count(&with(&[]), "  Solution  "), 2);
    let end = with(&["--solutions", "end"]);
    let (tasks, solutions) = end.split_once("Solutions\n").unwrap();
    assert!(
        !tasks.contains("Solution") && solutions.contains("  2. "),
        "{end}"
    );
    let none = with(&["--solutions", "none"]);
    assert!(!none.contains("olution"), "{none}");
    let sheet = with(&["--solutions", "none", "--html", "-"]);
    assert!(!sheet.contains(">Solutions<") && sheet.contains(">Answer:<"));
}

/// Three games; the third one is the second one mirrored at the diagonal.
const SEASON: &str = "\u{feff}# variant classic-3x3\n# first Ana\n# second Rui\nb2 a1\n\
                      # variant classic-3x3\n# first Rui\n# second Ana\n# start R../.Y./..G\na1R\na2R\n\
                      # variant classic-3x3\n# first Rui\n# second Ana\n# start R../.Y./..G\nc3R b3R\n";

/// Runs with a file of records.
fn season(dir: &Path, text: &str, more: &[&str]) -> Run {
    let file = dir.join("season.txt");
    std::fs::write(&file, text).unwrap();
    greenwave(dir, &[&["review", file.to_str().unwrap()], more].concat())
}

#[test]
fn many_games_are_reviewed_and_summed_up_by_player() {
    let dir = tempdir().unwrap();
    let told = season(dir.path(), SEASON, &["--json"]).ok().stdout;
    let lines: Vec<Value> = told
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(lines.len(), 5, "three games and two players");
    for (number, game) in lines[..3].iter().enumerate() {
        assert_eq!(game["game"], number + 1);
        assert!(game["file"].as_str().unwrap().ends_with("season.txt"));
        assert_eq!(game["plies"].as_array().unwrap().len(), 2);
    }
    assert_eq!(
        (&lines[1]["first"], &lines[1]["second"]),
        (&"Rui".into(), &"Ana".into())
    );
    let (ana, rui) = (&lines[3], &lines[4]);
    assert_eq!((&ana["player"], &ana["games"]), (&"Ana".into(), &3.into()));
    assert_eq!(rui["player"], "Rui");
    let mistakes = |side: &str| -> u64 {
        let games = lines[..3].iter();
        games
            .map(|game| game["mistakes"][side].as_u64().unwrap())
            .sum()
    };
    let all = mistakes("first") + mistakes("second");
    let kept = |player: &Value| player["accuracy"].as_f64().unwrap() * 3.0;
    assert!(
        (6.0 - all as f64 - kept(ana) - kept(rui)).abs() < 1e-9,
        "{told}"
    );
    assert_eq!(rui["repeated"][0]["times"], 2, "{rui}");
    assert_eq!(rui["repeated"][0]["move"], "a1R");
    assert_eq!(rui["lost_in"]["opening"], 2);
    assert_eq!((all, ana["accuracy"].as_f64()), (2, Some(1.0)));
    // The same for people, as a page, and as positions to train with.
    let page = dir.path().join("season.html");
    let practice = dir.path().join("mistakes.jsonl");
    let (page, practice) = (page.to_str().unwrap(), practice.to_str().unwrap());
    let told = season(dir.path(), SEASON, &[]).ok().stdout;
    for part in ["Ana", "Accuracy", "a1R at R../.Y./..G, twice"] {
        assert!(told.contains(part), "no {part}: {told}");
    }
    season(
        dir.path(),
        SEASON,
        &["--html", page, "--practice", practice, "--lang", "pt"],
    )
    .ok();
    let page = std::fs::read_to_string(page).unwrap();
    assert!(page.contains("<html lang=\"pt\">") && page.contains("Precisão"));
    assert!(count(&page, "<figure><svg ") as u64 == all, "{all}");
    let drill = [
        "puzzle",
        "classic-3x3",
        "--from",
        practice,
        "--play",
        "--json",
    ];
    let drilled = Run::with_input(dir.path(), &drill, b"b1\n").ok().stdout;
    assert!(
        drilled.contains("\"position\":\"R../.Y./..G\""),
        "{drilled}"
    );
    assert!(
        drilled.lines().next().unwrap().contains("\"right\":true"),
        "{drilled}"
    );
}

#[test]
fn games_that_cannot_be_read_are_named_and_the_others_reviewed() {
    let dir = tempdir().unwrap();
    let text = format!("{SEASON}# variant classic-3x3\n# first Ana\nz9\n# first Rui\nb2\n");
    let told = season(dir.path(), &text, &["--json"]);
    assert_eq!(told.code, 2);
    let lines: Vec<Value> = told
        .stdout
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let bad: Vec<&Value> = lines
        .iter()
        .filter(|line| line["error"].is_string())
        .collect();
    assert_eq!(bad.len(), 2, "{}", told.stdout);
    assert!(
        bad[0]["error"]
            .as_str()
            .unwrap()
            .contains("does not say which game")
    );
    assert_eq!((&bad[0]["game"], &bad[1]["game"]), (&5.into(), &4.into()));
    let games = lines.iter().filter(|line| line["plies"].is_array()).count();
    assert_eq!(games, 3);
    // With the game named the last one can be read.
    let file = dir.path().join("season.txt");
    let named = ["review", "classic-3x3", file.to_str().unwrap(), "--json"];
    let told = greenwave(dir.path(), &named);
    assert_eq!(told.code, 2);
    assert_eq!(count(&told.stdout, "\"error\""), 1, "{}", told.stdout);
    refused(&["review", "classic-3x3"], &["--moves", "files of records"]);
    refused(
        &["review", "classic-3x3", "no-such.txt"],
        &["there is no file"],
    );
}
