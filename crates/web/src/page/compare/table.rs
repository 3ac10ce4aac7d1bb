//! The figures of variants side by side.

use std::collections::BTreeSet;
use std::fmt::Write;

use greenwave_judge::documents::{MeanFigure, VariantSide};
use greenwave_picture::escaped;
use greenwave_words::Language;

use super::differing;
use crate::explorer::Explorer;
use crate::page::reader::Reader;
use crate::page::{figures, titles};

/// Numbers differ notably by more than this share of the greater one.
const NOTABLE: f64 = 0.1;

/// A figure of a side as the table has it.
#[derive(PartialEq)]
struct SideFigure {
    text: String,
    /// What it is measured by, if it is a number.
    number: Option<f64>,
}

impl SideFigure {
    fn text(text: impl Into<String>) -> SideFigure {
        SideFigure {
            text: text.into(),
            number: None,
        }
    }

    fn number(text: String, number: f64) -> SideFigure {
        SideFigure {
            text,
            number: Some(number),
        }
    }

    /// Whether a reader looks for such a difference.
    fn differs_notably(&self, other: &SideFigure) -> bool {
        match (self.number, other.number) {
            (Some(a), Some(b)) => (a - b).abs() > NOTABLE * a.abs().max(b.abs()),
            (_, _) => self != other,
        }
    }
}

/// The figures of all sides side by side, those marked that differ notably.
pub(super) fn table(explorer: &Explorer, reader: &Reader, sides: &[&VariantSide]) -> String {
    let words = reader.language;
    let percent = |share: Option<f64>| {
        share.map(|share| SideFigure::number(figures::per_cent(words, share), share))
    };
    let kept = |share: Option<f64>, error: Option<f64>| match (share, error) {
        (Some(share), Some(error)) => {
            let said = estimated(words, 100.0 * share, Some(100.0 * error), 1, false);
            Some(SideFigure::number(format!("{said}\u{a0}%"), share))
        }
        (share, _) => percent(share),
    };
    let mean = |number: Option<f64>, error: Option<f64>| {
        number.map(|number| SideFigure::number(estimated(words, number, error, 2, false), number))
    };
    let plies = |number: Option<u32>| {
        number.map(|number| SideFigure::number(words.length(number), number.into()))
    };
    let winner = |side: &VariantSide| {
        side.winner.map(|winner| {
            SideFigure::text(words.text(match winner {
                "first" => "chart-first",
                "second" => "chart-second",
                _ => "drawn",
            }))
        })
    };
    type Row<'c> = &'c dyn Fn(&VariantSide) -> Option<SideFigure>;
    let number = |number: u64| Some(SideFigure::number(words.grouped(number), number as f64));
    let rows: [(&'static str, Row<'_>); 11] = [
        ("compare-winner", &winner),
        ("compare-start", &|side| {
            let points = side.points;
            let points = points.map(|one| SideFigure::number(words.points(one), one.into()));
            points.or_else(|| plies(side.distance))
        }),
        ("compare-unfinished", &|side| number(side.positions)),
        ("compare-drawn", &|side| number(side.draws)),
        ("compare-only", &|side| side.only_moves.and_then(number)),
        ("compare-openings", &|side| percent(side.winning_openings)),
        ("compare-longest", &|side| plies(side.longest_game)),
        ("compare-branching", &|side| {
            mean(side.branching, side.branching_error)
        }),
        ("compare-keeping", &|side| {
            kept(side.decision_density, side.decision_density_error)
        }),
        ("compare-length", &|side| {
            // Games that do not end have no mean length.
            let length = side.length.filter(|length| length.broken_off == 0.0)?;
            mean(Some(length.mean), length.error)
        }),
        ("compare-random", &|side| {
            let MeanFigure { mean: ahead, error } = side.random_advantage?;
            Some(if side.points.is_some() {
                let said = estimated(words, ahead, error, 2, true);
                SideFigure::number(words.with("points", said), ahead)
            } else {
                let error = error.map(|error| 100.0 * error);
                let said = estimated(words, 100.0 * ahead, error, 1, true);
                let said = words.with("compare-of-games", said);
                // Both are ahead of nobody by little: what counts is the difference in games.
                SideFigure::number(said, 1.0 + ahead)
            })
        }),
    ];
    let mut html = String::from("<table class=\"compared\"><thead><tr><td></td>");
    for side in sides {
        let _ = write!(
            html,
            "<th scope=\"col\"><a href=\"{}\">{}</a></th>",
            escaped(&reader.address(explorer, &format!("/{}", side.variant), &[])),
            escaped(&titles::title(explorer, words, &side.variant))
        );
    }
    html.push_str("</tr></thead><tbody>");
    let mut told: Vec<(bool, String)> = Vec::new();
    for (key, of) in rows {
        let cells: Vec<Option<SideFigure>> = sides.iter().map(|side| of(side)).collect();
        if cells.iter().all(Option::is_none) {
            continue;
        }
        let differs = cells.windows(2).any(|pair| match pair {
            [Some(a), Some(b)] => a.differs_notably(b),
            [a, b] => a.is_some() != b.is_some(),
            _ => false,
        });
        let (class, sign) = differing(differs);
        let mut row = format!(
            "<tr{class}><th scope=\"row\">{}{sign}</th>",
            words.text(key)
        );
        for cell in cells {
            let _ = write!(
                row,
                "<td>{}</td>",
                escaped(cell.as_ref().map_or("\u{2013}", |cell| &cell.text))
            );
        }
        told.push((differs, row + "</tr>"));
    }
    // What differs comes first.
    told.sort_by_key(|(differs, _)| !differs);
    html.extend(told.into_iter().map(|(_, row)| row));
    let _ = write!(
        html,
        "</tbody></table><p class=\"note\">{}{}</p>",
        words.text("compare-notable"),
        escaped(&sampled(words, sides))
    );
    html
}

/// Of how many games figures are estimated; empty where all are exact.
fn sampled(words: Language, sides: &[&VariantSide]) -> String {
    let games: BTreeSet<u64> = sides.iter().filter_map(|side| side.sampled_games).collect();
    let games: Vec<String> = games
        .into_iter()
        .map(|games| words.grouped(games))
        .collect();
    if games.is_empty() {
        return String::new();
    }
    format!(" {}", words.with("compare-sampled", games.join(" / ")))
}

/// A number with so many digits; one that is estimated with as many as its error leaves it, and with twice that error.
fn estimated(
    words: Language,
    number: f64,
    error: Option<f64>,
    digits: usize,
    has_sign: bool,
) -> String {
    let margin = error.map(|error| 2.0 * error);
    let known = |margin: f64| (-margin.log10().floor()).clamp(0.0, digits as f64) as usize;
    let digits = margin.filter(|margin| *margin > 0.0).map_or(digits, known);
    let said = if has_sign {
        words.expectation(number, digits)
    } else {
        words.decimals(&format!("{number:.digits$}"))
    };
    match margin {
        Some(margin) => words.decimals(&format!("{said}\u{a0}\u{b1}\u{a0}{margin:.digits$}")),
        None => said,
    }
}
