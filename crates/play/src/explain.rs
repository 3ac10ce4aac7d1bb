//! Why a move is worth what it is: facts that follow from values, and sentences about them.

mod blocked;
mod fact;
mod idea;
mod line;
mod market;
mod refuted;
mod replies;
mod safe;
mod sentence;
mod sight;
mod threats;

use greenwave_game::{AnyPosition, Game, Luck, Outcome, Turn, Variant};
use greenwave_tablebase::{
    Answer, AtlasBoard, Error, MoveFigures, Queries, SourceKind, Value, loses_by_theorem,
};

use blocked::{blocked, open_lines};
use line::{completed, line_to_end, repeats, runs_to_end, steps};
use market::market;
use refuted::{FORK_NEXT, beside, forked};
use replies::{answers_lose, begun_by, main_fact, refuted_by_now, with_example};
use safe::{
    counts_out, safe_by_distance, safe_moves, safe_next, safe_there, strip_alone, wins_alone,
    with_answers,
};
use sentence::{NAMED, NEAR};

pub(crate) use safe::count_safe;
pub use safe::safe_moves_at;
use sight::{at_sight, copied, refuted_at_once, slides_back, takes_centre};
use threats::{fork_after, fork_whatever, stops, threat};

pub use fact::{
    AnsweredMove, CompletedLine, Fact, ForcedAnswer, MoveRefutation, RefutationPly, SettledPosition,
};
pub use idea::{SAFE_MOVE_IDEAS, essential, idea_of, way_of};

