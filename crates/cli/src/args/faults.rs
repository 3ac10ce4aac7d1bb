//! The message about a command line that cannot be read.

use std::io::Write;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use greenwave_tablebase::{FaultKind, Refusal};

/// Prints help or what is wrong, and ends the process.
pub(super) fn show(error: &clap::Error) -> ! {
    if !error.use_stderr() {
        let shown = crate::output::print(&error.render().ansi().to_string());
        match shown {
            Err(broken) if !crate::output::closed_pipe(&broken) => {
                crate::output::complain(&format!("error: {broken:#}"));
                std::process::exit(2);
            }
            _ => std::process::exit(0),
        }
    }
    let asks_for_json = std::env::args_os()
        .take_while(|typed| typed != "--")
        .any(|typed| typed == "--json");
    if asks_for_json {
        let text = crate::output::shortened(&error.render().to_string());
        let text = text.trim().trim_start_matches("error: ");
        refuse_usage(text);
        std::process::exit(2);
    }
    let text = error.render().ansi().to_string();
    crate::output::complain(crate::output::shortened_in_colour(&text).trim_end());
    std::process::exit(2);
}

// The error of a command line as a document on stderr: the page of the command helps where nothing better is
// named.
fn refuse_usage(error: &str) {
    let typed = crate::output::typed();
    let is_command = |typed: &&String| super::is_command(typed);
    let help = match typed.iter().skip(1).find(is_command) {
        Some(command) => format!("greenwave help {command}"),
        None => String::from("greenwave help"),
    };
    let mut refusal = Refusal::new(error, FaultKind::Usage);
    // The name of a command alone is no help.
    refusal.hint = refusal.hint.filter(|hint| hint.split(' ').count() > 2);
    let hint = refusal.hint.unwrap_or(&help);
    let refusal = Refusal {
        hint: Some(hint),
        ..refusal
    };
    if let Ok(document) = serde_json::to_string(&refusal) {
        let _ = writeln!(std::io::stderr().lock(), "{document}");
    }
}

/// The message to a word that is no command but has a meaning.
pub(super) fn meant_by(error: &clap::Error) -> Option<String> {
    if error.kind() != ErrorKind::InvalidSubcommand {
        return None;
    }
    let Some(ContextValue::String(word)) = error.get(ContextKind::InvalidSubcommand) else {
        return None;
    };
    let answer = crate::entry::meant(word)?;
    let style = anstyle::AnsiColor::Red.on_default().bold();
    Some(format!(
        "{style}error:{style:#} there is no command '{word}'; {answer}"
    ))
}

/// Options that environment variables give.
pub(super) const VARIABLES: [(&str, &str); 5] = [
    ("lights", "GREENWAVE_LIGHTS"),
    ("dir", "GREENWAVE_DIR"),
    ("threads", "GREENWAVE_THREADS"),
    ("memory", "GREENWAVE_MEMORY"),
    ("progress", "GREENWAVE_PROGRESS"),
];

/// Whether an option stands on the command line, not in an environment variable alone.
pub(crate) fn is_typed(id: &str) -> bool {
    let other = match id {
        "threads" => "-j",
        "lights" => "--colours",
        _ => "",
    };
    std::env::args_os().any(|typed| {
        let typed = typed.to_string_lossy();
        let short = !other.is_empty() && typed.starts_with(other);
        short || typed.starts_with(&format!("--{id}"))
    })
}

/// An error about an option that nobody typed names the environment variable that it comes from.
pub(super) fn blaming_the_variable(mut error: clap::Error) -> clap::Error {
    let text = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => Some(text.clone()),
        _ => None,
    };
    let (Some(option), Some(value)) = (
        text(ContextKind::InvalidArg),
        text(ContextKind::InvalidValue),
    ) else {
        return error;
    };
    let blamed = VARIABLES.iter().find(|(id, variable)| {
        option.starts_with(&format!("--{id} "))
            && std::env::var(variable).is_ok_and(|set| set == value)
            && !is_typed(id)
    });
    if let Some((_, variable)) = blamed {
        let place = format!("{option}' from the environment variable '{variable}");
        error.insert(ContextKind::InvalidArg, ContextValue::String(place));
    }
    error
}

/// Options that do not go together are named as what to leave out.
pub(super) fn with_what_to_leave_out(mut error: clap::Error) -> clap::Error {
    let Some(ContextValue::String(typed)) = error.get(ContextKind::InvalidArg) else {
        return error;
    };
    let others = match error.get(ContextKind::PriorArg) {
        Some(ContextValue::String(other)) => vec![other.as_str()],
        Some(ContextValue::Strings(others)) => others.iter().map(String::as_str).collect(),
        _ => return error,
    };
    if error.kind() != ErrorKind::ArgumentConflict {
        return error;
    }
    let tip = if others.contains(&typed.as_str()) {
        format!("give '{typed}' once")
    } else {
        format!("leave out '{typed}' or '{}'", others.join("', '"))
    };
    let tip = ContextValue::StyledStrs(vec![tip.into()]);
    error.insert(ContextKind::Suggested, tip);
    error
}
