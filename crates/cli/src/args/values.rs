//! The values of options, as they are typed.

use std::fmt::Display;
use std::ops::RangeInclusive;
use std::str::FromStr;
use std::time::Duration;

use greenwave_tablebase::Budget;

use super::MetricChoice;

pub(super) fn metric_choice(text: &str) -> Result<MetricChoice, String> {
    if text == "all" {
        Ok(MetricChoice::All)
    } else {
        text.parse().map(MetricChoice::One)
    }
}

fn within<T: FromStr + PartialOrd + Display>(
    text: &str,
    of: &str,
    allowed: RangeInclusive<T>,
) -> Result<T, String> {
    let number = text.parse().ok().filter(|number| allowed.contains(number));
    number.ok_or_else(|| {
        let (least, most) = allowed.into_inner();
        format!("found '{text}', expected a number{of} from {least} to {most}")
    })
}

pub(super) fn threads(text: &str) -> Result<usize, String> {
    within(text, " of threads", 1..=1024)
}

pub(super) fn depth(text: &str) -> Result<u32, String> {
    within(text, " of plies", 0..=10_000)
}

pub(super) fn puzzle_count(text: &str) -> Result<usize, String> {
    within(text, " of puzzles", 1..=1000)
}

pub(super) fn puzzle_level(text: &str) -> Result<u8, String> {
    within(text, "", 1..=5)
}

pub(super) fn games(text: &str) -> Result<u64, String> {
    within(text, " of games", 1..=1_000_000_000)
}

pub(super) fn count(text: &str) -> Result<u64, String> {
    within(text, "", 0..=u64::MAX)
}

pub(super) fn memory(text: &str) -> Result<u64, String> {
    let refuse =
        || format!("found '{text}', expected a size such as 8G, 512M or a number of bytes");
    let upper = text.trim().to_ascii_uppercase();
    let upper = upper
        .strip_suffix("IB")
        .or(upper.strip_suffix('B'))
        .unwrap_or(&upper);
    let units = [
        ('K', 1_u64 << 10),
        ('M', 1 << 20),
        ('G', 1 << 30),
        ('T', 1 << 40),
    ];
    let (number, unit) = units
        .iter()
        .find_map(|(letter, unit)| Some((upper.strip_suffix(*letter)?, *unit)))
        .unwrap_or((upper, 1));
    let number: f64 = number.trim().parse().map_err(|_| refuse())?;
    let bytes = number * unit as f64;
    if !bytes.is_finite() || bytes < 0.0 {
        return Err(refuse());
    }
    const LEAST: f64 = (16 << 20) as f64;
    if bytes < LEAST {
        return Err(format!("found '{text}', expected at least 16M"));
    }
    Ok(bytes.min(u64::MAX as f64) as u64)
}

pub(super) fn budget(text: &str) -> Result<Budget, String> {
    let refuse = || {
        format!(
            "found '{text}', expected a time such as 500ms, 10s or 2m, or a number of positions"
        )
    };
    if let Ok(nodes) = text.parse() {
        return Ok(Budget::Nodes(nodes));
    }
    let units = [("ms", 0.001), ("s", 1.0), ("m", 60.0), ("h", 3600.0)];
    let (number, unit) = units
        .iter()
        .find_map(|(name, unit)| Some((text.strip_suffix(name)?, *unit)))
        .ok_or_else(refuse)?;
    let number: f64 = number.parse().map_err(|_| refuse())?;
    Duration::try_from_secs_f64(number * unit)
        .map(Budget::Time)
        .map_err(|_| refuse())
}

#[cfg(feature = "serve")]
pub(super) fn serve_budget(text: &str) -> Result<Duration, String> {
    match budget(text)? {
        Budget::Time(time) if time <= Duration::from_secs(3600) => Ok(time),
        Budget::Time(_) | Budget::Nodes(_) => Err(format!(
            "found '{text}', expected a time of at most an hour, such as 500ms or 2s"
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_and_budgets() {
        assert_eq!(memory("8G"), Ok(8 << 30));
        assert_eq!(memory("512MiB"), Ok(512 << 20));
        assert_eq!(memory("1.5g"), Ok(3 << 29));
        assert_eq!(memory("33554432"), Ok(32 << 20));
        assert!(memory("8 bananas").is_err());
        assert!(memory("-1G").is_err());
        assert!(memory("NaN").is_err());
        assert!(memory("1K").unwrap_err().contains("at least 16M"));
        assert_eq!(
            budget("500ms"),
            Ok(Budget::Time(Duration::from_millis(500)))
        );
        assert_eq!(budget("2m"), Ok(Budget::Time(Duration::from_secs(120))));
        assert_eq!(budget("1000"), Ok(Budget::Nodes(1000)));
        assert!(budget("soon").is_err());
        assert!(budget("-1s").is_err());
        assert!(threads("0").is_err());
        assert!(threads("1000000").is_err());
    }
}
