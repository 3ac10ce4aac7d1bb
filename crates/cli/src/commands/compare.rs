//! `compare`: two variants side by side.

use std::path::PathBuf;

use anyhow::Result;
use greenwave_game::{Figures, Outcome, Variant};
use greenwave_judge::expr::Known;
use greenwave_judge::{Library, OpeningFigures, PlyCount, Profile, longest_game, with_squares};
use serde::Serialize;

use crate::library::Shelf;
use crate::output::json::SCHEMA;
use crate::output::{columns, grouped, print, print_json, words};
use crate::session::{Session, Verdict};

#[derive(Serialize)]
struct CompareJson {
    schema: u32,
    a: SideJson,
    b: SideJson,
    changed_openings: Vec<ChangedJson>,
}

#[derive(Serialize)]
struct SideJson {
    variant: String,
    winner: Option<&'static str>,
    value: Option<&'static str>,
    distance: Option<u32>,
    points: Option<i32>,
    positions: u64,
    by_ply: Vec<PlyJson>,
    only_moves: u64,
    opening_mistakes: u64,
    longest_game: Option<u32>,
    longest_distance: Option<u32>,
    draws: u64,
    openings: Vec<OpeningJson>,
}

#[derive(Serialize)]
struct PlyJson {
    ply: usize,
    win: u64,
    draw: u64,
    loss: u64,
    won_share: Option<f64>,
}

#[derive(Serialize)]
struct OpeningJson {
    #[serde(rename = "move")]
    mv: String,
    value: Option<&'static str>,
    distance: Option<u32>,
    points: Option<i32>,
}

#[derive(Serialize)]
struct ChangedJson {
    #[serde(rename = "move")]
    mv: String,
    a: OpeningJson,
    b: OpeningJson,
}

/// A variant with its figures.
struct Side {
    variant: Variant,
    profile: Profile,
    longest_game: Option<u32>,
}

pub(super) fn run(session: &Session, a: &str, b: &str) -> Result<Verdict> {
    let (a, b) = (session.variant(a)?.0, session.variant(b)?.0);
    let sides =
        session.on_threads(|| Ok::<_, anyhow::Error>([side(session, a)?, side(session, b)?]));
    session.progress.finish();
    let [a, b] = sides?;
    if session.json {
        print_json(&CompareJson {
            schema: SCHEMA,
            a: a.document(),
            b: b.document(),
            changed_openings: a
                .profile
                .changed_openings(&b.profile)
                .into_iter()
                .map(|(a, b)| ChangedJson {
                    mv: a.mv.clone(),
                    a: a.into(),
                    b: b.into(),
                })
                .collect(),
        })?;
    } else {
        print(&picture(&a, &b))?;
    }
    Ok(Verdict::Done)
}

fn side(session: &Session, variant: Variant) -> Result<Side> {
    let shelf = Shelf::new(session, PathBuf::new());
    let held = shelf.values(&variant, variant.rules().default_metric)?;
    let profile: Profile = with_squares!(&variant, game => {
        Ok::<_, anyhow::Error>(Profile::of(&Known::new(game, &[&held.values], None)))
    })?;
    // Positions repeat or do not tell the plies in games with a strip.
    let longest_game = match &variant {
        Variant::Board(game) => longest_game(game).ok().map(|longest| longest.plies),
        _ => None,
    };
    Ok(Side {
        variant,
        profile,
        longest_game,
    })
}

impl From<&OpeningFigures> for OpeningJson {
    fn from(opening: &OpeningFigures) -> OpeningJson {
        let Figures {
            value,
            distance,
            points,
            ..
        } = opening.figures;
        OpeningJson {
            mv: opening.mv.clone(),
            value: value.map(Outcome::name),
            distance: distance.map(|plies| plies.0),
            points,
        }
    }
}

fn total(count: &PlyCount) -> u64 {
    count.win + count.draw + count.loss
}

fn won_share(count: &PlyCount) -> Option<f64> {
    (total(count) > 0).then(|| count.win as f64 / total(count) as f64)
}

