//! The rules of fixed boards in words, made from the rules themselves.

use crate::{
    Argument, BoardRules, Lights, LineScore, Play, Sentence, Stalemate, Supply, WinPattern,
};

vocabulary! {
    WORDS, "board", BoardSentence:
    Size Outline Raises Step LineAmongLines Line LinesRemoved Patterns Pattern ScoringPattern NoPattern
    LineWins LineLoses LineEnds LinesScore EachLine EachRun Unlimited Cap Pool StuckDraws StuckLoses
    StuckPasses Empty Red Yellow Green
}

/// The names of the levels, 0 to 3.
pub(crate) fn levels(lights: Lights) -> [Sentence; 4] {
    use BoardSentence::{Empty, Green, Red, Yellow};
    let order = match lights {
        Lights::Ryg => [Empty, Red, Yellow, Green],
        Lights::Gyr => [Empty, Green, Yellow, Red],
    };
    order.map(BoardSentence::plain)
}

/// One sentence each. A line of a board that is part of a larger one cannot be counted here: there are
/// `all_cells` squares.
pub(crate) fn board(rules: &BoardRules, lights: Lights, all_cells: usize) -> Vec<Sentence> {
    let mut sentences = moves_and_lines(rules, lights, all_cells);
    sentences.extend(counters(rules));
    sentences
}

/// What holds wherever the counters come from.
pub(crate) fn moves_and_lines(
    rules: &BoardRules,
    lights: Lights,
    all_cells: usize,
) -> Vec<Sentence> {
    let shape = &rules.shape;
    let (ranks, files, cells) = (shape.ranks(), shape.files(), shape.cells());
    let squares = Argument::number(cells);
    let mut sentences = Vec::new();
    sentences.push(if usize::from(ranks) * usize::from(files) == cells {
        let [ranks, files] = [ranks, files].map(Argument::number);
        BoardSentence::Size.with([squares, ranks, files])
    } else {
        BoardSentence::Outline.with([squares, Argument::Text(shape.outline())])
    });
    let names = levels(lights);
    let highest = usize::from(rules.levels);
    let steps = names[..=highest].windows(2).map(|pair| {
        let [from, to] = [&pair[0], &pair[1]].map(|light| light.clone().into());
        BoardSentence::Step.with([from, to])
    });
    let steps = Argument::List(steps.collect());
    sentences.push(BoardSentence::Raises.with([steps, names[highest].clone().into()]));
    let length = Argument::number(rules.line_length);
    sentences.push(if all_cells == cells {
        let lines = shape.lines(rules.line_length).len();
        BoardSentence::LineAmongLines.with([length, Argument::number(lines)])
    } else {
        BoardSentence::Line.with([length])
    });
    let removed = shape.removed_lines();
    if !removed.is_empty() {
        sentences.push(BoardSentence::LinesRemoved.with([Argument::Text(removed.join(", "))]));
    }
    sentences.push(patterns(rules, lights));
    let line = match rules.play {
        Play::Normal => BoardSentence::LineWins,
        Play::Misere => BoardSentence::LineLoses,
        Play::FirstLine => BoardSentence::LineEnds,
        Play::PlayOn => BoardSentence::LinesScore,
    };
    sentences.push(line.plain());
    if rules.play.scores() {
        let run = match rules.line_score {
            LineScore::EachLine => BoardSentence::EachLine,
            LineScore::EachRun => BoardSentence::EachRun,
        };
        sentences.push(run.plain());
    }
    sentences
}

// How many counters there are, and what happens where none can be placed.
fn counters(rules: &BoardRules) -> Vec<Sentence> {
    let mut sentences = vec![match rules.supply {
        Supply::Unlimited => BoardSentence::Unlimited.plain(),
        Supply::Cap(limit) => BoardSentence::Cap.with([Argument::number(limit)]),
        Supply::Pool(limit) => BoardSentence::Pool.with([Argument::number(limit)]),
    }];
    if !rules.play.scores() {
        let stuck = match rules.stalemate {
            Stalemate::Draw => BoardSentence::StuckDraws,
            Stalemate::Loss => BoardSentence::StuckLoses,
            Stalemate::Pass => BoardSentence::StuckPasses,
        };
        sentences.push(stuck.plain());
    }
    sentences
}

fn patterns(rules: &BoardRules, lights: Lights) -> Sentence {
    let names = levels(lights);
    let mirrored =
        |pattern: &WinPattern| -> Vec<u8> { pattern.levels.iter().rev().copied().collect() };
    let list: Vec<Sentence> = rules
        .patterns
        .iter()
        .filter(|pattern| pattern.levels <= mirrored(pattern))
        .map(|pattern| {
            let line = pattern.levels.iter();
            let line = line.map(|level| names[usize::from(*level)].clone());
            let row = Argument::Row(line.collect());
            if rules.play.scores() {
                BoardSentence::ScoringPattern.with([row, Argument::number(pattern.points)])
            } else {
                BoardSentence::Pattern.with([row])
            }
        })
        .collect();
    if list.is_empty() {
        return BoardSentence::NoPattern.plain();
    }
    BoardSentence::Patterns.with([Argument::List(list)])
}
