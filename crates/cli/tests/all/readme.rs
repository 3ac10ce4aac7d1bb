//! Checks the statements of the README, the guide and the rules pages: it runs their examples,
//! recomputes their figures and follows their links.
//!
//! `GREENWAVE_BLESS=1 cargo test -p greenwave --test all readme` writes the real output of the examples
//! into the pages.
#![cfg(unix)]

use std::path::Path;
use std::process::Command;

use crate::pages::{blessing, greenwave, isolate, page, root};
use greenwave_game::Variant;
use greenwave_tablebase::Tablebase;

/// The pages with ```console blocks.
const WITH_EXAMPLES: [&str; 10] = [
    "README.md",
    "docs/start.md",
    "docs/guides/championship.md",
    "docs/guides/lesson.md",
    "docs/guides/rules.md",
    "docs/guides/research.md",
    "docs/guides/program.md",
    "docs/reference/games.md",
    "docs/reference/positions.md",
    "docs/reference/json.md",
];

#[test]
fn every_page_with_examples_is_listed() {
    let folders = ["docs", "docs/guides", "docs/reference", "docs/why"];
    for folder in folders {
        for entry in std::fs::read_dir(root().join(folder)).unwrap() {
            let path = format!("{folder}/{}", entry.unwrap().file_name().to_string_lossy());
            let shows = path.ends_with(".md") && page(&path).contains("```console\n");
            assert!(
                !shows || WITH_EXAMPLES.contains(&path.as_str()),
                "{path} has examples that nothing runs"
            );
        }
    }
}

/// How the README runs the program without installing it.
const FROM_SOURCE: &str = "cargo run --release --";

/// What stands before figures that differ from run to run.
const VARYING: [&str; 2] = ["solved in ", "exactly 5 plies ("];

/// What takes seconds: the slow tests run it.
const LONG: [&str; 3] = [
    "greenwave query slider ",
    "greenwave solve classic-5x5 ",
    "greenwave check 6 25",
];

#[test]
fn examples_print_what_the_pages_show() {
    let mut wrong = String::new();
    for path in WITH_EXAMPLES {
        let text = page(path);
        let home = checkout();
        let mut now = String::new();
        for part in parts(&text) {
            match part {
                Part::Prose(prose) => now.push_str(prose),
                Part::Console(shown) => {
                    let long = LONG.iter().any(|command| shown.contains(command));
                    let real = if long && !cfg!(feature = "slow-tests") && !blessing() {
                        shown.to_string()
                    } else {
                        console(shown, home.path())
                    };
                    let cut = shown.lines().any(|line| line == "...");
                    if alike(shown, &real) && (cut || !blessing()) {
                        now.push_str(shown);
                    } else {
                        now.push_str(&real);
                    }
                    if !alike(shown, &real) {
                        wrong
                            .push_str(&format!("{path} shows\n{shown}but this happens:\n{real}\n"));
                    }
                }
            }
        }
        if blessing() && now != text {
            std::fs::write(root().join(path), now).unwrap();
        }
    }
    assert!(wrong.is_empty() || blessing(), "{wrong}");
}

/// A folder in which examples run as in a fresh clone: with the published tables.
pub(crate) fn checkout() -> tempfile::TempDir {
    let home = tempfile::tempdir().unwrap();
    let published = root().join("solutions");
    std::fs::create_dir_all(home.path().join("solutions")).unwrap();
    for folder in std::fs::read_dir(&published).unwrap().map(Result::unwrap) {
        if folder.path().is_dir() {
            let copy = home.path().join("solutions").join(folder.file_name());
            std::fs::create_dir_all(&copy).unwrap();
            for file in std::fs::read_dir(folder.path())
                .unwrap()
                .map(Result::unwrap)
            {
                if crate::pages::published(&file.path()) {
                    std::fs::copy(file.path(), copy.join(file.file_name())).unwrap();
                }
            }
        }
    }
    home
}

enum Part<'a> {
    Prose(&'a str),
    Console(&'a str),
}

/// Cuts a page at the fences of its console blocks.
fn parts(text: &str) -> Vec<Part<'_>> {
    const OPEN: &str = "```console\n";
    let mut parts = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find(OPEN) {
        let (prose, block) = rest.split_at(at + OPEN.len());
        let end = block
            .find("```")
            .unwrap_or_else(|| panic!("a console block without end: {block}"));
        parts.push(Part::Prose(prose));
        parts.push(Part::Console(&block[..end]));
        rest = &block[end..];
    }
    parts.push(Part::Prose(rest));
    parts
}

/// Runs the commands of a block, one after `$` each, and returns the block with their real output.
fn console(block: &str, home: &Path) -> String {
    let mut real = String::new();
    for line in block.lines().filter(|line| line.starts_with("$ ")) {
        let script = line[2..].replace(FROM_SOURCE, "greenwave");
        let program = Path::new(env!("CARGO_BIN_EXE_greenwave"));
        let mut path = program.parent().unwrap().as_os_str().to_owned();
        path.push(":");
        path.push(std::env::var_os("PATH").unwrap_or_default());
        let mut shell = Command::new("sh");
        shell
            .args(["-c", &format!("exec 2>&1; {script}")])
            .env("PATH", path);
        isolate(&mut shell, home);
        let output = shell.stdin(std::process::Stdio::null()).output().unwrap();
        let printed = String::from_utf8(output.stdout).unwrap();
        assert!(
            output.status.success() || printed.contains("error"),
            "'{script}' failed without saying why: {printed}"
        );
        real.push_str(&format!("{line}\n{printed}"));
    }
    real
}

