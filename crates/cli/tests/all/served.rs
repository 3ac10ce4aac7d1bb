//! The memory of `serve`, whatever many ask at once: as that of every command within a twentieth and
//! 16 MiB of the limit, as the largest resident memory.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::process::{Child, ChildStderr, Command, Stdio};
use std::time::{Duration, Instant};

use greenwave_testkit::program::most_resident;
use tempfile::tempdir;

/// A server, which ends with this.
struct Server {
    child: Child,
    address: String,
    memory: u64,
}

impl Server {
    fn start(dir: &Path, mebibytes: u64) -> Server {
        let mut child = Command::new(env!("CARGO_BIN_EXE_greenwave"))
            .env("GREENWAVE_DIR", dir)
            .env_remove("GREENWAVE_MEMORY")
            .args(["serve", "--port", "0", "--threads", "2", "--jobs", "4"])
            .args(["--memory", &format!("{mebibytes}M")])
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let told = child.stderr.take().unwrap();
        Server::of(child, told, mebibytes)
    }

    /// The one that a process is, which says its address first.
    fn of(child: Child, told: ChildStderr, mebibytes: u64) -> Server {
        let mut line = String::new();
        BufReader::new(told).read_line(&mut line).unwrap();
        let after = line.split("http://").nth(1).unwrap();
        let address = after.split('/').next().unwrap().to_string();
        Server {
            child,
            address,
            memory: mebibytes << 20,
        }
    }

