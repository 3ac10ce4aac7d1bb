//! Laws of texts: a written text reads back as the same, and moves are listed in their order.

use greenwave_game::{Game, Mark};

use super::law::{Case, EACH, FEW, Law, LawResult, MANY, ensure};

pub(super) fn laws<G: Game>() -> Vec<Law<G>> {
    vec![
        Law {
            name: "position texts are read back",
            every: EACH,
            check: positions_are_read_back,
        },
        Law {
            name: "different positions have different texts",
            every: MANY,
            check: positions_differ,
        },
        Law {
            name: "move texts are read back, and differ from each other",
            every: MANY,
            check: moves_are_read_back,
        },
        Law {
            name: "no text is read as a move that is not listed",
            every: FEW,
            check: only_listed_moves,
        },
        Law {
            name: "moves are listed in order: squares by rank, strip squares, then strip moves N E S \
                   W straight before turned; points in order",
            every: MANY,
            check: listing_order,
        },
    ]
}

fn positions_are_read_back<G: Game>(case: &Case<'_, G>) -> LawResult {
    let text = case.game.position_text(&case.position);
    let read = case.game.parse_position(&text);
    ensure(read.as_ref() == Ok(&case.position), || {
        format!("'{text}' is read as {read:?}")
    })
}

fn positions_differ<G: Game>(case: &Case<'_, G>) -> LawResult {
    let other = case.other();
    let same = case.game.position_text(&case.position) == case.game.position_text(&other);
    ensure(same == (case.position == other), || {
        format!("{:?} and {other:?}", case.position)
    })
}

fn moves_are_read_back<G: Game>(case: &Case<'_, G>) -> LawResult {
    let mut texts = Vec::with_capacity(case.moves.len());
    for mv in &case.moves {
        let text = case.game.move_text(&case.position, *mv);
        let read = case.game.parse_move(&case.position, &text);
        ensure(read.as_ref() == Ok(mv), || {
            format!("'{text}' is read as {read:?}, not {mv:?}")
        })?;
        texts.push(text);
    }
    let count = texts.len();
    texts.sort_unstable();
    texts.dedup();
    ensure(texts.len() == count, || {
        format!("two moves have one text: {texts:?}")
    })
}

// Tried with the moves of other positions and some texts that never are moves.
fn only_listed_moves<G: Game>(case: &Case<'_, G>) -> LawResult {
    let other = case.other();
    let mut moves = Vec::new();
    case.game.moves(&other, &mut moves);
    let mut texts: Vec<String> = moves
        .iter()
        .map(|mv| case.game.move_text(&other, *mv))
        .collect();
    texts.extend(["", " ", "a", "a0", "a1X", "slide", "slide-", "-", "+", "R"].map(String::from));
    for text in texts {
        match case.game.parse_move(&case.position, &text) {
            Ok(mv) => ensure(case.moves.contains(&mv), || {
                format!("'{text}' is read as {mv:?}, which is not listed")
            })?,
            Err(error) => {
                let listed: Vec<String> = case
                    .moves
                    .iter()
                    .map(|mv| case.game.move_text(&case.position, *mv))
                    .collect();
                ensure(error.legal == listed, || {
                    format!("the refusal of '{text}' names other moves than the listed ones")
                })?;
            }
        }
    }
    Ok(())
}

fn listing_order<G: Game>(case: &Case<'_, G>) -> LawResult {
    let diagram = case.game.diagram(&case.position);
    let on_points =
        |(_, _, mark): &(u16, u16, Mark)| matches!(mark, Mark::Disc { .. } | Mark::Point);
    let squares = if diagram.marks.iter().any(on_points) {
        SquareNames::Points
    } else if case.text(&case.position).contains('+') {
        SquareNames::WithStrip
    } else {
        SquareNames::Plain
    };
    let texts: Vec<String> = case
        .moves
        .iter()
        .map(|mv| case.game.move_text(&case.position, *mv))
        .collect();
    let letters: String = case.game.rules().order().letters()[1..].iter().collect();
    let keys: Vec<TextKey> = texts
        .iter()
        .map(|text| key(text, squares, &letters))
        .collect();
    ensure(keys.is_sorted(), || texts.join(" "))
}

// Kind of move, then where it is; for moves of two parts both in turn.
type TextKey = (u8, Vec<(u32, u32)>);

/// The meaning of letters and numbers: on a board of 32 files there is a file s as well.
#[derive(Clone, Copy, PartialEq)]
enum SquareNames {
    Plain,
    WithStrip,
    Points,
}

/// The place of a move in the order that the notation lays down; `letters` are those of the lights.
fn key(text: &str, squares: SquareNames, letters: &str) -> TextKey {
    if let Some(slide) = text.strip_prefix("slide-") {
        let sides = ["N", "E", "S", "W"];
        let straight = slide.strip_suffix('t').unwrap_or(slide);
        let side = sides.iter().position(|side| *side == straight);
        let side = side.expect("a side of the board") as u32;
        return (2, vec![(u32::from(straight != slide), side)]);
    }
    match text {
        "turn" => (3, Vec::new()),
        "miss" => (4, Vec::new()),
        "pass" | "off" => (5, Vec::new()),
        "swap" => (6, Vec::new()),
        _ => {
            let strip = squares == SquareNames::WithStrip && text.starts_with('s');
            let places = text.split(['-', '+']).filter(|part| !part.is_empty());
            (
                u8::from(strip),
                places.map(|part| place(part, squares, letters)).collect(),
            )
        }
    }
}

// A square by rank, then file; a point by its row, which is the letter; a counter by its level.
fn place(part: &str, squares: SquareNames, letters: &str) -> (u32, u32) {
    let level = letters.find(part);
    if let Some(level) = level.filter(|_| part.len() == 1) {
        return (level as u32, 0);
    }
    let letters: String = part.chars().take_while(char::is_ascii_lowercase).collect();
    let digits: String = part[letters.len()..]
        .chars()
        .take_while(char::is_ascii_digit)
        .collect();
    let letter = letters.bytes().fold(0, |number, letter| {
        number * 26 + u32::from(letter - b'a') + 1
    });
    let number = digits.parse().expect("a square or point has a number");
    if squares == SquareNames::Points {
        (letter, number)
    } else {
        (number, letter)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_follow_the_notation() {
        let sorted = |texts: &[&str], squares| {
            let keys: Vec<TextKey> = texts.iter().map(|text| key(text, squares, "RYG")).collect();
            keys.is_sorted_by(|a, b| a < b)
        };
        assert!(sorted(
            &[
                "a1R", "b1Y", "d1G", "a2R", "a10R", "s1R", "s3G", "slide-N", "slide-E", "slide-S",
                "slide-W", "slide-Nt", "slide-Wt", "turn"
            ],
            SquareNames::WithStrip
        ));
        assert!(!sorted(&["a2R", "b1R"], SquareNames::Plain));
        assert!(sorted(
            &["r1R", "s1R", "t1R", "z1R", "aa1R", "af1R"],
            SquareNames::Plain
        ));
        assert!(sorted(&["a1", "b1", "b2", "c1"], SquareNames::Points));
        assert!(sorted(&["d2-b1", "d2-c3", "e1-a1"], SquareNames::Points));
        assert!(sorted(
            &["b2R+R", "b2R+G", "b3R+R", "slide-N"],
            SquareNames::WithStrip
        ));
    }
}
