//! Tests, packages and features that pages and scripts name: each is there.

use std::path::Path;

use crate::root;

/// The code of a crate, or of all crates and of research, as one text.
fn code(package: Option<&str>) -> String {
    let folder = package.map(|package| match package {
        "greenwave" => "crates/cli".to_string(),
        _ => format!("crates/{}", package.trim_start_matches("greenwave-")),
    });
    let folders = folder.map_or(vec!["crates".into(), "research".into()], |one| vec![one]);
    let mut all = String::new();
    for folder in folders {
        read(&root().join(folder), &mut all);
    }
    all
}

fn read(folder: &Path, into: &mut String) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            read(&path, into);
        } else if path
            .extension()
            .is_some_and(|it| it == "rs" || it == "toml")
        {
            into.push_str(&std::fs::read_to_string(path).unwrap());
        }
    }
}

/// Whether code has a function or a module of a name, or of one that begins so where it ends in `…`.
fn has(code: &str, name: &str) -> bool {
    let (start, rest) = name
        .strip_suffix('…')
        .map_or((name, false), |it| (it, true));
    ["fn ", "mod "].iter().any(|item| {
        let text = format!("{item}{start}");
        let mut found = code.match_indices(&text);
        found.any(|(at, _)| rest || code[at + text.len()..].starts_with(['(', ';', ' ']))
    })
}

#[test]
fn tests_that_the_page_of_trust_names_are_there() {
    let page = std::fs::read_to_string(root().join("docs/trust.md")).unwrap();
    let all = code(None);
    let is_name = |text: &str| {
        let letters = text.trim_end_matches('…').chars();
        let mut odd =
            letters.filter(|letter| !(letter.is_ascii_alphanumeric() || "_:".contains(*letter)));
        text.contains('_') && odd.next().is_none()
    };
    let mut seen = 0;
    for row in page.lines().filter(|line| line.starts_with("| ")) {
        let cell = row.trim_end_matches(" |").rsplit(" | ").next().unwrap();
        let mut names: Vec<&str> = Vec::new();
        for (number, text) in cell.split('`').enumerate() {
            if number % 2 == 0 {
                continue;
            }
            if is_name(text) {
                names.push(text.rsplit("::").next().unwrap());
                seen += 1;
            } else if text.starts_with("greenwave-") && cell.contains(&format!("(`{text}`)")) {
                let of_crate = code(Some(text));
                for name in names
                    .drain(..)
                    .rev()
                    .take_while(|name| !has(&of_crate, name))
                {
                    // Those of the whole program stand before those of a crate.
                    assert!(has(&all, name), "{name} is not in {text}: {row}");
                }
            }
        }
        for name in names {
            assert!(has(&all, name), "{name} is nowhere: {row}");
        }
    }
    assert!(seen > 60, "{seen} names of tests");
}

#[test]
fn packages_features_and_filters_that_scripts_name_are_there() {
    let mut seen = 0;
    let scripts = [
        "justfile",
        ".ci/run",
        "packaging/targets.sh",
        "packaging/release.sh",
    ];
    for script in scripts {
        let text = std::fs::read_to_string(root().join(script)).unwrap();
        let text = text.replace("\\\n", " ");
        for line in text
            .lines()
            .filter(|line| line.contains("cargo ") && !line.starts_with('#'))
        {
            let words: Vec<&str> = line.split_whitespace().collect();
            let after = |option: &str| {
                let at = words.iter().position(|word| *word == option);
                at.and_then(|at| words.get(at + 1)).copied()
            };
            for feature in after("--features")
                .into_iter()
                .flat_map(|list| list.split(','))
            {
                let of_package = after("--package").map(|package| (package, feature));
                let Some((package, feature)) = feature.split_once('/').or(of_package) else {
                    continue;
                };
                let manifest = match package {
                    "greenwave" => "crates/cli/Cargo.toml".to_string(),
                    "greenwave-campaigns" => "research/campaigns/Cargo.toml".to_string(),
                    _ => format!(
                        "crates/{}/Cargo.toml",
                        package.trim_start_matches("greenwave-")
                    ),
                };
                let manifest = std::fs::read_to_string(root().join(manifest)).unwrap();
                assert!(
                    manifest.contains(&format!("\n{feature} = [")),
                    "{script}: {line}"
                );
                seen += 1;
            }
            // Words after `--` are parts of the names of tests.
            let (Some(package), Some(at)) = (
                after("--package"),
                words.iter().position(|word| *word == "--"),
            ) else {
                continue;
            };
            if !words.contains(&"test") {
                continue;
            }
            let code = code(Some(package));
            for name in words[at + 1..].iter().flat_map(|word| word.split("::")) {
                assert!(
                    name.is_empty() || has(&code, &format!("{name}…")),
                    "{script}: {package} has no {name}: {line}"
                );
                seen += 1;
            }
        }
    }
    assert!(seen > 15, "{seen} features and filters");
}
