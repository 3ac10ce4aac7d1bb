//! What an address leads to, and what pages load.

use proptest::prelude::*;

use std::collections::BTreeSet;
use std::time::Duration;

use super::{addresses, with_strip};
use crate::common::{
    ask, ask_at, ask_until, ask_with_until, get, get_at, get_from_tables, server, start,
    start_with_strip, with_tables,
};

#[test]
fn nothing_is_loaded_from_elsewhere_and_every_address_is_there() {
    // Searches end soon, so that addresses of large games answer, too.
    let host = start_with_strip(4, Duration::from_millis(100));
    let get = |path: &str| ask_at(host, "GET", path, "");
    let (mut answered, mut tried) = (0, 0);
    for path in [
        "/",
        "/classic-3x3?moves=b2R,b2Y",
        "/small.toml",
        "/ring.toml",
        "/classic-2x3?edit=1",
    ] {
        let page = get(path);
        assert_eq!(page.status, 200, "{path}");
        assert!(
            !page.body.contains("<script>") && !page.body.contains(" style=\""),
            "{path}"
        );
        let mut all = addresses(&page);
        all.sort_unstable();
        all.dedup();
        for address in all.iter().filter(|address| !address.starts_with('#')) {
            assert!(address.starts_with('/'), "{path}: {address}");
        }
        let some = all
            .iter()
            .filter(|address| address.starts_with('/'))
            .step_by(5);
        for address in
            some.filter(|address| !address.ends_with("/go") && !address.ends_with("/record"))
        {
            let status = get(address).status;
            // A board so small has no hard puzzles.
            if address.contains("/puzzle?") && status == 404 {
                continue;
            }
            assert!(
                [200, 202, 303, 429, 503].contains(&status),
                "{path}: {address}: {status}"
            );
            tried += 1;
            answered += u32::from(status < 400);
        }
    }
    assert!(2 * answered > tried, "{answered} of {tried}");
}

/// Pages from which visitors set out, and one of each family.
const WAYS_IN: [&str; 16] = [
    "/",
    "/learn",
    "/play",
    "/compare",
    "/find",
    "/lesson",
    "/classic-3x3",
    "/signal-3x3",
    "/green-3x3",
    "/points-3x3",
    "/noughts-3x3",
    "/slider",
    "/strip",
    "/bag-classic-2x3",
    "/ampel-4-2-1",
    "/classic-3x3?view=board",
];

#[test]
fn every_link_of_the_ways_in_leads_somewhere() {
    let mut followed = BTreeSet::new();
    for path in WAYS_IN {
        let page = get_from_tables(path);
        assert_eq!(page.status, 200, "{path}: {}", page.body);
        for link in page.body.split("<a ").skip(1) {
            let tag = link.split('>').next().unwrap();
            let Some((_, address)) = tag.split_once("href=\"") else {
                continue;
            };
            let address = address.split('"').next().unwrap().replace("&amp;", "&");
            let address = address.split('#').next().unwrap().to_string();
            // Where the page is not ready yet, the address is good. Pictures take long to draw.
            let is_page = address.starts_with('/') && !address.contains(".png");
            if is_page && followed.insert(address.clone()) {
                let answer = ask_at(with_tables(), "GET", &address, "");
                assert!(
                    [200, 202, 303, 308, 503].contains(&answer.status),
                    "{path}: {address}: {}",
                    answer.status
                );
            }
        }
    }
    assert!(followed.len() > 300, "{}", followed.len());
}

