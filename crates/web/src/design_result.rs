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
        let options = QueryOptions {
            budget,
            ..QueryOptions::default()
        };
        let answer = tablebase.query_at(variant, &Place::start(), &options)?;
        let wins = answer
            .moves
            .iter()
            .filter(|mv| mv.value == Some(Value::Win));
        Ok(DesignResult {
            value: answer.value,
            distance: answer.distance,
            winning: wins.map(|mv| mv.mv.clone()).collect(),
            openings: answer.moves.len(),
            source: answer.source.kind,
            undecided_within: answer.undecided_within,
        })
    }
}
