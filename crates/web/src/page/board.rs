//! The board of a page: every square that can be played is a link with its value.

use greenwave_game::{AnyPosition, Diagram, Figures, Game, Variant};
use greenwave_picture::{
    Arrow, MovePlace, Picture, Ring, Scheme, StripArrow, Tag, TakeLink, Tone, Words, describe,
    escaped, ring,
};
use greenwave_play::{CompletedLine, Fact, Hint};
use greenwave_tablebase::Answer;
use greenwave_words::Language;

use crate::board_words::row_titles;
use crate::page::contents::Page;
use crate::page::figures;
use crate::page::titles::lights_note;
use crate::page::told::MoveReasons;
use crate::page::written::{has_bag, place_in_words};
use crate::view::MoveChoice;
use crate::view::push_of;

/// The picture of the position shown.
pub(crate) fn board(page: &Page<'_>) -> String {
    let view = page.view;
    let words = page.reader.language;
    let standing = Words::of_keys(|key| words.text(key));
    let titles = hand_titles(page);
    let description = describe(&view.diagram, &titles, &standing);
    let without = without_counter(page);
    let mut picture = Picture::new(&view.diagram, words.text("board"));
    picture.description = &description;
    picture.row_titles = &titles;
    picture.scheme = Scheme::Page;
    picture.large = page.reader.projector;
    picture.framed = view.last.into_iter().collect();
    (picture.threats, picture.ghosts) = shown_reasons(page);
    if let Some(why) = page.asked_why() {
        let line = numbered(page, why);
        picture.ghosts = line.ghosts;
        picture.numbers = line.numbers;
    }
    let better = page.better_here();
    // The move that led here stands out where something was wrong with it, and nothing with the next one.
    if let (Some(ply), None, true) = (view.at.checked_sub(1), page.asked_why(), page.is_review())
        && better.is_none()
        && let Some(fault) = page.fault_of(ply)
        && let MovePlace::Square(at) | MovePlace::Step(_, at) =
            place_of(page, &view.plies[ply].text)
    {
        picture.fault = Some((at, fault.sign()));
    }
    // Before a fault the board shows the better move and, marked, the one that was made.
    if let Some((better, made, fault)) = better {
        picture.suggested.extend(put_by(page, better));
        if let MovePlace::Square(at) | MovePlace::Step(_, at) = place_of(page, made) {
            picture.fault = Some((at, fault.sign()));
        }
    }
    if let Some(Hint::Moves { moves, .. }) = page.hint {
        let lights = moves.iter().filter_map(|mv| put_by(page, mv));
        picture.suggested.extend(lights);
    }
    // The reply that refutes a move stands there as if it were made, its line drawn through.
    if let Some(why) = page.refuted {
        picture.reply = why
            .shown()
            .and_then(|fact| put_by(page, fact.line().first()?));
        picture.won = std::mem::take(&mut picture.threats);
        let made = view.plies.last().map(|ply| ply.text.as_str());
        let reply = why.shown().and_then(|fact| fact.line().first().cloned());
        for (mv, number) in made.into_iter().chain(reply.as_deref()).zip(["1", "2"]) {
            if let MovePlace::Square(at) | MovePlace::Step(_, at) = place_of(page, mv) {
                picture.numbers.retain(|(place, _)| *place != at);
                picture.numbers.push((at, number.into()));
            }
        }
    }
    // A move that completes a line is shown as if it were made.
    if let Some(why) = page.asked_why()
        && why.shown().is_some_and(|fact| fact.line().is_empty())
        && !picture.threats.is_empty()
    {
        picture.reply = put_by(page, &why.mv.mv);
        picture.won = std::mem::take(&mut picture.threats);
        picture.ghosts.clear();
    }
    if page.reader.solution {
        let next = view.plies.get(view.at);
        picture.reply = next.and_then(|ply| put_by(page, &ply.text));
    }
    if let (Some(_), Some(at)) = (view.ending, &view.passed[view.at].at) {
        picture.won = page.question.variant.completed_lines(at);
    }
    picture.tags = if page.reader.edit {
        page.edit_tags()
    } else {
        move_tags(page, &standing)
    };
    if let (Some(answer), true) = (page.answer, page.selected.is_none()) {
        let best = answer.best.first().filter(|_| figures::is_ranked(answer));
        let shown = page.asked_why().map_or(best, |why| Some(&why.mv.mv));
        let best = shown.and_then(|mv| step_of(page, mv));
        picture.arrows.extend(best);
    }
    // The move that is explained has a frame of its own.
    if let (Some(why), None) = (page.asked_why(), page.selected)
        && let MovePlace::Square(square) = greenwave_picture::place(&view.diagram, &why.mv.mv)
    {
        picture.chosen = Some(square);
    }
    picture.arrows.extend(reply_arrow(page));
    // A hint is about the next move.
    let reply = page.last_reply().filter(|_| page.hint.is_none());
    let arrived = reply.and_then(|reply| match place_of(page, reply) {
        MovePlace::Square(at) => Some(at),
        MovePlace::Step(..) | MovePlace::Elsewhere => None,
    });
    let refuting = picture.reply.filter(|_| page.refuted.is_some());
    picture.arrived = arrived.or(refuting.map(|(at, _)| at));
    picture.strip_arrows = strip_arrows(page);
    if has_bag(&page.question.variant) && !page.is_closed() && !view.chance {
        picture.takes = takes(page);
    }
    if let (Some(square), Some(light)) = (page.selected, page.put) {
        picture.reply = Some((square, light));
        picture.diagram = &without;
    }
    if let Some(chosen) = page.selected {
        picture.chosen = Some(chosen).filter(|_| page.put.is_none());
        let steps = view.choices.iter().map(|choice| choice.place);
        let leading = steps.filter_map(|place| match place {
            MovePlace::Step(from, to) if from == chosen => Some(to),
            MovePlace::Step(..) | MovePlace::Square(_) | MovePlace::Elsewhere => None,
        });
        picture.targets = leading.collect();
    }
    let columns = view.diagram.marks.iter().map(|mark| mark.0).max();
    // On a narrow screen squares would be too small for fingers.
    let class = match columns {
        Some(columns) if columns > WIDE && !page.is_triangle() => "wide",
        Some(_) | None if page.reader.projector || page.reader.embed => return picture.svg(),
        Some(_) | None => return with_piles(picture),
    };
    format!("<div class=\"{class}\">{}</div>", picture.svg())
}

