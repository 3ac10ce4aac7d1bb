//! What may go wrong around a server: its tables, its proxy, its memory, its clients.

use std::fs;
use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::time::{Duration, Instant};

use greenwave_tablebase::{Settings as Limits, Tablebase};
use greenwave_web::{ExplorerSettings, Proxy, serve};
use proptest::prelude::*;

use crate::common::{PATIENCE, ask, ask_at, bare, get, get_at, send_at, server, start_with};

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
        assert!(error.starts_with("classic-3x3/distance.gwt: "), "{error}");
        // Whoever asks cannot run the commands of the server, and another folder is theirs.
        assert!(!error.contains("greenwave solve"), "{error}");
        assert!(answer.json()["hint"].is_null(), "{}", answer.body);
        let folder = folder.path().display().to_string();
        assert!(!error.contains(&folder), "{error}");
        let page = ask_at(host, "GET", "/classic-3x3", "");
        assert!(page.status == 500 && page.body.contains("role=\"alert\""));
        assert!(!page.body.contains(&folder), "{}", page.body);
        assert!(!page.body.contains("greenwave solve"), "{}", page.body);
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
        settings.base_url = Some("https://example.org/green".parse().unwrap());
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
    // Where the proxy leaves its prefix in the address, the page is the same. After a page with
    // part of a search comes the whole.
    let whole = |address: &str| loop {
        let page = ask_at(host, "GET", address, "");
        assert_eq!(page.status, 200);
        if !page.body.contains("stage=") {
            break page.body;
        }
    };
    let page = whole("/classic-2x3?moves=b2R");
    assert_eq!(whole("/green/classic-2x3?moves=b2R"), page);
    let moved = ask_at(host, "GET", "/green/classic-2x3/", "");
    assert_eq!(moved.header("location"), Some("/green/classic-2x3"));
    let robots = ask_at(host, "GET", "/green/robots.txt", "");
    assert_eq!(
        robots.header("content-type"),
        Some("text/plain; charset=utf-8")
    );
    assert!(
        robots.body.contains("Disallow: /green/api/\n"),
        "{}",
        robots.body
    );
}

#[test]
fn the_prefix_of_a_base_url_is_read_in_every_spelling() {
    for (base, spellings) in [
        ("/green", &["/green", "//green", "/%67reen", "/./green"][..]),
        (
            "/Caf%C3%A9/a%20b",
            &[
                "/Caf%C3%A9/a%20b",
                "/Caf%c3%a9/a%20b",
                "/Café/a%20b",
                "/Caf%C3%A9//a%20b",
            ],
        ),
        ("/a%2Fb", &["/a%2Fb", "/a%2fb"]),
    ] {
        let host = start_with(Tablebase::open("no-such-folder").unwrap(), |settings| {
            settings.base_url = Some(format!("http://x{base}").parse().unwrap());
        });
        for spelling in spellings {
            let path = format!("{spelling}/robots.txt");
            let mut answer = ask_at(host, "GET", &path, "");
            if *spelling != base {
                let normal = format!("{base}/robots.txt");
                let moved = (answer.status, answer.header("location"));
                assert_eq!(moved, (308, Some(&*normal)), "{path}");
                answer = ask_at(host, "GET", &normal, "");
            }
            assert_eq!(answer.status, 200, "{path}");
        }
    }
}

/// The addresses are those of the documentation.
#[test]
fn a_base_url_that_begins_like_an_address_of_the_server_is_refused() {
    let addresses = include_str!("../../../../docs/reference/http.md");
    let addresses = addresses.split("\n## ").nth(1).unwrap();
    let rows = addresses.lines().filter_map(|line| line.strip_prefix("| "));
    let cells = rows.filter_map(|row| row.split(" |").next());
    let paths = cells.flat_map(|cell| cell.split('`').filter_map(|text| text.strip_prefix('/')));
    let firsts = paths.filter_map(|path| path.split(['/', '?']).next());
    let known = firsts.filter(|first| !first.is_empty() && *first != "VARIANT");
    let known: Vec<&str> = known
        .chain(["assets", "favicon.ico", "go", "qr.svg", "classic-3x3"])
        .collect();
    assert!(known.contains(&"api") && known.len() > 15, "{known:?}");
    for first in known {
        let settings = ExplorerSettings {
            base_url: Some(format!("http://x/{first}/more").parse().unwrap()),
            ..bare()
        };
        let refused = serve(settings, "127.0.0.1", 0, &mut |_| {
            panic!("/{first} is served")
        });
        let refused = refused.unwrap_err().to_string();
        assert!(refused.contains(&format!("'/{first}'")), "{refused}");
    }
}

