//! What a table says of itself.

use std::path::Path;

use greenwave_game::Rules;
use serde::Serialize;

use super::{ByValue, MoveFigures, SCHEMA, StartFigures};
use crate::files::open_at;
use crate::{Error, is_rule_file};

/// The header of a table.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Info {
    /// Version of the document.
    pub schema: u32,
    /// The file.
    pub file: String,
    /// Its length.
    pub table_bytes: u64,
    /// The variant.
    pub variant: String,
    /// The order of the lights in its texts, `ryg`; `None` where the game has none.
    pub lights: Option<&'static str>,
    /// The metric.
    pub metric: String,
    /// The rules spelled out.
    pub rules: String,
    /// Their hash.
    pub rules_hash: String,
    /// The program that wrote it.
    pub program: String,
    /// Positions that it stands for.
    pub positions: u64,
    /// Legal, unfinished positions.
    pub nonterminal: u64,
    /// Values that it stores.
    pub packed: u64,
    /// Bits of each.
    pub value_bits: u32,
    /// Blocks of stored values in the file.
    pub blocks: u64,
    /// Signature of the values.
    pub signature: String,
    /// The figures of the start.
    #[serde(flatten)]
    pub start: StartFigures,
    /// Positions by value.
    pub by_value: Option<ByValue>,
    /// The moves of the start, best first.
    pub openings: Vec<MoveFigures>,
}

impl Info {
    /// Reads the header of a table file.
    ///
    /// # Errors
    /// When it cannot be read or is damaged.
    pub fn of_file(path: &Path) -> Result<Info, Error> {
        let name = path.display();
        if is_rule_file(&name.to_string()) && path.is_file() {
            return Err(Error::refused(format!(
                "'{name}' is a rule file, not a table; 'greenwave rules {name}' says what it describes"
            )));
        }
        let table = open_at(path)?;
        let meta = table.meta();
        Ok(Info {
            schema: SCHEMA,
            file: path.display().to_string(),
            table_bytes: table.bytes(),
            variant: meta.variant.clone(),
            lights: Rules::lights_of_tables(&meta.rules_text),
            metric: meta.metric.clone(),
            rules: meta.rules_text.clone(),
            rules_hash: meta.rules_hash.to_string(),
            program: meta.program.clone(),
            positions: meta.positions(),
            nonterminal: meta.nonterminal,
            packed: meta.packed,
            value_bits: meta.value_bits,
            blocks: table.frames(),
            signature: meta.signature.to_string(),
            start: (&meta.summary.start).into(),
            by_value: meta.summary.by_value.as_ref().map(ByValue::from),
            openings: MoveFigures::openings(None, &meta.summary.openings),
        })
    }
}
