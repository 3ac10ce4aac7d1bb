//! Lines and columns of a text.

/// Line and column of a byte, both counted from 1, the column in characters.
#[must_use]
pub fn line_and_column(text: &str, byte: usize) -> (usize, usize) {
    after((1, 1), &text.as_bytes()[..byte.min(text.len())])
}

// Line and column behind some bytes that begin at a line and column.
fn after((mut line, mut column): (usize, usize), bytes: &[u8]) -> (usize, usize) {
    for byte in bytes {
        if *byte == b'\n' {
            (line, column) = (line + 1, 1);
        } else if byte & 0xC0 != 0x80 {
            column += 1; // the first byte of a character
        }
    }
    (line, column)
}

/// Lines and columns of a text, each found in a short, fixed time, however long text and lines are.
#[derive(Debug)]
pub(super) struct TextLines {
    // Of every this many bytes.
    marks: Vec<(usize, usize)>,
}

impl TextLines {
    const STRIDE: usize = 1 << 10;

    pub(super) fn new(text: &str) -> TextLines {
        let mut marks = vec![(1, 1)];
        for part in text.as_bytes().chunks(Self::STRIDE) {
            let last = marks[marks.len() - 1];
            marks.push(after(last, part));
        }
        TextLines { marks }
    }

    pub(super) fn of(&self, text: &str, byte: usize) -> (usize, usize) {
        let byte = byte.min(text.len());
        let mark = byte / Self::STRIDE;
        after(
            self.marks[mark],
            &text.as_bytes()[mark * Self::STRIDE..byte],
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_those_of_counting_from_the_start() {
        let text: String = (0..5_000)
            .map(|number| match number % 97 {
                0 => '\n',
                rest if rest % 5 == 0 => 'ä',
                _ => 'x',
            })
            .collect();
        let places = TextLines::new(&text);
        for (byte, _) in text.char_indices().chain([(text.len(), ' ')]) {
            assert_eq!(
                places.of(&text, byte),
                line_and_column(&text, byte),
                "{byte}"
            );
        }
        assert_eq!(line_and_column("ab\ncä", 4), (2, 2));
        assert_eq!(line_and_column("ab\ncä", 99), (2, 3));
    }
}
