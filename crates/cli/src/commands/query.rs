//! `query`: the value of a position and of every move.

use std::borrow::Cow;
use std::fmt::Write;

use anyhow::Result;
use greenwave_game::{Colours, Metric, Outcome, Plies, Variant};
use greenwave_tablebase::{Answer, ErrorKind, MoveFigures, Place, QueryOptions, SCHEMA};
use serde::Serialize;

use super::place;
use crate::args::QueryArgs;
use crate::lines::{Incoming, Line, TooLong};
use crate::output::{board, columns, print_all, shortened, shown, wanted, words, wrapped};
use crate::report::{Ended, Told};
use crate::session::{Session, Verdict};

/// Positions that are asked about at once, for each thread.
const PER_THREAD: usize = 1 << 8;
/// Positions after which more are expected, and tables may be worth being read into memory.
const FIRST_EXPECTED: u64 = 1 << 10;

/// A line of a batch that could not be answered.
#[derive(Debug, Serialize)]
struct BadLine<'a> {
    schema: u32,
    line: usize,
    input: &'a str,
    error: String,
}

pub(super) fn run(session: &Session, args: &QueryArgs) -> Result<Ended> {
    let (variant, colours) = session.variant(&args.variant)?;
    let options = QueryOptions {
        budget: args.budget,
        memory: None,
    };
    if args.position.as_deref() == Some("-") {
        return batch(session, args, &variant, colours, &options).map(Ended::from);
    }
    let place = place(args.position.as_deref(), args.moves.as_deref(), colours);
    let answer = session.tablebase.query_at(&variant, &place, &options)?;
    let words = move |answer: &Answer| picture(answer, &variant, colours);
    Ok(Ended::with(Told::new(answer, words)))
}

/// Positions from stdin, one a line: as many at once as are there, so that all threads have work, and a
/// program that asks line by line is answered line by line.
fn batch(
    session: &Session,
    args: &QueryArgs,
    variant: &Variant,
    colours: Colours,
    options: &QueryOptions,
) -> Result<Verdict> {
    let mut queries = session.tablebase.queries(variant, options)?;
    // What is searched for takes the whole machine, one position after the other.
    let at_once = match queries.has_values() {
        true => PER_THREAD * session.tablebase.threads(),
        false => 1,
    };
    let words = |answer: &Answer| picture(answer, variant, colours);
    let (mut asked, mut expected) = (0, FIRST_EXPECTED);
    let mut verdict = Verdict::Done;
    let lines = Incoming::begin(at_once);
    loop {
        let mut read = lines.next(|| session.tablebase.progress().cancelled())?;
        if read.is_empty() {
            return Ok(verdict);
        }
        read.retain(|line| line.too_long || !line.text.trim().is_empty());
        asked += read.len() as u64;
        if asked >= expected {
            queries.expect(asked)?;
            expected = 2 * asked;
        }
        let texts = read.iter().filter(|line| !line.too_long);
        let places: Vec<Place<'_>> = texts
            .map(|line| place(Some(line.text.trim()), args.moves.as_deref(), colours))
            .collect();
        let answers = queries.query_all(&places, |answer| match answer {
            Ok(answer) => session.written(&Told::new(answer, words)).map(Ok),
            Err(error) if error.kind() == ErrorKind::Input => Ok(Err(error.to_string())),
            Err(error) => Err(error.into()),
        })?;
        let mut answers = answers.into_iter();
        let mut printed = String::new();
        for line in &read {
            let answer = match line.too_long {
                true => Some(Ok(Err(TooLong.to_string()))),
                false => answers.next(),
            };
            let Some(answer) = answer else { break };
            match answer {
                Ok(Ok(answer)) => printed.push_str(&answer),
                Ok(Err(error)) => {
                    verdict = Verdict::SomeFailed;
                    tell_bad(session, line, &error, &mut printed)?;
                    if args.fail_fast {
                        print_all(&printed)?;
                        return Ok(verdict);
                    }
                }
                Err(error) => {
                    print_all(&printed)?;
                    return Err(error);
                }
            }
        }
        print_all(&printed)?;
    }
}

/// Says what is wrong with a line: among the results where they are documents.
fn tell_bad(session: &Session, line: &Line, error: &str, printed: &mut String) -> Result<()> {
    let (number, error) = (line.number, shortened(error));
    if session.json {
        let document = BadLine {
            schema: SCHEMA,
            line: number,
            input: &shortened(line.text.trim()),
            error,
        };
        printed.push_str(&serde_json::to_string(&document)?);
        printed.push('\n');
    } else {
        // In the order of the lines.
        print_all(printed)?;
        printed.clear();
        crate::output::complain(&format!("error: line {number}: {error}"));
    }
    Ok(())
}

