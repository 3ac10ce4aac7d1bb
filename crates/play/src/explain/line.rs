//! Best play after a move, and the line in which it ends.

use greenwave_game::{
    Advance, AnyPosition, Diagram, Game, Mark, Outcome, Squares, Turn, Variant, VariantGame,
    with_game,
};
use greenwave_tablebase::{Answer, Error, MoveFigures, Queries, Value, loses_by_theorem};

use super::fact::{CompletedLine, Fact, RefutationPly, SettledPosition};
use super::safe::count_safe;
use super::sentence::NEAR;
use crate::level::is_sensible;

/// Most plies of a refutation that are given.
const LINE: usize = 8;
/// Most plies of a line of best play to its end.
const TO_END: usize = 60;

/// The best move of an answer: of those that are worth as many points, one that gives nothing away.
pub(super) fn best_move<'a>(variant: &Variant, answer: &'a Answer) -> Option<&'a MoveFigures> {
    let mut equal = answer.best_moves().iter();
    let sensible = equal.find(|mv| is_sensible(variant, answer, mv));
    sensible.or(answer.moves.first())
}

/// Best play after a move to the one that completes a line and ends the game, where its length is proven.
pub(super) fn line_to_end(
    queries: &Queries<'_>,
    mv: &MoveFigures,
    from: &AnyPosition,
) -> Result<Option<Fact>, Error> {
    let variant = queries.variant();
    let plies = best_play(queries, from, false, TO_END)?;
    let is_whole = mv.points.is_some() || mv.distance == Some(plies.len() as u32 + 1);
    if plies.is_empty() || !is_whole {
        return Ok(None);
    }
    let (mut before, mut at) = (*from, *from);
    let mut passed = vec![*from];
    for step in &plies {
        let Ok(made) = variant.parse_move(&at, &step.mv) else {
            return Ok(None);
        };
        before = at;
        at = variant.play(&before, made).to;
        passed.push(at);
    }
    let (Some(completes), Some(ending)) = (completed(variant, &before, &at), variant.ending(&at))
    else {
        return Ok(None);
    };
    if mv.points.is_some() {
        // Where play goes on after a line, the last one does not decide.
        if !variant.completed_lines(&before).is_empty() {
            return Ok(None);
        }
        return Ok(Some(Fact::Ends {
            own: plies.len().is_multiple_of(2),
            completes,
            line: plies,
        }));
    }
    // Whoever completes the line made the move before a loss, or has no other and loses.
    let unsafe_plies = if ending.outcome == Outcome::Loss {
        2
    } else {
        1
    };
    let safe = plies.len().saturating_sub(unsafe_plies);
    let settled = if plies.len() >= NEAR {
        settled(variant, &passed[..=safe])
    } else {
        None
    };
    Ok(Some(Fact::ToEnd {
        loses: ending.outcome != Outcome::Loss,
        completes,
        safe: safe as u32,
        line: plies,
        settled,
    }))
}

/// Of positions of best play after a move, up to one without a safe move, the first from which on every order of safe
/// moves leaves the same player without one.
fn settled(variant: &Variant, passed: &[AnyPosition]) -> Option<SettledPosition> {
    let last = passed.len() - 1;
    let counted = passed.iter().enumerate().rev().map_while(|(number, at)| {
        let (fewest, most) = count_safe(variant, at, number % 2 == last % 2)?;
        Some(SettledPosition {
            plies: number as u32 + 1,
            fewest,
            most,
        })
    });
    counted.last()
}

/// Best play after a move that draws to the first position that comes again, where positions can repeat.
pub(super) fn repeats(
    queries: &Queries<'_>,
    from: &AnyPosition,
    mv: &MoveFigures,
) -> Result<Option<Fact>, Error> {
    /// Most plies until then.
    const MOST: usize = 40;
    let variant = queries.variant();
    let properties = &variant.rules().properties;
    let Some(to) = mv.after.filter(|_| properties.advance == Advance::Repeats) else {
        return Ok(None);
    };
    let mut line = best_play(queries, &to, false, MOST)?;
    let (mut seen, mut at) = (vec![*from, to], to);
    for number in 0..line.len() {
        let Ok(made) = variant.parse_move(&at, &line[number].mv) else {
            return Ok(None);
        };
        at = variant.play(&at, made).to;
        if seen.contains(&at) {
            line.truncate(number + 1);
            let plies = number as u32 + 2;
            return Ok(Some(Fact::Repeats { plies, line }));
        }
        seen.push(at);
    }
    Ok(None)
}

/// Best play after a move to the line that ends the game, where a player may move several times running. `own` tells
/// whether the player who made the move goes on.
pub(super) fn runs_to_end(
    queries: &Queries<'_>,
    mv: &MoveFigures,
    from: &AnyPosition,
    own: bool,
) -> Result<Option<Fact>, Error> {
    let variant = queries.variant();
    if variant.rules().properties.turn != Turn::Runs {
        return Ok(None);
    }
    let plies = best_play(queries, from, false, TO_END)?;
    if plies.is_empty() || mv.distance != Some(plies.len() as u32 + 1) {
        return Ok(None);
    }
    let (mut before, mut at) = (*from, *from);
    let (mut by_own, mut is_own) = (own, own);
    for step in &plies {
        let Ok(made) = variant.parse_move(&at, &step.mv) else {
            return Ok(None);
        };
        let edge = variant.play(&at, made);
        (before, at) = (at, edge.to);
        (by_own, is_own) = (is_own, is_own == edge.keeps_turn);
    }
    Ok(
        completed(variant, &before, &at).map(|completes| Fact::Ends {
            own: by_own,
            completes,
            line: plies,
        }),
    )
}

