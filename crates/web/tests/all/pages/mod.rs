//! Pages as readers get them: one file for each subject, and what these share.

mod addresses;
mod claims;
mod design;
mod games;
mod play;
mod puzzles;
mod reviews;
mod values;

use std::net::SocketAddr;
use std::sync::OnceLock;
use std::time::Duration;

use crate::common::{Answer, start_with_strip};

/// The addresses of links, forms, pictures and scripts of a page.
pub(super) fn addresses(page: &Answer) -> Vec<String> {
    let mut found = Vec::new();
    for mark in ["href=\"", "src=\"", "action=\""] {
        for part in page.body.split(mark).skip(1) {
            let address = part.split('"').next().unwrap();
            let address = address.replace("&amp;", "&").replace("&#39;", "'");
            // A part of a page is asked for without its name.
            let end = address.rfind('#').filter(|end| *end > 0);
            found.push(address[..end.unwrap_or(address.len())].to_string());
        }
    }
    found
}

/// What a page says first.
pub(super) fn verdict(page: &str) -> String {
    let (_, verdict) = page.split_once("id=\"verdict\">").expect(page);
    let (verdict, _) = verdict.split_once("</h1>").expect(page);
    // The word for the value has an element of its own.
    let pieces = verdict.split('<').map(|piece| match piece.split_once('>') {
        Some((_, text)) => text,
        None => piece,
    });
    pieces.collect()
}

/// The address of the style sheet of a page.
pub(super) fn style_of(page: &Answer) -> String {
    let all = addresses(page);
    all.into_iter()
        .find(|address| address.contains("style.css"))
        .unwrap()
}

pub(super) fn with_strip() -> SocketAddr {
    static ADDRESS: OnceLock<SocketAddr> = OnceLock::new();
    *ADDRESS.get_or_init(|| start_with_strip(16, Duration::from_secs(60)))
}
