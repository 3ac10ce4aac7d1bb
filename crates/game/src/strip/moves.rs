//! The moves of the strip.

use super::{Sides, StripGame, StripMove, StripPosition};
use crate::{Code, Message, Side, messages};

impl StripGame {
    /// The legal strip moves in listing order, lines left aside.
    pub fn strip_moves(&self, position: &StripPosition) -> impl Iterator<Item = StripMove> {
        let side = position.side;
        let slides = [false, true].into_iter().flat_map(move |turned| {
            Side::LISTED
                .into_iter()
                .filter(move |to| *to != side)
                .map(move |to| StripMove::Slide { to, turned })
        });
        let position = *position;
        slides
            .chain([StripMove::Turn])
            .take(if position.barred { 0 } else { usize::MAX })
            .filter(move |mv| self.strip_problem(&position, *mv).is_none())
    }

    /// The lights after a strip move.
    #[must_use]
    pub fn moved(&self, position: &StripPosition, mv: StripMove) -> Code {
        let (quarters, turned) = match mv {
            StripMove::Raise(_) => return position.code,
            StripMove::Slide { to, turned } => (position.side.quarters_to(to), turned),
            StripMove::Turn => (0, true),
        };
        self.geometry.slide(quarters, turned).apply(position.code)
    }

    // Why the rules forbid a strip move: what makes the message, since all but one who asks want to know
    // whether they do.
    pub(super) fn strip_problem(
        &self,
        position: &StripPosition,
        mv: StripMove,
    ) -> Option<fn() -> Message> {
        let (quarters, turned) = match mv {
            StripMove::Raise(_) => return None,
            StripMove::Slide { to, turned } => (position.side.quarters_to(to), turned),
            StripMove::Turn => (0, true),
        };
        let turn_in_place = mv == StripMove::Turn;
        if position.barred {
            Some(|| {
                "strip moves are barred, since the opponent's last turn was one; raise a light"
                    .into()
            })
        } else if turned && !self.strip.turns {
            Some(messages::move_no_turn)
        } else if quarters == 0 && !turn_in_place {
            Some(messages::move_lies)
        } else if quarters == 2 && self.strip.sides == Sides::Adjacent {
            Some(|| "in this game the strip only slides to a side next to its own".into())
        } else if !self.strip.empty_moves && position.code.0 & self.geometry.strip_mask() == 0 {
            Some(|| "in this game an empty strip stays where it lies".into())
        } else if !self.strip.null_moves && self.moved(position, mv) == position.code {
            Some(|| "it would change nothing, which this game forbids".into())
        } else {
            None
        }
    }

    // Whether one strip move completes a line, given that none stands.
    pub(super) fn strip_threat(&self, position: &StripPosition) -> bool {
        self.strip_moves(position).any(|mv| {
            let code = self.moved(position, mv).0;
            self.strip_targets
                .iter()
                .any(|(mask, value)| code & mask == *value)
        })
    }
}
