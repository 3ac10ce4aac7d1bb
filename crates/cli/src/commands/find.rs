//! `find`: all positions that an expression describes.

use std::io::{BufWriter, Write};

use anyhow::Result;
use greenwave_game::{Colours, Dense, Squares, with_game};
use greenwave_judge::expr::{Bound, Field, Known, Named, Output, Scratch};
use greenwave_judge::{Among, JudgeError, Selection, find};
use greenwave_probe::Reached;
use greenwave_tablebase::SCHEMA;
use greenwave_values::OpenedValues;
use serde_json::Value;

use crate::args::FindArgs;
use crate::output::{board, counted, csv, grouped};
use crate::session::{Session, Verdict};

pub(super) fn run(session: &Session, args: &FindArgs) -> Result<Verdict> {
    let (variant, colours) = session.variant(&args.variant)?;
    // The expression is checked before anything is solved.
    let bound = with_game!(&variant, game => match &args.fields {
        Some(fields) => Bound::with_fields(game, &args.expression, fields, colours)?,
        None => Bound::new(game, &args.expression, colours)?,
    });
    let tablebase = &session.tablebase;
    with_game!(&variant, game => {
        // Large tables stay where they are.
        let (mut tables, mut solutions) = (Vec::new(), Vec::new());
        for metric in bound.metrics() {
            match tablebase.table_to_read(game, *metric)? {
                Some(table) => tables.push(table),
                None => solutions.push(tablebase.values(&variant, *metric)?),
            }
        }
        let opened = tables.iter().map(|(table, _)| OpenedValues::new(game, table));
        let opened = opened.collect::<Result<Vec<_>, _>>()?;
        let values: Vec<_> = solutions.iter().map(|solution| &solution.values).collect();
        // A list has nothing else.
        let (_reserved, reached) = match bound.asks(Field::Reachable) && !game.holds_reachable_only() {
            true => {
                let what = format!("marking the reachable positions of {}", variant.rules().name);
                let way_out = ", or leave out 'reachable'";
                let reserved = tablebase.reserve(Reached::bytes(game), &what, way_out)?;
                (Some(reserved), Some(tablebase.on_threads(|| Reached::of(game))))
            }
            false => (None, None),
        };
        let known = Known::new(game, &values, reached.as_ref()).with_opened(&opened);
        let verdict = search(session, args, &known, &bound, colours)?;
        opened.iter().try_for_each(OpenedValues::finish)?;
        Ok(verdict)
    })
}

fn search<G: Squares>(
    session: &Session,
    args: &FindArgs,
    known: &Known<'_, G>,
    bound: &Bound,
    colours: Colours,
) -> Result<Verdict> {
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
    let mut printer = Printer {
        format,
        colours,
        known,
        named: bound.named(),
        spare: Scratch::default(),
        printed: 0,
    };
    let count = session.tablebase.on_threads(|| {
        let mut out = BufWriter::new(std::io::stdout());
        if format == Format::Csv {
            let named = bound.named().iter().map(|named| named.name.as_str());
            writeln!(
                out,
                "{}",
                csv::row(std::iter::once("position").chain(named))
            )?;
        }
        let count = find(
            known,
            bound,
            Among::Legal,
            wanted,
            session.tablebase.progress(),
            &mut |position| printer.one(&mut out, position),
        );
        let count = count?;
        if format == Format::Json {
            let fields = vec![("schema", SCHEMA.into()), ("count", count.into())];
            writeln!(out, "{}", one_line(fields))?;
        } else {
            if printer.printed > 0 && format == Format::Text {
                let diagram = known.game().diagram(&known.game().start());
                writeln!(out, "{}", board::key(&diagram, colours))?;
            }
            let orbits = if args.up_to_symmetry {
                ", up to symmetry"
            } else {
                ""
            };
            let shown = match printer.printed {
                printed if printed == count || args.count => String::new(),
                printed => format!(" ({} shown)", grouped(printed)),
            };
            let said = format!("{}{orbits}{shown}", counted(count, "position", "positions"));
            if format == Format::Text {
                writeln!(out, "{said}")?;
            } else if !session.quiet {
                crate::output::complain(&said);
            }
        }
        out.flush()?;
        Ok::<u64, JudgeError>(count)
    });
    Ok(match count? {
        0 => Verdict::No,
        _ => Verdict::Done,
    })
}

/// How matches are printed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Format {
    Text,
    Csv,
    Json,
}

struct Printer<'a, G: Squares> {
    format: Format,
    colours: Colours,
    known: &'a Known<'a, G>,
    named: &'a [Named],
    spare: Scratch<G::Move>,
    printed: u64,
}

impl<G: Squares> Printer<'_, G> {
    fn one(&mut self, out: &mut impl Write, position: &G::Position) -> Result<(), JudgeError> {
        self.printed += 1;
        let game = self.known.game();
        if self.format == Format::Csv {
            let mut values = vec![game.position_text(position, Colours::Ryg)];
            for named in self.named {
                values.push(match self.known.output(named, position, &mut self.spare) {
                    Output::Nothing => String::new(),
                    Output::Truth(truth) => truth.to_string(),
                    Output::Number(number) => number.to_string(),
                    Output::Word(word) => word.into(),
                    Output::Light(level) => Colours::Ryg.letter(level).into(),
                });
            }
            writeln!(out, "{}", csv::row(values.iter().map(String::as_str)))?;
            return Ok(());
        }
        if self.format == Format::Text {
            write!(out, "{}", game.position_text(position, self.colours))?;
            for named in self.named {
                match self.known.output(named, position, &mut self.spare) {
                    Output::Nothing => write!(out, "  {} -", named.name)?,
                    Output::Truth(truth) => write!(out, "  {} {truth}", named.name)?,
                    Output::Number(number) => write!(out, "  {} {number}", named.name)?,
                    Output::Word(word) => write!(out, "  {} {word}", named.name)?,
                    Output::Light(level) => {
                        let letter = game.colours(self.colours).letter(level);
                        write!(out, "  {} {letter}", named.name)?;
                    }
                }
            }
            writeln!(out)?;
            return Ok(());
        }
        let written = game.position_text(position, Colours::Ryg);
        let mut fields = vec![("schema", SCHEMA.into()), ("position", written.into())];
        for named in self.named {
            let value = match self.known.output(named, position, &mut self.spare) {
                Output::Nothing => Value::Null,
                Output::Truth(truth) => truth.into(),
                Output::Number(number) => number.into(),
                Output::Word(word) => word.into(),
                Output::Light(level) => Colours::Ryg.letter(level).to_string().into(),
            };
            fields.push((&named.name, value));
        }
        writeln!(out, "{}", one_line(fields))?;
        Ok(())
    }
}

/// A JSON object with its fields in the order given.
fn one_line(fields: Vec<(&str, Value)>) -> String {
    let written = fields
        .iter()
        .map(|(name, value)| format!("{}:{value}", Value::from(*name)));
    format!("{{{}}}", written.collect::<Vec<_>>().join(","))
}
