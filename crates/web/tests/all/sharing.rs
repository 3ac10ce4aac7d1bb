//! What is passed on: cards, previews, films, frames, compressed pages, and the opening tree.

use std::collections::BTreeSet;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::{Duration, Instant};

use greenwave_tablebase::Tablebase;
use greenwave_web::{ExplorerSettings, serve};

use crate::common::{
    Answer, PATIENCE, ask, ask_at, ask_until, bare, get, get_at, server, start_with, with_tables,
};

/// Head and body of an answer, the body as bytes. Other tests may keep all jobs of the server busy.
fn raw(host: SocketAddr, path: &str, headers: &str) -> (String, Vec<u8>) {
    let begun = Instant::now();
    loop {
        let answer = raw_once(host, path, headers);
        let waits = ["http/1.1 202", "http/1.1 503", "http/1.1 429"]
            .iter()
            .any(|busy| answer.0.starts_with(busy));
        if !waits || begun.elapsed() > PATIENCE {
            return answer;
        }
        std::thread::sleep(Duration::from_millis(200));
    }
}

fn raw_once(host: SocketAddr, path: &str, headers: &str) -> (String, Vec<u8>) {
    let mut stream = TcpStream::connect(host).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    write!(
        stream,
        "GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n{headers}\r\n"
    )
    .unwrap();
    let mut bytes = Vec::new();
    stream.read_to_end(&mut bytes).unwrap();
    let end = bytes.windows(4).position(|four| four == b"\r\n\r\n");
    let body = bytes.split_off(end.unwrap() + 4);
    (String::from_utf8(bytes).unwrap().to_lowercase(), body)
}

fn unpacked(body: &[u8]) -> String {
    let mut text = String::new();
    let mut decoder = flate2::read::GzDecoder::new(body);
    decoder.read_to_string(&mut text).unwrap();
    text
}

/// The content of a property of a page.
fn property<'p>(page: &'p str, name: &str) -> &'p str {
    let start = format!("<meta property=\"og:{name}\" content=\"");
    let after = page.split_once(&start).unwrap().1;
    after.split('"').next().unwrap()
}

#[test]
fn every_position_has_a_card() {
    for path in [
        "/classic-3x3/card.png?position=..G/.R./Y..",
        "/classic-3x3/card.png?moves=b2R,b2Y&ply=1&lang=pt",
        "/ampel-4-2-1/card.png?hints=0&lang=de",
        "/classic-2x3/card.png?moves=a1R,b1R,c1R",
    ] {
        let (head, body) = raw(server(), path, "");
        assert!(head.starts_with("http/1.1 200"), "{path}: {head}");
        assert!(head.contains("content-type: image/png"), "{head}");
        let number = |at: usize| u32::from_be_bytes(body[at..at + 4].try_into().unwrap());
        assert_eq!((number(16), number(20)), (1200, 630), "{path}");
        // Another time the same comes out of what is kept.
        assert_eq!(raw(server(), path, "").1, body, "{path}");
    }
    // Before a puzzle it says what is to be found, and how hard that is.
    let of_puzzle = |level: u8| {
        let own = format!("position=..G/.R./Y..&hints=0&play=first&puzzle={level}");
        raw(server(), &format!("/classic-3x3/card.png?{own}"), "").1
    };
    let plain = raw(
        server(),
        "/classic-3x3/card.png?position=..G/.R./Y..&hints=0",
        "",
    )
    .1;
    assert!(of_puzzle(1) != of_puzzle(2) && of_puzzle(0) != plain);
    assert_eq!(get("/nothing/card.png").status, 404);
    assert_eq!(get("/classic-3x3/card.png?moves=x").status, 400);
    assert_eq!(get("/classic-3x3/card.png?width=5").status, 400);
}