#[test]
fn every_language_has_its_page_and_portuguese_its_order_of_the_lights() {
    for (language, words) in [
        ("en", "</span> in 26 plies if both play best"),
        ("pt", "</span> em 26 meias-jogadas"),
        ("es", "</span> en 26 medias jugadas"),
        ("de", "</span> bei bestem Spiel in 26 Halbz\u{fc}gen"),
    ] {
        // On a busy machine the board comes first.
        let path = format!("/semaforo?lang={language}");
        let page = ask_until(server(), &path, |page| page.body.contains(words));
        assert!(page.body.contains(words), "{language}");
        assert!(page.body.contains(&format!("<html lang=\"{language}\">")));
        assert!(page.body.contains("moves=a1G&amp;lang="), "green first");
        let accepts = format!("Accept-Language: {language};q=0.9\r\n");
        let accepted = ask_with_until(server(), "/semaforo", &accepts, |page| {
            page.body.contains(words)
        });
        assert!(accepted.body.contains(words), "{language}");
        let varies = accepted.header("vary");
        assert_eq!(varies, Some("Accept-Language, Accept-Encoding"));
    }
    assert!(
        get("/semaforo?lang=pt").body.contains(
            "class=\"of-game\" href=\"/semaforo?lang=pt\">Sem\u{e1}foro de campeonato</a>"
        )
    );
    assert!(
        get("/?lang=pt")
            .body
            .contains("<strong>Sem\u{e1}foro de campeonato</strong>")
    );
    let turned = get("/semaforo?colours=ryg");
    assert!(turned.body.contains("moves=a1R&amp;lights=ryg"));
}

#[test]
fn pages_are_described_by_their_own_sentence() {
    let described = |path: &str| {
        let page = get(path).body;
        let (_, rest) = page.split_once("og:description\" content=\"").expect(path);
        rest.split('"').next().unwrap().to_string()
    };
    let turn = described("/classic-3x3?moves=b2R&lang=de");
    assert!(
        turn.starts_with("Der zweite Spieler ist am Zug. "),
        "{turn}"
    );
    assert!(described("/classic-3x3").contains(" in 17 plies if both play best."));
    assert!(described("/claims").starts_with("Statements about these games"));
    assert!(described("/about").starts_with("Greenwave solves"));
    // Pages without a sentence of their own have the rules of their game.
    let misere = described("/classic-2x3:play=misere/play");
    assert!(misere.contains("completes a line loses."), "{misere}");
    assert!(described("/noughts-3x3/learn").contains("puts X"));
}

#[test]
fn only_the_embedded_view_may_stand_in_a_frame() {
    let policy = |path: &str| {
        get(path)
            .header("content-security-policy")
            .unwrap()
            .to_string()
    };
    assert!(policy("/classic-3x3").ends_with("frame-ancestors 'none'"));
    assert!(policy("/classic-3x3?embed=1").ends_with("frame-ancestors *"));
    assert!(!policy("/classic-3x3").contains("unsafe"));
    let page = get("/classic-3x3");
    assert_eq!(page.header("access-control-allow-origin"), None);
    assert_eq!(page.header("x-content-type-options"), Some("nosniff"));
}

#[test]
fn wrong_addresses_help() {
    let page = get("/classic-3x3?moves=b2R,b2R");
    assert_eq!(page.status, 400);
    assert!(page.body.contains("Move 2, b2R, was not played:"));
    assert!(
        page.body
            .contains("href=\"/classic-3x3?moves=b2R,b2R&amp;lang=de\""),
        "{}",
        page.body
    );
    let page = get("/classic-3x3/tree?moves=b2R,b2R");
    assert_eq!(page.status, 400);
    assert!(page.body.contains("move 2") && page.body.contains("href=\"/classic-3x3\""));
    let misspelt = get("/clasic-3x3");
    assert_eq!(misspelt.status, 404);
    for near in ["classic-3x3", "classic-3x4", "classic-3x5"] {
        let link = format!("href=\"/{near}\"");
        assert!(misspelt.body.contains(&link), "{}", misspelt.body);
    }
    assert_eq!(get("/classic-3x3/../../etc/passwd").status, 404);
    let page = get("/%3Cscript%3Ealert(1)%3C/script%3E");
    assert!(page.status == 404 && !page.body.contains("<script>alert"));
}

