//! Numbers of things in words.

use std::fmt::Display;

/// The form of a word that goes with a number: `plural(1, "ply", "plies")` is `ply`. Less than
/// nothing is counted likewise: -1 ply.
#[must_use]
pub fn plural<'w>(number: impl TryInto<i128>, one: &'w str, many: &'w str) -> &'w str {
    match number.try_into() {
        Ok(1 | -1) => one,
        Ok(_) | Err(_) => many,
    }
}

/// A number of things: `1 square`, `3 squares`.
#[must_use]
pub fn counted<N: Copy + Display + TryInto<i128>>(number: N, one: &str, many: &str) -> String {
    format!("{number} {}", plural(number, one, many))
}

/// Points with their sign: `+1 point`, `0 points`, `-5 points`.
#[must_use]
pub fn counted_points(points: i32) -> String {
    let unit = plural(points, "point", "points");
    match points {
        0 => format!("0 {unit}"),
        _ => format!("{points:+} {unit}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Variant;

    #[test]
    fn one_of_a_thing_is_one() {
        assert_eq!(counted(1_u8, "ply", "plies"), "1 ply");
        assert_eq!(counted(0_usize, "ply", "plies"), "0 plies");
        assert_eq!(counted(-1, "ply", "plies"), "-1 ply");
        assert_eq!(plural(u128::MAX, "one", "many"), "many");
        assert_eq!(
            [1, 0, -2].map(counted_points),
            ["+1 point", "0 points", "-2 points"]
        );
    }

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
