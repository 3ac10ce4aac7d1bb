//! Two variants side by side.

mod table;

use std::fmt::Write;
use std::sync::Arc;

use greenwave_game::{Figures, Game, Outcome, Plies, Variant};
use greenwave_judge::documents::{ChangedOpening, Comparison, OpeningEntry, VariantSide};
use greenwave_picture::{MovePlace, Picture, Ring, Scheme, Tag, escaped, place};
use greenwave_words::Language;

use crate::api;
use crate::board_words::row_titles;
use crate::explorer::{Client, Explorer};
use crate::page::figures::FigureUnit;
use crate::page::notices::wait;
use crate::page::reader::Reader;
use crate::page::start::Start;
use crate::page::written::short;
use crate::page::{figures, frame, titles};
use crate::params::Params;
use crate::problem::Problem;
use crate::question::time_of;
use crate::routes::RouteAnswer;
use table::table;

/// Pairs of games to begin with.
const READY: [[&str; 2]; 3] = [
    ["classic-3x3", "classic-3x3:play=misere"],
    ["classic-3x3", "signal-3x3"],
    ["classic-3x3", "green-3x3"],
];

const MISERE: &str = "play=misere";

pub(super) async fn page(
    explorer: &Arc<Explorer>,
    reader: &Reader,
    params: &Params,
    client: Client,
) -> Result<RouteAnswer, Problem> {
    let words = reader.language;
    let names = api::compared_names(params);
    let list = names.join(" ");
    let own: Vec<(&str, &str)> = match names.as_slice() {
        [_, _, _, ..] => vec![("variants", &list)],
        names => std::iter::zip(["a", "b"], names.iter().map(String::as_str)).collect(),
    };
    let filled = filled(explorer, &names);
    let is_asked = names.len() >= 2;
    let variants = if is_asked { &names[..] } else { &filled[..] };
    let variants = variants
        .iter()
        .map(|name| explorer.variant_for(name, reader.lights));
    let variants = variants.collect::<Result<Vec<_>, _>>()?;
    let time = time_of(params, explorer)?;
    let tablebase = &explorer.settings.tablebase;
    let is_sought = is_asked || variants.iter().all(|variant| tablebase.is_at_hand(variant));
    let mut waits = None;
    let compared = if is_sought {
        match api::compared(explorer, &variants, client, time).await {
            Err(problem) if problem.retry_after().is_some() || problem.is_of_memory() => {
                waits = Some(problem).filter(|_| is_asked);
                Vec::new()
            }
            compared => compared?,
        }
    } else {
        Vec::new()
    };
    let reader = &Reader {
        again: waits.as_ref().and_then(Problem::comes_soon),
        ..reader.clone()
    };
    let mut body = format!(
        "<main id=\"main\" tabindex=\"-1\"{}><h1>{}</h1><div class=\"comparing\">",
        frame::again(reader),
        words.text("compare")
    );
    if compared.is_empty() {
        // The rules and what is published of the games need no computing.
        if waits.is_some() {
            let said = match reader.again {
                Some(seconds) => wait(words, seconds),
                None => words.text("compare-far").into(),
            };
            let said = escaped(&said);
            let _ = write!(body, "<p class=\"said\" role=\"status\">{said}</p>");
        }
        body.push_str("<section><div class=\"diagrams pair\">");
        for variant in &variants {
            let name = variant.rules().title();
            let told = Start::of(variant).and_then(|start| start.outcome(words));
            body.push_str(&board(explorer, reader, (name, variant), told, &[]));
        }
        body.push_str("</div></section>");
    } else {
        match Comparison::of(&compared) {
            Comparison::Many {
                variants: sides, ..
            } => {
                let sides: Vec<&VariantSide> = sides.iter().collect();
                let table = table(explorer, reader, &sides);
                let _ = write!(body, "<div class=\"wide\">{table}</div>");
            }
            Comparison::Two {
                a,
                b,
                changed_openings,
                ..
            } => {
                let variants = [&*variants[0], &*variants[1]];
                body.push_str(&of_two(
                    explorer,
                    reader,
                    variants,
                    [&a, &b],
                    &changed_openings,
                ));
            }
        }
    }
    let _ = write!(
        body,
        "<section>{}{}</section></div></main>",
        form(explorer, reader, &filled),
        ready(explorer, reader)
    );
    Ok(frame::answer(
        explorer,
        reader,
        words.text("compare"),
        Some(("/compare", &own)),
        &body,
    ))
}

