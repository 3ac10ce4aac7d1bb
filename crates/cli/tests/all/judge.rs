//! `find`, `check` and `compare`, as a user runs them.

use std::process::Command;

use crate::common::{json_lines, refused, root, run, with_file};
use serde_json::Value;

#[test]
fn found_positions_come_with_the_fields_that_were_named() {
    let run = run(&[
        "find",
        "classic-3x3",
        "value = loss and distance = 20 and b2 = empty and count(red) = 1",
        "--up-to-symmetry",
        "--json",
    ]);
    assert_eq!(run.code, 0);
    let lines = json_lines(&run);
    assert_eq!(lines.len(), 3);
    for (line, position) in lines.iter().zip([".../.../R..", ".../.../.R."]) {
        let expected = serde_json::json!({
            "schema": 1, "position": position, "value": "loss", "distance": 20, "b2": ".",
            "count(red)": 1,
        });
        assert_eq!(*line, expected);
    }
    assert_eq!(lines[2], serde_json::json!({ "schema": 1, "count": 2 }));
}

#[test]
fn found_positions_can_be_limited_sampled_and_counted() {
    let find = |more: &[&str]| {
        let args = [&["find", "classic-3x3", "nimber = 6", "-q"], more].concat();
        run(&args).ok().stdout
    };
    let all = find(&[]);
    // The order of the lights and the number stand below.
    let total = all.lines().count() - 2;
    assert!(all.contains("\nLights in order: R red"), "{all}");
    assert_eq!(all.lines().last().unwrap(), format!("{total} positions"));
    assert_eq!(find(&["--count"]), format!("{total} positions\n"));
    let some = find(&["--limit", "3"]);
    let first: Vec<&str> = all.lines().take(3).collect();
    assert_eq!(some.lines().take(3).collect::<Vec<_>>(), first);
    assert_eq!(
        some.lines().last().unwrap(),
        format!("{total} positions (3 shown)")
    );
    let sample = find(&["--sample", "4", "--seed", "7", "-j", "1"]);
    assert_eq!(sample, find(&["--sample", "4", "--seed", "7", "-j", "2"]));
    assert_ne!(sample, find(&["--sample", "4", "--seed", "8"]));
    assert!(sample.lines().take(4).all(|line| all.contains(line)));
}

#[test]
fn nothing_found_is_an_honest_no() {
    let none = run(&["find", "classic-3x3", "value = draw"]);
    assert_eq!((none.code, none.stdout.as_str()), (1, "0 positions\n"));
    let none = run(&["find", "classic-3x3", "value = draw", "--json"]);
    assert_eq!(
        (none.code, none.stdout.as_str()),
        (1, "{\"schema\":1,\"count\":0}\n")
    );
}

#[test]
fn find_answers_on_strips_points_and_rule_files() {
    let count = |variant: &str, text: &str| {
        let found = run(&["find", variant, text, "--count", "--json", "-q"]).ok();
        found.json()["count"].as_u64().unwrap()
    };
    let small =
        "patterns = ['11']\n[board]\nsize = '2x2'\nline-length = 2\n[strip]\nrepeat = 'ban'\n";
    let (_dir, strip) = with_file("small-strip.toml", small);
    assert_eq!(count(&strip, "level_sum = 0"), 2);
    assert_eq!(
        count(
            &strip,
            "level_sum = 0 and barred and strip_moves = 0 and moves = 6"
        ),
        1
    );
    assert_eq!(
        count(
            &strip,
            "level_sum = 0 and not barred and strip_moves = 7 and moves = 13"
        ),
        1
    );
    assert_eq!(count("points-3x3", "ply = 0"), 1);
    let notakto = root().join("docs/examples/notakto.toml");
    let notakto = notakto.to_str().unwrap();
    assert_eq!(
        count(notakto, "ply = 0 and value = win and winning_moves = 1"),
        1
    );
    assert_eq!(count(notakto, "ply = 1 and b2 = red and value = loss"), 1);
    assert_eq!(count(notakto, "ply = 1 and value = win"), 8);
}

