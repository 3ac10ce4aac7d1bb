//! What the replies to a move do.

use greenwave_game::{AnyPosition, Game, Variant};
use greenwave_tablebase::{Answer, Error, MoveFigures, Queries, Value};

use super::fact::{Fact, RefutationPly};
use super::line::{best_move, completed, steps};
use super::refuted::{lost, orbits_worth, refutation, refuted_example, worth};
use super::safe::answered;
use crate::symmetries::MoveOrbit;

/// What the replies to a move say first.
pub(super) fn main_fact(
    queries: &Queries<'_>,
    mv: &MoveFigures,
    replies: &Answer,
    copies: bool,
) -> Result<Option<Fact>, Error> {
    let Some(best) = best_move(queries.variant(), replies) else {
        return Ok(None);
    };
    let all = replies.moves.len();
    // Points say more than who is ahead; a reply there neither wins nor loses by itself.
    if let Some(points) = mv.points {
        let after = best.after;
        return Ok(Some(Fact::Scores {
            points,
            completes: after.and_then(|after| completed(queries.variant(), &replies.at, &after)),
            line: steps(queries, &replies.at, false)?,
        }));
    }
    Ok(match mv.value {
        Some(Value::Loss) => lost(queries, replies)?,
        Some(Value::Win) => Some(Fact::Holds {
            replies: all,
            longest: replies.best.clone(),
            line: steps(queries, &replies.at, copies)?,
            answers: Vec::new(),
            example: None,
        }),
        Some(Value::Draw) => Some(Fact::Draws {
            holding: worth(replies, Value::Draw),
            losing: orbits_worth(queries.variant(), replies, Value::Loss),
            replies: all,
            line: steps(queries, &replies.at, false)?,
            example: None,
        }),
        Some(Value::Unknown) | None => None,
    })
}

/// What the replies do, with what refutes one that loses.
pub(super) fn with_example(
    queries: &Queries<'_>,
    replies: &Answer,
    fact: Fact,
) -> Result<Fact, Error> {
    let mut fact = fact;
    if let (
        Fact::Holds {
            example, answers, ..
        },
        Some(longest),
    ) = (&mut fact, replies.moves.first())
    {
        let moves = replies.moves.iter();
        let moves = moves.map(|reply| (reply.mv.as_str(), reply.after));
        *answers = answered(queries, &replies.at, moves, false)?;
        if answers.is_empty() {
            *example = refutation(queries, replies, longest)?;
        }
    }
    if let Fact::Draws { example, .. } = &mut fact {
        *example = refuted_example(queries, replies)?;
    }
    Ok(fact)
}

/// What the replies do, with the one first after which the opponent copies, and play that copies.
pub(super) fn begun_by(
    queries: &Queries<'_>,
    to: &AnyPosition,
    reply: &str,
    fact: Fact,
) -> Result<Fact, Error> {
    let variant = queries.variant();
    let mut fact = fact;
    if let (
        Fact::Refuted {
            winning,
            orbits,
            line,
            ..
        },
        Ok(made),
    ) = (&mut fact, variant.parse_move(to, reply))
        && let Some(place) = winning.iter().position(|known| known == reply)
    {
        winning[..=place].rotate_right(1);
        let is_of =
            |orbit: &MoveOrbit| orbit.mv == reply || orbit.images.iter().any(|mv| mv == reply);
        if let Some(place) = orbits.iter().position(is_of) {
            orbits[..=place].rotate_right(1);
        }
        let only = line.first().is_some_and(|first| first.only);
        let mv = reply.to_string();
        line.clear();
        line.push(RefutationPly { mv, only });
        line.extend(steps(queries, &variant.play(to, made).to, true)?);
    }
    Ok(fact)
}

/// The replies to a move that win, where the value of every reply is known.
pub(super) fn refuted_by_now(
    variant: &Variant,
    mv: &MoveFigures,
    replies: &Answer,
) -> Option<Fact> {
    let mut known = replies.moves.iter().map(|reply| reply.figures().value);
    let is_open = known.any(|value| value.is_none());
    if mv.value != Some(Value::Loss) || mv.points.is_some() || is_open {
        return None;
    }
    let winning = replies
        .moves
        .iter()
        .filter(|reply| reply.value == Some(Value::Win));
    let winning: Vec<String> = winning.map(|reply| reply.mv.clone()).collect();
    let line = vec![RefutationPly {
        mv: winning.first()?.clone(),
        only: winning.len() == 1 && replies.moves.len() > 1,
    }];
    Some(Fact::Refuted {
        winning,
        orbits: orbits_worth(variant, replies, Value::Win),
        replies: replies.moves.len(),
        line,
    })
}

/// The answers to the best reply, which wins: where the game goes on after it, every one of them loses.
pub(super) fn answers_lose(queries: &Queries<'_>, replies: &Answer) -> Result<Option<Fact>, Error> {
    let best = replies.moves.first();
    let best = best.filter(|best| best.value == Some(Value::Win) && !best.ends);
    let Some((best, after)) = best.and_then(|best| Some((best, best.after?))) else {
        return Ok(None);
    };
    let answers = queries.answer(&after)?;
    let lost = answers.moves.first().filter(|longest| {
        let mut all = answers.moves.iter();
        longest.value == Some(Value::Loss) && all.all(|mv| mv.value == Some(Value::Loss))
    });
    let Some((longest, plies)) = lost.and_then(|longest| Some((longest, longest.distance?))) else {
        return Ok(None);
    };
    Ok(Some(Fact::Answers {
        reply: best.mv.clone(),
        answers: answers.moves.len(),
        longest: longest.mv.clone(),
        plies,
        example: refutation(queries, &answers, longest)?,
    }))
}
