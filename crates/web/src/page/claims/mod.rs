//! Claims: what can be read about the games, and what comes of it, with the positions that show it.

mod choices;
mod found;

use std::fmt::Write;
use std::sync::Arc;
use std::time::Duration;

use greenwave_game::Variant;
use greenwave_judge::claims::{Basis, Claim, ClaimResult, Test, Verdict, published_verdict};
use greenwave_picture::escaped;
use greenwave_tablebase::Place;
use greenwave_words::Language;

use crate::api;
use crate::explorer::{Client, Explorer};
use crate::messages;
use crate::page::reader::Reader;
use crate::page::{board, frame, titles};
use crate::params::Params;
use crate::problem::Problem;
use crate::question::time_of;
use crate::routes::RouteAnswer;
use choices::ClaimChoices;
use found::{evidence, expressions};

/// How long the page of a claim waits for its evidence, where its verdict is published.
const SOON: Duration = Duration::from_millis(300);

/// Claims that a reader can try, each with the key of its sentence: one of each kind of game in which play can be
/// followed to its end.
const EXAMPLES: [(&str, &str); 6] = [
    ("classic-3x3 none: value = draw", "claim-none-drawn"),
    ("signal-3x3 some: distance > 17", "claim-some-farther"),
    ("green-3x3 some: distance = 21", "claim-some-far"),
    ("points-3x3 all: points > 0", "claim-all-ahead"),
    ("noughts-3x4 some: value = loss", "claim-some-lost"),
    ("ampel-4-2-1 none: value = draw", "claim-none-drawn"),
];

/// The sign of a verdict, the key of its name, and its look.
fn badge(verdict: Verdict) -> (char, &'static str, &'static str) {
    match verdict {
        Verdict::True => ('\u{2713}', "verdict-true", "win"),
        Verdict::False => ('\u{2715}', "verdict-false", "loss"),
        Verdict::Unknown => ('?', "verdict-unknown", "draw"),
        Verdict::NotCheckable => ('\u{2013}', "verdict-not-checkable", "draw"),
    }
}

/// A verdict as a badge: its sign and its name.
fn tag(words: Language, verdict: Verdict) -> String {
    let (sign, key, class) = badge(verdict);
    format!(
        "<span class=\"tag {class}\"><span aria-hidden=\"true\">{sign}</span> {}</span>",
        words.text(key)
    )
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
    // Sources are not translated.
    let english = if words == Language::English {
        String::new()
    } else {
        format!(" {}", words.text("claims-english"))
    };
    let find = params.text("find").unwrap_or_default();
    let lower = find.to_lowercase().replace('\u{d7}', "x");
    let is_found = |claim: &Claim| {
        let games = claim.first_test().map(|test| test.variant.as_str());
        let here = words.claim(&claim.id.to_string());
        let source_here = source(words, claim).text;
        let texts = [
            Some(&*claim.text),
            here,
            Some(&*claim.source),
            Some(&*source_here),
            games,
        ];
        let mut texts = texts.into_iter().flatten();
        texts.any(|text| text.to_lowercase().contains(&lower))
    };
    let mut claims: Vec<_> = claims
        .into_iter()
        .filter(|(claim, _)| is_found(claim))
        .collect();
    // Those that can be checked come first.
    claims.sort_by_key(|(_, verdict)| *verdict == Some(Verdict::NotCheckable));
    let mut body = format!(
        "<main id=\"main\" tabindex=\"-1\"><h1>{}</h1><p class=\"lead\">{}{english}</p>\
         {}<div class=\"finding\"><p class=\"tools\">",
        words.text("claims"),
        words.text("claims-note"),
        form(explorer, reader, "", None, false)
    );
    let own = |verdict: Option<Verdict>| {
        let found = (!find.is_empty()).then_some(("find", find.as_str()));
        let verdict = verdict.map(|verdict| ("verdict", verdict.name()));
        verdict.into_iter().chain(found).collect::<Vec<_>>()
    };
    let filters = std::iter::once(None).chain(Verdict::ALL.map(Some));
    for filter in filters {
        let of_it = |known: &Option<Verdict>| filter.is_none() || *known == filter;
        let count = claims.iter().filter(|(_, known)| of_it(known)).count();
        if count == 0 && filter != wanted {
            continue;
        }
        let (sign, text) = filter.map_or((String::new(), "claims-all"), |verdict| {
            let (sign, key, _) = badge(verdict);
            (format!("<span aria-hidden=\"true\">{sign}</span> "), key)
        });
        let current = if filter == wanted {
            " aria-current=\"true\""
        } else {
            ""
        };
        let _ = write!(
            body,
            "<a href=\"{}\"{current}>{sign}{} <small>{count}</small></a>",
            escaped(&reader.address(explorer, "/claims", &own(filter))),
            words.text(text)
        );
    }
    let _ = write!(
        body,
        "</p><form class=\"open\" action=\"{}/claims\" method=\"get\"><label class=\"unseen\" for=\"find\">{label}\
         </label><input id=\"find\" name=\"find\" value=\"{}\" placeholder=\"{label}\" autocomplete=\"off\">{}{}\
         <button>{}</button></form></div><ol class=\"claims\">",
        escaped(&explorer.base),
        escaped(&find),
        wanted.map_or_else(String::new, |verdict| format!(
            "<input type=\"hidden\" name=\"verdict\" value=\"{}\">",
            verdict.name()
        )),
        reader.hidden_fields(),
        words.text("filter"),
        label = words.text("claims-find"),
    );
    for (claim, verdict) in &claims {
        if wanted.is_some() && *verdict != wanted {
            continue;
        }
        let path = format!("/claims/{}", claim.id);
        let badge = verdict.map_or_else(
            || "<span></span>".to_string(),
            |verdict| tag(words, verdict),
        );
        let _ = write!(
            body,
            "<li><span class=\"number\">{}</span> {badge} <div>{} {}{}</div></li>",
            escaped(&claim.id.to_string()),
            statement(words, claim).element(
                "a",
                &format!(
                    " href=\"{}\"",
                    escaped(&reader.address(explorer, &path, &[]))
                )
            ),
            source(words, claim).element("small", ""),
            reading(words, claim).map_or_else(String::new, |reading| reading.element("small", ""))
        );
    }
    body.push_str("</ol>");
    if claims
        .iter()
        .all(|(_, verdict)| wanted.is_some() && *verdict != wanted)
    {
        let _ = write!(body, "<p role=\"status\">{}</p>", words.text("claims-none"));
    }
    body.push_str("</main>");
    let own = own(wanted);
    Ok(frame::answer(
        explorer,
        reader,
        words.text("claims"),
        Some(("/claims", &own)),
        &body,
    ))
}

