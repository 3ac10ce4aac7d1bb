//! The published results under `solutions/`: rebuilt and compared.
//!
//! Each folder holds `summary.json`, made from the output of `solve --json` and `stats --json`, and
//! the tables, if that of the default metric is small. With `GREENWAVE_BLESS=1` the test writes
//! them anew, with the result tables of `docs/results.md` and the picture of the README.
#![cfg(unix)]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;

use crate::pages::{PUBLISHED_BYTES, blessing, greenwave, marked, page, root, table};
use greenwave_game::{Luck, Metric, Variant, catalogue, counted};
use greenwave_table::{Meta, Table};
use serde_json::{Value, json};

/// Fields that differ from run to run and from machine to machine.
const VARYING: [&str; 7] = [
    "seconds",
    "positions_per_second",
    "peak_memory_bytes",
    "threads",
    "kernel",
    "file",
    "made",
];

/// One at a time, so that published times are those of a machine with nothing else to do.
static MACHINE: Mutex<()> = Mutex::new(());

#[test]
fn boards_of_nine_squares_come_out_as_published() {
    remake(|variant| squares(variant) <= 9);
}

#[test]
#[cfg_attr(not(feature = "slow-tests"), ignore = "about a minute")]
fn boards_of_twelve_squares_come_out_as_published() {
    remake(|variant| (10..=12).contains(&squares(variant)) && !has_luck(variant));
}

#[test]
#[cfg_attr(
    not(feature = "slow-tests"),
    ignore = "some minutes, three gigabytes of memory, ten of disk"
)]
fn the_bag_on_twelve_squares_comes_out_as_published() {
    remake(|variant| (10..=12).contains(&squares(variant)) && has_luck(variant));
}

fn has_luck(variant: &Variant) -> bool {
    variant.rules().properties.luck == Luck::Draws
}

#[test]
#[cfg_attr(
    not(feature = "slow-tests"),
    ignore = "about a minute, a gigabyte of memory"
)]
fn larger_boards_come_out_as_published() {
    remake(|variant| (13..=32).contains(&squares(variant)));
}

#[test]
fn short_lists_come_out_as_published() {
    remake(|variant| listed(variant).is_some_and(|positions| positions < 1_000_000));
}

#[test]
#[cfg_attr(not(feature = "slow-tests"), ignore = "about a minute")]
fn longer_lists_come_out_as_published() {
    remake(|variant| listed(variant).is_some_and(|positions| positions >= 1_000_000));
}

#[test]
#[cfg_attr(not(feature = "slow-tests"), ignore = "some minutes")]
fn lines_of_four_on_five_by_five_are_drawn() {
    let dir = tempfile::tempdir().unwrap();
    let query = ["query", "noughts-5x5:line=4", "--budget", "10m", "--json"];
    let answer = crate::common::greenwave(dir.path(), &query).json();
    assert_eq!(answer["value"], "draw");
    let moves = answer["moves"].as_array().unwrap();
    assert_eq!(moves.len(), 25);
    assert!(moves.iter().all(|mv| mv["value"] == "draw"), "{moves:?}");
}

/// Squares of a board with its strip; more than any has where positions are listed.
fn squares(variant: &Variant) -> u32 {
    match listed(variant) {
        Some(_) => u32::MAX,
        None => variant.rules().cells,
    }
}

/// Positions at most, where they are listed.
fn listed(variant: &Variant) -> Option<u128> {
    variant
        .holds_reachable_only()
        .then(|| variant.expected_positions())
}

