//! Odds of games with chance in exact rational numbers, from nothing but the rules.
//!
//! Denominators are products of numbers of counters in the bag, so small games stay within 128 bits.

use std::cmp::Ordering;
use std::collections::HashMap;

use greenwave_game::{Advance, Game, Outcome};

/// A rational number in lowest terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exact {
    numerator: i128,
    // Above 0.
    denominator: i128,
}

impl Exact {
    /// 0.
    pub const ZERO: Exact = Exact::whole(0);

    /// A whole number.
    #[must_use]
    pub const fn whole(number: i128) -> Exact {
        Exact {
            numerator: number,
            denominator: 1,
        }
    }

    /// The nearest double precision number, or one of its neighbours.
    #[must_use]
    pub fn rounded(self) -> f64 {
        self.numerator as f64 / self.denominator as f64
    }

    /// The product with a whole number.
    #[must_use]
    pub fn times(self, factor: u32) -> Exact {
        let factor = i128::from(factor);
        let common = gcd(factor, self.denominator);
        Exact {
            numerator: narrow(self.numerator.checked_mul(factor / common)),
            denominator: self.denominator / common,
        }
    }

    /// The quotient with a whole number above 0.
    #[must_use]
    pub fn over(self, divisor: u32) -> Exact {
        let divisor = i128::from(divisor);
        let common = gcd(self.numerator, divisor);
        Exact {
            numerator: self.numerator / common,
            denominator: narrow(self.denominator.checked_mul(divisor / common)),
        }
    }

    /// The sum.
    #[must_use]
    pub fn plus(self, other: Exact) -> Exact {
        let common = gcd(self.denominator, other.denominator);
        let (left, right) = (self.denominator / common, other.denominator / common);
        let sum = self
            .numerator
            .checked_mul(right)
            .zip(other.numerator.checked_mul(left))
            .and_then(|(a, b)| a.checked_add(b));
        let sum = narrow(sum);
        // A divisor of the sum and the new denominator also divides the old ones.
        let shared = gcd(sum, common);
        Exact {
            numerator: sum / shared,
            denominator: narrow(left.checked_mul(other.denominator / shared)),
        }
    }

    /// The number with the other sign.
    #[must_use]
    pub fn negated(self) -> Exact {
        Exact {
            numerator: -self.numerator,
            ..self
        }
    }
}

impl Ord for Exact {
    // Whole parts first, then the inverses of what is left: products could take more than 128 bits.
    fn cmp(&self, other: &Exact) -> Ordering {
        let (mut a, mut b) = (*self, *other);
        let mut order = Ordering::Less;
        loop {
            let parts = [a, b].map(|x| {
                let whole = x.numerator.div_euclid(x.denominator);
                (whole, x.numerator.rem_euclid(x.denominator))
            });
            let [(left, left_rest), (right, right_rest)] = parts;
            match left.cmp(&right) {
                Ordering::Equal => {}
                Ordering::Less => return order,
                Ordering::Greater => return order.reverse(),
            }
            match (left_rest, right_rest) {
                (0, 0) => return Ordering::Equal,
                (0, _) => return order,
                (_, 0) => return order.reverse(),
                _ => {}
            }
            order = order.reverse();
            a = Exact {
                numerator: a.denominator,
                denominator: left_rest,
            };
            b = Exact {
                numerator: b.denominator,
                denominator: right_rest,
            };
        }
    }
}

impl PartialOrd for Exact {
    fn partial_cmp(&self, other: &Exact) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

fn narrow(number: Option<i128>) -> i128 {
    number.expect("exact odds within 128 bits; take a smaller game")
}

// The greatest common divisor of numbers of which the second is above 0.
fn gcd(a: i128, b: i128) -> i128 {
    let (mut a, mut b) = (a.unsigned_abs(), b.unsigned_abs());
    while b != 0 {
        if let (Ok(mut x), Ok(mut y)) = (u64::try_from(a), u64::try_from(b)) {
            while y != 0 {
                (x, y) = (y, x % y);
            }
            return x.into();
        }
        (a, b) = (b, a % b);
    }
    a as i128
}

/// Exact odds for the player to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExactOdds {
    /// Win probability less loss probability, or expected points.
    pub expectation: Exact,
    /// Probability of a win.
    pub win: Exact,
    /// Probability of a loss.
    pub loss: Exact,
}

