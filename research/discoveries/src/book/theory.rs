//! The chapters on sequences and on nimbers.

use anyhow::Result;
use greenwave_game::{BoardGame, Cell};
use greenwave_picture::Tone;

use super::conjectures::SWEPT;
use super::lengths::{best_play, lengths};
use super::{AtlasRow, BookContents, Facts, grouped, map, size_of};
use crate::chart::{Chart, Series};
use crate::items::QUOTIENTS;
use crate::plate::{PlatePicture, plate};
use crate::recurrence::fit;
use crate::{Counts, Kind, Longest, Misere, Nimbers, Recurrence, Sequence, items};

/// How many terms a page shows.
const SHOWN: usize = 8;
/// Terms of the longest play that are listed.
const LONGEST_TERMS: usize = 60;
/// Up to which order a recurrence is written out.
const WRITTEN: usize = 13;
/// The same in the chapter itself.
const SHORT: usize = 6;

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
pub(super) fn b_file(what: &str, first: usize, terms: &[String]) -> String {
    let mut text = format!("# {what}; made by: cargo discoveries\n");
    for (n, term) in (first..).zip(terms) {
        text.push_str(&format!("{n} {term}\n"));
    }
    text
}

pub(super) fn ranks_in_words(ranks: u32) -> String {
    match ranks {
        1 => "one rank".into(),
        ranks => format!("{ranks} ranks"),
    }
}

pub(super) fn sequences(facts: &Facts, made: &mut BookContents) -> Result<()> {
    let (mut rows, mut written, mut longest_rows) = (Vec::new(), Vec::new(), Vec::new());
    let (mut orbit_rows, mut short) = (Vec::new(), Vec::new());
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
                    found.period,
                    found.adds,
                    found.holds_from()
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
        let row = |link: &str| {
            let boards = format!("{}, {} × n", found.kind.name(), found.ranks);
            vec![boards, shown.join(", "), proof.clone(), link.into()]
        };
        if orbits {
            orbit_rows.push(row(&format!("[b-file](../{file})")))
        } else {
            rows.push(row(&format!("[b-file]({file})")))
        }
        if let Some(known) = found
            .recurrence
            .as_ref()
            .filter(|known| known.order <= WRITTEN)
        {
            let row = vec![what.clone(), recurrence(known), generating_function(known)];
            if known.order <= SHORT {
                short.push(row)
            } else {
                written.push(row)
            }
        }
        let meant = match found.kind {
            Kind::LineFree => {
                "each square empty, red, yellow or green, no three equal lights in line"
            }
            Kind::Undecided => {
                "each square empty, red, yellow or green, no three equal lights in line, and no single \
                 move brings that about"
            }
        };
        let what = format!("{what}: {meant}");
        made.files.push((file, b_file(&what, 1, &found.terms)));
    }
    let header = ["boards", "n = 1, 2, …", "order of the recurrence", "terms"];
    made.table("sequences.md", "sequences", &header, &rows);
    made.table("tables/sequences.md", "orbits", &header, &orbit_rows);
    let header = ["boards", "recurrence", "generating function"];
    made.table("sequences.md", "recurrences", &header, &short);
    made.table("tables/sequences.md", "recurrences", &header, &written);
    let header = ["boards", "plies for n = 1, 2, …", "and for ever", "terms"];
    made.table("sequences.md", "longest", &header, &longest_rows);
    counts(facts, made)
}

/// What a sequence of positions counts, on boards of such a size.
fn counted(what: &str, size: &str) -> String {
    let (ranks, _) = size.split_once('x').unwrap_or((size, ""));
    let ranks = ranks.parse().map_or_else(|_| ranks.into(), ranks_in_words);
    let boards = format!("classic boards of {ranks} and n files");
    let (what, symmetry) = match what.strip_suffix("-orbits") {
        Some(what) => (what, ", up to symmetry of the board"),
        None => (what, ""),
    };
    match what {
        "reachable" => format!(
            "Positions that play can reach on {boards}, those that a line has just finished \
             included{symmetry}"
        ),
        "longest-game" => format!("Plies of the longest game on {boards}"),
        what => format!("Unfinished positions {what} for the player to move on {boards}{symmetry}"),
    }
}

fn counts(facts: &Facts, made: &mut BookContents) -> Result<()> {
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
        for (what, term) in [
            ("won", found.won[0]),
            ("lost", found.lost[0]),
            ("won-orbits", found.won[1]),
            ("lost-orbits", found.lost[1]),
            ("reachable", reached[0]),
            ("reachable-orbits", reached[1]),
            ("longest-game", u64::from(found.longest_game)),
        ] {
            // Of three ranks only the atlas has enough of them.
            if ranks > 3 || (ranks == 3 && !["won", "lost"].contains(&what)) {
                continue;
            }
            let name = format!("{what}-{ranks}xn");
            match files.iter_mut().find(|(known, ..)| *known == name) {
                Some((_, _, _, terms)) => terms.push(term.to_string()),
                None => files.push((name, what.into(), n as usize, vec![term.to_string()])),
            }
        }
    }
    for (name, what, first, mut terms) in files {
        // The atlas continues with larger boards.
        let figure: Option<fn(&AtlasRow) -> u64> = match what.as_str() {
            "won" => Some(|row| row.won),
            "lost" => Some(|row| row.lost),
            _ => None,
        };
        let (_, size) = name.rsplit_once('-').unwrap_or_default();
        while let Some(figure) = figure {
            let board = format!(
                "classic-{}",
                size.replace('n', &(first + terms.len()).to_string())
            );
            let Some(row) = facts.1.iter().find(|row| row.variant == board) else {
                break;
            };
            terms.push(figure(row).to_string());
        }
        let what = counted(&what, size);
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
    made.table("tables/sequences.md", "counts", &header, &rows);
    Ok(())
}

