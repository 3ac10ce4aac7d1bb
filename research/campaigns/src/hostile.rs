//! Texts that nobody should send: names, positions, moves, expressions, numbers, rule files, claims and
//! records, wrong in one place or altogether, to every command. Each is answered, or refused with one
//! clear error, in time and within the memory allowed.

use std::fs;
use std::path::Path;

use greenwave_testkit::SeededNumbers;
use greenwave_testkit::program::{Limit, Program, ProgramRun};

use crate::{Extent, Report};

/// The memory that the runs are allowed.
const MEMORY: u64 = 256 << 20;

const VARIANTS: &[&str] = &[
    "classic-2x3",
    "signal-1x5:play=misere",
    "green-2x3:supply=pool3,stalemate=loss",
    "points-2x3:end=play-on",
    "classic-4x8",
    "noughts-3x3",
    "noughts-4x5:line=4",
    "strip",
    "slider:score=win",
    "ampel-4-2-1",
    "ampel",
    "bag-classic-1x3",
    "semaforo",
    "rules.toml",
    "lines.toml",
    "bag.toml",
    "3x3",
];

const POSITIONS: &[&str] = &[
    ".../...",
    "R.Y/.G.",
    "-RR/...",
    "YYR.G",
    ".../.R./...+..Y@E",
    ".../.../...+...@N,barred",
    "X.O/.X./..O",
    ".../.../...;RRY;YGG;RG",
    "...;;R;RG",
    "4 2 1 g 1 0 0 ./../.y./....",
    "4 2 1 r s 0 0 ./../.../....",
    "0123/3210/0000",
    "-",
    "",
];

const MOVES: &[&str] = &[
    "a1R", "b2R,b2Y", "a1 b1 c1", "s1R", "slide-Nt", "turn", "b2Y+G", "+G", "d2-b1", "+c2", "off",
    "pass", "miss", "a1R[RG]",
];

const EXPRESSIONS: &[&str] = &[
    "value = win and ply < 2",
    "some(any, wins(any))",
    "after(a1, moves = 3)",
    "count(red) + 2 * count(green) > 3 or not (a1 = red)",
    "shows(\"R??/...\")",
    "-points = 1",
    "legal(s2Y)",
    "distance >= 3 and only_move",
    "after(a1, after(b1, after(c1, value = loss)))",
    "moves * 10 % 7 - 3 = 1",
    "loses_at_once(a1)",
    "hand(red) = 3",
    "step = 1 and red_captured = 0",
    "((((a1))))",
];

const RULES: &str = "title = 'Two'\npatterns = ['11', '22']\nplay = 'misere'\nsupply = 'cap3'\n\
                     [board]\noutline = '#-/##'\nline-length = 2\nlevels = 2\n";

const RULES_OF_MANY_KEYS: &str = "patterns = ['111', '222']\nstart = '100/000'\nswap = true\npass = 'free'\n\
                                  last-square = 'neighbours'\nwin-lines = 2\n\
                                  not-first = ['b1']\nmay = { first = [1, 2], second = [1] }\n\
                                  [board]\nsize = '2x3'\ndirections = ['rank', 'file']\nwrap = 'both'\n\
                                  top = '333/121'\nshapes = ['##/#-']\n";

const CLAIMS: &str = "[[claim]]\nid = 1\ntext = 'x'\nsource = 'y'\n[[claim.test]]\nkind = 'count'\n\
                      variant = 'classic-1x3'\nwhere = 'c1 = red'\namong = 'legal'\nequals = 4\n\
                      [[claim.test]]\nkind = 'play'\nvariant = 'classic-1x3'\nmoves = ['a1R']\n\
                      value = 'loss'\n";

const RECORD: &str = "# variant classic-2x3\n# start .../...\na1R\nb1R\na1Y\n";

const PIECES: &[&str] = &[
    "R",
    "/",
    ".",
    "-",
    "--",
    "(",
    ")",
    "((((((((",
    "\"",
    "'",
    "=",
    ",",
    ":",
    ";",
    "@",
    "+",
    "[",
    "]",
    "{",
    "}",
    "0",
    "9",
    "99999999999999999999",
    "-1",
    "1e400",
    "0x",
    "é",
    "×",
    "🚦",
    "\u{202e}",
    "\u{0}",
    "\t",
    "\n",
    "\r\n",
    " ",
    "\\",
    "../../",
    "/dev/zero",
    "~",
    "%s",
    "%n",
    "$(id)",
    "any",
    "after(",
    "not",
    "some(any,",
    "and",
    "nan",
    "inf",
    "\u{feff}",
    "\u{1b}[31m",
    "a1",
    "i9",
    "z99",
];

