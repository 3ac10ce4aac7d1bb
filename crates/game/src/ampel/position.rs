//! The bit layout of a position.

use std::fmt;

use super::triangle::{GRID, Point, PointSet, SYMMETRIES, TriangleSymmetry};

/// A player of Ampel, named after the colour of the discs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Player {
    /// Plays red and places the first yellow disc.
    Red,
    /// Plays green.
    Green,
}

impl Player {
    /// Red first, as everything by player is listed.
    pub const BOTH: [Player; 2] = [Player::Red, Player::Green];

    /// The other player.
    #[must_use]
    pub fn opponent(self) -> Player {
        match self {
            Player::Red => Player::Green,
            Player::Green => Player::Red,
        }
    }

    /// `red` or `green`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Player::Red => "red",
            Player::Green => "green",
        }
    }

    /// `r` or `g`.
    pub(super) fn letter(self) -> char {
        match self {
            Player::Red => 'r',
            Player::Green => 'g',
        }
    }
}

/// The colour of a disc.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Disc {
    /// A disc of Red's.
    Red,
    /// A neutral disc, which is captured.
    Yellow,
    /// A disc of Green's.
    Green,
}

/// The task of the player to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Phase {
    /// Place a yellow disc.
    SetUp,
    /// Step 1: move an own disc.
    MoveOwn,
    /// Step 2: move a disc of the opponent's.
    MoveOther,
    /// Step 3: add an own disc.
    Add,
    /// Nothing: the game is over and the player "to move" has won it.
    Over,
}

impl Phase {
    pub(super) const ALL: [Phase; 5] = [
        Phase::SetUp,
        Phase::MoveOwn,
        Phase::MoveOther,
        Phase::Add,
        Phase::Over,
    ];

    /// `s`, `1`, `2`, `3` or `x`.
    pub(super) fn letter(self) -> char {
        ['s', '1', '2', '3', 'x'][self as usize]
    }

    pub(super) fn of_number(number: u64) -> Option<Phase> {
        Phase::ALL.get(number as usize).copied()
    }

    pub(super) fn of_letter(letter: &str) -> Option<Phase> {
        Phase::ALL
            .into_iter()
            .find(|phase| letter.chars().eq([phase.letter()]))
    }
}

/// A position: discs, cylinders, captured yellows, who has to do what.
///
/// Two words, with the points of the grid at their own bits and everything else at bits that no
/// triangle uses:
///
/// ```text
///        127 ... 121     120 ... 11     10 ... 1            0
/// low   | red cyl.  |   | red|yellow | | captured        | red|yellow of a1   |
/// high  | green cyl.|   | green|yell.| | phase, player   | green|yellow of a1 |
///
/// a point:   low 1, high 0 red · low 0, high 1 green · both 1 yellow
/// cylinder:  the point's number, or 127 when its owner has it
/// captured:  bits 1-4 by red, bits 5-8 by green
/// phase:     bits 1-3; player: bit 4
/// ```
///
/// The order is that of the two words; it has no meaning in the game.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AmpelPosition {
    low: u128,
    high: u128,
}

const CYLINDER_SHIFT: u32 = GRID as u32;
const NO_POINT: u8 = 127;

/// A position taken apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Parts {
    pub(super) player: Player,
    pub(super) phase: Phase,
    /// Discs by player.
    pub(super) discs: [PointSet; 2],
    pub(super) yellow: PointSet,
    /// Where the cylinders stand, by player.
    pub(super) cylinders: [Option<Point>; 2],
    /// Captured yellows, by player.
    pub(super) captured: [u8; 2],
}

impl Parts {
    /// All discs on the board.
    pub(super) fn occupied(&self) -> PointSet {
        self.discs[0] | self.discs[1] | self.yellow
    }

    /// Yellow discs on the board and captured.
    pub(super) fn yellows(&self) -> u32 {
        self.yellow.count_ones() + self.captured.into_iter().map(u32::from).sum::<u32>()
    }
}

impl AmpelPosition {
    pub(super) fn new(parts: &Parts) -> AmpelPosition {
        let cylinder = |point: Option<Point>| {
            u128::from(point.map_or(NO_POINT, |point| point.0)) << CYLINDER_SHIFT
        };
        let [red, green] = parts.discs;
        let [by_red, by_green] = parts.captured.map(u128::from);
        AmpelPosition {
            low: red | parts.yellow | cylinder(parts.cylinders[0]) | by_red << 1 | by_green << 5,
            high: green
                | parts.yellow
                | cylinder(parts.cylinders[1])
                | (parts.phase as u128) << 1
                | (parts.player as u128) << 4,
        }
    }

