//! Lines of an input of any length, in little memory.

use std::io::{self, BufRead, BufReader, Read};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::{Duration, Instant};

use anyhow::Result;
use greenwave_solver::SolveError;
use greenwave_tablebase::{Error, NoText, text_of_bytes};

/// Longest line in bytes; nothing that means anything is a tenth of that.
const MOST: usize = 1 << 16;
/// Bytes that are read at once, if this many are there.
const READ: usize = 1 << 16;

/// What keeps a line from being read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum LineFault {
    /// It is too long to be anything.
    #[error("found a line of more than {MOST} bytes, expected one position or move a line")]
    Overlong,
    /// It is no text.
    #[error(transparent)]
    NoText(#[from] NoText),
}

/// A line, as far as it can be read.
#[derive(Debug)]
pub(crate) struct InputLine {
    /// Counted from 1.
    pub(crate) number: usize,
    pub(crate) text: String,
    pub(crate) fault: Option<LineFault>,
}

/// The lines of stdin, read by a thread of their own, so that a request to stop is heard while nothing
/// comes.
pub(crate) struct InputLines(Receiver<io::Result<Vec<InputLine>>>);

impl InputLines {
    /// Begins to read, at most this many lines at once.
    pub(crate) fn begin(most: usize) -> InputLines {
        // Reading ahead is bounded: the lines being sent, and those after them.
        let (tell, told) = sync_channel(0);
        std::thread::spawn(move || {
            let mut lines = LineReader::new(io::stdin().lock());
            loop {
                let read = lines.at_hand(most);
                let goes_on = read.as_ref().is_ok_and(|lines| !lines.is_empty());
                if tell.send(read).is_err() || !goes_on {
                    return;
                }
            }
        });
        InputLines(told)
    }

    /// The next lines, as [`LineReader::at_hand`]; none at the end. An error once `cancelled` says so.
    pub(crate) fn next(&self, cancelled: impl Fn() -> bool) -> Result<Vec<InputLine>> {
        Ok(self.next_within(None, cancelled)?.unwrap_or_default())
    }

    /// The same, and nothing where no line comes within a time.
    pub(crate) fn next_within(
        &self,
        time: Option<Duration>,
        cancelled: impl Fn() -> bool,
    ) -> Result<Option<Vec<InputLine>>> {
        const LOOK_UP: Duration = Duration::from_millis(100);
        let began = Instant::now();
        loop {
            match self.0.recv_timeout(LOOK_UP) {
                Ok(read) => return Ok(Some(read?)),
                Err(RecvTimeoutError::Disconnected) => return Ok(Some(Vec::new())),
                Err(RecvTimeoutError::Timeout) if cancelled() => {
                    return Err(Error::from(SolveError::Interrupted).into());
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
            if time.is_some_and(|time| began.elapsed() >= time) {
                return Ok(None);
            }
        }
    }
}

/// Reads one line after the other.
struct LineReader<R> {
    input: BufReader<R>,
    number: usize,
}

impl<R: Read> LineReader<R> {
    fn new(input: R) -> LineReader<R> {
        LineReader {
            input: BufReader::with_capacity(READ, input),
            number: 0,
        }
    }

    /// The next lines, at most this many: those that are there without waiting for more, but one at least
    /// unless the input has ended. So a program that waits for the answer to each line gets it.
    fn at_hand(&mut self, most: usize) -> io::Result<Vec<InputLine>> {
        let mut lines = Vec::new();
        lines.extend(self.next_line()?);
        while lines.len() < most && !lines.is_empty() && self.input.buffer().contains(&b'\n') {
            lines.extend(self.next_line()?);
        }
        Ok(lines)
    }

    /// The next line; none at the end.
    fn next_line(&mut self) -> io::Result<Option<InputLine>> {
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
        let shown = String::from_utf8_lossy(&bytes).into_owned();
        let (text, fault) = match text_of_bytes(bytes) {
            _ if too_long => (shown, Some(LineFault::Overlong)),
            Ok(text) => (text, None),
            Err(no_text) => (shown, Some(no_text.into())),
        };
        Ok(Some(InputLine {
            number: self.number,
            text,
            fault,
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
        let mut lines = LineReader::new(text.as_bytes());
        let mut found = Vec::new();
        while let Some(line) = lines.next_line().unwrap() {
            found.push((line.number, line.text.len(), line.fault.is_some()));
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

    #[test]
    fn a_byte_order_mark_says_nothing_and_other_encodings_are_told() {
        let mut lines = LineReader::new(&b"\xef\xbb\xbfa\r\n\xffb\nc\0\nd"[..]);
        let mut next = || lines.next_line().unwrap().unwrap();
        assert_eq!(
            (next().text.trim(), next().fault),
            ("a", Some(NoText::Encoding.into()))
        );
        assert_eq!(
            (next().fault, next().text),
            (Some(NoText::Zero.into()), "d".into())
        );
    }

    #[test]
    fn lines_that_are_there_come_together() {
        // A pipe: the text written last is there, the rest is to come.
        struct Pipe(Vec<&'static [u8]>);
        impl Read for Pipe {
            fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
                let Some(part) = self.0.pop() else {
                    return Ok(0);
                };
                into[..part.len()].copy_from_slice(part);
                Ok(part.len())
            }
        }
        let mut lines = LineReader::new(Pipe(vec![b"f", b"d\ne\n", b"a\nb\nc"]));
        let mut at_hand = |most| {
            let lines = lines.at_hand(most).unwrap();
            lines.into_iter().map(|line| line.text).collect::<Vec<_>>()
        };
        assert_eq!(at_hand(9), ["a", "b"]);
        assert_eq!(at_hand(1), ["cd"]);
        assert_eq!(at_hand(9), ["e"]);
        assert_eq!(at_hand(9), ["f"]);
        assert!(at_hand(9).is_empty());
    }
}