    /// The status of the answer.
    fn ask(&self, path: &str) -> u16 {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        stream
            .set_read_timeout(Some(Duration::from_secs(300)))
            .unwrap();
        let request = format!("GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
        let head = String::from_utf8_lossy(&answer);
        let status = head.split(' ').nth(1).and_then(|code| code.parse().ok());
        status.unwrap_or_else(|| panic!("{path}: {head}"))
    }

    /// Clients that send one request after another. Each gets its number and the number of its
    /// requests so far, and ends where it gets no path. How many answers there were.
    fn asked_by(&self, clients: u64, path: impl Fn(u64, u64) -> Option<String> + Sync) -> u64 {
        std::thread::scope(|scope| {
            let path = &path;
            let client = |number| {
                move || {
                    let paths = (0..).map_while(|time| path(number, time));
                    let answers = paths.map(|path| self.ask(&path));
                    answers.filter(|status| *status == 200).count() as u64
                }
            };
            let clients: Vec<_> = (0..clients)
                .map(|number| scope.spawn(client(number)))
                .collect();
            clients
                .into_iter()
                .map(|client| client.join().unwrap())
                .sum()
        })
    }

    fn peak(&self) -> u64 {
        let status = format!("/proc/{}/status", self.child.id());
        let status = std::fs::read_to_string(status).unwrap();
        let line = status.lines().find(|line| line.starts_with("VmHWM:"));
        let kibibytes = line.and_then(|line| line.split_whitespace().nth(1)?.parse::<u64>().ok());
        kibibytes.unwrap() << 10
    }

    fn expect_within(&self, what: &str) {
        let (peak, most) = (self.peak(), most_resident(self.memory));
        let told = format!("{what}: {} of {} MiB", peak >> 20, self.memory >> 20);
        println!("{told}");
        assert!(peak <= most, "{told}");
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[cfg(target_env = "gnu")]
#[test]
fn the_allocator_is_told_to_give_back() {
    let dir = tempdir().unwrap();
    let server = Server::start(dir.path(), 64);
    let told = std::fs::read(format!("/proc/{}/environ", server.child.id())).unwrap();
    let told = String::from_utf8_lossy(&told);
    assert!(told.contains("glibc.malloc.arena_max=2"), "{told}");
}

#[test]
fn a_log_named_by_a_dash_is_standard_output() {
    let dir = tempdir().unwrap();
    let mut child = Command::new(env!("CARGO_BIN_EXE_greenwave"))
        .env("GREENWAVE_DIR", dir.path())
        .args(["serve", "--port", "0", "--access-log", "-"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let (log, told) = (child.stdout.take().unwrap(), child.stderr.take().unwrap());
    let server = Server::of(child, told, 0);
    assert_eq!(server.ask("/api/v1/rules?variant=classic-2x2"), 200);
    let mut line = String::new();
    BufReader::new(log).read_line(&mut line).unwrap();
    assert!(line.contains("/api/v1/rules"), "{line}");
}

#[test]
fn variants_and_answers_are_kept_within_the_memory() {
    let dir = tempdir().unwrap();
    let server = Server::start(dir.path(), 16);
    let answers = server.asked_by(1, |_, time| {
        let (rows, columns, supply) = (4 + time % 4, 4 + time / 4 % 4, 3 + time / 16);
        let path = format!("/api/v1/rules?variant=classic-{rows}x{columns}:supply=cap{supply}");
        (time < 600).then_some(path)
    });
    assert!(answers > 300, "{answers}");
    server.expect_within("rules of 600 variants");
}

#[test]
fn connections_are_held_within_the_memory() {
    let dir = tempdir().unwrap();
    let server = Server::start(dir.path(), 16);
    let long = format!(
        "GET / HTTP/1.1\r\nHost: x\r\nX-Long: {}",
        "x".repeat(60_000)
    );
    let address: SocketAddr = server.address.parse().unwrap();
    let mut held = Vec::new();
    // Those for which there is no room wait.
    while held.len() < 400
        && let Ok(stream) = TcpStream::connect_timeout(&address, Duration::from_millis(200))
    {
        stream.set_nonblocking(true).unwrap();
        // The server may refuse what it has not read yet.
        let _ = (&stream).write(long.as_bytes());
        held.push(stream);
    }
    std::thread::sleep(Duration::from_millis(300));
    server.expect_within("requests half sent");
    drop(held);
    assert_eq!(server.ask("/healthz"), 200);
}

// Tables are read and questions answered however many requests are half sent.
#[test]
fn who_sends_nothing_takes_no_files_from_others() {
    let dir = tempdir().unwrap();
    let solved = Command::new(env!("CARGO_BIN_EXE_greenwave"))
        .env("GREENWAVE_DIR", dir.path())
        .args(["solve", "classic-2x3", "--quiet"])
        .output();
    assert!(solved.unwrap().status.success());
    let mut child = Command::new("sh")
        .args(["-c", "ulimit -n 40; exec \"$@\"", "sh"])
        .arg(env!("CARGO_BIN_EXE_greenwave"))
        .env("GREENWAVE_DIR", dir.path())
        .args(["serve", "--port", "0"])
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let told = child.stderr.take().unwrap();
    let server = Server::of(child, told, 0);
    let address: SocketAddr = server.address.parse().unwrap();
    let mut held = Vec::new();
    while held.len() < 60
        && let Ok(stream) = TcpStream::connect_timeout(&address, Duration::from_millis(200))
    {
        let _ = (&stream).write(b"GET / HTTP/1.1\r\nHost: x\r\n");
        held.push(stream);
    }
    for path in [
        "/api/v1/query?variant=classic-2x3",
        "/tables/classic-2x3/distance.gwt",
    ] {
        // While the files of a waiting connection are given back, a request may get 503.
        let mut answers = std::iter::repeat_with(|| server.ask(path)).take(10_000);
        assert_eq!(answers.find(|status| *status != 503), Some(200), "{path}");
    }
}

#[test]
#[cfg_attr(not(feature = "slow-tests"), ignore = "half a minute")]
fn what_solves_have_given_back_is_not_held() {
    const COUNTED: [&str; 4] = [
        "classic-3x4:play=misere",
        "signal-3x4",
        "classic-2x6:play=misere",
        "classic-3x4",
    ];
    let dir = tempdir().unwrap();
    let server = Server::start(dir.path(), 48);
    server.asked_by(1, |_, time| {
        let variant = COUNTED[time as usize % COUNTED.len()];
        (time < 12).then(|| format!("/api/v1/stats?variant={variant}"))
    });
    server.expect_within("statistics");
}

#[test]
#[cfg_attr(not(feature = "slow-tests"), ignore = "some minutes")]
fn many_clients_are_answered_within_the_memory() {
    const VARIANTS: [&str; 16] = [
        "classic-3x3",
        "classic-2x5",
        "classic-3x4",
        "classic-4x4",
        "classic-4x5",
        "points-3x3",
        "points-3x4",
        "signal-3x4",
        "noughts-3x3",
        "noughts-4x4",
        "semaforo",
        "bag-classic-3x3",
        "ampel-4-2-1",
        "ampel-5-2-2",
        "strip",
        "slider",
    ];
    const ASKED: [&str; 7] = [
        "/api/v1/query?variant=",
        "/api/v1/stats?variant=",
        "/api/v1/line?variant=",
        "/api/v1/puzzle?seed=1&variant=",
        "/api/v1/find?expression=ply%3D3&limit=20&variant=",
        "/api/v1/draw.svg?values=1&variant=",
        "/",
    ];
    let (with_tables, without) = (tempdir().unwrap(), tempdir().unwrap());
    for variant in [
        "classic-3x4",
        "points-3x4",
        "classic-4x4",
        "slider",
        "bag-classic-3x3",
    ] {
        let solved = Command::new(env!("CARGO_BIN_EXE_greenwave"))
            .env("GREENWAVE_DIR", with_tables.path())
            .args(["solve", variant, "--quiet"])
            .output()
            .unwrap();
        assert!(solved.status.success(), "{solved:?}");
    }
    for dir in [&with_tables, &without] {
        for (clients, mebibytes) in [(1, 32), (8, 32), (24, 96), (64, 64)] {
            // Each kind of question alone, and all together.
            for kinds in ASKED.chunks(1).chain([&ASKED[..]]) {
                let server = Server::start(dir.path(), mebibytes);
                let until = Instant::now() + Duration::from_secs(6);
                let answers = server.asked_by(clients, |client, time| {
                    let number = (client * 7 + time * 5) as usize;
                    let (kind, variant) =
                        (kinds[number % kinds.len()], number / 3 % VARIANTS.len());
                    let path = format!("{kind}{}", VARIANTS[variant]);
                    (Instant::now() < until).then_some(path)
                });
                assert!(answers > 0, "{kinds:?}");
                server.expect_within(&format!("{answers} answers, {clients} clients, {kinds:?}"));
            }
        }
    }
}

#[test]
fn a_rule_file_that_is_named_twice_is_told() {
    let (dir, file) =
        crate::common::with_file("gap.toml", "patterns = ['111']\n[board]\nsize = '1x3'\n");
    let around = dir.path().join("./gap.toml").display().to_string();
    for more in [&[][..], &["--json"]] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_greenwave"))
            .args(["serve", "--port", "0", &file, &around])
            .args(more)
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let told = BufReader::new(child.stderr.take().unwrap());
        let mut lines = told.lines().map(|line| line.unwrap());
        let mut said = Vec::new();
        // Sentences are wrapped, documents are not.
        while !said.join(" ").contains("The explorer is at") {
            said.push(lines.next().expect("the address"));
        }
        assert!(said.join(" ").contains("given twice"), "{said:?}");
        let are_documents = !more.is_empty();
        for line in said {
            assert_eq!(line.starts_with("{\"schema\":"), are_documents, "{line}");
        }
        child.kill().unwrap();
        child.wait().unwrap();
    }
}
