//! The values of options, as they are typed.

use std::fmt::Display;
use std::ops::RangeInclusive;
use std::str::FromStr;
use std::time::Duration;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use greenwave_game::{Lights, Message, Metric};
use greenwave_play::Seat;
use greenwave_tablebase::Budget;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MetricChoice {
    All,
    One(Metric),
}

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

/// An order of the lights by its name.
pub(super) fn lights() -> impl TypedValueParser<Value = Lights> {
    let names = Lights::ALL.map(Lights::name);
    PossibleValuesParser::new(names).map(|name| Lights::named(&name).unwrap_or_default())
}

pub(super) fn threads(text: &str) -> Result<usize, String> {
    within(text, " of threads", 1..=1024)
}

pub(super) fn depth(text: &str) -> Result<u32, String> {
    within(text, " of plies", 0..=10_000)
}

pub(super) fn side(text: &str) -> Result<Seat, String> {
    let found = [Seat::First, Seat::Second]
        .into_iter()
        .find(|side| side.name() == text);
    found.ok_or_else(|| format!("found '{text}', expected first or second"))
}

pub(super) fn puzzle_count(text: &str) -> Result<usize, String> {
    within(text, " of puzzles", 1..=1000)
}

pub(super) fn puzzle_level(text: &str) -> Result<u8, String> {
    within(text, "", 1..=5)
}

#[cfg(feature = "png")]
pub(super) fn pixels(text: &str) -> Result<u32, String> {
    within(text, " of pixels", greenwave_picture::WIDTHS)
}

#[cfg(feature = "serve")]
pub(super) fn port(text: &str) -> Result<u16, String> {
    within(text, "", 0..=u16::MAX)
}

pub(super) fn games(text: &str) -> Result<u64, String> {
    within(text, " of games", 1..=1_000_000_000)
}

pub(super) fn count(text: &str) -> Result<u64, String> {
    within(text, "", 0..=u64::MAX)
}

pub(super) fn some(text: &str) -> Result<u64, String> {
    within(text, "", 1..=u64::MAX)
}

pub(super) fn budget(text: &str) -> Result<Budget, String> {
    text.parse().map_err(|problem: Message| problem.to_string())
}

pub(super) fn design_games(text: &str) -> Result<u64, String> {
    within(text, " of games", 1..=1_000_000)
}

pub(super) fn solve_budget(text: &str) -> Result<Duration, String> {
    match budget(text)? {
        Budget::Time(time) => Ok(time),
        Budget::Nodes(_) => Err(format!(
            "found '{text}', expected a time, such as 30s or 2m"
        )),
    }
}

#[cfg(feature = "serve")]
pub(super) fn serve_budget(text: &str) -> Result<Duration, String> {
    match budget(text)? {
        Budget::Time(time)
            if (Duration::from_millis(1)..=Duration::from_secs(3600)).contains(&time) =>
        {
            Ok(time)
        }
        Budget::Time(_) | Budget::Nodes(_) => Err(format!(
            "found '{text}', expected a time from a millisecond to an hour, such as 500ms or 2s"
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_threads_are_bounded() {
        assert!(threads("0").is_err());
        assert!(threads("1000000").is_err());
    }
}
