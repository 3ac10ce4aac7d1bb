//! The lines that stand completed on a board, by the rules that every family declares.

use greenwave_game::{BoardGame, Code, Diagram, Game, Mark, StripGame, StripPosition, Variant};
use greenwave_tablebase::{Error, Place};

/// The completed lines of a position, each by the places of its squares among the marks of the diagram,
/// from one end to the other.
///
/// # Errors
/// When the position cannot be read.
pub fn completed_lines(variant: &Variant, place: &Place<'_>) -> Result<Vec<Vec<usize>>, Error> {
    Ok(match variant {
        Variant::Board(game) => on_board(game, place.find(game)?),
        Variant::Strip(game) => with_strip(game, &place.find(game)?),
        Variant::Bag(game) => on_board(game.base(), place.find(game)?.base),
        Variant::BagStrip(game) => with_strip(game.base(), &place.find(game)?.base),
        Variant::Noughts(game) => {
            let mut options = game.rules().options.iter();
            let length = options
                .find(|option| option.key == "line")
                .and_then(|option| option.value.parse().ok())
                .unwrap_or(3);
            in_rows(&game.diagram(&place.find(game)?), length)
        }
        // A line of discs is no end there.
        Variant::Ampel(_) => Vec::new(),
    })
}

/// The squares of every pattern that a board shows; squares have the numbers of the marks.
fn on_board(game: &BoardGame, code: Code) -> Vec<Vec<usize>> {
    let squares = game.board().shape.cells();
    game.targets()
        .filter(|(mask, value)| code.0 & mask == *value)
        .map(|(mask, _)| {
            (0..squares)
                .filter(|square| mask >> (2 * square) & 3 != 0)
                .collect()
        })
        .collect()
}

/// The same with the strip where it lies: codes have it at the east, marks are in listing order.
fn with_strip(game: &StripGame, position: &StripPosition) -> Vec<Vec<usize>> {
    let squares = game.geometry().squares(position.side);
    let listed = |square: &usize| squares.iter().position(|cell| cell.index() == *square);
    on_board(game.board(), position.code)
        .iter()
        .map(|line| line.iter().filter_map(listed).collect())
        .collect()
}

/// Rows of so many equal signs, in the four directions of a board.
fn in_rows(diagram: &Diagram, length: usize) -> Vec<Vec<usize>> {
    let at = |x: i32, y: i32| {
        let mut marks = diagram.marks.iter();
        marks.position(|mark| (i32::from(mark.0), i32::from(mark.1)) == (x, y))
    };
    let mut lines = Vec::new();
    for (x, y, mark) in &diagram.marks {
        let Mark::Sign(Some(sign)) = mark else {
            continue;
        };
        for (dx, dy) in [(2, 0), (0, 1), (2, 1), (2, -1)] {
            let squares = (0..length as i32).map(|step| {
                let square = at(i32::from(*x) + dx * step, i32::from(*y) + dy * step)?;
                (diagram.marks[square].2 == Mark::Sign(Some(*sign))).then_some(square)
            });
            lines.extend(squares.collect::<Option<Vec<usize>>>());
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use greenwave_game::with_game;

    fn names(variant: &str, position: &str) -> Vec<String> {
        let variant = Variant::parse(variant).unwrap();
        let place = Place::at(position);
        let lines = completed_lines(&variant, &place).unwrap();
        let names = with_game!(&variant, game => game.diagram(&place.find(game).unwrap()).names);
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
        assert_eq!(names("noughts-3x3", "XOO/.X./..X"), ["a3 b2 c1"]);
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
