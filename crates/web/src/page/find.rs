//! Positions of a game that a description fits.

use std::fmt::Write;
use std::sync::Arc;

use greenwave_game::{Game, Luck, Metric, Variant};
use greenwave_judge::Selection;
use greenwave_judge::documents::Finding;
use greenwave_judge::expr::fields_of;
use greenwave_picture::{Picture, Scheme, escaped};
use greenwave_words::Language;

use crate::api::{self, PositionSearch};
use crate::board_words::row_titles;
use crate::explorer::{Client, Explorer};
use crate::page::found::{FIELD_NOTES, listed};
use crate::page::reader::Reader;
use crate::page::{frame, tiles, titles};
use crate::params::{Params, encoded, meant, usable};
use crate::problem::Problem;
use crate::question::Question;
use crate::routes::RouteAnswer;

/// Positions on a page: the numbers that the form offers.
const LIMITS: [u64; 3] = [12, 24, 96];
/// Squares of a board whose positions are too many to visit: there some are drawn.
const LARGE: usize = 21;
/// A question to begin with.
struct ReadyQuestion {
    key: &'static str,
    description: &'static str,
    order: Option<FindOrder>,
}

impl ReadyQuestion {
    const fn new(key: &'static str, description: &'static str) -> ReadyQuestion {
        ReadyQuestion {
            key,
            description,
            order: None,
        }
    }

    const fn longest(key: &'static str, description: &'static str) -> ReadyQuestion {
        ReadyQuestion {
            key,
            description,
            order: Some(FindOrder::Longest),
        }
    }

    /// Whether a game can answer it.
    fn fits(&self, variant: &Variant) -> bool {
        let is_in_order = self.order.is_none_or(|order| order.fits(variant));
        is_in_order && Finding::new(variant, self.description, None).is_ok()
    }
}

/// Questions to begin with; those that a game can answer are shown.
const READY: [ReadyQuestion; 9] = [
    ReadyQuestion::longest("find-longest-wins", "value = win"),
    ReadyQuestion::longest("find-longest-losses", "value = loss"),
    ReadyQuestion::new("find-one-winner", "value = win and winning_moves = 1"),
    ReadyQuestion::new("find-one-safe", "moves > 1 and losing_at_once = moves - 1"),
    ReadyQuestion::new("find-all-lose", "losing_at_once = moves"),
    ReadyQuestion::new("find-expected", "expectation > 500000"),
    ReadyQuestion::new("find-second-step", "step = 2 and only_move"),
    ReadyQuestion::new("find-strip-wins", "winning_strip_moves > 0"),
    ReadyQuestion::new("find-symmetric", "symmetries > 1"),
];

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
    let mut request = FindRequest::read(variant, params)?;
    // A small game answers its first question before it is asked one.
    let unasked = request
        .readings
        .is_none()
        .then(|| first_question(explorer, variant));
    let is_asked = unasked.is_none();
    if let Some(first) = unasked.flatten() {
        request.readings = Some([first.description.into(), first.description.into()]);
        request.order = first.order.unwrap_or(request.order);
    }
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
        let found = api::found(explorer, asked, client, question.time(explorer)).await;
        expression = text;
        if is_asked {
            own.push(("where", &expression));
            own.push(("limit", &limit));
            own.push(("order", request.order.name()));
        }
        body.push_str(&form(explorer, reader, question, &request, &expression));
        match found {
            Err(problem) if is_asked => return Err(problem),
            // Who has asked nothing waits for nothing.
            Err(_) => {}
            Ok(found) => body.push_str(&listed(explorer, reader, question, &found, is_random)),
        }
    } else {
        let _ = write!(
            body,
            "<div class=\"with-figure\"><div>{}</div>{}</div>",
            form(explorer, reader, question, &request, &expression),
            board(explorer, reader, question)
        );
    }
    body.push_str(&fields(words, variant));
    body.push_str("</main>");
    Ok(frame::answer(
        explorer,
        reader,
        &title,
        Some((&path, &own)),
        &body,
    ))
}

/// The first question that a small game can answer, where its values are at hand.
fn first_question(explorer: &Explorer, variant: &Variant) -> Option<&'static ReadyQuestion> {
    let is_small = FindOrder::usual(variant) == FindOrder::Longest;
    let is_known = is_small && explorer.settings.tablebase.is_at_hand(variant);
    READY.iter().find(|ready| is_known && ready.fits(variant))
}

