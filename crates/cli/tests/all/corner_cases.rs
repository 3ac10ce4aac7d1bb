//! Answers at the edges of the rules: wins without a line, orbits, gaps, coordinates, large numbers.

use std::process::Command;

use crate::common::{greenwave, json_lines, refused, root, run, with_file};

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

fn check(claims: &str) -> Vec<String> {
    let (_dir, file) = with_file("claims.toml", claims);
    let settled = run(&["check", &file, "--json", "-q"]).ok().json();
    let listed = settled.as_array().unwrap().iter();
    listed
        .map(|claim| claim["verdict"].as_str().unwrap().to_string())
        .collect()
}

#[test]
fn a_play_can_lead_to_a_value_before_the_game_is_over() {
    let claim = |number: usize, (variant, moves, value): (&str, &str, &str)| {
        format!(
            "[[claim]]\nid = {number}\ntext = 'x'\n[[claim.test]]\nkind = 'play'\n\
             variant = '{variant}'\nmoves = {moves}\nvalue = '{value}'\n"
        )
    };
    let cases = [
        ("classic-3x3", "['b2R']", "loss", "true"),
        ("classic-3x3", "['b2R']", "win", "false"),
        ("classic-3x3", "['b2R', 'b2Y']", "win", "true"),
        ("points-1x3", "['a1R']", "draw", "false"),
        ("classic-2x2", "['a1R']", "draw", "true"),
    ];
    let text: Vec<String> = (0..)
        .zip(cases)
        .map(|(number, case)| claim(number, (case.0, case.1, case.2)))
        .collect();
    assert_eq!(check(&text.concat()), cases.map(|case| case.3));
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
    let bag = "patterns = ['11']\n[board]\nsize = '2x2'\nline-length = 2\n[strip]\nrepeat = 'ban'\nturn = 'no'\n[bag]\n";
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
fn a_supply_can_be_put_on_a_rule_file() {
    let game = "patterns = ['111', '222', '333']\nboard.size = '2x3'\n";
    let (dir, file) = with_file("six.toml", game);
    let claim = |variant: &str, supply: &str, never: &str| {
        format!(
            "[[claim]]\nid = '{supply}{never}'\ntext = 'x'\n[[claim.test]]\nkind = 'supply'\n\
             variant = '{variant}'\nsupply = '{supply}'\nnever = '{never}'\n"
        )
    };
    let verdicts = |variant: &str| {
        let cases = [
            ("cap2", "binds"),
            ("cap6", "binds"),
            ("pool1", "changes"),
            ("pool6", "changes"),
        ];
        let text = cases
            .map(|(supply, never)| claim(variant, supply, never))
            .concat();
        let path = dir.path().join("claims.toml");
        std::fs::write(&path, text).unwrap();
        let settled = run(&["check", path.to_str().unwrap(), "--json", "-q"])
            .ok()
            .json();
        let said = settled.as_array().unwrap().iter();
        said.map(|claim| (claim["verdict"].to_string(), claim["witness"].to_string()))
            .collect::<Vec<_>>()
    };
    let ours = verdicts("six.toml");
    assert_eq!(ours, verdicts("classic-2x3"));
    assert_eq!(ours[0].0, "\"false\"");
    assert_eq!(ours[1].0, "\"true\"");
    // Beside a table of the unlimited game.
    greenwave(dir.path(), &["solve", &file, "-q"]).ok();
    let path = dir.path().join("claims.toml");
    std::fs::write(&path, claim("six.toml", "cap2", "changes")).unwrap();
    greenwave(dir.path(), &["check", path.to_str().unwrap(), "-q"]).ok();
    for (supply, said) in [
        ("some", "found 'some', expected a supply"),
        ("cap0", "found 'cap0'"),
    ] {
        std::fs::write(&path, claim("six.toml", supply, "binds")).unwrap();
        refused(&["check", path.to_str().unwrap()], &[said]);
    }
}

#[test]
fn found_lights_have_the_letters_of_the_board() {
    let found = run(&["find", "semaforo", "b1 = red", "--limit", "1", "-q"]).ok();
    assert_eq!(found.stdout.lines().next(), Some("..../..../.R..  b1 R"));
    let json = run(&[
        "find", "semaforo", "b1 = red", "--limit", "1", "--json", "-q",
    ])
    .ok();
    assert_eq!(json_lines(&json)[0]["b1"], "G");
}

#[test]
fn one_point_is_not_points() {
    let claim = |position: &str| {
        format!(
            "[[claim]]\nid = 'a'\ntext = 'x'\n[[claim.test]]\nkind = 'value'\nvariant = 'points-1x3'\n\
             position = '{position}'\npoints = 1\n"
        )
    };
    for (position, said) in [("R.R", "+1 point for"), ("RRR", "-1 point for")] {
        let (_dir, file) = with_file("claims.toml", &claim(position));
        let settled = run(&["check", &file, "-q"]).ok();
        assert!(settled.stdout.contains(said), "{settled:?}");
    }
}

#[test]
fn certificates_without_positions_are_certificates() {
    let (dir, file) = with_file(
        "two.toml",
        "patterns = ['11']\n[board]\nsize = '1x2'\nline-length = 2\nlevels = 1\n",
    );
    greenwave(dir.path(), &["certify", &file, "-q"]).ok();
    let certificate = dir.path().join("two/certificate.txt");
    let python = |path: &std::path::Path| {
        let checker = root().join("solutions/check_certificate.py");
        Command::new("python3")
            .arg(checker)
            .arg(path)
            .output()
            .unwrap()
    };
    let checked = python(&certificate);
    assert!(checked.status.success(), "{checked:?}");
    let text = std::fs::read_to_string(&certificate).unwrap();
    assert!(text.ends_with("positions 0\n"), "{text}");
    // One that lacks its replies is still refused.
    let cut = dir.path().join("cut.txt");
    std::fs::write(&cut, text.replace("positions 0", "positions 1")).unwrap();
    assert_eq!(python(&cut).status.code(), Some(2));
    std::fs::write(&cut, text.replace("winner second", "winner first")).unwrap();
    assert_eq!(python(&cut).status.code(), Some(1));
}

#[test]
fn what_begins_with_a_dash_is_an_option_or_a_text() {
    let (_dir, file) = with_file(
        "gap.toml",
        "patterns = ['111', '222', '333']\nboard.outline = '-##/###'\n",
    );
    let position = "-RR/...";
    for args in [
        &["line", &file, position, "-q"][..],
        &["query", &file, position, "-q"],
        &["perft", &file, position, "--depth", "1"],
        &["perft", &file, "--depth", "1", "--", position],
    ] {
        run(args).ok();
    }
    let counted = |args: &[&str]| run(args).ok().stdout;
    assert_eq!(
        counted(&["find", "points-1x3", "-points = -1", "--count", "-q"]),
        counted(&["find", "points-1x3", "points = 1", "-q", "--count"]),
    );
    for args in [
        &["query", "classic-3x3", "--jsn"][..],
        &["find", "classic-3x3", "--jsn"],
        &["line", "classic-3x3", "--jsn"],
        &["variants", "--jsn"],
        &["--jsn", "variants"],
    ] {
        refused(args, &["unknown option '--jsn'", "did you mean '--json'?"]);
    }
    refused(
        &["line", "classic-3x3", "-RRR"],
        &["unknown option '-RRR' of 'greenwave line'"],
    );
    refused(
        &["line", &file, "-RX/..."],
        &["cannot be a position", "found 'X'"],
    );
    refused(
        &["query", "classic-3x3", "--", "--jsn"],
        &["'--jsn' cannot be a position"],
    );
    refused(
        &["find", "points-1x3", "-pionts = 1"],
        &["unknown name 'pionts'", "did you mean 'points'?"],
    );
}
