//! The documents of `--json`. Fields may be added, never renamed; what is not known is null.

use greenwave_game::{Colours, Figures, Game, Luck, Odds};
use greenwave_probe::{Answer, LinePly};
use greenwave_table as table;
use serde::Serialize;

/// Version of the documents.
pub(crate) const SCHEMA: u32 = 1;

#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct OddsJson {
    win: f64,
    draw: f64,
    loss: f64,
    expectation: f64,
}

impl From<Odds> for OddsJson {
    fn from(odds: Odds) -> OddsJson {
        let Odds {
            win,
            draw,
            loss,
            expectation,
        } = odds;
        OddsJson {
            win,
            // Rounding can leave a little less than nothing.
            draw: draw.max(0.0),
            loss,
            expectation,
        }
    }
}

#[derive(Debug, Serialize)]
pub(crate) struct MoveJson {
    #[serde(rename = "move")]
    mv: String,
    to: Option<String>,
    value: Option<&'static str>,
    distance: Option<u32>,
    points: Option<i32>,
    odds: Option<OddsJson>,
    nimber: Option<u32>,
    ends: bool,
}

impl MoveJson {
    /// An opening out of a table's summary.
    pub(crate) fn opening(opening: &table::Opening) -> MoveJson {
        let figures = super::from_table(&opening.figures);
        MoveJson {
            mv: opening.mv.clone(),
            to: opening.to.clone(),
            value: figures.value.map(|value| value.name()),
            distance: figures.distance.map(|plies| plies.0),
            points: figures.points,
            odds: figures.odds.map(OddsJson::from),
            nimber: figures.nimber,
            ends: opening.ends,
        }
    }
}

/// `win`, `draw` or `loss`.
pub(crate) fn outcome_name(outcome: table::Outcome) -> &'static str {
    super::outcome_from_table(outcome).name()
}

/// Where an answer comes from.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct SourceJson {
    pub(crate) kind: &'static str,
    pub(crate) file: Option<String>,
    pub(crate) signature: Option<String>,
}

impl SourceJson {
    /// The same in words.
    pub(crate) fn in_words(&self) -> String {
        match (&self.file, self.kind) {
            (Some(file), _) => format!("table {file}"),
            (None, "searched") => "forward search; unknown means not proven".into(),
            (None, _) => "solved in memory just now".into(),
        }
    }
}

#[derive(Debug, Serialize)]
pub(crate) struct QueryJson {
    schema: u32,
    variant: String,
    position: String,
    value: &'static str,
    distance: Option<u32>,
    points: Option<i32>,
    odds: Option<OddsJson>,
    nimber: Option<u32>,
    terminal: bool,
    best: Vec<String>,
    moves: Vec<MoveJson>,
    #[serde(flatten)]
    outlook: OutlookJson,
    source: SourceJson,
}

/// What a search says besides figures.
#[derive(Clone, Debug, Default, Serialize)]
pub(crate) struct OutlookJson {
    /// Plies within which nobody can force a win, where the value is not known.
    pub(crate) undecided_within: Option<u32>,
    /// Best play to the end, where a search has proven a win or a loss.
    pub(crate) line: Option<Vec<String>>,
    /// A judgement at sight, where nothing is proven.
    pub(crate) estimate: Option<EstimateJson>,
}

/// A judgement that is no proof.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct EstimateJson {
    /// Always false.
    pub(crate) proven: bool,
    /// From −1 (bad for the player to move) to 1.
    pub(crate) outlook: f64,
    /// The moves that look best.
    pub(crate) moves: Vec<String>,
}

impl QueryJson {
    pub(crate) fn new<G: Game>(
        game: &G,
        answer: &Answer<G::Position, G::Move>,
        outlook: OutlookJson,
        source: SourceJson,
    ) -> QueryJson {
        let text = |mv| game.move_text(&answer.position, mv, Colours::Ryg);
        let Figures {
            value,
            distance,
            points,
            odds,
            nimber,
        } = answer.figures;
        QueryJson {
            schema: SCHEMA,
            variant: game.rules().name.clone(),
            position: game.position_text(&answer.position, Colours::Ryg),
            value: value.map_or("unknown", |value| value.name()),
            distance: distance.map(|plies| plies.0),
            points,
            odds: odds.map(OddsJson::from),
            nimber,
            terminal: answer.terminal,
            best: answer.moves[..answer.best]
                .iter()
                .map(|mv| text(mv.mv))
                .collect(),
            moves: answer
                .moves
                .iter()
                .map(|mv| MoveJson {
                    mv: text(mv.mv),
                    to: text_unless_chance(game, &mv.to),
                    value: Some(mv.figures.value.map_or("unknown", |value| value.name())),
                    distance: mv.figures.distance.map(|plies| plies.0),
                    points: mv.figures.points,
                    odds: mv.figures.odds.map(OddsJson::from),
                    nimber: mv.figures.nimber,
                    ends: mv.ends,
                })
                .collect(),
            outlook,
            source,
        }
    }
}

/// The text of a position; none where a draw comes first.
fn text_unless_chance<G: Game>(game: &G, position: &G::Position) -> Option<String> {
    let mut draws = Vec::new();
    game.draws(position, &mut draws);
    draws
        .is_empty()
        .then(|| game.position_text(position, Colours::Ryg))
}

/// A line of a batch that could not be answered.
#[derive(Debug, Serialize)]
pub(crate) struct BadLineJson<'a> {
    pub(crate) schema: u32,
    pub(crate) line: usize,
    pub(crate) input: &'a str,
    pub(crate) error: String,
}

#[derive(Debug, Serialize)]
pub(crate) struct LinePlyJson {
    #[serde(rename = "move")]
    mv: String,
    /// After the move and the likeliest draw.
    to: String,
    value: Option<&'static str>,
    distance: Option<u32>,
    points: Option<i32>,
    odds: Option<OddsJson>,
    /// The position in which the move is made.
    from: String,
    /// Chance, 0 to 1, of the draws of this ply.
    chance: f64,
}

#[derive(Debug, Serialize)]
pub(crate) struct LineJson {
    schema: u32,
    variant: String,
    position: String,
    /// `likeliest` where the line follows draws, else null.
    draws: Option<&'static str>,
    plies: Vec<LinePlyJson>,
}

impl LineJson {
    pub(crate) fn new<G: Game>(
        game: &G,
        start: &G::Position,
        line: &[LinePly<G::Position, G::Move>],
    ) -> LineJson {
        let mut plies = Vec::with_capacity(line.len());
        for ply in line {
            plies.push(LinePlyJson {
                mv: game.move_text(&ply.from, ply.mv, Colours::Ryg),
                to: game.position_text(&ply.to, Colours::Ryg),
                value: ply.figures.value.map(|value| value.name()),
                distance: ply.figures.distance.map(|plies| plies.0),
                points: ply.figures.points,
                odds: ply.figures.odds.map(OddsJson::from),
                from: game.position_text(&ply.from, Colours::Ryg),
                chance: ply.chance,
            });
        }
        LineJson {
            schema: SCHEMA,
            variant: game.rules().name.clone(),
            position: game.position_text(start, Colours::Ryg),
            draws: (game.rules().properties.luck == Luck::Draws).then_some("likeliest"),
            plies,
        }
    }
}

#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct ByValueJson {
    pub(crate) win: u64,
    pub(crate) loss: u64,
    pub(crate) draw: u64,
}

impl From<&table::ByValue> for ByValueJson {
    fn from(counts: &table::ByValue) -> ByValueJson {
        ByValueJson {
            win: counts.win,
            loss: counts.loss,
            draw: counts.draw,
        }
    }
}