impl ExactOdds {
    fn turned(self) -> ExactOdds {
        ExactOdds {
            expectation: self.expectation.negated(),
            win: self.loss,
            loss: self.win,
        }
    }

    fn of_outcome(outcome: Outcome, points: i32) -> ExactOdds {
        let certain = |wanted| Exact::whole(i128::from(outcome == wanted));
        let (win, loss) = (certain(Outcome::Win), certain(Outcome::Loss));
        ExactOdds {
            expectation: match points {
                0 => win.plus(loss.negated()),
                _ => Exact::whole(points.into()),
            },
            win,
            loss,
        }
    }
}

/// Works out the odds of every position that a question leads to, each once.
pub struct ExactReference<'g, G: Game> {
    game: &'g G,
    known: HashMap<G::Position, ExactOdds>,
}

impl<'g, G: Game> ExactReference<'g, G> {
    /// Nothing is known yet; `None` for games whose positions can repeat.
    #[must_use]
    pub fn new(game: &'g G) -> Option<ExactReference<'g, G>> {
        (game.rules().properties.advance != Advance::Repeats).then(|| ExactReference {
            game,
            known: HashMap::new(),
        })
    }

    /// The odds of a position: of its ending, the average over its draws, or the best of its moves;
    /// between moves with equal expectations the one with the highest win probability.
    pub fn odds(&mut self, position: &G::Position) -> ExactOdds {
        let game = self.game;
        if let Some(ending) = game.ending(position) {
            return ExactOdds::of_outcome(ending.outcome, ending.points);
        }
        let key = game.canonical(position);
        if let Some(odds) = self.known.get(&key) {
            return *odds;
        }
        let mut draws = Vec::new();
        game.draws(&key, &mut draws);
        let odds = if draws.is_empty() {
            let mut moves = Vec::new();
            game.moves(&key, &mut moves);
            let worth = moves.into_iter().map(|mv| {
                let edge = game.play(&key, mv);
                let below = self.odds(&edge.to);
                assert_eq!(edge.gain, 0, "games with chance score at their end");
                if edge.keeps_turn {
                    below
                } else {
                    below.turned()
                }
            });
            let best = worth.reduce(|first, next| {
                let better = (next.expectation, next.win) > (first.expectation, first.win);
                if better { next } else { first }
            });
            best.expect("an unfinished position has a move or a draw")
        } else {
            let total = draws.iter().map(|(_, weight)| weight).sum();
            let mut sum = [Exact::ZERO; 3];
            for (to, weight) in &draws {
                let odds = self.odds(to);
                let parts = [odds.expectation, odds.win, odds.loss];
                for (sum, part) in sum.iter_mut().zip(parts) {
                    *sum = sum.plus(part.times(*weight));
                }
            }
            let [expectation, win, loss] = sum.map(|sum| sum.over(total));
            ExactOdds {
                expectation,
                win,
                loss,
            }
        };
        self.known.insert(key, odds);
        odds
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rational_arithmetic() {
        let third = Exact::whole(1).over(3);
        let sixth = third.over(2);
        assert_eq!(third.plus(sixth), Exact::whole(1).over(2));
        assert_eq!(sixth.times(4), third.times(2));
        assert_eq!(third.plus(third.negated()), Exact::ZERO);
        assert_eq!(Exact::ZERO.times(5).over(7), Exact::ZERO);
        assert!(third > sixth && sixth.negated() > third.negated());
        assert!(third.plus(sixth) > third && third < Exact::whole(1));
        assert_eq!(third.cmp(&third), Ordering::Equal);
        assert_eq!(third.times(6).rounded(), 2.0);
        let large = Exact::whole(1).over(u32::MAX).over(u32::MAX);
        assert_eq!(large.plus(large), large.times(2));
    }
}
