//! What may go wrong around a server: its tables, its proxy, its memory, its clients.

use std::fs;
use std::path::Path;
use std::time::Duration;

use greenwave_tablebase::{Settings as Limits, Tablebase};
use proptest::prelude::*;

use crate::common::{ask, ask_at, start_with};

const SOLUTIONS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../solutions");

#[test]
fn a_table_that_is_damaged_or_replaced_meanwhile_is_told_and_nothing_else_suffers() {
    let folder = tempfile::tempdir().unwrap();
    let name = "classic-3x3";
    let own = folder.path().join(name);
    fs::create_dir(&own).unwrap();
    let table = own.join("distance.gwt");
    let published = |name: &str| Path::new(SOLUTIONS).join(name).join("distance.gwt");
    let whole = fs::read(published(name)).unwrap();
    let put = |bytes: &[u8]| {
        // As the program itself writes tables: beside, then in their place.
        let beside = own.join("new");
        fs::write(&beside, bytes).unwrap();
        fs::rename(&beside, &table).unwrap();
    };
    put(&whole);
    let host = start_with(Tablebase::open(folder.path()).unwrap(), |_| {});
    let query = || ask_at(host, "GET", "/api/v1/query?variant=classic-3x3", "");
    let good = query();
    assert_eq!(
        (good.status, good.json()["source"]["kind"].as_str()),
        (200, Some("table"))
    );
    let mut flipped = whole.clone();
    let middle = flipped.len() / 2;
    flipped[middle..].iter_mut().for_each(|byte| *byte ^= 0x55);
    let other = fs::read(published("signal-3x3")).unwrap();
    for bytes in [
        &whole[..whole.len() / 3],
        &flipped,
        &other,
        b"no table at all",
    ] {
        put(bytes);
        let answer = query();
        assert_eq!(answer.status, 500, "{}", answer.body);
        let error = answer.json()["error"].as_str().unwrap().to_string();
        assert!(error.contains("classic-3x3"), "{error}");
        let page = ask_at(host, "GET", "/classic-3x3", "");
        assert!(page.status == 500 && page.body.contains("role=\"alert\""));
        let page = ask_at(host, "GET", "/classic-2x3", "");
        assert_eq!(page.status, 200);
    }
    put(&whole);
    let again = query();
    assert_eq!((again.status, &again.body), (200, &good.body));
    // And the file written over in place, and gone.
    fs::write(&table, &flipped).unwrap();
    assert!([200, 500].contains(&query().status));
    fs::remove_file(&table).unwrap();
    let solved = query();
    assert_eq!(solved.json()["value"], good.json()["value"]);
    assert_eq!(
        ask_at(host, "GET", "/tables/classic-3x3/distance.gwt", "").status,
        404
    );
}

#[test]
fn a_proxy_is_named_in_links_and_names_its_clients() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("log");
    let host = start_with(Tablebase::open("no-such-folder").unwrap(), |settings| {
        settings.base_url = Some("https://example.org/green".into());
        settings.access_log = Some(log.clone());
    });
    let page = ask_at(
        host,
        "GET",
        "/classic-2x3?moves=b2R",
        "X-Forwarded-For: 1.2.3.4, 5.6.7.8\r\n",
    );
    assert_eq!(page.status, 200);
    assert!(
        page.body
            .contains("value=\"https://example.org/green/classic-2x3?moves=b2R\"")
    );
    for address in page.body.split("href=\"").skip(1) {
        assert!(
            address.starts_with("/green/") || address.starts_with('#'),
            "{address:.40}"
        );
    }
    let moved = ask_at(host, "GET", "/go?name=classic-3x3", "");
    assert_eq!(moved.header("location"), Some("/green/classic-3x3"));
    let text = fs::read_to_string(&log).unwrap();
    let line = text.lines().next().unwrap();
    assert!(
        line.contains(" 5.6.7.8 \"GET /classic-2x3?moves=b2R\" 200 ") && line.ends_with(" ms"),
        "{line}"
    );
    assert_eq!(text.lines().count(), 2, "{text}");
}

#[test]
fn no_question_takes_more_than_the_memory() {
    let limits = Limits {
        memory: Some(16 << 20),
        threads: Some(1),
    };
    let tablebase = Tablebase::with_settings("no-such-folder", &limits).unwrap();
    let host = start_with(tablebase, |settings| {
        settings.budget = Duration::from_millis(200)
    });
    let get = |path: &str| ask_at(host, "GET", path, "");
    let refused = get("/api/v1/stats?variant=semaforo");
    assert_eq!(refused.status, 400, "{}", refused.body);
    let error = refused.json()["error"].as_str().unwrap().to_string();
    assert!(error.contains("--memory"), "{error}");
    let fits = get("/api/v1/stats?variant=classic-2x3");
    assert_eq!(fits.status, 200, "{}", fits.body);
    // One position is searched, and the page is there whatever the search proves.
    let searched = get("/api/v1/query?variant=semaforo");
    assert_eq!(searched.json()["source"]["kind"], "searched");
    assert_eq!(get("/semaforo").status, 200);
}

