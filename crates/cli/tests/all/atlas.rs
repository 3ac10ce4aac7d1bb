//! The atlas of boards under `solutions/atlas.json`: made again and compared.
//!
//! Who wins on every board of R ranks and C files that can be solved, by which openings, how many
//! positions are won and lost, how long play lasts, and Grundy values. Big results are confirmed by a
//! second sweep over other blocks, by a count of the line-free positions that shares no code with it,
//! and by forward search on sampled positions. `GREENWAVE_BLESS=1` writes the file and the tables of
//! `docs/results.md`.

use std::collections::BTreeSet;

use greenwave_game::{BoardGame, Code, Game, Metric, Outcome, Play, Raise, Variant};
use greenwave_judge::longest_line_free;
use greenwave_solver::{
    Budget, Product, Search, Searched, Task, sweep, sweep::Options, sweep::Plan, sweep::SquareOrder,
};
use greenwave_values::Silent;

use crate::pages::{blessing, grouped, marked, page, root};
use greenwave_table as table;
use serde::{Deserialize, Serialize};

/// Bytes that a second sweep may take.
const MEMORY: u64 = 10 << 30;

/// Most squares for distances and Grundy values, and for the longest play.
const EXACT_SQUARES: u32 = 16;
const LONGEST_PLAY_SQUARES: u32 = 14;

/// From how many squares on a result is confirmed by search, and on how many positions.
const BIG_SQUARES: u32 = 15;
const SAMPLES: usize = 10_000;

/// Boards whose table of win or loss is made, to tell its size.
const TABLES: [&str; 5] = [
    "classic-3x4",
    "classic-3x5",
    "classic-4x4",
    "classic-3x6",
    "classic-4x5",
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
    /// Grundy value of the empty board, and the largest of any unfinished position.
    nimber: Option<u32>,
    largest_nimber: Option<u32>,
    /// Most plies that play can last without a line.
    longest_line_free: Option<u32>,
    /// Size and signature of the table of win or loss.
    table: Option<TableRow>,
    confirmed: Confirmed,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct TableRow {
    bytes: u64,
    signature: String,
}

/// By what a result was confirmed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Confirmed {
    /// Line-free positions, counted square by square without the solver: won and lost together.
    line_free: u128,
    /// Whether the squares in another order, hence other blocks, gave the same counts and openings.
    other_order: bool,
    /// Sampled positions whose value a forward search proved to be that of the sweep.
    searched: usize,
}

fn boards() -> Vec<String> {
    let sizes =
        || (1..=4_u32).flat_map(|ranks| (ranks.max(3)..=20).map(move |files| (ranks, files)));
    let normal = sizes()
        .filter(|(ranks, files)| ranks * files <= 20 || (*ranks, *files) == (3, 7))
        .map(|(ranks, files)| format!("classic-{ranks}x{files}"));
    let misere = sizes()
        .filter(|(ranks, files)| ranks * files <= 18)
        .map(|(ranks, files)| format!("classic-{ranks}x{files}:play=misere"));
    normal.chain(misere).collect()
}

fn board(name: &str) -> BoardGame {
    BoardGame::named(name).unwrap()
}

fn row(name: &str) -> Row {
    let game = board(name);
    let squares = game.rules().cells;
    let watched = if squares >= BIG_SQUARES {
        samples(&game)
    } else {
        Vec::new()
    };
    let plan = Plan::new(&game, Metric::Value, Options::default()).unwrap();
    let solved = sweep::solve(&plan.watching(watched), &Silent).unwrap();
    let summary = &solved.summary;
    let by_value = summary.by_value.unwrap();
    let exact = |metric| {
        (squares <= EXACT_SQUARES && game.rules().metrics.contains(&metric)).then(|| {
            let plan = Plan::new(&game, metric, Options::default()).unwrap();
            sweep::solve(&plan, &Silent).unwrap().summary
        })
    };
    let distances = exact(Metric::Distance);
    let nimbers = exact(Metric::Nimber);
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
    let line_free = line_free(&game);
    assert_eq!(
        u128::from(by_value.win + by_value.loss),
        line_free,
        "{name}"
    );
    let winning: BTreeSet<String> = summary
        .openings
        .iter()
        .filter(|opening| opening.figures.value == Some(table::Outcome::Win))
        .map(|opening| opening.mv.trim_end_matches('R').to_string())
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
        nimber: nimbers.as_ref().and_then(|found| found.start.nimber),
        largest_nimber: nimbers.and_then(|found| {
            let keys = found.histogram.iter().filter(|entry| entry.count > 0);
            keys.map(|entry| entry.key as u32).max()
        }),
        longest_line_free: (squares <= LONGEST_PLAY_SQUARES)
            .then(|| longest_line_free(&game, &Silent).unwrap().plies),
        table: TABLES.contains(&name).then(|| table_of(name)),
        confirmed: Confirmed {
            line_free,
            other_order: other_order(&game, summary),
            searched: searched(&game, &solved.watched),
        },
    }
}

