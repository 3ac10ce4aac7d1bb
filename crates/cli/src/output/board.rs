//! Boards on a terminal: letters always, colour where it is wanted.

use std::fmt::Write;
use std::iter::repeat_n;

use anstyle::{AnsiColor, Style};
use greenwave_game::{Diagram, Game, Lights, Mark, Variant};
use greenwave_picture::{Lettering, Picture, Scheme, Words};
use greenwave_words::Language;

use super::words;

/// Rows of the marks and labels of a diagram.
pub(crate) fn height(diagram: &Diagram) -> u16 {
    let marks = diagram.marks.iter().map(|(_, y, _)| *y);
    let labels = diagram.labels.iter().map(|label| label.y);
    marks.chain(labels).max().map_or(0, |last| last + 1)
}

/// The picture of a position as SVG, for paper and pages of one file.
pub(crate) fn printed(words: Language, diagram: &Diagram, title: &str) -> String {
    let titles = words::row_titles(words, diagram);
    let mut picture = Picture::new(diagram, title);
    picture.row_titles = &titles;
    picture.notes = words.sentences(&diagram.notes);
    picture.scheme = Scheme::Light;
    picture.lettering = Lettering::Strokes;
    picture.svg()
}

/// The picture of a position, a line of text for each of its rows.
pub(crate) fn draw(words: Language, diagram: &Diagram) -> String {
    let mut text = String::new();
    for row in 0..height(diagram) {
        // (column of the middle, width, what stands there)
        let mut pieces: Vec<(usize, usize, Piece<'_>)> = Vec::new();
        for (x, y, mark) in &diagram.marks {
            if *y == row {
                // A lit square is three characters wide, an empty one only its dot.
                let lit = letters(diagram, *mark).0 != '.';
                let width = if lit { 3 } else { 1 };
                pieces.push((usize::from(*x) * 2, width, Piece::Mark(*mark)));
            }
        }
        for label in &diagram.labels {
            if label.y == row {
                let width = label.text.chars().count();
                pieces.push((usize::from(label.x) * 2, width, Piece::Label(&label.text)));
            }
        }
        pieces.sort_by_key(|(column, ..)| *column);
        let mut at = 0;
        text.push_str("  ");
        for (middle, width, piece) in pieces {
            let start = (middle + 1).saturating_sub(width / 2).max(at);
            text.extend(repeat_n(' ', start - at));
            match piece {
                Piece::Mark(mark) => push_mark(&mut text, diagram, mark),
                Piece::Label(label) => text.push_str(label),
            }
            at = start + width;
        }
        text.push('\n');
    }
    let titles = words::row_titles(words, diagram);
    for (title, (_, levels)) in titles.iter().zip(&diagram.rows) {
        text.push_str(&format!("  {title:<28}"));
        for level in levels {
            push_mark(&mut text, diagram, Mark::Level(*level));
        }
        if levels.is_empty() {
            text.push_str(&format!(" {}", words.text("nothing")));
        }
        text.push('\n');
    }
    for note in words.sentences(&diagram.notes) {
        text.push_str(&format!("  {note}\n"));
    }
    text
}

/// What stands in a row of a picture.
enum Piece<'a> {
    Mark(Mark),
    Label(&'a str),
}

/// Adds a mark in its colour, a blank on either side where it is lit.
fn push_mark(text: &mut String, diagram: &Diagram, mark: Mark) {
    let (letter, style) = look(diagram, mark);
    if style.is_plain() {
        match letter {
            '.' => text.push('.'),
            _ => text.extend([' ', letter, ' ']),
        }
        return;
    }
    // Writing to a string cannot fail.
    let _ = match letter {
        '.' => write!(text, "{style}.{style:#}"),
        _ => write!(text, "{style} {letter} {style:#}"),
    };
}

/// What the letters of a game mean.
pub(crate) fn key_of(words: Language, variant: &Variant) -> String {
    key(words, &variant.diagram(&variant.start()))
}

/// What the letters of a picture mean.
pub(crate) fn key(words: Language, diagram: &Diagram) -> String {
    let is_sign = |(_, _, mark): &(u16, u16, Mark)| matches!(mark, Mark::Sign(_));
    if diagram.marks.iter().any(is_sign) {
        return words.text("legend-signs").into();
    }
    match diagram.lights {
        Some(lights) => words.with("legend-lights", order(words, lights, diagram.highest)),
        None => words.text("legend-discs").into(),
    }
}

/// The lights in their order, `R red, Y yellow, G green`.
fn order(words: Language, lights: Lights, highest: u8) -> String {
    let named = Words::of_keys(|key| words.text(key));
    let said: Vec<String> = lights
        .up_to(highest)
        .map(|(letter, _)| format!("{letter} {}", named.colour(letter)))
        .collect();
    said.join(", ")
}

/// The letter of a mark, which tells what its colour shows, and the letter by which it is coloured.
pub(crate) fn letters(diagram: &Diagram, mark: Mark) -> (char, char) {
    match mark {
        Mark::Level(level) => {
            let letter = diagram.letter(level);
            (letter, letter)
        }
        Mark::Disc {
            colour,
            cylinder: true,
        } => (colour, colour),
        Mark::Disc {
            colour,
            cylinder: false,
        } => (colour.to_ascii_lowercase(), colour),
        Mark::Point | Mark::Sign(None) => ('.', '.'),
        Mark::Sign(Some(sign)) => (sign, sign),
    }
}

fn look(diagram: &Diagram, mark: Mark) -> (char, Style) {
    let (letter, capital) = letters(diagram, mark);
    let light = |background: AnsiColor| AnsiColor::Black.on(background).bold();
    let style = match capital {
        'R' => AnsiColor::BrightWhite.on(AnsiColor::Red).bold(),
        'Y' => light(AnsiColor::Yellow),
        'G' => light(AnsiColor::Green),
        '.' => Style::new().dimmed(),
        _ => Style::new().bold(),
    };
    (letter, super::wanted(style))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_board_without_colour() {
        let Variant::Board(game) = Variant::parse("classic-2x3").unwrap() else {
            unreachable!()
        };
        let position = game.parse_position("R.Y/..G").unwrap();
        let picture = draw(Language::English, &game.diagram(&position));
        let plain = anstream::adapter::strip_str(&picture).to_string();
        assert_eq!(
            plain,
            "   2   R   .   Y \n   1   .   .   G \n       a   b   c\n"
        );
    }
}
