//! The tables that can be downloaded.

use std::fmt::Write;

use greenwave_picture::escaped;

use crate::download;
use crate::explorer::Explorer;
use crate::page::{Reader, frame};
use crate::routes::{Answered, Kind};

pub(super) fn page(explorer: &Explorer, reader: &Reader) -> Answered {
    let words = reader.language;
    let offered = download::offered(explorer);
    let mut body = format!(
        "<main id=\"main\" tabindex=\"-1\"><h1>{}</h1>",
        words.text("tables")
    );
    if offered.is_empty() {
        let _ = write!(body, "<p>{}</p>", words.text("tables-none"));
    } else {
        let _ = write!(body, "<p>{}</p><table><tbody>", words.text("tables-note"));
        for table in &offered {
            let _ = write!(
                body,
                "<tr><th scope=\"row\">{}</th><td><a href=\"{}{}\" download>{}.gwt</a></td>\
                 <td>{}</td></tr>",
                escaped(&table.slug),
                escaped(&explorer.base),
                escaped(&table.path()),
                table.metric,
                escaped(&words.with("bytes", super::stats::grouped(table.bytes.into())))
            );
        }
        body.push_str("</tbody></table>");
    }
    body.push_str("</main>");
    Answered {
        kind: Kind::Page,
        body: frame::page(
            explorer,
            reader,
            words.text("tables"),
            Some(("/tables", &[])),
            &body,
        ),
        signature: None,
    }
}