/// An opening that both variants have.
struct SharedOpening<'a> {
    mv: &'a str,
    entries: [&'a OpeningEntry; 2],
    /// Whether its value or its points differ.
    differs: bool,
}

/// The same on the board of one of them.
struct OpeningOnBoard<'a> {
    mv: &'a str,
    entry: &'a OpeningEntry,
    differs: bool,
}

/// The openings that both variants have, in the order of their names.
fn shared<'a>(
    [a, b]: [&'a VariantSide; 2],
    changed: &'a [ChangedOpening],
) -> Vec<SharedOpening<'a>> {
    let differing = changed.iter().map(|one| SharedOpening {
        mv: &one.mv,
        entries: [&one.a, &one.b],
        differs: true,
    });
    let is_equal = |mv: &str| changed.iter().all(|one| one.mv != mv);
    let equal = a.openings.iter().filter_map(|of_a| {
        let of_b = b.openings.iter().find(|of_b| of_b.mv == of_a.mv)?;
        is_equal(&of_a.mv).then_some(SharedOpening {
            mv: &of_a.mv,
            entries: [of_a, of_b],
            differs: false,
        })
    });
    let mut all: Vec<SharedOpening<'a>> = differing.chain(equal).collect();
    all.sort_by_key(|one| one.mv);
    all
}

/// Two variants: in what they differ, their boards, and the openings that both have.
fn of_two(
    explorer: &Explorer,
    reader: &Reader,
    variants: [&Variant; 2],
    sides: [&VariantSide; 2],
    changed: &[ChangedOpening],
) -> String {
    let words = reader.language;
    let titles = sides.map(|side| titles::title(explorer, words, &side.variant));
    let shared = shared(sides, changed);
    let openings = (changed.len(), shared.len());
    let mut body = format!(
        "<p class=\"lead\">{}</p><section><div class=\"diagrams pair\">",
        escaped(&difference(words, &titles, sides, openings))
    );
    for (place, (side, variant)) in sides.into_iter().zip(variants).enumerate() {
        let openings = shared.iter().map(|one| OpeningOnBoard {
            mv: one.mv,
            entry: one.entries[place],
            differs: one.differs,
        });
        let openings: Vec<OpeningOnBoard<'_>> = openings.collect();
        let told = start(words, side, variant.rules().properties.scores);
        body.push_str(&board(
            explorer,
            reader,
            (&side.variant, variant),
            told,
            &openings,
        ));
    }
    let has_draws = variants.iter().any(|variant| variant.rules().has_draws());
    let _ = write!(
        body,
        "</div>{}</section><section>{}</section><section><h2>{}</h2>",
        key(words, has_draws, &shared),
        table(explorer, reader, &sides),
        words.text("compare-shared")
    );
    if changed.is_empty() {
        let _ = write!(body, "<p>{}</p>", words.text("compare-same"));
    }
    if shared.is_empty() {
        return body + "</section>";
    }
    body.push_str("<table class=\"compared\"><thead><tr><td></td>");
    for title in &titles {
        let _ = write!(body, "<th scope=\"col\">{}</th>", escaped(title));
    }
    body.push_str("</tr></thead><tbody>");
    for one in &shared {
        let (class, sign) = differing(one.differs);
        let _ = write!(
            body,
            "<tr{class}><th scope=\"row\">{}{sign}</th><td>{}</td><td>{}</td></tr>",
            escaped(&short(words, variants[0], one.mv)),
            escaped(&opening(words, one.entries[0])),
            escaped(&opening(words, one.entries[1]))
        );
    }
    let _ = write!(
        body,
        "</tbody></table>{}</section>",
        titles::lights_note(words, variants[0])
    );
    body
}

/// The class of a row whose entries differ, and a sign that says so, since no colour is needed.
fn differing(differs: bool) -> (&'static str, &'static str) {
    if differs {
        let sign = "\u{a0}<span class=\"unlike\">\u{2260}</span>";
        (" class=\"differs\"", sign)
    } else {
        ("", "")
    }
}

