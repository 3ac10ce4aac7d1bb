//! Answers for programs: the documents of the commands, under addresses.

mod documents;
mod judged;
mod openapi;
mod played;
mod questions;
mod schemas;

use std::sync::Arc;
use std::time::Duration;

use greenwave_game::{Figures, Luck, Metric, Rules, Variant};
use greenwave_picture::{Picture, Scheme, Words, describe, film, value_tags};
use greenwave_tablebase::{
    Answer, Place, RulesPage, Stats, Sum, Tablebase, VariantEntry, misere_sum, read_board,
};
use greenwave_words::Language;

use crate::ahead::{MOMENT, PendingWork};
use crate::answer::{AnswerKind, RouteAnswer, json_text};
use crate::board_words::{lights, row_titles};
use crate::explorer::{Client, Demand, Explorer};
use crate::params::Params;
use crate::problem::Problem;
use crate::question::{Question, hurried_there, time_of};
use crate::view::View;
use crate::worked::{Computation, Patience};

use documents::{bettered, document, from_tables, lines};
use questions::{QUESTIONS, QuestionId};

pub(crate) use judged::{
    PositionSearch, asked_claims, built_in, compared, compared_names, found, settled, unknown,
};
pub(crate) use played::{no_puzzle, options as puzzle_options, side, sought, theme};

/// The answer to a question by name; without a name, what can be asked.
pub(crate) async fn answer(
    explorer: &Arc<Explorer>,
    name: &str,
    params: &Params,
    client: Client,
) -> Result<RouteAnswer, Problem> {
    if name.is_empty() {
        return Ok(document(&openapi::index(explorer)));
    }
    if name == "openapi.json" {
        return Ok(document(&openapi::description(explorer)));
    }
    if name == "schemas" {
        return Ok(schemas::index(explorer));
    }
    if let Some(file) = name.strip_prefix("schemas/") {
        return schemas::answer(file);
    }
    let Some(asked) = QUESTIONS.iter().find(|asked| asked.name == name) else {
        let names: Vec<&str> = QUESTIONS.iter().map(|asked| asked.name).collect();
        return Err(Problem::not_found(format!(
            "nothing is at '/api/v1/{name}'; there are {}, openapi.json and schemas",
            names.join(", ")
        )));
    };
    let allowed: Vec<&str> = asked.parameters().map(|parameter| parameter.name).collect();
    params.only(&allowed)?;
    if asked.needs("variant") && params.get("variant").is_none_or(str::is_empty) {
        return Err(Problem::input(
            "found no variant, expected for example variant=classic-3x3",
        ));
    }
    let language = language(params)?;
    params.lights()?;
    let question = || {
        let name = params.get("variant").unwrap_or("");
        Question::read(explorer, name, params)
    };
    match asked.id {
        QuestionId::Variants => {
            explorer
                .work(client, Demand::Nothing, |explorer, tablebase| {
                    let listed = tablebase.variants()?.into_iter();
                    Ok(lines(listed.map(|(entry, fault)| VariantEntry {
                        error: fault.map(|fault| {
                            explorer.tell_operator(&fault.to_string());
                            let told = fault.seen_from_afar().to_string();
                            explorer.without_folder(&told)
                        }),
                        ..entry
                    })))
                })
                .await
        }
        QuestionId::Sum => {
            let list = params.text("boards").unwrap_or_default();
            let boards = read_boards(explorer, &list, params)?;
            let variants: Vec<Arc<Variant>> =
                boards.iter().map(|one| one.variant.clone()).collect();
            let budget = time_of(params, explorer)?;
            if params.switch("misere", false)? {
                let work = Computation {
                    name: "the misere sum of these boards".into(),
                    options: options_of(&boards),
                    of_values: false,
                    patience: Patience::Whole,
                    variants,
                    kept: |explorer| &explorer.documents,
                    make: Arc::new(move |_: &Tablebase| {
                        Ok(json_text(&misere_sum(&places_of(&boards))?))
                    }),
                };
                let sum = explorer.worked_out(work, client, budget).await?;
                return Ok(RouteAnswer::new(AnswerKind::Json, (*sum).clone()));
            }
            let sum = summed(explorer, boards, client, budget).await?;
            Ok(from_tables(explorer, &variants, document(&*sum)))
        }
        QuestionId::Check => judged::check(explorer, params, client).await,
        QuestionId::Compare => judged::compare(explorer, params, client).await,
        QuestionId::Find => judged::find(explorer, params, client).await,
        QuestionId::Review => played::review(explorer, question()?, client).await,
        QuestionId::Book => played::book(explorer, question()?, params, client).await,
        QuestionId::Explain => played::explain(explorer, question()?, language, client).await,
        QuestionId::Puzzle => played::puzzle(explorer, &question()?, params, client).await,
        QuestionId::Play => played::play(explorer, question()?, params, client).await,
        QuestionId::Rules => Ok(document(&rules(explorer, &question()?, language))),
        QuestionId::Draw => draw(explorer, question()?, params, language, client).await,
        QuestionId::Line => line(explorer, &question()?, client).await,
        QuestionId::Stats => {
            let question = question()?;
            let metrics = metrics(params, question.variant.rules())?;
            let variants = [question.variant.clone()];
            let stats = counted(explorer, &question, metrics, client).await?;
            Ok(from_tables(explorer, &variants, document(&*stats)))
        }
        QuestionId::Query => {
            let interim = hurried_there(explorer, question()?, client, MOMENT).await;
            interim
                .answer_there(explorer, client, |explorer, tablebase, question, coming| {
                    query(explorer, tablebase, &question, coming)
                })
                .await
        }
    }
}

