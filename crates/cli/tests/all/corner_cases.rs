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
        Some("position,value,distance,b1,moves * 10,\"after(a1, moves = 3)\",only_move")
    );
    let rows: Vec<&str> = rows.collect();
    assert!(rows.contains(&"...,win,9,.,30,true,false"), "{rows:?}");
    assert_eq!((rows.len(), found.stderr.trim()), (1, "1 position"));
    let quiet = run(&[&args[..], &["-q"]].concat()).ok();
    assert_eq!(quiet.stderr, "");
    assert_eq!(quiet.stdout.lines().next(), Some("position,value,ply"));
    let none = run(&["find", "classic-1x3", "value = draw", "--csv", "-q"]);
    assert_eq!((none.code, none.stdout.as_str()), (1, "position,value\n"));
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
        serde_json::json!({ "schema": 1, "position": "...", "distance": 9, "moves": 3 })
    );
    // Letters of programs are in one order whatever the board's.
    let lights = run(&[
        "find", "semaforo", "b1 = red", "--limit", "1", "--csv", "-q",
    ])
    .ok();
    assert_eq!(lights.stdout, "position,b1\n..../..../.G..,G\n");
    for (fields, said) in [
        (
            "valeu",
            "field 'valeu': expression, line 1, column 1: unknown name 'valeu'; did you mean 'value'?",
        ),
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
fn one_line_is_a_claim() {
    for (claim, verdict) in [
        ("classic-3x3 none: value = draw", "true"),
        ("classic-3x3:play=misere some: value = win", "true"),
        ("classic-1x3 all: moves > 0", "false"),
        ("classic-1x3 all: moves > 0 or finished", "true"),
    ] {
        let settled = run(&["check", claim, "--json", "-q"]).ok().json();
        assert_eq!(settled[0]["verdict"], verdict, "{settled}");
        assert_eq!(settled[0]["claim"], claim);
    }
    let wrong = run(&["check", "classic-1x3 all: moves > 0", "--expect-true", "-q"]);
    assert_eq!(wrong.code, 1);
    assert!(
        wrong
            .stdout
            .contains("reachable positions do not satisfy 'moves > 0'"),
        "{wrong:?}"
    );
    refused(
        &["check", "classic-1x3 all: mvoes > 0"],
        &["unknown name 'mvoes'", "did you mean 'moves'?"],
    );
    refused(&["check", "clasic-1x3 none: moves > 0"], &["clasic-1x3"]);
    refused(
        &["check", "classic-1x3 every: moves > 0"],
        &["no claim", "none, some or all"],
    );
    refused(
        &["check", "bag-classic-2x3 none: moves = 0"],
        &["it has luck in it", "find"],
    );
}

#[test]
fn claims_are_listed_without_being_settled() {
    let listed = run(&["check", "--list", "--json"]).ok().json();
    let listed = listed.as_array().unwrap();
    assert!(listed.len() > 50);
    assert_eq!(listed[0]["claim"], 1);
    assert!(listed[0].get("verdict").is_none());
    let text = run(&["check", "--list"]).ok().stdout;
    assert!(
        text.starts_with("   1  3x3: the first player has a forced win\n"),
        "{text}"
    );
    let (_dir, file) = with_file(
        "claims.toml",
        "[[claim]]\nid = 'mine'\ntext = 'this'\nnot-checkable = 'taste'\n",
    );
    assert_eq!(run(&["check", "--list", &file]).ok().stdout, "mine  this\n");
}

#[test]
fn long_files_are_read_in_linear_time_or_refused() {
    use std::time::{Duration, Instant};
    let rules = "patterns = ['111']\nboard.size = '3x3'\n";
    let claim = "[[claim]]\nid = 1\ntext = 'x'\nnot-checkable = 'taste'\n";
    for (name, text, said) in [
        (
            "long.toml",
            format!("{rules}#{}", "x".repeat(1 << 17)),
            "expected at most 131072",
        ),
        (
            "long-claims.toml",
            format!("{claim}#{}", "x".repeat(1 << 22)),
            "expected at most 4194304",
        ),
    ] {
        let (_dir, file) = with_file(name, &text);
        let args = match name {
            "long.toml" => ["query", &file],
            _ => ["check", &file],
        };
        refused(&args, &[said]);
    }
    // Faults, keys and claims without number, on few long lines and on many; the slow tests take claims
    // files as long as they may be.
    let part_of = |most: usize| match cfg!(feature = "slow-tests") {
        true => most,
        false => most.min(1 << 20),
    };
    let many = |part: &dyn Fn(usize) -> String, most: usize| {
        let mut text = String::new();
        for number in 0.. {
            let more = part(number);
            if text.len() + more.len() > part_of(most) {
                return text;
            }
            text.push_str(&more);
        }
        text
    };
    let files = [
        ("query", many(&|n| format!("k{n} = 1\n"), 1 << 17)),
        (
            "query",
            format!(
                "patterns = [{}]\nboard.size = '1x9'\n",
                many(&|n| format!("'{n}',"), 120_000)
            ),
        ),
        (
            "query",
            format!(
                "patterns = ['111']\nboard.squares = [{}]\n",
                many(&|n| format!("'a{n}',"), 120_000)
            ),
        ),
        (
            "query",
            format!(
                "patterns = ['111']\nboard.outline = '{}'\n",
                "#/".repeat(part_of(60_000))
            ),
        ),
        ("query", format!("{}= 1\n", "a.".repeat(part_of(60_000)))),
        (
            "check",
            many(
                &|n| {
                    format!(
                        "[[claim]]\nid={n}\ntext=\"x\"\n[[claim.test]]\nkind=\"value\"\nvariant=\"classic-1x3\"\nvalu=1\n"
                    )
                },
                1 << 22,
            ),
        ),
        (
            "check",
            many(
                &|n| format!("[[claim]]\nid=7\ntext=\"{n}\"\nnot-checkable=\"x\"\n"),
                1 << 22,
            ),
        ),
        (
            "check",
            format!("claim = [{}]", many(&|n| format!("{{id={n}}},"), 4_000_000)),
        ),
    ];
    for (command, text) in files {
        let (_dir, file) = with_file("many.toml", &text);
        let begun = Instant::now();
        let refused = run(&[command, &file]);
        assert_eq!(refused.code, 2, "{:.200}", refused.stderr);
        assert!(begun.elapsed() < Duration::from_secs(60), "{:.60}", text);
        assert!(refused.stderr.len() < 1 << 20, "{:.60}", text);
    }
}

#[test]
fn variants_are_compared_by_the_dozen() {
    let names = [
        "classic-1x3",
        "classic-2x3",
        "points-2x3",
        "strip",
        "bag-classic-1x3",
    ];
    let few = &names[..3];
    let dir = tempfile::tempdir().unwrap();
    let page = dir.path().join("page.html");
    let page = page.to_str().unwrap();
    let args = [&["compare"], few, &["--html", page]].concat();
    let text = run(&[&args[..], &["-q"]].concat()).ok().stdout;
    for part in [
        "A  classic-1x3",
        "C  points-2x3",
        "moves in a position",
        "openings that win",
    ] {
        assert!(text.contains(part), "{text}");
    }
    let html = std::fs::read_to_string(page).unwrap();
    assert!(html.starts_with("<!DOCTYPE html>") && html.ends_with("</html>\n"));
    assert_eq!(html.matches("<polyline").count(), 3);
    assert!(!html.contains("http"), "nothing is loaded from elsewhere");
    let json = run(&[&["compare"], few, &["--json", "-q"]].concat()).json();
    let listed = json["variants"].as_array().unwrap();
    assert_eq!(listed.len(), 3);
    // By hand: three squares in a row, of which one line can be made. Every opening wins.
    assert_eq!(listed[0]["winning_openings"], 1.0);
    assert_eq!(
        listed[0]["random_advantage"]["error"],
        serde_json::Value::Null
    );
    let two = run(&["compare", "classic-1x3", "classic-2x3", "--json", "-q"]).json();
    assert_eq!(two["a"], listed[0]);
    assert_eq!(two["b"], listed[1]);
    // Branching is the moves of positions, on average.
    let found = run(&[
        "find",
        "classic-1x3",
        "ply >= 0",
        "--fields",
        "moves",
        "--csv",
        "-q",
    ])
    .ok();
    let moves: Vec<f64> = found
        .stdout
        .lines()
        .skip(1)
        .map(|row| row.split(',').nth(1).unwrap().parse().unwrap())
        .collect();
    let mean = moves.iter().sum::<f64>() / moves.len() as f64;
    assert!((listed[0]["branching"].as_f64().unwrap() - mean).abs() < 1e-12);
    let csv = run(&[&["compare"], few, &["--csv", "-q"]].concat())
        .ok()
        .stdout;
    let rows: Vec<Vec<&str>> = csv.lines().map(|row| row.split(',').collect()).collect();
    assert_eq!(rows.len(), 4);
    assert!(rows.iter().all(|row| row.len() == rows[0].len()));
    assert_eq!((rows[0][0], rows[1][0]), ("variant", "classic-1x3"));
    // With chance some figures are empty.
    let csv = run(&["compare", names[4], names[0], "--csv", "-q"])
        .ok()
        .stdout;
    assert!(
        csv.lines().nth(1).unwrap().starts_with("bag-classic-1x3,,"),
        "{csv}"
    );
    refused(&["compare", "classic-1x3"], &["VARIANT"]);
    refused(
        &[
            "compare",
            "classic-1x3",
            "classic-1x4",
            "--html",
            "/nowhere/page.html",
        ],
        &["cannot write '/nowhere/page.html'"],
    );
}

#[test]
#[cfg(unix)]
fn positions_of_a_large_board_are_looked_through_until_ctrl_c() {
    // There is one more of them than the number holds in which progress is told.
    refused(
        &["find", "classic-4x8", "ply = 99"],
        &["too many to be gone through", "--sample"],
    );
    // A job of a script ignores Ctrl-C, and what it starts does so, too. Not in the foreground, 'timeout'
    // sends the signal twice, and the second ends a program at once.
    let output = Command::new("timeout")
        .args(["--foreground", "-k", "60", "-s", "INT", "2"])
        .args(["env", "--default-signal=INT"])
        .arg(env!("CARGO_BIN_EXE_greenwave"))
        .args(["find", "classic-3x7", "ply = 99", "-q"])
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    // What 'timeout' says of a program that it had to end.
    assert_eq!(output.status.code(), Some(124), "{said}");
    assert!(said.contains("interrupted"), "{said}");
}

#[test]
fn words_of_marks_are_named_and_the_position_is_a_field() {
    let dir = tempfile::tempdir().unwrap();
    let told = greenwave(dir.path(), &["find", "noughts-3x3", "a1 = red"]);
    assert_eq!(told.code, 2);
    assert!(
        told.stderr.contains("a mark (empty, x, o)"),
        "{}",
        told.stderr
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
        found.stdout.starts_with("position,ply\n"),
        "{}",
        found.stdout
    );
    let compared = run(&["compare", "noughts-3x3", "noughts-2x3", "--json"]).json();
    assert_eq!(compared["a"]["by_ply"].as_array().unwrap().len(), 9);
}
