//! Counters beside the board: hands, the market and the bag; and a lamp alone.

use std::fmt::Write;

use greenwave_game::Diagram;

use super::{Anchor, Drawing, LIGHT_RADIUS};
use crate::element::{Elements, escaped, number};
use crate::layout::{BAG_PITCH, LABEL, PITCH, PictureLayout, TEXT, places_of};
use crate::picture::{Picture, TakeLink};
use crate::words::BAG;

/// The names of the rows of counters in a script, in their order.
const PILES: [&str; 3] = ["own", "other", MARKET];
const MARKET: &str = "market";

/// Radius of a counter in a row, and in the bag.
const COUNTER: f64 = 12.0;
const IN_BAG: f64 = 10.0;

/// The titles of the rows of counters and of the bag, in their order.
pub(super) fn titles<'a>(picture: &'a Picture<'_>) -> Vec<&'a str> {
    let diagram = picture.diagram;
    let named = diagram.rows.iter().map(|(title, _)| title.as_str());
    let bag = (!diagram.bag.is_empty()).then_some(BAG);
    let given = |place: usize| picture.row_titles.get(place).map(String::as_str);
    let all = named.chain(bag).enumerate();
    all.map(|(place, title)| given(place).unwrap_or(title))
        .collect()
}

impl Drawing<'_> {
    /// Rows of counters and notes.
    pub(super) fn below(&mut self, titles: &[&str]) {
        let layout = self.layout;
        let diagram = self.picture.diagram;
        for (row, title) in layout.rows.iter().zip(titles) {
            self.text("note", row.title, LABEL, Anchor::Start, title);
        }
        let piles = diagram.rows.iter().zip(&layout.rows).zip(PILES);
        for (((_, levels), row), pile) in piles {
            self.pile(pile, levels, &row.counters);
        }
        if let Some(bag) = layout.rows.get(diagram.rows.len()) {
            self.bag(&bag.counters);
        }
        for (x, y, line) in &layout.notes {
            self.text("note", (*x, *y), TEXT, Anchor::Start, line);
        }
    }

    /// The counters of a hand or of the market.
    fn pile(&mut self, pile: &str, levels: &[u8], places: &[(f64, f64)]) {
        let picture = self.picture;
        // Where squares are links, a script lets counters be dragged to them; those to be taken, to the hand.
        let has_links = picture.tags.iter().any(|tag| tag.href.is_some());
        let links = has_links || !picture.takes.is_empty();
        let takes: &[TakeLink] = if pile == MARKET { &picture.takes } else { &[] };
        self.tray(places, !takes.is_empty());
        for (x, y) in places.iter().skip(levels.len()) {
            let empty = [("cx", *x), ("cy", *y), ("r", COUNTER * 0.72)];
            self.out.leaf("circle", "lens", &empty);
        }
        for (level, (x, y)) in levels.iter().zip(places) {
            let letter = picture.diagram.letter(*level);
            let take = takes.iter().find(|take| take.light == letter);
            if let Some(take) = take {
                let _ = write!(
                    self.out.text,
                    "<a href=\"{}\" aria-label=\"{label}\">",
                    escaped(&take.href),
                    label = escaped(&take.label)
                );
            }
            if links {
                let _ = write!(
                    self.out.text,
                    "<g class=\"counter\" data-pile=\"{pile}\" data-counter=\"{letter}\">"
                );
            }
            self.level(*level, *x, *y, COUNTER);
            if links {
                self.out.text.push_str("</g>");
            }
            if take.is_some() {
                self.out.text.push_str("</a>");
            }
        }
    }

    /// The counters in the bag, each kind with its number.
    fn bag(&mut self, places: &[(f64, f64)]) {
        for ((level, count), (x, y)) in self.picture.diagram.bag.iter().zip(places) {
            self.level(*level, *x, *y, IN_BAG);
            let base = (x + IN_BAG + 3.0, y + LABEL * 0.36);
            self.text("label", base, LABEL, Anchor::Start, &count.to_string());
        }
    }

    /// What the counters of a row lie in, with a ring where one is to be taken.
    fn tray(&mut self, counters: &[(f64, f64)], is_chosen: bool) {
        let (Some(first), Some(last)) = (counters.first(), counters.last()) else {
            return;
        };
        let classes: &[(&str, f64)] = if is_chosen {
            &[("tray", 0.0), ("rim", 1.5)]
        } else {
            &[("tray", 0.0)]
        };
        for (class, wider) in classes {
            let around = COUNTER + 2.5 + wider;
            self.out.leaf(
                "rect",
                class,
                &[
                    ("x", first.0 - around),
                    ("y", first.1 - around + 0.8),
                    ("width", last.0 - first.0 + 2.0 * around),
                    ("height", 2.0 * around - 1.6),
                    ("rx", around - 0.8),
                ],
            );
        }
    }
}

impl Picture<'_> {
    /// The rows of counters and the bag, each with its title and as a picture of its own, in the style of the page
    /// around them. All have one scale.
    #[must_use]
    pub fn piles(&self) -> Vec<(String, String)> {
        let diagram = self.diagram;
        let titles = titles(self);
        let rows = diagram.rows.iter().enumerate();
        let places: Vec<usize> = rows.map(|row| places_of(row.0, &row.1.1)).collect();
        let most = places.iter().copied().max().unwrap_or(0);
        let ends = [
            PITCH * most as f64 + 8.0,
            BAG_PITCH * diagram.bag.len() as f64 + 2.0,
        ];
        let width = number(ends[0].max(ends[1]));
        let around = |pitch: f64| move |place: usize| (17.0 + pitch * place as f64, 16.0);
        let bare = Diagram::default();
        let layout = PictureLayout::new(&bare, &[], &[], "");
        let drawn = |title: &str, draw: &dyn Fn(&mut Drawing<'_>)| {
            let mut drawing = Drawing {
                out: Elements::default(),
                picture: self,
                layout: &layout,
            };
            draw(&mut drawing);
            let svg = format!(
                "<svg class=\"gw\" viewBox=\"0 0 {width} 32\" role=\"group\" aria-label=\"{}\">{}</svg>",
                escaped(title),
                drawing.out.text
            );
            (title.to_string(), svg)
        };
        let rows = diagram.rows.iter().zip(&places).zip(PILES).zip(&titles);
        let rows = rows.map(|((((_, levels), count), pile), title)| {
            let places: Vec<(f64, f64)> = (0..*count).map(around(PITCH)).collect();
            drawn(title, &|drawing| drawing.pile(pile, levels, &places))
        });
        let bag = titles.get(diagram.rows.len()).map(|title| {
            let places: Vec<(f64, f64)> = (0..diagram.bag.len()).map(around(BAG_PITCH)).collect();
            drawn(title, &|drawing| drawing.bag(&places))
        });
        rows.chain(bag).collect()
    }
}

/// A light as a picture of its own, such as within a sentence, in the style of the page around it. Empty for a
/// letter of no light.
#[must_use]
pub fn lamp(letter: char) -> String {
    if !"RYG".contains(letter) {
        return String::new();
    }
    let diagram = Diagram::default();
    let picture = Picture::new(&diagram, "");
    let layout = PictureLayout::new(&diagram, &[], &[], "");
    let mut drawing = Drawing {
        out: Elements::default(),
        picture: &picture,
        layout: &layout,
    };
    drawing.light(letter, 18.0, 18.0, LIGHT_RADIUS);
    format!(
        "<svg class=\"gw lamp\" viewBox=\"1 1 34 34\" width=\"24\" height=\"24\" aria-hidden=\"true\">{}</svg>",
        drawing.out.text
    )
}
