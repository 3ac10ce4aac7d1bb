//! Positions of a game that a description fits.

use std::fmt::Write;
use std::sync::Arc;

use greenwave_game::{Figures, Game, Luck, Metric, Outcome, Plies, Variant};
use greenwave_judge::Selection;
use greenwave_judge::documents::{Finding, Match};
use greenwave_judge::expr::{Output, fields_of};
use greenwave_picture::escaped;

use crate::api::{self, PositionSearch};
use crate::explorer::{Client, Explorer};
use crate::page::reader::Reader;
use crate::page::written::place_in_words;
use crate::page::{figures, frame, mini, titles};
use crate::params::{Params, encoded, meant, usable};
use crate::problem::Problem;
use crate::question::Question;
use crate::routes::RouteAnswer;

/// Positions on a page: the numbers that the form offers.
const LIMITS: [u64; 3] = [12, 24, 96];
/// Squares of a board whose positions are too many to visit: there some are drawn.
const LARGE: usize = 21;
/// Descriptions to try, each with the key of its sentence; those that a game can answer are shown.
const EXAMPLES: [(&str, &str); 6] = [
    ("value = loss and distance > 8", "find-far-lost"),
    ("value = win and winning_moves = 1", "find-one-winner"),
    ("losing_at_once = moves", "find-all-lose"),
    ("expectation > 500000", "find-expected"),
    ("step = 2 and only_move", "find-second-step"),
    ("symmetries > 1", "find-symmetric"),
];
/// Examples of a game, at most.
const SHOWN: usize = 3;

/// Squares of a board whose positions are few enough to put all that fit in order.
const SMALL: usize = 9;

/// Which of the positions that fit are shown.
#[derive(Clone, Copy, PartialEq, Eq)]
enum FindOrder {
    /// Those farthest from the end.
    Longest,
    /// Those that are listed first.
    First,
    /// Some that are drawn.
    Random,
}

impl FindOrder {
    const ALL: [FindOrder; 3] = [FindOrder::Longest, FindOrder::First, FindOrder::Random];

    /// As addresses name it.
    fn name(self) -> &'static str {
        match self {
            FindOrder::Longest => "longest",
            FindOrder::First => "first",
            FindOrder::Random => "random",
        }
    }

    /// The key of the words for it.
    fn key(self) -> &'static str {
        match self {
            FindOrder::Longest => "find-longest",
            FindOrder::First => "find-first",
            FindOrder::Random => "find-random",
        }
    }

    /// Whether a game has positions in this order.
    fn fits(self, variant: &Variant) -> bool {
        match self {
            FindOrder::Longest => {
                let rules = variant.rules();
                rules.metrics.contains(&Metric::Distance) && rules.properties.luck == Luck::None
            }
            FindOrder::First | FindOrder::Random => true,
        }
    }

    /// The default of a game.
    fn usual(variant: &Variant) -> FindOrder {
        let board = variant.fixed_board();
        let cells = board.map_or(LARGE, |game| game.board().shape.cells());
        if cells > LARGE {
            FindOrder::Random
        } else if cells <= SMALL && FindOrder::Longest.fits(variant) {
            FindOrder::Longest
        } else {
            FindOrder::First
        }
    }
}

/// The requested positions.
struct FindRequest {
    /// Both readings of the description.
    readings: Option<[String; 2]>,
    limit: u64,
    order: FindOrder,
}

impl FindRequest {
    fn read(variant: &Variant, params: &Params) -> Result<FindRequest, Problem> {
        let most = LIMITS[LIMITS.len() - 1];
        let orders = FindOrder::ALL.map(|order| (order.name(), order));
        let order = match params.one_of("order", &orders)? {
            // Addresses of 0.2 named one of the orders by a switch.
            None if params.get("random").is_some() => {
                let is_random = params.switch("random", false)?;
                Some(if is_random {
                    FindOrder::Random
                } else {
                    FindOrder::First
                })
            }
            order => order.filter(|order| order.fits(variant)),
        };
        Ok(FindRequest {
            readings: params.either("where"),
            limit: params.number_from("limit", 1, most)?.unwrap_or(LIMITS[0]),
            order: order.unwrap_or(FindOrder::usual(variant)),
        })
    }
}

