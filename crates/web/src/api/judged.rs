//! Questions over all positions: found by description, variants compared, claims settled.

use std::cmp::Reverse;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use greenwave_game::{Luck, Message, Variant};
use greenwave_judge::Selection;
use greenwave_judge::claims::{
    BUILT_IN, BUILT_IN_NAME, Basis, Claim, ClaimResult, Verdict, read_claims, read_one_line, settle,
};
use greenwave_judge::documents::{
    ClaimDocument, ComparedVariant, Comparison, Finding, ListedClaim, Match,
};
use greenwave_judge::expr::Output;
use greenwave_tablebase::{Tablebase, is_rule_file};
use greenwave_values::Instant;

use crate::ahead::{BackgroundTask, PendingWork};
use crate::answer::{RouteAnswer, json_text};
use crate::answers::FoundPositions;
use crate::api::documents::{document, from_tables, lines, pending};
use crate::explorer::{Client, Demand, Explorer};
use crate::lock::locked;
use crate::messages;
use crate::params::{Params, meant, usable};
use crate::problem::Problem;
use crate::question::time_of;
use crate::worked::{Computation, Patience};

/// Most matches that are shown.
const MATCHES: u64 = 10_000;
/// The default number of matches on a page.
const USUAL: u64 = 100;
/// Matches that are held until those farthest from the end are kept.
const HELD: usize = 4096;
/// Most variants that are compared at once.
const SIDES: usize = 6;

/// Positions that an expression describes.
pub(super) async fn find(
    explorer: &Arc<Explorer>,
    params: &Params,
    client: Client,
) -> Result<RouteAnswer, Problem> {
    let variant = explorer.variant_in(params.get("variant").unwrap_or(""), params)?;
    let readings = params.either("expression").ok_or_else(|| {
        Problem::input("found no expression, expected for example expression=value = loss")
    })?;
    let fields = params.either("fields");
    let wanted = Selection {
        limit: params.number("limit", MATCHES)?.or(Some(USUAL)),
        sample: params.number("sample", MATCHES)?,
        seed: params.number("seed", u64::MAX)?.unwrap_or(0),
        count_only: params.switch("count", false)?,
        up_to_symmetry: params.switch("up-to-symmetry", false)?,
    };
    for other in ["fields", "limit"] {
        if wanted.count_only && params.get(other).is_some_and(|value| !value.is_empty()) {
            let problem = format!("cannot be used with {other}, since no match is shown");
            return Err(Problem::wrong("count", problem));
        }
    }
    // A position that cannot be read is refused before any solve.
    let place = usable(meant(&readings), |place| {
        let fields = fields.as_ref().map(|readings| readings[place].as_str());
        Finding::new(&variant, &readings[place], fields).map(|_| place)
    })?;
    let variants = [Arc::clone(&variant)];
    let budget = time_of(params, explorer)?;
    let text = |readings: &[String; 2]| readings[place].clone();
    let search = PositionSearch {
        variant,
        expression: text(&readings),
        fields: fields.as_ref().map(text),
        wanted,
        longest: false,
    };
    let found = found(explorer, search, client, budget).await?;
    let mut answered = lines(&found.matches);
    answered.body.push_str(&json_text(&found.count));
    Ok(from_tables(explorer, &variants, answered))
}

/// What is asked about positions.
pub(crate) struct PositionSearch {
    pub(crate) variant: Arc<Variant>,
    pub(crate) expression: String,
    /// The fields that are wanted in place of those that the expression names.
    pub(crate) fields: Option<String>,
    pub(crate) wanted: Selection,
    /// Whether the limit keeps those farthest from the end, by the field of the distance, instead of the first.
    pub(crate) longest: bool,
}

/// Plies to the end of a match; less than any where it has none.
fn plies_of(found: &Match) -> i64 {
    let mut fields = found.fields.iter();
    let distance = fields.find(|(name, _)| name == "distance");
    match distance {
        Some((_, Output::Number(plies))) => *plies,
        Some(_) | None => -1,
    }
}

