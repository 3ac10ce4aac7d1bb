//! The tablebase as tests of claims ask it, and what came of a test.

use std::path::Path;
use std::sync::Arc;

use greenwave_game::{Message, Metric, Variant, VariantError};
use greenwave_solver::SolveError;
use greenwave_tablebase::{Solution, Tablebase, read_variant_in};

use crate::JudgeError;
use crate::sources::MetricSources;

/// What came of one test.
#[derive(Debug)]
pub(crate) struct TestResult {
    pub(crate) holds: bool,
    pub(crate) evidence: Message,
    pub(crate) witness: Option<String>,
    pub(crate) examined: u64,
}

/// The tablebase with a memory of the signatures that it handed out.
pub(crate) struct ClaimTablebase<'l> {
    pub(crate) tablebase: &'l Tablebase,
    // Where relative names of rule files begin.
    pub(super) folder: &'l Path,
    pub(super) signatures: std::cell::RefCell<Vec<String>>,
}

impl ClaimTablebase<'_> {
    /// The variant with a name, or of a rule file.
    pub(crate) fn variant(&self, name: &str) -> Result<Variant, JudgeError> {
        variant_named(self.folder, name)
    }

    pub(crate) fn values(
        &self,
        variant: &Variant,
        metric: Metric,
    ) -> Result<Arc<Solution>, JudgeError> {
        let held = self.tablebase.values(variant, metric)?;
        self.note(held.signature(variant)?.map(String::from));
        Ok(held)
    }

    /// Values in some metrics, large tables read as they are requested.
    pub(crate) fn sources(
        &self,
        variant: &Variant,
        metrics: &[Metric],
    ) -> Result<MetricSources, JudgeError> {
        let sources = MetricSources::of(self.tablebase, variant, metrics)?;
        self.note(sources.signatures(variant)?);
        Ok(sources)
    }

    fn note(&self, used: impl IntoIterator<Item = String>) {
        let mut signatures = self.signatures.borrow_mut();
        for signature in used {
            if !signatures.contains(&signature) {
                signatures.push(signature);
            }
        }
    }
}

/// The variant with a name, or of a rule file.
pub(crate) fn variant_named(folder: &Path, name: &str) -> Result<Variant, JudgeError> {
    Ok(read_variant_in(folder, name)?)
}

/// Whether an error says that something needed cannot be had, so that what depends on it is unknown.
pub(crate) fn out_of_reach(error: &JudgeError) -> bool {
    match error {
        JudgeError::Solve(SolveError::NoEngine { .. }) => true,
        JudgeError::Values(_) | JudgeError::Solve(_) => error.is_of_memory(),
        JudgeError::Variant(error) => matches!(error, VariantError::Unknown { .. }),
        JudgeError::Expression(_)
        | JudgeError::Setup(_)
        | JudgeError::Move(_)
        | JudgeError::Numbered(_)
        | JudgeError::Refused(_)
        | JudgeError::Claims { .. }
        | JudgeError::Output(_)
        | JudgeError::Interrupted => false,
    }
}
