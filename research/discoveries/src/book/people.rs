//! The chapter on people.

use anyhow::Result;
use greenwave_picture::Tone;

use super::{BookContents, Facts, begins, grouped, keys, map};
use crate::chart::{Chart, Series};
use crate::plate::{PlatePicture, plate};
use crate::{Difficulty, Hardness, PlayoutFigures};

/// Every how many plies the choices are listed.
const CHOICE_STEP: usize = 4;

pub(super) fn people(facts: &Facts, made: &mut BookContents) -> Result<()> {
    let (mut rows, mut openings, mut traps) = (Vec::new(), Vec::new(), Vec::new());
    let (mut some_rows, mut both_openings) = (Vec::new(), Vec::new());
    let mut mistakes: Vec<Series> = Vec::new();
    let mut trap_shares: Vec<Series> = Vec::new();
    let mut choices: Vec<Series> = Vec::new();
    let mut shrinking = Vec::new();
    let per = |part: u64, whole: u64| match whole {
        0 => 0.0,
        whole => 100.0 * part as f64 / whole as f64,
    };
    for key in keys("people").filter(|key| !key.starts_with("games ")) {
        let found: Hardness = facts.expect("people", &key)?;
        let sum = |of: fn(&crate::Ply) -> u64| found.plies.iter().map(of).sum::<u64>();
        let won = sum(|ply| ply.won);
        let percent = |of_million: u32| format!("{:.2} %", f64::from(of_million) / 1e4);
        some_rows.push(vec![
            format!("`{key}`"),
            format!("{:.1} %", per(sum(|ply| ply.traps), won)),
            format!("{:.1} %", per(sum(|ply| ply.fooling), won)),
            percent(found.random_mistakes),
            percent(found.careful_mistakes),
            percent(found.careful_first),
            begins(found.signature.as_deref().unwrap_or_default()),
        ]);
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
        let mut both = vec![format!("`{key}`")];
        for (said, opening) in [
            ("most forgiving", found.openings.iter().max_by_key(by)),
            ("most treacherous", found.openings.iter().min_by_key(by)),
        ] {
            if let Some(opening) = opening {
                let wins = if opening.wins { "wins" } else { "loses" };
                let careful = percent(opening.careful);
                both.push(format!("{}, {wins}: {careful}", opening.square));
                openings.push(vec![
                    format!("`{key}`"),
                    said.into(),
                    format!("{} ({} alike)", opening.square, opening.alike),
                    format!("{wins} in {}", opening.plies),
                    careful,
                ]);
            }
        }
        both_openings.push(both);
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
        let tags = [(square, "W".to_string(), Tone::Win)];
        traps.push(PlatePicture {
            svg: map(&key, &found.hardest, &title, &tags)?,
            caption: vec![
                key.clone(),
                format!("only {} keeps the win", found.hardest_move),
            ],
        });
    }
    let sized = |series: &[Series], size: &str| -> Vec<Series> {
        let own = series.iter().filter(|series| series.name.ends_with(size));
        own.cloned().collect()
    };
    let mut charts = Vec::new();
    for size in ["3x3", "3x4"] {
        for (title, up, series) in [
            (
                "won positions in which one move alone wins",
                "traps, %",
                &trap_shares,
            ),
            (
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
            charts.push(PlatePicture {
                svg: chart.svg(),
                caption: vec![size.replace('x', " × ")],
            });
        }
    }
    let title = "Traps and mistakes on 3 × 3 and 3 × 4, by ply";
    made.picture("by-ply", plate(title, 860.0, &charts));
    let chart = Chart {
        title: "careful play, where nobody wins at once",
        across: "plies played",
        up: "moves",
        series: choices,
    };
    made.picture("choices", chart.svg());
    let header = ["board", "plies", "moves", "lose at once", "share"];
    made.table("tables/people.md", "shrinking", &header, &shrinking);
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
    made.table("tables/people.md", "hardness", &header, &rows);
    let header = [
        "board",
        "traps",
        "fool two plies",
        "mistakes, random",
        "mistakes, careful",
        "first wins, both careful",
        "distance table",
    ];
    made.table("people.md", "hardness", &header, &some_rows);
    let header = [
        "board",
        "opening",
        "square",
        "best play after it",
        "wins when both go on carefully",
    ];
    made.table("tables/people.md", "openings", &header, &openings);
    let header = ["board", "most forgiving", "most treacherous"];
    made.table("people.md", "openings", &header, &both_openings);
    let title = "Traps: one move alone keeps the win";
    made.picture("traps", plate(title, 1500.0, &traps));
    Ok(())
}

/// The games that are played out.
pub(super) fn games(facts: &Facts, made: &mut BookContents) -> Result<()> {
    let (mut rows, mut some_rows, mut openings) = (Vec::new(), Vec::new(), Vec::new());
    let mut traps: Vec<Series> = Vec::new();
    let mut mistakes: Vec<Series> = Vec::new();
    let mean = |millionths: i64, error: i64| {
        let (mean, error) = (millionths as f64 / 1e6, error as f64 / 1e6);
        format!("{mean:+.2} ± {error:.2}")
    };
    for key in keys("people") {
        let Some(name) = key.strip_prefix("games ") else {
            continue;
        };
        let found: Difficulty = facts.expect("people", &key)?;
        let sum = |played: &PlayoutFigures, of: fn(&crate::PlyMistakes) -> u64| -> u64 {
            played.plies.iter().map(of).sum()
        };
        let share = |part: u64, whole: u64| match whole {
            0 => String::from("–"),
            whole => format!("{:.1} %", 100.0 * part as f64 / whole as f64),
        };
        let rate = |played: &PlayoutFigures| {
            share(
                sum(played, |met| met.mistakes),
                sum(played, |met| met.at_stake),
            )
        };
        let open = sum(&found.careful, |met| met.open);
        some_rows.push(vec![
            format!("`{name}`"),
            format!("{:.1}", found.careful.length as f64 / 1e3),
            share(sum(&found.careful, |met| met.fooling), open),
            rate(&found.careful),
            mean(found.careful.result, found.careful.error),
            begins(found.signature.as_deref().unwrap_or_default()),
        ]);
        rows.push(vec![
            format!("`{name}`"),
            format!("{:.1}", found.careful.length as f64 / 1e3),
            share(sum(&found.careful, |met| met.traps), open),
            share(sum(&found.careful, |met| met.fooling), open),
            rate(&found.random),
            rate(&found.careful),
            mean(found.random.result, found.random.error),
            mean(found.careful.result, found.careful.error),
            format!("`{}`", found.signature.clone().unwrap_or_default()),
        ]);
        let by = |opening: &&crate::Beginning| opening.careful;
        let both = [
            ("most forgiving", found.openings.iter().max_by_key(by)),
            ("most treacherous", found.openings.iter().min_by_key(by)),
        ];
        for (said, opening) in both {
            let Some(opening) = opening.filter(|_| found.openings.len() > 1) else {
                continue;
            };
            openings.push(vec![
                format!("`{name}`"),
                said.into(),
                format!("{} ({} alike)", opening.opening, opening.alike),
                format!("{:+}", opening.worth as f64 / 1e6),
                mean(opening.careful, opening.error),
            ]);
        }
        // Plies that few games come to say little.
        const ENOUGH: u64 = 100;
        // Games with a strip can go on, and nothing new is seen.
        const SHOWN: usize = 60;
        let by_ply = |part: fn(&crate::PlyMistakes) -> u64,
                      whole: fn(&crate::PlyMistakes) -> u64| Series {
            name: name.to_string(),
            points: found
                .careful
                .plies
                .iter()
                .enumerate()
                .take(SHOWN)
                .filter(|(_, met)| whole(met) >= ENOUGH)
                .map(|(ply, met)| (ply as f64, 100.0 * part(met) as f64 / whole(met) as f64))
                .collect(),
        };
        traps.push(by_ply(|met| met.traps, |met| met.open));
        mistakes.push(by_ply(|met| met.mistakes, |met| met.at_stake));
    }
    let mut charts = Vec::new();
    for (group, families) in [
        ("points and strips", &["points-", "slider", "strip"][..]),
        ("noughts and bag", &["noughts-", "bag-"]),
        ("Ampel", &["ampel-"]),
    ] {
        for (title, up, series) in [
            (
                "open positions with one best move alone",
                "traps, %",
                &traps,
            ),
            (
                "moves of careful play that cost something",
                "mistakes, %",
                &mistakes,
            ),
        ] {
            let own = |series: &&Series| {
                families
                    .iter()
                    .any(|family| series.name.starts_with(family))
                    && !series.points.is_empty()
            };
            let chart = Chart {
                title,
                across: "plies played",
                up,
                series: series.iter().filter(own).cloned().collect(),
            };
            charts.push(PlatePicture {
                svg: chart.svg(),
                caption: vec![group.into()],
            });
        }
    }
    let title = "Traps and mistakes in other games, by ply";
    made.picture("by-ply-games", plate(title, 860.0, &charts));
    let header = [
        "game",
        "plies",
        "traps",
        "fool two plies",
        "mistakes, random",
        "mistakes, careful",
        "first gets, both random",
        "first gets, both careful",
        "signature of the table",
    ];
    made.table("tables/people.md", "games", &header, &rows);
    let header = [
        "game",
        "plies",
        "fool two plies",
        "mistakes",
        "first gets",
        "table",
    ];
    made.table("people.md", "games", &header, &some_rows);
    let header = [
        "game",
        "opening",
        "move",
        "worth",
        "first gets, both careful",
    ];
    made.table("tables/people.md", "beginnings", &header, &openings);
    Ok(())
}