/// Most facts about one move.
const FACTS: usize = 3;
/// What is true about a move of an answered position, at most three facts. Where `queries` are not quick,
/// with no table and nothing solved, only what the position itself shows, and what is known without a search.
///
/// # Errors
/// When a table is damaged.
pub fn explain(
    queries: &Queries<'_>,
    is_at_hand: bool,
    from: &Answer,
    mv: &MoveFigures,
) -> Result<Vec<Fact>, Error> {
    let variant = queries.variant();
    let properties = &variant.rules().properties;
    let search = Fact::Search {
        plies: mv.distance.filter(|_| mv.value != Some(Value::Draw)),
    };
    let unproven = mv.value.is_none_or(|value| value == Value::Unknown)
        && mv.points.is_none()
        && mv.odds.is_none();
    if unproven {
        return Ok(at_sight(variant, mv));
    }
    // After a draw of chance a reply is another thing.
    let is_solved = matches!(from.source.kind, SourceKind::Table | SourceKind::Solved);
    if properties.luck == Luck::Draws && mv.to.is_none() && is_solved {
        return Ok(vec![market(queries, from, mv)?.unwrap_or(search)]);
    }
    let Some(to) = mv.after.filter(|_| properties.luck == Luck::None) else {
        return Ok(vec![search]);
    };
    if mv.ends {
        return Ok(vec![ends(variant, from, mv, &to).unwrap_or(search)]);
    }
    if properties.turn == Turn::Runs {
        let mut facts = if is_at_hand {
            of_runs(queries, from, mv, &to)?
        } else {
            Vec::new()
        };
        if facts.is_empty() {
            facts.push(search);
        }
        return Ok(facts);
    }
    let proved = match mv.value {
        Some(Value::Win) => loses_by_theorem(variant, &to).map(|proof| Fact::Proved {
            from_centre: takes_centre(variant, &proof, &mv.mv),
            proof,
        }),
        Some(Value::Draw | Value::Loss | Value::Unknown) | None => None,
    };
    if !is_at_hand {
        let mut facts = known_by_now(queries, from, mv, &to, proved)?;
        if facts.is_empty() {
            facts.push(search);
        }
        return Ok(facts);
    }
    let is_decided = mv.points.is_none() && matches!(mv.value, Some(Value::Win | Value::Loss));
    let replies = queries.answer(&to)?;
    let main = main_fact(queries, mv, &replies, proved.is_some())?;
    let (at_once, main) = match main {
        Some(Fact::RefutedAtOnce { .. }) => (main, None),
        // A line that ends the game says all that follows from it.
        Some(Fact::Scores {
            completes: Some(_),
            ref line,
            ..
        }) if line.len() == 1 => (main, None),
        main => (None, main),
    };
    let copied = copied(variant, mv, &to).filter(|_| at_once.is_none());
    let main = match (&copied, main) {
        (Some(Fact::Copied { reply, .. }), Some(main)) => {
            Some(begun_by(queries, &to, reply, main)?)
        }
        (_, main) => main,
    };
    // A fork says all that follows from it.
    let fork = match at_once {
        None => forked(queries, mv, &to, &replies)?,
        Some(_) => None,
    };
    let is_refuted = at_once.is_some() || fork.is_some();
    let strip = strip_alone(variant, &to).filter(|_| !is_refuted);
    let back = slides_back(variant, from, mv, &to).filter(|_| !is_refuted);
    let is_back = back.is_some();
    let is_counted_out = is_decided && !is_refuted && counts_out(variant);
    // A theorem says more than how many moves are safe.
    let is_proved = copied.is_some();
    let counted = mv.value.filter(|_| is_counted_out && !is_proved);
    let parity = safe_moves(variant, &to, counted);
    let is_told = strip.is_some() || parity.is_some() || is_proved;
    let is_ahead_or_behind = mv.points.is_some_and(|points| points != 0) && !is_refuted;
    let safe = if (is_counted_out || is_ahead_or_behind) && !is_told {
        safe_next(queries, mv, &to, &replies, proved.is_some())?
    } else {
        None
    };
    let is_lost = mv.value == Some(Value::Loss) && mv.points.is_none() && mv.odds.is_none();
    let all_lose = matches!(&safe, Some(Fact::Safe { safe, .. }) if safe.is_empty());
    let goes_to_end = is_counted_out && !is_proved || mv.points.is_some() && !is_refuted;
    let line = if goes_to_end && parity.is_none() && proved.is_none() {
        line_to_end(queries, mv, &to)?
    } else {
        None
    };
    let is_far = matches!(&line, Some(Fact::ToEnd { line: plies, .. }) if plies.len() >= NEAR);
    let is_open = !is_proved && (line.is_none() || is_far && safe.is_none());
    let answers = if is_lost && !is_refuted && parity.is_none() && !all_lose && is_open {
        answers_lose(queries, &replies)?
    } else {
        None
    };
    // Reasons come before numbers. The moves of the main fact copy where a theorem says so.
    let (proof, counts) = if proved.is_some() {
        (main, None)
    } else {
        (None, main)
    };
    // That all replies lose follows from the answers to those that do not lose at once.
    let is_answered = matches!(&safe, Some(Fact::Safe { answers, .. }) if !answers.is_empty());
    let has_safe = safe.is_some();
    let is_told = |fact: &Fact| matches!(fact, Fact::Holds { longest, .. } if is_answered || longest.len() > NAMED);
    let counts = counts.filter(|fact| !has_safe || !is_told(fact));
    let counts = match counts {
        Some(counts) if fork.is_none() => Some(with_example(queries, &replies, counts)?),
        counts => counts,
    };
    let (near, far) = if is_far { (None, line) } else { (line, None) };
    let reasons = proved.into_iter().chain(at_once).chain(copied).chain(fork);
    let reasons = reasons.chain(proof).chain(strip).chain(back).chain(parity);
    let reasons = reasons.chain(safe).chain(near);
    let draws = mv.value == Some(Value::Draw) && mv.points.is_none();
    let (threat, stops) = if mv.points.is_none() && !is_refuted && !is_lost {
        (threat(variant, &to), stops(variant, &from.at, mv))
    } else {
        (None, None)
    };
    // Whoever stops a line alone is told by that why every other move loses.
    let is_alone = matches!(&stops, Some(Fact::Stops { stopping: 1, .. }));
    let alone = wins_alone(variant, from, mv).filter(|_| !is_alone);
    let reasons = reasons.chain(stops).chain(threat).chain(alone);
    let mut held = if draws {
        held(queries, from, mv, is_alone)?
    } else {
        HeldDraw::default()
    };
    held.more
        .retain(|fact| !is_back || !matches!(fact, Fact::Repeats { .. }));
    let reasons = reasons.chain(held.first).chain(counts);
    let reasons = reasons.chain(answers).chain(far).chain(held.more);
    let reasons = reasons.chain(better(from, mv)).chain(only_legal(from));
    let mut facts: Vec<Fact> = reasons.collect();
    if facts.is_empty() {
        facts.push(search);
    }
    facts.sort_by_key(FactOrder::of);
    facts.splice(0..0, gains(variant, from, mv));
    lead_with_idea(&mut facts);
    shorten(&mut facts);
    facts.extend(mv.nimber.map(|nimber| Fact::Nimber { nimber }));
    Ok(facts)
}

/// The place of a fact among those about a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum FactOrder {
    /// Whoever asks why a move loses reads first what refutes it, and of points which line scores them.
    Refutes,
    Reason,
    /// Numbers of moves and plies name no reason.
    Number,
}

