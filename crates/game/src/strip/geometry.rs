//! Where the strip lies, and the board with the strip at the east, of which a position has the lights.
//!
//! ```text
//!        a4 b4 c4                 the strip's squares s1 s2 s3 run clockwise round the board:
//!     z3 a3 b3 c3 d3
//!     z2 a2 b2 c2 d2              north a4 b4 c4      east  d3 d2 d1
//!     z1 a1 b1 c1 d1              south c0 b0 a0      west  z1 z2 z3
//!        a0 b0 c0
//! ```
//!
//! Turning the picture until the strip lies at the east loses nothing but the side. The result is
//! an ordinary board of `k` ranks and `k + 1` files whose last file is the strip. A slide by `q`
//! quarter turns clockwise turns the main part of that board by `q` quarter turns the other way and
//! leaves the strip alone; turning the strip reverses its file.

use crate::{Cell, Permutation, Shape, ShapeError, Side, file_name};

/// A square board with a strip of the same length, and its picture with the strip at the east.
///
/// Squares have two numberings. *Listing order*, the same on every side: the main board rank by rank
/// from a1, then s1, s2 and so on. *East*: the numbering of [`StripGeometry::shape`], which codes use.
#[derive(Clone, Debug)]
pub struct StripGeometry {
    length: u8,
    main: Shape,
    shape: Shape,
    // By quarters of the side, then listing number: the square with the strip at the east.
    squares: [Vec<Cell>; 4],
    // By quarters, then whether the strip is turned as well.
    slides: [[Permutation; 2]; 4],
    mirror: Permutation,
    strip_mask: u64,
}

impl StripGeometry {
    /// The geometry of a main board with `length` ranks and files.
    ///
    /// # Errors
    /// When board and strip have more squares than fit into one code.
    pub fn new(length: u8) -> Result<StripGeometry, ShapeError> {
        let side = usize::from(length);
        let shape = Shape::rectangle(side, side + 1)?;
        let main = Shape::rectangle(side, side)?;
        let square = |file: u8, rank: u8| Cell(rank * (length + 1) + file);
        // The main board turned counter-clockwise.
        let turned = |cell: usize, quarters: usize| {
            let (mut file, mut rank) = main.place(Cell(cell as u8));
            for _ in 0..quarters {
                (file, rank) = (length - 1 - rank, file);
            }
            square(file, rank)
        };
        let strip = |number: u8| square(length, length - 1 - number);
        let squares = std::array::from_fn(|quarters| {
            (0..main.cells())
                .map(|cell| turned(cell, quarters))
                .chain((0..length).map(strip))
                .collect::<Vec<Cell>>()
        });
        let permutation = |image: &dyn Fn(usize) -> Cell| {
            let mut to = vec![Cell(0); shape.cells()];
            for (listed, from) in squares[0].iter().enumerate() {
                to[from.index()] = image(listed);
            }
            Permutation::new(to)
        };
        let number = |listed: usize| (listed - main.cells()) as u8;
        let slides = std::array::from_fn(|quarters| {
            [false, true].map(|reversed| {
                permutation(&|listed| {
                    if listed < main.cells() {
                        turned(listed, quarters)
                    } else if reversed {
                        strip(length - 1 - number(listed))
                    } else {
                        strip(number(listed))
                    }
                })
            })
        });
        let mirror = permutation(&|listed| {
            let (file, rank) = shape.place(squares[0][listed]);
            square(file, length - 1 - rank)
        });
        let strip_mask = (0..length).fold(0, |mask, number| mask | 3 << (2 * strip(number).0));
        Ok(StripGeometry {
            length,
            main,
            shape,
            squares,
            slides,
            mirror,
            strip_mask,
        })
    }

    /// Ranks and files of the main board, squares of the strip.
    #[must_use]
    pub fn length(&self) -> u8 {
        self.length
    }

    /// The main board.
    #[must_use]
    pub fn main(&self) -> &Shape {
        &self.main
    }

    /// Main board and strip with the strip at the east.
    #[must_use]
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// The squares, of the board with the strip at the east, in listing order while the strip lies at a side.
    #[must_use]
    pub fn squares(&self, side: Side) -> &[Cell] {
        &self.squares[side.quarters()]
    }

    /// What a slide by this many quarter turns clockwise, with or without a turn of the strip, does to
    /// the geometry; no quarter turns and a turn is the strip turned in place.
    #[must_use]
    pub fn slide(&self, quarters: usize, turned: bool) -> &Permutation {
        &self.slides[quarters % 4][usize::from(turned)]
    }

    /// What the reflection that exchanges north and south does to the geometry.
    #[must_use]
    pub fn mirror(&self) -> &Permutation {
        &self.mirror
    }

    /// The bits of a code that hold the strip.
    #[must_use]
    pub fn strip_mask(&self) -> u64 {
        self.strip_mask
    }

    /// The names of the strip's squares by coordinates while it lies at a side: `d3 d2 d1` at the
    /// east of a board of three files.
    #[must_use]
    pub fn strip_coordinates(&self, side: Side) -> Vec<String> {
        let far = self.length - 1;
        let name = |number: u8| match side {
            Side::East => format!("{}{}", file_name(self.length), far - number + 1),
            Side::South => format!("{}0", file_name(far - number)),
            Side::West => format!("z{}", number + 1),
            Side::North => format!("{}{}", file_name(number), self.length + 1),
        };
        (0..self.length).map(name).collect()
    }