/// Leaves the matches farthest from the end; of equals those that were found first.
fn keep_longest(matches: &mut Vec<Match>, limit: usize) {
    matches.sort_by_key(|found| Reverse(plies_of(found)));
    matches.truncate(limit);
}

/// Positions that an expression describes.
pub(crate) async fn found(
    explorer: &Arc<Explorer>,
    search: PositionSearch,
    client: Client,
    budget: Duration,
) -> Result<Arc<FoundPositions>, Problem> {
    let PositionSearch {
        variant,
        expression,
        fields,
        wanted,
        longest,
    } = search;
    let work = Computation {
        name: format!("positions of {}", variant.rules().title()),
        options: format!("{expression:?} {fields:?} {wanted:?} {longest}"),
        of_values: true,
        patience: Patience::Whole,
        variants: vec![Arc::clone(&variant)],
        kept: |explorer| &explorer.found,
        make: Arc::new(move |tablebase: &Tablebase| {
            let finding = Finding::new(&variant, &expression, fields.as_deref())?;
            let limit = wanted.limit.unwrap_or(USUAL) as usize;
            let searched = Selection {
                limit: wanted.limit.filter(|_| !longest),
                ..wanted
            };
            let mut matches = Vec::new();
            let count = finding.search(tablebase, searched, &mut |found| {
                matches.push(found.clone());
                // All of them would take too much memory.
                if longest && matches.len() > limit + HELD {
                    keep_longest(&mut matches, limit);
                }
                Ok(())
            })?;
            if longest {
                keep_longest(&mut matches, limit);
            }
            Ok(FoundPositions { matches, count })
        }),
    };
    explorer.worked_out(work, client, budget).await
}

/// Variants side by side.
pub(super) async fn compare(
    explorer: &Arc<Explorer>,
    params: &Params,
    client: Client,
) -> Result<RouteAnswer, Problem> {
    let names = compared_names(params);
    let variants = names
        .iter()
        .map(|name| explorer.variant_in(name, params))
        .collect::<Result<Vec<_>, _>>()?;
    let budget = time_of(params, explorer)?;
    let compared = compared(explorer, &variants, client, budget).await?;
    Ok(from_tables(
        explorer,
        &variants,
        document(&Comparison::of(&compared)),
    ))
}

/// The names of the variants to compare: those of a list, and those of the two fields of a form.
pub(crate) fn compared_names(params: &Params) -> Vec<String> {
    let list = params.text("variants").unwrap_or_default();
    let listed = list.split_whitespace().map(String::from);
    let fields = ["a", "b"].into_iter();
    listed
        .chain(fields.filter_map(|name| params.text(name)))
        .collect()
}

/// The figures of some variants.
pub(crate) async fn compared(
    explorer: &Arc<Explorer>,
    variants: &[Arc<Variant>],
    client: Client,
    budget: Duration,
) -> Result<Vec<ComparedVariant>, Problem> {
    if !(2..=SIDES).contains(&variants.len()) {
        let example = "variants=classic-3x3+signal-3x3";
        let problem = messages::found_variants(variants.len(), SIDES, example);
        return Err(Problem::input(problem));
    }
    let mut sides = Vec::with_capacity(variants.len());
    for variant in variants {
        let asked = Arc::clone(variant);
        let work = Computation {
            name: format!("the figures of {}", variant.rules().title()),
            options: String::new(),
            of_values: variant.rules().properties.luck == Luck::None,
            patience: Patience::Whole,
            variants: vec![variant.clone()],
            kept: |explorer| &explorer.compared,
            make: Arc::new(move |tablebase: &Tablebase| {
                Ok(ComparedVariant::of(tablebase, (*asked).clone())?)
            }),
        };
        let side = explorer.worked_out(work, client, budget).await?;
        sides.push((*side).clone());
    }
    Ok(sides)
}

/// The built-in claims.
pub(crate) fn built_in() -> Result<Vec<Claim>, Problem> {
    Ok(read_claims(BUILT_IN_NAME, BUILT_IN)?)
}

