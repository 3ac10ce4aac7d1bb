//! Boards as text: rows from the top rank down, `/` between, one letter a square.

use std::borrow::Cow;

use crate::lights::letter_of_colour;
use crate::{Cell, Code, Fault, Lights, Message, Shape, Side, file_name, messages};

/// The board as text.
pub(crate) fn board_text(shape: &Shape, code: Code, lights: Lights) -> String {
    let letters = lights.letters();
    let length = usize::from(shape.ranks()) * (usize::from(shape.files()) + 1);
    let mut text = String::with_capacity(length);
    for rank in (0..shape.ranks()).rev() {
        if rank + 1 < shape.ranks() {
            text.push('/');
        }
        text.extend((0..shape.files()).map(|file| match shape.at(file, rank) {
            Some(cell) => letters[usize::from(code.level(cell))],
            None => '-',
        }));
    }
    text
}

/// A board as people paste it, written as boards are: rows on lines of their own, blanks or commas
/// between squares, lists of lists such as `[[0,0],[1,2]]`, and boards as they are printed.
pub(crate) fn unpasted(text: &str) -> Cow<'_, str> {
    let parts = |letter: char| letter.is_whitespace() || ",|\"'`\u{feff}".contains(letter);
    let brackets = ['[', ']', '(', ')'];
    if !text.contains(parts) && !text.contains(brackets) && !text.contains([';', '_']) {
        return text.into();
    }
    if let Some(board) = unprinted(text) {
        return board.into();
    }
    let squares = |row: &str| -> String {
        let is_square = |letter: &char| !parts(*letter) && !brackets.contains(letter);
        let letters = row.chars().filter(is_square);
        letters
            .map(|letter| if letter == '_' { '.' } else { letter })
            .collect()
    };
    let is_list = text.contains(['[', '(']);
    let rows: Vec<String> = if is_list {
        let row = |row: &str| {
            row.split(',')
                .map(|cell| listed(cell).unwrap_or_else(|| squares(cell)))
                .collect()
        };
        text.split([']', ')']).map(row).collect()
    } else {
        text.split(['/', '\n', ';']).map(squares).collect()
    };
    let rows: Vec<String> = rows.into_iter().filter(|row| !row.is_empty()).collect();
    if let ([_], false) = (&rows[..], is_list || text.contains('/')) {
        // Blanks between rows, or between all squares.
        let words: Vec<String> = text
            .split_whitespace()
            .map(squares)
            .filter(|word| !word.is_empty())
            .collect();
        if words.iter().any(|word| word.chars().count() > 1) {
            return words.join("/").into();
        }
    }
    rows.join("/").into()
}

/// A square of a list in which nothing stands: `null`, `None`, or an empty text.
fn listed(cell: &str) -> Option<String> {
    let cell = cell.trim_matches(|letter: char| "[( )".contains(letter) || letter.is_whitespace());
    let quoted = |quote: char| cell.strip_prefix(quote)?.strip_suffix(quote);
    let text = quoted('"').or_else(|| quoted('\''));
    let is_empty = text.map_or(["null", "None"].contains(&cell), |text| {
        text.trim().is_empty()
    });
    is_empty.then(|| ".".into())
}

/// The rows of a board as it is printed: its rank before each, and the names of the files below.
fn unprinted(text: &str) -> Option<String> {
    let lines: Vec<Vec<&str>> = text
        .lines()
        .map(|line| line.split_whitespace().collect())
        .filter(|words: &Vec<&str>| !words.is_empty())
        .collect();
    let (files, ranks) = lines.split_last()?;
    let is_file = |(file, name): (u8, &&str)| **name == file_name(file);
    if ranks.is_empty() || !(0..).zip(files).all(is_file) {
        return None;
    }
    let row = |(rank, words): (usize, &Vec<&str>)| {
        let squares = words
            .split_first()
            .filter(|(name, _)| **name == rank.to_string());
        squares.map(|(_, squares)| squares.concat())
    };
    let rows: Option<Vec<String>> = (1..=ranks.len()).rev().zip(ranks).map(row).collect();
    Some(rows?.join("/"))
}

