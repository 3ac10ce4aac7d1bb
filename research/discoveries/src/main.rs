//! `discoveries [SECTION…]`: works the facts of the book out again and makes its pages of them.
//! `discoveries missing [SECTION…]` works out only what the data lack; `discoveries pages` makes the
//! pages alone. `discoveries puzzles [GAME…]` looks for the ready puzzles of `greenwave-play` again.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Instant;

use anyhow::{Context, Result, bail};
use greenwave_discoveries::{
    BOOK, Facts, PUZZLES, SECTIONS, book, is_listed, items, put, read_facts, ready_list,
};
use greenwave_tablebase::{Settings, Tablebase};

/// Memory for values in the searches for strategies and puzzles: those of boards of up to fifteen squares fit.
const MEMORY: u64 = 2 << 30;

fn main() -> Result<()> {
    let mut wanted: Vec<String> = std::env::args().skip(1).collect();
    if !Path::new(BOOK).is_dir() {
        bail!("no folder '{BOOK}' here; run this at the root of the repository");
    }
    let settings = Settings {
        memory: Some(MEMORY),
        ..Settings::default()
    };
    let tablebase = Tablebase::with_settings("solutions", &settings)?;
    if let [first, games @ ..] = &*wanted
        && first == "puzzles"
    {
        return write_puzzles(&tablebase, games);
    }
    let known = |name: &String| {
        SECTIONS.contains(&name.as_str()) || ["pages", "missing"].contains(&name.as_str())
    };
    if let Some(unknown) = wanted.iter().find(|name| !known(name)) {
        bail!(
            "found '{unknown}', expected 'puzzles', 'pages', or 'missing' and some of {}; without any, all of \
             them are made",
            SECTIONS.join(", ")
        );
    }
    let missing = wanted.iter().any(|name| name == "missing");
    wanted.retain(|name| name != "missing");
    let mut facts = read_facts(Path::new("."))?;
    for section in SECTIONS {
        if wanted.is_empty() || wanted.iter().any(|name| name == section) {
            make(section, missing, &tablebase, &mut facts)?;
        }
    }
    write_pages(&facts)
}

/// Looks for the ready puzzles of some games, or of all.
fn write_puzzles(tablebase: &Tablebase, games: &[String]) -> Result<()> {
    if let Some(unknown) = games.iter().find(|name| !is_listed(name)) {
        bail!("found '{unknown}', expected a game of {PUZZLES}");
    }
    let list = std::fs::read_to_string(PUZZLES).context(PUZZLES)?;
    write(PUZZLES, &ready_list(tablebase, games, &list)?)
}

/// Works a section out, and writes after each fact what is there by then.
fn make(section: &str, missing: bool, tablebase: &Tablebase, facts: &mut Facts) -> Result<()> {
    let own = facts.0.entry(section.into()).or_default();
    let items = items();
    let items = || items.iter().filter(|item| item.section == section);
    let keys: Vec<&String> = items().map(|item| &item.key).collect();
    own.retain(|key, _| keys.contains(&key));
    for item in items() {
        if missing && own.contains_key(&item.key) {
            continue;
        }
        let begun = Instant::now();
        own.insert(item.key.clone(), item.make(tablebase)?);
        eprintln!("{item:?}: {:.2} s", begun.elapsed().as_secs_f64());
        write_facts(section, own)?;
    }
    write_facts(section, own)
}

fn write_facts(section: &str, facts: &BTreeMap<String, serde_json::Value>) -> Result<()> {
    let file = format!("{BOOK}/data/{section}.json");
    write(&file, &(serde_json::to_string_pretty(facts)? + "\n"))
}

fn write_pages(facts: &Facts) -> Result<()> {
    let made = book(facts)?;
    for (page, mark, part) in &made.parts {
        let file = format!("{BOOK}/{page}");
        let text = std::fs::read_to_string(&file).with_context(|| file.clone())?;
        write(
            &file,
            &put(&text, mark, part).with_context(|| file.clone())?,
        )?;
    }
    for (file, text) in &made.files {
        write(&format!("{BOOK}/{file}"), text)?;
    }
    Ok(())
}

fn write(file: &str, text: &str) -> Result<()> {
    let folder = Path::new(file).parent().unwrap_or(Path::new("."));
    std::fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    std::fs::write(file, text).with_context(|| file.to_string())
}
