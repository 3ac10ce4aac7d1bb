//! The atlas of boards under `solutions/atlas.json`: rebuilt and compared.
//!
//! The winner on every board of R ranks and C files that can be solved, with the winning openings,
//! the numbers of won and lost positions, the length of play, and Grundy values. Big results are
//! confirmed by other sweeps, by counts of positions that share no code with them, and by forward
//! search on sampled positions. With `GREENWAVE_BLESS=1` it writes the file, board by board, and
//! the tables of `docs/results.md`. The variable `GREENWAVE_ATLAS=classic-5x5,classic-4x6` selects
//! these boards alone.

#[path = "atlas/confirm.rs"]
mod confirm;

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use greenwave_game::{BoardGame, Game, Metric, Variant, counted};
use greenwave_judge::longest_line_free;
use greenwave_solver::{Product, Task, TaskResult, sweep, sweep::Options, sweep::Plan};
use greenwave_values::Silent;

use crate::pages::{blessing, grouped, marked, page, root};
use confirm::Confirmed;
use greenwave_table::{self as table, Summary};
use serde::{Deserialize, Serialize};

/// Bytes that a sweep may take. Waves of larger ones go to disk.
const MEMORY: u64 = 12 << 30;

/// Most squares for distances, for Grundy values, and for the longest play, and boards with more.
const DISTANCE_SQUARES: u32 = 20;
const NIMBER_SQUARES: u32 = 18;
const LONGEST_PLAY_SQUARES: u32 = 14;
const ALSO: [(Metric, &str); 5] = [
    (Metric::Distance, "3x7"),
    (Metric::Distance, "3x8"),
    (Metric::Distance, "4x6"),
    (Metric::Distance, "5x5"),
    (Metric::Nimber, "4x5"),
];

/// Most squares of boards that are rebuilt with the other slow tests.
#[cfg(feature = "slow-tests")]
const SLOW_SQUARES: u32 = 18;

/// From how many squares on a result is confirmed, and the distances of first moves are kept.
const BIG_SQUARES: u32 = 15;

/// Boards whose table of win or loss is made, to tell its size.
const TABLES: [&str; 5] = [
    "classic-3x4",
    "classic-3x5",
    "classic-4x4",
    "classic-3x6",
    "classic-4x5",
];

/// For each number of ranks the most files.
type Longest = &'static [(u32, u32)];

/// Families, their options, and how long their boards are.
const FAMILIES: [(&str, &str, Longest); 4] = [
    ("classic", "", &[(1, 23), (2, 12), (3, 9), (4, 6), (5, 5)]),
    (
        "classic",
        ":play=misere",
        &[(1, 19), (2, 10), (3, 7), (4, 5)],
    ),
    ("signal", "", &[(3, 9), (4, 7), (5, 5)]),
    ("points", "", &[(3, 6), (4, 5)]),
];

/// What is known of a board.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Row {
    variant: String,
    squares: u32,
    /// Positions of the index: four to the power of the squares.
    positions: u128,
    /// Value of the empty board for the player to move.
    value: String,
    /// Squares whose red wins for the first player.
    winning_openings: Vec<String>,
    /// Unfinished positions won and lost for the player to move.
    won: u64,
    lost: u64,
    /// Plies of best play from the empty board, and the greatest distance of any position.
    distance: Option<u32>,
    longest: Option<u32>,
    /// Plies of best play that begins with a square, on big boards of three ranks and more.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    openings: BTreeMap<String, u32>,
    /// Lead of the first player at the end of best play, in points.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    points: Option<i32>,
    /// Grundy value of the empty board, and the largest of any unfinished position.
    nimber: Option<u32>,
    largest_nimber: Option<u32>,
    /// Most plies that play can last without a line.
    longest_line_free: Option<u32>,
    /// Size and signature of the table of win or loss.
    table: Option<TableRow>,
    /// The day on which it was made.
    made: String,
    confirmed: Confirmed,
}

/// Size and signature of a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct TableRow {
    bytes: u64,
    signature: String,
}

impl Row {
    // Without the day, and what the instructions of this machine cannot tell.
    fn as_seen_here(&self) -> Row {
        let mut row = self.clone();
        row.made.clear();
        if let Some(big) = &mut row.confirmed.big {
            big.sweeps.retain(confirm::Sweep::is_possible);
        }
        row
    }
}

