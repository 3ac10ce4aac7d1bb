//! Why a move is worth what it is: facts that follow from values, and sentences about them.

mod fact;
mod line;
mod market;
mod safe;
mod sentence;
mod sight;
mod threats;

use greenwave_game::{AnyPosition, Game, Luck, Turn};
use greenwave_tablebase::{
    Answer, AtlasBoard, Error, MoveFigures, Queries, SCHEMA, SourceKind, Value, loses_by_theorem,
};
use greenwave_words::Language;
use serde::Serialize;

use line::{best_move, completed, line_to_end, steps};
use market::market;
use safe::{
    beside, counts_out, safe_by_distance, safe_moves, safe_next, safe_there, strip_alone,
    wins_alone, with_answers,
};
use sentence::{NAMED, NEAR};

pub(crate) use safe::count_safe;
use sight::{at_sight, copied, refuted_at_once, slides_back};
use threats::{fork_after, fork_of_reply, fork_whatever, threat};

pub use fact::{CompletedLine, Fact, ForcedAnswer, RefutationPly};

/// Most facts about one move.
const FACTS: usize = 3;
/// Plies of a win by a fork that the next move of the same player makes.
const FORK_NEXT: Option<u32> = Some(5);
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
        let line = completed(variant, &from.at, &to);
        let value = mv.value;
        return Ok(match (line, value) {
            // Where points count, a line alone decides nothing.
            (Some(line), Some(Value::Win | Value::Loss)) if mv.points.is_none() => {
                vec![Fact::Completes {
                    line,
                    wins: value == Some(Value::Win),
                }]
            }
            (line, _) => match (line, mv.points) {
                (Some(line), Some(points)) => vec![Fact::Scores {
                    points,
                    completes: Some(line),
                    line: Vec::new(),
                }],
                (_, _) => vec![search],
            },
        });
    }
    if properties.turn == Turn::Runs {
        let found = if is_at_hand {
            of_runs(queries, from, mv, &to)?
        } else {
            None
        };
        return Ok(vec![found.unwrap_or(search)]);
    }
    let proved = match mv.value {
        Some(Value::Win) => loses_by_theorem(variant, &to).map(|theorem| Fact::Proved { theorem }),
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
    // A fork says all that follows from it.
    let fork = match at_once {
        None => forked(queries, mv, &to, &replies)?,
        Some(_) => None,
    };
    let is_refuted = at_once.is_some() || fork.is_some();
    let strip = strip_alone(variant, &to).filter(|_| !is_refuted);
    let back = slides_back(variant, from, mv, &to).filter(|_| !is_refuted);
    let is_counted_out = is_decided && !is_refuted && counts_out(variant);
    // A theorem says more than how many moves are safe.
    let is_proved = copied.is_some();
    let counted = mv.value.filter(|_| is_counted_out && !is_proved);
    let parity = safe_moves(variant, &to, counted);
    let is_told = strip.is_some() || parity.is_some() || is_proved;
    let is_ahead_or_behind = mv.points.is_some_and(|points| points != 0) && !is_refuted;
    let safe = if (is_counted_out || is_ahead_or_behind) && !is_told {
        safe_next(queries, mv, &to, &replies)?
    } else {
        None
    };
    let is_lost = mv.value == Some(Value::Loss) && mv.points.is_none() && mv.odds.is_none();
    let all_lose = matches!(&safe, Some(Fact::Safe { safe, .. }) if safe.is_empty());
    let goes_to_end = is_counted_out || mv.points.is_some() && !is_refuted;
    let line = if goes_to_end && parity.is_none() && proved.is_none() {
        line_to_end(queries, mv, &to)?
    } else {
        None
    };
    let answers = if is_lost && !is_refuted && parity.is_none() && !all_lose && line.is_none() {
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
    let (near, far) = match line {
        Some(Fact::ToEnd {
            line: ref plies, ..
        }) if plies.len() >= NEAR => (None, line),
        line => (line, None),
    };
    let reasons = proved.into_iter().chain(at_once).chain(copied).chain(fork);
    let reasons = reasons.chain(proof).chain(strip).chain(back).chain(parity);
    let reasons = reasons.chain(safe).chain(near);
    let draws = mv.value == Some(Value::Draw) && mv.points.is_none();
    let threat = if mv.points.is_none() && !is_refuted {
        threat(variant, &to)
    } else {
        None
    };
    let beside = if draws { beside(from) } else { None };
    let alone = wins_alone(variant, from, mv);
    let reasons = reasons.chain(threat);
    let answers = answers.or(beside);
    let reasons = reasons.chain(alone);
    let reasons = reasons.chain(counts).chain(far).chain(answers);
    let mut facts: Vec<Fact> = reasons.collect();
    if facts.is_empty() {
        facts.push(search);
    }
    // Whoever asks why a move loses reads first what refutes it, and of points which line scores them.
    facts.sort_by_key(|fact| {
        !matches!(
            fact,
            Fact::Ends { .. }
                | Fact::Refuted { .. }
                | Fact::Copied { .. }
                | Fact::Fork { reply: Some(_), .. }
                | Fact::Forces { reply: Some(_), .. }
                | Fact::ForksNext { reply: Some(_), .. }
        )
    });
    facts.truncate(FACTS);
    facts.extend(mv.nimber.map(|nimber| Fact::Nimber { nimber }));
    Ok(facts)
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
        let refuted = refuted_by_now(mv, &replies).filter(|_| facts.is_empty());
        if refuted.is_some() {
            let next = safe_next(&hurried, mv, to, &replies)?;
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
            facts.push(with_answers(&hurried, to, safe)?);
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
    facts.extend(outcome.map(|outcome| Fact::Published { outcome }));
    facts.truncate(FACTS);
    Ok(facts)
}

/// The replies to a move that win, where the value of every reply is known.
fn refuted_by_now(mv: &MoveFigures, replies: &Answer) -> Option<Fact> {
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
        replies: replies.moves.len(),
        line,
    })
}

