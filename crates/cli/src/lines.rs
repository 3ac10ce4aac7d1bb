//! Lines of an input of any length, in little memory.

use std::io::{self, BufRead};

/// Longest line in bytes; nothing that means anything is a tenth of that.
const MOST: usize = 1 << 16;

/// A line that is too long to be anything.
#[derive(Debug, thiserror::Error)]
#[error("found a line of more than {MOST} bytes, expected one position a line")]
pub(crate) struct TooLong;

/// A line, or the beginning of one that is too long.
#[derive(Debug)]
pub(crate) struct Line {
    /// Counted from 1.
    pub(crate) number: usize,
    pub(crate) text: String,
    pub(crate) too_long: bool,
}

/// Reads one line after the other.
pub(crate) struct Lines<R> {
    input: R,
    number: usize,
}

impl<R: BufRead> Lines<R> {
    pub(crate) fn new(input: R) -> Lines<R> {
        Lines { input, number: 0 }
    }

    /// The next line; none at the end.
    pub(crate) fn next_line(&mut self) -> io::Result<Option<Line>> {
        let mut bytes = Vec::new();
        let (mut any, mut too_long) = (false, false);
        loop {
            let here = match self.input.fill_buf() {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                here => here?,
            };
            if here.is_empty() {
                break;
            }
            any = true;
            let end = here.iter().position(|byte| *byte == b'\n');
            let part = &here[..end.unwrap_or(here.len())];
            let room = MOST - bytes.len();
            too_long |= part.len() > room;
            bytes.extend_from_slice(&part[..part.len().min(room)]);
            let used = part.len() + usize::from(end.is_some());
            self.input.consume(used);
            if end.is_some() {
                break;
            }
        }
        if !any {
            return Ok(None);
        }
        self.number += 1;
        Ok(Some(Line {
            number: self.number,
            text: String::from_utf8_lossy(&bytes).into_owned(),
            too_long,
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_are_cut_and_the_others_come_whole() {
        let long = "x".repeat(MOST);
        let text = format!("a\n\n{long}\n{long}{long}y\nlast");
        let mut lines = Lines::new(io::BufReader::with_capacity(1000, text.as_bytes()));
        let mut found = Vec::new();
        while let Some(line) = lines.next_line().unwrap() {
            found.push((line.number, line.text.len(), line.too_long));
        }
        let expected = [
            (1, 1, false),
            (2, 0, false),
            (3, MOST, false),
            (4, MOST, true),
        ];
        assert_eq!(found[..4], expected);
        assert_eq!(found[4..], [(5, 4, false)]);
    }
}
