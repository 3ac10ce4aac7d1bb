//! The way in: the first screen, examples for every help page, pages of help, and what is suggested
//! for words that are no command.

use greenwave_game::Variant;

use crate::output::page;

/// The text of a bare `greenwave`.
pub(crate) const WELCOME: &str = "\
Greenwave solves the Traffic Lights family of board games: from any position it
tells you who wins, in how many plies, and what every move is worth.

  greenwave query classic-3x3 ..G/.R./Y..     find the best move
  greenwave play semaforo                     play against it
  greenwave puzzle semaforo --level 2         train with a puzzle
  greenwave serve --open                      see all of it in a browser

'greenwave help' lists all commands, 'greenwave help games' the games, and
'greenwave help trouble' answers what new users ask.
";

const EXAMPLES: &str = include_str!("../pages/examples.txt");
const MEANINGS: &str = include_str!("../pages/meanings.txt");

/// A part of a text, up to the next blank line.
fn part(text: &'static str, name: &str) -> &'static str {
    let found = text.split_once(&format!("\n\n{name}:\n"));
    found.map_or("", |(_, rest)| rest.split("\n\n").next().unwrap_or(rest))
}

/// The lines of a part in pairs: a word or a command, and what it means.
pub(crate) fn pairs(text: &'static str, name: &str) -> Vec<(&'static str, &'static str)> {
    let lines: Vec<&str> = part(text, name).lines().map(str::trim).collect();
    let pairs = lines.chunks_exact(2);
    pairs.map(|pair| (pair[0], pair[1])).collect()
}

/// The examples of a command, or of `greenwave` itself.
pub(crate) fn examples(command: &str) -> Vec<(&'static str, &'static str)> {
    pairs(EXAMPLES, command)
}

const JSON: &str = include_str!("../pages/json.md");
const EXPRESSIONS: &str = include_str!("../pages/expressions.md");

/// Pages of the book that `help` prints: name, what it is about, text.
pub(crate) const TOPICS: [(&str, &str, &str); 7] = [
    (
        "games",
        "the games, their options and names",
        include_str!("../pages/games.md"),
    ),
    (
        "positions",
        "how to write positions and moves",
        include_str!("../pages/positions.md"),
    ),
    ("expressions", "the language of find and check", EXPRESSIONS),
    (
        "rule-files",
        "how to describe a game of your own",
        include_str!("../pages/rule-files.md"),
    ),
    (
        "claims",
        "how to write claims that check settles",
        include_str!("../pages/claims-files.md"),
    ),
    ("json", "the fields of the documents", JSON),
    (
        "trouble",
        "answers to what people ask",
        include_str!("../pages/questions.md"),
    ),
];

/// The fields of a command's JSON, as their page lists them.
pub(crate) fn fields(command: &str) -> Option<&'static str> {
    let row = format!("| `{command}` | ");
    let line = JSON.lines().find_map(|line| line.strip_prefix(&row))?;
    line.strip_suffix(" |")
}

/// How a help page is laid out: what the command does, its commonest examples, then all the rest.
pub(crate) fn layout(command: &str) -> String {
    let shown = part(EXAMPLES, command).trim_end_matches('\n');
    format!(
        "{{about-with-newline}}\nExamples:\n{shown}\n\n{{usage-heading}} {{usage}}\n\n{{all-args}}{{after-help}}"
    )
}

/// The end of a help page: the words of expressions, and the fields of documents.
pub(crate) fn after_help(command: &str) -> String {
    let mut text = String::new();
    if command == "find" {
        text.push_str(&page::wrapped_after(
            "Expressions: ",
            2,
            &expression_words(),
        ));
        text.push('\n');
    }
    if let Some(fields) = fields(command) {
        text.push_str(&page::wrapped_after("Fields of --json: ", 2, fields));
    }
    text
}

/// The fields of expressions.
pub(crate) fn expression_fields() -> Vec<&'static str> {
    let mut names = expression_names();
    names.retain(|name| !name.contains('('));
    names
}

/// The fields and operators of expressions, taken from their page.
fn expression_words() -> String {
    format!(
        "fields {}; squares (b2) and colours (red); operators = != < <= > >= + - * %, and or not; \
         'greenwave help expressions' explains them.",
        expression_names().join(", ")
    )
}

/// The fields and calls of expressions, as the tables of their page list them.
fn expression_names() -> Vec<&'static str> {
    let table = EXPRESSIONS
        .split_once("## Fields")
        .map_or("", |(_, rest)| rest);
    let table = table.split("\n## ").next().unwrap_or_default();
    let cells = table
        .lines()
        .filter(|line| line.starts_with("| `"))
        .filter_map(|line| line.split(" | ").next());
    // What stands between back quotes: every second part. A row may have several.
    cells
        .flat_map(|cell| cell.split('`').skip(1).step_by(2))
        .collect()
}

/// How the page that lists the commands is laid out.
pub(crate) fn overview() -> String {
    format!(
        "{{about-with-newline}}\nExamples:\n  {}\n      what every first move is worth\n  {}\n      \
         what to play in a position\n\n{{usage-heading}} {{usage}}\n\n{{all-args}}{{after-help}}",
        "greenwave query classic-3x3", "greenwave query classic-3x3 ..G/.R./Y.."
    )
}

/// The end of the page that lists the commands.
pub(crate) fn after_overview() -> String {
    let topics: String = TOPICS
        .iter()
        .map(|(name, about, _)| format!("  greenwave help {name:<12} {about}\n"))
        .collect();
    format!("Pages:\n{}", topics.trim_end())
}

/// Words that people type for commands of other names, and what does what they mean.
fn meanings() -> impl Iterator<Item = (&'static str, &'static str)> {
    MEANINGS.lines().filter_map(|line| line.split_once(": "))
}

/// The commands for a word that is no command.
pub(crate) fn meant(word: &str) -> Option<String> {
    let lower = word.to_lowercase();
    let mut fitting = meanings().filter(|(words, _)| words.split(' ').any(|word| word == lower));
    if let Some((_, answer)) = fitting.next() {
        return Some(answer.to_string());
    }
    Variant::parse(word)
        .is_ok()
        .then(|| format!("it is a game: 'greenwave query {word}' shows what every move is worth"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_has_examples_and_meanings_name_no_command() {
        let command = crate::args::command();
        let names: Vec<&str> = command
            .get_subcommands()
            .map(clap::Command::get_name)
            .collect();
        for name in &names {
            assert!(
                (2..=3).contains(&examples(name).len()),
                "examples of {name}"
            );
        }
        assert!(meanings().count() > 15);
        for (words, answer) in meanings() {
            for word in words.split(' ') {
                assert!(!names.contains(&word), "{word} is a command");
            }
            assert!(answer.chars().count() > 20);
        }
        assert!(
            fields("query")
                .unwrap()
                .starts_with("variant, lights, position")
        );
        let words = expression_words();
        for field in [
            "winning_moves, drawing_moves, losing_moves",
            "green_captured",
            "green_hand",
            "other_hand(colour), market(colour)",
            "some(colour, E)",
        ] {
            assert!(words.contains(field), "no {field} in: {words}");
        }
        assert!(expression_fields().contains(&"drawing_moves"));
        assert!(!expression_fields().iter().any(|field| field.contains('(')));
    }
}