#[test]
fn expressions_that_do_not_fit_are_refused_with_their_place() {
    let refuse = |variant: &str, text: &str, words: &[&str]| {
        refused(&["find", variant, text], words);
    };
    refuse(
        "classic-3x3",
        "value = los",
        &["line 1, column 9", "did you mean 'loss'", "\n          ^"],
    );
    refuse(
        "classic-3x3",
        "moves >",
        &["line 1, column 8", "found the end, expected a number"],
    );
    refuse(
        "classic-3x3",
        "moves = 2\nand x9",
        &["line 2, column 5", "unknown name 'x9'"],
    );
    refuse(
        "classic-3x3",
        "points > 0",
        &["no metric 'points'", "greenwave solve classic-3x3 --metric"],
    );
    refuse(
        "points-3x3",
        "distance > 0",
        &["no metric 'distance'", "points"],
    );
    refuse(
        "ampel",
        "k11 = green and red_captured = 2",
        &["ampel", "more than 1 EiB of memory", "--memory"],
    );
    refuse("ampel-4-2-1", "ply = 3", &["no lights on squares"]);
    refuse("bag-classic-3x3", "value = win", &["'expectation'"]);
    refuse("bag-classic-3x3", "reachable", &["luck"]);
    refused(
        &[
            "find",
            "bag-classic-3x3",
            "expectation > 0",
            "--memory",
            "64M",
        ],
        &["bag-classic-3x3 for odds", "--memory"],
    );
    refuse("classic-3x3:size=9", "value = win", &["size"]);
    refused(
        &["find", "classic-4x4", "value = loss", "--memory", "64M"],
        &["classic-4x4", "--memory"],
    );
}

#[test]
fn claims_are_settled_with_evidence() {
    let settled = run(&["check", "1", "6", "7", "36", "--json", "-q"]).json();
    let list = settled.as_array().unwrap();
    let verdicts: Vec<&str> = list
        .iter()
        .map(|c| c["verdict"].as_str().unwrap())
        .collect();
    assert_eq!(verdicts, ["true", "false", "not checkable", "true"]);
    for claim in list {
        assert_eq!(claim["schema"], 1);
        for key in [
            "claim",
            "source",
            "evidence",
            "witness",
            "positions_examined",
            "signature",
        ] {
            assert!(claim.get(key).is_some(), "{key} in {claim}");
        }
    }
    assert_eq!(list[0]["claim"], 1);
    assert!(
        list[0]["evidence"]
            .as_str()
            .unwrap()
            .contains("win in 17 plies")
    );
    assert_eq!(list[0]["signature"].as_str().unwrap().len(), 64);
    assert_eq!(list[1]["witness"], "..../..../....");
    let text = run(&["check", "6", "36", "-q"]).ok().stdout;
    assert!(
        text.contains("   6  false: The first player can always win"),
        "{text}"
    );
    assert!(
        text.ends_with("2 claims: 1 true, 1 false, 0 unknown, 0 not checkable.\n"),
        "{text}"
    );
    assert!(
        text.lines().all(|line| line.chars().count() <= 80),
        "{text}"
    );
}

#[test]
fn a_false_claim_is_a_no_only_where_truth_is_expected() {
    assert_eq!(run(&["check", "6", "-q"]).code, 0);
    assert_eq!(run(&["check", "6", "-q", "--expect-true"]).code, 1);
    assert_eq!(run(&["check", "1", "7", "-q", "--expect-true"]).code, 0);
}

#[test]
fn the_page_of_claims_says_what_the_program_says() {
    let page = std::fs::read_to_string(root().join("docs/claims.md")).unwrap();
    let ids = [
        "1", "2", "3", "4", "22", "23", "31", "32", "36", "43", "46", "51", "54", "58",
    ];
    let args = [&["check", "--markdown", "-q"], &ids[..]].concat();
    let printed = run(&args).ok().stdout;
    let rows: Vec<&str> = printed
        .lines()
        .filter(|line| line.starts_with("| "))
        .collect();
    assert_eq!(rows.len(), 2 + ids.len());
    for row in rows {
        assert!(
            page.contains(row),
            "remake docs/claims.md with 'just claims': {row}"
        );
    }
}

