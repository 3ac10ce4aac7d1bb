//! `query VARIANT -`: the positions of stdin, answered as they come.

use std::io::IsTerminal;
use std::time::Duration;

use anyhow::Result;
use greenwave_game::Variant;
use greenwave_tablebase::{Answer, ErrorKind, Place, Queries, QueryOptions, SCHEMA, Tablebase};
use serde::Serialize;

use super::pasted::PastedRows;
use super::query::picture;
use crate::args::QueryArgs;
use crate::lines::{InputLine, InputLines, LineFault};
use crate::output::{complain, plain_unless_coloured, print_bytes, print_json, shortened};
use crate::session::{CommandVerdict, Session};

/// Positions in one question, for each thread.
const PER_THREAD: usize = 1 << 10;
/// Positions after which more are expected, and tables may be worth being read into memory.
const FIRST_EXPECTED: u64 = 1 << 10;
/// How long rows of a board wait for the next one. A program that sent a wrong line waits for its answer.
const NEXT_ROW: Duration = Duration::from_secs(1);

/// A line of a batch that could not be answered.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct BadLine<'a> {
    /// Version of the document.
    schema: u32,
    /// Number of the line, from 1.
    line: usize,
    /// The line.
    input: &'a str,
    /// The fault: what was found and expected, and the way out.
    error: String,
}

/// Positions from stdin, one a line or as rows on lines of their own: as many at once as are there, so that
/// all threads have work, and a program that asks line by line is answered line by line.
pub(super) fn run(
    session: &Session,
    tablebase: &Tablebase,
    args: &QueryArgs,
    variant: &Variant,
    options: &QueryOptions,
) -> Result<CommandVerdict> {
    let mut batch = LineBatch {
        session,
        tablebase,
        args,
        variant,
        queries: None,
        asked: 0,
        expected: FIRST_EXPECTED,
        verdict: CommandVerdict::Done,
        output: BatchOutput::default(),
    };
    let lines = InputLines::begin(PER_THREAD * tablebase.threads());
    let mut rows = PastedRows::of(variant);
    let is_typed = std::io::stdin().is_terminal();
    loop {
        let patience = (rows.wait() && !is_typed).then_some(NEXT_ROW);
        let read = lines.next_within(patience, || tablebase.progress().cancelled())?;
        let is_late = read.is_none();
        let read = read.unwrap_or_default();
        let is_over = read.is_empty() && !is_late;
        let mut asked = rows.complete(read);
        if is_over || is_late {
            asked.append(&mut rows.given_up());
        }
        let goes_on = batch.answer_all(asked, options)?;
        if is_over || !goes_on {
            return Ok(batch.verdict);
        }
    }
}

/// The questions of stdin, and what came of them until now.
struct LineBatch<'a> {
    session: &'a Session,
    tablebase: &'a Tablebase,
    args: &'a QueryArgs,
    variant: &'a Variant,
    /// None before the first line that is right: a solve may come before the first answer.
    queries: Option<Queries<'a>>,
    asked: u64,
    expected: u64,
    verdict: CommandVerdict,
    output: BatchOutput,
}

impl<'a> LineBatch<'a> {
    /// Answers lines; `false` where a wrong one ends the batch.
    fn answer_all(&mut self, mut lines: Vec<InputLine>, options: &QueryOptions) -> Result<bool> {
        if self.queries.is_none() {
            if !self.tell_early(&mut lines)? {
                return Ok(false);
            }
            if lines.is_empty() {
                return Ok(true);
            }
        }
        let mut queries = match self.queries.take() {
            Some(queries) => queries,
            None => self.tablebase.queries(self.variant, options)?,
        };
        self.asked += lines.len() as u64;
        if self.asked >= self.expected {
            queries.expect(self.asked)?;
            self.expected = 2 * self.asked;
        }
        // A search takes the whole machine, so positions are searched one after the other.
        let at_once = if queries.has_values() {
            lines.len().max(1)
        } else {
            1
        };
        for part in lines.chunks(at_once) {
            if !self.answer(&queries, part)? {
                return Ok(false);
            }
        }
        self.queries = Some(queries);
        Ok(true)
    }

