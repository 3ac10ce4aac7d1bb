//! Why a move is worth what it is: facts that follow from values, and sentences about them.

use greenwave_game::{
    AnyPosition, Diagram, Game, Lights, Luck, Mark, Squares, Turn, Variant, VariantGame, with_game,
};
use greenwave_tablebase::{
    Answer, Error, MoveFigures, Queries, SCHEMA, Theorem, Value, loses_by_theorem,
};
use greenwave_words::Language;
use serde::Serialize;

use crate::completed_lines;

/// Most plies of a refutation that are given.
const LINE: usize = 8;
/// Most facts about one move.
const FACTS: usize = 3;

/// A completed line: its squares from one end to the other, and the letters of what stands there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CompletedLine {
    /// Names of the squares.
    pub squares: Vec<String>,
    /// What stands on them, as positions write it.
    pub lights: String,
}

impl CompletedLine {
    /// The one letter of a line of equal lights.
    #[must_use]
    pub fn light(&self) -> Option<char> {
        let first = self.lights.chars().next()?;
        self.lights
            .chars()
            .all(|letter| letter == first)
            .then_some(first)
    }

    /// The squares as people write a line: `a1–b1–c1`.
    #[must_use]
    pub fn name(&self) -> String {
        self.squares.join("\u{2013}")
    }
}

/// A ply of a refutation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefutationPly {
    /// The move.
    pub mv: String,
    /// Whether it is the one move of several that keeps the win.
    pub only: bool,
}

/// Something true about a move.
#[derive(Clone, Debug, PartialEq)]
pub enum Fact {
    /// The move completes a line and ends the game.
    Completes {
        /// The line.
        line: CompletedLine,
        /// Whether that wins; in misère play it loses.
        wins: bool,
    },
    /// The opponent completes a line next.
    RefutedAtOnce {
        /// The reply.
        reply: String,
        /// The line that it completes.
        line: CompletedLine,
    },
    /// The same player moves again, and completes a line.
    GoesOn {
        /// The next move.
        next: String,
        /// The line that it completes.
        line: CompletedLine,
    },
    /// The opponent has replies that win.
    Refuted {
        /// The quickest of them.
        reply: String,
        /// Number of replies that win.
        winning: usize,
        /// Number of replies.
        replies: usize,
        /// How play goes on.
        line: Vec<RefutationPly>,
    },
    /// Every reply of the opponent loses.
    Holds {
        /// Number of replies.
        replies: usize,
        /// The one that holds out longest.
        longest: String,
        /// How play continues from it.
        line: Vec<RefutationPly>,
    },
    /// The move draws: this many replies draw, and the others lose.
    Draws {
        /// Number of replies that draw.
        holding: usize,
        /// Number of replies.
        replies: usize,
    },
    /// Number of the opponent's replies after which no line can be completed at once.
    Parity {
        /// How many.
        safe: usize,
    },
    /// A theorem proves that whoever is to move after the move loses: the player who made it copies.
    Proved {
        /// The theorem.
        theorem: Theorem,
    },
    /// The nimber that the move leaves, which counts where boards are added.
    Nimber {
        /// The nimber.
        nimber: u32,
    },
    /// The value was found by searching the whole game.
    Search {
        /// Plies to the end, where they are known.
        plies: Option<u32>,
    },
}

