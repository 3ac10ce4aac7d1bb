//! The board of a page: every square that can be played is a link with its value.

use greenwave_game::Figures;
use greenwave_picture::{
    Arrow, MovePlace, Picture, Ring, Scheme, Tag, Tone, Words, describe, ring,
};
use greenwave_play::completed_lines;
use greenwave_tablebase::{Answer, Place};

use crate::page::figures;
use crate::page::position::Page;
use crate::view::Choice;

/// The picture of the position shown.
pub(crate) fn board(page: &Page<'_>) -> String {
    let view = page.view;
    let words = page.reader.language;
    let standing = Words {
        empty: words.text("empty"),
        red: words.text("red"),
        yellow: words.text("yellow"),
        green: words.text("green"),
        cylinder: words.text("cylinder"),
    };
    let titles: Vec<String> = ["own-hand", "other-hand", "market"]
        .map(|key| words.text(key).to_string())
        .into();
    let description = describe(&view.diagram, &titles, &standing);
    let mut picture = Picture::new(&view.diagram, words.text("board"));
    picture.description = &description;
    picture.row_titles = &titles;
    picture.scheme = Scheme::Page;
    picture.framed = view.last.into_iter().collect();
    if let (Some(_), Some(text)) = (view.ending, &view.position) {
        let place = Place::at(text);
        picture.won = completed_lines(&page.question.variant, &place).unwrap_or_default();
    }
    picture.tags = if page.reader.edit && !view.edited.is_empty() {
        edit_tags(page)
    } else {
        move_tags(page, &standing)
    };
    if let (Some(answer), true) = (page.answer, page.selected.is_none()) {
        let best = answer
            .best
            .first()
            .map(|mv| greenwave_picture::place(&view.diagram, mv));
        if let Some(MovePlace::Step(from, to)) = best {
            picture.arrows.push(Arrow { from, to });
        }
    }
    let columns = view.diagram.marks.iter().map(|mark| mark.0).max();
    match columns.is_some_and(|columns| columns > WIDE) {
        false => picture.svg(),
        // On a narrow screen its points would be too small to be told apart.
        true => format!("<div class=\"wide\">{}</div>", picture.svg()),
    }
}

/// Boards with more half columns than this are moved sideways on narrow screens.
const WIDE: u16 = 20;

/// The figures of a move, where they are known and shown.
pub(crate) fn figures_of(answer: Option<&Answer>, choice: &Choice) -> Option<Figures> {
    let mut moves = answer?.moves.iter();
    let found = moves.find(|known| known.mv == choice.text)?;
    Some(found.figures())
}

/// How much the best of some choices stands out.
fn ring_of(answer: Option<&Answer>, choices: &[&Choice]) -> Ring {
    let Some(answer) = answer else {
        return Ring::None;
    };
    let moves: Vec<(&str, Figures)> = answer
        .moves
        .iter()
        .map(|mv| (mv.mv.as_str(), mv.figures()))
        .collect();
    let ranks = choices
        .iter()
        .filter_map(|choice| answer.moves.iter().position(|mv| mv.mv == choice.text));
    ranks
        .min()
        .map_or(Ring::None, |rank| ring(&moves, rank, answer.best.len()))
}

/// The light that a move puts on its square.
fn next_light(choice: &Choice) -> Option<char> {
    match choice.place {
        MovePlace::Square(_) => choice
            .text
            .chars()
            .last()
            .filter(|last| "RYG".contains(*last)),
        MovePlace::Step(..) | MovePlace::Elsewhere => None,
    }
}

fn move_tags(page: &Page<'_>, standing: &Words<'_>) -> Vec<Tag> {
    let view = page.view;
    let mut tags = Vec::new();
    // Where nothing is proven about any move there is nothing to write on them.
    let any_proven = page.answer.is_some_and(|answer| {
        let mut moves = answer.moves.iter();
        moves.any(|mv| mv.figures().value.is_some())
    });
    for square in 0..view.diagram.marks.len() {
        let name = view.diagram.names.get(square).map_or("", String::as_str);
        // What is made here, and what leads here from the square that was chosen.
        let made: Vec<&Choice> = view
            .choices
            .iter()
            .filter(|choice| match choice.place {
                MovePlace::Square(at) => at == square,
                MovePlace::Step(from, to) => {
                    from == square || (to == square && page.selected == Some(from))
                }
                MovePlace::Elsewhere => false,
            })
            .collect();
        let arriving: Vec<&Choice> = made
            .iter()
            .copied()
            .filter(|choice| matches!(choice.place, MovePlace::Step(from, _) if page.selected == Some(from)))
            .filter(|choice| matches!(choice.place, MovePlace::Step(_, to) if to == square))
            .collect();
        let shown = if arriving.is_empty() {
            &made
        } else {
            &arriving
        };
        let mark = view.diagram.marks[square].2;
        let stands = standing.mark(&view.diagram, mark);
        // The best of them stands for all: moves are sorted by the answer.
        let best = best_of(page.answer, shown);
        let Some(choice) = best else {
            continue;
        };
        let known = figures_of(page.answer, choice);
        let (text, tone, worth) = match known.as_ref().filter(|_| any_proven) {
            Some(known) => figures::of_move(page.reader.language, known),
            None => (String::new(), Tone::Plain, String::new()),
        };
        let href = if shown.len() == 1 && (!arriving.is_empty() || !is_step(choice)) {
            page.after(&choice.text)
        } else {
            page.choosing(name)
        };
        let label = match worth.is_empty() {
            true => format!("{name} {stands}: {}", choice.text),
            false => format!("{name} {stands}: {} {worth}", choice.text),
        };
        tags.push(Tag {
            square,
            text,
            tone,
            ring: match known {
                Some(_) => ring_of(page.answer, shown),
                None => Ring::None,
            },
            next: next_light(choice),
            href: Some(href),
            label,
        });
    }
    tags
}

fn is_step(choice: &Choice) -> bool {
    matches!(choice.place, MovePlace::Step(..))
}

/// The first of some moves in the order of the answer.
fn best_of<'c>(answer: Option<&Answer>, choices: &[&'c Choice]) -> Option<&'c Choice> {
    let rank = |choice: &Choice| {
        let mut moves = answer.into_iter().flat_map(|answer| &answer.moves);
        moves.position(|known| known.mv == choice.text)
    };
    choices
        .iter()
        .copied()
        .min_by_key(|choice| rank(choice).unwrap_or(usize::MAX))
}

fn edit_tags(page: &Page<'_>) -> Vec<Tag> {
    let view = page.view;
    let edited = view.edited.iter().enumerate();
    edited
        .filter_map(|(square, text)| {
            let name = view.diagram.names.get(square)?;
            let position = text.as_ref()?;
            Some(Tag {
                square,
                text: String::new(),
                tone: Tone::Plain,
                ring: Ring::None,
                next: None,
                href: Some(page.at_position(position)),
                label: page.reader.language.with("edit-square", name),
            })
        })
        .collect()
}
