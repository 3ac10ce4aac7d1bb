//! The ledger.

use anyhow::Result;

use super::{Facts, Made, grouped, keys, size_of, table};
use crate::{Solved, Winner};

pub(super) fn ledger(facts: &Facts, made: &mut Made) -> Result<()> {
    let tables: Vec<Solved> = facts.expect("ledger", "tables")?;
    let rows: Vec<Vec<String>> = tables
        .iter()
        .map(|solved| {
            let signature = solved.signature.as_deref().unwrap_or_default();
            vec![
                format!("`{}`", solved.variant),
                solved.metric.clone(),
                grouped(solved.positions),
                format!("{:.3} s", solved.seconds),
                format!("{:.0} MiB", solved.memory as f64 / f64::from(1 << 20)),
                solved.bytes.map_or("–".into(), grouped),
                format!("`{}`", signature.get(..16).unwrap_or(signature)),
                solved.made.clone(),
            ]
        })
        .collect();
    let header = [
        "variant",
        "table",
        "positions",
        "time",
        "memory",
        "bytes",
        "signature begins",
        "made",
    ];
    made.parts
        .push(("ledger.md", "solved", table(&header, &rows)));
    let mut rows = Vec::new();
    for key in keys("winners").filter(|key| size_of(key).is_some()) {
        let found: Winner = facts.expect("winners", &key)?;
        let atlas = facts.1.iter().find(|row| row.variant == key);
        let table = atlas.and_then(|row| row.table.as_ref());
        let signature = found.signature.as_deref();
        let signature = signature.or(table.map(|table| &table.signature[..32]));
        let confirmed = atlas.and_then(|row| row.confirmed.as_ref());
        rows.push(vec![
            format!("`{key}`"),
            grouped(1 << (2 * found.squares)),
            grouped(found.won),
            grouped(found.lost),
            signature.map_or("–".into(), |signature| format!("`{signature}`")),
            match confirmed {
                Some(by) if by.other_order => {
                    format!("another order, {} searched", grouped(by.searched))
                }
                Some(by) => format!("{} searched", grouped(by.searched)),
                None => "–".into(),
            },
        ]);
    }
    let header = [
        "board",
        "positions",
        "won",
        "lost",
        "signature of the value table",
        "confirmed by",
    ];
    made.parts
        .push(("ledger.md", "tables", table(&header, &rows)));
    Ok(())
}
