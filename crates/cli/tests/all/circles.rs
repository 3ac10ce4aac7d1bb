//! Modules that import one another in a circle: two at most, such as a file and its own part.
//!
//! What counts are the `use` lines of a module and each `crate::…` in its code, tests apart. An import is one
//! of the module that defines the name: what another module exports again is followed to there, and exports
//! alone are no imports.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::pages::root;

type Module = Vec<String>;

/// The imports of a module by the name that they give, and the paths that nothing but exports.
#[derive(Default)]
struct Uses {
    all: BTreeMap<String, Vec<String>>,
    imported: Vec<Vec<String>>,
}

/// The modules of a crate with their code, by their path.
fn modules(folder: &Path, path: &[String], found: &mut BTreeMap<Module, Uses>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let file = entry.unwrap().path();
        let stem = file.file_stem().unwrap().to_str().unwrap().to_string();
        let inner = [path, std::slice::from_ref(&stem)].concat();
        if file.is_dir() {
            modules(&file, &inner, found);
        } else if file.extension().is_some_and(|kind| kind == "rs") && stem != "tests" {
            let is_folder = ["lib", "main", "mod"].contains(&&*stem);
            let module = if is_folder { path.to_vec() } else { inner };
            found.insert(module, uses(&std::fs::read_to_string(file).unwrap()));
        }
    }
}

fn uses(text: &str) -> Uses {
    let text = text
        .split("#[cfg(test)]\nmod tests {")
        .next()
        .unwrap_or_default();
    let mut uses = Uses::default();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let import = line.split_once("use ");
        let import = import.filter(|(before, _)| before.is_empty() || before.starts_with("pub"));
        let Some((before, first)) = import else {
            uses.imported.extend(inline_paths(line));
            continue;
        };
        let mut item = first.to_string();
        while !item.contains(';') {
            item.push_str(lines.next().expect("the end of an import").trim());
        }
        let mut paths = Vec::new();
        spread("", item.split(';').next().unwrap_or_default(), &mut paths);
        for (path, name) in paths {
            if before.is_empty() {
                uses.imported.push(path.clone());
            }
            uses.all.insert(name, path);
        }
    }
    uses
}

/// The paths from the root of the crate in a line of code that is no import.
fn inline_paths(line: &str) -> Vec<Vec<String>> {
    let is_comment = line.trim_start().starts_with("//");
    let mut parts = line.split("crate::");
    let mut before = parts.next().unwrap_or_default();
    let mut paths = Vec::new();
    for part in parts {
        // Macros name the crate of their own, and `pub(in crate::…)` names who may see something.
        if !is_comment && !before.ends_with('$') && !before.ends_with("(in ") {
            let end = part.find(|c: char| !c.is_alphanumeric() && c != '_' && c != ':');
            let path = part[..end.unwrap_or(part.len())].trim_end_matches(':');
            let names = path.split("::").map(String::from);
            paths.push(["crate".to_string()].into_iter().chain(names).collect());
        }
        before = part;
    }
    paths
}

/// The paths of an import, `a::{b, c as d}`, each with the name that it gives.
fn spread(before: &str, tree: &str, paths: &mut Vec<(Vec<String>, String)>) {
    let tree = tree.trim();
    if let Some((start, inner)) = tree.split_once('{') {
        let inner = inner.strip_suffix('}').unwrap_or(inner);
        let (mut depth, mut from) = (0, 0);
        for (at, letter) in inner.char_indices().chain([(inner.len(), ',')]) {
            match letter {
                '{' => depth += 1,
                '}' => depth -= 1,
                ',' if depth == 0 => {
                    spread(&format!("{before}{start}"), &inner[from..at], paths);
                    from = at + 1;
                }
                _ => {}
            }
        }
    } else if !tree.is_empty() {
        let (path, name) = tree.split_once(" as ").unwrap_or((tree, tree));
        let whole = format!("{before}{path}");
        let whole: Vec<String> = whole.split("::").map(String::from).collect();
        let name = name.rsplit("::").next().unwrap_or(name);
        paths.push((whole, name.to_string()));
    }
}

/// The most parts of a path: names that lead back to themselves make longer ones.
const LONGEST: usize = 12;

/// The module that defines what a path in a module leads to; none where it leads out of the crate.
fn defining(all: &BTreeMap<Module, Uses>, from: &[String], path: &[String]) -> Option<Module> {
    let mut at = from.to_vec();
    for (place, part) in path.iter().enumerate() {
        let child = [&*at, std::slice::from_ref(part)].concat();
        match &**part {
            "crate" => at.clear(),
            "super" => drop(at.pop()),
            "self" => {}
            _ if all.contains_key(&child) => at = child,
            // Other crates are named in no module.
            _ if place == 0 => {
                let known = all[&at].all.get(part)?;
                let known = Some(known).filter(|known| *known != path && path.len() < LONGEST)?;
                return defining(all, &at, &[known, &path[1..]].concat());
            }
            _ => match all[&at].all.get(part) {
                Some(known) => return defining(all, &at, known).or(Some(at)),
                None => return Some(at),
            },
        }
    }
    Some(at)
}

#[test]
fn no_more_than_two_modules_import_one_another_in_a_circle() {
    for entry in std::fs::read_dir(root().join("crates")).unwrap() {
        let mut all = BTreeMap::new();
        let folder = entry.unwrap().path();
        modules(&folder.join("src"), &[], &mut all);
        let imports = |module: &Module| -> BTreeSet<Module> {
            let paths = all[module].imported.iter();
            let found = paths.filter_map(|path| defining(&all, module, path));
            found.filter(|other| other != module).collect()
        };
        let edges: BTreeMap<&Module, BTreeSet<Module>> =
            all.keys().map(|module| (module, imports(module))).collect();
        let reached = |module: &Module| {
            let (mut reached, mut open) = (BTreeSet::new(), vec![module.clone()]);
            while let Some(module) = open.pop() {
                let new = edges[&module]
                    .iter()
                    .filter(|next| !reached.contains(*next));
                let new: Vec<Module> = new.cloned().collect();
                reached.extend(new.iter().cloned());
                open.extend(new);
            }
            reached
        };
        let reached: BTreeMap<&Module, BTreeSet<Module>> =
            all.keys().map(|module| (module, reached(module))).collect();
        for (module, from_here) in &reached {
            let circle = from_here
                .iter()
                .filter(|other| reached[other].contains(*module));
            let circle: Vec<String> = circle.map(|module| module.join("::")).collect();
            assert!(circle.len() <= 2, "{}: {circle:?}", folder.display());
        }
    }
}
