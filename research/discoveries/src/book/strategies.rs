//! The chapters on strategies and on the two theorems.

use anyhow::Result;
use greenwave_picture::Tone;

use super::{BookContents, Facts, grouped, keys, map, rows_of, size_of};
use crate::items::ATLAS;
use crate::plate::{PlatePicture, plate};
use crate::{Middle, Plain, StrategyFinding, Winner};

pub(super) fn strategies(facts: &Facts, made: &mut BookContents) -> Result<()> {
    let (mut rows, mut plain_rows, mut failing) = (Vec::new(), Vec::new(), Vec::new());
    let (mut middles, mut larger) = (Vec::new(), Vec::new());
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
        let found: StrategyFinding = facts.expect("strategies", &key)?;
        if let Some(name) = key.strip_prefix("larger ") {
            larger.push(vec![
                format!("`{name}`"),
                match found.at_least {
                    0 => "not settled".into(),
                    _ => "none wins without exceptions".into(),
                },
                grouped(found.budget),
            ]);
            continue;
        }
        rows.push(sought(facts, &key, &found)?);
    }
    let header = ["board", "strategies of the form", "within positions"];
    made.table("tables/strategies.md", "larger", &header, &larger);
    let header = [
        "board",
        "winner",
        "first move",
        "symmetry",
        "exceptions",
        "at least",
        "moves tried",
    ];
    made.table("tables/strategies.md", "sought", &header, &rows);
    let mut some = rows_of(&rows, &TELLING);
    for row in &mut some {
        if row[4].starts_with("none") {
            row[4] = "none found".into();
        }
    }
    made.table("strategies.md", "sought", &header, &some);
    let header = ["board", "for", "rules, in order", "moves tried"];
    made.table("tables/families.md", "plain", &header, &plain_rows);
    let header = [
        "board",
        "for",
        "rules, in order",
        "a shortest play that is lost",
    ];
    made.table("tables/families.md", "failing", &header, &failing);
    let some = rows_of(&failing, &SMALLEST_FAILING);
    made.table("families.md", "failing", &header, &some);
    let header = [
        "game",
        "squares in the middle",
        "contents without line or threat",
        "of them, can be kept so",
        "from the empty board",
    ];
    made.table("tables/families.md", "middles", &header, &middles);
    let widest = |row: &&Vec<String>| row[1] == "10";
    let some: Vec<Vec<String>> = middles.iter().filter(widest).cloned().collect();
    made.table("families.md", "middles", &header, &some);
    settled(facts, made)?;
    both_ends(facts, made)?;
    played(facts, made)?;
    copies(made)
}

/// Boards of the chapter on strategies; the others are in its tables.
const TELLING: [&str; 12] = [
    "classic-1x4",
    "classic-1x6",
    "classic-1x8",
    "classic-1x10",
    "classic-3x3",
    "classic-3x4",
    "classic-4x4",
    "classic-4x5",
    "signal-1x4",
    "classic-1x3:play=misere",
    "noughts-3x4",
    "noughts-4x4",
];

/// Boards on which plain copying fails first.
const SMALLEST_FAILING: [&str; 6] = [
    "classic-1x4",
    "classic-3x4",
    "signal-1x4",
    "green-1x4",
    "green-1x5",
    "green-3x5",
];

/// How many boards each theorem was played on, the largest of them, and the moves tried.
fn played(facts: &Facts, made: &mut BookContents) -> Result<()> {
    let mut rows: Vec<(String, String, u32, String, u64)> = Vec::new();
    for key in keys("strategies") {
        let Some(name) = key.strip_prefix("plain ") else {
            continue;
        };
        let found: Plain = facts.expect("strategies", &key)?;
        let Some((ranks, files)) = size_of(name).filter(|_| found.wins) else {
            continue;
        };
        let (family, _) = name.split_once('-').unwrap_or((name, ""));
        let family = match name.split_once(":play=misere") {
            Some(_) => format!("{family}, misère"),
            None => family.into(),
        };
        let theorem = if ranks == 2 { "Theorem 1" } else { "Theorem 2" };
        let size = format!("{ranks} × {files}");
        match rows
            .iter_mut()
            .find(|(known, of, ..)| known == theorem && *of == family)
        {
            Some((_, _, boards, largest, moves)) => {
                *boards += 1;
                *largest = size;
                *moves += found.examined;
            }
            None => rows.push((theorem.into(), family, 1, size, found.examined)),
        }
    }
    rows.sort_by(|a, b| a.0.cmp(&b.0));
    let said = |(theorem, family, boards, largest, moves): (String, String, u32, String, u64)| {
        let moves = grouped(moves);
        vec![theorem, family, boards.to_string(), largest, moves]
    };
    let rows: Vec<Vec<String>> = rows.into_iter().map(said).collect();
    let header = ["strategy of", "game", "boards", "the last", "moves tried"];
    made.table("families.md", "played", &header, &rows);
    Ok(())
}

