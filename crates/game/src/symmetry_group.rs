//! The symmetries that the rules of a board keep.

use crate::{Motion, Permutation, Shape};

/// Symmetries of a board, the identity first, each with the one that undoes it.
#[derive(Clone, Debug)]
pub(crate) struct SymmetryGroup {
    pub(crate) all: Vec<Permutation>,
    pub(crate) inverses: Vec<usize>,
}

impl SymmetryGroup {
    /// The group of these symmetries, among which each has its inverse.
    pub(crate) fn new(all: Vec<Permutation>) -> SymmetryGroup {
        let number = |inverse: Permutation| all.iter().position(|other| *other == inverse);
        let inverse = |symmetry: &Permutation| number(symmetry.inverse()).unwrap_or_default();
        SymmetryGroup {
            inverses: all.iter().map(inverse).collect(),
            all,
        }
    }

    /// The number of the symmetry that moves the picture of a shape so; a turn is one by a quarter, or
    /// by half where there is none by a quarter.
    pub(crate) fn showing(&self, motion: Motion, shape: &Shape) -> Option<usize> {
        let (files, ranks) = (shape.files() - 1, shape.ranks() - 1);
        let of = |image: &dyn Fn(u8, u8) -> (u8, u8)| {
            let places = |symmetry: &Permutation| {
                (0..).zip(symmetry.cells()).all(|(cell, to)| {
                    let (file, rank) = shape.place(crate::Cell(cell));
                    shape.place(*to) == image(file, rank)
                })
            };
            (1..self.all.len()).find(|number| places(&self.all[*number]))
        };
        match motion {
            Motion::Mirror => of(&|file, rank| (files - file, rank)),
            Motion::Turn => of(&|file, rank| (rank, files - file))
                .or_else(|| of(&|file, rank| (files - file, ranks - rank))),
        }
    }
}