/// A board whose Portuguese `V` (verde or vermelho) are replaced by the only letters that they can
/// mean. That is the one light of the two that the board has levels for, or the one whose own
/// letter stands nowhere else on the board.
fn portuguese<'t>(text: &'t str, levels: u8, lights: Lights) -> Result<Cow<'t, str>, Fault> {
    let can_stand = |letter: char| "./-Vv".contains(letter) || lights.level(letter).is_some();
    if !text.contains(['V', 'v']) || !text.chars().all(can_stand) {
        return Ok(text.into()); // none, or in a word
    }
    let can_be = |letter: &char| {
        let level = lights.level(*letter);
        level.is_some_and(|level| level <= levels)
    };
    let is_written = |letter: char| text.contains([letter, letter.to_ascii_lowercase()]);
    let of_levels: Vec<char> = ['G', 'R'].into_iter().filter(can_be).collect();
    let meant = match (&of_levels[..], is_written('G'), is_written('R')) {
        ([letter], _, _) => *letter,
        (_, false, true) => 'G',
        (_, true, false) => 'R',
        _ => {
            return Err(Fault::new("lights", messages::found_portuguese('V')));
        }
    };
    Ok(text.replace(['V', 'v'], &meant.to_string()).into())
}

/// The rows of a board in a text, from the top, with the given numbers of letters. `/` stands
/// between them, and may be left out where the length leaves no doubt.
pub(crate) fn rows(text: &str, widths: impl Iterator<Item = usize> + Clone) -> Vec<&str> {
    if text.contains('/') || text.chars().count() != widths.clone().sum() {
        return text.split('/').collect();
    }
    let mut rest = text;
    let row = |width: usize| {
        let end = rest
            .char_indices()
            .nth(width)
            .map_or(rest.len(), |(at, _)| at);
        let (row, after) = rest.split_at(end);
        rest = after;
        row
    };
    widths.map(row).collect()
}

/// The widths of the rows of a board.
pub(crate) fn widths(shape: &Shape) -> impl Iterator<Item = usize> + Clone + use<> {
    std::iter::repeat_n(shape.files().into(), shape.ranks().into())
}

/// The board of a text, and the fields behind it: the first word between commas that is no row of
/// squares begins them.
pub(crate) fn board_and_fields(text: &str) -> (&str, Vec<&str>) {
    let is_field = |word: &str| {
        let word = word.trim().trim_end_matches([']', ')']);
        if ["null", "None"].contains(&word) {
            return false;
        }
        let square = |letter: char| "RYGOAVrygoav".contains(letter);
        word.starts_with(|letter: char| letter.is_ascii_alphabetic())
            && word.contains(|letter: char| letter.is_ascii_alphabetic() && !square(letter))
    };
    let mut from = 0;
    for (comma, _) in text.match_indices(',') {
        let end = text[comma + 1..]
            .find(',')
            .map_or(text.len(), |next| comma + 1 + next);
        if is_field(&text[comma + 1..end]) {
            from = comma + 1;
            break;
        }
    }
    match from {
        0 => (text, Vec::new()),
        _ => (&text[..from - 1], text[from..].split(',').collect()),
    }
}

