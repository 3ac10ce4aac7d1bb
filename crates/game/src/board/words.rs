//! The rules of fixed boards in words, made from the rules themselves.

use crate::notation::board_text;
use crate::shape::is_equal;
use crate::{
    Argument, BoardRules, Cell, Code, Grid, Line, LineScore, Outcomes, Outline, Play, Rules,
    Sentence, Stalemate, Supply, WinPattern, Wrap,
};

vocabulary! {
    WORDS, "board", BoardSentence:
    Size Outline Raises Step LineAmongLines Line LinesRemoved Patterns Pattern AllAlike ScoringPattern NoPattern
    NoLine     LineWins LineLoses LineEnds LinesScore EachLine EachLineAlone EachRun Unlimited Cap Pool StuckDraws StuckLoses
    StuckPasses Hexagonal JoinedFiles JoinedRanks JoinedBoth Tops LineAmongLinesAlong
    AlongRank AlongFile AlongDiagonal NoStraightLine Turns EqualLights MorePoints Figures FiguresAsDrawn Start
    StandingLines NotFirst Empty Red
    Yellow Green
}

/// The names of the levels, 0 to 3.
pub(crate) fn levels(of: &Rules) -> [Sentence; 4] {
    use BoardSentence::{Empty, Green, Red, Yellow};
    let red_first = [Empty, Red, Yellow, Green].map(BoardSentence::plain);
    of.order().arranged(red_first)
}

/// One sentence each, of the board and the declared rules of its game. A line of a board that is part of a
/// larger one cannot be counted here: the game has more squares.
pub(crate) fn board(rules: &BoardRules, of: &Rules) -> Vec<Sentence> {
    let mut sentences = vec![BoardSentence::Turns.plain()];
    sentences.extend(moves_and_lines(rules, of));
    sentences.extend(counters(rules, of.properties.outcomes));
    sentences.extend(opening(rules, of));
    sentences
}

/// What holds wherever the counters come from.
pub(crate) fn moves_and_lines(rules: &BoardRules, of: &Rules) -> Vec<Sentence> {
    let all_cells = of.cells as usize;
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
    let names = levels(of);
    let highest = usize::from(rules.levels);
    let steps = names[..=highest].windows(2).map(|pair| {
        let [from, to] = [&pair[0], &pair[1]].map(|light| light.clone().into());
        BoardSentence::Step.with([from, to])
    });
    let steps = Argument::List(steps.collect());
    sentences.push(BoardSentence::Raises.with([steps, names[highest].clone().into()]));
    if let Some(tops) = &rules.tops {
        sentences.push(BoardSentence::Tops.with([Argument::Text(digits(rules, tops))]));
    }
    sentences.extend(lines(rules, all_cells));
    let removed = shape.removed_lines();
    if !removed.is_empty() {
        sentences.push(BoardSentence::LinesRemoved.with([Argument::Text(removed.join(", "))]));
    }
    sentences.push(patterns(rules, of));
    if rules.patterns.is_empty() {
        return sentences;
    }
    let line = match rules.play {
        Play::Normal => BoardSentence::LineWins,
        Play::Misere => BoardSentence::LineLoses,
        Play::FirstLine => BoardSentence::LineEnds,
        Play::PlayOn => BoardSentence::LinesScore,
    };
    sentences.push(line.plain());
    if all_cells == shape.cells() && !has_possible_line(rules) {
        sentences.push(BoardSentence::NoLine.plain());
    }
    if rules.play.scores() {
        // Where edges are joined, a run can close to a ring, which has as many lines as squares.
        let rings = shape.geometry().wrap != Wrap::default();
        let run = match rules.line_score {
            LineScore::EachLine if rings => BoardSentence::EachLineAlone,
            LineScore::EachLine => BoardSentence::EachLine,
            LineScore::EachRun => BoardSentence::EachRun,
        };
        sentences.push(run.plain());
        sentences.push(BoardSentence::MorePoints.plain());
    }
    sentences
}

// Whether some line can show a pattern that counts: its squares start no higher and rise high enough.
fn has_possible_line(rules: &BoardRules) -> bool {
    has_line(rules, |cell, level| {
        (rules.opening.start.level(cell)..=rules.top(cell)).contains(&level)
    })
}

// Whether some line shows a pattern that counts before the first move.
fn has_standing_line(rules: &BoardRules) -> bool {
    has_line(rules, |cell, level| {
        rules.opening.start.level(cell) == level
    })
}

// Whether the squares of some line can have the levels of some pattern. A figure may be longer or shorter
// than a pattern, whose levels there are all equal.
fn has_line(rules: &BoardRules, can_have: impl Fn(Cell, u8) -> bool) -> bool {
    let fits = |line: &Line, pattern: &WinPattern| {
        let levels = pattern.levels.iter().cycle();
        let mut squares = line.cells.iter().zip(levels);
        line.takes(&pattern.levels) && squares.all(|(cell, level)| can_have(*cell, *level))
    };
    let lines = rules.shape.lines(rules.line_length);
    lines
        .iter()
        .any(|line| rules.patterns.iter().any(|pattern| fits(line, pattern)))
}

