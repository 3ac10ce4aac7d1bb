//! The families of games themselves are the source of their lists on the pages.
//!
//! `GREENWAVE_BLESS=1 cargo test -p greenwave --test all families` writes it: the rules pages of the
//! book, its list of them, the tables of games and options.

use greenwave_game::{FAMILIES, Family, OptionSpec};

use crate::common::greenwave;
use crate::pages::{blessing, marked, page, root, table};

/// What stands above a rules page in the book.
const WRITTEN: &str =
    "<!-- Written from the page in the game's own folder; change it there. -->\n\n";

fn expect(path: &str, expected: &str) {
    let found = std::fs::read_to_string(root().join(path)).unwrap_or_default();
    if blessing() {
        if found != expected {
            std::fs::write(root().join(path), expected).unwrap();
        }
        return;
    }
    assert!(
        found == expected,
        "{path} is not what the families say; write it with \
         'GREENWAVE_BLESS=1 cargo test -p greenwave --test all families'"
    );
}

fn expect_marked(path: &str, mark: &str, expected: &str) {
    let text = page(path);
    let (before, _, after) = marked(&text, path, mark);
    expect(path, &format!("{before}{expected}{after}"));
}

#[test]
fn the_book_has_every_rules_page() {
    let mut list = String::new();
    for family in FAMILIES {
        let place = format!("rules/{}.md", family.name);
        expect(
            &format!("docs/{place}"),
            &format!("{WRITTEN}{}", family.page),
        );
        let heading = family.page.lines().next().unwrap().trim_start_matches("# ");
        let (title, _) = heading.split_once(':').unwrap_or((heading, ""));
        list.push_str(&format!("- [{title}]({place})\n"));
    }
    let there = std::fs::read_dir(root().join("docs/rules")).unwrap();
    assert_eq!(there.count(), FAMILIES.len(), "a page without a family");
    let summary = page("docs/SUMMARY.md");
    let (before, rest) = summary.split_once("# Rules\n\n").unwrap();
    let (_, after) = rest.split_once("\n# ").unwrap();
    expect(
        "docs/SUMMARY.md",
        &format!("{before}# Rules\n\n{list}\n# {after}"),
    );
}

#[test]
fn the_readme_links_to_every_rules_page() {
    let links: Vec<String> = FAMILIES
        .iter()
        .map(|family| format!("[{0}](docs/rules/{0}.md)", family.name))
        .collect();
    let mut lines = String::new();
    for line in links.chunks(2) {
        lines.push_str(&format!("{},\n", line.join(", ")));
    }
    let list = lines.trim_end_matches(",\n");
    expect_marked("README.md", "rules", &format!("{list}.\n"));
}

#[test]
fn the_page_of_games_has_every_family() {
    let rows = FAMILIES.iter().map(|family| {
        let link = format!("[{0}](../rules/{0}.md)", family.name);
        vec![quoted(family.names), family.wins.into(), link]
    });
    let header = ["family", "wins", "rules"];
    expect_marked(
        "docs/reference/games.md",
        "families",
        &table(&header, rows.collect()),
    );
}

#[test]
fn the_page_of_games_has_every_option() {
    let mut keys: Vec<&str> = Vec::new();
    for spec in FAMILIES.iter().flat_map(|family| family.options) {
        if !keys.contains(&spec.key) {
            keys.push(spec.key);
        }
    }
    let rows = keys.iter().map(|key| {
        let families: Vec<(&str, String)> = FAMILIES
            .iter()
            .filter_map(|family| with_option(family, key))
            .collect();
        let names: Vec<&str> = families.iter().map(|(name, _)| *name).collect();
        let (_, first) = &families[0];
        let values = if families.iter().all(|(_, values)| values == first) {
            first.clone()
        } else {
            let each = families
                .iter()
                .map(|(name, values)| format!("{name} {values}"));
            each.collect::<Vec<_>>().join("; ")
        };
        vec![format!("`{key}`"), values, names.join(", ")]
    });
    let header = ["option", "values, default first", "families"];
    expect_marked(
        "docs/reference/games.md",
        "options",
        &table(&header, rows.collect()),
    );
}

// Who has an option, and its values.
fn with_option(family: &'static Family, key: &str) -> Option<(&'static str, String)> {
    let spec: &OptionSpec = family.options.iter().find(|spec| spec.key == key)?;
    let mut values = quoted(&spec.values.examples(spec.default));
    if !spec.note.is_empty() {
        values.push_str(&format!(" ({})", spec.note));
    }
    let who = if spec.only.is_empty() {
        family.name
    } else {
        spec.only
    };
    Some((who, values))
}

fn quoted<T: AsRef<str>>(words: &[T]) -> String {
    let each = words.iter().map(|word| format!("`{}`", word.as_ref()));
    each.collect::<Vec<_>>().join(", ")
}

#[test]
fn rules_are_told_in_four_languages() {
    let dir = tempfile::tempdir().unwrap();
    let told = |args: &[&str]| greenwave(dir.path(), &[&["rules"], args].concat());
    for (lang, words) in [
        (
            "pt",
            "# classic-3x3\n\nJogam duas pessoas, à vez; as casas e as peças são de ambas.\nO tabuleiro tem 9 casas, 3 filas e 3 colunas.\n",
        ),
        ("es", "Quien completa una línea gana."),
        ("de-AT", "Wer eine Linie vervollständigt, gewinnt."),
    ] {
        let rules = told(&["classic-3x3", "--lang", lang]).ok().stdout;
        assert!(rules.contains(words), "{rules}");
        assert!(!rules.contains("The "), "{lang}: {rules}");
    }
    let usual = told(&["classic-3x3"]).ok().stdout;
    assert_eq!(told(&["classic-3x3", "--lang", "en"]).ok().stdout, usual);
    let json = told(&["slider", "--lang", "pt", "--json"]).ok().stdout;
    assert!(
        json.contains("\"lang\":\"pt\"") && json.contains("tira de 3 casas"),
        "{json}"
    );
    let refused = told(&["classic-3x3", "--lang", "xx"]);
    assert_eq!(refused.code, 2);
    assert!(
        refused
            .stderr
            .contains("found 'xx', expected one of en, pt, es, de"),
        "{refused:?}"
    );
}
