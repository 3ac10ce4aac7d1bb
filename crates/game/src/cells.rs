//! The squares of a board: their names, and the bit layout, two bits a square.

use std::fmt;

/// Most squares that fit into one [`Code`].
pub const MAX_CELLS: usize = 32;

/// Highest level of a square; a square at its game's highest level is final.
pub const MAX_LEVEL: u8 = 3;

/// A square by its number: `a1 = 0`, then along the rank, then rank by rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cell(pub u8);

impl Cell {
    /// The number as an index into arrays.
    #[must_use]
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// The levels of all squares, two bits each.
///
/// ```text
/// bit    63 62 ...  5  4   3  2   1  0
///       | c31 |    | c2 | | c1 | | c0 |     level of square c = bits 2c+1, 2c
/// ```
///
/// Read as a number in base four it is at once a bitboard and a gap-free index. A move raises one
/// square by one level, so it adds `4^square` and always leads to a higher code.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Code(pub u64);

/// The low bit of every square.
pub(crate) const LOW_BITS: u64 = 0x5555_5555_5555_5555;

impl Code {
    /// Every square at level 0.
    pub const EMPTY: Code = Code(0);

    /// Level of a square, 0 to 3.
    #[must_use]
    #[inline]
    pub fn level(self, cell: Cell) -> u8 {
        (self.0 >> (2 * cell.0) & 3) as u8
    }

    /// The same board with one square set to a level (0 to 3).
    #[must_use]
    #[inline]
    pub fn with(self, cell: Cell, level: u8) -> Code {
        debug_assert!(level <= MAX_LEVEL);
        let shift = 2 * cell.0;
        Code(self.0 & !(3 << shift) | u64::from(level & 3) << shift)
    }

    /// The same board with one square raised by a level; the square must be below level 3.
    #[must_use]
    #[inline]
    pub fn raised(self, cell: Cell) -> Code {
        debug_assert!(self.level(cell) < MAX_LEVEL, "a square at level 3 is final");
        Code(self.0 + (1 << (2 * cell.0)))
    }

    /// Sum of all levels: the number of plies played to get here by counter moves.
    #[must_use]
    #[inline]
    pub fn level_sum(self) -> u32 {
        (self.0 & LOW_BITS).count_ones() + 2 * (self.0 >> 1 & LOW_BITS).count_ones()
    }

    /// How many squares stand at a level (1 to 3).
    #[must_use]
    #[inline]
    pub fn count(self, level: u8) -> u32 {
        let (low, high) = (self.0 & LOW_BITS, self.0 >> 1 & LOW_BITS);
        match level {
            1 => (low & !high).count_ones(),
            2 => (high & !low).count_ones(),
            _ => (low & high).count_ones(),
        }
    }

    /// How many squares stand at each of the levels 1 to 3.
    #[must_use]
    #[inline]
    pub fn counts(self) -> [u32; MAX_LEVEL as usize] {
        [self.count(1), self.count(2), self.count(3)]
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:#x}", self.0)
    }
}

/// The name of a file, counted from 0: `a` to `z`, then `aa`, `ab` and so on.
#[must_use]
pub fn file_name(file: u8) -> String {
    let letter = |n: u8| char::from(b'a' + n);
    if file < 26 {
        letter(file).to_string()
    } else {
        format!("{}{}", letter(file / 26 - 1), letter(file % 26))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_are_read_written_and_counted() {
        let code = Code::EMPTY
            .with(Cell(0), 1)
            .with(Cell(5), 2)
            .with(Cell(31), 3);
        assert_eq!(code.0, 1 | 2 << 10 | 3 << 62);
        assert_eq!(
            [
                code.level(Cell(0)),
                code.level(Cell(5)),
                code.level(Cell(31))
            ],
            [1, 2, 3]
        );
        assert_eq!(code.level_sum(), 6);
        assert_eq!(code.counts(), [1, 1, 1]);
        assert_eq!(code.raised(Cell(0)).level(Cell(0)), 2);
    }

    #[test]
    fn files_past_z() {
        assert_eq!([0, 25, 26, 31].map(file_name), ["a", "z", "aa", "af"]);
    }
}