/// Sentences to fill in for a claim of one's own, and the field in which to write one; folded above a list.
fn form(
    explorer: &Explorer,
    reader: &Reader,
    claim: &str,
    chosen: Option<&ClaimChoices>,
    is_open: bool,
) -> String {
    let words = reader.language;
    let open = |is_open: bool| if is_open { " open" } else { "" };
    let mut html = format!(
        "<details class=\"part own-claim\"{}><summary><h2>{}</h2></summary>{}<details{}><summary>{}</summary>\
         <form class=\"open\" action=\"{}/claims/own\" method=\"get\">\
         <label for=\"claim\">{}</label><input id=\"claim\" name=\"claim\" required value=\"{}\" \
         autocomplete=\"off\" autocapitalize=\"none\" spellcheck=\"false\" placeholder=\"{}\">{}<button>{}</button>\
         </form><p>{}</p><ul class=\"examples\">",
        open(is_open),
        words.text("own-claim"),
        choices::forms(explorer, reader, chosen),
        open(!claim.is_empty()),
        words.text("own-claim-write"),
        escaped(&explorer.base),
        words.text("own-claim-note"),
        escaped(claim),
        EXAMPLES[0].0,
        reader.hidden_fields(),
        words.text("own-claim-ask"),
        words.text("own-claim-examples"),
    );
    for (example, key) in EXAMPLES {
        let game = example.split(' ').next().unwrap_or(example);
        let _ = write!(
            html,
            "<li><span>{}</span> <div><a rel=\"nofollow\" href=\"{}\">{}</a> <small><code>{}</code></small></div></li>",
            escaped(&titles::title(explorer, words, game)),
            escaped(&reader.address(explorer, "/claims/own", &[("claim", example)])),
            escaped(words.text(key)),
            escaped(example)
        );
    }
    html + "</ul></details></details>"
}

/// The form with what a request fills in, as far as it can be read.
pub(super) fn form_again(explorer: &Explorer, reader: &Reader, params: &Params) -> String {
    let claim = params.text("claim").unwrap_or_default();
    let chosen = ClaimChoices::read(explorer, params).ok().flatten();
    form(explorer, reader, &claim, chosen.as_ref(), true)
}

