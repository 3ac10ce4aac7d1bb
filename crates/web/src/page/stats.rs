//! The positions of a variant counted.

use std::fmt::Write;
use std::sync::Arc;

use greenwave_game::Game;
use greenwave_picture::{Tone, escaped};
use greenwave_tablebase::{AtlasBoard, ByValue, NimberCount, Stats, Value};
use greenwave_words::Language;

use crate::api;
use crate::explorer::{Client, Explorer};
use crate::page::figures::FigureUnit;
use crate::page::notices::wait;
use crate::page::reader::Reader;
use crate::page::start::Start;
use crate::page::{board, figures, frame, titles};
use crate::params::Params;
use crate::problem::Problem;
use crate::question::Question;
use crate::routes::RouteAnswer;

/// The scale of a bar's length.
#[derive(Clone, Copy)]
enum Scale {
    /// As long as it is large.
    Even,
    /// As long as its logarithm.
    Logarithm,
}

/// One bar: its name, whether it is good for the player to move, and its count.
struct Bar {
    name: String,
    side: &'static str,
    count: u64,
}

/// What the counts say in a sentence.
fn lead(words: Language, by_value: &ByValue) -> String {
    let all = by_value.win + by_value.draw + by_value.loss;
    let share = |part: u64| figures::per_cent(words, part as f64 / all.max(1) as f64);
    let (win, draw, loss) = (by_value.win, by_value.draw, by_value.loss);
    let fillings = [
        ("n", words.grouped(all)),
        ("win", share(win)),
        ("draw", share(draw)),
        ("loss", share(loss)),
    ];
    let fillings = fillings.each_ref().map(|(key, text)| (*key, text.as_str()));
    let key = if draw > 0 {
        "stats-lead-draws"
    } else {
        "stats-lead"
    };
    words.filled(key, &fillings)
}

pub(super) async fn page(
    explorer: &Arc<Explorer>,
    question: &Question,
    reader: &Reader,
    params: &Params,
    client: Client,
) -> Result<RouteAnswer, Problem> {
    let scale = params
        .one_of("scale", &[("log", Scale::Logarithm), ("even", Scale::Even)])?
        .unwrap_or(Scale::Logarithm);
    let stats = match api::counted(explorer, question, None, client).await {
        Err(problem) if problem.retry_after().is_some() || problem.is_of_memory() => {
            return Ok(uncounted(explorer, question, reader, &problem));
        }
        counted => counted?,
    };
    let words = reader.language;
    let name = &question.name;
    let start = reader.address(explorer, &format!("/{name}"), &[]);
    let lead = stats.by_value.map(|by_value| lead(words, &by_value));
    let mut body = format!(
        "<main id=\"main\" tabindex=\"-1\" class=\"stats\"><h1>{}: {}</h1><p class=\"lead\">{}</p><p><a href=\"{}\">{}</a></p>\
         <div class=\"counted\"><div><p class=\"details\">{}</p><table><tbody>",
        escaped(&titles::title(explorer, words, name)),
        words.text("stats"),
        escaped(&lead.unwrap_or_default()),
        escaped(&start),
        escaped(&words.with("error-start", titles::title(explorer, words, name))),
        words.text("stats-note")
    );
    let mut row = |key: &'static str, count: Option<u128>| {
        if let Some(count) = count {
            let _ = write!(
                body,
                "<tr><th scope=\"row\">{}</th><td class=\"count\">{}</td></tr>",
                words.text(key),
                words.grouped(count)
            );
        }
    };
    row("stats-indexable", Some(stats.indexable));
    row("stats-unfinished", stats.nonterminal.map(Into::into));
    if let Some(by_value) = &stats.by_value {
        row("stats-won", Some(by_value.win.into()));
        let drawn = Some(by_value.draw.into());
        row(
            "stats-drawn",
            drawn.filter(|_| question.variant.rules().has_draws()),
        );
        row("stats-lost", Some(by_value.loss.into()));
    }
    if let Some(reachable) = &stats.reachable {
        let all = reachable.win + reachable.loss + reachable.draw + reachable.terminal;
        row("stats-reachable", Some(all.into()));
    }
    body.push_str("</tbody></table></div>");
    if let Some(longest) = &stats.longest {
        let text = longest.example.as_str();
        let address = reader.address(explorer, &format!("/{name}"), &[("position", text)]);
        let title = words.with("stats-longest", words.length(longest.distance));
        if let Ok(position) = question.variant.parse_position(text) {
            body.push_str(&board::linked(
                words,
                &title,
                &question.variant,
                &position,
                &address,
            ));
        }
    }
    let path = format!("/{name}/stats");
    body.push_str("</div><section class=\"histograms\"><p class=\"tools\">");
    let is_log = matches!(scale, Scale::Logarithm);
    for (value, key, is_shown) in [
        ("log", "scale-log", is_log),
        ("even", "scale-even", !is_log),
    ] {
        let _ = write!(
            body,
            "<a data-tool=\"scale-{value}\" href=\"{}\"{}>{}</a> ",
            escaped(&reader.address(explorer, &path, &[("scale", value)])),
            if is_shown {
                " aria-current=\"true\""
            } else {
                ""
            },
            words.text(key)
        );
    }
    body.push_str("</p>");
    body.push_str(&bars(words, "stats-histogram", &of_values(&stats), scale));
    if let Some(unit) = unit_of(&stats) {
        let key = figures::key(words, unit, question.variant.rules().has_draws());
        let _ = write!(body, "<p class=\"note\">{}</p>", escaped(&key));
    }
    body.push_str(&bars(words, "stats-nimbers", &of_nimbers(&stats), scale));
    body.push_str("</section></main>");
    let title = format!(
        "{}: {}",
        titles::title(explorer, words, name),
        words.text("stats")
    );
    Ok(frame::answer(
        explorer,
        reader,
        &title,
        Some((&path, &[])),
        &body,
    ))
}

