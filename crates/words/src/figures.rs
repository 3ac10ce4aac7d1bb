//! Figures as people of a language write them.

use greenwave_game::{Odds, TIE, plural};

use crate::Language;

impl Language {
    /// A number of points with its sign and unit.
    #[must_use]
    pub fn points(self, points: i32) -> String {
        self.with(plural(points, "point", "points"), signed(points))
    }

    /// Which of two players gets more points, and how many more, by the keys of three texts: the player whose
    /// `points` they are, neither of them, the other one.
    #[must_use]
    pub fn more_points(self, points: i32, [own, same, other]: [&'static str; 3]) -> String {
        let more = self.counted(i64::from(points).abs(), "point", "points");
        match points {
            1.. => self.with(own, more),
            0 => self.text(same).into(),
            _ => self.with(other, more),
        }
    }

    /// What the player to move comes to in a game that scores, as a sentence.
    #[must_use]
    pub fn comes_out(self, points: i32) -> String {
        self.more_points(
            points,
            ["comes-out-ahead", "comes-out-level", "comes-out-behind"],
        )
    }

    /// A day such as `2026-11-27` as people write it: `27 November 2026`. Another text stays as it is.
    #[must_use]
    pub fn date(self, day: &str) -> String {
        let parts: Vec<&str> = day.split('-').collect();
        let &[year, month, day_of_month] = parts.as_slice() else {
            return day.into();
        };
        let Some(name) = self.month(month) else {
            return day.into();
        };
        let day_of_month = day_of_month.trim_start_matches('0');
        let fillings = [("day", day_of_month), ("month", name), ("year", year)];
        self.filled("date", &fillings)
    }

    /// The month of such a date in three letters.
    #[must_use]
    pub fn month_short(self, day: &str) -> Option<String> {
        let name = self.month(day.split('-').nth(1)?)?;
        Some(name.chars().take(3).collect())
    }

    /// The name of a month by its number.
    fn month(self, number: &str) -> Option<&'static str> {
        let place = number.parse::<usize>().ok()?.checked_sub(1)?;
        self.text("months").split(' ').nth(place)
    }

    /// A share of games in per cent, rounded to some digits; none and all of them have no decimals, and are told from
    /// hardly any and nearly all.
    #[must_use]
    pub fn per_cent(self, share: f64, digits: usize) -> String {
        let share = share.clamp(0.0, 1.0);
        let is_sure = share.min(1.0 - share) <= TIE;
        let least = 0.1_f64.powi(digits as i32);
        let text = if is_sure {
            format!("{:.0} %", 100.0 * share)
        } else if 100.0 * share < least / 2.0 {
            format!("<{least:.digits$} %")
        } else if 100.0 * (1.0 - share) < least / 2.0 {
            format!(">{:.digits$} %", 100.0 - least)
        } else {
            format!("{:.digits$} %", 100.0 * share)
        };
        self.decimals(&text)
    }

    /// The three probabilities of odds, in per cent with some digits.
    #[must_use]
    pub fn split(self, odds: &Odds, digits: usize) -> String {
        [
            self.with("odds-split", self.per_cent(odds.win, digits)),
            self.with("odds-draw", self.per_cent(odds.draw, digits)),
            self.with("odds-loss", self.per_cent(odds.loss, digits)),
        ]
        .join(", ")
    }

    /// Wins less losses in per cent of the games, with a sign.
    #[must_use]
    pub fn lead(self, odds: &Odds, digits: usize) -> String {
        format!(
            "{}\u{a0}%",
            self.expectation(100.0 * odds.expectation, digits)
        )
    }

    /// An expectation with its sign, rounded to some digits.
    #[must_use]
    pub fn expectation(self, share: f64, digits: usize) -> String {
        let text = format!("{share:+.digits$}");
        if text.trim_start_matches(['+', '-', '0', '.']).is_empty() {
            return self.decimals(&format!("{:.digits$}", 0.0));
        }
        self.decimals(&text).replace('-', "\u{2212}")
    }

    /// A number with a gap between every three digits: a comma in English alone, since others read it as the
    /// decimal sign.
    #[must_use]
    pub fn grouped(self, number: impl ToString) -> String {
        let gap = match self {
            Language::English => ',',
            Language::Portuguese | Language::Spanish | Language::German => '\u{202f}',
        };
        let digits = number.to_string();
        let mut text = String::new();
        for (place, digit) in digits.chars().enumerate() {
            if place > 0 && (digits.len() - place).is_multiple_of(3) {
                text.push(gap);
            }
            text.push(digit);
        }
        text
    }

