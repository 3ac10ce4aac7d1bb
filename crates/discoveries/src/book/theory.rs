//! The chapters on sequences and on nimbers.

use anyhow::Result;
use greenwave_game::{BoardGame, Cell};
use greenwave_picture::Tone;

use super::{AtlasRow, Facts, Made, grouped, map, size_of, table};
use crate::chart::{Chart, Series};
use crate::recurrence::fit;
use crate::{Counts, Longest, Nimbers, Recurrence, Sequence, items};

/// How many terms a page shows.
const SHOWN: usize = 8;
/// Terms of the longest play that are listed.
const LONGEST_TERMS: usize = 60;
/// Up to which order a recurrence is written out.
const WRITTEN: usize = 13;

fn recurrence(found: &Recurrence) -> String {
    let term = |(number, back): (&String, usize)| match number.as_str() {
        "0" => None,
        "1" => Some(format!("+ a(n−{back})")),
        "-1" => Some(format!("− a(n−{back})")),
        number => Some(match number.strip_prefix('-') {
            Some(size) => format!("− {size} a(n−{back})"),
            None => format!("+ {number} a(n−{back})"),
        }),
    };
    let terms: Vec<String> = found
        .coefficients
        .iter()
        .zip(1..)
        .filter_map(term)
        .collect();
    let terms = terms.join(" ");
    format!("a(n) = {}", terms.trim_start_matches("+ "))
}

fn polynomial(coefficients: &[String], first: usize) -> String {
    let term = |(number, power): (&String, usize)| {
        let power = match power {
            0 => String::new(),
            1 => "x".into(),
            power => format!("x^{power}"),
        };
        let (sign, size) = match number.strip_prefix('-') {
            Some(size) => ("−", size),
            None => ("+", number.as_str()),
        };
        let size = if size == "1" && !power.is_empty() {
            ""
        } else {
            size
        };
        (number != "0").then(|| format!("{sign} {size}{power}"))
    };
    let terms: Vec<String> = coefficients.iter().zip(first..).filter_map(term).collect();
    terms.join(" ").trim_start_matches("+ ").to_string()
}

fn generating_function(found: &Recurrence) -> String {
    let negated = |number: &String| match number.strip_prefix('-') {
        Some(size) => size.to_string(),
        None if number == "0" => number.clone(),
        None => format!("-{number}"),
    };
    let mut below = vec!["1".to_string()];
    below.extend(found.coefficients.iter().map(negated));
    format!(
        "({}) / ({})",
        polynomial(&found.numerator, 1),
        polynomial(&below, 0)
    )
}

/// A file of one term a line, as the encyclopedia of integer sequences takes them.
fn b_file(what: &str, first: usize, terms: &[String]) -> String {
    let mut text = format!("# {what}; made by: cargo run --release -p greenwave-discoveries\n");
    for (n, term) in (first..).zip(terms) {
        text.push_str(&format!("{n} {term}\n"));
    }
    text
}

fn ranks_in_words(ranks: u32) -> String {
    match ranks {
        1 => "one rank".into(),
        ranks => format!("{ranks} ranks"),
    }
}

