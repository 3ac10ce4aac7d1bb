//! Every command with its options at small limits of memory, on games small and large: what runs takes no
//! more than it was allowed, and what does not fit is refused with one clear error. Servers are asked by
//! several clients at once.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

use greenwave_testkit::SeededNumbers;
use greenwave_testkit::program::{Limit, Program, most_resident};

use crate::{Extent, Report};

/// The limits, in MiB.
const LIMITS: &[u64] = &[16, 32, 48, 64, 128];

/// Of how many cases one is a server.
const SERVERS: u64 = 25;

const VARIANTS: &[&str] = &[
    "classic-2x3",
    "classic-3x3",
    "classic-3x3",
    "classic-3x4",
    "classic-3x4",
    "classic-3x4:supply=cap7",
    "classic-4x4",
    "classic-4x5",
    "signal-3x4",
    "signal-4x5",
    "points-2x4",
    "points-3x4",
    "noughts-3x3",
    "noughts-4x4",
    "semaforo",
    "slider",
    "strip",
    "ampel-4-2-1",
    "ampel-5-2-2",
    "ampel",
    "bag-classic-1x3",
    "bag-classic-3x3",
    "own.toml",
];

const EXPRESSIONS: &[&str] = &[
    "ply > 0",
    "ply < 12",
    "value = win",
    "distance >= 3 and only_move",
    "count(red) + 2 * count(green) > 3",
    "some(any, wins(any))",
];

const COUNTS: &[&str] = &["1", "1000", "300000", "16000000"];

const OWN: &str = "title = 'Own'\npatterns = ['111', '222']\n[board]\nsize = '3x3'\n[vary]\n\
                   play = ['normal', 'misere']\nboard.wrap = ['none', 'files']\n";

/// Runs the campaign.
///
/// # Panics
/// When there is no temporary folder.
#[must_use]
pub fn run(program: &Program, extent: Extent) -> Report {
    let mut report = Report::default();
    for case in extent.cases() {
        let mut seeded = extent.seeded(case);
        let folder = tempfile::tempdir().unwrap_or_else(|error| panic!("{error}"));
        let limit = seeded.pick(LIMITS);
        if case % SERVERS == SERVERS - 1 {
            let name = format!("case {case} of seed {}: a server, {limit} MiB", extent.seed);
            report.case(&name, |report| {
                served(program, folder.path(), limit << 20, &mut seeded, report)
            });
            continue;
        }
        let (mut args, input) = command(&mut seeded, folder.path());
        args.extend(["--memory".into(), format!("{limit}M")]);
        let name = format!("case {case} of seed {}: {args:?}", extent.seed);
        report.case(&name, |report| {
            let args: Vec<&str> = args.iter().map(String::as_str).collect();
            let ran = program.run_with(folder.path(), &args, &input, Limit::default());
            report.count(&format!("runs of {}", args[0]));
            report.count(match ran.code {
                Some(0 | 1) => "answered",
                _ => "refused",
            });
            let most = format!("KiB of memory at most, of {limit} MiB");
            report.most(&most, ran.peak >> 10);
            ran.is_orderly()?;
            if ran.peak == 0 {
                return Err("its peak is not known".into());
            }
            ran.keeps_within(limit << 20)
        });
    }
    report
}

// Options, each half of the time.
fn some(seeded: &mut SeededNumbers, args: &mut Vec<String>, options: &[&[&str]]) {
    for option in options {
        if seeded.below(2) == 0 {
            args.extend(option.iter().map(ToString::to_string));
        }
    }
}

