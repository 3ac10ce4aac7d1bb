//! A position in few words, for its card.

use greenwave_game::Diagram;
use greenwave_picture::{MovePlace, Ring, Tag, place};
use greenwave_play::HardestMoves;
use greenwave_tablebase::{Answer, Tablebase, Value};
use greenwave_words::Language;

use crate::explorer::Explorer;
use crate::page::figures;
use crate::page::reader::Reader;
use crate::page::start::Start;
use crate::page::titles;
use crate::page::told::PageValues;
use crate::page::verdict::{task, turn_key, verdict_named};
use crate::problem::Problem;
use crate::question::Question;
use crate::view::View;

/// The player to move, as a key; `None` where the game is over.
fn mover_of(view: &View) -> Option<&'static str> {
    let nobody = view.ending.is_some() || view.chance;
    (!nobody).then(|| turn_key(view.first_moves()))
}

/// What the card of a position says.
pub(crate) struct PositionSummary {
    pub(crate) game: String,
    pub(crate) turn: &'static str,
    pub(crate) verdict: String,
    /// The suggested moves, each with what it is worth.
    pub(crate) suggested: Vec<Tag>,
    /// Whether it is about the game, and not about a position of it.
    pub(crate) of_game: bool,
    /// How hard the puzzle is, from 1; 0 where it is none.
    pub(crate) level: u8,
}

/// The suggested moves of a position on its board, in frames: the hardest to refute, else the best.
fn suggested_moves(
    words: Language,
    diagram: &Diagram,
    answer: &Answer,
    hardest: Option<&HardestMoves>,
) -> Vec<Tag> {
    let mut tags: Vec<Tag> = Vec::new();
    let suggested = hardest.map_or(&answer.best, |hardest| &hardest.moves);
    for mv in answer.moves.iter().filter(|mv| suggested.contains(&mv.mv)) {
        let MovePlace::Square(square) = place(diagram, &mv.mv) else {
            continue;
        };
        // A square has one badge.
        if tags.iter().any(|tag| tag.square == square) {
            continue;
        }
        let (text, tone, _) = figures::of_move(words, &mv.figures());
        tags.push(Tag {
            square,
            // The strokes of a card have no such blank.
            text: text.replace('\u{a0}', " "),
            tone,
            ring: Ring::Quick,
            ..Tag::default()
        });
    }
    tags
}

/// The position of a view, in words.
pub(crate) fn said_of(
    explorer: &Explorer,
    tablebase: &Tablebase,
    question: &Question,
    reader: &Reader,
    view: &View,
) -> Result<PositionSummary, Problem> {
    let words = reader.language;
    let values = PageValues::new(tablebase, question);
    let open = view.passed[view.at].at.filter(|_| view.ending.is_none());
    let of = |at| values.of(&at);
    let answer = open.filter(|_| reader.hints).map(of).transpose()?;
    // Whoever is to move in a puzzle is the one who solves it.
    let first_to_move = view.passed[view.at].first_to_move;
    let level = reader.puzzle.filter(|_| reader.play == Some(first_to_move));
    let task = match (level, open.filter(|_| !reader.hints)) {
        (Some(level), Some(at)) => {
            let answer = of(at)?;
            Some((task(words, &question.variant, &answer), level))
        }
        (_, _) => None,
    };
    let proven = answer
        .as_deref()
        .filter(|answer| answer.value != Value::Unknown || answer.points.is_some());
    let scores = question.variant.rules().properties.scores;
    let first = view.first_moves();
    let at_start = view.is_start() && reader.hints;
    let published = || {
        Start::of(&question.variant)
            .filter(|_| at_start)?
            .sentence(words)
    };
    let named = || verdict_named(words, view, first, scores, proven);
    // Before the first draw the game is told, and not that one comes.
    let verdict = if view.chance {
        published().or_else(named)
    } else {
        named().or_else(published)
    };
    let suggested = proven.map(|answer| {
        let hardest = values.hardest(answer)?;
        let tags = suggested_moves(words, &view.diagram, answer, hardest.as_ref());
        Ok::<_, Problem>(tags)
    });
    let suggested = suggested.transpose()?;
    // Without a value, and without a task, a card of the start is one of the game.
    let of_game = view.is_start() && verdict.is_none() && task.is_none();
    let rule = titles::short_rule(words, &question.variant).filter(|_| of_game);
    Ok(PositionSummary {
        game: titles::title(explorer, words, &question.name),
        of_game,
        turn: if task.is_some() {
            words.text("puzzle-name")
        } else if rule.is_some() {
            ""
        } else if view.is_start() {
            words.text("card-start")
        } else {
            mover_of(view).map_or("", |key| words.text(key))
        },
        suggested: suggested.unwrap_or_default(),
        level: task.as_ref().map_or(0, |(_, level)| *level),
        verdict: task
            .map(|(task, _)| task)
            .or(verdict)
            .or(rule.map(String::from))
            .unwrap_or_else(|| words.text("card-question").into()),
    })
}
