//! `draw` and `serve`.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Command, Stdio};

use crate::common::{greenwave, refused, run};
use crate::pages::{blessing, root};
use crate::transcript::Transcript;

#[test]
fn a_position_is_drawn_to_stdout() {
    let plain = run(&["draw", "classic-3x3", "..G/.R./Y.."]).ok();
    assert!(plain.stdout.starts_with("<svg ") && plain.stdout.ends_with("</svg>\n"));
    let moved = run(&["draw", "semaforo", "--moves", "b2G", "--svg"]).ok();
    let empty = run(&["draw", "classic-3x3"]).ok();
    let mut shown = Transcript::new("draw-words");
    shown.told("a position", &words(&plain.stdout));
    shown.told("semaforo after b2G", &words(&moved.stdout));
    shown.told("the start", &words(&empty.stdout));
    shown.settle();
}

/// What a picture says to who cannot see it, and its texts.
fn words(svg: &str) -> String {
    let named = svg.split("aria-label=\"").skip(1);
    let named = named.map(|rest| rest.split('"').next().unwrap());
    let texts = svg.split('>').filter_map(|rest| {
        let text = rest.split('<').next().unwrap().trim();
        // The style sheet is no word.
        (!text.is_empty() && !text.starts_with(".gw{")).then_some(text)
    });
    named.chain(texts).collect::<Vec<_>>().join("\n")
}

/// `GREENWAVE_BLESS=1 cargo test -p greenwave --test all draw::the_picture` draws it again.
#[test]
fn the_picture_of_the_readme_is_what_is_drawn() {
    let drawn = run(&["draw", "classic-3x3", "..G/.R./Y..", "--values"]).ok();
    let file = root().join("docs/board.svg");
    if blessing() {
        std::fs::write(&file, &drawn.stdout).unwrap();
    }
    assert_eq!(std::fs::read_to_string(file).unwrap(), drawn.stdout);
}

/// A picture of a terminal: a command, and what it printed.
fn terminal(command: &str, printed: &str) -> String {
    const LINE: usize = 18;
    let lines: Vec<&str> = [command].into_iter().chain(printed.lines()).collect();
    let (width, height) = (620, (lines.len() + 2) * LINE);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
         height=\"{height}\" font-family=\"ui-monospace, Menlo, Consolas, monospace\" \
         font-size=\"14\">\n<rect width=\"{width}\" height=\"{height}\" rx=\"8\" fill=\"#1d232a\"/>\n"
    );
    for (row, line) in lines.iter().enumerate() {
        let colour = match row {
            0 => "#8fd18f",
            _ if line.trim_start().starts_with('*') => "#ffffff",
            _ => "#c9d1d9",
        };
        let line = line
            .replace('&', "&amp;")
            .replace('<', "&lt;")
            .replace(' ', "\u{a0}");
        let y = (row + 2) * LINE - 4;
        svg.push_str(&format!(
            "<text x=\"16\" y=\"{y}\" fill=\"{colour}\">{line}</text>\n"
        ));
    }
    svg.push_str("</svg>\n");
    svg
}

/// `GREENWAVE_BLESS=1 cargo test -p greenwave --test all draw::the_picture` draws it again.
#[test]
fn the_picture_of_the_terminal_is_what_query_prints() {
    let solutions = root().join("solutions");
    let args = ["query", "classic-3x3", "..G/.R./Y.."];
    let printed = crate::common::greenwave(&solutions, &args).ok().stdout;
    // Where the tables of this machine are is of no interest.
    let (shown, _) = printed.split_once("  Source:").unwrap();
    let drawn = terminal("$ greenwave query classic-3x3 ..G/.R./Y..", shown);
    let file = root().join("docs/terminal.svg");
    if blessing() {
        std::fs::write(&file, &drawn).unwrap();
    }
    assert_eq!(std::fs::read_to_string(file).unwrap(), drawn);
}

#[test]
fn values_are_written_on_squares() {
    let valued = run(&["draw", "classic-3x3", "--values"]).ok();
    assert_eq!(
        valued.stdout.matches(">\u{2713} 17<").count(),
        1,
        "{}",
        valued.stdout
    );
    assert_eq!(valued.stdout.matches(">\u{2713} 21<").count(), 8);
    run(&["draw", "ampel-4-2-1", "--values"]).ok();
    let points = run(&["draw", "points-3x3", "--values"]).ok();
    assert!(points.stdout.contains("class=\"on-"));
}

