//! `verify`: a table against the rules.

use std::sync::Arc;

use anyhow::Result;
use greenwave_game::Variant;
use greenwave_table::Table;
use greenwave_tablebase::{Sample, Verification};

use crate::args::VerifyArgs;
use crate::output::{bytes, counted, fitted, grouped};
use crate::report::DocumentReport;
use crate::session::{CommandVerdict, Session, expect_name};

pub(super) fn run(session: &Session, args: &VerifyArgs) -> Result<CommandVerdict> {
    expect_name(&args.target)?;
    let mut verdict = CommandVerdict::Done;
    let sample = args.sample.map(|count| Sample {
        count,
        seed: args.seed,
    });
    let tables = session.tablebase.tables_to_verify(&args.target)?;
    let lights = session.lights();
    let in_order =
        |(variant, table): (Variant, Arc<Table>)| Ok((variant.with_chosen_lights(lights)?, table));
    // Before the first check, which may take long.
    let tables = tables.into_iter().map(in_order);
    for (variant, table) in tables.collect::<Result<Vec<_>>>()? {
        let verified = session.tablebase.verify(&variant, &table, sample)?;
        if !verified.ok {
            verdict = CommandVerdict::No;
        }
        session.print(&DocumentReport::new(verified, |verified| {
            Ok(fitted(picture(verified)))
        }))?;
    }
    Ok(verdict)
}

fn picture(verified: &Verification) -> String {
    let verdict = match &verified.first {
        None if verified.sample.is_some() => {
            "every value of the sample follows from the rules; the rest was not looked at".into()
        }
        None => "every value follows from the rules".to_string(),
        Some(first) => {
            let mismatches = counted(verified.mismatches, "mismatch", "mismatches");
            format!("WRONG: {mismatches}; {first}")
        }
    };
    if let (Some(_), Some(seed)) = (verified.sample, verified.seed) {
        return format!(
            "{}: {verdict}\n  {} of {} worked out again (seed {seed}), {} read\n",
            verified.file,
            counted(verified.positions, "stored value", "stored values"),
            grouped(verified.packed),
            counted(verified.blocks, "block", "blocks"),
        );
    }
    // A table of odds has several numbers for a position.
    let of_positions = if verified.packed == verified.positions {
        String::new()
    } else {
        format!(
            " of {}",
            counted(verified.positions, "position", "positions")
        )
    };
    format!(
        "{}: {verdict}\n  {}{of_positions} in {} worked out again, {}\n",
        verified.file,
        counted(verified.packed, "stored value", "stored values"),
        counted(verified.blocks, "block", "blocks"),
        bytes(verified.table_bytes.into())
    )
}
