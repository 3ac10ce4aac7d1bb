//! The rules of games with a strip in words, made from the rules themselves.

use crate::board::words::{board, moves_and_lines};
use crate::{Argument, Rules, Sentence, Side, Sides, StripRules, Succession};

vocabulary! {
    WORDS, "strip", StripSentence:
    Strip AnyEdgeTurning AnyEdge NextEdgeTurning NextEdge NoNullMoves NoEmptyMoves Free Barred Lies
    BarredNow North East South West
}

/// One sentence each.
pub(super) fn strip_board(strip: &StripRules, rules: &Rules) -> Vec<Sentence> {
    with_strip(board(&strip.main, rules), 2, strip)
}

/// What holds wherever the counters come from.
pub(crate) fn strip_moves_and_lines(strip: &StripRules, rules: &Rules) -> Vec<Sentence> {
    with_strip(moves_and_lines(&strip.main, rules), 1, strip)
}

/// Where the strip lies, and what its squares are called there.
pub(super) fn lies(side: Side, length: u16, names: &[String]) -> Sentence {
    StripSentence::Lies.with([
        phrase(side).into(),
        Argument::number(length),
        Argument::Text(names.join(" ")),
    ])
}

/// The side at which the strip lies, if that is what a note beside a board says.
#[must_use]
pub fn strip_side(note: &Sentence) -> Option<Side> {
    let is_of_place = note.key == StripSentence::Lies.plain().key && note.vocabulary == &WORDS;
    let side = note.arguments.first().filter(|_| is_of_place)?;
    let mut sides = Side::LISTED.into_iter();
    sides.find(|one| *side == phrase(*one).into())
}

fn phrase(side: Side) -> Sentence {
    let side = match side {
        Side::North => StripSentence::North,
        Side::East => StripSentence::East,
        Side::South => StripSentence::South,
        Side::West => StripSentence::West,
    };
    side.plain()
}

// The strip comes after the size of the board, which takes `size` sentences.
fn with_strip(mut sentences: Vec<Sentence>, size: usize, rules: &StripRules) -> Vec<Sentence> {
    sentences.splice(size..size, strip(rules));
    sentences
}

fn strip(rules: &StripRules) -> Vec<Sentence> {
    let length = rules.main.shape.ranks();
    let mut sentences = vec![StripSentence::Strip.with([Argument::number(length)])];
    let slide = match (rules.sides, rules.turns) {
        (Sides::Any, true) => StripSentence::AnyEdgeTurning,
        (Sides::Any, false) => StripSentence::AnyEdge,
        (Sides::Adjacent, true) => StripSentence::NextEdgeTurning,
        (Sides::Adjacent, false) => StripSentence::NextEdge,
    };
    sentences.push(slide.plain());
    if !rules.null_moves {
        sentences.push(StripSentence::NoNullMoves.plain());
    }
    if !rules.empty_moves {
        sentences.push(StripSentence::NoEmptyMoves.plain());
    }
    let succession = match rules.succession {
        Succession::Free => StripSentence::Free,
        Succession::Barred => StripSentence::Barred,
    };
    sentences.push(succession.plain());
    sentences
}
