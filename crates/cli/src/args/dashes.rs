//! What begins with a dash on the command line: an option, or a position or expression that happens to
//! begin so.
//!
//! An argument is text if it can be a position of the variant (of boards with gaps) or is an
//! expression. Otherwise it is an option, and the error about an unknown option has its whole name.
//! All after `--` is text, and `-` alone is not looked at.

use std::ffi::OsString;

use clap::error::ErrorKind;
use clap::{Arg, Command};
use greenwave_game::Game;
use greenwave_judge::expr::BoundExpression;
use greenwave_tablebase::read_variant;

/// How many options an error names at most.
const FEW: usize = 3;

/// The arguments with what is text moved behind a `--`.
///
/// # Errors
/// When an option is unknown.
pub(super) fn settled(
    root: &mut Command,
    args: Vec<OsString>,
) -> Result<Vec<OsString>, clap::Error> {
    let UnknownOption { option, command } = match sorted(root, &args) {
        Ok(settled) => return Ok(settled),
        Err(unknown) => unknown,
    };
    // Only an error needs the pages of all commands.
    root.build();
    // The error shows how the command is used that the option was given to.
    if let Some(name) = command
        && let Some(of) = root.find_subcommand_mut(&name)
    {
        return Err(refusal(of, &format!("greenwave {name}"), &option));
    }
    Err(refusal(root, "greenwave", &option))
}

fn refusal(of: &mut Command, path: &str, option: &str) -> clap::Error {
    let near = nearest(of, option);
    let way_out = match near.len() {
        0 => format!("'{path} --help' lists the options"),
        1 => format!("did you mean {}?", near[0]),
        _ => format!("the nearest are {}", near.join(", ")),
    };
    let problem = format!("unknown option '{option}' of '{path}'; {way_out}");
    of.error(ErrorKind::UnknownArgument, problem)
}

/// An option that a command does not have.
struct UnknownOption {
    option: String,
    command: Option<String>,
}

/// The arguments of a command beside its variant.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Operand {
    Position,
    Expression,
    Neither,
}

fn sorted(root: &Command, args: &[OsString]) -> Result<Vec<OsString>, UnknownOption> {
    let end = args
        .iter()
        .position(|arg| arg == "--")
        .unwrap_or(args.len());
    let (before, after) = args.split_at(end);
    let mut command = None;
    // Arguments that are neither an option nor the value of one; the first is the variant.
    let mut plain: Vec<&str> = Vec::new();
    let mut dashed: Vec<(usize, &str)> = Vec::new();
    let mut next = 1;
    while let Some(arg) = before.get(next) {
        let of = command.unwrap_or(root);
        match arg.to_str() {
            Some(text) if text.len() > 1 && text.starts_with('-') => {
                dashed.push((next, text));
                next += usize::from(option(root, of, text) == Some(ValuePlace::Follows));
            }
            Some(text) => match command {
                None => command = root.find_subcommand(text),
                Some(_) => plain.push(text),
            },
            None => {}
        }
        next += 1;
    }
    let of = command.unwrap_or(root);
    let taken = taken(of);
    let mut texts = Vec::new();
    for (place, text) in dashed {
        let meant = option(root, of, text);
        if is_text(meant, taken, plain.first().copied(), text) {
            texts.push(place);
        } else if meant.is_none() {
            return Err(UnknownOption {
                option: text.into(),
                command: command.map(|command| command.get_name().into()),
            });
        }
    }
    if texts.is_empty() {
        return Ok(args.to_vec());
    }
    let mut settled: Vec<OsString> = Vec::with_capacity(args.len() + 1);
    let others = (0..before.len()).filter(|place| !texts.contains(place));
    settled.extend(others.map(|place| before[place].clone()));
    settled.push("--".into());
    settled.extend(texts.iter().map(|place| before[*place].clone()));
    settled.extend(after.iter().skip(1).cloned());
    Ok(settled)
}

fn taken(command: &Command) -> Operand {
    let has = |id: &str| command.get_positionals().any(|arg| arg.get_id() == id);
    if has("position") {
        Operand::Position
    } else if has("expression") {
        Operand::Expression
    } else {
        Operand::Neither
    }
}

/// Whether an argument that begins with a dash is a position or an expression.
fn is_text(option: Option<ValuePlace>, taken: Operand, variant: Option<&str>, text: &str) -> bool {
    // Text that can only mean a position or an expression, so that the error shows its own fault.
    let single = !text.starts_with("--") && option.is_none();
    let meant = single
        && match taken {
            Operand::Position => text.contains('/'),
            Operand::Expression => {
                text.contains(|c: char| c.is_whitespace() || "()=<>".contains(c))
            }
            Operand::Neither => false,
        };
    if meant || taken == Operand::Neither {
        return meant;
    }
    let Some(variant) = variant.and_then(|name| read_variant(name).ok()) else {
        return false;
    };
    match taken {
        Operand::Position => {
            // The text may have any order of the lights, whatever the command requests.
            let mut all = variant.in_each_order().into_iter();
            all.any(|variant| variant.parse_position(text).is_ok())
        }
        Operand::Expression | Operand::Neither => BoundExpression::of(&variant, text).is_ok(),
    }
}

/// Where the value of an option stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ValuePlace {
    /// In the next argument.
    Follows,
    /// In the same one, or it has none.
    Here,
}

