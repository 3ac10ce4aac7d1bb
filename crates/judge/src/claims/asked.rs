//! Claims that somebody asks about: built-in ones by their ids, files of claims, claims in one line.

use std::path::{Path, PathBuf};

use greenwave_game::keyed::Faults;
use greenwave_game::{Variant, VariantError};
use greenwave_tablebase::{Error, Reservation, Tablebase, read_text};

use super::{BUILT_IN, BUILT_IN_NAME, Claim, LONGEST_CLAIMS, read_claims, read_one_line, validate};
use crate::JudgeError;

/// Bytes of memory for each mark of a claims file: of the text as it is read, of claims and faults, of
/// what is found.
const MARK_BYTES: usize = 208;

/// Claims from one place.
#[derive(Debug)]
pub struct AskedClaims {
    /// Where relative names of rule files in them begin.
    pub folder: PathBuf,
    /// The claims.
    pub claims: Vec<Claim>,
    // The share of the memory for the file of claims.
    _reserved: Option<Reservation>,
}

/// Reads the claims to check, by default all built-in ones, and checks that every claim can be read
/// for its variants. `written` puts a variant into the order of the lights that is requested. Solves
/// nothing. Files are reserved in the tablebase's memory.
///
/// # Errors
/// When a file or a claim cannot be read or does not fit the memory. When no built-in claim has the
/// id. When a claim is written in another order of the lights than the requested one.
pub fn read_asked(
    asked: &[String],
    written: &dyn Fn(Variant) -> Result<Variant, VariantError>,
    tablebase: &Tablebase,
) -> Result<Vec<AskedClaims>, JudgeError> {
    let mut all = Vec::new();
    if asked.is_empty() {
        let claims = read_claims(BUILT_IN_NAME, BUILT_IN)?;
        all.push((BUILT_IN_NAME, AskedClaims::of_no_file(claims)));
    }
    for asked in asked {
        all.push(read(asked, written, tablebase)?);
    }
    for (name, asked) in &all {
        validate(name, &asked.claims, &asked.folder)?;
        let mut claims = asked.claims.iter();
        claims.try_for_each(|claim| claim.expect(written, &asked.folder))?;
    }
    Ok(all.into_iter().map(|(_, asked)| asked).collect())
}

impl AskedClaims {
    fn of_no_file(claims: Vec<Claim>) -> AskedClaims {
        AskedClaims {
            folder: PathBuf::new(),
            claims,
            _reserved: None,
        }
    }
}

// What errors call the claims, and the claims.
fn read<'a>(
    asked: &'a str,
    written: &dyn Fn(Variant) -> Result<Variant, VariantError>,
    tablebase: &Tablebase,
) -> Result<(&'a str, AskedClaims), JudgeError> {
    if asked.ends_with(".toml") {
        let path = Path::new(asked);
        let text = read_text(path, LONGEST_CLAIMS).map_err(|cause| Error::Io {
            what: format!(
                "cannot read claims file '{asked}'; name a file that is there, or the id of a built-in \
                 claim"
            ),
            cause,
        })?;
        let reserved = tablebase.reserve(
            read_bytes(&text) as u128,
            &format!("reading the claims of '{asked}'"),
            ", or cut it into several files",
        )?;
        let claims = AskedClaims {
            folder: path.parent().unwrap_or(Path::new("")).to_path_buf(),
            claims: read_claims(asked, &text).map_err(|error| {
                if is_of_rules(&text) {
                    instead_of_rules(asked)
                } else {
                    error
                }
            })?,
            _reserved: Some(reserved),
        };
        return Ok((asked, claims));
    }
    if let Some(claim) = read_one_line(asked, written)? {
        return Ok((asked, AskedClaims::of_no_file(vec![claim])));
    }
    let claims = read_claims(BUILT_IN_NAME, BUILT_IN)?;
    let found = claims.iter().find(|claim| claim.id.to_string() == asked);
    let Some(claim) = found else {
        let id = |claim: Option<&Claim>| claim.map_or_else(String::new, |c| c.id.to_string());
        return Err(JudgeError::refused(format!(
            "no claim '{asked}'; the built-in claims are {} to {}, and 'greenwave check' settles them \
             all; a file of your own ends in .toml, and a claim of your own is written as 'classic-3x3 \
             none: value = draw', with none, some or all",
            id(claims.first()),
            id(claims.last())
        )));
    };
    let claims = AskedClaims::of_no_file(vec![claim.clone()]);
    Ok((BUILT_IN_NAME, claims))
}

// The fault of a rule file in the place of claims.
fn instead_of_rules(asked: &str) -> JudgeError {
    JudgeError::refused(format!(
        "'{asked}' is a rule file, which has no claims; write a claim about its game as one argument in \
         quotes: greenwave check '{asked} none: value = draw'"
    ))
}

// Whether a text has the keys of a rule file, and no claim.
fn is_of_rules(text: &str) -> bool {
    let faults = Faults::new(text);
    faults.parse().is_some_and(|table| {
        let has = |key: &str| table.get_ref().contains_key(key);
        !has("claim") && ["board", "patterns", "goal"].into_iter().any(has)
    })
}

// Bytes of memory that a claims file takes at most: it follows from the marks between keys and values.
fn read_bytes(text: &str) -> usize {
    let marks = text.bytes().filter(|byte| b"[]{}=,.\n".contains(byte));
    2 * text.len() + MARK_BYTES * marks.count()
}
