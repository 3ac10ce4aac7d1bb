//! The page that says why there is none.

use greenwave_picture::escaped;
use hyper::StatusCode;

use crate::explorer::Explorer;
use crate::page::address::{GamePage, GeneralPage, game_of};
use crate::page::notices::{in_words, near, wait};
use crate::page::reader::Reader;
use crate::page::{claims, frame, home, record, titles};
use crate::params::{Params, decoded, encoded};
use crate::problem::Problem;
use crate::routes::RouteAnswer;

/// The page of a problem; `seen` is how a message is shown to its reader.
pub(crate) fn of_problem(
    explorer: &Explorer,
    path: &str,
    reader: &Reader,
    params: &Params,
    problem: &Problem,
    seen: impl Fn(&str) -> String,
) -> RouteAnswer {
    let words = reader.language;
    let again = problem.comes_in();
    let reader = &Reader {
        again,
        ..reader.clone()
    };
    let title = words.text(match again {
        Some(_) => "working-out",
        None => "error-title",
    });
    let told = match again {
        Some(seconds) => format!(">{}", escaped(&wait(words, seconds))),
        None => in_words(words, &problem.message, seen),
    };
    let name = path.trim_matches('/');
    let mended = (problem.status == StatusCode::BAD_REQUEST)
        .then(|| record::mended(explorer, reader, name, params, &told))
        .flatten();
    let is_mended = mended.is_some();
    // A page that is still being worked out is no fault.
    let class = if again.is_some() { "said" } else { "problem" };
    let told = mended.unwrap_or(format!("<p class=\"{class}\" role=\"alert\"{told}</p>"));
    let mut body = format!(
        "<main id=\"main\" tabindex=\"-1\"{}><h1>{}</h1>{told}<ul class=\"ways\">",
        frame::again(reader),
        escaped(title)
    );
    let page = GeneralPage::at(name);
    let begin = match page {
        Some(GeneralPage::Lesson) => Some(("/lesson", "lesson")),
        _ if name.starts_with("claims/") => Some(("/claims", "claims")),
        _ => None,
    };
    if let Some((address, key)) = begin {
        body.push_str(&format!(
            "<li><a href=\"{}\">{}</a></li>",
            escaped(&reader.address(explorer, address, &[])),
            words.text(key)
        ));
    }
    let name = GamePage::of(name).map_or(name, |(name, _)| name);
    let meant = near(&problem.message).unwrap_or_else(|| vec![name]);
    let games = meant.into_iter();
    for name in games.filter(|name| explorer.variant(name).is_ok()) {
        body.push_str(&format!(
            "<li><a href=\"{}\">{}</a></li>",
            escaped(&reader.address(explorer, &format!("/{name}"), &[])),
            escaped(&words.with("error-start", titles::title(explorer, words, name)))
        ));
    }
    body.push_str(&format!(
        "<li><a href=\"{}\">{}</a></li></ul>{}</main>",
        escaped(&reader.address(explorer, "/", &[])),
        words.text("home"),
        match page {
            _ if is_mended || again.is_some() => String::new(),
            Some(GeneralPage::OwnClaim) => claims::form_again(explorer, reader, params),
            _ => home::form(explorer, reader),
        }
    ));
    // The same page in other languages, unless it is of no game.
    let path = decoded(path).unwrap_or_default();
    let of_game = |name| explorer.variant(name).is_ok();
    // Names are written as they are.
    let own = params.without("lang");
    let own: Vec<(&str, &str)> = own.filter(|(name, _)| encoded(name) == *name).collect();
    let here = game_of(&path)
        .is_none_or(of_game)
        .then_some((&*path, &*own));
    frame::answer(explorer, reader, title, here, &body)
}
