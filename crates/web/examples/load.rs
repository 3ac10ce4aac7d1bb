//! Measures the first view of a page and the page after a move. Measures how many queries a second
//! tables answer, and how long each takes. Measures the time of a page while slow clients hold
//! connections and others run long searches, and how soon the searches end when those clients
//! disconnect. Run it by `cargo run --release -p greenwave-web --example load -- solutions
//! classic-3x3`.

use std::error::Error;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use greenwave_tablebase::{Tablebase, peak_memory};
use greenwave_web::{ExplorerSettings, serve};

const CLIENTS: usize = 32;
const SECONDS: u64 = 5;
/// Clients that never finish their requests.
const SLOW: usize = 1_000;
/// Clients whose questions take long searches.
const SEARCHING: usize = 500;
/// Pages that are requested meanwhile.
const PAGES: usize = 20;

fn main() -> Result<(), Box<dyn Error>> {
    let mut words = std::env::args().skip(1);
    let folder = words.next().unwrap_or_else(|| "solutions".into());
    let variant = words.next().unwrap_or_else(|| "classic-3x3".into());
    let settings = ExplorerSettings {
        tablebase: Tablebase::open(folder)?,
        files: Vec::new(),
        budget: Duration::from_secs(2),
        jobs: 2,
        base_url: None,
        trusted: Vec::new(),
        access_log: None,
        offline: None,
        version: env!("CARGO_PKG_VERSION").into(),
    };
    let (tell, told) = mpsc::channel();
    std::thread::spawn(move || {
        let served = serve(settings, "127.0.0.1", 0, &mut |address| {
            let _ = tell.send(address);
        });
        if let Err(error) = served {
            eprintln!("{error}");
        }
    });
    let address = told.recv()?;
    // The first answer may have to be computed.
    ask(&mut TcpStream::connect(address)?, &variant, 0)?;
    let (bytes, views) = first_views(address, &variant)?;
    println!(
        "the first view of {variant}: {bytes} bytes with all that it loads, half within {:.2?}, all within {:.2?}",
        share(&views, 0.5),
        share(&views, 1.0)
    );
    let moves = after_moves(address, &variant)?;
    println!(
        "the page after a move: half within {:.2?}, all within {:.2?}",
        share(&moves, 0.5),
        share(&moves, 1.0)
    );
    let clients: Vec<_> = (0..CLIENTS)
        .map(|client| {
            let variant = variant.clone();
            std::thread::spawn(move || load(address, &variant, client))
        })
        .collect();
    let mut times = Vec::new();
    for client in clients {
        times.extend(client.join().map_err(|_| "a client ended early")??);
    }
    times.sort_unstable();
    println!(
        "{variant}: {} queries a second by {CLIENTS} clients; half within {:.2?}, 99 of 100 within {:.2?}",
        times.len() as u64 / SECONDS,
        share(&times, 0.5),
        share(&times, 0.99)
    );
    let (pages, freed) = under_siege(address, &variant)?;
    println!(
        "a page while {SLOW} clients are slow and {SEARCHING} search: half within {:.2?}, all within {:.2?}",
        share(&pages, 0.5),
        share(&pages, 1.0)
    );
    println!("when they have gone, a job is free after {freed:.2?}");
    if let Some(bytes) = peak_memory() {
        println!("most memory in use: {} MiB, clients included", bytes >> 20);
    }
    Ok(())
}

fn share(times: &[Duration], share: f64) -> Duration {
    times[((times.len() - 1) as f64 * share) as usize]
}

/// A page with the files that it loads, on connections of their own: bytes, and how long each time.
fn first_views(address: SocketAddr, variant: &str) -> std::io::Result<(usize, Vec<Duration>)> {
    let mut bytes = 0;
    let mut times = Vec::with_capacity(PAGES);
    for _ in 0..PAGES {
        let began = Instant::now();
        let mut stream = TcpStream::connect(address)?;
        let page = request(&mut stream, &format!("/{variant}"))?;
        bytes = page.len();
        for part in page
            .split(['"', ' '])
            .filter(|part| part.starts_with("/assets/"))
        {
            bytes += request(&mut stream, part)?.len();
        }
        times.push(began.elapsed());
    }
    times.sort_unstable();
    Ok((bytes, times))
}