/// Reads a board whose squares have levels up to `levels`.
pub(crate) fn parse_board(
    shape: &Shape,
    levels: u8,
    text: &str,
    lights: Lights,
) -> Result<Code, Vec<Fault>> {
    let mut faults = Vec::new();
    let mut code = Code::EMPTY;
    let text = &unpasted(text);
    let text = &match portuguese(text, levels, lights) {
        Ok(text) => text,
        Err(fault) => return Err(vec![fault]),
    };
    let rows = rows(text, widths(shape));
    let (ranks, files) = (usize::from(shape.ranks()), usize::from(shape.files()));
    if rows.len() != ranks {
        let problem = messages::found_rows(rows.len(), ranks);
        faults.push(Fault::new(messages::place_rows(), problem));
    }
    for (i, row) in rows.iter().enumerate().take(ranks) {
        let rank = ranks - 1 - i;
        let width = row.chars().count();
        if width != files {
            let place = messages::place_rank(i + 1, rank + 1);
            faults.push(Fault::new(place, squares_in_row(width, files)));
        }
        for (file, letter) in row.chars().enumerate().take(files) {
            let cell = shape.at(file as u8, rank as u8);
            match (cell, lights.level(letter)) {
                (Some(cell), Some(level)) if level <= levels => code = code.with(cell, level),
                (None, _) if letter == '-' => {}
                (cell, _) => faults.push(Fault::new(
                    messages::place_character(i + 1, rank + 1, file + 1),
                    match cell {
                        Some(_) => no_light(letter, levels, lights),
                        None => messages::found_gap(letter),
                    },
                )),
            }
        }
    }
    if faults.is_empty() {
        Ok(code)
    } else {
        Err(faults)
    }
}

/// The fault of a row of another length.
pub(crate) fn squares_in_row(found: usize, expected: usize) -> Message {
    match found {
        1 => messages::found_square(expected),
        _ => messages::found_squares(found, expected),
    }
}

/// The fault of a letter that is no light of a board.
pub(crate) fn no_light(letter: char, levels: u8, lights: Lights) -> Message {
    let letters: Vec<String> = (0..=levels)
        .map(|level| format!("'{}'", lights.letter(level)))
        .collect();
    messages::found_light(letter, letters.join(" "), levels)
}

/// The light of a move as it is typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TypedLight {
    /// None: the square alone.
    Unsaid,
    /// That of a level.
    Level(u8),
    /// The Portuguese `V`, verde or vermelho: whichever of both comes next.
    GreenOrRed,
}

impl TypedLight {
    /// Whether a move to a level can be meant.
    pub(crate) fn can_be(self, level: u8, lights: Lights) -> bool {
        match self {
            TypedLight::Unsaid => true,
            TypedLight::Level(typed) => typed == level,
            TypedLight::GreenOrRed => ['G', 'R'].contains(&lights.letter(level)),
        }
    }
}

/// The light that a word names: a letter, a digit, or the colour in a language of the program.
pub(crate) fn typed_light(word: &str, lights: Lights) -> Option<TypedLight> {
    let mut letters = word.chars();
    let letter = match (letters.next(), letters.next()) {
        (Some(letter), None) => letter,
        _ => letter_of_colour(word)?,
    };
    match lights.level(letter) {
        Some(level) => (level > 0).then_some(TypedLight::Level(level)),
        None => letter
            .eq_ignore_ascii_case(&'v')
            .then_some(TypedLight::GreenOrRed),
    }
}

/// A move cut in two at each place, without the signs that people write there: `b2=R`, `b2: red`, `d2>b1`.
pub(crate) fn halves(text: &str) -> impl Iterator<Item = (&str, &str)> {
    /// Bytes of the longest square and colour, with signs between them.
    const LONGEST: usize = 32;
    let text = if text.len() > LONGEST { "" } else { text };
    let places = text.char_indices().skip(1);
    places.map(move |(at, _)| {
        let (head, tail) = text.split_at(at);
        (
            head.trim_end_matches(is_joint),
            tail.trim_start_matches(is_joint),
        )
    })
}

/// Whether a sign may stand between the parts of a move.
pub(crate) fn is_joint(letter: char) -> bool {
    letter.is_whitespace() || "=-:>/@‐–—→".contains(letter)
}

