//! Questions about a position other than its value: squares and their contents, moves of the strip,
//! hands of counters.

use crate::notation::rows;
use crate::{Dense, Message, Shape, Side, Turn, messages};

/// What positions of a game show beside lights or discs on squares. Fields and calls that ask for
/// something else are refused.
#[derive(Clone, Debug, Default)]
pub struct Features {
    /// Levels that add up to a sum.
    pub levels: bool,
    /// Lines that are completed.
    pub lines: bool,
    /// How many plies were played so far.
    pub plies: bool,
    /// Points that moves score before the game is over.
    pub gains: bool,
    /// A strip.
    pub strip: bool,
    /// Cylinders on points.
    pub cylinders: bool,
    /// Hands, a market and a bag of counters.
    pub piles: bool,
}

/// Counters that lie together beside the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pile {
    /// The hand of the player to move.
    Hand,
    /// The hand of the other player.
    OtherHand,
    /// The market.
    Market,
    /// The bag.
    Bag,
}

/// A field of expressions that only some games have, which declare it ([`Squares::FIELDS`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct OwnField {
    /// What expressions call it.
    pub name: &'static str,
    /// What it counts or says.
    pub kind: OwnKind,
    /// The parts that other games lack, after "it has no".
    pub of: &'static str,
}

/// What a field of a game's own comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OwnKind {
    /// True or false: 1 or 0 of [`Squares::field`].
    Truth,
    /// A number from 0 to the largest that is named.
    Number(u8),
    /// The legal moves that [`Squares::is_in_field`] picks.
    Moves,
    /// Those of them that end the game with a win.
    WinningMoves,
}

/// A square that a name means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spot {
    /// Its number in listing order.
    pub square: usize,
    /// The side that the strip has to lie at, for the coordinates of a square of the strip.
    pub side: Option<Side>,
}

impl From<usize> for Spot {
    fn from(square: usize) -> Spot {
        Spot { square, side: None }
    }
}

/// A game whose positions show lights or discs on named squares.
///
/// Squares are counted in listing order: a1, b1, … by rank, then the strip; points of a triangle row
/// by row from the apex. A disc counts as a light: red is level 1, yellow 2, green 3.
pub trait Squares: Dense {
    /// Fields of expressions that the game has beside those of all games.
    const FIELDS: &'static [OwnField] = &[];

    /// What positions show besides.
    fn features(&self) -> Features;

    /// The value of a field of [`Self::FIELDS`] that is no count of moves; `None` where the
    /// position does not have it.
    fn field(&self, position: &Self::Position, field: usize) -> Option<u32> {
        let _ = (position, field);
        None
    }

    /// Whether a field of [`Self::FIELDS`] that counts moves counts this one.
    fn is_in_field(&self, mv: Self::Move, field: usize) -> bool {
        let _ = (mv, field);
        false
    }

