//! Arrows: that of a move, and the one that turns the strip.

use std::fmt::Write;

use super::{Drawing, TILE};
use crate::element::{escaped, number};
use crate::picture::Arrow;

/// Radius of the arrow that turns the strip.
const TURNING: f64 = 8.0;
/// Distance of both ends of an arrow beside a light from the middle of the light.
const BESIDE: f64 = 33.0;
const RIM: f64 = 19.0;

/// The middle of some places.
fn middle(places: &[(usize, &(f64, f64))]) -> Option<(f64, f64)> {
    let count = places.len() as f64;
    let sum = places
        .iter()
        .fold((0.0, 0.0), |(x, y), (_, at)| (x + at.0, y + at.1));
    (count > 0.0).then(|| (sum.0 / count, sum.1 / count))
}

impl Drawing<'_> {
    /// An arrow from one square to another, or the end of it.
    pub(super) fn arrow(&mut self, arrow: Arrow) {
        let marks = &self.layout.marks;
        let (Some(from), Some(to)) = (marks.get(arrow.from), marks.get(arrow.to)) else {
            return;
        };
        let (dx, dy) = (to.0 - from.0, to.1 - from.1);
        let length = dx.hypot(dy).max(1.0);
        let (ux, uy) = (dx / length, dy / length);
        // Beside a light it ends at the halo.
        let (start, short, back, wide) = if arrow.beside {
            (length - BESIDE, RIM, 5.5, 4.5)
        } else {
            (10.0, 10.0, 9.0, 6.0)
        };
        let start = (from.0 + ux * start, from.1 + uy * start);
        let end = (to.0 - ux * short, to.1 - uy * short);
        let wing = |side: f64| {
            format!(
                "{} {}",
                number(end.0 - ux * back - uy * side),
                number(end.1 - uy * back + ux * side)
            )
        };
        let tip = format!("{} {}", number(end.0), number(end.1));
        let data = format!(
            "M{} {}L{tip}M{}L{tip}L{}",
            number(start.0),
            number(start.1),
            wing(wide),
            wing(-wide)
        );
        self.out.path("arrow", &data);
    }

    /// The curved arrow in the gap between the strip and the board.
    pub(super) fn turning(&mut self) {
        let Some(turning) = &self.picture.turning else {
            return;
        };
        let strip = &self.picture.diagram.strip;
        let marks = self.layout.marks.iter().enumerate();
        let (of_strip, of_board): (Vec<_>, Vec<_>) =
            marks.partition(|(place, _)| strip.contains(place));
        let (Some((x, y)), Some((to_x, to_y))) = (middle(&of_strip), middle(&of_board)) else {
            return;
        };
        let away = TILE + 3.0 + TURNING + 4.0;
        let (x, y) = if (to_x - x).abs() > (to_y - y).abs() {
            (x + away.copysign(to_x - x), y)
        } else {
            (x, y + away.copysign(to_y - y))
        };
        let label = escaped(&turning.label);
        let _ = write!(
            self.out.text,
            "<a href=\"{}\" aria-label=\"{label}\"><title>{label}</title>",
            escaped(&turning.href)
        );
        let around = [("cx", x), ("cy", y), ("r", 16.0), ("fill-opacity", 0.0)];
        self.out.leaf("circle", "hit", &around);
        // Three quarters of a circle, with a tip at its end.
        let data = format!(
            "M{} {}A{r} {r} 0 1 1 {} {}M{} {}L{} {}L{} {}",
            number(x),
            number(y - TURNING),
            number(x - TURNING),
            number(y),
            number(x - TURNING - 4.5),
            number(y + 3.0),
            number(x - TURNING),
            number(y - 2.5),
            number(x - TURNING + 4.5),
            number(y + 3.0),
            r = number(TURNING),
        );
        self.out.path("turning", &data);
        self.out.text.push_str("</a>");
    }
}
