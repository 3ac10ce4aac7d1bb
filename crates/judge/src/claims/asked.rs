//! Claims that somebody asks about: built-in ones by their ids, files of claims, claims in one line.

use std::path::{Path, PathBuf};

use greenwave_tablebase::read_text;

use super::{BUILT_IN, BUILT_IN_NAME, Claim, LONGEST_CLAIMS, read_claims, read_one_line, validate};
use crate::JudgeError;

/// Claims from one place.
#[derive(Clone, Debug)]
pub struct AskedClaims {
    /// Where relative names of rule files in them begin.
    pub folder: PathBuf,
    /// The claims.
    pub claims: Vec<Claim>,
}

/// Reads what is asked about, all built-in claims where nothing is, and checks that every claim can be
/// read for its variants. Solves nothing.
///
/// # Errors
/// When a file or a claim cannot be read, and when no built-in claim has an id.
pub fn read_asked(asked: &[String]) -> Result<Vec<AskedClaims>, JudgeError> {
    let mut all = Vec::new();
    if asked.is_empty() {
        let claims = read_claims(BUILT_IN_NAME, BUILT_IN)?;
        all.push((BUILT_IN_NAME, PathBuf::new(), claims));
    }
    for asked in asked {
        all.push(read(asked)?);
    }
    for (name, folder, claims) in &all {
        validate(name, claims, folder)?;
    }
    let read = all.into_iter();
    Ok(read
        .map(|(_, folder, claims)| AskedClaims { folder, claims })
        .collect())
}

// What errors call the claims, the folder in which names in them begin, and the claims.
fn read(asked: &str) -> Result<(&str, PathBuf, Vec<Claim>), JudgeError> {
    if asked.ends_with(".toml") {
        let path = Path::new(asked);
        let text = read_text(path, LONGEST_CLAIMS).map_err(|error| {
            JudgeError::Refused(format!(
                "cannot read claims file '{asked}'; name a file that is there, or the id of a built-in \
                 claim: {error}"
            ))
        })?;
        let folder = path.parent().unwrap_or(Path::new("")).to_path_buf();
        return Ok((asked, folder, read_claims(asked, &text)?));
    }
    if let Some(claim) = read_one_line(asked)? {
        return Ok((asked, PathBuf::new(), vec![claim]));
    }
    let claims = read_claims(BUILT_IN_NAME, BUILT_IN)?;
    let found = claims.iter().find(|claim| claim.id.to_string() == asked);
    let Some(claim) = found else {
        let id = |claim: Option<&Claim>| claim.map_or_else(String::new, |c| c.id.to_string());
        return Err(JudgeError::Refused(format!(
            "no claim '{asked}'; the built-in claims are {} to {}, and 'greenwave check' settles them \
             all; a file of your own ends in .toml, and a claim of your own is written as 'classic-3x3 \
             none: value = draw', with none, some or all",
            id(claims.first()),
            id(claims.last())
        )));
    };
    Ok((BUILT_IN_NAME, PathBuf::new(), vec![claim.clone()]))
}