/// Claims settled, or as they stand.
pub(super) async fn check(
    explorer: &Arc<Explorer>,
    params: &Params,
    client: Client,
) -> Result<RouteAnswer, Problem> {
    let claims = asked_claims(explorer, params)?;
    if params.switch("list", false)? {
        return Ok(lines(claims.iter().map(ListedClaim::new)));
    }
    let budget = time_of(params, explorer)?;
    let settled = settled(explorer, claims, client, budget).await?;
    let variants: Vec<Arc<Variant>> = settled
        .iter()
        .flat_map(|(claim, _)| variants_of(explorer, claim))
        .collect();
    let all_known = settled
        .iter()
        .all(|(_, settled)| settled.verdict != Verdict::Unknown);
    let documents = settled.iter();
    let answered = lines(documents.map(|(claim, settled)| ClaimDocument::new(claim, settled)));
    if all_known {
        return Ok(from_tables(explorer, &variants, answered));
    }
    // The background settles a claim that took too long, if the time was the full limit of a
    // question.
    let awaited = settled
        .into_iter()
        .filter(|(_, settled)| settled.evidence == messages::claim_too_long())
        .map(|(claim, _)| claim);
    let coming = (budget >= explorer.settings.budget)
        .then(|| settled_later(explorer, awaited.collect(), client))
        .flatten();
    Ok(match coming {
        Some(coming) => pending(answered, coming.pending),
        None => answered,
    })
}

/// Settles claims in the background, one after the other; what is being done then.
fn settled_later(
    explorer: &Arc<Explorer>,
    claims: Vec<Claim>,
    client: Client,
) -> Option<PendingWork> {
    if claims.is_empty() {
        return None;
    }
    let works: Vec<Computation<ClaimResult>> = claims
        .into_iter()
        .map(|claim| settling(explorer, claim))
        .collect();
    let names: Vec<&str> = works.iter().map(|work| &*work.name).collect();
    let later = Arc::clone(explorer);
    let task = BackgroundTask::working(
        names.join(" "),
        "the claims that are open".into(),
        move |tablebase: &Tablebase| {
            let settle = |work: &Computation<ClaimResult>| match later.work_out(work, tablebase) {
                // Another one may fit the memory.
                Err(problem) => problem.is_of_memory(),
                Ok(_) => true,
            };
            works.iter().all(settle)
        },
    );
    let waiting = explorer.ahead.begin(&explorer.settings.tablebase, task)?;
    Some(waiting.told(client))
}

/// The claims that the parameter `claim` names, or the one that it states.
pub(crate) fn asked_claims(explorer: &Explorer, params: &Params) -> Result<Vec<Claim>, Problem> {
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
        let lights = params.lights()?;
        let written = |variant: Variant| variant.with_chosen_lights(lights);
        let tried = readings
            .each_ref()
            .map(|text| read_one_line(text, &written));
        let place = match &tried {
            [Ok(Some(_)), _] => 0,
            [_, Ok(Some(_))] => 1,
            // The fault in a claim helps more than the remark that the other text is no claim.
            [Err(_), Err(_)] => meant(&readings),
            [found, _] => usize::from(found.is_ok()),
        };
        if let Some(claim) = tried.into_iter().nth(place).transpose()?.flatten() {
            return Ok(vec![claim]);
        }
    }
    let all = built_in()?;
    let mut claims = Vec::new();
    for id in readings[1].split([',', ' ']).filter(|id| !id.is_empty()) {
        let found = all.iter().find(|claim| claim.id.to_string() == id);
        claims.push(found.cloned().ok_or_else(|| {
            let id_of =
                |claim: Option<&Claim>| claim.map_or_else(String::new, |c| c.id.to_string());
            let example = "classic-3x3 none: value = draw";
            let (first, last) = (id_of(all.first()), id_of(all.last()));
            Problem::input(messages::claim_form(id, first, last, example))
        })?);
    }
    Ok(claims)
}

/// The variant that a text names if it is a claim of one line.
fn named_in(text: &str) -> Option<&str> {
    // Blanks may be written as `+`; behind the colon there need be none.
    ["none", "some", "all"].iter().find_map(|word| {
        let before = [' ', '+'].map(|blank| text.split_once(&format!("{blank}{word}:")));
        before
            .into_iter()
            .flatten()
            .next()
            .map(|(name, _)| name.trim())
    })
}

