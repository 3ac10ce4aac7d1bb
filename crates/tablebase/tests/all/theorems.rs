//! The theorems against solved values, and against every defence.

use std::collections::{BTreeMap, HashSet};

use greenwave_game::{
    BoardGame, Code, Dense, Game, Metric, Outcome, RuleFile, Variant, VariantGame,
};
use greenwave_probe::Dice;
use greenwave_solver::solve;
use greenwave_tablebase::{
    Place, QueryOptions, SourceKind, Tablebase, Theorem, Theorems, Value, read_variant,
};
use greenwave_values::Silent;

/// Says that what is proved of every position is its solved value; how many are proved by each theorem.
fn proved_as_solved(variant: &Variant) -> BTreeMap<&'static str, u32> {
    let name = &variant.rules().canonical;
    let game = variant.as_board().unwrap();
    let mut proved = BTreeMap::new();
    let Some(theorems) = Theorems::of(game) else {
        return proved;
    };
    let values = solve(variant, Metric::Value, u64::MAX, &Silent).unwrap();
    for index in 0..game.indexable() as u64 {
        let position = Code(index);
        if game.at(index).is_none() {
            continue;
        }
        if game.ending(&position).is_some() {
            assert_eq!(theorems.value(position), None, "{name} {index}");
            continue;
        }
        let solved = values.figures(index).value.unwrap();
        if let Some((outcome, theorem)) = theorems.value(position) {
            assert_eq!(outcome, solved, "{name} {index} by {theorem}");
            *proved.entry(theorem.name()).or_default() += 1;
        }
        if let Some(outcome) = theorems.figures(position).value {
            assert_eq!(outcome, solved, "{name} {index}");
        }
    }
    proved
}

#[test]
fn theorems_agree_with_every_solved_position() {
    let sizes = [
        "1x3", "1x4", "1x5", "1x6", "1x7", "5x1", "2x3", "3x2", "2x4", "3x3",
    ];
    for family in ["classic", "signal", "green"] {
        for size in sizes {
            for options in ["", ":play=misere", ":stalemate=loss", ":supply=cap2"] {
                let name = format!("{family}-{size}{options}");
                let proved = proved_as_solved(&Variant::parse(&name).unwrap());
                let two_ranks = size.contains('2');
                let odd = !two_ranks && !size.contains(['4', '6']);
                let misere = options.contains("misere");
                let limited = options.contains("supply");
                let expected = [
                    ("two ranks", two_ranks && !limited),
                    (
                        "both sides odd",
                        odd && !limited && !misere && family != "green",
                    ),
                ];
                for (theorem, holds) in expected {
                    assert_eq!(proved.contains_key(theorem), holds, "{name} {proved:?}");
                }
            }
        }
    }
}

#[test]
fn copying_is_proved_on_boards_of_every_kind() {
    let written = [
        "patterns = ['111', '222', '333']\nboard.outline = '###/#-#/###'",
        "patterns = ['111', '222', '333', '123']\nboard.outline = '-#-/###/-#-'",
        "patterns = ['11', '22']\nboard = { size = '2x3', line-length = 2, levels = 2 }",
        "patterns = ['1111', '2222', '3333']\nboard = { size = '2x4', line-length = 4 }",
        "patterns = ['111', '222', '333', '123']\nboard = { size = '2x4', without-lines = ['a1-c1'] }",
        "patterns = ['111', '333', '213']\nboard = { size = '3x3' }",
        "patterns = ['111', '222']\nboard = { size = '3x3', levels = 2 }",
        "patterns = ['222', '333']\nboard = { size = '1x7' }",
        "patterns = ['1111', '3333']\nplay = 'misere'\nboard = { size = '1x7', line-length = 4 }",
    ];
    let mut copying = 0;
    for text in written {
        let file = RuleFile::parse("copy.toml", text).unwrap();
        let proved = proved_as_solved(&file.variant);
        copying += proved.get("copying").copied().unwrap_or(0);
    }
    assert!(copying > 1000, "{copying}");
    // With the centre green, in the game of green lines, too.
    let green = proved_as_solved(&Variant::parse("green-3x3").unwrap());
    assert!(green["copying"] > 100, "{green:?}");
}

