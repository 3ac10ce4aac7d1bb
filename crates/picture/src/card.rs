//! The card of a position: a picture of 1200 by 630 pixels for places where its address is shared.

use std::f64::consts::PI;
use std::fmt::Write;

use crate::element::escaped;
use crate::lettering::spaced;
use crate::picture::{Lettering, Picture, Scheme};

/// Width and height of a card in pixels.
pub const CARD: (u32, u32) = (1200, 630);

/// Where the words begin, and how wide they may be.
const LEFT: f64 = 640.0;
const ROOM: f64 = 510.0;
/// Height of a line, by the size of its letters.
const LEADING: f64 = 1.34;
/// How thick strokes are, by the size of their letters: of the brand and the sentence, and of the rest.
const BOLD: f64 = 0.135;
const PLAIN: f64 = 0.085;

/// What stands on a card.
#[derive(Clone, Debug)]
pub struct Card<'a> {
    /// The board.
    pub board: Picture<'a>,
    /// The game.
    pub game: &'a str,
    /// The text about the player to move; empty for none.
    pub turn: &'a str,
    /// The text about the winner, the largest of the texts.
    pub sentence: &'a str,
    /// How hard the puzzle is, in stars; 0 for none.
    pub level: u8,
}

impl Card<'_> {
    /// The card as SVG. Its letters are strokes, so that it needs no font.
    #[must_use]
    pub fn svg(&self) -> String {
        let (across, down) = CARD;
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {across} {down}\" width=\"{across}\" \
             height=\"{down}\"><title>{}</title><rect width=\"{across}\" height=\"{down}\" fill=\"#fff\"/>",
            escaped(self.sentence)
        );
        svg.push_str(&self.board());
        for (number, colour) in ["#c4232f", "#f0b400", "#14793a"].into_iter().enumerate() {
            let x = LEFT + 14.0 + 34.0 * number as f64;
            let _ = write!(
                svg,
                "<circle cx=\"{x}\" cy=\"86\" r=\"14\" fill=\"{colour}\"/>"
            );
        }
        let mut words = CardText { svg, y: 96.0 };
        words.write("Greenwave", LEFT + 118.0, 30.0, BOLD, "#14181f");
        // Smaller letters where a text would take too many lines.
        let most = |size: f64| if self.level > 0 && size > 48.0 { 2 } else { 3 };
        let size = [58.0, 48.0, 40.0, 34.0]
            .into_iter()
            .find(|size| wrapped(self.sentence, *size, ROOM).len() <= most(*size))
            .unwrap_or(28.0);
        let lines = balanced(self.sentence, size);
        let below = if self.level > 0 { STARS } else { 0.0 };
        words.y = 340.0 - ((lines.len() as f64 - 1.0) * size * LEADING + below) / 2.0;
        if !self.turn.is_empty() {
            words.y -= 30.0;
            words.write(self.turn, LEFT, 27.0, PLAIN, "#4d5665");
            words.y += size * LEADING + 6.0;
        }
        for line in lines {
            words.write(&line, LEFT, size, BOLD, "#14181f");
            words.y += size * LEADING;
        }
        if self.level > 0 {
            words.stars(self.level);
        }
        let mut lines = balanced(self.game, 27.0);
        lines.truncate(2);
        words.y = 565.0 - (lines.len() as f64 - 1.0) * 27.0 * LEADING;
        for line in lines {
            words.write(&line, LEFT, 27.0, PLAIN, "#4d5665");
            words.y += 27.0 * LEADING;
        }
        words.svg + "</svg>"
    }

    fn board(&self) -> String {
        let mut board = self.board.clone();
        board.scheme = Scheme::Light;
        board.lettering = Lettering::Strokes;
        let svg = board.svg();
        // The picture keeps its shape in a square of its own.
        svg.replacen(
            "<svg ",
            "<svg x=\"50\" y=\"45\" preserveAspectRatio=\"xMidYMid meet\" ",
            1,
        )
        .replacen(&size_of(&svg), "width=\"540\" height=\"540\"", 1)
    }
}

/// The attributes that say how large a picture is.
fn size_of(svg: &str) -> String {
    let tag = svg.split('>').next().unwrap_or_default();
    let from = tag.find(" width=\"").map_or(0, |at| at + 1);
    let to = tag.find(" role=").unwrap_or(tag.len());
    tag[from..to.max(from)].to_string()
}

/// How much the stars of a puzzle and the gap above them take.
const STARS: f64 = 70.0;

struct CardText {
    svg: String,
    y: f64,
}

