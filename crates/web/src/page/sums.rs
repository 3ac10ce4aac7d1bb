//! Several boards played at once: the player who makes the last move of all wins.

use std::fmt::Write;
use std::sync::Arc;

use greenwave_game::{Game, Metric, Variant};
use greenwave_picture::{MovePlace, Picture, Ring, Scheme, Tag, Tone, escaped, place};
use greenwave_tablebase::{Sum, Value};

use crate::api;
use crate::explorer::{Client, Explorer};
use crate::page::reader::Reader;
use crate::page::{about, figures, frame, titles};
use crate::params::Params;
use crate::problem::Problem;
use crate::question::time_of;
use crate::routes::RouteAnswer;

/// The default boards.
const USUAL: &str = "classic-3x3 signal-3x3=R../.../...";

pub(super) async fn page(
    explorer: &Arc<Explorer>,
    reader: &Reader,
    params: &Params,
    client: Client,
) -> Result<RouteAnswer, Problem> {
    let words = reader.language;
    let mut list = params.text("boards").unwrap_or_else(|| USUAL.into());
    if let Some(added) = params.text("add") {
        list = format!("{list} {added}");
    }
    let boards = api::read_boards(explorer, &list, params)?;
    let variants: Vec<Arc<Variant>> = boards.iter().map(|board| board.variant.clone()).collect();
    let sum = api::summed(explorer, boards, client, time_of(params, explorer)?).await?;
    let over = sum.boards.iter().all(|board| board.terminal);
    let (verdict, advice) = match (over, sum.value) {
        (true, _) => ("over-lost", None),
        (false, Value::Win) => ("wins", Some("sums-won")),
        (false, _) => ("loses", Some("sums-lost")),
    };
    let advice = advice.map_or_else(String::new, |key| {
        format!("<p class=\"summary\">{}</p>", escaped(words.text(key)))
    });
    let nimber = about::term(words, "term-nimber", "term-nimber-note");
    let mut body = format!(
        "<main id=\"main\" tabindex=\"-1\" class=\"summing\"><h1>{}</h1><p class=\"lead\">{}</p><p class=\"verdict\" id=\"verdict\">{}</p>{advice}<p \
         class=\"details\">{}</p><div class=\"diagrams\">",
        words.text("sums"),
        words.text("sums-note"),
        words.text(verdict),
        escaped(&words.with("nimber", sum.nimber)) + &nimber
    );
    for (number, variant) in variants.iter().enumerate() {
        body.push_str(&board(explorer, reader, &sum, number, variant));
    }
    let lights = variants.first();
    let lights = lights.map_or_else(String::new, |first| titles::lights_note(words, first));
    let _ = write!(
        body,
        "</div><p class=\"note\">{}</p>{lights}<section class=\"adding\">{}<details><summary>{}</summary>\
         <form class=\"open\" action=\"{}/sum\" method=\"get\"><label for=\"boards\">{}</label>\
         <input id=\"boards\" name=\"boards\" value=\"{}\" spellcheck=\"false\" autocomplete=\"off\">{}\
         <button>{}</button></form></details></section></main>",
        escaped(figures::legend(words, false)),
        adding(explorer, reader, &list),
        words.text("sums-others"),
        escaped(&explorer.base),
        words.text("sums-boards"),
        escaped(&list),
        reader.hidden_fields(),
        words.text("show")
    );
    let own = [("boards", list.as_str())];
    Ok(frame::answer(
        explorer,
        reader,
        words.text("sums"),
        Some(("/sum", &own)),
        &body,
    ))
}

/// The choice of a game that is added: of those that have nimbers.
fn adding(explorer: &Explorer, reader: &Reader, list: &str) -> String {
    let words = reader.language;
    let has_nimbers = |variant: &Variant| variant.rules().metrics.contains(&Metric::Nimber);
    format!(
        "<form class=\"open\" action=\"{}/sum\" method=\"get\"><input type=\"hidden\" name=\"boards\" value=\"{}\">\
         <label for=\"add\">{}</label><select id=\"add\" name=\"add\">{}</select>{}<button>{}</button></form>",
        escaped(&explorer.base),
        escaped(list),
        words.text("sums-add"),
        titles::grouped_choices(explorer, words, "", &has_nimbers),
        reader.hidden_fields(),
        words.text("sums-add-now")
    )
}

/// One of the boards: each move leads to the sum after it.
fn board(
    explorer: &Explorer,
    reader: &Reader,
    sum: &Sum,
    number: usize,
    variant: &Variant,
) -> String {
    let words = reader.language;
    let shown = &sum.boards[number];
    let won = sum.value == Value::Win;
    let winning = |mv: &str| {
        won && sum
            .best
            .iter()
            .any(|best| best.board == number && best.mv == mv)
    };
    let after = |position: &str| {
        let boards = sum.boards.iter().enumerate();
        let boards: Vec<String> = boards
            .map(|(at, board)| {
                let position = if at == number {
                    position
                } else {
                    &board.position
                };
                format!("{}={position}", board.variant)
            })
            .collect();
        let boards = boards.join(" ");
        reader.address(explorer, "/sum", &[("boards", &boards)])
    };
    let mut moves = Vec::new();
    if variant.ending(&shown.at).is_none() {
        variant.moves(&shown.at, &mut moves);
    }
    let moves: Vec<(String, String)> = moves
        .iter()
        .map(|mv| {
            let to = variant.play(&shown.at, *mv).to;
            let text = variant.move_text(&shown.at, *mv);
            (text, variant.position_text(&to))
        })
        .collect();
    let diagram = variant.diagram(&shown.at);
    let called = titles::title(explorer, words, &shown.variant);
    let title = format!("{}. {called}", number + 1);
    let mut picture = Picture::new(&diagram, &title);
    picture.description = &shown.position;
    picture.scheme = Scheme::Page;
    picture.notes = words.sentences(&diagram.notes);
    for (mv, to) in &moves {
        let MovePlace::Square(square) = place(&diagram, mv) else {
            continue;
        };
        let (tone, word, ring) = if winning(mv) {
            (Tone::Win, "word-win", Ring::Quick)
        } else {
            (Tone::Loss, "word-loss", Ring::None)
        };
        picture.tags.push(Tag {
            square,
            text: tone.sign().unwrap_or_default().into(),
            tone,
            ring,
            href: Some(after(to)),
            label: format!("{mv} {}", words.text(word)),
            ..Tag::default()
        });
    }
    let mut html = format!(
        "<figure>{}<figcaption>{} <small>{}</small></figcaption></figure>",
        picture.svg(),
        escaped(&title),
        escaped(&words.with("nimber", shown.nimber))
    );
    if moves.is_empty() {
        html = html.replace(
            "</figcaption>",
            &format!(" <small>{}</small></figcaption>", words.text("sums-over")),
        );
    }
    html
}
