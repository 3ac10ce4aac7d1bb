//! The geometry of a square board: which squares there are, which lines they form, which
//! symmetries it has.

use std::collections::HashMap;

use crate::geometry::{Geometry, Grid};
use crate::{Cell, MAX_CELLS, Permutation, file_name};

/// Squares of a line, in order from one end, and the line that starts one square earlier.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The squares in order.
    pub cells: Vec<Cell>,
    /// The line in the same direction that starts one square before this one, by its number.
    pub previous: Option<usize>,
    /// Whether its squares have an order. Those of a figure have none, and only equal lights count there.
    pub ordered: bool,
    /// The line before it that has the same squares, where edges are joined: for equal lights both are
    /// one.
    pub reading_of: Option<usize>,
}

impl Line {
    /// Whether a pattern is tested on this line: equal lights once for the same squares, others
    /// along each reading.
    #[must_use]
    pub fn takes(&self, pattern: &[u8]) -> bool {
        if is_equal(pattern) {
            self.reading_of.is_none()
        } else {
            self.ordered
        }
    }
}

/// Whether all levels of a pattern are the same.
pub(crate) fn is_equal(pattern: &[u8]) -> bool {
    pattern.windows(2).all(|pair| pair[0] == pair[1])
}

/// Squares on a grid of ranks and files, perhaps with gaps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shape {
    ranks: u8,
    files: u8,
    // By rank * files + file; None is a gap.
    grid: Vec<Option<Cell>>,
    // (file, rank) of each square.
    places: Vec<(u8, u8)>,
    // Lines that the rules exclude, each by its squares in order of their numbers, sorted.
    removed: Vec<Vec<Cell>>,
    geometry: Geometry,
}

/// Why a shape cannot be made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ShapeError {
    /// No square, or more than fit into one code.
    #[error("a board has 1 to {MAX_CELLS} squares, found {found}")]
    Squares {
        /// The number of squares asked for.
        found: usize,
    },
}

impl Shape {
    /// The full board of `ranks` × `files` squares.
    ///
    /// # Errors
    /// When the board has no square or more than [`MAX_CELLS`].
    pub fn rectangle(ranks: usize, files: usize) -> Result<Shape, ShapeError> {
        let squares = ranks.saturating_mul(files);
        if squares == 0 || squares > MAX_CELLS {
            return Err(ShapeError::Squares { found: squares });
        }
        Shape::with_gaps(ranks, files, |_, _| true)
    }

    /// The squares of a `ranks` × `files` grid for which `present(file, rank)` holds.
    ///
    /// # Errors
    /// When there is no square or more than [`MAX_CELLS`], or the grid has more than 32 ranks or
    /// files.
    pub fn with_gaps(
        ranks: usize,
        files: usize,
        present: impl Fn(u8, u8) -> bool,
    ) -> Result<Shape, ShapeError> {
        if ranks > MAX_CELLS || files > MAX_CELLS {
            return Err(ShapeError::Squares {
                found: ranks.saturating_mul(files),
            });
        }
        let (ranks, files) = (ranks as u8, files as u8);
        let mut grid = Vec::new();
        let mut places = Vec::new();
        for rank in 0..ranks {
            for file in 0..files {
                grid.push(present(file, rank).then_some(Cell(places.len() as u8)));
                if present(file, rank) {
                    places.push((file, rank));
                }
            }
        }
        if places.is_empty() || places.len() > MAX_CELLS {
            return Err(ShapeError::Squares {
                found: places.len(),
            });
        }
        Ok(Shape {
            ranks,
            files,
            grid,
            places,
            removed: Vec::new(),
            geometry: Geometry::default(),
        })
    }

    /// The same squares with other lines.
    #[must_use]
    pub fn with_geometry(self, geometry: Geometry) -> Shape {
        Shape { geometry, ..self }
    }

    /// How the squares lie to each other, and which figures are lines.
    #[must_use]
    pub fn geometry(&self) -> &Geometry {
        &self.geometry
    }

    /// The same squares without some lines, each given by its squares. Symmetries that do not keep
    /// what is left are none any more.
    #[must_use]
    pub fn without_lines(mut self, lines: &[Vec<Cell>]) -> Shape {
        for line in lines {
            let mut line = line.clone();
            line.sort_unstable();
            self.removed.push(line);
        }
        self.removed.sort_unstable();
        self.removed.dedup();
        self
    }

    /// The lines that were taken off, by their ends.
    #[must_use]
    pub fn removed_lines(&self) -> Vec<String> {
        self.removed
            .iter()
            .map(|line| self.line_name(line))
            .collect()
    }

    /// A line by its ends, such as `a1-c1`; by all its squares where edges are joined, since there the
    /// ends leave it open.
    #[must_use]
    pub fn line_name(&self, cells: &[Cell]) -> String {
        let mut cells = cells.to_vec();
        cells.sort_unstable();
        if let ([first, .., last], false) = (&cells[..], self.geometry.wrap.joins()) {
            cells = vec![*first, *last];
        }
        let names: Vec<String> = cells.iter().map(|cell| self.cell_name(*cell)).collect();
        match &names[..] {
            [one] => format!("{one}-{one}"),
            _ => names.join("-"),
        }
    }