#[test]
#[cfg_attr(not(feature = "slow-tests"), ignore = "about a minute")]
fn the_whole_page_of_claims_is_made_by_the_program() {
    let page = std::fs::read_to_string(root().join("docs/claims.md")).unwrap();
    assert_eq!(run(&["check", "--markdown", "-q"]).ok().stdout, page);
}

#[test]
fn claims_of_a_user_may_be_about_a_rule_file_beside_them() {
    let claims = r#"
        [[claim]]
        id = "centre"
        text = "Notakto 3x3 is won by the centre only"
        source = "Plambeck and Whitehead, 2013"
        [[claim.test]]
        kind = "moves"
        variant = "notakto.toml"
        winning = ["b2R"]
        [[claim]]
        id = 2
        text = "every won start of two plies has one winning move"
        [[claim.test]]
        kind = "every"
        variant = "notakto.toml"
        where = "ply = 2 and value = win"
        holds = "winning_moves = 1"
        [[claim]]
        id = 3
        text = "too large for the memory"
        [[claim.test]]
        kind = "value"
        variant = "classic-4x4"
        value = "loss"
    "#;
    let (dir, path) = with_file("mine.toml", claims);
    let notakto = root().join("docs/examples/notakto.toml");
    std::fs::copy(notakto, dir.path().join("notakto.toml")).unwrap();
    let settled = run(&["check", &path, "--json", "-q", "--memory", "64M"]).json();
    let verdict = |number: usize| settled[number]["verdict"].as_str().unwrap();
    assert_eq!(
        (verdict(0), settled[0]["claim"].as_str()),
        ("true", Some("centre"))
    );
    assert_eq!(verdict(1), "false");
    let line = settled[1]["witness"].as_str().unwrap();
    assert_eq!(
        line.split(' ').count(),
        2,
        "the shortest line of play: {line}"
    );
    assert_eq!(verdict(2), "unknown");
    assert!(
        settled[2]["evidence"]
            .as_str()
            .unwrap()
            .contains("--memory")
    );
    assert_eq!(
        run(&["check", &path, "-q", "--memory", "64M", "--expect-true"]).code,
        1
    );
}

#[test]
fn a_bad_claims_file_reports_every_fault() {
    let text = "[[claim]]\nid = 1\ntext = 'x'\n[[claim.test]]\nkind = 'vaue'\nvariant = 'classic-3x3'\n\
                [[claim]]\nid = 1\nsource = 'y'\ncolor = 3\nnot-checkable = 'taste'\n";
    let (_dir, path) = with_file("bad.toml", text);
    refused(
        &["check", &path],
        &[
            "line 5, column 8",
            "kind",
            "'vaue'",
            "line 7",
            "text",
            "missing",
            "line 10, column 1",
            "color",
            "stands twice",
        ],
    );
    let refuse = |test: &str, words: &[&str]| {
        let text = format!("[[claim]]\nid = 9\ntext = 'x'\n[[claim.test]]\n{test}");
        let (_dir, path) = with_file("bad.toml", &text);
        refused(&["check", &path], words);
    };
    refuse(
        "kind = 'none'\nvariant = 'classic-3x3'\nwhere = 'vlue = win'",
        &[
            "line 7, column 9, key 'claim[1].test[1].where'",
            "claim 9",
            "column 1",
            "'value'",
        ],
    );
    refuse(
        "kind = 'value'\nvariant = 'classic-3x3'\nvalue = 'win'\nposition = 'x'",
        &["claim 9", "'x'"],
    );
    refuse(
        "kind = 'value'\nvariant = 'classic-3x3:play=wild'\nvalue = 'win'",
        &["claim 9", "misere"],
    );
    refuse(
        "kind = 'moves'\nvariant = 'classic-3x3'",
        &["nothing is said about the moves"],
    );
    refused(
        &["check", "99"],
        &["no claim '99'", "built-in claims are 1 to 60"],
    );
    refused(&["check", "nothing.toml"], &["nothing.toml"]);
    let (_dir, path) = with_file("empty.toml", "");
    refused(&["check", &path], &["no claim; begin one with [[claim]]"]);
    let (_dir, path) = with_file("text.toml", "claim = [\n");
    refused(&["check", &path], &["not TOML"]);
}

