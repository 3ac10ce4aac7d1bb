//! Request lines as they arrive: what comes behind a `#` in one would be dropped before anybody sees it.

/// A byte that stands in no request line: the request is answered with 400.
const SPOILT: u8 = 1;

/// The lines of a connection.
#[derive(Debug, Default)]
pub(super) struct RequestLines(LinePart);

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
    /// Spoils each target that has a fragment, of which there is none in a request (RFC 9112, section 3.2).
    /// A header has a colon where a method would be, and bodies are not read, so no other line is meant.
    pub(super) fn spoil_fragments(&mut self, read: &mut [u8]) {
        for byte in read {
            self.0 = match (self.0, *byte) {
                (_, b'\n') => LinePart::Begin,
                (LinePart::Begin | LinePart::Method, letter) if is_of_token(letter) => {
                    LinePart::Method
                }
                (LinePart::Method, b' ') => LinePart::Target,
                (LinePart::Target, b'#') => {
                    *byte = SPOILT;
                    LinePart::Rest
                }
                (LinePart::Target, letter) if letter != b' ' => LinePart::Target,
                (LinePart::Begin | LinePart::Method | LinePart::Target | LinePart::Rest, _) => {
                    LinePart::Rest
                }
            };
        }
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
                for piece in bytes.chunks_mut(piece) {
                    lines.spoil_fragments(piece);
                }
                assert_eq!(String::from_utf8(bytes).unwrap(), read);
            }
        }
    }
}
