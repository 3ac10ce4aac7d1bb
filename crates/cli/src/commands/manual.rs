//! `completions` and `man`.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::Command;
use clap_complete::env::Shells;
use clap_mangen::Man;

use crate::output::{expect_folder, expect_place};
use crate::session::CommandVerdict;
use crate::{args, complete, entry};

/// The completions of bash. Bash ends words at ':' and '=' (COMP_WORDBREAKS), which stand within
/// the names of variants. So the script joins text without blanks, and removes from each answer the
/// part that bash has before the cursor.
const BASH: &str = include_str!("greenwave.bash");

pub(super) fn completions(shell: clap_complete::Shell) -> Result<CommandVerdict> {
    if shell == clap_complete::Shell::Bash {
        return write_out(BASH.as_bytes());
    }
    let name = shell.to_string();
    let shells = Shells::builtins();
    let Some(shell) = shells.completer(&name) else {
        bail!("no completions are known for {name}");
    };
    let mut script = Vec::new();
    let program = "greenwave";
    shell.write_registration(complete::VARIABLE, program, program, program, &mut script)?;
    write_out(&script)
}

/// How pages begin that the program writes.
const BEGINS: &str = ".ie \\n(.g .ds Aq";

pub(super) fn pages(out_dir: Option<&Path>) -> Result<CommandVerdict> {
    let command = documented();
    let Some(dir) = out_dir else {
        return write_out(&page(&command, None)?);
    };
    expect_folder("--out-dir", dir)?;
    let named = |name: &str| dir.join(format!("{name}.1"));
    let pages = std::iter::once((named("greenwave"), None)).chain(
        command
            .get_subcommands()
            .map(|sub| (named(&format!("greenwave-{}", sub.get_name())), Some(sub))),
    );
    let pages: Vec<(PathBuf, Option<&Command>)> = pages.collect();
    for (file, _) in pages.iter().filter(|(file, _)| file.exists()) {
        expect_place(file, BEGINS)?;
    }
    let write = || -> std::io::Result<()> {
        std::fs::create_dir_all(dir)?;
        for (file, of) in &pages {
            std::fs::write(file, page(&command, *of)?)?;
        }
        Ok(())
    };
    write().with_context(|| format!("could not write manual pages into '{}'", dir.display()))?;
    Ok(CommandVerdict::Done)
}

/// The command line without what the machine adds to the version, so that pages are the same
/// everywhere.
fn documented() -> Command {
    let version = env!("CARGO_PKG_VERSION");
    let mut command = args::command()
        .version(version)
        .mut_subcommands(|command| command.version(version));
    command.build();
    command
}

/// The page of the program, or of one of its commands.
fn page(program: &Command, of: Option<&Command>) -> std::io::Result<Vec<u8>> {
    let command = of.unwrap_or(program).clone();
    let title = match of {
        Some(command) => format!("greenwave-{}", command.get_name()),
        None => "greenwave".to_string(),
    };
    let source = format!("greenwave {}", env!("CARGO_PKG_VERSION"));
    let name = command.get_name().to_string();
    let man = Man::new(command.display_name(&title))
        .title(title.to_uppercase())
        .source(source)
        .manual("Greenwave");
    let mut out = Vec::new();
    man.render_title(&mut out)?;
    man.render_name_section(&mut out)?;
    man.render_synopsis_section(&mut out)?;
    man.render_description_section(&mut out)?;
    man.render_options_section(&mut out)?;
    if of.is_none() {
        man.render_subcommands_section(&mut out)?;
    }
    if let Some(fields) = entry::fields(&name) {
        heading(&mut out, "JSON FIELDS")?;
        writeln!(out, "{}", escaped(fields))?;
    }
    list(&mut out, "EXAMPLES", "B", entry::examples(&name))?;
    for (title, font) in [("EXIT STATUS", "B"), ("ENVIRONMENT", "B"), ("FILES", "I")] {
        list(&mut out, title, font, entry::pairs(LISTS, title))?;
    }
    let others = program
        .get_subcommands()
        .filter(|other| other.get_name() != name);
    let mut others: Vec<String> = others
        .map(|other| format!("greenwave\\-{}(1)", escaped(other.get_name())))
        .collect();
    if of.is_some() {
        others.insert(0, "greenwave(1)".into());
    }
    heading(&mut out, "SEE ALSO")?;
    writeln!(out, "{}", others.join(", "))?;
    Ok(out)
}

const LISTS: &str = include_str!("../../pages/manual.txt");

fn heading(out: &mut Vec<u8>, name: &str) -> std::io::Result<()> {
    writeln!(out, ".SH \"{name}\"")
}

/// A section of words in a font, each with what it means.
fn list(
    out: &mut Vec<u8>,
    title: &str,
    font: &str,
    pairs: Vec<(&str, &str)>,
) -> std::io::Result<()> {
    heading(out, title)?;
    for (word, meaning) in pairs {
        writeln!(out, ".TP\n.{font} {}\n{}", escaped(word), escaped(meaning))?;
    }
    Ok(())
}

