//! Arrows: that of a move, and those that move the strip.

use std::fmt::Write;

use super::tags::{ring_class, tone_classes};
use super::{Anchor, Drawing, LIGHT_RADIUS};
use crate::element::{escaped, number};
use crate::lettering;
use crate::picture::{Arrow, Ring, StripArrow};

/// Radius of the arrow that turns the strip in its place.
const TURNING: f64 = 6.0;
/// Distance of both ends of an arrow from the middle of the disc that leaves its point and of the point that it
/// reaches.
const LEAVES: f64 = 20.0;
const REACHES: f64 = 10.0;
/// How far the barbs of its head reach back and to the side.
const BACK: f64 = 9.0;
const WIDE: f64 = 6.0;
/// How far to the left and above the middle of a square the arrow at a reply begins.
const CORNERED: f64 = 23.0;
/// Distance of an arrow that moves the strip from the squares and labels, half its size, and half the distance of two
/// to the same side.
const OUTSIDE: f64 = 21.0;
const BOX: f64 = 16.0;
const APART: f64 = 18.0;

/// The middle of some places.
fn middle(places: &[(usize, &(f64, f64))]) -> Option<(f64, f64)> {
    let count = places.len() as f64;
    let sum = places
        .iter()
        .fold((0.0, 0.0), |(x, y), (_, at)| (x + at.0, y + at.1));
    (count > 0.0).then(|| (sum.0 / count, sum.1 / count))
}

/// An arrow that points outward, with a hook at its foot where the strip is turned.
fn outward((x, y): (f64, f64), (dx, dy): (f64, f64), turned: bool) -> String {
    let point = |along: f64, across: f64| {
        format!(
            "{} {}",
            number(x + dx * along - dy * across),
            number(y + dy * along + dx * across)
        )
    };
    let foot = if turned { -5.0 } else { -6.0 };
    let mut data = format!(
        "M{}L{}M{}L{}L{}",
        point(foot, 0.0),
        point(6.0, 0.0),
        point(1.5, -4.5),
        point(6.0, 0.0),
        point(1.5, 4.5)
    );
    if turned {
        let _ = write!(
            data,
            "M{}C{} {} {}",
            point(-5.0, 0.0),
            point(-9.0, -0.5),
            point(-8.5, 6.5),
            point(-2.5, 5.5)
        );
    }
    data
}

/// Three quarters of a circle, with a tip at its end.
fn round((x, y): (f64, f64)) -> String {
    let left = x - TURNING;
    format!(
        "M{} {}A{r} {r} 0 1 1 {} {}M{} {}L{} {}L{} {}",
        number(x),
        number(y - TURNING),
        number(left),
        number(y),
        number(left - 3.5),
        number(y + 2.5),
        number(left),
        number(y - 1.5),
        number(left + 3.5),
        number(y + 2.5),
        r = number(TURNING),
    )
}

