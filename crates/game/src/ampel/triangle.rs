//! The triangular board: points, directions, lines, symmetries, as bits of one word.

use crate::file_name;

/// Largest side of a triangle.
pub(super) const MAX_SIDE: u8 = 11;

// Bits from one row to the next; the same for every side, so that steps are shifts by constants.
const STRIDE: u8 = MAX_SIDE;

/// Bits of the grid that holds the largest triangle.
pub(super) const GRID: usize = STRIDE as usize * MAX_SIDE as usize;

/// A set of points, one bit each.
///
/// ```text
/// bit = 11 · row + place, both from 0; '-' is no point
///
///   a1  -   -  …        bits  0 ..= 10
///   b1  b2  -  …        bits 11 ..= 21
///   c1  c2  c3 …        bits 22 ..= 32
/// ```
///
/// Bits 121 to 127 and the places marked '-' are always clear.
pub(super) type PointSet = u128;

/// A point of the triangle: `11 · row + place`, both counted from 0 at the apex and the west edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Point(pub(super) u8);

impl Point {
    /// The point of a row (0 is the apex) and a place in it (0 is its west end).
    ///
    /// # Panics
    /// When no triangle has such a point.
    #[must_use]
    pub fn new(row: u8, place: u8) -> Point {
        assert!(row < MAX_SIDE && place <= row, "no point: {row}, {place}");
        Point(STRIDE * row + place)
    }

    /// The point with a number: points count from 0 at the apex, row by row, west to east.
    ///
    /// # Panics
    /// When no triangle has such a point.
    #[must_use]
    pub fn of_number(number: usize) -> Point {
        let row = ((8 * number + 1).isqrt() - 1) / 2;
        Point::new(row as u8, (number - row * (row + 1) / 2) as u8)
    }

    /// The number of the point, which is the same on every triangle that has it.
    #[must_use]
    pub fn number(self) -> usize {
        let row = usize::from(self.row());
        row * (row + 1) / 2 + usize::from(self.place())
    }

    /// The row, 0 at the apex.
    #[must_use]
    pub fn row(self) -> u8 {
        self.0 / STRIDE
    }

    /// The place in the row, 0 at its west end.
    #[must_use]
    pub fn place(self) -> u8 {
        self.0 % STRIDE
    }

    /// The name: the row's letter and the place from 1, `a1` at the apex.
    #[must_use]
    pub fn name(self) -> String {
        format!("{}{}", file_name(self.row()), self.place() + 1)
    }

    pub(super) fn index(self) -> usize {
        usize::from(self.0)
    }

    pub(super) fn bit(self) -> PointSet {
        1 << self.0
    }
}

/// The points of a set in order, row by row from the apex, west to east.
pub(super) fn points(mut set: PointSet) -> impl Iterator<Item = Point> {
    std::iter::from_fn(move || {
        let point = (set != 0).then(|| Point(set.trailing_zeros() as u8));
        set &= set.wrapping_sub(1);
        point
    })
}

/// The six directions, counter-clockwise by 60°: east, north-east, north-west, west, south-west,
/// south-east. Direction `d` and `opposite(d)` lie on one line.
pub(super) const DIRECTIONS: usize = 6;

pub(super) fn opposite(direction: usize) -> usize {
    (direction + 3) % DIRECTIONS
}

/// Every point of a set moved by one step. Steps that leave the board end outside it, so the result
/// has to be cut down to points of the board.
pub(super) fn shifted(set: PointSet, direction: usize) -> PointSet {
    match direction {
        0 => set << 1,
        1 => set >> STRIDE,
        2 => set >> (STRIDE + 1),
        3 => set >> 1,
        4 => set << STRIDE,
        _ => set << (STRIDE + 1),
    }
}

/// Symmetries of a triangle.
pub(super) const SYMMETRIES: usize = 6;

/// A triangle of a side: its points, lines and symmetries.
#[derive(Clone, Debug)]
pub(super) struct Triangle {
    /// All points.
    pub(super) board: PointSet,
    /// Points that are not on an edge.
    pub(super) inside: PointSet,
    /// By axis (direction modulo 3) and point: the whole line through the point.
    lines: [Vec<PointSet>; 3],
    symmetries: Vec<TriangleSymmetry>,
}

impl Triangle {
    /// The triangle of a side from 1 to [`MAX_SIDE`].
    pub(super) fn new(side: u8) -> Triangle {
        let all = || (0..side).flat_map(|row| (0..=row).map(move |place| Point::new(row, place)));
        let set = |keep: &dyn Fn(Point) -> bool| {
            all()
                .filter(|point| keep(*point))
                .fold(0, |set, point| set | point.bit())
        };
        let board = set(&|_| true);
        let inside = set(&|point| {
            point.place() > 0 && point.place() < point.row() && point.row() + 1 < side
        });
        // What all points of a line have in common: the row, the row less the place, the place.
        let of_line = |axis: usize, point: Point| match axis {
            0 => point.row(),
            1 => point.place(),
            _ => point.row() - point.place(),
        };
        let lines = [0, 1, 2].map(|axis| {
            let mut lines = vec![0; GRID];
            for point in all() {
                let line = of_line(axis, point);
                lines[point.index()] = set(&|other| of_line(axis, other) == line);
            }
            lines
        });
        let symmetries = (0..SYMMETRIES)
            .map(|number| TriangleSymmetry::new(side, number))
            .collect();
        Triangle {
            board,
            inside,
            lines,
            symmetries,
        }
    }

