//! Elements and attributes as text.

use std::fmt::Write;

/// A text with the characters escaped that mean something in XML and HTML, in quotes or outside;
/// characters that XML cannot hold are left out.
#[must_use]
pub fn escaped(text: &str) -> String {
    // Most texts have nothing to be escaped.
    let is_plain = |byte: u8| matches!(byte, b' '..=b'~') && !b"&<>\"'".contains(&byte);
    if text.bytes().all(is_plain) {
        return text.into();
    }
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\t' | '\n' => out.push(letter),
            '\u{fffe}' | '\u{ffff}' => {}
            _ if letter.is_control() => {}
            _ => out.push(letter),
        }
    }
    out
}

/// A number with at most one decimal, the shortest way.
pub(crate) fn number(value: f64) -> String {
    // Pictures are far smaller than what this number holds.
    let tenths = (value * 10.0).round() as i64;
    let (whole, tenth) = (tenths / 10, (tenths % 10).abs());
    let sign = if tenths < 0 && whole == 0 { "-" } else { "" };
    match tenth {
        0 => format!("{whole}"),
        _ => format!("{sign}{whole}.{tenth}"),
    }
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
            for part in [" ", key, "=\"", &number(*value), "\""] {
                self.text.push_str(part);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_cannot_leave_their_element() {
        assert_eq!(escaped("a<b>&\"'\u{7}"), "a&lt;b&gt;&amp;&quot;&#39;");
    }

    #[test]
    fn numbers_are_short_and_have_no_negative_zero() {
        assert_eq!([2.0, 2.04, -0.01, 1.25].map(number), ["2", "2", "0", "1.3"]);
        assert_eq!([-0.5, -12.34, 100.96].map(number), ["-0.5", "-12.3", "101"]);
    }
}
