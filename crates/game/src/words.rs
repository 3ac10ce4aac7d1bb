//! What the rules in words have in common.

use std::fmt::Display;

/// A number of things: `1 square`, `3 squares`.
pub(crate) fn counted<N: Display + PartialEq + From<u8>>(number: N, unit: &str) -> String {
    let plural = if number == N::from(1) { "" } else { "s" };
    format!("{number} {unit}{plural}")
}

#[cfg(test)]
mod tests {
    use crate::Variant;

    #[test]
    fn words_follow_the_rules() {
        let words = |name| Variant::parse(name).unwrap().in_words();
        let classic = words("classic-3x4");
        assert!(
            classic.starts_with("The board has 12 squares, 3 ranks and 4 files.\n"),
            "{classic}"
        );
        assert!(classic.contains("the board has 14 such lines"));
        assert!(classic.contains("red-red-red, yellow-yellow-yellow, green-green-green."));
        let points = words("points-3x3:four=once");
        assert!(points.contains("red-yellow-green (3 points)"));
        assert!(points.contains("scores once"));
        let slider = words("slider");
        assert!(slider.contains("without turning it"));
        assert!(slider.contains("may not move if the opponent"));
        assert!(words("classic-3x3:supply=pool6").contains("replaced counters are gone"));
        assert!(words("classic-3x3:play=misere").contains("completes a line loses"));
    }
}
