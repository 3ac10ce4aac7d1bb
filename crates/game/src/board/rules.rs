//! The definition of a game on a fixed board, and the text that is hashed.

use crate::options::counter_limit;
use crate::{Cell, Code, Shape};

/// Levels along a line that end or score the game, and their points.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WinPattern {
    /// Levels in order from one end of the line; the mirrored pattern is a pattern of its own.
    pub levels: Vec<u8>,
    /// Points for completing it, in scored games.
    pub points: i32,
}

/// What completing a line means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Play {
    /// It wins.
    Normal,
    /// It loses.
    Misere,
    /// It ends the game and scores.
    FirstLine,
    /// It scores and the game goes on until no move is left.
    PlayOn,
}

impl Play {
    /// Whether results are points.
    #[must_use]
    pub fn scores(self) -> bool {
        matches!(self, Play::FirstLine | Play::PlayOn)
    }
}

/// How overlapping equal lines completed by one move score.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineScore {
    /// Each line by itself: four in a row are two lines.
    EachLine,
    /// A run of equal lights scores once, however long.
    EachRun,
}

/// Number of counters of a colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Supply {
    /// As many as needed.
    Unlimited,
    /// At most this many of a colour on the board; replaced counters return.
    Cap(u32),
    /// At most this number of raises to a level in the whole game; replaced counters do not return.
    Pool(u32),
}

impl Supply {
    /// `unlimited`, `capN` or `poolN`, N from 1 to 99.
    #[must_use]
    pub fn named(name: &str) -> Option<Supply> {
        let limit = |kind| name.strip_prefix(kind).and_then(counter_limit);
        match (name, limit("cap"), limit("pool")) {
            ("unlimited", ..) => Some(Supply::Unlimited),
            (_, Some(limit), _) => Some(Supply::Cap(limit)),
            (_, _, Some(limit)) => Some(Supply::Pool(limit)),
            _ => None,
        }
    }
}

/// The result for a player without a move where no line stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stalemate {
    /// The game is drawn.
    Draw,
    /// The player to move loses.
    Loss,
    /// The player passes; both have the same moves, so the game is drawn.
    Pass,
}

/// Everything that defines a game on a fixed board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoardRules {
    /// The squares.
    pub shape: Shape,
    /// Squares in a line.
    pub line_length: u8,
    /// Highest level, 1 to 3.
    pub levels: u8,
    /// Patterns that complete a line.
    pub patterns: Vec<WinPattern>,
    /// What completing a line means.
    pub play: Play,
    /// How overlapping lines score; without meaning in games without points.
    pub line_score: LineScore,
    /// Counters.
    pub supply: Supply,
    /// What having no move means.
    pub stalemate: Stalemate,
    /// How the game begins.
    pub opening: Opening,
    /// The highest level of each square, where not all can be raised as high as `levels`.
    pub tops: Option<Vec<u8>>,
}

/// The position in which a game begins, and what is barred there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Opening {
    /// The board at the start.
    pub start: Code,
    /// Squares that may not be raised in the first ply.
    pub barred: Vec<Cell>,
}

impl BoardRules {
    /// The highest level of a square.
    #[must_use]
    pub fn top(&self, cell: Cell) -> u8 {
        self.tops
            .as_ref()
            .map_or(self.levels, |tops| tops[cell.index()])
    }

    /// The board on which every square is as high as it can be.
    #[must_use]
    pub fn full(&self) -> Code {
        let squares = (0..self.shape.cells() as u8).map(Cell);
        squares.fold(Code::EMPTY, |code, cell| code.with(cell, self.top(cell)))
    }

    /// The rules spelled out in fixed order, independent of any name: the text that is hashed.
    #[must_use]
    pub fn canonical(&self) -> String {
        use std::fmt::Write;
        let mut text = format!(
            "greenwave rules 1\nboard {}\nline-length {}\n",
            self.shape.outline(),
            self.line_length,
        );
        let removed = self.shape.removed_lines();
        if !removed.is_empty() {
            let _ = writeln!(text, "without {}", removed.join(" "));
        }
        text.push_str(&self.shape.geometry().canonical());
        let _ = writeln!(text, "levels {}", self.levels);
        if let Some(tops) = &self.tops {
            let tops: String = tops.iter().map(u8::to_string).collect();
            let _ = writeln!(text, "tops {tops}");
        }
        for pattern in &self.patterns {
            let levels: String = pattern.levels.iter().map(u8::to_string).collect();
            let _ = if self.play.scores() {
                writeln!(text, "pattern {levels} points {}", pattern.points)
            } else {
                writeln!(text, "pattern {levels}")
            };
        }
        let play = match self.play {
            Play::Normal => "completed line wins",
            Play::Misere => "completed line loses",
            Play::FirstLine => "completed line scores and ends the game",
            Play::PlayOn => "completed line scores",
        };
        let _ = writeln!(text, "{play}");
        if self.play.scores() {
            let unit = match self.line_score {
                LineScore::EachLine => "line",
                LineScore::EachRun => "run",
            };
            let _ = writeln!(text, "score each {unit}");
        }
        let _ = match self.supply {
            Supply::Unlimited => writeln!(text, "supply unlimited"),
            Supply::Cap(limit) => writeln!(text, "supply cap {limit}"),
            Supply::Pool(limit) => writeln!(text, "supply pool {limit}"),
        };
        let stalemate = match self.stalemate {
            Stalemate::Draw => "draw",
            Stalemate::Loss => "loss",
            Stalemate::Pass => "pass",
        };
        let _ = writeln!(text, "stalemate {stalemate}");
        if self.opening.start != Code::EMPTY {
            let squares = (0..self.shape.cells() as u8).map(Cell);
            let levels: String = squares
                .map(|cell| self.opening.start.level(cell).to_string())
                .collect();
            let _ = writeln!(text, "start {levels}");
        }
        if !self.opening.barred.is_empty() {
            let mut barred = self.opening.barred.clone();
            barred.sort_unstable();
            let names = barred.iter().map(|cell| self.shape.cell_name(*cell));
            let _ = writeln!(text, "not-first {}", names.collect::<Vec<_>>().join(" "));
        }
        text
    }
}
