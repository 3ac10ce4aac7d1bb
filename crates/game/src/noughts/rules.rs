//! What the squares of a board leave open of the rules, and the text that is hashed.

use crate::Shape;

/// What a line of own marks means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LineMeaning {
    /// It wins.
    Normal,
    /// It loses.
    Misere,
}

/// The rules spelled out in fixed order, independent of any name: the text that is hashed.
pub(super) fn canonical(shape: &Shape, line: u8, play: LineMeaning) -> String {
    let result = match play {
        LineMeaning::Normal => "wins",
        LineMeaning::Misere => "loses",
    };
    format!(
        "greenwave rules 1\nboard {}\nline-length {line}\nmarks of each player\n\
         a move marks an empty square\ncompleted line {result}\nfull board draw\n",
        shape.outline()
    )
}
