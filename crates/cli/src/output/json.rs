//! The documents of `--json`. Fields may be added, never renamed; what is not known is null.

use greenwave_game::Odds;
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

/// A line of a batch that could not be answered.
#[derive(Debug, Serialize)]
pub(crate) struct BadLineJson<'a> {
    pub(crate) schema: u32,
    pub(crate) line: usize,
    pub(crate) input: &'a str,
    pub(crate) error: String,
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
