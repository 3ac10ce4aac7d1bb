//! A game that is being played as documents.

use greenwave_game::Game;
use greenwave_tablebase::{Answer, SCHEMA};
use serde::Serialize;

use crate::Record;

/// The player who made a ply.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum By {
    /// A person.
    Human,
    /// The program.
    Machine,
}

/// A ply that has been made.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct PlyDocument {
    /// Version of the document.
    pub schema: u32,
    /// The variant.
    pub variant: String,
    /// The order of its lights, `ryg` or `gyr`; `None` where it has none.
    pub lights: Option<&'static str>,
    /// Which ply, from 1.
    pub ply: usize,
    /// The player who made it.
    pub by: By,
    /// The move.
    #[serde(rename = "move")]
    pub mv: String,
    /// The position in which it was made.
    pub from: String,
    /// The position that the ply led to, draws included.
    pub position: String,
    /// The value for the player to move in it.
    #[cfg_attr(feature = "schemas", schemars(extend("enum" = ["win", "loss", "draw", "unknown"])))]
    pub value: &'static str,
    /// Plies to the end from it.
    pub distance: Option<u32>,
    /// Points still to come.
    pub points: Option<i32>,
    /// The expectation of the player to move, where chance takes part.
    pub expectation: Option<f64>,
    /// The draws of chance after the ply.
    pub drawn: Vec<String>,
    /// Whether nothing is proven about the program's choice.
    pub opinion: bool,
}

impl PlyDocument {
    /// The last ply of a record; `answer` is about the position after it.
    #[must_use]
    pub fn new(record: &Record, answer: &Answer, by: By, opinion: bool) -> PlyDocument {
        let turns = record.turns();
        let from = record.at(turns.len().saturating_sub(1));
        PlyDocument {
            schema: SCHEMA,
            variant: record.variant().rules().title().to_string(),
            lights: record.variant().rules().lights_name(),
            ply: turns.len(),
            by,
            mv: turns.last().map(|turn| turn.mv.clone()).unwrap_or_default(),
            from: record.variant().position_text(&from),
            position: record.position(),
            value: answer.value.name(),
            distance: answer.distance,
            points: answer.points,
            expectation: answer.odds.map(|odds| odds.expectation),
            drawn: record.drawn().to_vec(),
            opinion,
        }
    }
}

/// How a game came out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct ResultDocument {
    /// Version of the document.
    pub schema: u32,
    /// `first`, `second`, `draw`, `resigned` or `quit`.
    #[cfg_attr(feature = "schemas", schemars(extend("enum" = ["first", "second", "draw", "resigned", "quit"])))]
    pub result: &'static str,
    /// Plies that were made.
    pub plies: usize,
    /// The first player's points less the second player's.
    pub points: Option<i32>,
    /// The seed of choices and draws.
    pub seed: u64,
}

impl ResultDocument {
    /// The result of a record.
    #[must_use]
    pub fn new(record: &Record, result: &'static str, seed: u64) -> ResultDocument {
        let points = record.end().map(|end| end.points);
        ResultDocument {
            schema: SCHEMA,
            result,
            plies: record.turns().len(),
            points: points.filter(|points| *points != 0),
            seed,
        }
    }
}