#[test]
fn pages_name_their_card_under_the_address_that_the_reader_sees() {
    let page = get("/classic-3x3?position=..G/.R./Y..").body;
    let card = format!(
        "http://{}/classic-3x3/card.png?position=..G/.R./Y..",
        server()
    );
    assert_eq!(property(&page, "image"), card);
    // Whoever receives a link is no player.
    assert_eq!(
        property(&page, "title"),
        "Traffic Lights 3×3 · First player wins in 3 plies if both play best"
    );
    // Values that are hidden stay so.
    let hidden = get("/classic-3x3?hints=0").body;
    assert!(property(&hidden, "image").ends_with("/card.png?hints=0"));
    let secure = ask("GET", "/claims", "X-Forwarded-Proto: https\r\n").body;
    assert!(property(&secure, "image").starts_with("https://"));
    let tablebase = Tablebase::open("no-such-folder").unwrap();
    let host = start_with(tablebase, |settings| {
        settings.base_url = Some("https://example.org/green".parse().unwrap());
    });
    let (_, page) = raw(host, "/green/classic-2x3", "");
    let page = String::from_utf8(page).unwrap();
    assert_eq!(
        property(&page, "image"),
        "https://example.org/green/classic-2x3/card.png"
    );
    assert!(page.contains("href=\"/green/manifest.webmanifest\""));
}

/// A page that follows from tables alone is made once for all who ask alike.
#[test]
fn kept_pages_are_the_same_for_those_who_ask_alike_and_for_no_others() {
    let host = with_tables();
    let path = "/classic-3x3?position=R../.Y./...";
    let gzip = "Accept-Encoding: gzip\r\n";
    let mut texts = Vec::new();
    for headers in ["", gzip, "", gzip] {
        let (head, body) = raw(host, path, headers);
        assert_eq!(head.contains("content-encoding: gzip"), !headers.is_empty());
        assert!(head.contains("content-security-policy: ") && head.contains("accept-language"));
        let text = if headers.is_empty() {
            String::from_utf8(body).unwrap()
        } else {
            unpacked(&body)
        };
        texts.push(text);
    }
    assert!(texts.iter().all(|text| *text == texts[0]));
    for (other, headers) in [
        (path.to_string(), "Accept-Language: de\r\n"),
        (format!("{path}&lang=de"), ""),
        (format!("{path}&hints=0"), ""),
        (format!("{path}&lights=gyr"), ""),
    ] {
        let (_, body) = raw(host, &other, headers);
        assert_ne!(body, texts[0].as_bytes(), "{other}");
    }
}

#[test]
fn pages_are_compressed_for_those_who_read_gzip() {
    let gzip = "Accept-Encoding: gzip\r\n";
    for path in ["/", "/classic-3x3?moves=b2R", "/learn", "/nothing"] {
        let (head, body) = raw(server(), path, gzip);
        assert!(head.contains("content-encoding: gzip"), "{head}");
        assert!(head.contains("accept-encoding"), "{head}");
        assert!(body.len() <= 40 << 10, "{path}: {} bytes", body.len());
        assert_eq!(unpacked(&body), get(path).body, "{path}");
    }
    let page = get("/").body;
    let style = page
        .split('"')
        .find(|part| part.starts_with("/assets/style.css?"));
    let style = style.unwrap();
    let (head, body) = raw(server(), style, gzip);
    assert!(head.contains("immutable") && head.contains("content-encoding: gzip"));
    assert_eq!(unpacked(&body), get(style).body);
    // Other bytes have another tag, and each is known again by its own.
    let tag = |head: &str| {
        let line = head
            .lines()
            .find(|line| line.starts_with("etag: "))
            .unwrap();
        line["etag: ".len()..].to_string()
    };
    let plain = tag(&raw(server(), style, "").0);
    assert_ne!(tag(&head), plain);
    let again = format!("{gzip}If-None-Match: {}\r\n", tag(&head));
    assert!(raw(server(), style, &again).0.starts_with("http/1.1 304"));
    let (head, _) = raw(server(), "/assets/style.css", "");
    assert!(
        !head.contains("immutable"),
        "an address without the hash may change"
    );
}

