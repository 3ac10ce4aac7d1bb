//! What stands around every page.

use greenwave_picture::escaped;

use crate::assets;
use crate::explorer::Explorer;
use crate::page::Reader;
use crate::text::Language;

/// A whole page. `here` is the path and the parameters of the page itself, for the same page in other
/// languages.
pub(crate) fn page(
    explorer: &Explorer,
    reader: &Reader,
    title: &str,
    here: Option<(&str, &[(&str, &str)])>,
    body: &str,
) -> String {
    let words = reader.language;
    let asset = |path| assets::address(&explorer.base, path);
    let mut html = format!(
        "<!doctype html><html lang=\"{}\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\
         <title>{} \u{2013} Greenwave</title>\
         <meta name=\"color-scheme\" content=\"light dark\">\
         <link rel=\"icon\" href=\"{}\"><link rel=\"stylesheet\" href=\"{}\">\
         <script type=\"module\" src=\"{}\"></script></head><body{}>",
        words.code(),
        escaped(title),
        asset("/assets/icon.svg"),
        asset("/assets/style.css"),
        asset("/assets/explorer.js"),
        if reader.embed { " class=\"embed\"" } else { "" }
    );
    if !reader.embed {
        html.push_str(&format!(
            "<a class=\"skip\" href=\"#main\">{}</a><header><a class=\"brand\" href=\"{}\">Greenwave</a>\
             <nav aria-label=\"{}\">",
            words.text("skip"),
            escaped(&reader.address(explorer, "/", &[])),
            words.text("languages")
        ));
        let (path, own) = here.unwrap_or(("/", &[]));
        for language in Language::ALL {
            let other = Reader {
                language,
                language_asked: true,
                ..reader.clone()
            };
            let current = if language == words {
                " aria-current=\"true\""
            } else {
                ""
            };
            html.push_str(&format!(
                "<a href=\"{}\" hreflang=\"{code}\" lang=\"{code}\"{current}>{}</a>",
                escaped(&other.address(explorer, path, own)),
                language.text("name"),
                code = language.code(),
            ));
        }
        html.push_str("</nav></header>");
    }
    html.push_str(body);
    html.push_str(&format!(
        "<div id=\"status\" class=\"unseen\" role=\"status\"></div><footer>{}</footer></body></html>",
        words.text("no-script")
    ));
    html
}
