//! The rules of fixed boards in words, made from the rules themselves.

use crate::words::counted;
use crate::{BoardRules, Lights, LineScore, Play, Stalemate, Supply, WinPattern};

/// One sentence each. A line of a board that is part of a larger one cannot be counted here: there are
/// `all_cells` squares.
pub(crate) fn board(rules: &BoardRules, lights: Lights, all_cells: usize) -> Vec<String> {
    let mut sentences = moves_and_lines(rules, lights, all_cells);
    sentences.extend(counters(rules));
    sentences
}

/// What holds wherever the counters come from.
pub(crate) fn moves_and_lines(rules: &BoardRules, lights: Lights, all_cells: usize) -> Vec<String> {
    let names = lights.names();
    let shape = &rules.shape;
    let (ranks, files, cells) = (shape.ranks(), shape.files(), shape.cells());
    let mut sentences = Vec::new();
    sentences.push(if usize::from(ranks) * usize::from(files) == cells {
        format!(
            "The board has {}, {} and {}.",
            counted(cells, "square", "squares"),
            counted(ranks, "rank", "ranks"),
            counted(files, "file", "files")
        )
    } else {
        format!(
            "The board has {}, here from the top (# square, - gap): {}.",
            counted(cells, "square", "squares"),
            shape.outline()
        )
    });
    let raises: Vec<String> = (0..usize::from(rules.levels))
        .map(|level| format!("{} to {}", names[level], names[level + 1]))
        .collect();
    sentences.push(format!(
        "A move raises one square by one light: {}; {} is final.",
        raises.join(", "),
        names[usize::from(rules.levels)]
    ));
    let length = rules.line_length;
    let lines = if all_cells == cells {
        let lines = shape.lines(length).len() as i128;
        format!(
            "; the board has {}",
            counted(lines, "such line", "such lines")
        )
    } else {
        String::new()
    };
    sentences.push(format!(
        "A line is {} in a row along a rank, a file or a diagonal, without gaps{lines}.",
        counted(length, "square", "squares")
    ));
    let removed = shape.removed_lines();
    if !removed.is_empty() {
        sentences.push(format!("These do not count: {}.", removed.join(", ")));
    }
    sentences.push(patterns(rules, lights));
    sentences.push(
        match rules.play {
            Play::Normal => "Who completes a line wins.",
            Play::Misere => "Who completes a line loses.",
            Play::FirstLine => "The move that completes lines scores them all and ends the game.",
            Play::PlayOn => {
                "Lines score when they are completed, and the game goes on until no move is left."
            }
        }
        .into(),
    );
    if rules.play.scores() {
        sentences.push(
            match rules.line_score {
                LineScore::EachLine => {
                    "Overlapping lines score each: a run of equal lights one longer than a line counts twice."
                }
                LineScore::EachRun => "A run of equal lights scores once, however long.",
            }
            .into(),
        );
    }
    sentences
}

// How many counters there are, and what happens where none can be placed.
fn counters(rules: &BoardRules) -> Vec<String> {
    let mut sentences = vec![match rules.supply {
        Supply::Unlimited => "There are as many counters as needed.".into(),
        Supply::Cap(limit) => format!(
            "There are {limit} counters of each colour; replaced counters can be used again."
        ),
        Supply::Pool(limit) => format!(
            "There are {limit} counters of each colour for the whole game; replaced counters are gone."
        ),
    }];
    if !rules.play.scores() {
        sentences.push(
            match rules.stalemate {
                Stalemate::Draw => "If no move is left and no line stands, the game is drawn.",
                Stalemate::Loss => {
                    "If no move is left and no line stands, the player to move loses."
                }
                Stalemate::Pass => {
                    "A player without a move passes; both have the same moves, so the game is drawn."
                }
            }
            .into(),
        );
    }
    sentences
}

fn patterns(rules: &BoardRules, lights: Lights) -> String {
    let mirrored =
        |pattern: &WinPattern| -> Vec<u8> { pattern.levels.iter().rev().copied().collect() };
    let list: Vec<String> = rules
        .patterns
        .iter()
        .filter(|pattern| pattern.levels <= mirrored(pattern))
        .map(|pattern| {
            let line: Vec<&str> = pattern
                .levels
                .iter()
                .map(|level| lights.names()[usize::from(*level)])
                .collect();
            if rules.play.scores() {
                format!(
                    "{} ({})",
                    line.join("-"),
                    counted(pattern.points, "point", "points")
                )
            } else {
                line.join("-")
            }
        })
        .collect();
    if list.is_empty() {
        return "No line counts.".into();
    }
    format!(
        "It is completed by these lights, read from either end: {}.",
        list.join(", ")
    )
}
