//! Days of the calendar, and their numbers.

/// A day of the calendar, from days since the beginning of 1970.
pub(crate) fn date(days: u64) -> String {
    let (mut year, mut left) = (1970, days);
    while left >= days_of_year(year) {
        left -= days_of_year(year);
        year += 1;
    }
    let mut month = 1;
    for days in month_lengths(year) {
        if left < days {
            break;
        }
        left -= days;
        month += 1;
    }
    format!("{year:04}-{month:02}-{:02}", left + 1)
}

/// Days since the beginning of 1970, from a day of the calendar; `None` where the calendar has no such day.
pub(crate) fn days_until(text: &str) -> Option<u64> {
    let mut parts = text.splitn(3, '-').map(|part| part.parse::<u64>().ok());
    let (year, month, day) = (parts.next()??, parts.next()??, parts.next()??);
    let lengths = month_lengths(year);
    let months = lengths.get(..usize::try_from(month.checked_sub(1)?).ok()?)?;
    // Nobody asks for a day so far off.
    let years = (1970..year.min(10_000)).map(days_of_year);
    let days = years.chain(months.iter().copied()).sum::<u64>() + day.checked_sub(1)?;
    (date(days) == text).then_some(days)
}

fn days_of_year(year: u64) -> u64 {
    month_lengths(year).iter().sum()
}

fn month_lengths(year: u64) -> [u64; 12] {
    let leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    [
        31,
        28 + u64::from(leap),
        31,
        30,
        31,
        30,
        31,
        31,
        30,
        31,
        30,
        31,
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_and_dates_are_inverse() {
        for days in [0, 58, 59, 789, 11_016, 20_787, 47_540] {
            assert_eq!(days_until(&date(days)), Some(days));
        }
        assert_eq!(date(20_787), "2026-11-30");
        for none in [
            "2026-02-29",
            "2026-13-01",
            "2026-00-10",
            "2026-11-31",
            "1969-12-31",
            "2026-1-030",
            "today",
        ] {
            assert_eq!(days_until(none), None, "{none}");
        }
    }
}