#[test]
fn tests_that_try_nothing_are_faults() {
    let refuse = |test: &str, words: &[&str]| {
        let text = format!(
            "[[claim]]\nid = 9\ntext = 'x'\n[[claim.test]]\nvariant = 'classic-3x3'\n{test}"
        );
        let (_dir, path) = with_file("bad.toml", &text);
        refused(&["check", &path], words);
    };
    refuse(
        "kind = 'value'",
        &["nothing is said about the position; say value, distance"],
    );
    refuse(
        "kind = 'properties'",
        &["nothing is said about the rules; say cells"],
    );
    refuse(
        "kind = 'count'\nwhere = 'moves > 3'\nup-to-symmetry = true",
        &["nothing is said about the number; say equals, at-least or at-most"],
    );
    refuse(
        "kind = 'longest'\nof = 'game'",
        &[
            "line 6, column 8",
            "nothing is said about its length; say plies or at-most",
        ],
    );
    refuse("kind = 'play'\nmoves = []", &["moves'", "at least one"]);
    refuse(
        "kind = 'play'\nto = '.../.../...'",
        &["moves'", "at least one"],
    );
    refuse(
        "kind = 'strategy'\nplayer = 'first'",
        &["strategy'", "at least one"],
    );
    refuse("kind = 'largest-nimber'", &["nimber'", "missing"]);
}

#[test]
fn what_does_not_fit_the_variant_is_refused_at_once_with_its_place() {
    let claims = "\
        [[claim]]
        id = 'late'
        text = 'x'
        [[claim.test]]
        kind = 'value'
        variant = 'classic-4x4'
        value = 'loss'
        [[claim]]
        id = 'bad'
        text = 'x'
        [[claim.test]]
        kind = 'value'
        variant = 'classic-3x3'
        points = 3
        [[claim.test]]
        kind = 'value'
        variant = 'points-3x3'
        distance = 3
        nimber = 1
        [[claim.test]]
        kind = 'moves'
        variant = 'classic-3x3'
        best = ['z9']
        [[claim.test]]
        kind = 'play'
        variant = 'classic-3x3'
        moves = ['a1R', 'nonsense']
        legal = false
        [[claim.test]]
        kind = 'play'
        variant = 'bag-classic-3x3'
        position = '.../.../...;RRY;YGG;RG'
        moves = ['a1R+Q']
        legal = false
        [[claim.test]]
        kind = 'moves'
        variant = 'ampel-4-2-1'
        lacks = ['z9-a1']
        [[claim.test]]
        kind = 'value'
        variant = 'classic-9x9'
        position = 'x'
        value = 'win'
        [[claim.test]]
        kind = 'every'
        variant = 'classic-3x3'
        where = 'moves >'
        holds = 'moves'
        [[claim.test]]
        kind = 'strategy'
        variant = 'classic-3x3'
        player = 'first'
        strategy = ['win', 'hope']
        [[claim.test]]
        kind = 'supply'
        variant = 'classic-3x3'
        supply = 'cap0'
        never = 'binds'
        [[claim.test]]
        kind = 'longest'
        variant = 'slider'
        of = 'game'
        plies = 9
    ";
    let (_dir, path) = with_file("bad.toml", claims);
    let bad = "claim bad: ";
    let key = |test: usize, key: &str| format!("key 'claim[2].test[{test}].{key}': {bad}");
    let expected = [
        format!(
            "line 14, column 18, {}classic-3x3 has no metric 'points'; its metrics: value",
            key(1, "points")
        ),
        format!(
            "{}points-3x3 has no metric 'distance'; its metrics: points",
            key(2, "distance")
        ),
        format!("{}points-3x3 has no metric 'nimber'", key(2, "nimber")),
        format!(
            "{}'z9' cannot be read as a move of classic-3x3",
            key(3, "best")
        ),
        format!("{}'nonsense' cannot be read as a move", key(4, "moves")),
        format!(
            "{}'a1R+Q' cannot be read as a move of bag-classic-3x3",
            key(5, "moves")
        ),
        format!(
            "{}'z9-a1' cannot be read as a move of ampel-4-2-1",
            key(6, "lacks")
        ),
        key(7, "variant"),
        key(8, "where"),
        key(8, "holds"),
        format!("{}found the rule 'hope'", key(9, "strategy")),
        key(10, "supply"),
        key(11, "variant"),
    ];
    let words: Vec<&str> = expected.iter().map(String::as_str).collect();
    refused(&["check", &path], &words);
    // A move that can be read but not played is no fault of the file.
    let illegal = "[[claim]]\nid = 1\ntext = 'x'\n[[claim.test]]\nkind = 'play'\n\
                   variant = 'classic-3x3'\nmoves = ['b2R', 'b2R']\nlegal = false\n\
                   [[claim.test]]\nkind = 'play'\nvariant = 'ampel-4-2-1'\nmoves = ['pass']\nlegal = false\n";
    let (_dir, path) = with_file("good.toml", illegal);
    let settled = run(&["check", &path, "--json", "-q"]).json();
    assert_eq!(settled[0]["verdict"], "true", "{settled}");
    let evidence = settled[0]["evidence"].as_str().unwrap();
    assert!(evidence.contains("b2R is illegal here"), "{evidence}");
}

