//! The value over the game, a step for each ply, mistakes marked.

use std::fmt::Write;

use greenwave_picture::escaped;

use crate::page::contents::Page;
use crate::page::figures;
use crate::page::told::ChartPoint;

/// Height of the chart in pixels.
const WHOLE: f64 = 158.0;
/// Height of the part of the chart for the numbers of plies in pixels, and of that above the highest point.
const FOOT: f64 = 26.0;
const HEAD: f64 = 26.0;
/// How wide a ply is at least in pixels, for fingers: a longer chart scrolls, and shows where the reader is.
const TARGET: usize = 25;
/// Distances of the numbers of plies; the first with which there are not too many.
const APART: [usize; 4] = [1, 2, 5, 10];
/// Most numbers of plies.
const NUMBERS: usize = 16;

/// From how many positions on a chart shows something.
const LEAST: usize = 3;

/// Heights in a chart, in pixels.
#[derive(Clone, Copy)]
struct Heights {
    whole: f64,
    middle: f64,
}

impl Heights {
    fn down(self, point: &ChartPoint) -> f64 {
        self.middle - (self.middle - HEAD) * point.height
    }
}

/// The chart; empty where too few positions are known for one, and of a puzzle, whose value does not change.
pub(crate) fn chart(page: &Page<'_>) -> String {
    if page.points.iter().flatten().count() < LEAST || page.reader.puzzle.is_some() {
        return String::new();
    }
    // Of a long game the part that its record shows, with the position before it.
    let shown = page.plies_shown();
    let first = shown.start;
    let points = &page.points[first..=shown.end];
    let words = page.reader.language;
    // Each position has a column. Places across are shares of the width, so that the chart fills any width.
    let share = 100.0 / points.len() as f64;
    let across = |ply: usize| share * ((ply - first) as f64 + 0.5);
    let heights = Heights {
        whole: WHOLE,
        middle: (WHOLE - FOOT) / 2.0,
    };
    let middle = heights.middle;
    // A chart wider than the window begins at the half in which the position shown stands.
    let end = if 2 * (page.view.at - first) > points.len() {
        " end"
    } else {
        ""
    };
    // Nobody stands level where there are no draws.
    let level = if page.question.variant.rules().has_draws() {
        format!("<line class=\"zero\" x1=\"0\" x2=\"100%\" y1=\"{middle}\" y2=\"{middle}\"/>")
    } else {
        String::new()
    };
    let mut svg = format!(
        "<div class=\"scroll{end}\"><svg class=\"chart\" width=\"{}\" \
         height=\"{:.0}\" role=\"group\" aria-label=\"{name}\">{}{level}",
        TARGET * points.len(),
        heights.whole,
        grounds(page, heights),
        name = escaped(words.text("chart")),
    );
    svg.push_str(&numbers(page, share, heights));
    let mut before: Option<(usize, f64)> = None;
    let numbered = || (first..).zip(points);
    for (ply, point) in numbered() {
        let Some(point) = point else { continue };
        let y = heights.down(point);
        if let Some((from, height)) = before {
            let (x, to) = (across(from), across(ply));
            let _ = write!(
                svg,
                "<line class=\"line\" x1=\"{x:.2}%\" x2=\"{to:.2}%\" y1=\"{height:.1}\" y2=\"{height:.1}\"/>"
            );
            if (height - y).abs() > 0.05 {
                let _ = write!(
                    svg,
                    "<line class=\"line\" x1=\"{to:.2}%\" x2=\"{to:.2}%\" y1=\"{height:.1}\" y2=\"{y:.1}\"/>"
                );
            }
        }
        before = Some((ply, y));
    }
    for (ply, point) in numbered() {
        let Some(point) = point else { continue };
        svg.push_str(&dot(page, ply, point, (across(ply), share), heights));
    }
    svg.push_str("</svg></div>");
    format!("<div class=\"charted\">{}{svg}</div>", sides(page))
}

