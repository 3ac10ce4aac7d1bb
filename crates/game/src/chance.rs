//! Games with chance: the rule that picks the better of two moves, and the way from odds at the
//! start of turns to odds of positions inside a turn.

use std::collections::HashMap;

use crate::{Dense, Ending, Odds, Outcome};

/// Expectations that differ by at most this much are taken as equal; then the win probability
/// decides, where it differs by more than this, and then the order of listing.
pub const TIE: f64 = 1e-12;

/// Whether the second of two moves, given in listing order, is taken instead of the first. Odds are
/// those of the player who makes the move.
#[must_use]
pub fn preferred(first: &Odds, second: &Odds) -> bool {
    let difference = second.expectation - first.expectation;
    difference > TIE || (difference >= -TIE && second.win > first.win + TIE)
}

impl Odds {
    /// A certain draw.
    pub const DRAWN: Odds = Odds {
        win: 0.0,
        draw: 1.0,
        loss: 0.0,
        expectation: 0.0,
    };

    /// Odds of which the draw is the rest.
    #[must_use]
    pub fn of(win: f64, loss: f64, expectation: f64) -> Odds {
        Odds {
            win,
            draw: 1.0 - win - loss,
            loss,
            expectation,
        }
    }

    /// The mean of odds that have weights, as draws of chance have.
    #[must_use]
    pub fn mean(weighted: &[(Odds, u32)]) -> Odds {
        let total: u32 = weighted.iter().map(|(_, weight)| weight).sum();
        let mut sum = [0.0; 3];
        for (odds, weight) in weighted {
            let weight = f64::from(*weight);
            sum[0] += weight * odds.win;
            sum[1] += weight * odds.loss;
            sum[2] += weight * odds.expectation;
        }
        let [win, loss, expectation] = sum.map(|sum| sum / f64::from(total));
        Odds::of(win, loss, expectation)
    }

    /// The odds of a finished game, for the player who would be to move. Endings of games that are
    /// not scored have no points.
    #[must_use]
    pub fn of_ending(ending: &Ending) -> Odds {
        let certain = |outcome| f64::from(u8::from(ending.outcome == outcome));
        let (win, loss) = (certain(Outcome::Win), certain(Outcome::Loss));
        Odds {
            win,
            draw: certain(Outcome::Draw),
            loss,
            expectation: if ending.points == 0 {
                win - loss
            } else {
                f64::from(ending.points)
            },
        }
    }

    /// Win, draw or loss by the sign of the expectation.
    #[must_use]
    pub fn outcome(&self) -> Outcome {
        if self.expectation > TIE {
            Outcome::Win
        } else if self.expectation < -TIE {
            Outcome::Loss
        } else {
            Outcome::Draw
        }
    }
}

/// The odds of any position of a game with chance from those of the positions that have an index:
/// the average over draws, the best over moves. Chance and moves must come to indexed or finished
/// positions after finitely many plies, as the draft and the inside of a turn do.
///
/// `known` gives the odds of finished and of indexed positions. Positions that come up on several
/// ways are worked out once.
///
/// # Errors
/// Those of `known`.
pub fn odds_by_draws<G: Dense, E>(
    game: &G,
    position: &G::Position,
    known: &mut impl FnMut(&G::Position) -> Result<Odds, E>,
) -> Result<Odds, E> {
    work_out(game, position, known, &mut HashMap::new())
}

/// The odds of a position and of all positions between it and those that have an index or are
/// finished, each the same as [`odds_by_draws`] gives. From the start these are the positions of the
/// draft, some two thousand whatever the board.
///
/// # Errors
/// Those of `known`.
pub fn all_odds_by_draws<G: Dense, E>(
    game: &G,
    position: &G::Position,
    known: &mut impl FnMut(&G::Position) -> Result<Odds, E>,
) -> Result<HashMap<G::Position, Odds>, E> {
    let mut seen = HashMap::new();
    work_out(game, position, known, &mut seen)?;
    Ok(seen)
}

fn work_out<G: Dense, E>(
    game: &G,
    position: &G::Position,
    known: &mut impl FnMut(&G::Position) -> Result<Odds, E>,
    seen: &mut HashMap<G::Position, Odds>,
) -> Result<Odds, E> {
    if game.has_index(position) || game.ending(position).is_some() {
        return known(position);
    }
    if let Some(odds) = seen.get(position) {
        return Ok(*odds);
    }
    let mut draws = Vec::new();
    game.draws(position, &mut draws);
    let odds = if draws.is_empty() {
        let mut moves = Vec::new();
        game.moves(position, &mut moves);
        let mut best: Option<Odds> = None;
        for mv in moves {
            let edge = game.play(position, mv);
            let below = work_out(game, &edge.to, known, seen)?;
            let odds = if edge.keeps_turn {
                below
            } else {
                below.turned()
            };
            best = Some(match best {
                Some(first) if !preferred(&first, &odds) => first,
                _ => odds,
            });
        }
        best.unwrap_or(Odds::DRAWN)
    } else {
        let drawn = draws.iter().map(|(to, weight)| {
            let odds = work_out(game, to, known, seen)?;
            Ok((odds, *weight))
        });
        Odds::mean(&drawn.collect::<Result<Vec<_>, E>>()?)
    };
    seen.insert(*position, odds);
    Ok(odds)
}