fn table_of(name: &str) -> TableRow {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("value.gwt");
    let variant = Variant::parse(name).unwrap();
    let task = Task {
        variant: &variant,
        metric: Metric::Value,
        kernel: sweep::Kernel::best(),
        memory: MEMORY,
        wanted: Product::Table(path),
        checkpoint: None,
        scratch: None,
    };
    let report = task.plan().unwrap().run(&Silent).unwrap().table.unwrap();
    TableRow {
        bytes: report.bytes,
        signature: report.signature.to_string(),
    }
}

/// Sweeps again with the squares in another order.
fn other_order(game: &BoardGame, summary: &table::Summary) -> bool {
    let options = Options {
        squares: SquareOrder::Other,
        ..Options::default()
    };
    let plan = Plan::new(game, Metric::Value, options).unwrap();
    if plan.fits(MEMORY).is_err() {
        return false;
    }
    let again = sweep::solve(&plan, &Silent).unwrap();
    assert_eq!(again.summary, *summary, "{}", game.rules().name);
    true
}

/// Boards without three equal lights in a line, counted from the geometry alone: square by square,
/// remembering as many squares back as a line can reach.
fn line_free(game: &BoardGame) -> u128 {
    let shape = &game.board().shape;
    // Along the shorter side fewer squares have to be remembered.
    let (long, short) = {
        let (ranks, files) = (shape.ranks(), shape.files());
        (usize::from(ranks.max(files)), usize::from(ranks.min(files)))
    };
    // Steps from a square to the one before it in a line: rank, file.
    let steps: [(usize, isize); 4] = [(1, 0), (0, 1), (1, 1), (1, -1)];
    let window = 2 * short + 2;
    let keep = (1_usize << (2 * window)) - 1;
    let mut boards = std::collections::HashMap::from([(0_usize, 1_u128)]);
    for square in 0..long * short {
        let (rank, file) = (square / short, (square % short) as isize);
        let lines: Vec<[usize; 2]> = steps
            .iter()
            .filter(|(up, along)| {
                let last = file - 2 * along;
                rank >= 2 * up && (0..short as isize).contains(&last)
            })
            .map(|(up, along)| {
                let back = (*up as isize * short as isize + along) as usize;
                [back, 2 * back]
            })
            .collect();
        let mut next = std::collections::HashMap::new();
        for (recent, count) in boards {
            // The square `back` squares ago is in the digit back − 1.
            let level_of = |back: usize| recent >> (2 * (back - 1)) & 3;
            for level in 0..4 {
                let completes = level > 0
                    && lines
                        .iter()
                        .any(|line| line.iter().all(|back| level_of(*back) == level));
                if !completes {
                    *next.entry((recent << 2 | level) & keep).or_insert(0) += count;
                }
            }
        }
        boards = next;
    }
    boards.into_values().sum()
}

/// Positions late in random plays that give nothing away: no move loses at once. More than are
/// needed.
fn samples(game: &BoardGame) -> Vec<u64> {
    let mut found = BTreeSet::new();
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    let mut random = |below: usize| {
        // xorshift64*, Vigna 2016.
        state ^= state >> 12;
        state ^= state << 25;
        state ^= state >> 27;
        (state.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) as usize % below
    };
    let misere = game.board().play == Play::Misere;
    let mut moves = Vec::new();
    while found.len() < SAMPLES + SAMPLES / 5 {
        let mut play: Vec<Code> = vec![game.start()];
        loop {
            let position = play[play.len() - 1];
            game.moves(&position, &mut moves);
            let quiet: Vec<Raise> = moves
                .iter()
                .copied()
                .filter(|mv| {
                    let to = game.play(&position, *mv).to;
                    !game.has_line(to) && (misere || !game.has_threat(to))
                })
                .collect();
            if quiet.is_empty() {
                break;
            }
            play.push(game.play(&position, quiet[random(quiet.len())]).to);
        }
        let back = random(play.len().min(5));
        found.extend(play.iter().rev().nth(back).map(|position| position.0));
    }
    found.into_iter().collect()
}

