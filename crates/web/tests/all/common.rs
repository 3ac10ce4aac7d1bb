//! A server of its own for all tests of the program, and a client that asks it.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::{OnceLock, mpsc};
use std::time::{Duration, Instant};

use greenwave_game::RuleFile;
use greenwave_tablebase::Tablebase;
use greenwave_testkit::schemas;
use greenwave_web::{ExplorerSettings, Proxy, serve};

/// How long a test waits for what has to come. Only what never comes takes so long, however busy the machine is.
pub(crate) const PATIENCE: Duration = Duration::from_secs(300);

/// The address of the server of most tests, which is started by whoever asks first.
pub(crate) fn server() -> SocketAddr {
    static ADDRESS: OnceLock<SocketAddr> = OnceLock::new();
    *ADDRESS.get_or_init(|| start(16, Duration::from_secs(60)))
}

/// The folder of the published tables.
pub(crate) const PUBLISHED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../solutions");

/// A server with the published tables.
pub(crate) fn with_tables() -> SocketAddr {
    static ADDRESS: OnceLock<SocketAddr> = OnceLock::new();
    *ADDRESS.get_or_init(|| start_in(PUBLISHED, 16, Duration::from_secs(60)))
}

/// A game with a strip that is solved at once, where the strips that have names take seconds.
const STRIP: &str = "title = 'Small strip'\npatterns = ['11', '22', '33']\n\
                     [board]\nsize = '2x2'\nline-length = 2\n[strip]\n";

/// A server that has a small strip, too, and computes for this many at once, each for so long at most; what
/// takes seconds does not fit its memory.
pub(crate) fn start_with_strip(jobs: usize, budget: Duration) -> SocketAddr {
    let small = greenwave_tablebase::Settings {
        memory: Some(64 << 20),
        ..Default::default()
    };
    let tablebase = Tablebase::with_settings("no-such-folder", &small).unwrap();
    start_with(tablebase, |settings| {
        (settings.jobs, settings.budget) = (jobs, budget);
        let strip = RuleFile::parse("small.toml", STRIP).unwrap();
        settings.files.push(strip);
    })
}

/// A server that computes for this many at once, each for so long at most.
pub(crate) fn start(jobs: usize, budget: Duration) -> SocketAddr {
    start_in("no-such-folder", jobs, budget)
}

fn start_in(folder: &str, jobs: usize, budget: Duration) -> SocketAddr {
    let tablebase = Tablebase::open(folder).unwrap();
    start_with(tablebase, |settings| {
        (settings.jobs, settings.budget) = (jobs, budget);
    })
}

/// Settings of a server without tables, files and proxies, for one job at a time.
pub(crate) fn bare() -> ExplorerSettings {
    ExplorerSettings {
        tablebase: Tablebase::open("no-such-folder").unwrap(),
        files: Vec::new(),
        budget: Duration::from_secs(1),
        jobs: 1,
        base_url: None,
        trusted: Vec::new(),
        access_log: None,
        offline: None,
        version: "test".into(),
    }
}

/// A server with settings of its own.
pub(crate) fn start_with(
    tablebase: Tablebase,
    change: impl FnOnce(&mut ExplorerSettings),
) -> SocketAddr {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/examples/ring.toml");
    let text = std::fs::read_to_string(file).unwrap();
    let (tell, told) = mpsc::channel();
    let mut settings = ExplorerSettings {
        tablebase,
        files: vec![RuleFile::parse("ring.toml", &text).unwrap()],
        budget: Duration::from_secs(60),
        jobs: 16,
        trusted: Proxy::loopback(),
        ..bare()
    };
    change(&mut settings);
    std::thread::spawn(move || {
        serve(settings, "127.0.0.1", 0, &mut |address| {
            tell.send(address).unwrap()
        })
    });
    told.recv_timeout(PATIENCE).unwrap()
}

/// An answer.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: String,
    pub(crate) body: String,
}

