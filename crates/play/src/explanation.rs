//! Why every move of a position is worth what it is, as a document.

use greenwave_tablebase::{Answer, Error, MoveFigures, Queries, SCHEMA, Value};
use greenwave_words::Language;
use serde::Serialize;

use crate::explain::{CompletedLine, Fact, essential, explain};
use crate::hardest::{HardestMoves, hardest};
use crate::symmetries::PositionSymmetries;

/// A fact as a document.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct FactDocument {
    /// The kind of fact.
    pub kind: &'static str,
    /// The squares that it is about.
    pub squares: Vec<String>,
    /// The moves after the one that it is about.
    pub line: Vec<String>,
}

/// A move explained.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct ExplainedMove {
    /// The move.
    #[serde(rename = "move")]
    pub mv: String,
    /// The value for the player who makes it.
    pub value: Option<Value>,
    /// Plies to the end, the move counted.
    pub distance: Option<u32>,
    /// An earlier move of which it is the image, in a mirror or turned, and worth the same; none for others.
    pub image_of: Option<String>,
    /// The facts as sentences, without those that say only what the value or another sentence says.
    pub sentences: Vec<String>,
    /// All facts, those without a sentence, too.
    pub facts: Vec<FactDocument>,
}

/// A position with every move explained.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Explanation {
    /// Version of the document.
    pub schema: u32,
    /// The variant.
    pub variant: String,
    /// The order of the lights in its texts; none in games without these lights.
    pub lights: Option<&'static str>,
    /// The position.
    pub position: String,
    /// Win, loss or draw for the player to move.
    pub value: Value,
    /// The player to move, `first` or `second`; `None` where the position does not tell.
    pub turn: Option<&'static str>,
    /// Every move, best first.
    pub moves: Vec<ExplainedMove>,
    /// In a lost position, the moves that are hardest to refute; none where all are alike.
    pub hardest: Option<HardestMoves>,
}

impl Explanation {
    /// Explains every move of an answer in a language.
    ///
    /// # Errors
    /// As [`explain`].
    pub fn of(
        queries: &Queries<'_>,
        is_at_hand: bool,
        answer: &Answer,
        language: Language,
    ) -> Result<Explanation, Error> {
        let mut moves = Vec::with_capacity(answer.moves.len());
        let is_alike = answer
            .moves
            .windows(2)
            .all(|pair| pair[0].value == pair[1].value);
        let (mut is_beside_told, mut is_source_told) = (false, false);
        let hardest = hardest(queries, answer)?;
        let variant = queries.variant();
        let ends = answer.moves.iter().map(|mv| (mv.mv.as_str(), mv.after));
        let orbits = PositionSymmetries::of(variant, &answer.at).orbits(variant, ends);
        let worth = |text: &str| {
            answer
                .moves
                .iter()
                .find(|mv| mv.mv == text)
                .map(MoveFigures::figures)
        };
        for mv in &answer.moves {
            let orbit = orbits.iter().find(|orbit| orbit.images.contains(&mv.mv));
            let image_of = orbit.map(|orbit| &orbit.mv);
            let image_of = image_of.filter(|first| worth(first) == Some(mv.figures()));
            let mut facts = explain(queries, is_at_hand, answer, mv)?;
            // What is true about the position is told once.
            facts.retain(|fact| {
                if matches!(fact, Fact::Beside { .. }) {
                    !std::mem::replace(&mut is_beside_told, true)
                } else if is_alike && matches!(fact, Fact::Published { .. }) {
                    !std::mem::replace(&mut is_source_told, true)
                } else {
                    true
                }
            });
            moves.push(ExplainedMove {
                mv: mv.mv.clone(),
                value: mv.value,
                distance: mv.distance,
                image_of: image_of.cloned(),
                sentences: essential(&facts)
                    .map(|fact| fact.said(language, &mv.mv))
                    .collect(),
                facts: facts
                    .iter()
                    .map(|fact| FactDocument {
                        kind: fact.kind(),
                        squares: fact
                            .lines()
                            .iter()
                            .flat_map(CompletedLine::each)
                            .flat_map(|line| line.squares.clone())
                            .collect(),
                        line: fact.line(),
                    })
                    .collect(),
            });
        }
        let first = queries.variant().first_to_move(&answer.at);
        Ok(Explanation {
            schema: SCHEMA,
            variant: answer.variant.clone(),
            lights: queries.variant().rules().lights_name(),
            position: answer.position.clone(),
            value: answer.value,
            turn: first.map(|first| if first { "first" } else { "second" }),
            moves,
            hardest,
        })
    }
}