/// Whether a block shows what really happens: line by line, leaving out trailing blanks and figures
/// that vary; a line `...` stands for any number of lines.
fn alike(shown: &str, real: &str) -> bool {
    let lines = |text: &str| text.lines().map(steady).collect::<Vec<_>>();
    matches(&lines(shown), &lines(real))
}

fn matches(shown: &[String], real: &[String]) -> bool {
    match shown.split_first() {
        None => real.is_empty(),
        Some((line, rest)) if line == "..." => {
            (0..=real.len()).any(|skipped| matches(rest, &real[skipped..]))
        }
        Some((line, rest)) => real.first() == Some(line) && matches(rest, &real[1..]),
    }
}

fn steady(line: &str) -> String {
    let cut = VARYING
        .iter()
        .find_map(|mark| line.find(mark).map(|at| at + mark.len()));
    line[..cut.unwrap_or(line.len())].trim_end().to_string()
}

#[test]
fn the_comparison_sees_differences() {
    assert!(alike("$ a\nb\n", "$ a\nb  \n"));
    assert!(alike("$ a\n...\nd\n", "$ a\nb\nc\nd\n"));
    assert!(alike("x solved in 8 ms (1)\n", "x solved in 9 ms (2)\n"));
    assert!(!alike("x solved in 8 ms\n", "y solved in 8 ms\n"));
    assert!(!alike("$ a\nb\n", "$ a\nb\nc\n"));
    assert!(!alike("$ a\n...\nd\n", "$ a\nb\nc\n"));
}

#[test]
fn the_library_example_is_the_one_shown() {
    let source = page("crates/cli/examples/library.rs");
    let (_, shown) = source.split_once("\n\n").unwrap();
    let readme = page("README.md");
    assert!(
        readme.contains(&format!("```rust\n{shown}```")),
        "README.md shows another program"
    );
    let answer = Tablebase::open(root().join("solutions")).unwrap();
    let answer = answer.query("classic-3x3", "R../.Y./..G").unwrap();
    let said = format!("{} by {}", answer.value, answer.best.join(", "));
    assert!(
        readme.contains(&format!("```text\n{said}\n```")),
        "the program prints {said}"
    );
}

#[test]
fn every_crate_has_a_readme_that_shows_its_example() {
    for folder in std::fs::read_dir(root().join("crates")).unwrap() {
        let folder = format!("crates/{}", folder.unwrap().file_name().to_string_lossy());
        let readme = page(&format!("{folder}/README.md"));
        // A crate that exports nothing to Rust has no example of it; `greenwave` shows its
        // libraries.
        let exports = root().join(&folder).join("src/lib.rs").exists() || folder == "crates/cli";
        if !exports || page(&format!("{folder}/Cargo.toml")).contains("crate-type = [\"cdylib\"]") {
            continue;
        }
        let examples = std::fs::read_dir(root().join(&folder).join("examples"));
        let shown = examples.unwrap_or_else(|error| panic!("{folder}/examples: {error}"));
        let shown = shown.map(Result::unwrap).any(|example| {
            let source = std::fs::read_to_string(example.path()).unwrap();
            let code = source.split_once("\n\n").map_or("", |(_, code)| code);
            !code.is_empty() && readme.contains(code)
        });
        assert!(shown, "{folder}/README.md shows none of its examples");
    }
}

#[test]
fn one_version_stands_everywhere() {
    let version = env!("CARGO_PKG_VERSION");
    for (path, line) in [
        ("CITATION.cff", format!("version: {version}\n")),
        ("CHANGELOG.md", format!("\n## [{version}] - ")),
        ("python/Cargo.toml", format!("\nversion = \"{version}\"\n")),
    ] {
        assert!(page(path).contains(&line), "{path} lacks '{}'", line.trim());
    }
    let released = page("CITATION.cff");
    let (_, day) = released.split_once("date-released: ").unwrap();
    let heading = format!("## [{version}] - {}", day.lines().next().unwrap());
    assert!(page("CHANGELOG.md").contains(&heading), "{heading}");
}

#[test]
fn rules_pages_state_true_values_of_small_boards() {
    compare_values(|squares| squares < 12);
}

#[test]
#[cfg_attr(not(feature = "slow-tests"), ignore = "minutes")]
fn rules_pages_state_true_values_of_larger_boards() {
    compare_values(|squares| squares >= 12);
}

