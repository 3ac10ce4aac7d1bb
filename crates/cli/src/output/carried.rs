//! Suggested commands as they can be run: with what was typed of the folder, the lights and the files.

use std::path::Path;
use std::sync::OnceLock;

use greenwave_table::shell_word as word;
use greenwave_tablebase::{SolveOptions, Tablebase, read_variant};

pub(crate) fn typed() -> Vec<String> {
    std::env::args_os()
        .map(|typed| typed.to_string_lossy().into_owned())
        .collect()
}

/// The options that a suggested command repeats so that it means the same as the typed one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct TypedOptions {
    /// Options before the command, by name.
    options: Vec<(String, String)>,
    /// The paths of rule files.
    files: Vec<String>,
    /// The command, if it takes a position and moves as `query` does.
    of_position: Option<String>,
}

/// The commands that take a position, or moves with `--moves`, beside `query`.
const OF_POSITIONS: [&str; 4] = ["line", "draw", "play", "book"];

impl TypedOptions {
    fn read(args: impl IntoIterator<Item = String>) -> TypedOptions {
        /// Options that say which tables or which lights are meant, and what the work may take.
        const CARRIED: [&str; 4] = ["--dir", "--colours", "--lights", "--memory"];
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
                typed.files.push(arg);
            } else if typed.of_position.is_none() && OF_POSITIONS.contains(&&*arg) {
                typed.of_position = Some(arg);
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
            let is_command = inside.starts_with("greenwave ");
            let Some(end) = inside.find(quote).filter(|_| is_command) else {
                out.push_str(&rest[..=at]);
                rest = inside;
                continue;
            };
            out.push_str(&rest[..at]);
            out.push_str(&in_quotes(&self.command(&inside[..end]), quote));
            rest = &inside[end + 1..];
        }
        out.push_str(rest);
        out
    }

    fn command(&self, command: &str) -> String {
        /// Commands that know neither tables nor lights.
        const WITHOUT: [&str; 5] = ["help", "variants", "completions", "man", "rules"];
        let (program, rest) = command.split_once(' ').unwrap_or((command, ""));
        let (before, rest) = rest.split_at(length_of_options(rest));
        // A command without a variant is only named.
        let Some((name, arguments)) = rest.split_once(' ') else {
            return command.into();
        };
        // Moves in the place of a position are meant for the command that was typed.
        let name = match &self.of_position {
            Some(typed) if name == "query" && arguments.contains(" --moves ") => typed,
            _ => name,
        };
        let (file, others) = cut_file(arguments);
        let file = file.map(|file| self.file(file)).unwrap_or_default();
        // A command that was carried already has its memory.
        let has_memory = command.contains(" --memory");
        let needed = if name == "solve" && !has_memory {
            memory_of_solve(&format!("{file}{others}"))
        } else {
            None
        };
        let names = |option: &str| {
            let is = |word: &str| word.split('=').next() == Some(option);
            command.split(' ').any(is) || (option == "--memory" && needed.is_some())
        };
        let mut out = format!("{program} {before}").trim_end().to_string();
        let missing = self
            .options
            .iter()
            .filter(|(option, _)| !WITHOUT.contains(&name) && !names(option));
        for (option, value) in missing {
            // What begins with a dash would be an option of its own.
            let between = if value.starts_with('-') { "=" } else { " " };
            out.push_str(&format!(" {option}{between}{value}"));
        }
        out + " " + name + " " + &file + others + &needed.unwrap_or_default()
    }

    /// A rule file as a shell reads it. Tables know its name, and not where it is.
    fn file(&self, file: &str) -> String {
        let is_named =
            |path: &&String| Path::new(path).file_name().is_some_and(|base| base == file);
        let mut named = self.files.iter().filter(is_named);
        word(Path::new(match (named.next(), named.next()) {
            (Some(path), None) => path.as_str(),
            _ => file,
        }))
    }
}

/// How much of a command's arguments are options before its name, each with its value.
fn length_of_options(arguments: &str) -> usize {
    let mut length = 0;
    // Words that a shell reads as one: blanks inside quotes separate nothing.
    let word = |rest: &str| {
        let mut quoted = false;
        let end = rest.find(|letter| {
            quoted ^= letter == '\'';
            letter == ' ' && !quoted
        });
        end.map_or(rest.len(), |end| end + 1)
    };
    while arguments[length..].starts_with("--") {
        let option = word(&arguments[length..]);
        let has_value = arguments[length..length + option].contains('=');
        length += option;
        if !has_value {
            length += word(&arguments[length..]);
        }
    }
    length
}

/// The tables and the memory of the command that runs.
static TABLEBASE: OnceLock<Tablebase> = OnceLock::new();

