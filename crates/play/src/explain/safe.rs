//! Safe moves: those that neither lose nor let the next one win. Where points count, those that neither complete a line
//! nor let the next move complete one.

use std::collections::HashMap;

use greenwave_game::{AnyMove, AnyPosition, Game, Squares, Turn, Variant, VariantGame, with_game};
use greenwave_tablebase::{Answer, Error, MoveFigures, Queries, Value};

use super::fact::{AnsweredMove, Fact};
use super::line::{best_move, copy_of};
use crate::symmetries::{MoveOrbit, PositionSymmetries};

/// Most positions that the count of safe moves visits.
const COUNTED: usize = 4000;

/// Whether who runs out of safe moves may decide a game: where players have marks of their own, threats do.
pub(super) fn counts_out(variant: &Variant) -> bool {
    variant.features().levels
}

/// Whether a move is one of the strip.
pub(super) fn is_of_strip(variant: &Variant, mv: &AnyMove) -> bool {
    with_game!(variant, game => game.is_strip_move(game.mv(mv)))
}

/// The moves of a position, and whether each is safe.
struct SafeMoves {
    moves: Vec<(AnyMove, bool)>,
}

impl SafeMoves {
    fn of(variant: &Variant, at: &AnyPosition) -> SafeMoves {
        let mut moves = Vec::new();
        variant.moves(at, &mut moves);
        let mut replies = Vec::new();
        let judged = |mv| (mv, variant.is_safe(&variant.play(at, mv).to, &mut replies));
        SafeMoves {
            moves: moves.into_iter().map(judged).collect(),
        }
    }

    fn safe(&self) -> impl Iterator<Item = AnyMove> {
        let safe = self.moves.iter().filter(|(_, is_safe)| *is_safe);
        safe.map(|(mv, _)| *mv)
    }

    fn texts(&self, variant: &Variant, at: &AnyPosition) -> Vec<String> {
        self.safe().map(|mv| variant.move_text(at, mv)).collect()
    }
}

/// The safe moves of a position: those that do not lose at once, neither by themselves nor by the next reply.
#[must_use]
pub fn safe_moves_at(variant: &Variant, at: &AnyPosition) -> Vec<AnyMove> {
    SafeMoves::of(variant, at).safe().collect()
}

/// The safe moves of whoever loses after a move, or comes out behind, where some moves are not. Where the other player
/// `copies`, the answers do.
pub(super) fn safe_next(
    queries: &Queries<'_>,
    mv: &MoveFigures,
    to: &AnyPosition,
    replies: &Answer,
    copies: bool,
) -> Result<Option<Fact>, Error> {
    let (at, reply) = match (mv.value, best_move(queries.variant(), replies)) {
        (Some(Value::Loss), Some(best)) => (best.after, Some(best.mv.clone())),
        (_, _) => (Some(*to), None),
    };
    let Some(at) = at else { return Ok(None) };
    let found = safe_there(queries.variant(), &at, reply);
    found
        .map(|fact| with_answers(queries, &at, fact, copies))
        .transpose()
}

/// The answers of the other player to the safe moves of a position that is lost, where there are few of them and it is
/// known that each answer wins.
pub(super) fn with_answers(
    queries: &Queries<'_>,
    at: &AnyPosition,
    fact: Fact,
    copies: bool,
) -> Result<Fact, Error> {
    let variant = queries.variant();
    let mut fact = fact;
    if let Fact::Safe {
        safe,
        answers,
        scored: false,
        ..
    } = &mut fact
    {
        let after = |mv: &String| Some(variant.play(at, variant.parse_move(at, mv).ok()?).to);
        let moves = safe.iter().map(|mv| (mv.as_str(), after(mv)));
        *answers = answered(queries, at, moves, copies)?;
    }
    Ok(fact)
}

/// An answer that wins against each of the moves of a position, each with the position after it: empty where they are
/// many, up to the symmetries of the position, and where it is not known of each that an answer wins. Where the player
/// `copies`, an answer that does not win at once is the copy.
pub(super) fn answered<'m>(
    queries: &Queries<'_>,
    at: &AnyPosition,
    moves: impl Iterator<Item = (&'m str, Option<AnyPosition>)>,
    copies: bool,
) -> Result<Vec<AnsweredMove>, Error> {
    /// Most moves of which each answer is told.
    const ANSWERED: usize = 6;
    let variant = queries.variant();
    let moves: Vec<_> = moves.collect();
    // Copies differ from each other, also those of moves that are one in a mirror.
    let orbits = if copies {
        let alone = |(mv, _): &(&str, _)| MoveOrbit {
            mv: (*mv).to_string(),
            images: Vec::new(),
        };
        moves.iter().map(alone).collect()
    } else {
        PositionSymmetries::of(variant, at).orbits(variant, moves.iter().copied())
    };
    let mut found = Vec::new();
    if orbits.len() > ANSWERED {
        return Ok(found);
    }
    for made in &orbits {
        let after = moves.iter().find(|(mv, _)| *mv == made.mv);
        let Some(after) = after.and_then(|(_, after)| *after) else {
            return Ok(Vec::new());
        };
        let answer = queries.answer(&after)?;
        let best = answer.moves.first().filter(|_| answer.value == Value::Win);
        let Some(best) = best.filter(|best| best.value == Some(Value::Win)) else {
            return Ok(Vec::new());
        };
        let copy = copy_of(variant, &made.mv, &answer).filter(|_| copies && !best.ends);
        let best = copy.unwrap_or(best);
        found.push(AnsweredMove {
            made: made.clone(),
            answer: best.mv.clone(),
        });
    }
    Ok(found)
}

