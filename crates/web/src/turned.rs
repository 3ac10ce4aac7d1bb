//! A position turned and mirrored, and with one square changed: found by what the picture shows, so
//! that it is the same for every family.

use greenwave_game::{AnyPosition, Diagram, Game, Mark, Variant};

/// A square of a picture: column, row and what stands there, in which only order and neighbourhood
/// matter.
type PlacedMark = (i32, i32, Mark);

/// How a picture is moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Motion {
    /// By a quarter, a third or half of a full turn: the least that the board allows.
    Turn,
    /// Left to right.
    Mirror,
}

/// The text of a position that shows its picture moved; `None` where the game has no such symmetry.
pub(crate) fn moved(variant: &Variant, position: &AnyPosition, motion: Motion) -> Option<String> {
    let shown = placed(&variant.diagram(position));
    let images: Vec<AnyPosition> = (1..variant.symmetries())
        .map(|symmetry| variant.image(position, symmetry))
        .collect();
    let wanted: Vec<Vec<PlacedMark>> = match motion {
        Motion::Mirror => vec![mirrored(&shown)],
        Motion::Turn if is_triangle(&shown) => vec![turned_by_a_third(&shown)],
        Motion::Turn => vec![turned(&shown), turned(&turned(&shown))],
    };
    wanted.into_iter().find_map(|wanted| {
        let found = images
            .iter()
            .find(|image| placed(&variant.diagram(image)) == wanted)?;
        Some(variant.position_text(found))
    })
}

/// The squares in order of rows and columns. Gaps beside a strip are as wide as they are high.
fn placed(diagram: &Diagram) -> Vec<PlacedMark> {
    let (columns, rows) = if diagram.strip.is_empty() {
        (1, 2)
    } else {
        // A gap is half a square wide or a row high: both are taken for a square.
        (2, 2)
    };
    let left = diagram.marks.iter().map(|mark| mark.0).min().unwrap_or(0);
    let column = |x: u16| {
        let x = i32::from(x - left);
        match columns {
            2 => (x + 1) / 2 * 2,
            _ => x,
        }
    };
    let placed = diagram.marks.iter();
    sorted(
        placed
            .map(|(x, y, mark)| (column(*x), rows * i32::from(*y), *mark))
            .collect(),
    )
}

/// In order, from the corner on.
fn sorted(mut squares: Vec<PlacedMark>) -> Vec<PlacedMark> {
    let left = squares.iter().map(|one| one.0).min().unwrap_or(0);
    let top = squares.iter().map(|one| one.1).min().unwrap_or(0);
    for square in &mut squares {
        (square.0, square.1) = (square.0 - left, square.1 - top);
    }
    squares.sort_by_key(|one| (one.1, one.0));
    squares
}

fn mirrored(squares: &[PlacedMark]) -> Vec<PlacedMark> {
    sorted(squares.iter().map(|(x, y, mark)| (-x, *y, *mark)).collect())
}

/// By a quarter, clockwise.
fn turned(squares: &[PlacedMark]) -> Vec<PlacedMark> {
    sorted(squares.iter().map(|(x, y, mark)| (-y, *x, *mark)).collect())
}

/// Whether the first row has one square, the second two, and so on.
fn is_triangle(squares: &[PlacedMark]) -> bool {
    let rows = squares.last().map_or(0, |last| last.1 / 2);
    rows > 0
        && (0..=rows).all(|row| {
            let in_row = squares.iter().filter(|square| square.1 == 2 * row);
            in_row.count() as i32 == row + 1
        })
}

/// A triangle turned by a third, clockwise.
fn turned_by_a_third(squares: &[PlacedMark]) -> Vec<PlacedMark> {
    let last = squares.last().map_or(0, |last| last.1 / 2);
    let turned = squares.iter().map(|(x, y, mark)| {
        let row = y / 2;
        // Steps from the left edge, and from the bottom.
        let (along, up) = ((x - (last - row)) / 2, last - row);
        // The old distance from the bottom is the new distance from the left edge.
        let (row, along) = (last - (row - along), up);
        (last - row + 2 * along, 2 * row, *mark)
    });
    sorted(turned.collect())
}

/// For each square the position with what comes next on it: the next light, sign or disc that the rules
/// allow there. Found by writing it into the text.
pub(crate) fn edited(variant: &Variant, position: &AnyPosition) -> Vec<Option<String>> {
    const LETTERS: [char; 9] = ['.', 'R', 'Y', 'G', 'r', 'y', 'g', 'X', 'O'];
    let shown = variant.diagram(position);
    let text: Vec<char> = variant.position_text(position).chars().collect();
    // How far on what comes next is, and the text.
    let mut found: Vec<Option<(u32, String)>> = vec![None; shown.marks.len()];
    for place in 0..text.len() {
        if !LETTERS.contains(&text[place]) {
            continue;
        }
        for letter in LETTERS.into_iter().filter(|letter| *letter != text[place]) {
            let mut changed = text.clone();
            changed[place] = letter;
            let changed: String = changed.into_iter().collect();
            let Ok(other) = variant.parse_position(&changed) else {
                continue;
            };
            let Some((square, steps)) = difference(&shown, &variant.diagram(&other)) else {
                continue;
            };
            let best = &mut found[square];
            if best.as_ref().is_none_or(|(known, _)| steps < *known) {
                *best = Some((steps, variant.position_text(&other)));
            }
        }
    }
    found
        .into_iter()
        .map(|found| found.map(|(_, text)| text))
        .collect()
}

