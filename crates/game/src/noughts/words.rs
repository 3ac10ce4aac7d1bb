//! The rules of noughts and crosses in words.

use super::{LineMeaning, NoughtsGame};
use crate::{Argument, Sentence};

vocabulary! {
    WORDS, "noughts", NoughtsSentence:
    Size Marks LineWins LineLoses FullBoard
}

/// One sentence each.
pub(super) fn noughts(game: &NoughtsGame) -> Vec<Sentence> {
    let shape = &game.shape;
    let line = match game.play {
        LineMeaning::Normal => NoughtsSentence::LineWins,
        LineMeaning::Misere => NoughtsSentence::LineLoses,
    };
    let [ranks, files] = [shape.ranks(), shape.files()].map(Argument::number);
    vec![
        NoughtsSentence::Size.with([Argument::number(shape.cells()), ranks, files]),
        NoughtsSentence::Marks.plain(),
        line.with([
            Argument::number(game.line),
            Argument::number(game.lines.len()),
        ]),
        NoughtsSentence::FullBoard.plain(),
    ]
}
