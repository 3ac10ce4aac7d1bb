//! Figures as people of a language write them.

use greenwave_game::{Odds, plural};

use crate::Language;

impl Language {
    /// A number of points with its sign and unit.
    #[must_use]
    pub fn points(self, points: i32) -> String {
        self.with(plural(points, "point", "points"), signed(points))
    }

    /// The three probabilities of odds, in per cent.
    #[must_use]
    pub fn split(self, odds: &Odds) -> String {
        let per_cent = |share: f64| format!("{:.2}", 100.0 * share.max(0.0));
        [
            self.with("odds-split", per_cent(odds.win)),
            self.with("odds-draw", per_cent(odds.draw)),
            self.with("odds-loss", per_cent(odds.loss)),
        ]
        .join(", ")
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

/// An expectation with its sign, rounded to some digits.
#[must_use]
pub fn expectation(share: f64, digits: usize) -> String {
    let text = format!("{share:+.digits$}");
    if text.trim_start_matches(['+', '-', '0', '.']).is_empty() {
        return format!("{:.digits$}", 0.0);
    }
    text.replace('-', "\u{2212}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_have_signs() {
        assert_eq!([3, 0, -1].map(signed), ["+3", "0", "\u{2212}1"]);
        assert_eq!(expectation(-0.25, 2), "\u{2212}0.25");
        assert_eq!(expectation(-0.000_01, 2), "0.00");
        assert_eq!(Language::German.points(1), "+1 Punkt");
        assert_eq!(Language::Spanish.points(-2), "\u{2212}2 puntos");
    }
}
