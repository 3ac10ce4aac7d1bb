//! The position of best play from which on the number of safe moves decides, as a small board.

use greenwave_game::{Diagram, Game, Variant};
use greenwave_picture::{MovePlace, place};
use greenwave_play::{Fact, safe_moves_at};
use greenwave_tablebase::{Answer, MoveFigures};

/// A position that [`Fact::ToEnd`] tells of, with the squares on which a safe move can be made.
#[derive(Clone, Debug)]
pub(crate) struct SettledBoard {
    /// The moves that lead there, the one that is explained first.
    pub(super) moves: Vec<String>,
    pub(super) diagram: Diagram,
    /// Their places among its marks.
    pub(super) safe: Vec<usize>,
}

impl SettledBoard {
    /// The one that the facts about a move of a position tell of; `None` where a safe move is on no square, too.
    pub(super) fn of(
        variant: &Variant,
        answer: &Answer,
        mv: &MoveFigures,
        facts: &[Fact],
    ) -> Option<SettledBoard> {
        let (line, settled) = facts.iter().find_map(|fact| {
            let Fact::ToEnd { line, settled, .. } = fact else {
                return None;
            };
            Some((line, (*settled)?))
        })?;
        let line = line.iter().map(|step| step.mv.clone());
        let moves = std::iter::once(mv.mv.clone()).chain(line);
        let moves: Vec<String> = moves.take(settled.plies as usize).collect();
        let mut at = answer.at;
        for mv in &moves {
            at = variant.play(&at, variant.parse_move(&at, mv).ok()?).to;
        }
        let diagram = variant.diagram(&at);
        // A move of the strip is on no square.
        let square = |mv| match place(&diagram, &variant.move_text(&at, mv)) {
            MovePlace::Square(square) => Some(square),
            MovePlace::Step(..) | MovePlace::Elsewhere => None,
        };
        Some(SettledBoard {
            safe: safe_moves_at(variant, &at)
                .into_iter()
                .map(square)
                .collect::<Option<_>>()?,
            moves,
            diagram,
        })
    }
}
