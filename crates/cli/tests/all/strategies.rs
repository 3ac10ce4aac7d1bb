//! `strategy`, and claims about strategies.

use crate::common::{Run, greenwave, python, refused, root, run, with_file};
use crate::transcript::Transcript;

/// Settles the claim of a strategy and plays its certificate.
fn check(found: &Run) -> serde_json::Value {
    let document = found.json();
    let (dir, file) = with_file("claim.toml", document["claim"].as_str().unwrap());
    let settled = greenwave(
        dir.path(),
        &["check", &file, "--expect-true", "--json", "-q"],
    )
    .ok();
    assert_eq!(settled.list()[0]["verdict"], "true", "{document}");
    let certificate = dir.path().join("certificate.txt");
    std::fs::write(&certificate, document["certificate"].as_str().unwrap()).unwrap();
    let checker = root().join("solutions/check_certificate.py");
    let checked = python().arg(checker).arg(&certificate).output().unwrap();
    assert!(checked.status.success(), "{checked:?} {document}");
    document
}

#[test]
fn the_small_square_is_won_by_the_centre_and_the_half_turn() {
    let document = check(&run(&["strategy", "classic-3x3", "--json", "-q"]).ok());
    assert_eq!(document["schema"], 2);
    assert_eq!(document["winner"], "first");
    assert_eq!(document["opening"], serde_json::json!(["b2"]));
    assert_eq!(document["symmetry"], "half turn");
    assert_eq!(document["exceptions"], serde_json::json!([]));
    assert_eq!(document["proven_least"], true);
    assert!(document["positions"].as_u64().unwrap() > 100);
    let mut shown = Transcript::new("strategy");
    shown.told("words", document["words"].as_str().unwrap());
    let dir = tempfile::tempdir().unwrap();
    shown
        .run(dir.path(), &["strategy", "classic-3x3", "-q"])
        .ok();
    shown.settle();
}

#[test]
fn exceptions_are_few_and_proved_to_be() {
    for variant in [
        "classic-1x3",
        "classic-1x4",
        "classic-1x5",
        "classic-1x6",
        "classic-2x3",
        "signal-1x4",
        "classic-1x5:play=misere",
    ] {
        let found = run(&["strategy", variant, "--budget", "20000", "--json", "-q"]);
        if found.code == 1 {
            let query = run(&["query", variant, "--json", "-q"]).json();
            assert_eq!(query["value"], "draw", "{variant}: {found:?}");
            continue;
        }
        let document = check(&found);
        let again = run(&[
            "strategy", variant, "--budget", "20000", "--json", "-q", "-j", "1",
        ])
        .json();
        assert_eq!(again, document, "the same again");
        if document["exceptions"].as_array().unwrap().is_empty() {
            assert_eq!(document["proven_least"], true);
        }
    }
    // The plain mirror of an even row loses at once.
    let document = run(&["strategy", "signal-1x4", "--json", "-q"]).json();
    assert_eq!(document["proven_least"], true);
    assert_eq!(document["exceptions"].as_array().unwrap().len(), 3);
    let document = run(&[
        "strategy",
        "classic-1x4",
        "--budget",
        "20000",
        "--json",
        "-q",
    ])
    .json();
    assert!(!document["exceptions"].as_array().unwrap().is_empty());
    let other = run(&[
        "strategy",
        "classic-3x3",
        "--symmetry",
        "mirror left-right",
        "--budget",
        "20000",
        "--json",
        "-q",
    ]);
    let other = check(&other.ok());
    assert_eq!(other["symmetry"], "mirror left-right");
    assert!(!other["exceptions"].as_array().unwrap().is_empty());
}

#[test]
fn many_exceptions_are_a_sentence_and_not_a_list() {
    let args = ["strategy", "classic-1x6", "--budget", "20000"];
    let document = run(&[&args[..], &["--json", "-q"]].concat()).json();
    let count = document["exceptions"].as_array().unwrap().len();
    assert!(count > 20, "{count}");
    let told = run(&[&args[..], &["-q"]].concat()).ok().stdout;
    let told = told.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        told.contains(&format!(
            "This rule needs {count} exceptions, too many to learn"
        )),
        "{told}"
    );
    assert!(
        told.contains("'greenwave strategy classic-1x6 --json' prints all of them"),
        "{told}"
    );
    let first = &document["exceptions"][0]["position"];
    assert!(!told.contains(first.as_str().unwrap()), "{told}");
    // The card has the rules in the order of the claim.
    let card = document["card"].as_str().unwrap();
    let places = ["exceptions", "If you can win at once", "Otherwise"].map(|rule| card.find(rule));
    assert!(places.is_sorted() && places[0].is_some(), "{card}");
}