/// Claims with what came of them; of a list those are unknown that would take longer than one question
/// may.
pub(crate) async fn settled(
    explorer: &Arc<Explorer>,
    claims: Vec<Claim>,
    client: Client,
    budget: Duration,
) -> Result<Vec<(Claim, Arc<ClaimResult>)>, Problem> {
    let works: Vec<(Claim, Computation<ClaimResult>)> = claims
        .into_iter()
        .map(|claim| (claim.clone(), settling(explorer, claim)))
        .collect();
    if let [(claim, work)] = &works[..] {
        // Its reason is a fixed text, for which nobody has to wait.
        if let Basis::NotCheckable(_) = claim.basis {
            let settled = settle(claim, &explorer.settings.tablebase, Path::new(""))?;
            return Ok(vec![(claim.clone(), Arc::new(settled))]);
        }
        let settled = explorer.worked_out(work.clone(), client, budget).await;
        return match settled {
            Ok(settled) => Ok(vec![(claim.clone(), settled)]),
            Err(problem) if problem.is_of_memory() => Ok(vec![(
                claim.clone(),
                Arc::new(unknown(problem.message.clone())),
            )]),
            Err(problem) => Err(problem),
        };
    }
    let known = |(claim, work): &(Claim, Computation<ClaimResult>)| {
        Some((claim.clone(), explorer.worked_out_before(work)?))
    };
    if let Some(all) = works.iter().map(known).collect() {
        return Ok(all);
    }
    let until = client.until(budget);
    let found: Arc<Mutex<Vec<Arc<ClaimResult>>>> = Arc::default();
    let (asked, finding) = (works.clone(), Arc::clone(&found));
    let worked = explorer
        .work(
            client,
            Demand::Job { time: budget },
            move |explorer, tablebase| {
                for (_, work) in asked {
                    let settled = match explorer.worked_out_before(&work) {
                        Some(known) => Ok(known),
                        None if Instant::now() < until => explorer.work_out(&work, tablebase),
                        None => Ok(Arc::new(too_long())),
                    };
                    let settled = match settled {
                        Ok(settled) => settled,
                        Err(problem) if problem.is_interruption() => Arc::new(too_long()),
                        // The other claims of a list still get their verdicts.
                        Err(problem) if problem.is_of_memory() => {
                            Arc::new(unknown(problem.message.clone()))
                        }
                        Err(problem) => return Err(problem),
                    };
                    locked(&finding).push(settled);
                }
                Ok(())
            },
        )
        .await;
    match worked {
        Err(problem) if !problem.is_too_long() => return Err(problem),
        // Verdicts so far are shown, whatever claim took the time.
        Ok(()) | Err(_) => {}
    }
    let mut found = locked(&found).clone();
    found.resize_with(works.len(), || Arc::new(too_long()));
    let claims = works.into_iter().map(|(claim, _)| claim);
    Ok(claims.zip(found).collect())
}

/// How a claim is settled.
fn settling(explorer: &Explorer, claim: Claim) -> Computation<ClaimResult> {
    Computation {
        name: format!("claim {}", claim.id),
        options: claim.text.clone(),
        of_values: true,
        patience: Patience::Whole,
        variants: variants_of(explorer, &claim),
        kept: |explorer| &explorer.settled,
        // Names in claims are those of variants; nothing is read from files.
        make: Arc::new(move |tablebase: &Tablebase| {
            Ok(tablebase.on_threads(|| settle(&claim, tablebase, Path::new("")))?)
        }),
    }
}

/// The verdict of a claim that takes too long.
fn too_long() -> ClaimResult {
    unknown(messages::claim_too_long())
}

/// What is not known of a claim, and why.
pub(crate) fn unknown(evidence: Message) -> ClaimResult {
    ClaimResult {
        verdict: Verdict::Unknown,
        evidence,
        variant: None,
        lights: None,
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
