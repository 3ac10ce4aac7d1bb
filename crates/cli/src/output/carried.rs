//! Suggested commands as they can be run: with what was typed of the folder, the lights and the files.

use std::path::Path;
use std::sync::OnceLock;

use super::word;

/// The options that a suggested command repeats so that it means the same as the typed one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct TypedOptions {
    /// Options before the command, by name.
    options: Vec<(String, String)>,
    /// The paths of rule files, and how a shell reads them.
    files: Vec<(String, String)>,
}

impl TypedOptions {
    fn read(args: impl IntoIterator<Item = String>) -> TypedOptions {
        /// Options that say which tables or which lights are meant.
        const CARRIED: [&str; 3] = ["--dir", "--colours", "--lights"];
        let mut typed = TypedOptions::default();
        let mut args = args.into_iter();
        let mut only_words = false;
        while let Some(arg) = args.next() {
            only_words |= arg == "--";
            let (name, value) = match arg.split_once('=') {
                Some((name, value)) => (name, Some(value.to_string())),
                None => (arg.as_str(), None),
            };
            if !only_words && CARRIED.contains(&name) {
                if let Some(value) = value.or_else(|| args.next()) {
                    // The old name of an option is not handed on.
                    let name = if name == "--colours" {
                        "--lights"
                    } else {
                        name
                    };
                    let value = word(Path::new(&value));
                    typed.options.push((name.to_string(), value));
                }
            } else if arg.ends_with(".toml") {
                let as_word = word(Path::new(&arg));
                typed.files.push((arg, as_word));
            }
        }
        typed
    }

    /// A text with its commands, which stand in quotes, as they can be run.
    fn in_commands(&self, text: &str) -> String {
        let mut out = String::with_capacity(text.len());
        let mut rest = text;
        while let Some(at) = rest.find(['\'', '`', '"']) {
            let quote = &rest[at..=at];
            let inside = &rest[at + 1..];
            let Some(end) = inside
                .find(quote)
                .filter(|_| inside.starts_with("greenwave "))
            else {
                out.push_str(&rest[..=at]);
                rest = inside;
                continue;
            };
            out.push_str(&rest[..=at]);
            out.push_str(&self.command(&inside[..end]));
            rest = &inside[end..];
            // The quote at the end.
            out.push_str(&rest[..1]);
            rest = &rest[1..];
        }
        out.push_str(rest);
        out
    }

    fn command(&self, command: &str) -> String {
        /// Commands that know neither tables nor lights.
        const WITHOUT: [&str; 5] = ["help", "variants", "completions", "man", "rules"];
        let mut command = command.to_string();
        for (path, as_word) in self.files.iter().filter(|(path, as_word)| path != as_word) {
            command = command.replace(path, as_word);
        }
        let mut words = command.split(' ').peekable();
        let (program, name) = (words.next().unwrap_or(""), words.next().unwrap_or(""));
        // A command without a variant is only named.
        let named = words.peek().is_none() || WITHOUT.contains(&name) || name.starts_with('-');
        let mut out = program.to_string();
        let missing = self
            .options
            .iter()
            .filter(|(option, _)| !named && !command.split(' ').any(|word| word == option));
        for (option, value) in missing {
            out.push_str(&format!(" {option} {value}"));
        }
        out.push_str(&format!(" {name}"));
        for word in words {
            // Tables know the name of their rule file, and not where it is.
            let is_named = |(path, _): &&(String, String)| {
                Path::new(path).file_name().is_some_and(|base| base == word)
            };
            let mut named = self.files.iter().filter(is_named);
            out.push(' ');
            out.push_str(match (named.next(), named.next()) {
                (Some((_, as_word)), None) => as_word,
                _ => word,
            });
        }
        out
    }
}

/// A text whose suggested commands carry what was typed.
pub(super) fn carried(text: &str) -> String {
    static TYPED: OnceLock<TypedOptions> = OnceLock::new();
    let typed = TYPED.get_or_init(|| {
        let args = std::env::args_os().skip(1);
        TypedOptions::read(args.map(|arg| arg.to_string_lossy().into_owned()))
    });
    typed.in_commands(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_carry_the_folder_the_lights_and_the_file() {
        let args = [
            "solve",
            "games/own.toml",
            "my games/own.toml",
            "--dir",
            "my tables",
            "--lights=gyr",
        ];
        let typed = TypedOptions::read(args.map(String::from));
        let options = "--dir 'my tables' --lights gyr";
        for (text, expected) in [
            (
                "solve again with `greenwave solve games/own.toml --force`, or delete it",
                format!(
                    "solve again with `greenwave {options} solve games/own.toml --force`, or delete it"
                ),
            ),
            (
                "'x' is unknown; 'greenwave variants' lists all, 'greenwave query own.toml POSITION' asks",
                format!(
                    "'x' is unknown; 'greenwave variants' lists all, \
                     'greenwave {options} query own.toml POSITION' asks"
                ),
            ),
            (
                "say `greenwave solve my games/own.toml`",
                format!("say `greenwave {options} solve 'my games/own.toml'`"),
            ),
            (
                "it's greenwave's, isn't it",
                "it's greenwave's, isn't it".into(),
            ),
        ] {
            assert_eq!(typed.in_commands(text), expected);
        }
        // A name that one path alone has is that of its file.
        let one = TypedOptions::read(["verify", "games/own.toml"].map(String::from));
        assert_eq!(
            one.in_commands("'greenwave verify own.toml'"),
            "'greenwave verify games/own.toml'"
        );
        let plain = TypedOptions::read(["query", "classic-3x3"].map(String::from));
        let text = "'greenwave solve classic-3x3'";
        assert_eq!(plain.in_commands(text), text);
    }
}