pub(super) fn sequences(facts: &Facts, made: &mut Made) -> Result<()> {
    let (mut rows, mut written, mut longest_rows) = (Vec::new(), Vec::new(), Vec::new());
    for item in items().iter().filter(|item| item.section == "sequences") {
        if item.key.starts_with("longest") {
            let found: Longest = facts.expect("sequences", &item.key)?;
            let terms = 1..=LONGEST_TERMS;
            let terms: Vec<String> = terms.map(|n| found.at(n).to_string()).collect();
            let file = format!("sequences/b-{}.txt", item.key);
            longest_rows.push(vec![
                format!("{} × n", found.ranks),
                terms[..12].join(", "),
                format!(
                    "a(n + {}) = a(n) + {} from n = {} on",
                    found.period, found.adds, found.from
                ),
                format!("[b-file]({file})"),
            ]);
            let what = format!(
                "Most plies without a line on boards of {} and n files",
                ranks_in_words(found.ranks)
            );
            made.files.push((file, b_file(&what, 1, &terms)));
            continue;
        }
        let found: Sequence = facts.expect("sequences", &item.key)?;
        let orbits = item.key.ends_with("-orbits");
        let what = format!(
            "{} boards of {} and n files{}",
            found.kind.name(),
            ranks_in_words(found.ranks),
            if orbits {
                ", up to symmetry of the rectangle"
            } else {
                ""
            }
        );
        let file = format!("sequences/b-{}.txt", item.key);
        let shown: Vec<&str> = found.terms.iter().take(SHOWN).map(String::as_str).collect();
        let proof = match &found.recurrence {
            Some(found) => format!(
                "{} (at most {}; {} terms)",
                found.order,
                found.bound,
                grouped(found.terms as u64)
            ),
            None => format!("at most {}", grouped(found.states[1] as u64)),
        };
        rows.push(vec![
            format!(
                "{}{}, {} × n",
                found.kind.name(),
                if orbits { " up to symmetry" } else { "" },
                found.ranks
            ),
            shown.join(", "),
            proof,
            format!("[b-file]({file})"),
        ]);
        if let Some(known) = found
            .recurrence
            .as_ref()
            .filter(|known| known.order <= WRITTEN)
        {
            written.push(format!(
                "- **{what}**: {}; generating function {}.\n",
                recurrence(known),
                generating_function(known)
            ));
        }
        made.files.push((file, b_file(&what, 1, &found.terms)));
    }
    let header = ["boards", "n = 1, 2, …", "order of the recurrence", "terms"];
    made.parts
        .push(("sequences.md", "sequences", table(&header, &rows)));
    made.parts
        .push(("sequences.md", "recurrences", written.concat()));
    let header = ["boards", "plies for n = 1, 2, …", "and for ever", "terms"];
    made.parts
        .push(("sequences.md", "longest", table(&header, &longest_rows)));
    counts(facts, made)
}

fn counts(facts: &Facts, made: &mut Made) -> Result<()> {
    let mut rows = Vec::new();
    let mut files: Vec<(String, String, usize, Vec<String>)> = Vec::new();
    for item in items().iter().filter(|item| item.section == "counts") {
        let found: Counts = facts.expect("counts", &item.key)?;
        let Some((ranks, n)) = size_of(&item.key) else {
            continue;
        };
        let both = |counts: [u64; 2]| format!("{} ({})", grouped(counts[0]), grouped(counts[1]));
        let reached = [0, 1].map(|at| found.won[at] + found.lost[at] + found.finished[at]);
        rows.push(vec![
            format!("{ranks} × {n}"),
            both(found.won),
            both(found.lost),
            both(found.undecided),
            both(reached),
            found.longest_game.to_string(),
        ]);
        if ranks > 2 {
            continue;
        }
        for (what, term) in [
            ("won", found.won[0]),
            ("lost", found.lost[0]),
            ("won-orbits", found.won[1]),
            ("lost-orbits", found.lost[1]),
            ("reachable", reached[0]),
            ("reachable-orbits", reached[1]),
        ] {
            let name = format!("{what}-{ranks}xn");
            match files.iter_mut().find(|(known, ..)| *known == name) {
                Some((_, _, _, terms)) => terms.push(term.to_string()),
                None => files.push((name, what.into(), n as usize, vec![term.to_string()])),
            }
        }
    }
    for (name, what, first, terms) in files {
        let what = format!("Positions, {what}, {name}");
        made.files.push((
            format!("sequences/b-{name}.txt"),
            b_file(&what, first, &terms),
        ));
    }
    let header = [
        "board",
        "won",
        "lost",
        "undecided",
        "reachable",
        "longest game, plies",
    ];
    made.parts
        .push(("sequences.md", "counts", table(&header, &rows)));
    Ok(())
}