/// Where a player may move several times running: the line that whoever is to move after a move completes
/// next, and wins; else what the moves after it say, of the same player or of the opponent.
fn of_runs(
    queries: &Queries<'_>,
    from: &Answer,
    mv: &MoveFigures,
    to: &AnyPosition,
) -> Result<Option<Fact>, Error> {
    let next = queries.answer(to)?;
    let Some(best) = next.moves.first() else {
        return Ok(None);
    };
    let variant = queries.variant();
    let made = variant.parse_move(&from.at, &mv.mv);
    let keeps_turn = made.is_ok_and(|made| variant.play(&from.at, made).keeps_turn);
    let wins_now = best.ends && best.value == Some(Value::Win);
    let after = best.after.filter(|_| wins_now);
    if let Some(line) = after.and_then(|after| completed(variant, to, &after)) {
        let next = best.mv.clone();
        return Ok(Some(if keeps_turn {
            Fact::GoesOn { next, line }
        } else {
            Fact::RefutedAtOnce { reply: next, line }
        }));
    }
    let value = mv.value.filter(|_| mv.points.is_none());
    match value {
        Some(value) if keeps_turn => {
            let keeping = next.moves.iter().filter(|next| next.value == Some(value));
            Ok(Some(Fact::Continues {
                value,
                keeping: keeping.count(),
                moves: next.moves.len(),
                line: steps(queries, to, false)?,
            }))
        }
        Some(_) => main_fact(queries, mv, &next, false),
        None => Ok(None),
    }
}

/// The fork by which a move wins, or the best reply to it: at once, forced, or after whatever answer.
fn forked(
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

/// What the replies to a move say first.
fn main_fact(
    queries: &Queries<'_>,
    mv: &MoveFigures,
    replies: &Answer,
    copies: bool,
) -> Result<Option<Fact>, Error> {
    let Some(best) = best_move(queries.variant(), replies) else {
        return Ok(None);
    };
    let worth = |value: Value| -> Vec<String> {
        let moves = replies.moves.iter();
        let alike = moves.filter(|reply| reply.value == Some(value));
        alike.map(|reply| reply.mv.clone()).collect()
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
        Some(Value::Loss) => {
            let wins_now = best.ends && best.value == Some(Value::Win);
            let after = best.after.filter(|_| wins_now);
            let line = after.and_then(|after| completed(queries.variant(), &replies.at, &after));
            Some(match line {
                Some(line) => Fact::RefutedAtOnce {
                    reply: best.mv.clone(),
                    line,
                },
                None => Fact::Refuted {
                    winning: worth(Value::Win),
                    replies: all,
                    line: steps(queries, &replies.at, false)?,
                },
            })
        }
        Some(Value::Win) => Some(Fact::Holds {
            replies: all,
            longest: replies.best.clone(),
            line: steps(queries, &replies.at, copies)?,
        }),
        Some(Value::Draw) => Some(Fact::Draws {
            holding: worth(Value::Draw),
            replies: all,
            line: steps(queries, &replies.at, false)?,
        }),
        Some(Value::Unknown) | None => None,
    })
}