    /// Taken apart; `board` is the set of points.
    pub(super) fn parts(self, board: PointSet) -> Parts {
        let (low, high) = (self.low & board, self.high & board);
        Parts {
            player: self.player(),
            phase: self.phase(),
            discs: [low & !high, high & !low],
            yellow: low & high,
            cylinders: Player::BOTH.map(|player| self.cylinder(player)),
            captured: Player::BOTH.map(|player| self.captured(player)),
        }
    }

    /// The image under a symmetry; `board` is the set of points.
    pub(super) fn image(self, symmetry: &TriangleSymmetry, board: PointSet) -> AmpelPosition {
        AmpelPosition {
            low: image_of_word(self.low, symmetry, board),
            high: image_of_word(self.high, symmetry, board),
        }
    }

    /// Whether a symmetry leaves it as it is; `board` is the set of points.
    pub(super) fn is_fixed(self, symmetry: &TriangleSymmetry, board: PointSet) -> bool {
        image_of_word(self.low, symmetry, board) == self.low
            && image_of_word(self.high, symmetry, board) == self.high
    }

    /// The least of the images under some symmetries; `board` is the set of points. The high words
    /// count only where the low ones are equal, so few of them are needed.
    pub(super) fn least_image(
        self,
        symmetries: &[TriangleSymmetry],
        board: PointSet,
    ) -> AmpelPosition {
        let mut lows = [u128::MAX; SYMMETRIES];
        for (low, symmetry) in lows.iter_mut().zip(symmetries) {
            *low = image_of_word(self.low, symmetry, board);
        }
        let low = lows.into_iter().fold(u128::MAX, u128::min);
        let ties = lows.into_iter().zip(symmetries);
        let high = ties
            .filter(|(other, _)| *other == low)
            .map(|(_, symmetry)| image_of_word(self.high, symmetry, board))
            .fold(u128::MAX, u128::min);
        AmpelPosition { low, high }
    }

    /// The disc on a point; `None` where there is none.
    #[must_use]
    pub fn disc(self, point: Point) -> Option<Disc> {
        match (self.low & point.bit() != 0, self.high & point.bit() != 0) {
            (true, false) => Some(Disc::Red),
            (true, true) => Some(Disc::Yellow),
            (false, true) => Some(Disc::Green),
            (false, false) => None,
        }
    }

    /// Where the cylinder of a player stands; `None` while its owner has it.
    #[must_use]
    pub fn cylinder(self, player: Player) -> Option<Point> {
        let word = [self.low, self.high][player as usize];
        let number = (word >> CYLINDER_SHIFT) as u8;
        (number != NO_POINT).then_some(Point(number))
    }

    /// Number of yellow discs that a player has captured.
    #[must_use]
    pub fn captured(self, player: Player) -> u8 {
        (self.low >> [1, 5][player as usize] & 15) as u8
    }

    /// Whose turn it is; in a finished game the winner.
    #[must_use]
    pub fn player(self) -> Player {
        if self.high >> 4 & 1 == 0 {
            Player::Red
        } else {
            Player::Green
        }
    }

    /// The task of the player to move.
    #[must_use]
    pub fn phase(self) -> Phase {
        Phase::of_number((self.high >> 1 & 7) as u64).unwrap_or(Phase::Over)
    }
}

fn image_of_word(word: u128, symmetry: &TriangleSymmetry, board: PointSet) -> u128 {
    let cylinder = (word >> CYLINDER_SHIFT) as u8;
    let cylinder = match cylinder {
        NO_POINT => NO_POINT,
        number => symmetry.point(Point(number)).0,
    };
    let others = word & !board & !(u128::MAX << CYLINDER_SHIFT);
    symmetry.set(word & board) | others | u128::from(cylinder) << CYLINDER_SHIFT
}

impl fmt::Debug for AmpelPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "AmpelPosition({:#x}, {:#x})", self.low, self.high)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_come_back() {
        let board = super::super::triangle::Triangle::new(11).board;
        for phase in Phase::ALL {
            for player in [Player::Red, Player::Green] {
                let parts = Parts {
                    player,
                    phase,
                    discs: [Point::new(0, 0).bit(), Point::new(10, 10).bit()],
                    yellow: Point::new(10, 0).bit() | Point::new(4, 2).bit(),
                    cylinders: [Some(Point::new(0, 0)), None],
                    captured: [10, 3],
                };
                assert_eq!(AmpelPosition::new(&parts).parts(board), parts);
            }
        }
        assert_eq!(size_of::<AmpelPosition>(), 32);
    }
}
