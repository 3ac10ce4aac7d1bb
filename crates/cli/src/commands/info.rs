//! `info`: what a table says of itself.

use std::path::Path;

use anyhow::Result;
use serde::Serialize;

use crate::files::open_at;
use crate::output::json::{ByValueJson, MoveJson, OddsJson, SCHEMA};
use crate::output::{
    best_first, bytes, columns, counted, from_table, grouped, print, print_json, words,
};
use crate::session::{Session, Verdict};

#[derive(Serialize)]
struct InfoJson {
    schema: u32,
    file: String,
    table_bytes: u64,
    variant: String,
    metric: String,
    rules: String,
    rules_hash: String,
    program: String,
    positions: u64,
    nonterminal: u64,
    packed: u64,
    value_bits: u32,
    blocks: u64,
    signature: String,
    value: Option<&'static str>,
    distance: Option<u32>,
    points: Option<i32>,
    odds: Option<OddsJson>,
    nimber: Option<u32>,
    by_value: Option<ByValueJson>,
    openings: Vec<MoveJson>,
}

pub(super) fn run(session: &Session, path: &Path) -> Result<Verdict> {
    let table = open_at(path)?;
    let meta = table.meta();
    let start = from_table(&meta.summary.start);
    if session.json {
        print_json(&InfoJson {
            schema: SCHEMA,
            file: path.display().to_string(),
            table_bytes: table.bytes(),
            variant: meta.variant.clone(),
            metric: meta.metric.clone(),
            rules: meta.rules_text.clone(),
            rules_hash: meta.rules_hash.to_string(),
            program: meta.program.clone(),
            positions: meta.positions(),
            nonterminal: meta.nonterminal,
            packed: meta.packed,
            value_bits: meta.value_bits,
            blocks: table.layout().frames(),
            signature: meta.signature.to_string(),
            value: start.value.map(|value| value.name()),
            distance: start.distance.map(|plies| plies.0),
            points: start.points,
            odds: start.odds.map(OddsJson::from),
            nimber: start.nimber,
            by_value: meta.summary.by_value.as_ref().map(ByValueJson::from),
            openings: best_first(&meta.summary.openings)
                .iter()
                .map(MoveJson::opening)
                .collect(),
        })?;
        return Ok(Verdict::Done);
    }
    let value = match start.nimber {
        Some(nimber) => format!("nimber {nimber}"),
        None => words::phrase(&start),
    };
    let rows: Vec<Vec<String>> = [
        ("variant", meta.variant.clone()),
        ("metric", meta.metric.clone()),
        (
            "value of the start",
            format!("{value}, for the player to move"),
        ),
        ("positions", grouped(meta.positions())),
        ("legal and unfinished", grouped(meta.nonterminal)),
        (
            "stored values",
            format!("{} of {} bits", grouped(meta.packed), meta.value_bits),
        ),
        (
            "size",
            format!(
                "{} in {}",
                bytes(table.bytes().into()),
                counted(table.layout().frames(), "block")
            ),
        ),
        ("signature", meta.signature.to_string()[..32].to_string()),
        ("rules hash", meta.rules_hash.to_string()[..32].to_string()),
        ("written by", meta.program.clone()),
    ]
    .map(|(key, value)| vec![key.to_string(), value])
    .to_vec();
    let rules: String = meta
        .rules_text
        .lines()
        .map(|line| format!("    {line}\n"))
        .collect();
    print(&format!(
        "{}\n{}\n  Rules:\n{rules}",
        path.display(),
        columns(&rows, 2, &[])
    ))?;
    Ok(Verdict::Done)
}