/// What up and down mean in the chart; empty where there is none.
pub(crate) fn note(page: &Page<'_>) -> &'static str {
    let mut known = page.points.iter().flatten();
    let words = page.reader.language;
    words.text(
        match known
            .next()
            .map(|point| (point.figures.odds, point.figures.points))
        {
            Some((Some(_), _)) => "chart-odds",
            Some((None, Some(_))) => "chart-points",
            Some((None, None)) | None => "chart-plies",
        },
    )
}

/// Who wins above the middle and who below it, where a long chart does not scroll it away.
fn sides(page: &Page<'_>) -> String {
    let words = page.reader.language;
    let (above, below) = if page.is_first(true) {
        ("chart-first", "chart-second")
    } else {
        ("chart-second", "chart-first")
    };
    format!(
        "<span class=\"of-above\">{}</span><span class=\"of-below\">{}</span>",
        words.text(above),
        words.text(below)
    )
}

/// The grounds of both players, and a draw between.
fn grounds(page: &Page<'_>, heights: Heights) -> String {
    let words = page.reader.language;
    let middle = heights.middle;
    let is_high = page
        .points
        .iter()
        .rev()
        .flatten()
        .next()
        .is_some_and(|last| last.height > 0.0);
    let level = if page.question.variant.rules().has_draws() {
        format!(
            "<text class=\"level\" x=\"100%\" dx=\"-6\" y=\"{:.0}\">{}</text>",
            // Where the last position does not stand.
            if is_high { middle + 14.0 } else { middle - 5.0 },
            words.text("chart-level")
        )
    } else {
        String::new()
    };
    format!(
        "<rect class=\"above\" width=\"100%\" height=\"{middle}\"/><rect class=\"below\" y=\"{middle}\" \
         width=\"100%\" height=\"{middle}\"/>{level}"
    )
}

/// The numbers of plies below the chart.
fn numbers(page: &Page<'_>, share: f64, heights: Heights) -> String {
    let shown = page.plies_shown();
    let count = shown.len() + 1;
    let fits = |apart: &&usize| count / **apart <= NUMBERS;
    let apart = APART.iter().find(fits).copied().unwrap_or(20);
    let mut svg = String::new();
    for ply in (0..count).step_by(apart) {
        let at = shown.start + ply;
        let is_made = |before: usize| page.view.plies[before].number.is_some();
        if !at.checked_sub(1).is_none_or(is_made) {
            continue;
        }
        let _ = write!(
            svg,
            "<text class=\"ply\" x=\"{:.2}%\" y=\"{:.0}\">{}</text>",
            share * (ply as f64 + 0.5),
            heights.whole - 8.0,
            page.view.plies_made(at)
        );
    }
    svg
}

/// A position of the chart: a link to it, with what it is worth in words.
fn dot(
    page: &Page<'_>,
    ply: usize,
    point: &ChartPoint,
    (x, share): (f64, f64),
    heights: Heights,
) -> String {
    let y = heights.down(point);
    let words = page.reader.language;
    let view = page.view;
    let made = ply
        .checked_sub(1)
        .and_then(|made| Some((made, view.plies.get(made)?)));
    let mistake = made.is_some_and(|(made, _)| page.is_mistake(made));
    let name = match made {
        Some((_, by)) => {
            let number = by
                .number
                .map_or_else(String::new, |number| format!("{number}. "));
            number + &page.spoken_move(&by.text)
        }
        None => words.text("first").into(),
    };
    let mut label = if mistake {
        words.with("mistake-note", &name)
    } else {
        name
    };
    let scores = page.question.variant.rules().properties.scores;
    let by_first = page.is_first(point.first_to_move);
    if let Some(worth) = figures::outcome_for(words, &point.figures, scores, by_first) {
        label = format!("{label}: {worth}");
    }
    let label = escaped(&label);
    let current = if ply == view.at {
        " aria-current=\"step\""
    } else {
        ""
    };
    let mut svg = format!(
        "<a href=\"{}\" aria-label=\"{label}\"{current}><title>{label}</title>\
         <rect class=\"hit\" x=\"{:.2}%\" y=\"0\" width=\"{share:.2}%\" height=\"{:.0}\"/>",
        escaped(&page.at_ply(ply)),
        x - share / 2.0,
        heights.whole,
    );
    if ply == view.at {
        let _ = write!(
            svg,
            "<circle class=\"here\" cx=\"{x:.2}%\" cy=\"{y:.1}\" r=\"9\"/>"
        );
    }
    let _ = if mistake {
        write!(
            svg,
            "<text class=\"fault\" x=\"{x:.2}%\" y=\"{:.1}\" dx=\"-13\">??</text><circle class=\"fault\" cx=\"{x:.2}%\" cy=\"{y:.1}\" r=\"5\"/>",
            if y < heights.middle {
                y + 22.0
            } else {
                y - 12.0
            }
        )
    } else {
        write!(
            svg,
            "<circle class=\"dot\" cx=\"{x:.2}%\" cy=\"{y:.1}\" r=\"4\"/>"
        )
    };
    svg + "</a>"
}
