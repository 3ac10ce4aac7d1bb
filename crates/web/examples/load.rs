//! Measures how many queries a second are answered from tables, and how long they take:
//! `cargo run --release -p greenwave-web --example load -- solutions classic-3x4`.

use std::error::Error;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use greenwave_tablebase::Tablebase;
use greenwave_web::{Settings, serve};

const CLIENTS: usize = 32;
const SECONDS: u64 = 5;

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
    let share = |share: f64| times[((times.len() - 1) as f64 * share) as usize];
    println!(
        "{variant}: {} queries a second by {CLIENTS} clients; half within {:.2?}, 99 of 100 within {:.2?}",
        times.len() as u64 / SECONDS,
        share(0.5),
        share(0.99)
    );
    Ok(())
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
    let request =
        format!("GET /api/v1/query?variant={variant}&moves={square} HTTP/1.1\r\nHost: x\r\n\r\n");
    stream.write_all(request.as_bytes())?;
    let mut text = Vec::new();
    let mut part = [0; 16 << 10];
    loop {
        let read = stream.read(&mut part)?;
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
