//! The tables of the article, made of the atlas and of the chapters.

use anyhow::{Result, anyhow};
use greenwave_tablebase::atlas;

use super::{AtlasRow, BookContents, Facts, grouped, size_of};

/// Where the article is, from the book.
const PAGE: &str = "../article/article.md";

/// Tables that are those of a chapter: its page and mark.
const COPIES: [(&str, &str); 5] = [
    ("winners.md", "pattern"),
    ("sequences.md", "sequences"),
    ("families.md", "played"),
    ("conjectures.md", "counts"),
    ("conjectures.md", "misere"),
];

/// Boards whose confirmation is shown.
const CONFIRMED: [&str; 9] = [
    "classic-1x23",
    "classic-2x12",
    "classic-3x8",
    "classic-4x5",
    "classic-4x6",
    "classic-5x5",
    "classic-3x6:play=misere",
    "signal-3x9",
    "signal-4x7",
];

fn plies(row: &AtlasRow) -> Option<u32> {
    let board = atlas().iter().find(|board| board.variant == row.variant)?;
    board.start().distance.map(|plies| plies.0)
}

pub(super) fn article(facts: &Facts, made: &mut BookContents) -> Result<()> {
    for (page, mark) in COPIES {
        let made_part = made
            .parts
            .iter()
            .find(|part| (part.0, part.1) == (page, mark));
        let (_, mark, text) = made_part.ok_or_else(|| anyhow!("{page} has no part '{mark}'"))?;
        let part = (PAGE, *mark, without_files(text));
        made.parts.push(part);
    }
    let mut rows = Vec::new();
    for row in &facts.1 {
        let Some((ranks, files)) = row
            .variant
            .strip_prefix("classic-")
            .and_then(|_| size_of(&row.variant))
            .filter(|_| !row.variant.contains(':'))
        else {
            continue;
        };
        if ranks < 3 && ranks * files < 22 {
            continue;
        }
        let winning = row.winning_openings.len();
        rows.push(vec![
            format!("{ranks} × {files}"),
            grouped(row.positions),
            if row.value == "win" {
                "first"
            } else {
                "second"
            }
            .into(),
            match winning as u32 {
                0 => "–".into(),
                all if all == ranks * files => "all".into(),
                some => some.to_string(),
            },
            plies(row).map_or("–".into(), |plies| plies.to_string()),
            grouped(row.lost),
        ]);
    }
    let header = [
        "board",
        "pictures",
        "winner",
        "first moves that win",
        "plies",
        "lost positions",
    ];
    made.table(PAGE, "boards", &header, &rows);
    let mut rows = Vec::new();
    for name in CONFIRMED {
        let row = facts.1.iter().find(|row| row.variant == name);
        let row = row.ok_or_else(|| anyhow!("the atlas lacks {name}"))?;
        let big = row.confirmed.big.as_ref();
        let big = big.ok_or_else(|| anyhow!("{name} is not confirmed"))?;
        rows.push(vec![
            format!("`{name}`"),
            grouped(row.won + row.lost),
            big.sweeps.len().to_string(),
            grouped(big.searched),
        ]);
    }
    let header = [
        "board",
        "positions without a line",
        "sweeps that agree",
        "searched",
    ];
    made.table(PAGE, "confirmed", &header, &rows);
    Ok(())
}

/// A table without its links to b-files: the article stands alone.
fn without_files(text: &str) -> String {
    let Some(header) = text
        .lines()
        .next()
        .filter(|line| line.ends_with("| terms |"))
    else {
        return text.into();
    };
    let columns = header.matches(" | ").count();
    let line = |line: &str| {
        let cells: Vec<&str> = line.splitn(columns + 1, " | ").take(columns).collect();
        format!("{} |\n", cells.join(" | "))
    };
    text.lines()
        .map(|row| {
            if row.starts_with("| ---") {
                format!("|{}\n", " --- |".repeat(columns))
            } else {
                line(row)
            }
        })
        .collect()
}