fn remake(wanted: impl Fn(&Variant) -> bool) {
    let _alone = MACHINE.lock().unwrap_or_else(|broken| broken.into_inner());
    let mut wrong = Vec::new();
    for name in solvable() {
        let variant = Variant::parse(name).unwrap();
        if !wanted(&variant) {
            continue;
        }
        let rules = variant.rules().clone();
        let made = tempfile::tempdir().unwrap();
        // Beyond twelve squares a table of nimbers has hundreds of megabytes.
        let mut metrics = rules.metrics;
        metrics.retain(|metric| rules.cells <= 12 || *metric != Metric::Nimber);
        let summary = summary(name, &metrics, made.path());
        let published = root().join("solutions").join(rules_slug(name));
        if blessing() {
            publish(&summary, &made.path().join(rules_slug(name)), &published);
        }
        wrong.extend(differences(
            &summary,
            &made.path().join(rules_slug(name)),
            &published,
        ));
    }
    if blessing() {
        write_tables();
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The variants whose results are published: those of the catalogue with fewer than 16 billion
/// positions; the values of larger ones take more disk than most machines have.
fn solvable() -> Vec<&'static str> {
    let solved = |name: &&str| {
        let variant = Variant::parse(name).unwrap();
        variant.expected_positions() >> 34 == 0
    };
    catalogue().iter().copied().filter(solved).collect()
}

fn rules_slug(name: &str) -> String {
    Variant::parse(name).unwrap().rules().slug()
}

/// Solves a variant into a folder of tables and sums it up.
fn summary(name: &str, metrics: &[Metric], dir: &Path) -> Value {
    let run = |args: &[&str]| -> Value {
        let mut command = greenwave(dir);
        command
            .args(["--json", "--quiet", "--dir"])
            .arg(dir)
            .args(args);
        let output = command.output().unwrap();
        let complaint = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{name}: {complaint}");
        serde_json::from_slice(&output.stdout).unwrap()
    };
    // A process of its own for each metric, so that its peak memory is its own.
    let solved: Vec<Value> = metrics
        .iter()
        .map(|metric| {
            let mut line = run(&["solve", name, "--metric", metric.name()]);
            let fields = line.as_object_mut().unwrap();
            for told_elsewhere in [
                "schema", "variant", "lights", "openings", "by_value", "file",
            ] {
                fields.remove(told_elsewhere);
            }
            line
        })
        .collect();
    let stats = run(&["stats", name]);
    let hash = run(&["rules", name])["rules_hash"].clone();
    json!({
        "schema": 2,
        "variant": name,
        "rules_hash": hash,
        "solved": solved,
        "stats": stats,
        "made": made(),
    })
}

/// Program, machine and day of a published summary.
fn made() -> Value {
    let said = |program: &str, args: &[&str]| {
        let output = Command::new(program)
            .args(args)
            .current_dir(root())
            .output();
        output.map_or_else(
            |_| String::new(),
            |output| String::from_utf8_lossy(&output.stdout).trim().into(),
        )
    };
    let processor = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = processor
        .lines()
        .find_map(|line| line.strip_prefix("model name")?.split(": ").nth(1));
    // The last commit that can have changed a result.
    let engine_commit = [
        "log",
        "-1",
        "--format=%h",
        "--abbrev=12",
        "--",
        "crates/game",
        "crates/solver",
        "crates/sweep",
        "crates/table",
    ];
    json!({
        "program": said(env!("CARGO_BIN_EXE_greenwave"), &["--version"]),
        "commit": said("git", &engine_commit),
        "day": said("date", &["-u", "+%Y-%m-%d"]),
        "machine": model.unwrap_or("unknown"),
        "cores": std::thread::available_parallelism().map_or(1, usize::from),
    })
}

/// Variants whose small tables are published although that of the default metric is not small: a query
/// makes up for it at once by solving.
const QUICKLY_SOLVED: [&str; 1] = ["classic-3x4"];

/// The tables that are published: the small ones, if that of the default metric is among them; so a
/// query hardly ever finds lesser tables only.
fn small_tables(summary: &Value, made: &Path) -> Vec<PathBuf> {
    let name = summary["variant"].as_str().unwrap();
    let default = Variant::parse(name).unwrap().rules().default_metric;
    let file = |metric: &str| made.join(format!("{metric}.gwt"));
    let size = |file: &Path| std::fs::metadata(file).unwrap().len();
    if size(&file(default.name())) > PUBLISHED_BYTES && !QUICKLY_SOLVED.contains(&name) {
        return Vec::new();
    }
    let metrics = summary["solved"].as_array().unwrap().iter();
    metrics
        .map(|solved| file(solved["metric"].as_str().unwrap()))
        .filter(|file| size(file) <= PUBLISHED_BYTES)
        .collect()
}

fn publish(summary: &Value, made: &Path, published: &Path) {
    std::fs::create_dir_all(published).unwrap();
    let mut text = serde_json::to_string_pretty(summary).unwrap();
    text.push('\n');
    std::fs::write(published.join("summary.json"), text).unwrap();
    for table in small_tables(summary, made) {
        std::fs::copy(&table, published.join(table.file_name().unwrap())).unwrap();
    }
}

fn differences(summary: &Value, made: &Path, published: &Path) -> Vec<String> {
    let place = published.join("summary.json");
    let Ok(text) = std::fs::read_to_string(&place) else {
        return vec![format!(
            "{} is not there: make it with 'just solutions-write'",
            place.display()
        )];
    };
    let mut wrong = Vec::new();
    let before: Value = serde_json::from_str(&text).unwrap();
    compare("", &before, summary, &mut wrong);
    for table in small_tables(summary, made) {
        let name = table.file_name().unwrap();
        let before = std::fs::read(published.join(name)).ok();
        let now = std::fs::read(&table).unwrap();
        if !before.is_some_and(|before| same_table(&before, &now)) {
            wrong.push(format!(
                "{} is not the table that is made now",
                name.to_string_lossy()
            ));
        }
    }
    let folder = published.file_name().unwrap().to_string_lossy();
    wrong
        .into_iter()
        .map(|problem| format!("solutions/{folder}: {problem}"))
        .collect()
}

/// Whether two tables are the same to the byte, whatever version of the program wrote them.
fn same_table(before: &[u8], now: &[u8]) -> bool {
    // Frames and directory end where the metadata begin; this place holds that number.
    const METADATA: usize = 40;
    const FRAMES: usize = 64;
    let parts = |bytes: &[u8]| {
        let table = Table::from_bytes(bytes.to_vec()).ok()?;
        let end = u64::from_le_bytes(bytes.get(METADATA..METADATA + 8)?.try_into().ok()?);
        let meta = Meta {
            program: String::new(),
            ..table.meta().clone()
        };
        Some((bytes[FRAMES..end as usize].to_vec(), meta))
    };
    let before = parts(before);
    before.is_some() && before == parts(now)
}

#[test]
fn tables_of_other_values_are_not_the_same() {
    let table = |variant: &str| {
        std::fs::read(root().join(format!("solutions/{variant}/distance.gwt"))).unwrap()
    };
    let classic = table("classic-3x3");
    assert!(same_table(&classic, &classic));
    assert!(!same_table(&classic, &table("green-3x3")));
    assert!(!same_table(&classic, &classic[..classic.len() - 1]));
}

/// Adds every field whose published value is not the one made now.
fn compare(path: &str, before: &Value, now: &Value, wrong: &mut Vec<String>) {
    if let (Value::Object(before), Value::Object(now)) = (before, now) {
        let keys: BTreeMap<&String, ()> = before
            .keys()
            .chain(now.keys())
            .map(|key| (key, ()))
            .collect();
        for key in keys
            .into_keys()
            .filter(|key| !VARYING.contains(&key.as_str()))
        {
            let of =
                |side: &serde_json::Map<String, Value>| side.get(key).cloned().unwrap_or_default();
            compare(&format!("{path}.{key}"), &of(before), &of(now), wrong);
        }
    } else if let (Value::Array(before), Value::Array(now)) = (before, now)
        && before.len() == now.len()
    {
        for (number, (before, now)) in before.iter().zip(now).enumerate() {
            compare(&format!("{path}[{number}]"), before, now, wrong);
        }
    } else if before != now {
        wrong.push(format!(
            "{path} is published as {before}, made now as {now}"
        ));
    }
}

/// The published summaries, in the order of the catalogue.
fn published_summaries() -> Vec<Value> {
    catalogue()
        .iter()
        .filter_map(|name| {
            let place = root()
                .join("solutions")
                .join(rules_slug(name))
                .join("summary.json");
            Some(serde_json::from_str(&std::fs::read_to_string(place).ok()?).unwrap())
        })
        .collect()
}

#[test]
fn every_variant_of_the_catalogue_is_published() {
    let there: Vec<String> = published_summaries()
        .iter()
        .map(|summary| summary["variant"].as_str().unwrap().to_string())
        .collect();
    assert!(
        there == solvable() || blessing(),
        "{there:?} of {:?}",
        solvable()
    );
}

#[test]
fn pages_show_the_published_results() {
    let _alone = MACHINE.lock().unwrap_or_else(|broken| broken.into_inner());
    if blessing() {
        write_tables();
    }
    assert!(
        page("solutions/published.tsv") == published_rows(),
        "solutions/published.tsv: remake with 'just solutions-write'"
    );
    assert!(
        page("docs/results.svg") == chart(),
        "docs/results.svg: remake with 'just solutions-write'"
    );
    for (path, tables) in tables() {
        let text = page(path);
        for (mark, table) in tables {
            let (_, shown, _) = marked(&text, path, mark);
            assert_eq!(shown, table, "{path}: remake with 'just solutions-write'");
        }
    }
}

/// The published values in one file, which the program carries with it.
fn published_rows() -> String {
    let mut text = String::from(
        "variant\trules_hash\tmetric\tvalue\tdistance\tpoints\tnimber\texpectation\twin\tloss\tpositions\tsignature\n",
    );
    let told = |value: &Value| match (value.is_null(), value.as_str()) {
        (true, _) => String::new(),
        (false, Some(text)) => text.to_string(),
        (false, None) => value.to_string(),
    };
    for summary in published_summaries() {
        for solved in summary["solved"].as_array().unwrap() {
            let own =
                ["metric", "value", "distance", "points", "nimber"].map(|key| told(&solved[key]));
            let cells = [
                told(&summary["variant"]),
                told(&summary["rules_hash"]),
                own.join("\t"),
                ["expectation", "win", "loss"]
                    .map(|key| told(&solved["odds"][key]))
                    .join("\t"),
                told(&solved["positions"]),
                told(&solved["signature"]),
            ];
            text.push_str(&format!("{}\n", cells.join("\t")));
        }
    }
    text
}

fn write_tables() {
    std::fs::write(root().join("solutions/published.tsv"), published_rows()).unwrap();
    std::fs::write(root().join("docs/results.svg"), chart()).unwrap();
    for (path, tables) in tables() {
        let mut text = page(path);
        for (mark, table) in tables {
            let (before, _, after) = marked(&text, path, mark);
            text = format!("{before}{table}{after}");
        }
        std::fs::write(root().join(path), text).unwrap();
    }
}

/// The tables that pages show between comments: page, name of the comments, table.
fn tables() -> Vec<(&'static str, Vec<(&'static str, String)>)> {
    let all = published_summaries();
    let all: Vec<&Value> = all.iter().collect();
    vec![(
        "docs/results.md",
        vec![
            ("results", results(&all)),
            ("counts", counts(&all)),
            ("signatures", signatures(&all)),
            ("machine", machine(&all)),
        ],
    )]
}

