//! A game gone through: what every move was worth, and where it was lost.

use greenwave_game::{AnyPosition, Game, Odds, Variant};
use greenwave_tablebase::{
    Answer, Error, ErrorKind, MoveFigures, Place, Queries, QueryOptions, SCHEMA, Tablebase, Value,
};
use serde::Serialize;

use crate::shared_time::SharedTime;
use crate::{Dice, Record, RecordTurn, Seat, keeps};

/// What a move deserves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schemas", schemars(rename = "Mark"))]
#[serde(rename_all = "lowercase")]
pub enum MoveMark {
    /// None better.
    Best,
    /// Keeps the value; a best one would be quicker, or hold out longer.
    Good,
    /// The one move of several that keeps it.
    Only,
    /// The one legal move.
    Forced,
    /// Makes it worse.
    Mistake,
    /// Not proven.
    Unknown,
}

impl MoveMark {
    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            MoveMark::Best => "best",
            MoveMark::Good => "good",
            MoveMark::Only => "only",
            MoveMark::Forced => "forced",
            MoveMark::Mistake => "mistake",
            MoveMark::Unknown => "unknown",
        }
    }
}

/// What a player had before a mistake: a value, points, or an expectation.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schemas", schemars(rename = "Had"))]
#[serde(untagged)]
pub enum FormerValue {
    /// Win or draw.
    Value(Value),
    /// Points still to come, in scored games.
    Points(i32),
    /// The expectation, where chance takes part.
    Expectation(f64),
}

/// One ply of a review.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct ReviewPly {
    /// Which ply, from 1.
    pub ply: usize,
    /// The player who made the move.
    #[cfg_attr(feature = "schemas", schemars(extend("enum" = ["first", "second"])))]
    pub by: &'static str,
    /// The move.
    #[serde(rename = "move")]
    pub mv: String,
    /// The position in which it was made.
    pub from: String,
    /// The same, to ask about.
    #[serde(skip)]
    pub at: AnyPosition,
    /// The position that it led to, draws included.
    pub position: String,
    /// The draws of chance before the move.
    pub drawn: Vec<String>,
    /// The value of the move for the player who made it.
    pub value: Value,
    /// Plies to the end, the move counted.
    pub distance: Option<u32>,
    /// Own minus opponent's points still to come.
    pub points: Option<i32>,
    /// The expectation of the player, where chance takes part.
    pub expectation: Option<f64>,
    /// The best moves.
    pub best: Vec<String>,
    /// The mark of the move.
    pub mark: MoveMark,
    /// The player's value before it, where it was a mistake.
    pub lost: Option<FormerValue>,
}

/// Mistakes of each player.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Mistakes {
    /// Of the player who was to move first.
    pub first: u32,
    /// Of the other.
    pub second: u32,
}

/// A game gone through.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Review {
    /// Version of the document.
    pub schema: u32,
    /// The variant.
    pub variant: String,
    /// The order of its lights, `ryg` or `gyr`; `None` where it has none.
    pub lights: Option<&'static str>,
    /// Where the game began, before any draw.
    pub start: String,
    /// The last position, to ask about.
    #[serde(skip)]
    pub last: AnyPosition,
    /// Every ply.
    pub plies: Vec<ReviewPly>,
    /// The draws of chance after the last ply.
    pub drawn: Vec<String>,
    /// Mistakes of each player.
    pub mistakes: Mistakes,
    /// The winner: `first`, `second` or `draw`; `None` while the game continues.
    #[cfg_attr(feature = "schemas", schemars(extend("enum" = ["first", "second", "draw", null])))]
    pub result: Option<&'static str>,
}

/// Goes through the moves of a place.
///
/// # Errors
/// When the position or a move cannot be read or played, and when a table is damaged or of other
/// rules.
pub fn review(
    tablebase: &Tablebase,
    variant: &Variant,
    place: &Place<'_>,
    options: &QueryOptions,
) -> Result<Review, Error> {
    review_by(&tablebase.queries(variant, options)?, place)
}