/// The language that is requested.
fn language(params: &Params) -> Result<Language, Problem> {
    match params.get("lang").filter(|lang| !lang.is_empty()) {
        Some(lang) => Ok(Language::named(lang)?),
        None => Ok(Language::English),
    }
}

/// The metrics that the parameter `metric` names, each once; `None` if it names none.
fn metrics(params: &Params, rules: &Rules) -> Result<Option<Vec<Metric>>, Problem> {
    let Some(list) = params.text("metric") else {
        return Ok(None);
    };
    let mut metrics: Vec<Metric> = Vec::new();
    for name in list.split([',', ' ']).filter(|name| !name.is_empty()) {
        let found = rules.metrics.iter().find(|metric| metric.name() == name);
        match found {
            _ if name == "all" => metrics.extend(&rules.metrics),
            Some(metric) => metrics.push(*metric),
            None => {
                let names: Vec<&str> = rules.metrics.iter().map(|metric| metric.name()).collect();
                let problem = format!(
                    "found '{name}', expected of {}: {}, several with commas between them, or all",
                    rules.title(),
                    names.join(", ")
                );
                return Err(Problem::wrong("metric", problem));
            }
        }
    }
    let mut seen = Vec::new();
    metrics.retain(|metric| {
        let is_new = !seen.contains(metric);
        seen.push(*metric);
        is_new
    });
    Ok((!metrics.is_empty()).then_some(metrics))
}

/// The positions of a variant counted.
pub(crate) async fn counted(
    explorer: &Arc<Explorer>,
    question: &Question,
    metrics: Option<Vec<Metric>>,
    client: Client,
) -> Result<Arc<Stats>, Problem> {
    let variant = question.variant.clone();
    let work = Computation {
        name: format!("the statistics of {}", variant.rules().title()),
        options: format!("{metrics:?}"),
        // Where chance takes part they are counted without values being kept.
        of_values: variant.rules().properties.luck == Luck::None,
        patience: Patience::Whole,
        variants: vec![variant.clone()],
        kept: |explorer| &explorer.stats,
        make: Arc::new(move |tablebase: &Tablebase| {
            Ok(tablebase.stats(&variant, metrics.as_deref())?)
        }),
    };
    let budget = question.time(explorer);
    explorer.worked_out(work, client, budget).await
}