/// Best play from a position, with the moves marked that alone keep a win, or the points. Where a player
/// `copies`, every second move is the copy of the one before, or wins at once.
pub(super) fn steps(
    queries: &Queries<'_>,
    from: &AnyPosition,
    copies: bool,
) -> Result<Vec<RefutationPly>, Error> {
    best_play(queries, from, copies, LINE)
}

/// The same, of at most so many plies.
fn best_play(
    queries: &Queries<'_>,
    from: &AnyPosition,
    copies: bool,
    most: usize,
) -> Result<Vec<RefutationPly>, Error> {
    let mut line: Vec<RefutationPly> = Vec::new();
    let mut at = *from;
    while line.len() < most {
        let answer = queries.answer(&at)?;
        let Some(best) = best_move(queries.variant(), &answer) else {
            break;
        };
        let copied = line.last().filter(|_| copies && line.len() % 2 == 1);
        let best = copied
            .filter(|_| !best.ends)
            .and_then(|made| copy_of(queries.variant(), &made.mv, &answer))
            .unwrap_or(best);
        let keeps = |mv: &&MoveFigures| match best.points {
            Some(_) => mv.points == best.points,
            None => mv.value == Some(Value::Win),
        };
        let keeping = answer.moves.iter().filter(keeps).count();
        line.push(RefutationPly {
            mv: best.mv.clone(),
            only: keeping == 1 && answer.moves.len() > 1,
        });
        match (best.after, best.ends) {
            (Some(after), false) => at = after,
            (_, _) => break,
        }
    }
    Ok(line)
}

/// The copy of the move just made: the theorem holds again after it. It puts the same light on another square,
/// unless the square is its own image.
pub(super) fn copy_of<'a>(
    variant: &Variant,
    made: &str,
    answer: &'a Answer,
) -> Option<&'a MoveFigures> {
    let light = made.chars().last();
    let is_proved = |mv: &&MoveFigures| {
        let after = mv.after;
        after.is_some_and(|after| loses_by_theorem(variant, &after).is_some())
    };
    let copies = answer.moves.iter().filter(is_proved);
    copies.min_by_key(|mv| mv.mv.chars().last() != light)
}

/// The line that a move completes, with any others that it completes; they may leave the board with that move.
pub(super) fn completed(
    variant: &Variant,
    before: &AnyPosition,
    after: &AnyPosition,
) -> Option<CompletedLine> {
    let stood = variant.completed_lines(before);
    let stands = variant.completed_lines(after);
    let diagram = variant.diagram(after);
    let made = stands.iter().filter(|line| !stood.contains(line));
    let made = made.map(|line| CompletedLine::of(&diagram, line));
    CompletedLine::together(made).or_else(|| captured(variant, before, after))
}

/// The lines that the move between two positions takes off the board.
fn captured(variant: &Variant, before: &AnyPosition, after: &AnyPosition) -> Option<CompletedLine> {
    if !variant.features().cylinders {
        return None;
    }
    let mut moves = Vec::new();
    variant.moves(before, &mut moves);
    let mv = moves
        .iter()
        .find(|mv| variant.play(before, **mv).to == *after)?;
    let lines = with_game!(variant, game => {
        game.captured_lines(&game.position(before), game.mv(mv))
    });
    let names = variant.diagram(before).names;
    CompletedLine::together(lines.iter().map(|line| CompletedLine {
        squares: line.map(|square| names[square].clone()).to_vec(),
        lights: String::from("RYG"),
        others: Vec::new(),
    }))
}

impl CompletedLine {
    /// The lines that one move completes; `None` where there are none.
    fn together(mut lines: impl Iterator<Item = CompletedLine>) -> Option<CompletedLine> {
        let first = lines.next()?;
        Some(CompletedLine {
            others: lines.collect(),
            ..first
        })
    }

    /// A line of squares as a diagram shows it.
    pub(super) fn of(diagram: &Diagram, line: &[usize]) -> CompletedLine {
        CompletedLine {
            squares: line
                .iter()
                .map(|square| diagram.names[*square].clone())
                .collect(),
            lights: line.iter().map(|square| letter(diagram, *square)).collect(),
            others: Vec::new(),
        }
    }
}

pub(super) fn letter(diagram: &Diagram, square: usize) -> char {
    match diagram.marks[square].2 {
        Mark::Level(level) => diagram.letter(level),
        Mark::Disc { colour, .. } => colour,
        Mark::Sign(Some(sign)) => sign,
        Mark::Sign(None) | Mark::Point => '.',
    }
}
