//! Plots as SVG: lines with marks, told apart by dashes and marks as well as by colour.

use greenwave_picture::escaped;

/// A line of a plot.
#[derive(Clone)]
pub(crate) struct Series {
    pub(crate) name: String,
    pub(crate) points: Vec<(f64, f64)>,
}

/// What a plot shows.
pub(crate) struct Chart<'a> {
    pub(crate) title: &'a str,
    pub(crate) across: &'a str,
    pub(crate) up: &'a str,
    pub(crate) series: Vec<Series>,
}

const WIDTH: f64 = 420.0;
const HEIGHT: f64 = 240.0;
/// For each row of names below the plot.
const ROW: f64 = 18.0;
const LEFT: f64 = 40.0;
const RIGHT: f64 = 16.0;
const TOP: f64 = 36.0;
const BOTTOM: f64 = 48.0;
/// Lights that differ in lightness, too.
const COLOURS: [&str; 6] = [
    "#1b4f9c", "#b34700", "#1f7a4d", "#7a1f6b", "#555555", "#a08000",
];
const DASHES: [&str; 6] = ["none", "7 4", "2 3", "9 3 2 3", "4 2", "1 2"];

/// A step of an axis: 1, 2 or 5 times a power of ten, at most this many times within a range.
fn step(range: f64, most: f64) -> f64 {
    let power = 10_f64.powf((range / most).log10().floor());
    let fits = |factor: &f64| range / (factor * power) <= most;
    [1.0, 2.0, 5.0, 10.0]
        .into_iter()
        .find(|factor| fits(factor))
        .unwrap_or(10.0)
        * power
}

impl Chart<'_> {
    /// The plot as SVG.
    pub(crate) fn svg(&self) -> String {
        let all = || self.series.iter().flat_map(|series| &series.points);
        let most = |of: fn(&(f64, f64)) -> f64| all().map(of).fold(1e-9, f64::max);
        let left = all().map(|point| point.0).fold(f64::INFINITY, f64::min);
        let left = if left.is_finite() { left } else { 0.0 };
        let (right, top) = (most(|point| point.0), most(|point| point.1) * 1.05);
        let x = |at: f64| LEFT + (at - left) / (right - left).max(1e-9) * (WIDTH - LEFT - RIGHT);
        let y = |at: f64| HEIGHT - BOTTOM - at / top * (HEIGHT - TOP - BOTTOM);
        let long = |series: &Series| series.name.chars().count() > 20;
        let columns = if self.series.iter().any(long) { 1 } else { 2 };
        let tall = HEIGHT + ROW * self.series.len().div_ceil(columns) as f64;
        let mut parts = opened(self.title, WIDTH, tall);
        parts.extend([
            text(
                LEFT,
                20.0,
                "start",
                &format!("{} — {}", self.up, self.title),
            ),
            text(
                (LEFT + WIDTH - RIGHT) / 2.0,
                HEIGHT - 8.0,
                "middle",
                self.across,
            ),
        ]);
        let rise = step(top, 6.0);
        for count in 0..=(top / rise) as usize {
            let at = rise * count as f64;
            parts.push(line(LEFT, y(at), WIDTH - RIGHT, y(at), "#dddddd"));
            parts.push(text(LEFT - 6.0, y(at) + 4.0, "end", &tick(at)));
        }
        let run = step(right - left, 12.0).max(1.0);
        let mut at = (left / run).ceil() * run;
        while at <= right + 1e-9 {
            parts.push(line(
                x(at),
                HEIGHT - BOTTOM,
                x(at),
                HEIGHT - BOTTOM + 4.0,
                "#333333",
            ));
            parts.push(text(x(at), HEIGHT - BOTTOM + 18.0, "middle", &tick(at)));
            at += run;
        }
        parts.push(line(
            LEFT,
            HEIGHT - BOTTOM,
            WIDTH - RIGHT,
            HEIGHT - BOTTOM,
            "#333333",
        ));
        for (number, series) in self.series.iter().enumerate() {
            let colour = COLOURS[number % COLOURS.len()];
            let dash = DASHES[number % DASHES.len()];
            let points: Vec<String> = series
                .points
                .iter()
                .map(|(a, b)| format!("{:.1},{:.1}", x(*a), y(*b)))
                .collect();
            let stroke =
                format!("stroke=\"{colour}\" stroke-width=\"2\" stroke-dasharray=\"{dash}\"");
            parts.push(format!(
                "<polyline points=\"{}\" fill=\"none\" {stroke}/>",
                points.join(" ")
            ));
            for (a, b) in &series.points {
                parts.push(mark(number, x(*a), y(*b), colour));
            }
            let row = HEIGHT + ROW * (number / columns) as f64;
            let from = LEFT + 190.0 * (number % columns) as f64;
            parts.push(format!(
                "<line x1=\"{from:.1}\" y1=\"{row:.1}\" x2=\"{:.1}\" y2=\"{row:.1}\" {stroke}/>",
                from + 30.0
            ));
            parts.push(mark(number, from + 15.0, row, colour));
            parts.push(text(from + 38.0, row + 4.0, "start", &series.name));
        }
        parts.push("</svg>\n".into());
        parts.join("\n")
    }
}

fn tick(at: f64) -> String {
    let rounded = format!("{at:.3}");
    let rounded = rounded.trim_end_matches('0').trim_end_matches('.');
    if rounded.is_empty() { "0" } else { rounded }.into()
}