fn boards() -> Vec<String> {
    FAMILIES
        .iter()
        .flat_map(|(family, option, longest)| {
            longest.iter().flat_map(move |(ranks, longest)| {
                let files = (*ranks).max(3)..=*longest;
                files.map(move |files| format!("{family}-{ranks}x{files}{option}"))
            })
        })
        .collect()
}

fn board(name: &str) -> BoardGame {
    BoardGame::named(name).unwrap()
}

/// Whether first moves differ: on one rank or two they are told by theorems, or quick to know.
fn has_three_ranks(name: &str) -> bool {
    !["-1x", "-2x"].iter().any(|ranks| name.contains(ranks))
}

fn row(name: &str) -> Row {
    let game = board(name);
    let squares = game.rules().cells;
    let with_points = game.rules().metrics.contains(&Metric::Points);
    let (summary, confirmed) = if with_points {
        (counts(name, Metric::Points), Confirmed::of_small(&game))
    } else if squares >= BIG_SQUARES {
        confirm::swept(&game)
    } else {
        let plan = Plan::new(&game, Metric::Value, Options::default()).unwrap();
        let summary = sweep::solve(&plan, &Silent).unwrap().summary;
        (summary, Confirmed::of_small(&game))
    };
    let by_value = summary.by_value.unwrap();
    let line_free = u128::from(by_value.win + by_value.loss);
    assert_eq!(line_free, confirmed.line_free, "{name}");
    let exact = |metric, most| {
        let also = ALSO
            .iter()
            .any(|(of, size)| *of == metric && name.ends_with(size));
        let wanted = squares <= most || also;
        (wanted && game.rules().metrics.contains(&metric)).then(|| counts(name, metric))
    };
    let distances = exact(Metric::Distance, DISTANCE_SQUARES);
    let nimbers = exact(Metric::Nimber, NIMBER_SQUARES);
    if let Some(nimbers) = &nimbers {
        let lost = nimbers.histogram.iter().find(|entry| entry.key == 0);
        assert_eq!(lost.map_or(0, |entry| entry.count), by_value.loss, "{name}");
        // The sweep for Grundy values looks at every unfinished position.
        let looked_at: u64 = nimbers.histogram.iter().map(|entry| entry.count).sum();
        assert_eq!(looked_at, by_value.win + by_value.loss, "{name}");
    }
    if let Some(distances) = &distances {
        assert_eq!(distances.by_value, summary.by_value, "{name}");
    }
    let square = |opening: &table::FirstMove| opening.mv.trim_end_matches('R').to_string();
    let winning: BTreeSet<String> = summary
        .openings
        .iter()
        .filter(|opening| opening.figures.value == Some(table::Outcome::Win))
        .map(square)
        .collect();
    let openings = distances
        .iter()
        .filter(|_| squares >= BIG_SQUARES && has_three_ranks(name))
        .flat_map(|found| &found.openings)
        .filter_map(|opening| Some((square(opening), opening.figures.distance?)))
        .collect();
    Row {
        variant: name.into(),
        squares,
        positions: 1 << (2 * squares),
        value: match summary.start.value {
            Some(table::Outcome::Win) => "win",
            _ => "loss",
        }
        .into(),
        winning_openings: winning.into_iter().collect(),
        won: by_value.win,
        lost: by_value.loss,
        distance: distances.as_ref().and_then(|found| found.start.distance),
        longest: distances.and_then(|found| found.longest.map(|longest| longest.distance)),
        openings,
        points: summary.start.points,
        nimber: nimbers.as_ref().and_then(|found| found.start.nimber),
        largest_nimber: nimbers.and_then(|found| {
            let keys = found.histogram.iter().filter(|entry| entry.count > 0);
            keys.map(|entry| entry.key as u32).max()
        }),
        longest_line_free: (squares <= LONGEST_PLAY_SQUARES)
            .then(|| longest_line_free(&game, &Silent).unwrap().plies),
        table: TABLES.contains(&name).then(|| table_of(name)),
        made: today(),
        confirmed,
    }
}

/// The day, `2026-11-20`.
fn today() -> String {
    let date = std::process::Command::new("date")
        .arg("+%F")
        .output()
        .unwrap();
    String::from_utf8(date.stdout).unwrap().trim().to_string()
}

/// Solves a board for its counts, in another metric than the value.
fn counts(name: &str, metric: Metric) -> Summary {
    let folder = tempfile::tempdir().unwrap();
    let waves = Some(folder.path().join("waves"));
    done(name, metric, Product::Counts, waves).summary
}