#[test]
fn nothing_in_an_address_ends_its_field_of_the_log() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("log");
    let host = start_with(Tablebase::open("no-such-folder").unwrap(), |settings| {
        settings.access_log = Some(log.clone());
    });
    ask_at(host, "GET", "/healthz\"x\\", "");
    let text = fs::read_to_string(&log).unwrap();
    assert!(text.contains(r#" "GET /healthz\"x\\" 308 "#), "{text}");
}

#[test]
fn only_a_trusted_proxy_names_clients_and_its_last_word_counts() {
    let folder = tempfile::tempdir().unwrap();
    for (trusted, headers, named) in [
        (
            Proxy::loopback(),
            "X-Forwarded-For: 9.9.9.9\r\nX-Forwarded-For: 1.2.3.4, 5.6.7.8\r\n",
            "5.6.7.8",
        ),
        (
            Proxy::loopback(),
            "X-Forwarded-For: 1.2.3.4\r\nX-Forwarded-For: [2001:db8::7]:99\r\n",
            "2001:db8::7",
        ),
        (
            Proxy::loopback(),
            "X-Forwarded-For: \"1.2.3.4\"\r\n",
            "1.2.3.4",
        ),
        (
            Proxy::loopback(),
            "X-Forwarded-For: \"[2001:db8::1]:443\"\r\n",
            "2001:db8::1",
        ),
        (
            Proxy::loopback(),
            "X-Forwarded-For: 1.2.3.4:\r\n",
            "1.2.3.4",
        ),
        (
            Proxy::loopback(),
            "X-Forwarded-For: fe80::1%eth0\r\n",
            "fe80::1",
        ),
        (
            Proxy::loopback(),
            "X-Forwarded-For: 1.2.3.4, nobody\r\n",
            "127.0.0.1",
        ),
        (Proxy::loopback(), "", "127.0.0.1"),
        (
            vec!["10.0.0.0/8".parse().unwrap()],
            "X-Forwarded-For: 1.2.3.4\r\n",
            "127.0.0.1",
        ),
    ] {
        let log = folder.path().join("log");
        let _ = fs::remove_file(&log);
        let host = start_with(Tablebase::open("no-such-folder").unwrap(), |settings| {
            settings.trusted = trusted;
            settings.access_log = Some(log.clone());
        });
        assert_eq!(ask_at(host, "GET", "/healthz", headers).status, 200);
        let text = fs::read_to_string(&log).unwrap();
        assert_eq!(text.split(' ').nth(1), Some(named), "{headers}: {text}");
    }
}

#[test]
fn requests_that_are_no_http_are_refused() {
    let host = server();
    for (request, statuses) in [
        (
            "GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n",
            &[400][..],
        ),
        (
            "GET /healthz HTTP/1.1\r\nHost: a\r\nHost: b\r\nConnection: close\r\n\r\n",
            &[400],
        ),
        (
            "GET /healthz HTTP/1.1\r\nHost: a\r\nHost: a\r\nConnection: close\r\n\r\n",
            &[400],
        ),
        (
            "GET /healthz HTTP/1.1\r\nHost: a/b\r\nConnection: close\r\n\r\n",
            &[400],
        ),
        (
            "GET /healthz HTTP/1.1\r\nHost: a:99999\r\nConnection: close\r\n\r\n",
            &[400],
        ),
        (
            "GET /healthz HTTP/1.1\r\nHost: [::1\r\nConnection: close\r\n\r\n",
            &[400],
        ),
        (
            "GET /healthz HTTP/1.1\r\nHost: a:b:c\r\nConnection: close\r\n\r\n",
            &[400],
        ),
        (
            "GET /healthz HTTP/1.1\r\nHost: [::1]:\r\nConnection: close\r\n\r\n",
            &[200],
        ),
        ("GET /healthz HTTP/1.0\r\n\r\n", &[200]),
        (
            "GET http://x/healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
            &[200],
        ),
        (
            "GET /healthz HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\nzz\r\n",
            &[400],
        ),
        (
            "GET /healthz HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n3\r\nabcd\r\n0\r\n\r\n",
            &[400],
        ),
        (
            "GET /healthz HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n3\r\nabc\r\n0\r\n\r\n",
            &[200],
        ),
        (
            "GET /healthz HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked, chunked\r\nConnection: close\r\n\r\n0\r\n\r\n",
            &[400],
        ),
        (
            "GET * HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
            &[400],
        ),
        (
            "GET a:80 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
            &[400],
        ),
        (
            "GET /healthz#x HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
            &[400],
        ),
        (
            "GET http://x/healthz?a#x HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
            &[400],
        ),
        (
            "GET /healthz?a%23x HTTP/1.1\r\nHost: a\r\nReferer: /a#b\r\nConnection: close\r\n\r\n",
            &[200],
        ),
        ("GARBAGE\r\n\r\n", &[400]),
        ("GET /healthz HTTP/1.1\r\nHost : a\r\n\r\n", &[400]),
    ] {
        let answer = send_at(host, request.as_bytes());
        assert!(
            statuses.contains(&answer.status),
            "{request}: {}",
            answer.status
        );
    }
}

#[test]
fn a_path_leads_to_its_normal_form() {
    for (path, normal) in [
        ("/classic-2x3/", "/classic-2x3"),
        ("//classic-2x3", "/classic-2x3"),
        (
            "/%61pi/v1/rules?variant=classic-2x3",
            "/api/v1/rules?variant=classic-2x3",
        ),
        (
            "/api/v1/rules/?variant=classic-2x3",
            "/api/v1/rules?variant=classic-2x3",
        ),
        ("/classic-2x3%0A", "/classic-2x3"),
        ("/classic-2x3%20", "/classic-2x3"),
        ("/claims/", "/claims"),
        ("/./tables", "/tables"),
        ("/assets//style.css", "/assets/style.css"),
        ("///example.org/%2e%2e/classic-2x3", "/classic-2x3"),
        ("/CLASSIC-2x3", "/classic-2x3"),
        (
            "/2x3?moves=b2R&lang=de&hints=0",
            "/classic-2x3?moves=b2R&lang=de&hints=0",
        ),
        ("/Classic-2X3:play=normal/stats", "/classic-2x3/stats"),
        (
            "/traffic-lights/learn?lights=gyr",
            "/classic-3x3/learn?lights=gyr",
        ),
        ("/SEMAFORO/learn", "/semaforo/learn"),
    ] {
        for method in ["GET", "HEAD"] {
            let moved = ask(method, path, "");
            assert_eq!(
                (moved.status, moved.header("location")),
                (308, Some(normal)),
                "{path}"
            );
        }
        assert_eq!(get_at(server(), path).status, 200, "{path}");
    }
}

#[test]
fn errors_quote_at_most_200_characters() {
    let long = "q".repeat(3_000);
    let blanks = "b2R%20".repeat(500);
    for path in [
        format!("/{long}"),
        format!("/api/v1/{long}"),
        format!("/api/v2/{long}"),
        format!("/tables/{long}/value.gwt"),
        format!("/claims/{long}"),
        format!("/classic-3x3?position={long}"),
        format!("/classic-3x3?moves={long}"),
        format!("/classic-3x3?moves=b2R,{long},{long}"),
        format!("/classic-3x3?moves={}", "B".repeat(3_000)),
        format!("/classic-3x3/find?where={long}"),
        format!("/sum?boards={long}"),
        format!("/compare?a={long}&b=classic-3x3"),
        format!(
            "/classic-3x3?moves=b2R,{}",
            "qqqqqqqqqqqqqqqqqqqq,".repeat(50)
        ),
        format!("/api/v1/query?variant={long}"),
        format!("/api/v1/query?variant=classic-3x3&position={long}"),
        format!("/api/v1/query?variant=classic-3x3&position={blanks}"),
        format!("/api/v1/query?variant=classic-3x3&moves={long}"),
        format!("/api/v1/query?variant=classic-3x3&{long}=1"),
        format!("/api/v1/query?variant=classic-3x3&budget={long}"),
        format!("/api/v1/query?variant=classic-3x3&lang={long}"),
        format!("/api/v1/find?variant=classic-3x3&expression={long}"),
        format!("/api/v1/find?variant=classic-3x3&limit={long}&expression=ply=1"),
        format!("/api/v1/check?claim={long}"),
        format!("/api/v1/compare?variants={long}"),
        format!("/api/v1/sum?boards={long}"),
        format!("/api/v1/puzzle?variant=classic-3x3&level={long}"),
        format!("/api/v1/query?variant=%{long}"),
    ] {
        let answer = ask("GET", &path, "");
        assert!(
            [400, 404].contains(&answer.status),
            "{path:.60}: {}",
            answer.status
        );
        let error = if path.starts_with("/api/") {
            answer.json()["error"].as_str().unwrap().to_string()
        } else {
            let (_, text) = answer.body.split_once("role=\"alert\">").unwrap();
            text.split("</p>").next().unwrap().to_string()
        };
        let marked = answer.body.split_once("class=\"marked\">");
        let marked = marked.and_then(|(_, text)| text.split("</p>").next());
        // Each text and each attribute, links among them.
        let parts = answer.body.split(['"', '<', '>']);
        for part in parts {
            let typed = part.matches(['q', 'B']).count();
            assert!(typed <= 210, "{path:.60}: {typed} in {part:.400}");
        }
        for text in [&*error, marked.unwrap_or_default()] {
            let quoted = text.matches('q').count();
            assert!(quoted <= 210, "{path:.60}: {quoted} in {text:.400}");
        }
        assert!(error.chars().count() < 2_000, "{path:.60}: {error}");
        if path.starts_with("/api/") {
            let kind = answer.json()["kind"].as_str().unwrap().to_string();
            assert!(["usage", "text"].contains(&&*kind), "{path:.60}: {kind}");
        }
    }
}

#[cfg(unix)]
#[test]
fn a_log_that_was_moved_away_is_begun_again() {
    let folder = tempfile::tempdir().unwrap();
    let [log, old] = ["log", "old"].map(|name| folder.path().join(name));
    let host = start_with(Tablebase::open("no-such-folder").unwrap(), |settings| {
        settings.access_log = Some(log.clone());
    });
    assert_eq!(ask_at(host, "GET", "/healthz", "").status, 200);
    fs::rename(&log, &old).unwrap();
    let own = std::process::id().to_string();
    let told = std::process::Command::new("kill")
        .args(["-HUP", &own])
        .status();
    assert!(told.unwrap().success());
    let patience = Instant::now() + PATIENCE;
    while !log.exists() {
        assert!(Instant::now() < patience, "the log is not opened again");
        std::thread::sleep(Duration::from_millis(10));
    }
    assert_eq!(ask_at(host, "GET", "/robots.txt", "").status, 200);
    assert!(fs::read_to_string(&log).unwrap().contains("/robots.txt"));
    assert!(fs::read_to_string(&old).unwrap().contains("/healthz"));
}

#[test]
fn a_log_is_added_to_a_log_and_to_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    let settings = || ExplorerSettings {
        access_log: Some(file.clone()),
        ..bare()
    };
    let table = fs::read("../../solutions/classic-3x3/distance.gwt").unwrap();
    for other in [
        &table[..],
        b"b2R b2Y\n",
        b"variant = \"3x3\"\n",
        b"1 2 3\n",
        b"\xff\xfe",
    ] {
        fs::write(&file, other).unwrap();
        let refused = serve(settings(), "127.0.0.1", 0, &mut |_| panic!("it is served"));
        let refused = refused.unwrap_err().to_string();
        assert!(refused.contains("is no access log"), "{refused}");
        assert_eq!(fs::read(&file).unwrap(), other);
    }
    // Two servers after one another have one log, and an empty file is a log that begins.
    fs::write(&file, "").unwrap();
    for lines in 1..=2 {
        let host = start_with(Tablebase::open("no-such-folder").unwrap(), |settings| {
            settings.access_log = Some(file.clone());
        });
        assert_eq!(ask_at(host, "GET", "/healthz", "").status, 200);
        assert_eq!(fs::read_to_string(&file).unwrap().lines().count(), lines);
    }
}