    fn is_removed(&self, cells: &[Cell]) -> bool {
        if self.removed.is_empty() {
            return false;
        }
        let mut cells = cells.to_vec();
        cells.sort_unstable();
        self.removed.binary_search(&cells).is_ok()
    }

    /// Number of ranks (rows).
    #[must_use]
    pub fn ranks(&self) -> u8 {
        self.ranks
    }

    /// Number of files (columns).
    #[must_use]
    pub fn files(&self) -> u8 {
        self.files
    }

    /// Number of squares.
    #[must_use]
    pub fn cells(&self) -> usize {
        self.places.len()
    }

    /// The square at a file and rank, counted from a1 = (0, 0); `None` off the board or in a gap.
    #[must_use]
    pub fn at(&self, file: u8, rank: u8) -> Option<Cell> {
        if file >= self.files || rank >= self.ranks {
            return None;
        }
        self.grid[usize::from(rank) * usize::from(self.files) + usize::from(file)]
    }

    /// File and rank of a square, counted from a1 = (0, 0).
    #[must_use]
    pub fn place(&self, cell: Cell) -> (u8, u8) {
        self.places[cell.index()]
    }

    /// The name of a square, `a1` for file a and the lowest rank.
    #[must_use]
    pub fn cell_name(&self, cell: Cell) -> String {
        let (file, rank) = self.place(cell);
        let mut name = file_name(file);
        match rank {
            0..9 => name.push(char::from(b'1' + rank)),
            _ => name.push_str(&(rank + 1).to_string()),
        }
        name
    }

    /// The square with a name, in either case.
    #[must_use]
    pub fn cell_named(&self, name: &str) -> Option<Cell> {
        (0..self.cells() as u8)
            .map(Cell)
            .find(|cell| self.cell_name(*cell).eq_ignore_ascii_case(name))
    }

    /// The square some steps from a place; `None` off the board or in a gap.
    fn walk(&self, (file, rank): (u8, u8), step: (i16, i16), steps: i16) -> Option<Cell> {
        let along = |from: u8, by: i16, size: u8, joined: bool| {
            let to = i16::from(from) + by;
            let to = if joined {
                to.rem_euclid(size.into())
            } else {
                to
            };
            u8::try_from(to).ok()
        };
        let wrap = self.geometry.wrap;
        let file = along(file, steps * step.0, self.files, wrap.files)?;
        let rank = along(rank, steps * step.1, self.ranks, wrap.ranks)?;
        self.at(file, rank)
    }

    /// The squares next to a square: along ranks, files and both diagonals, on a hexagonal grid along one,
    /// joined edges included. A square is not next to itself.
    #[must_use]
    pub fn neighbours(&self, cell: Cell) -> Vec<Cell> {
        const RISING: (i16, i16) = (1, 1);
        let steps = [(1, 0), (0, 1), (1, -1), RISING];
        let steps = steps
            .into_iter()
            .filter(|step| *step != RISING || self.geometry.grid == Grid::Square);
        let both = steps.flat_map(|step| [1, -1].map(|by| self.walk(self.place(cell), step, by)));
        let mut near: Vec<Cell> = both.flatten().filter(|near| *near != cell).collect();
        near.sort_unstable();
        near.dedup();
        near
    }

    /// The lines that count: straight runs of `length` squares, east, north, north-east and south-east
    /// from their first square; then the figures. On a single square (length 1) one line, not four.
    #[must_use]
    pub fn lines(&self, length: u8) -> Vec<Line> {
        let mut steps = self.geometry.steps();
        if length == 1 {
            steps.truncate(1);
        }
        let mut lines: Vec<Line> = Vec::new();
        let kept = |cells: &Vec<Cell>| {
            let twice = (1..cells.len()).any(|number| cells[..number].contains(&cells[number]));
            !twice && !self.is_removed(cells)
        };
        for step in steps {
            let first = lines.len();
            let mut places = Vec::new();
            for place in &self.places {
                let cells: Option<Vec<Cell>> = (0..i16::from(length))
                    .map(|steps| self.walk(*place, step, steps))
                    .collect();
                if let Some(cells) = cells.filter(kept) {
                    places.push(*place);
                    lines.push(Line {
                        cells,
                        previous: None,
                        ordered: true,
                        reading_of: None,
                    });
                }
            }
            for (number, place) in (first..).zip(places) {
                let before = self.walk(place, step, -1);
                lines[number].previous = (first..lines.len())
                    .find(|&other| length > 1 && Some(lines[other].cells[0]) == before);
            }
        }
        for figure in self.geometry.figures() {
            // The lower left of a figure need not be one of its squares.
            let corners =
                (0..self.ranks).flat_map(|rank| (0..self.files).map(move |file| (file, rank)));
            for corner in corners {
                let squares = figure.squares().iter();
                let cells: Option<Vec<Cell>> = squares
                    .map(|&(file, rank)| self.walk(corner, (file.into(), rank.into()), 1))
                    .collect();
                if let Some(cells) = cells.filter(kept) {
                    lines.push(Line {
                        cells,
                        previous: None,
                        ordered: false,
                        reading_of: None,
                    });
                }
            }
        }
        self.join_readings(&mut lines);
        lines
    }