/// The page of the positions that a description fits.
pub(super) async fn page(
    explorer: &Arc<Explorer>,
    reader: &Reader,
    question: &Question,
    params: &Params,
    client: Client,
) -> Result<RouteAnswer, Problem> {
    let words = reader.language;
    let variant = &question.variant;
    let request = FindRequest::read(variant, params)?;
    let path = format!("/{}/find", question.name);
    let title = format!(
        "{}: {}",
        titles::title(explorer, words, &question.name),
        words.text("find")
    );
    let mut body = format!(
        "<main id=\"main\" tabindex=\"-1\" class=\"find\"><h1>{}</h1>",
        escaped(&title)
    );
    let limit = request.limit.to_string();
    let mut own: Vec<(&str, &str)> = Vec::new();
    let found;
    let mut expression = String::new();
    if let Some(readings) = &request.readings {
        // Where the memory does for values, each position is shown with its own.
        let has_values = variant.rules().properties.luck == Luck::None
            && explorer
                .reach_of(variant)
                .await
                .is_some_and(|reach| reach.has_counts);
        let (text, fields) = usable(meant(readings), |place| {
            let finding = Finding::new(variant, &readings[place], None)?;
            let mut fields: Vec<&str> = finding.fields().collect();
            for field in values_of(variant).filter(|_| has_values) {
                if !fields.contains(&field) {
                    fields.push(field);
                }
            }
            Ok::<_, Problem>((readings[place].clone(), fields.join(", ")))
        })?;
        // Among positions drawn at random few images of each other are.
        let is_random = request.order == FindOrder::Random;
        let wanted = Selection {
            limit: Some(request.limit),
            sample: is_random.then_some(request.limit),
            up_to_symmetry: !is_random,
            seed: reader.seed.unwrap_or(0),
            ..Selection::default()
        };
        // What is not known of a position puts it in no order.
        let longest = request.order == FindOrder::Longest && has_values;
        let fields = (!fields.is_empty()).then_some(fields);
        let asked = PositionSearch {
            variant: Arc::clone(variant),
            expression: text.clone(),
            fields,
            wanted,
            longest,
        };
        found = api::found(explorer, asked, client, question.time(explorer)).await?;
        expression = text;
        own.push(("where", &expression));
        own.push(("limit", &limit));
        own.push(("order", request.order.name()));
        body.push_str(&form(explorer, reader, question, &request, &expression));
        let count = &found.count;
        let said = match (count.count, count.drawn) {
            (_, Some(drawn)) => words.filled(
                "find-drawn",
                &[
                    ("n", &words.grouped(drawn.matching)),
                    ("all", &words.grouped(drawn.drawn)),
                ],
            ),
            (Some(0), None) => words.text("find-none").into(),
            (count, None) => {
                let key = if is_random {
                    "find-count"
                } else {
                    "find-orbits"
                };
                words.with(key, words.grouped(count.unwrap_or(0)))
            }
        };
        let _ = write!(
            body,
            "<p role=\"status\">{}</p><ul class=\"found\">",
            escaped(&said)
        );
        for one in &found.matches {
            body.push_str(&row(explorer, reader, question, one));
        }
        body.push_str("</ul>");
        body.push_str(&titles::lights_note(words, variant));
    } else {
        body.push_str(&form(explorer, reader, question, &request, &expression));
    }
    body.push_str(&examples(explorer, reader, question));
    body.push_str("</main>");
    Ok(frame::answer(
        explorer,
        reader,
        &title,
        Some((&path, &own)),
        &body,
    ))
}

/// The fields that say what a position is worth.
fn values_of(variant: &Variant) -> impl Iterator<Item = &'static str> {
    let metrics = &variant.rules().metrics;
    let has = |metric: Metric| metrics.contains(&metric);
    let all = [
        ("value", true),
        ("distance", has(Metric::Distance)),
        ("points", has(Metric::Points)),
    ];
    all.into_iter()
        .filter_map(|(name, is_there)| is_there.then_some(name))
}

/// A position that fits: a link with its board, what it is worth, and the other fields that the description names.
fn row(explorer: &Explorer, reader: &Reader, question: &Question, found: &Match) -> String {
    let words = reader.language;
    let variant = &question.variant;
    let text = found.position.as_str();
    let address = reader.address(
        explorer,
        &format!("/{}", question.name),
        &[("position", text)],
    );
    let mut figures = Figures::default();
    let mut others: Vec<String> = Vec::new();
    for (name, output) in &found.fields {
        match (name.as_str(), output) {
            ("value", Output::Word(word)) => {
                let mut all = [Outcome::Win, Outcome::Draw, Outcome::Loss].into_iter();
                figures.value = all.find(|outcome| outcome.name() == *word);
            }
            ("distance", Output::Number(plies)) => {
                figures.distance = u32::try_from(*plies).ok().map(Plies);
            }
            ("points", Output::Number(points)) => figures.points = i32::try_from(*points).ok(),
            ("value" | "distance" | "points", _) => {}
            (name, output) => others.push(format!("{name} = {}", written(output))),
        }
    }
    let (board, place) = match variant.parse_position(text) {
        Ok(at) => {
            let diagram = variant.diagram(&at);
            let board = mini::mini(&diagram.marks, |level| diagram.letter(level), "");
            (board, place_in_words(words, variant, &at))
        }
        Err(_) => (String::new(), None),
    };
    let said = if figures == Figures::default() {
        String::new()
    } else {
        figures::standing(words, &figures)
    };
    format!(
        "<li class=\"tree-row\">{board}<div><a href=\"{}\">{}</a><span>{}</span><small>{}</small></div></li>",
        escaped(&address),
        escaped(place.as_deref().unwrap_or(text)),
        escaped(&said),
        escaped(&others.join(" \u{b7} "))
    )
}

