//! Puzzles: one move wins or saves the draw, and the seed decides which are found.

use std::collections::HashSet;

use greenwave_game::Game;
use greenwave_play::{PuzzleOptions, Puzzles, puzzles};
use greenwave_tablebase::{Tablebase, Value};

use crate::{asked, small, variant};

fn found(tablebase: &Tablebase, name: &str, level: Option<u8>, count: usize, seed: u64) -> Puzzles {
    let options = PuzzleOptions {
        count,
        seed,
        level,
        theme: None,
    };
    puzzles(tablebase, &variant(name), &options).unwrap()
}

#[test]
fn puzzles_have_one_solution_and_follow_from_the_seed() {
    let tablebase = small();
    let game = variant("classic-3x3");
    for (level, plies) in [(1, 1..=3), (2, 5..=7), (3, 9..=99)] {
        let some = found(&tablebase, "classic-3x3", Some(level), 4, 9);
        let again = found(&tablebase, "classic-3x3", Some(level), 4, 9);
        assert!(some.iter().eq(again.iter()) && some.iter().count() == 4);
        let mut orbits = HashSet::new();
        for puzzle in some.iter() {
            let answer = asked(&tablebase, &game, &puzzle.position);
            let wins = answer
                .moves
                .iter()
                .filter(|mv| mv.value == Some(Value::Win));
            let wins: Vec<&str> = wins.map(|mv| mv.mv.as_str()).collect();
            assert_eq!(wins, [&puzzle.solution[0]], "{puzzle:?}");
            assert_eq!(answer.distance, puzzle.distance, "{puzzle:?}");
            assert!(plies.contains(&puzzle.distance.unwrap()), "{puzzle:?}");
            let canonical = game.canonical(&puzzle.at);
            assert!(
                orbits.insert(canonical),
                "{puzzle:?} is the image of another"
            );
        }
    }
}

#[test]
fn where_nothing_wins_a_puzzle_saves_the_draw() {
    let tablebase = small();
    let saved = found(&tablebase, "noughts-3x3", None, 40, 0);
    let mut draws = saved
        .iter()
        .filter(|puzzle| puzzle.goal == "draw")
        .peekable();
    assert!(draws.peek().is_some());
    for puzzle in draws {
        let answer = asked(&tablebase, &variant("noughts-3x3"), &puzzle.position);
        assert_eq!(answer.value, Value::Draw, "{puzzle:?}");
        assert_eq!(answer.best, puzzle.solution[..1], "{puzzle:?}");
    }
}

#[test]
fn levels_of_scored_games_follow_from_the_moves_that_look_safe() {
    let tablebase = small();
    for (level, expected) in [(3, 95), (4, 25), (5, 11)] {
        let all = found(&tablebase, "points-3x3", Some(level), 1000, 0);
        assert_eq!(all.iter().count(), expected, "level {level}");
        // All nine first moves look safe, and one wins.
        let empty = all.iter().find(|puzzle| puzzle.position == ".../.../...");
        let solution = empty.map(|puzzle| puzzle.solution[0].as_str());
        assert_eq!(solution, (level == 3).then_some("b2R"));
    }
}