    /// Number of points.
    pub(super) fn len(&self) -> u32 {
        self.board.count_ones()
    }

    /// The whole line through a point along a direction, edge to edge.
    pub(super) fn line(&self, direction: usize, point: Point) -> PointSet {
        self.lines[direction % 3][point.index()]
    }

    /// The six symmetries; number 0 is the identity.
    pub(super) fn symmetries(&self) -> &[TriangleSymmetry] {
        &self.symmetries
    }

    /// The point with a name such as `c2`.
    pub(super) fn named(&self, name: &str) -> Option<Point> {
        points(self.board).find(|point| point.name() == name)
    }
}

/// A symmetry of a triangle as a table for points and a faster one for sets.
#[derive(Clone, Debug)]
pub(super) struct TriangleSymmetry {
    to: Vec<u8>,
    // bytes[i][b]: where the points of the bits 8i..8i+8 go when those bits are b.
    bytes: Vec<[PointSet; 256]>,
    pub(super) inverse: usize,
}

impl TriangleSymmetry {
    // Numbers 0 to 2 turn by thirds, 3 to 5 mirror and then turn.
    fn new(side: u8, number: usize) -> TriangleSymmetry {
        // Distances from the three edges: place, row - place and what is left; they sum to the side
        // less one and the symmetries permute them.
        let image = |point: Point| {
            let (row, place) = (point.row(), point.place());
            let edges = [place, row - place, side - 1 - row];
            let edges = match number {
                0 => edges,
                1 => [edges[1], edges[2], edges[0]],
                2 => [edges[2], edges[0], edges[1]],
                3 => [edges[1], edges[0], edges[2]],
                4 => [edges[0], edges[2], edges[1]],
                _ => [edges[2], edges[1], edges[0]],
            };
            Point::new(edges[0] + edges[1], edges[0])
        };
        let mut to: Vec<u8> = (0..GRID as u8).collect();
        for row in 0..side {
            for place in 0..=row {
                let point = Point::new(row, place);
                to[point.index()] = image(point).0;
            }
        }
        let used = usize::from(STRIDE * (side - 1) + side);
        let bytes = (0..used.div_ceil(8))
            .map(|byte| {
                let mut table = [0; 256];
                for (contents, image) in table.iter_mut().enumerate() {
                    *image = (0..8)
                        .filter(|bit| contents >> bit & 1 == 1 && 8 * byte + bit < GRID)
                        .fold(0, |set, bit| set | 1 << to[8 * byte + bit]);
                }
                table
            })
            .collect();
        let inverse = match number {
            1 => 2,
            2 => 1,
            own => own,
        };
        TriangleSymmetry { to, bytes, inverse }
    }

    pub(super) fn point(&self, point: Point) -> Point {
        Point(self.to[point.index()])
    }

    pub(super) fn set(&self, set: PointSet) -> PointSet {
        let contents = set.to_le_bytes();
        self.bytes
            .iter()
            .zip(contents)
            .fold(0, |image, (table, byte)| image | table[usize::from(byte)])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_of_the_rule_sheet() {
        let triangle = Triangle::new(11);
        assert_eq!(triangle.len(), 66);
        assert_eq!(triangle.inside.count_ones(), 36);
        let triples: u32 = (0..3)
            .map(|direction| {
                let pairs = shifted(triangle.board, direction) & triangle.board;
                (shifted(pairs, direction) & triangle.board & shifted(pairs, direction))
                    .count_ones()
            })
            .sum();
        assert_eq!(triples, 135, "contiguous triples");
    }

    #[test]
    fn points_are_numbered_row_by_row() {
        for side in 4..=MAX_SIDE {
            let board = Triangle::new(side).board;
            let numbers: Vec<usize> = points(board).map(Point::number).collect();
            assert!(numbers.iter().copied().eq(0..numbers.len()), "{numbers:?}");
            assert!(points(board).all(|point| Point::of_number(point.number()) == point));
        }
    }

    #[test]
    fn steps_stay_on_their_line_and_never_wrap() {
        for side in 4..=MAX_SIDE {
            let triangle = Triangle::new(side);
            for point in points(triangle.board) {
                for direction in 0..DIRECTIONS {
                    let next = shifted(point.bit(), direction) & triangle.board;
                    if next == 0 {
                        continue;
                    }
                    assert_eq!(next & triangle.line(direction, point), next);
                    assert_eq!(shifted(next, opposite(direction)), point.bit());
                    let place = Point(next.trailing_zeros() as u8);
                    let apart = place.row().abs_diff(point.row());
                    assert!(apart <= 1 && place.place().abs_diff(point.place()) <= 1);
                }
            }
        }
    }

    #[test]
    fn symmetries_keep_neighbours_and_have_inverses() {
        for side in 4..=MAX_SIDE {
            let triangle = Triangle::new(side);
            for symmetry in triangle.symmetries() {
                let inverse = &triangle.symmetries()[symmetry.inverse];
                assert_eq!(symmetry.set(triangle.inside), triangle.inside);
                for point in points(triangle.board) {
                    let image = symmetry.point(point);
                    assert_eq!(symmetry.set(point.bit()), image.bit());
                    assert_eq!(inverse.point(image), point);
                    let around = |point: Point| {
                        (0..DIRECTIONS).fold(0, |set, direction| {
                            set | shifted(point.bit(), direction) & triangle.board
                        })
                    };
                    assert_eq!(symmetry.set(around(point)), around(image));
                }
            }
        }
    }
}