/// Who wins in how many plies, as a picture: a bar for each variant that is decided by a line, filled
/// where the first player wins.
fn chart() -> String {
    const LEFT: i64 = 250;
    const PLY: i64 = 7;
    const ROW: i64 = 24;
    let summaries = published_summaries();
    let decided: Vec<(&str, &str, i64)> = summaries
        .iter()
        .filter_map(|summary| {
            let solved = default_metric(summary);
            let name = summary["variant"].as_str()?;
            let plain = !name.contains("supply=");
            plain.then_some((
                name,
                solved["value"].as_str()?,
                solved["distance"].as_i64()?,
            ))
        })
        .collect();
    let height = ROW * (decided.len() as i64 + 2);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 760 {height}\" width=\"760\" \
         height=\"{height}\" font-family=\"sans-serif\" font-size=\"14\">\n\
         <title>Who wins from the start, and in how many plies</title>\n\
         <rect width=\"760\" height=\"{height}\" fill=\"#fff\"/>\n\
         <text x=\"10\" y=\"17\" font-weight=\"bold\">Who wins from the start, in plies</text>\n"
    );
    for (row, (name, value, plies)) in decided.iter().enumerate() {
        let y = ROW * (row as i64 + 1);
        let (fill, who) = match *value {
            "win" => ("#1f4e79", "first player"),
            _ => ("#fff", "second player"),
        };
        svg.push_str(&format!(
            "<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{name}</text>\
             <rect x=\"{LEFT}\" y=\"{}\" width=\"{}\" height=\"16\" fill=\"{fill}\" stroke=\"#1f4e79\"/>\
             <text x=\"{}\" y=\"{}\">{plies}, {who}</text>\n",
            LEFT - 10,
            y + 17,
            y + 4,
            plies * PLY,
            LEFT + plies * PLY + 8,
            y + 17,
        ));
    }
    svg.push_str("</svg>\n");
    svg
}