/// The same with what was solved for other games.
///
/// # Errors
/// As [`review`].
pub fn review_by(queries: &Queries<'_>, place: &Place<'_>) -> Result<Review, Error> {
    let variant = queries.variant();
    let record = Record::begin(variant.clone(), place, &mut Dice::new(0, 0))?;
    review_of(queries, &record)
}

/// The same of a record.
///
/// # Errors
/// When a table is damaged or of other rules.
pub fn review_of(queries: &Queries<'_>, record: &Record) -> Result<Review, Error> {
    let variant = record.variant();
    let made = record.turns().iter().enumerate();
    let positions: Vec<AnyPosition> = made.map(|(number, _)| record.at(number)).collect();
    match queries.settle_together(&positions) {
        // A cancelled search still shows its findings so far.
        Err(error) if error.kind() == ErrorKind::Interrupted => {}
        settled => settled?,
    }
    // The later a position, the sooner it is settled: those at the end do not wait for the first ones.
    let shared = SharedTime::of(queries);
    let answers = positions
        .iter()
        .rev()
        .map(|position| shared.answer(position));
    let mut answers = answers.collect::<Result<Vec<_>, Error>>()?;
    answers.reverse();
    let mut mistakes = Mistakes::default();
    let mut plies = Vec::with_capacity(record.turns().len());
    for (number, (turn, answer)) in record.turns().iter().zip(&answers).enumerate() {
        let to = variant.position_text(&record.at(number + 1));
        let ply = judged(number + 1, turn, to, answer);
        if ply.mark == MoveMark::Mistake {
            match turn.by {
                Seat::First => mistakes.first += 1,
                Seat::Second => mistakes.second += 1,
            }
        }
        plies.push(ply);
    }
    Ok(Review {
        schema: SCHEMA,
        variant: variant.rules().title().to_string(),
        lights: variant.rules().lights_name(),
        start: record.start().text(),
        last: record.at(record.turns().len()),
        plies,
        drawn: record.drawn().to_vec(),
        mistakes,
        result: record
            .end()
            .map(|end| end.winner.map_or("draw", Seat::name)),
    })
}

fn judged(ply: usize, turn: &RecordTurn, to: String, answer: &Answer) -> ReviewPly {
    let made = answer.moves.iter().find(|mv| mv.mv == turn.mv);
    let mark = made.map_or(MoveMark::Unknown, |made| mark(answer, made));
    let had = match (answer.odds, answer.points) {
        (Some(odds), _) => FormerValue::Expectation(odds.expectation),
        (None, Some(points)) => FormerValue::Points(points),
        (None, None) => FormerValue::Value(answer.value),
    };
    let lost = (mark == MoveMark::Mistake).then_some(had);
    ReviewPly {
        ply,
        by: turn.by.name(),
        mv: turn.mv.clone(),
        from: answer.position.clone(),
        at: answer.at,
        position: to,
        drawn: turn.drawn.clone(),
        value: made.and_then(|made| made.value).unwrap_or(Value::Unknown),
        distance: made.and_then(|made| made.distance),
        points: made.and_then(|made| made.points),
        expectation: made
            .and_then(|made| made.odds)
            .map(|odds: Odds| odds.expectation),
        best: answer.best.clone(),
        mark,
        lost,
    }
}

fn mark(answer: &Answer, made: &MoveFigures) -> MoveMark {
    match keeps(answer, made) {
        None => MoveMark::Unknown,
        Some(false) => MoveMark::Mistake,
        Some(true) if answer.moves.len() == 1 => MoveMark::Forced,
        Some(true) => {
            let keeping = |mv: &&MoveFigures| keeps(answer, mv) != Some(false);
            if answer.moves.iter().filter(keeping).count() == 1 {
                MoveMark::Only
            } else if answer.best.contains(&made.mv) {
                MoveMark::Best
            } else {
                MoveMark::Good
            }
        }
    }
}