fn written(output: &Output) -> String {
    match output {
        Output::Nothing => "\u{2013}".into(),
        Output::Truth(truth) => truth.to_string(),
        Output::Number(number) => number.to_string(),
        Output::Word(word) => (*word).into(),
        Output::Light(light) => light.to_string(),
    }
}

/// The form with what a request fills in, as far as it can be read.
pub(super) fn form_again(
    explorer: &Explorer,
    reader: &Reader,
    name: &str,
    params: &Params,
) -> String {
    let Ok(question) = Question::read(explorer, name, params) else {
        return String::new();
    };
    let request = FindRequest::read(&question.variant, params).unwrap_or(FindRequest {
        readings: params.either("where"),
        limit: LIMITS[0],
        order: FindOrder::usual(&question.variant),
    });
    let written = request
        .readings
        .as_ref()
        .map(|readings| readings[meant(readings)].clone());
    let written = written.unwrap_or_default();
    form(explorer, reader, &question, &request, &written) + &examples(explorer, reader, &question)
}

/// The description, how many positions are shown, and which fields a description can name.
fn form(
    explorer: &Explorer,
    reader: &Reader,
    question: &Question,
    request: &FindRequest,
    written: &str,
) -> String {
    let words = reader.language;
    let path = format!("/{}/find", question.name);
    let limits = LIMITS.map(|limit| {
        let chosen = if limit == request.limit {
            " selected"
        } else {
            ""
        };
        format!("<option{chosen}>{limit}</option>")
    });
    let orders = FindOrder::ALL
        .into_iter()
        .filter(|order| order.fits(&question.variant));
    let orders = orders.map(|order| {
        let chosen = if order == request.order {
            " selected"
        } else {
            ""
        };
        format!(
            "<option value=\"{}\"{chosen}>{}</option>",
            order.name(),
            words.text(order.key())
        )
    });
    format!(
        "<p class=\"lead\">{}</p><form class=\"filter\" action=\"{}{}\" method=\"get\"><p><label for=\"f-where\">{}</label>\
         <input id=\"f-where\" name=\"where\" required value=\"{}\" autocomplete=\"off\" autocapitalize=\"none\" \
         spellcheck=\"false\"></p><p><label for=\"f-limit\">{}</label><select id=\"f-limit\" name=\"limit\">{}</select></p>\
         <p><label for=\"f-order\">{}</label><select id=\"f-order\" name=\"order\">{}</select></p>{}\
         <button>{}</button></form>",
        words.text("find-note"),
        escaped(&explorer.base),
        escaped(&encoded(&path)),
        words.text("find-where"),
        escaped(written),
        words.text("find-limit"),
        limits.concat(),
        words.text("find-order"),
        orders.collect::<String>(),
        reader.hidden_fields(),
        words.text("show"),
    )
}

/// Descriptions to try, and what a description can name.
fn examples(explorer: &Explorer, reader: &Reader, question: &Question) -> String {
    let words = reader.language;
    let path = format!("/{}/find", question.name);
    let variant = &question.variant;
    let mut html = format!(
        "<p>{}</p><ul class=\"examples\">",
        words.text("own-claim-examples")
    );
    let fits = |(example, _): &&(&str, &str)| Finding::new(variant, example, None).is_ok();
    for (example, key) in EXAMPLES.iter().filter(fits).take(SHOWN) {
        let _ = write!(
            html,
            "<li><a rel=\"nofollow\" href=\"{}\">{}</a> <small><code>{}</code></small></li>",
            escaped(&reader.address(explorer, &path, &[("where", example)])),
            escaped(words.text(key)),
            escaped(example)
        );
    }
    let code = |parts: &[&str]| {
        let parts = parts
            .iter()
            .map(|part| format!("<code>{}</code>", escaped(part)));
        parts.collect::<Vec<_>>().join(", ")
    };
    let calls = words.filled(
        "find-calls",
        &[
            ("square", &code(&["b2 = red"])),
            (
                "calls",
                &code(&["count(red) > 2", "wins(b2)", "after(b2, value = win)"]),
            ),
            ("words", &code(&["and", "or", "not"])),
        ],
    );
    let _ = write!(
        html,
        "</ul><details><summary>{}</summary><p>{}</p><p>{calls}</p></details>",
        words.text("find-fields"),
        code(&fields_of(variant))
    );
    html
}
