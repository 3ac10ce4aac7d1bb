//! The values of moves, on their squares.

use greenwave_game::{Diagram, Figures, Outcome};

use crate::picture::{Ring, Tag, Tone};
use crate::squares::{MovePlace, place};

/// A tag for every square on which a move is made, with the value of the best one there. So `✓ 5`
/// wins in five plies, `=` draws, `✕ 18` loses in eighteen; points and expectations have their sign.
/// The list `moves` begins with the best. The first `best` of them stand out, and so do those that
/// keep the value.
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
            ring: ring(moves, rank, best),
            ..Tag::default()
        });
    }
    tags
}

/// How the move of a rank stands out; where most are worth the same, none does but the quickest.
#[must_use]
pub fn ring(moves: &[(&str, Figures)], rank: usize, best: usize) -> Ring {
    let (Some((_, lead)), Some((_, figures))) = (moves.first(), moves.get(rank)) else {
        return Ring::None;
    };
    let proven = lead.value.is_some() || lead.points.is_some() || lead.odds.is_some();
    let alike = |figures: &Figures| {
        (figures.value, figures.points) == (lead.value, lead.points) && lead.odds.is_none()
    };
    let keeps = match lead.value {
        Some(Outcome::Win | Outcome::Draw) => {
            let all = moves.iter().filter(|(_, figures)| alike(figures));
            alike(figures) && 2 * all.count() <= moves.len()
        }
        // No move can keep a position that is lost in any case.
        Some(Outcome::Loss) | None => false,
    };
    if 2 * best > moves.len() || !proven {
        Ring::None
    } else if rank < best {
        Ring::Quick
    } else if keeps {
        Ring::Keeps
    } else {
        Ring::None
    }
}

/// The values of moves that are made on no square, best first, with commas between: turns and
/// slides of a strip, and other moves of the game. `None` where there are none.
#[must_use]
pub fn value_note(diagram: &Diagram, moves: &[(&str, Figures)]) -> Option<String> {
    let elsewhere = moves
        .iter()
        .filter(|(text, _)| place(diagram, text) == MovePlace::Elsewhere)
        .map(|(text, figures)| format!("{text} {}", short(figures).0));
    let said: Vec<String> = elsewhere.collect();
    (!said.is_empty()).then(|| said.join(", "))
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
    let sign = tone.sign().unwrap_or("?");
    match figures.distance {
        Some(plies) => (format!("{sign} {}", plies.0), tone),
        None => (sign.into(), tone),
    }
}
