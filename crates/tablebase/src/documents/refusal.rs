//! Why there is no answer, as a document.

use serde::Serialize;

use super::SCHEMA;

/// What kind of fault keeps a question from being answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schemas", schemars(rename = "Fault"))]
#[serde(rename_all = "lowercase")]
pub enum FaultKind {
    /// A word, an option or a name that is not known here, or that does not go with others.
    Usage,
    /// A text that is no position, no move, no expression or no claim.
    Text,
    /// A file that cannot be read or written, is damaged, or of other rules.
    File,
    /// More memory, time, disk or connections than there are.
    Limit,
    /// Something that is not proven.
    Unproven,
    /// Work that was stopped from outside.
    Interrupted,
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Refusal<'t> {
    /// Version of the documents.
    pub schema: u32,
    /// The fault: what was found and expected, and the way out.
    pub error: &'t str,
    /// The kind of fault.
    pub kind: FaultKind,
    /// A command that helps, where the text names one.
    pub hint: Option<&'t str>,
}

impl<'t> Refusal<'t> {
    /// The document of an error.
    #[must_use]
    pub fn new(error: &'t str, kind: FaultKind) -> Refusal<'t> {
        Refusal {
            schema: SCHEMA,
            error,
            kind,
            hint: command_in(error),
        }
    }
}

/// The first command in a text that can be run as it stands; names in capitals stand for something
/// that has to be put there, and a command that needs more than its name is only named.
fn command_in(text: &str) -> Option<&str> {
    /// Commands that their name alone runs.
    const ALONE: [&str; 6] = ["bench", "check", "cite", "help", "serve", "variants"];
    let mut commands = text.match_indices("greenwave ").filter_map(|(at, _)| {
        let quote = text[..at].chars().next_back();
        let quote = quote.filter(|letter| "'`".contains(*letter))?;
        let command = &text[at..];
        command.find(quote).map(|end| &command[..end])
    });
    commands.find(|command| {
        let is_name = |word: &str| {
            let letters = word.trim_matches(|letter: char| !letter.is_alphanumeric());
            let letters = letters.trim_end_matches(".toml");
            letters.len() > 1 && letters.bytes().all(|byte| byte.is_ascii_uppercase())
        };
        let mut words = command.split(' ');
        let is_whole = match (words.nth(1), words.next()) {
            (Some(name), None) => ALONE.contains(&name),
            (name, _) => name.is_some(),
        };
        is_whole && !command.contains('…') && !command.split(' ').any(is_name)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hint_is_a_command_that_can_be_run() {
        for (text, hint) in [
            (
                "it's damaged; solve again with `greenwave --dir 'my tables' solve own.toml --force`",
                Some("greenwave --dir 'my tables' solve own.toml --force"),
            ),
            (
                "unknown; 'greenwave variants' lists all",
                Some("greenwave variants"),
            ),
            (
                "found 'x', expected y; see 'greenwave help positions'",
                Some("greenwave help positions"),
            ),
            ("solve with 'greenwave solve VARIANT'", None),
            ("give a file that `greenwave solve` wrote", None),
            (
                "'greenwave play' and 'greenwave review' show it; 'greenwave help games' says more",
                Some("greenwave help games"),
            ),
            ("found 'greenwave', expected a game", None),
            ("nothing", None),
        ] {
            assert_eq!(Refusal::new(text, FaultKind::Usage).hint, hint, "{text}");
        }
        let text = serde_json::to_string(&Refusal::new("found 'x'", FaultKind::Text)).unwrap();
        let schema = SCHEMA;
        assert_eq!(
            text,
            format!(
                "{{\"schema\":{schema},\"error\":\"found 'x'\",\"kind\":\"text\",\"hint\":null}}"
            )
        );
    }
}
