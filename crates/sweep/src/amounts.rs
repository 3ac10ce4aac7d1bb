//! Amounts in words.

/// Whether a number of bytes is so large that [`bytes`] gives a lower bound instead.
#[must_use]
pub fn beyond_measure(count: u128) -> bool {
    count as f64 >= (1_u64 << 60) as f64
}

/// A number of bytes for people, in binary units; beyond 1 EiB it only says so.
#[must_use]
pub fn bytes(count: u128) -> String {
    if beyond_measure(count) {
        return "more than 1 EiB".into();
    }
    let mut size = count as f64;
    let mut unit = None;
    for next in ["KiB", "MiB", "GiB", "TiB", "PiB"] {
        if size < 1024.0 {
            break;
        }
        size /= 1024.0;
        unit = Some(next);
    }
    match unit {
        None => format!("{count} bytes"),
        Some(unit) => format!("{size:.1} {unit}"),
    }
}

#[cfg(test)]
mod tests {
    use super::bytes;

    #[test]
    fn bytes_for_people() {
        assert_eq!(bytes(512), "512 bytes");
        assert_eq!(bytes(3 << 29), "1.5 GiB");
        assert_eq!(bytes(1 << 50), "1.0 PiB");
        assert_eq!(bytes(u128::MAX), "more than 1 EiB");
    }
}