impl Fact {
    /// The kind as documents name it.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            Fact::Completes { .. } | Fact::GoesOn { .. } => "completes",
            Fact::RefutedAtOnce { .. } | Fact::Refuted { .. } => "refuted",
            Fact::Holds { .. } | Fact::Draws { .. } | Fact::Search { .. } => "search",
            Fact::Parity { .. } => "parity",
            Fact::Proved {
                theorem: Theorem::Copying,
            } => "copying",
            Fact::Proved { .. } => "theorem",
            Fact::Nimber { .. } => "nimber",
        }
    }

    /// The squares that it is about.
    #[must_use]
    pub fn squares(&self) -> &[String] {
        match self {
            Fact::Completes { line, .. }
            | Fact::GoesOn { line, .. }
            | Fact::RefutedAtOnce { line, .. } => &line.squares,
            Fact::Refuted { .. }
            | Fact::Holds { .. }
            | Fact::Draws { .. }
            | Fact::Parity { .. }
            | Fact::Proved { .. }
            | Fact::Nimber { .. }
            | Fact::Search { .. } => &[],
        }
    }

    /// The moves after the one that it is about.
    #[must_use]
    pub fn line(&self) -> Vec<String> {
        match self {
            Fact::RefutedAtOnce { reply, .. } => vec![reply.clone()],
            Fact::GoesOn { next, .. } => vec![next.clone()],
            Fact::Refuted { line, .. } | Fact::Holds { line, .. } => {
                line.iter().map(|step| step.mv.clone()).collect()
            }
            Fact::Completes { .. }
            | Fact::Draws { .. }
            | Fact::Parity { .. }
            | Fact::Proved { .. }
            | Fact::Nimber { .. }
            | Fact::Search { .. } => Vec::new(),
        }
    }

    /// The fact in a sentence; `mv` is the move that it is about.
    #[must_use]
    pub fn said(&self, words: Language, mv: &str) -> String {
        let light = |line: &CompletedLine| {
            let colour = match line.light() {
                Some('R') => words.text("red"),
                Some('Y') => words.text("yellow"),
                Some('G') => words.text("green"),
                Some(_) | None => return line.name(),
            };
            format!("{colour} {}", line.name())
        };
        let (mut named, mut number, mut all) = (String::new(), 0, 0);
        let key = match self {
            Fact::Completes { line, wins } => {
                named = light(line);
                if *wins {
                    "why-completes"
                } else {
                    "why-completes-loses"
                }
            }
            Fact::RefutedAtOnce { reply, line } => {
                let line = light(line);
                return words.filled(
                    "why-at-once",
                    &[("mv", mv), ("reply", reply), ("line", &line)],
                );
            }
            Fact::GoesOn { next, line } => {
                let line = light(line);
                return words.filled(
                    "why-goes-on",
                    &[("mv", mv), ("reply", next), ("line", &line)],
                );
            }
            Fact::Refuted {
                reply,
                winning,
                replies,
                ..
            } => {
                named.clone_from(reply);
                (number, all) = (*winning, *replies);
                match (number, all) {
                    (1, 1) => "why-one-reply",
                    (1, _) => "why-only-reply",
                    (winning, all) if winning == all => "why-every-reply",
                    (_, _) => "why-replies",
                }
            }
            Fact::Holds {
                replies, longest, ..
            } => {
                named.clone_from(longest);
                all = *replies;
                if all == 1 {
                    "why-holds-one"
                } else {
                    "why-holds"
                }
            }
            Fact::Draws { holding, replies } => {
                (number, all) = (*holding, *replies);
                if number == all {
                    "why-draws-all"
                } else {
                    "why-draws-some"
                }
            }
            Fact::Parity { safe } => {
                number = *safe;
                match safe {
                    0 => "why-parity-none",
                    1 => "why-parity-one",
                    even if even.is_multiple_of(2) => "why-parity-even",
                    _ => "why-parity-odd",
                }
            }
            Fact::Proved { theorem } => match theorem {
                Theorem::TwoRanks => "why-two-ranks",
                Theorem::BothSidesOdd => "why-both-odd",
                Theorem::Copying => "why-copying",
            },
            Fact::Nimber { nimber } => {
                number = *nimber as usize;
                "why-nimber"
            }
            Fact::Search { plies: Some(plies) } => {
                return words.with("why-search", words.plies(*plies));
            }
            Fact::Search { plies: None } => "why-search-all",
        };
        let (number, all) = (number.to_string(), all.to_string());
        let fillings = [
            ("mv", mv),
            ("line", &named),
            ("reply", &named),
            ("n", &number),
            ("all", &all),
        ];
        words.filled(key, &fillings)
    }
}

/// What is true about a move of an answered position, one to three facts. Where `queries` are not quick,
/// with no table and nothing solved, only what the position itself shows.
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
        return Ok(Vec::new());
    }
    // After a move of chance a reply is another thing.
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
            (_, _) => vec![search],
        });
    }
    if properties.turn == Turn::Runs {
        let found = if is_at_hand {
            line_next(queries, from, mv, &to)?
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
        // Where a theorem says it, no search did.
        return Ok(vec![proved.unwrap_or(search)]);
    }
    let replies = queries.answer(&to)?;
    let mut facts: Vec<Fact> = main_fact(queries, mv, &replies)?.into_iter().collect();
    facts.extend(proved);
    let at_once = matches!(facts.first(), Some(Fact::RefutedAtOnce { .. }));
    if let (false, Some(safe)) = (at_once, safe_replies(&replies)) {
        facts.push(Fact::Parity { safe });
    }
    if let Some(nimber) = mv.nimber {
        facts.push(Fact::Nimber { nimber });
    }
    if !at_once {
        facts.push(search);
    }
    facts.truncate(FACTS);
    Ok(facts)
}

/// Where a player may move several times running: the line that whoever is to move after a move completes
/// next, and wins.
fn line_next(
    queries: &Queries<'_>,
    from: &Answer,
    mv: &MoveFigures,
    to: &AnyPosition,
) -> Result<Option<Fact>, Error> {
    let next = queries.answer(to)?;
    let best = next.moves.first();
    let wins = best.filter(|best| best.ends && best.value == Some(Value::Win));
    let Some((best, after)) = wins.and_then(|best| Some((best, best.after?))) else {
        return Ok(None);
    };
    let variant = queries.variant();
    let keeps_turn = with_game!(variant, game => {
        let before = game.position(&from.at);
        let made = game.parse_move(&before, &mv.mv);
        made.is_ok_and(|made| game.play(&before, made).keeps_turn)
    });
    Ok(completed(variant, to, &after).map(|line| {
        let next = best.mv.clone();
        if keeps_turn {
            Fact::GoesOn { next, line }
        } else {
            Fact::RefutedAtOnce { reply: next, line }
        }
    }))
}