    /// A text whose numbers have decimal points, with the decimal sign of the language: all languages but English
    /// write a comma. JSON, CSV and expressions keep the point.
    #[must_use]
    pub fn decimals(self, text: &str) -> String {
        let comma = match self {
            Language::English => return text.into(),
            Language::Portuguese | Language::Spanish | Language::German => ',',
        };
        let mut before = None;
        let mut letters = text.chars().peekable();
        let mut written = String::with_capacity(text.len());
        while let Some(letter) = letters.next() {
            let is_digit = |letter: Option<&char>| letter.is_some_and(char::is_ascii_digit);
            let is_decimal = letter == '.' && is_digit(before.as_ref()) && is_digit(letters.peek());
            written.push(if is_decimal { comma } else { letter });
            before = Some(letter);
        }
        written
    }
}

/// A number of points with its sign.
#[must_use]
pub fn signed(points: i32) -> String {
    match points {
        0 => "0".into(),
        // A minus that is not mistaken for a hyphen.
        ..0 => format!("\u{2212}{}", points.unsigned_abs()),
        _ => format!("+{points}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_gap_is_read_as_a_decimal_sign() {
        assert_eq!(Language::English.grouped(10_157), "10,157");
        assert_eq!(
            Language::Portuguese.grouped(1_234_567),
            "1\u{202f}234\u{202f}567"
        );
        assert_eq!(Language::German.grouped(999), "999");
    }

    #[test]
    fn figures_have_signs() {
        assert_eq!([3, 0, -1].map(signed), ["+3", "0", "\u{2212}1"]);
        assert_eq!(Language::English.expectation(-0.25, 2), "\u{2212}0.25");
        assert_eq!(Language::English.expectation(-0.000_01, 2), "0.00");
        let shares = [0.0, 0.000_1, 0.789_4, 0.999_9, 1.0 - 1e-15];
        let shares = shares.map(|share| Language::English.per_cent(share, 1));
        assert_eq!(shares, ["0 %", "<0.1 %", "78.9 %", ">99.9 %", "100 %"]);
        assert_eq!(Language::German.points(1), "+1 Punkt");
        assert_eq!(Language::Spanish.points(-2), "\u{2212}2 puntos");
        let sentences = [1, 0, -2].map(|points| Language::English.comes_out(points));
        assert_eq!(
            sentences,
            [
                "You get 1 point more from here if both play best",
                "Both get the same from here if both play best",
                "Your opponent gets 2 points more from here if both play best",
            ]
        );
    }

    #[test]
    fn every_language_writes_dates_in_its_own_way() {
        for (language, said) in [
            (Language::English, "27 November 2026"),
            (Language::German, "27. November 2026"),
            (Language::Spanish, "27 de noviembre de 2026"),
            (Language::Portuguese, "27 de novembro de 2026"),
        ] {
            assert_eq!(language.date("2026-11-27"), said);
            assert_eq!(language.text("months").split(' ').count(), 12);
        }
        let english = |day| Language::English.date(day);
        assert_eq!(english("2026-03-05"), "5 March 2026");
        assert_eq!(english("2026-00-05"), "2026-00-05");
        assert_eq!(english("2026-99-05"), "2026-99-05");
    }

    #[test]
    fn all_languages_but_english_have_decimal_commas() {
        let odds = Odds {
            win: 0.5,
            draw: 0.125,
            loss: 0.375,
            expectation: 0.125,
        };
        for language in Language::ALL {
            let comma = language != Language::English;
            let said = [
                language.expectation(-0.25, 2),
                language.expectation(0.0, 1),
                language.split(&odds, 2),
                language.lead(&odds, 1),
            ];
            for text in said {
                assert_eq!(text.contains('.'), !comma, "{language:?} {text}");
            }
        }
        let german = |text| Language::German.decimals(text);
        assert_eq!(german("1. b2R: +0.25, 12.5 %."), "1. b2R: +0,25, 12,5 %.");
        assert_eq!(german(".../R.. ...1 2..3"), ".../R.. ...1 2..3");
        assert_eq!(Language::English.decimals("0.25"), "0.25");
    }
}
