//! Expressions say of a position what the rules and the values say, and errors point at the place.

use greenwave_game::{
    BoardGame, Cell, Code, Dense, Figures, Game, Lights, Metric, Outcome, Variant,
};
use greenwave_judge::{
    Among, Selection, expr::BoundExpression, expr::KnownValues, expr::MoveLists, find,
};
use greenwave_probe::{ReachableSet, rank};
use greenwave_solver::solve;
use greenwave_values::{Silent, Values};

fn board(name: &str) -> (Variant, BoardGame) {
    let variant = Variant::parse(name).unwrap();
    let Variant::Board(game) = variant.clone() else {
        panic!("{name} is a board")
    };
    (variant, game)
}

fn bound(game: &BoardGame, text: &str) -> BoundExpression {
    BoundExpression::new(game, text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// Figures of a move for the player who makes it, straight from the values.
fn figures(game: &BoardGame, values: &Values, code: &Code, to: &Code) -> Figures {
    assert_eq!(to.level_sum(), code.level_sum() + 1);
    let figures = match game.ending(to) {
        Some(ending) => Figures::of(Some(ending.outcome), Some(greenwave_game::Plies(0)), None),
        None => values.figures_of(game, to),
    };
    figures.after_move(0, false)
}

#[test]
fn fields_say_what_the_rules_say() {
    let (variant, game) = board("classic-3x3");
    let solved = |metric| solve(&variant, metric, u64::MAX, &Silent).unwrap();
    let (distances, nimbers) = (solved(Metric::Distance), solved(Metric::Nimber));
    let reached = ReachableSet::of(&game).unwrap();
    let known = KnownValues::new(&game, &[&distances, &nimbers], Some(&reached));
    let mut spare = MoveLists::default();
    let mut checked = 0;
    let unfinished = (0..game.indexable() as u64)
        .filter_map(|index| game.at(index))
        .filter(|code| game.ending(code).is_none());
    for code in unfinished.step_by(397) {
        let mut moves = Vec::new();
        game.moves(&code, &mut moves);
        let children: Vec<Code> = moves.iter().map(|mv| game.play(&code, *mv).to).collect();
        let after: Vec<Figures> = children
            .iter()
            .map(|to| figures(&game, &distances, &code, to))
            .collect();
        let valued = |outcome| after.iter().filter(|f| f.value == Some(outcome)).count();
        let ended = |code: &Code| game.ending(code).is_some();
        let at_once = children.iter().filter(|to| ended(to)).count();
        let loses = |to: &&Code| {
            let mut replies = Vec::new();
            game.moves(to, &mut replies);
            replies.iter().any(|reply| ended(&game.play(to, *reply).to))
        };
        let losing = children.iter().filter(loses).count();
        let best = after.iter().map(rank).min();
        let best_count = after.iter().filter(|f| Some(rank(f)) == best).count();
        let own = distances.figures_of(&game, &code);
        let nimber = nimbers.figures_of(&game, &code).nimber.unwrap();
        let keeping = valued(own.value.unwrap());
        let levels: Vec<u8> = (0..9).map(|cell| code.level(Cell(cell))).collect();
        let count = |level: u8| levels.iter().filter(|other| **other == level).count();
        let fixed = (0..8).filter(|s| game.image(&code, *s) == code).count();
        let facts = [
            format!("value = {}", own.value.unwrap()),
            format!("distance = {}", own.distance.unwrap().0),
            format!("nimber = {nimber}"),
            format!("ply = {}", code.level_sum()),
            format!("level_sum = {}", code.level_sum()),
            format!("moves = {}", moves.len()),
            format!("winning_moves = {}", valued(Outcome::Win)),
            format!("losing_moves = {}", valued(Outcome::Loss)),
            format!("drawing_moves = {}", valued(Outcome::Draw)),
            format!("winning_at_once = {at_once}"),
            format!("losing_at_once = {losing}"),
            format!("best_moves = {best_count}"),
            format!("only_move = {}", keeping == 1 && moves.len() > 1),
            format!("count(empty) = {}", count(0)),
            format!("count(red) = {}", count(1)),
            format!("count(orange) = {}", count(2)),
            format!("count(green) = {}", count(3)),
            format!(
                "a1 = {} and b2 = {} and c3 = {}",
                levels[0], levels[4], levels[8]
            ),
            format!("reachable = {}", reached.contains(game.index(&code))),
            format!("symmetries = {fixed}"),
            "not finished and not line".into(),
            format!("shows(\"{}\")", game.position_text(&code)),
        ];
        for fact in &facts {
            for unfinished in [Some(game.index(&code)), None] {
                assert!(
                    known.holds(&bound(&game, fact), &code, unfinished, &mut spare),
                    "{fact} at {code:?}"
                );
            }
            let denied = format!("not ({fact})");
            assert!(
                !known.holds(&bound(&game, &denied), &code, None, &mut spare),
                "{denied}"
            );
        }
        checked += 1;
    }
    assert!(checked > 400, "{checked}");
}

#[test]
fn the_least_metric_is_asked_for() {
    let (_, game) = board("classic-3x3");
    let metrics = |text: &str| bound(&game, text).metrics().to_vec();
    assert_eq!(metrics("b2 = red and moves > 3"), []);
    assert_eq!(
        metrics("value = loss and winning_moves = 0"),
        [Metric::Value]
    );
    assert_eq!(metrics("value = loss and distance = 3"), [Metric::Distance]);
    assert_eq!(metrics("best_moves = 1"), [Metric::Distance]);
    assert_eq!(
        metrics("value = win and nimber = 2"),
        [Metric::Value, Metric::Nimber]
    );
}

#[test]
fn values_and_distances_tell_the_same_value() {
    let (variant, game) = board("classic-3x3");
    let count = |metric, text: &str| {
        let values = solve(&variant, metric, u64::MAX, &Silent).unwrap();
        let known = KnownValues::new(&game, &[&values], None);
        let bound = bound(&game, text);
        let wanted = Selection::default();
        find(&known, &bound, Among::Legal, wanted, &Silent, &mut |_| {
            Ok(())
        })
        .unwrap()
    };
    for text in ["value = loss", "only_move", "winning_moves = 2"] {
        assert_eq!(
            count(Metric::Value, text),
            count(Metric::Distance, text),
            "{text}"
        );
    }
}

#[test]
fn errors_point_at_the_character() {
    let (_, game) = board("classic-3x3");
    let cases = [
        ("", 1, "found the end, expected a number, a field"),
        ("value = ", 9, "found the end, expected a number, a field"),
        ("value = los", 9, "unknown name 'los'; did you mean 'loss'?"),
        ("vlue = loss", 1, "did you mean 'value'?"),
        // What fits the place comes first, and what this game lacks comes with the reason.
        ("value = wni", 9, "did you mean 'win'?"),
        ("value = lines", 9, "did you mean 'line'?"),
        ("b2 = rde", 6, "did you mean 'red'?"),
        ("count(rde) = 1", 7, "found 'rde', did you mean 'red'?"),
        ("every(gren, value = win)", 7, "did you mean 'green'?"),
        ("terminl", 1, "did you mean 'finished'?"),
        ("only_move = flase", 13, "did you mean 'false'?"),
        ("pointss > 0", 1, "no field 'points' here: "),
        (
            "valu(b2) = win",
            1,
            "'valu' is no call; did you mean 'value'?",
        ),
        ("moves = 3 and cuont (red) = 1", 15, "did you mean 'count'?"),
        ("value(b2) = win", 6, "found '(', expected an operator"),
        ("zzz(b2)", 4, "found '(', expected an operator"),
        ("red_h = 1", 1, "unknown name 'red_h'"),
        ("zzz = 1", 1, "unknown name 'zzz'; expected"),
        ("b2 = = 3", 6, "found '=', expected a number"),
        ("b9 = 1", 1, "a square (a1 to c3)"),
        ("(moves = 3", 11, "expected ')' or an operator"),
        ("moves = 3)", 10, "found ')', expected an operator"),
        ("moves = 3 moves", 11, "found 'moves', expected an operator"),
        (
            "moves",
            1,
            "which is a number, expected true or false, such as 'moves = 1'",
        ),
        ("win", 1, "such as 'value = win'"),
        ("value and moves = 3", 1, "such as 'value = win'"),
        ("not 3", 5, "such as 'moves = 3'"),
        ("b2 or red", 1, "such as 'b2 = 1'"),
        ("moves = 3 or red", 14, "such as 'count(red) = 1'"),
        (
            "value = 3",
            9,
            "'3', which is a number, expected win, draw or loss",
        ),
        ("value + 1 = 2", 1, "expected a number"),
        ("only_move < true", 1, "no order"),
        ("count(blue) = 1", 7, "found 'blue', expected a colour"),
        ("count = 1", 7, "expected '('"),
        ("wins(z9)", 6, "found 'z9', expected a move such as a1"),
        ("legal(b2.)", 7, "found 'b2.'"),
        ("shows(\"..\")", 7, "expected 3 rows of 3 squares"),
        ("shows(\"..X/.../...\")", 7, "found 'X' in a picture"),
        ("shows(..)", 7, "a picture in double quotes"),
        ("moves = 99999999999999999999", 9, "a number below 2^40"),
        ("points > 2", 1, "its metrics: value, distance, nimber"),
        ("expectation > 2", 1, "no metric 'odds'"),
        ("barred", 1, "it has no strip"),
        ("moves = 3 and é", 15, "found 'é'"),
        ("moves = 3 and\n  b2 = 7x", 9, "found 'x'"),
    ];
    for (text, column, expected) in cases {
        let error = BoundExpression::new(&game, text).unwrap_err();
        let said = error.to_string();
        assert_eq!(error.column, column, "{text}: {said}");
        assert!(said.contains(expected), "{text}: {said}");
        assert_eq!(error.line, 1 + text.matches('\n').count(), "{text}: {said}");
        let pointer = said.lines().last().unwrap();
        assert_eq!(
            pointer.chars().count(),
            2 + column,
            "the mark of {text}: {said}"
        );
    }
}

#[test]
fn deep_expressions_are_refused_without_a_crash() {
    let (_, game) = board("classic-3x3");
    for (repeated, after) in [("(", ""), ("not ", "true"), ("-", "1"), ("1 + ", "1")] {
        // Longer than an expression may be, and as deep as one that is not.
        for (times, expected) in [
            (100_000, "at most 4000"),
            (4000 / repeated.len() - 2, "; shorten it"),
        ] {
            let text = format!("{}{after}", repeated.repeat(times));
            let error = BoundExpression::new(&game, &text).map(drop);
            let said = error.unwrap_err().to_string();
            let said: String = said.chars().take(200).collect();
            assert!(said.contains(expected), "no '{expected}' in {said}");
        }
    }
}

#[test]
fn as_many_parts_as_are_allowed_fit_a_small_stack() {
    let chains = |parts: usize| {
        [
            format!("moves = {}", vec!["1"; parts - 1].join("+")),
            format!("moves = {}", vec!["1"; parts - 1].join("*")),
            format!("moves = {}", vec!["9"; parts - 1].join("%")),
            format!("moves = {}", vec!["1"; parts - 1].join("-")),
            format!("{}true", "not ".repeat(parts - 1)),
            format!("moves = {}1", "-".repeat(parts - 2)),
        ]
    };
    let small = std::thread::Builder::new().stack_size(1 << 20);
    let small = small.spawn(move || {
        let (_, game) = board("classic-3x3");
        let code = game.parse_position("R../.../..G").unwrap();
        let known = KnownValues::new(&game, &[], None);
        // All that 4000 bytes hold, and steps of the parser into itself.
        let longest = [
            vec!["true"; 480].join(" or "),
            vec!["true"; 430].join(" and "),
            format!(
                "{}{}true{}",
                "not ".repeat(390),
                "(".repeat(100),
                ")".repeat(100)
            ),
        ];
        for text in longest {
            BoundExpression::new(&game, &text).unwrap();
        }
        let open = format!("{}true{}", "(".repeat(101), ")".repeat(101));
        let error = BoundExpression::new(&game, &open).unwrap_err();
        assert!(
            error.to_string().contains("found 101 parentheses"),
            "{error}"
        );
        for (parts, fits) in [(500, true), (501, false), (660, false), (1000, false)] {
            for text in chains(parts) {
                let bound = BoundExpression::new(&game, &text);
                assert_eq!(bound.is_ok(), fits, "{text}");
                match bound {
                    Ok(bound) => {
                        known.holds(&bound, &code, None, &mut MoveLists::default());
                    }
                    Err(error) => {
                        let said = error.to_string();
                        let long = text.len() > 4000 && said.contains("at most 4000");
                        assert!(long || said.contains("expected at most 500"), "{said}");
                    }
                }
            }
        }
    });
    small.unwrap().join().unwrap();
}

#[test]
fn colours_follow_the_order_of_the_lights() {
    let (_, game) = board("classic-3x3");
    let code = game.parse_position("R../.../..G").unwrap();
    let known = KnownValues::new(&game, &[], None);
    let mut spare = MoveLists::default();
    let mut other = game.clone();
    other.set_lights(Lights::Gyr);
    let mut holds = |text: &str, game: &BoardGame| {
        let bound = BoundExpression::new(game, text).unwrap();
        known.holds(&bound, &code, None, &mut spare)
    };
    assert!(holds("a3 = red and c1 = green and a3 = 1", &game));
    assert!(holds("a3 = green and c1 = red and a3 = 1", &other));
}