/// The move that the rule makes: one that is proved to win, at once where that is possible.
fn rule(game: &BoardGame, theorems: &Theorems<'_>, position: Code) -> Code {
    let mut moves = Vec::new();
    game.moves(&position, &mut moves);
    let mut after = moves.iter().map(|mv| game.play(&position, *mv).to);
    let ends = |to: &Code| {
        let ending = game.ending(to);
        ending.is_some_and(|ending| ending.outcome == Outcome::Loss)
    };
    let keeps = |to: &Code| {
        theorems
            .value(*to)
            .is_some_and(|(outcome, _)| outcome == Outcome::Loss)
    };
    let found = after.clone().find(ends).or_else(|| after.find(keeps));
    found.unwrap_or_else(|| panic!("{}: no move at {position}", game.rules().name))
}

#[test]
fn every_position_that_the_rule_reaches_is_proved() {
    for (name, winner) in [
        ("classic-1x7", Outcome::Win),
        ("signal-1x7", Outcome::Win),
        ("classic-3x3", Outcome::Win),
        ("signal-3x3", Outcome::Win),
        ("classic-2x4", Outcome::Loss),
        ("signal-2x4", Outcome::Loss),
        ("green-2x4", Outcome::Loss),
        ("classic-2x4:play=misere", Outcome::Loss),
        ("signal-3x2:play=misere", Outcome::Loss),
    ] {
        let game = BoardGame::named(name).unwrap();
        let theorems = Theorems::of(&game).unwrap();
        let mut open = vec![(game.start(), winner)];
        let mut seen = HashSet::new();
        while let Some((position, expected)) = open.pop() {
            if let Some(ending) = game.ending(&position) {
                assert_eq!(ending.outcome, expected, "{name} {position}");
                continue;
            }
            if !seen.insert(position) {
                continue;
            }
            let value = theorems.value(position).map(|(outcome, _)| outcome);
            assert_eq!(value, Some(expected), "{name} {position}");
            if expected == Outcome::Win {
                open.push((rule(&game, &theorems, position), Outcome::Loss));
                continue;
            }
            let mut moves = Vec::new();
            game.moves(&position, &mut moves);
            let after = moves.iter().map(|mv| game.play(&position, *mv).to);
            open.extend(after.map(|to| (to, Outcome::Win)));
        }
        assert!(seen.len() > 100, "{name}: {}", seen.len());
    }
}

#[test]
fn the_winner_of_boards_that_nobody_can_solve_wins_by_the_rule() {
    for name in [
        "classic-1x31",
        "classic-3x9",
        "signal-5x5",
        "signal-31x1",
        "classic-2x16",
        "signal-16x2",
        "green-2x16",
        "classic-2x15:play=misere",
    ] {
        let game = BoardGame::named(name).unwrap();
        let theorems = Theorems::of(&game).unwrap();
        for seed in 0..40 {
            let mut dice = Dice::new(seed, 0);
            let mut position = game.start();
            let mut plies = 0;
            let won = loop {
                if let Some(ending) = game.ending(&position) {
                    break ending.outcome;
                }
                let value = theorems.value(position).map(|(outcome, _)| outcome);
                position = if value == Some(Outcome::Win) {
                    rule(&game, &theorems, position)
                } else {
                    assert_eq!(value, Some(Outcome::Loss), "{name} after {plies} plies");
                    let mut moves = Vec::new();
                    game.moves(&position, &mut moves);
                    let mv = dice.one_of(&moves).unwrap();
                    game.play(&position, *mv).to
                };
                plies += 1;
            };
            let first =
                won == Outcome::Win && plies % 2 == 0 || won == Outcome::Loss && plies % 2 == 1;
            let starts = theorems.value(game.start()).unwrap().0;
            assert_eq!(first, starts == Outcome::Win, "{name}, seed {seed}");
        }
    }
}

