//! The tables that can be downloaded.

use std::fmt::Write;

use greenwave_game::Metric;
use greenwave_picture::escaped;
use greenwave_tablebase::name_of_slug;
use greenwave_words::Language;

use crate::download;
use crate::explorer::Explorer;
use crate::page::reader::Reader;
use crate::page::{frame, titles};
use crate::routes::RouteAnswer;

pub(super) fn page(explorer: &Explorer, reader: &Reader) -> RouteAnswer {
    let words = reader.language;
    let offered = download::offered(explorer);
    let mut body = format!(
        "<main id=\"main\" tabindex=\"-1\"><h1>{}</h1>",
        words.text("tables")
    );
    if offered.is_empty() {
        let _ = write!(body, "<p>{}</p>", words.text("tables-none"));
    } else {
        let total = offered.iter().map(|table| table.bytes).sum();
        let _ = write!(
            body,
            "<p class=\"lead\">{}</p><p class=\"details\">{}</p><table class=\"tables\"><thead><tr>\
             <th scope=\"col\">{}</th><th scope=\"col\">{}</th><th scope=\"col\">{}</th><th scope=\"col\">{}</th>\
             </tr></thead><tbody>",
            words.text("tables-note"),
            escaped(&words.filled(
                "tables-count",
                &[
                    ("n", &offered.len().to_string()),
                    ("size", &size(words, total)),
                ],
            )),
            words.text("game-choice"),
            words.text("tables-content"),
            words.text("tables-size"),
            words.text("tables-file"),
        );
        let mut before = "";
        for table in &offered {
            // The tables of a game stand together.
            let (class, game) = if table.slug == before {
                ("", "<td></td>".into())
            } else {
                (
                    " class=\"begins\"",
                    format!(
                        "<th scope=\"row\">{}</th>",
                        game(explorer, reader, &table.slug)
                    ),
                )
            };
            before = &table.slug;
            let _ = write!(
                body,
                "<tr{class}>{game}<td>{}</td><td title=\"{}\">{}</td><td><a href=\"{}{}\" \
                 download><span aria-hidden=\"true\">\u{2193}</span> {}.gwt</a></td></tr>",
                content(words, table.metric),
                escaped(&words.with("bytes", words.grouped(table.bytes))),
                size(words, table.bytes),
                escaped(&explorer.base),
                escaped(&table.path()),
                table.metric.name(),
            );
        }
        body.push_str("</tbody></table>");
    }
    body.push_str("</main>");
    frame::answer(
        explorer,
        reader,
        words.text("tables"),
        Some(("/tables", &[])),
        &body,
    )
}

/// The game of a folder of tables, with a link where its name tells which it is.
fn game(explorer: &Explorer, reader: &Reader, slug: &str) -> String {
    let name = name_of_slug(slug);
    match explorer.variant(&name) {
        Ok(variant) if variant.rules().slug() == slug => format!(
            "<a href=\"{}\">{}</a>",
            escaped(&reader.address(explorer, &format!("/{name}"), &[])),
            escaped(&titles::title(explorer, reader.language, &name))
        ),
        Ok(_) | Err(_) => escaped(slug),
    }
}

/// What a table of a metric says.
fn content(words: Language, metric: Metric) -> &'static str {
    words.text(match metric {
        Metric::Value => "tables-value",
        Metric::Distance => "tables-distance",
        Metric::Points => "tables-points",
        Metric::Odds => "tables-odds",
        Metric::Nimber => "tables-nimber",
    })
}

/// A number of bytes in the largest unit of which there is one at least.
fn size(words: Language, bytes: u64) -> String {
    const UNITS: [&str; 4] = ["B", "KB", "MB", "GB"];
    let mut amount = bytes as f64;
    let mut unit = 0;
    while amount >= 1000.0 && unit + 1 < UNITS.len() {
        amount /= 1000.0;
        unit += 1;
    }
    match unit {
        0 => format!("{bytes} B"),
        _ => words.decimals(&format!("{amount:.1} {}", UNITS[unit])),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_told_in_units_that_people_read() {
        for (bytes, told) in [
            (0, "0 B"),
            (999, "999 B"),
            (1_000, "1.0 KB"),
            (1_234_567, "1.2 MB"),
            (43_000_000_000, "43.0 GB"),
            (43_000_000_000_000, "43000.0 GB"),
        ] {
            assert_eq!(size(Language::English, bytes), told);
        }
        assert_eq!(size(Language::German, 1_234_567), "1,2 MB");
    }
}
