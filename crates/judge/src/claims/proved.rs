//! Claims that a proof assistant has settled, too: which file of `proofs/` has the theorem.

use greenwave_tablebase::RocqTheorem;

use super::{Basis, Claim, Test, TestKind};

fn proved_test(test: &Test) -> Option<&'static str> {
    match &test.kind {
        TestKind::Value {
            position: None,
            value: Some(_),
            distance,
            points: None,
            nimber: None,
            finished: None,
        } if !distance.is_given() => RocqTheorem::of(&test.variant).map(|theorem| theorem.file),
        TestKind::Value { .. }
        | TestKind::Moves { .. }
        | TestKind::Play { .. }
        | TestKind::Where { .. }
        | TestKind::Supply { .. }
        | TestKind::Longest { .. }
        | TestKind::Strategy { .. }
        | TestKind::Equal { .. }
        | TestKind::Rises
        | TestKind::Properties { .. } => None,
    }
}

/// The files of `proofs/` with the theorems that settle a claim, if theorems settle all of it: claims of who wins
/// from the start of a board.
#[must_use]
pub fn proved_in(claim: &Claim) -> Option<String> {
    let Basis::Tests(tests) = &claim.basis else {
        return None;
    };
    let mut files: Vec<&str> = Vec::new();
    for test in tests {
        let file = proved_test(test)?;
        if !files.contains(&file) {
            files.push(file);
        }
    }
    (!files.is_empty()).then(|| files.join(", "))
}