/// What the start of a variant comes to, as a sentence.
fn start(words: Language, side: &VariantSide, scores: bool) -> Option<String> {
    let chance = side.odds.as_ref().filter(|_| side.winner.is_none());
    let figures = Figures {
        odds: chance.and_then(|odds| odds.0),
        ..Figures::of(
            side.value.and_then(outcome_of),
            side.distance.map(Plies),
            side.points,
        )
    };
    Start { figures, scores }.outcome(words)
}

/// In what the starts of two variants differ, and in how many openings, in sentences.
fn difference(
    words: Language,
    titles: &[String],
    [a, b]: [&VariantSide; 2],
    (openings, shared): (usize, usize),
) -> String {
    let later = |key, place: usize, more: String| {
        words.filled(key, &[("name", titles[place].as_str()), ("n", &more)])
    };
    let apart = |a: i64, b: i64| (usize::from(b > a), (b - a).abs());
    let mut said = Vec::new();
    if let (Some(of_a), Some(of_b)) = (a.points, b.points) {
        let (place, more) = apart(of_a.into(), of_b.into());
        said.push(match more {
            0 => words.text("compare-points-same").into(),
            _ => later(
                "compare-points-more",
                place,
                words.counted(more, "point", "points"),
            ),
        });
    } else if let (Some(of_a), Some(of_b)) = (a.winner, b.winner) {
        said.push(match (a.distance, b.distance) {
            _ if of_a != of_b => words.text("compare-other-winner").into(),
            _ if of_a == "draw" => words.text("compare-both-drawn").into(),
            (Some(of_a), Some(of_b)) if of_a != of_b => {
                let (place, more) = apart(of_a.into(), of_b.into());
                later(
                    "compare-later",
                    place,
                    words.counted(more, "ply-count", "plies-count"),
                )
            }
            (Some(_), Some(_)) => words.text("compare-equally-soon").into(),
            (_, _) => words.text("compare-same-winner").into(),
        });
    }
    if openings > 0 {
        let key = if openings == 1 {
            "compare-opening"
        } else {
            "compare-openings-changed"
        };
        let (openings, all) = (openings.to_string(), shared.to_string());
        said.push(words.filled(key, &[("n", &openings), ("all", &all)]));
    }
    said.join(" ")
}

