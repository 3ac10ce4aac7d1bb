//! Claims: statements about games, settled with evidence.

mod asked;
pub(crate) mod evidence;
mod one_line;
mod play;
mod positions;
mod proved;
mod read;
mod tablebase;

use std::path::Path;

use greenwave_game::keyed::first_faults;
use greenwave_game::{Luck, Message, Metric, Variant, VariantError};

pub use asked::{AskedClaims, read_asked};
pub use evidence::MESSAGES as EVIDENCE;
pub use one_line::read_one_line;
pub use proved::proved_in;
pub use read::{
    Basis, Claim, ClaimedPlies, Id, LONGEST_CLAIMS, MoveList, MoveSet, StatementForm, Test,
    TestKind, read_claims,
};

use greenwave_tablebase::Tablebase;

use crate::JudgeError;
use tablebase::{ClaimTablebase, TestResult, out_of_reach, variant_named};

/// What messages call the built-in claims.
pub const BUILT_IN_NAME: &str = "docs/claims.toml";

/// The built-in claims, which can be read in public: a claims file.
pub const BUILT_IN: &str = include_str!("../../claims.toml");

/// What came of each built-in claim when they were last settled: its number and the verdict, one a line.
const PUBLISHED_VERDICTS: &str = include_str!("../../verdicts.tsv");

/// What came of a built-in claim when they were last settled; `None` of other claims.
#[must_use]
pub fn published_verdict(id: &Id) -> Option<Verdict> {
    let id = id.to_string();
    let mut rows = PUBLISHED_VERDICTS
        .lines()
        .filter_map(|row| row.split_once('\t'));
    let (_, name) = rows.find(|(known, _)| *known == id)?;
    Verdict::ALL
        .into_iter()
        .find(|verdict| verdict.name() == name)
}

/// What came of a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Every test holds.
    True,
    /// A test fails.
    False,
    /// Something needed could not be had.
    Unknown,
    /// No program can settle it.
    NotCheckable,
}

impl Verdict {
    /// All verdicts.
    pub const ALL: [Verdict; 4] = [
        Verdict::True,
        Verdict::False,
        Verdict::Unknown,
        Verdict::NotCheckable,
    ];

    /// `true`, `false`, `unknown` or `not checkable`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Verdict::True => "true",
            Verdict::False => "false",
            Verdict::Unknown => "unknown",
            Verdict::NotCheckable => "not checkable",
        }
    }
}

/// A claim with its verdict.
#[derive(Clone, Debug)]
pub struct ClaimResult {
    /// The verdict.
    pub verdict: Verdict,
    /// What was found, or why nothing was.
    pub evidence: Message,
    /// The variant that the first test is about, if it is known.
    pub variant: Option<String>,
    /// The name of the order of the lights in its texts.
    pub lights: Option<&'static str>,
    /// A position or a line of play that shows it.
    pub witness: Option<String>,
    /// Positions that were looked at.
    pub positions_examined: u64,
    /// Signatures of the values that were used.
    pub signatures: Vec<String>,
}

/// Checks that every claim of a file can be read for its variants: expressions, positions, moves,
/// figures. Solves nothing. A variant that this version does not know makes a claim unknown, not
/// unreadable. `name` is what errors call the file, and relative names of rule files begin in `folder`.
///
/// # Errors
/// When some cannot be: every fault with its line, column, key and claim.
pub fn validate(name: &str, claims: &[Claim], folder: &Path) -> Result<(), JudgeError> {
    let mut faults = Vec::new();
    for claim in claims {
        let Basis::Tests(tests) = &claim.basis else {
            continue;
        };
        for test in tests {
            let mut note = |key: &str, checked: Result<(), JudgeError>| {
                if let Err(error) = checked {
                    let lines = error.to_string().replace('\n', "\n    ");
                    faults.push(test.fault(key, format!("claim {}: {lines}", claim.id)));
                }
            };
            match test.variant_in(folder) {
                Ok(variant) => test.check(&variant, folder, &mut note),
                Err(JudgeError::Variant(VariantError::Unknown { .. })) => {}
                Err(error) => note("variant", Err(error)),
            }
        }
    }
    if faults.is_empty() {
        return Ok(());
    }
    Err(JudgeError::Claims {
        file: name.into(),
        faults: first_faults(faults),
    })
}