#[test]
fn claims_of_supplies_show_what_they_forbid_and_what_they_change() {
    let settled = run(&["check", "31", "32", "-q", "--json"]).json();
    let of = |number: usize, key: &str| settled[number][key].as_str().unwrap();
    assert_eq!((of(0, "verdict"), of(1, "verdict")), ("true", "false"));
    let six = "in 110 of 256,208 reachable positions supply=cap6 forbids a move; \
               value and distance of the start stay: win in 17 plies";
    let seven = "in 0 of 256,208 reachable positions supply=cap7 forbids a move; \
                 value and distance of the start stay: win in 17 plies";
    assert!(of(0, "evidence").contains(six) && of(0, "evidence").contains(seven));
    assert!(of(1, "evidence").contains(six));
    let pool = "[[claim]]\nid = 1\ntext = 'x'\n[[claim.test]]\nkind = 'supply'\n\
                variant = 'classic-3x3'\nsupply = 'pool6'\nnever = 'changes'\n";
    let (_dir, path) = with_file("pool.toml", pool);
    let settled = run(&["check", &path, "-q", "--json"]).json();
    assert_eq!(settled[0]["verdict"], "false");
    let evidence = settled[0]["evidence"].as_str().unwrap();
    assert!(
        evidence.contains("changes from win in 17 plies to loss"),
        "{evidence}"
    );
}

#[test]
fn one_of_a_thing_is_one() {
    let (_dir, path) = with_file(
        "one.toml",
        "[[claim]]\nid = 1\ntext = 'x'\n[[claim.test]]\nkind = 'rises'\nvariant = 'classic-1x3'\n\
         [[claim]]\nid = 2\ntext = 'x'\nnot-checkable = 'taste'\n",
    );
    let text = run(&["check", &path, "-q"]).ok().stdout;
    assert!(text.ends_with("2 claims: 1 true, 0 false, 0 unknown, 1 not checkable.\n"));
    let page = run(&["check", "7", "-q", "--markdown"]).ok().stdout;
    assert!(page.contains("\n1 claim: 0 true"), "{page}");
    let (_dir, path) = with_file("one.toml", "patterns = ['111']\nboard.size = '1x3'\n");
    let rules = run(&["rules", &path]).ok().stdout;
    let rules: Vec<&str> = rules.split_whitespace().collect();
    assert!(
        rules.join(" ").contains("the board has 1 such line."),
        "{rules:?}"
    );
}

