//! The lines that stand completed on a board, by the rules that every family declares.

use greenwave_game::{AnyPosition, Squares, Variant, VariantGame, with_game};

/// The completed lines of a position, each by the places of its squares among the marks of the diagram,
/// from one end to the other.
///
/// # Panics
/// When the position is of a game of another kind.
#[must_use]
pub fn completed_lines(variant: &Variant, position: &AnyPosition) -> Vec<Vec<usize>> {
    with_game!(variant, game => game.completed_lines(&game.position(position)))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use greenwave_game::{At, Game};

    use super::*;

    fn names(variant: &str, position: &str) -> Vec<String> {
        let at = At::read(Arc::new(Variant::parse(variant).unwrap()), position).unwrap();
        let lines = completed_lines(at.variant(), at.position());
        let names = with_game!(&**at.variant(), game => {
            game.diagram(&game.position(at.position())).names
        });
        let name = |line: &Vec<usize>| {
            let squares: Vec<&str> = line.iter().map(|square| names[*square].as_str()).collect();
            squares.join(" ")
        };
        lines.iter().map(name).collect()
    }

    #[test]
    fn lines_of_every_family_are_found_where_they_stand() {
        assert_eq!(names("classic-3x3", "G../.Y./RRR"), ["a1 b1 c1"]);
        assert_eq!(names("classic-3x3", "G../.G./..G"), ["c1 b2 a3"]);
        assert_eq!(names("signal-3x3", "RYG/.../..."), ["a3 b3 c3"]);
        assert_eq!(names("noughts-3x3", "XOO/.X./..X"), ["c1 b2 a3"]);
        assert!(names("noughts-3x4:line=4", "XXX./OO../....").is_empty());
        assert_eq!(
            names("noughts-3x4:line=4", "XXXX/OOO./...."),
            ["a3 b3 c3 d3"]
        );
        assert!(names("classic-3x3", "R../.Y./..G").is_empty());
        // The strip beside the board, at the east and at the north.
        assert_eq!(names("strip", ".../.../.RR+..R@E").len(), 1);
        assert_eq!(names("strip", "R../R../...+R..@N").len(), 1);
    }
}
