//! Comma-separated values, quoted as RFC 4180 says.

/// A row without its end.
pub(crate) fn row<'v>(values: impl IntoIterator<Item = &'v str>) -> String {
    let written: Vec<String> = values.into_iter().map(quoted).collect();
    written.join(",")
}

fn quoted(value: &str) -> String {
    if value.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", value.replace('"', "\"\""))
    } else {
        value.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_needs_quotes_has_them() {
        assert_eq!(row(["a b", "", "gain(b2)", "-1"]), "a b,,gain(b2),-1");
        assert_eq!(
            row(["a,b", "say \"x\"", "two\nlines"]),
            "\"a,b\",\"say \"\"x\"\"\",\"two\nlines\""
        );
    }
}
