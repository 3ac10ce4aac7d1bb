//! What one variant changes of another: in sentences with figures, and by positions in which they
//! disagree.

use std::collections::{HashMap, HashSet};

use greenwave_game::{Figures, Outcome, Squares, plural};
use greenwave_probe::rank;
use greenwave_values::{ValuesError, room};
use serde::Serialize;

use super::ComparedVariant;
use crate::expr::KnownValues;

/// A position that both variants have and whose value differs.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Disagreement {
    /// The position, as the first variant writes it.
    pub position: String,
    /// Plies from the start.
    pub ply: u32,
    /// The value in the first variant, for the player to move.
    pub a: Worth,
    /// The same in the second.
    pub b: Worth,
}

/// The value of a position for the player to move, and the moves to play.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Worth {
    /// The position, as this variant writes it.
    pub position: String,
    /// `win`, `draw` or `loss`.
    pub value: Option<&'static str>,
    /// Plies to the end.
    pub distance: Option<u32>,
    /// Points.
    pub points: Option<i32>,
    /// The best moves, as this variant writes them.
    pub best: Vec<String>,
}

/// An unfinished position of the first plies.
#[derive(Clone, Debug, PartialEq)]
pub struct EarlyPosition {
    /// The position, red first.
    plain: String,
    /// The one that stands for all its images, red first.
    image: String,
    ply: u32,
    worth: Worth,
}

/// Positions of the first plies that a comparison keeps; a ply that exceeds them is left out.
const KEPT: usize = 2_000;

/// Unfinished positions from the start on, ply by ply.
///
/// # Errors
/// When the machine does not give the memory.
pub(super) fn early_positions<G: Squares>(
    known: &KnownValues<'_, G>,
) -> Result<Vec<EarlyPosition>, ValuesError> {
    let game = known.game();
    let metric = game.rules().default_metric;
    let plain = |position: &G::Position| game.rules().exchanged(&game.position_text(position));
    let mut kept = Vec::new();
    let mut seen = HashSet::from([game.start()]);
    let mut wave = vec![game.start()];
    let mut moves = Vec::new();
    for ply in 0.. {
        wave.retain(|position| game.ending(position).is_none());
        if wave.is_empty() || kept.len() + wave.len() > KEPT {
            break;
        }
        let mut next = Vec::new();
        for position in &wave {
            game.moves(position, &mut moves);
            let mut best = (None, Vec::new());
            for mv in &moves {
                let edge = game.play(position, *mv);
                let figures = known
                    .figures(metric, &edge.to)
                    .after_move(edge.gain, edge.keeps_turn);
                let rank = rank(&figures);
                if best.0.as_ref().is_none_or(|known| rank < *known) {
                    best = (Some(rank), vec![*mv]);
                } else if best.0.as_ref() == Some(&rank) {
                    best.1.push(*mv);
                }
                room::reserve_members(&mut seen, 1)?;
                if seen.insert(edge.to) {
                    room::push(&mut next, edge.to)?;
                }
            }
            let figures = known.figures(metric, position);
            let best = best.1.iter();
            let early = EarlyPosition {
                plain: plain(position),
                image: plain(&game.canonical(position)),
                ply,
                worth: Worth {
                    position: game.position_text(position),
                    value: figures.value.map(Outcome::name),
                    distance: figures.distance.map(|plies| plies.0),
                    points: figures.points,
                    best: best.map(|mv| game.move_text(position, *mv)).collect(),
                },
            };
            room::push(&mut kept, early)?;
        }
        wave = next;
    }
    Ok(kept)
}

/// Positions of the first plies that both variants have, unfinished in both, whose value differs. Images
/// of each other under the symmetries of `a` count once.
#[must_use]
pub fn disagreements(a: &ComparedVariant, b: &ComparedVariant) -> Vec<Disagreement> {
    let of_b = b.early.iter().map(|position| (&*position.plain, position));
    let of_b: HashMap<&str, &EarlyPosition> = of_b.collect();
    let mut seen = HashSet::new();
    let mut found = Vec::new();
    for in_a in &a.early {
        let Some(in_b) = of_b.get(&*in_a.plain) else {
            continue;
        };
        let differs =
            in_a.worth.value != in_b.worth.value || in_a.worth.points != in_b.worth.points;
        if differs && seen.insert(&*in_a.image) {
            found.push(Disagreement {
                position: in_a.worth.position.clone(),
                ply: in_a.ply,
                a: in_a.worth.clone(),
                b: in_b.worth.clone(),
            });
        }
    }
    found
}

