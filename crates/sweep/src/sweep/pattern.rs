//! Patterns on squares, the order of squares inside the sweep, and tables keyed by a few squares.

use greenwave_game::{Cell, Shape};

/// A pattern on particular squares: a board shows it when `code & mask == value`. Two bits a
/// square, both set in `mask` where the square belongs to the pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Pattern {
    pub(crate) mask: u64,
    pub(crate) value: u64,
}

impl Pattern {
    pub(crate) fn shown(self, code: u64) -> bool {
        code & self.mask == self.value
    }

    /// The part of the pattern on the squares of a mask.
    pub(crate) fn within(self, mask: u64) -> Pattern {
        Pattern {
            mask: self.mask & mask,
            value: self.value & mask,
        }
    }

    /// The level that it asks for on a square, if that belongs to it.
    pub(crate) fn level(self, square: u32) -> Option<u8> {
        let asks = self.mask >> (2 * square) & 3 != 0;
        asks.then_some((self.value >> (2 * square) & 3) as u8)
    }

    /// The squares of the pattern, lowest first.
    pub(crate) fn squares(self) -> impl Iterator<Item = u32> {
        (0..32).filter(move |square| self.mask >> (2 * square) & 3 != 0)
    }

    /// The boards that one raise turns into this pattern: one square a level lower.
    pub(crate) fn before(self) -> impl Iterator<Item = (u32, Pattern)> {
        self.squares().map(move |square| {
            let value = self.value - (1 << (2 * square));
            (square, Pattern { value, ..self })
        })
    }
}

/// In which order the sweep numbers the squares of a board: its square `i` is the board's square
/// `cells[i]`. Low numbers are the low digits of an index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SquareNumbering {
    cells: Vec<u8>,
    natural: bool,
}

impl SquareNumbering {
    /// The order of the index itself.
    pub(crate) fn natural(shape: &Shape) -> SquareNumbering {
        SquareNumbering::new((0..shape.cells() as u8).collect())
    }

    /// File by file instead of rank by rank.
    pub(crate) fn by_files(shape: &Shape) -> SquareNumbering {
        let mut cells: Vec<u8> = (0..shape.cells() as u8).collect();
        cells.sort_by_key(|cell| shape.place(Cell(*cell)));
        SquareNumbering::new(cells)
    }

    /// File by file from both ends to the middle.
    pub(crate) fn outside_in(shape: &Shape) -> SquareNumbering {
        let mut cells: Vec<u8> = (0..shape.cells() as u8).collect();
        cells.sort_by_key(|cell| {
            let (file, rank) = shape.place(Cell(*cell));
            (file.min(shape.files() - 1 - file), file, rank)
        });
        SquareNumbering::new(cells)
    }

    fn new(cells: Vec<u8>) -> SquareNumbering {
        let natural = cells.windows(2).all(|pair| pair[0] < pair[1]);
        SquareNumbering { cells, natural }
    }

    /// Whether the sweep's index is the board's index.
    pub(crate) fn is_natural(&self) -> bool {
        self.natural
    }

    pub(crate) fn len(&self) -> usize {
        self.cells.len()
    }

    /// The board's square of a square of the sweep.
    pub(crate) fn cell(&self, square: usize) -> u8 {
        self.cells[square]
    }

    /// A code of the sweep as the board numbers it.
    pub(crate) fn outward(&self, code: u64) -> u64 {
        self.cells
            .iter()
            .enumerate()
            .fold(0, |image, (square, cell)| {
                image | (code >> (2 * square) & 3) << (2 * cell)
            })
    }

    /// A board's code as the sweep numbers it.
    pub(crate) fn inward(&self, code: u64) -> u64 {
        self.cells
            .iter()
            .enumerate()
            .fold(0, |image, (square, cell)| {
                image | (code >> (2 * cell) & 3) << (2 * square)
            })
    }
}

/// A table over all levels of a few squares.
#[derive(Clone, Debug)]
pub(crate) struct LevelTable<T> {
    squares: Vec<u32>,
    /// One entry for each combination of levels, the first square in the lowest digit.
    pub(crate) entries: Vec<T>,
}

impl<T> LevelTable<T> {
    /// The place of a code's entry: the levels of the table's squares as a number in base four.
    pub(crate) fn place(&self, code: u64) -> usize {
        self.squares
            .iter()
            .enumerate()
            .fold(0, |place, (digit, square)| {
                place | ((code >> (2 * square) & 3) as usize) << (2 * digit)
            })
    }

    /// The entry of a code.
    pub(crate) fn get(&self, code: u64) -> &T {
        &self.entries[self.place(code)]
    }

    /// The squares on which the entry depends, as a mask.
    pub(crate) fn mask(&self) -> u64 {
        squares_mask(self.squares.iter().copied())
    }
}

/// Both bits of each of the squares.
pub(crate) fn squares_mask(squares: impl Iterator<Item = u32>) -> u64 {
    squares.fold(0, |mask, square| mask | 3 << (2 * square))
}

/// Tables that together hold, for every code, what the shown ones among `keys` contribute. Keys
/// whose squares fit together share a table of at most `most` squares; a table starts from
/// `empty` and `add` puts a key's contribution into an entry.
pub(crate) fn keyed<T: Clone>(
    keys: &[Pattern],
    most: usize,
    empty: &T,
    mut add: impl FnMut(&mut T, usize),
) -> Vec<LevelTable<T>> {
    let mut order: Vec<usize> = (0..keys.len()).collect();
    order.sort_by_key(|number| {
        (
            std::cmp::Reverse(keys[*number].mask.count_ones()),
            keys[*number],
        )
    });
    let mut groups: Vec<(u64, Vec<usize>)> = Vec::new();
    for number in order {
        let mask = keys[number].mask;
        // The table that grows least, among those that do not grow too large.
        let home = groups
            .iter_mut()
            .filter(|(squares, _)| {
                let union = *squares | mask;
                union == *squares || union.count_ones() as usize <= 2 * most
            })
            .min_by_key(|(squares, _)| (*squares | mask).count_ones() - squares.count_ones());
        match home {
            Some((squares, members)) => {
                *squares |= mask;
                members.push(number);
            }
            None => groups.push((mask, vec![number])),
        }
    }
    groups
        .into_iter()
        .map(|(mask, members)| {
            let pattern = Pattern { mask, value: 0 };
            let mut table = LevelTable {
                squares: pattern.squares().collect(),
                entries: vec![empty.clone(); 1 << mask.count_ones()],
            };
            for entry in 0..table.entries.len() {
                let code = table
                    .squares
                    .iter()
                    .enumerate()
                    .fold(0, |code, (digit, square)| {
                        code | (entry as u64 >> (2 * digit) & 3) << (2 * square)
                    });
                for number in &members {
                    if keys[*number].shown(code) {
                        add(&mut table.entries[entry], *number);
                    }
                }
            }
            table
        })
        .collect()
}