fn results(summaries: &[&Value]) -> String {
    let header = [
        "variant",
        "who wins",
        "in / by",
        "positions",
        "solved in",
        "table",
    ];
    let rows = summaries.iter().map(|summary| {
        let name = summary["variant"].as_str().unwrap();
        let solved = default_metric(summary);
        let first = match solved["value"].as_str().unwrap() {
            "win" if solved["odds"].is_object() => "first player more often",
            "loss" if solved["odds"].is_object() => "second player more often",
            "win" => "first player",
            "loss" => "second player",
            _ => "nobody: draw",
        };
        let odds = solved["odds"]["expectation"].as_f64();
        let by = match (solved["points"].as_i64(), solved["distance"].as_i64()) {
            _ if odds.is_some() => format!("{:+.6} expected", odds.unwrap()),
            (Some(points), _) => counted(points.abs(), "point", "points"),
            (None, Some(plies)) => counted(plies, "ply", "plies"),
            (None, None) => String::new(),
        };
        vec![
            format!("`{name}`"),
            first.into(),
            by,
            grouped(&solved["positions"]),
            seconds(solved["seconds"].as_f64().unwrap()),
            kilobytes(solved["table_bytes"].as_u64().unwrap()),
        ]
    });
    table(&header, rows.collect())
}

