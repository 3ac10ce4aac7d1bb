//! The way in: the first screen, examples for every help page, pages of help, and what is suggested
//! for words that are no command.

use std::fmt::Write;

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

/// Commands to try, each tested: the command, and what it shows.
const EXAMPLES: &[(&str, &[(&str, &str)])] = &[
    (
        "variants",
        &[
            ("greenwave variants", "all games, and who wins"),
            ("greenwave variants --json", "the same for programs"),
        ],
    ),
    (
        "rules",
        &[
            ("greenwave rules classic-3x4", "a game explained"),
            (
                "greenwave rules semaforo --lang pt",
                "in Portuguese; en, de and es are the others",
            ),
        ],
    ),
    (
        "info",
        &[
            (
                "greenwave info solutions/classic-3x3/distance.gwt",
                "what a table contains",
            ),
            (
                "greenwave info solutions/classic-3x3/nimber.gwt --json",
                "the same for programs",
            ),
        ],
    ),
    (
        "solve",
        &[
            ("greenwave solve classic-3x3", "solve, and keep the table"),
            (
                "greenwave solve signal-3x3 --metric all --no-table",
                "every metric, nothing kept",
            ),
            (
                "greenwave solve classic-5x4 --metric value --estimate",
                "what it would take",
            ),
        ],
    ),
    (
        "query",
        &[
            ("greenwave query classic-3x3", "the first move"),
            (
                "greenwave query classic-3x3 R../.Y./..G",
                "a position, rows from the top",
            ),
            (
                "echo R../.Y./..G | greenwave query 3x3 - --json",
                "many positions, for programs",
            ),
        ],
    ),
    (
        "line",
        &[
            ("greenwave line classic-3x3", "best play to the end"),
            (
                "greenwave line classic-3x3 R../.Y./..G --json",
                "from a position, for programs",
            ),
        ],
    ),
    (
        "stats",
        &[
            ("greenwave stats classic-3x3", "counts of all positions"),
            (
                "greenwave stats classic-2x3 --metric nimber",
                "by nimber alone",
            ),
        ],
    ),
    (
        "find",
        &[
            (
                "greenwave find classic-3x3 'value = loss and distance = 20'",
                "who holds out longest",
            ),
            (
                "greenwave find classic-3x3 'winning_moves = 1 and moves > 8' --count",
                "how many have one winning move",
            ),
            (
                "greenwave find signal-3x3 'b2 = green' --sample 3 --seed 1",
                "three at random",
            ),
        ],
    ),
    (
        "check",
        &[
            ("greenwave check 6", "a built-in claim"),
            (
                "greenwave check 'classic-3x3 none: value = draw'",
                "a claim of your own in one line, with none, some or all",
            ),
            ("greenwave check --list --json", "all of them, for programs"),
        ],
    ),
    (
        "certify",
        &[
            (
                "greenwave certify classic-3x3",
                "a strategy that anyone can check",
            ),
            (
                "greenwave certify signal-3x3 -o -",
                "the same on standard output",
            ),
            ("greenwave certify green-3x3 --json", "for programs"),
        ],
    ),
    (
        "compare",
        &[
            (
                "greenwave compare classic-3x3 classic-3x3:supply=cap4",
                "what an option changes",
            ),
            (
                "greenwave compare classic-2x3 green-2x3 --json",
                "the same for programs",
            ),
        ],
    ),
    (
        "design",
        &[
            (
                "greenwave design my-game.toml --vary play=normal,misere",
                "which rules are the fairest",
            ),
            (
                "greenwave design my-game.toml --vary board.wrap=none,both --rank drama --json",
                "the most dramatic, for programs",
            ),
        ],
    ),
    (
        "verify",
        &[
            ("greenwave verify classic-3x3", "all tables of a game"),
            ("greenwave verify solutions/green-3x3/value.gwt", "one file"),
        ],
    ),
    (
        "perft",
        &[
            ("greenwave perft classic-3x3 --depth 4", "from the start"),
            (
                "greenwave perft ampel-4-2-1 --depth 2 --json",
                "for programs",
            ),
        ],
    ),
    (
        "sum",
        &[
            (
                "greenwave sum classic-3x3 classic-3x3",
                "two boards at once",
            ),
            (
                "greenwave sum classic-3x3=R../.Y./..G classic-1x3=RY.",
                "from positions",
            ),
            (
                "greenwave sum --misere classic-1x3 classic-1x3=R..",
                "where the last move of all loses",
            ),
        ],
    ),
    (
        "simulate",
        &[
            (
                "greenwave simulate bag-classic-2x3 --games 1000 --seed 1",
                "a thousand games",
            ),
            (
                "greenwave simulate bag-classic-2x3 --games 100 --seed 2 --json",
                "for programs",
            ),
        ],
    ),
    (
        "bench",
        &[
            ("greenwave bench classic-3x3", "how fast this machine is"),
            (
                "greenwave bench classic-3x3 --metric value --kernel portable",
                "one metric and kernel",
            ),
        ],
    ),
    (
        "draw",
        &[
            (
                "greenwave draw classic-3x3 R../.Y./..G -o board.svg",
                "a position as SVG",
            ),
            (
                "greenwave draw classic-3x3 --values -o values.svg",
                "with what each move is worth",
            ),
        ],
    ),
    (
        "serve",
        &[
            ("greenwave serve --open", "the explorer, in a browser"),
            (
                "greenwave serve my-game.toml --port 8080",
                "with a game of your own",
            ),
        ],
    ),
    (
        "play",
        &[
            ("greenwave play classic-3x3", "you move first"),
            (
                "greenwave play semaforo --as second --level medium --record game.txt",
                "an easier game, kept",
            ),
            (
                "printf 'b2\\nquit\\n' | greenwave play classic-3x3 --seed 1 --json",
                "for programs",
            ),
        ],
    ),
    (
        "review",
        &[
            (
                "greenwave review classic-3x3 --moves b2R,b2Y,a1R",
                "a game as a list of moves",
            ),
            (
                "printf '# variant classic-3x3\\nb2R\\nb2Y\\n' | greenwave review -",
                "files of games, one or many to a file: accuracy, repeated mistakes",
            ),
        ],
    ),
    (
        "book",
        &[
            (
                "greenwave book classic-3x3 --depth 2",
                "what every first move and reply is worth",
            ),
            (
                "greenwave book semaforo --for second --depth 6 --html book.html",
                "what the winner answers, to print",
            ),
        ],
    ),
    (
        "puzzle",
        &[
            ("greenwave puzzle classic-3x3", "one puzzle"),
            (
                "echo quit | greenwave puzzle classic-3x3 --play",
                "a drill: type moves, wrong ones come back, a score ends it",
            ),
            (
                "greenwave puzzle classic-3x3 --count 6 --level 2 --html sheet.html",
                "a sheet to print",
            ),
        ],
    ),
    (
        "sheet",
        &[
            (
                "greenwave sheet classic-3x3 --html class.html",
                "rules, puzzles, boards, counters and solutions, to print",
            ),
            (
                "greenwave sheet classic-3x3 --lang pt --level 1 --svg class.svg",
                "in Portuguese, easy puzzles alone, as a picture",
            ),
        ],
    ),
    (
        "strategy",
        &[
            (
                "greenwave strategy classic-3x3",
                "who wins by the centre and the half turn",
            ),
            (
                "greenwave strategy classic-1x5 --json",
                "the same as a document",
            ),
        ],
    ),
    (
        "cite",
        &[
            ("greenwave cite", "the program"),
            (
                "greenwave cite classic-3x4 --bibtex",
                "and a solution, with its signatures",
            ),
        ],
    ),
    (
        "completions",
        &[
            (
                "greenwave completions bash",
                "a line for ~/.bashrc: source <(greenwave completions bash)",
            ),
            (
                "greenwave completions fish",
                "for ~/.config/fish/completions/greenwave.fish",
            ),
        ],
    ),
    (
        "man",
        &[
            ("greenwave man", "the manual page"),
            ("greenwave man --out-dir man1", "all of them, into a folder"),
        ],
    ),
    (
        "help",
        &[
            ("greenwave help query", "a command"),
            ("greenwave help games", "the games, their options and names"),
        ],
    ),
];

