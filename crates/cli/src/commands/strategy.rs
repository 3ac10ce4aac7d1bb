//! `strategy`: a few sentences that tell the winner how to play.

use anyhow::{Result, bail};
use greenwave_game::{Variant, plural};
use greenwave_judge::{
    FailedSearch, SearchOutcome, Strategy, Symmetry, can_have_strategy, seek_strategy,
};
use greenwave_solver::bytes;
use greenwave_tablebase::{Budget, SCHEMA, Theorem};
use greenwave_words::Language;
use serde::Serialize;

use super::certify;
use crate::args::StrategyArgs;
use crate::output::{quoted_command, wrapped};
use crate::report::DocumentReport;
use crate::session::{CommandVerdict, Session};

/// The key of the message when the budget is spent.
fn spent(tried: &FailedSearch) -> &'static str {
    match (tried.first, tried.none_without_exceptions) {
        (None, _) => "strategy-spent-rules",
        (Some(_), true) => "strategy-spent-exceptions",
        (Some(_), false) => "strategy-spent",
    }
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct StrategyDocument {
    /// Version of the document.
    schema: u32,
    /// The variant.
    variant: String,
    /// The order of its lights; `None` where it has none.
    lights: Option<&'static str>,
    /// The winner.
    #[cfg_attr(test, schemars(extend("enum" = ["first", "second"])))]
    winner: &'static str,
    /// The winner's first moves.
    opening: Vec<String>,
    /// The symmetry by which the winner copies.
    symmetry: &'static str,
    /// Positions in which the winner does not copy.
    exceptions: Vec<ExceptionReply>,
    /// Whether no strategy of this form has fewer exceptions.
    proven_least: bool,
    /// Exceptions that any strategy of this form has.
    at_least: u64,
    /// Positions that were checked; 0 where a theorem proves it.
    positions: u64,
    /// The theorem that proves the strategy, where it was not played against every defence.
    theorem: Option<&'static str>,
    /// The strategy in words.
    words: String,
    /// The same as a card to print.
    card: String,
    /// A claims file that `check` settles.
    claim: String,
    /// A certificate that the checkers follow; `None` where a theorem proves it.
    certificate: Option<String>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct ExceptionReply {
    /// The position.
    position: String,
    /// The move.
    reply: String,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct NoStrategy {
    /// Version of the document.
    schema: u32,
    /// The variant.
    variant: String,
    /// The winner, or `draw`; `None` where that is not known.
    #[cfg_attr(test, schemars(extend("enum" = ["first", "second", "draw", null])))]
    winner: Option<&'static str>,
    /// Why none was found.
    reason: String,
}

/// A symmetry by its name, in which hyphens may stand for blanks: shells complete it so.
fn named(name: &str) -> Option<Symmetry> {
    let hyphened = |name: &str| name.trim().to_lowercase().replace(' ', "-");
    let mut all = Symmetry::ALL.into_iter();
    all.find(|symmetry| hyphened(symmetry.name()) == hyphened(name))
}

pub(super) fn run(session: &Session, args: &StrategyArgs) -> Result<CommandVerdict> {
    let variant = session.variant(&args.variant)?;
    let symmetry = match args.symmetry.as_deref().map(|name| (name, named(name))) {
        None => None,
        Some((_, Some(symmetry))) => Some(symmetry),
        Some((name, None)) => {
            let known = Symmetry::ALL.map(|symmetry| format!("'{}'", symmetry.name()));
            bail!("--symmetry: found '{name}', expected {}", known.join(", "));
        }
    };
    can_have_strategy(&variant, symmetry)?;
    let budget = args.budget.unwrap_or(Budget::USUAL).begun_now();
    let tablebase = &session.tablebase;
    let sought = tablebase.on_threads(|| seek_strategy(&variant, symmetry, budget, tablebase));
    let name = variant.rules().title().to_string();
    match sought? {
        SearchOutcome::Found(strategy) => {
            let document = StrategyDocument {
                schema: SCHEMA,
                variant: name,
                lights: variant.rules().lights_name(),
                winner: strategy.winner(),
                opening: strategy.opening.clone(),
                symmetry: strategy.symmetry_name(),
                exceptions: strategy
                    .exceptions
                    .iter()
                    .cloned()
                    .map(|(position, reply)| ExceptionReply { position, reply })
                    .collect(),
                proven_least: strategy.proven_least,
                at_least: strategy.at_least,
                positions: strategy.positions,
                words: strategy.words(session.language),
                card: strategy.card(session.language),
                claim: strategy.claim(),
                theorem: strategy.theorem.map(Theorem::name),
                certificate: strategy.theorem.is_none().then(|| strategy.certificate()),
            };
            let words = |document: &StrategyDocument| {
                Ok(picture(session.language, &strategy, &variant, document))
            };
            session.print(&DocumentReport::new(document, words))?;
            Ok(CommandVerdict::Done)
        }
        SearchOutcome::Drawn => {
            let reason = session.language.text("strategy-none");
            none(session, &variant, reason, Some("draw"))
        }
        SearchOutcome::Spent(tried) => {
            let winner = tried
                .first
                .map(|first| if first { "first" } else { "second" });
            none(
                session,
                &variant,
                session.language.text(spent(&tried)),
                winner,
            )
        }
    }
}

/// Says that there is no strategy, and why.
fn none(
    session: &Session,
    variant: &Variant,
    reason: &str,
    winner: Option<&'static str>,
) -> Result<CommandVerdict> {
    let none = NoStrategy {
        schema: SCHEMA,
        variant: variant.rules().title().to_string(),
        winner,
        reason: reason.into(),
    };
    let title = variant.rules().title();
    let words = |none: &NoStrategy| Ok(wrapped(&format!("{title}: "), 2, &none.reason));
    session.print(&DocumentReport::new(none, words))?;
    Ok(CommandVerdict::No)
}

fn picture(
    words: Language,
    strategy: &Strategy,
    variant: &Variant,
    document: &StrategyDocument,
) -> String {
    const INDENT: usize = 2;
    let title = variant.rules().title();
    let head = format!("{title}: ");
    let mut text = wrapped(&head, INDENT, &document.words);
    let count = strategy.exceptions.len() as u64;
    let least = match (strategy.proven_least, count) {
        (_, 0) => words.text("strategy-fewest").to_string(),
        (true, _) => words.text("strategy-fewest-form").to_string(),
        (false, _) if strategy.at_least == 0 => words.text("strategy-perhaps-fewer").to_string(),
        (false, _) => {
            let needed = plural(
                strategy.at_least,
                "strategy-at-least-one",
                "strategy-at-least",
            );
            words.with(needed, words.grouped(strategy.at_least))
        }
    };
    let labels = ["strategy-exceptions", "strategy-checked"].map(|key| words.text(key));
    let widest = labels.iter().map(|label| label.chars().count()).max();
    let indent = widest.unwrap_or(0) + 4;
    let width = indent - 2;
    let [exceptions, checks] = labels.map(|label| format!("  {label:<width$}"));
    text.push('\n');
    text.push_str(&wrapped(
        &exceptions,
        indent,
        &format!("{}; {least}", words.grouped(count)),
    ));
    let checked = plural(
        strategy.positions,
        "strategy-position",
        "strategy-positions",
    );
    let checked = match strategy.theorem {
        Some(theorem) => words.with("strategy-theorem", theorem.name()),
        None => words.with(checked, words.grouped(strategy.positions)),
    };
    text.push_str(&wrapped(&checks, indent, &checked));
    let card = words.text("strategy-card");
    text.push_str(&heading(card, None));
    for line in document.card.lines() {
        // Boards keep their columns.
        if line.starts_with(|c: char| c.is_ascii_digit()) {
            text.push_str(&wrapped("    ", 7, line))
        } else {
            text.push_str(&format!("    {line}\n").replace("    \n", "\n"))
        }
    }
    let Some(certificate) = &document.certificate else {
        return text;
    };
    if !strategy.lists_exceptions() {
        text.push('\n');
        text.push_str(&wrapped(
            "  ",
            2,
            &too_many(words, strategy, title, certificate),
        ));
        return text;
    }
    let note = words.with("strategy-claim-note", "greenwave check FILE.toml");
    text.push_str(&heading(words.text("strategy-claim"), Some(&note)));
    for line in document.claim.lines() {
        text.push_str(&format!("    {line}\n").replace("    \n", "\n"));
    }
    const SHOWN: usize = 16;
    let replies = strategy.replies.len();
    let note = certify::checker(variant)
        .map(|checker| words.with("strategy-certificate-note", format!("solutions/{checker}")));
    text.push_str(&heading(
        words.text("strategy-certificate"),
        note.as_deref(),
    ));
    if replies <= SHOWN {
        for line in certificate.lines() {
            text.push_str(&format!("    {line}\n").replace("    \n", "\n"));
        }
    } else {
        text.push_str(&format!(
            "    {}\n",
            words.with("strategy-replies", words.grouped(replies))
        ));
    }
    text
}

/// The heading of a part, with what can be done with it.
fn heading(title: &str, note: Option<&str>) -> String {
    let bold = anstyle::Style::new().bold();
    let line = note.map_or_else(|| title.into(), |note| format!("{title}, {note}"));
    let lines = wrapped("  ", 4, &line).replacen(title, &format!("{bold}{title}{bold:#}"), 1);
    format!("\n{lines}\n")
}

/// The text in place of a list that is too long to read.
fn too_many(words: Language, strategy: &Strategy, title: &str, certificate: &str) -> String {
    let again = quoted_command(&format!("greenwave strategy {title} --json"));
    let fillings = [
        ("exceptions", words.grouped(strategy.exceptions.len())),
        ("command", again),
        ("replies", words.grouped(strategy.replies.len())),
        ("size", words.decimals(&bytes(certificate.len() as u128))),
    ];
    let fillings: Vec<(&str, &str)> = fillings
        .iter()
        .map(|(place, text)| (*place, text.as_str()))
        .collect();
    words.filled("strategy-too-many", &fillings)
}