    /// What squares show: the names of the levels, from the empty one on.
    fn contents(&self) -> &'static [&'static str] {
        self.rules().order().names()
    }

    /// The words for them together, after `expected`.
    fn content_kind(&self) -> Message {
        messages::a_colour()
    }

    /// The level that a word names.
    fn level_named(&self, word: &str) -> Option<u8> {
        let name = match word {
            "orange" | "amber" => "yellow",
            other => other,
        };
        let place = self.contents().iter().position(|known| *known == name)?;
        Some(place as u8)
    }

    /// The level that a letter of a picture or a move stands for.
    fn level_lettered(&self, letter: char) -> Option<u8> {
        self.rules().order().level(letter)
    }

    /// The letters of pictures.
    fn letters(&self) -> &'static str {
        self.rules().order().of_pictures()
    }

    /// The sign written for a level that is no light.
    fn sign(&self, level: u8) -> Option<&'static str> {
        let _ = level;
        None
    }

    /// The names of the squares.
    fn square_names(&self) -> Vec<String>;

    /// The board whose squares come first among all squares, in their order, if a symmetry of the
    /// board can map the squares of moves. Squares beyond them lie in a row that moves about the
    /// board.
    fn mapped_board(&self) -> Option<&Shape> {
        None
    }

    /// Further names of squares, which hold while the strip lies at a side.
    fn coordinates(&self) -> Vec<(String, Spot)> {
        Vec::new()
    }

    /// Whether a square is there under the name that it was called by.
    fn is_there(&self, position: &Self::Position, spot: Spot) -> bool {
        let _ = position;
        spot.side.is_none()
    }

    /// The level of a square, counted in listing order.
    fn level(&self, position: &Self::Position, square: usize) -> u8;

    /// How many squares stand at a level, 1 to 3.
    fn count(&self, position: &Self::Position, level: u8) -> u32;

    /// The sum of all levels; `None` where levels are discs.
    fn level_sum(&self, position: &Self::Position) -> Option<u32>;

    /// How many plies were played; `None` where the position does not tell.
    fn plies(&self, position: &Self::Position) -> Option<u32> {
        let sum = self.level_sum(position);
        sum.filter(|_| self.features().plies)
    }

    /// Whether the player who began the game is to move; `None` where the position does not tell.
    fn first_to_move(&self, position: &Self::Position) -> Option<bool> {
        if self.rules().properties.turn != Turn::Alternates {
            return None;
        }
        Some(self.plies(position)?.is_multiple_of(2))
    }

    /// The square that a move raises or puts a disc on, and the level that it raises it to.
    fn raise(&self, position: &Self::Position, mv: Self::Move) -> Option<(usize, u8)>;

    /// Whether a completed line stands on the board.
    fn has_line(&self, position: &Self::Position) -> bool;

    /// The completed lines, each by its squares in listing order; none where a line is no end.
    fn completed_lines(&self, position: &Self::Position) -> Vec<Vec<usize>> {
        let _ = position;
        Vec::new()
    }

    /// The lines that a move completes and takes off the board, each by the squares of its red, its yellow and its
    /// green disc.
    fn captured_lines(&self, position: &Self::Position, mv: Self::Move) -> Vec<[usize; 3]> {
        let _ = (position, mv);
        Vec::new()
    }

    /// How many lines hold no mark of the opponent, for the player to move and for the opponent; `None` where players
    /// have no marks of their own or a line does not win.
    fn open_lines(&self, position: &Self::Position) -> Option<[usize; 2]> {
        let _ = position;
        None
    }

    /// Whether a move is one of the strip.
    fn is_strip_move(&self, mv: Self::Move) -> bool {
        let _ = mv;
        false
    }

    /// Whether a cylinder stands on a square.
    fn covered(&self, position: &Self::Position, square: usize) -> bool {
        let _ = (position, square);
        false
    }

    /// How many counters of a level, 1 to 3, lie in a pile; `None` where nobody counts them.
    fn pile(&self, position: &Self::Position, pile: Pile, level: u8) -> Option<u32> {
        let _ = (position, pile, level);
        None
    }

    /// The squares of a picture, rows from the top with `/` between, in listing order; `None` for
    /// any light, which is written `?`.
    ///
    /// # Errors
    /// What does not fit, in words.
    fn picture(&self, text: &str) -> Result<Vec<Option<char>>, String>;

    /// A move that is more than a square and its light, as this game writes it; `None` if no move
    /// is called so.
    fn other_move(&self, text: &str) -> Option<String> {
        let _ = text;
        None
    }

    /// What to say, after squares with or without their new light, of moves that are written
    /// otherwise.
    fn other_moves(&self) -> &'static str {
        ""
    }

    /// Whether two positions are the same wherever the strip lies.
    fn is_same(&self, a: &Self::Position, b: &Self::Position) -> bool {
        self.index(a) == self.index(b)
    }

    /// A number that no move lowers, and that every move raises which does not stay in its tier.
    fn stage(&self, position: &Self::Position) -> u32 {
        self.tier(position).0
    }
}

/// The letters of the rows of a picture, from the top.
pub(crate) fn letters(text: &str, widths: impl Iterator<Item = usize> + Clone) -> Vec<Vec<char>> {
    let rows = rows(text, widths).into_iter();
    rows.map(|row| row.chars().collect()).collect()
}

/// Squares of a picture with `None` for any light.
pub(crate) fn shown(lights: impl Iterator<Item = char>) -> Vec<Option<char>> {
    lights
        .map(|light| Some(light).filter(|light| *light != '?'))
        .collect()
}
