//! The rules of noughts and crosses in words.

use super::rules::LineMeaning;
use crate::{Argument, Sentence, Shape};

vocabulary! {
    WORDS, "noughts", NoughtsSentence:
    Size Marks LineWins LineLoses FullBoard
}

/// One sentence each: the board, the meaning of a line, its squares, and how many lines there are.
pub(super) fn noughts(shape: &Shape, play: LineMeaning, length: u8, lines: usize) -> Vec<Sentence> {
    let line = match play {
        LineMeaning::Normal => NoughtsSentence::LineWins,
        LineMeaning::Misere => NoughtsSentence::LineLoses,
    };
    let [ranks, files] = [shape.ranks(), shape.files()].map(Argument::number);
    vec![
        NoughtsSentence::Size.with([Argument::number(shape.cells()), ranks, files]),
        NoughtsSentence::Marks.plain(),
        line.with([Argument::number(length), Argument::number(lines)]),
        NoughtsSentence::FullBoard.plain(),
    ]
}