/// Recurrences that fit the numbers of the atlas, none of them proved.
pub(super) fn fitted(facts: &Facts, made: &mut BookContents) -> Result<()> {
    type Figure = fn(&AtlasRow) -> Option<u64>;
    let figures: [(&str, Option<Figure>); 4] = [
        ("won", Some(|row| Some(row.won))),
        ("lost", Some(|row| Some(row.lost))),
        ("plies of best play", None),
        ("largest nimber", Some(|row| row.largest_nimber)),
    ];
    let mut rows = Vec::new();
    for ranks in 1..=2 {
        for (what, figure) in figures {
            let prefix = format!("classic-{ranks}x");
            let own = facts
                .1
                .iter()
                .filter(|row| row.variant.starts_with(&prefix) && !row.variant.contains(':'));
            let terms: Vec<u64> = match figure {
                Some(figure) => own.filter_map(figure).collect(),
                None => best_play(facts, ranks, "")?,
            };
            let fit = fit(&terms);
            rows.push(vec![
                format!("{what}, {ranks} × n"),
                terms.len().to_string(),
                match fit.support {
                    0 => format!("no recurrence of order {} or less", (terms.len() - 1) / 2),
                    support => format!(
                        "**conjecture** of order {}: {} terms support it",
                        fit.order, support
                    ),
                },
            ]);
        }
    }
    rows.extend(lengths(facts, made)?);
    let header = ["numbers", "terms", "what fits"];
    made.table("ledger.md", "fitted", &header, &rows);
    Ok(())
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

/// The values of some sums, and the first moves that win them.
fn sums(facts: &Facts, made: &mut BookContents) -> Result<()> {
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
            if winning.is_empty() {
                "none: the other player wins".into()
            } else {
                winning.join("; ")
            },
        ]);
    }
    let header = ["sum", "nimbers", "of the sum", "first moves that win"];
    made.table("nimbers.md", "sums", &header, &rows);
    Ok(())
}

/// The sizes of the boards of a family among some boards.
fn sizes_of(family: &str, names: &[String]) -> String {
    let own = names.iter().filter_map(|name| name.split_once('-'));
    let sizes: Vec<String> = own
        .filter(|(known, _)| *known == family)
        .map(|(_, size)| size.replace('x', " × "))
        .collect();
    if sizes.is_empty() {
        "–".into()
    } else {
        sizes.join(", ")
    }
}

/// Where a nimber is first met among the boards of a family.
struct First {
    family: String,
    nimber: u32,
    squares: u32,
    plies: u32,
    board: String,
    example: String,
}

impl First {
    fn size(&self) -> (u32, u32) {
        (self.squares, self.plies)
    }

    fn row(&self) -> Vec<String> {
        vec![
            self.nimber.to_string(),
            format!("`{}`", self.board),
            self.plies.to_string(),
            format!("`{}`", self.example),
        ]
    }
}

/// Nimbers whose first positions are drawn.
const PICTURED: [u32; 4] = [1, 2, 3, 4];