fn command(seeded: &mut SeededNumbers, folder: &Path) -> (Vec<String>, String) {
    for (name, text) in [
        ("own.toml", OWN.to_string()),
        ("record.txt", record(seeded, 40)),
    ] {
        // What cannot be written is refused by the command.
        let _ = fs::write(folder.join(name), text);
    }
    let name = seeded.pick(&[
        "query", "query", "line", "stats", "find", "find", "find", "check", "certify", "compare",
        "design", "strategy", "solve", "solve", "verify", "perft", "sum", "simulate", "draw",
        "play", "review", "book", "puzzle", "sheet", "cite", "rules", "variants", "bench", "help",
        "man",
    ]);
    let mut args = vec![name.to_string()];
    let mut input = String::new();
    let variant = seeded.pick(VARIANTS).to_string();
    let budget: &[&str] = &["--budget", "200ms"];
    match name {
        "query" => {
            args.push(variant);
            if seeded.below(2) == 0 {
                args.push("-".into());
                let line = seeded.pick(&[".../.../...", "..../..../....", "nonsense"]);
                input = format!("{line}\n").repeat(1 + seeded.below(20_000) as usize);
            }
            args.extend(budget.iter().map(ToString::to_string));
            some(seeded, &mut args, &[&["--why"], &["--json"]]);
        }
        "line" | "stats" | "rules" | "certify" | "cite" => {
            args.push(variant);
            some(seeded, &mut args, &[&["--json"]]);
        }
        "find" => {
            args.extend([variant, seeded.pick(EXPRESSIONS).into()]);
            let count = seeded.pick(COUNTS);
            match seeded.below(4) {
                0 => args.push("--count".into()),
                1 => args.extend(["--limit".into(), count.into()]),
                2 => args.extend(["--sample".into(), count.into()]),
                _ => {}
            }
            some(seeded, &mut args, &[&["--up-to-symmetry"]]);
            let form = seeded.pick(&["--csv", "--json", "--quiet"]);
            args.push(form.into());
        }
        "check" => {
            let claim = format!("{variant} none: {}", seeded.pick(EXPRESSIONS));
            args.push(claim);
        }
        "compare" => {
            args.extend([variant, seeded.pick(VARIANTS).into()]);
            some(seeded, &mut args, &[&["--html", "report.html"]]);
        }
        "design" => {
            args.extend(["own.toml", "--games", "20"].map(String::from));
            some(seeded, &mut args, &[&["--html", "report.html"], &["--csv"]]);
        }
        "strategy" => {
            args.push(variant);
            args.extend(budget.iter().map(ToString::to_string));
        }
        "solve" => {
            args.push(variant.clone());
            // Larger ones take minutes.
            if variant == "signal-4x5" || variant.contains("3x") {
                some(seeded, &mut args, &[&["--scratch", "waves"]]);
            }
            some(
                seeded,
                &mut args,
                &[
                    &["--no-table"],
                    &["--metric", "value"],
                    &["--estimate"],
                    &["--kernel", "portable"],
                ],
            );
        }
        "verify" => args.push(variant),
        "perft" => args.extend([variant, "--depth".into(), "3".into()]),
        "sum" => args.extend([variant, seeded.pick(VARIANTS).into()]),
        "simulate" => {
            args.push(variant);
            args.extend(["--games", "20", "--seed", "1"].map(String::from));
        }
        "draw" => {
            args.push(variant);
            some(
                seeded,
                &mut args,
                &[
                    &["--values"],
                    &["--png", "-o", "picture.png", "--width", "3000"],
                ],
            );
        }
        "play" => {
            args.extend([variant, "--as".into(), "none".into()]);
            some(seeded, &mut args, &[&["--record", "game.txt"]]);
        }
        "review" => {
            args.push("record.txt".into());
            args.extend(budget.iter().map(ToString::to_string));
            some(
                seeded,
                &mut args,
                &[
                    &["--html", "page.html"],
                    &["--practice", "practice.jsonl"],
                    &["--json"],
                ],
            );
        }
        "book" => {
            // The budget is for each position, of which four plies of a large board have a thousand.
            let depth = seeded.pick(&["1", "2"]);
            args.extend([variant, "--depth".into(), depth.into()]);
            args.extend(budget.iter().map(ToString::to_string));
            some(
                seeded,
                &mut args,
                &[
                    &["--for", "first"],
                    &["--html", "page.html"],
                    &["--svg", "picture.svg"],
                ],
            );
        }
        "puzzle" => {
            let count = seeded.pick(&["1", "12", "100"]);
            args.extend([variant, "--count".into(), count.into()]);
            some(
                seeded,
                &mut args,
                &[
                    &["--level", "3"],
                    &["--html", "page.html"],
                    &["--svg", "p.svg"],
                ],
            );
        }
        "sheet" => {
            args.push(variant);
            some(
                seeded,
                &mut args,
                &[&["--count", "40"], &["--html", "page.html"]],
            );
        }
        "bench" => args.extend([variant, "--metric".into(), "value".into()]),
        "help" => args.push("find".into()),
        _ => {}
    }
    (args, input)
}

