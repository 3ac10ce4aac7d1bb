//! Claims: what can be read about the games, and what comes of it, with the positions that show it.

use std::fmt::Write;
use std::sync::Arc;

use greenwave_game::with_game;
use greenwave_judge::claims::{Claim, Verdict, published_verdict};
use greenwave_picture::escaped;
use greenwave_tablebase::Place;
use greenwave_words::Language;

use crate::api;
use crate::explorer::{Client, Explorer};
use crate::messages;
use crate::page::{Reader, frame, home};
use crate::params::Params;
use crate::problem::Problem;
use crate::question::time_of;
use crate::routes::RouteAnswer;

/// The key and the look of a verdict.
fn badge(verdict: Verdict) -> (&'static str, &'static str) {
    match verdict {
        Verdict::True => ("verdict-true", "win"),
        Verdict::False => ("verdict-false", "loss"),
        Verdict::Unknown => ("verdict-unknown", "draw"),
        Verdict::NotCheckable => ("verdict-not-checkable", "draw"),
    }
}

/// All claims, or those of one verdict.
pub(super) fn list(
    explorer: &Explorer,
    reader: &Reader,
    params: &Params,
) -> Result<RouteAnswer, Problem> {
    let words = reader.language;
    let wanted = params.one_of("verdict", &Verdict::ALL.map(|one| (one.name(), one)))?;
    let claims: Vec<(Claim, Option<Verdict>)> = api::built_in()?
        .into_iter()
        .map(|claim| {
            let verdict = published_verdict(&claim.id);
            (claim, verdict)
        })
        .collect();
    // Quoted texts are not translated.
    let english = if words == Language::English {
        String::new()
    } else {
        format!(" {}", words.text("claims-english"))
    };
    let mut body = format!(
        "<main id=\"main\" tabindex=\"-1\"><h1>{}</h1><p class=\"lead\">{}{english}</p>{}<p class=\"tools\">",
        words.text("claims"),
        words.text("claims-note"),
        form(explorer, reader, "")
    );
    let filters = std::iter::once(None).chain(Verdict::ALL.map(Some));
    for filter in filters {
        let of_it = |known: &Option<Verdict>| filter.is_none() || *known == filter;
        let count = claims.iter().filter(|(_, known)| of_it(known)).count();
        if count == 0 {
            continue;
        }
        let own = filter.map(|verdict| ("verdict", verdict.name()));
        let text = filter.map_or("claims-all", |verdict| badge(verdict).0);
        let current = if filter == wanted {
            " aria-current=\"true\""
        } else {
            ""
        };
        let _ = write!(
            body,
            "<a href=\"{}\"{current}>{} {count}</a>",
            escaped(&reader.address(explorer, "/claims", own.as_slice())),
            words.text(text)
        );
    }
    body.push_str("</p><ol class=\"claims\">");
    for (claim, verdict) in &claims {
        if wanted.is_some() && *verdict != wanted {
            continue;
        }
        let path = format!("/claims/{}", claim.id);
        let badge = verdict.map_or_else(String::new, |verdict| {
            let (key, class) = badge(verdict);
            format!("<span class=\"tag {class}\">{}</span> ", words.text(key))
        });
        let _ = write!(
            body,
            "<li value=\"{}\">{badge}<a lang=\"en\" href=\"{}\">{}</a> <small lang=\"en\">{}</small></li>",
            escaped(&claim.id.to_string()),
            escaped(&reader.address(explorer, &path, &[])),
            escaped(&claim.text),
            escaped(&claim.source)
        );
    }
    body.push_str("</ol></main>");
    let own = wanted.map(|verdict| ("verdict", verdict.name()));
    Ok(frame::answer(
        explorer,
        reader,
        words.text("claims"),
        Some(("/claims", own.as_slice())),
        &body,
    ))
}

