//! Amounts in words.

/// Whether a number of bytes is so large that [`bytes`] gives a lower bound instead.
#[must_use]
pub fn beyond_measure(count: u128) -> bool {
    count as f64 >= (1_u64 << 60) as f64
}

/// A number of bytes for people, in binary units; beyond 1 EiB it only says so.
#[must_use]
pub fn bytes(count: u128) -> String {
    rounded(count, |tenths| tenths.round_ties_even())
}

/// As [`bytes`], rounded up: an amount of which this is said is enough.
#[must_use]
pub fn bytes_up(count: u128) -> String {
    rounded(count, f64::ceil)
}

/// As [`bytes`], rounded down: what does not fit into this many is told as more by [`bytes_up`].
#[must_use]
pub fn bytes_down(count: u128) -> String {
    rounded(count, f64::floor)
}

fn rounded(count: u128, round: impl Fn(f64) -> f64) -> String {
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
        Some(unit) => format!("{:.1} {unit}", round(size * 10.0) / 10.0),
    }
}

#[cfg(test)]
mod tests {
    use super::{bytes, bytes_down, bytes_up};

    #[test]
    fn bytes_for_people() {
        assert_eq!(bytes(512), "512 bytes");
        assert_eq!(bytes(3 << 29), "1.5 GiB");
        assert_eq!(bytes(1 << 50), "1.0 PiB");
        assert_eq!(bytes(u128::MAX), "more than 1 EiB");
        let little_more = (32 << 20) + 1;
        assert_eq!(bytes(little_more), "32.0 MiB");
        assert_eq!(bytes_up(little_more), "32.1 MiB");
        assert_eq!(bytes_down(little_more), "32.0 MiB");
        assert_eq!(bytes_up(32 << 20), bytes_down(32 << 20));
    }
}
