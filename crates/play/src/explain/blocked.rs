//! Lines that players can still complete, and positions in which they can win no more, whatever both play.

use std::collections::HashSet;

use greenwave_game::{AnyPosition, Game, Outcome, Squares, Variant, VariantGame, with_game};
use greenwave_tablebase::MoveFigures;

use super::fact::Fact;

/// Most positions that are visited.
const VISITED: usize = 2000;

/// Who can still win.
#[derive(Clone, Copy, Debug, Default)]
struct PossibleWins {
    mover: bool,
    other: bool,
}

/// Which players can still complete a line after a move, where not both can. `None` where too many positions come
/// after it.
pub(super) fn blocked(variant: &Variant, mv: &MoveFigures) -> Option<Fact> {
    let to = mv.after.filter(|_| !mv.ends)?;
    let mut seen = HashSet::new();
    let mut wins = PossibleWins::default();
    // Whether the player who made the move is to move.
    let mut left: Vec<(AnyPosition, bool)> = vec![(to, false)];
    let mut moves = Vec::new();
    while let Some((at, is_own)) = left.pop() {
        if !seen.insert((at, is_own)) {
            continue;
        }
        if seen.len() > VISITED || (wins.mover && wins.other) {
            return None;
        }
        if let Some(ending) = variant.ending(&at) {
            match ending.outcome {
                Outcome::Draw => {}
                Outcome::Win if is_own => wins.mover = true,
                Outcome::Loss if !is_own => wins.mover = true,
                Outcome::Win | Outcome::Loss => wins.other = true,
            }
            continue;
        }
        variant.moves(&at, &mut moves);
        for mv in &moves {
            let edge = variant.play(&at, *mv);
            left.push((edge.to, is_own == edge.keeps_turn));
        }
    }
    (!(wins.mover && wins.other)).then_some(Fact::Blocked {
        own: wins.mover,
        other: wins.other,
    })
}

/// How many lines each player can still complete after a move, where players have marks of their own.
pub(super) fn open_lines(variant: &Variant, mv: &MoveFigures) -> Option<Fact> {
    let to = mv.after.filter(|_| !mv.ends)?;
    let [other, own] = with_game!(variant, game => game.open_lines(&game.position(&to)))?;
    Some(Fact::OpenLines { own, other })
}
