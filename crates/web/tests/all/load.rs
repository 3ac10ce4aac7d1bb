use std::io::Write;
use std::net::TcpStream;
use std::time::{Duration, Instant};

use crate::common::{ask_at, server, start};

#[test]
fn slow_clients_and_searching_ones_leave_the_page_quick() {
    let host = start(2, Duration::from_secs(10));
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
                9 + number % 2
            );
            write!(stream, "GET {path} HTTP/1.1\r\nHost: x\r\n\r\n").unwrap();
            stream
        })
        .collect();
    let began = Instant::now();
    assert_eq!(get("/classic-3x3?moves=b2R").status, 200);
    let took = began.elapsed();
    assert!(took < Duration::from_secs(2), "{took:?}");
    // Beyond the jobs more computing is refused at once, with advice.
    let began = Instant::now();
    let refused = get("/api/v1/query?variant=classic-5x6:play=misere&moves=b1R");
    assert!([429, 503].contains(&refused.status), "{}", refused.status);
    assert!(refused.header("retry-after").is_some());
    assert!(began.elapsed() < Duration::from_secs(2));
    // The board is shown whatever is being computed.
    let page = get("/classic-5x6:play=misere?moves=b1R");
    assert!(
        page.status == 200 && page.body.contains("role=\"alert\""),
        "{}",
        page.status
    );
    drop(searching);
    drop(slow);
    // Clients that go away stop their work: the next question is taken.
    let patience = Instant::now() + Duration::from_secs(20);
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
    use std::io::Read;
    let mut stream = TcpStream::connect(server()).unwrap();
    stream.write_all(b"GET / HTTP/1.1\r\nHost: ").unwrap();
    stream
        .set_read_timeout(Some(Duration::from_secs(20)))
        .unwrap();
    let began = Instant::now();
    let mut rest = Vec::new();
    let _ = stream.read_to_end(&mut rest);
    assert!(began.elapsed() < Duration::from_secs(15));
}
