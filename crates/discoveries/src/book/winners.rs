//! The chapter on who wins.

use anyhow::Result;
use greenwave_picture::Tone;

use super::{Facts, Made, grouped, keys, map, size_of, table};
use crate::chart::ranks_svg;
use crate::items::{ATLAS, Boards};
use crate::{MainLine, Winner, Without};

/// Whether the number of squares says who wins: the first player where it is odd.
fn as_expected(found: &Winner) -> bool {
    (found.winner == "first") == (found.squares % 2 == 1)
}

pub(super) fn winners(facts: &Facts, made: &mut Made) -> Result<()> {
    let mut rows: Vec<((u32, u32), Vec<String>)> = Vec::new();
    let mut summary = Vec::new();
    let (mut mixed, mut pictures) = (Vec::new(), String::new());
    for (column, boards) in ATLAS.iter().enumerate() {
        let (family, options) = (boards.family, boards.options);
        let (mut agree, mut all, mut against) = (0, 0, Vec::new());
        let mut rows_of_one: Vec<(String, Vec<bool>)> = Vec::new();
        for key in keys("winners") {
            let Some(size) = size_of(&key) else { continue };
            if key != boards.name(size.0, size.1) {
                continue;
            }
            let found: Winner = facts.expect("winners", &key)?;
            all += 1;
            if as_expected(&found) {
                agree += 1;
            } else {
                against.push(format!("{} × {}", size.0, size.1));
            }
            let row = match rows.iter().position(|(known, _)| *known == size) {
                Some(row) => row,
                None => {
                    rows.push((size, vec![String::from("–"); ATLAS.len()]));
                    rows.len() - 1
                }
            };
            let some = !found.winning.is_empty() && found.winning.len() < found.squares as usize;
            rows[row].1[column] = match (found.winner.as_str(), some) {
                ("first", true) => {
                    format!("first, by {} of {}", found.winning.len(), found.squares)
                }
                (winner, _) => winner.into(),
            };
            if some {
                let losing = found.squares as usize - found.winning.len();
                mixed.push(vec![
                    format!("`{key}`"),
                    found.winning.join(" "),
                    losing.to_string(),
                ]);
                match size.0 {
                    1 => rows_of_one.push((key.clone(), squares_of(&found, size.1))),
                    _ => pictures.push_str(&opening_map(&key, &found, made)?),
                }
            }
        }
        if !rows_of_one.is_empty() {
            let title = format!(
                "First moves on one rank that win (W) and lose (L), {}",
                boards.title()
            );
            let file = format!(
                "pictures/openings-{family}-1xn{}.svg",
                if options.is_empty() { "" } else { "_misere" }
            );
            made.files
                .push((file.clone(), ranks_svg(&title, &rows_of_one)));
            pictures.push_str(&format!("![{title}]({file})\n\n*{title}; by `greenwave solve {family}-1x5{options} --metric value --no-table` and so on.*\n\n"));
        }
        summary.push(vec![
            boards.title(),
            boards.line.into(),
            format!("{agree} of {all}"),
            if against.is_empty() {
                "none".into()
            } else {
                against.join(", ")
            },
        ]);
    }
    rows.sort_by_key(|(size, _)| *size);
    let rows: Vec<Vec<String>> = rows
        .into_iter()
        .map(|((ranks, files), cells)| {
            let mut row = vec![format!("{ranks} × {files}"), (ranks * files).to_string()];
            row.extend(cells);
            row
        })
        .collect();
    let names: Vec<String> = ATLAS.iter().map(Boards::title).collect();
    let header: Vec<&str> = ["board", "squares"]
        .into_iter()
        .chain(names.iter().map(String::as_str))
        .collect();
    made.parts
        .push(("winners.md", "grid", table(&header, &rows)));
    let header = [
        "game",
        "a line",
        "boards that follow the rule",
        "boards that do not",
    ];
    made.parts
        .push(("winners.md", "pattern", table(&header, &summary)));
    let header = ["board", "first moves that win", "that lose"];
    made.parts
        .push(("winners.md", "mixed", table(&header, &mixed)));
    made.parts.push(("winners.md", "maps", pictures));
    larger_maps(made)?;
    main_lines(facts, made)?;
    single_lines(facts, made)
}