impl CardText {
    /// Five stars in the next line, so many of them lit.
    fn stars(&mut self, lit: u8) {
        const OUTER: f64 = 19.0;
        for number in 0..5_u8 {
            let x = LEFT + OUTER + 46.0 * f64::from(number);
            let corner = |corner: u8| {
                let radius = if corner.is_multiple_of(2) {
                    OUTER
                } else {
                    OUTER * 0.42
                };
                let (across, up) = (f64::from(corner) * PI / 5.0).sin_cos();
                let y = self.y - up * radius - OUTER / 2.0;
                format!("{:.1} {y:.1}", x + across * radius)
            };
            let corners: Vec<String> = (0..10).map(corner).collect();
            let fill = if number < lit { "#f0b400" } else { "#dfe3ea" };
            let _ = write!(
                self.svg,
                "<path d=\"M{}Z\" fill=\"{fill}\"/>",
                corners.join("L")
            );
        }
    }

    fn write(&mut self, text: &str, x: f64, size: f64, thick: f64, colour: &str) {
        let _ = write!(
            self.svg,
            "<path d=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"{:.2}\" stroke-linecap=\"round\" \
             stroke-linejoin=\"round\"/>",
            spaced(text, x, self.y, size).0,
            size * thick
        );
    }
}

/// How wide a text is.
fn width(text: &str, size: f64) -> f64 {
    spaced(text, 0.0, 0.0, size).1
}

/// A text in as few lines as fit a card, all about as long.
fn balanced(text: &str, size: f64) -> Vec<String> {
    let lines = wrapped(text, size, ROOM).len();
    let rooms = (1..50).map(|tenth| ROOM * f64::from(tenth) / 50.0);
    let mut narrower = rooms.map(|room| wrapped(text, size, room));
    let fits =
        |all: &Vec<String>| all.len() == lines && all.iter().all(|line| width(line, size) <= ROOM);
    narrower
        .find(fits)
        .unwrap_or_else(|| wrapped(text, size, ROOM))
}

/// A text in lines of a width.
fn wrapped(text: &str, size: f64, room: f64) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if width(&format!("{line} {word}"), size) <= room => {
                line.push(' ');
                line.push_str(word);
            }
            Some(_) | None => lines.push(word.to_string()),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use greenwave_game::{BoardGame, Game};

    use super::*;

    fn card(sentence: &str) -> String {
        let game = BoardGame::named("classic-3x3").unwrap();
        let diagram = game.diagram(&game.parse_position("..G/.R./Y..").unwrap());
        Card {
            board: Picture::new(&diagram, "board"),
            game: "classic-3x3",
            turn: "First player to move",
            sentence,
            level: 0,
        }
        .svg()
    }

    #[test]
    fn a_card_has_the_board_in_its_square_and_every_word_inside() {
        let svg = card("You win in 9 plies if both play best");
        assert!(svg.contains("<svg x=\"50\" y=\"45\""));
        assert_eq!(svg.matches("width=\"540\" height=\"540\"").count(), 1);
        let long =
            "Posição perdida em vinte e quatro jogadas se ambos jogarem sempre o melhor possível";
        assert!(
            balanced(long, 40.0)
                .iter()
                .all(|line| width(line, 40.0) <= ROOM)
        );
        assert_eq!(balanced(long, 40.0).join(" "), long);
        assert_eq!(
            balanced("You win in 3 plies if both play best", 58.0),
            ["You win in 3 plies", "if both play best"]
        );
    }

    /// The game stands below the stars, and not among them.
    #[test]
    fn stars_and_names_stand_apart() {
        let game = BoardGame::named("classic-3x3").unwrap();
        let diagram = game.diagram(&game.parse_position("..G/.R./Y..").unwrap());
        for sentence in [
            "Find the win",
            "You are to move and win in 4 of your moves",
            "\u{c9} a tua vez: ganha em 4 jogadas e em mais algumas palavras",
        ] {
            let svg = Card {
                board: Picture::new(&diagram, "board"),
                game: "With a bag \u{b7} Traffic Lights 3\u{d7}3, at most 4 of each colour on the board",
                turn: "Puzzle",
                sentence,
                level: 2,
            }
            .svg();
            let (before, _) = svg.rsplit_once("#dfe3ea").unwrap();
            let star = before.rsplit("d=\"M").next().unwrap();
            let heights = star.split(['L', 'Z']).filter_map(|corner| {
                let (_, y) = corner.trim().split_once(' ')?;
                y.parse::<f64>().ok()
            });
            let lowest = heights.fold(0.0, f64::max);
            assert!(
                lowest < 565.0 - 27.0 * LEADING - 27.0,
                "{sentence}: {lowest}"
            );
        }
    }

    #[cfg(feature = "png")]
    #[test]
    fn a_card_is_a_picture_of_its_size() {
        let png = crate::png(&card("A draw if both play best"), CARD.0).unwrap();
        let number = |at: usize| u32::from_be_bytes(png[at..at + 4].try_into().unwrap());
        assert_eq!((number(16), number(20)), CARD);
    }
}
