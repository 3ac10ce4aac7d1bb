//! The pages of the repository, for tests: their code blocks, tables and links.

use std::path::{Path, PathBuf};

/// The root of the repository.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The text of a page, by its path from the root.
pub(crate) fn page(path: &str) -> String {
    std::fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// Whether differences are to be written into the repository instead of failing.
pub(crate) fn blessing() -> bool {
    std::env::var_os("GREENWAVE_BLESS").is_some()
}

/// The program under test, apart from the tables and settings of whoever runs the tests.
pub(crate) fn greenwave(home: &Path) -> std::process::Command {
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_greenwave"));
    isolate(&mut command, home);
    command
}

/// Gives a command an environment of its own.
pub(crate) fn isolate(command: &mut std::process::Command, home: &Path) {
    for key in [
        "GREENWAVE_COLOURS",
        "GREENWAVE_LIGHTS",
        "GREENWAVE_MEMORY",
        "GREENWAVE_THREADS",
    ] {
        command.env_remove(key);
    }
    command
        .current_dir(home)
        .env("HOME", home)
        .env("XDG_DATA_HOME", home.join("data"))
        .env("GREENWAVE_PROGRESS", "none")
        .env("LC_ALL", "C")
        .env_remove("GREENWAVE_DIR");
}

/// Tables larger than this are not published, in bytes.
pub(crate) const PUBLISHED_BYTES: u64 = 200_000;

/// Whether a file of a solutions folder is published: a summary, or a table that is not too large.
pub(crate) fn published(file: &Path) -> bool {
    let size = std::fs::metadata(file).map_or(0, |data| data.len());
    match file.extension().and_then(|extension| extension.to_str()) {
        Some("gwt") => size <= PUBLISHED_BYTES,
        Some("json") => true,
        _ => false,
    }
}

/// Cuts a page at the comments `<!-- begin mark -->` and `<!-- end mark -->`.
pub(crate) fn marked<'a>(text: &'a str, path: &str, mark: &str) -> (&'a str, &'a str, &'a str) {
    let (begin, end) = (
        format!("<!-- begin {mark} -->\n"),
        format!("<!-- end {mark} -->"),
    );
    let cut = || {
        let from = text.find(&begin)? + begin.len();
        let to = from + text[from..].find(&end)?;
        Some((&text[..from], &text[from..to], &text[to..]))
    };
    cut().unwrap_or_else(|| panic!("{path} lacks the comments of {mark}"))
}

/// A table of a page.
pub(crate) fn table(header: &[&str], rows: Vec<Vec<String>>) -> String {
    let mut text = format!(
        "| {} |\n|{}\n",
        header.join(" | "),
        " --- |".repeat(header.len())
    );
    for row in rows {
        text.push_str(&format!("| {} |\n", row.join(" | ")));
    }
    text
}

/// A number with commas.
pub(crate) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let groups: Vec<&str> = digits
        .as_bytes()
        .rchunks(3)
        .rev()
        .map(|group| std::str::from_utf8(group).unwrap_or_default())
        .collect();
    groups.join(",")
}
