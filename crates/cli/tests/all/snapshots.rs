//! What each command prints, word for word, for people and for programs.
//!
//! Each file of `tests/snapshots` shows commands that run one after the other in a folder of their own.
//! `GREENWAVE_BLESS=1 cargo test -p greenwave --test all snapshots` writes what really comes out.

use std::path::Path;

use crate::common::{Run, greenwave};
use crate::pages::blessing;
use snapbox::assert::Action;
use snapbox::{Assert, Data};
use tempfile::tempdir;

/// Fields that differ from run to run and from machine to machine.
const VARYING: [&str; 6] = [
    "seconds",
    "positions_per_second",
    "peak_memory_bytes",
    "kernel",
    "program",
    "table_bytes",
];

/// Runs commands and compares what they print with the file of a name.
fn shows(name: &str, commands: &[&str]) {
    let dir = tempdir().unwrap();
    let mut text = String::new();
    for command in commands {
        let command = command.replace("DIR", &dir.path().display().to_string());
        let args: Vec<&str> = command.split('|').enumerate().flat_map(parted).collect();
        let run = greenwave(dir.path(), &[&args[..], &["--memory", "1G"]].concat());
        text.push_str(&format!("$ greenwave {}\n", command.replace('|', "'")));
        text.push_str(&steady(&run));
        text.push('\n');
    }
    let text = text.replace(&dir.path().display().to_string(), "DIR");
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/snapshots/{name}.txt"));
    let action = match blessing() {
        true => Action::Overwrite,
        false => Action::Verify,
    };
    let expected = Data::read_from(&path, None).raw();
    Assert::new().action(action).eq(text, expected);
}

// Every second part between bars is one word: an expression, or a position with spaces.
fn parted((at, part): (usize, &str)) -> Vec<&str> {
    match at % 2 {
        0 => part.split_whitespace().collect(),
        _ => vec![part],
    }
}

// The output of a run without what is different on another day or machine; a document has a line for
// each of its fields.
fn steady(run: &Run) -> String {
    let mut text = String::new();
    for line in run.stdout.lines() {
        if line.starts_with(['{', '[']) {
            let steady = VARYING
                .iter()
                .fold(line.to_string(), |line, key| without(&line, key));
            text.push_str(&steady.replace(",\"", ",\n\""));
        } else if let Some((before, _)) = line.split_once("solved in ") {
            text.push_str(&format!("{before}solved in …"));
        } else if let Some((before, _)) = line
            .split_once(" (")
            .filter(|_| line.contains("move sequence"))
        {
            text.push_str(&format!("{before} (…)"));
        } else {
            text.push_str(line);
        }
        text.push('\n');
    }
    for line in run.stderr.lines() {
        text.push_str(&format!("! {line}\n"));
    }
    if run.code != 0 {
        text.push_str(&format!("= exit code {}\n", run.code));
    }
    text
}

// A document with the numbers and words of a field left out.
fn without(line: &str, key: &str) -> String {
    let key = format!("\"{key}\":");
    let mut parts = line.split(&key);
    let mut text = parts.next().unwrap_or_default().to_string();
    for part in parts {
        let end = part.find([',', '}']).unwrap_or(part.len());
        text.push_str(&format!("{key}…{}", &part[end..]));
    }
    text
}

#[test]
fn query() {
    shows(
        "query",
        &[
            "query classic-2x3",
            "query classic-2x3 R.Y/..G",
            "query classic-2x3 --moves b2R --json",
            "query classic-2x3 RRR/...",
            "query points-2x3 RR./Y..",
            "query noughts-3x3 X../.O./...",
            "query noughts-3x3 X../.O./... --json",
            "query bag-classic-1x3 .R.;RRY;YGG;RG",
            "query bag-classic-1x3 --json",
            "query classic-5x5 --budget 300",
        ],
    );
}

#[test]
fn line() {
    shows(
        "line",
        &[
            "line classic-2x3",
            "line classic-2x3 --json",
            "line points-2x3",
            "line noughts-3x3 --moves b2",
        ],
    );
}