/// How many of the watched positions a forward search decides, each with the same value.
fn searched(game: &BoardGame, watched: &[(u64, greenwave_game::Figures)]) -> usize {
    let search = Search::new(game, 1 << 28).unwrap();
    let budget = Budget {
        nodes: Some(50_000),
        deadline: None,
    };
    let mut decided = 0;
    for (index, figures) in watched {
        let found = search.search(&Code(*index), budget, &Silent);
        if let Searched::Proven(proven) = found.root {
            let name = &game.rules().name;
            assert_eq!(proven.value, figures.value, "{name}: index {index}");
            assert!(matches!(proven.value, Some(Outcome::Win | Outcome::Loss)));
            decided += 1;
        }
    }
    assert!(
        watched.is_empty() || decided >= SAMPLES,
        "{decided} decided"
    );
    decided
}

fn published() -> Vec<Row> {
    serde_json::from_str(&page("solutions/atlas.json")).unwrap()
}

fn remake(wanted: impl Fn(u32) -> bool) {
    let published = if blessing() { Vec::new() } else { published() };
    let mut made = Vec::new();
    for name in boards() {
        if !wanted(board(&name).rules().cells) {
            continue;
        }
        let row = row(&name);
        eprintln!("{name}");
        if !blessing() {
            let there = published.iter().find(|other| other.variant == name);
            assert_eq!(Some(&row), there, "{name}");
        }
        made.push(row);
    }
    if blessing() {
        let text = serde_json::to_string_pretty(&made).unwrap() + "\n";
        std::fs::write(root().join("solutions/atlas.json"), text).unwrap();
        write_page(&made);
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
    remake(|_| true);
}

#[test]
fn the_page_shows_the_published_boards() {
    if blessing() {
        return write_page(&published());
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
        for row in rows {
            let wins = !row.winning_openings.is_empty();
            assert_eq!(row.value == "win", wins, "{}", row.variant);
        }
    }
}

fn tables(rows: &[Row]) -> Vec<(&'static str, String)> {
    let (misere, normal): (Vec<&Row>, Vec<&Row>) =
        rows.iter().partition(|row| row.variant.ends_with("misere"));
    vec![
        ("atlas", values(&normal)),
        ("atlas-misere", values(&misere)),
        ("atlas-exact", exact(&normal)),
        ("atlas-misere-exact", exact(&misere)),
        ("atlas-tables", sizes(&normal)),
        ("atlas-confirmed", confirmed(rows)),
    ]
}

fn size(row: &Row) -> String {
    let name = row.variant.trim_start_matches("classic-");
    name.trim_end_matches(":play=misere").replace('x', " × ")
}

fn values(rows: &[&Row]) -> String {
    let header = ["board", "who wins", "by", "won", "lost", "lost of 1,000"];
    let rows = rows.iter().map(|row| {
        let first = row.value == "win";
        let by = match row.winning_openings.len() {
            0 => "–".into(),
            count if count as u32 == row.squares => "every square".into(),
            _ => row.winning_openings.join(" "),
        };
        vec![
            size(row),
            if first {
                "first player"
            } else {
                "second player"
            }
            .into(),
            by,
            grouped(row.won),
            grouped(row.lost),
            format!("{:.2}", 1e3 * row.lost as f64 / (row.won + row.lost) as f64),
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
    let header = ["variant", "line-free positions", "other order", "searched"];
    let rows = rows
        .iter()
        .filter(|row| row.squares >= BIG_SQUARES)
        .map(|row| {
            vec![
                format!("`{}`", row.variant),
                grouped(row.confirmed.line_free as u64),
                if row.confirmed.other_order {
                    "the same"
                } else {
                    "too large"
                }
                .into(),
                grouped(row.confirmed.searched as u64),
            ]
        });
    crate::pages::table(&header, rows.collect())
}
