//! Games of rule files against a reading of the files that shares no code with them.

use std::collections::BTreeMap;

use greenwave_game::{Dense, Game, Metric, RuleFile, Variant, with_game};
use greenwave_solver::solve;
use greenwave_testkit::{
    PositionSample, SeededNumbers, WrittenGame, disagreement, laws, rule_file,
};
use greenwave_values::Silent;

const SLOW: bool = cfg!(feature = "slow-tests");

// Positions of the largest game that is read from the text alone, and indices of the largest solved.
const MOST: usize = if SLOW { 1 << 16 } else { 1 << 12 };
const INDICES: u128 = if SLOW { 1 << 20 } else { 1 << 17 };

fn compare(variant: &Variant, text: &str) -> usize {
    let Some(told) = WrittenGame::read(text).positions(MOST) else {
        return 0;
    };
    with_game!(variant, game => {
        for metric in game.rules().metrics.iter().copied() {
            if metric == Metric::Nimber {
                continue;
            }
            let values = solve(variant, metric, u64::MAX, &Silent);
            let values = values.unwrap_or_else(|error| panic!("{text}: {error}"));
            let found = disagreement(&told, game, metric, |at| values.figures_of(game, at));
            assert_eq!(found, None, "{metric} of\n{text}");
        }
    });
    told.len()
}

// Of every kind of key this many games at least, and every value of each right.
#[test]
fn random_rule_files_are_the_games_that_they_tell() {
    let mut seeded = SeededNumbers::new(17);
    let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
    let keys = [
        "swap = true",
        "last-square = 'forbidden'",
        "last-square = 'neighbours'",
        "last-square = 'elsewhere'",
        "pass = 'free'",
        "pass = 'once'",
        "moves-a-turn = 2",
        "moves-a-turn = '1-2-2'",
        "may =",
        "goal =",
        "win-lines =",
        "not-first =",
        "wrap =",
        "shapes =",
        "grid = 'hex'",
    ];
    let mut compared = 0;
    for _ in 0..if SLOW { 20_000 } else { 600 } {
        let text = rule_file(&mut seeded);
        let Ok(file) = RuleFile::parse("random.toml", &text) else {
            continue;
        };
        let variant = file.variant;
        let is_board = variant.as_board().is_some() || variant.as_memory().is_some();
        if !is_board || variant.indexable() > INDICES {
            continue;
        }
        let positions = compare(&variant, &text);
        compared += positions;
        for key in keys
            .into_iter()
            .filter(|key| positions > 10 && text.contains(*key))
        {
            *seen.entry(key).or_default() += 1;
        }
    }
    assert!(compared > 20_000, "{compared}");
    for key in keys {
        assert!(
            seen.get(key).is_some_and(|games| *games >= 5),
            "{key}: {seen:?}"
        );
    }
}

// The laws of texts, symmetries and indices on every kind of position.
/// Where lines are counted, a player who may raise nothing passes as long as the other may raise, and the
/// lines are counted when nobody may.
#[test]
fn who_may_raise_nothing_passes_where_lines_are_counted() {
    let rules = "patterns = ['11']\nwin-lines = 2\npass = 'free'\nmay = { first = [2], second = [1] }\n\
                 [board]\nsize = '1x4'\nlevels = 2\nline-length = 2\n";
    let variant = RuleFile::parse("own.toml", rules).unwrap().variant;
    let texts = |text: &str| variant.move_texts(&variant.parse_position(text).unwrap());
    assert_eq!(texts("....,first,lines=0:0"), ["pass"]);
    assert_eq!(texts("YYYY,second,lines=0:0"), [""; 0]);
    assert_eq!(texts("YYR.,second,lines=0:0"), ["d1R", "pass"]);
    assert!(compare(&variant, rules) > 0);
}

/// Patterns that no board of the game can show are patterns that never occur.
#[test]
fn patterns_above_the_levels_change_nothing() {
    let board = "[board]\nsize = '2x3'\nlevels = 2\n";
    for rules in [
        "patterns = ['111', '222', '333', '123']",
        "patterns = { 111 = 2, 233 = 3 }\nplay = 'points'",
        "patterns = ['333']\nstalemate = 'loss'\nlast-square = 'forbidden'",
        "goal = { first = ['111', '333'], second = ['133'] }",
    ] {
        let text = format!("{rules}\n{board}");
        let variant = RuleFile::parse("high.toml", &text).unwrap().variant;
        assert!(compare(&variant, &text) > 0, "{text}");
    }
}

#[test]
fn games_with_a_memory_obey_the_laws() {
    let mut seeded = SeededNumbers::new(18);
    let mut games = 0;
    while games < if SLOW { 500 } else { 60 } {
        let text = rule_file(&mut seeded);
        let Ok(file) = RuleFile::parse("random.toml", &text) else {
            continue;
        };
        let Some(game) = file
            .variant
            .as_memory()
            .filter(|game| game.indexable() < INDICES)
        else {
            continue;
        };
        games += 1;
        let sample =
            PositionSample::of_games(game, 1, 200).and(PositionSample::of_indices(game, 2, 200));
        let mut broken = laws::of_rule_file(&file.variant);
        broken.extend(laws::of_game(game, &sample));
        broken.extend(laws::of_dense(game, &sample));
        broken.extend(laws::of_ascending(game, &sample));
        broken.extend(laws::of_leaves(game, [0]));
        broken.extend(laws::of_lights(&file.variant, 3, 100));
        assert!(broken.is_empty(), "{text}\n{broken:#?}");
    }
}
