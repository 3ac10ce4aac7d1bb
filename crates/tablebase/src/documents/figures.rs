//! What documents have in common: values, figures of moves, where they come from.

use std::fmt;

use greenwave_game::{AnyPosition, Figures, Game, Odds, Outcome, Plies, Rules, VariantGame};
use greenwave_probe::{MoveAnswer, rank};
use greenwave_table::{self as table, FirstMove, Table};
use greenwave_values::{figures_of_stored, outcome_of_stored};
use greenwave_words::Language;
use serde::{Serialize, Serializer};

use crate::Theorem;

/// Version of the documents.
pub const SCHEMA: u32 = 2;

/// Result of a position under best play, for the player to move; of a move, for who makes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Value {
    /// The player wins.
    Win,
    /// The player loses.
    Loss,
    /// Neither player can force a win.
    Draw,
    /// Not proven.
    Unknown,
}

impl Value {
    /// `win`, `loss`, `draw` or `unknown`.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.outcome().map_or("unknown", Outcome::name)
    }

    /// The outcome, where it is known.
    #[must_use]
    pub fn outcome(self) -> Option<Outcome> {
        match self {
            Value::Win => Some(Outcome::Win),
            Value::Loss => Some(Outcome::Loss),
            Value::Draw => Some(Outcome::Draw),
            Value::Unknown => None,
        }
    }
}

impl From<Outcome> for Value {
    fn from(outcome: Outcome) -> Value {
        match outcome {
            Outcome::Win => Value::Win,
            Outcome::Loss => Value::Loss,
            Outcome::Draw => Value::Draw,
        }
    }
}

impl From<table::Outcome> for Value {
    fn from(outcome: table::Outcome) -> Value {
        outcome_of_stored(outcome).into()
    }
}

impl From<Option<Outcome>> for Value {
    fn from(outcome: Option<Outcome>) -> Value {
        outcome.map_or(Value::Unknown, Value::from)
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Odds as documents have them.
#[derive(Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schemas", schemars(rename = "Odds"))]
pub(crate) struct OddsShown {
    /// Chance, 0 to 1, that the player wins.
    win: f64,
    /// Chance of a draw.
    draw: f64,
    /// Chance that the player loses.
    loss: f64,
    /// The player's expectation: points in scored games, else `win` less `loss`.
    expectation: f64,
}

/// Writes odds as an object.
pub(crate) fn odds_or_null<S: Serializer>(
    odds: &Option<Odds>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let shown = odds.map(|odds| OddsShown {
        win: odds.win,
        // Rounding can leave a little less than nothing.
        draw: odds.draw.max(0.0),
        loss: odds.loss,
        expectation: odds.expectation,
    });
    shown.serialize(serializer)
}

/// Odds as they stand in documents; null where there are none.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(transparent)]
pub struct OddsFigures(
    #[serde(serialize_with = "odds_or_null")]
    #[cfg_attr(feature = "schemas", schemars(with = "Option<OddsShown>"))]
    pub Option<Odds>,
);

/// The figures of a game's start, as documents have them.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct StartFigures {
    /// Win, loss or draw at the start.
    pub value: Option<Value>,
    /// Distance of the start.
    pub distance: Option<u32>,
    /// Points of the start.
    pub points: Option<i32>,
    /// Odds of the start.
    #[serde(serialize_with = "odds_or_null")]
    #[cfg_attr(feature = "schemas", schemars(with = "Option<OddsShown>"))]
    pub odds: Option<Odds>,
    /// Nimber of the start.
    pub nimber: Option<u32>,
}

impl StartFigures {
    /// The figures together.
    #[must_use]
    pub fn figures(&self) -> Figures {
        Figures {
            odds: self.odds,
            nimber: self.nimber,
            ..figures_of_fields(self.value, self.distance, self.points)
        }
    }
}

impl From<&table::Figures> for StartFigures {
    fn from(stored: &table::Figures) -> StartFigures {
        let start = figures_of_stored(stored);
        StartFigures {
            value: start.value.map(Value::from),
            distance: start.distance.map(|plies| plies.0),
            points: start.points,
            odds: start.odds,
            nimber: start.nimber,
        }
    }
}

/// A move and what it is worth to the player who makes it; the distance counts it.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct MoveFigures {
    /// The move.
    #[serde(rename = "move")]
    pub mv: String,
    /// The position that it leads to; `None` where a draw of chance comes first.
    pub to: Option<String>,
    /// Win, loss or draw; `None` where the metric does not tell.
    pub value: Option<Value>,
    /// Plies to the end.
    pub distance: Option<u32>,
    /// Own minus opponent's points still to come.
    pub points: Option<i32>,
    /// Probabilities and expectation.
    #[serde(serialize_with = "odds_or_null")]
    #[cfg_attr(feature = "schemas", schemars(with = "Option<OddsShown>"))]
    pub odds: Option<Odds>,
    /// Nimber of the position that it leads to.
    pub nimber: Option<u32>,
    /// Whether it ends the game.
    pub ends: bool,
    /// The position that it leads to; `None` where a draw of chance comes first, and in summaries.
    #[serde(skip)]
    pub after: Option<AnyPosition>,
}

