//! Claims in one line: `classic-3x3 none: value = draw`.

use std::path::Path;

use greenwave_game::{Variant, VariantError};

use super::positions::{can_be_gone_through, read_expression};
use super::read::{Basis, Claim, Id, StatementForm, Test, TestKind};
use super::tablebase::variant_named;
use crate::{Among, JudgeError, messages};

/// The quantifiers with the words that they are written as.
const QUANTIFIERS: [&str; 3] = ["none", "some", "all"];

/// Reads `VARIANT none|some|all: EXPRESSION`, a claim about all positions that play reaches; nothing where
/// the text has another form. `written` puts a variant into the order of the lights that is requested.
///
/// # Errors
/// When the variant or the expression cannot be read, or the positions cannot all be visited.
pub fn read_one_line(
    text: &str,
    written: &dyn Fn(Variant) -> Result<Variant, VariantError>,
) -> Result<Option<Claim>, JudgeError> {
    let parts = QUANTIFIERS.iter().find_map(|word| {
        let (variant, expression) = text.split_once(&format!(" {word}:"))?;
        Some((variant.trim(), *word, expression.trim()))
    });
    let Some((name, word, expression)) = parts else {
        return Ok(None);
    };
    let named = variant_named(Path::new(""), name)?;
    let own = named.rules().lights;
    let variant = written(named)?;
    let chosen = variant
        .rules()
        .lights
        .filter(|_| variant.rules().lights != own);
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
