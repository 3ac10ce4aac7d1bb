//! Small pictures of positions, beside the plies of a record: seen and not read.

use std::fmt::Write;

use greenwave_game::Mark;

/// What stands where, in a few hundred bytes. `place` is further attributes of the picture.
pub(super) fn mini(marks: &[(u16, u16, Mark)], letter: impl Fn(u8) -> char, place: &str) -> String {
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
    format!(
        "<svg class=\"mini\" {place}viewBox=\"0 0 {width} {height}\" aria-hidden=\"true\"><path d=\"{empty}\"/>{lit}</svg>"
    )
}
