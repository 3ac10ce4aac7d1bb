//! Measures how many queries a second are answered from tables and how long they take, and how long
//! a page takes while slow clients hold connections and others have long searches made:
//! `cargo run --release -p greenwave-web --example load -- solutions classic-3x3`.

use std::error::Error;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use greenwave_tablebase::{Tablebase, peak_memory};
use greenwave_web::{Settings, serve};

const CLIENTS: usize = 32;
const SECONDS: u64 = 5;
/// Clients that never finish their requests.
const SLOW: usize = 1_000;
/// Clients whose questions take long searches.
const SEARCHING: usize = 500;
/// Pages that are asked for meanwhile.
const PAGES: usize = 20;

fn main() -> Result<(), Box<dyn Error>> {
    let mut words = std::env::args().skip(1);
    let folder = words.next().unwrap_or_else(|| "solutions".into());
    let variant = words.next().unwrap_or_else(|| "classic-3x3".into());
    let settings = Settings {
        tablebase: Tablebase::open(folder)?,
        files: Vec::new(),
        budget: Duration::from_secs(2),
        jobs: 2,
        base_url: None,
        access_log: None,
        version: env!("CARGO_PKG_VERSION").into(),
    };
    let (tell, told) = mpsc::channel();
    std::thread::spawn(move || {
        let served = serve(settings, "127.0.0.1", 0, |address| {
            let _ = tell.send(address);
        });
        if let Err(error) = served {
            eprintln!("{error}");
        }
    });
    let address = told.recv()?;
    // The first answer may have to be computed.
    ask(&mut TcpStream::connect(address)?, &variant, 0)?;
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
    let pages = under_siege(address, &variant)?;
    println!(
        "a page while {SLOW} clients are slow and {SEARCHING} search: half within {:.2?}, all within {:.2?}",
        share(&pages, 0.5),
        share(&pages, 1.0)
    );
    if let Some(bytes) = peak_memory() {
        println!("most memory in use: {} MiB, clients included", bytes >> 20);
    }
    Ok(())
}

fn share(times: &[Duration], share: f64) -> Duration {
    times[((times.len() - 1) as f64 * share) as usize]
}

/// How long pages take, each on a connection of its own, while others do what they should not.
fn under_siege(address: SocketAddr, variant: &str) -> std::io::Result<Vec<Duration>> {
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
    Ok(times)
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
    let square = ["a1", "b1", "c1", "a2", "b2", "c2", "a3", "b3", "c3"][number % 9];
    request(
        stream,
        &format!("/api/v1/query?variant={variant}&moves={square}"),
    )
}

/// Asks for a path and reads the answer, which has to be one.
fn request(stream: &mut TcpStream, path: &str) -> std::io::Result<()> {
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
            return Ok(());
        }
    }
}