impl FactOrder {
    fn of(fact: &Fact) -> FactOrder {
        let refutes = matches!(
            fact,
            Fact::Ends { .. }
                | Fact::Refuted { .. }
                | Fact::Copied { .. }
                | Fact::Fork { reply: Some(_), .. }
                | Fact::Forces { reply: Some(_), .. }
                | Fact::ForksNext { reply: Some(_), .. }
        );
        if refutes {
            FactOrder::Refutes
        } else if fact.is_number() {
            FactOrder::Number
        } else {
            FactOrder::Reason
        }
    }
}

/// Puts who runs out of safe moves first where that is the idea, before what follows from it.
fn lead_with_idea(facts: &mut [Fact]) {
    let outlasts = facts.iter().position(|fact| fact.outlasts().is_some());
    let is_idea = way_of(facts).is_some_and(|key| SAFE_MOVE_IDEAS.contains(&key));
    if let Some(at) = outlasts.filter(|_| is_idea) {
        facts[..=at].rotate_right(1);
    }
}

/// Leaves as many facts as readers take in, and one example of a move that loses: of the moves beside the one that is
/// explained before the replies to it.
fn shorten(facts: &mut Vec<Fact>) {
    facts.truncate(FACTS);
    let of_moves = |fact: &Fact| {
        matches!(
            fact,
            Fact::Beside {
                example: Some(_),
                ..
            }
        )
    };
    if facts.iter().any(of_moves) {
        for fact in facts {
            if let Fact::Draws { example, .. } = fact {
                *example = None;
            }
        }
    }
}

/// How a move ends the game.
fn ends(variant: &Variant, from: &Answer, mv: &MoveFigures, to: &AnyPosition) -> Option<Fact> {
    let completes = completed(variant, &from.at, to);
    if let Some(points) = mv.points {
        let line = Vec::new();
        return Some(Fact::Scores {
            points,
            completes,
            line,
        });
    }
    let outcome = mv.value.and_then(Value::outcome)?;
    Some(match (completes, outcome) {
        (Some(line), Outcome::Win | Outcome::Loss) => Fact::Completes {
            line,
            wins: outcome == Outcome::Win,
        },
        (_, _) => Fact::EndsGame { outcome },
    })
}

/// What holds a draw beside the replies.
#[derive(Default)]
struct HeldDraw {
    /// Who can win no more, and what refutes other moves.
    first: Vec<Fact>,
    /// How play goes on, and that no other move wins or loses.
    more: Vec<Fact>,
}

/// What holds a draw: no line is left, positions repeat, and what the other moves do; these are left out where the
/// move `is_alone` in stopping a line.
fn held(
    queries: &Queries<'_>,
    from: &Answer,
    mv: &MoveFigures,
    is_alone: bool,
) -> Result<HeldDraw, Error> {
    let variant = queries.variant();
    let mut held = HeldDraw::default();
    held.first.extend(blocked(variant, mv));
    let is_blocked = !held.first.is_empty();
    if !is_blocked {
        held.more.extend(open_lines(variant, mv));
    }
    held.more.extend(repeats(queries, &from.at, mv)?);
    let beside = if is_alone {
        None
    } else {
        beside(queries, from)?
    };
    match beside {
        Some(Fact::Beside { losing: 0, .. }) if is_blocked => {}
        beside => held.first.extend(beside),
    }
    Ok(held)
}

/// The move that is worth more points.
fn better(from: &Answer, mv: &MoveFigures) -> Option<Fact> {
    let best = from.moves.first()?;
    let points = best.points.filter(|points| Some(*points) > mv.points)?;
    mv.points?;
    Some(Fact::Better {
        best: best.mv.clone(),
        points,
    })
}

/// That a position has one move.
fn only_legal(from: &Answer) -> Option<Fact> {
    (from.moves.len() == 1).then_some(Fact::OnlyLegal)
}

/// The line that a move completes for points, where the game goes on.
fn gains(variant: &Variant, from: &Answer, mv: &MoveFigures) -> Option<Fact> {
    let to = mv.after.filter(|_| mv.points.is_some())?;
    let made = variant.parse_move(&from.at, &mv.mv).ok()?;
    let points = variant.play(&from.at, made).gain;
    let line = completed(variant, &from.at, &to).filter(|_| points != 0)?;
    Some(Fact::Gains { line, points })
}

