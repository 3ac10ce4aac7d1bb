//! What shells complete: variants with their options, metrics, claims, tables.

use std::any::TypeId;
use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use clap::Arg;
use clap_complete::engine::{ArgValueCompleter, CompletionCandidate};
use greenwave_game::{Metric, Variant, catalogue};
use greenwave_judge::Symmetry;
use greenwave_judge::claims::{BUILT_IN, BUILT_IN_NAME, read_claims};
use greenwave_play::Level;

/// The environment variable by which a shell asks for completions.
pub(crate) const VARIABLE: &str = "COMPLETE";

/// Answers a shell that asks what a word of a command line may be, and ends; returns where none does. Shells ask with the
/// words after two dashes; the variable alone may be that of another program.
pub(crate) fn answer_the_shell(command: fn() -> clap::Command) {
    if std::env::args_os().nth(1).is_none_or(|word| word != "--") {
        return;
    }
    clap_complete::CompleteEnv::with_factory(command)
        .var(VARIABLE)
        .complete();
}

/// Tells shells what an argument may be; `commands` are the names of all commands.
pub(crate) fn completed(arg: Arg, commands: fn() -> Vec<String>) -> Arg {
    let completer = match arg.get_id().as_str() {
        "variant" | "variants" | "a" | "b" | "boards" => ArgValueCompleter::new(variant_names),
        "metric" => ArgValueCompleter::new(metrics),
        "claims" => ArgValueCompleter::new(claims),
        "table" => ArgValueCompleter::new(tables),
        "target" => ArgValueCompleter::new(|typed: &OsStr| {
            let mut all = tables(typed);
            all.extend(variant_names(typed));
            all
        }),
        "topic" => ArgValueCompleter::new(move |typed: &OsStr| topics(typed, commands())),
        "level" if arg.get_value_parser().type_id() == TypeId::of::<Level>() => {
            ArgValueCompleter::new(levels)
        }
        "symmetry" => ArgValueCompleter::new(symmetries),
        "fields" => ArgValueCompleter::new(fields),
        _ => return arg,
    };
    arg.add(completer)
}

fn beginning(typed: &OsStr, all: impl IntoIterator<Item = String>) -> Vec<CompletionCandidate> {
    let typed = typed.to_string_lossy();
    let fitting = all.into_iter().filter(|name| name.starts_with(&*typed));
    fitting.map(CompletionCandidate::new).collect()
}

/// Names of the catalogue; after a colon the options that the variant has.
fn variant_names(typed: &OsStr) -> Vec<CompletionCandidate> {
    let text = typed.to_string_lossy();
    let Some((name, options)) = text.split_once(':') else {
        let known = catalogue().iter().map(|name| (*name).to_string());
        let known = known.chain(["semaforo".to_string()]);
        return beginning(typed, known.chain(toml_files()));
    };
    let Ok(variant) = Variant::parse(name) else {
        return Vec::new();
    };
    let given = options.rsplit_once(',').map_or("", |(given, _)| given);
    let comma = if given.is_empty() { "" } else { "," };
    let head = format!("{name}:{given}{comma}");
    let settings = &variant.rules().options;
    let unset = settings
        .iter()
        .filter(|setting| !given.contains(&format!("{}=", setting.key)));
    let whole = unset.flat_map(|setting| {
        let word = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-';
        let allowed = setting.allowed.to_string();
        let values = allowed.split(", ").filter_map(move |value| {
            // What goes before a number, as 'cap' in 'capN'.
            let value = value.split_once('N').map_or(value, |(kind, _)| kind);
            let named = !value.is_empty() && value.bytes().all(word);
            (named && value != setting.default).then_some(value)
        });
        values
            .map(|value| format!("{head}{}={value}", setting.key))
            .collect::<Vec<_>>()
    });
    let known = catalogue().iter().map(|name| (*name).to_string());
    let all: BTreeSet<String> = whole.chain(known).collect();
    beginning(typed, all)
}

fn metrics(typed: &OsStr) -> Vec<CompletionCandidate> {
    let names = Metric::ALL.map(|metric| metric.name().to_string());
    beginning(typed, names.into_iter().chain(["all".to_string()]))
}

fn levels(typed: &OsStr) -> Vec<CompletionCandidate> {
    beginning(typed, Level::ALL.map(|level| level.name().to_string()))
}

/// With hyphens, since shells end words at blanks.
fn symmetries(typed: &OsStr) -> Vec<CompletionCandidate> {
    let names = Symmetry::ALL.map(|symmetry| symmetry.name().replace(' ', "-"));
    beginning(typed, names)
}

