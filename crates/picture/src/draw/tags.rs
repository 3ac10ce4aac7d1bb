//! What a square is worth: its shade, its frame and its badge; and what stands in its corners.

use std::fmt::Write;

use greenwave_game::Mark;

use super::{Anchor, CORNER, Drawing, POINT_TILE, TILE};
use crate::element::number;
use crate::lettering;
use crate::picture::{Ring, Tag, Tone};

/// Size of the letters of a badge, and of one with many.
const SQUARE_BADGE: (f64, f64) = (7.9, 7.0);
const LARGE_BADGE: (f64, f64) = (10.5, 9.0);
/// The same of a point, which is small on a phone.
const POINT_BADGE: (f64, f64) = (11.0, 9.0);
/// Where a suggested light stands: how far from the middle of its square, across and up, and its radius.
const SUGGESTED: (f64, f64) = (15.0, 7.2);
/// Height of a badge, by the size of its letters.
const BADGE_HEIGHT: f64 = 1.15;
/// The classes of a tone, and of a frame in it.
pub(super) fn tone_classes(tone: Tone) -> (&'static str, &'static str) {
    match tone {
        Tone::Win => ("win", ""),
        Tone::Draw => ("draw", " of-draw"),
        Tone::Loss => ("loss", " of-loss"),
        Tone::Plain => ("plain", " of-plain"),
    }
}

/// The class of the frame around what stands out; `None` where nothing does.
pub(super) fn ring_class(ring: Ring, tone: Tone) -> Option<String> {
    let ring = match ring {
        Ring::None => return None,
        Ring::Keeps => "keeps",
        Ring::Quick => "quick",
    };
    Some(format!("{ring}{}", tone_classes(tone).1))
}

impl Drawing<'_> {
    /// A square shaded by its value: full where it wins, hatched where it loses.
    pub(super) fn heat(&mut self, tag: &Tag, x: f64, y: f64) {
        let strength = tag.heat.min(4);
        let (class, half) = match tag.tone {
            Tone::Win => ("heat-win", TILE - 3.0),
            Tone::Loss => ("heat-loss", TILE - 3.0),
            Tone::Draw | Tone::Plain => ("heat-even", TILE - 3.0),
        };
        let class = format!("{class} s{strength}");
        if tag.tone != Tone::Loss {
            if self.layout.points {
                let around = [("cx", x), ("cy", y), ("r", 16.0)];
                self.out.leaf("circle", &class, &around);
            } else {
                self.frame(&class, x, y, half, CORNER - 3.0);
            }
            return;
        }
        let half = if self.layout.points || self.picture.diagram.hexagonal {
            12.0
        } else {
            half
        };
        let mut data = String::new();
        for part in [-1.5, -1.0, -0.5, 0.0, 0.5, 1.0, 1.5] {
            // Where a slanting line enters and leaves the square.
            let offset: f64 = part * half;
            let (from, to) = ((-half).max(offset - half), half.min(offset + half));
            let _ = write!(
                data,
                "M{} {}L{} {}",
                number(x + from),
                number(y + offset - from),
                number(x + to),
                number(y + offset - to)
            );
        }
        self.out.path(&class, &data);
    }

    /// The number of a move in a line of play, or the sign of a fault, in the upper left corner of its square.
    pub(super) fn number(&mut self, class: &str, place: usize, text: &str) {
        let Some((x, y)) = self.layout.marks.get(place).copied() else {
            return;
        };
        let (x, y) = (x - 16.5, y - 17.0);
        let half = (lettering::width(text, 7.5) / 2.0 + 2.5).max(5.8);
        self.out
            .text
            .push_str("<g pointer-events=\"none\" aria-hidden=\"true\">");
        let badge = [
            ("x", x - 5.8),
            ("y", y - 5.8),
            ("width", 2.0 * half),
            ("height", 11.6),
            ("rx", 5.8),
        ];
        self.out.leaf("rect", class, &badge);
        let base = (x - 5.8 + half, y + 7.5 * 0.36);
        self.text("on-number", base, 7.5, Anchor::Middle, text);
        self.out.text.push_str("</g>");
    }

    /// What a suggested move puts on a square, small in the corner of it.
    pub(super) fn suggestion(&mut self, place: usize, light: char) {
        let Some((x, y)) = self.layout.marks.get(place).copied() else {
            return;
        };
        let (x, y) = (x + SUGGESTED.0, y - SUGGESTED.0);
        let around = [("cx", x), ("cy", y), ("r", SUGGESTED.1 + 2.0)];
        self.out
            .text
            .push_str("<g pointer-events=\"none\" aria-hidden=\"true\">");
        self.out.leaf("circle", "suggested", &around);
        if "RYG".contains(light) {
            self.light(light, x, y, SUGGESTED.1);
        } else {
            self.sign(light, x, y, SUGGESTED.1);
        }
        self.out.text.push_str("</g>");
    }

    /// The frame and the badge of a square.
    pub(super) fn tag(&mut self, tag: &Tag, x: f64, y: f64) {
        let (tone, _) = tone_classes(tag.tone);
        if let Some(class) = ring_class(tag.ring, tag.tone) {
            if self.layout.points {
                let around = [("cx", x), ("cy", y), ("r", POINT_TILE)];
                self.out.leaf("circle", &class, &around);
            } else {
                self.frame(&class, x, y, TILE, CORNER);
            }
        }
        if tag.text.is_empty() {
            return;
        }
        // The badges of best moves are full, the rest is faint.
        let soft = match tag.ring {
            Ring::None | Ring::Keeps => " soft",
            Ring::Quick => "",
        };
        // On a square a rim parts the badge from the frame.
        let rim = if self.layout.points { "" } else { " badge" };
        let (badge, on) = (format!("{tone}{soft}{rim}"), format!("on-{tone}{soft}"));
        let sizes = if self.layout.points {
            POINT_BADGE
        } else if self.picture.large {
            LARGE_BADGE
        } else {
            SQUARE_BADGE
        };
        let high = sizes.0 * BADGE_HEIGHT;
        let size = if tag.text.chars().count() > 6 {
            sizes.1
        } else {
            sizes.0
        };
        let half = (lettering::width(&tag.text, size) / 2.0 + 3.2).clamp(6.0, 20.0);
        // In the lower right corner of a square, where no light is, on a free point, low on a disc and in a hexagon.
        let mark = self.picture.diagram.marks[tag.square].2;
        let (x, middle) = match mark {
            Mark::Disc { cylinder: true, .. } => (x, y + 17.0),
            Mark::Disc { .. } => (x, y + 14.0),
            Mark::Point => (x, y),
            Mark::Level(_) | Mark::Sign(_) if self.picture.diagram.hexagonal => (x, y + 16.2),
            Mark::Level(_) | Mark::Sign(_) => (x + TILE - half, y + TILE - high / 2.0),
        };
        self.out.leaf(
            "rect",
            &badge,
            &[
                ("x", x - half),
                ("y", middle - high / 2.0),
                ("width", 2.0 * half),
                ("height", high),
                ("rx", high / 2.0),
            ],
        );
        self.text(
            &on,
            (x, middle + size * 0.36),
            size,
            Anchor::Middle,
            &tag.text,
        );
    }
}
