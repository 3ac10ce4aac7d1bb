//! Games that others have solved, as rule files, and a theorem about the pie rule.

use greenwave_game::{Game, Metric, Outcome, RuleFile, Variant};
use greenwave_solver::solve;
use greenwave_values::Silent;

fn variant(text: &str) -> Variant {
    let file = RuleFile::parse("known.toml", text);
    file.unwrap_or_else(|error| panic!("{text}: {error}"))
        .variant
}

fn value(text: &str) -> Outcome {
    let variant = variant(text);
    let values = solve(&variant, Metric::Distance, u64::MAX, &Silent);
    let values = values.unwrap_or_else(|error| panic!("{error}"));
    let figures =
        greenwave_game::with_game!(&variant, game => values.figures_of(game, &game.start()));
    figures.value.expect("a value")
}

/// The nim-values of the octal game 0.007: remove three in a row and leave the rest as up to two heaps.
fn treblecross(heaps: usize) -> Vec<u32> {
    let mut nimbers: Vec<u32> = Vec::new();
    for heap in 0..=heaps {
        let rests =
            (0..heap.saturating_sub(2)).map(|left| nimbers[left] ^ nimbers[heap - 3 - left]);
        let rests: Vec<u32> = rests.collect();
        nimbers.push(
            (0..)
                .find(|nimber| !rests.contains(nimber))
                .expect("a least number"),
        );
    }
    nimbers
}

// E. R. Berlekamp, J. H. Conway and R. K. Guy, Winning Ways for your Mathematical Plays, chapter 4:
// Treblecross on a strip of n squares is won as a heap of n + 2 in the octal game 0.007.
#[test]
fn treblecross_is_the_octal_game_0_007() {
    let nimbers = treblecross(14);
    assert_eq!(nimbers, [0, 0, 0, 1, 1, 1, 2, 2, 0, 3, 3, 1, 1, 1, 0]);
    for squares in 3..=if cfg!(feature = "slow-tests") { 12 } else { 9 } {
        let found = value(&format!(
            "patterns = ['111']\nboard = {{ size = '1x{squares}', levels = 1 }}"
        ));
        let lost = nimbers[squares + 2] == 0;
        let expected = if lost { Outcome::Loss } else { Outcome::Win };
        assert_eq!(found, expected, "{squares} squares");
    }
}

// As if one player cuts and the other chooses: with the pie rule the first player can do no better
// than the most even first move. So the game is drawn where some first move draws without it, and
// lost otherwise.
#[test]
fn with_a_pie_rule_the_first_player_never_wins() {
    let (mut drawn, mut lost) = (0, 0);
    for rules in [
        "patterns = ['111', '222', '333']\nboard.size = '2x3'",
        "patterns = ['111', '222', '333']\nplay = 'misere'\nboard.size = '2x3'",
        "patterns = ['111', '222']\nboard = { size = '3x3', levels = 2 }",
        "patterns = ['111']\nboard = { size = '1x7', levels = 1 }",
        "patterns = ['111']\nsupply = 'cap4'\nboard = { size = '2x4', levels = 1 }",
        "patterns = ['222']\nsupply = 'pool5'\nboard = { size = '2x4', levels = 2 }",
    ] {
        let plain = variant(rules);
        let game = plain.as_board().expect("a board");
        let values = solve(&plain, Metric::Distance, u64::MAX, &Silent).expect("solved");
        let mut moves = Vec::new();
        game.moves(&game.start(), &mut moves);
        let evens = moves.iter().any(|mv| {
            let to = game.play(&game.start(), *mv).to;
            values.figures_of(game, &to).value == Some(Outcome::Draw)
        });
        let expected = if evens { Outcome::Draw } else { Outcome::Loss };
        assert_eq!(value(&format!("swap = true\n{rules}")), expected, "{rules}");
        *(if evens { &mut drawn } else { &mut lost }) += 1;
    }
    assert!(drawn > 0 && lost > 0, "{drawn} and {lost}");
}

// Whoever would lose hands the turn over with it, and whoever would win keeps it.
#[test]
fn a_pass_that_only_one_player_has_wins() {
    for rules in [
        "patterns = ['111', '222', '333']\nboard.size = '2x3'",
        "patterns = ['111', '222']\nboard = { size = '3x3', levels = 2 }",
        "patterns = ['111']\nboard = { size = '1x7', levels = 1 }",
    ] {
        let once = variant(&format!("pass = 'once'\n{rules}"));
        let values = solve(&once, Metric::Distance, u64::MAX, &Silent).expect("solved");
        let game = once.as_memory().expect("a memory");
        let plain = variant(rules);
        let board = plain.as_board().expect("a board");
        let alone = solve(&plain, Metric::Distance, u64::MAX, &Silent).expect("solved");
        // Who wins without passes answers a pass with a pass.
        let of = |passes: &str| {
            let text = board.position_text(&board.start()) + ",passes=" + passes;
            let position = game.parse_position(&text).expect("a position");
            values.figures_of(game, &position).value
        };
        assert_eq!(
            of("0:0"),
            alone.figures_of(board, &board.start()).value,
            "{rules}"
        );
        assert_eq!(
            of("1:0"),
            Some(Outcome::Win),
            "{rules}: a pass that the other lacks"
        );
    }
}
