//! How the squares of a board lie to each other, and which sets of them are lines.

use crate::MAX_CELLS;

/// Which squares are next to each other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Grid {
    /// Along ranks, files and both diagonals.
    #[default]
    Square,
    /// Six neighbours: along ranks, files and the one diagonal that runs down to the right.
    Hex,
}

/// Which edges of a board are joined.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Wrap {
    /// The last file is next to the first.
    pub files: bool,
    /// The last rank is next to the first.
    pub ranks: bool,
}

impl Wrap {
    /// Whether any edges are joined.
    #[must_use]
    pub fn joins(self) -> bool {
        self.files || self.ranks
    }
}

/// Along what squares in a row are lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Directions {
    /// Along ranks.
    pub rank: bool,
    /// Along files.
    pub file: bool,
    /// Along diagonals.
    pub diagonal: bool,
}

impl Default for Directions {
    fn default() -> Directions {
        Directions {
            rank: true,
            file: true,
            diagonal: true,
        }
    }
}

/// A figure of squares that is a line wherever it fits on the board.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Outline {
    // File and rank, sorted; some square has file 0 and some rank 0.
    squares: Vec<(u8, u8)>,
}

impl Outline {
    /// Reads rows from the top: `#` a square, `-` none, `/` between rows.
    ///
    /// # Errors
    /// When the text draws no figure of 1 to 32 squares; the error says why.
    pub fn parse(text: &str) -> Result<Outline, String> {
        if let Some(found) = text.chars().find(|letter| !"#-/".contains(*letter)) {
            return Err(format!(
                "found '{found}', expected '#' for a square, '-' for none and '/' between rows"
            ));
        }
        let rows: Vec<&str> = text.split('/').collect();
        if rows.iter().any(|row| row.len() != rows[0].len()) {
            return Err("the rows differ in length; fill them up with '-'".into());
        }
        let found = text.matches('#').count();
        if !(1..=MAX_CELLS).contains(&found) || rows.len().max(rows[0].len()) > MAX_CELLS {
            return Err(format!(
                "found {found} squares in '{text}', expected 1 to {MAX_CELLS} in as many rows and files"
            ));
        }
        let mut squares = Vec::new();
        for (rank, row) in rows.iter().rev().enumerate() {
            let marked = row.char_indices().filter(|(_, letter)| *letter == '#');
            squares.extend(marked.map(|(file, _)| (file as u8, rank as u8)));
        }
        Ok(Outline::of(squares))
    }

    // Moved to the lower left.
    fn of(mut squares: Vec<(u8, u8)>) -> Outline {
        let left = squares.iter().map(|square| square.0).min().unwrap_or(0);
        let low = squares.iter().map(|square| square.1).min().unwrap_or(0);
        for (file, rank) in &mut squares {
            (*file, *rank) = (*file - left, *rank - low);
        }
        squares.sort_unstable();
        Outline { squares }
    }

    /// File and rank of each square, counted from the lower left.
    #[must_use]
    pub fn squares(&self) -> &[(u8, u8)] {
        &self.squares
    }

    /// The figure in all its turns and mirror images, sorted and without repetition.
    #[must_use]
    pub fn turned(&self) -> Vec<Outline> {
        let mut all: Vec<Outline> = (0..8_u8)
            .map(|turn| {
                let image = |&(file, rank): &(u8, u8)| {
                    let most = MAX_CELLS as u8;
                    let file = if turn & 1 == 0 { file } else { most - file };
                    let rank = if turn & 2 == 0 { rank } else { most - rank };
                    if turn & 4 == 0 {
                        (file, rank)
                    } else {
                        (rank, file)
                    }
                };
                Outline::of(self.squares.iter().map(image).collect())
            })
            .collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// Rows from the top, as [`Outline::parse`] reads them.
    #[must_use]
    pub fn text(&self) -> String {
        let files = self.squares.iter().map(|square| square.0).max();
        let ranks = self.squares.iter().map(|square| square.1).max();
        let row = |rank: u8| -> String {
            let letter = |file| match self.squares.binary_search(&(file, rank)) {
                Ok(_) => '#',
                Err(_) => '-',
            };
            (0..=files.unwrap_or(0)).map(letter).collect()
        };
        let rows = (0..=ranks.unwrap_or(0)).rev().map(row);
        rows.collect::<Vec<_>>().join("/")
    }
}

/// What makes lines of squares, beside the squares themselves.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Geometry {
    /// Which squares are next to each other.
    pub grid: Grid,
    /// Which edges are joined.
    pub wrap: Wrap,
    /// Along what squares in a row are lines.
    pub directions: Directions,
    /// Figures that are lines, too.
    pub shapes: Vec<Outline>,
    /// Whether the figures count only as they are drawn, not in other turns and mirror images.
    pub shapes_as_drawn: bool,
}

impl Geometry {
    /// The steps in which squares in a row follow each other: east, north, north-east, south-east, as
    /// far as there are such lines.
    pub(crate) fn steps(&self) -> Vec<(i16, i16)> {
        let all = [
            (self.directions.rank, (1, 0)),
            (self.directions.file, (0, 1)),
            (
                self.directions.diagonal && self.grid == Grid::Square,
                (1, 1),
            ),
            (self.directions.diagonal, (1, -1)),
        ];
        let chosen = all.into_iter().filter(|(chosen, _)| *chosen);
        chosen.map(|(_, step)| step).collect()
    }

    /// Every figure that is a line, in all turns that count, sorted and without repetition.
    pub(crate) fn figures(&self) -> Vec<Outline> {
        let mut all: Vec<Outline> = self
            .shapes
            .iter()
            .flat_map(|shape| {
                if self.shapes_as_drawn {
                    vec![shape.clone()]
                } else {
                    shape.turned()
                }
            })
            .collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// The properties that differ from other boards, a line each: part of the text that is hashed.
    pub(crate) fn canonical(&self) -> String {
        let mut text = String::new();
        if self.grid == Grid::Hex {
            text.push_str("grid hex\n");
        }
        match (self.wrap.files, self.wrap.ranks) {
            (false, false) => {}
            (true, false) => text.push_str("wrap files\n"),
            (false, true) => text.push_str("wrap ranks\n"),
            (true, true) => text.push_str("wrap both\n"),
        }
        if self.directions != Directions::default() {
            let directions = self.directions;
            let names = [
                (directions.rank, " rank"),
                (directions.file, " file"),
                (directions.diagonal, " diagonal"),
            ];
            text.push_str("directions");
            for (_, name) in names.iter().filter(|(chosen, _)| *chosen) {
                text.push_str(name);
            }
            text.push('\n');
        }
        for figure in self.figures() {
            text.push_str(&format!("shape {}\n", figure.text()));
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_turn_and_are_written_as_they_are_read() {
        let count = |text: &str| Outline::parse(text).unwrap().turned().len();
        assert_eq!([count("##/##"), count("###"), count("##/#-")], [1, 2, 4]);
        assert_eq!([count("##-/-##"), count("#--/###/-#-")], [4, 8]);
        for text in ["##/#-", "#-#", "#/#", "-#-/###"] {
            assert_eq!(Outline::parse(text).unwrap().text(), text);
        }
        assert_eq!(Outline::parse("---/-#-/-##").unwrap().text(), "#-/##");
        for wrong in ["", "-", "#/##", "#x", "-/-"] {
            assert!(Outline::parse(wrong).is_err(), "{wrong}");
        }
    }
}