pub(super) fn nimbers(facts: &Facts, made: &mut BookContents) -> Result<()> {
    let mut firsts: Vec<First> = Vec::new();
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
            Some((_, names)) => names.push(item.key.clone()),
            None => starts.push((found.start, vec![item.key.clone()])),
        }
        let (family, _) = item.key.split_once('-').unwrap_or((&item.key, ""));
        let name = format!("{ranks} × n");
        if family == "classic" {
            match growth.iter_mut().find(|series| series.name == name) {
                Some(series) => series.points.push((f64::from(files), f64::from(largest))),
                None => growth.push(Series {
                    name,
                    points: vec![(f64::from(files), f64::from(largest))],
                }),
            }
        }
        for entry in &found.smallest {
            let first = First {
                family: family.into(),
                nimber: entry.nimber,
                squares: ranks * files,
                plies: entry.plies,
                board: item.key.clone(),
                example: entry.example.clone(),
            };
            let same =
                |known: &&mut First| (&known.family, known.nimber) == (&first.family, first.nimber);
            match firsts.iter_mut().find(same) {
                Some(known) if first.size() < known.size() => *known = first,
                Some(_) => {}
                None => firsts.push(first),
            }
        }
        let missing: Vec<String> = (0..largest)
            .filter(|nimber| !found.smallest.iter().any(|entry| entry.nimber == *nimber))
            .map(|nimber| nimber.to_string())
            .collect();
        rows.push(vec![
            format!("`{}`", item.key),
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
        let surveyed: Option<crate::BoardSurvey> = facts.get("survey", &row.variant)?;
        let worth = surveyed.and_then(|found| found.nimbers);
        let met = worth.is_some_and(|worth| worth.all_below) || row.variant == SWEPT.0;
        rows.push(vec![
            format!("`{}`", row.variant),
            start,
            largest.to_string(),
            if met { "–" } else { "not looked for" }.into(),
            "–".into(),
        ]);
        let name = format!("{ranks} × n");
        if let Some(series) = growth.iter_mut().find(|series| series.name == name) {
            series.points.push((f64::from(files), largest as f64));
        }
    }
    sums(facts, made)?;
    firsts.sort_by(|a, b| (&a.family, a.nimber).cmp(&(&b.family, b.nimber)));
    let (firsts, others): (Vec<First>, Vec<First>) = firsts
        .into_iter()
        .partition(|first| first.family == "classic");
    let first_rows: Vec<Vec<String>> = firsts.iter().map(First::row).collect();
    let other_rows: Vec<Vec<String>> = others.iter().map(First::row).collect();
    let header = ["nimber", "smallest board", "plies", "position"];
    made.table("nimbers.md", "firsts", &header, &first_rows);
    made.table("tables/nimbers.md", "firsts", &header, &other_rows);
    let header = [
        "board",
        "empty board",
        "largest",
        "below it, not met",
        "signature of the nimber table",
    ];
    made.table("tables/nimbers.md", "boards", &header, &rows);
    starts.sort();
    let mut families: Vec<&str> = Vec::new();
    for (family, _) in starts
        .iter()
        .flat_map(|(_, names)| names)
        .filter_map(|name| name.split_once('-'))
    {
        if !families.contains(&family) {
            families.push(family);
        }
    }
    let rows: Vec<Vec<String>> = starts
        .iter()
        .map(|(nimber, names)| {
            let sizes = families.iter().map(|family| sizes_of(family, names));
            std::iter::once(nimber.to_string()).chain(sizes).collect()
        })
        .collect();
    let header = [&["nimber"][..], &families[..]].concat();
    made.table("nimbers.md", "equal", &header, &rows);
    growth.retain(|series| series.points.len() > 1);
    for series in &growth {
        let size = series.name.replace(" × ", "x");
        let terms: Vec<String> = series
            .points
            .iter()
            .map(|(_, most)| most.to_string())
            .collect();
        let Some((first, _)) = series.points.first() else {
            continue;
        };
        let what = format!("Largest nimber of classic boards, {size}");
        let file = format!("sequences/b-largest-nimber-{size}.txt");
        made.files
            .push((file, b_file(&what, *first as usize, &terms)));
    }
    let chart = Chart {
        title: "classic boards",
        across: "files",
        up: "largest nimber",
        series: growth,
    };
    made.picture("nimbers", chart.svg());
    let mut shown = Vec::new();
    let pictured = |first: &&First| PICTURED.contains(&first.nimber);
    for first in firsts.iter().filter(pictured) {
        let nimber = first.nimber;
        let title = format!("A position of nimber {nimber}");
        shown.push(PlatePicture {
            svg: map(
                &first.board,
                &first.example,
                &title,
                &[] as &[(String, String, Tone)],
            )?,
            caption: vec![format!("nimber {nimber}")],
        });
    }
    let title = "Positions of nimbers 1 to 4";
    made.picture("nimbers-first", plate(title, 1300.0, &shown));
    Ok(())
}

/// The chapter on sums where the last move loses.
pub(super) fn misere(facts: &Facts, made: &mut BookContents) -> Result<()> {
    let (mut boards, mut sizes) = (Vec::new(), Vec::new());
    for name in QUOTIENTS {
        let found: Misere = facts.expect("misere", name)?;
        let known: u64 = found.small.iter().map(|small| small.positions).sum();
        let largest = found.small.iter().map(|small| small.classes).max();
        boards.push(vec![
            format!("`{name}`"),
            grouped(found.positions),
            grouped(found.forms),
            grouped(known),
            largest.unwrap_or(0).to_string(),
            found
                .start
                .map_or("more than 100".into(), |start| start.to_string()),
        ]);
        for small in found.small {
            sizes.push(vec![
                format!("`{name}`"),
                small.classes.to_string(),
                small.lost.to_string(),
                grouped(small.positions),
                format!("`{}`", small.example),
            ]);
        }
    }
    let header = [
        "board",
        "positions",
        "forms",
        "with a small quotient",
        "most classes",
        "classes of the empty board",
    ];
    made.table("misere.md", "quotients", &header, &boards);
    let header = ["board", "classes", "of them lost", "positions", "such as"];
    made.table("tables/nimbers.md", "quotients", &header, &sizes);
    Ok(())
}
