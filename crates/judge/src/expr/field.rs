//! The fields of expressions: what they mean and which games have them.

use greenwave_game::{Luck, Metric, Rules, Turn};

use super::Kind;
use greenwave_game::Traits;

/// A field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Field {
    Value,
    Distance,
    Points,
    Nimber,
    Expectation,
    Ply,
    LevelSum,
    Moves,
    WinningMoves,
    DrawingMoves,
    LosingMoves,
    WinningAtOnce,
    LosingAtOnce,
    BestMoves,
    OnlyMove,
    StripMoves,
    WinningStripMoves,
    Barred,
    Line,
    Finished,
    Reachable,
    Symmetries,
    Step,
    RedMoves,
    RedCaptured,
    GreenCaptured,
    RedHand,
    GreenHand,
}

/// Fields with their names and kinds, in the order in which they are listed.
pub(super) const FIELDS: [(Field, &str, Kind); 28] = [
    (Field::Value, "value", Kind::Outcome),
    (Field::Distance, "distance", Kind::Number),
    (Field::Points, "points", Kind::Number),
    (Field::Nimber, "nimber", Kind::Number),
    (Field::Expectation, "expectation", Kind::Number),
    (Field::Ply, "ply", Kind::Number),
    (Field::LevelSum, "level_sum", Kind::Number),
    (Field::Moves, "moves", Kind::Number),
    (Field::WinningMoves, "winning_moves", Kind::Number),
    (Field::DrawingMoves, "drawing_moves", Kind::Number),
    (Field::LosingMoves, "losing_moves", Kind::Number),
    (Field::WinningAtOnce, "winning_at_once", Kind::Number),
    (Field::LosingAtOnce, "losing_at_once", Kind::Number),
    (Field::BestMoves, "best_moves", Kind::Number),
    (Field::OnlyMove, "only_move", Kind::Truth),
    (Field::StripMoves, "strip_moves", Kind::Number),
    (
        Field::WinningStripMoves,
        "winning_strip_moves",
        Kind::Number,
    ),
    (Field::Barred, "barred", Kind::Truth),
    (Field::Line, "line", Kind::Truth),
    (Field::Finished, "finished", Kind::Truth),
    (Field::Reachable, "reachable", Kind::Truth),
    (Field::Symmetries, "symmetries", Kind::Number),
    (Field::Step, "step", Kind::Number),
    (Field::RedMoves, "red_moves", Kind::Truth),
    (Field::RedCaptured, "red_captured", Kind::Number),
    (Field::GreenCaptured, "green_captured", Kind::Number),
    (Field::RedHand, "red_hand", Kind::Number),
    (Field::GreenHand, "green_hand", Kind::Number),
];

impl Field {
    /// Whether the value alone is asked for, which several metrics give.
    pub(super) fn of_value(self) -> bool {
        use Field::{DrawingMoves, LosingMoves, OnlyMove, Value, WinningMoves};
        matches!(
            self,
            Value | WinningMoves | DrawingMoves | LosingMoves | OnlyMove
        )
    }

    /// The metric whose values the field needs; where the value alone is asked for, the one with the
    /// least to solve.
    #[must_use]
    pub fn metric(self, rules: &Rules) -> Option<Metric> {
        match self {
            _ if self.of_value() => Some(match rules.metrics.contains(&Metric::Value) {
                true => Metric::Value,
                false => rules.default_metric,
            }),
            Field::BestMoves => Some(rules.default_metric),
            Field::Distance => Some(Metric::Distance),
            Field::Points => Some(Metric::Points),
            Field::Nimber => Some(Metric::Nimber),
            Field::Expectation => Some(Metric::Odds),
            _ => None,
        }
    }

    /// Why a game lacks the field, and the way out; `None` if it has it.
    #[must_use]
    pub fn lacking(self, rules: &Rules, traits: &Traits) -> Option<String> {
        let name = &rules.name;
        if let Some(metric) = self
            .metric(rules)
            .filter(|metric| !rules.metrics.contains(metric))
        {
            let metrics: Vec<&str> = rules.metrics.iter().map(|metric| metric.name()).collect();
            return Some(format!(
                "{name} has no metric '{metric}'; its metrics, which 'greenwave solve {name} --metric …' solves: {}",
                metrics.join(", ")
            ));
        }
        let luck = rules.properties.luck == Luck::Draws;
        let problem = match self {
            Field::Value
            | Field::WinningMoves
            | Field::DrawingMoves
            | Field::LosingMoves
            | Field::BestMoves
            | Field::OnlyMove
                if luck =>
            {
                "it has luck in it; ask for 'expectation'"
            }
            Field::LosingAtOnce if luck || rules.properties.turn == Turn::Runs => {
                "it has luck in it, or players who make several plies running"
            }
            Field::Ply if traits.levels && !traits.plies => {
                "a position does not tell how many plies were played; ask for 'level_sum'"
            }
            Field::StripMoves | Field::WinningStripMoves | Field::Barred if !traits.strip => {
                "it has no strip"
            }
            Field::Ply if !traits.plies => "it has no lights on squares",
            Field::LevelSum if !traits.levels => "it has no lights on squares",
            Field::Line if !traits.lines => "it has no lights on squares",
            Field::Reachable if luck => {
                "it has luck in it, and what play can reach is not worked out then"
            }
            Field::Step
            | Field::RedMoves
            | Field::RedCaptured
            | Field::GreenCaptured
            | Field::RedHand
            | Field::GreenHand
                if !traits.discs =>
            {
                "it has no discs"
            }
            _ => return None,
        };
        Some(format!("{name}: {problem}"))
    }
}
