//! Questions over all positions: found by description, variants compared, claims settled.

use std::net::IpAddr;
use std::path::Path;
use std::sync::Arc;

use greenwave_game::{Colours, Variant};
use greenwave_judge::claims::{
    BUILT_IN, BUILT_IN_NAME, Basis, Claim, Settled, Verdict, read_claims, read_one_line, settle,
};
use greenwave_judge::documents::{
    ClaimDocument, Compared, Comparison, Finding, ListedClaim, MatchCount,
};
use greenwave_judge::{JudgeError, Selection};
use greenwave_tablebase::{ErrorKind, Tablebase, is_rule_file};
use greenwave_values::Instant;

use crate::api::{document, from_tables, lines};
use crate::explorer::Explorer;
use crate::params::Params;
use crate::problem::Problem;
use crate::routes::{Answered, json_text};

/// Most matches that are shown.
const MATCHES: u64 = 10_000;
/// Matches that are shown where nothing is said.
const USUAL: u64 = 100;
/// Most variants that are compared at once.
const SIDES: usize = 6;

/// Positions that an expression describes.
pub(super) async fn find(
    explorer: &Arc<Explorer>,
    params: &Params,
    client: IpAddr,
) -> Result<Answered, Problem> {
    let variant = explorer.variant(params.get("variant").unwrap_or(""))?;
    let colours = Explorer::colours(&variant, params.get("colours"))?;
    let readings = params.either("expression").ok_or_else(|| {
        Problem::input("found no expression, expected for example expression=value = loss")
    })?;
    let fields = params.either("fields");
    let wanted = Selection {
        limit: params.number("limit", MATCHES)?.or(Some(USUAL)),
        sample: params.number("sample", MATCHES)?,
        seed: params.number("seed", u64::MAX)?.unwrap_or(0),
        count_only: params.is_on("count"),
        up_to_symmetry: params.is_on("up-to-symmetry"),
    };
    // What cannot be read is refused before anything is solved.
    let read = |place: usize| {
        let fields = fields.as_ref().map(|readings| readings[place].as_str());
        Finding::new(&variant, &readings[place], fields, colours).map(drop)
    };
    let place = match read(0) {
        Ok(()) => 0,
        Err(_) => {
            read(1)?;
            1
        }
    };
    let variants = [variant.clone()];
    explorer.ready(&variants).await?;
    let answered = explorer
        .work(client, true, move |_, tablebase| {
            let fields = fields.as_ref().map(|readings| readings[place].as_str());
            let finding = Finding::new(&variant, &readings[place], fields, colours)?;
            let mut body = String::new();
            let count = finding.search(tablebase, wanted, Colours::Ryg, &mut |found| {
                body.push_str(&json_text(found));
                Ok(())
            })?;
            let mut answered = lines([MatchCount::new(count)]);
            answered.body.insert_str(0, &body);
            Ok(answered)
        })
        .await?;
    Ok(from_tables(explorer, &variants, answered))
}

/// Variants side by side.
pub(super) async fn compare(
    explorer: &Arc<Explorer>,
    params: &Params,
    client: IpAddr,
) -> Result<Answered, Problem> {
    let names = params.text("variants").unwrap_or_default();
    let variants = names
        .split_whitespace()
        .map(|name| explorer.variant(name))
        .collect::<Result<Vec<_>, _>>()?;
    let compared = compared(explorer, &variants, client).await?;
    Ok(from_tables(
        explorer,
        &variants,
        document(&Comparison::of(&compared)),
    ))
}

/// The figures of some variants.
pub(crate) async fn compared(
    explorer: &Arc<Explorer>,
    variants: &[Arc<Variant>],
    client: IpAddr,
) -> Result<Vec<Compared>, Problem> {
    if !(2..=SIDES).contains(&variants.len()) {
        return Err(Problem::input(format!(
            "found {} variants, expected 2 to {SIDES}, such as variants=classic-3x3+signal-3x3",
            variants.len()
        )));
    }
    explorer.ready(variants).await?;
    let asked = variants.to_vec();
    explorer
        .work(client, true, move |_, tablebase| {
            let one = |variant: &Arc<Variant>| Compared::of(tablebase, (**variant).clone());
            Ok(asked.iter().map(one).collect::<Result<Vec<_>, _>>()?)
        })
        .await
}

/// The built-in claims.
pub(crate) fn built_in() -> Result<Vec<Claim>, Problem> {
    Ok(read_claims(BUILT_IN_NAME, BUILT_IN)?)
}

/// Claims settled, or as they stand.
pub(super) async fn check(
    explorer: &Arc<Explorer>,
    params: &Params,
    client: IpAddr,
) -> Result<Answered, Problem> {
    let claims = asked_claims(explorer, params)?;
    if params.is_on("list") {
        let listed: Vec<ListedClaim> = claims.iter().map(ListedClaim::new).collect();
        return Ok(document(&listed));
    }
    let settled = settled(explorer, claims, client).await?;
    let settled: Vec<ClaimDocument> = settled
        .iter()
        .map(|(claim, settled)| ClaimDocument::new(claim, settled))
        .collect();
    Ok(document(&settled))
}