/// What the replies to a move say first.
fn main_fact(
    queries: &Queries<'_>,
    mv: &MoveFigures,
    replies: &Answer,
) -> Result<Option<Fact>, Error> {
    let Some(best) = replies.moves.first() else {
        return Ok(None);
    };
    let worth = |value: Value| {
        let moves = replies.moves.iter();
        moves.filter(|reply| reply.value == Some(value)).count()
    };
    let all = replies.moves.len();
    // Points say more than who is ahead; a reply there neither wins nor loses by itself.
    if mv.points.is_some() {
        return Ok(None);
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
                    reply: best.mv.clone(),
                    winning: worth(Value::Win),
                    replies: all,
                    line: steps(queries, &replies.at)?,
                },
            })
        }
        Some(Value::Win) => Some(Fact::Holds {
            replies: all,
            longest: best.mv.clone(),
            line: steps(queries, &replies.at)?,
        }),
        Some(Value::Draw) => Some(Fact::Draws {
            holding: worth(Value::Draw),
            replies: all,
        }),
        Some(Value::Unknown) | None => None,
    })
}

/// Number of replies that do not let the next move win; `None` where distances are not known, or a
/// reply wins at once.
fn safe_replies(replies: &Answer) -> Option<usize> {
    let mut safe = 0;
    for reply in &replies.moves {
        match (reply.value?, reply.distance) {
            (Value::Unknown, _) | (Value::Win | Value::Loss, None) => return None,
            (Value::Win, Some(1)) => return None,
            (Value::Loss, Some(plies)) => safe += usize::from(plies > 2),
            (Value::Win | Value::Draw, _) => safe += 1,
        }
    }
    Some(safe)
}

/// Best play from a position, with the moves marked that alone keep a win.
fn steps(queries: &Queries<'_>, from: &AnyPosition) -> Result<Vec<RefutationPly>, Error> {
    let mut line = Vec::new();
    let mut at = *from;
    while line.len() < LINE {
        let answer = queries.answer(&at)?;
        let Some(best) = answer.moves.first() else {
            break;
        };
        let winning = answer
            .moves
            .iter()
            .filter(|mv| mv.value == Some(Value::Win))
            .count();
        line.push(RefutationPly {
            mv: best.mv.clone(),
            only: winning == 1 && answer.moves.len() > 1,
        });
        match (best.after, best.ends) {
            (Some(after), false) => at = after,
            (_, _) => break,
        }
    }
    Ok(line)
}

/// The line that a move completes, where it completes one.
fn completed(
    variant: &Variant,
    before: &AnyPosition,
    after: &AnyPosition,
) -> Option<CompletedLine> {
    let stood = completed_lines(variant, before);
    let stands = completed_lines(variant, after);
    let line = stands.iter().find(|line| !stood.contains(line))?;
    let diagram = variant.diagram_of(after);
    Some(CompletedLine {
        squares: line
            .iter()
            .map(|square| diagram.names[*square].clone())
            .collect(),
        lights: line
            .iter()
            .map(|square| letter(&diagram, *square))
            .collect(),
    })
}

fn letter(diagram: &Diagram, square: usize) -> char {
    match diagram.marks[square].2 {
        Mark::Level(level) => diagram.letter(level),
        Mark::Disc { colour, .. } => colour,
        Mark::Sign(Some(sign)) => sign,
        Mark::Sign(None) | Mark::Point => '.',
    }
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
        for mv in &answer.moves {
            let facts = explain(queries, is_at_hand, answer, mv)?;
            moves.push(ExplainedMove {
                mv: mv.mv.clone(),
                value: mv.value,
                distance: mv.distance,
                sentences: facts
                    .iter()
                    .map(|fact| fact.said(language, &mv.mv))
                    .collect(),
                facts: facts
                    .iter()
                    .map(|fact| FactDocument {
                        kind: fact.kind(),
                        squares: fact.squares().to_vec(),
                        line: fact.line(),
                    })
                    .collect(),
            });
        }
        let first =
            with_game!(queries.variant(), game => game.first_to_move(&game.position(&answer.at)));
        Ok(Explanation {
            schema: SCHEMA,
            variant: answer.variant.clone(),
            lights: queries.variant().rules().lights.map(Lights::name),
            position: answer.position.clone(),
            value: answer.value,
            turn: first.map(|first| if first { "first" } else { "second" }),
            moves,
        })
    }
}

#[cfg(test)]
mod tests;