    /// Lets lines of the same squares know each other.
    fn join_readings(&self, lines: &mut [Line]) {
        if self.geometry == Geometry::default() {
            return;
        }
        let mut known: HashMap<Vec<Cell>, usize> = HashMap::new();
        for (number, line) in lines.iter_mut().enumerate() {
            let mut cells = line.cells.clone();
            cells.sort_unstable();
            let first = *known.entry(cells).or_insert(number);
            line.reading_of = (first != number).then_some(first);
        }
        // A run does not continue from a line to itself.
        let same = |lines: &[Line], number: usize| lines[number].reading_of.unwrap_or(number);
        for number in 0..lines.len() {
            let previous = lines[number].previous;
            lines[number].previous =
                previous.filter(|previous| same(lines, *previous) != same(lines, number));
        }
    }

    /// The symmetries of the figure, without repetition: the identity first. Up to eight on a
    /// square outline, up to four on an oblong one; gaps must map onto gaps,
    /// and lines that were taken off onto such lines. Whether they keep the lines that count depends on
    /// the length of lines and is not asked.
    #[must_use]
    pub fn symmetries(&self) -> Vec<Permutation> {
        let mut found: Vec<Permutation> = Vec::new();
        for turn in 0..8_u8 {
            let (swap, flip_file, flip_rank) = (turn & 4 != 0, turn & 1 != 0, turn & 2 != 0);
            // On a hexagonal grid only the half turn and the exchange of files and ranks keep neighbours.
            let turned = self.geometry.grid == Grid::Hex && flip_file != flip_rank;
            if (swap && self.ranks != self.files) || turned {
                continue;
            }
            let image = |(file, rank): (u8, u8)| {
                let file = if flip_file {
                    self.files - 1 - file
                } else {
                    file
                };
                let rank = if flip_rank {
                    self.ranks - 1 - rank
                } else {
                    rank
                };
                if swap {
                    self.at(rank, file)
                } else {
                    self.at(file, rank)
                }
            };
            let to: Option<Vec<Cell>> = self.places.iter().map(|place| image(*place)).collect();
            let Some(to) = to else { continue };
            let moved = |line: &Vec<Cell>| -> Vec<Cell> {
                line.iter().map(|cell| to[cell.index()]).collect()
            };
            if !self
                .removed
                .iter()
                .all(|line| self.is_removed(&moved(line)))
            {
                continue;
            }
            let permutation = Permutation::new(to);
            if !found.contains(&permutation) {
                found.push(permutation);
            }
        }
        found
    }

    /// The grid as text, ranks from the top, `#` for a square and `-` for a gap.
    #[must_use]
    pub fn outline(&self) -> String {
        let row = |rank: u8| -> String {
            (0..self.files)
                .map(|file| {
                    if self.at(file, rank).is_some() {
                        '#'
                    } else {
                        '-'
                    }
                })
                .collect()
        };
        (0..self.ranks).rev().map(row).collect::<Vec<_>>().join("/")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_of_lines_and_symmetries() {
        let count = |ranks, files| {
            let shape = Shape::rectangle(ranks, files).unwrap();
            (shape.lines(3).len(), shape.symmetries().len())
        };
        assert_eq!(count(3, 3), (8, 8));
        assert_eq!(count(3, 4), (14, 4));
        assert_eq!(count(4, 4), (24, 8));
        assert_eq!(count(1, 5), (3, 2));
        assert_eq!(count(2, 2), (0, 8));
        assert_eq!(count(1, 1), (0, 1));
    }

    #[test]
    fn overlapping_lines_know_each_other() {
        let shape = Shape::rectangle(1, 5).unwrap();
        let previous: Vec<_> = shape.lines(3).iter().map(|line| line.previous).collect();
        assert_eq!(previous, [None, Some(0), Some(1)]);
    }

    #[test]
    fn gaps_break_lines_and_symmetries() {
        let shape = Shape::with_gaps(3, 3, |file, rank| (file, rank) != (0, 0)).unwrap();
        assert_eq!(shape.cells(), 8);
        assert_eq!(shape.outline(), "###/###/-##");
        assert_eq!(shape.lines(3).len(), 5);
        assert_eq!(
            shape.symmetries().len(),
            2,
            "identity and the mirror through the gap"
        );
        assert_eq!(shape.cell_named("B1"), Some(Cell(0)));
    }

    #[test]
    fn sizes_are_checked() {
        assert_eq!(
            Shape::rectangle(0, 3),
            Err(ShapeError::Squares { found: 0 })
        );
        assert_eq!(
            Shape::rectangle(6, 6),
            Err(ShapeError::Squares { found: 36 })
        );
        assert!(Shape::rectangle(4, 8).is_ok());
        assert!(Shape::rectangle(usize::MAX, 2).is_err());
    }
}
