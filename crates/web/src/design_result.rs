//! Who wins by the rules of a design.

use greenwave_game::Variant;
use greenwave_tablebase::{Budget, Place, QueryOptions, SourceKind, Tablebase, Value};

use crate::problem::Problem;

/// Who wins, and by which first moves.
#[derive(Debug)]
pub(crate) struct DesignResult {
    pub(crate) value: Value,
    pub(crate) distance: Option<u32>,
    pub(crate) winning: Vec<String>,
    /// Whether of some first move nobody can tell whether it wins.
    pub(crate) has_unknown_moves: bool,
    /// How many first moves there are.
    pub(crate) openings: usize,
    pub(crate) source: SourceKind,
    /// Plies within which a search found that nobody can force the end.
    pub(crate) undecided_within: Option<u32>,
}

impl DesignResult {
    /// The result of a game from its start; with a budget, as far as it can be told within that.
    pub(crate) fn of(
        tablebase: &Tablebase,
        variant: &Variant,
        budget: Option<Budget>,
    ) -> Result<DesignResult, Problem> {
        let options = QueryOptions::within(budget);
        let answer = tablebase.query_at(variant, &Place::start(), &options)?;
        let moves = |value| {
            let moves = answer.moves.iter();
            moves.filter(move |mv| mv.value == Some(value))
        };
        Ok(DesignResult {
            value: answer.value,
            distance: answer.distance,
            winning: moves(Value::Win).map(|mv| mv.mv.clone()).collect(),
            has_unknown_moves: moves(Value::Unknown).next().is_some(),
            openings: answer.moves.len(),
            source: answer.source.kind,
            undecided_within: answer.undecided_within,
        })
    }

    /// Whether it says all that a solve would: who wins, in how many plies, and by which first moves.
    pub(crate) fn is_complete(&self) -> bool {
        let has_end = match self.value {
            Value::Win | Value::Loss => self.distance.is_some(),
            Value::Draw => true,
            Value::Unknown => false,
        };
        has_end && !self.has_unknown_moves
    }

    /// Whether a longer search may say more.
    pub(crate) fn may_improve(&self) -> bool {
        match self.source {
            SourceKind::Searched | SourceKind::Swept => !self.is_complete(),
            // The moves that it does not name are searched.
            SourceKind::Published => self.has_unknown_moves,
            SourceKind::Table | SourceKind::Solved | SourceKind::Proved => false,
        }
    }
}