impl MoveFigures {
    /// A move of an answered position.
    pub(crate) fn new<G: VariantGame>(
        game: &G,
        from: &G::Position,
        mv: &MoveAnswer<G::Position, G::Move>,
    ) -> MoveFigures {
        let to = text_unless_chance(game, &mv.to);
        MoveFigures {
            mv: game.move_text(from, mv.mv),
            after: to.is_some().then(|| game.any_position(mv.to)),
            to,
            value: Some(mv.figures.value.into()),
            distance: mv.figures.distance.map(|plies| plies.0),
            points: mv.figures.points,
            odds: mv.figures.odds,
            nimber: mv.figures.nimber,
            ends: mv.ends,
        }
    }

    /// Openings out of a table's summary in the order of moves: best first, equals in listing order.
    pub(crate) fn openings(rules: Option<&Rules>, openings: &[FirstMove]) -> Vec<MoveFigures> {
        let written =
            |text: &str| rules.map_or_else(|| text.to_string(), |rules| rules.exchanged(text));
        let mut sorted: Vec<&FirstMove> = openings.iter().collect();
        sorted.sort_by_key(|opening| rank(&figures_of_stored(&opening.figures)));
        let document = |opening: &&FirstMove| {
            let figures = figures_of_stored(&opening.figures);
            MoveFigures {
                mv: written(&opening.mv),
                to: opening.to.as_deref().map(written),
                value: figures.value.map(Value::from),
                distance: figures.distance.map(|plies| plies.0),
                points: figures.points,
                odds: figures.odds,
                nimber: figures.nimber,
                ends: opening.ends,
                after: None,
            }
        };
        sorted.iter().map(document).collect()
    }

    /// Its figures together.
    #[must_use]
    pub fn figures(&self) -> Figures {
        Figures {
            odds: self.odds,
            nimber: self.nimber,
            ..figures_of_fields(self.value, self.distance, self.points)
        }
    }
}

/// Figures of what documents say in their own way; odds and nimbers stand there as they are.
pub(crate) fn figures_of_fields(
    value: Option<Value>,
    distance: Option<u32>,
    points: Option<i32>,
) -> Figures {
    Figures::of(value.and_then(Value::outcome), distance.map(Plies), points)
}

/// The text of a position; none where a draw comes first.
fn text_unless_chance<G: Game>(game: &G, position: &G::Position) -> Option<String> {
    let mut draws = Vec::new();
    game.draws(position, &mut draws);
    draws.is_empty().then(|| game.position_text(position))
}