#[test]
fn a_page_is_found_by_other_names_that_visitors_type() {
    for (typed, page) in [
        ("/games", "/"),
        ("/go", "/"),
        ("/de", "/?lang=de"),
        (
            "/pt/classic-3x3/tree?depth=1",
            "/classic-3x3/tree?depth=1&lang=pt",
        ),
        ("/variants?lang=de", "/?lang=de"),
        ("/puzzles", "/puzzle"),
        ("/table", "/tables"),
        ("/claim/27", "/claims/27"),
        ("/games/classic-3x3", "/classic-3x3"),
        (
            "/classic-3x3/puzzles?count=2",
            "/classic-3x3/puzzle?count=2",
        ),
        ("/classic-3x4/tables?lang=pt", "/tables?lang=pt"),
        ("/classic-3x4/claims", "/claims?find=classic-3x4"),
        ("/semaforo/compare", "/compare?a=semaforo"),
    ] {
        let answer = get(typed);
        assert_eq!(answer.status, 303, "{typed}");
        assert_eq!(answer.header("location"), Some(page), "{typed}");
    }
    for nowhere in ["/classic-3x3/gamez", "/clasic-3x3/tables"] {
        assert_eq!(get(nowhere).status, 404, "{nowhere}");
    }
}

#[test]
fn what_a_page_cannot_make_sense_of_is_told() {
    for (path, part) in [
        (
            "/classic-2x3?postion=R../...",
            "no parameter 'postion': did you mean 'position'?",
        ),
        (
            "/classic-2x3?lang=xx",
            "found 'xx', expected one of en, pt, es, de",
        ),
        (
            "/classic-2x3?play=third",
            "expected one of first, second, both",
        ),
        (
            "/classic-2x3?level=expert",
            "perfect, strong, medium or easy",
        ),
        ("/classic-2x3?hints=maybe", "expected 1, yes, on or true"),
        ("/classic-2x3?hint=9", "a number from 0 to 3"),
        ("/classic-2x3?seed=x", "seed: found 'x'"),
        ("/classic-2x3?puzzle=7", "a number from 0 to 5"),
        (
            "/classic-2x3?from=z9",
            "expected a square of the board, such as a1",
        ),
        ("/classic-2x3?moves=b2R&ply=2", "a number from 0 to 1"),
        ("/classic-2x3?colours=red", "lights: found 'red'"),
        ("/classic-2x3/puzzle?level=6", "a number from 1 to 5"),
        ("/classic-2x3/sheet?count=0", "a number from 1 to 24"),
        ("/compare?c=classic-2x3", "no parameter 'c'"),
        ("/?name=classic-2x3", "no parameter 'name'"),
        (
            "/go?name=classic-2x3&o-plya=misere",
            "no parameter 'o-plya': did you mean 'o-play'?",
        ),
    ] {
        let refused = get(path);
        assert_eq!(refused.status, 400, "{path}");
        let shown = refused.body.replace("&#39;", "'");
        assert!(shown.contains(part), "{path}: {shown}");
        assert!(
            shown.contains("href=\"/\"") || shown.contains("href=\"/?"),
            "{path}"
        );
    }
    // Marks that others put on addresses which are passed on.
    assert_eq!(get("/classic-2x3?utm_source=x&fbclid=y").status, 200);
}