/// The answers to the best reply, which wins: where the game goes on after it, every one of them loses.
fn answers_lose(queries: &Queries<'_>, replies: &Answer) -> Result<Option<Fact>, Error> {
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
    Ok(lost.and_then(|longest| {
        Some(Fact::Answers {
            reply: best.mv.clone(),
            answers: answers.moves.len(),
            longest: longest.mv.clone(),
            plies: longest.distance?,
        })
    }))
}

/// A fact as a document.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct FactDocument {
    /// The kind of fact.
    pub kind: &'static str,
    /// The squares that it is about.
    pub squares: Vec<String>,
    /// The moves after the one that it is about.
    pub line: Vec<String>,
}

/// A move explained.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct ExplainedMove {
    /// The move.
    #[serde(rename = "move")]
    pub mv: String,
    /// The value for the player who makes it.
    pub value: Option<Value>,
    /// Plies to the end, the move counted.
    pub distance: Option<u32>,
    /// The facts as sentences.
    pub sentences: Vec<String>,
    /// The facts.
    pub facts: Vec<FactDocument>,
}

/// A position with every move explained.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Explanation {
    /// Version of the document.
    pub schema: u32,
    /// The variant.
    pub variant: String,
    /// The order of the lights in its texts; none in games without these lights.
    pub lights: Option<&'static str>,
    /// The position.
    pub position: String,
    /// Win, loss or draw for the player to move.
    pub value: Value,
    /// The player to move, `first` or `second`; `None` where the position does not tell.
    pub turn: Option<&'static str>,
    /// Every move, best first.
    pub moves: Vec<ExplainedMove>,
}

impl Explanation {
    /// Explains every move of an answer in a language.
    ///
    /// # Errors
    /// As [`explain`].
    pub fn of(
        queries: &Queries<'_>,
        is_at_hand: bool,
        answer: &Answer,
        language: Language,
    ) -> Result<Explanation, Error> {
        let mut moves = Vec::with_capacity(answer.moves.len());
        let is_alike = answer
            .moves
            .windows(2)
            .all(|pair| pair[0].value == pair[1].value);
        let (mut is_beside_told, mut is_source_told) = (false, false);
        for mv in &answer.moves {
            let mut facts = explain(queries, is_at_hand, answer, mv)?;
            // What is true about the position is told once.
            facts.retain(|fact| {
                if matches!(fact, Fact::Beside { .. }) {
                    !std::mem::replace(&mut is_beside_told, true)
                } else if is_alike && matches!(fact, Fact::Published { .. }) {
                    !std::mem::replace(&mut is_source_told, true)
                } else {
                    true
                }
            });
            moves.push(ExplainedMove {
                mv: mv.mv.clone(),
                value: mv.value,
                distance: mv.distance,
                sentences: facts
                    .iter()
                    .filter(|fact| !fact.is_of_sums())
                    .map(|fact| fact.said(language, &mv.mv))
                    .collect(),
                facts: facts
                    .iter()
                    .map(|fact| FactDocument {
                        kind: fact.kind(),
                        squares: fact
                            .lines()
                            .iter()
                            .flat_map(|line| line.squares.clone())
                            .collect(),
                        line: fact.line(),
                    })
                    .collect(),
            });
        }
        let first = queries.variant().first_to_move(&answer.at);
        Ok(Explanation {
            schema: SCHEMA,
            variant: answer.variant.clone(),
            lights: queries.variant().rules().lights_name(),
            position: answer.position.clone(),
            value: answer.value,
            turn: first.map(|first| if first { "first" } else { "second" }),
            moves,
        })
    }
}

#[cfg(test)]
mod tests;