/// The page before the positions are counted: what is published of the game, and how long the count takes.
fn uncounted(
    explorer: &Explorer,
    question: &Question,
    reader: &Reader,
    problem: &Problem,
) -> RouteAnswer {
    let words = reader.language;
    let variant = &question.variant;
    let reader = &Reader {
        again: problem.comes_soon(),
        ..reader.clone()
    };
    let path = format!("/{}", question.name);
    let game = titles::title(explorer, words, &question.name);
    let title = format!("{game}: {}", words.text("stats"));
    let start = Start::of(variant).and_then(|start| start.sentence(words));
    let board = AtlasBoard::of(variant.rules()).filter(|_| !variant.rules().has_draws());
    let counts = board.map(|board| {
        let by_value = ByValue {
            win: board.won,
            draw: 0,
            loss: board.lost,
        };
        lead(words, &by_value)
    });
    let is_published = counts.is_some();
    let published = start.map(|said| said + ".").into_iter().chain(counts);
    let published: Vec<String> = published.collect();
    let waits = match reader.again {
        Some(seconds) => wait(words, seconds),
        None => {
            let key = match (problem.is_of_memory(), is_published) {
                (true, true) => "stats-memory-rest",
                (true, false) => "stats-memory",
                (false, true) => "stats-long-rest",
                (false, false) => "stats-long",
            };
            words.text(key).into()
        }
    };
    let at = variant.start();
    let start = reader.address(explorer, &path, &[]);
    let body = format!(
        "<main id=\"main\" tabindex=\"-1\" class=\"stats\"{}><h1>{}</h1><p class=\"lead\">{}</p><p class=\"said\" role=\"status\">{}</p>\
         {}</main>",
        frame::again(reader),
        escaped(&title),
        escaped(&published.join(" ")),
        escaped(&waits),
        board::linked(
            words,
            &words.with("error-start", &game),
            variant,
            &at,
            &start
        )
    );
    let path = format!("{path}/stats");
    frame::answer(explorer, reader, &title, Some((&path, &[])), &body)
}

/// Bars for every nimber.
fn of_nimbers(stats: &Stats) -> Vec<Bar> {
    let nimbers = stats.by_nimber.iter().flatten();
    let bar = |one: &NimberCount| Bar {
        name: one.nimber.to_string(),
        // The player to move loses at nimber 0, and wins at any other.
        side: if one.nimber == 0 { "loss" } else { "win" },
        count: one.count,
    };
    nimbers.map(bar).collect()
}

/// What the numbers beside the bars of values count; `None` where there are no bars.
fn unit_of(stats: &Stats) -> Option<FigureUnit> {
    if stats.by_points.iter().flatten().next().is_some() {
        return Some(FigureUnit::Points);
    }
    let mut bars = stats.by_distance.iter().flatten();
    let is_measured = bars.clone().any(|bar| bar.distance.is_some());
    bars.next()?;
    Some(if is_measured {
        FigureUnit::Plies
    } else {
        FigureUnit::Nothing
    })
}

/// Bars for every distance, or every number of points.
fn of_values(stats: &Stats) -> Vec<Bar> {
    let mut bars: Vec<Bar> = Vec::new();
    for one in stats.by_points.iter().flatten() {
        bars.push(Bar {
            name: one.points.to_string().replace('-', "\u{2212}"),
            side: match one.points {
                1.. => "win",
                0 => "draw",
                _ => "loss",
            },
            count: one.count,
        });
    }
    if bars.is_empty() {
        for one in stats.by_distance.iter().flatten() {
            let (tone, side) = match one.value {
                Some(Value::Win) => (Tone::Win, "win"),
                Some(Value::Loss) => (Tone::Loss, "loss"),
                Some(Value::Draw | Value::Unknown) | None => (Tone::Draw, "draw"),
            };
            let distance = one
                .distance
                .map_or_else(String::new, |plies| format!(" {plies}"));
            bars.push(Bar {
                name: format!("{}{distance}", tone.sign().unwrap_or_default()),
                side,
                count: one.count,
            });
        }
    }
    bars
}

/// A histogram; empty without bars.
fn bars(words: Language, title: &'static str, bars: &[Bar], scale: Scale) -> String {
    let most = bars.iter().map(|bar| bar.count).max().unwrap_or(0).max(1);
    if bars.is_empty() {
        return String::new();
    }
    let mut html = format!(
        "<h2>{}</h2><table class=\"bars\"><tbody>",
        words.text(title)
    );
    for bar in bars {
        let share = match scale {
            Scale::Even => bar.count as f64 / most as f64,
            // A count of one still makes a visible bar.
            Scale::Logarithm => (1.0 + bar.count as f64).ln() / (1.0 + most as f64).ln(),
        };
        let share = 100.0 * share;
        let _ = write!(
            html,
            "<tr><th scope=\"row\"><span class=\"tag {side}\">{}</span></th><td class=\"count\">{}</td><td>\
             <svg class=\"bar\" viewBox=\"0 0 100 10\" preserveAspectRatio=\"none\" aria-hidden=\"true\">\
             <rect class=\"bar-{side}\" width=\"{share:.2}\" height=\"10\"/></svg></td></tr>",
            escaped(&bar.name),
            words.grouped(bar.count),
            side = bar.side
        );
    }
    html + "</tbody></table>"
}