#[test]
fn a_page_that_has_to_be_waited_for_says_so_and_asks_again() {
    let host = start(2, Duration::from_millis(20));
    let waits = |path: &str| {
        let page = ask_at(host, "GET", path, "");
        // Work under way is no failure: browsers would say so in their consoles.
        assert_eq!(page.status, 202, "{path}: {}", page.body);
        assert!(page.header("retry-after").is_some(), "{path}");
        page
    };
    let page = waits("/classic-2x6/puzzle?seed=1&level=3");
    assert!(page.body.contains("data-again=\"") && page.body.contains("http-equiv=\"refresh\""));
    // Heading and title name what is worked out.
    let sum = waits("/sum?boards=classic-3x4+classic-2x6&lang=es");
    for (page, subject) in [
        (
            &page,
            "Traffic Lights 2\u{d7}6 \u{b7} Puzzles: being worked out",
        ),
        (&sum, "Varios tableros a la vez: calculando"),
    ] {
        assert!(
            page.body.contains(&format!("<h1>{subject}</h1>"))
                && page.body.contains(&format!("<title>{subject} ")),
            "{subject}: {}",
            page.body
        );
    }
    // What is published of a game is there before its positions are counted.
    let stats = get_at(host, "/classic-3x4/stats?lang=de");
    assert_eq!(stats.status, 200);
    assert!(
        stats.body.contains("data-again=\"") && stats.body.contains("26 Halbz\u{fc}gen"),
        "{}",
        stats.body
    );
    // Boards and what is published of games are there before their figures.
    let compared = get_at(host, "/compare?a=signal-3x3&b=green-3x3");
    assert!(compared.body.contains("data-again=\"") && compared.body.contains("in 17 plies"));
    // It is the same page in other languages, and under its own tab.
    assert!(
        page.body
            .contains("href=\"/classic-2x6/puzzle?seed=1&amp;level=3&amp;lang=de\"")
            && page.body.contains("aria-current=\"page\""),
        "{}",
        page.body
    );
    // It is no fault, and there is nothing to type.
    let (_, main) = page.body.split_once("<main").unwrap();
    let main = main.split("</main>").next().unwrap();
    assert!(
        !main.contains("\"problem\"") && !main.contains("<form"),
        "{main}"
    );
}

#[test]
fn forms_lead_to_variants() {
    let form = get("/classic-2x3:play=misere?hints=0").body;
    assert!(
        form.contains("<option value=\"misere\" selected>loses</option>")
            && form.contains("<option value=\"cap4\">at most 4 on the board</option>"),
        "{form}"
    );
    let moved = get("/go?name=classic-3x3&o-play=misere&o-supply=unlimited&lang=de");
    assert_eq!(moved.status, 303);
    assert_eq!(
        moved.header("location"),
        Some("/classic-3x3:play=misere?lang=de")
    );
    assert_eq!(get("/go?name=").header("location"), Some("/"));
    assert_eq!(get("/go?name=nothing").status, 404);
}

#[test]
fn codes_are_pictures() {
    let code = get("/qr.svg?text=http://127.0.0.1/classic-3x3");
    assert_eq!(code.header("content-type"), Some("image/svg+xml"));
    assert_eq!(get("/qr.svg").status, 400);
    assert_eq!(
        get(&format!("/qr.svg?text={}", "x".repeat(4000))).status,
        400
    );
}

#[test]
fn files_are_kept_and_confirmed() {
    let page = get("/");
    let script = addresses(&page)
        .into_iter()
        .find(|address| address.contains(".js"))
        .unwrap();
    let asset = get(&script);
    let tag = asset.header("etag").unwrap().to_string();
    let again = ask("GET", &script, &format!("If-None-Match: {tag}\r\n"));
    assert_eq!((again.status, again.body.as_str()), (304, ""));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn whatever_is_asked_is_answered_or_refused(
        path in "(/|/api/v1/(query|line|rules|draw\\.svg)|/classic-2x3|/small\\.toml|/go|/qr\\.svg)",
        query in "(variant=classic-2x3&)?((position|moves|colours|ply|from|edit|hints|lang|text|name)=[!-~]{0,12}&?){0,4}",
    ) {
        let query = query.replace(['#', ' '], "");
        let status = get_at(with_strip(), &format!("{path}?{query}")).status;
        prop_assert!([200, 202, 303, 400, 404, 429, 503].contains(&status), "{}", status);
    }

    #[test]
    fn whatever_path_is_named_nothing_outside_is_shown(path in "/[!-~]{0,30}") {
        let path = path.replace(['#', '?', ' '], "");
        let status = get(&path).status;
        prop_assert!([200, 202, 400, 404, 429, 503].contains(&status), "{}", status);
    }
}