/// Runs the campaign.
///
/// # Panics
/// When there is no temporary folder.
#[must_use]
pub fn run(program: &Program, extent: Extent) -> Report {
    let folder = tempfile::tempdir().unwrap_or_else(|error| panic!("{error}"));
    let mut report = Report::default();
    for name in ["classic-2x3", "ampel-4-2-1", "bag-classic-1x3"] {
        let solved = program.run(folder.path(), &["solve", name, "-q"]);
        report.case(name, |_| solved.is_orderly());
    }
    for case in extent.cases() {
        let mut seeded = extent.seeded(case);
        let (args, input) = command(&mut seeded, folder.path());
        let shown: Vec<String> = args
            .iter()
            .map(|arg| arg.chars().take(300).collect())
            .collect();
        let case = format!(
            "case {case} of seed {}: {shown:?}, input {:?}",
            extent.seed,
            input.chars().take(200).collect::<String>()
        );
        report.case(&case, |report| {
            let borrowed: Vec<&str> = args.iter().map(String::as_str).collect();
            let ran = program.run_with(folder.path(), &borrowed, &input, Limit::default());
            report.count(&format!("texts to {}", args[0]));
            report.count(match ran.code {
                Some(0) => "answered",
                Some(1) => "answered with no",
                _ => "refused",
            });
            report.most("KiB of memory at most", ran.peak >> 10);
            ran.is_orderly()?;
            ran.keeps_within(MEMORY)?;
            is_one_error(&ran)
        });
    }
    report
}

// An error is not as long as what caused it, and names no place in the program.
fn is_one_error(ran: &ProgramRun) -> Result<(), String> {
    if ran.code == Some(2) && ran.stderr.len() > 20_000 {
        let start: String = ran.stderr.chars().take(300).collect();
        return Err(format!("an error of {} bytes: {start}", ran.stderr.len()));
    }
    if ran.stderr.contains(".rs:") {
        return Err(format!("an error that names source files: {}", ran.stderr));
    }
    Ok(())
}

// Where a text is put.
fn file(folder: &Path, name: &str, text: &str) -> String {
    let _ = fs::write(folder.join(name), text);
    name.into()
}

