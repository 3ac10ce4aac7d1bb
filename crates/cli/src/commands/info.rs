//! `info`: what a table says of itself.

use std::path::Path;

use anyhow::Result;
use greenwave_game::VariantError;
use greenwave_tablebase::Info;
use greenwave_words::Language;

use crate::output::{bytes, columns, counted, grouped, words};
use crate::report::{CommandReport, DocumentReport};
use crate::session::{Session, expect_no_input};

pub(super) fn run(session: &Session, path: &Path) -> Result<CommandReport> {
    expect_no_input(
        &path.to_string_lossy(),
        "a table",
        "name its file, such as solutions/classic-3x3/value.gwt",
    )?;
    let info = Info::of_file(path)?;
    if let Some(found) = session.lights().filter(|_| info.lights.is_none()) {
        let name = info.variant;
        return Err(VariantError::NoLights { name, found }.into());
    }
    Ok(CommandReport::with(DocumentReport::new(info, |info| {
        Ok(picture(info))
    })))
}

fn picture(info: &Info) -> String {
    let start = info.start.figures();
    let value = match start.nimber {
        Some(nimber) => format!("nimber {nimber}"),
        None => words::phrase(Language::English, &start),
    };
    let rows: Vec<Vec<String>> = [
        ("variant", info.variant.clone()),
        ("metric", info.metric.clone()),
        (
            "value of the start",
            format!("{value}, for the player to move"),
        ),
        ("positions", grouped(info.positions)),
        ("legal and unfinished", grouped(info.nonterminal)),
        (
            "stored values",
            format!("{} of {} bits", grouped(info.packed), info.value_bits),
        ),
        (
            "size",
            format!(
                "{} in {}",
                bytes(info.table_bytes.into()),
                counted(info.blocks, "block", "blocks")
            ),
        ),
        ("signature", info.signature[..32].to_string()),
        ("rules hash", info.rules_hash[..32].to_string()),
        ("written by", info.program.clone()),
    ]
    .map(|(key, value)| vec![key.to_string(), value])
    .to_vec();
    let rules: String = info
        .rules
        .lines()
        .map(|line| format!("    {line}\n"))
        .collect();
    format!(
        "{}\n{}\n  Rules:\n{rules}",
        info.file,
        columns(&rows, 2, &[])
    )
}
