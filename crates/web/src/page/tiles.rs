//! The games that pages show as tiles, and the board of the first page.

use std::fmt::Write;

use greenwave_game::{AnyPosition, Diagram, Game, Variant};
use greenwave_picture::{MovePlace, Picture, Scheme, Tag, escaped, place};

use crate::explorer::Explorer;
use crate::page::reader::Reader;
use crate::page::start::winner;
use crate::page::titles::{family_name, short_rule};

/// The games shown as tiles, one of each kind, each with a position in the middle of a game.
const SHOWN: [(&str, &str); 10] = [
    ("classic-3x3", "..R/YY./G.."),
    ("semaforo", "GG.Y/..R./.Y.."),
    ("signal-3x3", "RY./..G/..."),
    ("green-3x3", "G.Y/.R./..G"),
    ("points-3x4", "G..Y/.R../Y..R"),
    ("slider", "R../.Y./..G+..R@E"),
    ("strip", ".G./R../..Y+.Y.@E"),
    ("bag-classic-3x3", "R../.Y./...;RRY;YGG;RG"),
    ("noughts-3x3", "XO./.X./..."),
    ("ampel-4-2-1", "4 2 1 r 1 0 0 ./.R/.y./...."),
];

/// The board on the first page.
pub(super) const HERO: (&str, &str) = ("classic-3x3", "..G/.R./Y..");

/// A position of a variant as it is drawn; its start where the text is none of its positions.
fn drawn(variant: &Variant, position: &str) -> Diagram {
    let read = variant.parse_position(position);
    variant.diagram(&read.unwrap_or_else(|_| variant.start()))
}

/// The position of a game in the middle of it that its tile shows.
pub(super) fn lit_position(name: &str) -> Option<&'static str> {
    let (_, position) = SHOWN.iter().find(|(shown, _)| *shown == name)?;
    Some(position)
}

/// The board of a game in the middle of it, where a tile shows one.
pub(crate) fn lit(name: &str, variant: &Variant) -> Option<Diagram> {
    Some(drawn(variant, lit_position(name)?))
}

/// A link on each square on which a light is put next, with the move; `position` is the one in the address.
pub(super) fn open_squares(
    explorer: &Explorer,
    reader: &Reader,
    (name, variant): (&str, &Variant),
    at: &AnyPosition,
    position: Option<&str>,
) -> Vec<(String, Tag)> {
    let diagram = variant.diagram(at);
    let moves = variant.move_texts(at).into_iter();
    let open = moves.filter_map(|text| {
        let MovePlace::Square(square) = place(&diagram, &text) else {
            return None;
        };
        let mut own: Vec<(&str, &str)> = position
            .map(|text| ("position", text))
            .into_iter()
            .collect();
        own.push(("moves", &text));
        let tag = Tag {
            square,
            next: text.chars().last(),
            href: Some(reader.address(explorer, &format!("/{name}"), &own)),
            label: text.clone(),
            ..Tag::default()
        };
        Some((text, tag))
    });
    open.collect()
}

/// A tile for a game of each kind, which leads to a page of the game.
pub(super) fn tiles(explorer: &Explorer, reader: &Reader, page: &str) -> String {
    let words = reader.language;
    let bag = [words.text("in-bag").to_string()];
    let mut html = String::from("<ul class=\"cards\">");
    for (name, position) in SHOWN {
        let Ok(variant) = explorer.variant(name) else {
            continue;
        };
        let mut board = drawn(&variant, position);
        board.rows.clear();
        board.labels.clear();
        let mut picture = Picture::new(&board, name);
        // Of the counters beside the board the bag alone is left.
        picture.row_titles = &bag;
        picture.scheme = Scheme::Page;
        let (title, note) = if name == "semaforo" {
            (words.named_game(name), words.text("semaforo-note"))
        } else {
            let family = variant.rules().family.name;
            (
                family_name(words, family).into(),
                short_rule(words, &variant).unwrap_or(""),
            )
        };
        let _ = write!(
            html,
            "<li><a href=\"{}\"><span aria-hidden=\"true\">{}</span><strong>{}</strong> <small>{}</small> {}\
             </a></li>",
            escaped(&reader.address(explorer, &format!("/{name}{page}"), &[])),
            picture.svg(),
            escaped(&title),
            escaped(note),
            winner(words, &variant)
        );
    }
    html + "</ul>"
}
