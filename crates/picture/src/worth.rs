//! What moves are worth, on their squares.

use greenwave_game::{Diagram, Figures};

use crate::picture::{Tag, Tone};
use crate::squares::{MovePlace, place};

/// A tag for every square on which a move is made, with the value of the best one there: `W 5` wins in
/// five plies, `D` draws, `L 18` loses in eighteen; points and expectations with their sign. `moves`
/// are in the order best first; the first `best` of them stand out.
#[must_use]
pub fn value_tags(diagram: &Diagram, moves: &[(&str, Figures)], best: usize) -> Vec<Tag> {
    let mut tags: Vec<Tag> = Vec::new();
    for (rank, (text, figures)) in moves.iter().enumerate() {
        let square = match place(diagram, text) {
            MovePlace::Square(square) | MovePlace::Step(square, _) => square,
            MovePlace::Elsewhere => continue,
        };
        if tags.iter().any(|tag| tag.square == square) {
            continue;
        }
        let (short, tone) = short(figures);
        tags.push(Tag {
            square,
            label: format!("{text}: {short}"),
            text: short,
            tone,
            best: rank < best,
            href: None,
        });
    }
    tags
}

/// What moves are worth that are made on no square, best first: turns and slides of a strip, and what else
/// the game has; `None` where there are none.
#[must_use]
pub fn value_note(diagram: &Diagram, moves: &[(&str, Figures)]) -> Option<String> {
    let elsewhere = moves
        .iter()
        .filter(|(text, _)| place(diagram, text) == MovePlace::Elsewhere)
        .map(|(text, figures)| format!("{text} {}", short(figures).0));
    let said: Vec<String> = elsewhere.collect();
    (!said.is_empty()).then(|| format!("On no square, best first: {}.", said.join(", ")))
}

/// A value in a few characters.
fn short(figures: &Figures) -> (String, Tone) {
    let tone = Tone::of(figures.value);
    if let Some(odds) = &figures.odds {
        return (format!("{:+.2}", odds.expectation), tone);
    }
    if let Some(points) = figures.points {
        return (
            match points {
                0 => "0".into(),
                _ => format!("{points:+}"),
            },
            tone,
        );
    }
    let letter = match tone {
        Tone::Win => "W",
        Tone::Draw => "D",
        Tone::Loss => "L",
        Tone::Plain => "?",
    };
    match figures.distance {
        Some(plies) => (format!("{letter} {}", plies.0), tone),
        None => (letter.into(), tone),
    }
}
