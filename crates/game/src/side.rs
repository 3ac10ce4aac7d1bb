//! The sides of a board.

/// A side of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Side {
    /// Right of the board.
    East,
    /// Below the board.
    South,
    /// Left of the board.
    West,
    /// Above the board.
    North,
}

impl Side {
    /// The sides clockwise from the east.
    pub const CLOCKWISE: [Side; 4] = [Side::East, Side::South, Side::West, Side::North];

    /// The sides in the order in which moves are listed.
    pub const LISTED: [Side; 4] = [Side::North, Side::East, Side::South, Side::West];

    /// Quarter turns clockwise from the east, 0 to 3.
    #[must_use]
    pub fn quarters(self) -> usize {
        self as usize
    }

    /// The side this many quarter turns further clockwise.
    #[must_use]
    pub fn clockwise(self, quarters: usize) -> Side {
        Side::CLOCKWISE[(self.quarters() + quarters) % 4]
    }

    /// Quarter turns clockwise from this side to another, 0 to 3.
    #[must_use]
    pub fn quarters_to(self, other: Side) -> usize {
        (4 + other.quarters() - self.quarters()) % 4
    }

    /// The side after a reflection that exchanges north and south.
    #[must_use]
    pub fn mirrored(self) -> Side {
        Side::CLOCKWISE[(4 - self.quarters()) % 4]
    }

    /// `E`, `S`, `W` or `N`.
    #[must_use]
    pub fn letter(self) -> char {
        ['E', 'S', 'W', 'N'][self.quarters()]
    }

    /// `east`, `south`, `west` or `north`.
    #[must_use]
    pub fn name(self) -> &'static str {
        ["east", "south", "west", "north"][self.quarters()]
    }

    /// The side with a letter, in either case.
    #[must_use]
    pub fn from_letter(letter: &str) -> Option<Side> {
        Side::CLOCKWISE
            .into_iter()
            .find(|side| letter.eq_ignore_ascii_case(side.letter().encode_utf8(&mut [0; 4])))
    }
}
