//! The folder of static files shows what the server shows.

use std::time::Duration;

use greenwave_game::RuleFile;
use greenwave_tablebase::{Effort, Tablebase};
use greenwave_web::{ExplorerSettings, Site};

use crate::common::{PUBLISHED, bare, get};

/// The rule file that the server of the tests offers.
const RING: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/examples/ring.toml");

fn site() -> Site {
    site_in("no-such-folder", Duration::from_secs(60))
}

fn site_in(folder: &str, budget: Duration) -> Site {
    Site::new(ExplorerSettings {
        tablebase: Tablebase::open(folder).unwrap(),
        files: vec![RuleFile::parse("ring.toml", &std::fs::read_to_string(RING).unwrap()).unwrap()],
        budget,
        ..bare()
    })
}

/// What a page shows, without where it leads.
fn shown(page: &str) -> String {
    let from = page.find("<main").unwrap();
    let main = &page[from..page.find("</main>").unwrap()];
    // The parts that only a server can send are on its pages alone.
    let served = main.find("<div class=\"served\">");
    let end = main.find("</div><p><a ").map(|at| at + "</div>".len());
    let main = match (served, end) {
        (Some(from), Some(end)) => [&main[..from], &main[end..]].concat(),
        (_, _) => main.to_string(),
    };
    let mut text = String::new();
    for (number, part) in main.split('"').enumerate() {
        let is_address = part.starts_with('/') || part.starts_with("#/") || part.contains("http");
        if number % 2 == 0 || !is_address {
            text.push_str(part);
        }
    }
    // A file has no address that others could read from a code.
    for (begin, end) in [
        ("<figure class=again>", "</figure>"),
        ("<img class=qr ", ">"),
        ("<p class=problem unreached>", "</p>"),
    ] {
        if let Some((before, code)) = text.split_once(begin) {
            let (_, after) = code.split_once(end).unwrap();
            text = format!("{before}{after}");
        }
    }
    text.replace("data-src=", "src=")
}

#[test]
fn every_page_and_document_is_that_of_the_server() {
    let site = site();
    for address in [
        "/",
        "/?lang=de",
        "/classic-2x3?moves=b2R",
        "/classic-2x3?moves=b2R,a1R&hints=0&lang=pt",
        "/classic-2x3?edit=1",
        "/classic-2x3?embed=1",
        "/classic-2x3/stats",
        "/classic-2x3/sheet?count=6&seed=2",
        "/compare?a=classic-2x3&b=signal-2x3",
        "/sum?boards=classic-2x3+classic-2x3=R../...",
        "/claims",
        "/tables",
        "/ampel-4-2-1?hints=0",
        "/classic-2x3?moves=x",
        "/nothing",
        "/a/b",
    ] {
        let (here, there) = (site.get(address, "", ""), get(address));
        assert_eq!(here.status, there.status, "{address}");
        assert_eq!(shown(&here.body), shown(&there.body), "{address}");
        // Every link stays in the folder.
        let outside = here.body.split("href=\"").skip(1).find(|address| {
            address.starts_with('/') || address.starts_with("http") || address.starts_with("?")
        });
        assert_eq!(outside, None, "{address}");
    }
    for address in [
        "/api/v1/query?variant=classic-2x3&moves=b2R",
        "/api/v1/line?variant=classic-2x3",
        "/api/v1/stats?variant=signal-2x3",
        "/api/v1/puzzle?variant=classic-2x3&count=2",
        "/api/v1/draw.svg?variant=classic-2x3",
        "/api/v1/rules?variant=classic-2x3",
        "/api/v1/nothing",
        "/qr.svg?text=x",
    ] {
        let (here, there) = (site.get(address, "", ""), get(address));
        assert_eq!((here.status, here.body), (there.status, there.body));
    }
}

#[test]
fn forms_lead_on_and_languages_are_those_of_the_reader() {
    let site = site();
    let moved = site.get("/go?name=classic-2x3", "", "");
    assert_eq!(
        (moved.status, moved.moved.as_deref()),
        (303, Some("#/classic-2x3"))
    );
    assert!(
        site.get("/", "", "de-AT,en;q=0.5")
            .body
            .contains("<html lang=\"de\">")
    );
    let link = "value=\"file:///x/index.html#/classic-2x3?moves=b2R\"";
    let page = site.get("/classic-2x3?moves=b2R", "file:///x/index.html", "");
    assert!(page.body.contains(link));
    assert_eq!(
        site.get(&format!("/{}", "x".repeat(9000)), "", "").status,
        413
    );
}

#[test]
fn the_first_pages_of_a_folder_are_whole_without_a_script() {
    let files = site_in(PUBLISHED, Duration::from_millis(500)).files();
    for (name, text) in files.iter().filter(|(name, _)| name.ends_with(".html")) {
        assert!(text.contains("<main"), "{name}");
    }
    let file = |wanted: &str| {
        let found = files.iter().find(|(name, _)| *name == wanted);
        found.unwrap_or_else(|| panic!("{wanted}")).1.as_str()
    };
    assert!(file("index.de.html").contains("<html lang=\"de\">"));
    let page = file("classic-3x3.html");
    assert!(
        page.contains("in 17 plies if both play best")
            && page.contains("data-here=\"#/classic-3x3\"")
    );
    assert!(page.contains("<script defer src=\"site.js\">"));
    for name in page
        .split("<noscript>")
        .nth(1)
        .unwrap()
        .split("href=\"")
        .skip(1)
    {
        file(name.split('"').next().unwrap());
    }
    assert!(file("style.css").contains("main"));
    let script = Site::script("AAAA");
    assert!(script.contains("const ENGINE = \"AAAA\";") && !script.contains("\nimport "));
}

#[test]
fn a_page_reads_a_position_once_and_asks_about_each_once() {
    let site = site();
    let begin = "/classic-3x3?position=..G/.R./Y..";
    let effort = |address: &str| {
        let before = Effort::so_far();
        let page = site.get(address, "", "en");
        assert_eq!(page.status, 200, "{}", page.body);
        Effort::since(before)
    };
    // The effort of the solve is left out.
    effort(begin);
    let moves = ["a1G", "b2Y", "b2G"];
    let over = effort(&format!("{begin}&moves={}", moves.join(",")));
    let plies = moves.len() as u64;
    assert_eq!((over.texts, over.questions), (1, plies + 1));
    // The reasons of the best move ask about what follows it, too: it and eight plies at most.
    let going_on = effort(&format!("{begin}&moves={}", moves[..2].join(",")));
    assert_eq!(going_on.texts, 1);
    assert!((3..=3 + 8).contains(&going_on.questions), "{going_on:?}");
    // A game from the start has no text of a position at all.
    let started = effort("/classic-3x3?moves=b2R,b2Y,a1R,a1Y&hints=0&play=first&seed=1");
    assert_eq!(
        (started.texts, started.questions),
        (0, 0),
        "the reader is to move"
    );
}