/// What kind of source an answer comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum SourceKind {
    /// A table.
    Table,
    /// A solve in memory.
    Solved,
    /// A sweep of what the position can become.
    Swept,
    /// A forward search.
    Searched,
    /// A published result.
    Published,
    /// A theorem.
    Proved,
}

impl SourceKind {
    /// Its name, as documents have it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            SourceKind::Table => "table",
            SourceKind::Solved => "solved",
            SourceKind::Swept => "swept",
            SourceKind::Searched => "searched",
            SourceKind::Published => "published",
            SourceKind::Proved => "proved",
        }
    }
}

/// Where an answer comes from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Source {
    /// Table, solve, search or theorem.
    pub kind: SourceKind,
    /// The file of the table.
    pub file: Option<String>,
    /// The signature of the table.
    pub signature: Option<String>,
    /// The theorem that says it.
    pub theorem: Option<Theorem>,
    /// The theorem of `proofs/` that Rocq has checked, with its file.
    pub proved_in: Option<String>,
    /// The command that makes a published result again.
    pub made_by: Option<String>,
    /// The command that would settle what is unknown, with what it is estimated to take.
    pub settle: Option<String>,
    /// Whether nothing that fits the memory of the machine settles it.
    #[serde(skip)]
    pub out_of_reach: bool,
}

impl Source {
    pub(crate) fn table(table: &Table) -> Source {
        Source {
            file: Some(table.path().display().to_string()),
            signature: Some(table.meta().signature.to_string()),
            ..Source::of(SourceKind::Table)
        }
    }

    pub(crate) fn solved() -> Source {
        Source::of(SourceKind::Solved)
    }

    pub(crate) fn searched() -> Source {
        Source::of(SourceKind::Searched)
    }

    pub(crate) fn swept() -> Source {
        Source::of(SourceKind::Swept)
    }

    pub(crate) fn published(signature: Option<&str>, made_by: String) -> Source {
        Source {
            signature: signature.map(String::from),
            made_by: Some(made_by),
            ..Source::of(SourceKind::Published)
        }
    }

    pub(crate) fn proved(theorem: Theorem) -> Source {
        Source {
            theorem: Some(theorem),
            ..Source::of(SourceKind::Proved)
        }
    }

    fn of(kind: SourceKind) -> Source {
        Source {
            kind,
            file: None,
            signature: None,
            theorem: None,
            proved_in: None,
            made_by: None,
            settle: None,
            out_of_reach: false,
        }
    }
}

impl Source {
    /// The source in a language: `table solutions/classic-3x3/distance.gwt`.
    #[must_use]
    pub fn said(&self, words: Language) -> String {
        let key = match (self.kind, &self.file, self.theorem, &self.made_by) {
            (SourceKind::Table, Some(file), ..) => return words.with("from-table", file),
            (SourceKind::Proved, _, Some(theorem), _) => {
                let said = words.with("from-theorem", theorem);
                let rocq = self.proved_in.as_ref();
                return rocq.map_or(said.clone(), |place| {
                    format!("{said}; {}", words.with("checked-by-rocq", place))
                });
            }
            (SourceKind::Published, _, theorem, Some(made_by)) => {
                let said = words.with("from-published-made", made_by);
                return theorem.map_or(said.clone(), |theorem| {
                    format!("{said}; {}", words.with("from-published-theorem", theorem))
                });
            }
            (SourceKind::Swept, ..) => "from-sweep",
            (SourceKind::Searched, ..) => "from-search",
            (SourceKind::Published, ..) => "from-published",
            (SourceKind::Proved, ..) => "from-theorem-plain",
            (SourceKind::Table | SourceKind::Solved, ..) => "from-memory",
        };
        words.text(key).into()
    }
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.said(Language::English))
    }
}

/// A judgement that is no proof.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Judgement {
    /// Always false.
    pub proven: bool,
    /// From −1 (bad for the player to move) to 1.
    pub outlook: f64,
    /// The moves that look best.
    pub moves: Vec<String>,
}