#[test]
fn stats() {
    shows(
        "stats",
        &[
            "stats classic-2x3",
            "stats classic-2x3 --json",
            "stats points-2x3",
            "stats noughts-3x3 --metric value",
            "stats bag-classic-1x3",
        ],
    );
}

#[test]
fn tables() {
    shows(
        "tables",
        &[
            "solve classic-2x3 --kernel portable",
            "solve classic-2x3",
            "solve classic-2x3 --metric value --json",
            "solve points-2x3 noughts-3x3 --no-table",
            "solve classic-3x3 --estimate",
            "info DIR/classic-2x3/distance.gwt",
            "verify classic-2x3",
            "verify classic-2x3 --json",
            "query classic-2x3 --moves a1R",
        ],
    );
}

#[test]
fn questions() {
    shows(
        "questions",
        &[
            "find classic-2x3 |value = loss and moves = 3| --limit 4",
            "find classic-2x3 |value = loss and moves = 3| --limit 2 --json",
            "find classic-2x3 |value = loss and moves = 3| --limit 2 --csv",
            "find classic-2x3 |value = draw|",
            "check |classic-2x3 none: value = draw|",
            "check |classic-2x3 every: value = win| --json",
            "check 36",
            "compare classic-2x3 green-2x3",
            "compare classic-1x3 green-1x3 --json",
            "strategy classic-1x3",
            "strategy classic-1x3 --json",
            "strategy noughts-3x3",
            "certify classic-2x3",
            "sum classic-1x3 classic-1x4",
            "sum classic-1x3 classic-1x4 --json",
            "perft classic-2x3 3",
            "simulate bag-classic-1x3 --games 10 --seed 1",
        ],
    );
}

#[test]
fn play() {
    shows(
        "play",
        &[
            "puzzle classic-2x3",
            "puzzle classic-2x3 --count 2 --json",
            "review classic-2x3 --moves a1R,b1R,c1R",
            "review classic-2x3 --moves a1R,b1R,c1R --json",
        ],
    );
}

#[test]
fn refusals() {
    shows(
        "refusals",
        &[
            "query clasic-3x4",
            "solve clasic-3x4",
            "query CLASIC-3X3",
            "query qqq",
            "solve ||",
            "solve classic-3x3 nonsense",
            "query classic-3x3:speed=9",
            "query classic-3x3:supply=cap0",
            "query points-3x4:end=play-on,score=win",
            "query classic-3x3 R.X/.../...",
            "query classic-3x3 .../..../...",
            "query classic-3x3 ...",
            "query classic-3x3 ||",
            "perft classic-3x3 RRRR/.../... --depth 1",
            "line classic-3x3 \u{1F6A6}../.../...",
            "query classic-3x3:supply=cap4 RRG/RGR/GR.",
            "solve classic-3x3 --metric odds",
            "solve classic-3x3 --metric score",
            "solve classic-3x3 --kernel sse",
            "stats points-3x3 --metric distance",
            "slove",
            "verify nothing.gwt",
            "solve classic-6x6",
        ],
    );
}

#[test]
fn words() {
    shows(
        "words",
        &[
            "best classic-3x3",
            "list classic-3x3",
            "export classic-3x3",
            "web classic-3x3",
            "hint classic-3x3",
            "analyse classic-3x3",
            "3x3 classic-3x3",
            "points-3x3:end=play-on classic-3x3",
            "querry",
            "help xyzzy",
        ],
    );
}

