//! Claims settled, as the command `check` does.

use std::path::{Path, PathBuf};

use greenwave_judge::JudgeError;
use greenwave_judge::claims::{
    BUILT_IN, BUILT_IN_NAME, Claim, Id, LONGEST_CLAIMS, Settled, read_claims, read_one_line,
    settle, validate,
};
use greenwave_tablebase::{SCHEMA, Tablebase, read_text};
use serde::Serialize;

use crate::failure::Failure;

/// A claim with what came of it.
#[derive(Debug, Serialize)]
pub(crate) struct Document {
    schema: u32,
    claim: Name,
    text: String,
    source: String,
    verdict: &'static str,
    evidence: String,
    witness: Option<String>,
    positions_examined: u64,
    signature: Option<String>,
    signatures: Vec<String>,
    note: Option<String>,
}

#[derive(Debug, Serialize)]
#[serde(untagged)]
enum Name {
    Number(i64),
    Word(String),
}

impl Document {
    fn new(claim: &Claim, settled: Settled) -> Document {
        Document {
            schema: SCHEMA,
            claim: match &claim.id {
                Id::Number(number) => Name::Number(*number),
                Id::Word(word) => Name::Word(word.clone()),
            },
            text: claim.text.clone(),
            source: claim.source.clone(),
            verdict: settled.verdict.name(),
            evidence: settled.evidence,
            witness: settled.witness,
            positions_examined: settled.positions_examined,
            signature: settled.signatures.first().cloned(),
            signatures: settled.signatures,
            note: claim.note.clone(),
        }
    }
}

/// What is asked about: what errors call it, the folder in which names in it begin, and its claims.
type Asked = (String, PathBuf, Vec<Claim>);

fn read(asked: &str) -> Result<Asked, Failure> {
    let built_in = || read_claims(BUILT_IN_NAME, BUILT_IN);
    if asked.ends_with(".toml") {
        let path = Path::new(asked);
        let text = read_text(path, LONGEST_CLAIMS).map_err(|error| {
            Failure::refused(format!(
                "cannot read claims file '{asked}'; name a file that is there, or the id of a built-in \
                 claim: {error}"
            ))
        })?;
        let folder = path.parent().unwrap_or(Path::new("")).to_path_buf();
        return Ok((asked.into(), folder, read_claims(asked, &text)?));
    }
    if let Some(claim) = read_one_line(asked)? {
        return Ok((asked.into(), PathBuf::new(), vec![claim]));
    }
    let claims = built_in()?;
    let id = |claim: Option<&Claim>| claim.map_or_else(String::new, |claim| claim.id.to_string());
    let ends = (id(claims.first()), id(claims.last()));
    let found = claims
        .into_iter()
        .find(|claim| claim.id.to_string() == asked);
    match found {
        Some(claim) => Ok((BUILT_IN_NAME.into(), PathBuf::new(), vec![claim])),
        None => Err(Failure::refused(format!(
            "no claim '{asked}'; the built-in claims are {} to {}, and 'greenwave check' settles them \
             all; a file of your own ends in .toml, and a claim of your own is written as 'classic-3x3 \
             none: value = draw', with none, some or all",
            ends.0, ends.1
        ))),
    }
}

/// Settles claims; all built-in ones where none is named.
pub(crate) fn check(tablebase: &Tablebase, asked: &[String]) -> Result<Vec<Document>, Failure> {
    let mut work: Vec<Asked> = Vec::new();
    if asked.is_empty() {
        let claims = read_claims(BUILT_IN_NAME, BUILT_IN)?;
        work.push((BUILT_IN_NAME.into(), PathBuf::new(), claims));
    }
    for asked in asked {
        work.push(read(asked)?);
    }
    // Everything that can be refused is refused before anything is solved.
    for (name, folder, claims) in &work {
        validate(name, claims, folder)?;
    }
    let mut documents = Vec::new();
    for (_, folder, claims) in &work {
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
            documents.push(Document::new(claim, settled?));
        }
    }
    Ok(documents)
}