#[test]
fn comparisons_are_right_where_they_can_be_done_by_hand() {
    // Two squares, one light: the second mark completes the line.
    let rules = |play: &str| {
        format!(
            "patterns = ['11']\nplay = '{play}'\n[board]\nsize = '1x2'\nline-length = 2\nlevels = 1\n"
        )
    };
    let (_a, normal) = with_file("pair.toml", &rules("normal"));
    let (_b, misere) = with_file("riap.toml", &rules("misere"));
    let both = run(&["compare", &normal, &misere, "--json", "-q"]).json();
    let (a, b) = (&both["a"], &both["b"]);
    assert_eq!(
        (&a["winner"], &b["winner"]),
        (&"second".into(), &"first".into())
    );
    for (side, at_start, later) in [(a, 0.0, 1.0), (b, 1.0, 0.0)] {
        assert_eq!(side["distance"], 2);
        assert_eq!(side["positions"], 3);
        assert_eq!(side["only_moves"], 0);
        assert_eq!(side["opening_mistakes"], 0);
        assert_eq!(side["longest_game"], 2);
        assert_eq!(side["draws"], 0);
        assert_eq!(side["openings"].as_array().unwrap().len(), 2);
        let shares: Vec<f64> = side["by_ply"]
            .as_array()
            .unwrap()
            .iter()
            .map(|ply| ply["won_share"].as_f64().unwrap())
            .collect();
        assert_eq!(shares, [at_start, later]);
    }
    assert_eq!(keys(a), keys(b));
    let changed = both["changed_openings"].as_array().unwrap();
    assert_eq!(changed.len(), 2);
    assert_eq!(changed[0]["move"], "a1R");
    assert_eq!(
        (&changed[0]["a"]["value"], &changed[0]["b"]["value"]),
        (&"loss".into(), &"win".into())
    );
}

/// The keys of one side of a comparison.
fn keys(side: &Value) -> Vec<&String> {
    side.as_object().unwrap().keys().collect()
}

#[test]
fn comparisons_fit_a_terminal() {
    for (a, b) in [
        ("classic-3x3", "classic-3x3:supply=cap4"),
        (
            "green-3x3:play=misere,supply=pool6,stalemate=loss",
            "points-3x3",
        ),
        ("signal-3x3", "classic-2x4"),
    ] {
        let text = run(&["compare", a, b, "-q"]).ok().stdout;
        assert!(text.starts_with(&format!("A  {a}\nB  {b}\n")), "{text}");
        for line in text.lines() {
            assert!(line.chars().count() <= 80, "{a} {b}: {line}");
            assert_eq!(line, line.trim_end(), "{a} {b}");
        }
    }
    let long = "classic-1x3:play=misere,supply=pool40,stalemate=loss";
    let text = run(&["compare", long, "ampel-4-2-1", "-q"]).ok().stdout;
    assert!(text.starts_with(&format!("A  {long}\nB  ampel-4-2-1\n\n")));
    refused(&["compare", "classic-3x3", "nonsense"], &["nonsense"]);
    refused(
        &["compare", "classic-3x3", "ampel-11-20-5", "--memory", "64M"],
        &["ampel for distance", "--memory"],
    );
}