/// Most boards of a sum.
const BOARDS: usize = 64;

/// A board of a sum as it was requested.
pub(crate) struct AskedBoard {
    pub(crate) variant: Arc<Variant>,
    position: Option<String>,
}

impl AskedBoard {
    fn place(&self) -> Place<'_> {
        Place {
            position: self.position.as_deref(),
            moves: None,
        }
    }
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
        let variant = explorer.variant_in(name, params)?;
        let board = AskedBoard {
            position: position.map(str::to_string),
            variant,
        };
        // A position that cannot be read is refused before any solve.
        board.place().find(&board.variant)?;
        boards.push(board);
    }
    if boards.is_empty() || boards.len() > BOARDS {
        return Err(Problem::input(format!(
            "found {} boards, expected 1 to {BOARDS}, such as boards=classic-3x3+classic-3x3=R../.Y./..G",
            boards.len()
        )));
    }
    Ok(boards)
}

fn places_of(boards: &[AskedBoard]) -> Vec<(Variant, Place<'_>)> {
    boards
        .iter()
        .map(|board| ((*board.variant).clone(), board.place()))
        .collect()
}

/// What tells a sum from others of the same variants.
fn options_of(boards: &[AskedBoard]) -> String {
    let positions: Vec<String> = boards
        .iter()
        .map(|board| format!("{:?}", board.position))
        .collect();
    positions.join(" ")
}

/// The value of several boards at once.
pub(crate) async fn summed(
    explorer: &Arc<Explorer>,
    boards: Vec<AskedBoard>,
    client: Client,
    budget: Duration,
) -> Result<Arc<Sum>, Problem> {
    let variants: Vec<Arc<Variant>> = boards.iter().map(|board| board.variant.clone()).collect();
    let options = options_of(&boards);
    let tablebase = &explorer.settings.tablebase;
    let at_hand = |variant: &Arc<Variant>| tablebase.is_metric_at_hand(variant, Metric::Nimber);
    let all_at_hand = variants.iter().all(at_hand);
    let has_nimbers = |variant: &Arc<Variant>| variant.rules().metrics.contains(&Metric::Nimber);
    let all_have_nimbers = variants.iter().all(has_nimbers);
    let make = move |tablebase: &Tablebase| Ok(tablebase.sum(&places_of(&boards))?);
    if all_at_hand || !all_have_nimbers {
        let sum = explorer
            .work(client, Demand::Nothing, move |_, tablebase| make(tablebase))
            .await?;
        return Ok(Arc::new(sum));
    }
    let work = Computation {
        name: "the sum of these boards".into(),
        options,
        of_values: true,
        patience: Patience::Whole,
        variants,
        kept: |explorer| &explorer.sums,
        make: Arc::new(make),
    };
    explorer.worked_out(work, client, budget).await
}

fn query(
    explorer: &Explorer,
    tablebase: &Tablebase,
    question: &Question,
    coming: Option<&PendingWork>,
) -> Result<RouteAnswer, Problem> {
    let answer = tablebase.query_of(&question.at(), &question.options())?;
    let answered = document(&answer);
    Ok(bettered(
        explorer,
        &question.variant,
        answered,
        &answer,
        coming,
    ))
}

/// Best play: looked up where values are at hand, else worked out once for its position.
async fn line(
    explorer: &Arc<Explorer>,
    question: &Question,
    client: Client,
) -> Result<RouteAnswer, Problem> {
    let (variant, at) = (question.variant.clone(), question.at());
    let variants = [variant.clone()];
    let make = move |tablebase: &Tablebase| Ok(json_text(&tablebase.line_of(&at)?));
    if explorer.settings.tablebase.is_at_hand(&variant) {
        let found = explorer
            .work(client, Demand::Nothing, move |_, tablebase| make(tablebase))
            .await?;
        let found = RouteAnswer::new(AnswerKind::Json, found);
        return Ok(from_tables(explorer, &variants, found));
    }
    let work = Computation {
        name: format!("best play in {}", variant.rules().title()),
        options: question.at().text(),
        of_values: true,
        patience: Patience::Whole,
        variants: vec![variant],
        kept: |explorer| &explorer.documents,
        make: Arc::new(make),
    };
    let budget = question.time(explorer);
    let found = explorer.worked_out(work, client, budget).await?;
    Ok(RouteAnswer::new(AnswerKind::Json, (*found).clone()))
}