    /// Tells of the wrong lines that no answer has to come before, and leaves the others; `false` where
    /// one ends the batch.
    fn tell_early(&mut self, lines: &mut Vec<InputLine>) -> Result<bool> {
        // Documents stay in the order of the lines.
        let is_ordered = self.session.json || self.args.fail_fast;
        let mut others = Vec::with_capacity(lines.len());
        for line in std::mem::take(lines) {
            let wrong = if is_ordered && !others.is_empty() {
                None
            } else if let Some(fault) = line.fault {
                Some(fault.into())
            } else {
                let found = self.place(&line).find(self.variant);
                found.err().map(anyhow::Error::from)
            };
            match wrong {
                None => others.push(line),
                Some(error) => {
                    if !self.tell_bad(&line, error)? {
                        return Ok(false);
                    }
                }
            }
        }
        *lines = others;
        Ok(true)
    }

    fn place<'l>(&self, line: &'l InputLine) -> Place<'l>
    where
        'a: 'l,
    {
        Place {
            position: Some(line.text.trim()),
            moves: self.args.moves.as_deref(),
        }
    }

    fn answer(&mut self, queries: &Queries<'_>, lines: &[InputLine]) -> Result<bool> {
        let texts = lines.iter().filter(|line| line.fault.is_none());
        let places: Vec<Place<'_>> = texts.map(|line| self.place(line)).collect();
        let (session, variant) = (self.session, self.variant);
        let parts = queries.query_all(&places, BatchOutput::begin, |output, answer| {
            let answer = answer.map_err(anyhow::Error::from);
            output.add(answer, |text, answer| {
                if session.json {
                    answer.write_json(text)?;
                    text.push(b'\n');
                    Ok(())
                } else {
                    let picture =
                        plain_unless_coloured(picture(session.language, answer, variant)?);
                    text.extend_from_slice(picture.as_bytes());
                    Ok(())
                }
            });
        })?;
        let mut output = std::mem::take(&mut self.output);
        output.clear();
        parts.into_iter().for_each(|part| output.append(part));
        let (mut printed, mut end) = (0, 0);
        let mut answers = output.lengths.drain(..);
        for line in lines {
            let answer = match line.fault {
                Some(fault) => Some(Err(fault.into())),
                None => answers.next(),
            };
            match answer {
                Some(Ok(length)) => end += length,
                Some(Err(error)) => {
                    print_bytes(&output.text[printed..end])?;
                    printed = end;
                    if !self.tell_bad(line, error)? {
                        return Ok(false);
                    }
                }
                None => break,
            }
        }
        drop(answers);
        print_bytes(&output.text[printed..])?;
        self.output = output;
        Ok(true)
    }

    /// Says what is wrong with a line, among the results where they are documents; `false` where that ends
    /// the batch. An error that is not of the line is passed on.
    fn tell_bad(&mut self, line: &InputLine, error: anyhow::Error) -> Result<bool> {
        if !is_of_line(&error) {
            return Err(error);
        }
        self.verdict = CommandVerdict::SomeFailed;
        let (number, error) = (line.number, shortened(&error.to_string()));
        if self.session.json {
            let input = &shortened(line.text.trim());
            print_json(&BadLine {
                schema: SCHEMA,
                line: number,
                input,
                error,
            })?;
        } else {
            complain(&format!("error: line {number}: {error}"));
        }
        Ok(!self.args.fail_fast)
    }
}

/// The printed part of answers: the length of each, or the reason why there is none.
#[derive(Default)]
struct BatchOutput {
    text: Vec<u8>,
    lengths: Vec<Result<usize>>,
}

impl BatchOutput {
    /// Room for this many answers.
    fn begin(answers: usize) -> BatchOutput {
        const USUAL: usize = 3 << 9;
        BatchOutput {
            text: Vec::with_capacity(answers * USUAL),
            lengths: Vec::with_capacity(answers),
        }
    }

    fn add(&mut self, answer: Result<Answer>, write: impl Fn(&mut Vec<u8>, &Answer) -> Result<()>) {
        let before = self.text.len();
        let written = answer.and_then(|answer| write(&mut self.text, &answer));
        let length = written.map(|()| self.text.len() - before);
        if length.is_err() {
            self.text.truncate(before);
        }
        self.lengths.push(length);
    }

    fn clear(&mut self) {
        self.text.clear();
        self.lengths.clear();
    }

    fn append(&mut self, part: BatchOutput) {
        self.text.extend_from_slice(&part.text);
        self.lengths.extend(part.lengths);
    }
}

/// Whether a line is wrong, and the others can be answered.
fn is_of_line(error: &anyhow::Error) -> bool {
    let kind = error.downcast_ref().map(greenwave_tablebase::Error::kind);
    error.is::<LineFault>() || kind == Some(ErrorKind::Input)
}
