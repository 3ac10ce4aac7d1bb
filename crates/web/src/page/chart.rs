//! The value over the game, a step for each ply, mistakes marked.

use std::fmt::Write;

use greenwave_picture::escaped;

use crate::page::position::Page;

/// What is known of a position of the game.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ChartPoint {
    /// From −1 (the second player wins) to 1 (the first player wins).
    pub(crate) value: f64,
    /// The same, less where the end is farther off.
    pub(crate) height: f64,
}

const WIDTH: f64 = 600.0;
const HEIGHT: f64 = 110.0;
const LEFT: f64 = 14.0;
const MIDDLE: f64 = HEIGHT / 2.0;
const SWING: f64 = 38.0;
/// How wide a place to press is at most: 24 pixels on the narrowest screen.
const HIT: f64 = 56.0;

/// How wide a ply is at least, and the pixels of one such unit: together 24 pixels and a little.
const TARGET: f64 = 49.0;
const PIXELS: f64 = 0.5;

/// The chart; empty where fewer than two positions are known.
pub(crate) fn chart(page: &Page<'_>) -> String {
    let points = page.points;
    if points.iter().flatten().count() < 2 {
        return String::new();
    }
    let words = page.reader.language;
    let view = page.view;
    // Each ply is wide enough for a finger; long games are scrolled.
    let least = 2.0 * LEFT + TARGET * (points.len() - 1) as f64;
    let width = WIDTH.max(least);
    let step = (width - 2.0 * LEFT) / (points.len() - 1) as f64;
    let place =
        |ply: usize, point: ChartPoint| (LEFT + step * ply as f64, MIDDLE - SWING * point.height);
    let mut line = String::new();
    for (ply, point) in points.iter().enumerate() {
        if let Some(point) = point {
            let (x, y) = place(ply, *point);
            let _ = if line.is_empty() {
                write!(line, "M{x:.1} {y:.1}")
            } else {
                write!(line, "H{x:.1}V{y:.1}")
            };
        }
    }
    let mut svg = format!(
        "<div class=\"scroll\"><svg class=\"chart\" width=\"{:.0}\" viewBox=\"0 0 {width} {HEIGHT}\" role=\"group\" aria-label=\"{}\">\
         <path class=\"zero\" d=\"M0 {MIDDLE}H{width}\"/>\
         <path class=\"line\" d=\"{line}\"/>",
        least * PIXELS,
        escaped(words.text("chart")),
    );
    for (ply, point) in points.iter().enumerate() {
        let Some(point) = point else { continue };
        let (x, y) = place(ply, *point);
        let made = ply
            .checked_sub(1)
            .and_then(|made| Some((made, view.plies.get(made)?)));
        let mistake = made.is_some_and(|(made, _)| page.is_mistake(made));
        let name = match made {
            Some((made, by)) => format!("{}. {}", made + 1, by.text),
            None => words.text("first").into(),
        };
        let label = if mistake {
            words.with("mistake-note", &name)
        } else {
            name
        };
        let current = if ply == view.at {
            " aria-current=\"step\""
        } else {
            ""
        };
        let _ = write!(
            svg,
            "<a href=\"{}\" aria-label=\"{}\"{current}><title>{}</title>\
             <rect class=\"hit\" x=\"{:.1}\" y=\"0\" width=\"{:.1}\" height=\"{HEIGHT}\"/>",
            escaped(&page.at_ply(ply)),
            escaped(&label),
            escaped(&label),
            x - step.min(HIT) / 2.0,
            step.min(HIT),
        );
        if ply == view.at {
            let _ = write!(
                svg,
                "<circle class=\"here\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"8\"/>"
            );
        }
        let _ = if mistake {
            write!(
                svg,
                "<path class=\"fault\" d=\"M{x:.1} {:.1}l6 11h-12z\"/>",
                y - 7.0
            )
        } else {
            write!(
                svg,
                "<circle class=\"dot\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3.5\"/>"
            )
        };
        svg.push_str("</a>");
    }
    svg.push_str("</svg></div>");
    if page.reader.puzzle.is_none() {
        let (above, below) = if page.is_first(true) {
            ("chart-first", "chart-second")
        } else {
            ("chart-second", "chart-first")
        };
        let _ = write!(
            svg,
            "<p class=\"details\">\u{25b2} {} \u{b7} \u{25bc} {}</p>",
            words.text(above),
            words.text(below)
        );
    }
    svg
}