impl Answer {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let mut lines = self.headers.lines();
        lines.find_map(|line| {
            let (key, value) = line.split_once(':')?;
            key.eq_ignore_ascii_case(name).then(|| value.trim())
        })
    }

    pub(crate) fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.body).unwrap()
    }

    /// The same as one array.
    pub(crate) fn documents(&self) -> serde_json::Value {
        self.lines().into()
    }

    /// The answer of the API is a document of the schema of its question, or of an error.
    fn expect_documents(&self, path: &str) {
        let Some((_, name)) = path.split_once("/api/v1/") else {
            return;
        };
        let name = name.split('?').next().unwrap_or_default();
        let is_json = self
            .header("content-type")
            .is_some_and(|kind| kind.contains("json"));
        // The list of schemas has none itself.
        if !is_json
            || name == "schemas"
            || self.body.is_empty()
            || name.ends_with(".json") && self.status == 200
        {
            return;
        }
        let name = if self.status >= 400 { "error" } else { name };
        for line in self.body.lines() {
            // An answer that another will better says when; of lines the last says nothing else.
            let mut document: serde_json::Value = serde_json::from_str(line).unwrap();
            let pending = document
                .as_object_mut()
                .and_then(|fields| fields.remove("pending"));
            if let Some(pending) = pending.filter(|_| self.status == 202) {
                assert!(pending["share"].is_number() && pending["seconds"].is_u64());
                // Where nothing is known yet, a message says so.
                let is_known = |fields: &serde_json::Map<String, serde_json::Value>| {
                    fields.len() > 1 && !fields.contains_key("message")
                };
                if !document.as_object().is_some_and(is_known) {
                    continue;
                }
            }
            schemas::expect(name, &document.to_string());
        }
    }

    /// The documents of an answer that has one a line.
    pub(crate) fn lines(&self) -> Vec<serde_json::Value> {
        let lines = self.body.lines();
        lines
            .map(|line| serde_json::from_str(line).unwrap())
            .collect()
    }
}

pub(crate) fn get(path: &str) -> Answer {
    get_at(server(), path)
}

/// The same from the published tables.
pub(crate) fn get_from_tables(path: &str) -> Answer {
    get_at(with_tables(), path)
}

pub(crate) fn get_at(host: SocketAddr, path: &str) -> Answer {
    asked_again(path, |path| ask_at(host, "GET", path, ""))
}

/// A page under an address that other devices of a network know.
pub(crate) fn get_in_network(path: &str) -> Answer {
    asked_again(path, |path| {
        let request =
            format!("GET {path} HTTP/1.1\r\nHost: 192.168.1.7\r\nConnection: close\r\n\r\n");
        send_at(server(), request.as_bytes())
    })
}

/// Whether the page of a claim shows its verdict alone so far.
fn waits_for_evidence(path: &str, answer: &Answer) -> bool {
    path.starts_with("/claims/") && answer.body.contains(" data-again=")
}

/// An answer, followed to where it leads, as soon as the server has a free job for it.
fn asked_again(path: &str, ask: impl Fn(&str) -> Answer) -> Answer {
    let mut path = path.to_string();
    let begun = Instant::now();
    loop {
        let answer = ask(&path);
        match answer.status {
            308 => path = answer.header("location").unwrap().to_string(),
            // Other tests may keep all jobs of the server busy; the page of a claim waits for its evidence.
            200 | 202 | 503
                if begun.elapsed() < PATIENCE
                    && (answer.status != 200 || waits_for_evidence(&path, &answer)) =>
            {
                std::thread::sleep(Duration::from_millis(200));
            }
            _ => return answer,
        }
    }
}

/// Sends bytes as they stand and reads the answer to its end.
pub(crate) fn send_at(host: SocketAddr, bytes: &[u8]) -> Answer {
    let mut stream = TcpStream::connect(host).unwrap();
    let _ = stream.write_all(bytes);
    answer_of(stream)
}

/// Sends one request with more headers and reads the answer to its end.
pub(crate) fn ask(method: &str, path: &str, headers: &str) -> Answer {
    ask_at(server(), method, path, headers)
}

/// The same of another server.
pub(crate) fn ask_at(host: SocketAddr, method: &str, path: &str, headers: &str) -> Answer {
    let mut stream = TcpStream::connect(host).unwrap();
    // A server that refuses a request may end the connection at once.
    let _ = write!(
        stream,
        "{method} {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n{headers}\r\n"
    );
    let answer = answer_of(stream);
    answer.expect_documents(path);
    answer
}

/// Asks for a page until it is as it should be: a busy machine shows one that waits first.
pub(crate) fn ask_until(host: SocketAddr, path: &str, is_done: impl Fn(&Answer) -> bool) -> Answer {
    ask_with_until(host, path, "", is_done)
}

/// The same with more headers.
pub(crate) fn ask_with_until(
    host: SocketAddr,
    path: &str,
    headers: &str,
    is_done: impl Fn(&Answer) -> bool,
) -> Answer {
    let begun = Instant::now();
    loop {
        let answer = ask_at(host, "GET", path, headers);
        if is_done(&answer) || begun.elapsed() > PATIENCE {
            return answer;
        }
        std::thread::sleep(Duration::from_millis(100));
    }
}

/// Reads an answer to its end.
pub(crate) fn answer_of(mut stream: TcpStream) -> Answer {
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    let mut bytes = Vec::new();
    let _ = stream.read_to_end(&mut bytes);
    // Bodies that are no texts are shown by their length alone.
    let text = String::from_utf8_lossy(&bytes);
    let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
    let status = head
        .split(' ')
        .nth(1)
        .and_then(|status| status.parse().ok());
    Answer {
        status: status.unwrap_or(0),
        headers: head.into(),
        body: body.into(),
    }
}
