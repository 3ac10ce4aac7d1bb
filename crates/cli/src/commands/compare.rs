//! `compare`: two variants side by side.

use anyhow::Result;
use greenwave_game::{Figures, Luck, Odds, Outcome, Variant, with_game};
use greenwave_judge::expr::Known;
use greenwave_judge::{Counts, OpeningFigures, Profile, longest_game};
use greenwave_tablebase::{OddsFigures, SCHEMA, figures_of};
use serde::Serialize;

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
    /// On both sides where chance takes part in one of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    odds: Option<OddsFigures>,
    positions: u64,
    by_ply: Vec<PlyJson>,
    only_moves: Option<u64>,
    opening_mistakes: Option<u64>,
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
    let (a, b) = (side(session, a)?, side(session, b)?);
    let chance = [&a, &b].iter().any(|side| side.odds().is_some());
    if session.json {
        print_json(&CompareJson {
            schema: SCHEMA,
            a: a.document(chance),
            b: b.document(chance),
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
    let profile = if variant.rules().properties.luck == Luck::Draws {
        counted(session, &variant)?
    } else {
        let tablebase = &session.tablebase;
        let held = tablebase.values(&variant, variant.rules().default_metric)?;
        tablebase.on_threads(|| {
            with_game!(&variant, game => {
                Profile::of(&Known::new(game, &[&held.values], None), tablebase.progress())
            })
        })?
    };
    // Elsewhere positions repeat or do not tell the plies.
    let longest = variant.as_board().and_then(|game| {
        let found = session.tablebase.on_threads(|| longest_game(game));
        found.ok()
    });
    let longest_game = longest.map(|longest| longest.plies);
    Ok(Side {
        variant,
        profile,
        longest_game,
    })
}

/// What the counts of a game with chance tell: of its table, else of a sweep that keeps no values.
fn counted(session: &Session, variant: &Variant) -> Result<Profile> {
    let summary = session.tablebase.odds_summary(variant)?;
    let by_value = summary.by_value.unwrap_or_default();
    Ok(Profile {
        start: figures_of(&summary.start),
        counts: Counts {
            win: by_value.win,
            draw: by_value.draw,
            loss: by_value.loss,
        },
        by_ply: Vec::new(),
        only_moves: None,
        openings: Vec::new(),
        opening_mistakes: None,
        longest_distance: None,
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

impl Side {
    /// The odds of the start, in games with chance.
    fn odds(&self) -> Option<Odds> {
        self.profile.start.odds
    }

    /// The start in a word or two; odds have rows of their own.
    fn start(&self) -> String {
        match self.odds() {
            Some(odds) => format!("{:+.6}", odds.expectation),
            None => words::phrase(&self.profile.start),
        }
    }

    fn document(&self, chance: bool) -> SideJson {
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
            .filter(|(_, count)| count.total() > 0);
        SideJson {
            variant: self.variant.rules().name.clone(),
            winner: profile.winner(),
            value: value.map(Outcome::name),
            distance: distance.map(|plies| plies.0),
            points,
            odds: chance.then(|| OddsFigures(self.odds())),
            positions: profile.counts.total(),
            by_ply: by_ply
                .map(|(ply, count)| PlyJson {
                    ply,
                    win: count.win,
                    draw: count.draw,
                    loss: count.loss,
                    won_share: count.won_share(),
                })
                .collect(),
            only_moves: profile.only_moves,
            opening_mistakes: profile.opening_mistakes,
            longest_game: self.longest_game,
            longest_distance: profile.longest_distance.map(|plies| plies.0),
            draws: profile.counts.draw,
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
    let or_dash = |number: Option<String>| number.unwrap_or_else(|| "-".into());
    let mut rows = vec![
        row("", &|side| {
            if std::ptr::eq(side, a) { "A" } else { "B" }.into()
        }),
        row("winner", &|side| {
            match side.odds() {
                Some(_) => "as chance has it",
                None => side.profile.winner().unwrap_or("unknown"),
            }
            .into()
        }),
        row("start, for the first player", &Side::start),
        row("unfinished positions", &|side| {
            grouped(side.profile.counts.total())
        }),
        row("drawn positions", &|side| grouped(side.profile.counts.draw)),
        row("only one move keeps the value", &|side| {
            or_dash(side.profile.only_moves.map(grouped))
        }),
        row("openings", &|side| match side.odds() {
            Some(_) => "-".into(),
            None => side.profile.openings.len().to_string(),
        }),
        row("openings that are mistakes", &|side| {
            or_dash(side.profile.opening_mistakes.map(grouped))
        }),
        row("longest game", &|side| optional(side.longest_game, "plies")),
        row("longest distance", &|side| {
            optional(side.profile.longest_distance.map(|plies| plies.0), "plies")
        }),
    ];
    if [a, b].iter().any(|side| side.odds().is_some()) {
        const AFTER_START: usize = 3;
        let odds = row("  win, draw, loss", &|side| {
            or_dash(side.odds().map(|odds| {
                let shares = [odds.win, odds.draw.max(0.0), odds.loss].map(|share| 100.0 * share);
                format!("{:.2}, {:.2}, {:.2} %", shares[0], shares[1], shares[2])
            }))
        });
        rows.insert(AFTER_START, odds);
    }
    let mut text = format!(
        "{}{}\n{}",
        title("A", a.variant.rules().title()),
        title("B", b.variant.rules().title()),
        columns(&rows, 2, &[])
    );
    let shares = shares(a, b);
    if !shares.is_empty() {
        text.push_str("\n  Won for the player to move, of the unfinished positions:\n");
        text.push_str(&columns(&shares, 2, &[0, 1, 2, 3, 4]));
    }
    if [a, b].iter().any(|side| side.profile.openings.is_empty()) {
        return text;
    }
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

/// The name of a side, in lines of at most 80 columns as far as it has commas.
fn title(letter: &str, name: &str) -> String {
    const WIDTH: usize = 80;
    let mut text = String::new();
    let mut line = format!("{letter}  ");
    for part in name.split_inclusive(',') {
        if line.len() + part.len() > WIDTH {
            text.push_str(&line);
            text.push('\n');
            line = "   ".into();
        }
        line.push_str(part);
    }
    text.push_str(&line);
    text.push('\n');
    text
}

/// Shares of won positions by level sum; nothing where neither side tells them.
fn shares(a: &Side, b: &Side) -> Vec<Vec<String>> {
    let plies = a.profile.by_ply.len().max(b.profile.by_ply.len());
    if plies == 0 {
        return Vec::new();
    }
    let heads = ["level sum", "A won", "of", "B won", "of"];
    let mut rows = vec![heads.map(String::from).to_vec()];
    for ply in 0..plies {
        let counts = [a, b].map(|side| side.profile.by_ply.get(ply).copied().unwrap_or_default());
        if counts.iter().all(|count| count.total() == 0) {
            continue;
        }
        let mut row = vec![ply.to_string()];
        for count in counts {
            match count.won_share() {
                Some(share) => {
                    row.extend([format!("{:.1} %", 100.0 * share), grouped(count.total())]);
                }
                None => row.extend(["-".into(), "-".into()]),
            }
        }
        rows.push(row);
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_names_are_cut_at_commas() {
        assert_eq!(title("B", "classic-3x3"), "B  classic-3x3\n");
        let name = "slider:four=once,score=win,turn=yes,sides=adjacent,null=forbidden,empty-strip=forbidden";
        let expected = "A  slider:four=once,score=win,turn=yes,sides=adjacent,null=forbidden,\n   \
                        empty-strip=forbidden\n";
        assert_eq!(title("A", name), expected);
    }
}
