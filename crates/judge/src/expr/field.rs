//! The fields of expressions: what they mean and which games have them.

use greenwave_game::{Luck, Metric, Rules, Turn};

use super::Kind;
use greenwave_game::Features;

/// A field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Field {
    /// Win, draw or loss for the player to move.
    Value,
    /// Plies to the end under best play.
    Distance,
    /// Own minus opponent's points still to come.
    Points,
    /// Grundy value.
    Nimber,
    /// What best play maximises, in millionths.
    Expectation,
    /// Plies played so far.
    Ply,
    /// Sum of all levels.
    LevelSum,
    /// Legal moves.
    Moves,
    /// Legal moves that win.
    WinningMoves,
    /// Legal moves that draw.
    DrawingMoves,
    /// Legal moves that lose.
    LosingMoves,
    /// Moves that end the game with a win.
    WinningAtOnce,
    /// Moves that lose at once.
    LosingAtOnce,
    /// Moves that tie for the best.
    BestMoves,
    /// Whether one of several moves alone keeps the value.
    OnlyMove,
    /// Legal moves of the strip.
    StripMoves,
    /// Moves of the strip that end the game with a win.
    WinningStripMoves,
    /// Whether strip moves are barred.
    Barred,
    /// Whether a completed line stands.
    Line,
    /// Whether the game is over.
    Finished,
    /// Whether play reaches the position.
    Reachable,
    /// Symmetries that leave the position as it is.
    Symmetries,
    /// The step of a turn of several that is to be made.
    Step,
    /// Whether Red is to move, or has won.
    RedMoves,
    /// Discs that Red has captured.
    RedCaptured,
    /// Discs that Green has captured.
    GreenCaptured,
    /// Discs that Red has in hand.
    RedHand,
    /// Discs that Green has in hand.
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
    /// The metric whose values the field needs; where the value alone is requested, the one with the
    /// least to solve.
    #[must_use]
    pub fn metric(self, rules: &Rules) -> Option<Metric> {
        match self {
            Field::Value
            | Field::WinningMoves
            | Field::DrawingMoves
            | Field::LosingMoves
            | Field::OnlyMove => Some(if rules.metrics.contains(&Metric::Value) {
                Metric::Value
            } else {
                rules.default_metric
            }),
            Field::BestMoves => Some(rules.default_metric),
            Field::Distance => Some(Metric::Distance),
            Field::Points => Some(Metric::Points),
            Field::Nimber => Some(Metric::Nimber),
            Field::Expectation => Some(Metric::Odds),
            Field::Ply
            | Field::LevelSum
            | Field::Moves
            | Field::WinningAtOnce
            | Field::LosingAtOnce
            | Field::StripMoves
            | Field::WinningStripMoves
            | Field::Barred
            | Field::Line
            | Field::Finished
            | Field::Reachable
            | Field::Symmetries
            | Field::Step
            | Field::RedMoves
            | Field::RedCaptured
            | Field::GreenCaptured
            | Field::RedHand
            | Field::GreenHand => None,
        }
    }

    /// Why a game lacks the field, and the way out; `None` if it has it.
    #[must_use]
    pub fn lacking(self, rules: &Rules, features: &Features) -> Option<String> {
        let name = rules.title();
        if let Some(metric) = self
            .metric(rules)
            .filter(|metric| !rules.metrics.contains(metric))
        {
            let metrics: Vec<&str> = rules.metrics.iter().map(|metric| metric.name()).collect();
            return Some(format!(
                "{name} has no metric '{metric}'; its metrics: {}",
                metrics.join(", ")
            ));
        }
        let luck = rules.properties.luck == Luck::Draws;
        let no_lights = "it has no lights on squares";
        let (lacks, problem) = match self {
            Field::Value
            | Field::WinningMoves
            | Field::DrawingMoves
            | Field::LosingMoves
            | Field::BestMoves
            | Field::OnlyMove => (luck, "it has luck in it; ask for 'expectation'"),
            Field::LosingAtOnce => (
                luck || rules.properties.turn == Turn::Runs,
                "it has luck in it, or players who make several plies running",
            ),
            Field::Ply => (
                !features.plies,
                if features.levels {
                    "a position does not tell how many plies were played; ask for 'level_sum'"
                } else {
                    no_lights
                },
            ),
            Field::StripMoves | Field::WinningStripMoves | Field::Barred => {
                (!features.strip, "it has no strip")
            }
            Field::LevelSum => (!features.levels, no_lights),
            Field::Line => (!features.lines, no_lights),
            Field::Reachable => (
                luck,
                "it has luck in it, and what play can reach is not worked out then",
            ),
            Field::Step
            | Field::RedMoves
            | Field::RedCaptured
            | Field::GreenCaptured
            | Field::RedHand
            | Field::GreenHand => (!features.discs, "it has no discs"),
            Field::Distance
            | Field::Points
            | Field::Nimber
            | Field::Expectation
            | Field::Moves
            | Field::WinningAtOnce
            | Field::Finished
            | Field::Symmetries => return None,
        };
        lacks.then(|| format!("{name}: {problem}"))
    }
}
