//! The tables that can be downloaded.

use std::fmt::Write;

use greenwave_picture::escaped;
use greenwave_words::Language;

use crate::download;
use crate::explorer::Explorer;
use crate::page::{Reader, frame, home};
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
        let _ = write!(
            body,
            "<p class=\"lead\">{}</p><div class=\"scroll\"><table class=\"tables\"><thead><tr><th scope=\"col\">{}</th>\
             <th scope=\"col\">{}</th><th scope=\"col\">{}</th></tr></thead><tbody>",
            words.text("tables-note"),
            words.text("game-choice"),
            words.text("tables-file"),
            words.text("tables-size"),
        );
        let mut before = "";
        for table in &offered {
            // The tables of a game stand together.
            let game = if table.slug == before {
                String::new()
            } else {
                game(explorer, reader, &table.slug)
            };
            before = &table.slug;
            let _ = write!(
                body,
                "<tr><th scope=\"row\">{game}</th><td><a href=\"{}{}\" download>{}.gwt</a></td><td title=\"{}\">{}\
                 </td></tr>",
                escaped(&explorer.base),
                escaped(&table.path()),
                table.metric,
                escaped(&words.with("bytes", words.grouped(table.bytes))),
                size(words, table.bytes)
            );
        }
        body.push_str("</tbody></table></div>");
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
    // A folder has no colons and no signs of equality: the first sign of each option stands for them.
    let mut options = slug.split('_');
    let mut name = options.next().unwrap_or_default().to_string();
    for option in options {
        name.push(':');
        name.push_str(&option.replacen('-', "=", 1));
    }
    match explorer.variant(&name) {
        Ok(variant) if variant.rules().slug() == slug => format!(
            "<a href=\"{}\">{}</a>",
            escaped(&reader.address(explorer, &format!("/{name}"), &[])),
            escaped(&home::title(explorer, reader.language, &name))
        ),
        Ok(_) | Err(_) => escaped(slug),
    }
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
