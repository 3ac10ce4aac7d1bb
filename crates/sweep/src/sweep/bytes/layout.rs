//! How the 4,096 positions of a block are laid out when each takes a byte.
//!
//! The same idea as for [bits](super::super::layout): a position is filed under a level sum modulo
//! four, here that of the first four squares.
//!
//! ```text
//! byte in a row = level of 0 + 4 · level of 1 + 16 · level of 2
//! row           = sum of the levels of 0 to 3, mod 4 + 4 · level of 4 + 16 · level of 5
//! ```
//!
//! The level of square 3 follows from the byte and the row. Raising squares 0 to 3 leads to the next
//! of four rows, raising squares 4 and 5 to the same of another four rows.

use super::super::layout::{BitRow, BitRows, POSITIONS};

/// Where a position of a block is kept: the number of its byte.
pub(super) const fn place(position: usize) -> usize {
    let mut sum = 0;
    let mut square = 0;
    while square < 4 {
        sum += position >> (2 * square) & 3;
        square += 1;
    }
    64 * (sum % 4 + 4 * (position >> 8 & 3) + 16 * (position >> 10)) + position % 64
}

/// [`place`] of every position.
pub(super) static PLACES: [u16; POSITIONS] = {
    let mut places = [0; POSITIONS];
    let mut position = 0;
    while position < POSITIONS {
        places[position] = place(position) as u16;
        position += 1;
    }
    places
};

/// For each of four rows: all bits set in the bytes whose square 3 is below level 3.
pub(super) static THIRD_CAN_RISE: BitRows<4> = {
    let mut rows: [BitRow; 4] = [[0; 64]; 4];
    let mut position = 0;
    while position < 256 {
        if position >> 6 < 3 {
            let place = place(position);
            rows[place / 64][place % 64] = u8::MAX;
        }
        position += 1;
    }
    BitRows(rows)
};