/// Lets suggested solves name the memory that they need where this one has less.
pub(crate) fn suggest_for(tablebase: &Tablebase) {
    let _ = TABLEBASE.set(tablebase.clone());
}

/// The memory that the solve with some arguments needs, as an option, where it does not fit.
fn memory_of_solve(arguments: &str) -> Option<String> {
    let mut words = arguments.split(' ');
    let variant = read_variant(words.next()?.trim_matches('\'')).ok()?;
    let metric = words.skip_while(|word| *word != "--metric").nth(1);
    let metric = match metric {
        Some(metric) => metric.parse().ok()?,
        None => variant.rules().default_metric,
    };
    let options = SolveOptions {
        force: true,
        estimate: true,
        ..SolveOptions::default()
    };
    let planned = TABLEBASE.get()?.plan(&variant, metric, &options).ok()?;
    let cost = planned.cost();
    let unit = if cost.memory_bytes < 1 << 30 { 20 } else { 30 };
    let letter = if unit == 20 { 'M' } else { 'G' };
    let units = cost.memory_bytes.div_ceil(1 << unit);
    (!cost.fits).then(|| format!(" --memory {units}{letter}"))
}

/// A command in quotes; one that holds such quotes stands in others.
fn in_quotes(command: &str, quote: &str) -> String {
    let quote = if command.contains(quote) { "`" } else { quote };
    format!("{quote}{command}{quote}")
}

/// Arguments whose first is a rule file, which may have blanks in its path: the file, and the rest.
fn cut_file(arguments: &str) -> (Option<&str>, &str) {
    let end = arguments.find(".toml").map(|at| {
        let rest = &arguments[at..];
        at + rest.find(' ').unwrap_or(rest.len())
    });
    match end.map(|end| arguments.split_at(end)) {
        Some((file, others)) if !file.contains(['\'', '"']) && !file.contains(" -") => {
            (Some(file), others)
        }
        _ => (None, arguments),
    }
}

fn typed_options() -> &'static TypedOptions {
    static TYPED: OnceLock<TypedOptions> = OnceLock::new();
    TYPED.get_or_init(|| TypedOptions::read(typed().into_iter().skip(1)))
}

/// A text whose suggested commands carry what was typed.
pub(crate) fn carried(text: &str) -> String {
    typed_options().in_commands(text)
}

/// A command that carries what was typed, in quotes, for a sentence.
pub(crate) fn quoted_command(command: &str) -> String {
    in_quotes(&carried_command(command), "'")
}

/// A command that carries what was typed.
pub(crate) fn carried_command(command: &str) -> String {
    typed_options().command(command)
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
                     `greenwave {options} query own.toml POSITION` asks"
                ),
            ),
            (
                "say `greenwave solve my games/own.toml`",
                format!("say `greenwave {options} solve 'my games/own.toml'`"),
            ),
            (
                "say 'greenwave query their games/other.toml --budget 2s'",
                format!("say `greenwave {options} query 'their games/other.toml' --budget 2s`"),
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
        // A folder whose name begins with a dash.
        let dashed = TypedOptions::read(["query", "--dir=-x"].map(String::from));
        assert_eq!(
            dashed.in_commands("'greenwave solve classic-3x3'"),
            "'greenwave --dir=-x solve classic-3x3'"
        );
        // What the work may take, also where the command names its folder itself.
        let small = ["--memory=64M", "query", "classic-3x3", "--dir", "de"];
        let small = TypedOptions::read(small.map(String::from));
        for (text, expected) in [
            (
                "'greenwave solve classic-3x3'",
                "'greenwave --memory 64M --dir de solve classic-3x3'",
            ),
            (
                "`greenwave --dir 'x y' solve classic-3x3 --force`",
                "`greenwave --dir 'x y' --memory 64M solve classic-3x3 --force`",
            ),
            (
                "'greenwave query classic-4x4 --budget 3s --memory 1G'",
                "'greenwave --dir de query classic-4x4 --budget 3s --memory 1G'",
            ),
            ("'greenwave variants'", "'greenwave variants'"),
            ("'greenwave help json'", "'greenwave help json'"),
            ("'greenwave --help'", "'greenwave --help'"),
        ] {
            assert_eq!(small.in_commands(text), expected);
        }
        // Moves where a position was expected are handed to the command that was typed.
        let line = TypedOptions::read(["line", "classic-3x3", "b2R"].map(String::from));
        let text = "'greenwave query classic-3x3 --moves b2R' plays it";
        assert_eq!(line.in_commands(text), text.replace("query", "line"));
        let plain = TypedOptions::read(["query", "classic-3x3"].map(String::from));
        let text = "'greenwave solve classic-3x3'";
        assert_eq!(plain.in_commands(text), text);
    }
}