fn table_of(name: &str) -> TableRow {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("value.gwt");
    let done = done(name, Metric::Value, Product::Table(path), None);
    let report = done.table.unwrap();
    TableRow {
        bytes: report.bytes,
        signature: report.signature.to_string(),
    }
}

fn done(name: &str, metric: Metric, wanted: Product, scratch: Option<PathBuf>) -> TaskResult {
    let variant = Variant::parse(name).unwrap();
    let task = Task {
        variant: &variant,
        metric,
        kernel: sweep::Kernel::best(),
        memory: MEMORY,
        wanted,
        checkpoint: None,
        scratch,
        quick: false,
    };
    task.plan().unwrap().run(&Silent).unwrap()
}

fn published() -> Vec<Row> {
    serde_json::from_str(&page("solutions/atlas.json")).unwrap()
}

/// Boards that are requested by name; `None` for all.
fn asked() -> Option<Vec<String>> {
    let names = std::env::var("GREENWAVE_ATLAS").ok()?;
    Some(names.split(',').map(String::from).collect())
}

fn remake(wanted: impl Fn(u32) -> bool) {
    let asked = asked();
    let names = boards();
    for name in asked.iter().flatten() {
        assert!(names.contains(name), "'{name}' is no board of the atlas");
    }
    let mut rows = published();
    for name in &names {
        let there = rows.iter().position(|row| row.variant == *name);
        let asked_for = asked.as_ref().is_none_or(|asked| asked.contains(name));
        if !asked_for || !wanted(board(name).rules().cells) {
            continue;
        }
        let row = row(name);
        eprintln!("{name}");
        if !blessing() {
            let there = there.map(|place| rows[place].as_seen_here());
            assert_eq!(Some(row.as_seen_here()), there, "{name}");
            continue;
        }
        match there {
            Some(place) => rows[place] = row,
            None => rows.push(row),
        }
        rows.sort_by_key(|row| names.iter().position(|name| *name == row.variant));
        rows.retain(|row| names.contains(&row.variant));
        let text = serde_json::to_string_pretty(&rows).unwrap() + "\n";
        std::fs::write(root().join("solutions/atlas.json"), text).unwrap();
    }
    if blessing() {
        write_page(&rows);
    }
}

fn write_page(rows: &[Row]) {
    let path = "docs/results.md";
    let mut text = page(path);
    for (mark, table) in tables(rows) {
        let (before, _, after) = marked(&text, path, mark);
        text = format!("{before}{table}{after}");
    }
    std::fs::write(root().join(path), text).unwrap();
}

#[test]
fn small_boards_come_out_as_published() {
    if !blessing() {
        remake(|squares| squares <= 12);
    }
}

#[cfg(feature = "slow-tests")]
#[test]
fn all_boards_come_out_as_published() {
    // The largest boards take hours: they are made when that is requested.
    let largest = blessing() || asked().is_some();
    remake(|squares| largest || squares <= SLOW_SQUARES);
}

#[test]
fn the_page_shows_the_published_boards() {
    if blessing() {
        // With the slow tests the boards are being made, and then the page.
        if !cfg!(feature = "slow-tests") {
            write_page(&published());
        }
        return;
    }
    let path = "docs/results.md";
    let text = page(path);
    for (mark, table) in tables(&published()) {
        let (_, shown, _) = marked(&text, path, mark);
        assert_eq!(shown, table, "{path}: remake with 'just atlas'");
    }
}

#[test]
fn every_board_of_the_atlas_is_published() {
    if !blessing() {
        let rows = published();
        let there: Vec<&String> = rows.iter().map(|row| &row.variant).collect();
        assert_eq!(there, boards().iter().collect::<Vec<_>>());
        for row in &rows {
            let wins = !row.winning_openings.is_empty();
            assert_eq!(row.value == "win", wins, "{}", row.variant);
            // The player who leads when the first line ends a round has made that line.
            if let Some(size) = row.variant.strip_prefix("points-") {
                let signal = format!("signal-{size}");
                let signal = rows.iter().find(|row| row.variant == signal).unwrap();
                let known = |row: &Row| (row.won, row.lost, row.winning_openings.clone());
                assert_eq!(known(row), known(signal), "{}", row.variant);
            }
        }
    }
}