fn command(seeded: &mut SeededNumbers, folder: &Path) -> (Vec<String>, String) {
    let rules = [RULES, RULES_OF_MANY_KEYS];
    file(folder, "rules.toml", &text(seeded, &rules));
    file(folder, "lines.toml", RULES);
    file(
        folder,
        "bag.toml",
        "patterns = ['11']\nboard.size = '1x2'\nboard.line-length = 2\n[bag]\n",
    );
    let name = seeded.pick(&[
        "query",
        "query",
        "line",
        "stats",
        "find",
        "find",
        "check",
        "check",
        "compare",
        "perft",
        "sum",
        "simulate",
        "review",
        "draw",
        "puzzle",
        "strategy",
        "cite",
        "play",
        "rules",
        "info",
        "verify",
        "certify",
        "solve",
        "completions",
        "man",
        "variants",
        "bench",
        "serve",
        "book",
        "sheet",
        "design",
    ]);
    let mut args = vec![name.to_string()];
    let mut input = String::new();
    let variant = |seeded: &mut SeededNumbers| text(seeded, VARIANTS);
    match name {
        "query" => {
            args.push(variant(seeded));
            match seeded.below(3) {
                0 => {
                    args.push("-".into());
                    for _ in 0..seeded.below(20) {
                        input += &text(seeded, POSITIONS);
                        input += seeded.pick(&["\n", "\n\n", "\r\n", "\0"]);
                    }
                }
                1 => args.extend(["--moves".into(), text(seeded, MOVES)]),
                _ => args.push(text(seeded, POSITIONS)),
            }
            args.extend(["--budget".into(), number(seeded, "200ms")]);
        }
        "line" | "draw" | "play" | "perft" => {
            args.push(variant(seeded));
            args.push(text(seeded, POSITIONS));
            if seeded.below(2) == 0 {
                args.extend(["--moves".into(), text(seeded, MOVES)]);
            }
            match name {
                "perft" => args.extend(["--depth".into(), number(seeded, "2")]),
                "draw" if seeded.below(2) == 0 => args.push("--png".into()),
                "play" => {
                    for _ in 0..seeded.below(12) {
                        let words = ["hint", "values", "undo", "moves", "resign", "quit"];
                        let lines = if seeded.below(2) == 0 { MOVES } else { &words };
                        input += &text(seeded, lines);
                        input.push('\n');
                    }
                    args.extend(["--level".into(), text(seeded, &["easy", "perfect"])]);
                }
                _ => {}
            }
        }
        "find" => {
            args.push(variant(seeded));
            args.push(text(seeded, EXPRESSIONS));
            if seeded.below(2) == 0 {
                args.extend(["--fields".into(), text(seeded, EXPRESSIONS)]);
            }
            args.extend(["--limit".into(), number(seeded, "3")]);
        }
        "check" => match seeded.below(2) {
            0 => args.push(format!(
                "{} {}: {}",
                variant(seeded),
                seeded.pick(&["none", "some", "all", "most", ""]),
                text(seeded, EXPRESSIONS)
            )),
            _ => args.push(file(folder, "claims.toml", &text(seeded, &[CLAIMS]))),
        },
        "compare" => args.extend([variant(seeded), variant(seeded)]),
        "sum" => {
            for _ in 0..1 + seeded.below(3) {
                args.push(format!("{}={}", variant(seeded), text(seeded, POSITIONS)));
            }
        }
        "simulate" => {
            args.push(variant(seeded));
            args.extend(["--games".into(), number(seeded, "5")]);
            args.extend(["--seed".into(), number(seeded, "7")]);
        }
        "review" => {
            args.push(variant(seeded));
            let moves = match seeded.below(3) {
                0 => {
                    input = text(seeded, &[RECORD]);
                    "-".into()
                }
                1 => file(folder, "record.txt", &text(seeded, &[RECORD])),
                _ => text(seeded, MOVES),
            };
            args.extend(["--moves".into(), moves]);
        }
        "puzzle" => {
            args.push(variant(seeded));
            args.extend(["--count".into(), number(seeded, "2")]);
            args.extend(["--level".into(), number(seeded, "1")]);
        }
        "book" => {
            args.push(variant(seeded));
            if seeded.below(2) == 0 {
                args.push(text(seeded, POSITIONS));
            }
            args.extend(["--depth".into(), number(seeded, "2")]);
            args.extend(["--for".into(), text(seeded, &["first", "second"])]);
            args.extend(["--budget".into(), number(seeded, "50ms")]);
        }
        "sheet" => {
            args.push(text(seeded, &["classic-1x4", "ampel-4-2-1", "rules.toml"]));
            args.extend(["--level".into(), number(seeded, "1")]);
            args.extend(["--count".into(), number(seeded, "1")]);
            args.extend(["--html".into(), "sheet.html".into()]);
        }
        "design" => {
            args.push(text(seeded, &["rules.toml", "lines.toml", "bag.toml"]));
            args.push("--vary".into());
            args.push(text(
                seeded,
                &["play=normal,misere", "board.wrap=none,files", "start=;x"],
            ));
            args.extend(["--games".into(), number(seeded, "3")]);
            args.extend(["--rank".into(), text(seeded, &["balance, then drama"])]);
        }
        "strategy" => {
            args.push(variant(seeded));
            args.extend(["--budget".into(), number(seeded, "200ms")]);
        }
        "info" | "verify" => args.push(text(
            seeded,
            &[
                "classic-2x3/distance.gwt",
                "bag-classic-1x3/odds.gwt",
                "rules.toml",
                "classic-2x3",
                ".",
            ],
        )),
        "solve" => {
            args.push(text(
                seeded,
                &["classic-1x4", "rules.toml", "bag.toml", "points-1x4"],
            ));
            args.extend([
                "--metric".into(),
                text(seeded, &["value", "all", "distance,value"]),
            ]);
            if seeded.below(2) == 0 {
                args.push("--estimate".into());
            }
        }
        "completions" => args.push(text(seeded, &["bash", "zsh"])),
        "man" => args.extend(["--out-dir".into(), text(seeded, &["pages"])]),
        "bench" => args.push(text(seeded, &["classic-1x4", "rules.toml"])),
        // One that is right would serve for ever.
        "serve" => args.extend(["--port".into(), format!("{}x", number(seeded, "seven"))]),
        "variants" => {}
        _ => args.push(variant(seeded)),
    }
    if seeded.below(4) == 0 {
        let more = text(
            seeded,
            &[
                "--json",
                "--quiet",
                "--threads",
                "--colours",
                "--dir",
                "--memory",
            ],
        );
        args.push(more);
        if seeded.below(2) == 0 {
            args.push(text(seeded, &["1", "gyr", "8G", "tables"]));
        }
    }
    // The last one counts, and one that comes twice is an error as well.
    args.extend(["--memory".into(), format!("{}M", MEMORY >> 20)]);
    for arg in &mut args {
        // No system passes these on.
        arg.retain(|letter| letter != '\0');
    }
    (args, input)
}

// A text that is right, nearly right, or nothing of the kind.
fn text(seeded: &mut SeededNumbers, right: &[&str]) -> String {
    let mut letters: Vec<char> = seeded.pick(right).chars().collect();
    match seeded.below(10) {
        0..=2 => {}
        3..=7 => {
            for _ in 0..1 + seeded.below(3) {
                let at = seeded.below(letters.len() as u64 + 1) as usize;
                let end = (at + seeded.below(4) as usize).min(letters.len());
                let piece: Vec<char> = seeded.pick(PIECES).chars().collect();
                letters.splice(at..end, piece);
            }
        }
        8 => {
            // Much too long.
            let piece: Vec<char> = seeded.pick(PIECES).chars().collect();
            let times = 1 + seeded.below(30_000) as usize / piece.len().max(1);
            let at = seeded.below(letters.len() as u64 + 1) as usize;
            letters.splice(at..at, piece.repeat(times));
        }
        _ => {
            letters.clear();
            for _ in 0..seeded.below(12) {
                letters.extend(seeded.pick(PIECES).chars());
            }
        }
    }
    letters.into_iter().collect()
}

// A small number, or a text that is none: the program has to do the work that it accepts.
fn number(seeded: &mut SeededNumbers, right: &str) -> String {
    match seeded.below(4) {
        0 => seeded
            .pick(&[
                "",
                "-1",
                "0",
                "x",
                "1e9",
                "18446744073709551616",
                "NaN",
                "0x10",
                "٣",
                "1.5",
                " 1",
            ])
            .into(),
        _ => right.into(),
    }
}
