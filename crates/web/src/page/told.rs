//! What is told of a position and its game: the marks of its plies, the values of its positions, reasons.

use greenwave_game::Metric;
use greenwave_play::{Mark, explain, review};
use greenwave_tablebase::{Answer, MoveFigures, Place, Tablebase};

use crate::page::chart::Point;
use crate::page::why::Why;
use crate::page::{Reader, figures};
use crate::problem::Problem;
use crate::question::Question;
use crate::view::View;

/// Longest game whose values are charted, in plies.
pub(super) const CHARTED: usize = 400;

/// How much lower the chart stands where a win is farthest off.
const FAR: f64 = 0.7;

/// The reasons of the move that was asked about, or of the best one.
pub(super) fn why(
    tablebase: &Tablebase,
    question: &Question,
    asked: Option<&str>,
    answer: &Answer,
) -> Result<Option<Why>, Problem> {
    let asked = match asked {
        None => answer.moves.first(),
        Some(asked) => {
            let named = |mv: &&MoveFigures| mv.mv == asked;
            let found = answer.moves.iter().find(named);
            Some(found.ok_or_else(|| {
                Problem::input(format!(
                    "why: found '{asked}', expected a move of the position, such as {}",
                    answer.moves.first().map_or("a1R", |mv| mv.mv.as_str())
                ))
            })?)
        }
    };
    let Some(mv) = asked else { return Ok(None) };
    let queries = tablebase.queries(&question.variant, &question.options())?;
    let at_hand = tablebase.is_at_hand(&question.variant);
    Ok(Some(Why {
        facts: explain(&queries, at_hand, &answer.position, mv)?,
        mv: mv.clone(),
    }))
}

/// Whether the values of the game are to be told: to who wants hints, and at the end of a game that is
/// played.
pub(super) fn tells(
    tablebase: &Tablebase,
    question: &Question,
    reader: &Reader,
    view: &View,
) -> bool {
    if reader.held {
        return false;
    }
    let playing = reader.play.is_some() || reader.watch;
    let told = reader.hints || (playing && (view.ending.is_some() || reader.resigned));
    told && tablebase.is_at_hand(&question.variant)
}

/// What the plies of the game deserve, where that is to be told; draws deserve nothing.
pub(super) fn marks(
    tablebase: &Tablebase,
    question: &Question,
    reader: &Reader,
    view: &View,
) -> Result<Vec<Option<Mark>>, Problem> {
    let set = reader.puzzle.is_some() && !reader.held;
    let wanted = tells(tablebase, question, reader, view)
        || (set && tablebase.is_at_hand(&question.variant));
    if !wanted || view.plies.is_empty() || view.plies.len() > CHARTED {
        return Ok(Vec::new());
    }
    let found = review(
        tablebase,
        &question.variant,
        &question.place(),
        &question.options(),
    )?;
    let mut moves = found.plies.iter();
    let mark = |ply: &crate::view::Ply| match ply.is_draw {
        true => None,
        false => moves.next().map(|ply| ply.mark),
    };
    Ok(view.plies.iter().map(mark).collect())
}

/// The values of all positions of the game for the player who began it.
pub(super) fn points(
    tablebase: &Tablebase,
    question: &Question,
    view: &View,
) -> Result<Vec<Option<Point>>, Problem> {
    let queries = tablebase.queries(&question.variant, &question.options())?;
    let scored = question.variant.rules().default_metric == Metric::Points;
    let mut answers = Vec::new();
    for passed in &view.passed {
        answers.push(match &passed.text {
            Some(text) => Some(queries.query(&Place::at(text))?),
            None => None,
        });
    }
    let scale = answers
        .iter()
        .flatten()
        .filter_map(|answer| answer.points)
        .map(|points| f64::from(points.abs()))
        .fold(1.0, f64::max);
    let farthest = answers
        .iter()
        .flatten()
        .filter_map(|answer| answer.distance)
        .fold(1, u32::max);
    let known = answers.iter().zip(&view.passed).map(|(answer, passed)| {
        let answer = answer.as_ref()?;
        let value = figures::on_scale(answer, if scored { scale } else { 1.0 })?;
        let value = if passed.first_to_move { value } else { -value };
        // What is near its end stands out more.
        let near = match answer.distance.filter(|_| !scored) {
            Some(plies) => 1.0 - FAR * f64::from(plies) / f64::from(farthest),
            None => 1.0,
        };
        Some(Point {
            value,
            height: value * near,
        })
    });
    Ok(known.collect())
}