/// What signs, numbers and frames on the boards mean.
fn key(words: Language, has_draws: bool, shared: &[SharedOpening<'_>]) -> String {
    let known = || shared.iter().flat_map(|one| one.entries);
    let unit = if known().any(|opening| opening.points.is_some()) {
        FigureUnit::Points
    } else if known().any(|opening| opening.distance.is_some()) {
        FigureUnit::Plies
    } else if shared.is_empty() {
        return String::new();
    } else {
        FigureUnit::Nothing
    };
    let said = figures::key(words, unit, has_draws);
    let framed = if shared.iter().any(|one| one.differs) {
        words.text("compare-framed")
    } else {
        ""
    };
    format!("<p class=\"note key\">{said} {framed}</p>")
}

/// The board of a variant at its start, a link to it with what the start comes to. The openings on it are those
/// that both have; those that differ have a frame.
fn board(
    explorer: &Explorer,
    reader: &Reader,
    (name, variant): (&str, &Variant),
    told: Option<String>,
    openings: &[OpeningOnBoard<'_>],
) -> String {
    let diagram = variant.diagram(&variant.start());
    let words = reader.language;
    let title = titles::title(explorer, words, name);
    let counters = row_titles(words);
    let mut picture = Picture::new(&diagram, &title);
    picture.row_titles = &counters;
    picture.scheme = Scheme::Page;
    for one in openings {
        let MovePlace::Square(square) = place(&diagram, one.mv) else {
            continue;
        };
        let opening = one.entry;
        let figures = Figures::of(
            opening.value.and_then(outcome_of),
            opening.distance.map(Plies),
            opening.points,
        );
        let (text, tone, _) = figures::of_move(words, &figures);
        picture.tags.push(Tag {
            square,
            text,
            tone,
            ring: if one.differs { Ring::Keeps } else { Ring::None },
            ..Tag::default()
        });
    }
    format!(
        "<figure>{}<figcaption><a href=\"{}\">{}</a><br>{}</figcaption></figure>",
        picture.svg(),
        escaped(&reader.address(explorer, &format!("/{name}"), &[])),
        escaped(&title),
        escaped(&told.unwrap_or_default())
    )
}

/// The two games that the fields name: those of a question, and else usual ones.
fn filled(explorer: &Explorer, names: &[String]) -> [String; 2] {
    match names {
        [] => READY[0].map(String::from),
        [a] => [a.clone(), beside(explorer, a)],
        [a, b, ..] => [a.clone(), b.clone()],
    }
}

/// The two games, chosen by what they are called, and by their names where other rules are meant.
fn form(explorer: &Explorer, reader: &Reader, filled: &[String; 2]) -> String {
    let words = reader.language;
    let form = |field: &dyn Fn(&str, &str) -> String| {
        let fields = std::iter::zip(["a", "b"], filled).map(|(name, value)| {
            let label = escaped(&words.with("compare-side", name.to_uppercase()));
            format!("<p><label>{label}{}</label></p>", field(name, value))
        });
        format!(
            "<form class=\"filter\" action=\"{}/compare\" method=\"get\">{}{}<button>{}</button></form>",
            escaped(&explorer.base),
            fields.collect::<String>(),
            reader.hidden_fields(),
            words.text("compare")
        )
    };
    let chosen = form(&|name, value| {
        let choices = titles::grouped_choices(explorer, words, value, &|_| true);
        format!("<select name=\"{name}\">{choices}</select>")
    });
    let named = form(&|name, value| {
        format!(
            "<input name=\"{name}\" value=\"{}\" required aria-describedby=\"naming\" autocomplete=\"off\" \
             autocapitalize=\"none\" spellcheck=\"false\">",
            escaped(value)
        )
    });
    format!(
        "{chosen}<details><summary>{}</summary>{named}<p class=\"note\" id=\"naming\">{}</p></details>",
        words.text("compare-others"),
        words.text("compare-name")
    )
}

/// What a game is compared with where only that one is named: itself in misère play, or else in normal play.
fn beside(explorer: &Explorer, name: &str) -> String {
    let (base, options) = name.split_once(':').unwrap_or((name, ""));
    let mut options: Vec<&str> = options.split(',').filter(|one| !one.is_empty()).collect();
    let own = options.len();
    options.retain(|one| *one != MISERE);
    if options.len() == own {
        options.push(MISERE);
    }
    let other = if options.is_empty() {
        base.to_string()
    } else {
        format!("{base}:{}", options.join(","))
    };
    match explorer.variant(&other) {
        Ok(_) => other,
        Err(_) => READY[0][0].into(),
    }
}

/// The names of two games as people call them.
fn pair(explorer: &Explorer, words: Language, names: [&str; 2]) -> String {
    let [a, b] = names.map(|name| titles::title(explorer, words, name));
    words.filled("compare-pair", &[("a", &a), ("b", &b)])
}

/// Links to comparisons that need no typing.
fn ready(explorer: &Explorer, reader: &Reader) -> String {
    let words = reader.language;
    let links = READY.map(|[a, b]| {
        let address = reader.address(explorer, "/compare", &[("a", a), ("b", b)]);
        format!(
            "<a href=\"{}\">{}</a>",
            escaped(&address),
            escaped(&pair(explorer, words, [a, b]))
        )
    });
    format!(
        "<p class=\"elsewhere\">{} {}</p>",
        words.text("compare-ready"),
        links.join(" ")
    )
}

fn outcome_of(value: &str) -> Option<Outcome> {
    match value {
        "win" => Some(Outcome::Win),
        "draw" => Some(Outcome::Draw),
        "loss" => Some(Outcome::Loss),
        _ => None,
    }
}

fn value_of(words: Language, value: Option<&str>) -> &'static str {
    words.text(match value {
        Some("win") => "word-win",
        Some("draw") => "word-draw",
        Some("loss") => "word-loss",
        _ => "word-unknown",
    })
}

fn opening(words: Language, opening: &OpeningEntry) -> String {
    match (opening.points, opening.distance) {
        (Some(points), _) => words.points(points),
        (None, Some(plies)) => format!(
            "{} {}",
            value_of(words, opening.value),
            words.with("in-plies", words.plies(plies))
        ),
        (None, None) => value_of(words, opening.value).into(),
    }
}
