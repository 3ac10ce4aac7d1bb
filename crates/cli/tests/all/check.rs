//! `check`, as a user runs it.

use std::process::Command;

use crate::common::{greenwave, refused, root, run, with_file};
use crate::transcript::Transcript;

#[test]
fn claims_are_settled_with_evidence() {
    let dir = tempfile::tempdir().unwrap();
    let mut shown = Transcript::new("claims");
    let args = ["check", "1", "6", "7", "36", "--json", "-q"];
    let settled = shown.run(dir.path(), &args).list();
    let list = settled.as_array().unwrap();
    let verdicts: Vec<&str> = list
        .iter()
        .map(|c| c["verdict"].as_str().unwrap())
        .collect();
    assert_eq!(verdicts, ["true", "false", "not checkable", "true"]);
    for claim in list {
        assert_eq!(claim["schema"], 2);
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
    assert_eq!(list[0]["signature"].as_str().unwrap().len(), 64);
    assert_eq!(list[1]["witness"], "..../..../....");
    let text = shown.run(dir.path(), &["check", "6", "36", "-q"]).ok();
    let text = text.stdout;
    shown.settle();
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
    let sections: Vec<&str> = printed.split("\n## ").skip(1).collect();
    assert_eq!(sections.len(), ids.len());
    for section in sections {
        assert!(
            page.contains(&format!("\n## {section}")),
            "remake docs/claims.md with 'just claims': {section}"
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
    "#;
    let (dir, path) = with_file("mine.toml", claims);
    let notakto = root().join("docs/examples/notakto.toml");
    std::fs::copy(notakto, dir.path().join("notakto.toml")).unwrap();
    let settled = run(&["check", &path, "--json", "-q", "--memory", "64M"]).list();
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
    let expected_true = run(&["check", &path, "-q", "--memory", "64M", "--expect-true"]);
    assert_eq!(expected_true.code, 1);
}

#[test]
fn a_claim_that_does_not_fit_the_memory_is_an_error() {
    let test = |value: &str| {
        format!(
            "[[claim.test]]\nkind = 'value'\nvariant = 'classic-4x4'\nvalue = '{value}'\n\
             [[claim.test]]\nkind = 'value'\nvariant = 'classic-2x2'\nvalue = '{value}'\n"
        )
    };
    let head = "[[claim]]\nid = 1\ntext = 'x'\n";
    let (_dir, path) = with_file("large.toml", &format!("{head}{}", test("draw")));
    refused(
        &["check", &path, "--memory", "64M", "--json"],
        &["claim 1: ", "solving classic-4x4", "--memory"],
    );
    // The claims after it are settled all the same.
    let after = "[[claim]]\nid = 2\ntext = 'y'\n[[claim.test]]\nkind = 'value'\n\
                 variant = 'classic-2x2'\nvalue = 'draw'\n";
    let (_dir, path) = with_file("large.toml", &format!("{head}{}{after}", test("draw")));
    let all = run(&["check", &path, "--memory", "64M"]);
    assert_eq!(all.code, 2, "{all:?}");
    assert!(
        all.stderr.contains("error: claim 1: solving classic-4x4"),
        "{all:?}"
    );
    assert!(all.stdout.contains("2  true: y"), "{all:?}");
    // A claim that can be refuted without the solve is false.
    let (_dir, path) = with_file("large.toml", &format!("{head}{}", test("win")));
    let settled = run(&["check", &path, "--memory", "64M", "--json"]).list();
    assert_eq!(settled[0]["verdict"], "false");
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
        &["there is nothing about the moves"],
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

/// The quotes of a claim are easily forgotten.
#[test]
fn a_rule_file_in_the_place_of_claims_is_shown_the_way_to_a_claim() {
    let text = "patterns = ['111']\nboard = { size = '1x3', levels = 1 }\n";
    let (_dir, path) = with_file("mine.toml", text);
    let claim = format!("{path} none: value = draw");
    let words = ["is a rule file", &*format!("greenwave check '{claim}'")];
    refused(&["check", &path, "none:", "value", "=", "draw"], &words);
    refused(&["check", &path], &words);
    run(&["check", &claim]).ok();
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
        &["there is nothing about the position; say value, distance"],
    );
    refuse(
        "kind = 'properties'",
        &["there is nothing about the rules; say cells"],
    );
    refuse(
        "kind = 'count'\nwhere = 'moves > 3'\nup-to-symmetry = true",
        &["there is nothing about the number; say equals, at-least or at-most"],
    );
    refuse(
        "kind = 'longest'\nof = 'game'",
        &[
            "line 6, column 8",
            "there is nothing about its length; say plies, at-least or at-most",
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
    let settled = run(&["check", &path, "--json", "-q"]).list();
    assert_eq!(settled[0]["verdict"], "true", "{settled}");
    let mut shown = Transcript::new("illegal-moves-of-claims");
    shown.told("evidence", settled[0]["evidence"].as_str().unwrap());
    shown.settle();
}

#[test]
fn claims_of_supplies_show_what_they_forbid_and_what_they_change() {
    let settled = run(&["check", "31", "32", "-q", "--json"]).list();
    let of = |number: usize, key: &str| settled[number][key].as_str().unwrap();
    assert_eq!((of(0, "verdict"), of(1, "verdict")), ("true", "false"));
    let mut shown = Transcript::new("claims-of-supplies");
    shown.told("31", of(0, "evidence"));
    shown.told("32", of(1, "evidence"));
    let pool = "[[claim]]\nid = 1\ntext = 'x'\n[[claim.test]]\nkind = 'supply'\n\
                variant = 'classic-3x3'\nsupply = 'pool6'\nnever = 'changes'\n";
    let (_dir, path) = with_file("pool.toml", pool);
    let settled = run(&["check", &path, "-q", "--json"]).list();
    assert_eq!(settled[0]["verdict"], "false");
    shown.told("pool", settled[0]["evidence"].as_str().unwrap());
    shown.settle();
}

#[test]
fn one_of_a_thing_is_one() {
    let (dir, path) = with_file(
        "one.toml",
        "[[claim]]\nid = 1\ntext = 'x'\n[[claim.test]]\nkind = 'rises'\nvariant = 'classic-1x3'\n\
         [[claim]]\nid = 2\ntext = 'x'\nnot-checkable = 'taste'\n",
    );
    let mut shown = Transcript::new("one-of-a-thing");
    shown.hide(dir.path());
    shown.run(dir.path(), &["check", &path, "-q"]).ok();
    let page = ["check", "7", "-q", "--markdown"];
    shown.run(dir.path(), &page).ok();
    std::fs::write(&path, "patterns = ['111']\nboard.size = '1x3'\n").unwrap();
    shown.run(dir.path(), &["rules", &path]).ok();
    shown.settle();
}

/// In a game of one square and one counter, everything that is counted is one.
#[test]
fn one_of_a_thing_is_one_in_every_command_and_language() {
    let text = "patterns = ['1']\nsupply = 'cap1'\n\
                board = { size = '1x1', line-length = 1, levels = 1 }\n";
    let (dir, path) = with_file("one.toml", text);
    let many = [
        "positions",
        "plies",
        "counters",
        "squares",
        "moves",
        "bytes",
        "games",
        "lines",
        "Stellungen",
        "Steine",
        "Felder",
        "Halbzüge",
        "posiciones",
        "fichas",
        "casillas",
        "jugadas",
        "posições",
        "peças",
        "casas",
        "jogadas",
        "points",
        "Punkte",
        "puntos",
        "pontos",
        "Partien",
        "partidas",
        "Linien",
        "líneas",
        "linhas",
        "medias",
        "meias",
    ];
    for language in ["en", "de", "es", "pt"] {
        for args in [
            &["book", &path][..],
            &["book", &path, "R"],
            &["rules", &path],
            &["strategy", &path],
            &["certify", &path, "-o", "-"],
            &["compare", &path, "classic-1x1"],
            &["solve", &path, "--no-table"],
            &["solve", &path, "--estimate"],
            &["stats", &path],
            &["review", &path, "--moves", "a1R"],
        ] {
            let run = greenwave(dir.path(), &[args, &["--lang", language]].concat()).ok();
            let said = format!("{}{}", run.stdout, run.stderr);
            let words: Vec<&str> = said.split_whitespace().collect();
            let is_one = |word: &str| word.trim_start_matches(['(', '[']) == "1";
            for pair in words.windows(2).filter(|pair| is_one(pair[0])) {
                let word = pair[1].trim_end_matches(|letter: char| !letter.is_alphabetic());
                assert!(!many.contains(&word), "1 {word}: {said}");
            }
        }
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
    for block in blocks("docs/reference/expressions.md", "text") {
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
    let claims = blocks("docs/reference/claims-files.md", "toml");
    let (_dir, path) = with_file("claims.toml", &claims[0]);
    let settled = run(&["check", &path, "--json", "-q", "--expect-true"]).list();
    assert_eq!(settled[0]["verdict"], "true");
    let rules = blocks("docs/reference/rule-files.md", "toml");
    let (_dir, path) = with_file("mine.toml", &rules[0]);
    let words = run(&["rules", &path]).ok().stdout;
    assert!(words.starts_with("# Notakto\n"), "{words}");
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

#[test]
fn large_tables_are_compared_without_their_values_in_memory() {
    let dir = tempfile::tempdir().unwrap();
    greenwave(dir.path(), &["solve", "classic-3x4", "green-3x4", "-q"]).ok();
    let text = "[[claim]]\nid = 1\ntext = 'x'\n[[claim.test]]\nkind = 'equal'\n\
                variant = 'classic-3x4'\nother = 'green-3x4'\nin = 'values'\n";
    let (_dir, path) = with_file("claims.toml", text);
    // The values of both come to 32 MiB.
    let limited = ["check", &path, "--memory", "20M", "--json", "-q"];
    let settled = greenwave(dir.path(), &limited).list();
    assert_eq!(settled[0]["verdict"], "false", "{settled}");
    let mut shown = Transcript::new("unequal-tables");
    shown.told("evidence", settled[0]["evidence"].as_str().unwrap());
    shown.settle();
}