/// Text that roff takes as it is.
fn escaped(text: &str) -> String {
    let text = text
        .replace('\\', "\\e")
        .replace('-', "\\-")
        .replace('`', "");
    if text.starts_with(['.', '\'']) {
        format!("\\&{text}")
    } else {
        text
    }
}

fn write_out(bytes: &[u8]) -> Result<CommandVerdict> {
    let mut out = std::io::stdout().lock();
    out.write_all(bytes)?;
    out.flush()?;
    Ok(CommandVerdict::Done)
}

#[cfg(test)]
mod tests {
    use std::fmt::Write;

    use clap::Arg;

    use super::{Command, documented, entry};

    const PAGE: &str = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../docs/reference/commands.md"
    );

    /// A cell of a table: one line, without what would end it.
    fn cell(text: &str) -> String {
        text.split_whitespace()
            .collect::<Vec<_>>()
            .join(" ")
            .replace('|', "\\|")
    }

    /// How an argument or option is typed.
    fn typed(arg: &Arg) -> String {
        let values: Vec<String> = arg
            .get_value_names()
            .unwrap_or_default()
            .iter()
            .map(ToString::to_string)
            .collect();
        let value = values.join(" ");
        if arg.is_positional() {
            return format!("`{}`", cell(&value));
        }
        let long = arg.get_long().map(|long| format!("--{long}"));
        let short = arg.get_short().map(|short| format!("-{short}"));
        let names: Vec<String> = short.into_iter().chain(long).collect();
        let takes = arg.get_action().takes_values() && !value.is_empty();
        let value = if takes {
            format!(" {}", cell(&value))
        } else {
            String::new()
        };
        format!("`{}{value}`", names.join("`, `"))
    }

    /// What an argument or option means, with its values and its default.
    fn meaning(arg: &Arg) -> String {
        let mut text = cell(&arg.get_help().map(ToString::to_string).unwrap_or_default());
        let values: Vec<String> = arg
            .get_possible_values()
            .iter()
            .filter(|value| !value.is_hide_set())
            .map(|value| format!("`{}`", value.get_name()))
            .collect();
        if arg.get_action().takes_values() && !values.is_empty() {
            let _ = write!(text, ": {}", values.join(", "));
        }
        let default: Vec<String> = arg
            .get_default_values()
            .iter()
            .map(|value| value.to_string_lossy().into_owned())
            .collect();
        if arg.get_action().takes_values() && !default.is_empty() {
            let _ = write!(text, " [default: {}]", default.join(" "));
        }
        text
    }

    fn rows<'a>(args: impl Iterator<Item = &'a Arg>) -> String {
        let shown = args.filter(|arg| {
            !arg.is_hide_set() && !matches!(arg.get_id().as_str(), "help" | "version")
        });
        let rows: String = shown
            .map(|arg| format!("| {} | {} |\n", typed(arg), meaning(arg)))
            .collect();
        if rows.is_empty() {
            return rows;
        }
        format!("| argument or option | meaning |\n| --- | --- |\n{rows}\n")
    }

    fn page_of(command: &Command) -> String {
        let name = command.get_name();
        let about = command
            .get_about()
            .map(ToString::to_string)
            .unwrap_or_default();
        let mut text = format!("## {name}\n\n{}.\n\n", cell(&about));
        let examples: Vec<String> = entry::examples(name)
            .iter()
            .map(|(example, _)| format!("{example}\n"))
            .collect();
        let _ = write!(text, "```sh\n{}```\n\n", examples.concat());
        text.push_str(&rows(
            command.get_arguments().filter(|arg| !arg.is_global_set()),
        ));
        text
    }

    fn commands_page() -> String {
        let program = documented();
        let mut text = String::from(
            "# Commands\n\n<!-- Written by 'GREENWAVE_BLESS=1 cargo test -p greenwave --bins page_of_commands'. \
             -->\n\nEvery command with its arguments and options. [Settings](settings.md) has the options \
             that\nevery command takes, and [JSON](json.md) the fields of the documents.\n\n",
        );
        for command in program.get_subcommands() {
            text.push_str(&page_of(command));
        }
        text.truncate(text.trim_end().len());
        text.push('\n');
        text
    }

    #[test]
    fn the_page_of_commands_is_what_the_program_takes() {
        let expected = commands_page();
        if std::env::var_os("GREENWAVE_BLESS").is_some() {
            std::fs::write(PAGE, &expected).unwrap();
        }
        let found = std::fs::read_to_string(PAGE).unwrap_or_default();
        assert!(
            found == expected,
            "write docs/reference/commands.md with \
             'GREENWAVE_BLESS=1 cargo test -p greenwave --bins page_of_commands'"
        );
    }
}