impl Drawing<'_> {
    /// An arrow from one square to another.
    pub(super) fn arrow(&mut self, arrow: Arrow) {
        let marks = &self.layout.marks;
        let (Some(from), Some(to)) = (marks.get(arrow.from), marks.get(arrow.to)) else {
            return;
        };
        let (dx, dy) = (to.0 - from.0, to.1 - from.1);
        let length = dx.hypot(dy).max(1.0);
        let (ux, uy) = (dx / length, dy / length);
        let start = (from.0 + ux * LEAVES, from.1 + uy * LEAVES);
        let end = (to.0 - ux * REACHES, to.1 - uy * REACHES);
        let wing = |side: f64| {
            format!(
                "{} {}",
                number(end.0 - ux * BACK - uy * side),
                number(end.1 - uy * BACK + ux * side)
            )
        };
        let tip = format!("{} {}", number(end.0), number(end.1));
        let data = format!(
            "M{} {}L{tip}M{}L{tip}L{}",
            number(start.0),
            number(start.1),
            wing(WIDE),
            wing(-WIDE)
        );
        self.out.path("arrow", &data);
    }

    /// A short arrow from the upper corner of a square to the light that has come there.
    pub(super) fn arrival(&mut self, place: usize) {
        let Some((x, y)) = self.layout.marks.get(place).copied() else {
            return;
        };
        let reach = (LIGHT_RADIUS + 1.5) * std::f64::consts::FRAC_1_SQRT_2;
        // A number has the usual corner.
        let mut numbers = self.picture.numbers.iter();
        let side = if numbers.any(|(at, _)| *at == place) {
            1.0
        } else {
            -1.0
        };
        let (tip_x, tip_y) = (x + side * reach, y - reach);
        let barb = BACK - 3.0;
        let [x, y, tip_x, tip_y, across, back, barb] = [
            x + side * CORNERED,
            y - CORNERED,
            tip_x,
            tip_y,
            side * barb,
            -side * barb,
            barb,
        ]
        .map(number);
        let data = format!("M{x} {y}L{tip_x} {tip_y}m{across} 0h{back}v-{barb}");
        self.out.path("arrow came", &data);
    }

    /// The middles of the strip and of the board without it; `None` where there is no strip.
    pub(super) fn middles(&self) -> Option<((f64, f64), (f64, f64))> {
        let strip = &self.picture.diagram.strip;
        let marks = self.layout.marks.iter().enumerate();
        let (of_strip, of_board): (Vec<_>, Vec<_>) =
            marks.partition(|(place, _)| strip.contains(place));
        Some((middle(&of_strip)?, middle(&of_board)?))
    }

    /// The arrows beside the board that move the strip, each with what that is worth.
    pub(super) fn strip_arrows(&mut self) {
        let diagram = self.picture.diagram;
        let Some((strip, board)) = self.middles() else {
            return;
        };
        let bounds = self.layout.bounds;
        let picture = self.picture;
        for arrow in &picture.strip_arrows {
            let others = picture.strip_arrows.iter();
            let beside = others.filter(|other| other.to == arrow.to);
            // A strip that can be turned on its way has two arrows to the same side.
            let along = match (beside.count(), arrow.turned) {
                (0 | 1, _) => 0.0,
                (_, false) => -APART,
                (_, true) => APART,
            };
            let (x, y) = if arrow.to.is_some() { board } else { strip };
            let (at, pointing) = match arrow.side(diagram) {
                'N' => ((x + along, bounds.top - OUTSIDE), (0.0, -1.0)),
                'S' => ((x + along, bounds.bottom + OUTSIDE), (0.0, 1.0)),
                'W' => ((bounds.left - OUTSIDE, y + along), (-1.0, 0.0)),
                _ => ((bounds.right + OUTSIDE, y + along), (1.0, 0.0)),
            };
            self.strip_arrow(arrow, at, pointing);
        }
    }

    /// An arrow in its box, with its value: outward, with a hook at its foot where the strip turns on its way; round
    /// where the strip turns in its place.
    fn strip_arrow(&mut self, arrow: &StripArrow, (x, y): (f64, f64), pointing: (f64, f64)) {
        let label = escaped(&arrow.label);
        let _ = write!(
            self.out.text,
            "<a class=\"strip-arrow\" href=\"{}\" aria-label=\"{label}\"><title>{label}</title>",
            escaped(&arrow.href)
        );
        let around = [
            ("x", x - BOX),
            ("y", y - BOX),
            ("width", 2.0 * BOX),
            ("height", 2.0 * BOX),
            ("rx", 7.0),
        ];
        self.out.leaf("rect", "hit knob", &around);
        if let Some(ring) = ring_class(arrow.ring, arrow.tone) {
            self.out.leaf("rect", &ring, &around);
        }
        // Beside its value where it points up or down, above it where it points to a side.
        let shown = !arrow.text.is_empty();
        let (x, y) = (x, if shown { y - 5.5 } else { y });
        let data = if arrow.to.is_some() {
            outward((x, y), pointing, arrow.turned)
        } else {
            round((x, y))
        };
        self.out.path("turning", &data);
        self.out.text.push_str("</a>");
        if shown {
            let (tone, _) = tone_classes(arrow.tone);
            let soft = match arrow.ring {
                Ring::None | Ring::Keeps => " soft",
                Ring::Quick => "",
            };
            let half = (lettering::width(&arrow.text, 7.5) / 2.0 + 2.5).clamp(6.0, BOX - 0.5);
            self.out.text.push_str("<g pointer-events=\"none\">");
            let badge = [
                ("x", x - half),
                ("y", y + 11.0),
                ("width", 2.0 * half),
                ("height", 9.0),
                ("rx", 4.5),
            ];
            self.out.leaf("rect", &format!("{tone}{soft}"), &badge);
            let base = (x, y + 15.5 + 7.5 * 0.36);
            let class = format!("on-{tone}{soft}");
            self.text(&class, base, 7.5, Anchor::Middle, &arrow.text);
            self.out.text.push_str("</g>");
        }
    }
}