fn tables(rows: &[Row]) -> Vec<(&'static str, String)> {
    let (points, others): (Vec<&Row>, Vec<&Row>) =
        rows.iter().partition(|row| row.points.is_some());
    let (signal, classic): (Vec<&Row>, Vec<&Row>) = others
        .into_iter()
        .partition(|row| row.variant.starts_with("signal"));
    let (misere, normal): (Vec<&Row>, Vec<&Row>) = classic
        .into_iter()
        .partition(|row| row.variant.ends_with("misere"));
    vec![
        ("atlas", values(&normal)),
        ("atlas-misere", values(&misere)),
        ("atlas-signal", values(&signal)),
        ("atlas-points", leads(&points)),
        ("atlas-exact", exact(&normal)),
        ("atlas-misere-exact", exact(&misere)),
        ("atlas-signal-exact", exact(&signal)),
        ("atlas-tables", sizes(&normal)),
        ("atlas-confirmed", confirmed(rows)),
    ]
}

fn size(row: &Row) -> String {
    let name = row.variant.split(':').next().unwrap_or_default();
    let (_, size) = name.split_once('-').unwrap();
    size.replace('x', " × ")
}

/// The squares with which the first player wins, or where these are most, the others.
fn openings(row: &Row) -> String {
    let winning = &row.winning_openings;
    let game = board(&row.variant);
    let losing: Vec<String> = game
        .diagram(&game.start())
        .names
        .into_iter()
        .filter(|square| !winning.contains(square))
        .collect();
    match (winning.len(), losing.len()) {
        (0, _) => "–".into(),
        (_, 0) => "every square".into(),
        (some, others) if others * 2 < some => format!("all but {}", losing.join(" ")),
        _ => winning.join(" "),
    }
}

fn values(rows: &[&Row]) -> String {
    let header = ["board", "who wins", "by", "won", "lost", "lost of 1,000"];
    let rows = rows.iter().map(|row| {
        vec![
            size(row),
            winner(row).into(),
            openings(row),
            grouped(row.won),
            grouped(row.lost),
            format!("{:.2}", 1e3 * row.lost as f64 / (row.won + row.lost) as f64),
        ]
    });
    crate::pages::table(&header, rows.collect())
}

fn winner(row: &Row) -> &'static str {
    match row.value.as_str() {
        "win" => "first player",
        _ => "second player",
    }
}

fn leads(rows: &[&Row]) -> String {
    let header = ["board", "who wins", "lead", "by", "won", "lost"];
    let rows = rows.iter().map(|row| {
        let lead = row.points.unwrap_or_default().unsigned_abs();
        vec![
            size(row),
            winner(row).into(),
            counted(lead, "point", "points"),
            openings(row),
            grouped(row.won),
            grouped(row.lost),
        ]
    });
    crate::pages::table(&header, rows.collect())
}

fn exact(rows: &[&Row]) -> String {
    // Misère play has no Grundy values.
    let header = [
        "board",
        "best play",
        "longest win or loss",
        "nimber of the empty board",
        "largest nimber",
        "longest play without a line",
    ];
    let plies = |plies: Option<u32>| plies.map_or("–".into(), |plies| format!("{plies} plies"));
    let number = |number: Option<u32>| number.map_or("–".into(), |number| number.to_string());
    let rows = rows.iter().filter(|row| row.distance.is_some()).map(|row| {
        vec![
            size(row),
            plies(row.distance),
            plies(row.longest),
            number(row.nimber),
            number(row.largest_nimber),
            plies(row.longest_line_free),
        ]
    });
    crate::pages::table(&header, rows.collect())
}

fn sizes(rows: &[&Row]) -> String {
    let header = ["board", "bytes", "bits an unfinished position", "signature"];
    let rows = rows.iter().filter_map(|row| {
        let table = row.table.as_ref()?;
        Some(vec![
            size(row),
            grouped(table.bytes),
            format!(
                "{:.4}",
                table.bytes as f64 * 8.0 / (row.won + row.lost) as f64
            ),
            format!("`{}`", &table.signature[..32]),
        ])
    });
    crate::pages::table(&header, rows.collect())
}

fn confirmed(rows: &[Row]) -> String {
    let header = [
        "variant",
        "line-free positions",
        "undecided",
        "sweeps that agree",
        "searched",
    ];
    let rows = rows.iter().filter_map(|row| {
        let big = row.confirmed.big.as_ref()?;
        Some(vec![
            format!("`{}`", row.variant),
            grouped(row.confirmed.line_free as u64),
            grouped(big.undecided),
            big.sweeps
                .iter()
                .map(|sweep| sweep.letters())
                .collect::<Vec<_>>()
                .join(" "),
            grouped(big.searched as u64),
        ])
    });
    crate::pages::table(&header, rows.collect())
}
