//! Games with a memory come from rule files and have no names.

use crate::named::NamedGame;
use crate::{MemoryGame, VariantError, VariantName};

impl NamedGame for MemoryGame {
    fn read(_: &VariantName<'_>) -> Option<Result<MemoryGame, VariantError>> {
        None
    }
}
