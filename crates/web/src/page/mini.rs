//! Small pictures of positions, beside the plies of a record: seen and not read.

use std::fmt::Write;

use greenwave_game::Mark;

/// What stands where, in a few hundred bytes. `place` is further attributes of the picture.
pub(super) fn mini(marks: &[(u16, u16, Mark)], letter: impl Fn(u8) -> char, place: &str) -> String {
    with_moves(marks, letter, place, &MiniMoves::default())
}

/// What is drawn over a small picture, by places among its marks.
#[derive(Clone, Debug, Default)]
pub(crate) struct MiniMoves {
    /// The square of a move, in a frame.
    pub(crate) made: Option<usize>,
    /// The square of the reply to it, in a ring.
    pub(crate) reply: Option<usize>,
    /// The lines that the reply completes, drawn through.
    pub(crate) lines: Vec<Vec<usize>>,
    /// Squares with a mark of their own each: safe moves can be made there.
    pub(crate) safe: Vec<usize>,
}

/// The same with moves drawn over it.
pub(super) fn with_moves(
    marks: &[(u16, u16, Mark)],
    letter: impl Fn(u8) -> char,
    place: &str,
    moves: &MiniMoves,
) -> String {
    let most = |of: fn(&(u16, u16, Mark)) -> u16| marks.iter().map(of).max().unwrap_or(0);
    let least = |of: fn(&(u16, u16, Mark)) -> u16| marks.iter().map(of).min().unwrap_or(0);
    let (left, top) = (least(|mark| mark.0), least(|mark| mark.1));
    // Columns are half squares, rows whole ones.
    let width = 4 * (most(|mark| mark.0) - left) + 8;
    let height = 8 * (most(|mark| mark.1) - top) + 8;
    let mut empty = String::new();
    let mut lit = String::new();
    for (x, y, mark) in marks {
        let (x, y) = (4 * (x - left), 8 * (y - top));
        let stands = match mark {
            Mark::Level(0) | Mark::Sign(None) | Mark::Point => None,
            Mark::Level(level) => Some(letter(*level)),
            Mark::Disc { colour, .. } => Some(*colour),
            Mark::Sign(Some(sign)) => Some(*sign),
        };
        let _ = match stands.map(|letter| letter.to_ascii_lowercase()) {
            Some('x') => write!(
                lit,
                "<path class=\"ink\" d=\"M{} {}l4 4m0-4l-4 4\"/>",
                x + 2,
                y + 2
            ),
            Some('o') => write!(
                lit,
                "<circle class=\"ink\" cx=\"{}\" cy=\"{}\" r=\"2.2\"/>",
                x + 4,
                y + 4
            ),
            Some(letter) => write!(
                lit,
                "<circle class=\"lamp-{}\" cx=\"{}\" cy=\"{}\" r=\"3.4\"/>",
                letter,
                x + 4,
                y + 4
            ),
            None => write!(empty, "M{} {}h6v6h-6z", x + 1, y + 1),
        };
    }
    let corner = |at: &usize| {
        let (x, y, _) = marks.get(*at)?;
        Some((4 * (x - left), 8 * (y - top)))
    };
    if let Some((x, y)) = moves.made.as_ref().and_then(corner) {
        let _ = write!(
            lit,
            "<rect class=\"made\" x=\"{x}.4\" y=\"{y}.4\" width=\"7.2\" height=\"7.2\" rx=\"1.6\"/>"
        );
    }
    for line in &moves.lines {
        let ends = line
            .iter()
            .filter_map(corner)
            .map(|(x, y)| format!("{} {}", x + 4, y + 4));
        let path = ends.collect::<Vec<_>>().join("L");
        let _ = write!(
            lit,
            "<path class=\"under-line\" d=\"M{path}\"/><path class=\"through\" d=\"M{path}\"/>"
        );
    }
    for (x, y) in moves.safe.iter().filter_map(corner) {
        let _ = write!(
            lit,
            "<rect class=\"safe\" x=\"{x}.6\" y=\"{y}.6\" width=\"6.8\" height=\"6.8\" rx=\"1.6\"/>"
        );
    }
    if let Some((x, y)) = moves.reply.as_ref().and_then(corner) {
        let (x, y) = (x + 4, y + 4);
        let _ = write!(
            lit,
            "<circle class=\"reply\" cx=\"{x}\" cy=\"{y}\" r=\"3.5\"/>"
        );
    }
    format!(
        "<svg class=\"mini\" {place}viewBox=\"0 0 {width} {height}\" aria-hidden=\"true\"><path d=\"{empty}\"/>{lit}</svg>"
    )
}
