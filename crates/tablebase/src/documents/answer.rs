//! The answer to a question about a position.

use greenwave_game::{AnyPosition, Diagram, Ending, Figures, Odds};
use serde::Serialize;

use super::{Judgement, MoveFigures, Source, Value, figures_of_fields, odds_or_null};

/// A position and all its moves, with what they are worth and where that is known from.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Answer {
    /// Version of the document.
    pub schema: u32,
    /// The variant.
    pub variant: String,
    /// The order of its lights, `ryg` or `gyr`; `None` where it has none.
    pub lights: Option<&'static str>,
    /// The position.
    pub position: String,
    /// Win, loss or draw for the player to move.
    pub value: Value,
    /// Plies to the end; none in draws and scored games.
    pub distance: Option<u32>,
    /// Own minus opponent's points still to come.
    pub points: Option<i32>,
    /// Probabilities and expectation, in games with chance.
    #[serde(serialize_with = "odds_or_null")]
    #[cfg_attr(feature = "schemas", schemars(with = "Option<super::OddsShown>"))]
    pub odds: Option<Odds>,
    /// The nimber, where there are nimbers.
    pub nimber: Option<u32>,
    /// Whether the game is over.
    pub terminal: bool,
    /// The moves that tie for the best.
    pub best: Vec<String>,
    /// All moves, best first, equals in listing order.
    pub moves: Vec<MoveFigures>,
    /// Plies within which nobody can force a win, where a search did not decide the value.
    pub undecided_within: Option<u32>,
    /// Best play to the end, where a search has proven a win or a loss.
    pub line: Option<Vec<String>>,
    /// A judgement at sight, where no best move is proven.
    pub estimate: Option<Judgement>,
    /// The moves by which a theorem plays, where a published result knows others that win: after these the win may be
    /// out of reach.
    #[serde(skip)]
    pub by_theorem: Vec<String>,
    /// Where the answer comes from.
    pub source: Source,
    /// How the game ended, if it is over.
    #[serde(skip)]
    pub ending: Option<Ending>,
    /// A picture of the position.
    #[serde(skip)]
    pub diagram: Diagram,
    /// The position without the type of its game.
    #[serde(skip)]
    pub at: AnyPosition,
}

impl Answer {
    /// The figures of the position together.
    #[must_use]
    pub fn figures(&self) -> Figures {
        Figures {
            odds: self.odds,
            nimber: self.nimber,
            ..figures_of_fields(Some(self.value), self.distance, self.points)
        }
    }

    /// The moves that tie for the best, with their figures.
    #[must_use]
    pub fn best_moves(&self) -> &[MoveFigures] {
        &self.moves[..self.best.len()]
    }

    /// Whether a theorem leads on after a move, where it does after some of them and nothing else may.
    #[must_use]
    pub fn leads_on(&self, mv: &MoveFigures) -> bool {
        self.by_theorem.is_empty() || self.by_theorem.contains(&mv.mv)
    }

    /// Adds the document to a text, on one line, as JSON.
    ///
    /// # Errors
    /// Never of answers as they are given.
    pub fn write_json(&self, text: &mut Vec<u8>) -> serde_json::Result<()> {
        // Here, where it is compiled to be quick, for batches of millions.
        serde_json::to_writer(text, self)
    }
}
