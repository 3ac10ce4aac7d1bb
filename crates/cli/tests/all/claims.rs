//! Claims of one's own, as a user settles them: plays, supplies, points, one line, lists.

use crate::common::{greenwave, refused, run, with_file};
use crate::transcript::Transcript;

/// The verdicts of some claims.
pub(crate) fn check(claims: &str) -> Vec<String> {
    let (_dir, file) = with_file("claims.toml", claims);
    let settled = run(&["check", &file, "--json", "-q"]).ok().list();
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

/// Codes of files and options are no words of a sentence.
#[test]
fn evidence_says_what_values_and_results_are() {
    let (_dir, file) = with_file(
        "claims.toml",
        "[[claim]]\nid = 1\ntext = 'x'\n[[claim.test]]\nkind = 'equal'\nvariant = 'classic-2x3'\n\
         other = 'points-2x3'\nin = 'values'\n\
         [[claim]]\nid = 2\ntext = 'x'\n[[claim.test]]\nkind = 'properties'\nvariant = 'bag-classic-1x3'\n\
         outcomes = 'expectation'\n",
    );
    let settled = run(&["check", &file, "--json", "-q"]).ok().list();
    let evidence = |at: usize| settled[at]["evidence"].as_str().unwrap();
    assert!(
        evidence(0).ends_with("values of different kinds: distance and points"),
        "{settled}"
    );
    assert!(
        evidence(1).ends_with("results are expectations"),
        "{settled}"
    );
}

#[test]
fn plies_have_lower_and_upper_bounds() {
    let claim = |(number, (keys, _)): (usize, &(&str, &str))| {
        format!(
            "[[claim]]\nid = {number}\ntext = 'x'\n[[claim.test]]\nvariant = 'classic-3x3'\n{keys}\n"
        )
    };
    let cases = [
        ("kind = 'value'\ndistance-at-least = 17", "true"),
        ("kind = 'value'\ndistance-at-least = 18", "false"),
        ("kind = 'value'\ndistance-at-most = 17", "true"),
        ("kind = 'value'\ndistance-at-most = 16", "false"),
        ("kind = 'longest'\nof = 'game'\nat-least = 24", "true"),
        ("kind = 'longest'\nof = 'game'\nat-least = 25", "false"),
        (
            "kind = 'longest'\nof = 'game'\nat-least = 3\nat-most = 23",
            "false",
        ),
    ];
    let text: Vec<String> = cases.iter().enumerate().map(claim).collect();
    assert_eq!(check(&text.concat()), cases.map(|case| case.1));
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
            .list();
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
fn one_point_is_not_points() {
    let claim = |position: &str| {
        format!(
            "[[claim]]\nid = 'a'\ntext = 'x'\n[[claim.test]]\nkind = 'value'\nvariant = 'points-1x3'\n\
             position = '{position}'\npoints = 1\n"
        )
    };
    let mut shown = Transcript::new("one-point");
    for position in ["R.R", "RRR"] {
        let (dir, file) = with_file("claims.toml", &claim(position));
        shown.run(dir.path(), &["check", &file, "-q"]).ok();
    }
    shown.settle();
}

#[test]
fn one_line_is_a_claim() {
    for (claim, verdict) in [
        ("classic-3x3 none: value = draw", "true"),
        ("classic-3x3:play=misere some: value = win", "true"),
        ("classic-1x3 all: moves > 0", "false"),
        ("classic-1x3 all: moves > 0 or finished", "true"),
    ] {
        let settled = run(&["check", claim, "--json", "-q"]).ok().list();
        assert_eq!(settled[0]["verdict"], verdict, "{settled}");
        assert_eq!(settled[0]["claim"], claim);
    }
    let mut shown = Transcript::new("one-line-claims");
    let dir = tempfile::tempdir().unwrap();
    let args = ["check", "classic-1x3 all: moves > 0", "--expect-true", "-q"];
    assert_eq!(shown.run(dir.path(), &args).code, 1);
    shown.settle();
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
    let listed = run(&["check", "--list", "--json"]).ok().list();
    let listed = listed.as_array().unwrap();
    assert!(listed.len() > 50);
    assert_eq!(listed[0]["claim"], 1);
    assert!(listed[0].get("verdict").is_none());
    let text = run(&["check", "--list"]).ok().stdout;
    assert!(
        text.starts_with("   1  Traffic Lights 3x3: the first player has a forced win\n"),
        "{text}"
    );
    let (_dir, file) = with_file(
        "claims.toml",
        "[[claim]]\nid = 'mine'\ntext = 'this'\nnot-checkable = 'taste'\n",
    );
    assert_eq!(run(&["check", "--list", &file]).ok().stdout, "mine  this\n");
}