#[test]
fn found_positions_of_ampel_are_those_that_stats_counts() {
    let name = "ampel-4-2-1";
    let stats = run(&["stats", name, "--json", "-q"]).json();
    let count = |text: &str| {
        let found = run(&["find", name, text, "--count", "--json", "-q"]).ok();
        found.json()["count"].as_u64().unwrap()
    };
    assert_eq!(stats["nonterminal"], count("reachable"));
    for value in ["win", "loss", "draw"] {
        assert_eq!(stats["by_value"][value], count(&format!("value = {value}")));
    }
    for entry in stats["by_distance"].as_array().unwrap() {
        let value = entry["value"].as_str().unwrap();
        let text = match entry["distance"].as_u64() {
            Some(plies) => format!("value = {value} and distance = {plies}"),
            None => format!("value = {value}"),
        };
        assert_eq!(entry["count"], count(&text), "{text}");
    }
    let line = "4 2 1 r s 0 0 ./../.../....";
    let found = run(&["find", name, "step = 0 and c2 = empty", "--json", "-q"]);
    let expected = serde_json::json!({ "schema": 1, "position": line, "step": 0, "c2": "." });
    assert_eq!(json_lines(&found)[0], expected);
}

#[test]
fn found_positions_of_a_bag_game_are_those_that_stats_counts() {
    let name = "bag-classic-1x3";
    let stats = run(&["stats", name, "--json", "-q"]).json();
    let count = |text: &str| {
        let found = run(&["find", name, text, "--count", "--json", "-q"]);
        found.json()["count"].as_u64().unwrap()
    };
    assert_eq!(stats["nonterminal"], count("moves > 0"));
    for (value, text) in [
        ("win", "expectation > 0"),
        ("draw", "expectation = 0"),
        ("loss", "expectation < 0"),
    ] {
        assert_eq!(stats["by_value"][value], count(text), "{text}");
    }
    let found = run(&[
        "find",
        name,
        "hand(red) = 3 and market(green) = 2",
        "--limit",
        "1",
        "-q",
    ]);
    let text = found.ok().stdout;
    assert!(
        text.starts_with("...;RRR;RRR;GG  hand(red) 3  market(green) 2\n"),
        "{text}"
    );
}

#[test]
fn every_game_can_be_compared() {
    let both = run(&["compare", "ampel-4-2-1", "bag-classic-1x3", "--json", "-q"]).json();
    let (ampel, bag) = (&both["a"], &both["b"]);
    assert_eq!(keys(ampel), keys(bag));
    assert_eq!(
        (&ampel["winner"], &ampel["distance"]),
        (&"first".into(), &18.into())
    );
    assert_eq!(
        (&ampel["positions"], &ampel["draws"]),
        (&10_633.into(), &582.into())
    );
    assert_eq!(ampel["longest_distance"], 18);
    assert_eq!(
        (&ampel["odds"], &bag["winner"]),
        (&Value::Null, &Value::Null)
    );
    let stats = run(&["stats", "bag-classic-1x3", "--json", "-q"]).json();
    assert_eq!(bag["odds"], stats["odds"]);
    assert_eq!(
        (&bag["positions"], &bag["only_moves"]),
        (&stats["nonterminal"], &Value::Null)
    );
    assert_eq!(bag["draws"], stats["by_value"]["draw"]);
    for side in [ampel, bag] {
        assert_eq!(side["by_ply"], serde_json::json!([]));
    }
    let boards = run(&["compare", "classic-1x3", "classic-1x4", "--json", "-q"]).json();
    assert!(
        boards["a"].get("odds").is_none(),
        "only where chance takes part"
    );
    for (a, b) in [
        ("ampel-4-2-1", "ampel-4-2-1:own-cylinder=frozen"),
        ("bag-classic-1x3", "bag-points-1x3"),
        ("classic-1x3", "bag-classic-1x3"),
    ] {
        let text = run(&["compare", a, b, "-q"]).ok().stdout;
        assert!(
            text.lines().all(|line| line.chars().count() <= 80),
            "{text}"
        );
        assert_eq!(
            text.contains("win, draw, loss"),
            b.starts_with("bag"),
            "{text}"
        );
        assert_eq!(
            text.contains("level sum"),
            a.starts_with("classic"),
            "{text}"
        );
    }
}