/// The titles of the counters beside the board; in a game with the program, of whom the hands are.
fn hand_titles(page: &Page<'_>) -> Vec<String> {
    let words = page.reader.language;
    let mut titles = row_titles(words);
    if let Some(first) = page.reader.play {
        let mut hands = ["hand-yours", "hand-program"];
        if page.view.passed[page.view.at].first_to_move != first {
            hands.reverse();
        }
        for (title, key) in titles.iter_mut().zip(hands) {
            *title = words.text(key).into();
        }
    }
    titles
}

/// A board with its counters beside it, or on a phone below it, so that it is as large as one without.
fn with_piles(picture: Picture<'_>) -> String {
    let piles = picture.piles();
    if piles.is_empty() {
        return picture.svg();
    }
    let piles = piles.iter().map(|(title, svg)| {
        let title = escaped(title);
        format!("<div class=\"pile\"><span aria-hidden=\"true\">{title}</span>{svg}</div>")
    });
    let piles: String = piles.collect();
    let bare = Diagram {
        rows: Vec::new(),
        bag: Vec::new(),
        ..picture.diagram.clone()
    };
    let board = Picture {
        diagram: &bare,
        ..picture
    };
    let svg = board.svg();
    format!("<div class=\"bagged\">{svg}<div class=\"piles\">{piles}</div></div>")
}

/// A small board that leads to its position, with a title above it and its place in the game below.
pub(super) fn linked(
    words: Language,
    title: &str,
    variant: &Variant,
    at: &AnyPosition,
    address: &str,
) -> String {
    let titles = row_titles(words);
    let diagram = variant.diagram(at);
    let place = place_in_words(words, variant, at);
    let text = place.as_deref().unwrap_or(words.text("open-in-explore"));
    let standing = Words::of_keys(|key| words.text(key));
    let described = describe(&diagram, &titles, &standing);
    let mut picture = Picture::new(&diagram, &described);
    picture.row_titles = &titles;
    picture.scheme = Scheme::Page;
    let lights = if *at == variant.start() {
        String::new()
    } else {
        lights_note(words, variant)
    };
    format!(
        "<figure class=\"witness\"><figcaption>{}</figcaption><a data-tool=\"witness\" href=\"{}\">{}<span>{}</span>\
         </a></figure>{lights}",
        escaped(title),
        escaped(address),
        picture.svg(),
        escaped(text)
    )
}