/// A text in the language of the page, or in English.
struct PageText {
    text: String,
    is_english: bool,
}

impl PageText {
    fn here(text: &str) -> PageText {
        PageText {
            text: sized(text),
            is_english: false,
        }
    }

    fn english(text: &str) -> PageText {
        PageText {
            is_english: true,
            ..PageText::here(text)
        }
    }

    /// An element with the text, which says where it is in English.
    fn element(&self, name: &str, attributes: &str) -> String {
        let lang = if self.is_english { " lang=\"en\"" } else { "" };
        format!("<{name}{attributes}{lang}>{}</{name}>", escaped(&self.text))
    }
}

/// A text with the sign of multiplication in sizes, such as 3×4; names of games, such as `classic-3x4`, stay as
/// they are written.
fn sized(text: &str) -> String {
    let mut before = [' '; 2];
    let mut letters = text.chars().peekable();
    let mut sized = String::with_capacity(text.len() + 2);
    while let Some(letter) = letters.next() {
        let is_between = before[1].is_ascii_digit() && !['-', ':', '='].contains(&before[0]);
        let follows = letters.peek().is_some_and(char::is_ascii_digit);
        let is_sign = letter == 'x' && is_between && follows;
        sized.push(if is_sign { '\u{d7}' } else { letter });
        before = [before[1], letter];
    }
    sized
}

/// A text of a built-in claim in the language of the page, by its key.
fn translated(words: Language, key: &str, english: &str) -> PageText {
    let here = words.claim(key);
    here.map_or_else(|| PageText::english(english), PageText::here)
}

/// What a claim says.
fn statement(words: Language, claim: &Claim) -> PageText {
    translated(words, &claim.id.to_string(), &claim.text)
}

/// Where a claim was read: titles stay as they are, and what is said about them is translated.
fn source(words: Language, claim: &Claim) -> PageText {
    translated(words, &format!("{}-source", claim.id), &claim.source)
}

