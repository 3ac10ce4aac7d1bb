//! Rules in words, made from the rules themselves.

use std::fmt::Display;

use crate::{
    AmpelRules, BagRules, BagSlides, BagSupply, BoardRules, Choice, FirstStep, LineScore,
    OwnCylinder, Play, Return, Sides, Stalemate, StartPoint, StripGame, StripRules, StuckAdd,
    Succession, Supply, Variant, WinPattern,
};

/// Names of the levels, in the order red, yellow, green.
const LIGHTS: [&str; 4] = ["empty", "red", "yellow", "green"];

impl Variant {
    /// The rules in words, one sentence a line.
    #[must_use]
    pub fn in_words(&self) -> String {
        let sentences = match self {
            Variant::Board(game) => board(game.board(), game.board().shape.cells()),
            Variant::Strip(game) => strip_board(game),
            Variant::Ampel(game) => ampel(game.ampel()),
            Variant::Bag(game) => {
                let rules = game.base().board();
                with_bag(board(rules, rules.shape.cells()), game.bag(), false)
            }
            Variant::BagStrip(game) => with_bag(strip_board(game.base()), game.bag(), true),
        };
        sentences.join("\n") + "\n"
    }
}

fn strip_board(game: &StripGame) -> Vec<String> {
    let mut sentences = board(&game.strip().main, game.frame().shape().cells());
    sentences.splice(1..1, strip(game.strip()));
    sentences
}

// A board's sentences, with what the bag changes.
fn with_bag(mut sentences: Vec<String>, rules: &BagRules, has_strip: bool) -> Vec<String> {
    // Counters and ends without a winner are the bag's affair.
    sentences.retain(|sentence| {
        !sentence.starts_with("There are as many counters")
            && !sentence.starts_with("If no move is")
    });
    sentences.push(match rules.counters {
        BagSupply::Each(number) => format!(
            "All counters are in a bag, {} of each colour; what is not on the board, in a hand or in \
             the market is in the bag.",
            number
        ),
        BagSupply::Infinite => "Counters come from a bag without end: every draw is red, yellow or \
             green with equal chance."
            .into(),
    });
    sentences.push(
        "Two counters are drawn to the market; from player 1 on the players pick by turns, with a \
         draw before each further pick, until both hold three, and a draw fills the market to two \
         again. Hands and market are open. Player 2 begins."
            .into(),
    );
    sentences.push(
        match rules.choice {
            Choice::OfTwo => {
                "In a turn a player plays a counter of the hand where it fits (red on empty, yellow \
                 on red, green on yellow), takes one of the two counters of the market, and draws one \
                 for the market."
            }
            Choice::OfThree => {
                "In a turn a player plays a counter of the hand where it fits (red on empty, yellow \
                 on red, green on yellow), draws one for the market, and takes one of its three \
                 counters."
            }
        }
        .into(),
    );
    sentences.push(
        match rules.returns {
            Return::BeforeDraw => "A replaced counter goes back into the bag before the draw.",
            Return::AfterTurn => "A replaced counter goes back into the bag after the turn.",
        }
        .into(),
    );
    if has_strip {
        sentences.push(
            match rules.slides {
                BagSlides::AnyTurn => {
                    "A strip move takes the place of the whole turn, whether a counter fits or not."
                }
                BagSlides::Stuck => {
                    "The strip may be moved only by a player none of whose counters fits."
                }
                BagSlides::Never => "The strip is never moved.",
            }
            .into(),
        );
    }
    sentences.push(
        match has_strip && rules.slides != BagSlides::Never {
            false => {
                "Who has no counter that fits misses the turn; if that is true of both, the game is \
                 drawn."
            }
            true => {
                "Who has no counter that fits and moves no strip misses the turn; if neither player \
                 can play or move the strip, or play goes on without end, the game is drawn."
            }
        }
        .into(),
    );
    sentences
}

fn ampel(rules: &AmpelRules) -> Vec<String> {
    let side = u32::from(rules.side);
    let mut sentences = vec![
        format!(
            "The board is a triangle of side {side} with {}, {} of them inside, not on an edge.",
            counted(side * (side + 1) / 2, "point"),
            AmpelRules::inside_points(rules.side)
        ),
        format!(
            "Red and Green have {} each; by turns, Red first, they set up {} on inside points, and \
             then turns go on.",
            counted(rules.discs, "disc"),
            counted(rules.yellows, "yellow disc")
        ),
        "A turn has three steps, made when possible: move an own disc; move a disc of the opponent's, \
         not the one under its cylinder; add an own disc under the own cylinder, or take the \
         cylinder off for want of discs."
            .into(),
        "A disc moves along a line as many points as there are discs on the whole line; only at an \
         obstacle it turns, by 60 or 120 degrees."
            .into(),
    ];
    sentences.push(
        match rules.start_point {
            StartPoint::Pass => "It may cross the point it started from, not end there.",
            StartPoint::Block => "The point it started from is an obstacle, too.",
        }
        .into(),
    );
    sentences.push(
        match rules.first_step {
            FirstStep::Free => "The first point of its direction must be free.",
            FirstStep::Blocked => "It may be deflected at once.",
        }
        .into(),
    );
    sentences.push(
        match rules.own_cylinder {
            OwnCylinder::Moves => "The own cylinder travels with its disc.",
            OwnCylinder::Frozen => "The disc under the own cylinder may not be moved.",
        }
        .into(),
    );
    sentences.push(
        "Red, yellow, green in a row is a signal: it is removed at once, and the yellow goes to the \
         player whose turn it is; no disc may be added that makes one."
            .into(),
    );
    sentences.push(
        match rules.stuck_add {
            StuckAdd::Keep => "A player who has a disc to add but no point for it adds nothing.",
            StuckAdd::Off => {
                "A player who has a disc to add but no point for it takes the cylinder off."
            }
            StuckAdd::Loss => "A player who has a disc to add but no point for it loses.",
        }
        .into(),
    );
    sentences.push(format!(
        "Who has captured {} wins at once; endless play is a draw.",
        counted(rules.goal(), "yellow")
    ));
    sentences
}