/// The time that the page after a move takes.
fn after_moves(address: SocketAddr, variant: &str) -> std::io::Result<Vec<Duration>> {
    let mut stream = TcpStream::connect(address)?;
    let mut times = Vec::with_capacity(PAGES);
    for number in 0..PAGES {
        let began = Instant::now();
        request(&mut stream, &format!("/{variant}?moves={}", square(number)))?;
        times.push(began.elapsed());
    }
    times.sort_unstable();
    Ok(times)
}

/// How long pages take, each on a connection of its own, while others do what they should not; and how
/// long it takes until there is room for work again when these have gone.
fn under_siege(
    address: SocketAddr,
    variant: &str,
) -> Result<(Vec<Duration>, Duration), Box<dyn Error>> {
    let mut held = Vec::with_capacity(SLOW + SEARCHING);
    for number in 0..SLOW + SEARCHING {
        let mut stream = TcpStream::connect(address)?;
        let request = if number < SLOW {
            format!("GET /{variant} HTTP/1.1\r\nHost: x\r\nX-")
        } else {
            format!(
                "GET /api/v1/query?variant=classic-5x6:play=misere&moves=a1R&budget={number}ms \
                 HTTP/1.1\r\nHost: x\r\n\r\n"
            )
        };
        stream.write_all(request.as_bytes())?;
        held.push(stream);
    }
    let mut times = Vec::with_capacity(PAGES);
    for _ in 0..PAGES {
        let began = Instant::now();
        let mut stream = TcpStream::connect(address)?;
        request(&mut stream, &format!("/{variant}?moves=b2R"))?;
        times.push(began.elapsed());
    }
    times.sort_unstable();
    drop(held);
    let began = Instant::now();
    let work = "/api/v1/query?variant=classic-5x6:play=misere&moves=b1R&budget=10";
    while request(&mut TcpStream::connect(address)?, work).is_err() {
        if began.elapsed() > Duration::from_secs(60) {
            return Err("the jobs stay busy".into());
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    Ok((times, began.elapsed()))
}

fn load(address: SocketAddr, variant: &str, client: usize) -> std::io::Result<Vec<Duration>> {
    let mut stream = TcpStream::connect(address)?;
    stream.set_nodelay(true)?;
    let end = Instant::now() + Duration::from_secs(SECONDS);
    let mut times = Vec::new();
    while Instant::now() < end {
        let began = Instant::now();
        ask(&mut stream, variant, client + times.len())?;
        times.push(began.elapsed());
    }
    Ok(times)
}

/// Asks on a connection that stays open.
fn ask(stream: &mut TcpStream, variant: &str, number: usize) -> std::io::Result<()> {
    let square = square(number);
    let path = format!("/api/v1/query?variant={variant}&moves={square}");
    request(stream, &path).map(drop)
}

fn square(number: usize) -> &'static str {
    ["a1", "b1", "c1", "a2", "b2", "c2", "a3", "b3", "c3"][number % 9]
}

/// Asks for a path and reads the answer, which has to be one: its head and its body.
fn request(stream: &mut TcpStream, path: &str) -> std::io::Result<String> {
    let request = format!("GET {path} HTTP/1.1\r\nHost: x\r\n\r\n");
    stream.write_all(request.as_bytes())?;
    let mut text = Vec::new();
    let mut part = [0; 16 << 10];
    loop {
        let read = stream.read(&mut part)?;
        if read == 0 {
            return Err(std::io::ErrorKind::UnexpectedEof.into());
        }
        text.extend_from_slice(&part[..read]);
        let Some(head) = text.windows(4).position(|four| four == b"\r\n\r\n") else {
            continue;
        };
        let headers = String::from_utf8_lossy(&text[..head]).to_ascii_lowercase();
        let length = headers
            .lines()
            .find_map(|line| line.strip_prefix("content-length: "))
            .and_then(|length| length.parse::<usize>().ok())
            .unwrap_or(0);
        if !headers.starts_with("http/1.1 200") {
            return Err(std::io::Error::other(headers));
        }
        if text.len() >= head + 4 + length {
            return Ok(String::from_utf8_lossy(&text).into_owned());
        }
    }
}
