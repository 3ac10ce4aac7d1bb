//! Pages beside the games: help, settings, and what this is.

use std::fmt::Write;

use greenwave_picture::escaped;
use greenwave_words::Language;

use crate::explorer::Explorer;
use crate::page::frame;
use crate::page::reader::Reader;
use crate::routes::RouteAnswer;

/// Words of the field that pages explain: the key of the word, and of its explanation.
pub(super) const TERMS: [(&str, &str); 5] = [
    ("term-ply", "term-ply-note"),
    ("term-value", "term-value-note"),
    ("term-nimber", "term-nimber-note"),
    ("term-table", "term-table-note"),
    ("term-symmetry", "term-symmetry-note"),
];

/// Keys, and what they do.
const KEYS: [(&str, &str); 10] = [
    ("\u{2190} \u{2192}", "key-steps"),
    ("Home End", "key-ends"),
    ("\u{2191} \u{2193} \u{2190} \u{2192}", "key-board"),
    ("Tab Enter", "key-move"),
    ("v", "key-densities"),
    ("h", "key-heat"),
    ("u", "key-take-back"),
    ("n", "key-next"),
    ("Space", "key-space"),
    ("?", "key-help"),
];

/// The name of a key on the keyboards of a language.
fn key_name(words: Language, key: &str) -> &str {
    match key {
        "Home" => words.text("key-name-home"),
        "End" => words.text("key-name-end"),
        "Tab" => words.text("key-name-tab"),
        "Enter" => words.text("key-name-enter"),
        "Space" => words.text("key-name-space"),
        sign => sign,
    }
}

/// A button that explains the words of a headline: ply, value and table, and the nimber where boards can be added.
pub(super) fn headline_terms(words: Language, with_nimber: bool) -> String {
    let terms: Vec<(&'static str, &'static str)> = TERMS[..4]
        .iter()
        .filter(|(word, _)| with_nimber || *word != "term-nimber")
        .copied()
        .collect();
    let names: Vec<&str> = terms.iter().map(|(word, _)| words.text(word)).collect();
    let notes: String = terms
        .iter()
        .map(|(word, note)| {
            format!(
                "<span><strong>{}</strong> {}</span>",
                words.text(word),
                words.text(note)
            )
        })
        .collect();
    format!(
        "<button type=\"button\" class=\"term\" popovertarget=\"terms\" aria-label=\"{}\">?</button>\
         <span id=\"terms\" popover class=\"explained\">{}{notes}</span>",
        escaped(&words.with("term-what", names.join(", "))),
        close(words, "terms")
    )
}

/// A button that closes an explanation.
fn close(words: Language, id: &str) -> String {
    format!(
        "<button type=\"button\" class=\"close\" popovertarget=\"{id}\" \
         aria-label=\"{}\">\u{2715}</button>",
        words.text("close")
    )
}

/// A button that explains a word, without a script: the browser shows and hides what it names.
pub(super) fn term(words: Language, word: &'static str, note: &'static str) -> String {
    format!(
        " <button type=\"button\" class=\"term\" popovertarget=\"{word}\" aria-label=\"{}\">?</button>\
         <span id=\"{word}\" popover class=\"explained\">{}<strong>{}</strong> {}</span>",
        escaped(&words.with("term-what", words.text(word))),
        close(words, word),
        words.text(word),
        words.text(note)
    )
}

pub(super) fn help(explorer: &Explorer, reader: &Reader) -> RouteAnswer {
    let words = reader.language;
    let mut body = format!(
        "<main id=\"main\" tabindex=\"-1\" class=\"way\" data-close=\"{}\"><h1>{}</h1><p class=\"lead\">{}</p><p>{} {}</p>\
         <p>{}</p><h2>{}</h2><dl class=\"terms\">",
        words.text("close"),
        words.text("help"),
        words.text("rule-line-ryg"),
        words.text("help-read"),
        words.text("no-script"),
        words.text("play-note"),
        words.text("help-words")
    );
    for (word, note) in TERMS {
        let _ = write!(
            body,
            "<div><dt>{}</dt><dd>{}</dd></div>",
            words.text(word),
            words.text(note)
        );
    }
    let _ = write!(
        body,
        "</dl><h2>{}</h2><dl class=\"terms\">",
        words.text("help-keys")
    );
    for (keys, key) in KEYS {
        let keys: String = keys
            .split(' ')
            .map(|one| format!("<kbd>{}</kbd> ", key_name(words, one)))
            .collect();
        let _ = write!(
            body,
            "<div><dt>{keys}</dt><dd>{}</dd></div>",
            words.text(key)
        );
    }
    body.push_str("</dl></main>");
    answered(explorer, reader, "help", "/help", &body)
}

/// A choice of which one holds: its name, its legend, and values with their texts.
type SettingChoice = (
    &'static str,
    &'static str,
    &'static [(&'static str, &'static str)],
);