#[test]
fn a_tree_has_positions_up_to_symmetry_and_links_that_play() {
    let page = get("/classic-3x4/tree?depth=1").body;
    // The start and four openings, where there are twelve squares.
    assert!(page.contains("Positions: 5"), "{page}");
    assert!(page.contains("stands for 4") && page.contains("<svg"));
    let list = page.find("<ul>").unwrap();
    assert!(list < page.find("class=\"scroll graph\"").unwrap());
    assert!(page.contains("href=\"/classic-3x4?moves=b2R\"") || page.contains("moves=b2R"));
    // The same position on two ways is drawn once.
    let is_whole = |page: &Answer| page.status == 200 && !page.body.contains("data-again=");
    let deep = ask_until(server(), "/classic-2x3/tree?depth=2", is_whole);
    assert_eq!(deep.status, 200, "{}", deep.body);
    let deep = deep.body;
    let listed = deep.matches("<li>").count();
    let drawn = deep.matches("class=\"knot").count();
    assert!(
        drawn < listed && deep.contains("same as "),
        "{drawn} {listed}"
    );
    // One wide line leads to each place, other ways that meet there are thin.
    let lines: Vec<&str> = deep.split("<path class=\"edge ").skip(1).collect();
    let (meeting, first): (Vec<&str>, Vec<&str>) = lines
        .iter()
        .partition(|line| line.split('"').next().unwrap().ends_with("merge"));
    assert!(!meeting.is_empty() && first.len() == drawn - 1, "{deep}");
    // A box is as wide as its text, and all first moves are on the first screen.
    let far = get("/semaforo/tree?depth=3&lang=de").body;
    assert!(
        far.contains("\u{d7}4: Die Stellung steht f\u{fc}r 4, die gespiegelt"),
        "{far}"
    );
    let boxes: Vec<[usize; 3]> = far
        .split("<rect class=\"knot ")
        .skip(1)
        .map(|knot| {
            ["x", "y", "width"].map(|key| {
                let (_, rest) = knot.split_once(&format!(" {key}=\"")).unwrap();
                rest.split('"').next().unwrap().parse().unwrap()
            })
        })
        .collect();
    let start = boxes.iter().find(|[x, ..]| *x == 2).unwrap();
    assert!(start[2] >= 44 + 9 * "Anfang \u{2715} 26".chars().count());
    let next = boxes.iter().map(|[x, ..]| *x).filter(|x| *x > 2).min();
    let firsts = boxes.iter().filter(|[x, ..]| Some(*x) == next);
    let heights: Vec<usize> = firsts.map(|[_, y, _]| *y).collect();
    assert!(
        heights.len() == 4 && heights.iter().all(|y| *y < 424),
        "{heights:?}"
    );
    // A repertoire has one move where its player is to move.
    let mine = get("/classic-3x3/tree?depth=1&for=first").body;
    assert!(mine.contains("Positions: 2"), "{mine}");
    assert_eq!(get("/classic-3x3/tree?depth=9").status, 400);
    assert_eq!(get("/classic-3x3/tree?for=third").status, 400);
}

/// The memory does for sweeps, and not for a solve of the board.
#[test]
fn a_tree_that_no_table_answers_is_there_at_once_and_grows() {
    let memory = greenwave_tablebase::Settings {
        memory: Some(256 << 20),
        ..Default::default()
    };
    let tablebase = Tablebase::with_settings("no-such-folder", &memory).unwrap();
    let host = start_with(tablebase, |settings| {
        (settings.jobs, settings.budget) = (4, Duration::from_secs(2));
    });
    let whole = "/api/v1/book?variant=classic-4x4&depth=3";
    let begun = ask_at(host, "GET", whole, "");
    assert!(matches!(begun.status, 200 | 202), "{begun:?}");
    if begun.status == 202 {
        assert!(begun.header("retry-after").is_some(), "{begun:?}");
        // The page shows at least the first moves of what is being worked out.
        let page = ask_at(host, "GET", "/classic-4x4/tree?depth=3", "");
        let shows = page.body.contains("<h1>") && page.body.contains("moves=a1R");
        assert!([202, 503].contains(&page.status) || shows, "{page:?}");
    }
    let lines = get_at(host, whole).lines();
    let (end, nodes) = lines.split_last().unwrap();
    assert_eq!(end["nodes"], nodes.len());
    assert!(
        nodes.iter().all(|node| node["distance"].is_u64()),
        "{nodes:?}"
    );
    let page = ask_until(host, "/classic-4x4/tree?lang=de", |page| {
        page.status == 200 && !page.body.contains("data-again")
    });
    assert!(page.body.contains("Stellungen: 39"), "{page:?}");
    assert!(!page.body.contains("Stellungen ohne Wert"), "{page:?}");
    // Where neither time nor memory do, the page has an end and says so.
    let page = ask_until(host, "/classic-5x5/tree?depth=1", |page| {
        page.status == 200 && !page.body.contains("data-again")
    });
    assert!(page.body.contains("Positions: 7"), "{page:?}");
}

