//! Permutations of squares, applied to whole boards by table.

use crate::{Cell, Code};

/// A permutation of the squares of a board.
#[derive(Clone, Debug)]
pub struct Permutation {
    to: Vec<Cell>,
    // bytes[i][b]: where the four squares 4i..4i+4 with contents b go.
    bytes: Vec<[u64; 256]>,
}

impl Permutation {
    /// The permutation that moves square `c` to `to[c]`.
    ///
    /// # Panics
    /// When `to` is not a permutation of `0..to.len()`.
    #[must_use]
    pub fn new(to: Vec<Cell>) -> Permutation {
        let mut seen = vec![false; to.len()];
        for cell in &to {
            assert!(
                !std::mem::replace(&mut seen[cell.index()], true),
                "not a permutation: {to:?}"
            );
        }
        let bytes = to
            .chunks(4)
            .map(|targets| {
                let mut table = [0; 256];
                for (contents, image) in table.iter_mut().enumerate() {
                    for (slot, target) in targets.iter().enumerate() {
                        *image |= (contents as u64 >> (2 * slot) & 3) << (2 * target.0);
                    }
                }
                table
            })
            .collect();
        Permutation { to, bytes }
    }

    /// Where a square goes.
    #[must_use]
    pub fn cell(&self, cell: Cell) -> Cell {
        self.to[cell.index()]
    }

    /// Where all squares go, by number.
    #[must_use]
    pub fn cells(&self) -> &[Cell] {
        &self.to
    }

    /// The image of a board.
    #[must_use]
    pub fn apply(&self, code: Code) -> Code {
        let image = self.bytes.iter().enumerate().fold(0, |image, (i, table)| {
            image | table[(code.0 >> (8 * i) & 255) as usize]
        });
        Code(image)
    }

    /// The permutation that undoes this one.
    #[must_use]
    pub fn inverse(&self) -> Permutation {
        let mut to = vec![Cell(0); self.to.len()];
        for (from, target) in self.to.iter().enumerate() {
            to[target.index()] = Cell(from as u8);
        }
        Permutation::new(to)
    }
}

impl PartialEq for Permutation {
    fn eq(&self, other: &Permutation) -> bool {
        self.to == other.to
    }
}

impl Eq for Permutation {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inverse_undoes() {
        let turn = Permutation::new([2, 0, 3, 1, 5, 4].map(Cell).to_vec());
        for code in (0..4096).map(Code) {
            assert_eq!(turn.inverse().apply(turn.apply(code)), code);
        }
        assert_eq!(turn.apply(Code(3)), Code(3 << 4));
    }
}
