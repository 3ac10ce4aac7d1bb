//! What expressions mean, asked with `find`: stalemates, orbits, gaps, coordinates, large numbers, fields.

use crate::claims::check;
use crate::common::{greenwave, json_lines, refused, run, with_file};

fn count(variant: &str, text: &str) -> u64 {
    let found = run(&["find", variant, text, "--count", "--json", "-q"]);
    assert!(found.code < 2, "{found:?}");
    let lines = json_lines(&found);
    lines[0]["count"].as_u64().unwrap()
}

fn positions(args: &[&str]) -> Vec<String> {
    let found = run(&[&["find"], args, &["--json", "-q"]].concat()).ok();
    let listed = json_lines(&found).into_iter().filter_map(|line| {
        let position = line["position"].as_str()?;
        Some(position.to_string())
    });
    listed.collect()
}

#[test]
fn a_move_loses_at_once_to_a_stalemate_that_wins() {
    let only_mixed =
        "patterns = ['12']\nstalemate = 'loss'\n[board]\nsize = '1x2'\nline-length = 2\n";
    let (_dir, file) = with_file("one-pattern.toml", only_mixed);
    for variant in [
        "classic-1x2:stalemate=loss",
        "green-2x2:stalemate=loss",
        &file,
    ] {
        let moves = ["a1", "b1"];
        for mv in moves {
            let said = positions(&[variant, &format!("loses_at_once({mv})")]);
            let meant = positions(&[variant, &format!("after({mv}, winning_at_once > 0)")]);
            assert_eq!(said, meant, "{variant} {mv}");
            assert!(!said.is_empty(), "{variant} {mv}");
        }
    }
    let found = positions(&["classic-1x2:stalemate=loss", "loses_at_once(a1)"]);
    assert_eq!(found, ["YY", "RG"]);
    let claims = "[[claim]]\nid = 1\ntext = 'x'\n[[claim.test]]\nkind = 'moves'\n\
                  variant = 'classic-1x2:stalemate=loss'\nposition = 'YY'\nsafe = 'none'\n";
    assert_eq!(check(claims), ["true"]);
}

#[test]
fn every_orbit_with_a_match_gives_one_match() {
    let one = positions(&["classic-1x3", "c1 = red and a1 = empty", "--up-to-symmetry"]);
    let all = positions(&["classic-1x3", "c1 = red and a1 = empty"]);
    assert_eq!(one, all, "no two of them are images of each other");
    assert_eq!(one.len(), 4);
    // Of each pair the one with the lower index.
    let mirrored = positions(&["classic-1x3", "a1 != c1 and b1 = empty", "--up-to-symmetry"]);
    assert_eq!(mirrored, ["R..", "Y..", "G..", "Y.R", "G.R", "G.Y"]);
    // A point of a triangle that no listed position needs to show.
    let corner = |name: &str| {
        let text = format!("step = 1 and {name} = green and red_captured = 0");
        positions(&["ampel-4-2-1", &text, "--up-to-symmetry"]).len()
    };
    let apex = corner("a1");
    assert!(apex > 0);
    assert_eq!([corner("d1"), corner("d4")], [apex, apex]);
    let claims = "[[claim]]\nid = 1\ntext = 'x'\n[[claim.test]]\nkind = 'count'\n\
                  variant = 'classic-1x3'\nwhere = 'c1 = red and a1 = empty'\namong = 'legal'\n\
                  up-to-symmetry = true\nequals = 4\n";
    assert_eq!(check(claims), ["true"]);
}

#[test]
fn only_move_asks_for_points_where_points_are_played_for() {
    let kept = "value = win and winning_moves = 1 and moves > 1";
    assert!(count("points-2x3", &format!("only_move and not ({kept})")) > 0);
    let scored = positions(&[
        "points-2x3",
        "only_move and winning_moves > 1",
        "--limit",
        "1",
    ]);
    let query = run(&["query", "points-2x3", &scored[0], "--json"])
        .ok()
        .json();
    let own = query["points"].as_i64().unwrap();
    let keeping = query["moves"].as_array().unwrap().iter();
    let keeping = keeping.filter(|mv| mv["points"].as_i64() == Some(own));
    assert_eq!(keeping.count(), 1);
    // As a win alone it has no only move there.
    assert_eq!(
        count("points-2x3:score=win", "only_move and winning_moves > 1"),
        0
    );
}

