//! The fields of expressions: what they mean and which games have them.

use greenwave_game::{
    Luck, Message, Metric, OWN_FIELDS, OwnField, OwnKind, Rules, Squares, Turn, Variant, with_game,
};

use super::ValueType;
use crate::messages;

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
    /// Whether a completed line stands.
    Line,
    /// Whether the game is over.
    Finished,
    /// Whether play reaches the position.
    Reachable,
    /// Symmetries that leave the position as it is.
    Symmetries,
    /// A field that some games alone have, with its number among those of a game.
    Own(OwnField, usize),
}

/// Fields of all games with their names and kinds, in the order in which they are listed.
const FIELDS: [(Field, &str, ValueType); 19] = [
    (Field::Value, "value", ValueType::Outcome),
    (Field::Distance, "distance", ValueType::Number),
    (Field::Points, "points", ValueType::Number),
    (Field::Nimber, "nimber", ValueType::Number),
    (Field::Expectation, "expectation", ValueType::Number),
    (Field::Ply, "ply", ValueType::Number),
    (Field::LevelSum, "level_sum", ValueType::Number),
    (Field::Moves, "moves", ValueType::Number),
    (Field::WinningMoves, "winning_moves", ValueType::Number),
    (Field::DrawingMoves, "drawing_moves", ValueType::Number),
    (Field::LosingMoves, "losing_moves", ValueType::Number),
    (Field::WinningAtOnce, "winning_at_once", ValueType::Number),
    (Field::LosingAtOnce, "losing_at_once", ValueType::Number),
    (Field::BestMoves, "best_moves", ValueType::Number),
    (Field::OnlyMove, "only_move", ValueType::Truth),
    (Field::Line, "line", ValueType::Truth),
    (Field::Finished, "finished", ValueType::Truth),
    (Field::Reachable, "reachable", ValueType::Truth),
    (Field::Symmetries, "symmetries", ValueType::Number),
];

/// The fields that all games have, then those of some, with their names and kinds.
pub(super) fn fields() -> impl Iterator<Item = (Field, &'static str, ValueType)> {
    FIELDS
        .into_iter()
        .chain(OWN_FIELDS.iter().copied().flat_map(own))
}

/// The names of the fields that a variant has.
#[must_use]
pub fn fields_of(variant: &Variant) -> Vec<&'static str> {
    with_game!(variant, game => names_of(game))
}

fn names_of<G: Squares>(game: &G) -> Vec<&'static str> {
    let all = FIELDS.into_iter().chain(own(G::FIELDS));
    let known = all.filter(|(field, ..)| field.lacking(game).is_none());
    known.map(|(_, name, _)| name).collect()
}

/// The field of a game with a name, if it is one of any game.
pub(super) fn named<G: Squares>(name: &str) -> Option<(Field, ValueType)> {
    // A game's number for its own field comes before the list of all games.
    let known = own(G::FIELDS).chain(fields());
    let mut known = known.filter(|(_, known, _)| *known == name);
    known.next().map(|(field, _, kind)| (field, kind))
}

fn own(fields: &'static [OwnField]) -> impl Iterator<Item = (Field, &'static str, ValueType)> {
    fields.iter().enumerate().map(|(number, field)| {
        let kind = match field.kind {
            OwnKind::Truth => ValueType::Truth,
            OwnKind::Number(_) | OwnKind::Moves | OwnKind::WinningMoves => ValueType::Number,
        };
        (Field::Own(*field, number), field.name, kind)
    })
}

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
            | Field::Line
            | Field::Finished
            | Field::Reachable
            | Field::Symmetries
            | Field::Own(..) => None,
        }
    }

    /// Why a game lacks the field, and the way out; `None` if it has it.
    #[must_use]
    pub fn lacking<G: Squares>(self, game: &G) -> Option<Message> {
        let (rules, features) = (game.rules(), game.features());
        let name = rules.title();
        if let Some(metric) = self
            .metric(rules)
            .filter(|metric| !rules.metrics.contains(metric))
        {
            let metrics: Vec<&str> = rules.metrics.iter().map(|metric| metric.name()).collect();
            let metrics = metrics.join(", ");
            return Some(messages::no_metric(name, metric.name(), metrics));
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
            Field::LevelSum => (!features.levels, no_lights),
            Field::Line => (!features.lines, no_lights),
            Field::Reachable => (
                luck,
                "it has luck in it, and what play can reach is not worked out then",
            ),
            Field::Own(field, _) => {
                let lacks = !G::FIELDS.contains(&field);
                return lacks.then(|| format!("{name}: it has no {}", field.of).into());
            }
            Field::Distance
            | Field::Points
            | Field::Nimber
            | Field::Expectation
            | Field::Moves
            | Field::WinningAtOnce
            | Field::Finished
            | Field::Symmetries => return None,
        };
        lacks.then(|| format!("{name}: {problem}").into())
    }
}
