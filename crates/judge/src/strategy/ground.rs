//! Where a strategy is played: squares with names, and what a symmetry does to them.

use greenwave_game::{Cell, Luck, Rules, Shape, Squares, Turn};

use super::Symmetry;
use crate::JudgeError;

/// Where a symmetry takes a square.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Image {
    /// It stays.
    Itself,
    /// To a square that goes to this one.
    Partner(String),
    /// To a square that moves to another.
    Next(String),
}

/// The squares of a game in which players reply by a symmetry.
pub(crate) struct Ground<'a> {
    rules: &'a Rules,
    pub(super) shape: &'a Shape,
    // Squares beside the board that wander about it. A symmetry turns their row round.
    strip: usize,
    /// The names of all squares, those of the board first.
    pub(super) names: Vec<String>,
}

impl<'a> Ground<'a> {
    /// Does something on the ground of a game. It takes what is to be done, so that strategies are
    /// compiled only for games that have a ground.
    ///
    /// # Errors
    /// When chance takes part, when players make several plies running, and when a symmetry maps no
    /// squares; and those of what is done.
    pub(crate) fn on<G: Squares, T>(
        game: &'a G,
        done: impl FnOnce(&Ground<'a>) -> Result<T, JudgeError>,
    ) -> Result<T, JudgeError> {
        let rules = game.rules();
        let refuse = |problem: &str| {
            let name = rules.title();
            Err(JudgeError::refused(format!(
                "no strategy for {name}: {problem}"
            )))
        };
        if G::LUCK == Luck::Draws {
            return refuse(
                "chance takes part, so no reply wins against every draw; 'query' shows the odds of \
                 each move",
            );
        }
        if rules.properties.turn == Turn::Runs {
            return refuse("a player makes several plies running; 'query' shows values");
        }
        let Some(shape) = game.mapped_board() else {
            return refuse(
                "its moves are made on no squares that a symmetry could map; 'query' shows values",
            );
        };
        let names = game.square_names();
        done(&Ground {
            rules,
            shape,
            strip: names.len() - shape.cells(),
            names,
        })
    }

    /// Where a symmetry takes each square; `None` where the board lacks it.
    pub(crate) fn map(&self, symmetry: Symmetry) -> Option<Vec<usize>> {
        let board = symmetry.on(self.shape)?;
        let cells = board.len();
        let strip = (0..self.strip).rev().map(|square| cells + square);
        Some(board.into_iter().map(Cell::index).chain(strip).collect())
    }

    /// The number of a square.
    pub(crate) fn square(&self, name: &str) -> Option<usize> {
        self.names.iter().position(|known| known == name)
    }

    /// Which square goes to which: `a1-c3` where they go to each other, `b2 to itself`, `a1 to a3`.
    pub(super) fn pairs(&self, map: &[usize]) -> Vec<(String, Image)> {
        let mut said = Vec::new();
        for (square, image) in map.iter().copied().enumerate() {
            let (from, to) = (self.names[square].clone(), self.names[image].clone());
            if image == square {
                said.push((from, Image::Itself));
            } else if map[image] != square {
                said.push((from, Image::Next(to)));
            } else if image > square {
                said.push((from, Image::Partner(to)));
            }
        }
        said
    }

    /// The board with a letter for each pair of squares; nothing where squares do not go in pairs, or
    /// wander.
    pub(super) fn drawn(&self, map: &[usize]) -> Option<Vec<String>> {
        let shape = self.shape;
        if self.strip > 0 || (0..map.len()).any(|square| map[map[square]] != square) {
            return None;
        }
        // As the board is read: from the top rank down.
        let mut letters = vec!['*'; map.len()];
        let mut next = b'A';
        let ranks = (0..shape.ranks()).rev();
        let read =
            ranks.flat_map(|rank| (0..shape.files()).filter_map(move |file| shape.at(file, rank)));
        for square in read.map(Cell::index) {
            let image = map[square];
            if image != square && letters[square] == '*' {
                letters[square] = char::from(next);
                letters[image] = char::from(next);
                next += 1;
            }
        }
        let row = |rank: u8| {
            let squares = (0..shape.files()).map(|file| {
                let letter = shape
                    .at(file, rank)
                    .map_or(' ', |cell| letters[cell.index()]);
                format!(" {letter}")
            });
            format!("{:>4} {}", rank + 1, squares.collect::<String>())
        };
        let files = (0..shape.files()).map(|file| format!(" {}", greenwave_game::file_name(file)));
        let below = format!("     {}", files.collect::<String>());
        Some((0..shape.ranks()).rev().map(row).chain([below]).collect())
    }

    /// What to say of a symmetry that the board lacks.
    pub(crate) fn lacking(&self, symmetry: Symmetry) -> JudgeError {
        let has: Vec<String> = Symmetry::of(self.shape)
            .into_iter()
            .map(|symmetry| format!("'{}'", symmetry.name()))
            .collect();
        let has = match has.len() {
            0 => "it has none".to_string(),
            _ => format!("it has {}", has.join(", ")),
        };
        JudgeError::refused(format!(
            "{}: the board {} has no symmetry '{}'; {has}",
            self.rules.title(),
            self.shape.outline(),
            symmetry.name()
        ))
    }
}
