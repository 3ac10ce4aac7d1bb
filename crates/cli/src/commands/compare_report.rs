//! What `compare` writes for spreadsheets and browsers.

use std::fmt::Write;

use greenwave_judge::documents::VariantSide;
use greenwave_picture::escaped;

use crate::output::csv;

type Figure = fn(&VariantSide) -> Option<f64>;
type FigureColumn = (&'static str, fn(&VariantSide) -> Option<String>);

fn plain<T: ToString>(number: Option<T>) -> Option<String> {
    number.map(|number| number.to_string())
}

/// The columns, with what stands in each.
const COLUMNS: [FigureColumn; 29] = [
    ("variant", |side| Some(side.variant.clone())),
    ("winner", |side| plain(side.winner)),
    ("value", |side| plain(side.value)),
    ("distance", |side| plain(side.distance)),
    ("points", |side| plain(side.points)),
    ("positions", |side| plain(Some(side.positions))),
    ("draws", |side| plain(Some(side.draws))),
    ("only_moves", |side| plain(side.only_moves)),
    ("openings", |side| plain(Some(side.openings.len()))),
    ("winning_openings", |side| plain(side.winning_openings)),
    ("opening_mistakes", |side| plain(side.opening_mistakes)),
    ("longest_game", |side| plain(side.longest_game)),
    ("longest_seen", |side| plain(side.longest_seen)),
    ("longest_distance", |side| plain(side.longest_distance)),
    ("length", |side| {
        plain(side.length.map(|length| length.mean))
    }),
    ("length_error", |side| {
        plain(side.length.and_then(|length| length.error))
    }),
    ("length_spread", |side| {
        plain(side.length.map(|length| length.spread))
    }),
    ("branching", |side| plain(side.branching)),
    ("branching_error", |side| plain(side.branching_error)),
    ("decided_positions", |side| plain(side.decided_positions)),
    ("decided_positions_error", |side| {
        plain(side.decided_positions_error)
    }),
    ("decision_density", |side| plain(side.decision_density)),
    ("decision_density_error", |side| {
        plain(side.decision_density_error)
    }),
    ("random_advantage", |side| {
        plain(side.random_advantage.map(|mean| mean.mean))
    }),
    ("random_error", |side| {
        plain(side.random_advantage.and_then(|mean| mean.error))
    }),
    ("careful_advantage", |side| {
        plain(side.careful_advantage.map(|mean| mean.mean))
    }),
    ("careful_error", |side| {
        plain(side.careful_advantage.and_then(|mean| mean.error))
    }),
    ("sampled_games", |side| plain(side.sampled_games)),
    ("lights", |side| plain(side.lights)),
];

/// A header and a row for each variant; a cell stays empty where the game has no such figure.
pub(super) fn csv(sides: &[VariantSide]) -> String {
    let mut text = csv::row(COLUMNS.map(|(name, _)| name));
    for side in sides {
        let values = COLUMNS.map(|(_, of)| of(side).unwrap_or_default());
        text.push('\n');
        text.push_str(&csv::row(values.iter().map(String::as_str)));
    }
    text.push('\n');
    text
}

/// Strokes and fills that are distinguished without colours, too.
const LOOKS: [(&str, &str); 6] = [
    ("#1b4965", ""),
    ("#b5441f", "6 3"),
    ("#3a7d44", "2 3"),
    ("#7a4ea3", "8 3 2 3"),
    ("#8a6d00", "1 4"),
    ("#555555", "12 4"),
];

/// A web page of one file: the changes (a part made elsewhere), the figures as a table, and plots.
pub(super) fn page(sides: &[VariantSide], titles: &[String], report: &str) -> String {
    let names: Vec<String> = titles.iter().map(|title| escaped(title)).collect();
    let mut text = String::from(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" \
         content=\"width=device-width\">\n<title>Variants side by side</title>\n<style>\nbody { font: 1rem \
         sans-serif; margin: 2rem auto; max-width: 60rem; padding: 0 1rem; color: #1c1c1c; background: \
         #fff }\ntable { border-collapse: collapse } th, td { border: 1px solid #999; padding: .25rem .5rem; \
         text-align: right } th { text-align: left }\nfigure { margin: 1.5rem 0 } svg { max-width: 100%; \
         height: auto }\n.positions { display: flex; flex-wrap: wrap; gap: \
         1rem } .positions figure { width: 14rem; margin: 0 }\n</style>\n</head>\n<body>\n<h1>Variants side by side</h1>\n",
    );
    text.push_str(report);
    text.push_str("<table>\n<tr><th></th>");
    for name in &names {
        let _ = write!(text, "<th scope=\"col\">{name}</th>");
    }
    text.push_str("</tr>\n");
    for (name, of) in &COLUMNS[1..] {
        let _ = write!(
            text,
            "<tr><th scope=\"row\">{}</th>",
            name.replace('_', " ")
        );
        for side in sides {
            let shown =
                of(side).map_or_else(|| "–".to_string(), |value| escaped(&shortened(&value)));
            let _ = write!(text, "<td>{shown}</td>");
        }
        text.push_str("</tr>\n");
    }
    text.push_str("</table>\n");
    text.push_str(&lines(sides, &names));
    let bars_of: [(&str, Figure); 6] = [
        ("Legal moves in a position, on average", |side| {
            side.branching
        }),
        ("Share of openings that win", |side| side.winning_openings),
        ("Share of moves that keep the value", |side| {
            side.decision_density
        }),
        ("Share of positions where every move is as good", |side| {
            side.decided_positions
        }),
        (
            "How far the first player is ahead when both play at random",
            |side| side.random_advantage.map(|mean| mean.mean),
        ),
        (
            "How far the first player is ahead when both play well but for slips",
            |side| side.careful_advantage.map(|mean| mean.mean),
        ),
    ];
    for (title, of) in bars_of {
        text.push_str(&bars(title, sides, &names, of));
    }
    text.push_str(
        "<p>Shares and means are over all legal, unfinished positions. Lead: wins minus losses in a game, \
         in scored games points; where an error is given, from sampled games.</p>\n</body>\n</html>\n",
    );
    text
}

// Numbers with a long tail have three digits of it.
fn shortened(value: &str) -> String {
    match value.parse::<f64>() {
        Ok(number) if value.contains('.') => format!("{number:.3}"),
        _ => value.into(),
    }
}

/// Shares of won positions by level sum, a line for each variant.
fn lines(sides: &[VariantSide], names: &[String]) -> String {
    let last = sides
        .iter()
        .filter_map(|side| side.by_ply.last())
        .map(|ply| ply.ply)
        .max();
    let Some(last) = last.filter(|last| *last > 0) else {
        return String::new();
    };
    const WIDTH: f64 = 640.0;
    const HEIGHT: f64 = 240.0;
    let title = "Share of positions won for the player to move, by level sum";
    let below = 20.0 * sides.len() as f64;
    let mut text = format!(
        "<figure>\n<figcaption>{title}</figcaption>\n<svg role=\"img\" aria-label=\"{title}\" viewBox=\"-40 \
         -10 {} {}\" width=\"{}\">\n<path d=\"M0 0V{HEIGHT}H{WIDTH}\" fill=\"none\" stroke=\"#999\"/>\n",
        WIDTH + 50.0,
        HEIGHT + 50.0 + below,
        WIDTH + 50.0
    );
    for percent in [0, 50, 100] {
        let y = HEIGHT * (1.0 - f64::from(percent) / 100.0);
        let _ = writeln!(
            text,
            "<text x=\"-6\" y=\"{:.1}\" font-size=\"11\" text-anchor=\"end\">{percent} %</text>",
            y + 4.0
        );
    }
    for (x, ply) in [(0.0, 0), (WIDTH, last)] {
        let _ = writeln!(
            text,
            "<text x=\"{x}\" y=\"{}\" font-size=\"11\" text-anchor=\"middle\">{ply}</text>",
            HEIGHT + 16.0
        );
    }
    for (number, (side, name)) in sides.iter().zip(names).enumerate() {
        let (colour, dashes) = LOOKS[number % LOOKS.len()];
        let points: Vec<String> = side
            .by_ply
            .iter()
            .filter_map(|ply| {
                let share = ply.won_share?;
                let x = WIDTH * ply.ply as f64 / last as f64;
                Some(format!("{x:.1},{:.1}", HEIGHT * (1.0 - share)))
            })
            .collect();
        let look = format!(
            "stroke=\"{colour}\" stroke-width=\"2\" stroke-dasharray=\"{dashes}\" fill=\"none\""
        );
        let _ = writeln!(text, "<polyline points=\"{}\" {look}/>", points.join(" "));
        let y = HEIGHT + 40.0 + 20.0 * number as f64;
        let _ = writeln!(
            text,
            "<path d=\"M0 {:.1}H40\" {look}/><text x=\"48\" y=\"{y:.1}\" font-size=\"13\">{name}</text>",
            y - 4.0
        );
    }
    text.push_str("</svg>\n</figure>\n");
    text
}

/// A bar for each variant that has the figure.
fn bars(title: &str, sides: &[VariantSide], names: &[String], of: Figure) -> String {
    let values: Vec<(f64, &String)> = sides
        .iter()
        .zip(names)
        .filter_map(|(side, name)| Some((of(side)?, name)))
        .collect();
    if values.is_empty() {
        return String::new();
    }
    const ROW: f64 = 26.0;
    let least = values.iter().map(|(value, _)| *value).fold(0.0, f64::min);
    let most = values.iter().map(|(value, _)| *value).fold(0.0, f64::max);
    let span = if most > least { most - least } else { 1.0 };
    let x = |value: f64| 400.0 * (value - least) / span;
    let mut text = format!(
        "<figure>\n<figcaption>{title}</figcaption>\n<svg role=\"img\" aria-label=\"{title}\" viewBox=\"0 0 \
         720 {height}\" width=\"720\">\n",
        height = ROW * values.len() as f64 + 4.0
    );
    for (number, (value, name)) in values.iter().enumerate() {
        let y = ROW * number as f64 + 2.0;
        let (colour, _) = LOOKS[number % LOOKS.len()];
        let (left, right) = (x(value.min(0.0)), x(value.max(0.0)));
        let _ = writeln!(
            text,
            "<rect x=\"{left:.1}\" y=\"{y:.1}\" width=\"{:.1}\" height=\"18\" fill=\"{colour}\"/><text \
             x=\"410\" y=\"{:.1}\" font-size=\"13\">{value:.3}  {name}</text>",
            (right - left).max(1.0),
            y + 14.0
        );
    }
    text.push_str("</svg>\n</figure>\n");
    text
}
