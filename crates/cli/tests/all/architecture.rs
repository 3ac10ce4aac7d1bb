//! Checks each statement of `docs/architecture.md` about the code that can be counted, and what
//! `docs/contributing.md` says of names.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use crate::pages::root;

/// The kinds of game: each arm of `Variant`, and the question for it, as the list of kinds has them.
fn kinds() -> Vec<(String, String)> {
    let text = std::fs::read_to_string(root().join("crates/game/src/variant.rs")).unwrap();
    let (_, list) = text.split_once("\nkinds! {").unwrap();
    let (list, _) = list.split_once("\n}").unwrap();
    let arms = list.lines().filter_map(|line| {
        let (arm, rest) = line.trim().split_once('(')?;
        let (_, asked) = rest.split_once("), ")?;
        let (asked, _) = asked.split_once(',')?;
        Some((arm.to_string(), asked.to_string()))
    });
    let kinds: Vec<_> = arms.collect();
    assert!(kinds.len() > 6, "{kinds:?}");
    kinds
}

/// What treats boards of lights and the bag alone: their engines, the check of their tables wave by
/// wave, what is proved and published of them, and the questions about fixed boards.
const OF_BOARDS: [&str; 8] = [
    "solver/src/boards.rs",
    "sweep/src/",
    "solver/src/chance/",
    "probe/src/boards",
    "tablebase/src/atlas.rs",
    "tablebase/src/theorem.rs",
    "judge/src/longest.rs",
    "judge/src/claims/play.rs",
];

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() && path.file_name().unwrap() != "tests" {
            sources(&path, found);
        } else if path.extension().is_some_and(|kind| kind == "rs") && !path.ends_with("tests.rs") {
            found.push(path);
        }
    }
}

/// The source files of all crates but these, tests apart.
fn sources_without(left_out: &[&str]) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(root().join("crates")).unwrap() {
        let folder = entry.unwrap().path();
        if !left_out.iter().any(|name| folder.ends_with(name)) {
            sources(&folder.join("src"), &mut files);
        }
    }
    files
}

/// The files outside `game`, tests apart, by their path below `crates`, with their lines of code.
fn code() -> Vec<(String, String)> {
    let crates = root().join("crates");
    let files = sources_without(&["game", "testkit"]);
    let read = |file: PathBuf| {
        let text = std::fs::read_to_string(&file).unwrap();
        let lines = text
            .lines()
            .take_while(|line| line.trim() != "#[cfg(test)]");
        let lines = lines.filter(|line| !line.trim_start().starts_with("//"));
        let name = file.strip_prefix(&crates).unwrap().to_str().unwrap();
        (name.to_string(), lines.collect::<Vec<_>>().join("\n"))
    };
    files.into_iter().map(read).collect()
}

#[test]
fn no_code_outside_the_rules_asks_which_kind_of_game_it_has() {
    let (kinds, mut asking) = (kinds(), Vec::new());
    for (name, text) in code() {
        let asks = |(arm, asked): &(String, String)| {
            text.contains(&format!("Variant::{arm}(")) || text.contains(&format!(".{asked}("))
        };
        if kinds.iter().any(asks) {
            asking.push(name);
        }
    }
    assert!(asking.is_empty(), "{asking:?}");
}

/// What the compiler does not miss: a family that nobody lists has no variants.
#[test]
fn every_family_is_listed() {
    let mut files = Vec::new();
    sources(&root().join("crates/game/src"), &mut files);
    let listed = std::fs::read_to_string(root().join("crates/game/src/families.rs")).unwrap();
    let (_, listed) = listed.split_once("FAMILIES: &[&Family] = &[").unwrap();
    let (listed, _) = listed.split_once("];").unwrap();
    let mut found = 0;
    for file in files {
        let text = std::fs::read_to_string(&file).unwrap();
        for (before, _) in text
            .match_indices(": Family = Family {")
            .map(|(at, _)| text.split_at(at))
        {
            let name = before.rsplit(' ').next().unwrap();
            // That of rule files has no names.
            let is_listed = name == "CUSTOM" || listed.contains(&format!("::{name},"));
            assert!(is_listed, "{name} of {} is not in FAMILIES", file.display());
            found += 1;
        }
    }
    assert!(found > 9, "{found}");
}

#[test]
fn types_of_games_are_named_where_boards_alone_are_treated() {
    let types: Vec<String> = kinds()
        .iter()
        .map(|(arm, _)| format!("{arm}Game"))
        .collect();
    let named = |text: &str| {
        let mut words = text.split(|c: char| !c.is_alphanumeric());
        words.any(|word| types.iter().any(|kind| kind == word))
    };
    let mut elsewhere = Vec::new();
    for (name, text) in code() {
        let expected = OF_BOARDS.iter().any(|place| name.starts_with(place));
        if named(&text) && !expected {
            elsewhere.push(name);
        }
    }
    assert!(elsewhere.is_empty(), "{elsewhere:?}");
}