/// In what sense a claim is settled.
fn reading(words: Language, claim: &Claim) -> Option<PageText> {
    let note = claim.note.as_ref()?;
    let mut read = translated(words, &format!("{}-note", claim.id), note);
    read.text = words.with("claim-read-as", &read.text);
    Some(read)
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
    let is_own = id == "own";
    let own = params.text("claim").filter(|_| is_own);
    let chosen = if is_own && own.is_none() {
        ClaimChoices::read(explorer, params)?
    } else {
        None
    };
    let mut written = None;
    if is_own && own.is_none() && chosen.is_none() {
        return Ok(own_claim(explorer, reader));
    }
    let found = match (&own, &chosen) {
        (Some(_), _) => api::asked_claims(explorer, params)?.into_iter().next(),
        (None, Some(choices)) => {
            let (claim, test) = choices.claim(explorer, reader)?;
            written = Some(test);
            Some(claim)
        }
        (None, None) => {
            let mut claims = api::built_in()?.into_iter();
            claims.find(|claim| claim.id.to_string() == id)
        }
    };
    let claim = found.ok_or_else(|| Problem::not_found(messages::claim_unknown(id)))?;
    // A verdict that is published is shown while its evidence is being worked out.
    let published = published_verdict(&claim.id).filter(|_| !explorer.in_folder);
    let client = published.map_or(client, |_| client.within(SOON, SOON));
    let coming = claim.clone();
    let settled = api::settled(explorer, vec![claim], client, time_of(params, explorer)?).await;
    let mut reader = reader.clone();
    let settled = settled.or_else(|problem| {
        reader.again = problem.retry_after();
        match published.filter(|_| reader.again.is_some()) {
            Some(verdict) => {
                let unproven = api::unknown(problem.message);
                let settled = ClaimResult {
                    verdict,
                    ..unproven
                };
                Ok(vec![(coming, Arc::new(settled))])
            }
            None => Err(problem),
        }
    })?;
    let reader = &reader;
    let Some((claim, settled)) = settled.first() else {
        return Err(Problem::not_found(format!("no claim '{id}'")));
    };
    let verdict = words.text(badge(settled.verdict).1);
    let said = words.text(match settled.verdict {
        Verdict::True => "claim-true",
        Verdict::False => "claim-false",
        Verdict::Unknown => "claim-unknown",
        Verdict::NotCheckable => "claim-not-checkable",
    });
    let sentence = match &chosen {
        Some(choices) => PageText::here(&choices.sentence(explorer, words)),
        None => statement(words, claim),
    };
    let translated = match &claim.basis {
        Basis::Tests(_) if reader.again.is_some() => {
            Some(words.text("claim-evidence-coming").into())
        }
        Basis::NotCheckable(_) => words
            .claim(&format!("{}-reason", claim.id))
            .map(String::from),
        Basis::Tests(tests) => evidence(explorer, words, tests, &settled.evidence),
    };
    let evidence = match &translated {
        Some(text) => PageText::here(text),
        None => PageText::english(settled.evidence.english()),
    };
    // Who wrote a claim as a formula reads what game it is about.
    let title = match (&own, claim.first_test()) {
        (Some(_), Some(test)) => PageText::here(&titles::title(explorer, words, &test.variant)),
        (_, _) => sentence,
    };
    let formulas = match &own {
        Some(text) => vec![text.as_str()],
        None => expressions(&settled.evidence),
    };
    let formulas = formulas
        .iter()
        .map(|text| format!("<pre><code>{}</code></pre>", escaped(text)));
    let formulas: String = formulas.collect();
    let formulas = if formulas.is_empty() {
        formulas
    } else {
        format!(
            "<details{}><summary>{}</summary>{formulas}</details>",
            if own.is_some() { " open" } else { "" },
            words.text("claim-formula")
        )
    };
    let mut body = format!(
        "<main id=\"main\" tabindex=\"-1\" class=\"claim\"{}><p class=\"turn\">{}</p>{}\
         <p class=\"verdict\">{said}</p>{}",
        frame::again(reader),
        tag(words, settled.verdict),
        title.element("h1", ""),
        evidence.element("p", " class=\"details\""),
    );
    if let Some(reading) = reading(words, claim) {
        body.push_str(&reading.element("p", ""));
    }
    // Those who look for the source read its words.
    if !is_own && !title.is_english && words != Language::English {
        let _ = write!(
            body,
            "<p>{}</p>{}",
            words.text("claim-in-english"),
            PageText::english(&claim.text).element("blockquote", "")
        );
    }
    if !claim.source.is_empty() {
        let _ = write!(body, "<p>{}</p>", source(words, claim).element("small", ""));
    }
    if let Some(witness) = &settled.witness {
        let shown = escaped(witness);
        let tests: &[Test] = match &claim.basis {
            Basis::Tests(tests) => tests,
            Basis::NotCheckable(_) => &[],
        };
        // It is of the test that was decided last.
        let mut last_first = tests.iter().rev();
        let found = last_first.find_map(|test| shown_witness(explorer, reader, test, witness));
        let _ = match found {
            Some(found) => write!(body, "{found}"),
            None => write!(body, "<p>{} {shown}</p>", words.text("witness")),
        };
    }
    body.push_str(&formulas);
    if let Some(test) = &written {
        let _ = write!(
            body,
            "<details><summary>{}</summary><pre><code>{}</code></pre></details>",
            words.text("own-claim-file"),
            escaped(test)
        );
    }
    if is_own {
        let text = own.as_deref().unwrap_or_default();
        body.push_str(&form(explorer, reader, text, chosen.as_ref(), true));
    }
    let _ = write!(
        body,
        "<p class=\"tools\"><a href=\"{}\">{}</a>{}</p></main>",
        escaped(&reader.address(explorer, "/claims", &[])),
        words.text("claims"),
        neighbours(explorer, reader, id)?
    );
    let path = format!("/claims/{id}");
    let parameters = chosen
        .as_ref()
        .map(ClaimChoices::parameters)
        .unwrap_or_default();
    let filled = parameters
        .iter()
        .map(|(name, value)| (*name, value.as_str()));
    let typed = own.iter().map(|text| ("claim", text.as_str()));
    let here: Vec<(&str, &str)> = typed.chain(filled).collect();
    let summarised = Reader {
        summary: Some(format!("{said}. {}", evidence.text)),
        ..reader.clone()
    };
    Ok(frame::answer(
        explorer,
        &summarised,
        &format!("{} \u{2013} {verdict}", title.text),
        Some((&path, &here)),
        &body,
    ))
}