/// Compares the tables of values of the rules pages with what `solve` says.
fn compare_values(wanted: impl Fn(u32) -> bool) {
    let home = tempfile::tempdir().unwrap();
    let mut rows = Vec::new();
    for (_, page) in rules_pages() {
        for row in table_rows(&page) {
            let name = row[0].trim_matches('`').to_string();
            if row[0].starts_with('`') && wanted(Variant::parse(&name).unwrap().rules().cells) {
                rows.push((name, row[1].clone(), row[2].clone()));
            }
        }
    }
    assert!(rows.len() > 10, "the tables of values are gone");
    let names = rows.iter().map(|(name, ..)| name.as_str());
    let args = ["solve", "--no-table", "--json", "--quiet"];
    let output = greenwave(home.path())
        .args(args)
        .args(names)
        .output()
        .unwrap();
    let printed = String::from_utf8(output.stdout).unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let mut wrong = Vec::new();
    for ((name, first, second), line) in rows.iter().zip(printed.lines()) {
        let solved: serde_json::Value = serde_json::from_str(line).unwrap();
        assert_eq!(solved["variant"], name.as_str());
        let value = solved["value"].as_str().unwrap();
        let real = match (solved["points"].as_i64(), solved["distance"].as_u64()) {
            (Some(points), _) => format!("{points:+}").replace('-', "−"),
            (None, Some(plies)) => format!("{value}, {plies}"),
            (None, None) => format!("{value}, –"),
        };
        if *first != real && format!("{first}, {second}") != real {
            wrong.push(format!(
                "{name}: the page says {first}, {second}; it is {real}"
            ));
        }
    }
    assert_eq!(printed.lines().count(), rows.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The rules pages with their names.
fn rules_pages() -> Vec<(String, String)> {
    let folder = std::fs::read_dir(root().join("docs/rules")).unwrap();
    let names = folder.map(|file| file.unwrap().file_name().to_string_lossy().into_owned());
    names
        .map(|name| (name.clone(), page(&format!("docs/rules/{name}"))))
        .collect()
}

/// The cells of the table rows of a page.
fn table_rows(text: &str) -> Vec<Vec<String>> {
    text.lines()
        .filter(|line| line.starts_with("| ") && !line.starts_with("| --"))
        .map(|line| {
            line.trim_matches('|')
                .split('|')
                .map(|cell| cell.trim().to_string())
                .collect()
        })
        .collect()
}

#[test]
fn rules_pages_fit_a_terminal_and_end_with_their_source() {
    for (family, page) in rules_pages() {
        for line in page.lines() {
            assert!(
                line.chars().count() <= 80,
                "{family}: longer than 80 columns: {line}"
            );
        }
        let headings: Vec<&str> = page
            .lines()
            .filter(|line| line.starts_with("## "))
            .collect();
        let expected = [
            "## Board",
            "## End",
            "## Options",
            "## What is known",
            "## Ambiguities and how they are read",
            "## Source",
        ];
        let found: Vec<&str> = headings
            .iter()
            .copied()
            .filter(|heading| expected.contains(heading))
            .collect();
        assert_eq!(found, expected, "{family}");
        assert_eq!(headings.last(), Some(&"## Source"), "{family}");
    }
}

#[test]
fn links_lead_somewhere_and_the_book_has_every_page() {
    let mut listed = vec![
        "README.md".to_string(),
        "CHANGELOG.md".into(),
        "solutions/README.md".into(),
    ];
    let mut folders = vec!["docs".to_string()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(root().join(&folder))
            .unwrap()
            .map(Result::unwrap)
        {
            let path = format!("{folder}/{}", entry.file_name().to_string_lossy());
            if entry.path().is_dir() && path != "docs/book" {
                folders.push(path);
            } else if path.ends_with(".md") {
                listed.push(path);
            }
        }
    }
    let summary = page("docs/SUMMARY.md");
    for path in &listed {
        let folder = Path::new(path).parent().unwrap();
        for target in links(&page(path)) {
            let (file, anchor) = target.split_once('#').unwrap_or((&target, ""));
            let file = match file {
                "" => path.clone(),
                file => folder.join(file).display().to_string(),
            };
            let there = root().join(&file).exists();
            assert!(there, "{path} links to {target}, which is not there");
            assert!(
                anchor.is_empty() || anchors(&page(&file)).any(|there| there == anchor),
                "{path} links to {target}, and {file} has no such heading"
            );
        }
        if let Some(inside) = path
            .strip_prefix("docs/")
            .filter(|inside| *inside != "SUMMARY.md")
        {
            assert!(
                summary.contains(&format!("({inside})")),
                "docs/SUMMARY.md lacks {inside}"
            );
        }
    }
}

/// Targets of the links of a page that stay in the repository.
fn links(text: &str) -> Vec<String> {
    text.split("](")
        .skip(1)
        .filter_map(|rest| rest.split_once(')'))
        .map(|(target, _)| target.to_string())
        .filter(|target| !target.starts_with("http"))
        .collect()
}

/// The names of the headings of a page in links.
fn anchors(text: &str) -> impl Iterator<Item = String> {
    let headings = text.lines().filter(|line| line.starts_with('#'));
    headings.map(|line| {
        let words = line.trim_start_matches('#').trim().to_lowercase();
        let kept = |c: &char| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_');
        words
            .chars()
            .filter(kept)
            .collect::<String>()
            .replace(' ', "-")
    })
}
