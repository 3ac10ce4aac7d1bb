//! Symmetries of a board under the names that people give them.

use greenwave_game::{Cell, Shape};

/// A symmetry by which a player can reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Symmetry {
    /// Half a turn about the centre.
    HalfTurn,
    /// Left and right change places.
    LeftRight,
    /// Top and bottom change places.
    TopBottom,
    /// A quarter turn clockwise.
    QuarterTurn,
    /// The diagonal from the lower left stays; on boards with gaps that lack it, the other one.
    Diagonal,
}

impl Symmetry {
    /// All of them, those that are easiest to play first.
    pub const ALL: [Symmetry; 5] = [
        Symmetry::HalfTurn,
        Symmetry::LeftRight,
        Symmetry::TopBottom,
        Symmetry::QuarterTurn,
        Symmetry::Diagonal,
    ];

    /// `half turn`, `mirror left-right`, `mirror top-bottom`, `quarter turn` or `mirror diagonal`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Symmetry::HalfTurn => "half turn",
            Symmetry::LeftRight => "mirror left-right",
            Symmetry::TopBottom => "mirror top-bottom",
            Symmetry::QuarterTurn => "quarter turn",
            Symmetry::Diagonal => "mirror diagonal",
        }
    }

    /// The key of its name among the texts of languages.
    #[must_use]
    pub fn key(self) -> &'static str {
        match self {
            Symmetry::HalfTurn => "symmetry-half-turn",
            Symmetry::LeftRight => "symmetry-left-right",
            Symmetry::TopBottom => "symmetry-top-bottom",
            Symmetry::QuarterTurn => "symmetry-quarter-turn",
            Symmetry::Diagonal => "symmetry-diagonal",
        }
    }

    /// The symmetry with a name.
    #[must_use]
    pub fn named(name: &str) -> Option<Symmetry> {
        let mut all = Symmetry::ALL.into_iter();
        all.find(|symmetry| symmetry.name() == name)
    }

    /// What it does to the squares of a board; `None` where the board lacks it.
    #[must_use]
    pub fn on(self, shape: &Shape) -> Option<Vec<Cell>> {
        let (files, ranks) = (shape.files(), shape.ranks());
        let mapped = |image: &dyn Fn(u8, u8) -> (u8, u8)| -> Option<Vec<Cell>> {
            let cells = (0..shape.cells() as u8).map(Cell);
            let images = cells.map(|cell| {
                let (file, rank) = shape.place(cell);
                let (file, rank) = image(file, rank);
                shape.at(file, rank)
            });
            images.collect()
        };
        let square = files == ranks;
        match self {
            Symmetry::HalfTurn => mapped(&|file, rank| (files - 1 - file, ranks - 1 - rank)),
            Symmetry::LeftRight => mapped(&|file, rank| (files - 1 - file, rank)),
            Symmetry::TopBottom => mapped(&|file, rank| (file, ranks - 1 - rank)),
            Symmetry::QuarterTurn if square => mapped(&|file, rank| (rank, files - 1 - file)),
            Symmetry::Diagonal if square => mapped(&|file, rank| (rank, file))
                .or_else(|| mapped(&|file, rank| (files - 1 - rank, files - 1 - file))),
            Symmetry::QuarterTurn | Symmetry::Diagonal => None,
        }
    }

    /// The symmetries that a board has.
    #[must_use]
    pub fn of(shape: &Shape) -> Vec<Symmetry> {
        let all = Symmetry::ALL.into_iter();
        all.filter(|symmetry| symmetry.on(shape).is_some())
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_symmetry_is_a_permutation_that_keeps_neighbours() {
        for (ranks, files, count) in [(3, 3, 5), (3, 4, 3), (1, 5, 3), (1, 1, 5)] {
            let shape = Shape::rectangle(ranks, files).unwrap();
            let found = Symmetry::of(&shape);
            assert_eq!(found.len(), count, "{ranks}x{files}");
            for symmetry in found {
                let map = symmetry.on(&shape).unwrap();
                let mut sorted: Vec<u8> = map.iter().map(|cell| cell.0).collect();
                sorted.sort_unstable();
                assert!(sorted.iter().copied().eq(0..shape.cells() as u8));
                assert_eq!(Symmetry::named(symmetry.name()), Some(symmetry));
            }
        }
        let shape = Shape::rectangle(3, 3).unwrap();
        let image = |symmetry: Symmetry, name: &str| {
            let cell = shape.cell_named(name).unwrap();
            shape.cell_name(symmetry.on(&shape).unwrap()[cell.index()])
        };
        assert_eq!(image(Symmetry::QuarterTurn, "a1"), "a3");
        assert_eq!(image(Symmetry::QuarterTurn, "a3"), "c3");
        assert_eq!(image(Symmetry::Diagonal, "b1"), "a2");
        assert_eq!(image(Symmetry::HalfTurn, "a1"), "c3");
        assert_eq!(image(Symmetry::LeftRight, "a2"), "c2");
        assert_eq!(image(Symmetry::TopBottom, "a1"), "a3");
        let gap = Shape::with_gaps(3, 3, |file, rank| (file, rank) != (0, 2)).unwrap();
        assert_eq!(Symmetry::of(&gap), [Symmetry::Diagonal], "through the gap");
    }
}
