//! Positions: the squares of each player's marks.

/// The marks on the board, a bit for each square, a1 the lowest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NoughtsPosition {
    pub(super) x: u32,
    pub(super) o: u32,
}

impl NoughtsPosition {
    /// All marks.
    pub(super) fn taken(&self) -> u32 {
        self.x | self.o
    }

    /// Whether X is to move: where there are as many of both.
    #[must_use]
    pub fn x_moves(&self) -> bool {
        self.x.count_ones() == self.o.count_ones()
    }

    /// The marks of the player to move.
    pub(super) fn own(&self) -> u32 {
        if self.x_moves() { self.x } else { self.o }
    }

    /// The marks of the player who has just moved.
    pub(super) fn theirs(&self) -> u32 {
        if self.x_moves() { self.o } else { self.x }
    }

    /// The position after the player to move has marked an empty square.
    pub(super) fn with(&self, cell: u8) -> NoughtsPosition {
        let mut next = *self;
        if self.x_moves() {
            next.x |= 1 << cell
        } else {
            next.o |= 1 << cell
        }
        next
    }

    /// The position with the squares of each player's marks moved.
    pub(super) fn map(&self, to: impl Fn(u32) -> u32) -> NoughtsPosition {
        NoughtsPosition {
            x: to(self.x),
            o: to(self.o),
        }
    }

    /// What is written for a square: 0 empty, 1 X, 2 O.
    pub(super) fn level(&self, cell: u8) -> u8 {
        (self.x >> cell & 1) as u8 + 2 * (self.o >> cell & 1) as u8
    }

    /// The sign on a square; `.` on an empty one.
    pub(super) fn sign(&self, cell: u8) -> char {
        ['.', 'X', 'O'][usize::from(self.level(cell) % 3)]
    }
}
