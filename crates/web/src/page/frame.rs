//! What stands around every page.

use std::fmt::Write;

use greenwave_game::Game;
use greenwave_picture::{LAMPS, escaped};
use greenwave_words::Language;

use crate::assets;
use crate::client::RENEWED;
use crate::explorer::Explorer;
use crate::page::address::game_of;
use crate::page::reader::Reader;
use crate::page::{tiles, titles};
use crate::routes::{AnswerKind, RouteAnswer};
use crate::site::FIRST_PAGES;

/// A page as the answer to a request; the arguments are those of [`page`].
pub(crate) fn answer(
    explorer: &Explorer,
    reader: &Reader,
    title: &str,
    here: Option<(&str, &[(&str, &str)])>,
    body: &str,
) -> RouteAnswer {
    RouteAnswer::new(AnswerKind::Page, page(explorer, reader, title, here, body))
}

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
    let script = if explorer.in_folder {
        // Neither modules nor anything fetched: the folder may be on a stick.
        "<script defer src=\"site.js\"></script>".into()
    } else {
        format!(
            "<script type=\"module\" src=\"{}\"></script>",
            asset("/assets/explorer.js")
        )
    };
    // A script asks again by itself.
    let refresh = reader.again.map_or_else(String::new, |seconds| {
        format!(
            "<noscript><meta http-equiv=\"refresh\" content=\"{}{}\"></noscript>",
            seconds.clamp(1, RENEWED),
            reader
                .further
                .as_ref()
                .map_or_else(String::new, |to| format!(";url={}", escaped(to)))
        )
    });
    let previews = previews(explorer, reader, title, here, body);
    let mut attributes = String::new();
    if reader.embed {
        attributes.push_str(" class=\"embed\"");
    } else if reader.projector {
        attributes.push_str(" class=\"projector\"");
    }
    if explorer.in_folder {
        // Which page this is where none is named behind the `#`.
        let (path, own) = here.unwrap_or(("/", &[]));
        let address = reader.address(explorer, path, own);
        attributes.push_str(&format!(" data-here=\"{}\"", escaped(&address)));
    }
    let manifest = if explorer.in_folder {
        String::new()
    } else {
        format!(
            "<script src=\"{}\"></script><link rel=\"manifest\" href=\"{base}/manifest.webmanifest\">\
             <link rel=\"apple-touch-icon\" href=\"{base}/apple-touch-icon.png\">",
            asset("/assets/theme.js"),
            base = escaped(&explorer.base)
        )
    };
    let mut html = format!(
        "<!doctype html><html lang=\"{}\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\
         <title>{} \u{2013} Greenwave</title>\
         <meta name=\"color-scheme\" content=\"light dark\">\
         <link rel=\"icon\" href=\"{}\"><link rel=\"stylesheet\" href=\"{}\">\
         {previews}{manifest}{}{refresh}</head><body{}>",
        words.code(),
        escaped(title),
        asset("/assets/icon.svg"),
        asset("/assets/style.css"),
        script,
        attributes
    );
    if !reader.embed {
        let _ = write!(
            html,
            "<a class=\"skip\" href=\"#main\">{}</a>",
            words.text("skip")
        );
        html.push_str(&head(explorer, reader, here.map_or("/", |(path, _)| path)));
    }
    push_unfollowed(&mut html, body);
    let _ = write!(
        html,
        "<div id=\"status\" class=\"unseen\" role=\"status\"></div>\
         <svg class=\"unseen\" width=\"0\" height=\"0\" aria-hidden=\"true\">{LAMPS}</svg><footer>"
    );
    if !reader.embed {
        html.push_str(&languages(explorer, reader, here));
        html.push_str(&beside(explorer, reader));
    }
    if explorer.in_folder {
        let _ = write!(
            html,
            "<p>{}{}</p>",
            words.text("in-folder"),
            without_script()
        );
    }
    html + "</footer></body></html>"
}

