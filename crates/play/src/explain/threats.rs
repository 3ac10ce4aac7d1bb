//! Lines that a move threatens, in games where a player's moves are not the other's: forks, and what stops a threat.

use greenwave_game::{AnyPosition, Game, Outcome, PlayerOptions, Turn, Variant};
use greenwave_tablebase::{Answer, MoveFigures, Value};

use super::fact::{CompletedLine, Fact};

/// The lines that whoever moved to a position threatens, and what each reply leaves of them.
struct Threats {
    /// The lines that the next move completes after any reply that changes none of their squares.
    lines: Vec<(Vec<usize>, CompletedLine)>,
    /// For each reply, in the order of the moves, the lines that the next move completes.
    left: Vec<Vec<Vec<usize>>>,
}

impl Threats {
    /// `None` where the players have the same moves: whoever is to move completes a line that the other one threatens.
    fn of(variant: &Variant, to: &AnyPosition) -> Option<Threats> {
        let properties = &variant.rules().properties;
        if properties.options == PlayerOptions::Same || properties.turn == Turn::Runs {
            return None;
        }
        let (mut replies, mut moves) = (Vec::new(), Vec::new());
        variant.moves(to, &mut replies);
        let marks = variant.diagram(to).marks;
        let mut left = Vec::with_capacity(replies.len());
        let mut changed = Vec::with_capacity(replies.len());
        let mut found: Vec<(Vec<usize>, CompletedLine)> = Vec::new();
        for reply in &replies {
            let after = variant.play(to, *reply).to;
            let now = variant.diagram(&after).marks;
            changed.push(
                (0..marks.len())
                    .filter(|at| marks.get(*at) != now.get(*at))
                    .collect::<Vec<_>>(),
            );
            let stood = variant.completed_lines(&after);
            let mut lines = Vec::new();
            moves.clear();
            if variant.ending(&after).is_none() {
                variant.moves(&after, &mut moves);
            }
            for mv in &moves {
                let end = variant.play(&after, *mv).to;
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
        Some(Threats { lines: found, left })
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

/// The two lines that a move threatens at once, where it wins by them.
pub(super) fn fork_after(variant: &Variant, mv: &MoveFigures, to: &AnyPosition) -> Option<Fact> {
    let wins_next = mv.value == Some(Value::Win) && mv.distance == Some(3) && mv.points.is_none();
    let lines = wins_next.then(|| Threats::of(variant, to))??.fork()?;
    Some(Fact::Fork { reply: None, lines })
}

/// The two lines that the best reply to a move threatens at once, where it wins by them.
pub(super) fn fork_of_reply(variant: &Variant, mv: &MoveFigures, replies: &Answer) -> Option<Fact> {
    let best = replies.moves.first()?;
    let loses_next = mv.value == Some(Value::Loss) && mv.distance == Some(4) && mv.points.is_none();
    let after = best.after.filter(|_| loses_next)?;
    let lines = Threats::of(variant, &after)?.fork()?;
    Some(Fact::Fork {
        reply: Some(best.mv.clone()),
        lines,
    })
}

/// The line that a move threatens, which the replies have to stop.
pub(super) fn threat(variant: &Variant, to: &AnyPosition) -> Option<Fact> {
    let threats = Threats::of(variant, to)?;
    let (line, told) = threats.lines.first()?;
    let mut replies = Vec::new();
    variant.moves(to, &mut replies);
    let stopping = replies
        .iter()
        .zip(&threats.left)
        .filter(|(_, left)| !left.contains(line));
    let stops: Vec<String> = stopping
        .map(|(reply, _)| variant.move_text(to, *reply))
        .collect();
    (!stops.is_empty()).then(|| Fact::Threatens {
        line: told.clone(),
        stops,
    })
}