#[test]
fn links_to_positions_are_not_followed_by_robots() {
    let page = get("/classic-2x3");
    let links: Vec<&str> = page.body.split("<a ").skip(1).collect();
    let of_positions = links
        .iter()
        .map(|link| link.split('>').next().unwrap())
        .filter(|tag| tag.contains("moves=") || tag.contains("position="));
    let mut count = 0;
    for tag in of_positions {
        assert!(tag.contains("rel=\"nofollow\""), "{tag}");
        count += 1;
    }
    assert!(count > 18, "{count}");
    let robots = get("/robots.txt");
    assert!(
        robots.body.contains("\nDisallow: /api/\n"),
        "{}",
        robots.body
    );
}

/// Half-sent requests, with half a head or half a body, from one address leave the others their answers.
#[test]
fn who_sends_half_a_request_makes_room_for_others() {
    let limits = Limits {
        memory: Some(64 << 20),
        threads: Some(1),
    };
    let tablebase = Tablebase::with_settings("no-such-folder", &limits).unwrap();
    const HEAD: &str = "GET /healthz HTTP/1.1\r\nHost: x\r\n";
    let rests = [
        ("X-", true),
        ("Transfer-Encoding: chunked\r\n\r\n", true),
        // This one has its answer.
        ("Content-Length: 5\r\n\r\n", false),
    ];
    for (number, (rest, is_waited_for)) in rests.into_iter().enumerate() {
        let trusted = if number > 0 {
            Vec::new()
        } else {
            Proxy::loopback()
        };
        let host = start_with(tablebase.clone(), |settings| settings.trusted = trusted);
        let half: Vec<TcpStream> = (0..200)
            .map(|_| {
                let mut stream = TcpStream::connect(host).unwrap();
                let _ = write!(stream, "{HEAD}{rest}");
                stream
            })
            .collect();
        let began = Instant::now();
        // Who has only just come keeps the place for a moment.
        let mut status = 0;
        while status != 200 && began.elapsed() < PATIENCE {
            status = ask_at(host, "GET", "/healthz", "").status;
        }
        assert_eq!(status, 200);
        // The server ends all of them after a while; a quick answer came before.
        let was_quick = began.elapsed() < Duration::from_secs(4);
        let waits = |stream: &TcpStream| {
            stream.set_nonblocking(true).unwrap();
            let read = (&*stream).read(&mut [0; 16]);
            read.is_err_and(|error| error.kind() == ErrorKind::WouldBlock)
        };
        assert!(
            half.iter().any(waits) || !was_quick || !is_waited_for,
            "all were ended for one"
        );
    }
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
    // If an answer takes longer than a question may, the client asks again.
    let get = |path: &str| get_at(host, path);
    let refused = get("/api/v1/stats?variant=semaforo");
    assert_eq!(refused.status, 413, "{}", refused.body);
    assert_eq!(refused.header("retry-after"), None);
    let error = refused.json()["error"].as_str().unwrap().to_string();
    let advice = "ask for less, or ask the command 'greenwave' on a machine of your own";
    assert!(error.ends_with(advice), "{error}");
    assert_eq!(refused.json()["kind"], "limit");
    assert_eq!(get("/api/v1/line?variant=slider").status, 413);
    let fits = get("/api/v1/stats?variant=classic-2x3");
    assert_eq!(fits.status, 200, "{}", fits.body);
    // One position is searched, and the page is there whatever the search proves.
    let searched = get("/api/v1/query?variant=semaforo&moves=b2G,b2Y");
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
        name in "(Accept-Language|If-Match|If-None-Match|If-Modified-Since|If-Unmodified-Since|Range|Host2|X-Forwarded-For|If-Range|Accept|Cookie|Expect)",
        value in "[ -~\u{e0}-\u{ff}]{0,60}",
        path in "(/|/classic-2x3|/assets/style\\.css|/tables/classic-3x3/distance\\.gwt|/api/v1/rules\\?variant=classic-2x3)",
    ) {
        let status = ask("GET", &path, &format!("{name}: {value}\r\n")).status;
        prop_assert!([200, 304, 400, 404, 412, 416, 417].contains(&status), "{}", status);
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
        // A longer search still gets an answer, and a later one improves it.
        let patience = Instant::now() + PATIENCE;
        let answer = loop {
            let answer = ask("GET", path, "");
            if answer.status != 202 || Instant::now() > patience {
                break answer;
            }
            std::thread::sleep(Duration::from_millis(50));
        };
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