/// The position shown while a counter stands on its square until another one is taken: it has left the hand.
fn without_counter(page: &Page<'_>) -> Diagram {
    let mut diagram = page.view.diagram.clone();
    let level = (1..=3).find(|level| Some(diagram.letter(*level)) == page.put);
    if let (Some(level), Some((_, own))) = (level, diagram.rows.first_mut())
        && let Some(place) = own.iter().position(|known| *known == level)
    {
        own.remove(place);
    }
    diagram
}

/// The counters of the market that may be taken: by themselves, or for the counter that stands on its square.
fn takes(page: &Page<'_>) -> Vec<TakeLink> {
    let begun = page.reader.from.as_deref().unwrap_or_default();
    let choices = page.view.choices.iter();
    let taking = choices.filter_map(|choice| {
        let light = choice.text.strip_prefix(begun)?.strip_prefix('+')?;
        Some(TakeLink {
            light: light.chars().next()?,
            href: page.after(&choice.text),
            label: page.spoken_move(&choice.text),
        })
    });
    taking.collect()
}

/// The arrows beside the board that push the strip to a side or turn it in its place.
fn strip_arrows(page: &Page<'_>) -> Vec<StripArrow> {
    if page.is_closed() {
        return Vec::new();
    }
    let any_proven = any_proven(page.answer);
    // One line says what all moves are worth alike.
    let has_badges = !page.all_draw();
    let choices = page.view.choices.iter();
    let moved = choices.filter_map(|choice| match push_of(&choice.text) {
        Some((to, turned)) => Some((choice, Some(to), turned)),
        None => (choice.text == "turn").then_some((choice, None, true)),
    });
    let arrows = moved.map(|(choice, to, turned)| {
        let known = figures_of(page.answer, choice).filter(|_| any_proven);
        let said = page.spoken_move(&choice.text);
        let (text, tone, label) = match known {
            Some(known) => {
                let (text, tone, worth) = page.worth(&known);
                let text = if has_badges { text } else { String::new() };
                (text, tone, format!("{said} {worth}"))
            }
            None => (String::new(), Tone::Plain, said),
        };
        StripArrow {
            to,
            turned,
            href: page.after(&choice.text),
            label,
            text,
            tone,
            ring: ring_on(page, "", &[choice]),
        }
    });
    arrows.collect()
}

/// Whether anything is proven about some move.
fn any_proven(answer: Option<&Answer>) -> bool {
    let mut moves = answer.into_iter().flat_map(|answer| &answer.moves);
    moves.any(|mv| mv.figures().value.is_some())
}

/// Boards of squares with more half columns than this are moved sideways on narrow screens.
const WIDE: u16 = 14;

/// The figures of a move, where they are known and shown.
pub(crate) fn figures_of(answer: Option<&Answer>, choice: &MoveChoice) -> Option<Figures> {
    let mut moves = answer?.moves.iter();
    let found = moves.find(|known| known.mv == choice.text)?;
    Some(found.figures())
}

/// From point to point, where the program's reply moves something.
fn reply_arrow(page: &Page<'_>) -> Option<Arrow> {
    if let Some(why) = page.refuted {
        return refutation(page, why);
    }
    step_of(page, page.last_reply()?)
}

/// Where on the board shown a move is made.
fn place_of(page: &Page<'_>, mv: &str) -> MovePlace {
    greenwave_picture::place(&page.view.diagram, mv)
}

/// The arrow of a move that takes something from one point to another.
fn step_of(page: &Page<'_>, mv: &str) -> Option<Arrow> {
    match place_of(page, mv) {
        MovePlace::Step(from, to) => Some(Arrow { from, to }),
        MovePlace::Square(_) | MovePlace::Elsewhere => None,
    }
}

/// The step that refutes a move, where the reply takes something from one point to another.
fn refutation(page: &Page<'_>, why: &MoveReasons) -> Option<Arrow> {
    let line = why.shown()?.line();
    step_of(page, line.first()?)
}

/// The square of a move and the light that it puts there.
fn light_of(page: &Page<'_>, mv: &str) -> Option<(usize, char)> {
    let light = mv.chars().last().filter(|last| "RYG".contains(*last))?;
    match place_of(page, mv) {
        MovePlace::Square(at) => Some((at, light)),
        MovePlace::Step(..) | MovePlace::Elsewhere => None,
    }
}

/// The square of a move and the light or the sign that it puts there.
pub(super) fn put_by(page: &Page<'_>, mv: &str) -> Option<(usize, char)> {
    let sign = || page.view.sign_after(&page.question.variant, mv);
    light_of(page, mv).or_else(sign)
}

