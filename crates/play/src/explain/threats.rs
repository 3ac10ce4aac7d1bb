//! Lines that a move threatens, in games where a player's moves are not the other's: forks, the moves that force one,
//! and what stops a threat.

use greenwave_game::{AnyPosition, Game, Outcome, PlayerOptions, Turn, Variant};
use greenwave_tablebase::{Answer, MoveFigures, Value};

use super::fact::{CompletedLine, Fact, ForcedAnswer};

/// Most forced answers before a fork.
const FORCED: usize = 3;
/// Squares of a board on which a forced fork is looked for without knowing that there is a win.
const GLANCED: u32 = 20;
/// Most positions whose threats are looked for to find a fork after every reply.
const LOOKED_AT: usize = 400;

/// The lines that whoever moved to a position threatens, and what each reply leaves of them.
struct Threats {
    /// The lines that the next move completes after any reply that changes none of their squares.
    lines: Vec<(Vec<usize>, CompletedLine)>,
    /// For each reply, in the order of the moves, the lines that the next move completes.
    left: Vec<Vec<Vec<usize>>>,
    /// Each reply, and the position after it.
    replies: Vec<(String, AnyPosition)>,
}

impl Threats {
    /// `None` where the players have the same moves: whoever is to move completes a line that the other one threatens.
    fn of(variant: &Variant, to: &AnyPosition) -> Option<Threats> {
        let properties = &variant.rules().properties;
        if properties.options == PlayerOptions::Same || properties.turn == Turn::Runs {
            return None;
        }
        let mut moves = Vec::new();
        variant.moves(to, &mut moves);
        let replied = |mv| (variant.move_text(to, mv), variant.play(to, mv).to);
        let replies: Vec<(String, AnyPosition)> = moves.iter().copied().map(replied).collect();
        let marks = variant.diagram(to).marks;
        let mut left = Vec::with_capacity(replies.len());
        let mut changed = Vec::with_capacity(replies.len());
        let mut found: Vec<(Vec<usize>, CompletedLine)> = Vec::new();
        for (_, after) in &replies {
            let now = variant.diagram(after).marks;
            changed.push(
                (0..marks.len())
                    .filter(|at| marks.get(*at) != now.get(*at))
                    .collect::<Vec<_>>(),
            );
            let stood = variant.completed_lines(after);
            let mut lines = Vec::new();
            moves.clear();
            if variant.ending(after).is_none() {
                variant.moves(after, &mut moves);
            }
            for mv in &moves {
                let end = variant.play(after, *mv).to;
                let ending = variant.ending(&end);
                if ending.is_none_or(|ending| ending.outcome != Outcome::Loss) {
                    continue;
                }
                let diagram = variant.diagram(&end);
                for line in variant.completed_lines(&end) {
                    if stood.contains(&line) || lines.contains(&line) {
                        continue;
                    }
                    if !found.iter().any(|(known, _)| *known == line) {
                        found.push((line.clone(), CompletedLine::of(&diagram, &line)));
                    }
                    lines.push(line);
                }
            }
            left.push(lines);
        }
        let stands = |line: &Vec<usize>| {
            let mut beside = changed.iter().zip(&left);
            let is_beside = |changed: &Vec<usize>| changed.iter().all(|at| !line.contains(at));
            changed.iter().any(is_beside)
                && beside.all(|(changed, left)| !is_beside(changed) || left.contains(line))
        };
        found.retain(|(line, _)| stands(line));
        Some(Threats {
            lines: found,
            left,
            replies,
        })
    }

    /// The replies that stop a line.
    fn stopping(&self, line: &Vec<usize>) -> Vec<&(String, AnyPosition)> {
        let replies = self.replies.iter().zip(&self.left);
        let stopping = replies.filter(|(_, left)| !left.contains(line));
        stopping.map(|(reply, _)| reply).collect()
    }

    /// Two of the lines, one of which is left after every reply.
    fn fork(&self) -> Option<[CompletedLine; 2]> {
        for (number, (line, told)) in self.lines.iter().enumerate() {
            for (other, other_told) in &self.lines[number + 1..] {
                let mut left = self.left.iter();
                if left.all(|left| left.contains(line) || left.contains(other)) {
                    return Some([told.clone(), other_told.clone()]);
                }
            }
        }
        None
    }
}

/// The threats, each with one answer, by which whoever moved to a position forces a fork, and its lines.
struct ForcedFork {
    answers: Vec<ForcedAnswer>,
    lines: [CompletedLine; 2],
}

impl ForcedFork {
    /// A fork after exactly so many forced answers. All of it follows from the moves that it looks at.
    fn after(variant: &Variant, to: &AnyPosition, answers: usize) -> Option<ForcedFork> {
        let threats = Threats::of(variant, to)?;
        if answers == 0 {
            let lines = threats.fork()?;
            return Some(ForcedFork {
                answers: Vec::new(),
                lines,
            });
        }
        threats.lines.iter().find_map(|(line, told)| {
            let stopping = threats.stopping(line);
            let &[(answer, after)] = stopping.as_slice() else {
                return None;
            };
            next_moves(variant, after)
                .into_iter()
                .find_map(|(next, to)| {
                    let mut rest = ForcedFork::after(variant, &to, answers - 1)?;
                    let forced = ForcedAnswer {
                        line: told.clone(),
                        answer: answer.clone(),
                        next,
                    };
                    rest.answers.insert(0, forced);
                    Some(rest)
                })
        })
    }
}