async fn draw(
    explorer: &Arc<Explorer>,
    question: Question,
    params: &Params,
    language: Language,
    client: Client,
) -> Result<RouteAnswer, Problem> {
    let has_values = params.switch("values", false)?;
    if params.switch("film", false)? {
        if has_values {
            return Err(Problem::wrong("film", "cannot be used with values"));
        }
        return filmed(&question, language);
    }
    if !has_values {
        return drawn(&question, language, None);
    }
    let interim = hurried_there(explorer, question, client, MOMENT).await;
    interim
        .answer_there(
            explorer,
            client,
            move |explorer, tablebase, question, coming| {
                let options = question.options();
                let answer = tablebase.query_of(&question.at(), &options)?;
                let drawn = drawn(&question, language, Some(&answer))?;
                Ok(bettered(
                    explorer,
                    &question.variant,
                    drawn,
                    &answer,
                    coming,
                ))
            },
        )
        .await
}

/// Most positions of a film.
const FRAMES: usize = 200;

/// The game of a question, one position after another.
fn filmed(question: &Question, words: Language) -> Result<RouteAnswer, Problem> {
    let plies = question.course.plies();
    if plies >= FRAMES {
        let problem = format!("found a game of {plies} moves, expected fewer than {FRAMES}");
        return Err(Problem::wrong("film", problem));
    }
    let views: Vec<View> = (0..=plies)
        .map(|at| View::new(question, Some(at)))
        .collect::<Result<_, _>>()?;
    let name = words.named_game(&question.name);
    let titles = row_titles(words);
    let mut pictures: Vec<Picture<'_>> = Vec::with_capacity(views.len());
    for view in &views {
        let mut picture = Picture::new(&view.diagram, &name);
        picture.row_titles = &titles;
        picture.framed = view.last.into_iter().collect();
        if let (Some(_), Some(at)) = (view.ending, &view.passed[view.at].at) {
            picture.won = question.variant.completed_lines(at);
        }
        pictures.push(picture);
    }
    Ok(RouteAnswer::new(AnswerKind::Svg, film(&pictures, &name)))
}

fn drawn(
    question: &Question,
    words: Language,
    answer: Option<&Answer>,
) -> Result<RouteAnswer, Problem> {
    let view = View::new(question, None)?;
    let titles = row_titles(words);
    let mut description = describe(
        &view.diagram,
        &titles,
        &Words::of_keys(|key| words.text(key)),
    );
    let lights = lights(words, &question.variant, ", ");
    if !lights.is_empty() {
        description = format!("{description}. {lights}");
    }
    let name = words.named_game(&question.name);
    let mut picture = Picture::new(&view.diagram, &name);
    picture.description = &description;
    picture.row_titles = &titles;
    picture.notes = words.sentences(&view.diagram.notes);
    picture.scheme = Scheme::Auto;
    if let Some(answer) = answer {
        let moves = answer.moves.iter();
        let moves: Vec<(&str, Figures)> = moves.map(|mv| (mv.mv.as_str(), mv.figures())).collect();
        picture.tags = value_tags(&view.diagram, &moves, answer.best.len());
    }
    Ok(RouteAnswer::new(AnswerKind::Svg, picture.svg()))
}

/// The rules of a variant: the document of the command.
fn rules(explorer: &Explorer, question: &Question, language: Language) -> RulesPage {
    let wrapped = |sentence: &str| format!("{sentence}\n");
    match explorer.file(&question.name) {
        Some(file) => RulesPage::of_file(file, language, wrapped),
        None => RulesPage::of_variant(&question.variant, language, wrapped),
    }
}
