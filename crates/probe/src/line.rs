//! The main line: best play by both sides to the end.

use greenwave_game::{Figures, Game};
use greenwave_values::ValueSource;

use crate::answer;

/// One ply of a line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BestPly<P, M> {
    /// The position in which the move is made.
    pub from: P,
    /// The move.
    pub mv: M,
    /// The position after it and after the draw that follows, if there is one.
    pub to: P,
    /// Figures of the move, for the player who makes it; before the draw.
    pub figures: Figures,
    /// Chance in 1 of the draws after the move, and of those before the first one; 1 where nothing
    /// is drawn.
    pub chance: f64,
}

/// The plies of a line of a game.
pub type BestLine<G> = Vec<BestPly<<G as Game>::Position, <G as Game>::Move>>;

/// Plays the first best move of each position until the game ends, no best move is known, a
/// position comes again, or `limit` plies are reached. Where chance moves, the likeliest draw
/// follows, the first of equally likely ones.
///
/// # Errors
/// When the source cannot be read.
pub fn line<G: Game, S: ValueSource<G::Position>>(
    game: &G,
    start: &G::Position,
    source: &S,
    limit: usize,
) -> Result<BestLine<G>, S::Error> {
    let mut plies: BestLine<G> = Vec::new();
    let after = |from: &G::Position| {
        let (drawn, chance) = likeliest_draws(game, from);
        (drawn.last().copied().unwrap_or(*from), chance)
    };
    let (mut position, mut before) = after(start);
    let first = position;
    while plies.len() < limit {
        let here = answer(game, &position, source)?;
        let Some(best) = here.taken(source.tie()) else {
            break;
        };
        let (to, chance) = after(&best.to);
        plies.push(BestPly {
            from: position,
            mv: best.mv,
            to,
            figures: best.figures,
            chance: before * chance,
        });
        before = 1.0;
        if to == first || plies[..plies.len() - 1].iter().any(|ply| ply.to == to) {
            break;
        }
        position = to;
    }
    Ok(plies)
}

/// The likeliest draws from a position on, up to one where a player moves: what each leads to, and
/// their chance in 1. None where nothing is drawn.
#[must_use]
pub fn likeliest_draws<G: Game>(game: &G, position: &G::Position) -> (Vec<G::Position>, f64) {
    let (mut drawn, mut chance) = (Vec::new(), 1.0);
    let mut draws = Vec::new();
    loop {
        game.draws(drawn.last().unwrap_or(position), &mut draws);
        let total: u32 = draws.iter().map(|(_, weight)| weight).sum();
        let heavier = |first: (G::Position, u32), next: (G::Position, u32)| {
            if next.1 > first.1 { next } else { first }
        };
        let Some((to, weight)) = draws.drain(..).reduce(heavier) else {
            return (drawn, chance);
        };
        drawn.push(to);
        chance *= f64::from(weight) / f64::from(total);
    }
}