/// Settles a claim with the values of a tablebase; relative names of rule files begin in `folder`.
///
/// # Errors
/// When the work is cancelled, a table is damaged, or a test does not fit its variant; when something
/// does not fit the memory, unless another test refutes the claim.
pub fn settle(
    claim: &Claim,
    tablebase: &Tablebase,
    folder: &Path,
) -> Result<ClaimResult, JudgeError> {
    let tests = match &claim.basis {
        Basis::NotCheckable(reason) => {
            return Ok(ClaimResult {
                verdict: Verdict::NotCheckable,
                evidence: reason.clone().into(),
                variant: None,
                lights: None,
                witness: None,
                positions_examined: 0,
                signatures: Vec::new(),
            });
        }
        Basis::Tests(tests) => tests,
    };
    let consulted = ClaimTablebase {
        tablebase,
        folder,
        signatures: std::cell::RefCell::default(),
    };
    let mut verdict = Verdict::True;
    let mut evidence = Vec::new();
    let mut examined = 0;
    // A refuting test weighs more than a confirming one.
    let (mut refuting, mut confirming) = (None, None);
    let mut short_of_memory = None;
    for test in tests {
        match test.run(&consulted) {
            Ok(finding) => {
                examined += finding.examined;
                evidence.push(finding.evidence);
                if finding.holds {
                    confirming = confirming.or(finding.witness);
                } else {
                    verdict = Verdict::False;
                    refuting = refuting.or(finding.witness);
                }
            }
            Err(error) if out_of_reach(&error) => {
                if verdict == Verdict::True {
                    verdict = Verdict::Unknown;
                }
                evidence.push(error.message());
                if error.is_of_memory() {
                    short_of_memory = short_of_memory.or(Some(error));
                }
            }
            Err(error) => return Err(error),
        }
    }
    if let Some(error) = short_of_memory.filter(|_| verdict == Verdict::Unknown) {
        return Err(error);
    }
    let first = tests.first().and_then(|test| test.variant_in(folder).ok());
    Ok(ClaimResult {
        verdict,
        variant: first
            .as_ref()
            .map(|variant| variant.rules().title().to_string()),
        lights: first.and_then(|variant| variant.rules().lights_name()),
        evidence: evidence::evidence(evidence),
        witness: if verdict == Verdict::False {
            refuting
        } else {
            confirming
        },
        positions_examined: examined,
        signatures: consulted.signatures.into_inner(),
    })
}

impl Test {
    /// Tells of every key whether what it says fits the variant.
    fn check(
        &self,
        variant: &Variant,
        folder: &Path,
        note: &mut dyn FnMut(&str, Result<(), JudgeError>),
    ) {
        use positions::{has_metric, read_expression, read_moves, read_position};
        match &self.kind {
            TestKind::Value {
                position,
                distance,
                points,
                nimber,
                ..
            } => {
                note("position", read_position(variant, position.as_deref()));
                let figures = [
                    ("distance", distance.exactly.is_some(), Metric::Distance),
                    (
                        "distance-at-least",
                        distance.at_least.is_some(),
                        Metric::Distance,
                    ),
                    (
                        "distance-at-most",
                        distance.at_most.is_some(),
                        Metric::Distance,
                    ),
                    ("points", points.is_some(), Metric::Points),
                    ("nimber", nimber.is_some(), Metric::Nimber),
                ];
                for (key, _, metric) in figures.into_iter().filter(|(_, given, _)| *given) {
                    note(key, has_metric(variant, metric));
                }
            }
            TestKind::Moves { position, sets } => {
                let position = position.as_deref();
                let placed = read_position(variant, position);
                let start = position.filter(|_| placed.is_ok());
                note("position", placed);
                for (set, list) in sets {
                    note(set.key(), read_moves(variant, start, list.texts(), false));
                }
            }
            TestKind::Play {
                position,
                moves,
                to,
                ..
            } => {
                let position = position.as_deref();
                let placed = read_position(variant, position);
                let start = position.filter(|_| placed.is_ok());
                note("position", placed);
                note("moves", read_moves(variant, start, moves, true));
                note("to", read_position(variant, to.as_deref()));
            }
            TestKind::Where {
                form,
                filter,
                among,
            } => {
                note("among", positions::can_be_gone_through(variant, *among));
                note("where", read_expression(variant, filter));
                if let StatementForm::Every(holds) = form {
                    note("holds", read_expression(variant, holds));
                }
            }
            TestKind::Supply { supply, .. } => {
                note("variant", play::on_board(variant, "a supply"));
                let limited = play::limited(&self.variant, variant, supply, folder);
                note("supply", limited.map(drop));
            }
            TestKind::Longest { game, .. } => note("variant", play::has_longest(variant, *game)),
            TestKind::Equal { other, values } => {
                let compared = variant_named(folder, other).and_then(|other| {
                    let lucky = |variant: &Variant| variant.rules().properties.luck == Luck::Draws;
                    if *values && (lucky(variant) || lucky(&other)) {
                        return Err(JudgeError::refused(
                            "only values of games without chance are compared; leave out in = \
                             \"values\" to compare the rules",
                        ));
                    }
                    Ok(())
                });
                note("other", compared);
            }
            TestKind::Strategy { rules, .. } => {
                note("strategy", play::read_strategy(variant, rules))
            }
            TestKind::Rises | TestKind::Properties { .. } => {}
        }
    }

    fn run(&self, consulted: &ClaimTablebase<'_>) -> Result<TestResult, JudgeError> {
        let variant = self.variant_in(consulted.folder)?;
        match &self.kind {
            TestKind::Value { .. } => positions::value(&variant, &self.kind, consulted),
            TestKind::Moves { position, sets } => {
                positions::moves(&variant, position.as_deref(), sets, consulted)
            }
            TestKind::Play { .. } => positions::play(&variant, &self.kind, consulted),
            TestKind::Where {
                form,
                filter,
                among,
            } => positions::described(&variant, form, filter, *among, consulted),
            TestKind::Supply { supply, binds } => {
                play::supply(&self.variant, &variant, supply, *binds, consulted)
            }
            TestKind::Longest { game, plies } => {
                play::longest(&variant, *game, *plies, consulted.tablebase.progress())
            }
            TestKind::Strategy { first, rules } => {
                play::strategy(&variant, *first, rules, consulted.tablebase.progress())
            }
            TestKind::Equal { other, values } => {
                play::equal(&self.variant, other, *values, consulted)
            }
            TestKind::Rises => play::rises(&variant, consulted),
            TestKind::Properties { .. } => play::properties(&variant, &self.kind),
        }
    }
}
