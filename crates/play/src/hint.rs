//! Hints in steps: is it won, where, which move.

use greenwave_game::{Outcome, counted_points};
use greenwave_tablebase::{Answer, Value};

/// Number of steps.
pub const HINTS: usize = 3;

/// A step of a hint, from 1: how the position stands, where the best moves are, which they are. Moves
/// are written by `written`.
#[must_use]
pub fn hint(answer: &Answer, step: usize, written: impl Fn(&str) -> String) -> String {
    match step {
        0 | 1 => standing(answer),
        2 => {
            let mut places: Vec<String> = named(answer).iter().map(|mv| place(mv)).collect();
            places.dedup();
            match places.as_slice() {
                [] => "there is no move".into(),
                [one] => format!("look at {one}"),
                many => format!("look at {}", many.join(", ")),
            }
        }
        _ => {
            let moves: Vec<String> = named(answer).iter().map(|mv| written(mv)).collect();
            if answer.best.is_empty() && answer.value == Value::Unknown {
                return format!("not proven; what looks best: {}", moves.join(" "));
            }
            format!("best: {}", moves.join(" "))
        }
    }
}

/// The best moves, else those that look best.
fn named(answer: &Answer) -> Vec<&str> {
    match &answer.estimate {
        Some(estimate) if answer.best.is_empty() => {
            estimate.moves.iter().map(String::as_str).collect()
        }
        _ => answer.best.iter().map(String::as_str).collect(),
    }
}

fn standing(answer: &Answer) -> String {
    if let Some(odds) = answer.odds {
        return format!("you can expect {:+.3}", odds.expectation);
    }
    if let Some(points) = answer.points {
        return match points {
            0 => "you come out level".into(),
            points => format!("you come out at {}", counted_points(points)),
        };
    }
    let keeping = answer
        .moves
        .iter()
        .filter(|mv| crate::keeps(answer, mv) == Some(true))
        .count();
    match answer.value.outcome() {
        Some(Outcome::Win) if keeping == 1 => "you win, by one move only".into(),
        Some(Outcome::Win) => format!("you win; {keeping} moves keep it"),
        Some(Outcome::Draw) if keeping == 1 => "a draw, saved by one move only".into(),
        Some(Outcome::Draw) => format!("a draw; {keeping} moves keep it"),
        Some(Outcome::Loss) => "you lose against best play; hold out".into(),
        None => "nobody knows: not proven".into(),
    }
}

/// Where a move is made: its square, else the whole move.
fn place(mv: &str) -> String {
    let letters = mv.bytes().take_while(u8::is_ascii_lowercase).count();
    let digits = mv[letters..].bytes().take_while(u8::is_ascii_digit).count();
    if letters == 1 && digits > 0 {
        mv[..letters + digits].to_string()
    } else {
        mv.split('-').next().unwrap_or(mv).to_string()
    }
}
