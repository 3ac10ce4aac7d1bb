//! Claims as documents.

use greenwave_tablebase::SCHEMA;
use serde::Serialize;

use crate::claims::{Basis, Claim, ClaimResult, Id, proved_in};

/// A claim with what came of it.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct ClaimDocument {
    /// Version of the document.
    pub schema: u32,
    /// The name of the claim.
    pub claim: Id,
    /// The statement.
    pub text: String,
    /// The source of the claim.
    pub source: String,
    /// `true`, `false`, `unknown` or `not checkable`.
    #[cfg_attr(feature = "schemas", schemars(extend("enum" = ["true", "false", "unknown", "not checkable"])))]
    pub verdict: &'static str,
    /// The evidence, or the reason why there is none.
    pub evidence: String,
    /// The variant that the first test is about; `None` where nothing is tested, or it is not known.
    pub variant: Option<String>,
    /// The order of the lights in the texts of the claim, `ryg` or `gyr`; `None` where there are none.
    pub lights: Option<&'static str>,
    /// A position or a line of play that shows it.
    pub witness: Option<String>,
    /// Positions that were looked at.
    pub positions_examined: u64,
    /// The first signature of the values that were used.
    pub signature: Option<String>,
    /// All of them.
    pub signatures: Vec<String>,
    /// How its words were read.
    pub note: Option<String>,
    /// The files of `proofs/` with the theorems that settle it, if theorems do.
    pub proved_in: Option<String>,
}

impl ClaimDocument {
    /// The document of a claim and its verdict.
    #[must_use]
    pub fn new(claim: &Claim, settled: &ClaimResult) -> ClaimDocument {
        ClaimDocument {
            schema: SCHEMA,
            claim: claim.id.clone(),
            text: claim.text.clone(),
            source: claim.source.clone(),
            verdict: settled.verdict.name(),
            evidence: settled.evidence.to_string(),
            variant: settled.variant.clone(),
            lights: settled.lights,
            witness: settled.witness.clone(),
            positions_examined: settled.positions_examined,
            signature: settled.signatures.first().cloned(),
            signatures: settled.signatures.clone(),
            note: claim.note.clone(),
            proved_in: proved_in(claim),
        }
    }
}

/// A claim as it stands.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct ListedClaim {
    /// Version of the document.
    pub schema: u32,
    /// The name of the claim.
    pub claim: Id,
    /// The statement.
    pub text: String,
    /// The source of the claim.
    pub source: String,
    /// How its words were read.
    pub note: Option<String>,
    /// Whether a program can settle it.
    pub checkable: bool,
}

impl ListedClaim {
    /// The document of a claim.
    #[must_use]
    pub fn new(claim: &Claim) -> ListedClaim {
        ListedClaim {
            schema: SCHEMA,
            claim: claim.id.clone(),
            text: claim.text.clone(),
            source: claim.source.clone(),
            note: claim.note.clone(),
            checkable: matches!(claim.basis, Basis::Tests(_)),
        }
    }
}
