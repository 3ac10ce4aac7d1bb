//! The folder of tables that a file belongs to, and the command that solves its table again there.

use std::path::{Path, PathBuf};

/// The folder of tables that a file belongs to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum TablesFolder {
    /// The one that the program works with: its commands need not name it.
    #[default]
    Current,
    /// Another one: a command that writes there has to name it.
    Named(PathBuf),
    /// None: no solve writes to where the file is.
    Outside,
    /// One of another machine, whose commands the reader does not run.
    Remote,
}

impl TablesFolder {
    /// How a sound table gets to where a file is: by a solve, if one writes there, else from a copy.
    #[must_use]
    pub fn way_back(&self, variant: Option<&str>, metric: Option<&str>) -> String {
        let dir = match self {
            TablesFolder::Current => String::new(),
            TablesFolder::Named(folder) => match shell_word(folder) {
                // What begins with a dash would be an option of its own.
                word if word.starts_with('-') => format!("--dir={word} "),
                word => format!("--dir {word} "),
            },
            TablesFolder::Outside => return "restore it from a copy".into(),
            TablesFolder::Remote => return "whoever runs the server can solve it again".into(),
        };
        let Some(variant) = variant else {
            return "restore it from a copy".into();
        };
        let metric = metric.map(|metric| format!(" --metric {metric}"));
        format!(
            "solve again with `greenwave {dir}solve {variant}{} --force`",
            metric.unwrap_or_default()
        )
    }
}

/// A path as a word that a shell reads, in quotes where it needs them.
#[must_use]
pub fn shell_word(path: &Path) -> String {
    let text = path.display().to_string();
    let plain = |letter: char| letter.is_alphanumeric() || "/._-:=,+@%~".contains(letter);
    if !text.is_empty() && text.chars().all(plain) && !text.starts_with('~') {
        text
    } else {
        format!("'{}'", text.replace('\'', r"'\''"))
    }
}
