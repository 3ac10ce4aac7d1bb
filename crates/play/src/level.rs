//! How well the program plays.

use std::fmt;
use std::str::FromStr;

use greenwave_game::{Game, Message, Outcome, Variant};
use greenwave_tablebase::{Answer, MoveFigures, Value};

use crate::{Dice, messages};

/// Expectations that differ by no more are the same.
pub(crate) const SAME: f64 = 1e-9;

/// How well the program plays.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Level {
    /// Always a best move.
    #[default]
    Perfect,
    /// Keeps the value of the position nine times in ten; never misses a win in one ply.
    Strong,
    /// Keeps it six times in ten; never misses a win in one ply.
    Medium,
    /// Keeps it three times in ten.
    Easy,
}

impl Level {
    /// All levels, the best first.
    pub const ALL: [Level; 4] = [Level::Perfect, Level::Strong, Level::Medium, Level::Easy];

    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Level::Perfect => "perfect",
            Level::Strong => "strong",
            Level::Medium => "medium",
            Level::Easy => "easy",
        }
    }

    /// Times in ten that the value of the position is kept.
    fn tenths(self) -> u64 {
        match self {
            Level::Perfect => 10,
            Level::Strong => 9,
            Level::Medium => 6,
            Level::Easy => 3,
        }
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Level {
    type Err = Message;

    fn from_str(text: &str) -> Result<Level, Message> {
        let found = Level::ALL.into_iter().find(|level| level.name() == text);
        found.ok_or_else(|| messages::found_level(text))
    }
}

/// A move that the program makes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProgramMove {
    /// The move, lights in the order red, yellow, green.
    pub mv: String,
    /// Whether nothing is proven about it, so that it is an opinion.
    pub opinion: bool,
}

/// Whether a move keeps what the player to move has: value, points or expectation. `None` where that
/// is not proven.
#[must_use]
pub fn keeps(answer: &Answer, mv: &MoveFigures) -> Option<bool> {
    if let Some(odds) = answer.odds {
        return Some(odds.expectation - mv.odds?.expectation <= SAME);
    }
    if let Some(points) = answer.points {
        return Some(mv.points? >= points);
    }
    match (answer.value.outcome()?, mv.value.and_then(Value::outcome)) {
        (have, Some(get)) => Some(get == have),
        // No search has a result for this move, so it is unknown whether it keeps the win.
        (_, None) => None,
    }
}

/// The move that the program makes at a level; `None` where there is none. The same answer, level and
/// dice give the same move.
///
/// # Panics
/// When the answer is about a game of another kind.
#[must_use]
pub fn choose(
    variant: &Variant,
    answer: &Answer,
    level: Level,
    dice: &mut Dice,
) -> Option<ProgramMove> {
    let best = answer.best_moves();
    let proven = |mv: &MoveFigures| ProgramMove {
        mv: mv.mv.clone(),
        opinion: false,
    };
    let unknown =
        answer.value == Value::Unknown && answer.odds.is_none() && answer.points.is_none();
    // A result can be known of the position and of none of its moves.
    if unknown || best.is_empty() {
        return opinion(answer, dice);
    }
    let counts = answer.points.is_none() && answer.odds.is_none();
    let leads_on: Vec<bool> = best.iter().map(|mv| answer.leads_on(mv)).collect();
    let sensible: Vec<bool> = best
        .iter()
        .map(|mv| is_sensible(variant, answer, mv))
        .collect();
    let is_any =
        (leads_on.iter().zip(&sensible)).any(|(leads_on, sensible)| *leads_on && *sensible);
    let offers = answer.moves.iter().enumerate();
    let offers = offers.map(|(place, mv)| Offer {
        best: place < best.len() && leads_on[place] && (sensible[place] || !is_any),
        keeps: keeps(answer, mv) == Some(true),
        wins_now: counts && mv.ends && mv.value == Some(Value::Win),
    });
    let offers: Vec<Offer> = offers.collect();
    let lost = answer.value.outcome() == Some(Outcome::Loss);
    let place = pick(&offers, lost, level, dice)?;
    answer.moves.get(place).map(proven)
}

/// Whether a move is what a player makes of several that are worth as many points: whoever is ahead completes a line
/// now and not later, and whoever is behind lets the other one complete none as long as that can be.
pub(crate) fn is_sensible(variant: &Variant, answer: &Answer, mv: &MoveFigures) -> bool {
    match answer.points {
        Some(1..) => mv.ends,
        Some(..0) => {
            let after = mv.after;
            after.is_none_or(|after| variant.is_safe(&after, &mut Vec::new()))
        }
        Some(0) | None => true,
    }
}

/// What a player of a level sees of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Offer {
    /// Whether it is one of the best moves.
    pub best: bool,
    /// Whether it keeps what the player to move has.
    pub keeps: bool,
    /// Whether it wins at once, in a game without points and odds.
    pub wins_now: bool,
}

/// The place of the move that a player of a level makes; `None` where there is none. `lost` says that the
/// position is lost. The same moves, level and dice give the same place.
#[must_use]
pub fn pick(offers: &[Offer], lost: bool, level: Level, dice: &mut Dice) -> Option<usize> {
    if level != Level::Easy
        && let Some(place) = offers.iter().position(|offer| offer.wins_now)
    {
        return Some(place);
    }
    let places = |wanted: &dyn Fn(&Offer) -> bool| -> Vec<usize> {
        let all = offers.iter().enumerate();
        let wanted = all.filter(|(_, offer)| wanted(offer));
        wanted.map(|(place, _)| place).collect()
    };
    // Where all is lost every level holds out as long as it can.
    let others = places(&|offer| !offer.keeps);
    let well = lost || others.is_empty() || dice.below(10) < level.tenths();
    let among = if well {
        places(&|offer| offer.best)
    } else {
        others
    };
    dice.one_of(&among).copied()
}

/// Without a proof: the move that looks best, and never a proven loss if there is another move.
fn opinion(answer: &Answer, dice: &mut Dice) -> Option<ProgramMove> {
    let choice = |mv: &str| ProgramMove {
        mv: mv.to_string(),
        opinion: true,
    };
    if let Some(estimate) = &answer.estimate
        && let Some(mv) = dice.one_of(&estimate.moves)
    {
        return Some(choice(mv));
    }
    let open: Vec<&MoveFigures> = answer
        .moves
        .iter()
        .filter(|mv| mv.value != Some(Value::Loss))
        .collect();
    match dice.one_of(&open) {
        Some(mv) => Some(choice(&mv.mv)),
        None => dice.one_of(&answer.moves).map(|mv| choice(&mv.mv)),
    }
}