/// Who wins without a line.
fn single_lines(facts: &Facts, made: &mut Made) -> Result<()> {
    let (mut rows, mut fragile) = (Vec::new(), Vec::new());
    for key in keys("winners") {
        let Some(size) = key.strip_prefix("lines ") else {
            continue;
        };
        let whole: Winner = facts.expect("winners", &format!("classic-{size}"))?;
        let found: Vec<Without> = facts.expect("winners", &key)?;
        let alike = |changed: bool| -> u32 {
            let other = |less: &&Without| !changed || less.winner.winner != whole.winner;
            found.iter().filter(other).map(|less| less.alike).sum()
        };
        fragile.push(vec![
            size.replace('x', " × "),
            whole.winner.clone(),
            format!("{} of {}", alike(true), alike(false)),
        ]);
        for less in found {
            let own = less.winner;
            rows.push(vec![
                size.replace('x', " × "),
                format!("{} ({} alike)", less.line, less.alike),
                match own.winner == whole.winner {
                    true => own.winner.clone(),
                    false => format!("**{}**", own.winner),
                },
                own.winning.len().to_string(),
                whole.winning.len().to_string(),
            ]);
        }
    }
    let header = [
        "board",
        "wins with all lines",
        "lines without which the other wins",
    ];
    made.parts
        .push(("winners.md", "fragile", table(&header, &fragile)));
    let header = [
        "board",
        "without the line",
        "wins then",
        "first moves that win then",
        "with all lines",
    ];
    made.parts
        .push(("winners.md", "lines", table(&header, &rows)));
    Ok(())
}

fn opening_map(key: &str, found: &Winner, made: &mut Made) -> Result<String> {
    let shape = greenwave_game::BoardGame::named(key)?;
    let shape = &shape.board().shape;
    let tags: Vec<(String, String, Tone)> = (0..shape.cells() as u8)
        .map(|cell| {
            let square = shape.cell_name(greenwave_game::Cell(cell));
            match found.winning.contains(&square) {
                true => (square, "W".into(), Tone::Win),
                false => (square, "L".into(), Tone::Loss),
            }
        })
        .collect();
    let name = key.replace(':', "_").replace('=', "-");
    let title = format!("First moves of {key} that win (W) and lose (L)");
    let file = format!("pictures/openings-{name}.svg");
    made.files
        .push((file.clone(), map(key, "", &title, &tags)?));
    let signature = match &found.signature {
        Some(signature) => format!("; value table `{signature}`"),
        None => format!(
            "; {} positions won, {} lost",
            grouped(found.won),
            grouped(found.lost)
        ),
    };
    Ok(format!(
        "![{title}]({file})\n\n*`{key}`: {} of {} first moves win{signature}.*\n\n",
        found.winning.len(),
        found.squares
    ))
}

/// Which of the squares of a rank win.
fn squares_of(found: &Winner, files: u32) -> Vec<bool> {
    let name = |file: u32| format!("{}1", greenwave_game::file_name(file as u8));
    let wins = |file: u32| found.winning.contains(&name(file));
    (0..files).map(wins).collect()
}

/// Boards of [Results](../results.md#larger-boards) on which the first player wins by some first moves
/// alone, and the squares that lose or win there.
const LARGER: [(&str, &[&str], bool); 3] = [
    ("classic-5x5", &["c1", "a3", "e3", "c5"], false),
    ("signal-5x5", &["a1", "e1", "a5", "e5"], false),
    ("signal-4x6", &["a1", "f1", "a4", "f4"], true),
];

fn larger_maps(made: &mut Made) -> Result<()> {
    let mut pictures = String::new();
    for (name, named, win) in LARGER {
        let game = greenwave_game::BoardGame::named(name)?;
        let shape = &game.board().shape;
        let tags: Vec<(String, String, Tone)> = (0..shape.cells() as u8)
            .map(|cell| {
                let square = shape.cell_name(greenwave_game::Cell(cell));
                match named.contains(&square.as_str()) == win {
                    true => (square, "W".into(), Tone::Win),
                    false => (square, "L".into(), Tone::Loss),
                }
            })
            .collect();
        let title = format!("First moves of {name} that win (W) and lose (L)");
        let file = format!("pictures/openings-{name}.svg");
        made.files
            .push((file.clone(), map(name, "", &title, &tags)?));
        pictures.push_str(&format!(
            "![{title}]({file})\n\n*`{name}`, by `greenwave solve {name} --metric value --no-table --memory 12G`.*\n\n"
        ));
    }
    made.parts.push(("winners.md", "larger", pictures));
    Ok(())
}

fn main_lines(facts: &Facts, made: &mut Made) -> Result<()> {
    let mut rows = Vec::new();
    for key in keys("winners") {
        let Some(name) = key.strip_prefix("main ") else {
            continue;
        };
        let found: MainLine = facts.expect("winners", &key)?;
        let who: Winner = facts.expect("winners", name)?;
        let winning: Vec<String> = found.winning.iter().map(u32::to_string).collect();
        rows.push(vec![
            format!("`{name}`"),
            who.winner,
            match found.best {
                true => format!("{}, best play", found.moves.len()),
                false => format!("{}, narrow", found.moves.len()),
            },
            format!("`{}`", found.moves.join(" ")),
            winning.join(" "),
        ]);
    }
    let header = [
        "board",
        "wins",
        "plies",
        "line",
        "moves that win, turn by turn",
    ];
    made.parts
        .push(("winners.md", "main", table(&header, &rows)));
    Ok(())
}