/// Recurrences that fit the numbers of the atlas, none of them proved.
pub(super) fn fitted(facts: &Facts, made: &mut Made) {
    type Figure = fn(&AtlasRow) -> Option<u64>;
    let figures: [(&str, Figure); 4] = [
        ("won", |row| Some(row.won)),
        ("lost", |row| Some(row.lost)),
        ("plies of best play", |row| row.distance),
        ("largest nimber", |row| row.largest_nimber),
    ];
    let mut rows = Vec::new();
    for ranks in 1..=2 {
        for (what, figure) in figures {
            let prefix = format!("classic-{ranks}x");
            let own = facts
                .1
                .iter()
                .filter(|row| row.variant.starts_with(&prefix) && !row.variant.contains(':'));
            let terms: Vec<u64> = own.filter_map(figure).collect();
            let fit = fit(&terms);
            rows.push(vec![
                format!("{what}, {ranks} × n"),
                terms.len().to_string(),
                match fit.support {
                    0 => format!("none of order {} or less", (terms.len() - 1) / 2),
                    support => format!(
                        "**conjecture** of order {}: {} terms support it",
                        fit.order, support
                    ),
                },
            ]);
        }
    }
    let header = ["numbers", "terms", "a recurrence that fits"];
    made.parts
        .push(("ledger.md", "fitted", table(&header, &rows)));
}

/// Sums of fresh boards that a player may meet.
const SUMS: [&[&str]; 8] = [
    &["classic-3x3", "classic-3x4"],
    &["classic-3x3", "classic-1x5"],
    &["classic-3x3", "classic-1x5", "classic-1x7"],
    &["signal-3x3", "signal-3x4"],
    &["signal-3x3", "classic-3x3"],
    &["signal-3x3", "signal-1x4"],
    &["signal-1x11", "classic-3x3"],
    &["signal-3x3", "classic-3x3", "signal-1x5"],
];

/// What some sums are worth, and the first moves that win them.
fn sums(facts: &Facts, made: &mut Made) -> Result<()> {
    let mut rows = Vec::new();
    for boards in SUMS {
        let found: Vec<Nimbers> = boards
            .iter()
            .map(|board| facts.expect("nimbers", board))
            .collect::<Result<_>>()?;
        let sum = found.iter().fold(0, |sum, board| sum ^ board.start);
        let mut winning = Vec::new();
        for (board, own) in boards.iter().zip(&found) {
            let game = BoardGame::named(board)?;
            let shape = &game.board().shape;
            // A win on one board leaves the others at nimber 0 together.
            let wanted = own.start ^ sum;
            let squares: Vec<String> = own
                .openings
                .iter()
                .zip(0_u8..)
                .filter(|(nimber, _)| sum > 0 && **nimber == wanted)
                .map(|(_, cell)| shape.cell_name(Cell(cell)))
                .collect();
            if squares.len() == shape.cells() {
                winning.push(format!("any on `{board}`"));
            } else if !squares.is_empty() {
                winning.push(format!("{} on `{board}`", squares.join(" ")));
            }
        }
        let each: Vec<String> = found.iter().map(|board| board.start.to_string()).collect();
        rows.push(vec![
            format!("`greenwave sum {}`", boards.join(" ")),
            each.join(" + "),
            sum.to_string(),
            match winning.is_empty() {
                true => "none: the other player wins".into(),
                false => winning.join("; "),
            },
        ]);
    }
    let header = ["sum", "nimbers", "of the sum", "first moves that win"];
    made.parts
        .push(("nimbers.md", "sums", table(&header, &rows)));
    Ok(())
}

