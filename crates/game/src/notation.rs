//! Boards as text: rows from the top rank down, `/` between, one letter a square.

use std::borrow::Cow;

use crate::{Cell, Code, Fault, Lights, Message, Shape, file_name, messages};

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
    let rows: Vec<String> = if text.contains(['[', '(']) {
        text.split([']', ')']).map(squares).collect()
    } else {
        text.split(['/', '\n', ';']).map(squares).collect()
    };
    let rows: Vec<String> = rows.into_iter().filter(|row| !row.is_empty()).collect();
    if let ([_], false) = (&rows[..], text.contains('/')) {
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
        let word = word.trim();
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

/// Splits a move text into its square and its new light; `named` knows the squares.
pub(crate) fn parse_raise(
    named: impl Fn(&str) -> Option<Cell>,
    text: &str,
    lights: Lights,
) -> Result<(Cell, TypedLight), Message> {
    if let Some(cell) = named(text) {
        return Ok((cell, TypedLight::Unsaid));
    }
    let mut letters = text.chars();
    let last = letters.next_back();
    let (Some(cell), Some(last)) = (named(letters.as_str()), last) else {
        return Err(messages::move_form(format!("b2{}", lights.letter(1))));
    };
    match lights.level(last) {
        Some(level @ 1..) => Ok((cell, TypedLight::Level(level))),
        _ if last.eq_ignore_ascii_case(&'v') => Ok((cell, TypedLight::GreenOrRed)),
        _ => Err(messages::move_no_light(last)),
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
