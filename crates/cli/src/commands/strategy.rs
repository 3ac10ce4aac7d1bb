//! `strategy`: how the winner can be told to play in a few sentences.

use anyhow::{Result, bail};
use greenwave_game::{Advance, Colours, Luck, Outcome, Variant};
use greenwave_judge::{Sought, Strategy, Symmetry, can_have_strategy, seek_strategy};
use greenwave_solver::grouped;
use greenwave_tablebase::{Budget, QueryOptions, SCHEMA};
use serde::Serialize;

use super::place;
use crate::args::StrategyArgs;
use crate::output::{counted, wrapped};
use crate::report::Told;
use crate::session::{Session, Verdict};

const DRAWN: &str = "nobody wins by force, so there is no winner's strategy";
const SPENT: &str = "no strategy of this form was found within the budget; give more with --budget, or \
                     'certify' writes a strategy as a list of replies";

#[derive(Serialize)]
struct StrategyDocument {
    schema: u32,
    variant: String,
    winner: &'static str,
    opening: Vec<String>,
    symmetry: &'static str,
    exceptions: Vec<ExceptionReply>,
    proven_least: bool,
    positions: u64,
    words: String,
    card: String,
    claim: String,
    certificate: String,
}

#[derive(Serialize)]
struct ExceptionReply {
    position: String,
    reply: String,
}

#[derive(Serialize)]
struct NoStrategy {
    schema: u32,
    variant: String,
    winner: Option<&'static str>,
    reason: String,
}

/// A symmetry by its name, in which hyphens may stand for blanks: shells complete it so.
fn named(name: &str) -> Option<Symmetry> {
    let hyphened = |name: &str| name.trim().to_lowercase().replace(' ', "-");
    let mut all = Symmetry::ALL.into_iter();
    all.find(|symmetry| hyphened(symmetry.name()) == hyphened(name))
}

pub(super) fn run(session: &Session, args: &StrategyArgs) -> Result<Verdict> {
    let (variant, colours) = session.variant(&args.variant)?;
    let symmetry = match args.symmetry.as_deref().map(|name| (name, named(name))) {
        None => None,
        Some((_, Some(symmetry))) => Some(symmetry),
        Some((name, None)) => {
            let known = Symmetry::ALL.map(|symmetry| format!("'{}'", symmetry.name()));
            bail!("--symmetry: found '{name}', expected {}", known.join(", "));
        }
    };
    let game = match can_have_strategy(&variant, symmetry) {
        Err(_) if nobody_wins(session, &variant)? => return none(session, &variant, DRAWN, false),
        game => game?,
    };
    let budget = args.budget.unwrap_or(Budget::USUAL).begun_now();
    let tablebase = &session.tablebase;
    let sought = tablebase.on_threads(|| seek_strategy(&variant, symmetry, budget, tablebase));
    let name = variant.rules().name.clone();
    let title = variant.rules().title();
    match sought? {
        Sought::Found(strategy) => {
            let document = StrategyDocument {
                schema: SCHEMA,
                variant: name,
                winner: strategy.winner(),
                opening: strategy.opening_squares(game),
                symmetry: strategy.symmetry_name(),
                exceptions: strategy
                    .exception_texts(game, Colours::Ryg)
                    .into_iter()
                    .map(|(position, reply)| ExceptionReply { position, reply })
                    .collect(),
                proven_least: strategy.proven_least,
                positions: strategy.positions,
                words: strategy.words(game, Colours::Ryg),
                card: strategy.card(game, Colours::Ryg),
                claim: strategy.claim(game),
                certificate: strategy.certificate(game),
            };
            let words = |document: &StrategyDocument| {
                let words = strategy.words(game, colours);
                let card = strategy.card(game, colours);
                Ok(picture(&strategy, title, document, &words, &card))
            };
            session.print(&Told::new(document, words))?;
            Ok(Verdict::Done)
        }
        Sought::Drawn => none(session, &variant, DRAWN, false),
        Sought::Spent => none(session, &variant, SPENT, true),
    }
}

/// Whether a game in which every move brings the end nearer is a draw, as noughts and crosses is:
/// there the rules need not be asked whether they allow a strategy of this form.
fn nobody_wins(session: &Session, variant: &Variant) -> Result<bool> {
    let properties = variant.rules().properties;
    if properties.advance == Advance::Repeats || properties.luck == Luck::Draws || properties.scores
    {
        return Ok(false);
    }
    let start = place(None, None, Colours::Ryg);
    let options = QueryOptions::default();
    let answer = session.tablebase.query_at(variant, &start, &options)?;
    Ok(answer.value.outcome() == Some(Outcome::Draw))
}

/// Says that there is no strategy, and why.
fn none(session: &Session, variant: &Variant, reason: &str, spent: bool) -> Result<Verdict> {
    let none = NoStrategy {
        schema: SCHEMA,
        variant: variant.rules().name.clone(),
        winner: (!spent).then_some("draw"),
        reason: reason.into(),
    };
    let title = variant.rules().title();
    let words = |none: &NoStrategy| Ok(format!("{title}: {}\n", none.reason));
    session.print(&Told::new(none, words))?;
    Ok(Verdict::No)
}

fn picture(
    strategy: &Strategy,
    title: &str,
    document: &StrategyDocument,
    words: &str,
    card: &str,
) -> String {
    const INDENT: usize = 2;
    let bold = anstyle::Style::new().bold();
    let head = format!("{title}: ");
    let mut text = wrapped(&head, INDENT, words);
    let count = strategy.exceptions.len() as u64;
    let least = match (strategy.proven_least, count) {
        (_, 0) => "no strategy can do with fewer exceptions".to_string(),
        (true, _) => {
            "proved to be the fewest of strategies of this form, with at most one fixed first \
                      move"
                .into()
        }
        (false, _) => "perhaps fewer do; --budget gives the search more time".into(),
    };
    text.push('\n');
    text.push_str(&wrapped(
        "  Exceptions  ",
        14,
        &format!("{}; {least}", grouped(count)),
    ));
    let checked = format!(
        "{} met by the rules alone, against every defence",
        counted(strategy.positions, "position", "positions")
    );
    text.push_str(&wrapped("  Checked     ", 14, &checked));
    text.push_str(&format!("\n{bold}  Card{bold:#}\n\n"));
    for line in card.lines() {
        // Boards keep their columns.
        match line.starts_with(|c: char| c.is_ascii_digit()) {
            true => text.push_str(&wrapped("    ", 7, line)),
            false => text.push_str(&format!("    {line}\n").replace("    \n", "\n")),
        }
    }
    text.push_str(&format!(
        "\n{bold}  Claim{bold:#}, which 'greenwave check FILE.toml' settles\n\n"
    ));
    for line in document.claim.lines() {
        text.push_str(&format!("    {line}\n").replace("    \n", "\n"));
    }
    const SHOWN: usize = 16;
    let replies = strategy.replies.len();
    text.push_str(&format!(
        "\n{bold}  Certificate{bold:#}, which solutions/check_certificate.py checks\n\n"
    ));
    if replies <= SHOWN {
        for line in document.certificate.lines() {
            text.push_str(&format!("    {line}\n").replace("    \n", "\n"));
        }
    } else {
        text.push_str(&format!(
            "    {} replies; --json has it whole\n",
            grouped(replies)
        ));
    }
    text
}
