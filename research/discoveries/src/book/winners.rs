//! The chapter on who wins.

use anyhow::{Result, bail};
use greenwave_picture::Tone;

use super::ledger::{self, Larger};
use super::{BookContents, Facts, begins, grouped, keys, map, size_of};
use crate::chart::{Chart, Series, grid_svg, ranks_svg};
use crate::items::{ATLAS, Boards};
use crate::plate::{PlatePicture, plate};
use crate::{LineRemoval, MainLine, Winner};

/// Whether the number of squares says who wins: the first player where it is odd.
fn as_expected(found: &Winner) -> bool {
    (found.winner == "first") == (found.squares % 2 == 1)
}

pub(super) fn winners(facts: &Facts, made: &mut BookContents) -> Result<()> {
    let mut rows: Vec<((u32, u32), Vec<String>)> = Vec::new();
    let mut summary = Vec::new();
    let (mut mixed, mut pictures, mut of_ranks) = (Vec::new(), Vec::new(), Vec::new());
    let mut seen = Vec::new();
    for (column, boards) in ATLAS.iter().enumerate() {
        let (mut agree, mut all, mut against) = (0, 0, Vec::new());
        let mut rows_of_one: Vec<(String, Vec<bool>)> = Vec::new();
        for key in keys("winners") {
            let Some(size) = size_of(&key) else { continue };
            if key != boards.name(size.0, size.1) {
                continue;
            }
            let found: Winner = facts.expect("winners", &key)?;
            all += 1;
            seen.push((
                boards.title(),
                size,
                found.winner == "first",
                as_expected(&found),
            ));
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
                    1 => rows_of_one.push((format!("1 × {}", size.1), squares_of(&found, size.1))),
                    _ => pictures.push(opening_map(&key, &found, facts)?),
                }
            }
        }
        if !rows_of_one.is_empty() {
            let title = format!(
                "First moves on one rank that win (W) and lose (L), {}",
                boards.title()
            );
            of_ranks.push(PlatePicture {
                svg: ranks_svg(&title, &rows_of_one),
                caption: vec![boards.title()],
            });
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
    made.table("tables/winners.md", "grid", &header, &rows);
    let title = "Who wins: the first player (1) or the second (2)";
    made.picture("who-wins", grid_svg(title, &seen));
    let header = [
        "game",
        "a line",
        "boards that follow the rule",
        "boards that do not",
    ];
    made.table("winners.md", "pattern", &header, &summary);
    let header = ["board", "first moves that win", "that lose"];
    made.table("tables/winners.md", "mixed", &header, &mixed);
    larger_maps(&mut pictures)?;
    let title = "First moves that win (W) and lose (L)";
    made.picture("openings", plate(title, 1300.0, &pictures));
    made.picture("openings-1xn", plate(title, 860.0, &of_ranks));
    main_lines(facts, made)?;
    single_lines(facts, made)
}

/// Who wins without a line.
fn single_lines(facts: &Facts, made: &mut BookContents) -> Result<()> {
    let mut rows = Vec::new();
    // By game: the boards that follow the rule of odd and even, and those that break it.
    let mut fragile: Vec<(String, [Vec<String>; 2])> = Vec::new();
    for key in keys("winners") {
        let Some(name) = key.strip_prefix("lines ") else {
            continue;
        };
        let Some((ranks, files)) = size_of(name) else {
            continue;
        };
        let whole: Winner = facts.expect("winners", name)?;
        let found: Vec<LineRemoval> = facts.expect("winners", &key)?;
        let alike = |changed: bool| -> u32 {
            let other = |less: &&LineRemoval| !changed || less.winner.winner != whole.winner;
            found.iter().filter(other).map(|less| less.alike).sum()
        };
        let said = format!("{ranks} × {files}: {} of {}", alike(true), alike(false));
        let of_it = |boards: &&Boards| boards.name(ranks, files) == name;
        let game = ATLAS.iter().find(of_it).map(Boards::title);
        let game = game.unwrap_or_default();
        let at = match fragile.iter().position(|(known, _)| *known == game) {
            Some(at) => at,
            None => {
                fragile.push((game, [Vec::new(), Vec::new()]));
                fragile.len() - 1
            }
        };
        fragile[at].1[usize::from(!as_expected(&whole))].push(said);
        for less in found {
            let own = less.winner;
            rows.push(vec![
                format!("`{name}`"),
                format!("{} ({} alike)", less.line, less.alike),
                if own.winner == whole.winner {
                    own.winner.clone()
                } else {
                    format!("**{}**", own.winner)
                },
                own.winning.len().to_string(),
                whole.winning.len().to_string(),
                match &own.signature {
                    Some(signature) => begins(signature),
                    None => format!("{} won", grouped(own.won)),
                },
            ]);
        }
    }
    let fragile: Vec<Vec<String>> = fragile
        .into_iter()
        .map(|(game, boards)| {
            let said = |boards: Vec<String>| {
                if boards.is_empty() {
                    "–".into()
                } else {
                    boards.join("; ")
                }
            };
            let [follow, others] = boards.map(said);
            vec![game, follow, others]
        })
        .collect();
    let header = ["game", "boards that follow the rule", "boards that do not"];
    made.table("winners.md", "fragile", &header, &fragile);
    let header = [
        "board",
        "without the line",
        "wins then",
        "first moves that win then",
        "with all lines",
        "signature of the value table",
    ];
    made.table("tables/winners.md", "lines", &header, &rows);
    Ok(())
}

