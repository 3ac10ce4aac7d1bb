//! Claims settled, as the command `check` does.

use greenwave_judge::JudgeError;
use greenwave_judge::claims::{AskedClaims, read_asked, settle};
use greenwave_judge::documents::ClaimDocument;
use greenwave_tablebase::Tablebase;

use crate::failure::Failure;

/// Settles claims; all built-in ones where none is named.
pub(crate) fn check(
    tablebase: &Tablebase,
    asked: &[String],
) -> Result<Vec<ClaimDocument>, Failure> {
    // Everything that can be refused is refused before anything is solved.
    let work = read_asked(asked, &Ok, tablebase)?;
    let mut documents = Vec::new();
    for AskedClaims { folder, claims, .. } in &work {
        for claim in claims {
            let settled = tablebase.on_threads(|| settle(claim, tablebase, folder));
            let settled = settled.map_err(|error| match error {
                JudgeError::Interrupted => Failure::from(error),
                error => match Failure::from(error) {
                    Failure::Refused(text) => {
                        Failure::refused(format!("claim {}: {text}", claim.id))
                    }
                    interrupted => interrupted,
                },
            });
            documents.push(ClaimDocument::new(claim, &settled?));
        }
    }
    Ok(documents)
}
