//! Positions that somebody got wrong, as puzzles.

use greenwave_game::At;
use greenwave_tablebase::{Error, QueryOptions, SCHEMA, Tablebase, Value};

use crate::puzzle::puzzle_at;
use crate::{Puzzle, keeps};

/// A position as a puzzle whose solutions are all moves that keep its value: the one that
/// [`puzzles`](crate::puzzles) makes of it, where it makes one. `None` where there is nothing to find: the game
/// is over, nothing is proven, or all moves are worth the same.
///
/// # Errors
/// When a table is damaged or of other rules.
pub fn practice(tablebase: &Tablebase, at: &At) -> Result<Option<Puzzle>, Error> {
    if let Some(puzzle) = puzzle_at(tablebase, at)? {
        return Ok(Some(puzzle));
    }
    let answer = tablebase.query_of(at, &QueryOptions::default())?;
    let worth: Vec<Option<bool>> = answer.moves.iter().map(|mv| keeps(&answer, mv)).collect();
    if !worth.contains(&Some(false)) || worth.contains(&None) {
        return Ok(None);
    }
    let goal = match answer.value {
        Value::Draw if answer.points.is_none() => "draw",
        Value::Win | Value::Loss | Value::Draw => "win",
        Value::Unknown => return Ok(None),
    };
    let kept = answer.moves.iter().zip(&worth);
    let kept: Vec<String> = kept
        .filter(|(_, keeps)| **keeps == Some(true))
        .map(|(mv, _)| mv.mv.clone())
        .collect();
    let line = tablebase.line_of(at)?;
    let mut solution: Vec<String> = line.plies.into_iter().map(|ply| ply.mv).collect();
    if goal == "draw" {
        solution.truncate(1);
    }
    Ok(Some(Puzzle {
        schema: SCHEMA,
        variant: answer.variant.clone(),
        lights: at.variant().rules().lights_name(),
        position: answer.position.clone(),
        at: *at.position(),
        level: match answer.distance {
            Some(0..=3) => 1,
            Some(4..=8) => 2,
            Some(_) | None => 3,
        },
        solution,
        only_moves: usize::from(kept.len() == 1),
        distance: answer.distance,
        goal,
        // Several moves may keep the value here.
        themes: Vec::new(),
        keeps: kept,
    }))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use greenwave_game::Variant;
    use greenwave_tablebase::Place;

    use super::*;
    use crate::{PuzzleOptions, puzzles};

    #[test]
    fn positions_with_something_to_find_are_puzzles() {
        let tablebase = Tablebase::open("no-such-folder").unwrap();
        let variant = Arc::new(Variant::parse("classic-3x3").unwrap());
        let of = |text: &str| {
            let at = At::read(Arc::clone(&variant), text).unwrap();
            practice(&tablebase, &at).unwrap()
        };
        let puzzle = of("..G/.R./Y..").unwrap();
        let options = QueryOptions::default();
        let answer = tablebase
            .query_at(&variant, &Place::at("..G/.R./Y.."), &options)
            .unwrap();
        let winning = answer.moves.iter();
        let winning = winning.filter(|mv| mv.value == Some(Value::Win));
        assert_eq!(puzzle.keeps.len(), winning.count());
        assert_eq!(puzzle.solution.len() as u32, puzzle.distance.unwrap());
        assert!(puzzle.keeps.contains(&puzzle.solution[0]));
        // What was printed as a puzzle is the same one when it is handed back.
        let options = PuzzleOptions {
            count: 40,
            seed: 3,
            ..PuzzleOptions::default()
        };
        let printed = puzzles(&tablebase, &variant, &options).unwrap();
        assert!(printed.iter().any(|puzzle| puzzle.only_moves > 1));
        for puzzle in printed.iter() {
            assert_eq!(of(&puzzle.position).as_ref(), Some(puzzle));
        }
        // Here every move loses, and there the game is over.
        assert!(of(".../.R./...").is_none());
        assert!(of("RRR/.../...").is_none());
    }
}
