//! How the 4,096 positions of a block are laid out in memory.
//!
//! A block holds all levels of the six lowest squares; everything above them is fixed. Raising a
//! square inside a block leads to a position that must be known already, so a plain bit for each
//! index in order would have to be settled bit by bit. The layout is *skewed* instead: a position
//! is filed under its level sum modulo four.
//!
//! ```text
//! square   0 1 2        3      4 (level = 2·high + low)     5
//!          bit 0..64    lane   low: lane, high: row         filed by the level sum
//!
//! bit  = level of 0 + 4 · level of 1 + 16 · level of 2
//! lane = level of 3 + 4 · low bit of the level of 4                  (0..8)
//! row  = sum of all six levels mod 4 + 4 · high bit of the level of 4   (0..8)
//! ```
//!
//! The level of square 5 follows from the others and the row. Every raise now leads from a row to
//! the next one (modulo four), so positions of one row never depend on each other. A whole row of
//! 512 positions is settled at once, and nineteen steps down the level sums settle the block.

/// Squares inside a block.
pub(super) const LOW: usize = 6;

/// Positions in a block.
pub(super) const POSITIONS: usize = 1 << (2 * LOW);

/// 64-bit words of a block with one bit a position.
pub(super) const WORDS: usize = POSITIONS / 64;

/// One bit for each position of a block, in the skewed order: words in little-endian bytes.
pub(super) type BitBlock = [u8; POSITIONS / 8];

/// One bit for each of 512 positions that are settled together: eight lanes of 64, in
/// little-endian bytes.
pub(super) type BitRow = [u8; 64];

/// Rows, aligned as registers like them.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub(super) struct BitRows<const N: usize>(pub(super) [BitRow; N]);

/// Sum of the levels in a code of the low squares.
pub(super) const fn level_sum(position: usize) -> usize {
    let mut sum = 0;
    let mut square = 0;
    while square < LOW {
        sum += position >> (2 * square) & 3;
        square += 1;
    }
    sum
}

/// Where a position of a block is kept: the number of its bit in a [`BitBlock`].
pub(super) const fn place(position: usize) -> usize {
    let (third, fourth) = (position >> 6 & 3, position >> 8 & 3);
    let row = 4 * (fourth >> 1) + level_sum(position) % 4;
    let lane = third + 4 * (fourth & 1);
    512 * row + 64 * lane + position % 64
}

/// For each row: the positions in which square 5 is below level 3.
pub(super) const FIFTH_CAN_RISE: BitRows<8> = {
    let mut rows = BitRows([[0; 64]; 8]);
    let mut position = 0;
    while position < POSITIONS {
        if position >> 10 < 3 {
            let place = place(position);
            rows.0[place / 512][place / 8 % 64] |= 1 << (place % 8);
        }
        position += 1;
    }
    rows
};

/// Whether the bit of a position is set.
pub(super) fn bit(block: &BitBlock, position: usize) -> bool {
    let place = place(position);
    block[place / 8] >> (place % 8) & 1 == 1
}

// For each remainder, the bits of a word whose three levels sum to it modulo four.
const BITS_BY_SUM: [u64; 4] = {
    let mut bits = [0; 4];
    let mut bit = 0;
    while bit < 64 {
        bits[level_sum(bit) % 4] |= 1 << bit;
        bit += 1;
    }
    bits
};

/// The words of a block in the order of the index: bit `p % 64` of word `p / 64` for position `p`.
pub(super) fn in_order(block: &BitBlock) -> [u64; WORDS] {
    let (skewed, _) = block.as_chunks::<8>();
    let mut words = [0; WORDS];
    for (number, word) in words.iter_mut().enumerate() {
        let (third, fourth, fifth) = (number & 3, number >> 2 & 3, number >> 4);
        let lane = third + 4 * (fourth & 1);
        for (sum, bits) in BITS_BY_SUM.iter().enumerate() {
            let row = 4 * (fourth >> 1) + (sum + third + fourth + fifth) % 4;
            *word |= u64::from_le_bytes(skewed[8 * row + lane]) & bits;
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::super::masks::positions;
    use super::*;

    #[test]
    fn every_position_has_its_own_place() {
        let mut seen = [false; POSITIONS];
        for position in 0..POSITIONS {
            assert!(!std::mem::replace(&mut seen[place(position)], true));
        }
    }

    #[test]
    fn every_raise_leads_to_the_next_row() {
        for position in 0..POSITIONS {
            for square in (0..LOW).filter(|square| position >> (2 * square) & 3 < 3) {
                let raised = place(position + (1 << (2 * square)));
                assert_eq!(raised / 512 % 4, (place(position) / 512 + 1) % 4);
            }
        }
    }

    #[test]
    fn words_come_back_in_order() {
        let pattern = positions(place, |position| position & 0xF0F == 0x102);
        let words = in_order(&pattern);
        for position in 0..POSITIONS {
            let expected = position & 0xF0F == 0x102;
            assert_eq!(words[position / 64] >> (position % 64) & 1 == 1, expected);
            assert_eq!(bit(&pattern, position), expected);
        }
    }
}