/// The picture of the first requested reason: the lines that are completed or threatened, and the lights of the move and of
/// the reply to it. Of a move that misses a puzzle and is made already, the reply alone.
fn shown_reasons(page: &Page<'_>) -> (Vec<Vec<usize>>, Vec<(usize, char)>) {
    let asked = page.asked_why();
    let Some(why) = asked.or(page.refuted) else {
        return (Vec::new(), Vec::new());
    };
    let fact = why.shown();
    let names = &page.view.diagram.names;
    let place = |name: &String| names.iter().position(|known| known == name);
    // A fork has two lines.
    let told = why.told().map(Fact::lines).find(|lines| !lines.is_empty());
    let lines = told.into_iter().flatten().flat_map(CompletedLine::each);
    let lines = lines.filter_map(|line| {
        let squares: Option<Vec<usize>> = line.squares.iter().map(place).collect();
        squares.filter(|squares| squares.len() > 1)
    });
    let reply = fact.and_then(|fact| fact.line().first().cloned());
    // Of a move that misses a puzzle the reply is drawn by itself.
    let moves = asked
        .map(|why| std::iter::once(why.mv.mv.clone()).chain(reply))
        .into_iter()
        .flatten();
    (
        lines.collect(),
        moves.filter_map(|mv| light_of(page, &mv)).collect(),
    )
}

/// Most moves of a line that have numbers on the board, where it ends with them.
const NUMBERED: usize = 6;
/// The moves of a longer one: the one that is explained and the reply to it.
const ANSWERED: usize = 2;

/// The line of the requested reasons on the board.
#[derive(Default)]
struct LineOnBoard {
    ghosts: Vec<(usize, char)>,
    numbers: Vec<(usize, String)>,
}

/// How many moves of the line of reasons have numbers on the board.
fn numbers_of(why: &MoveReasons) -> usize {
    if is_near(why) { NUMBERED } else { ANSWERED }
}

/// Whether the board shows the whole line of reasons.
pub(super) fn is_near(why: &MoveReasons) -> bool {
    why.line().len() < NUMBERED
}

/// The moves of the requested reasons with their numbers, and the light that each square has at the end of them.
fn numbered(page: &Page<'_>, why: &MoveReasons) -> LineOnBoard {
    let mut on_board = LineOnBoard::default();
    let rest = why.line().into_iter().map(|step| step.mv);
    let line: Vec<String> = std::iter::once(why.mv.mv.clone()).chain(rest).collect();
    let line: Vec<&str> = line.iter().map(String::as_str).collect();
    let (steps, _) = page.line_steps(page.view.at, &line);
    for (number, step) in steps.iter().take(numbers_of(why)).enumerate() {
        let mv = line[step.ply];
        if let Some((square, light)) = light_of(page, mv) {
            on_board.ghosts.retain(|(at, _)| *at != square);
            on_board.ghosts.push((square, light));
        }
        let square = match place_of(page, mv) {
            MovePlace::Square(at) | MovePlace::Step(_, at) => at,
            MovePlace::Elsewhere => continue,
        };
        let number = (number + 1).to_string();
        let mut numbers = on_board.numbers.iter_mut();
        match numbers.find(|(at, _)| *at == square) {
            Some((_, before)) => *before = format!("{before} {number}"),
            None => on_board.numbers.push((square, number)),
        }
    }
    // One move alone is no line.
    if why.line().is_empty() {
        on_board.numbers.clear();
    }
    on_board
}

/// How strongly a move is shaded, from 1 to 4: by how soon it wins or loses among the moves of its kind, by
/// its points, or by its expectation.
fn strength(answer: Option<&Answer>, known: &Figures) -> u8 {
    let size = |figures: &Figures| match (figures.odds, figures.points) {
        (Some(odds), _) => Some(odds.expectation.abs()),
        (None, Some(points)) => Some(f64::from(points.abs())),
        (None, None) => None,
    };
    let of_kind = answer
        .into_iter()
        .flat_map(|answer| &answer.moves)
        .map(|mv| mv.figures())
        .filter(|figures| figures.value == known.value);
    let share = match (size(known), known.distance) {
        (Some(of), _) => {
            let most = of_kind.filter_map(|figures| size(&figures));
            of / most.fold(f64::MIN_POSITIVE, f64::max)
        }
        (None, Some(plies)) => {
            let all: Vec<u32> = of_kind
                .filter_map(|figures| figures.distance)
                .map(|plies| plies.0)
                .collect();
            let least = all.iter().copied().fold(plies.0, u32::min);
            let most = all.iter().copied().fold(plies.0, u32::max);
            1.0 - f64::from(plies.0 - least) / f64::from((most - least).max(1))
        }
        (None, None) => 0.0,
    };
    1 + (3.0 * share).round() as u8
}