    /// The square with a name, in listing order: `b2`, `s1`, or the coordinates of a strip square at
    /// the side where the strip lies; in either case.
    #[must_use]
    pub fn named(&self, name: &str, side: Side) -> Option<Cell> {
        let strip = |number: usize| Cell((self.main.cells() + number) as u8);
        self.main.cell_named(name).or_else(|| {
            let by_number = (0..usize::from(self.length))
                .find(|number| name.eq_ignore_ascii_case(&format!("s{}", number + 1)));
            let by_place = || {
                let names = self.strip_coordinates(side);
                names
                    .iter()
                    .position(|known| name.eq_ignore_ascii_case(known))
            };
            by_number.or_else(by_place).map(strip)
        })
    }

    /// The name of a square in listing order: `b2` or `s1`.
    #[must_use]
    pub fn name(&self, listed: Cell) -> String {
        match listed.index().checked_sub(self.main.cells()) {
            Some(number) => format!("s{}", number + 1),
            None => self.main.cell_name(listed),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Code;

    // Lines that hold a strip square, besides the strip itself, as names.
    fn strip_lines(geometry: &StripGeometry, side: Side) -> Vec<String> {
        let squares = geometry.squares(side);
        let name = |cell: &Cell| {
            let listed = squares.iter().position(|square| square == cell).unwrap();
            geometry.name(Cell(listed as u8))
        };
        let mut lines: Vec<String> = geometry
            .shape()
            .lines(3)
            .iter()
            .map(|line| {
                let mut names: Vec<String> = line.cells.iter().map(name).collect();
                names.sort();
                names.join(" ")
            })
            .filter(|line| line.contains('s') && !line.starts_with('s'))
            .collect();
        lines.sort();
        lines
    }

    #[test]
    fn lines_through_the_strip_on_every_side() {
        let geometry = StripGeometry::new(3).unwrap();
        let expected = [
            (
                Side::East,
                "b1 c1 s3|b1 c2 s1|b2 c2 s2|b3 c2 s3|b3 c3 s1",
                "d3 d2 d1",
            ),
            (
                Side::South,
                "a1 a2 s3|a2 b1 s1|b1 b2 s2|b1 c2 s3|c1 c2 s1",
                "c0 b0 a0",
            ),
            (
                Side::West,
                "a1 b1 s1|a2 b1 s3|a2 b2 s2|a2 b3 s1|a3 b3 s3",
                "z1 z2 z3",
            ),
            (
                Side::North,
                "a2 a3 s1|a2 b3 s3|b2 b3 s2|b3 c2 s1|c2 c3 s3",
                "a4 b4 c4",
            ),
        ];
        for (side, lines, names) in expected {
            assert_eq!(strip_lines(&geometry, side).join("|"), lines, "{side:?}");
            assert_eq!(geometry.strip_coordinates(side).join(" "), names);
            for (number, name) in names.split(' ').enumerate() {
                assert_eq!(geometry.named(name, side), Some(Cell(9 + number as u8)));
            }
        }
        assert_eq!(geometry.named("D3", Side::North), None);
        assert_eq!(geometry.named("S2", Side::North), Some(Cell(10)));
        assert_eq!(geometry.named("c3", Side::North), Some(Cell(8)));
    }

    #[test]
    fn slides_keep_every_square_where_it_lies() {
        let geometry = StripGeometry::new(3).unwrap();
        for from in Side::CLOCKWISE {
            for to in Side::CLOCKWISE {
                let slide = geometry.slide(from.quarters_to(to), false);
                for (before, after) in geometry.squares(from).iter().zip(geometry.squares(to)) {
                    assert_eq!(slide.cell(*before), *after, "{from:?} to {to:?}");
                }
                let turned = geometry.slide(from.quarters_to(to), true);
                let squares = (geometry.squares(from), geometry.squares(to));
                for number in 0..3 {
                    assert_eq!(turned.cell(squares.0[9 + number]), squares.1[11 - number]);
                }
            }
        }
    }

    #[test]
    fn mirror_exchanges_north_and_south() {
        let geometry = StripGeometry::new(3).unwrap();
        let code = Code::EMPTY.with(geometry.squares(Side::East)[0], 1);
        let mirrored = Code::EMPTY.with(geometry.squares(Side::East)[6], 1);
        assert_eq!(geometry.mirror().apply(code), mirrored);
        assert_eq!(
            Side::CLOCKWISE.map(Side::mirrored),
            [Side::East, Side::North, Side::West, Side::South]
        );
        assert_eq!(Side::from_letter("w"), Some(Side::West));
        assert_eq!(Side::from_letter(""), None);
        assert_eq!(Side::from_letter("NE"), None);
    }

    #[test]
    fn small_boards_have_small_strips() {
        let geometry = StripGeometry::new(2).unwrap();
        assert_eq!(geometry.shape().cells(), 6);
        assert_eq!(geometry.strip_coordinates(Side::South), ["b0", "a0"]);
        assert_eq!(geometry.strip_mask().count_ones(), 4);
        assert!(StripGeometry::new(0).is_err());
        assert!(StripGeometry::new(5).is_ok());
        assert!(StripGeometry::new(6).is_err());
    }
}