/// "Otherwise" needs a rule before it, and a mirror that moves no square needs no pairs.
#[test]
fn the_rule_for_all_else_says_what_it_is() {
    let first = |language, told: &str, card: &str| {
        let args = ["strategy", "classic-2x3:play=misere", "--json", "-q"];
        let document = run(&[&args[..], &["--lang", language]].concat()).json();
        let words = document["words"].as_str().unwrap();
        assert!(words.contains(told), "{words}");
        let said = document["card"].as_str().unwrap();
        assert!(said.contains(card), "{said}");
    };
    first("en", ". Answer on the partner of", "1. Play the partner of");
    first("de", ". Antworte auf jeden", "1. Spiele auf das");
    first("es", ". Responde a cada", "1. Juega en la pareja");
    first("pt", ". Responde a cada", "1. Joga no par");
    let row = "patterns = []\nstalemate = \"loss\"\n[board]\nsize = \"1x4\"\nlevels = 2\n";
    let (_dir, file) = with_file("row.toml", row);
    let args = ["strategy", &file, "--symmetry", "mirror top-bottom"];
    let document = run(&[&args[..], &["--json", "-q"]].concat()).json();
    let words = document["words"].as_str().unwrap();
    assert!(
        words.contains("Otherwise answer on the square just played. There is"),
        "{words}"
    );
    let card = document["card"].as_str().unwrap();
    assert!(
        card.ends_with("\n2. Otherwise play on the square just played.\n"),
        "{card}"
    );
}

/// Replies are marks of the player's own.
#[test]
fn noughts_have_strategies_by_a_symmetry() {
    let found = run(&[
        "strategy",
        "noughts-3x4",
        "--budget",
        "20000",
        "--json",
        "-q",
    ]);
    let document = check(&found.ok());
    assert_eq!(document["winner"], "first");
    assert_eq!(document["symmetry"], "mirror top-bottom");
    let exceptions = document["exceptions"].as_array().unwrap().len() as u64;
    let at_least = document["at_least"].as_u64().unwrap();
    assert!((1..=exceptions).contains(&at_least), "{document}");
}

/// Without values, strategies without exceptions are found by the rules alone.
#[test]
fn large_boards_need_no_values_where_copying_wins() {
    let small = |variant| run(&["strategy", variant, "--memory", "16M", "--json", "-q"]);
    let (row, middle, pair) = if cfg!(feature = "slow-tests") {
        ("classic-1x15", "h1", "signal-2x7")
    } else {
        ("classic-1x13", "g1", "signal-2x6")
    };
    let document = check(&small(row).ok());
    assert_eq!(document["winner"], "first");
    assert_eq!(document["opening"], serde_json::json!([middle]));
    assert_eq!(document["proven_least"], true);
    let document = small(pair).json();
    assert_eq!(document["winner"], "second");
    assert_eq!(document["at_least"], 0);
}

/// A reply to a move of the strip follows no symmetry, so it is an exception.
#[test]
fn strips_that_cannot_repeat_are_searched() {
    let game = "patterns = [\"11\"]\nstalemate = \"loss\"\n\n[board]\nsize = \"2x2\"\n\
                line-length = 2\nlevels = 1\n\n[strip]\nrepeat = \"ban\"\n";
    let (dir, file) = with_file("game.toml", game);
    let found = run(&["strategy", &file, "--json", "-q"]).ok();
    let document = found.json();
    let claim = document["claim"].as_str().unwrap();
    std::fs::write(dir.path().join("claim.toml"), claim).unwrap();
    let claim = dir.path().join("claim.toml").display().to_string();
    let settled = greenwave(dir.path(), &["check", &claim, "--json", "-q"]).ok();
    assert_eq!(settled.list()[0]["verdict"], "true", "{document}");
    std::fs::write(&file, game.replace("\"ban\"", "\"draw\"")).unwrap();
    refused(&["strategy", &file], &["positions can repeat"]);
}

#[test]
fn where_there_is_no_strategy_the_answer_is_no() {
    for (args, said) in [
        (
            &["strategy", "classic-2x2"][..],
            "nobody wins by force, so there is no winner's strategy",
        ),
        (
            &["strategy", "classic-3x4", "--budget", "1"],
            "no strategy of this form was found within the budget; give more with --budget, or 'certify' \
             writes a strategy as a list of replies",
        ),
        (
            &["strategy", "noughts-3x3"],
            "nobody wins by force, so there is no winner's strategy",
        ),
        // Too large to solve: searched with a budget.
        (
            &[
                "strategy",
                "classic-4x6",
                "--memory",
                "64M",
                "--budget",
                "10",
            ],
            "the values do not fit the memory, and no strategy without exceptions was found within the \
             budget; give more with --budget",
        ),
    ] {
        let none = run(args);
        assert_eq!(none.code, 1, "{none:?}");
        // Lines are cut at blanks.
        let printed: Vec<&str> = none.stdout.split_whitespace().collect();
        assert_eq!(printed.join(" "), format!("{}: {said}", args[1]));
        let json = run(&[args, &["--json"]].concat());
        assert_eq!(json.code, 1);
        assert!(crate::common::json_lines(&json)[0]["reason"].is_string());
    }
}

