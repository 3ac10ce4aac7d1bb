//! Settings as they are written, on command lines and elsewhere: the usual folder, sizes of memory,
//! budgets.

use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use greenwave_game::Message;

use crate::{Budget, messages};

/// The folder of tables where none is named: `solutions` if it is there, else the user's data folder.
#[must_use]
pub fn usual_dir() -> PathBuf {
    let here = PathBuf::from("solutions");
    if here.is_dir() {
        return here;
    }
    let from_env = |key: &str| {
        std::env::var_os(key)
            .filter(|value| !value.is_empty())
            .map(PathBuf::from)
    };
    // A relative one is to be ignored, says the XDG Base Directory Specification.
    let data = from_env("XDG_DATA_HOME")
        .filter(|folder| folder.is_absolute())
        .or_else(|| from_env("LOCALAPPDATA"))
        .or_else(|| from_env("HOME").map(|home| home.join(".local").join("share")));
    match data {
        Some(data) => data.join("greenwave"),
        // As good as any where nobody lives; nothing is written there but by a solve.
        None => here,
    }
}

/// Reads a size of memory in bytes, `8G`, `512M` or a number.
///
/// # Errors
/// When it is no size, or too small to work with.
pub fn read_memory(text: &str) -> Result<u64, String> {
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

/// Reads a time, `500ms`, `10s`, `2m`, or a number of positions.
impl FromStr for Budget {
    type Err = Message;

    fn from_str(text: &str) -> Result<Budget, Message> {
        let refuse = || messages::found_budget(text);
        match text.parse() {
            Ok(0) => {
                let problem = format!("found '{text}', expected a number of positions from 1");
                return Err(problem.into());
            }
            Ok(nodes) => return Ok(Budget::Nodes(nodes)),
            Err(_) => {}
        }
        let units = [("ms", 0.001), ("s", 1.0), ("m", 60.0), ("h", 3600.0)];
        let (number, unit) = units
            .iter()
            .find_map(|(name, unit)| Some((text.strip_suffix(name)?, *unit)))
            .ok_or_else(refuse)?;
        let number: f64 = number.parse().map_err(|_| refuse())?;
        let time = Duration::try_from_secs_f64(number * unit).map_err(|_| refuse())?;
        if time.is_zero() {
            let problem = format!(
                "found '{text}', expected a time from a millisecond, such as 500ms, 10s or 2m"
            );
            return Err(problem.into());
        }
        Ok(Budget::Time(time))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_and_budgets() {
        assert_eq!(read_memory("8G"), Ok(8 << 30));
        assert_eq!(read_memory("512MiB"), Ok(512 << 20));
        assert_eq!(read_memory("1.5g"), Ok(3 << 29));
        assert_eq!(read_memory("33554432"), Ok(32 << 20));
        assert!(read_memory("8 bananas").is_err());
        assert!(read_memory("-1G").is_err());
        assert!(read_memory("NaN").is_err());
        assert!(read_memory("1K").unwrap_err().contains("at least 16M"));
        let budget = |text: &str| text.parse::<Budget>();
        assert_eq!(
            budget("500ms"),
            Ok(Budget::Time(Duration::from_millis(500)))
        );
        assert_eq!(budget("2m"), Ok(Budget::Time(Duration::from_secs(120))));
        assert_eq!(budget("1000"), Ok(Budget::Nodes(1000)));
        assert!(budget("soon").is_err());
        assert!(budget("-1s").is_err());
    }
}