/// What programs show that meet the address of a page: its title, and the card of its position.
fn previews(
    explorer: &Explorer,
    reader: &Reader,
    title: &str,
    here: Option<(&str, &[(&str, &str)])>,
    body: &str,
) -> String {
    let Some((path, own)) = here.filter(|_| !explorer.in_folder && !reader.origin.is_empty())
    else {
        return String::new();
    };
    let words = reader.language;
    let shown = Reader {
        language: words,
        language_asked: reader.language_asked,
        hints: reader.hints,
        ..reader.sent()
    };
    let is_position = game_of(path).is_some() && !path.trim_matches('/').contains('/');
    let card = if is_position {
        shown.address(explorer, &format!("{path}/card.png"), own)
    } else {
        let (name, position) = tiles::HERO;
        let own = [("position", position)];
        // The board of the first page asks who wins, and so does its card.
        let asking = Reader {
            hints: false,
            ..shown.clone()
        };
        asking.address(explorer, &format!("/{name}/card.png"), &own)
    };
    let origin = &reader.origin;
    let tag = |property: &str, content: &str| {
        format!(
            "<meta property=\"og:{property}\" content=\"{}\">",
            escaped(content)
        )
    };
    let (width, height) = greenwave_picture::CARD;
    let address = shown.address(explorer, path, own);
    [
        tag("type", "website"),
        tag("site_name", "Greenwave"),
        tag("title", title),
        // What a page leads with is escaped already.
        match (&reader.summary, lead(body)) {
            (None, Some(lead)) => {
                format!("<meta property=\"og:description\" content=\"{lead}\">")
            }
            (Some(summary), _) => tag("description", summary),
            (None, None) => tag("description", &description(explorer, reader, path)),
        },
        tag("url", &format!("{origin}{address}")),
        tag("image", &format!("{origin}{card}")),
        tag("image:width", &width.to_string()),
        tag("image:height", &height.to_string()),
        "<meta name=\"twitter:card\" content=\"summary_large_image\">".into(),
    ]
    .concat()
}

/// The sentence with which a page begins, where it has one without links and signs in it.
fn lead(body: &str) -> Option<&str> {
    let (_, after) = body.split_once("<p class=\"lead\">")?;
    let (text, _) = after.split_once("</p>")?;
    (!text.contains(['<', '"'])).then_some(text.trim())
}

/// Letters of a description, about: programs that read it do not show the rest.
const DESCRIBED: usize = 500;

/// The rules of the game that a page is about, or what Greenwave is.
fn description(explorer: &Explorer, reader: &Reader, path: &str) -> String {
    let words = reader.language;
    let of_game = |name| Some((name, explorer.variant_for(name, reader.lights).ok()?));
    let Some((name, variant)) = game_of(path).and_then(of_game) else {
        return words.text("about-note").into();
    };
    let lights = variant.rules().lights_name().unwrap_or_default();
    let key = format!("{} {lights} {name}", words.code());
    if let Some(known) = explorer.descriptions.get(&key) {
        return (*known).clone();
    }
    let mut said = String::new();
    for sentence in &variant.in_words() {
        if said.len() > DESCRIBED {
            break;
        }
        if !said.is_empty() {
            said.push(' ');
        }
        said.push_str(&words.sentence(sentence));
    }
    (*explorer.descriptions.keep(&key, said)).clone()
}

/// Adds a text in which links to positions tell programs that read the web not to follow them: every game has
/// more positions than anybody wants to read.
fn push_unfollowed(out: &mut String, html: &str) {
    // What is added here, and the foot of the page.
    out.reserve(html.len() + html.len() / 8 + (4 << 10));
    let (mut copied, mut from) = (0, 0);
    // One letter is found faster than three.
    while let Some(at) = html[from..].find('<') {
        from += at + 1;
        let Some(link) = html[from..].strip_prefix("a ") else {
            continue;
        };
        let tag = &link[..link.find('>').unwrap_or(link.len())];
        let asks = tag.find('?').map_or("", |at| &tag[at..]);
        let is_of_position = ["moves=", "position=", "boards="]
            .iter()
            .any(|parameter| asks.contains(parameter));
        if is_of_position && !tag.contains(" rel=") {
            let after = from + "a ".len();
            out.push_str(&html[copied..after]);
            out.push_str("rel=\"nofollow\" ");
            copied = after;
        }
    }
    out.push_str(&html[copied..]);
}

/// What a reader does on a page.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Tab {
    Explore,
    Play,
    Learn,
}

impl Tab {
    /// The tab of a page; `None` where it is of none.
    fn of(path: &str, reader: &Reader) -> Option<Tab> {
        let part = match game_of(path) {
            Some(game) => path.trim_start_matches('/')[game.len()..].trim_start_matches('/'),
            None => path.trim_start_matches('/').split('/').next().unwrap_or(""),
        };
        Some(match part {
            "help" | "settings" | "about" if game_of(path).is_none() => return None,
            "play" => Tab::Play,
            "" if reader.play.is_some() || reader.watch => Tab::Play,
            "" => Tab::Explore,
            _ => Tab::Learn,
        })
    }
}