fn text(x: f64, y: f64, anchor: &str, said: &str) -> String {
    format!(
        "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\" fill=\"#222222\">{}</text>",
        escaped(said)
    )
}

fn line(x1: f64, y1: f64, x2: f64, y2: f64, colour: &str) -> String {
    format!(
        "<line x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\" stroke=\"{colour}\"/>"
    )
}

fn mark(number: usize, x: f64, y: f64, colour: &str) -> String {
    match number % 3 {
        0 => format!("<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3\" fill=\"{colour}\"/>"),
        1 => format!(
            "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"6\" height=\"6\" fill=\"{colour}\"/>",
            x - 3.0,
            y - 3.0
        ),
        _ => format!(
            "<path d=\"M{x:.1} {:.1} l4 7 h-8 z\" fill=\"{colour}\"/>",
            y - 4.0
        ),
    }
}

// How a picture of some size begins.
fn opened(title: &str, wide: f64, tall: f64) -> Vec<String> {
    vec![
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {wide} {tall}\" width=\"{wide}\" height=\"{tall}\" role=\"img\" \
             font-family=\"sans-serif\" font-size=\"12\">"
        ),
        format!("<title>{}</title>", escaped(title)),
        format!("<rect width=\"{wide}\" height=\"{tall}\" fill=\"#ffffff\"/>"),
    ]
}

/// Boards of one rank, one below the other: which first moves win, and which lose.
pub(crate) fn ranks_svg(title: &str, ranks: &[(String, Vec<bool>)]) -> String {
    const SIDE: f64 = 18.0;
    const NAMED: f64 = 50.0;
    let files = ranks.iter().map(|(_, squares)| squares.len()).max();
    let wide = NAMED + SIDE * files.unwrap_or_default() as f64 + RIGHT;
    let tall = (SIDE + 4.0) * ranks.len() as f64 + 6.0;
    let mut parts = opened(title, wide, tall);
    for (row, (name, squares)) in ranks.iter().enumerate() {
        let top = 6.0 + (SIDE + 4.0) * row as f64;
        parts.push(text(NAMED - 8.0, top + 13.0, "end", name));
        for (file, wins) in squares.iter().enumerate() {
            let left = NAMED + SIDE * file as f64;
            let (fill, letter) = if *wins {
                ("#cfe8cf", "W")
            } else {
                ("#f3d6d6", "L")
            };
            parts.push(format!(
                "<rect x=\"{left:.1}\" y=\"{top:.1}\" width=\"{SIDE}\" height=\"{SIDE}\" \
                 fill=\"{fill}\" stroke=\"#333333\"/>"
            ));
            parts.push(text(left + SIDE / 2.0, top + 13.0, "middle", letter));
        }
    }
    parts.push("</svg>\n".into());
    parts.join("\n")
}

/// Who wins, board by board: group, ranks and files, whether the first player, and whether by the rule.
pub(crate) type Cell = (String, (u32, u32), bool, bool);

/// Boards by ranks and files, those that break the rule of odd and even set off.
pub(crate) fn grid_svg(title: &str, boards: &[Cell]) -> String {
    const SIDE: f64 = 22.0;
    const NAMED: f64 = 140.0;
    let mut rows: Vec<(&str, u32)> = Vec::new();
    for (group, (ranks, _), ..) in boards {
        if !rows.contains(&(group.as_str(), *ranks)) {
            rows.push((group, *ranks));
        }
    }
    let most = boards.iter().map(|(_, (_, files), ..)| *files).max();
    let wide = NAMED + SIDE * f64::from(most.unwrap_or(3) - 2) + RIGHT;
    let tall = SIDE * (rows.len() + 2) as f64;
    let mut parts = opened(title, wide, tall);
    parts.push(text(NAMED - 8.0, 15.0, "end", "ranks × files"));
    let left = |files: u32| NAMED + SIDE * f64::from(files - 3);
    for files in 3..=most.unwrap_or(3) {
        let said = files.to_string();
        parts.push(text(left(files) + SIDE / 2.0, 15.0, "middle", &said));
    }
    for (row, (group, ranks)) in rows.iter().enumerate() {
        let top = SIDE * (row + 1) as f64;
        let said = format!("{group}, {ranks} × n");
        parts.push(text(NAMED - 8.0, top + 15.0, "end", &said));
        for (_, (_, files), first, expected) in boards
            .iter()
            .filter(|(own, (of, _), ..)| own == group && of == ranks)
        {
            let (fill, ink) = match (expected, first) {
                (false, _) => ("#7a1f6b", "#ffffff"),
                (true, true) => ("#dbe6f5", "#222222"),
                (true, false) => ("#ffffff", "#222222"),
            };
            parts.push(format!(
                "<rect x=\"{:.1}\" y=\"{top:.1}\" width=\"{SIDE}\" height=\"{SIDE}\" \
                 fill=\"{fill}\" stroke=\"#333333\"/>",
                left(*files)
            ));
            parts.push(format!(
                "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\" fill=\"{ink}\">{}</text>",
                left(*files) + SIDE / 2.0,
                top + 15.0,
                if *first { 1 } else { 2 }
            ));
        }
    }
    parts.push("</svg>\n".into());
    parts.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axes_have_round_steps() {
        assert_eq!(step(10.0, 6.0), 2.0);
        assert_eq!(step(0.3, 6.0), 0.05);
        assert_eq!(
            (tick(0.0), tick(20.0), tick(0.25)),
            ("0".into(), "20".into(), "0.25".into())
        );
    }
}