// The neighbours of each square, and the squares that make a line.
fn lines(rules: &BoardRules, all_cells: usize) -> Vec<Sentence> {
    let shape = &rules.shape;
    let geometry = shape.geometry();
    let mut sentences = Vec::new();
    if geometry.grid == Grid::Hex {
        sentences.push(BoardSentence::Hexagonal.plain());
    }
    match (geometry.wrap.files, geometry.wrap.ranks) {
        (false, false) => {}
        (true, false) => sentences.push(BoardSentence::JoinedFiles.plain()),
        (false, true) => sentences.push(BoardSentence::JoinedRanks.plain()),
        (true, true) => sentences.push(BoardSentence::JoinedBoth.plain()),
    }
    let directions = geometry.directions;
    let along: Vec<Sentence> = [
        (directions.rank, BoardSentence::AlongRank),
        (directions.file, BoardSentence::AlongFile),
        (directions.diagonal, BoardSentence::AlongDiagonal),
    ]
    .into_iter()
    .filter(|(counts, _)| *counts)
    .map(|(_, direction)| direction.plain())
    .collect();
    let straight = shape.lines(rules.line_length);
    let straight = straight
        .iter()
        .filter(|line| line.ordered && line.reading_of.is_none());
    let length = Argument::number(rules.line_length);
    let number = (all_cells == shape.cells()).then(|| Argument::number(straight.count()));
    sentences.push(match (number, along.len()) {
        (_, 0) => BoardSentence::NoStraightLine.plain(),
        (Some(number), 3) => BoardSentence::LineAmongLines.with([length, number]),
        // Part of a larger board, whose lines are all that there are.
        (None, _) => BoardSentence::Line.with([length]),
        (Some(number), _) => {
            BoardSentence::LineAmongLinesAlong.with([length, Argument::List(along), number])
        }
    });
    if !geometry.shapes.is_empty() {
        let figures = geometry.shapes.iter().map(Outline::text);
        let figures = Argument::Text(figures.collect::<Vec<_>>().join(", "));
        let sentence = if geometry.shapes_as_drawn {
            BoardSentence::FiguresAsDrawn
        } else {
            BoardSentence::Figures
        };
        sentences.push(sentence.with([figures]));
    }
    sentences
}

// How the game begins.
fn opening(rules: &BoardRules, of: &Rules) -> Vec<Sentence> {
    let mut sentences = Vec::new();
    let opening = &rules.opening;
    if opening.start != Code::EMPTY {
        let board = board_text(&rules.shape, opening.start, of.order());
        sentences.push(BoardSentence::Start.with([Argument::Text(board)]));
        if has_standing_line(rules) {
            sentences.push(BoardSentence::StandingLines.plain());
        }
    }
    if !opening.barred.is_empty() {
        let names = opening
            .barred
            .iter()
            .map(|cell| rules.shape.cell_name(*cell));
        let names = Argument::Text(names.collect::<Vec<_>>().join(", "));
        sentences.push(BoardSentence::NotFirst.with([names]));
    }
    sentences
}

// Levels of squares as rows from the top.
fn digits(rules: &BoardRules, levels: &[u8]) -> String {
    let shape = &rules.shape;
    let row = |rank: u8| -> String {
        let letter = |file| {
            let cell = shape.at(file, rank);
            cell.map_or_else(|| "-".into(), |cell| levels[cell.index()].to_string())
        };
        (0..shape.files()).map(letter).collect()
    };
    (0..shape.ranks())
        .rev()
        .map(row)
        .collect::<Vec<_>>()
        .join("/")
}

// The number of counters, and the rule where none can be placed.
fn counters(rules: &BoardRules, outcomes: Outcomes) -> Vec<Sentence> {
    let mut sentences = vec![match rules.supply {
        Supply::Unlimited => BoardSentence::Unlimited.plain(),
        Supply::Cap(limit) => BoardSentence::Cap.with([Argument::number(limit)]),
        Supply::Pool(limit) => BoardSentence::Pool.with([Argument::number(limit)]),
    }];
    // Where every end has a line, nobody asks for the other rule.
    if outcomes == Outcomes::WinDrawLoss {
        let stuck = match rules.stalemate {
            Stalemate::Draw => BoardSentence::StuckDraws,
            Stalemate::Loss => BoardSentence::StuckLoses,
            Stalemate::Pass => BoardSentence::StuckPasses,
        };
        sentences.push(stuck.plain());
    }
    sentences
}

/// The lights of a pattern one by one, or, where figures of any size are lines, that all are the same.
pub(crate) fn pattern_in_words(
    rules: &BoardRules,
    pattern: &WinPattern,
    names: &[Sentence; 4],
) -> Argument {
    let name = |level: &u8| names[usize::from(*level)].clone();
    let has_figures = !rules.shape.geometry().shapes.is_empty();
    match pattern.levels.first() {
        Some(level) if has_figures && is_equal(&pattern.levels) => {
            BoardSentence::AllAlike.with([name(level).into()]).into()
        }
        _ => Argument::Row(pattern.levels.iter().map(name).collect()),
    }
}

fn patterns(rules: &BoardRules, of: &Rules) -> Sentence {
    let names = levels(of);
    let mirrored =
        |pattern: &WinPattern| -> Vec<u8> { pattern.levels.iter().rev().copied().collect() };
    let list: Vec<Sentence> = rules
        .patterns
        .iter()
        .filter(|pattern| pattern.levels <= mirrored(pattern))
        .map(|pattern| {
            let row = pattern_in_words(rules, pattern, &names);
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
    let both_ways = |pattern: &WinPattern| pattern.levels == mirrored(pattern);
    let sentence = if rules.patterns.iter().all(both_ways) {
        BoardSentence::EqualLights
    } else {
        BoardSentence::Patterns
    };
    sentence.with([Argument::List(list)])
}
