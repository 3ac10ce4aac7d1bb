//! `cite`: a citation of the program, and of tables.

use std::fmt::Write;

use anyhow::Result;
use greenwave_tablebase::{SCHEMA, published};
use serde::Serialize;

use crate::args::CiteArgs;
use crate::output::wrapped;
use crate::report::{CommandReport, DocumentReport};
use crate::session::Session;

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
/// How to cite the program, and the tables of a variant.
pub(super) struct Citation {
    /// Version of the document.
    schema: u32,
    /// Its name.
    program: &'static str,
    /// Its version.
    version: &'static str,
    /// The author.
    authors: &'static str,
    /// The year of the version.
    year: Option<&'static str>,
    /// Its licences.
    licence: &'static str,
    /// Where the program can be had, if CITATION.cff says so.
    address: Option<&'static str>,
    /// The digital object identifier, if CITATION.cff names one.
    doi: Option<&'static str>,
    /// The variant whose tables are cited.
    variant: Option<String>,
    /// The hash of its rules.
    rules_hash: Option<String>,
    /// Its tables.
    tables: Vec<CitedTable>,
    /// The citation.
    text: String,
    /// The same for BibTeX.
    bibtex: String,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct CitedTable {
    /// The metric.
    metric: String,
    /// The signature of its values.
    signature: String,
    /// The file, where the table is here; else the signature is the published one.
    file: Option<String>,
}

/// The one source of a citation.
const SOURCE: &str = include_str!("../../pages/CITATION.cff");

/// What the source says of a key: the rest of the first line that begins with it.
fn stated(source: &'static str, key: &str) -> Option<&'static str> {
    let mut lines = source.lines();
    let found = lines.find_map(|line| {
        let line = line.trim_start_matches([' ', '-']);
        line.strip_prefix(key)?.strip_prefix(": ")
    });
    found.map(|text| text.trim().trim_matches('"'))
}

pub(super) fn run(session: &Session, args: &CiteArgs) -> Result<CommandReport> {
    if session.json && args.bibtex {
        session.remark("--bibtex: the document of --json has both; leave it out");
    }
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
    // In the text, under the name by which it was requested.
    let titled = rules.as_ref().map(|rules| match rules.title() {
        title if title == rules.name || title.ends_with(".toml") => title.to_string(),
        title => format!("{title} ({})", rules.name),
    });
    let rules_hash = rules.as_ref().map(|rules| rules.hash.to_string());
    let authors = stated(SOURCE, "name").unwrap_or(env!("CARGO_PKG_AUTHORS"));
    let version = stated(SOURCE, "version").unwrap_or(env!("CARGO_PKG_VERSION"));
    let released = stated(SOURCE, "date-released");
    let year = released.and_then(|day| day.split('-').next());
    let address = stated(SOURCE, "repository-code").or(stated(SOURCE, "url"));
    let doi = stated(SOURCE, "doi");
    let mut text = authors.to_string();
    if let Some(year) = year {
        let _ = write!(text, " ({year})");
    }
    let _ = write!(text, ": Greenwave, version {version}. Computer program.");
    let mut note = String::new();
    if let (Some(variant), Some(hash)) = (&titled, &rules_hash) {
        // Of what is not solved there are only the rules.
        let what = if tables.is_empty() {
            "Game"
        } else {
            "Solution of"
        };
        let _ = write!(note, "{what} {variant}, rules {hash}");
        for table in &tables {
            let _ = write!(note, "; {} {}", table.metric, table.signature);
        }
        let _ = write!(text, " {note}.");
    }
    if let Some(doi) = doi {
        let _ = write!(text, " https://doi.org/{doi}.");
    } else if let Some(address) = address {
        let _ = write!(text, " {address}.");
    }
    let note = if note.is_empty() {
        "Computer program".to_string()
    } else {
        note
    };
    let fields = [
        ("author", Some(format!("{{{authors}}}"))),
        ("title", Some("Greenwave".to_string())),
        ("year", year.map(String::from)),
        ("version", Some(version.to_string())),
        ("doi", doi.map(String::from)),
        ("url", address.map(String::from)),
        ("note", Some(note)),
    ];
    let known = fields.iter().filter_map(|(name, value)| {
        let value = value.as_ref()?;
        Some(format!("  {name:<7} = {{{value}}}"))
    });
    let known: Vec<String> = known.collect();
    let bibtex = format!("@misc{{greenwave,\n{}\n}}", known.join(",\n"));
    let citation = Citation {
        schema: SCHEMA,
        program: "Greenwave",
        version,
        authors,
        year,
        licence: env!("CARGO_PKG_LICENSE"),
        address,
        doi,
        variant,
        rules_hash,
        tables,
        text,
        bibtex,
    };
    let as_bibtex = args.bibtex;
    let words = move |citation: &Citation| {
        Ok(if as_bibtex {
            format!("{}\n", citation.bibtex)
        } else {
            wrapped("", 2, &citation.text)
        })
    };
    Ok(CommandReport::with(DocumentReport::new(citation, words)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_source_of_a_citation_is_read() {
        assert_eq!(stated(SOURCE, "version"), Some(env!("CARGO_PKG_VERSION")));
        assert_eq!(stated(SOURCE, "name"), Some("The Greenwave developers"));
        let day = stated(SOURCE, "date-released").unwrap();
        assert_eq!(day.len(), "2026-11-22".len());
        let source = "title: \"A\"\nrepository-code: \"https://example.org/a\"\ndoi: 10.5/x\n";
        assert_eq!(
            stated(source, "repository-code"),
            Some("https://example.org/a")
        );
        assert_eq!(stated(source, "doi"), Some("10.5/x"));
        assert_eq!(stated(source, "url"), None);
    }
}