/// The choices; the first of each is the default.
const CHOICES: [SettingChoice; 7] = [
    (
        "theme",
        "set-theme",
        &[
            ("auto", "set-auto"),
            ("light", "set-light"),
            ("dark", "set-dark"),
        ],
    ),
    (
        "values",
        "set-values",
        &[
            ("figures", "set-figures"),
            ("signs", "set-signs"),
            ("hidden", "set-hidden"),
        ],
    ),
    ("heat", "heat-on", &[("off", "set-off"), ("on", "set-on")]),
    (
        "letters",
        "set-letters",
        &[("on", "set-on"), ("off", "set-off")],
    ),
    (
        "patterns",
        "set-patterns",
        &[("on", "set-on"), ("off", "set-off")],
    ),
    (
        "lights",
        "set-lights",
        &[
            ("auto", "set-of-game"),
            ("ryg", "lights-ryg"),
            ("gyr", "lights-gyr"),
        ],
    ),
    (
        "sound",
        "set-sound",
        &[("off", "set-off"), ("on", "set-on")],
    ),
];

/// The choice of a language, each in its own name.
fn languages(words: Language) -> String {
    let mut html = format!(
        "<fieldset class=\"levels\"><legend>{}</legend><label class=\"card\"><input type=\"radio\" \
         name=\"lang\" value=\"auto\" checked><span>{}</span></label>",
        words.text("set-language"),
        words.text("set-of-browser")
    );
    for language in Language::ALL {
        let _ = write!(
            html,
            "<label class=\"card\"><input type=\"radio\" name=\"lang\" value=\"{code}\">\
             <span lang=\"{code}\">{}</span></label>",
            language.text("name"),
            code = language.code()
        );
    }
    html + "</fieldset>"
}

pub(super) fn settings(explorer: &Explorer, reader: &Reader) -> RouteAnswer {
    let words = reader.language;
    let mut body = format!(
        "<main id=\"main\" tabindex=\"-1\" class=\"way\"><h1>{}</h1><p class=\"lead\">{}</p>\
         <p class=\"needs-script\">{}</p><form class=\"settings\" hidden>",
        words.text("settings"),
        words.text("settings-note"),
        words.text("settings-script")
    );
    body.push_str(&languages(words));
    for (name, legend, values) in CHOICES {
        let _ = write!(
            body,
            "<fieldset class=\"levels\"><legend>{}</legend>",
            words.text(legend)
        );
        for (number, (value, text)) in values.iter().enumerate() {
            let checked = if number == 0 { " checked" } else { "" };
            let _ = write!(
                body,
                "<label class=\"card\"><input type=\"radio\" name=\"{name}\" value=\"{value}\"{checked}>\
                 <span>{}</span></label>",
                words.text(text)
            );
        }
        body.push_str("</fieldset>");
    }
    body.push_str("</form></main>");
    answered(explorer, reader, "settings", "/settings", &body)
}

/// The licences, each with its text.
const LICENCES: [(&str, &str); 2] = [
    ("MIT", include_str!("../../LICENSE-MIT")),
    ("Apache 2.0", include_str!("../../LICENSE-APACHE")),
];

pub(super) fn about(explorer: &Explorer, reader: &Reader) -> RouteAnswer {
    let words = reader.language;
    let version = escaped(&explorer.settings.version);
    let mut body = format!(
        "<main id=\"main\" tabindex=\"-1\" class=\"way of-program\"><h1>{}</h1><p class=\"lead\">{}</p>",
        words.text("about"),
        words.text("about-note")
    );
    let texts = [
        format!("Greenwave {version}"),
        words.text("about-licence-note").into(),
        words.text("about-cite-note").into(),
        words.text("about-source-note").into(),
    ];
    for (title, text) in frame::ABOUT.into_iter().zip(texts) {
        let _ = write!(
            body,
            "<section class=\"part\" id=\"{title}\"><h2>{}</h2><p>{text}</p>",
            words.text(title)
        );
        if title == "about-cite" {
            let _ = write!(
                body,
                "<p><code>{}</code></p>",
                escaped(&words.with("about-citation", &explorer.settings.version))
            );
        }
        if title == "about-licence" {
            for (name, text) in LICENCES {
                let _ = write!(
                    body,
                    "<details><summary>{name}</summary><pre lang=\"en\">{}</pre></details>",
                    escaped(text)
                );
            }
        }
        body.push_str("</section>");
    }
    let link = |path: &str, key: &'static str| {
        format!(
            "<a href=\"{}\">{}</a> ",
            escaped(&reader.plain().address(explorer, path, &[])),
            words.text(key)
        )
    };
    let _ = write!(
        body,
        "<p class=\"tools\">{}{}{}</p></main>",
        link("/claims", "claims"),
        link("/tables", "tables"),
        link("/help", "help")
    );
    answered(explorer, reader, "about", "/about", &body)
}

fn answered(
    explorer: &Explorer,
    reader: &Reader,
    title: &'static str,
    path: &str,
    body: &str,
) -> RouteAnswer {
    let title = reader.language.text(title);
    frame::answer(explorer, reader, title, Some((path, &[])), body)
}