/// The option or options that an argument of a command is, among them those of every command and those
/// that clap adds; `None` where one of them is unknown.
fn option(root: &Command, of: &Command, text: &str) -> Option<ValuePlace> {
    let known = || {
        let everywhere = root.get_arguments().filter(|arg| arg.is_global_set());
        of.get_arguments().chain(everywhere)
    };
    let takes = |arg: &Arg| arg.get_action().takes_values();
    if let Some(long) = text.strip_prefix("--") {
        let (name, given) = match long.split_once('=') {
            Some((name, _)) => (name, true),
            None => (long, false),
        };
        // No command has others of these names.
        if ["help", "version"].contains(&name) {
            return Some(ValuePlace::Here);
        }
        let arg = known().find(|arg| {
            let aliases = arg.get_all_aliases().unwrap_or_default();
            arg.get_long() == Some(name) || aliases.contains(&name)
        })?;
        return Some(if takes(arg) && !given {
            ValuePlace::Follows
        } else {
            ValuePlace::Here
        });
    }
    let letters = &text[1..];
    for (place, letter) in letters.char_indices() {
        if ['h', 'V'].contains(&letter) {
            continue;
        }
        let arg = known().find(|arg| arg.get_short() == Some(letter))?;
        if takes(arg) {
            let last = place + letter.len_utf8() == letters.len();
            return Some(if last {
                ValuePlace::Follows
            } else {
                ValuePlace::Here
            });
        }
    }
    Some(ValuePlace::Here)
}

/// The options whose names are like one that is unknown, likest first.
fn nearest(command: &Command, option: &str) -> Vec<String> {
    let name = option.trim_start_matches('-');
    let name = name.split_once('=').map_or(name, |(name, _)| name);
    let known = command.get_arguments().filter_map(Arg::get_long);
    let mut near: Vec<(f64, &str)> = known
        .map(|known| (strsim::jaro_winkler(known, name), known))
        .filter(|(likeness, _)| *likeness > 0.75)
        .collect();
    near.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(b.1)));
    let names = near.into_iter().take(FEW);
    names.map(|(_, known)| format!("'--{known}'")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    fn read(args: &[&str]) -> Result<Vec<String>, String> {
        let args = std::iter::once("greenwave").chain(args.iter().copied());
        let mut root = crate::args::Cli::command();
        settled(&mut root, args.map(OsString::from).collect())
            .map(|settled| {
                let texts = settled.iter().skip(1);
                texts
                    .map(|text| text.to_str().unwrap_or("").into())
                    .collect()
            })
            .map_err(|error| error.to_string())
    }

    #[test]
    fn the_names_that_clap_adds_are_left_to_it() {
        let root = crate::args::Cli::command();
        let own = root
            .get_subcommands()
            .chain([&root])
            .flat_map(Command::get_arguments);
        for arg in own {
            let long = arg.get_long().unwrap_or_default();
            let short = arg.get_short().unwrap_or_default();
            assert!(!["help", "version"].contains(&long) && !['h', 'V'].contains(&short));
        }
    }

    #[test]
    fn expressions_are_texts_and_options_are_options() {
        let same: [&[&str]; 6] = [
            &["find", "classic-3x3", "ply = 1", "--limit", "-5"],
            &["query", "classic-3x3", "-"],
            &["query", "classic-3x3", "--", "--jsn"],
            &["query", "-qj2", "classic-3x3", "--budget=5s"],
            &["--dir", "-x", "variants"],
            &["find", "classic-3x3", "--limit=5"],
        ];
        for args in same {
            assert_eq!(read(args).unwrap(), args);
        }
        let moved = ["find", "points-3x3", "--count", "--", "-points = 1"];
        let typed = ["find", "points-3x3", "-points = 1", "--count"];
        assert_eq!(read(&typed).unwrap(), moved);
        // Named like a short option, and an expression none the less.
        let moved = ["find", "classic-1x9", "--", "-h1=-2"];
        assert_eq!(read(&["find", "classic-1x9", "-h1=-2"]).unwrap(), moved);
        let moved = ["find", "points-3x3", "--", "--points>1"];
        assert_eq!(read(&["find", "points-3x3", "--points>1"]).unwrap(), moved);
    }

    #[test]
    fn unknown_options_are_named_whole_with_their_likes() {
        for (args, said) in [
            (
                &["query", "classic-3x3", "--jsn"][..],
                "unknown option '--jsn' of 'greenwave query'; did you mean '--json'?",
            ),
            (
                &["find", "classic-3x3", "-limit"],
                "unknown option '-limit' of 'greenwave find'; the nearest are '--limit', '--lights'",
            ),
            (
                &["find", "classic-3x3", "--lmit=5"],
                "the nearest are '--limit', '--lights'",
            ),
            (
                &["line", "classic-3x3", "-RR"],
                "unknown option '-RR' of 'greenwave line'",
            ),
            (
                &["--jsn"],
                "unknown option '--jsn' of 'greenwave'; did you mean '--json'?",
            ),
            (
                &["stats", "classic-3x3", "--zzz"],
                "'greenwave stats --help' lists the options",
            ),
        ] {
            let error = read(args).unwrap_err();
            assert!(error.contains(said), "{args:?}: {error}");
        }
    }
}
