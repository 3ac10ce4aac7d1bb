//! `check`: claims settled, with evidence.

use std::path::Path;

use anyhow::Result;
use greenwave_game::Variant;
use greenwave_judge::JudgeError;
use greenwave_judge::claims::{
    AskedClaims, Claim, ClaimResult, Verdict as Judged, proved_in, read_asked, settle,
};
use greenwave_judge::documents::{ClaimDocument, ListedClaim};
use greenwave_words::Language;

use crate::args::CheckArgs;
use crate::output::{board, carried, counted, print, print_json, wrapped};
use crate::session::{CommandVerdict, Session, expect_no_input};

pub(super) fn run(session: &Session, args: &CheckArgs) -> Result<CommandVerdict> {
    // Everything that can be refused is refused before anything is solved.
    for asked in &args.claims {
        expect_no_input(
            asked,
            "a claim",
            "name a file of claims, or write the claim as one argument",
        )?;
    }
    let lights = session.lights();
    let written = |variant: Variant| variant.with_chosen_lights(lights);
    let work = read_asked(&args.claims, &written, &session.tablebase)?;
    if args.list {
        return list(session, &work);
    }
    // On the threads from the first claim to the last: to go there for each takes longer than many claims do.
    let (settled, some_failed) = session
        .tablebase
        .on_threads(|| settle_all(session, args, &work))?;
    if args.markdown && !session.json {
        print(&page(&settled))?;
    } else if settled.len() > 1 && !session.json {
        print(&format!("{}\n", tally(&settled)))?;
    }
    let bad = settled
        .iter()
        .any(|(_, settled)| matches!(settled.verdict, Judged::False | Judged::Unknown));
    Ok(if some_failed {
        CommandVerdict::SomeFailed
    } else if args.expect_true && bad {
        CommandVerdict::No
    } else {
        CommandVerdict::Done
    })
}