/// The one square that differs, and by how many steps what stands there comes after what stood there.
fn difference(shown: &Diagram, other: &Diagram) -> Option<(usize, u32)> {
    if shown.marks.len() != other.marks.len() || shown.rows != other.rows {
        return None;
    }
    let pairs = shown.marks.iter().zip(&other.marks).enumerate();
    let mut differing = pairs.filter(|(_, (mine, theirs))| mine != theirs);
    let (square, (mine, theirs)) = differing.next()?;
    differing.next().is_none().then_some(())?;
    let steps = (8 + order(theirs.2) - order(mine.2)) % 8;
    Some((square, steps))
}

/// In which order things come on a square.
fn order(mark: Mark) -> u32 {
    match mark {
        Mark::Point | Mark::Sign(None) => 0,
        Mark::Level(level) => level.into(),
        Mark::Sign(Some(sign)) => 1 + u32::from(sign != 'X'),
        Mark::Disc { colour, cylinder } => match colour {
            'R' => 1 + u32::from(cylinder),
            'Y' => 3,
            _ => 4 + u32::from(cylinder),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn images(name: &str, text: &str) -> [Option<String>; 2] {
        let variant = Variant::parse(name).unwrap();
        let position = variant.parse_position(text).unwrap();
        [Motion::Turn, Motion::Mirror].map(|motion| moved(&variant, &position, motion))
    }

    #[test]
    fn every_family_is_turned_and_mirrored_as_it_is_seen() {
        for (name, text, turned, mirrored) in [
            ("classic-3x3", "R../Y../...", ".YR/.../...", "..R/..Y/..."),
            (
                "classic-3x4",
                "R.../Y.../....",
                "..../...Y/...R",
                "...R/...Y/....",
            ),
            ("noughts-3x3", "X../O../...", ".OX/.../...", "..X/..O/..."),
            (
                "noughts-3x4",
                "X.../..../....",
                "..../..../...X",
                "...X/..../....",
            ),
            (
                "bag-classic-3x3",
                "R../Y../...;RRY;YGG;RG",
                ".YR/.../...;RRY;YGG;RG",
                "..R/..Y/...;RRY;YGG;RG",
            ),
            (
                "strip",
                "R../Y../...+G..@E",
                ".YR/.../...+G..@S",
                "..R/..Y/...+..G@W",
            ),
            (
                "slider",
                "R../Y../...+G..@N",
                ".YR/.../...+G..@E",
                "..R/..Y/...+..G@N",
            ),
            (
                "ampel-4-2-1",
                "4 2 1 r 1 0 0 ./r./.y./....",
                "4 2 1 r 1 0 0 ./../.yr/....",
                "4 2 1 r 1 0 0 ./.r/.y./....",
            ),
        ] {
            let found = images(name, text);
            assert_eq!(
                found,
                [turned, mirrored].map(|text| Some(text.into())),
                "{name}"
            );
        }
    }

    #[test]
    fn four_quarters_and_three_thirds_lead_back() {
        for (name, text, turns) in [
            ("classic-3x3", "RY./.G./...", 4),
            ("strip", "RY./.G./...+.R.@S", 4),
            ("bag-slider", "RY./.../...+..G@E;RRY;YGG;RG", 4),
            ("noughts-3x4", "XO../..../....", 2),
            ("ampel-4-2-1", "4 2 1 g 2 0 0 ./Rr/.y./...g", 3),
        ] {
            let variant = Variant::parse(name).unwrap();
            let start = variant.parse_position(text).unwrap();
            let mut at = start;
            for turn in 1..=turns {
                let text = moved(&variant, &at, Motion::Turn).unwrap();
                at = variant.parse_position(&text).unwrap();
                assert_eq!(at == start, turn == turns, "{name} {text}");
            }
        }
    }

    #[test]
    fn every_family_can_be_edited_square_by_square() {
        for (name, text, square, next) in [
            ("classic-2x3", ".../...", "b1", ".../.R."),
            ("classic-2x3", "G../...", "a2", ".../..."),
            ("strip", ".../.R./...+..Y@E", "s3", ".../.R./...+..G@E"),
            ("noughts-3x3", ".../.../...", "b2", ".../.X./..."),
            ("noughts-3x3", ".../.X./...", "a1", ".../.X./O.."),
            (
                "bag-classic-3x3",
                ".../.../...;RRY;YGG;RG",
                "a1",
                ".../.../R..;RRY;YGG;RG",
            ),
            (
                "ampel-4-2-1",
                "4 2 1 r 1 0 0 ./r./.y./....",
                "a1",
                "4 2 1 r 1 0 0 r/r./.y./....",
            ),
        ] {
            let variant = Variant::parse(name).unwrap();
            let position = variant.parse_position(text).unwrap();
            let names = variant.diagram(&position).names;
            let at = names.iter().position(|name| name == square).unwrap();
            let found = edited(&variant, &position);
            assert_eq!(found[at].as_deref(), Some(next), "{name} {text} {square}");
        }
    }
}
