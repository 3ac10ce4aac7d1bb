//! Boards of a batch that are pasted as rows on lines of their own.

use greenwave_game::{Game, Variant, file_name};
use greenwave_tablebase::is_count_line;

use crate::lines::InputLine;

/// Lines of the longest board, its frame and brackets included.
const MOST: usize = 40;

/// Rows that wait for the rest of their board.
pub(super) struct PastedRows<'a> {
    variant: &'a Variant,
    held: Vec<InputLine>,
}

impl PastedRows<'_> {
    pub(super) fn of(variant: &Variant) -> PastedRows<'_> {
        PastedRows {
            variant,
            held: Vec::new(),
        }
    }

    /// Whether rows wait.
    pub(super) fn wait(&self) -> bool {
        !self.held.is_empty()
    }

    /// The rows that wait, each as a line of its own: their board does not come.
    pub(super) fn given_up(&mut self) -> Vec<InputLine> {
        std::mem::take(&mut self.held)
    }

    /// The questions that lines are, or complete: a board has the number of its first line. A blank line
    /// and one that is a position by itself end the rows before them.
    pub(super) fn complete(&mut self, lines: Vec<InputLine>) -> Vec<InputLine> {
        let mut asked = Vec::with_capacity(lines.len());
        for line in lines {
            let text = line.text.trim();
            if line.fault.is_none() && (text.is_empty() || is_count_line(text)) {
                asked.append(&mut self.held);
                continue;
            }
            let is_row = line.fault.is_none() && self.is_row(text);
            if is_row || self.wait() && line.fault.is_none() && !self.can_be_read(text) {
                self.held.push(line);
                if let Some(board) = self.board() {
                    self.held.clear();
                    asked.push(board);
                } else if !is_row || self.held.len() > MOST {
                    asked.append(&mut self.held);
                }
            } else {
                asked.append(&mut self.held);
                asked.push(line);
            }
        }
        asked
    }

    fn can_be_read(&self, text: &str) -> bool {
        self.variant.parse_position(text).is_ok()
    }

    /// The board that the rows are together, if nothing is missing.
    fn board(&self) -> Option<InputLine> {
        let rows: Vec<&str> = self.held.iter().map(|line| line.text.trim()).collect();
        let text = rows.join("\n");
        let count = |sign: char| text.matches(sign).count();
        let is_closed = count('[') == count(']') && count('(') == count(')');
        (is_closed && self.can_be_read(&text)).then(|| InputLine {
            number: self.held[0].number,
            text,
            fault: None,
        })
    }

    /// Whether a line can be one row of a board: signs of squares, fewer than the board has, or the names of
    /// files below it.
    fn is_row(&self, text: &str) -> bool {
        let frame = |letter: char| letter.is_whitespace() || "-,|\"'[]()".contains(letter);
        let square = |letter: char| ".0123456789_RYGOAVXrygoavx".contains(letter);
        let squares = text.chars().filter(|letter| square(*letter)).count();
        let has_room = squares < self.variant.rules().cells as usize;
        let is_file = |(file, name): (u8, &str)| name == file_name(file);
        let are_files = || self.wait() && (0..).zip(text.split_whitespace()).all(is_file);
        has_room && text.chars().all(|letter| frame(letter) || square(letter)) || are_files()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(variant: &str, input: &str, lines_at_once: usize) -> Vec<(usize, String)> {
        let variant = Variant::parse(variant).unwrap();
        let mut rows = PastedRows::of(&variant);
        let lines: Vec<&str> = input.lines().collect();
        let mut found = Vec::new();
        for (piece, lines) in lines.chunks(lines_at_once).enumerate() {
            let lines = (1..).zip(lines).map(|(number, text)| InputLine {
                number: piece * lines_at_once + number,
                text: (*text).into(),
                fault: None,
            });
            found.extend(rows.complete(lines.collect()));
        }
        found.extend(rows.given_up());
        found
            .into_iter()
            .map(|line| (line.number, line.text))
            .collect()
    }

    #[test]
    fn rows_on_lines_of_their_own_are_one_board() {
        for (variant, input, expected) in [
            ("classic-3x3", "...\n.R.\n...", &[(1, "...\n.R.\n...")][..]),
            (
                "classic-3x3",
                "...\n.R.\n...\n\n0 1 2\n0 0 0\n1 0 0\n.../.../...\n...\n...\n...",
                &[
                    (1, "...\n.R.\n..."),
                    (5, "0 1 2\n0 0 0\n1 0 0"),
                    (8, ".../.../..."),
                    (9, "...\n...\n..."),
                ],
            ),
            (
                "classic-2x2",
                "[[0,0],[1,2]]\n[[0, 0],\n [1, 2]]\n[\n[0,1],\n[0,0]\n]\n..RG",
                &[
                    (1, "[[0,0],[1,2]]"),
                    (2, "[[0, 0],\n[1, 2]]"),
                    (4, "[\n[0,1],\n[0,0]\n]"),
                    (8, "..RG"),
                ],
            ),
            (
                "classic-2x3",
                "   2   .   .   .\n   1   R   .   .\n       a   b   c\n.R.\n...",
                &[
                    (1, "2   .   .   .\n1   R   .   .\na   b   c"),
                    (4, ".R.\n..."),
                ],
            ),
            (
                "slider",
                "...\n.R.\n...+..Y@E\n...\n...\n...+...",
                &[(1, "...\n.R.\n...+..Y@E"), (4, "...\n...\n...+...")],
            ),
            ("noughts-3x3", "X.O\n.x.\n...", &[(1, "X.O\n.x.\n...")]),
        ] {
            for at_once in [1, 2, 100] {
                let found = asked(variant, input, at_once);
                let found: Vec<(usize, &str)> = found
                    .iter()
                    .map(|(number, text)| (*number, text.as_str()))
                    .collect();
                assert_eq!(found, expected, "{variant} {input:?}");
            }
        }
    }

    #[test]
    fn rows_that_are_no_board_stay_lines() {
        let numbers = |input| {
            let found = asked("classic-3x3", input, 100);
            found
                .into_iter()
                .map(|(number, _)| number)
                .collect::<Vec<_>>()
        };
        assert_eq!(numbers("...\n.R.\n\n..."), [1, 2, 4]);
        assert_eq!(numbers("b2R\n........\n.../.../...\nhello"), [1, 2, 3, 4]);
        assert_eq!(numbers("...\nhello\n...\n.R.\n..."), [1, 2, 3]);
        assert_eq!(numbers(&"...R\n".repeat(100)).len(), 100);
    }
}