// Games of a few moves, most of which can be played.
fn record(seeded: &mut SeededNumbers, games: u64) -> String {
    let moves = ["b2R", "a1R", "c3R", "b2Y", "a1Y", "b2G"];
    let mut text = String::new();
    for game in 0..games {
        let variant = seeded.pick(&["classic-3x3", "classic-3x4", "points-3x4"]);
        let plies = 1 + seeded.below(moves.len() as u64 - 1) as usize;
        text += &format!(
            "# variant {variant}\n# first Player {}\n{}\n\n",
            game % 7,
            moves[..plies].join("\n")
        );
    }
    text
}

/// A server, which ends with this.
struct Server(Child);

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

const QUESTIONS: &[&str] = &[
    "query?variant=VARIANT",
    "explain?variant=VARIANT",
    "line?variant=VARIANT",
    "stats?variant=VARIANT",
    "find?variant=VARIANT&expression=ply+%3E+0",
    "find?variant=VARIANT&expression=ply+%3E+0&sample=10000",
    "book?variant=VARIANT&depth=4",
    "puzzle?variant=VARIANT&count=6",
    "play?variant=VARIANT",
    "draw.svg?variant=VARIANT&values=yes",
    "rules?variant=VARIANT",
    "check?claim=VARIANT+none:+value+=+draw",
    "compare?variants=VARIANT,classic-3x3",
];

// Several clients ask all kinds of questions at once.
fn served(
    program: &Program,
    folder: &Path,
    memory: u64,
    seeded: &mut SeededNumbers,
    report: &mut Report,
) -> Result<(), String> {
    let failed = |error: std::io::Error| error.to_string();
    let child = Command::new(program.path())
        .env("GREENWAVE_DIR", folder)
        .env_remove("GREENWAVE_MEMORY")
        .args([
            "serve",
            "--port",
            "0",
            "--threads",
            "2",
            "--budget",
            "500ms",
        ])
        .args(["--memory", &memory.to_string()])
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(failed)?;
    let mut server = Server(child);
    let mut line = String::new();
    if let Some(stderr) = server.0.stderr.take() {
        BufReader::new(stderr)
            .read_line(&mut line)
            .map_err(failed)?;
    }
    let address = line
        .split("http://")
        .nth(1)
        .and_then(|rest| rest.split('/').next())
        .ok_or_else(|| format!("no address: {line}"))?;
    let paths: Vec<Vec<String>> = (0..6)
        .map(|_| {
            (0..12)
                .map(|_| {
                    let variant = seeded.pick(&VARIANTS[..VARIANTS.len() - 1]);
                    match seeded.below(4) {
                        0 => format!("/{variant}"),
                        _ => format!(
                            "/api/v1/{}",
                            seeded.pick(QUESTIONS).replace("VARIANT", variant)
                        ),
                    }
                })
                .collect()
        })
        .collect();
    let answers: Vec<Result<u16, String>> = thread::scope(|scope| {
        let clients: Vec<_> = paths
            .iter()
            .map(|paths| {
                scope.spawn(move || paths.iter().map(|path| asked(address, path)).collect())
            })
            .collect();
        let answers = clients.into_iter().map(|client| {
            let told: Result<Vec<_>, _> = client.join();
            told.unwrap_or_default()
        });
        answers.flatten().collect()
    });
    for answer in answers {
        let status = answer?;
        report.count(&format!("answers of servers with {status}"));
        if ![200, 202, 400, 404, 413, 422, 429, 503].contains(&status) {
            return Err(format!("answered with {status}"));
        }
    }
    let status = fs::read_to_string(format!("/proc/{}/status", server.0.id())).map_err(failed)?;
    let peak = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))
        .and_then(|rest| rest.split_whitespace().next()?.parse::<u64>().ok())
        .ok_or("the server is gone")?;
    report.count("servers");
    let most = format!("KiB of servers at most, of {} MiB", memory >> 20);
    report.most(&most, peak);
    if peak << 10 > most_resident(memory) {
        return Err(format!("took {peak} KiB of {} KiB", memory >> 10));
    }
    Ok(())
}

fn asked(address: &str, path: &str) -> Result<u16, String> {
    let told = |error: std::io::Error| format!("{path}: {error}");
    let mut stream = TcpStream::connect(address).map_err(told)?;
    let patience = Duration::from_secs(120);
    stream.set_read_timeout(Some(patience)).map_err(told)?;
    let request = format!("GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).map_err(told)?;
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).map_err(told)?;
    let head = String::from_utf8_lossy(&answer);
    let status = head.split(' ').nth(1).and_then(|code| code.parse().ok());
    status.ok_or_else(|| format!("{path}: no answer"))
}