/// The head of a page: the brand, the game, and the three tabs.
fn head(explorer: &Explorer, reader: &Reader, path: &str) -> String {
    let words = reader.language;
    let plain = reader.plain();
    let address = |path: &str| escaped(&plain.address(explorer, path, &[]));
    let mut html = format!(
        "<header><a class=\"brand\" href=\"{}\"><svg viewBox=\"0 0 34 12\" width=\"34\" height=\"12\" \
         aria-hidden=\"true\"><circle class=\"lamp-r\" cx=\"6\" cy=\"6\" r=\"5\"/>\
         <circle class=\"lamp-y\" cx=\"17\" cy=\"6\" r=\"5\"/><circle class=\"lamp-g\" cx=\"28\" cy=\"6\" \
         r=\"5\"/></svg>Greenwave</a>",
        address("/")
    );
    let game = game_of(path);
    let root = game.map_or_else(String::new, |name| format!("/{name}"));
    if let Some(name) = game {
        let _ = write!(
            html,
            "<a class=\"of-game\" href=\"{}\">{}</a>",
            address(&root),
            escaped(&titles::title(explorer, words, name))
        );
        let variant = explorer.variant_for(name, reader.lights);
        let rule = variant
            .ok()
            .and_then(|game| titles::short_rule(words, &game));
        if let Some(rule) = rule.filter(|_| explorer.file(name).is_none()) {
            let _ = write!(html, "<small class=\"of-rule\">{}</small>", escaped(rule));
        }
    }
    let _ = write!(
        html,
        "<nav class=\"tabs\" aria-label=\"{}\">",
        words.text("sections")
    );
    let here = Tab::of(path, reader);
    for (tab, part, key) in [
        (Tab::Explore, "", "explore"),
        (Tab::Play, "/play", "tab-play"),
        (Tab::Learn, "/learn", "learn"),
    ] {
        let to = format!("{root}{part}");
        let to = if to.is_empty() { "/".into() } else { to };
        let current = if Some(tab) == here {
            " aria-current=\"page\""
        } else {
            ""
        };
        let _ = write!(
            html,
            "<a href=\"{}\"{current}>{}</a>",
            address(&to),
            words.text(key)
        );
    }
    html + "</nav></header>"
}

/// The same page in other languages.
fn languages(
    explorer: &Explorer,
    reader: &Reader,
    here: Option<(&str, &[(&str, &str)])>,
) -> String {
    let words = reader.language;
    let mut html = format!("<nav aria-label=\"{}\">", words.text("languages"));
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
        let _ = write!(
            html,
            "<a href=\"{}\" hreflang=\"{code}\" lang=\"{code}\"{current}>{}</a>",
            escaped(&other.address(explorer, path, own)),
            language.text("name"),
            code = language.code(),
        );
    }
    html + "</nav>"
}

/// The parts of the page that says what this is, by the keys of their titles; links lead to all but the version.
pub(super) const ABOUT: [&str; 4] = [
    "about-version",
    "about-licence",
    "about-cite",
    "about-source",
];

/// Links to the pages beside the games.
fn beside(explorer: &Explorer, reader: &Reader) -> String {
    let words = reader.language;
    let plain = reader.plain();
    let mut html = format!("<nav aria-label=\"{}\">", words.text("about"));
    for (path, key) in [
        ("/help", "help"),
        ("/settings", "settings"),
        ("/about", "about"),
    ] {
        let _ = write!(
            html,
            "<a data-page=\"{key}\" href=\"{}\">{}</a>",
            escaped(&plain.address(explorer, path, &[])),
            words.text(key)
        );
    }
    let about = plain.address(explorer, "/about", &[]);
    for key in &ABOUT[1..] {
        let _ = write!(
            html,
            "<a href=\"{}\">{}</a>",
            escaped(&explorer.at_part(about.clone(), key)),
            words.text(key)
        );
    }
    html + "</nav>"
}

/// The mark by which the script knows that the page may show more soon.
pub(crate) fn again(reader: &Reader) -> String {
    reader.again.map_or_else(String::new, |seconds| {
        let further = reader.further.as_ref().map_or_else(String::new, |to| {
            format!(" data-further=\"{}\"", escaped(to))
        });
        format!(" data-again=\"{}\"{further}", seconds.clamp(1, RENEWED))
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
