//! What each command prints, word for word, for people and for programs.
//!
//! Each file of `tests/snapshots` shows commands that run one after the other in a folder of their own.
//! `GREENWAVE_BLESS=1 cargo test -p greenwave --test all snapshots` writes what really comes out.

use crate::common::greenwave;
use crate::transcript::Transcript;
use tempfile::tempdir;

/// Runs commands and compares what they print with the file of a name. Every second part between bars is
/// one word: an expression, or a position with spaces.
fn shows(name: &'static str, commands: &[&str]) {
    let dir = tempdir().unwrap();
    let mut shown = Transcript::new(name);
    shown.hide(dir.path());
    for command in commands {
        let command = command.replace("DIR", &dir.path().display().to_string());
        let args: Vec<&str> = command.split('|').enumerate().flat_map(parted).collect();
        let run = greenwave(dir.path(), &[&args[..], &["--memory", "1G"]].concat());
        shown.add(&command.replace('|', "'"), &run);
    }
    shown.settle();
}

fn parted((at, part): (usize, &str)) -> Vec<&str> {
    match at % 2 {
        0 => part.split_whitespace().collect(),
        _ => vec![part],
    }
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
            "query classic-5x6:play=misere --budget 300",
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
            "strategy classic-1x31 --budget 2000",
            "strategy noughts-3x3",
            "certify classic-2x3",
            "sum classic-1x3 classic-1x4",
            "sum classic-1x3 classic-1x4 --json",
            "perft classic-2x3 --depth 3",
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
            "puzzle classic-2x2",
            "puzzle bag-classic-2x3",
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
            "line classic-5x6",
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
