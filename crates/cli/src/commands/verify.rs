//! `verify`: a table against the rules.

use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, Result, bail};
use greenwave_game::{Variant, with_game};
use greenwave_probe::{BoardCheck, Verified, verify};
use greenwave_table::Table;
use greenwave_tablebase::is_rule_file;
use greenwave_values::{Progress, TableValues, Unit};
use serde::Serialize;

use crate::chance::has_chance;
use crate::files::open_at;
use crate::output::json::SCHEMA;
use crate::output::{bytes, counted, grouped, print, print_json};
use crate::session::{Session, Verdict};

#[derive(Serialize)]
struct VerifyJson {
    schema: u32,
    file: String,
    ok: bool,
    blocks: u64,
    positions: u64,
    mismatches: u64,
    first: Option<String>,
}

pub(super) fn run(session: &Session, target: &str) -> Result<Verdict> {
    let path = Path::new(target);
    let mut tables = Vec::new();
    let is_table = path.extension().is_some_and(|extension| extension == "gwt");
    if is_table || (path.is_file() && !is_rule_file(target)) {
        let table = open_at(path)?;
        let name = table.meta().variant.clone();
        if is_rule_file(&name) {
            bail!(
                "table '{target}' is of the rule file {name}; verify it by its rules: \
                 'greenwave verify {name}', with --dir naming the folder above the table's"
            );
        }
        let variant = Variant::parse(&name).with_context(|| {
            format!("table '{target}' is of a variant that this version does not know")
        })?;
        tables.push((variant, Arc::new(table)));
    } else {
        let (variant, _) = session.variant(target)?;
        let rules = variant.rules().clone();
        for metric in &rules.metrics {
            if let Some(table) = session.open_table(&rules, *metric)? {
                tables.push((variant.clone(), table));
            }
        }
        if tables.is_empty() {
            bail!(
                "no table of {} in {}; solve it first with 'greenwave solve {}'",
                rules.name,
                session.dir.display(),
                rules.name
            );
        }
    }
    let mut verdict = Verdict::Done;
    for (variant, table) in &tables {
        let verified = if has_chance(variant) {
            crate::chance::verify(session, variant, Table::open(table.path())?)?
        } else {
            one(session, variant, table)?
        };
        if verified.mismatches > 0 {
            verdict = Verdict::No;
        }
        report(session, table, &verified)?;
    }
    Ok(verdict)
}

fn one(session: &Session, variant: &Variant, table: &Table) -> Result<Verified> {
    let indexable = table.meta().indexable;
    let progress = &*session.progress;
    let stage = format!("verifying {}", table.path().display());
    let done = |indices| progress.advance(indices);
    let verified = session.on_threads(|| {
        if let Some(game) = variant.as_board() {
            let values = TableValues::new(game, table)?;
            if let Some(check) = BoardCheck::new(&values, game) {
                expect_memory(session, table, check.memory_bytes())?;
                progress.show(&stage, check.indices(), Unit::Positions);
                return Ok(check.run(&done)?);
            }
        }
        // One code per index is read into memory.
        let needed = u128::from(indexable) * u128::from(table.layout().value_bits.div_ceil(8));
        expect_memory(session, table, needed)?;
        progress.show(&stage, indexable, Unit::Positions);
        with_game!(variant, game => {
            let values = TableValues::new(game, table)?;
            Ok(verify(&values, game, &done)?)
        })
    });
    progress.finish();
    verified
}

fn expect_memory(session: &Session, table: &Table, needed: u128) -> Result<()> {
    if needed > u128::from(session.memory) {
        bail!(
            "verifying '{}' needs {} of memory, allowed are {}; give more with --memory",
            table.path().display(),
            bytes(needed),
            bytes(session.memory.into())
        );
    }
    Ok(())
}

fn report(session: &Session, table: &Table, verified: &Verified) -> Result<()> {
    let file = table.path().display().to_string();
    let Verified {
        blocks,
        positions,
        mismatches,
        first,
    } = verified;
    if session.json {
        return print_json(&VerifyJson {
            schema: SCHEMA,
            file,
            ok: *mismatches == 0,
            blocks: *blocks,
            positions: *positions,
            mismatches: *mismatches,
            first: first.clone(),
        });
    }
    let verdict = match first {
        None => "every value follows from the rules".to_string(),
        Some(first) => format!(
            "WRONG: {}; {first}",
            match mismatches {
                1 => "1 mismatch".into(),
                _ => format!("{} mismatches", grouped(mismatches)),
            }
        ),
    };
    // A table of odds has several numbers for a position.
    let packed = table.meta().packed;
    let of_positions = match packed == *positions {
        true => String::new(),
        false => format!(" of {}", counted(*positions, "position")),
    };
    print(&format!(
        "{file}: {verdict}\n  {}{of_positions} in {} worked out again, {}\n",
        counted(packed, "stored value"),
        counted(*blocks, "block"),
        bytes(table.bytes().into())
    ))
}
