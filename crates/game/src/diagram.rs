//! A position as a picture, before anyone chooses characters and colours for it.

use crate::{Lights, MAX_LEVEL, Sentence, file_name};

/// What stands on a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// A square of the main board at a level, 0 to 3.
    Level(u8),
    /// A disc on a point of a board whose pieces have fixed colours.
    Disc {
        /// The letter of its colour: `R`, `Y` or `G`.
        colour: char,
        /// Whether its owner's cylinder stands on it.
        cylinder: bool,
    },
    /// An empty point of such a board.
    Point,
    /// A square of a board on which signs are written: the sign, or none.
    Sign(Option<char>),
}

impl Mark {
    /// Everything that can stand where this stands, nothing first.
    #[must_use]
    pub fn alternatives(self) -> Vec<Mark> {
        let disc = |colour, cylinder| Mark::Disc { colour, cylinder };
        match self {
            Mark::Level(_) => (0..=MAX_LEVEL).map(Mark::Level).collect(),
            Mark::Sign(_) => [None, Some('X'), Some('O')].map(Mark::Sign).to_vec(),
            Mark::Point | Mark::Disc { .. } => vec![
                Mark::Point,
                disc('R', false),
                disc('R', true),
                disc('Y', false),
                disc('G', false),
                disc('G', true),
            ],
        }
    }

    /// What can stand on a square instead, from what comes next on.
    pub(crate) fn following(self) -> Vec<Mark> {
        let mut all = self.alternatives();
        let own = all.iter().position(|mark| *mark == self);
        all.rotate_left(own.unwrap_or_default());
        all.split_off(1)
    }
}

/// How the picture of a board is moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Motion {
    /// Clockwise by a quarter, a third or half of a full turn: the least that the board allows.
    Turn,
    /// Left to right.
    Mirror,
}

/// A coordinate beside the board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// Column, in half squares from the west.
    pub x: u16,
    /// Row, in squares from the top.
    pub y: u16,
    /// What is written there.
    pub text: String,
}

impl Label {
    /// The coordinates of a board of squares: ranks on the left, files below.
    pub(crate) fn of_squares(ranks: u8, files: u8) -> Vec<Label> {
        let of_ranks = (0..ranks).map(|rank| Label {
            x: 0,
            y: u16::from(ranks - 1 - rank),
            text: (rank + 1).to_string(),
        });
        let of_files = (0..files).map(|file| Label {
            x: 2 * u16::from(file) + 2,
            y: u16::from(ranks),
            text: file_name(file),
        });
        of_ranks.chain(of_files).collect()
    }
}

/// Marks and labels on a grid: `x` in half squares from the west (so that triangles fit), `y` in
/// squares from the top. Labels stand outside the marks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Diagram {
    /// The order of the lights, where levels are shown.
    pub lights: Option<Lights>,
    /// The highest level that a square can have, where levels are shown.
    pub highest: u8,
    /// Whether the squares are hexagons: each row stands half a square east of the row below.
    pub hexagonal: bool,
    /// Every square or point with what stands on it.
    pub marks: Vec<(u16, u16, Mark)>,
    /// The names of the squares or points in [`Diagram::marks`], in the same order, as moves write
    /// them.
    pub names: Vec<String>,
    /// Lines between points, by the places of their ends among the marks, the lower one first and each line
    /// once; empty on a board of squares.
    pub edges: Vec<(usize, usize)>,
    /// Which of the marks lie on a strip that can be moved, by their place among the marks.
    pub strip: Vec<usize>,
    /// Coordinates.
    pub labels: Vec<Label>,
    /// Counters beside the board, row by row: the name of each row, and the levels of its counters.
    pub rows: Vec<(String, Vec<u8>)>,
    /// How many counters of each level are in a bag, levels in their order; empty where there is no bag or
    /// where it is never empty.
    pub bag: Vec<(u8, u32)>,
    /// Facts that the picture does not show, one sentence each: the player to move, barred moves.
    pub notes: Vec<Sentence>,
}

impl Diagram {
    /// The letter of a level, 0 to 3.
    #[must_use]
    pub fn letter(&self, level: u8) -> char {
        self.lights.unwrap_or_default().letter(level)
    }
}