#[test]
fn a_frame_has_the_board_and_one_bar() {
    let page = get("/classic-3x3?moves=b2R&embed=1").body;
    let main = &page[page.find("<main").unwrap()..page.find("</main>").unwrap()];
    assert_eq!(main.matches("<section").count(), 1, "{main}");
    assert!(
        main.contains("class=\"embed-bar\"") && main.contains("href=\"/classic-3x3?moves=b2R\"")
    );
    let whole = get("/classic-3x3?moves=b2R").body;
    // The link and its code come first; what few need is folded.
    let (_, share) = whole.split_once("<details id=\"share\"").expect(&whole);
    let (first, folded) = share.split_once("<details>").expect(share);
    assert!(first.contains("data-copy=\"link\"") && first.contains("data-share=\"http"));
    assert!(
        first.contains("class=\"qr\"") && !first.contains("iframe"),
        "{first}"
    );
    let (folded, _) = folded.split_once("</details>").unwrap();
    assert!(
        folded.contains("&lt;iframe") && folded.contains("/api/v1/query"),
        "{folded}"
    );
    assert!(whole.contains("&lt;iframe src=") && whole.contains("data-copy-image="));
}

#[test]
fn pictures_are_in_the_language_of_the_page() {
    let english = get("/api/v1/draw.svg?variant=bag-classic-2x3").body;
    assert!(english.contains("Hand to move: empty"), "{english}");
    let german = get("/api/v1/draw.svg?variant=bag-classic-2x3&lang=de").body;
    assert!(
        german.contains("leer") && !german.contains("empty") && !german.contains("Market"),
        "{german}"
    );
    let page = get("/classic-2x3?moves=b2R&lang=de").body;
    let pictures = page.split("href=\"/api/v1/draw.svg?").skip(1);
    let addresses: Vec<&str> = pictures.filter_map(|rest| rest.split('"').next()).collect();
    assert_eq!(addresses.len(), 2, "a picture and a film");
    assert!(
        addresses.iter().all(|one| one.ends_with("lang=de")),
        "{addresses:?}"
    );
    // A browser that prefers another language is shown the card of this page all the same.
    let card = "/classic-2x3/card.png?moves=b2R&amp;lang=en\"";
    assert!(get("/classic-2x3?moves=b2R").body.contains(card));
}

#[test]
fn a_game_is_a_film() {
    let film = get("/api/v1/draw.svg?variant=classic-3x3&moves=b2R,b2Y,a1R&film=1");
    assert_eq!(film.header("content-type"), Some("image/svg+xml"));
    assert_eq!(film.body.matches("class=\"frame\"").count(), 4);
}

#[test]
fn an_application_has_its_files() {
    let manifest = get("/manifest.webmanifest");
    assert_eq!(manifest.json()["short_name"], "Greenwave");
    for icon in manifest.json()["icons"].as_array().unwrap() {
        let path = format!("/{}", icon["src"].as_str().unwrap());
        assert_eq!(get(&path).status, 200, "{path}");
    }
    let worker = get("/sw.js");
    assert_eq!(worker.header("cache-control"), Some("no-cache"));
    assert!(!worker.body.contains("@VERSION@") && !worker.body.contains("@SAID@"));
    // It says in every language that a page is not kept.
    for said in [
        "en:{title:\"No network\"",
        "de:{title:\"Keine Verbindung\"",
        "es:{",
        "pt:{",
    ] {
        assert!(worker.body.contains(said), "{said}");
    }
    // It names every file that pages load, by its present address.
    let page = get("/").body;
    let loaded = page.split('"').filter(|part| part.starts_with("/assets/"));
    for path in loaded {
        assert!(worker.body.contains(&path[1..]), "{path}");
    }
    assert_eq!(
        get("/favicon.ico").header("content-type"),
        Some("image/png")
    );
}

#[test]
fn the_solver_can_be_kept_for_when_there_is_no_network() {
    let folder = tempfile::tempdir().unwrap();
    let names = ["index.html", "site.js", "style.css", "icon.svg"];
    for name in names {
        std::fs::write(folder.path().join(name), format!("this is {name}")).unwrap();
    }
    let host = start_with(Tablebase::open("no-such-folder").unwrap(), |settings| {
        settings.offline = Some(folder.path().into());
    });
    let worker = get_at(host, "/sw.js").body;
    for name in names {
        let file = get_at(host, &format!("/offline/{name}"));
        assert_eq!(
            (file.status, file.body.as_str()),
            (200, format!("this is {name}").as_str())
        );
        let policy = file.header("content-security-policy").unwrap();
        assert!(policy.contains("'wasm-unsafe-eval'") && policy.contains("worker-src blob:"));
        assert!(worker.contains(&format!("\"offline/{name}\"")), "{name}");
    }
    assert_eq!(get_at(host, "/offline/strip.html").status, 404);
    // Where there is a solver the pages offer it; elsewhere they do not, and its files are not there.
    let page = get_at(host, "/classic-3x3").body;
    assert!(page.contains("data-solver") && page.contains("the solver answers for all others"));
    assert!(!get("/classic-3x3").body.contains("data-solver"));
    assert_eq!(get("/offline/index.html").status, 404);
}

