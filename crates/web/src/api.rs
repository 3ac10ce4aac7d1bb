//! Answers for programs: the documents of the commands, under addresses.

mod openapi;

use std::net::IpAddr;
use std::sync::Arc;

use greenwave_game::Variant;
use greenwave_picture::{ENGLISH, Picture, Scheme, describe};
use greenwave_tablebase::{Place, SourceKind, Tablebase, read_board};
use serde::Serialize;

use crate::explorer::Explorer;
use crate::params::Params;
use crate::problem::Problem;
use crate::question::Question;
use crate::routes::{Answered, Kind, json_text};
use crate::view::View;

/// What can be asked, and the parameters of each question.
pub(crate) const QUESTIONS: [(&str, &str, &[&str]); 7] = [
    (
        "variants",
        "The catalogue of variants, and what is solved",
        &["lang"],
    ),
    (
        "query",
        "The value of a position and of every move",
        &["variant", "position", "moves", "colours", "budget", "lang"],
    ),
    (
        "line",
        "Best play by both sides to the end",
        &["variant", "position", "moves", "colours", "budget", "lang"],
    ),
    (
        "rules",
        "The rules of a variant in words, and its options",
        &["variant", "lang"],
    ),
    (
        "stats",
        "The positions of a variant counted by value and distance",
        &["variant", "budget", "lang"],
    ),
    (
        "sum",
        "The winning moves where several boards are played at once",
        &["boards", "colours", "lang"],
    ),
    (
        "draw.svg",
        "A picture of a position",
        &["variant", "position", "moves", "colours", "lang"],
    ),
];

/// The answer to a question by name.
pub(crate) async fn answer(
    explorer: &Arc<Explorer>,
    name: &str,
    params: &Params,
    client: IpAddr,
) -> Result<Answered, Problem> {
    if name == "openapi.json" {
        return Ok(document(&openapi::description(explorer)));
    }
    let Some((name, _, allowed)) = QUESTIONS.iter().find(|(known, ..)| *known == name) else {
        let names: Vec<&str> = QUESTIONS.iter().map(|(name, ..)| *name).collect();
        return Err(Problem::not_found(format!(
            "nothing is at '/api/v1/{name}'; there are {} and openapi.json",
            names.join(", ")
        )));
    };
    params.only(allowed)?;
    if *name == "variants" {
        return explorer
            .work(client, false, |_, tablebase| {
                Ok(document(&tablebase.variants()?))
            })
            .await;
    }
    if *name == "sum" {
        return sum(explorer, params, client).await;
    }
    let asked = params.get("variant").unwrap_or("");
    if asked.is_empty() {
        return Err(Problem::input(
            "found no variant, expected for example variant=classic-3x3",
        ));
    }
    let question = Question::read(explorer, asked, params)?;
    match *name {
        "rules" => Ok(document(&rules(&question))),
        "draw.svg" => draw(&question),
        "line" => {
            let computes = question.computes(&explorer.settings.tablebase);
            explorer
                .work(client, computes, move |_, tablebase| {
                    line(tablebase, &question)
                })
                .await
        }
        "stats" => {
            let computes = question.computes(&explorer.settings.tablebase);
            explorer
                .work(client, computes, move |_, tablebase| {
                    Ok(document(&tablebase.stats(&question.variant, None)?))
                })
                .await
        }
        _ => {
            let computes = question.computes(&explorer.settings.tablebase);
            explorer
                .work(client, computes, move |_, tablebase| {
                    query(tablebase, &question)
                })
                .await
        }
    }
}

/// Most boards of a sum.
const BOARDS: usize = 64;

/// Boards are parted by blanks, each `VARIANT` or `VARIANT=POSITION`.
async fn sum(
    explorer: &Arc<Explorer>,
    params: &Params,
    client: IpAddr,
) -> Result<Answered, Problem> {
    let list = params.text("boards").unwrap_or_default();
    let mut boards = Vec::new();
    for text in list.split_whitespace() {
        let (name, position) = read_board(text);
        let variant = explorer.variant(name)?;
        let colours = Explorer::colours(&variant, params.get("colours"))?;
        boards.push(((*variant).clone(), position.map(str::to_string), colours));
    }
    if boards.is_empty() || boards.len() > BOARDS {
        return Err(Problem::input(format!(
            "found {} boards, expected 1 to {BOARDS}, such as boards=classic-3x3+classic-3x3=R../.Y./..G",
            boards.len()
        )));
    }
    let tablebase = &explorer.settings.tablebase;
    let computes = !boards
        .iter()
        .all(|(variant, ..)| tablebase.is_at_hand(variant));
    explorer
        .work(client, computes, move |_, tablebase| {
            let places: Vec<(Variant, Place<'_>)> = boards
                .iter()
                .map(|(variant, position, colours)| {
                    let place = Place {
                        position: position.as_deref(),
                        moves: None,
                        colours: *colours,
                    };
                    (variant.clone(), place)
                })
                .collect();
            Ok(document(&tablebase.sum(&places)?))
        })
        .await
}

fn document<T: Serialize>(document: &T) -> Answered {
    Answered {
        kind: Kind::Json,
        body: json_text(document),
        signature: None,
    }
}

fn query(tablebase: &Tablebase, question: &Question) -> Result<Answered, Problem> {
    let answer = tablebase.query_at(&question.variant, &question.place(), &question.options())?;
    let from_table = answer.source.kind == SourceKind::Table;
    Ok(Answered {
        signature: answer.source.signature.clone().filter(|_| from_table),
        ..document(&answer)
    })
}

fn line(tablebase: &Tablebase, question: &Question) -> Result<Answered, Problem> {
    Ok(document(
        &tablebase.line(&question.variant, &question.place())?,
    ))
}

fn draw(question: &Question) -> Result<Answered, Problem> {
    let view = View::new(question, None, false)?;
    let description = describe(&view.diagram, question.colours, &[], &ENGLISH);
    let mut picture = Picture::new(&view.diagram, question.colours, &question.name);
    picture.description = &description;
    picture.scheme = Scheme::Auto;
    Ok(Answered {
        kind: Kind::Svg,
        body: picture.svg(),
        signature: None,
    })
}

#[derive(Serialize)]
struct Rules {
    schema: u32,
    variant: String,
    text: String,
    options: Vec<Setting>,
    canonical: String,
    rules_hash: String,
}

#[derive(Serialize)]
struct Setting {
    key: &'static str,
    value: String,
    default: String,
    allowed: String,
}

fn rules(question: &Question) -> Rules {
    let rules = question.variant.rules();
    let settings = rules.options.iter().map(|setting| Setting {
        key: setting.key,
        value: setting.value.clone(),
        default: setting.default.clone(),
        allowed: setting.allowed.clone(),
    });
    Rules {
        schema: 1,
        variant: rules.name.clone(),
        text: question.variant.in_words(),
        options: settings.collect(),
        canonical: rules.canonical.clone(),
        rules_hash: rules.hash.to_string(),
    }
}
