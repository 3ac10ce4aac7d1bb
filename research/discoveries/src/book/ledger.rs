//! The ledger.

use anyhow::Result;

use super::{BookContents, Facts, begins, grouped, keys, rows_of, size_of};
use crate::{SolvedTable, Winner};

/// Variants of the chapter; the others are in its tables.
const TELLING: [&str; 11] = [
    "ampel-5-3-3",
    "bag-classic-3x3",
    "bag-points-3x4",
    "classic-3x3",
    "classic-3x4",
    "classic-3x5",
    "classic-4x4",
    "noughts-4x4",
    "points-3x4",
    "slider",
    "strip:repeat=ban",
];
/// What the tables of the chapter tell of each position.
const DEFAULT: [&str; 3] = ["distance", "points", "odds"];

/// A board of [Results](../results.md#larger-boards).
pub(super) struct Larger {
    pub(super) name: &'static str,
    pub(super) won: &'static str,
    lost: &'static str,
    /// Processor time and memory, where they were measured ([Algorithms](../algorithms.md)).
    cost: Option<[&'static str; 2]>,
    /// Size and signature of the table, where one was written.
    pub(super) table: Option<[&'static str; 2]>,
}

const fn larger_board(
    name: &'static str,
    won: &'static str,
    lost: &'static str,
    cost: Option<[&'static str; 2]>,
    table: Option<[&'static str; 2]>,
) -> Larger {
    Larger {
        name,
        won,
        lost,
        cost,
        table,
    }
}

/// Boards that were solved by families of positions.
pub(super) const LARGER: [Larger; 9] = [
    larger_board(
        "classic-4x6",
        "48,016,930,745,339",
        "132,328,327,118",
        Some(["60 s", "3.6 GiB"]),
        Some(["10.4 GiB", "aca5ad48bcf5a491"]),
    ),
    larger_board(
        "classic-3x8",
        "56,700,141,028,193",
        "199,386,924,797",
        Some(["100 s", "4.3 GiB"]),
        None,
    ),
    larger_board(
        "classic-5x5",
        "168,167,995,434,499",
        "362,522,785,761",
        Some(["128 s", "3.5 GiB"]),
        Some(["12.4 GiB", "1484443949dc9304"]),
    ),
    larger_board(
        "classic-3x9",
        "2,844,753,001,942,952",
        "4,951,636,462,130",
        None,
        None,
    ),
    larger_board(
        "signal-4x6",
        "15,666,127,368,827",
        "8,125,607,896",
        Some(["8 s", "304 MiB"]),
        Some(["651 MiB", "7051c0253c31e216"]),
    ),
    larger_board(
        "signal-5x5",
        "50,577,296,948,365",
        "18,662,156,331",
        Some(["19 s", "516 MiB"]),
        None,
    ),
    larger_board(
        "signal-3x9",
        "917,765,614,638,793",
        "294,224,027,459",
        None,
        None,
    ),
    larger_board(
        "signal-4x7",
        "2,150,218,496,622,227",
        "298,265,230,571",
        Some(["276 s", "9.4 GiB"]),
        None,
    ),
    larger_board(
        "signal-5x6",
        "22,397,257,024,031,219",
        "1,465,506,851,401",
        Some(["2 h", "7.9 GiB"]),
        None,
    ),
];

fn larger(made: &mut BookContents) {
    let dash = || String::from("–");
    let row = |board: &Larger| {
        let squares = size_of(board.name).map_or(0, |(ranks, files)| ranks * files);
        vec![
            format!("`{}`", board.name),
            grouped(1 << (2 * squares)),
            board.won.into(),
            board.lost.into(),
            board.cost.map_or_else(dash, |cost| cost.join(", ")),
            board.table.map_or_else(dash, |[size, signature]| {
                format!("{size}, {}", begins(signature))
            }),
        ]
    };
    let rows: Vec<Vec<String>> = LARGER.iter().map(row).collect();
    let header = ["board", "positions", "won", "lost", "time, memory", "table"];
    made.table("ledger.md", "larger", &header, &rows);
}

pub(super) fn ledger(facts: &Facts, made: &mut BookContents) -> Result<()> {
    let tables: Vec<SolvedTable> = facts.expect("ledger", "tables")?;
    let rows: Vec<Vec<String>> = tables
        .iter()
        .map(|solved| {
            let signature = solved.signature.as_deref().unwrap_or_default();
            vec![
                format!("`{}`", solved.variant),
                solved.metric.clone(),
                grouped(solved.positions),
                format!("{:.3} s", solved.seconds),
                format!("{:.0} MiB", solved.memory as f64 / f64::from(1 << 20)),
                solved.bytes.map_or("–".into(), grouped),
                begins(signature),
                solved.made.clone(),
            ]
        })
        .collect();
    let header = [
        "variant",
        "table",
        "positions",
        "time",
        "memory",
        "bytes",
        "signature begins",
        "made",
    ];
    made.table("tables/ledger.md", "solved", &header, &rows);
    let mut some = rows_of(&rows, &TELLING);
    some.retain(|row| DEFAULT.contains(&row[1].as_str()));
    for row in &mut some {
        row.pop();
    }
    made.table("ledger.md", "solved", &header[..header.len() - 1], &some);
    larger(made);
    let mut rows = Vec::new();
    for key in keys("winners").filter(|key| size_of(key).is_some()) {
        let found: Winner = facts.expect("winners", &key)?;
        let atlas = facts.1.iter().find(|row| row.variant == key);
        let signature = facts.signature(&key, &found);
        let confirmed = atlas.and_then(|row| row.confirmed.big.as_ref());
        rows.push(vec![
            format!("`{key}`"),
            grouped(1 << (2 * found.squares)),
            grouped(found.won),
            grouped(found.lost),
            signature.map_or("–".into(), |signature| format!("`{signature}`")),
            match confirmed {
                Some(by) => {
                    let sweeps = by.sweeps.len();
                    format!("{sweeps} sweeps, {} searched", grouped(by.searched))
                }
                None => "–".into(),
            },
        ]);
    }
    let header = [
        "board",
        "positions",
        "won",
        "lost",
        "signature of the value table",
        "confirmed by",
    ];
    made.table("tables/ledger.md", "tables", &header, &rows);
    Ok(())
}
