//! The chapters on who wins, on strategies, on people, and the ledger.

use anyhow::Result;
use greenwave_picture::Tone;

use super::{Facts, Made, grouped, map, size_of, table};
use crate::chart::{Chart, Series};
use crate::{Found, Hardness, Middle, Plain, Solved, Winner, Without, items};

fn keys(section: &str) -> impl Iterator<Item = String> {
    items()
        .into_iter()
        .filter(move |item| item.section == section)
        .map(|item| item.key)
}

/// Every how many plies the choices are listed.
const CHOICE_STEP: usize = 4;

const FAMILIES: [(&str, &str, &str); 4] = [
    ("classic", "", "three equal lights"),
    ("signal", "", "three equal, or red-yellow-green"),
    ("green", "", "three green"),
    ("classic", ":play=misere", "three equal lose"),
];

fn title(family: &str, options: &str) -> String {
    match options {
        "" => family.into(),
        _ => format!("{family}, misère"),
    }
}

/// Whether the number of squares says who wins: the first player where it is odd.
fn as_expected(found: &Winner) -> bool {
    (found.winner == "first") == (found.squares % 2 == 1)
}

pub(super) fn winners(facts: &Facts, made: &mut Made) -> Result<()> {
    let mut rows: Vec<((u32, u32), Vec<String>)> = Vec::new();
    let mut summary = Vec::new();
    let (mut mixed, mut pictures) = (Vec::new(), String::new());
    for (column, (family, options, said)) in FAMILIES.iter().enumerate() {
        let (mut agree, mut all, mut against) = (0, 0, Vec::new());
        for key in keys("winners") {
            let Some(size) = size_of(&key) else { continue };
            if key != format!("{family}-{}x{}{options}", size.0, size.1) {
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
                    rows.push((size, vec![String::from("–"); FAMILIES.len()]));
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
                if size.0 > 2 {
                    pictures.push_str(&opening_map(&key, &found, made)?);
                }
            }
        }
        summary.push(vec![
            title(family, options),
            (*said).into(),
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
    let names: Vec<String> = FAMILIES
        .iter()
        .map(|(family, options, _)| title(family, options))
        .collect();
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

pub(super) fn strategies(facts: &Facts, made: &mut Made) -> Result<()> {
    let (mut rows, mut plain_rows, mut failing) = (Vec::new(), Vec::new(), Vec::new());
    let mut middles = Vec::new();
    for key in keys("strategies") {
        if key == "lines with both" {
            continue;
        }
        if let Some(name) = key.strip_prefix("middle ") {
            let found: Middle = facts.expect("strategies", &key)?;
            let (family, squares) = name.split_once(' ').unwrap_or((name, ""));
            middles.push(vec![
                family.into(),
                squares.into(),
                grouped(found.quiet),
                grouped(found.kept),
                if found.wins { "yes" } else { "no" }.into(),
            ]);
            continue;
        }
        if let Some(name) = key.strip_prefix("plain ") {
            let found: Plain = facts.expect("strategies", &key)?;
            let row = vec![
                format!("`{name}`"),
                found.player.clone(),
                found.rules.join(", "),
                grouped(found.examined),
            ];
            match found.play {
                None => plain_rows.push(row),
                Some(play) => {
                    let mut row = row;
                    row[3] = format!("`{play}`");
                    failing.push(row);
                }
            }
            continue;
        }
        let found: Found = facts.expect("strategies", &key)?;
        let row = match (&found.winner, &found.reason) {
            (Some(winner), _) => vec![
                format!("`{key}`"),
                winner.clone(),
                if found.opening.is_empty() {
                    "–".into()
                } else {
                    found.opening.join(" ")
                },
                found.symmetry.clone(),
                found.exceptions.to_string(),
                match (found.exceptions, found.least) {
                    (0, _) | (_, true) => "proved".into(),
                    (_, false) => format!("not known, {} positions", grouped(found.budget)),
                },
                grouped(found.checked),
            ],
            (None, reason) => {
                let mut row = vec![format!("`{key}`"), reason.clone().unwrap_or_default()];
                row.resize(7, "–".into());
                row
            }
        };
        rows.push(row);
    }
    let header = [
        "board",
        "winner",
        "first move",
        "symmetry",
        "exceptions",
        "fewest",
        "moves tried",
    ];
    made.parts
        .push(("strategies.md", "sought", table(&header, &rows)));
    let header = ["board", "for", "rules, in order", "moves tried"];
    made.parts
        .push(("families.md", "plain", table(&header, &plain_rows)));
    let header = [
        "board",
        "for",
        "rules, in order",
        "a shortest play that is lost",
    ];
    made.parts
        .push(("families.md", "failing", table(&header, &failing)));
    let header = [
        "game",
        "squares in the middle",
        "contents without line or threat",
        "of them, can be kept so",
        "from the empty board",
    ];
    made.parts
        .push(("families.md", "middles", table(&header, &middles)));
    both_ends(facts, made)
}

/// Which lines hold a square and its image, by family.
fn both_ends(facts: &Facts, made: &mut Made) -> Result<()> {
    let lines: Vec<(String, Vec<Vec<String>>)> = facts.expect("strategies", "lines with both")?;
    let mut rows = Vec::new();
    for (said, fits) in [
        (
            "2 ranks, mirror top-bottom",
            (|ranks, _| ranks == 2) as fn(u32, u32) -> bool,
        ),
        ("both odd, half turn", |ranks, files| {
            ranks % 2 == 1 && files % 2 == 1
        }),
        ("other, half turn", |ranks, files| {
            ranks != 2 && (ranks % 2 == 0 || files % 2 == 0)
        }),
    ] {
        let own: Vec<&(String, Vec<Vec<String>>)> = lines
            .iter()
            .filter(|(name, _)| size_of(name).is_some_and(|(ranks, files)| fits(ranks, files)))
            .collect();
        let most = own
            .iter()
            .map(|(_, lines)| lines.len())
            .max()
            .unwrap_or_default();
        // On boards with a centre: whether it is the middle of each such line.
        let centred = own.iter().all(|(name, lines)| {
            let centre = size_of(name).map(|(ranks, files)| {
                let file = char::from(b'a' + (files / 2) as u8 % 26);
                format!("{file}{}", ranks / 2 + 1)
            });
            lines.iter().all(|line| line.get(1) == centre.as_ref())
        });
        rows.push(vec![
            said.into(),
            own.len().to_string(),
            most.to_string(),
            match (most, centred) {
                (0, _) => "–",
                (_, true) => "yes",
                (_, false) => "no",
            }
            .into(),
        ]);
    }
    let header = [
        "boards",
        "how many",
        "most lines with a square and its image",
        "the centre is the middle of all of them",
    ];
    made.parts
        .push(("families.md", "lines", table(&header, &rows)));
    Ok(())
}

pub(super) fn people(facts: &Facts, made: &mut Made) -> Result<()> {
    let (mut rows, mut openings, mut traps) = (Vec::new(), Vec::new(), String::new());
    let mut mistakes: Vec<Series> = Vec::new();
    let mut trap_shares: Vec<Series> = Vec::new();
    let mut choices: Vec<Series> = Vec::new();
    let mut shrinking = Vec::new();
    let per = |part: u64, whole: u64| match whole {
        0 => 0.0,
        whole => 100.0 * part as f64 / whole as f64,
    };
    for key in keys("people") {
        let found: Hardness = facts.expect("people", &key)?;
        let sum = |of: fn(&crate::Ply) -> u64| found.plies.iter().map(of).sum::<u64>();
        let won = sum(|ply| ply.won);
        let percent = |of_million: u32| format!("{:.2} %", f64::from(of_million) / 1e4);
        rows.push(vec![
            format!("`{key}`"),
            grouped(won),
            format!(
                "{} ({:.1} %)",
                grouped(sum(|ply| ply.traps)),
                per(sum(|ply| ply.traps), won)
            ),
            format!(
                "{} ({:.1} %)",
                grouped(sum(|ply| ply.fooling)),
                per(sum(|ply| ply.fooling), won)
            ),
            percent(found.random_mistakes),
            percent(found.careful_mistakes),
            percent(found.random_first),
            percent(found.careful_first),
            format!("`{}`", found.signature.clone().unwrap_or_default()),
        ]);
        let by = |opening: &&crate::Opening| opening.careful;
        for (said, opening) in [
            ("most forgiving", found.openings.iter().max_by_key(by)),
            ("most treacherous", found.openings.iter().min_by_key(by)),
        ] {
            if let Some(opening) = opening {
                openings.push(vec![
                    format!("`{key}`"),
                    said.into(),
                    format!("{} ({} alike)", opening.square, opening.alike),
                    format!(
                        "{} in {}",
                        if opening.wins { "wins" } else { "loses" },
                        opening.plies
                    ),
                    percent(opening.careful),
                ]);
            }
        }
        let series = |of: &dyn Fn(&crate::Ply) -> f64| Series {
            name: key.clone(),
            points: found
                .plies
                .iter()
                .enumerate()
                .filter(|(_, ply)| ply.won > 0)
                .map(|(at, ply)| (at as f64, of(ply)))
                .collect(),
        };
        trap_shares.push(series(&|ply| per(ply.traps, ply.won)));
        mistakes.push(series(&|ply| f64::from(ply.mistakes) / 1e4));
        if key.starts_with("classic") {
            let of = |said: &str, of: &dyn Fn(&crate::Ply) -> f64| Series {
                name: format!("{key}, {said}"),
                points: found
                    .plies
                    .iter()
                    .enumerate()
                    .filter(|(_, ply)| ply.moves > 0)
                    .map(|(at, ply)| (at as f64, of(ply)))
                    .collect(),
            };
            choices.push(of("moves", &|ply| f64::from(ply.moves) / 1e3));
            choices.push(of("that lose at once", &|ply| f64::from(ply.losing) / 1e3));
        }
        for (at, ply) in found.plies.iter().enumerate().step_by(CHOICE_STEP) {
            if ply.moves > 0 && key.starts_with("classic") {
                shrinking.push(vec![
                    format!("`{key}`"),
                    at.to_string(),
                    format!("{:.2}", f64::from(ply.moves) / 1e3),
                    format!("{:.2}", f64::from(ply.losing) / 1e3),
                    format!("{:.0} %", per(u64::from(ply.losing), u64::from(ply.moves))),
                ]);
            }
        }
        let square: String = found
            .hardest_move
            .chars()
            .filter(|c| !c.is_ascii_uppercase())
            .collect();
        let title = format!(
            "{key}: one move wins of {} that look safe",
            found.hardest_safe
        );
        let file = format!("pictures/trap-{key}.svg");
        let tags = [(square, "W".to_string(), Tone::Win)];
        made.files
            .push((file.clone(), map(&key, &found.hardest, &title, &tags)?));
        traps.push_str(&format!(
            "![{title}]({file})\n\n*`{key}` at `{}`: only {} keeps the win.*\n\n",
            found.hardest, found.hardest_move
        ));
    }
    let sized = |series: &[Series], size: &str| -> Vec<Series> {
        let own = series.iter().filter(|series| series.name.ends_with(size));
        own.cloned().collect()
    };
    for size in ["3x3", "3x4"] {
        for (what, title, up, series) in [
            (
                "traps",
                "won positions in which one move alone wins",
                "traps, %",
                &trap_shares,
            ),
            (
                "mistakes",
                "moves of careful play that give a win away",
                "mistakes, %",
                &mistakes,
            ),
        ] {
            let chart = Chart {
                title,
                across: "plies played",
                up,
                series: sized(series, size),
            };
            made.files
                .push((format!("pictures/{what}-{size}.svg"), chart.svg()));
        }
    }
    let chart = Chart {
        title: "positions of careful play in which nobody wins at once",
        across: "plies played",
        up: "moves",
        series: choices,
    };
    made.files
        .push(("pictures/choices.svg".into(), chart.svg()));
    let header = ["board", "plies", "moves", "lose at once", "share"];
    made.parts
        .push(("people.md", "shrinking", table(&header, &shrinking)));
    let header = [
        "board",
        "won, not at once",
        "traps",
        "fool two plies",
        "mistakes, random",
        "mistakes, careful",
        "first wins, both random",
        "first wins, both careful",
        "signature of the distance table",
    ];
    made.parts
        .push(("people.md", "hardness", table(&header, &rows)));
    let header = [
        "board",
        "opening",
        "square",
        "best play after it",
        "wins when both go on carefully",
    ];
    made.parts
        .push(("people.md", "openings", table(&header, &openings)));
    made.parts.push(("people.md", "hardest", traps));
    Ok(())
}

pub(super) fn ledger(facts: &Facts, made: &mut Made) -> Result<()> {
    let tables: Vec<Solved> = facts.expect("ledger", "tables")?;
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
                format!("`{}`", signature.get(..16).unwrap_or(signature)),
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
    made.parts
        .push(("ledger.md", "solved", table(&header, &rows)));
    let mut rows = Vec::new();
    for key in keys("winners").filter(|key| size_of(key).is_some()) {
        let found: Winner = facts.expect("winners", &key)?;
        let Some(signature) = found.signature else {
            continue;
        };
        rows.push(vec![
            format!("`{key}`"),
            grouped(1 << (2 * found.squares)),
            grouped(found.won),
            grouped(found.lost),
            format!("`{signature}`"),
        ]);
    }
    let header = [
        "board",
        "positions",
        "won",
        "lost",
        "signature of the value table",
    ];
    made.parts
        .push(("ledger.md", "tables", table(&header, &rows)));
    Ok(())
}