#[test]
fn bag() {
    shows(
        "bag",
        &[
            "query bag-classic-3x3 RRR/.../...;RRY;YGG;RG",
            "line bag-classic-3x3 RRR/.../...;RRY;YGG;RG",
            "query bag-points-3x3 YYY/.../...;RRY;YGG;RG",
            "solve bag-classic-1x3",
            "info DIR/bag-classic-1x3/odds.gwt",
            "verify DIR/bag-classic-1x3/odds.gwt",
            "query bag-classic-3x3 R../.../...;RR;YGG;RG",
            "query bag-classic-3x3 .../.../...;RRRY;YGG;RG",
            "query bag-classic-3x3 .../.../...;RRY;YGG;RGG",
            "query bag-classic-3x3 RRR/.../...;RRR;RRG;RR",
            "query bag-classic-3x3 .../.../...;RRX;YGG;RG",
            "query bag-classic-3x3 .../.../...;RRY;YGG",
            "solve bag-classic-3x3:counters=5",
            "query bag-points-3x4:counters=6,return=after",
            "perft bag-classic-3x3 --depth 2",
            "simulate bag-classic-3x3:utility=points --games 1 --seed 1",
        ],
    );
}

#[test]
fn strips() {
    shows(
        "strips",
        &[
            "query slider .../.../...+...@X",
            "line strip .../.../...+...@X",
            "query strip .../.../...+...@E,barred",
            "query slider .../.../...+...@E,bard",
            "query slider .../.../...+@S",
            "query slider .../.../...+..@S",
            "perft strip .../.../...+....@S --depth 1",
            "query strip .../.../...",
            "query classic-3x3 .../.../...+...@E",
            "query slider:repeat=ban",
            "query strip:sides=opposite",
            "solve slider --metric distance",
            "query slider-3x3",
        ],
    );
}

#[test]
fn ampel() {
    shows(
        "ampel",
        &[
            "query ampel-4-2-1 |4 2 1 r 1 0 0 ./../.y./rrr.|",
            "query ampel-4-2-1 |4 2 1 r 1 0 0 ./../gyr/....|",
            "query ampel-4-2-1 |4 2 1 r 1 0 0 R/../.y./R...|",
            "query ampel-4-2-1 |4 2 1 r 1 0 0 ./../.../....|",
            "query ampel-4-2-1 |4 2 1 r 1 0 0 ./.../.y./....|",
            "query ampel-4-2-1 |5 2 1 r 1 0 0 ./../.y./....|",
            "query ampel-4-2-1 |4 9 1 r 1 0 0 ./../.y./....|",
            "query ampel-3-2-1",
            "query ampel-12-2-1",
            "query ampel-5-0-1",
            "query ampel-5-21-1",
            "query ampel-11-20-11",
            "query ampel-5-3-4",
            "query ampel-5-3",
            "solve ampel --estimate",
        ],
    );
}

#[test]
fn sums() {
    shows(
        "sums",
        &[
            "sum slider",
            "sum classic-3x3 points-3x4",
            "sum classic-3x3:play=misere",
            "sum classic-3x3:supply=cap6",
            "sum classic-2x2",
            "sum ampel-4-2-1",
            "sum classic-3x3 classic-3x3=RX./.../...",
            "sum classic-3x3 clasic-3x3",
            "sum classic-3x3 classic-5x5",
            "sum",
        ],
    );
}

#[test]
fn rules() {
    shows(
        "rules",
        &[
            "variants",
            "rules classic-2x3:play=misere",
            "rules noughts-4x4:line=4 --json",
            "cite",
            "cite --bibtex",
        ],
    );
}

#[test]
fn errors() {
    shows(
        "errors",
        &[
            "query classic-9x9",
            "query clasic-3x3",
            "query classic-3x3:play=wild",
            "query classic-3x3 RY.",
            "query classic-3x3 RYX/.../...",
            "query classic-3x3 --moves b2R,b2R",
            "query classic-3x3 --budget soon",
            "query noughts-3x3 XX./.../...",
            "line classic-5x5",
            "stats classic-4x4",
            "find classic-3x3 |value = los|",
            "find classic-3x3 |points > 0|",
            "check 99",
            "info nothing.gwt",
            "verify classic-3x3",
            "solve classic-3x3 --metric points",
            "solve classic-3x3 --threads 0",
            "sum points-2x3",
            "simulate classic-3x3",
            "strategy points-2x3",
            "perft classic-3x3 99999",
            "colour",
        ],
    );
}
