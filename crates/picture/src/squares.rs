//! Where on a diagram a move is made.

use greenwave_game::Diagram;

/// The squares that a move names, by their place among the marks of a diagram.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MovePlace {
    /// It changes one square: `b2R`, `+c2`.
    Square(usize),
    /// It takes a disc from a point to another: `d2-b1`.
    Step(usize, usize),
    /// It names no square: `slide-N`, `pass`, `+G` from the market.
    Elsewhere,
}

/// Where the move written as `text` is made on a diagram.
#[must_use]
pub fn place(diagram: &Diagram, text: &str) -> MovePlace {
    let find = |name: &str| diagram.names.iter().position(|known| known == name);
    // The counter taken from the market after the move says nothing about the board.
    let (added, text) = match text.strip_prefix('+') {
        Some(point) => (true, point),
        None => (false, text.split('+').next().unwrap_or(text)),
    };
    if let Some((from, to)) = text.split_once('-') {
        return match (find(from), find(to)) {
            (Some(from), Some(to)) => MovePlace::Step(from, to),
            _ => MovePlace::Elsewhere,
        };
    }
    let light = text.char_indices().next_back().map_or(0, |(at, _)| at);
    let square = find(text).or_else(|| (!added).then(|| find(&text[..light])).flatten());
    square.map_or(MovePlace::Elsewhere, MovePlace::Square)
}
