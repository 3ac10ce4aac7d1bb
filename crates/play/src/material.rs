//! What two people need who play on paper: empty boards, and counters to cut out.

use greenwave_game::{Argument, Diagram, Game, Mark, Variant};

/// Counters of each light that a pair of players needs on a board of usual size, as in the sets of the
/// Portuguese championship.
const COUNTERS: usize = 8;
/// Squares of a board of usual size.
const USUAL: usize = 12;

/// Empty boards on a page, large enough to put counters on.
#[derive(Clone, Debug)]
pub struct EmptyBoards {
    /// The board, without what lies beside it.
    pub diagram: Diagram,
    /// Boards beside each other.
    pub columns: usize,
    /// Boards below each other.
    pub rows: usize,
}

impl EmptyBoards {
    /// Those of a game.
    #[must_use]
    pub fn of(variant: &Variant) -> EmptyBoards {
        let mut diagram = variant.diagram(&variant.start());
        diagram.rows.clear();
        diagram.notes.clear();
        let wide = diagram.marks.iter().map(|mark| mark.0).max().unwrap_or(0);
        let high = diagram.marks.iter().map(|mark| mark.1).max().unwrap_or(0);
        // Half squares across, whole ones down.
        let (columns, rows) = match (wide > 8, high > 4) {
            (false, false) => (2, 3),
            (true, false) => (1, 2),
            (_, true) => (1, 1),
        };
        EmptyBoards {
            diagram,
            columns,
            rows,
        }
    }
}

/// Counters that look alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CounterKind {
    /// The letter of the light or disc, the sign, or the owner of a cylinder.
    pub letter: char,
    /// Whether it is a cylinder of Ampel.
    pub is_cylinder: bool,
    /// How many a pair of players needs.
    pub count: usize,
}

/// The counters of a game: as many as its rules say, else as many as a pair of players needs.
#[must_use]
pub fn counter_kinds(variant: &Variant) -> Vec<CounterKind> {
    let diagram = variant.diagram(&variant.start());
    let squares = diagram.marks.len();
    let is_sign = |(_, _, mark): &(u16, u16, Mark)| matches!(mark, Mark::Sign(_));
    let counted = |letter, count| CounterKind {
        letter,
        is_cylinder: false,
        count,
    };
    if diagram.marks.iter().any(is_sign) {
        let each = squares.div_ceil(2);
        return vec![counted('X', each), counted('O', squares / 2)];
    }
    let said = said_numbers(variant);
    if let Some(lights) = diagram.lights {
        let usual = COUNTERS.max(squares * COUNTERS / USUAL);
        let each = said.first().map_or(usual, |said| *said);
        let lights = lights.up_to(diagram.highest);
        return lights.map(|(letter, _)| counted(letter, each)).collect();
    }
    let discs = said.first().copied().unwrap_or(COUNTERS);
    let yellows = said.get(1).copied().unwrap_or(COUNTERS);
    let mut kinds = vec![
        counted('R', discs),
        counted('G', discs),
        counted('Y', yellows),
    ];
    kinds.extend(['R', 'G'].map(|owner| CounterKind {
        letter: owner,
        is_cylinder: true,
        count: 1,
    }));
    kinds
}

/// The numbers of counters that the rules name: of each colour, or of discs and of yellow ones.
fn said_numbers(variant: &Variant) -> Vec<usize> {
    const KEYS: [&str; 4] = ["Cap", "Pool", "EachColour", "SetUp"];
    let sentences = variant.in_words();
    let found = sentences
        .iter()
        .find(|sentence| KEYS.contains(&sentence.key));
    let numbers = found.into_iter().flat_map(|sentence| &sentence.arguments);
    numbers
        .filter_map(|argument| match argument {
            Argument::Number(number) => usize::try_from(*number).ok(),
            Argument::Text(_) | Argument::List(_) | Argument::Row(_) => None,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(name: &str) -> Vec<(char, usize)> {
        let variant = Variant::parse(name).expect("a variant");
        counter_kinds(&variant)
            .iter()
            .map(|kind| (if kind.is_cylinder { 'C' } else { kind.letter }, kind.count))
            .collect()
    }

    #[test]
    fn counters_are_those_of_the_rules() {
        let eight = [('R', 8), ('Y', 8), ('G', 8)];
        assert_eq!(counts("classic-3x4"), eight);
        assert_eq!(counts("semaforo"), [('G', 8), ('Y', 8), ('R', 8)]);
        assert_eq!(
            counts("classic-3x3:supply=cap5"),
            [('R', 5), ('Y', 5), ('G', 5)]
        );
        assert_eq!(
            counts("bag-classic-3x3:counters=7"),
            [('R', 7), ('Y', 7), ('G', 7)]
        );
        assert_eq!(counts("noughts-3x3"), [('X', 5), ('O', 4)]);
        let ampel = counts("ampel");
        assert_eq!(ampel[..3], [('R', 20), ('G', 20), ('Y', 5)]);
        assert_eq!(ampel[3..], [('C', 1), ('C', 1)]);
    }
}
