//! Answers for programs: the documents of the commands, under addresses.

mod judged;
mod openapi;
mod played;

use std::net::IpAddr;
use std::sync::Arc;

use greenwave_game::{Colours, Variant};
use greenwave_picture::{ENGLISH, Picture, Scheme, describe};
use greenwave_tablebase::{Place, SourceKind, Sum, Tablebase, read_board};
use serde::Serialize;

use crate::explorer::Explorer;
use crate::params::Params;
use crate::problem::Problem;
use crate::question::Question;
use crate::routes::{Answered, Kind, json_text};
use crate::view::View;

pub(crate) use judged::{built_in, compared, settled};
pub(crate) use played::{options as puzzle_options, sought};

/// A question that programs can ask.
pub(crate) struct Asked {
    pub(crate) name: &'static str,
    pub(crate) summary: &'static str,
    /// Parameters that have to be given.
    pub(crate) needed: &'static [&'static str],
    /// Parameters that may be given.
    pub(crate) allowed: &'static [&'static str],
}

impl Asked {
    const fn new(
        name: &'static str,
        summary: &'static str,
        needed: &'static [&'static str],
        allowed: &'static [&'static str],
    ) -> Asked {
        Asked {
            name,
            summary,
            needed,
            allowed,
        }
    }

    /// The kind of its answer.
    pub(crate) fn kind(&self) -> Kind {
        match self.name {
            "draw.svg" => Kind::Svg,
            "find" | "puzzle" | "play" => Kind::Lines,
            _ => Kind::Json,
        }
    }
}

