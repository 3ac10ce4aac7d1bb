//! The main line: best play by both sides to the end.

use greenwave_game::{Figures, Game, ValueSource};

use crate::answer;

/// One ply of a line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LinePly<P, M> {
    /// The move.
    pub mv: M,
    /// The position after it.
    pub to: P,
    /// Figures of the move, for the player who makes it.
    pub figures: Figures,
}

/// The plies of a line of a game.
pub type Line<G> = Vec<LinePly<<G as Game>::Position, <G as Game>::Move>>;

/// Plays the first best move of each position until the game ends, no best move is known, a
/// position comes again, or `limit` plies are reached.
///
/// # Errors
/// When the source cannot be read.
pub fn line<G: Game, S: ValueSource<G::Position>>(
    game: &G,
    start: &G::Position,
    source: &S,
    limit: usize,
) -> Result<Line<G>, S::Error> {
    let mut plies: Line<G> = Vec::new();
    let mut position = *start;
    while plies.len() < limit {
        let here = answer(game, &position, source)?;
        if here.best == 0 {
            break;
        }
        let best = here.moves[0];
        plies.push(LinePly {
            mv: best.mv,
            to: best.to,
            figures: best.figures,
        });
        let earlier = plies[..plies.len() - 1].iter().any(|ply| ply.to == best.to);
        if earlier || best.to == *start {
            break;
        }
        position = best.to;
    }
    Ok(plies)
}