#[test]
fn a_theorem_proves_what_cannot_be_played_through() {
    for (variant, winner, theorem, rule) in [
        (
            "classic-1x31",
            "first",
            "both sides odd",
            "Your first move: p1.",
        ),
        ("classic-2x16", "second", "two ranks", "mirror top-bottom"),
        (
            "classic-2x16:play=misere",
            "second",
            "two ranks",
            "mirror top-bottom",
        ),
    ] {
        let found = run(&["strategy", variant]);
        assert_eq!(found.code, 0, "{found:?}");
        let printed: Vec<&str> = found.stdout.split_whitespace().collect();
        let printed = printed.join(" ");
        assert!(
            printed.contains(&format!("the theorem '{theorem}' proves it")),
            "{printed}"
        );
        assert!(printed.contains(rule), "{printed}");
        let json = run(&["strategy", variant, "--json"]);
        let document = &crate::common::json_lines(&json)[0];
        assert_eq!(document["winner"], winner);
        assert_eq!(document["theorem"], theorem);
        assert_eq!(document["positions"], 0);
        assert!(
            document["certificate"].is_null(),
            "nobody played it: {document}"
        );
    }
    // What can be played through has a certificate instead.
    let played = run(&["strategy", "classic-3x3", "--json"]);
    let document = &crate::common::json_lines(&played)[0];
    assert!(document["theorem"].is_null() && document["certificate"].is_string());
}

#[test]
fn what_has_no_such_strategy_is_told_so() {
    for (args, words) in [
        (
            &["strategy", "bag-classic-3x3"][..],
            &["chance takes part", "query"][..],
        ),
        (&["strategy", "strip"], &["positions can repeat", "query"]),
        (
            &["strategy", "ampel-4-2-1"],
            &["no strategy for ampel-4-2-1"],
        ),
        (
            &["strategy", "points-3x3"],
            &["played for points", "score=win"],
        ),
        (
            &["strategy", "classic-3x4", "--symmetry", "quarter turn"],
            &["has no symmetry 'quarter turn'", "'half turn'"],
        ),
        (
            &["strategy", "classic-3x3", "--symmetry", "sideways"],
            &["found 'sideways'", "'mirror diagonal'"],
        ),
        (
            &["strategy", "classic-3x3", "--budget", "soon"],
            &["found 'soon'"],
        ),
    ] {
        refused(args, words);
    }
}

#[test]
fn claims_know_symmetries_turns_and_positions() {
    let claim = |player: &str, rules: &str| {
        format!(
            "[[claim]]\nid = 1\ntext = 'x'\n[[claim.test]]\nkind = 'strategy'\nvariant = 'classic-3x3'\n\
             player = '{player}'\nstrategy = [{rules}]\n"
        )
    };
    for (rules, verdict) in [
        ("'win', 'turn 1 b2', 'half turn'", "true"),
        ("'win', 'reflect', 'play b2'", "true"),
        ("'win', 'turn 1 b2', 'mirror left-right'", "false"),
        (
            "'at .../.../... a1R', 'win', 'turn 1 b2', 'half turn'",
            "false",
        ),
        ("'win', 'turn 2 b2', 'half turn'", "false"),
    ] {
        let (_dir, file) = with_file("claims.toml", &claim("first", rules));
        let settled = run(&["check", &file, "--json", "-q"]).list();
        assert_eq!(settled[0]["verdict"], verdict, "{rules}: {settled}");
    }
    for (rules, said) in [
        ("'at .../.../... a1G'", "a1G"),
        ("'at ... a1R'", "cannot be a position"),
        ("'turn 0 b2'", "found the rule 'turn 0 b2'"),
        ("'turn 1 d2'", "found the rule"),
        ("'mirror'", "found the rule 'mirror'"),
    ] {
        let (_dir, file) = with_file("claims.toml", &claim("first", rules));
        refused(&["check", &file], &[said]);
    }
    // A game that the opponent can end drawn is not won.
    let drawn = "[[claim]]\nid = 1\ntext = 'x'\n[[claim.test]]\nkind = 'strategy'\n\
                 variant = 'classic-1x2'\nplayer = 'second'\nstrategy = ['win', 'play a1', 'play b1']\n";
    let (_dir, file) = with_file("claims.toml", drawn);
    let settled = run(&["check", &file, "--json", "-q"]).list();
    assert_eq!(settled[0]["verdict"], "false", "{settled}");
}

// Completing a line loses there, so no text says to win at once.
#[test]
fn misere_has_no_win_at_once() {
    let told = run(&["strategy", "classic-2x3:play=misere", "--json", "-q"]).json();
    let (words, card) = (told["words"].as_str(), told["card"].as_str());
    assert!(!words.unwrap().contains("at once"), "{told}");
    assert!(!card.unwrap().contains("at once"), "{told}");
    let claim = told["claim"].as_str().unwrap();
    assert!(!claim.contains("\"win\""), "{claim}");
}