#[test]
fn no_colour_where_it_is_not_wanted() {
    let (coloured, plain) = ("\u{1b}[1m", "\u{1b}");
    let always = run(&["check", "1", "-q", "--color", "always"]).ok().stdout;
    assert!(always.contains(coloured), "{always:?}");
    let piped = run(&["check", "1", "-q"]).ok().stdout;
    assert!(!piped.contains(plain), "{piped:?}");
    let output = Command::new(env!("CARGO_BIN_EXE_greenwave"))
        .args(["check", "1"])
        .env("NO_COLOR", "1")
        .output()
        .unwrap();
    assert!(!String::from_utf8(output.stdout).unwrap().contains(plain));
}

#[test]
fn a_closed_pipe_ends_a_search_quietly() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_greenwave"))
        .args(["find", "classic-3x3", "moves > 0", "-q"])
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    assert_ne!(output.status.code(), Some(2));
}

/// The code blocks of a page.
fn blocks(path: &str, language: &str) -> Vec<String> {
    let page = std::fs::read_to_string(root().join(path)).unwrap();
    let open = format!("```{language}\n");
    let after = page.split(&open).skip(1);
    after
        .map(|rest| rest.split("```").next().unwrap().to_string())
        .collect()
}

#[test]
fn what_the_pages_show_can_be_run() {
    let mut seen = 0;
    for block in blocks("docs/expressions.md", "") {
        for line in block
            .lines()
            .filter(|line| line.starts_with("greenwave find "))
        {
            let (command, rest) = line.split_once('\'').unwrap();
            let (expression, options) = rest.split_once('\'').unwrap();
            let mut args: Vec<&str> = command.split_whitespace().skip(1).collect();
            args.push(expression);
            args.extend(options.split_whitespace());
            args.push("-q");
            let found = run(&args);
            assert_eq!(found.code, 0, "{line}: {found:?}");
            seen += 1;
        }
    }
    assert!(seen >= 5, "{seen}");
    let claims = blocks("docs/claims-format.md", "toml");
    let (_dir, path) = with_file("claims.toml", &claims[0]);
    let settled = run(&["check", &path, "--json", "-q", "--expect-true"]).json();
    assert_eq!(settled[0]["verdict"], "true");
    let rules = blocks("docs/rule-files.md", "toml");
    let (_dir, path) = with_file("mine.toml", &rules[0]);
    let words = run(&["rules", &path]).ok().stdout;
    assert!(words.starts_with("# Notakto\n"), "{words}");
}

#[test]
fn bag_games_are_asked_inside_a_turn_and_about_the_strip() {
    let inside = run(&[
        "find",
        "bag-classic-1x3",
        "after(a1R+G, symmetries = 1)",
        "--count",
        "-q",
    ]);
    assert_eq!(inside.code, 0, "{inside:?}");
    // A missed turn is no move of the strip.
    let text = "title = 'small'\npatterns = ['11']\n[board]\nsize = '2x2'\nline-length = 2\n\
                [strip]\nturn = 'no'\nrepeat = 'ban'\n[bag]\nslide = 'stuck'\n";
    let (_dir, path) = with_file("small.toml", text);
    let missed = run(&[
        "find",
        &path,
        "barred and legal(miss) and strip_moves > 0",
        "--count",
        "-q",
    ]);
    assert_eq!((missed.code, missed.stdout.as_str()), (1, "0 positions\n"));
    let slid = run(&["find", &path, "strip_moves > 0", "--count", "-q"]);
    assert_eq!(slid.code, 0, "{slid:?}");
}

#[test]
fn values_with_chance_are_not_compared() {
    let text = "[[claim]]\nid = 1\ntext = 'x'\n[[claim.test]]\nkind = 'equal'\n\
                variant = 'bag-classic-1x3'\nother = 'bag-classic-1x3:counters=8'\nin = 'values'\n";
    let (_dir, path) = with_file("claims.toml", text);
    refused(
        &["check", &path],
        &["claim 1", "games without chance", "claim[1].test[1].other"],
    );
}