/// What `b` changes of `a`, a sentence each. Games with chance have fewer of them.
#[must_use]
pub fn sentences(a: &ComparedVariant, b: &ComparedVariant) -> Vec<String> {
    let mut told = Vec::new();
    let outcome = |side: &ComparedVariant| outcome(&side.profile.start);
    if let (Some(of_a), Some(of_b)) = (outcome(a), outcome(b)) {
        told.push(if of_a == of_b {
            format!("In both games {of_a}.")
        } else {
            format!("In A {of_a}; in B {of_b}.")
        });
    }
    if let (Some(a), Some(b)) = (a.odds(), b.odds()) {
        told.push(format!(
            "The first player wins {:.1} % of the games in A and {:.1} % in B, if both play best.",
            100.0 * a.win,
            100.0 * b.win
        ));
    }
    let openings = [a, b].map(|side| side.profile.openings.len());
    if openings[0] > 0 && openings[1] > 0 {
        let turned = a.profile.changed_openings(&b.profile);
        let all = a.profile.openings.len();
        let wins = |side: &ComparedVariant| {
            let all = side.profile.openings.iter();
            all.filter(|opening| opening.figures.value == Some(Outcome::Win))
                .count()
        };
        let count = turned.len();
        told.push(match count {
            0 => "No opening that both have changes its value.".into(),
            _ => format!(
                "{count} of {all} {} {} value; {} of {} win in A, {} of {} in B.",
                plural(all, "opening", "openings"),
                plural(count, "changes", "change"),
                wins(a),
                openings[0],
                wins(b),
                openings[1]
            ),
        });
    }
    let share = |side: &ComparedVariant, count: u64| {
        let all = side.profile.counts.total();
        (all > 0).then(|| 100.0 * count as f64 / all as f64)
    };
    let mut percent = |what: &str, of: &dyn Fn(&ComparedVariant) -> Option<f64>| {
        if let (Some(in_a), Some(in_b)) = (of(a), of(b)) {
            let (in_a, in_b) = (format!("{in_a:.1} %"), format!("{in_b:.1} %"));
            told.push(if in_a == in_b {
                format!("{what} in {in_a} of the positions of both.")
            } else {
                format!("{what} in {in_a} of the positions of A and in {in_b} of those of B.")
            });
        }
    };
    percent("The player to move wins", &|side| {
        share(side, side.profile.counts.win)
    });
    percent("One move alone keeps the value", &|side| {
        share(side, side.profile.only_moves?)
    });
    if a.profile.counts.draw + b.profile.counts.draw > 0 {
        percent("Nobody wins", &|side| share(side, side.profile.counts.draw));
    }
    let length = |side: &ComparedVariant| {
        side.playouts[2]
            .filter(|playout| playout.broken_off == 0.0)
            .map(|playout| playout.length)
    };
    if let (Some(of_a), Some(of_b)) = (length(a), length(b)) {
        let longer = of_b.mean - of_a.mean;
        let [in_a, in_b] = [of_a, of_b].map(|mean| mean.text(1, false));
        let is_exact = of_a.error.or(of_b.error).is_none();
        told.push(if is_exact && longer.abs() < 0.05 {
            format!("Games in which both keep the value last {in_a} plies in both.")
        } else if is_exact {
            format!(
                "Games in which both keep the value last {in_a} plies in A and {in_b} in B, {:.1} {}.",
                longer.abs(),
                if longer > 0.0 { "more" } else { "fewer" }
            )
        } else {
            // The difference of samples is no better known than they are.
            format!("Games in which both keep the value last {in_a} plies in A and {in_b} in B.")
        });
    }
    let ahead =
        |side: &ComparedVariant| side.playouts[0].map(|playout| playout.advantage.text(3, true));
    if let (Some(in_a), Some(in_b)) = (ahead(a), ahead(b)) {
        told.push(format!(
            "If both play at random, the first player's lead is {in_a} a game in A and {in_b} in B."
        ));
    }
    told
}

/// Who wins and how soon, as a clause.
fn outcome(start: &Figures) -> Option<String> {
    if start.odds.is_some() {
        return None;
    }
    let within = start
        .distance
        .map_or_else(String::new, |plies| format!(" in {plies}"));
    let by = start.points.map_or_else(String::new, |points| {
        let points = points.unsigned_abs();
        format!(" by {points} {}", plural(points, "point", "points"))
    });
    Some(match start.value? {
        Outcome::Win => format!("the first player wins{within}{by}"),
        Outcome::Loss => format!("the second player wins{within}{by}"),
        Outcome::Draw => "nobody wins".into(),
    })
}