#[test]
fn values_of_moves_on_no_square_stand_below() {
    let mut shown = Transcript::new("draw-values");
    let solutions = root().join("solutions");
    for variant in ["strip", "classic-3x3"] {
        let drawn = greenwave(&solutions, &["draw", variant, "--values"]).ok();
        shown.told(variant, &words(&drawn.stdout));
    }
    shown.settle();
}

#[test]
fn the_name_of_the_file_says_what_is_written() {
    let dir = tempfile::tempdir().unwrap();
    let png = dir.path().join("b.PNG");
    greenwave(
        dir.path(),
        &["draw", "3x3", "-o", png.to_str().unwrap(), "--width", "300"],
    )
    .ok();
    assert!(std::fs::read(&png).unwrap().starts_with(b"\x89PNG"));
    refused(
        &["draw", "3x3", "--svg", "-o", "b.png"],
        &["'b.png' is named as a PNG", ".svg"],
    );
    refused(
        &["draw", "3x3", "--png", "-o", "b.svg"],
        &["'b.svg' is named as an SVG", ".png"],
    );
    refused(&["draw", "3x3", "--width", "300"], &["--width", "PNG"]);
}

#[test]
fn files_are_written_or_refused() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("board.png");
    let path = file.to_str().unwrap();
    let args = ["draw", "slider", "--png", "-o", path, "--width", "300"];
    assert_eq!(greenwave(dir.path(), &args).ok().stdout, "");
    let bytes = std::fs::read(&file).unwrap();
    assert_eq!(
        (&bytes[1..4], &bytes[16..20]),
        (&b"PNG"[..], &300_u32.to_be_bytes()[..])
    );
    refused(&["draw", "slider", "--png"], &["--output"]);
    refused(
        &["draw", "slider", "--png", "-o", "x.png", "--width", "99999"],
        &["99999", "16 to 8192"],
    );
    for (width, shown) in [("-5", "'-5'"), ("wide", "'wide'")] {
        refused(
            &["draw", "slider", "-o", "x.png", "--width", width],
            &["--width", shown, "a number of pixels from 16 to 8192"],
        );
    }
    refused(
        &["draw", "slider", "-o", "/no-such-folder/x.svg"],
        &["cannot write '/no-such-folder/x.svg'"],
    );
    refused(&["draw", "classic-3x3", "x"], &["cannot be a position"]);
    refused(&["draw", "classic-3x3", "--moves", "b2R,b2R"], &["move 2"]);
}

#[test]
fn the_explorer_answers_until_it_is_told_to_end() {
    let dir = tempfile::tempdir().unwrap();
    let mut child = Command::new(env!("CARGO_BIN_EXE_greenwave"))
        .env("GREENWAVE_DIR", dir.path())
        .args(["serve", "--port", "0"])
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut said = BufReader::new(child.stderr.take().unwrap());
    let mut line = String::new();
    said.read_line(&mut line).unwrap();
    let address = line
        .split("http://")
        .nth(1)
        .unwrap()
        .split('/')
        .next()
        .unwrap();
    let mut second = String::new();
    said.read_line(&mut second).unwrap();
    let mut shown = Transcript::new("serve");
    shown.hide(dir.path());
    shown.told("where no table is", &second);
    let ask = |path: &str| {
        let mut stream = TcpStream::connect(address).unwrap();
        write!(
            stream,
            "GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
        )
        .unwrap();
        let mut text = String::new();
        stream.read_to_string(&mut text).unwrap();
        text
    };
    assert!(ask("/healthz").starts_with("HTTP/1.1 200 "));
    assert!(ask("/api/v1/query?variant=classic-3x3").contains("\"distance\":17"));
    // A half-sent request and a search do not hold it up.
    let mut half = TcpStream::connect(address).unwrap();
    half.write_all(b"GET / HTTP/1.1\r\nHost").unwrap();
    let mut search = TcpStream::connect(address).unwrap();
    write!(
        search,
        "GET /api/v1/query?variant=classic-5x6:play=misere HTTP/1.1\r\nHost: x\r\n\r\n"
    )
    .unwrap();
    let taken = greenwave(
        dir.path(),
        &["serve", "--port", address.split(':').nth(1).unwrap()],
    );
    assert_eq!(taken.code, 2);
    let port = address.split(':').nth(1).unwrap();
    // The system's number of the error is its own.
    let (system, way_out) = taken.stderr.split_once(" (os error ").unwrap();
    let (_, way_out) = way_out.split_once(')').unwrap();
    let told = format!("{system}{way_out}").replace(port, "PORT");
    shown.told("where the port is taken", &told);
    shown.settle();
    let pid = child.id().to_string();
    assert!(
        Command::new("kill")
            .args(["-INT", &pid])
            .status()
            .unwrap()
            .success()
    );
    assert_eq!(child.wait().unwrap().code(), Some(0));
    assert_eq!(
        std::fs::read_dir(dir.path()).unwrap().count(),
        0,
        "nothing is written"
    );
}

