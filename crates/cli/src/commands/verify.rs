//! `verify`: a table against the rules.

use anyhow::Result;
use greenwave_tablebase::Verification;

use crate::output::{bytes, counted};
use crate::session::{Session, Verdict};

pub(super) fn run(session: &Session, target: &str) -> Result<Verdict> {
    let mut verdict = Verdict::Done;
    for (variant, table) in session.tablebase.tables_to_verify(target)? {
        let verified = session.tablebase.verify(&variant, &table)?;
        if !verified.ok {
            verdict = Verdict::No;
        }
        session.report(&verified, || Ok(picture(&verified)))?;
    }
    Ok(verdict)
}

fn picture(verified: &Verification) -> String {
    let verdict = match &verified.first {
        None => "every value follows from the rules".to_string(),
        Some(first) => {
            let mismatches = counted(verified.mismatches, "mismatch", "mismatches");
            format!("WRONG: {mismatches}; {first}")
        }
    };
    // A table of odds has several numbers for a position.
    let of_positions = match verified.packed == verified.positions {
        true => String::new(),
        false => format!(
            " of {}",
            counted(verified.positions, "position", "positions")
        ),
    };
    format!(
        "{}: {verdict}\n  {}{of_positions} in {} worked out again, {}\n",
        verified.file,
        counted(verified.packed, "stored value", "stored values"),
        counted(verified.blocks, "block", "blocks"),
        bytes(verified.table_bytes.into())
    )
}
