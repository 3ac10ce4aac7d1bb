//! Variants by name: built-in ones and rule files.

use std::io::{ErrorKind, Read};
use std::path::Path;

use greenwave_game::{RuleFile, Variant, VariantError};

use crate::{Error, theorem};

/// Whether the name of a variant is that of a rule file.
#[must_use]
pub fn is_rule_file(name: &str) -> bool {
    name.ends_with(".toml") || name.contains(".toml:")
}

/// Reads a built-in variant's name, or a rule file by its path.
///
/// # Errors
/// When there is no such variant or file, and when the file describes no game.
pub fn read_variant(name: &str) -> Result<Variant, Error> {
    if is_rule_file(name) {
        return Ok(read_rule_file(name)?.variant);
    }
    if let Some(problem) = misnamed(name) {
        return Err(Error::refused(problem));
    }
    built_in_variant(name)
}

/// Reads a built-in variant's name. Of a board that is too large the error says what the theorems say.
///
/// # Errors
/// When there is no such variant.
pub fn built_in_variant(name: &str) -> Result<Variant, Error> {
    Variant::parse(name).map_err(|error| match theorem::beyond(&error, name) {
        Some(told) => Error::Refused(told),
        None => error.into(),
    })
}

/// The advice about a name that is no variant's, but that of a file without the ending of rule files.
#[must_use]
pub fn misnamed(name: &str) -> Option<String> {
    let path = Path::new(name);
    let in_capitals = path
        .extension()
        .is_some_and(|ending| ending.eq_ignore_ascii_case("toml"));
    let is_misnamed =
        !is_rule_file(name) && (in_capitals || path.is_file()) && Variant::parse(name).is_err();
    is_misnamed.then(|| {
        let renamed = path.with_extension("toml");
        format!(
            "'{name}' is no variant, and the name of a rule file ends in .toml; if it is one, \
             rename it to '{}'",
            renamed.display()
        )
    })
}

/// The same where relative names of rule files begin in a folder.
///
/// # Errors
/// As [`read_variant`].
pub fn read_variant_in(folder: &Path, name: &str) -> Result<Variant, Error> {
    if is_rule_file(name) {
        read_variant(&folder.join(name).display().to_string())
    } else {
        read_variant(name)
    }
}

/// Reads a rule file; its game is called by the path.
///
/// # Errors
/// When it cannot be read, or describes no game.
pub fn read_rule_file(path: &str) -> Result<RuleFile, Error> {
    if let Some((file, options)) = path.rsplit_once(".toml:") {
        return Err(Error::refused(format!(
            "'{file}.toml' takes no options, found '{options}'; write them into the rule file"
        )));
    }
    let text = read_text(Path::new(path), RuleFile::LONGEST).map_err(|cause| Error::Io {
        what: format!(
            "cannot read rule file '{path}'; name a file that is there, or a variant that \
             'greenwave variants' lists"
        ),
        cause,
    })?;
    let name = Path::new(path)
        .file_name()
        .and_then(|name| name.to_str())
        .unwrap_or(path);
    let file = RuleFile::parse(name, &text).map_err(|error| named_by_path(error, path))?;
    Ok(RuleFile {
        variant: file.variant.shown_as(path),
        ..file
    })
}

/// The error, and the commands that it suggests, name the file as it was typed.
#[must_use]
pub fn named_by_path(mut error: VariantError, path: &str) -> VariantError {
    let typed = if path.contains(' ') {
        format!("\"{path}\"")
    } else {
        path.to_string()
    };
    if let VariantError::File { file, .. } | VariantError::FileName { file, .. } = &mut error {
        *file = path.into();
    }
    if let VariantError::File { faults, .. } = &mut error {
        for fault in faults {
            let named = |text: &str| text.replace("FILE.toml", &typed);
            fault.problem = fault.problem.rewritten(&named);
        }
    }
    error
}

/// The text of a file with `most` bytes or fewer; it never waits for a pipe or anything else that
/// is no file.
///
/// # Errors
/// Any error of the system, and when it is longer, no file or no text.
pub fn read_text(path: &Path, most: usize) -> std::io::Result<String> {
    let mut bytes = Vec::new();
    let file = greenwave_table::open_file(path)?;
    let found = file.metadata()?.len();
    let mut file = file.take(most as u64 + 1);
    file.read_to_end(&mut bytes)?;
    if file.limit() == 0 {
        let problem = format!("found {found} bytes, expected at most {most}");
        return Err(std::io::Error::new(ErrorKind::InvalidInput, problem));
    }
    text_of_bytes(bytes).map_err(|error| std::io::Error::new(ErrorKind::InvalidData, error))
}

/// Bytes that are no text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoText {
    /// They are text in another encoding, or none at all.
    #[error("found bytes that are no text in UTF-8; save the file in that encoding")]
    Encoding,
    /// One of them is zero.
    #[error("found a zero byte, which no text has; remove it, or save the file in UTF-8")]
    Zero,
}

/// The text of bytes, without byte order marks before it. Files in UTF-16 are no text in UTF-8 also where their letters
/// are plain: every other byte is zero then.
///
/// # Errors
/// When they are none.
pub fn text_of_bytes(bytes: Vec<u8>) -> Result<String, NoText> {
    const MARK: char = '\u{feff}';
    match String::from_utf8(bytes) {
        Ok(mut text) if !text.contains('\0') => {
            let marks = text.len() - text.trim_start_matches(MARK).len();
            text.drain(..marks);
            Ok(text)
        }
        Ok(_) => Err(NoText::Zero),
        Err(_) => Err(NoText::Encoding),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_encodings_are_no_text() {
        let utf_16: Vec<u8> = "b2R".encode_utf16().flat_map(u16::to_le_bytes).collect();
        for (bytes, expected) in [
            (&utf_16[..], NoText::Zero),
            (b"b2R\0", NoText::Zero),
            (b"\xff\xfeb\0", NoText::Encoding),
            (b"Gr\xfcn", NoText::Encoding),
        ] {
            assert_eq!(text_of_bytes(bytes.to_vec()), Err(expected));
        }
        assert_eq!(text_of_bytes("Grün".into()), Ok("Grün".into()));
        for marks in ["\u{feff}", "\u{feff}\u{feff}"] {
            assert_eq!(
                text_of_bytes(format!("{marks}b2R").into()),
                Ok("b2R".into())
            );
        }
    }
}
