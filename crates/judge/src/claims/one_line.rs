//! Claims in one line: `classic-3x3 none: value = draw`.

use std::path::Path;

use super::positions::{can_be_gone_through, read_expression};
use super::read::{Basis, Claim, Id, StatementForm, Test, TestKind};
use greenwave_game::Lights;

use super::variant_named;
use crate::{Among, JudgeError, messages};

/// The quantifiers with the words that they are written as.
const QUANTIFIERS: [&str; 3] = ["none", "some", "all"];

/// Reads `VARIANT none|some|all: EXPRESSION`, a claim about all positions that play reaches, written in
/// an order of the lights if one is chosen; nothing where the text has another form.
///
/// # Errors
/// When the variant or the expression cannot be read, or the positions cannot all be visited.
pub fn read_one_line(text: &str, chosen: Option<Lights>) -> Result<Option<Claim>, JudgeError> {
    let parts = QUANTIFIERS.iter().find_map(|word| {
        let (variant, expression) = text.split_once(&format!(" {word}:"))?;
        Some((variant.trim(), *word, expression.trim()))
    });
    let Some((name, word, expression)) = parts else {
        return Ok(None);
    };
    let mut variant = variant_named(Path::new(""), name)?;
    if let Some(lights) = chosen {
        variant = variant.with_lights(lights)?;
    }
    can_be_gone_through(&variant, Among::Reachable)
        .map_err(|_| JudgeError::Refused(messages::claim_chance(name)))?;
    read_expression(&variant, expression)?;
    let (form, filter) = match word {
        "none" => (StatementForm::None, expression),
        "some" => (StatementForm::Some, expression),
        _ => (StatementForm::Every(expression.into()), "true"),
    };
    let kind = TestKind::Where {
        form,
        filter: filter.into(),
        among: Among::Reachable,
    };
    Ok(Some(Claim {
        id: Id::Word(text.into()),
        text: text.into(),
        source: String::new(),
        note: None,
        basis: Basis::Tests(vec![Test::new(name.into(), chosen, kind)]),
    }))
}