#[test]
fn pictures_know_gaps() {
    let (_dir, file) = with_file(
        "gap.toml",
        "patterns = ['111', '222', '333']\nboard.outline = '-##/###'\n",
    );
    let all = count(&file, "ply >= 0");
    assert_eq!(count(&file, "shows(\"-??/???\")"), all);
    assert_eq!(count(&file, "shows(\"???/???\")"), all);
    for (picture, said) in [
        ("Y??/???", "found 'Y' at a2, where the board has a gap"),
        (".??/???", "found '.' at a2, where the board has a gap"),
        ("?-?/???", "found '-' at b2, which is a square and no gap"),
    ] {
        refused(&["find", &file, &format!("shows(\"{picture}\")")], &[said]);
    }
    refused(
        &["find", "slider", "shows(\"???/-??/???+???\")"],
        &["found '-'"],
    );
    refused(
        &["find", "ampel-4-2-1", "shows(\"?/-?/???/????\")"],
        &["found '-'"],
    );
}

#[test]
fn squares_of_the_strip_have_their_coordinates() {
    let small =
        "patterns = ['11']\n[board]\nsize = '2x2'\nline-length = 2\n[strip]\nrepeat = 'ban'\n";
    let (_dir, file) = with_file("small-strip.toml", small);
    for (number, coordinates) in [
        ("s1 = red and level_sum < 3", "c2 = red and level_sum < 3"),
        ("legal(s2) and level_sum < 3", "legal(c1) and level_sum < 3"),
        (
            "legal(s2Y) and level_sum < 3",
            "legal(C1Y) and level_sum < 3",
        ),
        ("after(slide-S, s1 = red)", "after(slide-S, b0 = red)"),
        ("after(slide-N, wins(s2))", "after(slide-N, wins(b3))"),
    ] {
        assert_eq!(
            count(&file, number),
            count(&file, coordinates),
            "{coordinates}"
        );
    }
    assert!(count(&file, "after(slide-N, wins(b3))") > 0);
    // In a position of the index the strip lies at the east.
    assert_eq!(count(&file, "b0 = red or legal(b0)"), 0);
    let bag = "patterns = ['11']\n[board]\nsize = '2x2'\nline-length = 2\n[strip]\nrepeat = 'ban'\nturn = 'no'\n[bag]\ncounters = 5\n";
    let (_dir, bag) = with_file("small-bag.toml", bag);
    let args = [
        "find",
        &bag,
        "level_sum < 2 and hand(red) = 3 and legal(c2R+G)",
        "--count",
        "-q",
    ];
    let (by_place, by_number) = (
        run(&args),
        run(&[
            "find",
            &bag,
            "level_sum < 2 and hand(red) = 3 and legal(s1R+G)",
            "--count",
            "-q",
        ]),
    );
    assert_eq!((by_place.code, &by_place.stdout), (0, &by_number.stdout));
}

#[test]
fn arithmetic_that_could_overflow_is_refused_with_its_place() {
    let large = "a1 * 1000000000000 * 1000000000000 > 0";
    refused(
        &["find", "classic-1x3", large],
        &[
            "column 1",
            "'a1 * 1000000000000 * 1000000000000' can come to 3000000000000000000000000",
            "take smaller numbers",
        ],
    );
    refused(
        &[
            "find",
            "classic-1x3",
            "ply > 0 and some(any, 2 > moves * moves * moves * moves * moves)",
        ],
        &[
            "column 27",
            "'moves * moves * moves * moves * moves' can come to",
        ],
    );
    // As long as it stays below, it is right.
    assert_eq!(
        count(
            "classic-1x3",
            "a1 * 1000000000000 * 3000000 = 9000000000 * 1000000000"
        ),
        15
    );
    assert_eq!(count("classic-1x3", "a1 = 3"), 15);
}