/// What is known of a move whose value is, before its game is solved: by the rules, by theorems, by sweeps for other
/// positions, and by published results.
fn known_by_now(
    queries: &Queries<'_>,
    from: &Answer,
    mv: &MoveFigures,
    to: &AnyPosition,
    proved: Option<Fact>,
) -> Result<Vec<Fact>, Error> {
    let variant = queries.variant();
    let at_once = mv.value == Some(Value::Loss) && mv.distance == Some(2);
    // Where the rules alone say it, no search did.
    let shown = proved
        .or_else(|| at_once.then(|| refuted_at_once(variant, to))?)
        .or_else(|| copied(variant, mv, to))
        .or_else(|| fork_after(variant, mv, to));
    if let Some(shown) = shown {
        return Ok(vec![shown]);
    }
    let mut facts = Vec::new();
    // What is asked of one fact is known to the next.
    let hurried = queries.hurried();
    let replies = hurried.answer(to)?;
    if replies.source.kind != SourceKind::Searched {
        facts.extend(forked(queries, mv, to, &replies)?);
        let refuted = refuted_by_now(variant, mv, &replies).filter(|_| facts.is_empty());
        if refuted.is_some() {
            let next = safe_next(&hurried, mv, to, &replies, false)?;
            facts.extend(refuted.into_iter().chain(next));
        }
    } else if mv.value == Some(Value::Win) && mv.distance == FORK_NEXT && mv.points.is_none() {
        facts.extend(fork_whatever(variant, None, to, ""));
    }
    facts.extend(strip_alone(variant, to));
    facts.extend(slides_back(variant, from, mv, to));
    let value = mv.value.filter(|_| mv.points.is_none());
    if facts.is_empty() {
        let counted = safe_moves(variant, to, value.filter(|_| counts_out(variant)));
        let counted = counted.or_else(|| safe_by_distance(variant, mv));
        let is_won = value == Some(Value::Win);
        let safe = is_won.then(|| safe_there(variant, to, None)).flatten();
        if let Some(safe) = safe {
            facts.push(with_answers(&hurried, to, safe, false)?);
        }
        facts.extend(counted);
    }
    facts.extend(wins_alone(variant, from, mv));
    // Published are the first moves of boards, and that a position is lost says it of every move.
    let rules = variant.rules();
    let is_first = from.at == variant.start() && AtlasBoard::of(rules).is_some();
    let is_published =
        from.source.kind == SourceKind::Published && (is_first || from.value == Value::Loss);
    let outcome = value.filter(|_| is_published).and_then(Value::outcome);
    // The command that settles it, or that by which it was found.
    let settle = from.source.settle.as_deref();
    let settle = settle.or(from.source.made_by.as_deref()).and_then(|made| {
        let command = made.split(" # ").next();
        command.map(str::to_string)
    });
    facts.extend(outcome.map(|outcome| Fact::Published { outcome, settle }));
    facts.sort_by_key(FactOrder::of);
    facts.truncate(FACTS);
    Ok(facts)
}

/// Where a player may move several times running: the line that whoever is to move after a move completes
/// next, and wins; else the line that ends the game, and what the moves after it say, of the same player or of the
/// opponent.
fn of_runs(
    queries: &Queries<'_>,
    from: &Answer,
    mv: &MoveFigures,
    to: &AnyPosition,
) -> Result<Vec<Fact>, Error> {
    let next = queries.answer(to)?;
    let Some(best) = next.moves.first() else {
        return Ok(Vec::new());
    };
    let variant = queries.variant();
    let made = variant.parse_move(&from.at, &mv.mv);
    let keeps_turn = made.is_ok_and(|made| variant.play(&from.at, made).keeps_turn);
    let wins_now = best.ends && best.value == Some(Value::Win);
    let after = best.after.filter(|_| wins_now);
    if let Some(line) = after.and_then(|after| completed(variant, to, &after)) {
        let next = best.mv.clone();
        return Ok(vec![if keeps_turn {
            Fact::GoesOn { next, line }
        } else {
            Fact::RefutedAtOnce { reply: next, line }
        }]);
    }
    let Some(value) = mv.value.filter(|_| mv.points.is_none()) else {
        return Ok(Vec::new());
    };
    let held = if value == Value::Draw {
        held(queries, from, mv, false)?
    } else {
        HeldDraw::default()
    };
    let main = if keeps_turn {
        let keeping = next.moves.iter().filter(|next| next.value == Some(value));
        Some(Fact::Continues {
            value,
            keeping: keeping.count(),
            moves: next.moves.len(),
            line: steps(queries, to, false)?,
        })
    } else {
        main_fact(queries, mv, &next, false)?
    };
    // The line to the end tells why the replies lose.
    let main = match main {
        Some(main) if value == Value::Draw => Some(with_example(queries, &next, main)?),
        main => main,
    };
    let end = runs_to_end(queries, mv, to, keeps_turn)?;
    let facts = wins_alone(variant, from, mv).into_iter().chain(end);
    let facts = facts.chain(only_legal(from)).chain(held.first);
    let mut facts: Vec<Fact> = facts.chain(main).chain(held.more).collect();
    shorten(&mut facts);
    Ok(facts)
}

#[cfg(test)]
mod tests;
