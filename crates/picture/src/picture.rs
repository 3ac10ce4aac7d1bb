//! The parts of a picture.

use greenwave_game::{Diagram, Outcome};

/// Light or dark.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scheme {
    /// As the viewer prefers.
    #[default]
    Auto,
    /// For white paper.
    Light,
    /// For a dark page.
    Dark,
    /// The page around the picture brings the style sheet, [`CSS`](crate::CSS).
    Page,
}

/// How letters are drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Lettering {
    /// As text, in a font of the viewer.
    #[default]
    Font,
    /// As strokes, the same everywhere and without any font.
    Strokes,
}

/// How a tag looks: never by colour alone, since its text says it, too.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tone {
    /// Good for whoever moves.
    Win,
    /// Neither.
    Draw,
    /// Bad for whoever moves.
    Loss,
    /// Not known, or not told.
    #[default]
    Plain,
}

impl Tone {
    /// The sign of a value, the same in every language; `None` where it is not known.
    #[must_use]
    pub fn sign(self) -> Option<&'static str> {
        match self {
            Tone::Win => Some("\u{2713}"),
            Tone::Draw => Some("="),
            Tone::Loss => Some("\u{2715}"),
            Tone::Plain => None,
        }
    }

    /// The tone of a value for whoever moves.
    #[must_use]
    pub fn of(value: Option<Outcome>) -> Tone {
        match value {
            Some(Outcome::Win) => Tone::Win,
            Some(Outcome::Draw) => Tone::Draw,
            Some(Outcome::Loss) => Tone::Loss,
            None => Tone::Plain,
        }
    }
}

/// Whether a square stands out among those that can be played.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ring {
    /// It does not.
    #[default]
    None,
    /// Its move keeps the value of the position: a thin frame.
    Keeps,
    /// Its move is a best one, which wins soonest or holds out longest: a thick frame and a full badge.
    Quick,
}

/// What stands on a square, and where a click on it leads.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tag {
    /// The square, by its place among the marks of the diagram.
    pub square: usize,
    /// A few characters, such as `✓ 5`; empty for none.
    pub text: String,
    /// How it looks.
    pub tone: Tone,
    /// Whether the square is to stand out.
    pub ring: Ring,
    /// The letter of the light that comes next on the square, shown where a pointer or the focus is.
    pub next: Option<char>,
    /// How strongly the square is shaded by its value, from 1 to 4; 0 for not at all. The page around the
    /// picture brings the style.
    pub heat: u8,
    /// Address of a link around the square.
    pub href: Option<String>,
    /// The tag in words, for screen readers and as a hint.
    pub label: String,
}

/// An arrow from square to square, both by their place among the marks of the diagram.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arrow {
    /// Where it begins.
    pub from: usize,
    /// Where it points.
    pub to: usize,
}

/// An arrow beside the board that is a link: it moves the strip.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StripArrow {
    /// The side to which it pushes the strip, as moves write it: `N`, `E`, `S` or `W`; none where the strip is turned
    /// in its place.
    pub to: Option<char>,
    /// Whether the strip is turned over.
    pub turned: bool,
    /// What it leads to.
    pub href: String,
    /// The link in words.
    pub label: String,
    /// What the move is worth in a few characters; empty for nothing.
    pub text: String,
    /// How that looks.
    pub tone: Tone,
    /// Whether it is to stand out.
    pub ring: Ring,
}

impl StripArrow {
    /// The side of the board on which it stands: that to which it pushes, or one at an end of the strip.
    pub(crate) fn side(&self, diagram: &Diagram) -> char {
        let strip = diagram.strip.iter();
        let mut columns = strip.filter_map(|place| diagram.marks.get(*place).map(|mark| mark.0));
        let first = columns.next();
        let upright = columns.all(|column| Some(column) == first);
        self.to.unwrap_or(if upright { 'N' } else { 'W' })
    }
}

/// A counter of the market that is a link: it is taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TakeLink {
    /// The letter of its light.
    pub light: char,
    /// What it leads to.
    pub href: String,
    /// The link in words.
    pub label: String,
}

/// A picture to be drawn.
#[derive(Clone, Debug)]
pub struct Picture<'a> {
    /// What stands where.
    pub diagram: &'a Diagram,
    /// Title, read first by screen readers.
    pub title: &'a str,
    /// The picture in words; empty for none.
    pub description: &'a str,
    /// What stands on squares, at most one tag a square.
    pub tags: Vec<Tag>,
    /// Whether the letters of tags are large, as for a room.
    pub large: bool,
    /// Arrows over the board.
    pub arrows: Vec<Arrow>,
    /// The square on which the reply to a move was made, by its place among the marks: a short arrow points at it.
    pub arrived: Option<usize>,
    /// The links that move the strip.
    pub strip_arrows: Vec<StripArrow>,
    /// The counters of the market from which one is to be taken; with any, what they lie in has a ring.
    pub takes: Vec<TakeLink>,
    /// The square whose moves are to be chosen from, by its place among the marks: it has a ring.
    pub chosen: Option<usize>,
    /// The squares to which those lead, each with a dashed ring.
    pub targets: Vec<usize>,
    /// Completed lines, drawn through: squares by their place among the marks.
    pub won: Vec<Vec<usize>>,
    /// Lines that a move would complete, dashed: squares by their place among the marks.
    pub threats: Vec<Vec<usize>>,
    /// The lights that moves would put on squares, shown at once: the place of the square, and the letter.
    pub ghosts: Vec<(usize, char)>,
    /// The lights or signs of better or suggested moves, each small in the upper right corner of its square, so that what
    /// stands there is seen, too: the place of the square, and the letter.
    pub suggested: Vec<(usize, char)>,
    /// The light or sign that a reply puts on a square, large in its place and dashed around: the place of the square, and
    /// the letter. A completed line counts it as lit.
    pub reply: Option<(usize, char)>,
    /// Numbers of moves in a line of play, on the squares on which they are made, by their place among the marks.
    pub numbers: Vec<(usize, String)>,
    /// The square of a move with which something was wrong, and its sign, such as `??`.
    pub fault: Option<(usize, &'static str)>,
    /// Squares with a halo, by their place among the marks: the last move.
    pub framed: Vec<usize>,
    /// Titles of the rows of counters and of the bag, in their order; those of the diagram where there are fewer.
    pub row_titles: &'a [String],
    /// Sentences to write below it, such as what the notes of the diagram say in some language.
    pub notes: Vec<String>,
    /// Light or dark.
    pub scheme: Scheme,
    /// How letters are drawn.
    pub lettering: Lettering,
}

impl<'a> Picture<'a> {
    /// The plain picture of a diagram.
    #[must_use]
    pub fn new(diagram: &'a Diagram, title: &'a str) -> Picture<'a> {
        Picture {
            diagram,
            title,
            description: "",
            tags: Vec::new(),
            large: false,
            arrows: Vec::new(),
            arrived: None,
            strip_arrows: Vec::new(),
            takes: Vec::new(),
            chosen: None,
            targets: Vec::new(),
            won: Vec::new(),
            threats: Vec::new(),
            ghosts: Vec::new(),
            suggested: Vec::new(),
            reply: None,
            numbers: Vec::new(),
            fault: None,
            framed: Vec::new(),
            row_titles: &[],
            notes: Vec::new(),
            scheme: Scheme::Auto,
            lettering: Lettering::Font,
        }
    }
}