/// The field for a claim of one's own.
fn form(explorer: &Explorer, reader: &Reader, claim: &str) -> String {
    let words = reader.language;
    format!(
        "<form class=\"open\" action=\"{}/claims/own\" method=\"get\"><label for=\"claim\">{} <small>{}</small>\
         </label><input id=\"claim\" name=\"claim\" required value=\"{}\" autocomplete=\"off\" \
         spellcheck=\"false\" placeholder=\"classic-3x3 none: value = draw\">{}<button>{}</button></form>",
        escaped(&explorer.base),
        words.text("own-claim"),
        words.text("own-claim-note"),
        escaped(claim),
        home::kept(reader),
        words.text("own-claim-ask")
    )
}

/// One claim, settled.
pub(super) async fn one(
    explorer: &Arc<Explorer>,
    reader: &Reader,
    id: &str,
    params: &Params,
    client: Client,
) -> Result<RouteAnswer, Problem> {
    let words = reader.language;
    let own = params.text("claim").filter(|_| id == "own");
    let found = match &own {
        Some(_) => api::asked_claims(explorer, params)?.into_iter().next(),
        None => {
            let mut claims = api::built_in()?.into_iter();
            claims.find(|claim| claim.id.to_string() == id)
        }
    };
    let claim = found.ok_or_else(|| Problem::not_found(messages::claim_unknown(id)))?;
    let settled = api::settled(explorer, vec![claim], client, time_of(params, explorer)?).await?;
    let Some((claim, settled)) = settled.first() else {
        return Err(Problem::not_found(format!("no claim '{id}'")));
    };
    let verdict = words.text(badge(settled.verdict).0);
    let mut body = format!(
        "<main id=\"main\" tabindex=\"-1\"><p class=\"turn\"><span class=\"tag {}\">{verdict}</span></p>\
         <h1 lang=\"en\">{}</h1><p class=\"lead\" lang=\"en\">{}</p><p lang=\"en\"><small>{}</small></p>",
        badge(settled.verdict).1,
        escaped(&claim.text),
        escaped(&settled.evidence),
        escaped(&claim.source)
    );
    if let Some(witness) = &settled.witness {
        let shown = escaped(witness);
        let _ = match address(explorer, reader, claim, witness) {
            Some(address) => write!(
                body,
                "<p>{} <a data-tool=\"witness\" href=\"{}\">{shown}</a></p>",
                words.text("witness"),
                escaped(&address)
            ),
            None => write!(body, "<p>{} {shown}</p>", words.text("witness")),
        };
    }
    if let Some(own) = &own {
        body.push_str(&form(explorer, reader, own));
    }
    let _ = write!(
        body,
        "<p><a href=\"{}\">{}</a></p></main>",
        escaped(&reader.address(explorer, "/claims", &[])),
        words.text("claims")
    );
    let path = format!("/claims/{id}");
    let own: Vec<(&str, &str)> = own.iter().map(|text| ("claim", text.as_str())).collect();
    Ok(frame::answer(
        explorer,
        reader,
        verdict,
        Some((&path, &own)),
        &body,
    ))
}

/// The address of the position or the play that a witness is, if it is either.
fn address(explorer: &Explorer, reader: &Reader, claim: &Claim, witness: &str) -> Option<String> {
    let test = claim.first_test()?;
    let name = &test.variant;
    // Nothing is read from files here.
    let mut variant = (*explorer.variant(name).ok()?).clone();
    if let Some(lights) = test.lights {
        variant = variant.with_lights(lights).ok()?;
    }
    let reader = Reader {
        lights: test.lights,
        ..reader.clone()
    };
    let fits = |place: Place<'_>| with_game!(&variant, game => place.find(game).is_ok());
    let path = format!("/{name}");
    if fits(Place::at(witness)) {
        return Some(reader.address(explorer, &path, &[("position", witness)]));
    }
    let moves = witness.replace(' ', ",");
    let place = Place {
        position: None,
        moves: Some(witness),
    };
    fits(place).then(|| reader.address(explorer, &path, &[("moves", &moves)]))
}