fn opening_map(key: &str, found: &Winner, facts: &Facts) -> Result<PlatePicture> {
    let shape = greenwave_game::BoardGame::named(key)?;
    let shape = &shape.board().shape;
    let tags: Vec<(String, String, Tone)> = (0..shape.cells() as u8)
        .map(|cell| {
            let square = shape.cell_name(greenwave_game::Cell(cell));
            if found.winning.contains(&square) {
                (square, "W".into(), Tone::Win)
            } else {
                (square, "L".into(), Tone::Loss)
            }
        })
        .collect();
    let title = format!("First moves of {key} that win (W) and lose (L)");
    let known = match facts.signature(key, found) {
        Some(signature) => signature.get(..16).unwrap_or(signature).into(),
        None => format!("{} won", grouped(found.won)),
    };
    let (wins, all) = (found.winning.len(), found.squares);
    Ok(PlatePicture {
        svg: map(key, "", &title, &tags)?,
        caption: vec![key.into(), format!("{wins} of {all}"), known],
    })
}

/// Which of the squares of a rank win.
fn squares_of(found: &Winner, files: u32) -> Vec<bool> {
    let name = |file: u32| format!("{}1", greenwave_game::file_name(file as u8));
    let wins = |file: u32| found.winning.contains(&name(file));
    (0..files).map(wins).collect()
}

/// Boards of [Results](../results.md#larger-boards) on which the first player wins by some first moves
/// alone, and the squares that lose or win there.
const LARGER: [(&str, &[&str], bool); 6] = [
    ("classic-5x5", &["c1", "a3", "e3", "c5"], false),
    ("signal-5x5", &["a1", "e1", "a5", "e5"], false),
    ("signal-4x6", &["a1", "f1", "a4", "f4"], true),
    ("signal-3x9", &["a2", "d2", "e2", "f2", "i2"], true),
    ("signal-4x7", &["d2", "d3"], true),
    ("signal-5x6", &["c3", "d3"], true),
];

fn larger_maps(pictures: &mut Vec<PlatePicture>) -> Result<()> {
    for (name, named, win) in LARGER {
        let game = greenwave_game::BoardGame::named(name)?;
        let shape = &game.board().shape;
        let tags: Vec<(String, String, Tone)> = (0..shape.cells() as u8)
            .map(|cell| {
                let square = shape.cell_name(greenwave_game::Cell(cell));
                if named.contains(&square.as_str()) == win {
                    (square, "W".into(), Tone::Win)
                } else {
                    (square, "L".into(), Tone::Loss)
                }
            })
            .collect();
        let title = format!("First moves of {name} that win (W) and lose (L)");
        let wins = tags.iter().filter(|(.., tone)| *tone == Tone::Win).count();
        let known = match ledger::LARGER.iter().find(|board| board.name == name) {
            Some(Larger {
                table: Some([_, signature]),
                ..
            }) => (*signature).into(),
            Some(board) => format!("{} won", board.won),
            None => bail!("{name} is not in the ledger"),
        };
        pictures.push(PlatePicture {
            svg: map(name, "", &title, &tags)?,
            caption: vec![name.into(), format!("{wins} of {}", tags.len()), known],
        });
    }
    Ok(())
}

/// Boards whose main lines are compared by how many moves win.
const COMPARED: [&str; 4] = ["classic-3x3", "classic-4x5", "signal-4x4", "signal-4x5"];

fn main_lines(facts: &Facts, made: &mut BookContents) -> Result<()> {
    let (mut rows, mut series) = (Vec::new(), Vec::new());
    for key in keys("winners") {
        let Some(name) = key.strip_prefix("main ") else {
            continue;
        };
        let found: MainLine = facts.expect("winners", &key)?;
        let who: Winner = facts.expect("winners", name)?;
        let winning: Vec<String> = found.winning.iter().map(u32::to_string).collect();
        if COMPARED.contains(&name) {
            let points = found.winning.iter().zip(1..);
            series.push(Series {
                name: name.into(),
                points: points
                    .map(|(moves, turn)| (f64::from(turn), f64::from(*moves)))
                    .collect(),
            });
        }
        rows.push(vec![
            format!("`{name}`"),
            who.winner,
            if found.best {
                format!("{}, best play", found.moves.len())
            } else {
                format!("{}, narrow", found.moves.len())
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
    made.table("tables/winners.md", "main", &header, &rows);
    let chart = Chart {
        title: "along main lines",
        across: "turn of the winner",
        up: "moves that win",
        series,
    };
    made.picture("narrow", chart.svg());
    Ok(())
}