/// Whether two words are one move together: `b2 red`, `R b2`, `slide N`.
#[must_use]
pub fn is_one_move(first: &str, second: &str) -> bool {
    let is_square = |word: &str| {
        let rank = word.trim_start_matches(|letter: char| letter.is_ascii_alphabetic());
        let is_number = |rank: &str| rank.bytes().all(|byte| byte.is_ascii_digit());
        !rank.is_empty() && rank.len() < word.len() && is_number(rank)
    };
    // Or the mark of noughts and crosses.
    let is_light = |word: &str| {
        let is_known = typed_light(word, Lights::default()).is_some();
        word.starts_with(char::is_alphabetic) && (is_known || word.eq_ignore_ascii_case("x"))
    };
    let is_side = |word: &str| {
        let side = word.strip_suffix(['t', 'T']).unwrap_or(word);
        Side::from_letter(&side.to_ascii_lowercase()).is_some()
    };
    is_square(first) && is_light(second)
        || is_light(first) && is_square(second)
        || first.eq_ignore_ascii_case("slide") && is_side(second)
}

/// Splits a move text into its square and its new light, whichever stands first; `named` knows the
/// squares.
pub(crate) fn parse_raise(
    named: impl Fn(&str) -> Option<Cell>,
    text: &str,
    lights: Lights,
) -> Result<(Cell, TypedLight), Message> {
    if let Some(cell) = named(text) {
        return Ok((cell, TypedLight::Unsaid));
    }
    let square_first = |(square, light): (&str, &str)| {
        let light = typed_light(light, lights)?;
        Some((named(square)?, light))
    };
    // A number before a square is no light.
    let light_first = |(light, square): (&str, &str)| {
        let is_number = light.starts_with(|letter: char| letter.is_ascii_digit());
        let light = typed_light(light, lights).filter(|_| !is_number)?;
        Some((named(square)?, light))
    };
    let raise = halves(text).find_map(square_first);
    if let Some(raise) = raise.or_else(|| halves(text).find_map(light_first)) {
        return Ok(raise);
    }
    let mut letters = text.chars();
    match letters.next_back() {
        Some(last) if named(letters.as_str()).is_some() => Err(messages::move_no_light(last)),
        _ => Err(messages::move_form(format!("b2{}", lights.letter(1)))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Shape;

    #[test]
    fn boards_are_read_as_people_paste_them() {
        for (text, board) in [
            ("0000\n0120\n0000", "0000/0120/0000"),
            ("0000\r\n0120\r\n0000\r\n", "0000/0120/0000"),
            (" 0 0 0 0 \n 0 1 2 0\n0 0 0 0", "0000/0120/0000"),
            ("0000 0120 0000", "0000/0120/0000"),
            ("0 0 0 0 0 1 2 0 0 0 0 0", "000001200000"),
            ("[[0,0],[1,2]]", "00/12"),
            ("[[0, 0],\n [1, 2]]", "00/12"),
            ("[['R','.'],['.','G']]", "R./.G"),
            ("[[\"R\",null],[\"\",\"G\"]]", "R./.G"),
            ("[['R', None], [' ', 'G']]", "R./.G"),
            ("[\"R\",\"\",\"\",\"G\"]", "R..G"),
            ("[\"R.\",\".G\",]", "R..G"),
            (". . / R G", "../RG"),
            (".|.\nR|G", "../RG"),
            ("\u{feff}../RG", "../RG"),
            ("../RG", "../RG"),
            ("..;RG", "../RG"),
            ("((0,0),(1,2))", "00/12"),
            ("_ _\n_ R", "../.R"),
            ("   2   .   .\n   1   R   G\n       a   b\n", "../RG"),
        ] {
            assert_eq!(unpasted(text), board, "{text:?}");
        }
    }

    #[test]
    fn portuguese_letters_are_read_where_they_can_mean_one_light() {
        let shape = Shape::rectangle(1, 4).unwrap();
        let read = |levels, text, lights| {
            parse_board(&shape, levels, text, lights).map(|code| board_text(&shape, code, lights))
        };
        for (levels, text, lights, board) in [
            (3, ".VAR", Lights::Gyr, ".GYR"),
            (3, ".GAV", Lights::Gyr, ".GYR"),
            (3, ".var", Lights::Ryg, ".GYR"),
            (2, ".VA.", Lights::Gyr, ".GY."),
            (2, ".VA.", Lights::Ryg, ".RY."),
        ] {
            assert_eq!(read(levels, text, lights), Ok(board.into()), "{text}");
        }
        for text in [".VA.", ".VGR"] {
            let faults = read(3, text, Lights::Gyr).unwrap_err();
            assert!(
                faults[0].problem.english().contains("verde or vermelho"),
                "{text}: {faults:?}"
            );
        }
        // In a word it is no light.
        for text in ["moves", "seven of them", "Vxx.", "{\"value\""] {
            let faults = format!("{:?}", read(3, text, Lights::Gyr).unwrap_err());
            assert!(!faults.contains("verde"), "{text}: {faults}");
        }
    }

    #[test]
    fn moves_are_read_as_people_write_them() {
        let shape = Shape::rectangle(3, 3).unwrap();
        let read = |text, lights| parse_raise(|name| shape.cell_named(name), text, lights);
        let b2 = shape.cell_named("b2").unwrap();
        for text in [
            "b2R",
            "B2r",
            "b2=R",
            "b2-R",
            "b2:R",
            "b2: R",
            "b2 R",
            "b2 - R",
            "b2 → red",
            "b2–r",
            "R b2",
            "Rb2",
            "r-b2",
            "R@b2",
            "b2 red",
            "b2red",
            "Red b2",
            "b2 rot",
            "b2 rojo",
            "b2 Vermelho",
            "b21",
        ] {
            for (lights, level) in [(Lights::Ryg, 1), (Lights::Gyr, 3)] {
                let level = if text == "b21" { 1 } else { level };
                let expected = Ok((b2, TypedLight::Level(level)));
                assert_eq!(read(text, lights), expected, "{text}");
            }
        }
        for (text, level) in [
            ("b2 grün", 3),
            ("b2 GRÜN", 3),
            ("verde b2", 3),
            ("b2=amarelo", 2),
            ("b2 orange", 2),
            ("Ab2", 2),
        ] {
            let expected = Ok((b2, TypedLight::Level(level)));
            assert_eq!(read(text, Lights::Ryg), expected, "{text}");
        }
        assert_eq!(read("V b2", Lights::Gyr), Ok((b2, TypedLight::GreenOrRed)));
        for text in [
            "", "b", "2b2", "1 b2", "b2 R R", "b2RR", "b2 blue", "d4R", "=R", "R", "b2+R",
        ] {
            assert!(read(text, Lights::Ryg).is_err(), "{text}");
        }
        let long = format!("b2{}R", "=".repeat(1 << 12));
        assert!(read(&long, Lights::Ryg).is_err());
    }

    #[test]
    fn both_colour_orders() {
        let shape = Shape::rectangle(1, 4).unwrap();
        let code = parse_board(&shape, 3, ".RYG", Lights::Ryg).unwrap();
        assert_eq!(board_text(&shape, code, Lights::Ryg), ".RYG");
        assert_eq!(board_text(&shape, code, Lights::Gyr), ".GYR");
        assert_eq!(parse_board(&shape, 3, ".gar", Lights::Gyr), Ok(code));
        assert_eq!(
            parse_board(&shape, 3, "012o", Lights::Ryg),
            Ok(Code(0b10_10_01_00))
        );
    }

    #[test]
    fn every_fault_is_listed_with_its_place() {
        let shape = Shape::rectangle(2, 3).unwrap();
        let faults = parse_board(&shape, 3, "R.x/..", Lights::Ryg).unwrap_err();
        let text: Vec<String> = faults.iter().map(ToString::to_string).collect();
        assert_eq!(
            text,
            [
                "row 1 (rank 2), character 3: found 'x', expected '.' 'R' 'Y' 'G' or 0 to 3",
                "row 2 (rank 1): found 2 squares, expected 3",
            ]
        );
        assert!(parse_board(&shape, 3, "", Lights::Ryg).is_err());
    }
}
