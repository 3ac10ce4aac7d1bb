//! `verify`: a table against the rules.

use anyhow::Result;
use greenwave_tablebase::{FaultKind, Sample, Verification};

use crate::args::VerifyArgs;
use crate::output::{bytes, counted, fitted, grouped};
use crate::report::DocumentReport;
use crate::session::{CommandVerdict, Session, expect_name};

pub(super) fn run(session: &Session, args: &VerifyArgs) -> Result<CommandVerdict> {
    expect_name(&args.target)?;
    let sample = args.sample.map(|count| Sample {
        count,
        seed: args.seed,
    });
    let mut tables = session.tablebase.tables_to_verify(&args.target)?;
    let lights = session.lights();
    // Before the first check, which may take long.
    for (variant, _) in tables.iter_mut().flatten() {
        *variant = variant.clone().with_chosen_lights(lights)?;
    }
    let single = tables.len() == 1;
    let mut verdict = CommandVerdict::Done;
    for table in tables {
        let verified =
            table.and_then(|(variant, table)| session.tablebase.verify(&variant, &table, sample));
        match verified {
            Ok(verified) => {
                if !verified.ok && verdict == CommandVerdict::Done {
                    verdict = CommandVerdict::No;
                }
                session.print(&DocumentReport::new(verified, |verified| {
                    Ok(fitted(picture(verified)))
                }))?;
            }
            Err(error) if single || error.fault() == FaultKind::Interrupted => {
                return Err(error.into());
            }
            // The others may be sound.
            Err(error) => {
                verdict = CommandVerdict::SomeFailed;
                session.complain(&error.to_string(), error.fault());
            }
        }
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
