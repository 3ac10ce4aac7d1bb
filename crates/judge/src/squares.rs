//! Moves that expressions name, and what they come to at once.

use greenwave_game::{Dense, Metric, Outcome, Outcomes, Packing, Spot, Squares};

/// The moves of a position that a text such as `b2`, `b2Y` or `slide-N` means: squares with or
/// without the letter of the light, other moves as they are written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MoveText {
    /// A square is raised, to a level if one is given.
    Raise(Spot, Option<u8>),
    /// A move that is more than that, as the game writes it.
    Other(String),
    /// The same with the coordinates of a square of the strip, which have to be read where the strip
    /// lies.
    Placed(String),
}

impl MoveText {
    /// Finds the first move that is meant.
    pub fn find<G: Squares>(
        &self,
        game: &G,
        position: &G::Position,
        moves: &[G::Move],
    ) -> Option<G::Move> {
        if let MoveText::Placed(text) = self {
            return game.parse_move(position, text).ok();
        }
        moves.iter().copied().find(|mv| match self {
            MoveText::Placed(_) => false,
            MoveText::Raise(spot, level) => {
                game.raise(position, *mv).is_some_and(|(raised, to)| {
                    raised == spot.square && level.is_none_or(|level| level == to)
                }) && game.is_there(position, *spot)
            }
            MoveText::Other(text) => game.move_text(position, *mv).eq_ignore_ascii_case(text),
        })
    }
}

/// Whether a move loses at once: it ends the game with a loss, or the opponent then has a move that
/// ends it with a win. `replies` is scratch space.
pub(crate) fn loses_at_once<G: Dense>(
    game: &G,
    position: &G::Position,
    mv: G::Move,
    replies: &mut Vec<G::Move>,
) -> bool {
    let to = game.play(position, mv).to;
    if let Some(ending) = game.ending(&to) {
        return ending.outcome == Outcome::Win;
    }
    can_win_at_once(game, &to, replies)
}

/// Whether the player to move of an unfinished game has a move that ends it with a win. `moves` is scratch
/// space.
pub(crate) fn can_win_at_once<G: Dense>(
    game: &G,
    position: &G::Position,
    moves: &mut Vec<G::Move>,
) -> bool {
    if game.packing(Metric::Value) == Packing::Undecided {
        // This tells of completed lines; where games can end without one, a move that leaves none
        // can win, too.
        let by_line = game.wins_at_once(position);
        if by_line || game.rules().properties.outcomes == Outcomes::WinLoss {
            return by_line;
        }
    }
    game.has_winning_move(position, moves)
}