/// The solve in the metric that is the default of the variant.
fn default_metric(summary: &Value) -> &Value {
    let name = summary["variant"].as_str().unwrap();
    let metric = Variant::parse(name).unwrap().rules().default_metric.name();
    let solved = summary["solved"].as_array().unwrap();
    solved
        .iter()
        .find(|solved| solved["metric"] == metric)
        .unwrap()
}

fn counts(summaries: &[&Value]) -> String {
    let header = [
        "variant",
        "won",
        "drawn",
        "lost",
        "unfinished",
        "reachable",
        "longest",
    ];
    let rows = summaries.iter().map(|summary| {
        let stats = &summary["stats"];
        let reachable =
            ["win", "draw", "loss", "terminal"].map(|key| stats["reachable"][key].as_u64());
        let reachable = reachable
            .into_iter()
            .sum::<Option<u64>>()
            .map_or(Value::Null, Value::from);
        let longest = stats["longest"]["distance"].as_i64();
        vec![
            format!("`{}`", summary["variant"].as_str().unwrap()),
            grouped(&stats["by_value"]["win"]),
            grouped(&stats["by_value"]["draw"]),
            grouped(&stats["by_value"]["loss"]),
            grouped(&stats["nonterminal"]),
            grouped(&reachable),
            longest.map_or_else(|| "–".into(), |plies| counted(plies, "ply", "plies")),
        ]
    });
    table(&header, rows.collect())
}

fn signatures(summaries: &[&Value]) -> String {
    let header = ["variant", "metric", "bytes", "bits a position", "signature"];
    let mut rows = Vec::new();
    for summary in summaries {
        let unfinished = summary["stats"]["nonterminal"].as_f64().unwrap();
        for solved in summary["solved"].as_array().unwrap() {
            rows.push(vec![
                format!("`{}`", summary["variant"].as_str().unwrap()),
                solved["metric"].as_str().unwrap().into(),
                grouped(&solved["table_bytes"]),
                format!(
                    "{:.3}",
                    solved["table_bytes"].as_f64().unwrap() * 8.0 / unfinished
                ),
                format!("`{}`", &solved["signature"].as_str().unwrap()[..32]),
            ]);
        }
    }
    table(&header, rows)
}

fn machine(summaries: &[&Value]) -> String {
    let mut lines = Vec::new();
    for summary in summaries {
        let made = &summary["made"];
        let text = |key: &str| made[key].as_str().unwrap_or_default();
        let line = format!(
            "- {}, {} threads; {}; commit {}; {}.\n",
            text("machine"),
            default_metric(summary)["threads"],
            text("program"),
            text("commit"),
            text("day")
        );
        if !lines.contains(&line) {
            lines.push(line);
        }
    }
    lines.concat()
}

fn grouped(number: &Value) -> String {
    number
        .as_u64()
        .map_or_else(|| "–".into(), crate::pages::grouped)
}

fn seconds(seconds: f64) -> String {
    match seconds {
        s if s < 1.0 => format!("{:.0} ms", (s * 1e3).max(1.0)),
        s if s < 120.0 => format!("{s:.1} s"),
        s => format!("{:.0} min", s / 60.0),
    }
}

fn kilobytes(bytes: u64) -> String {
    match bytes as f64 / 1024.0 {
        size if size < 1024.0 => format!("{size:.0} KiB"),
        size => format!("{:.1} MiB", size / 1024.0),
    }
}
