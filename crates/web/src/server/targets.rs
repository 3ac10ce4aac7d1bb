//! Request lines as they arrive: what comes behind a `#` in one would be dropped before anybody sees it, and a line
//! longer than is read would be refused without a word.

use crate::params::LONGEST;

/// A byte that stands in no request line: the request is answered with 400.
const SPOILT: u8 = 1;

/// Bytes of a target that are passed on, more than any that is answered: the rest is dropped, so that the refusal
/// is a page in the reader's language, which the headers behind the line name.
const PASSED: usize = 2 * LONGEST;

/// The lines of a connection.
#[derive(Debug, Default)]
pub(super) struct RequestLines {
    part: LinePart,
    /// Bytes of the target so far.
    target: usize,
}

/// The part of a line that the next byte belongs to.
#[derive(Clone, Copy, Debug, Default)]
enum LinePart {
    #[default]
    Begin,
    Method,
    Target,
    Rest,
}

impl RequestLines {
    /// Spoils each target that has a fragment, of which there is none in a request (RFC 9112, section 3.2), and
    /// drops the rest of one that is too long; how many bytes are left, at the front of those read.
    /// A header has a colon where a method would be, and bodies are not read, so no other line is meant.
    pub(super) fn checked(&mut self, read: &mut [u8]) -> usize {
        let mut kept = 0;
        for place in 0..read.len() {
            let mut byte = read[place];
            self.part = match (self.part, byte) {
                (_, b'\n') => LinePart::Begin,
                (LinePart::Begin | LinePart::Method, letter) if is_of_token(letter) => {
                    LinePart::Method
                }
                (LinePart::Method, b' ') => {
                    self.target = 0;
                    LinePart::Target
                }
                (LinePart::Target, b'#') => {
                    byte = SPOILT;
                    LinePart::Rest
                }
                (LinePart::Target, letter) if letter != b' ' => {
                    self.target += 1;
                    if self.target > PASSED {
                        continue;
                    }
                    LinePart::Target
                }
                (LinePart::Begin | LinePart::Method | LinePart::Target | LinePart::Rest, _) => {
                    LinePart::Rest
                }
            };
            read[kept] = byte;
            kept += 1;
        }
        kept
    }
}

/// Whether a byte can stand in a method or in the name of a header.
fn is_of_token(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fragment_in_a_request_line_is_spoilt_and_nothing_else() {
        for (sent, read) in [
            ("GET /a#x HTTP/1.1\r\n", "GET /a\u{1}x HTTP/1.1\r\n"),
            (
                "GET / HTTP/1.1\r\nHost: x\r\n\r\nGET /b?c#d HTTP/1.1\r\n",
                "GET / HTTP/1.1\r\nHost: x\r\n\r\nGET /b?c\u{1}d HTTP/1.1\r\n",
            ),
            (
                "GET /a%23x HTTP/1.1\r\nReferer: http://x/a#b\r\n#: a#b\r\n a#b\r\n",
                "GET /a%23x HTTP/1.1\r\nReferer: http://x/a#b\r\n#: a#b\r\n a#b\r\n",
            ),
        ] {
            for piece in [1, 2, 7, sent.len()] {
                let mut lines = RequestLines::default();
                let mut bytes = sent.as_bytes().to_vec();
                let mut passed = Vec::new();
                for piece in bytes.chunks_mut(piece) {
                    let kept = lines.checked(piece);
                    passed.extend_from_slice(&piece[..kept]);
                }
                assert_eq!(String::from_utf8(passed).unwrap(), read);
            }
        }
    }

    #[test]
    fn of_a_target_that_is_too_long_the_rest_is_dropped() {
        let sent = |target: usize| {
            let line = format!(
                "GET /{} HTTP/1.1\r\nHost: x\r\n\r\n",
                "x".repeat(target - 1)
            );
            line.repeat(2)
        };
        let mut lines = RequestLines::default();
        let mut passed = Vec::new();
        for piece in sent(5 * PASSED).into_bytes().chunks_mut(1000) {
            let kept = lines.checked(piece);
            passed.extend_from_slice(&piece[..kept]);
        }
        assert_eq!(String::from_utf8(passed).unwrap(), sent(PASSED));
    }
}
