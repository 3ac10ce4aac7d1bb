//! The geometry of a square board: which squares there are, which lines they form, which
//! symmetries it has.

use crate::{Cell, MAX_CELLS, Permutation, file_name};

/// Squares of a line, in order from one end, and the line that starts one square earlier.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The squares in order.
    pub cells: Vec<Cell>,
    /// The line in the same direction that starts one square before this one, by its number.
    pub previous: Option<usize>,
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
    // Lines that do not count, each by its squares in order of their numbers, sorted.
    removed: Vec<Vec<Cell>>,
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
        })
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

    /// A line by its ends, such as `a1-c1`.
    #[must_use]
    pub fn line_name(&self, cells: &[Cell]) -> String {
        let (Some(first), Some(last)) = (cells.iter().min(), cells.iter().max()) else {
            return String::new();
        };
        format!("{}-{}", self.cell_name(*first), self.cell_name(*last))
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

    /// All straight runs of `length` squares that were not taken off: east, north, north-east and
    /// south-east from their first square. On a single square (length 1) one line, not four.
    #[must_use]
    pub fn lines(&self, length: u8) -> Vec<Line> {
        const DIRECTIONS: [(i16, i16); 4] = [(1, 0), (0, 1), (1, 1), (1, -1)];
        let directions = if length == 1 {
            &DIRECTIONS[..1]
        } else {
            &DIRECTIONS[..]
        };
        let mut lines = Vec::new();
        for direction in directions {
            let walk = |(file, rank): (u8, u8), steps: i16| {
                let file = u8::try_from(i16::from(file) + steps * direction.0).ok()?;
                let rank = u8::try_from(i16::from(rank) + steps * direction.1).ok()?;
                self.at(file, rank)
            };
            let first = lines.len();
            for place in &self.places {
                let cells: Option<Vec<Cell>> = (0..i16::from(length))
                    .map(|steps| walk(*place, steps))
                    .collect();
                if let Some(cells) = cells.filter(|cells| !self.is_removed(cells)) {
                    lines.push((
                        *place,
                        Line {
                            cells,
                            previous: None,
                        },
                    ));
                }
            }
            for i in first..lines.len() {
                let before = walk(lines[i].0, -1);
                lines[i].1.previous = (first..lines.len())
                    .find(|&j| length > 1 && Some(lines[j].1.cells[0]) == before);
            }
        }
        lines.into_iter().map(|(_, line)| line).collect()
    }

    /// The symmetries of the figure, without repetition: the identity first. Up to eight on a
    /// square outline, up to four on an oblong one; gaps must map onto gaps,
    /// and lines that were taken off onto such lines.
    #[must_use]
    pub fn symmetries(&self) -> Vec<Permutation> {
        let mut found: Vec<Permutation> = Vec::new();
        for turn in 0..8_u8 {
            let (swap, flip_file, flip_rank) = (turn & 4 != 0, turn & 1 != 0, turn & 2 != 0);
            if swap && self.ranks != self.files {
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