#[test]
fn the_numbering_is_asked_for_by_what_chooses_an_engine() {
    let asks = |text: &String| {
        let mut named = text.match_indices("Numbering::");
        named.any(|(at, _)| !text[..at].ends_with(char::is_alphanumeric))
    };
    let asking = code()
        .into_iter()
        .filter(|(name, text)| !name.starts_with("values/") && asks(text));
    let asking: Vec<String> = asking.map(|(name, _)| name).collect();
    assert_eq!(asking, ["solver/src/filling.rs"]);
}

/// A packed crate has no files but its own; what stands elsewhere is linked into its folder.
#[test]
fn what_code_includes_stands_in_the_folder_of_its_crate() {
    let leaves = |(name, text): &(String, String)| {
        let folders = name.matches('/').count() - 1;
        let included = text.match_indices("include_").filter_map(|(at, _)| {
            let (_, path) = text[at..].split_once("!(\"")?;
            path.split('"').next()
        });
        included
            .into_iter()
            .any(|path| path.matches("../").count() > folders)
    };
    let leaving = code().into_iter().filter(leaves);
    let leaving: Vec<String> = leaving.map(|(name, _)| name).collect();
    assert!(leaving.is_empty(), "{leaving:?}");
}

/// Kernels of vector instructions come in files of one piece; everything else is cut before that.
#[test]
fn files_have_at_most_some_hundred_lines() {
    let long = |(name, text): (String, String)| {
        let lines = text.lines().count();
        (lines > 600).then(|| format!("{name}: {lines}"))
    };
    let long: Vec<String> = code().into_iter().filter_map(long).collect();
    assert!(long.is_empty(), "{long:?}");
}

/// The name of the type that a line of code begins to define. An indented `type` belongs to a trait.
fn defined_type(line: &str) -> Option<&str> {
    let indented = line.starts_with(' ');
    let mut rest = line.trim_start();
    if let Some(public) = rest.strip_prefix("pub") {
        let of = public.strip_prefix('(').and_then(|of| of.split_once(')'));
        rest = of.map_or(public, |(_, after)| after).trim_start();
    }
    rest = rest.strip_prefix("unsafe ").unwrap_or(rest);
    let (keyword, rest) = rest.split_once(' ')?;
    let defines =
        matches!(keyword, "struct" | "enum" | "trait" | "union") || keyword == "type" && !indented;
    let name = rest.split(|c: char| !c.is_alphanumeric()).next()?;
    (defines && name.starts_with(char::is_uppercase)).then_some(name)
}

#[test]
fn a_name_of_a_type_has_one_meaning_or_stands_in_the_list() {
    let mut places: BTreeMap<String, Vec<PathBuf>> = BTreeMap::new();
    for file in sources_without(&[]) {
        let text = std::fs::read_to_string(&file).unwrap();
        let of_tests = text.find("#[cfg(test)]\nmod tests {");
        for line in text[..of_tests.unwrap_or(text.len())].lines() {
            if let Some(name) = defined_type(line) {
                places
                    .entry(name.to_string())
                    .or_default()
                    .push(file.clone());
            }
        }
    }
    assert!(places.len() > 1000, "found {} types", places.len());
    places.retain(|_, files| files.len() > 1);

    let page = std::fs::read_to_string(root().join("docs/contributing.md")).unwrap();
    let (_, list) = page.split_once("| names of several types | why |").unwrap();
    let (list, _) = list.split_once("\n\n").unwrap();
    let names = list.lines().filter_map(|row| row.split('|').nth(1));
    let allowed: BTreeSet<&str> = names
        .flat_map(|names| names.split('`').skip(1).step_by(2))
        .collect();
    let several: BTreeSet<&str> = places.keys().map(String::as_str).collect();
    assert_eq!(several, allowed, "{places:#?}");
}

#[test]
fn definitions_of_types_are_found() {
    for (line, name) in [
        ("pub(super) struct Block([u64; 4]);", Some("Block")),
        ("    enum Inner<'a> {", Some("Inner")),
        ("pub unsafe trait Rows: Copy {", Some("Rows")),
        ("type Row = [u8; 64];", Some("Row")),
        ("    type Row = Cells;", None),
        ("let trait_of = Row;", None),
    ] {
        assert_eq!(defined_type(line), name, "{line}");
    }
}
