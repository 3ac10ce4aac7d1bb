//! Boards played at once, by their nimbers, against the whole game graph of the sum.

use greenwave_game::{BoardGame, Game, Metric, Variant};
use greenwave_probe::{Summand, best_of_sum, nimber_of_sum, summand};
use greenwave_solver::solve;
use greenwave_testkit::{PositionSample, SumReference};
use greenwave_values::{Silent, SolvedValues};

type Position = <BoardGame as Game>::Position;
type Move = <BoardGame as Game>::Move;

/// A board with the nimber and the moves of each position asked.
struct Part {
    game: BoardGame,
    positions: Vec<(Position, Summand<Move>)>,
}

impl Part {
    /// All positions from an index on, reachable or not. Moves lead to higher indices.
    fn new(name: &str, first: usize) -> Part {
        let variant = Variant::parse(name).unwrap();
        let values = solve(&variant, Metric::Nimber, u64::MAX, &Silent).unwrap();
        let Variant::Board(game) = variant else {
            panic!("{name} is no board");
        };
        let source = SolvedValues::new(&game, &values);
        let positions = PositionSample::of_all(&game)
            .positions
            .into_iter()
            .skip(first)
            .map(|position| {
                let found = summand(&game, &position, &source).unwrap();
                (position, found.unwrap())
            })
            .collect();
        Part { game, positions }
    }
}

/// Compares every combination of the positions; returns how many were won and lost.
fn compare(parts: &[Part]) -> (usize, usize) {
    let mut reference = SumReference::new(parts.iter().map(|part| &part.game).collect());
    let mut counts = (0, 0);
    let combinations: usize = parts.iter().map(|part| part.positions.len()).product();
    for combination in 0..combinations {
        let mut rest = combination;
        let (mut positions, mut boards) = (Vec::new(), Vec::new());
        for part in parts {
            let (position, summand) = &part.positions[rest % part.positions.len()];
            rest /= part.positions.len();
            positions.push(*position);
            boards.push(summand);
        }
        let nimber = nimber_of_sum(boards.iter().map(|board| board.nimber));
        let wins = reference.wins(&positions);
        assert_eq!(nimber != 0, wins, "{positions:?}");
        let best = best_of_sum(&boards);
        if wins {
            assert_eq!(best, reference.winning(&positions), "{positions:?}");
            counts.0 += 1;
        } else {
            let moves: usize = boards.iter().map(|board| board.moves.len()).sum();
            assert_eq!(best.len(), moves, "all lose alike: {positions:?}");
            counts.1 += 1;
        }
    }
    counts
}

#[test]
fn two_boards_and_every_position() {
    for [a, b] in [
        ["classic-1x3", "signal-1x4"],
        ["green-1x4", "signal-1x3"],
        ["signal-1x4", "signal-1x4"],
    ] {
        let (won, lost) = compare(&[Part::new(a, 0), Part::new(b, 0)]);
        assert!(won > 1000 && lost > 100, "{a} {b}: {won} won, {lost} lost");
    }
}

#[test]
fn a_larger_board_with_a_small_one() {
    let (won, lost) = compare(&[Part::new("classic-2x3", 0), Part::new("green-1x3", 0)]);
    assert!(won > 1000 && lost > 100, "{won} won, {lost} lost");
}

#[test]
fn three_and_four_boards() {
    let rows = ["classic-1x3", "signal-1x3", "green-1x3"].map(|name| Part::new(name, 0));
    let (won, lost) = compare(&rows);
    assert!(won > 1000 && lost > 1000, "{won} won, {lost} lost");
    // The last square is at its highest level, and the others at any.
    let four = ["classic-1x3", "signal-1x3", "green-1x3", "classic-3x1"];
    let (won, lost) = compare(&four.map(|name| Part::new(name, 48)));
    assert!(won > 1000 && lost > 1000, "{won} won, {lost} lost");
}

#[test]
fn the_reference_knows_the_sum_of_a_board_and_its_copy() {
    let variant = Variant::parse("classic-1x4").unwrap();
    let Variant::Board(game) = &variant else {
        unreachable!()
    };
    let start = game.start();
    let mut reference = SumReference::new(vec![game, game]);
    // Whoever answers each move on the other board makes the last one.
    assert!(!reference.wins(&[start, start]));
    assert!(reference.positions() > 1000);
}