/// The claims that the parameter `claim` names, or the one that it states.
fn asked_claims(explorer: &Explorer, params: &Params) -> Result<Vec<Claim>, Problem> {
    let Some(readings) = params.either("claim") else {
        return built_in();
    };
    if let Some(name) = readings.iter().find_map(|text| named_in(text)) {
        // Nothing is read from files that a request names.
        if is_rule_file(name) || readings[0].contains(".toml") {
            return Err(Problem::input(format!(
                "found '{name}', expected a built-in variant: claims about rule files are settled by \
                 'greenwave check'"
            )));
        }
        explorer.variant(name)?;
        let mut tried = readings.iter().map(|text| read_one_line(text));
        if let Some(Ok(Some(claim))) = tried.next() {
            return Ok(vec![claim]);
        }
        if let Some(claim) = tried.next().transpose()?.flatten() {
            return Ok(vec![claim]);
        }
    }
    let all = built_in()?;
    let mut claims = Vec::new();
    for id in readings[1].split([',', ' ']).filter(|id| !id.is_empty()) {
        let found = all.iter().find(|claim| claim.id.to_string() == id);
        claims.push(found.cloned().ok_or_else(|| {
            let id_of = |claim: Option<&Claim>| claim.map_or_else(String::new, |c| c.id.to_string());
            Problem::not_found(format!(
                "no claim '{id}'; the built-in claims are {} to {}, and a claim of your own is written \
                 as 'classic-3x3 none: value = draw', with none, some or all",
                id_of(all.first()),
                id_of(all.last())
            ))
        })?);
    }
    Ok(claims)
}

/// The variant that a text names if it is a claim of one line.
fn named_in(text: &str) -> Option<&str> {
    let (before, _) = text.split_once(": ").or_else(|| text.split_once(":+"))?;
    let (name, word) = before.trim().rsplit_once([' ', '+'])?;
    matches!(word, "none" | "some" | "all").then_some(name.trim())
}

/// Claims with what came of them; what takes longer than one question may, is unknown.
pub(crate) async fn settled(
    explorer: &Arc<Explorer>,
    claims: Vec<Claim>,
    client: IpAddr,
) -> Result<Vec<(Claim, Arc<Settled>)>, Problem> {
    let known = |claim: &Claim| explorer.settled.get(&claim.id);
    let built_in = |claim: &Claim| !claim.source.is_empty();
    if let Some(all) = claims
        .iter()
        .map(|claim| Some((claim.clone(), known(claim).filter(|_| built_in(claim))?)))
        .collect()
    {
        return Ok(all);
    }
    if let [claim] = &claims[..] {
        explorer.ready(&variants_of(explorer, claim)).await?;
    }
    let until = Instant::now() + explorer.settings.budget;
    explorer
        .work(client, true, move |explorer, tablebase| {
            let mut all = Vec::with_capacity(claims.len());
            for claim in claims {
                let known = explorer
                    .settled
                    .get(&claim.id)
                    .filter(|_| !claim.source.is_empty());
                let settled = match known {
                    Some(known) => known,
                    None if Instant::now() < until => one(explorer, tablebase, &claim)?,
                    None => Arc::new(too_long()),
                };
                all.push((claim, settled));
            }
            Ok(all)
        })
        .await
}

fn one(explorer: &Explorer, tablebase: &Tablebase, claim: &Claim) -> Result<Arc<Settled>, Problem> {
    // Names in claims are those of variants; nothing is read from files.
    let found = tablebase.on_threads(|| settle(claim, tablebase, Path::new("")));
    match found {
        Ok(settled) => {
            let settled = Arc::new(settled);
            // Those of the built-in claims are kept: they do not change.
            if !claim.source.is_empty() && settled.verdict != Verdict::Unknown {
                explorer.settled.keep(&claim.id, &settled);
            }
            Ok(settled)
        }
        Err(JudgeError::Interrupted) => Ok(Arc::new(too_long())),
        Err(JudgeError::Values(error)) if error.kind() == ErrorKind::Interrupted => {
            Ok(Arc::new(too_long()))
        }
        // Of a list of claims the others are told all the same.
        Err(error) if error.is_of_memory() => Ok(Arc::new(unknown(error.to_string()))),
        Err(error) => Err(error.into()),
    }
}

/// What is said of a claim that takes too long.
fn too_long() -> Settled {
    unknown(
        "it takes longer than one question may compute here; 'greenwave check' settles it".into(),
    )
}

fn unknown(evidence: String) -> Settled {
    Settled {
        verdict: Verdict::Unknown,
        evidence,
        witness: None,
        positions_examined: 0,
        signatures: Vec::new(),
    }
}

/// The variants that a claim is about, as far as they are known.
fn variants_of(explorer: &Explorer, claim: &Claim) -> Vec<Arc<Variant>> {
    let Basis::Tests(tests) = &claim.basis else {
        return Vec::new();
    };
    let mut variants: Vec<Arc<Variant>> = tests
        .iter()
        .filter_map(|test| explorer.variant(&test.variant).ok())
        .collect();
    variants.dedup_by_key(|variant| variant.rules().hash.0);
    variants
}