/// Fields after those that were typed.
fn fields(typed: &OsStr) -> Vec<CompletionCandidate> {
    let text = typed.to_string_lossy();
    let (given, comma) = text
        .rsplit_once(',')
        .map_or(("", ""), |(given, _)| (given, ","));
    let known = crate::entry::expression_fields().into_iter();
    let others = known.filter(|name| !given.split(',').any(|given| given == *name));
    beginning(typed, others.map(|name| format!("{given}{comma}{name}")))
}

fn claims(typed: &OsStr) -> Vec<CompletionCandidate> {
    let known = read_claims(BUILT_IN_NAME, BUILT_IN).unwrap_or_default();
    let ids = known.iter().map(|claim| claim.id.to_string());
    beginning(typed, ids.chain(toml_files()))
}

/// Rule files, or files of claims, beside the user.
fn toml_files() -> impl Iterator<Item = String> {
    files_in(Path::new("."), "toml").into_iter().map(|file| {
        let name = file.file_name().unwrap_or_default();
        name.to_string_lossy().into()
    })
}

/// Tables below the folder of tables, and folders and tables of the path typed.
fn tables(typed: &OsStr) -> Vec<CompletionCandidate> {
    let path = PathBuf::from(typed);
    let dir = match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent.to_path_buf(),
        _ => PathBuf::from("."),
    };
    let mut found = files_in(&dir, "gwt");
    found.extend(folders_in(&dir));
    if let Some(dir) = tables_folder() {
        found.extend(
            folders_in(&dir)
                .iter()
                .flat_map(|folder| files_in(folder, "gwt")),
        );
    }
    let names = found.into_iter().map(|file| {
        let name = file.to_string_lossy().into_owned();
        let slash = if file.is_dir() { "/" } else { "" };
        format!("{}{slash}", name.strip_prefix("./").unwrap_or(&name))
    });
    beginning(typed, names)
}

fn tables_folder() -> Option<PathBuf> {
    let named = std::env::var_os("GREENWAVE_DIR").filter(|dir| !dir.is_empty());
    let folder = named.map_or_else(|| PathBuf::from("solutions"), PathBuf::from);
    folder.is_dir().then_some(folder)
}

fn topics(typed: &OsStr, commands: Vec<String>) -> Vec<CompletionCandidate> {
    let pages = crate::entry::TOPICS.map(|(name, ..)| name.to_string());
    beginning(typed, pages.into_iter().chain(commands))
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    paths.sort();
    paths
}

fn files_in(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let mut files = entries(folder);
    files.retain(|path| path.extension().is_some_and(|found| found == extension));
    files
}

fn folders_in(folder: &Path) -> Vec<PathBuf> {
    let mut folders = entries(folder);
    folders.retain(|path| path.is_dir());
    folders
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(candidates: Vec<CompletionCandidate>) -> Vec<String> {
        let text = |candidate: &CompletionCandidate| candidate.get_value().to_string_lossy().into();
        candidates.iter().map(text).collect()
    }

    #[test]
    fn words_are_completed_by_meaning() {
        assert!(names(variant_names("classic-3x".as_ref())).contains(&"classic-3x4".to_string()));
        let options = names(variant_names("classic-3x3:".as_ref()));
        assert!(
            options.contains(&"classic-3x3:play=misere".to_string()),
            "{options:?}"
        );
        let options = names(variant_names("classic-3x3:play=misere,st".as_ref()));
        assert!(
            options.contains(&"classic-3x3:play=misere,stalemate=loss".to_string()),
            "{options:?}"
        );
        let options = names(variant_names("classic-3x3:supply=".as_ref()));
        for option in ["supply=cap", "supply=pool6"] {
            let option = format!("classic-3x3:{option}");
            assert!(options.contains(&option), "{options:?}");
        }
        let options = names(variant_names("noughts-4x4:l".as_ref()));
        assert!(
            options.contains(&"noughts-4x4:line=4".to_string()),
            "{options:?}"
        );
        assert_eq!(names(metrics("di".as_ref())), ["distance"]);
        assert!(names(claims("1".as_ref())).contains(&"12".to_string()));
        assert_eq!(names(topics("ga".as_ref(), Vec::new())), ["games"]);
        assert_eq!(names(levels("e".as_ref())), ["easy"]);
        assert_eq!(names(symmetries("half".as_ref())), ["half-turn"]);
        assert_eq!(
            names(fields("value,winning_m".as_ref())),
            ["value,winning_moves"]
        );
    }
}
