//! What stands around every page.

use greenwave_picture::escaped;
use greenwave_words::Language;

use crate::assets;
use crate::explorer::Explorer;
use crate::page::Reader;
use crate::site::FIRST_PAGES;

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
    let asset = |path| assets::address(explorer, path);
    let script = match explorer.in_folder {
        false => format!(
            "<script type=\"module\" src=\"{}\"></script>",
            asset("/assets/explorer.js")
        ),
        // Neither modules nor anything fetched: the folder may be on a stick.
        true => "<script defer src=\"site.js\"></script>".into(),
    };
    // A script asks again by itself.
    let refresh = reader.again.map_or_else(String::new, |seconds| {
        format!(
            "<noscript><meta http-equiv=\"refresh\" content=\"{}\"></noscript>",
            seconds.clamp(1, 10)
        )
    });
    let mut attributes = String::new();
    if reader.embed {
        attributes.push_str(" class=\"embed\"");
    }
    if explorer.in_folder {
        // Which page this is where none is named behind the `#`.
        let (path, own) = here.unwrap_or(("/", &[]));
        let address = reader.address(explorer, path, own);
        attributes.push_str(&format!(" data-here=\"{}\"", escaped(&address)));
    }
    let mut html = format!(
        "<!doctype html><html lang=\"{}\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\
         <title>{} \u{2013} Greenwave</title>\
         <meta name=\"color-scheme\" content=\"light dark\">\
         <link rel=\"icon\" href=\"{}\"><link rel=\"stylesheet\" href=\"{}\">\
         {}{refresh}</head><body{}>",
        words.code(),
        escaped(title),
        asset("/assets/icon.svg"),
        asset("/assets/style.css"),
        script,
        attributes
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
    html.push_str(&unfollowed(body));
    html.push_str(&format!(
        "<div id=\"status\" class=\"unseen\" role=\"status\"></div><footer>{}</footer></body></html>",
        match explorer.in_folder {
            false => words.text("no-script").to_string(),
            true => format!("{}{}", words.text("in-folder"), without_script()),
        }
    ));
    html
}

/// A text in which links to positions tell programs that read the web not to follow them: every game has
/// more positions than anybody wants to read.
fn unfollowed(html: &str) -> String {
    let mut out = String::with_capacity(html.len() + html.len() / 8);
    let mut rest = html;
    while let Some(at) = rest.find("<a ") {
        let (before, link) = rest.split_at(at);
        let (tag, after) = link.split_at(link.find('>').unwrap_or(link.len()));
        let is_of_position = ["moves=", "position=", "boards="]
            .iter()
            .any(|parameter| tag.contains(parameter));
        out.push_str(before);
        out.push_str("<a ");
        if is_of_position && !tag.contains(" rel=") {
            out.push_str("rel=\"nofollow\" ");
        }
        out.push_str(&tag["<a ".len()..]);
        rest = after;
    }
    out.push_str(rest);
    out
}

/// What tells the script that the page may show more soon.
pub(crate) fn again(reader: &Reader) -> String {
    reader.again.map_or_else(String::new, |seconds| {
        format!(" data-again=\"{}\"", seconds.clamp(1, 10))
    })
}

/// The first pages of a folder, for readers without a script.
fn without_script() -> String {
    let links = FIRST_PAGES.map(|(file, address)| {
        let name = address
            .trim_start_matches("/?lang=")
            .trim_start_matches('/');
        let name = if name.is_empty() { "en" } else { name };
        format!("<a href=\"{file}\">{name}</a>")
    });
    format!("<noscript><p>{}</p></noscript>", links.join(" "))
}
