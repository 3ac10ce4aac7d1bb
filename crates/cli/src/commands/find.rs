//! `find`: all positions that an expression describes.

use std::io::{BufWriter, Write};

use anyhow::Result;
use greenwave_judge::documents::{DrawnCount, Finding, Match, MatchCount};
use greenwave_judge::expr::Output;
use greenwave_judge::{JudgeError, Selection};
use greenwave_words::Language;

use super::question::text_or_stdin;
use crate::args::FindArgs;
use crate::output::{board, counted, csv, grouped};
use crate::session::{CommandVerdict, Session};

/// How matches are printed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Format {
    Text,
    Csv,
    Json,
}

pub(super) fn run(session: &Session, args: &FindArgs) -> Result<CommandVerdict> {
    let variant = session.variant(&args.variant)?;
    // The expression is checked before anything is solved.
    let fields = args.fields.as_deref();
    let expression = text_or_stdin(&args.expression, "an expression")?;
    let finding = Finding::new(&variant, &expression, fields)?;
    let wanted = Selection {
        limit: args.limit,
        sample: args.sample,
        seed: args.seed,
        count_only: args.count,
        up_to_symmetry: args.up_to_symmetry,
    };
    let format = match (session.json, args.csv) {
        (true, _) => Format::Json,
        (false, true) => Format::Csv,
        (false, false) => Format::Text,
    };
    let mut out = BufWriter::new(std::io::stdout());
    let mut printed = 0;
    let tablebase = &session.tablebase;
    let mut begun = false;
    let count = finding.search(tablebase, wanted, &mut |found| {
        if format == Format::Csv && !std::mem::replace(&mut begun, true) {
            header(&mut out, &finding)?;
        }
        printed += 1;
        print(&mut out, found, format)
    })?;
    if format == Format::Csv && args.count {
        count_row(&mut out, &count)?;
    } else if format == Format::Csv && !begun {
        header(&mut out, &finding)?;
    }
    if format == Format::Json {
        json_line(&mut out, &count)?;
    } else {
        if printed > 0 && format == Format::Text {
            let key = board::key_of(Language::English, &variant);
            writeln!(out, "{key}")?;
        }
        let orbits = if args.up_to_symmetry {
            ", up to symmetry"
        } else {
            ""
        };
        let (number, drawn) = match count.drawn {
            Some(DrawnCount { matching, drawn }) => {
                (matching, format!(", of {} drawn at random", grouped(drawn)))
            }
            None => (count.count.unwrap_or(0), String::new()),
        };
        let shown = match printed {
            printed if printed == number || args.count => String::new(),
            printed => format!(" ({} shown)", grouped(printed)),
        };
        let said = format!(
            "{}{orbits}{drawn}{shown}",
            counted(number, "position", "positions")
        );
        if format == Format::Text {
            writeln!(out, "{said}")?;
        } else if !args.count {
            session.remark(&said);
        }
    }
    out.flush()?;
    if args.count && args.sample.is_some() && count.drawn.is_none() {
        session.remark("--sample: all positions were counted; leave it out");
    }
    Ok(if count.is_none() {
        CommandVerdict::No
    } else {
        CommandVerdict::Done
    })
}

fn header(out: &mut impl Write, finding: &Finding<'_>) -> std::io::Result<()> {
    let names = std::iter::once("position").chain(finding.fields());
    writeln!(out, "{}", csv::row(names.chain(["lights"])))
}

/// The count alone, under a header; of a sample how many match and how many were drawn.
fn count_row(out: &mut impl Write, count: &MatchCount) -> std::io::Result<()> {
    let (names, numbers) = match count.drawn {
        Some(DrawnCount { matching, drawn }) => (&["matching", "drawn"][..], vec![matching, drawn]),
        None => (&["count"][..], vec![count.count.unwrap_or(0)]),
    };
    let numbers: Vec<String> = numbers.iter().map(u64::to_string).collect();
    writeln!(out, "{}", csv::row(names.iter().copied()))?;
    writeln!(out, "{}", csv::row(numbers.iter().map(String::as_str)))
}

fn json_line(out: &mut impl Write, document: &impl serde::Serialize) -> Result<(), JudgeError> {
    serde_json::to_writer(&mut *out, document).map_err(std::io::Error::from)?;
    writeln!(out)?;
    Ok(())
}

/// Prints one match.
fn print(out: &mut impl Write, found: &Match, format: Format) -> Result<(), JudgeError> {
    match format {
        Format::Json => json_line(out, found)?,
        Format::Csv => {
            let mut values = vec![found.position.clone()];
            for (_, output) in &found.fields {
                values.push(match output {
                    Output::Nothing => String::new(),
                    Output::Truth(truth) => truth.to_string(),
                    Output::Number(number) => number.to_string(),
                    Output::Word(word) => (*word).into(),
                    Output::Light(light) => light.to_string(),
                });
            }
            values.push(found.lights.unwrap_or_default().into());
            writeln!(out, "{}", csv::row(values.iter().map(String::as_str)))?;
        }
        Format::Text => {
            write!(out, "{}", found.position)?;
            for (name, output) in &found.fields {
                match output {
                    Output::Nothing => write!(out, "  {name} -")?,
                    Output::Truth(truth) => write!(out, "  {name} {truth}")?,
                    Output::Number(number) => write!(out, "  {name} {number}")?,
                    Output::Word(word) => write!(out, "  {name} {word}")?,
                    Output::Light(light) => write!(out, "  {name} {light}")?,
                }
            }
            writeln!(out)?;
        }
    }
    Ok(())
}