/// Boards with the same letter on squares that are images of each other.
fn copies(made: &mut BookContents) -> Result<()> {
    let mut shown = Vec::new();
    for (name, what) in [("classic-2x5", "mirror"), ("classic-3x5", "half turn")] {
        let Some((ranks, files)) = size_of(name) else {
            continue;
        };
        let cells = ranks * files;
        let mut tags = Vec::new();
        for cell in 0..cells {
            let image = match ranks {
                2 => (cell + files) % cells,
                _ => cells - 1 - cell,
            };
            let file = char::from(b'a' + (cell % files) as u8);
            let letter = if cell == image {
                "1".into()
            } else {
                char::from(b'A' + cell.min(image) as u8).to_string()
            };
            tags.push((format!("{file}{}", cell / files + 1), letter, Tone::Plain));
        }
        let title = format!("The {what}: squares with the same letter answer each other");
        shown.push(PlatePicture {
            svg: map(name, "", &title, &tags)?,
            caption: vec![format!("{ranks} × {files}, {what}")],
        });
    }
    let title = "Squares that answer each other";
    made.picture("copies", plate(title, 860.0, &shown));
    Ok(())
}

/// The strategy that copies on a board, where it wins by the rules alone.
fn copying(facts: &Facts, key: &str) -> Result<Option<Plain>> {
    let plain: Option<Plain> = facts.get("strategies", &format!("plain {key}"))?;
    Ok(plain.filter(|plain| plain.wins))
}

/// What is known of a board, as a row.
fn sought(facts: &Facts, key: &str, found: &StrategyFinding) -> Result<Vec<String>> {
    let board = format!("`{key}`");
    let dash = || String::from("–");
    if found.reason.is_none() {
        let opening = if found.opening.is_empty() {
            dash()
        } else {
            found.opening.join(" ")
        };
        let least = if found.least {
            "these are the fewest".into()
        } else {
            format!("{}, within {}", found.at_least, grouped(found.budget))
        };
        return Ok(vec![
            board,
            found.winner.clone().unwrap_or_default(),
            opening,
            found.symmetry.clone(),
            grouped(found.exceptions as u64),
            least,
            grouped(found.checked),
        ]);
    }
    if let Some(plain) = copying(facts, key)? {
        let first = plain
            .rules
            .iter()
            .find_map(|rule| rule.strip_prefix("turn 1 "));
        return Ok(vec![
            board,
            plain.player.clone(),
            first.map_or_else(dash, String::from),
            plain.rules.last().cloned().unwrap_or_default(),
            "0".into(),
            "these are the fewest".into(),
            grouped(plain.examined),
        ]);
    }
    let known: Option<Winner> = facts.get("winners", key)?;
    let winner = known.map(|known| known.winner).or(found.winner.clone());
    let Some(winner) = winner else {
        let nobody = vec![board, "nobody".into()];
        return Ok(nobody.into_iter().chain((0..5).map(|_| dash())).collect());
    };
    Ok(vec![
        board,
        winner,
        dash(),
        dash(),
        format!("none found within {} positions", grouped(found.budget)),
        found.at_least.to_string(),
        dash(),
    ])
}

/// How many boards of each game have which answer.
fn settled(facts: &Facts, made: &mut BookContents) -> Result<()> {
    let mut rows = Vec::new();
    for boards in ATLAS {
        let (mut all, mut copied, mut least, mut listed, mut needed, mut open) = (0, 0, 0, 0, 0, 0);
        for key in keys("strategies") {
            let Some((ranks, files)) = size_of(&key) else {
                continue;
            };
            if key != boards.name(ranks, files) {
                continue;
            }
            let found: StrategyFinding = facts.expect("strategies", &key)?;
            all += 1;
            let found_one = found.reason.is_none();
            if (found_one && found.exceptions == 0) || copying(facts, &key)?.is_some() {
                copied += 1;
            } else if found_one && found.least {
                least += 1;
            } else if found_one {
                listed += 1;
            } else if found.at_least > 0 {
                needed += 1;
            } else {
                open += 1;
            }
        }
        let counts = [all, copied, least, listed, needed, open];
        let counts = counts.into_iter().map(|count: u32| count.to_string());
        rows.push([boards.title()].into_iter().chain(counts).collect());
    }
    let header = [
        "game",
        "boards",
        "no exception",
        "the fewest, proved",
        "some, perhaps too many",
        "some needed, none found",
        "not settled",
    ];
    made.table("strategies.md", "settled", &header, &rows);
    Ok(())
}

/// Which lines hold a square and its image, by family.
fn both_ends(facts: &Facts, made: &mut BookContents) -> Result<()> {
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
    made.table("families.md", "lines", &header, &rows);
    Ok(())
}