/// The moves of a position that do not end the game, with the positions after them.
fn next_moves(variant: &Variant, at: &AnyPosition) -> Vec<(String, AnyPosition)> {
    if variant.ending(at).is_some() {
        return Vec::new();
    }
    let mut moves = Vec::new();
    variant.moves(at, &mut moves);
    let made = moves.iter().map(|mv| (*mv, variant.play(at, *mv).to));
    made.filter(|(_, to)| variant.ending(to).is_none())
        .map(|(mv, to)| (variant.move_text(at, mv), to))
        .collect()
}

/// The fork by which whoever moved to a position wins: at once, or forced by threats. `plies` to the end, where
/// they are known.
fn fork(
    variant: &Variant,
    reply: Option<&str>,
    to: &AnyPosition,
    plies: Option<u32>,
) -> Option<Fact> {
    let number = |plies: u32| (plies.checked_sub(2)? as usize).checked_div(2);
    let tried = match plies {
        Some(plies) => {
            let answers = number(plies)?;
            answers..=answers.min(FORCED)
        }
        // Where the length is not known, no more than a glance.
        None => 0..=usize::from(variant.rules().cells <= GLANCED),
    };
    let found = tried
        .into_iter()
        .find_map(|answers| ForcedFork::after(variant, to, answers))?;
    let ForcedFork { answers, lines } = found;
    let reply = reply.map(String::from);
    Some(if answers.is_empty() {
        Fact::Fork { reply, lines }
    } else {
        Fact::Forces {
            reply,
            answers,
            lines,
        }
    })
}

/// The fork that follows whatever the opponent answers: that after the answer which holds out longest.
pub(super) fn fork_whatever(
    variant: &Variant,
    reply: Option<&str>,
    to: &AnyPosition,
    longest: &str,
) -> Option<Fact> {
    // Who moved has no say in other games.
    Threats::of(variant, to)?;
    let mut left = LOOKED_AT;
    let mut shown = None;
    let answers = next_moves(variant, to);
    let mut moves = Vec::new();
    variant.moves(to, &mut moves);
    if answers.len() < moves.len() {
        return None;
    }
    for (answer, after) in answers {
        let forking = next_moves(variant, &after)
            .into_iter()
            .find_map(|(next, to)| {
                left = left.checked_sub(1)?;
                Some((next, Threats::of(variant, &to)?.fork()?))
            });
        let (next, lines) = forking?;
        if shown.is_none() || answer == longest {
            shown = Some(Fact::ForksNext {
                reply: reply.map(String::from),
                answer,
                next,
                lines,
            });
        }
    }
    shown
}

/// The fork by which a move wins, of the player who makes it.
pub(super) fn fork_after(variant: &Variant, mv: &MoveFigures, to: &AnyPosition) -> Option<Fact> {
    let wins = mv.value == Some(Value::Win) && mv.points.is_none();
    wins.then(|| fork(variant, None, to, mv.distance))?
}

/// The fork by which a move wins of which nothing is known.
pub(super) fn fork_at_sight(variant: &Variant, to: &AnyPosition) -> Option<Fact> {
    fork(variant, None, to, None)
}

/// The fork by which the best reply to a move wins.
pub(super) fn fork_of_reply(variant: &Variant, mv: &MoveFigures, replies: &Answer) -> Option<Fact> {
    let best = replies.moves.first()?;
    let loses = mv.value == Some(Value::Loss) && mv.points.is_none();
    let after = best.after.filter(|_| loses && !best.ends)?;
    fork(variant, Some(&best.mv), &after, best.distance)
}

/// The line that a move threatens, which the replies have to stop.
pub(super) fn threat(variant: &Variant, to: &AnyPosition) -> Option<Fact> {
    let threats = Threats::of(variant, to)?;
    let (line, told) = threats.lines.first()?;
    let stops = threats.stopping(line).into_iter();
    let stops: Vec<String> = stops.map(|(reply, _)| reply.clone()).collect();
    (!stops.is_empty()).then(|| Fact::Threatens {
        line: told.clone(),
        stops,
    })
}

/// The line that a move stops: the opponent threatens it, and completes it next after moves that do not stop it.
pub(super) fn stops(variant: &Variant, from: &AnyPosition, mv: &MoveFigures) -> Option<Fact> {
    let mut moves = Vec::new();
    variant.moves(from, &mut moves);
    let mut replies = Vec::new();
    let mut lets_win = |to: &AnyPosition| {
        variant.ending(to).is_none() && variant.has_winning_move(to, &mut replies)
    };
    let after = mv.after.filter(|_| !mv.ends)?;
    let mut others = moves.iter().map(|mv| variant.play(from, *mv).to);
    // Threats are looked for where some move lets the opponent win, and this one does not.
    if lets_win(&after) || !others.any(|to| lets_win(&to)) {
        return None;
    }
    let threats = Threats::of(variant, from)?;
    let (line, told) = threats.lines.first()?;
    let stopping = threats.stopping(line).len();
    Some(Fact::Stops {
        line: told.clone(),
        stopping,
        moves: threats.replies.len(),
    })
}