/// The answer for people.
fn picture(
    answer: &Answer,
    variant: &Variant,
    colours: Colours,
) -> Result<String, std::fmt::Error> {
    let shown = shown(variant, colours);
    let all_shown = |texts: &[String]| -> Vec<String> { texts.iter().map(|t| shown(t)).collect() };
    let rules = variant.rules();
    let bold = wanted(anstyle::Style::new().bold());
    let mut text = String::new();
    let sentence = match answer.undecided_within {
        Some(0) => "not decided within the budget".to_string(),
        Some(plies) => format!(
            "not decided within the budget; nobody can force a win within {}",
            Plies(plies)
        ),
        None => match &answer.ending {
            Some(ending) => words::over(ending, variant),
            None => words::sentence(&answer.figures(), false),
        },
    };
    let drawn = answer.value.outcome() == Some(Outcome::Draw) && answer.points.is_none();
    let endless = if drawn && !answer.terminal {
        words::endless(variant)
    } else {
        ""
    };
    let head = format!("{}: ", rules.title());
    let answered = wrapped(&head, 2, &format!("{sentence}{endless}"));
    let answered = answered[head.len()..].trim_end();
    writeln!(text, "{head}{bold}{answered}{bold:#}\n")?;
    text.push_str(&board::draw(&answer.diagram, colours));
    writeln!(text, "\n  Position  {}", shown(&answer.position))?;
    if let Some(nimber) = answer.nimber {
        writeln!(text, "  Nimber    {nimber}")?;
    }
    if let Some(line) = &answer.line {
        text.push_str(&wrapped("  Best play ", 12, &all_shown(line).join(" ")));
    }
    if let Some(estimate) = &answer.estimate {
        // Rounded first, so that there is no -0.00.
        let outlook = (estimate.outlook * 100.0).round() / 100.0 + 0.0;
        let judged = format!(
            "{outlook:+.2} (-1 bad, 1 good for the player to move; not proven), by {}",
            some_of(&all_shown(&estimate.moves))
        );
        text.push_str(&wrapped("  Estimate  ", 12, &judged));
    }
    if !answer.moves.is_empty() {
        writeln!(
            text,
            "\n  Moves, best first; values for the player who makes the move:"
        )?;
        text.push_str(&move_list(answer, &shown));
        text.push_str(&advice(answer, &shown));
    }
    writeln!(text)?;
    if !answer.best.is_empty() {
        let unit = match rules.default_metric {
            Metric::Points => " Points are own minus the opponent's, still to come.",
            Metric::Distance => " Distances count plies: one player's moves.",
            Metric::Odds => " The first number is the expectation, before the draw.",
            Metric::Value | Metric::Nimber => "",
        };
        writeln!(text, "  * best move.{unit}")?;
    }
    writeln!(text, "  {}", board::key(&answer.diagram, colours))?;
    writeln!(text, "  Source: {}", answer.source)?;
    Ok(text)
}

/// What to keep to where nothing wins: the moves that keep a draw and those that lose, or the moves
/// that put off a loss.
fn advice(answer: &Answer, shown: &dyn Fn(&str) -> String) -> String {
    let of = |value: Outcome| -> Vec<String> {
        let is = |mv: &&MoveFigures| mv.figures().value == Some(value);
        answer
            .moves
            .iter()
            .filter(is)
            .map(|mv| shown(&mv.mv))
            .collect()
    };
    if answer.points.is_some() || answer.odds.is_some() {
        return String::new();
    }
    match (answer.value.outcome(), answer.distance.map(Plies)) {
        (Some(Outcome::Draw), _) => {
            let (keep, lose) = (of(Outcome::Draw), of(Outcome::Loss));
            if lose.is_empty() {
                return "\n  Every move keeps the draw.\n".into();
            }
            format!(
                "\n  Keep the draw: {}\n  Lose: {}\n",
                keep.join(" "),
                lose.join(" ")
            )
        }
        (Some(Outcome::Loss), Some(plies)) => {
            let longest = of(Outcome::Loss);
            let best = answer.best.len();
            if best == longest.len() {
                return format!("\n  Every move loses, none sooner than in {plies}.\n");
            }
            let longest = longest[..best].join(" ");
            format!("\n  Hold out longest, {plies}: {longest}\n")
        }
        _ => String::new(),
    }
}

fn move_list(answer: &Answer, shown: &dyn Fn(&str) -> String) -> String {
    let rows: Vec<Vec<Cow<'_, str>>> = answer
        .moves
        .iter()
        .enumerate()
        .map(|(number, mv)| {
            let figures = mv.figures();
            let mark = if number < answer.best.len() { "*" } else { " " };
            let note = match (mv.ends, figures.value) {
                (false, _) => "",
                (true, Some(Outcome::Win)) => "ends the game at once",
                (true, _) => "ends the game",
            };
            let nimber = mv.nimber.map(|nimber| format!("leaves nimber {nimber}"));
            vec![
                mark.into(),
                shown(&mv.mv).into(),
                words::phrase(&figures).into(),
                nimber.unwrap_or_default().into(),
                note.into(),
            ]
        })
        .collect();
    columns(&rows, 2, &[])
}

/// The first few of a list.
fn some_of(moves: &[String]) -> String {
    const FEW: usize = 5;
    let more = if moves.len() > FEW { " …" } else { "" };
    format!("{}{more}", moves[..moves.len().min(FEW)].join(" "))
}
