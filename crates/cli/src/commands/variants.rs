//! `variants`: the catalogue.

use anyhow::Result;
use greenwave_game::{FAMILIES, Family};
use greenwave_tablebase::VariantEntry;
use greenwave_words::Language;

use crate::output::{carried, columns, readable, words, wrapped};
use crate::report::{CommandReport, ListReport};
use crate::session::{CommandVerdict, Session};

pub(super) fn run(session: &Session) -> Result<CommandReport> {
    let mut list = Vec::new();
    let mut verdict = CommandVerdict::Done;
    for (mut entry, fault) in session.tablebase.variants()? {
        if let Some(fault) = fault {
            verdict = CommandVerdict::SomeFailed;
            session.complain(&format!("{}: {fault}", entry.variant), fault.fault());
        }
        entry.error = entry.error.map(|error| carried(&error));
        list.push(entry);
    }
    Ok(CommandReport {
        verdict,
        ..CommandReport::with(ListReport::new(list, picture))
    })
}

fn picture(list: &[VariantEntry]) -> String {
    let mut rows = vec![
        ["variant", "squares", "positions", "the first player"]
            .map(String::from)
            .to_vec(),
    ];
    rows.extend(list.iter().map(|entry| {
        let at_most = if entry.exact { "" } else { "≤ " };
        vec![
            entry.variant.clone(),
            entry.cells.to_string(),
            format!("{at_most}{}", readable(entry.indexable)),
            start(entry),
        ]
    }));
    let mut text = columns(&rows, 0, &[1, 2]);
    if list.iter().any(|entry| entry.published) {
        text.push('\n');
        text.push_str(&wrapped(
            "",
            2,
            "+ published with the program; 'greenwave solve VARIANT' makes the table here.",
        ));
    }
    text.push('\n');
    text.push_str(&wrapped("", 0, &sizes()));
    text
}

/// The value of the start, in words, marked where it is published and no table here has it.
fn start(entry: &VariantEntry) -> String {
    let published = if entry.published { " +" } else { "" };
    match entry.expectation {
        _ if entry.error.is_some() && entry.solved.is_empty() => {
            format!("a table cannot be read{published}")
        }
        _ if entry.solved.is_empty() && !entry.published => "not solved here".into(),
        Some(expectation) => format!("{expectation:+.6} expected{published}"),
        None => format!(
            "{}{published}",
            words::phrase(Language::English, &entry.start())
        ),
    }
}

/// Which other names there are, and what the list means.
fn sizes() -> String {
    let mut sizes = String::from("Any size works: ");
    let sized = FAMILIES.iter().filter(|family| !family.sizes.is_empty());
    let sized: Vec<&&Family> = sized.collect();
    for alike in sized.chunk_by(|a, b| a.sizes == b.sizes) {
        let names = alike.iter().flat_map(|family| family.names);
        let names: Vec<&str> = names.copied().filter(|name| has_size(name)).collect();
        sizes.push_str(&format!("{} ({}), ", names.join(", "), alike[0].sizes));
    }
    sizes.push_str(
        "with options after a colon; 'greenwave rules VARIANT' explains them. Games of your own \
         are rule files (NAME.toml). Values are for the player who moves first; distances are in \
         plies; \u{2264}: at most, not counted before it is solved.",
    );
    sizes
}

// The letters of a size are capitals.
fn has_size(name: &str) -> bool {
    name.contains(|letter: char| letter.is_ascii_uppercase())
}