#[test]
fn headers_are_read_or_refused_in_time() {
    let many: String = (0..200)
        .map(|number| format!("X-{number}: x\r\n"))
        .collect();
    assert!([400, 431].contains(&ask("GET", "/", &many).status));
    let long = format!("X-Long: {}\r\n", "x".repeat(1_000_000));
    let status = ask("GET", "/", &long).status;
    assert!([0, 400, 431].contains(&status), "{status}");
    assert_eq!(ask("POST", "/", "").status, 405);
    assert_eq!(ask("GET", "/", "Content-Length: 100000\r\n").status, 413);
    // The body of a request is not waited for.
    assert_eq!(
        ask("GET", "/healthz", "Content-Length: 100\r\n").status,
        200
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn whatever_headers_are_sent_the_answer_is_a_page_or_a_refusal(
        name in "(Accept-Language|If-None-Match|Range|Host2|X-Forwarded-For|If-Range|Accept|Cookie|Expect)",
        value in "[ -~\u{e0}-\u{ff}]{0,60}",
        path in "(/|/classic-2x3|/assets/style\\.css|/tables/classic-3x3/distance\\.gwt|/api/v1/rules\\?variant=classic-2x3)",
    ) {
        let status = ask("GET", &path, &format!("{name}: {value}\r\n")).status;
        prop_assert!([200, 304, 400, 404, 416, 417].contains(&status), "{}", status);
    }
}

#[test]
fn a_long_chain_of_operators_is_refused() {
    for sign in ["*", "+", "%2B"] {
        let terms = vec!["1"; 501].join(sign);
        let path = format!("/api/v1/find?variant=classic-2x2&expression={terms}%20%3E%201");
        let answer = ask("GET", &path, "");
        assert_eq!(answer.status, 400, "{}", answer.body);
        let wanted = "expected at most 500";
        assert!(answer.body.contains(wanted), "{sign}: {}", answer.body);
    }
}

#[test]
fn plus_signs_of_forms_are_read_as_forms_write_them() {
    let bag = "/api/v1/review?variant=bag-classic-3x3&position=.../.R./...;RRY;YGG;RG";
    for path in [
        "/api/v1/find?variant=classic-2x2&expression=moves+%2B+1+%3D+5",
        "/api/v1/find?variant=classic-2x2&expression=ply%2Bmoves+%3E+3&fields=ply+%2B+moves",
        "/api/v1/find?variant=classic-2x2&expression=moves%20+%201%20%3D%205",
        "/api/v1/check?claim=classic-2x2+none:+distance+%2B+1+%3D+99",
        "/api/v1/query?variant=ampel-4-2-1&moves=%2Bc2+pass",
        "/api/v1/query?variant=ampel-4-2-1&moves=+c2,pass",
        &format!("{bag}&moves=b2Y%2BG+%5BRR%5D"),
    ] {
        let answer = ask("GET", path, "");
        assert_eq!(answer.status, 200, "{path}: {}", answer.body);
    }
    let path = "/api/v1/query?variant=ampel-4-2-1&moves=%2Bc2,a1";
    let answer = ask("GET", path, "");
    assert_eq!(answer.status, 400, "{}", answer.body);
    assert!(answer.body.contains("move 2, 'a1'"), "{}", answer.body);
}

#[test]
fn a_refused_text_is_told_as_it_was_meant() {
    let find = "/api/v1/find?variant=classic-2x2&expression=";
    for (text, wanted) in [
        // Written by a form, and with plus signs.
        ("ply+%3D+1+adn+moves+%3D+2", "ply = 1 adn moves"),
        ("ply%20%3D%201+1+adn", "ply = 1+1+adn"),
        ("ply%20%3D%201%2B1%20adn", "ply = 1+1 adn"),
    ] {
        let answer = ask("GET", &format!("{find}{text}"), "");
        assert_eq!(answer.status, 400, "{}", answer.body);
        assert!(answer.body.contains(wanted), "{text}: {}", answer.body);
    }
    // One reading is a claim, with a mistake, and the other is none.
    let claim = "/api/v1/check?claim=classic-2x2+none:%20ply=1+adn";
    let answer = ask("GET", claim, "");
    assert_eq!(answer.status, 400, "{}", answer.body);
    assert!(answer.body.contains("'adn'"), "{}", answer.body);
}

#[cfg(unix)]
#[test]
fn a_pipe_in_the_place_of_a_table_is_not_waited_for() {
    let folder = tempfile::tempdir().unwrap();
    let own = folder.path().join("classic-3x3");
    fs::create_dir(&own).unwrap();
    let made = std::process::Command::new("mkfifo")
        .arg(own.join("distance.gwt"))
        .status();
    assert!(made.unwrap().success());
    let host = start_with(Tablebase::open(folder.path()).unwrap(), |_| {});
    let path = "/tables/classic-3x3/distance.gwt";
    assert_eq!(ask_at(host, "GET", path, "").status, 404);
}