/// What can be asked, and the parameters of each question.
pub(crate) const QUESTIONS: [Asked; 13] = [
    Asked::new(
        "variants",
        "The catalogue of variants, and what is solved",
        &[],
        &["lang"],
    ),
    Asked::new(
        "query",
        "The value of a position and of every move",
        &["variant"],
        &["position", "moves", "colours", "budget", "lang"],
    ),
    Asked::new(
        "line",
        "Best play by both sides to the end",
        &["variant"],
        &["position", "moves", "colours", "budget", "lang"],
    ),
    Asked::new(
        "rules",
        "The rules of a variant in words, and its options",
        &["variant"],
        &["lang"],
    ),
    Asked::new(
        "stats",
        "The positions of a variant counted by value and distance",
        &["variant"],
        &["budget", "lang"],
    ),
    Asked::new(
        "find",
        "Positions that an expression describes, one a line, and in the last line how many there are",
        &["variant", "expression"],
        &[
            "fields",
            "limit",
            "sample",
            "seed",
            "count",
            "up-to-symmetry",
            "colours",
            "lang",
        ],
    ),
    Asked::new(
        "check",
        "Claims settled, with evidence; those that take too long are left unknown",
        &[],
        &["claim", "list", "lang"],
    ),
    Asked::new("compare", "Variants side by side", &["variants"], &["lang"]),
    Asked::new(
        "review",
        "A game gone through: what every move was worth, and where it was lost",
        &["variant", "moves"],
        &["position", "colours", "budget", "lang"],
    ),
    Asked::new(
        "puzzle",
        "Positions with one move that wins, or saves a draw, one a line",
        &["variant"],
        &["count", "seed", "level", "lang"],
    ),
    Asked::new(
        "play",
        "The move that the program makes, and in a line of its own the result if that ends the game",
        &["variant"],
        &[
            "position", "moves", "colours", "level", "seed", "budget", "lang",
        ],
    ),
    Asked::new(
        "sum",
        "The winning moves where several boards are played at once",
        &["boards"],
        &["colours", "lang"],
    ),
    Asked::new(
        "draw.svg",
        "A picture of a position",
        &["variant"],
        &["position", "moves", "colours", "lang"],
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
    let Some(asked) = QUESTIONS.iter().find(|asked| asked.name == name) else {
        let names: Vec<&str> = QUESTIONS.iter().map(|asked| asked.name).collect();
        return Err(Problem::not_found(format!(
            "nothing is at '/api/v1/{name}'; there are {} and openapi.json",
            names.join(", ")
        )));
    };
    params.only(&[asked.needed, asked.allowed].concat())?;
    if asked.needed.contains(&"variant") && params.get("variant").is_none_or(str::is_empty) {
        return Err(Problem::input(
            "found no variant, expected for example variant=classic-3x3",
        ));
    }
    let question = || {
        let name = params.get("variant").unwrap_or("");
        Question::read(explorer, name, params)
    };
    match asked.name {
        "variants" => {
            explorer
                .work(client, false, |_, tablebase| {
                    Ok(document(&tablebase.variants()?))
                })
                .await
        }
        "sum" => {
            let list = params.text("boards").unwrap_or_default();
            let boards = read_boards(explorer, &list, params)?;
            Ok(document(&summed(explorer, boards, client).await?))
        }
        "check" => judged::check(explorer, params, client).await,
        "compare" => judged::compare(explorer, params, client).await,
        "find" => judged::find(explorer, params, client).await,
        "review" => played::review(explorer, question()?, client).await,
        "puzzle" => played::puzzle(explorer, &question()?, params, client).await,
        "play" => played::play(explorer, question()?, params, client).await,
        "rules" => Ok(document(&rules(&question()?))),
        "draw.svg" => draw(&question()?),
        "line" => {
            let question = question()?;
            let variants = [question.variant.clone()];
            explorer.ready(&variants).await?;
            let computes = question.computes(&explorer.settings.tablebase);
            let answered = explorer
                .work(client, computes, move |_, tablebase| {
                    line(tablebase, &question)
                })
                .await?;
            Ok(from_tables(explorer, &variants, answered))
        }
        "stats" => {
            let question = question()?;
            let variants = [question.variant.clone()];
            explorer.ready(&variants).await?;
            let computes = question.computes(&explorer.settings.tablebase);
            let answered = explorer
                .work(client, computes, move |_, tablebase| {
                    Ok(document(&tablebase.stats(&question.variant, None)?))
                })
                .await?;
            Ok(from_tables(explorer, &variants, answered))
        }
        _ => {
            let question = hurried(explorer, question()?).await;
            let computes = question.computes(&explorer.settings.tablebase);
            explorer
                .work(client, computes, move |explorer, tablebase| {
                    query(explorer, tablebase, &question)
                })
                .await
        }
    }
}

/// A question that a search may answer; where its variant is being solved, the search takes less.
async fn hurried(explorer: &Arc<Explorer>, question: Question) -> Question {
    match explorer.soon(std::slice::from_ref(&question.variant)).await {
        Some(coming) => question.hurried(coming.patience),
        None => question,
    }
}

/// An answer that changes only with the tables of some variants, where they have tables.
fn from_tables(explorer: &Explorer, variants: &[Arc<Variant>], answered: Answered) -> Answered {
    Answered {
        signature: explorer.tables_of(variants),
        ..answered
    }
}

/// Most boards of a sum.
const BOARDS: usize = 64;

/// A board of a sum as it was asked for.
pub(crate) struct AskedBoard {
    pub(crate) variant: Arc<Variant>,
    position: Option<String>,
    colours: Colours,
}

/// Boards are parted by blanks, each `VARIANT` or `VARIANT=POSITION`.
pub(crate) fn read_boards(
    explorer: &Explorer,
    list: &str,
    params: &Params,
) -> Result<Vec<AskedBoard>, Problem> {
    let mut boards = Vec::new();
    for text in list.split_whitespace() {
        let (name, position) = read_board(text);
        let variant = explorer.variant(name)?;
        boards.push(AskedBoard {
            position: position.map(str::to_string),
            colours: Explorer::colours(&variant, params.get("colours"))?,
            variant,
        });
    }
    if boards.is_empty() || boards.len() > BOARDS {
        return Err(Problem::input(format!(
            "found {} boards, expected 1 to {BOARDS}, such as boards=classic-3x3+classic-3x3=R../.Y./..G",
            boards.len()
        )));
    }
    Ok(boards)
}

/// The value of several boards at once.
pub(crate) async fn summed(
    explorer: &Arc<Explorer>,
    boards: Vec<AskedBoard>,
    client: IpAddr,
) -> Result<Sum, Problem> {
    let variants: Vec<Arc<Variant>> = boards.iter().map(|board| board.variant.clone()).collect();
    explorer.ready(&variants).await?;
    let tablebase = &explorer.settings.tablebase;
    let computes = !variants.iter().all(|variant| tablebase.is_at_hand(variant));
    explorer
        .work(client, computes, move |_, tablebase| {
            let places: Vec<(Variant, Place<'_>)> = boards
                .iter()
                .map(|board| {
                    let place = Place {
                        position: board.position.as_deref(),
                        moves: None,
                        colours: board.colours,
                    };
                    ((*board.variant).clone(), place)
                })
                .collect();
            Ok(tablebase.sum(&places)?)
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

/// Documents, one a line.
fn lines<T: Serialize>(documents: impl IntoIterator<Item = T>) -> Answered {
    Answered {
        kind: Kind::Lines,
        body: documents.into_iter().map(|one| json_text(&one)).collect(),
        signature: None,
    }
}

fn query(
    explorer: &Explorer,
    tablebase: &Tablebase,
    question: &Question,
) -> Result<Answered, Problem> {
    let answer = tablebase.query_at(&question.variant, &question.place(), &question.options())?;
    let answered = document(&answer);
    Ok(match answer.source.kind {
        SourceKind::Table => {
            from_tables(explorer, std::slice::from_ref(&question.variant), answered)
        }
        SourceKind::Solved | SourceKind::Searched => answered,
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