#[test]
fn found_lights_have_the_letters_of_the_board() {
    let found = run(&["find", "semaforo", "b1 = red", "--limit", "1", "-q"]).ok();
    assert_eq!(found.stdout.lines().next(), Some("..../..../.R..  b1 R"));
    let json = run(&[
        "find", "semaforo", "b1 = red", "--limit", "1", "--json", "-q",
    ])
    .ok();
    assert_eq!(json_lines(&json)[0]["b1"], "R");
}

#[test]
fn matches_are_rows_of_fields() {
    let args = ["find", "classic-1x3", "value = win and ply < 2", "--csv"];
    let found = run(&[
        &args[..],
        &[
            "--fields",
            "value, distance,b1 ,moves * 10,shows(\"R,?\"),gain(a1)",
        ],
    ]
    .concat());
    assert_eq!(found.code, 2, "a picture of other shape: {found:?}");
    let fields = "value, distance,b1 ,moves * 10,after(a1, moves = 3),only_move";
    let found = run(&[&args[..], &["--fields", fields]].concat()).ok();
    let mut rows = found.stdout.lines();
    assert_eq!(
        rows.next(),
        Some("position,value,distance,b1,moves * 10,\"after(a1, moves = 3)\",only_move,lights")
    );
    let rows: Vec<&str> = rows.collect();
    assert_eq!(rows, ["...,win,9,.,30,true,false,ryg"]);
    assert_eq!(found.stderr.trim(), "1 position");
    let quiet = run(&[&args[..], &["-q"]].concat()).ok();
    assert_eq!(quiet.stderr, "");
    assert_eq!(
        quiet.stdout.lines().next(),
        Some("position,value,ply,lights")
    );
    let none = run(&["find", "classic-1x3", "value = draw", "--csv", "-q"]);
    assert_eq!(
        (none.code, none.stdout.as_str()),
        (1, "position,value,lights\n")
    );
    let json = run(&[
        "find",
        "classic-1x3",
        "ply = 0",
        "--fields",
        "distance,moves",
        "--json",
        "-q",
    ])
    .ok();
    assert_eq!(
        json_lines(&json)[0],
        serde_json::json!({
            "schema": 2, "variant": "classic-1x3", "lights": "ryg", "position": "...", "distance": 9,
            "moves": 3
        })
    );
    // Letters are in the order of the board for programs, too.
    let lights = run(&[
        "find", "semaforo", "b1 = red", "--limit", "1", "--csv", "-q",
    ])
    .ok();
    assert_eq!(lights.stdout, "position,b1,lights\n..../..../.R..,R,gyr\n");
    for (fields, said) in [
        (
            "valeu",
            "field 'valeu': expression, line 1, column 1: unknown name 'valeu'; did you mean 'value'?",
        ),
        ("VALUE", "did you mean 'value'?"),
        ("a1 = RED", "did you mean 'red'?"),
        ("terminal", "did you mean 'finished'?"),
        ("value = wins", "did you mean the value 'win'?"),
        ("moves,,value", "field ''"),
        ("moves,moves", "named twice"),
        ("hand(red)", "it has no hands"),
        ("moves +", "found the end"),
    ] {
        refused(
            &["find", "classic-1x3", "ply = 0", "--fields", fields],
            &[said],
        );
    }
    refused(
        &["find", "classic-1x3", "ply = 0", "--csv", "--json"],
        &["--csv"],
    );
}

#[test]
fn words_of_marks_are_named_and_the_position_is_a_field() {
    let dir = tempfile::tempdir().unwrap();
    refused(
        &["find", "noughts-3x3", "a1 = red"],
        &["a mark (empty, x, o)"],
    );
    let args = [
        "find",
        "classic-2x3",
        "ply = 1",
        "--fields",
        "position,ply",
        "--csv",
    ];
    let found = greenwave(dir.path(), &args).ok();
    assert!(
        found.stdout.starts_with("position,ply,lights\n"),
        "{}",
        found.stdout
    );
    let compared = run(&["compare", "noughts-3x3", "noughts-2x3", "--json"]).json();
    assert_eq!(compared["a"]["by_ply"].as_array().unwrap().len(), 9);
}