/// The examples of a command.
pub(crate) fn examples(command: &str) -> &'static [(&'static str, &'static str)] {
    let found = EXAMPLES.iter().find(|(name, _)| *name == command);
    found.map_or(&[], |(_, examples)| examples)
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
    let mut shown = String::new();
    for (example, what) in examples(command) {
        let _ = writeln!(shown, "  {example}\n      {what}");
    }
    format!(
        "{{about-with-newline}}\nExamples:\n{shown}\n{{usage-heading}} {{usage}}\n\n{{all-args}}{{after-help}}"
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

/// Words that people type for commands of other names: the words, and what does what they mean.
const MEANINGS: &[(&[&str], &str)] = &[
    (
        &[
            "best", "eval", "evaluate", "value", "show", "ask", "move", "moves", "position", "who",
        ],
        "'greenwave query VARIANT [POSITION]' shows what every move is worth",
    ),
    (
        &["list", "ls", "games", "catalogue", "catalog", "all"],
        "'greenwave variants' lists the games",
    ),
    (
        &["export", "csv", "dump", "select", "search", "filter"],
        "'greenwave find VARIANT EXPRESSION' lists positions with their values, with --json for \
         programs",
    ),
    (
        &[
            "web", "server", "www", "browser", "gui", "ui", "http", "explorer",
        ],
        "'greenwave serve' opens the explorer in a browser",
    ),
    (
        &["hint", "help-me", "advice", "solve-position"],
        "'greenwave query VARIANT POSITION' shows the best moves; in 'greenwave play' the word \
         'hint' or the key h does",
    ),
    (
        &["analyse", "analyze", "analysis", "annotate", "judge"],
        "'greenwave review VARIANT --moves MOVES' reviews a game, 'greenwave query VARIANT \
         POSITION' answers about one position",
    ),
    (
        &["game", "start", "new", "match", "versus", "vs"],
        "'greenwave play VARIANT' plays against you",
    ),
    (
        &[
            "picture", "image", "svg", "png", "board", "print", "diagram",
        ],
        "'greenwave draw VARIANT [POSITION]' draws a position",
    ),
    (
        &[
            "quiz",
            "exercise",
            "exercises",
            "puzzles",
            "train",
            "problem",
            "problems",
        ],
        "'greenwave puzzle VARIANT' makes puzzles",
    ),
    (
        &["count", "counts", "statistics", "stat"],
        "'greenwave stats VARIANT' counts positions, 'greenwave find VARIANT EXPRESSION --count' \
         those that you describe",
    ),
    (
        &["tables", "table", "file"],
        "'greenwave info FILE' shows what a table contains, 'greenwave variants' what is solved",
    ),
    (
        &["pv", "mainline", "playout"],
        "'greenwave line VARIANT [POSITION]' shows best play to the end",
    ),
    (
        &["prove", "proof", "claims", "claim"],
        "'greenwave check' settles claims, 'greenwave certify VARIANT' writes a strategy that anyone \
         can check",
    ),
    (
        &["completion", "autocomplete"],
        "'greenwave completions SHELL' prints completions",
    ),
    (
        &["citation", "bibtex", "doi"],
        "'greenwave cite' prints a citation",
    ),
    (
        &[
            "vary", "tune", "rank", "optimise", "optimize", "designer", "invent",
        ],
        "'greenwave design FILE.toml --vary KEY=A,B' searches rules for good games",
    ),
    (
        &["update", "upgrade", "install", "config", "settings"],
        "there is nothing to configure; 'greenwave help' lists the options, and which environment \
         variables set them",
    ),
];

/// The commands for a word that is no command.
pub(crate) fn meant(word: &str) -> Option<String> {
    let lower = word.to_lowercase();
    let mut meanings = MEANINGS.iter();
    if let Some((_, answer)) = meanings.find(|(words, _)| words.contains(&lower.as_str())) {
        return Some((*answer).to_string());
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
        for (words, answer) in MEANINGS {
            for word in *words {
                assert!(!names.contains(word), "{word} is a command");
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