pub(super) fn nimbers(facts: &Facts, made: &mut Made) -> Result<()> {
    let mut firsts: Vec<(u32, String, u32, String)> = Vec::new();
    let mut rows = Vec::new();
    let mut growth: Vec<Series> = Vec::new();
    let mut starts: Vec<(u32, Vec<String>)> = Vec::new();
    for item in items().iter().filter(|item| item.section == "nimbers") {
        let found: Nimbers = facts.expect("nimbers", &item.key)?;
        let Some((ranks, files)) = size_of(&item.key) else {
            continue;
        };
        let largest = found
            .smallest
            .iter()
            .map(|entry| entry.nimber)
            .max()
            .unwrap_or_default();
        match starts.iter_mut().find(|(nimber, _)| *nimber == found.start) {
            Some((_, names)) => names.push(format!("`{}`", item.key)),
            None => starts.push((found.start, vec![format!("`{}`", item.key)])),
        }
        if !item.key.starts_with("classic") {
            continue;
        }
        let name = format!("{ranks} × n");
        match growth.iter_mut().find(|series| series.name == name) {
            Some(series) => series.points.push((f64::from(files), f64::from(largest))),
            None => growth.push(Series {
                name,
                points: vec![(f64::from(files), f64::from(largest))],
            }),
        }
        for entry in &found.smallest {
            let squares = ranks * files;
            let better = |(_, board, plies, _): &(u32, String, u32, String)| {
                let known = size_of(board).map_or(0, |(ranks, files)| ranks * files);
                (squares, entry.plies) < (known, *plies)
            };
            let fact = (
                entry.nimber,
                item.key.clone(),
                entry.plies,
                entry.example.clone(),
            );
            match firsts.iter_mut().find(|first| first.0 == entry.nimber) {
                Some(first) if better(first) => *first = fact,
                Some(_) => {}
                None => firsts.push(fact),
            }
        }
        let missing: Vec<String> = (0..largest)
            .filter(|nimber| !found.smallest.iter().any(|entry| entry.nimber == *nimber))
            .map(|nimber| nimber.to_string())
            .collect();
        rows.push(vec![
            format!("{ranks} × {files}"),
            found.start.to_string(),
            largest.to_string(),
            if missing.is_empty() {
                "–".into()
            } else {
                missing.join(", ")
            },
            format!("`{}`", found.signature.unwrap_or_default()),
        ]);
    }
    // Larger boards, whose positions were not gone through one by one.
    for row in facts.1.iter().filter(|row| !row.variant.contains(':')) {
        let size = row
            .variant
            .strip_prefix("classic-")
            .and_then(|_| size_of(&row.variant));
        let (Some((ranks, files)), Some(largest)) = (size, row.largest_nimber) else {
            continue;
        };
        if items()
            .iter()
            .any(|item| item.section == "nimbers" && item.key == row.variant)
        {
            continue;
        }
        let start = row.nimber.map_or("–".into(), |nimber| nimber.to_string());
        rows.push(vec![
            format!("{ranks} × {files}"),
            start,
            largest.to_string(),
            "not looked for".into(),
            "–".into(),
        ]);
        let name = format!("{ranks} × n");
        if let Some(series) = growth.iter_mut().find(|series| series.name == name) {
            series.points.push((f64::from(files), largest as f64));
        }
    }
    sums(facts, made)?;
    firsts.sort();
    let first_rows: Vec<Vec<String>> = firsts
        .iter()
        .map(|(nimber, board, plies, example)| {
            vec![
                nimber.to_string(),
                format!("`{board}`"),
                plies.to_string(),
                format!("`{example}`"),
            ]
        })
        .collect();
    let header = ["nimber", "smallest board", "plies", "position"];
    made.parts
        .push(("nimbers.md", "firsts", table(&header, &first_rows)));
    let header = [
        "board",
        "empty board",
        "largest",
        "below it, not met",
        "signature of the nimber table",
    ];
    made.parts
        .push(("nimbers.md", "boards", table(&header, &rows)));
    starts.sort();
    let said: Vec<String> = starts
        .iter()
        .map(|(nimber, names)| format!("- nimber {nimber}: {}\n", names.join(", ")))
        .collect();
    made.parts.push(("nimbers.md", "equal", said.concat()));
    growth.retain(|series| series.points.len() > 1);
    let chart = Chart {
        title: "classic boards",
        across: "files",
        up: "largest nimber",
        series: growth,
    };
    made.files
        .push(("pictures/nimbers.svg".into(), chart.svg()));
    for (nimber, board, _, example) in firsts.iter().filter(|first| first.0 > 0 && first.0 <= 4) {
        let title = format!("A position of nimber {nimber}");
        made.files.push((
            format!("pictures/nimber-{nimber}.svg"),
            map(board, example, &title, &[] as &[(String, String, Tone)])?,
        ));
    }
    Ok(())
}
