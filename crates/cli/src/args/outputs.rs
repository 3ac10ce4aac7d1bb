//! No file that a command writes takes the place of one that it reads, or of another that it writes.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use clap::error::ErrorKind;
use clap::{Arg, ArgMatches, Command};

/// Options that name a file which is read.
const READ: [&str; 1] = ["from"];

/// Compares the files that a command line names.
///
/// # Errors
/// When one of them would be lost.
pub(super) fn expect_apart(root: &mut Command, matches: &ArgMatches) -> Result<(), clap::Error> {
    let Some((name, given)) = matches.subcommand() else {
        return Ok(());
    };
    let Some(command) = root.find_subcommand_mut(name) else {
        return Ok(());
    };
    let values = |arg: &Arg| {
        let raw = given.try_get_raw(arg.get_id().as_str()).ok().flatten();
        raw.into_iter().flatten().collect::<Vec<&OsStr>>()
    };
    let (outputs, inputs): (Vec<&Arg>, Vec<&Arg>) =
        command.get_arguments().partition(|arg| is_output(arg));
    let words = inputs.into_iter().flat_map(values);
    let words: Vec<&str> = words.filter_map(OsStr::to_str).collect();
    let named = words.into_iter().flat_map(named).map(Path::new);
    let read: Vec<PathBuf> = named
        .filter(|path| path.is_file())
        .filter_map(file)
        .collect();
    let mut written: Vec<(PathBuf, String)> = Vec::new();
    let mut problem = None;
    for output in outputs {
        let option = format!("--{}", output.get_long().unwrap_or_default());
        for value in values(output) {
            let Some(file) = file(Path::new(value)) else {
                continue;
            };
            let shown = value.display();
            if read.contains(&file) {
                problem = Some(format!(
                    "{option}: the command reads '{shown}', which would be lost; name another file"
                ));
            } else if let Some((_, other)) = written.iter().find(|(path, _)| *path == file) {
                problem = Some(format!(
                    "{option}: {other} names '{shown}', too, and one of them would be lost; name two files"
                ));
            }
            written.push((file, option.clone()));
        }
    }
    match problem {
        Some(problem) => Err(command.error(ErrorKind::ArgumentConflict, problem)),
        None => Ok(()),
    }
}

/// Whether an argument names a file that is written.
fn is_output(arg: &Arg) -> bool {
    let names = arg.get_value_names().unwrap_or_default();
    let is_read = READ.contains(&arg.get_id().as_str());
    arg.get_long().is_some() && !is_read && names.iter().any(|name| name == "FILE")
}

/// The files that a word may name: as it stands, or the rule file in the name of a variant, as in
/// `bag-own.toml:choice=3` and `own.toml=.../...`.
fn named(word: &str) -> Vec<&str> {
    let mut names = vec![word];
    if let Some(end) = word.find(".toml") {
        let name = &word[..end + ".toml".len()];
        names.extend([name, name.trim_start_matches("bag-")]);
    }
    names
}

/// Where a file is or would be; none of what is no file.
fn file(path: &Path) -> Option<PathBuf> {
    if path == Path::new("-") {
        return None;
    }
    match fs::canonicalize(path) {
        Ok(there) => there.is_file().then_some(there),
        Err(_) => {
            let folder = path.parent().filter(|folder| *folder != Path::new(""));
            let folder = fs::canonicalize(folder.unwrap_or(Path::new("."))).ok()?;
            Some(folder.join(path.file_name()?))
        }
    }
}
