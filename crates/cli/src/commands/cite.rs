//! `cite`: a citation of the program, and of tables.

use std::fmt::Write;

use anyhow::Result;
use greenwave_tablebase::{SCHEMA, published};
use serde::Serialize;

use crate::args::CiteArgs;
use crate::report::{Ended, Told};
use crate::session::Session;

#[derive(Serialize)]
struct Citation {
    schema: u32,
    program: &'static str,
    version: &'static str,
    authors: &'static str,
    licence: &'static str,
    /// Where the program can be had; null, since none has been given.
    address: Option<&'static str>,
    /// Null, since none has been given.
    doi: Option<&'static str>,
    variant: Option<String>,
    rules_hash: Option<String>,
    tables: Vec<CitedTable>,
    text: String,
    bibtex: String,
}

#[derive(Serialize)]
struct CitedTable {
    metric: String,
    signature: String,
    /// The file, where the table is here; else the signature is the published one.
    file: Option<String>,
}

const VERSION: &str = env!("CARGO_PKG_VERSION");
const AUTHORS: &str = env!("CARGO_PKG_AUTHORS");

pub(super) fn run(session: &Session, args: &CiteArgs) -> Result<Ended> {
    let rules = match &args.variant {
        Some(name) => Some(session.variant(name)?.rules().clone()),
        None => None,
    };
    let mut tables = Vec::new();
    if let Some(rules) = &rules {
        let hash = rules.hash.to_string();
        let known = published();
        for metric in &rules.metrics {
            if let Some(table) = session.tablebase.table(rules, *metric)? {
                tables.push(CitedTable {
                    metric: metric.name().into(),
                    signature: table.meta().signature.to_string(),
                    file: Some(table.path().display().to_string()),
                });
                continue;
            }
            let found = known
                .iter()
                .find(|row| row.rules_hash == hash && row.metric == metric.name());
            tables.extend(found.map(|row| CitedTable {
                metric: metric.name().into(),
                signature: row.signature.into(),
                file: None,
            }));
        }
    }
    let variant = rules.as_ref().map(|rules| rules.title().to_string());
    // In the text, under the name by which it was asked for.
    let titled = rules.as_ref().map(|rules| match rules.title() {
        title if title == rules.name => title.to_string(),
        title => format!("{title} ({})", rules.name),
    });
    let rules_hash = rules.as_ref().map(|rules| rules.hash.to_string());
    let mut text = format!("{AUTHORS}: Greenwave, version {VERSION}. Computer program.");
    let mut note = String::new();
    if let (Some(variant), Some(hash)) = (&titled, &rules_hash) {
        let _ = write!(note, "Solution of {variant}, rules {hash}");
        for table in &tables {
            let _ = write!(note, "; {} {}", table.metric, table.signature);
        }
        let _ = write!(text, " {note}.");
    }
    let note = if note.is_empty() {
        "Computer program".to_string()
    } else {
        note
    };
    let bibtex = format!(
        "@misc{{greenwave,\n  author  = {{{{{AUTHORS}}}}},\n  title   = {{Greenwave}},\n  \
         version = {{{VERSION}}},\n  note    = {{{note}}}\n}}"
    );
    let citation = Citation {
        schema: SCHEMA,
        program: "Greenwave",
        version: VERSION,
        authors: AUTHORS,
        licence: env!("CARGO_PKG_LICENSE"),
        address: None,
        doi: None,
        variant,
        rules_hash,
        tables,
        text,
        bibtex,
    };
    let as_bibtex = args.bibtex;
    let words = move |citation: &Citation| {
        let shown = match as_bibtex {
            true => &citation.bibtex,
            false => &citation.text,
        };
        Ok(format!("{shown}\n"))
    };
    Ok(Ended::with(Told::new(citation, words)))
}