/// Settles claim after claim; each is printed as soon as it is settled, except on the page. For one that
/// cannot be settled the reason is printed, and the rest follows. Returns, too, whether there was one.
fn settle_all<'a>(
    session: &Session,
    args: &CheckArgs,
    work: &'a [AskedClaims],
) -> Result<(Vec<(&'a Claim, ClaimResult)>, bool)> {
    let (mut all, mut some_failed) = (Vec::new(), false);
    let tablebase = &session.tablebase;
    for AskedClaims { folder, claims, .. } in work {
        for claim in claims {
            // On the threads already: this ends the progress of a claim before it is printed.
            let settled = tablebase.on_threads(|| settle(claim, tablebase, folder));
            let settled = match settled {
                Ok(settled) => ClaimResult {
                    evidence: settled.evidence.rewritten(&carried),
                    ..settled
                },
                Err(error @ JudgeError::Interrupted) => return Err(error.into()),
                Err(error) => {
                    some_failed = true;
                    session.complain(&format!("claim {}: {error}", claim.id), error.fault());
                    continue;
                }
            };
            if session.json {
                print_json(&ClaimDocument::new(claim, &settled))?;
            } else if !args.markdown {
                print(&picture(claim, &settled, folder))?;
            }
            all.push((claim, settled));
        }
    }
    Ok((all, some_failed))
}

/// The claims as they stand.
fn list(session: &Session, work: &[AskedClaims]) -> Result<CommandVerdict> {
    let claims = || work.iter().flat_map(|asked| &asked.claims);
    if session.json {
        for claim in claims() {
            print_json(&ListedClaim::new(claim))?;
        }
        return Ok(CommandVerdict::Done);
    }
    const INDENT: usize = 6;
    for claim in claims() {
        let head = format!("{:>4}  ", claim.id.to_string());
        print(&wrapped(&head, INDENT, &claim.text))?;
    }
    Ok(CommandVerdict::Done)
}

fn picture(claim: &Claim, settled: &ClaimResult, folder: &Path) -> String {
    const INDENT: usize = 6;
    let part = |head: &str, text: &str| wrapped(&format!("      {head}"), INDENT, text);
    let bold = anstyle::Style::new().bold();
    let verdict = settled.verdict.name();
    let id = claim.id.to_string();
    // A claim of one line has no name but its text.
    let id = if id == claim.text { String::new() } else { id };
    let head = format!("{id:>4}  {verdict}: ");
    let mut text = wrapped(&head, INDENT, &claim.text).replacen(
        verdict,
        &format!("{bold}{verdict}{bold:#}"),
        1,
    );
    if !claim.source.is_empty() {
        text.push_str(&part("Source: ", &claim.source));
    }
    if let Some(note) = &claim.note {
        text.push_str(&part("Read as: ", note));
    }
    text.push_str(&part("", settled.evidence.english()));
    if let Some(file) = proved_in(claim) {
        let proved = format!("proved, checked by Rocq: {file}");
        text.push_str(&part("", &proved));
    }
    if let Some(witness) = &settled.witness {
        text.push_str(&part("Witness: ", witness));
        text.push_str(&part("", &key(claim, folder)));
    }
    let looked = looked_at(settled);
    if !looked.is_empty() {
        text.push_str(&part("", &looked.join(", ")));
    }
    text
}

/// What the letters of a claim's positions mean.
fn key(claim: &Claim, folder: &Path) -> String {
    match claim.first_test().map(|test| test.variant_in(folder)) {
        Some(Ok(variant)) => board::key_of(Language::English, &variant),
        // Of a variant that is not known there are no positions.
        _ => String::new(),
    }
}

/// The number of checked positions and their values, in words.
fn looked_at(settled: &ClaimResult) -> Vec<String> {
    let mut words = Vec::new();
    let count = settled.positions_examined;
    if count > 0 {
        words.push(format!(
            "{} examined",
            counted(count, "position", "positions")
        ));
    }
    for signature in &settled.signatures {
        words.push(format!(
            "signature {}",
            &signature[..signature.len().min(16)]
        ));
    }
    words
}

fn tally(settled: &[(&Claim, ClaimResult)]) -> String {
    let count = |verdict| {
        settled
            .iter()
            .filter(|(_, settled)| settled.verdict == verdict)
            .count()
    };
    format!(
        "{}: {} true, {} false, {} unknown, {} not checkable.",
        counted(settled.len() as u64, "claim", "claims"),
        count(Judged::True),
        count(Judged::False),
        count(Judged::Unknown),
        count(Judged::NotCheckable)
    )
}

/// The page of results in the documentation: claim after claim.
fn page(settled: &[(&Claim, ClaimResult)]) -> String {
    let mut text = String::from(
        "# Claims\n\nStatements about the games that can be read in public, and what the program says of \
         them. Made by `just claims`, from `docs/claims.toml`; the language is described in [claims \
         files](reference/claims-files.md).\n\n",
    );
    text.push_str(&tally(settled));
    text.push_str("\n\n");
    for verdict in [
        Judged::True,
        Judged::False,
        Judged::Unknown,
        Judged::NotCheckable,
    ] {
        let such = settled
            .iter()
            .filter(|(_, settled)| settled.verdict == verdict);
        let links: Vec<String> = such
            .map(|(claim, _)| format!("[{0}](#claim-{0})", claim.id))
            .collect();
        if !links.is_empty() {
            let name = verdict.name();
            text.push_str(&format!("- {name}: {}\n", links.join(", ")));
        }
    }
    for (claim, settled) in settled {
        text.push_str(&format!("\n{}", section(claim, settled)));
    }
    text
}

/// A claim on the page of results.
fn section(claim: &Claim, settled: &ClaimResult) -> String {
    let mut text = format!("## Claim {}\n\n> {}\n\n", claim.id, claim.text);
    text.push_str(&format!(
        "**{}**: {}\n\n",
        settled.verdict.name(),
        settled.evidence
    ));
    if !claim.source.is_empty() {
        text.push_str(&format!("- Source: {}\n", claim.source));
    }
    if let Some(note) = &claim.note {
        text.push_str(&format!("- Read as: {note}\n"));
    }
    if let Some(file) = proved_in(claim) {
        text.push_str(&format!("- Proved, checked by Rocq: `{file}`\n"));
    }
    if let Some(witness) = &settled.witness {
        text.push_str(&format!("- Witness: `{witness}`\n"));
    }
    let looked = looked_at(settled);
    if !looked.is_empty() {
        text.push_str(&format!("- Looked at: {}\n", looked.join(", ")));
    }
    text
}