#[test]
fn a_folder_without_the_solver_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("index.html"), "").unwrap();
    let settings = ExplorerSettings {
        offline: Some(folder.path().into()),
        ..bare()
    };
    let refused = serve(settings, "127.0.0.1", 0, &mut |_| {})
        .unwrap_err()
        .to_string();
    assert!(
        refused.contains("site.js") && refused.contains("just site"),
        "{refused}"
    );
}

#[test]
fn help_settings_and_about_are_pages_in_every_language() {
    for language in ["en", "pt", "es", "de"] {
        for path in ["/help", "/settings", "/about"] {
            let page = get(&format!("{path}?lang={language}"));
            assert_eq!(page.status, 200, "{path} {language}");
            assert!(page.body.contains("data-page=\"help\""));
        }
    }
    let help = get("/help").body;
    assert!(help.contains("<dt>Ply</dt>") && help.contains("<kbd>?</kbd>"));
    // Without a script the page says what there is in its place.
    let settings = get("/settings").body;
    assert!(settings.contains("class=\"settings\" hidden") && settings.contains("needs-script"));
    let page = get("/classic-3x3").body;
    assert!(
        page.contains("popovertarget=\"term-nimber\"")
            && page.contains("id=\"term-nimber\" popover")
    );
}

/// The relative luminance of a colour (WCAG 2.2), 0 to 1.
fn luminance(colour: &str) -> f64 {
    let digits: String = match colour.len() {
        3 => colour.chars().flat_map(|digit| [digit; 2]).collect(),
        _ => colour.into(),
    };
    let part = |at: usize| {
        let value = u8::from_str_radix(&digits[at..at + 2], 16).unwrap();
        let share = f64::from(value) / 255.0;
        if share <= 0.04045 {
            share / 12.92
        } else {
            ((share + 0.055) / 1.055).powf(2.4)
        }
    };
    0.2126 * part(0) + 0.7152 * part(2) + 0.0722 * part(4)
}

#[test]
fn every_colour_of_a_text_is_read_on_the_grounds_of_both_schemes() {
    let style = include_str!("../../assets/style.css");
    // As a declaration of its own, not as the end of `border-color`.
    let declared = |text: &str, name: &str| -> Vec<String> {
        let start = format!("{name}:");
        let ends = text.match_indices(&start);
        let own = ends.filter(|(at, _)| text[..*at].ends_with(['{', ';']));
        own.map(|(at, _)| {
            let rest = &text[at + start.len()..];
            rest[..rest.find([';', '}']).unwrap()].to_string()
        })
        .collect()
    };
    let schemes: Vec<&str> = style
        .lines()
        .filter(|line| {
            line.contains("--ground:#") && line.contains("screen") | line.starts_with(":root{")
        })
        .collect();
    assert_eq!(schemes.len(), 3, "{schemes:?}");
    let texts: BTreeSet<String> = declared(style, "color").into_iter().collect();
    assert!(texts.contains("var(--soft)"), "{texts:?}");
    for text in &texts {
        let Some(name) = text
            .strip_prefix("var(")
            .and_then(|name| name.strip_suffix(')'))
        else {
            let follows = ["inherit", "GrayText", "transparent"];
            assert!(follows.contains(&text.as_str()), "{text} follows no scheme");
            continue;
        };
        // Texts of this colour stand on the colour of texts.
        if name == "--ground" {
            continue;
        }
        for scheme in &schemes {
            let colour = &declared(scheme, name)[0];
            for ground in
                ["--ground", "--card", "--raised"].map(|name| declared(scheme, name)[0].clone())
            {
                let [one, other] = [colour, &ground].map(|one| luminance(&one[1..]));
                let contrast = (one.max(other) + 0.05) / (one.min(other) + 0.05);
                assert!(
                    contrast >= 4.5,
                    "{name} {colour} on {ground}: {contrast:.2}"
                );
            }
        }
    }
}
