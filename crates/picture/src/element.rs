//! Elements and attributes as text.

use std::fmt::Write;

/// A text with the characters escaped that mean something in XML and HTML, in quotes or outside;
/// characters that XML cannot hold are left out.
#[must_use]
pub fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut copied = 0;
    for (place, byte) in text.bytes().enumerate() {
        // Most letters stand for themselves, and are copied many at a time.
        if !MAY_CHANGE[usize::from(byte)] {
            continue;
        }
        let letter = text[place..].chars().next().unwrap_or_default();
        let instead = match letter {
            '&' => "&amp;",
            '<' => "&lt;",
            '>' => "&gt;",
            '"' => "&quot;",
            '\'' => "&#39;",
            '\t' | '\n' => continue,
            '\u{fffe}' | '\u{ffff}' => "",
            _ if letter.is_control() => "",
            _ => continue,
        };
        out.push_str(&text[copied..place]);
        out.push_str(instead);
        copied = place + letter.len_utf8();
    }
    out.push_str(&text[copied..]);
    out
}

/// First bytes of letters that are escaped or left out, and of others like them.
const MAY_CHANGE: [bool; 256] = {
    let mut may = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        may[byte] = match byte as u8 {
            b'&' | b'<' | b'>' | b'"' | b'\'' => true,
            // U+0080 to U+009F, U+FFFE and U+FFFF.
            0xc2 | 0xef => true,
            other => other.is_ascii_control(),
        };
        byte += 1;
    }
    may
};

/// A number with at most one decimal, the shortest way.
pub(crate) fn number(value: f64) -> String {
    let mut text = String::new();
    push_number(&mut text, value);
    text
}

fn push_number(text: &mut String, value: f64) {
    // Pictures are far smaller than what this number holds.
    let tenths = (value * 10.0).round() as i64;
    let (whole, tenth) = (tenths / 10, (tenths % 10).abs());
    let sign = if tenths < 0 && whole == 0 { "-" } else { "" };
    let _ = match tenth {
        0 => write!(text, "{whole}"),
        _ => write!(text, "{sign}{whole}.{tenth}"),
    };
}

/// Elements being written one after the other.
#[derive(Default)]
pub(crate) struct Elements {
    pub(crate) text: String,
}

impl Elements {
    /// An element without content.
    pub(crate) fn leaf(&mut self, name: &str, class: &str, numbers: &[(&str, f64)]) {
        self.begin(name, class, numbers);
        self.text.push_str("/>");
    }

    /// An element with a text in it.
    pub(crate) fn around(
        &mut self,
        name: &str,
        class: &str,
        numbers: &[(&str, f64)],
        content: &str,
    ) {
        self.begin(name, class, numbers);
        let content = escaped(content);
        let _ = write!(self.text, ">{content}</{name}>");
    }

    /// A path.
    pub(crate) fn path(&mut self, class: &str, data: &str) {
        let _ = write!(self.text, "<path class=\"{class}\" d=\"{data}\"/>");
    }

    fn begin(&mut self, name: &str, class: &str, numbers: &[(&str, f64)]) {
        for part in ["<", name, " class=\"", class, "\""] {
            self.text.push_str(part);
        }
        for (key, value) in numbers {
            for part in [" ", key, "=\""] {
                self.text.push_str(part);
            }
            push_number(&mut self.text, *value);
            self.text.push('"');
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_cannot_leave_their_element() {
        assert_eq!(escaped("a<b>&\"'\u{7}"), "a&lt;b&gt;&amp;&quot;&#39;");
        assert_eq!(
            escaped("\u{85}£\t\u{ffff}ｗ\u{fffe}\u{7f}✓é\n"),
            "£\tｗ✓é\n"
        );
    }

    #[test]
    fn numbers_are_short_and_have_no_negative_zero() {
        assert_eq!([2.0, 2.04, -0.01, 1.25].map(number), ["2", "2", "0", "1.3"]);
        assert_eq!([-0.5, -12.34, 100.96].map(number), ["-0.5", "-12.3", "101"]);
    }
}
