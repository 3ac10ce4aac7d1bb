//! The names of games of noughts and crosses.

use super::family::NOUGHTS;
use super::rules::LineMeaning;
use crate::named::NamedGame;
use crate::options::{canonical_name, parse_size, value_of};
use crate::{NoughtsGame, VariantError, VariantName};

impl NamedGame for NoughtsGame {
    fn read(asked: &VariantName<'_>) -> Option<Result<NoughtsGame, VariantError>> {
        Some(sized(asked, asked.after(NOUGHTS.name)?))
    }
}

fn sized(asked: &VariantName<'_>, size: &str) -> Result<NoughtsGame, VariantError> {
    let name = format!("{}-{size}", NOUGHTS.name);
    let shape = parse_size(&name, NOUGHTS.name, size)?;
    let settings = asked.settings(&name, NOUGHTS.options)?;
    let full = canonical_name(&name, &settings);
    let line = match value_of(&settings, "line") {
        "4" => 4,
        "5" => 5,
        "6" => 6,
        _ => 3,
    };
    let play = match value_of(&settings, "play") {
        "misere" => LineMeaning::Misere,
        _ => LineMeaning::Normal,
    };
    Ok(NoughtsGame::new(full, settings, shape, line, play))
}