/// The board of the game, which leads to it.
fn board(explorer: &Explorer, reader: &Reader, question: &Question) -> String {
    let (words, variant) = (reader.language, &question.variant);
    let lit = tiles::lit(&question.name, variant);
    let diagram = lit.unwrap_or_else(|| variant.diagram(&variant.start()));
    let titles = row_titles(words);
    let title = titles::title(explorer, words, &question.name);
    let mut picture = Picture::new(&diagram, &title);
    picture.row_titles = &titles;
    picture.scheme = Scheme::Page;
    format!(
        "<a class=\"figure\" href=\"{}\">{}</a>",
        escaped(&reader.address(explorer, &format!("/{}", question.name), &[])),
        picture.svg()
    )
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
    form(explorer, reader, &question, &request, &written)
        + &fields(reader.language, &question.variant)
}

/// Ready questions, the description, and how many positions are shown in which order.
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
        "<p class=\"lead\">{}</p>{}<form class=\"filter\" action=\"{}{}\" method=\"get\"><p><label for=\"f-where\">{}</label>\
         <input id=\"f-where\" name=\"where\" required value=\"{}\" autocomplete=\"off\" autocapitalize=\"none\" \
         spellcheck=\"false\"></p><p><label for=\"f-limit\">{}</label><select id=\"f-limit\" name=\"limit\">{}</select></p>\
         <p><label for=\"f-order\">{}</label><select id=\"f-order\" name=\"order\">{}</select></p>{}\
         <button>{}</button></form>",
        words.text("find-note"),
        ready(explorer, reader, question, request, written),
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

/// Questions to begin with, as links; the one that is answered is marked.
fn ready(
    explorer: &Explorer,
    reader: &Reader,
    question: &Question,
    request: &FindRequest,
    written: &str,
) -> String {
    let path = format!("/{}/find", question.name);
    let mut html = String::from("<p class=\"tools\">");
    for ready in READY.iter().filter(|ready| ready.fits(&question.variant)) {
        let mut own = vec![("where", ready.description)];
        own.extend(ready.order.map(|order| ("order", order.name())));
        let is_here =
            ready.description == written && ready.order.is_none_or(|order| order == request.order);
        let current = if is_here {
            " aria-current=\"true\""
        } else {
            ""
        };
        let _ = write!(
            html,
            "<a rel=\"nofollow\" href=\"{}\"{current}>{}</a> ",
            escaped(&reader.address(explorer, &path, &own)),
            escaped(reader.language.text(ready.key))
        );
    }
    html + "</p>"
}

/// What a description can name.
fn fields(words: Language, variant: &Variant) -> String {
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
    let known = fields_of(variant);
    let notes = FIELD_NOTES.iter().filter(|(name, _)| known.contains(name));
    let notes = notes.map(|(name, key)| {
        let note = escaped(words.text(key));
        format!("<div><dt><code>{name}</code></dt><dd>{note}</dd></div>")
    });
    format!(
        "<details><summary>{}</summary><dl class=\"terms\">{}</dl><p>{calls}</p></details>",
        words.text("find-fields"),
        notes.collect::<String>()
    )
}

/// The page that asks for the game whose positions are to be found.
pub(super) fn of_some_game(
    explorer: &Explorer,
    reader: &Reader,
    params: &Params,
) -> Result<RouteAnswer, Problem> {
    let words = reader.language;
    let plain = reader.plain();
    if let Some(name) = params.text("name") {
        let variant = explorer.variant(&name)?;
        let path = format!("/{}/find", variant.rules().title());
        return Ok(RouteAnswer::moved(plain.address(explorer, &path, &[])));
    }
    let title = words.text("find");
    let body = format!(
        "<main id=\"main\" tabindex=\"-1\" class=\"way\"><h1>{title}</h1><p class=\"lead\">{}</p>\
         <form class=\"open\" action=\"{}/find\" method=\"get\"><label for=\"name\">{}</label>\
         <select id=\"name\" name=\"name\">{}</select>{}<button>{}</button></form><section>{}</section></main>",
        words.text("find-of-game"),
        escaped(&explorer.base),
        words.text("game-choose"),
        titles::grouped_choices(explorer, words, "", &|_| true),
        plain.hidden_fields(),
        words.text("open"),
        tiles::tiles(explorer, &plain, "/find")
    );
    Ok(frame::answer(
        explorer,
        reader,
        title,
        Some(("/find", &[])),
        &body,
    ))
}

#[cfg(test)]
mod tests {
    use greenwave_game::{FAMILIES, catalogue};

    use super::*;

    #[test]
    fn every_field_has_a_note() {
        let specimens = FAMILIES.iter().flat_map(|family| family.specimens);
        for name in catalogue().iter().chain(specimens) {
            for field in fields_of(&Variant::parse(name).unwrap()) {
                let mut notes = FIELD_NOTES.iter();
                assert!(notes.any(|(known, _)| *known == field), "{name} {field}");
            }
        }
    }
}