impl Side {
    fn document(&self) -> SideJson {
        let profile = &self.profile;
        let Figures {
            value,
            distance,
            points,
            ..
        } = profile.start;
        let by_ply = profile
            .by_ply
            .iter()
            .enumerate()
            .filter(|(_, count)| total(count) > 0);
        SideJson {
            variant: self.variant.rules().name.clone(),
            winner: profile.winner(),
            value: value.map(Outcome::name),
            distance: distance.map(|plies| plies.0),
            points,
            positions: profile.by_ply.iter().map(total).sum(),
            by_ply: by_ply
                .map(|(ply, count)| PlyJson {
                    ply,
                    win: count.win,
                    draw: count.draw,
                    loss: count.loss,
                    won_share: won_share(count),
                })
                .collect(),
            only_moves: profile.only_moves,
            opening_mistakes: profile.opening_mistakes,
            longest_game: self.longest_game,
            longest_distance: profile.longest_distance.map(|plies| plies.0),
            draws: profile.draws(),
            openings: profile
                .ranked_openings()
                .into_iter()
                .map(OpeningJson::from)
                .collect(),
        }
    }
}

fn picture(a: &Side, b: &Side) -> String {
    let optional = |number: Option<u32>, unit: &str| {
        number.map_or_else(|| "-".to_string(), |number| format!("{number} {unit}"))
    };
    let row = |label: &str, of: &dyn Fn(&Side) -> String| vec![label.to_string(), of(a), of(b)];
    let rows = [
        row("", &|side| {
            if std::ptr::eq(side, a) { "A" } else { "B" }.into()
        }),
        row("winner", &|side| {
            side.profile.winner().unwrap_or("unknown").into()
        }),
        row("start, for the first player", &|side| {
            words::phrase(&side.profile.start)
        }),
        row("unfinished positions", &|side| {
            grouped(side.profile.by_ply.iter().map(total).sum::<u64>())
        }),
        row("drawn positions", &|side| grouped(side.profile.draws())),
        row("only one move keeps the value", &|side| {
            grouped(side.profile.only_moves)
        }),
        row("openings", &|side| side.profile.openings.len().to_string()),
        row("openings that are mistakes", &|side| {
            side.profile.opening_mistakes.to_string()
        }),
        row("longest game", &|side| optional(side.longest_game, "plies")),
        row("longest distance", &|side| {
            optional(side.profile.longest_distance.map(|plies| plies.0), "plies")
        }),
    ];
    let mut text = format!(
        "A  {}\nB  {}\n\n{}\n  Won for the player to move, of the unfinished positions:\n",
        a.variant.rules().name,
        b.variant.rules().name,
        columns(&rows, 2, &[])
    );
    text.push_str(&columns(&shares(a, b), 2, &[0, 1, 2, 3, 4]));
    let changed = a.profile.changed_openings(&b.profile);
    if changed.is_empty() {
        text.push_str("\n  No opening that both have changes its value.\n");
        return text;
    }
    text.push_str("\n  Openings that change value (for the player who makes the move):\n");
    let mut rows = vec![["", "A", "B"].map(String::from).to_vec()];
    rows.extend(changed.into_iter().map(|(a, b)| {
        vec![
            a.mv.clone(),
            words::phrase(&a.figures),
            words::phrase(&b.figures),
        ]
    }));
    text.push_str(&columns(&rows, 4, &[]));
    text
}

/// Shares of won positions by level sum.
fn shares(a: &Side, b: &Side) -> Vec<Vec<String>> {
    let heads = ["level sum", "A won", "of", "B won", "of"];
    let mut rows = vec![heads.map(String::from).to_vec()];
    let plies = a.profile.by_ply.len().max(b.profile.by_ply.len());
    for ply in 0..plies {
        let counts = [a, b].map(|side| side.profile.by_ply.get(ply).copied().unwrap_or_default());
        if counts.iter().all(|count| total(count) == 0) {
            continue;
        }
        let mut row = vec![ply.to_string()];
        for count in counts {
            match won_share(&count) {
                Some(share) => {
                    row.extend([format!("{:.1} %", 100.0 * share), grouped(total(&count))]);
                }
                None => row.extend(["-".into(), "-".into()]),
            }
        }
        rows.push(row);
    }
    rows
}