/// How much the best of some choices stands out.
pub(super) fn ring_of(answer: Option<&Answer>, choices: &[&MoveChoice]) -> Ring {
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
    let best = if figures::is_ranked(answer) {
        answer.best.len()
    } else {
        0
    };
    ranks
        .min()
        .map_or(Ring::None, |rank| ring(&moves, rank, best))
}

/// How a square stands out on which some moves are made: that of a hint, else by what the moves are worth.
fn ring_on(page: &Page<'_>, name: &str, choices: &[&MoveChoice]) -> Ring {
    let framed = |is_shown: bool| if is_shown { Ring::Quick } else { Ring::None };
    let are_among =
        |moves: &[String]| framed(choices.iter().any(|choice| moves.contains(&choice.text)));
    if page.put.is_some() {
        return Ring::None;
    }
    match (page.hint, page.hardest) {
        (Some(Hint::Places(places)), _) => framed(places.iter().any(|place| place == name)),
        (Some(Hint::Moves { moves, .. }), _) => are_among(moves),
        (Some(Hint::Stands(_)) | None, Some(hardest)) => are_among(&hardest.moves),
        (Some(Hint::Stands(_)) | None, None) => ring_of(page.answer, choices),
    }
}

/// The light that a move puts on its square.
fn next_light(choice: &MoveChoice) -> Option<char> {
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
    // Until the program has replied nothing can be played, and after a miss there is nothing to play.
    if page.is_closed() {
        return tags;
    }
    // Where nothing is proven about any move there is nothing to write on them.
    // While a counter is on its way, neither.
    let any_proven = any_proven(page.answer) && page.put.is_none();
    let has_badges = !page.all_draw();
    for square in 0..view.diagram.marks.len() {
        let name = view.diagram.names.get(square).map_or("", String::as_str);
        // What is made here, and what leads here from the square that was chosen.
        let made: Vec<&MoveChoice> = view
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
        let arriving: Vec<&MoveChoice> = made
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
        // Once a disc is chosen, its own steps alone show what they are worth.
        let is_other = page.selected.is_some_and(|from| from != square)
            && is_step(choice)
            && arriving.is_empty();
        let (text, tone, worth) = match known.as_ref().filter(|_| any_proven && !is_other) {
            Some(known) => {
                let (text, tone, worth) = page.worth(known);
                // Beside the reasons of a move its lines are to be seen.
                let of_others = page
                    .asked_why()
                    .is_some_and(|why| shown.iter().all(|choice| choice.text != why.mv.mv));
                let is_told = has_badges && !of_others;
                (if is_told { text } else { String::new() }, tone, worth)
            }
            None if page.hint.is_some() => (String::new(), Tone::Win, String::new()),
            None => (String::new(), Tone::Plain, String::new()),
        };
        let href = if shown.len() == 1 && (!arriving.is_empty() || !is_step(choice)) {
            page.after(&choice.text)
        } else {
            page.choosing(name)
        };
        let said = page.spoken_move(&choice.text);
        let label = if worth.is_empty() {
            format!("{name} {stands}: {said}")
        } else {
            format!("{name} {stands}: {said} {worth}")
        };
        tags.push(Tag {
            square,
            text,
            tone,
            ring: if is_other {
                Ring::None
            } else {
                ring_on(page, name, shown)
            },
            next: next_light(choice),
            heat: match (page.reader.heat, &known) {
                (true, Some(known)) => strength(page.answer, known),
                (_, _) => 0,
            },
            href: Some(href),
            label,
        });
    }
    tags
}

fn is_step(choice: &MoveChoice) -> bool {
    matches!(choice.place, MovePlace::Step(..))
}

/// The first of some moves in the order of the answer.
fn best_of<'c>(answer: Option<&Answer>, choices: &[&'c MoveChoice]) -> Option<&'c MoveChoice> {
    let rank = |choice: &MoveChoice| {
        let mut moves = answer.into_iter().flat_map(|answer| &answer.moves);
        moves.position(|known| known.mv == choice.text)
    };
    choices
        .iter()
        .copied()
        .min_by_key(|choice| rank(choice).unwrap_or(usize::MAX))
}
