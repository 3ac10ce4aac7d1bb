//! What refutes moves that lose.

use greenwave_game::{AnyPosition, Game, Variant};
use greenwave_tablebase::{Answer, Error, MoveFigures, Queries, Value};

use super::fact::{Fact, MoveRefutation};
use super::line::{best_move, completed, runs_to_end, steps};
use super::sight::refuted_at_once;
use super::threats::{fork_after, fork_of_reply, fork_whatever};
use crate::symmetries::{MoveOrbit, PositionSymmetries};

/// Plies of a win by a fork that the next move of the same player makes.
pub(super) const FORK_NEXT: Option<u32> = Some(5);

/// Most moves that fail among which an example is looked for.
const LOOKED_AT: usize = 12;

/// The fork by which a move wins, or the best reply to it: at once, forced, or after whatever answer.
pub(super) fn forked(
    queries: &Queries<'_>,
    mv: &MoveFigures,
    to: &AnyPosition,
    replies: &Answer,
) -> Result<Option<Fact>, Error> {
    let variant = queries.variant();
    let known = fork_after(variant, mv, to).or_else(|| fork_of_reply(variant, mv, replies));
    let Some(best) = replies.moves.first().filter(|_| known.is_none()) else {
        return Ok(known);
    };
    if mv.points.is_some() {
        return Ok(None);
    }
    if mv.value == Some(Value::Win) && mv.distance == FORK_NEXT {
        return Ok(fork_whatever(variant, None, to, &best.mv));
    }
    let wins_next = mv.value == Some(Value::Loss) && best.distance == FORK_NEXT;
    let Some(after) = best.after.filter(|_| wins_next) else {
        return Ok(None);
    };
    let answers = queries.answer(&after)?;
    let longest = answers.moves.first().map_or("", |mv| mv.mv.as_str());
    Ok(fork_whatever(variant, Some(&best.mv), &after, longest))
}

/// The moves that are worth so much.
pub(super) fn worth(answer: &Answer, value: Value) -> Vec<String> {
    let alike = answer.moves.iter().filter(|mv| mv.value == Some(value));
    alike.map(|mv| mv.mv.clone()).collect()
}

/// The moves that are worth so much, up to the symmetries of the position.
pub(super) fn orbits_worth(variant: &Variant, answer: &Answer, value: Value) -> Vec<MoveOrbit> {
    let alike = answer.moves.iter().filter(|mv| mv.value == Some(value));
    let ends = alike.map(|mv| (mv.mv.as_str(), mv.after));
    PositionSymmetries::of(variant, &answer.at).orbits(variant, ends)
}

/// What the replies to a move that loses do: the best completes a line, or some of them win.
pub(super) fn lost(queries: &Queries<'_>, replies: &Answer) -> Result<Option<Fact>, Error> {
    let variant = queries.variant();
    let Some(best) = best_move(variant, replies) else {
        return Ok(None);
    };
    let wins_now = best.ends && best.value == Some(Value::Win);
    let after = best.after.filter(|_| wins_now);
    let line = after.and_then(|after| completed(variant, &replies.at, &after));
    Ok(Some(match line {
        Some(line) => Fact::RefutedAtOnce {
            reply: best.mv.clone(),
            line,
        },
        None => Fact::Refuted {
            winning: worth(replies, Value::Win),
            orbits: orbits_worth(variant, replies, Value::Win),
            replies: replies.moves.len(),
            line: steps(queries, &replies.at, false)?,
        },
    }))
}

/// What refutes a move that loses.
pub(super) fn refutation(
    queries: &Queries<'_>,
    from: &Answer,
    mv: &MoveFigures,
) -> Result<Option<MoveRefutation>, Error> {
    let variant: &Variant = queries.variant();
    let Some(to) = mv.after.filter(|_| mv.value == Some(Value::Loss)) else {
        return Ok(None);
    };
    let made = variant.parse_move(&from.at, &mv.mv);
    let keeps_turn = made.is_ok_and(|made| variant.play(&from.at, made).keeps_turn);
    let fact = if mv.ends {
        completed(variant, &from.at, &to).map(|line| Fact::Completes { line, wins: false })
    } else if keeps_turn {
        // The replies to it are moves of the same player.
        runs_to_end(queries, mv, &to, keeps_turn)?
    } else if let Some(at_once) = refuted_at_once(variant, &to) {
        Some(at_once)
    } else {
        let replies = queries.answer(&to)?;
        match forked(queries, mv, &to, &replies)? {
            Some(fork) => Some(fork),
            None => match runs_to_end(queries, mv, &to, keeps_turn)? {
                Some(end) => Some(end),
                None => lost(queries, &replies)?,
            },
        }
    };
    Ok(fact.map(|fact| MoveRefutation {
        mv: mv.mv.clone(),
        fact: Box::new(fact),
    }))
}

/// Of the moves that lose, the one whose refutation shows most: a fork, a line, or else the replies that win.
pub(super) fn refuted_example(
    queries: &Queries<'_>,
    from: &Answer,
) -> Result<Option<MoveRefutation>, Error> {
    let lost = from.moves.iter().filter(|mv| mv.value == Some(Value::Loss));
    let mut best: Option<(u8, MoveRefutation)> = None;
    for mv in lost.take(LOOKED_AT) {
        let Some(found) = refutation(queries, from, mv)? else {
            continue;
        };
        let forks = matches!(
            *found.fact,
            Fact::Fork { .. } | Fact::Forces { .. } | Fact::ForksNext { .. }
        );
        let rank = if forks {
            0
        } else {
            1 + u8::from(found.fact.lines().is_empty())
        };
        if best.as_ref().is_none_or(|(known, _)| rank < *known) {
            best = Some((rank, found));
        }
        if rank == 0 {
            break;
        }
    }
    Ok(best.map(|(_, found)| found))
}

/// How many moves of a drawn position lose, where all are known, and what refutes one of them.
pub(super) fn beside(queries: &Queries<'_>, from: &Answer) -> Result<Option<Fact>, Error> {
    let moves = from.moves.len();
    let is_known = |mv: &MoveFigures| matches!(mv.value, Some(Value::Draw | Value::Loss));
    if moves < 2 || !from.moves.iter().all(is_known) {
        return Ok(None);
    }
    let losing = from.moves.iter().filter(|mv| mv.value == Some(Value::Loss));
    Ok(Some(Fact::Beside {
        losing: losing.count(),
        moves,
        example: refuted_example(queries, from)?,
    }))
}