/// The form for a claim of one's own, before there is one.
fn own_claim(explorer: &Explorer, reader: &Reader) -> RouteAnswer {
    let words = reader.language;
    let body = format!(
        "<main id=\"main\" tabindex=\"-1\"><h1>{}</h1>{}<p class=\"tools\"><a href=\"{}\">{}</a></p></main>",
        words.text("claims"),
        form(explorer, reader, "", None, true),
        escaped(&reader.address(explorer, "/claims", &[])),
        words.text("claims"),
    );
    let here = Some(("/claims/own", &[] as &[(&str, &str)]));
    frame::answer(explorer, reader, words.text("own-claim"), here, &body)
}

/// Links to the built-in claims before and after one.
fn neighbours(explorer: &Explorer, reader: &Reader, id: &str) -> Result<String, Problem> {
    let claims = api::built_in()?;
    let ids: Vec<String> = claims.iter().map(|claim| claim.id.to_string()).collect();
    let Some(place) = ids.iter().position(|one| one == id) else {
        return Ok(String::new());
    };
    let before = place.checked_sub(1).and_then(|before| ids.get(before));
    let link = |id: &String, rel: &str, [before, after]: [&str; 2]| {
        format!(
            " <a rel=\"{rel}\" href=\"{}\">{before}{}{after}</a>",
            escaped(&reader.address(explorer, &format!("/claims/{id}"), &[])),
            escaped(&reader.language.with("claim-number", id))
        )
    };
    let before = before.map(|id| link(id, "prev", ["\u{2039} ", ""]));
    let after = ids
        .get(place + 1)
        .map(|id| link(id, "next", ["", " \u{203a}"]));
    Ok(before.into_iter().chain(after).collect())
}

/// The game of a test. Nothing is read from files here.
fn variant_of(explorer: &Explorer, test: &Test) -> Option<Variant> {
    let variant = (*explorer.variant(&test.variant).ok()?).clone();
    match test.lights {
        Some(lights) => variant.with_lights(lights).ok(),
        None => Some(variant),
    }
}

/// The position or the play that a witness is, as a board, if it is either.
fn shown_witness(
    explorer: &Explorer,
    reader: &Reader,
    test: &Test,
    witness: &str,
) -> Option<String> {
    let variant = variant_of(explorer, test)?;
    let reader = Reader {
        lights: test.lights,
        ..reader.clone()
    };
    let path = format!("/{}", test.variant);
    let moves = witness.replace(' ', ",");
    let played = Place {
        position: None,
        moves: Some(witness),
    };
    let at_position = Place::at(witness).find(&variant);
    let (at, own) = match at_position {
        Ok(at) => (at, ("position", witness)),
        Err(_) => (played.find(&variant).ok()?, ("moves", moves.as_str())),
    };
    let address = reader.address(explorer, &path, &[own]);
    let words = reader.language;
    Some(board::linked(
        words,
        words.text("witness"),
        &variant,
        &at,
        &address,
    ))
}

#[cfg(test)]
mod tests {
    use greenwave_game::Variant;
    use greenwave_judge::claims::read_one_line;

    use super::*;

    /// The failure names the language and the keys.
    #[test]
    fn every_language_has_every_built_in_claim_and_no_other() {
        let mut expected = std::collections::BTreeSet::new();
        for claim in api::built_in().ok().unwrap() {
            expected.insert(claim.id.to_string());
            if let Basis::NotCheckable(_) = claim.basis {
                expected.insert(format!("{}-reason", claim.id));
            }
            expected.extend(claim.note.map(|_| format!("{}-note", claim.id)));
            // A source that is a title alone is no text of ours.
            let source = format!("{}-source", claim.id);
            expected.extend(Language::German.claim(&source).map(|_| source));
        }
        for language in [Language::Portuguese, Language::Spanish, Language::German] {
            let keys = language.claims().map(|(key, _)| key.to_string());
            let keys: std::collections::BTreeSet<String> = keys.collect();
            let wrong: Vec<_> = keys.symmetric_difference(&expected).collect();
            assert!(wrong.is_empty(), "{language:?}: {wrong:?}");
        }
    }

    #[test]
    fn examples_are_claims_about_families_each_its_own() {
        let families: Vec<&str> = EXAMPLES
            .iter()
            .map(|(text, _)| {
                let claim = read_one_line(text, &Ok).unwrap().unwrap();
                let variant = Variant::parse(&claim.first_test().unwrap().variant).unwrap();
                variant.rules().family.name
            })
            .collect();
        let distinct: std::collections::BTreeSet<&str> = families.iter().copied().collect();
        assert_eq!(distinct.len(), EXAMPLES.len(), "{families:?}");
    }
}