fn board(rules: &BoardRules, all_cells: usize) -> Vec<String> {
    let shape = &rules.shape;
    let (ranks, files, cells) = (shape.ranks(), shape.files(), shape.cells());
    let mut sentences = Vec::new();
    sentences.push(if usize::from(ranks) * usize::from(files) == cells {
        format!(
            "The board has {}, {} and {}.",
            counted(cells, "square"),
            counted(ranks, "rank"),
            counted(files, "file")
        )
    } else {
        format!(
            "The board has {}, here from the top (# square, - gap): {}.",
            counted(cells, "square"),
            shape.outline()
        )
    });
    let raises: Vec<String> = (0..usize::from(rules.levels))
        .map(|level| format!("{} to {}", LIGHTS[level], LIGHTS[level + 1]))
        .collect();
    sentences.push(format!(
        "A move raises one square by one light: {}; {} is final.",
        raises.join(", "),
        LIGHTS[usize::from(rules.levels)]
    ));
    let length = rules.line_length;
    let lines = if all_cells == cells {
        let lines = shape.lines(length).len() as i128;
        format!("; the board has {}", counted(lines, "such line"))
    } else {
        String::new()
    };
    sentences.push(format!(
        "A line is {} in a row along a rank, a file or a diagonal, without gaps{lines}.",
        counted(length, "square")
    ));
    sentences.push(patterns(rules));
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
    sentences.push(match rules.supply {
        Supply::Unlimited => "There are as many counters as needed.".into(),
        Supply::Cap(limit) => format!(
            "There are {limit} counters of each colour; replaced counters can be used again."
        ),
        Supply::Pool(limit) => format!(
            "There are {limit} counters of each colour for the whole game; replaced counters are gone."
        ),
    });
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

fn patterns(rules: &BoardRules) -> String {
    let mirrored =
        |pattern: &WinPattern| -> Vec<u8> { pattern.levels.iter().rev().copied().collect() };
    let list: Vec<String> = rules
        .patterns
        .iter()
        .filter(|pattern| pattern.levels <= mirrored(pattern))
        .map(|pattern| {
            let lights: Vec<&str> = pattern
                .levels
                .iter()
                .map(|level| LIGHTS[usize::from(*level)])
                .collect();
            if rules.play.scores() {
                format!(
                    "{} ({})",
                    lights.join("-"),
                    counted(pattern.points, "point")
                )
            } else {
                lights.join("-")
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

fn strip(rules: &StripRules) -> Vec<String> {
    let length = rules.main.shape.ranks();
    let mut sentences = vec![format!(
        "A strip of {} lies along one of its edges; its squares take part in lines.",
        counted(length, "square")
    )];
    let slide = match rules.sides {
        Sides::Any => "slide the strip to any other edge",
        Sides::Adjacent => "slide the strip to an edge next to its own",
    };
    let turn = match rules.turns {
        true => ", turning it if wanted, or turn it in place",
        false => ", without turning it",
    };
    sentences.push(format!(
        "Instead of raising a light a player may {slide}{turn}."
    ));
    if !rules.null_moves {
        sentences
            .push("A strip move must change the picture, seen with the strip at the east.".into());
    }
    if !rules.empty_moves {
        sentences.push("The strip may not move while its squares are empty.".into());
    }
    sentences.push(
        match rules.succession {
            Succession::Free => "Strip moves may follow each other; endless play is a draw.",
            Succession::Barred => "The strip may not move if the opponent has just moved it.",
        }
        .into(),
    );
    sentences
}

/// A number of things: `1 square`, `3 squares`.
pub(crate) fn counted<N: Display + PartialEq + From<u8>>(number: N, unit: &str) -> String {
    let plural = if number == N::from(1) { "" } else { "s" };
    format!("{number} {unit}{plural}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_follow_the_rules() {
        let words = |name| Variant::parse(name).unwrap().in_words();
        let classic = words("classic-3x4");
        assert!(
            classic.starts_with("The board has 12 squares, 3 ranks and 4 files.\n"),
            "{classic}"
        );
        assert!(classic.contains("the board has 14 such lines"));
        assert!(classic.contains("red-red-red, yellow-yellow-yellow, green-green-green."));
        let points = words("points-3x3:four=once");
        assert!(points.contains("red-yellow-green (3 points)"));
        assert!(points.contains("scores once"));
        let slider = words("slider");
        assert!(slider.contains("without turning it"));
        assert!(slider.contains("may not move if the opponent"));
        assert!(words("classic-3x3:supply=pool6").contains("replaced counters are gone"));
        assert!(words("classic-3x3:play=misere").contains("completes a line loses"));
    }
}
