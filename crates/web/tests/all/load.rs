use std::io::{Error, ErrorKind, Read, Write};
use std::net::TcpStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::common::{Answer, PATIENCE, ask_at, ask_until, server, start};

#[test]
fn slow_clients_and_searching_ones_leave_the_page_quick() {
    let host = start(2, PATIENCE);
    let get = |path: &str| ask_at(host, "GET", path, "");
    assert_eq!(get("/classic-3x3").status, 200);
    let slow: Vec<TcpStream> = (0..300)
        .map(|_| {
            let mut stream = TcpStream::connect(host).unwrap();
            stream
                .write_all(b"GET /classic-3x3 HTTP/1.1\r\nHost: x\r\nX-")
                .unwrap();
            stream
        })
        .collect();
    let searching: Vec<TcpStream> = (0..100)
        .map(|number| {
            let mut stream = TcpStream::connect(host).unwrap();
            let path = format!(
                "/api/v1/query?variant=classic-5x6:play=misere&moves=a1R&budget={}s",
                250 + number % 2
            );
            write!(stream, "GET {path} HTTP/1.1\r\nHost: x\r\n\r\n").unwrap();
            stream
        })
        .collect();
    assert_eq!(get("/classic-3x3?moves=b2R").status, 200);
    // Beyond the jobs more computing is refused, with advice, once the others have them.
    let path = "/api/v1/query?variant=classic-5x6:play=misere&moves=b1R&budget=10";
    let refused = ask_until(host, path, |answer| [429, 503].contains(&answer.status));
    assert!([429, 503].contains(&refused.status), "{}", refused.status);
    assert!(refused.header("retry-after").is_some());
    // The board is shown whatever is being computed.
    let page = get("/classic-5x6:play=misere?moves=b1R");
    assert!(
        page.status == 200 && page.body.contains("data-again="),
        "{}",
        page.status
    );
    // All of it came while the others were searching.
    for mut stream in searching {
        stream.set_nonblocking(true).unwrap();
        let mut answer = [0; 12];
        if let Ok(count) = stream.read(&mut answer) {
            let answer = String::from_utf8_lossy(&answer[..count]);
            assert!(!answer.contains("200"), "{answer}: searched to its end");
        }
    }
    drop(slow);
    // Clients that go away stop their work: the next question is taken.
    let patience = Instant::now() + PATIENCE;
    while Instant::now() < patience {
        if get("/api/v1/query?variant=classic-5x6:play=misere&moves=c1R&budget=10").status == 200 {
            return;
        }
        std::thread::sleep(Duration::from_millis(100));
    }
    panic!("the jobs stay busy");
}

#[test]
fn a_request_that_is_never_finished_is_ended() {
    let mut stream = TcpStream::connect(server()).unwrap();
    stream.write_all(b"GET / HTTP/1.1\r\nHost: ").unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    let ended = stream.read_to_end(&mut Vec::new());
    let waits =
        |error: &Error| [ErrorKind::WouldBlock, ErrorKind::TimedOut].contains(&error.kind());
    assert!(
        !ended.is_err_and(|error| waits(&error)),
        "the server waits for ever"
    );
}

#[test]
fn a_page_for_which_was_searched_needs_no_search() {
    let host = start(1, Duration::from_secs(1));
    // Nothing is to be searched for, and nothing comes.
    let is_whole = |answer: &Answer| answer.status == 200 && !answer.body.contains("data-again=");
    let pages = ["/ampel?lang=en", "/green-5x5?moves=a1R"];
    for path in pages {
        let searched = ask_until(host, &format!("{path}&stage=2"), is_whole);
        assert!(is_whole(&searched), "{path}");
    }
    // Others take the one job again and again.
    let is_over = Arc::new(AtomicBool::new(false));
    let over = Arc::clone(&is_over);
    let others = std::thread::spawn(move || {
        let path = "/api/v1/query?variant=classic-5x6:play=misere&moves=a1R,";
        let mut squares = ["b1R", "c1R", "d1R", "e1R"].iter().cycle();
        while !over.load(Ordering::Relaxed) {
            let square = squares.next().unwrap_or(&"b1R");
            ask_at(host, "GET", &format!("{path}{square}&budget=1s"), "");
        }
    });
    // They have it as soon as another search is refused.
    let is_refused = |square: &str| {
        let path = "/api/v1/query?variant=classic-5x6:play=misere&moves=a2R,";
        let answer = ask_at(host, "GET", &format!("{path}{square}&budget=1s"), "");
        [429, 503].contains(&answer.status)
    };
    let mut squares = ["b2R", "c2R", "d2R", "e2R"].iter().cycle();
    let (begun, mut has_been_refused) = (Instant::now(), false);
    while !has_been_refused && begun.elapsed() < PATIENCE {
        has_been_refused = squares.next().is_some_and(|square| is_refused(square));
    }
    let again = pages.map(|path| ask_at(host, "GET", path, ""));
    is_over.store(true, Ordering::Relaxed);
    others.join().unwrap();
    assert!(has_been_refused, "the job is free");
    for (path, page) in pages.iter().zip(&again) {
        assert!(is_whole(page), "{path}");
    }
}

/// A class behind one address opens the same pages at once, on a server that has just begun.
#[test]
fn a_class_behind_one_address_gets_its_pages() {
    const PUPILS: usize = 30;
    let host = start(2, Duration::from_secs(60));
    let parts = ["tree?depth=1", "sheet", "puzzle", "card.png", "stats"];
    let pupils: Vec<_> = (0..PUPILS)
        .map(|number| {
            std::thread::spawn(move || {
                // Each begins with another one.
                for turn in 0..parts.len() {
                    let path = format!("/classic-3x3/{}", parts[(number + turn) % parts.len()]);
                    let answer = ask_at(host, "GET", &path, "");
                    let is_card = path.ends_with("card.png");
                    let kind = answer.header("content-type").unwrap_or_default();
                    assert_eq!(is_card, kind == "image/png", "{path}: {kind}");
                    let is_told =
                        [200, 303].contains(&answer.status) || !is_card && answer.status == 202;
                    assert!(is_told, "{path}: {}", answer.status);
                    // A page that waits loads again by itself, until it is whole.
                    let whole = ask_until(host, &path, |page| [200, 303].contains(&page.status));
                    assert!(
                        [200, 303].contains(&whole.status),
                        "{path}: {}",
                        whole.status
                    );
                }
            })
        })
        .collect();
    for pupil in pupils {
        pupil.join().unwrap();
    }
}

/// Where there is no room for a card, there is the plain card of the game, and no page.
#[test]
fn a_card_of_a_busy_server_is_a_picture() {
    let host = start(0, Duration::from_secs(5));
    // On a machine that does other things its time may end, and it is drawn for the next one.
    let get = |path: &str| ask_until(host, path, |card| card.status != 503);
    let card = get("/classic-3x3/card.png?moves=b2R");
    assert_eq!(card.status, 200);
    assert_eq!(card.header("content-type"), Some("image/png"));
    assert_eq!(card.header("cache-control"), Some("public, max-age=10"));
    let other = get("/classic-3x3/card.png?moves=a1R");
    assert_eq!(card.body, other.body);
    // It is of the game in the order of the lights that is asked for.
    let of_order = get("/semaforo/card.png?lights=ryg");
    assert_eq!(of_order.status, 200);
    assert_eq!(of_order.header("cache-control"), Some("public, max-age=10"));
    assert_eq!(
        ask_at(host, "GET", "/classic-3x3/card.png?moves=x", "").status,
        400
    );
}