/// The safe moves of a position after a move and perhaps a `reply`, where some moves are not.
pub(super) fn safe_there(
    variant: &Variant,
    at: &AnyPosition,
    reply: Option<String>,
) -> Option<Fact> {
    let found = SafeMoves::of(variant, at);
    let safe = found.texts(variant, at);
    let moves = found.moves.len();
    (safe.len() < moves).then(|| Fact::Safe {
        reply,
        safe,
        answers: Vec::new(),
        moves,
        scored: variant.rules().properties.scores,
    })
}

/// The strip moves that alone are safe after a move: after every light, and none ends the game, the next move completes
/// a line.
pub(super) fn strip_alone(variant: &Variant, at: &AnyPosition) -> Option<Fact> {
    let found = SafeMoves::of(variant, at);
    let (strip, lights): (Vec<_>, Vec<_>) = found
        .moves
        .iter()
        .partition(|(mv, _)| is_of_strip(variant, mv));
    let loses = |mv: &AnyMove| variant.ending(&variant.play(at, *mv).to).is_none();
    let all_lose = lights.iter().all(|(mv, is_safe)| !is_safe && loses(mv));
    let safe = strip.iter().filter(|(_, is_safe)| *is_safe);
    let safe: Vec<String> = safe.map(|(mv, _)| variant.move_text(at, *mv)).collect();
    (all_lose && !lights.is_empty() && !safe.is_empty()).then_some(Fact::StripAlone { safe })
}

/// How many of the moves beside one that alone wins lose at once. `None` where others win, or may.
pub(super) fn wins_alone(variant: &Variant, from: &Answer, mv: &MoveFigures) -> Option<Fact> {
    let moves = &from.moves;
    let others = || moves.iter().filter(|other| other.mv != mv.mv);
    let is_no_win = |other: &MoveFigures| matches!(other.value, Some(Value::Loss | Value::Draw));
    let is_alone = mv.value == Some(Value::Win) && mv.points.is_none() && mv.odds.is_none();
    if !is_alone || moves.len() < 2 || !others().all(is_no_win) {
        return None;
    }
    let mut replies = Vec::new();
    // The next step of a turn may be one of the same player.
    let alternates = variant.rules().properties.turn == Turn::Alternates;
    let mut loses = |other: &&MoveFigures| {
        let after = other.after.filter(|_| alternates);
        after.is_some_and(|after| !variant.is_safe(&after, &mut replies))
    };
    Some(Fact::Alone {
        at_once: others().filter(|other| loses(other)).count(),
        moves: moves.len(),
    })
}

/// The number of safe moves of best play, which follows from its length: after them a player has none, and the next
/// move completes a line. `None` where a game may end without a line.
pub(super) fn safe_by_distance(variant: &Variant, mv: &MoveFigures) -> Option<Fact> {
    let options = &variant.rules().options;
    let is_usual = !options.is_empty() && options.iter().all(|one| one.value == one.default);
    let is_decided = matches!(mv.value, Some(Value::Win | Value::Loss)) && mv.points.is_none();
    let plies = mv.distance.filter(|_| is_decided)?;
    // The move itself, the one that is not safe, and the last.
    let safe = plies.checked_sub(3).filter(|safe| *safe > 0)?;
    (is_usual && variant.fixed_board().is_some()).then_some(Fact::SafeMoves { safe, plies })
}

/// The number of safe moves after a move until a player has none left and loses, where every order of them has as
/// many, or a number that is even as well, or odd: whoever is to run out of them then does, whatever both do.
/// `None` where the order decides, or the search would visit too many positions. The value is that of the move.
pub(super) fn safe_moves(
    variant: &Variant,
    from: &AnyPosition,
    value: Option<Value>,
) -> Option<Fact> {
    let (fewest, most) = count_safe(variant, from, value? == Value::Win)?;
    Some(Fact::Parity { fewest, most })
}

/// The fewest and the most safe moves after a move, as [`safe_moves`] tells them: even numbers, or odd ones.
pub(crate) fn count_safe<G: Game>(
    game: &G,
    from: &G::Position,
    is_even: bool,
) -> Option<(u32, u32)> {
    fn count<G: Game>(
        game: &G,
        from: &G::Position,
        is_even: bool,
        seen: &mut HashMap<G::Position, Option<(u32, u32)>>,
    ) -> Option<(u32, u32)> {
        // A position that repeats has no number yet.
        if let Some(safe) = seen.get(from) {
            return safe.filter(|(fewest, _)| fewest.is_multiple_of(2) == is_even);
        }
        if seen.len() > COUNTED {
            return None;
        }
        seen.insert(*from, None);
        let mut moves = Vec::new();
        game.moves(from, &mut moves);
        let mut left: Option<(u32, u32)> = None;
        for mv in &moves {
            let to = game.play(from, *mv).to;
            if !game.is_safe(&to, &mut Vec::new()) {
                continue;
            }
            // A win at once, or a draw, is decided by something else.
            if game.ending(&to).is_some() {
                return None;
            }
            let (fewest, most) = count(game, &to, !is_even, seen)?;
            let (known_fewest, known_most) = left.unwrap_or((u32::MAX, 0));
            left = Some((known_fewest.min(fewest + 1), known_most.max(most + 1)));
        }
        // Without any move the game has another end.
        let safe = left.or((is_even && !moves.is_empty()).then_some((0, 0)))?;
        seen.insert(*from, Some(safe));
        Some(safe)
    }
    count(game, from, is_even, &mut HashMap::new())
}
