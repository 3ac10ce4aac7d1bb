//! Who wins by the rules of a design.

use greenwave_game::Variant;
use greenwave_tablebase::{Place, QueryOptions, Tablebase, Value};

use crate::problem::Problem;

/// Who wins, and by which first moves.
#[derive(Debug)]
pub(crate) struct DesignResult {
    pub(crate) value: Value,
    pub(crate) distance: Option<u32>,
    pub(crate) winning: Vec<String>,
    /// How many first moves there are.
    pub(crate) openings: usize,
}

impl DesignResult {
    /// The result of a game from its start.
    pub(crate) fn of(tablebase: &Tablebase, variant: &Variant) -> Result<DesignResult, Problem> {
        let answer = tablebase.query_at(variant, &Place::start(), &QueryOptions::default())?;
        let wins = answer
            .moves
            .iter()
            .filter(|mv| mv.value == Some(Value::Win));
        Ok(DesignResult {
            value: answer.value,
            distance: answer.distance,
            winning: wins.map(|mv| mv.mv.clone()).collect(),
            openings: answer.moves.len(),
        })
    }
}