#[test]
fn queries_say_which_theorem_it_is() {
    let dir = tempfile::tempdir().unwrap();
    let tablebase = Tablebase::open(dir.path()).unwrap();
    let ask = |name: &str, moves: &str| {
        let variant = read_variant(name).unwrap();
        let place = Place::start().after(moves);
        tablebase
            .query_at(&variant, &place, &QueryOptions::default())
            .unwrap()
    };
    for (name, moves, value, theorem, best) in [
        (
            "classic-1x31",
            "",
            Value::Win,
            Theorem::BothSidesOdd,
            Some("p1R"),
        ),
        (
            "classic-3x9",
            "e2R a1R",
            Value::Win,
            Theorem::BothSidesOdd,
            Some("i3R"),
        ),
        // Red beside the centre: win at once.
        (
            "classic-3x9",
            "e2R e1R",
            Value::Win,
            Theorem::BothSidesOdd,
            Some("e3R"),
        ),
        (
            "classic-3x9",
            "e2R e2Y",
            Value::Win,
            Theorem::BothSidesOdd,
            Some("e2G"),
        ),
        (
            "classic-3x9",
            "e2R",
            Value::Loss,
            Theorem::BothSidesOdd,
            None,
        ),
        ("classic-2x16", "", Value::Loss, Theorem::TwoRanks, None),
        (
            "classic-2x16:play=misere",
            "c2R",
            Value::Win,
            Theorem::TwoRanks,
            Some("c1R"),
        ),
        (
            "green-3x9",
            "e2R a1R i3R e2Y a1Y e2G i3Y",
            Value::Loss,
            Theorem::Copying,
            None,
        ),
    ] {
        let answer = ask(name, moves);
        assert_eq!(answer.source.kind, SourceKind::Proved, "{name} {moves}");
        assert_eq!(answer.source.theorem, Some(theorem), "{name} {moves}");
        assert_eq!(answer.value, value, "{name} {moves}");
        if let Some(best) = best {
            assert!(
                answer.best.contains(&best.to_string()),
                "{name}: {answer:?}"
            );
        }
        let json = serde_json::to_value(&answer).unwrap();
        assert_eq!(json["source"]["kind"], "proved");
        assert_eq!(json["source"]["theorem"], theorem.name());
    }
    // There is no value where no theorem applies.
    let theorems = |name: &str, moves: &str| {
        let variant = Variant::parse(name).unwrap();
        let position = Place::start().after(moves).find(&variant).unwrap();
        let game = variant.as_board().unwrap();
        Theorems::of(game).and_then(|theorems| theorems.value(game.position(&position)))
    };
    assert_eq!(theorems("classic-3x9", "a1R"), None);
    assert_eq!(theorems("classic-4x8", ""), None);
    assert_eq!(theorems("green-3x9", ""), None);
    assert_eq!(theorems("classic-1x31:play=misere", ""), None);
    assert_eq!(theorems("classic-2x16:supply=cap20", ""), None);
    assert_eq!(theorems("points-2x16", ""), None);
}

#[test]
fn boards_that_are_too_large_are_refused_with_what_is_proved_of_them() {
    const UNREADABLE: &str = "classic-2x99999999999";
    for (name, told) in [
        (
            "classic-5x7",
            Some(
                "'both sides odd' the first player wins there: win at once if you can; begin on d3; answer by half a turn",
            ),
        ),
        ("signal-1x33", Some("begin on q1;")),
        (
            "2x40",
            Some(
                "'two ranks' the second player wins there: win at once if you can; answer on the other square of the same file",
            ),
        ),
        (
            "green-20x2:play=misere",
            Some(
                "'two ranks' the second player wins there: answer on the other square of the same rank",
            ),
        ),
        ("green-5x7", None),
        ("classic-6x6", None),
        ("classic-5x7:play=misere", None),
        ("classic-2x40:supply=cap9", None),
        (UNREADABLE, None),
    ] {
        let error = read_variant(name).unwrap_err().to_string();
        assert!(error.contains("a board has 1 to 32"), "{name}: {error}");
        match told {
            Some(told) => assert!(error.contains(told), "{name}: {error}"),
            None => {
                let none = error.ends_with(". No theorem says who wins there");
                assert_eq!(none, name != UNREADABLE, "{name}: {error}");
                assert!(!error.contains("By the theorem"), "{name}: {error}");
            }
        }
    }
}