#[test]
fn what_cannot_be_served_is_refused() {
    refused(&["serve", "--port", "70000"], &["70000"]);
    refused(
        &["serve", "--host", "203.0.113.1", "--port", "0"],
        &["cannot listen on 203.0.113.1:0"],
    );
    refused(
        &["serve", "--host", "", "--port", "0"],
        &["expected an address of this machine, such as 127.0.0.1"],
    );
    let taken = std::net::TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    refused(
        &["serve", "--port", &port],
        &["something else uses this port", "--port", "0 for any"],
    );
    refused(&["serve", "classic-3x3"], &["NAME.toml"]);
    refused(&["serve", "no-such.toml"], &["cannot read rule file"]);
    refused(&["serve", "--budget", "soon"], &["500ms"]);
    refused(&["serve", "--jobs", "0"], &["1 to 1024"]);
    refused(
        &["serve", "--base-url", "example.org"],
        &["https://example.org/greenwave"],
    );
    refused(
        &["serve", "--base-url", "http://x/\n"],
        &["https://example.org/greenwave"],
    );
    refused(
        &[
            "serve",
            "--access-log",
            "/no-such-folder/log",
            "--port",
            "0",
        ],
        &["cannot write the access log"],
    );
}

#[cfg(unix)]
#[test]
fn a_log_that_is_a_pipe_is_not_waited_for() {
    let dir = tempfile::tempdir().unwrap();
    let pipe = dir.path().join("log");
    let made = Command::new("mkfifo").arg(&pipe).status();
    assert!(made.unwrap().success());
    refused(
        &[
            "serve",
            "--access-log",
            pipe.to_str().unwrap(),
            "--port",
            "0",
        ],
        &["cannot write the access log"],
    );
}

#[cfg(unix)]
#[test]
fn what_is_written_to_stdout_by_name_comes_after_what_is_there() {
    let dir = tempfile::tempdir().unwrap();
    let log = dir.path().join("log");
    std::fs::write(&log, "before\n").unwrap();
    let file = std::fs::File::options().append(true).open(&log).unwrap();
    let drawn = Command::new(env!("CARGO_BIN_EXE_greenwave"))
        .env("GREENWAVE_DIR", dir.path())
        .args(["draw", "classic-1x3", "--svg", "-o", "/dev/stdout"])
        .stdout(file)
        .status();
    assert!(drawn.unwrap().success());
    let text = std::fs::read_to_string(&log).unwrap();
    assert!(text.starts_with("before\n<svg"), "{text}");
}

/// Remarks are documents where documents are requested.
#[test]
fn a_file_that_was_written_is_told_as_everything_else() {
    let dir = tempfile::tempdir().unwrap();
    let at = |name: &str| dir.path().join(name).display().to_string();
    for (args, file) in [
        (
            &["book", "classic-2x3", "--depth", "1", "--html"][..],
            at("book.html"),
        ),
        (&["puzzle", "classic-3x3", "--svg"], at("puzzle.svg")),
        (
            &["compare", "classic-2x2", "classic-2x3", "--html"],
            at("sides.html"),
        ),
    ] {
        let args = [args, &[&file]].concat();
        let plain = run(&args).ok();
        assert!(
            plain.stderr.contains(&format!("wrote '{file}'")),
            "{plain:?}"
        );
        let documents = run(&[&args[..], &["--json"]].concat()).ok();
        let told = documents.stderr.lines();
        let told: Vec<&str> = told.filter(|line| line.contains("wrote '")).collect();
        assert_eq!(told.len(), 1, "{documents:?}");
        let document: serde_json::Value = serde_json::from_str(told[0]).unwrap();
        assert_eq!(document["warning"], format!("wrote '{file}'"));
        assert_eq!(run(&[&args[..], &["-q"]].concat()).ok().stderr, "");
    }
}
