//! `line`: best play by both sides.

use std::fmt::Write;

use anyhow::Result;
use greenwave_game::{Plies, Variant};
use greenwave_tablebase::{Line, LineEnd, LinePly, Value};
use greenwave_words::Language;

use super::question::PlaceTexts;
use crate::args::LineArgs;
use crate::output::{board, columns, words, wrapped};
use crate::report::{CommandReport, DocumentReport};
use crate::session::Session;

pub(super) fn run(session: &Session, args: &LineArgs) -> Result<CommandReport> {
    let variant = session.variant(&args.variant)?;
    let typed = PlaceTexts::read(args.position.as_deref(), args.moves.as_deref())?;
    let place = typed.place();
    let line = session.tablebase.line(&variant, &place)?;
    let words = move |line: &Line| picture(line, &variant);
    Ok(CommandReport::with(DocumentReport::new(line, words)))
}

fn picture(line: &Line, variant: &Variant) -> Result<String, std::fmt::Error> {
    let mut text = String::new();
    let mut rows = Vec::new();
    for (number, ply) in line.plies.iter().enumerate() {
        rows.push(vec![
            format!("{}.", number + 1),
            format!("{}{}", ply.drawn.concat(), ply.mv),
            match &ply.odds {
                Some(odds) => format!("{:+.6}", odds.expectation),
                None => words::phrase(Language::English, &ply.figures()),
            },
            ply.to.clone(),
        ]);
    }
    if !line.drawn.is_empty() {
        rows.push(vec![String::new(), line.drawn.concat()]);
    }
    let start = &line.position;
    let title = variant.rules().title();
    writeln!(text, "{title}: best play from {start}\n")?;
    text.push_str(&columns(&rows, 2, &[0]));
    if !line.plies.is_empty() {
        writeln!(text)?;
    }
    text.push_str(&board::draw(Language::English, &line.diagram));
    let end = match &line.end {
        LineEnd::Over(ending) => words::over(Language::English, ending, variant),
        LineEnd::GoesRound => {
            "the line is not over: from here on strip moves and missed turns go round".into()
        }
        LineEnd::Repeats => "the line is not over: from here on positions repeat".into(),
    };
    writeln!(text, "\n  After {}: {end}.", Plies(line.plies.len() as u32))?;
    let mut key = words::values_key(Language::English, variant).to_string();
    if line.draws.is_some() {
        key.push_str(
            " After each move the likeliest counter is drawn, the first of equally likely ones; another draw may \
             call for other moves.",
        );
    }
    text.push_str(&wrapped("  ", 2, &key));
    let scores = variant.rules().properties.scores;
    let is_bare = |ply: &LinePly| {
        matches!(ply.value, Some(Value::Win | Value::Loss)) && ply.distance.is_none() && !scores
    };
    if line.draws.is_none() && line.plies.iter().any(is_bare) {
        text.push_str(
            "  A move without a distance keeps who wins; a quicker win or a longer defence\n  \
             may be there.\n",
        );
    }
    let key = board::key(Language::English, &line.diagram);
    text.push_str(&wrapped("  ", 2, &key));
    Ok(text)
}
